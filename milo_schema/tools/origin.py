"""Where a tool comes from, which a file does not have: its definition says nothing about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from milo_schema.annotations import Json
from milo_schema.callables.docs import description_of_callable
from milo_schema.callables.wrappers import function_inside, texts_of
from milo_schema.errors import RESULT, Problem, Report, SchemaError
from milo_schema.json_schema.subschemas import copy
from milo_schema.nodes import Call, ToolSchema
from milo_schema.nodes.session import SharedTypes
from milo_schema.profile import MCP, InDialect, Profile, box_parts, check_profile
from milo_schema.schemas.functions import Options, Reading, as_parameter
from milo_schema.schemas.outputs import BOX


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


# -- what its function says -----------------------------------------------------------------------


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


# -- its schemas in another dialect, and as Python -----------------------------------------------


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
