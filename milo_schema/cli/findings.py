"""Findings with their files and lines, and filters for them."""

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
from milo_schema.cli.sources import Sources
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
    """A finding with the location of its function; without one if it is about the whole set."""
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
        sources: The sources with the comments.
        console: Gets a notice about each unknown code in a comment.
    """

    def __init__(
        self, patterns: Mapping[str, Collection[str]], sources: Sources, console: Console
    ) -> None:
        self._patterns = patterns
        self._console = console
        self._sources = sources

    def codes(self, found: Found) -> set[str]:
        """The codes to ignore for a function."""
        file = location(found)[0] or ""
        codes: set[str] = set()
        for pattern, more in self._patterns.items():
            if matches([pattern], file, found.target):
                codes.update(more)
        if _COMMENT.search(self._sources.text(file)):  # parsing every file would take long
            for source in self._sources.of(found):
                for number, line in source.header():
                    codes |= self._codes(f"{short(file)}:{number}", line)
        return codes

    def _codes(self, place: str, line: str) -> set[str]:
        if (comment := _COMMENT.search(line)) is None:
            return set()
        named = set(re.findall(r"[^,\s]+", comment[1] or "")) or set(CODES)
        for code in sorted(named - CODES.keys()):
            self._console.tell(f"{place}: unknown code {code}{nearest(code, CODES)}")
        return named


# -- the baseline ------------------------------------------------------------------------------

_HEAD = "milo_schema_baseline"


def write_baseline(file: str, rows: Iterable[Row]) -> None:
    """Write findings to a file, to ignore them later even if lines or messages change."""
    findings: dict[str, dict[str, list[str]]] = {}
    for row in sorted(rows, key=lambda row: (row.target, row.code, row.place)):
        findings.setdefault(row.target, {}).setdefault(row.code, []).append(row.place)
    write_file(file, json.dumps({_HEAD: findings}, indent=1, ensure_ascii=False))


def unlisted(file: str, rows: list[Row], targets: Collection[str], console: Console) -> list[Row]:
    """The rows that are not in a baseline; report its rows about *targets* that are gone."""
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
