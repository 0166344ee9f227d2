"""Findings about tool definitions: about each, and about those that are used together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from milo_schema.annotations import Json
from milo_schema.annotations.frozen import Frozen
from milo_schema.checks.costs import saved_in, size_of
from milo_schema.dialects.consumers import DIALECTS, Dialect, over_limits
from milo_schema.docstrings import parse_docstring
from milo_schema.errors import RESULT
from milo_schema.json_schema.drafts import ForeignSchema, read_schema
from milo_schema.json_schema.keywords import is_annotation
from milo_schema.json_schema.problems import HEADER, header_problems, problems_in
from milo_schema.json_schema.subschemas import is_described, located
from milo_schema.json_schema.validation import iter_errors
from milo_schema.nodes.session import SharedTypes
from milo_schema.profile import Profile
from milo_schema.schemas.functions import NO_DESCRIPTION, as_parameter
from milo_schema.tools.definition import ToolSchema, own_schemas
from milo_schema.tools.fields import HINTS, misspelled_fields
from milo_schema.tools.origin import spelled_in
from milo_schema.tools.wire import WIRE_FORMS, NameRule


class Finding(Frozen):
    """One finding: its path, its code, and a message.

    Attributes:
        path: Where it is, such as ``deploy(params).filters``.
        code: The kind of finding: one of ``milo_schema.errors.CODES``.
        message: What is wrong, and what to do about it.

    Example:
        >>> from milo_schema.checks import Finding
        >>> print(Finding("deploy(x)", "any-parameter", "accepts any value; annotate it"))
        deploy(x): accepts any value; annotate it [any-parameter]
    """

    path: str
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message} [{self.code}]"


def findings_about(
    tool: ToolSchema, profile: Profile, advice: Mapping[str, str], tools: SharedTypes | None = None
) -> list[Finding]:
    """The findings about a definition.

    Args:
        tool: The definition.
        profile: How it should be written.
        advice: The advice for its author, by the codes of findings.
        tools: What it shares with others, if there are others.
    """
    judged = (tools or SharedTypes()).judged
    own, result = (each or {} for each in own_schemas(tool))
    text = repr(own)
    given, output = judged.once(_judge, own, text), judged.once(_judge, result, repr(result))
    schema = given.read.schema
    text = text if schema is own else repr(schema)
    problems = problems_in(schema, nulls=bool(profile.unwrap_none), judged=judged, text=text)
    found = [
        *_tool_itself(tool, profile),
        *_fields_of_mcp(tool),
        *_faults(tool, given.read, output.read),
        *_parameters(tool, schema),
        *_names(tool, schema),
        *_root(tool),
        *(Finding(path_in(tool, path), "invalid-header", why) for path, why in given.headers),
        *(Finding(path_in(tool, path), code, why) for path, code, why in problems),
        *_input_examples(tool, schema, profile),
        *_repetitions(tool, given.saved + output.saved),
        *_refused_by_dialect(tool, schema, profile),
    ]
    return list({str(each): each for each in (_advised(one, advice) for one in found)}.values())


class _Judgment(Frozen):
    """The facts about a schema that are the same for each tool that has it.

    Attributes:
        read: The schema in our form, and its faults.
        headers: What is wrong with its headers.
        saved: How many characters definitions would save.
    """

    read: ForeignSchema
    headers: list[tuple[str, str]]
    saved: int


def _judge(schema: Json, text: str) -> _Judgment:
    headers = [*header_problems(schema)] if HEADER in text else []  # most have none
    return _Judgment(read_schema(schema), headers, saved_in(schema))


def _advised(finding: Finding, advice: Mapping[str, str]) -> Finding:
    """A finding that ends with the advice."""
    if finding.code not in advice or finding.message == _UNREAD:
        return finding
    return finding.replace(message=f"{finding.message}; {advice[finding.code]}")


_UNREAD = (
    "described only in the tool's description, because the framework does not read docstrings; "
    "give it a description of its own"
)

FOR_PYTHON = {
    "any-parameter": "add a precise annotation",
    "repeated-schema": "use profile.replace(inline='auto')",
    "undescribed-parameter": NO_DESCRIPTION.partition("; ")[2],
    "undescribed-tool": "write a docstring, or pass description=",
}
"""The advice for the author of a function, by code."""
FOR_OTHERS = {
    "any-parameter": "add its type",
    "repeated-schema": "define them once, and refer to them",
    "undescribed-parameter": "say what to pass",
    "undescribed-tool": "say what it does",
}
"""The advice for the author of a definition, who may use any language."""


def check_set(
    tools: list[ToolSchema], profile: Profile | None = None, *, sources: bool = False
) -> list[Finding]:
    """The findings about a set of tools as a whole: names, sources of parameters, and size."""
    traces = sources or any(tool.user_provides for tool in tools)
    unreachable = _unreachable(tools) if traces else ()
    return [*_duplicates(tools), *unreachable, *_over_limits(tools, profile)]


# -- findings about a definition ---------------------------------------------------------------


def _tool_itself(tool: ToolSchema, profile: Profile) -> Iterator[Finding]:
    for each in DIALECTS[profile.dialect].forms if profile.dialect else ("mcp",):
        form = WIRE_FORMS[each]
        if problem := form.names.problem(tool.name):
            reason = f"not a valid {form.provider} tool name: {problem}"
            yield Finding(tool.name, "refused-tool-name", reason)
    if not tool.description:
        yield Finding(tool.name, "undescribed-tool", "no description")


def _fields_of_mcp(tool: ToolSchema) -> Iterator[Finding]:
    """The fields of a definition that no client knows, because they are misspelled."""
    others, hints = tool.others or {}, HINTS.values()
    nested = others.get("annotations")
    found = misspelled_fields(others, WIRE_FORMS["mcp"].keys.values())
    if isinstance(nested, Mapping):
        found |= misspelled_fields(nested, hints)
    for name, meant in found.items():
        reason = f"{name!r} is not a field of MCP, so no client reads it; did you mean {meant}?"
        yield Finding(tool.name, "misspelled-field", reason)


def _faults(tool: ToolSchema, given: ForeignSchema, output: ForeignSchema) -> Iterator[Finding]:
    """The faults of the schemas; those that we wrote have the dialect that was asked for."""
    for side, root in ((given, ""), (output, tool.name + RESULT)):
        for path, code, reason in side.faults:
            if code != "other-dialect" or tool.dialect is None:
                where = root + path if root else path_in(tool, path)
                yield Finding(where, code, reason)


def _parameters(tool: ToolSchema, schema: Json) -> Iterator[Finding]:
    properties = properties_of(schema)
    silent = {name for name, each in properties.items() if not is_described(each, schema)}
    unread = parse_docstring(tool.description).params if silent else {}
    for name, fragment in properties.items():
        path = f"{tool.name}({name})"
        if name in silent:
            reason = _UNREAD if name in unread else "no description"
            yield Finding(path, "undescribed-parameter", reason)
        if all(map(is_annotation, fragment)):
            yield Finding(path, "any-parameter", "accepts any value")


def _names(tool: ToolSchema, schema: Json) -> Iterator[Finding]:
    for name in properties_of(schema):
        if problem := _PARAMETER_NAMES.problem(name):
            reason = f"{name!r} is not a valid parameter name: {problem}"
            yield Finding(f"{tool.name}({name})", "refused-name", reason)


_PARAMETER_NAMES = NameRule("_.-", 64)  # of Anthropic's API, which checks only these names


def _root(tool: ToolSchema) -> Iterator[Finding]:
    """The unions at the root, which Anthropic's API refuses, and OpenAI's."""
    for keyword in ("allOf", "anyOf", "oneOf"):
        if keyword in own_schemas(tool)[0]:
            reason = f"{keyword!r} at the root of the arguments; name all of them in 'properties'"
            yield Finding(tool.name, "refused-root", reason)


def _repetitions(tool: ToolSchema, saved: int) -> Iterator[Finding]:
    """The repetitions in a tool, if they are large, absolutely and in proportion."""
    if saved < REPETITION:
        return
    if saved * 4 >= (size := size_of(tool)):
        reason = f"$defs would save about {saved:,} of its {size:,} characters"
        yield Finding(tool.name, "repeated-schema", reason)


REPETITION = 1_000
"""The fewest characters of a repetition that is worth a finding: about 250 tokens."""


def _input_examples(tool: ToolSchema, schema: Json, profile: Profile) -> Iterator[Finding]:
    """The examples of arguments that the schema refuses, also as the profile's dialect has it."""
    examples = tool.input_examples
    if not examples:
        return
    schemas = [schema]
    if profile.dialect not in (None, tool.dialect):
        schemas.append(_in_dialect(tool, schema, profile.dialect)[0])
    for each in schemas:
        for i, example in enumerate(examples):
            for path, why, *_ in iter_errors(example, each):
                reason = f"its input example {i} does not fit: {why}"
                yield Finding(path_in(tool, path), "example-misfit", reason)


