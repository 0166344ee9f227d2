"""Nodes of single values: JSON's own types, and the types in ``nodes.scalar_types``."""

from __future__ import annotations

from typing import Any, AnyStr, LiteralString

from milo_schema.annotations import Arguments, Json
from milo_schema.annotations.classes import loaded, repr_of_error
from milo_schema.json_schema.sentences import TOO_LARGE, describe, either
from milo_schema.json_schema.subschemas import escape
from milo_schema.json_schema.values import (
    INFINITY,
    LOWEST,
    ORDINARY,
    NotJSONError,
    checked_text,
    to_json,
)
from milo_schema.nodes import Definitions
from milo_schema.nodes.base import (
    REFUSALS,
    Dumping,
    Loading,
    Node,
    Refusal,
    construct,
    is_not,
    native,
    not_json,
    refuse,
    refuse_error,
    refuse_json,
    refuse_kind,
    refuse_raised,
)
from milo_schema.nodes.scalar_types import ScalarType, row_of

READING = Loading()
"""The state of a string that is read only to find out whether that is possible."""
NUMBERS = frozenset({int, float})
TEXT = frozenset({str})


def of_type(name: str) -> Json:
    """The schema of a JSON type."""
    return {"type": name}


class Scalar(Node):
    """A single value.

    Attributes:
        keywords: Its schema.
    """

    __slots__ = ("annotation", "cls")

    keywords: Json

    def __init__(self, annotation: Any, cls: Any = None) -> None:
        self.annotation: Any = annotation
        self.cls: Any = annotation if cls is None else cls

    def schema(self, out: Definitions) -> Json:
        """The keywords."""
        return self.keywords.copy()

    def dump(self, value: Any, run: Dumping) -> Any:
        """The JSON of an instance of the class."""
        if not is_instance(value, self.cls):
            return run.as_it_is(value, self)
        try:
            return to_json(native(value))
        except NotJSONError as problem:
            return not_json(value, problem, self.annotation)


def is_instance(value: Any, cls: Any) -> bool:
    """Whether a value is an instance of a class in JSON as in Python."""
    kind = type(value)
    if kind is bool:  # an int only in Python
        return cls is bool
    if cls is loaded("datetime.date") and issubclass(kind, loaded("datetime.datetime")):
        return False  # a date in Python, but not in JSON
    return issubclass(kind, cls)


# -- types that JSON has -----------------------------------------------------------------------


class Text(Scalar):
    """``str``, and the forms of ``typing`` that mean a string."""

    __slots__ = ()
    keywords: Json = of_type("string")
    kinds = TEXT
    plain: frozenset[type] = TEXT
    label = "a string"

    def load(self, json: Any, run: Loading) -> Any:
        """The string, if it is valid text."""
        if type(json) is not str:
            return refuse_kind(self, json)
        if not json.isascii():
            try:
                json.encode()
            except UnicodeEncodeError:
                half = "contains a lone surrogate, so it is not valid text"
                return refuse(f"{describe(json)} {half}", json, "wrong-format")
        return json

    def dump(self, value: Any, run: Dumping) -> Any:
        """The string."""
        return value if type(value) is str and value.isascii() else super().dump(value, run)


class Integer(Scalar):
    """``int``."""

    __slots__ = ()
    keywords: Json = of_type("integer")
    kinds = NUMBERS
    plain: frozenset[type] = frozenset({int})
    label = "an integer"
    exact: type | None = int

    def load(self, json: Any, run: Loading) -> Any:
        """The integer; 1.0 is one, too (JSON Schema, 4.2.3)."""
        if type(json) is int:
            return json
        if type(json) is float and json.is_integer():
            return int(json)
        return refuse_kind(self, json)

    def dump(self, value: Any, run: Dumping) -> Any:
        """The integer."""
        if type(value) is int and -ORDINARY < value < ORDINARY:
            return value
        return super().dump(value, run)


