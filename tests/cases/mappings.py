"""Mappings, and the types that their keys may have."""

import collections
import datetime
import decimal
import pathlib
import types
import typing
import uuid
from collections import abc
from typing import Annotated, Any, Literal, LiteralString, NewType

import typing_extensions

from milo_schema import Description, MaxLen, MinLen, Pattern
from tests.cases.case import Case, Source
from tests.cases.enums import Color, Key, Priority
from tests.cases.shared import DECIMAL, INTEGER_KEY, T
from tests.fragments import INTEGER, STRING, map_of


class Scores(dict[str, int]):
    pass


class Totals(collections.UserDict[str, int]):
    pass


Anything = typing_extensions.TypeAliasType("Anything", Any)
Whatever = typing_extensions.TypeAliasType("Whatever", Anything)

MAPPING_TYPES: tuple[Any, ...] = (
    collections.defaultdict,
    collections.OrderedDict,
    collections.ChainMap,
    types.MappingProxyType,
    abc.Mapping,
    abc.MutableMapping,
    collections.UserDict,
)

MAPPINGS = [
    Case(dict, {"type": "object"}, accepts=({}, {"a": 1}), rejects=([],)),
    Case(typing.Dict, {"type": "object"}, accepts=({},), rejects=([],), id="Dict"),
    Case(dict[str, Any], {"type": "object", "additionalProperties": True}, accepts=({"a": 1},),
         rejects=([],), id="dict[str, Any]"),
    *[Case(tp, map_of(True), accepts=({"a": 1}, {}), rejects=([],),
        id=f"{name} of any value") for name, tp in (("object", abc.Mapping[str, object]),
        ("TypeVar", dict[str, T]), ("string", dict[str, "Any"]),
        ("alias", collections.OrderedDict[str, Anything]),
        ("alias of an alias", dict[str, Whatever]),
        ("NewType", dict[str, NewType("Value", object)]))],
    Case(dict[str, dict[str, Any]], map_of(map_of(True)), accepts=({"a": {"b": None}},),
         rejects=({"a": 1},), id="dict[str, dict[str, Any]]"),
    Case(dict[str, Annotated[Any, Description("Whatever.")]], map_of({"description": "Whatever."}),
         accepts=({"a": 1},), rejects=([],), id="dict of described values"),
    Case(dict[str, int], {"type": "object", "additionalProperties": INTEGER},
         accepts=({}, {"a": 1}), rejects=({"a": "b"}, []), id="dict[str, int]"),
    Case(dict[str, dict[str, int]], {"type": "object",
           "additionalProperties": {"type": "object", "additionalProperties": INTEGER}},
         accepts=({"a": {"b": 1}},), rejects=({"a": 1},), id="dict of dict"),
    Case(Scores, {"type": "object", "additionalProperties": INTEGER}, accepts=({"a": 1},),
         rejects=({"a": "b"},)),
    *[Case(origin[str, int], map_of(INTEGER), accepts=({"a": 1},), rejects=({"a": "b"}, []),
        id=f"{origin.__name__}[str, int]") for origin in MAPPING_TYPES],
    *[Case(origin, {"type": "object"}, accepts=({"a": 1},), rejects=([],),
        id=f"bare {origin.__name__}") for origin in MAPPING_TYPES],
    Case(Source("TYPE = frozendict[str, int]"), map_of(INTEGER), accepts=({"a": 1},),
         rejects=({"a": "b"},), needs="python>=3.15", id="frozendict[str, int]"),
    Case(collections.Counter, map_of(INTEGER), accepts=({"a": 1},), rejects=({"a": "b"},)),
    Case(collections.Counter[str], map_of(INTEGER), accepts=({"a": 1},), rejects=({"a": "b"},),
         id="Counter[str]"),
    Case(collections.Counter[int], map_of(INTEGER, propertyNames=INTEGER_KEY), accepts=({"1": 1},),
         rejects=({"a": 1},), id="Counter[int]"),
    Case(typing.Mapping[str, int], map_of(INTEGER), accepts=({"a": 1},), rejects=([],),
         id="typing.Mapping[str, int]"),
    Case(dict[int, str], map_of(STRING, propertyNames=INTEGER_KEY),
         accepts=({"0": "a", "-12": "b"},), rejects=({"a": "b"}, {"01": "a"}, {"1.0": "a"}),
         id="dict[int, str]"),
    Case(dict[bool, str], map_of(STRING, propertyNames={"enum": ["true", "false"]}),
         accepts=({"true": "a"},), rejects=({"True": "b"},), id="dict[bool, str]"),
    Case(dict[float, str], map_of(STRING,
           propertyNames={"pattern": r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"}),
         accepts=({"1.5": "a", "1e+16": "b", "-0.0": "c"},), rejects=({"a": "b"},),
         id="dict[float, str]"),
    Case(dict[Any, int], map_of(INTEGER), accepts=({"a": 1},), rejects=({"a": "b"},),
         id="dict[Any, int]"),
    Case(dict[object, int], map_of(INTEGER), accepts=({"a": 1},), rejects=({"a": "b"},),
         id="dict[object, int]"),
    Case(dict[LiteralString, int], map_of(INTEGER), accepts=({"a": 1},), rejects=({"a": "b"},),
         id="dict[LiteralString, int]"),
    Case(dict[T, int], map_of(INTEGER), accepts=({"a": 1},), rejects=({"a": "b"},),
         id="dict[T, int]"),
    Case(dict[Literal["a", "b"], int], map_of(INTEGER, propertyNames={"enum": ["a", "b"]}),
         accepts=({"a": 1},), rejects=({"c": 1},), id="dict[Literal, int]"),
    Case(dict[Literal[1, 2], int], map_of(INTEGER, propertyNames={"enum": ["1", "2"]}),
         accepts=({"1": 1},), rejects=({"3": 1},), id="dict[Literal of int, int]"),
    Case(dict[Color, int], map_of(INTEGER, propertyNames={"enum": ["red", "green"]}),
         accepts=({"red": 1},), rejects=({"RED": 1},), id="dict[Color, int]"),
    Case(dict[Priority, int], map_of(INTEGER, propertyNames={"enum": ["1", "9"]}),
         accepts=({"9": 1},), rejects=({"LOW": 1},), id="dict[Priority, int]"),
    Case(dict[uuid.UUID, int], map_of(INTEGER, propertyNames={"type": "string", "format": "uuid"}),
         accepts=({"12345678-1234-5678-1234-567812345678": 1},), rejects=({"a": 1},),
         id="dict[UUID, int]"),
    Case(dict[datetime.date, int], map_of(INTEGER,
           propertyNames={"type": "string", "format": "date"}), accepts=({"2026-01-31": 1},),
         rejects=({"a": 1},), id="dict[date, int]"),
    Case(dict[pathlib.Path, int], map_of(INTEGER), accepts=({"a/b": 1},), rejects=({"a": "b"},),
         id="dict[Path, int]"),
    Case(dict[decimal.Decimal, int], map_of(INTEGER, propertyNames=DECIMAL), accepts=({"1.50": 1},),
         rejects=({"a": 1},), id="dict[Decimal, int]"),
    Case(dict[Annotated[str, MinLen(2)], int], map_of(INTEGER,
           propertyNames={"type": "string", "minLength": 2}), accepts=({"ab": 1},),
         rejects=({"a": 1},), id="dict[str from 2, int]"),
    Case(dict[Annotated[str, Pattern("^x-")], int],
         map_of(INTEGER, propertyNames={"type": "string", "pattern": "^x-"}), accepts=({"x-a": 1},),
         rejects=({"a": 1},), id="dict[str of a pattern, int]"),
    Case(dict[str | int, int], map_of(INTEGER), accepts=({"a": 1},), rejects=({"a": "b"},),
         id="dict[str | int, int]"),
    Case(dict[Color | int, int], map_of(INTEGER,
           propertyNames={"anyOf": [{"enum": ["red", "green"]}, INTEGER_KEY]}),
         accepts=({"red": 1, "7": 2},), rejects=({"blue": 1},), id="dict[Color | int, int]"),
    Case(dict[int | Literal["all"], int], map_of(INTEGER,
           propertyNames={"anyOf": [INTEGER_KEY, {"enum": ["all"]}]}),
         accepts=({"1": 1, "all": 2},), rejects=({"a": 1},), id="dict[int | Literal, int]"),
    Case(dict[NewType("UserId", int), str], map_of(STRING, propertyNames=INTEGER_KEY),
         accepts=({"1": "a"},), rejects=({"a": "b"},), id="dict[NewType of int, str]"),
    Case(Annotated[dict[str, int], MinLen(1), MaxLen(2)],
         {**map_of(INTEGER), "minProperties": 1, "maxProperties": 2}, accepts=({"a": 1},),
         rejects=({}, {"a": 1, "b": 2, "c": 3}), id="dict of 1 to 2"),
    Case(dict[list[int], int], map_of(INTEGER),
         refused=("dict[list[int], int]", "a JSON object cannot have keys of type list[int]"),
         id="dict[list, int]"),
    Case(dict[Key, int], map_of(INTEGER), refused=("dict[Key, int]",
           "a JSON object cannot have keys of type Key"), id="dict[Key, int]"),
    Case(dict[tuple[int, int], int], map_of(INTEGER),
         refused=("dict[tuple[int, int], int]",
           "a JSON object cannot have keys of type tuple[int, int]"), id="dict[tuple, int]"),
    Case(dict[None, int], map_of(INTEGER), refused=("dict[None, int]",
           "a JSON object cannot have keys of type None"), id="dict[None, int]"),
    Case(dict[int], mcp={}, milo=STRING, refused=("dict[int]",
           "dict[int] needs two type arguments, for the keys and the values; write dict[str, int]"),
         id="dict[int]"),
    Case(dict[str, complex], mcp=map_of(True), milo=map_of(STRING),
         refused=("dict[str, complex]{}", "no JSON Schema for complex"), id="dict[str, complex]"),
    Case(dict[complex, int], map_of(INTEGER), refused=("dict[complex, int]",
           "no JSON Schema for complex"), id="dict[complex, int]"),
    Case(Totals, map_of(INTEGER), accepts=({}, {"a": 1}), rejects=({"a": "b"}, [])),
]  # fmt: skip
