"""The functions that are measured, as source: each call of ``new`` makes a new one."""

from __future__ import annotations

import itertools
from typing import Any

from tests.modules import module_from

_names = itertools.cycle(f"fresh_{number}" for number in range(100))  # so that old ones go

PLAIN = """
def tool(
    name: str, count: int, ratio: float = 0.5, dry_run: bool = False, label: str = "x"
) -> None:
    {doc}
"""
PLAIN_DOC = '''"""Do something with a name.

    It is done as often as asked for.

    Args:
        name: What it is done with.
        count: How often it is done.
        ratio: Which part of it is done.
        dry_run: Whether to say only what would be done.
        label: What the result is called,
            where it is listed.
    """'''
REALISTIC = """
from dataclasses import dataclass
from typing import Annotated, Literal, Optional

@dataclass
class Filter:
    field: str
    values: list[str]
    negate: bool = False

def tool(
    query: Annotated[str, "What to look for."],
    filters: list[Filter],
    mode: Literal["fast", "exact"] = "fast",
    limit: Optional[int] = None,
    weights: dict[str, list[float]] | None = None,
) -> None:
    {doc}
"""
REALISTIC_DOC = '''"""Search for something.

    What is found is sorted by weight.

    Args:
        query: What to look for.
        filters: What else has to be true.
        mode: How to look.
        limit: How many to find at most.
        weights: How much each field counts, by word.
    """'''
SOURCES = {
    "realistic, documented": REALISTIC.format(doc=REALISTIC_DOC),
    "realistic": REALISTIC.format(doc="..."),
    "plain, documented": PLAIN.format(doc=PLAIN_DOC),
    "plain": PLAIN.format(doc="..."),
}
"""Each shape with its source, those that people write first."""


def source_of(shape: str, number: int) -> str:
    """The source of a tool in a module with many, each with a unique name."""
    return SOURCES[shape].replace("def tool(", f"def tool_{number}(")


ACCEPTED: dict[str, list[Any]] = {
    "plain": [{"name": "a", "count": 1}, {"name": "a", "count": 1, "ratio": 2.5, "dry_run": True}],
    "realistic": [
        {"query": "a", "filters": [{"field": "b", "values": ["c"]}]},
        {"query": "a", "filters": [], "mode": "exact", "limit": 3, "weights": {"b": [0.5]}},
    ],
}
REFUSED: dict[str, list[Any]] = {
    "plain": [{"name": "a"}, {"name": 1, "count": 1}, {"name": "a", "count": 1, "ratio": "b"}],
    "realistic": [{"query": "a"}, {"query": "a", "filters": [{"field": "b"}]},
          {"query": "a", "filters": [], "mode": "slow"},
          {"query": "a", "filters": [], "weights": {"b": ["c"]}}],
}  # fmt: skip
"""Arguments that an exact schema distinguishes, by the first word of the kind of function."""


def new(source: str) -> Any:
    """The function named ``tool`` of this source, in a module of its own, evaluated."""
    tool = module_from(source, name=next(_names)).tool
    _ = tool.__annotations__
    return tool
