"""Simplify unions: flatten ``anyOf`` and remove repetitions."""

from __future__ import annotations

from milo_schema.annotations import Fragment


def simplify(union: Fragment) -> Fragment:
    """A flat ``anyOf`` without repetitions; null comes last.

    A union of one branch without other keywords becomes that branch.
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


# Two branches are the same if their text is, apart from the order of keywords. Comparing every pair
# would take quadratic time, so branches are looked up by text. The whole text of each would work,
# but unions are simplified from the inside out, so the innermost of nested unions would be written
# out once for each level. So the key of a branch is its outline, which is short, and its whole text
# only if another branch has the same outline.


def _add_distinct(
    outline: str, branch: Fragment, known: dict[str, Fragment], texts: dict[str, str]
) -> None:
    """Add a branch with an outline that another branch has, unless the branches are the same.

    Args:
        outline: The outline of the branch.
        branch: The branch.
        known: The branches so far, each by its key.
        texts: The whole texts of branches whose key is an outline that another branch has, too.
    """
    if outline not in texts:
        texts[outline] = repr(known[outline])
    if (text := repr(branch)) != texts[outline]:
        known[text] = branch


def _outline(branch: Fragment) -> str:
    """A short text that differs for most branches: the keywords and the type."""
    if len(branch) == 1 and type(only := branch.get("type")) is str:
        return only
    return f"{' '.join(branch)}: {branch.get('type')}"


_NULL = _outline({"type": "null"})
