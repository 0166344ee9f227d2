"""Tuples with a part of arbitrary length, such as ``tuple[int, *tuple[str, ...]]`` (PEP 646)."""

from __future__ import annotations

from milo_schema.annotations import Any, Arguments
from milo_schema.annotations.classes import MISSING
from milo_schema.annotations.evaluation import Scope
from milo_schema.annotations.forms import unpacked
from milo_schema.annotations.generics import close_all
from milo_schema.annotations.resolution import resolve


def layout(args: Arguments, scope: Scope) -> tuple[list[Any], Any, list[Any]]:
    """The types before the part of arbitrary length, the type in it, and the types after it."""
    args = close_all(args, scope)
    if len(args) == 2 and args[1] is ...:  # noqa: PLR2004 - tuple[T, ...]
        return [], args[0], []
    head: list[Any] = []
    rest: Any = MISSING
    tail: list[Any] = []
    for arg in args:
        before: list[Any] = [arg]
        many, after = MISSING, before[1:]
        if unpacked(arg) is not MISSING:
            before, many, after = _taken_apart(unpacked(arg), scope)
        (head if rest is MISSING else tail).extend(before)
        if many is not MISSING:
            rest = many if rest is MISSING else object
        tail.extend(after)
    return head, rest, tail


def _taken_apart(inner: Any, scope: Scope) -> tuple[list[Any], Any, list[Any]]:
    """The layout of an unpacked tuple; an unbound ``TypeVarTuple`` has items of any type."""
    found = resolve(inner, scope)
    if found.head is tuple:
        return layout(found.args, found.scope)
    return [], object, []
