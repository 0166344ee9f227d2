"""The input, output and exceptions of modules that are imported, and who hears of them."""

import contextlib
import io
import os
import sys
from collections.abc import Callable
from typing import Any, Self, TextIO


class TargetError(Exception):
    """Raised if a target does not exist or cannot be read; the message is one line."""


class FailedImportError(TargetError):
    """Raised if a module cannot be imported; the message is one line.

    Attributes:
        name: The module or file.
        message: The exception, which several modules may have in common.
        place: Where it was raised, as the end of the message.
        missing: The missing module, if that is the reason.
    """

    def __init__(self, name: str, reason: str, place: str, missing: str | None = None) -> None:
        super().__init__(f"importing {name} raised {reason}{place}")
        self.name: str = name
        self.message: str = reason
        self.place: str = place
        self.missing: str | None = missing


class Listener:
    """Hears what happens while modules are imported; this one keeps what failed.

    Attributes:
        failed_imports: The exceptions of the modules that could not be imported.
    """

    def __init__(self) -> None:
        self.failed_imports: list[FailedImportError] = []

    def holds_tools(self, target: str) -> None:
        """Hear about a server or a toolbox in a module whose functions are searched."""

    def printed(self, name: str, lines: list[str]) -> None:
        """Hear what a module printed."""


def one_line(problem: object) -> str:
    """The message of an exception, on one line; empty if it cannot be read."""
    try:
        return " ".join(str(problem).split())
    except Exception:  # __str__ is user code
        return ""


def class_and_line(problem: BaseException) -> str:
    """The class and the message of an exception, on one line."""
    return f"{type(problem).__name__}: {one_line(problem)}".removesuffix(": ")


STDIN, STDOUT = 0, 1
"""The file descriptors of standard input and output."""


class Silence:
    """A context in which standard input is empty, and standard output goes to ``text``.

    Ending the process raises an exception: its status would be taken for that of the command.

    Standard output is for results only, and a server that runs when it is imported would wait for
    messages. The file descriptors are redirected, too, because C code and subprocesses use nothing
    else. Inside the context, the streams of ``sys`` are others, which modules may wrap, replace or
    close.
    """

    text: str

    def __enter__(self) -> Self:
        _flush()
        from tempfile import TemporaryFile  # --version and --help need none

        self._file = TemporaryFile()
        self._memory = io.StringIO()
        self._stream: TextIO = self._memory
        self._input = _ended_pipe()
        self._streams = sys.stdin, sys.stdout
        self._saved: dict[int, int] = {}
        for descriptor, file in ((STDIN, self._input), (STDOUT, self._file)):
            with contextlib.suppress(OSError):  # it is closed
                self._saved[descriptor] = os.dup(descriptor)
                os.dup2(file.fileno(), descriptor)
        if STDOUT in self._saved:
            self._stream = open(
                STDOUT, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False
            )
        sys.stdin, sys.stdout = self._input, self._stream
        self._ends = refuse_ends()
        return self

    def __exit__(self, *_: object) -> None:
        for name, end in self._ends.items():
            setattr(os, name, end)
        _flush(self._stream)
        sys.stdin, sys.stdout = self._streams
        for descriptor, saved in self._saved.items():
            os.dup2(saved, descriptor)
            os.close(saved)
        self._input.close()
        self._file.seek(0)
        self.text = self._memory.getvalue() + self._file.read().decode("utf-8", "replace")
        self._file.close()


_ENDS = ("_exit", "execv", "execve")
"""The functions of ``os`` that end the process at once; others, such as ``execvp``, call them."""


def refuse_ends() -> dict[str, Callable[..., Any]]:
    """Make the functions that end the process at once raise an exception; return them."""
    ends = {name: getattr(os, name) for name in _ENDS if hasattr(os, name)}
    for name, end in ends.items():
        setattr(os, name, _refusing(name, end))
    return ends


def _refusing(name: str, end: Callable[..., Any]) -> Callable[..., None]:
    """A function that ends only a process that a module has forked."""
    ours = os.getpid()

    def refuse(*args: Any, **kwargs: Any) -> None:
        if os.getpid() == ours:
            raise SystemExit(f"os.{name}()")
        end(*args, **kwargs)

    return refuse


def _ended_pipe() -> TextIO:
    """An empty pipe, which an event loop can wait for, unlike the null device."""
    reader, writer = os.pipe()
    os.close(writer)
    return os.fdopen(reader)


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
