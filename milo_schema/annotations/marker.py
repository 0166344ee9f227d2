"""The base of our markers, which ``display()`` and ``key_of()`` know without knowing each of them.

It has no JSON in it. The markers themselves are in ``milo_schema.markers``, and what they do to a
schema is in ``schemas.annotated``.
"""

from __future__ import annotations

from milo_schema.annotations.hints import RAISED, is_any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Marker:
    """One piece of ``Annotated`` metadata that speaks about the schema: a kind and a value.

    Two markers are equal when both kind and value are: ``typing`` caches ``Annotated[...]`` by
    equality, so ``MinLen(1)`` must not equal ``MaxLen(1)``, nor ``Ge(1)`` equal ``Ge(True)``.
    """

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value: Any = value

    def _key(self) -> tuple[object, ...]:
        try:
            text = repr(self.value) if _has_an_end(self.value) else str(id(self.value))
        except RAISED:  # the value is user code, or an int of thousands of digits
            text = str(id(self.value))
        return type(self), type(self.value), text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Marker) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value!r})"


_CONTAINERS = (list, tuple, set, frozenset)
MAX_PARTS = 50_000
"""How many parts a marker's value may have for two of them to be compared by what they say."""


def _has_an_end(value: Any) -> bool:
    """Whether a value can be written out: one that shares its parts has them anew in each place."""
    todo, parts = [value], 0
    while todo:
        each = todo.pop()
        if type(each) is dict:
            todo += [*each, *each.values()]
        elif is_any(type(each), _CONTAINERS):
            todo += each
        parts += 1
        if parts + len(todo) > MAX_PARTS:
            return False
    return True
