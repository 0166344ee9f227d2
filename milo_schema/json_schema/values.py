"""JSON values: check and copy those of the classes that JSON has in Python, and compare them.

A value of any other class becomes JSON by the node of its annotation.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache
from sys import float_info
from types import BuiltinFunctionType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any, NoReturn

from milo_schema.annotations.classes import USER_CODE_ERRORS, bare_name, mro, repr_of_error
from milo_schema.annotations.forms import display
from milo_schema.errors import SchemaError

MAX_JSON_DEPTH = 200
"""The deepest nesting of JSON, in and out: it fits into Python's stack, and real JSON is less deep.

So no value may take more than four frames for each level, on the way in or out.
"""
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
        is_exact: Whether subclasses, and keys that are not strings, are refused.
    """

    __slots__ = ("_parts", "depth", "most")
    checks_text: bool = True
    is_exact: bool = False

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


class Exact(Budget):
    """The limits of a value that must be what JSON itself would be in Python."""

    __slots__ = ()
    is_exact: bool = True


def to_json(value: Any, budget: Budget | None = None) -> Any:
    """A fresh copy of JSON; a tuple becomes an array, and a subclass is its base.

    Raises:
        NotJSONError: It is not JSON: NaN, an object of another class, a cycle.
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
    copy = _COPIERS.get(id(kind))
    if copy is None and not budget.is_exact:
        copy = next(filter(None, map(_COPIERS.get, map(id, mro(kind)))), None)
    if copy is None:
        raise NotJSONError(object_of(kind))
    try:
        return copy(value, budget)
    except NotJSONError:
        raise
    except USER_CODE_ERRORS as problem:  # the items of a subclass are user code
        raise NotJSONError(f"{object_of(kind)}, which raised {repr_of_error(problem)}") from problem


def exactly_json(value: Any) -> Any:
    """``to_json()`` for a value without subclasses, and keys that are not strings.

    Raises:
        NotJSONError: It is not JSON, or it has any of these.
    """
    return to_json(value, Exact())


def checked_text(text: str) -> str:
    """Text that can be written as UTF-8, which JSON requires (RFC 8259, section 8.1).

    Raises:
        NotJSONError: It has a lone surrogate.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NotJSONError(f"text with a lone surrogate, {display(text)},") from None
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


def object_of(kind: type) -> str:
    """A noun for the objects of a class."""
    if issubclass(kind, type):
        return "a class"
    return _NOUNS.get(kind) or f"an instance of {bare_name(kind)}"


_NOUNS: dict[type, str] = {
    list: "a list",
    tuple: "a tuple",
    dict: "a dict",
    set: "a set",
    FunctionType: "a function",
    BuiltinFunctionType: "a function",
    MethodType: "a method",
    ModuleType: "a module",
}


def parse_json(
    text: str, parse_float: Callable[[str], Any] | None = None, *, strict: bool = True
) -> Any:
    """The JSON in a string, without NaN and Infinity, which are not JSON.

    Args:
        text: The string.
        parse_float: Reads a number with a fraction or an exponent.
        strict: Whether to refuse line breaks, and other control characters, in strings.

    Raises:
        ValueError: It is not JSON.
    """
    from json import loads

    return loads(text, parse_constant=_refuse_constant, parse_float=parse_float, strict=strict)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _whole(value: int, _room: Budget) -> int:
    if int.bit_length(value) > MAX_BITS:
        raise NotJSONError(f"a whole number of more than {MAX_BITS:,} bits")
    return int.__int__(value)


def _number(value: float, _room: Budget) -> float:
    number = float.__float__(value)
    if not -INFINITY < number < INFINITY:
        raise NotJSONError(f"the number {number}")
    return number


def _text(value: str, room: Budget) -> str:
    text = str.__str__(value)
    return checked_text(text) if room.checks_text else text


def _array(values: Iterable[Any], budget: Budget) -> list[Any]:
    return [to_json(value, budget) for value in budget.each(values)]


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
    if type(key) is str and key.isascii():
        return key
    name = to_json(key, budget)
    if type(name) is bool:
        name = "true" if name else "false"
    is_exact = budget is not None and budget.is_exact
    if type(name) not in (str, int) or (is_exact and type(key) is not str):
        raise NotJSONError(f"a key of class {bare_name(type(key))}")
    return str(name)


_COPIERS: dict[int, Callable[[Any, Budget], Any]] = {
    id(str): _text,
    id(int): _whole,
    id(float): _number,
    id(list): _array,
    id(tuple): _array,
    id(dict): _object,
    id(MappingProxyType): lambda values, budget: _object(dict(values), budget),
}
"""The function that copies the values of each class, and of its subclasses."""


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
    """A key that values share if they are equal in JSON Schema, such as ``1`` and ``1.0``.

    A caller can choose large numbers with one hash; that of a string is different in each process.
    """
    kind = type(value)
    if (kind is int or kind is float) and not -ORDINARY < value < ORDINARY:
        return ("number", hex(int(value)) if kind is int or value.is_integer() else value)
    if type(value) is list:
        return ("array", *map(json_key, value))
    if type(value) is dict:
        return ("object", frozenset((name, json_key(item)) for name, item in value.items()))
    return ("boolean", value) if type(value) is bool else value


def entries(value: Any) -> Iterable[tuple[Any, Any]]:
    """The properties of an object or the items of an array, each with its name or its index."""
    return value.items() if type(value) is dict else enumerate(value)


def with_part(value: Any, key: str | int, part: Any) -> Any:
    """A copy of an object or an array with another property or item."""
    found = value.copy()
    found[key] = part
    return found


def serialized(json: Any) -> str:
    """A JSON value as text."""
    return _encode()(json)


@cache
def _encode() -> Callable[[Any], str]:
    """The function that writes JSON, made once: ``json.dumps()`` makes one for each value."""
    from json import JSONEncoder

    return JSONEncoder(ensure_ascii=False, allow_nan=False).encode
