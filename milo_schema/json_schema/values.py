"""A Python value as a JSON value, or why there is none.

Strategy: by the exact type of the value first, then by the kinds that have an agreed spelling:
the mirror image of what the rules say of their annotations.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Callable, Hashable, Iterable, Iterator
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

MAX_DEPTH = 64
"""How deep a value may be nested; one that contains itself is deeper."""
MAX_PARTS = 50_000
"""How many items and properties it may have in total; one that shares its parts counts them anew
in each place."""
MAX_BITS = 14_000
"""How large a whole number may be: 4,300 digits are all that Python reads and writes."""

INFINITY = float("inf")

DECIMAL = r"^-?([0-9]+(\.[0-9]+)?(E[+-][0-9]+)?|Infinity|s?NaN[0-9]*)$"
"""What ``str(Decimal)`` writes."""


class NotJSONError(ValueError):
    """A value that JSON cannot say; the message is what it is."""


class Budget:
    """How much of a value is left to read: levels from here on, and parts in total."""

    __slots__ = ("_parts", "depth")

    def __init__(self, depth: int = MAX_DEPTH, parts: list[int | float] | None = None) -> None:
        self.depth: int = depth
        self._parts: list[int | float] = [MAX_PARTS] if parts is None else parts

    def inside(self) -> Budget:
        """The budget one level deeper, which shares the parts."""
        return Budget(self.depth - 1, self._parts)

    def each(self, values: Iterable[Any]) -> Iterator[Any]:
        """The values, as long as the budget lasts."""
        for value in values:
            self._parts[0] -= 1
            if self._parts[0] < 0:
                raise NotJSONError(f"a value of more than {MAX_PARTS:,} parts")
            yield value


def to_json(value: Any, budget: Budget | None = None) -> Any:
    """A fresh JSON value that says what *value* says.

    Raises:
        NotJSONError: There is none: NaN, an object of no known kind, a cycle.
    """
    kind = type(value)
    if value is None or kind is str or kind is bool:
        return value
    if kind is int and -_ORDINARY < value < _ORDINARY:
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


def copied(value: Any) -> Any:
    """``to_json()`` of what is known to be JSON, however large."""
    return to_json(value, Budget(parts=[INFINITY]))


_ORDINARY = 1 << 64
"""Whole numbers up to here need no closer look."""


def _converter(kind: type) -> Callable[[Any, Budget], Any]:
    """How a value of a class is said in JSON; a subclass as its base."""
    if id(kind) in _BUILTIN:
        return _BUILTIN[id(kind)]
    if inherits(kind, loaded("enum.Enum")):
        return lambda member, budget: to_json(member._value_, budget)
    for base in mro(kind)[:-1]:
        if id(base) in _BUILTIN:
            return _BUILTIN[id(base)]
        for dotted, convert in NAMED.items():
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
    json = to_json(value)
    _refuse_spelled(value)
    return json


def _refuse_spelled(value: Any) -> None:
    """See to it that a value, which ``to_json()`` took, has only parts that JSON has."""
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
    """A set has no order; a schema must have the same bytes under every hash seed."""
    items = _array(values, budget)
    return sorted(items, key=lambda item: (type(item).__name__, _sortable(item)))


def _sortable(item: Any) -> Any:
    return item if type(item) in (int, float, str) else repr(item)


def _object(values: dict[Any, Any], budget: Budget) -> dict[str, Any]:
    items = budget.each(dict.items(values))
    return {to_key(key, budget): to_json(value, budget) for key, value in items}


def to_key(key: Any, budget: Budget | None = None) -> str:
    """A mapping's key as JSON writes it: a string.

    Raises:
        NotJSONError: The key is nothing that a string can stand for.
    """
    name = to_json(key, budget)
    if type(name) is bool:
        return "true" if name else "false"
    if type(name) not in (str, int):
        raise NotJSONError(f"a key of class {bare_name(type(key))}")
    return str(name)


def _bytes(value: bytes, _room: Budget) -> str:
    import base64

    return base64.b64encode(value).decode()


def _iso(value: Any, _room: Budget) -> str:
    text: str = value.isoformat()
    return text


def _duration(value: Any, _room: Budget) -> str:
    """ISO 8601, as RFC 3339 appendix A has it: ``P1DT2.5S``."""
    sign, value = ("-", -value) if value.days < 0 else ("", value)
    seconds = f"{value.seconds}.{value.microseconds:06}".rstrip("0").rstrip(".")
    return f"{sign}P{value.days}DT{seconds}S"


def _text(value: Any, _room: Budget) -> str:
    return str(value)


def _dataclass(value: Any, budget: Budget) -> dict[str, Any]:
    names = static(type(value), "__dataclass_fields__")
    return {
        name: to_json(getattr(value, name), budget)
        for name, field in budget.each(names.items())
        if field._field_type is loaded("dataclasses._FIELD")  # no ClassVar, no InitVar
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
    bytes: _bytes,
    bytearray: _bytes,
}
"""How a value of each class is said in JSON; a subclass as its base."""

_BUILTIN = {id(kind): convert for kind, convert in CONVERTERS.items()}

NAMED: dict[str, Callable[[Any, Budget], Any]] = {
    "collections.deque": _array,
    "types.MappingProxyType": lambda value, budget: _object(dict(value), budget),
    "datetime.date": _iso,
    "datetime.time": _iso,
    "datetime.timedelta": _duration,
    "uuid.UUID": _text,
    "decimal.Decimal": _text,
    "pathlib.PurePath": _text,
    "ipaddress._IPAddressBase": _text,
    "zoneinfo.ZoneInfo": _text,
    "re.Pattern": lambda value, budget: to_json(value.pattern, budget),
    "pydantic.main.BaseModel": lambda value, budget: to_json(
        value.model_dump(mode="json", by_alias=True), budget
    ),
}
"""The same for classes that are found if their module is loaded.

The row about pydantic is the only one that is not in ``libraries``, which is above this stage. A
model may stand anywhere in a value, so every caller would have to hand it in; and a table that
others add to would be hidden state: a value's JSON would depend on what was imported before.
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
    """A key that is the same for values that are equal in JSON Schema: ``1`` and ``1.0``."""
    if type(value) is list:
        return ("array", *map(json_key, value))
    if type(value) is dict:
        return ("object", frozenset((name, json_key(item)) for name, item in value.items()))
    return ("boolean", value) if type(value) is bool else value
