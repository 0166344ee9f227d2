"""JSON Schema as data: keywords, values, validation. Nothing here knows about Python types."""

from __future__ import annotations

from typing import Any

TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
"""The types of JSON Schema Validation, section 6.1.1."""


class Ref:
    """A named type: it is the value of every ``$ref`` to it, until references are settled."""

    @property
    def is_quoted(self) -> bool:
        """Whether its name is only the text of an annotation."""
        raise NotImplementedError

    @property
    def short_name(self) -> str:
        """Its name as a definition, if no other type has the same name."""
        raise NotImplementedError

    @property
    def long_name(self) -> str:
        """Its name as a definition, qualified by its module."""
        raise NotImplementedError

    def __deepcopy__(self, _memo: Any) -> Ref:
        """Itself: a copy of a schema refers to the same types."""
        return self


STRICT = "x-milo-schema-strict"
"""The keyword of an exact schema whose values stay as they are sent, because its author says so."""

DECIMAL = r"^-?([0-9]+(\.[0-9]+)?(E[+-][0-9]+)?|Infinity|s?NaN[0-9]*)$"
"""The strings that ``str(Decimal)`` returns."""
