"""A returned value as the JSON that the output schema promises, and as a ``tools/call`` result."""

import asyncio
import base64
import collections
import contextlib
import dataclasses
import datetime
import decimal
import enum
import functools
import importlib
import ipaddress
import itertools
import json
import math
import pathlib
import pickle
import re
import sys
import types
import typing
import uuid
import zlib
import zoneinfo
from collections import abc
from dataclasses import InitVar, dataclass, field
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    Optional,
    Self,
    TypedDict,
    TypeVar,
    Unpack,
)

import attrs
import jsonschema
import msgspec
import pydantic
import pydantic_core
import pytest
import typing_extensions as te
from hypothesis import HealthCheck, Phase, given, settings

from milo_schema import (
    Ge,
    SchemaError,
    ToolSchema,
    profiles,
    tool_schema,
)
from milo_schema.results import ToolResult, error_result, is_result, return_to_json, value_to_json
from tests import judges
from tests.cases import CASES, Case
from tests.every import every
from tests.inside import Classes, base, library, records
from tests.instructions import instructions
from tests.modules import module_from
from tests.needs import lacking
from tests.test_meaning import Codec, codecs, values

pytestmark = pytest.mark.core

Json = dict[str, Any]
T = TypeVar("T")
Bounded = TypeVar("Bounded", bound=datetime.date)
Either = TypeVar("Either", int, datetime.date)
Free = TypeVar("Free")
Default = te.TypeVar("Default", default=datetime.date)
UserId = NewType("UserId", int)
MCP = profiles.MCP
DAY = datetime.date(2026, 7, 28)
NOON = datetime.datetime(2026, 7, 28, 12, tzinfo=datetime.UTC)


class Color(enum.Enum):
    RED = "red"
    GREEN = "green"


class Level(enum.IntEnum):
    LOW = 1


class Access(enum.Flag):
    READ = 1
    WRITE = 2


@dataclass
class Item:
    kind: ClassVar[str] = "item"
    name: str
    price: decimal.Decimal
    secret: InitVar[int] = 0
    day: datetime.date | None = None
    tags: set[str] = field(default_factory=set)
    later: int = field(init=False)


@dataclass
class Special(Item):
    extra: int = 0


@dataclass
class Node:
    value: int
    next: "Optional[Node]" = None
    me: Optional[Self] = None


@dataclass
class Page(Generic[T]):
    items: list[T]


class DatePage(Page[datetime.date]): ...


class Point(NamedTuple):
    x: int
    day: datetime.date = DAY


Loose = collections.namedtuple("Loose", "a b")


class Movie(TypedDict):
    name: str
    day: NotRequired[datetime.date]


class Closed(te.TypedDict, closed=True):
    name: str


HAS_EXTRA = hasattr(te, "NoExtraItems")  # of PEP 728, since typing_extensions 4.13
EXTRA: Any = {"extra_items": datetime.date} if HAS_EXTRA else {}
Extra: Any = te.TypedDict("Extra", {"name": str}, **EXTRA)  # type: ignore[misc]


class Ids(list[datetime.date]): ...


@attrs.define
class Attr:
    day: datetime.date = attrs.field()
    untyped = attrs.field(default=DAY)


class Struct(msgspec.Struct, tag="s", rename="camel"):
    first_day: datetime.date
    maybe: int | msgspec.UnsetType = msgspec.UNSET


class Row(msgspec.Struct, array_like=True):
    day: datetime.date
    n: int = 1


class Model(pydantic.BaseModel):
    first_day: datetime.date = pydantic.Field(alias="firstDay")
    note: str | None = None


class Custom:
    @classmethod
    def __milo_schema__(cls, _walk):
        return {"type": "string"}


@dataclass
class CustomRecord:
    day: datetime.date

    @classmethod
    def __milo_schema__(cls, _walk):
        return {"type": "object"}


class Folder:
    def __fspath__(self) -> str:
        return "/srv"


class Named(typing.Protocol):
    name: str


class Mock(Any):
    """To type checkers, an instance has any type."""


class TextContent(pydantic.BaseModel):
    type: Literal["text"] = "text"
    text: str


ITEM = Item("pen", decimal.Decimal("1.50"), tags={"b", "a"})
ITEM_JSON = {"name": "pen", "price": "1.50", "day": None, "tags": ["a", "b"]}

SAID: list[tuple[Any, Any, Any]] = [
    # plain values
    ("x", str, "x"),
    (Color.RED, Color, "red"),
    (Level.LOW, int, 1),
    (1, float, 1),
    (1.5, float, 1.5),
    (True, bool, True),
    (None, None, None),
    (True, te.TypeIs[int], True),
    ("x", typing.LiteralString, "x"),
    ("x", typing.AnyStr, "x"),
    (b"a", typing.AnyStr, "YQ=="),
    (b"a", bytes, "YQ=="),
    (bytearray(b"a"), bytearray, "YQ=="),
    (memoryview(b"a"), memoryview, "YQ=="),
    (b"a", te.Buffer, "YQ=="),
    (UserId(1), UserId, 1),
    # the standard library
    (DAY, datetime.date, "2026-07-28"),
    (NOON, datetime.datetime, "2026-07-28T12:00:00+00:00"),
    (NOON.time(), datetime.time, "12:00:00"),
    (datetime.timedelta(days=1, seconds=2), datetime.timedelta, "P1DT2S"),
    (decimal.Decimal("1.50"), decimal.Decimal, "1.50"),
    (uuid.UUID(int=1), uuid.UUID, "00000000-0000-0000-0000-000000000001"),
    (ipaddress.ip_address("::1"), ipaddress.IPv6Address, "::1"),
    (ipaddress.ip_network("10.0.0.0/8"), ipaddress.IPv4Network, "10.0.0.0/8"),
    (pathlib.PurePosixPath("/a"), pathlib.PurePath, "/a"),
    (pathlib.PurePosixPath("/a"), "__import__('os').PathLike[str]", "/a"),
    (Folder(), "__import__('os').PathLike", "/srv"),
    (re.compile("a+"), re.Pattern[str], "a+"),
    (re.compile(b"a\xe9+"), re.Pattern[bytes], "a\xe9+"),
    (zoneinfo.ZoneInfo("UTC"), zoneinfo.ZoneInfo, "UTC"),
    # choices
    ("a", Literal["a", 1], "a"),
    (Color.GREEN, Literal[Color.GREEN], "green"),
    (Access.READ | Access.WRITE, Access, 3),
    # arrays
    ([DAY], list[datetime.date], ["2026-07-28"]),
    ([DAY, 1], list, ["2026-07-28", 1]),
    ((1, 2), abc.Sequence[int], [1, 2]),
    ((n for n in (1, 2)), abc.Iterator[int], [1, 2]),
    (collections.deque([1]), collections.deque[int], [1]),
    ({3, 1, 2}, set[int], [1, 2, 3]),
    ({DAY, "2026-07-28"}, set[datetime.date | str], ["2026-07-28"]),
    (frozenset({(2, 1), (1, 2)}), frozenset[tuple[int, int]], [[1, 2], [2, 1]]),
    ((1, DAY), tuple[int, datetime.date], [1, "2026-07-28"]),
    ((1, DAY), tuple, [1, "2026-07-28"]),
    ((), tuple[()], []),
    ((1, DAY, DAY), "tuple[int, *tuple[datetime.date, ...]]", [1, "2026-07-28", "2026-07-28"]),
    ((DAY, DAY, 1), "tuple[*tuple[datetime.date, ...], int]", ["2026-07-28", "2026-07-28", 1]),
    (Ids([DAY]), Ids, ["2026-07-28"]),
    # objects
    ({"a": DAY}, dict[str, datetime.date], {"a": "2026-07-28"}),
    ({"a": DAY}, dict, {"a": "2026-07-28"}),
    (types.MappingProxyType({1: DAY}), types.MappingProxyType, {"1": "2026-07-28"}),
    ({1: 2}, dict[int, int], {"1": 2}),
    ({1.5: 2}, dict[float, int], {"1.5": 2}),
    ({True: 2}, dict[bool, int], {"true": 2}),
    ({DAY: 2, Color.RED: 3}, dict[datetime.date | Color, int], {"2026-07-28": 2, "red": 3}),
    (collections.Counter("aab"), collections.Counter[str], {"a": 2, "b": 1}),
    (collections.Counter("aab"), collections.Counter, {"a": 2, "b": 1}),
    (collections.ChainMap({"a": 1}), collections.ChainMap[str, int], {"a": 1}),
    # special forms
    (1, int | str, 1),
    (DAY, Optional[datetime.date], "2026-07-28"),
    (None, Optional[datetime.date], None),
    (NOON, datetime.date | datetime.datetime, "2026-07-28T12:00:00+00:00"),
    ([DAY], list[int] | list[datetime.date], ["2026-07-28"]),
    (Special("x", decimal.Decimal(1)), Item, {**ITEM_JSON, "name": "x", "price": "1", "tags": []}),
    (Special("x", decimal.Decimal(1)), Item | Annotated[Special | int, "It."],
     {**ITEM_JSON, "name": "x", "price": "1", "tags": [], "extra": 0}),
    (Special("x", decimal.Decimal(1)), Item | Special,
     {"name": "x", "price": "1", "day": None, "tags": [], "extra": 0}),
    (1, typing.Union[int, typing.Never], 1),
    (1, Annotated[int, Ge(0)], 1),
    (1, typing.Final[int], 1),
    (1, typing.Final, 1),
    (DAY, Any, "2026-07-28"),
    (ITEM, object, ITEM_JSON),
    (Point(1), Any, [1, "2026-07-28"]),
    (Attr(DAY), Any, {"day": "2026-07-28", "untyped": "2026-07-28"}),
    ("x", "Literal['x']", "x"),
    ([DAY], list["datetime.date"], ["2026-07-28"]),
    (DAY, Bounded, "2026-07-28"),
    (DAY, Either, "2026-07-28"),
    (DAY, Free, "2026-07-28"),
    (DAY, Default, "2026-07-28"),
    (ITEM, Named, ITEM_JSON),
    # records
    (ITEM, Item, ITEM_JSON),
    (Node(1, Node(2), Node(3)), Node, {"value": 1, "next": {"value": 2, "next": None, "me": None},
       "me": {"value": 3, "next": None, "me": None}}),
    (Page([DAY]), Page[datetime.date], {"items": ["2026-07-28"]}),
    (Page([DAY]), Page, {"items": ["2026-07-28"]}),
    (DatePage([DAY]), DatePage, {"items": ["2026-07-28"]}),
    (Point(1), Point, [1, "2026-07-28"]),
    (Loose(1, DAY), Loose, [1, "2026-07-28"]),
    ({"name": "Up", "day": DAY}, Movie, {"name": "Up", "day": "2026-07-28"}),
    ({"name": "Up", "more": DAY}, Movie, {"name": "Up", "more": "2026-07-28"}),
    (collections.OrderedDict(name="Up", day=DAY), Movie, {"name": "Up", "day": "2026-07-28"}),
    (collections.defaultdict(str, name="Up"), Movie, {"name": "Up"}),
    *[({"name": "Up", "more": DAY}, Extra, {"name": "Up",
          "more": "2026-07-28"}) for _ in [...][:HAS_EXTRA]],
    ({"name": "Up"}, Closed, {"name": "Up"}),
    (Attr(DAY), Attr, {"day": "2026-07-28", "untyped": "2026-07-28"}),
    (Struct(DAY), Struct, {"type": "s", "firstDay": "2026-07-28"}),
    (Struct(DAY, 1), Struct, {"type": "s", "firstDay": "2026-07-28", "maybe": 1}),
    (Row(DAY), Row, ["2026-07-28", 1]),
    (Model(firstDay=DAY), Model, {"firstDay": "2026-07-28", "note": None}),
    (CustomRecord(DAY), CustomRecord, {"day": "2026-07-28"}),
]  # fmt: skip


