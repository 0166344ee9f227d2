"""The dumper for each rule: the counterpart of ``schemas.rules`` for writing JSON.

To find the code for a type, search ``DUMPERS`` for its rule.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Arguments, Encoders
from milo_schema.annotations.evaluation import Scope
from milo_schema.annotations.forms import split
from milo_schema.encoding import containers as arrays
from milo_schema.encoding import records, scalars, special
from milo_schema.encoding.dumper import Dumper, Dumping, stand_in
from milo_schema.profile import Profile
from milo_schema.schemas import containers, rules
from milo_schema.schemas.walk import Walk


def start(profile: Profile, path: str, scope: Scope, encoders: Encoders | None) -> Walk:
    """The walk at the root of a value."""
    profile = profile.for_outputs
    dumping = Dumping(DUMPERS, scalars.scalar, all_encoders(profile, encoders))
    return Walk(profile, dumping, scope, path)


def all_encoders(profile: Profile, encoders: Encoders | None) -> Encoders:
    """The encoders of a profile and of a call."""
    return {**profile.encoders, **(encoders or {})}


def _container(value: Any, tp: Any, args: Arguments, walk: Walk) -> Any:
    """A value of a container that may be recursive."""
    rule, given = rules.by_base(split(tp)[0], args, walk)
    return DUMPERS[rule](value, tp, given, walk)


DUMPERS: dict[Any, Dumper] = {
    containers.array: arrays.array,
    containers.generator: arrays.array,
    containers.unique_array: arrays.unique_array,
    containers.items_view: arrays.items_view,
    containers.tuple_: arrays.tuple_,
    containers.mapping: arrays.mapping,
    containers.counter: arrays.counter,
    rules.literal: scalars.literal,
    rules.enumeration: scalars.enumeration,
    containers.union: arrays.union,
    containers.never: arrays.never,
    containers.anything: arrays.anything,
    rules.annotated: special.annotated,
    rules.container: _container,
    rules.stand_in: stand_in,
    rules.boolean: scalars.boolean,
    rules.forward: stand_in,
    rules.alias: stand_in,
    rules.record: records.record,
    rules.model: special.model,
    rules.hook: special.hook,
    rules.unknown: special.unknown,
}
"""The dumper for each rule; all other types are scalars."""
