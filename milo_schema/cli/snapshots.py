"""Schemas in a file, to be compared with those of another day.

A snapshot is a file that people review: JSON, sorted, one name for each function. It names
its format, and the profile that its schemas were made with.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from milo_schema.cli.terminal import CommandError, dumped
from milo_schema.compare import Change, compare
from milo_schema.json_schema.metaschema import check
from milo_schema.tools import tool_schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from milo_schema.profiles import Profile

    Json = dict[str, Any]

__all__ = ["Snapshot", "changes", "content_of", "entry", "read", "write"]

FORMAT = 1
_HEAD = "milo_schema_snapshot"


class Snapshot:
    """What functions took and gave back.

    Attributes:
        profile: The name of the profile that their schemas were made by.
        functions: For each name ``{"description": ..., "input": ..., "output": ...}``; what is
            not said is absent.
    """

    def __init__(self, profile: str, functions: Mapping[str, Any]) -> None:
        self.profile = profile
        self.functions = functions


def entry(func: Callable[..., Any], profile: Profile) -> Json:
    """What a snapshot has of a function.

    Args:
        func: A function, method, class or other callable.
        profile: What its schemas should say.

    Returns:
        A dict such as ``{"description": "Do it.", "input": {...}, "output": {...}}``.

    Raises:
        SchemaError: It has no schema.
    """
    tool = tool_schema(func, name="function", profile=profile)
    parts = {
        "description": tool.description,
        "input": tool.input_schema,
        "output": tool.output_schema,
    }
    return {key: value for key, value in parts.items() if value is not None}


def changes(old: Snapshot, new: Snapshot) -> list[Change]:
    """Say what changed between two snapshots.

    Args:
        old: What callers know.
        new: What they meet.

    Returns:
        What changed, function by function.
    """
    found: list[Change] = []
    for name in sorted(old.functions.keys() | new.functions.keys()):
        if name not in new.functions:
            found.append(Change(name, "removed", "breaking"))
        elif name not in old.functions:
            found.append(Change(name, "added", "compatible"))
        else:
            found += _function(name, old.functions[name], new.functions[name])
    return found


def _function(name: str, old: Json, new: Json) -> list[Change]:
    described = [{key: parts[key] for key in parts if key == "description"} for parts in (old, new)]
    found = [
        *compare(described[0], described[1], path=name),
        *compare(old["input"], new["input"], path=name),
    ]
    path = f"{name}() -> "
    if "output" in old and "output" in new:
        found += compare(old["output"], new["output"], path=path, output=True)
    elif "output" in old:
        found.append(Change(path, "no output schema any more", "breaking"))
    elif "output" in new:
        found.append(Change(path, "has an output schema", "compatible"))
    return found


# -- files -------------------------------------------------------------------------------------


def content_of(snapshot: Snapshot) -> Json:
    """A snapshot as JSON, sorted but for its head."""
    functions = json.loads(json.dumps(snapshot.functions, sort_keys=True))
    return {_HEAD: FORMAT, "profile": snapshot.profile, "functions": functions}


def write(name: str, snapshot: Snapshot) -> None:
    """Write a snapshot to a file.

    Raises:
        CommandError: It cannot be written.
    """
    text = dumped(content_of(snapshot), "utf-8")
    try:
        Path(name).write_text(f"{text}\n", encoding="utf-8", newline="\n")
    except OSError as problem:
        raise CommandError(f"cannot write {name}: {problem.strerror}") from None


def read(name: str) -> Snapshot:
    """Read a snapshot from a file; ``-``: from standard input.

    Raises:
        CommandError: It cannot be read, or is none.
    """
    try:
        content = json.loads(_standard_input() if name == "-" else Path(name).read_bytes())
    except OSError as problem:
        raise CommandError(f"cannot read {name}: {problem.strerror}") from None
    except (ValueError, RecursionError) as problem:
        raise CommandError(f"{name} is not a snapshot: {problem}") from None
    try:
        return _checked(content)
    except ValueError as problem:
        raise CommandError(f"{name} is not a snapshot: {problem}") from None


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise CommandError("cannot read -: standard input is closed")
    return sys.stdin.buffer.read()


def _checked(content: Any) -> Snapshot:
    if type(content) is not dict or _HEAD not in content:
        raise ValueError(f"it has no {_HEAD!r}; write one with milo-schema snapshot")
    if content[_HEAD] != FORMAT:
        text = f"it has format {content[_HEAD]!r}, and this release reads {FORMAT}"
        raise ValueError(f"{text}; take it again, or use the release that wrote it")
    profile, functions = content.get("profile"), content.get("functions")
    if type(profile) is not str:
        raise ValueError("it does not say by which profile it was made")
    if type(functions) is not dict:
        raise ValueError("it has no functions")
    for name, parts in functions.items():
        _check_entry(name, parts)
    return Snapshot(profile, functions)


def _check_entry(name: str, parts: Any) -> None:
    if type(parts) is not dict or "input" not in parts:
        raise ValueError(f"{name} has no input schema")
    for key in parts.keys() & {"input", "output"}:
        try:
            _check_schema(parts[key])
        except ValueError as problem:
            raise ValueError(f"the {key} schema of {name} {problem}") from None


def _check_schema(schema: Any) -> None:
    if type(schema) is not dict:
        raise ValueError("is no object")
    check(schema)
