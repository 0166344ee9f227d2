"""Loaders of single strings, numbers, booleans and null, and of listed values."""

from __future__ import annotations

from milo_schema.annotations import Any, Arguments, Iterable
from milo_schema.annotations.classes import inherits, loaded, mro, static
from milo_schema.annotations.forms import split
from milo_schema.decoding.loader import (
    CHOICE,
    Loader,
    Refused,
    Run,
    choices,
    construct,
    described,
    meant,
    quoted,
    refused,
    wrong,
)
from milo_schema.decoding.texts import TEXT, text_loader
from milo_schema.json_schema.values import INFINITY, NotJSONError, exactly_json, json_key
from milo_schema.schemas.walk import Walk

_NONE_TYPE = type(None)
NUMBERS = frozenset({int, float})


# -- types that JSON has -----------------------------------------------------------------------


def _load_str(json: Any, run: Run) -> Any:
    if type(json) is not str:
        return wrong(STRING, json, run)
    if not json.isascii():
        try:
            json.encode()
        except UnicodeEncodeError:
            return refused(
                f"{described(json)} contains half of a surrogate pair, so it is not valid text"
            )
    return json


def _load_int(json: Any, run: Run) -> Any:
    if type(json) is int:
        return json
    if type(json) is float and json.is_integer():  # 1.0 is an integer (JSON Schema, 4.2.3)
        return int(json)
    return wrong(INTEGER, json, run)


def _load_float(json: Any, run: Run) -> Any:
    if type(json) is float and -INFINITY < json < INFINITY:
        return json
    if type(json) is int:
        try:
            return float(json)
        except OverflowError:
            return refused("expected a number, got one that is too large for a float")
    return wrong(NUMBER, json, run)


def _load_bool(json: Any, run: Run) -> Any:
    return json if type(json) is bool else wrong(BOOLEAN, json, run)


def _load_none(json: Any, run: Run) -> Any:
    return None if json is None else wrong(NULL, json, run)


STRING = Loader(TEXT, "a string", _load_str)
INTEGER = Loader(NUMBERS, "an integer", _load_int)
INTEGER.exact = int
NUMBER = Loader(NUMBERS, "a number", _load_float)
NUMBER.exact = float
BOOLEAN = Loader(frozenset({bool}), "true or false", _load_bool)
NULL = Loader(frozenset({_NONE_TYPE}), "null", _load_none)

PLAIN: dict[Any, Loader] = {
    str: STRING,
    int: INTEGER,
    float: NUMBER,
    bool: BOOLEAN,
    None: NULL,
    _NONE_TYPE: NULL,
}
"""The loaders of the types that JSON has."""

BY_IDENTITY = {id(tp): loader for tp, loader in PLAIN.items()}
"""The same by ``id()``, because ``==`` and ``hash`` of an annotation may be user code."""


def scalar(tp: Any, _args: Arguments, _walk: Walk) -> Loader:
    """The loader of a scalar, found by its class or by a base class."""
    head, _ = split(tp)
    if (loader := BY_IDENTITY.get(id(head))) is not None:
        return loader
    if not issubclass(type(head), type):  # LiteralString
        return STRING
    plain = next((BY_IDENTITY[id(base)] for base in mro(head) if id(base) in BY_IDENTITY), None)
    return text_loader(head) or (STRING if plain is None else _derived(head, plain))


def string(_tp: Any, _args: Arguments, _walk: Walk) -> Loader:
    """``AnyStr``."""
    return STRING


def boolean(_tp: Any, _args: Arguments, _walk: Walk) -> Loader:
    """``TypeIs[T]``."""
    return BOOLEAN


def _derived(cls: Any, plain: Loader) -> Loader:
    """A subclass of ``str``, ``int`` or another type of JSON: its constructor gets the value."""
    loader = Loader(plain.kinds, plain.label)
    loader.exact = plain.exact

    def load(json: Any, run: Run) -> Any:
        value = plain.load(json, run)
        return value if type(value) is Refused else construct(cls, value)

    loader.load = load
    return loader


# -- listed values -----------------------------------------------------------------------------


def literal(_tp: Any, args: Arguments, _walk: Walk) -> Loader | None:
    """``Literal[...]``: the values; a member of an Enum is given by its value."""
    return _one_of([(arg, arg) for arg in args])


def enumeration(tp: Any, _args: Arguments, _walk: Walk) -> Loader | None:
    """An Enum: the member with the value. A Flag: the combination of bits."""
    cls, _ = split(tp)
    if inherits(cls, loaded("enum.Flag")):
        return _flag(cls)
    members = static(cls, "_member_map_", {})
    names = static(cls, "_member_names_", ())
    return _one_of([(members[name]._value_, members[name]) for name in names])


def _one_of(pairs: Iterable[tuple[Any, Any]]) -> Loader | None:
    """A loader for listed values, by their JSON; ``None`` if one of them has no JSON."""
    found: dict[Any, Any] = {}
    kinds: set[type] = set()
    names: list[str] = []
    try:
        for value, member in pairs:
            json = exactly_json(value)
            kinds |= NUMBERS if type(json) in NUMBERS else {type(json)}
            names.append(quoted(json) if type(json) is str else described(json))
            found.setdefault(json_key(json), member)
    except NotJSONError:
        return None
    if not found:
        return None
    loader = Loader(frozenset(kinds), f"one of {choices(names)}", turn=CHOICE)
    words = [key for key in found if type(key) is str]

    def load(json: Any, run: Run) -> Any:
        if type(json) not in loader.kinds:
            return wrong(loader, json, run)
        key = json_key(json)
        if key in found:
            return found[key]
        near = meant(json, words) if type(json) is str else ""
        return refused(f"expected {loader.label}, got {described(json)}{near}")

    loader.load = load
    return loader


def _flag(cls: Any) -> Loader:
    mask = static(cls, "_flag_mask_")
    loader = Loader(NUMBERS, f"an integer from 0 to {mask}")
    loader.exact = int

    def load(json: Any, run: Run) -> Any:
        if type(json) is str:
            return wrong(loader, json, run)
        value = INTEGER.load(json, run)
        if type(value) is int and 0 <= value <= mask:
            return construct(cls, value)
        return refused(f"expected {loader.label}, got {described(json)}")

    loader.load = load
    return loader
