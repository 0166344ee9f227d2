"""The assertions of one schema, without references, wrappers and annotations."""

from __future__ import annotations

from typing import Any

from milo_schema.annotations import Json
from milo_schema.json_schema import TYPES
from milo_schema.json_schema.keywords import is_annotation
from milo_schema.json_schema.paths import resolve_reference
from milo_schema.json_schema.validation import is_valid
from milo_schema.json_schema.values import json_type

NOTHING: Json = {"not": {}}
"""The body of a schema that accepts nothing; it is compared by identity."""

_SILENT = frozenset({"$defs", "$schema", "$comment", "discriminator", "propertyOrdering"})
"""Keywords that neither assert nor annotate anything."""

_WRAPPERS = ("anyOf", "oneOf", "allOf")
_ALL_TYPES = frozenset(TYPES)


def follow(schema: Any, root: Any) -> tuple[Json, Any]:
    """Follow references and wrappers: all annotations on the way, and the final schema."""
    annotations: Json = {}
    seen: set[int] = set()
    while type(schema) is not bool:
        annotations = {k: v for k, v in schema.items() if is_annotation(k)} | annotations
        target = None if id(schema) in seen else _stands_for(schema, root)
        seen.add(id(schema))
        if target is None:
            break
        schema = target
    return annotations, schema


def _stands_for(schema: Json, root: Any) -> Any:
    """The target of a schema that is only a reference or has a single branch, or ``None``."""
    asserted = [key for key in schema if not is_annotation(key) and key not in _SILENT]
    only = asserted[0] if len(asserted) == 1 else ""
    if only == "$ref":
        return resolve_reference(schema["$ref"], root)
    return schema[only][0] if only in _WRAPPERS and len(schema[only]) == 1 else None


def body_of(schema: Any, root: Any) -> Json:
    """The assertions of a schema."""
    return asserted_by(follow(schema, root)[1])


def asserted_by(schema: Any) -> Json:
    """A schema without annotations, as an object; ``NOTHING`` if it accepts nothing."""
    if type(schema) is bool:
        return {} if schema else NOTHING
    body: Json = bare(schema)
    if "$ref" in body and len(body) > 1:
        reference = {"$ref": body.pop("$ref")}
        body["allOf"] = [*body.get("allOf", ()), reference]
    if any(asserted_by(branch) == {} for branch in body.get("anyOf", ())):
        del body["anyOf"]  # it accepts anything
    return NOTHING if body in (NOTHING, {"not": True}) else body


def bare(schema: Any) -> Any:
    """A schema without its own annotations."""
    if type(schema) is bool:
        return schema
    return {k: v for k, v in schema.items() if not is_annotation(k) and k not in _SILENT}


def branches_of(schema: Any, root: Any, trail: tuple[int, ...] = ()) -> list[Any]:
    """The branches of a schema that is only a union; otherwise, the schema itself."""
    end = follow(schema, root)[1]
    body = asserted_by(end)
    if body.keys() == {"anyOf"} and id(end) not in trail:
        inner = (*trail, id(end))
        return [each for branch in body["anyOf"] for each in branches_of(branch, root, inner)]
    if type(body.get("type")) is list and choices_of(body) is None:
        return [{**body, "type": each} for each in body["type"]]
    return [schema]


def choices_of(body: Json) -> list[Any] | None:
    """The values that a body lists, except those of another type."""
    if body.get("type") == "null":
        return [None]
    choices: list[Any] | None = [body["const"]] if "const" in body else body.get("enum")
    if choices is None or "type" not in body:
        return choices
    return [value for value in choices if is_valid(value, {"type": body["type"]})]


def choices_keep(old: Json, new: Json, *keywords: str) -> bool:
    """Whether all old choices are valid under the new values of some keywords."""
    choices = choices_of(old)
    asked = {keyword: new[keyword] for keyword in keywords if keyword in new}
    return choices is not None and all(is_valid(value, asked) for value in choices)


def types_of(body: Json) -> frozenset[str]:
    """The JSON types that a body accepts; an integer is a number, too."""
    named = body.get("type")
    choices = choices_of(body)
    if named is not None:
        types = {named} if type(named) is str else set(named)
    elif choices is not None:
        types = {json_type(value) for value in choices}
    else:
        return _ALL_TYPES
    return frozenset(types | {"integer"} if "number" in types else types)


def named_properties(body: Json) -> Json:
    """The properties that a body names, including those that are only required."""
    properties: Json = body.get("properties", {})
    others = True if "patternProperties" in body else body.get("additionalProperties", True)
    return properties | {
        name: others for name in body.get("required", ()) if name not in properties
    }
