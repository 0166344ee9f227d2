"""How long the arguments of a call take: beside pydantic and msgspec, cold and warm.

Run as ``python -m tests.tools.benchmarks.bench_arguments [ROUNDS]``. Nothing is asserted: what a
ratio has to be is printed beside it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.tools.benchmarks.processes import Interpreters
from tests.tools.benchmarks.tables import spread, table
from tests.tools.benchmarks.turns import in_turns, ratio

TYPES = """
import datetime
from dataclasses import dataclass
import sys
from typing import Literal

if sys.version_info >= (3, 12):
    from typing import TypedDict
else:  # the only one that pydantic takes
    from typing_extensions import TypedDict

@dataclass
class Item:
    name: str
    count: int = 1

def order(
    city: str,
    day: datetime.date,
    items: list[Item],
    unit: Literal["kg", "lb"] = "kg",
    days: int = 3,
    note: str | None = None,
) -> None: ...

class Order(TypedDict):
    city: str
    day: datetime.date
    items: list[Item]
    unit: Literal["kg", "lb"]
    days: int
    note: str | None

GIVEN = {
    "city": "Oslo", "day": "2026-07-28", "items": [{"name": "tea", "count": 2}],
    "unit": "lb", "days": 2, "note": "x",
}
"""
"""One function of six parameters, in the form for each library."""

COLD = {
    "milo_schema": """
from milo_schema import profiles
from milo_schema.arguments import bind
found = bind(order, GIVEN, profile=profiles.MCP).kwargs
""",
    "msgspec": "import msgspec\nfound = msgspec.convert(GIVEN, Order)\n",
    "pydantic": "import pydantic\nfound = pydantic.TypeAdapter(Order).validate_python(GIVEN)\n",
}
"""From the import to the first bound call."""

CLOCK = """
import time
begin = time.process_time_ns()
{code}
taken = time.process_time_ns() - begin
assert found["items"][0].count == 2
print(taken)
"""


def cold(rounds: int) -> dict[str, list[float]]:
    """The nanoseconds of a new process, from the import to the first bound call."""
    with tempfile.TemporaryDirectory() as folder:
        interpreters = Interpreters(Path(folder))
        samplers = {name: _process(interpreters, code) for name, code in COLD.items()}
        for sampler in samplers.values():
            sampler()  # writes the bytecode
        return in_turns(samplers, rounds)


def _process(interpreters: Interpreters, code: str) -> Callable[[], float]:
    whole = TYPES + CLOCK.format(code=code)
    return lambda: float(interpreters.printed(whole))


def warm(rounds: int, times: int = 2_000) -> dict[str, list[float]]:
    """The nanoseconds of one call, where everything has been prepared."""
    import msgspec
    import pydantic

    from milo_schema import profiles
    from milo_schema.arguments import binder

    names: dict[str, Any] = {"__name__": __name__}
    exec(compile(TYPES, "types", "exec", dont_inherit=True), names)
    given, adapter = names["GIVEN"], pydantic.TypeAdapter(names["Order"])
    bound = binder(names["order"], profile=profiles.MCP)
    calls: dict[str, Callable[[], object]] = {
        "milo_schema": lambda: bound(given),
        "msgspec": lambda: msgspec.convert(given, names["Order"]),
        "pydantic": lambda: adapter.validate_python(given),
    }
    return in_turns({name: _repeated(call, times) for name, call in calls.items()}, rounds)


def _repeated(call: Callable[[], object], times: int) -> Callable[[], float]:
    def sampler() -> float:
        begin = time.process_time_ns()
        for _ in range(times):
            call()
        return (time.process_time_ns() - begin) / times

    return sampler


RATIOS: tuple[tuple[str, str, float], ...] = (
    ("cold", "msgspec", 1.1),
    ("cold", "pydantic", 0.4),
    ("warm", "pydantic", 15),
)
"""The comparisons, and the highest ratio that is good."""


def report(rounds: int) -> str:
    found = {"cold": cold(rounds), "warm": warm(rounds)}
    rows = [
        [f"{mode}: milo_schema / {other}", *spread(ratio(times["milo_schema"], times[other])), most]
        for mode, other, most in RATIOS
        for times in [found[mode]]
    ]
    return table(["figure", "median", "quartiles", "at most"], rows)


if __name__ == "__main__":
    print(report(int(sys.argv[1]) if sys.argv[1:] else 20))
