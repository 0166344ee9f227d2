"""Findings with the files and lines that they belong to, and which of them are wanted."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from milo_schema.annotations import Collection, Iterable, Mapping
from milo_schema.checks import CODES, Finding
from milo_schema.cli.imports import short
from milo_schema.cli.members import Found
from milo_schema.cli.targets import location, matches
from milo_schema.cli.terminal import CommandError, Console, write_file
from milo_schema.errors import nearest

__all__ = ["Ignores", "Row", "row_of", "unlisted", "write_baseline"]


class Row(NamedTuple):
    """A finding and its location, which is empty for a set of tools."""

    function: str
    target: str
    file: str | None
    line: int | None
    place: str
    code: str
    message: str


def row_of(name: str, found: Found | None, finding: Finding) -> Row:
    """A finding of a function, found by its name; of the whole set, if no function has it."""
    if found is None:
        return Row("", "", None, None, finding.place, finding.code, finding.message)
    file, line = location(found)
    full = found.own_name
    called = full if finding.place.startswith(full) else full.rpartition(".")[2]
    place = finding.place.removeprefix(called).strip()
    return Row(name, found.target, file and short(file), line, place, finding.code, finding.message)


# -- ignored findings --------------------------------------------------------------------------

_COMMENT = re.compile(r"#\s*milo-schema:\s*ignore(?:\[([^\]]*)\])?")


class Ignores:
    """The codes that comments and the configuration ignore for a function.

    Args:
        patterns: The codes to ignore for each pattern of files and targets.
        console: Gets a notice about each code in a comment that does not exist.
    """

    def __init__(self, patterns: Mapping[str, Collection[str]], console: Console) -> None:
        self._patterns = patterns
        self._console = console
        self._files: dict[str, dict[str, set[str]]] = {}  # each file is read once

    def codes(self, found: Found) -> set[str]:
        """The codes to ignore for a function."""
        file = location(found)[0] or ""
        if file.endswith(".py") and file not in self._files:
            self._files[file] = self._read(file)
        codes = set(self._files.get(file, {}).get(found.own_name, ()))
        for pattern, more in self._patterns.items():
            if matches([pattern], file, found.target):
                codes.update(more)
        return codes

    def _read(self, file: str) -> dict[str, set[str]]:
        text = Path(file).read_bytes().decode("utf-8", "replace")
        if not _COMMENT.search(text):
            return {}
        lines = text.splitlines()
        return {
            name: codes
            for name, first, last in _headers(text)
            if (codes := self._codes(file, first, lines[first - 1 : last]))
        }

    def _codes(self, file: str, first: int, lines: list[str]) -> set[str]:
        codes: set[str] = set()
        for number, line in enumerate(lines, first):
            if comment := _COMMENT.search(line):
                named = set(re.findall(r"[^,\s]+", comment[1] or "")) or set(CODES)
                for code in sorted(named - CODES.keys()):
                    place = f"{short(file)}:{number}"
                    self._console.tell(f"{place}: unknown code {code}{nearest(code, CODES)}")
                codes |= named
        return codes


def _headers(source: str) -> Iterable[tuple[str, int, int]]:
    """Each function and class with its first line, and the last one before its body."""
    import ast

    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    todo: list[tuple[str, ast.AST]] = [("", ast.parse(source))]
    for prefix, node in todo:
        for child in ast.iter_child_nodes(node):
            inner = prefix
            if isinstance(child, definitions):
                first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
                yield prefix + child.name, first, max(child.lineno, child.body[0].lineno - 1)
                inner = f"{prefix}{child.name}." if isinstance(child, ast.ClassDef) else ""
            todo.append((inner, child))


# -- the baseline ------------------------------------------------------------------------------

_HEAD = "milo_schema_baseline"


def write_baseline(file: str, rows: Iterable[Row]) -> None:
    """Write findings to a file, to leave them out later; lines and messages may change."""
    findings: dict[str, dict[str, list[str]]] = {}
    for row in sorted(rows, key=lambda row: (row.target, row.code, row.place)):
        findings.setdefault(row.target, {}).setdefault(row.code, []).append(row.place)
    write_file(file, json.dumps({_HEAD: findings}, indent=1, ensure_ascii=False))


def unlisted(file: str, rows: list[Row], targets: Collection[str], console: Console) -> list[Row]:
    """The rows that a baseline lacks; its rows about *targets* that are gone are reported."""
    listed = _read_baseline(file)
    new: list[Row] = []
    for row in rows:
        key = (row.target, row.code, row.place)
        if not listed[key]:
            new.append(row)
        listed[key] -= 1
    gone = sum(count for (target, *_), count in listed.items() if count > 0 and target in targets)
    if gone:
        console.tell(f"{file} lists {gone} that are gone; write it again with --write-baseline")
    return new


def _read_baseline(file: str) -> Counter[tuple[str, str, str]]:
    try:
        content: Any = json.loads(Path(file).read_bytes())
        return Counter(
            (target, code, place)
            for target, codes in content[_HEAD].items()
            for code, places in codes.items()
            for place in places
        )
    except OSError as problem:
        hint = "; write it with --write-baseline" if isinstance(problem, FileNotFoundError) else ""
        raise CommandError(f"cannot read {file}: {problem.strerror}{hint}") from None
    except (ValueError, LookupError, TypeError, AttributeError) as problem:
        raise CommandError(f"{file} is not a baseline: {problem}") from None
