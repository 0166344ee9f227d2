"""Pass the values of a call as Python does: by position, by name, and to ``*args``."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from types import FunctionType
from typing import Any

from milo_schema.annotations.classes import MISSING, own
from milo_schema.annotations.scopes import enclosing_class
from milo_schema.callables.signatures import (
    POSITIONAL_ONLY,
    POSITIONAL_OR_KEYWORD,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    VARIADIC,
    Field,
    Signature,
    is_plain,
)
from milo_schema.callables.variadics import read_keys, unpacked_keys
from milo_schema.callables.wrappers import is_partial, unwrap

Split = tuple[tuple[Any, ...], dict[str, Any], dict[str, Any]]


def split_values(
    parameters: list[Field], values: dict[str, Any], properties: Collection[str]
) -> Split:
    """The values by position, those by name, and all of them by parameter.

    Args:
        parameters: The parameters of the function.
        values: The values by name.
        properties: The variadic parameters that are properties with their own names; the
            remaining values go to the other variadic parameters.
    """
    rest = dict(values)
    items, more = _variadic(parameters, rest, properties)
    last_by_position = POSITIONAL_OR_KEYWORD if items else POSITIONAL_ONLY
    arguments: dict[str, Any] = {}
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    last = 0
    for each in parameters:
        name = each.python_name
        if each.kind <= last_by_position:
            args.append(rest.get(name, each.default))
            last = len(args) if name in rest else last
        elif name in rest and each.kind != VAR_KEYWORD:
            kwargs[name] = rest[name]
        if each.kind == VAR_POSITIONAL and items:
            arguments[name] = tuple(items)
            args += items
            last = len(args)
        elif each.kind == VAR_KEYWORD and (found := rest | more):
            arguments[name] = found
        elif each.kind != VAR_KEYWORD and name in rest:
            arguments[name] = rest.pop(name)
    return tuple(args[:last]), {**kwargs, **rest, **more}, arguments


def _variadic(
    parameters: list[Field], values: dict[str, Any], properties: Collection[str]
) -> tuple[list[Any], dict[str, Any]]:
    """Remove and return the values of ``*args`` and ``**kwargs`` that are properties."""
    items: list[Any] = []
    more: dict[str, Any] = {}
    for each in parameters:
        if each.name in properties and each.name in values:
            if each.kind == VAR_POSITIONAL:
                items = list(values.pop(each.name))
            else:
                more = values.pop(each.name)
    return items, more


def names_of(signature: Signature) -> Iterator[str]:
    """All names of parameters, including keys of ``**kwargs: Unpack[...]``, and ``self``."""
    for each in signature.parameters:
        keys = unpacked_keys(each)
        if keys is not MISSING:
            yield from (key.name for key in read_keys(keys, each.scope).fields)
        elif each.kind not in VARIADIC:
            yield each.python_name
    if signature.func is not None:  # including those that are already bound
        code = signature.func.__code__
        yield from code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def missing_self(func: Any, signature: Signature) -> str:
    """The ``self`` of a method that is not bound, which no call passes; otherwise empty.

    A wrapper may have the instance itself, unless it is the method that its class has.
    """
    given: set[str] = set()
    while is_partial(func) and not func.args:
        given.update(func.keywords)
        func = func.func
    if type(func) is not FunctionType or (inner := unwrap(func)) is None:
        return ""
    first = "".join(inner.__code__.co_varnames[: inner.__code__.co_argcount][:1])
    is_passed = first in given or any(each.python_name == first for each in signature.parameters)
    if first not in ("self", "cls") or is_passed:
        return ""
    return first if is_plain(func) or _is_of_class(func) else ""


def _is_of_class(func: FunctionType) -> bool:
    """Whether a function is an attribute of the class that its name begins with."""
    cls = enclosing_class(func)
    return cls is not None and own(cls, func.__name__) is func
