"""Fields of records, and parameters: schemas with descriptions and defaults, and values."""

from __future__ import annotations

import _collections_abc as abc
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import IO, Any, BinaryIO, Final, Literal, TextIO

from milo_schema.annotations import Json
from milo_schema.annotations.classes import (
    COMMON,
    MISSING,
    class_name,
    is_any,
    is_named_sentinel,
    loaded,
    mro,
)
from milo_schema.annotations.forms import split
from milo_schema.callables.signatures import Field
from milo_schema.errors import NOT_PASSED, Problem
from milo_schema.json_schema.sentences import REQUIRED, describe, suggest, unknown
from milo_schema.json_schema.subschemas import step_to
from milo_schema.json_schema.values import MAX_JSON_DEPTH
from milo_schema.nodes import Definitions, Profile
from milo_schema.nodes.base import (
    EVERY_KIND,
    TOO_DEEP,
    Composite,
    Dumping,
    Loading,
    Node,
    Place,
    Refusal,
    Wrapper,
    add,
    construct,
    is_plain,
    refuse,
    refuse_error,
    refuse_kind,
    refuse_value,
)
from milo_schema.nodes.containers import ANYTHING, OBJECT
from milo_schema.nodes.defaults import add_default
from milo_schema.nodes.scalars import STRING

_REQUIRED = refuse(REQUIRED, None, keyword="required")
"""Stands for a required property that is missing; ``_add_missing()`` knows the object."""
_ABSENT = Refusal()
"""Stands for the value of a property if the constructor gets none."""


# -- fields ------------------------------------------------------------------------------------


Property = tuple[Field, Node, str | None]
"""A field or a parameter as it is written, the meaning of its annotation, and its description,
which a description in the annotation replaces."""


class Shape:
    """The properties of a record, or the parameters of a function that a caller passes.

    Attributes:
        properties: The properties, in the order in which they were written.
        extra: The node of other names; ``None`` if any are allowed, ``False`` if none are.
        shown: The properties without the fields that the framework fills in.
        writing: What ``dump_fields()`` knows about each property, once a value has been written.
    """

    __slots__ = ("extra", "properties", "shown", "writing")

    def __init__(
        self,
        properties: list[Property],
        extra: Node | Literal[False] | None,
        has_injected: bool = False,
    ) -> None:
        self.properties: Final = properties
        self.extra: Final = extra
        self.shown: Final = [*filter(_is_shown, properties)] if has_injected else properties
        self.writing: list[tuple[Any, ...]] | None = None

    @property
    def fields(self) -> list[Field]:
        """The properties, as they are written."""
        return [field for field, _, _ in self.properties]

    @property
    def nodes(self) -> list[Node]:
        """The nodes of all properties, and of other names."""
        nodes = [node for _, node, _ in self.properties]
        return [*nodes, self.extra] if self.extra else nodes


def _is_shown(each: Property) -> bool:
    """Whether a caller passes a field."""
    return type(each[1]) is not InjectedField


class InjectedField(Node):
    """An injected field: the schema leaves it out, and whatever a caller passes is refused."""

    __slots__ = ("undecodable",)
    annotation = Any
    label = "nothing"
    kinds = EVERY_KIND

    def __init__(self, *undecodable: Problem) -> None:
        self.undecodable: Sequence[Problem] = undecodable

    def schema(self, out: Definitions) -> Json:
        """Nothing is valid."""
        return {"not": {}}

    def load(self, json: Any, run: Loading) -> Any:
        """Nothing is accepted."""
        return refuse(NOT_PASSED, json, "invalid", keyword="additionalProperties", limit=False)

    def dump(self, value: Any, run: Dumping) -> Any:
        """The JSON of a value, by its class."""
        return run.dump_by_class(value)


INJECTED = InjectedField()


def describe_field(fragment: Json, text: str, node: Node, out: Definitions) -> None:
    """Describe a field, unless its annotation does; the docstring of a class does not."""
    if "$ref" in fragment:
        if not out.is_described(fragment):
            fragment["description"] = text
    elif node.describes_class:
        fragment["description"] = text
    else:
        fragment.setdefault("description", text)


def have_values(fields: list[Field]) -> bool:
    """Whether each default is an instance of a class of Python's own, so that none is a marker."""
    return _VALUES.issuperset(map(id, map(type, map(_default_of, fields))))


_default_of = attrgetter("default")
_VALUES = COMMON | {id(type(MISSING))}
"""The ids of the classes of defaults that are not markers: Python's own, or no default at all."""


