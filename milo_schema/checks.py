"""Find what is missing or wrong in a tool or a set of tools.

Nothing here raises an error or warns: each check returns findings. The caller can count them,
print them, or fail a build because of some of their codes.
"""

from __future__ import annotations

from functools import partial

from milo_schema.annotations import Any, Callable, Collection, Iterable, Iterator, Mapping
from milo_schema.annotations.classes import MISSING, is_class
from milo_schema.annotations.evaluation import evaluated
from milo_schema.annotations.forms import is_marker
from milo_schema.annotations.resolution import without_none
from milo_schema.callables import read
from milo_schema.callables.signatures import VAR_KEYWORD, Signature
from milo_schema.costs import Cost, cost_of, saved_by_definitions, saved_by_short_texts
from milo_schema.dialects.consumers import DIALECTS
from milo_schema.docstrings import parse_docstring
from milo_schema.errors import SchemaError, SchemaWarning, nearest, shown
from milo_schema.findings import CODES, Finding
from milo_schema.json_schema.contradictions import contradictions
from milo_schema.json_schema.headers import header_problems
from milo_schema.json_schema.keywords import is_annotation
from milo_schema.json_schema.values import NotJSONError, to_json
from milo_schema.profile import MILO, InDialect, Profile
from milo_schema.schemas.functions import excluded
from milo_schema.schemas.walk import FRAGMENTS
from milo_schema.tool_sets import check_set, place_in, properties_of, refused_by_dialect
from milo_schema.tools import ToolSchema, tool_schema
from milo_schema.wire import WIRE_FORMS, NameRule

Json = dict[str, Any]

__all__ = [
    "CODES",
    "Cost",
    "Finding",
    "check_function",
    "check_set",
    "check_tool",
    "check_tools",
    "cost_of",
    "saved_by_definitions",
    "saved_by_short_texts",
]


def check_function(
    func: Callable[..., Any],
    *,
    name: str | None = None,
    exclude: Collection[str | type] = (),
    profile: Profile = MILO,
    localns: Mapping[str, Any] | None = None,
) -> list[Finding]:
    """Check a function and its tool definition.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        name: The name of the tool; by default, that of the function.
        exclude: Names and types of parameters to leave out of the schema.
        profile: How the schemas are written.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        The findings; empty if there are none.

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
            tool = _in_any_dialect(derive, name, profile)
        except SchemaError as problem:
            place, code = problem.path or shown(func), _code_of(problem, "no-schema", profile)
            return [Finding(place, code, problem.reason)]
        refused = [*_refused(derive, profile)]
    returned = evaluated(signature.returns, signature.scope)
    says_output = is_class(func) or returned is None or returned is type(None)
    found = [*_fallbacks([each.message for each in caught], profile), *_untyped(tool, signature)]
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
        *_hidden_parameters(tool, signature, profile.injected_names - excluded(exclude)[0]),
    ]
    messages = {finding.message for finding in found}
    return [*(finding for finding in refused if finding.message not in messages), *found]


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
    return [
        *_tool_itself(tool),
        *_parameters(tool),
        *_names(tool),
        *_headers(tool),
        *_contradictions(tool, profile),
        *_repetitions(tool),
        *refused_by_dialect(tool, profile),
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


# -- findings about a function -----------------------------------------------------------------


def _in_any_dialect(
    derive: Callable[..., ToolSchema], name: str | None, profile: Profile
) -> ToolSchema:
    """The tool in the dialect of the profile or, if that is not possible, without a dialect."""
    try:
        return derive(name=name)
    except SchemaError:
        if profile.dialect is None:
            raise
        others = [each for each in profile.transforms if not isinstance(each, InDialect)]
        return derive(name=name, profile=profile.replace(transforms=others))


def _fallbacks(messages: Iterable[Any], profile: Profile) -> Iterator[Finding]:
    for message in messages:
        if isinstance(message, SchemaWarning):
            yield Finding(message.path, _code_of(message, "fallback", profile), message.reason)


def _refused(derive: Callable[..., ToolSchema], profile: Profile) -> Iterator[Finding]:
    """The problems that only strict mode finds, such as a positional-only parameter."""
    try:
        derive(strict=True)
    except SchemaError as problem:
        code = _code_of(problem, "refused-in-strict-mode", profile)
        yield Finding(problem.path, code, problem.reason)


def _code_of(fact: SchemaError | SchemaWarning, otherwise: str, profile: Profile) -> str:
    """The code of a finding for an error or a warning; the dialect's own reports have their own."""
    dialect = DIALECTS[profile.dialect].name if profile.dialect else None
    if fact.code == "refused-by-transform" and dialect and dialect in fact.reason:
        return "refused-by-dialect"
    return fact.code if fact.code in CODES else otherwise


