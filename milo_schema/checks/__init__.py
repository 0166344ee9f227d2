"""Find what is missing or wrong in a tool or a set of tools.

Nothing here raises an error or warns: each check returns findings. The caller can count them,
print them, or fail a build because of some of their codes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from milo_schema.annotations.classes import MISSING, is_any, is_class, own
from milo_schema.annotations.evaluation import try_evaluate
from milo_schema.annotations.forms import display, metadata_of, split
from milo_schema.annotations.scopes import Scope
from milo_schema.callables.signatures import VAR_KEYWORD, Field
from milo_schema.checks.costs import Cost, cost_of
from milo_schema.checks.tools import (
    FOR_PYTHON,
    Finding,
    check_set,
    check_tool,
    check_tools,
    findings_about,
)
from milo_schema.dialects.consumers import DIALECTS
from milo_schema.docstrings import parse_docstring
from milo_schema.errors import FINDINGS as CODES
from milo_schema.errors import Problem, SchemaError, nearest, shown
from milo_schema.json_schema.keywords import KEYWORDS
from milo_schema.nodes.defaults import why_lost
from milo_schema.profile import MCP, Profile
from milo_schema.schemas.functions import Options, Reading
from milo_schema.schemas.parameters import split_excluded
from milo_schema.tools.definition import ToolSchema, tool_of
from milo_schema.tools.wire import WIRE_FORMS

__all__ = [
    "CODES",
    "Cost",
    "Finding",
    "check_function",
    "check_set",
    "check_tool",
    "check_tools",
    "cost_of",
]


def check_function(
    func: Callable[..., Any],
    *,
    name: str | None = None,
    exclude: Collection[str | type] = (),
    profile: Profile = MCP,
    localns: Mapping[str, Any] | None = None,
) -> list[Finding]:
    """Check a function and its tool definition.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        name: The name of the tool; by default, the name of the function.
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
    options = Options(profile, exclude=exclude, localns=localns, others="search")
    return check_reading(Reading(func, options), name)[0]


def check_reading(
    reading: Reading, name: str | None = None
) -> tuple[list[Finding], ToolSchema | None]:
    """Check a function that is read thoroughly; the tool is ``None`` if it has no schema."""
    try:
        tool = _tool_in_any_dialect(reading, name)
    except SchemaError as error:
        place = error.path or shown(reading.func)
        return [Finding(place, _code_of(error, "no-schema", reading.profile), error.reason)], None
    return _findings(reading, tool), tool


# -- findings about a function -----------------------------------------------------------------


def _tool_in_any_dialect(reading: Reading, name: str | None) -> ToolSchema:
    """The tool in the dialect of the profile or, if that is not possible, without a dialect."""
    try:
        return tool_of(reading, name)
    except SchemaError:
        if reading.profile.dialect is None:
            raise
        return tool_of(reading, name, is_exact=True)


def _findings(reading: Reading, tool: ToolSchema) -> list[Finding]:
    """The findings about a function that has a tool; first what only strict mode refuses."""
    profile = reading.profile
    names = tool.input_schema.get("properties", {})
    visible = [each for each in reading.parameters.shape.fields if each.name in names]
    told = dict.fromkeys(reading.told)  # a tool without its dialect tells the same again
    found = [*_fallbacks(told, profile), *_untyped(tool, visible)]
    replaced = {_parameter_of(each.place) for each in found}
    documented = _documented(reading)
    found += [
        *_undeclared_output(reading, tool),
        *[
            each
            for each in findings_about(tool, profile, FOR_PYTHON)
            if not (each.code in _OF_TYPES and _parameter_of(each.place) in replaced)
        ],
        *_lost_defaults(tool, names, reading),
        *_ignored_metadata(tool, visible),
        *_unknown_parameters(tool, reading, documented),
        *_hidden_parameters(tool, reading, documented),
    ]
    return [*_refusals(reading, tool, found, replaced), *found]


def _refusals(
    reading: Reading, tool: ToolSchema, found: list[Finding], replaced: Collection[str]
) -> Iterator[Finding]:
    """The parts that only strict mode or a dialect refuses, unless they are already findings."""
    profile = reading.profile
    is_in_dialect = tool.dialect == profile.dialect
    known = {(_parameter_of(each.place), each.message) for each in found}
    output = reading.output if _carries_output(profile) else reading.output_of_tool()
    every = [*reading.input.problems, *output.problems]
    problems = {(each.path, each.reason): each for each in every}
    for each in problems.values():
        is_of_output = is_any(each, output.problems)
        is_refused = each.is_strict_only or (
            each.code == "refused-by-transform" and (is_of_output or not is_in_dialect)
        )
        parameter = _parameter_of(each.path)
        is_of_fallback = each.code == "contradiction" and parameter in replaced
        if is_refused and not is_of_fallback and (parameter, each.reason) not in known:
            code = _code_of(each, "refused-in-strict-mode", profile)
            yield Finding(each.path, code, each.reason)


def _carries_output(profile: Profile) -> bool:
    """Whether an API with the dialect of a profile has a field for the schema of a result."""
    forms = [each for each in WIRE_FORMS.values() if profile.dialect in each.dialects]
    return not forms or any("output_schema" in each.keys for each in forms)


