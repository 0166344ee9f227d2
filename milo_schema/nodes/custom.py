"""Nodes of types that users describe: by a classmethod, in a profile, or with a decoder.

A custom schema may have its own ``$defs``, which become those of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from milo_schema.annotations import Arguments, Json
from milo_schema.annotations.classes import (
    NOTHING,
    USER_CODE_ERRORS,
    is_called,
    is_class,
    mro,
    repr_of_error,
    static,
    with_article,
)
from milo_schema.annotations.forms import display, is_typed_dict, key_of, split
from milo_schema.annotations.generics import is_small
from milo_schema.annotations.scopes import Scope
from milo_schema.callables import records
from milo_schema.errors import Problem, SchemaError
from milo_schema.json_schema import Ref
from milo_schema.json_schema.subschemas import checked, references_of
from milo_schema.json_schema.values import Budget, NotJSONError, object_of, to_key
from milo_schema.nodes import Definitions, Profile, Reader
from milo_schema.nodes.annotated import Guard
from milo_schema.nodes.base import (
    Dumping,
    Loading,
    Node,
    Place,
    Wrapper,
    cannot_load,
    construct,
    no_json,
    path_of,
    refuse_value,
)
from milo_schema.nodes.defaults import json_of
from milo_schema.nodes.definitions import undecodable_in
from milo_schema.nodes.records import read_class
from milo_schema.nodes.scalar_types import WRITTEN
from milo_schema.nodes.scalars import is_instance

# -- the view of custom schemas ------------------------------------------------------------------
#
# The view that custom schemas have of the schema that they become a part of.


class Site:
    """Where a type of users or of another library stands.

    Attributes:
        scope: Where names in annotation strings are looked up.
        place: The place of the type.
        reader: The reader of annotations.
    """

    __slots__ = ("place", "reader", "scope")

    def __init__(self, reader: Reader, scope: Scope, place: Place) -> None:
        self.reader: Reader = reader
        self.scope: Scope = scope
        self.place: Place = place

    @property
    def profile(self) -> Profile:
        """The profile: how the schema is written."""
        return self.reader.profile

    @property
    def strict(self) -> bool:
        """Whether an annotation without an exact schema is an error."""
        return self.reader.session.strict

    @property
    def output(self) -> bool:
        """Whether the schema describes values that a function returns."""
        return self.reader.session.output

    @property
    def path(self) -> str:
        """The path to this place, such as ``deploy(params).filters[]``."""
        return path_of(self.place)


class Walk(Site):
    """The place of a custom schema; ``__milo_schema__(cls, walk)`` gets it.

    Attributes:
        out: The definitions that references lead to.
    """

    __slots__ = ("out",)

    def __init__(self, reader: Reader, out: Definitions, scope: Scope, place: Place) -> None:
        super().__init__(reader, scope, place)
        self.out: Definitions = out

    def schema(self, annotation: Any, step: str = "") -> Json:
        """The schema of an annotation; *step* leads from here to its place."""
        place = (self.place, step) if step else self.place
        return self.reader.read(annotation, self.scope, place).schema(self.out)

    def record(self, cls: Any) -> Json | None:
        """The schema of an annotated class as a record; ``None`` if it has no annotations."""
        node = self.reader.read_annotated_class(cls, self.scope, self.place)
        return None if node is None else node.schema(self.out)

    def import_schema(self, schema: Json) -> Json:
        """A finished schema as a part of this one, including its ``$defs``."""
        keywords = check_keywords(self.reader, schema, "the schema to import", None, self.place)
        return self.out.import_keywords(keywords, self.place)

    # -- for pydantic --------------------------------------------------------------------------

    def at(self, step: str) -> Walk:
        """The walk one step further."""
        return Walk(self.reader, self.out, self.scope, (self.place, step))

    def unsupported(self, annotation: Any, reason: str, cause: BaseException | None = None) -> Json:
        """Report an annotation without a schema, and return the profile's placeholder."""
        self.out.report(reason, self.place, annotation, cause, code="unsupported-type")
        return self.reader.profile_keywords("unknown", self.place)


# -- checking what users return ----------------------------------------------------------------


def check_keywords(reader: Reader, schema: Any, whose: str, tp: Any, place: Place) -> Json:
    """A fresh, checked copy of a custom schema."""
    if type(schema) is not dict:
        given = with_article(display(type(schema)))
        reader.refuse(f"{whose} must be a dict, not {given}", place, tp, code="invalid-schema")
    try:
        fragment: Json = _copy(schema, Budget(), reader)
        return checked(fragment, references=references_of(fragment))
    except NotJSONError as problem:
        reason = f"{whose} contains {problem}, which cannot be written as JSON"
        raise SchemaError(reason, path_of(place), tp, code="invalid-schema") from problem
    except ValueError as problem:
        reason = f"{whose} is not a valid schema: {problem}"
        raise SchemaError(reason, path_of(place), tp, code="invalid-schema") from problem


