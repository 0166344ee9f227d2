"""Convert Python values to JSON, or explain why they have no JSON.

Strategy: a table by class, which mirrors the rules for annotations; a subclass is converted like
its base.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from sys import float_info
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, NoReturn

from milo_schema.annotations.classes import (
    USER_CODE_ERRORS,
    bare_name,
    inherits,
    is_any,
    loaded,
    mro,
    repr_of_error,
    static,
)
from milo_schema.annotations.display import display
from milo_schema.errors import SchemaError
from milo_schema.json_schema.scalars import own_row_of, row_of

MAX_DEPTH = 64
"""The deepest nesting of a value; a value that contains itself exceeds it."""
MAX_COPIED_DEPTH = 200
"""The same for JSON that is only copied: schemas of 64 records in each other have 133 levels."""
MAX_PARTS = 50_000
"""The most items and properties in total; a shared part counts each time that it occurs."""
MAX_COPIED_PARTS = 1_000_000
"""The same for JSON that is only copied."""
MAX_BITS = 14_000
"""The most bits of an integer: Python reads and writes at most 4,300 digits."""

INFINITY = float("inf")
LOWEST = -INFINITY
GREATEST = float_info.max


class NotJSONError(ValueError):
    """Raised for a value that JSON cannot represent; the message describes the value."""


class Budget:
    """The limits that are left for a value: levels from here on, and parts in total.

    Attributes:
        depth: The levels.
        most: The most parts.
        checks_text: Whether text must be valid; that of others is copied as it is.
    """

    __slots__ = ("_parts", "depth", "most")
    checks_text: bool = True

    def __init__(
        self, depth: int = MAX_DEPTH, most: int | None = None, parts: list[int] | None = None
    ) -> None:
        self.depth: int = depth
        self.most: int = MAX_PARTS if most is None else most
        self._parts: list[int] = [self.most] if parts is None else parts

    def inside(self) -> Budget:
        """The budget one level deeper; the parts are shared."""
        return type(self)(self.depth - 1, self.most, self._parts)

    def each(self, values: Iterable[Any]) -> Iterator[Any]:
        """The values, as long as the budget lasts."""
        for value in values:
            self._parts[0] -= 1
            if self._parts[0] < 0:
                raise NotJSONError(f"a value of more than {self.most:,} parts")
            yield value


class Copy(Budget):
    """The limits of JSON that is only copied."""

    __slots__ = ()
    checks_text: bool = False


def to_json(value: Any, budget: Budget | None = None) -> Any:
    """Convert a value to fresh JSON.

    Raises:
        NotJSONError: It has no JSON: NaN, an object of an unknown class, a cycle.
    """
    kind = type(value)
    if kind is str:
        is_checked = budget is None or budget.checks_text
        return checked_text(value) if is_checked and not value.isascii() else value
    if value is None or kind is bool:
        return value
    if kind is int and -ORDINARY < value < ORDINARY:
        return value
    if kind is float and -INFINITY < value < INFINITY:
        return value
    budget = Budget() if budget is None else budget.inside()
    if budget.depth < 0:
        raise NotJSONError("a value nested too deeply, or inside itself")
    try:
        return _converter(kind)(value, budget)
    except NotJSONError:
        raise
    except USER_CODE_ERRORS as problem:
        raise NotJSONError(
            f"{_object_of(kind)}, which raised {repr_of_error(problem)}"
        ) from problem


def checked_text(text: str) -> str:
    """Text that can be written as UTF-8, which JSON requires (RFC 8259, section 8.1).

    Raises:
        NotJSONError: It has half of a surrogate pair.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NotJSONError(f"text with half of a surrogate pair, {display(text)},") from None
    return text


def copied(value: Any) -> Any:
    """``to_json()`` for what should be JSON already, and may be large."""
    return to_json(value, Copy(MAX_COPIED_DEPTH, MAX_COPIED_PARTS))


def copied_part(value: Any, what: str, path: str) -> Any:
    """``copied()`` for *what* that others wrote, such as ``"input schema"``.

    Raises:
        SchemaError: It has no JSON; the message names the part that has none.
    """
    try:
        return copied(value)
    except NotJSONError as problem:
        reason = f"{problem} in the {what} cannot be written as JSON"
        raise SchemaError(reason, path) from problem


