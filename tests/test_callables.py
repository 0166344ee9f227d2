"""Every kind of callable, parameter, annotation, default and return type, with its whole schema."""

import abc
import asyncio
import collections
import contextlib
import datetime
import decimal
import enum
import functools
import inspect
import json
import operator
import pathlib
import sys
import types
import typing
import uuid
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Coroutine,
    Generator,
    Iterable,
    Iterator,
)
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import (
    Annotated,
    Any,
    Concatenate,
    Generic,
    Literal,
    NamedTuple,
    Never,
    NoReturn,
    NotRequired,
    Optional,
    ParamSpec,
    Required,
    Self,
    TypedDict,
    TypeGuard,
    TypeVar,
    TypeVarTuple,
    Unpack,
)

import attrs
import msgspec
import pydantic
import pytest
import typing_extensions

from milo_schema import (
    Description,
    Ge,
    Injected,
    MinLen,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
)
from tests.modules import module_from

STRING = {"type": "string"}
INTEGER = {"type": "integer"}
NUMBER = {"type": "number"}
BOOLEAN = {"type": "boolean"}
NULL = {"type": "null"}
ANYTHING: dict[str, Any] = {}
PORT = {"type": "integer", "default": 443}

since_312 = pytest.mark.skipif(sys.version_info < (3, 12), reason="PEP 695 came with 3.12")
since_313 = pytest.mark.skipif(sys.version_info < (3, 13), reason="PEP 696 came with 3.13")
since_314 = pytest.mark.skipif(sys.version_info < (3, 14), reason="it came with 3.14")

T = TypeVar("T")
P = ParamSpec("P")
Ts = TypeVarTuple("Ts")


def array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def takes(
    func: Any,
    properties: dict[str, Any],
    required: Collection[str] = (),
    *,
    exact: dict[str, Any] | None = None,
    extra: Any = False,
    **options: Any,
) -> None:
    """Hold that these are the whole schemas, MILO's and MCP's.

    Args:
        func: The callable.
        properties: What MILO says of each parameter, in order.
        required: The required parameters, in order.
        exact: What MCP says of parameters where that is something else.
        extra: What MCP says of further properties; ``None`` if nothing.
        options: Further arguments of ``function_to_schema()``.
    """
    needed = {"required": list(required)} if required else {}
    milo = {"type": "object", "properties": properties, **needed}
    mcp = {**milo, "properties": {**properties, **(exact or {})}}
    if extra is not None:
        mcp["additionalProperties"] = extra
    for profile, expected in ((profiles.MILO, milo), (profiles.MCP, mcp)):
        schema = function_to_schema(func, profile=profile, **options)
        assert schema == expected
        assert json.dumps(schema, sort_keys=True) == json.dumps(expected, sort_keys=True)
        assert list(schema["properties"]) == list(expected["properties"])


def gives(func: Any, expected: dict[str, Any] | None, **options: Any) -> None:
    """Hold that this is the whole schema of what *func* gives back, in both profiles."""
    for profile in (profiles.MILO, profiles.MCP):
        schema = return_to_schema(func, profile=profile, **options)
        assert json.dumps(schema, sort_keys=True) == json.dumps(expected, sort_keys=True)


def warnings_of(func: Any, **options: Any) -> list[str]:
    """The warnings that deriving the schema of *func* gives, as text."""
    with pytest.warns(SchemaWarning) as caught:
        function_to_schema(func, **options)
    return [str(each.message) for each in caught]


# -- functions ---------------------------------------------------------------------------------


def test_a_function():
    def connect(host: str, port: int = 443) -> bool: ...

    takes(connect, {"host": STRING, "port": PORT}, ["host"])
    gives(connect, BOOLEAN)


def test_a_lambda_has_no_annotations():
    takes(
        lambda host, port=443: None,
        {"host": STRING, "port": {"type": "string", "default": 443}},
        ["host"],
        exact={"host": ANYTHING, "port": {"default": 443}},
    )
    gives(lambda: None, None)


def test_an_async_function_gives_what_is_awaited():
    async def fetch(url: str) -> list[int]: ...

    takes(fetch, {"url": STRING}, ["url"])
    gives(fetch, array(INTEGER))


def test_a_generator_gives_what_is_yielded():
    def count(to: int) -> Generator[int, str, bool]:
        yield to
        return True

    takes(count, {"to": INTEGER}, ["to"])
    gives(count, INTEGER)


def test_an_async_generator_gives_what_is_yielded():
    async def count(to: int) -> AsyncGenerator[int, None]:
        yield to

    takes(count, {"to": INTEGER}, ["to"])
    gives(count, INTEGER)


@pytest.mark.parametrize("annotation", [Iterator[int], Iterable[int]], ids=repr)
def test_a_generator_may_call_itself_less(annotation):
    def count():
        yield 1

    count.__annotations__["return"] = annotation
    gives(count, INTEGER)


@pytest.mark.parametrize("annotation", [AsyncIterator[int], AsyncIterable[int]], ids=repr)
def test_an_async_generator_may_call_itself_less(annotation):
    async def count():
        yield 1

    count.__annotations__["return"] = annotation
    gives(count, INTEGER)


def test_an_iterable_that_is_returned_is_an_array():
    def numbers() -> Iterable[int]: ...

    gives(numbers, array(INTEGER))


# -- methods -----------------------------------------------------------------------------------


class Service:
    """A service."""

    Mode = Literal["fast", "slow"]

    def __init__(self, name: str, port: int = 443) -> None:
        self.name = name
        self.port = port

    def deploy(self, target: str, times: int = 1) -> bool: ...

    @classmethod
    def create(cls, name: str) -> "Service": ...

    @staticmethod
    def check(port: int) -> bool: ...

    async def wait(self, seconds: float) -> int: ...

    def run(self, mode: "Mode", other: "Service.Mode") -> "Mode": ...

    class Inner:
        Unit = Literal["s", "m"]

        def measure(self, unit: "Unit") -> "Unit": ...


TARGET = {"target": STRING, "times": {"type": "integer", "default": 1}}


def test_a_bound_method_has_no_self():
    takes(Service("a").deploy, TARGET, ["target"])
    gives(Service("a").deploy, BOOLEAN)


def test_an_unbound_method_has_no_self():
    takes(Service.deploy, TARGET, ["target"], strict=True)
    gives(Service.deploy, BOOLEAN)


def test_an_async_method_gives_what_is_awaited():
    takes(Service("a").wait, {"seconds": NUMBER}, ["seconds"])
    gives(Service("a").wait, INTEGER)
    gives(Service.wait, INTEGER)


@pytest.mark.parametrize("service", [Service, Service("a")], ids=["class", "instance"])
def test_a_class_method_has_no_cls(service):
    takes(service.create, {"name": STRING}, ["name"])


@pytest.mark.parametrize("service", [Service, Service("a")], ids=["class", "instance"])
def test_a_static_method_has_all_it_says(service):
    takes(service.check, {"port": INTEGER}, ["port"])
    gives(service.check, BOOLEAN)


def test_a_raw_class_method_has_no_cls():
    takes(vars(Service)["create"], {"name": STRING}, ["name"])


def test_a_raw_static_method_has_all_it_says():
    takes(vars(Service)["check"], {"port": INTEGER}, ["port"])
    gives(vars(Service)["check"], BOOLEAN)


def test_an_inherited_method():
    class Special(Service): ...

    takes(Special("a").deploy, TARGET, ["target"])
    takes(Special.deploy, TARGET, ["target"])
    takes(Special.create, {"name": STRING}, ["name"])


def test_a_typed_parameter_of_a_plain_function_that_is_called_self_stays():
    def compare(self: int, other: int): ...

    takes(compare, {"self": INTEGER, "other": INTEGER}, ["self", "other"])


def test_a_typed_parameter_of_a_static_method_that_is_called_self_stays():
    takes(Comparison.compare, {"self": INTEGER, "other": INTEGER}, ["self", "other"])
    takes(vars(Comparison)["compare"], {"self": INTEGER, "other": INTEGER}, ["self", "other"])


class Comparison:
    @staticmethod
    def compare(self: int, other: int): ...  # noqa: PLW0211 - the point

    def typed(self: Self, other: int): ...

    def only_variadic(*args: int, key: str = "k"): ...

    def positional_only(self, other: int, /): ...


def test_a_typed_self_of_a_method_is_left_out():
    takes(Comparison.typed, {"other": INTEGER}, ["other"])
    takes(Comparison().typed, {"other": INTEGER}, ["other"])


def test_a_method_may_take_its_self_as_a_variadic():
    takes(Comparison().only_variadic, {"key": {"type": "string", "default": "k"}})
    takes(Comparison.only_variadic, {"key": {"type": "string", "default": "k"}})


def test_a_method_may_have_its_self_positional_only():
    takes(Comparison.positional_only, {"other": INTEGER}, ["other"])
    takes(Comparison().positional_only, {"other": INTEGER}, ["other"])


def test_a_function_bound_by_hand_has_no_first_parameter():
    def greet(who: str, times: int): ...

    takes(types.MethodType(greet, "you"), {"times": INTEGER}, ["times"])


def test_a_class_bound_as_a_method():
    takes(types.MethodType(Service, "name"), {"port": PORT})


