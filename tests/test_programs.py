"""Programs as users write them: each runs, and type checkers in strict mode accept all of them.

They dig in no result, and name a profile only where they choose one.
"""

import re
import runpy
from pathlib import Path

import pytest

from milo_schema import profiles
from tests.every import every

pytestmark = pytest.mark.core

FOLDER = Path(__file__).parent / "typing" / "programs"
PROGRAMS = sorted(FOLDER.glob("*.py"))
CHOOSING = {"budget", "form", "gate", "openai_loop", "proxy"}


@every("program", PROGRAMS, ids=lambda each: each.stem)
def test_a_program_does_what_it_asserts(program):
    assert runpy.run_path(str(program))["__doc__"]


@every("program", PROGRAMS, ids=lambda each: each.stem)
def test_a_program_digs_in_no_result_and_names_no_profile_needlessly(program):
    text = program.read_text(encoding="utf-8")
    assert not re.search(r'(?:\bresult|\))\["(?:content|structuredContent|isError)"\]', text)
    named = {name for name in profiles.__all__ if f"profiles.{name}" in text}
    assert bool(named) == (program.stem in CHOOSING)
    assert not named & {"MCP", "MILO"}  # the defaults


def test_there_are_twenty_programs():
    assert len(PROGRAMS) >= 20
