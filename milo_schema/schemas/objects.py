"""An object with a property for each field: a record, or the parameters of a function."""

from __future__ import annotations

import milo_schema
from milo_schema.annotations.hints import MISSING
from milo_schema.json_schema.values import NotJSONError, is_member, is_spelled, json_type, to_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import milo_schema.schemas.rules
    from milo_schema.callables.fields import Field, Record
    from milo_schema.schemas.walk import Walk

    Fragment = dict[str, Any]


def object_schema(found: Record, walk: Walk) -> Fragment:
    """An object with a property for each field: a record, or the parameters of a function."""
    properties: Fragment = {}
    required: list[str] = []
    for field in found.fields:
        properties[field.name] = field_schema(field, walk)
        if field.required:
            required.append(field.name)
    fragment: Fragment = {"type": "object", "properties": properties}
    if required:
        fragment["required"] = required
    is_closed = found.extra is MISSING and walk.profile.closed == "everything"
    if found.extra is False or is_closed:
        fragment["additionalProperties"] = False
    elif found.extra is not MISSING:
        fragment["additionalProperties"] = walk.schema(found.extra, found.extra_step)
    return fragment


def field_schema(field: Field, walk: Walk, *, in_array: bool = False) -> Fragment:
    """The schema of a field or parameter, with its description and its default.

    In an array, ``None`` has its place, and a default has none.
    """
    walk = walk if field.scope is walk.scope else walk.within(field.scope)
    annotation = field.annotation
    if annotation is MISSING:
        fragment = _untyped(field, walk)
    else:
        if (
            type(annotation) is not type
            and not (walk.output or in_array)
            and walk.profile.unwrap_none
        ):
            annotation = milo_schema.rules.without_none(annotation, walk)
        # As walk.schema() does, but the step is written only where it is needed.
        fragment = walk.plain(annotation) or walk.at(field.step).by_rule(annotation)
    if field.description and not walk.definitions.is_described(fragment):
        fragment["description"] = field.description
    default = field.default
    if default is not MISSING and not in_array:
        if type(default) is str or type(default) is bool:  # most are
            fragment["default"] = default
        else:
            _add_default(fragment, field, walk)
    return fragment


def _add_default(fragment: Fragment, field: Field, walk: Walk) -> None:
    """Write the default, if it is JSON; the field is optional all the same."""
    if field.default is None and not walk.profile.null_defaults:
        return
    try:
        value = to_json(field.default)
    except NotJSONError as problem:
        if problem.__cause__ is not None:  # the default is somebody's, and raised
            walk.at(field.step).refuse(f"its default is {problem}", cause=problem.__cause__)
        return
    if value is field.default or _is_admitted(field.default, value, fragment, walk):
        fragment["default"] = value


def _is_admitted(default: Any, value: Any, fragment: Fragment, walk: Walk) -> bool:
    """Whether a default that JSON spells as *value* says what it should in that place.

    An Enum's member that the annotation does not admit is a sentinel.
    """
    if is_member(default):
        return json_type(value) in walk.definitions.kinds(fragment)
    return is_spelled(default)


def _untyped(field: Field, walk: Walk) -> Fragment:
    if walk.profile.untyped is None:
        rule = "has no type hint - every tool parameter must be typed"
        walk.at(field.step).refuse(f"{walk.path}.{field.name} {rule}")
    if walk.strict:
        walk.at(field.step).refuse("no annotation; add one")
    return walk.at(field.step).keywords("untyped")
