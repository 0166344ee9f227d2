"""One side of a comparison: what its schema asserts, and short text for it and for values."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from milo_schema.annotations import Json
from milo_schema.json_schema import TYPES
from milo_schema.json_schema.keywords import Limit, is_annotation
from milo_schema.json_schema.paths import resolve_reference
from milo_schema.json_schema.validation import is_valid
from milo_schema.json_schema.values import json_key, json_type

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
    if body.keys() <= {"type", "oneOf"} and (values := _listed(body.get("oneOf", ()))):
        body["enum"] = values
        del body["oneOf"]
    return NOTHING if body in (NOTHING, {"not": True}) else body


def _listed(branches: Iterable[Any]) -> list[Any] | None:
    """The values of a ``oneOf`` that lists values, each with its text, as ``enum`` would."""
    bodies = [bare(branch) for branch in branches]
    if any(type(body) is bool or body.keys() != {"const"} for body in bodies):
        return None
    values = [body["const"] for body in bodies]
    return values if len({*map(json_key, values)}) == len(values) else None


def bare(schema: Any) -> Any:
    """A schema without its own annotations."""
    if type(schema) is bool:
        return schema
    return {k: v for k, v in schema.items() if not is_annotation(k) and k not in _SILENT}


def branches_of(schema: Any, root: Any, seen: set[int] | None = None) -> list[Any]:
    """The branches of a schema that is only a union, each once; otherwise, the schema itself."""
    seen = set() if seen is None else seen
    end = follow(schema, root)[1]
    body = asserted_by(end)
    if body.keys() == {"anyOf"}:
        if id(end) in seen:
            return []
        seen.add(id(end))
        return [each for branch in body["anyOf"] for each in branches_of(branch, root, seen)]
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


# -- text for a difference ---------------------------------------------------------------------

ABSENT = object()
"""The value of a keyword that is missing."""


def change_of(name: str, old: Any, new: Any) -> str:
    """The change of a keyword from *old* to *new*."""
    if old is ABSENT:
        return f"{name} {show(new)} added"
    if new is ABSENT:
        return f"{name} {show(old)} removed"
    return "{} {} -> {}".format(name, *_show_both(old, new))


def change_of_limit(
    before: Limit | None, after: Limit | None, names: tuple[str, str], sign: int
) -> str:
    """The change of a limit of numbers, which two keywords can express."""
    was, is_now = (
        "" if limit is None else f"{names[limit[1]]} {show(limit[0] * sign)}"
        for limit in (before, after)
    )
    if before is None or after is None:
        return f"{is_now} added" if before is None else f"{was} removed"
    return f"{was} -> {show(after[0] * sign) if before[1] == after[1] else is_now}"


def show(value: Any) -> str:
    """A JSON value, shortened to a part of a line."""
    return _cut(json.dumps(value, ensure_ascii=False))


def show_list(values: list[Any]) -> str:
    """A few JSON values, shortened to a part of a line."""
    shown = ", ".join(map(show, values[:8]))
    return f"{shown}, ..." if values[8:] else shown


def _cut(text: str, start: int = 0) -> str:
    """A string from *start* on, cut to fit into a line."""
    text = f"... {text[start:]}" if start else text
    return f"{text[:56]} ..." if text[60:] else text


def _show_both(old: Any, new: Any) -> tuple[str, str]:
    """Two values; if they do not fit into a line, from shortly before they differ."""
    texts = [json.dumps(value, ensure_ascii=False) for value in (old, new)]
    same = alike(*texts)
    start = same - _KEPT if same > 2 * _KEPT else 0
    return _cut(texts[0], start), _cut(texts[1], start)


_KEPT = 20
"""How many equal characters are shown before a difference, if there are many."""


def alike(one: str, other: str) -> int:
    """The number of characters before two texts differ."""
    differing = (index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differing, min(len(one), len(other)))


def label_of(schema: Any, root: Any, depth: int = 4) -> str:
    """A readable name for a schema: ``array of integer``, ``string | null``."""
    while type(schema) is dict and len(schema.get("anyOf", ())) == 1:
        (schema,) = schema["anyOf"]
    if type(schema) is dict and "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    branches = branches_of(schema, root)
    if len(branches) > 1 and depth:
        return label_of_union(branches, root, depth - 1)
    annotations, end = follow(schema, root)
    body = asserted_by(end)
    choices = choices_of(body)
    if choices is not None:
        return " | ".join([*map(show, choices[:3]), *(["..."] if choices[3:] else [])])
    if body is NOTHING:
        return "no value"
    name = str(body.get("type", "some values" if body else "any value"))
    inner = body.get({"array": "items", "object": "additionalProperties"}.get(name, ""))
    if type(inner) is dict and inner and depth:
        return f"{name} of {label_of(inner, root, depth - 1)}"
    return str(annotations["title"]) if name == "object" and "title" in annotations else name


def label_of_union(branches: Iterable[Any], root: Any, depth: int = 4) -> str:
    """A readable name for the branches of a union: ``string | null``."""
    return " | ".join(dict.fromkeys(label_of(branch, root, depth) for branch in branches))
