"""Fields of records, and parameters: schemas with descriptions and defaults, and values."""

from __future__ import annotations

from typing import Any

from milo_schema import libraries
from milo_schema.annotations import Json
from milo_schema.annotations.classes import (
    MISSING,
    class_name,
    is_any,
    mro,
)
from milo_schema.annotations.display import display
from milo_schema.annotations.forms import is_marker, split
from milo_schema.callables.signatures import Field, Record
from milo_schema.errors import NOT_PASSED, InjectedFieldError
from milo_schema.json_schema.paths import quote, step_to
from milo_schema.json_schema.values import (
    ORDINARY,
    NotJSONError,
    fits_format,
    is_member,
    json_type,
    to_json,
)
from milo_schema.nodes.base import (
    EVERY_KIND,
    Dumping,
    Loading,
    Node,
    Place,
    Refused,
    Wrapper,
    add,
    choices,
    construct,
    describe,
    refuse,
    refuse_value,
    suggest,
)
from milo_schema.nodes.containers import ANYTHING
from milo_schema.nodes.scalars import STRING

_REQUIRED = refuse("required but not given", "missing")


# -- fields ------------------------------------------------------------------------------------


def read_fields(reader: Any, record: Record, place: Place) -> None:
    """Read the annotations of fields; each field gets its node."""
    plain, fields, others = reader.plain, record.fields, 0
    for field in fields:
        node = plain.get(id(field.annotation))
        if node is None:
            others += 1
            node = read_field(reader, field, place)
            if node is NOT_FILLED:
                record.has_injected = True
        field.node = node
    reader.size += len(fields) - others  # read_field() counts


def read_field(reader: Any, field: Field, place: Place) -> Node:
    """Read the annotation of one field."""
    here = (place, field)
    if field.annotation is MISSING:
        return Untyped.read(reader, here)
    try:
        node: Node = reader.read(field.annotation, field.scope, here)
    except InjectedFieldError as problem:
        if field.required:
            reader.report(problem.reason, here, field.written)
            reader.cannot_load(field.written, problem.reason, here, code="other")
        return NOT_FILLED
    return node


class Untyped(Wrapper):
    """A missing annotation: the JSON that the profile's schema accepts.

    Attributes:
        keywords: That schema.
    """

    annotation = Any
    is_object: bool = False

    def __init__(self, keywords: Json) -> None:
        self.keywords: Json = keywords
        self._inner: Node | None = None if keywords else ANYTHING

    @property
    def inner(self) -> Node:
        """Any JSON that is valid, made when a value is read."""
        if self._inner is None:
            from milo_schema.nodes.validated import Fitting  # only when values are read

            self._inner = Fitting(self.keywords, ANYTHING)
        return self._inner

    @classmethod
    def read(cls, reader: Any, place: Place) -> Node:
        """The schema for a missing annotation; a profile may refuse it, as strict mode does."""
        if reader.profile.untyped is None:
            rule = "has no type hint - every tool parameter must be typed"
            path = f"{reader.root}.{place[1].name}"
            reader.reject(f"{path} {rule}", place)
        else:
            reader.report("no annotation; add one", place, is_strict_only=True)
        return cls(reader.profile_keywords("untyped", place))

    def schema(self, out: Any) -> Json:
        """The keywords of the profile."""
        return dict(self.keywords)


class NotFilled(Node):
    """An injected field: the schema leaves it out, and whatever a caller passes is refused."""

    __slots__ = ()
    annotation = Any
    label = "nothing"
    kinds = EVERY_KIND

    def schema(self, out: Any) -> Json:
        """Nothing is valid."""
        return {"not": {}}

    def load(self, json: Any, run: Loading) -> Any:
        """Nothing is accepted."""
        return refuse(NOT_PASSED)

    def dump(self, value: Any, run: Dumping) -> Any:
        """The JSON of a value, by its class."""
        return run.dump_by_class(value)


NOT_FILLED = NotFilled()


