"""How messages name JSON: its types, a value, some choices, an unknown name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from milo_schema.annotations.classes import nearest
from milo_schema.annotations.forms import display
from milo_schema.json_schema.subschemas import quote

LABELS = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
    "null": "null",
}
"""The name of each type of JSON Schema."""


_MANY = {
    "a string": "strings",
    "an integer": "integers",
    "a number": "numbers",
    "true or false": "booleans",
    "an object": "objects",
}


def array_of(label: str) -> str:
    """An array, with the noun of its items if that is a simple one."""
    return f"an array of {_MANY[label]}" if label in _MANY else "an array"


def either(labels: Iterable[str]) -> str:
    """Several nouns, each once."""
    return " or ".join(dict.fromkeys(labels))


def describe(json: Any) -> str:
    """A JSON value in a few words."""
    if type(json) is str:
        return quote(json)
    if type(json) is list:
        return f"an array of {len(json)} items" if len(json) != 1 else "an array of one item"
    if type(json) is dict:
        return "an object"
    if type(json) is bool:
        return "true" if json else "false"
    return "null" if json is None else display(json)


def choices(texts: list[str], most: int = 12) -> str:
    """The first few of the choices."""
    more = f" or {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def one_of(values: Iterable[Any]) -> str:
    """The values of a choice, as a noun."""
    return f"one of {choices([describe(each) for each in values])}"


def suggest(name: str, known: list[str]) -> str:
    """The end of a sentence with the name that was probably meant; empty if there is none."""
    return nearest(name[:80], known, quote)


def unknown(what: str, name: str, known: list[str]) -> str:
    """The problem of a property, or an argument, with an unknown name."""
    if not (more := suggest(name, known)) and known:
        more = f"; allowed: {choices([quote(each) for each in known])}"
    return f"unknown {what}{more}"


def unformatted(text: str, name: str) -> str:
    """The problem of a string without the format that it must have."""
    return f"must have the format {describe(name)}, got {describe(text)}"


TOO_LARGE = "must be a number that fits into a float"
"""The problem of an integer where a float is needed."""

REQUIRED = "required but not given"
"""The problem of a missing property."""
