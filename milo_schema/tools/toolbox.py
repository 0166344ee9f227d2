"""Many tools: their definitions, and calls by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from threading import Lock
from typing import Any, TypeVar, Unpack, overload

from milo_schema.annotations import Json, Names
from milo_schema.annotations.classes import is_class
from milo_schema.annotations.forms import display
from milo_schema.arguments import Injected, check_class
from milo_schema.checks import Finding, check
from milo_schema.errors import Errors, Problem, SchemaError, nearest
from milo_schema.json_schema.sentences import choices, describe, suggest
from milo_schema.json_schema.subschemas import quote
from milo_schema.nodes.session import SharedTypes
from milo_schema.profile import MCP, Profile, check_profile
from milo_schema.results import ToolResult, error_result
from milo_schema.tools.calls import Call, CallOptions, OnRepair, Unexpected, call_of
from milo_schema.tools.definition import ToolSchema
from milo_schema.tools.fields import (
    AnthropicOptions,
    Api,
    GeminiOptions,
    OpenAIOptions,
    ToolOptions,
)
from milo_schema.tools.fitting import Fit, fit
from milo_schema.tools.origin import parts_of, python_of
from milo_schema.tools.several import each_of, ready_tool
from milo_schema.tools.wire import wire_names

Func = TypeVar("Func", bound=Callable[..., Any])


class _Tools:
    """The tools of a toolbox at one time; it is never changed."""

    def __init__(self, by_name: dict[str, ToolSchema]) -> None:
        self.by_name: dict[str, ToolSchema] = by_name

    def with_tool(self, tool: ToolSchema) -> _Tools:
        """These tools and one more."""
        if tool.name in self.by_name:
            raise SchemaError("two tools have this name; pass tool_schema(..., name=)", tool.name)
        return _Tools({**self.by_name, tool.name: tool})

    @property
    def hidden(self) -> frozenset[str]:
        """The names of the parameters that schemas leave out."""
        return frozenset().union(*(each.hidden for each in self.by_name.values()))

    def take(self, key: Any) -> bool:
        """Whether a tool takes an injected value of this name or class."""
        return any(call_of(each).binder.takes(key) for each in self.by_name.values())

    @cached_property
    def names(self) -> dict[tuple[str, str], str]:
        """The names that APIs take instead of those that they refuse, by form and name."""
        return wire_names(self.by_name)

    def find(self, name: Any) -> ToolSchema | None:
        """A tool by its name, or by the one that it has in an API."""
        if type(name) is not str:
            return None
        if name not in self.by_name:
            name = next((own for (_, own), each in self.names.items() if each == name), name)
        return self.by_name.get(name)

    def in_form(self, form: str) -> Iterator[ToolSchema]:
        """The tools with the names that they have in a form."""
        for name, tool in self.by_name.items():
            spelled = self.names.get((form, name))
            yield tool if spelled is None else tool.replace(name=spelled)


class Toolbox(Mapping[str, ToolSchema]):
    """Tools by name: their definitions, and their calls.

    It is a mapping: ``toolbox["search"]`` is a definition. Tools are added, in any thread, and
    never changed or removed; the order is that in which they were added.

    Args:
        tools: Functions and other callables; objects, which mean their public methods;
            definitions, such as those that ``tool_schema()`` made; and other toolboxes.
        profile: How the definitions of the functions are written.
        errors: The exceptions of the functions that the model gets as messages, besides
            ``ToolError``.
        unexpected: A function that logs every other exception, with the tool and the exception;
            see ``ToolSchema.call()``.
        details: Whether the result for invalid arguments has their problems as data.
        repair: Whether to repair arguments, or a function for the repairs; see
            ``ToolSchema.call()``.
        strict: Whether an annotation without an exact schema is an error, not a warning.
        localns: Names for annotation strings that their module does not have at run time.
        thread: Whether ``call_async()`` runs functions that are not coroutine functions in a
            worker thread.

    Attributes:
        profile: How the definitions of the functions are written.

    Raises:
        SchemaError: Two tools have the same name, or a function cannot be called.

    Example:
        >>> from milo_schema import Toolbox
        >>> tools = Toolbox()
        >>> @tools.tool
        ... def double(n: int) -> int:
        ...     return 2 * n
        >>> tools.to_mcp()[0]["name"]
        'double'
        >>> tools.call("double", {"n": 21}).value
        42
        >>> tools.call("duoble", {"n": 21}).text
        'no tool "duoble"; did you mean "double"?'
    """

    __slots__ = ("_calls", "_lock", "_options", "_shared", "_tools", "profile")

    def __init__(  # noqa: PLR0913 - all of them named, all of them optional
        self,
        tools: Iterable[Any] = (),
        *,
        profile: Profile = MCP,
        errors: Errors = (),
        unexpected: Unexpected = None,
        details: bool = False,
        repair: OnRepair = False,
        strict: bool = False,
        localns: Names = None,
        thread: bool = True,
    ) -> None:
        check_profile(profile)
        self.profile: Profile = profile
        self._calls = CallOptions(errors, unexpected, repair, thread=thread, details=details)
        self._options: ToolOptions = {"profile": profile, "strict": strict, "localns": localns}
        self._shared = SharedTypes()
        self._lock = Lock()
        self._tools = _Tools({})
        for each in each_of(tools):
            self._add(each, {})

    def _add(self, given: Any, options: Mapping[str, Any]) -> None:
        """Add a tool, and prepare its calls, so that one that cannot be called is found now."""
        every: Any = {**self._options, **options}
        tool = given
        if not isinstance(given, ToolSchema):
            tool, _ = ready_tool(given, self._shared, **every)
        call_of(tool)
        with self._lock:
            self._tools = self._tools.with_tool(tool)

    @overload
    def tool(self, func: Func, /) -> Func: ...
    @overload
    def tool(self, **options: Unpack[ToolOptions]) -> Callable[[Func], Func]: ...
    def tool(self, func: Func | None = None, /, **options: Any) -> Any:  # type: ignore[misc]
        """Add a function, as a decorator: ``@tools.tool`` or ``@tools.tool(name=...)``.

        Args:
            func: The function.
            **options: Those of ``tool_schema()``.

        Returns:
            The function, unchanged.

        Raises:
            SchemaError: There is a tool of this name, or the function cannot be called.

        Example:
            >>> from milo_schema import Toolbox
            >>> tools = Toolbox()
            >>> @tools.tool(name="shop.add", title="Add")
            ... def add(a: int, b: int) -> int:
            ...     return a + b
            >>> add(1, 2), tools.call("shop.add", {"a": 1, "b": 2}).value
            (3, 3)
        """

        def register(func: Func) -> Func:
            self._add(func, options)
            return func

        return register if func is None else register(func)

    def __getitem__(self, name: str) -> ToolSchema:
        if (tool := self._tools.find(name)) is None:
            raise KeyError(name)
        return tool

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools.by_name)

    def __len__(self) -> int:
        return len(self._tools.by_name)

    def __repr__(self) -> str:
        return f"<Toolbox {', '.join(self)}>"

    @property
    def hidden(self) -> frozenset[str]:
        """The names of the parameters that schemas leave out, so that only ``inject`` sets them.

        Example:
            >>> from milo_schema import Toolbox, profiles
            >>> class Session: ...
            >>> def greet(name: str, session: Session): ...
            >>> Toolbox([greet], profile=profiles.MCP.with_injected(classes=[Session])).hidden
            frozenset({'session'})
        """
        return self._tools.hidden

    # -- definitions ---------------------------------------------------------------------------

    def to_mcp(self) -> list[Json]:
        """The definitions for a ``tools/list`` of MCP.

        A name that MCP does not allow is replaced by one that looks like it; calls know both.

        Returns:
            A fresh list of ``Tool``, in the order of the tools.

        Example:
            >>> from milo_schema import Toolbox
            >>> def ping(): ...
            >>> [each["name"] for each in Toolbox([ping]).to_mcp()]
            ['ping']
        """
        return [tool.to_mcp() for tool in self._tools.in_form("mcp")]

    def to_openai(
        self, *, api: Api = "chat", strict: bool | None = None, **options: Unpack[OpenAIOptions]
    ) -> list[Json]:
        """The definitions for a request to OpenAI; see ``ToolSchema.to_openai()``.

        Example:
            >>> from milo_schema import Toolbox, tool_schema
            >>> def ping() -> str:
            ...     return "pong"
            >>> tools = Toolbox([tool_schema(ping, name="net.ping")])
            >>> tools.to_openai()[0]["function"]["name"]
            'net_ping'
            >>> tools.call("net_ping").text
            'pong'
        """
        return [
            tool.to_openai(api=api, strict=strict, **options)
            for tool in self._tools.in_form("openai")
        ]

    def to_anthropic(
        self, *, strict: bool | None = None, **options: Unpack[AnthropicOptions]
    ) -> list[Json]:
        """The definitions for a request to Anthropic; see ``ToolSchema.to_anthropic()``."""
        return [
            tool.to_anthropic(strict=strict, **options) for tool in self._tools.in_form("anthropic")
        ]

    def to_gemini(self, **options: Unpack[GeminiOptions]) -> list[Json]:
        """The declarations for a request to Gemini; see ``ToolSchema.to_gemini()``."""
        return [tool.to_gemini(**options) for tool in self._tools.in_form("gemini")]

    def to_bedrock(self, *, strict: bool | None = None) -> list[Json]:
        """The definitions for a request to Bedrock; see ``ToolSchema.to_bedrock()``."""
        return [tool.to_bedrock(strict=strict) for tool in self._tools.in_form("bedrock")]

    def check(self) -> list[Finding]:
        """Find what is missing or wrong in the tools, alone and together.

        Returns:
            The findings; empty if there are none.

        Example:
            >>> from milo_schema import Toolbox
            >>> def ping() -> None: ...
            >>> [each.code for each in Toolbox([ping]).check()]
            ['undescribed-tool']
        """
        return check(self)

    def fit(self, profile: Profile) -> Fit:
        """Find the tools that a provider's strict mode accepts in one request.

        Providers limit the total size of the tools in strict mode, and one tool too many makes the
        whole request fail. A tool that the dialect cannot express is left out. The others are added
        one by one, those that use the smallest share of a request's limits first; one that exceeds
        a limit is left out.

        Args:
            profile: The profile of a strict mode, such as ``profiles.ANTHROPIC_STRICT``.

        Returns:
            The tools that fit, the others, and the reasons.

        Raises:
            SchemaError: The profile has no dialect, or an input schema is not valid.

        Example:
            >>> from typing import Any
            >>> from milo_schema import Toolbox, profiles
            >>> def ping(host: str): ...
            >>> def store(value: dict[str, Any]): ...
            >>> found = Toolbox([ping, store]).fit(profiles.ANTHROPIC_STRICT)
            >>> [tool.name for tool in found.strict]
            ['ping']
            >>> found.reasons["store"].partition(";")[0]
            "(value): Anthropic's strict mode does not support arbitrary properties"
        """
        return fit([*self.values()], profile)

    # -- Python --------------------------------------------------------------------------------

    def to_python(
        self,
        *,
        metadata: bool = False,
        is_async: bool = False,
        lost: Callable[[Problem], object] | None = None,
    ) -> str:
        """The definitions as Python, for code that a model writes; see ``ToolSchema.to_python()``.

        What several tools share is written once. ``namespace()`` has the functions.

        Example:
            >>> from milo_schema import Toolbox
            >>> def double(n: int) -> int: ...
            >>> print(Toolbox([double]).to_python())
            from __future__ import annotations
            <BLANKLINE>
            def double(n: int) -> int: ...
            <BLANKLINE>
        """
        return python_of(self.values(), metadata=metadata, is_async=is_async, lost=lost)

    def namespace(
        self, *, inject: Injected = None, is_async: bool = False
    ) -> dict[str, Callable[..., Any]]:
        """The functions that ``to_python()`` declares, for the code that a model writes.

        They take JSON values, or Python values that have a JSON form, and return JSON. Where the
        code runs is up to you: this is not a sandbox, and the functions do what the tools do.

        Args:
            inject: Values of parameters that schemas leave out, as in ``call()``.
            is_async: Whether they are coroutine functions, which call ``call_async()``.

        Returns:
            A fresh dict of the functions by name. They raise a ``ToolError`` where ``call()``
            returns a result that is an error, with the same text.

        Raises:
            SchemaError: A schema is not valid.

        Example:
            >>> from milo_schema import Toolbox
            >>> def double(n: int) -> int:
            ...     return 2 * n
            >>> names = Toolbox([double]).namespace()
            >>> names["double"](10.0) + names["double"](n=11)
            42
        """
        from milo_schema.tools.stubs import functions_of, returned  # as python_of() does

        async def call_async(name: str, arguments: Json) -> Any:
            return returned(await self.call_async(name, arguments, inject=inject))

        def call(name: str, arguments: Json) -> Any:
            return returned(self.call(name, arguments, inject=inject))

        return functions_of(map(parts_of, self.values()), call_async if is_async else call)

    # -- calls ---------------------------------------------------------------------------------

    def call(self, name: str, arguments: Any = None, *, inject: Injected = None) -> ToolResult:
        """Call a tool by its name; see ``ToolSchema.call()``.

        Args:
            name: The name of the tool, as the client sent it: its own, or that in an API.
            arguments: The JSON object of its arguments; ``None`` if there are none.
            inject: Values of parameters that schemas leave out, by name or by class; a tool
                gets those that its function has.

        Returns:
            The result of a ``tools/call``; it has ``"isError": True`` if there is no such tool,
            the arguments are not valid, or an exception was raised that the model may know about.

        Raises:
            SchemaError: The value does not match the output schema, or the call is not possible.
            Exception: Whatever else your code raises, unless ``unexpected=`` logs it.

        Example:
            >>> from milo_schema import Toolbox
            >>> def double(n: int) -> int:
            ...     return 2 * n
            >>> Toolbox([double]).call("double", {"n": 21}).value
            42
        """
        tools = self._tools
        if (tool := tools.find(name)) is None:
            return self._unknown(name, tools)
        call = call_of(tool)
        given = self._injected(call, inject, tools)
        return call.answer(tool, arguments, given, self._calls)

    async def call_async(
        self, name: str, arguments: Any = None, *, inject: Injected = None
    ) -> ToolResult:
        """Call a tool by its name, and await it if necessary; see ``ToolSchema.call_async()``.

        Args:
            name: The name of the tool, as the client sent it: its own, or that in an API.
            arguments: The JSON object of its arguments; ``None`` if there are none.
            inject: Values of parameters that schemas leave out, by name or by class; a tool
                gets those that its function has.

        Returns:
            The result of a ``tools/call``, as of ``call()``.

        Raises:
            SchemaError: The value does not match the output schema, or the call is not possible.

        Example:
            >>> import asyncio
            >>> from milo_schema import Toolbox
            >>> async def double(n: int) -> int:
            ...     return 2 * n
            >>> asyncio.run(Toolbox([double]).call_async("double", {"n": 21})).is_error
            False
        """
        tools = self._tools
        if (tool := tools.find(name)) is None:
            return self._unknown(name, tools)
        call = call_of(tool)
        given = self._injected(call, inject, tools)
        return await call.answer_async(tool, arguments, given, self._calls)

    def _unknown(self, name: Any, tools: _Tools) -> ToolResult:
        """The result of a call of a tool that does not exist."""
        known = [*tools.by_name]
        near = suggest(name, known) if type(name) is str else ""
        there_are = f"; there are: {choices([quote(each) for each in known])}" if known else ""
        return error_result(f"no tool {describe(name)}{near or there_are}", profile=self.profile)

    def _injected(self, call: Call, inject: Injected, tools: _Tools) -> Injected:
        """The values that one tool gets: those of parameters that its definition leaves out."""
        if not inject:
            return None
        own = {key: value for key, value in inject.items() if call.binder.takes(key)}
        for key in inject:
            if not tools.take(key) and not self.profile.injects(key):
                name = display(key) if is_class(key) else repr(key)
                reason = f"no tool hides a parameter {name}"
                raise SchemaError(reason + nearest(str(key), sorted(tools.hidden)), call.name)
            check_class(inject[key], key, call.name)
        return own
