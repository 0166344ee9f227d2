"""Write schemas to a file, and compare them with later ones.

A snapshot is a file that people review: sorted JSON with an entry for each function. It contains
the version of its format, and the profile of its schemas.
"""

from __future__ import annotations

import json

from milo_schema.annotations import Any, Json, Mapping
from milo_schema.cli.definitions import Definitions, Shared
from milo_schema.cli.terminal import CommandError, write_file
from milo_schema.compare import Change, compare
from milo_schema.comparison.labels import ABSENT, change_of
from milo_schema.json_schema.metaschema import check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.tools import ToolSchema
else:
    ToolSchema = Any


__all__ = ["Snapshot", "changes", "content_of", "entry", "read", "write"]

FORMAT = 2
_HEAD = "milo_schema_snapshot"


class Snapshot:
    """The input and output schemas of functions at one time.

    Attributes:
        profile: The name of the profile of the schemas.
        functions: For each name ``{"description": ..., "input": ..., "output": ...}``, without
            keys that do not apply.
    """

    def __init__(self, profile: str, functions: Mapping[str, Any]) -> None:
        self.profile = profile
        self.functions = functions


def entry(tool: ToolSchema) -> Json:
    """The entry of a tool in a snapshot, such as ``{"description": "Do it.", "input": {...}}``."""
    return {_KEYS.get(key, key): part for key, part in tool.to_mcp().items() if key != "name"}


_KEYS = {"inputSchema": "input", "outputSchema": "output"}


def changes(old: Snapshot, new: Snapshot) -> list[Change]:
    """Find the changes between two snapshots.

    Args:
        old: The snapshot that callers know.
        new: The snapshot that replaces it.

    Returns:
        The changes, function by function.
    """
    found: list[Change] = []
    for name in sorted(old.functions.keys() | new.functions.keys()):
        if name not in new.functions:
            found.append(Change(name, "removed", "breaking"))
        elif name not in old.functions:
            found.append(Change(name, "added", "compatible"))
        elif _text(old.functions[name]) != _text(new.functions[name]):  # most are unchanged
            found += _function(name, old.functions[name], new.functions[name])
    return found


def _text(value: Json) -> str:
    return json.dumps(value, sort_keys=True)


def _function(name: str, old: Json, new: Json) -> list[Change]:
    found = [
        Change(name, change_of(key, old.get(key, ABSENT), new.get(key, ABSENT)), "reworded")
        for key in sorted(old.keys() | new.keys())
        if key not in _KEYS.values() and old.get(key) != new.get(key)
    ]
    found += compare(old["input"], new["input"], path=name)
    path = f"{name}() -> result"
    if "output" in old and "output" in new:
        found += compare(old["output"], new["output"], path=path, output=True)
    elif "output" in old:
        found.append(Change(path, "no output schema any more", "breaking"))
    elif "output" in new:
        found.append(Change(path, "has an output schema", "compatible"))
    return found


FAIL_ON: dict[str, tuple[str, ...]] = {
    "breaking": ("breaking", "may break"),
    "reworded": ("breaking", "may break", "reworded"),
    "any": ("breaking", "may break", "reworded", "compatible"),
}
"""The effects that make a comparison fail, for each value of ``--fail-on``."""


# -- files -------------------------------------------------------------------------------------


def content_of(snapshot: Snapshot) -> Json:
    """A snapshot as JSON, sorted except for its head, with shared definitions written once."""
    shared = Shared()
    functions: Json = {}
    for name, parts in sorted(snapshot.functions.items()):
        schemas = {key: shared.take(parts[key]) for key in ("input", "output") if key in parts}
        functions[name] = {**parts, **schemas}
    body = {"$defs": shared.definitions, "functions": functions}
    head = {_HEAD: FORMAT, "profile": snapshot.profile}
    return {**head, **json.loads(json.dumps(body, sort_keys=True))}


def laid_out(value: Any, indent: str = "") -> str:
    """JSON for reviews: a value is on one line if it fits."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= _WIDTH or not isinstance(value, (dict, list)):
        return line
    inner = f"{indent} "
    if isinstance(value, dict):
        parts = [
            f"{json.dumps(key, ensure_ascii=False)}: {laid_out(part, inner)}"
            for key, part in value.items()
        ]
    else:
        parts = [laid_out(part, inner) for part in value]
    body = ",\n".join(inner + part for part in parts)
    return f"{{\n{body}\n{indent}}}" if isinstance(value, dict) else f"[\n{body}\n{indent}]"


_WIDTH = 100


def reread(snapshot: Snapshot) -> Snapshot:
    """The same snapshot, with the names that its definitions have in a file."""
    return _checked(content_of(snapshot))


def write(name: str, snapshot: Snapshot) -> None:
    """Write a snapshot to a file.

    Raises:
        CommandError: It cannot be written.
    """
    write_file(name, laid_out(content_of(snapshot)))


def read(name: str, content: Any) -> Snapshot:
    """Parse the content of a file as a snapshot.

    Raises:
        CommandError: It is not a snapshot.
    """
    try:
        return _checked(content)
    except ValueError as problem:
        raise CommandError(f"{name} is not a snapshot: {problem}") from None


def _checked(content: Any) -> Snapshot:
    if type(content) is not dict or _HEAD not in content:
        raise ValueError(f"it has no {_HEAD!r}; write one with milo-schema snapshot")
    if content[_HEAD] != FORMAT:
        text = f"it has format {content[_HEAD]!r}, but this release reads {FORMAT}"
        raise ValueError(f"{text}; recreate it, or use the release that wrote it")
    profile, functions = content.get("profile"), content.get("functions")
    if type(profile) is not str:
        raise ValueError("it does not name the profile that made it")
    if type(functions) is not dict:
        raise ValueError("it has no functions")
    for name, parts in functions.items():
        _check_entry(name, parts)
    shared = content.get("$defs")
    shared = shared if type(shared) is dict else {}
    _check_schema({"$defs": shared})
    definitions = Definitions(shared)
    whole = {
        name: {
            key: definitions.restored(part) if key in _KEYS.values() else part
            for key, part in parts.items()
        }
        for name, parts in functions.items()
    }
    return Snapshot(profile, whole)


def _check_entry(name: str, parts: Any) -> None:
    if type(parts) is not dict or "input" not in parts:
        raise ValueError(f"{name} has no input schema")
    for key in parts.keys() & {"input", "output"}:
        try:
            _check_schema(parts[key])
        except ValueError as problem:
            raise ValueError(f"the {key} schema of {name}: {problem}") from None


def _check_schema(schema: Any) -> None:
    if type(schema) is not dict:
        raise ValueError("it must be an object")
    check(schema)
