"""Rare features of functions and profiles, loaded when they are first needed.

Variadic parameters become what the profile asks for; the fields of a record that is the only
parameter replace it; and parameters without a description get one, or a warning.
"""

from __future__ import annotations

from milo_schema import errors
from milo_schema.annotations import Any, Fragment, Mapping
from milo_schema.annotations.classes import MISSING, UnresolvedError
from milo_schema.annotations.forms import with_metadata
from milo_schema.annotations.resolution import resolve
from milo_schema.callables import records
from milo_schema.callables.signatures import (
    POSITIONAL_ONLY,
    VARIADIC,
    Field,
    Record,
    Signature,
    names_in,
)
from milo_schema.callables.variadics import variadic
from milo_schema.markers import Description
from milo_schema.profile import Profile
from milo_schema.schemas.definitions import in_place
from milo_schema.schemas.walk import Walk, object_schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.schemas import Hidden
else:
    Hidden = Any


# -- variadic parameters -----------------------------------------------------------------------


def take_unusual(record: Record, docs: Mapping[str, str], hidden: Hidden, walk: Walk) -> None:
    """Handle parameters that are not passed by name, because JSON cannot pass by position."""
    parameters, record.fields = record.fields, []
    for parameter in parameters:
        if parameter.kind in VARIADIC:
            _add_variadic(parameter, record, docs, hidden, walk)
            continue
        if parameter.kind == POSITIONAL_ONLY and walk.derivation.strict:
            reason = "positional-only, but JSON passes arguments by name; drop the '/'"
            walk.at(parameter).refuse(reason, parameter.annotation)
        record.fields.append(parameter)


def _add_variadic(
    parameter: Field, record: Record, docs: Mapping[str, str], hidden: Hidden, walk: Walk
) -> None:
    """Add the fields or properties for ``*args`` or ``**kwargs``."""
    known = {each.name for each in record.fields}
    keys = variadic(parameter, record, docs.get(parameter.name), walk)
    hidden.keys = [key.name for key in keys]
    shown = hidden.others(keys)
    if docs and walk.profile.docstrings == "first":
        docs_of_profile(docs, [key for key in shown if key.kind not in VARIADIC], walk.profile)
    for key in shown:
        if key.name not in known:
            key.description = docs.get(key.name) or key.description
            record.fields.append(key)


# -- a record that replaces the parameters -----------------------------------------------------


def object_of(record: Record, walk: Walk) -> Fragment:
    """The object of all parameters of a function, or of the fields of the only one."""
    parameter = whole(record, walk)
    return object_schema(record, walk) if parameter is None else _flattened(parameter, walk)


def whole(record: Record, walk: Walk) -> Field | None:
    """The only parameter, if it is required and a record, so that its fields can replace it."""
    if len(record.fields) != 1:
        return None
    (parameter,) = record.fields
    if not parameter.required or parameter.kind in VARIADIC:
        return None
    try:
        found = resolve(parameter.annotation, parameter.scope)
    except UnresolvedError:  # reported when the schema is derived
        return None
    rules = walk.derivation.rules
    rule, _ = rules.find_for(found.annotation, found.head, found.args, walk.within(found.scope))
    is_object = (rule is rules.record and not records.is_array(found.head)) or (
        rule is rules.model and records.is_model(found.head)
    )
    return parameter if is_object else None


def _flattened(parameter: Field, walk: Walk) -> Fragment:
    """An object with the fields of a parameter as its properties."""
    place = walk.within(parameter.scope)
    schema = in_place(place.inside(parameter, parameter.annotation), place)
    if walk.profile.closed != "nothing":
        schema.setdefault("additionalProperties", False)
    return {"type": "object", "properties": {}, **schema}


# -- descriptions ------------------------------------------------------------------------------


def docs_of_profile(
    docs: Mapping[str, str], parameters: list[Field], profile: Profile
) -> Mapping[str, str]:
    """The parameter descriptions in the docstring, which override those in annotations."""
    if profile.docstrings == "never":
        return {}
    for parameter in parameters:
        text = docs.get(parameter.name)
        if text and parameter.annotation is not MISSING and parameter.kind not in VARIADIC:
            parameter.annotation = with_metadata(parameter.annotation, (Description(text),))
            parameter.parts = None
    return docs


def describe(schema: Fragment, template: str | None, signature: Signature) -> None:
    """Add a description to each property that has none; without a template it is an error."""
    properties = schema["properties"]
    for name in _undescribed(schema):
        if template is None:
            problem = errors.SchemaError(_NO_DESCRIPTION, f"{signature.name}({name})")
            errors.add_location(problem, signature.scope.source)
            raise problem
        fragment = properties[name]
        bare = {"anyOf": [fragment]} if "$ref" in fragment else fragment
        properties[name] = {**bare, "description": template.replace("{name}", name)}


def warn_missing_docs(schema: Fragment, signature: Signature) -> None:
    """Warn about each property that has no description."""
    documented = {name for text in signature.docs for name in names_in(text)}
    others = documented - schema["properties"].keys()
    for name in _undescribed(schema):
        reason = _NO_DESCRIPTION
        if typo := errors.closest(name, others):
            reason = f"no description; the docstring describes {typo}, which is not a parameter"
        errors.warn(reason, f"{signature.name}({name})", source=signature.scope.source)


def _undescribed(schema: Fragment) -> list[str]:
    properties = schema["properties"]
    return [name for name, fragment in properties.items() if "description" not in fragment]


_NO_DESCRIPTION = "no description; document it in the docstring or with Description(...)"
