"""A difference between two schemas, and whether it narrows or widens what is accepted."""

from __future__ import annotations

NO, MAYBE, YES = 0, 1, 2
"""Whether something is true, as far as it can be decided."""


def yes_if(condition: object) -> int:
    """``YES`` if a condition is true, otherwise ``NO``."""
    return YES if condition else NO


def maybe_if(condition: object) -> int:
    """``MAYBE`` if a condition is true, otherwise ``NO``."""
    return MAYBE if condition else NO


class Difference:
    """Something that changed: whether fewer values are accepted for it, and whether more are.

    Or, if only words changed, the text that a person or model reads.
    """

    __slots__ = ("is_of_words", "message", "narrows", "path", "widens")

    def __init__(self, path: str, message: str, narrows: int = NO, widens: int = NO) -> None:
        self.is_of_words: bool = False
        self.path: str = path
        self.message: str = message
        self.narrows: int = narrows
        self.widens: int = widens
