"""Decorated functions, and signatures that a callable declares."""

import contextlib
import functools
import inspect
import types
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

import pytest

from milo_schema import SchemaError, function_to_schema, return_to_schema, tool_schema
from tests.callables.helpers import ANYTHING, Shape, gives, takes
from tests.callables.samples import HOST, NAME, SECURE, THROUGH, connect
from tests.every import every
from tests.fragments import BOOLEAN, INTEGER, STRING, array_of, record
from tests.inside import targets
from tests.modules import module_from

T = TypeVar("T")

# -- decorators --------------------------------------------------------------------------------


def logged(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        return func(*args, **kwargs)

    return wrapper


def test_a_decorator_from_another_module():
    """Names are those of the module that wrote the annotations, not the decorator's."""
    decorators = module_from(
        """
        import functools

        Movie = int

        def logged(func):
            @functools.wraps(func)
            def wrapper(*args, **kwargs):
                return func(*args, **kwargs)
            return wrapper
        """,
        future=True,
    )
    module = module_from(
        """
        from typing import TypedDict

        class Movie(TypedDict):
            title: str

        @logged
        def rent(movie: Movie, days: int = 1) -> Movie: ...
        """,
        future=True,
        logged=decorators.logged,
    )
    movie = record(title=STRING)
    takes(module.rent, {"movie": movie, "days": {"type": "integer", "default": 1}}, ["movie"])
    gives(module.rent, movie)


class Shop:
    @logged
    def rent(self, days: int) -> bool: ...

    @classmethod
    @logged
    def build(cls, name: str) -> bool: ...

    @functools.lru_cache  # noqa: B019 - it is not called
    def area(self, width: int) -> int: ...

    @functools.singledispatchmethod
    def show(self, value: object, width: int = 80) -> str: ...

    @show.register
    def _(self, value: int, width: int = 10) -> str: ...


@functools.cache
def area(width: int, height: int = 1) -> int: ...


@functools.singledispatch
def show(value: object, width: int = 80) -> str: ...


@show.register
def _(value: int, width: int = 10) -> str: ...


@contextlib.contextmanager
def opened(path: str, mode: str = "r") -> Iterator[int]:
    yield 1


class Task:
    """A decorator may be a class, as celery's tasks and click's commands are."""

    def __init__(self, func):
        functools.update_wrapper(self, func)

    def __call__(self, *args, **kwargs): ...


CONNECT = {"host": HOST, "port": THROUGH, "secure": SECURE}
DAYS, WIDTH = {"days": INTEGER}, {"width": INTEGER}
SHOWN = {"value": ANYTHING, "width": {"type": "integer", "default": 80}}
SHAPES = {
    "wrapped": Shape(logged(connect), CONNECT, ["host"], BOOLEAN),
    "wrapped twice": Shape(logged(logged(connect)), CONNECT, ["host"]),
    "an object": Shape(Task(connect), CONNECT, ["host"], BOOLEAN),
    "a wrapped method": Shape(Shop().rent, DAYS, ["days"]),
    "a wrapped method, unbound": Shape(Shop.rent, DAYS, ["days"]),
    "a wrapped class method": Shape(Shop.build, NAME, ["name"], BOOLEAN),
    "cached": Shape(
        area, {**WIDTH, "height": {"type": "integer", "default": 1}}, ["width"], INTEGER),
    "a cached method": Shape(Shop().area, WIDTH, ["width"], INTEGER),
    "a cached method, unbound": Shape(Shop.area, WIDTH, ["width"]),
    "dispatching": Shape(show, SHOWN, ["value"], STRING),
    "a dispatching method": Shape(Shop().show, SHOWN, ["value"], STRING),
    "a dispatching method, unbound": Shape(Shop.show, SHOWN, ["value"]),
    "a context manager":
        Shape(opened, {"path": STRING, "mode": {"type": "string", "default": "r"}}, ["path"]),
}  # fmt: skip


@every("fact", SHAPES)
def test_a_decorated_function_has_the_schema_of_the_function(fact):
    """That of the first implementation, if it dispatches."""
    SHAPES[fact].hold()


# -- declared signatures -----------------------------------------------------------------------


def declared(**annotations: Any) -> inspect.Signature:
    kind = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter(name, kind, annotation=annotation)
        for name, annotation in annotations.items()
    ]
    return inspect.Signature(parameters, return_annotation=bool)