@every("row", SAID, ids=lambda row: str(row[1]))
def test_a_value_becomes_the_json_of_its_annotation(row):
    value, annotation, expected = row
    said = value_to_json(value, annotation)

    assert json.dumps(said, allow_nan=False) == json.dumps(expected)


Days = te.TypeAliasType("Days", "list[datetime.date]")
Tree = te.TypeAliasType("Tree", "list[Tree] | datetime.date")


def test_a_value_of_an_alias_has_the_json_of_its_target():
    assert value_to_json([DAY], Days) == ["2026-07-28"]
    assert value_to_json([[DAY], []], Tree) == [["2026-07-28"], []]


A_CYCLE: list[Any] = []
A_CYCLE.append(A_CYCLE)

ENDS = tuple[int, Unpack[tuple[str, ...]], int]
SHOWN = "tuple[int, Unpack[tuple[str, ...]], int]"

REFUSED: list[tuple[Any, Any, str]] = [
    (1, str, "str: 1 is not a str"),
    (True, int, "int: True is not an int"),
    (1, bool, "bool: 1 is not a bool"),
    (1.5, int, "int: 1.5 is not an int"),
    (math.nan, float, "float: the number nan cannot be written as JSON"),
    ([math.nan], list[float], "list[float][0]: the number nan cannot be written as JSON"),
    ([1.0, -math.inf], list[float], "list[float][1]: the number -inf cannot be written as JSON"),
    ({"a": math.inf}, dict[str, float], "dict[str, float].a: the number inf cannot be written as"),
    (NOON, datetime.date, "date: <datetime object> is not a date"),
    ("blue", Color, "Color: 'blue' is not a Color"),
    ("b", Literal["a", 1], "Literal['a', 1]: 'b' is not one of 'a', 1"),
    (True, Literal["a", 1], "Literal['a', 1]: True is not one of 'a', 1"),
    (DAY, Literal["a"], "Literal['a']: an instance of date cannot be written as JSON"),
    ([1, "x"], list[int], "list[int][1]: 'x' is not an int"),
    ({"x"}, list[int], "list[int]: {'x'} is not a list[int]"),
    ([1, 1], set[int], "set[int]: [1, 1] is not a set[int]"),
    ("noon", datetime.datetime, "datetime: 'noon' is not a datetime"),
    ("a", bytes, "bytes: 'a' is not a bytes"),
    ((n for n in (1, "x")), list[int], "list[int][1]: 'x' is not an int"),
    ([{"name": 1}], list[Item], "list[Item][0]: {'name': 1} is not an Item"),
    (A_CYCLE, list[Item], "list[Item][0]: [[[[[...]]]]] is not an Item"),
    ({"n": 1.5}, dict[str, int | Color], "dict[str, int | Color].n: 1.5 is not int | Color"),
    ((1, "x"), list[int], "list[int][1]: 'x' is not an int"),
    ("ab", abc.Sequence[str], "Sequence[str]: 'ab' is not a Sequence[str]"),
    ({"a": [1, "x"]}, dict[str, list[int]], "dict[str, list[int]].a[1]: 'x' is not an int"),
    ({"a b": "x"}, dict[str, int], "dict[str, int][\"a b\"]: 'x' is not an int"),
    ({1: 1, "1": 2}, dict, "dict: two keys are both '1' in JSON"),
    ({None: 1}, dict, "dict: None cannot be a key of a JSON object"),
    ({(1,): 1}, dict[tuple[int], int],
     "dict[tuple[int], int]: [1] cannot be a key of a JSON object"),
    ((1,), tuple[int, str], "tuple[int, str]: expected 2 items for tuple[int, str], got 1"),
    ((1, "a", 1), tuple[int, str], "tuple[int, str]: expected 2 items for tuple[int, str], got 3"),
    ((1,), ENDS, f"{SHOWN}: expected at least 2 items for {SHOWN}, got 1"),
    (3, ENDS, f"{SHOWN}: 3 is not a {SHOWN}"),
    ("x", Optional[int], "int | None: 'x' is not an int"),
    ("x", Access, "Access: 'x' is not an Access"),
    (1.5, int | str, "int | str: 1.5 is not int | str"),
    (1j, int | str, "int | str: <complex object> is not int | str"),
    (1, typing.Never, "Never: got 1, but Never has no values"),
    (1j, Any, "Any: no JSON for an instance of complex; use another type, or add encoders={...}"),
    (1j, complex,
     "complex: no JSON for an instance of complex; use another type, or add encoders={...}"),
    (Mock(), Any, "Any: no JSON for an instance of Mock"),
    (Mock(), list[int], "list[int]: <Mock object> is not a list[int]"),
    ([("a", 1)], dict[str, int], "dict[str, int]: [('a', 1)] is not a dict[str, int]"),
    (bytearray(b"a"), list[int], "list[int]: <bytearray object> is not a list[int]"),
    (A_CYCLE, Any, "nested too deeply, or contains itself"),
    ("x", "Nowhere", "'Nowhere': no 'Nowhere' in "),
    (Custom(), Custom,
     "Custom: no JSON for an instance of Custom; add encoders={...} to the profile"),
    ({"name": "x"}, Item, "Item: {'name': 'x'} is not an Item"),
    (Item("x", typing.cast(Any, 1)), Item, "Item.price: 1 is not a Decimal"),
    ({}, Movie, "Movie.name: missing, but required"),
    ({"name": "Up", "more": 1}, Closed, "Closed.more: unknown key"),
    ({"name": "Up", 3: 1}, Movie, "Movie: 3 is not a str"),
    ({"name": "Up", "\ud800": 1}, Movie, "Movie: text with a lone surrogate"),
    *[({"name": "Up", "more": 1}, Extra, "Extra.more: 1 is not a date") for _ in [...][:HAS_EXTRA]],
    (Page([1]), Page[datetime.date], "Page[date].items[0]: 1 is not a date"),
    (Model.model_construct(first_day=1), Model, "Model: pydantic cannot write it: "),
    ({}, Model, "Model: {} is not a Model"),
]  # fmt: skip


