"""Contradictions in a schema: bounds without a valid value, and defaults that are not valid.

Strict mode refuses them, and ``milo_schema.checks`` reports them.
"""

from __future__ import annotations

import math

from milo_schema.annotations import Any, Iterator, Json, Sequence
from milo_schema.json_schema.keywords import BOUNDS, KEYWORDS
from milo_schema.json_schema.places import located
from milo_schema.json_schema.validation import iter_errors

Limit = tuple[int | float, bool]


def contradictions(schema: Json, *, nulls: bool = False) -> Iterator[tuple[str, str, str]]:
    """Find where a schema contradicts itself.

    Args:
        schema: A JSON Schema whose references are all local.
        nulls: Whether null in a default means that no value was given.

    Yields:
        The path, such as ``.items[].x``; ``"contradictory-bounds"`` or ``"default-misfit"``; and
        the reason.

    Example:
        >>> from milo_schema.json_schema.contradictions import contradictions
        >>> list(contradictions({"type": "integer", "default": "5"}))
        [('', 'default-misfit', "its default does not fit: '5' is not an integer")]
    """
    for path, node in located(schema):
        for names in _empty_ranges(node):
            bounds = " and ".join(KEYWORDS[name].phrase.format(node[name]) for name in names)
            yield path, "contradictory-bounds", f"no value is {bounds}; change one of them"
        if "default" in node and not (nulls and _has_null(node["default"])):
            for below, why in iter_errors(node["default"], node, schema):
                yield path + below, "default-misfit", f"its default does not fit: {why}"


def _has_null(value: Any) -> bool:
    """Whether a value, or a property in it, is null; items are not optional."""
    if type(value) is dict:
        return any(map(_has_null, value.values()))
    if type(value) is list:
        return any(_has_null(item) for item in value if item is not None)
    return value is None


# -- bounds ------------------------------------------------------------------------------------


def strictest(node: Json, names: Sequence[str], sign: int, *, whole: bool) -> Limit | None:
    """The strictest limit on one side, as a tuple: its value times *sign*, and if it is exclusive.

    Args:
        node: The schema with the keywords.
        names: The keywords of this side: the inclusive one and, for numbers, the exclusive one.
        sign: 1 for lower limits, -1 for upper ones, so that greater is always stricter.
        whole: Whether only integers are limited, so that exclusive limits become inclusive.
    """
    limits = [(node[name] * sign, i == 1) for i, name in enumerate(names) if name in node]
    if whole:
        limits = [
            (math.floor(value) + 1 if is_exclusive else math.ceil(value), False)
            for value, is_exclusive in limits
        ]
    return max(limits, default=None)


def _empty_ranges(node: Json) -> Iterator[list[str]]:
    """The lower and upper limits, as keywords, that have no value between them."""
    if _BOUNDS.isdisjoint(node):  # as most are
        return
    whole = node.get("type") == "integer"
    for lowers, uppers in _RANGES:
        lower = strictest(node, lowers, 1, whole=whole)
        upper = strictest(node, uppers, -1, whole=whole)
        if lower is None or upper is None or lower[0] < -upper[0]:
            continue
        if lower[0] > -upper[0] or lower[1] or upper[1]:
            yield [name for name in (*lowers, *uppers) if name in node]


def _bounds_of(types: tuple[str, ...], narrower: object) -> list[str]:
    rows = {name: KEYWORDS[name] for name in BOUNDS}
    return [n for n, row in rows.items() if row.types == types and row.narrower is narrower]


_BOUNDS = frozenset(BOUNDS)
_RANGES = [
    (_bounds_of(types, max), _bounds_of(types, min))
    for types in dict.fromkeys(KEYWORDS[name].types for name in BOUNDS)
]
"""The keywords of lower and of upper limits for numbers, lengths, items and properties."""
