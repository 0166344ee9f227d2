"""The functions in the tools that decorators of other libraries make, such as LangChain's."""

from __future__ import annotations

from types import FunctionType, MethodType
from typing import Any

from milo_schema.annotations.classes import (
    USER_CODE_ERRORS,
    attributes,
    is_any,
    is_class,
    loaded,
    static,
)
from milo_schema.callables.wrappers import last_name

PLACES = ("func", "fn", "function")
"""The attributes with the function, besides ``__wrapped__``."""
_VAR_KEYWORD = 0x08  # inspect.CO_VARKEYWORDS


def function_inside(tool: Any) -> Any:
    """The function in a tool of another library; anything else is returned as it is.

    An object that can be called is a function itself, unless its ``__call__()`` takes anything and
    leads to ``forward()``, as in smolagents.
    """
    cls = type(tool)
    if cls is FunctionType or cls is MethodType or is_class(tool) or _is_of_python(cls):
        return tool
    called, forward = static(cls, "__call__"), static(cls, "forward")
    is_called = called is not None and type(called) is not property
    if not is_called or _takes_anything(called):
        if type(forward) is FunctionType:
            return MethodType(forward, tool)
        if type(forward) is staticmethod:
            return forward.__func__
    return tool if is_called else _function_of(tool)


def _is_of_python(cls: type) -> bool:
    """Whether objects of a class have a function, but are not tools."""
    return is_any(cls, (classmethod, staticmethod, loaded("functools.partialmethod")))


def _takes_anything(called: Any) -> bool:
    return type(called) is FunctionType and bool(called.__code__.co_flags & _VAR_KEYWORD)


def _function_of(tool: Any) -> Any:
    """The one function that an object has as an attribute; otherwise the object."""
    own, found = attributes(tool), []
    if "__wrapped__" in own or static(type(tool), "__wrapped__") is not None:
        try:
            found.append(tool.__wrapped__)
        except USER_CODE_ERRORS:  # a descriptor is user code
            return tool
    found += map(own.get, PLACES)
    functions = {id(each): each for each in found if type(each) is FunctionType}
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
