"""Everything about attrs: its classes are records."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from typing import Any

from milo_schema.annotations.classes import (
    MISSING,
    is_any,
    is_class,
    loaded,
    own_annotations,
    static,
)
from milo_schema.annotations.forms import UNION, Marker, alias_of, is_form, with_metadata
from milo_schema.annotations.resolution import try_resolve, without_none
from milo_schema.annotations.scopes import Scope
from milo_schema.callables.records import ClassBodies
from milo_schema.callables.signatures import Record
from milo_schema.json_schema.patterns import to_ecma
from milo_schema.markers import Ge, Gt, Le, Lt, MaxLen, MinLen, Pattern


def is_attrs(cls: type) -> bool:
    """Whether *cls* is a class made by attrs."""
    return loaded("attr.NOTHING") is not None and static(cls, "__attrs_attrs__") is not None


def _read(bodies: ClassBodies, output: bool) -> Any:
    """Read a class of attrs as a record.

    A field has its name in the constructor: ``_size`` is ``size``. A field with a converter has the
    type that the converter takes; others have what their validators say, which attrs runs itself.
    """
    bodies.collect()
    nothing, factory = loaded("attr.NOTHING"), loaded("attr.Factory")
    fields = []
    for attribute in static(bodies.cls, "__attrs_attrs__"):
        if not (attribute.init or output):
            continue
        has_default = attribute.default is not nothing
        has_value = has_default and type(attribute.default) is not factory
        if attribute.converter is not None:
            taken = _taken(bodies.cls, attribute)
            has_value = has_value and taken is not None and not output  # not its input
            if taken is not None and not output:
                bodies.annotations[attribute.name] = taken
        elif attribute.validator is not None and not output:
            _add_validators(bodies, attribute)
        description = attribute.metadata.get("description")
        field = bodies.field(
            attribute.name,
            required=attribute.init and not has_default,
            default=attribute.default if has_value else MISSING,
            otherwise=MISSING if attribute.type is None else attribute.type,
            description=description if type(description) is str else None,
        )
        if attribute.init:
            field = field.replace(name=attribute.alias, attribute=attribute.name)
        fields.append(field)
    return Record(fields, bodies.description)


def _taken(cls: type, attribute: Any) -> tuple[Any, Scope] | None:
    """The annotation of a converter's parameter, with its scope; ``None`` if it has none."""
    init = static(cls, "__init__")
    annotations = own_annotations(init) if type(init) is types.FunctionType else {}
    if attribute.alias not in annotations:
        return None
    converter = getattr(attribute.converter, "converter", attribute.converter)
    return annotations[attribute.alias], Scope(converter)


# -- validators --------------------------------------------------------------------------------


def _add_validators(bodies: ClassBodies, attribute: Any) -> None:
    """Add what validators say to the annotation of a field, or to the type that attrs has."""
    own = typing.Any if attribute.type is None else attribute.type
    annotation, scope = bodies.annotations.get(attribute.name, (own, Scope(bodies.cls)))
    found = _narrowed(annotation, scope, attribute.validator)
    if found is not own:
        bodies.annotations[attribute.name] = found, scope


def _narrowed(tp: Any, scope: Scope, validator: Any) -> Any:
    """An annotation with what a validator says; what it cannot say is left to attrs."""
    kind = type(validator)
    if kind is loaded("attr._make._AndValidator"):
        for each in validator._validators:  # noqa: SLF001 - it has no public name
            tp = _narrowed(tp, scope, each)
        return tp
    if kind is loaded("attr.validators._OptionalValidator"):
        bare = without_none(tp, scope)
        found = _narrowed(bare, scope, validator.validator)
        takes_none = bare is not tp or (found is not tp and _is_any(tp, scope))
        return alias_of(UNION, (found, None)) if takes_none else found
    if kind is loaded("attr.validators._DeepIterable"):
        tp = _with_parts(tp, scope, validator.member_validator)
        return _narrowed(tp, scope, validator.iterable_validator)
    if kind is loaded("attr.validators._DeepMapping"):
        tp = _with_parts(tp, scope, validator.key_validator, validator.value_validator)
        return _narrowed(tp, scope, validator.mapping_validator)
    for dotted, narrowed in _TYPES.items():
        if kind is loaded(dotted):
            return narrowed(tp, scope, validator)
    return tp if (marker := _marker(validator)) is None else with_metadata(tp, (marker,))


