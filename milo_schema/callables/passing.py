"""Pass the values of a call as Python does: by position, by name, and to ``*args``."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from milo_schema.annotations.classes import MISSING
from milo_schema.callables.signatures import (
    POSITIONAL_ONLY,
    POSITIONAL_OR_KEYWORD,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    VARIADIC,
    Field,
    Signature,
)
from milo_schema.callables.variadics import read_keys, unpacked_keys

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