def properties(
    fields: list[Field], place: Place, out: Any, *, unwrap: Any
) -> tuple[Json, list[str]]:
    """The schema of each field, with its description and default, and the required names.

    Args:
        fields: The fields, whose annotations have been read.
        place: The place of the record.
        out: The definitions that references lead to.
        unwrap: Whether ``T | None`` becomes ``T``, as in ``Profile.unwrap_none``.
    """
    found: Json = {}
    required: list[str] = []
    for field in fields:
        node, default = field.node, field.default
        if unwrap and node.accepts_null and (unwrap is True or default is None):
            node = node.without_null()
        fragment = node.schema(out)
        if text := field.description:
            if "description" in fragment or "$ref" in fragment:
                describe_field(fragment, text, node, out)
            else:  # as most are
                fragment["description"] = text
        if default is not MISSING:
            add_default(fragment, field, place, out)
        found[field.name] = fragment
        if field.required:
            required.append(field.name)
    return found, required


def describe_field(fragment: Json, text: str, node: Node, out: Any) -> None:
    """Describe a field, unless its annotation does; the docstring of a class does not."""
    if "$ref" in fragment:
        if not out.is_described(fragment):
            fragment["description"] = text
    elif node.describes_class and out.is_in_place:
        fragment["description"] = text
    else:
        fragment.setdefault("description", text)


def object_schema(record: Record, place: Place, out: Any) -> Json:
    """An object with a property for each field: a record, or the parameters of a function."""
    fields = record.fields
    if record.has_injected:
        fields = [field for field in fields if field.node is not NOT_FILLED]
    found, required = properties(fields, place, out, unwrap=out.unwrap_none)
    fragment: Json = {"type": "object", "properties": found}
    if required:
        fragment["required"] = required
    extra = record.extra
    if extra is False or (extra is MISSING and out.profile.closed == "everything"):
        fragment["additionalProperties"] = False
    elif extra is not MISSING:
        fragment["additionalProperties"] = out.or_true(record.extra_node.schema(out))
    return fragment


# -- defaults ----------------------------------------------------------------------------------


def add_default(fragment: Json, field: Field, place: Place, out: Any) -> None:
    """Write the default of a field, if it is JSON; most are plain JSON values."""
    default = field.default
    kind = type(default)
    if kind is str or kind is bool or (kind is int and -ORDINARY < default < ORDINARY):
        fragment["default"] = default
    elif default is None:
        if out.profile.null_defaults:
            fragment["default"] = None
    else:
        _add_other(fragment, field, (place, field), out)


def _add_other(fragment: Json, field: Field, place: Place, out: Any) -> None:
    """Write a default that is not a plain value; the field is optional even if it is not JSON."""
    default = field.default
    try:
        value = to_json(default)
    except NotJSONError as problem:
        if problem.__cause__ is not None:  # the default is user code, which raised
            reason = f"its default is {problem}"
            out.reader.refuse(reason, place, cause=problem.__cause__, code="user-code")
        if is_marker(default):
            way_out = "put it into the annotation: Annotated[..., marker]"
            reason = f"its default is the marker {display(default)}; {way_out}"
            out.report(reason, place, field.annotation, code="default-not-json")
        return
    if is_member(default):  # one of another type is a sentinel
        if json_type(value) in out.types_of(fragment):
            fragment["default"] = value
    elif value is default or fits_format(default):
        fragment["default"] = value


def is_instance_of(default: object, annotation: Any) -> bool:
    """Whether a default is an instance of a class, which may be given by a missing name."""
    bases = mro(type(default))[:-1]
    if type(annotation) is str:
        return annotation.rpartition(".")[2] in map(class_name, bases)
    return is_any(split(annotation)[0], bases)


# -- loading -----------------------------------------------------------------------------------


class Part:
    """A field of a record, or a parameter, as a constructor or a function takes it.

    Attributes:
        name: Its name in JSON.
        target: Its name in the constructor; ``None`` if the constructor does not have it.
        node: The node of its value.
        required: Whether a value is required.
        absent: The value if none is given: ``MISSING`` if the constructor has a default.
        make: Makes that value, if the constructor has none.
    """

    __slots__ = ("absent", "make", "name", "node", "required", "target")

    def __init__(self, field: Field, target: str | None, *, null_is_absent: bool) -> None:
        self.name: str = field.name
        self.target: str | None = target
        self.required: bool = field.required
        self.absent: Any = _REQUIRED if field.required else MISSING
        self.make: Any = field.make
        self.node: Any = field.node
        if null_is_absent and not field.required:
            self.node = OrAbsent(field.node, self.absent)


