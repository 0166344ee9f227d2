"""Walk through the subschemas of a JSON Schema, but not through its data.

The value of ``default``, ``enum``, ``const``, ``examples`` or an unknown keyword is data: it is not
treated as a schema even if it looks like one.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Callable, Fragment
from milo_schema.json_schema.keywords import (
    SCHEMA_KEYWORDS,
    SCHEMA_LIST_KEYWORDS,
    SCHEMA_MAP_KEYWORDS,
)


def subschemas_of(schema: Fragment) -> list[Fragment]:
    """The subschemas directly in *schema*, except boolean ones, which contain nothing."""
    found: list[Fragment] = []
    for keyword, value in schema.items():
        if type(value) is dict:
            if keyword in SCHEMA_KEYWORDS:
                found.append(value)
            elif keyword in SCHEMA_MAP_KEYWORDS:
                found += [subschema for subschema in value.values() if type(subschema) is dict]
        elif type(value) is list and keyword in SCHEMA_LIST_KEYWORDS:
            found += [subschema for subschema in value if type(subschema) is dict]
    return found


def schemas_in(schema: Fragment) -> list[Fragment]:
    """The schema and all of its subschemas, each before its own subschemas, in order."""
    found, todo = [], [schema]
    while todo:
        each = todo.pop()
        found.append(each)
        if inner := subschemas_of(each):
            todo += inner[::-1]
    return found


def rebuild(schema: Fragment, change: Callable[[Fragment], Fragment]) -> Fragment:
    """A copy of *schema*, with *change* applied to each subschema directly in it."""

    def changed(value: Any) -> Any:
        return change(value) if type(value) is dict else copy(value)

    result: Fragment = {}
    for keyword, value in schema.items():
        kind = type(value)
        if kind is not dict and kind is not list:
            result[keyword] = value
        elif kind is dict and keyword in SCHEMA_MAP_KEYWORDS:
            result[keyword] = {name: changed(item) for name, item in value.items()}
        elif kind is dict and keyword in SCHEMA_KEYWORDS:
            result[keyword] = change(value)
        elif kind is list and keyword in SCHEMA_LIST_KEYWORDS:
            result[keyword] = [changed(item) for item in value]
        else:
            result[keyword] = copy(value)
    return result


def as_objects(schema: Fragment) -> Fragment:
    """A copy of *schema* in which every subschema of a map or list is an object (Core, 4.3.2).

    A single boolean schema stays as it is, as in ``"additionalProperties": false``.
    """
    result = rebuild(schema, as_objects)
    for keyword, value in result.items():
        if keyword in SCHEMA_MAP_KEYWORDS and type(value) is dict:
            result[keyword] = {name: _as_object(item) for name, item in value.items()}
        elif keyword in SCHEMA_LIST_KEYWORDS and type(value) is list:
            result[keyword] = [_as_object(item) for item in value]
    return result


def _as_object(subschema: Any) -> Any:
    if type(subschema) is not bool:
        return subschema
    return {} if subschema else {"not": {}}


def copy(value: Any) -> Any:
    """A deep copy of a JSON value."""
    if type(value) is dict:
        return {key: copy(item) for key, item in value.items()}
    if type(value) is list:
        return [copy(item) for item in value]
    return value
