"""One small rule per kind of annotation; start reading at the tables at the bottom.

A rule is ``rule(tp, args, walk) -> fragment``: *tp* is the annotation as written, *args* are its
arguments. What always becomes the same few keywords is no rule but those keywords. To find the
code for a type, search the tables: ``RULES`` has what is always there (``PLAIN`` its beginning),
``NAMED`` what counts only once somebody has loaded its module, ``FAMILIES`` the kinds that no key
can name.
"""

from __future__ import annotations

import collections
import operator
import types
import typing
from collections import abc
from typing import Any

from milo_schema import markers
from milo_schema.annotations import generics
from milo_schema.annotations.forms import alias_of, display, is_bare, is_form, lazy, split, unpacked
from milo_schema.annotations.hints import (
    MISSING,
    RAISED,
    SELF,
    Name,
    Scope,
    UnresolvedError,
    bare_name,
    evaluate,
    inherits,
    is_any,
    is_class,
    is_reference,
    loaded,
    mro,
    static,
    text_of,
    told,
)
from milo_schema.callables import records
from milo_schema.errors import SchemaError
from milo_schema.json_schema.keywords import Ref
from milo_schema.json_schema.patterns import DECIMAL
from milo_schema.json_schema.unions import simplify
from milo_schema.json_schema.values import (
    NotJSONError,
    Room,
    exactly_json,
    json_type,
    to_json,
    to_key,
)
from milo_schema.markers import Constraint, Instead, Schema
from milo_schema.schemas.objects import field_schema, object_schema
from milo_schema.schemas.plain import PLAIN
from milo_schema.schemas.references import key_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from milo_schema.callables.fields import Record
    from milo_schema.schemas.walk import Walk

    Fragment = dict[str, Any]
    Arguments = tuple[Any, ...]
    Rule = Callable[[Any, Arguments, Walk], Fragment]


def find(tp: Any, walk: Walk) -> tuple[Rule, Arguments]:
    """The rule for an annotation, and the arguments to give it.

    In this order: the profile's types, the tables, the families, the tables for a base class.
    """
    origin, args = split(tp)
    head = tp if origin is None else origin
    if walk.profile.types and (schema := _own_schema(tp, head, walk)) is not None:
        return _registered(schema), args
    if (rule := _listed(head)) is not None:
        return rule, args
    for belongs, rule in FAMILIES:
        if belongs(head):
            return rule, args
    if is_class(head):
        for base in mro(head)[1:-1]:  # never through object
            if (rule := _listed(base)) is not None:
                return rule, generics.base_arguments(head, args, base)
    return unsupported, args


def _listed(head: Any) -> Rule | None:
    if (rule := _RULES.get(id(head))) is not None:
        return rule
    for dotted, named in _NAMED.get(bare_name(head), ()):
        if loaded(dotted) is head:
            return named
    return None


def _as_rule(entry: Rule | Fragment) -> Rule:
    return (lambda _tp, _args, _walk: entry.copy()) if isinstance(entry, dict) else entry


def unsupported(tp: Any, _args: Arguments, walk: Walk) -> Fragment:
    """What has no rule: a callable, a protocol, a class that says nothing of its JSON."""
    return walk.unsupported(tp, f"no JSON Schema for {display(tp)}; {_WAY_OUT}")


_WAY_OUT = "use another type, Annotated[..., Schema({...})], or profile.with_types({...})"


# -- sequences ---------------------------------------------------------------------------------


def array(tp: Any, args: Arguments, walk: Walk) -> Fragment:
    """``list[T]`` and its like."""
    if len(args) > 1:
        return walk.unsupported(tp, f"{display(tp)} has too many arguments; an array takes one")
    items = walk.schema(args[0], "[]") if args else {}
    return {"type": "array", "items": items}


def generator(tp: Any, args: Arguments, walk: Walk) -> Fragment:
    """``Generator[T, ...]``: what it yields, in order."""
    return array(tp, args[:1], walk)


def unique_array(tp: Any, args: Arguments, walk: Walk) -> Fragment:
    """``set[T]`` and its like."""
    fragment = array(tp, args, walk)
    return {**fragment, "uniqueItems": True} if fragment.get("type") == "array" else fragment


