"""The profiles of MCP's server frameworks, without the frameworks.

``tests/differential/test_mcp_frameworks.py`` has the frameworks judge them.
"""

import datetime
import pathlib
import sys
import types
import typing
from collections import abc
from dataclasses import dataclass
from typing import Annotated, Any, NoReturn

import pydantic
import pytest

from milo_schema import (
    SchemaError,
    SchemaWarning,
    function_to_schema,
    return_to_schema,
    tool_schema,
)
from milo_schema.arguments import bind
from milo_schema.profiles import FASTMCP, MCP, MCP_SDK
from milo_schema.results import return_to_json
from tests.every import every
from tests.fragments import (
    BOOLEAN,
    INTEGER,
    NUMBER,
    STRING,
    any_of,
    array_of,
    map_of,
    obj,
    record,
    set_of,
)

BOTH = pytest.mark.parametrize("profile", [FASTMCP, MCP_SDK], ids=lambda each: each.name)
RAW = {"type": "string", "format": "binary"}
MARK = {"x-fastmcp-wrap-result": True}


@dataclass
class Point:
    """A place."""

    x: int
    y: int = 0


@dataclass
class Circle:
    radius: float


class Person:
    name: str
    age: int


class Reading(pydantic.BaseModel):
    celsius: float


class Readings(pydantic.RootModel[dict[str, float]]):
    pass


def boxed(result: Any, **keywords: Any) -> Any:
    return record(result=result) | keywords


def in_fastmcp(result: Any) -> Any:
    return boxed(result, **MARK)


def in_sdk(result: Any) -> Any:
    return boxed({**result, "title": "Result"}, title="toolOutput")


UNION = any_of({"$ref": "#/$defs/Point"}, {"$ref": "#/$defs/Circle"})
CELSIUS = record(celsius=NUMBER | {"title": "Celsius"}) | {"title": "Reading"}
PERSON = record(name=STRING | {"title": "Name"}, age=INTEGER | {"title": "Age"})
COUNTS = map_of(INTEGER)
BY_NUMBER = map_of(BOOLEAN, propertyNames={"pattern": "^-?(0|[1-9][0-9]*)$"})
OUTPUTS: list[tuple[Any, Any, Any]] = [
    # FastMCP: none for what has no structure; all but objects in a box
    *((FASTMCP, each, None) for each in (Any, list, list[Any], tuple, bytes, bytes | None)),
    (FASTMCP, int, in_fastmcp(INTEGER)),
    (FASTMCP, object, in_fastmcp({})),
    (FASTMCP, list[int], in_fastmcp(array_of(INTEGER))),
    (FASTMCP, set[Any], in_fastmcp(set_of({}))),
    (FASTMCP, dict[str, int], COUNTS),
    (FASTMCP, Annotated[int, "A number."], in_fastmcp(INTEGER)),
    (FASTMCP, Point | Circle, in_fastmcp(UNION)),
    # the SDK: a class with annotations is a record, any other one has none
    *((MCP_SDK, each, None) for each in (datetime.date, list, dict, object, NoReturn)),
    (MCP_SDK, Annotated[datetime.date, "When."], None),
    (MCP_SDK, Person, PERSON | {"title": "Person"}),
    (MCP_SDK, Reading, CELSIUS),
    (MCP_SDK, Readings, map_of(NUMBER, title="Readings")),
    # a dict with string keys is not in a box, any other mapping is
    (MCP_SDK, int, in_sdk(INTEGER)),
    (MCP_SDK, Annotated[int, "A number."], in_sdk(INTEGER)),
    (MCP_SDK, list[int], in_sdk(array_of(INTEGER))),
    (MCP_SDK, dict[str, int], COUNTS | {"title": "toolDictOutput"}),
    (MCP_SDK, Annotated[dict[str, int], "Counts."], COUNTS | {"title": "toolDictOutput"}),
    (MCP_SDK, dict[int, bool], in_sdk(BY_NUMBER)),
    (MCP_SDK, typing.Dict[str, int], in_sdk(COUNTS)),
    (MCP_SDK, Annotated[typing.Dict[str, int], "Counts."], in_sdk(COUNTS)),
    (MCP_SDK, abc.Mapping[str, int], in_sdk(COUNTS)),
]  # fmt: skip


@every("row", OUTPUTS)
def test_an_output_has_the_schema_of_the_framework(row):
    profile, annotation, expected = row

    def tool(): ...

    tool.__annotations__ = {"return": annotation}
    found = return_to_schema(tool, profile=profile)
    if annotation == Point | Circle:
        assert found.pop("$defs").keys() == {"Point", "Circle"}
    assert found == expected


# -- both --------------------------------------------------------------------------------------


@BOTH
def test_bytes_are_plain_strings(profile):
    def send(data: bytes, parts: list[bytes]) -> list[bytes]: ...

    bound = bind(send, {"data": "ü", "parts": ["a"]}, profile=profile)
    assert bound.kwargs == {"data": "ü".encode(), "parts": [b"a"]}
    assert return_to_json(send, [b"a", "ü".encode()], profile=profile) == ["a", "ü"]

    properties = function_to_schema(send, profile=profile)["properties"]
    data, parts = ({**each, "title": ""} for each in properties.values())
    assert data == {**RAW, "title": ""}
    assert parts == {"type": "array", "items": RAW, "title": ""}


