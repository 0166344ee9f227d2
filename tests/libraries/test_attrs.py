"""Classes that attrs made: the names and types of their fields, inside and out."""

import datetime
import re
from typing import Annotated, Any

import attr
import attrs
import pytest
from attrs import validators

from milo_schema import (
    MaxLen,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, bind, json_to_value
from milo_schema.results import value_to_json
from tests.fragments import INTEGER, NULL, STRING, array_of, fixed, map_of

DAY = datetime.date(2026, 1, 31)
v: Any = validators  # type checkers see only the first type of a field's values


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
    label: str = attrs.field(alias="name", default="x", metadata={"description": "On it."})
    _hidden: int = attrs.field(init=False, default=5)


BOTTLE_TAKES = {
    "size": {"type": "integer", "description": "How large."},
    "count": {"anyOf": [STRING, INTEGER], "default": "4"},
    "parts": INTEGER,
    "most": {"anyOf": [STRING, INTEGER, NULL], "default": None},
    "least": {"anyOf": [STRING, INTEGER], "default": "1"},
    "name": {"type": "string", "default": "x", "description": "On it."},
}
BOTTLE_GIVES = {
    "size": {"type": "integer", "description": "How large."},
    **dict.fromkeys(("count", "parts", "least"), INTEGER),
    "most": {"anyOf": [INTEGER, NULL]},
    "name": {"type": "string", "default": "x", "description": "On it."},
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


# -- validators --------------------------------------------------------------------------------


def is_even(_instance: Any, _attribute: Any, value: int) -> None:
    if value % 2:
        raise ValueError("must be even")


@attrs.define
class Order:
    least: int = attrs.field(validator=v.ge(3), default=3)
    more: float = attrs.field(validator=[v.gt(0.5), v.lt(9), is_even], default=2)
    most: int | None = attrs.field(validator=v.optional(v.le(9)), default=None)
    kind: str = attrs.field(validator=v.in_(["a", "b"]), default="a")
    level: "int" = attrs.field(validator=v.in_((1, 2)), default=1)
    code: str = attrs.field(validator=v.matches_re("[a-z]+|x"), default="a")
    start: str = attrs.field(validator=v.matches_re("a|b", func=re.match), default="a")
    part: str = attrs.field(validator=v.matches_re("a|b", func=re.search), default="a")
    tags: list[str] = attrs.field(validator=v.and_(v.min_len(1), v.max_len(2)), factory=list)
    maybe: str | None = attrs.field(validator=v.optional(v.in_({*"fedba"})), default=None)
    never_none: str = attrs.field(validator=v.optional(v.in_(["a"])), default="a")
    sizes: tuple[int, ...] = attrs.field(
        validator=v.deep_iterable(v.and_(v.ge(3), v.lt(9)), v.max_len(2)), default=()
    )
    rates: "dict[str, list[int]]" = attrs.field(
        validator=v.deep_mapping(v.min_len(1), v.deep_iterable(v.lt(3)), v.max_len(1)),
        factory=dict,
    )
    made: int = attrs.field(converter=parsed, factory=lambda: "1")
    # What no keyword says, or a type that the options are not of: attrs checks it.
    day: datetime.date = attrs.field(validator=v.ge(DAY), default=DAY)
    upper: str = attrs.field(validator=v.matches_re("a", re.IGNORECASE), default="a")
    either: str | int = attrs.field(validator=v.in_(["a", 1]), default=1)
    mixed: int = attrs.field(validator=v.in_([1, "a"]), default=1)
    pair: tuple[int, str] = attrs.field(
        validator=v.deep_iterable(v.instance_of(object)), default=(1, "a")
    )
    bare: list = attrs.field(validator=v.deep_iterable(v.ge(3)), factory=list)
    several: dict[str, int] | list[int] = attrs.field(
        validator=v.deep_mapping(v.min_len(1), v.ge(3)), factory=dict
    )
    marked: Annotated[list[int], MaxLen(2)] = attrs.field(
        validator=v.deep_iterable(v.ge(3)), factory=list
    )
    short: Annotated[str, MaxLen(2)] = attrs.field(validator=v.in_(["a"]), default="a")
    no_option: str | None = attrs.field(validator=v.optional(v.in_([])), default=None)
    asked: str = attrs.field(validator=v.in_({"a": 1}), default="a")
    twice: str = attrs.field(validator=v.matches_re(r"(?P<a>x)(?(a)y|z)"), default="xy")
    parsed: int = attrs.field(converter=parsed, validator=v.ge(2), default="2")
    untyped = attrs.field(validator=v.ge(2), default=2)


def test_validators_of_attrs_are_keywords_of_inputs():
    def buy(order: Order) -> Order: ...

    assert function_to_schema(buy, profile=profiles.MCP)["properties"]["order"]["properties"] == {
        "least": {"type": "integer", "minimum": 3, "default": 3},
        "more": {"type": "number", "exclusiveMinimum": 0.5, "exclusiveMaximum": 9, "default": 2},
        "most": {"anyOf": [{"type": "integer", "maximum": 9}, NULL], "default": None},
        "kind": {"type": "string", "enum": ["a", "b"], "default": "a"},
        "level": {"type": "integer", "enum": [1, 2], "default": 1},
        "code": {"type": "string", "pattern": "^(?:[a-z]+|x)$", "default": "a"},
        "start": {"type": "string", "pattern": "^(?:a|b)", "default": "a"},
        "part": {"type": "string", "pattern": "a|b", "default": "a"},
        "tags": {"type": "array", "items": STRING, "minItems": 1, "maxItems": 2},
        "maybe": {"anyOf": [{"type": "string", "enum": [*"abdef"]}, NULL], "default": None},
        "never_none": {"type": "string", "enum": ["a"], "default": "a"},
        "sizes": array_of(INTEGER | {"minimum": 3, "exclusiveMaximum": 9})
        | {"maxItems": 2, "default": []},
        "rates": map_of(array_of(INTEGER | {"exclusiveMaximum": 3}))
        | {"propertyNames": STRING | {"minLength": 1}, "maxProperties": 1},
        "day": {"type": "string", "format": "date", "default": "2026-01-31"},
        "upper": {"type": "string", "default": "a"},
        "either": {"anyOf": [STRING, INTEGER], "default": 1},
        "mixed": {"type": "integer", "default": 1},
        "pair": fixed(INTEGER, STRING) | {"default": [1, "a"]},
        "bare": {"type": "array", "items": {}},
        "several": {"anyOf": [map_of(INTEGER), array_of(INTEGER)]},
        "marked": {**array_of(INTEGER), "maxItems": 2},
        "short": {"type": "string", "maxLength": 2, "default": "a"},
        "no_option": {"anyOf": [STRING, NULL], "default": None},
        "asked": {"type": "string", "enum": ["a"], "default": "a"},
        "twice": {"type": "string", "default": "xy"},
        "parsed": {"anyOf": [STRING, INTEGER], "default": "2"},
        "made": {"anyOf": [STRING, INTEGER]},
        "untyped": {"minimum": 2, "default": 2},
    }
    given = return_to_schema(buy, profile=profiles.MCP) or {}
    assert given["properties"]["least"] == {"type": "integer", "default": 3}


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("least", 3, 2),
        ("kind", "b", "c"),
        ("code", "ab", "a1"),
        ("more", 4, 3),
        ("upper", "A", "b"),
        ("maybe", None, "c"),
        ("rates", {"a": [1]}, {"a": [3]}),
    ],
)
def test_a_call_refuses_what_a_validator_of_attrs_refuses(name, right, wrong):
    def buy(order: Order): ...

    bound = bind(buy, {"order": {name: right, "tags": ["x"]}}, profile=profiles.MCP)
    assert getattr(bound.arguments["order"], name) == right
    with pytest.raises(ArgumentsError):
        bind(buy, {"order": {name: wrong, "tags": ["x"]}}, profile=profiles.MCP)


