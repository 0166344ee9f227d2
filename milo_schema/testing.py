"""Assertions for test suites: functions are documented, and schemas are as expected.

They need no test framework. pytest and unittest omit their frames from tracebacks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from itertools import zip_longest
from typing import Any

from milo_schema.annotations import Json, Names
from milo_schema.annotations.classes import MISSING
from milo_schema.arguments import Binder, binder
from milo_schema.callables.signatures import VARIADIC
from milo_schema.callables.wrappers import name_of
from milo_schema.compare.sides import alike
from milo_schema.errors import Problem, SchemaError
from milo_schema.json_schema.paths import step_to
from milo_schema.profile import MILO, Profile
from milo_schema.samples import TRIES, Sampler
from milo_schema.schemas.functions import function_to_schema, return_to_schema
from milo_schema.schemas.readings import NO_DESCRIPTION, Reading, undescribed

Function = Callable[..., Any]

__all__ = ["Samples", "arguments", "assert_described", "assert_schema"]

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
        >>> def hi(name: str, n: int = 1) -> str:
        ...     '''Say hello.
        ...
        ...     Args:
        ...         name: Whom to greet.
        ...     '''
        >>> assert_described(hi)
        Traceback (most recent call last):
        ...
        AssertionError: hi(n): no description; document it in the docstring or with Description(...)
    """
    __tracebackhide__ = True
    options: Any = {"exclude": exclude, "profile": _exact(profile), "localns": localns}
    found: dict[str, None] = {}  # in order, without repetitions
    for each in (func, *more):
        reading = Reading(each, is_thorough=True, **options)
        problems = _input_problems(reading)
        if more:
            problems = [each for each in problems if not each.reason.startswith("exclude names")]
        if output:
            problems += _output_problems(reading)
        found |= dict.fromkeys(map(str, problems))
    if found:
        raise AssertionError("\n".join(found))  # pytest's summary shows the first line


def assert_schema(
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
        AssertionError: greet.properties.times.default: expected nothing, got 1
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
        raise AssertionError("\n".join(found))


# -- arguments ---------------------------------------------------------------------------------


class Samples(list[Json]):
    """Arguments for calls of a function.

    Attributes:
        notes: For each of the arguments, the keyword that they break and its place, such as
            ``maximum at .limit``; empty for arguments that are valid.
    """

    def __init__(self) -> None:
        super().__init__()
        self.notes: list[str] = []


def arguments(
    func: Function,
    *,
    valid: bool = True,
    count: int = 50,
    seed: object = 0,
    exclude: Collection[str | type] = (),
    profile: Profile = MILO,
    localns: Names = None,
) -> Samples:
    """Make arguments from the schema of a function, to call it with.

    The same function and seed have the same arguments, on every version of Python.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        valid: Whether the arguments are valid. Otherwise each of them breaks one keyword of the
            schema, and ``.notes`` says which one.
        count: How many there are.
        seed: Another seed makes others.
        exclude: Names and types of parameters to leave out of the schema.
        profile: How the schema is written.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        A list of JSON objects, such as ``[{"name": "abc", "times": 3}]``.

    Raises:
        SchemaError: A type has no exact schema or cannot be read from JSON; or no arguments were
            found, because the schema accepts none, or refuses none.

    Example:
        >>> from milo_schema.testing import arguments
        >>> def greet(name: str, times: int = 1) -> str:
        ...     return ", ".join(["Hello"] * times) + f" {name}"
        >>> all(isinstance(greet(**each), str) for each in arguments(greet))
        True
        >>> samples = arguments(greet, valid=False, count=4)
        >>> samples.notes[0]
        'type at .name'
    """
    options: Any = {"exclude": exclude, "profile": profile, "localns": localns}
    schema = function_to_schema(func, strict=True, **options)
    bind = binder(func, **options)
    sampler = Sampler(schema, seed)
    found = Samples()
    for _ in range(count):
        try:
            made, note = _next(sampler, bind, valid=valid)
        except ValueError as problem:
            raise SchemaError(str(problem), name_of(func)) from None
        found.append(made)
        found.notes.append(note)
    return found


def _next(sampler: Sampler, bind: Binder[Any], *, valid: bool) -> tuple[Json, str]:
    """The next arguments about which the schema and the binder agree."""
    for _ in range(TRIES):
        made, note = (sampler.valid(), "") if valid else sampler.invalid()
        if bind.accepts(made) is valid:
            return made, note
    raise ValueError(f"the schema and bind() disagree about {TRIES} arguments in a row")


# -- missing descriptions ----------------------------------------------------------------------


def _exact(profile: Profile) -> Profile:
    """The profile without its placeholders, which say nothing about a parameter."""
    untyped: Any = None if profile.untyped is None else {}
    return profile.replace(unknown={}, untyped=untyped, outputs=bool(profile.outputs))


def _input_problems(reading: Reading) -> list[Problem]:
    """The faults and gaps in the parameters of a function, in their order."""
    problems = _without_repetitions(reading.input.problems)
    if (written := reading.input.untransformed) is not None:
        fields = reading.parameters.record.fields
        variadic = {each.name for each in fields if each.kind in VARIADIC}
        problems += [
            Problem(NO_DESCRIPTION, f"{reading.signature.name}({name})")
            for name in undescribed(written)
            if name not in variadic
        ]
    return reading.in_order(problems)


def _output_problems(reading: Reading) -> list[Problem]:
    """The faults of the result of a function."""
    problems = _without_repetitions(reading.output.problems)
    if not problems and reading.signature.returns is MISSING:
        path = f"{reading.signature.name}() -> result"
        problems.append(Problem("no annotation; annotate what it returns", path))
    return problems


_REFUSED = "refused-by-transform"


def _without_repetitions(problems: list[Problem]) -> list[Problem]:
    """Problems without those of a dialect about a place that already has one."""
    known = {each.path for each in problems if each.code != _REFUSED}
    return [each for each in problems if each.code != _REFUSED or each.path not in known]


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
