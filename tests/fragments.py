"""Fragments of schemas that tests expect, and helpers that write the rest of one."""

from collections.abc import Iterable
from typing import Any

from milo_schema import profiles, type_to_schema

Json = dict[str, Any]

STRING: Json = {"type": "string"}
INTEGER: Json = {"type": "integer"}
NUMBER: Json = {"type": "number"}
BOOLEAN: Json = {"type": "boolean"}
NULL: Json = {"type": "null"}
BASE64: Json = {"type": "string", "contentEncoding": "base64"}


def obj(required: Iterable[str], /, **properties: Json | bool) -> Json:
    """The schema of an object: the names of its required properties, and the schema of each.

    ``obj(["a"], a=INTEGER, b=STRING)`` requires ``a`` and allows ``b``. Further keywords follow:
    ``obj([], a=INTEGER) | {"description": "All of it is optional."}``.
    """
    schema: Json = {"type": "object", "properties": properties}
    names = list(required)
    return {**schema, "required": names} if names else schema


def array_of(items: Json | bool) -> Json:
    """The schema of an array of these."""
    return {"type": "array", "items": items}


def set_of(items: Json) -> Json:
    """The schema of an array without duplicates."""
    return {"type": "array", "items": items, "uniqueItems": True}


def map_of(values: Json | bool, **keywords: Any) -> Json:
    """The schema of an object with these values, whatever its keys."""
    return {"type": "object", "additionalProperties": values, **keywords}


def record(**properties: Json | bool) -> Json:
    """The schema of an object that requires all its properties."""
    return obj(properties, **properties)


def any_of(*schemas: Json) -> Json:
    """The schema of a value that one of these accepts."""
    return {"anyOf": list(schemas)}


def fixed(*items: Json) -> Json:
    """The schema of an array of exactly these."""
    size = len(items)
    return {"type": "array", "prefixItems": list(items), "minItems": size, "maxItems": size}


def exact(tp: Any) -> Json:
    """The schema of an annotation that holds most: profile MCP, strict mode."""
    return type_to_schema(tp, strict=True, profile=profiles.MCP)


def taking(annotation: Any, *default: Any) -> Any:
    """A function ``command`` with the parameter ``x`` of this annotation, and with this default."""

    def command(x): ...

    command.__annotations__["x"], command.__defaults__ = annotation, default or None
    return command
