"""The class of findings, and their codes."""

from __future__ import annotations

from types import MappingProxyType

from milo_schema.annotations import Mapping
from milo_schema.errors import CODES as ERRORS
from milo_schema.frozen import Frozen

__all__ = ["CODES", "Finding"]

CODES: Mapping[str, str] = MappingProxyType(
    {
        "any-parameter": "A parameter accepts any value, so a model cannot know what to pass.",
        "contradictory-bounds": "No value can satisfy the bounds.",
        "default-misfit": "A default does not match its own schema.",
        "default-not-json": ERRORS["default-not-json"],
        "duplicate-tool": "Two tools of a set have the same name.",
        "example-misfit": "An example does not match its own schema.",
        "fallback": "An annotation has no schema, so a fallback is used.",
        "hidden-parameter": "The profile leaves out a parameter that the docstring describes.",
        "invalid-header": "A parameter cannot be sent as the HTTP header that it names.",
        "no-annotation": "A parameter has no annotation.",
        "no-output-schema": "A tool has no output schema.",
        "no-schema": "A function has no schema at all.",
        "refused-by-dialect": "The dialect of the profile does not support a part of a schema.",
        "refused-in-strict-mode": "Strict mode refuses something that is otherwise accepted.",
        "refused-name": "Clients reject the name of a parameter.",
        "refused-tool-name": "A provider rejects the name of a tool.",
        "repeated-schema": "Types that are written out several times make a tool large.",
        "request-limit": "The tools exceed what a provider allows in one request.",
        "undescribed-parameter": "A parameter has no description.",
        "undescribed-tool": "A tool has no description.",
        "unknown-format": ERRORS["unknown-format"],
        "unknown-keyword": "A keyword of a schema looks like a misspelled one of JSON Schema.",
        "unknown-parameter": "The docstring describes a parameter that does not exist.",
        "unreachable-parameter": "Neither another tool nor the user provides a required parameter.",
        "unresolved-name": ERRORS["unresolved-name"],
    }
)
"""The meaning of each code; a code never changes its meaning."""


class Finding(Frozen):
    """One finding: its place, its code, and a message.

    Attributes:
        place: Where it is, such as ``deploy(params).filters``.
        code: The kind of finding: one of ``CODES``.
        message: What is wrong, and what to do about it.

    Example:
        >>> from milo_schema.checks import Finding
        >>> print(Finding("deploy(x)", "any-parameter", "accepts any value; annotate it"))
        deploy(x): accepts any value; annotate it [any-parameter]
    """

    place: str
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message} [{self.code}]"
