"""A tool call from start to finish: the core of an MCP server.

The arguments are bound, the function is called, and its return value becomes the result of a
``tools/call``. The model gets the errors that it can fix: invalid arguments, and the exceptions
that you list. Everything else is a mistake of the program, and is raised.
"""

from __future__ import annotations

from types import CoroutineType
from typing import Any

from milo_schema.annotations import Json, Names
from milo_schema.arguments import ArgumentsError
from milo_schema.errors import SchemaError
from milo_schema.prepared import Function, call_of, is_awaitable
from milo_schema.results import error_result, result_of
from milo_schema.tools import ToolSchema

Errors = type[BaseException] | tuple[type[BaseException], ...]

__all__ = ["call_tool", "call_tool_async"]


def call_tool(
    tool: ToolSchema,
    arguments: Any,
    *,
    inject: Names = None,
    repair: bool = False,
    errors: Errors = (),
    func: Function = None,
) -> Json:
    """Call a tool with JSON arguments, and return the result in the format of MCP.

    Args:
        tool: The tool that is called, as ``tool_schema()`` made it: it knows its function.
        arguments: The JSON object of its arguments; ``None`` if there are none.
        inject: Values of parameters that the schema leaves out, by name.
        repair: Whether to parse a string as JSON if the schema does not accept a string there.
        errors: The exceptions of the function to report to the model.
        func: The function of a tool that does not know it, because it was read from a file or
            unpickled. It is read as by ``binder()``, whose result may stand for it.

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
        >>> call_tool(tool, {"n": 21})["structuredContent"]
        42
        >>> call_tool(tool, {"n": "21"})["content"][0]["text"]
        'double(): .n: expected an integer, got "21"'
    """
    call = call_of(tool, func)
    try:
        bound = call.bind(arguments, inject, repair)
    except ArgumentsError as problem:
        return error_result(problem)
    try:
        value = call.run(bound)
    except errors as problem:
        return error_result(problem)
    if is_awaitable(value):
        if type(value) is CoroutineType:
            value.close()  # otherwise, Python would warn that it was never awaited
        raise SchemaError("it must be awaited; use call_tool_async()", tool.name)
    return result_of(call.tool, value, call.reading)


async def call_tool_async(
    tool: ToolSchema,
    arguments: Any,
    *,
    inject: Names = None,
    repair: bool = False,
    errors: Errors = (),
    func: Function = None,
    thread: bool = True,
) -> Json:
    """``call_tool()`` for coroutine functions and others: awaits the return value if necessary.

    Args:
        tool: The tool that is called, as ``tool_schema()`` made it: it knows its function.
        arguments: The JSON object of its arguments; ``None`` if there are none.
        inject: Values of parameters that the schema leaves out, by name.
        repair: Whether to parse a string as JSON if the schema does not accept a string there.
        errors: The exceptions of the function to report to the model.
        func: The function of a tool that does not know it; see ``call_tool()``.
        thread: Whether a function that is not a coroutine function runs in a worker thread, with
            the context variables of the caller, so that others are served meanwhile.

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
        >>> result = asyncio.run(call_tool_async(tool_schema(double), {"n": 21}))
        >>> result["structuredContent"]
        42
    """
    call = call_of(tool, func)
    try:
        bound = call.bind(arguments, inject, repair)
    except ArgumentsError as problem:
        return error_result(problem)
    try:
        value = await call.run_async(bound, thread)
    except errors as problem:
        return error_result(problem)
    return result_of(call.tool, value, call.reading)
