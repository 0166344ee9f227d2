"""The file of a snapshot: the schemas of functions at one time.

People review it: it is sorted JSON with an entry for each function, and it stores a definition that
several schemas share only once. It contains the version of its format, and the profile.
"""

import json
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from milo_schema.annotations import Json
from milo_schema.errors import SchemaError
from milo_schema.json_schema.definitions import SchemaDefinitions, Shared
from milo_schema.json_schema.drafts import read_schema
from milo_schema.json_schema.subschemas import without
from milo_schema.profile import Profile
from milo_schema.tools.definition import ToolSchema

FORMAT = 2
_KEYS = {"inputSchema": "input", "outputSchema": "output"}
"""The keys of MCP that have another name in the file."""
HEAD = "milo_schema_snapshot"
_WIDTH = 100


class Snapshot(NamedTuple):
    """The schemas of functions at one time.

    Attributes:
        profile: The name of the profile of the schemas.
        functions: The definition of each in the format of MCP, without its name.
    """

    profile: str
    functions: Mapping[str, Json]


def snapshot_of(tools: Iterable[ToolSchema], made_with: Profile) -> Snapshot:
    """A snapshot of tools.

    Raises:
        SchemaError: Two of them have the same name.
    """
    found: Json = {}
    for tool in tools:
        if tool.name in found:
            raise SchemaError("two tools have this name", tool.name)
        found[tool.name] = entry(tool)
    return Snapshot(made_with.name, found)


def entry(tool: ToolSchema) -> Json:
    """The definition of a tool without its name."""
    return without(tool.to_mcp(), "name")


# -- writing -----------------------------------------------------------------------------------


def snapshot_to_json(snapshot: Snapshot) -> Json:
    """A snapshot as JSON, sorted except for its head, with shared definitions written once."""
    shared = Shared()
    functions = {
        name: {
            _KEYS.get(key, key): shared.take(part) if key in _KEYS else part
            for key, part in parts.items()
        }
        for name, parts in sorted(snapshot.functions.items())
    }
    body = {"$defs": shared.definitions, "functions": functions}
    head = {HEAD: FORMAT, "profile": snapshot.profile}
    return {**head, **json.loads(json.dumps(body, sort_keys=True))}


def format_json(value: Any, indent: str = "") -> str:
    """JSON for reviews: a value is on one line if it fits."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= _WIDTH or not isinstance(value, (dict, list)):
        return line
    inner = f"{indent} "
    if isinstance(value, dict):
        parts = [
            f"{json.dumps(key, ensure_ascii=False)}: {format_json(part, inner)}"
            for key, part in value.items()
        ]
    else:
        parts = [format_json(part, inner) for part in value]
    body = ",\n".join(inner + part for part in parts)
    return f"{{\n{body}\n{indent}}}" if isinstance(value, dict) else f"[\n{body}\n{indent}]"


# -- reading -----------------------------------------------------------------------------------


def parse_snapshot(content: Any) -> Snapshot:
    """Parse the content of a file as a snapshot.

    Raises:
        ValueError: It is not a snapshot.
    """
    if type(content) is not dict or HEAD not in content:
        raise ValueError(f"it has no {HEAD!r}; write one with milo-schema snapshot")
    if content[HEAD] != FORMAT:
        text = f"it has format {content[HEAD]!r}, but this release reads {FORMAT}"
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
    _check({"$defs": shared})
    definitions = SchemaDefinitions({"$defs": shared})
    return Snapshot(
        profile, {name: _restore(parts, definitions) for name, parts in functions.items()}
    )


def _check(schema: Json, place: str = "") -> None:
    for each in read_schema(schema).faults:
        if each.code == "invalid-schema":
            raise ValueError(place + each.message)


def _check_entry(name: str, parts: Any) -> None:
    if type(parts) is not dict or "input" not in parts:
        raise ValueError(f"{name} has no input schema")
    for key in parts.keys() & _KEYS_OF_MCP.keys():
        place = f"the {key} schema of {name}"
        if type(parts[key]) is not dict:
            raise ValueError(f"{place}: it must be an object")
        _check(parts[key], f"{place}: ")


def _restore(parts: Json, definitions: SchemaDefinitions) -> Json:
    return {
        _KEYS_OF_MCP.get(key, key): definitions.restore(part) if key in _KEYS_OF_MCP else part
        for key, part in parts.items()
    }


_KEYS_OF_MCP = {ours: key for key, ours in _KEYS.items()}


# -- files -------------------------------------------------------------------------------------


def is_object_with(key: str, content: bytes) -> bool:
    """Whether the content of a file is a JSON object with a key, such as that of a snapshot."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return type(found) is dict and key in found


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def replace_file(path: Path, content: bytes) -> None:
    """Write a whole file or nothing: beside the other one, whose name it then gets.

    The file beside it is a new one, with a name that others cannot foresee: a link that stood there
    would lead elsewhere.
    """
    name = f".{path.name[:40]}.{os.getpid()}.{os.urandom(4).hex()}"  # 255 bytes are allowed
    beside = path.with_name(name)
    if path.exists():
        path.open("ab").close()  # what may not be written is not replaced
    new = os.open(beside, _NEW, 0o666)
    try:
        with os.fdopen(new, "wb") as file:
            file.write(content)
        if path.exists():
            beside.chmod(stat.S_IMODE(path.stat().st_mode))
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
