"""Every callable of the standard library and of ten large packages, with and without types."""

import collections
import contextlib
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from milo_schema import profiles
from tests.tools import sweep

pytestmark = pytest.mark.long

SKIP = frozenset(
    {
        *("__main__", "antigravity", "idlelib", "test", "tests", "this", "turtledemo"),  # they act
        *("_testcapi", "_testinternalcapi", "_testlimitedcapi", "_xxtestfuzz"),  # they may crash
        *("deprecated", "benchmarks", "conftest", "pyximport"),
        *("windows_events", "windows_utils", "msvcrt"),
    }
)
PACKAGES = (
    "_pytest", "aiohttp", "attr", "attrs", "boto3", "botocore", "click", "coverage", "django",
    "fastapi", "hypothesis", "jsonschema", "msgspec", "mypy", "networkx", "numpy", "pandas", "pip",
    "packaging", "pluggy", "pydantic", "pygments", "pytest", "referencing", "requests", "rich",
    "setuptools", "sqlalchemy", "starlette", "sympy", "typing_extensions",
)  # fmt: skip
"""Those of them that are installed."""


@pytest.fixture(autouse=True)
def _watched(capfd):
    with sweep.watched(3600, capfd):
        yield


def standard_library() -> list[str]:
    return [
        name
        for name in sorted(sys.stdlib_module_names - SKIP)
        if not name.startswith("_test") and name not in ("turtle", "tkinter")
    ]


Named = tuple[str, Callable[..., Any]]


def callables_of(names: Iterable[str]) -> Iterator[Named]:
    for name in names:
        for module in sweep.modules_of(name, skip=SKIP):
            yield from sweep.callables_in(module)


class Tally:
    """The results, kept as counts: the schemas themselves would fill the memory."""

    def __init__(self) -> None:
        self.callables = 0
        self.results: collections.Counter[str] = collections.Counter()
        self.wrong: list[str] = []
        self.parameters: collections.Counter[str] = collections.Counter()
        self.reasons: collections.Counter[str] = collections.Counter()
        self.slowest = (0.0, "")

    def add(self, name: str, func: Callable[..., Any]) -> None:
        """Derive all that can be, and count."""
        self.callables += 1
        for outcome in sweep.outcomes_of(name, func):
            self.results["wrong" if not outcome.is_right else outcome.result] += 1
            self.slowest = max(self.slowest, (outcome.seconds, name))
            if not outcome.is_right:
                self.wrong.append(f"{name}: {outcome.result}")
        self.count_parameters(name, func)

    def count_parameters(self, name: str, func: Callable[..., Any]) -> None:
        """Which parameters have a type, which have none, and which fall back."""
        exact = sweep.derive(name, func, profile=profiles.MCP, strict=False)
        if exact.schema is None:
            return
        reasons = {
            found[1]: warning.message
            for warning in exact.warned
            if (found := re.search(r"\((\w+)\)", warning.path))
        }
        annotated = annotated_parameters(func)
        for parameter in exact.schema["properties"]:
            if parameter in reasons:
                self.parameters["falls back"] += 1
                self.reasons[kind_of(reasons[parameter])] += 1
            elif parameter in annotated:
                self.parameters["has a type"] += 1
            else:
                self.parameters["has no annotation"] += 1

    def report(self, title: str) -> str:
        """The figures as text."""
        typed, fallen = self.parameters["has a type"], self.parameters["falls back"]
        share = 100 * typed / max(1, typed + fallen)
        lines = [
            f"\n{title}: {self.callables} callables, {dict(self.results)}",
            f"  parameters: {dict(self.parameters)}; {share:.1f} % of the annotated have a type",
            f"  slowest: {self.slowest[0]:.2f} s, {self.slowest[1]}",
            *(f"  {count:6} {reason}" for reason, count in self.reasons.most_common(40)),
        ]
        return "\n".join(lines)


def annotated_parameters(func: Callable[..., Any]) -> set[str]:
    options: dict[str, Any] = {}
    if sys.version_info >= (3, 14):
        import annotationlib

        options["annotation_format"] = annotationlib.Format.FORWARDREF
    with contextlib.suppress(Exception):
        seen = inspect.signature(func, **options).parameters.values()
        return {each.name for each in seen if each.annotation is not each.empty}
    return set()


def kind_of(reason: str) -> str:
    """A reason without the parts that differ from case to case."""
    reason = reason.partition(";")[0]
    reason = re.sub(r"no '\w+' in [\w.]+", "no such name in the module", reason)
    return re.sub(r"cannot evaluate '.*'", "cannot evaluate a string", reason)


def test_the_standard_library(capfd):
    tally = Tally()
    for name, func in callables_of(standard_library()):
        tally.add(name, func)
    with capfd.disabled():
        print(tally.report("standard library"))
    assert tally.wrong == []
    assert tally.callables > 10_000


def test_ten_large_packages(capfd):
    installed = [name for name in PACKAGES if sweep.imported(name)]
    assert len(installed) >= 10
    every = Tally()
    for package in installed:
        for name, func in callables_of([package]):
            every.add(name, func)
    with capfd.disabled():
        print(every.report(", ".join(installed)))
    assert every.wrong == []
    assert every.callables > 10_000
