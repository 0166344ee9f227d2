"""Many tools: their definitions, and calls by name."""

import asyncio
import json
import pickle
import re
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import pytest

from milo_schema import (
    Injected,
    Profile,
    SchemaError,
    SchemaWarning,
    ToolAnnotations,
    Toolbox,
    ToolSchema,
    profiles,
    tool_schema,
    tool_schemas,
)
from milo_schema.checks import check
from tests.inside import WIRE_FORMS, Reader
from tests.test_wire import by_method

MCP = profiles.MCP


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
    assert tools["get_weather"] == tool_schema(get_weather, profile=MCP)
    result = tools.call("look.up", {"word": "tea"}, inject={"ctx": "c"})
    assert result["structuredContent"] == {"result": ["tea", "c"]}
    unpickled = Toolbox([pickle.loads(pickle.dumps(tool))])
    assert unpickled.to_mcp() == Toolbox([tool]).to_mcp()
    with pytest.raises(SchemaError, match=r"^look.up: its function is not known"):
        unpickled.call("look.up", {"word": "tea"})


def test_a_tool_that_cannot_be_called_is_an_error_at_once():
    with pytest.raises(SchemaError) as caught:
        Toolbox([get_weather, Shop.sell])
    assert str(caught.value) == "Shop.sell: its 'self' is missing; pass Shop().sell"

    def opaque(number: complex) -> None: ...

    with pytest.warns(SchemaWarning), pytest.raises(SchemaError, match="cannot read ") as caught:
        Toolbox([opaque])
    assert caught.value.location == f"{__file__}:{opaque.__code__.co_firstlineno}"


def test_the_options_of_a_toolbox_are_those_of_its_functions():
    def shift(x: "Whole") -> int:  # noqa: F821
        return int(x)

    tools = Toolbox([shift], localns={"Whole": int}, strict=True, repair=True)
    assert tools.profile is profiles.MCP
    assert tools.call("shift", {"x": "1"})["structuredContent"] == 1
    found = [each.code for each in tools.check()]
    assert found == [each.code for each in check(shift, localns={"Whole": int})]

    def opaque(number: complex) -> None: ...

    with pytest.raises(SchemaError, match="no JSON Schema for complex"):
        Toolbox([opaque], strict=True)


# -- definitions -------------------------------------------------------------------------------


@pytest.mark.parametrize("form", WIRE_FORMS.values(), ids=lambda form: form.name)
def test_definitions_are_those_of_each_tool_in_the_format(form):
    expected = [form.write(tool) for tool in TOOLS.values()]
    found = by_method(form, TOOLS)

    assert found == expected
    found[0].clear()
    assert by_method(form, TOOLS) == expected


SERVERS = json.loads(Path(__file__).with_name("server_tools.json").read_text(encoding="utf-8"))
HOSTILE = [
    *(tool["name"] for tools in SERVERS.values() for tool in tools),
    "shop.add",
    "shop_add",
    "shop/add",
    "größe",
    "grö-ße",
    "2x",
    "_2x",
    "",
    "x" * 200,
    "x" * 201,
    "x" * 128,
    "\ud800",
    "<lambda>",
    *(f"a{chr(at)}b" for at in range(32, 48)),
]


def test_every_name_goes_through_every_api_and_back():
    def give(name: str) -> Any:
        return tool_schema(lambda: ascii(name), name=name)

    written = Toolbox(map(give, HOSTILE)).to_openai()
    known = {each["function"]["name"] for each in written}
    hostile = [*HOSTILE, *(known - {*HOSTILE})]  # even a name that another tool would get
    tools = Toolbox(map(give, hostile))

    for form in WIRE_FORMS.values():
        parts = (
            each.get("function", each.get("toolSpec", each)) for each in by_method(form, tools)
        )
        names = [each["name"] for each in parts]
        assert len({*names}) == len(hostile)
        assert [name for name in names if form.names.problem(name)] == []
        for own, spelled in zip(hostile, names, strict=True):
            assert spelled == own or form.names.problem(own)
            assert tools[spelled] is tools[own]
            assert tools.call(spelled).text == tools.call(own).text == ascii(own)
    assert list(tools) == hostile


