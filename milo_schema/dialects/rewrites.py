"""Rewrite one node of a schema with the keywords that the dialect has.

Each rewrite is called with a node, its dialect, the describer, and the list of phrases that its
description will end with; it returns a new node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from milo_schema.annotations import Fragment
from milo_schema.dialects.consumers import Dialect
from milo_schema.dialects.descriptions import MAPPING_KEYWORDS, Describer
from milo_schema.json_schema.keywords import KEYWORDS

Rewrite = Callable[[Fragment, Dialect, Describer, list[str]], Fragment]


def _finite(node: Fragment, _dialect: Dialect, _describer: Describer, _: list[str]) -> Fragment:
    """Drop an enum that has every value of its type."""
    values = node.get("enum", ())
    is_all = len(values) == _HOW_MANY[node["type"]]
    return {key: node[key] for key in node if key != "enum"} if is_all else node


_HOW_MANY = {"boolean": 2, "null": 1}


def _number(node: Fragment, dialect: Dialect, _describer: Describer, _: list[str]) -> Fragment:
    """Replace an exclusive bound with an inclusive one; it is exact only for integers."""
    result = dict(node)
    for exclusive, inclusive, step, narrower in _EXCLUSIVE:
        bound = node.get(exclusive)
        if bound is None or exclusive in dialect.keywords or inclusive not in dialect.keywords:
            continue
        if node["type"] == "integer":
            del result[exclusive]
            bound = int(bound // step * step) + step
        result[inclusive] = narrower(bound, node.get(inclusive, bound))
    return result


_EXCLUSIVE: list[tuple[str, str, int, Callable[[Any, Any], Any]]] = [
    (name, row.inclusive, 1 if row.narrower is max else -1, row.narrower)
    for name, row in KEYWORDS.items()
    if row.inclusive and row.narrower
]
"""An exclusive bound, the inclusive one, and the step between them for integers."""


def _array(node: Fragment, dialect: Dialect, describer: Describer, phrases: list[str]) -> Fragment:
    """Replace a tuple with an array of all its types; the description has the positions."""
    prefix, rest = node.get("prefixItems"), node.get("items", {})
    if prefix and "prefixItems" in dialect.keywords:
        return _with_positions(node)
    result = {key: value for key, value in node.items() if key not in ("prefixItems", "items")}
    if prefix:
        is_fixed = node.get("maxItems") == len(prefix) or rest is False
        types = [*prefix, *([] if is_fixed else [rest])]
        result["items"] = {"anyOf": types}
        if is_fixed:
            result["maxItems"] = len(prefix)
        is_counted = is_fixed and node.get("minItems") == len(prefix)
        is_lost = is_counted and "maxItems" not in dialect.keywords
        if is_lost or any(each != types[0] for each in types):
            phrases.append(describer.array(node))
        if is_lost:  # the phrase includes it
            del result["minItems"], result["maxItems"]
    elif node.get("maxItems") == 0:
        result["items"] = {"type": "string"}  # there are no items
    else:
        result["items"] = rest
    return result


def _with_positions(node: Fragment) -> Fragment:
    """A tuple for a dialect that has a keyword for positions."""
    if node.get("items") is not False:
        return node
    length = len(node["prefixItems"])
    fixed = {key: node[key] for key in node if key != "items"}
    return {**fixed, "maxItems": min(length, node.get("maxItems", length))}


def _object(node: Fragment, dialect: Dialect, describer: Describer, phrases: list[str]) -> Fragment:
    """Replace a mapping with an object; the description has the types of its keys and values."""
    result = {key: value for key, value in node.items() if key not in MAPPING_KEYWORDS}
    _require_known(result, phrases)
    others = node.get("additionalProperties")
    has_keyword = "additionalProperties" in dialect.keywords and "patternProperties" not in node
    if has_keyword and others not in (None, True, {}):
        result["additionalProperties"] = others
        if "propertyNames" in node:
            phrases.append(describer.other_properties(node))
    elif is_mapping(node):
        phrases.append(describer.other_properties(node))
    elif node.get("additionalProperties") is False and not dialect.closed:
        phrases.append("no other properties")
    return result


def is_mapping(node: Fragment) -> bool:
    """Whether an object has a schema for additional properties."""
    others = node.get("additionalProperties")
    return type(others) is dict or "propertyNames" in node or "patternProperties" in node


def is_open(node: Fragment) -> bool:
    """Whether an object is meant to have additional properties."""
    others = node.get("additionalProperties")
    has_none = "properties" in node or others is False
    return is_mapping(node) or others is True or not has_none


def _require_known(node: Fragment, phrases: list[str]) -> None:
    """Require only properties that exist: OpenAI refuses a name without a schema."""
    required, known = node.get("required", []), node.get("properties", {})
    if unknown := [name for name in required if name not in known]:
        node["required"] = [name for name in required if name in known]
        phrases.append(f"with {', '.join(unknown)}")


REWRITES: dict[str, Rewrite] = {
    "array": _array,
    "boolean": _finite,
    "integer": _number,
    "null": _finite,
    "object": _object,
    "number": _number,
}
"""The rewrite for each type of node."""
