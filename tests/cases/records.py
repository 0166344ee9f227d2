"""Records with unusual names, annotations or defaults of fields."""

import datetime
from dataclasses import dataclass, field
from typing import (
    Annotated,
    Final,
    Generic,
    Literal,
    NamedTuple,
    NotRequired,
    Optional,
    Required,
    Self,
    TypedDict,
)

from milo_schema import Description, Ge, Le, MaxLen, MinLen, Pattern
from tests.cases.case import Case
from tests.cases.data_classes import ITEM, Item
from tests.cases.enums import Color, Documented
from tests.cases.generics import Couple
from tests.cases.shared import T
from tests.fragments import INTEGER, NULL, STRING, Json, obj


@dataclass
class Awkward:
    type: str
    items: list[int]
    properties: dict[str, int]
    required: bool = True
    default: int = 1
    enum: Literal["a"] = "a"


@dataclass
class Twice:
    left: Item
    right: Item
    more: list[Item] = field(default_factory=list)


@dataclass
class Constrained:
    a: Annotated[int, Ge(1), Le(9), Description("From 1 to 9.")]
    b: Annotated[str, MinLen(1)] | None = None
    c: Annotated[list[Annotated[str, Pattern("^a")]], MaxLen(2)] = field(default_factory=list)


@dataclass
class Method:
    x: Final[int] = 1

    @property
    def double(self) -> int:
        return 2 * self.x

    name = "not a field"


@dataclass
class QuotedNone:
    a: Annotated["int | None", Ge(1)] = None


@dataclass
class Maybe(Generic[T]):
    value: T | None = None
    more: "dict[str, T] | None" = None


@dataclass
class Described:
    next: Annotated["Described", Description("The next.")] | None = None
    small: list[Annotated["Described", MaxLen(1)]] = field(default_factory=list)


@dataclass
class Painted:
    """What has a color.

    Attributes:
        documented: Of this use.
    """

    plain: Color
    documented: Documented
    mine: Annotated[Documented, Description("Mine.")] = Documented.QUIET


@dataclass
class Nones:
    a: None = None
    b: Annotated[int | None, Description("Text."), Ge(1)] = None
    c: Final[int | None] = None
    d: int | str | None = None
    e: Optional[Annotated[int, Ge(1)]] = 3
    f: list[int | None] | None = None


@dataclass
class Times:
    """Defaults that RFC 3339 has no words for are left out; the fields stay optional."""

    aware: datetime.datetime = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    naive: datetime.datetime = datetime.datetime(2026, 1, 1)  # noqa: DTZ001
    at: datetime.time = datetime.time(12)
    whole: datetime.timedelta = datetime.timedelta(days=1, seconds=2)
    half: datetime.timedelta = datetime.timedelta(seconds=0.5)
    back: datetime.timedelta = datetime.timedelta(days=-1)


class Parent(TypedDict, Generic[T], total=False):
    a: Required["T"]
    b: "NotRequired[list[T]]"


class Child(Parent[int]):
    c: "Required[str]"
    b: Required[list[int]]


class Itself(TypedDict):
    me: NotRequired[list[Self]]


class Nested(NamedTuple):
    me: "Optional[Self]" = None


def _described(*, null: bool) -> Json:
    reference: Json = {"$ref": "#/$defs/Described"}
    said: Json = {"anyOf": [reference], "description": "The next."}
    body: Json = obj(
        [],
        next={"anyOf": [said, NULL], "default": None} if null else {**said, "default": None},
        small={"type": "array", "items": {"anyOf": [reference], "maxProperties": 1}},
    )
    return {**body, "$defs": {"Described": body}}


_QUIET: Json = {"type": "string", "enum": ["quiet"]}
_BOUNDED: Json = {"type": "integer", "minimum": 1}
_INTEGER_OR_NULL: Json = {"anyOf": [INTEGER, NULL]}
_NESTED: Json = {
    "type": "array",
    "prefixItems": [{"anyOf": [{"$ref": "#/$defs/Nested"}, NULL]}],
    "maxItems": 1,
}
_ITSELF: Json = obj([], me={"type": "array", "items": {"$ref": "#/$defs/Itself"}})

