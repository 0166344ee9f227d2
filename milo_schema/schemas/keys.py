"""The keys of a mapping. In JSON, keys are strings; their type restricts these strings."""

from __future__ import annotations

from milo_schema.annotations import Any, Fragment
from milo_schema.annotations.display import display
from milo_schema.json_schema.unions import simplify
from milo_schema.json_schema.values import NotJSONError, to_key
from milo_schema.schemas.definitions import look_through
from milo_schema.schemas.walk import Walk


def property_names(key: Any, walk: Walk) -> Fragment:
    """The schema of the strings that are keys of a type; empty if any string is."""
    try:
        return _as_key(walk.schema(key), walk)
    except NotJSONError:
        walk.complain(
            f"a JSON object cannot have keys of type {display(key)}; use str",
            key,
            code="unsupported-type",
        )
        return {}


def _as_key(fragment: Fragment, walk: Walk) -> Fragment:
    """The schema of the strings that represent keys with this schema."""
    fragment = look_through(fragment, walk)
    if "anyOf" in fragment:
        branches = [_as_key(branch, walk) for branch in fragment["anyOf"]]
        return simplify({"anyOf": branches}) if all(branches) else {}
    if "enum" in fragment:
        return {"enum": [to_key(value) for value in fragment["enum"]]}
    json_type = fragment.get("type")
    if type(json_type) is list:
        raise NotJSONError(json_type)
    if json_type in _KEY_PATTERNS:
        if unsaid := fragment.keys() - {"type", "description", "title"}:
            walk.complain(f"keys are strings, so {', '.join(sorted(unsaid))} cannot apply to them")
        return {"pattern": _KEY_PATTERNS[json_type]}
    if json_type == "boolean":
        return {"enum": ["true", "false"]}
    if json_type not in ("string", None) or "$ref" in fragment:
        raise NotJSONError(json_type)
    return {} if fragment == {"type": "string"} else fragment


_KEY_PATTERNS = {
    "integer": "^-?(0|[1-9][0-9]*)$",
    "number": r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$",
}
