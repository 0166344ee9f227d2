"""Calls of the same functions by MCP's server frameworks and by their profiles here.

Each function is called by the framework's own server and client, and by ``tool.call_async()``.
Compared are whether the tool has an output schema, the content, the structured content, and
whether the result is an error. A text that is JSON is compared as JSON; a refused argument, by its
name. The SDK sends a text for each item of a list, and none for null; we send one. Every other
difference is listed with its reason.
"""

import asyncio
import contextlib
import json
import logging
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from milo_schema import Profile, profiles, tool_schema
from tests import judges
from tests.differential import called
from tests.differential.called import Call
from tests.differential.spelling import PAGE

pytestmark = pytest.mark.slow
Json = dict[str, Any]


class Framework(NamedTuple):
    """A framework, its profile, and where both differ, each with what docs/profiles.md says."""

    profile: Profile
    rows: Callable[[], dict[str, Call]]
    server: Callable[[str, Call], Any]
    client: Callable[[Any], Any]
    errors: Callable[[], type[BaseException]]
    flat: bool
    differ: Mapping[str, str]


# -- the frameworks ----------------------------------------------------------------------------


def rows_of_sdk() -> dict[str, Call]:
    server = judges.module("mcp.server.mcpserver")
    error = judges.module("mcp.server.mcpserver.exceptions").ToolError
    contents = called.contents(server.Image, server.Audio, {})
    return called.results() | contents | called.raising(error) | called.ARGUMENTS


def server_of_sdk(name: str, call: Call) -> Any:
    server = judges.module("mcp.server.mcpserver").MCPServer("x")
    server.add_tool(call.func, name=name)
    return server


def client_of_sdk(server: Any) -> Any:
    return judges.module("mcp").Client(server)


def rows_of_fastmcp() -> dict[str, Call]:
    types = judges.module("fastmcp.utilities.types")
    result = judges.module("fastmcp.tools").ToolResult
    more = {
        "file": (types.File, types.File(data=b"x", name="f", format="txt")),
        "tool_result": (result, result(content="a", structured_content={"a": 1})),
        "failed_tool_result": (called.NONE, result(content="a", is_error=True)),
    }
    contents = called.contents(types.Image, types.Audio, more)
    error = judges.module("fastmcp.exceptions").ToolError
    return called.results() | contents | called.raising(error) | called.ARGUMENTS


def server_of_fastmcp(name: str, call: Call) -> Any:
    server = judges.module("fastmcp").FastMCP("x")
    server.add_tool(judges.module("fastmcp.tools").Tool.from_function(call.func, name=name))
    return server


def client_of_fastmcp(server: Any) -> Any:
    return judges.module("fastmcp").Client(server)


# -- differences on purpose --------------------------------------------------------------------

OFFSET = "UTC is `+00:00`, as Python writes it"
DURATION = "a duration is in days and seconds, as RFC 3339 spells it"
WHOLE = "The text of a whole number has no fraction"
SHOWN = "Null and an empty list are text, too; FastMCP writes nothing"
REFUSED = "A result that its own schema refuses, or that has no JSON form, is an error"
NO_JSON = "the frameworks send its `str()`"
RECORD = "the text of a class with annotations is its JSON"
LISTED = "The items of a generator have an output schema"
CLASS = "A value has the fields of the class in the annotation"
GIVEN = "A dictionary that stands for a model is sent as it is"
TAKEN = "a model may stand for `dict[str, Any]`"
ONCE = "an iterator is read once"
OBJECT = "A URL has no output schema; the SDK calls it an object"
PREFIX = "The text of an error is that of the exception, without `Error calling tool` before it"
LISTED_ERRORS = "Exceptions that are not meant for the model are raised, or logged by `unexpected=`"
NAMED = "or the name of its class"
LAX = '`"2"` is not a number unless you ask for `repair=True`'
BOOLEAN = "`true` never is"
UNTYPED = "an argument without a type hint is a string"
COMMON = {
    **dict.fromkeys(("moment", "time_of_day"), OFFSET),
    "duration": DURATION,
    **dict.fromkeys(("wrong_number", "wrong_item", "missing_key"), REFUSED),
    "bare_other": NO_JSON,
    "annotated_class": RECORD,
    **dict.fromkeys(("counted", "streamed"), LISTED),
    **dict.fromkeys(("silent_tool_error", "empty_error"), NAMED),
    "add_number_as_text": LAX,
    "add_boolean": BOOLEAN,
}
FRAMEWORKS = {
    "MCP_SDK": Framework(profiles.MCP_SDK, rows_of_sdk, server_of_sdk, client_of_sdk,
          lambda: judges.module("mcp.server.mcpserver.exceptions").ToolError, True,
          {**COMMON, "subclass": CLASS, **dict.fromkeys(("object_for_model", "objects_for_models"),
              GIVEN), "model_for_object": TAKEN, "iterated": ONCE, "url": OBJECT,
            "tool_error": PREFIX, **dict.fromkeys(("value_error", "key_error", "empty_error",
                "custom_error", "os_error"), LISTED_ERRORS), "loose_number": UNTYPED}),
    "FASTMCP": Framework(profiles.FASTMCP, rows_of_fastmcp, server_of_fastmcp, client_of_fastmcp,
          lambda: Exception, False, {**COMMON, **dict.fromkeys(("no_text", "maybe_integer",
                "no_items", "no_list", "no_model"), SHOWN), "integer_for_float": WHOLE,
            "annotated_class": NO_JSON, **dict.fromkeys(("value_error", "key_error", "custom_error",
                "os_error"), PREFIX)}),
}  # fmt: skip
each_framework = pytest.mark.parametrize("name", FRAMEWORKS)


