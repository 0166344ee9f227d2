"""Annotations taken apart, and written for people to read.

An annotation is recognised by identity and by exact class. Whoever has one of ``typing`` has
loaded ``typing``, so this module may import it: what is no class at all is met here first.
"""

from __future__ import annotations

import sys
import types
import typing
from collections import abc
from typing import Annotated, Any, Union

from milo_schema.annotations.hints import (
    MISSING,
    RAISED,
    Name,
    UnresolvedError,
    class_name,
    is_any,
    is_class,
    is_reference,
    local_name,
    qualified_name,
    said,
    shorten,
    text_of,
)
from milo_schema.annotations.marker import Marker

TYPE_CHECKING = False
if TYPE_CHECKING:
    Arguments = tuple[Any, ...]


def is_form(tp: object, name: str) -> bool:
    """Whether *tp* is the object that ``typing`` or ``typing_extensions`` calls *name*."""
    if tp is None:
        return False
    if tp is getattr(typing, name, None):  # not __dict__: PEP 810 has proxies there
        return True
    extensions = sys.modules.get("typing_extensions")
    return extensions is not None and tp is getattr(extensions, name, None)


_GENERIC_ALIAS = types.GenericAlias
_TYPING_ALIAS = type(typing.List[int])  # noqa: UP006 - its class is what we are after
_ANNOTATED = type(Annotated[int, 0])
_BARE_ALIAS = type(typing.List)  # noqa: UP006
_ALIASES = (_GENERIC_ALIAS, _TYPING_ALIAS)
_UNION = type(int | str)
_TYPING_UNION = type(Union[int, str])  # noqa: UP007 - from 3.14 on, they are one class


def split(tp: Any) -> tuple[Any, Arguments]:  # noqa: PLR0911 - a line for each kind
    """Origin and arguments: ``(list, (int,))`` for ``list[int]``, ``(None, ())`` for ``int``."""
    kind = type(tp)
    if kind is type:
        return None, ()
    if kind is _GENERIC_ALIAS:
        origin, args = tp.__origin__, tp.__args__
        if tp.__unpacked__:  # *tuple[int, ...], PEP 646
            return typing.Unpack, (_GENERIC_ALIAS(origin, args),)
        return origin, args
    if kind is _UNION or kind is _TYPING_UNION:
        return Union, tp.__args__
    if kind is _ANNOTATED:
        return Annotated, (tp.__origin__, *tp.__metadata__)
    if issubclass(kind, _ALIASES):
        return tp.__origin__, tp.__args__
    if issubclass(kind, _BARE_ALIAS):
        return tp.__origin__, ()
    return None, ()


def lazy(obj: Any, name: str) -> Any:
    """An attribute that Python evaluates when it is read, as PEP 695 has it; or ``None``.

    Raises:
        UnresolvedError: Evaluating it raised.
    """
    try:
        return getattr(obj, name, None)
    except RAISED as problem:
        why = f"cannot evaluate {display(obj)}.{name}: {said(problem)}"
        raise UnresolvedError(why) from problem


def unpacked(tp: Any) -> Any:
    """What ``*Ts`` or ``Unpack[...]`` takes apart (PEP 646, PEP 692); else ``MISSING``."""
    origin, args = split(tp)
    return args[0] if args and is_form(origin, "Unpack") else MISSING


def display(tp: Any, depth: int = 4) -> str:  # noqa: PLR0911 - a line for each kind
    """*tp* as a person would write it; short, and without calling any code of its own."""
    origin, args = split(tp)
    if origin is not None:
        return shorten(_display_alias(origin, args, depth))
    if is_class(tp):
        return "None" if tp is type(None) else shorten(local_name(qualified_name(tp)))
    if is_any(type(tp), _PLAIN):
        return "..." if tp is ... else shorten(_shown(tp))
    if is_reference(tp):
        return shorten(repr(text_of(tp)))
    if type(tp) is Name:
        return tp.label
    if issubclass(type(tp), Marker):
        value = "" if tp.value is MISSING else display(tp.value)
        return f"{type(tp).__name__}({value})"
    if type(tp).__module__ in ("typing", "typing_extensions"):
        return shorten(_shown(tp).rpartition(".")[2].lstrip("~+-"))  # variance of a TypeVar
    return shorten(f"<{type(tp).__name__} object>")


def _display_alias(origin: Any, args: Arguments, depth: int) -> str:
    name = display(origin)
    if not args:
        return name
    if depth == 0:
        return f"{name}[...]"
    shown = [display(arg, depth - 1) for arg in (*args[:7], *args[7:][-1:])]
    if origin is Union:
        return " | ".join(shown)
    if origin is abc.Callable and args[0] is not ...:
        *taken, given = shown
        shown = [f"[{', '.join(taken)}]", given]
    return f"{name}[{', '.join(shown)}]"


_PLAIN = (str, int, float, bool, type(None), type(...), bytes)


def _shown(value: object) -> str:
    try:
        return repr(value)
    except RAISED:  # an int of thousands of digits, a NewType with a module of somebody's own
        return f"<{class_name(type(value))} object>"


def alias_of(origin: Any, args: Arguments) -> Any:
    """``origin[args]`` for any origin whatever: nothing checks it, and nothing caches it."""
    return types.GenericAlias(origin, args)


def is_bare(tp: Any) -> bool:
    """Whether *tp* has no arguments because none were written: ``tuple``, not ``tuple[()]``."""
    return is_class(tp) or issubclass(type(tp), _BARE_ALIAS)
