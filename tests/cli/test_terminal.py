"""Tables on a terminal, to the last column."""

import io
import sys

import pytest

from tests.inside import Console


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("columns", "room"), [(10, 24), (32, 24), (33, 25), (80, 72)])
def test_second_column_of_a_table_fills_the_terminal_and_is_never_narrower(
    monkeypatch, columns, room
):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys, "stdout", Terminal())
    lines = list(Console().table([("code", "x" * (room + 1))]))
    assert lines == [f"  code  {'x' * room}", "        x"]
    assert list(Console().table([("code", "x" * room)])) == lines[:1]


def test_a_text_breaks_between_words_on_a_terminal_and_nowhere_else(monkeypatch):
    text = "6 findings (1 no-annotation, 1 no-output-schema)"
    assert Console().wrap(text) == [text]
    monkeypatch.setenv("COLUMNS", "41")
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert Console().wrap(text) == ["6 findings (1 no-annotation, 1", "no-output-schema)"]
    assert Console().wrap(text, margin=41) == [
        *("6 findings (1", "no-annotation, 1", "no-output-schema)"),
    ]