def test_a_partial_method():
    class Remote:
        def call(self, method: str, path: str, times: int = 1): ...

        get = functools.partialmethod(call, "GET")
        twice = functools.partialmethod(call, times=2)

    times = {"type": "integer", "default": 1}
    takes(Remote().get, {"path": STRING, "times": times}, ["path"])
    twice = {"method": STRING, "path": STRING, "times": {"type": "integer", "default": 2}}
    takes(Remote().twice, twice, ["method", "path"])
    takes(Remote.get, {"path": STRING, "times": times}, ["path"])


def test_an_abstract_method():
    class Base(abc.ABC):
        @abc.abstractmethod
        def run(self, name: str) -> int: ...

    takes(Base.run, {"name": STRING}, ["name"])
    gives(Base.run, INTEGER)


# -- partials ----------------------------------------------------------------------------------


def connect(host: str, port: int = 443, *, secure: bool = True) -> bool:
    """Connect.

    Args:
        host: Where.
        port: Through what.
    """


HOST = {"type": "string", "description": "Where."}
THROUGH = {"type": "integer", "description": "Through what.", "default": 443}
SECURE = {"type": "boolean", "default": True}


def test_a_partial_lacks_what_is_bound_by_position():
    takes(functools.partial(connect, "a"), {"port": THROUGH, "secure": SECURE})
    gives(functools.partial(connect, "a"), BOOLEAN)


def test_a_partial_has_what_is_bound_by_name_as_a_default():
    bound = functools.partial(connect, port=80)
    port = {**THROUGH, "default": 80}
    takes(bound, {"host": HOST, "port": port, "secure": SECURE}, ["host"])


def test_what_a_partial_binds_by_name_is_required_no_more():
    takes(
        functools.partial(connect, host="a"),
        {"host": {**HOST, "default": "a"}, "port": THROUGH, "secure": SECURE},
    )


def test_a_partial_of_a_partial():
    bound = functools.partial(functools.partial(connect, "a"), secure=False)
    takes(bound, {"port": THROUGH, "secure": {"type": "boolean", "default": False}})


def test_a_partial_with_update_wrapper():
    bound = functools.partial(connect, "a")
    functools.update_wrapper(bound, connect)
    takes(bound, {"port": THROUGH, "secure": SECURE})
    gives(bound, BOOLEAN)


def test_a_partial_with_a_docstring_of_its_own():
    bound = functools.partial(connect, "a")
    bound.__doc__ = """Connect to a.

    Args:
        port: The port of a.
    """
    takes(bound, {"port": {**THROUGH, "description": "The port of a."}, "secure": SECURE})


def test_a_partial_of_a_subclass():
    class Command(functools.partial):
        """A command."""

    takes(Command(connect, "a"), {"port": THROUGH, "secure": SECURE})


def test_a_partial_of_a_method():
    takes(functools.partial(Service("a").deploy, times=2), {
        "target": STRING, "times": {"type": "integer", "default": 2},
    }, ["target"])  # fmt: skip
    takes(functools.partial(Service.deploy, Service("a")), TARGET, ["target"])


def test_a_partial_of_a_class():
    takes(functools.partial(Service, "a"), {"port": PORT})


def test_a_partial_of_a_class_under_postponed_annotations():
    module = module_from(POSTPONED_CLASSES, future=True)
    more = {**array(STRING), "description": "More."}
    takes(functools.partial(module.Plain, 1), {"names": array(STRING)}, ["names"])
    takes(functools.partial(module.Server, []), {"more": more, "port": PORT}, ["more"])
    takes(
        functools.partial(module.Server, port=80),
        {"names": array(STRING), "more": more, "port": {"type": "integer", "default": 80}},
        ["names", "more"],
    )
    gives(functools.partial(module.Plain, 1), None)


POSTPONED_CLASSES = """
    from dataclasses import dataclass

    Names = list[str]

    class Plain:
        def __init__(self, size: int, names: Names): ...

    @dataclass
    class Server:
        \"\"\"A server.

        Attributes:
            more: More.
        \"\"\"

        names: Names
        more: Names
        port: int = 443
"""


def test_a_partial_of_a_generic_class():
    size = {"type": "integer", "default": 1}
    takes(functools.partial(Repo[int], 1), {"rest": array(INTEGER), "size": size}, ["rest"])


def test_a_partial_of_a_callable_object():
    takes(functools.partial(Greeter(), "you"), {"times": {"type": "integer", "default": 1}})


def test_a_partial_under_postponed_annotations():
    module = module_from(
        """
        import functools
        from decimal import Decimal

        def pay(who: str, amount: Decimal, note: str = "") -> Decimal: ...

        bound = functools.partial(pay, "me", note="thanks")
        """,
        future=True,
    )
    amount = function_to_schema(module.pay)["properties"]["amount"]
    note = {"type": "string", "default": "thanks"}
    takes(module.bound, {"amount": amount, "note": note}, ["amount"])
    assert amount.keys() == {"type", "pattern"}
    gives(module.bound, amount)


@since_314
def test_a_partial_with_a_placeholder():
    bound = functools.partial(connect, vars(functools)["Placeholder"], 80)
    takes(bound, {"host": HOST, "secure": SECURE}, ["host"])


def test_a_partial_does_not_describe_itself_with_the_docstring_of_partial():
    def plain(func: str): ...

    takes(functools.partial(plain), {"func": STRING}, ["func"])


# -- decorators --------------------------------------------------------------------------------


