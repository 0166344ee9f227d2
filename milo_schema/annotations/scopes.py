"""Scopes: where the names in annotations are looked up.

An annotation string sees the names of the class body, of the closure and of the running functions
around it, then those of its module and of Python. Most strings are in functions of a module, where
there are no names of the first kind.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Mapping
from types import FrameType, FunctionType, GenericAlias, UnionType
from typing import Any

from milo_schema.annotations import LazyImportType
from milo_schema.annotations.classes import (
    MISSING,
    NOTHING,
    NamesByModule,
    Unresolved,
    attributes,
    body,
    inherits,
    is_any,
    is_class,
    own,
    own_annotations,
)

SELF = "Self"
"""The key, in the bindings of a scope, of the class that ``Self`` (PEP 673) refers to."""


Namespaces = tuple[dict[str, Any], dict[str, Any], Mapping[str, Any], Any]
"""Local names, the names of the module, those of Python itself, and the fallback."""


class Scope:
    """Where the names in annotation strings are looked up, and what type parameters are bound to.

    Names are looked up in *extra* first, which a caller passes; then where *owner* (a function,
    class or alias) or a running *frame* sees them; and in *fallback* if all of these lack them.
    """

    __slots__ = ("_globals", "_names", "bindings", "extra", "fallback", "frame", "module", "owner")

    def __init__(
        self,
        owner: Any = None,
        bindings: Mapping[Any, Any] = NOTHING,
        extra: Mapping[str, Any] | None = None,
        fallback: Mapping[str, Any] = NOTHING,
        module: str | None = None,
        frame: FrameType | None = None,
    ) -> None:
        if extra is not None:
            if inherits(type(extra), NamesByModule):
                names: Any = extra
                extra, fallback = names.names, names
            elif fallback is NOTHING:
                fallback = extra
        self.owner: Any = owner
        self.bindings: Mapping[Any, Any] = bindings
        self.extra: Mapping[str, Any] | None = extra
        self.fallback: Mapping[str, Any] = fallback
        self.module: str | None = module
        self.frame: FrameType | None = frame
        self._globals: dict[str, Any] | None = None
        self._names: Namespaces | None = None

    def unbound(self) -> Scope:
        """The same place for annotations that are closed: no type parameter is bound."""
        return Scope(self.owner, NOTHING, self.extra, self.fallback, self.module, self.frame)

    @property
    def globals(self) -> dict[str, Any]:
        """The names of the module: that of a function, of a frame, or of a class."""
        if self._globals is None:
            owner, name = self.owner, self.module
            if name is None and type(owner) is FunctionType:
                self._globals = owner.__globals__
            elif self.frame is not None:
                self._globals = self.frame.f_globals
            else:
                if name is None and issubclass(type(owner), type):
                    name = body(owner).get("__module__")
                module = sys.modules.get(name) if type(name) is str else None
                self._globals = getattr(module, "__dict__", {})
        return self._globals

    @property
    def names(self) -> Namespaces:
        """Where names are looked up: local names, the module, Python itself, the fallback."""
        if self._names is None:
            module: dict[str, Any] = self.globals
            last: Any = self.fallback
            local = {**self.frame.f_locals} if self.frame else _names_seen_by(self.owner, module)
            if self.extra:
                local |= self.extra
            if inherits(type(last), NamesByModule):
                last = last.of(module)
            self._names = (local, module, builtins.__dict__, last)
        return self._names

    def find(self, name: str) -> Any:
        """Look a name up; ``MISSING`` if it is unknown, or a lazy import that has not happened."""
        for names in self._names or self.names:
            if name in names:
                found = names[name]
                kind = type(found)
                return MISSING if kind is LazyImportType or kind is Unresolved else found
        return MISSING

    @property
    def source(self) -> tuple[str, int, dict[str, Any]] | None:
        """Where a callable is defined: the file, the first line, and the names of its module.

        For a constructor that is inherited or made by a decorator, it is where the class is.
        """
        code, cls = getattr(self.owner, "__code__", None), self.bindings.get(SELF)
        if not is_class(cls):
            cls = getattr(cls, "__origin__", cls)  # of Repo[int]
        if is_class(cls):
            module = sys.modules.get(own(cls, "__module__"))
            file = getattr(module, "__file__", None)
            if code is None or code.co_filename != file:
                line = own(cls, "__firstlineno__")  # from 3.13 on
                return (file, line, vars(module)) if file and line else None
        return None if code is None else (code.co_filename, code.co_firstlineno, self.globals)


# -- local names -----------------------------------------------------------------------------------


def _names_seen_by(owner: Any, module: dict[str, Any]) -> dict[str, Any]:
    """The names that *owner* (a function, class or alias) sees before those of its module."""
    qualname = getattr(owner, "__qualname__", "")
    names = _enclosing_names(owner, module) if "<locals>" in qualname else {}
    cls = owner
    if type(owner) is FunctionType:
        cls = enclosing_class(owner) if "." in qualname else None
    if issubclass(type(cls), type):
        if cls is not owner and (parameters := own(cls, "__type_params__")):
            names |= {each.__name__: each for each in parameters}
        names |= _names_in_body(cls, module)
    if type(owner) is FunctionType and owner.__closure__:
        names |= _names_in_closure(owner)
    if parameters := getattr(owner, "__type_params__", ()):  # PEP 695
        names |= {each.__name__: each for each in parameters}
    return names


def _enclosing_names(owner: Any, module: dict[str, Any]) -> dict[str, Any]:
    """The locals of the functions around *owner* that are running now.

    A class or function defined inside a function may use local names of that function in its
    strings. Python keeps no link to them, but a running function is on the stack.
    """
    names: dict[str, Any] = {}
    qualname = owner.__qualname__
    frame: FrameType | None = sys._getframe(1)
    while frame:
        enclosing = f"{frame.f_code.co_qualname}.<locals>."
        if frame.f_globals is module and qualname.startswith(enclosing):
            names = {**frame.f_locals, **names}  # the innermost comes first, and wins
        frame = frame.f_back
    return names


def _names_in_closure(func: FunctionType) -> dict[str, Any]:
    names = {}
    for name, cell in zip(func.__code__.co_freevars, func.__closure__ or (), strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    return names


def _names_in_body(cls: type, module: dict[str, Any]) -> dict[str, Any]:
    """The names of a class body that its annotations can refer to.

    A method called ``list``, or the default in ``date: "date" = None``, does not hide the type of
    that name. ``typing.get_type_hints()`` has the same rule.
    """
    names, fields = body(cls).copy(), own_annotations(cls)
    in_module, in_python = module.__contains__, builtins.__dict__.__contains__
    for name in {*filter(in_module, names), *filter(in_python, names)}:
        kind = type(names[name])
        is_type = issubclass(kind, _TYPES) or kind.__module__ in ("typing", "typing_extensions")
        if name in fields or not is_type:
            del names[name]
    return names


_TYPES = (type, GenericAlias, UnionType)


def enclosing_class(func: FunctionType) -> type | None:
    """The class in whose body a function was written, found by its qualified name."""
    outer, _, dotted = func.__qualname__.rpartition("<locals>.")
    if "." not in dotted:
        return None
    *classes, _ = dotted.split(".")
    names = _enclosing_names(func, func.__globals__) if outer else func.__globals__
    found = names.get(classes[0])
    for name in classes[1:]:
        found = own(found, name) if is_class(found) else None
    return found if is_class(found) and _has_method(found, func) else None


def _has_method(cls: type, func: FunctionType) -> bool:
    """Whether a class body contains a function: another class may have the same name."""
    return any(_wraps(value, func) for value in [*body(cls).values()])


MAX_WRAPPERS = 100
"""The most wrappers around a function; a function that wraps itself exceeds it."""


def _wraps(value: Any, func: FunctionType) -> bool:
    for _ in range(MAX_WRAPPERS):
        if value is func or value is None:
            break
        is_descriptor = is_any(type(value), (staticmethod, classmethod))
        value = value.__func__ if is_descriptor else attributes(value).get("__wrapped__")
    return value is func
