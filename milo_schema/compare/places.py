"""Where two schemas are compared, how far the comparison has come, and the differences there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from milo_schema.compare.sides import (
    ABSENT,
    body_of,
    change_of,
    follow,
    label_of,
    label_of_union,
    types_of,
)

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


Compare = Callable[[Any, Any, "Place"], Iterator[Difference]]

_WORDS = ("title", "description", "examples", "$comment")
"""The keywords that only people and models read."""

MAX_DEPTH = 64
MAX_STEPS = 50_000
"""The most steps of a comparison; beyond them, the answer is unknown."""


class Place:
    """Two subschemas at one place, and the state of the comparison.

    Attributes:
        compare: The rules for the keywords that decide which values are accepted; they come
            back here for subschemas.
    """

    def __init__(self, path: str, old_root: Any, new_root: Any, compare: Compare) -> None:
        self.compare: Compare = compare
        self.path: str = path
        self.old_root: Any = old_root
        self.new_root: Any = new_root
        self.depth: int = 0
        self.same_defs: bool = _text(_defs(old_root)) == _text(_defs(new_root))
        self.known: dict[tuple[int, int], Any] = {}
        self.steps: list[int] = [MAX_STEPS]

    def at(self, step: str) -> Place:
        """The place one step further."""
        return self._copy(path=self.path + step)

    def probe(self) -> Place:
        """A copy for a trial comparison that records nothing."""
        return self._copy(known=dict(self.known))

    def swapped(self) -> Place:
        """A copy for a trial comparison of new with old."""
        known = {(new, old): kept for (old, new), kept in self.known.items()}
        return self._copy(old_root=self.new_root, new_root=self.old_root, known=known)

    def _copy(self, **changes: Any) -> Place:
        place = object.__new__(Place)
        vars(place).update(vars(self), depth=self.depth + 1, **changes)
        return place

    def differs(self, message: str, narrows: int = NO, widens: int = NO) -> Difference:
        """A difference at this place."""
        return Difference(self.path, message, narrows, widens)

    def is_same(self, old: Any, new: Any) -> bool:
        """Whether two parts, and the definitions that they refer to, have the same text."""
        text = _text(old)
        return text == _text(new) and (self.same_defs or '"$ref"' not in text)

    def differences(self, old: Any, new: Any) -> Iterator[Difference]:
        """The changes between two subschemas at this place."""
        if self.is_same(old, new):
            return
        self.steps[0] -= 1
        if self.depth > MAX_DEPTH or self.steps[0] < 0:
            yield self.differs("too large to be compared", MAYBE, MAYBE)
            return
        old_annotations, old_end = follow(old, self.old_root)
        new_annotations, new_end = follow(new, self.new_root)
        for name in old_annotations | new_annotations:  # they do not affect accepted values
            before, after = old_annotations.get(name, ABSENT), new_annotations.get(name, ABSENT)
            if ABSENT in (before, after) or _text(before) != _text(after):
                difference = self.differs(change_of(name, before, after))
                difference.is_of_words = name in _WORDS
                yield difference
        pair = (id(old_end), id(new_end))
        if pair not in self.known:  # so that a recursive schema ends
            self.known[pair] = (old_end, new_end)  # kept alive, so that their ids stay theirs
            yield from self.compare(old, new, self)

    def is_narrower(self, old: Any, new: Any) -> bool:
        """Whether *new* accepts every value that *old* accepts, as far as can be decided."""
        return not any(each.narrows for each in self.probe().differences(old, new))

    def is_wider(self, old: Any, new: Any) -> bool:
        """Whether *old* accepts every value that *new* accepts, as far as can be decided."""
        return self.swapped().is_narrower(new, old)


def _defs(root: Any) -> Any:
    return root.get("$defs") if type(root) is dict else None


def _text(value: Any) -> str:
    """A string that is the same for two JSON values only if they are equal."""
    return json.dumps(value, sort_keys=True)


# -- unions ------------------------------------------------------------------------------------


def compare_unions(olds: list[Any], news: list[Any], place: Place) -> Iterator[Difference]:
    """Compare branches: drop equal ones, compare those with one label, report the others."""
    gone = [old for old in olds if not any(_is_alike(old, new, place) for new in news)]
    come = [new for new in news if not any(_is_alike(old, new, place) for old in olds)]
    for old, new in _only_ones(gone, come, (olds, news), place) or _pairs(gone, come, place):
        gone.remove(old)
        come.remove(new)
        yield from place.at("").differences(old, new)
    if gone or come:
        before = label_of_union(olds, place.old_root)
        after = label_of_union(news, place.new_root)
        yield place.differs(
            _exchanged(gone, come, place) if before == after else f"type {before} -> {after}",
            _loss(gone, news, place),
            _loss(come, olds, place.swapped()),
        )


def _exchanged(gone: list[Any], come: list[Any], place: Place) -> str:
    """The message about changed branches with the same labels."""
    before = label_of_union(gone, place.old_root)
    if not gone:
        return f"another {label_of_union(come, place.new_root)} added"
    return f"alternatives of {before} changed" if come else f"one {before} removed"


def _is_alike(old: Any, new: Any, place: Place) -> bool:
    return not any(True for _ in place.probe().differences(old, new))


def _only_ones(
    gone: list[Any], come: list[Any], all_branches: tuple[list[Any], list[Any]], place: Place
) -> list[tuple[Any, Any]]:
    """Pairs of branches to compare: on either side, no other branch accepts their types."""
    olds, news = all_branches
    return [
        (old, new)
        for old in gone
        for new in come
        if (types := _types(old, place.old_root)) == _types(new, place.new_root)
        and sum(not types.isdisjoint(_types(each, place.old_root)) for each in olds) == 1
        and sum(not types.isdisjoint(_types(each, place.new_root)) for each in news) == 1
    ]


def _types(branch: Any, root: Any) -> frozenset[str]:
    return types_of(body_of(branch, root))


def _pairs(gone: list[Any], come: list[Any], place: Place) -> list[tuple[Any, Any]]:
    """Pairs of branches with the same label, which no other branch of their side has."""
    olds = [(label_of(branch, place.old_root), branch) for branch in gone]
    news = [(label_of(branch, place.new_root), branch) for branch in come]
    old_labels, new_labels = [label for label, _ in olds], [label for label, _ in news]
    return [
        (old, new)
        for label, old in olds
        for other, new in news
        if label == other and old_labels.count(label) == new_labels.count(label) == 1
    ]


def _loss(branches: list[Any], others: list[Any], place: Place) -> int:
    """Whether values of the old branches are lost: surely, if no new branch has their type."""
    lost = [old for old in branches if not any(place.is_narrower(old, new) for new in others)]
    if not lost:
        return NO
    kept = {each for new in others for each in _types(new, place.new_root)}
    is_sure = any(not _types(old, place.old_root) <= kept for old in lost)
    return YES if is_sure else MAYBE
