"""attrs' classes, and msgspec's structs and metadata."""

from typing import Annotated, ClassVar, Generic

import attrs
import msgspec

from milo_schema import Le
from tests.cases.case import Case
from tests.cases.shared import T
from tests.fragments import INTEGER, NULL, STRING, Json, obj


@attrs.define
class Crate:
    """What holds bottles.

    Attributes:
        size: How many.
    """

    size: int
    label: str | None = None
    bottles: list[str] = attrs.field(factory=list)
    weight: float = attrs.field(init=False)
    shared: ClassVar[int] = 0


@attrs.frozen
class SmallCrate(Crate):
    size: Annotated[int, Le(6)] = 6


@attrs.define
class Stack(Generic[T]):
    top: T
    rest: "Stack[T] | None" = None


class Struct(msgspec.Struct):
    """A struct."""

    a: int
    b: str | None = None
    c: list[int] = []


class Renamed(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    first_name: str
    last_name: str = msgspec.field(name="surname")


class Tagged(msgspec.Struct, tag="t", tag_field="kind"):
    a: int


class AutoTagged(msgspec.Struct, tag=True):
    a: int


class Listlike(msgspec.Struct, array_like=True):
    a: int
    b: str = "x"


class StrictListlike(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    a: int
    b: str = "x"


class TaggedListlike(msgspec.Struct, array_like=True, tag="t"):
    a: int


class GenericStruct(msgspec.Struct, Generic[T]):
    value: T


STACK = {"$ref": "#/$defs/Stack_int"}


def _stack(*, null: bool) -> Json:
    body = obj(
        ["top"], top=INTEGER, rest={"anyOf": [STACK, NULL] if null else [STACK], "default": None}
    )
    return {**body, "$defs": {"Stack_int": body}}


def _crate(size: Json, *, null: bool) -> Json:
    label: Json = (
        {"anyOf": [STRING, NULL], "default": None} if null else {**STRING, "default": None}
    )
    return obj(["size"], size=size, label=label, bottles={"type": "array", "items": STRING}) | {
        "description": "What holds bottles."
    }


_SIZE: Json = {"type": "integer", "description": "How many."}


def _small(*, null: bool) -> Json:
    crate = _crate({**_SIZE, "maximum": 6, "default": 6}, null=null)
    del crate["description"], crate["required"]  # the description is that of the base
    order = ("label", "bottles", "size")
    return {**crate, "properties": {name: crate["properties"][name] for name in order}}


ATTRS = [
    Case(Crate, mcp=_crate(_SIZE, null=True), milo=_crate(_SIZE, null=False),
         accepts=({"size": 1, "label": None},), rejects=({}, {"size": "a"})),
    Case(SmallCrate, mcp=_small(null=True), milo=_small(null=False), accepts=({}, {"size": 6}),
         rejects=({"size": 7},)),
    Case(Stack[int], mcp=_stack(null=True), milo=_stack(null=False),
         accepts=({"top": 1, "rest": {"top": 2}},), rejects=({"top": 1, "rest": {"top": "a"}},),
         id="Stack[int]"),
]  # fmt: skip

STRUCTS = [
    Case(Struct, mcp=obj(["a"], a=INTEGER, b={"anyOf": [STRING, NULL], "default": None},
           c={"type": "array", "items": INTEGER}) | {"description": "A struct."},
         milo=obj(["a"], a=INTEGER, b={**STRING, "default": None},
           c={"type": "array", "items": INTEGER}) | {"description": "A struct."},
         accepts=({"a": 1}, {"a": 1, "b": None, "more": 1}), rejects=({}, {"a": "x"})),
    Case(Renamed, obj(["firstName", "surname"], firstName=STRING,
           surname=STRING) | {"additionalProperties": False},
         accepts=({"firstName": "a", "surname": "b"},),
         rejects=({"first_name": "a"}, {"firstName": "a", "surname": "b", "c": 1})),
    Case(Tagged, obj(["kind", "a"], kind={"type": "string", "enum": ["t"]}, a=INTEGER),
         accepts=({"kind": "t", "a": 1},), rejects=({"a": 1}, {"kind": "u", "a": 1})),
    Case(AutoTagged, obj(["type", "a"], type={"type": "string", "enum": ["AutoTagged"]}, a=INTEGER),
         accepts=({"type": "AutoTagged", "a": 1},), rejects=({"a": 1},)),
    Case(Listlike, {"type": "array", "prefixItems": [INTEGER, STRING], "items": {}, "minItems": 1},
         accepts=([1], [1, "a", None]), rejects=([], ["a"])),
    Case(StrictListlike, {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 1,
           "maxItems": 2}, accepts=([1, "a"],), rejects=([1, "a", 2],)),
    Case(TaggedListlike, {"type": "array", "prefixItems": [{"type": "string", "enum": ["t"]},
             INTEGER], "items": {}, "minItems": 2}, accepts=(["t", 1],), rejects=([1], ["u", 1])),
    Case(GenericStruct[int], obj(["value"], value=INTEGER), accepts=({"value": 1},),
         rejects=({"value": "a"},), id="GenericStruct[int]"),
    Case(Tagged | AutoTagged, {"anyOf": [obj(["kind", "a"], kind={"type": "string", "enum": ["t"]},
               a=INTEGER), obj(["type", "a"], type={"type": "string", "enum": ["AutoTagged"]},
               a=INTEGER)]}, accepts=({"kind": "t", "a": 1},), rejects=({"a": 1},),
         id="Tagged | AutoTagged"),
    Case(Annotated[int, msgspec.Meta(ge=1, lt=9, description="Text.")],
         {"type": "integer", "minimum": 1, "exclusiveMaximum": 9, "description": "Text."},
         accepts=(1,), rejects=(0, 9), id="msgspec.Meta"),
    Case(Annotated[str, msgspec.Meta(min_length=1, max_length=2, pattern="^a")],
         {"type": "string", "minLength": 1, "maxLength": 2, "pattern": "^a"}, accepts=("a",),
         rejects=("b", ""), id="msgspec.Meta str"),
    Case(Annotated[float, msgspec.Meta(multiple_of=0.5, title="T", examples=[1.5],
             extra_json_schema={"x": 1})], {"type": "number", "multipleOf": 0.5, "title": "T",
           "examples": [1.5], "x": 1}, accepts=(1.5,), rejects=(1.2,), id="msgspec.Meta notes"),
]  # fmt: skip
