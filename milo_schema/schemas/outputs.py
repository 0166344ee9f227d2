"""The schema of the value that a function returns, yields, or produces when awaited."""

from __future__ import annotations

from milo_schema import errors
from milo_schema.annotations import Any, Callable, Names
from milo_schema.annotations.classes import (
    MISSING,
    USER_CODE_ERRORS,
    is_class,
    loaded_when_used,
    repr_of_error,
)
from milo_schema.annotations.evaluation import Scope, evaluated
from milo_schema.annotations.forms import (
    UNION,
    is_generic_class,
    split,
)
from milo_schema.callables import read
from milo_schema.callables.signatures import Signature, result_in
from milo_schema.profile import MILO, Profile
from milo_schema.schemas import expect_profile, finish, start
from milo_schema.schemas.walk import FRAGMENTS, Walk, is_described

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.profile_fields import OutputPredicate
    from milo_schema.schemas import definitions, unusual_outputs
else:
    OutputPredicate = Any
    definitions = loaded_when_used("schemas.definitions")
    unusual_outputs = loaded_when_used("schemas.unusual_outputs")


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
        if _is_abstract(annotation) and unusual_outputs.is_context_manager(annotation):
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
    return unusual_outputs.result_annotation(annotation, signature, profile)


_DATA = frozenset(map(id, (list, dict, tuple, set, frozenset, UNION, MISSING)))
"""The ids of annotation heads with values that a caller gets unchanged."""


# -- outputs without a schema ------------------------------------------------------------------


def _is_abstract(tp: Any) -> bool:
    """Whether an annotation is a class with a metaclass, as context managers are."""
    return type(tp) is not type and is_class(tp)


def _has_schema(tp: Any, scope: Scope, profile: Profile) -> bool:
    """Whether an output is data: not ``None``, content of MCP, or a signal to the client."""
    if tp is MISSING or tp is None or tp is type(None):
        return False
    if id(tp) in FRAGMENTS or _is_of_plain_types(tp, profile):  # as most are
        return True
    return unusual_outputs.has_schema(tp, scope, profile)


def _is_of_plain_types(tp: Any, profile: Profile) -> bool:
    """Whether an output is a container or a union of plain types: ``list[str]``, ``str | None``."""
    head, args = split(tp)
    if not args or not FRAGMENTS.keys() >= {*map(id, args)}:
        return False
    if is_generic_class(tp):
        return True
    return head is UNION and bool(profile.output_signals.spared and profile.opaque_outputs.spared)
