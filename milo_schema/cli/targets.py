"""Targets: each names a function, or all functions of a class, module or package.

Modules with an underscore inside packages and folders are skipped; ``members`` decides which names
are public in the others.
"""

from __future__ import annotations

import difflib  # noqa: F401 - of nearest(): later, a target of that name would be in the way
import os
import pkgutil
import sys
import types
from fnmatch import fnmatchcase
from pathlib import Path

from milo_schema.annotations import Any, Callable, Collection, Iterable, Iterator
from milo_schema.annotations.classes import USER_CODE_ERRORS, attributes, is_class
from milo_schema.annotations.display import display
from milo_schema.annotations.namespaces import MAX_WRAPPERS
from milo_schema.callables.wrappers import is_partial
from milo_schema.cli.imports import (
    ImportFailed,
    Silence,
    import_file,
    import_folder,
    import_name,
    is_module,
    one_line,
    search,
)
from milo_schema.cli.members import DEFINITIONS, Found, everything, methods
from milo_schema.cli.servers import ask, read_json, tools_in
from milo_schema.cli.terminal import CommandError, Console
from milo_schema.errors import SchemaError, nearest
from milo_schema.json_schema import metaschema
from milo_schema.tools import ToolSchema

__all__ = ["find", "find_on_server", "location", "look_up", "matches"]


def find(
    target: str, console: Console, *, exclude: Collection[str] = (), members: bool = True
) -> Iterator[Found]:
    """Find the callables of a target.

    Args:
        target: ``module:name``, ``module:Class.method``, ``path/file.py:name``, a module, package,
            file or folder without a name, or an answer to ``tools/list``: a JSON file, or ``-``.
        console: Gets a notice about each module that printed something or cannot be imported.
        exclude: Patterns of modules to skip inside a package or folder.
        members: Whether to include the methods of classes.

    Yields:
        Each callable, once.

    Raises:
        CommandError: The target does not exist.
    """
    where, dotted = _split(target)
    console.progress(f"importing {where}")
    if where == "-" or where.endswith(".json"):
        tools = tools_in(read_json(where))
        if tools is None:
            raise CommandError(f"{where} is not an answer to tools/list: it lists no tools")
        found = _tools(tools, where, dotted)
    elif not dotted and _is_folder_of_modules(where):
        search(os.path.realpath(where))
        found = everything(_modules_in(Path(where), console, exclude), "")
    else:
        try:
            module = _module(where, console)
        except ImportFailed as problem:
            console.miss(problem)
            return
        if dotted:
            found = _named(module, where, dotted, members=members)
        else:
            found = everything(_modules(module, console, exclude), module.__name__)
    for each in found:
        if each.is_named or not matches(exclude, each.target, location(each)[0] or ""):
            yield each


def find_on_server(command: str, console: Console) -> Iterator[Found]:
    """Find the tools of a server, which is started."""
    return _tools(ask(command, console), command, "")


def _tools(tools: list[Any], where: str, wanted: str) -> Iterator[Found]:
    names = [
        name if type(name := tool.get("name")) is str else f"tools[{at}]"
        for at, tool in enumerate(tools)
    ]
    if wanted and wanted not in names:
        raise CommandError(f"{where} has no {wanted}{nearest(wanted, names)}")
    for tool, name in zip(tools, names, strict=True):
        if wanted in ("", name):
            yield Found(name, where, _definition(tool), is_named=bool(wanted))


def _definition(tool: Any) -> ToolSchema | SchemaError:
    """The definition of a tool, or the reason why it is not valid."""
    try:
        definition = ToolSchema.from_mcp(tool)
        for side in ("input", "output"):
            try:
                metaschema.check(getattr(definition, f"{side}_schema") or {})
            except ValueError as problem:
                raise SchemaError(f"the {side} schema is not valid: {problem}") from None
    except SchemaError as problem:
        return problem
    return definition


def matches(patterns: Iterable[str], *names: str) -> bool:
    """Whether a pattern matches one of the names, or a folder, package or class around it."""
    return any(
        fnmatchcase(name.replace(os.sep, "/"), f"{start}{pattern.rstrip('/')}{end}")
        for pattern in patterns
        for name in names
        for start in ("", "*/")
        for end in ("", "/*", ".*", ":*")
    )


def look_up(target: str, console: Console) -> Any:
    """The value that a target of the form ``module:name`` names.

    Raises:
        CommandError: It does not exist, or its module cannot be imported.
    """
    where, dotted = _split(target)
    try:
        return _value(_module(where, console), where, dotted)
    except ImportFailed as problem:
        raise CommandError(str(problem)) from problem.__cause__


def location(found: Found) -> tuple[str | None, int | None]:
    """The file and line where a callable is defined, if they are known."""
    func = found.func
    if isinstance(func, DEFINITIONS):
        return (found.module if found.module.endswith(".json") else None), None
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
    """The function inside a wrapper, which has the line of the definition."""
    if is_partial(func):
        return func.func
    if type(func) is types.MethodType:
        return func.__func__
    if is_class(func):
        return vars(func).get("__init__")
    return attributes(func).get("__wrapped__")


# -- modules -----------------------------------------------------------------------------------


def _split(target: str) -> tuple[str, str]:
    """The module or file of a target, and the name in it; a file's path may have a colon."""
    if target == "-" or os.path.exists(target):  # noqa: PTH110 - false if it cannot be a path
        return target, ""
    where, colon, dotted = target.rpartition(":")
    is_whole = not colon or _looks_like_path(dotted)
    if is_whole:
        where, dotted = target, ""
    is_odd = ":" in where and not _looks_like_path(where)
    if is_odd or where == "" or not (dotted or is_whole):
        raise CommandError(f"{target!r} is not a target; use module:function or file.py:function")
    return where, dotted


