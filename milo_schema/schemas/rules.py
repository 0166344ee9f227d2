"""From an annotation to the rule that says its schema; start reading at the tables at the bottom.

A rule is ``rule(tp, args, walk, step) -> fragment``. *tp* is the annotation as it is written and
*args* are its arguments. *walk* is the place that the annotation stands in, and *step* leads from
there to the annotation: a rule that has something to complain about, or something inside to
describe, makes ``walk.at(step)``. A type that always becomes the same few keywords has those
keywords in the table instead of a rule.

To find the code for a type, search the tables: ``RULES`` has types that are always loaded
(``walk.PLAIN`` is its beginning), ``NAMED`` those whose module may not be, and ``FAMILIES`` the
kinds that no key can name.
"""

from __future__ import annotations

import _collections_abc as abc  # what collections.abc has, without loading collections
import types

from milo_schema.annotations import generics
from milo_schema.annotations.classes import (
    UnresolvedError,
    bare_name,
    inherits,
    is_any,
    is_class,
    loaded,
    mro,
)
from milo_schema.annotations.evaluation import Unresolved, is_reference
from milo_schema.annotations.forms import UNION, display, is_form, metadata_of, split
from milo_schema.annotations.resolution import is_wrapper, resolve_once, try_resolve, without_none
from milo_schema.callables import records
from milo_schema.json_schema.patterns import DECIMAL
from milo_schema.schemas.annotated import annotate, apply_markers, read_markers, says_all
from milo_schema.schemas.choices import enumeration, literal
from milo_schema.schemas.containers import (
    any_of,
    array,
    counter,
    generator,
    mapping,
    tuple_,
    unique_array,
)
from milo_schema.schemas.custom import describes_itself, hook, own_schema, registered
from milo_schema.schemas.named import alias, forward, model, record
from milo_schema.schemas.walk import FRAGMENTS, PLAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from milo_schema.annotations.evaluation import Scope
    from milo_schema.schemas.walk import Walk

    Fragment = dict[str, Any]
    Arguments = tuple[Any, ...]
    Rule = Callable[[Any, Arguments, Walk, str], Fragment]


def by_rule(tp: Any, walk: Walk, step: str, drops_none: bool = False) -> Fragment:  # noqa: FBT001, FBT002
    """Derive the schema of an annotation by the rule that is found for it.

    Args:
        tp: The annotation.
        walk: The place that it stands in.
        step: What leads from there to the annotation.
        drops_none: Whether ``T | None`` is ``T``, as for an optional parameter.
    """
    profile, derivation = walk.profile, walk.derivation
    if walk.depth >= profile.max_depth or derivation.size > profile.max_subschemas:
        walk.at(step).keep_to_limits(tp)
    definitions = derivation.definitions
    if definitions is not None and type(tp) is type and id(tp) in definitions.annotations:
        return definitions.refer(id(tp))
    try:
        rule, args = find(tp, walk)
        if drops_none and rule in _MAY_BE_OPTIONAL:
            bare = _without_none(tp, args, walk)
            if bare is not tp:
                return derivation.by_rule(bare, walk, step, True)  # noqa: FBT003
        return rule(tp, args, walk, step)
    except UnresolvedError as problem:
        shown = tp.text if type(tp) is Unresolved else tp
        return walk.at(step).unsupported(shown, str(problem), problem)
    except RecursionError:  # the caller is deep down itself
        walk.at(step).refuse("nested too deeply for what is left of Python's stack", tp)


def _without_none(tp: Any, args: Arguments, walk: Walk) -> Any:
    """``T`` for ``T | None``; most are a class and ``None``, which need no closer look."""
    if len(args) == 2:  # noqa: PLR2004
        first, second = args
        if second is _NONE_TYPE and (type(first) is type or type(first) is types.GenericAlias):
            return first
    return without_none(tp, walk.scope)


_NONE_TYPE = type(None)