def tuple_(tp: Any, args: Arguments, walk: Walk) -> Fragment:
    """Fixed (``tuple[A, B]``), of any length (``tuple[A, ...]``), or both (PEP 646)."""
    if not args and is_bare(tp):
        return {"type": "array", "items": {}}
    head, rest, tail = layout(args, walk.scope)
    fragments = [walk.schema(arg, f"[{i}]") for i, arg in enumerate(head)]
    return positions(
        fragments,
        None if rest is MISSING else _rest(rest, tail, walk),
        at_least=len(head) + len(tail),
    )


def positions(head: list[Fragment], rest: Fragment | None, at_least: int) -> Fragment:
    """An array with a schema for each of its first items, and one for those that follow."""
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
    """What follows the head. JSON Schema cannot count from the end, so the tail mixes with it."""
    arms = [walk.schema(arg, "[]") for arg in (rest, *tail)]
    return simplify({"anyOf": arms})


def layout(args: Arguments, scope: Scope) -> tuple[list[Any], Any, list[Any]]:
    """The positions before, the type of, and the positions after the part of any length."""
    args = generics.close_all(args, scope) if any(map(_is_unpacked, args)) else args
    if len(args) == 2 and args[1] is ...:  # noqa: PLR2004 - tuple[T, ...]
        return [], args[0], []
    head: list[Any] = []
    rest: Any = MISSING
    tail: list[Any] = []
    for arg in args:
        before: list[Any] = [arg]
        many, after = MISSING, before[1:]
        if _is_unpacked(arg):
            before, many, after = _taken_apart(unpacked(arg), scope)
        (head if rest is MISSING else tail).extend(before)
        if many is not MISSING:
            rest = many if rest is MISSING else Any
        tail.extend(after)
    return head, rest, tail


def _is_unpacked(arg: Any) -> bool:
    return unpacked(arg) is not MISSING


def _taken_apart(inner: Any, scope: Scope) -> tuple[list[Any], Any, list[Any]]:
    """``*tuple[...]`` flattened; a ``TypeVarTuple`` that stands for nothing known is anything."""
    origin, args = split(inner)
    if origin is tuple:
        return layout(args, scope)
    return [], Any, []


# -- mappings ----------------------------------------------------------------------------------


def mapping(tp: Any, args: Arguments, walk: Walk) -> Fragment:
    """``dict[K, V]`` and its like: JSON's keys are strings, so K says which ones."""
    if not args:
        return {"type": "object"}
    if len(args) != 2:  # noqa: PLR2004 - key and value
        return walk.unsupported(tp, f"{display(tp)} needs two arguments: of keys and of values")
    key, value = args
    fragment = {"type": "object", "additionalProperties": walk.schema(value, "{}")}
    if key is not str and (names := _property_names(key, walk)):
        fragment["propertyNames"] = names
    return fragment


def counter(_tp: Any, args: Arguments, walk: Walk) -> Fragment:
    """``Counter[K]``: how often each key occurs."""
    return mapping(_tp, (*(args or (str,)), int), walk)


def _property_names(key: Any, walk: Walk) -> Fragment:
    try:
        return _as_key(walk.schema(key), walk)
    except NotJSONError:
        walk.complain(f"no JSON object has keys of type {display(key)}; use str", key)
        return {}


def _as_key(fragment: Fragment, walk: Walk) -> Fragment:
    """The schema of the strings that JSON writes for keys of this schema."""
    fragment = walk.definitions.look_through(fragment)
    if "anyOf" in fragment:
        arms = [_as_key(arm, walk) for arm in fragment["anyOf"]]
        return simplify({"anyOf": arms}) if all(arms) else {}
    if "enum" in fragment:
        return {"enum": [to_key(value) for value in fragment["enum"]]}
    kind = fragment.get("type")
    if type(kind) is list:
        raise NotJSONError(kind)
    if kind in _KEY_PATTERNS:
        if unsaid := fragment.keys() - {"type", "description", "title"}:
            walk.complain(f"a key is a string, of which {', '.join(sorted(unsaid))} says nothing")
        return {"pattern": _KEY_PATTERNS[kind]}
    if kind == "boolean":
        return {"enum": ["true", "false"]}
    if kind not in ("string", None) or "$ref" in fragment:
        raise NotJSONError(kind)
    return {} if fragment == {"type": "string"} else fragment


_KEY_PATTERNS = {
    "integer": "^-?(0|[1-9][0-9]*)$",
    "number": r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$",
}


# -- values spelled out ------------------------------------------------------------------------


