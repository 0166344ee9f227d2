"""Output: results on standard output; notices and errors on standard error.

Color and width are for terminals; otherwise, the output is plain lines.
"""

import contextlib
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from milo_schema.annotations.classes import shorten
from milo_schema.targets import Listener, hush, one_line

FINDINGS, FAILED, IMPORT_FAILED, NO_TOOLS, INTERRUPTED = 1, 2, 3, 5, 130
"""The exit statuses other than 0; ``main()`` describes them."""


class CommandError(Exception):
    """Raised if a command cannot do what was asked; the message is one line."""


_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # controls, such as the escape character of terminals
    "\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # what hides or reorders text
    "\ud800-\udfff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"  # no characters, and tags
    r"|#(?=#(?:vso)?\[)"  # ##[group], a command of CI
)
_COMMAND = re.compile(r"^(\s*):(?=:)")


def printable(text: object) -> str:
    """Text from elsewhere, on one line, without commands to a terminal or to CI."""
    seen = _UNSAFE.sub(_python_escape, str(text))
    return _COMMAND.sub(r"\1\\x3a", seen)


def printable_json(text: str) -> str:
    """The text of a JSON value, of which no part is a command either; the value is the same."""
    return _UNSAFE.sub(_json_escape, text)


def _python_escape(match: re.Match[str]) -> str:
    return r"\x23" if match[0] == "#" else match[0].encode("unicode_escape").decode()


def _json_escape(match: re.Match[str]) -> str:
    if match[0] == "\n":  # between two values
        return match[0]
    digits = match[0].encode("utf-16-be", "surrogatepass").hex()
    return re.sub("(.{4})", r"\\u\1", digits)


def count(number: int, word: str) -> str:
    """A number with its noun: ``1 place``, ``2 places``, ``no places``."""
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"


_T = TypeVar("_T")


def grouped(items: Iterable[_T], key: Callable[[_T], Any]) -> dict[Any, list[_T]]:
    """The items of each key, in their order."""
    groups: dict[Any, list[_T]] = {}
    for each in items:
        groups.setdefault(key(each), []).append(each)
    return groups


def workflow_command(level: str, text: str, **properties: Any) -> str:
    """A workflow command of GitHub Actions, which shows a message beside the line of a file."""
    known = [f"{key}={_escape(str(x), ':,')}" for key, x in properties.items() if x is not None]
    return f"::{level} {','.join(known)}::{_escape(text)}"


def _escape(text: str, more: str = "") -> str:
    text = printable(text)
    for letter in f"%{more}":  # the percent sign is first, because escapes begin with it
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text


_NARROW = 24
"""The fewest columns of text, however narrow the terminal is."""
_MARGIN = 4
_STYLES = {"bold": "1", "red": "31", "green": "32", "yellow": "33", "faint": "2"}


class Console(Listener):
    """Standard output and standard error, for one command.

    Attributes:
        has_failed: Whether something failed.
        has_no_tools: Whether no tools were found.
        is_quiet: Whether only results and failures are written.
        shows_tracebacks: Whether import errors are printed with a traceback.
    """

    has_failed: bool = False
    has_no_tools: bool = False
    is_quiet: bool = False
    shows_tracebacks: bool = False

    def status(self, allow_import_errors: bool) -> int:
        """The exit status for what was reported so far."""
        if self.has_failed:
            return FAILED
        if self.failed_imports and not allow_import_errors:
            return IMPORT_FAILED
        return NO_TOOLS if self.has_no_tools else 0

    # -- standard output -----------------------------------------------------------------------

    @property
    def encoding(self) -> str:
        """The encoding of standard output."""
        return getattr(sys.stdout, "encoding", None) or "utf-8"

    def write(self, text: str) -> None:
        """Write a string and a line break; the reader of a pipe may leave early."""
        if sys.stdout is None:  # closed before Python started
            if not self.has_failed:
                self.fail("cannot write: standard output is closed")
            return
        line = f"{text}\n".encode(self.encoding, "backslashreplace").decode(self.encoding)
        try:
            sys.stdout.write(line)
            sys.stdout.flush()
        except (OSError, ValueError) as problem:
            if not isinstance(problem, BrokenPipeError):  # such as a full disk
                self.fail(f"cannot write: {getattr(problem, 'strerror', problem)}")
            hush()  # otherwise, Python would fail again when it flushes the rest at exit

    def write_json(self, value: Any) -> None:
        """Write a JSON value, with escapes for characters that standard output cannot encode."""
        import json  # --version and --help need none

        text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            text = json.dumps(value, indent=2)
        self.write(printable_json(text))

    def paint(self, text: str, style: str) -> str:
        """Text in color, if colors are used."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.has_colors else text

    @property
    def has_colors(self) -> bool:
        """Whether to use color: ``NO_COLOR`` takes precedence over ``FORCE_COLOR``."""
        if os.environ.get("NO_COLOR"):
            return False
        is_terminal = _is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb"
        return bool(os.environ.get("FORCE_COLOR")) or is_terminal

    def wrap(self, text: str, margin: int = 0) -> list[str]:
        """Text in lines that fit the terminal beside a margin; in one line elsewhere."""
        if not _is_terminal(sys.stdout):
            return [text]
        width = max(shutil.get_terminal_size().columns - margin, _NARROW)
        return textwrap.wrap(text, width, break_on_hyphens=False)

    def table(self, rows: list[tuple[str, str]]) -> Iterable[str]:
        """Lines with two columns; the second is wrapped to the width of the terminal."""
        column = max(len(left) for left, _ in rows)
        for left, right in rows:
            head, *rest = self.wrap(right, column + _MARGIN)
            yield f"  {self.paint(left, 'yellow')}{' ' * (column - len(left))}  {head}"
            yield from (f"{' ' * (column + _MARGIN)}{line}" for line in rest)

    # -- standard error ------------------------------------------------------------------------

    def note(self, text: object) -> None:
        """Write a notice of one line to standard error."""
        if not self.is_quiet:
            self.report(text)

    def wait_for(self, name: str) -> None:
        """Say what the command waits for, if a user is there to read it."""
        if _is_terminal(sys.stderr):
            self.note(f"waiting for {name}")

    def fail(self, problem: object) -> None:
        """Report in one line what failed."""
        self.has_failed = True
        self.report(problem, problem.__cause__ if isinstance(problem, Exception) else None)

    def report(self, problem: object, cause: BaseException | None = None) -> None:
        """Write one line, even if only failures are written, after the traceback of its cause."""
        if cause is not None and self.shows_tracebacks:
            from traceback import format_exception  # with inspect, from Python 3.14 on

            write_lines("".join(format_exception(cause)))
        _write_error(f"milo-schema: {printable(one_line(problem))}\n")

    def holds_tools(self, target: str) -> None:
        """Write a notice about a server or a toolbox, whose tools may be what is meant."""
        self.note(f"{target} is a server or a toolbox; use it as the target to read its tools")

    def printed(self, name: str, lines: list[str]) -> None:
        """Write a notice about a module that printed something."""
        more = f" and {count(len(lines) - 1, 'more line')}" if lines[1:] else ""
        self.note(f"importing {name} printed {shorten(lines[0])!r}{more}")


def write_lines(text: str) -> None:
    """Write lines of others to standard error."""
    _write_error("".join(f"{printable(line)}\n" for line in text.splitlines()))


def _write_error(text: str) -> None:
    with contextlib.suppress(AttributeError, OSError, ValueError):  # there is none, or it is closed
        sys.stderr.write(text)
        sys.stderr.flush()


def _is_terminal(stream: Any) -> bool:
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):  # there is none, or it is closed
        return False
