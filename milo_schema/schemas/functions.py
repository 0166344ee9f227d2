"""What a caller may pass to a function.

Strategy: ``signatures`` reads the function; its parameters, less those that are not the caller's,
are the fields of a record, and a record is what ``objects`` makes an object schema of.
"""

from __future__ import annotations

import sys

import milo_schema
from milo_schema import errors
from milo_schema.annotations.hints import MISSING, RAISED, Scope, inherits, resolve, told
from milo_schema.callables.fields import POSITIONAL_ONLY, VARIADIC, Record
from milo_schema.callables.signatures import read
from milo_schema.profiles import MILO, Profile
from milo_schema.schemas.definitions import Definitions
from milo_schema.schemas.objects import object_schema
from milo_schema.schemas.walk import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Any

    import milo_schema.callables.parameters
    from milo_schema.callables.signatures import Signature

    Names = Mapping[str, Any] | None


# -- the front door ----------------------------------------------------------------------------


def function_to_schema(  # noqa: PLR0913 - all of them named, all of them optional
    func: Callable[..., Any],
    *,
    strict: bool = False,
    warn_missing_docs: bool = False,
    exclude: Collection[str | type] = (),
    profile: Profile = MILO,
    localns: Names = None,
) -> dict[str, Any]:
    """Derive the JSON Schema of what a function takes.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable.
        strict: Whether an annotation that has no schema is an error instead of a warning.
        warn_missing_docs: Whether to warn of every parameter that nothing describes.
        exclude: Names and types of parameters that are no part of the schema.
        profile: What the schema should say.
        localns: Names that annotation strings use and their module does not have.

    Returns:
        A fresh object schema: ``{"type": "object", "properties": {...}, "required": [...]}``.

    Raises:
        SchemaError: There is no true schema; the message has the place and the way out.

    Example:
        >>> from milo_schema import function_to_schema
        >>> def greet(name: str, times: int = 1): ...
        >>> schema = function_to_schema(greet)
        >>> schema["properties"]
        {'name': {'type': 'string'}, 'times': {'type': 'integer', 'default': 1}}
        >>> schema["required"]
        ['name']
    """
    if type(profile) is not Profile:
        expect_profile(profile)
    try:
        signature = read(func, localns)
        walk = start(signature.name, signature.scope, profile, strict=strict)
        schema = finish(
            lambda: object_schema(_record(signature, walk, exclude), walk), walk, _as_parameter
        )
    except errors.SchemaError as problem:
        if strict or profile.failure != "open":
            raise
        errors.warn(problem.reason, problem.path, problem.annotation)
        return {"type": "object", "additionalProperties": True}
    if warn_missing_docs:
        _warn_missing_docs(schema, signature)
    return _describe(schema, profile.undescribed) if profile.undescribed else schema


def type_to_schema(
    annotation: Any,
    *,
    strict: bool = False,
    profile: Profile = MILO,
    localns: Names = None,
) -> dict[str, Any]:
    """Derive the JSON Schema of an annotation.

    Args:
        annotation: A class, or anything else that may stand in an annotation.
        strict: Whether an annotation that has no schema is an error instead of a warning.
        profile: What the schema should say.
        localns: Names that annotation strings use and the caller's do not have.

    Returns:
        A fresh schema.

    Raises:
        SchemaError: There is no true schema; the message has the place and the way out.

    Example:
        >>> from milo_schema import type_to_schema
        >>> type_to_schema(list[int] | None)
        {'anyOf': [{'type': 'array', 'items': {'type': 'integer'}}, {'type': 'null'}]}
    """
    from milo_schema.annotations.forms import display

    expect_profile(profile)
    scope = Scope(extra=localns, frame=sys._getframe(1))
    walk = start(display(annotation), scope, profile, strict=strict)
    return finish(lambda: walk.schema(resolve(annotation, walk.scope)), walk)


def expect_profile(profile: object) -> None:
    """See to it that a profile is one; ``"MCP"`` is the name of one."""
    if not inherits(type(profile), Profile):
        from milo_schema.annotations.forms import display

        way_out = "pass profiles.MCP or its like"
        raise errors.SchemaError(f"profile={display(profile)} is no Profile; {way_out}")


def start(path: str, scope: Scope, profile: Profile, *, strict: bool, output: bool = False) -> Walk:
    """Where a derivation begins, and what was asked of it."""
    return Walk(profile, strict, output, path, scope, Definitions())