class AnyText(Text):
    """``AnyStr``: text, or bytes as text."""

    __slots__ = ()

    def dump(self, value: Any, run: Dumping) -> Any:
        """The string for text or bytes."""
        is_bytes = issubclass(type(value), bytes)
        return PLAIN[id(bytes)].dump(value, run) if is_bytes else super().dump(value, run)


class Number(Scalar):
    """``float``, which takes integers as well (PEP 484)."""

    __slots__ = ()
    keywords: Json = of_type("number")
    kinds = NUMBERS
    plain: frozenset[type] = frozenset({float})
    label = "a number"
    exact: type | None = float

    def load(self, json: Any, run: Loading) -> Any:
        """The number as a float."""
        if type(json) is float and LOWEST < json < INFINITY:
            return json
        if type(json) is int:
            try:
                return float(json)
            except OverflowError:
                return refuse(TOO_LARGE, json, "out-of-bounds")
        return refuse_kind(self, json)


class AnyNumber(Number):
    """A number of any type, such as one with ``SupportsFloat``: an integer stays one."""

    __slots__ = ()

    def load(self, json: Any, run: Loading) -> Any:
        """The number."""
        return json if type(json) is int else super().load(json, run)


class Boolean(Scalar):
    """``bool``, and the result of a type guard (PEP 742)."""

    __slots__ = ()
    keywords: Json = of_type("boolean")
    kinds: frozenset[type] = frozenset({bool})
    plain: frozenset[type] = kinds
    label = "true or false"

    def load(self, json: Any, run: Loading) -> Any:
        """The boolean."""
        return json if type(json) is bool else refuse_kind(self, json)

    def dump(self, value: Any, run: Dumping) -> Any:
        """The boolean."""
        return value if type(value) is bool else super().dump(value, run)


class Null(Scalar):
    """``None``."""

    __slots__ = ()
    keywords: Json = of_type("null")
    kinds: frozenset[type] = frozenset({type(None)})
    plain: frozenset[type] = kinds
    label = "null"

    def load(self, json: Any, run: Loading) -> Any:
        """``None``."""
        return None if json is None else refuse_kind(self, json)

    def dump(self, value: Any, run: Dumping) -> Any:
        """Null."""
        return None if value is None else run.as_it_is(value, self)


STRING, INTEGER, BOOLEAN = Text(str), Integer(int), Boolean(bool)
NUMBER, NULL = Number(float, (float, int)), Null(None, type(None))


class ScalarSubclass(Scalar):
    """A subclass of ``str`` or another type of JSON: its constructor gets the value."""

    __slots__ = ("base", "exact", "keywords", "kinds", "label")

    def __init__(self, cls: type, base: Scalar) -> None:
        super().__init__(cls)
        self.base: Scalar = base
        self.keywords: Json = base.keywords
        self.kinds: frozenset[type] = base.kinds
        self.label: str = base.label
        self.exact: type | None = base.exact

    def load(self, json: Any, run: Loading) -> Any:
        """An instance of the class."""
        value = self.base.load(json, run)
        return value if type(value) is Refusal else construct(json, self.cls, value)


# -- types that are strings in JSON ------------------------------------------------------------


