"""Read the fields of dataclasses, TypedDicts, NamedTuples and the records of libraries.

Strategy: one reader per kind, found in the table at the bottom, or in the tables of ``libraries``.
The class bodies have the annotations and docstrings; a reader only adds which names are fields,
and which of them are required. Every field keeps the scope of the class in which it was written:
its module, and the bindings of its type parameters.
"""

from __future__ import annotations

import sys
from types import MemberDescriptorType

from milo_schema.annotations import Any, Callable, Iterator, Self, generics
from milo_schema.annotations.classes import (
    MISSING,
    PY314,
    USER_CODE_ERRORS,
    UnresolvedError,
    body,
    inherits,
    is_class,
    loaded,
    mro,
    own,
    own_annotations,
    static,
)
from milo_schema.annotations.evaluation import SELF, Scope
from milo_schema.annotations.forms import is_form, is_generic, is_generic_class, key_of, split
from milo_schema.annotations.generics import Bindings
from milo_schema.annotations.resolution import qualifier_of, qualifiers_of, try_resolve
from milo_schema.callables.class_docs import attribute_docs, written_doc
from milo_schema.callables.signatures import (
    NO_PARAMETER,
    Field,
    Record,
    name_by_alias,
    with_field_infos,
)
from milo_schema.libraries import library, rows
from milo_schema.profile import count_aliases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.profile_fields import Aliases
else:
    Aliases = Any

Keys = dict[str, tuple[Any, Scope]]
Reader = Callable[[Any, bool], Record]  # the first argument is a _ClassBodies


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
    for belongs, reader in rows("RECORDS"):
        if belongs(cls):
            found: Reader = reader
            return found
    return None


def is_array(tp: Any) -> bool:
    """Whether the JSON of this record is an array of its fields, not an object."""
    cls = tp if type(tp) is type else split(tp)[0]
    if type(cls) is type or issubclass(cls, dict):  # the metaclass of a Struct is not type
        return _is_named_tuple(cls)
    msgspec = library("msgspec")
    return _is_named_tuple(cls) or (msgspec is not None and msgspec.is_array(cls))


def is_asked(tp: Any) -> bool:
    """Whether *tp* is a class that pydantic has to describe."""
    return "pydantic" in sys.modules and bool(library("pydantic").is_asked(tp))


def is_model(tp: Any) -> bool:
    """Whether *tp* is a pydantic model whose constructor takes its fields."""
    pydantic = library("pydantic")
    return pydantic is not None and pydantic.is_model(tp)


