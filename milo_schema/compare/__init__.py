"""Find the changes between two schemas, and whether they break a caller.

Each rule (``compare.rules``) compares one aspect of a schema, such as bounds, choices or
properties, and decides for each difference whether the new schema is *narrower*, so that it accepts
fewer values, and whether it is *wider*. This is all that matters: a narrower input breaks callers,
a wider output breaks readers. If a rule cannot decide, the change may break, which counts as
breaking.

Callers are not expected to send or read a property that the schema does not name, unless it has a
schema for additional properties.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from milo_schema.annotations import Json
from milo_schema.annotations.frozen import Frozen
from milo_schema.compare.places import ABSENT, Difference, Place, canonical, change_of
from milo_schema.compare.rules import compare_assertions
from milo_schema.json_schema.drafts import valid_schema
from milo_schema.json_schema.values import copied_part
from milo_schema.tools.definition import ToolSchema
from milo_schema.tools.wire import WIRE_FORMS

Effect = Literal["compatible", "reworded", "breaking", "may break"]

__all__ = ["Change", "compare", "compare_tools"]


class Change(Frozen):
    """One change: where, what, and whether it breaks callers or readers.

    Attributes:
        path: The path, such as ``deploy.version``.
        message: The change, such as ``default "latest" -> "stable"``.
        effect: ``"compatible"``, ``"breaking"``, or ``"may break"`` if it cannot be decided;
            ``"reworded"`` if only text for people and models changed, such as a description.

    Example:
        >>> from milo_schema.compare import Change
        >>> change = Change("deploy.replicas", "added, required", "breaking")
        >>> print(change)
        deploy.replicas: added, required (breaking)
        >>> change.breaks
        True
    """

    path: str
    message: str
    effect: Effect

    @property
    def breaks(self) -> bool:
        """Whether it breaks callers or readers, or may break them."""
        return self.effect in ("breaking", "may break")

    def __str__(self) -> str:
        place = f"{self.path}: " if self.path else ""
        return f"{place}{self.message} ({self.effect})"


Schema = Mapping[str, Any] | bool


def compare(old: Schema, new: Schema, *, path: str = "", output: bool = False) -> list[Change]:
    """Find the changes between two schemas.

    Args:
        old: The JSON Schema that callers know, of any draft that ``docs/dialects.md`` names.
        new: The JSON Schema that replaces it.
        path: The beginning of the path of each change, such as the name of the function.
        output: Whether these are output schemas, which readers of results rely on, not input
            schemas, which callers have to satisfy.

    Returns:
        The changes; empty if there are none.

    Raises:
        SchemaError: One of them is not a JSON Schema.

    Example:
        >>> from milo_schema import function_to_schema
        >>> from milo_schema.compare import compare
        >>> def deploy(version: str = "latest"): ...
        >>> before = function_to_schema(deploy)
        >>> def deploy(replicas: int, version: str = "stable"): ...
        >>> for change in compare(before, function_to_schema(deploy), path="deploy"):
        ...     print(change)
        deploy.version: default "latest" -> "stable" (compatible)
        deploy.replicas: added, required (breaking)
    """
    before, after = _read(old, "old schema", path), _read(new, "new schema", path)
    place = Place(path, before, after, compare_assertions)
    return [
        Change(each.path, each.message, _effect(each.widens if output else each.narrows, each))
        for each in place.differences(before, after)
    ]


def _read(schema: Schema, what: str, path: str) -> Any:
    return valid_schema(copied_part(schema, what, path), what, path.__add__)


_EFFECTS: tuple[Effect, ...] = ("compatible", "may break", "breaking")
"""The effects of ``NO``, ``MAYBE`` and ``YES`` on callers or readers."""


def _effect(breaks: int, difference: Difference) -> Effect:
    return "reworded" if difference.is_of_words else _EFFECTS[breaks]


# -- tools -------------------------------------------------------------------------------------


def compare_tools(old: ToolSchema, new: ToolSchema) -> list[Change]:
    """Find the changes between two versions of a tool, in its schemas and in every other field.

    Args:
        old: The definition that callers know.
        new: The definition that replaces it.

    Returns:
        The changes; empty if the definitions are the same in the format of MCP.

    Raises:
        SchemaError: One of the schemas is not a JSON Schema.

    Example:
        >>> from milo_schema import ToolSchema
        >>> from milo_schema.compare import compare_tools
        >>> ping = {"name": "ping", "inputSchema": {"type": "object"}}
        >>> later = {**ping, "execution": {"taskSupport": "required"}}
        >>> for change in compare_tools(ToolSchema.from_mcp(ping), ToolSchema.from_mcp(later)):
        ...     print(change)
        ping: execution {"taskSupport": "required"} added (may break)
    """
    renamed = Change(new.name, change_of("name", old.name, new.name), "breaking")
    changes = compare_definitions(new.name, *map(WIRE_FORMS["mcp"].write_unnamed, (old, new)))
    return changes if old.name == new.name else [renamed, *changes]


def compare_definitions(name: str, old: Json, new: Json) -> list[Change]:
    """The changes between two definitions of a tool in the format of MCP, apart from its name."""
    return [
        *_compare_fields(name, old, new),
        *_compare_schemas(name, old["inputSchema"], new["inputSchema"]),
        *_compare_outputs(f"{name}() -> result", old.get("outputSchema"), new.get("outputSchema")),
    ]


_SCHEMAS = {"name", "inputSchema", "outputSchema"}
_WORDS = {"title", "description", "icons", "annotations", "_meta"}
"""The fields that only people and models read, and hints that no client may rely on."""


def _compare_fields(name: str, old: Json, new: Json) -> Iterator[Change]:
    for key in sorted((old.keys() | new.keys()) - _SCHEMAS):
        before, after = old.get(key, ABSENT), new.get(key, ABSENT)
        if ABSENT in (before, after) or canonical(before) != canonical(after):
            effect: Effect = "reworded" if key in _WORDS else "may break"
            yield Change(name, change_of(key, before, after), effect)


def _compare_outputs(path: str, old: Any, new: Any) -> list[Change]:
    if old is None and new is None:
        return []
    if new is None:
        return [Change(path, "no output schema any more", "breaking")]
    if old is None:
        return [Change(path, "has an output schema", "compatible")]
    return _compare_schemas(path, old, new, output=True)


def _compare_schemas(path: str, old: Any, new: Any, *, output: bool = False) -> list[Change]:
    """The changes between two schemas, even if they only have another spelling."""
    if canonical(old) == canonical(new):  # as most are
        return []
    changes = compare(old, new, path=path, output=output)
    return changes or [Change(path, "spelled differently, with the same meaning", "reworded")]
