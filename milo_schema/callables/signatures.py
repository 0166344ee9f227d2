"""A function, read: its name, its parameters, what it returns, and where that means something.

Strategy: a plain function is read from its code object, which is ten times as fast as
``inspect.signature()`` and needs no import. ``callables`` reads everything else.
"""

from __future__ import annotations

from milo_schema import errors
from milo_schema.annotations.hints import (
    FUNCTION,
    MISSING,
    NOTHING,
    RAISED,
    SELF,
    Scope,
    UnresolvedError,
    enclosing_class,
    local_name,
    mro,
    own,
    own_annotations,
    shorten,
    told,
)
from milo_schema.callables.fields import (
    KEYWORD_ONLY,
    POSITIONAL_ONLY,
    POSITIONAL_OR_KEYWORD,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    Field,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import CodeType, FunctionType
    from typing import Any

    Names = Mapping[str, Any] | None


class Signature:
    """A callable, read.

    Attributes:
        name: What errors call it.
        parameters: What a caller passes, as fields: no ``self``.
        returns: The return annotation as it was written, or ``MISSING``.
        scope: What the names and type parameters in the annotations stand for.
        func: The function whose code runs in the end, or ``None``.
        docs: The docstrings, those that matter most last.
    """

    __slots__ = ("docs", "func", "name", "parameters", "returns", "scope")

    def __init__(  # noqa: PLR0913, PLR0917 - a plain record
        self,
        name: str,
        parameters: list[Field],
        returns: Any,
        scope: Scope,
        func: FunctionType | None,
        docs: list[str],
    ) -> None:
        self.name: str = name
        self.parameters: list[Field] = parameters
        self.returns: Any = returns
        self.scope: Scope = scope
        self.func: FunctionType | None = func
        self.docs: list[str] = docs


def read(func: Any, localns: Names = None) -> Signature:
    """Read a callable.

    Raises:
        SchemaError: It is none, or has no signature, or reading it raised.
    """
    try:
        if type(func) is FUNCTION and DECLARED.isdisjoint(func.__dict__):
            return _read_function(func, localns)
        from milo_schema.callables.inspected import read_other

        return read_other(func, localns)
    except errors.SchemaError:
        raise
    except UnresolvedError as problem:
        raise errors.SchemaError(str(problem), _shown(func), func) from problem
    except RAISED as problem:  # an object that is not what it seems to be
        reason = f"reading it raised {told(problem)}"
        raise errors.SchemaError(reason, _shown(func), func) from problem


def _shown(func: Any) -> str:
    from milo_schema.callables.inspected import name_of

    return shorten(name_of(func))


DECLARED = frozenset({"__wrapped__", "__signature__", "__partialmethod__", "_partialmethod"})
"""A function with one of these has another signature than that of its code."""


def _read_function(func: FunctionType, localns: Names) -> Signature:
    qualname = func.__qualname__
    cls = enclosing_class(func) if "." in qualname else None
    scope = Scope(func, NOTHING if cls is None else {SELF: cls}, localns)
    parameters, returns = from_code(func, scope)
    if parameters and is_self(parameters[0], func, cls):
        del parameters[0]
    docs = [func.__doc__] if type(func.__doc__) is str else []
    if cls is not None and not docs:
        docs = inherited_docs(cls, func.__name__)
    return Signature(shorten(local_name(qualname)), parameters, returns, scope, func, docs)


def from_code(func: Any, scope: Scope) -> tuple[list[Field], Any]:
    """The parameters of a function as its code has them, and its return annotation."""
    code, annotations, defaults = func.__code__, own_annotations(func), func.__defaults__ or ()
    names, only, count = code.co_varnames, code.co_posonlyargcount, code.co_argcount
    required = count - len(defaults)
    found = []
    for at in range(count):
        name = names[at]
        kind = POSITIONAL_OR_KEYWORD if at >= only else POSITIONAL_ONLY
        default = MISSING if at < required else defaults[at - required]
        found.append(Field(name, annotations.get(name, MISSING), scope, default, kind))
    if code.co_kwonlyargcount or code.co_flags & _VARIADIC:
        named = func.__kwdefaults__ or NOTHING
        for name, kind, default in _after_positional(code, named):
            found.append(Field(name, annotations.get(name, MISSING), scope, default, kind))
        defaults = (*defaults, *named.values())  # all of them
    if not _PLAIN.issuperset(map(id, map(type, defaults))):  # one may be a Field() of pydantic's
        found = with_field_infos(found)
    return found, annotations.get("return", MISSING)


def _after_positional(
    code: CodeType, defaults: Mapping[str, Any]
) -> Iterator[tuple[str, int, Any]]:
    """Name, kind and default of ``*args``, of what is keyword-only, and of ``**kwargs``."""
    first = code.co_argcount
    end = first + code.co_kwonlyargcount
    *named, args, kwargs = (*code.co_varnames, "", "")[first : end + 2]
    if not code.co_flags & _VAR_POSITIONAL:
        kwargs = args
    else:
        yield args, VAR_POSITIONAL, MISSING
    for name in named:
        yield name, KEYWORD_ONLY, defaults.get(name, MISSING)
    if code.co_flags & _VAR_KEYWORD:
        yield kwargs, VAR_KEYWORD, MISSING


_VAR_POSITIONAL, _VAR_KEYWORD = 0x04, 0x08  # inspect.CO_VARARGS, inspect.CO_VARKEYWORDS
_VARIADIC = _VAR_POSITIONAL | _VAR_KEYWORD


def with_field_infos(parameters: list[Field]) -> list[Field]:
    """The parameters with what defaults of pydantic's say: ``x: int = Field(3, ge=1)``."""
    from milo_schema.libraries import library

    if library("pydantic") is None:
        return parameters
    from milo_schema.callables.records import with_field_info

    return [with_field_info(each) for each in parameters]


_PLAIN = {id(kind) for kind in (type(None), str, int, float, bool)}
"""The classes of most defaults, by identity."""


def is_self(first: Field, func: FunctionType, cls: type | None) -> bool:
    """Whether the first parameter of a function is what a method is bound to, by its name.

    A function in no class may have a parameter of that name too; if it is annotated, it stays.
    """
    if first.name not in ("self", "cls") or first.kind > POSITIONAL_OR_KEYWORD:
        return False
    if first.annotation is MISSING:
        return True
    return cls is not None and type(own(cls, func.__name__)) is not staticmethod


# -- docstrings --------------------------------------------------------------------------------


def inherited_docs(cls: type, name: str) -> list[str]:
    """The docstring that a method has from a base class, as ``inspect.getdoc()`` finds it."""
    found = (own(base, name) for base in mro(cls))
    docs = (texts(method.__doc__) for method in found if method is not None)
    return next(filter(None, docs), [])


def texts(*docs: Any) -> list[str]:
    """Those that are texts."""
    return [doc for doc in docs if type(doc) is str]