def find(tp: Any, walk: Walk) -> tuple[Rule, Arguments]:
    """The rule for an annotation, and the arguments to give it.

    In this order: the profile's types, the tables, the families, the tables for a base class.
    """
    head, args = split(tp)
    if walk.profile.types and (schema := own_schema(tp, head, walk)) is not None:
        return registered(schema), args
    if (rule := _RULES.get(id(head)) or _named(head)) is not None:
        return rule, args
    is_class = issubclass(type(head), type)
    for belongs, rule in CLASS_FAMILIES if is_class else FAMILIES:
        if belongs(head):
            return rule, args
    for base in mro(head)[1:-1] if is_class else ():  # never through object
        if (rule := _RULES.get(id(base)) or _named(base)) is not None:
            return rule, generics.base_arguments(head, args, base)
    return unsupported, args


def _named(head: Any) -> Rule | None:
    for dotted, rule in _NAMED.get(bare_name(head), ()):
        if loaded(dotted) is head:
            return rule
    return None


def unsupported(tp: Any, _args: Arguments, walk: Walk, step: str) -> Fragment:
    """What has no rule: a callable, a protocol, a class that says nothing about its JSON."""
    return walk.at(step).unsupported(tp, f"no JSON Schema for {display(tp)}; {_WAY_OUT}")


_WAY_OUT = "use another type, Annotated[..., Schema({...})], or profile.with_types({...})"


# -- special forms -----------------------------------------------------------------------------


def stand_in(tp: Any, _args: Arguments, walk: Walk, step: str) -> Fragment:
    """What only stands for another annotation: a qualifier, a type parameter, a ``NewType``."""
    inner = walk.at(step)
    if (found := resolve_once(tp, walk.scope)) is not None:
        value, scope = found
        return (inner if scope is walk.scope else inner.within(scope)).schema(value)
    if is_form(tp, "Self"):
        return inner.unsupported(tp, "Self stands for a class, and here is none")
    return {}  # a free type parameter, or a qualifier without a type


def union(tp: Any, args: Arguments, walk: Walk, step: str) -> Fragment:
    """``A | B``: any of them, null last. ``Never`` adds no value, so it is not a member."""
    if not args:
        return unsupported(tp, args, walk, step)
    members = [arg for arg in args if not _adds_nothing(arg, walk.scope)]
    if not members:
        return never(tp, args, walk, step)
    inner = walk.at(step)
    return any_of([inner.schema(member) for member in members], walk)


def _adds_nothing(tp: Any, scope: Scope) -> bool:
    """``Never``, and what stands for a field that is not there."""
    if id(tp) in FRAGMENTS:
        return False
    head, args = split(tp)
    if is_wrapper(head) and (found := try_resolve(tp, scope)) is not None:
        tp, args = found.annotation, found.args
    if args:
        return False
    if is_class(tp):
        return tp is loaded("msgspec.UnsetType")
    sentinels = (loaded("builtins.sentinel"), loaded("typing_extensions.Sentinel"))  # PEP 661
    return is_any(type(tp), sentinels) or _named(tp) is never


def annotated(tp: Any, args: Arguments, walk: Walk, step: str) -> Fragment:
    """``Annotated[T, ...]``: T, with what the metadata say about it (PEP 593)."""
    if not args:
        return unsupported(tp, args, walk, step)
    inner = walk.at(step)
    overrides, constraints, annotations = read_markers(metadata_of(tp), inner)
    if overrides or (says_all(annotations) and find(args[0], walk)[0] is unsupported):
        fragment = annotate({}, overrides, tp, inner)
    else:
        fragment = inner.schema(args[0])
    if constraints:
        fragment = apply_markers(fragment, constraints, tp, inner)
    return annotate(fragment, annotations, tp, inner)


def never(tp: Any, _args: Arguments, walk: Walk, step: str) -> Fragment:
    """``Never`` and ``NoReturn``: no value at all."""
    walk.at(step).complain(f"{display(tp)} has no value, so nothing can be passed", tp)
    return {"not": {}}


def anything(_tp: Any, _args: Arguments, _walk: Walk, _step: str) -> Fragment:
    """``Any`` and ``object``: every JSON value."""
    return {}


def boolean(_tp: Any, _args: Arguments, _walk: Walk, _step: str) -> Fragment:
    """``TypeIs[T]``: what a type guard returns (PEP 742)."""
    return {"type": "boolean"}


