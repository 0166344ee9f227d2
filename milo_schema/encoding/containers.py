"""Dumpers of arrays, sets, tuples, mappings and unions, and of values that may be any JSON."""

from __future__ import annotations

import collections
from collections import abc
from typing import Any

from milo_schema.annotations import Arguments, Json
from milo_schema.annotations.classes import MISSING, UnresolvedError
from milo_schema.annotations.display import display
from milo_schema.annotations.evaluation import Scope
from milo_schema.annotations.forms import is_bare, is_form, split
from milo_schema.annotations.resolution import resolve, union_members
from milo_schema.content import serialized
from milo_schema.encoding.dumper import by_class, dump, each_of, expect, is_not, misfit, once
from milo_schema.errors import SchemaError
from milo_schema.json_schema.validation import step_to
from milo_schema.json_schema.values import json_key
from milo_schema.schemas import containers
from milo_schema.schemas.walk import Walk

_SEQUENCES = (list, tuple, range, collections.deque)
"""Classes with the same JSON, so an instance of one is accepted for another."""


def array(value: Any, tp: Any, args: Arguments, walk: Walk) -> list[Any]:
    """A list, or another sequence."""
    expect(value, (split(tp)[0], *_SEQUENCES), tp, walk)
    return _items(value, tp, args, walk)


def _items(value: Any, tp: Any, args: Arguments, walk: Walk) -> list[Any]:
    if issubclass(type(value), (str, bytes, bytearray)):
        raise misfit(is_not(value, tp), tp, walk)
    item, items = args[0] if args else Any, enumerate(each_of(value, tp, walk))
    return [dump(each, item, walk.at(f"[{index}]")) for index, each in items]


def unique_array(value: Any, tp: Any, args: Arguments, walk: Walk) -> list[Any]:
    """A set, in a stable order; two items may be the same in JSON."""
    expect(value, (split(tp)[0], set, frozenset), tp, walk)
    items = {json_key(item): item for item in _items(value, tp, args, walk)}
    return sorted(items.values(), key=_order)


def _order(item: Any) -> tuple[str, Any]:
    is_simple = type(item) in (str, int, float)
    return type(item).__name__, item if is_simple else repr(item)


def items_view(value: Any, tp: Any, args: Arguments, walk: Walk) -> list[Any]:
    """The items of a mapping, as pairs."""
    expect(value, abc.ItemsView, tp, walk)
    return _items(value, tp, (containers.pair(args),), walk)


def tuple_(value: Any, tp: Any, args: Arguments, walk: Walk) -> list[Any]:
    """A tuple: each item has its own annotation."""
    expect(value, _SEQUENCES, tp, walk)
    if not args and is_bare(tp):
        return array(value, tuple, (), walk)
    head, rest, tail = containers.layout(args, walk.scope)
    more = len(value) - len(head) - len(tail)
    if more < 0 or (more and rest is MISSING):
        least = "at least " if rest is not MISSING else ""
        wanted = f"{least}{len(head) + len(tail)} items for {display(tp)}"
        raise misfit(f"expected {wanted}, got {len(value)}", tp, walk)
    annotations = [*head, *[rest] * more, *tail]
    pairs = enumerate(zip(each_of(value, tp, walk), annotations, strict=True))
    return [dump(item, each, walk.at(f"[{index}]")) for index, (item, each) in pairs]


def mapping(value: Any, tp: Any, args: Arguments, walk: Walk) -> Json:
    """A mapping; its keys are written as strings."""
    expect(value, (split(tp)[0], abc.Mapping), tp, walk)
    key, item = args or (Any, Any)
    json: Json = {}
    for name, each in each_of(value.items(), tp, walk):
        text = _key(dump(name, key, walk), tp, walk)
        if text in json:
            raise misfit(f"two keys are both {text!r} in JSON", tp, walk)
        json[text] = dump(each, item, walk.at(step_to(text)))
    return json


def counter(value: Any, tp: Any, args: Arguments, walk: Walk) -> Json:
    """A mapping with counts as its values."""
    return mapping(value, tp, (*(args or (Any,)), int), walk)


def _key(json: Any, tp: Any, walk: Walk) -> str:
    """The string for a key, as ``json`` writes it, if the schema allows such a key."""
    if type(json) is str:
        return json
    if type(json) not in (bool, int, float):
        raise misfit(f"{display(json)} cannot be a key of a JSON object", tp, walk)
    return serialized(json)


def union(value: Any, tp: Any, args: Arguments, walk: Walk) -> Any:
    """The member that fits: the one with the class of the value, otherwise the first."""
    members = [member for arg in args for member in _members(arg, walk)]
    ordered = sorted(members, key=lambda member: member[0] is not type(value))
    others = [member for member in ordered if member[0] is not None and member[0] is not type(None)]
    if value is not None and len(others) == 1:
        _, member, inner = others[0]
        return dump(value, member, inner)  # for its own error, which has the path
    for _, member, inner in ordered:
        try:
            return dump(value, member, inner)
        except SchemaError:
            continue
    raise misfit(is_not(value, tp), tp, walk)


def _members(tp: Any, walk: Walk) -> list[tuple[Any, Any, Walk]]:
    """The members in one argument of a union: head, annotation and walk of each."""
    if type(tp) is type or tp is None:  # most are
        return [(tp, tp, walk)]
    members = once(_resolved_members, tp, walk)
    return [(head, member, walk.within(scope)) for head, member, scope in members]


def _resolved_members(tp: Any, walk: Walk) -> list[tuple[Any, Any, Scope]]:
    try:
        members = union_members(tp, walk.scope)
    except UnresolvedError:  # another member may fit
        return [(tp, tp, walk.scope)]
    found = [(resolve(each, scope).head, each, scope) for each, scope in members]
    return [member for member in found if not is_form(member[0], "Never")]


def never(value: Any, tp: Any, _args: Arguments, walk: Walk) -> Any:
    """``Never``: no value fits."""
    raise misfit(f"got {display(value)}, but {display(tp)} has no values", tp, walk)


def anything(value: Any, _tp: Any, _args: Arguments, walk: Walk) -> Any:
    """A value of ``Any``: its class determines the JSON."""
    return by_class(value, walk)
