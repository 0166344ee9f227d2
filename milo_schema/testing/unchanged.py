"""The file of ``testing.assert_unchanged()``: the tools as callers know them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from milo_schema.annotations import Json
from milo_schema.compare import snapshots
from milo_schema.compare.definitions import compare_all, define, own_profile
from milo_schema.profile import MCP, Profile
from milo_schema.tools.several import each_of

_RUN = "run the test with MILO_SCHEMA_UPDATE=1"
_NOT_HERE = "nothing is written where CI is set; run the test elsewhere, and commit {}"
_MOST = 20
"""The most changes that a failure lists: a screen."""


def folder_of(frame: FrameType) -> Path:
    """The folder of the file that runs in a frame; the current one if it is not in a file."""
    file = frame.f_globals.get("__file__")
    return Path(file).absolute().parent if isinstance(file, str) else Path()


def compare_with_file(tools: Any, path: Path, profile: Profile | None, *, exact: bool) -> list[str]:
    """The lines about a file that does not have the tools; empty if it has, or has them now."""
    content = _content(tools, profile)
    is_update = os.environ.get("MILO_SCHEMA_UPDATE") == "1"
    is_ci = os.environ.get("CI", "").lower() not in ("", "0", "false")
    if is_update and not is_ci:
        return _update(path, content)
    accept, write = f"{_RUN} to accept this", f"{_RUN} to write it"
    if is_update:
        accept = write = _NOT_HERE.format(path.name)
    if not path.exists():
        return [f"{path.name} is missing; {write}"]
    old, new = _read(path), snapshots.parse_snapshot(content)
    if old.profile != new.profile:
        taken = f"{path.name} has schemas of the profile {old.profile}, not {new.profile}"
        return [f"{taken}; pass the same profile="]
    changes = _lines(old, new, exact=exact or is_update)
    return [*changes, accept] if changes else []


def _content(tools: Any, profile: Profile | None) -> Json:
    """The content of the file for tools; named types are in ``$defs``, so that they are short."""
    things = [*each_of(_things(tools))]
    own = own_profile(things) or MCP
    given = profile and profile.replace(inline=False)
    definitions = [define(each, given, own.replace(inline=False)) for each in things]
    return snapshots.snapshot_to_json(snapshots.snapshot_of(definitions, profile or own))


def _things(tools: Any) -> Iterable[Any]:
    """The things that stand for tools: those in a collection, or the only one."""
    if isinstance(tools, Mapping) and "inputSchema" not in tools:
        return tools.values()
    is_one = isinstance(tools, Mapping) or not isinstance(tools, Iterable)
    return [tools] if is_one else tools


def _lines(old: snapshots.Snapshot, new: snapshots.Snapshot, *, exact: bool) -> list[str]:
    """A line for each change that matters, those that break callers first."""
    every = compare_all(old.functions, new.functions)
    found = [change for _, change in every if exact or change.breaks]
    found.sort(key=lambda change: not change.breaks)
    more = [f"(and {len(found) - _MOST} more changes)"] if len(found) > _MOST else []
    return [*map(str, found[:_MOST]), *more]


# -- reading and writing -----------------------------------------------------------------------


def _read(path: Path) -> snapshots.Snapshot:
    try:
        return snapshots.parse_snapshot(json.loads(path.read_bytes()))
    except (ValueError, RecursionError) as problem:
        raise AssertionError(f"{path.name} is not a snapshot: {problem}") from None


def _update(path: Path, content: Json) -> list[str]:
    """Write the file, and print what changes; the lines about a file that cannot be written."""
    text = f"{snapshots.format_json(content)}\n".encode()
    try:
        known = path.read_bytes() if path.exists() else b""
        if known == text:
            return []
        if known and not snapshots.is_object_with(snapshots.HEAD, known):
            return [f"{path.name} is not a snapshot, so it is not overwritten; name another file"]
        if not path.parent.is_dir():
            return [f"there is no folder {path.parent} for {path.name}; create it"]
        snapshots.replace_file(path, text)
    except OSError as problem:
        return [f"cannot write {path.name}: {problem.strerror}"]
    for line in [*_accepted(known, content), f"wrote {path}"]:
        sys.stdout.write(f"{line}\n")
    return []


def _accepted(known: bytes, content: Json) -> Iterator[str]:
    """The changes that an update accepts, if the file could be read."""
    try:
        old, new = snapshots.parse_snapshot(json.loads(known)), snapshots.parse_snapshot(content)
    except ValueError:
        return
    if old.profile == new.profile:
        yield from _lines(old, new, exact=True)
