"""Many cases derived and judged, and counted: by plain chance, or by where coverage leads."""

import collections
import concurrent.futures
import contextlib
import multiprocessing
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from typing import NoReturn

from tests.tools.fuzz import generator, judge

SLOW = 1.0
"""Seconds that no derivation may take."""
HANGS = 5
"""The factor by which an endless derivation is slower."""
TOO_SLOW = "it takes too long"


class HangError(BaseException):
    """A derivation that does not end; nothing but us may catch it."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Let nothing take longer, in processor time, if the system can measure it."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    # The system's part counts, because endless recursion spends its time on memory.
    before = signal.signal(signal.SIGPROF, _hang)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _hang(*_: object) -> None:
    raise HangError


class Tally:
    """The number of derivations, and the failures; one example of each kind."""

    def __init__(self, slow: float = SLOW) -> None:
        self.slow = slow
        self.cases = 0
        self.results: collections.Counter[str] = collections.Counter()
        self.faults: collections.Counter[str] = collections.Counter()
        self.examples: dict[str, str] = {}
        self.slowest = (0.0, "")

    def add(self, other: "Tally") -> None:
        """Add the counts of another process."""
        self.cases += other.cases
        self.results += other.results
        self.faults += other.faults
        self.examples = {**other.examples, **self.examples}
        self.slowest = max(self.slowest, other.slowest)

    def judge(self, below: generator.Below, label: str) -> None:
        """Derive all of one case."""
        case = generator.case(below)
        self.cases += 1
        for derivation in judge.derivations(case, below):
            with limited(HANGS * self.slow):
                found = judge.judged(derivation)
            self.results[found.kind] += 1
            self.slowest = max(self.slowest, (found.seconds, f"{label}, {derivation.name}"))
            problems = [*found.faults, *([TOO_SLOW] if found.seconds > self.slow else [])]
            for problem in problems:
                self.faults[problem] += 1
                source = "\n".join(each[:3_000] for each in case.source)
                self.examples.setdefault(problem, f"{label}: {derivation.name}\n\n{source}\n")

    def report(self) -> str:
        """The figures as text."""
        lines = [
            f"{self.cases:,} cases, {sum(self.results.values()):,} derivations: "
            + ", ".join(f"{count:,} {kind}" for kind, count in sorted(self.results.items())),
            f"slowest: {self.slowest[0]:.2f} s, {self.slowest[1]}",
        ]
        for problem, count in self.faults.most_common():
            lines += [f"\n{'=' * 80}\n{count} times: {problem}", self.examples[problem]]
        return "\n".join(lines)


def run(seeds: range) -> Tally:
    """Judge the cases of these seeds."""
    tally = Tally()
    for seed in seeds:
        tally.judge(random.Random(seed).randrange, f"--case {seed}")
    return tally


def run_guided(seconds: float) -> NoReturn:
    """Judge cases that coverage leads to; the library has to be instrumented by now."""
    import atheris

    tally = Tally(slow=5 * SLOW)  # instrumented code is several times slower
    end = time.monotonic() + seconds

    def one(data: bytes) -> None:
        provider = atheris.FuzzedDataProvider(data)
        tally.judge(lambda n: provider.ConsumeIntInRange(0, n - 1), data.hex()[:200])
        if time.monotonic() > end:
            print(tally.report(), flush=True)
            os._exit(bool(tally.faults))  # libFuzzer treats SystemExit as a crash

    atheris.Setup([sys.argv[0], "-max_len=4096", "-len_control=0", "-rss_limit_mb=0"], one)
    atheris.Fuzz()
    raise AssertionError


def run_all(count: int, seed: int, jobs: int) -> Tally:
    """Judge that many cases, in several processes."""
    step = 250
    parts = [range(at, min(at + step, seed + count)) for at in range(seed, seed + count, step)]
    tally = Tally()
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(jobs, mp_context=context) as pool:
        counted = [(part, pool.submit(run, part)) for part in parts]
        for part, running in counted:
            try:
                tally.add(running.result())
            except BrokenProcessPool:  # the interpreter died: report where, and keep the counts
                problem = "a process died"
                tally.faults[problem] += 1
                tally.examples[problem] = f"--seed {part.start} --count {len(part) * jobs}"
                break
    return tally
