"""A tool call from start to finish, prepared once for all calls of a tool.

The arguments are bound, the function is called, and its return value becomes the result of a
``tools/call``. The model gets what is meant for it: invalid arguments, ``ToolError``, and the
exceptions that you list. Everything else is a mistake of the program: it is raised, or logged, and
then the model only learns that there was one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import islice
from types import CoroutineType, GeneratorType
from typing import Any

from milo_schema.annotations import Json, Names
from milo_schema.arguments import ArgumentsError, Binder, Bound, Injected, JSONBinder, Repair
from milo_schema.callables.signatures import VARIADIC
from milo_schema.errors import (
    RESULT,
    Errors,
    SchemaError,
    ToolError,
    add_location,
    checked_errors,
    nearest,
    shown,
)
from milo_schema.json_schema.subschemas import asserted
from milo_schema.nodes import ToolSchema
from milo_schema.nodes.base import MAX_PARTS
from milo_schema.nodes.fields import null_is_absent
from milo_schema.profile import Profile
from milo_schema.results import ToolResult, error_result
from milo_schema.schemas.arguments import CallArguments
from milo_schema.schemas.finishing import with_all_required
from milo_schema.schemas.functions import Options, Reading, as_parameter
from milo_schema.tools.origin import Origin, check_given, origin_of
from milo_schema.tools.outputs import ToolOutput

OnRepair = bool | Callable[[tuple[Repair, ...]], object]
Unexpected = Callable[[ToolSchema, Exception], object] | None
"""A function that logs an exception that is not meant for the model."""

PROBLEMS = "milo-schema/problems"
"""The key of ``_meta`` with the problems of arguments, as data."""


class CallOptions:
    """Options of calls: where errors go, and how arguments and functions are treated.

    Attributes:
        errors: The exceptions of the function that the model gets as messages.
        unexpected: Logs every other exception, if it is not to be raised.
        caught: The exceptions from anywhere in a call that become a result.
        repair: Whether to repair arguments, or a function for the repairs.
        thread: Whether functions that may block run in a worker thread.
        details: Whether the result for invalid arguments has their problems as data.
    """

    errors: Errors = ()
    caught: type[Exception] = ToolError
    unexpected: Callable[[ToolSchema, Exception], object]

    def __init__(
        self,
        errors: Errors,
        unexpected: Unexpected,
        repair: OnRepair,
        *,
        thread: bool = True,
        details: bool,
    ) -> None:
        if unexpected is not None and not callable(unexpected):
            must = "unexpected= must be a function that is called with the tool and the exception"
            raise TypeError(f"{must}, not {shown(unexpected)}")
        if repair is not False and repair is not True and not callable(repair):
            must = "repair= must be True, False or a function that is called with the repairs"
            raise TypeError(f"{must}, not {shown(repair)}")
        if errors:
            self.errors = checked_errors(errors)
        if unexpected is not None:
            self.caught, self.unexpected = Exception, unexpected
        self.repair: OnRepair = repair
        self.thread: bool = thread
        self.details: bool = details


class Call:
    """The parts that all calls of a tool share.

    Attributes:
        name: The name of the tool.
        profile: The profile of its results.
        binder: Binds the arguments that the definition accepts.
        output: Makes the result of a value.
    """

    __slots__ = ("_is_list", "_reading", "binder", "name", "output", "profile")
    options = CallOptions

    def __init__(self, tool: ToolSchema) -> None:
        origin = origin_of(tool)
        reading, schema = origin.reading, _output_schema(tool)
        self._reading: Reading | None = reading
        self.name: str = tool.name
        self.profile: Profile = origin.profile
        self.binder: Binder[Any] | JSONBinder = _binder(tool, origin)
        self.output: ToolOutput = ToolOutput(tool, schema, self.profile, reading)
        self._is_list: bool = self.profile.for_outputs.generators == "list" or schema is None

    def bind(self, arguments: Any, inject: Injected, repair: OnRepair) -> Bound:
        """Bind the arguments of one call."""
        given = {} if arguments is None else arguments
        bound = self.binder(given, inject, repair=bool(repair))
        if bound.repairs and callable(repair):
            repair(bound.repairs)
        return bound

    def answer(
        self, tool: ToolSchema, arguments: Any, inject: Injected, options: CallOptions
    ) -> ToolResult:
        """The result of a call."""
        try:
            return self._answer(arguments, inject, options)
        except options.caught as problem:
            return self._failed(tool, problem, options)

    async def answer_async(
        self, tool: ToolSchema, arguments: Any, inject: Injected, options: CallOptions
    ) -> ToolResult:
        """``answer()``, which awaits the value if necessary."""
        try:
            return await self._answer_async(arguments, inject, options)
        except options.caught as problem:
            return self._failed(tool, problem, options)

    def _answer(self, arguments: Any, inject: Injected, options: CallOptions) -> ToolResult:
        func = self._function()
        try:
            bound = self.bind(arguments, inject, options.repair)
        except ArgumentsError as problem:
            return self._refused(problem, options)
        try:
            value = self._run(func, bound)
        except options.errors as problem:
            return error_result(problem, profile=self.profile)
        if is_awaitable(value):
            if type(value) is CoroutineType:
                value.close()  # otherwise, Python would warn that it was never awaited
            raise SchemaError("it must be awaited; use call_async()", self.name)
        return self.output.result(value)

    async def _answer_async(
        self, arguments: Any, inject: Injected, options: CallOptions
    ) -> ToolResult:
        func = self._function()
        try:
            bound = self.bind(arguments, inject, options.repair)
        except ArgumentsError as problem:
            return self._refused(problem, options)
        try:
            value = await self._run_async(func, bound, options.thread)
        except options.errors as problem:
            return error_result(problem, profile=self.profile)
        return self.output.result(value)

    def _refused(self, problem: ArgumentsError, options: CallOptions) -> ToolResult:
        """The result for invalid arguments; ``_meta`` may have anything, even beside an error."""
        found = error_result(problem, profile=self.profile)
        if options.details:
            found["_meta"] = {PROBLEMS: [each.as_details() for each in problem.problems]}
        return found

    def _failed(self, tool: ToolSchema, problem: Exception, options: CallOptions) -> ToolResult:
        """The result for an exception; the text of a ``ToolError`` is for the model."""
        if isinstance(problem, ToolError):
            return error_result(problem, profile=self.profile)
        options.unexpected(tool, problem)
        return error_result(f"internal error in {tool.name}", profile=self.profile)

    def _function(self) -> Callable[..., Any]:
        if self._reading is None:
            reason = "its function is not known, because it was read from a file or unpickled"
            raise SchemaError(f"{reason}; use with_function()", self.name)
        return self._reading.func

    def _run(self, func: Callable[..., Any], bound: Bound) -> Any:
        """The value that the function returns; or the items that it yields, if they are one."""
        value = func(*bound.args, **bound.kwargs)
        return _collected(value) if self._is_list else value

    async def _run_async(self, func: Callable[..., Any], bound: Bound, thread: bool) -> Any:
        """The same for any function; one that could block may run in a worker thread."""
        if thread and sys.platform != "emscripten" and not _is_async(func):
            from asyncio import to_thread  # it takes longer to load than everything here

            value = await to_thread(self._run_in_thread, func, bound)
        else:
            value = self._run(func, bound)
        is_first = True
        while is_awaitable(value) and (is_first or type(value).__module__ in _AWAITED_AGAIN):
            value, is_first = await value, False
        return await _collected_async(value) if self._is_list else value

    def _run_in_thread(self, func: Callable[..., Any], bound: Bound) -> Any:
        try:
            return self._run(func, bound)
        except StopIteration as problem:  # it would never reach the caller
            raise RuntimeError(f"{self.name}() raised StopIteration") from problem


def call_of(tool: ToolSchema) -> Call:
    """The parts that the calls of a tool share; they are made once, and kept with the tool."""
    origin = origin_of(tool)
    if origin.call is None:
        origin.call = Call(tool)
    return origin.call


# -- the schemas of a tool ---------------------------------------------------------------------


def _input_schema(tool: ToolSchema, origin: Origin) -> Json:
    """The schema of the arguments of a tool in our form, because others may have written it."""
    if origin.input_schema is not None:
        return origin.input_schema  # a tool itself returns copies
    schema = tool.input_schema if origin.exact is None else origin.exact
    return check_given("input schema", schema, tool.name, as_parameter, is_called=True)


def _output_schema(tool: ToolSchema) -> Json | None:
    """The schema of the result of a tool in our form."""
    if (derived := origin_of(tool).output_schema) is not None:
        return derived
    schema = tool.output_schema
    if schema is None:
        return None
    return check_given("output schema", schema, tool.name + RESULT)


# -- the function of a tool --------------------------------------------------------------------


def read_for(tool: ToolSchema, func: Callable[..., Any], localns: Names) -> Reading:
    """A function, read with the options of a tool that it is to be the function of.

    Raises:
        SchemaError: It contradicts the definition.
    """
    origin = origin_of(tool)
    if origin.reading is None:
        reading = Reading(func, Options(origin.profile, localns=localns))
    else:
        reading = origin.reading.again(func=func, **({"localns": localns} if localns else {}))
    return _agreeing(tool.name, _input_schema(tool, origin), reading)


def _agreeing(name: str, schema: Json, reading: Reading) -> Reading:
    """A function read for the definition of a tool, which hides other parameters."""
    if reading.parameters.whole is not None:
        return reading
    listed = schema.get("properties", {})
    unlisted = [
        each.python_name
        for each in reading.parameters.shape.fields
        if each.kind not in VARIADIC and each.name not in listed
    ]
    if unlisted:
        reading = reading.again(exclude=[*reading.exclude, *unlisted])
    passing = CallArguments(reading, schema, is_given=True)
    for each in listed:
        if not passing.takes(each):
            is_hidden = each in passing.names
            near = "" if is_hidden else nearest(each, passing.names)
            why = "is hidden from callers" if is_hidden else f"is not a parameter{near}"
            reason = f"the definition of {name!r} has {each!r}, which {why}"
            raise SchemaError(reason, f"{reading.signature.name}()")
    return reading


def _without_rules(reading: Reading) -> Reading:
    """A function without its profile's rules for derived schemas; its schema is another one."""
    profile = reading.profile
    variadics = "omit" if profile.variadics == "error" else profile.variadics
    return reading.again(profile=profile.replace(untyped={}, variadics=variadics))


