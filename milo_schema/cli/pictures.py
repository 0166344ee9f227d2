"""Pictures of places: the lines of a source with what findings are about underlined.

They are drawn in the columns of a terminal: a tab reaches to the next stop, some characters take
two columns and some none. A line that is too wide is cut around what is underlined.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from milo_schema.annotations import Iterable, Iterator
from milo_schema.cli.sources import Mark
from milo_schema.cli.terminal import Console

__all__ = ["picture"]

TAB = 4
WIDE = 100
"""The columns of a line if the output is not a terminal."""
NARROW = 24
"""The fewest columns of a line, however narrow the terminal is."""
_CUT = "..."


class _Column(NamedTuple):
    """One column of a line: its character, or nothing if a wide one began before it."""

    text: str
    is_marked: bool


def picture(lines: list[str], marks: Iterable[Mark], console: Console) -> Iterator[str]:
    """Draw the lines with marks, each underlined.

    Args:
        lines: The lines of a source.
        marks: The parts to underline.
        console: The output, with its width, encoding and colors.
    """
    by_line: dict[int, list[Mark]] = {}
    for mark in sorted(set(marks)):
        by_line.setdefault(mark.line, []).append(mark)
    digits = len(str(max(by_line, default=0)))
    room = max((console.width or WIDE) - digits - len("   | "), NARROW)
    for number, each in by_line.items():
        columns = _columns(lines[number - 1].rstrip(), each, console.encoding)
        for part in _parts(columns, room):
            text = "".join(column.text for column in part)
            under = "".join(" ^"[column.is_marked] for column in part).rstrip()
            edge = f"{number:>{digits}} |"
            yield f"  {console.paint(edge, 'faint')} {text}"
            edge = f"{'':{digits}} |"
            yield f"  {console.paint(edge, 'faint')} {console.paint(under, 'yellow')}"


def _columns(line: str, marks: list[Mark], encoding: str) -> list[_Column]:
    """The columns of a line, with letters that the encoding has."""
    columns: list[_Column] = []
    for index, letter in enumerate(line):
        shown = _shown(letter, len(columns), encoding)
        if columns and shown == letter and unicodedata.category(letter) in {"Mn", "Me"}:
            columns[-1] = columns[-1]._replace(text=columns[-1].text + letter)  # as an accent
            continue
        is_marked = any(mark.start <= index < mark.end for mark in marks)
        columns += [_Column(each, is_marked) for each in shown]
        if shown == letter and unicodedata.east_asian_width(letter) in {"W", "F"}:
            columns.append(_Column("", is_marked))
    return columns


def _shown(letter: str, at: int, encoding: str) -> str:
    """A character as a terminal shows it at a column; control characters are escaped."""
    if letter == "\t":
        return " " * (TAB - at % TAB)
    if not letter.isprintable():
        return letter.encode("unicode_escape").decode()
    return letter.encode(encoding, "backslashreplace").decode(encoding)


def _parts(columns: list[_Column], room: int) -> Iterator[list[_Column]]:
    """The line if it fits; otherwise, the parts of it where a mark begins."""
    if len(columns) <= room:
        yield columns
        return
    before = [False, *(column.is_marked for column in columns)]
    todo = [at for at, column in enumerate(columns) if column.is_marked and not before[at]]
    while todo:
        start = 0 if todo[0] < room - len(_CUT) else todo[0] - room // 4
        end = min(start + room, len(columns))
        yield _cut(columns, start, end)
        todo = [at for at in todo if at >= end - len(_CUT)]


def _cut(columns: list[_Column], start: int, end: int) -> list[_Column]:
    """The columns from *start* to *end*, with dots where the line is cut."""
    dots = [_Column(dot, is_marked=False) for dot in _CUT]
    first = start + len(dots) if start else 0
    last = end - len(dots) if end < len(columns) else end
    kept = columns[first:last]
    if not kept[0].text:  # the second half of a wide character
        kept[0] = kept[0]._replace(text=" ")
    if last < end and not columns[last].text:
        kept[-1] = kept[-1]._replace(text=" ")
    return [*(dots if start else ()), *kept, *(dots if last < end else ())]