PRICE = pydantic.PlainSerializer(float, return_type=float)


LIKE_ANOTHER: list[tuple[Any, Any, Any]] = [
    ((1, 2), list[int], [1, 2]),
    ([DAY], tuple[datetime.date, ...], ["2026-07-28"]),
    ([1, "a"], tuple[int, str], [1, "a"]),
    (range(3), list[int], [0, 1, 2]),
    (collections.deque([1]), list[int], [1]),
    ([1], collections.deque[int], [1]),
    (frozenset({2, 1}), set[int], [1, 2]),
    (collections.ChainMap({"a": DAY}), dict[str, datetime.date], {"a": "2026-07-28"}),
    ({"a": 1}, collections.OrderedDict[str, int], {"a": 1}),
    (bytearray(b"a"), bytes, "YQ=="),
    (memoryview(b"a"), bytes, "YQ=="),
    ({"a": (1,)}, Optional[dict[str, list[int]]], {"a": [1]}),
    # what it is, which the schema accepts
    ([{"name": "tea", "price": "1"}], list[Item], [{"name": "tea", "price": "1"}]),
    ([ITEM, {"name": "tea", "price": "1"}], list[Item], [ITEM_JSON, {"name": "tea", "price": "1"}]),
    (Model(firstDay=DAY), dict[str, Any], {"firstDay": "2026-07-28", "note": None}),
    ([Model(firstDay=DAY)], list[dict], [{"firstDay": "2026-07-28", "note": None}]),
    ({"firstDay": "2026-07-28", "note": None}, Model, {"firstDay": "2026-07-28", "note": None}),
    ({"a": 1}.values(), list[int], [1]),
    ({"a": 1}.keys(), set[str], ["a"]),
    ({"a": 1}.values(), set[int], [1]),
    ({"a": 1}.values(), Any, [1]),
    ((n for n in (1, 2)), list[int], [1, 2]),
    ((n for n in (1, 2)), list[str] | list[int], [1, 2]),
    ((n for n in (1, 2)), tuple[int, ...], [1, 2]),
    (map(str, (1, 2)), Any, ["1", "2"]),
    (itertools.chain([1], (2,)), Any, [1, 2]),
    ({2, 1}, list[int], [1, 2]),
    ([2, 1], set[int], [2, 1]),
    (3.0, int, 3.0),
    (1.0, Literal[1], 1.0),
    ("2026-07-28T12:00:00Z", datetime.datetime, "2026-07-28T12:00:00Z"),
    ("YQ==", bytes, "YQ=="),
    ("red", Color, "red"),
    (2, Access, 2),
    (pathlib.PurePosixPath("/a"), str, "/a"),
    (Movie(name="Up"), types.MappingProxyType[str, str], {"name": "Up"}),
    (collections.UserDict(name="Up"), Movie, {"name": "Up"}),
    ("5 EUR", Custom, "5 EUR"),
    ({"name": "tea", "price": "1"}, int | Item, {"name": "tea", "price": "1"}),
    ({"name": "Up", "day": DAY}, Item | Movie, {"name": "Up", "day": "2026-07-28"}),
    ([1, "a"], Point | list[int | str], [1, "a"]),
    (decimal.Decimal("1.5"), str | Annotated[decimal.Decimal, PRICE], 1.5),
    ([decimal.Decimal("1.5")], list[str] | list[Annotated[decimal.Decimal, PRICE]], [1.5]),
]


@every("row", LIKE_ANOTHER, ids=lambda row: str(row[1]))
def test_a_value_of_another_class_with_the_same_json_is_accepted(row):
    value, annotation, expected = row
    json_value = value_to_json(value, annotation)

    assert json_value == expected
    schema = tool_schema(unannotated, returns=annotation, profile=MCP).output_schema
    jsonschema.Draft202012Validator(schema).validate(json_value)


PROFILES = [getattr(profiles, name) for name in profiles.__all__ if name.isupper()]
CONTAINERS: dict[str, Any] = {
    "itself": (lambda tp: tp, lambda value: value),
    "list": (lambda tp: list[tp], lambda value: [value]),
    "dict": (lambda tp: dict[str, tp], lambda value: {"a": value}),
    "union": (lambda tp: tp | None, lambda value: value),
    "tuple": (lambda tp: tuple[int, tp], lambda value: (1, value)),
    "annotated": (lambda tp: Annotated[tp, "as it is"], lambda value: value),
}
OTHERS: list[tuple[Any, Any, bool]] = [
    ([{"items": ["2026-07-28"]}], list[DatePage], True),
    ([{"items": [1]}], list[DatePage], False),
    (Model(firstDay=DAY), dict[str, Any], True),
    (Model(firstDay=DAY), dict[str, int], False),
    ({"a": 1}.values(), list[int], True),
    ({"a": "x"}.values(), list[int], False),
    ({1, 2}, list[int], True),
    ([1, 1.0], set[int], False),
    (3.0, int, True),
    (3.5, int, False),
    ("2026-07-28T12:00:00Z", datetime.datetime, True),
    ("noon", datetime.datetime, False),
    ("red", Color, True),
    ("blue", Color, False),
    (True, int, False),
    (1, bool, False),
    ({}, list[int], False),
    ("ab", list[str], False),
]


@pytest.mark.parametrize("container", CONTAINERS)
@every("profile", PROFILES, ids=repr)
def test_a_result_stands_if_its_schema_accepts_it(profile, container):
    """Whatever the class of the value; and what the schema refuses never leaves."""
    wrap, put = CONTAINERS[container]
    for value, annotation, stands in OTHERS:
        options: Any = {"returns": wrap(annotation), "profile": profile}
        tool = None
        with contextlib.suppress(SchemaError):  # a dialect may refuse it
            tool = tool_schema(unannotated, **options)
        if tool is None or tool.output_schema is None:
            continue
        found = None
        with contextlib.suppress(SchemaError):
            found = tool.result(put(value))["structuredContent"]
            jsonschema.Draft202012Validator(tool.output_schema).validate(found)
        assert (found is not None) == stands, (value, annotation)


@pytest.mark.parametrize(
    ("make", "annotation"),
    [
        (itertools.count, abc.Iterator[int]),
        (lambda: range(10**8), abc.Iterable[int]),
        (lambda: [range(60), range(60)], list[list[int]]),
        (lambda: dict.fromkeys(range(101)), dict[int, None]),
        (lambda: (0,) * 101, tuple[int, ...]),
        (lambda: [[0] * 60, [0] * 60], Any),
        (lambda: {"a": [0] * 60, "b": [0] * 60}, Any),
        (lambda: [(0,) * 60, iter([0] * 60)], Any),
    ],
    ids=["endless", "range", "nested", "mapping", "tuple", "list", "dict", "iterator"],
)
def test_the_number_of_parts_of_a_value_is_limited(make, annotation, monkeypatch):
    monkeypatch.setattr(base, "MAX_PARTS", 100)
    with pytest.raises(SchemaError, match=r"more than 100 items$"):
        value_to_json(make(), annotation)
    assert value_to_json([0] * 100, list[int]) == [0] * 100
    assert value_to_json(iter([0] * 100), abc.Iterator[int]) == [0] * 100
    assert value_to_json([[0] * 48, (0,) * 50], Any) == [[0] * 48, [0] * 50]


@dataclass
class Link:
    next: "Link | None" = None


def test_records_in_a_result_are_as_deep_as_is_allowed(monkeypatch):
    monkeypatch.setattr(base, "MAX_JSON_DEPTH", 4)
    deepest = Link(Link(Link(Link())))
    assert value_to_json([Link()] * 5, list[Link]) == [{"next": None}] * 5
    assert value_to_json(deepest, Link, profile=profiles.MCP) == {
        "next": {"next": {"next": {"next": None}}}
    }
    with pytest.raises(SchemaError, match="nested too deeply"):
        value_to_json(Link(deepest), Link, profile=profiles.MCP)


def test_a_record_is_read_once_for_all_of_its_values(monkeypatch):
    read, asked = records.read_record, []

    def counted(tp: Any, *args: Any, **options: Any) -> Any:
        asked.append(tp)
        return read(tp, *args, **options)

    monkeypatch.setattr(records, "read_record", counted)
    assert value_to_json([DatePage([DAY])] * 3, list[DatePage]) == [{"items": ["2026-07-28"]}] * 3
    assert asked == [DatePage]
    assert value_to_json([Page([1])] * 3, list[Page[int]]) == [{"items": [1]}] * 3
    assert asked == [DatePage, Page[int]]