@attr.s
class Parcel:
    size = attr.ib(validator=v.instance_of(int))
    label = attr.ib(validator=v.optional(v.instance_of(str)), kw_only=True, default=None)
    least = attr.ib(validator=[v.ge(2), v.instance_of((int, str))], kw_only=True, default=2)
    typed = attr.ib(type=int, validator=v.ge(1), kw_only=True, default=1)
    any: Any = attr.ib(validator=v.deep_iterable(v.instance_of(int)), kw_only=True, default=())
    thing: object = attr.ib(validator=v.instance_of(int), kw_only=True, default=1)
    free: Any = attr.ib(validator=v.optional(is_even), kw_only=True, default=None)
    named: str = attr.ib(validator=v.instance_of(object), kw_only=True, default="a")


def test_instance_of_says_the_type_of_a_field_that_has_none():
    assert type_to_schema(Parcel, profile=profiles.MCP, strict=True)["properties"] == {
        "size": INTEGER,
        "label": {"anyOf": [STRING, NULL], "default": None},
        "least": {"anyOf": [{"type": "integer", "minimum": 2}, STRING], "default": 2},
        "typed": {"type": "integer", "minimum": 1, "default": 1},
        "any": {"default": []},
        "thing": {"type": "integer", "default": 1},
        "free": {"default": None},
        "named": {"type": "string", "default": "a"},
    }


def test_validators_of_a_field_with_a_missing_name_are_left_to_attrs():
    @attrs.define
    class Lost:
        a: "Missing" = attrs.field(validator=v.in_(["a"]))  # type: ignore[name-defined]  # noqa: F821
        b: "Missing" = attrs.field(validator=v.deep_iterable(v.ge(1)))  # type: ignore[name-defined]  # noqa: F821
        c: "Missing" = attrs.field(validator=v.instance_of(int))  # type: ignore[name-defined]  # noqa: F821

    with pytest.warns(SchemaWarning, match="no 'Missing' in") as told:
        properties = type_to_schema(Lost, profile=profiles.MCP)["properties"]
    assert (properties, len(told)) == ({"a": {}, "b": {}, "c": {}}, 3)


def test_only_the_text_of_a_validator_of_attrs_reaches_the_model():
    @attrs.define
    class Choice:
        letter: str = attrs.field(validator=v.in_("abc"), default="a")
        items: list = attrs.field(validator=v.deep_iterable(v.instance_of(int)), factory=list)
        own: int = attrs.field(validator=is_even, default=2)

    for given, said in {
        "letter": "'letter' must be in 'abc' (got 'd')",
        "items": "'items' must be <class 'int'> (got 'd' that is a <class 'str'>).",
    }.items():
        with pytest.raises(ArgumentsError) as caught:
            json_to_value({given: "d" if given == "letter" else ["d"]}, Choice)
        assert caught.value.problems[0].message == said
    with pytest.raises(ArgumentsError, match="must be even"):
        json_to_value({"own": 1}, Choice)
