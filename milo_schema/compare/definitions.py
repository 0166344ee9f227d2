"""Find the changes between two versions of a tool, or of several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from milo_schema.annotations import Json
from milo_schema.compare.changes import Change, Effect, compare_schemas
from milo_schema.compare.places import ABSENT, canonical, change_of, renamed, without_titles
from milo_schema.errors import RESULT
from milo_schema.profile import MCP, Profile
from milo_schema.tools.definition import ToolSchema
from milo_schema.tools.origin import origin_of
from milo_schema.tools.several import tool_schema

# -- what is compared --------------------------------------------------------------------------


def own_profile(tools: Iterable[Any]) -> Profile | None:
    """The profile of the first tool that was made from a function."""
    origins = (origin_of(each) for each in tools if isinstance(each, ToolSchema))
    return next((each.profile for each in origins if each.reading is not None), None)


def define(tool: Any, given: Profile | None, otherwise: Profile = MCP) -> ToolSchema:
    """The definition of a function in the profile that is given, or otherwise in another one.

    A tool that was made from a function is read again in the one that is given, and only in that.
    """
    if not isinstance(tool, ToolSchema):
        return tool_schema(tool, profile=given or otherwise)
    return tool.with_profile(given) if given and own_profile([tool]) else tool


# -- several tools -----------------------------------------------------------------------------


def compare_all(olds: Mapping[str, Json], news: Mapping[str, Json]) -> Iterator[tuple[str, Change]]:
    """The changes of each tool, with its old name, in the order of names.

    Args:
        olds: The definitions in the format of MCP, by name.
        news: Those that replace them.
    """
    new_names = renamed(_texts(olds, news), _texts(news, olds))
    for name in sorted(olds.keys() | news.keys() - {*new_names.values()}):
        if name in new_names:
            yield name, Change(f"{name} -> {new_names[name]}", "renamed", "breaking")
        elif name not in olds:
            yield name, Change(name, "added", "compatible")
        elif name not in news:
            yield name, Change(name, "removed", "breaking")
        else:
            for each in compare_definitions(name, olds[name], news[name]):
                yield name, each


def _texts(tools: Mapping[str, Json], others: Iterable[str]) -> dict[str, str]:
    """The text of the definitions that are not among others, if they say anything."""
    return {
        name: canonical(tools[name])
        for name in tools.keys() - others
        if "description" in tools[name] or tools[name]["inputSchema"].get("properties")
    }


# -- one tool ----------------------------------------------------------------------------------


def compare_definitions(name: str, old: Json, new: Json) -> list[Change]:
    """The changes between two definitions of a tool in the format of MCP, apart from its name."""
    return [
        *_compare_fields(name, old, new),
        *_compare_schemas(name, old["inputSchema"], new["inputSchema"]),
        *_compare_outputs(name + RESULT, old.get("outputSchema"), new.get("outputSchema")),
    ]


_SCHEMAS = {"name", "inputSchema", "outputSchema"}
_WORDS = {"title", "description", "icons", "annotations", "_meta"}
"""The fields that only people and models read, and hints that no client may rely on."""


_BY_DEFAULT = {"execution": {"taskSupport": "forbidden"}}
"""The fields that say nothing with this value."""


def _compare_fields(name: str, old: Json, new: Json) -> Iterator[Change]:
    old, new = (
        {key: each for key, each in tool.items() if _BY_DEFAULT.get(key) != each}
        for tool in (old, new)
    )
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
    if canonical(old) == canonical(new):
        return []
    changes = compare_schemas(old, new, path, output=output)
    if changes or canonical(without_titles(old)) == canonical(without_titles(new)):
        return changes  # a title that is not reported repeats a name
    return [Change(path, "spelled differently, with the same meaning", "reworded", output=output)]