def logged(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        return func(*args, **kwargs)

    return wrapper


def test_a_wrapped_function_is_the_function():
    takes(logged(connect), {"host": HOST, "port": THROUGH, "secure": SECURE}, ["host"])
    gives(logged(connect), BOOLEAN)


def test_a_function_wrapped_twice_is_the_function():
    takes(logged(logged(connect)), {"host": HOST, "port": THROUGH, "secure": SECURE}, ["host"])


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
    movie = {"type": "object", "properties": {"title": STRING}, "required": ["title"]}
    takes(module.rent, {"movie": movie, "days": {"type": "integer", "default": 1}}, ["movie"])
    gives(module.rent, movie)


def test_a_wrapped_method():
    class Shop:
        @logged
        def rent(self, days: int) -> bool: ...

        @classmethod
        @logged
        def build(cls, name: str) -> bool: ...

    takes(Shop().rent, {"days": INTEGER}, ["days"])
    takes(Shop.rent, {"days": INTEGER}, ["days"])
    takes(Shop.build, {"name": STRING}, ["name"])
    gives(Shop.build, BOOLEAN)


def test_a_wrapper_that_declares_nothing_takes_anything():
    def wrapper(*args, **kwargs): ...

    takes(wrapper, {}, extra=None)


def test_a_cached_function_is_the_function():
    @functools.cache
    def area(width: int, height: int = 1) -> int: ...

    takes(area, {"width": INTEGER, "height": {"type": "integer", "default": 1}}, ["width"])
    gives(area, INTEGER)


def test_a_cached_method():
    class Shape:
        @functools.lru_cache  # noqa: B019 - nobody calls it
        def area(self, width: int) -> int: ...

    takes(Shape().area, {"width": INTEGER}, ["width"])
    takes(Shape.area, {"width": INTEGER}, ["width"])
    gives(Shape().area, INTEGER)


def test_a_singledispatch_function_is_its_first():
    @functools.singledispatch
    def show(value: object, width: int = 80) -> str: ...

    @show.register
    def _(value: int, width: int = 10) -> str: ...

    takes(show, {"value": ANYTHING, "width": {"type": "integer", "default": 80}}, ["value"])
    gives(show, STRING)


def test_a_singledispatch_method_is_its_first():
    class Printer:
        @functools.singledispatchmethod
        def show(self, value: object, width: int = 80) -> str: ...

        @show.register
        def _(self, value: int, width: int = 10) -> str: ...

    shown = {"value": ANYTHING, "width": {"type": "integer", "default": 80}}
    takes(Printer().show, shown, ["value"])
    takes(Printer.show, shown, ["value"])
    gives(Printer().show, STRING)


def test_a_context_manager_is_the_generator_that_makes_it():
    @contextlib.contextmanager
    def opened(path: str, mode: str = "r") -> Iterator[int]:
        yield 1

    takes(opened, {"path": STRING, "mode": {"type": "string", "default": "r"}}, ["path"])


def test_an_object_wrapped_around_a_function():
    """A decorator may be a class, as celery's tasks and click's commands are."""

    class Task:
        def __init__(self, func):
            functools.update_wrapper(self, func)

        def __call__(self, *args, **kwargs): ...

    takes(Task(connect), {"host": HOST, "port": THROUGH, "secure": SECURE}, ["host"])
    gives(Task(connect), BOOLEAN)


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
    takes(anything, {"a": INTEGER, "b": array(STRING)}, ["a", "b"])
    gives(anything, BOOLEAN)


def test_a_declared_signature_with_strings_has_the_names_of_the_function():
    module = module_from("""
        class Local: ...
        Text = str
        def anything(*args, **kwargs): ...
    """)
    module.anything.__signature__ = declared(a="Text", b="list[Text]")
    takes(module.anything, {"a": STRING, "b": array(STRING)}, ["a", "b"])


def test_a_declared_signature_on_a_class():
    class Dynamic:
        __signature__ = declared(a=int)

        def __init__(self, **kwargs): ...

    takes(Dynamic, {"a": INTEGER}, ["a"])


def test_a_declared_signature_on_an_object():
    class Dynamic:
        def __init__(self):
            self.__signature__ = declared(a=int)

        def __call__(self, **kwargs): ...

    takes(Dynamic(), {"a": INTEGER}, ["a"])
    gives(Dynamic(), BOOLEAN)


# -- callable objects --------------------------------------------------------------------------


class Greeter:
    def __call__(self, name: str, times: int = 1) -> str: ...


class Unhashable:
    __hash__ = None  # type: ignore[assignment]

    def __call__(self, name: str) -> str: ...


class Equal:
    def __init__(self, call):
        self.call = call

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1

    @property
    def __signature__(self):
        return inspect.signature(self.call)

    def __call__(self, *args, **kwargs): ...


def test_a_callable_object():
    times = {"type": "integer", "default": 1}
    takes(Greeter(), {"name": STRING, "times": times}, ["name"])
    gives(Greeter(), STRING)
    takes(Greeter.__call__, {"name": STRING, "times": times}, ["name"])
    takes(Greeter().__call__, {"name": STRING, "times": times}, ["name"])


def test_a_callable_object_that_inherits_its_call():
    class Special(Greeter): ...

    times = {"type": "integer", "default": 1}
    takes(Special(), {"name": STRING, "times": times}, ["name"])


def test_a_callable_object_without_a_hash():
    takes(Unhashable(), {"name": STRING}, ["name"])
    gives(Unhashable(), STRING)


def test_callable_objects_that_compare_equal_are_not_confused():
    def one(a: int): ...
    def two(b: str): ...

    takes(Equal(one), {"a": INTEGER}, ["a"])
    takes(Equal(two), {"b": STRING}, ["b"])
    takes(Equal(one), {"a": INTEGER}, ["a"])


def test_a_callable_object_whose_call_is_a_static_method():
    class Static:
        @staticmethod
        def __call__(name: str) -> int: ...

    takes(Static(), {"name": STRING}, ["name"])
    gives(Static(), INTEGER)


def test_an_async_callable_object():
    class Fetch:
        async def __call__(self, url: str) -> int: ...

    takes(Fetch(), {"url": STRING}, ["url"])
    gives(Fetch(), INTEGER)


def test_a_callable_object_under_postponed_annotations():
    module = module_from(
        """
        Text = str

        class Greeter:
            Mode = int
            def __call__(self, name: Text, mode: Mode) -> Text: ...
        """,
        future=True,
    )
    takes(module.Greeter(), {"name": STRING, "mode": INTEGER}, ["name", "mode"])
    gives(module.Greeter(), STRING)


# -- classes -----------------------------------------------------------------------------------

NAME_AND_PORT = {"name": STRING, "port": PORT}


def test_a_class_with_init():
    takes(Service, NAME_AND_PORT, ["name"])
    gives(Service, None)


def test_a_class_with_new():
    class Point:
        def __new__(cls, name: str, port: int = 443): ...

    takes(Point, NAME_AND_PORT, ["name"])


def test_a_class_that_inherits_its_init():
    class Special(Service): ...

    takes(Special, NAME_AND_PORT, ["name"])


def test_a_class_whose_metaclass_has_a_call():
    class Meta(type):
        def __call__(cls, name: str, port: int = 443): ...

    class Made(metaclass=Meta):
        def __init__(self, other: bytes): ...

    takes(Made, NAME_AND_PORT, ["name"])


def test_a_class_without_a_constructor():
    class Empty: ...

    takes(Empty, {})


def test_a_dataclass():
    @dataclass
    class Server:
        name: str
        port: int = 443

    schema = {"type": "object", "properties": NAME_AND_PORT, "required": ["name"]}
    takes(Server, NAME_AND_PORT, ["name"])
    gives(Server, schema)


def test_a_dataclass_with_all_kinds_of_fields():
    @dataclass
    class Server:
        name: str
        secret: InitVar[str]
        kind: typing.ClassVar[str] = "k"
        made: int = field(init=False, default=0)
        tags: list[str] = field(default_factory=list)
        _: KW_ONLY
        port: int = 443

    takes(
        Server,
        {"name": STRING, "secret": STRING, "tags": array(STRING), "port": PORT},
        ["name", "secret"],
    )


def test_an_inherited_dataclass():
    @dataclass
    class Base:
        name: str

    @dataclass
    class Server(Base):
        port: int = 443

    takes(Server, NAME_AND_PORT, ["name"])


def test_a_dataclass_under_postponed_annotations():
    module = module_from(
        """
        from dataclasses import dataclass, InitVar
        from typing import Annotated

        Name = str

        @dataclass
        class Server:
            name: Annotated[Name, "Who."]
            secret: InitVar[Name]
            port: int = 443
        """,
        future=True,
    )
    name = {"type": "string", "description": "Who."}
    takes(module.Server, {"name": name, "secret": STRING, "port": PORT}, ["name", "secret"])


def test_a_dataclass_that_refers_to_itself():
    module = module_from(
        """
        from dataclasses import dataclass

        @dataclass
        class Node:
            name: str
            children: list[Node]
        """,
        future=True,
    )
    node = {
        "type": "object",
        "properties": {"name": STRING, "children": array({"$ref": "#/$defs/Node"})},
        "required": ["name", "children"],
    }
    assert function_to_schema(module.Node) == {**node, "$defs": {"Node": node}}


def test_a_dataclass_with_an_init_of_its_own():
    @dataclass(init=False)
    class Server:
        name: str

        def __init__(self, address: str, port: int = 443) -> None: ...

    takes(Server, {"address": STRING, "port": PORT}, ["address"])


def test_a_dataclass_that_is_generic():
    @dataclass
    class Box(Generic[T]):
        content: T
        more: list[T]

    takes(Box[int], {"content": INTEGER, "more": array(INTEGER)}, ["content", "more"])
    takes(Box, {"content": ANYTHING, "more": array(ANYTHING)}, ["content", "more"])


def test_a_named_tuple():
    class Server(NamedTuple):
        name: str
        port: int = 443

    takes(Server, NAME_AND_PORT, ["name"])
    gives(
        Server,
        {"type": "array", "prefixItems": [STRING, INTEGER], "minItems": 1, "maxItems": 2},
    )


def test_a_collections_namedtuple():
    Server = collections.namedtuple("Server", "name port", defaults=[443])
    takes(
        Server,
        {"name": STRING, "port": {"type": "string", "default": 443}},
        ["name"],
        exact={"name": ANYTHING, "port": {"default": 443}},
    )


def test_a_typed_dict():
    class Server(TypedDict):
        name: str
        port: NotRequired[int]

    takes(Server, {"name": STRING, "port": INTEGER}, ["name"])
    gives(
        Server,
        {"type": "object", "properties": {"name": STRING, "port": INTEGER}, "required": ["name"]},
    )


def test_a_typed_dict_of_typing_extensions():
    class Server(typing_extensions.TypedDict, total=False):
        name: Required[str]
        port: typing_extensions.ReadOnly[int]

    takes(Server, {"name": STRING, "port": INTEGER}, ["name"])


def test_an_attrs_class():
    @attrs.define
    class Server:
        name: str
        port: int = 443
        tags: list[str] = attrs.Factory(list)
        _token: str = "t"

    token = {"type": "string", "default": "t"}
    takes(Server, {**NAME_AND_PORT, "tags": array(STRING), "token": token}, ["name"])


def test_a_msgspec_struct():
    class Server(msgspec.Struct):
        name: str
        port: int = 443
        tags: list[str] = msgspec.field(default_factory=list)

    takes(Server, {**NAME_AND_PORT, "tags": array(STRING)}, ["name"])


def test_a_pydantic_model():
    class Server(pydantic.BaseModel):
        name: str
        port: int = 443

    takes(Server, NAME_AND_PORT, ["name"])


def test_a_pydantic_dataclass():
    @pydantic.dataclasses.dataclass
    class Server:
        name: str
        port: int = 443

    takes(Server, NAME_AND_PORT, ["name"])


class Repo(Generic[T]):
    def __init__(self, first: T, rest: "list[T]", size: int = 1) -> None: ...

    def add(self, item: T, more: "dict[str, T]") -> T: ...

    @classmethod
    def load(cls, item: T) -> Self: ...


def test_a_generic_class():
    size = {"type": "integer", "default": 1}
    given = {"first": INTEGER, "rest": array(INTEGER), "size": size}
    takes(Repo[int], given, ["first", "rest"])
    open_ = {"first": ANYTHING, "rest": array(ANYTHING), "size": size}
    takes(Repo, open_, ["first", "rest"])


def test_a_method_of_a_generic_instance():
    given = {"item": INTEGER, "more": {"type": "object", "additionalProperties": INTEGER}}
    takes(Repo[int](1, []).add, given, ["item", "more"])
    gives(Repo[int](1, []).add, INTEGER)
    open_ = {"item": ANYTHING, "more": {"type": "object", "additionalProperties": ANYTHING}}
    takes(Repo.add, open_, ["item", "more"])


def test_a_method_inherited_from_a_generic_class():
    class Numbers(Repo[float]): ...

    given = {"item": NUMBER, "more": {"type": "object", "additionalProperties": NUMBER}}
    takes(Numbers(1.0, []).add, given, ["item", "more"])
    takes(Numbers.load, {"item": NUMBER}, ["item"])
    size = {"type": "integer", "default": 1}
    takes(Numbers, {"first": NUMBER, "rest": array(NUMBER), "size": size}, ["first", "rest"])


def test_an_annotation_is_no_callable():
    alias = typing_extensions.TypeAliasType("alias", int)
    annotations: list[Any] = [
        Optional[int],
        Callable[[int], str],
        int | str,
        Annotated[int, "x"],
        alias,
    ]
    for annotation in annotations:
        for derive in (function_to_schema, return_to_schema):
            with pytest.raises(SchemaError, match=r"type_to_schema\(\)"):
                derive(annotation)


def test_a_class_with_attributes_that_refuse_to_be_compared():
    class Odd:
        __hash__ = None  # type: ignore[assignment]

        def __eq__(self, other):
            raise ZeroDivisionError

        def __bool__(self):
            raise ZeroDivisionError

    class Service:
        odd = Odd()

        def __init__(self, name: str): ...

        def run(self, name: str) -> bool: ...

    takes(Service, {"name": STRING}, ["name"])
    takes(Service("a").run, {"name": STRING}, ["name"])
    takes(Service.run, {"name": STRING}, ["name"])


def test_a_builtin_class():
    class Names(list): ...

    takes(
        Names,
        {"iterable": {"type": "string", "default": []}},
        exact={"iterable": {"default": []}},
    )


# -- builtins ----------------------------------------------------------------------------------


def test_a_builtin_with_a_text_signature():
    takes(len, {"obj": STRING}, ["obj"], exact={"obj": ANYTHING})
    gives(len, None)


def test_a_method_of_a_builtin():
    parameters = {"sep": STRING, "maxsplit": STRING}
    defaults: dict[str, Any] = {"sep": {"default": None}, "maxsplit": {"default": -1}}
    takes(
        "a b".split,
        {name: {**parameters[name], **defaults[name]} for name in parameters},
        exact=defaults,
    )
    takes([].append, {"object": STRING}, ["object"], exact={"object": ANYTHING})


def test_an_unbound_method_of_a_builtin_has_no_self():
    takes(list.append, {"object": STRING}, ["object"], exact={"object": ANYTHING})


def test_a_builtin_without_a_text_signature_is_an_error():
    with pytest.raises(SchemaError, match=r"^getattr: it has no signature: ") as caught:
        function_to_schema(getattr)
    assert caught.value.path == "getattr"
    assert type(caught.value.__cause__.__cause__) is ValueError


# -- kinds of parameters -----------------------------------------------------------------------


def positional_only(a: int, b: str = "b", /, c: bool = True): ...


def test_a_positional_only_parameter_is_a_property_like_any_other():
    b, c = {"type": "string", "default": "b"}, {"type": "boolean", "default": True}
    takes(positional_only, {"a": INTEGER, "b": b, "c": c}, ["a"])


def test_a_positional_only_parameter_is_an_error_in_strict_mode():
    with pytest.raises(SchemaError) as caught:
        function_to_schema(positional_only, strict=True)
    assert str(caught.value) == (
        "positional_only(a): positional-only, but JSON passes arguments by name; drop the '/'"
    )


def test_an_injected_positional_only_parameter_is_no_error_in_strict_mode():
    def command(session: complex, /, name: str): ...

    takes(command, {"name": STRING}, ["name"], strict=True, exclude=["session"])


def test_keyword_only_parameters():
    def command(*, name: str, port: int = 443): ...

    takes(command, NAME_AND_PORT, ["name"], strict=True)


def test_a_required_parameter_may_follow_an_optional_one():
    def command(port: int = 443, *, name: str): ...

    takes(command, {"port": PORT, "name": STRING}, ["name"])


def test_variadic_positional_parameters_are_no_property():
    def command(name: str, *args: int, port: int = 443): ...

    takes(command, NAME_AND_PORT, ["name"], strict=True)


def test_variadic_keyword_parameters_are_further_properties_in_the_exact_profile():
    def command(name: str, **options: int): ...

    takes(command, {"name": STRING}, ["name"], extra=INTEGER, strict=True)


def test_variadic_keyword_parameters_without_annotation_leave_the_object_open():
    def command(name: str, **options): ...

    takes(command, {"name": STRING}, ["name"], extra=None)


def test_variadic_keyword_parameters_of_any_type_leave_the_object_open():
    def command(name: str, **options: Any): ...

    takes(command, {"name": STRING}, ["name"], extra=ANYTHING)


def test_variadic_keyword_parameters_may_be_none_inside_the_object():
    def command(**options: int | None): ...

    takes(command, {}, extra={"anyOf": [INTEGER, NULL]})


@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
def test_a_profile_may_leave_variadics_out(profile):
    def command(name: str, *args: int, **options: int): ...

    closed = {"additionalProperties": False} if profile is profiles.MCP else {}
    schema = function_to_schema(command, profile=profile.replace(variadics="omit"))
    assert schema == {
        "type": "object", "properties": {"name": STRING}, "required": ["name"], **closed,
    }  # fmt: skip


@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
def test_a_profile_may_open_the_object_for_variadics(profile):
    def command(name: str, *args: int, **options: int): ...

    assert function_to_schema(command, profile=profile.replace(variadics="open")) == {
        "type": "object",
        "properties": {"name": STRING},
        "required": ["name"],
        "additionalProperties": INTEGER,
    }


@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
@pytest.mark.parametrize("strict", [True, False], ids=["strict", "default"])
def test_a_profile_may_refuse_variadics(profile, strict):
    def positional(*args: int): ...
    def keyword(**options: int): ...

    profile = profile.replace(variadics="error")
    for command, name in ((positional, "args"), (keyword, "options")):
        with pytest.raises(SchemaError) as caught:
            function_to_schema(command, profile=profile, strict=strict)
        assert str(caught.value) == (
            f"{command.__name__}({name}): no JSON Schema for variadic parameters; name each of them"
        )


class Options(TypedDict):
    """Options.

    Attributes:
        host: Where.
    """

    host: str
    port: NotRequired[int]


class MoreOptions(Options, total=False):
    secure: Required[bool]
    token: str | None


OPTIONS = {"host": {"type": "string", "description": "Where."}, "port": INTEGER}


def test_unpacked_keyword_parameters_are_the_keys():
    """PEP 692, with their own required list."""

    def command(name: str, **options: Unpack[Options]): ...

    takes(command, {"name": STRING, **OPTIONS}, ["name", "host"], strict=True)


def test_unpacked_keyword_parameters_of_an_inherited_typed_dict():
    """Before 3.12, a TypedDict does not know its bases, so not what their docstrings say."""

    def command(**options: Unpack[MoreOptions]): ...

    host = OPTIONS["host"] if sys.version_info >= (3, 12) else STRING

    takes(
        command,
        {"host": host, "port": INTEGER, "secure": BOOLEAN, "token": STRING},
        ["host", "secure"],
        exact={"token": {"anyOf": [STRING, NULL]}},
    )


def test_unpacked_keyword_parameters_of_typing_extensions():
    def command(name: str, **options: typing_extensions.Unpack[Options]): ...

    takes(command, {"name": STRING, **OPTIONS}, ["name", "host"])


@pytest.mark.parametrize("annotation", ["Unpack[Options]", "typing.Unpack['Options']"])
def test_unpacked_keyword_parameters_in_a_string(annotation):
    def command(name: str, **options): ...

    command.__annotations__["options"] = annotation
    takes(command, {"name": STRING, **OPTIONS}, ["name", "host"])


def test_unpacked_keyword_parameters_stay_where_a_profile_refuses_variadics():
    def command(name: str, **options: Unpack[Options]): ...

    profile = profiles.MILO.replace(variadics="error")
    schema = function_to_schema(command, profile=profile)
    assert list(schema["properties"]) == ["name", "host", "port"]


def test_without_pydantic_no_default_can_be_a_field_of_it(monkeypatch):
    def function(a: int, b: str = "x"): ...

    expected = {"a": {"type": "integer"}, "b": {"type": "string", "default": "x"}}
    assert function_to_schema(function)["properties"] == expected
    monkeypatch.delitem(sys.modules, "pydantic.fields", raising=False)
    assert function_to_schema(function)["properties"] == expected


def test_an_unpacked_key_is_described_by_the_function():
    def command(**options: Unpack[Options]):
        """Do it.

        Args:
            host: The host.
            port: The port.
        """

    takes(
        command,
        {
            "host": {"type": "string", "description": "The host."},
            "port": {"type": "integer", "description": "The port."},
        },
        ["host"],
    )


def test_an_unpacked_key_may_be_injected():
    def command(**options: Unpack[Options]): ...

    takes(command, {"port": INTEGER}, exclude=["host"])


@pytest.mark.skipif(not hasattr(typing_extensions, "NoExtraItems"), reason="PEP 728 came with 4.13")
def test_unpacked_keyword_parameters_may_be_closed():
    """PEP 728."""

    class Closed(typing_extensions.TypedDict, closed=True):
        host: str

    class Extra(typing_extensions.TypedDict, extra_items=bool):  # type: ignore[call-arg]
        host: str

    def closed(**options: Unpack[Closed]): ...
    def extra(**options: Unpack[Extra]): ...

    schema = {"type": "object", "properties": {"host": STRING}, "required": ["host"]}
    for profile in (profiles.MILO, profiles.MCP):
        assert function_to_schema(closed, profile=profile) == {
            **schema,
            "additionalProperties": False,
        }
        assert function_to_schema(extra, profile=profile) == {
            **schema,
            "additionalProperties": BOOLEAN,
        }


def test_unpacked_keyword_parameters_of_what_is_no_typed_dict():
    def command(name: str, **options: Unpack[int]): ...  # type: ignore[misc]

    assert warnings_of(command) == [
        "command(options): int is no TypedDict; PEP 692 asks for one",
    ]


def test_unpacked_keyword_parameters_whose_name_is_missing():
    """Its keys are parameters, so it is not to be lost in silence."""

    def command(name: str, **options: "Unpack[Missing]"): ...  # noqa: F821

    why = (
        "command(options): cannot evaluate 'Unpack[Missing]': no 'Missing' in "
        f"{__name__}; import it there at run time, or pass localns={{'Missing': ...}}"
    )
    assert warnings_of(command) == [why]
    with pytest.raises(SchemaError) as caught:
        function_to_schema(command, strict=True)
    assert str(caught.value) == why
    takes(command, {"name": STRING, **OPTIONS}, ["name", "host"], localns={"Missing": Options})


def test_unpacked_positional_parameters_are_no_property():
    def command(name: str, *args: Unpack[tuple[int, str]]): ...

    takes(command, {"name": STRING}, ["name"])


def test_a_parameter_may_have_the_name_of_a_keyword():
    """Words of JSON Schema are names like any other."""

    def command(type: str, properties: int, required: bool, title: str, items: int, default=1): ...  # noqa: A002

    takes(
        command,
        {
            "type": STRING, "properties": INTEGER, "required": BOOLEAN, "title": STRING,
            "items": INTEGER, "default": {"type": "string", "default": 1},
        },
        ["type", "properties", "required", "title", "items"],
        exact={"default": {"default": 1}},
    )  # fmt: skip


def test_a_parameter_has_its_python_name():
    module = module_from("def command(größe: int, _x: str, __y: str = 'y'): ...")
    y = {"type": "string", "default": "y"}
    takes(module.command, {"größe": INTEGER, "_x": STRING, "__y": y}, ["größe", "_x"])


# -- annotations -------------------------------------------------------------------------------


def test_annotations_in_quotes():
    def command(a: "int", b: "list['Options']", c: list["int"], d: "str | None" = None): ...

    options = {"type": "object", "properties": OPTIONS, "required": ["host"]}
    d = {"type": "string", "default": None}
    takes(
        command,
        {
            "a": INTEGER,
            "b": array({**options, "description": "Options."}),
            "c": array(INTEGER),
            "d": d,
        },
        ["a", "b", "c"],
        exact={"d": {"anyOf": [STRING, NULL], "default": None}},
    )


POSTPONED = """
    from dataclasses import dataclass
    from typing import Annotated

    from milo_schema import MinLen

    Names = list[str]

    @dataclass
    class Server:
        names: Names
        port: int = 443

    Some = Annotated[Names, MinLen(1)]

    def command(server: Server, names: Some, n: int | None = None) -> Server: ...

    class Fleet:
        Unit = int

        def grow(self, by: Unit, server: Server) -> Unit: ...
"""
SERVER = {"type": "object", "properties": {"names": array(STRING), "port": PORT}, "required": ["names"]}  # fmt: skip  # noqa: E501


@pytest.mark.parametrize("future", [True, False], ids=["postponed", "as they are"])
def test_annotations_postponed_or_not(future):
    """PEP 563; and from 3.14 on, PEP 649."""
    module = module_from(POSTPONED, future=future)
    takes(
        module.command,
        {
            "server": SERVER,
            "names": {"type": "array", "items": STRING, "minItems": 1},
            "n": {"type": "integer", "default": None},
        },
        ["server", "names"],
        exact={"n": {"anyOf": [INTEGER, NULL], "default": None}},
    )
    gives(module.command, SERVER)
    takes(module.Fleet().grow, {"by": INTEGER, "server": SERVER}, ["by", "server"])
    takes(module.Fleet.grow, {"by": INTEGER, "server": SERVER}, ["by", "server"])
    gives(module.Fleet().grow, INTEGER)


@since_314
def test_deferred_annotations_may_name_what_comes_later():
    module = module_from("""
        from dataclasses import dataclass

        def command(server: Server, more: list[Server]) -> Server: ...

        @dataclass
        class Server:
            names: Names
            port: int = 443

        Names = list[str]
    """)
    takes(module.command, {"server": SERVER, "more": array(SERVER)}, ["server", "more"])
    gives(module.command, SERVER)


def test_names_of_the_enclosing_function():
    class Local(TypedDict):
        x: int

    def command(a: "Local", b: "list[Local]") -> "Local": ...

    local = {"type": "object", "properties": {"x": INTEGER}, "required": ["x"]}
    takes(command, {"a": local, "b": array(local)}, ["a", "b"])
    gives(command, local)


def test_names_of_a_closure():
    def make():
        Number = int  # noqa: N806 - it is a type

        def command(a: "Number", b: "list[Number]") -> "Number":
            return Number(a)

        return command

    takes(make(), {"a": INTEGER, "b": array(INTEGER)}, ["a", "b"])
    gives(make(), INTEGER)


def test_names_of_the_class_body():
    mode = {"type": "string", "enum": ["fast", "slow"]}
    takes(Service("a").run, {"mode": mode, "other": mode}, ["mode", "other"])
    takes(Service.run, {"mode": mode, "other": mode}, ["mode", "other"])
    gives(Service.run, mode)


def test_names_of_the_body_of_a_nested_class():
    unit = {"type": "string", "enum": ["s", "m"]}
    takes(Service.Inner().measure, {"unit": unit}, ["unit"])
    gives(Service.Inner.measure, unit)


def test_names_of_the_body_of_the_class_that_wrote_an_inherited_method():
    module = module_from("""
        class Base:
            Unit = int
            def grow(self, by: "Unit") -> "Unit": ...
    """)

    class Derived(module.Base):
        Unit = str

    takes(Derived().grow, {"by": INTEGER}, ["by"])
    gives(Derived().grow, INTEGER)


def test_names_of_the_module_that_wrote_an_inherited_constructor():
    module = module_from("""
        Unit = int
        class Base:
            def __init__(self, by: "Unit"): ...
    """)

    class Derived(module.Base): ...

    takes(Derived, {"by": INTEGER}, ["by"])


@pytest.mark.parametrize("future", [True, False], ids=["postponed", "as they are"])
def test_methods_do_not_hide_types(future):
    """A client has a method ``list``, a model has a method ``dict``: those are no types."""
    module = module_from(
        """
        class Client:
            def find(
                self, names: list[str], kind: set[int], at: tuple[str, ...]
            ) -> dict[str, int]: ...

            def list(self): ...

            @classmethod
            def dict(cls): ...

            @property
            def set(self): ...

            @staticmethod
            def tuple(): ...

            str = "str"
        """,
        future=future,
    )
    for find in (module.Client().find, module.Client.find):
        takes(
            find,
            {
                "names": array(STRING),
                "kind": {**array(INTEGER), "uniqueItems": True},
                "at": array(STRING),
            },
            ["names", "kind", "at"],
        )
        gives(find, {"type": "object", "additionalProperties": INTEGER})


TYPE_CHECKED = """
    from typing import TYPE_CHECKING

    if TYPE_CHECKING:
        from decimal import Decimal

    def pay(a: int, b: Decimal, c: list[str] | None = None, *, d: list[Decimal]) -> Decimal: ...
"""


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
def test_a_name_that_is_missing_costs_its_own_parameter_only(future):
    """Deferred annotations (PEP 649) know even more: which part of ``list[Decimal]`` it is."""
    module = module_from(TYPE_CHECKED, future=future, name="payments")
    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(module.pay)
    assert schema == {
        "type": "object",
        "properties": {
            "a": INTEGER,
            "b": STRING,
            "c": {"type": "array", "items": STRING, "default": None},
            "d": STRING if future else array(STRING),
        },
        "required": ["a", "b", "d"],
    }
    d, step = ("list[Decimal]", "") if future else ("Decimal", "[]")
    why = "no 'Decimal' in payments; import it there at run time, or pass localns={'Decimal': ...}"
    assert [str(each.message) for each in caught] == [
        f"pay(b): cannot evaluate 'Decimal': {why}",
        f"pay(d){step}: cannot evaluate {d!r}: {why}",
    ]


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
def test_a_name_that_is_missing_is_an_error_in_strict_mode(future, profile):
    module = module_from(TYPE_CHECKED, future=future, name="payments")
    for derive, place in ((function_to_schema, "pay(b)"), (return_to_schema, "pay() -> ")):
        with pytest.raises(SchemaError) as caught:
            derive(module.pay, strict=True, profile=profile)
        assert str(caught.value) == (
            f"{place}: cannot evaluate 'Decimal': no 'Decimal' in payments; "
            "import it there at run time, or pass localns={'Decimal': ...}"
        )


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
def test_a_caller_may_hand_in_names(future):
    module = module_from(TYPE_CHECKED, future=future)
    names = {"Decimal": float}
    takes(
        module.pay,
        {
            "a": INTEGER,
            "b": NUMBER,
            "c": {"type": "array", "items": STRING, "default": None},
            "d": array(NUMBER),
        },
        ["a", "b", "d"],
        exact={"c": {"anyOf": [array(STRING), NULL], "default": None}},
        localns=names,
    )
    gives(module.pay, NUMBER, localns=names)
    assert names == {"Decimal": float}


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
def test_a_caller_may_hand_in_names_for_the_records_inside(future):
    module = module_from(
        """
        from dataclasses import dataclass
        from typing import TypedDict

        @dataclass
        class Server:
            name: Missing
            more: list[Missing]

        class Fleet(TypedDict):
            servers: list[Server]
            of: Missing

        def command(fleet: Fleet): ...
        """,
        future=future,
    )
    server = {"name": INTEGER, "more": array(INTEGER)}
    record = {"type": "object", "properties": server, "required": ["name", "more"]}
    fleet = {
        "type": "object",
        "properties": {"servers": array(record), "of": INTEGER},
        "required": ["servers", "of"],
    }
    takes(module.Server, server, ["name", "more"], localns={"Missing": int})
    takes(module.command, {"fleet": fleet}, ["fleet"], localns={"Missing": int})


def test_a_name_that_a_caller_hands_in_is_nearer_than_the_module():
    module = module_from("Name = str\ndef command(name: 'Name'): ...")
    takes(module.command, {"name": INTEGER}, ["name"], localns={"Name": int})


def test_a_name_that_is_missing_inside_a_type():
    def command(a: list["Missing"], b: int): ...  # noqa: F821

    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(command)
    assert schema["properties"] == {"a": array(STRING), "b": INTEGER}
    assert [each.message.path for each in caught] == ["command(a)[]"]


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
def test_an_attribute_that_is_missing_costs_its_own_parameter_only(future):
    module = module_from(
        "import concurrent\ndef command(a: int, b: concurrent.missing.Thing, c: list[str]): ...",
        future=future,
    )
    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(module.command)
    assert schema["properties"] == {"a": INTEGER, "b": STRING, "c": array(STRING)}
    assert [str(each.message) for each in caught] == [
        (
            "command(b): cannot evaluate 'concurrent.missing.Thing': AttributeError: "
            "module 'concurrent' has no attribute 'missing'"
        )
    ]


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
def test_an_annotation_that_raises_costs_its_own_parameter_only(future):
    module = module_from("def command(a: int, b: int[str], c: list[str]): ...", future=future)
    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(module.command)
    assert schema["properties"] == {"a": INTEGER, "b": STRING, "c": array(STRING)}
    assert [str(each.message) for each in caught] == [
        "command(b): cannot evaluate 'int[str]': TypeError: type 'int' is not subscriptable"
    ]


def test_a_string_that_is_no_annotation():
    def command(a: "no annotation", b: "1 +", c: int): ...  # noqa: F722

    assert warnings_of(command) == [
        (
            "command(a): cannot evaluate 'no annotation': SyntaxError: invalid syntax "
            "(<annotation>, line 1)"
        ),
        "command(b): cannot evaluate '1 +': SyntaxError: invalid syntax (<annotation>, line 1)",
    ]


@since_312
def test_type_parameters_of_a_function():
    module = module_from("""
        def first[T: int, U: (int, str), V](a: T, b: list[U], c: V) -> T: ...
        def quoted[T: int](a: "T", b: "list[T]") -> "T": ...
        type Pair[T] = tuple[T, T]
        def pair[T: int](a: Pair[T], b: Pair[str]) -> Pair[T]: ...
    """)
    either = {"anyOf": [INTEGER, STRING]}
    takes(module.first, {"a": INTEGER, "b": array(either), "c": ANYTHING}, ["a", "b", "c"])
    gives(module.first, INTEGER)
    takes(module.quoted, {"a": INTEGER, "b": array(INTEGER)}, ["a", "b"])
    gives(module.quoted, INTEGER)
    ints, strings = (
        {"type": "array", "prefixItems": [each, each], "minItems": 2, "maxItems": 2}
        for each in (INTEGER, STRING)
    )
    takes(module.pair, {"a": ints, "b": strings}, ["a", "b"])
    gives(module.pair, ints)


@since_312
@pytest.mark.parametrize("future", [True, False], ids=["postponed", "as they are"])
def test_type_parameters_of_a_class_and_its_methods(future):
    module = module_from(
        """
        class Repo[T]:
            def __init__(self, first: T, rest: list[T]): ...
            def add[K: str](self, key: K, item: T) -> dict[K, T]: ...
        """,
        future=future,
    )
    takes(module.Repo[int], {"first": INTEGER, "rest": array(INTEGER)}, ["first", "rest"])
    repo = module.Repo[int](1, [])
    takes(repo.add, {"key": STRING, "item": INTEGER}, ["key", "item"])
    gives(repo.add, {"type": "object", "additionalProperties": INTEGER})
    takes(module.Repo.add, {"key": STRING, "item": ANYTHING}, ["key", "item"])


@since_313
def test_type_parameters_with_defaults():
    module = module_from("""
        def first[T = int](a: T) -> T: ...
        class Repo[T = int]:
            def __init__(self, item: T): ...
    """)
    takes(module.first, {"a": INTEGER}, ["a"])
    takes(module.Repo, {"item": INTEGER}, ["item"])
    takes(module.Repo[str], {"item": STRING}, ["item"])


Bound = TypeVar("Bound", bound="Options")
Constrained = TypeVar("Constrained", int, str)
Defaulted = typing_extensions.TypeVar("Defaulted", default=int)


def test_type_variables():
    """By bound, by constraints, by default; anything otherwise."""

    def command(a: T, b: Bound, c: Constrained, d: Defaulted, e: list[T]) -> Constrained: ...

    either = {"anyOf": [INTEGER, STRING]}
    options = {"type": "object", "properties": OPTIONS, "required": ["host"]}
    takes(
        command,
        {
            "a": ANYTHING,
            "b": {**options, "description": "Options."},
            "c": either,
            "d": INTEGER,
            "e": array(ANYTHING),
        },
        ["a", "b", "c", "d", "e"],
        strict=True,
    )
    gives(command, either)


def test_self_is_the_class_of_the_method():
    @dataclass
    class Node:
        name: str

        def replace(self, other: Self, more: list[Self]) -> Self: ...

        @classmethod
        def parse(cls, text: str) -> typing_extensions.Self: ...

    node = {"type": "object", "properties": {"name": STRING}, "required": ["name"]}
    takes(Node("a").replace, {"other": node, "more": array(node)}, ["other", "more"])
    gives(Node("a").replace, node)
    gives(Node.parse, node)


def test_self_of_an_inherited_method_is_the_class_it_is_called_on():
    @dataclass
    class Node:
        name: str

        def copy(self) -> Self: ...

    @dataclass
    class Leaf(Node):
        size: int = 443

    leaf = {"type": "object", "properties": {"name": STRING, "size": PORT}, "required": ["name"]}
    gives(Leaf("a").copy, leaf)


@dataclass
class Tree:
    name: str

    def graft(self, other: Self) -> Self: ...


def test_self_of_an_unbound_method_is_the_class_that_wrote_it():
    tree = {"type": "object", "properties": {"name": STRING}, "required": ["name"]}
    takes(Tree.graft, {"other": tree}, ["other"], strict=True)
    gives(Tree.graft, tree)


def test_parameter_specifications_are_no_property():
    def retried(times: int, *args: P.args, **kwargs: P.kwargs) -> T: ...

    takes(retried, {"times": INTEGER}, ["times"], extra=None)
    gives(retried, ANYTHING)


def test_a_callable_parameter_is_no_json():
    def command(callback: Callable[Concatenate[int, P], str], other: Callable[P, T], c: int): ...

    assert [text.partition(";")[0] for text in warnings_of(command)] == [
        "command(callback): no JSON Schema for Callable[[Concatenate[int, P]], str]",
        "command(other): no JSON Schema for Callable[[P], T]",
    ]


def test_variadic_type_variables():
    def command(shape: tuple[int, Unpack[Ts]], *args: Unpack[Ts]): ...

    shape = {"type": "array", "prefixItems": [INTEGER], "items": ANYTHING, "minItems": 1}
    takes(command, {"shape": shape}, ["shape"])


def test_new_types_and_aliases():
    UserId = typing.NewType("UserId", int)
    Ids = typing_extensions.TypeAliasType("Ids", list[UserId])  # noqa: N806

    def command(user: UserId, others: Ids): ...

    takes(command, {"user": INTEGER, "others": array(INTEGER)}, ["user", "others"])


# -- defaults ----------------------------------------------------------------------------------


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Flags(enum.IntFlag):
    READ = 1
    WRITE = 2


@dataclass
class Point:
    x: int
    y: int = 0
    color: Color = Color.RED
    unit: typing.ClassVar[str] = "m"


class Pair(NamedTuple):
    left: int
    right: str


POINT = {
    "type": "object",
    "properties": {
        "x": INTEGER,
        "y": {"type": "integer", "default": 0},
        "color": {"type": "string", "enum": ["red", "blue"], "default": "red"},
    },
    "required": ["x"],
}
PAIR = {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2}
UNSET = object()


@pytest.mark.parametrize(
    ("annotation", "default", "fragment", "json_default"),
    [
        (str, "", STRING, ""),
        (int, 0, INTEGER, 0),
        (bool, False, BOOLEAN, False),
        (float, 1.5, NUMBER, 1.5),
        (float, 1, NUMBER, 1),
        (Color, Color.BLUE, {"type": "string", "enum": ["red", "blue"]}, "blue"),
        (
            Flags,
            Flags.READ | Flags.WRITE,
            {"type": "integer", "minimum": 0, "maximum": 3},
            3,
        ),
        (
            datetime.date,
            datetime.date(2026, 1, 31),
            {"type": "string", "format": "date"},
            "2026-01-31",
        ),
        (
            datetime.datetime,
            datetime.datetime(2026, 1, 31, 12, tzinfo=datetime.timezone.utc),
            {"type": "string", "format": "date-time"},
            "2026-01-31T12:00:00+00:00",
        ),
        (
            datetime.timedelta,
            datetime.timedelta(days=1, seconds=2),
            {"type": "string", "format": "duration"},
            "P1DT2S",
        ),
        (
            uuid.UUID,
            uuid.UUID(int=1),
            {"type": "string", "format": "uuid"},
            "00000000-0000-0000-0000-000000000001",
        ),
        (pathlib.Path, pathlib.PurePosixPath("a/b"), STRING, "a/b"),
        (Point, Point(1, 2, Color.BLUE), POINT, {"x": 1, "y": 2, "color": "blue"}),
        (Pair, Pair(1, "a"), PAIR, [1, "a"]),
        (list[int], [1, 2], array(INTEGER), [1, 2]),
        (tuple[int, ...], (1, 2), array(INTEGER), [1, 2]),
        (set[int], {3, 1, 2}, {**array(INTEGER), "uniqueItems": True}, [1, 2, 3]),
        (
            dict[str, list[Color]],
            {"a": [Color.RED]},
            {
                "type": "object",
                "additionalProperties": array({"type": "string", "enum": ["red", "blue"]}),
            },
            {"a": ["red"]},
        ),
        (
            dict[int, str],
            {1: "a"},
            {
                "type": "object",
                "additionalProperties": STRING,
                "propertyNames": {"pattern": "^-?(0|[1-9][0-9]*)$"},
            },
            {"1": "a"},
        ),
        (list[Point], [Point(1)], array(POINT), [{"x": 1, "y": 0, "color": "red"}]),
    ],
    ids=repr,
)
def test_a_default_is_json(annotation, default, fragment, json_default):
    def command(x=default): ...

    command.__annotations__["x"] = annotation
    takes(command, {"x": {**fragment, "default": json_default}}, strict=True)


def test_a_decimal_default_is_a_string():
    def command(amount: decimal.Decimal = decimal.Decimal("1.50")): ...

    schema = function_to_schema(command)["properties"]["amount"]
    assert schema.pop("default") == "1.50"
    assert schema.keys() == {"type", "pattern"}


@pytest.mark.parametrize(
    "default",
    [
        pytest.param(UNSET, id="a sentinel"),
        pytest.param(..., id="an ellipsis"),
        pytest.param(inspect.Parameter, id="a class"),
        pytest.param([UNSET], id="a sentinel in a list"),
        pytest.param({UNSET: 1}, id="a sentinel as a key"),
        pytest.param(float("nan"), id="NaN"),
        pytest.param(operator.add, id="a function"),
    ],
)
def test_a_default_that_is_no_json_is_left_out(default):
    def command(x: int = default): ...

    takes(command, {"x": INTEGER}, strict=True)


def test_a_default_that_contains_itself_is_left_out():
    default: list[Any] = []
    default.append(default)

    def command(x: list = default): ...

    takes(command, {"x": array(ANYTHING)})


def test_a_default_of_none():
    def command(a: int = None, b: int | None = None, c: Any = None): ...  # noqa: RUF013

    a, c = {"type": "integer", "default": None}, {"default": None}
    takes(
        command,
        {"a": a, "b": a, "c": c},
        exact={"b": {"anyOf": [INTEGER, NULL], "default": None}},
    )


def test_a_default_factory_is_not_called():
    def fail() -> list[str]:
        raise AssertionError

    @dataclass
    class Server:
        tags: list[str] = field(default_factory=fail)

    takes(Server, {"tags": array(STRING)})


def test_a_default_without_annotation():
    def command(a=1, b="b", c=None): ...

    values: dict[str, Any] = {"a": {"default": 1}, "b": {"default": "b"}, "c": {"default": None}}
    takes(command, {name: {**STRING, **value} for name, value in values.items()}, exact=values)


# -- injected parameters -----------------------------------------------------------------------


class Context: ...


class Session(Generic[T]): ...


class LocalSession(Session[int]): ...


NAME = {"name": STRING}


@pytest.mark.parametrize(
    "annotation",
    [
        Context,
        Optional[Context],
        Annotated[Context, "The context."],
        Annotated[Context | None, "The context."],
        Annotated[Context, "The context."] | None,
        "Context",
        "Context | None",
        "Optional[Context]",
        "Annotated[Context, 'The context.']",
        "somewhere.Context",
        "somewhere.Context | None",
        "Optional[somewhere.Context]",
    ],
    ids=repr,
)
def test_a_context_needs_no_schema(annotation):
    def command(name: str, given): ...

    command.__annotations__["given"] = annotation
    schema = function_to_schema(command, strict=True)
    assert schema == {"type": "object", "properties": NAME, "required": ["name"]}


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[complex, Injected],
        Annotated[complex, Injected()],
        Annotated[complex | None, Injected],
        Annotated[complex, Injected] | None,
        "Annotated[complex, Injected]",
        "Annotated[complex, Injected] | None",
        typing_extensions.TypeAliasType("Given", Annotated[complex, Injected]),
        Optional[typing_extensions.TypeAliasType("More", Annotated[complex, Injected])],
    ],
    ids=repr,
)
def test_an_injected_parameter_needs_no_schema(annotation):
    def command(name: str, given): ...

    command.__annotations__["given"] = annotation
    takes(command, NAME, ["name"], strict=True)


