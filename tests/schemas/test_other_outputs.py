"""Outputs apart from inputs: another annotation, and what a profile says of outputs alone."""

import asyncio
from collections.abc import Iterator
from dataclasses import InitVar, dataclass, field
from typing import Annotated, Any

import pytest

from milo_schema import (
    Ge,
    SchemaError,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.calls import call_tool, call_tool_async
from milo_schema.results import call_result, return_to_json

MCP = profiles.MCP


@dataclass
class Place:
    city: str
    visits: int = field(default=0, init=False)


PLACE = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "visits": {"type": "integer", "default": 0}},
    "required": ["city"],
}


class Control:
    """What a framework understands, and no client."""


def find() -> Control | Place:
    return Place("Oslo")


async def find_later() -> Control | Place:
    return Place("Oslo")


# -- an annotation in place of the function's --------------------------------------------------


def test_an_annotation_is_read_in_place_of_the_functions_own():
    assert return_to_schema(find, returns=Place, strict=True) == PLACE
    assert tool_schema(find, returns=Place, strict=True).output_schema == PLACE
    assert return_to_json(find, Place("Oslo"), returns=Place) == {"city": "Oslo", "visits": 0}


@pytest.mark.parametrize("nothing", [None, type(None), "None"], ids=repr)
def test_none_in_place_of_an_annotation_is_no_output(nothing):
    assert return_to_schema(find, returns=nothing) is None
    assert tool_schema(find, returns=nothing).output_schema is None


def test_a_string_is_evaluated_where_the_function_is():
    assert return_to_schema(find, returns="Place", strict=True) == PLACE


def test_what_is_awaited_or_yielded_counts_in_another_annotation_too():
    def numbers() -> Any:
        yield 1

    assert return_to_schema(numbers, returns=Iterator[int]) == {"type": "integer"}
    assert return_to_json(numbers, 1, returns=Iterator[int]) == 1


def test_another_annotation_is_boxed_as_the_functions_own_is():
    tool = tool_schema(find, returns=list[Place], profile=profiles.MCP_2025)

    assert tool.box == "result"
    assert tool.output_schema == {
        "type": "object",
        "properties": {"result": {"type": "array", "items": PLACE}},
        "required": ["result"],
    }
    result = call_result(
        tool, [Place("Oslo")], func=find, returns=list[Place], profile=profiles.MCP_2025
    )
    assert result["structuredContent"] == {"result": [{"city": "Oslo", "visits": 0}]}


def test_a_value_is_held_to_the_other_annotation():
    def count() -> Any: ...

    tool = tool_schema(count, returns=Annotated[int, Ge(1)])
    assert call_result(tool, 1, func=count, returns=int)["structuredContent"] == 1
    with pytest.raises(SchemaError) as caught:
        call_result(tool, "1", func=count, returns=int)
    assert str(caught.value) == "count() -> : '1' is no int"
    with pytest.raises(SchemaError) as caught:
        call_result(tool, "1", returns=int)
    assert str(caught.value) == "count() -> : '1' is no int"


def test_a_call_has_a_result_by_the_other_annotation():
    expected = {
        "content": [{"type": "text", "text": '{"city": "Oslo", "visits": 0}'}],
        "structuredContent": {"city": "Oslo", "visits": 0},
        "isError": False,
    }
    tool = tool_schema(find, returns=Place)

    assert call_tool(tool, find, {}, returns=Place) == expected
    assert asyncio.run(call_tool_async(tool, find_later, {}, returns=Place)) == expected


# -- the schema of an annotation as an output --------------------------------------------------


@dataclass
class Note:
    text: str
    tag: str | None
    seed: InitVar[int]


def test_an_annotation_has_a_schema_as_an_output():
    """A caller passes an ``InitVar``, which does not come out; and null comes out if it may."""
    text, null = {"type": "string"}, {"type": "null"}
    assert type_to_schema(Note, strict=True) == {
        "type": "object",
        "properties": {"text": text, "tag": text, "seed": {"type": "integer"}},
        "required": ["text", "tag", "seed"],
    }
    assert type_to_schema(Note, output=True, strict=True) == {
        "type": "object",
        "properties": {"text": text, "tag": {"anyOf": [text, null]}},
        "required": ["text", "tag"],
    }
