"""Loaders of arrays, sets, tuples and mappings, and of values that may be any JSON."""

from __future__ import annotations

import _collections_abc as abc  # the names of collections.abc, without loading collections

from milo_schema.annotations import Any, Arguments, Callable
from milo_schema.annotations.classes import MISSING, loaded
from milo_schema.annotations.display import display
from milo_schema.annotations.forms import is_bare, split
from milo_schema.decoding.loader import (
    WRITTEN,
    Loader,
    Refused,
    Run,
    add,
    construct,
    described,
    is_array,
    is_object,
    nested,
    prepared,
    raised,
    read_text,
    refused,
    step_to,
    wrong,
)
from milo_schema.decoding.scalars import STRING
from milo_schema.json_schema.values import INFINITY, json_key
from milo_schema.schemas import containers
from milo_schema.schemas.walk import Walk

Make = Callable[[Any], Any]

ARRAY = frozenset({list})
OBJECT = frozenset({dict})


# -- arrays ------------------------------------------------------------------------------------


def array(tp: Any, args: Arguments, walk: Walk) -> Loader:
    """``list[T]`` and other sequences."""
    head, _ = split(tp)
    return _array(prepared(args[0], walk, "[]") if args else ANYTHING, _MAKERS.get(head, head))


def unique_array(tp: Any, args: Arguments, walk: Walk) -> Loader:
    """``set[T]`` and other sets: no item occurs twice, neither in JSON nor in Python."""
    head, _ = split(tp)
    listed, make = array(list, args, walk), _MAKERS.get(head, head)
    loader = Loader(ARRAY, listed.label)

    def load(json: Any, run: Run) -> Any:
        if type(json) is not list:
            return wrong(loader, json, run)
        items = listed.load(json, run)
        if type(items) is Refused:
            return items
        made = construct(make, items)
        if type(made) is Refused:
            return made
        is_set = len(made) == len(json) == len({json_key(item) for item in json})
        return made if is_set else _twice(json, items)

    loader.load = load
    return loader


def items_view(_tp: Any, args: Arguments, walk: Walk) -> Loader:
    """``ItemsView[K, V]``: pairs of a key and its value."""
    return unique_array(abc.ItemsView, (containers.pair(args),), walk)


def _twice(json: list[Any], items: list[Any]) -> Refused:
    """Find the item of a set that occurs twice."""
    seen: dict[Any, int] = {}
    for index, (written, item) in enumerate(zip(json, items, strict=True)):
        for key in (("json", json_key(written)), ("python", item)):
            if (first := seen.setdefault(key, index)) != index:
                found = refused(f"{described(written)} is the same as item {first}, in a set")
                return add(None, found, f"[{index}]")
    return refused("its items are not all different")  # a user's class left some out


def _array(items: Loader, make: Any = list) -> Loader:
    def read(json: list[Any], run: Run) -> Any:
        load, problems = items.load, None
        values: list[Any] = []
        for item in json:
            value = load(item, run)
            if type(value) is Refused:
                problems = add(problems, value, f"[{len(values)}]")
                if problems.is_full:
                    break
            values.append(value)
        if problems is not None:
            return problems
        return values if make is list else construct(make, values)

    return nested(Loader(ARRAY, "an array"), is_array, read)


def _generator(values: list[Any]) -> Any:
    return (value for value in values)


_MAKERS: dict[Any, Make] = {
    abc.Iterable: list,
    abc.Iterator: iter,
    abc.Reversible: list,
    abc.Collection: list,
    abc.ItemsView: lambda pairs: dict(pairs).items(),
    abc.KeysView: lambda values: dict.fromkeys(values).keys(),
    abc.ValuesView: lambda values: dict(enumerate(values)).values(),
    abc.Generator: _generator,
    abc.Sequence: list,
    abc.MutableSequence: list,
    abc.Set: set,
    abc.MutableSet: set,
    abc.Mapping: dict,
    abc.MutableMapping: dict,
}
"""The concrete class for each abstract one; any other class is called itself."""


def tuple_(tp: Any, args: Arguments, walk: Walk) -> Loader:
    """``tuple[...]``: of fixed length, of any length, or both."""
    head, _ = split(tp)
    if not args and is_bare(tp):
        return _array(ANYTHING, head)
    first, rest, last = containers.layout(args, walk.scope)
    if not first and not last and rest is not MISSING:
        return _array(prepared(rest, walk, "[]"), head)
    before = [prepared(each, walk, f"[{index}]") for index, each in enumerate(first)]
    between = None if rest is MISSING else prepared(rest, walk, "[]")
    after = [prepared(each, walk, "[]") for each in last]
    return positions(before, between, after, head)


