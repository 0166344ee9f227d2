"""The public cases are those of our tables, and the numbers of the README are what they give."""

import re
import sys

import pytest

from tests.tools.public import __main__ as public
from tests.tools.public import cases, differs

pytestmark = pytest.mark.core


def test_the_public_cases_are_those_of_the_tables():
    """After a change of a row, ``python -m tests.tools.public.cases`` writes the file."""
    assert cases.FILE.read_text("utf-8") == cases.text()


def test_we_have_every_public_case_right():
    wrong = [each.row["name"] for each in public.about_types(public.ours) if not each.whole]
    wrong += [each.row["name"] for each in public.about_docstrings(public.ours) if not each.whole]
    assert wrong == []


@pytest.mark.parametrize("schema", [None, {"type": "nothing"}, {}, False])
def test_a_library_without_a_schema_or_a_true_one_has_nothing_right(schema):
    assert not any(each.whole for each in public.about_docstrings(lambda _: schema))
    refusing = [each for each in public.about_types(lambda _: schema) if each.row["rejects"]]
    assert not any(each.whole for each in refusing)
    assert len(refusing) > 200


def test_the_readme_has_our_numbers():
    readme = public.README.read_text("utf-8")
    assert public.row_of("milo-schema", differs.cells("milo-schema")) in readme
    if sys.version_info[:2] == (3, 14):  # which the table is made on; 3.15 has one more type
        assert public.row_of("milo-schema", public.cells("milo-schema")) in readme


def test_the_readme_has_a_row_for_each_library():
    text = public.README.read_text("utf-8")
    rows = re.findall(r"^\| `([a-z-]+)(?:==[\d.]+)?` \| \d+ of \d+ ", text, re.MULTILINE)
    assert rows == [*differs.DIFFERS, *public.LIBRARIES]
