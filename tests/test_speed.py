"""Nothing gets much slower, or grows faster than its input: bytecode instructions, not time.

A count is the same in every run and under every load, so it is a fact. The unit is what
``inspect.signature()`` needs for the same functions on the same Python. An operation may take a
fifth more than what is listed; a change that makes one much cheaper should lower its numbers.
``python -m tests.test_speed`` prints the numbers of this Python.
"""

import inspect
import json
import subprocess
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from milo_schema import function_to_schema, profiles, return_to_schema, tool_schema
from milo_schema.arguments import binder
from milo_schema.results import return_to_json
from tests.growth_axes import AXES, nested_classes
from tests.inside import MAX_INLINE_DEPTH
from tests.instructions import instructions
from tests.modules import module_from
from tests.realistic import TOOLS

ROOM = 1.2
"""The allowed factor, for changes that add something, and for other versions of Python."""

PLAIN = "def tool(a: str, b: int, c: bool, d: str, e: float):\n    {doc}\n"
DOC = (
    '"""Do one thing well.\n\n    Args:\n'
    + "".join(f"        {name}: The {name} of the thing that is asked for.\n" for name in "abcde")
    + '    """'
)
SAMPLES = {
    "five plain parameters": PLAIN.format(doc="..."),
    "the same, documented": PLAIN.format(doc=DOC),
}
CALLS: dict[str, dict[str, Any]] = {
    "search": {"query": "a", "labels": ["b", "c"], "since": "2026-01-01T00:00:00Z"},
    "invite": {"title": "a", "start": "2026-01-01T00:00:00Z",
          "people": [{"name": "b", "email": "c@d"}]},
    "deploy": {"service": "a", "stage": "test"},
    "report": {"table": "a", "filters": {"column": "b", "values": ["c"]}, "totals": {"d": "sum"}},
    "resize": {"path": "a", "size": {"width": 1}, "crop": [0, 0, 1, 1]},
}  # fmt: skip
"""The arguments of a call of each realistic tool."""
RESULTS: dict[str, Any] = {
    "search": [{"title": "a", "state": "open"}] * 3,
    "invite": "a",
    "deploy": {"service": "a", "stage": "test"},
    "report": {"a": [1.0, 2.0], "b": [3.0]},
}
"""What each of them returns; ``resize`` returns one of its own classes."""


def count(source: str, derive: Any = function_to_schema, *, future: bool = False) -> int:
    """The instructions for a function that is new, in a process that has derived others."""
    derive(module_from(source, future=future).tool)
    tool = module_from(source, future=future).tool
    for forget in typing._cleanups:  # type: ignore[attr-defined]
        forget()
    return instructions(lambda: derive(tool))


def of_tools(derive: Callable[[Any], object], *, future: bool = False) -> int:
    """The instructions for all realistic tools."""
    return sum(count(source, derive, future=future) for source in TOOLS.values())


def of_calls() -> int:
    """The instructions for the arguments of a call of each realistic tool."""
    total = 0
    for name, arguments in CALLS.items():
        bind = binder(module_from(TOOLS[name]).tool)
        bind(arguments)
        total += instructions(lambda: bind(arguments))  # noqa: B023 - it runs at once
    return total


def of_results() -> int:
    """The instructions for what each realistic tool returns."""
    total = 0
    for name, value in RESULTS.items():
        tool = module_from(TOOLS[name]).tool
        return_to_json(tool, value)
        total += instructions(lambda: return_to_json(tool, value))  # noqa: B023 - it runs at once
    return total


def costs() -> dict[str, float]:
    """Each operation as a multiple of what ``inspect.signature()`` needs."""
    plain = count(SAMPLES["five plain parameters"], inspect.signature)
    tools = of_tools(inspect.signature)
    found = {
        **{name: count(source) / plain for name, source in SAMPLES.items()},
        "realistic tools": of_tools(function_to_schema) / tools,
        "the same, in strings": of_tools(function_to_schema, future=True) / tools,
        "their outputs": of_tools(return_to_schema) / tools,
        "their definitions": of_tools(tool_schema) / tools,
        "arguments of their calls": of_calls() / tools,
        "results of their calls": of_results() / tools,
    }
    return {name: round(cost, 2) for name, cost in found.items()}


DEFERRED = sys.version_info >= (3, 14)
"""Whether annotations are evaluated late, which makes ``inspect.signature()`` dearer."""
LISTED = {
    "five plain parameters": (1.68, 1.52),
    "the same, documented": (2.57, 2.28),
    "realistic tools": (7.52, 4.31),
    "the same, in strings": (10.27, 5.31),
    "their outputs": (3.0, 1.97),
    "their definitions": (12.64, 6.9),
    "arguments of their calls": (1.03, 0.5),
    "results of their calls": (1.28, 0.62),
}
"""The costs before Python 3.14, and since."""


@pytest.fixture(scope="module")
def found() -> dict[str, float]:
    """The costs in a process of its own, because other modules change them."""
    command = [sys.executable, "-m", "tests.test_speed"]
    root = Path(__file__).parent.parent
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    costs: dict[str, float] = json.loads(done.stdout)
    return costs


@pytest.mark.slow
def test_each_cost_is_listed(found):
    assert LISTED.keys() == found.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", LISTED)
def test_an_operation_costs_little_more_than_listed(found, name):
    assert found[name] <= ROOM * LISTED[name][DEFERRED]


def made(name: str, size: int) -> list[Any]:
    """The functions of a size along an axis."""
    tools = AXES[name].make(size)
    return tools if isinstance(tools, list) else [tools]


@pytest.mark.once
@pytest.mark.parametrize("name", AXES)
def test_a_schema_has_the_size_of_its_axis(name):
    text = json.dumps([function_to_schema(each, strict=True) for each in made(name, 16)])
    assert text.count(AXES[name].fragment) == AXES[name].times


@pytest.mark.parametrize("name", AXES)
@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=lambda it: it.name)
def test_four_times_the_input_needs_at_most_four_times_the_instructions(name, profile):
    def derive(size: int) -> Callable[[], object]:
        listed = made(name, size)
        return lambda: [function_to_schema(each, profile=profile) for each in listed]

    def cost(size: int) -> int:
        return instructions(derive(size))

    size = AXES[name].size
    derive(size)()  # loads what is loaded late
    assert cost(4 * size) <= ROOM * 4 * cost(size)


def test_no_step_is_where_named_types_are_too_deep_to_be_inlined():
    def cost(depth: int) -> int:
        tool = nested_classes(depth)
        return instructions(lambda: function_to_schema(tool, profile=profiles.MCP))

    cost(4)  # loads what is loaded late
    assert cost(MAX_INLINE_DEPTH + 1) <= 2 * cost(MAX_INLINE_DEPTH)
    assert cost(4 * MAX_INLINE_DEPTH) <= 4 * cost(MAX_INLINE_DEPTH + 1)


if __name__ == "__main__":
    print(json.dumps(costs(), indent=1))
