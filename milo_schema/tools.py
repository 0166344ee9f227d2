"""A whole tool definition: name, description, schemas, hints, and its wire forms.

Strategy: ``tool_schema()`` gathers, ``ToolSchema`` checks and keeps, each ``to_...()`` only
spells. A schema is the same in all of them; which dialect a consumer wants is the business of
the profile, or of whoever replaces ``input_schema``.
"""

from __future__ import annotations

import types
from typing import Any

from milo_schema.annotations.classes import is_class, own, static
from milo_schema.annotations.forms import display, split
from milo_schema.callables import read
from milo_schema.callables.inspected import name_of
from milo_schema.errors import SchemaError
from milo_schema.json_schema.subschemas import copy
from milo_schema.json_schema.values import NotJSONError, copied
from milo_schema.profiles import MILO
from milo_schema.schemas.functions import function_to_schema
from milo_schema.schemas.outputs import output_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import ClassVar, Literal

    from milo_schema.callables.signatures import Signature
    from milo_schema.profiles import Profile

    Json = dict[str, Any]

__all__ = ["ToolAnnotations", "ToolSchema", "tool_schema"]

BOX = "result"
"""The property of a boxed output that has the value."""


class Frozen:
    """A value: its parts are said once, and it is equal to what has the same parts."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"a {type(self).__name__} is frozen; make another with {name}={value!r}"
        )

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} is frozen; it keeps its {name}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(self) == vars(other)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # it may hold dicts

    def __repr__(self) -> str:
        said = [f"{name}={value!r}" for name, value in vars(self).items() if value is not None]
        return f"{type(self).__name__}({', '.join(said)})"


class ToolAnnotations(Frozen):
    """What a client may be told of a tool's behaviour: hints, and only those that are said.

    Args:
        read_only: Whether the tool changes nothing.
        destructive: Whether it may destroy something.
        idempotent: Whether calling it again with the same arguments adds nothing.
        open_world: Whether it reaches what is outside of the server's own realm.
        title: What people call the tool; clients prefer the title of the tool itself.

    Example:
        >>> from milo_schema import ToolAnnotations
        >>> ToolAnnotations(read_only=True).to_mcp()
        {'readOnlyHint': True}
    """

    read_only: bool | None
    destructive: bool | None
    idempotent: bool | None
    open_world: bool | None
    title: str | None

    def __init__(
        self,
        *,
        read_only: bool | None = None,
        destructive: bool | None = None,
        idempotent: bool | None = None,
        open_world: bool | None = None,
        title: str | None = None,
    ) -> None:
        vars(self).update(
            read_only=read_only,
            destructive=destructive,
            idempotent=idempotent,
            open_world=open_world,
            title=title,
        )

    def to_mcp(self) -> Json:
        """The hints as MCP writes them.

        Returns:
            A fresh dict such as ``{"readOnlyHint": True}``; empty if nothing was said.

        Example:
            >>> from milo_schema import ToolAnnotations
            >>> ToolAnnotations(read_only=True).to_mcp()
            {'readOnlyHint': True}
        """
        return _said(
            {
                "title": self.title,
                "readOnlyHint": self.read_only,
                "destructiveHint": self.destructive,
                "idempotentHint": self.idempotent,
                "openWorldHint": self.open_world,
            }
        )


class ToolSchema(Frozen):
    """A tool definition: frozen, equal by value, picklable; ``tool_schema()`` makes it.

    The schemas, ``meta`` and ``icons`` are fresh copies every time they are read.

    Args:
        name: What the tool is called by: 1 to 128 of ``A-Z a-z 0-9 _ . -``.
        input_schema: The JSON Schema of its arguments, an object.
        title: What people call it.
        description: What it does.
        output_schema: The JSON Schema of its structured result.
        annotations: How it behaves.
        meta: What MCP calls ``_meta``.
        icons: What MCP calls ``icons``.
        box: The property of the structured result that the value is put into, if it is.

    Raises:
        SchemaError: The name is none, or a schema is no JSON Schema of its kind.

    Example:
        >>> from milo_schema import ToolSchema
        >>> ToolSchema(name="ping", input_schema={"type": "object"}).to_mcp()
        {'name': 'ping', 'inputSchema': {'type': 'object'}}
    """

    name: str
    title: str | None
    description: str | None
    annotations: ToolAnnotations | None
    box: str | None

    def __init__(  # noqa: PLR0913 - all of them named
        self,
        *,
        name: str,
        input_schema: Mapping[str, Any],
        title: str | None = None,
        description: str | None = None,
        output_schema: Mapping[str, Any] | None = None,
        annotations: ToolAnnotations | None = None,
        meta: Mapping[str, Any] | None = None,
        icons: Collection[Mapping[str, Any]] | None = None,
        box: str | None = None,
    ) -> None:
        MCP_NAMES.check(name)
        vars(self).update(
            name=name,
            title=title or None,
            description=description or None,
            input_schema=_checked_input(name, input_schema),
            output_schema=_checked(name, "output schema", output_schema, dict),
            annotations=annotations,
            meta=_checked(name, "meta", meta, dict),
            icons=_checked(name, "icons", icons, list),
            box=box,
        )

    @property
    def input_schema(self) -> Json:
        """The JSON Schema of the arguments: a fresh copy."""
        schema: Json = copy(vars(self)["input_schema"])
        return schema

    @property
    def output_schema(self) -> Json | None:
        """The JSON Schema of the structured result, if there is one: a fresh copy."""
        schema: Json | None = copy(vars(self)["output_schema"])
        return schema

    @property
    def meta(self) -> Json | None:
        """What MCP calls ``_meta``: a fresh copy."""
        meta: Json | None = copy(vars(self)["meta"])
        return meta

    @property
    def icons(self) -> list[Json] | None:
        """What MCP calls ``icons``: a fresh copy."""
        icons: list[Json] | None = copy(vars(self)["icons"])
        return icons

    def replace(self, **changes: Any) -> ToolSchema:
        """A new definition that differs in some parts.

        Example:
            >>> from milo_schema import tool_schema
            >>> def run(command: str): ...
            >>> tool_schema(run, name="shell.run").replace(name="shell_run").to_openai()["type"]
            'function'
        """
        return ToolSchema(**vars(self) | changes)

    # -- wire forms ----------------------------------------------------------------------------

    def to_mcp(self) -> Json:
        """The definition as a ``Tool`` of the MCP specification.

        Returns:
            A fresh dict ``{"name": ..., "description": ..., "inputSchema": {...}, ...}``; what
            was not said is absent.

        Example:
            >>> from milo_schema import tool_schema
            >>> def ping() -> None:
            ...     "Answer."
            >>> tool_schema(ping).to_mcp()["description"]
            'Answer.'
        """
        hints = self.annotations.to_mcp() if self.annotations else None
        return _said(
            {
                "name": self.name,
                "title": self.title,
                "description": self.description,
                "inputSchema": self.input_schema,
                "outputSchema": self.output_schema,
                "annotations": hints or None,
                "icons": self.icons,
                "_meta": self.meta,
            }
        )

    def to_openai(
        self, *, api: Literal["chat", "responses"] = "chat", strict: bool = False
    ) -> Json:
        """The definition as OpenAI's APIs take it.

        Args:
            api: Which one: chat completions, or responses.
            strict: Whether to ask for strict mode; then the schema has to be in its dialect.

        Returns:
            A fresh dict; ``{"type": "function", "function": {...}}`` for chat completions.

        Raises:
            SchemaError: The name has characters that OpenAI refuses.

        Example:
            >>> from milo_schema import tool_schema
            >>> def ping(): ...
            >>> tool_schema(ping).to_openai()["function"]["name"]
            'ping'
        """
        OPENAI_NAMES.check(self.name)
        schema = {"properties": {}, **self.input_schema}  # "object schema missing properties"
        function = _said({"name": self.name, "description": self.description, "parameters": schema})
        if api == "responses":  # where strict mode is what nothing said means
            return {"type": "function", **function, "strict": strict}
        return {
            "type": "function",
            "function": {**function, **({"strict": True} if strict else {})},
        }

    def to_anthropic(self) -> Json:
        """The definition as Anthropic's Messages API takes it.

        Returns:
            A fresh dict ``{"name": ..., "description": ..., "input_schema": {...}}``.

        Raises:
            SchemaError: The name has characters that Anthropic refuses.

        Example:
            >>> from milo_schema import tool_schema
            >>> def ping(): ...
            >>> sorted(tool_schema(ping).to_anthropic())
            ['input_schema', 'name']
        """
        ANTHROPIC_NAMES.check(self.name)
        return _said(
            {
                "name": self.name,
                "description": self.description,
                "input_schema": self.input_schema,
            }
        )

    def to_gemini(self, *, openapi: bool = False) -> Json:
        """The definition as a function declaration of the Gemini API.

        Args:
            openapi: Whether the input schema is of OpenAPI's kind, as ``profiles.GEMINI`` spells
                it; Gemini takes that under another name.

        Returns:
            A fresh dict ``{"name": ..., "description": ..., "parametersJsonSchema": {...}}``;
            with ``parameters`` if *openapi*.

        Raises:
            SchemaError: The name has characters that Gemini refuses.

        Example:
            >>> from milo_schema import tool_schema
            >>> def ping(): ...
            >>> sorted(tool_schema(ping).to_gemini())
            ['name', 'parametersJsonSchema']
        """
        GEMINI_NAMES.check(self.name)
        return _said(
            {
                "name": self.name,
                "description": self.description,
                "parameters" if openapi else "parametersJsonSchema": self.input_schema,
            }
        )

    def to_bedrock(self) -> Json:
        """The definition as Amazon Bedrock's Converse API takes it.

        Returns:
            A fresh dict ``{"toolSpec": {"name": ..., "inputSchema": {"json": {...}}}}``.

        Raises:
            SchemaError: The name has characters that Bedrock refuses.

        Example:
            >>> from milo_schema import tool_schema
            >>> def ping(): ...
            >>> sorted(tool_schema(ping).to_bedrock()["toolSpec"])
            ['inputSchema', 'name']
        """
        BEDROCK_NAMES.check(self.name)
        schema = {"json": self.input_schema}
        spec = {"name": self.name, "description": self.description, "inputSchema": schema}
        return {"toolSpec": _said(spec)}


def tool_schema(  # noqa: PLR0913 - all of them named, all of them optional
    func: Callable[..., Any],
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    annotations: ToolAnnotations | None = None,
    input_schema: Mapping[str, Any] | None = None,
    output_schema: Mapping[str, Any] | None = None,
    strict: bool = False,
    exclude: Collection[str | type] = (),
    profile: Profile = MILO,
    meta: Mapping[str, Any] | None = None,
    icons: Collection[Mapping[str, Any]] | None = None,
    localns: Mapping[str, Any] | None = None,
) -> ToolSchema:
    """Derive a whole tool definition from a function.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        name: What the tool is called by; the function's own name otherwise.
        title: What people call it.
        description: What it does; otherwise what the docstring says outside of its sections.
            An empty one is none.
        annotations: How it behaves.
        input_schema: The schema of its arguments, instead of the derived one.
        output_schema: The schema of its structured result, instead of the derived one.
        strict: Whether an annotation that has no schema is an error instead of a warning.
        exclude: Names and types of parameters that are no part of the schema.
        profile: What the schemas should say.
        meta: What MCP calls ``_meta``.
        icons: What MCP calls ``icons``.
        localns: Names that annotation strings use and their module does not have.

    Returns:
        The definition; ``.to_mcp()`` and its like give the wire forms.

    Raises:
        SchemaError: There is no true schema, or the name is no tool's.

    Example:
        >>> from milo_schema import tool_schema
        >>> def greet(name: str) -> str:
        ...     "Say hello."
        >>> tool = tool_schema(greet)
        >>> tool.name, tool.description, tool.output_schema
        ('greet', 'Say hello.', {'type': 'string'})
    """
    if input_schema is None:
        input_schema = function_to_schema(
            func, strict=strict, exclude=exclude, profile=profile, localns=localns
        )
    box = None if output_schema is None else box_of(output_schema, profile)
    if output_schema is None:
        output_schema, is_boxed = output_of(func, strict=strict, profile=profile, localns=localns)
        box = BOX if is_boxed else None
    if description is None:
        description = _description(func, read(func, localns))
        description = description.partition("\n")[0] if profile.summary_only else description
    return ToolSchema(
        name=_name(func) if name is None else name,
        title=title,
        description=description,
        input_schema=input_schema,
        output_schema=output_schema,
        annotations=annotations,
        meta=meta,
        icons=icons,
        box=box,
    )


def box_of(output_schema: Mapping[str, Any], profile: Profile) -> str | None:
    """The property that a schema puts the value into, by the keywords that *profile* marks it with.

    Args:
        output_schema: An output schema from anywhere, such as a server's ``tools/list``.
        profile: Whose marks to look for; one without any recognises nothing.

    Returns:
        The name of the property, or ``None``: the value is not boxed, as far as can be seen.
    """
    marks = profile.box or {}
    is_marked = all(output_schema.get(keyword) == value for keyword, value in marks.items())
    return BOX if marks and is_marked else None


# -- what a callable says of itself ------------------------------------------------------------


def _name(func: Any) -> str:
    """The name of a callable, without the classes it is in."""
    return name_of(func).rpartition(".")[2]


def _description(func: Any, signature: Signature) -> str:
    """What a callable says of itself, without what it says of its parameters."""
    from milo_schema.callables.records import description_of
    from milo_schema.docstrings import parse_docstring

    cls, _ = split(func)
    if is_class(cls):
        init = own(cls, "__init__")
        return description_of(cls) or parse_docstring(_written(init)).description
    for text in reversed(signature.docs):
        if said := parse_docstring(text).description:
            return said
    is_instance = type(static(type(func), "__call__")) is types.FunctionType
    return (description_of(type(func)) if is_instance else None) or ""


def _written(method: Any) -> Any:
    """The docstring of a method, if there is one: ``None`` has a docstring, too."""
    doc = getattr(method, "__doc__", None) if type(method) is types.FunctionType else None
    is_made_up = type(doc) is str and doc.startswith("Method generated by attrs for class ")
    return None if is_made_up else doc


# -- checks ------------------------------------------------------------------------------------


class Names:
    """The names that somebody takes for a tool: who, which characters, how many."""

    def __init__(self, who: str, others: str, longest: int, *, starts_with: str = "") -> None:
        self.who: str = who
        self.others: str = others
        self.longest: int = longest
        self.starts_with: str = starts_with

    def check(self, name: str) -> None:
        """Refuse a name that is none, with the reason and the way out."""
        if problem := self.problem(name):
            raise SchemaError(f"{name!r} is no tool name {self.who}: {problem}; pass another name=")

    def problem(self, name: str) -> str:
        """What is wrong with a name; empty if nothing is."""
        if not 1 <= len(name) <= self.longest:
            return f"it has {len(name)} characters, not 1 to {self.longest}"
        if bad := "".join(dict.fromkeys(char for char in name if char not in self._allowed())):
            return f"it has {bad!r}, and only {_spelled(self.others)} are allowed"
        if self.starts_with and name[0] not in _LETTERS + self.starts_with:
            return f"it starts with {name[0]!r}, not with a letter or {self.starts_with!r}"
        return ""

    def _allowed(self) -> str:
        return _LETTERS + _DIGITS + self.others


def _spelled(others: str) -> str:
    return " ".join(("A-Z a-z 0-9", *others))


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"

# MCP: server/tools, "Tool Names" (2025-11-25). The others: what their SDKs and services say.
MCP_NAMES = Names("of MCP", "_.-", 128)
OPENAI_NAMES = Names("of OpenAI", "_-", 64)
ANTHROPIC_NAMES = Names("of Anthropic", "_-", 128)
GEMINI_NAMES = Names("of Gemini", "_.:-", 128, starts_with="_")
BEDROCK_NAMES = Names("of Bedrock", "_-", 64)


def _checked(name: str, what: str, value: Any, kind: type) -> Any:
    """A fresh copy of *value* in JSON, if it is of that kind; ``None`` stays what it is."""
    if value is None:
        return None
    try:
        json = copied(value)
    except NotJSONError as problem:
        raise SchemaError(f"the {what} has {problem}, which is not JSON", name) from problem
    if type(json) is not kind:
        raise SchemaError(f"the {what} is no {kind.__name__} but {display(type(value))}", name)
    return json


def _checked_input(name: str, schema: Any) -> Json:
    checked: Json | None = _checked(name, "input schema", schema, dict)
    if checked is None or checked.get("type") != "object":
        reason = "the input schema must have 'type': 'object' at its root: arguments have names"
        raise SchemaError(reason, name)
    return checked


def _said(parts: Json) -> Json:
    """The parts that were said."""
    return {key: value for key, value in parts.items() if value is not None}
