"""Compare two unions, branch by branch."""

from __future__ import annotations

from milo_schema.annotations import Any, Iterator
from milo_schema.comparison.bodies import body_of, types_of
from milo_schema.comparison.differences import MAYBE, NO, YES, Difference
from milo_schema.comparison.labels import label_of, label_of_union

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.compare import Place
else:
    Place = Any


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
        and _count(olds, types, place.old_root) == _count(news, types, place.new_root) == 1
    ]


def _count(branches: list[Any], types: frozenset[str], root: Any) -> int:
    """The number of branches that accept values of some types."""
    return sum(not types.isdisjoint(_types(branch, root)) for branch in branches)


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
