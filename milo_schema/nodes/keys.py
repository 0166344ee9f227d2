"""The keys of a mapping. In JSON, keys are strings; their type restricts these strings."""

from __future__ import annotations

from typing import Any

from milo_schema.annotations import Json
from milo_schema.annotations.display import display
from milo_schema.json_schema.subschemas import simplify
from milo_schema.json_schema.values import NotJSONError, serialized, to_key
from milo_schema.nodes.base import Node, Place
from milo_schema.nodes.forward import Definitions


def property_names(key: Node, annotation: Any, place: Place, out: Definitions) -> Json:
    """The schema of the strings that are keys of a type; empty if any string is."""
    try:
        return _as_key(out.expand(key.schema(out)), place, out)
    except NotJSONError:
        reason = f"a JSON object cannot have keys of type {display(annotation)}; use str"
        out.report(reason, place, annotation, code="unsupported-type")
        return {}


def _as_key(fragment: Json, place: Place, out: Definitions) -> Json:
    """The schema of the strings that represent keys with this schema."""
    if "anyOf" in fragment:
        branches = [_as_key(branch, place, out) for branch in fragment["anyOf"]]
        return simplify({"anyOf": branches}) if all(branches) else {}
    if "enum" in fragment:
        return {"enum": [to_key(value) for value in fragment["enum"]]}
    json_type = fragment.get("type")
    if type(json_type) is list:
        raise NotJSONError(json_type)
    if json_type in _PATTERNS:
        if lost := fragment.keys() - {"type", "description", "title"}:
            reason = f"keys are strings, so {', '.join(sorted(lost))} cannot apply to them"
            out.report(reason, place)
        return {"pattern": _PATTERNS[json_type]}
    if json_type == "boolean":
        return {"enum": ["true", "false"]}
    if json_type not in ("string", None) or "$ref" in fragment:
        raise NotJSONError(json_type)
    return {} if fragment == {"type": "string"} else fragment


_PATTERNS = {
    "integer": "^-?(0|[1-9][0-9]*)$",
    "number": r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$",
}


def as_key(json: Any) -> str | None:
    """The string for a key, as ``json`` writes it; ``None`` if it cannot be a key."""
    if type(json) is str:
        return json
    return serialized(json) if type(json) in (bool, int, float) else None
