"""Sequences, sets and tuples."""

import collections
import typing
from collections import abc
from typing import Annotated, Any, Generic, Unpack

import typing_extensions as te

from milo_schema import MaxLen, MinLen
from tests.cases.case import Case
from tests.cases.shared import T, Ts
from tests.fragments import BOOLEAN, INTEGER, NULL, STRING, any_of, array_of, fixed, set_of


class Ids(list[int]):
    pass


class Named(list[T], Generic[T]):
    pass


class Words(Named[str]):
    pass


class Lines(collections.UserList[str]):
    pass


SEQUENCES: tuple[Any, ...] = (
    collections.deque,
    abc.Iterable,
    abc.Iterator,
    abc.Reversible,
    abc.Collection,
    abc.KeysView,
    abc.ValuesView,
    abc.Sequence,
    abc.MutableSequence,
    collections.UserList,
)
SETS: tuple[Any, ...] = (set, frozenset, abc.Set, abc.MutableSet)

ARRAYS = [
    Case(list, {"type": "array", "items": {}}, accepts=([], [1, "a"]), rejects=({}, "a")),
    Case(typing.List, {"type": "array", "items": {}}, accepts=([],), rejects=({},), id="List"),
    Case(list[Any], {"type": "array", "items": {}}, accepts=([1, None],), rejects=({},),
         id="list[Any]"),
    Case(list[int], {"type": "array", "items": INTEGER}, accepts=([], [1]),
         rejects=(["a"], {}, "a"), id="list[int]"),
    Case(list[list[int]], {"type": "array", "items": {"type": "array", "items": INTEGER}},
         accepts=([[1]],), rejects=([1],), id="list[list[int]]"),
    Case(list[None], {"type": "array", "items": NULL}, accepts=([None],), rejects=([0],),
         id="list[None]"),
    Case(list[T], {"type": "array", "items": {}}, accepts=([1],), rejects=(1,), id="list[T]"),
    Case(Ids, {"type": "array", "items": INTEGER}, accepts=([1],), rejects=(["a"],)),
    Case(Named[int], {"type": "array", "items": INTEGER}, accepts=([1],), rejects=(["a"],),
         id="Named[int]"),
    Case(Words, {"type": "array", "items": STRING}, accepts=(["a"],), rejects=([1],)),
    *[Case(origin[int], array_of(INTEGER), accepts=([], [1]), rejects=(["a"], {}),
        id=f"{origin.__name__}[int]") for origin in SEQUENCES],
    *[Case(origin, array_of({}), accepts=([], [1, "a"]), rejects=({},),
        id=f"bare {origin.__name__}") for origin in SEQUENCES],
    Case(typing.Sequence[str], array_of(STRING), accepts=(["a"],), rejects=("a",),
         id="typing.Sequence[str]"),
    Case(typing.Deque[int], array_of(INTEGER), accepts=([1],), rejects=(["a"],),
         id="typing.Deque[int]"),
    *[Case(origin[int], set_of(INTEGER), accepts=([], [1, 2]), rejects=([1, 1], ["a"], {}),
        id=f"{origin.__name__}[int]") for origin in SETS],
    *[Case(origin, set_of({}), accepts=([], [1, "a"]), rejects=([1, 1], {}),
        id=f"bare {origin.__name__}") for origin in SETS],
    Case(typing.AbstractSet[int], set_of(INTEGER), accepts=([1],), rejects=([1, 1],),
         id="typing.AbstractSet[int]"),
    Case(Annotated[set[int], MinLen(1)], {**set_of(INTEGER), "minItems": 1}, accepts=([1],),
         rejects=([],), id="set from 1"),
    Case(list[int, str], mcp={}, milo=STRING, refused=("list[int, str]",
           "list[int, str] has 2 type arguments instead of one; write list[int | str]"),
         id="list[int, str]"),
    Case(list[...], mcp=array_of({}), milo=array_of(STRING),
         refused=("list[...][]", "no JSON Schema for"), id="list[...]"),
    Case(list[3], mcp=array_of({}), milo=array_of(STRING),
         refused=("list[3][]", "3 is a value, not a type; write int or Literal[3]"), id="list[3]"),
]  # fmt: skip

