"""Everything about attrs: its classes are records."""

from __future__ import annotations

import types
from typing import Any

from milo_schema.annotations.classes import MISSING, loaded, own_annotations, static
from milo_schema.annotations.scopes import Scope
from milo_schema.callables.records import ClassBodies
from milo_schema.callables.signatures import Record


def is_attrs(cls: type) -> bool:
    """Whether *cls* is a class made by attrs."""
    return loaded("attr.NOTHING") is not None and static(cls, "__attrs_attrs__") is not None


def _read(bodies: ClassBodies, output: bool) -> Any:
    """Read a class of attrs as a record.

    A field has its name in the constructor: ``_size`` is ``size``. A field with a converter has the
    type that the converter takes.
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
    return Record(fields, description=bodies.description)


def _taken(cls: type, attribute: Any) -> tuple[Any, Scope] | None:
    """The annotation of a converter's parameter, with its scope; ``None`` if it has none."""
    init = static(cls, "__init__")
    annotations = own_annotations(init) if type(init) is types.FunctionType else {}
    if attribute.alias not in annotations:
        return None
    converter = getattr(attribute.converter, "converter", attribute.converter)
    return annotations[attribute.alias], Scope(converter)


RECORDS = ((is_attrs, _read),)


def constructor_names(cls: type) -> dict[str, str]:
    """The name in the constructor of each attribute that it sets: ``_x`` is ``x``."""
    return {each.name: each.alias for each in static(cls, "__attrs_attrs__")}


CONSTRUCTORS = ((is_attrs, constructor_names),)
