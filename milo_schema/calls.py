"""A tool call from start to finish: the core of an MCP server.

The arguments are bound, the function is called, and its return value becomes the result of a
``tools/call``. The model gets the errors that it can fix: invalid arguments, and the exceptions
that you list. Everything else is a mistake of the program, and is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import CoroutineType
from typing import Any, Literal

from milo_schema.annotations import Json, Names
from milo_schema.arguments import ArgumentsError, Binder
from milo_schema.checks import Finding, check_function, check_set, check_tool
from milo_schema.errors import SchemaError, nearest
from milo_schema.json_schema.paths import quote
from milo_schema.json_schema.sentences import choices, describe, suggest
from milo_schema.prepared import Call, OnRepair, call_of, is_awaitable
from milo_schema.profile import MILO, Profile
from milo_schema.results import error_result, result_of
from milo_schema.tools import ToolSchema, tool_schema
from milo_schema.wire import WIRE_FORMS

Errors = type[BaseException] | tuple[type[BaseException], ...]
Form = Literal["mcp", "openai", "openai-responses", "anthropic", "gemini", "bedrock"]

__all__ = ["Toolbox", "call_tool", "call_tool_async"]


def call_tool(
    tool: ToolSchema,
    arguments: Any,
    *,
    inject: Names = None,
    repair: OnRepair = False,
    errors: Errors = (),
    func: Callable[..., Any] | Binder[Any] | None = None,
) -> Json:
    """Call a tool with JSON arguments, and return the result in the format of MCP.

    Args:
        tool: The tool to call. A tool from ``tool_schema()`` knows its function.
        arguments: The JSON object of its arguments; ``None`` if there are none.
        inject: Values of parameters that the schema leaves out, by name.
        repair: Whether to repair values that can mean only one thing, as in
            ``bind()``; or a function that is called with the repairs of a call, to log them. An
            ``ArgumentsError`` that it raises refuses the call.
        errors: The exceptions of the function that the model gets as messages.
        func: The function of a tool that does not know it, because it was read from a file or
            unpickled; or the result of ``binder()`` for it.

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
    return _answer(call_of(tool, func), arguments, inject, repair, errors)


def _answer(call: Call, arguments: Any, inject: Names, repair: OnRepair, errors: Errors) -> Json:
    """The result of a call that has been prepared."""
    try:
        bound = call.bind(arguments, inject, repair)
    except ArgumentsError as problem:
        return error_result(problem, profile=call.reading.profile)
    try:
        value = call.run(bound)
    except errors as problem:
        return error_result(problem, profile=call.reading.profile)
    if is_awaitable(value):
        if type(value) is CoroutineType:
            value.close()  # otherwise, Python would warn that it was never awaited
        raise SchemaError("it must be awaited; use call_tool_async()", call.tool.name)
    return result_of(call.tool, value, call.reading)


