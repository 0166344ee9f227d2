"""A Python value as a JSON value, or the fact that it is none.

Strategy: by the exact type of the value first, then by the kinds that have an agreed spelling:
the mirror image of what the rules say of their annotations.
"""

from __future__ import annotations

import math
from typing import Any

from milo_schema.hints import RAISED, bare_name, inherits, is_any, loaded, mro, static, told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_DEPTH = 64
"""How deep a value may be nested; one that contains itself is deeper."""
MAX_BITS = 14_000
"""How large a whole number may be: 4,300 digits are all that Python reads and writes."""


class NotJSONError(ValueError):
    """A value that JSON cannot say; the message is what it is."""


def to_json(value: Any, depth: int = MAX_DEPTH) -> Any:
    """A fresh JSON value that says what *value* says.

    Raises:
        NotJSONError: There is none: NaN, an object of no known kind, a cycle.
    """
    kind = type(value)
    if value is None or kind is str or kind is bool:
        return value
    if kind is int and -_ORDINARY < value < _ORDINARY:
        return value
    if kind is float and math.isfinite(value):
        return value
    if depth == 0:
        raise NotJSONError("a value nested too deeply, or inside itself")
    try:
        return _converter(kind)(value, depth - 1)
    except NotJSONError:
        raise
    except RAISED as problem:
        raise NotJSONError(f"{_object_of(kind)}, which raised {told(problem)}") from problem


_ORDINARY = 1 << 64
"""Whole numbers up to here need no closer look."""


def _converter(kind: type) -> Callable[[Any, int], Any]:
    """How a value of a class is said in JSON; a subclass as its base."""
    if inherits(kind, loaded("enum.Enum")):
        return lambda member, depth: to_json(member._value_, depth)
    for base in mro(kind)[:-1]:
        for dotted, convert in CONVERTERS.items():
            if loaded(dotted) is base:
                return convert
    if static(kind, "__dataclass_fields__") is not None:
        return _dataclass
    raise NotJSONError(_object_of(kind))


def _object_of(kind: type) -> str:
    return f"an object of class {bare_name(kind)}"


def exactly_json(value: Any) -> Any:
    """*value* as JSON, if it is what JSON has, not what JSON can only spell: no date, no bytes.

    Raises:
        NotJSONError: It is not.
    """
    if type(value) is str:
        return value
    if type(value) is int and -_ORDINARY < value < _ORDINARY:
        return value
    value = value._value_ if is_member(value) else value
    if not any(inherits(type(value), base) for base in _JSON_BASES):
        raise NotJSONError(_object_of(type(value)))
    json = to_json(value)
    for sequence in (list, tuple):
        if inherits(type(value), sequence):
            for item in sequence.__iter__(value):
                exactly_json(item)
    return json


_JSON_BASES = (type(None), str, int, float, list, tuple, dict)


def is_spelled(value: Any) -> bool:
    """Whether JSON Schema's format of a date, time or duration admits what JSON has of *value*.

    RFC 3339 has no time without offset, and its durations have no sign and no fraction.
    """
    kind = type(value)
    if is_any(kind, (list, tuple, set, frozenset)):
        return all(map(is_spelled, value))
    if kind is dict:
        return all(map(is_spelled, value.values()))
    if inherits(kind, loaded("datetime.datetime")) or inherits(kind, loaded("datetime.time")):
        return value.tzinfo is not None
    if inherits(kind, loaded("datetime.timedelta")):
        return value.days >= 0 and not value.microseconds
    return True


def is_member(value: Any) -> bool:
    """Whether *value* is a member of an Enum."""
    return inherits(type(value), loaded("enum.Enum"))


def _whole(value: int, _depth: int) -> int:
    if int.bit_length(value) > MAX_BITS:
        raise NotJSONError(f"a whole number of more than {MAX_BITS:,} bits")
    return int.__int__(value)


def _number(value: float, _depth: int) -> float:
    if not math.isfinite(value):
        raise NotJSONError(f"the number {value}")
    return float.__float__(value)


def _array(values: Iterable[Any], depth: int) -> list[Any]:
    return [to_json(value, depth) for value in values]


def _set(values: Iterable[Any], depth: int) -> list[Any]:
    """A set has no order; a schema must have the same bytes under every hash seed."""
    items = _array(values, depth)
    return sorted(items, key=lambda item: (type(item).__name__, _sortable(item)))


def _sortable(item: Any) -> Any:
    return item if type(item) in (int, float, str) else repr(item)


def _object(values: dict[Any, Any], depth: int) -> dict[str, Any]:
    return {to_key(key, depth): to_json(value, depth) for key, value in dict.items(values)}


def to_key(key: Any, depth: int = MAX_DEPTH) -> str:
    """A mapping's key as JSON writes it: a string.

    Raises:
        NotJSONError: The key is nothing that a string can stand for.
    """
    name = to_json(key, depth)
    if type(name) is bool:
        return "true" if name else "false"
    if type(name) not in (str, int):
        raise NotJSONError(f"a key of class {bare_name(type(key))}")
    return str(name)


def _bytes(value: bytes, _depth: int) -> str:
    import base64

    return base64.b64encode(value).decode()


def _iso(value: Any, _depth: int) -> str:
    text: str = value.isoformat()
    return text


def _duration(value: Any, _depth: int) -> str:
    """ISO 8601, as RFC 3339 appendix A has it: ``P1DT2.5S``."""
    sign, value = ("-", -value) if value.days < 0 else ("", value)
    seconds = f"{value.seconds}.{value.microseconds:06}".rstrip("0").rstrip(".")
    return f"{sign}P{value.days}DT{seconds}S"


def _text(value: Any, _depth: int) -> str:
    return str(value)


def _dataclass(value: Any, depth: int) -> dict[str, Any]:
    names = static(type(value), "__dataclass_fields__")
    return {
        name: to_json(getattr(value, name), depth)
        for name, field in names.items()
        if field._field_type is loaded("dataclasses._FIELD")  # no ClassVar, no InitVar
    }


CONVERTERS: dict[str, Callable[[Any, int], Any]] = {
    "builtins.str": lambda value, _: str.__str__(value),
    "builtins.int": _whole,
    "builtins.float": _number,
    "builtins.list": _array,
    "builtins.tuple": _array,
    "builtins.set": _set,
    "builtins.frozenset": _set,
    "builtins.dict": _object,
    "builtins.bytes": _bytes,
    "builtins.bytearray": _bytes,
    "collections.deque": _array,
    "types.MappingProxyType": lambda value, depth: _object(dict(value), depth),
    "datetime.date": _iso,
    "datetime.time": _iso,
    "datetime.timedelta": _duration,
    "uuid.UUID": _text,
    "decimal.Decimal": _text,
    "pathlib.PurePath": _text,
    "ipaddress._IPAddressBase": _text,
    "zoneinfo.ZoneInfo": _text,
    "re.Pattern": lambda value, depth: to_json(value.pattern, depth),
    "pydantic.main.BaseModel": lambda value, depth: to_json(
        value.model_dump(mode="json", by_alias=True), depth
    ),
}
"""How a value of each class is said in JSON; a subclass as its base."""


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