def literal(tp: Any, args: Arguments, walk: Walk) -> Fragment:
    """``Literal[...]``: the values themselves; an Enum member gives its own (PEP 586)."""
    if not args:
        return walk.unsupported(tp)
    return _choice(tp, args, walk)


def enumeration(tp: Any, _args: Arguments, walk: Walk) -> Fragment:
    """An Enum: the values of its members. A Flag: any combination of its bits."""
    origin, _ = split(tp)
    tp = tp if origin is None else origin  # an Enum takes no arguments, but may be given some
    if not static(tp, "_member_map_"):
        return walk.unsupported(tp, f"{display(tp)} has no members, so no value at all")
    return walk.define(tp, lambda walk: _described(_members(tp, walk), records.description_of(tp)))


def _members(tp: Any, walk: Walk) -> Fragment:
    if inherits(tp, loaded("enum.Flag")):
        return {"type": "integer", "minimum": 0, "maximum": static(tp, "_flag_mask_")}
    members, names = static(tp, "_member_map_"), static(tp, "_member_names_")
    return _choice(tp, [members[name]._value_ for name in names], walk)


def _choice(tp: Any, values: Iterable[Any], walk: Walk) -> Fragment:
    distinct, kinds = {}, set()
    try:
        for value in values:
            json = exactly_json(value)
            distinct[type(json), repr(json)] = json  # 1 and True are two values
            kinds.add(json_type(json))
    except NotJSONError as problem:
        return walk.unsupported(tp, f"no JSON value for {problem}, which {display(tp)} allows")
    if kinds == {"integer", "number"}:
        kinds = {"number"}
    shared = {"type": kinds.pop()} if len(kinds) == 1 else {}
    return {**shared, "enum": list(distinct.values())}


# -- special forms -----------------------------------------------------------------------------


def union(tp: Any, args: Arguments, walk: Walk) -> Fragment:
    """``A | B``: any of them, null last. ``Never`` adds no value, so it is no member."""
    if not args:
        return unsupported(tp, args, walk)
    members = [arg for arg in args if not _adds_nothing(arg)]
    if not members:
        return never(tp, args, walk)
    return simplify({"anyOf": [walk.schema(member) for member in members]})


def _adds_nothing(tp: Any) -> bool:
    """``Never``, and what stands for a field that is not there."""
    if (rule := _RULES.get(id(tp))) is not None:
        return rule is never
    if split(tp)[0] is not None:
        return False
    if is_class(tp):
        return tp is loaded("msgspec.UnsetType")
    sentinels = (loaded("builtins.sentinel"), loaded("typing_extensions.Sentinel"))  # PEP 661
    return is_any(type(tp), sentinels)


def never(tp: Any, _args: Arguments, walk: Walk) -> Fragment:
    """``Never`` and ``NoReturn``: no value at all."""
    walk.complain(f"{display(tp)} has no value, so nothing can be passed", tp)
    return {"not": {}}


def anything(_tp: Any, _args: Arguments, _walk: Walk) -> Fragment:
    """``Any`` and ``object``: every JSON value."""
    return {}


def qualifier(_tp: Any, args: Arguments, walk: Walk) -> Fragment:
    """``Required``, ``ReadOnly``, ``Final``, ...: they say something of the name, not the value."""
    return walk.schema(args[0]) if args else {}


def boolean(_tp: Any, _args: Arguments, _walk: Walk) -> Fragment:
    """``TypeIs[T]``: what a type guard returns (PEP 742)."""
    return {"type": "boolean"}


def self_type(tp: Any, _args: Arguments, walk: Walk) -> Fragment:
    """``Self``: the class that it stands in (PEP 673)."""
    if (owner := walk.scope.bindings.get(SELF)) is None:
        return walk.unsupported(tp, "Self stands for a class, and here is none")
    return walk.schema(owner)


# -- Annotated ---------------------------------------------------------------------------------


