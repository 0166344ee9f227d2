"""Import the modules of users: one, or all that are public in a package or folder.

A listener hears what a module prints, and which exception it raises.
"""

import contextlib
import difflib  # noqa: F401 - of nearest(): later, a user's module of that name would be in the way
import importlib
import importlib.machinery
import importlib.util
import os
import pkgutil
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType
from typing import Any

from milo_schema.errors import SchemaError, nearest
from milo_schema.targets import FailedImportError, Listener, Silence, TargetError, class_and_line

# -- one module --------------------------------------------------------------------------------


def import_module(where: str, listener: Listener) -> ModuleType:
    """Import a module by its name, its file, or the folder of its package.

    Raises:
        FailedImportError: It raised an exception.
        TargetError: It does not exist.
    """
    path = Path(where)
    if where.endswith(".py"):
        return _import_file(_existing(path), listener)
    if _is_package(path):
        return _import_folder(path, listener)
    if is_path(where) or path.is_file():
        raise TargetError(f"{where} is not a Python file, package or folder")
    try:
        return _import_name(where, listener)
    except FailedImportError as problem:
        missing = problem.missing
        if missing is None or not f"{where}.".startswith(f"{missing}."):
            raise
        raise TargetError(f"no module named {missing}{_similar(missing)}") from None


def is_path(text: str) -> bool:
    """Whether a string is the path of a file or folder, not the name of a module."""
    return "/" in text or "\\" in text or text.endswith(".py")


def _is_package(folder: Path) -> bool:
    return (folder / "__init__.py").is_file()


def _existing(path: Path) -> Path:
    if not path.exists():
        siblings = [str(path.with_name(each.name)) for each in path.parent.glob("*.py")]
        raise TargetError(f"no such file: {path}{nearest(str(path), siblings)}")
    return path


def _similar(missing: str) -> str:
    """The end of a message: the module, or the name in a module, that was probably meant."""
    parent, _, last = missing.rpartition(".")
    if not parent:
        names = {*sys.builtin_module_names, *(info.name for info in pkgutil.iter_modules())}
        return nearest(last, (name for name in names if not name.startswith("_")))
    module = sys.modules[parent]
    if last in vars(module):
        return f"; did you mean {parent}:{last}?"
    return nearest(missing, [f"{parent}.{name}" for name in submodules(module)])


def _import_name(name: str, listener: Listener) -> ModuleType:
    """Import a module by its name, as a program in the current folder would."""
    _search("")
    with _reporting(name, listener):
        return importlib.import_module(name)


def _import_folder(path: Path, listener: Listener) -> ModuleType:
    """Import a package by its folder."""
    root, name = _root_of(path.resolve() / "__init__.py")
    _search(str(root))
    return _import_name(name, listener)


def _import_file(path: Path, listener: Listener) -> ModuleType:
    """Import a Python file as a separate module, or as one of the package that contains it."""
    root, name = _root_of(path.resolve())
    _search(str(root))
    for known in (name, f"{name} ({path})"):
        loaded = sys.modules.get(known)
        if loaded is not None and _is_from(loaded, path):
            return loaded
    if "." in name:
        return _import_name(name, listener)
    with _reporting(str(path), listener):
        return _execute(path, known if name in sys.modules else name)


def _search(folder: str) -> None:
    """Add a folder to the search path for modules."""
    if folder not in sys.path:
        sys.path.insert(0, folder)


def _root_of(path: Path) -> tuple[Path, str]:
    """The folder from which a file is imported, and its module name there."""
    root, parts = path.parent, [path.stem]
    while _is_package(root):
        parts.insert(0, root.name)
        root = root.parent
    if parts[-1] == "__init__":
        parts.pop()
    return root, ".".join(parts)


def _is_from(module: Any, path: Path) -> bool:
    origin = vars(module).get("__file__")
    return type(origin) is str and os.path.realpath(origin) == os.path.realpath(path)


def _execute(path: Path, name: str) -> ModuleType:
    if not path.is_file():  # a pipe or a device, which may have no end
        raise OSError("it is not a regular file")
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    spec = importlib.machinery.ModuleSpec(name, loader, origin=str(path))
    spec.has_location = True  # for __file__
    if path.stem == "__init__":
        spec.submodule_search_locations = [str(path.parent)]
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # names in annotations are looked up there
    try:
        loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