TUPLES = [
    Case(tuple, {"type": "array", "items": {}}, accepts=([], [1]), rejects=({},)),
    Case(typing.Tuple, {"type": "array", "items": {}}, accepts=([],), rejects=({},), id="Tuple"),
    Case(tuple[()], {"type": "array", "maxItems": 0}, accepts=([],), rejects=([1],),
         id="tuple[()]"),
    Case(typing.Tuple[()], {"type": "array", "maxItems": 0}, accepts=([],), rejects=([1],),
         id="Tuple[()]"),
    Case(tuple[int], {"type": "array", "prefixItems": [INTEGER], "minItems": 1, "maxItems": 1},
         accepts=([1],), rejects=([], [1, 2], ["a"]), id="tuple[int]"),
    Case(tuple[int, str], {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2,
           "maxItems": 2}, accepts=([1, "a"],), rejects=([1], ["a", 1], [1, "a", 2]),
         id="tuple[int, str]"),
    Case(tuple[int, ...], {"type": "array", "items": INTEGER}, accepts=([], [1, 2]),
         rejects=(["a"],), id="tuple[int, ...]"),
    Case(tuple[Any, ...], {"type": "array", "items": {}}, accepts=([], [1, "a"]), rejects=({},),
         id="tuple[Any, ...]"),
    Case(typing.Tuple[int, ...], {"type": "array", "items": INTEGER}, accepts=([1],),
         rejects=(["a"],), id="Tuple[int, ...]"),
    Case(tuple[int | None, str], fixed(any_of(INTEGER, NULL), STRING), accepts=([None, "a"],),
         rejects=([None],), id="tuple[int | None, str]"),
    Case(tuple[int, tuple[str, bool]], fixed(INTEGER, fixed(STRING, BOOLEAN)),
         accepts=([1, ["a", True]],), rejects=([1, ["a"]],), id="tuple in a tuple"),
    Case(tuple[int, *tuple[str, ...]], {"type": "array", "prefixItems": [INTEGER], "items": STRING,
           "minItems": 1}, accepts=([1], [1, "a", "b"]), rejects=([], [1, 2]),
         id="tuple[int, *tuple[str, ...]]"),
    Case(tuple[int, Unpack[tuple[str, ...]]], {"type": "array", "prefixItems": [INTEGER],
           "items": STRING, "minItems": 1}, accepts=([1, "a"],), rejects=([1, 2],),
         id="tuple[int, Unpack[tuple[str, ...]]]"),
    Case(tuple[int, te.Unpack[tuple[str, ...]]],
         {"type": "array", "prefixItems": [INTEGER], "items": STRING, "minItems": 1},
         accepts=([1, "a"],), rejects=([1, 2],), id="tuple[int, te.Unpack[tuple[str, ...]]]"),
    Case(tuple[*tuple[int, str]], {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2,
           "maxItems": 2}, accepts=([1, "a"],), rejects=([1],), id="tuple[*tuple[int, str]]"),
    Case(tuple[bool, *tuple[int, str], None], fixed(BOOLEAN, INTEGER, STRING, NULL),
         accepts=([True, 1, "a", None],), rejects=([True, 1, "a"],), id="tuple flattened"),
    Case(tuple[*tuple[int, ...]], {"type": "array", "items": INTEGER}, accepts=([], [1]),
         rejects=(["a"],), id="tuple[*tuple[int, ...]]"),
    Case(tuple[*tuple[int, ...], str], {"type": "array", "items": {"anyOf": [INTEGER, STRING]},
           "minItems": 1}, accepts=(["a"], [1, "a"]), rejects=([], [None]),
         id="tuple[*tuple[int, ...], str]"),
    Case(tuple[bool, *tuple[int, ...], str], {"type": "array", "prefixItems": [BOOLEAN],
           "items": any_of(INTEGER, STRING), "minItems": 2}, accepts=([True, 1, "a"], [True, "a"]),
         rejects=([True], [1, "a"]), id="tuple with a tail"),
    Case(tuple[*tuple[int, ...], int], {"type": "array", "items": INTEGER, "minItems": 1},
         accepts=([1],), rejects=([], ["a"]), id="tuple with an equal tail"),
    Case(tuple[int, *tuple[*tuple[str, bool], None]], fixed(INTEGER, STRING, BOOLEAN, NULL),
         accepts=([1, "a", True, None],), rejects=([1],), id="tuple unpacked twice"),
    Case(tuple[int, *tuple[()]], {"type": "array", "prefixItems": [INTEGER], "minItems": 1,
           "maxItems": 1}, accepts=([1],), rejects=([1, 2],), id="tuple[int, *tuple[()]]"),
    Case(tuple[int, *Ts], {"type": "array", "prefixItems": [INTEGER], "items": {}, "minItems": 1},
         accepts=([1, "a"],), rejects=(["a"],), id="tuple[int, *Ts]"),
    Case(tuple[Unpack[Ts]], {"type": "array", "items": {}}, accepts=([], [1, "a"]), rejects=({},),
         id="tuple[Unpack[Ts]]"),
    Case(Annotated[tuple[int, ...], MinLen(1), MaxLen(2)],
         {"type": "array", "items": INTEGER, "minItems": 1, "maxItems": 2}, accepts=([1],),
         rejects=([], [1, 2, 3]), id="tuple[int, ...] of 1 to 2"),
    Case(Annotated[tuple[int, int], MinLen(1)],
         {"type": "array", "prefixItems": [INTEGER, INTEGER], "minItems": 2, "maxItems": 2},
         accepts=([1, 2],), rejects=([1],), id="tuple[int, int] from 1"),
    Case(Lines, array_of(STRING), accepts=([], ["a"]), rejects=([1], "a")),
    Case(abc.ItemsView[str, int], set_of(fixed(STRING, INTEGER)),
         accepts=([], [["a", 1], ["b", 1]]), rejects=([["a"]], [[1, "a"]], [["a", 1], ["a", 1]],
           ["a"]), id="ItemsView[str, int]"),
    Case(abc.ItemsView, set_of({"type": "array", "prefixItems": [{}, {}], "minItems": 2,
             "maxItems": 2}), accepts=([], [["a", 1]]), rejects=([["a"]], ["a"], [[1, 2, 3]]),
         id="bare ItemsView"),
    Case(abc.ItemsView[str], mcp={}, milo=STRING,
         refused=("ItemsView[str]",
           "ItemsView[str] needs two type arguments, for the keys and the values"),
         id="ItemsView[str]"),
]  # fmt: skip
