"""A tool call from start to finish: the core of an MCP server.

The arguments are bound, the function is called, and its return value becomes the result of a
``tools/call``. The model gets the errors that it can fix: invalid arguments, and the exceptions
that you list. Everything else is a mistake of the program, and is raised.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from types import CoroutineType, GeneratorType, MethodType
from typing import Any, Literal

from milo_schema.annotations import Json, Names
from milo_schema.arguments import ArgumentsError, Binder, Bound, Repair
from milo_schema.callables.signatures import VARIADIC
from milo_schema.checks import Finding, check_function, check_set, check_tool
from milo_schema.errors import Errors, SchemaError, add_location, checked_errors, nearest
from milo_schema.json_schema.drafts import valid_schema
from milo_schema.json_schema.sentences import choices, describe, suggest
from milo_schema.json_schema.subschemas import asserted, quote
from milo_schema.nodes.base import MAX_PARTS
from milo_schema.profile import MILO, Profile
from milo_schema.results import error_result, result_of
from milo_schema.schemas.arguments import CallArguments
from milo_schema.schemas.finishing import with_all_required
from milo_schema.schemas.functions import Options, Reading, as_parameter
from milo_schema.schemas.outputs import BOX
from milo_schema.tools.definition import REFUSED, ToolSchema, origin_of, tool_schema
from milo_schema.tools.wire import WIRE_FORMS

__all__ = ["Toolbox", "call_tool", "call_tool_async"]

# -- the parts that calls share ------------------------------------------------------------------
#
# The function of a tool, prepared for its calls.
#
# It is prepared when a tool is first called, and kept with the tool, so that a call derives
# nothing.

OnRepair = bool | Callable[[tuple[Repair, ...]], object]
Callee = Callable[..., Any] | Binder[Any] | None


class Call:
    """The parts that all calls of a tool share.

    Attributes:
        tool: The tool.
        given: The function that was passed as ``func``, if one was.
        reading: The function, as it was read.
        binder: Binds the arguments that the definition accepts.
    """

    __slots__ = ("_is_list", "binder", "given", "reading", "tool")

    def __init__(self, tool: ToolSchema, given: Callee) -> None:
        self.given: Callee = given
        schema = _schema_of(tool)
        self.reading: Reading = _reading_for(tool, schema, given)
        self.tool: ToolSchema = _with_box(tool, self.reading)
        try:
            self.binder: Binder[Any] = _binder(tool, self.reading, schema, _repairs(given))
        except SchemaError as problem:
            add_location(problem, self.reading.source)
            raise
        is_list = self.reading.profile.for_outputs.generators == "list"
        self._is_list: bool = is_list or vars(tool)["output_schema"] is None

    def bind(self, arguments: Any, inject: Names, repair: OnRepair) -> Bound:
        """Bind the arguments of one call."""
        given = {} if arguments is None else arguments
        bound = self.binder(given, inject, repair=bool(repair) or self.binder.repairs)
        if bound.repairs and callable(repair):
            repair(bound.repairs)
        return bound

    def run(self, bound: Bound) -> Any:
        """The value that the function returns; or the items that it yields, if they are one."""
        value = self.reading.func(*bound.args, **bound.kwargs)
        return _collected(value) if self._is_list else value

    async def run_async(self, bound: Bound, thread: bool) -> Any:
        """The same for any function; one that could block may run in a worker thread."""
        if thread and sys.platform != "emscripten" and not _is_async(self.reading.func):
            from asyncio import to_thread  # it takes longer to load than everything here

            value = await to_thread(self._run_in_thread, bound)
        else:
            value = self.run(bound)
        if is_awaitable(value):
            value = await value
        return await _collected_async(value) if self._is_list else value

    def _run_in_thread(self, bound: Bound) -> Any:
        try:
            return self.run(bound)
        except StopIteration as problem:  # it would never reach the caller
            raise RuntimeError(f"{self.reading.signature.name}() raised StopIteration") from problem


def call_of(tool: ToolSchema, func: Callee = None) -> Call:
    """The parts that the calls of a tool share; they are made once, and kept with the tool."""
    origin = origin_of(tool)
    found = origin.call
    if found is None or not _is_same(found.given, func):
        found = origin.call = Call(tool, func)
    return found


def _is_same(one: object, other: object) -> bool:
    """Whether two functions are one; each access to a method makes a new object."""
    return one is other or (type(one) is type(other) is MethodType and one == other)


# -- the function of a tool --------------------------------------------------------------------


def _schema_of(tool: ToolSchema) -> Json:
    """The schema of the arguments of a tool in our form, because others may have written it."""
    schema = tool.input_schema
    if origin_of(tool).input_schema is not None:
        return schema
    found: Json = valid_schema(
        schema, "input schema", lambda path: tool.name + as_parameter(path), REFUSED
    )
    return found


def _reading_for(tool: ToolSchema, schema: Json, given: Callee) -> Reading:
    """The function of a tool, as it was read: the one that made it, or one that is passed."""
    known = origin_of(tool).reading
    if known is not None and (given is None or _is_same(given, known.func)):
        return known
    if given is None:
        reason = "its function is not known, because it was read from a file or unpickled"
        raise SchemaError(f"{reason}; pass func=...", tool.name)
    if isinstance(given, Binder):
        reading = given.reading
    else:
        reading = Reading(given, Options(MILO)) if known is None else _again(known, func=given)
    if known is not None and reading.profile != known.profile:
        reason = f"{given!r} was made with {reading.profile!r}, the tool with {known.profile!r}"
        raise SchemaError(f"{reason}; make both with the same profile", tool.name)
    return _agreeing(tool.name, schema, reading)


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
        reading = _again(reading, exclude=[*reading.exclude, *unlisted])
    passing = CallArguments(reading, schema, is_given=True)
    for each in listed:
        if not passing.takes(each):
            is_hidden = each in passing.names
            near = "" if is_hidden else nearest(each, passing.names)
            why = "is hidden from callers" if is_hidden else f"is not a parameter{near}"
            reason = f"the definition of {name!r} has {each!r}, which {why}"
            raise SchemaError(reason, f"{reading.signature.name}()")
    return reading


def _again(reading: Reading, **changes: Any) -> Reading:
    """A function that is read again, with other options."""
    options = reading.options.replace(
        exclude=reading.exclude, tool=None, strict=False, others="warn"
    )
    func = changes.pop("func", reading.func)
    return Reading(func, options.replace(**changes))


def _without_rules(reading: Reading) -> Reading:
    """A function without its profile's rules for derived schemas; its schema is another one."""
    profile = reading.profile
    variadics = "omit" if profile.variadics == "error" else profile.variadics
    return _again(reading, profile=profile.replace(untyped={}, variadics=variadics))


