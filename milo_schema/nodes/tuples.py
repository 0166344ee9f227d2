"""Nodes of tuples, and arrays with a schema for each position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from milo_schema.annotations import Arguments, Json
from milo_schema.annotations.classes import MISSING
from milo_schema.annotations.forms import display, is_bare, unpacked
from milo_schema.annotations.resolution import layout as unpacked_layout
from milo_schema.annotations.scopes import Scope
from milo_schema.errors import Problem
from milo_schema.json_schema.subschemas import simplify
from milo_schema.json_schema.values import INFINITY
from milo_schema.nodes import Definitions, Named, Reader
from milo_schema.nodes.base import Counted, Dumping, Loading, Node, Place, Refusal, add, construct
from milo_schema.nodes.containers import ANYTHING, ARRAY, SEQUENCES, Array


class Tuple(Counted):
    """``tuple[A, B]``, or with a part of any length, ``tuple[A, *tuple[B, ...]]`` (PEP 646).

    Attributes:
        before: The nodes of the first items.
        between: The node of the items of the part of any length, if there is one.
        after: The nodes of the items after that part.
    """

    __slots__ = ("after", "annotation", "before", "between", "cls")
    kinds = ARRAY

    def __init__(
        self, annotation: Any, cls: Any, before: list[Node], between: Node | None, after: list[Node]
    ) -> None:
        self.annotation: Any = annotation
        self.cls: Any = cls
        self.before: list[Node] = before
        self.between: Node | None = between
        self.after: list[Node] = after

    @classmethod
    def read(
        cls, reader: Reader, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place
    ) -> Node:
        """``tuple``, ``tuple[A, B]``, ``tuple[A, ...]``."""
        if not args and is_bare(tp):
            return Array(tp, head, ANYTHING)
        first, rest, last, scope = layout(args, scope)
        before = [reader.read(each, scope, (place, f"[{i}]")) for i, each in enumerate(first)]
        between = None if rest is MISSING else reader.read(rest, scope, (place, "[]"))
        if between is not None and not before and not last:
            return Array(tp, head, between)
        after = [reader.read(each, scope, (place, "[]")) for each in last]
        return cls(tp, head, before, between, after)

    @property
    def undecodable(self) -> Sequence[Problem | Named]:  # type: ignore[override]
        """Those of the items."""
        nodes = (*self.before, *((self.between,) if self.between else ()), *self.after)
        return [each for node in nodes for each in node.undecodable]

    @property
    def least(self) -> int:  # type: ignore[override]
        """The fewest items."""
        return len(self.before) + len(self.after)

    @property
    def most(self) -> float:  # type: ignore[override]
        """The most items."""
        return self.least if self.between is None else INFINITY

    @property
    def label(self) -> str:  # type: ignore[override]
        """The number of items."""
        count = str(self.least) if self.between is None else f"at least {self.least}"
        return f"an array of {count} items"

    def schema(self, out: Definitions) -> Json:
        """An array.

        JSON Schema cannot count from the end, so the items after the part of any length join it.
        """
        before = [each.schema(out) for each in self.before]
        rest = None
        if self.between is not None:
            others = [each.schema(out) for each in (self.between, *self.after)]
            rest = simplify({"anyOf": others})
        return positions(before, rest, self.least)

    def _nodes(self, length: int) -> list[Node]:
        """The node for each item of a tuple of this length."""
        middle = [] if self.between is None else [self.between] * (length - self.least)
        return [*self.before, *middle, *self.after]

    def load_parts(self, json: Any, run: Loading) -> Any:
        """A tuple of the items."""
        if (problems := self.miscounted(json)) is not None:
            return problems
        values: list[Any] = []
        for node, item in zip(self._nodes(len(json)), json, strict=True):
            value = node.load(item, run)
            if type(value) is Refusal:
                problems = add(problems, value, f"[{len(values)}]")
                if problems.is_full:
                    break
            values.append(value)
        return problems or construct(json, self.cls, values)

    def dump_parts(self, value: Any, run: Dumping) -> Any:
        """A list of the items, each by its own annotation."""
        if not issubclass(type(value), SEQUENCES):
            return run.as_it_is(value, self)
        more = len(value) - self.least
        if more < 0 or (more and self.between is None):
            least = "at least " if self.between is not None else ""
            expected = f"{least}{self.least} items for {display(self.annotation)}"
            return self.misfit(f"expected {expected}, got {len(value)}")
        json: list[Any] = []
        for node, item in zip(self._nodes(len(value)), run.each(value), strict=True):
            found = run.dump(item, node)
            if type(found) is Refusal:
                return found.under(f"[{len(json)}]")
            json.append(found)
        return json


def positions(before: list[Json], rest: Json | None, least: int) -> Json:
    """An array with a schema for each of its first items, and one for the items after them."""
    fragment: Json = {"type": "array"}
    if before:
        fragment["prefixItems"] = before
    if rest is not None:
        fragment["items"] = rest
    if least:
        fragment["minItems"] = least
    if rest is None:
        fragment["maxItems"] = len(before)
    return fragment


def layout(args: Arguments, scope: Scope) -> tuple[list[Any], Any, list[Any], Scope]:
    """The types before the part of any length, the type in it, those after it, and their scope."""
    is_endless = len(args) == 2 and args[1] is ...  # tuple[T, ...]
    if any(unpacked(arg) is not MISSING for arg in (args[:1] if is_endless else args)):
        return *unpacked_layout(args, scope), scope.unbound()
    return ([], args[0], [], scope) if is_endless else (list(args), MISSING, [], scope)
