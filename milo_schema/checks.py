"""Find what is missing or wrong in a tool or a set of tools.

Nothing here raises an error or warns: each check returns findings. The caller can count them,
print them, or fail a build because of some of their codes.
"""

from __future__ import annotations

from functools import partial

from milo_schema.annotations import Any, Callable, Collection, Iterable, Iterator, Json, Mapping
from milo_schema.annotations.classes import MISSING, is_class
from milo_schema.annotations.evaluation import evaluated
from milo_schema.annotations.forms import is_marker
from milo_schema.annotations.resolution import without_none
from milo_schema.callables import read
from milo_schema.callables.signatures import VAR_KEYWORD, Field, Signature
from milo_schema.costs import Cost, cost_of, saved_by_definitions, saved_by_short_texts
from milo_schema.dialects.consumers import DIALECTS
from milo_schema.docstrings import parse_docstring
from milo_schema.errors import SchemaError, SchemaWarning, nearest, shown
from milo_schema.findings import CODES, Finding
from milo_schema.json_schema.contradictions import contradictions
from milo_schema.json_schema.headers import header_problems
from milo_schema.json_schema.keywords import KEYWORDS, is_annotation
from milo_schema.json_schema.places import located
from milo_schema.json_schema.values import NotJSONError, to_json
from milo_schema.profile import MILO, InDialect, Profile
from milo_schema.schemas import excluded
from milo_schema.schemas.walk import FRAGMENTS
from milo_schema.tool_sets import check_set, place_in, properties_of, refused_by_dialect
from milo_schema.tools import ToolSchema, tool_schema
from milo_schema.wire import WIRE_FORMS, NameRule

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
        derive = partial(
            tool_schema, func, name=name, exclude=exclude, profile=profile, localns=localns
        )
        try:
            signature = read(func, localns)
            tool, refusal = _derived(derive, profile, caught)
        except SchemaError as problem:
            place, code = problem.path or shown(func), _code_of(problem, "no-schema", profile)
            return [Finding(place, code, problem.reason)]
    says_output = _says_output(func, signature)
    properties = tool.input_schema.get("properties", {})
    visible = [each for each in signature.parameters if each.name in properties]
    found = [*_fallbacks([each.message for each in caught], profile), *_untyped(tool, visible)]
    replaced = {_parameter_of(finding) for finding in found}
    found += [
        *[
            finding
            for finding in check_tool(tool, profile=profile)
            if not (says_output and finding.code == "no-output-schema")
            and not (finding.code in _OF_TYPES and _parameter_of(finding) in replaced)
        ],
        *_lost_defaults(tool, visible),
        *_unknown_parameters(tool, signature),
        *_hidden_parameters(tool, signature, profile.injected_names - excluded(exclude)[0]),
    ]
    if refusal is None or any(finding.message == refusal.reason for finding in found):
        return found
    code = _code_of(refusal, "refused-in-strict-mode", profile)
    return [Finding(refusal.path, code, refusal.reason), *found]


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
    schema = tool.input_schema  # read once: it is a copy
    return [
        *_tool_itself(tool),
        *_parameters(tool, schema),
        *_names(tool, schema),
        *_headers(tool, schema),
        *_contradictions(tool, schema, profile),
        *_keywords(tool, schema),
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


def _derived(
    derive: Callable[..., ToolSchema], profile: Profile, caught: list[Any]
) -> tuple[ToolSchema, SchemaError | None]:
    """The tool, and the errors of strict mode only, such as for a positional-only parameter.

    If strict mode accepts a function, the schema is the same without it, so most are derived once.
    """
    try:
        return derive(strict=True), None
    except SchemaError as problem:
        caught.clear()  # the second derivation warns again
        return _in_any_dialect(derive, profile), problem


def _in_any_dialect(derive: Callable[..., ToolSchema], profile: Profile) -> ToolSchema:
    """The tool in the dialect of the profile or, if that is not possible, without a dialect."""
    try:
        return derive()
    except SchemaError:
        if profile.dialect is None:
            raise
        others = [each for each in profile.transforms if not isinstance(each, InDialect)]
        return derive(profile=profile.replace(transforms=others))


def _says_output(func: Any, signature: Signature) -> bool:
    """Whether a function declares its result, although it has no output schema."""
    returned = evaluated(signature.returns, signature.scope)
    return is_class(func) or returned is None or returned is type(None)


def _fallbacks(messages: Iterable[Any], profile: Profile) -> Iterator[Finding]:
    for message in messages:
        if isinstance(message, SchemaWarning):
            yield Finding(message.path, _code_of(message, "fallback", profile), message.reason)


def _code_of(fact: SchemaError | SchemaWarning, otherwise: str, profile: Profile) -> str:
    """The code of a finding for an error or a warning; the dialect's own reports have their own."""
    dialect = DIALECTS[profile.dialect].name if profile.dialect else None
    if fact.code == "refused-by-transform" and dialect and dialect in fact.reason:
        return "refused-by-dialect"
    return fact.code if fact.code in CODES else otherwise


_OF_TYPES = ("any-parameter", "default-misfit", "example-misfit")
"""The codes that are found only because a fallback replaces a missing schema."""


def _parameter_of(finding: Finding) -> str:
    return finding.place.partition("(")[2].partition(")")[0]


def _untyped(tool: ToolSchema, visible: Iterable[Field]) -> Iterator[Finding]:
    for each in visible:
        if each.annotation is MISSING:
            reason = "no annotation; add one"
            yield Finding(f"{tool.name}({each.name})", "no-annotation", reason)


def _lost_defaults(tool: ToolSchema, visible: Iterable[Field]) -> Iterator[Finding]:
    for parameter in visible:
        if parameter.default is MISSING:
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


def _parameters(tool: ToolSchema, schema: Json) -> Iterator[Finding]:
    for name, fragment in properties_of(schema).items():
        place = f"{tool.name}({name})"
        if "description" not in fragment:
            reason = "no description; document it in the docstring or with Description(...)"
            yield Finding(place, "undescribed-parameter", reason)
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


def _repetitions(tool: ToolSchema) -> Iterator[Finding]:
    """The repetitions in a tool, if they are large, absolutely and in proportion."""
    if (saved := saved_by_definitions(tool)) < REPETITION:
        return
    size = cost_of(tool)[0].characters
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
