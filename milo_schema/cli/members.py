"""The callable members of a module or class: its public functions, classes and methods.

Public names are those in ``__all__`` or, without it, those without an underscore that are defined
in the module itself.
"""

from __future__ import annotations

import contextlib
import enum
import types

from milo_schema.annotations import Any, Iterable, Iterator
from milo_schema.annotations.classes import USER_CODE_ERRORS, attributes, is_class
from milo_schema.callables.wrappers import is_partial, name_of
from milo_schema.cli.imports import Silence
from milo_schema.errors import SchemaError
from milo_schema.frozen import Frozen
from milo_schema.tools import ToolSchema

__all__ = ["DEFINITIONS", "Found", "everything", "methods"]


class Found(Frozen):
    """A callable, and where it was found.

    Attributes:
        name: Its name inside its target: ``deploy``, ``api.Client.get``.
        module: The module in which it was found.
        func: The function, class or other callable; or a definition that a server lists, or the
            error about an invalid one.
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
    def own_name(self) -> str:
        """Its own name, with which its findings and errors begin."""
        return self.name if isinstance(self.func, DEFINITIONS) else name_of(self.func)


DEFINITIONS = (ToolSchema, SchemaError)
"""The classes for a tool of a server: its definition, or the error about an invalid one."""


def everything(modules: Iterable[types.ModuleType], root: str) -> Iterator[Found]:
    """The members of modules, each with the first name found for it, relative to their *root*."""
    seen: set[int] = set()
    for each in modules:
        below = each.__name__[len(root) + 1 :] if root else each.__name__
        prefix = f"{below}." if below else ""
        for name, value in _once(_public(each)):
            if id(value) not in seen and _is_callable(value):
                seen.add(id(value))
                yield Found(prefix + name, each.__name__, value, name)
                if is_class(value):
                    yield from methods(prefix, name, each.__name__, value)


def _once(members: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
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
        if not name.startswith("_") and _home(value) == module.__name__:
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


def _is_callable(value: Any) -> bool:
    """Whether an object is a function, a wrapper of one, or a class that is useful as a tool."""
    if is_class(value):
        is_protocol = vars(value).get("_is_protocol") is True
        is_typed_dict = type(value).__name__ == "_TypedDictMeta"
        return not is_protocol and not is_typed_dict and not issubclass(value, _NO_TOOLS)
    return type(value) in _FUNCTIONS or is_partial(value) or "__wrapped__" in attributes(value)


_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_NO_TOOLS = (enum.Enum, BaseException, type)


def methods(prefix: str, owner: str, module: str, cls: type) -> Iterator[Found]:
    """The public methods that a class defines itself."""
    for name, value in list(vars(cls).items()):
        method = value.__get__(None, cls) if type(value) in (classmethod, staticmethod) else value
        if not name.startswith("_") and type(method) in _FUNCTIONS:
            inner = f"{owner}.{name}"
            yield Found(prefix + inner, module, method, inner)
