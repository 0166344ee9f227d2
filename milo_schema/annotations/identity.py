"""Rules for when two annotations are the same type.

Identity, because equality and hash are user code and may lie; structure, because ``Page[int]`` is
made anew each time it is written.
"""

from __future__ import annotations

from milo_schema.annotations.classes import is_any
from milo_schema.annotations.forms import ForeignName, QuotedName, metadata_of, split
from milo_schema.annotations.marker import Marker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any


def key_of(annotation: Any) -> Hashable:  # noqa: PLR0911 - a line for each kind
    """A key that two annotations share if they are one type: one class, with one set of arguments.

    The key holds for as long as the annotations live.
    """
    kind = type(annotation)
    if kind is type:
        return id(annotation)
    head, args = split(annotation)
    if head is not annotation:
        return (id(head), *map(key_of, args), *map(key_of, metadata_of(annotation)))
    if kind is QuotedName:
        return annotation.label, id(annotation.scope)
    if kind is ForeignName:
        return annotation.label, annotation.content
    if is_any(kind, _PLAIN):  # in a Literal
        return kind, annotation
    if issubclass(kind, Marker):
        return kind, key_of(annotation.value)
    return id(annotation)


_PLAIN = (str, int, bool, bytes)
