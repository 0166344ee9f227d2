"""What the rows of several families share: fragments of schemas, and type variables."""

from collections.abc import Iterable
from typing import Any, ParamSpec, TypeVar, TypeVarTuple

from tests.cases.case import Json

STRING: Json = {"type": "string"}
INTEGER: Json = {"type": "integer"}
NUMBER: Json = {"type": "number"}
BOOLEAN: Json = {"type": "boolean"}
NULL: Json = {"type": "null"}
BASE64: Json = {"type": "string", "contentEncoding": "base64"}
DECIMAL: Json = {
    "type": "string",
    "pattern": r"^-?([0-9]+(\.[0-9]+)?(E[+-][0-9]+)?|Infinity|s?NaN[0-9]*)$",
}
INTEGER_KEY: Json = {"pattern": "^-?(0|[1-9][0-9]*)$"}
WAY_OUT = "use another type, Annotated[..., Schema({...})], or profile.with_types({...})"

T = TypeVar("T")
U = TypeVar("U")
Ts = TypeVarTuple("Ts")
P = ParamSpec("P")


def obj(required: Iterable[str], /, **properties: Json) -> Json:
    """The schema of an object: the names of its required properties, and the schema of each.

    ``obj(["a"], a=INTEGER, b=STRING)`` requires ``a`` and allows ``b``. Further keywords follow:
    ``obj([], a=INTEGER) | {"description": "All of it is optional."}``.
    """
    schema: Json = {"type": "object", "properties": properties}
    names = list(required)
    return {**schema, "required": names} if names else schema


def array_of(items: Json) -> Json:
    """The schema of an array of these."""
    return {"type": "array", "items": items}


def set_of(items: Json) -> Json:
    """The schema of an array without duplicates."""
    return {"type": "array", "items": items, "uniqueItems": True}


def map_of(values: Json, **keywords: Any) -> Json:
    """The schema of an object with these values, whatever its keys."""
    return {"type": "object", "additionalProperties": values, **keywords}
