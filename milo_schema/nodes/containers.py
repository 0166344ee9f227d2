"""Nodes of arrays, sets and mappings, and of values that may be any JSON."""

from __future__ import annotations

import collections
from collections import abc
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

from milo_schema.annotations import Arguments, Json
from milo_schema.annotations.classes import loaded, with_article
from milo_schema.annotations.forms import alias_of, display
from milo_schema.annotations.scopes import Scope
from milo_schema.errors import Problem
from milo_schema.json_schema.sentences import array_of, describe
from milo_schema.json_schema.subschemas import simplify, step_to
from milo_schema.json_schema.values import (
    INFINITY,
    NotJSONError,
    json_key,
    parse_json,
    serialized,
    sorted_json,
    to_key,
)
from milo_schema.nodes import Definitions, Named, Reader
from milo_schema.nodes.base import (
    Container,
    Dumping,
    Loading,
    Node,
    Place,
    Refusal,
    add,
    cannot_load,
    construct,
    is_final,
    is_plain,
    refuse,
    refuse_error,
)
from milo_schema.nodes.scalar_types import WRITTEN
from milo_schema.nodes.scalars import STRING, Scalar

# -- keys ----------------------------------------------------------------------------------------
#
# The keys of a mapping. In JSON, keys are strings; their type restricts these strings.


def property_names(key: Node, annotation: Any, place: Place, out: Definitions) -> Json:
    """The schema of the strings that are keys of a type; empty if any string is."""
    try:
        return _as_key(out.expand(key.schema(out)), place, out)
    except NotJSONError:
        reason = f"a JSON object cannot have keys of type {display(annotation)}; use str"
        out.report(reason, place, annotation, code="unsupported-type")
        return {}


def _as_key(fragment: Json, place: Place, out: Definitions) -> Json:
    """The schema of the strings that represent keys with this schema."""
    if "anyOf" in fragment:
        branches = [_as_key(branch, place, out) for branch in fragment["anyOf"]]
        return simplify({"anyOf": branches}) if all(branches) else {}
    if "enum" in fragment:
        return {"enum": [to_key(value) for value in fragment["enum"]]}
    json_type = fragment.get("type")
    if type(json_type) is list:
        raise NotJSONError(json_type)
    if json_type in _PATTERNS:
        if lost := fragment.keys() - {"type", "description", "title"}:
            reason = f"keys are strings, so {', '.join(sorted(lost))} cannot apply to them"
            out.report(reason, place)
        return {"pattern": _PATTERNS[json_type]}
    if json_type == "boolean":
        return {"enum": ["true", "false"]}
    if json_type not in ("string", None) or "$ref" in fragment:
        raise NotJSONError(json_type)
    return {} if fragment == {"type": "string"} else fragment


_PATTERNS = {
    "integer": "^-?(0|[1-9][0-9]*)$",
    "number": r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$",
}


def as_key(json: Any) -> str | None:
    """The string for a key, as ``json`` writes it; ``None`` if it cannot be a key."""
    if type(json) is str:
        return json
    return serialized(json) if type(json) in (bool, int, float) else None


# -- containers ------------------------------------------------------------------------------------

Make = Callable[[Any], Any]

ARRAY = frozenset({list})
OBJECT = frozenset({dict})

SEQUENCES = (list, tuple, range, collections.deque, collections.UserList)
"""Classes with the same JSON, so an instance of one is accepted for another."""
STREAMS = (abc.Iterator, abc.MappingView)
"""Classes whose instances are only iterated: generators, ``dict.values()``."""

_MAKERS: dict[Any, Make] = {
    **dict.fromkeys((abc.Iterable, abc.Reversible, abc.Collection), list),
    **dict.fromkeys((abc.Sequence, abc.MutableSequence), list),
    abc.Set: frozenset,  # which another set may contain
    abc.MutableSet: set,
    **dict.fromkeys((abc.Mapping, abc.MutableMapping), dict),
    abc.Iterator: iter,
    abc.ItemsView: lambda pairs: dict(pairs).items(),
    abc.KeysView: lambda values: dict.fromkeys(values).keys(),
    abc.ValuesView: lambda values: dict(enumerate(values)).values(),
    abc.Generator: lambda values: (value for value in values),
}
"""The function that makes a value of each abstract class; any other class is called itself."""


