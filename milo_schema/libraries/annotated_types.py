"""Everything about annotated-types: its constraints; msgspec and pydantic use the same names."""

from __future__ import annotations

from milo_schema.annotations import Any, Iterator
from milo_schema.annotations.forms import Marker
from milo_schema.markers import (
    Description,
    Examples,
    Ge,
    Gt,
    Le,
    Lt,
    MaxLen,
    MinLen,
    MultipleOf,
    Pattern,
    Title,
)

ATTRIBUTES: dict[str, type[Marker]] = {
    "gt": Gt,
    "ge": Ge,
    "lt": Lt,
    "le": Le,
    "multiple_of": MultipleOf,
    "min_length": MinLen,
    "max_length": MaxLen,
    "pattern": Pattern,
    "title": Title,
    "description": Description,
    "documentation": Description,
}
"""The attributes of foreign metadata, and our markers with the same meaning."""


def by_attributes(metadata: Any) -> Iterator[Marker]:
    """Our markers for the attributes of a piece of metadata."""
    for name, marker in ATTRIBUTES.items():
        if (value := getattr(metadata, name, None)) is not None:
            yield marker.unchecked(value)
    if examples := getattr(metadata, "examples", None):
        yield Examples(*examples)


METADATA = (
    ("annotated_types.GroupedMetadata", iter),  # Interval, Len: several pieces in one
    ("annotated_types.BaseMetadata", by_attributes),
    ("annotated_types.DocInfo", by_attributes),
)
