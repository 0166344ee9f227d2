"""Bounds of numbers and counts: the sizes that they allow, and combinations of several."""

from __future__ import annotations

import math

from milo_schema.annotations import Any, Iterator, Json, Sequence
from milo_schema.annotations.display import display
from milo_schema.json_schema.keywords import BOUNDS, KEYWORDS

Limit = tuple[int | float, bool]


def bound_error(name: str, size: Any, bound: Any) -> str:
    """The message if a number or a count is outside of the bound *name*; otherwise empty."""
    if _keeps_to(size, bound, name):
        return ""
    shown = display(size) if type(size) is int else size
    return f"{shown} {_violation(name, KEYWORDS[name].types[-1])} {bound}"


def _keeps_to(size: Any, bound: Any, name: str) -> bool:
    """Whether a size is within a bound: as a bound itself, it would be the stricter one."""
    if size == bound:
        return not KEYWORDS[name].inclusive
    return bool(BOUNDS[name](size, bound) == size)


def _violation(name: str, bounded: str) -> str:
    """The verb for a size that is outside of a bound."""
    is_lower = BOUNDS[name] is max
    if KEYWORDS[name].inclusive:
        return "is not more than" if is_lower else "is not less than"
    if bounded == "number":
        return "is less than" if is_lower else "is more than"
    return f"{_COUNTED[bounded]} are {'fewer' if is_lower else 'more'} than"


_COUNTED = {"string": "characters", "array": "items", "object": "properties"}


# -- several bounds ----------------------------------------------------------------------------


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


def empty_ranges(node: Json) -> Iterator[list[str]]:
    """The lower and upper limits, as keywords, that have no value between them."""
    if BOUNDS.keys().isdisjoint(node):  # as most are
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


_RANGES = [
    (_bounds_of(types, max), _bounds_of(types, min))
    for types in dict.fromkeys(KEYWORDS[name].types for name in BOUNDS)
]
"""The keywords of lower and of upper limits for numbers, lengths, items and properties."""
