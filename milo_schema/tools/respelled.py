"""A tool under another dialect, and as Python: its schemas in our form, respelled."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from milo_schema.annotations import Json
from milo_schema.errors import RESULT, Problem, Report, SchemaError
from milo_schema.json_schema.subschemas import copy
from milo_schema.nodes.forward import ToolSchema
from milo_schema.profile import InDialect, Profile, check_profile
from milo_schema.schemas.functions import as_parameter
from milo_schema.tools.origin import check_given, origin_of


def in_dialect(tool: ToolSchema, profile: Profile) -> tuple[ToolSchema, list[tuple[str, str]]]:
    """A tool in the dialect of a profile, and the path and the reason of each part that is lost."""
    found, dialect = tool.replace(), profile.dialect
    problems: list[tuple[str, str]] = []
    if dialect != tool.dialect:
        schema = exact = check_given("input schema", _exact(tool), tool.name, as_parameter)
        if dialect is not None:
            schema, problems = spelled_in(dialect, exact, tool.name)
        found = tool.replace(input_schema=schema, dialect=dialect)
        origin_of(found).exact, origin_of(found).rewritten = exact, found.input_schema
    origin = origin_of(found)
    origin.profile = profile
    if origin.reading is not None:
        origin.reading = origin.reading.again(profile=profile)
    return found, [(as_parameter(path), reason) for path, reason in problems]


def spelled_in(dialect: str, schema: Json, name: str) -> tuple[Json, list[tuple[str, str]]]:
    """A schema in a dialect, and the path and the reason of each part that is lost."""
    report = Report(name=name)
    return InDialect(dialect)(schema, report), report.problems


def dialect_of(profile: Profile) -> str:
    """The name of the dialect of a profile, if it has one."""
    check_profile(profile)
    if profile.dialect is None:
        raise SchemaError(f"{profile!r} has no dialect; use one such as profiles.GEMINI")
    return profile.dialect


def _exact(tool: ToolSchema) -> Json:
    """The input schema of a tool; what another dialect made of it is undone."""
    origin = origin_of(tool)
    exact = origin.exact
    if exact is None:
        if tool.dialect is None or origin.reading is None or origin.input_schema is None:
            return tool.input_schema
        exact = origin.reading.input.untransformed
    copied: Json = copy(exact)
    return copied


def parts_of(tool: ToolSchema) -> tuple[str, str | None, Json, Json | None]:
    """The name, the description and the schemas of a tool, as its calls need them.

    The schemas are in our form, without what a dialect made of them, and without the box.
    """
    inputs = check_given("input schema", _exact(tool), tool.name, as_parameter)
    output = tool.output_schema
    if output is not None:
        output = check_given("output schema", output, tool.name + RESULT)
    if output is not None and tool.box in output.get("properties", {}):
        inner = output["properties"][tool.box]
        output = {"anyOf": [inner], **{key: output[key] for key in output if key == "$defs"}}
    return tool.name, tool.description, inputs, output


def python_of(
    tools: Iterable[ToolSchema],
    *,
    metadata: bool = False,
    is_async: bool = False,
    lost: Callable[[Problem], object] | None = None,
) -> str:
    """Tools as a module of Python; see ``ToolSchema.to_python()``."""
    from milo_schema.tools.stubs import write  # with dialects, which most programs do without

    return write([*map(parts_of, tools)], metadata, is_async, lost or str)
