"""The base class of markers, such as ``MinLen`` in ``Annotated[str, MinLen(1)]``.

This stage has to recognize a marker, and needs no more than its base class for that. The markers
themselves are in ``milo_schema.markers``; what they do to a schema is in ``schemas.annotated``.
"""

from __future__ import annotations

from milo_schema.annotations.classes import inherits, is_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Marker:
    """One piece of ``Annotated`` metadata that speaks about the schema: a kind and a value."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value: Any = value

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value!r})"


def is_marker(value: Any) -> bool:
    """Whether a value is a marker, or one that was not called."""
    return inherits(value if is_class(value) else type(value), Marker)
