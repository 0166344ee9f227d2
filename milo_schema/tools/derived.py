"""The parts of a definition that its function has: name, description, schemas and box."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from milo_schema.annotations import Json
from milo_schema.callables.docs import description_of_callable
from milo_schema.callables.wrappers import function_inside, texts_of
from milo_schema.nodes.shared import SharedTypes
from milo_schema.profile import MCP, Profile, box_parts
from milo_schema.schemas.functions import Options, Reading
from milo_schema.schemas.outputs import BOX
from milo_schema.tools.fields import HINTS, ToolAnnotations
from milo_schema.tools.origin import Origin


def read_tool(
    func: Any,
    profile: Profile = MCP,
    name: str | None = None,
    description: str | None = None,
    shared: SharedTypes | None = None,
    **options: Any,
) -> tuple[Reading, str | None, str | None]:
    """A function, or that in a tool of another library; its name and description if it has them."""
    inner = function_inside(func)
    name, description = texts_of(func, inner, name, description)
    part: Literal["input", "tool"] = "tool" if description is None else "input"
    reading = Reading(inner, Options(profile, tool=name, part=part, **options), shared)
    return reading, name, description


def input_of(reading: Reading, origin: Origin, is_exact: bool) -> tuple[Json, Json]:
    """The derived input schema, also as it was before the transforms of the profile."""
    schema = reading.input_schema(is_exact=is_exact)
    known = reading.input.untransformed if is_exact else reading.input.schema
    if schema is known:  # otherwise, the profile gave it up
        origin.input_schema = schema
    return schema, reading.input.untransformed or schema


def output_of(reading: Reading, given: Mapping[str, Any] | None, is_exact: bool) -> dict[str, Any]:
    """The output schema, given or derived, and its box."""
    if given is not None:
        return {"output_schema": given, "box": box_of(given, reading.profile)}
    schema = reading.output_schema(is_exact=is_exact)
    if schema is None:
        return {}
    return {"output_schema": schema, "box": BOX if reading.output.is_boxed else None}


def documented(reading: Reading) -> str:
    """The description of a function from its docstring."""
    profile = reading.profile
    if profile.docstrings == "never":
        return ""
    docs, parser = reading.signature.docs, reading.docstrings
    return description_of_callable(reading.func, docs, profile.tool_description, parser)


def move_to_tool(input_schema: Mapping[str, Any], written: Json) -> str:
    """Remove and return the description of a record that its fields replaced."""
    description: str = written.get("description", "")
    if (
        description
        and type(input_schema) is dict
        and input_schema.get("description") == description
    ):
        del input_schema["description"]
    return description


def box_of(output_schema: Mapping[str, Any], profile: Profile) -> str | None:
    """The property that contains the value of a boxed output, recognized by the profile's keywords.

    Args:
        output_schema: An output schema, such as one in a server's ``tools/list``.
        profile: The profile with the keywords of a box; if it has none, no box is recognized.

    Returns:
        The name of the property, or ``None`` if the schema does not look boxed.
    """
    marks, _ = box_parts(profile.for_outputs.box)
    is_marked = marks and all(output_schema.get(key) == value for key, value in marks.items())
    return BOX if is_marked else None


def with_unset(hints: ToolAnnotations, value: bool) -> ToolAnnotations:
    """The hints, with a value for each of those that are not set."""
    unset = [name for name in HINTS if name != "title" and getattr(hints, name) is None]
    return hints.replace(**dict.fromkeys(unset, value))
