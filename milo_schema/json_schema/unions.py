"""Simplify unions: ``anyOf`` without unions inside it, and without repetitions."""

from __future__ import annotations

from milo_schema.annotations import Any

Fragment = dict[str, Any]


def simplify(union: Fragment) -> Fragment:
    """An ``anyOf`` without unions inside it and without repetitions; null comes last.

    A union of one branch that says nothing else is that branch.
    """
    branches: dict[str, Fragment] = {}
    texts: dict[str, str] = {}
    for branch in union["anyOf"]:
        is_union = len(branch) == 1 and "anyOf" in branch
        for member in branch["anyOf"] if is_union else [branch]:
            if (outline := _outline(member)) not in branches:
                branches[outline] = member
            else:
                _add_distinct(outline, member, branches, texts)
    if len(branches) > 1 and (null := branches.pop(_NULL, None)) is not None:
        branches[_NULL] = null
    if len(branches) > 1 or len(union) > 1:
        return {**union, "anyOf": list(branches.values())}
    return next(iter(branches.values()))


# Two branches are the same if they are written alike, in any one order of keywords. Comparing each
# with each would take quadratic time, so branches are looked up by a text. The whole text of each
# would do, but unions are simplified from the inside out: in a union in a union in a union, the
# innermost would be written out as often as the unions are deep. So a branch goes by its outline,
# which is short, and by its whole text only if the outline is taken.


def _add_distinct(
    outline: str, branch: Fragment, known: dict[str, Fragment], texts: dict[str, str]
) -> None:
    """Add a branch whose outline is known, unless the branch is.

    Args:
        outline: What the branch shares with one that is known.
        branch: The branch.
        known: The branches so far, each by a text that no other one has.
        texts: The whole texts of those that go by an outline which another branch has, too.
    """
    if outline not in texts:
        texts[outline] = repr(known[outline])
    if (text := repr(branch)) != texts[outline]:
        known[text] = branch


def _outline(branch: Fragment) -> str:
    """The outline that tells most branches apart: the keywords, and the type."""
    if len(branch) == 1 and type(only := branch.get("type")) is str:
        return only
    return f"{' '.join(branch)}: {branch.get('type')}"


_NULL = _outline({"type": "null"})
