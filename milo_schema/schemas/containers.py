"""Rules for the built-in containers and for unions, and their table."""

from __future__ import annotations

import _collections_abc as abc  # the names of collections.abc, without loading collections
import types

from milo_schema.annotations import Any, Arguments, Callable, Fragment
from milo_schema.annotations.classes import MISSING, is_any, is_class, loaded, loaded_when_called
from milo_schema.annotations.evaluation import Scope
from milo_schema.annotations.forms import (
    UNION,
    alias_of,
    display,
    is_bare,
    is_form,
    is_generic_class,
    split,
    unpacked,
)
from milo_schema.json_schema.unions import simplify
from milo_schema.schemas.walk import FRAGMENTS, PLAIN, Step, UnionWalk, Walk, others_or_any

Rule = Callable[[Any, Arguments, Walk, Step], Fragment]


def any_of(branches: list[Fragment], walk: Walk) -> Fragment:
    """The union of schemas, without repetitions, null last."""
    definitions = walk.derivation.definitions
    if definitions is not None and any("$ref" in branch for branch in branches):
        definitions.note_union(branches)
    return simplify({"anyOf": branches})


# -- sequences ---------------------------------------------------------------------------------


def array(tp: Any, args: Arguments, walk: Walk, step: Step) -> Fragment:
    """``list[T]`` and other sequences."""
    if len(args) > 1:
        right = f"{display(split(tp)[0])}[{' | '.join(map(display, args))}]"
        reason = f"{display(tp)} has {len(args)} type arguments instead of one; write {right}"
        return walk.at(step).unsupported(tp, reason)
    return {"type": "array", "items": walk.inside(step, args[0], "[]") if args else {}}


def generator(tp: Any, args: Arguments, walk: Walk, step: Step) -> Fragment:
    """``Generator[T, ...]``: an array of the values that it yields."""
    return array(tp, args[:1], walk, step)


def unique_array(tp: Any, args: Arguments, walk: Walk, step: Step) -> Fragment:
    """``set[T]`` and other sets."""
    fragment = array(tp, args, walk, step)
    return {**fragment, "uniqueItems": True} if fragment.get("type") == "array" else fragment


def items_view(tp: Any, args: Arguments, walk: Walk, step: Step) -> Fragment:
    """``ItemsView[K, V]``: pairs of a key and its value."""
    if len(args) not in {0, 2}:
        reason = f"{display(tp)} needs two type arguments, for the keys and the values"
        return walk.at(step).unsupported(tp, reason)
    return unique_array(tp, (pair(args),), walk, step)


def pair(args: Arguments) -> Any:
    """The annotation of an item of a mapping: a tuple of key and value."""
    return alias_of(tuple, args or (object, object))


def tuple_(tp: Any, args: Arguments, walk: Walk, step: Step) -> Fragment:
    """A tuple: fixed (``tuple[A, B]``), of any length (``tuple[A, ...]``), or both (PEP 646)."""
    if not args and is_bare(tp):
        return {"type": "array", "items": {}}
    head, rest, tail = layout(args, walk.scope)
    inner = walk.at(step)
    return positions(
        [inner.schema(arg, f"[{i}]") for i, arg in enumerate(head)],
        None if rest is MISSING else _rest(rest, tail, inner),
        at_least=len(head) + len(tail),
    )


def positions(head: list[Fragment], rest: Fragment | None, at_least: int) -> Fragment:
    """An array with a schema for each of its first items, and one for the items after them."""
    fragment: Fragment = {"type": "array"}
    if head:
        fragment["prefixItems"] = head
    if rest is not None:
        fragment["items"] = rest
    if at_least:
        fragment["minItems"] = at_least
    if rest is None:
        fragment["maxItems"] = len(head)
    return fragment


def _rest(rest: Any, tail: list[Any], walk: Walk) -> Fragment:
    """The items after the head. JSON Schema cannot count from the end, so the tail joins them."""
    if not tail:
        return walk.schema(rest, "[]")
    return any_of([walk.schema(arg, "[]") for arg in (rest, *tail)], walk)


def layout(args: Arguments, scope: Scope) -> tuple[list[Any], Any, list[Any]]:
    """The types before the part of arbitrary length, the type in it, and the types after it."""
    is_endless = len(args) == 2 and args[1] is ...  # noqa: PLR2004 - tuple[T, ...]
    if any(map(_is_unpacked, args[:1] if is_endless else args)):
        from milo_schema.annotations import unpacking

        return unpacking.layout(args, scope)
    return ([], args[0], []) if is_endless else (list(args), MISSING, [])


def _is_unpacked(arg: Any) -> bool:
    return unpacked(arg) is not MISSING


# -- mappings ----------------------------------------------------------------------------------


property_names: Callable[..., Fragment] = loaded_when_called("schemas.keys", "property_names")


