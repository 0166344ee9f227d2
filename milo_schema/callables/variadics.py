"""Variadic parameters: turn ``*args`` and ``**kwargs`` into fields or additional properties."""

from __future__ import annotations

from types import GenericAlias

from milo_schema.annotations import Any
from milo_schema.annotations.classes import MISSING, Unresolved, UnresolvedError, is_class
from milo_schema.annotations.display import display
from milo_schema.annotations.evaluation import Scope
from milo_schema.annotations.forms import is_form, is_typed_dict, unpacked, with_metadata
from milo_schema.annotations.generics import close
from milo_schema.annotations.resolution import resolve
from milo_schema.callables import records
from milo_schema.callables.signatures import KEYWORD_ONLY, VAR_KEYWORD, Field, Record
from milo_schema.markers import Description

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.schemas.walk import Walk
else:
    Walk = Any


def variadic(field: Field, record: Record, description: str | None, walk: Walk) -> list[Field]:
    """Add ``*args`` or ``**kwargs`` to the record: as fields, or as additional properties."""
    keys = unpacked(field.annotation)
    if field.kind == VAR_KEYWORD and keys is not MISSING:  # PEP 692
        return _unpacked(field, keys, record, walk)
    if type(field.annotation) is Unresolved:  # it may have been Unpack[...]
        problem = field.annotation.error
        walk.at(field).unsupported(field.written, str(problem), problem)
    if walk.profile.variadics == "error":
        walk.at(field).refuse("no JSON Schema for variadic parameters; name each of them")
    if walk.profile.variadics == "properties":
        return [_property(field)]
    if field.kind == VAR_KEYWORD and walk.profile.variadics == "open":
        record.extra = MISSING if _is_of_param_spec(field.annotation) else field.annotation
        record.extra_step = f"{field}{{}}"
        if description and record.extra is not MISSING:
            record.extra = with_metadata(record.extra, (Description(description),))
    return []


def _property(field: Field) -> Field:
    """``*args`` as one array parameter, or ``**kwargs`` as one object parameter."""
    each = field.annotation
    is_untyped = each is MISSING or type(each) is Unresolved or _is_of_param_spec(each)
    annotation: Any
    if field.kind == VAR_KEYWORD:
        annotation = dict if is_untyped else dict[str, each]  # type: ignore[valid-type]
    elif unpacked(each) is not MISSING:  # *args: *tuple[int, ...]
        annotation = GenericAlias(tuple, (each,))
    else:
        annotation = list if is_untyped else list[each]  # type: ignore[valid-type]
    return Field(field.name, annotation, field.scope, MISSING, field.kind, required=False)


def _is_of_param_spec(tp: Any) -> bool:
    """Whether an annotation is ``P.args`` or ``P.kwargs`` (PEP 612)."""
    return is_form(type(tp), "ParamSpecArgs") or is_form(type(tp), "ParamSpecKwargs")


def _unpacked(field: Field, typed_dict: Any, record: Record, walk: Walk) -> list[Field]:
    """The keys of ``**kwargs: Unpack[TypedDict]``, as parameters."""
    try:
        keys = read_keys(typed_dict, field.scope, walk.profile.attribute_docstrings)
    except UnresolvedError as problem:
        walk.at(field).complain(str(problem), field.annotation, problem)
        return []
    for each in keys.fields:
        each.kind = KEYWORD_ONLY  # as a parameter, it is f(x) in paths
    if keys.extra is not MISSING:
        record.extra = keys.extra
    return keys.fields


def read_keys(
    typed_dict: Any,
    scope: Scope,
    reads_source: bool = False,  # noqa: FBT001, FBT002
) -> Record:
    """The keys of the TypedDict in ``**kwargs: Unpack[...]``."""
    found = resolve(typed_dict, scope)
    if not is_class(found.head) or not is_typed_dict(found.head):
        raise UnresolvedError(f"{display(typed_dict)} is not a TypedDict; PEP 692 requires one")
    annotation = close(found.annotation, found.scope)
    return records.read(annotation, found.scope, reads_source=reads_source)