def test_pydantic_metadata_are_read_once_for_all_values(monkeypatch):
    pydantic_file = library("pydantic")
    ask, asked = pydantic_file.ask_about_hooks, []

    def counted(hooks: list[Any], *args: Any, **options: Any) -> Any:
        asked.append(hooks)
        return ask(hooks, *args, **options)

    monkeypatch.setattr(pydantic_file, "ask_about_hooks", counted)
    text = pydantic.PlainSerializer(str, return_type=str)
    assert value_to_json([1, 2, 3], list[Annotated[int, text]]) == ["1", "2", "3"]
    assert asked == [[text]]


@every("row", REFUSED, ids=lambda row: row[2])
def test_a_value_that_does_not_fit_is_an_error_with_its_path(row):
    value, annotation, message = row
    with pytest.raises(SchemaError) as caught:
        value_to_json(value, annotation)

    assert message in str(caught.value)


def test_extra_keys_keep_their_order():
    movie = {"z": 1, "name": "Up", "b": 2, "a": 3}

    assert list(value_to_json(movie, Movie)) == ["name", "z", "b", "a"]


def test_a_profile_that_describes_objects_is_asked_about_those_in_any_value():
    nothing: Any = None
    profile = profiles.MCP.with_types({dict: lambda _tp, _walk: nothing})
    with pytest.raises(SchemaError, match=r"^list: the profile's schema of dict must be a dict"):
        value_to_json([{}], list, profile=profile)


def test_a_closed_profile_has_no_extra_keys():
    with pytest.raises(SchemaError, match=r"^Movie\.more: unknown key$") as caught:
        value_to_json({"name": "Up", "more": 1}, Movie, profile=profiles.OPENMCP)
    assert caught.value.annotation is False


def test_a_custom_type_needs_an_encoder():
    profile = profiles.MILO.replace(encoders={Custom: lambda _: "c", complex: str})
    assert value_to_json([Custom()], list[Custom], profile=profile) == ["c"]
    assert value_to_json({"a": Custom()}, dict[str, Custom], profile=profile) == {"a": "c"}
    assert value_to_json({1j: 2}, dict, profile=profile) == {"1j": 2}


# -- return values -----------------------------------------------------------------------------


def test_the_path_of_a_result_begins_with_the_function():
    def status() -> dict[str, list[int]]: ...

    with pytest.raises(SchemaError) as caught:
        return_to_json(status, {"items": [1, "x"]})

    assert str(caught.value) == "status() -> result.items[1]: 'x' is not an int"
    assert (caught.value.path, caught.value.annotation) == ("status() -> result.items[1]", int)


async def awaited() -> datetime.date: ...


def yielding() -> abc.Iterator[datetime.date]:
    yield DAY


def unannotated(): ...


@pytest.mark.parametrize("func", [awaited, yielding, unannotated])
def test_awaited_and_yielded_values_are_results(func):
    assert return_to_json(func, DAY) == "2026-07-28"


def test_a_function_that_returns_none_has_no_result():
    def nothing() -> None: ...

    assert return_to_json(nothing, None) is None
    with pytest.raises(SchemaError) as caught:
        return_to_json(nothing, 1)
    assert str(caught.value) == "nothing() -> result: 1 is not None"


# -- boxes -------------------------------------------------------------------------------------


def answer() -> int:
    return 7


@pytest.mark.parametrize("profile", [profiles.MCP_2025, profiles.OPENMCP, MCP], ids=repr)
def test_a_boxed_value_can_be_unboxed(profile):
    tool = tool_schema(answer, profile=profile)
    result = tool.result(7)

    assert result["structuredContent"] == (7 if profile is MCP else {"result": 7})
    assert result.value == 7
    assert tool.result(result).value == 7
    stored = ToolSchema.from_mcp(tool.to_mcp()).with_profile(profile)
    assert stored.with_function(answer).call() == result


@pytest.mark.parametrize("content", [7, {}, {"other": 7}, None], ids=repr)
def test_content_without_its_box_is_an_error(content):
    tool = tool_schema(answer, profile=profiles.MCP_2025)
    with pytest.raises(SchemaError, match="does not match the output schema"):
        tool.result({"content": [], "structuredContent": content, "isError": False})


def test_a_result_is_a_dict_that_says_what_is_in_it():
    failed = {"content": [TEXT, IMAGE, TEXT], "structuredContent": {"other": 1}, "isError": True}
    tool = tool_schema(answer, profile=profiles.MCP_2025)

    for result in (tool.result(failed), pickle.loads(pickle.dumps(tool.result(failed)))):
        assert (type(result), result) == (ToolResult, failed)
        assert json.loads(json.dumps(result)) == failed
        assert (result.text, result.value, result.is_error) == ("a\na", {"other": 1}, True)
    done = tool_schema(unannotated).result(None)
    assert (done.text, done.value, done.is_error) == ("", None, False)
    assert tool_schema(unannotated).result(REQUEST).text == ""


# -- the canonical result ----------------------------------------------------------------------


@every("profile", PROFILES, ids=repr)
def test_a_text_is_a_text_and_has_no_box_in_content(profile):
    """Under every profile, and whatever class wrote the text; json= is the whole content."""
    texts = [
        ("# Grüße\n", str, "# Grüße\n"),
        (Color.RED, Color, "red"),
        (7, int, "7"),
        (["a"], list[str], '["a"]'),
        ({"a": 1}, dict[str, int], '{"a": 1}'),
    ]
    for value, annotation, expected in texts:
        options: Any = {"returns": annotation, "profile": profile.replace(transforms=())}
        tool = tool_schema(unannotated, **options)
        result = tool.result(value)
        assert result["content"] == [{"type": "text", "text": expected}]
        tool = tool.with_profile(options["profile"].replace(text="json"))
        result = tool.result(value)
        if tool.output_schema is not None:
            assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def test_a_result_without_its_function_depends_on_the_class_of_the_value():
    tool = ToolSchema(name="day", input_schema={"type": "object"}, output_schema={"type": "string"})
    assert tool.result(DAY)["structuredContent"] == "2026-07-28"
    with pytest.raises(
        SchemaError, match=r"^day\(\) -> result\[0\]: no JSON for an instance of complex; "
    ):
        tool.result([1j])


def test_a_result_matches_the_explicit_schema_and_the_constraints():
    def count() -> Annotated[int, Ge(0)]: ...

    message = r"^count\(\) -> result: does not match the output schema: must be at least 0, got -1$"
    with pytest.raises(SchemaError, match=message):
        tool_schema(count).result(-1)

    schema = {"type": "object", "properties": {"n": {"type": "string"}}}
    explicit = ToolSchema.from_mcp(tool_schema(count, output_schema=schema).to_mcp())
    with pytest.raises(
        SchemaError,
        match=r"^count\(\) -> result\.n: does not match .*: expected a string, got 1$",
    ):
        explicit.result({"n": 1})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("", ""),
        ("done", "done"),
        (1, "1"),
        ([], "[]"),
        ({"a": DAY}, '{"a": "2026-07-28"}'),
    ],
    ids=repr,
)
def test_a_result_without_schema_is_text(value, text):
    result = tool_schema(unannotated, profile=profiles.OPENMCP).result(value)

    assert result == {"content": [{"type": "text", "text": text}], "isError": False}


LIKE_THE_SCHEMA = {"MCP_SDK", "OMNI", "OPENMCP", "PLATOOLS"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ...),
        ("done", ...),
        (b"a", ...),
        (True, True),
        (1, 1),
        ([], []),
        ({"a": DAY}, {"a": "2026-07-28"}),
        (ITEM, ITEM_JSON),
        ([TextContent(text="a"), "b"], ...),
    ],
    ids=["null", "text", "bytes", "boolean", "number", "array", "object", "record", "content"],
)
@every("profile", PROFILES, ids=repr)
def test_a_structured_value_is_structured_content_without_a_schema(profile, value, expected):
    """Under most profiles; only objects where a client needs a box; never under these four."""
    result = tool_schema(unannotated, profile=profile).result(value)

    assert (profile.structured == "schema") is (profile.name in LIKE_THE_SCHEMA)
    is_object = profile.box is None or type(expected) is dict
    if profile.structured == "schema" or not is_object:
        expected = ...
    assert result.get("structuredContent", ...) == expected


TEXT = {"type": "text", "text": "a"}
IMAGE = {"type": "image", "data": "YQ==", "mimeType": "image/png"}