def object_schema(shape: Shape, place: Place, out: Definitions) -> Json:
    """An object with a property for each field: a record, or the parameters of a function."""
    unwrap = out.unwrap_none
    extra = shape.extra
    properties: Json = {}
    required: list[str] = []
    for field, node, text in shape.shown:
        shown = node
        if node.accepts_null and unwrap and (unwrap is True or field.default is None):
            shown = node.without_null()
        properties[field.name] = fragment = shown.schema(out)
        if text:
            if "description" in fragment or "$ref" in fragment:
                describe_field(fragment, text, shown, out)
            else:  # as most are
                fragment["description"] = text
        if field.required:
            required.append(field.name)
        elif field.default is not MISSING:
            add_default(fragment, field, node, place, out)
    found: Json = {"type": "object", "properties": properties}
    if required:
        found["required"] = required
    if extra is False or (extra is None and out.profile.closed == "everything"):
        found["additionalProperties"] = False
    elif extra is not None:
        found["additionalProperties"] = out.or_true(extra.schema(out))
    return found


def is_instance_of(default: object, annotation: Any) -> bool:
    """Whether a default is an instance of a class, which may be given by a missing name."""
    bases = mro(type(default))[:-1]
    if type(annotation) is str:
        return annotation.rpartition(".")[2] in map(class_name, bases)
    head = split(annotation)[0]
    if head is abc.Callable:
        return callable(default)
    return is_any(head, bases) or (is_any(head, _FILES) and loaded("_io._IOBase") in bases)


_FILES = (IO, BinaryIO, TextIO)
"""The types of open files, which are not base classes of theirs."""


# -- loading -----------------------------------------------------------------------------------


class Argument:
    """A field of a record, or a parameter, as a constructor or a function takes it.

    Attributes:
        name: Its name in JSON.
        target: Its name in the constructor; ``None`` if the constructor does not have it.
        node: The node of its value.
        required: Whether a value is required.
        absent: What stands for its value if none is given.
        make: Makes that value, if the constructor has none.
    """

    __slots__ = ("absent", "make", "name", "node", "required", "target")

    def __init__(
        self, field: Field, node: Node, target: str | None, *, null_is_absent: bool
    ) -> None:
        self.name: str = field.name
        self.target: str | None = target
        self.required: bool = field.required
        self.absent: Refusal = _REQUIRED if field.required else _ABSENT
        self.make: Any = field.make
        self.node: Node = node
        if null_is_absent and not field.required:
            self.node = OrAbsent(node)


class OrAbsent(Wrapper):
    """A node of JSON in which null means a missing value, unless it means ``None``."""

    __slots__ = ("inner",)
    is_object: bool = False

    def __init__(self, inner: Node) -> None:
        self.inner: Node = inner

    def load(self, json: Any, run: Loading) -> Any:
        """The value, or what a missing value is."""
        is_absent = json is None and type(None) not in self.inner.kinds
        return _ABSENT if is_absent else self.inner.load(json, run)


class Unused(Wrapper):
    """A field that the constructor does not have: a value is checked, and left out."""

    __slots__ = ("inner",)

    def __init__(self, inner: Node) -> None:
        self.inner: Node = inner

    def load(self, json: Any, run: Loading) -> Any:
        """No value, unless it is refused."""
        value = self.inner.load(json, run)
        return value if type(value) is Refusal else _ABSENT


def null_is_absent(profile: Profile) -> bool:
    """Whether null in an optional field means a missing value, according to the profile."""
    return profile.optional == "null"


def extra_of(shape: Shape, make: Any, *, is_open: bool) -> Node | bool | None:
    """The node of additional properties; ``None`` to refuse them, ``False`` to ignore them."""
    if shape.extra is None:
        return (ANYTHING if make is None else False) if is_open else None
    return None if shape.extra is False else shape.extra


