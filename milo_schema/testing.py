"""Assertions for test suites: functions are documented, and schemas are as expected.

They need no test framework. pytest and unittest omit their frames from tracebacks.
"""

from __future__ import annotations

import json
import warnings
from functools import partial
from itertools import zip_longest

from milo_schema.annotations import Any, Callable, Collection, Iterator, Json, Names
from milo_schema.annotations.classes import MISSING
from milo_schema.callables import read
from milo_schema.callables.wrappers import name_of
from milo_schema.checks import check_tool
from milo_schema.comparison.labels import alike
from milo_schema.errors import SchemaError, SchemaWarning
from milo_schema.json_schema.validation import step_to
from milo_schema.profile import MILO, Profile
from milo_schema.schemas import function_to_schema
from milo_schema.schemas.outputs import return_to_schema
from milo_schema.tools import ToolSchema

Function = Callable[..., Any]
Derivation = Callable[..., Any]
Fact = tuple[str, str]

__all__ = ["assert_described", "assert_schema"]

__unittest = True  # unittest omits the frames of such a module from tracebacks


def assert_described(
    func: Function,
    /,
    *more: Function,
    exclude: Collection[str | type] = (),
    profile: Profile = MILO,
    output: bool = False,
    localns: Names = None,
) -> None:
    """Assert that functions are documented, so that a caller knows what to pass.

    Every parameter has an exact schema and a description, and every default in the schema is
    valid.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        more: More functions.
        exclude: Names and types of parameters to leave out of the schema.
        profile: How the schemas are written.
        output: Whether the return value must have an annotation and an exact schema, too.
        localns: Names for annotation strings that their module does not have at run time.

    Raises:
        AssertionError: The message has a line for each problem: where it is, and what to do.

    Example:
        >>> from milo_schema.testing import assert_described
        >>> def greet(name: str, times: int = 1) -> str:
        ...     '''Say hello.
        ...
        ...     Args:
        ...         name: Whom to greet.
        ...     '''
        >>> assert_described(greet)
        Traceback (most recent call last):
        ...
        AssertionError: missing descriptions:
          greet(times): no description; document it in the docstring or with Description(...)
    """
    __tracebackhide__ = True
    hidden = [exclude] if isinstance(exclude, (str, type)) else [*exclude]
    found: dict[str, None] = {}  # in order, without repetitions
    for each in (func, *more):
        known = [name for name in hidden if not more or _is_known(name, each, profile, localns)]
        facts = _shortfalls(each, known, profile, output=output, localns=localns)
        for place, reason in facts:
            found[f"{place}: {reason}" if place else reason] = None
    if found:
        raise AssertionError("\n  ".join(["missing descriptions:", *found]))


def assert_schema(  # noqa: PLR0913 - all of them named, all of them optional
    func: Function | Json | None,
    expected: Json | None,
    *,
    strict: bool = False,
    exclude: Collection[str | type] = (),
    profile: Profile = MILO,
    output: bool = False,
    localns: Names = None,
) -> None:
    """Assert that a function has an expected schema, or that a schema is as expected.

    Types matter: ``True`` is not ``1``, and ``1`` is not ``1.0``. The order of lists matters, that
    of keys does not.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable; or a schema,
            such as ``type_to_schema()`` returns. The options are only for callables.
        expected: The expected schema; ``None`` if there should be none.
        strict: Whether an annotation without an exact schema is an error, not a warning.
        exclude: Names and types of parameters to leave out of the schema.
        profile: How the schema is written.
        output: Whether to compare the output schema, not the input schema.
        localns: Names for annotation strings that their module does not have at run time.

    Raises:
        AssertionError: The message has a line for each difference: its path, the expected value,
            and the actual one.
        SchemaError: A type has no exact schema. The message says where, and what to do.

    Example:
        >>> from milo_schema.testing import assert_schema
        >>> def greet(name: str, times: int = 1): ...
        >>> assert_schema(greet, {
        ...     "type": "object",
        ...     "properties": {"name": {"type": "string"}, "times": {"type": "integer"}},
        ...     "required": ["name", "times"],
        ... })
        Traceback (most recent call last):
        ...
        AssertionError: not the expected schema:
          greet.properties.times.default: expected nothing, got 1
          greet.required: expected ["name", "times"], got ["name"]
    """
    __tracebackhide__ = True
    path, schema = "schema", func
    if callable(func) and output:
        path = f"{name_of(func)}()"
        schema = return_to_schema(func, strict=strict, profile=profile, localns=localns)
    elif callable(func):
        path = name_of(func)
        schema = function_to_schema(
            func, strict=strict, exclude=exclude, profile=profile, localns=localns
        )
    if found := list(_differences(expected, schema, path)):
        raise AssertionError("\n  ".join(["not the expected schema:", *found]))


# -- missing descriptions ----------------------------------------------------------------------


def _is_known(name: Any, func: Function, profile: Profile, localns: Names) -> bool:
    """Whether an excluded name belongs to this function, which is one of several."""
    facts = _heard(
        partial(
            function_to_schema,
            func,
            exclude=[name],
            profile=_plain(profile),
            strict=True,
            localns=localns,
        )
    )
    return not any(reason.startswith(f"exclude names {name!r},") for _, reason in facts)


