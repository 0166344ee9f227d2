"""Nodes of records: dataclasses, TypedDicts, NamedTuples and similar classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from milo_schema import libraries
from milo_schema.annotations import Arguments, Json
from milo_schema.annotations.classes import (
    MISSING,
    USER_CODE_ERRORS,
    UnresolvedError,
    is_sentinel,
    repr_of_error,
)
from milo_schema.annotations.forms import display, is_typed_dict, split
from milo_schema.annotations.scopes import Scope
from milo_schema.callables import records
from milo_schema.callables.signatures import Field, Record
from milo_schema.errors import InjectedFieldError, Problem, SchemaError
from milo_schema.json_schema.subschemas import step_to
from milo_schema.json_schema.values import INFINITY
from milo_schema.nodes import Definitions, Named, Profile, Reader
from milo_schema.nodes.annotated import Guard
from milo_schema.nodes.base import (
    Composite,
    Counted,
    Dumping,
    Loading,
    Node,
    Place,
    Refusal,
    Wrapper,
    add,
    cannot_load,
    construct,
    path_of,
    refuse_value,
)
from milo_schema.nodes.containers import ANYTHING, ARRAY
from milo_schema.nodes.fields import (
    INJECTED,
    Argument,
    InjectedField,
    ObjectNode,
    Property,
    Shape,
    add_defaults,
    describe_field,
    dump_fields,
    extra_of,
    have_values,
    makers_of,
    null_is_absent,
    object_schema,
)
from milo_schema.nodes.metadata import without_markers
from milo_schema.nodes.scalar_types import CHOICE
from milo_schema.nodes.scalars import STRING
from milo_schema.nodes.tuples import positions


class RecordNode(Composite):
    """A class with fields.

    Attributes:
        record: The class, as it is written.
        shape: The fields, with their meaning.
        place: The place of the first use of the class.
        profile: How schemas are written.
    """

    __slots__ = ("_parts", "annotation", "cls", "place", "profile", "record", "shape")

    def __init__(
        self, annotation: Any, record: Record, shape: Shape, profile: Profile, place: Place
    ) -> None:
        self.annotation: Any = annotation
        self.cls: Any = annotation if type(annotation) is type else split(annotation)[0]
        self.record: Record = record
        self.shape: Shape = shape
        self.profile: Profile = profile
        self.place: Place = place
        self._parts: list[Argument] | None = None

    @property
    def parts(self) -> list[Argument]:
        """The fields as the constructor takes them."""
        if self._parts is None:
            targets = _targets(self.cls, self.record)
            null = self.is_object and null_is_absent(self.profile)
            self._parts = [
                Argument(field, node, targets.get(field.python_name), null_is_absent=null)
                for field, node, _ in self.shape.properties
            ]
        return self._parts

    @property
    def undecodable(self) -> Sequence[Problem | Named]:  # type: ignore[override]
        """Those of the fields."""
        return [each for node in self.shape.nodes for each in node.undecodable]

    @property
    def names(self) -> frozenset[str]:  # type: ignore[override]
        """The names of the fields."""
        return frozenset(field.name for field in self.shape.fields)

    @property
    def tags(self) -> Mapping[str, Node]:  # type: ignore[override]
        """The fields with listed values."""
        return {part.name: part.node for part in self.parts if part.node.priority == CHOICE}

    def _describe(self, fragment: Json) -> Json:
        if self.record.description:
            fragment["description"] = self.record.description
        return fragment


class ObjectRecord(RecordNode, ObjectNode):
    """A record whose JSON is an object."""

    is_object: bool = True
    is_made: bool = True  # an instance of the class, not a dictionary

    def schema(self, out: Definitions) -> Json:
        """An object with a property for each field."""
        return self._describe(object_schema(self.shape, self.place, out))

    def prepare(self) -> tuple[Any, ...]:
        """Prepare to load an instance of the class, or a dictionary."""
        make = self.cls if self.is_made else None
        is_open = self.profile.closed != "everything"
        return self.prepare_for(self.parts, extra_of(self.shape, make, is_open=is_open), make)

    def dump_parts(self, value: Any, run: Dumping) -> Any:
        """An object with the fields of a value."""
        if type(value) is not self.cls and not issubclass(type(value), self.cls):
            return run.as_it_is(value, self)
        return dump_fields(value, self.shape, run, run.value_of)


class TypedDictRecord(ObjectRecord):
    """A TypedDict, whose values are dictionaries."""

    is_made = False
    keeps_others: bool = True

    def dump_parts(self, value: Any, run: Dumping) -> Any:
        """An object with the keys of a value."""
        if not issubclass(type(value), dict):
            return run.as_it_is(value, self)
        json = dump_fields(value, self.shape, run, dict.get)
        return self._dump_extra(value, json, run) if type(json) is dict else json

    def _dump_extra(self, value: Json, json: Json, run: Dumping) -> Any:
        """The extra keys of a TypedDict (PEP 728)."""
        known = {field.python_name for field in self.shape.fields}
        if known.issuperset(value):
            return json
        extra = self.shape.extra
        is_closed = extra is None and self.profile.closed == "everything"
        for name in (name for name in value if name not in known):
            if extra is False or is_closed:
                return refuse_value("unknown key", False).under(step_to(str(name)))
            key, found = run.dump(name, STRING), run.dump(value[name], extra or ANYTHING)
            if type(key) is Refusal:
                return key
            if type(found) is Refusal:
                return found.under(step_to(key))
            json[key] = found
        return json


class ArrayRecord(RecordNode, Counted):
    """A record whose JSON is an array of its fields: a NamedTuple."""

    __slots__ = ()
    kinds = ARRAY

    @property
    def label(self) -> str:  # type: ignore[override]
        """The number of fields."""
        return f"an array of {len(self.shape.properties)} items"

    @property
    def most(self) -> float:  # type: ignore[override]
        """The most items."""
        return INFINITY if self.shape.extra is None else len(self.shape.properties)

    @property
    def least(self) -> int:  # type: ignore[override]
        """The fewest items."""
        numbered = enumerate(self.shape.fields, 1)
        return max((at for at, field in numbered if field.required), default=0)

    def schema(self, out: Definitions) -> Json:
        """An array with a position for each field, as ``json`` writes a NamedTuple.

        ``None`` stays an item of it, and defaults are not written.
        """
        fragments: list[Json] = []
        for field, node, text in self.shape.properties:
            if type(node) is InjectedField:
                reason = "an array item cannot be omitted, so it cannot be Injected"
                raise SchemaError(reason, path_of((self.place, field)))
            fragment = node.schema(out)
            if text:
                describe_field(fragment, text, node, out)
            fragments.append(fragment)
        rest: Json | None = {} if self.shape.extra is None else None
        return self._describe(positions(fragments, rest, self.least))

    def load_parts(self, json: Any, run: Loading) -> Any:
        """An instance of the class."""
        if (problems := self.miscounted(json)) is not None:
            return problems
        values: dict[str, Any] = {}
        for index, (part, item) in enumerate(zip(self.parts, json, strict=False)):
            value = part.node.load(item, run)
            if type(value) is Refusal:
                problems = add(problems, value, f"[{index}]")
            elif part.target is not None:
                values[part.target] = value
        problems = problems or add_defaults(makers_of(self.parts), values, json)
        return problems or construct(json, self.cls, **values)

    def dump_parts(self, value: Any, run: Dumping) -> Any:
        """A list of the fields of a value."""
        if not issubclass(type(value), self.cls):
            return run.as_it_is(value, self)
        json = dump_fields(value, self.shape, run, run.value_of)
        return list(json.values()) if type(json) is dict else json


def _targets(cls: Any, found: Record) -> dict[str, str]:
    """The name in the constructor of each field."""
    for belongs, names in libraries.rows("CONSTRUCTORS"):
        if belongs(cls):
            taken: dict[str, str] = names(cls)
            return taken
    return {field.python_name: field.python_name for field in found.fields}


# -- reading -----------------------------------------------------------------------------------


def read_record(
    how: records.Reader,
    reader: Reader,
    tp: Any,
    head: Any,
    _args: Arguments,
    scope: Scope,
    place: Place,
) -> Node:
    """A record: an object or an array."""
    tp = tp if type(tp) is type else reader.close(tp, scope, place)
    json_type = "array" if records.is_array(head, how) else "object"
    return reader.defer(tp, lambda body: read_class(body, tp, scope, place, how), json_type)


def read_class(
    reader: Reader, tp: Any, scope: Scope, place: Place, how: records.Reader | None = None
) -> Node:
    """The fields of a class, read by the reader of its kind or by *how*."""
    profile, tools = reader.profile, reader.session.tools
    try:
        found = records.read_record(
            tp,
            scope,
            output=reader.session.output,
            aliases=profile.aliases,
            reader=how,
            reads_source=profile.attribute_docstrings,
            docs=None if tools is None else tools.docs,
        )
    except UnresolvedError as problem:
        return reader.unsupported(tp, str(problem), place, problem)
    except USER_CODE_ERRORS as problem:  # it only looks like a record
        reason = f"reading the fields of {display(tp)} raised {repr_of_error(problem)}"
        return reader.unsupported(tp, reason, place, problem)
    shape = read_shape(reader, found, scope, place)
    kind: type[RecordNode] = ArrayRecord if found.is_array else ObjectRecord
    if type(tp) is not type and is_typed_dict(split(tp)[0]):
        kind = TypedDictRecord
    return reader.if_concrete(kind(tp, found, shape, profile, place), place)


# -- fields --------------------------------------------------------------------------------------


def read_shape(reader: Reader, record: Record, scope: Scope, place: Place) -> Shape:
    """Read the annotations of the fields of a record; *scope* is that of the record."""
    session, fields = reader.session, record.fields
    plain = session.plain
    if reader.profile.may_have_markers and not have_values(fields):
        fields = without_markers(reader, fields, place)
    session.size += len(fields)
    found: list[Property] = []
    has_injected = False
    for field in fields:
        node = plain.get(id(field.annotation))
        if node is None:
            node = read_field(reader, field, place)
            if type(node) is InjectedField:
                has_injected = True
        found.append((field, node, field.description))
    extra: Node | Literal[False] | None = None
    if record.extra is not MISSING:
        extra = record.extra is not False and reader.read(record.extra, scope, (place, "{}"))
    return Shape(found, extra, has_injected)


def read_field(reader: Reader, field: Field, place: Place) -> Node:
    """Read the annotation of one field, which has been counted."""
    here = (place, field)
    if field.annotation is MISSING:
        return MissingAnnotation.read(reader, here)
    head, args = split(field.annotation)
    try:
        node = reader.read_split(field.annotation, head, args, field.scope, here)
    except InjectedFieldError as problem:
        if field.required:
            reader.report(problem.message, here, field.written)
            return InjectedField(cannot_load(field.written, problem.message, here, code="other"))
        return INJECTED
    return node if field.required else without_sentinel(node, field.default)


def without_sentinel(node: Node, default: object) -> Node:
    """A union without the Enum whose only member is the default, as PEP 484 spells sentinels.

    Callers leave the parameter out, and the function applies its own default.
    """
    if default is MISSING or default is None or not is_sentinel(default):
        return node
    return node.without_class(type(default))


class MissingAnnotation(Wrapper):
    """A missing annotation: the JSON that the profile's schema accepts.

    Attributes:
        keywords: That schema.
    """

    annotation = Any
    is_object: bool = False
    undecodable: Sequence[Problem] = ()

    def __init__(self, keywords: Json) -> None:
        self.keywords: Json = keywords
        self._inner: Node | None = None if keywords else ANYTHING

    @property
    def inner(self) -> Node:  # type: ignore[override]
        """Any JSON that is valid, made when a value is read."""
        if self._inner is None:
            self._inner = Guard(self.keywords, ANYTHING)
        return self._inner

    @classmethod
    def read(cls, reader: Reader, place: tuple[Place, Field]) -> Node:
        """The schema for a missing annotation; a profile may refuse it, as strict mode does."""
        untyped, reason = reader.profile.untyped, "no annotation; add one"
        if untyped is None or isinstance(untyped, str):
            said = (untyped or reason).replace("{function}", reader.session.root)
            reader.reject(said.replace("{name}", place[1].name), place, code="no-annotation")
            return cls({})
        reader.report(reason, place, code="no-annotation", is_strict_only=True)
        return cls(reader.profile_keywords("untyped", place))

    def schema(self, out: Definitions) -> Json:
        """The keywords of the profile."""
        return dict(self.keywords)