def test_a_parameter_is_excluded_by_name():
    def command(name: str, connection: complex, other: "Missing", third): ...  # noqa: F821

    takes(command, NAME, ["name"], exclude=["connection", "other", "third"], strict=True)
    takes(functools.partial(command, third=1), NAME, ["name"],
          exclude={"connection", "other", "third"}, strict=True)  # fmt: skip


@pytest.mark.parametrize(
    "annotation",
    [
        Session,
        Session[int],
        Session[int] | None,
        LocalSession | None,
        LocalSession,
        typing_extensions.TypeAliasType("CurrentSession", Session),
        typing_extensions.TypeAliasType("LastSession", Annotated[Session[int], "The last."]),
        Annotated[Session, "The session."],
        Optional[Session],
        "Session",
        "Session[int] | None",
        "somewhere.Session",
        "Optional[somewhere.Session[int]]",
    ],
    ids=repr,
)
def test_a_parameter_is_excluded_by_type(annotation):
    def command(name: str, given): ...

    command.__annotations__["given"] = annotation
    takes(command, NAME, ["name"], exclude=[Session], strict=True)
    takes(command, NAME, ["name"], exclude={Session}, strict=True)
    takes(command, NAME, ["name"], exclude=(Session, "other"), strict=True)


def test_a_parameter_is_injected_by_the_rule_of_a_profile():
    def command(name: str, session: complex, request: "http.Request", db: LocalSession): ...  # noqa: F821

    mine = profiles.MILO.replace(
        injected_names={"session"}, injected_classes={"Request", "LocalSession"}
    )
    assert function_to_schema(command, profile=mine, strict=True) == {
        "type": "object",
        "properties": NAME,
        "required": ["name"],
    }