def test_a_name_that_an_api_refuses_is_replaced_by_one_that_looks_like_it():
    tools = Toolbox([tool_schema(get_weather, name="weather.get")])

    assert tools.to_openai()[0]["function"]["name"] == "weather_get"
    assert tools.to_mcp()[0]["name"] == "weather.get"
    assert "weather_get" in tools
    nameless = Toolbox([ToolSchema(name="", input_schema={"type": "object"})])
    assert [each["name"] for each in nameless.to_mcp()] == ["_"]
    assert list(tools) == ["weather.get"]
    assert tools.call("weather_get", {"city": "Oslo"}).value == 4

    alike = Toolbox([tool_schema(get_weather, name=name) for name in ("a.b", "a/b")])
    names = [each["function"]["name"] for each in alike.to_openai()]
    assert [bool(re.fullmatch("a_b_[0-9a-f]{8}", name)) for name in names] == [True, True]


# -- registration ------------------------------------------------------------------------------


def test_a_decorator_adds_a_function_and_returns_it_unchanged():
    tools = Toolbox(errors=ValueError)

    @tools.tool
    def add(a: int, b: int = 1) -> int:
        return a + b

    @tools.tool(name="shop.sub", annotations=ToolAnnotations(read_only=True))
    def sub(a: int) -> int:
        raise ValueError("no")

    assert (add(1), add.__name__) == (2, "add")
    assert list(tools) == ["add", "shop.sub"]
    assert tools.to_mcp()[1]["annotations"] == {"readOnlyHint": True}
    assert tools.call("add", {"a": 1}).value == 2
    assert tools.call("shop.sub", {"a": 1}).text == "no"
    with pytest.raises(SchemaError, match="two tools have this name"):
        tools.tool(add)
    assert list(tools) == ["add", "shop.sub"]
    refused = tools.call("add", {"a": "1"})
    assert (refused.is_error, "_meta" in refused) == (True, False)


def test_a_decorator_has_the_options_of_a_definition():
    def pay(x: "Money", y: complex): ...  # noqa: F821

    options: Any = {
        "name": "shop.pay",
        "title": "Pay",
        "description": "Pay it.",
        "returns": dict[str, int],
        "strict": True,
        "exclude": ["y"],
        "localns": {"Money": int},
        "profile": profiles.MILO,
        "meta": {"a/b": 1},
        "icons": [{"src": "x"}],
    }
    tools = Toolbox()
    tools.tool(**options)(pay)
    assert tools["shop.pay"] == tool_schema(pay, **options)


class Base:
    def first(self) -> str:
        return "first"


class Store(Base):
    size = 3
    Inner = Base

    def zebra(self) -> str:
        return "zebra"

    def apple(self, x: int) -> int:
        return x

    @classmethod
    def made(cls) -> str:
        return cls.__name__

    @staticmethod
    def still() -> str:
        return "still"

    @property
    def broken(self) -> int:
        raise AssertionError("a property was asked")

    def _private(self) -> None: ...


def test_an_object_means_its_public_methods_in_the_order_of_their_definition():
    tools = Toolbox([Store()])

    assert list(tools) == ["first", "zebra", "apple", "made", "still"]
    assert tools.call("apple", {"x": 4}).value == 4
    assert tools.call("made").value == "Store"
    assert tool_schemas([Store(), tools["first"], search])[-2:] == [
        tools["first"],
        tool_schema(search),
    ]

    def pay(x: "Money", y: complex) -> None: ...  # noqa: F821

    (tool,) = tool_schemas([pay], exclude=["y"], localns={"Money": int})
    assert tool == tool_schema(pay, exclude=["y"], localns={"Money": int})
    with pytest.raises(SchemaError, match=r"^pay\(y\): no JSON Schema for complex"):
        tool_schemas([pay], localns={"Money": int}, strict=True)
    with pytest.raises(SchemaError, match=r" is not a function, and it has no public methods$"):
        Toolbox([object()])


