"""Find what is missing or wrong in tools.

What is wrong with a tool neither raises an error nor warns: it is a finding. The caller can count
findings, print them, or fail a build because of some of their codes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from milo_schema.annotations import Names
from milo_schema.annotations.classes import MISSING, is_class, own
from milo_schema.annotations.evaluation import try_evaluate
from milo_schema.annotations.forms import metadata_of, split
from milo_schema.annotations.scopes import Scope
from milo_schema.callables.signatures import VAR_KEYWORD, Field
from milo_schema.checks.costs import Cost, cost
from milo_schema.checks.tools import FOR_OTHERS, FOR_PYTHON, Finding, check_set, findings_about
from milo_schema.dialects.consumers import DIALECTS
from milo_schema.errors import FINDING_CODES, STYLE, Problem, SchemaError, nearest, shown
from milo_schema.json_schema.keywords import KEYWORDS
from milo_schema.nodes.defaults import why_lost
from milo_schema.nodes.session import SharedTypes
from milo_schema.profile import MCP, Profile
from milo_schema.schemas.functions import Reading
from milo_schema.schemas.outputs import returns_nothing
from milo_schema.schemas.parameters import split_excluded
from milo_schema.tools.definition import ToolSchema, derived_again, own_schemas, tool_of
from milo_schema.tools.origin import origin_of, read_tool
from milo_schema.tools.several import each_of

__all__ = ["Cost", "Finding", "check", "cost"]


def check(
    *things: Any,
    profile: Profile | None = None,
    exclude: Collection[str | type] = (),
    localns: Names = None,
    sources: bool = False,
) -> list[Finding]:
    """Find what is missing or wrong in tools: in each by itself, and in all of them as one request.

    Providers limit the total size of the tools in strict mode in one request. If a parameter is
    marked with ``"x-user-providable": true``, each required one needs a source: this mark, or the
    output of another tool with a property of that name.

    Args:
        *things: Functions and other callables, objects with methods, definitions, also as dicts of
            MCP, and toolboxes.
        profile: How the schemas are written; by default, that of each tool, and ``profiles.MCP``
            for functions. With the profile of a strict mode, the tools that it accepts count.
        exclude: Names and types of parameters of functions to leave out of the schemas.
        localns: Names for annotation strings that their module does not have at run time.
        sources: Whether each required parameter needs a source even if none has that mark.

    Returns:
        The findings; empty if there are none.

    Raises:
        SchemaError: A thing does not stand for tools.

    Example:
        >>> from milo_schema.checks import check
        >>> def greet(name: str) -> str:
        ...     "Say hello."
        >>> for finding in check(greet):
        ...     print(finding.path, finding.code)
        greet(name) undescribed-parameter
    """
    options: Any = {"exclude": exclude, "localns": localns, "others": "search"}
    options["shared"] = SharedTypes(answers={})
    found: list[Finding] = []
    tools: list[ToolSchema] = []
    for each in each_of(things):
        if isinstance(each, ToolSchema):
            findings, tool = check_tool(each, profile)
        else:
            reading, name, description = read_tool(each, profile or MCP, **options)
            make = partial(tool_of, name=name, description=description)
            findings, tool = check_reading(reading, make)
        found += findings
        tools += [tool] if tool is not None else []
    return [*found, *check_set(tools, profile, sources=sources)]


def check_tool(
    tool: ToolSchema, profile: Profile | None = None
) -> tuple[list[Finding], ToolSchema | None]:
    """Check a definition: its function, if the function made its schema."""
    origin = origin_of(tool)
    profile = profile or origin.profile
    if origin.reading is None or origin.input_schema is None:
        return findings_about(tool, profile, FOR_OTHERS), tool
    reading = origin.reading.again(profile=profile, tool=tool.name, others="search")
    return check_reading(reading, partial(derived_again, tool))


def check_reading(
    reading: Reading, make: Callable[..., ToolSchema] = tool_of
) -> tuple[list[Finding], ToolSchema | None]:
    """Check a function that is read thoroughly; the tool is ``None`` if it has no schema."""
    try:
        tool = _in_any_dialect(reading, make)
    except SchemaError as error:
        path = error.path or shown(reading.func)
        code = _code_of(error, "no-schema", reading.profile)
        return [Finding(path, "no-schema" if code in STYLE else code, error.message)], None
    return _findings(reading, tool), tool


# -- findings about a function -----------------------------------------------------------------


def _in_any_dialect(reading: Reading, make: Callable[..., ToolSchema]) -> ToolSchema:
    """The tool in the dialect of the profile or, if that is not possible, without a dialect."""
    try:
        return make(reading)
    except SchemaError:
        if reading.profile.dialect is None:
            raise
        return make(reading, is_exact=True)


def _findings(reading: Reading, tool: ToolSchema) -> list[Finding]:
    """The findings about a function that has a tool; first what only strict mode refuses."""
    profile = reading.profile
    names = own_schemas(tool)[0].get("properties", {})
    visible = [each for each in reading.parameters.shape.fields if each.name in names]
    told = dict.fromkeys(reading.told)  # a tool without its dialect tells the same again
    fallbacks = (
        Finding(each.path, _code_of(each, "fallback", profile), each.message) for each in told
    )
    found = [*fallbacks, *_untyped(tool, visible)]
    replaced = {_parameter_of(each.path) for each in found}
    docs = reading.signature.docs
    documented = {text: [*reading.docstrings.parse(text).params] for text in docs}
    found += [
        *_undeclared_output(reading, tool),
        *[
            each
            for each in findings_about(tool, profile, FOR_PYTHON, reading.shared)
            if not (each.code in _OF_TYPES and _parameter_of(each.path) in replaced)
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
    known = {(_parameter_of(each.path), each.message) for each in found}
    every = [*reading.input.problems, *reading.output.problems]
    problems = {(each.path, each.message): each for each in every}
    for each in problems.values():
        is_refused = each.is_strict_only or not is_in_dialect
        parameter = _parameter_of(each.path)
        is_of_fallback = each.code == "contradiction" and parameter in replaced
        if is_refused and not is_of_fallback and (parameter, each.message) not in known:
            code = _code_of(each, "refused-in-strict-mode", profile)
            yield Finding(each.path, code, each.message)


def _undeclared_output(reading: Reading, tool: ToolSchema) -> Iterator[Finding]:
    """A finding if a function does not say what it returns."""
    if own_schemas(tool)[1] is not None or is_class(split(reading.func)[0]):
        return
    has_to = reading.profile.null_outputs == "missing"
    if reading.returns is MISSING or (has_to and returns_nothing(reading)):
        reason = "no output schema; annotate what it returns, or pass output_schema="
        yield Finding(tool.name, "no-output-schema", reason)


def _code_of(problem: SchemaError | Problem, otherwise: str, profile: Profile) -> str:
    """The code of a finding for a problem; what the dialect itself reports has its own."""
    dialect = DIALECTS[profile.dialect].name if profile.dialect else None
    if problem.code == "refused-by-transform" and dialect and dialect in problem.message:
        return "refused-by-dialect"
    return problem.code if problem.code in FINDING_CODES else otherwise


_OF_TYPES = ("any-parameter", "default-misfit", "example-misfit", "unknown-format")
"""The codes that are found only because a fallback replaces a missing schema, or found twice."""


def _parameter_of(path: str) -> str:
    return path.partition("(")[2].partition(")")[0]


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
        metadata = _metadata_in(parameter.annotation, parameter.scope)
        if any(type(each) is dict and not KEYWORDS.keys().isdisjoint(each) for each in metadata):
            reason = "a dictionary in Annotated has no effect; use Schema({...})"
            yield Finding(f"{tool.name}({parameter.name})", "ignored-metadata", reason)


def _metadata_in(tp: Any, scope: Scope) -> Iterator[Any]:
    """The metadata in an annotation, at any depth, except within strings in it."""
    todo = [try_evaluate(tp, scope)]
    while todo:
        each = todo.pop()
        yield from metadata_of(each)
        todo += split(each)[1]


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
    new = getattr(own(cls, "__new__"), "__func__", None)  # Python makes it a static method
    methods = (new, own(cls, "__init__"))
    written = [own(cls, "__doc__"), *(getattr(each, "__doc__", None) for each in methods)]
    return [each for each in docs if each in written]


def _hidden_parameters(
    tool: ToolSchema, reading: Reading, documented: Mapping[str, list[str]]
) -> Iterator[Finding]:
    """The documented parameters that a rule of the profile may leave out by accident.

    A class that is given exactly leaves no doubt: its parameter is documented for developers.
    """
    named = {name for names in documented.values() for name in names}
    named -= split_excluded(reading.exclude)[0]
    for name, (why, by) in reading.parameters.hidden.items():
        if name not in named:
            continue
        rule = ""
        if why == "injected_names":
            rule = "this name; rename it, or drop its description"
        elif why == "injected_classes" and isinstance(by, str) and "." not in by:
            rule = f"every class called {by}; rename the class, or drop the description"
        if rule:
            reason = f"described to callers, but the profile fills in {rule}"
            yield Finding(f"{tool.name}({name})", "hidden-parameter", reason)
