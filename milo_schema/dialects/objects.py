"""The arguments of a tool as one object: consumers take no union and no reference at the root."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from milo_schema.annotations import Fragment
from milo_schema.dialects.branches import accepts_nothing, normalized, resolved
from milo_schema.dialects.descriptions import Describer, described
from milo_schema.json_schema.subschemas import simplify

_UNIONS = {"anyOf": "at least one of", "oneOf": "exactly one of"}


def object_at_root(
    root: Fragment, bodies: Fragment, consumer: str, report: Callable[[str, str], None]
) -> Fragment:
    """The schema of an object without a reference or a union at its root.

    Args:
        root: The schema, without definitions.
        bodies: The definitions.
        consumer: The name of the consumer in messages.
        report: Called with the path and the reason of what is lost.
    """
    node = resolved(normalized(root), bodies)
    for union, means in _UNIONS.items():
        if union not in node:
            continue
        branches = _objects(node.pop(union), bodies)
        if not branches:
            report("", f"{consumer} supports only an object, and no branch of {union} is one")
            continue
        if len(branches) == 1:
            node = normalized({**node, "allOf": [*node.get("allOf", ()), *branches]})
            continue
        phrase = " | ".join(map(Describer(bodies).schema, branches))
        node = described(_merged(node, branches), [f"{means} {phrase}"])
        report("", f"{consumer} does not support {union} at the root; split the tool")
    return node


def _objects(branches: list[Any], bodies: Fragment) -> list[Fragment]:
    """The branches that accept objects."""
    nodes = [resolved(normalized(each), bodies) for each in branches]
    return [each for each in nodes if "object" in each.get("type", "object")]


def _merged(node: Fragment, branches: list[Fragment]) -> Fragment:
    """An object that accepts what any of the branches accepts."""
    known = node.get("properties", {})
    if node.get("additionalProperties") is not False:
        node["properties"] = {**known, **_properties(branches), **known}
        if all(each.get("additionalProperties") is False for each in branches):
            node["additionalProperties"] = False
    always = [each.get("required", []) for each in branches]
    shared = [name for name in always[0] if all(name in names for names in always)]
    if required := [*dict.fromkeys([*node.get("required", ()), *shared])]:
        node["required"] = required
    return node


def _properties(branches: list[Fragment]) -> Fragment:
    """The properties of all branches; one that differs is a union."""
    found: dict[str, list[Any]] = {}
    for branch in branches:
        for name, each in branch.get("properties", {}).items():
            if not accepts_nothing(normalized(each)):
                found.setdefault(name, []).append({} if each is True else each)
    return {name: simplify({"anyOf": every}) for name, every in found.items()}
