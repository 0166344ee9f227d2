"""The promise of ``tests/every.py``: every row is tried, and every failure is reported."""

import inspect

import pytest

from tests import every as module
from tests.every import every


@pytest.fixture(autouse=True)
def rows_that_are_not_written_down(monkeypatch):
    """The rows here are no tests: some are skipped always, and none ran nowhere."""
    monkeypatch.setattr(module, "RECORDERS", [])


def test_every_row_is_tried_and_each_failure_names_its_row():
    tried = []

    @every("number", [1, 2, 3, 4])
    def is_even(number):
        tried.append(number)
        assert number % 2 == 0

    with pytest.raises(ExceptionGroup) as caught:
        is_even()
    assert tried == [1, 2, 3, 4]
    assert caught.value.message == "2 of 4 rows"
    assert [each.__notes__ for each in caught.value.exceptions] == [["number: 1"], ["number: 3"]]


def test_a_missing_exception_is_a_failure():
    @every("kind", [ValueError, TypeError])
    def raises(kind):
        with pytest.raises(kind):
            int("x")

    with pytest.raises(BaseExceptionGroup) as caught:
        raises()
    assert caught.value.message == "1 of 2 rows"


def test_a_function_makes_the_rows_when_the_test_runs():
    asked = []

    def rows():
        asked.append("once")
        return "ab"

    @every("letter", rows)
    def is_a(letter):
        assert letter == "a"

    assert asked == []
    with pytest.raises(ExceptionGroup, match="1 of 2 rows"):
        is_a()
    assert asked == ["once"]


def test_two_tables_are_a_product():
    tried = []

    @every("one", "ab")
    @every("other", "xy")
    def joined(fixture, one, other):
        tried.append(fixture + one + other)

    joined(fixture="-")
    assert tried == ["-ax", "-ay", "-bx", "-by"]
    assert list(inspect.signature(joined).parameters) == ["fixture"]


def test_a_test_is_skipped_if_every_row_is():
    tried = []

    @every("number", [1, 2])
    def skips(number, limit):
        if number < limit:
            pytest.skip("too small")
        tried.append(number)

    skips(limit=2)
    assert tried == [2]
    with pytest.raises(pytest.skip.Exception, match=r"^number 1: too small; number 2: too small$"):
        skips(limit=3)


def test_a_row_that_is_skipped_hides_no_failure():
    @every("number", [1, 2])
    def skips(number):
        if number == 2:
            pytest.skip("too large")
        assert number > 1

    with pytest.raises(ExceptionGroup):
        skips()


def test_a_table_without_a_row_is_a_mistake():
    with pytest.raises(AssertionError):
        every("number", [])
