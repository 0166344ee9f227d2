"""Resolve annotations: find the type behind names and wrappers.

``resolve()`` is the only implementation. Schemas, injected parameters, outputs, arguments and
results all call it, so an alias, a ``NewType``, a string, a type parameter or a type qualifier
means the same to each of them. ``resolve_once()`` removes one wrapper, for callers that have to
stop at each: a named alias becomes a definition of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from milo_schema.annotations import Arguments, generics
from milo_schema.annotations.classes import (
    MISSING,
    Unresolved,
    UnresolvedError,
    bare_name,
    class_name,
    is_any,
    loaded,
)
from milo_schema.annotations.evaluation import evaluate, is_reference, scope_of, try_evaluate
from milo_schema.annotations.forms import (
    UNION,
    alias_of,
    display,
    is_alias,
    is_form,
    is_type_variable,
    metadata_of,
    split,
    unpacked,
    with_metadata,
)
from milo_schema.annotations.scopes import SELF, Scope

Unwrap = Callable[[Any, Scope], tuple[Any, Scope] | None]

QUALIFIERS = ("Required", "NotRequired", "ReadOnly", "Final", "ClassVar")
"""Type qualifiers: they describe the name, not the type of its value."""


class Resolved:
    """An annotation without the names and wrappers around it.

    Attributes:
        annotation: The rest: a type expression, in the terms of the typing specification.
        head: Its class or special form: ``list`` of ``list[int]``, ``UNION`` of ``int | str``.
        args: Its arguments.
        metadata: The metadata of every ``Annotated`` on the way, innermost first.
        scope: The scope of the names and type parameters in the arguments.
    """

    __slots__ = ("annotation", "args", "head", "metadata", "scope")

    def __init__(self, annotation: Any, metadata: Arguments, scope: Scope) -> None:
        self.annotation: Any = annotation
        self.metadata: Arguments = metadata
        self.scope: Scope = scope
        self.head: Any
        self.args: Arguments
        self.head, self.args = split(annotation)


def resolve(tp: Any, scope: Scope) -> Resolved:
    """Remove every name and wrapper from an annotation.

    Raises:
        UnresolvedError: A name in it cannot be evaluated, or refers to itself.
    """
    metadata: Arguments = ()
    if type(tp) is type:  # as most are: there is nothing around a class
        return Resolved(tp, metadata, scope)
    for each, inner in steps(tp, scope):
        metadata = metadata_of(each) + metadata
        tp, scope = each, inner
    return Resolved(tp, metadata, scope)


def try_resolve(tp: Any, scope: Scope) -> Resolved | None:
    """``resolve()``, or ``None`` if a name cannot be evaluated, which the schema will report."""
    try:
        return resolve(tp, scope)
    except UnresolvedError:
        return None


def qualifiers_of(tp: Any, scope: Scope) -> Iterator[str]:
    """The type qualifiers around an annotation, outermost first, as far as it can be evaluated."""
    try:
        for each, _ in steps(tp, scope):
            if name := qualifier_of(each):
                yield name
    except UnresolvedError:
        return


def steps(tp: Any, scope: Scope) -> Iterator[tuple[Any, Scope]]:
    """The annotation and its scope, then the same after each wrapper that is removed.

    Raises:
        UnresolvedError: A name in it cannot be evaluated, or refers to itself.
    """
    yield tp, scope
    for _ in range(MAX_STEPS):
        if (inner := resolve_once(tp, scope)) is None:
            return
        tp, scope = inner
        yield tp, scope
    raise UnresolvedError(f"{display(tp)} refers only to itself")


MAX_STEPS = 1_000
"""The most wrappers around a type; an alias that refers to itself exceeds it."""


def resolve_once(tp: Any, scope: Scope) -> tuple[Any, Scope] | None:
    """Remove one name or wrapper from an annotation; ``None`` if there is none.

    Returns:
        The annotation behind it, and the scope of that annotation.

    Raises:
        UnresolvedError: It cannot be evaluated.
    """
    head, _ = split(tp)
    belongs, unwrap = WRAPPERS.get(bare_name(head) or class_name(type(head)), _NOTHING)
    return unwrap(tp, scope) if belongs(head) else None


def is_wrapper(head: Any) -> bool:
    """Whether annotations with this head are wrappers around another one."""
    belongs, _ = WRAPPERS.get(bare_name(head) or class_name(type(head)), _NOTHING)
    return bool(belongs(head))


def qualifier_of(tp: Any) -> str:
    """The name of the outermost type qualifier of an annotation, or ``""``."""
    head, _ = split(tp)
    name = bare_name(head)
    return name if name in QUALIFIERS and is_form(head, name) else ""


def _first_argument(tp: Any, scope: Scope) -> tuple[Any, Scope] | None:
    _, args = split(tp)
    return (args[0], scope) if args else None


def _new_type(tp: Any, scope: Scope) -> tuple[Any, Scope]:
    return tp.__supertype__, Scope(module=tp.__module__, fallback=scope.fallback)


def _alias(tp: Any, scope: Scope) -> tuple[Any, Scope]:
    """The value of an alias. Its arguments are closed, because they belong to this scope."""
    if split(tp)[1]:
        closed = generics.close(tp, scope) if generics.is_small(tp) else tp
        if not generics.is_small(closed):
            raise UnresolvedError(generics.TOO_LARGE)
        tp = closed
    return generics.alias_value(tp, scope)


def _self(_tp: Any, scope: Scope) -> tuple[Any, Scope] | None:
    """``Self``: the class around it (PEP 673), if there is one."""
    owner = scope.bindings.get(SELF)
    return None if owner is None else (owner, scope)


def _type_variable(tp: Any, scope: Scope) -> tuple[Any, Scope] | None:
    """The argument of a type parameter; otherwise its bound, its constraints, or its default."""
    if (argument := generics.type_argument(tp, scope)) is not tp:
        return argument, Scope()  # it is closed, so it needs no scope
    if tp.__module__ not in ("typing", "typing_extensions"):  # those of PEP 695
        scope = Scope(module=tp.__module__, fallback=scope.fallback)
    if (bound := generics.lazy_value(tp, "__bound__", scope)) is not None:
        return bound, scope
    if constraints := generics.lazy_value(tp, "__constraints__", scope):
        others = [each for each in constraints if try_evaluate(each, scope) is not tp]
        return alias_of(UNION, tuple(others)), scope  # it may list itself, in quotes
    default = generics.type_default(tp)
    return None if default is MISSING else (default, scope)


def _raise(tp: Any, _scope: Scope) -> NoReturn:
    raise split(tp)[0].error


def _is_form(name: str) -> Callable[[Any], bool]:
    return lambda head: is_form(head, name)


def _reference(tp: Any, scope: Scope) -> tuple[Any, Scope] | None:
    # An alias can have a string as its origin, "list"[int], but it is not an annotation in quotes.
    return (evaluate(tp, scope), scope_of(tp, scope)) if is_reference(tp) else None


_REFERENCE = (is_reference, _reference)
_ALIAS = (is_alias, _alias)

WRAPPERS: dict[str, tuple[Callable[[Any], object], Unwrap]] = {
    "str": _REFERENCE,
    "ForwardRef": _REFERENCE,
    "Unresolved": (lambda head: type(head) is Unresolved, _raise),
    "Annotated": (_is_form("Annotated"), _first_argument),
    **{name: (_is_form(name), _first_argument) for name in QUALIFIERS},
    "Self": (_is_form("Self"), _self),
    "TypeAliasType": _ALIAS,
    "QuotedName": _ALIAS,
    "TypeVar": (is_type_variable, _type_variable),
    "NewType": (lambda head: is_form(type(head), "NewType"), _new_type),
    "InitVar": (
        lambda head: type(head) is loaded("dataclasses.InitVar"),
        lambda tp, scope: (tp.type, scope),
    ),
}
"""Everything that wraps another annotation, and how to remove it.

