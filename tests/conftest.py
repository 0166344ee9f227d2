"""How the suite runs: in parallel where that is quicker, with little garbage collection.

Hypothesis tries the same examples in every run. ``--hypothesis-profile=search
--hypothesis-seed=SEED`` tries new ones, as the weekly workflow does.
"""

import gc
import pathlib
import sys
from collections.abc import Generator, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers

from tests import ran

settings.register_profile("fixed", derandomize=True, database=None, deadline=None, print_blob=True)
settings.register_profile("search", derandomize=False, deadline=None, print_blob=True)
settings.load_profile("fixed")
CORE = "core and not slow"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Run one file, the core, or what ``-k`` or ``--lf`` selects, without workers, which cost time.

    This is what ``-n auto`` means. A number, such as ``-n 4``, always counts.
    """
    files = {argument.partition("::")[0] for argument in config.args}
    is_one_file = len(files) == 1 and files.pop().endswith(".py")
    is_selected = config.option.keyword or config.getoption("lf", default=False)
    return 0 if is_one_file or is_selected or config.option.markexpr == "core" else None


def pytest_configure(config: pytest.Config) -> None:
    """Leave out slow tests of the files in the core, too: ``-m core`` is enough.

    The same examples in every run have no constants from the modules that are loaded at that time:
    they would depend on the tests that ran before.
    """
    ran.register(config)
    if config.option.markexpr == "core":
        config.option.markexpr = CORE
    if config.getoption("hypothesis_profile", default=None) in (None, "fixed"):
        providers.is_local_module_file = lambda _path: False  # type: ignore[attr-defined]


def pytest_ignore_collect(collection_path: pathlib.Path, config: pytest.Config) -> bool | None:
    """Read only the files in the core, if nothing else is asked for."""
    if config.option.markexpr != CORE or collection_path.suffix != ".py":
        return None
    return "pytest.mark.core" not in collection_path.read_text(encoding="utf-8") or None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Leave out long tests, and those that run once, whenever slow ones are left out."""
    if item.get_closest_marker("long") or item.get_closest_marker("once"):
        item.add_marker("slow")


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """Fail a test that leaves a closed stream: with ``-s``, all that print after it would fail.

    It is one with ``capsys`` that puts back the stream of ``capsys`` after ``capsys`` has ended.
    """
    yield
    assert not any(stream and stream.closed for stream in (sys.stdout, sys.stderr))


@settings(max_examples=1)
@given(st.none())
def start_hypothesis(_: None) -> None:
    """Let Hypothesis make its random numbers now: it warns if nothing is seen to refer to them.

    It asks the garbage collector, which does not see references from frozen objects.
    """


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector from visiting every collected test again and again.

    It rests meanwhile, too: nearly all that collecting makes is kept.
    """
    start_hypothesis()
    gc.disable()
    result = yield
    gc.freeze()
    gc.enable()
    return result
