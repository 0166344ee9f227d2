"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable

from tests.tools.benchmarks.turns import Spread


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
