"""Read the fields of dataclasses, TypedDicts, NamedTuples and the records of libraries.

Strategy: one reader per kind, found in the table at the bottom, or in the tables of ``libraries``.
The class bodies have the annotations and docstrings; a reader only adds which names are fields,
and which of them are required. Every field keeps the scope of the class in which it was written:
its module, and the bindings of its type parameters.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import MemberDescriptorType
from typing import Any

from milo_schema import libraries
from milo_schema.annotations import generics, resolution
from milo_schema.annotations.classes import (
    MISSING,
    PY314,
    is_class,
    mro,
    own,
    own_annotations,
    static,
)
from milo_schema.annotations.forms import is_generic, is_typed_dict, split
from milo_schema.annotations.generics import Bindings
from milo_schema.annotations.scopes import SELF, Scope
from milo_schema.callables.class_bodies import ClassBodies
from milo_schema.callables.signatures import (
    NO_PARAMETER,
    Field,
    Record,
    count_aliases,
    name_by_alias,
    with_field_infos,
)
from milo_schema.callables.typed_dicts import read_typed_dict

Reader = Callable[[ClassBodies, bool], Record]


def is_record(tp: Any) -> bool:
    """Whether *tp* is a class that one of the readers can read."""
    return is_class(tp) and reader_of(tp) is not None


def describes_itself(cls: type) -> bool:
    """Whether a class has the classmethod ``__milo_schema__``."""
    return static(cls, "__milo_schema__") is not None


def reader_of(cls: type) -> Reader | None:
    """The reader of the fields of a class; ``None`` if it is not a record."""
    for belongs, reader in READERS:
        if belongs(cls):
            return reader
    return reader_of_library(cls)


def reader_of_library(cls: type) -> Reader | None:
    """The reader for a record of a library; ``None`` if no library knows the class."""
    for belongs, reader in libraries.rows("RECORDS"):
        if belongs(cls):
            found: Reader = reader
            return found
    return None


def is_array(tp: Any) -> bool:
    """Whether the JSON of this record is an array of its fields, not an object."""
    cls = tp if is_class(tp) else split(tp)[0]
    if type(cls) is type or issubclass(cls, dict):  # the metaclass of a Struct is not type
        return _is_named_tuple(cls)
    msgspec = libraries.library("msgspec")
    return _is_named_tuple(cls) or (msgspec is not None and msgspec.is_array(cls))


def is_asked(tp: Any) -> bool:
    """Whether *tp* is a class that pydantic has to describe."""
    return "pydantic" in sys.modules and bool(libraries.library("pydantic").is_asked(tp))


def is_model(tp: Any) -> bool:
    """Whether *tp* is a pydantic model whose constructor takes its fields."""
    pydantic = libraries.library("pydantic")
    return pydantic is not None and pydantic.is_model(tp)


def model_fields(cls: Any) -> list[Field]:
    """The fields of a pydantic model, as parameters of its constructor."""
    pydantic = libraries.library("pydantic")
    fields = [
        Field(name, annotation, Scope(cls), default, NO_PARAMETER, required)
        for name, annotation, default, required in pydantic.constructor_fields(cls)
    ]
    return with_field_infos(fields)


def read(
    tp: Any,
    outer: Scope | None = None,
    *,
    output: bool = False,
    aliases: str = "nowhere",
    reader: Reader | None = None,
    reads_source: bool = False,
) -> Record:
    """The fields of a record; *tp* may have arguments: ``Page[int]``.

    Names that the module of the class lacks are looked up in the fallback of *outer*. *aliases* is
    where fields have the names of their aliases. *reader* replaces the reader of the class. With
    *reads_source*, the strings below fields describe them.

    Raises:
        UnresolvedError: The class cannot be read.
    """
    cls, args = (tp, ()) if is_class(tp) else split(tp)
    reads: Any = reader or reader_of(cls)
    bindings: Bindings = {SELF: tp}
    if is_generic := bool(args) or _is_generic(cls):
        bindings = {**generics.bindings_of(cls, args), SELF: tp}
    bodies = ClassBodies(cls, bindings, outer or Scope(), is_generic, reads_source)
    record: Record = reads(bodies, output)
    if "pydantic" in sys.modules:
        record.fields = with_field_infos(record.fields, output=output)
        is_written_so = aliases == "inputs" and output and _has_aliases_in_outputs(cls)
        if is_written_so or count_aliases(aliases, output=output):
            name_by_alias(record.fields)
    return record


def _has_aliases_in_outputs(cls: Any) -> bool:
    """Whether the pydantic configuration of a class asks for aliases in outputs."""
    config = static(cls, "__pydantic_config__")
    return type(config) is dict and config.get("serialize_by_alias") is True


def _is_generic(cls: type) -> bool:
    """Whether a class, or one of its base classes, may have type parameters."""
    if len(mro(cls)) == 2 or static(cls, "__orig_bases__") is None:  # itself, object
        return False
    written = (base for each in mro(cls) for base in own(each, "__orig_bases__", ()))
    return any(map(is_generic, written))


# -- class bodies ------------------------------------------------------------------------------


# -- dataclass ---------------------------------------------------------------------------------


def _is_dataclass(cls: type) -> bool:
    return type(static(cls, "__dataclass_fields__")) is dict


def _dataclass(bodies: ClassBodies, output: bool) -> Record:
    bodies.collect()
    import dataclasses

    private: Any = dataclasses  # the kinds of fields have no public names
    left_out = (private._FIELD_CLASSVAR, private._FIELD_INITVAR if output else None)
    missing = dataclasses.MISSING
    fields = []
    for field in static(bodies.cls, "__dataclass_fields__").values():
        if field._field_type in left_out:
            continue
        default, is_required = field.default, False
        if default is missing:
            default, is_required = MISSING, field.init and field.default_factory is missing
        made = bodies.field(field.name, is_required, default, field.type)
        is_described = field.metadata or (PY314 and getattr(field, "doc", None))
        if is_described and (text := _description_in_metadata(field)):
            made.description = text
        fields.append(made)
    return bodies.record(fields)


def _description_in_metadata(field: Any) -> str | None:
    """The text of ``field(doc=...)`` (3.14) or ``field(metadata={"description": ...})``."""
    text = getattr(field, "doc", None) if PY314 else None
    if text is None and field.metadata:
        text = field.metadata.get("description")
    return text if type(text) is str else None


# -- NamedTuple --------------------------------------------------------------------------------


def _is_named_tuple(cls: type) -> bool:
    return issubclass(cls, tuple) and type(static(cls, "_fields")) is tuple


def _named_tuple(bodies: ClassBodies, _output: bool) -> Record:
    bodies.collect()
    defaults = static(bodies.cls, "_field_defaults", {})
    fields = [
        bodies.field(
            name,
            required=name not in defaults,
            default=defaults.get(name, MISSING),
            otherwise=object,  # collections.namedtuple() has no annotations
        )
        for name in static(bodies.cls, "_fields")
    ]
    return bodies.record(fields, extra=False, is_array=True)


# -- any other class ---------------------------------------------------------------------------


def is_annotated(tp: Any) -> bool:
    """Whether *tp* is a class with annotations that may be fields."""
    cls, _ = split(tp)
    return is_class(cls) and any(own_annotations(base) for base in mro(cls)[:-1])


def read_annotations(bodies: ClassBodies, _output: bool) -> Record:
    """Read any other class: each public annotation is a field, unless it is a ``ClassVar``."""
    bodies.collect()
    fields = []
    for name, (annotation, scope) in bodies.annotations.items():
        if name.startswith("_") or "ClassVar" in resolution.qualifiers_of(annotation, scope):
            continue
        default = static(bodies.cls, name, MISSING)
        if type(default) is MemberDescriptorType:  # of __slots__
            default = MISSING
        fields.append(bodies.field(name, default is MISSING, default))
    return bodies.record(fields)


READERS: tuple[tuple[Callable[[type], bool], Reader], ...] = (
    (is_typed_dict, read_typed_dict),
    (_is_dataclass, _dataclass),
    (_is_named_tuple, _named_tuple),
)
"""The kinds of records, each with its reader; ``RECORDS`` of ``libraries`` has more."""