def test_the_exact_profile_has_no_context_of_its_own():
    def command(name: str, ctx: int): ...

    assert function_to_schema(command, profile=profiles.MCP)["required"] == ["name", "ctx"]


def test_a_union_with_an_injected_class_is_the_callers():
    """A caller may pass the other member."""

    def command(given: Context | str): ...

    with pytest.warns(SchemaWarning, match=r"^command\(given\): no JSON Schema for Context"):
        schema = function_to_schema(command)
    assert schema["required"] == ["given"]


def test_a_list_of_an_injected_class_is_the_callers():
    def command(given: list[Context]): ...

    with pytest.warns(SchemaWarning, match=r"^command\(given\)\[\]: no JSON Schema for Context"):
        schema = function_to_schema(command)
    assert schema["properties"] == {"given": array(STRING)}


def test_an_injected_variadic_is_no_error():
    def command(name: str, *args: int, **kwargs: int): ...

    profile = profiles.MILO.replace(variadics="error")
    schema = function_to_schema(command, profile=profile, exclude=["args", "kwargs"])
    assert schema["properties"] == NAME


def test_an_excluded_parameter_lacks_no_description():
    def command(ctx, session: Session): ...

    takes(command, {}, exclude=["ctx", Session], strict=True, warn_missing_docs=True)