def finish(
    build: Callable[[], dict[str, Any]], walk: Walk, step: Callable[[str], str] = str
) -> dict[str, Any]:
    """Build a schema, settle its definitions, and spell it as the profile has it.

    Args:
        build: Makes the fragment of the root.
        walk: Where the root is.
        step: How what leads from the root to a place is written: ``.x`` of a function is ``(x)``.
    """
    try:
        schema = walk.definitions.finish(build(), inline=walk.profile.inline)
    except RecursionError:  # the caller is deep down itself
        reason = "nested too deeply for what is left of Python's stack"
        raise errors.SchemaError(reason, walk.path) from None
    for transform in walk.profile.transforms:
        schema = transform(schema, lambda path, reason: walk.at(step(path)).complain(reason))
    return schema


def _as_parameter(path: str) -> str:
    """``(x)[]`` for ``.x[]``: the properties of the root are parameters."""
    if not path.startswith("."):
        return path
    end = next((i for i, mark in enumerate(path) if i and mark in ".[{"), len(path))
    return f"({path[1:end]}){path[end:]}"


# -- parameters --------------------------------------------------------------------------------


def _record(signature: Signature, walk: Walk, exclude: Collection[Any]) -> Record:
    """The parameters of a function as a record: what an object with its arguments has."""
    names, class_names = walk.profile.injected_names, walk.profile.injected_classes
    types: list[Any] = []
    if exclude:
        names, types = _excluded(exclude, names)
    docs = _parameter_docs(signature.docs) if signature.docs else {}
    record = Record([], False if walk.profile.closed != "nothing" else MISSING)
    injection = None  # made for the first parameter that is of no plain class
    for parameter in signature.parameters:
        tp = parameter.annotation
        if parameter.name in names:
            continue
        if type(tp) is type and not types:  # most are
            if tp.__name__ in class_names:
                continue
        elif tp is not MISSING:
            injection = injection or milo_schema.parameters.Injection(types, class_names)
            if injection.fills_in(parameter):
                continue
        if parameter.kind in VARIADIC:
            known = {*names, *(each.name for each in record.fields)}
            said = docs.get(parameter.name)
            keys = milo_schema.parameters.variadic(parameter, record, said, walk)
            injection = injection or milo_schema.parameters.Injection(types, class_names)
            record.fields += [
                key for key in keys if key.name not in known and not injection.fills_in(key)
            ]
        else:
            record.fields.append(parameter)
        if walk.strict and parameter.kind == POSITIONAL_ONLY:
            reason = "positional-only, but JSON passes arguments by name; drop the '/'"
            walk.at(parameter.step).refuse(reason, parameter.annotation)
    return _documented(record, docs) if docs else record


def _documented(record: Record, docs: Mapping[str, str]) -> Record:
    for field in record.fields:
        field.description = docs.get(field.name) or field.description
    return record


def _excluded(exclude: Collection[Any], names: frozenset[str]) -> tuple[frozenset[str], list[Any]]:
    """The names and the types of parameters that are no part of the schema."""
    try:
        every = [exclude] if isinstance(exclude, (str, type)) else list(exclude)
    except RAISED as problem:  # the collection is somebody's
        reason = f"exclude= is no collection of names and types: {told(problem)}"
        raise errors.SchemaError(reason) from problem
    more = [each for each in every if isinstance(each, str)]
    return names.union(more), [each for each in every if not isinstance(each, str)]


def _parameter_docs(texts: list[str]) -> dict[str, str]:
    """What the docstrings say of each parameter."""
    from milo_schema.docstrings import names_in

    docs: dict[str, str] = {}
    for text in texts:
        docs.update(names_in(text))
    return docs


def _describe(schema: dict[str, Any], template: str) -> dict[str, Any]:
    """Give each property a description that has none."""
    properties = schema["properties"]
    for name, fragment in properties.items():
        if "description" not in fragment:
            bare = {"anyOf": [fragment]} if "$ref" in fragment else fragment
            properties[name] = {**bare, "description": template.replace("{name}", name)}
    return schema


def _warn_missing_docs(schema: dict[str, Any], signature: Signature) -> None:
    for name, fragment in schema["properties"].items():
        if "description" not in fragment:
            reason = "no description; document it in the docstring or with Description(...)"
            errors.warn(reason, f"{signature.name}({name})")
