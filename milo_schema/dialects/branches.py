"""One subschema as simple branches: its constraints in one object, then an object for each type.

A *node* is a subschema as ``normalized()`` makes it. It has an ``allOf`` only for *further
constraints*: those whose keyword it has already, with another value. Each of them stands alone.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Callable
from milo_schema.json_schema.keywords import KEYWORDS, TYPES, is_annotation
from milo_schema.json_schema.values import json_type

Fragment = dict[str, Any]

ANY_TYPE = [each for each in TYPES if each != "integer"]  # every integer is a number


def normalized(schema: Any) -> Fragment:
    """A subschema as a node: ``const`` is an enum of one, ``allOf`` is merged where it can be."""
    if type(schema) is bool:
        return {} if schema else {"not": {}}
    node: Fragment = dict(schema)
    if "const" in node:
        node["enum"] = [node.pop("const")]
    further: list[Fragment] = []
    for branch in map(normalized, node.pop("allOf", ())):
        further += branch.pop("allOf", ())
        for keyword, value in branch.items():
            if node.setdefault(keyword, value) != value:
                further.append({keyword: value})
    return {**node, "allOf": further} if further else node


def accepts_nothing(node: Fragment) -> bool:
    """Whether a node says by itself that no value is valid."""
    return node.get("not") in ({}, True) or node.get("enum") == []


def constraints(node: Fragment) -> Fragment:
    """The keywords of a node that may refuse a value."""
    return _select(node, lambda keyword: not is_annotation(keyword))


def further_annotations(node: Fragment) -> Fragment:
    """The annotations of a node that it has already, with another value."""
    return _select({"allOf": node.get("allOf", ())}, lambda k: k == "allOf" or is_annotation(k))


def of_type(node: Fragment, name: str) -> Fragment:
    """A node of a type, without the keywords that are about other types only."""
    kept = _select(node, lambda keyword: _is_about(keyword, name))
    return {**kept, "type": name}


def _is_about(keyword: str, name: str) -> bool:
    return keyword not in KEYWORDS or name in KEYWORDS[keyword].types


def _select(node: Fragment, is_wanted: Callable[[str], bool]) -> Fragment:
    """The keywords of a node that are wanted, and its further constraints that are."""
    kept = {keyword: value for keyword, value in node.items() if is_wanted(keyword)}
    further = [part for each in kept.pop("allOf", ()) if (part := _select(each, is_wanted))]
    return {**kept, "allOf": further} if further else kept


def shared_constraints(node: Fragment) -> Fragment:
    """The constraints beside a union, which hold for each of its branches."""
    return {
        keyword: value
        for keyword, value in constraints(node).items()
        if keyword not in ("anyOf", "oneOf", "$ref")
    }


def branches_of(node: Fragment) -> list[Fragment]:
    """A node for each branch of a union, or for each type that a node admits."""
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
    """A branch, and what holds for each of them; a reference has no siblings."""
    if "$ref" in branch:
        return branch
    return normalized({**shared, "allOf": [*shared.get("allOf", ()), branch]})


def _enum_branches(node: Fragment) -> list[Fragment]:
    """The values of an enum by their types."""
    groups: dict[str, list[Any]] = {}
    for value in node["enum"]:
        groups.setdefault(json_type(value), []).append(value)
    if "number" in groups and node.get("type") == "number":
        groups = {"number": node["enum"]}
    if len(groups) == 1:
        (name,) = groups
        said = node.get("type")
        return [{**node, "type": said if type(said) is str else name}]
    shared = constraints(node)
    return [{**shared, "type": name, "enum": values} for name, values in groups.items()]
