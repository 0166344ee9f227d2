"""Annotation strings that are more than a name, compiled and evaluated in their scope.

Python evaluates them, so that they mean what they mean to Python. Two things cost more than the
rest, and are saved here. To compile a string takes five times as long as to run it, so the code is
kept. And ``typing`` takes hundreds of instructions to check and cache one of its forms. The
three that occur most, where they are all that a string is, are made here instead, unless
``typing`` may find something to refuse or to change.
"""

from __future__ import annotations

import sys
import types

from milo_schema.annotations.classes import (
    MISSING,
    USER_CODE_ERRORS,
    UnresolvedError,
    is_any,
)
from milo_schema.annotations.missing import guarded_names, late_value, why_not, with_stand_ins

__all__ = ["as_far_as_possible", "late_value", "value_of", "why_not"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from milo_schema.annotations.evaluation import Scope


def value_of(text: str, scope: Scope) -> Any:
    """The value of an annotation string.

    Raises:
        BaseException: Whatever its code raises.
    """
    name, _, inner = text.partition("[")
    if name in _FORMS and (found := _special_form(name, inner, scope)) is not MISSING:
        return found
    return _run(_codes.get(text) or _compiled(_source_of(text)), scope, text)


def _source_of(text: str) -> str:
    source = text.strip()
    return f"({source},)[0]" if source.startswith("*") else source  # *args: *Ts, PEP 646


def _compiled(source: str) -> types.CodeType:
    if (code := _codes.get(source)) is None:
        code = compile(source, "<annotation>", "eval")
        if len(source) <= MAX_LENGTH:
            if len(_codes) >= MAX_CODES:
                _codes.clear()
            _codes[source] = code
    return code


_codes: dict[str, types.CodeType] = {}
"""What is compiled, by its source: a program writes ``str | None`` and its like all over."""

MAX_CODES = 500
"""How many are kept."""
MAX_LENGTH = 500
"""How long the source of each may be."""


def _run(code: types.CodeType, scope: Scope, text: str) -> Any:
    evaluated = lambda names: eval(code, scope.globals, names)  # noqa: E731, S307
    return as_far_as_possible(evaluated, scope, text, code)


def as_far_as_possible(
    evaluated: Callable[[Any], Any], scope: Scope, text: str, code: types.CodeType | None = None
) -> Any:
    """Evaluate what is written as *text*; what is missing in it costs its own place."""
    try:
        return with_stand_ins(evaluated, scope, text)
    except (AttributeError, TypeError):
        code = code or _compiled(_source_of(text))
        if not (guarded := guarded_names(code.co_names, scope)):
            raise
        return with_stand_ins(evaluated, scope, text, guarded)


# -- forms of typing -----------------------------------------------------------------------------


def _special_form(name: str, inner: str, scope: Scope) -> Any:
    """``Literal[...]`` and its like; ``MISSING`` if it is not certain that it is one."""
    if inner[-1:] != "]" or "#" in inner:
        return MISSING
    form, typing = scope.find(name), sys.modules.get("typing")
    if typing is None or form is not getattr(typing, name):
        return MISSING
    try:
        code = _compiled(inner[:-1])
    except USER_CODE_ERRORS:  # the two brackets are not a pair, or it is not an expression: [1:2]
        return MISSING
    try:
        args = _run(code, scope, inner)
    except UnresolvedError:  # the form itself can be resolved
        return MISSING
    try:
        hash(args)  # as the caches of typing do
    except TypeError:
        return form[args]
    found = _FORMS[name](form, args)
    return form[args] if found is MISSING else found


def _literal(form: Any, args: Any) -> Any:
    values = args if type(args) is tuple else (args,)
    for value in values:
        if type(value) is not str:  # 1 and True are two values, though they are equal
            return MISSING
    return types.GenericAlias(form, values) if len(set(values)) == len(values) else MISSING


def _optional(_form: Any, arg: Any) -> Any:
    return arg | None if _is_plain(arg) else MISSING


def _annotated(form: Any, args: Any) -> Any:
    if type(args) is not tuple or len(args) < 2 or not _is_plain(args[0]):  # noqa: PLR2004
        return MISSING
    return types.GenericAlias(form, args)


def _is_plain(tp: Any) -> bool:
    """Whether ``typing`` takes *tp* for a type as it is."""
    return is_any(type(tp), _PLAIN) and tp is not sys.modules["typing"].Generic


_PLAIN = (type, types.GenericAlias, types.UnionType)

_FORMS = {"Literal": _literal, "Optional": _optional, "Annotated": _annotated}
