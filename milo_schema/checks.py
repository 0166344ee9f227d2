"""What is missing or wrong in a tool or a set of tools, as facts.

Nothing here raises, warns or decides: each check yields findings, and whoever asked counts them,
prints them, or fails a build for some of their codes.
"""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import Any

from milo_schema.annotations.classes import MISSING, is_class
from milo_schema.annotations.evaluation import evaluated
from milo_schema.annotations.marker import is_marker
from milo_schema.callables import read
from milo_schema.callables.signatures import VAR_KEYWORD
from milo_schema.dialects.consumers import DIALECTS
from milo_schema.dialects.limits import over_limits
from milo_schema.docstrings import parse_docstring
from milo_schema.errors import SchemaError, SchemaWarning
from milo_schema.frozen import Frozen
from milo_schema.json_schema.contradictions import contradictions, located
from milo_schema.json_schema.keywords import is_annotation
from milo_schema.json_schema.validation import step_to
from milo_schema.json_schema.values import NotJSONError, to_json
from milo_schema.profile import MILO
from milo_schema.schemas.functions import as_parameter
from milo_schema.tools import tool_schema
from milo_schema.wire import WIRE_FORMS, NameRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from milo_schema.callables.signatures import Signature
    from milo_schema.profile import Profile
    from milo_schema.tools import ToolSchema

    Json = dict[str, Any]

__all__ = ["CODES", "Finding", "check_function", "check_set", "check_tool", "check_tools"]

CODES: Mapping[str, str] = MappingProxyType(
    {
        "any-parameter": "A parameter takes any value, so nobody can tell what to pass.",
        "contradictory-bounds": "Bounds leave no value that fits.",
        "default-misfit": "A default is no value that its own schema accepts.",
        "default-not-json": "A default is no JSON, so the schema does not tell it.",
        "duplicate-tool": "Two tools of a set have the same name.",
        "fallback": "An annotation has no schema, so another one stands in its place.",
        "no-annotation": "A parameter has no annotation.",
        "no-output-schema": "Nothing says what a tool gives back.",
        "no-schema": "A function has no schema at all.",
        "refused-in-strict-mode": "Strict mode refuses something that is otherwise accepted.",
        "refused-name": "A property has a name that clients refuse.",
        "refused-tool-name": "A tool has a name that a provider refuses.",
        "request-limit": "A request has no room for a tool after those before it.",
        "undescribed-parameter": "Nothing describes a parameter.",
        "undescribed-tool": "Nothing describes a tool.",
        "unknown-format": "A format is not one that JSON Schema or OpenAPI defines.",
        "unknown-parameter": "The docstring describes a parameter that is not there.",
        "unreachable-parameter": "Neither another tool nor the user provides a required parameter.",
        "unresolved-name": "An annotation in quotes names what cannot be found.",
    }
)
"""What each code means; a code keeps its meaning."""


class Finding(Frozen):
    """One fact: where it is, which kind it is of, and what it is.

    Attributes:
        place: Such as ``deploy(params).filters``.
        code: One of ``CODES``.
        message: What is the case, and what to do about it.

    Example:
        >>> from milo_schema.checks import Finding
        >>> print(Finding("deploy(x)", "any-parameter", "it takes any value; annotate it"))
        deploy(x): it takes any value; annotate it [any-parameter]
    """

    place: str
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message} [{self.code}]"


def check_function(
    func: Callable[..., Any],
    *,
    name: str | None = None,
    exclude: Collection[str | type] = (),
    profile: Profile = MILO,
    localns: Mapping[str, Any] | None = None,
) -> list[Finding]:
    """Check the tool that a function makes, and what its schema cannot show.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        name: What the tool is called by; the function's own name otherwise.
        exclude: Names and types of parameters to leave out of the schema.
        profile: What the schemas should say.
        localns: Names that annotation strings use and their module does not have.

    Returns:
        What was found; empty if there is nothing to say.

    Example:
        >>> from milo_schema.checks import check_function
        >>> def greet(name: str) -> str:
        ...     "Say hello."
        >>> for finding in check_function(greet):
        ...     print(finding.place, finding.code)
        greet(name) undescribed-parameter
    """
    import warnings

    with warnings.catch_warnings(record=True, action="always") as caught:
        try:
            signature = read(func, localns)
            derive = partial(tool_schema, func, exclude=exclude, profile=profile, localns=localns)
            tool = derive(name=name)
        except SchemaError as problem:
            return [Finding(problem.path, _code_of(problem, "no-schema"), problem.reason)]
        refused = [*_refused(derive)]
    returned = evaluated(signature.returns, signature.scope)
    says_output = is_class(func) or returned is None or returned is type(None)
    found = [*_fallbacks([each.message for each in caught]), *_untyped(tool, signature)]
    replaced = {_parameter_of(finding) for finding in found}
    found += [
        *[
            finding
            for finding in check_tool(tool, profile=profile)
            if not (says_output and finding.code == "no-output-schema")
            and not (finding.code in _OF_TYPES and _parameter_of(finding) in replaced)
        ],
        *_lost_defaults(tool, signature),
        *_unknown_parameters(tool, signature),
    ]
    messages = {finding.message for finding in found}
    return [*(finding for finding in refused if finding.message not in messages), *found]