def positions(
    before: list[Loader], between: Loader | None, after: list[Loader], make: Any
) -> Loader:
    """An array with a loader for each position, and one for the items in the middle."""
    least = len(before) + len(after)
    count = str(least) if between is None else f"at least {least}"

    def fits(json: Any) -> bool:
        more = len(json) - least if type(json) is list else -1
        return more == 0 or (more > 0 and between is not None)

    def read(json: list[Any], run: Run) -> Any:
        values: list[Any] = []
        problems = None
        each = [*before, *([between] * (len(json) - least) if between else ()), *after]
        for part, item in zip(each, json, strict=True):
            value = part.load(item, run)
            if type(value) is Refused:
                problems = add(problems, value, f"[{len(values)}]")
                if problems.is_full:
                    break
            values.append(value)
        return problems or construct(make, values)

    return nested(Loader(ARRAY, f"an array of {count} items"), fits, read)


# -- mappings ----------------------------------------------------------------------------------


def mapping(tp: Any, args: Arguments, walk: Walk) -> Loader:
    """``dict[K, V]`` and other mappings."""
    head, _ = split(tp)
    key, item = args or (str, object)
    keys = STRING if not args or key is str else prepared(key, walk)
    if not _KEY_KINDS & keys.kinds:
        walk.refuse(f"a JSON object cannot have keys of type {display(key)}; use str", tp)
    return _mapping(keys, prepared(item, walk, "{}") if args else ANYTHING, _maker(head, item))


def counter(tp: Any, args: Arguments, walk: Walk) -> Loader:
    """``Counter[K]``."""
    return mapping(tp, (*(args or (str,)), int), walk)


def _maker(head: Any, item: Any) -> Make:
    if head is loaded("collections.defaultdict"):
        factory = item if type(item) is type else split(item)[0]
        return lambda values: head(factory if factory in _FACTORIES else None, values)
    made: Make = _MAKERS.get(head, head)
    return made


_FACTORIES = (list, dict, set, int, float, str, bool)
"""The factory of a ``defaultdict`` with such values."""

_KEY_KINDS = frozenset({str, bool, int, float})


def _mapping(keys: Loader, items: Loader, make: Make = dict) -> Loader:
    read_key = STRING.load if keys is STRING or keys is ANYTHING else _key_reader(keys)

    def read(json: dict[Any, Any], run: Run) -> Any:
        load, problems = items.load, None
        values: dict[Any, Any] = {}
        for name, item in json.items():
            key, value = read_key(name, run), load(item, run)
            for part in (key, value):
                if type(part) is Refused:
                    problems = add(problems, part, step_to(str(name)))
            if problems is None:
                problems = _put(values, key, value, name)
            elif problems.is_full:
                break
        if problems is not None:
            return problems
        return values if make is dict else construct(make, values)

    return nested(Loader(OBJECT, "an object"), is_object, read)


def _put(values: dict[Any, Any], key: Any, value: Any, name: str) -> Refused | None:
    """Add an item to a mapping; refuse a key that it has, because an item would be lost."""
    try:
        if key not in values:
            values[key] = value
            return None
        found = refused("the same key as an earlier one")
    except Exception as problem:  # noqa: BLE001 - the hash of a key may be user code
        found = raised(problem)
    return add(None, found, step_to(name))


def _key_reader(keys: Loader) -> Callable[[Any, Run], Any]:
    """The loader of a key: of the text itself, or of the number or boolean in it."""
    is_whole = keys.exact is int or keys.turn != WRITTEN

    def load(name: Any, run: Run) -> Any:
        if type(name) is not str:
            return refused(f"{described(name)} is a key but not a string")
        repairs, run.repairs = run.repairs, False
        value = keys.load(name, run) if str in keys.kinds else None
        if value is None or type(value) is Refused:
            found = read_text(name) if name.strip() == name else name
            if type(found) in _IN_KEYS and not (is_whole and type(found) is float):
                value = keys.load(found, run)
        run.repairs = repairs
        if value is None or type(value) is Refused:
            return refused(f"as a key, expected {keys.label}, got {described(name)}")
        return value

    return load


_IN_KEYS = (bool, int, float)


# -- any value ---------------------------------------------------------------------------------


def anything(_tp: Any, _args: Arguments, _walk: Walk) -> Loader:
    """``Any`` and ``object``: a copy of the JSON."""
    return ANYTHING


def _load_anything(json: Any, run: Run) -> Any:
    kind = type(json)
    if kind in _CONTAINERS:
        return _CONTAINERS[kind].load(json, run)
    if kind is str:
        return STRING.load(json, run)
    if kind is int or kind is bool or json is None:
        return json
    if kind is float and -INFINITY < json < INFINITY:
        return json
    return refused(f"{described(json)} is not a JSON value")


def never(tp: Any, _args: Arguments, _walk: Walk) -> Loader:
    """``Never``: it has no values."""
    label = f"nothing, because {display(tp)} has no values"
    loader = Loader(frozenset(), label)
    loader.load = lambda json, _: refused(f"got {described(json)}, but {display(tp)} has no values")
    return loader


EVERY_KIND = frozenset({type(None), bool, int, float, str, list, dict})
"""The classes of JSON values."""

ANYTHING = Loader(EVERY_KIND, "any JSON value", _load_anything)
_CONTAINERS: dict[type, Loader] = {list: _array(ANYTHING), dict: _mapping(STRING, ANYTHING)}
