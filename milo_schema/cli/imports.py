"""Import users' modules, and report their output and their errors in one line.

Standard output is for results only. So the output of a module is redirected, including that on
the level of file descriptors, because C code and subprocesses do not use ``sys.stdout``.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import os
import sys
import tempfile
from types import ModuleType

from milo_schema.annotations import Any, Callable, Iterator, Self, TextIO
from milo_schema.errors import SchemaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
else:
    Path = Any

Tell = Callable[[str], None]

STDOUT = 1
"""The file descriptor of standard output."""


class ImportFailed(Exception):  # noqa: N818 - it did
    """Raised if a module cannot be imported; the message is one line."""

    def __init__(self, message: str, missing: str | None = None) -> None:
        super().__init__(message)
        self.missing = missing
        """The missing module, if that is the reason."""


def import_name(name: str, tell: Tell) -> ModuleType:
    """Import a module by its name, as a program in the current folder would.

    Args:
        name: Such as ``package.module``.
        tell: Called with one line if the module prints something.

    Returns:
        The module.

    Raises:
        ImportFailed: The module does not exist, or raised an exception.
    """
    search("")
    with _guarded(name, tell):
        return importlib.import_module(name)


def import_file(path: Path, tell: Tell) -> ModuleType:
    """Import a Python file as a separate module, or as one of the package that contains it.

    Args:
        path: A file that exists.
        tell: Called with one line if the file prints something.

    Returns:
        The module.

    Raises:
        ImportFailed: It raised something.
    """
    root, name = _root_of(path.resolve())
    search(str(root))
    for known in (name, f"{name} ({path})"):
        loaded = sys.modules.get(known)
        if loaded is not None and _is_from(loaded, path):
            return loaded
    if "." in name:
        return import_name(name, tell)
    with _guarded(str(path), tell):
        return _execute(path, known if name in sys.modules else name)


def import_folder(path: Path, tell: Tell) -> ModuleType:
    """Import a package by its folder.

    Args:
        path: A folder with an ``__init__.py``.
        tell: Called with one line if the package prints something.

    Returns:
        The package.

    Raises:
        ImportFailed: It raised something.
    """
    root, name = _root_of(path.resolve() / "__init__.py")
    search(str(root))
    return import_name(name, tell)


def one_line(problem: object) -> str:
    """The message of an exception, on one line; its class if it has no message."""
    try:
        return " ".join(str(problem).split())
    except Exception:  # noqa: BLE001 - __str__ is user code
        return ""


def is_module(name: str) -> bool:
    """Whether a name without dots is that of a module or package, not only of a folder."""
    search("")
    spec = importlib.util.find_spec(name)
    return spec is not None and spec.origin is not None


def search(folder: str) -> None:
    """Add a folder to the search path for modules."""
    if folder not in sys.path:
        sys.path.insert(0, folder)


def _root_of(path: Path) -> tuple[Path, str]:
    """The folder from which a file is imported, and its module name there."""
    root, parts = path.parent, [path.stem]
    while (root / "__init__.py").is_file():
        parts.insert(0, root.name)
        root = root.parent
    if parts[-1] == "__init__":
        parts.pop()
    return root, ".".join(parts)


def _is_from(module: Any, path: Path) -> bool:
    origin = vars(module).get("__file__")
    return type(origin) is str and os.path.realpath(origin) == os.path.realpath(path)


def _execute(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None  # noqa: S101, PT018 - it ends in .py
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # names in annotations are looked up there
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


@contextlib.contextmanager
def _guarded(name: str, tell: Tell) -> Iterator[None]:
    with Silence() as silence:
        try:
            yield
        except KeyboardInterrupt:
            raise
        except BaseException as problem:  # SystemExit, pytest's Skipped, ...
            reason = f"{type(problem).__name__}: {one_line(problem)}".removesuffix(": ")
            missing = problem.name if isinstance(problem, ModuleNotFoundError) else None
            where = _where(problem)
            raise ImportFailed(f"importing {name} raised {reason}{where}", missing) from problem
    if printed := silence.text.splitlines():
        lines = "line" if len(printed) == 2 else "lines"  # noqa: PLR2004 - the first and another
        more = f" and {len(printed) - 1} more {lines}" if printed[1:] else ""
        tell(f"importing {name} printed {printed[0]!r}{more}")


def _where(problem: BaseException) -> str:
    """The end of a message: the file and line of the error, if it is in a Python file."""
    if isinstance(problem, SchemaError) and problem.location:
        return f" ({short(problem.location)})"
    trace, place = problem.__traceback__, ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not file.startswith(("<", _PACKAGE)) and file != importlib.__file__:
            place = f" ({short(file)}:{trace.tb_lineno})"
        trace = trace.tb_next
    return place


_PACKAGE = __file__.rpartition(f"{os.sep}cli{os.sep}")[0] + os.sep
"""The folder of this library: a mistake is in the code that calls it."""


def short(file: str) -> str:
    """The path of a file relative to the current folder, or to its folder in the search path."""
    folders = [os.getcwd(), *sorted(filter(None, sys.path), key=len, reverse=True)]  # noqa: PTH109
    for folder in folders:
        if file.startswith(os.path.join(folder, "")):  # noqa: PTH118 - text, not a path
            return file[len(folder) :].lstrip(os.sep)
    return file


class Silence:
    """A context that redirects standard output to its attribute ``text``.

    Inside it, ``sys.stdout`` is another stream, which modules may wrap, replace or close.
    """

    def __init__(self) -> None:
        self.text: str = ""

    def __enter__(self) -> Self:
        _flush()
        self._kept = tempfile.TemporaryFile()
        self._stdout = sys.stdout
        self._memory = io.StringIO()
        self._stream: TextIO = self._memory
        self._saved = _duplicate()
        if self._saved is not None:
            os.dup2(self._kept.fileno(), STDOUT)
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
        self._kept.seek(0)
        self.text = self._memory.getvalue() + self._kept.read().decode("utf-8", "replace")
        self._kept.close()


def hush() -> None:
    """Discard all further output to standard output, until Python ends."""
    _flush()
    with contextlib.suppress(AttributeError, OSError, ValueError):  # none, in memory, or closed
        descriptor = sys.stdout.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _duplicate() -> int | None:
    try:
        return os.dup(STDOUT)
    except OSError:  # closed
        return None


def _flush(*more: TextIO) -> None:
    for stream in (sys.stdout, sys.__stdout__, *more):
        with contextlib.suppress(AttributeError, OSError, ValueError):
            stream.flush()  # type: ignore[union-attr]  # None, if there is none
