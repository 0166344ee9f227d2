"""Find the changes between two schemas, and whether they break a caller.

Each rule (``compare.rules``) compares one aspect of a schema, such as bounds, choices or
properties, and decides for each difference whether the new schema is *narrower*, so that it accepts
fewer values, and whether it is *wider*. This is all that matters: a narrower input breaks callers,
a wider output breaks readers. If a rule cannot decide, the change may break, which counts as
breaking, and does break if a value proves it (``compare.proofs``).

Callers are not expected to send or read a property that the schema does not name, unless it is a
mapping, or has a schema for additional properties.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from milo_schema.annotations.frozen import Frozen
from milo_schema.compare.places import Difference, Place, cut
from milo_schema.compare.proofs import Proofs
from milo_schema.compare.rules import compare_assertions
from milo_schema.json_schema.drafts import valid_schema
from milo_schema.json_schema.values import copied_part

Effect = Literal["compatible", "reworded", "breaking", "may break"]
Schema = Mapping[str, Any] | bool


class Change(Frozen):
    """One change: where, what, and whether it breaks callers or readers.

    Attributes:
        path: The path, such as ``deploy.version``.
        message: The change, such as ``default "latest" -> "stable"``.
        effect: ``"compatible"``, ``"breaking"``, or ``"may break"`` if it cannot be decided;
            ``"reworded"`` if only text for people and models changed, such as a description.
        witness: What proves that it breaks: the JSON of a call that worked before and fails now;
            or of a result that was impossible before. Empty if nothing does.
        output: Whether it is about results.

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
    witness: str = ""
    output: bool = False

    @property
    def breaks(self) -> bool:
        """Whether it breaks callers or readers, or may break them."""
        return self.effect in ("breaking", "may break")

    def __str__(self) -> str:
        place = f"{self.path}: " if self.path else ""
        return f"{place}{self.message} ({self.effect}){self.proof}"

    @property
    def proof(self) -> str:
        """The end of the text, which is the witness, if there is one, cut to a line or two."""
        if not self.witness:
            return ""
        return f": {cut(self.witness, 200)} {_PROVED[self.output]}"


_PROVED = ("worked before", "may be returned now")


def compare_schemas(old: Schema, new: Schema, path: str, *, output: bool = False) -> list[Change]:
    """The changes between two schemas."""
    schemas = _read(old, "old schema", path), _read(new, "new schema", path)
    place = Place(path, *schemas, compare_assertions)
    proofs = Proofs(schemas, is_of_results=output)
    return [_change(each, proofs, output) for each in place.differences(*schemas)]


def _read(schema: Schema, what: str, path: str) -> Any:
    return valid_schema(copied_part(schema, what, path), what, path.__add__)


_EFFECTS: tuple[Effect, ...] = ("compatible", "may break", "breaking")
"""The effects of ``NO``, ``MAYBE`` and ``YES`` on callers or readers."""


def _change(difference: Difference, proofs: Proofs, output: bool) -> Change:
    breaks = difference.widens if output else difference.narrows
    witness = proofs.find(difference) if breaks else ""
    effect: Effect = "reworded" if difference.is_of_words else _EFFECTS[breaks]
    if witness:
        effect = "breaking"
    return Change(difference.place.path, difference.message, effect, witness, output)