RECORDS = [
    Case(Awkward, obj(["type", "items", "properties"], type=STRING,
           items={"type": "array", "items": INTEGER},
           properties={"type": "object", "additionalProperties": INTEGER},
           required={"type": "boolean", "default": True}, default={"type": "integer", "default": 1},
           enum={"type": "string", "enum": ["a"], "default": "a"}),
         accepts=({"type": "a", "items": [], "properties": {}},),
         rejects=({"type": "a", "items": [], "properties": {}, "enum": "b"},)),
    Case(Twice, obj(["left", "right"], left=ITEM, right=ITEM,
           more={"type": "array", "items": ITEM}), accepts=({"left": {"name": "a"},
             "right": {"name": "b"}},), rejects=({"left": {"name": "a"}, "right": {}},)),
    Case(Constrained, mcp=obj(["a"], a={"type": "integer", "minimum": 1, "maximum": 9,
             "description": "From 1 to 9."}, b={"anyOf": [{"type": "string", "minLength": 1}, NULL],
             "default": None}, c={"type": "array", "items": {"type": "string", "pattern": "^a"},
             "maxItems": 2}), milo=obj(["a"], a={"type": "integer", "minimum": 1, "maximum": 9,
             "description": "From 1 to 9."}, b={"type": "string", "minLength": 1, "default": None},
           c={"type": "array", "items": {"type": "string", "pattern": "^a"}, "maxItems": 2}),
         accepts=({"a": 1, "b": None, "c": ["ab"]},),
         rejects=({"a": 0}, {"a": 1, "b": ""}, {"a": 1, "c": ["b"]})),
    Case(Method, obj([], x={"type": "integer", "default": 1}), accepts=({},),
         rejects=({"x": "a"},)),
    Case(Item | None, {"anyOf": [ITEM, NULL]}, accepts=({"name": "a"}, None), rejects=(1,),
         id="Item | None"),
    Case(Annotated[Item, Description("Mine.")], {**ITEM, "description": "Mine."},
         accepts=({"name": "a"},), rejects=({},), id="Annotated Item"),
    Case(Annotated[Item, MinLen(1)], {**ITEM, "minProperties": 1}, accepts=({"name": "a"},),
         rejects=({},), id="Item of 1"),
    Case(dict[str, Item], {"type": "object", "additionalProperties": ITEM},
         accepts=({"a": {"name": "b"}},), rejects=({"a": {}},), id="dict[str, Item]"),
    Case(QuotedNone, mcp=obj([], a={"anyOf": [_BOUNDED, NULL], "default": None}),
         milo=obj([], a={**_BOUNDED, "default": None}), accepts=({"a": None}, {"a": 1}),
         rejects=({"a": 0},)),
    Case(Maybe[int | None], mcp=obj([], value={**_INTEGER_OR_NULL, "default": None},
           more={"anyOf": [{"type": "object", "additionalProperties": _INTEGER_OR_NULL}, NULL],
             "default": None}), milo=obj([], value={"type": "integer", "default": None},
           more={"type": "object", "additionalProperties": _INTEGER_OR_NULL, "default": None}),
         accepts=({"value": None, "more": {"a": None}},), rejects=({"value": "a"},),
         id="Maybe[int | None]"),
    Case(Described, mcp=_described(null=True), milo=_described(null=False),
         accepts=({"next": {"next": None}, "small": [{}]},),
         rejects=({"next": 1}, {"small": [{"next": None, "more": 1}]})),
    Case(Painted, obj(["plain", "documented"], plain={"type": "string", "enum": ["red", "green"]},
           documented={**_QUIET, "description": "Of this use."},
           mine={**_QUIET, "description": "Mine.", "default": "quiet"})
               | {"description": "What has a color."},
         accepts=({"plain": "red", "documented": "quiet"},),
         rejects=({"plain": "blue", "documented": "quiet"},)),
    Case(Nones, mcp=obj([], a={"type": "null", "default": None},
           b={"anyOf": [_BOUNDED, NULL], "description": "Text.", "default": None},
           c={**_INTEGER_OR_NULL, "default": None},
           d={"anyOf": [INTEGER, STRING, NULL], "default": None},
           e={"anyOf": [_BOUNDED, NULL], "default": 3},
           f={"anyOf": [{"type": "array", "items": _INTEGER_OR_NULL}, NULL], "default": None}),
         milo=obj([], a={"type": "null", "default": None},
           b={**_BOUNDED, "description": "Text.", "default": None},
           c={"type": "integer", "default": None}, d={"anyOf": [INTEGER, STRING], "default": None},
           e={**_BOUNDED, "default": 3}, f={"type": "array", "items": _INTEGER_OR_NULL,
             "default": None}), accepts=({"b": None, "e": None, "f": [None]},),
         rejects=({"b": 0}, {"e": 0}, {"a": 1})),
    Case(Times, obj([], aware={"type": "string", "format": "date-time",
             "default": "2026-01-01T00:00:00+00:00"},
           naive={"type": "string", "format": "date-time"}, at={"type": "string", "format": "time"},
           whole={"type": "string", "format": "duration", "default": "P1DT2S"},
           half={"type": "string", "format": "duration"},
           back={"type": "string", "format": "duration"})
               | {"description": "Defaults that RFC 3339 has no words for are left out; "
               "the fields stay optional."}, accepts=({}, {"whole": "P1DT2S"}),
         rejects=({"whole": "1 day"},)),
    Case(Child, obj(["a", "b", "c"], a=INTEGER, b={"type": "array", "items": INTEGER}, c=STRING),
         accepts=({"a": 1, "b": [], "c": "x"},), rejects=({"a": 1, "c": "x"},
           {"a": "x", "b": [], "c": "x"})),
    Case(Itself, {**_ITSELF, "$defs": {"Itself": _ITSELF}}, accepts=({"me": [{}]},),
         rejects=({"me": [1]},)),
    Case(Nested, {**_NESTED, "$defs": {"Nested": _NESTED}}, accepts=([], [None], [[[]]]),
         rejects=([1],)),
    Case(
        Couple[int, T][str],  # type: ignore[misc]
        obj(["first", "second"], first=INTEGER, second=STRING),
        accepts=({"first": 1, "second": "a"},),
        rejects=({"first": "a", "second": 1},),
        id="Couple[int, T][str]",
    ),
]  # fmt: skip
