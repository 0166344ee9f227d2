"""Make texts that match a regular expression."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from milo_schema.json_schema.patterns import to_python

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Source:
    """A source of choices that are the same in every version of Python."""

    def __init__(self, seed: object) -> None:
        self._random: Random = Random(str(seed))  # noqa: S311 - no secret is made of it

    def below(self, count: int) -> int:
        """A whole number from 0 up to, and without, *count*."""
        return int(self._random.random() * count)

    def between(self, low: int, high: int) -> int:
        """A whole number; every third time one of the bounds, where most mistakes are."""
        edge = self.below(6)
        return low if edge == 0 else high if edge == 1 else low + self.below(high - low + 1)

    def pick(self, items: Any) -> Any:
        """One of several items."""
        return items[self.below(len(items))]

    def share(self) -> float:
        """A number from 0 up to, and without, 1."""
        return self._random.random()


def matching(pattern: str, source: Source, least: int = 0) -> str:
    """A string that probably matches a pattern of ECMA-262."""
    try:
        tree = _parser.parse(to_python(pattern))
    except (ValueError, re.error, OverflowError, RecursionError):
        return "a" * least
    found = _text(tree, source, [])
    return found.ljust(least, found[-1:] or "a") if len(found) < least else found


def _text(tree: Any, source: Source, groups: list[str]) -> str:
    return "".join(_piece(kind, given, source, groups) for kind, given in tree)


def _piece(kind: Any, given: Any, source: Source, groups: list[str]) -> str:
    """The text of one part of a parsed pattern; what has no text of its own is empty."""
    make = _PIECES.get(kind)
    return make(given, source, groups) if make else ""


def _group(given: Any, source: Source, groups: list[str]) -> str:
    text = _text(given[-1], source, groups)
    groups.append(text)
    return text


def _repeat(given: Any, source: Source, groups: list[str]) -> str:
    low, high, inner = given
    count = source.between(low, min(high, low + 3))
    return "".join(_text(inner, source, groups) for _ in range(count))


def _reference(number: int, _source: Source, groups: list[str]) -> str:
    return groups[number - 1] if number <= len(groups) else ""


_CATEGORIES = {
    ops.CATEGORY_DIGIT: "0123456789",
    ops.CATEGORY_WORD: LETTERS + "_0",
    ops.CATEGORY_SPACE: " \t",
    ops.CATEGORY_NOT_DIGIT: LETTERS,
    ops.CATEGORY_NOT_WORD: "-.",
    ops.CATEGORY_NOT_SPACE: LETTERS,
}
_CHARACTERS = LETTERS + LETTERS.upper() + "0123456789 -_./:@"


def _character(parts: Any, source: Source) -> str:
    """A character of a class such as ``[a-z]``, or one that is not in ``[^a-z]``."""
    allowed: list[str] = []
    for kind, given in parts:
        if kind is ops.LITERAL:
            allowed.append(chr(given))
        elif kind is ops.RANGE:
            allowed.append(chr(given[0] + source.below(given[1] - given[0] + 1)))
        elif kind is ops.CATEGORY:
            allowed += _CATEGORIES.get(given, "a")
    if parts[0][0] is not ops.NEGATE:
        return str(source.pick(allowed))
    ranges = [given for kind, given in parts if kind is ops.RANGE]
    others = [
        each
        for each in _CHARACTERS
        if each not in allowed and not any(low <= ord(each) <= high for low, high in ranges)
    ]
    return str(source.pick(others or "\u00e9"))


_NOT = (ops.NEGATE, None)
_PIECES: dict[Any, Callable[[Any, Source, list[str]], str]] = {
    ops.LITERAL: lambda given, _source, _groups: chr(given),
    ops.NOT_LITERAL: lambda given, source, _: _character([_NOT, (ops.LITERAL, given)], source),
    ops.ANY: lambda _, source, _groups: str(source.pick(LETTERS)),
    ops.IN: lambda given, source, _: _character(given, source),
    ops.BRANCH: lambda given, source, groups: _text(source.pick(given[1]), source, groups),
    ops.SUBPATTERN: _group,
    ops.ATOMIC_GROUP: _text,
    ops.MAX_REPEAT: _repeat,
    ops.MIN_REPEAT: _repeat,
    ops.POSSESSIVE_REPEAT: _repeat,
    ops.GROUPREF: _reference,
}