def _shortfalls(
    func: Function, exclude: Collection[Any], profile: Profile, *, output: bool, localns: Names
) -> list[Fact]:
    """The path and reason of each problem of a function, in the order of its parameters."""
    try:
        signature = read(func, localns)
    except SchemaError as problem:
        return [(problem.path, problem.reason)]
    names = [each.name for each in signature.parameters]
    derive = partial(function_to_schema, func, localns=localns)
    # Strict mode stops at the first error, so each parameter is also derived alone.
    alone = [[*exclude, *(name for name in names if name != each)] for each in names]
    facts = _refused([partial(derive, exclude=some) for some in [exclude, *alone]], profile)
    facts += _undescribed(partial(derive, exclude=exclude), profile, signature.name)
    order = {f"{signature.name}({name}": index for index, name in enumerate(names)}
    facts.sort(key=lambda fact: order.get(fact[0].partition(")")[0], -1))
    if output and signature.returns is MISSING:
        facts.append((f"{signature.name}() -> result", "no annotation; annotate what it returns"))
    elif output:
        facts += _refused([partial(return_to_schema, func, localns=localns)], profile)
    return facts


def _refused(derivations: list[Derivation], profile: Profile) -> list[Fact]:
    """The problems that strict mode and the dialect report."""
    plain = _plain(profile)
    facts = _heard(partial(derivations[0], profile=plain))
    for derive in derivations:
        facts += _heard(partial(derive, profile=profile.replace(transforms=()), strict=True))
    known = {place for place, _ in facts}
    dialect = plain.replace(transforms=profile.transforms)
    more = _heard(partial(derivations[0], profile=dialect))
    return facts + [fact for fact in more if fact[0] not in known]


def _plain(profile: Profile) -> Profile:
    """The profile without its fallbacks, so that a missing schema is only a warning."""
    return profile.replace(
        failure="warn",
        unknown={},
        untyped={},
        variadics="omit",
        undescribed="",
        transforms=(),
        outputs=bool(profile.outputs),
    )


def _heard(derive: Callable[[], object]) -> list[Fact]:
    """The warnings of a derivation, and the error that ended it, if any."""
    facts: list[Any] = []
    with warnings.catch_warnings(record=True, action="always") as caught:
        try:
            derive()
        except SchemaError as problem:
            facts.append(problem)
    facts[:0] = [each.message for each in caught if isinstance(each.message, SchemaWarning)]
    return [(fact.path, fact.reason) for fact in facts]


def _undescribed(derive: Derivation, profile: Profile, name: str) -> list[Fact]:
    """Parameters without a description, and defaults that are not valid."""
    plain = _plain(profile)
    with warnings.catch_warnings(action="ignore"):
        try:
            tool = ToolSchema(name="x", input_schema=derive(profile=plain))
        except SchemaError:  # it is already reported
            return []
    return [
        (name + finding.place.removeprefix(tool.name), finding.message)
        for finding in check_tool(tool, profile=plain)
        if finding.code in ("undescribed-parameter", "default-misfit")
    ]


# -- differences between schemas ---------------------------------------------------------------


def _differences(expected: Any, actual: Any, path: str) -> Iterator[str]:
    """Each difference between two JSON values, with the deepest possible path."""
    if type(expected) is dict and type(actual) is dict:
        for name in {**expected, **actual}:
            below = expected.get(name, MISSING), actual.get(name, MISSING)
            step = step_to(name) if type(name) is str else f"[{name!r}]"
            yield from _differences(*below, path + step)
    elif _is_nested(expected) and _is_nested(actual):
        for index, below in enumerate(zip_longest(expected, actual, fillvalue=MISSING)):
            yield from _differences(*below, f"{path}[{index}]")
    elif type(expected) is not type(actual) or repr(expected) != repr(actual):
        texts = [_shown(expected), _shown(actual)]
        if type(expected) is type(actual) is str:
            texts = _around_difference(texts)
        if texts[0] == texts[1]:  # for example, a tuple instead of a list
            texts = [f"{type(each).__name__} {texts[0]}" for each in (expected, actual)]
        yield f"{path}: expected {texts[0]}, got {texts[1]}"


def _around_difference(texts: list[str]) -> list[str]:
    """Two texts; long ones are cut to the part around their first difference."""
    start = max(alike(*texts) - _LEAD, 0)
    end = start + _ROOM
    before = "... " if start else ""
    return [
        f"{before}{text[start:end]}{' ...' if text[end:] else ''}" if len(text) > _ROOM else text
        for text in texts
    ]


_LEAD, _ROOM = 30, 200
"""The characters shown of a long text: before the difference, and in total."""


def _is_nested(value: Any) -> bool:
    """Whether a value is a list with nested values; plain lists read better as a whole."""
    return type(value) is list and any(type(item) in (dict, list) for item in value)


def _shown(value: Any) -> str:
    """A value on one line, as JSON if possible."""
    if value is MISSING:
        return "nothing"
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(value)
