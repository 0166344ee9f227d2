"""Nothing gets slower unnoticed: how many bytecode instructions realistic tools take.

A count is the same on every machine and under every load. It depends on the version of Python, and
on other modules in the process, so a separate process counts. A change that makes a count
smaller makes the limit smaller: ``python -m tests.test_speed`` prints the counts of this Python.
"""

import json
import subprocess
import sys
import typing
from pathlib import Path
from typing import Any

import pytest

from milo_schema import function_to_schema, return_to_schema
from tests.instructions import instructions
from tests.modules import module_from
from tests.realistic import TOOLS

pytestmark = pytest.mark.slow

ROOM = 1.04
"""The allowed factor for a change that adds to the derived schema."""

VERSIONS = ((3, 11), (3, 12), (3, 13), (3, 14), (3, 15))
LISTED = {
    "five plain parameters": (1_340, 1_260, 1_197, 1_253, 1_253),
    "the same, documented": (1_970, 1_832, 1_753, 1_838, 1_838),
    "search": (5_566, 5_138, 5_035, 7_246, 7_272),
    "invite": (6_234, 5_750, 5_609, 5_939, 5_924),
    "deploy": (3_307, 3_046, 2_959, 3_147, 3_150),
    "report": (6_244, 5_765, 5_636, 7_450, 7_712),
    "resize": (7_373, 6_796, 6_661, 8_256, 8_259),
    "all, strings": (39_190, 36_024, 35_465, 39_206, 39_708),
    "all, with outputs": (44_503, 40_910, 40_135, 47_060, 47_371),
}
"""The counts of each of these Pythons."""

PLAIN = "def tool(a: str, b: int, c: bool, d: str, e: float):\n    {doc}\n"
DOC = (
    '"""Do one thing well.\n\n    Args:\n'
    + "".join(f"        {name}: The {name} of the thing that is asked for.\n" for name in "abcde")
    + '    """'
)
SAMPLES = {
    "five plain parameters": PLAIN.format(doc="..."),
    "the same, documented": PLAIN.format(doc=DOC),
    **TOOLS,
}


def derived(func: Any) -> object:
    return function_to_schema(func), return_to_schema(func)


def count(source: str, derive: Any = function_to_schema, *, future: bool = False) -> int:
    """The instructions for a function that is new, in a process that has derived others."""
    derive(module_from(source, future=future).tool)
    tool = module_from(source, future=future).tool
    for forget in typing._cleanups:  # type: ignore[attr-defined]
        forget()
    return instructions(lambda: derive(tool))


def counts() -> dict[str, int]:
    """The instructions of each sample, and of all tools as strings and with their outputs."""
    return {
        **{name: count(source) for name, source in SAMPLES.items()},
        "all, strings": sum(count(source, future=True) for source in TOOLS.values()),
        "all, with outputs": sum(count(source, derived) for source in TOOLS.values()),
    }


@pytest.fixture(scope="module")
def found() -> dict[str, int]:
    command = [sys.executable, "-m", "tests.test_speed"]
    root = Path(__file__).parent.parent
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    counted: dict[str, int] = json.loads(done.stdout)
    return counted


def test_each_count_is_listed(found):
    assert LISTED.keys() == found.keys()


@pytest.mark.skipif(
    sys.version_info[:2] not in VERSIONS, reason="nothing is listed for this Python"
)
@pytest.mark.parametrize("name", LISTED)
def test_a_tool_needs_no_more_instructions_than_listed(found, name):
    assert found[name] <= ROOM * LISTED[name][VERSIONS.index(sys.version_info[:2])]


def test_a_docstring_costs_less_than_the_function(found):
    documented, plain = found["the same, documented"], found["five plain parameters"]
    assert documented <= 1.7 * plain


if __name__ == "__main__":
    print(json.dumps(counts()))
