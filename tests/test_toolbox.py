"""Many tools: their definitions, and calls by name."""

import asyncio
import pickle
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from milo_schema import (
    Injected,
    Profile,
    SchemaError,
    SchemaWarning,
    ToolSchema,
    profiles,
    tool_schema,
)
from milo_schema.calls import Toolbox, call_tool, call_tool_async
from milo_schema.checks import check_function, check_set, check_tool
from milo_schema.nodes.reader import Reader
from milo_schema.tools.wire import WIRE_FORMS

MCP = profiles.MCP


@dataclass
class Place:
    city: str


def get_weather(city: str, days: int = 1) -> int:
    """Tell the temperature.

    Args:
        city: The city.
        days: How many days from now.
    """
    if city == "Atlantis":
        raise LookupError("no such city")
    return len(city) * days


def search(word: str, ctx: Annotated[Any, Injected]) -> list[str]:
    """Search.

    Args:
        word: A word.
    """
    return [word, ctx]


class Shop:
    def __init__(self, name: str) -> None:
        self.name = name

    async def sell(self, item: str, user: Annotated[str, Injected] = "guest") -> str:
        """Sell.

        Args:
            item: An item.
        """
        return f"{item} of {self.name} for {user}"


TOOLS = Toolbox([get_weather, search, Shop("Oslo").sell], profile=MCP, errors=(LookupError,))


def said(result: Any) -> str:
    assert result["isError"] is True
    return str(result["content"][0]["text"])


# -- a mapping ---------------------------------------------------------------------------------


def test_a_toolbox_is_a_mapping_of_definitions_by_name():
    assert isinstance(TOOLS, Mapping)
    assert list(TOOLS) == ["get_weather", "search", "sell"]
    assert len(TOOLS) == 3
    assert "search" in TOOLS
    assert "steal" not in TOOLS
    assert TOOLS["search"] == tool_schema(search, profile=MCP)
    assert TOOLS.get("steal") is None
    assert repr(TOOLS) == "<Toolbox get_weather, search, sell>"
    assert TOOLS == Toolbox([get_weather, search, Shop("Rome").sell], profile=MCP)
    assert Toolbox([]) == {}


def test_the_names_of_tools_are_unique():
    with pytest.raises(SchemaError) as caught:
        Toolbox([search, get_weather, tool_schema(get_weather, name="search")])
    assert str(caught.value) == "search: two tools have this name; pass tool_schema(..., name=)"


def test_a_toolbox_takes_tools_that_have_their_function():
    tool = tool_schema(search, name="look.up", profile=profiles.MCP_2025)
    tools = Toolbox([tool, get_weather])

    assert tools["look.up"] is tool
    assert tools["get_weather"] == tool_schema(get_weather)
    result = tools.call("look.up", {"word": "tea"}, inject={"ctx": "c"})
    assert result["structuredContent"] == {"result": ["tea", "c"]}
    with pytest.raises(SchemaError, match=r"^look.up: its function is not known"):
        Toolbox([pickle.loads(pickle.dumps(tool))])


def test_a_tool_that_cannot_be_called_is_an_error_at_once():
    with pytest.raises(SchemaError) as caught:
        Toolbox([get_weather, Shop.sell])
    assert str(caught.value) == "Shop.sell: its 'self' is missing; pass Shop().sell"

    def opaque(number: complex) -> None: ...

    with pytest.warns(SchemaWarning), pytest.raises(SchemaError, match="cannot read complex"):
        Toolbox([opaque])


def test_the_options_of_a_toolbox_are_those_of_its_functions():
    def shift(x: "Whole") -> int:  # noqa: F821
        return int(x)

    tools = Toolbox([shift], localns={"Whole": int}, strict=True, repair=True)
    assert tools.profile is profiles.MILO
    assert tools.call("shift", {"x": "1"})["structuredContent"] == 1
    found = [each.code for each in tools.check()]
    assert found == [each.code for each in check_function(shift, localns={"Whole": int})]

    def opaque(number: complex) -> None: ...

    with pytest.raises(SchemaError, match="no JSON Schema for complex"):
        Toolbox([opaque], strict=True)


# -- definitions -------------------------------------------------------------------------------


@pytest.mark.parametrize("form", WIRE_FORMS)
def test_definitions_are_those_of_each_tool_in_the_format(form):
    expected = [WIRE_FORMS[form].write(tool) for tool in TOOLS.values()]
    found = TOOLS.definitions(form)

    assert found == expected
    found[0].clear()
    assert TOOLS.definitions(form) == expected
    assert TOOLS.to_mcp() == TOOLS.definitions("mcp") == TOOLS.definitions()


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("opnai", "no format 'opnai'; did you mean openai?"),
        (
            "x",
            "no format 'x'; there are: mcp, openai, openai-responses, anthropic, gemini, bedrock",
        ),
    ],
)
def test_an_unknown_format_is_an_error(form, expected):
    with pytest.raises(ValueError, match=r"^no format") as caught:
        TOOLS.definitions(form)
    assert str(caught.value) == expected


def test_a_check_is_that_of_the_functions_of_the_tools_and_of_the_set():
    def undocumented(a, b: int = 1) -> int:
        """Do something.

        Args:
            c: No such parameter.
        """
        return b

    tool = tool_schema(search, description="", profile=MCP)
    tools = Toolbox([undocumented, tool], profile=MCP)

    assert tools.check() == [
        *check_function(undocumented, profile=MCP),
        *check_tool(tool, profile=MCP),
        *check_set([tools["undocumented"], tool], profile=MCP),
    ]
    assert "unknown-parameter" in [each.code for each in tools.check()]


