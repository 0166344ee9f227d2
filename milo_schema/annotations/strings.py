"""Compile and evaluate annotation strings other than single names, in their scope.

Python evaluates them, so that they mean what they mean to Python. Two steps are slow and avoided
here. Compiling a string takes five times as long as running it, so the code is cached. And
``typing`` takes hundreds of instructions to check and cache one of its forms. If a string is one
of the three most common forms and nothing else, the form is made here instead, unless ``typing``
might refuse or change it.
"""

from __future__ import annotations

import sys
import types

from milo_schema.annotations import Any, Callable
from milo_schema.annotations.classes import MISSING, USER_CODE_ERRORS, UnresolvedError, is_any
from milo_schema.annotations.missing import guarded_names, late_value, why_not, with_stand_ins

__all__ = ["as_far_as_possible", "late_value", "value_of", "why_not"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.annotations.evaluation import Scope
else:
    Scope = Any


def value_of(text: str, scope: Scope) -> Any:
    """The value of an annotation string.

    Raises:
        BaseException: Evaluating it raised.
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
"""The compiled code by its source: strings such as ``str | None`` occur all over a program."""

MAX_CODES = 500
"""The most entries in the cache."""
MAX_LENGTH = 500
"""The longest source that is cached."""


def _run(code: types.CodeType, scope: Scope, text: str) -> Any:
    evaluated = lambda names: eval(code, scope.globals, names)  # noqa: E731, S307
    return as_far_as_possible(evaluated, scope, text, code)


def as_far_as_possible(
    evaluated: Callable[[Any], Any], scope: Scope, text: str, code: types.CodeType | None = None
) -> Any:
    """Evaluate *text*, with stand-ins for missing names."""
    try:
        return with_stand_ins(evaluated, scope, text)
    except (AttributeError, TypeError):
        code = code or _compiled(_source_of(text))
        if not (guarded := guarded_names(code.co_names, scope)):
            raise
        return with_stand_ins(evaluated, scope, text, guarded)


# -- forms of typing -----------------------------------------------------------------------------


def _special_form(name: str, inner: str, scope: Scope) -> Any:
    """``Literal[...]``, or another of the three forms; ``MISSING`` if it may be something else."""
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
        hash(args)  # raises for unhashable arguments, as the caches of typing do
    except TypeError:
        return form[args]
    found = _FORMS[name](form, args)
    return form[args] if found is MISSING else found


def _literal(form: Any, args: Any) -> Any:
    values = args if type(args) is tuple else (args,)
    for value in values:
        if type(value) is not str:  # 1 and True are equal, but different literals
            return MISSING
    return types.GenericAlias(form, values) if len(set(values)) == len(values) else MISSING


def _optional(_form: Any, arg: Any) -> Any:
    return arg | None if _is_plain(arg) else MISSING


def _annotated(form: Any, args: Any) -> Any:
    if type(args) is not tuple or len(args) < 2 or not _is_plain(args[0]):  # noqa: PLR2004
        return MISSING
    return types.GenericAlias(form, args)


def _is_plain(tp: Any) -> bool:
    """Whether ``typing`` accepts *tp* as a type without changing it."""
    return is_any(type(tp), _PLAIN) and tp is not sys.modules["typing"].Generic


_PLAIN = (type, types.GenericAlias, types.UnionType)

_FORMS = {"Literal": _literal, "Optional": _optional, "Annotated": _annotated}
