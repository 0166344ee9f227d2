"""The layers of a callable: partials, methods and decorators, down to the function that runs.

A callable may wrap another one in several ways, and that one a third. ``unwrap()`` follows them to
the function that finally runs: the names in annotations are looked up in its module.
``MAX_WRAPPERS`` ends a chain that leads back to itself.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from milo_schema.annotations.classes import (
    USER_CODE_ERRORS,
    attributes,
    class_name,
    is_any,
    is_class,
    loaded,
    local_name,
    static,
)
from milo_schema.annotations.forms import display, split
from milo_schema.annotations.scopes import MAX_WRAPPERS

DESCRIPTORS = (classmethod, staticmethod)
_METHODS = (types.MethodType, *DESCRIPTORS)


def is_partial(func: object) -> bool:
    """Whether *func* is a ``functools.partial``."""
    return issubclass(type(func), loaded("functools.partial"))


def unwrap(func: Any) -> types.FunctionType | None:
    """The function that finally runs, inside partials, decorators and methods."""
    for _ in range(MAX_WRAPPERS):
        if type(func) is types.FunctionType and _WRAPPING.isdisjoint(func.__dict__):
            return func
        outer, func = func, _unwrap_once(func)
        if func is None or func is outer:  # nothing is inside, or the slot of all slots
            return None
    return None


_WRAPPING = frozenset({"__wrapped__", "__partialmethod__", "_partialmethod"})


def _unwrap_once(func: Any) -> Any:
    attributes_ = attributes(func)
    for name in ("__partialmethod__", "_partialmethod"):  # the second name is used up to 3.12
        if name in attributes_:
            return attributes_[name].func
    inside = inner_callable(func)
    return static(type(func), "__call__") if inside is None else inside


def inner_callable(func: Any) -> Any:
    """The callable inside a partial, a method or a decorator; ``None`` if there is none."""
    if is_partial(func):
        return func.func
    return func.__func__ if is_any(type(func), _METHODS) else wrapped_by(func)


def wrapped_by(func: Any) -> Any:
    """The function in ``__wrapped__``, as set by ``functools.wraps()`` and other decorators."""
    if type(static(type(func), "__wrapped__")) is property:
        return func.__wrapped__
    return attributes(func).get("__wrapped__")


def context_manager_of(func: Any) -> Any:
    """The class that a ``@contextmanager`` function returns; its annotation is the generator's."""
    for _ in range(MAX_WRAPPERS):
        if type(func) is types.FunctionType:
            made_by = func.__globals__.get("__name__"), func.__code__.co_qualname
            if made_by in _CONTEXT_MANAGERS:
                return loaded(_CONTEXT_MANAGERS[made_by])
            if _WRAPPING.isdisjoint(func.__dict__):
                break
        func = _unwrap_once(func)
    return None


_CONTEXT_MANAGERS = {
    ("contextlib", "contextmanager.<locals>.helper"): "contextlib.AbstractContextManager",
    ("contextlib", "asynccontextmanager.<locals>.helper"): "contextlib.AbstractAsyncContextManager",
}
"""By the code of the functions that replace decorated generator functions."""


def is_dispatcher(func: Any) -> bool:
    """Whether ``functools`` made a callable that looks at its first argument: by position only."""
    if type(func) is types.FunctionType:
        return (func.__globals__.get("__name__"), func.__code__.co_qualname) in _DISPATCHERS
    return type(func) is loaded("functools._singledispatchmethod_get")  # from 3.14 on


_DISPATCHERS = {
    ("functools", "singledispatch.<locals>.wrapper"),
    ("functools", "singledispatchmethod.__get__.<locals>._method"),
}


def missing_first(func: Any) -> str:
    """The first parameter of a descriptor that is not bound, which no call passes."""
    if type(func) is classmethod:
        return "cls"
    return "self" if is_any(type(func), _UNBOUND) else ""


def why_unbound(name: str, missing: str) -> str:
    """The reason why a method that is not bound cannot be called, and what to do."""
    cls, _, method = name.rpartition(".")
    instance = cls if missing == "cls" else f"{cls}()"
    way_out = f"pass {instance}.{method}" if cls else "pass a bound method, or rename it"
    return f"its {missing!r} is missing; {way_out}"


_UNBOUND = (types.MethodDescriptorType, types.WrapperDescriptorType)


# -- names -------------------------------------------------------------------------------------


def is_compiled(func: Any) -> bool:
    """Whether a function is written in C, or compiled by a tool such as Cython.

    Their classes differ, but each keeps the name in C.
    """
    if type(func) is types.FunctionType or is_class(func):
        return False
    return type(static(type(func), "__qualname__")) is types.GetSetDescriptorType


