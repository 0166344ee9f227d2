"""JSON Schema as data: keywords, values, validation. Nothing here knows about Python types."""

from __future__ import annotations

from typing import Any

TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
"""The types of JSON Schema Validation, section 6.1.1."""


class Ref:
    """The value of a ``$ref`` to a named type, until references are settled."""

    __slots__ = ("key",)

    def __init__(self, key: Any) -> None:
        self.key: Any = key

    def __repr__(self) -> str:
        return f"<Ref {self.key!r}>"


DECIMAL = r"^-?([0-9]+(\.[0-9]+)?(E[+-][0-9]+)?|Infinity|s?NaN[0-9]*)$"
"""The strings that ``str(Decimal)`` returns."""
