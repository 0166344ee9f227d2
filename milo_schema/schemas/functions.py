"""The schema of a function's parameters, of its result, and of an annotation: the entry points."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from typing import Any

from milo_schema.annotations import Json, Names
from milo_schema.annotations.classes import MISSING
from milo_schema.annotations.display import display
from milo_schema.annotations.evaluation import try_evaluate
from milo_schema.annotations.scopes import Scope
from milo_schema.callables.signatures import VARIADIC
from milo_schema.errors import SchemaError
from milo_schema.frozen import Frozen
from milo_schema.nodes.reader import Reader
from milo_schema.profile import MILO, Profile, check_profile
from milo_schema.schemas.finishing import Part, finish, warn_about
from milo_schema.schemas.readings import Options, Reading


def function_to_schema(
    func: Callable[..., Any],
    *,
    strict: bool = False,
    warn_missing_docs: bool = False,
    exclude: Collection[str | type] = (),
    profile: Profile = MILO,
    localns: Names = None,
) -> dict[str, Any]:
    """Derive the JSON Schema of a function's parameters.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        strict: Whether an annotation without an exact schema is an error, not a warning.
        warn_missing_docs: Whether to warn about every parameter without a description.
        exclude: Names and types of parameters to leave out of the schema.
        profile: How the schema is written.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        A fresh dict, ``{"type": "object", "properties": {...}, "required": [...]}``.

    Raises:
        SchemaError: A type has no exact schema. The message says where, and what to do.

    Example:
        >>> from milo_schema import function_to_schema
        >>> def greet(name: str, times: int = 1): ...
        >>> schema = function_to_schema(greet)
        >>> schema["properties"]
        {'name': {'type': 'string'}, 'times': {'type': 'integer', 'default': 1}}
        >>> schema["required"]
        ['name']
    """
    options = Options(profile, exclude=exclude, localns=localns, strict=strict)
    reading = Reading(func, options)
    schema = reading.input_schema()
    if warn_missing_docs:
        reading.warn_missing_docs(schema)
    return schema


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
    options = Options(profile, localns=localns, returns=returns, reads_input=False, strict=strict)
    return Reading(func, options).output_schema()


def type_to_schema(
    annotation: Any,
    *,
    output: bool = False,
    strict: bool = False,
    profile: Profile = MILO,
    localns: Names = None,
) -> dict[str, Any]:
    """Derive the JSON Schema of an annotation.

    Args:
        annotation: A class, or anything else that is valid as an annotation.
        output: Whether the schema is for values that a function returns, not for arguments.
        strict: Whether an annotation without an exact schema is an error, not a warning.
        profile: How the schema is written.
        localns: Names for annotation strings that are not defined where this is called.

    Returns:
        A fresh schema.

    Raises:
        SchemaError: A type has no exact schema. The message says where, and what to do.

    Example:
        >>> from milo_schema import type_to_schema
        >>> type_to_schema(list[int] | None)
        {'anyOf': [{'type': 'array', 'items': {'type': 'integer'}}, {'type': 'null'}]}
    """
    check_profile(profile)
    profile = profile.for_outputs if output else profile
    scope = Scope(extra=localns, frame=sys._getframe(1))
    reader = Reader(profile, scope, display(annotation), strict=strict, output=output)
    return schema_of(try_evaluate(annotation, scope), reader)


def schema_of(annotation: Any, reader: Reader) -> Json:
    """The schema of an annotation; problems are errors or warnings."""
    problems, failure = reader.problems, reader.profile.failure
    try:
        node = reader.read(annotation, reader.scope, (None, reader.root))
        reader.complete()
        part = finish(lambda out: (node.schema(out), node, False), reader)
    except SchemaError as error:
        part = Part.ended(problems, error)
    # There is no function that could be an open object.
    failure = "error" if failure in ("open", "none") else failure
    settled = part.settle(reader.strict, failure)
    warn_about(settled.told, reader.scope.source)
    found = settled.get(reader.scope.source)
    assert found is not None  # noqa: S101 - otherwise, there is an error
    return found


# -- the parameters that a schema leaves out ---------------------------------------------------


class HiddenParameter(Frozen):
    """A parameter that a schema leaves out.

    Attributes:
        name: Its name.
        why: The reason: the field ``"injected_names"``, ``"injected_classes"``,
            ``"injected_if"`` or ``"variadics"`` of the profile, the argument ``"exclude"``, or
            the marker ``"Injected"``.
        by: The name, class, function or marker that matches it.
        annotation: Its annotation; ``None`` if there is none.
        required: Whether a value is required.

    Example:
        >>> from milo_schema import HiddenParameter, hidden_parameters
        >>> def greet(name: str, ctx: object): ...
        >>> hidden_parameters(greet) == [
        ...     HiddenParameter("ctx", "injected_names", "ctx", object, required=True)
        ... ]
        True
    """

    name: str
    why: str
    by: Any
    annotation: Any
    required: bool


def hidden_parameters(
    func: Callable[..., Any],
    *,
    profile: Profile = MILO,
    exclude: Collection[str | type] = (),
    localns: Names = None,
) -> list[HiddenParameter]:
    """Find the parameters that the schema of a function leaves out, and why.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        profile: The profile of its schema.
        exclude: Names and types of parameters to leave out of the schema.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        The parameters, in the order of the signature.

    Raises:
        SchemaError: The function has no schema.

    Example:
        >>> from milo_schema import hidden_parameters, profiles
        >>> class Session: ...
        >>> mine = profiles.MCP.with_injected(classes={Session}, names={"user"})
        >>> def greet(name: str, session: Session, user: str = "me"): ...
        >>> [(each.name, each.why) for each in hidden_parameters(greet, profile=mine)]
        [('session', 'injected_classes'), ('user', 'injected_names')]
    """
    options = Options(profile, exclude=exclude, localns=localns)
    parameters = Reading(func, options).parameters
    return [
        HiddenParameter(
            each.name,
            *parameters.hidden[each.name],
            None if each.annotation is MISSING else each.annotation,
            each.required and each.kind not in VARIADIC,
        )
        for each in (*parameters.every, *parameters.keys)
        if each.name in parameters.hidden
    ]
