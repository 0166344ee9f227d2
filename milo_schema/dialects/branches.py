"""Split a subschema into simple branches: merge its constraints, then make a node for each type.

A *node* is the result of ``normalized()``. It has an ``allOf`` only for *further constraints*:
those with a keyword that the node already has, with another value. Each is a schema of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from milo_schema.annotations import Fragment
from milo_schema.json_schema import TYPES
from milo_schema.json_schema.keywords import KEYWORDS, is_annotation
from milo_schema.json_schema.values import json_type

ANY_TYPE = [each for each in TYPES if each != "integer"]  # every integer is a number


def normalized(schema: Any) -> Fragment:
    """A subschema as a node: ``const`` becomes an enum, and ``allOf`` is merged if possible."""
    if type(schema) is bool:
        return {} if schema else {"not": {}}
    node: Fragment = dict(schema)
    if "const" in node:
        node["enum"] = [node.pop("const")]
    further: list[Fragment] = []
    for branch in map(normalized, node.pop("allOf", ())):
        further += branch.pop("allOf", ())
        if _is_plain(node) and _is_plain(branch):
            _unite(node, branch)
        for keyword, value in branch.items():
            if node.setdefault(keyword, value) != value:
                further.append({keyword: value})
    return {**node, "allOf": further} if further else node


def _is_plain(node: Fragment) -> bool:
    """Whether an object has no schema for properties that it does not name."""
    is_named = node.get("additionalProperties", True) in (True, False)
    return is_named and "patternProperties" not in node and "propertyNames" not in node


def _unite(node: Fragment, branch: Fragment) -> None:
    """Move the properties of an object to another one: a value has to be valid for both."""
    has_properties = "properties" in node or "properties" in branch
    parts = [node.get("properties", {}), branch.pop("properties", {})]
    if has_properties:
        first, second = parts
        united = {**first, **second}
        for name in first.keys() & second.keys():
            united[name] = {"allOf": [first[name], second[name]]}
        for named, each in zip(parts, (node, branch), strict=True):
            if each.get("additionalProperties") is False:
                united = {name: united[name] for name in united if name in named}
        node["properties"] = united
    if branch.get("additionalProperties") is False:
        node["additionalProperties"] = branch.pop("additionalProperties")
    if required := [*node.get("required", ()), *branch.pop("required", ())]:
        node["required"] = [*dict.fromkeys(required)]


def resolved(node: Fragment, bodies: Fragment) -> Fragment:
    """A node with the definition that it refers to in place of the reference, if it is known."""
    seen: set[str] = set()
    while (name := str(node.get("$ref", "")).removeprefix("#/$defs/")) in bodies.keys() - seen:
        seen.add(name)
        beside = {keyword: node[keyword] for keyword in node if keyword != "$ref"}
        said = {keyword for keyword in beside if is_annotation(keyword)}
        body = normalized(bodies[name])
        body = {keyword: body[keyword] for keyword in body if keyword not in said}
        node = normalized({**beside, "allOf": [*beside.get("allOf", ()), body]})
    return node


def accepts_nothing(node: Fragment) -> bool:
    """Whether the keywords of a node itself allow no value."""
    return node.get("not") in ({}, True) or node.get("enum") == []


def constraints(node: Fragment) -> Fragment:
    """The keywords of a node that can refuse a value."""
    return _select(node, lambda keyword: not is_annotation(keyword))


def further_annotations(node: Fragment) -> Fragment:
    """The annotations in the ``allOf`` of a node, which the node has with other values."""
    return _select({"allOf": node.get("allOf", ())}, lambda k: k == "allOf" or is_annotation(k))


def of_type(node: Fragment, name: str) -> Fragment:
    """A node for one type, without the keywords that apply only to other types."""
    kept = _select(node, lambda each: each not in KEYWORDS or name in KEYWORDS[each].types)
    return {**kept, "type": name}


def _select(node: Fragment, is_wanted: Callable[[str], bool]) -> Fragment:
    """The wanted keywords of a node and of its further constraints."""
    kept = {keyword: value for keyword, value in node.items() if is_wanted(keyword)}
    further = [part for each in kept.pop("allOf", ()) if (part := _select(each, is_wanted))]
    return {**kept, "allOf": further} if further else kept


def shared_constraints(node: Fragment) -> Fragment:
    """The constraints beside a union, which apply to each of its branches."""
    return {
        keyword: value
        for keyword, value in constraints(node).items()
        if keyword not in ("anyOf", "oneOf", "$ref")
    }


def branches_of(node: Fragment) -> list[Fragment]:
    """A node for each branch of a union, or for each type that a node accepts."""
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            shared = shared_constraints(node)
            return [_with_shared(shared, normalized(branch)) for branch in node[keyword]]
    if "enum" in node:
        return _enum_branches(node)
    types = node.get("type", ANY_TYPE)
    if type(types) is str:
        return [node]
    return [of_type(constraints(node), each) for each in types]


def _with_shared(shared: Fragment, branch: Fragment) -> Fragment:
    """A branch with the shared constraints, unless it is a reference, which has no siblings."""
    if "$ref" in branch:
        return branch
    return normalized({**shared, "allOf": [*shared.get("allOf", ()), branch]})


def _enum_branches(node: Fragment) -> list[Fragment]:
    """A branch for each type of the values in an enum."""
    groups: dict[str, list[Any]] = {}
    for value in node["enum"]:
        groups.setdefault(json_type(value), []).append(value)
    if "number" in groups and node.get("type") == "number":
        groups = {"number": node["enum"]}
    if len(groups) == 1:
        (name,) = groups
        written = node.get("type")
        return [{**node, "type": written if type(written) is str else name}]
    shared = constraints(node)
    return [{**shared, "type": name, "enum": values} for name, values in groups.items()]
