"""The problems that ``testing.assert_described()`` finds in functions, modules and packages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from milo_schema.annotations.classes import MISSING, is_class
from milo_schema.annotations.type_checking import type_checking_imports
from milo_schema.callables.signatures import VARIADIC
from milo_schema.checks import check_reading, check_tool
from milo_schema.errors import FINDING_CODES, GROUPS, RESULT, Problem, SchemaError, nearest
from milo_schema.json_schema.subschemas import is_described
from milo_schema.profile import Profile
from milo_schema.schemas.functions import NO_DESCRIPTION, Options, Reading
from milo_schema.targets import Listener, TargetError
from milo_schema.targets.functions import Found, by_name, find
from milo_schema.tools.definition import ToolSchema
from milo_schema.tools.several import each_of

Function = Callable[..., Any]
Tools = ToolSchema | Mapping[str, ToolSchema]


def lines_about(
    targets: Collection[Function | Tools | str],
    ignore: Collection[str],
    select: Collection[str],
    options: Options,
    *,
    output: bool,
) -> Iterator[str]:
    """A line for each problem: where it is, and what to do.

    Args:
        targets: Functions and tools, and the targets of functions, modules and packages.
        ignore: Patterns of modules and functions to leave out.
        select: Codes of findings to look for instead.
        options: Those of the readings.
        output: Whether the result must have an annotation and an exact schema, too.

    Raises:
        SchemaError: A target or a code does not exist.
    """
    codes = _codes(select)
    for each in targets:
        if isinstance(each, (ToolSchema, Mapping)):
            yield from _lines_of_tools(each, codes, output=output)
        elif not isinstance(each, str):
            reading = Reading(each, options)
            yield from _lines(reading, codes, output=output, is_alone=len(targets) == 1)
    if names := [each for each in targets if isinstance(each, str)]:
        imported = options.replace(localns=options.localns or type_checking_imports())
        failures, functions = _functions_of(names, ignore)
        yield from failures
        for name, found in functions.items():
            outer = name.rpartition(found.own_name)[0]  # ``run(x)`` is in ``api.run``
            reading = Reading(found.func, imported)
            for line in _lines(reading, codes, output=output, is_alone=False):
                yield outer + line


def _codes(select: Collection[str]) -> frozenset[str]:
    """The codes that are meant; ``errors`` stands for several."""
    for word in select:
        if word not in FINDING_CODES and word not in GROUPS:
            reason = f"select has {word!r}, which is not a code of a finding"
            raise SchemaError(reason + nearest(word, [*FINDING_CODES, *GROUPS]))
    return frozenset(code for word in select for code in GROUPS.get(word, (word,)))


def _functions_of(
    targets: Iterable[str], ignore: Collection[str]
) -> tuple[list[str], Mapping[str, Found]]:
    """The problems of the modules, and their functions by name."""
    listener = Listener()
    found: dict[int, Found] = {}  # by identity: a function may have several names
    lines: list[str] = []
    for target in targets:
        try:
            members = [*find(target, listener, ignore)]
        except TargetError as problem:
            raise SchemaError(str(problem)) from None
        if any(each.is_listed for each in members):
            way_out = "pass them to checks.check()"
            raise SchemaError(f"{target} has definitions of tools, not functions; {way_out}")
        if not members and not listener.failed_imports:
            lines.append(f"{target}: found no functions")
        found |= {id(each.func): each for each in members if id(each.func) not in found}
    return [*lines, *map(str, listener.failed_imports)], by_name(found.values())


def _lines(
    reading: Reading, codes: Collection[str], *, output: bool, is_alone: bool
) -> Iterator[str]:
    """The lines about a function; about an excluded name that it lacks only if it is alone."""
    if codes:
        name = reading.signature.name  # places begin with the name of the tool: add(x) for Cart.add
        owner, dot, _ = name.rpartition(".")
        for finding in check_reading(reading)[0]:
            if finding.code in codes:
                yield f"{'' if finding.path.startswith(name) else owner + dot}{finding}"
        return
    problems = input_problems(reading) + (output_problems(reading) if output else [])
    for each in problems:
        if is_alone or not each.message.startswith("exclude names"):
            yield str(each)


def _lines_of_tools(tools: Tools, codes: Collection[str], *, output: bool) -> Iterator[str]:
    """The lines about tools, whose functions may not be known."""
    wanted = codes or _UNDESCRIBED.union(["no-output-schema"] if output else [])
    for tool in each_of([tools]):
        for finding in check_tool(tool)[0]:
            if finding.code in wanted:
                yield str(finding) if codes else f"{finding.path}: {finding.message}"


_UNDESCRIBED = {"undescribed-parameter", "refused-in-strict-mode", *GROUPS["errors"]}
"""The findings about a tool that is not described, or has no exact schema."""


# -- one function ------------------------------------------------------------------------------


def exact(profile: Profile) -> Profile:
    """The profile without its placeholders, which say nothing about a parameter."""
    is_schema = isinstance(profile.untyped, Mapping)
    untyped = {} if is_schema else profile.untyped
    return profile.replace(unknown={}, untyped=untyped, outputs=bool(profile.outputs))


def input_problems(reading: Reading) -> list[Problem]:
    """The faults and gaps in the parameters of a function, in their order."""
    problems = _without_repetitions(reading.input.problems)
    if (written := reading.input.untransformed) is not None:
        fields = reading.parameters.shape.fields
        variadic = {each.name for each in fields if each.kind in VARIADIC}
        problems += [
            Problem(
                NO_DESCRIPTION, f"{reading.signature.name}({name})", code="undescribed-parameter"
            )
            for name, each in written.get("properties", {}).items()
            if name not in variadic and not is_described(each, written)
        ]
    return reading.in_order(problems)


def output_problems(reading: Reading) -> list[Problem]:
    """The faults of the result of a function."""
    problems = _without_repetitions(reading.output.problems)
    is_declared = is_class(reading.func) or reading.returns is not MISSING
    if not is_declared:
        path = reading.signature.name + RESULT
        problems.append(Problem("no annotation; annotate what it returns", path))
    return problems


_REFUSED = "refused-by-transform"


def _without_repetitions(problems: list[Problem]) -> list[Problem]:
    """Problems without those of a dialect about a place that already has one."""
    known = {each.path for each in problems if each.code != _REFUSED}
    return [each for each in problems if each.code != _REFUSED or each.path not in known]
