"""Classes that attrs made: the names and types of their fields, inside and out."""

import attrs
import pytest

from milo_schema import function_to_schema, profiles, return_to_schema, type_to_schema
from milo_schema.arguments import ArgumentsError, bind, json_to_value
from milo_schema.results import value_to_json
from tests.fragments import INTEGER, NULL, STRING


def parsed(text: "str | int") -> int:
    return int(text)


@attrs.define
class Bottle:
    """A bottle.

    Attributes:
        _size: How large.
    """

    _size: int
    count: int = attrs.field(converter=parsed, default="4")
    parts: int = attrs.field(converter=int, default="3")
    most: int | None = attrs.field(converter=attrs.converters.optional(parsed), default=None)
    least: int = attrs.field(converter=attrs.Converter(parsed), default="1")
    label: str = attrs.field(alias="name", default="x")
    _hidden: int = attrs.field(init=False, default=5)


BOTTLE_TAKES = {
    "size": {"type": "integer", "description": "How large."},
    "count": {"anyOf": [STRING, INTEGER], "default": "4"},
    "parts": INTEGER,
    "most": {"anyOf": [STRING, INTEGER, NULL], "default": None},
    "least": {"anyOf": [STRING, INTEGER], "default": "1"},
    "name": {"type": "string", "default": "x"},
}
BOTTLE_GIVES = {
    "size": {"type": "integer", "description": "How large."},
    **dict.fromkeys(("count", "parts", "least"), INTEGER),
    "most": {"anyOf": [INTEGER, NULL]},
    "name": {"type": "string", "default": "x"},
    "_hidden": {"type": "integer", "default": 5},
}


def test_fields_of_attrs_have_the_names_and_types_of_the_constructor():
    def fill(bottle: Bottle) -> Bottle: ...

    taken = type_to_schema(Bottle, profile=profiles.MCP, strict=True)
    assert taken["properties"] == BOTTLE_TAKES
    assert taken["required"] == ["size"]
    made = function_to_schema(Bottle, profile=profiles.MCP, strict=True)
    assert made["properties"] == BOTTLE_TAKES
    given = return_to_schema(fill, profile=profiles.MCP, strict=True) or {}
    assert given["properties"] == BOTTLE_GIVES
    assert given["required"] == ["size"]


def test_values_of_attrs_go_through_their_converters_and_back():
    json = {"size": 1, "count": "7", "parts": 2, "most": "8", "name": "a"}
    bottle = json_to_value(json, Bottle)
    assert bottle == Bottle(1, "7", 2, "8", 1, "a")
    back = {"size": 1, "count": 7, "parts": 2, "most": 8, "least": 1, "name": "a", "_hidden": 5}
    assert value_to_json(bottle, Bottle) == back
    with pytest.raises(ArgumentsError, match=r"\.parts: expected an integer, got \"2\""):
        json_to_value({"size": 1, "parts": "2"}, Bottle)
    assert bind(Bottle, {"size": 1, "name": "b"}).kwargs == {"size": 1, "name": "b"}