# -- arrays ------------------------------------------------------------------------------------


class Array(Container):
    """``list[T]`` and other sequences.

    Attributes:
        item: The node of each item.
        others: The other classes whose instances have the same JSON.
    """

    __slots__ = ("annotation", "cls", "item")
    kinds = ARRAY
    others: Arguments = (*SEQUENCES, *STREAMS)

    def __init__(self, annotation: Any, cls: Any, item: Node) -> None:
        self.annotation: Any = annotation
        self.cls: Any = cls
        self.item: Node = item

    @property
    def undecodable(self) -> Sequence[Problem | Named]:  # type: ignore[override]
        """Those of the items."""
        return self.item.undecodable

    @property
    def label(self) -> str:  # type: ignore[override]
        """An array; of the items, if one word can name them."""
        item = self.item  # the label of another one may contain this label
        is_simple = isinstance(item, Scalar) or item.is_object
        return array_of(item.label) if is_simple else "an array"

    @classmethod
    def read(
        cls, reader: Reader, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place
    ) -> Node:
        """``list``, ``list[T]``."""
        if not args:
            return cls(tp, head, ANYTHING)
        if len(args) > 1:
            right = f"{display(head)}[{' | '.join(map(display, args))}]"
            reason = f"{display(tp)} has {len(args)} type arguments instead of one; write {right}"
            return reader.unsupported(tp, reason, place)
        return cls(tp, head, reader.read(args[0], scope, (place, "[]")))

    def schema(self, out: Definitions) -> Json:
        """An array of the items."""
        return {"type": "array", "items": self.item.schema(out)}

    def holds(self, json: Any) -> bool:
        """Whether it is an item."""
        return self.item.takes(json)

    def load_parts(self, json: Any, run: Loading) -> Any:
        """A value of the class, made from the items."""
        load, problems = self.item.load, None
        values: list[Any] = []
        for item in json:
            value = load(item, run)
            if type(value) is Refusal:
                problems = add(problems, value, f"[{len(values)}]")
                if problems.is_full:
                    break
            values.append(value)
        return self.made_of(values, json) if problems is None else problems

    def made_of(self, items: list[Any], json: list[Any]) -> Any:
        """A value of the class, made from items; a list is the items."""
        return items if _MAKERS.get(self.cls, self.cls) is list else self.make(json, items)

    def make(self, json: list[Any], items: list[Any]) -> Any:
        """A value of the class, made from the items, which sets and keys may be unable to have."""
        made = construct(json, _MAKERS.get(self.cls, self.cls), items)
        if type(made) is Refusal and made.bug and isinstance(made.bug.cause, TypeError):
            at = next((at for at, item in enumerate(items) if not _is_hashable(item)), None)
            if at is not None:
                reason = f"{describe(json[at])} cannot be in {with_article(display(self.cls))}"
                return refuse(reason, json[at], "refused").under(f"[{at}]")
        return made

    def dump_parts(self, value: Any, run: Dumping) -> Any:
        """A list of the items of any iterable, except a string."""
        kind = type(value)
        if kind is not self.cls:
            is_like = issubclass(kind, (self.cls, *self.others))
            if not is_like or issubclass(kind, _STRINGS):
                return run.as_it_is(value, self)
        json: list[Any] = []
        node = self.item
        dump, plain, is_direct = node.dump, run.plain_of(node), not run.encoders
        for item in run.each(value):
            if plain and is_plain(item, plain):
                json.append(item)
                continue
            found = dump(item, run) if is_direct else run.dump(item, node)
            if type(found) is Refusal:
                return found.under(f"[{len(json)}]")
            json.append(found)
        return self.ordered(json, value)

    def ordered(self, json: list[Any], value: Any) -> list[Any]:
        """The items in a stable order."""
        return sorted_json(json) if issubclass(type(value), (set, frozenset)) else json


