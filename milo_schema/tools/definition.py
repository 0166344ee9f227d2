"""Tool definitions: name, description, schemas, hints, and the formats of providers.

Strategy: ``derived`` collects the parts, ``ToolSchema`` checks and stores them, and each
``to_...()`` writes one of the formats in ``wire.WIRE_FORMS``. The schema is the same in all of
them: the profile decides its dialect, which the definition stores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Unpack

from milo_schema.annotations import Json, Names
from milo_schema.annotations.forms import display
from milo_schema.annotations.frozen import Frozen, field
from milo_schema.callables.wrappers import last_name
from milo_schema.errors import RESULT, Errors, Problem, SchemaError, add_location, nearest, warn
from milo_schema.json_schema.subschemas import copy
from milo_schema.nodes import Call
from milo_schema.profile import Profile, check_profile, to_names
from milo_schema.schemas.functions import Reading, as_parameter
from milo_schema.schemas.outputs import BOX
from milo_schema.tools.fields import (
    HINTS,
    AnthropicOptions,
    Api,
    GeminiOptions,
    OpenAIOptions,
    ToolAnnotations,
    ToolChanges,
    ToolFields,
    checked_name,
    checked_parts,
    misspelled_fields,
    user_providable,
    with_unset,
)
from milo_schema.tools.origin import (
    Origin,
    check_given,
    documented,
    in_dialect,
    input_of,
    move_to_tool,
    origin_of,
    output_of,
    python_of,
)
from milo_schema.tools.wire import NOT_MCP, OTHER_KEYS, WIRE_FORMS

if TYPE_CHECKING:
    from milo_schema.arguments import Bound, Injected
    from milo_schema.results import ToolResult
    from milo_schema.tools.calls import OnRepair, Unexpected
else:  # only calls need them, and 300 kB of code with them
    Bound = Injected = ToolResult = OnRepair = Unexpected = Any


def _optional_json(what: str) -> Any:
    """A field with JSON, of which each reader gets a copy."""
    return field(default=None, reader=copy, doc=f"{what}, as a fresh copy.")


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
    output_schema: Json | None = _optional_json("The schema of the structured result")
    input_examples: list[Json] | None = _optional_json("Arguments of good calls")
    annotations: ToolAnnotations | None = None
    meta: Json | None = _optional_json("What MCP calls ``_meta``")
    icons: list[Json] | None = _optional_json("What MCP calls ``icons``")
    box: str | None = None
    dialect: str | None = None
    user_provides: frozenset[str] = field(default=frozenset(), converter=to_names)
    others: Json | None = _optional_json("The other fields of MCP")

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
        parts = checked_parts(given, origin)
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
        if reason := _why_not_mcp(tool):
            raise SchemaError(reason, name if type(name := fields["name"]) is str else "")
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
        output = reading.output
        has_box = output.is_boxed and self.output_schema == output.schema
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

        text = json.dumps(WIRE_FORMS["mcp"].arrange(self), sort_keys=True)
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

        return json.dumps(WIRE_FORMS["mcp"].arrange(self), ensure_ascii=False, indent=2)

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
                that ``function_to_schema()`` of the function is the schema again. Otherwise, the
                docstring and comments have them.
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


def _why_not_mcp(tool: Mapping[str, Any]) -> str:
    """Why a definition is not in the format of MCP; empty if it is."""
    has_schema = tool.get("inputSchema") is not None
    if not has_schema:
        for key, meant in misspelled_fields(tool, WIRE_FORMS["mcp"].keys.values()).items():
            if meant == "inputSchema":
                reason = f"{key!r} is not a field of MCP; did you mean {meant}?"
                way_out = "If it is a model of an SDK, write it with model_dump(by_alias=True)"
                return f"{reason} {way_out}"
        if not tool.keys().isdisjoint(OTHER_KEYS):
            return NOT_MCP
    if type(tool.get("name")) is not str:
        return "a tool definition needs a name"
    return "" if has_schema else "a tool definition needs an inputSchema"


def _unwritten(tool: Mapping[str, Any], written: Json) -> Json | None:
    """The fields of a definition that are not among those that would be written."""
    others = {key: each for key, each in tool.items() if key not in written and each is not None}
    if "annotations" in written:
        hints = tool["annotations"].items()
        unknown = {key: each for key, each in hints if key not in written["annotations"]}
        others |= {"annotations": unknown} if unknown else {}
    return others or None


def own_schemas(tool: ToolSchema) -> tuple[Json, Json | None]:
    """The schemas of a tool themselves, which are only to be read: its attributes are copies."""
    fields = vars(tool)
    return fields["input_schema"], fields["output_schema"]


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
        (input_schema, {}) if input_schema is not None else input_of(reading, origin, is_exact)
    )
    fields = {**others, **output_of(reading, output_schema, is_exact)}
    if output_schema is None:
        origin.output_schema = fields.get("output_schema")
    if (unset := reading.profile.unset_hints) is not None:
        fields["annotations"] = with_unset(others.get("annotations") or ToolAnnotations(), unset)
    if written is not schema:
        fields["user_provides"] = user_providable(written)
    try:
        name = last_name(reading.func) if name is None else checked_name(name)
        if description is None:
            description = documented(reading) or move_to_tool(schema, written)
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
        place = tool.name + RESULT
        check_given("output schema", tool.output_schema, place, is_called=True)


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
    if tool.output_schema is None:
        return found.replace(output_schema=None, box=None)  # it was taken away
    return found
