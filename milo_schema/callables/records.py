"""Read the fields of dataclasses, TypedDicts, NamedTuples and the records of libraries.

Strategy: one reader per kind, found in the table at the bottom, or in the tables of ``libraries``.
The class bodies have the annotations and docstrings; a reader only adds which names are fields,
and which of them are required. Every field keeps the scope of the class in which it was written:
its module, and the bindings of its type parameters.
"""

from __future__ import annotations

import sys

from milo_schema.annotations import Any, Callable, MemberDescriptorType, Self
from milo_schema.annotations.classes import (
    MISSING,
    PY314,
    UnresolvedError,
    is_class,
    loaded_when_called,
    loaded_when_used,
    mro,
    own,
    own_annotations,
    static,
)
from milo_schema.annotations.evaluation import SELF, Scope
from milo_schema.annotations.forms import is_generic, is_typed_dict, split
from milo_schema.callables.class_docs import attribute_docs, written_doc
from milo_schema.callables.signatures import (
    NO_PARAMETER,
    Field,
    Record,
    name_by_alias,
    with_field_infos,
)
from milo_schema.profile import count_aliases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema import libraries
    from milo_schema.annotations import generics, resolution
    from milo_schema.annotations.generics import Bindings
    from milo_schema.profile_fields import Aliases
else:
    Aliases = Bindings = Any
    generics = loaded_when_used("annotations.generics")
    libraries = loaded_when_used("libraries")
    resolution = loaded_when_used("annotations.resolution")

Keys = dict[str, tuple[Any, Scope]]
Reader = Callable[[Any, bool], Record]  # the first argument is a ClassBodies


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


def read(  # noqa: PLR0913 - all but the first few named
    tp: Any,
    outer: Scope | None = None,
    *,
    output: bool = False,
    aliases: Aliases = "nowhere",
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
    if len(mro(cls)) == 2 or static(cls, "__orig_bases__") is None:  # noqa: PLR2004 - itself, object
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
        annotations: The annotation of each field, with the scope of the class that has it.
        docs: The description of each field.
        description: The description of the class itself.
    """

    def __init__(
        self,
        cls: Any,
        bindings: Bindings,
        outer: Scope,
        is_generic: bool,  # noqa: FBT001
        reads_source: bool,  # noqa: FBT001
    ) -> None:
        self.cls = cls
        self.reads_source = reads_source
        self.is_generic = is_generic
        self.bindings = bindings
        self.outer = outer
        self.annotations: Keys = {}
        self.docs: dict[str, str] = {}
        self.description: str | None = None

    def collect(self) -> Self:
        """Read the bodies of the base classes, then that of the class."""
        cls = self.cls
        names = self.outer.fallback
        bound = generics.base_bindings(cls, self.bindings, names) if self.is_generic else {}
        this = self.bindings[SELF]
        for base in reversed(mro(cls)[:-1]):
            bindings = {**bound.get(id(base), {}), SELF: this} if bound else self.bindings
            self.annotations |= _in_scope(own_annotations(base), Scope(base, bindings, None, names))
            self.add_doc(base)
        return self

    def add_doc(self, cls: type) -> None:
        """Read the docstring of one class."""
        if (doc := written_doc(cls)) is not None:
            description, names = doc
            self.docs |= names
            if cls is self.cls:
                self.description = description or None
        if self.reads_source:
            self.docs |= attribute_docs(cls)

    def field(
        self,
        name: str,
        required: bool,  # noqa: FBT001
        default: Any = MISSING,
        otherwise: Any = MISSING,
    ) -> Field:
        """The field with a name; *otherwise* is its annotation if the bodies have none."""
        if type(name) is not str:
            raise UnresolvedError("it has a field whose name is not a string")
        annotation, scope = self.annotations.get(name) or (otherwise, Scope())
        found = Field(name, annotation, scope, default, NO_PARAMETER, required)
        if self.docs and (text := self.docs.get(name)):
            found.description = text
        return found

    def record(
        self, fields: list[Field], extra: Any = MISSING, *, is_array: bool = False
    ) -> Record:
        """A record of the fields, with the description of the class."""
        record = Record(fields, extra, is_array)
        record.description = self.description
        return record


def _in_scope(annotations: dict[str, Any], scope: Scope) -> Keys:
    """Each annotation with the scope in which it was written."""
    return {name: (annotation, scope) for name, annotation in annotations.items()}


# -- dataclass ---------------------------------------------------------------------------------


def _is_dataclass(cls: type) -> bool:
    return type(static(cls, "__dataclass_fields__")) is dict


def _dataclass(bodies: ClassBodies, output: bool) -> Record:  # noqa: FBT001
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


def _named_tuple(bodies: ClassBodies, _output: bool) -> Record:  # noqa: FBT001
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


def read_annotations(bodies: ClassBodies, _output: bool) -> Record:  # noqa: FBT001
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
    (is_typed_dict, loaded_when_called("callables.typed_dicts", "read")),
    (_is_dataclass, _dataclass),
    (_is_named_tuple, _named_tuple),
)
"""The kinds of records, each with its reader; ``RECORDS`` of ``libraries`` has more."""
