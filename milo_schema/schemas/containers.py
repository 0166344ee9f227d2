"""Rules for the built-in containers and for unions, their table, and how a rule is found.

Lists, mappings and ``X | None`` need only this module. An annotation that is not in its table is
looked up in ``rules``, which is loaded when it is first needed.
"""

from __future__ import annotations

import _collections_abc as abc  # the names of collections.abc, without loading collections

from milo_schema.annotations import Any, Arguments, Callable, Fragment, MappingProxyType
from milo_schema.annotations.classes import (
    MISSING,
    Unresolved,
    UnresolvedError,
    is_any,
    is_class,
    loaded,
    loaded_when_called,
    loaded_when_used,
)
from milo_schema.annotations.evaluation import Scope
from milo_schema.annotations.forms import (
    UNION,
    alias_of,
    is_bare,
    is_form,
    is_generic_class,
    split,
    unpacked,
)
from milo_schema.schemas.walk import FRAGMENTS, PLAIN, Step, UnionWalk, Walk, others_or_any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema import libraries
    from milo_schema.annotations import resolution, unpacking
    from milo_schema.json_schema import unions
    from milo_schema.schemas import keys
else:
    keys = loaded_when_used("schemas.keys")
    libraries = loaded_when_used("libraries")
    resolution = loaded_when_used("annotations.resolution")
    unions = loaded_when_used("json_schema.unions")
    unpacking = loaded_when_used("annotations.unpacking")


display: Callable[..., str] = loaded_when_called("annotations.display", "display")

Rule = Callable[[Any, Arguments, Walk, Step], Fragment]


def any_of(branches: list[Fragment], walk: Walk) -> Fragment:
    """The union of schemas, without repetitions, null last."""
    definitions = walk.derivation.definitions
    if definitions is not None and any("$ref" in branch for branch in branches):
        definitions.note_union(branches)
    return unions.simplify({"anyOf": branches})


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
        return unpacking.layout(args, scope)
    return ([], args[0], []) if is_endless else (list(args), MISSING, [])


def _is_unpacked(arg: Any) -> bool:
    return unpacked(arg) is not MISSING


# -- mappings ----------------------------------------------------------------------------------


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
    if key is not str and (names := keys.property_names(key, walk.at(step))):
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


def adds_nothing(tp: Any, walk: Walk) -> bool:
    """Whether a member is ``Never``, a sentinel, or a signal that is not part of an output."""
    if id(tp) in FRAGMENTS or is_generic_class(tp):
        return False
    if is_class(tp) and not walk.derivation.output:
        return tp is loaded("msgspec.UnsetType")
    found = resolution.try_resolve(tp, walk.scope)
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
    pydantic = libraries.library("pydantic")
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
    MappingProxyType: mapping,
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
"""The rules by ``id()``, because ``==`` and ``hash`` of an annotation may be user code.

``rules`` adds the forms of ``typing`` that it meets.
"""

MAY_BE_OPTIONAL: set[Rule] = {union}
"""The rules of annotations that may be ``T | None``; ``rules`` adds those of names and wrappers."""


# -- one annotation, one rule ------------------------------------------------------------------


def by_rule(  # noqa: PLR0913, PLR0917 - once per annotation: keywords would cost time
    tp: Any,
    walk: Walk,
    step: Step,
    drops_none: bool | str = False,  # noqa: FBT001, FBT002
    parts: tuple[Any, Arguments] | None = None,
    default: Any = None,
) -> Fragment:
    """Derive the schema of an annotation with the rule for it.

    Args:
        tp: The annotation.
        walk: The place around it.
        step: The step from there to the annotation.
        drops_none: Whether ``T | None`` is ``T``, as for an optional parameter; the same values as
            ``Profile.unwrap_none``.
        parts: Its head and its arguments, if it is already split.
        default: The default of the parameter or field.
    """
    profile, derivation = walk.profile, walk.derivation
    if walk.depth >= profile.max_depth or derivation.size > profile.max_subschemas:
        walk.at(step).keep_to_limits(tp)
    if type(tp) is type and (met := derivation.definitions) and id(tp) in met.annotations:
        return met.refer(id(tp))
    try:
        head, args = parts or split(tp)
        rule = BY_IDENTITY.get(id(head))
        if rule is None or profile.types:
            rule, args = derivation.rules.find_for(tp, head, args, walk)
        if drops_none and rule in MAY_BE_OPTIONAL:
            bare = _without_none(tp, rule, args, walk)
            if bare is not tp and (drops_none is True or default is None):
                return walk.schema(bare, step)
        return rule(tp, args, walk, step)
    except UnresolvedError as problem:
        shown = tp.text if type(tp) is Unresolved else tp
        return walk.at(step).unsupported(shown, str(problem), problem)
    except RecursionError:  # the caller is deep in the stack itself
        reason = "nested too deeply for the space left on Python's stack"
        walk.at(step).refuse(reason, tp, code="limit")


def _without_none(tp: Any, rule: Any, args: Arguments, walk: Walk) -> Any:
    """``T`` for ``T | None``. Classes, and unions of classes and ``None``, need no closer look."""
    is_transparent = rule is union or rule is walk.derivation.rules.annotated
    for arg in args if is_transparent else (tp,):
        if type(arg) is not type and not is_generic_class(arg):
            return resolution.without_none(tp, walk.scope)
    if rule is not union or _NONE_TYPE not in args:
        return tp
    others = [arg for arg in args if arg is not _NONE_TYPE]
    return others[0] if len(others) == 1 else alias_of(UNION, tuple(others))


_NONE_TYPE = type(None)