def test_a_declared_signature_is_the_signature():
    def anything(*args, **kwargs) -> str: ...

    vars(anything)["__signature__"] = declared(a=int, b=list[str])
    takes(anything, {"a": INTEGER, "b": array_of(STRING)}, ["a", "b"])
    gives(anything, BOOLEAN)


def test_a_declared_signature_with_strings_has_the_names_of_the_function():
    module = module_from("""
        class Local: ...
        Text = str
        def anything(*args, **kwargs): ...
    """)
    module.anything.__signature__ = declared(a="Text", b="list[Text]")
    takes(module.anything, {"a": STRING, "b": array_of(STRING)}, ["a", "b"])


class OnTheClass:
    __signature__ = declared(a=int)

    def __init__(self, **kwargs): ...


class OnTheObject:
    def __init__(self):
        self.__signature__ = declared(a=int)

    def __call__(self, **kwargs): ...


def test_a_declared_signature_may_be_that_of_a_class_or_an_object():
    takes(OnTheClass, {"a": INTEGER}, ["a"])
    takes(OnTheObject(), {"a": INTEGER}, ["a"])
    gives(OnTheObject(), BOOLEAN)


class Loops:
    def first(self, x: int): ...

    first.__wrapped__ = first  # type: ignore[attr-defined]

    def second(self, y: int): ...


def there(x: int): ...
def back(x: int): ...


there.__wrapped__, back.__wrapped__ = back, there  # type: ignore[attr-defined]


class WrapsItself:
    def __init__(self):
        self.__wrapped__ = self

    def __call__(self, x: int): ...


class RefusesToBeUnwrapped:
    @property
    def __wrapped__(self):
        raise KeyError("mine")

    def __call__(self, x: int): ...


def partial_of_itself():
    made = functools.partial(len)
    made.__setstate__((made, (), {}, {}))  # type: ignore[attr-defined]
    return made


def test_a_method_beside_one_that_wraps_itself_is_read():
    assert function_to_schema(Loops.second)["properties"] == {"y": INTEGER}


@pytest.mark.parametrize(
    ("func", "path", "reason"),
    [
        (Loops.first, "Loops.first", "its signature cannot be read: wrapper loop"),
        (there, "there", "its signature cannot be read: wrapper loop"),
        (WrapsItself(), "WrapsItself", "its signature cannot be read: wrapper loop"),
        (types.MethodType(WrapsItself(), 1), "WrapsItself",
         "its signature cannot be read: wrapper loop"),
        (RefusesToBeUnwrapped(), "RefusesToBeUnwrapped", "reading it raised KeyError('mine')"),
        (partial_of_itself(), "partial", "reading it raised RecursionError"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("derive", [function_to_schema, return_to_schema, tool_schema])
def test_a_callable_that_wraps_itself_is_an_error_that_names_it(derive, func, path, reason):
    with pytest.raises(SchemaError) as caught:
        derive(func)
    assert caught.value.path == path
    assert caught.value.message.startswith(reason)


def test_a_callable_that_wraps_itself_has_a_file_but_no_line():
    assert targets.location(targets.Found("x", __name__, WrapsItself())) == (__file__, None)


class Crate(Generic[T]):
    def __init__(self, item: T) -> None: ...


def test_a_class_with_type_arguments_is_where_the_class_is():
    line = Crate.__init__.__code__.co_firstlineno
    assert targets.location(targets.Found("x", __name__, Crate[int])) == (__file__, line)


class Shelf:
    @functools.singledispatchmethod
    def put(self, thing: int, near: str = "a") -> str:
        return f"{thing} near {near}"

    @put.register
    def _(self, thing: str, near: str = "a") -> str:
        return f"a text near {near}"


@functools.singledispatch
def put(thing: int | str, near: str = "a") -> str:
    return f"{thing!r} near {near}"


@put.register
def _(thing: int, near: str = "a") -> str:
    return f"{thing} near {near}"


@pytest.mark.parametrize("function", [put, Shelf().put], ids=["function", "method"])
def test_a_function_that_dispatches_gets_its_first_argument_by_position(function):
    tool = tool_schema(function, strict=True)
    assert list(tool.input_schema["properties"]) == ["thing", "near"]
    bound = tool.bind({"near": "b", "thing": 3})
    assert (bound.args, bound.kwargs) == ((3,), {"near": "b"})
    assert tool.call({"thing": 3, "near": "b"}).text == "3 near b"