def check_tool(tool: ToolSchema, *, profile: Profile = MILO) -> list[Finding]:
    """Check a tool definition, wherever it comes from.

    Args:
        tool: The definition.
        profile: What its schemas should say.

    Returns:
        What was found; empty if there is nothing to say.

    Example:
        >>> from milo_schema import tool_schema
        >>> from milo_schema.checks import check_tool
        >>> def ping() -> str: ...
        >>> [each.code for each in check_tool(tool_schema(ping))]
        ['undescribed-tool']
    """
    return [
        *_tool_itself(tool),
        *_parameters(tool),
        *_names(tool),
        *_contradictions(tool, profile),
    ]


def check_tools(tools: Iterable[ToolSchema], *, profile: Profile = MILO) -> list[Finding]:
    """Check tools that are used together: each by itself, and all as one request.

    A required parameter has a source if the output of another tool has a property of its name, or
    if it is marked ``"x-user-providable": true``.

    Args:
        tools: The definitions.
        profile: What their schemas should say.

    Returns:
        What was found; empty if there is nothing to say.

    Example:
        >>> from milo_schema import tool_schema
        >>> from milo_schema.checks import check_tools
        >>> def refund(order_id: str) -> None: ...
        >>> [each.code for each in check_tools([tool_schema(refund)])][-1]
        'unreachable-parameter'
    """
    every = list(tools)
    found = [finding for tool in every for finding in check_tool(tool, profile=profile)]
    return [*found, *check_set(every)]


def check_set(tools: Iterable[ToolSchema]) -> list[Finding]:
    """Check only a set of tools as a whole: names, sources of parameters, and size.

    Providers limit the size of one request: its tools in strict mode count together.

    Args:
        tools: The definitions.

    Returns:
        What was found; empty if there is nothing to say.

    Example:
        >>> from milo_schema import tool_schema
        >>> from milo_schema.checks import check_set
        >>> def ping(): ...
        >>> [each.code for each in check_set([tool_schema(ping), tool_schema(ping)])]
        ['duplicate-tool']
    """
    every = list(tools)
    return [*_duplicates(every), *_unreachable(every), *_over_limits(every)]


# -- what only the function tells --------------------------------------------------------------


def _fallbacks(messages: Iterable[Any]) -> Iterator[Finding]:
    for message in messages:
        if isinstance(message, SchemaWarning):
            yield Finding(message.path, _code_of(message, "fallback"), message.reason)


def _refused(derive: Callable[..., ToolSchema]) -> Iterator[Finding]:
    """The problems that only strict mode finds, such as a positional-only parameter."""
    try:
        derive(strict=True)
    except SchemaError as problem:
        yield Finding(problem.path, _code_of(problem, "refused-in-strict-mode"), problem.reason)


def _code_of(fact: SchemaError | SchemaWarning, otherwise: str) -> str:
    return next(
        (code for text, code in _CODES_OF_REASONS.items() if text in fact.reason), otherwise
    )


_CODES_OF_REASONS = {
    "cannot evaluate": "unresolved-name",
    "is not a format": "unknown-format",
    "its default is the marker": "default-not-json",
}

_OF_TYPES = ("any-parameter", "default-misfit")
"""The codes that are found only because a fallback takes the place of a missing schema."""


def _parameter_of(finding: Finding) -> str:
    return finding.place.partition("(")[2].partition(")")[0]


