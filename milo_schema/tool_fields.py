"""The types of the fields of a tool and of the options of its wire forms, for type checkers.

Nothing imports it when a program runs, unless the annotations of ``ToolSchema`` are evaluated.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal, TypedDict

from milo_schema.tools import ToolAnnotations


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


class ToolChanges(ToolFields, total=False):
    """The same, and the other fields."""

    name: str
    input_schema: Mapping[str, Any]


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
