"""Checks of values that no keyword of JSON Schema can express: calls make them."""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from typing import Any

from milo_schema.annotations.classes import is_any, loaded, local_name, shorten
from milo_schema.annotations.forms import display
from milo_schema.json_schema.sentences import describe
from milo_schema.nodes.base import Refusal, construct, refuse
from milo_schema.nodes.scalar_types import row_of


class PythonCheck:
    """A check of a Python value.

    Attributes:
        must: The requirement, as a message states it.
        check: Whether a value meets it.
        classes: The classes of the values that it is for; empty for a function of users.
        facts: The keyword that comes closest, and its value, for programs.
    """

    __slots__ = ("check", "classes", "facts", "must")

    def __init__(
        self, must: str, check: Callable[[Any], Any], *classes: type, **facts: Any
    ) -> None:
        self.must: str = must
        self.check: Callable[[Any], Any] = check
        self.classes: tuple[type, ...] = classes
        self.facts: dict[str, Any] = facts

    def refusal(self, value: Any, json: Any) -> Refusal | None:
        """Why a value is refused, if it is."""
        if self.classes and not isinstance(value, self.classes):
            return None
        found = construct(json, self.check, value)
        if type(found) is Refusal:
            return found
        return None if found else refuse(f"{self.must}, got {describe(json)}", json, **self.facts)


class PythonOnlyMarkerError(ValueError):
    """Raised for a marker that only a call can check.

    Attributes:
        check: The check.
    """

    def __init__(self, check: PythonCheck, *reason: str) -> None:
        super().__init__(*reason)
        self.check: PythonCheck = check


def matching(pattern: Any) -> PythonCheck:
    """The check that a string matches a compiled pattern."""
    must = f"must match {shorten(repr(pattern), 200)}"
    return PythonCheck(must, pattern.search, str, keyword="pattern", limit=pattern.pattern)


def satisfying(predicate: Callable[[Any], Any]) -> PythonCheck:
    """The check that a predicate is true."""
    is_named = is_any(type(predicate), _NAMED)  # no other object is asked for its name
    name = local_name(predicate.__qualname__) if is_named else display(predicate)
    return PythonCheck(f"must satisfy {name}", predicate, code="refused")


_NAMED = (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType)


_COMPARED: dict[str, tuple[Callable[[Any, Any], Any], str, str]] = {
    "Gt": (operator.gt, "more than", "exclusiveMinimum"),
    "Ge": (operator.ge, "at least", "minimum"),
    "Lt": (operator.lt, "less than", "exclusiveMaximum"),
    "Le": (operator.le, "at most", "maximum"),
}


def bounded(name: str, bound: Any) -> PythonCheck:
    """The check of a date, a time or a duration against the bound of a marker.

    Python compares dates only with dates, and times with an offset only with others: anything else
    is out of bounds.
    """
    compare, words, keyword = _COMPARED[name]

    def is_within(value: Any) -> Any:
        try:
            return compare(value, bound)
        except TypeError:
            return False

    row: Any = row_of(type(bound))
    limit = row.write(bound)
    is_naive = hasattr(bound, "tzinfo") and bound.tzinfo is None
    must = f"must {'have no UTC offset and ' if is_naive else ''}be {words} {limit}"
    is_date = isinstance(bound, loaded("datetime.date"))
    kind = loaded("datetime.date") if is_date else type(bound)
    return PythonCheck(must, is_within, kind, keyword=keyword, limit=limit)


def finite() -> PythonCheck:
    """The check that a ``Decimal`` is neither infinite nor NaN."""
    cls: Any = loaded("decimal.Decimal")
    return PythonCheck("must be finite", cls.is_finite, cls, code="out-of-bounds")


def in_timezone(tz: Any) -> PythonCheck:
    """The check of the UTC offset of a date and time: none, any, or that of a time zone.

    Raises:
        ValueError: There is no such time zone.
    """
    if tz is None:
        must, check = "must have no UTC offset", lambda value: value.utcoffset() is None
    elif tz is ...:
        must, check = "must have a UTC offset", lambda value: value.utcoffset() is not None
    else:
        zone = _zone(tz) if type(tz) is str else tz
        must = f"must have the UTC offset of {tz}"

        def check(value: Any) -> Any:
            return value.utcoffset() == zone.utcoffset(value.replace(tzinfo=None))

    return PythonCheck(must, check, loaded("datetime.datetime"), code="wrong-format")


def _zone(name: str) -> Any:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("there is no time zone of that name") from None