_STRINGS = (str, bytes, bytearray)


def _is_hashable(item: Any) -> bool:
    """Whether sets and keys may have an item, with all of its own items."""
    try:
        hash(item)
    except TypeError:
        return False
    return True


class UniqueArray(Array):
    """``set[T]`` and other sets: no item occurs twice, neither in JSON nor in Python."""

    __slots__ = ()
    others: Arguments = (abc.Set,)

    def schema(self, out: Definitions) -> Json:
        """An array of different items."""
        return {**super().schema(out), "uniqueItems": True}

    def made_of(self, items: list[Any], json: list[Any]) -> Any:
        """A set of items."""
        count = len({json_key(item) for item in json})
        if collide(items):
            return _refuse_collisions(json) if count == len(json) else _refuse_repetition(json, [])
        made = self.make(json, items)
        if type(made) is Refusal:
            return made
        return made if len(made) == len(json) == count else _refuse_repetition(json, items)

    def ordered(self, json: list[Any], value: Any) -> list[Any]:
        """The items in a stable order; two of them may be the same in JSON."""
        return sorted_json({json_key(item): item for item in json}.values())


MAX_COLLISIONS = 1_000
"""The most items of a set, or keys, that have the hash of another: each is compared with all."""


def collide(items: Sequence[Any]) -> bool:
    """Whether Python would need quadratic time for a set of these items."""
    if len(items) <= MAX_COLLISIONS:
        return False
    try:
        return len(items) - len(set(map(hash, items))) > MAX_COLLISIONS
    except Exception:  # they have no hash, which the constructor of the set refuses
        return False


def _refuse_collisions(json: Any) -> Refusal:
    reason = f"more than {MAX_COLLISIONS:,} of its {len(json):,} values have the same hash"
    return refuse(f"{reason}; send fewer of them", json, "invalid")


def _refuse_repetition(json: list[Any], items: list[Any]) -> Refusal:
    """Find the item of a set that occurs twice; without items, only in the JSON."""
    seen: dict[Any, int] = {}
    for index, (written, item) in enumerate(zip_longest(json, items)):
        for key in (("json", json_key(written)), ("python", item))[: 2 if items else 1]:
            if (first := seen.setdefault(key, index)) != index:
                reason = f"must be unique, but it is equal to item {first}"
                found = refuse(reason, written, keyword="uniqueItems", limit=True)
                return add(None, found, f"[{index}]")
    return refuse("must be unique", json, "not-unique")  # a user's class left some out


class Pairs(UniqueArray):
    """``ItemsView[K, V]``: pairs of a key and its value."""

    __slots__ = ()
    others: Arguments = ()

    @classmethod
    def read(
        cls, reader: Reader, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place
    ) -> Node:
        """``ItemsView``, ``ItemsView[K, V]``."""
        if len(args) not in {0, 2}:
            reason = f"{display(tp)} needs two type arguments, for the keys and the values"
            return reader.unsupported(tp, reason, place)
        pair = alias_of(tuple, args or (object, object))
        return cls(tp, abc.ItemsView, reader.read(pair, scope, (place, "[]")))

    def ordered(self, json: list[Any], value: Any) -> list[Any]:
        """The pairs, in their order."""
        return json


def read_generator(
    reader: Reader, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place
) -> Node:
    """``Generator[T, ...]``: an array of the values that it yields."""
    return Array.read(reader, tp, head, args[:1], scope, place)


# -- mappings ----------------------------------------------------------------------------------