class ObjectNode(Composite):
    """An object that is loaded into a class, or the arguments of a call into a dictionary."""

    __slots__ = ("__dict__",)  # for what only values need
    kinds = OBJECT
    label: str = "an object"

    _prepared: tuple[Any, ...] | None = None
    _required: tuple[str, ...] = ()
    _denied: frozenset[str] | None = None
    _drops: bool = False

    def prepare(self) -> tuple[Any, ...]:
        """Call ``prepare_for()``, when the first value is loaded."""
        raise NotImplementedError

    def prepare_for(self, parts: list[Argument], extra: Any, make: Any = None) -> tuple[Any, ...]:
        """Prepare to load values.

        Args:
            parts: The fields.
            extra: The node of other properties; ``None`` to refuse, ``False`` to ignore them.
            make: The class of the value; ``None`` for a dictionary.
        """
        fields: list[tuple[Any, ...]] = []
        for part in parts:
            node = part.node if part.target is not None else Unused(part.node)
            fields.append((part.name, part.target, node.load, part.absent))
        self._required = tuple(part.name for part in parts if part.required)
        self._prepared = fields, makers_of(parts), extra, make
        return self._prepared

    def load(self, json: Any, run: Loading) -> Any:
        """The value that an object represents, unless it is nested too deeply."""
        if type(json) is not dict or (depth := run.depth) >= MAX_JSON_DEPTH:
            is_deep = type(json) is dict
            return refuse(TOO_DEEP, json, "too-deep") if is_deep else refuse_kind(self, json)
        fields, makers, extra, make = self._prepared or self.prepare()
        run.depth = depth + 1
        values: Json = {}
        problems = None
        for name, target, load, absent in fields:
            value = load(json[name], run) if name in json else absent
            if type(value) is not Refusal:
                values[target] = value
            elif value is _REQUIRED:
                problems = self._add_missing(problems, json, name)
            elif value is not _ABSENT:
                problems = add(problems, value, step_to(name))
        if (extra is not False or problems is not None) and len(values) < len(json):
            problems = self._load_extra(json, values, problems, run)
        if makers and problems is None:
            problems = add_defaults(makers, values, json)
        run.depth = depth
        if make is None or problems is not None:
            return values if problems is None else problems
        try:  # as in construct(), whose call would copy the values once more
            return make(**values)
        except Exception as problem:  # it may be user code
            return refuse_error(problem, json)

    def _add_missing(self, problems: Refusal | None, json: Json, name: str) -> Refusal:
        """Refuse an object without a property that it must have."""
        path, names = step_to(name), [*self._required]
        found = refuse(REQUIRED, json, keyword="required", limit=names, path=path)
        return found if problems is None else add(problems, found, "")

    def _load_extra(
        self, json: Json, values: Json, problems: Refusal | None, run: Loading
    ) -> Refusal | None:
        """Load the properties that are not fields, or refuse them.

        If any are allowed, one that was meant to be a field is named beside the other problems.
        """
        fields, _, extra, _ = self._prepared or self.prepare()
        names = [each[0] for each in fields]
        known, is_record = set(names), self._denied is None
        for name in json:
            if name in known:
                continue
            value = MISSING
            if problems is not None and (extra is False or (extra is ANYTHING and is_record)):
                value = _misspelled(name, json, names)
            if value is MISSING and extra is not False:
                value = self._load_other(name, json[name], names, extra, run)
            if type(value) is not Refusal:
                if value is not MISSING:
                    values[name] = value
                continue
            problems = add(problems, value, step_to(str(name)))
            if problems.is_full:
                break
        return problems

    def _load_other(self, name: Any, item: Any, names: list[str], extra: Any, run: Loading) -> Any:
        if type(name) is not str:
            return refuse(f"{describe(name)} is a key but not a string", name, "wrong-type")
        if self._denied is not None and name in self._denied:
            if self._drops:
                return MISSING
            extra = None
        if extra is None:
            what = "property" if self._denied is None else "argument"
            return refuse_name(what, name, item, names)
        value = STRING.load(name, run)
        return value if type(value) is Refusal else extra.load(item, run)


def refuse_name(what: str, name: str, item: Any, known: list[str]) -> Refusal:
    """Refuse a property, or an argument, that does not exist."""
    reason = unknown(what, name, known)
    if type(item) is dict and item and item.keys() <= set(known):  # such as {"arguments": {...}}
        reason = f"unknown {what}; send what is in it instead of it"
    return refuse(reason, item, keyword="additionalProperties", limit=False)


def _misspelled(name: Any, json: Json, names: list[str]) -> Any:
    """Refuse a property that is ignored otherwise, if it was to be a field; or ``MISSING``."""
    missing = [each for each in names if each not in json]
    if type(name) is not str or not suggest(name, missing):
        return MISSING
    return refuse(unknown("property", name, missing), json[name], "unknown-name")


def makers_of(parts: list[Argument]) -> list[tuple[str, Any]]:
    """The fields with defaults that only metadata have, each with what makes the value."""
    return [(part.target, part.make) for part in parts if part.make and part.target]


def add_defaults(makers: list[tuple[str, Any]], values: Json, json: Any) -> Refusal | None:
    """Make the values that are missing; a factory is user code, and may raise."""
    problems = None
    for target, make in makers:
        if target not in values:
            values[target] = value = construct(json, make)
            if type(value) is Refusal:
                problems = add(problems, value, step_to(target))
    return problems


# -- dumping -----------------------------------------------------------------------------------


def _prepare(shape: Shape, run: Dumping) -> list[tuple[Any, ...]]:
    """The names of each field, its plain classes, its node, and itself, for all values."""
    shape.writing = [
        (field.python_name, field.name, run.plain_of(node), node, field)
        for field, node, _ in shape.properties
    ]
    return shape.writing


def dump_fields(
    value: Any, shape: Shape, run: Dumping, value_of: Callable[[Any, str, Any], Any]
) -> Any:
    """The JSON of the fields of a value; *value_of* is ``getattr`` or like it."""
    json: Json = {}
    for attribute, name, plain, node, field in shape.writing or _prepare(shape, run):
        found = value_of(value, attribute, MISSING)
        if is_plain(found, plain):
            json[name] = found
            continue
        if found is not MISSING:
            found = node.dump(found, run) if not run.encoders else run.dump(found, node)
        elif field.required:
            found = refuse_value("missing, but required", field.annotation)
        else:
            continue
        if type(found) is not Refusal:
            json[name] = found
        elif field.required or not is_named_sentinel(value_of(value, attribute, MISSING)):
            return found.under(str(field))
    return json
