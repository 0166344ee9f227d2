"""The keys of ``**kwargs: Unpack[TypedDict]`` (PEP 692); ``*args`` and ``**kwargs`` as fields."""

from __future__ import annotations

from types import GenericAlias
from typing import Any

from milo_schema.annotations.classes import MISSING, Unresolved, UnresolvedError, is_class
from milo_schema.annotations.display import display
from milo_schema.annotations.forms import is_form, is_typed_dict, unpacked
from milo_schema.annotations.generics import close
from milo_schema.annotations.resolution import resolve
from milo_schema.annotations.scopes import Scope
from milo_schema.callables.records import read as read_record
from milo_schema.callables.signatures import VAR_KEYWORD, Field, Record


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
    return Field(field.name, annotation, field.scope, MISSING, field.kind, required=False)


def is_of_param_spec(tp: Any) -> bool:
    """Whether an annotation is ``P.args`` or ``P.kwargs`` (PEP 612)."""
    return is_form(type(tp), "ParamSpecArgs") or is_form(type(tp), "ParamSpecKwargs")


def unpacked_keys(field: Field) -> Any:
    """The TypedDict of ``**kwargs: Unpack[...]``; ``MISSING`` for any other parameter."""
    return unpacked(field.annotation) if field.kind == VAR_KEYWORD else MISSING


def read_keys(
    typed_dict: Any,
    scope: Scope,
    reads_source: bool = False,
) -> Record:
    """The keys of the TypedDict in ``**kwargs: Unpack[...]``."""
    found = resolve(typed_dict, scope)
    if not is_class(found.head) or not is_typed_dict(found.head):
        raise UnresolvedError(f"{display(typed_dict)} is not a TypedDict; PEP 692 requires one")
    annotation = close(found.annotation, found.scope)
    return read_record(annotation, found.scope, reads_source=reads_source)
