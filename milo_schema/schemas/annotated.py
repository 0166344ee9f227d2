"""``Annotated``: a type, with what its metadata say (PEP 593)."""

from __future__ import annotations

from milo_schema import markers
from milo_schema.annotations.classes import RAISED, told
from milo_schema.annotations.forms import display, split
from milo_schema.json_schema.values import NotJSONError
from milo_schema.markers import Constraint, Instead
from milo_schema.schemas.definitions import look_into, types_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from milo_schema.schemas.walk import Walk

    Fragment = dict[str, Any]


def apply_markers(found: list[markers.Marker], fragment: Fragment, tp: Any, walk: Walk) -> Fragment:
    """The schema with what the markers of *tp* say."""
    if any(isinstance(marker, Constraint) for marker in found):
        fragment = look_into(fragment, walk)
    for marker in sorted(found, key=_turn):
        try:
            applied = marker.apply(fragment, lambda fragment: types_of(fragment, walk))
        except NotJSONError as problem:
            walk.complain(f"{display(marker)} has {problem}, which is no JSON value", tp)
            continue
        except ValueError as problem:
            walk.complain(f"{display(marker)} {problem}", tp)
            continue
        if not applied:
            inner = display(split(tp)[1][0])
            walk.complain(f"{display(marker)} cannot apply to {inner}; drop it", tp)
    return fragment


def _turn(marker: markers.Marker) -> int:
    """When a marker is applied: the constraints know what they apply to, the rest what is there."""
    return 0 if isinstance(marker, Instead) else 1 if isinstance(marker, Constraint) else 2


def read_markers(metadata: Iterable[Any], walk: Walk) -> list[markers.Marker]:
    """The markers among *metadata*; bare strings first, so that any other description wins."""
    ordered = sorted(metadata, key=lambda piece: type(piece) is not str)
    try:
        return [marker for piece in ordered for marker in markers.read(piece)]
    except RAISED as problem:  # user-defined properties
        walk.refuse(f"reading the metadata in Annotated raised {told(problem)}", cause=problem)
