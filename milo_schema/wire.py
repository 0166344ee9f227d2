"""One table of wire forms: how each API wants a tool definition to be written.

A new form is one row of ``_ROWS`` and a method of ``ToolSchema`` that names the row. The checks and
the command line read the table, ``WIRE_FORMS``.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Callable, Collection, Mapping
from milo_schema.errors import SchemaError, nearest
from milo_schema.frozen import Frozen, field, read_only
from milo_schema.json_schema.subschemas import copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.tools import ToolSchema
else:
    ToolSchema = Any

Json = dict[str, Any]


__all__ = ["WIRE_FORMS", "NameRule", "WireForm"]

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"


class NameRule(Frozen):
    """Which names an API accepts: letters, digits, and some other characters, up to a length.

    Attributes:
        others: The characters that are allowed beside ``A-Z a-z 0-9``.
        longest: How many characters a name may have.
        starts_with: If not empty, a name starts with a letter or one of these characters.
    """

    others: str
    longest: int
    starts_with: str = ""

    def problem(self, name: str) -> str:
        """The problem with a name; empty if it is valid."""
        if not 1 <= len(name) <= self.longest:
            return f"it must have 1 to {self.longest} characters, not {len(name)}"
        allowed = _LETTERS + _DIGITS + self.others
        if bad := list(dict.fromkeys(repr(char) for char in name if char not in allowed)):
            listed = f"{', '.join(bad[:-1])} and {bad[-1]} are" if bad[1:] else f"{bad[0]} is"
            return f"{listed} not allowed; use A-Z a-z 0-9 {' '.join(self.others)}"
        if self.starts_with and name[0] not in _LETTERS + self.starts_with:
            return f"it must start with a letter or {self.starts_with!r}, not {name[0]!r}"
        return ""


class WireForm(Frozen, kw_only=True):
    """How one API wants a tool definition to be written.

    Attributes:
        name: What the command line calls it. ``"openai-responses"`` is what
            ``ToolSchema.to_openai(api="responses")`` writes.
        provider: What people call the API.
        names: Which tool names it accepts.
        keys: Each field of ``ToolSchema`` that it takes, and the key that it takes it by.
        spell: A function ``(parts, in_dialect) -> JSON`` that arranges the fields.
        dialects: The dialects for which the API has a mode of its own, such as strict mode. A tool
            whose schema is in one of them is written for that mode.
        options: What a request can say of a tool besides its definition, and the class of each.
    """

    name: str
    provider: str
    names: NameRule
    keys: Mapping[str, str] = field(converter=read_only)
    spell: Callable[[Json, bool], Json]
    dialects: Collection[str] = ()
    options: Mapping[str, type] = field(default={}, converter=read_only)

    def write(
        self,
        tool: ToolSchema,
        in_dialect: bool | None = None,  # noqa: FBT001
        options: Mapping[str, Any] | None = None,
    ) -> Json:
        """Write a tool definition in this form.

        Args:
            tool: The definition.
            in_dialect: Whether its schema is in a dialect of this form; otherwise the definition
                says so itself.
            options: What else the request says of the tool.

        Returns:
            A fresh dict; what the definition does not say is absent.

        Raises:
            SchemaError: The API refuses the name.
            TypeError: The API has no such option, or takes no such value for it.
        """
        self.check(tool.name)
        if in_dialect is None:
            in_dialect = tool.dialect in self.dialects
        parts = {key: getattr(tool, field) for field, key in self.keys.items()}
        written = self.spell(said_parts(parts), in_dialect)
        return {**written, **self._checked(options)} if options else written

    def _checked(self, options: Mapping[str, Any]) -> Json:
        for name, value in options.items():
            if name not in self.options:
                hint = nearest(name, self.options)
                raise TypeError(f"the form {self.name} has no option {name!r}{hint}")
            wanted = self.options[name]
            if type(value) is not wanted:
                kind = type(value).__name__
                raise TypeError(f"{name}= must be a {wanted.__name__}, not a {kind}: {value!r}")
        return {name: copy(value) for name, value in options.items()}

    def check(self, name: str) -> None:
        """Refuse a tool name that the API refuses, with the reason and the way out."""
        if problem := self.names.problem(name):
            reason = f"{name!r} is not a valid {self.provider} tool name: {problem}"
            raise SchemaError(f"{reason}; pass name=")


def said_parts(parts: Json) -> Json:
    """The parts that say something."""
    return {key: value for key, value in parts.items() if value is not None}


# -- how the forms are spelled -----------------------------------------------------------------


def _mcp(tool: Json, _in_dialect: bool) -> Json:  # noqa: FBT001 - see WireForm.spell
    hints = tool["annotations"].to_mcp() if "annotations" in tool else None
    return said_parts({**tool, "annotations": hints or None})


def _openai_function(function: Json) -> Json:
    """The API says "object schema missing properties" where there are none."""
    parameters = function["parameters"]
    properties = parameters.get("properties", {})
    return {**function, "parameters": {**parameters, "properties": properties}}


def _strict(tool: Json, is_strict: bool) -> Json:  # noqa: FBT001
    return {**tool, "strict": True} if is_strict else tool


def _openai_chat(function: Json, is_strict: bool) -> Json:  # noqa: FBT001
    return {"type": "function", "function": _strict(_openai_function(function), is_strict)}


def _openai_responses(function: Json, is_strict: bool) -> Json:  # noqa: FBT001
    """This API takes strict mode for granted, so ``false`` is written, too."""
    return {"type": "function", **_openai_function(function), "strict": is_strict}


def _gemini(declaration: Json, is_openapi: bool) -> Json:  # noqa: FBT001
    """OpenAPI schemas have other keys: ``parameters``, ``response``."""
    if not is_openapi:
        return declaration
    return {key.removesuffix("JsonSchema"): value for key, value in declaration.items()}


def _bedrock(spec: Json, is_strict: bool) -> Json:  # noqa: FBT001
    spec = {**spec, "inputSchema": {"json": spec["inputSchema"]}}
    return {"toolSpec": _strict(spec, is_strict)}


# -- the table ---------------------------------------------------------------------------------

_NAME_AND_DESCRIPTION = {"name": "name", "description": "description"}
_OPENAI_NAMES = NameRule("_-", 64)

_ROWS = (
    WireForm(
        name="mcp",
        provider="MCP",
        names=NameRule("_.-", 128),  # server/tools, "Tool Names" (2025-11-25)
        keys={
            "name": "name",
            "title": "title",
            "description": "description",
            "input_schema": "inputSchema",
            "output_schema": "outputSchema",
            "annotations": "annotations",
            "icons": "icons",
            "meta": "_meta",
        },
        spell=_mcp,
    ),
    # The rules for names below are what the SDKs and services of the providers say.
    WireForm(
        name="openai",
        provider="OpenAI",
        names=_OPENAI_NAMES,
        keys={**_NAME_AND_DESCRIPTION, "input_schema": "parameters"},
        spell=_openai_chat,
        dialects=("openai_strict",),
    ),
    WireForm(
        name="openai-responses",
        provider="OpenAI",
        names=_OPENAI_NAMES,
        keys={
            **_NAME_AND_DESCRIPTION,
            "input_schema": "parameters",
            "output_schema": "output_schema",
        },
        spell=_openai_responses,
        dialects=("openai_strict",),
        options={"allowed_callers": list, "async": bool, "defer_loading": bool},
    ),
    WireForm(
        name="anthropic",
        provider="Anthropic",
        names=NameRule("_-", 128),
        keys={
            **_NAME_AND_DESCRIPTION,
            "input_schema": "input_schema",
            "input_examples": "input_examples",
        },
        spell=_strict,
        dialects=("anthropic_strict",),
        options={
            "allowed_callers": list,
            "cache_control": dict,
            "defer_loading": bool,
            "eager_input_streaming": bool,
        },
    ),
    WireForm(
        name="gemini",
        provider="Gemini",
        names=NameRule("_.:-", 128, starts_with="_"),
        keys={
            **_NAME_AND_DESCRIPTION,
            "input_schema": "parametersJsonSchema",
            "output_schema": "responseJsonSchema",
        },
        spell=_gemini,
        dialects=("gemini",),
        options={"behavior": str},
    ),
    WireForm(
        name="bedrock",
        provider="Bedrock",
        names=NameRule("_-", 64),
        keys={**_NAME_AND_DESCRIPTION, "input_schema": "inputSchema"},
        spell=_bedrock,
        dialects=("bedrock_strict", "anthropic_strict"),  # the second says less
    ),
)

WIRE_FORMS: Mapping[str, WireForm] = read_only({form.name: form for form in _ROWS})
"""Each wire form by its name."""
