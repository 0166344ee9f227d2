"""Public functions and classes of real packages: a valid schema, or an error with its place."""

import collections
import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from milo_schema import Profile, profiles
from tests.every import every
from tests.tools import sweep
from tests.tools.fuzz.judge import judged

pytestmark = pytest.mark.slow

STANDARD_LIBRARY = (
    "argparse", "ast", "asyncio", "calendar", "collections", "configparser", "csv", "datetime",
    "decimal", "email", "functools", "http", "inspect", "ipaddress", "json", "logging", "pathlib",
    "random", "shutil", "statistics", "subprocess", "tarfile", "typing", "unittest", "urllib",
)  # fmt: skip
PACKAGES = ("attr", "jsonschema", "msgspec", "pydantic", "_pytest", "hypothesis", "packaging")
SKIP = frozenset(
    {
        *("__main__", "benchmarks", "tests"),  # scripts
        *("extra", "mypy", "windows_events"),  # modules that need another package or system
        *("deprecated", "v1"),  # modules that warn when they are imported
        # the schema of schemas, again: pydantic.annotated_handlers has it
        *("pydantic.json_schema", "pydantic._internal"),
        *("pydantic.plugin", "pydantic.experimental.arguments_schema"),
    }
)


@pytest.fixture(autouse=True)
def _watched(capfd, request):
    with sweep.watched(3600 if request.node.get_closest_marker("long") else 300, capfd):
        yield


@functools.cache
def callables_of(name: str) -> list[tuple[str, Callable[..., Any]]]:
    """The public callables of a module or package; finding them is slow."""
    modules = sweep.modules_of(name, skip=SKIP)
    return [found for module in modules for found in sweep.callables_in(module)]


@pytest.mark.parametrize(
    ("names", "at_least"),
    [
        pytest.param(STANDARD_LIBRARY, 100, id="standard library"),
        pytest.param(PACKAGES, 60, id="packages"),
    ],
)
def test_a_public_callable_gives_a_schema_or_an_error_with_its_path(names, at_least):
    """One in twenty-four of the callables of each, with everything that can be derived."""
    outcomes = [
        (dotted, judged(each, again=False))
        for name in names
        for dotted, func in callables_of(name)[::24]
        for each in sweep.all_derivations(dotted, func)
    ]
    assert [(name, each.faults) for name, each in outcomes if each.faults] == []
    callables = {name for name, _ in outcomes}
    assert len(callables) > at_least
    assert {name.partition(".")[0] for name in callables} == set(names)
    count = collections.Counter(each.kind for _, each in outcomes)
    assert count["schemas"] > 2 * at_least
    assert count["errors"] > at_least
    seconds, slowest = max((each.seconds, name) for name, each in outcomes)
    assert seconds < 5, slowest


EVERY_PROFILE = [each for each in vars(profiles).values() if isinstance(each, Profile)]


@every("profile", EVERY_PROFILE)
@pytest.mark.parametrize("step", [160, pytest.param(10, marks=pytest.mark.long)])
def test_every_profile_gives_a_schema_or_an_error_with_its_path(profile, step):
    """A part of the callables, another one for each profile, in default mode."""
    callables = [each for name in STANDARD_LIBRARY + PACKAGES for each in callables_of(name)]
    outcomes = [
        (name, judged(each, again=False))
        for name, func in callables[EVERY_PROFILE.index(profile) :: step]
        for each in sweep.derivations(name, func, profile, strict=False)
    ]
    assert [(name, each.faults) for name, each in outcomes if each.faults] == []
    assert collections.Counter(each.kind for _, each in outcomes)["schemas"] > 4_000 / step


# -- all of the standard library, and ten large packages ---------------------------------------

LEFT_OUT = frozenset(
    {
        *("__main__", "antigravity", "idlelib", "test", "tests", "this", "turtledemo"),  # they act
        *("_testcapi", "_testinternalcapi", "_testlimitedcapi", "_xxtestfuzz"),  # they may crash
        *("deprecated", "benchmarks", "conftest", "pyximport"),
        *("windows_events", "windows_utils", "msvcrt"),
    }
)
LARGE = (
    "_pytest", "aiohttp", "attr", "attrs", "boto3", "botocore", "click", "coverage", "django",
    "fastapi", "hypothesis", "jsonschema", "msgspec", "mypy", "networkx", "numpy", "pandas", "pip",
    "packaging", "pluggy", "pydantic", "pygments", "pytest", "referencing", "requests", "rich",
    "setuptools", "sqlalchemy", "starlette", "sympy", "typing_extensions",
)  # fmt: skip
"""Those of them that are installed."""


def standard_library() -> Iterator[str]:
    for name in sorted(sys.stdlib_module_names - LEFT_OUT):
        if not name.startswith("_test") and name not in ("turtle", "tkinter"):
            yield name


def large_packages() -> list[str]:
    installed = [name for name in LARGE if sweep.imported(name)]
    assert len(installed) >= 10
    return installed


@pytest.mark.long
@pytest.mark.parametrize("names", [standard_library, large_packages])
def test_all_public_callables_give_schemas_or_errors_with_their_paths(names, capfd):
    """Schemas are counted rather than kept: they would fill the memory."""
    results: collections.Counter[str] = collections.Counter()
    wrong, callables, slowest = [], 0, (0.0, "")
    modules = (each for name in names() for each in sweep.modules_of(name, skip=LEFT_OUT))
    for name, func in (each for module in modules for each in sweep.callables_in(module)):
        callables += 1
        for derivation in sweep.all_derivations(name, func):
            outcome = judged(derivation, again=False)
            results[outcome.kind] += 1
            slowest = max(slowest, (outcome.seconds, name))
            wrong += [f"{name}: {fault}" for fault in outcome.faults]
    with capfd.disabled():
        seconds, name = slowest
        print(f"\n{callables} callables, {dict(results)}, slowest: {seconds:.2f} s, {name}")
    assert wrong == []
    assert callables > 10_000
