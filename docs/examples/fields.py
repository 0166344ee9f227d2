"""The fields of a profile, and what each changes: every assertion is true.

docs/profiles.md describes the groups of fields, and the reference each one.
"""

import warnings
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import Field

import milo_schema
from milo_schema import Description, SchemaError, SchemaWarning, function_to_schema, profiles


@dataclass
class Item:
    name: str


def search(word, limit: int | None = None, **more: str) -> list[Item]:
    """Search the shop.

    It finds what is in stock.

    Returns:
        The cheapest first.
    """


def first(word: str) -> Item: ...


def started(job: str) -> datetime: ...


def rotate(by: complex): ...


def order(
    order_id: Annotated[int, Field(alias="orderId")], amount: Annotated[int, "How many."]
): ...


class Cents:
    """Marks an amount, in some framework."""


def bill(amount: Annotated[int, Cents]): ...


def taken(func=search, **fields):
    return function_to_schema(func, profile=profiles.MCP.replace(**fields))


def given(func=search, **fields):
    return milo_schema.return_to_schema(func, profile=profiles.MCP.replace(**fields))


# These fields change what a function accepts.

assert taken()["properties"] == {
    "word": {},
    "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
}
assert taken(untyped={"type": "string"})["properties"]["word"] == {"type": "string"}
assert taken(unwrap_none=True)["properties"]["limit"] == {"type": "integer", "default": None}
assert taken(unwrap_none="if_default")["properties"]["limit"] == {
    "type": "integer",
    "default": None,
}
assert list(taken(func=order)["properties"]) == ["orderId", "amount"]
assert list(taken(func=order, aliases="nowhere")["properties"]) == ["order_id", "amount"]
assert taken(func=order)["properties"]["amount"] == {"type": "integer", "description": "How many."}
assert taken(func=order, bare_descriptions=False)["properties"]["amount"] == {"type": "integer"}
assert taken(unknown_arguments="drop") == taken()  # bind() drops them
assert taken(func=bill, markers={Cents: lambda marker: [Description("In cents.")]})[
    "properties"
] == {"amount": {"type": "integer", "description": "In cents."}}
assert list(taken(injected_names={"word"})["properties"]) == ["limit"]
assert list(taken(injected_classes={"complex"}, func=rotate)["properties"]) == []
assert list(taken(injected_if=[lambda each: each.default is None])["properties"]) == ["word"]

assert taken(variadics="open")["additionalProperties"] == {"type": "string"}
assert taken(variadics="omit")["additionalProperties"] is False
assert "additionalProperties" not in taken(variadics="omit", closed="nothing")
assert taken(variadics="properties")["properties"]["more"] == {
    "type": "object",
    "additionalProperties": {"type": "string"},
}

# With `flatten=True`, the fields of a record or a pydantic model that is the only parameter
# replace it.


def add(item: Item): ...


item = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}

assert list(taken(add)["properties"]) == ["item"]
assert taken(add, flatten=True) == item

# These fields change what is written for an annotation that has no schema.

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert taken(rotate, unknown={"type": "string"})["properties"] == {"by": {"type": "string"}}
    assert taken(rotate, failure="open") == {"type": "object", "additionalProperties": True}

assert {each.category for each in caught} == {SchemaWarning}
assert {each.message.path for each in caught} == {"rotate(by)"}

with warnings.catch_warnings():
    warnings.simplefilter("error")  # "none" is the same as "open", without a warning
    assert taken(rotate, failure="none") == {"type": "object", "additionalProperties": True}

try:
    taken(rotate, failure="error")
except SchemaError as error:
    assert error.path == "rotate(by)"

assert taken(rotate, unknown=lambda annotation, walk: {"type": "number"})["properties"] == {
    "by": {"type": "number"}
}
assert taken(rotate, types={complex: {"type": "string"}})["properties"] == {
    "by": {"type": "string"}
}

# These fields change the output schema.

assert given() == {"type": "array", "items": item, "description": "The cheapest first."}
assert "description" not in given(outputs={"docstrings": "never"})
assert given(inline=False)["items"] == {"$ref": "#/$defs/Item"}
assert given(closed="everything")["items"] == {**item, "additionalProperties": False}
assert given(box={"x-boxed": True})["properties"] == {"result": given()}
assert given(box={"x-boxed": True})["x-boxed"] is True
assert given(started, output_formats="all") == {"type": "string", "format": "date-time"}
assert given(started, output_formats="certain") == {"type": "string"}
assert given(outputs=False) is None
assert given(first, opaque_outputs={"Item"}) is None
assert given(first, output_signals={"Item"}) is None
assert given(opaque_outputs=lambda annotation, schema: schema["type"] == "array") is None

assert given(first, box=({}, lambda annotation, schema: schema["type"] == "object")) == {
    "type": "object",
    "properties": {"result": item},
    "required": ["result"],
}

# These fields change how docstrings describe a tool and its parameters.


def described(**fields):
    return milo_schema.tool_schema(search, profile=profiles.MCP.replace(**fields)).description