def path_in(tool: ToolSchema, path: str) -> str:
    """The path of a finding in the arguments of a tool: ``run(x)[]``."""
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
            reason = "another tool has this name; give it another one"
            yield Finding(tool.name, "duplicate-tool", reason)
        seen.add(tool.name)


def _unreachable(tools: list[ToolSchema]) -> Iterator[Finding]:
    outputs = [(tool, _fields(tool)) for tool in tools]
    for tool in tools:
        schema = read_schema(own_schemas(tool)[0]).schema
        others = [fields for other, fields in outputs if other is not tool]
        for name in schema.get("required", ()):
            is_given = name in tool.user_provides
            if not is_given and not any(name in fields for fields in others):
                reason = 'no other tool returns it and it is not marked "x-user-providable"'
                yield Finding(f"{tool.name}({name})", "unreachable-parameter", reason)


def _fields(tool: ToolSchema) -> set[str]:
    """The properties in the output of a tool, at any depth, except the box."""
    below = located(read_schema(own_schemas(tool)[1] or {}).schema)
    names = [name for _, schema in below for name in properties_of(schema)]
    return {name for name, times in Counter(names).items() if times > (name == tool.box)}


# -- dialects ----------------------------------------------------------------------------------


def _refused_by_dialect(tool: ToolSchema, schema: Json, profile: Profile) -> Iterator[Finding]:
    """The parts of a tool that the dialect of a profile cannot express."""
    if profile.dialect is not None:
        _, problems = _in_dialect(tool, schema, profile.dialect)
        if profile.dialect != tool.dialect:
            problems += _untyped_arrays(schema, DIALECTS[profile.dialect])
        for path, reason in problems:
            yield Finding(path_in(tool, path), "refused-by-dialect", reason)


