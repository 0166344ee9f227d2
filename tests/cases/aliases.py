"""Names for other annotations: ``NewType``, aliases, and the syntax of PEP 695."""

from typing import Annotated, Any, NewType, TypedDict, Union

import typing_extensions as te

from milo_schema import Ge, MaxLen
from tests.cases.case import Case, Source
from tests.cases.shared import T
from tests.cases.unions import INTEGER_OR_STRING
from tests.fragments import (
    BOOLEAN,
    INTEGER,
    NULL,
    STRING,
    Json,
    any_of,
    array_of,
    fixed,
    map_of,
    obj,
)

UserId = NewType("UserId", int)
AdminId = NewType("AdminId", UserId)
Grid = NewType("Grid", list[list[int]])
OldJson = Union[str, int, None, list["OldJson"], dict[str, "OldJson"]]
TeAlias = te.TypeAliasType("TeAlias", list[int])
TePair = te.TypeAliasType("TePair", tuple[T, T], type_params=(T,))
TeTree = te.TypeAliasType("TeTree", dict[str, "TeTree"])
Few = te.TypeAliasType("Few", "list[Annotated[Few, MaxLen(2)]]")
ManyNames = list[T] | T
_OLD_REFERENCE = {"$ref": "#/$defs/OldJson"}
_OLD_ARMS = [
    STRING,
    INTEGER,
    {"type": "array", "items": _OLD_REFERENCE},
    {"type": "object", "additionalProperties": _OLD_REFERENCE},
]
_OLD_JSON: Json = {"anyOf": [*_OLD_ARMS, NULL]}
_FEW = array_of(
    {"anyOf": [{"$ref": "#/$defs/Few"}], "maxLength": 2, "maxItems": 2, "maxProperties": 2}
)
_WITHOUT_NULL: Json = {"anyOf": _OLD_ARMS}


class Document(TypedDict):
    body: "OldJson"


def _pep695(text: str, mcp: Json | None, **rest: Any) -> Case:
    """A row that begins with a PEP 695 statement and ends with the annotation."""
    *statements, last = text.split("; ")
    source = "\n".join([_PRELUDE, *statements, f"TYPE = {last}"])
    return Case(
        Source(source),
        mcp,
        needs=rest.pop("needs", "python>=3.12"),
        id=" ".join(text.split()),
        **rest,
    )


_PRELUDE = """
from dataclasses import dataclass
from typing import *
from milo_schema import *
"""

