"""Decide whether a string matches a pattern of ECMA-262, in a limited number of steps.

Python's ``re`` tries one way through a pattern after another, and ``^(a+)+$`` has more ways than
anyone can wait for. So each pattern is read first: how many steps can ``re`` take at most, for a
text of some length? Where these are too many, ``_Search`` tries all ways at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any

from milo_schema.json_schema.patterns import to_python, uncertain_reference

MAX_STEPS = 100_000
"""The most steps to check a small value: subschemas that are applied, and steps of patterns."""
MAX_COMPILED = 1_000
"""The most characters of a pattern for ``re``, which takes up to 2 ms to compile each of them."""

_RATE = 1_000
"""How many steps ``re`` may take in the time of one of ours, and for each character of a string."""
_HUGE = 2**64
_SIZES = 27  # up to 67 million characters


class TooManyStepsError(Exception):
    """Raised where a schema is too complex to be checked."""


class Steps:
    """A limited number of steps.

    Args:
        most: The number.
    """

    __slots__ = ("left",)

    def __init__(self, most: int = MAX_STEPS) -> None:
        self.left: int = most

    def step(self, count: int = 1) -> None:
        """Take some steps.

        Raises:
            TooManyStepsError: No more are left.
        """
        self.left -= count
        if self.left < 0:
            raise TooManyStepsError


def matches(pattern: str, text: str, step: Callable[[int], None] | None = None) -> bool:
    """Whether a pattern of ECMA-262 matches; one that Python reads otherwise matches all.

    Args:
        pattern: The pattern, which is searched for anywhere in the text.
        text: The text.
        step: Takes steps of a larger task.

    Raises:
        TooManyStepsError: It takes too many steps to find out.

    Example:
        >>> from milo_schema.json_schema.matching import matches
        >>> matches("^(a+)+$", "a" * 1_000), matches("^(a+)+$", "a" * 1_000 + "b")
        (True, False)
    """
    step = step or Steps().step
    try:
        plan = _kept(pattern) if len(pattern) <= MAX_COMPILED else _plan(pattern)
    except RecursionError:
        return True
    size = len(text).bit_length()
    if plan.tree is None:
        return True
    if size < len(plan.costs):
        step(plan.costs[size])
        return plan.search(text) is not None
    starts = range(1 if _is_anchored(plan.tree) else len(text) + 1)
    try:
        return _Search(text, step).ends(plan.tree, starts) != set()
    except RecursionError as error:
        raise TooManyStepsError from error


def may_match(pattern: str, text: str, steps: Steps) -> bool:
    """Whether a pattern matches, or whether it takes too many steps to find out."""
    try:
        return matches(pattern, text, steps.step)
    except TooManyStepsError:
        return True


class _Plan:
    """How to search for a pattern.

    Attributes:
        tree: The parsed pattern; ``None`` if Python reads it otherwise, or not at all.
        search: Searches with ``re``.
        costs: How many of our steps it takes, for a string of no character, of at most 1, of at
            most 3, of at most 7, and so on; as far as they are few.
    """

    __slots__ = ("costs", "search", "tree")

    def __init__(
        self, tree: Any = None, search: Callable[[str], Any] = bool, costs: tuple[int, ...] = ()
    ) -> None:
        self.tree: Any = tree
        self.search: Callable[[str], Any] = search
        self.costs: tuple[int, ...] = costs


def _plan(pattern: str) -> _Plan:
    import re
    from re import _parser  # type: ignore[attr-defined]

    if uncertain_reference(pattern):
        return _Plan()
    try:
        written = to_python(pattern)
        tree = _parser.parse(written, re.ASCII)
        _shorten(tree)
        if len(pattern) > MAX_COMPILED:
            return _Plan(tree)
        return _Plan(tree, re.compile(written, re.ASCII).search, _costs(tree))
    except (re.error, ValueError, OverflowError):
        return _Plan()


_kept = lru_cache(maxsize=500)(_plan)
"""The same, kept: to read a pattern takes much longer than to search for it."""


def _shorten(tree: Any) -> None:
    """End a search as early as possible: where ``a{2,}`` comes last, ``a{2}`` is as good."""
    if tree and tree[-1][0].name in _REPEATS:
        kind, (low, _, inner) = tree[-1]
        tree[-1] = kind, (low, low, inner)


# -- the steps of re ---------------------------------------------------------------------------


def _costs(tree: Any) -> tuple[int, ...]:
    costs: list[int] = []
    for size in range(_SIZES):
        length = 2**size - 1
        steps = _steps(tree, length)
        if steps > _RATE * max(length, _RATE):
            break
        costs.append(1 + steps // _RATE)
    return tuple(costs)


def _steps(tree: Any, length: int) -> int:
    """The most steps that ``re`` takes to search for a pattern in a string of some length."""
    steps = _ways(tree, length)[1]
    return steps + length if _is_anchored(tree) else steps * (length + 1)


def _is_anchored(tree: Any) -> bool:
    return bool(tree) and tree[0][0].name == "AT" and tree[0][1].name == "AT_BEGINNING"


def _ways(tree: Any, length: int) -> tuple[int, int]:
    """The most ways in which a part of a pattern matches at one position, and steps to try them.

    What comes after a part is tried once for each way.
    """
    ways, steps = 1, 1
    for kind, given in tree:
        more, each = _ways_of(kind.name, given, length)
        steps = min(steps + ways * each, _HUGE)
        ways = min(ways * more, _HUGE)
    return ways, steps


def _ways_of(kind: str, given: Any, length: int) -> tuple[int, int]:
    if kind in _REPEATS or kind == "POSSESSIVE_REPEAT":
        return _ways_to_repeat(given, length)
    if kind == "BRANCH":
        ways, steps = zip(*(_ways(each, length) for each in given[1]), strict=True)
        return sum(ways), sum(steps)
    if kind == "SUBPATTERN":
        return _ways(given[-1], length)
    if kind in _ATOMIC:
        return 1, _ways(given if kind == "ATOMIC_GROUP" else given[1], length)[1]
    if kind == "GROUPREF_EXISTS":
        return _HUGE, _HUGE
    return 1, length if kind == "GROUPREF" else _width(kind, given)


def _width(kind: str, given: Any) -> int:
    """How many parts of a class a character may be compared with."""
    return len(given) if kind == "IN" else 1


def _ways_to_repeat(given: Any, length: int) -> tuple[int, int]:
    low, high, inner = given
    ways, steps = _ways(inner, length)
    most = min(high, max(low, length))
    last = ways ** min(most, 64) if ways > 1 else 1
    return (most - low + 1) * last, (most + 1) * last * steps


_REPEATS = ("MAX_REPEAT", "MIN_REPEAT")
_ATOMIC = ("ASSERT", "ASSERT_NOT", "ATOMIC_GROUP")


# -- all ways at once --------------------------------------------------------------------------


class _Search:
    """The search for a pattern in one text: where can a part end that begins at some positions?

    Args:
        text: The text.
        step: Takes steps.
    """

    __slots__ = ("step", "text")

    def __init__(self, text: str, step: Callable[[int], None]) -> None:
        self.text: str = text
        self.step: Callable[[int], None] = step

    def ends(self, tree: Any, starts: Collection[int]) -> set[int]:
        """The positions where a part of a pattern may end."""
        text = self.text
        for kind, given in tree:
            self.step(1 + len(starts) * _width(kind.name, given))
            if is_right := _CHARACTERS.get(kind.name):
                starts = {
                    each + 1 for each in starts if each < len(text) and is_right(given, text[each])
                }
            elif find := _FINDERS.get(kind.name):
                starts = find(self, given, starts)
            else:  # a reference to a group, or syntax that only Python has
                raise TooManyStepsError
        return set(starts)

    def repeat(self, given: Any, starts: Collection[int]) -> set[int]:
        """Where a repeated part ends; a position is left only once, by the fewest repetitions."""
        low, high, inner = given
        for _ in range(low):
            before, starts = starts, self.ends(inner, starts)
            if starts == before:
                break
        found, count = set(starts), low
        while starts and count < high:
            starts = self.ends(inner, starts) - found
            found |= starts
            count += 1
        return found

    def branch(self, given: Any, starts: Collection[int]) -> set[int]:
        return set().union(*(self.ends(each, starts) for each in given[1]))

    def group(self, given: Any, starts: Collection[int]) -> set[int]:
        _, more, fewer, inner = given
        if more or fewer:  # flags
            raise TooManyStepsError
        return self.ends(inner, starts)

    def look(self, given: Any, starts: Collection[int]) -> set[int]:
        """The positions before or after which a part matches."""
        direction, inner = given
        width = 0 if direction > 0 else inner.getwidth()[0]
        return {each for each in starts if each >= width and self.ends(inner, {each - width})}

    def look_not(self, given: Any, starts: Collection[int]) -> set[int]:
        return {*starts} - self.look(given, starts)

    def placed(self, given: Any, starts: Collection[int]) -> set[int]:
        return {each for each in starts if _PLACES[given.name](self.text, each)}


_FINDERS: dict[str, Callable[[_Search, Any, Collection[int]], set[int]]] = {
    **dict.fromkeys(_REPEATS, _Search.repeat),
    "BRANCH": _Search.branch,
    "SUBPATTERN": _Search.group,
    "ASSERT": _Search.look,
    "ASSERT_NOT": _Search.look_not,
    "AT": _Search.placed,
}

_DIGITS = frozenset("0123456789")
_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") | _DIGITS
_CATEGORIES = {"DIGIT": _DIGITS, "WORD": _WORD, "SPACE": frozenset(" \t\n\r\f\v")}


def _is_of(category: Any, char: str) -> bool:
    name: str = category.name.removeprefix("CATEGORY_")
    is_negated = name.startswith("NOT_")
    return (char in _CATEGORIES[name.removeprefix("NOT_")]) != is_negated


def _is_in(parts: Any, char: str) -> bool:
    is_negated: bool = parts[0][0].name == "NEGATE"
    found = any(_CHARACTERS[kind.name](given, char) for kind, given in parts[is_negated:])
    return found != is_negated


_CHARACTERS: dict[str, Callable[[Any, str], bool]] = {
    "LITERAL": lambda given, char: ord(char) == given,
    "NOT_LITERAL": lambda given, char: ord(char) != given,
    "RANGE": lambda given, char: given[0] <= ord(char) <= given[1],
    "CATEGORY": _is_of,
    "IN": _is_in,
}
"""Whether a character is one that a part of a pattern stands for."""


def _is_boundary(text: str, position: int) -> bool:
    before, after = text[max(position - 1, 0) : position], text[position : position + 1]
    return (before in _WORD) != (after in _WORD)


_PLACES: dict[str, Callable[[str, int], bool]] = {
    "AT_BEGINNING": lambda _text, position: position == 0,
    "AT_END_STRING": lambda text, position: position == len(text),
    "AT_BOUNDARY": _is_boundary,
    "AT_NON_BOUNDARY": lambda text, position: not _is_boundary(text, position),
}
