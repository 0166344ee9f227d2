"""The values of a call as Python passes them: by position, by name, and to ``*args``."""

from __future__ import annotations

from milo_schema.callables.signatures import (
    POSITIONAL_ONLY,
    POSITIONAL_OR_KEYWORD,
    VAR_KEYWORD,
    VAR_POSITIONAL,
)
from milo_schema.decoding.loader import Loader, Refused, add, refused, step_to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from milo_schema.callables.signatures import Field
    from milo_schema.decoding.loader import Run

    Passed = tuple[tuple[Any, ...], dict[str, Any], dict[str, Any]]


def passed(parameters: list[Field], values: dict[str, Any], properties: Collection[str]) -> Passed:
    """The values by position, those by name, and all of them by parameter.

    Args:
        parameters: Those of the function.
        values: The values by name.
        properties: The variadic parameters whose values are under their own names; what is left in
            the end goes to the other ones.
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
    """Take the values of ``*args`` and ``**kwargs`` out, if they are under their own names."""
    items: list[Any] = []
    more: dict[str, Any] = {}
    for each in parameters:
        if each.name in properties and each.name in values:
            if each.kind == VAR_POSITIONAL:
                items = list(values.pop(each.name))
            else:
                more = values.pop(each.name)
    return items, more


def without_keys(loader: Loader, names: frozenset[str]) -> Loader:
    """A loader of the object for ``**kwargs``, which cannot set other parameters."""
    found = Loader(loader.kinds, loader.label, turn=loader.turn)

    def load(json: Any, run: Run) -> Any:
        value = loader.load(json, run)
        problems = value if type(value) is Refused else None
        given = json if type(json) is dict else value
        for name in names.intersection(given) if type(given) is dict else ():
            problems = add(problems, refused("unknown argument"), step_to(name))
        return problems or value

    found.load = load
    return found