class StringForm(Scalar):
    """A type in the table of ``nodes.scalar_types``, or a subclass of one.

    Attributes:
        row: Its row.
    """

    __slots__ = ("keywords", "label", "made", "priority", "row")
    kinds = TEXT

    def __init__(
        self, cls: Any, row: ScalarType, annotation: Any = None, args: Arguments = ()
    ) -> None:
        annotation = cls if annotation is None else annotation
        super().__init__(annotation, _ANY_BYTES if cls in _ANY_BYTES else cls)
        self.made: Any = bytes if args == (bytes,) else cls  # re.Pattern[bytes] has such text
        self.row: ScalarType = row
        self.keywords: Json = row.keywords
        self.label: str = row.label
        self.priority: int = row.priority

    def schema(self, out: Definitions) -> Json:
        """The keywords; the format is doubtful if not every value has it."""
        keywords = self.keywords.copy()
        return keywords if self.row.fits_format is None else out.doubt_format(keywords)

    def load(self, json: Any, run: Loading) -> Any:
        """The value that the string represents."""
        if type(json) is not str:
            return refuse_kind(self, json)
        if type(text := STRING.load(json, run)) is Refusal:
            return text
        try:
            return self.row.parse(self.made, json)
        except Exception as problem:  # each parser has its own; a class of users may be derived
            if not isinstance(problem, REFUSALS) and self._is_of_base(json):
                return refuse_error(problem, json)
            why = escape(repr_of_error(problem, str))
            form = next((each for each in self.keywords if each != "type"), "")
            limit, more = self.keywords.get(form), f": {why}" if why else ""
            found = refuse_json(self.label, json, form, limit, code="wrong-format", more=more)
            found.problems[0].cause = problem
            return found

    def _is_of_base(self, json: str) -> bool:
        """Whether the class in the table reads a string, so that only a subclass refuses it."""
        cls = loaded(self.row.name)
        return (
            cls is not self.made
            and type(StringForm(cls, self.row).load(json, READING)) is not Refusal
        )

    def dump(self, value: Any, run: Dumping) -> Any:
        """The string for a value; a string stays as it is if it can be read."""
        if not is_instance(value, self.cls) and not self._is_like(value):
            json = run.as_it_is(value, self)
            is_text = type(json) is str and type(self.load(json, READING)) is not Refusal
            is_bug = type(json) is Refusal and json.bug is not None
            return json if is_text or is_bug else is_not(value, self.annotation)
        try:
            if self.row.fits_format is not None and not self.row.fits_format(value):
                run.progress.is_formatted = False
            return checked_text(self.row.write(value))
        except NotJSONError as problem:
            return not_json(value, problem, self.annotation)
        except Exception as problem:  # as above
            return refuse_raised("reading it", problem, self.annotation)

    def _is_like(self, value: Any) -> bool:
        """Whether a value is of a class with the same JSON, such as a ``PurePath`` for a path."""
        row = row_of(type(value))
        return row is not None and row.label == self.row.label

    def with_numbers(self) -> Node:
        """A decimal with a bound may also be a number: bounds do not apply to strings."""
        return DecimalOrNumber(self) if self.row.is_number else self


_ANY_BYTES = (bytes, bytearray, memoryview)
"""The classes of bytes, each of which is accepted for another one in results."""


class DecimalOrNumber(Scalar):
    """A decimal that is a string or a number in JSON."""

    __slots__ = ("text",)
    kinds: frozenset[type] = frozenset({str, int, float})

    def __init__(self, text: StringForm) -> None:
        super().__init__(text.annotation)
        self.text: StringForm = text

    @property
    def label(self) -> str:  # type: ignore[override]
        """A number, or what the string is."""
        return either(["a number", self.text.label])

    def load(self, json: Any, run: Loading) -> Any:
        """The decimal."""
        if type(json) is int or type(json) is float:
            return construct(json, self.cls, repr(json) if type(json) is float else json)
        return self.text.load(json, run) if type(json) is str else refuse_kind(self, json)

    def dump(self, value: Any, run: Dumping) -> Any:
        """The string for a decimal."""
        return self.text.dump(value, run)


# -- ready-made nodes --------------------------------------------------------------------------

PLAIN: dict[int, Scalar] = {
    id(str): STRING,
    id(int): INTEGER,
    id(float): NUMBER,
    id(bool): BOOLEAN,
    id(None): NULL,
    id(type(None)): NULL,
    **{id(cls): StringForm(cls, row) for cls in _ANY_BYTES for row in (row_of(cls),) if row},
}
"""The nodes of the most common types by ``id()``, because ``==`` and ``hash`` of an annotation may
be user code."""

FORMS: dict[int, Scalar] = {
    id(LiteralString): Text(LiteralString, str),
    id(AnyStr): AnyText(AnyStr, str),
    id(AnyNumber): AnyNumber(float, (float, int)),
}
"""The nodes of the forms of ``typing`` that mean a string, and of what means any number."""