ALIASES = [
    Case(UserId, INTEGER, accepts=(1,), rejects=("a",), id="NewType"),
    Case(AdminId, INTEGER, accepts=(1,), rejects=("a",), id="NewType of a NewType"),
    Case(Grid, {"type": "array", "items": {"type": "array", "items": INTEGER}}, accepts=([[1]],),
         rejects=([1],), id="NewType of list"),
    Case(Annotated[UserId, Ge(1)], {"type": "integer", "minimum": 1}, accepts=(1,), rejects=(0,),
         id="Annotated NewType"),
    Case(NewType("Short", Annotated[str, MaxLen(2)]), {"type": "string", "maxLength": 2},
         accepts=("ab",), rejects=("abc",), id="NewType of Annotated"),
    Case(te.NewType("TeId", int), INTEGER, accepts=(1,), rejects=("a",), id="te.NewType"),
    Case(TeAlias, {"type": "array", "items": INTEGER}, accepts=([1],), rejects=(["a"],),
         id="te.TypeAliasType"),
    Case(TePair[int], {"type": "array", "prefixItems": [INTEGER, INTEGER], "minItems": 2,
           "maxItems": 2}, accepts=([1, 2],), rejects=([1, "a"],), id="te.TypeAliasType[int]"),
    Case(TePair, {"type": "array", "prefixItems": [{}, {}], "minItems": 2, "maxItems": 2},
         accepts=([1, "a"],), rejects=([1],), id="te.TypeAliasType bare"),
    Case(TeTree, {"type": "object", "additionalProperties": {"$ref": "#/$defs/TeTree"},
           "$defs": {"TeTree": map_of({"$ref": "#/$defs/TeTree"})}}, accepts=({"a": {"b": {}}},),
         rejects=({"a": 1},), id="te.TypeAliasType recursive"),
    Case(Few, _FEW | {"$defs": {"Few": _FEW}}, accepts=([], [[], [[]]]),
         rejects=(["a"], [[[], [], []]]), id="te.TypeAliasType recursive, with metadata"),
    Case(te.TypeAliasType("InText", "list[int]"), {"type": "array", "items": INTEGER},
         accepts=([1],), rejects=(["a"],), id="te.TypeAliasType of a string"),
    Case(ManyNames[int], {"anyOf": [{"type": "array", "items": INTEGER}, INTEGER]},
         accepts=(1, [1]), rejects=("a",), id="generic union"),
    Case(Document, mcp=obj(["body"], body=_OLD_JSON) | {"$defs": {"OldJson": _OLD_JSON}},
         milo=obj(["body"], body=_WITHOUT_NULL) | {"$defs": {"OldJson": _OLD_JSON}},
         accepts=({"body": {"a": [1, {"b": None}]}},), rejects=({"body": 1.5}, {"body": [1.5]})),
    _pep695("type Ints = list[int]; Ints", {"type": "array", "items": INTEGER}, accepts=([1],),
            rejects=(["a"],)),
    _pep695("type Pair[T] = tuple[T, T]; Pair[int]",
            {"type": "array", "prefixItems": [INTEGER, INTEGER], "minItems": 2, "maxItems": 2},
            accepts=([1, 2],), rejects=([1],)),
    _pep695("type Pair[T] = tuple[T, T]; Pair",
            {"type": "array", "prefixItems": [{}, {}], "minItems": 2, "maxItems": 2},
            accepts=([1, "a"],), rejects=([1],)),
    _pep695("type Pair[T] = tuple[T, T]; dict[str, Pair[Pair[int]]]",
            map_of({"type": "array", "prefixItems": ([{"type": "array",
                    "prefixItems": [INTEGER, INTEGER], "minItems": 2, "maxItems": 2}] * 2),
                "minItems": 2, "maxItems": 2}), accepts=({"a": [[1, 2], [3, 4]]},),
            rejects=({"a": [1, 2]},)),
    _pep695("type Maybe[T] = T | None; Maybe[int]", {"anyOf": [INTEGER, NULL]}, accepts=(1, None),
            rejects=("a",)),
    _pep695("type Maybe[T] = T | None; list[Maybe[int] | Maybe[str]]",
            {"type": "array", "items": {"anyOf": [INTEGER, STRING, NULL]}},
            accepts=([1, "a", None],), rejects=([1.5],)),
    _pep695("type Short = Annotated[str, MaxLen(2), Description('Short.')]; Short",
            {"type": "string", "maxLength": 2, "description": "Short."}, accepts=("ab",),
            rejects=("abc",)),
    _pep695("type Short = Annotated[str, MaxLen(2)]; Annotated[Short, MinLen(1)]",
            {"type": "string", "maxLength": 2, "minLength": 1}, accepts=("ab",),
            rejects=("abc", "")),
    _pep695("type Ints = list[int]; Annotated[Ints, MinLen(1)]",
            {"type": "array", "items": INTEGER, "minItems": 1}, accepts=([1],), rejects=([],)),
    _pep695("type Tree = list[Tree]; Tree", {"type": "array", "items": {"$ref": "#/$defs/Tree"},
              "$defs": {"Tree": array_of({"$ref": "#/$defs/Tree"})}}, accepts=([[], [[]]],),
            rejects=([1],)),
    _pep695("type Tree[T] = dict[str, Tree[T] | T]; Tree[int]",
            {"type": "object", "additionalProperties": any_of({"$ref": "#/$defs/Tree_int"},
                INTEGER), "$defs": {"Tree_int": map_of(any_of({"$ref": "#/$defs/Tree_int"},
                    INTEGER))}}, accepts=({"a": {"b": 1}},), rejects=({"a": "b"},)),
    _pep695("type Json = str | list[Json] | dict[str, Json] | None; Json",
            {"anyOf": [STRING, array_of({"$ref": "#/$defs/Json"}), map_of({"$ref": "#/$defs/Json"}),
                NULL], "$defs": {"Json": any_of(STRING, array_of({"$ref": "#/$defs/Json"}),
                  map_of({"$ref": "#/$defs/Json"}), NULL)}}, accepts=({"a": [None, "b"]},),
            rejects=([1],)),
    _pep695("type A = list[B]; type B = dict[str, A]; A",
            {"type": "array", "items": {"$ref": "#/$defs/B"},
              "$defs": {"A": array_of({"$ref": "#/$defs/B"}), "B": map_of({"$ref": "#/$defs/A"})}},
            accepts=([{"a": []}],), rejects=([1],)),
    _pep695("type Row[*Ts] = tuple[int, *Ts]; Row[str, bool]",
            {"type": "array", "prefixItems": [INTEGER, STRING, BOOLEAN], "minItems": 3,
              "maxItems": 3}, accepts=([1, "a", True],), rejects=([1],)),
    _pep695("@dataclass\nclass Box[T]:\n    value: T; Box[int]", obj(["value"], value=INTEGER),
            accepts=({"value": 1},), rejects=({"value": "a"},)),
    _pep695("@dataclass\nclass Box[T: int]:\n    value: T; Box", obj(["value"], value=INTEGER),
            accepts=({"value": 1},), rejects=({"value": "a"},)),
    _pep695("@dataclass\nclass Box[T: (int, str)]:\n    value: T; Box",
            obj(["value"], value=INTEGER_OR_STRING), accepts=({"value": "a"},),
            rejects=({"value": 1.5},)),
    _pep695("class Box[T](TypedDict):\n    value: T\nclass IntBox(Box[int]): pass; IntBox",
            obj(["value"], value=INTEGER), accepts=({"value": 1},), rejects=({"value": "a"},)),
    _pep695("class Two[T](NamedTuple):\n    a: T\n    b: list[T]; Two[int]",
            fixed(INTEGER, array_of(INTEGER)), accepts=([1, [2]],), rejects=([1, ["a"]],)),
    _pep695("@dataclass\nclass Box[T = int]:\n    value: T; Box", obj(["value"], value=INTEGER),
            needs="python>=3.13", accepts=({"value": 1},), rejects=({"value": "a"},)),
    _pep695("@dataclass\nclass Box[T = int, U = list[T]]:\n    value: U; Box[str]",
            obj(["value"], value={"type": "array", "items": STRING}), needs="python>=3.13",
            accepts=({"value": ["a"]},), rejects=({"value": [1]},)),
    _pep695("type Pair[T = int] = tuple[T, T]; Pair",
            {"type": "array", "prefixItems": [INTEGER, INTEGER], "minItems": 2, "maxItems": 2},
            needs="python>=3.13", accepts=([1, 2],), rejects=([1, "a"],)),
    _pep695("class R(TypedDict):\n    a: ReadOnly[int]\n    b: NotRequired[ReadOnly[str]]; R",
            obj(["a"], a=INTEGER, b=STRING), needs="python>=3.13", accepts=({"a": 1},),
            rejects=({"b": "a"},)),
    _pep695("type A = A; A", None, refused=("A", "refers directly to itself")),
    _pep695("type A = A | None; A", None, refused=("A", "refers directly to itself")),
    _pep695("type A = B; type B = A | int; A", None, refused=("A", "refers directly to itself")),
    _pep695("type A = Annotated[A, 1]; A", None, refused=("A", "refers directly to itself")),
    _pep695("type A = Missing; A", {}, milo=STRING, refused=("A", "cannot evaluate A.__value__")),
    _pep695("@dataclass\nclass Grow[T]:\n    next: 'Grow[list[T]] | None' = None; Grow[int]", None,
            refused=("Grow[int].next" + ".next" * 11,
              "type arguments nested deeper than 12 levels")),
]  # fmt: skip
