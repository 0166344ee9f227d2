"""Outputs that need a closer look, loaded when one does: neither plain classes nor containers.

Generators, awaitables and context managers have another value for the caller than the function
returns; content of MCP and signals to the client have no schema.
"""

from __future__ import annotations

import _collections_abc as abc  # the names of collections.abc, without loading collections

from milo_schema.annotations import Any, Callable, resolution
from milo_schema.annotations.classes import (
    MISSING,
    Classes,
    Unresolved,
    UnresolvedError,
    body,
    is_any,
    is_class,
    loaded,
    loaded_when_used,
    mro,
)
from milo_schema.annotations.evaluation import Scope, is_reference, text_of
from milo_schema.annotations.forms import UNION, is_form, unpacked, with_metadata
from milo_schema.callables.signatures import Signature
from milo_schema.profile import Profile
from milo_schema.schemas.walk import FRAGMENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.annotations import generics
    from milo_schema.profile_fields import Generators
else:
    Generators = Any
    generics = loaded_when_used("annotations.generics")


# -- the value that a caller gets --------------------------------------------------------------


def result_annotation(tp: Any, signature: Signature, profile: Profile) -> tuple[Any, Scope]:
    """The annotation of the value that a caller gets (yielded or awaited), and its scope."""
    func = signature.func
    is_generator = func is not None and bool(func.__code__.co_flags & _GENERATOR)
    iterators = _YIELDED if is_generator else _STREAMED
    return _result_annotation(tp, signature.scope, iterators, profile.generators)


def _result_annotation(
    tp: Any, scope: Scope, iterators: tuple[Any, ...], generators: Generators
) -> tuple[Any, Scope]:
    """The annotation of a result; *iterators* are the classes that count as generators."""
    if tp is MISSING or id(tp) in FRAGMENTS or (found := resolution.try_resolve(tp, scope)) is None:
        return tp, scope
    if (args := _arguments_of(found, _is_awaited)) is not None:
        inner, scope = _result_annotation((args or _ANY)[-1], found.scope, iterators, generators)
    elif (args := _arguments_of(found, lambda cls: is_any(cls, iterators))) is not None:
        inner, scope = _of_generator((args or _ANY)[0], generators), found.scope
    else:
        return (found.head if is_context_manager(found.head) else tp), scope
    is_more = found.metadata and inner is not MISSING
    return with_metadata(inner, found.metadata) if is_more else inner, scope


def _of_generator(item: Any, generators: Generators) -> Any:
    """The annotation of the output of a generator, given that of its items."""
    if generators == "nothing":
        return MISSING
    return item if generators == "item" else abc.Iterable[item]


def _arguments_of(
    found: resolution.Resolved, is_wanted: Callable[[type], bool]
) -> tuple[Any, ...] | None:
    """The type arguments for a wanted base class of an annotation; ``None`` if it has none."""
    cls, args, names = found.head, found.args, found.scope.fallback
    for base in mro(cls) if is_class(cls) else ():
        if is_wanted(base):
            try:
                return args if base is cls else generics.base_arguments(cls, args, base, names)
            except UnresolvedError:  # reported when the schema is derived
                return None
    return None


_ANY = (object,)
_GENERATOR = 0x20 | 0x200  # inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR
_STREAMED = (abc.AsyncGenerator, abc.AsyncIterator, abc.AsyncIterable)
_YIELDED = (*_STREAMED, abc.Generator, abc.Iterator, abc.Iterable)
"""Iterators count as generators in a generator function only; elsewhere they are values."""


def _is_awaited(cls: type) -> bool:
    """Whether instances of a class must be awaited."""
    futures = "asyncio.Task", "asyncio.Future", "concurrent.futures.Future"
    return is_any(cls, (abc.Awaitable, abc.Coroutine)) or is_any(cls, map(loaded, futures))


def is_context_manager(tp: Any) -> bool:
    """Whether an annotation is the abstract class of context managers, a class of ABCMeta."""
    names = "contextlib.AbstractContextManager", "contextlib.AbstractAsyncContextManager"
    return is_class(tp) and is_any(tp, map(loaded, names))


# -- outputs without a schema ------------------------------------------------------------------


def has_schema(tp: Any, scope: Scope, profile: Profile) -> bool:
    """Whether an output is data: not nothing, content of MCP, or a signal to the client."""
    if _is_nothing(_resolved_so_far(tp, scope).head):
        return False
    members = _members(tp, scope)
    if all(_is_one_of(profile.output_signals, each) for each in members):
        return False
    return not _has_content(members, profile.opaque_outputs)


def _members(tp: Any, scope: Scope) -> list[resolution.Resolved]:
    """The members of a union, each resolved as far as its names can be evaluated."""
    try:
        members = resolution.union_members(tp, scope)
        return [resolution.resolve(member, inner) for member, inner in members]
    except UnresolvedError:  # reported when the schema is derived
        found = _resolved_so_far(tp, scope)
        if found.head is UNION:
            return [each for arg in found.args for each in _members(arg, found.scope)]
        return [found]


def _resolved_so_far(tp: Any, scope: Scope) -> resolution.Resolved:
    """An annotation without the wrappers around it, as far as they can be evaluated."""
    try:
        for each, inner in resolution.steps(tp, scope):
            tp, scope = each, inner
    except UnresolvedError:
        pass
    return resolution.Resolved(tp, (), (), scope)


def _is_nothing(head: Any) -> bool:
    """Whether a function is annotated to return nothing."""
    return head is None or head is type(None) or is_form(head, "NoReturn") or is_form(head, "Never")


def _is_one_of(classes: Classes, found: resolution.Resolved) -> bool:
    """Whether an annotation is one of the classes; if it cannot be evaluated, by its name."""
    head = found.head
    if is_class(head):
        return classes.have(head)
    text = head.text if type(head) is Unresolved else text_of(head) if is_reference(head) else ""
    return text.rpartition(".")[2] in classes.last_names


def _has_content(members: list[resolution.Resolved], classes: Classes) -> bool:
    """Whether a value, or an item in it, may be an instance of one of the classes."""
    todo = list(members)
    seen: list[Any] = []
    while todo and len(seen) < resolution.MAX_STEPS:
        found = todo.pop()
        if _is_one_of(classes, found):
            return True
        if is_any(found.annotation, seen):  # it contains itself
            continue
        seen.append(found.annotation)
        for item in _items(found):
            todo += _members(item, found.scope)
    return False


def _items(found: resolution.Resolved) -> tuple[Any, ...]:
    """The annotations of the items of a container."""
    if (inside := unpacked(found.annotation)) is not MISSING:
        return (inside,)
    return _arguments_of(found, _is_container) or ()


def _is_container(cls: type) -> bool:
    """Whether the type arguments of a class are the annotations of its items."""
    is_built_in = is_any(cls, (list, tuple, dict, set, frozenset))
    module = body(cls).get("__module__")
    is_collection = module in ("collections", "collections.abc")
    return is_built_in or (is_collection and not is_any(cls, (abc.Callable,)))