ORDINARY = 1 << 64
LEAST = -ORDINARY
"""Integers between them need no check."""


def _converter(kind: type) -> Callable[[Any, Budget], Any]:
    """The function that converts the values of a class to JSON: that of the nearest base class."""
    if id(kind) in _BUILTIN:
        return _BUILTIN[id(kind)]
    if inherits(kind, loaded("enum.Enum")):
        return lambda member, budget: to_json(member._value_, budget)
    for base in mro(kind)[:-1]:
        if id(base) in _BUILTIN:
            return _BUILTIN[id(base)]
        if row := own_row_of(base):
            return lambda value, _: row.write(value)
        for dotted, convert in NAMED.items():
            if loaded(dotted) is base:
                return convert
    if type(static(kind, "__dataclass_fields__")) is dict:
        return _dataclass
    raise NotJSONError(_object_of(kind))


def _object_of(kind: type) -> str:
    if issubclass(kind, type):
        return "a class"
    return _NOUNS.get(kind) or f"an instance of {bare_name(kind)}"


def not_json(value: Any, problem: NotJSONError) -> str:
    """A phrase for a value that cannot be written, with the part that cannot, if it has parts."""
    has_parts = static(type(value), "__dataclass_fields__") or type(value) in _CONTAINERS
    return f"{_object_of(type(value))} with {problem}" if has_parts else str(problem)


_CONTAINERS: dict[type, str] = {list: "a list", tuple: "a tuple", dict: "a dict", set: "a set"}
_NOUNS: dict[type, str] = {
    **_CONTAINERS,
    FunctionType: "a function",
    BuiltinFunctionType: "a function",
    MethodType: "a method",
    ModuleType: "a module",
}


