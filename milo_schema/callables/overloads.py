"""The overloads of a function: which of its arguments a caller passes together."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from types import FunctionType
from typing import Any, NamedTuple, get_overloads

from milo_schema.callables.wrappers import is_partial, unwrap

_VARIADIC = 0x04 | 0x08  # inspect.CO_VARARGS and CO_VARKEYWORDS


class Overload(NamedTuple):
    """The names that one overload of a function requires, and all that it takes."""

    required: frozenset[str]
    taken: frozenset[str]

    def among(self, names: Callable[[str], str | None]) -> Overload:
        """The same with other names; one without is not passed by callers."""
        required, taken = (frozenset(filter(None, map(names, each))) for each in self)
        return Overload(required, taken)

    def fits(self, given: frozenset[str]) -> bool:
        """Whether a call may pass these names, and no others."""
        return self.required <= given <= self.taken


def overloads_of(func: Any) -> list[Overload]:
    """The overloads of a function, if they agree with it by name; otherwise none."""
    inside = None if is_partial(func) else unwrap(func)
    if inside is None:
        return []
    every = [_read(getattr(each, "__func__", each)) for each in get_overloads(inside)]
    whole = _read(inside)
    found = [each for each in every if each is not None and whole and each.taken <= whole.taken]
    return found if len(found) == len(every) else []


def _read(func: Any) -> Overload | None:
    """The names of a function; ``None`` if it takes any number of arguments."""
    if type(func) is not FunctionType or func.__code__.co_flags & _VARIADIC:
        return None
    code = func.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    first_default = code.co_argcount - len(func.__defaults__ or ())
    optional = {*names[first_default : code.co_argcount], *(func.__kwdefaults__ or ())}
    return Overload(frozenset(names) - optional, frozenset(names))


def apart(overloads: list[Overload]) -> list[Overload]:
    """The fewest overloads with the same calls; none if a call fits two, or one has all calls.

    ``f(key)`` and ``f(key, default)`` are ``f(key, default=...)``.
    """
    found = overloads
    while merged := next(filter(None, map(_merged, combinations(found, 2))), None):
        pair, one = merged
        found = [one, *(each for each in found if each not in pair)]
    are_apart = not any(_overlap(*pair) for pair in combinations(found, 2))
    return found if are_apart and len(found) > 1 else []


def _merged(pair: tuple[Overload, Overload]) -> tuple[tuple[Overload, Overload], Overload] | None:
    """Two overloads as one with the same calls, if there is one."""
    for one, other in (pair, pair[::-1]):
        added = other.taken - one.taken
        is_wider = one.required <= other.required and one.taken >= other.taken
        is_option = len(added) == 1 and other == (one.required | added, one.taken | added)
        if is_wider or is_option:
            return pair, Overload(one.required, one.taken | added)
    return None


def _overlap(one: Overload, other: Overload) -> bool:
    return one.required <= other.taken and other.required <= one.taken