class Mapping(Container):
    """``dict[K, V]`` and other mappings; K restricts the keys, which are strings in JSON.

    Attributes:
        args: The annotations of the keys and the values; empty if there are none.
        key: The node of the keys.
        item: The node of the values.
        place: The place of the mapping.
    """

    __slots__ = ("annotation", "args", "cls", "item", "key", "place")
    kinds = OBJECT
    label = "an object"

    def __init__(
        self, annotation: Any, cls: Any, args: Arguments, key: Node, item: Node, place: Place
    ) -> None:
        self.annotation: Any = annotation
        self.cls: Any = cls
        self.args: Arguments = args
        self.key: Node = key
        self.item: Node = item
        self.place: Place = place

    @classmethod
    def read(
        cls, reader: Reader, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place
    ) -> Node:
        """``dict``, ``dict[K, V]``."""
        if len(args) != 2:  # key and value
            if not args:
                return cls(tp, head, (), ANYTHING, ANYTHING, place)
            right = f"{display(head)}[str, {display(args[0])}]"
            hint = f"; write {right}" if len(args) == 1 else ""
            reason = f"{display(tp)} needs two type arguments, for the keys and the values{hint}"
            return reader.unsupported(tp, reason, place)
        return cls.of(reader, tp, head, args, scope, place)

    @property
    def undecodable(self) -> Sequence[Problem | Named]:  # type: ignore[override]
        """Those of the keys and the values."""
        found = [*self.item.undecodable, *self.key.undecodable]
        if self.args and not _KEY_KINDS & self.key.kinds:
            reason = f"a JSON object cannot have keys of type {display(self.args[0])}; use str"
            found.append(cannot_load(self.annotation, reason, self.place, code="other"))
        return found

    @classmethod
    def of(
        cls, reader: Reader, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place
    ) -> Node:
        """A mapping with the annotations of its keys and values."""
        key, item = args
        value = reader.read(item, scope, (place, "{}"))
        keys = STRING if key is str else reader.read(key, scope, (place, ""))
        return cls(tp, head, args, keys, value, place)

    def schema(self, out: Definitions) -> Json:
        """An object with these values."""
        if not self.args:
            return {"type": "object"}
        fragment = {"type": "object", "additionalProperties": out.or_true(self.item.schema(out))}
        is_text = self.key is STRING
        if not is_text and (names := property_names(self.key, self.args[0], self.place, out)):
            fragment["propertyNames"] = names
        return fragment

    def load_parts(self, json: Any, run: Loading) -> Any:
        """A mapping of the values."""
        load, problems = self.item.load, None
        is_text = self.key is STRING or self.key is ANYTHING
        load_key = STRING.load if is_text else self._load_key
        is_large = not is_text and len(json) > MAX_COLLISIONS
        if is_large and collide([load_key(name, run) for name in json]):
            return _refuse_collisions(json)
        values: dict[Any, Any] = {}
        for name, item in json.items():
            key, value = load_key(name, run), load(item, run)
            for part in (key, value):
                if type(part) is Refusal:
                    problems = add(problems, part, step_to(str(name)))
            if problems is None:
                problems = _put(values, key, value, name)
            elif problems.is_full:
                break
        if problems is not None:
            return problems
        return values if self.cls is dict else construct(json, self._make, values)

    def _make(self, values: dict[Any, Any]) -> Any:
        if self.cls is loaded("collections.defaultdict"):
            return self.cls(self.item.cls if self.item.cls in _FACTORIES else None, values)
        return _MAKERS.get(self.cls, self.cls)(values)

    def _load_key(self, name: Any, run: Loading) -> Any:
        """A key: the text itself, or the number or boolean in it."""
        if type(name) is not str:
            return refuse(f"{describe(name)} is a key but not a string", name, "wrong-type")
        value = load_key(self.key, name, run)
        if value is None or not is_final(value):
            return _refused_key(self.key, name, value)
        return value

    def dump_parts(self, value: Any, run: Dumping) -> Any:
        """An object; the keys are written as strings."""
        if not issubclass(type(value), (self.cls, abc.Mapping)):
            return run.as_it_is(value, self)
        node = self.item
        is_text, plain = str in run.plain_of(self.key), run.plain_of(self.item)
        json: Json = {}
        for name, item in run.each(value.items()):
            text = name
            if type(name) is not str or not is_text or not name.isascii():
                key = run.dump(name, self.key)
                if type(key) is Refusal:
                    return key
                if type(text := as_key(key)) is not str:
                    return self.misfit(f"{display(key)} cannot be a key of a JSON object")
            if text in json:
                return self.misfit(f"two keys are both {text!r} in JSON")
            if is_plain(item, plain):
                json[text] = item
                continue
            json[text] = found = node.dump(item, run) if not run.encoders else run.dump(item, node)
            if type(found) is Refusal:
                return found.under(step_to(text))
        return json