def _repairs(given: Callee) -> bool:
    """Whether a binder that is passed for a tool repairs arguments."""
    return isinstance(given, Binder) and given.repairs


def _binder(tool: ToolSchema, reading: Reading, schema: Json, repairs: bool) -> Binder[Any]:
    """The binder of the arguments that a schema accepts.

    The schema judges them first, unless it is the one that its function has. That of a dialect
    does not judge: it accepts more than the parameters do, and it requires what they do not.
    """
    if not _is_derived(tool, reading, schema):
        reading = _without_rules(reading)
        return Binder(reading, repairs, CallArguments(reading, schema, is_given=True))
    judge = schema if _is_changed(reading, schema) else None
    return Binder(reading, repairs, CallArguments(reading, judge))


def _is_derived(tool: ToolSchema, reading: Reading, schema: Json) -> bool:
    """Whether a schema is the one that its function has; that of a file may say the same."""
    origin = origin_of(tool)
    if origin.input_schema is not None and origin.reading is reading:
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


def _with_box(tool: ToolSchema, reading: Reading) -> ToolSchema:
    """A tool with the box of its results, which a file does not name, if its function has one."""
    schema = tool.output_schema
    if tool.box is not None or schema is None or schema != reading.output.schema:
        return tool
    return tool.replace(box=BOX) if reading.output.is_boxed else tool


# -- the value ---------------------------------------------------------------------------------


def _is_async(func: Any) -> bool:
    """Whether a call of a function does nothing but make what is awaited, or iterated."""
    from inspect import isasyncgenfunction, iscoroutinefunction  # asyncio has loaded it

    called = (func, getattr(type(func), "__call__", None))  # noqa: B004 - it may be a coroutine
    return any(iscoroutinefunction(each) or isasyncgenfunction(each) for each in called)


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


# -- calls -----------------------------------------------------------------------------------------

Form = Literal["mcp", "openai", "openai-responses", "anthropic", "gemini", "bedrock"]


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
    return _answer(call_of(tool, func), arguments, inject, repair, checked_errors(errors))


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
    call, errors = call_of(tool, func), checked_errors(errors)
    return await _answer_async(call, arguments, inject, repair, errors, thread)


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
        self._errors: Errors = checked_errors(errors)
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