# -- what is given back ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (None, None),
        (type(None), None),
        ("None", None),
        (NoReturn, None),
        (Never, None),
        ("NoReturn", None),
        (int, INTEGER),
        ("int", INTEGER),
        ("int | None", {"anyOf": [INTEGER, NULL]}),
        (Optional[int], {"anyOf": [INTEGER, NULL]}),
        ("Optional[int]", {"anyOf": [INTEGER, NULL]}),
        (Annotated[int, Ge(0), "How many."],
         {"type": "integer", "minimum": 0, "description": "How many."}),
        (Annotated[list[int], MinLen(1)], {**array(INTEGER), "minItems": 1}),
        (Any, ANYTHING),
        (object, ANYTHING),
        (list[Point], array(POINT)),
        (Iterator[int], INTEGER),
        (AsyncIterator[int], INTEGER),
        (Generator[int, str, bool], INTEGER),
        (AsyncGenerator[int, None], INTEGER),
        (typing.Iterator[int], INTEGER),
        (Awaitable[int], INTEGER),
        (Coroutine[Any, Any, int], INTEGER),
        (typing.Coroutine[Any, Any, int], INTEGER),
        ("Awaitable[int]", INTEGER),
        (Awaitable[None], None),
        (Coroutine[Any, Any, None], None),
        (Annotated[Awaitable[int], "How many."], {"type": "integer", "description": "How many."}),
        (Awaitable[Iterator[int]], INTEGER),
        (Awaitable, ANYTHING),
        (Iterator, ANYTHING),
        (TypeGuard[int], BOOLEAN),
        (typing_extensions.TypeIs[int], BOOLEAN),
        ("typing_extensions.TypeIs[int]", BOOLEAN),
    ],
    ids=repr,
)  # fmt: skip
def test_a_return_annotation(annotation, expected):
    def command(): ...

    command.__annotations__["return"] = annotation
    gives(command, expected, strict=True)