def _untyped_arrays(schema: Json, dialect: Dialect) -> Iterator[tuple[str, str]]:
    """The arrays without ``items``, if the dialect requires them."""
    for path, node in located(schema):
        is_untyped = node.get("type") == "array" and node.keys().isdisjoint(_ITEMS)
        if dialect.typed_items and is_untyped:
            yield path, f"{dialect.name} needs 'items' in every array; add their schema"


_ITEMS = ("items", "prefixItems")


def _in_dialect(tool: ToolSchema, schema: Json, dialect: str) -> tuple[Json, list[tuple[str, str]]]:
    """The schema of a tool in a dialect, and the path and reason of each lost part."""
    return (schema, []) if dialect == tool.dialect else spelled_in(dialect, schema, tool.name)


def _over_limits(tools: list[ToolSchema], profile: Profile | None) -> Iterator[Finding]:
    """The tools that exceed the limits of a request in strict mode."""
    asked = profile.dialect if profile else None
    for name, dialect in DIALECTS.items():
        group = [
            (tool, schema)
            for tool in tools
            if name in (tool.dialect, asked)
            for schema, problems in [_in_dialect(tool, read_schema(tool.input_schema).schema, name)]
            if not problems
        ]
        for at, limit in over_limits([schema for _, schema in group], dialect.request_limits):
            most = f"{dialect.name} allows at most {limit.most} {limit.what} in one request"
            reason = f"{most}; send this one without strict"
            yield Finding(group[at][0].name, "request-limit", reason)
