"""Bind type parameters to arguments: ``T`` in ``Page[int]``, also through inheritance.

Strategy: entering a generic class or alias makes *bindings*, a mapping from each type parameter
to its argument. Arguments are *closed* first (strings evaluated, outer parameters replaced), so
that they mean the same in every scope, and ``Page[int]`` is one type, not many.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from milo_schema.annotations import Arguments
from milo_schema.annotations.classes import (
    MISSING,
    NOTHING,
    USER_CODE_ERRORS,
    Unresolved,
    UnresolvedError,
    describe_error,
    is_class,
    mro,
    own,
    static,
)
from milo_schema.annotations.evaluation import evaluate, is_reference, recompute, scope_of, text_of
from milo_schema.annotations.forms import (
    QuotedName,
    alias_of,
    display,
    is_form,
    is_generic,
    is_type_variable,
    metadata_of,
    split,
    unpacked,
    with_metadata,
)
from milo_schema.annotations.scopes import SELF, Scope

Bindings = Mapping[Any, Any]
Fallback = Mapping[str, Any]


def type_argument(tp: Any, scope: Scope) -> Any:
    """The argument that a type parameter is bound to; *tp* itself if it is anything else."""
    return scope.bindings.get(tp, tp) if is_type_variable(tp) else tp


def alias_value(tp: Any, outer: Scope) -> tuple[Any, Scope]:
    """The value of an alias, and the scope of the names in it.

    Raises:
        UnresolvedError: Its value cannot be evaluated.
    """
    alias, args = split(tp)
    if type(alias) is QuotedName:
        return evaluate(alias.label, alias.scope), alias.scope
    bindings, module = bindings_of(alias, args), alias.__module__
    scope = Scope(alias, bindings=bindings, module=module, fallback=outer.fallback)
    value = lazy_value(alias, "__value__", scope)
    return (evaluate(value, scope) if is_reference(value) else value), scope


def lazy_value(obj: Any, name: str, scope: Scope) -> Any:
    """An attribute that Python evaluates when it is read, with placeholders for missing names.

    Raises:
        UnresolvedError: Nothing in it can be resolved.
    """
    try:
        return lazy_attribute(obj, name)
    except UnresolvedError as problem:
        return recompute(obj, name, scope, problem)


def lazy_attribute(obj: Any, name: str) -> Any:
    """An attribute that Python evaluates when it is read (PEP 695); ``None`` if there is none.

    Raises:
        UnresolvedError: Evaluating it raised.
    """
    try:
        return getattr(obj, name, None)
    except USER_CODE_ERRORS as problem:
        why = f"cannot evaluate {display(obj)}.{name}: {describe_error(problem)}"
        raise UnresolvedError(why) from problem


def named(tp: Any, scope: Scope) -> Any:
    """A generic record or alias in its canonical form: closed, and ``Page`` for ``Page[T]``."""
    closed = close(tp, scope)
    generic, args = split(closed)
    if args and are_same(args, type_parameters(generic)):
        return generic
    return closed


def are_same(some: Arguments, others: Arguments) -> bool:
    """Whether two tuples hold the same objects."""
    return [*map(id, some)] == [*map(id, others)]


def is_same(annotation: Any, inherited: Any) -> bool:
    """Whether an annotation is the inherited one: the same object, or evaluated again."""
    if annotation is inherited:
        return True
    try:
        return bool(annotation == inherited)
    except USER_CODE_ERRORS:  # metadata may refuse to be compared
        return False


MAX_NESTING = 12
"""The deepest nesting of the arguments of a generic record or alias."""
MAX_ARGUMENTS = 1_000
"""The most arguments in total."""
ENDLESS = "it contains ever larger forms of itself"
TOO_LARGE = (
    f"type arguments nested deeper than {MAX_NESTING} levels, "
    f"or more than {MAX_ARGUMENTS:,} of them: {ENDLESS}"
)
"""The message about an annotation that is not small."""


def is_small(tp: Any) -> bool:
    """Whether an annotation has few enough arguments to look at all of them.

    ``Page[list[int]]`` is nested 2 levels deep. An object that occurs several times counts each
    time, because every reader visits it each time.
    """
    todo, seen = [(tp, 0)], 0
    while todo:
        each, level = todo.pop()
        seen += 1
        if level > MAX_NESTING or seen > MAX_ARGUMENTS:
            return False
        head, args = split(each)
        if not is_form(head, "Literal"):
            todo.extend((arg, level + 1) for arg in (*args, *metadata_of(each)))
    return True


def _is_variadic(tp: object) -> bool:
    return is_form(type(tp), "TypeVarTuple")


def type_parameters(generic: Any) -> Arguments:
    """The type parameters of a generic class or alias, in order."""
    if is_class(generic):
        found = static(generic, "__parameters__")
        if found is None:  # class Ids(list[T]): list does not set __parameters__
            aliases = [base for base in bases(generic) if is_generic(base)]
            every = (p for base in aliases for p in lazy_attribute(base, "__parameters__") or ())
            return tuple(dict.fromkeys(every))
        return found if isinstance(found, tuple) else ()  # on Generic itself, it is a property
    return tuple(getattr(generic, "__type_params__", ()))


def bindings_of(generic: Any, args: Arguments) -> dict[Any, Any]:
    """Each type parameter of *generic* with its argument, or its default (PEP 696), if any."""
    parameters = type_parameters(generic)
    variadic = next((i for i, p in enumerate(parameters) if _is_variadic(p)), None)
    if variadic is not None:  # PEP 646: a TypeVarTuple gets the arguments that the others leave
        rest = len(args) - len(parameters) + 1
        if args:
            middle = args[variadic : variadic + rest]
            args = (*args[:variadic], middle, *args[variadic + rest :])
    bindings: dict[Any, Any] = {}
    given = args[: len(parameters)]
    for parameter, arg in itertools.zip_longest(parameters, given, fillvalue=MISSING):
        default = type_default(parameter)
        scope = Scope(generic, bindings=bindings)
        if arg is not MISSING and arg is not default:  # typing fills in open defaults
            bindings[parameter] = arg
        elif default is not MISSING and _is_variadic(parameter):  # Unpack[tuple[int, str]]
            bindings[parameter] = close_all(split(split(default)[1][0])[1], scope)
        elif default is not MISSING:
            bindings[parameter] = close(default, scope)
    return bindings


def type_default(parameter: Any) -> Any:
    """The default of a type parameter (PEP 696), or ``MISSING``."""
    default = lazy_attribute(parameter, "__default__")
    if default is None:  # the default is None, or there is none (before 3.13)
        has_default = getattr(parameter, "has_default", None)
        return None if has_default is not None and has_default() else MISSING
    return MISSING if is_form(default, "NoDefault") else default


_BASES = type.__dict__["__bases__"].__get__  # a metaclass is not asked


def bases(cls: type) -> Arguments:
    """The bases of a class as they were written: ``(Page[int],)``."""
    written = own(cls, "__orig_bases__")
    return written if type(written) is tuple else _BASES(cls)


def base_bindings(
    cls: type, bindings: Bindings, fallback: Fallback = NOTHING
) -> dict[int, Bindings]:
    """The bindings of the parameters of every base class of *cls*, by the ``id()`` of the base."""
    found: dict[int, Bindings] = {}
    todo = [(cls, bindings)]
    while todo:
        each, bound = todo.pop()
        if id(each) not in found:
            found[id(each)] = bound
            todo.extend(reversed(list(_bound_bases(each, bound, fallback))))
    return found


def _bound_bases(
    cls: type, bindings: Bindings, fallback: Fallback
) -> Iterator[tuple[type, Bindings]]:
    scope = Scope(cls, bindings, fallback=fallback)
    for base in bases(cls):
        generic, args = split(base)
        if is_class(generic) and not is_form(generic, "Generic"):
            closed = _closed_for(generic, args, scope) if args else ()
            yield generic, bindings_of(generic, closed)


def _closed_for(generic: Any, args: Arguments, scope: Scope) -> Arguments:
    """The arguments closed, except defaults by ``typing``, which ``bindings_of()`` closes."""
    closed, parameters = close_all(args, scope), type_parameters(generic)
    if not len(closed) == len(args) == len(parameters):
        return closed
    every = zip(parameters, args, closed, strict=True)
    return tuple(old if old is type_default(p) else new for p, old, new in every)


def has_quoted_base(cls: type) -> bool:
    """Whether an argument of a base class has a name in quotes, perhaps that of the class."""
    todo = list(own(cls, "__orig_bases__", ()))
    while todo:
        head, args = split(todo.pop())
        if is_reference(head):
            return True
        todo += () if is_form(head, "Literal") else args
    return False


def base_arguments(
    cls: type, args: Arguments, base: type, fallback: Fallback = NOTHING
) -> Arguments:
    """The arguments that ``cls[*args]`` gives a base: ``(int,)`` for ``class Ids(list[int])``."""
    for ancestor in mro(cls):
        for parent in bases(ancestor):
            generic, given = split(parent)
            if generic is base and generic is not parent:
                bound = base_bindings(cls, bindings_of(cls, args), fallback)
                bindings = bound.get(id(ancestor), {})
                return close_all(given, Scope(ancestor, bindings, fallback=fallback))
    return ()


def is_closed(tp: Any) -> bool:
    """Whether an annotation surely means the same in every scope: it has few parts, all classes."""
    todo = [tp]
    for _ in range(32):
        if not todo:
            return True
        head, args = split(todo[-1])
        if head is todo.pop() and not is_class(head):  # a string, a type parameter, ...
            return False
        todo += () if is_form(head, "Literal") else args
    return False


def close(tp: Any, scope: Scope, inside: tuple[str, ...] = ()) -> Any:
    """*tp* with its strings evaluated and its type parameters replaced, as far as they are bound.

    A string that occurs *inside* its own value stays a name; otherwise this would never end. One
    that cannot be evaluated becomes an ``Unresolved``, which affects only that part.
    """
    if is_reference(tp):
        text = text_of(tp)
        if text in inside:
            return QuotedName(text, scope)
        try:
            return close(evaluate(tp, scope), scope_of(tp, scope), (*inside, text))
        except UnresolvedError as problem:
            return Unresolved(text, str(problem), problem.__cause__)
    if is_type_variable(tp):
        return type_argument(tp, scope)
    head, args = split(tp)
    if not args or is_form(head, "Literal"):
        return scope.bindings.get(SELF, tp) if is_form(tp, "Self") else tp
    closed = close_all(args, scope, inside)
    return tp if are_same(closed, args) else rebuilt(tp, closed)


def rebuilt(tp: Any, args: Arguments) -> Any:
    """*tp* with other arguments; its metadata stays."""
    if metadata := metadata_of(tp):
        return with_metadata(args[0], metadata)
    return alias_of(split(tp)[0], args)


def close_all(args: Arguments, scope: Scope, inside: tuple[str, ...] = ()) -> Arguments:
    """Each argument closed; ``*Ts`` becomes the arguments that it is bound to (PEP 646)."""
    closed: list[Any] = []
    for arg in args:
        inside_star = unpacked(arg)
        parameter = arg if inside_star is MISSING else inside_star
        if _is_variadic(parameter) and parameter in scope.bindings:
            closed.extend(scope.bindings[parameter])
        else:
            closed.append(close(arg, scope, inside))
    return tuple(closed)
