"""Custom schemas: of types that describe themselves, and of types that a profile describes.

A custom schema may have its own ``$defs``; ``import_schema()`` makes them ours.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Arguments, Callable, Fragment
from milo_schema.annotations.classes import (
    USER_CODE_ERRORS,
    is_called,
    is_class,
    mro,
    repr_of_error,
    with_article,
)
from milo_schema.annotations.display import display
from milo_schema.annotations.forms import is_typed_dict, key_of, split
from milo_schema.annotations.generics import is_small
from milo_schema.errors import SchemaError
from milo_schema.json_schema import Ref, metaschema
from milo_schema.json_schema.imports import Import, references_of
from milo_schema.json_schema.values import Budget, NotJSONError, to_json, to_key
from milo_schema.schemas.containers import Rule
from milo_schema.schemas.definitions import define, definitions_of, types_of
from milo_schema.schemas.unsupported import unsupported
from milo_schema.schemas.walk import Step, Walk


def hook(tp: Any, _args: Arguments, walk: Walk, step: Step) -> Fragment:
    """A class with ``__milo_schema__(cls, walk)``."""
    cls, _ = split(tp)
    whose = f"{display(cls)}.__milo_schema__"
    build = lambda walk: _asked(cls.__milo_schema__, (walk,), whose, walk)  # noqa: E731
    return _define(tp, build, walk.at(step))


def own_schema(tp: Any, head: Any, walk: Walk) -> Any:
    """The profile's schema of a type, or of one of its bases."""
    known: dict[Any, Any] = {}
    named: dict[str, Any] = {}
    for key, schema in walk.profile.types.items():
        key_head, args = split(key)
        if type(key) is str:
            named[key] = schema
        elif not args:
            known[key_of(key)] = schema
        elif key_head is head and is_small(tp) and key_of(key) == key_of(tp):
            return schema
    has_bases = is_class(head) and not is_typed_dict(head)  # it is not a dict[K, V]
    for cls in (head, *(mro(head)[1:-1] if has_bases else ())):
        if (key := key_of(cls)) in known:
            return known[key]
        for name in named if is_class(cls) else ():
            if is_called(cls, name):
                return named[name]
    return None


def registered(schema: Any) -> Rule:
    """The rule for a type that the profile describes."""

    def rule(tp: Any, _args: Arguments, walk: Walk, step: Step) -> Fragment:
        whose = f"the profile's schema of {display(tp)}"
        return _define(tp, lambda walk: _asked(schema, (tp, walk), whose, walk), walk.at(step))

    return rule


def unknown(tp: Any, args: Arguments, walk: Walk, step: Step) -> Fragment:
    """An annotation without a rule: only the profile's function may know a schema for it."""
    found = ask_about_unknown(tp, walk.at(step))
    return unsupported(tp, args, walk, step) if found is None else found


def ask_about_unknown(tp: Any, walk: Walk) -> Fragment | None:
    """The schema that the function in ``Profile.unknown`` returns for an annotation, if any."""
    ask = walk.profile.unknown
    if not callable(ask):
        return None
    whose = f"the profile's function for unknown types, called for {display(tp)},"
    try:
        return _define(tp, lambda walk: _told(ask, tp, whose, walk), walk)
    except _NothingIsKnownError:
        definitions_of(walk).forget(tp)
        return None


class _NothingIsKnownError(Exception):
    """Raised if the function has no schema for the annotation."""


def _told(ask: Any, tp: Any, whose: str, walk: Walk) -> Fragment:
    found = _called(ask, (tp, walk), whose, walk)
    if found is None:
        raise _NothingIsKnownError
    return _checked(found, whose, tp, walk)


def _define(tp: Any, build: Callable[[Walk], Fragment], walk: Walk) -> Fragment:
    """A reference to a type; a scalar is written in place, as built-in ones are."""
    reference = define(tp, build, walk)
    if _HAVE_PARTS.isdisjoint(types_of(reference, walk)):
        definitions = definitions_of(walk)
        definitions.scalars = {*definitions.scalars, reference["$ref"].key}
    return reference


_HAVE_PARTS = frozenset({"array", "object"})


def _asked(schema: Any, args: Arguments, whose: str, walk: Walk) -> Fragment:
    """A custom schema: keywords, or a function that makes them."""
    if callable(schema):
        schema = _called(schema, args, whose, walk)
    return _checked(schema, whose, args[0], walk)


def _called(function: Any, args: Arguments, whose: str, walk: Walk) -> Any:
    """The result of a user's function."""
    try:
        return function(*args)
    except SchemaError:
        raise
    except USER_CODE_ERRORS as problem:
        walk.refuse(f"{whose} raised {repr_of_error(problem)}", args[0], problem, "user-code")


def import_schema(schema: Any, walk: Walk) -> Fragment:
    """A custom schema as a part of ours, including its ``$defs``."""
    return _checked(schema, "the schema to import", None, walk)


def _checked(schema: Any, whose: str, tp: Any, walk: Walk) -> Fragment:
    """A fresh, checked copy of a custom schema, with its definitions among ours."""
    if type(schema) is not dict:
        given = with_article(display(type(schema)))
        walk.refuse(f"{whose} must be a dict, not {given}", tp, code="invalid-schema")
    try:
        fragment: Fragment = _fragment(schema, Budget())
        fragment = metaschema.checked(fragment, references=references_of(fragment))
    except NotJSONError as problem:
        reason = f"{whose} contains {problem}, which is not JSON"
        walk.refuse(reason, tp, problem, "invalid-schema")
    except ValueError as problem:
        reason = f"{whose} is not a valid schema: {problem}"
        walk.refuse(reason, tp, problem, "invalid-schema")
    return with_definitions(fragment, walk)


def with_definitions(fragment: Fragment, walk: Walk) -> Fragment:
    """A checked schema, without its ``$defs``, which become definitions of the whole."""
    definitions_of(walk).is_simple = False  # its references are copied
    if (definitions := fragment.pop("$defs", None)) is None:
        return fragment
    return Import(definitions, define).fragment(fragment, walk)


def _fragment(value: Any, budget: Budget) -> Any:
    """A fresh copy of keywords, which are JSON except for references made by a walk."""
    if type(value) is dict:
        return {to_key(key): _fragment(item, budget) for key, item in budget.each(value.items())}
    if type(value) is list:
        return [_fragment(item, budget) for item in budget.each(value)]
    return value if type(value) is Ref else to_json(value, budget)