def module_of(func: Any) -> str | None:
    """The name of the module of a compiled function; ``None`` if there is none."""
    *_, last = _layers(func)
    name = getattr(last, "__module__", None) if is_compiled(last) else None
    return name if type(name) is str else None


def name_of(func: Any) -> str:
    """The name of a callable in errors: ``deploy``, ``Service.deploy``."""
    *_, last = _layers(func)
    return local_name(last.__qualname__) if _has_own_name(last) else _class_of_callable(last)


def last_name(func: Any) -> str:
    """The ``__name__`` of a callable, or of one inside it; otherwise that of its class."""
    for last in _layers(func):
        name = last.__name__ if _has_own_name(last) else attributes(last).get("__name__")
        if type(name) is str and not is_class(last):
            return name
    if is_class(last):
        return class_name(last)
    return _class_of_callable(last).rpartition(".")[2]


def _layers(func: Any) -> Iterator[Any]:
    """A callable, then those inside it, down to the first that has a name."""
    for _ in range(MAX_WRAPPERS):
        yield func
        try:
            inside = None if _has_own_name(func) else inner_callable(func)
        except USER_CODE_ERRORS:  # a property is user code; its error is reported later
            return
        if inside is None:
            return
        func = inside


def _has_own_name(func: Any) -> bool:
    return type(func) is types.FunctionType or is_compiled(func)


def _class_of_callable(func: Any) -> str:
    return display(func if is_class(func) or split(func)[0] is not func else type(func))


# -- decorated -------------------------------------------------------------------------------------
#
# The functions in the tools that decorators of other libraries make, such as LangChain's.


PLACES = ("func", "fn", "function")
"""The attributes with the function, besides ``__wrapped__``."""
_VAR_KEYWORD = 0x08  # inspect.CO_VARKEYWORDS


def function_inside(tool: Any) -> Any:
    """The function in a tool of another library; anything else is returned as it is.

    An object that can be called is a function itself, unless its ``__call__()`` takes anything and
    leads to ``forward()``, as in smolagents.
    """
    cls = type(tool)
    if cls is types.FunctionType or cls is types.MethodType or is_class(tool) or _is_of_python(cls):
        return tool
    called, forward = static(cls, "__call__"), static(cls, "forward")
    is_called = called is not None and type(called) is not property
    if not is_called or _takes_anything(called):
        if type(forward) is types.FunctionType:
            return types.MethodType(forward, tool)
        if type(forward) is staticmethod:
            return forward.__func__
    return tool if is_called else _function_of(tool)


def _is_of_python(cls: type) -> bool:
    """Whether objects of a class have a function, but are not tools."""
    return is_any(cls, (classmethod, staticmethod, loaded("functools.partialmethod")))


def _takes_anything(called: Any) -> bool:
    return type(called) is types.FunctionType and bool(called.__code__.co_flags & _VAR_KEYWORD)


def _function_of(tool: Any) -> Any:
    """The one function that an object has as an attribute; otherwise the object."""
    own, found = attributes(tool), []
    if "__wrapped__" in own or static(type(tool), "__wrapped__") is not None:
        try:
            found.append(tool.__wrapped__)
        except USER_CODE_ERRORS:  # a descriptor is user code
            return tool
    found += map(own.get, PLACES)
    functions = {id(each): each for each in found if type(each) is types.FunctionType}
    return tool if len(functions) != 1 else functions.popitem()[1]


def texts_of(
    tool: Any, function: Any, name: str | None, description: str | None
) -> tuple[str | None, str | None]:
    """The name and the description: those that are passed, or those that a tool has.

    Those of its function do not count here. An object that is a function itself has none, except
    under ``tool_spec``, as in strands.
    """
    texts = _spec_of(tool)
    if texts is None:
        if tool is function:
            return name, description
        own, cls = attributes(tool), type(tool)
        texts = {each: own.get(each, static(cls, each)) for each in ("name", "description")}
    if name is None and (found := _text(texts.get("name"))) not in ("", last_name(function)):
        name = found
    if description is None:
        found, said = _text(texts.get("description")), " ".join(_text(function.__doc__).split())
        description = None if " ".join(found.split()) in said else found
    return name, description


def _spec_of(tool: Any) -> Any:
    """The definition that a decorated function has as ``tool_spec``; ``None`` if it has none."""
    if type(static(type(tool), "tool_spec")) is not property:
        return None
    try:
        return dict(tool.tool_spec)
    except USER_CODE_ERRORS:
        return None


def _text(value: Any) -> str:
    return value if type(value) is str else ""