def parse_json(text: str) -> Any:
    """The JSON in a string, without NaN and Infinity, which are not JSON.

    Raises:
        ValueError: It is not JSON.
    """
    from json import loads

    return loads(text, parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def exactly_json(value: Any) -> Any:
    """Convert a value that consists of JSON's own types only: no date, no bytes.

    Raises:
        NotJSONError: It has a value of another type.
    """
    if type(value) is str:
        return value if value.isascii() else checked_text(value)
    if type(value) is int and -ORDINARY < value < ORDINARY:
        return value
    json = to_json(value)
    _refuse_spelled(value)
    return json


def _refuse_spelled(value: Any) -> None:
    """Refuse a value, which ``to_json()`` accepted, if a part of it is not a type of JSON."""
    value = value._value_ if is_member(value) else value
    kind = type(value)
    if not any(inherits(kind, base) for base in _JSON_BASES):
        raise NotJSONError(_object_of(kind))
    for container, items in _ITEMS:
        if inherits(kind, container):
            for item in items(value):
                _refuse_spelled(item)


_ITEMS: tuple[tuple[type, Callable[[Any], Iterable[Any]]], ...] = (
    (list, list.__iter__),
    (tuple, tuple.__iter__),
    (dict, dict.values),
)
_JSON_BASES = (type(None), str, int, float, *(container for container, _ in _ITEMS))


def fits_format(value: Any) -> bool:
    """Whether the JSON of *value* is valid for the format of its type.

    In RFC 3339, a time has an offset, and a duration has neither a sign nor a fraction.
    """
    kind = type(value)
    if is_any(kind, (list, tuple, set, frozenset)):
        return all(map(fits_format, value))
    if kind is dict:
        return all(map(fits_format, value.values()))
    row = None if id(kind) in _BUILTIN else row_of(kind)
    return row is None or row.fits_format(value)


def is_member(value: Any) -> bool:
    """Whether *value* is a member of an Enum."""
    return inherits(type(value), loaded("enum.Enum"))


def is_sentinel(value: Any) -> bool:
    """Whether *value* is the only member of an Enum whose members are neither text nor numbers."""
    cls = type(value)
    if not is_member(value) or any(inherits(cls, base) for base in (str, int, float, bytes)):
        return False
    return len(static(cls, "_member_names_")) == 1


def _whole(value: int, _room: Budget) -> int:
    if int.bit_length(value) > MAX_BITS:
        raise NotJSONError(f"a whole number of more than {MAX_BITS:,} bits")
    return int.__int__(value)


def _number(value: Any, _room: Budget) -> int | float:
    if not -INFINITY < value < INFINITY:
        raise NotJSONError(f"the number {value}")
    return float.__float__(value)


def _array(values: Iterable[Any], budget: Budget) -> list[Any]:
    return [to_json(value, budget) for value in budget.each(values)]


def _set(values: Iterable[Any], budget: Budget) -> list[Any]:
    """A sorted list: a set has no order, but a schema must not depend on the hash seed."""
    return sorted_json(_array(values, budget))


def sorted_json(items: Iterable[Any]) -> list[Any]:
    """JSON values in an order that does not depend on the hash seed."""
    return sorted(items, key=lambda item: (type(item).__name__, _sortable(item)))


def _sortable(item: Any) -> Any:
    return item if type(item) in (int, float, str) else repr(item)


def _object(values: dict[Any, Any], budget: Budget) -> dict[str, Any]:
    items = budget.each(dict.items(values))
    return {to_key(key, budget): to_json(value, budget) for key, value in items}


def to_key(key: Any, budget: Budget | None = None) -> str:
    """Convert the key of a mapping to a string.

    Raises:
        NotJSONError: The key cannot be represented by a string.
    """
    name = to_json(key, budget)
    if type(name) is bool:
        return "true" if name else "false"
    if type(name) not in (str, int):
        raise NotJSONError(f"a key of class {bare_name(type(key))}")
    return str(name)


def _dataclass(value: Any, budget: Budget) -> dict[str, Any]:
    names = static(type(value), "__dataclass_fields__")
    return {
        name: to_json(getattr(value, name), budget)
        for name, field in budget.each(names.items())
        if field._field_type is loaded("dataclasses._FIELD")  # neither ClassVar nor InitVar
    }


CONVERTERS: dict[type, Callable[[Any, Budget], Any]] = {
    str: lambda value, _: str.__str__(value),
    int: _whole,
    float: _number,
    list: _array,
    tuple: _array,
    set: _set,
    frozenset: _set,
    dict: _object,
}
"""The function that converts the values of each class, and of its subclasses."""

_BUILTIN = {id(kind): convert for kind, convert in CONVERTERS.items()}

NAMED: dict[str, Callable[[Any, Budget], Any]] = {
    "collections.deque": _array,
    "collections.UserList": lambda value, budget: to_json(value.data, budget),
    "collections.UserDict": lambda value, budget: to_json(value.data, budget),
    "collections.ChainMap": lambda value, budget: _object(dict(value), budget),
    "types.MappingProxyType": lambda value, budget: _object(dict(value), budget),
    "builtins.frozendict": lambda value, budget: _object(dict(value), budget),  # PEP 814
    "numpy.generic": lambda value, budget: to_json(value.item(), budget),
    "pydantic.main.BaseModel": lambda value, budget: to_json(
        value.model_dump(mode="json", by_alias=True), budget
    ),
}
"""The same for classes by dotted name, which are found if their module is loaded.

The rows about numpy and pydantic are the only ones outside of ``libraries``, a higher stage. Their
objects may occur anywhere in a value, so every caller would have to pass the rows; and a table that
other modules extend would be hidden state: the JSON of a value would depend on earlier imports.
"""


def json_type(value: Any) -> str:
    """The JSON Schema type of a JSON value."""
    return _JSON_TYPES[type(value)]


_JSON_TYPES = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}

CLASSES: dict[str, frozenset[type]] = {
    name: frozenset({kind}) for kind, name in _JSON_TYPES.items()
}
CLASSES["integer"] = CLASSES["number"] = frozenset({int, float})
"""The classes of the JSON values of each type; 1.0 is an integer, too."""


def json_key(value: Any) -> Hashable:
    """A key that values share if they are equal in JSON Schema, such as ``1`` and ``1.0``."""
    if type(value) is list:
        return ("array", *map(json_key, value))
    if type(value) is dict:
        return ("object", frozenset((name, json_key(item)) for name, item in value.items()))
    return ("boolean", value) if type(value) is bool else value


def serialized(json: Any) -> str:
    """A JSON value as text."""
    from json import dumps

    return dumps(json, ensure_ascii=False, allow_nan=False)