def _untyped(tool: ToolSchema, signature: Signature) -> Iterator[Finding]:
    for each in signature.parameters:
        if each.annotation is MISSING and each.name in tool.input_schema["properties"]:
            reason = "no annotation; add one"
            yield Finding(f"{tool.name}({each.name})", "no-annotation", reason)


def _lost_defaults(tool: ToolSchema, signature: Signature) -> Iterator[Finding]:
    for parameter in signature.parameters:
        if parameter.default is MISSING or parameter.name not in tool.input_schema["properties"]:
            continue
        try:
            to_json(parameter.default)
        except NotJSONError as problem:
            if is_marker(parameter.default):  # which is a finding already
                continue
            reason = f"its default is {problem}, which is no JSON; use None, or say it in words"
            yield Finding(f"{tool.name}({parameter.name})", "default-not-json", reason)


def _unknown_parameters(tool: ToolSchema, signature: Signature) -> Iterator[Finding]:
    if any(parameter.kind == VAR_KEYWORD for parameter in signature.parameters):
        return  # it may take whatever it describes
    known = {parameter.name for parameter in signature.parameters}
    for text in signature.docs:
        for name in parse_docstring(text).params:
            if name not in known:
                reason = "described in the docstring, but no parameter; is it a slip?"
                yield Finding(f"{tool.name}({name})", "unknown-parameter", reason)


# -- what a definition tells -------------------------------------------------------------------


def _tool_itself(tool: ToolSchema) -> Iterator[Finding]:
    for provider, names in _NAMES_OF_PROVIDERS.items():
        if problem := names.problem(tool.name):
            yield Finding(tool.name, "refused-tool-name", f"no name of {provider}: {problem}")
    if not tool.description:
        reason = "no description; write a docstring, or pass description="
        yield Finding(tool.name, "undescribed-tool", reason)
    if tool.output_schema is None:
        reason = "no output schema; annotate what it returns, or pass output_schema="
        yield Finding(tool.name, "no-output-schema", reason)


_NAMES_OF_PROVIDERS = {form.provider: form.names for form in WIRE_FORMS.values()}


def _parameters(tool: ToolSchema) -> Iterator[Finding]:
    for name, fragment in _properties(tool.input_schema).items():
        place = f"{tool.name}({name})"
        if "description" not in fragment:
            reason = "no description; document it in the docstring or with Description(...)"
            yield Finding(place, "undescribed-parameter", reason)
        if all(map(is_annotation, fragment)):
            yield Finding(place, "any-parameter", "it takes any value; annotate what it is")


def _names(tool: ToolSchema) -> Iterator[Finding]:
    for path, schema in located(tool.input_schema):
        for name in _properties(schema):
            if problem := _PROPERTY_NAMES.problem(name):
                reason = f"{name!r} is not a property name: {problem}"
                step = step_to(name) if path else f"({name})"
                yield Finding(_place(tool, path) + step, "refused-name", reason)


_PROPERTY_NAMES = NameRule("_.-", 64)  # of Anthropic's API, among others


def _contradictions(tool: ToolSchema, profile: Profile) -> Iterator[Finding]:
    """Where T | None is T, null says that nothing was given."""
    for path, code, reason in contradictions(tool.input_schema, nulls=profile.unwrap_none):
        yield Finding(_place(tool, path), code, reason)


def _place(tool: ToolSchema, path: str) -> str:
    return tool.name + as_parameter(path)


def _properties(schema: Json) -> dict[str, Json]:
    properties = schema.get("properties", {})
    return {name: below for name, below in properties.items() if type(below) is dict}


# -- what a set of tools tells -----------------------------------------------------------------


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
                reason = 'no other tool returns it, nor is it marked "x-user-providable"'
                yield Finding(f"{tool.name}({name})", "unreachable-parameter", reason)


def _over_limits(tools: list[ToolSchema]) -> Iterator[Finding]:
    for name, dialect in DIALECTS.items():
        group = [tool for tool in tools if tool.dialect == name]
        for at, limit in over_limits([tool.input_schema for tool in group], dialect):
            most = f"{dialect.name} takes at most {limit.most} {limit.what} in one request"
            yield Finding(group[at].name, "request-limit", f"{most}; send this one without strict")


def _fields(tool: ToolSchema) -> set[str]:
    """The properties that the output of a tool may have, at any depth; the box is none."""
    below = located(tool.output_schema or {})
    names = [name for _, schema in below for name in _properties(schema)]
    if tool.box is not None:
        names.remove(tool.box)
    return set(names)