async def call_tool_async(
    tool: ToolSchema,
    arguments: Any,
    *,
    inject: Names = None,
    repair: OnRepair = False,
    errors: Errors = (),
    func: Callable[..., Any] | Binder[Any] | None = None,
    thread: bool = True,
) -> Json:
    """``call_tool()`` for coroutine functions and others: awaits the return value if necessary.

    Args:
        tool: The tool to call. A tool from ``tool_schema()`` knows its function.
        arguments: The JSON object of its arguments; ``None`` if there are none.
        inject: Values of parameters that the schema leaves out, by name.
        repair: Whether to repair values that can mean only one thing, as in
            ``bind()``; or a function that is called with the repairs of a call, to log them. An
            ``ArgumentsError`` that it raises refuses the call.
        errors: The exceptions of the function that the model gets as messages.
        func: The function of a tool that does not know it; see ``call_tool()``.
        thread: Whether a function that is not a coroutine function runs in a worker thread, with
            the context variables of the caller, so that it does not block others.

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
    return await _answer_async(call_of(tool, func), arguments, inject, repair, errors, thread)


async def _answer_async(
    call: Call, arguments: Any, inject: Names, repair: OnRepair, errors: Errors, thread: bool
) -> Json:
    """``_answer()``, which awaits the value if necessary."""
    try:
        bound = call.bind(arguments, inject, repair)
    except ArgumentsError as problem:
        return error_result(problem, profile=call.reading.profile)
    try:
        value = await call.run_async(bound, thread)
    except errors as problem:
        return error_result(problem, profile=call.reading.profile)
    return result_of(call.tool, value, call.reading)


# -- many tools --------------------------------------------------------------------------------


class Toolbox(Mapping[str, ToolSchema]):
    """Tools by name: their definitions, and their calls.

    It is immutable, and a mapping: ``toolbox["search"]`` is a definition.

    Args:
        tools: Functions, methods and other callables, and tools that ``tool_schema()`` made.
        profile: How the definitions of the functions are written.
        errors: The exceptions of the functions that the model gets as messages.
        repair: Whether to repair arguments, or a function for the repairs; see ``call_tool()``.
        strict: Whether an annotation without an exact schema is an error, not a warning.
        localns: Names for annotation strings that their module does not have at run time.
        thread: Whether ``call_async()`` runs functions that are not coroutine functions in a
            worker thread.

    Attributes:
        profile: How the definitions of the functions are written.

    Raises:
        SchemaError: Two tools have the same name, or a tool cannot be called.

    Example:
        >>> from milo_schema import profiles
        >>> from milo_schema.calls import Toolbox
        >>> def double(n: int) -> int:
        ...     return 2 * n
        >>> tools = Toolbox([double], profile=profiles.MCP)
        >>> tools.to_mcp()[0]["name"]
        'double'
        >>> tools.call("double", {"n": 21})["structuredContent"]
        42
        >>> tools.call("duoble", {"n": 21})["content"][0]["text"]
        'no tool "duoble"; did you mean "double"?'
    """

    __slots__ = (
        "_calls",
        "_errors",
        "_functions",
        "_hidden",
        "_localns",
        "_repair",
        "_thread",
        "_tools",
        "profile",
    )

    def __init__(
        self,
        tools: Iterable[Callable[..., Any] | ToolSchema],
        *,
        profile: Profile = MILO,
        errors: Errors = (),
        repair: OnRepair = False,
        strict: bool = False,
        localns: Names = None,
        thread: bool = True,
    ) -> None:
        self.profile: Profile = profile
        self._errors: Errors = errors
        self._repair: OnRepair = repair
        self._localns: Names = localns
        self._thread: bool = thread
        self._tools: dict[str, ToolSchema] = {}
        self._functions: dict[str, Callable[..., Any]] = {}
        self._calls: dict[str, Call] = {}
        for each in tools:
            if isinstance(each, ToolSchema):
                self._add(each)
            else:
                tool = tool_schema(each, profile=profile, strict=strict, localns=localns)
                self._add(tool)
                self._functions[tool.name] = each
        hidden = (each.binder.hidden for each in self._calls.values())
        self._hidden: frozenset[str] = frozenset().union(*hidden)

    def _add(self, tool: ToolSchema) -> None:
        """Add a tool, and prepare its calls, so that one that cannot be called is found now."""
        if tool.name in self._tools:
            raise SchemaError("two tools have this name; pass tool_schema(..., name=)", tool.name)
        self._tools[tool.name] = tool
        self._calls[tool.name] = call_of(tool)

    def __getitem__(self, name: str) -> ToolSchema:
        return self._tools[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def __repr__(self) -> str:
        return f"<Toolbox {', '.join(self._tools)}>"

    @property
    def hidden(self) -> frozenset[str]:
        """The names of the parameters that schemas leave out, so that only ``inject`` sets them.

        Example:
            >>> from milo_schema import profiles
            >>> from milo_schema.calls import Toolbox
            >>> class Session: ...
            >>> def greet(name: str, session: Session): ...
            >>> Toolbox([greet], profile=profiles.MCP.with_injected(classes=[Session])).hidden
            frozenset({'session'})
        """
        return self._hidden

    # -- definitions ---------------------------------------------------------------------------

    def to_mcp(self) -> list[Json]:
        """The definitions for a ``tools/list`` of MCP.

        Returns:
            A fresh list of ``Tool``, in the order of the tools.

        Example:
            >>> from milo_schema.calls import Toolbox
            >>> def ping(): ...
            >>> [each["name"] for each in Toolbox([ping]).to_mcp()]
            ['ping']
        """
        return self.definitions("mcp")

    def definitions(self, form: Form = "mcp") -> list[Json]:
        """The definitions in the format of an API, for a request.

        Args:
            form: The format: ``"mcp"``, ``"openai"`` (chat completions), ``"openai-responses"``,
                ``"anthropic"``, ``"gemini"`` or ``"bedrock"``.

        Returns:
            A fresh list, in the order of the tools.

        Raises:
            SchemaError: The name of a tool is not valid for the API.
            ValueError: There is no such format.

        Example:
            >>> from milo_schema.calls import Toolbox
            >>> def ping(): ...
            >>> Toolbox([ping]).definitions("openai")[0]["function"]["name"]
            'ping'
        """
        if form not in WIRE_FORMS:
            there_are = nearest(str(form), WIRE_FORMS) or f"; there are: {', '.join(WIRE_FORMS)}"
            raise ValueError(f"no format {form!r}{there_are}")
        return [WIRE_FORMS[form].write(tool) for tool in self._tools.values()]

    def check(self) -> list[Finding]:
        """Find what is missing or wrong in the tools, alone and together.

        Returns:
            The findings; empty if there are none.

        Example:
            >>> from milo_schema.calls import Toolbox
            >>> def ping() -> None: ...
            >>> [each.code for each in Toolbox([ping]).check()]
            ['undescribed-tool']
        """
        found: list[Finding] = []
        for name, tool in self._tools.items():
            func = self._functions.get(name)
            if func is None:
                found += check_tool(tool, profile=self.profile)
            else:
                found += check_function(func, profile=self.profile, localns=self._localns)
        return [*found, *check_set(self._tools.values(), profile=self.profile)]

    # -- calls ---------------------------------------------------------------------------------

    def call(self, name: str, arguments: Any = None, *, inject: Names = None) -> Json:
        """Call a tool by its name; see ``call_tool()``.

        Args:
            name: The name of the tool, as the client sent it.
            arguments: The JSON object of its arguments; ``None`` if there are none.
            inject: Values of parameters that schemas leave out, by name; a tool gets those that
                its function has.

        Returns:
            The result of a ``tools/call``; it has ``"isError": True`` if there is no such tool,
            the arguments are not valid, or the function raised one of the listed errors.

        Raises:
            SchemaError: The value does not match the output schema, or the call is not possible.

        Example:
            >>> from milo_schema.calls import Toolbox
            >>> def double(n: int) -> int:
            ...     return 2 * n
            >>> Toolbox([double]).call("double", {"n": 21})["structuredContent"]
            42
        """
        call = self._find(name)
        if call is None:
            return self._unknown(name)
        given = self._injected(call, inject)
        return _answer(call, arguments, given, self._repair, self._errors)

    async def call_async(self, name: str, arguments: Any = None, *, inject: Names = None) -> Json:
        """Call a tool by its name, and await it if necessary; see ``call_tool_async()``.

        Args:
            name: The name of the tool, as the client sent it.
            arguments: The JSON object of its arguments; ``None`` if there are none.
            inject: Values of parameters that schemas leave out, by name; a tool gets those that
                its function has.

        Returns:
            The result of a ``tools/call``, as of ``call()``.

        Raises:
            SchemaError: The value does not match the output schema, or the call is not possible.

        Example:
            >>> import asyncio
            >>> from milo_schema.calls import Toolbox
            >>> async def double(n: int) -> int:
            ...     return 2 * n
            >>> asyncio.run(Toolbox([double]).call_async("double", {"n": 21}))["isError"]
            False
        """
        call = self._find(name)
        if call is None:
            return self._unknown(name)
        given = self._injected(call, inject)
        return await _answer_async(call, arguments, given, self._repair, self._errors, self._thread)

    def _find(self, name: Any) -> Call | None:
        """The calls of a tool by its name, which a client may send as anything."""
        return self._calls.get(name) if type(name) is str else None

    def _unknown(self, name: Any) -> Json:
        """The result of a call of a tool that does not exist."""
        known = [*self._tools]
        near = suggest(name, known) if type(name) is str else ""
        there_are = f"; there are: {choices([quote(each) for each in known])}" if known else ""
        return error_result(f"no tool {describe(name)}{near or there_are}", profile=self.profile)

    def _injected(self, call: Call, inject: Names) -> Names:
        """The values that one tool gets: those of parameters that its definition leaves out."""
        given, hidden = inject or {}, call.binder.hidden
        for each in given:
            if each not in self._hidden:
                reason = f"inject= names {each!r}, which no tool leaves out"
                near = nearest(str(each), sorted(self._hidden))
                raise SchemaError(f"{reason}{near}", call.tool.name)
        return {each: value for each, value in given.items() if each in hidden}