def annotated(tp: Any, args: Arguments, walk: Walk) -> Fragment:
    """``Annotated[T, ...]``: T, with what the metadata say of it (PEP 593)."""
    if not args:
        return unsupported(tp, args, walk)
    inner, *metadata = args
    found = read_markers(metadata, walk)
    is_told = any(isinstance(marker, Schema) for marker in found)
    is_all = is_told and (
        any(isinstance(marker, Instead) for marker in found)
        or find(inner, walk)[0] is unsupported  # Schema({...}) is the way out
    )
    fragment = {} if is_all else walk.schema(inner)
    if any(isinstance(marker, Constraint) for marker in found):
        fragment = walk.definitions.look_into(fragment)
        walk.keep_to_limits(tp)  # what was copied there counts
    for marker in sorted(found, key=_turn):
        try:
            applied = marker.apply(fragment, walk.definitions.kinds)
        except NotJSONError as problem:
            walk.complain(f"{display(marker)} has {problem}, which is no JSON value", tp)
            continue
        except ValueError as problem:
            walk.complain(f"{display(marker)} {problem}", tp)
            continue
        if not applied:
            walk.complain(f"{display(marker)} cannot apply to {display(inner)}; drop it", tp)
    return fragment


def _turn(marker: markers.Marker) -> int:
    """When a marker is applied: the constraints know what they apply to, the rest what is there."""
    return 0 if isinstance(marker, Instead) else 1 if isinstance(marker, Constraint) else 2


def read_markers(metadata: Iterable[Any], walk: Walk) -> list[markers.Marker]:
    """The markers among *metadata*; bare strings first, so that any other description wins."""
    ordered = sorted(metadata, key=lambda piece: type(piece) is not str)
    try:
        return [marker for piece in ordered for marker in markers.read(piece)]
    except RAISED as problem:  # somebody else's properties
        walk.refuse(f"reading the metadata in Annotated raised {told(problem)}", cause=problem)


# -- names for other annotations ---------------------------------------------------------------


def forward(tp: Any, args: Arguments, walk: Walk) -> Fragment:
    """A name in quotes, inside an annotation: evaluated here, in its own scope.

    What it names may contain it: ``Json = dict[str, "Json"] | str``. So it is a named type.
    """
    if not is_reference(tp):  # an alias whose origin is a string
        return unsupported(tp, args, walk)
    value = evaluate(tp, walk.scope)
    if is_class(value) or value is None or is_any(find(value, walk)[0], _NAMING):
        return walk.schema(value)
    return walk.define(Name(text_of(tp), walk.scope), lambda walk: walk.schema(value))


def unresolved(tp: Any, _args: Arguments, _walk: Walk) -> Fragment:
    """What was evaluated before, in vain."""
    raise tp


def alias(tp: Any, _args: Arguments, walk: Walk) -> Fragment:
    """``type X = ...``, PEP 695; with arguments, if it is generic."""
    tp = walk.named(tp)
    value, scope = generics.alias_value(tp, walk.scope)
    return walk.define(tp, lambda walk: walk.within(scope).schema(value))


def new_type(tp: Any, _args: Arguments, walk: Walk) -> Fragment:
    """``NewType``: the type that it is made from."""
    scope = Scope(module=tp.__module__, fallback=walk.scope.fallback)
    return walk.within(scope).schema(tp.__supertype__)


def type_variable(tp: Any, _args: Arguments, walk: Walk) -> Fragment:
    """A type parameter: what it is bound to; else its bound, its constraints, or its default."""
    if (bound := generics.bound(tp, walk.scope)) is not tp:
        return walk.within(Scope()).schema(bound)  # it is closed: no name in it is open
    if tp.__module__ not in ("typing", "typing_extensions"):  # as one of PEP 695 has it
        walk = walk.within(Scope(module=tp.__module__, fallback=walk.scope.fallback))
    if (bound := lazy(tp, "__bound__")) is not None:
        return walk.schema(bound)
    if constraints := lazy(tp, "__constraints__"):
        return union(tp, constraints, walk)
    default = generics.type_default(tp)
    return {} if default is MISSING else walk.schema(default)


def init_var(tp: Any, _args: Arguments, walk: Walk) -> Fragment:
    """``InitVar[T]``: a parameter of a dataclass that is no field."""
    return walk.schema(tp.type)


# -- records -----------------------------------------------------------------------------------


def record(tp: Any, _args: Arguments, walk: Walk) -> Fragment:
    """A dataclass, TypedDict, NamedTuple, or their like: an object, or an array."""

    def build(walk: Walk) -> Fragment:
        try:
            found = records.read(tp, walk.scope, output=walk.output)
        except UnresolvedError as problem:
            return walk.unsupported(tp, str(problem), problem)
        except RAISED as problem:  # it only looked like a record
            reason = f"reading the fields of {display(tp)} raised {told(problem)}"
            return walk.unsupported(tp, reason, problem)
        fragment = (array_schema if found.is_array else object_schema)(found, walk)
        return _described(fragment, found.description)

    tp = walk.named(tp)
    kind = "array" if records.is_array(tp) else "object"
    return walk.define_later(tp, build, kind)