def test_a_whole_result_is_not_changed():
    whole = {"content": [TEXT], "isError": True, "structuredContent": 1, "_meta": {}}

    assert tool_schema(unannotated, profile=profiles.MILO).result(whole) == whole
    bare = pydantic.create_model("Bare", content=list[Any])
    given = {"structured_content": (Any, {"a": 1}), "is_error": (bool, True), "meta": (Any, {})}
    more = pydantic.create_model("More", __base__=bare, x=(int, 1), **given)  # type: ignore[call-overload]
    opaque = profiles.MILO.replace(opaque_outputs={more})
    for profile in (profiles.MILO, opaque):
        result = tool_schema(unannotated, profile=profile).result(bare(content=[TEXT]))
        assert result == {"content": [TEXT], "isError": False}
    whole = {"content": [], "x": 1, "structuredContent": {"a": 1}, "isError": True, "_meta": {}}
    assert tool_schema(unannotated, profile=opaque).result(more(content=[])) == whole
    (data,) = tool_schema(unannotated, profile=profiles.MILO).result(more(content=[]))["content"]
    assert json.loads(data["text"]).keys() == {"content", "x", *given}
    empty = tool_schema(unannotated, profile=profiles.MILO).result({"content": []})
    assert empty == {"content": [], "isError": False}


# Replaces the MCP SDK if that is not installed.
MCP_TYPES = """
from typing import Any, Literal
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

class Model(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)

class TextContent(Model):
    type: Literal["text"] = "text"
    text: str

class ImageContent(Model):
    type: Literal["image"] = "image"
    data: str
    mime_type: str

class CallToolResult(Model):
    content: list[TextContent | ImageContent]
    structured_content: Any = None
    is_error: bool = False

class InputRequiredResult(Model):
    result_type: Literal["input_required"] = "input_required"
    request_state: str | None = None
"""
RETURNS = """
from collections.abc import Awaitable, Sequence
from typing import Annotated, Any, NewType, Optional

class Shot(types.ImageContent): ...

Block = types.TextContent | Shot
Blocks = NewType("Blocks", list[Block])
TEXT = types.TextContent(text="a", type="text")
SHOT = Shot(data="YQ==", mime_type="image/png", type="image")
WHOLE = types.CallToolResult(content=[TEXT], is_error=True)
GUARD = types.InputRequiredResult(request_state="s")
COUNTS = types.CallToolResult(content=[], structured_content={{"a": 1}})
WORDS = types.CallToolResult(content=[], structured_content={{"a": "b"}})
FAILED = types.CallToolResult(content=[], structured_content={{"a": "b"}}, is_error=True)

{functions}
"""
WHOLE = {"content": [TEXT], "isError": True}


@pytest.fixture(params=["stand-in", "SDK"])
def returning(request, monkeypatch):
    """A factory of functions with return annotations, for each library with content classes."""
    if request.param == "SDK":
        types: Any = judges.module("mcp_types")
    else:
        with contextlib.suppress(ImportError):
            importlib.import_module("mcp")  # before its types are replaced
        types = module_from(MCP_TYPES, name="mcp_types_stand_in")
        types.__name__ = "mcp_types"
        monkeypatch.setitem(sys.modules, "mcp_types", types)

    def function(annotation: str) -> tuple[Any, Any]:
        source = RETURNS.format(functions=f"def f() -> {annotation}: ...")
        module = module_from(source, types=types)
        return module.f, module

    return function


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        ("types.ImageContent", "SHOT", [IMAGE]),
        ("Shot", "SHOT", [IMAGE]),
        ("'Shot'", "SHOT", [IMAGE]),
        ("Optional[Block]", "SHOT", [IMAGE]),
        ("Optional[Block]", "None", []),
        ("Annotated[Block, 'A shot.']", "TEXT", [TEXT]),
        ("Annotated[Block, int]", "TEXT", [TEXT]),
        ("Awaitable[Blocks]", "[TEXT, SHOT]", [TEXT, IMAGE]),
        ("tuple[str, Sequence['Block']]", "('a', [SHOT])", [TEXT, IMAGE]),
        ("list[str | list[Shot]]", "['a', [[SHOT]]]", [TEXT, IMAGE]),
        ("tuple[str, *tuple[Shot, ...]]", "('a', SHOT)", [TEXT, IMAGE]),
        ("types.CallToolResult", "WHOLE", None),
        ("types.CallToolResult | types.InputRequiredResult", "WHOLE", None),
    ],
)  # fmt: skip
def test_content_has_no_output_schema_and_is_passed_on(returning, annotation, value, expected):
    func, module = returning(annotation)
    result = {"content": expected, "isError": False} if expected is not None else WHOLE
    made = eval(value, vars(module))
    for profile in (
        profiles.MILO,
        MCP,
        profiles.MCP_2025,
        profiles.PORTABLE,
        profiles.OPENAI_STRICT,
        profiles.GEMINI,
    ):
        tool = tool_schema(func, profile=profile, strict=True)
        assert tool.output_schema is None
        given = tool.result(made)
        given.pop("resultType", None)  # newer versions of the SDK have it
        assert given == result


@pytest.mark.parametrize(
    "annotation",
    [
        "Annotated[types.CallToolResult, dict[str, int]]",
        "Annotated[types.CallToolResult, dict[str, int]] | types.InputRequiredResult",
        "Awaitable[Annotated[types.CallToolResult, dict[str, int], 'Counts.']]",
    ],
)
def test_a_whole_result_has_the_structured_content_in_its_annotation(returning, annotation):
    func, module = returning(annotation)
    tool = tool_schema(func, profile=MCP, strict=True)

    assert tool.output_schema == {"type": "object", "additionalProperties": {"type": "integer"}}
    counts, failed = (tool.result(value) for value in (module.COUNTS, module.FAILED))
    assert counts["structuredContent"] == {"a": 1}
    assert (failed["structuredContent"], failed["isError"]) == ({"a": "b"}, True)
    with pytest.raises(SchemaError, match="does not match the output schema: expected an integer"):
        tool.result(module.WORDS)


def test_a_description_of_a_whole_result_is_not_its_structured_content(returning):
    func, module = returning("Annotated[types.CallToolResult, 'Counts.']")
    tool = tool_schema(func, profile=MCP, strict=True)

    assert tool.output_schema is None
    result = tool.result(module.WORDS)
    assert result["structuredContent"] == {"a": "b"}


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        ("types.InputRequiredResult", None),
        ("types.InputRequiredResult | None", None),
        ("str | types.InputRequiredResult", {"type": "string"}),
        ("Annotated[Optional['types.InputRequiredResult | str'], 'What.']",
         {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "What."}),
    ],
)  # fmt: skip
def test_a_signal_is_left_out_of_the_output_schema_and_passed_on(returning, annotation, schema):
    func, module = returning(annotation)
    tool = tool_schema(func, profile=MCP, strict=True)
    signal = {"resultType": "input_required", "requestState": "s"}

    assert tool.output_schema == schema
    assert tool.result(module.GUARD) == signal


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        ("list", "[TEXT, SHOT]", {"content": [TEXT, IMAGE], "isError": False}),
        ("Any", "SHOT", {"content": [IMAGE], "isError": False}),
        ("int", "[SHOT, 'a', 1]",
         {"content": [IMAGE, TEXT, {"type": "text", "text": "1"}], "isError": False}),
        ("int", "(SHOT, 'a')", {"content": [IMAGE, TEXT], "isError": False}),
        ("int", "{'type': 'text', 'text': 'a'}", {"content": [TEXT], "isError": False}),
        ("int", "WHOLE", WHOLE),
        ("Any", "WHOLE", WHOLE),
        ("dict", "{'content': [], 'isError': True}", {"content": [], "isError": True}),
    ],
)  # fmt: skip
def test_content_is_passed_on_despite_an_output_schema(returning, annotation, value, expected):
    func, module = returning(annotation)
    tool = tool_schema(func, profile=MCP)
    result = tool.result(eval(value, vars(module)))

    structured = result.pop("structuredContent", None)
    result.pop("resultType", None)  # newer versions of the SDK have it
    assert result == expected
    fits = annotation in ("list", "Any") and expected != WHOLE
    assert (structured is not None) is fits
    if structured is not None:
        jsonschema.Draft202012Validator(tool.output_schema or {}).validate(structured)


def test_data_that_looks_like_content_is_data_if_the_schema_accepts_it():
    def page() -> dict[str, list[str]]: ...
    def note() -> TextContent: ...

    one = {"type": "text", "text": "hello"}
    for func, value, data in (
        (page, {"content": []}, {"content": []}),
        (note, TextContent(text="hello"), one),
    ):
        assert tool_schema(func, profile=profiles.MILO).result(value) == {
            "content": [{"type": "text", "text": json.dumps(data)}],
            "structuredContent": data,
            "isError": False,
        }