def text(_tp: Any, _args: Arguments, _walk: Walk, _step: str) -> Fragment:
    """``AnyStr``: text, for JSON has no bytes."""
    return {"type": "string"}


# -- the tables --------------------------------------------------------------------------------

RULES: dict[Any, Rule | Fragment] = {
    **PLAIN,
    object: anything,
    # sequences
    list: array,
    abc.Iterable: array,
    abc.Iterator: array,
    abc.Reversible: array,
    abc.Collection: array,
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
"""What is always loaded: an annotation, or the head of one, and its keywords or its rule."""

NAMED: dict[str, Rule | Fragment] = {
    "builtins.frozendict": mapping,
    "collections.deque": array,
    "collections.defaultdict": mapping,
    "collections.OrderedDict": mapping,
    "collections.ChainMap": mapping,
    "collections.Counter": counter,
    "collections.UserString": {"type": "string"},
    "collections.abc.Buffer": {"type": "string", "contentEncoding": "base64"},
    "typing_extensions.Buffer": {"type": "string", "contentEncoding": "base64"},
    # special forms
    "typing.Any": anything,
    "typing.LiteralString": {"type": "string"},
    "typing.Never": never,
    "typing.NoReturn": never,
    "typing.Literal": literal,
    "typing.Annotated": annotated,
    "typing.Required": stand_in,
    "typing.NotRequired": stand_in,
    "typing.ReadOnly": stand_in,
    "typing_extensions.ReadOnly": stand_in,
    "typing.Final": stand_in,
    "typing.ClassVar": stand_in,
    "typing.Self": stand_in,
    "typing.TypeGuard": boolean,
    "typing.TypeIs": boolean,
    "typing_extensions.TypeIs": boolean,
    # text to JSON
    "datetime.datetime": {"type": "string", "format": "date-time"},
    "datetime.date": {"type": "string", "format": "date"},
    "datetime.time": {"type": "string", "format": "time"},
    "datetime.timedelta": {"type": "string", "format": "duration"},
    "decimal.Decimal": {"type": "string", "pattern": DECIMAL},
    "uuid.UUID": {"type": "string", "format": "uuid"},
    "ipaddress.IPv4Address": {"type": "string", "format": "ipv4"},
    "ipaddress.IPv6Address": {"type": "string", "format": "ipv6"},
    "ipaddress.IPv4Interface": {"type": "string"},  # not ipv4: that has no /24
    "ipaddress.IPv6Interface": {"type": "string"},
    "ipaddress.IPv4Network": {"type": "string"},
    "ipaddress.IPv6Network": {"type": "string"},
    "pathlib.PurePath": {"type": "string"},
    "pathlib.Path": {"type": "string"},  # as its base, but found before the families are asked
    "os.PathLike": {"type": "string"},
    "re.Pattern": {"type": "string", "format": "regex"},
    "zoneinfo.ZoneInfo": {"type": "string"},
}
"""What counts once somebody has loaded its module; a subclass counts as its base."""

CLASS_FAMILIES: tuple[tuple[Callable[[Any], bool], Rule], ...] = (
    (describes_itself, hook),
    (lambda cls: type(cls) is not type and inherits(cls, loaded("enum.Enum")), enumeration),
    (records.is_model, model),
    (records.is_record, record),
)
"""Kinds of classes that no key can name, in the order in which they are asked."""

FAMILIES: tuple[tuple[Callable[[Any], bool], Rule], ...] = (
    (is_reference, forward),
    (generics.is_alias, alias),
    (lambda head: is_form(head, "AnyStr"), text),
    (is_wrapper, stand_in),
)
"""The same for what is not a class."""

_MAY_BE_OPTIONAL = (union, annotated, stand_in, forward, alias)
"""Rules of what may stand for ``T | None``."""


def _as_rule(entry: Rule | Fragment) -> Rule:
    return (lambda _tp, _args, _walk, _step: entry.copy()) if isinstance(entry, dict) else entry


_RULES = {id(tp): _as_rule(entry) for tp, entry in RULES.items()}
_NAMED: dict[str, list[tuple[str, Rule]]] = {}
for _dotted, _entry in NAMED.items():
    _NAMED.setdefault(_dotted.rpartition(".")[2], []).append((_dotted, _as_rule(_entry)))
