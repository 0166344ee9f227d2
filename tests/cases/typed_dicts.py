"""``TypedDict``: required and optional keys, inheritance, further keys (PEP 728)."""

from typing import Annotated, Any, Generic, NotRequired, Required, TypedDict

import typing_extensions as te

from milo_schema import Description, Ge
from tests.cases.case import Case, Source
from tests.cases.shared import T, U
from tests.fragments import BOOLEAN, INTEGER, NULL, STRING, Json, obj


class Movie(TypedDict):
    """A film.

    Attributes:
        title: What it is called.
    """

    title: str
    year: int | None


class Loose(TypedDict, total=False):
    a: int
    b: Required[str]


class Tight(TypedDict):
    a: NotRequired[int]
    b: str


class Extended(Tight):
    c: Annotated[int, Ge(0)]


class LooseOnTight(Tight, total=False):
    c: int


class Readable(TypedDict):
    a: te.ReadOnly[int]
    b: te.ReadOnly[NotRequired[str]]
    c: NotRequired[te.ReadOnly[Annotated[int, Ge(1)]]]
    d: Annotated[NotRequired[int], Description("Last.")]


class Empty(TypedDict):
    pass


class Quoted(TypedDict):
    a: "NotRequired[int]"
    b: "list[Quoted]"


class Box(TypedDict, Generic[T]):
    value: T


class IntBox(Box[int]):
    pass


class Shelf(Box[list[U]], Generic[U]):
    label: U


Functional = TypedDict("Functional", {"in": int, "a-b": NotRequired[str], "": bool})

CLOSED = """
from typing_extensions import TypedDict, NotRequired, Never, ReadOnly
class Closed(TypedDict, closed=True):
    a: int
class Open(TypedDict, closed=False):
    a: int
class Extra(TypedDict, extra_items=str):
    a: NotRequired[int]
class NoExtra(TypedDict, extra_items=Never):
    a: int
class ReadOnlyExtra(TypedDict, extra_items=ReadOnly[int | None]):
    a: str
class ClosedChild(Closed):
    pass
class ExtraChild(Extra):
    b: bool
class Tree(TypedDict, extra_items="Tree"):
    pass
"""


def _closed(name: str, mcp: Json, **samples: Any) -> list[Case]:
    """A TypedDict of PEP 728, from typing_extensions and (3.15) from typing."""
    twin = CLOSED.replace("typing_extensions", "typing")
    return [
        Case(
            Source(f"{CLOSED}TYPE = {name}"),
            mcp,
            needs="typing_extensions>=4.13",
            id=f"te.{name} TypedDict",
            **samples,
        ),
        Case(
            Source(f"{twin}TYPE = {name}"),
            mcp,
            needs="python>=3.15",
            id=f"typing.{name} TypedDict",
            **samples,
        ),
    ]