_FACTORIES = (list, dict, set, int, float, str, bool)
"""The factory of a ``defaultdict`` with such values."""

_KEY_KINDS = frozenset({str, bool, int, float})
_IN_KEYS = (bool, int, float)


def load_key(keys: Any, name: str, run: Loading) -> Any:
    """The value of a key, or ``None`` or a ``Refusal``."""
    is_whole = keys.exact is int or keys.priority != WRITTEN
    value = keys.load(name, run) if str in keys.kinds else None
    if value is None or not is_final(value):
        found = _json_in(name) if name.strip() == name else None
        if type(found) in _IN_KEYS and not (is_whole and type(found) is float):
            of_json = keys.load(found, run)
            value = of_json if value is None or is_final(of_json) else value
    return value


def _refused_key(keys: Node, name: str, refused: Refusal | None) -> Refusal:
    """The problem of a key: that of its value, if it has one."""
    if refused is None:
        reason = f"expected {keys.label}, got {describe(name)}"
        refused = refuse(reason, name, "wrong-type")
    first = refused.problems[0]
    return Refusal(first.replace(message=f"as a key, {first.message}", keyword="propertyNames"))


def _json_in(text: str) -> Any:
    """The JSON in a string; ``None`` if it is not JSON."""
    try:
        return parse_json(text)
    except (ValueError, RecursionError):
        return None


def _put(values: dict[Any, Any], key: Any, value: Any, name: str) -> Refusal | None:
    """Add an item to a mapping; refuse a key that it has, because an item would be lost."""
    try:
        if key not in values:
            values[key] = value
            return None
        found = refuse("the same key as an earlier one", name, "not-unique")
    except Exception as problem:  # the hash of a key may be user code
        if isinstance(problem, TypeError) and not _is_hashable(key):
            found = refuse(f"{describe(name)} cannot be a key", name, "refused")
        else:
            found = refuse_error(problem, name)
    return add(None, found, step_to(name))


def read_counter(
    reader: Reader, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place
) -> Node:
    """``Counter[K]``: an integer for each key."""
    if len(args) > 1:
        right = f"{display(head)}[{display(args[0])}]"
        reason = f"{display(tp)} has {len(args)} type arguments instead of one; write {right}"
        return reader.unsupported(tp, reason, place)
    return Mapping.read(reader, tp, head, (*(args or (str,)), int), scope, place)


# -- any value ---------------------------------------------------------------------------------


class Anything(Node):
    """``Any`` and ``object``: every JSON value."""

    __slots__ = ()
    annotation = Any
    plain: frozenset[type] = frozenset({type(None), bool, int, float, str})

    def schema(self, out: Definitions) -> Json:
        """Every value."""
        return {}

    def load(self, json: Any, run: Loading) -> Any:
        """A copy of the JSON."""
        kind = type(json)
        if kind is list:
            return _ANY_ARRAY.load(json, run)
        if kind is dict:
            return _ANY_OBJECT.load(json, run)
        if kind is str:
            return STRING.load(json, run)
        if kind is int or kind is bool or json is None:
            return json
        if kind is float and -INFINITY < json < INFINITY:
            return json
        return refuse(f"{describe(json)} is not a JSON value", json, "wrong-type")

    def dump(self, value: Any, run: Dumping) -> Any:
        """The JSON of a value, by its class."""
        node = run.nodes.get(type(value))
        if node is None or node is self or not run.is_direct:
            return run.dump_by_class(value)
        return node.dump(value, run)  # without another frame, because values may be deep


ANYTHING = Anything()
_ANY_ARRAY = Array(list, list, ANYTHING)
_ANY_OBJECT = Mapping(dict, dict, (), ANYTHING, ANYTHING, (None, ""))
OF_JSON: dict[type, Node] = {list: _ANY_ARRAY, dict: _ANY_OBJECT}
"""The nodes of the values without an annotation that have parts, unless a profile has others."""
