"""Find the changes between two schemas, and whether they break a caller.

Each rule (``comparison.rules``) compares one aspect of a schema, such as bounds, choices or
properties, and decides for each difference whether the new schema is *narrower*, so that it accepts
fewer values, and whether it is *wider*. This is all that matters: a narrower input breaks callers,
a wider output breaks readers. If a rule cannot decide, the change may break, which counts as
breaking.

Callers are not expected to send or read a property that the schema does not name, unless it has a
schema for additional properties.
"""

from __future__ import annotations

import json

from milo_schema.annotations import Any, Iterator, Json, Literal, Mapping
from milo_schema.comparison.bodies import follow
from milo_schema.comparison.differences import MAYBE, NO, Difference
from milo_schema.comparison.labels import ABSENT, change_of
from milo_schema.comparison.rules import compare_assertions
from milo_schema.frozen import Frozen

Effect = Literal["compatible", "reworded", "breaking", "may break"]

__all__ = ["Change", "compare"]


class Change(Frozen):
    """One change: where, what, and whether it breaks callers or readers.

    Attributes:
        path: The path, such as ``deploy.version``.
        message: The change, such as ``default "latest" -> "stable"``.
        effect: ``"compatible"``, ``"breaking"``, or ``"may break"`` if it cannot be decided;
            ``"reworded"`` if only text for people and models changed, such as a description.

    Example:
        >>> from milo_schema.compare import Change
        >>> change = Change("deploy.replicas", "added, required", "breaking")
        >>> print(change)
        deploy.replicas: added, required (breaking)
        >>> change.breaks
        True
    """

    path: str
    message: str
    effect: Effect

    @property
    def breaks(self) -> bool:
        """Whether it breaks callers or readers, or may break them."""
        return self.effect in ("breaking", "may break")

    def __str__(self) -> str:
        place = f"{self.path}: " if self.path else ""
        return f"{place}{self.message} ({self.effect})"


def compare(
    old: Mapping[str, Any], new: Mapping[str, Any], *, path: str = "", output: bool = False
) -> list[Change]:
    """Find the changes between two schemas.

    Args:
        old: The JSON Schema that callers know; its references are local.
        new: The JSON Schema that replaces it.
        path: The beginning of the path of each change, such as the name of the function.
        output: Whether these are output schemas, which readers of results rely on, not input
            schemas, which callers have to satisfy.

    Returns:
        The changes; empty if there are none.

    Example:
        >>> from milo_schema import function_to_schema
        >>> from milo_schema.compare import compare
        >>> def deploy(version: str = "latest"): ...
        >>> before = function_to_schema(deploy)
        >>> def deploy(replicas: int, version: str = "stable"): ...
        >>> for change in compare(before, function_to_schema(deploy), path="deploy"):
        ...     print(change)
        deploy.version: default "latest" -> "stable" (compatible)
        deploy.replicas: added, required (breaking)
    """
    place = Place(path, old, new)
    return [
        Change(each.path, each.message, _effect(each.widens if output else each.narrows, each))
        for each in place.differences(old, new)
    ]


# -- places ------------------------------------------------------------------------------------

_EFFECTS: tuple[Effect, ...] = ("compatible", "may break", "breaking")
"""The effects of ``NO``, ``MAYBE`` and ``YES`` on callers or readers."""

_WORDS = ("title", "description", "examples", "$comment")
"""The keywords that only people and models read."""


def _effect(breaks: int, difference: Difference) -> Effect:
    return "reworded" if difference.is_of_words else _EFFECTS[breaks]


MAX_DEPTH = 64
MAX_STEPS = 50_000
"""The most steps of a comparison; beyond them, the answer is unknown."""


class Place:
    """Two subschemas at one place, and the state of the comparison."""

    __slots__ = ("depth", "known", "new_root", "old_root", "path", "same_defs", "steps")

    def __init__(self, path: str, old_root: Any, new_root: Any) -> None:
        self.path: str = path
        self.old_root: Any = old_root
        self.new_root: Any = new_root
        self.depth: int = 0
        self.same_defs: bool = _canonical(old_root.get("$defs")) == _canonical(
            new_root.get("$defs")
        )
        self.known: dict[tuple[int, int], Any] = {}
        self.steps: list[int] = [MAX_STEPS]

    def at(self, step: str) -> Place:
        """The place one step further."""
        place = self._copy()
        place.path = self.path + step
        place.depth = self.depth + 1
        return place

    def probe(self) -> Place:
        """A copy for a trial comparison that records nothing."""
        place = self.at("")
        place.known = dict(self.known)
        return place

    def swapped(self) -> Place:
        """A copy for a trial comparison of new with old."""
        place = self.probe()
        place.old_root, place.new_root = self.new_root, self.old_root
        place.known = {(new, old): kept for (old, new), kept in self.known.items()}
        return place

    def _copy(self) -> Place:
        place = object.__new__(Place)
        for name in self.__slots__:
            setattr(place, name, getattr(self, name))
        return place

    def differs(self, message: str, narrows: int = NO, widens: int = NO) -> Difference:
        """A difference at this place."""
        return Difference(self.path, message, narrows, widens)

    def is_same(self, old: Any, new: Any) -> bool:
        """Whether two parts, and the definitions that they refer to, have the same text."""
        text = _canonical(old)
        return text == _canonical(new) and (self.same_defs or '"$ref"' not in text)

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
        yield from self._annotations(old_annotations, new_annotations)
        if not self._is_known(old_end, new_end):
            yield from compare_assertions(old, new, self)

    def _annotations(self, old: Json, new: Json) -> Iterator[Difference]:
        """The changes of text for people and models, which do not affect accepted values."""
        for name in old | new:
            before, after = old.get(name, ABSENT), new.get(name, ABSENT)
            if ABSENT in (before, after) or _canonical(before) != _canonical(after):
                difference = self.differs(change_of(name, before, after))
                difference.is_of_words = name in _WORDS
                yield difference

    def _is_known(self, old: Any, new: Any) -> bool:
        """Whether this pair was compared before, so that a recursive schema ends."""
        pair = (id(old), id(new))
        if pair in self.known:
            return True
        self.known[pair] = (old, new)  # kept alive, so that their ids stay theirs
        return False

    def is_narrower(self, old: Any, new: Any) -> bool:
        """Whether *new* accepts every value that *old* accepts, as far as can be decided."""
        return not any(each.narrows for each in self.probe().differences(old, new))

    def is_wider(self, old: Any, new: Any) -> bool:
        """Whether *old* accepts every value that *new* accepts, as far as can be decided."""
        return self.swapped().is_narrower(new, old)


def _canonical(value: Any) -> str:
    """A text that is the same for two JSON values only if they are equal."""
    return json.dumps(value, sort_keys=True)
