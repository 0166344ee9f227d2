"""Everything about attrs: its classes are records."""

from __future__ import annotations

from milo_schema.annotations.classes import MISSING, loaded, static

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def is_attrs(cls: type) -> bool:
    """Whether *cls* is a class that attrs made."""
    return loaded("attr.NOTHING") is not None and static(cls, "__attrs_attrs__") is not None


def read(bodies: Any, _output: bool) -> Any:  # noqa: FBT001 - as every reader of records
    """The record that a class of attrs is."""
    bodies.collect()
    nothing, factory = loaded("attr.NOTHING"), loaded("attr.Factory")
    fields = []
    for attribute in static(bodies.cls, "__attrs_attrs__"):
        has_default = attribute.default is not nothing
        has_factory = type(attribute.default) is factory
        field = bodies.field(
            attribute.name,
            required=attribute.init and not has_default,
            default=attribute.default if has_default and not has_factory else MISSING,
            otherwise=MISSING if attribute.type is None else attribute.type,
        )
        description = attribute.metadata.get("description")
        if type(description) is str and description:
            field.description = description
        fields.append(field)
    return bodies.record(fields)


RECORDS = ((is_attrs, read),)


def constructor_names(cls: type) -> dict[str, str]:
    """The name in the constructor of each attribute that it takes: ``_x`` is ``x``."""
    return {each.name: each.alias for each in static(cls, "__attrs_attrs__") if each.init}


CONSTRUCTORS = ((is_attrs, constructor_names),)
