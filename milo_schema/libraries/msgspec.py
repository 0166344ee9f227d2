"""Everything about msgspec: ``Struct`` records, ``Meta`` metadata, and the ``UNSET`` value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from milo_schema.annotations.classes import MISSING, inherits, loaded
from milo_schema.annotations.forms import alias_of
from milo_schema.callables.records import ClassBodies
from milo_schema.callables.signatures import Record
from milo_schema.libraries.annotated_types import by_attributes
from milo_schema.markers import Schema, Timezone

# -- records -----------------------------------------------------------------------------------


def is_struct(cls: type) -> bool:
    """Whether *cls* is a Struct."""
    base = loaded("msgspec.Struct")
    return base is not None and cls is not base and inherits(cls, base)


def is_array(cls: Any) -> bool:
    """Whether *cls* is a Struct with a JSON array of its fields, not an object."""
    return is_struct(cls) and bool(cls.__struct_config__.array_like)


def _read(bodies: ClassBodies, _output: bool) -> Any:
    """Read a Struct as a record."""
    bodies.collect()
    import typing

    config = bodies.cls.__struct_config__
    fields = []
    if config.tag_field is not None:  # the tag tells the members of a union apart
        tag = alias_of(typing.Literal, (config.tag,))
        fields.append(bodies.field(config.tag_field, required=True, otherwise=tag))
    for info in loaded("msgspec.structs.fields")(bodies.cls):
        has_default = info.default is not loaded("msgspec.NODEFAULT")
        default = info.default if has_default else MISSING
        field = bodies.field(info.name, info.required, default)
        fields.append(field.replace(name=info.encode_name, attribute=info.name))
    extra = False if config.forbid_unknown_fields else MISSING
    return Record(fields, bodies.description, extra, config.array_like)


RECORDS = ((is_struct, _read),)


def constructor_names(cls: Any) -> dict[str, str]:
    """The name in the constructor of each field except the tag, which belongs to the class."""
    return {name: name for name in cls.__struct_fields__}


CONSTRUCTORS = ((is_struct, constructor_names),)


# -- values ------------------------------------------------------------------------------------


def value_of(record: Any, attribute: str, otherwise: Any = MISSING) -> Any:
    """The value of a field of a record; ``MISSING`` if it is ``UNSET``.

    The tag of a Struct is a field in JSON, but not an attribute. ``UNSET`` may occur in any record:
    msgspec writes dataclasses and classes of attrs, too.
    """
    tag = getattr(getattr(type(record), "__struct_config__", None), "tag", None)
    found = getattr(record, attribute, otherwise if tag is None else tag)
    is_unset = found is not None and found is loaded("msgspec.UNSET")
    return otherwise if is_unset else found


# -- metadata ----------------------------------------------------------------------------------


def _read_meta(meta: Any) -> Iterator[Any]:
    """``Meta(...)``."""
    yield from by_attributes(meta)
    if meta.tz is not None:
        yield Timezone(... if meta.tz else None)
    if meta.extra_json_schema:
        yield Schema(meta.extra_json_schema)


METADATA = (("msgspec.Meta", _read_meta),)
