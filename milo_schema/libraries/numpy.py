"""Everything about numpy: its scalars stand for Python's."""

from __future__ import annotations

from typing import Any

from milo_schema.annotations.classes import inherits, loaded

SCALARS: tuple[tuple[str, Any], ...] = (
    ("numpy.integer", int),
    ("numpy.floating", float),
    ("numpy.bool_", bool),
)


def item_of(value: Any) -> Any:
    """The value of Python's that a scalar stands for; any other value itself."""
    return value.item() if inherits(type(value), loaded("numpy.generic")) else value
