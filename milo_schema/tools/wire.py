"""The table of wire forms: the format of a tool definition in each API.

A new form is a row of ``_ROWS`` and a method of ``ToolSchema`` with the name of the row. The checks
and the command line read the table, ``WIRE_FORMS``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count, product
from types import MappingProxyType
from typing import Any

from milo_schema.annotations import Json
from milo_schema.annotations.frozen import Frozen, field, read_only
from milo_schema.errors import SchemaError, nearest
from milo_schema.json_schema.subschemas import copy, located
from milo_schema.nodes import ToolSchema
from milo_schema.schemas.functions import as_parameter

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"


class NameRule(Frozen):
    """The names that an API accepts: letters, digits, and some other characters, up to a length.

    Attributes:
        others: The characters that are allowed beside ``A-Z a-z 0-9``.
        longest: The most characters of a name.
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

    def nearest(self, name: str) -> str:
        """The name itself if it is valid; otherwise a valid one that looks like it."""
        allowed = _LETTERS + _DIGITS + self.others
        found = "".join(char if char in allowed else "_" for char in name) or "_"
        if self.starts_with and found[0] not in _LETTERS + self.starts_with:
            found = self.starts_with + found
        return found[: self.longest]


class WireForm(Frozen):
    """The format of a tool definition in one API.

    Attributes:
        name: Its name on the command line. ``"openai-responses"`` is the form of
            ``ToolSchema.to_openai(api="responses")``.
        provider: The name of the API for people.
        names: The tool names that it accepts.
        keys: The fields of ``ToolSchema`` that it supports, with their keys.
        spell: A function ``(parts, in_dialect) -> JSON`` that arranges the fields.
        dialects: The dialects with their own mode of the API, such as strict mode. A tool with a
            schema in one of them is written for that mode.
        options: The other keys of a tool in a request, with the class of each.
        has_others: Whether it has the fields that a server added, ``ToolSchema.others``.
    """

    name: str
    provider: str
    names: NameRule
    keys: Mapping[str, str] = field(converter=read_only)
    spell: Callable[[Json, bool], Json]
    dialects: Sequence[str] = ()
    options: Mapping[str, type] = field(default={}, converter=read_only)
    has_others: bool = False

    def write(
        self,
        tool: ToolSchema,
        in_dialect: bool | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Json:
        """Write a tool definition in this form.

        Args:
            tool: The definition, a ``ToolSchema``.
            in_dialect: Whether its schema is in a dialect of this form; by default, the dialect
                of the definition decides.
            options: Other keys of the tool in the request.

        Returns:
            A fresh dict, without fields that are not set.

        Raises:
            SchemaError: The name is not valid for the API, or its strict mode refuses the schema.
            TypeError: The API has no such option, or does not accept its value.
        """
        self.check(tool.name)
        if in_dialect and tool.dialect not in self.dialects:
            self._check_strict(tool)
        written = self.write_unnamed(tool, in_dialect)
        return {**written, **self._checked(options)} if options else written

    def write_unnamed(self, tool: ToolSchema, in_dialect: bool | None = None) -> Json:
        """The same for a tool that may not have a valid name yet, for people to look at."""
        written: Json = copy(self.arrange(tool, in_dialect))
        return written

    def arrange(self, tool: ToolSchema, in_dialect: bool | None = None) -> Json:
        """The same with the JSON of the tool itself, which is only to be read."""
        if in_dialect is None:
            in_dialect = tool.dialect in self.dialects
        fields = vars(tool)
        parts = {key: fields[field] for field, key in self.keys.items()}
        written, others = self.spell(without_unset(parts), in_dialect), fields["others"]
        return _with_others(written, others) if self.has_others and others else written

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

    def _check_strict(self, tool: Any) -> None:
        """Raise an error for an object that no strict mode accepts."""
        from milo_schema.dialects.consumers import DIALECTS  # only for strict=True

        dialect = DIALECTS[self.dialects[0]]
        for path, each in located(tool.input_schema):
            if why := dialect.problem_of_object(each):
                way_out = f"call .with_profile(profiles.{self.dialects[0].upper()}) first"
                where = tool.name + as_parameter(path)
                raise SchemaError(f"strict=True, but {dialect.name} {why}; {way_out}", where)

    def check(self, name: str) -> None:
        """Raise an error if a tool name is not valid for the API."""
        if problem := self.names.problem(name):
            reason = f"{name!r} is not a valid {self.provider} tool name: {problem}"
            raise SchemaError(f"{reason}; pass name=")


def wire_names(names: Collection[str]) -> dict[tuple[str, str], str]:
    """The name of each tool in each form, for those that cannot keep theirs there.

    A name never stands for two tools, in whichever form: if several would get the same one, a few
    digits make the difference, which depend on the tool's own name.
    """
    from hashlib import sha256

    owners: dict[str, str | None] = {name: name for name in names}
    for form, name in product(WIRE_FORMS.values(), names):
        spelled = form.names.nearest(name)
        if owners.setdefault(spelled, name) != name:
            owners[spelled] = None  # several want it
    found: dict[tuple[str, str], str] = {}
    for form, name in product(WIRE_FORMS.values(), names):
        spelled = short = form.names.nearest(name)
        tries = count()
        while spelled != name and owners.setdefault(spelled, name) != name:
            text = f"{next(tries)} {name}".encode(errors="surrogatepass")
            spelled = f"{short[: form.names.longest - 9]}_{sha256(text).hexdigest()[:8]}"
        if spelled != name:
            found[form.name, name] = spelled
    return found


def without_unset(parts: Json) -> Json:
    """The parts that are set: ``None`` stands for one that is not."""
    return {key: value for key, value in parts.items() if value is not None}


# -- the arrangement of fields -----------------------------------------------------------------


def _mcp(tool: Json, _in_dialect: bool) -> Json:
    hints = tool["annotations"].to_mcp() if "annotations" in tool else None
    return without_unset({**tool, "annotations": hints or None})


def _with_others(written: Json, others: Json) -> Json:
    """A definition with the fields that only its own server knows, and their unknown hints."""
    added = {key: value for key, value in others.items() if key not in written}
    if "annotations" in written and "annotations" in others:
        added["annotations"] = {**others["annotations"], **written["annotations"]}
    return {**written, **added}


def _openai_function(function: Json) -> Json:
    """Add empty properties; otherwise, the API reports "object schema missing properties"."""
    parameters = function["parameters"]
    properties = parameters.get("properties", {})
    return {**function, "parameters": {**parameters, "properties": properties}}


def _strict(tool: Json, is_strict: bool) -> Json:
    return {**tool, "strict": True} if is_strict else tool


def _openai_chat(function: Json, is_strict: bool) -> Json:
    return {"type": "function", "function": _strict(_openai_function(function), is_strict)}


def _openai_responses(function: Json, is_strict: bool) -> Json:
    """Write ``"strict": false``, too, because strict mode is the default of this API."""
    return {"type": "function", **_openai_function(function), "strict": is_strict}


def _gemini(declaration: Json, is_openapi: bool) -> Json:
    """Use the key for an OpenAPI schema, ``parameters``; outputs are always JSON Schema."""
    names = {"parametersJsonSchema": "parameters"} if is_openapi else {}
    return {names.get(key, key): value for key, value in declaration.items()}


def _bedrock(spec: Json, is_strict: bool) -> Json:
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
        has_others=True,
    ),
    # The rules for names below are from the SDKs and services of the providers.
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
        dialects=("bedrock_strict", "anthropic_strict"),  # the second one supports less
    ),
)

WIRE_FORMS: Mapping[str, WireForm] = MappingProxyType({form.name: form for form in _ROWS})
"""The wire forms by name."""

OTHER_KEYS = (
    "function",
    "functionDeclarations",
    "input_schema",
    "parameters",
    "parametersJsonSchema",
    "toolSpec",
)
"""The keys by which a definition in the form of another API is recognized."""
NOT_MCP = "a tool definition must be in the format of MCP, with inputSchema"
"""The error about such a definition."""
