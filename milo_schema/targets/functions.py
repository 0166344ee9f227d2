"""Targets: each names a function, or all functions of a class, module or package.

Public names are those in ``__all__`` or, without it, those without an underscore that are defined
in the module itself.
"""

import contextlib
import enum
import inspect
import os
import sys
import types
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from milo_schema.annotations.classes import USER_CODE_ERRORS, attributes, is_class
from milo_schema.annotations.forms import display, split
from milo_schema.callables.wrappers import is_partial, name_of, unwrap
from milo_schema.errors import SchemaError, nearest
from milo_schema.targets import FailedImportError, Listener, Silence, TargetError, class_and_line
from milo_schema.targets.imports import (
    import_folder_of_modules,
    import_module,
    is_folder_of_modules,
    is_path,
    matches,
    modules_below,
    submodules,
)
from milo_schema.tools.definition import ToolSchema
from milo_schema.tools.toolbox import Toolbox


class Found(NamedTuple):
    """A function, class or other callable, or a tool of a server, and where it was found.

    Attributes:
        name: Its name inside its target: ``deploy``, ``api.Client.get``.
        module: The module in which it was found; of a tool, the file or the command.
        func: The callable; or a tool's definition, or the error about an invalid one.
        inner: Its name in its module, if that is different.
        is_named: Whether the target names it, not a module or class that contains it.
    """

    name: str
    module: str
    func: Any
    inner: str = ""
    is_named: bool = False

    @property
    def target(self) -> str:
        """The target for exactly this callable: ``shop.api:Client.get``."""
        return f"{self.module}:{self.inner or self.name}"

    @property
    def is_listed(self) -> bool:
        """Whether it is a tool that a server lists."""
        return isinstance(self.func, (ToolSchema, SchemaError))

    @property
    def own_name(self) -> str:
        """Its own name, with which its findings and errors begin."""
        return self.name if self.is_listed else name_of(self.func)


def find(
    target: str, listener: Listener, exclude: Collection[str] = (), methods: bool = True
) -> Iterator[Found]:
    """Find the callables of a target.

    Args:
        target: ``module:name``, ``module:Class.method``, ``path/file.py:name``, or a module,
            package, file or folder without a name.
        listener: Hears about each module that prints something or cannot be imported.
        exclude: Patterns of modules, files and functions to skip.
        methods: Whether a class that is named includes its methods.

    Yields:
        Each callable, once.

    Raises:
        TargetError: The target does not exist.
    """
    where, dotted = split_target(target)
    if not dotted and is_folder_of_modules(where):
        modules = import_folder_of_modules(where, listener, exclude)
        found = _members(_searched(modules, listener, in_files=True), "")
    else:
        try:
            module = import_module(where, listener)
        except FailedImportError as problem:
            listener.failed_imports.append(problem)
            return
        if dotted:
            found = _find_named(module, where, dotted, methods)
        else:
            modules = modules_below(module, listener, exclude)
            found = _members(_searched(modules, listener, is_path(where)), module.__name__)
    yield from not_excluded(exclude, found)


def not_excluded(exclude: Collection[str], found: Iterable[Found]) -> Iterator[Found]:
    """The functions that no pattern excludes, and those that a target names."""
    for each in found:
        if each.is_named or not matches(exclude, each.target, location(each)[0] or ""):
            yield each


def split_target(target: str) -> tuple[str, str]:
    """The module or file of a target, and the name in it; a file's path may have a colon."""
    if os.path.exists(target):  # noqa: PTH110 - false if it cannot be a path
        return target, ""
    where, colon, dotted = target.rpartition(":")
    is_whole = not colon or is_path(dotted)
    if is_whole:
        where, dotted = target, ""
    has_colon = ":" in where and not is_path(where)
    if has_colon or where == "" or not (dotted or is_whole):
        raise TargetError(f"{target!r} is not a target; use module:function or file.py:function")
    return where, dotted


def location(found: Found) -> tuple[str | None, int | None]:
    """The file and line where a callable is defined, if they are known."""
    if found.is_listed:
        return (found.module if found.module.endswith(".json") else None), None
    func = split(found.func)[0]  # of Box[int], the class
    func = vars(func).get("__init__") if is_class(func) else func
    function = unwrap(func)
    code = function.__code__ if function is not None else None
    if code is not None and not code.co_filename.startswith("<"):
        return code.co_filename, code.co_firstlineno
    module = sys.modules.get(found.module)
    return (vars(module).get("__file__") if module else None), None


