"""How long the values of calls take: beside cattrs, which is in Python, and the MCP SDK.

Run as ``python -m tests.tools.benchmarks.bench_values [ROUNDS]``. The SDK loads pydantic, so the
rows beside cattrs are measured in two processes: with pydantic loaded, and without. Every figure is
the least processor time of many, in turns. Nothing is asserted: what a ratio has to be is printed
beside it.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from milo_schema import profiles, tool_schema
from milo_schema.arguments import binder
from milo_schema.results import value_to_json
from tests.tools.benchmarks.tables import table
from tests.tools.benchmarks.turns import in_turns

COUNT = 1_000


@dataclass
class Row:
    name: str
    count: int
    price: float
    is_new: bool


JSON = [
    {"name": f"row {at}", "count": at, "price": at / 2, "is_new": at % 2 == 0}
    for at in range(COUNT)
]
ROWS = [Row(**each) for each in JSON]  # type: ignore[arg-type]


def take(rows: list[Row]) -> None: ...


def records() -> list[Row]:
    return ROWS


def objects() -> list[dict[str, Any]]:
    return JSON


def one_object() -> dict[str, Any]:
    return {"rows": JSON}


Pair = tuple[str, float, Callable[[], object], Callable[[], object]]
"""What is measured, the highest ratio that is good, our call, and theirs."""


def beside_cattrs() -> Iterator[Pair]:
    import cattrs

    converter, bound = cattrs.Converter(), binder(take)
    given = {"rows": JSON}
    assert value_to_json(ROWS, list[Row]) == converter.unstructure(ROWS, list[Row]) == JSON
    assert bound(given).kwargs["rows"] == converter.structure(JSON, list[Row]) == ROWS
    yield (
        f"write {COUNT:,} records / cattrs",
        6,
        lambda: value_to_json(ROWS, list[Row]),
        lambda: converter.unstructure(ROWS, list[Row]),
    )
    yield (
        f"bind {COUNT:,} records, warm / cattrs",
        1.8,
        lambda: bound(given),
        lambda: converter.structure(JSON, list[Row]),
    )


def beside_mcp() -> Iterator[Pair]:
    from mcp.server.mcpserver.tools import Tool

    for func in (records, objects, one_object):
        ours, theirs = tool_schema(func, profile=profiles.MCP), Tool.from_function(_awaited(func))
        assert ours.call({})["structuredContent"] is not None
        yield (
            f"`tool.call()`, {COUNT:,} rows as `{func.__annotations__['return']}` / the MCP SDK",
            4,
            lambda ours=ours: ours.call({}),  # type: ignore[misc]
            lambda theirs=theirs: _run(theirs.run({}, None, convert_result=True)),
        )


def _awaited(func: Callable[[], Any]) -> Any:
    """The same as a coroutine function, which the SDK does not send to a thread."""

    async def made() -> Any:
        return func()

    made.__annotations__ = {"return": eval(func.__annotations__["return"], globals())}
    return made


def _run(coroutine: Any) -> Any:
    """The value of a coroutine that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits")


def measured(pairs: Iterator[Pair], rounds: int) -> Iterator[list[Any]]:
    """A row for each pair: the milliseconds of both, their ratio, and the highest good one."""
    for what, most, ours, theirs in pairs:
        found = in_turns({"ours": _timed(ours), "theirs": _timed(theirs)}, rounds)
        least = {name: min(times) / 1e6 for name, times in found.items()}
        ratio = least["ours"] / least["theirs"]
        yield [what, f"{least['ours']:.2f}", f"{least['theirs']:.2f}", f"**{ratio:.2f}**", most]


def _timed(call: Callable[[], object]) -> Callable[[], float]:
    def sampler() -> float:
        begin = time.thread_time_ns()
        call()
        return float(time.thread_time_ns() - begin)

    return sampler


def main(rounds: int, part: str) -> None:
    if part == "":
        for each in ("without", "with", "mcp"):
            command = [sys.executable, "-m", __spec__.name, str(rounds), each]
            subprocess.run(command, check=True)
        return
    if part == "with":
        import pydantic  # noqa: F401 - as in every MCP server
    title = {"mcp": "processor time", "with": "pydantic is loaded"}.get(part, "without pydantic")
    pairs = beside_mcp() if part == "mcp" else beside_cattrs()
    print(table([title, "ms", "theirs, ms", "ratio", "at most"], [*measured(pairs, rounds)]))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 60, sys.argv[2] if sys.argv[2:] else "")
