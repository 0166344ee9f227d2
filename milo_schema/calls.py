"""A tool call from start to finish: the core of an MCP server.

The arguments are bound, the function is called, and its return value becomes the result of a
``tools/call``. The model gets the errors that it can fix: invalid arguments, and the exceptions
that you list. Everything else is a mistake of the program, and is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import islice
from types import CoroutineType, GeneratorType
from typing import Any

from milo_schema.annotations import Json, Names
from milo_schema.annotations.classes import MISSING
from milo_schema.arguments import ArgumentsError, Binder, binder
from milo_schema.errors import SchemaError
from milo_schema.nodes.base import MAX_PARTS
from milo_schema.profile import MILO, Profile
from milo_schema.results import call_result, error_result
from milo_schema.tools import ToolSchema

Functions = Mapping[Any, Callable[[Any], Any]] | None
Errors = type[BaseException] | tuple[type[BaseException], ...]

__all__ = ["call_tool", "call_tool_async"]


def call_tool(  # noqa: PLR0913 - all of them named, all of them optional
    tool: ToolSchema,
    func: Callable[..., Any] | Binder,
    arguments: Any,
    *,
    inject: Names = None,
    repair: bool = False,
    errors: Errors = (),
    returns: Any = MISSING,
    profile: Profile | None = None,
    exclude: Collection[str | type] = (),
    decoders: Functions = None,
    encoders: Functions = None,
    localns: Names = None,
) -> Json:
    """Call a tool with JSON arguments, and return the result in the format of MCP.

    Args:
        tool: The tool that is called.
        func: Its function, or the result of ``binder()`` for it, which then has the options of
            ``bind()``.
        arguments: The JSON object of its arguments.
        inject: Values of parameters that the schema leaves out, by name.
        repair: Whether to parse a string as JSON if the schema does not accept a string there.
        errors: The exceptions of the function to report to the model.
        returns: A return annotation that replaces the function's own.
        profile: The profile of the tool; if not given, that of the result of ``binder()``, or
            ``profiles.MILO``.
        exclude: Names and types of parameters to leave out of the schema.
        decoders: Maps each of your types to a function that makes a value from its JSON.
        encoders: Maps each of your types to a function that converts its values to JSON.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        The result of a ``tools/call``; it has ``"isError": True`` if the arguments are not valid
        or the function raised one of *errors*.

    Raises:
        SchemaError: The value does not match the output schema, or the call is not possible.

    Example:
        >>> from milo_schema import tool_schema
        >>> from milo_schema.calls import call_tool
        >>> def double(n: int) -> int:
        ...     return 2 * n
        >>> tool = tool_schema(double)
        >>> call_tool(tool, double, {"n": 21})["structuredContent"]
        42
        >>> call_tool(tool, double, {"n": "21"})["content"][0]["text"]
        'double(): .n: expected an integer, got "21"'
    """
    bind = _binder(func, profile, exclude, decoders, repair, localns)
    try:
        bound = bind(arguments, inject)
    except ArgumentsError as problem:
        return error_result(problem, profile=bind.profile)
    try:
        value = bind.func(*bound.args, **bound.kwargs)
        if _is_list(tool, bind.profile):
            value = _collected(value)
    except errors as problem:
        return error_result(problem, profile=bind.profile)
    if _is_awaitable(value):
        if type(value) is CoroutineType:
            value.close()  # otherwise, Python would warn that it was never awaited
        raise SchemaError("it must be awaited; use call_tool_async()", tool.name)
    return _answer(tool, value, bind, returns, encoders)


async def call_tool_async(  # noqa: PLR0913 - all of them named, all of them optional
    tool: ToolSchema,
    func: Callable[..., Any] | Binder,
    arguments: Any,
    *,
    inject: Names = None,
    repair: bool = False,
    errors: Errors = (),
    returns: Any = MISSING,
    profile: Profile | None = None,
    exclude: Collection[str | type] = (),
    decoders: Functions = None,
    encoders: Functions = None,
    localns: Names = None,
) -> Json:
    """``call_tool()`` for coroutine functions and others: awaits the return value if necessary.

    Args:
        tool: The tool that is called.
        func: Its function, or the result of ``binder()`` for it, which then has the options of
            ``bind()``.
        arguments: The JSON object of its arguments.
        inject: Values of parameters that the schema leaves out, by name.
        repair: Whether to parse a string as JSON if the schema does not accept a string there.
        errors: The exceptions of the function to report to the model.
        returns: A return annotation that replaces the function's own.
        profile: The profile of the tool; if not given, that of the result of ``binder()``, or
            ``profiles.MILO``.
        exclude: Names and types of parameters to leave out of the schema.
        decoders: Maps each of your types to a function that makes a value from its JSON.
        encoders: Maps each of your types to a function that converts its values to JSON.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        The result of a ``tools/call``; it has ``"isError": True`` if the arguments are not valid
        or the function raised one of *errors*.

    Raises:
        SchemaError: The value does not match the output schema, or the call is not possible.

    Example:
        >>> import asyncio
        >>> from milo_schema import tool_schema
        >>> from milo_schema.calls import call_tool_async
        >>> async def double(n: int) -> int:
        ...     return 2 * n
        >>> result = asyncio.run(call_tool_async(tool_schema(double), double, {"n": 21}))
        >>> result["structuredContent"]
        42
    """
    bind = _binder(func, profile, exclude, decoders, repair, localns)
    try:
        bound = bind(arguments, inject)
    except ArgumentsError as problem:
        return error_result(problem, profile=bind.profile)
    try:
        value = bind.func(*bound.args, **bound.kwargs)
        if _is_awaitable(value):
            value = await value
        if _is_list(tool, bind.profile):
            value = await _collected_async(value)
    except errors as problem:
        return error_result(problem, profile=bind.profile)
    return _answer(tool, value, bind, returns, encoders)


def _answer(tool: ToolSchema, value: Any, bind: Binder, returns: Any, encoders: Functions) -> Json:
    """The result of the call, with the options of the binder."""
    return call_result(
        tool,
        value,
        func=bind.func,
        returns=returns,
        profile=bind.profile,
        encoders=encoders,
        localns=bind.localns,
    )


def _binder(
    func: Callable[..., Any] | Binder,
    profile: Profile | None,
    exclude: Collection[str | type],
    decoders: Functions,
    repair: bool,
    localns: Names,
) -> Binder:
    """The binder of the arguments: that of the caller, or a new one."""
    if type(func) is not Binder:
        options: Any = {"exclude": exclude, "decoders": decoders, "localns": localns}
        return binder(func, profile=profile or MILO, repair=repair, **options)
    if profile not in (None, func.profile):
        reason = f"{func!r} was made with {func.profile!r}, not with profile={profile!r}"
        raise SchemaError(f"{reason}; pass the profile only to binder()")
    return func


def _is_awaitable(value: Any) -> bool:
    return hasattr(type(value), "__await__")


# -- generators --------------------------------------------------------------------------------


def _is_list(tool: ToolSchema, profile: Profile) -> bool:
    """Whether the items of a generator are one output, as a list."""
    return tool.output_schema is None or profile.for_outputs.generators == "list"


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