def by_name(found: Collection[Found], spell: Callable[[str], str] = str) -> dict[str, Found]:
    """Each function by its name, as *spell* writes it; a repeated name gets its module."""
    modules: dict[str, set[str]] = {}
    for each in found:
        modules.setdefault(each.name, set()).add(each.module)
    named: dict[str, Found] = {}
    for each in found:
        name = plain = spell(each.name if len(modules[each.name]) == 1 else each.target)
        number = 1
        while name in named:  # a server may list two tools of one name
            number += 1
            name = f"{plain} ({number})"
        named[name] = each
    return named


# -- listed tools ------------------------------------------------------------------------------


def tools_in(content: Any) -> list[Any] | None:
    """The tools in an answer to ``tools/list``, its result, a list or a tool, or ``None``."""
    if type(content) is dict and "inputSchema" in content:
        return [content]
    for key in ("result", "tools"):
        if type(content) is dict and key in content:
            content = content[key]
    is_list = type(content) is list and all(type(each) is dict for each in content)
    return content if is_list else None


def find_listed(tools: list[Any], where: str, wanted: str = "") -> Iterator[Found]:
    """Find the tools of a list, or the one with the wanted name."""
    names = [
        name if type(name := tool.get("name")) is str else f"tools[{index}]"
        for index, tool in enumerate(tools)
    ]
    if wanted and wanted not in names:
        raise TargetError(f"{where} has no {wanted}{nearest(wanted, names)}")
    for tool, name in zip(tools, names, strict=True):
        if wanted in ("", name):
            yield Found(name, where, _definition(tool), is_named=bool(wanted))


def _definition(tool: Any) -> ToolSchema | SchemaError:
    """The definition of a tool, or the reason why it is not valid."""
    try:
        return ToolSchema.from_mcp(tool)
    except SchemaError as problem:
        return problem


# -- a name in a module ------------------------------------------------------------------------


def look_up(target: str, listener: Listener) -> Any:
    """The value that a target of the form ``module:name`` names.

    Raises:
        TargetError: It does not exist, or its module cannot be imported.
    """
    where, dotted = split_target(target)
    return _value(import_module(where, listener), where, dotted)


def _find_named(
    module: types.ModuleType, where: str, dotted: str, methods: bool
) -> Iterator[Found]:
    value = _value(module, where, dotted)
    if type(value) is types.ModuleType:
        raise TargetError(f"{where}:{dotted} is a module; its target is {value.__name__}")
    if callable(value):
        yield Found(dotted, module.__name__, value, is_named=True)
        if methods and is_class(value):
            yield from _methods("", dotted, module.__name__, value)
    else:
        yield from _collected(value, module.__name__, dotted)


def _collected(value: Any, module: str, dotted: str) -> Iterator[Found]:
    """The tools in a list, a dict or a server."""
    with Silence():
        tools = _tools_of(value)
    if tools is None:
        kind = display(type(value))
        reason = f"{module}:{dotted} is an instance of {kind}, which cannot be called"
        raise TargetError(f"{reason} and lists no tools")
    for number, tool in enumerate(tools):
        if type(tool) is dict:
            yield from find_listed([tool], f"{module}:{dotted}")
        elif isinstance(tool, ToolSchema):
            yield Found(tool.name, f"{module}:{dotted}", tool)
        elif callable(tool):
            name = name_of(tool)
            yield Found(name, module, tool, f"{dotted}.{name}")
        else:
            kind = display(type(tool))
            raise TargetError(f"{module}:{dotted}[{number}] is an instance of {kind}, not a tool")


def _tools_of(value: Any) -> list[Any] | None:
    """The tools in an object: its values, its items, or what its ``list_tools()`` returns."""
    import asyncio  # which takes long to import

    try:
        if callable(listed := getattr(value, "list_tools", None)):
            value = listed()
        if inspect.isawaitable(value):
            value = asyncio.run(_result_of(value))
        if isinstance(value, Mapping):
            value = [value] if "inputSchema" in value else value.values()
        if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
            return [_as_json(each) for each in value]
    except USER_CODE_ERRORS as problem:
        raise TargetError(f"listing the tools raised {class_and_line(problem)}") from problem
    return None


async def _result_of(value: Awaitable[Any]) -> Any:
    return await value


def _as_json(tool: Any) -> Any:
    """A tool of the SDK or FastMCP as JSON; others as they are."""
    if is_class(tool):
        return tool
    if callable(convert := getattr(tool, "to_mcp_tool", None)):
        tool = convert()
    dump = getattr(tool, "model_dump", None)
    return dump(mode="json", by_alias=True, exclude_none=True) if callable(dump) else tool