def _copy(value: Any, budget: Budget, reader: Reader) -> Any:
    """A fresh copy of keywords, with the references that a walk has made."""
    if type(value) is dict:
        items = budget.each(value.items())
        return {to_key(key): _copy(item, budget, reader) for key, item in items}
    if type(value) is list:
        return [_copy(item, budget, reader) for item in budget.each(value)]
    return value if issubclass(type(value), Ref) else json_of(value, reader)


# -- custom ----------------------------------------------------------------------------------------

Ask = Callable[[Walk], Any]


class Custom(Wrapper):
    """A type with a schema by a user.

    Attributes:
        ask: Returns the schema; it may be user code.
        whose: Whose schema it is, for messages.
        reader: The reader of the annotations in it.
        scope: Where names in them are looked up.
        place: The place of the first use of the type.
    """

    # What does not depend on the values, which are read only when a value is.
    is_object: bool = False
    accepts_null: bool = False
    describes_class: bool = False
    exact: type | None = None
    problem: Problem | None = None
    is_unknown: bool = False
    undecodable: Sequence[Problem] = ()
    priority = WRITTEN
    _values: Node | None = None

    def __init__(
        self,
        reader: Reader,
        annotation: Any,
        scope: Scope,
        place: Place,
        whose: str,
        ask: Ask,
        undecodable: Sequence[Problem] = (),
    ) -> None:
        self.undecodable: Sequence[Problem] = undecodable
        self.annotation = annotation
        self.ask: Ask = ask
        self.whose: str = whose
        self.reader: Reader = reader
        self.scope: Scope = scope
        self.place: Place = place
        self._schemas: dict[Any, Json] = {}
        reader.session.is_simple = False

    def schema(self, out: Definitions) -> Json:
        """A copy of the user's schema; user code runs once for each form of the schema."""
        if out.form not in self._schemas:
            self._keep(self._answer(out), out)
        schema: Json = out.import_keywords(self._schemas[out.form], self.place)
        return schema

    def _answer(self, out: Definitions) -> Any:
        """The result of the user's function."""
        walk = Walk(self.reader, out, self.scope, self.place)
        try:
            return self.ask(walk)
        except SchemaError:
            raise
        except USER_CODE_ERRORS as problem:
            reason = f"{self.whose} raised {repr_of_error(problem)}"
            self.reader.refuse(reason, self.place, self.annotation, problem, code="user-code")

    def _keep(self, answer: Any, out: Definitions) -> None:
        """Check an answer, and keep it for all schemas of this form."""
        found = check_keywords(self.reader, answer, self.whose, self.annotation, self.place)
        self._schemas[out.form] = found

    @property
    def cls(self) -> Any:
        """The class."""
        return split(self.annotation)[0]

    @property
    def inner(self) -> Node:  # type: ignore[override]
        """The node that loads and dumps values, which is made when it is first needed."""
        if self._values is None:
            self._values = self.read_values(self.reader.fork())
        return self._values

    def read_values(self, reader: Reader) -> Node:
        """Make that node, with a reader of its own: its problems are not those of the schema."""
        raise NotImplementedError


class Decoder(Node):
    """A function that makes values from valid JSON."""

    __slots__ = ("annotation", "decode")

    def __init__(self, annotation: Any, decode: Callable[[Any], Any]) -> None:
        self.annotation: Any = annotation
        self.decode: Callable[[Any], Any] = decode

    @property
    def label(self) -> str:  # type: ignore[override]
        """The type."""
        return display(self.annotation)

    def load(self, json: Any, run: Loading) -> Any:
        """The result of the function."""
        return construct(json, self.decode, json)


def read_custom(
    reader: Reader, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place
) -> Node:
    """A type with a decoder, in the profile, or with a classmethod; any other, by the tables."""
    for key, decode in reader.decoders.items():
        if key is head:
            return _read_decoded(reader, tp, head, scope, place, decode)
    if reader.session.types:
        schema = schema_in_profile(tp, head, reader.session.types)
        if schema is not None:
            return ProfileType.read(reader, tp, scope, place, schema)
    if is_class(head) and records.describes_itself(head):
        return Hook.read(reader, tp, head, scope, place)
    return reader.read_unregistered(tp, scope, place)


def _read_decoded(
    reader: Reader, tp: Any, head: Any, scope: Scope, place: Place, decode: Callable[[Any], Any]
) -> Node:
    """A type with a decoder, which may be used for the whole of it only."""
    inner = read_custom(reader.without_decoder(head), tp, head, split(tp)[1], scope, place)
    return TypeWithDecoder(tp, inner, decode, reader)


# -- classes that describe themselves ----------------------------------------------------------


