"""Short text for schemas and values, to display a difference."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from milo_schema.comparison.bodies import NOTHING, asserted_by, branches_of, choices_of, follow
from milo_schema.json_schema.keywords import Limit

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
    """A text from *start* on, cut to fit into a line."""
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
