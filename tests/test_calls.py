"""A tool call from start to finish: bound, called, answered."""

import asyncio
import base64
import datetime
import importlib
import re
import warnings
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import pydantic
import pytest
from typing_extensions import TypeAliasType, TypedDict

from milo_schema import (
    Ge,
    Injected,
    MaxLen,
    SchemaError,
    Toolbox,
    ToolSchema,
    profiles,
    tool_schema,
)
from milo_schema.results import error_result
from tests import judges
from tests.inside import MAX_JSON_DEPTH

MCP = profiles.MCP


@dataclass
class Stay:
    city: str
    day: datetime.date


def book(stay: Stay, nights: Annotated[int, Ge(1)] = 1) -> Stay:
    if stay.city == "Atlantis":
        raise LookupError("no such city")
    return Stay(stay.city, stay.day + datetime.timedelta(days=nights))


async def book_later(stay: Stay, nights: Annotated[int, Ge(1)] = 1) -> Stay:
    await asyncio.sleep(0)
    return book(stay, nights)


def later(func: Any) -> Any:
    """``call_async()`` as a function that is called like ``call()``."""
    return lambda *args, **options: asyncio.run(func(*args, **options))


CALL, CALL_ASYNC = ToolSchema.call, ToolSchema.call_async
CALLS = pytest.mark.parametrize(
    ("call", "func"),
    [(CALL, book), (later(CALL_ASYNC), book), (later(CALL_ASYNC), book_later)],
    ids=["sync", "awaits nothing", "awaits"],
)


def text_of(result: Any) -> str:
    assert result.keys() - {"resultType"} == {"content", "isError"}
    assert result["isError"] is True
    (block,) = result["content"]
    assert block.keys() == {"type", "text"}
    return str(block["text"])


@CALLS
def test_a_call_returns_its_result(call, func):
    tool = tool_schema(func, profile=MCP)
    arguments = {"stay": {"city": "Oslo", "day": "2026-07-28"}, "nights": 2}
    expected = {"city": "Oslo", "day": "2026-07-30"}

    assert call(tool, arguments) == {
        "resultType": "complete",
        "content": [{"type": "text", "text": '{"city": "Oslo", "day": "2026-07-30"}'}],
        "structuredContent": expected,
        "isError": False,
    }
    text = '{"city": "Oslo", "day": "2026-07-28"}'
    found = call(tool, {"stay": text, "nights": "2"}, repair=True)
    assert found["structuredContent"] == expected


@CALLS
def test_invalid_arguments_are_an_error_result_for_the_model(call, func):
    result = call(tool_schema(func, profile=MCP), {"nights": 0})

    assert text_of(result) == (
        f"{func.__name__}(): 2 problems\n"
        "- .stay: required but not given\n"
        "- .nights: must be at least 1, got 0"
    )


@CALLS
def test_listed_exceptions_are_error_results(call, func):
    tool = tool_schema(func, profile=MCP)
    arguments = {"stay": {"city": "Atlantis", "day": "2026-07-28"}}

    assert text_of(call(tool, arguments, errors=LookupError)) == "no such city"
    assert text_of(call(tool, arguments, errors=(ValueError, LookupError))) == "no such city"
    with pytest.raises(LookupError):
        call(tool, arguments)
    with pytest.raises(LookupError):
        call(tool, arguments, errors=ValueError)


NO_ERRORS: dict[str, Any] = {
    "[ValueError]": [ValueError],
    "'ValueError'": "ValueError",
    "<ValueError object>": ValueError(),
    "(ValueError, 'x')": (ValueError, "x"),
    "int": int,
}


@pytest.mark.parametrize("shown", NO_ERRORS)
def test_errors_that_python_cannot_catch_are_refused_before_a_call(shown):
    def ping(): ...

    tool, errors = tool_schema(ping), NO_ERRORS[shown]
    must = "errors= must be an exception class or a tuple of them, such as (LookupError,)"
    reason = re.escape(f"{must}, not {shown}")
    with pytest.raises(TypeError, match=reason):
        tool.call({}, errors=errors)
    with pytest.raises(TypeError, match=reason):
        asyncio.run(tool.call_async({}, errors=errors))
    with pytest.raises(TypeError, match=reason):
        Toolbox([tool], errors=errors)


def test_an_invalid_injected_argument_is_raised():
    def nests(x: int) -> int:
        return int(tool_schema(book, exclude="stay").call({"x": x})["isError"])

    with pytest.raises(SchemaError, match=r"^book\(stay\): required but not part of the schema"):
        tool_schema(nests).call({"x": 1}, errors=ValueError)


def test_the_result_matches_the_output_schema():
    def count() -> Annotated[int, Ge(0)]:
        return -1

    with pytest.raises(SchemaError) as caught:
        tool_schema(count).call({}, errors=Exception)
    reason = "does not match the output schema: must be at least 0, got -1"
    assert str(caught.value) == f"count() -> result: {reason}"
    assert caught.value.code == "unexpected-value"


