"""Public functions and classes of real packages: a valid schema, or an error with its place.

A part of them: ``tests/long/test_everything.py`` derives schemas of all, and of more packages.
"""

import collections
import functools
from collections.abc import Callable
from typing import Any

import pytest

from milo_schema import Profile, function_to_schema, profiles, return_to_schema
from tests.every import every
from tests.tools import sweep

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
def _watched(capfd):
    with sweep.watched(300, capfd):
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
        outcome
        for name in names
        for dotted, func in callables_of(name)[::24]
        for outcome in sweep.outcomes_of(dotted, func)
    ]
    wrong = [f"{each.name}: {each.result}" for each in outcomes if not each.is_right]
    assert wrong == []
    callables = {each.name for each in outcomes}
    assert len(callables) > at_least
    assert {each.name.partition(".")[0] for each in outcomes} == set(names)
    count = collections.Counter(each.result for each in outcomes)
    assert count["schema"] > 2 * at_least
    assert count["error"] > at_least
    slowest = max(outcomes, key=lambda each: each.seconds)
    assert slowest.seconds < 5, slowest.name


EVERY_PROFILE = [each for each in vars(profiles).values() if isinstance(each, Profile)]


@every("profile", EVERY_PROFILE)
@pytest.mark.parametrize("step", [160, pytest.param(10, marks=pytest.mark.long)])
def test_every_profile_gives_a_schema_or_an_error_with_its_path(profile, step):
    """A part of the callables, another one for each profile, in default mode."""
    callables = [each for name in STANDARD_LIBRARY + PACKAGES for each in callables_of(name)]
    outcomes = [
        sweep.derive(name, func, profile=profile, strict=False, make=make)
        for name, func in callables[EVERY_PROFILE.index(profile) :: step]
        for make in (function_to_schema, return_to_schema)
    ]
    wrong = [f"{each.name}: {each.result}" for each in outcomes if not each.is_right]
    assert wrong == []
    assert collections.Counter(each.result for each in outcomes)["schema"] > 4_000 / step
