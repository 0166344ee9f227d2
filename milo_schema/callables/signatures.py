"""The fields of callables and records, and a fast reader for plain functions.

A parameter of a function and a field of a record are both a ``Field``: a name, an annotation and
a default. A plain function is read from its code object, which is ten times as fast as
``inspect.signature()`` and needs no import. ``inspected`` reads every other callable.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import EnumType
from types import CodeType, FunctionType
from typing import Any, Final, ForwardRef

from milo_schema import libraries
from milo_schema.annotations import Names, scopes
from milo_schema.annotations.classes import MISSING, NOTHING, own, own_annotations, short_name
from milo_schema.annotations.evaluation import scope_of, try_evaluate
from milo_schema.annotations.scopes import SELF, Scope
from milo_schema.callables.docs import inherited_docs
from milo_schema.json_schema.subschemas import step_to

POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = range(5)
"""The kinds of parameters, numbered as ``inspect`` does."""

NO_PARAMETER = 5
"""The kind of a field of a record."""

VARIADIC = (VAR_POSITIONAL, VAR_KEYWORD)
ORDINARY = frozenset({POSITIONAL_OR_KEYWORD, KEYWORD_ONLY})
"""The kinds of parameters that are passed by name."""


class Field:
    """One field of a record, or one parameter of a function, as it is written.

    Attributes:
        name: Its name in JSON.
        annotation: The evaluated annotation; an ``Unresolved`` if that is not possible;
            ``MISSING`` if there is none.
        scope: The scope of the names and type parameters in the annotation.
        default: The default as a Python value, or ``MISSING``.
        kind: The kind of a parameter, or ``NO_PARAMETER``.
        required: Whether a value is required.
        attribute: Its name in Python (an attribute or a key), if that is different.
        alias: The name that pydantic's ``Field(alias=...)`` gives it, in this direction.
        make: Makes the default, if only metadata have one and Python requires a value.
        text: The annotation before it was evaluated, if it was in quotes.
        description: Its description in the docstring of its class, or beside it.
    """

    name: Final[str]
    annotation: Final[Any]
    scope: Final[Scope]
    default: Final[Any]
    kind: Final[int]
    required: Final[bool]
    description: Final[str | None]
    # Few fields have these, and every attribute that is set costs time.
    attribute: Final[str] = ""
    alias: Final[str] = ""
    make: Final[Callable[[], Any] | None] = None
    text: Final[Any] = MISSING

    def __init__(
        self,
        name: str,
        annotation: Any,
        scope: Scope,
        default: Any,
        kind: int,
        required: bool,
        description: str | None = None,
    ) -> None:
        form = type(annotation)
        if form is not type and (form is str or form is ForwardRef):
            vars(self)["text"] = text = annotation
            annotation = try_evaluate(text, scope)
            if form is ForwardRef:
                scope = scope_of(text, scope)
        self.name = name
        self.annotation = annotation
        self.scope = scope
        self.default = default
        self.kind = kind
        self.required = required
        self.description = description

    def replace(self, **changes: Any) -> Field:
        """The same field with other attributes."""
        found = object.__new__(Field)
        vars(found).update(vars(self), **changes)
        return found

    @property
    def written(self) -> Any:
        """The annotation before it was evaluated."""
        return self.annotation if self.text is MISSING else self.text

    @property
    def python_name(self) -> str:
        """Its name in Python."""
        return self.attribute or self.name

    def __str__(self) -> str:
        """Its step in a path: ``.attribute``, or ``(name)`` of a parameter."""
        if self.kind == NO_PARAMETER:
            return step_to(self.python_name)
        return f"({self.name})"


class Record:
    """The fields of a record class, as they are written.

    Attributes:
        fields: The fields, in the order in which they were written.
        description: The description in the docstring.
        extra: The type of other names; ``MISSING`` if any are allowed, ``False`` if none are.
        is_array: Whether its JSON is an array of the values, not an object.
    """

    def __init__(
        self,
        fields: list[Field],
        description: str | None = None,
        extra: Any = MISSING,
        is_array: bool = False,
    ) -> None:
        self.fields: Final = fields
        self.description: Final = description
        self.extra: Final = extra
        self.is_array: Final = is_array


class Signature:
    """The signature of a callable.

    Attributes:
        name: The name of the callable in errors.
        parameters: The parameters that a caller passes, without ``self``.
        returns: The return annotation as it was written, or ``MISSING``.
        scope: The scope of the names and type parameters in the annotations.
        func: The function that finally runs, or ``None``.
        docs: The docstrings; later ones take precedence.
    """

    __slots__ = ("docs", "func", "name", "parameters", "returns", "scope")

    def __init__(
        self,
        name: str,
        parameters: list[Field],
        returns: Any,
        scope: Scope,
        func: FunctionType | None,
        docs: Sequence[str],
    ) -> None:
        self.name: str = name
        self.parameters: list[Field] = parameters
        self.returns: Any = returns
        self.scope: Scope = scope
        self.func: FunctionType | None = func
        self.docs: Sequence[str] = docs


DECLARED = frozenset({"__wrapped__", "__signature__", "__partialmethod__", "_partialmethod"})
"""Attributes of a function with a signature that differs from that of its code."""


def is_plain_function(func: Any) -> bool:
    """Whether *func* is a function and its code object determines its signature."""
    return type(func) is FunctionType and DECLARED.isdisjoint(func.__dict__)


def read_function(func: FunctionType, localns: Names, with_parameters: bool = True) -> Signature:
    """Read a plain function; without its parameters if only its output is needed."""
    qualname = func.__qualname__
    cls = scopes.enclosing_class(func) if "." in qualname else None
    scope = Scope(func, NOTHING if cls is None else {SELF: cls}, localns)
    if with_parameters:
        parameters, returns = from_code(func, scope)
    else:
        parameters, returns = [], own_annotations(func).get("return", MISSING)
    if parameters and is_self(parameters[0], func, cls):
        del parameters[0]
    docs: Sequence[str] = (func.__doc__,) if type(func.__doc__) is str else ()
    if cls is not None and not docs:
        docs = inherited_docs(cls, func.__name__)
    return Signature(short_name(qualname), parameters, returns, scope, func, docs)


def from_code(func: Any, scope: Scope) -> tuple[list[Field], Any]:
    """The parameters in the code object of a function, and its return annotation."""
    code, annotations, defaults = func.__code__, own_annotations(func), func.__defaults__
    count, written = code.co_argcount, annotations.get
    values = (MISSING,) * count
    if defaults:
        values = (*values, *defaults)[-count:]
    found = [
        Field(name, written(name, MISSING), scope, value, POSITIONAL_OR_KEYWORD, value is MISSING)
        for name, value in zip(code.co_varnames, values, strict=False)
    ]
    if code.co_posonlyargcount:
        end = code.co_posonlyargcount
        found[:end] = [each.replace(kind=POSITIONAL_ONLY) for each in found[:end]]
    if code.co_kwonlyargcount or code.co_flags & _VARIADIC:
        named = func.__kwdefaults__ or NOTHING
        for name, kind, value in _after_positional(code, named):
            annotation = written(name, MISSING)
            found.append(Field(name, annotation, scope, value, kind, value is MISSING))
    if "pydantic" in sys.modules:
        found = with_field_infos(found)
    return found, annotations.get("return", MISSING)


def _after_positional(
    code: CodeType, defaults: Mapping[str, Any]
) -> Iterator[tuple[str, int, Any]]:
    """Name, kind and default of ``*args``, of keyword-only parameters, and of ``**kwargs``."""
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


def is_self(first: Field, func: FunctionType, cls: type | None) -> bool:
    """Whether the first parameter of a function is ``self`` or ``cls``, judged by its name.

    A function outside of a class may have such a parameter, too; if it is annotated, it is kept.
    """
    if first.name not in ("self", "cls") or first.kind > POSITIONAL_OR_KEYWORD:
        return False
    if first.annotation is MISSING:
        return True
    return cls is not None and type(own(cls, func.__name__)) is not staticmethod


# -- pydantic ----------------------------------------------------------------------------------


def with_field_infos(fields: list[Field], *, output: bool = False) -> list[Field]:
    """The fields with the facts of pydantic's ``Field(...)``, without those that it excludes.

    Args:
        fields: Fields of a record, or parameters.
        output: Whether they are for an output.
    """
    pydantic = libraries.library("pydantic")
    if pydantic is None:
        return fields
    informed = [
        each
        if id(type(each.annotation)) in _BARE and id(type(each.default)) in _PLAIN  # as most
        else pydantic.informed(each, output=output)
        for each in fields
    ]
    return [*filter(None, informed)]


_BARE = frozenset(map(id, (type, type(int | None), EnumType)))
"""The ids of the classes of most annotations, none of which is ``Annotated``."""

_PLAIN = frozenset(map(id, (type(MISSING), type(None), str, int, float, bool)))
"""The ids of the classes of most defaults, none of which is ``Field(...)``."""


def count_aliases(aliases: str, *, output: bool) -> bool:
    """Whether ``Profile.aliases`` uses aliases in inputs, or in outputs."""
    return aliases == "everywhere" or (aliases == "inputs" and not output)


def named_by_alias(field: Field) -> Field:
    """The field with the name of its alias, if it has one."""
    if not field.alias:
        return field
    return field.replace(name=field.alias, attribute=field.python_name)


def is_asked(tp: Any) -> bool:
    """Whether *tp* is a class that pydantic has to describe."""
    return "pydantic" in sys.modules and bool(libraries.library("pydantic").is_asked(tp))


def is_model(tp: Any) -> bool:
    """Whether *tp* is a pydantic model whose constructor takes its fields."""
    pydantic = libraries.library("pydantic")
    return pydantic is not None and pydantic.is_model(tp)


def model_fields(cls: Any) -> list[Field]:
    """The fields of a pydantic model, as parameters of its constructor."""
    pydantic = libraries.library("pydantic")
    fields = [
        Field(name, annotation, Scope(cls), default, NO_PARAMETER, required)
        for name, annotation, default, required in pydantic.constructor_fields(cls)
    ]
    return with_field_infos(fields)
