"""What a target names: a function, or everything that a class, module or package has.

What counts as public: the names in ``__all__``, or else those without underscore that are defined
in the module itself. In packages, modules with an underscore are passed over.
"""

from __future__ import annotations

import contextlib
import difflib  # noqa: F401 - of nearest(): later, a target of that name would be in the way
import enum
import os
import pkgutil
import sys
import types
from pathlib import Path
from typing import Any

from milo_schema.annotations.classes import USER_CODE_ERRORS, attributes, is_class
from milo_schema.annotations.evaluation import MAX_WRAPPERS
from milo_schema.annotations.forms import display
from milo_schema.callables.inspected import is_partial, name_of
from milo_schema.cli.imports import (
    ImportFailed,
    Silence,
    import_file,
    import_folder,
    import_name,
    one_line,
)
from milo_schema.errors import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Tell = Callable[[str], None]

__all__ = ["Found", "TargetError", "find", "location"]


class TargetError(Exception):
    """The target cannot be found; the message is one line."""


class Found:
    """Something that can be called, and where it is.

    Attributes:
        name: What it is called below its target: ``deploy``, ``api.Client.get``.
        module: The module that it was found in.
        func: The function, class or other callable.
        is_named: Whether the target names it, rather than something that it is part of.
    """

    __slots__ = ("func", "is_named", "module", "name")

    def __init__(self, name: str, module: str, func: Any, *, is_named: bool = False) -> None:
        self.name: str = name
        self.module: str = module
        self.func: Any = func
        self.is_named: bool = is_named


def find(
    target: str, *, tell: Tell, fail: Tell, progress: Tell, members: bool = True
) -> Iterator[Found]:
    """Find what a target names.

    Args:
        target: ``module:name``, ``module:Class.method``, ``path/file.py:name``, or a module,
            package, file or folder of a package without a name.
        tell: Is called with one line for each module that printed something.
        fail: Is called with one line for each module of a package that cannot be imported.
        progress: Is called with what is about to be done.
        members: Whether a class is also what its methods are.

    Yields:
        Each callable once.

    Raises:
        TargetError: There is no such thing, or it cannot be imported.
    """
    where, dotted = _split(target)
    progress(f"importing {where}")
    module = _module(where, tell)
    if dotted:
        yield from _named(module, where, dotted, members=members)
    else:
        yield from _everything(_modules(module, tell, fail, progress), module.__name__)


def location(found: Found) -> tuple[str | None, int | None]:
    """The file and line where something begins, as far as it is known."""
    func = found.func
    for _ in range(MAX_WRAPPERS):
        if (below := _below(func)) is None:
            break
        func = below
    code = getattr(func, "__code__", None) if type(func) is types.FunctionType else None
    if code is not None and not code.co_filename.startswith("<"):
        return code.co_filename, code.co_firstlineno
    module = sys.modules.get(found.module)
    return (vars(module).get("__file__") if module else None), None


def _below(func: Any) -> Any:
    """What a wrapper wraps: where that is, is where it was written."""
    if is_partial(func):
        return func.func
    if type(func) is types.MethodType:
        return func.__func__
    if is_class(func):
        return vars(func).get("__init__")
    return attributes(func).get("__wrapped__")


# -- modules -----------------------------------------------------------------------------------


def _split(target: str) -> tuple[str, str]:
    """Where to look, and for what; a file's path may have a colon of its own."""
    if os.path.exists(target):  # noqa: PTH110 - false for what can be no path at all
        return target, ""
    where, colon, dotted = target.rpartition(":")
    is_whole = not colon or _looks_like_path(dotted)
    if is_whole:
        where, dotted = target, ""
    is_odd = ":" in where and not _looks_like_path(where)
    if is_odd or where in ("", "-") or not (dotted or is_whole):
        raise TargetError(f"{target!r} is no target; write module:function or file.py:function")
    return where, dotted


def _looks_like_path(text: str) -> bool:
    return "/" in text or "\\" in text or text.endswith(".py")


def _module(where: str, tell: Tell) -> types.ModuleType:
    path = Path(where)
    try:
        if where.endswith(".py"):
            return import_file(_existing(path), tell)
        if path.is_dir() and _is_path(where, path):
            if not (path / "__init__.py").is_file():
                raise TargetError(f"{where} is no package: it has no __init__.py; name its files")
            return import_folder(path, tell)
        if _looks_like_path(where) or path.is_file():
            raise TargetError(f"there is no {where}, or it is no Python file and no package")
        return import_name(where, tell)
    except ImportFailed as problem:
        raise TargetError(_explained(where, problem)) from None


def _is_path(where: str, path: Path) -> bool:
    """Whether a folder is meant rather than a module of its name."""
    return not where.isidentifier() or (path / "__init__.py").is_file()


def _existing(path: Path) -> Path:
    if not path.is_file():
        siblings = [str(path.with_name(each.name)) for each in path.parent.glob("*.py")]
        raise TargetError(f"there is no file {path}{nearest(str(path), siblings)}")
    return path


