"""The local names that an annotation string sees, besides those of its module and of Python.

They are the names of the class body, of the closure, and of the running functions around the
annotation. ``evaluation.Scope`` looks names up; it needs this file only if there can be such names.
"""

from __future__ import annotations

import builtins
import sys

from milo_schema.annotations import (
    Any,
    FrameType,
    FunctionType,
    GenericAlias,
    Mapping,
    UnionType,
)
from milo_schema.annotations.classes import (
    attributes,
    body,
    is_any,
    is_class,
    own,
    own_annotations,
)


def nearer_names(owner: Any, module: dict[str, Any]) -> list[Namespace]:
    """The names that *owner* (a function, class or alias) sees before its module, nearest first."""
    names: list[Namespace] = []
    if parameters := getattr(owner, "__type_params__", ()):  # PEP 695
        names.append(_by_name(parameters))
    qualname = getattr(owner, "__qualname__", "")
    cls = owner
    if type(owner) is FunctionType:
        if owner.__closure__:
            names.append(_closure(owner))
        cls = enclosing_class(owner) if "." in qualname else None
    if issubclass(type(cls), type):
        names.append(_ClassBody(cls, module))
        if cls is not owner and (parameters := own(cls, "__type_params__", ())):
            names.append(_by_name(parameters))
    if "<locals>" in qualname:
        names.append(_enclosing_names(owner, module))
    return names


def _by_name(parameters: tuple[Any, ...]) -> dict[str, Any]:
    return {parameter.__name__: parameter for parameter in parameters}


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


def _closure(func: FunctionType) -> dict[str, Any]:
    names = {}
    for name, cell in zip(func.__code__.co_freevars, func.__closure__ or (), strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    return names


class _ClassBody:
    """The names of a class body that its annotations can refer to.

    A method called ``list``, or the default in ``date: "date" = None``, does not hide the type of
    that name. ``typing.get_type_hints()`` has the same rule.
    """

    __slots__ = ("fields", "module", "names")

    def __init__(self, cls: type, module: dict[str, Any]) -> None:
        self.fields: dict[str, Any] = own_annotations(cls)
        self.module: dict[str, Any] = module
        self.names: Mapping[str, Any] = body(cls)

    def __contains__(self, name: str) -> bool:
        if name not in self.names:
            return False
        if name not in self.module and name not in builtins.__dict__:
            return True
        return name not in self.fields and _may_be_type(self.names[name])

    def __getitem__(self, name: str) -> Any:
        return self.names[name]

    def keys(self) -> list[str]:
        """The names; ``dict.update()`` calls this."""
        return [name for name in self.names if name in self]


Namespace = Mapping[str, Any] | _ClassBody


def _may_be_type(value: Any) -> bool:
    if is_class(value) or issubclass(type(value), (GenericAlias, UnionType)):
        return True
    return type(value).__module__ in ("typing", "typing_extensions")


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
    return any(_wraps(value, func) for value in body(cls).values())


MAX_WRAPPERS = 100
"""The most wrappers around a function; a function that wraps itself exceeds it."""


def _wraps(value: Any, func: FunctionType) -> bool:
    for _ in range(MAX_WRAPPERS):
        if value is func or value is None:
            break
        is_descriptor = is_any(type(value), (staticmethod, classmethod))
        value = value.__func__ if is_descriptor else attributes(value).get("__wrapped__")
    return value is func
