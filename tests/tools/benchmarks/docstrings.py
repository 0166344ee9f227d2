"""The cost of a docstring: instructions, and the time compared with another parser."""

from __future__ import annotations

import contextlib
import gc
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

from milo_schema import parse_docstring
from tests.test_speed import SAMPLES, count
from tests.tools.benchmarks import bench_docstrings
from tests.tools.benchmarks.turns import Sampler, in_turns

PEER = "docstring_parser"


def instructions() -> float:
    """The instructions for a function with five plain entries, of those without its docstring."""
    return count(SAMPLES["the same, documented"]) / count(SAMPLES["five plain parameters"])


def measure(rounds: int, most: int = 500) -> dict[str, list[float]]:
    """The nanoseconds for docstrings of the installed packages, by parser and by round."""
    texts = bench_docstrings.docstrings(Path(sysconfig.get_path("purelib")), most)
    parsers: dict[str, Callable[[str], object]] = {"milo_schema": parse_docstring}
    with contextlib.suppress(ImportError):
        import docstring_parser

        parsers[PEER] = bench_docstrings.attempt(docstring_parser.parse)
    return in_turns({name: over(texts, parse) for name, parse in parsers.items()}, rounds)


def over(texts: list[str], parse: Callable[[str], object]) -> Sampler:
    """A sampler of the processor time that all texts take."""

    def sample() -> float:
        gc.disable()
        try:
            start = time.thread_time_ns()
            for text in texts:
                parse(text)
            return time.thread_time_ns() - start
        finally:
            gc.enable()

    return sample
