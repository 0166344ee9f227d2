"""The schema of what a function returns, yields or lets a caller await."""

from __future__ import annotations

import _collections_abc as abc  # what collections.abc has, without loading collections

from milo_schema import errors
from milo_schema.annotations.classes import MISSING, UnresolvedError, bare_name, is_any
from milo_schema.annotations.evaluation import evaluated
from milo_schema.annotations.forms import is_form, with_metadata
from milo_schema.annotations.resolution import resolve, try_resolve, union_members
from milo_schema.callables import read
from milo_schema.profiles import MILO
from milo_schema.schemas.functions import expect_profile, finish, start
from milo_schema.schemas.walk import FRAGMENTS, is_described

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from milo_schema.annotations.evaluation import Scope
    from milo_schema.callables.signatures import Signature
    from milo_schema.profiles import Profile
    from milo_schema.schemas.walk import Walk

    Names = Mapping[str, Any] | None


def return_to_schema(
    func: Callable[..., Any],
    *,
    strict: bool = False,
    profile: Profile = MILO,
    localns: Names = None,
) -> dict[str, Any] | None:
    """Derive the JSON Schema of what a function returns.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        strict: Whether an annotation that has no schema is an error instead of a warning.
        profile: What the schema should say.
        localns: Names that annotation strings use and their module does not have.

    Returns:
        A fresh schema; of what is yielded or awaited, if it is a generator or coroutine
        function. ``None`` if there is no return annotation, or it is ``None``.

    Raises:
        SchemaError: There is no true schema; the message has the place and the way out.

    Example:
        >>> from milo_schema import return_to_schema
        >>> def status(service: str) -> dict[str, str]: ...
        >>> return_to_schema(status)
        {'type': 'object', 'additionalProperties': {'type': 'string'}}
    """
    schema, _ = output_of(func, strict=strict, profile=profile, localns=localns)
    return schema


def output_of(
    func: Callable[..., Any], *, strict: bool, profile: Profile, localns: Names = None
) -> tuple[dict[str, Any] | None, bool]:
    """The schema of what a function returns, and whether that is boxed in ``result``."""
    expect_profile(profile)
    signature = read(func, localns)
    annotation, scope = given_back(signature)
    if _is_nothing(annotation, scope) or not profile.outputs:
        return None, False
    if profile.opaque_outputs and _names_any(annotation, scope, profile.opaque_outputs):
        return None, False
    walk = start(f"{signature.name}() -> ", scope, profile, strict=strict, output=True)
    try:
        fragment = walk.schema(annotation)
        text = _output_doc(signature) if profile.output_docs else ""
        if text and not is_described(fragment, walk.derivation):
            fragment["description"] = text
        is_boxed = profile.box is not None and not _is_object(fragment, walk)
        return finish(lambda: _boxed(fragment, walk) if is_boxed else fragment, walk), is_boxed
    except errors.SchemaError as problem:
        if strict or profile.failure != "open":
            raise
        source = signature.scope.source
        errors.warn(problem.reason, problem.path, problem.annotation, source)
        return None, False


def _output_doc(signature: Signature) -> str:
    """What the docstring says of what comes back: returned or, by a generator, yielded."""
    from milo_schema.docstrings import returned_in

    found = ""
    for doc in signature.docs:
        found = returned_in(doc) or found
    return found


def _boxed(fragment: dict[str, Any], walk: Walk) -> dict[str, Any]:
    """An object whose ``result`` the fragment describes; its definitions go to the root."""
    properties = {"result": fragment}
    box = walk.keywords("box")
    return {"type": "object", "properties": properties, "required": ["result"], **box}


def _is_object(fragment: dict[str, Any], walk: Walk) -> bool:
    from milo_schema.schemas.definitions import types_of

    if walk.derivation.definitions is not None:
        walk.derivation.definitions.complete()
    return set(types_of(fragment, walk)) == {"object"}


# -- what is given back ------------------------------------------------------------------------


def given_back(signature: Signature) -> tuple[Any, Scope]:
    """What a caller gets: what is yielded or awaited, where that is it; and its scope."""
    annotation = evaluated(signature.returns, signature.scope)
    func = signature.func
    is_generator = func is not None and bool(func.__code__.co_flags & _GENERATOR)
    return _given_back(annotation, signature.scope, is_generator=is_generator)


def _given_back(tp: Any, scope: Scope, *, is_generator: bool) -> tuple[Any, Scope]:
    if tp is MISSING or id(tp) in FRAGMENTS:
        return tp, scope
    found = try_resolve(tp, scope)
    if found is None:
        return tp, scope
    args = found.args or (object,)
    if is_any(found.head, (abc.Awaitable, abc.Coroutine)):
        inner, scope = _given_back(args[-1], found.scope, is_generator=is_generator)
    elif is_any(found.head, _ITERATORS) or (is_generator and found.head is abc.Iterable):
        inner, scope = args[0], found.scope
    else:
        return tp, scope
    return with_metadata(inner, found.metadata) if found.metadata else inner, scope


_GENERATOR = 0x20 | 0x200  # inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR
_ITERATORS = (
    abc.Generator,
    abc.AsyncGenerator,
    abc.Iterator,
    abc.AsyncIterator,
    abc.AsyncIterable,
)


def _is_nothing(tp: Any, scope: Scope) -> bool:
    """Whether a function says that it gives nothing back, or does not say what."""
    if tp is MISSING or tp is None or tp is type(None):
        return True
    if id(tp) in FRAGMENTS or (found := try_resolve(tp, scope)) is None:
        return False
    is_none = found.head is None or found.head is type(None)
    return is_none or is_form(found.head, "NoReturn") or is_form(found.head, "Never")


def _names_any(tp: Any, scope: Scope, names: frozenset[str]) -> bool:
    """Whether an annotation is a class of such a name, or a union with one."""
    try:
        members = union_members(tp, scope)
        return any(bare_name(resolve(arg, inner).head) in names for arg, inner in members)
    except UnresolvedError:  # reported where the schema is asked for
        return False
