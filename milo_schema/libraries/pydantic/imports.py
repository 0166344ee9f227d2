"""Convert pydantic's schemas to our form.

Keywords are converted by position, never by name alone: titles that pydantic generated are dropped,
and its references become ours, so that its ``$defs`` are named, shared and inlined like all others.
"""

from __future__ import annotations

from typing import Any

from milo_schema.annotations import Fragment
from milo_schema.annotations.classes import MISSING
from milo_schema.annotations.forms import split
from milo_schema.json_schema import references
from milo_schema.json_schema.references import Define
from milo_schema.libraries.pydantic.answers import STAND_IN, UNUSABLE

Walk = Any  # of ``nodes``, which use this file


class Import(references.Import):
    """An answer of pydantic, while it is converted.

    Attributes:
        annotation: The annotation that pydantic described.
    """

    def __init__(self, annotation: Any, definitions: dict[str, Fragment], define: Define) -> None:
        super().__init__(definitions, define)
        self.annotation = annotation

    def named(self, name: str, schema: Fragment, walk: Walk) -> Fragment:
        """A reference to a schema of pydantic, defined here under that name."""
        untitled = {key: value for key, value in schema.items() if key != "title"}
        return super().named(name, untitled, walk)

    def fragment(self, schema: Fragment, walk: Walk) -> Fragment:
        """A subschema of pydantic in our form."""
        if UNUSABLE in schema:
            placeholder: Fragment = walk.unsupported(self.annotation, schema[UNUSABLE])
            return placeholder
        if STAND_IN in schema:
            siblings = {key: value for key, value in schema.items() if key != STAND_IN}
            _, args = split(self.annotation)
            return {**walk.schema(args[0]), **siblings}
        if "discriminator" in schema:  # a keyword of OpenAPI; the members differ without it
            rest = {key: value for key, value in schema.items() if key != "discriminator"}
            schema = {"anyOf" if key == "oneOf" else key: value for key, value in rest.items()}
        fields = schema.get("properties", {})
        fragment = super().fragment({**schema, "properties": {}} if fields else schema, walk)
        for name, field in fields.items():
            fragment["properties"][name] = self._field(name, field, walk)
        if "properties" in fragment and walk.profile.closed == "everything":
            fragment.setdefault("additionalProperties", False)
        return fragment

    def _field(self, name: str, field: Fragment, walk: Walk) -> Fragment:
        fragment = self.fragment(field, walk.at(f".{name}"))
        if fragment.get("title") == name.title().replace("_", " ").strip():  # made up
            del fragment["title"]
        unwraps = walk.out.unwrap_none
        if unwraps == "if_default":
            unwraps = field.get("default", MISSING) is None
        return _without_null(fragment) if unwraps else fragment


def _without_null(field: Fragment) -> Fragment:
    """``T`` for ``T | None``, if the profile unwraps ``None``."""
    arms = [arm for arm in field.get("anyOf", ()) if arm != {"type": "null"}]
    if not arms or len(arms) == len(field["anyOf"]):
        return field
    rest = {key: value for key, value in field.items() if key != "anyOf"}
    return {**arms[0], **rest} if len(arms) == 1 else {"anyOf": arms, **rest}