@contextlib.contextmanager
def _reporting(name: str, listener: Listener) -> Iterator[None]:
    """Report the output and the exceptions of a module that is imported inside this context."""
    with Silence() as silence, contextlib.chdir("."):  # a module may change the folder
        try:
            yield
        except KeyboardInterrupt:
            raise
        except BaseException as problem:  # SystemExit, pytest's Skipped, ...
            reason = class_and_line(problem)
            missing = problem.name if isinstance(problem, ModuleNotFoundError) else None
            raise FailedImportError(name, reason, _place_of(problem), missing) from problem
    if lines := silence.text.splitlines():
        listener.printed(name, lines)


def _place_of(problem: BaseException) -> str:
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


_PACKAGE = __file__.rpartition(f"{os.sep}targets{os.sep}")[0] + os.sep
"""The folder of this library: a mistake is in the code that calls it."""


def short(file: str) -> str:
    """The path of a file relative to the current folder, or to its folder in the search path."""
    folders = [str(Path.cwd()), *sorted(filter(None, sys.path), key=len, reverse=True)]
    for folder in folders:
        if file.startswith(folder.rstrip(os.sep) + os.sep):
            return file[len(folder) :].lstrip(os.sep)
    return file


# -- all modules -------------------------------------------------------------------------------

NOT_SEARCHED = (
    *("*_test.py", "build", "conftest.py", "dist", "docs", "node_modules", "noxfile.py"),
    *("setup.py", "site-packages", "test", "test_*.py", "tests"),
)
"""The names of folders and files that are not searched."""
_TESTS = re.compile(r"(^|\.)(tests|test_[^.]*|[^.]*_test|conftest)(\.|$)")
"""The names of modules that are tests of their package; ``test`` may be for those of its users."""


def matches(patterns: Iterable[str], *names: str) -> bool:
    """Whether a pattern matches one of the names, or a folder, package or class around it."""
    return any(
        fnmatchcase(name.replace(os.sep, "/"), f"{start}{pattern.rstrip('/')}{end}")
        for pattern in patterns
        for name in names
        for start in ("", "*/")
        for end in ("", "/*", ".*", ":*")
    )


def submodules(module: ModuleType) -> dict[str, str]:
    """The names of the modules directly inside a package, and their files or folders."""
    return {
        info.name: str(Path(folder, info.name if info.ispkg else f"{info.name}.py"))
        for folder in vars(module).get("__path__", ())
        for info in pkgutil.iter_modules([folder])
    }


def modules_below(
    module: ModuleType, listener: Listener, exclude: Collection[str]
) -> Iterator[ModuleType]:
    """A module and the public modules inside it, without the tests of a package."""
    yield module
    for name, file in submodules(module).items():
        full = f"{module.__name__}.{name}"
        is_test = _TESTS.search(name) and not _TESTS.search(module.__name__)
        if not name.startswith("_") and not is_test and not matches(exclude, full, file):
            yield from _import_all(_import_name, full, listener, exclude)


def is_folder_of_modules(where: str) -> bool:
    """Whether a name means a folder, not a package or module with that name."""
    path = Path(where)
    return path.is_dir() and not _is_package(path) and not _is_module(where)


def _is_module(name: str) -> bool:
    if not name.isidentifier():
        return False
    _search("")
    spec = importlib.util.find_spec(name)
    return spec is not None and spec.origin is not None


def import_folder_of_modules(
    where: str, listener: Listener, exclude: Collection[str]
) -> Iterator[ModuleType]:
    """Import the modules in a folder that is not a package, and in the folders inside it."""
    _search(os.path.realpath(where))
    yield from _modules_in(Path(where), listener, exclude)


def _modules_in(folder: Path, listener: Listener, exclude: Collection[str]) -> Iterator[ModuleType]:
    for path in sorted(folder.iterdir()):
        is_hidden = path.name.startswith((".", "_")) or matches(NOT_SEARCHED, path.name)
        if is_hidden or matches(exclude, path.stem, os.path.realpath(path)):
            continue
        if path.suffix == ".py":
            yield from _import_all(_import_file, path, listener, exclude)
        elif _is_package(path):
            yield from _import_all(_import_folder, path, listener, exclude)
        elif path.is_dir() and not path.is_symlink() and not (path / "pyvenv.cfg").is_file():
            yield from _modules_in(path, listener, exclude)


def _import_all(
    load: Callable[[Any, Listener], ModuleType],
    what: object,
    listener: Listener,
    exclude: Collection[str],
) -> Iterator[ModuleType]:
    """A module and those inside it; modules that cannot be imported are reported and skipped."""
    try:
        module = load(what, listener)
    except FailedImportError as problem:
        listener.failed_imports.append(problem)
    else:
        yield from modules_below(module, listener, exclude)