class Image:
    """A picture, as the MCP SDK and FastMCP have it."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def to_image_content(self) -> Json:
        return {"type": "image", "data": base64.b64encode(self.data).decode(), **PNG}


class Audio(Image):
    def to_audio_content(self) -> Json:
        return {"type": "audio", "data": "YQ==", "mimeType": "audio/wav"}

    to_image_content = None  # type: ignore[assignment]


class File(Image):
    def to_resource_content(self) -> TextContent:
        raise FileNotFoundError("gone.txt")

    to_image_content = None  # type: ignore[assignment]


PNG = {"mimeType": "image/png"}


@pytest.fixture
def helpers(monkeypatch):
    """The helpers, in a module with the name of FastMCP's; another class is only called so."""
    stand_in = types.ModuleType("fastmcp.utilities.types")
    vars(stand_in).update(Image=Image, Audio=Audio, File=File)
    for name in ("fastmcp", "fastmcp.utilities", "fastmcp.utilities.types"):
        monkeypatch.setitem(sys.modules, name, stand_in)


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (Image, Image(b"a"), [IMAGE]),
        (Audio, Audio(b"a"), [Audio(b"a").to_audio_content()]),
        (list[Image], [Image(b"a"), Image(b"a")], [IMAGE, IMAGE]),
        (list[str | Image], ["a", Image(b"a")], [TEXT, IMAGE]),
        (Image | None, Image(b"a"), [IMAGE]),
        (tuple[str, list[Image]], ("a", [Image(b"a")]), [TEXT, IMAGE]),
        (None, [Image(b"a"), {"a": 1}], [IMAGE, {"type": "text", "text": '{"a": 1}'}]),
    ],
    ids=["alone", "audio", "list", "beside", "optional", "nested", "unannotated"],
)
@pytest.mark.usefixtures("helpers")
@every("profile", PROFILES, ids=repr)
def test_the_helpers_of_frameworks_are_content(profile, annotation, value, expected):
    options: Any = {"returns": annotation} if annotation else {}
    tool = tool_schema(unannotated, strict=True, profile=profile, **options)
    assert tool.output_schema is None
    result = tool.result(value)
    assert result["content"] == expected
    assert "structuredContent" not in result


@pytest.mark.usefixtures("helpers")
@pytest.mark.parametrize("options", [{}, {"returns": int}], ids=["unannotated", "annotated"])
def test_content_may_be_in_as_many_lists_as_the_limit_allows(options):
    tool, value = tool_schema(unannotated, profile=MCP, **options), Image(b"a")
    for _ in range(8):
        value = [value]
    assert tool.result(value)["content"] == [IMAGE]
    endless: list[Any] = []
    endless.append(endless)
    for refused in ([value], endless):
        with pytest.raises(SchemaError):
            tool.result(refused)


@pytest.mark.parametrize("options", [{}, {"returns": int}], ids=["unannotated", "annotated"])
@pytest.mark.parametrize("key", ["inputRequests", "requestState"])
def test_a_request_for_more_input_is_passed_on(key, options):
    request = {"resultType": "input_required", key: {}}
    assert tool_schema(unannotated, **options).result(request) == request


@pytest.mark.usefixtures("helpers")
def test_a_helper_that_fails_is_an_error_with_its_place():
    with pytest.raises(FileNotFoundError, match=r"gone\.txt") as caught:
        tool_schema(unannotated).result(["a", File(b"")])
    assert caught.value.__notes__ == ["while writing unannotated() -> result[1]"]


@pytest.mark.parametrize(("value", "step"), [(1j, ""), (["a", 1j], "[1]"), ({"a": 1j}, ".a")])
@pytest.mark.parametrize("options", [{}, {"returns": Any}], ids=["unannotated", "any"])
def test_an_encoder_that_raises_is_an_error_with_its_place(value, step, options):
    def act(): ...

    def encode(value):
        raise ValueError("no")

    tool = tool_schema(act, profile=MCP.replace(encoders={complex: encode}), **options)
    with pytest.raises(SchemaError) as caught:
        tool.result(value)
    assert str(caught.value) == f"act() -> result{step}: its encoder raised ValueError('no')"
    assert caught.value.code == "unexpected-value"
    assert type(caught.value.__cause__) is ValueError


class Unwritable(pydantic.BaseModel):
    x: int = 1

    @pydantic.field_serializer("x")
    def divide(self, x: int) -> int:
        raise ValueError(f"no {x}")


@pytest.mark.parametrize(
    ("value", "step"), [(Unwritable(), ""), ([Unwritable()], "[0]"), ({"a": Unwritable()}, ".a")]
)
@pytest.mark.parametrize("options", [{}, {"returns": Any}], ids=["unannotated", "any"])
def test_a_model_that_cannot_be_written_is_an_error_with_its_place(value, step, options):
    def act(): ...

    tool = tool_schema(act, profile=MCP, **options)
    with pytest.raises(SchemaError) as caught:
        tool.result(value)
    assert caught.value.path == f"act() -> result{step}"
    assert caught.value.message.startswith("pydantic cannot write it: ")
    assert "ValueError: no 1" in caught.value.message
    assert type(caught.value.__cause__) is ValueError


def test_a_class_that_is_only_called_like_a_helper_is_none():
    with pytest.raises(SchemaError, match=r"no JSON for an instance of Image; "):
        tool_schema(unannotated).result(Image(b"a"))


def test_a_mapping_of_content_keeps_its_schema():
    """It is data with names; lists, tuples and unions of blocks are content."""
    profile = MCP.replace(opaque_outputs={TextContent})
    for returns in (dict[str, TextContent], abc.Mapping[str, TextContent]):
        tool = tool_schema(unannotated, returns=returns, profile=profile)
        assert tool.output_schema is not None
        assert tool.output_schema["type"] == "object"
        result = tool.result({"x": TextContent(text="a")})
        assert result["structuredContent"] == {"x": TEXT}
    some = [list[TextContent], tuple[TextContent, ...], TextContent | None]
    others = [collections.deque[TextContent], collections.UserList[TextContent]]
    for annotation in (*some, *others):
        assert tool_schema(unannotated, returns=annotation, profile=profile).output_schema is None


def test_whether_a_class_is_content_is_found_out_once(monkeypatch):
    matched: list[type] = []
    match = Classes.match

    def counted(self: Any, cls: type) -> bool:
        matched.append(cls)
        return match(self, cls)

    monkeypatch.setattr(Classes, "match", counted)
    options: Any = {"returns": list[datetime.date], "profile": MCP}
    tool = tool_schema(unannotated, **options)
    matched.clear()
    tool.result([DAY] * 100)
    assert len([cls for cls in matched if cls is datetime.date]) <= 3  # and its schema


@pytest.mark.parametrize("profile", [profiles.FASTMCP, profiles.MCP_SDK, MCP], ids=repr)
def test_bytes_that_are_not_text_are_base64(profile):
    for returns, value in ((bytes, b"\xff"), (dict[str, bytes], {"a": b"\xff"}), (None, b"\xff")):
        options: Any = {"returns": returns} if returns else {}
        result = tool_schema(unannotated, profile=profile, **options).result(value)
        assert "/w==" in result["content"][0]["text"]


def test_encoders_make_content_of_other_objects():
    class Image: ...

    profile = MCP.replace(encoders={Image: lambda _: TextContent(text="a")})
    result = tool_schema(unannotated, profile=profile).result([Image(), "b"])
    assert result["content"] == [TEXT, {"type": "text", "text": "b"}]


def test_a_result_without_an_annotation_is_what_the_profile_says_about_any():
    tool = tool_schema(unannotated, profile=MCP.with_types({Any: {"type": "string"}}))
    assert tool.result("a").text == "a"
    with pytest.raises(SchemaError, match=r"^unannotated\(\) -> result: 1 is not an Any$"):
        tool.result(1)


def test_a_real_client_gets_content(returning):
    mcp, wire = judges.module("mcp"), judges.module("mcp.types")
    lowlevel = judges.module("mcp.server.lowlevel")
    made = [
        (returning("Shot"), "SHOT"),
        (returning("list[Block]"), "[TEXT, SHOT]"),
        (returning("list"), "[SHOT]"),
        (returning("types.CallToolResult"), "WHOLE"),
    ]
    tools = [tool_schema(f, name=f"t{at}", profile=MCP) for at, ((f, _), _) in enumerate(made)]

    async def listed(*_: Any) -> Any:
        return wire.ListToolsResult.model_validate({"tools": [tool.to_mcp() for tool in tools]})

    async def called(_: Any, params: Any) -> Any:
        at = int(params.name[1:])
        (_, module), value = made[at]
        result = tools[at].result(eval(value, vars(module)))
        return wire.CallToolResult.model_validate(result)

    async def main() -> list[list[str]]:
        server = lowlevel.Server("s", on_list_tools=listed, on_call_tool=called)
        async with mcp.Client(server) as client:
            results = [await client.call_tool(tool.name, {}) for tool in tools]
        return [[each.type for each in result.content] for result in results]

    assert asyncio.run(main()) == [["image"], ["text", "image"], ["image"], ["text"]]


