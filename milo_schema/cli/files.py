"""Files of JSON: read one, and write one that may be written."""

import json
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from milo_schema.cli.terminal import CommandError, printable_json
from milo_schema.compare.snapshots import is_object_with, replace_file


def read_json(name: str) -> Any:
    """The JSON in a file, or on standard input for ``-``.

    Raises:
        CommandError: It cannot be read, or is not JSON.
    """
    if name == "-" and sys.stdin is None:
        raise CommandError("cannot read -: standard input is closed")
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) <= MAX_BYTES:
            return json.loads(content)
        reason = f"it has more than {MAX_BYTES:,} bytes"
    except OSError as problem:
        reason = str(problem.strerror)
    except RecursionError:
        reason = "it is nested too deeply"
    except ValueError as problem:
        raise CommandError(f"{name} is not JSON: {problem}{_way_out(problem)}") from None
    raise CommandError(f"cannot read {name}: {reason}")


def _way_out(problem: ValueError) -> str:
    """The advice about a file in a format that looks like JSON; empty for any other."""
    if not isinstance(problem, json.JSONDecodeError):
        return ""
    if problem.doc[problem.pos : problem.pos + 1] in ("/", "#"):
        return "; remove the comments"
    is_more = problem.msg == "Extra data"
    return "; if each line is a value (JSON Lines), put them into one list" if is_more else ""


MAX_BYTES = 100_000_000
"""The most bytes of a file of JSON: a pipe or a device may have no end."""


def check_target(name: str, key: str, what: str) -> Path:
    """The absolute path of a file that may be written: it is missing or empty, or has a key.

    Ask before modules are imported, which may change the folder.

    Raises:
        CommandError: It is anything else, which would be lost.
    """
    if name == "-":
        raise CommandError(f"{what} is a file; name it instead of -")
    path = Path(os.path.realpath(name))
    try:
        content = path.read_bytes() if path.is_file() else b""
    except OSError as problem:
        raise CommandError(f"cannot read {name}: {problem.strerror}") from None
    if content and not is_object_with(key, content):
        raise CommandError(f"{name} is not {what}, so it is not overwritten; name another file")
    return path


def write_json(name: str, path: Path, text: str) -> None:
    """Write the text of a JSON value and a line break: the whole file, or nothing.

    Raises:
        CommandError: It cannot be written.
    """
    content = f"{printable_json(text)}\n".encode()
    try:
        if path.exists() and not path.is_file():  # such as /dev/stdout
            path.write_bytes(content)
        else:
            replace_file(path, content)
    except OSError as problem:
        raise CommandError(f"cannot write {name}: {problem.strerror}") from None
