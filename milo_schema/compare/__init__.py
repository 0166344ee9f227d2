"""Find the changes between two versions of functions, tools, toolboxes or schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from milo_schema.callables.wrappers import function_inside
from milo_schema.compare.changes import Change, compare_schemas
from milo_schema.compare.definitions import compare_all, compare_definitions, define, own_profile
from milo_schema.compare.places import change_of
from milo_schema.compare.snapshots import HEAD, snapshot_of
from milo_schema.errors import SchemaError, shown
from milo_schema.profile import MCP, Profile
from milo_schema.tools.definition import ToolSchema
from milo_schema.tools.several import each_of
from milo_schema.tools.toolbox import Toolbox
from milo_schema.tools.wire import NOT_MCP, OTHER_KEYS, WIRE_FORMS

__all__ = ["Change", "compare"]


def compare(
    old: Any, new: Any, *, path: str = "", output: bool = False, profile: Profile | None = None
) -> list[Change]:
    """Find the changes between two versions of a tool, of several tools, or of a schema.

    A tool is a function, a ``ToolSchema``, or its definition in the format of MCP, as a dict. Each
    of its fields is compared. Several tools are a ``Toolbox``, a list, or an object with methods.

    Args:
        old: The tools or the JSON Schema that callers know; a schema may be of any draft that
            ``docs/dialects.md`` names.
        new: Those that replace them.
        path: The beginning of the path of each change between two schemas; a tool has its name.
        output: Whether two schemas are output schemas, which readers of results rely on, not input
            schemas, which callers have to satisfy.
        profile: How the schemas of functions are written; by default, as those of the tools beside
            them, or with ``profiles.MCP``.

    Returns:
        The changes; empty if there are none. Those that break have a ``witness``, if one is found:
        a call that worked before and fails now.

    Raises:
        SchemaError: A schema is not valid, a function has no schema, or these cannot be compared.

    Example:
        >>> from milo_schema.compare import compare
        >>> def deploy(version: str = "latest"): ...
        >>> before = deploy
        >>> def deploy(replicas: int, version: str = "stable"): ...
        >>> for change in compare(before, deploy):
        ...     print(change)
        deploy.version: default "latest" -> "stable" (compatible)
        deploy.replicas: added, required (breaking): {} worked before
    """
    if _is_schema(old) and _is_schema(new):
        return compare_schemas(old, new, path, output=output)
    if _is_schema(old) or _is_schema(new):
        reason = "a schema can only be compared with a schema"
        raise SchemaError(f"{reason}; pass the input_schema or the output_schema of the tool")
    if path or output:
        raise SchemaError("path= and output= are for schemas; a tool has a name, and both schemas")
    sides = [[*each_of([each])] for each in (old, new)]
    own = own_profile([*sides[0], *sides[1]]) or MCP
    olds, news = ([define(each, profile, own) for each in side] for side in sides)
    if _is_one(old) and _is_one(new):
        return _compare_two(olds[0], news[0])
    before, after = (snapshot_of(each, own).functions for each in (olds, news))
    return [each for _, each in compare_all(before, after)]


_OTHER_FORMS = {
    "tools": 'an answer to tools/list is a mapping; pass its list, answer["tools"]',
    HEAD: "a snapshot is compared by testing.assert_unchanged(), or by milo-schema diff",
    **dict.fromkeys(OTHER_KEYS, NOT_MCP),
}
"""The reason why a mapping with a key cannot be compared: no JSON Schema has these keys."""


def _is_schema(thing: Any) -> bool:
    """Whether a thing is a schema; other mappings are definitions and toolboxes."""
    if thing is None or (isinstance(thing, (str, bytes, float, int)) and type(thing) is not bool):
        raise SchemaError(f"expected a function, tools or a schema, got {shown(thing)}")
    if isinstance(thing, Toolbox) or not isinstance(thing, Mapping):
        return type(thing) is bool
    if others := sorted(thing.keys() & _OTHER_FORMS.keys()):
        raise SchemaError(_OTHER_FORMS[others[0]])
    return "inputSchema" not in thing


def _is_one(thing: Any) -> bool:
    """Whether a thing is a single tool."""
    is_definition = type(thing) is dict and "inputSchema" in thing
    return is_definition or isinstance(thing, ToolSchema) or callable(function_inside(thing))


def _compare_two(old: ToolSchema, new: ToolSchema) -> list[Change]:
    definitions = map(WIRE_FORMS["mcp"].write_unnamed, (old, new))
    changes = compare_definitions(new.name, *definitions)
    if old.name == new.name:
        return changes
    return [Change(new.name, change_of("name", old.name, new.name), "breaking"), *changes]
