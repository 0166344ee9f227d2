"""Assertions for test suites: functions are documented, and schemas are as expected.

They need no test framework. pytest and unittest omit their frames from tracebacks.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from milo_schema.annotations import Json, Names
from milo_schema.annotations.classes import MISSING
from milo_schema.arguments import Binder, JSONBinder, binder
from milo_schema.callables.wrappers import name_of
from milo_schema.compare.places import alike
from milo_schema.errors import SchemaError
from milo_schema.json_schema.drafts import read_schema
from milo_schema.json_schema.samples import TRIES, Sampler
from milo_schema.json_schema.subschemas import step_to
from milo_schema.profile import MCP, Profile
from milo_schema.schemas.functions import Options, function_to_schema, return_to_schema
from milo_schema.testing.described import Function, Tools, exact, lines_about
from milo_schema.testing.unchanged import compare_with_file, folder_of
from milo_schema.tools.calls import call_of
from milo_schema.tools.definition import ToolSchema

__all__ = ["Sample", "assert_described", "assert_schema", "assert_unchanged", "samples"]


__unittest = True  # unittest omits the frames of such a module from tracebacks


def assert_described(
    func: Function | Tools | str,
    /,
    *more: Function | Tools | str,
    ignore: Collection[str] = (),
    select: Collection[str] = (),
    exclude: Collection[str | type] = (),
    profile: Profile = MCP,
    output: bool = False,
    localns: Names = None,
) -> None:
    """Assert that functions are documented, so that a caller knows what to pass.

    Every parameter has an exact schema and a description, and every default in the schema is
    valid.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable; a tool or a
            toolbox, which have a profile of their own; or the name of a module or package, which
            stands for its public functions, as for ``milo-schema check``.
        more: More of them.
        ignore: Patterns of modules and functions to leave out, such as ``"shop.legacy"``.
        select: Codes of ``milo_schema.checks``, or ``"errors"``, which stands for those that make
            a schema wrong or a call fail. Then only such findings fail.
        exclude: Names and types of parameters to leave out of the schema.
        profile: How the schemas are written.
        output: Whether the return value must have an annotation and an exact schema, too.
        localns: Names for annotation strings that their module does not have at run time.
            Modules and packages have those that they import for type checkers.

    Raises:
        AssertionError: The message has a line for each problem: where it is, and what to do.
        SchemaError: There is no such module, or no such code.

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
    options = Options(exact(profile), exclude=exclude, localns=localns, others="search")
    lines = lines_about((func, *more), ignore, select, options, output=output)
    if found := dict.fromkeys(lines):  # in order, without repetitions
        raise AssertionError("\n".join(found))  # pytest's summary shows the first line


def assert_schema(
    func: Function | ToolSchema | Json | None,
    expected: Json | None,
    *,
    strict: bool = False,
    exclude: Collection[str | type] = (),
    profile: Profile = MCP,
    output: bool = False,
    localns: Names = None,
) -> None:
    """Assert that a function has an expected schema, or that a schema is as expected.

    Types matter: ``True`` is not ``1``, and ``1`` is not ``1.0``. The order of lists matters, that
    of keys does not.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable; a tool; or a
            schema, such as ``type_to_schema()`` returns. Only callables are read, with the options.
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
        ...     "additionalProperties": False,
        ... })
        Traceback (most recent call last):
        ...
        AssertionError: greet.properties.times.default: expected nothing, got 1
        greet.required: expected ["name", "times"], got ["name"]
    """
    __tracebackhide__ = True
    path, schema = "schema", func
    if isinstance(func, ToolSchema):
        path = f"{func.name}()" if output else func.name
        schema = func.output_schema if output else func.input_schema
    elif callable(func) and output:
        path = f"{name_of(func)}()"
        schema = return_to_schema(func, strict=strict, profile=profile, localns=localns)
    elif callable(func):
        path = name_of(func)
        schema = function_to_schema(
            func, strict=strict, exclude=exclude, profile=profile, localns=localns
        )
    if found := list(_differences(expected, schema, path)):
        raise AssertionError("\n".join(found))


