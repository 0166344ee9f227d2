"""Read the fields of dataclasses, TypedDicts, NamedTuples and the records of libraries.

Strategy: one reader per kind, found in the table at the bottom, or in the tables of ``libraries``.
The class bodies have the annotations and docstrings; a reader only adds which names are fields,
and which of them are required. Every field keeps the scope of the class in which it was written:
its module, and the bindings of its type parameters.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from types import MemberDescriptorType
from typing import Any

from milo_schema import libraries
from milo_schema.annotations import generics, resolution
from milo_schema.annotations.classes import (
    MISSING,
    NOTHING,
    PY314,
    UnresolvedError,
    body,
    is_class,
    loaded,
    mro,
    own,
    own_annotations,
    static,
)
from milo_schema.annotations.forms import (
    is_form,
    is_generic,
    is_generic_class,
    is_typed_dict,
    key_of,
    split,
)
from milo_schema.annotations.generics import Bindings, Fallback
from milo_schema.annotations.scopes import SELF, Scope
from milo_schema.callables.docs import ClassDocs, attribute_docs, written_doc
from milo_schema.callables.signatures import (
    NO_PARAMETER,
    Field,
    Record,
    count_aliases,
    named_by_alias,
    with_field_infos,
)

Keys = dict[str, tuple[Any, Scope]]
"""Each annotation with the scope in which it was written."""


def is_record(tp: Any) -> bool:
    """Whether *tp* is a class that one of the readers can read."""
    return is_class(tp) and field_reader(tp) is not None


def describes_itself(cls: type) -> bool:
    """Whether a class has the classmethod ``__milo_schema__``."""
    return static(cls, "__milo_schema__") is not None


def field_reader(cls: type) -> Reader | None:
    """The reader of the fields of a class; ``None`` if it is not a record."""
    for belongs, reader in READERS:
        if belongs(cls):
            return reader
    return next((reader for belongs, reader in libraries.rows("RECORDS") if belongs(cls)), None)


def is_array(cls: type, reader: Reader) -> bool:
    """Whether the JSON of a record with this reader is an array of its fields, not an object."""
    if type(cls) is type or reader is _typed_dict or reader is _named_tuple:
        return reader is _named_tuple
    msgspec = libraries.library("msgspec")  # the metaclass of a Struct is not type
    return msgspec is not None and bool(msgspec.is_array(cls))


def read_record(
    tp: Any,
    outer: Scope | None = None,
    *,
    output: bool = False,
    aliases: str = "nowhere",
    reader: Reader | None = None,
    reads_source: bool = False,
    docs: ClassDocs | None = None,
) -> Record:
    """The fields of a record; *tp* may have arguments: ``Page[int]``.

    Names that the module of the class lacks are looked up in the fallback of *outer*. *aliases* is
    where fields have the names of their aliases. *reader* replaces the reader of the class. With
    *reads_source*, the strings below fields describe them. *docs* has docstrings that were parsed.

    Raises:
        UnresolvedError: The class cannot be read.
    """
    cls, args = split(tp)
    reads: Any = reader or field_reader(cls)
    bindings: Bindings = {SELF: tp}
    if is_generic := bool(args) or (mro(cls)[1] is not object and _is_generic(cls)):
        bindings = {**generics.bindings_of(cls, args), SELF: tp}
    bodies = ClassBodies(cls, bindings, outer or Scope(), is_generic, reads_source, docs)
    record: Record = reads(bodies, output)
    if "pydantic" not in sys.modules:
        return record
    fields = with_field_infos(record.fields, output=output)
    is_written_so = aliases == "inputs" and output and _has_aliases_in_outputs(cls)
    if is_written_so or count_aliases(aliases, output=output):
        fields = [*map(named_by_alias, fields)]
    return Record(fields, record.description, record.extra, record.is_array)


def _has_aliases_in_outputs(cls: Any) -> bool:
    """Whether the pydantic configuration of a class asks for aliases in outputs."""
    config = static(cls, "__pydantic_config__")
    return type(config) is dict and config.get("serialize_by_alias") is True


def _is_generic(cls: type) -> bool:
    """Whether a class, or one of its base classes, may have type parameters."""
    if static(cls, "__orig_bases__") is None:
        return False
    written = (base for each in mro(cls) for base in own(each, "__orig_bases__", ()))
    return any(map(is_generic, written))


# -- class bodies ------------------------------------------------------------------------------


class ClassBodies:
    """The annotations and docstrings in the bodies of a class and its bases.

    Attributes:
        cls: The class.
        bindings: The arguments of its type parameters.
        is_generic: Whether it may have type parameters.
        outer: The scope for names that the module of the class does not have.
        reads_source: Whether strings below fields describe them.
        parsed: The docstrings that were parsed for other readings, if there are any.
        annotations: The annotation of each field, with the scope of the class that has it.
        docs: The description of each field.
        description: The description of the class itself.
    """

    docs: Mapping[str, str] = NOTHING
    description: str | None = None

    def __init__(
        self,
        cls: Any,
        bindings: Bindings,
        outer: Scope,
        is_generic: bool,
        reads_source: bool,
        parsed: ClassDocs | None,
    ) -> None:
        self.cls = cls
        self.parsed = parsed
        self.reads_source = reads_source
        self.is_generic = is_generic
        self.bindings = bindings
        self.outer = outer
        self.annotations: Keys = {}

    def collect(self, *classes: type) -> None:
        """Read the bodies of these classes; otherwise those of the bases, then of the class."""
        cls = self.cls
        names = self.outer.fallback
        bound = generics.base_bindings(cls, self.bindings, names) if self.is_generic else {}
        this = self.bindings[SELF]
        for base in classes or reversed(mro(cls)[:-1]):
            bindings = {**bound.get(id(base), {}), SELF: this} if bound else self.bindings
            scope = Scope(base, bindings, None, names)
            for name, annotation in own_annotations(base).items():
                self.annotations[name] = annotation, scope
            self.add_doc(base)

    def add_doc(self, cls: type) -> None:
        """Read the docstring of one class."""
        if (doc := written_doc(cls, self.parsed)) is not None:
            description, names = doc
            self.docs = {**self.docs, **names}
            if cls is self.cls:
                self.description = description or None
        if self.reads_source:
            self.docs = {**self.docs, **attribute_docs(cls)}

    def field(
        self,
        name: str,
        required: bool,
        default: Any = MISSING,
        otherwise: Any = MISSING,
        description: str | None = None,
    ) -> Field:
        """The field with a name.

        Args:
            name: Its name in Python.
            required: Whether a value is required.
            default: Its default, if it has one.
            otherwise: Its annotation, if the bodies have none.
            description: Its description, if something else than a docstring has one.
        """
        if type(name) is not str:
            raise UnresolvedError("it has a field whose name is not a string")
        annotation, scope = self.annotations.get(name) or (otherwise, Scope())
        text = description or self.docs.get(name)
        return Field(name, annotation, scope, default, NO_PARAMETER, required, text)


Reader = Callable[[ClassBodies, bool], Record]
"""Reads the fields of a class from its bodies, for an input or for an output."""


# -- dataclass ---------------------------------------------------------------------------------


def _is_dataclass(cls: type) -> bool:
    return type(static(cls, "__dataclass_fields__")) is dict


def _dataclass(bodies: ClassBodies, output: bool) -> Record:
    bodies.collect()
    import dataclasses

    private: Any = dataclasses  # the kinds of fields have no public names
    class_var, init_var = private._FIELD_CLASSVAR, private._FIELD_INITVAR
    missing = dataclasses.MISSING
    fields = []
    for field in static(bodies.cls, "__dataclass_fields__").values():
        kind = field._field_type
        if kind is class_var or (kind is init_var if output else not field.init):
            continue
        default, is_required = field.default, False
        if default is missing:
            default, is_required = MISSING, field.init and field.default_factory is missing
        text = field.metadata.get("description") if field.metadata else None
        if PY314:  # pragma: no cover - 3.14
            text = field.doc or text
        if text is not None and type(text) is not str:
            text = None
        fields.append(bodies.field(field.name, is_required, default, field.type, text))
    return Record(fields, bodies.description)


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
    return Record(fields, bodies.description, extra=False, is_array=True)


# -- TypedDict ---------------------------------------------------------------------------------


def _typed_dict(bodies: ClassBodies, _output: bool) -> Record:
    """Read the keys of a TypedDict, including those of its bases."""
    cls = bodies.cls
    required_keys, extra = cls.__required_keys__, MISSING
    bases = generics.bases(cls)
    has_bases = bodies.is_generic or any(map(is_typed_dict, bases))
    if has_bases:
        bodies.annotations = _keys(cls, bodies.bindings, bodies.outer, {})
        for each in _lineage(cls, set()):
            bodies.add_doc(each)
    else:
        bodies.collect(cls)
    if has_bases or "__extra_items__" in body(cls):
        extra = _extra_items(cls, bodies.bindings, set(), bodies.outer.fallback)
    fields = []
    for name in bodies.annotations:
        field = bodies.field(name, name in required_keys)
        if type(field.annotation) is not type and not is_generic_class(field.annotation):
            field = _without_qualifiers(field)
        fields.append(field)
    return Record(fields, bodies.description, extra)


def _without_qualifiers(field: Field) -> Field:
    """A key without the outermost qualifiers, which say whether it is required.

    ``__required_keys__`` is not enough: it is wrong if ``Required`` is in a string (PEP 563).
    """
    tp, said = field.annotation, []
    while type(tp) is not type and (name := resolution.qualifier_of(tp)):
        said.append(name)
        tp = split(tp)[1][0]
    if type(tp) is not type:
        said += resolution.qualifiers_of(tp, field.scope)
    outermost = next((_IS_REQUIRED[name] for name in said if name in _IS_REQUIRED), field.required)
    if tp is field.annotation and outermost == field.required:
        return field
    return field.replace(annotation=tp, required=outermost)


_IS_REQUIRED = {"Required": True, "NotRequired": False}
"""The type qualifiers that decide whether a key is required."""


def _keys(cls: Any, bindings: Bindings, outer: Scope, known: dict[Any, Keys]) -> Keys:
    """Each key with its annotation and the scope of the TypedDict that has it.

    At run time, the only base of a TypedDict is ``dict``; ``__orig_bases__`` has the others. If
    every annotation is closed, no scope matters and the bases are not read, which is slow on 3.14.
    """
    form = id(cls), *map(key_of, bindings.values())
    if form in known:  # reached through another base
        return known[form]
    keys: Keys = {}
    annotations = own_annotations(cls)  # includes those of its bases
    if not annotations or not all(map(generics.is_closed, annotations.values())):
        for base, bound in _bases(cls, bindings, outer.fallback):
            keys |= _keys(base, bound, outer, known)
    scope = Scope(cls, {SELF: cls, **bindings}, fallback=outer.fallback)
    for name, annotation in annotations.items():
        if name not in keys or not generics.is_same(annotation, keys[name][0]):
            keys[name] = annotation, scope
    known[form] = keys
    return keys


def _lineage(cls: type, seen: set[int]) -> Iterator[type]:
    """A TypedDict and the TypedDicts that it inherits from, each once, after its own bases."""
    seen.add(id(cls))
    for base, _ in _bases(cls, {}, NOTHING):
        if id(base) not in seen:
            yield from _lineage(base, seen)
    yield cls


def _bases(cls: type, bindings: Bindings, fallback: Fallback) -> Iterator[tuple[type, Bindings]]:
    scope = Scope(cls, bindings, fallback=fallback)
    for base in generics.bases(cls):
        parent, args = split(base)
        if is_class(parent) and is_typed_dict(parent):
            yield parent, generics.bindings_of(parent, generics.close_all(args, scope))


def _extra_items(cls: type, bindings: Bindings, seen: set[int], fallback: Fallback) -> Any:
    """The type of extra keys (PEP 728); ``False`` if closed, ``MISSING`` if unspecified."""
    extra, closed = own(cls, "__extra_items__", MISSING), own(cls, "__closed__")
    if closed:
        return False
    if extra is None and not any(map(loaded, _NO_EXTRA_ITEMS)):
        extra = MISSING  # what typing_extensions has up to 4.12
    if extra is not MISSING and not is_form(extra, "NoExtraItems"):
        scope = Scope(cls, bindings, fallback=fallback)
        found = resolution.try_resolve(extra, scope)
        is_never = found is not None and is_form(found.head, "Never")
        return False if is_never else generics.close(extra, scope)
    seen.add(id(cls))
    if closed is False:
        return MISSING
    for base, bound in _bases(cls, bindings, fallback):
        if id(base) not in seen:
            found = _extra_items(base, bound, seen, fallback)
            if found is not MISSING:
                return found
    return MISSING


_NO_EXTRA_ITEMS = ("typing.NoExtraItems", "typing_extensions.NoExtraItems")


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
    return Record(fields, bodies.description)


READERS: tuple[tuple[Callable[[type], bool], Reader], ...] = (
    (is_typed_dict, _typed_dict),
    (_is_dataclass, _dataclass),
    (_is_named_tuple, _named_tuple),
)
"""The kinds of records, each with its reader; ``RECORDS`` of ``libraries`` has more."""