# -- calls -------------------------------------------------------------------------------------


def test_a_call_by_name_is_the_call_of_the_tool():
    for name, arguments, inject in [
        ("get_weather", {"city": "Oslo"}, None),
        ("get_weather", {"city": 1, "day": 2}, None),
        ("search", {"word": "a"}, {"ctx": "c"}),
    ]:
        expected = call_tool(TOOLS[name], arguments, inject=inject)
        assert TOOLS.call(name, arguments, inject=inject) == expected
        assert asyncio.run(TOOLS.call_async(name, arguments, inject=inject)) == expected

    expected = asyncio.run(call_tool_async(TOOLS["sell"], {"item": "tea"}))
    assert expected["structuredContent"] == "tea of Oslo for guest"
    assert asyncio.run(TOOLS.call_async("sell", {"item": "tea"})) == expected
    with pytest.raises(SchemaError, match="use call_tool_async"):
        TOOLS.call("sell", {"item": "tea"})


def test_a_call_may_have_no_arguments():
    def ping(word: str = "pong") -> str:
        return word

    tools = Toolbox([ping], profile=MCP)
    assert tools.call("ping")["structuredContent"] == "pong"
    assert tools.call("ping", None) == asyncio.run(tools.call_async("ping"))


def test_listed_errors_are_results_and_others_are_raised():
    assert said(TOOLS.call("get_weather", {"city": "Atlantis"})) == "no such city"
    called = TOOLS.call_async("get_weather", {"city": "Atlantis"})
    assert said(asyncio.run(called)) == "no such city"
    with pytest.raises(LookupError):
        Toolbox([get_weather]).call("get_weather", {"city": "Atlantis"})


UNKNOWN: list[tuple[Any, str]] = [
    ("get_wether", 'no tool "get_wether"; did you mean "get_weather"?'),
    ("refund", 'no tool "refund"; there are: "get_weather", "search", "sell"'),
    (5, 'no tool 5; there are: "get_weather", "search", "sell"'),
    (["sell"], 'no tool an array of one item; there are: "get_weather", "search", "sell"'),
]


@pytest.mark.parametrize(("name", "expected"), UNKNOWN, ids=range(4))
def test_an_unknown_name_is_a_result_that_names_the_closest(name, expected):
    assert said(TOOLS.call(name, {})) == expected
    assert said(asyncio.run(TOOLS.call_async(name, {}))) == expected


def test_an_empty_toolbox_knows_no_name():
    assert said(Toolbox([]).call("search")) == 'no tool "search"'


def test_each_tool_gets_the_injected_values_that_its_definition_leaves_out():
    inject = {"ctx": "c", "user": "Ada"}

    assert TOOLS.call("search", {"word": "a"}, inject=inject)["structuredContent"] == ["a", "c"]
    assert TOOLS.call("get_weather", {"city": "Oslo"}, inject=inject)["structuredContent"] == 4
    sold = asyncio.run(TOOLS.call_async("sell", {"item": "tea"}, inject=inject))
    assert sold["structuredContent"] == "tea of Oslo for Ada"


def test_hidden_names_are_those_that_some_tool_leaves_out():
    def greet(user: str) -> str:
        return user

    assert Toolbox([greet], profile=MCP).hidden == frozenset()
    assert TOOLS.hidden == {"ctx", "user"}
    assert Toolbox([greet, *TOOLS.values()], profile=MCP).hidden == TOOLS.hidden


def test_a_value_is_not_injected_into_a_parameter_that_callers_set():
    def greet(user: str) -> str:
        return user

    tools = Toolbox([greet, Shop("Oslo").sell], profile=MCP)
    result = tools.call("greet", {"user": "Eve"}, inject={"user": "Ada"})
    assert result["structuredContent"] == "Eve"


def test_an_injected_value_that_no_tool_takes_is_an_error():
    for inject, near in ({"ctxt": 1}, "; did you mean ctx?"), ({"city": 1}, ""):
        with pytest.raises(SchemaError) as caught:
            TOOLS.call("get_weather", {"city": "Oslo"}, inject=inject)
        (name,) = inject
        assert str(caught.value) == (
            f"get_weather: inject= names {name!r}, which no tool leaves out{near}"
        )
    with pytest.raises(SchemaError, match=r"^search\(ctx\): required but not part of the schema"):
        TOOLS.call("search", {"word": "a"})


def test_functions_run_in_worker_threads_unless_the_toolbox_says_otherwise():
    def where() -> str:
        return threading.current_thread().name

    here = threading.current_thread().name
    for thread in (True, False):
        result = asyncio.run(Toolbox([where], profile=MCP, thread=thread).call_async("where"))
        assert (result["structuredContent"] != here) is thread


def test_a_call_by_name_derives_nothing(monkeypatch):
    tools = Toolbox([get_weather, search], profile=MCP)
    derivations: list[Any] = []
    monkeypatch.setattr(Reader, "read", lambda *_: derivations.append(_))
    for cls in (Profile, ToolSchema):
        monkeypatch.setattr(cls, "__init__", lambda *_, **__: derivations.append(_))

    assert tools.call("get_weather", {"city": "Oslo"})["structuredContent"] == 4
    assert said(tools.call("get_weather", {"city": 1})).startswith("get_weather(): .city: expected")
    assert tools.call("search", {"word": "a"}, inject={"ctx": "c"})["isError"] is False
    assert derivations == []
