"""The tools of a set read each class once, and nobody can tell."""

import enum
import gc
import itertools
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar

import pytest

from milo_schema import (
    SchemaError,
    SchemaWarning,
    Toolbox,
    ToolError,
    parse_docstring,
    profiles,
    tool_schema,
    tool_schemas,
)
from tests.inside import reader
from tests.instructions import instructions

pytestmark = pytest.mark.core


class Speed(enum.Enum):
    """How fast."""

    SLOW = "slow"
    FAST = "fast"


@dataclass
class Address:
    """Where to.

    Attributes:
        street: The street.
    """

    street: str
    lines: list[int] = field(default_factory=list)
    speed: Speed = Speed.SLOW


@dataclass
class Node:
    value: Address
    next: "Node | None" = None


class Options(TypedDict, total=False):
    nodes: list[Node]
    speed: "Speed"


class Pair(NamedTuple):
    left: Address
    right: Node | None = None


Item = TypeVar("Item")


@dataclass
class Page(Generic[Item]):
    items: list[Item]
    address: Address


@dataclass
class Odd:
    x: "Missing"  # type: ignore[name-defined]  # noqa: F821


Tree = dict[str, "Tree"] | int

TYPES: list[Any] = [
    *(Speed, Address, Node, Options, Pair, Page[Address], Page[int], Tree),
    *(list[Node], Address | None, Node | Options, dict[str, Speed], tuple[Pair, ...]),
]


def functions() -> list[Any]:
    def make(number: int, parameter: Any, result: Any) -> Any:
        def func(value: Any) -> Any:
            raise ToolError(repr(value))

        func.__name__ = f"tool_{number}"
        func.__annotations__ = {"value": parameter, "return": result}
        return func

    pairs = zip(TYPES, [*TYPES[4:], *TYPES[:4]], strict=True)
    return [make(number, *each) for number, each in enumerate(pairs)]


PROFILES = [
    profiles.MCP,
    profiles.MILO,
    profiles.GEMINI,
    profiles.PORTABLE,
    profiles.MCP.replace(inline=False),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("profile", PROFILES, ids=repr)
@pytest.mark.parametrize("step", [1, -1])
def test_definitions_do_not_depend_on_the_other_tools(profile, step):
    given = functions()[::step]
    alone = [tool_schema(each, profile=profile).to_mcp() for each in given]

    assert [tool.to_mcp() for tool in tool_schemas(given, profile=profile)] == alone
    assert Toolbox(given, profile=profile).to_mcp() == alone


@pytest.mark.filterwarnings("ignore")
def test_calls_do_not_depend_on_the_other_tools():
    given = functions()
    tools = Toolbox(given)
    address = {"street": "x", "speed": "fast"}
    values = ["slow", address, {"value": address}, {"nodes": [{"value": address}]}, [address], 1]
    for func, value in itertools.product(given, values):
        alone = Toolbox([func]).call(func.__name__, {"value": value})
        assert tools.call(func.__name__, {"value": value}) == alone


def test_a_class_is_read_once():
    first, second = functions()[2], functions()[9]
    tools = Toolbox([first])

    def add(toolbox: Toolbox) -> Any:
        return lambda: toolbox.tool(second)

    assert instructions(add(tools)) < 0.85 * instructions(add(Toolbox()))


def test_a_class_in_an_input_and_an_output_of_a_set_has_its_docstring_parsed_once():
    @dataclass
    class Made:
        """Made by hand."""

    def func(value: Made) -> Made: ...

    tool_schemas([func])
    once = instructions(lambda: tool_schemas([func]))
    Made.__doc__ = "Made.\n\nAttributes:" + "".join(f"\n    x{at}: X." for at in range(200))
    parsed = instructions(lambda: parse_docstring(Made.__doc__))
    assert instructions(lambda: tool_schemas([func])) - once < 1.5 * parsed


def test_nothing_is_alive_when_the_toolbox_is_gone():
    @dataclass
    class Made:
        x: int

    def func(value: Made) -> Made: ...

    tools = Toolbox([func])
    alive = [weakref.ref(each) for each in (Made, func)]
    del Made, func, tools
    gc.collect()
    assert [each() for each in alive] == [None, None]


def assert_is_read_again(cls: type, change: Callable[[Any], None]) -> dict[str, Any]:
    """The schema of a tool with a class that has changed since another tool of its set had it."""

    def first(value): ...

    def second(value): ...

    for func in (first, second):
        func.__annotations__["value"] = cls
    tools = Toolbox([first])
    change(cls)
    tools.tool(second)
    assert tools["second"].input_schema == tool_schema(second).input_schema
    assert tools["second"].input_schema != tools["first"].input_schema
    return tools["second"].input_schema


def change_docstring(cls: Any) -> None:
    cls.__doc__ = "Changed."


def change_annotation(cls: Any) -> None:
    cls.__annotations__["street"] = int


def change_base(cls: Any) -> None:
    cls.__mro__[1].__annotations__["city"] = int


def change_inner_class(cls: Any) -> None:
    cls.__annotations__["inner"].__doc__ = "Changed."


def add_base(cls: Any) -> None:
    class Extra:
        """An extra base.

        Attributes:
            street: The street.
        """

    cls.__bases__ = (*cls.__bases__, Extra)


@pytest.mark.parametrize(
    "change", [change_docstring, change_annotation, change_base, change_inner_class, add_base]
)
def test_a_class_that_has_changed_is_read_again(change):
    @dataclass
    class Inner:
        """Inner."""

        x: int

    @dataclass
    class Place:
        city: str

    @dataclass
    class Made(Place):
        """Made."""

        street: str
        inner: Inner

    Made.__annotations__["inner"] = Inner

    assert_is_read_again(Made, change)


def add_key(cls: Any) -> None:
    cls.__annotations__["third"] = str


def rename_key(cls: Any) -> None:
    cls.__annotations__["third"] = cls.__annotations__.pop("second")


@pytest.mark.parametrize("change", [add_key, rename_key])
def test_a_typed_dict_whose_keys_have_changed_is_read_again(change):
    class Keys(TypedDict, total=False):
        first: str
        second: str

    changed = assert_is_read_again(Keys, change)
    assert "third" in changed["properties"]["value"]["properties"]


def test_the_path_of_a_problem_is_that_of_each_function():
    def first(value: Odd): ...

    def second(value: Odd): ...

    with pytest.warns(SchemaWarning) as told:
        tool_schemas([first, second])
    paths = [str(each.message).partition(":")[0] for each in told]
    assert paths == ["first(value).x", "second(value).x"]


def test_the_limit_of_subschemas_counts_the_classes_of_other_tools(monkeypatch):
    def first(a: Address): ...

    def second(a: Address, b: Pair): ...

    monkeypatch.setattr(reader, "MAX_SUBSCHEMAS", 12)
    for given in ([second], [first, second]):
        with pytest.raises(SchemaError) as caught:
            tool_schemas(given)
        assert str(caught.value) == "second(b).right.next: more than 12 subschemas"


def test_a_class_is_not_shared_if_the_function_brings_names():
    @dataclass
    class Made:
        x: "Missing"  # type: ignore[name-defined]  # noqa: F821

    def first(value: Made): ...

    def second(value: Made): ...

    for func in (first, second):
        func.__annotations__["value"] = Made
    tools = Toolbox()
    tools.tool(localns={"Missing": int})(first)
    tools.tool(localns={"Missing": str})(second)
    types = [tool.input_schema["properties"]["value"]["properties"] for tool in tools.values()]
    assert types == [{"x": {"type": "integer"}}, {"x": {"type": "string"}}]
