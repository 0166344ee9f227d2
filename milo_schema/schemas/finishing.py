"""The last steps of a schema, which only strict mode and some profiles need.

A finished schema is checked for contradictions, and the transforms of the profile rewrite it. This
file is loaded only if there is such a step.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Callable, Fragment
from milo_schema.errors import Report
from milo_schema.json_schema.contradictions import contradictions
from milo_schema.json_schema.subschemas import rebuild
from milo_schema.schemas.walk import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.profile_fields import Transform
else:
    Transform = Any


def completed(
    schema: Fragment,
    walk: Walk,
    step: Callable[[str], str],
    unsettled: Callable[[], Fragment] | None,
    **about: Any,
) -> Fragment:
    """Apply the last steps to a finished schema.

    Args:
        schema: The schema.
        walk: The place of its root.
        step: Formats the path from the root to a subschema.
        unsettled: Makes the same schema with all named types in ``$defs``, if there are any.
        about: Facts about the schema for the ``Report`` that transforms get.
    """
    profile, derivation = walk.profile, walk.derivation
    if derivation.strict:
        nulls = profile.unwrap_none and not derivation.output
        for path, _, reason in contradictions(schema, nulls=nulls):
            walk.at(step(path)).refuse(reason, code="contradiction")
    transforms = profile.transforms
    if profile.optional == "required" and not derivation.output:
        transforms = (_with_all_required, *transforms)
    if not transforms:
        return schema
    derivation.respelled = schema
    about |= {"name": walk.path.removesuffix("() -> result"), "output": derivation.output}
    respelled, problems = _respelled(schema, transforms, Report(**about))
    if problems and unsettled is not None:
        shared, others = _respelled(unsettled(), transforms, Report(**about))
        if not others:  # what is too large inline may fit in $defs
            return shared
    for path, reason in problems:
        walk.at(step(path)).complain(reason, code="refused-by-transform")
    return respelled


def _respelled(
    schema: Fragment, transforms: tuple[Transform, ...], report: Report
) -> tuple[Fragment, list[tuple[str, str]]]:
    """A finished schema after the transforms, and the problems that they report."""
    for transform in transforms:
        schema = transform(schema, report)
    return schema, report.problems


def _with_all_required(schema: Fragment, _report: Report | None = None) -> Fragment:
    """A schema whose objects require every property that they name."""
    schema = rebuild(schema, _with_all_required)
    if properties := schema.get("properties"):
        schema["required"] = list(properties)
    return schema
