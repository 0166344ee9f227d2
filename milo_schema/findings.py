"""What a finding is, and the codes that it may have."""

from __future__ import annotations

from types import MappingProxyType

from milo_schema.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES", "Finding"]

CODES: Mapping[str, str] = MappingProxyType(
    {
        "any-parameter": "A parameter takes any value, so nobody can tell what to pass.",
        "contradictory-bounds": "Bounds leave no value that fits.",
        "default-misfit": "A default is no value that its own schema accepts.",
        "default-not-json": "A default is no JSON, so the schema does not tell it.",
        "duplicate-tool": "Two tools of a set have the same name.",
        "fallback": "An annotation has no schema, so another one stands in its place.",
        "invalid-header": "A parameter cannot be sent as the HTTP header that it names.",
        "no-annotation": "A parameter has no annotation.",
        "no-output-schema": "Nothing says what a tool gives back.",
        "no-schema": "A function has no schema at all.",
        "refused-by-dialect": "The dialect of the profile cannot say a part of a schema.",
        "refused-in-strict-mode": "Strict mode refuses something that is otherwise accepted.",
        "refused-name": "A parameter has a name that clients refuse.",
        "refused-tool-name": "A tool has a name that a provider refuses.",
        "repeated-schema": "Types that are written out several times make a tool large.",
        "request-limit": "A request has no room for a tool after those before it.",
        "undescribed-parameter": "Nothing describes a parameter.",
        "undescribed-tool": "Nothing describes a tool.",
        "unknown-format": "A format is not one that JSON Schema or OpenAPI defines.",
        "unknown-parameter": "The docstring describes a parameter that is not there.",
        "unreachable-parameter": "Neither another tool nor the user provides a required parameter.",
        "unresolved-name": "An annotation in quotes names what cannot be found.",
    }
)
"""What each code means; a code keeps its meaning."""


class Finding(Frozen):
    """One fact: where it is, which kind it is of, and what it is.

    Attributes:
        place: Such as ``deploy(params).filters``.
        code: One of ``CODES``.
        message: What is the case, and what to do about it.

    Example:
        >>> from milo_schema.checks import Finding
        >>> print(Finding("deploy(x)", "any-parameter", "it takes any value; annotate it"))
        deploy(x): it takes any value; annotate it [any-parameter]
    """

    place: str
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message} [{self.code}]"
