"""The cost of tool definitions in each request: characters and tokens."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from milo_schema.annotations import Json
from milo_schema.annotations.frozen import Frozen
from milo_schema.json_schema.keywords import ANNOTATION_KEYWORDS
from milo_schema.json_schema.subschemas import subschemas_of
from milo_schema.tools.definition import ToolSchema
from milo_schema.tools.wire import WIRE_FORMS

__all__ = ["Cost", "cost_of"]


CHARACTERS_PER_TOKEN = 4
"""Measured with 175 functions of the standard library under four profiles: a token is 3.8 to 4.6
characters of a definition, with the tokenizers cl100k_base and Anthropic's of 2023."""


class Cost(Frozen):
    """The size of one part of a tool definition.

    Attributes:
        place: The tool (``find``), a parameter (``find(word)``), a definition (``find#Item``), or
            the output (``find() -> result``).
        characters: The length of its JSON without spaces.

    Example:
        >>> from milo_schema.checks import Cost
        >>> Cost("find(word)", 80).tokens
        20
    """

    place: str
    characters: int

    @property
    def tokens(self) -> int:
        """An estimate, with four characters for each token; models count differently."""
        return -(-self.characters // CHARACTERS_PER_TOKEN)


def cost_of(tool: ToolSchema) -> list[Cost]:
    """Measure the size of a tool in each request, in the format of MCP.

    Args:
        tool: The definition.

    Returns:
        The size of the whole tool, then of each parameter, each definition and the output.

    Example:
        >>> from milo_schema import tool_schema
        >>> from milo_schema.checks import cost_of
        >>> def ping(host: str, times: int = 1): ...
        >>> [(each.place, each.characters) for each in cost_of(tool_schema(ping))]
        [('ping', 146), ('ping(host)', 24), ('ping(times)', 38)]
    """
    schema, output = tool.input_schema, tool.output_schema
    parameters, definitions = _members(schema, "properties"), _members(schema, "$defs")
    return [
        Cost(tool.name, size_of(tool)),
        *(Cost(f"{tool.name}({name})", _member(name, each)) for name, each in parameters),
        *(Cost(f"{tool.name}#{name}", _member(name, each)) for name, each in definitions),
        *([] if output is None else [Cost(f"{tool.name}() -> result", _length(output))]),
    ]


def size_of(tool: ToolSchema) -> int:
    """The length of a tool in the format of MCP."""
    return _length(WIRE_FORMS["mcp"].write_unnamed(tool))


def _members(schema: Json, keyword: str) -> Collection[tuple[str, Any]]:
    """The named schemas in a keyword, which others may have written wrongly."""
    members = schema.get(keyword)
    return members.items() if type(members) is dict else ()


def _member(name: str, value: Any) -> int:
    return _length({name: value}) - len("{}")


def _length(value: Any) -> int:
    return len(_text(value))


def _text(value: Any) -> str:
    import json

    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# -- repetitions -------------------------------------------------------------------------------


def saved_in(schema: Json) -> int:
    """The approximate number of characters that ``$defs`` for repeated parts would save.

    Objects and enums count as the same if they differ only in their annotations.
    """
    return _Shared(schema).saved


_REFERENCE = len('{"$ref":"#/$defs/SomeName"}')
_DEFINITION = len('"SomeName":,')


class _Shared:
    """The number of characters that a schema saves with each repeated part written once."""

    def __init__(self, schema: Json) -> None:
        self._bodies: dict[str, Json] = {}
        self._counts: dict[str, int] = {}
        self._lengths: dict[str, int] = {}
        self._count(schema)
        shared = [body for text, body in self._bodies.items() if self._is_shared(text)]
        self.saved = 0
        if shared:  # which is rare, and takes a while to measure
            parts = sum(self._length_of(body, is_body=True) + _DEFINITION for body in shared)
            self.saved = _length(schema) - self._length_of(schema, is_body=True) - parts

    def _count(self, schema: Json) -> None:
        for each in subschemas_of(schema):
            body = _body(each)
            if not (_is_type(body) or subschemas_of(body)):
                continue  # most are leaves, and their texts take long to write
            text = _text(body)
            self._counts[text] = self._counts.get(text, 0) + 1
            if text not in self._bodies:
                self._bodies[text] = body
                self._count(each)

    def _is_shared(self, text: str) -> bool:
        count = self._counts.get(text, 0)
        saves = (count - 1) * len(text) > count * _REFERENCE + _DEFINITION
        return saves and _is_type(self._bodies[text])

    def _length_of(self, schema: Json, *, is_body: bool = False) -> int:
        """The length of a subschema, or of a reference and its annotations."""
        body = _body(schema)
        text = _text(body)
        if not is_body and self._is_shared(text):
            return _length(schema) - len(text) + _REFERENCE
        if text not in self._lengths or is_body:
            below = subschemas_of(body)
            saved = sum(_length(each) - self._length_of(each) for each in below)
            self._lengths[text] = len(text) - saved
        return _length(schema) - len(text) + self._lengths[text]


def _is_type(body: Json) -> bool:
    return "properties" in body or "enum" in body


def _body(schema: Json) -> Json:
    return {key: value for key, value in schema.items() if key not in ANNOTATION_KEYWORDS}
