"""Everything about annotated-types: its constraints; msgspec and pydantic use the same names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from milo_schema import markers
from milo_schema.annotations.forms import Marker

ATTRIBUTES: dict[str, type[Marker]] = {
    "gt": markers.Gt,
    "ge": markers.Ge,
    "lt": markers.Lt,
    "le": markers.Le,
    "multiple_of": markers.MultipleOf,
    "min_length": markers.MinLen,
    "max_length": markers.MaxLen,
    "pattern": markers.Pattern,
    "title": markers.Title,
    "description": markers.Description,
    "documentation": markers.Description,
}
"""The attributes of foreign metadata, and our markers with the same meaning."""


CHECKS = ("strip_whitespace", "to_lower", "to_upper", "ascii_only", "max_digits", "decimal_places")
"""The attributes of foreign metadata that check or change a value, and have no marker of ours."""


def by_attributes(metadata: Any) -> Iterator[Marker]:
    """Our markers for the attributes of a piece of metadata."""
    for name, marker in ATTRIBUTES.items():
        if (value := getattr(metadata, name, None)) is not None:
            yield marker.unchecked(value)
    if examples := getattr(metadata, "examples", None):
        yield markers.Examples(*examples)
    if getattr(metadata, "strict", None) is True:  # of pydantic
        yield markers.Strict.unchecked(True)
    if getattr(metadata, "allow_inf_nan", None) is False:  # of pydantic
        yield markers.Finite.unchecked(True)
    if any(getattr(metadata, name, None) for name in CHECKS):
        yield markers.Validated(metadata)


METADATA: tuple[tuple[str, Callable[[Any], Iterable[Any]]], ...] = (
    ("annotated_types.GroupedMetadata", iter),  # Interval, Len: several pieces in one
    ("annotated_types.Predicate", lambda piece: (markers.Predicate(piece.func),)),
    ("annotated_types.Not", lambda piece: (markers.Predicate(piece),)),
    ("annotated_types.Timezone", lambda piece: (markers.Timezone(piece.tz),)),
    ("annotated_types.BaseMetadata", by_attributes),
    ("annotated_types.DocInfo", by_attributes),
)
