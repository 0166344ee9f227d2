"""Every public function and class of real packages: a valid schema, or an error with its place."""

import collections
import faulthandler

import pytest

from milo_schema import Profile, function_to_schema, profiles, return_to_schema
from tests.tools import sweep

STANDARD_LIBRARY = (
    "argparse", "ast", "asyncio", "calendar", "collections", "configparser", "csv", "datetime",
    "decimal", "email", "functools", "http", "inspect", "ipaddress", "json", "logging", "pathlib",
    "random", "shutil", "statistics", "subprocess", "tarfile", "typing", "unittest", "urllib",
)  # fmt: skip
PACKAGES = ("attr", "jsonschema", "msgspec", "pydantic", "_pytest", "hypothesis", "packaging")
SKIP = frozenset(
    {
        *("__main__", "benchmarks", "tests"),  # scripts
        *("extra", "mypy", "windows_events"),  # what needs a further package or system
        *("deprecated", "v1"),  # what warns when it is imported
        *("pydantic.json_schema", "pydantic._internal"),  # the schema of schemas, many times
    }
)


@pytest.fixture(autouse=True)
def no_hang():
    """Whatever takes minutes is a hang; it ends with a traceback of where it is."""
    faulthandler.dump_traceback_later(300, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.mark.parametrize(
    ("names", "at_least"),
    [
        pytest.param(STANDARD_LIBRARY, 2500, id="standard library"),
        pytest.param(PACKAGES, 1500, id="packages"),
    ],
)
def test_every_public_callable_gives_a_schema_or_an_error_with_its_place(names, at_least):
    outcomes = [
        outcome
        for name in names
        for module in sweep.modules_of(name, skip=SKIP)
        for dotted, func in sweep.callables_in(module)
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


@pytest.mark.parametrize("profile", EVERY_PROFILE, ids=str)
def test_every_profile_gives_a_schema_or_an_error_with_its_place(profile):
    """A tenth of the callables, in default mode."""
    callables = [
        found
        for name in (*STANDARD_LIBRARY, *PACKAGES)
        for module in sweep.modules_of(name, skip=SKIP)
        for found in sweep.callables_in(module)
    ]
    outcomes = [
        sweep.derive(name, func, profile=profile, strict=False, make=make)
        for name, func in callables[::10]
        for make in (function_to_schema, return_to_schema)
    ]
    wrong = [f"{each.name}: {each.result}" for each in outcomes if not each.is_right]
    assert wrong == []
    assert collections.Counter(each.result for each in outcomes)["schema"] > 500