# -- what both say -----------------------------------------------------------------------------


async def theirs(framework: Framework, name: str, call: Call) -> Json:
    """What the framework's client gets from its server."""
    async with framework.client(framework.server(name, call)) as client:
        listed = await client.list_tools()
        (tool,) = getattr(listed, "tools", listed)
        ask = getattr(client, "call_tool_mcp", client.call_tool)
        result = await ask(name, call.arguments)
    said = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {
        "has_schema": tool.output_schema is not None,
        "content": said["content"],
        "structured": result.structured_content,
        "error": said["isError"],
    }


async def ours(framework: Framework, name: str, call: Call, *, repair: bool = False) -> Json:
    """The same, by the profile of the framework."""
    tool = tool_schema(call.func, name=name, profile=framework.profile)
    errors = framework.errors()
    result = await tool.call_async(call.arguments, errors=errors, repair=repair)
    return {
        "has_schema": tool.output_schema is not None,
        "content": result["content"],
        "structured": result.get("structuredContent"),
        "error": result["isError"],
    }


async def outcome(
    ask: Callable[..., Any], framework: Framework, name: str, call: Call, **options: bool
) -> Any:
    """What a call says, brought into one spelling; an exception is its class."""
    try:
        said = await ask(framework, name, call, **options)
    except Exception as problem:
        return type(problem).__name__
    if said["error"]:
        refused = refused_names(said["content"][0]["text"])
        return {**said, "content": refused} if refused else said
    return {
        **said,
        "content": [read for each in said["content"] for read in spoken(each, framework)],
    }


def refused_names(message: str) -> set[str]:
    """The parameters whose arguments are refused, by our message or by one of pydantic's."""
    if "validation error" in message:
        return {path.partition(".")[0] for path in re.findall(r"^([\w.]+)$", message, re.MULTILINE)}
    return set(re.findall(r"(?:\(\):|^-) \.(\w+)", message, re.MULTILINE))


def spoken(block: Json, framework: Framework) -> list[Any]:
    """A block of content; the JSON of a text, of which the SDK sends each item by itself."""
    if block["type"] != "text":
        return [block]
    text = block["text"]
    value = text
    if text[:1] in {'"', "[", "{"}:
        with contextlib.suppress(ValueError):
            value = json.loads(text)
    return flat(value) if framework.flat else [value]


def flat(value: Any) -> list[Any]:
    """The items of lists in lists without null, as text if they are not objects."""
    if type(value) is list:
        return [item for each in value for item in flat(each)]
    said = value if type(value) in (str, dict) else json.dumps(value)
    return [] if said == "null" else [said]


async def compared(framework: Framework, rows: Mapping[str, Call]) -> dict[str, Any]:
    """The calls with different results, with both of them."""
    pairs = {
        name: (
            await outcome(theirs, framework, name, call),
            await outcome(ours, framework, name, call),
        )
        for name, call in rows.items()
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


@each_framework
def test_calls_say_what_those_of_the_framework_say_except_listed_differences(name):
    framework = FRAMEWORKS[name]
    rows = framework.rows()
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings(action="ignore"):
            differ = asyncio.run(compared(framework, rows))
    finally:
        logging.disable(logging.NOTSET)
    assert differ.keys() == framework.differ.keys(), differ
    assert len(rows) - len(differ) > 150


@each_framework
def test_the_page_on_profiles_has_the_listed_differences(name):
    page = PAGE.read_text(encoding="utf-8")
    assert [each for each in FRAMEWORKS[name].differ.values() if each not in page] == []


@each_framework
def test_repair_reads_what_the_framework_reads_leniently(name):
    framework, row = FRAMEWORKS[name], "add_number_as_text"
    call = framework.rows()[row]

    async def both() -> tuple[Any, Any]:
        said = await outcome(theirs, framework, row, call)
        return said, await outcome(ours, framework, row, call, repair=True)

    said, repaired = asyncio.run(both())
    assert repaired == said