assert described() == "Search the shop.\n\nIt finds what is in stock."
assert described(tool_description="summary") == "Search the shop."
assert described(tool_description=["summary", "returns"]) == (
    "Search the shop.\n\nReturns:\nThe cheapest first."
)
assert described(docstrings="never") is None


def repeat(times: Annotated[int, "How often."]):
    """Repeat.

    Args:
        times: How many times.
    """


assert taken(repeat)["properties"]["times"]["description"] == "How often."
assert taken(repeat, docstrings="first")["properties"]["times"]["description"] == "How many times."
assert taken(repeat, docstrings="first", docstring_style="numpy") == taken(repeat)

# `outputs` is a dict of the fields that differ, and `replace(outputs={...})` adds to those that
# there are.


def copied(item: Item) -> Item: ...


apart = profiles.MCP.replace(closed="everything", outputs={"closed": "nothing", "inline": False})
closed_item = {**item, "additionalProperties": False}

assert function_to_schema(copied, profile=apart)["properties"] == {"item": closed_item}
assert milo_schema.return_to_schema(copied, profile=apart) == item
assert apart.for_outputs.closed == "nothing"

# The framework that runs a generator function decides what it outputs.

from collections.abc import Iterator


def steps() -> Iterator[int]:
    yield 1


assert given(steps) == {"type": "array", "items": {"type": "integer"}}
assert given(steps, generators="item") == {"type": "integer"}
assert given(steps, generators="nothing") is None

# A function that returns `None` has no output, unless the profile says that its output is null,
# or, for checks, that every tool has to return something.

from milo_schema.checks import check


def close(job: str) -> None:
    """Close a job."""


assert given(close) is None
assert given(close, null_outputs="schema") == {"type": "null"}
demanding = profiles.MCP.replace(null_outputs="missing")
assert "no-output-schema" in [each.code for each in check(close, profile=demanding)]

# MCP reads a hint that is not set as the worst case: a tool may be destructive. In a framework
# where such a hint means "no", a tool says so.

careful = profiles.MCP.replace(unset_hints=False)
assert milo_schema.tool_schema(close, profile=careful).annotations.destructive is False
assert milo_schema.tool_schema(close).annotations is None

# These fields decide what the result of a call looks like.

from milo_schema import tool_schema


def greet() -> str:
    return "Hello"


def greetings():
    return ["Hello"]


def result_of(func, **changes):
    profile = profiles.MCP.replace(**changes)
    return tool_schema(func, profile=profile).result(func())


assert result_of(greet) == {
    "resultType": "complete",
    "content": [{"type": "text", "text": "Hello"}],
    "structuredContent": "Hello",
    "isError": False,
}
assert result_of(greet, text="json")["content"] == [{"type": "text", "text": '"Hello"'}]
assert "resultType" not in result_of(greet, result_type=None)
assert result_of(greetings)["structuredContent"] == ["Hello"]
assert "structuredContent" not in result_of(greetings, structured="schema")

# These fields decide how types are read and written in arguments and results.

from milo_schema.arguments import bind
from milo_schema.results import value_to_json

numbers = profiles.MCP.replace(
    types={complex: {"type": "string"}}, decoders={complex: complex}, encoders={complex: str}
)
assert bind(rotate, {"by": "2+1j"}, profile=numbers).kwargs == {"by": 2 + 1j}
assert value_to_json([2 + 1j], list[complex], profile=numbers) == ["(2+1j)"]

# With `inline="auto"`, a named type that is used more than once goes to `$defs`, if that makes
# the schema shorter; every other one is written where it is used.


@dataclass
class Address:
    """Where a parcel goes to."""

    street: str
    city: str


def send(sender: Address, to: Address, contents: Item): ...


schema = taken(send, inline="auto")

assert schema["properties"]["sender"] == schema["properties"]["to"] == {"$ref": "#/$defs/Address"}
assert schema["properties"]["contents"] == item
assert list(schema["$defs"]) == ["Address"]

# This field decides what `null` means in arguments.

from milo_schema.arguments import ArgumentsError


def shout(text: str, times: int = 3): ...


filled = profiles.MCP.replace(optional="null")
assert bind(shout, {"text": "hi", "times": None}, profile=filled).kwargs == {"text": "hi"}
try:
    bind(shout, {"text": "hi", "times": None}, profile=profiles.MCP)
except ArgumentsError as error:
    assert str(error) == "shout(): .times: expected an integer, got null"

# Without it, a dialect that requires every property, such as that of OpenAI's strict mode, adds
# `null`.

strict = profiles.OPENAI_STRICT.replace(optional="required")

assert function_to_schema(shout, profile=strict)["properties"]["times"] == {
    "type": "integer",
    "description": "default 3",
}
assert function_to_schema(shout, profile=profiles.OPENAI_STRICT)["properties"]["times"] == {
    "anyOf": [{"type": "integer"}, {"type": "null"}],
    "description": "default 3",
}