def _undeclared_output(reading: Reading, tool: ToolSchema) -> Iterator[Finding]:
    """A finding if a function does not say what it returns."""
    is_declared = is_class(reading.func) or reading.returns is not MISSING
    if tool.output_schema is None and not is_declared:
        reason = "no output schema; annotate what it returns, or pass output_schema="
        yield Finding(tool.name, "no-output-schema", reason)


def _fallbacks(problems: Iterable[Problem], profile: Profile) -> Iterator[Finding]:
    for each in problems:
        yield Finding(each.path, _code_of(each, "fallback", profile), each.reason)


def _code_of(problem: SchemaError | Problem, otherwise: str, profile: Profile) -> str:
    """The code of a finding for a problem; what the dialect itself reports has its own."""
    dialect = DIALECTS[profile.dialect].name if profile.dialect else None
    if problem.code == "refused-by-transform" and dialect and dialect in problem.reason:
        return "refused-by-dialect"
    return problem.code if problem.code in CODES else otherwise


_OF_TYPES = ("any-parameter", "default-misfit", "example-misfit", "unknown-format")
"""The codes that are found only because a fallback replaces a missing schema, or found twice."""


def _parameter_of(place: str) -> str:
    return place.partition("(")[2].partition(")")[0]


def _untyped(tool: ToolSchema, visible: Iterable[Field]) -> Iterator[Finding]:
    for each in visible:
        if each.annotation is MISSING:
            reason = "no annotation; add one"
            yield Finding(f"{tool.name}({each.name})", "no-annotation", reason)


def _lost_defaults(tool: ToolSchema, names: Collection[str], reading: Reading) -> Iterator[Finding]:
    problems = reading.input.problems
    told = {_parameter_of(each.path) for each in problems if each.code == "default-not-json"}
    for field, node, _ in reading.parameters.shape.properties:
        if field.default is MISSING or field.name in told or field.name not in names:
            continue
        if reason := why_lost(field, node, reading.parameters.reader):
            yield Finding(f"{tool.name}({field.name})", "default-not-json", reason)


def _ignored_metadata(tool: ToolSchema, visible: Iterable[Field]) -> Iterator[Finding]:
    """The keywords of JSON Schema that stand in ``Annotated`` as a plain dictionary."""
    for parameter in visible:
        if any(map(_has_keywords, _metadata_in(parameter.annotation, parameter.scope))):
            reason = "a dictionary in Annotated has no effect; use Schema({...})"
            yield Finding(f"{tool.name}({parameter.name})", "ignored-metadata", reason)


def _metadata_in(tp: Any, scope: Scope) -> Iterator[Any]:
    """The metadata in an annotation, at any depth, except within strings in it."""
    todo = [try_evaluate(tp, scope)]
    while todo:
        each = todo.pop()
        yield from metadata_of(each)
        todo += split(each)[1]


def _has_keywords(metadata: Any) -> bool:
    return type(metadata) is dict and not KEYWORDS.keys().isdisjoint(metadata)


def _documented(reading: Reading) -> dict[str, list[str]]:
    """The names of the parameters that each docstring of a callable describes, by its text."""
    style = reading.profile.docstring_style
    docs = reading.signature.docs
    return {text: [*parse_docstring(text, style=style).params] for text in docs}


def _unknown_parameters(
    tool: ToolSchema, reading: Reading, documented: Mapping[str, list[str]]
) -> Iterator[Finding]:
    """The documented parameters that do not exist; ``user.name`` is about ``user``."""
    parameters = reading.signature.parameters
    if any(parameter.kind == VAR_KEYWORD for parameter in parameters):
        return  # the docstring may describe its keys
    known = {parameter.name for parameter in parameters}
    for name in dict.fromkeys(name for text in _own_docs(reading) for name in documented[text]):
        if name.partition(".")[0] not in known:
            reason = f"documented, but not a parameter{nearest(name, known)}"
            yield Finding(f"{tool.name}({name})", "unknown-parameter", reason)


def _own_docs(reading: Reading) -> Sequence[str]:
    """The docstrings of a callable itself: one that it inherits is about the parameters there."""
    func, docs = reading.func, reading.signature.docs
    cls = split(func)[0]
    if not is_class(cls):
        return docs if getattr(func, "__doc__", None) else []
    methods = (own(cls, name) for name in ("__new__", "__init__"))
    written = [own(cls, "__doc__"), *(getattr(each, "__doc__", None) for each in methods)]
    return [each for each in docs if each in written]


def _hidden_parameters(
    tool: ToolSchema, reading: Reading, documented: Mapping[str, list[str]]
) -> Iterator[Finding]:
    """The parameters that a rule of the profile leaves out, although they are documented."""
    named = {name for names in documented.values() for name in names}
    named -= split_excluded(reading.exclude)[0]
    for name, (why, by) in reading.parameters.hidden.items():
        if name in named and why in ("injected_names", "injected_classes"):
            reason = f"described to callers, but the profile fills in {_filled_in(why, by)}"
            yield Finding(f"{tool.name}({name})", "hidden-parameter", reason)


def _filled_in(why: str, by: Any) -> str:
    """The parameters that a profile fills in, and what to do if callers should pass them."""
    if why == "injected_names":
        return "this name; rename it, or drop its description"
    if isinstance(by, str) and "." not in by:
        return f"every class called {by}; rename the class, or drop the description"
    return f"{by if isinstance(by, str) else display(by)}; drop the description"
