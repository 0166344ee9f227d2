"""Dataclasses with type parameters."""

from dataclasses import dataclass
from typing import Generic, Unpack

import typing_extensions as te

from tests.cases.case import Case
from tests.cases.shared import T, Ts, U
from tests.fragments import BOOLEAN, INTEGER, NULL, STRING, Json, obj


@dataclass
class Page(Generic[T]):
    items: list[T]
    next: "Page[T] | None" = None


@dataclass
class IntPage(Page[int]):
    total: int = 0


@dataclass
class Couple(Generic[T, U]):
    first: T
    second: U


@dataclass
class Swapped(Couple[U, T]):
    pass


@dataclass
class Fixed(Couple[int, T]):
    third: "list[T]"


@dataclass
class Shaped(Generic[T, Unpack[Ts]]):
    first: T
    rest: tuple[*Ts]


D = te.TypeVar("D", default=int)


@dataclass
class WithDefault(Generic[D]):
    value: D


def _page(item: Json, name: str, *, null: bool) -> Json:
    """The schema of a ``Page`` of something."""
    reference = {"$ref": f"#/$defs/{name}"}
    body: Json = obj(
        ["items"],
        items={"type": "array", "items": item},
        next={"anyOf": [reference, NULL] if null else [reference], "default": None},
    )
    return {**body, "$defs": {name: body}}


GENERICS = [
    Case(Page[int], mcp=_page(INTEGER, "Page_int", null=True),
         milo=_page(INTEGER, "Page_int", null=False),
         accepts=({"items": [1], "next": {"items": []}},),
         rejects=({"items": ["a"]}, {"items": [], "next": {"items": ["a"]}}), id="Page[int]"),
    Case(Page[list[str]], mcp=_page({"type": "array", "items": STRING}, "Page_list_str", null=True),
         milo=_page({"type": "array", "items": STRING}, "Page_list_str", null=False),
         accepts=({"items": [["a"]]},), rejects=({"items": ["a"]},), id="Page[list[str]]"),
    Case(IntPage, mcp={**_page(INTEGER, "Page_int", null=True),
           "properties": {**_page(INTEGER, "Page_int", null=True)["properties"],
             "total": {"type": "integer", "default": 0}}},
         milo={**_page(INTEGER, "Page_int", null=False),
           "properties": {**_page(INTEGER, "Page_int", null=False)["properties"],
             "total": {"type": "integer", "default": 0}}},
         accepts=({"items": [1], "total": 1, "next": {"items": [2]}},),
         rejects=({"items": ["a"]},)),
    Case(Couple[int, str], obj(["first", "second"], first=INTEGER, second=STRING),
         accepts=({"first": 1, "second": "a"},), rejects=({"first": "a", "second": 1},),
         id="Couple[int, str]"),
    Case(Couple[int, None], obj(["first", "second"], first=INTEGER, second=NULL),
         accepts=({"first": 1, "second": None},), rejects=({"first": 1, "second": 1},),
         id="Couple[int, None]"),
    Case(Swapped[int, str], obj(["first", "second"], first=INTEGER, second=STRING),
         accepts=({"first": 1, "second": "a"},), rejects=({"first": "a", "second": 1},),
         id="Swapped[int, str]"),
    Case(Fixed[str], obj(["first", "second", "third"], first=INTEGER, second=STRING,
           third={"type": "array", "items": STRING}),
         accepts=({"first": 1, "second": "a", "third": ["b"]},),
         rejects=({"first": 1, "second": "a", "third": [1]},), id="Fixed[str]"),
    Case(Shaped[int, str, bool], obj(["first", "rest"], first=INTEGER,
           rest={"type": "array", "prefixItems": [STRING, BOOLEAN], "minItems": 2, "maxItems": 2}),
         accepts=({"first": 1, "rest": ["a", True]},), rejects=({"first": 1, "rest": ["a"]},),
         id="Shaped[int, str, bool]"),
    Case(Shaped[int], obj(["first", "rest"], first=INTEGER, rest={"type": "array", "maxItems": 0}),
         accepts=({"first": 1, "rest": []},), rejects=({"first": 1, "rest": ["a"]},),
         id="Shaped[int]"),
    Case(Shaped[int, tuple[*Ts]], obj(["first", "rest"], first=INTEGER,  # its own parameter
           rest={"type": "array", "prefixItems": [{"type": "array", "items": {}}], "minItems": 1,
                 "maxItems": 1}),
         accepts=({"first": 1, "rest": [["a", 1]]},), rejects=({"first": 1, "rest": ["a"]},),
         id="Shaped[int, tuple[*Ts]]"),
    Case(Shaped[int, Unpack[tuple[*Ts]]], obj(["first", "rest"], first=INTEGER,
           rest={"type": "array", "items": {}}),
         accepts=({"first": 1, "rest": ["a", 1]},), rejects=({"first": 1},),
         id="Shaped[int, Unpack[tuple[*Ts]]]"),
    Case(Couple[Couple[int, str], list[Couple[int, str]]],
         obj(["first", "second"], first=obj(["first", "second"], first=INTEGER, second=STRING),
           second={"type": "array", "items": obj(["first", "second"], first=INTEGER,
               second=STRING)}), accepts=({"first": {"first": 1, "second": "a"}, "second": []},),
         rejects=({"first": 1, "second": []},), id="Couple of Couples"),
    Case(WithDefault, obj(["value"], value=INTEGER), accepts=({"value": 1},),
         rejects=({"value": "a"},)),
    Case(WithDefault[str], obj(["value"], value=STRING), accepts=({"value": "a"},),
         rejects=({"value": 1},), id="WithDefault[str]"),
]  # fmt: skip
