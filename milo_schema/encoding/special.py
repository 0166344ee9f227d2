"""Dumpers of annotated types, of types of pydantic, and of types without a rule."""

from __future__ import annotations

from milo_schema.annotations import Any, Arguments
from milo_schema.annotations.display import display
from milo_schema.annotations.forms import metadata_of, split
from milo_schema.callables import records
from milo_schema.callables.signatures import Record
from milo_schema.encoding.dumper import by_class, expect, misfit, once, stand_in
from milo_schema.encoding.records import fields_of, record
from milo_schema.libraries import library
from milo_schema.schemas import rules
from milo_schema.schemas.annotated import read_markers
from milo_schema.schemas.definitions import closed
from milo_schema.schemas.walk import Walk


def annotated(value: Any, tp: Any, args: Arguments, walk: Walk) -> Any:
    """``Annotated[T, ...]``: a value of T, unless pydantic's metadata change its JSON."""
    if once(_is_respelled, tp, walk):
        return library("pydantic").to_json(value, tp, walk)
    return stand_in(value, tp, args, walk)


def _is_respelled(tp: Any, walk: Walk) -> bool:
    """Whether pydantic's metadata change the JSON of an annotation."""
    foreign, _, _ = read_markers(metadata_of(tp), walk)
    hooks = [marker.value for marker, _ in foreign]
    return bool(hooks) and bool(library("pydantic").respells(hooks, walk))


def model(value: Any, tp: Any, _args: Arguments, walk: Walk) -> Any:
    """A value of a class that pydantic has to write."""
    if records.is_model(split(tp)[0]):
        expect(value, split(tp)[0], tp, walk)
    return library("pydantic").to_json(value, tp, walk)


def hook(value: Any, tp: Any, args: Arguments, walk: Walk) -> Any:
    """A value of a class that describes itself; without an encoder, it has to be a record."""
    if records.is_record(split(tp)[0]):
        return record(value, tp, args, walk)
    reason = f"no JSON for an object of class {display(type(value))}; pass encoders={{...}}"
    raise misfit(reason, tp, walk)


def unknown(value: Any, tp: Any, _args: Arguments, walk: Walk) -> Any:
    """A value of a type without a rule: its class, or the annotations of that, may have one."""
    if rules.find(type(value), walk)[0] is not rules.unknown:
        return by_class(value, walk)
    if callable(walk.profile.unknown) and records.is_annotated(tp):
        return fields_of(value, once(_annotations_of, tp, walk), walk)
    reason = f"no JSON for an object of class {display(type(value))}"
    raise misfit(f"{reason}; use another type, or encoders={{...}}", tp, walk)


def _annotations_of(tp: Any, walk: Walk) -> Record:
    aliases, reader = walk.profile.aliases, records.read_annotations
    return records.read(closed(tp, walk), walk.scope, output=True, aliases=aliases, reader=reader)
