"""The exact messages of errors and warnings: the path, the reason, and the code that raised."""

import copy
import datetime
import enum
import functools
import pickle
import sys
import typing
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    Never,
    Optional,
    TypedDict,
    TypeVar,
    Union,
    Unpack,
)

import pytest
import typing_extensions

from milo_schema import (
    MinLen,
    Pattern,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.arguments import binder
from milo_schema.errors import CODES, Problem
from milo_schema.results import return_to_json
from tests.every import every
from tests.inside import reader
from tests.modules import module_from

T = TypeVar("T")
WAY_OUT = "use another type, or Schema({...})"
NO_COMPLEX = f"no JSON Schema for complex; {WAY_OUT}"


class Filter(TypedDict):
    x: complex


@dataclass
class Params:
    filters: list[Filter]


class Point(NamedTuple):
    x: int
    y: complex


class Opaque: ...


def error_of(func: Any, *, derive: Any = function_to_schema, **options: Any) -> SchemaError:
    """The error that deriving a schema of *func* raises in strict mode."""
    with pytest.raises(SchemaError) as caught:
        derive(func, strict=True, **options)
    return caught.value


# -- the place ---------------------------------------------------------------------------------


def taking(annotation: Any) -> Callable[..., Any]:
    def deploy(params): ...

    deploy.__annotations__["params"] = annotation
    return deploy


PLACES = [
    (complex, "deploy(params)"),
    (list[complex], "deploy(params)[]"),
    (set[complex], "deploy(params)[]"),
    (tuple[complex, ...], "deploy(params)[]"),
    (tuple[int, complex], "deploy(params)[1]"),
    (dict[str, complex], "deploy(params){}"),
    (dict[str, list[complex]], "deploy(params){}[]"),
    (list[tuple[int, dict[str, complex]]], "deploy(params)[][1]{}"),
    (Params, "deploy(params).filters[].x"),
    (list[Params], "deploy(params)[].filters[].x"),
    (Point, "deploy(params).y"),
    (list[complex] | None, "deploy(params)[]"),
    (list[list[complex] | int], "deploy(params)[][]"),
    (Annotated[complex, MinLen(1)], "deploy(params)"),
    (Annotated[list[Annotated[complex, "c"]], MinLen(1)], "deploy(params)[]"),
    (typing_extensions.TypeAliasType("Alias", list[complex]), "deploy(params)[]"),
]


@pytest.mark.parametrize(("annotation", "place"), PLACES, ids=[repr(each) for each, _ in PLACES])
def test_the_path_of_a_parameter(annotation, place):
    error = error_of(taking(annotation))
    assert str(error) == f"{place}: {NO_COMPLEX}"
    assert (error.path, error.message, error.annotation) == (place, NO_COMPLEX, complex)
    with pytest.warns(SchemaWarning) as caught:
        function_to_schema(taking(annotation))
    assert [str(each.message) for each in caught] == [f"{place}: {NO_COMPLEX}"]


RETURNS = [(complex, "r() -> result"), (dict[str, tuple[int, complex]], "r() -> result{}[1]")]


@pytest.mark.parametrize(("annotation", "place"), RETURNS, ids=[repr(each) for each, _ in RETURNS])
def test_the_path_of_a_return_value(annotation, place):
    def r(): ...

    r.__annotations__["return"] = annotation
    assert str(error_of(r, derive=return_to_schema)) == f"{place}: {NO_COMPLEX}"


TYPES = [(complex, "complex"), (int | list[complex], "int | list[complex][]")]


@pytest.mark.parametrize(("annotation", "place"), TYPES, ids=[repr(each) for each, _ in TYPES])
def test_the_path_of_a_type(annotation, place):
    assert str(error_of(annotation, derive=type_to_schema)) == f"{place}: {NO_COMPLEX}"


class Service:
    def __init__(self, x: complex = 0) -> None: ...

    def deploy(self, x: complex): ...

    @classmethod
    def create(cls, x: complex): ...

    def __call__(self, x: complex): ...


def local() -> Callable[..., Any]:
    def inner(x: complex): ...

    return inner


@pytest.mark.parametrize(
    ("func", "place"),
    [
        pytest.param(Service, "Service(x)", id="class"),
        pytest.param(Service.deploy, "Service.deploy(x)", id="method"),
        pytest.param(Service().deploy, "Service.deploy(x)", id="bound method"),
        pytest.param(Service.create, "Service.create(x)", id="class method"),
        pytest.param(Service(), "Service(x)", id="callable object"),
        pytest.param(
            functools.partial(Service.deploy, Service()), "Service.deploy(x)", id="partial"
        ),
        pytest.param(local(), "inner(x)", id="local function"),
        pytest.param(lambda x: x, "<lambda>(x)", id="lambda"),
        pytest.param(Params, "Params(filters)[].x", id="dataclass"),
        pytest.param(Filter, "Filter(x)", id="TypedDict"),
    ],
)
def test_a_path_begins_with_the_name_of_the_callable(func, place):
    assert error_of(func).path == place


class Options(TypedDict):
    size: complex
    sizes: list[complex]


def ordered(a: complex, b: list[complex], c: int, *, d: complex, **e: list[complex]) -> complex: ...
def unpacked(**options: Unpack[Options]): ...


@pytest.mark.parametrize(
    ("func", "places"),
    [(ordered, ["(a)", "(b)[]", "(d)", "(e){}[]"]), (unpacked, ["(size)", "(sizes)[]"])],
)
def test_every_problem_is_reported_in_order(func, places):
    with pytest.warns(SchemaWarning) as caught:
        function_to_schema(func, profile=profiles.MCP)
    assert [each.message.path for each in caught] == [f"{func.__name__}{at}" for at in places]


# -- the reason --------------------------------------------------------------------------------


class Hook:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> Any:
        raise ZeroDivisionError("oops")


class HookOfNoDict:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> Any:
        return ["string"]


class HookOfNoJSON:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> Any:
        return {"const": {1, object()}}


class NoMembers(enum.Enum): ...


class Reserved:
    """A value with properties that all raise."""

    def __getattribute__(self, name: str) -> Any:
        raise ZeroDivisionError(name)


REASONS = [
    (type[int], f"deploy(params): no JSON Schema for type[int]; {WAY_OUT}"),
    (Annotated[list[int], Pattern("a")],
     "deploy(params): Pattern('a') cannot apply to list[int]; it is for str"),
    (Never, "deploy(params): Never has no values, so no argument is valid"),
    (NoMembers, "deploy(params): NoMembers has no members, so no value is valid"),
    (dict[tuple[int, int], str],
     "deploy(params): a JSON object cannot have keys of type tuple[int, int]; use str"),
    (HookOfNoDict, "deploy(params): HookOfNoDict.__milo_schema__ must be a dict, not a list"),
    (HookOfNoJSON, ("deploy(params): HookOfNoJSON.__milo_schema__ contains an instance of object, "
           "which cannot be written as JSON")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("annotation", "message"), REASONS, ids=[repr(each) for each, _ in REASONS]
)
def test_the_reason_explains_the_error(annotation, message):
    error = error_of(taking(annotation))
    assert (str(error), error.code in CODES) == (message, True)


def no_annotation(x): ...
def missing(x: "Missing"): ...  # noqa: F821
def broken(x: "1 / 0"): ...
def no_syntax(x: "a b"): ...  # noqa: F722
def positional(x: int, /): ...


@pytest.mark.parametrize(
    ("func", "message"),
    [
        (no_annotation, "no_annotation(x): no annotation; add one"),
        (no_syntax, ("no_syntax(x): cannot evaluate 'a b': SyntaxError: invalid syntax")),
        (positional,
         "positional(x): positional-only, but JSON passes arguments by name; drop the '/'"),
    ],
    ids=["no annotation", "no syntax", "positional-only"],
)  # fmt: skip
def test_errors_of_strict_mode(func, message):
    error = error_of(func)
    assert (str(error), error.code in CODES) == (message, True)


class Commands:
    def no_self(**options: int): ...
    def only_keys(*, size: int): ...


@pytest.mark.parametrize("name", ["no_self", "only_keys"])
def test_bound_method_that_cannot_take_its_self_is_refused(name):
    with pytest.raises(SchemaError) as caught:
        function_to_schema(getattr(Commands(), name))
    assert (
        str(caught.value)
        == f"Commands.{name}: its signature cannot be read: invalid method signature"
    )


@pytest.mark.parametrize(
    ("annotation", "shown"),
    [
        (Literal["a"], "Literal['a']"),
        (Annotated[Params, "Which."], "Annotated[Params, 'Which.']"),
        (Callable[[int], int], "Callable[[int], int]"),
        (Optional[Params], "Params | None"),
        (Union, "Union"),
        (typing_extensions.TypeAliasType("alias", int), "alias"),
    ],
    ids=["Literal", "Annotated", "Callable", "Optional", "Union", "alias"],
)
def test_annotation_is_not_a_function(annotation, shown):
    for derive in (function_to_schema, return_to_schema):
        with pytest.raises(SchemaError) as caught:
            derive(annotation)
        reason = f"{shown} is an annotation, not a function; use type_to_schema()"
        assert str(caught.value) == reason


# -- exceptions in user code -------------------------------------------------------------------


def root_of(error: BaseException | None) -> BaseException | None:
    """The first cause in the chain."""
    while error is not None and error.__cause__ is not None:
        error = error.__cause__
    return error


class Command:
    @property
    def __signature__(self):
        raise ZeroDivisionError("oops")

    def __call__(self): ...


@dataclass
class Server:
    name: str


Server.__annotations__ = ["name"]  # type: ignore[assignment]


def strange(): ...
def exits(x: "sys.exit(3)"): ...


strange.__signature__ = object()  # type: ignore[attr-defined]


def fail(tp: Any, walk: Any) -> Any:
    raise ZeroDivisionError("oops")


CAUSES: list[tuple[Any, str, type[BaseException] | None]] = [
    (taking(list[Hook]), "deploy(params)[]: Hook.__milo_schema__ raised ZeroDivisionError('oops')",
     ZeroDivisionError),
    (taking(list[Opaque]),
     "deploy(params)[]: the profile's schema of Opaque raised ZeroDivisionError('oops')",
     ZeroDivisionError),
    (Command(), "Command: reading its signature raised ZeroDivisionError('oops')",
     ZeroDivisionError),
    (strange,
     ("strange: its signature cannot be read: unexpected object <object object> in __signature__"
     " attribute"),
     TypeError),
    (broken, "broken(x): cannot evaluate '1 / 0': ZeroDivisionError: division by zero",
     ZeroDivisionError),
    (exits, "exits(x): cannot evaluate 'sys.exit(3)': SystemExit: 3", SystemExit),
    (missing,
     "missing(x): no 'Missing' in tests.test_errors; import it there at run time, or pass localns=",
     NameError),
    (taking(list[Server]), "deploy(params)[]: Server.__annotations__ must be a dict, not a list",
     None),
]  # fmt: skip


@every("row", CAUSES)
def test_an_exception_in_user_code_is_the_cause_of_the_error(row):
    func, message, cause = row
    profile = profiles.MILO.with_types({Opaque: fail})
    error = error_of(func, profile=profile)
    assert str(error) == message
    assert cause is None or type(root_of(error)) is cause


def test_a_schema_error_of_a_hook_is_kept():
    class Refusing:
        @classmethod
        def __milo_schema__(cls, walk):
            raise SchemaError("not today", walk.path, cls)

    error = error_of(taking(list[Refusing]))
    assert str(error) == "deploy(params)[]: not today"
    assert error.__cause__ is None


class Someday(datetime.date):
    def isoformat(self) -> str:
        raise ZeroDivisionError("oops")


def test_a_default_that_raises():
    def deploy(params: datetime.date = Someday(2026, 1, 1)): ...  # noqa: B008 - the point

    for strict in (True, False):
        with pytest.raises(SchemaError) as caught:
            function_to_schema(deploy, strict=strict)
        assert str(caught.value) == (
            "deploy(params): its default is an instance of Someday, "
            "which raised ZeroDivisionError('oops')"
        )
        assert type(caught.value.__cause__) is ZeroDivisionError


def test_a_default_whose_attributes_raise_is_left_out():
    def deploy(params: str = Reserved()): ...  # type: ignore[assignment]

    schema = function_to_schema(deploy)
    assert schema == {"type": "object", "properties": {"params": {"type": "string"}}}


def test_metadata_that_raises():
    """Annotated may have metadata of any kind; we do not call unknown ones."""
    fragment = function_to_schema(taking(Annotated[int, Reserved()]), strict=True)
    assert fragment["properties"] == {"params": {"type": "integer"}}


@pytest.mark.skipif(sys.version_info < (3, 14), reason="annotations are not deferred before 3.14")
def test_deferred_annotations_that_raise():
    module = module_from("""
        from dataclasses import dataclass

        @dataclass
        class Server:
            name: str

        def fail(format):
            raise ZeroDivisionError("oops")

        Server.__annotate__ = fail
    """)
    error = error_of(taking(list[module.Server]))
    assert str(error) == (
        "deploy(params)[]: reading Server.__annotations__ raised ZeroDivisionError('oops')"
    )
    assert type(root_of(error)) is ZeroDivisionError


# -- the classes -------------------------------------------------------------------------------


FACTS = ("no way", "deploy(params)", complex)


@pytest.mark.parametrize("kind", [SchemaError, SchemaWarning])
def test_the_message_is_made_of_the_attributes(kind):
    each = kind(*FACTS)
    assert (each.message, each.path, each.annotation) == FACTS
    assert str(each) == "deploy(params): no way"
    assert str(kind("no way")) == "no way"
    assert issubclass(kind, TypeError if kind is SchemaError else UserWarning)


@pytest.mark.parametrize("kind", [SchemaError, SchemaWarning])
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_an_error_can_be_pickled(kind, protocol):
    again = pickle.loads(pickle.dumps(kind(*FACTS), protocol))
    assert vars(copy.copy(again)) == vars(again)
    assert type(again) is kind
    assert (again.message, again.path, again.annotation) == again.args == FACTS
    assert str(again) == "deploy(params): no way"
    assert repr(again) == f"{kind.__name__}('no way', 'deploy(params)', <class 'complex'>)"
    assert kind("no way", annotation=complex).args == ("no way", "", complex)


@pytest.mark.parametrize(
    "problem",
    [
        Problem("no way", "deploy(params)", code="other", annotation=complex, value=1),
        Problem("no way", "x" * 161, code="limit", expected="a", keyword="maximum", limit=3),
    ],
)
def test_a_problem_can_be_pickled(problem):
    again = pickle.loads(pickle.dumps(problem))
    facts = ("message", "path", "code", "annotation", "value", "expected", "keyword", "limit")
    assert [getattr(again, each) for each in facts] == [getattr(problem, each) for each in facts]


def test_an_error_about_a_function_in_a_hook_has_the_place_of_that_function():
    def inner(x: complex): ...

    class Asking:
        @classmethod
        def __milo_schema__(cls, walk):
            return function_to_schema(inner, strict=True)

    def outer(a: Asking): ...

    with pytest.raises(SchemaError) as caught:
        function_to_schema(outer)
    place = f"{__file__}:{inner.__code__.co_firstlineno}"
    assert (caught.value.location, caught.value.__notes__) == (place, [f"defined at {place}"])


def test_code_without_a_module_is_warned_as_python_warns_it():
    names = {"type_to_schema": type_to_schema}
    with warnings.catch_warnings():
        warnings.filterwarnings("error", module="<string>$")
        with pytest.raises(SchemaWarning):
            exec("type_to_schema(complex)", names)


def test_a_message_has_the_ends_of_a_long_path():
    assert str(Problem("no", "x" * 160)) == f"{'x' * 160}: no"
    assert str(Problem("no", f"{'x' * 80}-{'y' * 80}")) == f"{'x' * 80}...{'y' * 80}: no"


def test_an_error_about_one_problem_has_it_among_its_problems():
    (problem,) = SchemaError("no way", "deploy(params)", complex, code="limit").problems
    assert (problem.message, problem.path, problem.annotation, problem.code) == (*FACTS, "limit")


@pytest.mark.parametrize("kind", [SchemaError, SchemaWarning])
def test_an_error_with_an_unpicklable_annotation_can_be_pickled(kind):
    class Local: ...

    each = kind("no way", "deploy(params)", Local)
    again = pickle.loads(pickle.dumps(each))
    assert (again.message, again.path) == ("no way", "deploy(params)")
    assert "Local" in again.annotation
    assert each.annotation is Local


@pytest.mark.parametrize("problem", [ZeroDivisionError, SystemExit])
@pytest.mark.parametrize("kind", [SchemaError, SchemaWarning])
def test_an_error_has_a_repr_even_if_that_of_its_annotation_raises(kind, problem):
    class Unprintable:
        def __repr__(self):
            raise problem

    facts = kind("no way", "deploy(params)", Unprintable())
    assert repr(facts) == f"{kind.__name__}('no way', 'deploy(params)', <Unprintable object>)"
    assert str(facts) == "deploy(params): no way"


def test_a_note_survives_pickling():
    error = SchemaError(*FACTS)
    error.add_note("in the build")
    assert pickle.loads(pickle.dumps(error)).__notes__ == ["in the build"]


# -- where a function is defined ---------------------------------------------------------------


def failing(x: complex) -> int: ...


class Failing:
    def __init__(self, x: complex): ...


LINE = failing.__code__.co_firstlineno

LOCATED: dict[str, tuple[Callable[[], Any], str]] = {
    "input": (lambda: function_to_schema(failing, strict=True), f"failing(x): {NO_COMPLEX}"),
    "output": (lambda: return_to_schema(failing, returns=complex, strict=True),
          f"failing() -> result: {NO_COMPLEX}"),
    "tool": (lambda: tool_schema(failing, strict=True), f"failing(x): {NO_COMPLEX}"),
    "definition of a tool": (lambda: tool_schema(failing, input_schema={"type": "array"},
            profile=profiles.MCP),
          "failing: the input schema must have 'type': 'object' at its root: arguments have names"),
    "arguments": (lambda: binder(failing, exclude=["y"]),
          ("failing(x): cannot read complex from JSON; add decoders={...} to the profile")),
    "result": (lambda: return_to_json(failing, "one"), "failing() -> result: 'one' is not an int"),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::milo_schema.SchemaWarning")
@pytest.mark.parametrize(("derive", "message"), LOCATED.values(), ids=LOCATED)
def test_error_has_a_note_where_the_function_is_defined(derive, message):
    with pytest.raises(SchemaError) as caught:
        derive()
    location = f"{__file__}:{LINE}"
    assert str(caught.value) == message
    assert caught.value.location == location
    assert caught.value.__notes__ == [f"defined at {location}"]
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.location, again.__notes__) == (location, [f"defined at {location}"])


@pytest.mark.parametrize("file", ["<stdin>", "<doctest tools.search[0]>"])
def test_error_about_a_function_without_a_file_has_no_note(file):
    names: dict[str, Any] = {}
    exec(compile("def f(x: 5): ...", file, "exec"), names)
    error = error_of(names["f"])
    assert (error.location, getattr(error, "__notes__", [])) == ("", [])


def test_error_about_a_class_has_a_note_where_its_constructor_is_defined():
    error = error_of(Failing)
    line = Failing.__init__.__code__.co_firstlineno
    assert error.location == f"{__file__}:{line}"
    assert error.__notes__ == [f"defined at {__file__}:{line}"]


@pytest.mark.parametrize(
    "derive",
    [
        pytest.param(lambda: type_to_schema(complex, strict=True), id="annotation"),
        pytest.param(lambda: function_to_schema(not_callable), id="not a function"),
        pytest.param(lambda: tool_schema(not_callable), id="tool that is not a function"),
    ],
)
def test_error_without_a_known_file_has_no_note(derive):
    with pytest.raises(SchemaError) as caught:
        derive()
    assert caught.value.location == ""
    assert not hasattr(caught.value, "__notes__")


# -- where a warning points --------------------------------------------------------------------


@dataclass
class Deep:
    value: list[dict[str, complex]] = field(default_factory=list)


not_callable: Any = 3


class Converter:
    def __init__(self, ratio: complex): ...
    def convert(self, amount: complex): ...


class Special(Converter): ...


class Calling:
    def __call__(self, amount: complex): ...


@dataclass
class Box(Generic[T]):
    value: T
    weight: complex = 0j


def giving(annotation: Any) -> Callable[..., Any]:
    def given(): ...

    given.__annotations__["return"] = annotation
    return given


def wrapping(func: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any: ...

    return wrapper


DERIVATIONS = {
    "parameter": (lambda: function_to_schema(taking(complex)), taking(int)),
    "field of a record": (lambda: function_to_schema(taking(Deep)), taking(int)),
    "alias": (lambda: function_to_schema(taking(PLACES[-1][0])), taking(int)),
    "string": (lambda: function_to_schema(taking("Nowhere")), taking(int)),
    "keyword in a dialect": (lambda: function_to_schema(taking(Never), profile=profiles.GEMINI),
          taking(int)),
    "output": (lambda: return_to_schema(giving(complex)), giving(int)),
    "method": (lambda: function_to_schema(Converter(0).convert), Converter.convert),
    "inherited method": (lambda: function_to_schema(Special(0).convert), Converter.convert),
    "class": (lambda: function_to_schema(Converter), Converter.__init__),
    "partial": (lambda: function_to_schema(functools.partial(taking(complex))), taking(int)),
    "decorated": (lambda: function_to_schema(wrapping(taking(complex))), taking(int)),
    "callable object": (lambda: function_to_schema(Calling()), Calling.__call__),
    "missing docs": (lambda: function_to_schema(no_annotation, warn_missing_docs=True),
          no_annotation),
    "open object": (lambda: function_to_schema(taking(complex), profile=profiles.OPENMCP),
          taking(int)),
    "no output": (lambda: return_to_schema(giving(complex), profile=profiles.OPENMCP), giving(int)),
}  # fmt: skip


@pytest.mark.parametrize(("derive", "function"), DERIVATIONS.values(), ids=DERIVATIONS)
def test_a_warning_points_at_the_function_with_the_annotation(derive, function):
    with pytest.warns(SchemaWarning) as caught:
        derive()
    line = function.__code__.co_firstlineno
    assert {(each.filename, each.lineno) for each in caught} == {(__file__, line)}


@pytest.mark.parametrize(
    "derive",
    [
        lambda: type_to_schema(list[complex]),
        lambda: function_to_schema(not_callable, profile=profiles.OPENMCP),
    ],
    ids=["annotation", "no function"],
)
def test_a_warning_without_a_function_points_at_the_calling_line(derive):
    with pytest.warns(SchemaWarning) as caught:
        derive()
    line = derive.__code__.co_firstlineno
    assert [(each.filename, each.lineno) for each in caught] == [(__file__, line)]


@pytest.mark.parametrize("owner", [Deep, Box[int]], ids=["class", "generic class"])
def test_a_warning_about_a_generated_constructor_points_at_the_class(owner):
    """Before 3.13, a class does not know its line: then at the line that asked."""
    derive = lambda: function_to_schema(owner)  # noqa: E731
    with pytest.warns(SchemaWarning) as caught:
        derive()
    cls = typing.get_origin(owner) or owner
    line = getattr(cls, "__firstlineno__", derive.__code__.co_firstlineno)
    assert [(each.filename, each.lineno) for each in caught] == [(__file__, line)]


def test_a_warning_is_shown_once_for_each_function_by_default():
    """As Python does with every warning: by its text, its line and its module."""
    text = "def run(by: complex): ...\n"
    modules = [module_from(text), module_from(text), module_from(text + text.replace("run", "go"))]
    functions = [modules[0].run, modules[1].run, modules[2].run, modules[2].go]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for function in 3 * functions:
            function_to_schema(function)
    assert [each.filename for each in caught] == [each.__code__.co_filename for each in functions]
    assert [each.lineno for each in caught] == [1, 1, 1, 2]


def test_a_warning_can_be_filtered_by_the_module_of_the_function():
    module = module_from("def run(by: complex): ...")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", module=module.__name__)
        function_to_schema(module.run)
        function_to_schema(taking(complex))
    assert [each.filename for each in caught] == [__file__]


def test_the_error_that_ends_a_reading_follows_the_problems_before_it(monkeypatch):
    def run(a: complex, b: list[list[int]]): ...

    monkeypatch.setattr(reader, "MAX_LEVELS", 1)
    with pytest.raises(SchemaError, match=r"^run\(a\): .* \(and 1 more") as caught:
        function_to_schema(run, profile=profiles.MCP, strict=True)
    assert [problem.path for problem in caught.value.problems] == ["run(a)", "run(b)[]"]

    with pytest.warns(SchemaWarning, match=r"^run\(a\): "), pytest.raises(SchemaError, match="run"):
        function_to_schema(run, profile=profiles.MCP)