def _value(module: types.ModuleType, where: str, dotted: str) -> Any:
    value: Any = module
    names = dotted.split(".")
    for index, name in enumerate(names):
        try:
            with Silence():
                value = getattr(value, name)
        except AttributeError:
            hint = _hint(module, value, names[:index], name)
            raise TargetError(f"{where} has no {dotted}{hint}") from None
        except USER_CODE_ERRORS as problem:  # a property or __getattr__ of the user's
            reason = class_and_line(problem)
            raise TargetError(f"looking up {dotted} in {where} raised {reason}") from None
    return value


def _hint(module: types.ModuleType, value: Any, before: list[str], name: str) -> str:
    """A hint about the meaning of *name*, which *value* does not have."""
    if value is module and name in submodules(module):
        return f"; it is a module, so write {module.__name__}.{name}:function"
    public = [each for each in dir(value) if not each.startswith("_")]
    return nearest(".".join([*before, name]), (".".join([*before, each]) for each in public))


# -- everything public -------------------------------------------------------------------------


def _members(modules: Iterable[types.ModuleType], root: str) -> Iterator[Found]:
    """The members of modules, each with the first name found for it, relative to their *root*."""
    seen: set[int] = set()
    for each in modules:
        below = each.__name__[len(root) + 1 :] if root else each.__name__
        prefix = f"{below}." if below else ""
        for name, value in _distinct(_public(each)):
            if id(value) not in seen and _is_callable(value):
                seen.add(id(value))
                if not _is_dataclass(value):
                    yield Found(prefix + name, each.__name__, value, name)
                if is_class(value):
                    yield from _methods(prefix, name, each.__name__, value)


def _searched(
    modules: Iterable[types.ModuleType], listener: Listener, in_files: bool
) -> Iterator[types.ModuleType]:
    """The modules; the listener hears about servers and toolboxes in them, each once."""
    seen: set[int] = set()
    for module in modules:
        file = vars(module).get("__file__")
        where = os.path.relpath(file) if in_files and type(file) is str else module.__name__
        for name, value in list(vars(module).items()):
            if id(value) not in seen and _holds_tools(value):
                seen.add(id(value))
                listener.holds_tools(f"{where}:{name}")
        yield module


def _holds_tools(value: Any) -> bool:
    """Whether an object is a toolbox, or a server that can say which tools it has."""
    classes = type(value).__mro__  # asking the value itself would run its code
    listed = next((vars(cls)["list_tools"] for cls in classes if "list_tools" in vars(cls)), None)
    return Toolbox in classes or inspect.iscoroutinefunction(listed)


def _distinct(members: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Each value once: with its own name, or the first one in alphabetical order."""
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
        with Silence():  # reading a listed name may import a module
            members = [*_listed(module, listed)]
        yield from members
        return
    for name, value in list(vars(module).items()):
        is_public = name.isidentifier() and not name.startswith("_")  # pydantic adds Page[int]
        if is_public and _home(value) == module.__name__:
            yield name, value


def _listed(module: types.ModuleType, names: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    for name in names:
        with contextlib.suppress(*USER_CODE_ERRORS):  # it does not exist, or reading it raised
            yield name, getattr(module, name)


def _home(value: Any) -> Any:
    """The module in which an object claims to be defined."""
    if is_class(value):
        return type.__dict__["__module__"].__get__(value)
    if type(value) in _FUNCTIONS:
        return value.__module__
    return attributes(value).get("__module__")


_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_NO_TOOLS = (enum.Enum, BaseException, type)


def _is_callable(value: Any) -> bool:
    """Whether an object is a function, a wrapper of one, or a class that is useful as a tool."""
    if is_class(value):
        is_protocol = vars(value).get("_is_protocol") is True
        is_typed_dict = type(value).__name__ == "_TypedDictMeta"
        return not is_protocol and not is_typed_dict and not issubclass(value, _NO_TOOLS)
    return type(value) in _FUNCTIONS or is_partial(value) or "__wrapped__" in attributes(value)


def _is_dataclass(value: Any) -> bool:
    """Whether an object is a class of data, which is a tool only if a target names it."""
    return is_class(value) and any("__dataclass_fields__" in vars(each) for each in value.__mro__)


def _package_of(value: Any) -> str | None:
    """The package in which an object claims to be defined."""
    home = _home(value)
    return home.partition(".")[0] if type(home) is str else None


def _methods(prefix: str, owner: str, module: str, cls: type) -> Iterator[Found]:
    """The public methods that a class defines itself."""
    for name, value in list(vars(cls).items()):
        method = value.__get__(None, cls) if type(value) in (classmethod, staticmethod) else value
        is_theirs = _package_of(method) not in (None, _package_of(cls))  # a library added it
        if not name.startswith("_") and type(method) in _FUNCTIONS and not is_theirs:
            inner = f"{owner}.{name}"
            yield Found(prefix + inner, module, method, inner)
