"""Where subschemas live in a JSON Schema, and where data does.

What is under ``default``, ``enum``, ``const``, ``examples`` or a keyword of somebody's own is
data: it may look like a schema, and must never be treated as one.
"""

from __future__ import annotations

from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Fragment = dict[str, Any]

IN_A_MAP = frozenset({"properties", "patternProperties", "$defs", "dependentSchemas"})
IN_A_LIST = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
ALONE = frozenset(
    {
        "items",
        "additionalProperties",
        "propertyNames",
        "contains",
        "not",
        "if",
        "then",
        "else",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contentSchema",
    }
)


def each(schema: Fragment) -> Iterator[Fragment]:
    """The subschemas directly in *schema*; a boolean one has nothing in it and is left out."""
    for keyword, value in schema.items():
        if keyword in ALONE:
            below = [value]
        elif keyword in IN_A_LIST and type(value) is list:
            below = value
        elif keyword in IN_A_MAP and type(value) is dict:
            below = list(value.values())
        else:
            continue
        for subschema in below:
            if type(subschema) is dict:
                yield subschema


def rebuild(schema: Fragment, change: Callable[[Fragment], Fragment]) -> Fragment:
    """*schema* anew, with *change* applied to each subschema directly in it; data is copied."""

    def changed(value: Any) -> Any:
        return change(value) if type(value) is dict else copy(value)

    result: Fragment = {}
    for keyword, value in schema.items():
        if keyword in ALONE:
            result[keyword] = changed(value)
        elif keyword in IN_A_LIST and type(value) is list:
            result[keyword] = [changed(item) for item in value]
        elif keyword in IN_A_MAP and type(value) is dict:
            result[keyword] = {name: changed(item) for name, item in value.items()}
        else:
            result[keyword] = copy(value)
    return result


def copy(value: Any) -> Any:
    """A JSON value that shares nothing with *value*."""
    if type(value) is dict:
        return {key: copy(item) for key, item in value.items()}
    if type(value) is list:
        return [copy(item) for item in value]
    return value


_SHAPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(IN_A_MAP, (dict,)),
    **dict.fromkeys(IN_A_LIST, (list,)),
    **dict.fromkeys(ALONE, (dict, bool)),
    "type": (str, list),
    "enum": (list,),
    "required": (list,),
    "$ref": (str,),
    "$schema": (str,),
    "description": (str,),
    "title": (str,),
    "format": (str,),
    "pattern": (str,),
    "examples": (list,),
    "deprecated": (bool,),
    "uniqueItems": (bool,),
}


def check(schema: Fragment) -> None:
    """See to it that somebody else's keywords have values of the right kind, all the way down.

    Raises:
        ValueError: One has not; the message is a sentence without its subject.
    """
    for keyword, value in schema.items():
        shapes = _SHAPES.get(keyword)
        is_symbol = keyword == "$ref" and type(value).__module__ == "milo_schema.definitions"
        if shapes and type(value) not in shapes and not is_symbol:
            names = " or ".join(shape.__name__ for shape in shapes)
            raise ValueError(f"has a {keyword!r} that is no {names}")
    for subschema in each(schema):
        check(subschema)