def test_tools_are_added_in_any_thread_and_readers_see_the_old_or_the_new_set():
    tools, wrong = Toolbox(), []

    def work(at: int) -> None:
        for part in range(8):
            tools.tool(name=f"t.{at}.{part}")(lambda x=at: x)
            names = [each["name"] for each in tools.to_mcp()]
            if [*tools][: len(names)] != names or tools.call(f"t_{at}_{part}").value != at:
                wrong.append(names)

    threads = [threading.Thread(target=work, args=(at,)) for at in range(32)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert wrong == []
    assert {*tools} == {f"t.{at}.{part}" for at in range(32) for part in range(8)}


def test_a_check_is_that_of_the_functions_of_the_tools_and_of_the_set():
    def undocumented(a, b: int = 1) -> int:
        """Do something.

        Args:
            c: No such parameter.
        """
        return b

    tool = tool_schema(search, description="")
    again = Toolbox([undocumented, tool])
    found = again.check()

    assert found == [*check(undocumented), *check(tool)] == check(undocumented, tool)
    assert [(each.path, each.code) for each in found] == [
        ("undocumented(a)", "no-annotation"),
        ("undocumented(a)", "undescribed-parameter"),
        ("undocumented(b)", "undescribed-parameter"),
        ("undocumented(c)", "unknown-parameter"),
        ("search", "undescribed-tool"),
    ]
    assert Toolbox([tool_schema(undocumented), tool]).check() == found
    assert check(again) == check([undocumented, tool]) == check(again, []) == found


# -- calls -------------------------------------------------------------------------------------


def test_a_call_by_name_is_the_call_of_the_tool():
    for name, arguments, inject in [
        ("get_weather", {"city": "Oslo"}, None),
        ("get_weather", {"city": 1, "day": 2}, None),
        ("search", {"word": "a"}, {"ctx": "c"}),
    ]:
        expected = TOOLS[name].call(arguments, inject=inject)
        assert TOOLS.call(name, arguments, inject=inject) == expected
        assert asyncio.run(TOOLS.call_async(name, arguments, inject=inject)) == expected

    expected = asyncio.run(TOOLS["sell"].call_async({"item": "tea"}))
    assert expected["structuredContent"] == "tea of Oslo for guest"
    assert asyncio.run(TOOLS.call_async("sell", {"item": "tea"})) == expected
    with pytest.raises(SchemaError, match="use call_async"):
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
    assert TOOLS.hidden == {"ctx", "user"} == TOOLS["sell"].hidden | TOOLS["search"].hidden
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
        assert str(caught.value) == (f"get_weather: no tool hides a parameter {name!r}{near}")
    with pytest.raises(SchemaError, match=r"^search\(ctx\): required but not part of the schema"):
        TOOLS.call("search", {"word": "a"})


def test_functions_run_in_worker_threads_unless_the_toolbox_says_otherwise():
    def where() -> str:
        return threading.current_thread().name

    here = threading.current_thread().name
    assert asyncio.run(Toolbox([where]).call_async("where")).text != here
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


def test_a_class_is_injected_into_the_tools_that_take_it():
    class Session: ...

    class Other: ...

    def greet(session: Session) -> str:
        return type(session).__name__

    def plain() -> str:
        return "plain"

    stored = ToolSchema(name="stored", input_schema={"type": "object"})
    profile = MCP.with_injected(names=["user"], classes=[Session])
    tools, inject = Toolbox([greet, plain, stored], profile=profile), {Session: Session()}

    assert tools.call("greet", {}, inject=inject).value == "Session"
    assert tools.call("plain", {}, inject=inject).value == "plain"
    assert Toolbox([plain], profile=profile).call("plain", inject={**inject, "user": 1}).value
    with pytest.raises(SchemaError, match=r"^plain: no tool hides a parameter Other"):
        tools.call("plain", {}, inject={Other: Other()})


def test_an_option_that_tool_schema_does_not_have_is_refused():
    options: Any = {"nmae": "x"}
    with pytest.raises(TypeError, match="unexpected keyword argument 'nmae'"):
        Toolbox().tool(**options)(search)
