"""What a function gives back, or yields, or lets a caller await."""

from __future__ import annotations

from collections import abc
from typing import Annotated, Any, Never, NoReturn, Union

from milo_schema import errors
from milo_schema.aliases import alias_of, split
from milo_schema.functions import expect_profile, finish, start
from milo_schema.hints import MISSING, bare_name, is_any, resolve
from milo_schema.profiles import MILO
from milo_schema.signatures import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from milo_schema.profiles import Profile
    from milo_schema.signatures import Signature
    from milo_schema.walk import Walk

    Names = Mapping[str, Any] | None


def return_to_schema(
    func: Callable[..., Any],
    *,
    strict: bool = False,
    profile: Profile = MILO,
    localns: Names = None,
) -> dict[str, Any] | None:
    """Derive the JSON Schema of what a function gives back.

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
    """The schema of what a function gives back, and whether that is boxed in ``result``."""
    expect_profile(profile)
    signature = read(func, localns)
    annotation = given_back(resolve(signature.returns, signature.scope), signature)
    origin, args = split(annotation)
    bare = args[0] if origin is Annotated and args else annotation
    if is_any(bare, (MISSING, None, type(None), NoReturn, Never)):
        return None, False
    if not profile.outputs or _names_any(annotation, profile.opaque_outputs):
        return None, False
    walk = start(f"{signature.name}() -> ", signature.scope, profile, strict=strict, output=True)
    try:
        fragment = walk.schema(annotation)
        text = _output_doc(signature) if profile.output_docs else ""
        if text and not walk.definitions.is_described(fragment):
            fragment["description"] = text
        is_boxed = profile.box is not None and set(walk.definitions.kinds(fragment)) != {"object"}
        return finish(lambda: _boxed(fragment, walk) if is_boxed else fragment, walk), is_boxed
    except errors.SchemaError as problem:
        if strict or profile.failure != "open":
            raise
        errors.warn(problem.reason, problem.path, problem.annotation)
        return None, False


def _output_doc(signature: Signature) -> str:
    """What the docstring says of what comes back: returned or, by a generator, yielded."""
    from milo_schema.docstrings import parse_docstring

    found = ""
    for doc in signature.docs:
        parsed = parse_docstring(doc)
        found = parsed.yields or parsed.returns or found
    return found


def _boxed(fragment: dict[str, Any], walk: Walk) -> dict[str, Any]:
    """An object whose ``result`` the fragment describes; its definitions go to the root."""
    properties = {"result": fragment}
    box = walk.keywords("box")
    return {"type": "object", "properties": properties, "required": ["result"], **box}


def _names_any(tp: Any, names: frozenset[str]) -> bool:
    """Whether an annotation is a class of such a name, or a union with one."""
    origin, args = split(tp)
    if is_any(origin, (Union, Annotated)):
        return any(_names_any(arg, names) for arg in args)
    return bare_name(tp if origin is None else origin) in names


# -- what is given back ------------------------------------------------------------------------


def given_back(annotation: Any, signature: Signature) -> Any:
    """What is yielded or awaited, where that is what a caller gets."""
    origin, args = split(annotation)
    if origin is Annotated and args:
        inner = given_back(args[0], signature)
        return annotation if inner is args[0] else alias_of(origin, (inner, *args[1:]))
    head = annotation if origin is None else origin
    if is_any(head, (abc.Awaitable, abc.Coroutine)):
        return given_back(args[-1], signature) if args else Any
    is_generator = signature.func is not None and signature.func.__code__.co_flags & _GENERATOR
    if is_any(head, _ITERATORS) or (is_generator and head is abc.Iterable):
        return args[0] if args else Any
    return annotation


_GENERATOR = 0x20 | 0x200  # inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR
_ITERATORS = (
    abc.Generator,
    abc.AsyncGenerator,
    abc.Iterator,
    abc.AsyncIterator,
    abc.AsyncIterable,
)