def test_a_coroutine_function_needs_the_async_call():
    tool = tool_schema(book_later)
    arguments = {"stay": {"city": "Oslo", "day": "2026-07-28"}}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(SchemaError, match=r"^book_later: it must be awaited; use call_async"):
            tool.call(arguments)

    async def main() -> None:
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        with pytest.raises(SchemaError, match="it must be awaited"):
            tool_schema(lambda: future, name="wait").call({})

    asyncio.run(main())


def test_content_passes_through():
    def picture(width: int):
        return {"type": "image", "data": "YQ==" * width, "mimeType": "image/png"}

    def nothing() -> None: ...

    done = {"isError": False}
    image = {"type": "image", "data": "YQ==", "mimeType": "image/png"}
    result = tool_schema(picture, profile=MCP).call({"width": 1})
    assert result == {**done, "content": [image], "resultType": "complete"}
    assert tool_schema(nothing, profile=profiles.MILO).call({}) == {**done, "content": []}
    text = [{"type": "text", "text": ""}]
    assert tool_schema(nothing, profile=profiles.OMNI).call({}) == {**done, "content": text}


def test_an_empty_string_is_a_text_and_no_value_is_not():
    def act(value: Any): ...

    for value, texts in (("", [""]), (None, []), ([None], ["[null]"]), ([], ["[]"])):
        for profile in (MCP, profiles.MCP_SDK, profiles.FASTMCP, profiles.MCP_2025):
            content = tool_schema(act, profile=profile).result(value)["content"]
            assert [each["text"] for each in content] == texts
    block = {"type": "text", "text": "a"}
    assert tool_schema(act).result([block, None])["content"] == [block]


def test_a_whole_result_has_what_the_output_schema_promises():
    block = {"type": "text", "text": "a"}

    def act() -> dict[str, int]: ...

    tool = tool_schema(act)
    for whole in ({"content": [block]}, {"content": [block], "isError": False}):
        with pytest.raises(SchemaError) as caught:
            tool.result(whole)
        reason = "the result has no structuredContent, but the tool has an output schema"
        assert str(caught.value) == f"act() -> result: {reason}"
        assert caught.value.code == "unexpected-value"
    failed = {"content": [block], "isError": True}
    assert tool.result(failed)["isError"] is True
    right = {"content": [block], "structuredContent": {"a": 1}, "isError": False}
    assert tool.result(right)["structuredContent"] == {"a": 1}
    asked = {"resultType": "input_required", "requestState": "x"}
    assert tool.result(asked) == asked


def test_a_profile_that_drops_unknown_arguments_drops_hidden_ones_too():
    def act(a: int, secret: Annotated[int, Injected] = 3, **rest: int) -> dict[str, int]:
        return {"a": a, "secret": secret, **rest}

    def plain(a: int, secret: Annotated[int, Injected] = 3) -> dict[str, int]:
        return {"a": a, "secret": secret}

    sent = {"a": 1, "secret": 5}
    for func in (act, plain):
        tool = tool_schema(func, profile=profiles.MCP_SDK)
        assert tool.call(sent).value == {"a": 1, "secret": 3}
        assert tool.call(sent, inject={"secret": 4}).value == {"a": 1, "secret": 4}
        assert "unknown argument" in tool_schema(func).call(sent).text


# -- the official SDK --------------------------------------------------------------------------

PIXEL = base64.b64encode(b"one pixel").decode()


async def reserve(stay: Stay, ctx: Any, seats: list[int] = [1]) -> dict[str, Any]:  # noqa: B006
    await asyncio.sleep(0)
    if stay.city == "Atlantis":
        raise LookupError("no such city")
    assert type(stay.day) is datetime.date
    return {"who": ctx["user"], "city": stay.city, "seats": seats}


def served() -> Any:
    """A server of the official SDK that uses ``call_async()`` for ``tools/call``."""
    types, lowlevel = judges.module("mcp.types"), importlib.import_module("mcp.server.lowlevel")

    def picture(width: int):
        return types.ImageContent(type="image", data=PIXEL * width, mime_type="image/png")

    profile = MCP.replace(injected_names={"ctx"})
    tools = {func.__name__: tool_schema(func, profile=profile) for func in (reserve, picture)}

    async def listed(*_: Any) -> Any:
        described = [tool.to_mcp() for tool in tools.values()]
        return types.ListToolsResult.model_validate({"tools": described})

    async def called(_: Any, params: Any) -> Any:
        if params.name not in tools:
            return types.CallToolResult.model_validate(error_result(f"no tool {params.name!r}"))
        result = await tools[params.name].call_async(
            params.arguments,
            inject={"ctx": {"user": "Ada"}} if params.name == "reserve" else None,
            errors=LookupError,
            repair=True,
        )
        return types.CallToolResult.model_validate(result)

    return lowlevel.Server("s", on_list_tools=listed, on_call_tool=called)