def _with_parts(tp: Any, scope: Scope, *validators: Any) -> Any:
    """A container whose parts have what validators say."""
    found = try_resolve(tp, scope)
    if found is None or found.metadata or found.scope is not scope:
        return tp
    if found.head is UNION or not is_class(found.head):
        return tp
    if found.args[1:] == (...,):
        validators = (*validators, None)
    if len(found.args) != len(validators):
        return tp
    parts = zip(found.args, validators, strict=True)
    return alias_of(found.head, tuple([_narrowed(part, scope, each) for part, each in parts]))


def _marker(validator: Any) -> Marker | None:
    """Our marker that says the same; ``None`` if there is none."""
    kind = type(validator)
    if kind is loaded("attr.validators._NumberValidator"):
        bound = validator.bound
        is_number = type(bound) is int or type(bound) is float
        return _BOUNDS[validator.compare_op].unchecked(bound) if is_number else None
    if kind is loaded("attr.validators._MaxLengthValidator"):
        return MaxLen.unchecked(validator.max_length)
    if kind is loaded("attr.validators._MinLengthValidator"):
        return MinLen.unchecked(validator.min_length)
    if kind is loaded("attr.validators._MatchesReValidator"):
        return _pattern(validator)
    return None


_BOUNDS: dict[str, type[Marker]] = {">=": Ge, ">": Gt, "<=": Le, "<": Lt}


def _pattern(validator: Any) -> Marker | None:
    """The pattern of ``matches_re()``; a pattern that only Python reads is left to attrs."""
    import re

    pattern = validator.pattern
    before, after = _AROUND[validator.match_func.__name__]
    try:
        text = f"{before}{pattern.pattern}{after}"
        return Pattern.unchecked(text) if pattern.flags == re.UNICODE and to_ecma(text) else None
    except ValueError:
        return None


_AROUND = {"fullmatch": ("^(?:", ")$"), "match": ("^(?:", ")"), "search": ("", "")}
"""The text around a pattern that is searched anywhere, for each function of ``re``."""


def _one_of(tp: Any, scope: Scope, validator: Any) -> Any:
    """``Literal`` for ``in_()``, if the type and the options are plain strings or integers."""
    found, options = try_resolve(tp, scope), validator.options
    cls = None if found is None or found.metadata else found.head
    if not is_any(cls, (str, int)) or type(options) not in (list, tuple, set, frozenset):
        return tp
    if not options or any(type(each) is not cls for each in options):
        return tp
    given = getattr(validator, "_original_options", options)  # a new attrs makes tuples of sets
    is_set = type(given) in (set, frozenset)
    return alias_of(typing.Literal, (*(sorted(options) if is_set else options),))


def _instance(tp: Any, scope: Scope, validator: Any) -> Any:
    """The classes of ``instance_of()``, for a field of any type."""
    if not _is_any(tp, scope):
        return tp
    found: Any = try_resolve(tp, scope)
    classes = validator.type
    tp = alias_of(UNION, classes) if type(classes) is tuple else classes
    return with_metadata(tp, found.metadata) if found.metadata else tp


def _is_any(tp: Any, scope: Scope) -> bool:
    """Whether an annotation says nothing about the type."""
    found = try_resolve(tp, scope)
    return found is not None and (found.head is object or is_form(found.head, "Any"))


_TYPES: dict[str, Callable[[Any, Scope, Any], Any]] = {
    "attr.validators._InValidator": _one_of,
    "attr.validators._InstanceOfValidator": _instance,
}
"""The validators that replace a type."""


def text_of_refusal(problem: Exception) -> str | None:
    """The text of what a validator of attrs raised, before the attribute; otherwise ``None``."""
    text, *more = problem.args or (None,)
    is_its_own = type(text) is str and more and type(more[0]) is loaded("attr.Attribute")
    return text if is_its_own else None


RECORDS = ((is_attrs, _read),)


def constructor_names(cls: type) -> dict[str, str]:
    """The name in the constructor of each attribute that it sets: ``_x`` is ``x``."""
    return {each.name: each.alias for each in static(cls, "__attrs_attrs__")}


CONSTRUCTORS = ((is_attrs, constructor_names),)