TYPED_DICTS = [
    Case(Movie, mcp=obj(["title", "year"], title={"type": "string",
             "description": "What it is called."}, year={"anyOf": [INTEGER, NULL]})
               | {"description": "A film."}, milo=obj(["title", "year"],
           title={"type": "string", "description": "What it is called."},
           year=INTEGER) | {"description": "A film."},
         accepts=({"title": "a", "year": None}, {"title": "a", "year": 1, "more": 2}),
         rejects=({"title": "a"}, {"title": 1, "year": 1}, [])),
    Case(Loose, obj(["b"], a=INTEGER, b=STRING), accepts=({"b": "x"},),
         rejects=({"a": 1}, {"a": "x", "b": "x"})),
    Case(Tight, obj(["b"], a=INTEGER, b=STRING), accepts=({"b": "x"},), rejects=({"a": 1},)),
    Case(Extended, obj(["b", "c"], a=INTEGER, b=STRING, c={"type": "integer", "minimum": 0}),
         accepts=({"b": "x", "c": 0},), rejects=({"b": "x"}, {"b": "x", "c": -1})),
    Case(LooseOnTight, obj(["b"], a=INTEGER, b=STRING, c=INTEGER), accepts=({"b": "x"},),
         rejects=({"c": 1},)),
    Case(Readable, obj(["a"], a=INTEGER, b=STRING, c={"type": "integer", "minimum": 1},
           d={"type": "integer", "description": "Last."}), accepts=({"a": 1},),
         rejects=({}, {"a": 1, "c": 0})),
    Case(Empty, obj([]), accepts=({}, {"a": 1}), rejects=([],)),
    Case(Quoted, obj(["b"], a=INTEGER, b={"type": "array",
             "items": {"$ref": "#/$defs/Quoted"}}) | {"$defs": {"Quoted": obj(["b"], a=INTEGER,
               b={"type": "array", "items": {"$ref": "#/$defs/Quoted"}})}},
         accepts=({"b": []}, {"b": [{"a": 1, "b": []}]}), rejects=({"a": 1}, {"b": [{}]})),
    Case(Box, obj(["value"], value={}), accepts=({"value": 1},), rejects=({},)),
    Case(Box[int], obj(["value"], value=INTEGER), accepts=({"value": 1},),
         rejects=({"value": "a"},), id="Box[int]"),
    Case(Box[int | None], mcp=obj(["value"], value={"anyOf": [INTEGER, NULL]}),
         milo=obj(["value"], value=INTEGER), accepts=({"value": None},), rejects=({"value": "a"},),
         id="Box[int | None]"),
    Case(IntBox, obj(["value"], value=INTEGER), accepts=({"value": 1},), rejects=({"value": "a"},)),
    Case(Shelf[str], obj(["value", "label"], value={"type": "array", "items": STRING},
           label=STRING), accepts=({"value": ["a"], "label": "b"},),
         rejects=({"value": [1], "label": "b"},), id="Shelf[str]"),
    Case(Functional, {"type": "object", "properties": {"in": INTEGER, "a-b": STRING, "": BOOLEAN},
           "required": ["in", ""]}, accepts=({"in": 1, "": True},), rejects=({"in": 1},)),
    Case(list[Tight], {"type": "array", "items": obj(["b"], a=INTEGER, b=STRING)},
         accepts=([{"b": "x"}],), rejects=([{}],), id="list[Tight]"),
    *_closed("Closed", obj(["a"], a=INTEGER) | {"additionalProperties": False}, accepts=({"a": 1},),
             rejects=({"a": 1, "b": 2},)),
    *_closed("Open", obj(["a"], a=INTEGER), accepts=({"a": 1, "b": 2},), rejects=({},)),
    *_closed("Extra", obj([], a=INTEGER) | {"additionalProperties": STRING},
             accepts=({"a": 1, "b": "x"},), rejects=({"b": 2},)),
    *_closed("NoExtra", obj(["a"], a=INTEGER) | {"additionalProperties": False},
             accepts=({"a": 1},), rejects=({"a": 1, "b": 2},)),
    *_closed("ReadOnlyExtra", obj(["a"], a=STRING) | {"additionalProperties": {"anyOf": [INTEGER,
                   NULL]}}, accepts=({"a": "x", "b": None},), rejects=({"a": "x", "b": "y"},)),
    *_closed("ClosedChild", obj(["a"], a=INTEGER) | {"additionalProperties": False},
             accepts=({"a": 1},), rejects=({"a": 1, "b": 2},)),
    *_closed("ExtraChild", obj(["b"], a=INTEGER, b=BOOLEAN) | {"additionalProperties": STRING},
             accepts=({"b": True, "c": "x"},), rejects=({"b": True, "c": 1},)),
    *_closed("Tree", obj([]) | {"additionalProperties": {"$ref": "#/$defs/Tree"},
               "$defs": {"Tree": obj([]) | {"additionalProperties": {"$ref": "#/$defs/Tree"}}}},
             accepts=({"a": {"b": {}}},), rejects=({"a": {"b": 1}},)),
]  # fmt: skip
