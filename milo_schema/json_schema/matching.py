"""Decide whether a string matches a pattern of ECMA-262, in a limited number of steps.

Python's ``re`` tries one way through a pattern after another, and ``^(a+)+$`` has more ways than
anyone can wait for. So each pattern is read first: how many steps can ``re`` take at most, for a
text of some length? Where these are too many, the pattern is not run.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, reduce
from itertools import combinations
from operator import or_
from typing import Any, NamedTuple

from milo_schema.json_schema.patterns import to_python, uncertain_reference

MAX_STEPS = 100_000
"""The most steps to check a small value: subschemas that are applied, and steps of patterns."""
MAX_COMPILED = 1_000
"""The most characters of a pattern for ``re``, which takes up to 2 ms to compile each of them."""

_RATE = 1_000
"""How many steps ``re`` may take in the time of one of ours."""
MAX_STEPS_PER_SEARCH = 1_000
"""The most steps of one search, or ten for each character of a long text."""
_LONG = 10
"""A pattern that cannot be checked for a string of so many bits of characters is a slow one."""
_HUGE = 2**64


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


def matches(pattern: str, text: str, step: Callable[[int], None] | None = None) -> bool | None:
    """Whether a pattern of ECMA-262 matches; ``None`` if that cannot be known.

    Python reads some patterns otherwise, or not at all, and a slow one is only run on a string that
    is short enough. No value is refused because of such a pattern.

    Args:
        pattern: The pattern, which is searched for anywhere in the text.
        text: The text.
        step: Takes steps of a larger task.

    Raises:
        TooManyStepsError: It takes too many steps to find out, because the text is so long.

    Example:
        >>> from milo_schema.json_schema.matching import matches
        >>> matches("^a+$", "aaa"), matches("^a+$", "aab"), matches("^(a+)+$", "a" * 1_000)
        (True, False, None)
    """
    search, cost = _read(pattern, len(text).bit_length())
    if search is not None and cost is not None:
        (step or Steps().step)(cost)
        return search(text) is not None
    if search is not None and most_characters(pattern) is None:
        raise TooManyStepsError
    return None


def most_characters(pattern: str) -> int | None:
    """How many characters a string may have to be checked with a slow pattern; else ``None``."""
    search, cost = _read(pattern, _LONG)
    if search is None or cost is not None:
        return None
    size = next(size for size in range(_LONG + 1) if _read(pattern, size)[1] is None)
    return max((1 << size) // 2 - 1, 0)


def mistake_in(pattern: str) -> str:
    """The mistake in a pattern that neither ECMA-262 nor Python can read; empty if there is none.

    Python does not read all of ECMA-262, so its other errors prove nothing.
    """
    import re

    if _search(pattern) is not None:
        return ""
    try:
        re.compile(to_python(pattern), re.ASCII)
    except re.error as problem:
        return problem.msg if problem.msg.startswith(_MISTAKES) else ""
    except (ValueError, OverflowError):
        pass
    return ""


_MISTAKES = (
    *("missing ), unterminated subpattern", "unbalanced parenthesis"),
    *("unterminated character set", "nothing to repeat", "multiple repeat", "min repeat greater"),
)


def may_match(pattern: str, text: str, steps: Steps) -> bool:
    """Whether a pattern matches, or whether that cannot be known."""
    try:
        return matches(pattern, text, steps.step) is not False
    except TooManyStepsError:
        return True


Search = Callable[[str], Any]


def _read(pattern: str, size: int) -> tuple[Search | None, int | None]:
    """The search for a pattern, and its steps in a string whose length has so many bits."""
    try:
        search = _search(pattern)
        return search, None if search is None else _cost(pattern, size)
    except RecursionError:  # which depends on the space left on the stack, so it is not kept
        return None, None


@lru_cache(maxsize=500)  # to read a pattern takes much longer than to search for it
def _search(pattern: str) -> Search | None:
    """The search for a pattern with ``re``; ``None`` if Python does not read it as ECMA-262."""
    import re

    if _is_long(pattern):
        return bool  # which has no cost, so it is not called
    if uncertain_reference(pattern):
        return None
    try:
        return re.compile(to_python(pattern), re.ASCII).search
    except (re.error, ValueError, OverflowError):
        return None


def _is_long(pattern: str) -> bool:
    """Whether it takes too long to compile; a category of characters has hundreds of ranges."""
    return len(pattern) + 100 * pattern.lower().count("\\p{") > MAX_COMPILED


# -- the steps of re ---------------------------------------------------------------------------


@lru_cache(maxsize=2_000)
def _cost(pattern: str, size: int) -> int | None:
    """How many of our steps a search takes at most; ``None`` if these are too many."""
    import re
    from re import _parser  # type: ignore[attr-defined]

    if _is_long(pattern):
        return None
    tree, length = _parser.parse(to_python(pattern), re.ASCII), 2**size - 1
    estimate, in_vain = _Estimate(length), 0
    if tree and tree[-1][0].name in _REPEATS:  # where a{2,} comes last, a{2} is as good
        kind, (low, high, inner) = tree[-1]
        in_vain = min(high, length + 1) * estimate.steps_in_vain(inner)
        tree[-1] = kind, (low, low, inner)
    has_flags = tree.state.flags != re.ASCII
    is_anchored = bool(tree) and tree[0][0].name == "AT" and tree[0][1].name == "AT_BEGINNING"
    _, steps = estimate.ways(tree, None if has_flags else _DONE)
    steps = steps + length if is_anchored and not has_flags else steps * (length + 1)
    cost = 1 + (steps + in_vain) // _RATE
    return cost if cost <= max(MAX_STEPS_PER_SEARCH, 10 * length) else None


class _Estimate:
    """An estimate of the steps of ``re``.

    Args:
        length: The number of characters of the text.
    """

    def __init__(self, length: int) -> None:
        self.length: int = length
        # With its part: one that is freed would give its id to another one.
        self.starts: dict[int, tuple[Any, _Next]] = {}
        self.sets: dict[int, tuple[Any, int, list[int]]] = {}

    def ways(self, tree: Any, after: _Next | None) -> tuple[int, int]:
        """The most ways in which a part matches at one position, and the steps to try them.

        What comes after a part is tried once for each way. A way does not count where the next
        character is wrong for it, as in ``[a-z]+-`` all but the longest.

        Args:
            tree: The part of a pattern.
            after: What comes after it; ``None`` if flags change what characters mean.
        """
        ways, steps = 1, 0
        for kind, given in reversed(tree):
            more, each = self.ways_of(kind.name, given, after)
            ways, steps = min(ways * more, _HUGE), min(each + more * steps, _HUGE)
            after = after and self.start_of(kind.name, given).then(after)
        return ways, steps + 1

    def ways_of(self, kind: str, given: Any, after: _Next | None) -> tuple[int, int]:
        if kind in _REPEATS:
            return self.ways_to_repeat(given, after)
        if kind == "BRANCH":
            return self.ways_to_choose(given[1], after)
        if kind == "SUBPATTERN":
            return self.ways(given[-1], None if _has_flags(given) else after)
        if kind in _ATOMIC:
            inner = given if kind == "ATOMIC_GROUP" else given[1]
            return 1, self.ways(inner, after and _DONE)[1]
        if kind == "GROUPREF_EXISTS":
            return _HUGE, _HUGE
        return 1, self.length if kind == "GROUPREF" else 1

    def ways_to_repeat(self, given: Any, after: _Next | None) -> tuple[int, int]:
        low, high, inner = given
        start = after and self.start(inner).then(after)
        ways, steps = self.ways(inner, start | after if start and after and high > 1 else after)
        empty = low + 1 if inner.getwidth()[0] == 0 else 0  # repetitions that match no character
        most = min(high, max(low, self.length + empty))
        last = ways ** min(most, 64) if ways > 1 else 1
        if start and after and (not start.chars & after.chars or self.has_one_end(inner, after)):
            return last, (most + 1) * last * (steps + after.tries + len(after.later))
        return (most - low + 1) * last, (most + 1) * last * steps

    def has_one_end(self, inner: Any, after: _Next) -> bool:
        """Whether a repeated character can only end at the first of those that come later.

        As in ``[a-z-]*[a-z][.]``, where all but the last letter before the period is repeated.
        """
        chars = self.start(inner).chars if len(inner) == 1 and inner[0][0].name in SETS else _ALL
        return any(not (chars | passed) & ends for passed, ends in after.later)

    def ways_to_choose(self, branches: Any, after: _Next | None) -> tuple[int, int]:
        ways, steps = zip(*(self.ways(each, after) for each in branches), strict=True)
        if after:
            starts = [self.start(each).then(after).chars for each in branches]
            if sum(starts) == reduce(or_, starts):  # no character is in two of them
                return max(ways), sum(steps) + len(starts) * after.tries
            if self.are_exclusive(branches, after):
                return max(ways), sum(steps)
        return sum(ways), sum(steps)

    def are_exclusive(self, branches: Any, after: _Next) -> bool:
        """Whether only one of several branches can match what is before the same end.

        The next character is in none of them, and of two, they begin with different ones, or one
        of them needs a character that is not in the other.
        """
        every = [(self.start(each).then(after).chars, *self.sets_in(each)) for each in branches]
        return not any(whole & after.chars for _, whole, _ in every) and all(
            not start & start_of_other
            or any(not each & whole_of_other for each in needed)
            or any(not each & whole for each in needed_by_other)
            for (start, whole, needed), (start_of_other, whole_of_other, needed_by_other) in (
                combinations(every, 2)
            )
        )

    def steps_in_vain(self, tree: Any) -> int:
        """The most steps of a repetition that matches without them, so the next takes them again.

        As in ``(-+a|-)*``, where all dashes are read before the second branch matches one. What
        matches is read only once: ``([a-z]+-)*`` reads nothing in vain until it ends.
        """
        found = 0
        for kind, given in tree:
            if kind.name in _REPEATS:
                low, high, inner = given
                found += self.steps_in_vain(inner)
                found += self.steps_to_fail(inner) if low < high else 0
            elif kind.name == "BRANCH":
                found += sum(map(self.steps_in_vain, given[1]))
                starts = [self.start(each).chars for each in given[1]]
                if sum(starts) != reduce(or_, starts):  # a character is in two of them
                    found += sum(map(self.steps_to_fail, given[1]))
            elif kind.name in _ATOMIC:
                found += self.ways(given if kind.name == "ATOMIC_GROUP" else given[1], None)[1]
            elif kind.name == "SUBPATTERN":
                found += self.steps_in_vain(given[-1])
        return min(found, _HUGE)

    def steps_to_fail(self, tree: Any) -> int:
        """The most steps after which a part fails: no repetition at its end does."""
        needed = [*tree]
        while needed and needed[-1][0].name in _REPEATS:
            kind, (low, _, inner) = needed.pop()
            if low:
                needed.append((kind, (low, low, inner)))
                break
        return self.ways(needed, None)[1]

    def sets_in(self, tree: Any) -> tuple[int, list[int]]:
        """The characters that a part may match, and sets of which each has to be in the match."""
        if id(tree) not in self.sets:
            whole = 0
            needed: list[int] = []
            for kind, given in tree:
                chars, sets = self.sets_of(kind.name, given)
                whole, needed = whole | chars, [*needed, *sets]
            self.sets[id(tree)] = tree, whole, needed[:_MOST_SETS]
        return self.sets[id(tree)][1:]

    def sets_of(self, kind: str, given: Any) -> tuple[int, list[int]]:
        if kind in SETS:
            return SETS[kind](given), [SETS[kind](given)]
        if kind in _REPEATS:
            whole, needed = self.sets_in(given[2])
            return whole, needed if given[0] else []
        if kind == "BRANCH":
            return reduce(or_, (self.sets_in(each)[0] for each in given[1])), []
        if kind == "SUBPATTERN" and not _has_flags(given):
            return self.sets_in(given[-1])
        return 0 if kind in _EMPTY else _ANYTHING, []

    def start(self, tree: Any) -> _Next:
        """The characters that may come next where a part of a pattern begins."""
        if id(tree) not in self.starts:
            found = _PASS
            for kind, given in reversed(tree):
                found = self.start_of(kind.name, given).then(found)
            self.starts[id(tree)] = tree, found
        return self.starts[id(tree)][1]

    def start_of(self, kind: str, given: Any) -> _Next:
        if kind in _REPEATS:
            start = self.start(given[2]).repeated(*given[:2])
            return start if given[0] else start | _PASS
        if kind == "BRANCH":
            return reduce(or_, map(self.start, given[1]))
        if kind == "SUBPATTERN" and not _has_flags(given):
            return self.start(given[-1])
        if kind == "AT":
            return _Next(1 << _END) if given.name == "AT_END_STRING" else _Next(0, passes=1)
        return _Next(SETS[kind](given), is_one=True) if kind in SETS else _Next(_ANYTHING)


def _has_flags(group: Any) -> bool:
    return bool(group[1] or group[2])


_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_ATOMIC = ("ASSERT", "ASSERT_NOT", "ATOMIC_GROUP")
_EMPTY = ("AT", "ASSERT", "ASSERT_NOT")
_MOST_SETS = 10
"""The most sets of characters by which two branches differ."""


# -- what comes next ---------------------------------------------------------------------------


class _Next(NamedTuple):
    """The characters that may come next in a string where a part of a pattern matches.

    Attributes:
        chars: A bit for each character, one for all beyond 16 bits, and one for the end.
        tries: The steps to find that something else comes next.
        passes: The ways to match no character, so that it depends on what comes after the part.
        is_one: Whether the part is just one character.
        later: For each character further on, those that were passed, and those that may come next.
    """

    chars: int
    tries: int = 1
    passes: int = 0
    is_one: bool = False
    later: tuple[tuple[int, int], ...] = ()

    def then(self, after: _Next) -> _Next:
        """The same, with what comes after the part."""
        chars = self.chars | after.chars if self.passes else self.chars
        later: tuple[tuple[int, int], ...] = ()
        if self.is_one and not after.passes:
            further = ((chars | passed, ends) for passed, ends in after.later[:2])
            later = ((chars, after.chars), *further)
        tries, passes = self.tries + self.passes * after.tries, self.passes * after.passes
        return _Next(chars, tries, passes, later=later)

    def repeated(self, low: int, high: int) -> _Next:
        """The same for the repeated part, which may match no character several times."""
        most = min(low + 1, high, 64)
        times = self.passes**most if self.passes > 1 else most if self.passes else 1
        tries, passes = min(self.tries * times, _HUGE), min(self.passes * times, _HUGE)
        return _Next(self.chars, tries, passes)

    def __or__(self, other: _Next) -> _Next:
        """The characters that may come next for one of two parts."""
        chars, tries = self.chars | other.chars, self.tries + other.tries
        return _Next(chars, tries, self.passes + other.passes)


_DONE, _PASS = _Next(0, 0), _Next(0, 0, passes=1)
_OTHERS, _END = 2**16, 2**16 + 1
_ALL = (1 << _END) - 1
_ANYTHING = _ALL | 1 << _END


def _others_than(chars: int) -> int:
    return _ALL & ~chars | 1 << _OTHERS


def _set_of_class(parts: Any) -> int:
    is_negated = parts[0][0].name == "NEGATE"
    chars: int = reduce(or_, (SETS[kind.name](given) for kind, given in parts[is_negated:]))
    return _others_than(chars) if is_negated else chars


def _set_of_category(category: Any) -> int:
    name: str = category.name.removeprefix("CATEGORY_")
    chars = _CATEGORIES[name.removeprefix("NOT_")]
    return _others_than(chars) if name.startswith("NOT_") else chars


def _range(first: int, last: int) -> int:
    return (2 << min(last, _OTHERS)) - (1 << min(first, _OTHERS))


_DIGITS = _range(0x30, 0x39)
_CATEGORIES = {
    "DIGIT": _DIGITS,
    "WORD": _DIGITS | _range(0x41, 0x5A) | _range(0x5F, 0x5F) | _range(0x61, 0x7A),
    "SPACE": _range(0x09, 0x0D) | _range(0x20, 0x20),
}
SETS: dict[str, Callable[[Any], int]] = {
    "LITERAL": lambda given: _range(given, given),
    "NOT_LITERAL": lambda given: _others_than(_range(given, given)),
    "RANGE": lambda given: _range(*given),
    "CATEGORY": _set_of_category,
    "IN": _set_of_class,
}
"""The characters that a part of a pattern stands for."""
