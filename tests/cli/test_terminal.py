"""Tables and progress on a terminal, to the last column."""

import io
import sys
import time

import pytest

from milo_schema.cli.terminal import Console


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


def progress(monkeypatch, *reports):
    """The texts that are shown of those reported so many seconds after the start."""
    clock = iter([0.0, *(seconds for seconds, _ in reports)])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(sys, "stderr", Terminal())
    console = Console()
    for _, text in reports:
        console.progress(text)
    return sys.stderr.getvalue()


def test_progress_is_one_line_of_seventy_nine_characters(monkeypatch):
    line = f"\r\x1b[K{'x' * 79}"
    assert progress(monkeypatch, (2, "x" * 79)) == progress(monkeypatch, (2, "x" * 80)) == line


def test_progress_is_shown_after_one_second(monkeypatch):
    assert progress(monkeypatch, (1.0, "a")) == ""
    assert progress(monkeypatch, (1.01, "a")) == "\r\x1b[Ka"


def test_progress_is_shown_ten_times_a_second(monkeypatch):
    assert progress(monkeypatch, (2, "a"), (2.09, "b")) == "\r\x1b[Ka"
    assert progress(monkeypatch, (2, "a"), (2.11, "b")) == "\r\x1b[Ka\r\x1b[Kb"
