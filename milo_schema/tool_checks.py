"""Findings about tool definitions: about each, and about those that are used together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from milo_schema.annotations import Json
from milo_schema.costs import saved_in, size_of
from milo_schema.dialects.consumers import DIALECTS, over_limits
from milo_schema.errors import Report, nearest
from milo_schema.frozen import Frozen
from milo_schema.json_schema.keywords import KEYWORDS, is_annotation
from milo_schema.json_schema.paths import located
from milo_schema.json_schema.problems import contradictions, header_problems
from milo_schema.profile import MILO, InDialect, Profile
from milo_schema.schemas.readings import NO_DESCRIPTION, as_parameter
from milo_schema.tools import ToolSchema
from milo_schema.wire import WIRE_FORMS, NameRule

__all__ = ["Finding", "check_set", "check_tool", "check_tools"]


class Finding(Frozen):
    """One finding: its place, its code, and a message.

    Attributes:
        place: Where it is, such as ``deploy(params).filters``.
        code: The kind of finding: one of ``CODES``.
        message: What is wrong, and what to do about it.

    Example:
        >>> from milo_schema.checks import Finding
        >>> print(Finding("deploy(x)", "any-parameter", "accepts any value; annotate it"))
        deploy(x): accepts any value; annotate it [any-parameter]
    """

    place: str
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message} [{self.code}]"


def check_tool(tool: ToolSchema, *, profile: Profile = MILO) -> list[Finding]:
    """Check a tool definition, whatever its source.

    Args:
        tool: The definition.
        profile: How its schemas are written.

    Returns:
        The findings; empty if there are none.

    Example:
        >>> from milo_schema import tool_schema
        >>> from milo_schema.checks import check_tool
        >>> def ping() -> str: ...
        >>> [each.code for each in check_tool(tool_schema(ping))]
        ['undescribed-tool']
    """
    schema, output = tool.input_schema, tool.output_schema  # read once: each is a copy
    return [
        *_tool_itself(tool, output),
        *_parameters(tool, schema),
        *_names(tool, schema),
        *_headers(tool, schema),
        *_contradictions(tool, schema, profile),
        *_keywords(tool, schema),
        *_repetitions(tool, [schema, output or {}]),
        *_refused_by_dialect(tool, schema, profile),
    ]


def check_tools(tools: Iterable[ToolSchema], *, profile: Profile = MILO) -> list[Finding]:
    """Check tools that are used together: each by itself, and all of them as one request.

    A required parameter has a source if the output of another tool has a property with its name,
    or if it is marked with ``"x-user-providable": true``.

    Args:
        tools: The definitions.
        profile: What their schemas should say.

    Returns:
        The findings; empty if there are none.

    Example:
        >>> from milo_schema import tool_schema
        >>> from milo_schema.checks import check_tools
        >>> def refund(order_id: str) -> None: ...
        >>> [each.code for each in check_tools([tool_schema(refund)])][-1]
        'unreachable-parameter'
    """
    every = list(tools)
    found = [finding for tool in every for finding in check_tool(tool, profile=profile)]
    return [*found, *check_set(every, profile=profile)]


def check_set(tools: Iterable[ToolSchema], *, profile: Profile = MILO) -> list[Finding]:
    """Check only a set of tools as a whole: names, sources of parameters, and size.

    Providers limit the total size of the tools in strict mode in one request.

    Args:
        tools: The definitions.
        profile: How their schemas are written. With the profile of a strict mode, tools in other
            dialects count, too, if they can be written in that of the profile.

    Returns:
        The findings; empty if there are none.

    Example:
        >>> from milo_schema import tool_schema
        >>> from milo_schema.checks import check_set
        >>> def ping(): ...
        >>> [each.code for each in check_set([tool_schema(ping), tool_schema(ping)])]
        ['duplicate-tool']
    """
    every = list(tools)
    return [*_duplicates(every), *_unreachable(every), *_over_limits(every, profile)]


# -- findings about a definition ---------------------------------------------------------------


def _tool_itself(tool: ToolSchema, output: Json | None) -> Iterator[Finding]:
    for provider, names in _NAMES_OF_PROVIDERS.items():
        if problem := names.problem(tool.name):
            yield Finding(
                tool.name, "refused-tool-name", f"not a valid {provider} tool name: {problem}"
            )
    if not tool.description:
        reason = "no description; write a docstring, or pass description="
        yield Finding(tool.name, "undescribed-tool", reason)
    if output is None:
        reason = "no output schema; annotate what it returns, or pass output_schema="
        yield Finding(tool.name, "no-output-schema", reason)


_NAMES_OF_PROVIDERS = {form.provider: form.names for form in WIRE_FORMS.values()}


def _parameters(tool: ToolSchema, schema: Json) -> Iterator[Finding]:
    for name, fragment in properties_of(schema).items():
        place = f"{tool.name}({name})"
        if "description" not in fragment:
            yield Finding(place, "undescribed-parameter", NO_DESCRIPTION)
        if all(map(is_annotation, fragment)):
            yield Finding(place, "any-parameter", "accepts any value; add a precise annotation")


def _names(tool: ToolSchema, schema: Json) -> Iterator[Finding]:
    for name in properties_of(schema):
        if problem := _PARAMETER_NAMES.problem(name):
            reason = f"{name!r} is not a valid parameter name: {problem}"
            yield Finding(f"{tool.name}({name})", "refused-name", reason)


_PARAMETER_NAMES = NameRule("_.-", 64)  # of Anthropic's API, which checks only these names


def _headers(tool: ToolSchema, schema: Json) -> Iterator[Finding]:
    for path, reason in header_problems(schema):
        yield Finding(place_in(tool, path), "invalid-header", reason)


def _repetitions(tool: ToolSchema, schemas: list[Json]) -> Iterator[Finding]:
    """The repetitions in a tool, if they are large, absolutely and in proportion."""
    if (saved := sum(map(saved_in, schemas))) < REPETITION:
        return
    size = size_of(tool)
    if saved * 4 >= size:
        reason = f"$defs would save about {saved:,} of its {size:,} characters; use inline='auto'"
        yield Finding(tool.name, "repeated-schema", reason)


REPETITION = 1_000
"""The fewest characters of a repetition that is worth a finding: about 250 tokens."""


def _contradictions(tool: ToolSchema, schema: Json, profile: Profile) -> Iterator[Finding]:
    """The contradictions; if ``T | None`` is T, a default of null means that there is no value."""
    for path, code, reason in contradictions(schema, nulls=bool(profile.unwrap_none)):
        yield Finding(place_in(tool, path), code, reason)


def _keywords(tool: ToolSchema, schema: Json) -> Iterator[Finding]:
    """The keywords that look like misspelled ones; JSON Schema permits them (Core, 6.5)."""
    for path, node in located(schema):
        for name in node:
            is_known = name in KEYWORDS or name in _OTHER_KEYWORDS or name.startswith("x-")
            if not is_known and (suggestion := nearest(name, KEYWORDS)):
                reason = f"{name!r} is not a keyword of JSON Schema{suggestion}"
                yield Finding(place_in(tool, path), "unknown-keyword", reason)


_OTHER_KEYWORDS = frozenset(
    {
        *("additionalItems", "definitions", "dependencies", "divisibleBy", "id"),  # older drafts
        *("discriminator", "example", "externalDocs", "nullable", "xml"),  # OpenAPI 3
        *("enumNames", "propertyOrdering"),  # forms in browsers, Gemini
    }
)
"""The keywords of other vocabularies."""


def place_in(tool: ToolSchema, path: str) -> str:
    """The place of a finding in the arguments of a tool: ``run(x)[]``."""
    return tool.name + as_parameter(path)


def properties_of(schema: Json) -> dict[str, Json]:
    """The properties of an object, except boolean schemas, which describe nothing."""
    properties = schema.get("properties", {})
    return {name: below for name, below in properties.items() if type(below) is dict}


# -- names, and sources of parameters ----------------------------------------------------------


def _duplicates(tools: list[ToolSchema]) -> Iterator[Finding]:
    seen: set[str] = set()
    for tool in tools:
        if tool.name in seen:
            reason = "another tool has this name; pass another name="
            yield Finding(tool.name, "duplicate-tool", reason)
        seen.add(tool.name)


def _unreachable(tools: list[ToolSchema]) -> Iterator[Finding]:
    outputs = [(tool, _fields(tool)) for tool in tools]
    for tool in tools:
        schema = tool.input_schema
        others = [fields for other, fields in outputs if other is not tool]
        for name in schema.get("required", ()):
            is_given = name in tool.user_provides
            if not is_given and not any(name in fields for fields in others):
                reason = 'no other tool returns it and it is not marked "x-user-providable"'
                yield Finding(f"{tool.name}({name})", "unreachable-parameter", reason)


def _fields(tool: ToolSchema) -> set[str]:
    """The properties in the output of a tool, at any depth, except the box."""
    below = located(tool.output_schema or {})
    names = [name for _, schema in below for name in properties_of(schema)]
    if tool.box is not None:
        names.remove(tool.box)
    return set(names)


# -- dialects ----------------------------------------------------------------------------------


def _refused_by_dialect(tool: ToolSchema, schema: Json, profile: Profile) -> Iterator[Finding]:
    """The parts of a tool that the dialect of a profile cannot express."""
    if profile.dialect is not None:
        _, problems = _in_dialect(tool, schema, profile.dialect)
        for path, reason in problems:
            yield Finding(place_in(tool, path), "refused-by-dialect", reason)


def _in_dialect(tool: ToolSchema, schema: Json, dialect: str) -> tuple[Json, list[tuple[str, str]]]:
    """The schema of a tool in a dialect, and the path and reason of each lost part."""
    report = Report(name=tool.name)
    if dialect == tool.dialect:
        return schema, report.problems
    return InDialect(dialect)(schema, report), report.problems


def _over_limits(tools: list[ToolSchema], profile: Profile) -> Iterator[Finding]:
    """The tools that exceed the limits of a request in strict mode."""
    for name, dialect in DIALECTS.items():
        group = [
            (tool, schema)
            for tool in tools
            if name in (tool.dialect, profile.dialect)
            for schema, problems in [_in_dialect(tool, tool.input_schema, name)]
            if not problems
        ]
        for at, limit in over_limits([schema for _, schema in group], dialect.limits):
            most = f"{dialect.name} allows at most {limit.most} {limit.what} in one request"
            reason = f"{most}; send this one without strict"
            yield Finding(group[at][0].name, "request-limit", reason)
