"""The same bytes from many threads, in every order, in every process, under every hash seed."""

import collections
import hashlib
import json
import os
import random
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from milo_schema import (
    Profile,
    SchemaError,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)
from tests.cases import CASES, Case
from tests.modules import module_from
from tests.needs import lacking

THREADS = 8
PROFILES = (profiles.MILO, profiles.MCP, profiles.PORTABLE)
SHARED = profiles.MCP.replace(name="shared", inline=False)
EXPRESSED = [case for case in CASES if not lacking(case.needs)]
ROOT = Path(__file__).parents[1]


@pytest.fixture
def _often_switching() -> Iterator[None]:
    """Threads that take turns as often as can be."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(work: Callable[[int], Any], count: int = THREADS) -> list[Any]:
    """The results of *work* for 0, 1, 2, ..., in as many threads that begin together."""
    results: list[Any] = [None] * count
    start = threading.Barrier(count)

    def run(number: int) -> None:
        start.wait()
        try:
            results[number] = work(number)
        except BaseException as error:
            results[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def text_of(derive: Callable[[], Any]) -> str:
    """The bytes of a schema, or the message of the error."""
    try:
        return json.dumps(derive())
    except SchemaError as error:
        return f"{error}"


def texts_of(
    cases: list[Case], order: int, profiles: tuple[Profile, ...] = PROFILES
) -> dict[str, str]:
    """The schemas of all cases, in a specific order."""
    every = [(str(case), case, profile) for case in cases for profile in profiles]
    random.Random(order).shuffle(every)
    return {
        f"{name} {profile}": text_of(
            lambda case=case, profile=profile: type_to_schema(  # type: ignore[misc]
                case.type, profile=case.profile(profile)
            )
        )
        for name, case, profile in every
    }


@pytest.mark.usefixtures("_often_switching")
@pytest.mark.parametrize(
    "step", [pytest.param(4, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.long)]
)
def test_threads_that_derive_different_types_at_once_give_the_same_bytes_and_warnings(step):
    cases = EXPRESSED[::step]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        expected = texts_of(cases, 0)
        alone = collections.Counter(str(each.message) for each in caught)
        caught.clear()
        found = at_once(lambda number: texts_of(cases, number))
        together = collections.Counter(str(each.message) for each in caught)
    assert len(expected) > 1_200 / step
    assert all(each == expected for each in found)
    assert alone.total() > 40 / step
    assert together == {message: THREADS * count for message, count in alone.items()}


FRESH = """
    from __future__ import annotations
    from dataclasses import dataclass
    from typing import Annotated, Generic, Literal, TypedDict, TypeVar
    from milo_schema import MinLen
    T = TypeVar("T")

    @dataclass
    class Tree(Generic[T]):
        value: T
        children: list[Tree[T]]
        owner: Owner | None = None

    class Owner(TypedDict, total=False):
        name: Annotated[str, MinLen(1)]
        trees: dict[str, Tree[int]]

    def f(a: Tree[str], b: Owner, *, c: Literal["x", "y"] = "x") -> Tree[Owner]:
        '''Do it.

        Args:
            a: A tree.
        '''
"""


@pytest.mark.usefixtures("_often_switching")
@pytest.mark.parametrize(
    "times", [pytest.param(5, marks=pytest.mark.slow), pytest.param(100, marks=pytest.mark.long)]
)
def test_threads_that_derive_the_same_new_types_at_once_give_the_same_bytes(times):
    expected: dict[Any, str] = {}
    for _ in range(times):
        f = module_from(FRESH, name="fresh").f
        for derive in (function_to_schema, return_to_schema):
            found = at_once(
                lambda number, f=f, derive=derive: text_of(  # type: ignore[misc]
                    lambda: derive(f, profile=PROFILES[number % len(PROFILES)])
                )
            )
            for number, text in enumerate(found):
                at = derive.__name__, PROFILES[number % len(PROFILES)]
                assert expected.setdefault(at, text) == text
    assert len(expected) == 6
    assert all(text.startswith("{") for text in expected.values())


# -- processes ---------------------------------------------------------------------------------

IN_THREADS = """
import json, sys, threading
import milo_schema
from tests.test_concurrency import FRESH, at_once
from tests.modules import module_from

f = module_from(FRESH, name="fresh").f
found = at_once(lambda _: json.dumps(milo_schema.tool_schema(f).to_mcp()))
print(json.dumps(sorted(map(str, set(found)))))
"""
IN_SOME_ORDER = """
import sys, warnings
from tests.test_concurrency import digest
print(digest(int(sys.argv[1])))
"""


def digest(order: int) -> str:
    """A digest of all that the table gives, warnings too, derived in some order."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        texts = texts_of(EXPRESSED, order, (*PROFILES, SHARED))
    assert len(texts) > 2_000
    said = sorted(str(each.message) for each in caught)
    return hashlib.sha256(json.dumps([sorted(texts.items()), said]).encode()).hexdigest()


def run(code: str, *arguments: str, seed: int = 0) -> str:
    """The output of another process."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        check=True,
        cwd=ROOT,
        encoding="utf-8",
        env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": os.pathsep.join(sys.path)},
    ).stdout


@pytest.mark.slow
def test_threads_that_are_the_first_to_use_the_library_give_the_same_bytes():
    """Each module is imported when it is first needed, here by several threads together."""
    (text,) = json.loads(run(IN_THREADS))
    assert json.loads(text)["name"] == "f"


@pytest.mark.slow
def test_another_process_hash_seed_and_order_gives_the_same_bytes():
    assert run(IN_SOME_ORDER, "3", seed=4_294_967_295) == digest(7) + "\n"


@pytest.mark.long
def test_fifty_hash_seeds_and_orders_give_the_same_bytes():
    found = {run(IN_SOME_ORDER, str(seed), seed=seed) for seed in range(50)}
    assert found == {digest(50) + "\n"}