The key is the name of the form or, otherwise, of the class of the object. It is looked up before
the object is inspected.
"""

_NOTHING: tuple[Callable[[Any], object], Unwrap] = (lambda _: False, lambda _tp, _scope: None)


# -- unions ------------------------------------------------------------------------------------


def union_members(tp: Any, scope: Scope) -> list[tuple[Any, Scope]]:
    """The members of a union and of the unions inside it, each with its scope.

    Wrappers around unions are removed. An annotation that is not a union is its own only member; a
    union that is a member of itself adds nothing.

    Raises:
        UnresolvedError: A name of the union cannot be evaluated.
    """
    members: list[tuple[Any, Scope]] = []
    seen: list[Any] = []  # kept alive, so that no other object gets the same id
    todo = [(tp, scope)]
    while todo:
        each, scope = todo.pop()
        if type(each) is type or each is None:  # most are
            members.append((each, scope))
            continue
        way = list(steps(each, scope))
        union, inner = way[-1]
        head, args = split(union)
        if head is not UNION:
            members.append((each, scope))
        elif not is_any(each, seen):
            seen += [before for before, _ in way]
            todo += [(arg, inner) for arg in reversed(args)]
        if len(seen) > MAX_STEPS:
            raise UnresolvedError(f"{display(tp)} contains itself endlessly")
    return members


def without_none(tp: Any, scope: Scope, inside: tuple[int, ...] = ()) -> Any:
    """``T`` for ``T | None``, also if the union is inside wrappers.

    ``None`` alone stays, and so does an annotation with a name that cannot be evaluated: the walk
    reports it. *inside* are the ids of the wrappers around this annotation.
    """
    head, _ = split(tp)
    if id(tp) in inside or not (head is UNION or is_wrapper(head)):
        return tp
    try:
        way = list(steps(tp, scope))
        union, inner_scope = way[-1]
        head, args = split(union)
        if head is not UNION:
            return tp
        inside += tuple(id(each) for each, _ in way)
        members = [arg for arg in args if arg is not None and arg is not type(None)]
        bare = [without_none(member, inner_scope, inside) for member in members]
        if not bare or generics.are_same(tuple(bare), args):
            return tp
        found = bare[0] if len(bare) == 1 else alias_of(UNION, tuple(bare))
        if inner_scope is not scope:
            found = generics.close(found, inner_scope)
    except UnresolvedError:
        return tp
    for each, _ in reversed(way):
        if metadata := metadata_of(each):
            found = with_metadata(found, metadata)
    return found


# -- tuples ----------------------------------------------------------------------------------------


def layout(args: Arguments, scope: Scope) -> tuple[list[Any], Any, list[Any]]:
    """The types before the part of arbitrary length, the type in it, and the types after it."""
    args, scope = generics.close_all(args, scope), scope.unbound()
    if len(args) == 2 and args[1] is ...:  # tuple[T, ...]
        return [], args[0], []
    head: list[Any] = []
    rest: Any = MISSING
    tail: list[Any] = []
    for arg in args:
        before: list[Any] = [arg]
        many, after = MISSING, before[1:]
        if unpacked(arg) is not MISSING:
            before, many, after = _layout_of(unpacked(arg), scope)
        (head if rest is MISSING else tail).extend(before)
        if many is not MISSING:
            rest = many if rest is MISSING else object
        tail.extend(after)
    return head, rest, tail


def _layout_of(inner: Any, scope: Scope) -> tuple[list[Any], Any, list[Any]]:
    """The layout of an unpacked tuple; an unbound ``TypeVarTuple`` has items of any type."""
    found = resolve(inner, scope)
    if found.head is tuple:
        return layout(found.args, found.scope)
    return [], object, []