@BOTH
def test_functions_of_your_own_take_precedence(profile):
    def send(data: bytes) -> list[bytes]: ...

    profile = profile.replace(decoders={bytes: bytes.fromhex}, encoders={bytes: bytes.hex})
    bound = bind(send, {"data": "AB"}, profile=profile)
    assert bound.kwargs == {"data": b"\xab"}
    assert return_to_json(send, [b"\xab"], profile=profile) == ["ab"]


@BOTH
def test_a_path_has_a_format_and_is_read_as_a_path(profile):
    def read(path: pathlib.Path): ...

    schema = function_to_schema(read, profile=profile)["properties"]["path"]
    assert (schema["type"], schema["format"]) == ("string", "path")
    assert bind(read, {"path": "a/b"}, profile=profile).kwargs == {"path": pathlib.Path("a/b")}


@BOTH
def test_a_parameter_without_a_schema_is_an_error(profile):
    def run(by: complex): ...

    with pytest.raises(SchemaError, match="no JSON Schema for complex"):
        function_to_schema(run, profile=profile)


@BOTH
def test_an_output_without_a_schema_is_a_warning(profile):
    def look() -> complex: ...

    with pytest.warns(SchemaWarning, match="complex"):
        assert return_to_schema(look, profile=profile) is None


# -- FastMCP -----------------------------------------------------------------------------------


class Dependency:
    __module__ = "uncalled_for"
    __qualname__ = "Dependency"


class Depends(Dependency): ...


def test_fastmcp_fills_in_a_parameter_with_a_dependency_as_its_default():
    def greet(name: str, user: str = Depends(), greeting: str = "Hello"): ...

    assert list(function_to_schema(greet, profile=FASTMCP)["properties"]) == ["name", "greeting"]


class UserSession:
    """That of FastMCP 4.2."""


UserSession.__module__ = "fastmcp.server.sessions"


def test_fastmcp_fills_in_the_session_of_a_user(monkeypatch):
    module = types.ModuleType("fastmcp.server.sessions")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(module, "UserSession", UserSession, raising=False)

    def remember(
        fact: str, mine: UserSession, other: UserSession | None = None, *, maybe: int = 1
    ) -> str: ...

    for profile in (FASTMCP, MCP):
        assert list(function_to_schema(remember, profile=profile)["properties"]) == [
            "fact",
            "maybe",
        ]


class ToolResult(pydantic.BaseModel):
    content: list[Any]
    structured_content: Any = None
    is_error: bool = False
    meta: Any = None


ToolResult.__module__ = "fastmcp.tools"


def test_a_tool_result_of_fastmcp_is_passed_on_as_a_whole_result():
    def tool() -> ToolResult:
        block = {"type": "text", "text": "no"}
        return ToolResult(content=[block], structured_content={"a": 1}, is_error=True)

    for profile in (FASTMCP, MCP):
        definition = tool_schema(tool, profile=profile)
        assert definition.output_schema is None
        assert definition.call({}) == {
            "resultType": "complete",
            "content": [{"type": "text", "text": "no"}],
            "structuredContent": {"a": 1},
            "isError": True,
        }


# -- the SDK -----------------------------------------------------------------------------------


class Resolve:
    __module__ = "mcp.server.mcpserver"


def test_the_sdk_fills_in_resolved_parameters():
    def greet(name: Annotated[str, "Who."], user: Annotated[str, Resolve()], count=1): ...

    assert function_to_schema(greet, profile=MCP_SDK) == obj(
        ["name"],
        name={"type": "string", "title": "Name"},
        count={"type": "string", "default": 1, "title": "Count"},
    ) | {"title": "greetArguments"}


@pytest.mark.parametrize(
    "annotation", [None, type(None), "None", Annotated[None, "Nothing."]], ids=repr
)
def test_the_sdk_has_an_output_schema_for_none(annotation):
    def tool() -> annotation: ...

    tool.__annotations__ = {"return": annotation}
    expected = boxed({"type": "null", "title": "Result"}, title="toolOutput")
    assert return_to_schema(tool, profile=MCP_SDK) == expected
    assert tool_schema(tool, profile=MCP_SDK).call({})["structuredContent"] == {"result": None}
    assert return_to_schema(tool, profile=FASTMCP) is None
    assert "structuredContent" not in tool_schema(tool, profile=FASTMCP).call({})


def test_the_sdk_describes_a_tool_by_its_whole_docstring():
    def add(a: int, b: int) -> int:
        """Add.

        Args:
            a: The first.
        """
        return a + b

    tool = tool_schema(add, profile=MCP_SDK)
    assert tool.description == "Add.\n\nArgs:\n    a: The first."
    result = tool.call({"a": 1, "b": 2})
    assert result["structuredContent"] == {"result": 3}
