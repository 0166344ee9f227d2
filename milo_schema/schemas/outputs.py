"""The schema of the value that a function returns, yields, or produces when awaited."""

from __future__ import annotations

import _collections_abc as abc  # the names of collections.abc, without loading collections

from milo_schema import errors
from milo_schema.annotations import Any, Callable, Names
from milo_schema.annotations.classes import (
    MISSING,
    USER_CODE_ERRORS,
    Classes,
    Unresolved,
    UnresolvedError,
    body,
    is_any,
    is_class,
    loaded,
    loaded_when_used,
    mro,
    repr_of_error,
)
from milo_schema.annotations.evaluation import Scope, evaluated, is_reference, text_of
from milo_schema.annotations.forms import (
    UNION,
    is_form,
    is_generic_class,
    split,
    unpacked,
    with_metadata,
)
from milo_schema.callables import read
from milo_schema.callables.signatures import Signature, result_in
from milo_schema.profile import MILO, Profile
from milo_schema.schemas.functions import expect_profile, finish, start
from milo_schema.schemas.walk import FRAGMENTS, Walk, is_described

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.annotations import generics, resolution
    from milo_schema.profile_fields import Generators, OutputPredicate
    from milo_schema.schemas import definitions
else:
    Generators = OutputPredicate = Any
    definitions = loaded_when_used("schemas.definitions")
    generics = loaded_when_used("annotations.generics")
    resolution = loaded_when_used("annotations.resolution")


def return_to_schema(
    func: Callable[..., Any],
    *,
    returns: Any = MISSING,
    strict: bool = False,
    profile: Profile = MILO,
    localns: Names = None,
) -> dict[str, Any] | None:
    """Derive the JSON Schema of a function's return value.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        returns: A return annotation that replaces the function's own.
        strict: Whether an annotation without an exact schema is an error, not a warning.
        profile: How the schema is written.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        A fresh schema; for a generator function it describes the yielded values, for a coroutine
        function the awaited value. ``None`` if there is no return annotation, or it is ``None``
        or a content type of MCP, which clients read directly.

    Raises:
        SchemaError: A type has no exact schema. The message says where, and what to do.

    Example:
        >>> from milo_schema import return_to_schema
        >>> def status(service: str) -> dict[str, str]: ...
        >>> return_to_schema(status)
        {'type': 'object', 'additionalProperties': {'type': 'string'}}
    """
    schema, _ = output_of(func, returns=returns, strict=strict, profile=profile, localns=localns)
    return schema


def output_of(
    func: Callable[..., Any],
    *,
    strict: bool,
    profile: Profile,
    returns: Any = MISSING,
    localns: Names = None,
) -> tuple[dict[str, Any] | None, bool]:
    """The schema of a function's return value, and whether the value is boxed in ``result``."""
    expect_profile(profile)
    profile = profile.for_outputs
    signature = signature_of_output(func, returns, localns)
    annotation, scope = result_annotation(signature, profile)
    if not profile.outputs or not _has_schema(annotation, scope, profile):
        return None, False
    walk = start(f"{signature.name}() -> result", scope, profile, strict=strict, output=True)
    try:
        if _is_context_manager(annotation):
            reason = "a context manager has no JSON Schema; return the value that it yields"
            walk.complain(reason, annotation, code="unsupported-type")
            return None, False
        fragment = walk.schema(annotation)
        if fragment.get("type") == "null":  # a union with no other members
            return None, False
        if _one_says(profile.opaque_if, "opaque_if", fragment, annotation, walk):
            return None, False
        is_boxed = profile.box is not None and _needs_box(fragment, annotation, walk)
        has_docs = profile.output_docs and profile.docstrings != "never"
        text = _output_doc(signature) if has_docs else ""
        if text and not is_described(fragment, walk.derivation):
            fragment["description"] = text
        root = lambda: _boxed(fragment, walk) if is_boxed else fragment  # noqa: E731
        return finish(root, walk, func=func), is_boxed
    except errors.SchemaError as problem:
        source = signature.scope.source
        if strict or profile.failure != "open":
            errors.add_location(problem, source)
            raise
        errors.warn(problem.reason, problem.path, problem.annotation, source, code=problem.code)
        return None, False


