"""The JSON files that the commands read and write."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from milo_schema.cli.terminal import CommandError, printable_json
from milo_schema.compare.snapshots import replace_file

__all__ = ["check_target", "read_json", "tools_in", "write_json"]


def read_json(name: str) -> Any:
    """The JSON in a file, or on standard input for ``-``.

    Raises:
        CommandError: It cannot be read, or is not JSON.
    """
    if name == "-" and sys.stdin is None:
        raise CommandError("cannot read -: standard input is closed")
    try:
        return json.loads(sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes())
    except (OSError, ValueError, RecursionError) as problem:
        raise CommandError(_why_unreadable(name, problem)) from None


def _why_unreadable(name: str, problem: Exception) -> str:
    if isinstance(problem, OSError):
        return f"cannot read {name}: {problem.strerror}"
    if isinstance(problem, RecursionError):
        return f"cannot read {name}: it is nested too deeply"
    return f"{name} is not JSON: {problem}"


def tools_in(content: Any) -> list[Any] | None:
    """The tools in an answer to ``tools/list``, its result, or a list; otherwise ``None``."""
    for key in ("result", "tools"):
        if type(content) is dict and key in content:
            content = content[key]
    is_list = type(content) is list and all(type(each) is dict for each in content)
    return content if is_list else None


def check_target(name: str, key: str, what: str) -> None:
    """Check that a file may be written: it is missing or empty, or an object with a key.

    Raises:
        CommandError: It is anything else, which would be lost.
    """
    if name == "-":
        raise CommandError(f"{what} is a file; name it instead of -")
    path = Path(name)
    try:
        if not path.is_file() or not path.stat().st_size:
            return
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as problem:
        content = None
        if isinstance(problem, OSError):
            raise CommandError(f"cannot read {name}: {problem.strerror}") from None
    if type(content) is not dict or key not in content:
        raise CommandError(f"{name} is not {what}, so it is not overwritten; delete it first")


def write_json(name: str, text: str) -> None:
    """Write the text of a JSON value and a line break: the whole file, or nothing.

    Raises:
        CommandError: It cannot be written.
    """
    content = f"{printable_json(text)}\n".encode()
    path = Path(os.path.realpath(name))
    try:
        if path.exists() and not path.is_file():  # such as /dev/stdout
            path.write_bytes(content)
        else:
            replace_file(path, content)
    except OSError as problem:
        raise CommandError(f"cannot write {name}: {problem.strerror}") from None
