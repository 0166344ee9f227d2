"""``*args`` and ``**kwargs``: as fields, as keys (PEP 692), and in the call of a function."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from types import FunctionType, GenericAlias
from typing import Any

from milo_schema.annotations.classes import MISSING, Unresolved, UnresolvedError, is_class, own
from milo_schema.annotations.forms import display, is_form, is_typed_dict, unpacked
from milo_schema.annotations.generics import close
from milo_schema.annotations.resolution import resolve
from milo_schema.annotations.scopes import Scope, enclosing_class
from milo_schema.callables.records import read_record
from milo_schema.callables.signatures import (
    POSITIONAL_ONLY,
    POSITIONAL_OR_KEYWORD,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    VARIADIC,
    Field,
    Record,
    Signature,
    is_plain_function,
)
from milo_schema.callables.wrappers import is_partial, missing_first, unwrap


def as_property(field: Field) -> Field:
    """``*args`` as one array parameter, or ``**kwargs`` as one object parameter."""
    each = field.annotation
    is_untyped = each is MISSING or type(each) is Unresolved or is_of_param_spec(each)
    annotation: Any
    if field.kind == VAR_KEYWORD:
        annotation = dict if is_untyped else dict[str, each]  # type: ignore[valid-type]
    elif unpacked(each) is not MISSING:  # *args: *tuple[int, ...]
        annotation = GenericAlias(tuple, (each,))
    else:
        annotation = list if is_untyped else list[each]  # type: ignore[valid-type]
    return field.replace(annotation=annotation, text=MISSING, default=MISSING, required=False)


def is_of_param_spec(tp: Any) -> bool:
    """Whether an annotation is ``P.args`` or ``P.kwargs`` (PEP 612)."""
    return is_form(type(tp), "ParamSpecArgs") or is_form(type(tp), "ParamSpecKwargs")


def unpacked_keys(field: Field) -> Any:
    """The TypedDict of ``**kwargs: Unpack[...]``; ``MISSING`` for any other parameter."""
    return unpacked(field.annotation) if field.kind == VAR_KEYWORD else MISSING


def read_keys(typed_dict: Any, scope: Scope, reads_source: bool = False) -> Record:
    """The keys of the TypedDict in ``**kwargs: Unpack[...]``."""
    found = resolve(typed_dict, scope)
    if not is_class(found.head) or not is_typed_dict(found.head):
        raise UnresolvedError(f"{display(typed_dict)} is not a TypedDict; PEP 692 requires one")
    annotation = close(found.annotation, found.scope)
    return read_record(annotation, found.scope, reads_source=reads_source)


def parameter_names(signature: Signature, keys: Iterable[Field]) -> Iterator[str]:
    """All names of parameters, and ``self``; *keys* are those of ``**kwargs: Unpack[...]``."""
    for each in signature.parameters:
        if each.kind not in VARIADIC:
            yield each.python_name
    for each in keys:
        yield each.name
    if signature.func is not None:  # including those that are already bound
        code = signature.func.__code__
        yield from code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


# -- calls -------------------------------------------------------------------------------------

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


def defaults_of(parameters: list[Field]) -> dict[str, Any]:
    """The values of the parameters that a call leaves out; ``make`` made those of factories."""
    empty: dict[int, Any] = {VAR_POSITIONAL: (), VAR_KEYWORD: {}}
    return {
        each.python_name: empty.get(each.kind, each.default)
        for each in parameters
        if each.kind in empty or each.default is not MISSING
    }


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


def missing_self(func: Any, signature: Signature) -> str:
    """The ``self`` of a method that is not bound, which no call passes; otherwise empty.

    A wrapper may have the instance itself, unless it is the method that its class has.
    """
    given: set[str] = set()
    while is_partial(func) and not func.args:
        given.update(func.keywords)
        func = func.func
    if type(func) is not FunctionType or (inner := unwrap(func)) is None:
        return missing_first(func)
    first = "".join(inner.__code__.co_varnames[: inner.__code__.co_argcount][:1])
    is_passed = first in given or any(each.python_name == first for each in signature.parameters)
    is_self = first in ("self", "cls") and not is_passed
    is_free = is_plain_function(func) or _is_of_class(func) or _is_partial(func)
    return first if is_self and is_free else ""


def _is_partial(func: FunctionType) -> bool:
    """Whether a function is a ``partialmethod`` that was taken from its class."""
    return not {"__partialmethod__", "_partialmethod"}.isdisjoint(func.__dict__)


def _is_of_class(func: FunctionType) -> bool:
    """Whether a function is an attribute of the class that its name begins with."""
    cls = enclosing_class(func)
    return cls is not None and own(cls, func.__name__) is func
