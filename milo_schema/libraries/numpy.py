"""Everything about numpy: its scalars stand for Python's."""

from __future__ import annotations

from typing import Any

SCALARS: tuple[tuple[str, Any], ...] = (
    ("numpy.integer", int),
    ("numpy.floating", float),
    ("numpy.bool_", bool),
)
