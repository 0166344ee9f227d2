"""Where a tool comes from, which a file does not have: its definition says nothing about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from milo_schema.annotations import Json
from milo_schema.nodes.forward import Call, ToolSchema
from milo_schema.profile import MCP, InDialect, Profile
from milo_schema.schemas.functions import Reading


class Origin:
    """Where a tool comes from. Each tool has an origin of its own.

    Attributes:
        reading: The function that it was made from, as it was read; ``None`` if it is not known.
        profile: The profile of its schemas and results.
        description: Its description, if that was derived.
        input_schema: Its input schema, if that was derived; ``None`` if it was given.
        output_schema: Its output schema, if that was derived.
        exact: Its input schema before a dialect rewrote it, if that was given.
        rewritten: The input schema that the dialect made of it.
        call: The parts that its calls share. The first call fills it in, so that the second one
            derives nothing.
    """

    description: str | None = None
    input_schema: Json | None = None
    output_schema: Json | None = None
    exact: Json | None = None
    rewritten: Json | None = None
    call: Call | None = None

    def __init__(self, reading: Reading | None = None, profile: Profile = MCP) -> None:
        self.reading: Reading | None = reading
        self.profile: Profile = profile

    def is_ours(self, key: str, value: object) -> bool:
        """Whether a field was derived, and no code of users, such as a transform, changed it."""
        if self.reading is None or value is not getattr(self, key, None):
            return False
        return all(type(each) is InDialect for each in self.reading.profile.transforms)

    def of(self, given: Mapping[str, Any], parts: Mapping[str, Any]) -> Origin:
        """The origin of a tool that is made from what is given, such as another one's fields."""
        found = Origin(self.reading, self.profile)
        found.description = self.description
        for key in ("input_schema", "output_schema"):
            derived, part = getattr(self, key), parts.get(key)
            if derived is not None and (given.get(key) is derived or repr(part) == repr(derived)):
                setattr(found, key, part)
        if self.exact is not None and repr(parts["input_schema"]) == repr(self.rewritten):
            found.exact, found.rewritten = self.exact, self.rewritten
        return found


def origin_of(tool: ToolSchema) -> Origin:
    """Where a tool comes from."""
    return tool._origin  # noqa: SLF001 - this folder keeps it


def check_given(
    what: str, schema: Any, name: str, step: Callable[[str], str] = str, *, is_called: bool = False
) -> Json:
    """A schema that others wrote, in our form.

    Raises:
        SchemaError: It is not valid; for a call, no reference may lead nowhere, either.
    """
    from milo_schema.json_schema.drafts import valid_schema  # most schemas are derived

    refused = ("invalid-schema", *(["dangling-reference"] if is_called else []))
    found: Json = valid_schema(schema, what, lambda path: name + step(path), refused)
    return found
