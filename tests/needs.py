"""The requirements to express a row of the table: a Python, a release of a package."""

import importlib.metadata
import re
import sys


def lacking(needs: str) -> str:
    """Why ``"python>=3.12, typing_extensions>=4.13"`` is not met here; empty if it is."""
    for need in filter(None, (each.strip() for each in needs.split(","))):
        name, _, version = need.partition(">=")
        found = _version(name)
        if not found or _parts(found) < _parts(version):
            return f"needs {need}, has {found or 'none'}"
    return ""


def _version(name: str) -> str:
    if name == "python":
        return ".".join(map(str, sys.version_info[:2]))
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2])