def assert_unchanged(
    tools: Any, file: str | os.PathLike[str], *, exact: bool = False, profile: Profile | None = None
) -> None:
    """Assert that tools have not changed in a way that breaks their callers.

    ``milo-schema snapshot`` writes the same file; keep it in your repository. To write it, or to
    accept the changes, run the test with the environment variable ``MILO_SCHEMA_UPDATE=1``, which
    prints them. Where there is a variable ``CI``, as in most services, nothing is written.

    Args:
        tools: Functions, tool definitions, also as dicts of MCP, or a ``Toolbox``.
        file: The file with the tools as your callers know them. A relative path starts in the
            folder of the test that calls.
        exact: Whether compatible changes fail, too, and changes of texts.
        profile: How the schemas are written; by default, as those of the toolbox or the tools, and
            with ``profiles.MCP`` for functions.

    Raises:
        AssertionError: The message has a line for each change, those that break callers first.
        SchemaError: A function has no tool definition.

    Example:
        >>> import pathlib, tempfile
        >>> from milo_schema.testing import assert_unchanged
        >>> def greet(name: str, times: int = 1) -> str: ...
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     assert_unchanged([greet], pathlib.Path(folder) / "tools.json")
        Traceback (most recent call last):
        ...
        AssertionError: tools.json is missing; run the test with MILO_SCHEMA_UPDATE=1 to write it
    """
    __tracebackhide__ = True
    path = folder_of(sys._getframe(1)) / file
    if lines := compare_with_file(tools, path, profile, exact=exact):
        raise AssertionError("\n".join(lines))


# -- arguments ---------------------------------------------------------------------------------


class Sample(NamedTuple):
    """Arguments for a call of a function.

    Attributes:
        arguments: A JSON object.
        reason: The keyword that it breaks and its place, such as ``maximum at .limit``; empty if
            the arguments are valid.
    """

    arguments: Json
    reason: str


def samples(
    func: Function | ToolSchema,
    *,
    valid: bool = True,
    count: int = 50,
    seed: object = 0,
    exclude: Collection[str | type] = (),
    profile: Profile = MCP,
    localns: Names = None,
) -> list[Sample]:
    """Generate sample arguments from the schema of a function or a tool, to call it with.

    The same function and seed give the same arguments, on every version of Python.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable; or a tool, which
            has a profile and a schema of its own.
        valid: Whether the arguments are valid. Otherwise, each of them violates one keyword of the
            schema, which the reason names.
        count: How many to generate.
        seed: The seed; another one gives other arguments.
        exclude: Names and types of parameters to leave out of the schema.
        profile: How the schema is written.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        Pairs of a JSON object, such as ``{"name": "abc", "times": 3}``, and the reason why it is
        not valid, such as ``maximum at .times``; the reason is empty for valid arguments.

    Raises:
        SchemaError: A type has no exact schema or cannot be read from JSON; or no arguments were
            found, because the schema accepts none, or refuses none.

    Example:
        >>> from milo_schema.testing import samples
        >>> def greet(name: str, times: int = 1) -> str:
        ...     return ", ".join(["Hello"] * times) + f" {name}"
        >>> all(isinstance(greet(**arguments), str) for arguments, _ in samples(greet))
        True
        >>> [reason for _, reason in samples(greet, valid=False, count=2)]
        ['type at .name', 'additionalProperties at the root']
    """
    bind: Binder[Any] | JSONBinder
    if isinstance(func, ToolSchema):
        name, bind = func.name, call_of(func).binder
        schema = read_schema(func.input_schema).schema
    else:
        options: Any = {"exclude": exclude, "profile": profile, "localns": localns}
        schema = function_to_schema(func, strict=True, **options)
        name, bind = name_of(func), binder(func, **options)
    sampler = Sampler(schema, seed)
    try:
        return [_next(sampler, bind, valid=valid) for _ in range(count)]
    except ValueError as problem:
        raise SchemaError(str(problem), name) from None


def _next(sampler: Sampler, bind: Binder[Any] | JSONBinder, *, valid: bool) -> Sample:
    """The next arguments about which the schema and the binder agree."""
    for _ in range(TRIES):
        made, reason = (sampler.valid(), "") if valid else sampler.invalid()
        if bind.accepts(made) is valid:
            return Sample(made, reason)
    raise ValueError(f"the schema and bind() disagree about {TRIES} arguments in a row")


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
