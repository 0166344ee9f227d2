"""Aliases of aliases: nothing is visited twice, and copies count."""

import sys
from typing import Annotated, Any, Union

import pytest
import typing_extensions

from milo_schema import Ge, SchemaError, type_to_schema
from milo_schema.profiles import MCP
from tests.fragments import STRING, any_of


def diamonds(levels):
    """An alias of two aliases, each of which has the same two members, and so on."""
    left, right = str, int
    for level in range(levels):
        pair = Union[left, right]
        left = typing_extensions.TypeAliasType(f"Left{level}", pair)
        right = typing_extensions.TypeAliasType(f"Right{level}", pair)
    return Union[left, right]


def calls(func):
    """How many Python functions are called."""
    count = 0

    def profiler(_frame, event, _argument):
        nonlocal count
        count += event == "call"

    sys.setprofile(profiler)
    try:
        func()
    finally:
        sys.setprofile(None)
    return count


def either(level):
    """A reference to the one or the other alias of a level."""
    return {"anyOf": [{"$ref": f"#/$defs/Left{level}"}, {"$ref": f"#/$defs/Right{level}"}]}


def test_aliases_of_two_aliases_are_visited_once_each():
    profile = MCP.replace(inline=False)
    definitions: dict[str, Any] = {}
    for side in ("Left", "Right"):
        definitions[f"{side}0"] = {"anyOf": [{"type": "string"}, {"type": "integer"}]}
        definitions.update({f"{side}{level}": either(level - 1) for level in range(1, 12)})
    few, many = diamonds(6), diamonds(12)
    assert type_to_schema(many, profile=profile) == {**either(11), "$defs": definitions}

    assert calls(lambda: type_to_schema(many)) < 3 * calls(lambda: type_to_schema(few))


def test_copies_that_a_constraint_makes_of_aliases_count():
    """Each arm is constrained in its own copy, so there are two to the power of the levels."""
    annotation = Annotated[diamonds(8), Ge(1)]
    assert type_to_schema(annotation, profile=MCP) == any_of(
        STRING, {"type": "integer", "minimum": 1}
    )
    with pytest.raises(SchemaError) as caught:
        type_to_schema(Annotated[diamonds(16), Ge(1)], profile=MCP)
    assert (caught.value.message, caught.value.code) == ("more than 50,000 subschemas", "limit")
