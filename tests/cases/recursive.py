"""Dataclasses that refer to themselves."""

from dataclasses import dataclass, field
from typing import Optional, Self

from tests.cases.case import Case
from tests.fragments import INTEGER, NULL, Json, obj


@dataclass
class Node:
    value: int
    children: "list[Node]"
    parent: Optional["Node"] = None


@dataclass
class Married:
    to: "Spouse | None" = None


@dataclass
class Spouse:
    to: Married


@dataclass
class Chained:
    next: Self | None = None


@dataclass
class Linked(Chained):
    link: list[Self] = field(default_factory=list)


class Tree(dict[str, "Tree | int"]):
    pass


class Nest(list["Nest"]):
    pass


class Forest(Tree):
    pass


def _chained(name: str, *, null: bool) -> Json:
    reference = {"$ref": f"#/$defs/{name}"}
    return obj([], next={"anyOf": [reference, NULL] if null else [reference], "default": None})


def _node(*, null: bool) -> Json:
    reference = {"$ref": "#/$defs/Node"}
    body = obj(
        ["value", "children"],
        value=INTEGER,
        children={"type": "array", "items": reference},
        parent={"anyOf": [reference, NULL] if null else [reference], "default": None},
    )
    return {**body, "$defs": {"Node": body}}


def _spouses(*, null: bool) -> Json:
    spouse: Json = obj(["to"], to={"$ref": "#/$defs/Married"})
    reference = {"$ref": "#/$defs/Spouse"}
    married: Json = obj(
        [], to={"anyOf": [reference, NULL] if null else [reference], "default": None}
    )
    return {**married, "$defs": {"Married": married, "Spouse": spouse}}


def _linked(*, null: bool) -> Json:
    linked = _chained("Linked", null=null)
    linked["properties"]["link"] = {"type": "array", "items": {"$ref": "#/$defs/Linked"}}
    return {**linked, "$defs": {"Linked": linked}}


def _defined(name: str, body: Json) -> Json:
    return {**body, "$defs": {name: body}}


_TREE = {
    "type": "object",
    "additionalProperties": {"anyOf": [{"$ref": "#/$defs/Tree"}, INTEGER]},
}

RECURSIVE = [
    Case(Tree, _defined("Tree", _TREE), accepts=({}, {"a": {"b": 1}, "c": 2}),
         rejects=({"a": {"b": "c"}}, [])),
    Case(Forest, _defined("Tree", _TREE), accepts=({"a": {"b": 1}},), rejects=({"a": "b"},)),
    Case(Nest, _defined("Nest", {"type": "array", "items": {"$ref": "#/$defs/Nest"}}),
         accepts=([], [[], [[]]]), rejects=([1], [[{}]])),
    Case(Node, mcp=_node(null=True), milo=_node(null=False),
         accepts=({"value": 1, "children": [], "parent": None},),
         rejects=({"value": 1, "children": [1]}, {"value": 1})),
    Case(Married, mcp=_spouses(null=True), milo=_spouses(null=False),
         accepts=({}, {"to": {"to": {}}}), rejects=({"to": {}},)),
    Case(Chained, mcp={**_chained("Chained", null=True),
           "$defs": {"Chained": _chained("Chained", null=True)}},
         milo={**_chained("Chained", null=False),
           "$defs": {"Chained": _chained("Chained", null=False)}},
         accepts=({"next": {"next": None}},), rejects=({"next": 1},)),
    Case(Linked, mcp=_linked(null=True), milo=_linked(null=False),
         accepts=({"next": {"link": []}, "link": [{}]},), rejects=({"next": {"link": [1]}},)),
]  # fmt: skip
