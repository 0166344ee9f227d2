"""A difference between two schemas: whether it accepts fewer or more values than before."""

from __future__ import annotations

NO, MAYBE, YES = 0, 1, 2
"""Whether something is true, if that can be decided."""


def yes_if(condition: object) -> int:
    """``YES`` if a condition is true, otherwise ``NO``."""
    return YES if condition else NO


def maybe_if(condition: object) -> int:
    """``MAYBE`` if a condition is true, otherwise ``NO``."""
    return MAYBE if condition else NO


class Difference:
    """A change: whether fewer values are accepted because of it, and whether more are.

    Or a change in text that only a person or model reads.
    """

    __slots__ = ("is_of_words", "message", "narrows", "path", "widens")

    def __init__(self, path: str, message: str, narrows: int = NO, widens: int = NO) -> None:
        self.is_of_words: bool = False
        self.path: str = path
        self.message: str = message
        self.narrows: int = narrows
        self.widens: int = widens
