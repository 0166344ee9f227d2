"""The table ``[tool.milo-schema]`` of a ``pyproject.toml``."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from milo_schema.cli.terminal import CommandError

__all__ = ["read_configuration"]


def read_configuration() -> dict[str, Any]:
    """Read the table in the nearest ``pyproject.toml`` that has one, from here upwards.

    Returns:
        The table; empty if there is none. Its paths are relative to the current folder.

    Raises:
        CommandError: The file cannot be read.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "pyproject.toml").is_file():
            table = _table(folder / "pyproject.toml")
            if table is not None:
                return {key: _from_here(key, value, folder) for key, value in table.items()}
    return {}


def _table(file: Path) -> dict[str, Any] | None:
    try:
        text = file.read_bytes().decode()
        if not re.search("milo[-_]schema", text):  # the TOML parser loads as slowly as argparse
            return None
        import tomllib

        tools = tomllib.loads(text).get("tool")
    except (OSError, ValueError) as problem:
        raise CommandError(f"cannot read {file}: {problem}") from None
    tools = tools if type(tools) is dict else {}
    table = tools.get("milo-schema")
    if "milo-schema".replace("-", "_") in tools:
        raise CommandError(f"{file}: the name of the table is [tool.milo-schema], with a hyphen")
    if table is not None and type(table) is not dict:
        raise CommandError(f"{file}: [tool.milo-schema] is not a table")
    return table


def _from_here(key: str, value: Any, folder: Path) -> Any:
    """A value of the table; a path in it is relative to the folder of its file."""
    if key == "baseline" and type(value) is str:
        return os.path.relpath(folder / value)
    if key == "targets" and type(value) is list:
        return [_target_from_here(each, folder) for each in value]
    return value


def _target_from_here(target: Any, folder: Path) -> Any:
    if type(target) is not str:
        return target
    file, colon, name = target.partition(":")
    return os.path.relpath(folder / file) + colon + name if (folder / file).exists() else target