def model(tp: Any, _args: Arguments, walk: Walk) -> Fragment:
    """A pydantic model: asked for its own schema, for it alone knows all that it checks."""
    from milo_schema.libraries.pydantic import schema_of

    return schema_of(tp, walk)


def _described(fragment: Fragment, description: str | None) -> Fragment:
    return {**fragment, "description": description} if description else fragment


def array_schema(found: Record, walk: Walk) -> Fragment:
    """An array with a position for each field: what ``json`` makes of a NamedTuple."""
    fragments = [field_schema(field, walk, in_array=True) for field in found.fields]
    required = max((at for at, field in enumerate(found.fields, 1) if field.required), default=0)
    return positions(fragments, {} if found.extra is MISSING else None, required)


def without_none(tp: Any, walk: Walk) -> Any:
    """``T`` for ``T | None``, seen through whatever stands for it and has no schema of its own."""
    if walk.profile.types:
        origin, _ = split(tp)
        if _own_schema(tp, tp if origin is None else origin, walk) is not None:
            return tp
    try:
        return _without_none(tp, walk.scope)
    except UnresolvedError:  # met again, and reported, where it stands
        return tp


def _without_none(tp: Any, scope: Scope, seen: tuple[int, ...] = ()) -> Any:
    if type(tp) is type or id(tp) in seen:
        return tp
    origin, args = split(tp)
    rule = _listed(tp if origin is None else origin)
    if rule is union:
        return _no_member_none(tp, args, scope, seen)
    if rule is not None and rule is not annotated and rule is not qualifier:  # most are
        return tp
    if args and rule is not None:
        inner = _without_none(args[0], scope, seen)
        return tp if inner is args[0] else alias_of(origin, (inner, *args[1:]))
    value, inside = _meant(tp, scope)
    bare = value if value is tp else _without_none(value, inside, (*seen, id(tp)))
    if bare is value:
        return tp
    return bare if inside is scope else generics.close(bare, inside)


def _meant(tp: Any, scope: Scope) -> tuple[Any, Scope]:
    """What something stands for, and the scope in which that means something; or itself."""
    if generics.is_alias(tp):
        return generics.alias_value(tp, scope)
    if is_reference(tp):
        return evaluate(tp, scope), scope
    if is_form(type(tp), "NewType"):
        return tp.__supertype__, Scope(module=tp.__module__, fallback=scope.fallback)
    if type(tp) is loaded("dataclasses.InitVar"):
        return tp.type, scope
    return generics.bound(tp, scope), scope


def _no_member_none(tp: Any, args: Arguments, scope: Scope, seen: tuple[int, ...]) -> Any:
    """A union without None, in none of its members; ``None`` alone stays."""
    members = [_without_none(arg, scope, seen) for arg in args if arg is not type(None)]
    if len(members) == 1:
        return members[0]
    unchanged = len(members) == len(args) and all(map(operator.is_, members, args))
    return tp if unchanged or not members else alias_of(typing.Union, tuple(members))


# -- types that describe themselves ------------------------------------------------------------


def _describes_itself(head: Any) -> bool:
    return is_class(head) and static(head, "__milo_schema__") is not None


def hook(tp: Any, _args: Arguments, walk: Walk) -> Fragment:
    """A class with ``__milo_schema__(cls, walk)``."""
    origin, _ = split(tp)
    head = tp if origin is None else origin
    whose = f"{display(head)}.__milo_schema__"
    return walk.define(tp, lambda walk: _asked(head.__milo_schema__, (walk,), whose, walk))


def _own_schema(tp: Any, head: Any, walk: Walk) -> Any:
    """What the profile says of a type, or of one of its bases."""
    known: dict[Any, Any] = {}
    for key, schema in walk.profile.types.items():
        origin, args = split(key)
        if not args:
            known[key_of(key)] = schema
        elif origin is head and walk.is_small(tp) and key_of(key) == key_of(tp):
            return schema
    has_bases = is_class(head) and not records.is_typed_dict(head)  # which is a dict in name only
    bases = mro(head)[:-1] if has_bases else ()
    keys = map(key_of, (head, *bases))
    return next((known[key] for key in keys if key in known), None)


