"""Find the changes between two schemas, and whether they break a caller.

Each rule (``compare.rules``) compares one aspect of a schema, such as bounds, choices or
properties, and decides for each difference whether the new schema is *narrower*, so that it accepts
fewer values, and whether it is *wider*. This is all that matters: a narrower input breaks callers,
a wider output breaks readers. If a rule cannot decide, the change may break, which counts as
breaking.

Callers are not expected to send or read a property that the schema does not name, unless it has a
schema for additional properties.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from milo_schema.compare.places import Difference, Place
from milo_schema.compare.rules import compare_assertions
from milo_schema.frozen import Frozen
from milo_schema.json_schema.drafts import valid_schema

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


Schema = Mapping[str, Any] | bool


def compare(old: Schema, new: Schema, *, path: str = "", output: bool = False) -> list[Change]:
    """Find the changes between two schemas.

    Args:
        old: The JSON Schema that callers know, of any draft that ``docs/dialects.md`` names.
        new: The JSON Schema that replaces it.
        path: The beginning of the path of each change, such as the name of the function.
        output: Whether these are output schemas, which readers of results rely on, not input
            schemas, which callers have to satisfy.

    Returns:
        The changes; empty if there are none.

    Raises:
        SchemaError: One of them is not a JSON Schema.

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
    before = valid_schema(old, "old schema", path.__add__)
    after = valid_schema(new, "new schema", path.__add__)
    place = Place(path, before, after, compare_assertions)
    return [
        Change(each.path, each.message, _effect(each.widens if output else each.narrows, each))
        for each in place.differences(before, after)
    ]


_EFFECTS: tuple[Effect, ...] = ("compatible", "may break", "breaking")
"""The effects of ``NO``, ``MAYBE`` and ``YES`` on callers or readers."""


def _effect(breaks: int, difference: Difference) -> Effect:
    return "reworded" if difference.is_of_words else _EFFECTS[breaks]