def _looks_like_path(text: str) -> bool:
    return "/" in text or "\\" in text or text.endswith(".py")


def _module(where: str, console: Console) -> types.ModuleType:
    path = Path(where)
    if where.endswith(".py"):
        return import_file(_existing(path), console.tell)
    if (path / "__init__.py").is_file():
        return import_folder(path, console.tell)
    if _looks_like_path(where) or path.is_file():
        raise CommandError(f"{where} is not a Python file, package or folder")
    try:
        return import_name(where, console.tell)
    except ImportFailed as problem:
        missing = problem.missing
        if missing is None or not f"{where}.".startswith(f"{missing}."):
            raise
        raise CommandError(f"no module named {missing}{_near(missing)}") from None


def _is_folder_of_modules(where: str) -> bool:
    """Whether a name means a folder, not a package or module with that name."""
    path = Path(where)
    is_plain = path.is_dir() and not (path / "__init__.py").is_file()
    return is_plain and not (where.isidentifier() and is_module(where))


def _existing(path: Path) -> Path:
    if not path.is_file():
        siblings = [str(path.with_name(each.name)) for each in path.parent.glob("*.py")]
        raise CommandError(f"no such file: {path}{nearest(str(path), siblings)}")
    return path


def _near(missing: str) -> str:
    """The end of a message: the module, or the name in a module, that was probably meant."""
    parent, _, last = missing.rpartition(".")
    if not parent:
        names = {*sys.builtin_module_names, *(info.name for info in pkgutil.iter_modules())}
        return nearest(last, (name for name in names if not name.startswith("_")))
    module = sys.modules[parent]
    if last in vars(module):
        return f"; did you mean {parent}:{last}?"
    inner = [f"{parent}.{info.name}" for info in pkgutil.iter_modules(_path_of(module))]
    return nearest(missing, inner)


def _path_of(module: types.ModuleType) -> list[str]:
    return list(vars(module).get("__path__", ()))


def _modules(
    module: types.ModuleType, console: Console, exclude: Collection[str]
) -> Iterator[types.ModuleType]:
    """A module and the public modules inside it."""
    yield module
    for folder in _path_of(module):
        for info in pkgutil.iter_modules([folder]):
            name = f"{module.__name__}.{info.name}"
            file = os.path.join(folder, info.name if info.ispkg else f"{info.name}.py")  # noqa: PTH118
            if not info.name.startswith("_") and not matches(exclude, name, file):
                yield from _imported(import_name, name, console, exclude)


NOT_SEARCHED = (
    *("build", "conftest.py", "dist", "docs", "node_modules", "noxfile.py", "setup.py"),
    *("site-packages", "test", "test_*.py", "tests"),
)
"""The names of folders that are not searched."""


def _modules_in(
    folder: Path, console: Console, exclude: Collection[str]
) -> Iterator[types.ModuleType]:
    """The modules in a folder that is not a package, and in the folders inside it."""
    for path in sorted(folder.iterdir()):
        names = path.stem, os.path.realpath(path)
        is_hidden = path.name.startswith((".", "_")) or matches(NOT_SEARCHED, path.name)
        if is_hidden or matches(exclude, *names):
            continue
        if path.suffix == ".py":
            yield from _imported(import_file, path, console, exclude)
        elif (path / "__init__.py").is_file():
            yield from _imported(import_folder, path, console, exclude)
        elif path.is_dir() and not path.is_symlink() and not (path / "pyvenv.cfg").is_file():
            yield from _modules_in(path, console, exclude)


def _imported(
    load: Callable[..., types.ModuleType], what: object, console: Console, exclude: Collection[str]
) -> Iterator[types.ModuleType]:
    """A module and those inside it; modules that cannot be imported are skipped."""
    console.progress(f"importing {what}")
    try:
        module = load(what, console.tell)
    except ImportFailed as problem:
        console.miss(problem)
    else:
        yield from _modules(module, console, exclude)


# -- names in a module -------------------------------------------------------------------------


def _named(module: types.ModuleType, where: str, dotted: str, *, members: bool) -> Iterator[Found]:
    value = _value(module, where, dotted)
    if type(value) is types.ModuleType:
        raise CommandError(f"{where}:{dotted} is a module; its target is {value.__name__}")
    if not callable(value):
        kind = display(type(value))
        raise CommandError(f"{where}:{dotted} is an instance of {kind}, which cannot be called")
    yield Found(dotted, module.__name__, value, is_named=True)
    if members and is_class(value):
        yield from methods("", dotted, module.__name__, value)


def _value(module: types.ModuleType, where: str, dotted: str) -> Any:
    value: Any = module
    names = dotted.split(".")
    for index, name in enumerate(names):
        try:
            with Silence():
                value = getattr(value, name)
        except AttributeError:
            hint = _hint(module, value, names[:index], name)
            raise CommandError(f"{where} has no {dotted}{hint}") from None
        except USER_CODE_ERRORS as problem:  # a property or __getattr__ of the user's
            reason = f"{type(problem).__name__}: {one_line(problem)}"
            raise CommandError(f"looking up {dotted} in {where} raised {reason}") from None
    return value


def _hint(module: types.ModuleType, value: Any, before: list[str], name: str) -> str:
    """A hint about the meaning of *name*, which *value* does not have."""
    inner = {info.name for info in pkgutil.iter_modules(_path_of(module))}
    if value is module and name in inner:
        return f"; it is a module, so write {module.__name__}.{name}:function"
    public = [each for each in dir(value) if not each.startswith("_")]
    return nearest(".".join([*before, name]), (".".join([*before, each]) for each in public))