def signature_of_output(func: Callable[..., Any], returns: Any, localns: Names) -> Signature:
    """Read a function, with another return annotation if one is given."""
    signature = read(func, localns, False)  # noqa: FBT003
    if returns is not MISSING:
        signature.returns = returns
    return signature


def _output_doc(signature: Signature) -> str:
    """The description, in the docstring, of the value that is returned or yielded."""
    found = ""
    for doc in signature.docs:
        found = result_in(doc) or found
    return found


def _boxed(fragment: dict[str, Any], walk: Walk) -> dict[str, Any]:
    """An object whose ``result`` the fragment describes; its definitions go to the root."""
    properties = {"result": fragment}
    box = walk.keywords("box")
    return {"type": "object", "properties": properties, "required": ["result"], **box}


def _needs_box(fragment: dict[str, Any], annotation: Any, walk: Walk) -> bool:
    """Whether an output is boxed: it is not an object, or the profile decides so."""
    if not _is_object(fragment, walk):
        return True
    return _one_says(walk.profile.box_if, "box_if", fragment, annotation, walk)


def _one_says(
    predicates: tuple[OutputPredicate, ...],
    name: str,
    fragment: dict[str, Any],
    annotation: Any,
    walk: Walk,
) -> bool:
    """Whether one of the profile's functions, which are user code, returns true for an output."""
    for predicate in predicates:
        try:
            if predicate(annotation, definitions.finished_copy(fragment, walk)):
                return True
        except USER_CODE_ERRORS as problem:
            reason = f"{predicate!r} of {name} raised {repr_of_error(problem)}"
            walk.refuse(reason, annotation, problem, "user-code")
    return False


def _is_object(fragment: dict[str, Any], walk: Walk) -> bool:
    if walk.derivation.definitions is not None:
        walk.derivation.definitions.complete()
    return set(definitions.types_of(fragment, walk)) == {"object"}


# -- the value that a caller gets --------------------------------------------------------------


def result_annotation(signature: Signature, profile: Profile) -> tuple[Any, Scope]:
    """The annotation of the value that a caller gets (yielded or awaited), and its scope."""
    annotation = evaluated(signature.returns, signature.scope)
    if id(annotation) in FRAGMENTS or id(split(annotation)[0]) in _DATA:  # as most are
        return annotation, signature.scope
    func = signature.func
    is_generator = func is not None and bool(func.__code__.co_flags & _GENERATOR)
    iterators = _YIELDED if is_generator else _STREAMED
    return _result_annotation(annotation, signature.scope, iterators, profile.generators)


_DATA = frozenset(map(id, (list, dict, tuple, set, frozenset, UNION)))
"""The ids of annotation heads with values that a caller gets unchanged."""


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
        return (found.head if _is_context_manager(found.head) else tp), scope
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


def _is_context_manager(tp: Any) -> bool:
    """Whether an annotation is the abstract class of context managers, a class of ABCMeta."""
    if type(tp) is type or not is_class(tp):
        return False
    names = "contextlib.AbstractContextManager", "contextlib.AbstractAsyncContextManager"
    return is_any(tp, map(loaded, names))


# -- outputs without a schema ------------------------------------------------------------------


def _has_schema(tp: Any, scope: Scope, profile: Profile) -> bool:
    """Whether an output is data: not ``None``, content of MCP, or a signal to the client."""
    if tp is MISSING or tp is None or tp is type(None):
        return False
    if id(tp) in FRAGMENTS or _is_of_plain_types(tp, profile):  # as most are
        return True
    if _is_nothing(_resolved_so_far(tp, scope).head):
        return False
    members = _members(tp, scope)
    if all(_is_one_of(profile.output_signals, each) for each in members):
        return False
    return not _has_content(members, profile.opaque_outputs)


def _is_of_plain_types(tp: Any, profile: Profile) -> bool:
    """Whether an output is a container or a union of plain types: ``list[str]``, ``str | None``."""
    head, args = split(tp)
    if not args or not FRAGMENTS.keys() >= {*map(id, args)}:
        return False
    are_spared = profile.output_signals.spared and profile.opaque_outputs.spared
    return is_generic_class(tp) or (head is UNION and bool(are_spared))


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
