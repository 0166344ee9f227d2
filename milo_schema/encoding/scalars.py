"""Dumpers of strings, numbers, booleans and null, of ``Literal`` and of Enums."""

from __future__ import annotations

import typing

from milo_schema.annotations import Any, Arguments, Callable
from milo_schema.annotations.classes import loaded
from milo_schema.annotations.display import display
from milo_schema.annotations.forms import split
from milo_schema.encoding.dumper import dump, expect, is_not, misfit
from milo_schema.json_schema.values import exactly_json, to_json
from milo_schema.schemas.walk import Walk

_CLASSES: dict[Any, Any] = {
    None: type(None),
    float: (float, int),
    typing.LiteralString: str,
    typing.AnyStr: (str, bytes),
    **dict.fromkeys((bytes, bytearray, memoryview), (bytes, bytearray, memoryview)),
}
"""The class of the values of an annotation that is not a class itself."""


def scalar(value: Any, tp: Any, _args: Arguments, walk: Walk) -> Any:
    """A value that is a single string, number, boolean or null."""
    head = _CLASSES.get(split(tp)[0], split(tp)[0])
    if not _is_instance(value, head):
        raise misfit(is_not(value, tp), tp, walk)
    for kind, convert in _CONVERTERS.items():
        if loaded(kind) is not None and issubclass(type(value), loaded(kind)):
            value = convert(value)
    return to_json(value)


def _is_instance(value: Any, head: Any) -> bool:
    if type(value) is bool:  # an int only in Python
        return head is bool
    if head is loaded("datetime.date") and issubclass(type(value), loaded("datetime.datetime")):
        return False  # a date in Python, but not in JSON
    return issubclass(type(value), head)


def _path(value: Any) -> str:
    from os import fsdecode

    return fsdecode(value)


_CONVERTERS: dict[str, Callable[[Any], Any]] = {"builtins.memoryview": bytes, "os.PathLike": _path}
"""Functions for classes that ``to_json()`` does not know."""


def boolean(value: Any, _tp: Any, _args: Arguments, walk: Walk) -> Any:
    """The result of a type guard."""
    return dump(value, bool, walk)


def literal(value: Any, tp: Any, args: Arguments, walk: Walk) -> Any:
    """One of the choices."""
    json = exactly_json(value)
    if not any(json == each and type(json) is type(each) for each in map(exactly_json, args)):
        raise misfit(f"{display(value)} is not one of {', '.join(map(display, args))}", tp, walk)
    return json


def enumeration(value: Any, tp: Any, _args: Arguments, walk: Walk) -> Any:
    """The value of a member of an Enum."""
    expect(value, split(tp)[0], tp, walk)
    return exactly_json(value)
