"""What a target of the command line names: a function, or all that a class, module or package has.

What counts as public: the names in ``__all__``, or else those without underscore that are defined
in the module itself. In packages, modules with an underscore are passed over.
"""

from __future__ import annotations

import contextlib
import enum
import pkgutil
import sys
import types
from pathlib import Path
from typing import Any

from milo_schema.callables import is_partial
from milo_schema.hints import attributes, is_class
from milo_schema.imports import ImportFailed, import_file, import_folder, import_name, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Tell = Callable[[str], None]

__all__ = ["Found", "TargetError", "find", "location", "nearest"]


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


def find(target: str, *, tell: Tell, fail: Tell, members: bool = True) -> Iterator[Found]:
    """Find what a target names.

    Args:
        target: ``module:name``, ``module:Class.method``, ``path/file.py:name``, or a module,
            package, file or folder of a package without a name.
        tell: Is called with one line for each module that printed something.
        fail: Is called with one line for each module of a package that cannot be imported.
        members: Whether a class is also what its methods are.

    Yields:
        Each callable once.

    Raises:
        TargetError: There is no such thing, or it cannot be imported.
    """
    where, dotted = _split(target)
    module = _module(where, tell)
    if dotted:
        yield from _named(module, where, dotted, members=members)
    else:
        yield from _everything(module, tell, fail)


def nearest(word: str, words: Iterable[str]) -> str:
    """A question for what somebody may have meant; empty if nothing is near."""
    import difflib

    close = difflib.get_close_matches(word, sorted(set(words)), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def location(found: Found) -> tuple[str | None, int | None]:
    """The file and line where something begins, as far as it is known."""
    func = found.func
    while (below := _below(func)) is not None:
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
    if Path(target).exists():
        return target, ""
    where, colon, dotted = target.rpartition(":")
    if not colon:
        return target, ""
    if not where or not dotted:
        raise TargetError(f"{target!r} is no target; write module:function or file.py:function")
    return where, dotted


def _module(where: str, tell: Tell) -> types.ModuleType:
    path = Path(where)
    try:
        if where.endswith(".py"):
            return import_file(_existing(path), tell)
        if path.is_dir() and _is_path(where, path):
            if not (path / "__init__.py").is_file():
                raise TargetError(f"{where} is no package: it has no __init__.py; name its files")
            return import_folder(path, tell)
        if "/" in where or "\\" in where:
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
        names = {info.name for info in pkgutil.iter_modules()} | sys.stdlib_module_names
        return f"there is no module {missing}{nearest(last, names)}"
    module = sys.modules[parent]
    if last in vars(module):
        return f"there is no module {missing}; did you mean {parent}:{last}?"
    inner = [f"{parent}.{info.name}" for info in pkgutil.iter_modules(_path_of(module))]
    return f"there is no module {missing}{nearest(missing, inner)}"


def _path_of(module: types.ModuleType) -> list[str]:
    return list(vars(module).get("__path__", ()))


def _modules(module: types.ModuleType, tell: Tell, fail: Tell) -> Iterator[types.ModuleType]:
    """A module and the public ones below it."""
    yield module
    for info in pkgutil.iter_modules(_path_of(module)):
        if not info.name.startswith("_"):
            try:
                inner = import_name(f"{module.__name__}.{info.name}", tell)
            except ImportFailed as problem:
                fail(str(problem))
            else:
                yield from _modules(inner, tell, fail)


# -- what a module has -------------------------------------------------------------------------


def _named(module: types.ModuleType, where: str, dotted: str, *, members: bool) -> Iterator[Found]:
    value: Any = module
    for name in dotted.split("."):
        try:
            value = getattr(value, name)
        except AttributeError:
            hint = nearest(name, (each for each in dir(value) if not each.startswith("_")))
            raise TargetError(f"{where} has no {dotted}{hint}") from None
        except Exception as problem:  # noqa: BLE001 - a property or __getattr__ of theirs
            reason = f"{type(problem).__name__}: {one_line(problem)}"
            raise TargetError(f"looking up {dotted} in {where} raised {reason}") from None
    yield Found(dotted, module.__name__, value, is_named=True)
    if members and is_class(value):
        yield from _methods(dotted, module.__name__, value)


def _everything(module: types.ModuleType, tell: Tell, fail: Tell) -> Iterator[Found]:
    """What a module or package has, each under the first name that it is met by."""
    seen: set[int] = set()
    for each in _modules(module, tell, fail):
        prefix = each.__name__[len(module.__name__) + 1 :]
        for name, value in _public(each):
            if id(value) not in seen and _is_callable(value):
                seen.add(id(value))
                dotted = f"{prefix}.{name}" if prefix else name
                yield Found(dotted, each.__name__, value)
                if is_class(value):
                    yield from _methods(dotted, each.__name__, value)


def _public(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    listed = vars(module).get("__all__")
    if isinstance(listed, (list, tuple)):
        for name in listed:
            with contextlib.suppress(Exception):  # listed and not there, or not to be had
                yield name, getattr(module, name)
        return
    for name, value in list(vars(module).items()):
        if not name.startswith("_") and _home(value) == module.__name__:
            yield name, value


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
