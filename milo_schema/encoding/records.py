"""Dumpers of records: dataclasses, TypedDicts, NamedTuples and so on."""

from __future__ import annotations

from typing import Any

from milo_schema.annotations import Arguments, Json
from milo_schema.annotations.classes import MISSING
from milo_schema.annotations.forms import is_typed_dict, split
from milo_schema.callables import records
from milo_schema.callables.signatures import Field, Record
from milo_schema.encoding.dumper import dump, expect, misfit, once
from milo_schema.json_schema.validation import step_to
from milo_schema.libraries import library
from milo_schema.schemas.definitions import closed
from milo_schema.schemas.walk import Walk


def record(value: Any, tp: Any, _args: Arguments, walk: Walk) -> Any:
    """A record, such as a dataclass, TypedDict or NamedTuple."""
    tp = once(closed, tp, walk)
    expect(value, dict if is_typed_dict(split(tp)[0]) else split(tp)[0], tp, walk)
    record = once(_read, tp, walk)
    json = fields_of(value, record, walk)
    if is_typed_dict(split(tp)[0]):
        json |= _extra(value, record, walk)
    return list(json.values()) if record.is_array else json


def fields_of(value: Any, record: Record, walk: Walk) -> Json:
    """The JSON of the fields of a record."""
    json: Json = {}
    for field in record.fields:
        found = _found(value, field)
        if found is MISSING:
            if field.required:
                raise misfit("missing, but required", field.annotation, walk.at(field))
            continue
        annotation = Any if field.annotation is MISSING else field.annotation
        json[field.name] = dump(found, annotation, walk.at(field, field.scope))
    return json


def _read(tp: Any, walk: Walk) -> Record:
    return records.read(tp, walk.scope, output=True, aliases=walk.profile.aliases)


def _found(value: Any, field: Field) -> Any:
    """The value of a field of a record, or ``MISSING``."""
    if type(value) is dict:
        return value.get(field.python_name, MISSING)
    attribute = field.python_name
    if (msgspec := library("msgspec")) is not None:
        return msgspec.value_of(value, attribute)
    return getattr(value, attribute, MISSING)


def _extra(value: Json, record: Record, walk: Walk) -> Json:
    """The extra keys of a TypedDict (PEP 728)."""
    is_closed = record.extra is MISSING and walk.profile.closed == "everything"
    extra = False if is_closed else record.extra
    json: Json = {}
    known = {field.python_name for field in record.fields}
    for name in (name for name in value if name not in known):
        if extra is False:
            raise misfit("unknown key", extra, walk.at(step_to(name)))
        annotation = Any if extra is MISSING else extra
        json[name] = dump(value[name], annotation, walk.at(step_to(name)))
    return json