def test_a_stream_that_is_no_generator_itself_gives_what_it_yields():
    """An array cannot be waited for, item by item."""

    def command() -> AsyncIterable[int]: ...

    gives(command, INTEGER, strict=True)


def test_no_return_annotation_gives_none():
    def command(): ...

    gives(command, None, strict=True)


def test_what_an_async_function_returns_is_awaited_once():
    """``async def f() -> Awaitable[int]`` gives an awaitable that gives an awaitable."""

    async def command() -> dict[str, int]:
        return {}

    gives(command, {"type": "object", "additionalProperties": INTEGER})
    assert asyncio.run(command()) == {}


def test_a_generic_return_type():
    @dataclass
    class Page(Generic[T]):
        items: list[T]
        total: int

    def numbers() -> Page[int]: ...

    gives(
        numbers,
        {
            "type": "object",
            "properties": {"items": array(INTEGER), "total": INTEGER},
            "required": ["items", "total"],
        },
    )


@dataclass
class Node:
    name: str
    children: list["Node"] = field(default_factory=list)


NODE = {
    "type": "object",
    "properties": {"name": STRING, "children": array({"$ref": "#/$defs/Node"})},
    "required": ["name"],
}


def test_a_recursive_return_type():
    def tree() -> Node: ...
    def forest() -> list[Node]: ...

    gives(tree, {**NODE, "$defs": {"Node": NODE}})
    gives(forest, {**array({"$ref": "#/$defs/Node"}), "$defs": {"Node": NODE}})