def _registered(schema: Any) -> Rule:
    def rule(tp: Any, _args: Arguments, walk: Walk) -> Fragment:
        whose = f"the profile's schema of {display(tp)}"
        return walk.define(tp, lambda walk: _asked(schema, (tp, walk), whose, walk))

    return rule


def _asked(schema: Any, args: Arguments, whose: str, walk: Walk) -> Fragment:
    """A schema of somebody's own: keywords, or a function that makes them."""
    if callable(schema):
        try:
            schema = schema(*args)
        except SchemaError:
            raise
        except RAISED as problem:  # the hook is somebody's
            walk.refuse(f"{whose} raised {told(problem)}", args[0], problem)
    if type(schema) is not dict:
        walk.refuse(f"{whose} is no dict but {display(type(schema))}", args[0])
    try:
        fragment: Fragment = _fragment(schema, Room())
    except NotJSONError as problem:
        walk.refuse(f"{whose} has {problem}, which is not JSON", args[0], problem)
    from milo_schema.json_schema import metaschema

    try:
        return metaschema.checked(fragment, references=())
    except ValueError as problem:
        walk.refuse(f"{whose} is no schema: {problem}", args[0], problem)


def _fragment(value: Any, room: Room) -> Any:
    """A fresh copy of keywords that are JSON, but for the references that a walk gives out."""
    if type(value) is dict:
        return {to_key(key): _fragment(item, room) for key, item in room.each(value.items())}
    if type(value) is list:
        return [_fragment(item, room) for item in room.each(value)]
    return value if type(value) is Ref else to_json(value, room)


# -- the tables --------------------------------------------------------------------------------

RULES: dict[Any, Rule | Fragment] = {
    **PLAIN,
    typing.LiteralString: {"type": "string"},
    typing.AnyStr: {"type": "string"},
    Any: anything,
    object: anything,
    typing.Never: never,
    typing.NoReturn: never,
    # sequences
    list: array,
    collections.deque: array,
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
    collections.defaultdict: mapping,
    collections.OrderedDict: mapping,
    collections.ChainMap: mapping,
    collections.Counter: counter,
    types.MappingProxyType: mapping,
    abc.Mapping: mapping,
    abc.MutableMapping: mapping,
    # special forms
    typing.Union: union,
    typing.Literal: literal,
    typing.Annotated: annotated,
    typing.Required: qualifier,
    typing.NotRequired: qualifier,
    typing.Final: qualifier,
    typing.ClassVar: qualifier,
    typing.TypeGuard: boolean,
    typing.Self: self_type,
}
"""What is always loaded: an annotation, or the origin of one, and its keywords or its rule."""

NAMED: dict[str, Rule | Fragment] = {
    "builtins.frozendict": mapping,
    "collections.abc.Buffer": {"type": "string", "contentEncoding": "base64"},
    "typing_extensions.Buffer": {"type": "string", "contentEncoding": "base64"},
    "typing.ReadOnly": qualifier,
    "typing_extensions.ReadOnly": qualifier,
    "typing.TypeIs": boolean,
    "typing_extensions.TypeIs": boolean,
    "collections.UserString": {"type": "string"},
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

FAMILIES: tuple[tuple[Callable[[Any], bool], Rule], ...] = (
    (_describes_itself, hook),
    (is_reference, forward),
    (lambda head: type(head) is UnresolvedError, unresolved),
    (generics.is_alias, alias),
    (generics.is_type_variable, type_variable),
    (lambda head: is_form(type(head), "NewType"), new_type),
    (lambda head: type(head) is loaded("dataclasses.InitVar"), init_var),
    (lambda head: is_class(head) and inherits(head, loaded("enum.Enum")), enumeration),
    (records.is_model, model),
    (records.is_record, record),
)
"""Kinds that no key can name, in the order in which they are asked: the first that says yes."""

_NAMING = (alias, record, model, hook, enumeration)
"""Rules that give their types a name themselves."""

_RULES = {id(tp): _as_rule(entry) for tp, entry in RULES.items()}
_NAMED: dict[str, list[tuple[str, Rule]]] = {}
for _dotted, _entry in NAMED.items():
    _NAMED.setdefault(_dotted.rpartition(".")[2], []).append((_dotted, _as_rule(_entry)))
