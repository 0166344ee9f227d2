"""Tables in Markdown, and their place in a page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.tools.benchmarks.turns import Spread

MARK = "<!-- benchmarks: {} {} -->"


def table(heads: list[str], rows: Iterable[Iterable[object]]) -> str:
    """A table with text in the first column and numbers in the others."""
    lines = [heads, ["---"] + ["---:"] * (len(heads) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def number(value: float) -> str:
    """A number with as many digits as mean something."""
    digits = 3 if value < 0.1 else 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:,.{digits}f}"


def spread(value: Spread) -> list[str]:
    """The median, and the quartiles around it."""
    return [f"**{number(value.median)}**", f"{number(value.low)} to {number(value.high)}"]


def write(page: Path, version: str, text: str) -> None:
    """Put the tables of a Python version into a page, between the marks of that version."""
    begin, end = (MARK.format(version, side) for side in ("begin", "end"))
    before, found, rest = page.read_text(encoding="utf-8").partition(begin)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        raise SystemExit(f"{page} has no lines {begin!r} and {end!r} to write between")
    page.write_text(f"{before}{begin}\n\n{text.strip()}\n\n{end}{after}", encoding="utf-8")
