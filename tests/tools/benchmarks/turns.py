"""Things to measure take turns, so that a busy machine slows them alike; only ratios matter.

A sampler takes one sample of one thing, and does not measure its own preparation.
"""

from __future__ import annotations

import gc
import statistics
import time
import typing
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Sampler = Callable[[], float]


class Spread(NamedTuple):
    """The median of some samples, and the quartiles around it."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, samples: list[float]) -> Spread:
        if len(samples) == 1:
            return cls(*samples * 3)
        low, median, high = statistics.quantiles(samples, method="inclusive")
        return cls(median, low, high)


def in_turns(samplers: Mapping[str, Sampler], rounds: int) -> dict[str, list[float]]:
    """Samples of each, one per round; every round begins with another one."""
    found: dict[str, list[float]] = {name: [] for name in samplers}
    names = list(samplers)
    for turn in range(rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            found[name].append(samplers[name]())
    return found


def ratio(above: list[float], below: list[float]) -> Spread:
    """How one compares to the other, by rounds."""
    return Spread.of([a / b for a, b in zip(above, below, strict=True)])


def forget() -> None:
    """Empty the caches of ``typing``, as if no annotation had been seen before."""
    for clear in typing._cleanups:  # type: ignore[attr-defined]
        clear()


def fresh(derive: Callable[[Any], object], make: Callable[[], Any], times: int = 20) -> Sampler:
    """A sampler of a call with an argument that is new each time.

    It gives the median of a few calls, in nanoseconds of the processor: what else the machine
    does meanwhile is not counted.
    """

    clock = cost_clock()

    def sample() -> float:
        made = [make() for _ in range(times)]
        taken = []
        gc.disable()
        try:
            for each in made:
                forget()
                start = time.thread_time_ns()
                derive(each)
                taken.append(time.thread_time_ns() - start)
        finally:
            gc.enable()
        return max(statistics.median(taken) - clock, 1)

    return sample


def cost_clock() -> float:
    """The time of reading the clock in nanoseconds; a handwritten schema needs no longer."""
    taken = []
    for _ in range(100):
        start = time.thread_time_ns()
        taken.append(time.thread_time_ns() - start)
    return statistics.median(taken)