def test_a_recursive_parameter():
    def command(tree: Node): ...

    takes_ref = {"tree": {"$ref": "#/$defs/Node"}}
    for profile, closed in ((profiles.MILO, {}), (profiles.MCP, {"additionalProperties": False})):
        assert function_to_schema(command, profile=profile) == {
            "type": "object",
            "properties": takes_ref,
            "required": ["tree"],
            **closed,
            "$defs": {"Node": NODE},
        }


def test_an_init_variable_is_passed_but_not_given_back():
    @dataclass
    class Server:
        name: str
        secret: InitVar[str]

    takes(Server, {"name": STRING, "secret": STRING}, ["name", "secret"])
    gives(Server, {"type": "object", "properties": {"name": STRING}, "required": ["name"]})


# -- descriptions ------------------------------------------------------------------------------

FROM_CLASS = {"type": "string", "description": "From the class."}
FROM_INIT = {"type": "string", "description": "From __init__."}


def test_a_class_is_described_by_its_docstring_and_that_of_init():
    class Both:
        """A class.

        Args:
            a: From the class.
            b: From the class.
        """

        def __init__(self, a: str, b: str, c: str) -> None:
            """Make it.

            Args:
                b: From __init__.
                c: From __init__.
            """

    takes(Both, {"a": FROM_CLASS, "b": FROM_INIT, "c": FROM_INIT}, ["a", "b", "c"])


def test_a_class_is_described_by_its_attributes():
    @dataclass
    class Server:
        """A server.

        Attributes:
            name: Its name.
        """

        name: str

    takes(Server, {"name": {"type": "string", "description": "Its name."}}, ["name"])


def test_a_derived_class_is_described_by_the_init_it_inherits():
    class Base:
        """A base.

        Args:
            a: From the class.
        """

        def __init__(self, a: str, b: str) -> None:
            """Make it.

            Args:
                b: From __init__.
            """

    class Derived(Base): ...

    takes(Derived, {"a": FROM_CLASS, "b": FROM_INIT}, ["a", "b"])


def test_a_callable_object_is_described_by_its_call():
    class Command:
        """A command.

        Args:
            name: What it is made with.
        """

        def __init__(self, name: int) -> None: ...

        def __call__(self, name: str) -> None:
            """Do it.

            Args:
                name: Who.
            """

    takes(Command(1), {"name": {"type": "string", "description": "Who."}}, ["name"])


class Base:
    def run(self, name: str):
        """Run it.

        Args:
            name: Who.
        """

    def __call__(self, name: str):
        """Call it.

        Args:
            name: Who.
        """


class Derived(Base):
    def run(self, name: str): ...

    def __call__(self, name: str): ...


WHO = {"name": {"type": "string", "description": "Who."}}


def test_an_inherited_docstring_is_found():
    """As ``inspect.getdoc`` does."""
    assert inspect.getdoc(Derived.run) == inspect.getdoc(Base.run)
    takes(Derived().run, WHO, ["name"])
    takes(Derived.run, WHO, ["name"])
    takes(Derived(), WHO, ["name"])


def test_a_partial_is_described_by_its_function():
    takes(functools.partial(Derived().run), WHO, ["name"])
    takes(functools.partial(Base().run), WHO, ["name"])


def test_a_cached_method_is_described_by_its_function():
    class Command:
        @functools.cached_property
        def other(self): ...

        @functools.lru_cache  # noqa: B019 - nobody calls it
        def run(self, name: str):
            """Run it.

            Args:
                name: Who.
            """

    takes(Command().run, WHO, ["name"])


def test_a_function_without_docstring_has_no_descriptions():
    def command(name: str): ...

    command.__doc__ = None
    takes(command, NAME, ["name"])


@pytest.mark.parametrize("doc", [3, b"Args:\n    name: Who.", ["name"], ""])
def test_a_docstring_that_is_no_text_says_nothing(doc):
    def command(name: str): ...

    command.__doc__ = doc
    takes(command, NAME, ["name"])


def test_a_variadic_in_a_docstring_has_its_stars():
    def command(name: str, **options: int):
        """Do it.

        Args:
            name: Who.
            **options: How.
        """

    takes(command, WHO, ["name"], extra={"type": "integer", "description": "How."})


def test_missing_descriptions_are_reported_per_parameter():
    def command(a: int, b: Annotated[int, Description("B.")], c: Annotated[int, "C."], d: int):
        """Do it.

        Args:
            d: D.
        """

    assert warnings_of(command, warn_missing_docs=True) == [
        "command(a): no description; document it in the docstring or with Description(...)"
    ]


# -- descriptions of what comes back -----------------------------------------------------------


def test_what_the_docstring_says_of_the_output_describes_it():
    def count(name: str) -> int:
        """Count.

        Returns:
            How many there are.
        """
        return len(name)

    gives(count, {"type": "integer", "description": "How many there are."})
    assert return_to_schema(count, profile=profiles.MCP_2025) == {
        "type": "object",
        "properties": {"result": {"type": "integer", "description": "How many there are."}},
        "required": ["result"],
    }
    assert return_to_schema(count, profile=profiles.PLATOOLS) == {"type": "integer"}


def test_what_the_docstring_says_is_yielded_describes_it():
    def each() -> Iterator[int]:
        """Count.

        Yields:
            One after the other.
        """
        yield 1

    gives(each, {"type": "integer", "description": "One after the other."})


def test_a_description_of_the_return_annotation_goes_before_the_docstring():
    def count() -> Annotated[int, "Said there."]:
        """Count.

        Returns:
            Said here.
        """
        return 1

    gives(count, {"type": "integer", "description": "Said there."})
