"""Pass the values of a call in Python's ways: by position, by name, to ``*args``, in a record."""

from __future__ import annotations

from milo_schema.annotations import Any, Callable, Collection, Iterator
from milo_schema.annotations.classes import MISSING, loaded_when_called
from milo_schema.annotations.forms import unpacked
from milo_schema.callables.signatures import (
    POSITIONAL_ONLY,
    POSITIONAL_OR_KEYWORD,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    VARIADIC,
    Field,
    Record,
    Signature,
)
from milo_schema.decoding.loader import Loader, Refused, Run, add, refused, step_to, wrong
from milo_schema.decoding.records import Part, part_of, unknown_name
from milo_schema.schemas.walk import Walk

Passed = tuple[tuple[Any, ...], dict[str, Any], dict[str, Any]]


read_keys: Callable[..., Any] = loaded_when_called("callables.variadics", "read_keys")
exact_schema: Callable[..., Any] = loaded_when_called("decoding.metadata", "exact_schema")
whole: Callable[..., Any] = loaded_when_called("schemas.unusual", "whole")


def passed(parameters: list[Field], values: dict[str, Any], properties: Collection[str]) -> Passed:
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


def without_keys(loader: Loader, names: frozenset[str]) -> Loader:
    """A loader of the object for ``**kwargs`` that cannot set other parameters."""
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


def names_of(signature: Signature) -> Iterator[str]:
    """All names of parameters, including keys of ``**kwargs: Unpack[...]``, and ``self``."""
    for each in signature.parameters:
        keys = MISSING if each.kind != VAR_KEYWORD else unpacked(each.annotation)
        if keys is not MISSING:
            yield from (key.name for key in read_keys(keys, each.scope).fields)
        elif each.kind not in VARIADIC:
            yield each.python_name
    if signature.func is not None:  # including those that are already bound
        code = signature.func.__code__
        yield from code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


# -- a record that replaces the parameters -----------------------------------------------------


def whole_part(record: Record, walk: Walk) -> Part | None:
    """The parameter that its fields replace, with a loader of the values by parameter."""
    if not walk.profile.flatten or (field := whole(record, walk)) is None:
        return None
    part = part_of(field, field.python_name, walk)
    schema = exact_schema(field.annotation, walk.within(field.scope))
    is_open = schema.get("additionalProperties", False) is not False
    part.loader = _by_parameter(part, None if is_open else [*schema.get("properties", ())])
    return part


def _by_parameter(part: Part, known: list[str] | None) -> Loader:
    """A loader of all arguments, which are the fields of one parameter.

    A name that is not *known* is refused, as for every other function.
    """
    fields = part.loader
    loader = Loader(fields.kinds, "an object with the arguments")

    def load(json: Any, run: Run) -> Any:
        if type(json) is not dict:
            return wrong(loader, json, run)
        others = [] if known is None else [name for name in json if name not in known]
        value = fields.load({name: json[name] for name in json if name not in others}, run)
        problems = value if type(value) is Refused else None
        for name in others:
            problems = add(
                problems, unknown_name("argument", str(name), known or []), step_to(str(name))
            )
        return problems or {part.target: value}

    loader.load = load
    return loader