class Hook(Custom):
    """A class with ``__milo_schema__(cls, walk)``."""

    @classmethod
    def read(cls, reader: Reader, tp: Any, head: Any, scope: Scope, place: Place) -> Node:
        """Its values are read by its own classmethod, or by its fields."""
        tp = reader.close(tp, scope, place)
        whose = f"{display(head)}.__milo_schema__"
        missing: Sequence[Problem] = ()
        if static(head, "__milo_from_json__") is None and not records.is_record(head):
            reason = f"cannot read {display(tp)} from JSON"
            way_out = "add the classmethod __milo_from_json__, or decoders={...} to the profile"
            missing = (cannot_load(tp, f"{reason}; {way_out}", place),)

        def ask(walk: Walk) -> Any:
            return head.__milo_schema__(walk)  # to look it up may be user code, too

        return reader.defer(
            tp, lambda body: cls(body, tp, scope, place, whose, ask, missing), is_custom=True
        )

    def read_values(self, reader: Reader) -> Node:
        """The node of the fields, or of the classmethod."""
        if records.is_record(self.cls):
            fields = read_class(reader, self.annotation, self.scope, self.place)
            return Guard(self.reader.exact_schema(self), fields)

        def decode(json: Any) -> Any:
            if self.undecodable:  # the parameter has a default
                raise ValueError(self.undecodable[0].message)
            return self.cls.__milo_from_json__(json)

        return Guard(self.reader.exact_schema(self), Decoder(self.annotation, decode))

    def dump(self, value: Any, run: Dumping) -> Any:
        """The JSON of the fields; any other class needs an encoder."""
        if records.is_record(self.cls):
            return self.inner.dump(value, run)
        if not issubclass(type(value), self.cls):
            return run.as_it_is(value, self)
        return no_json(value, self.annotation, "; add encoders={...} to the profile")


# -- types that the profile describes ----------------------------------------------------------


class ProfileType(Custom):
    """A type in ``Profile.types``."""

    @classmethod
    def read(cls, reader: Reader, tp: Any, scope: Scope, place: Place, schema: Any) -> Node:
        """Its values are those that the type has without the profile, if their JSON is valid."""
        tp = reader.close(tp, scope, place)
        whose = f"the profile's schema of {display(tp)}"
        ask = (lambda walk: schema(tp, walk)) if callable(schema) else (lambda _: schema)
        plain = reader.fork(types=NOTHING)
        found = plain.read(tp, scope, place)
        plain.complete()
        missing = undecodable_in([found])
        return reader.defer(
            tp, lambda body: cls(body, tp, scope, place, whose, ask, missing), is_custom=True
        )

    def read_values(self, reader: Reader) -> Node:
        """The node that the type has without the profile, for valid JSON."""
        plain = reader.read_unregistered(self.annotation, self.scope, self.place)
        return Guard(self.reader.exact_schema(self), plain.with_numbers())

    def dump(self, value: Any, run: Dumping) -> Any:
        """The JSON that the value has without the profile."""
        if not is_instance(value, self.cls):
            return run.as_it_is(value, self)
        if self.inner.problem is not None:
            reason = f"{object_of(type(value))} cannot be written as JSON"
            return refuse_value(reason, self.annotation, value=value)
        return self.inner.dump(value, run)


def schema_in_profile(tp: Any, head: Any, types: Mapping[Any, Any]) -> Any:
    """The schema of a type, or of one of its bases, among those of a profile."""
    known: dict[Any, Any] = {}
    named: dict[str, Any] = {}
    for key, schema in types.items():
        key_head, args = split(key)
        if type(key) is str:
            named[key] = schema
        elif not args:
            known[key_of(key)] = schema
        elif key_head is head and is_small(tp) and key_of(key) == key_of(tp):
            return schema
    has_bases = is_class(head) and not is_typed_dict(head)  # it is not a dict[K, V]
    for cls in (head, *(mro(head)[1:-1] if has_bases else ())):
        if (key := key_of(cls)) in known:
            return known[key]
        for name in named if is_class(cls) else ():
            if is_called(cls, name):
                return named[name]
    return None


class TypeWithDecoder(Wrapper):
    """A type with a decoder, which makes values from JSON that is valid for the schema."""

    __slots__ = ("_loader", "annotation", "decode", "inner", "reader")

    def __init__(
        self, annotation: Any, inner: Node, decode: Callable[[Any], Any], reader: Reader
    ) -> None:
        self.annotation: Any = annotation
        self.inner: Node = inner
        self.decode: Callable[[Any], Any] = decode
        self.reader: Reader = reader
        self._loader: Node | None = None

    @property
    def loader(self) -> Node:
        """The node that checks the JSON, and calls the decoder."""
        if self._loader is None:
            schema = self.reader.exact_schema(self.inner)
            self._loader = Guard(schema, Decoder(self.annotation, self.decode))
        return self._loader

    @property
    def kinds(self) -> frozenset[type]:  # type: ignore[override]
        """Those of the schema."""
        return self.loader.kinds

    @property
    def label(self) -> str:  # type: ignore[override]
        """The type."""
        return display(self.annotation)

    is_object: bool = False
    undecodable: Sequence[Problem] = ()

    def load(self, json: Any, run: Loading) -> Any:
        """The result of the decoder for valid JSON."""
        return self.loader.load(json, run)
