"""Output for people: lines, tables, color, and progress.

Color, width and progress are for terminals; otherwise, the output is plain lines.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
import time
import traceback
from pathlib import Path

from milo_schema.annotations import Any, Iterable
from milo_schema.cli.imports import hush, one_line

__all__ = ["CommandError", "Console", "write_file"]

FOUND, FAILED, MISSED, NOTHING, INTERRUPTED = 1, 2, 3, 5, 130
"""The exit statuses other than 0; ``main()`` describes them."""


class CommandError(Exception):
    """Raised if a command cannot do what was asked; the message is one line."""


def write_file(name: str, text: str) -> None:
    """Write a text and a line break to a file.

    Raises:
        CommandError: It cannot be written.
    """
    try:
        Path(name).write_text(f"{text}\n", encoding="utf-8", newline="\n")
    except OSError as problem:
        raise CommandError(f"cannot write {name}: {problem.strerror}") from None


PATIENCE = 1.0
"""The seconds before progress is shown."""


class Console:
    """Standard output and standard error, for one command.

    Attributes:
        has_failed: Whether something failed.
        has_missed: Whether a module could not be imported.
        has_nothing: Whether no tools were found.
        is_quiet: Whether only results and failures are written.
        shows_tracebacks: Whether import errors are printed with a traceback.
    """

    def __init__(self) -> None:
        self.has_failed: bool = False
        self.has_missed: bool = False
        self.has_nothing: bool = False
        self.is_quiet: bool = False
        self.shows_tracebacks: bool = False
        self._since = time.monotonic()
        self._told = self._since
        self._is_shown = False

    # -- standard output -----------------------------------------------------------------------

    @property
    def width(self) -> int | None:
        """The width of the terminal; ``None`` if the output goes elsewhere."""
        return shutil.get_terminal_size().columns if _is_terminal(sys.stdout) else None

    @property
    def encoding(self) -> str:
        """The encoding of standard output."""
        return getattr(sys.stdout, "encoding", None) or "utf-8"

    def write(self, text: str) -> None:
        """Write a text and a line break; the reader of a pipe may leave early."""
        if sys.stdout is None:  # closed before Python started
            return
        line = f"{text}\n".encode(self.encoding, "backslashreplace").decode(self.encoding)
        self.clear()
        try:
            sys.stdout.write(line)
            sys.stdout.flush()
        except (OSError, ValueError) as problem:
            if not isinstance(problem, BrokenPipeError):  # such as a full disk
                self.fail(f"cannot write: {getattr(problem, 'strerror', problem)}")
            hush()  # otherwise, Python would fail again when it flushes the rest at exit

    def write_json(self, value: Any, indent: int = 2) -> None:
        """Write a JSON value, with escapes for characters that standard output cannot encode."""
        text = dumped(value, self.encoding, indent)
        is_seen = self.has_colors and _is_terminal(sys.stdout)  # not for programs
        self.write(_STRING.sub(self._painted, text) if is_seen else text)

    def _painted(self, match: re.Match[str]) -> str:
        return self.paint(match[1], "bold" if match[2] else "green") + match[2]

    def paint(self, text: str, style: str) -> str:
        """A text in color, if colors are used."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.has_colors else text

    @property
    def has_colors(self) -> bool:
        """Whether to use color: ``NO_COLOR`` takes precedence over ``FORCE_COLOR``."""
        if os.environ.get("NO_COLOR"):
            return False
        is_terminal = _is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb"
        return bool(os.environ.get("FORCE_COLOR")) or is_terminal

    def wrapped(self, text: str, margin: int = 0) -> list[str]:
        """A text in lines that fit the terminal beside a margin."""
        width = self.width
        if width is None:
            return [text]
        return textwrap.wrap(text, max(width - margin, _NARROW), break_on_hyphens=False)

    def table(self, rows: list[tuple[str, str]]) -> Iterable[str]:
        """Lines with two columns; the second is wrapped to the width of the terminal."""
        column = max(len(left) for left, _ in rows)
        for left, right in rows:
            head, *rest = self.wrapped(right, column + _MARGIN)
            yield f"  {self.paint(left, 'yellow')}{' ' * (column - len(left))}  {head}"
            yield from (f"{' ' * (column + _MARGIN)}{line}" for line in rest)

    # -- standard error ------------------------------------------------------------------------

    def tell(self, text: object) -> None:
        """Write a notice of one line to standard error."""
        if not self.is_quiet:
            self._say(text)

    def fail(self, problem: object) -> None:
        """Report in one line what failed."""
        self.has_failed = True
        self._say(problem)

    def miss(self, problem: Exception) -> None:
        """Report a module that could not be imported, and why."""
        self.has_missed = True
        self._say(problem)

    def _say(self, problem: object) -> None:
        self.clear()
        cause = problem.__cause__ if isinstance(problem, Exception) else None
        if cause is not None and self.shows_tracebacks:
            self._show("".join(traceback.format_exception(cause)))
        self._show(f"milo-schema: {one_line(problem)}\n")

    def progress(self, text: str) -> None:
        """Show the current step, if it takes long and a person is watching."""
        now = time.monotonic()
        if now - self._since > PATIENCE and now - self._told > _PAUSE and _is_terminal(sys.stderr):
            self._told = now
            self._is_shown = True
            self._show(f"\r\x1b[K{text[:_SHORT]}")

    def clear(self) -> None:
        """Clear the line that shows progress."""
        if self._is_shown:
            self._is_shown = False
            self._show("\r\x1b[K")

    def _show(self, text: str) -> None:
        if sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()


_STYLES = {"bold": "1", "red": "31", "green": "32", "yellow": "33", "faint": "2"}
_STRING = re.compile(r'("(?:[^"\\]|\\.)*")(:?)')
_NARROW = 24
_MARGIN = 4
_PAUSE = 0.1
_SHORT = 79


def dumped(value: Any, encoding: str, indent: int = 2) -> str:
    """A JSON value as text, with escapes for characters that the encoding lacks."""
    text = json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent, allow_nan=False)
    return text


def _is_terminal(stream: Any) -> bool:
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):  # there is none, or it is closed
        return False