class OrAbsent(Wrapper):
    """A node of JSON in which null means a missing value, unless it means ``None``."""

    __slots__ = ("absent", "inner", "kinds")
    is_object: bool = False

    def __init__(self, inner: Node, absent: Any) -> None:
        self.inner: Node = inner
        self.absent: Any = absent
        self.kinds: frozenset[type] = inner.kinds | {type(None)}

    def load(self, json: Any, run: Loading) -> Any:
        """The value, or what a missing value is."""
        is_absent = json is None and type(None) not in self.inner.kinds
        return self.absent if is_absent else self.inner.load(json, run)


def null_is_absent(profile: Any) -> bool:
    """Whether null in an optional field means a missing value, according to the profile."""
    return profile.null_is_absent and profile.optional == "null"


def extra_of(record: Record, make: Any, *, is_open: bool) -> Node | bool | None:
    """The node of additional properties; ``None`` to refuse them, ``False`` to ignore them."""
    if record.extra is MISSING:
        return (ANYTHING if make is None else False) if is_open else None
    return None if record.extra is False else record.extra_node


class ObjectLoader:
    """Loads an object into a class, or the arguments of a call into a dictionary.

    Args:
        parts: The fields.
        extra: The node of additional properties; ``None`` to refuse, ``False`` to ignore them.
        make: The class of the value; ``None`` for a dictionary.
        denied: The names that an additional property must not have, for the arguments of a call.
    """

    __slots__ = ("_denied", "_extra", "_fields", "_known", "_make", "_makers")

    def __init__(
        self, parts: list[Part], extra: Any, make: Any, denied: frozenset[str] | None = None
    ) -> None:
        self._known = [part.name for part in parts]
        self._fields = [(part.name, part.target, part.node, part.absent) for part in parts]
        self._makers = [(part.target, part.make) for part in parts if part.make and part.target]
        self._extra = extra
        self._make = make
        self._denied = denied

    def load(self, json: Json, run: Loading) -> Any:
        """The value that an object represents."""
        values: Json = {}
        problems = None
        given = 0
        for name, target, node, value in self._fields:
            if name in json:
                given += 1
                value = node.load(json[name], run)  # noqa: PLW2901 - the original is not needed
            if type(value) is Refused:
                problems = add(problems, value, step_to(name))
            elif value is not MISSING and target is not None:
                values[target] = value
        if given < len(json) and self._extra is not False:
            problems = self._load_extra(json, values, problems, run)
        return problems or self._finish(values)

    def _finish(self, values: Json) -> Any:
        for target, default in self._makers:
            if target not in values:
                values[target] = default()
        return values if self._make is None else construct(self._make, **values)

    def _load_extra(
        self, json: Json, values: Json, problems: Refused | None, run: Loading
    ) -> Refused | None:
        """Load the properties that are not fields, or refuse them."""
        names = set(self._known)
        for name in (name for name in json if name not in names):
            value = self._load_other(name, json[name], run)
            if type(value) is not Refused:
                values[name] = value
                continue
            problems = add(problems, value, step_to(str(name)))
            if problems.is_full:
                break
        return problems

    def _load_other(self, name: Any, item: Any, run: Loading) -> Any:
        if type(name) is not str:
            return refuse(f"{describe(name)} is a key but not a string", "wrong-type")
        if self._extra is None or (self._denied and name in self._denied):
            what = "property" if self._denied is None else "argument"
            return unknown_name(what, name, self._known)
        value = STRING.load(name, run)
        return value if type(value) is Refused else self._extra.load(item, run)


def unknown_name(what: str, name: str, known: list[str]) -> Refused:
    """A ``Refused`` for a property with an unknown name."""
    there_are = f"; allowed: {choices([quote(each) for each in known])}" if known else ""
    return refuse(f"unknown {what}{suggest(name, known) or there_are}", "unknown-name")


# -- dumping -----------------------------------------------------------------------------------


def dump_fields(value: Any, record: Record, run: Dumping) -> Any:
    """The JSON of the fields of a value."""
    json: Json = {}
    msgspec = libraries.library("msgspec")
    for field in record.fields:
        if type(value) is dict:
            found = value.get(field.python_name, MISSING)
        elif msgspec is not None:
            found = msgspec.value_of(value, field.python_name)
        else:
            found = getattr(value, field.python_name, MISSING)
        if found is not MISSING:
            found = run.dump(found, field.node)
        elif field.required:
            found = refuse_value("missing, but required", field.annotation)
        else:
            continue
        if type(found) is Refused:
            return found.under(str(field))
        json[field.name] = found
    return json