def test_a_model_that_is_not_content_becomes_text():
    result = tool_schema(unannotated).result(Model(firstDay=DAY))

    text = '{"firstDay": "2026-07-28", "note": null}'
    assert result["content"] == [{"type": "text", "text": text}]


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (ValueError("no such city"), "no such city"),
        (KeyError(), "KeyError"),
        (KeyError("nope"), "KeyError: 'nope'"),
        (KeyError(7), "KeyError: 7"),
        (KeyError("a", "b"), "('a', 'b')"),
        (IndexError("out of range"), "out of range"),
        (ValueError(), "ValueError"),
        ("no", "no"),
    ],
    ids=repr,
)
def test_an_error_result(problem, text):
    whole = {"content": [{"type": "text", "text": text}], "isError": True}
    assert error_result(problem, profile=profiles.MILO) == whole
    for profile in PROFILES:
        result = error_result(problem, profile=profile)
        assert result["content"] == [{"type": "text", "text": text}]
        assert result.get("resultType") == profile.result_type


@pytest.mark.parametrize(
    "block",
    [
        {"type": "text", "text": "a"},
        {"type": "image", "data": "YQ==", "mimeType": "image/png"},
        {"type": "audio", "data": "YQ==", "mimeType": "audio/wav"},
        {"type": "resource_link", "name": "a", "uri": "file:///a"},
        {"type": "resource", "resource": {"uri": "file:///a", "text": "a"}},
    ],
    ids=lambda block: block["type"],
)
def test_a_block_of_content_has_the_keys_that_its_type_requires(block):
    assert is_result({"content": [block]})
    for key in block:
        others = {name: value for name, value in block.items() if name != key}
        assert not is_result({"content": [others]})


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        {"content": None},
        {"content": [1]},
        {"content": [], "isError": 1},
        {"content": [], "x": 1},
    ],
    ids=repr,
)
def test_values_that_are_not_results(value):
    assert is_result(value) is False


def test_the_parameters_of_a_function_cost_its_result_nothing():
    listed = ", ".join(f"p{i}: int" for i in range(100))
    module = module_from(f"def few() -> int: ...\ndef many({listed}) -> int: ...")
    once = [return_to_json(func, 1) for func in (module.few, module.many)]  # annotations are made
    few = instructions(lambda: return_to_json(module.few, 1))
    assert once == [1, 1]
    assert instructions(lambda: return_to_json(module.many, 1)) == few


SPECIFIED: Any = json.loads((pathlib.Path(__file__).parent / "call_tool_result.json").read_text())
"""``CallToolResult`` in the schemas of two versions of the specification, without descriptions."""


WRITTEN_FOR = [
    (version, profile)
    for version in SPECIFIED
    for profile in PROFILES
    if version != "2026-07-28" or profile.result_type is not None  # the others: for older clients
]


@every("case", WRITTEN_FOR, ids=repr)
def test_every_result_is_one_of_the_specification(case):
    """Of 2026-07-28 under MCP and the profiles made from it, which write its ``resultType``."""
    version, profile = case
    validator = jsonschema.Draft202012Validator(SPECIFIED[version])
    bare = tool_schema(unannotated, profile=profile)
    said = (None, "a", b"\xff", TEXT, [TEXT, IMAGE], TextContent(text="a"), {"a": 1})
    results = [bare.result(value) for value in said]
    results.append(error_result("no", profile=profile))
    for value, annotation in ((7, int), ("a", str), ({"a": 1}, dict[str, int])):
        options: Any = {"returns": annotation, "profile": profile.replace(transforms=())}
        tool = tool_schema(unannotated, **options)
        results.append(tool.result(value))
    results.append(bare.result({"content": [], "isError": True}))
    for result in results:
        if version == "2026-07-28" or type(result.get("structuredContent", {})) is dict:
            validator.validate(result)
        assert result.get("resultType") == profile.result_type


def test_only_mcp_of_2026_has_a_type_of_its_results():
    assert (MCP.result_type, profiles.MCP_2025.result_type) == ("complete", None)
    plain = MCP.replace(result_type=None, structured="schema")
    whole = {"content": [{"type": "text", "text": "[1]"}], "isError": False}
    assert tool_schema(unannotated, profile=plain).result([1]) == whole


REQUEST = {"resultType": "input_required", "requestState": "s"}


def test_a_request_for_input_is_passed_on_unchanged():
    """Also as plain JSON, unless the output schema accepts it."""
    bare = tool_schema(unannotated, profile=MCP)
    number = tool_schema(unannotated, returns=int, profile=MCP)
    anything = tool_schema(unannotated, returns=dict[str, Any], profile=MCP)

    assert bare.result(REQUEST) == REQUEST
    assert number.result(REQUEST) == REQUEST
    assert anything.result(REQUEST)["structuredContent"] == REQUEST
    other = {"resultType": "input_required"}
    assert bare.result(other)["structuredContent"] == other


@pytest.mark.parametrize(
    ("version", "profile"),
    [("2025-06-18", profiles.MCP_2025), ("2025-11-25", profiles.MCP_2025), ("2026-07-28", MCP)],
    ids=str,
)
def test_the_wire_models_of_the_specification_accept_every_result(version, profile):
    methods = judges.module("mcp_types.methods")
    tool = tool_schema(answer, profile=profile)
    for result in (
        tool.result(7),
        tool_schema(unannotated, profile=profile).result(None),
        error_result("no", profile=profile),
    ):
        methods.validate_server_result("tools/call", version, result)


# -- every annotation --------------------------------------------------------------------------


def promised(case: Case) -> list[tuple[Any, Any, ToolSchema]]:
    """Profiles, each with the tool of a function that returns the type of a row."""

    def func(): ...

    func.__annotations__["return"] = case.type
    four = (MCP, profiles.MILO, profiles.OPENMCP, profiles.MCP_2025)
    tools = [(profile, tool_schema(func, profile=profile)) for profile in four]
    return [(func, profile, tool) for profile, tool in tools if tool.output_schema is not None]


def keeps_its_promise(func: Any, profile: Any, tool: ToolSchema, value: Any) -> None:
    content = return_to_json(func, value, profile=profile)
    content = content if tool.box is None else {tool.box: content}
    schema: Any = tool.output_schema
    jsonschema.Draft202012Validator(schema).validate(content)


def settled(case: Case) -> Case:
    """A row with a type that is made once, because a source text makes another class each time."""
    return dataclasses.replace(case, annotation=case.type, id=str(case))


class Coded(NamedTuple):
    """A row of the tables, and the codecs that know its type."""

    case: Case
    found: list[Codec]

    def __str__(self) -> str:
        return str(self.case)


@functools.cache
def coded() -> list[Coded]:
    """The rows with a codec; to make the codecs of all rows takes a second."""
    rows = (settled(case) for case in CASES if not lacking(case.needs))
    return [Coded(row, found) for row in rows if (found := codecs(row))]


@every("row", coded)
def test_the_result_of_a_sample_validates_against_the_output_schema(row):
    made = [
        codec.decode(json.dumps(sample).encode())
        for codec in row.found
        for sample in row.case.accepts
        if codec.accepts(sample) and not NOT_WRITTEN.search(str(row))
    ]
    for promise in promised(row.case):
        for value in made:
            keeps_its_promise(*promise, value)


NOT_WRITTEN = re.compile("Iterable|Iterator|Generator|complex")
"""Count the calls of pydantic about a type."""

NOT_MADE = re.compile(
    # Python's text is a sequence, and an IPv6 network an iterable of 2**128 addresses.
    r"Iterable|Iterator|Generator|Collection|Reversible|Sequence|equal schemas|^object$"
    r"|^bare Counter$"
    # Hypothesis does not know these metadata, or how to make values.
    r"|\*tuple|^tuple (flattened|with|unpacked)|Pattern|^Ge on |^dict\[(object|T,|str, Any)"
    r"|ReadOnlyExtra|ReadOnly\[int\]|IntBox|^Child|= list\[T\]"
    r"|of any value$|Any\]+$"  # including types without JSON, such as an open file
    r"|^Untyped$|^MultipleOf|^Swapped|^Fixed|^Item of 1|^Camel|^Tags|^Checked|Field deprecated$"
)


def made() -> list[Coded]:
    """The rows of which Hypothesis makes values, if pydantic knows their types."""
    return [
        row
        for row in coded()
        if str(row) and not NOT_MADE.search(str(row)) and row.found[0].name == "pydantic"
    ]


def sixth() -> list[Coded]:
    """Those that each push tries: the same, whatever other rows there are."""
    return [row for row in made() if zlib.crc32(str(row).encode()) % 6 == 0]


def is_of_type(value: Any, adapter: pydantic.TypeAdapter[Any]) -> bool:
    """Whether a value matches its type: hypothesis does not know all metadata."""
    try:
        adapter.validate_python(value, strict=True)
    except ValueError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.skipif(pydantic.VERSION.startswith("2.11."), reason="2.11 takes other values")