_OF_TYPES = ("any-parameter", "default-misfit")
"""The codes that are found only because a fallback replaces a missing schema."""


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
            if is_marker(parameter.default):  # that is already a finding
                continue
            reason = (
                f"its default, {problem}, is not JSON; use None or describe it in the docstring"
            )
            yield Finding(f"{tool.name}({parameter.name})", "default-not-json", reason)


def _unknown_parameters(tool: ToolSchema, signature: Signature) -> Iterator[Finding]:
    if any(parameter.kind == VAR_KEYWORD for parameter in signature.parameters):
        return  # the docstring may describe its keys
    known = {parameter.name for parameter in signature.parameters}
    for text in signature.docs:
        for name in parse_docstring(text).params:
            if name not in known:
                reason = f"documented, but not a parameter{nearest(name, known)}"
                yield Finding(f"{tool.name}({name})", "unknown-parameter", reason)


def _hidden_parameters(
    tool: ToolSchema, signature: Signature, names: Collection[str]
) -> Iterator[Finding]:
    """The parameters that are left out because of their names, although they are documented."""
    described = {name for text in signature.docs for name in parse_docstring(text).params}
    for parameter in signature.parameters:
        tp = without_none(parameter.annotation, parameter.scope)
        if parameter.name in described.intersection(names) and id(tp) in FRAGMENTS:
            reason = "described to callers, but the profile fills in this name; rename it"
            yield Finding(f"{tool.name}({parameter.name})", "hidden-parameter", reason)


# -- findings about a definition ---------------------------------------------------------------


def _tool_itself(tool: ToolSchema) -> Iterator[Finding]:
    for provider, names in _NAMES_OF_PROVIDERS.items():
        if problem := names.problem(tool.name):
            yield Finding(
                tool.name, "refused-tool-name", f"not a valid {provider} tool name: {problem}"
            )
    if not tool.description:
        reason = "no description; write a docstring, or pass description="
        yield Finding(tool.name, "undescribed-tool", reason)
    if tool.output_schema is None:
        reason = "no output schema; annotate what it returns, or pass output_schema="
        yield Finding(tool.name, "no-output-schema", reason)


_NAMES_OF_PROVIDERS = {form.provider: form.names for form in WIRE_FORMS.values()}


def _parameters(tool: ToolSchema) -> Iterator[Finding]:
    for name, fragment in properties_of(tool.input_schema).items():
        place = f"{tool.name}({name})"
        if "description" not in fragment:
            reason = "no description; document it in the docstring or with Description(...)"
            yield Finding(place, "undescribed-parameter", reason)
        if all(map(is_annotation, fragment)):
            yield Finding(place, "any-parameter", "accepts any value; add a precise annotation")


def _names(tool: ToolSchema) -> Iterator[Finding]:
    for name in properties_of(tool.input_schema):
        if problem := _PARAMETER_NAMES.problem(name):
            reason = f"{name!r} is not a valid parameter name: {problem}"
            yield Finding(f"{tool.name}({name})", "refused-name", reason)


_PARAMETER_NAMES = NameRule("_.-", 64)  # of Anthropic's API, which checks only these names


def _headers(tool: ToolSchema) -> Iterator[Finding]:
    for path, reason in header_problems(tool.input_schema):
        yield Finding(place_in(tool, path), "invalid-header", reason)


def _repetitions(tool: ToolSchema) -> Iterator[Finding]:
    """The repetitions in a tool, if they are large, absolutely and in proportion."""
    saved, size = saved_by_definitions(tool), cost_of(tool)[0].characters
    if saved >= REPETITION and saved * 4 >= size:
        reason = f"$defs would save about {saved:,} of its {size:,} characters; use inline='auto'"
        yield Finding(tool.name, "repeated-schema", reason)


REPETITION = 1_000
"""The fewest characters of a repetition that is worth a finding: about 250 tokens."""


def _contradictions(tool: ToolSchema, profile: Profile) -> Iterator[Finding]:
    """The contradictions; if ``T | None`` is T, a default of null means that there is no value."""
    for path, code, reason in contradictions(tool.input_schema, nulls=bool(profile.unwrap_none)):
        yield Finding(place_in(tool, path), code, reason)
