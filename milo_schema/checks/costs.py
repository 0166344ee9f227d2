"""The cost of tool definitions in each request: characters and tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

from milo_schema.annotations import Json
from milo_schema.annotations.frozen import Frozen
from milo_schema.errors import RESULT
from milo_schema.json_schema.keywords import ANNOTATION_KEYWORDS
from milo_schema.json_schema.subschemas import subschemas_of
from milo_schema.tools.definition import ToolSchema, own_schemas
from milo_schema.tools.several import tool_schemas
from milo_schema.tools.wire import WIRE_FORMS

CHARACTERS_PER_TOKEN = 4
"""Measured with 175 functions of the standard library under four profiles: a token is 3.8 to 4.6
characters of a definition, with the tokenizers cl100k_base and Anthropic's of 2023."""


class Cost(Frozen):
    """The size of one part of a tool definition.

    Attributes:
        path: The tool (``find``), a parameter (``find(word)``), a definition (``find#Item``), or
            the output (``find() -> result``).
        characters: The length of its JSON without spaces.

    Example:
        >>> from milo_schema.checks import Cost
        >>> Cost("find(word)", 80).tokens
        20
    """

    path: str
    characters: int

    @property
    def tokens(self) -> int:
        """An estimate, with four characters for each token; models count differently."""
        return -(-self.characters // CHARACTERS_PER_TOKEN)


def cost(thing: Any) -> list[Cost]:
    """Measure the size of a tool in each request, in the format of MCP.

    Args:
        thing: A function, a definition, also as a dict of MCP, or several, as in a ``Toolbox``.

    Returns:
        The size of the whole, then of each parameter, each definition and the output. If there are
        several tools, the total comes first, and then each tool with its parts.

    Example:
        >>> from milo_schema.checks import cost
        >>> def ping(host: str, times: int = 1): ...
        >>> [(each.path, each.characters) for each in cost(ping)]
        [('ping', 175), ('ping(host)', 24), ('ping(times)', 38)]
    """
    tools = tool_schemas([thing])
    parts = [part for tool in tools for part in _parts(tool)]
    return parts if len(tools) == 1 else [Cost("total", sum(map(size_of, tools))), *parts]


def _parts(tool: ToolSchema) -> list[Cost]:
    schema, output = own_schemas(tool)
    parameters, definitions = _members(schema, "properties"), _members(schema, "$defs")
    return [
        Cost(tool.name, size_of(tool)),
        *(Cost(f"{tool.name}({name})", _member(name, each)) for name, each in parameters),
        *(Cost(f"{tool.name}#{name}", _member(name, each)) for name, each in definitions),
        *([] if output is None else [Cost(tool.name + RESULT, _length(output))]),
    ]


def size_of(tool: ToolSchema) -> int:
    """The length of a tool in the format of MCP."""
    return _length(WIRE_FORMS["mcp"].arrange(tool))


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

    Objects and enums count as the same if they differ only in their annotations. Each is looked
    into once, as it would be written once; so what is inside of it saves something beside it.
    """
    counts: Counter[str] = Counter()
    sizes: dict[str, int] = {}
    todo = [schema]
    for each in todo:
        for below in subschemas_of(each):
            if "properties" in below or "enum" in below:
                body = {key: below[key] for key in below if key not in ANNOTATION_KEYWORDS}
                counts[text := repr(body)] += 1
                if counts[text] > 1:
                    sizes[text] = _length(body)
                    continue
            todo.append(below)
    savings = [
        (counts[text] - 1) * size - counts[text] * _REFERENCE - _DEFINITION
        for text, size in sizes.items()
    ]
    return sum(each for each in savings if each > 0)


_REFERENCE = len('{"$ref":"#/$defs/SomeName"}')
_DEFINITION = len('"SomeName":,')
