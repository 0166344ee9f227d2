"""The time of a schema for a new function or a known one, compared with lower bounds."""

from __future__ import annotations

import inspect
import typing
from typing import Any, NamedTuple

from milo_schema import function_to_schema
from tests.tools.benchmarks.samples import MODES, SOURCES, by_hand, new
from tests.tools.benchmarks.turns import fresh, in_turns


class Cold(NamedTuple):
    """The nanoseconds of each contender, by rounds, for a kind of function."""

    shape: str
    mode: str
    times: dict[str, list[float]]


def signature_and_hints(func: Any) -> object:
    """The calls of the standard library that give the same information."""
    return inspect.signature(func), typing.get_type_hints(func, include_extras=True)


def measure(rounds: int, times: int = 20) -> list[Cold]:
    """The library and the floors, for every kind of function."""
    return [
        Cold(shape, mode, in_turns(samplers(SOURCES[shape], mode, times), rounds))
        for shape in SOURCES
        for mode in MODES
    ]


def samplers(source: str, mode: str, times: int) -> dict[str, Any]:
    def make() -> Any:
        return new(source, mode)

    seen = make()
    hand = by_hand(function_to_schema(seen))
    return {
        "milo_schema": fresh(function_to_schema, make, times),
        "again": fresh(function_to_schema, lambda: seen, times),
        "signature": fresh(inspect.signature, make, times),
        "signature + hints": fresh(signature_and_hints, make, times),
        "by hand": fresh(hand, make, times),
    }