OSLO = {"city": "Oslo", "day": "2026-07-28"}

ANSWERS: list[tuple[str, Any, Any]] = [
    ("reserve", {"stay": OSLO}, {"who": "Ada", "city": "Oslo", "seats": [1]}),
    ("reserve", {"stay": '{"city": "Oslo", "day": "2026-07-28"}', "seats": "[2, 3]"},
     {"who": "Ada", "city": "Oslo", "seats": [2, 3]}),
    ("reserve", {"stay": {**OSLO, "city": "Atlantis"}}, "no such city"),
    ("reserve", {"stay": {**OSLO, "day": "tomorrow"}, "ctx": {"user": "Eve"}},
     ("reserve(): 2 problems\n"
      '- .stay.day: expected a date such as 2026-01-31, got "tomorrow"\n'
      '- .ctx: unknown argument; allowed: "stay", "seats"')),
    ("steal", {}, "no tool 'steal'"),
]  # fmt: skip


def test_the_official_client_gets_a_result() -> None:
    mcp = judges.module("mcp")
    server = served()

    async def main() -> None:
        async with mcp.Client(server) as client:
            for name, arguments, expected in ANSWERS:
                result = await client.call_tool(name, arguments)
                is_error = isinstance(expected, str)
                assert result.is_error is is_error, (name, arguments)
                if is_error:
                    assert [block.text for block in result.content] == [expected]
                else:
                    assert result.structured_content == expected
            (image,) = (await client.call_tool("picture", {"width": 1})).content
            assert (image.type, image.data, image.mime_type) == ("image", PIXEL, "image/png")

    asyncio.run(main())


def deep(levels: int, make: Any, json: Any) -> Any:
    for _ in range(levels):
        json = make(json)
    return json


@pytest.mark.parametrize(
    "make", [lambda x: [x], lambda x: {"a": x}, lambda x: [{"a": x}, 1]], ids=range(3)
)
@pytest.mark.parametrize("returns", [Any, list[Any] | dict[str, Any], None], ids=range(3))
def test_what_may_come_in_may_go_out(make, returns):
    def echo(x: Any):
        return x

    if returns is not None:
        echo.__annotations__["return"] = returns
    tool = tool_schema(echo)
    levels = (MAX_JSON_DEPTH - 1) // (1 if isinstance(make(1), dict) or len(make(1)) == 1 else 2)
    value = deep(levels, make, 1)
    assert tool.call({"x": value})["structuredContent"] == value
    assert tool.call({"x": make(value)}).is_error
    if returns is not None:
        with pytest.raises(SchemaError, match=r"nested too deeply|is not list\[Any\] | dict"):
            tool.result(make(make(value)))


@dataclass
class Chained:
    next: "Chained | None" = None


@dataclass
class Branch:
    branches: "list[Branch]"


class Linked(TypedDict, total=False):
    next: "Linked | None"


class Position(NamedTuple):
    next: "Position | int"


class Model(pydantic.BaseModel):
    next: "Model | None" = None


class Models(pydantic.BaseModel):
    inner: "list[Models | dict[str, int]]"


Deep = TypeAliasType("Deep", "list[Deep] | tuple[Deep, ...] | dict[str, Deep] | int")

Bounded = TypeAliasType("Bounded", "Annotated[list[Bounded], MaxLen(2)] | int")

RECURSIVE: list[tuple[Any, Any, Any]] = [
    (Chained, lambda x: {"next": x}, {"next": None}),
    (Branch, lambda x: {"branches": [x]}, {"branches": []}),
    (Linked, lambda x: {"next": x}, {}),
    (Position, lambda x: [x], [1]),
    (Model, lambda x: {"next": x}, {"next": None}),
    (Models, lambda x: {"inner": [x]}, {"inner": [{"a": 1}]}),
    (Deep, lambda x: [x], [1]),
    (Deep, lambda x: {"a": x}, {"a": 1}),
    (Bounded, lambda x: [x], [1]),
]


@pytest.mark.parametrize(("annotation", "make", "last"), RECURSIVE, ids=range(len(RECURSIVE)))
def test_a_recursive_value_may_be_as_deep_as_any_other(annotation, make, last):
    def echo(x: annotation) -> annotation:
        return x

    tool = tool_schema(echo)
    in_one = str(make(1)).count("[") + str(make(1)).count("{")
    depth = str(last).count("[") + str(last).count("{")
    value = deep((MAX_JSON_DEPTH - 1 - depth) // in_one, make, last)
    assert tool.call({"x": value})["structuredContent"] == value
    assert tool.call({"x": make(value)}).is_error