@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")  # about ignored values
@every("row", sixth)
def test_the_result_of_a_value_validates_against_the_output_schema(row):
    any_value_keeps_the_promise(row)


@pytest.mark.long
@pytest.mark.skipif(pydantic.VERSION.startswith("2.11."), reason="2.11 takes other values")
@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")
@every("row", made)
def test_the_result_of_a_value_of_any_row_validates_against_the_output_schema(row):
    any_value_keeps_the_promise(row)


def any_value_keeps_the_promise(row: Coded) -> None:
    promises = promised(row.case)
    adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(row.case.type)
    made = values(row.case, row.found[0]).filter(lambda value: is_of_type(value, adapter))

    @settings(
        max_examples=5,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(made)
    def check(value: Any) -> None:
        for promise in promises:
            keeps_its_promise(*promise, value)

    check()


# -- values that are not written, or not as they are ---------------------------------------------


@dataclass
class Place:
    city: str
    zip_code: str | None = None


def test_a_record_is_written_without_msgspec(monkeypatch):
    monkeypatch.setitem(sys.modules, "msgspec", None)
    assert value_to_json(Place("Bern"), Place) == {"city": "Bern", "zip_code": None}


@pytest.mark.parametrize(
    ("value", "annotation", "place"),
    [
        (object(), Any, ""),
        (object(), object, ""),
        ({"a": object()}, dict, ".a"),
        ([object()], list[Any], "[0]"),
        ((1, object()), tuple[int, Any], "[1]"),
        (object(), "Any", ""),
        (object(), TypeVar("T"), ""),
    ],
    ids=lambda each: each if type(each) is str else None,
)
def test_a_bare_object_has_no_json(value, annotation, place):
    with pytest.raises(SchemaError) as caught:
        value_to_json(value, annotation)
    assert caught.value.message == "no JSON for an instance of object"
    assert caught.value.path.endswith(place)


class Raising(list):
    def __iter__(self):
        raise ZeroDivisionError("no items")


class RaisingMapping(dict):
    def items(self):
        raise ZeroDivisionError("no items")


@dataclasses.dataclass
class RaisingRecord:
    x: int

    def __getattribute__(self, name):
        if name == "x":
            raise ZeroDivisionError("no items")
        return super().__getattribute__(name)


@pytest.mark.parametrize(
    ("value", "annotation"),
    [
        (Raising([1]), list[int]),
        (Raising([1]), Any),
        (Raising([1]), list[int] | None),
        (RaisingMapping(a=1), dict[str, int]),
        (RaisingRecord(1), RaisingRecord),
        (RaisingRecord(1), datetime.date),
    ],
    ids=["list", "Any", "optional", "mapping", "record", "date"],
)
def test_an_exception_of_a_value_is_an_error_with_its_path(value, annotation):
    with pytest.raises(ZeroDivisionError) as caught:
        value_to_json([value], list[annotation])
    (note,) = caught.value.__notes__
    assert note.startswith("while writing list[")
    assert note.endswith("[0]")


def test_an_output_schema_of_another_draft_that_you_pass_is_read_for_what_it_means():
    def pair() -> list[Any]: ...

    draft_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}
    given = {**draft_7, "type": "array", "items": [{"type": "string"}]}
    made = tool_schema(pair, output_schema=given)
    assert made.result(["a", 1])["structuredContent"] == ["a", 1]
    with pytest.raises(SchemaError, match=r"pair\(\) -> result\[0\]: .* expected a string, got 1"):
        made.replace(title="Pair").result([1])


HALF = "a\ud800"


@every(
    "row",
    [
        (HALF, str),
        (HALF, Any),
        ([HALF], list[str]),
        ([HALF], Any),
        ({HALF: 1}, dict[str, int]),
        ({HALF: 1}, Any),
        (pathlib.Path(HALF), pathlib.Path),
        (HALF, Literal["a\ud800"]),
    ],
)
def test_half_of_a_surrogate_pair_is_not_written(row):
    value, annotation = row

    with pytest.raises(SchemaError, match="a lone surrogate"):
        value_to_json(value, annotation)


def test_an_exception_whose_message_cannot_be_read_is_its_class():
    class Silent(Exception):  # noqa: N818 - it is a name
        def __str__(self) -> str:
            raise RuntimeError

    assert error_result(Silent())["content"][0]["text"] == "Silent"


@dataclass
class Dated:
    day: datetime.date


def test_a_dict_for_a_dataclass_has_the_formats_of_its_fields():
    assert value_to_json({"day": "2026-01-31"}, Dated) == {"day": "2026-01-31"}
    with pytest.raises(SchemaError, match="is not a Dated"):
        value_to_json({"day": "tomorrow"}, Dated)
    with pytest.raises(SchemaError, match="is not a"):
        value_to_json([{"day": "tomorrow"}], list[Dated])


@dataclass
class Misfit:
    items: list[int] = None  # type: ignore[assignment]
    near: "Misfit | int" = 1


def test_a_field_that_does_not_match_is_written_by_what_it_is_if_there_is_no_schema():
    def find(): ...

    def look() -> Any: ...

    def search() -> Misfit: ...

    loose = Misfit(near=Misfit([DAY]))  # type: ignore[list-item]
    expected = {"items": None, "near": {"items": ["2026-07-28"], "near": 1}}
    assert return_to_json(find, loose) == return_to_json(look, loose) == expected
    assert value_to_json(loose, Any) == expected
    assert tool_schema(find).result(loose)["structuredContent"] == expected
    with pytest.raises(SchemaError, match=r"result.items: None is not a list\[int\]"):
        tool_schema(search).result(loose)


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (float, decimal.Decimal("1.5"), 1.5),
        (float, decimal.Decimal(2), 2.0),
        (list[float], [decimal.Decimal("0.1")], [0.1]),
        (float | str, decimal.Decimal("1.5"), 1.5),
        (float | decimal.Decimal, decimal.Decimal("1.5"), "1.5"),
        (decimal.Decimal, decimal.Decimal("1.5"), "1.5"),
    ],
    ids=repr,
)
def test_a_decimal_is_a_number_where_a_float_is_promised(annotation, value, expected):
    assert repr(value_to_json(value, annotation, profile=MCP)) == repr(expected)


@pytest.mark.parametrize("text", ["NaN", "sNaN", "Infinity", "1e999"])
def test_a_decimal_that_no_float_can_hold_is_refused(text):
    with pytest.raises(SchemaError, match=r"Decimal|inf"):
        value_to_json(decimal.Decimal(text), float, profile=MCP)
    assert value_to_json(decimal.Decimal(2), int, profile=MCP) == 2
    with pytest.raises(SchemaError):
        value_to_json(decimal.Decimal("1.5"), int, profile=MCP)


ABSENT: Any = te.Sentinel("ABSENT") if hasattr(te, "Sentinel") else None
needs_sentinels = pytest.mark.skipif(ABSENT is None, reason="needs typing_extensions>=4.14")
ABSENCE: Any = {"ABSENT": ABSENT}


@dataclasses.dataclass
class Partial:
    x: "int | ABSENT" = ABSENT
    y: "list[int] | ABSENT | None" = ABSENT
    z: int = 1


class PartialDict(TypedDict):
    x: NotRequired[Any]
    y: int


@needs_sentinels
def test_a_sentinel_in_a_field_is_left_out():
    assert value_to_json(Partial(), Partial, localns=ABSENCE) == {"z": 1}
    assert value_to_json(Partial(2, None), Partial, localns=ABSENCE) == {"x": 2, "y": None, "z": 1}
    assert value_to_json([Partial()], list[Any], localns=ABSENCE) == [{"z": 1}]
    assert value_to_json({"x": ABSENT, "y": 1}, PartialDict) == {"y": 1}


@pytest.mark.skipif(not hasattr(pydantic_core, "MISSING"), reason="needs pydantic>=2.12")
def test_what_a_model_lacks_is_left_out():
    class PartialModel(pydantic.BaseModel):
        x: int | pydantic_core.MISSING = pydantic_core.MISSING  # type: ignore[valid-type]
        y: int = 1

    assert value_to_json(PartialModel(), PartialModel) == {"y": 1}

    def act() -> Partial: ...

    tool = tool_schema(act, localns=ABSENCE)
    assert tool.result(Partial(z=5)).value == {"z": 5}


@needs_sentinels
def test_a_sentinel_elsewhere_is_no_value():
    with pytest.raises(SchemaError, match=r"PartialDict\.y: .* is not an int"):
        value_to_json({"y": ABSENT}, PartialDict)
    with pytest.raises(SchemaError, match=r"\[0\]: "):
        value_to_json([ABSENT], list[int])
    with pytest.raises(SchemaError, match=r"\.z: .* is not an int"):
        value_to_json(Partial(z="one"), Partial, localns=ABSENCE)  # type: ignore[arg-type]
