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
from tests.fragments import BOOLEAN, INTEGER, NUMBER, any_of, map_of, obj, record

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


def boxed(result: Any, **keywords: Any) -> Any:
    properties = {"result": result}
    return {"type": "object", "properties": properties, "required": ["result"], **keywords}


def output(profile: Any, annotation: Any) -> Any:
    def tool() -> annotation: ...

    tool.__annotations__ = {"return": annotation}
    return return_to_schema(tool, profile=profile)


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


@pytest.mark.parametrize(
    "annotation",
    [Any, list, list[Any], tuple, bytes, bytes | None],
    ids=str,
)
def test_fastmcp_has_no_output_schema_for_unstructured_outputs(annotation):
    def tool() -> annotation:
        yield

    tool.__annotations__ = {"return": annotation}
    assert return_to_schema(tool, profile=FASTMCP) is None


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (int, boxed({"type": "integer"}, **MARK)),
        (object, boxed({}, **MARK)),
        (list[int], boxed({"type": "array", "items": {"type": "integer"}}, **MARK)),
        (set[Any], boxed({"type": "array", "items": {}, "uniqueItems": True}, **MARK)),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Annotated[int, "A number."], boxed({"type": "integer"}, **MARK)),
    ],
    ids=str,
)
def test_fastmcp_boxes_outputs_that_are_not_objects(annotation, expected):
    assert output(FASTMCP, annotation) == expected


def test_fastmcp_boxes_a_union_of_objects():
    schema = output(FASTMCP, Point | Circle)
    assert schema["x-fastmcp-wrap-result"] is True
    assert schema["properties"]["result"] == any_of(
        {"$ref": "#/$defs/Point"}, {"$ref": "#/$defs/Circle"}
    )


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


class Person:
    name: str
    age: int


class Nothing: ...


def test_an_annotated_class_is_a_record_in_an_output_of_the_sdk():
    assert output(MCP_SDK, Person) == record(
        name={"type": "string", "title": "Name"}, age={"type": "integer", "title": "Age"}
    ) | {"title": "Person"}


@pytest.mark.parametrize(
    "annotation",
    [datetime.date, list, dict, Annotated[datetime.date, "When."], object],
    ids=str,
)
def test_the_sdk_has_no_output_schema_of_other_classes(annotation):
    assert output(MCP_SDK, annotation) is None


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (int, {"type": "integer"}),
        (Annotated[int, "A number."], {"type": "integer"}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (dict[int, bool], map_of(BOOLEAN) | {"propertyNames": {"pattern": "^-?(0|[1-9][0-9]*)$"}}),
    ],
    ids=str,
)  # fmt: skip
def test_the_sdk_boxes_outputs_without_type_object(annotation, expected):
    assert output(MCP_SDK, annotation) == boxed({**expected, "title": "Result"}, title="toolOutput")


@pytest.mark.parametrize("annotation", [dict[str, int], Annotated[dict[str, int], "Counts."]])
def test_the_sdk_does_not_box_a_dict_with_string_keys(annotation):
    assert output(MCP_SDK, annotation) == map_of(INTEGER) | {"title": "toolDictOutput"}


@pytest.mark.parametrize(
    "annotation",
    [typing.Dict[str, int], Annotated[typing.Dict[str, int], "Counts."], abc.Mapping[str, int]],
    ids=repr,
)
def test_the_sdk_boxes_every_other_mapping(annotation):
    counts = {"type": "object", "additionalProperties": {"type": "integer"}, "title": "Result"}
    assert output(MCP_SDK, annotation) == boxed(counts, title="toolOutput")


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


def test_the_sdk_has_no_output_schema_for_what_never_returns():
    assert output(MCP_SDK, NoReturn) is None


class Reading(pydantic.BaseModel):
    celsius: float


class Readings(pydantic.RootModel[dict[str, float]]):
    pass


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (Reading, record(celsius={"type": "number", "title": "Celsius"}) | {"title": "Reading"}),
        (Readings, map_of(NUMBER) | {"title": "Readings"}),
    ],
    ids=str,
)  # fmt: skip
def test_the_sdk_names_the_output_of_a_model_by_the_model(annotation, expected):
    assert output(MCP_SDK, annotation) == expected


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