def _explained(where: str, problem: ImportFailed) -> str:
    """Why a module cannot be imported: what of its name is not there, and what is near it."""
    missing = problem.missing
    if missing is None or not f"{where}.".startswith(f"{missing}."):
        return str(problem)
    parent, _, last = missing.rpartition(".")
    if not parent:
        names = {*sys.builtin_module_names, *(info.name for info in pkgutil.iter_modules())}
        public = (name for name in names if not name.startswith("_"))
        return f"there is no module {missing}{nearest(last, public)}"
    module = sys.modules[parent]
    if last in vars(module):
        return f"there is no module {missing}; did you mean {parent}:{last}?"
    inner = [f"{parent}.{info.name}" for info in pkgutil.iter_modules(_path_of(module))]
    return f"there is no module {missing}{nearest(missing, inner)}"


def _path_of(module: types.ModuleType) -> list[str]:
    return list(vars(module).get("__path__", ()))


def _modules(
    module: types.ModuleType, tell: Tell, fail: Tell, progress: Tell
) -> Iterator[types.ModuleType]:
    """A module and the public ones below it."""
    yield module
    for info in pkgutil.iter_modules(_path_of(module)):
        if not info.name.startswith("_"):
            name = f"{module.__name__}.{info.name}"
            progress(f"importing {name}")
            try:
                inner = import_name(name, tell)
            except ImportFailed as problem:
                fail(str(problem))
            else:
                yield from _modules(inner, tell, fail, progress)


# -- what a module has -------------------------------------------------------------------------


def _named(module: types.ModuleType, where: str, dotted: str, *, members: bool) -> Iterator[Found]:
    value: Any = module
    names = dotted.split(".")
    for index, name in enumerate(names):
        try:
            with Silence():
                value = getattr(value, name)
        except AttributeError:
            hint = _hint(module, value, names[:index], name)
            raise TargetError(f"{where} has no {dotted}{hint}") from None
        except USER_CODE_ERRORS as problem:  # a property or __getattr__ of theirs
            reason = f"{type(problem).__name__}: {one_line(problem)}"
            raise TargetError(f"looking up {dotted} in {where} raised {reason}") from None
    if type(value) is types.ModuleType:
        raise TargetError(f"{where}:{dotted} is a module; its target is {value.__name__}")
    if not callable(value):
        kind = display(type(value))
        raise TargetError(f"{where}:{dotted} is of class {kind}, which cannot be called")
    yield Found(dotted, module.__name__, value, is_named=True)
    if members and is_class(value):
        yield from _methods(dotted, module.__name__, value)


def _hint(module: types.ModuleType, value: Any, before: list[str], name: str) -> str:
    """What a user may have meant by *name*, which *value* does not have."""
    inner = {info.name for info in pkgutil.iter_modules(_path_of(module))}
    if value is module and name in inner:
        return f"; it is a module, so write {module.__name__}.{name}:function"
    public = [each for each in dir(value) if not each.startswith("_")]
    return nearest(".".join([*before, name]), (".".join([*before, each]) for each in public))


def _everything(modules: Iterable[types.ModuleType], root: str) -> Iterator[Found]:
    """What modules have, each under the first name that it is met by, seen from their *root*."""
    seen: set[int] = set()
    for each in modules:
        prefix = each.__name__[len(root) + 1 :]
        for name, value in _once(_public(each)):
            if id(value) not in seen and _is_callable(value):
                seen.add(id(value))
                dotted = f"{prefix}.{name}" if prefix else name
                yield Found(dotted, each.__name__, value)
                if is_class(value):
                    yield from _methods(dotted, each.__name__, value)


def _once(members: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Each value once: by its own name, or the first in the alphabet, whatever the order."""
    names: dict[int, list[str]] = {}
    values: dict[int, Any] = {}
    for name, value in members:
        names.setdefault(id(value), []).append(name)
        values[id(value)] = value
    for key, value in values.items():
        own = name_of(value).rpartition(".")[2]
        yield own if own in names[key] else min(names[key]), value


def _public(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    listed = vars(module).get("__all__")
    if isinstance(listed, (list, tuple)):
        with Silence():  # what is listed may be imported only now
            members = [*_listed(module, listed)]
        yield from members
        return
    for name, value in list(vars(module).items()):
        if not name.startswith("_") and _home(value) == module.__name__:
            yield name, value


def _listed(module: types.ModuleType, names: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    for name in names:
        with contextlib.suppress(*USER_CODE_ERRORS):  # not there, or not to be had
            yield name, getattr(module, name)


def _home(value: Any) -> Any:
    """The module that defines something, as far as it says."""
    if is_class(value):
        return type.__dict__["__module__"].__get__(value)
    if type(value) in _FUNCTIONS:
        return value.__module__
    return attributes(value).get("__module__")


def _is_callable(value: Any) -> bool:
    """Whether something is a function, a wrapper of one, or a class whose instances do things."""
    if is_class(value):
        is_protocol = vars(value).get("_is_protocol") is True
        is_typed_dict = type(value).__name__ == "_TypedDictMeta"
        return not is_protocol and not is_typed_dict and not issubclass(value, _NO_TOOLS)
    return type(value) in _FUNCTIONS or is_partial(value) or "__wrapped__" in attributes(value)


_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_NO_TOOLS = (enum.Enum, BaseException, type)


def _methods(prefix: str, module: str, cls: type) -> Iterator[Found]:
    """The public methods that a class itself defines."""
    for name, value in list(vars(cls).items()):
        method = value.__get__(None, cls) if type(value) in (classmethod, staticmethod) else value
        if not name.startswith("_") and type(method) in _FUNCTIONS:
            yield Found(f"{prefix}.{name}", module, method)
