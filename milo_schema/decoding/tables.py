"""The loader for each rule: the counterpart of ``schemas.rules`` for reading JSON.

To find the code for a type, search ``LOADERS`` for its rule. If a type has keywords instead of a
rule, its loader is in ``scalars.PLAIN`` or ``texts.TEXTS``.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Arguments, Callable, Mapping, NoReturn
from milo_schema.annotations.classes import UnresolvedError, loaded_when_called
from milo_schema.annotations.evaluation import Scope
from milo_schema.annotations.forms import split
from milo_schema.decoding import containers as arrays
from milo_schema.decoding import records, scalars, unions
from milo_schema.decoding.loader import Loader, Preparation, UnsupportedError
from milo_schema.profile import Profile
from milo_schema.schemas import containers, rules
from milo_schema.schemas.walk import Walk

Prepare = Callable[[Any, Arguments, Walk], Loader | None]


def start(profile: Profile, path: str, scope: Scope, decoders: Mapping[Any, Any] | None) -> Walk:
    """The walk at the root of a new preparation."""
    every = {**profile.decoders, **(decoders or {})}
    return Walk(profile, Preparation(_prepare, every), scope, path)


def loader_of(annotation: Any, walk: Walk) -> Loader:
    """The loader of an annotation, ready for use."""
    loader = _prepare(annotation, walk)
    finish(walk)
    return loader


def finish(walk: Walk) -> None:
    """Run the deferred preparations, including those deferred meanwhile."""
    deferred = walk.derivation.deferred  # type: ignore[attr-defined]  # of a Preparation
    for fill in deferred:  # the list grows meanwhile
        fill()
    deferred.clear()


def _prepare(tp: Any, walk: Walk) -> Loader:
    """Make the loader of an annotation."""
    decoders = walk.derivation.decoders  # type: ignore[attr-defined]  # of a Preparation
    if not decoders and not walk.profile.types and (known := scalars.BY_IDENTITY.get(id(tp))):
        return known
    walk.keep_to_limits(tp)
    try:
        head, args = split(tp)
        for key, decode in decoders.items():
            if key is head:
                decoded: Loader = _decoded(tp, decode, walk)
                return decoded
        if walk.profile.types and rules.own_schema(tp, head, walk) is not None:
            return _registered(tp, head, args, walk)
        rule, args = rules.find_for(tp, head, args, walk)
        loader = LOADERS.get(rule, scalars.scalar)(tp, args, walk)
    except UnresolvedError as problem:
        raise UnsupportedError(str(problem), walk.path, tp, code="unresolved-name") from problem
    return loader or _nothing_reads(tp, args, walk)


def _container(tp: Any, args: Arguments, walk: Walk) -> Loader | None:
    """A container that may be recursive."""
    rule, given = rules.by_base(split(tp)[0], args, walk)
    prepare: Any = LOADERS[rule]
    found: Loader = _once(tp, lambda: prepare(tp, given, walk), walk)
    return found


def _registered(tp: Any, head: Any, args: Arguments, walk: Walk) -> Loader:
    """A type that the profile describes: check its JSON, then read it as without the profile."""
    schema = _exact_schema(tp, walk)
    plain = Walk(walk.profile.replace(types={}), walk.derivation, walk.scope)
    rule, args = rules.find_for(tp, head, args, plain)
    if rule is rules.unknown:
        _undecoded(tp, walk)
    loader = LOADERS.get(rule, scalars.scalar)(tp, args, walk)
    found: Loader = _fitting(schema, loader or _nothing_reads(tp, args, walk))
    return found


# Loaded for the first annotation that needs them.

_alias = loaded_when_called("decoding.special", "alias")
_annotated = loaded_when_called("decoding.special", "annotated")
_decoded = loaded_when_called("decoding.special", "decoded")
_hook = loaded_when_called("decoding.special", "hook")
_fitting = loaded_when_called("decoding.metadata", "fitting")
_forward = loaded_when_called("decoding.special", "forward")
_model = loaded_when_called("decoding.special", "model")
_once = loaded_when_called("decoding.special", "once")
_exact_schema = loaded_when_called("decoding.metadata", "exact_schema")
_stand_in = loaded_when_called("decoding.special", "stand_in")
_undecoded = loaded_when_called("decoding.special", "undecoded")
_unknown = loaded_when_called("decoding.special", "unknown")
_nothing_reads: Callable[..., NoReturn] = loaded_when_called("decoding.special", "unsupported")


LOADERS: dict[Any, Prepare] = {
    containers.array: arrays.array,
    containers.generator: lambda tp, args, walk: arrays.array(tp, args[:1], walk),
    containers.unique_array: arrays.unique_array,
    containers.items_view: arrays.items_view,
    containers.tuple_: arrays.tuple_,
    containers.mapping: arrays.mapping,
    containers.counter: arrays.counter,
    rules.literal: scalars.literal,
    rules.enumeration: scalars.enumeration,
    containers.union: unions.union,
    containers.never: arrays.never,
    containers.anything: arrays.anything,
    rules.annotated: _annotated,
    rules.container: _container,
    rules.stand_in: _stand_in,
    rules.boolean: scalars.boolean,
    rules.text: scalars.string,
    rules.forward: _forward,
    rules.alias: _alias,
    rules.record: records.record,
    rules.model: _model,
    rules.hook: _hook,
    rules.unknown: _unknown,
}
"""The function that prepares the loader for each rule; all other types are scalars."""
