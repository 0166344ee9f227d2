"""JSON values that a schema contains as they are: defaults of fields, keywords of the profile."""

from __future__ import annotations

from milo_schema.annotations import Any, Fragment
from milo_schema.annotations.classes import class_name, is_any, mro
from milo_schema.annotations.display import display
from milo_schema.annotations.forms import is_marker, split
from milo_schema.callables.signatures import Field
from milo_schema.json_schema.metaschema import checked
from milo_schema.json_schema.values import NotJSONError, is_member, is_spelled, json_type, to_json
from milo_schema.schemas.definitions import types_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.schemas.walk import Walk
else:
    Walk = Any


def add_default(fragment: Fragment, field: Field, walk: Walk) -> None:
    """Write the default if it is JSON; the field is optional even if it is not."""
    default = field.default
    try:
        value = to_json(default)
    except NotJSONError as problem:
        if problem.__cause__ is not None:  # the default is user code, which raised
            place = walk.at(field)
            place.refuse(f"its default is {problem}", cause=problem.__cause__, code="user-code")
        if is_marker(default):
            way_out = "put it into the annotation: Annotated[..., marker]"
            reason = f"its default is the marker {display(default)}; {way_out}"
            walk.at(field).complain(reason, field.annotation, code="default-not-json")
        return
    if is_member(default):  # one of another type is a sentinel
        if json_type(value) in types_of(fragment, walk):
            fragment["default"] = value
    elif value is default or is_spelled(default):
        fragment["default"] = value


def is_instance(default: object, annotation: Any) -> bool:
    """Whether a default is an instance of a class, which may be given by a missing name."""
    bases = mro(type(default))[:-1]
    if type(annotation) is str:
        return annotation.rpartition(".")[2] in map(class_name, bases)
    return is_any(split(annotation)[0], bases)


def profile_keywords(name: str, walk: Walk) -> Fragment:
    """The keywords of a field of the profile, such as ``unknown``: a fresh, checked copy."""
    given = getattr(walk.profile, name)
    if callable(given):  # it returned None, as for a missing annotation
        return profile_keywords("untyped", walk)
    try:
        return checked(to_json(dict(given or {})), references=())
    except NotJSONError as problem:
        why = f"it contains {problem}, which is not JSON"
        reason = f"the profile's {name!r} is not a valid schema: {why}"
        walk.refuse(reason, cause=problem, code="invalid-schema")
    except ValueError as problem:
        reason = f"the profile's {name!r} is not a valid schema: {problem}"
        walk.refuse(reason, cause=problem, code="invalid-schema")