def mapping(tp: Any, args: Arguments, walk: Walk, step: Step) -> Fragment:
    """``dict[K, V]`` and other mappings; K restricts the keys, which are strings in JSON."""
    if len(args) != 2:  # noqa: PLR2004 - key and value
        if not args:
            return {"type": "object"}
        right = f"{display(split(tp)[0])}[str, {display(args[0])}]"
        hint = f"; write {right}" if len(args) == 1 else ""
        reason = f"{display(tp)} needs two type arguments, for the keys and the values{hint}"
        return walk.at(step).unsupported(tp, reason)
    key, value = args
    others: Any = walk.inside(step, value, "{}")
    if not others or "$ref" in others:
        others = others_or_any(others, walk)
    fragment = {"type": "object", "additionalProperties": others}
    if key is not str and (names := property_names(key, walk.at(step))):
        fragment["propertyNames"] = names
    return fragment


def counter(tp: Any, args: Arguments, walk: Walk, step: Step) -> Fragment:
    """``Counter[K]``: an integer for each key."""
    return mapping(tp, (*(args or (str,)), int), walk, step)


# -- unions, Never and Any ---------------------------------------------------------------------


def union(tp: Any, args: Arguments, walk: Walk, step: Step) -> Fragment:
    """``A | B``: ``anyOf`` its members, null last.

    ``Never`` has no values, so it is left out. A member without a schema is left out, with a
    warning, unless nothing else is left.
    """
    if not args:
        reason = f"{display(tp)} has no members; write them in brackets, such as Union[int, str]"
        return walk.at(step).unsupported(tp, reason)
    if {*map(id, args)} <= FRAGMENTS.keys():  # most are like that
        return any_of([walk.inside(step, arg) for arg in args], walk)
    members = [arg for arg in args if not adds_nothing(arg, walk)]
    if not members:
        return never(tp, args, walk, step)
    inner = UnionWalk(walk, step)
    branches = [inner.schema(member) for member in members]
    return any_of(inner.said(branches) if walk.derivation.unsaid else branches, walk)


try_resolve: Callable[..., Any] = loaded_when_called("annotations.resolution", "try_resolve")


def adds_nothing(tp: Any, walk: Walk) -> bool:
    """Whether a member is ``Never``, a sentinel, or a signal that is not part of an output."""
    if id(tp) in FRAGMENTS or is_generic_class(tp):
        return False
    if is_class(tp) and not walk.derivation.output:
        return tp is loaded("msgspec.UnsetType")
    found = try_resolve(tp, walk.scope)
    is_left_out = found is not None and bool(found.metadata) and _is_left_out(found.metadata)
    if found is None or found.args or is_left_out:
        return is_left_out
    head = found.head
    if walk.derivation.output and is_class(head) and walk.profile.output_signals.have(head):
        return True
    sentinels = (loaded("builtins.sentinel"), loaded("typing_extensions.Sentinel"))  # PEP 661
    is_never = is_form(head, "Never") or is_form(head, "NoReturn")
    return is_never or head is loaded("msgspec.UnsetType") or is_any(type(head), sentinels)


def _is_left_out(metadata: Arguments) -> bool:
    """Whether metadata, such as ``SkipJsonSchema``, remove a member from the schema."""
    from milo_schema.libraries import library

    pydantic = library("pydantic")
    return pydantic is not None and any(map(pydantic.leaves_out, metadata))


def never(tp: Any, _args: Arguments, walk: Walk, step: Step) -> Fragment:
    """``Never`` and ``NoReturn``: no value at all."""
    walk.at(step).complain(f"{display(tp)} has no values, so no argument is valid", tp)
    return {"not": {}}


def anything(_tp: Any, _args: Arguments, _walk: Walk, _step: Step) -> Fragment:
    """``Any`` and ``object``: every JSON value."""
    return {}


# -- the table ---------------------------------------------------------------------------------

RULES: dict[Any, Rule | Fragment] = {
    **PLAIN,
    object: anything,
    # sequences
    list: array,
    abc.Iterable: array,
    abc.Iterator: array,
    abc.Reversible: array,
    abc.Collection: array,
    abc.ItemsView: items_view,
    abc.KeysView: array,
    abc.ValuesView: array,
    abc.Generator: generator,
    abc.Sequence: array,
    abc.MutableSequence: array,
    set: unique_array,
    frozenset: unique_array,
    abc.Set: unique_array,
    abc.MutableSet: unique_array,
    tuple: tuple_,
    # mappings
    dict: mapping,
    types.MappingProxyType: mapping,
    abc.Mapping: mapping,
    abc.MutableMapping: mapping,
    # A | B
    UNION: union,
}
"""The keywords or the rule for each annotation or head that is always loaded."""


def as_rule(entry: Rule | Fragment) -> Rule:
    """A row of a table as a rule: if it has keywords, the rule returns a copy of them."""
    return (lambda _tp, _args, _walk, _step: entry.copy()) if isinstance(entry, dict) else entry


BY_IDENTITY = {id(tp): as_rule(entry) for tp, entry in RULES.items()}
"""The rules by ``id()``, because ``==`` and ``hash`` of an annotation may be user code."""
