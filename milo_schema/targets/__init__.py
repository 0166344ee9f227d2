"""The output and the exceptions of modules that are imported, and who hears of them."""

import contextlib
import io
import os
import sys
from typing import Self, TextIO


class TargetError(Exception):
    """Raised if a target does not exist or cannot be read; the message is one line."""


class FailedImportError(TargetError):
    """Raised if a module cannot be imported; the message is one line.

    Attributes:
        name: The module or file.
        reason: The exception, which several modules may have in common.
        place: Where it was raised, as the end of the message.
        missing: The missing module, if that is the reason.
    """

    def __init__(self, name: str, reason: str, place: str, missing: str | None = None) -> None:
        super().__init__(f"importing {name} raised {reason}{place}")
        self.name: str = name
        self.reason: str = reason
        self.place: str = place
        self.missing: str | None = missing


class Listener:
    """Hears what happens while modules are imported; this one keeps what failed.

    Attributes:
        failed_imports: The exceptions of the modules that could not be imported.
    """

    def __init__(self) -> None:
        self.failed_imports: list[FailedImportError] = []

    def printed(self, name: str, lines: list[str]) -> None:
        """Hear what a module printed."""


def one_line(problem: object) -> str:
    """The message of an exception, on one line; empty if it cannot be read."""
    try:
        return " ".join(str(problem).split())
    except Exception:  # __str__ is user code
        return ""


STDOUT = 1
"""The file descriptor of standard output."""


class Silence:
    """A context that redirects standard output to its attribute ``text``.

    Standard output is for results only. The file descriptor is redirected, too, because C code and
    subprocesses do not use ``sys.stdout``. Inside the context, ``sys.stdout`` is another stream,
    which modules may wrap, replace or close.
    """

    text: str = ""

    def __enter__(self) -> Self:
        _flush()
        from tempfile import TemporaryFile  # --version and --help need none

        self._file = TemporaryFile()
        self._memory = io.StringIO()
        self._stream: TextIO = self._memory
        self._stdout = sys.stdout
        self._saved: int | None = None
        with contextlib.suppress(OSError):  # it is closed
            self._saved = os.dup(STDOUT)
            os.dup2(self._file.fileno(), STDOUT)
            self._stream = open(
                STDOUT, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False
            )
        sys.stdout = self._stream
        return self

    def __exit__(self, *_: object) -> None:
        _flush(self._stream)
        sys.stdout = self._stdout
        if self._saved is not None:
            os.dup2(self._saved, STDOUT)
            os.close(self._saved)
        self._file.seek(0)
        self.text = self._memory.getvalue() + self._file.read().decode("utf-8", "replace")
        self._file.close()


def hush() -> None:
    """Discard all further output to standard output, until Python ends."""
    _flush()
    with contextlib.suppress(AttributeError, OSError, ValueError):  # none, in memory, or closed
        descriptor = sys.stdout.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _flush(*more: TextIO) -> None:
    for stream in (sys.stdout, sys.__stdout__, *more):
        with contextlib.suppress(AttributeError, OSError, ValueError):
            stream.flush()  # type: ignore[union-attr]  # None, if there is none
