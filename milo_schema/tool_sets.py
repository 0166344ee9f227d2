"""Findings about a set of tools, and whether each fits the dialect of a profile."""

from __future__ import annotations

from milo_schema.annotations import Iterable, Iterator, Json
from milo_schema.dialects.consumers import DIALECTS
from milo_schema.dialects.limits import over_limits
from milo_schema.errors import Report
from milo_schema.findings import Finding
from milo_schema.json_schema.places import located
from milo_schema.profile import MILO, InDialect, Profile
from milo_schema.schemas import as_parameter
from milo_schema.tools import ToolSchema

__all__ = ["check_set", "place_in", "properties_of", "refused_by_dialect"]


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


def refused_by_dialect(tool: ToolSchema, profile: Profile) -> list[Finding]:
    """The parts of a tool that the dialect of a profile cannot express."""
    _, problems = _in_dialect(tool, profile.dialect)
    return [
        Finding(place_in(tool, path), "refused-by-dialect", reason) for path, reason in problems
    ]


def _in_dialect(tool: ToolSchema, dialect: str | None) -> tuple[Json, list[tuple[str, str]]]:
    """The schema of a tool in a dialect, and the path and reason of each lost part."""
    report = Report(name=tool.name)
    if dialect is None or dialect == tool.dialect:
        return tool.input_schema, report.problems
    return InDialect(dialect)(tool.input_schema, report), report.problems


def _over_limits(tools: list[ToolSchema], profile: Profile) -> Iterator[Finding]:
    """The tools that exceed the limits of a request in strict mode."""
    for name, dialect in DIALECTS.items():
        group = [
            (tool, schema)
            for tool in tools
            if name in (tool.dialect, profile.dialect)
            for schema, problems in [_in_dialect(tool, name)]
            if not problems
        ]
        for at, limit in over_limits([schema for _, schema in group], dialect):
            most = f"{dialect.name} allows at most {limit.most} {limit.what} in one request"
            reason = f"{most}; send this one without strict"
            yield Finding(group[at][0].name, "request-limit", reason)
