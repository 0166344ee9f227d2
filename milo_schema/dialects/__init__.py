"""Rewrite a finished schema for a consumer that supports only a part of JSON Schema.

A dialect is data, a row in ``consumers``: the keywords, formats and enums that its consumer
accepts, the form of objects, and limits of size. ``spell()`` writes a schema in a dialect. A
keyword that the dialect does not have becomes a phrase in the description, so nothing is lost
silently; the rest is reported with its path. .github/sources.md has the sources.
"""

from __future__ import annotations

from collections.abc import Callable

from milo_schema.annotations import Fragment
from milo_schema.dialects.consumers import (
    ANTHROPIC_STRICT,
    BEDROCK_STRICT,
    ELICITATION,
    GEMINI,
    GEMINI_JSON,
    OPENAI_STRICT,
    PORTABLE,
    Dialect,
    Report,
)
from milo_schema.dialects.elicitation import elicitation
from milo_schema.dialects.spelling import spell

Respell = Callable[[Fragment, Report], Fragment]

__all__ = [
    "ANTHROPIC_STRICT",
    "BEDROCK_STRICT",
    "ELICITATION",
    "GEMINI",
    "GEMINI_JSON",
    "OPENAI_STRICT",
    "PORTABLE",
    "anthropic_strict",
    "bedrock_strict",
    "elicitation",
    "gemini",
    "gemini_json",
    "openai_strict",
    "portable",
    "spell",
]


def _transform_to(dialect: Dialect) -> Respell:
    """A transform for a profile: ``spell()`` with one dialect."""

    def transform(schema: Fragment, report: Report) -> Fragment:
        return spell(schema, dialect, report)

    return transform


portable: Respell = _transform_to(PORTABLE)
openai_strict: Respell = _transform_to(OPENAI_STRICT)
anthropic_strict: Respell = _transform_to(ANTHROPIC_STRICT)
bedrock_strict: Respell = _transform_to(BEDROCK_STRICT)
gemini: Respell = _transform_to(GEMINI)
gemini_json: Respell = _transform_to(GEMINI_JSON)
