"""Tool definitions: name, description, schemas, hints, and the formats of providers.

Strategy: ``tool_schema()`` collects the parts, ``ToolSchema`` checks and stores them, and each
``to_...()`` writes one of the formats in ``wire.WIRE_FORMS``. The schema is the same in all of
them: the profile decides its dialect, which the definition stores.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from milo_schema.annotations import Json, Names
from milo_schema.annotations.classes import MISSING, with_article
from milo_schema.annotations.forms import display
from milo_schema.annotations.frozen import Frozen, field
from milo_schema.callables.docs import description_of_callable
from milo_schema.callables.wrappers import function_inside, last_name, texts_of
from milo_schema.errors import (
    Errors,
    Problem,
    Report,
    SchemaError,
    add_location,
    nearest,
    warn,
)
from milo_schema.json_schema.subschemas import copy
from milo_schema.json_schema.values import copied_part
from milo_schema.nodes.forward import Call
from milo_schema.nodes.shared import SharedTypes
from milo_schema.profile import MCP, InDialect, Profile, box_parts, check_profile, to_names
from milo_schema.schemas.functions import Options, Reading, as_parameter
from milo_schema.schemas.outputs import BOX
from milo_schema.tools.origin import Origin, check_given, origin_of
from milo_schema.tools.wire import WIRE_FORMS, without_unset

if TYPE_CHECKING:
    from milo_schema.arguments import Bound, Injected
    from milo_schema.results import ToolResult
    from milo_schema.tools.calls import OnRepair, Unexpected
else:  # only calls need them, and 300 kB of code with them
    Bound = Injected = ToolResult = OnRepair = Unexpected = Any

__all__ = ["ToolAnnotations", "ToolSchema", "tool_schema"]


class ToolAnnotations(Frozen, kw_only=True):
    """Hints about a tool's behavior for clients; only those that you set are written.

    Args:
        read_only: Whether the tool changes nothing.
        destructive: Whether it may delete or overwrite something.
        idempotent: Whether calling it again with the same arguments has no further effect.
        open_world: Whether it interacts with systems outside of the server.
        title: The display name of the tool; clients prefer the title of the tool itself.

    Example:
        >>> from milo_schema import ToolAnnotations
        >>> ToolAnnotations(read_only=True).to_mcp()
        {'readOnlyHint': True}
    """

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None
    title: str | None = None

    def to_mcp(self) -> Json:
        """The hints as MCP writes them.

        Returns:
            A fresh dict such as ``{"readOnlyHint": True}``; empty if no hint is set.

        Example:
            >>> from milo_schema import ToolAnnotations
            >>> ToolAnnotations(read_only=True).to_mcp()
            {'readOnlyHint': True}
        """
        return without_unset({key: getattr(self, name) for name, key in HINTS.items()})


HINTS = {
    "title": "title",
    "read_only": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "open_world": "openWorldHint",
}
"""The name of each field in MCP."""


class ToolFields(TypedDict, total=False):
    """The types of the optional fields."""

    title: str | None
    description: str | None
    output_schema: Mapping[str, Any] | None
    input_examples: Collection[Mapping[str, Any]] | None
    annotations: ToolAnnotations | None
    meta: Mapping[str, Any] | None
    icons: Collection[Mapping[str, Any]] | None
    box: str | None
    dialect: str | None
    user_provides: Collection[str]
    others: Mapping[str, Any] | None


class ToolChanges(ToolFields, total=False):
    """The same, and the other fields."""

    name: str
    input_schema: Mapping[str, Any]


class ToolOptions(TypedDict, total=False):
    """The types of the options of ``tool_schema()``."""

    name: str | None
    title: str | None
    description: str | None
    annotations: ToolAnnotations | None
    input_schema: Mapping[str, Any] | None
    output_schema: Mapping[str, Any] | None
    returns: Any
    strict: bool
    exclude: Collection[str | type]
    profile: Profile
    meta: Mapping[str, Any] | None
    icons: Collection[Mapping[str, Any]] | None
    localns: Mapping[str, Any] | None


Api = Literal["chat", "responses"]
OpenAIOptions = TypedDict(
    "OpenAIOptions",
    {"allowed_callers": list[str], "async": bool, "defer_loading": bool},
    total=False,
)


class AnthropicOptions(TypedDict, total=False):
    """Options of a tool in a request to Anthropic, besides its definition."""

    allowed_callers: list[str]
    cache_control: Mapping[str, Any]
    defer_loading: bool
    eager_input_streaming: bool


class GeminiOptions(TypedDict, total=False):
    """Options of a tool in a request to Gemini, besides its definition."""

    behavior: str


_TEXTS = ("title", "description")
_JSON: dict[str, type] = {
    "input_schema": dict,
    "output_schema": dict,
    "meta": dict,
    "others": dict,
    "icons": list,
    "input_examples": list,
}
"""The fields of a tool that have JSON, and the class of each."""


class ToolSchema(Frozen, kw_only=True, passes_on=("_origin",)):
    """A tool definition: frozen, comparable, picklable; ``tool_schema()`` makes one.

    Each time you read the schemas, ``meta`` or ``icons``, you get a fresh copy; pass a changed one
    to ``replace()``.

    Args:
        name: The name of the tool. Each format checks it by its own rules; MCP allows 1 to 128 of
            ``A-Z a-z 0-9 _ . -``.
        input_schema: The JSON Schema of its arguments, an object.
        title: Its display name.
        description: A description of what it does.
        output_schema: The JSON Schema of its structured result.
        input_examples: Examples of arguments, each an object; Anthropic's API supports them.
        annotations: Hints about its behavior.
        meta: The ``_meta`` of MCP.
        icons: The ``icons`` of MCP.
        box: The property of the structured result that contains the value, if there is one.
        dialect: The dialect of the input schema, such as ``"gemini"``, if it has one. It comes
            from the profile; a provider's format may depend on it.
        user_provides: The parameters that the user provides: those that the input schema marks
            with ``"x-user-providable": true``, even if the dialect drops this keyword.
        others: The other fields of MCP, such as ``execution``; only ``to_mcp()`` writes them.

    Raises:
        SchemaError: A schema is not valid.

    Example:
        >>> from milo_schema import ToolSchema
        >>> ToolSchema(name="ping", input_schema={"type": "object"}).to_mcp()
        {'name': 'ping', 'inputSchema': {'type': 'object'}}
    """

    name: str
    title: str | None = None
    description: str | None = None
    input_schema: Json = field(reader=copy, doc="The schema of the arguments, as a fresh copy.")
    output_schema: Json | None = field(
        default=None, reader=copy, doc="The schema of the structured result, as a fresh copy."
    )
    input_examples: list[Json] | None = field(
        default=None, reader=copy, doc="Arguments of good calls, as a fresh copy."
    )
    annotations: ToolAnnotations | None = None
    meta: Json | None = field(
        default=None, reader=copy, doc="What MCP calls ``_meta``, as a fresh copy."
    )
    icons: list[Json] | None = field(
        default=None, reader=copy, doc="What MCP calls ``icons``, as a fresh copy."
    )
    box: str | None = None
    dialect: str | None = None
    user_provides: frozenset[str] = field(default=frozenset(), converter=to_names)
    others: Json | None = field(
        default=None, reader=copy, doc="The other fields of MCP, as a fresh copy."
    )

    __slots__ = {"_origin": "Where it comes from: no field, so it is neither compared nor written."}
    _origin: Origin

    def __init__(
        self,
        *,
        name: str,
        input_schema: Mapping[str, Any],
        _origin: Origin | None = None,
        **fields: Unpack[ToolFields],
    ) -> None:
        given: dict[str, Any] = {"name": name, "input_schema": input_schema, **fields}
        origin = _origin or Origin()
        parts = _checked_parts(given, origin)
        super().__init__(**parts)
        object.__setattr__(self, "_origin", origin.of(given, parts))

    def replace(self, **changes: Unpack[ToolChanges]) -> ToolSchema:  # type: ignore[override]
        """A new definition with other values for some fields.

        Raises:
            TypeError: There is no such field.

        Example:
            >>> from milo_schema import tool_schema
            >>> def run(command: str): ...
            >>> tool_schema(run, name="shell.run").replace(name="shell_run").to_openai()["type"]
            'function'
        """
        return super().replace(**changes)

    __replace__ = replace  # type: ignore[assignment]  # of copy.replace()

    def __eq__(self, other: object) -> bool:
        """Whether the definitions are the same; no form has the box, so it does not count."""
        if type(other) is not ToolSchema:
            return NotImplemented
        return {**vars(self), "box": None} == {**vars(other), "box": None}

    __hash__ = Frozen.__hash__

    def __copy__(self) -> ToolSchema:
        return self  # with its function

    def __deepcopy__(self, memo: Any) -> ToolSchema:
        return self  # it is frozen, and its schemas are copied when they are read

    @classmethod
    def from_mcp(cls, tool: Mapping[str, Any]) -> ToolSchema:
        """Read a definition that a server lists: a ``Tool`` of the MCP specification.

        Args:
            tool: A JSON object, such as one of the ``tools`` in the result of ``tools/list``.

        Raises:
            SchemaError: It is not a tool: for example, it has no name.

        Example:
            >>> from milo_schema import ToolSchema
            >>> ToolSchema.from_mcp({"name": "ping", "inputSchema": {"type": "object"}}).name
            'ping'
        """
        if not isinstance(tool, Mapping):
            raise SchemaError(f"a tool definition must be an object, not {display(tool)}")
        fields: Any = {name: tool.get(key) for name, key in WIRE_FORMS["mcp"].keys.items()}
        if type(fields["name"]) is not str:
            raise SchemaError("a tool definition needs a name")
        for key, meant in misspelled_fields(tool, WIRE_FORMS["mcp"].keys.values()).items():
            if meant == "inputSchema" and meant not in tool:
                reason = f"{key!r} is not a field of MCP; did you mean {meant}?"
                way_out = "If it is a model of an SDK, write it with model_dump(by_alias=True)"
                raise SchemaError(f"{reason} {way_out}", fields["name"])
        hints = fields["annotations"]
        if hints is not None:
            if type(hints) is not dict:
                raise SchemaError("the annotations must be an object", fields["name"])
            known = {name: hints.get(key) for name, key in HINTS.items()}
            fields["annotations"] = ToolAnnotations(**known)
        read = cls(**fields)
        return cls(**fields, others=_unwritten(tool, WIRE_FORMS["mcp"].write_unnamed(read)))

    # -- calls ---------------------------------------------------------------------------------

    @property
    def _call(self) -> Call:
        """The parts that its calls share."""
        if (call := self._origin.call) is None:
            from milo_schema.tools.calls import call_of  # definitions need none of it

            call = call_of(self)
        return call

    @property
    def hidden(self) -> frozenset[str]:
        """The names of the parameters that the schema leaves out; only ``inject`` sets them.

        Example:
            >>> from typing import Annotated
            >>> from milo_schema import Injected, tool_schema
            >>> def greet(name: str, user: Annotated[str, Injected]): ...
            >>> tool_schema(greet).hidden
            frozenset({'user'})
        """
        return self._call.binder.hidden

    def bind(self, arguments: Any, *, inject: Injected = None, repair: OnRepair = False) -> Bound:
        """Check the JSON arguments of a call, and convert them to Python values.

        Args:
            arguments: The JSON object of the arguments; ``None`` if there are none.
            inject: Values of parameters that the schema leaves out, by name or by class.
            repair: Whether to repair values that can mean only one thing, as in ``bind()``; or a
                function that is called with the repairs of a call, to log them.

        Returns:
            The values, for a call ``func(*bound.args, **bound.kwargs)``. Those of a tool without
            a function are the checked JSON.

        Raises:
            ArgumentsError: The arguments are not valid; the error has every problem.
            SchemaError: The function cannot be called this way.

        Example:
            >>> from milo_schema import ToolSchema
            >>> size = {"type": "object", "properties": {"size": {"type": "integer"}}}
            >>> tool = ToolSchema(name="cut", input_schema=size)
            >>> tool.bind({"size": "5"}, repair=True).arguments
            {'size': 5}
        """
        return self._call.bind(arguments, inject, repair)

    def call(
        self,
        arguments: Any = None,
        *,
        inject: Injected = None,
        repair: OnRepair = False,
        errors: Errors = (),
        unexpected: Unexpected = None,
        details: bool = False,
    ) -> ToolResult:
        """Call the function with JSON arguments, and return the result in the format of MCP.

        Args:
            arguments: The JSON object of the arguments; ``None`` if there are none.
            inject: Values of parameters that the schema leaves out, by name or by class.
            repair: Whether to repair arguments, as in ``bind()``. If it is a function for the
                repairs, an ``ArgumentsError`` that it raises refuses the call.
            errors: The exceptions of the function that the model gets as messages, besides
                ``ToolError``.
            unexpected: A function that logs every other exception, also that about a value that
                does not match the output schema. It is called with the tool and the exception;
                the model gets ``internal error in`` and the name of the tool, and not a word more.
                Without it, exceptions are raised.
            details: Whether the result for invalid arguments has their problems as data, for
                programs: the code, the JSON Pointer, and the keyword and what is expected, if
                there are, in a list under ``milo-schema/problems`` in its ``_meta``.

        Returns:
            The result of a ``tools/call``; it has ``"isError": True`` if the arguments are not
            valid, or an exception was raised that the model may know about.

        Raises:
            SchemaError: The value does not match the output schema, or the call is not possible.
            Exception: Whatever else your code raises.

        Example:
            >>> from milo_schema import tool_schema
            >>> def double(n: int) -> int:
            ...     return 2 * n
            >>> tool = tool_schema(double)
            >>> tool.call({"n": 21}).value
            42
            >>> tool.call({"n": "21"}).text
            'double(): .n: expected an integer, got "21"'
            >>> tool.call({"n": "21"}, details=True)["_meta"]["milo-schema/problems"]
            [{'code': 'wrong-type', 'pointer': '/n', 'keyword': 'type', 'expected': 'an integer'}]
        """
        call = self._call
        options = call.options(errors, unexpected, repair, details=details)
        return call.answer(self, arguments, inject, options)

    async def call_async(
        self,
        arguments: Any = None,
        *,
        inject: Injected = None,
        repair: OnRepair = False,
        errors: Errors = (),
        unexpected: Unexpected = None,
        details: bool = False,
        thread: bool = True,
    ) -> ToolResult:
        """``call()`` for coroutine functions and others: awaits the return value if necessary.

        Args:
            arguments: The JSON object of the arguments; ``None`` if there are none.
            inject: Values of parameters that the schema leaves out, by name or by class.
            repair: Whether to repair arguments, as in ``call()``.
            errors: The exceptions of the function that the model gets as messages, besides
                ``ToolError``.
            unexpected: A function that logs every other exception, as in ``call()``.
            details: Whether the result for invalid arguments has their problems as data.
            thread: Whether a function that is not a coroutine function runs in a worker thread,
                with the context variables of the caller, so that it does not block others.

        Returns:
            The result of a ``tools/call``, as of ``call()``.

        Raises:
            SchemaError: The value does not match the output schema, or the call is not possible.
            Exception: Whatever else your code raises.

        Example:
            >>> import asyncio
            >>> from milo_schema import tool_schema
            >>> async def double(n: int) -> int:
            ...     return 2 * n
            >>> asyncio.run(tool_schema(double).call_async({"n": 21})).value
            42
        """
        call = self._call
        options = call.options(errors, unexpected, repair, thread=thread, details=details)
        return await call.answer_async(self, arguments, inject, options)

    def result(self, value: Any) -> ToolResult:
        """Make the result of a ``tools/call`` from a value that the function returned.

        Args:
            value: The value; without a known function, its class determines its JSON.

        Returns:
            ``{"content": [{"type": "text", "text": ...}], "isError": False}``, with
            ``structuredContent`` if the tool has an output schema or the profile asks for it. A
            string is written as it is, and a boxed value without its box. A value that is already
            content of MCP, a complete result, or a signal to the client is not changed.

        Raises:
            SchemaError: The value does not match the output schema; the message has the path.

        Example:
            >>> from milo_schema import tool_schema
            >>> def primes(below: int) -> list[int]: ...
            >>> tool_schema(primes).result([2, 3])["structuredContent"]
            [2, 3]
        """
        return self._call.output.result(value)

    def with_function(self, func: Callable[..., Any], *, localns: Names = None) -> ToolSchema:
        """The same definition with its function, which a file or a pickle does not have.

        Args:
            func: The function.
            localns: Names for annotation strings that their module does not have at run time.

        Raises:
            SchemaError: The function contradicts the definition, or it cannot be called.

        Example:
            >>> from milo_schema import ToolSchema, tool_schema
            >>> def double(n: int) -> int:
            ...     return 2 * n
            >>> stored = ToolSchema.from_mcp(tool_schema(double).to_mcp())
            >>> stored.with_function(double).call({"n": 21}).value
            42
        """
        from milo_schema.tools.calls import call_of, read_for

        reading = read_for(self, func, localns)
        is_boxed = self.output_schema is not None and reading.output.is_boxed
        has_box = is_boxed and self.output_schema == reading.output.schema
        tool = self.replace(box=BOX if has_box else self.box)
        known = origin_of(tool)
        known.reading, known.profile = reading, reading.profile
        known.description = known.input_schema = known.output_schema = None
        call_of(tool)  # so that a function that cannot be called is refused here
        return tool

    def with_profile(self, profile: Profile, *, strict: bool = False) -> ToolSchema:
        """The same tool under another profile, such as that of a provider.

        A function that is known is read again. Otherwise, and if its input schema was given, the
        schema is rewritten in the dialect of the profile: a keyword that the dialect does not have
        becomes a phrase in a description. Calls undo what a strict mode makes of arguments: null
        for what is left out.

        Args:
            profile: A profile such as ``profiles.GEMINI``.
            strict: Whether a part that cannot be expressed is an error, not a warning.

        Returns:
            A new definition; this one is not changed.

        Raises:
            SchemaError: The input schema is not valid, or strict mode refuses a part.

        Example:
            >>> from milo_schema import ToolSchema, profiles
            >>> size = {"anyOf": [{"type": "integer"}, {"type": "null"}], "exclusiveMinimum": 0}
            >>> listed = {"type": "object", "properties": {"size": size}}
            >>> tool = ToolSchema.from_mcp({"name": "cut", "inputSchema": listed})
            >>> tool.with_profile(profiles.GEMINI).input_schema["properties"]["size"]
            {'type': 'integer', 'minimum': 1, 'nullable': True}
        """
        check_profile(profile)
        reading = origin_of(self).reading
        if reading is not None and origin_of(self).input_schema is not None:
            second = reading.again(profile=profile, strict=strict, tool=self.name)
            return derived_again(self, second)
        found, problems = in_dialect(self, profile)
        told = [
            Problem(reason, self.name + path, code="refused-by-transform")
            for path, reason in problems
        ]
        if told and strict:
            raise SchemaError.of(told)
        for each in told:
            warn(each.message, each.path, code=each.code)
        return found

    def fingerprint(self) -> str:
        """Hash the definition in the format of MCP; the order of its keys does not matter.

        Example:
            >>> from milo_schema import ToolSchema
            >>> tool = ToolSchema(name="ping", input_schema={"type": "object"})
            >>> tool.fingerprint()[:15]
            'sha256:882e5182'
        """
        import json
        from hashlib import sha256

        text = json.dumps(WIRE_FORMS["mcp"].write_unnamed(self), sort_keys=True)
        return f"sha256:{sha256(text.encode()).hexdigest()}"

    def to_json(self, *, indent: int | None = None) -> str:
        """The definition as JSON in the format of MCP; ``print(tool)`` shows it indented.

        Args:
            indent: The number of spaces to indent each level; by default, all is on one line.

        Example:
            >>> from milo_schema import ToolSchema
            >>> text = ToolSchema(name="ping", input_schema={"type": "object"}).to_json()
            >>> text
            '{"name": "ping", "inputSchema": {"type": "object"}}'
            >>> import json
            >>> ToolSchema.from_mcp(json.loads(text)).name
            'ping'
        """
        import json

        return json.dumps(self.to_mcp(), ensure_ascii=False, indent=indent)

    def __str__(self) -> str:
        import json

        written = WIRE_FORMS["mcp"].write_unnamed(self)
        return json.dumps(written, ensure_ascii=False, indent=2)

    def _repr_html_(self) -> str:
        """The HTML for a notebook."""
        from html import escape

        said = f": {escape(self.description)}" if self.description else ""
        title = f"<summary><code>{escape(self.name)}</code>{said}</summary>"
        return f"<details open>{title}<pre>{escape(str(self))}</pre></details>"

    # -- wire forms ----------------------------------------------------------------------------

    def to_mcp(self) -> Json:
        """The definition as a ``Tool`` of the MCP specification.

        Returns:
            A fresh dict ``{"name": ..., "description": ..., "inputSchema": {...}, ...}``, without
            fields that are not set.

        Raises:
            SchemaError: The name is not valid for MCP.

        Example:
            >>> from milo_schema import tool_schema
            >>> def ping() -> None:
            ...     "Answer."
            >>> tool_schema(ping).to_mcp()["description"]
            'Answer.'
        """
        return WIRE_FORMS["mcp"].write(self)

    def to_openai(
        self, *, api: Api = "chat", strict: bool | None = None, **options: Unpack[OpenAIOptions]
    ) -> Json:
        """The definition in the format of OpenAI's APIs.

        Args:
            api: The API: chat completions, or responses.
            strict: Whether to ask for strict mode, which accepts only schemas in its dialect. By
                default, the tool's dialect decides: ``profiles.OPENAI_STRICT`` asks for it.
            **options: More keys of the definition, such as ``defer_loading=True``, which only
                the responses API has.

        Returns:
            A fresh dict; ``{"type": "function", "function": {...}}`` for chat completions.

        Raises:
            SchemaError: The name is not valid for OpenAI, or strict mode refuses the schema.
            TypeError: The API has no such option, or does not accept its value.
            ValueError: There is no such API.

        Example:
            >>> from milo_schema import tool_schema
            >>> def ping(): ...
            >>> tool_schema(ping).to_openai()["function"]["name"]
            'ping'
        """
        forms = {"chat": "openai", "responses": "openai-responses"}
        if api not in forms:
            raise ValueError(f"api={api!r} is not 'chat' or 'responses'{nearest(str(api), forms)}")
        return WIRE_FORMS[forms[api]].write(self, strict, options)

    def to_anthropic(
        self, *, strict: bool | None = None, **options: Unpack[AnthropicOptions]
    ) -> Json:
        """The definition in the format of Anthropic's Messages API.

        Args:
            strict: Whether to ask for strict mode. By default, the tool's dialect decides:
                ``profiles.ANTHROPIC_STRICT`` asks for it.
            **options: More keys of the definition, such as ``defer_loading=True``.

        Returns:
            A fresh dict ``{"name": ..., "description": ..., "input_schema": {...}}``.

        Raises:
            SchemaError: The name is not valid for Anthropic, or strict mode refuses the schema.
            TypeError: The API has no such option, or does not accept its value.

        Example:
            >>> from milo_schema import tool_schema
            >>> def ping(): ...
            >>> sorted(tool_schema(ping).to_anthropic(defer_loading=True))
            ['defer_loading', 'input_schema', 'name']
        """
        return WIRE_FORMS["anthropic"].write(self, strict, options)

    def to_gemini(self, **options: Unpack[GeminiOptions]) -> Json:
        """The definition as a function declaration of the Gemini API.

        A tool of ``profiles.GEMINI`` has OpenAPI schemas, for which Gemini has other keys.

        Args:
            **options: More keys of the definition, such as ``behavior="NON_BLOCKING"``.

        Returns:
            A fresh dict ``{"name": ..., "description": ..., "parametersJsonSchema": {...}}``, and
            ``responseJsonSchema``; ``parameters`` for an OpenAPI schema.

        Raises:
            SchemaError: The name is not valid for Gemini.
            TypeError: The API has no such option, or does not accept its value.

        Example:
            >>> from milo_schema import tool_schema
            >>> def ping(): ...
            >>> sorted(tool_schema(ping).to_gemini())
            ['name', 'parametersJsonSchema']
        """
        return WIRE_FORMS["gemini"].write(self, options=options)

    def to_python(
        self,
        *,
        metadata: bool = False,
        is_async: bool = False,
        lost: Callable[[Problem], object] | None = None,
    ) -> str:
        """The definition as Python: a function that a program, or a model, can write calls of.

        Objects become TypedDicts, choices ``Literal``, and descriptions docstrings and comments.
        The text is a module without code, and a stub file for type checkers.

        Args:
            metadata: Whether annotations have bounds, formats and descriptions as metadata, so
                that ``function_to_schema()`` of the function is the schema again. Otherwise,
                comments have them.
            is_async: Whether it is an ``async def``.
            lost: Called with each part of the schemas that the types of Python cannot say, so that
                they accept more.

        Raises:
            SchemaError: A schema is not valid.

        Example:
            >>> from milo_schema import tool_schema
            >>> def ship(order: int, speed: str = "slow") -> bool:
            ...     "Ship an order."
            >>> print(tool_schema(ship).to_python())
            from __future__ import annotations
            <BLANKLINE>
            def ship(order: int, speed: str = 'slow') -> bool:
                \"\"\"Ship an order.\"\"\"
            <BLANKLINE>
        """
        return python_of([self], metadata=metadata, is_async=is_async, lost=lost)

    def to_bedrock(self, *, strict: bool | None = None) -> Json:
        """The definition in the format of Amazon Bedrock's Converse API.

        Args:
            strict: Whether to ask for strict mode. By default, the tool's dialect decides:
                ``profiles.BEDROCK_STRICT`` asks for it.

        Returns:
            A fresh dict ``{"toolSpec": {"name": ..., "inputSchema": {"json": {...}}}}``.

        Raises:
            SchemaError: The name is not valid for Bedrock, or strict mode refuses the schema.

        Example:
            >>> from milo_schema import tool_schema
            >>> def ping(): ...
            >>> sorted(tool_schema(ping).to_bedrock()["toolSpec"])
            ['inputSchema', 'name']
        """
        return WIRE_FORMS["bedrock"].write(self, strict)


def tool_schema(  # noqa: PLR0913 - all of them named, all of them optional
    func: Callable[..., Any],
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    annotations: ToolAnnotations | None = None,
    input_schema: Mapping[str, Any] | None = None,
    output_schema: Mapping[str, Any] | None = None,
    returns: Any = MISSING,
    strict: bool = False,
    exclude: Collection[str | type] = (),
    profile: Profile = MCP,
    meta: Mapping[str, Any] | None = None,
    icons: Collection[Mapping[str, Any]] | None = None,
    localns: Mapping[str, Any] | None = None,
) -> ToolSchema:
    """Derive a complete tool definition from a function.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable; or the tool that
            a decorator of another library, such as LangChain's, returned.
        name: The name of the tool; by default, the function's ``__name__``.
        title: Its display name.
        description: A description of what it does. By default, it consists of the parts of the
            docstring in ``Profile.tool_description``; pass ``""`` for a tool without one.
        annotations: Hints about its behavior.
        input_schema: The schema of its arguments, to use instead of the derived one.
        output_schema: The schema of its structured result, to use instead of the derived one.
        returns: A return annotation that replaces the function's own.
        strict: Whether an annotation without an exact schema is an error, not a warning.
        exclude: Names and types of parameters to leave out of the schema.
        profile: How the schemas are written.
        meta: The ``_meta`` of MCP.
        icons: The ``icons`` of MCP.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        The definition; methods such as ``.to_mcp()`` write it in the format of a provider.

    Raises:
        SchemaError: A type has no exact schema.

    Example:
        >>> from milo_schema import tool_schema
        >>> def greet(name: str) -> str:
        ...     "Say hello."
        >>> tool = tool_schema(greet)
        >>> tool.name, tool.description, tool.output_schema
        ('greet', 'Say hello.', {'type': 'string'})
    """
    options: Any = {"exclude": exclude, "localns": localns, "returns": returns, "strict": strict}
    reading, name, description = read_tool(func, profile, name, description, **options)
    others: Any = {"title": title, "annotations": annotations, "meta": meta, "icons": icons}
    tool = tool_of(reading, name, description, input_schema, output_schema, **others)
    reading.rest()
    return tool


def ready_tool(func: Any, shared: SharedTypes, **options: Any) -> tuple[ToolSchema, Reading]:
    """The tool of ``tool_schema()``, and what was read, so that its calls need not read.

    The classes that the tools of a set share are read once.
    """
    if unknown := [name for name in options if name not in ToolOptions.__annotations__]:
        raise TypeError(f"tool_schema() got an unexpected keyword argument {unknown[0]!r}")
    read = {name: options.pop(name) for name in _READING.intersection(options)}
    reading, name, description = read_tool(func, **read, shared=shared)
    return tool_of(reading, name, description, **options), reading


_READING = {"profile", "name", "description", "exclude", "localns", "returns", "strict"}
"""The options of ``tool_schema()`` that are about the function."""


def read_tool(
    func: Any,
    profile: Profile = MCP,
    name: str | None = None,
    description: str | None = None,
    shared: SharedTypes | None = None,
    **options: Any,
) -> tuple[Reading, str | None, str | None]:
    """A function, or that in a tool of another library; its name and description if it has them."""
    inner = function_inside(func)
    name, description = texts_of(func, inner, name, description)
    part: Literal["input", "tool"] = "tool" if description is None else "input"
    reading = Reading(inner, Options(profile, tool=name, part=part, **options), shared)
    return reading, name, description


def misspelled_fields(given: Iterable[Any], known: Collection[str]) -> dict[str, str]:
    """The names that differ from known ones only in case and underscores, with the known ones.

    The models of SDKs have such names in Python: ``output_schema`` is ``outputSchema``.
    """
    folded = {name.replace("_", "").lower(): name for name in known}
    names = [name for name in given if type(name) is str and name not in known]
    meant = {name: folded.get(name.replace("_", "").lower(), "") for name in names}
    return {name: found for name, found in meant.items() if found}


def _unwritten(tool: Mapping[str, Any], written: Json) -> Json | None:
    """The fields of a definition that are not among those that would be written."""
    others = {key: each for key, each in tool.items() if key not in written and each is not None}
    if "annotations" in written:
        hints = tool["annotations"].items()
        unknown = {key: each for key, each in hints if key not in written["annotations"]}
        others |= {"annotations": unknown} if unknown else {}
    return others or None


def tool_of(
    reading: Reading,
    name: str | None = None,
    description: str | None = None,
    input_schema: Mapping[str, Any] | None = None,
    output_schema: Mapping[str, Any] | None = None,
    *,
    is_exact: bool = False,
    **others: Any,
) -> ToolSchema:
    """Make a tool definition from a function that has been read; what is given is used instead.

    If it is exact, its schemas are those before the transforms of the profile.
    """
    if reading.options.strict and input_schema is None and output_schema is None:
        reading.check()
    origin = Origin(reading, reading.profile)
    schema, written = (
        (input_schema, {}) if input_schema is not None else _input(reading, origin, is_exact)
    )
    fields = {**others, **_output(reading, output_schema, is_exact)}
    if output_schema is None:
        origin.output_schema = fields.get("output_schema")
    if (unset := reading.profile.unset_hints) is not None:
        fields["annotations"] = _with_unset(others.get("annotations") or ToolAnnotations(), unset)
    if written is not schema:
        fields["user_provides"] = _user_providable(written)
    try:
        name = last_name(reading.func) if name is None else _checked_name(name)
        if description is None:
            description = _documented(reading) or _move_to_tool(schema, written)
            origin.description = description
        tool = ToolSchema(
            name=name,
            description=description,
            input_schema=schema,
            dialect=None if is_exact else reading.profile.dialect,
            _origin=origin,
            **fields,
        )
        _check_schemas(tool, input_schema, output_schema)
    except SchemaError as problem:
        add_location(problem, reading.source)
        raise
    return tool


def _check_schemas(tool: ToolSchema, input_schema: object, output_schema: object) -> None:
    """Check the schemas that were given, which calls have to understand."""
    if input_schema is not None:
        check_given("input schema", tool.input_schema, tool.name, as_parameter, is_called=True)
    if output_schema is not None:
        place = f"{tool.name}() -> result"
        check_given("output schema", tool.output_schema, place, is_called=True)


def _with_unset(hints: ToolAnnotations, value: bool) -> ToolAnnotations:
    """The hints, with a value for each of those that are not set."""
    unset = [name for name in HINTS if name != "title" and getattr(hints, name) is None]
    return hints.replace(**dict.fromkeys(unset, value))


def derived_again(tool: ToolSchema, reading: Reading, *, is_exact: bool = False) -> ToolSchema:
    """A tool whose function was read again; what was given for it stays."""
    origin = origin_of(tool)
    is_ours = origin.description is not None and (origin.description or None) == tool.description
    others = ("title", "annotations", "meta", "icons", "input_examples", "others")
    found = tool_of(
        reading,
        tool.name,
        None if is_ours else tool.description or "",
        output_schema=None if origin.output_schema is not None else tool.output_schema,
        is_exact=is_exact,
        **{each: getattr(tool, each) for each in others},
    )
    if tool.output_schema is None and reading.output.schema is not None:
        return found.replace(output_schema=None, box=None)  # it was taken away
    return found


def in_dialect(tool: ToolSchema, profile: Profile) -> tuple[ToolSchema, list[tuple[str, str]]]:
    """A tool in the dialect of a profile, and the path and the reason of each part that is lost."""
    found, dialect = tool.replace(), profile.dialect
    problems: list[tuple[str, str]] = []
    if dialect != tool.dialect:
        schema = exact = check_given("input schema", _exact(tool), tool.name, as_parameter)
        if dialect is not None:
            schema, problems = spelled_in(dialect, exact, tool.name)
        found = tool.replace(input_schema=schema, dialect=dialect)
        if dialect is not None:
            origin_of(found).exact, origin_of(found).rewritten = exact, found.input_schema
    origin = origin_of(found)
    origin.profile = profile
    if origin.reading is not None:
        origin.reading = origin.reading.again(profile=profile)
    return found, [(as_parameter(path), reason) for path, reason in problems]


def spelled_in(dialect: str, schema: Json, name: str) -> tuple[Json, list[tuple[str, str]]]:
    """A schema in a dialect, and the path and the reason of each part that is lost."""
    report = Report(name=name)
    return InDialect(dialect)(schema, report), report.problems


def python_of(
    tools: Iterable[ToolSchema],
    *,
    metadata: bool = False,
    is_async: bool = False,
    lost: Callable[[Problem], object] | None = None,
) -> str:
    """Tools as a module of Python; see ``ToolSchema.to_python()``."""
    from milo_schema.tools.stubs import write  # with dialects, which most programs do without

    return write(map(parts_of, tools), metadata, is_async, lost or str)


def parts_of(tool: ToolSchema) -> tuple[str, str | None, Json, Json | None]:
    """The name, the description and the schemas of a tool, as its calls need them.

    The schemas are in our form, without what a dialect made of them, and without the box.
    """
    inputs = check_given("input schema", _exact(tool), tool.name, as_parameter)
    output = tool.output_schema
    if output is not None:
        output = check_given("output schema", output, f"{tool.name}() -> result")
    if output is not None and tool.box in output.get("properties", {}):
        inner = output["properties"][tool.box]
        output = {"anyOf": [inner], **{key: output[key] for key in output if key == "$defs"}}
    return tool.name, tool.description, inputs, output


def dialect_of(profile: Profile) -> str:
    """The name of the dialect of a profile, if it has one."""
    if profile.dialect is None:
        raise SchemaError(f"{profile!r} has no dialect; use one such as profiles.GEMINI")
    return profile.dialect


def _exact(tool: ToolSchema) -> Json:
    """The input schema of a tool; what another dialect made of it is undone."""
    origin = origin_of(tool)
    exact = origin.exact
    if exact is None:
        if tool.dialect is None or origin.reading is None or origin.input_schema is None:
            return tool.input_schema
        exact = origin.reading.input.untransformed
    copied: Json = copy(exact)
    return copied


def _input(reading: Reading, origin: Origin, is_exact: bool) -> tuple[Json, Json]:
    """The derived input schema, also as it was before the transforms of the profile."""
    schema = reading.input_schema(is_exact=is_exact)
    known = reading.input.untransformed if is_exact else reading.input.schema
    if schema is known:  # otherwise, the profile gave it up
        origin.input_schema = schema
    return schema, reading.input.untransformed or schema


def _output(reading: Reading, given: Mapping[str, Any] | None, is_exact: bool) -> dict[str, Any]:
    """The output schema, given or derived, and its box."""
    if given is not None:
        return {"output_schema": given, "box": box_of(given, reading.profile)}
    schema = reading.output_schema(is_exact=is_exact)
    if schema is None:
        return {}
    return {"output_schema": schema, "box": BOX if reading.output.is_boxed else None}


def _documented(reading: Reading) -> str:
    """The description of a function from its docstring."""
    profile = reading.profile
    if profile.docstrings == "never":
        return ""
    docs, parser = reading.signature.docs, reading.docstrings
    return description_of_callable(reading.func, docs, profile.tool_description, parser)


def _move_to_tool(input_schema: Mapping[str, Any], written: Json) -> str:
    """Remove and return the description of a record that its fields replaced."""
    description: str = written.get("description", "")
    if (
        description
        and type(input_schema) is dict
        and input_schema.get("description") == description
    ):
        del input_schema["description"]
    return description


def box_of(output_schema: Mapping[str, Any], profile: Profile) -> str | None:
    """The property that contains the value of a boxed output, recognized by the profile's keywords.

    Args:
        output_schema: An output schema, such as one in a server's ``tools/list``.
        profile: The profile with the keywords of a box; if it has none, no box is recognized.

    Returns:
        The name of the property, or ``None`` if the schema does not look boxed.
    """
    marks, _ = box_parts(profile.for_outputs.box)
    is_marked = marks and all(output_schema.get(key) == value for key, value in marks.items())
    return BOX if is_marked else None


def _user_providable(schema: Any) -> frozenset[str]:
    """The properties of a schema that are marked as provided by the user."""
    properties = schema.get("properties")
    marked = {
        name
        for name, each in (properties if type(properties) is dict else {}).items()
        if type(each) is dict and each.get("x-user-providable") is True
    }
    return frozenset(marked)


# -- checks ------------------------------------------------------------------------------------


def _checked_parts(given: Mapping[str, Any], origin: Origin) -> dict[str, Any]:
    """The fields of a tool, with a copy of the JSON that others wrote."""
    parts = {**given}
    name = _checked_name(parts["name"])
    for key in _TEXTS:
        parts[key] = _checked_text(name, key, parts.get(key))
    for key, kind in _JSON.items():
        value = parts.get(key)
        if value is not None and not origin.is_ours(key, value):
            parts[key] = _checked(name, key.replace("_", " "), value, kind)
    if marked := _user_providable(_checked_object(name, parts["input_schema"])):
        parts["user_provides"] = marked | to_names("user_provides", parts.get("user_provides", ()))
    hints = parts.get("annotations")
    if hints is not None and not isinstance(hints, ToolAnnotations):
        must = "annotations= must be a ToolAnnotations, such as ToolAnnotations(read_only=True)"
        raise SchemaError(f"{must}, not {display(hints)}", name)
    for each in parts.get("input_examples") or ():
        if type(each) is not dict:
            raise SchemaError(f"an input example must be an object, not {display(each)}", name)
    return parts


def _checked_name(name: Any) -> str:
    if type(name) is not str:
        raise SchemaError(f"the name of a tool must be a string, not {display(name)}")
    return name


def _checked_text(name: str, what: str, value: Any) -> str | None:
    """A string; ``None`` if it is empty."""
    if value is not None and not issubclass(type(value), str):
        raise SchemaError(f"the {what} must be a string, not {display(value)}", name)
    return value or None


def _checked_object(name: str, schema: Json | None) -> Json:
    """The input schema, if it is that of an object."""
    if schema is None or schema.get("type") != "object":
        reason = "the input schema must have 'type': 'object' at its root: arguments have names"
        raise SchemaError(reason, name)
    return schema


def _checked(name: str, what: str, value: Any, kind: type) -> Any:
    """A fresh copy of *value* as JSON, if it has that class."""
    json = copied_part(value, what, name)
    if type(json) is not kind:
        given = with_article(display(type(value)))
        raise SchemaError(f"the {what} must be {with_article(kind.__name__)}, not {given}", name)
    return json