def model_fields(cls: Any) -> list[Field]:
    """The fields of a pydantic model, as parameters of its constructor."""
    fields = [
        Field(name, annotation, Scope(cls), default, NO_PARAMETER, required)
        for name, annotation, default, required in library("pydantic").constructor_fields(cls)
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
    cls, args = (tp, ()) if type(tp) is type else split(tp)
    reads: Any = reader or reader_of(cls)
    bindings: Bindings = {SELF: tp}
    if is_generic := bool(args) or _is_generic(cls):
        bindings = {**generics.bindings_of(cls, args), SELF: tp}
    bodies = _ClassBodies(cls, bindings, outer or Scope(), is_generic, reads_source)
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
    if static(cls, "__orig_bases__") is None:  # most have none
        return False
    written = (base for each in mro(cls) for base in own(each, "__orig_bases__", ()))
    return any(map(is_generic, written))


# -- class bodies ------------------------------------------------------------------------------


class _ClassBodies:
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
        bound = generics.base_bindings(cls, self.bindings) if self.is_generic else {}
        this = self.bindings[SELF]
        for base in reversed(mro(cls)[:-1]):
            bindings = {**bound.get(id(base), {}), SELF: this} if bound else self.bindings
            self.annotations |= _in_scope(
                own_annotations(base), Scope(base, bindings, None, self.outer.fallback)
            )
            self.add_doc(base)
        return self

    def add_doc(self, cls: type) -> None:
        """Read the docstring of one class."""
        if (parsed := written_doc(cls)) is not None:
            self.docs |= {**parsed.params, **parsed.attributes}
            if cls is self.cls:
                self.description = parsed.description or None
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


def _dataclass(bodies: _ClassBodies, output: bool) -> Record:  # noqa: FBT001
    bodies.collect()
    import dataclasses

    private: Any = dataclasses  # the kinds of fields have no public names
    left_out = (private._FIELD_CLASSVAR, private._FIELD_INITVAR if output else None)
    missing = dataclasses.MISSING
    fields = []
    for field in static(bodies.cls, "__dataclass_fields__").values():
        if field._field_type in left_out:
            continue
        default = MISSING if field.default is missing else field.default
        is_required = field.init and default is MISSING and field.default_factory is missing
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


# -- TypedDict ---------------------------------------------------------------------------------


def is_typed_dict(cls: type) -> bool:
    """Whether *cls* is a TypedDict, of ``typing`` or of ``typing_extensions``."""
    kind = type(cls)
    if kind is type:
        return False
    # As is_typeddict() does, but without attributes that any class could claim to have.
    for dotted in _TYPED_DICTS:
        meta = loaded(dotted)
        if kind is meta or (meta is not None and inherits(kind, meta)):
            return True
    return False


_TYPED_DICTS = ("typing._TypedDictMeta", "typing_extensions._TypedDictMeta")


def _typed_dict(bodies: _ClassBodies, _output: bool) -> Record:  # noqa: FBT001
    cls = bodies.cls
    required_keys, extra = cls.__required_keys__, MISSING
    has_bases = any(map(_is_own_base, generics.bases(cls)))
    if has_bases:
        bodies.annotations = _keys(cls, bodies.bindings, bodies.outer, {})
        for each in _lineage(cls, set()):
            bodies.add_doc(each)
    else:
        scope = Scope(cls, {SELF: cls, **bodies.bindings}, None, bodies.outer.fallback)
        bodies.annotations = _in_scope(own_annotations(cls), scope)
        bodies.add_doc(cls)
    if has_bases or "__extra_items__" in body(cls):
        extra = _extra_items(cls, bodies.bindings, set())
    fields = []
    for name in bodies.annotations:
        field = bodies.field(name, name in required_keys)
        if type(field.annotation) is not type and not is_generic_class(field.annotation):
            _read_qualifiers(field)
        fields.append(field)
    return bodies.record(fields, extra)


def _read_qualifiers(field: Field) -> None:
    """Remove the outermost qualifiers, and set whether the key is required.

    ``__required_keys__`` is not enough: it is wrong if ``Required`` is in a string (PEP 563).
    """
    said: list[str] = []
    while type(field.annotation) is not type and (name := qualifier_of(field.annotation)):
        said.append(name)
        field.annotation = split(field.annotation)[1][0]
    if type(field.annotation) is not type:
        said += qualifiers_of(field.annotation, field.scope)
    for name in reversed(said):  # the outermost wins
        field.required = _IS_REQUIRED.get(name, field.required)


_IS_REQUIRED = {"Required": True, "NotRequired": False}
"""The type qualifiers that decide whether a key is required."""


def _is_own_base(base: Any) -> bool:
    """Whether a base of a TypedDict is another TypedDict, or ``Generic[...]``."""
    return is_generic(base) or (is_class(base) and is_typed_dict(base))


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
        for base, bound in _typed_dict_bases(cls, bindings):
            keys |= _keys(base, bound, outer, known)
    own_bindings = {SELF: cls, **bindings}
    scope = Scope(cls, bindings=own_bindings, fallback=outer.fallback)
    for name, annotation in annotations.items():
        if name not in keys or not is_same(annotation, keys[name][0]):
            keys[name] = annotation, scope
    known[form] = keys
    return keys


def _lineage(cls: type, seen: set[int]) -> Iterator[type]:
    """A TypedDict and the TypedDicts that it inherits from, each once, after its own bases."""
    seen.add(id(cls))
    for base, _ in _typed_dict_bases(cls, {}):
        if id(base) not in seen:
            yield from _lineage(base, seen)
    yield cls


def _typed_dict_bases(cls: type, bindings: Bindings) -> Iterator[tuple[type, Bindings]]:
    for base in generics.bases(cls):
        parent, args = split(base)
        if is_class(parent) and is_typed_dict(parent):
            scope = Scope(cls, bindings=bindings)
            yield parent, generics.bindings_of(parent, generics.close_all(args, scope))


def is_same(annotation: Any, inherited: Any) -> bool:
    """Whether an annotation is the inherited one: the same object, or evaluated again."""
    if annotation is inherited:
        return True
    try:
        return bool(annotation == inherited)
    except USER_CODE_ERRORS:  # metadata may refuse to be compared
        return False


def _extra_items(cls: type, bindings: Bindings, seen: set[int]) -> Any:
    """The type of extra keys (PEP 728); ``False`` if closed, ``MISSING`` if unspecified."""
    extra, closed = own(cls, "__extra_items__", MISSING), own(cls, "__closed__")
    if closed:
        return False
    if extra is None and not any(map(loaded, _NO_EXTRA_ITEMS)):
        extra = MISSING  # what typing_extensions has up to 4.12
    if extra is not MISSING and not is_form(extra, "NoExtraItems"):
        scope = Scope(cls, bindings=bindings)
        found = try_resolve(extra, scope)
        is_never = found is not None and is_form(found.head, "Never")
        return False if is_never else generics.close(extra, scope)
    seen.add(id(cls))
    if closed is False:
        return MISSING
    for base, bound in _typed_dict_bases(cls, bindings):
        if id(base) not in seen and (found := _extra_items(base, bound, seen)) is not MISSING:
            return found
    return MISSING


_NO_EXTRA_ITEMS = ("typing.NoExtraItems", "typing_extensions.NoExtraItems")


# -- NamedTuple --------------------------------------------------------------------------------


def _is_named_tuple(cls: type) -> bool:
    return issubclass(cls, tuple) and type(static(cls, "_fields")) is tuple


def _named_tuple(bodies: _ClassBodies, _output: bool) -> Record:  # noqa: FBT001
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


def read_annotations(bodies: _ClassBodies, _output: bool) -> Record:  # noqa: FBT001
    """Read any other class: each public annotation is a field, unless it is a ``ClassVar``."""
    bodies.collect()
    fields = []
    for name, (annotation, scope) in bodies.annotations.items():
        if name.startswith("_") or "ClassVar" in qualifiers_of(annotation, scope):
            continue
        default = static(bodies.cls, name, MISSING)
        if type(default) is MemberDescriptorType:  # of __slots__
            default = MISSING
        fields.append(bodies.field(name, default is MISSING, default))
    return bodies.record(fields)


READERS: tuple[tuple[Callable[[type], bool], Reader], ...] = (
    (is_typed_dict, _typed_dict),
    (_is_dataclass, _dataclass),
    (_is_named_tuple, _named_tuple),
)
"""The kinds of records, each with its reader; ``RECORDS`` of ``libraries`` has more."""