def _binder(tool: ToolSchema, origin: Origin) -> Binder[Any] | JSONBinder:
    """The binder of the arguments that the schema of a tool accepts.

    The schema judges them first, unless it is the one that its function has. That of a dialect
    does not judge: it accepts more than the parameters do, and it requires what they do not.
    """
    schema, reading = _input_schema(tool, origin), origin.reading
    null = origin.exact is not None and null_is_absent(origin.profile)
    if reading is None:
        return JSONBinder(tool.name, schema, drops_nulls=null)
    try:
        if null or not _is_derived(origin, reading, schema):
            reading = _without_rules(reading)
            passing = CallArguments(reading, schema, is_given=True, drops_nulls=null)
            return Binder(reading, passing=passing, name=tool.name)
        judge = schema if _is_changed(reading, schema) else None
        return Binder(reading, passing=CallArguments(reading, judge), name=tool.name)
    except SchemaError as problem:
        add_location(problem, reading.source)
        raise


def _is_derived(origin: Origin, reading: Reading, schema: Json) -> bool:
    """Whether a schema is the one that its function has; that of a file may say the same."""
    if origin.input_schema is not None:
        return True
    derived = reading.input.schema
    return derived is not None and bool(asserted(derived) == asserted(schema))


def _is_changed(reading: Reading, schema: Json) -> bool:
    """Whether a transform of the profile changes what a schema accepts; a dialect only respells."""
    profile = reading.profile
    if not profile.transforms or profile.dialect is not None:
        return False
    plain = reading.input.untransformed or {}
    if profile.optional == "required":
        plain = with_all_required(plain)
    return bool(asserted(plain) != asserted(schema))


# -- the value ---------------------------------------------------------------------------------


def _is_async(func: Any) -> bool:
    """Whether a call of a function does nothing but make what is awaited, or iterated."""
    from inspect import isasyncgenfunction, iscoroutinefunction  # asyncio has loaded it

    called = (func, getattr(type(func), "__call__", None))  # noqa: B004 - it may be a coroutine
    return any(iscoroutinefunction(each) or isasyncgenfunction(each) for each in called)


_AWAITED_AGAIN = ("builtins", "asyncio", "_asyncio")
"""The modules of what is never itself the value: a connection may give itself, a task does not."""


def is_awaitable(value: Any) -> bool:
    """Whether a value has to be awaited."""
    return hasattr(type(value), "__await__")


def _collected(value: Any) -> Any:
    """The items of a generator, which runs here, so that its errors are caught; or the value."""
    return list(islice(value, MAX_PARTS + 1)) if type(value) is GeneratorType else value


async def _collected_async(value: Any) -> Any:
    """``_collected()``, which also accepts an asynchronous iterator."""
    if not hasattr(type(value), "__aiter__"):
        return _collected(value)
    items: list[Any] = []
    async for item in value:
        items.append(item)
        if len(items) > MAX_PARTS:
            break
    return items
