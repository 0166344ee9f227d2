"""Every callable of the standard library and of ten large packages, with and without types."""

import collections
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

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


def derive_all(names: Iterable[str], capfd: pytest.CaptureFixture[str]) -> None:
    """Derive all that can be of every callable, and count: the schemas would fill the memory."""
    results: collections.Counter[str] = collections.Counter()
    wrong, callables, slowest = [], 0, (0.0, "")
    for callables, (name, func) in enumerate(callables_of(names), 1):  # noqa: B007 - a count
        for outcome in sweep.outcomes_of(name, func):
            results["wrong" if not outcome.is_right else outcome.result] += 1
            slowest = max(slowest, (outcome.seconds, name))
            wrong += [] if outcome.is_right else [f"{name}: {outcome.result}"]
    with capfd.disabled():
        print(
            f"\n{callables} callables, {dict(results)}, slowest: {slowest[0]:.2f} s, {slowest[1]}"
        )
    assert wrong == []
    assert callables > 10_000


def test_the_standard_library(capfd):
    derive_all(standard_library(), capfd)


def test_ten_large_packages(capfd):
    installed = [name for name in PACKAGES if sweep.imported(name)]
    assert len(installed) >= 10
    derive_all(installed, capfd)
