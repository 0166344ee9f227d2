"""The JSON of a call as the Python values of a function: the mirror image of its schema."""

import collections
import concurrent.futures
import copy
import datetime
import decimal
import enum
import functools
import inspect
import ipaddress
import json
import pathlib
import pickle
import re
import struct
import types
import typing
import uuid
import warnings
import zoneinfo
from collections import abc
from dataclasses import InitVar, dataclass, field
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    Optional,
    TypedDict,
    TypeVar,
    Unpack,
)

import attrs
import jsonschema_rs
import msgspec
import pydantic
import pytest
import typing_extensions as te

from milo_schema import (
    Format,
    Ge,
    Injected,
    Le,
    MaxLen,
    MinLen,
    MultipleOf,
    Pattern,
    Profile,
    Schema,
    SchemaError,
    ToolSchema,
    function_to_schema,
    profiles,
    tool_schema,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, Binder, Problem, bind, binder, json_to_value
from milo_schema.errors import CODES
from milo_schema.results import value_to_json
from tests.cases import CASES, Case, enums, hooks
from tests.every import every
from tests.inside import MAX_JSON_DEPTH, MAX_PROBLEMS, display
from tests.needs import lacking

pytestmark = pytest.mark.core

MCP = profiles.MCP
STRICT = profiles.OPENAI_STRICT
DAY = datetime.date(2026, 7, 28)
T = TypeVar("T")


class Counted: ...


def problems_of(call: Any) -> dict[str, str]:
    """The reasons of the problems, by path."""
    with pytest.raises(ArgumentsError) as caught:
        call()
    assert {problem.code for problem in caught.value.problems} <= CODES.keys()
    return {problem.path: problem.message for problem in caught.value.problems}


def refusal(json_value: Any, annotation: Any, **options: Any) -> dict[str, str]:
    options = {"profile": MCP, **options}
    return problems_of(lambda: json_to_value(json_value, annotation, **options))


# -- identity over the table of types ----------------------------------------------------------

Decoders = dict[Any, Any]

DECODERS: dict[str, Decoders] = {
    "Schema of a type without one": {complex: complex},
    "list[int] as strings": {int: int},
    "list[int] before list": {list: lambda text: [int(text)]},
    "every Enum by name": {enums.Level: enums.Level.__getitem__},
    "Amount": {hooks.Amount: str},
    "list[Amount | None]": {hooks.Amount: str},
    "Amount by a function": {hooks.Amount: list},
    "BigAmount": {hooks.BigAmount: str},
    "Euro": {hooks.Euro: str},
    "Cart": {hooks.Cart: dict},
    "Money": {hooks.Money: str},
    "list[Money]": {hooks.Money: str},
    "Money of 9": {hooks.Money: str},
    "Money as the profile has it": {hooks.Money: str},
    "class by a dotted name": {hooks.Amount: str},
    "base class by a dotted name": {hooks.BigAmount: str},
    "nested class by a dotted name": {hooks.Shop.Amount: str},
    "public name by a dotted name": {concurrent.futures.Future: str},
}
"""The decoders of types that only have a schema, by row."""

NOT_BUILT = {
    "Defaults": "its default factory raises, as it must when a schema is derived",
    "Schema over the type": "the schema says that a string is an integer",
}
"""Rows with JSON that is valid, but from which Python cannot build a value."""

NOT_IDENTICAL = {
    **dict.fromkeys(DECODERS, "the type of the value is not the annotation's"),
    "Decimal": "NaN is not equal to itself",
    "bare Generator": "value_to_json() does not write it, and it is used up",
    **dict.fromkeys(("Iterator[int]", "bare Iterator"), "it is used up"),
    "Parts": "an InitVar is not written",
    "Described": "a default that does not fit is written",
    "Crate": "it has an attribute that nobody gives, and that is not set",
    "SmallCrate": "it has an attribute that nobody gives, and that is not set",
}
"""Rows with values that cannot be restored; ``docs/differences.md`` has those that users may see."""

READ_AS_THEY_ARE = {
    "list[int] as strings",
    "list[int] before list",
    "every Enum by name",
    "public name by a dotted name",
}
"""Rows with types that are read from the JSON that they would have without the profile."""

LAZY: Any = type({}.values())
"""Classes of values that are equal only to themselves."""

READABLE = [case for case in CASES if not lacking(case.needs) and (case.accepts or case.rejects)]


def read(case: Case, annotation: Any, json_value: Any) -> Any:
    profile = case.profile(MCP).replace(decoders=DECODERS.get(str(case), {}))
    localns = {"Any": Any}  # for the row with it in quotes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about constraints that the schema lacks
        return json_to_value(json_value, annotation, profile=profile, localns=localns)


@every("case", READABLE)
def test_a_value_survives_a_round_trip(case):
    annotation = case.type
    for sample in case.accepts:
        if str(case) in NOT_BUILT:
            with pytest.raises(ArgumentsError):
                read(case, annotation, sample)
            continue
        before = copy.deepcopy(sample)
        value = read(case, annotation, sample)
        assert json.dumps(sample) == json.dumps(before)
        if str(case) in NOT_IDENTICAL:
            continue
        written = value_to_json(value, annotation, profile=case.profile(MCP), localns={"Any": Any})
        again = read(case, annotation, written)
        assert type(again) is type(value)
        assert list(again) == list(value) if isinstance(value, LAZY) else again == value


@every("case", READABLE)
def test_arguments_that_the_schema_rejects_are_refused_with_their_path(case):
    for sample in case.rejects:
        with pytest.raises(ArgumentsError) as caught:
            read(case, case.type, sample)
        for problem in caught.value.problems:
            assert problem.message
            assert place(sample, problem.path) is not None


def place(json_value: Any, path: str) -> Any:
    """The JSON at a path; for a missing property, the object that lacks it."""
    for name, quoted, index in re.findall(r"\.(\w+)|\[\"(.*?)\"\]|\[(\d+)\]", path):
        key = int(index) if index else name or quoted
        if isinstance(json_value, dict) and key not in json_value:
            return json_value
        json_value = json_value[key]
    return [json_value]


def test_rows_that_are_left_out_exist():
    rows = {str(case) for case in CASES}

    assert {*DECODERS, *NOT_BUILT, *NOT_IDENTICAL} <= rows


@pytest.mark.parametrize("row", sorted(DECODERS))
def test_a_type_with_only_a_schema_needs_a_decoder(row):
    case = next(case for case in CASES if str(case) == row)
    try:
        json_to_value(case.accepts[0], case.type, profile=case.profile(MCP))
    except SchemaError as problem:
        assert "decoders={...} to the profile" in problem.message  # noqa: PT017 - either of two
    except ArgumentsError:
        assert row in READ_AS_THEY_ARE
    else:
        raise AssertionError(row)


# -- one kind at a time ------------------------------------------------------------------------


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Pair(enum.Enum):
    ONE = (1, 2)
    TWO = (1, True)


class Access(enum.Flag):
    READ = 1
    WRITE = 2


@dataclass
class Item:
    name: str
    price: decimal.Decimal = decimal.Decimal(1)
    tags: set[str] = field(default_factory=set)
    secret: InitVar[int] = 0
    made: int = field(init=False, default=7)

    def __post_init__(self, secret: int) -> None:
        if self.price < 0:
            raise ValueError("a price is not\nnegative")
        if secret:
            raise AssertionError("it is no secret")


@dataclass
class Node:
    value: int
    next: Optional["Node"] = None


@dataclass
class Page(Generic[T]):
    items: list[T]


class Point(NamedTuple):
    x: int
    day: datetime.date = DAY


class Movie(TypedDict):
    name: str
    day: te.NotRequired[datetime.date]


@attrs.define
class Attr:
    _day: datetime.date
    rest: int = 0


class Struct(msgspec.Struct, tag="s", rename="camel"):
    first_day: datetime.date


class Other(msgspec.Struct, tag="o", rename="camel"):
    first_day: int


class Row(msgspec.Struct, array_like=True):
    day: datetime.date
    n: int = 1


class Model(pydantic.BaseModel):
    first_day: datetime.date = pydantic.Field(alias="firstDay")
    numbers: list[int] = []
    cat: "int | Model | None" = None


class Money:
    def __init__(self, cents: int) -> None:
        self.cents = cents

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Money) and self.cents == other.cents

    __hash__ = None

    @classmethod
    def __milo_schema__(cls, _walk):
        return {"type": "string", "pattern": "^[0-9]+ EUR$"}

    @classmethod
    def __milo_from_json__(cls, json):
        if json == "13 EUR":
            raise ValueError("unlucky")
        return cls(100 * int(json.split()[0]))


class Text(str):
    __slots__ = ()


class Even(int):
    def __new__(cls, value):
        if value % 2:
            raise ValueError(f"{value} is odd")
        return super().__new__(cls, value)


class TupleA(NamedTuple):
    kind: Literal["a"]
    x: int


class TupleB(NamedTuple):
    kind: Literal["b"]
    x: str


class Evens(pydantic.BaseModel):
    numbers: list[Annotated[int, pydantic.AfterValidator(Even)]]


class First(set[int]):
    def __init__(self, items=()):
        super().__init__(list(items)[:1])


class date(str):  # noqa: N801 - called like another class that is text in JSON
    __slots__ = ()


class Link(NamedTuple):
    next: "Optional[Link]" = None


@dataclass
class Described:
    day: datetime.date

    @classmethod
    def __milo_schema__(cls, _walk):
        return {"type": "object", "properties": {"day": {"const": "2026-07-28"}}}


class Numbers:
    @classmethod
    def __milo_schema__(cls, _walk):
        return {"type": "array"}

    @classmethod
    def __milo_from_json__(cls, json):
        return json


Single = te.TypeAliasType("Single", "tuple[Single]")
Days = te.TypeAliasType("Days", "list[datetime.date]")
Tree = te.TypeAliasType("Tree", "list[Tree] | int")
Short = te.TypeAliasType("Short", "list[Annotated[Short, MaxLen(1)]]")

# ruff: noqa: E501, DTZ001 - a row is one fact, and a line

VALUES: list[tuple[Any, Any, Any]] = [
    (1.0, int, 1),
    (1, float, 1.0),
    (True, Any, True),
    ("x", Text, Text("x")),
    ("x", date, date("x")),
    (1.5, Any, 1.5),
    ("a", Annotated[pathlib.Path, MinLen(1)], pathlib.Path("a")),
    ({"day": "2026-07-28"}, Described, Described(DAY)),
    (4.0, Even, Even(4)),
    (0.1, Annotated[decimal.Decimal, Ge(0)], decimal.Decimal("0.1")),
    ("1E+999", Annotated[decimal.Decimal, MultipleOf(2)], decimal.Decimal("1E+999")),
    # dates and times, as in their formats and as value_to_json() writes them
    ("2026-07-28t12:00:00z", datetime.datetime, datetime.datetime(2026, 7, 28, 12, tzinfo=datetime.UTC)),
    ("2026-07-28T12:00:00", datetime.datetime, datetime.datetime(2026, 7, 28, 12)),
    ("12:00:00.5", datetime.time, datetime.time(12, 0, 0, 500_000)),
    ("-P1DT2.5S", datetime.timedelta, -datetime.timedelta(days=1, seconds=2.5)),
    ("P2W", datetime.timedelta, datetime.timedelta(weeks=2)),
    ("PT0.1234567S", datetime.timedelta, datetime.timedelta(microseconds=123_456)),
    ("PT1H2M3S", datetime.timedelta, datetime.timedelta(hours=1, minutes=2, seconds=3)),
    ("YWJj", memoryview, memoryview(b"abc")),
    ("a", abc.Buffer if hasattr(abc, "Buffer") else str, None),
    # listed values, by type and value
    ([1, 2], Pair, Pair.ONE),
    ([1, True], Pair, Pair.TWO),
    (1.0, Literal[1, True], 1),
    (True, Literal[1, True], True),
    ("red", Literal[Color.RED], Color.RED),
    (3, Access, Access.READ | Access.WRITE),
    # containers
    ([1], abc.Sequence[int], [1]),
    ([[1], []], abc.Set[abc.Set[int]], frozenset({frozenset({1}), frozenset()})),
    ([1], abc.MutableSet[int], {1}),
    ({"1": 2}, abc.Mapping[int, int], {1: 2}),
    ({"a": [1]}, collections.defaultdict[str, list[int]], collections.defaultdict(list, a=[1])),
    ({"a": 1}, collections.Counter, collections.Counter("a")),
    ([1, 2, "x"], tuple[int, te.Unpack[tuple[int, ...]], str], (1, 2, "x")),
    ([1, 2], tuple, (1, 2)),
    ({"1.5": 1}, dict[float, int], {1.5: 1}),
    ({"true": 1}, dict[bool, int], {True: 1}),
    ({"1": 1}, dict[int | str, int], {"1": 1}),
    ({"1.5": 1}, dict[int | float, int], {1.5: 1}),
    ({"2026-07-28": 1, "red": 2}, dict[datetime.date | Color, int], {DAY: 1, Color.RED: 2}),
    # records
    ({"name": "a", "made": 3}, Item, Item("a")),
    ({"items": ["2026-07-28"]}, Page[datetime.date], Page([DAY])),
    ({"value": 1, "next": {"value": 2}}, Node, Node(1, Node(2))),
    ({"name": "Up", "more": [1]}, Movie, {"name": "Up", "more": [1]}),
    ([1], Point, Point(1)),
    ({"day": "2026-07-28"}, Attr, Attr(DAY)),
    ({"type": "s", "firstDay": "2026-07-28"}, Struct, Struct(DAY)),
    (["2026-07-28", 2, 3], Row, Row(DAY, 2)),
    ({"firstDay": "2026-07-28"}, Model, Model(firstDay=DAY)),
    ("5 EUR", Money, Money(500)),
    # names
    (["2026-07-28"], Days, [DAY]),
    ([[1], 2], Tree, [[1], 2]),
    ([[]], Short, [[]]),
    (1, typing.Final, 1),
    # unions: by the type of JSON, then exact before wider
    (1, float | int, 1),
    (1.0, int | float, 1.0),
    (1.5, int | float, 1.5),
    (1, Literal[1] | float, 1),
    ("red", str | Color, Color.RED),
    ("2026-07-28", str | datetime.date, DAY),
    ("2026", str | datetime.date, "2026"),
    ("2026-07-28", datetime.datetime | datetime.date, DAY),
    ("abcd", bytes | str, "abcd"),
    ("007", str | decimal.Decimal, "007"),
    ("007", decimal.Decimal | str, decimal.Decimal(7)),
    ("a", pathlib.Path | str, pathlib.Path("a")),
    ("::1", str | ipaddress.IPv4Address | ipaddress.IPv6Address, ipaddress.ip_address("::1")),
    (None, Optional[Item], None),
    ({"x": 1}, dict[str, int] | list[int], {"x": 1}),
    (["x"], list[int] | list[str], ["x"]),
    ({"type": "o", "firstDay": 1}, Struct | Other, Other(1)),
    ({"value": 1, "next": None}, Page[int] | Node, Node(1)),
    ({"name": "x"}, Movie | Item, {"name": "x"}),
    ({"name": "x", "tags": []}, Movie | Item, Item("x")),
    (1, typing.Union[int, typing.Never], 1),
    # metadata
    (decimal.Decimal("1.5").__float__(), Annotated[decimal.Decimal | None, Ge(0)], decimal.Decimal("1.5")),
    ("YWJj", Annotated[bytes, MaxLen(3)], b"abc"),
    ("2026-07-28", Annotated[datetime.date | str, MinLen(20)], DAY),
    ("a@b", Annotated[str, Format("email")], "a@b"),
    ("2026-07-28", Annotated[str, Format("date")], "2026-07-28"),
    ("?", Annotated[str, Format("of my own")], "?"),
    ("x", Annotated[str, "a note", MinLen], "x"),
]  # fmt: skip


@every("row", VALUES, ids=lambda row: f"{row[0]!r} as {row[1]!r}")
def test_json_becomes_the_value_of_its_annotation(row):
    json_value, annotation, expected = row
    if expected is None and json_value is not None:
        expected = json_value if annotation is str else b"i"
        json_value = json_value if annotation is str else "aQ=="
    value = json_to_value(json_value, annotation, profile=MCP)

    assert value == expected
    assert type(value) is type(expected)


WRONG: list[tuple[Any, Any, dict[str, Any]]] = [
    ("1", int, {"": 'expected an integer, got "1"'}),
    (1.5, int, {"": "expected an integer, got 1.5"}),
    (True, int, {"": "expected an integer, got true"}),
    (None, float, {"": "expected a number, got null"}),
    (10**400, float, {"": "must be a number that fits into a float"}),
    (float("inf"), float, {"": "expected a number, got inf"}),
    ([float("nan")], Any, {"[0]": "nan is not a JSON value"}),
    ({1: 1}, Any, {'["1"]': "expected a string, got 1"}),
    ([1j], Any, {"[0]": "<complex object> is not a JSON value"}),
    ([1], bool, {"": "expected true or false, got an array of one item"}),
    ({}, None, {"": "expected null, got an object"}),
    (3, Even, {"": "3 is odd"}),
    ("x", Even, {"": 'expected an integer, got "x"'}),
    ("\ud800", str, {"": '"\\ud800" contains a lone surrogate, so it is not valid text'}),
    ("20260728", datetime.date, {"": 'expected a date such as 2026-01-31, got "20260728"'}),
    ("2026-02-30", datetime.date, {"": re.compile('^expected a date such as 2026-01-31, got "2026-02-30": day ')}),
    (1, datetime.date, {"": "expected a date such as 2026-01-31, got 1"}),
    ("P1Y", datetime.timedelta, {"": 'expected a duration such as P1DT2H30M, without years, got "P1Y"'}),
    ("(", re.Pattern, {"": 'expected a regular expression, got "(": missing ), unterminated subpattern at position 0'}),
    ("x" * 61, uuid.UUID, {"": f'expected a UUID such as 12345678-1234-5678-1234-567812345678, got "{"x" * 57}..."'}),
    ("fe80::1%a", ipaddress.IPv6Address, {"": 'expected an IPv6 address such as ::1, got "fe80::1%a": an address cannot have a zone'}),
    ("YWJ", bytes, {"": 'expected bytes in base64, with padding, got "YWJ": Incorrect padding'}),
    ("YWJj====", bytes, {"": 'expected bytes in base64, with padding, got "YWJj====": Excess padding not allowed'}),
    ("1.", decimal.Decimal, {"": 'expected a decimal number in a string, got "1."'}),
    ("rad", Color, {"": 'expected one of "red", "blue", got "rad"; did you mean "red"?'}),
    (1, Color, {"": 'expected one of "red", "blue", got 1'}),
    (True, Literal[1], {"": "expected one of 1, got true"}),
    (2, Literal[1], {"": "expected one of 1, got 2"}),
    (4, Access, {"": "expected an integer from 0 to 3, got 4"}),
    ("1", Access, {"": 'expected an integer from 0 to 3, got "1"'}),
    (1, typing.Never, {"": "got 1, but Never has no values"}),
    ({"day": "2026-07-29"}, Described, {".day": 'expected one of "2026-07-28", got "2026-07-29"'}),
    ([float("nan")], Numbers, {"[0]": "nan is not a JSON value"}),
    ([1, 2], First, {"": "must be unique"}),
    # containers, with all that is wrong
    (["x", 1, None], list[int], {"[0]": 'expected an integer, got "x"', "[2]": "expected an integer, got null"}),
    ({}, list, {"": "expected an array, got an object"}),
    ("x", list[Text], {"": 'expected an array of strings, got "x"'}),
    ([1, 2, 1], set[int], {"[2]": "must be unique, but it is equal to item 0"}),
    (["1.0", "1.00"], set[decimal.Decimal], {"[1]": "must be unique, but it is equal to item 0"}),
    ([[1]], set[list[int]], {"[0]": "an array of one item cannot be in a set"}),
    ([1, [1]], set[Any], {"[1]": "an array of one item cannot be in a set"}),
    (["sNaN"], set[decimal.Decimal], {"[0]": '"sNaN" cannot be in a set'}),
    ({"sNaN": 1}, dict[decimal.Decimal, int], {".sNaN": '"sNaN" cannot be a key'}),
    ([[[]]], set[tuple[Any]], {"[0]": "an array of one item cannot be in a set"}),
    ([[[], 1]], abc.ItemsView[Any, int], {"[0]": "an array of 2 items cannot be in an ItemsView"}),
    ({}, set, {"": "expected an array, got an object"}),
    ([1], tuple[int, str], {"": "expected an array of 2 items, got an array of one item"}),
    ([1, 2], tuple[str, str], {"[0]": "expected a string, got 1", "[1]": "expected a string, got 2"}),
    ([], tuple[int, te.Unpack[tuple[str, ...]]], {"": "expected an array of at least 1 items, got an array of 0 items"}),
    ([], dict, {"": "expected an object, got an array of 0 items"}),
    ({"a b": "x"}, dict[str, int], {'["a b"]': 'expected an integer, got "x"'}),
    ({"NaN": 1}, dict[float, int], {".NaN": 'as a key, expected a number, got "NaN"'}),
    ({"a": 1}, dict[int, int], {".a": 'as a key, expected an integer, got "a"'}),
    ({"1.0": 1}, dict[int, int], {'["1.0"]': 'as a key, expected an integer, got "1.0"'}),
    ({" 1": 1}, dict[int, int], {'[" 1"]': 'as a key, expected an integer, got " 1"'}),
    ({"b": 1}, dict[Annotated[str, Pattern("^a")], int], {".b": 'as a key, must match ^a, got "b"'}),
    ({"3": 1}, dict[Annotated[int, Ge(5)], int], {'["3"]': "as a key, must be at least 5, got 3"}),
    ({"1": 1}, dict[Annotated[str, Pattern("^a")], int], {'["1"]': 'as a key, must match ^a, got "1"'}),
    ({1: 1}, dict[int, int], {'["1"]': "1 is a key but not a string"}),
    ({"-0": 1, "0": 2}, dict[int, int], {'["0"]': "the same key as an earlier one"}),
    # records
    ([], Item, {"": "expected an object, got an array of 0 items"}),
    ({"nam": 1, "price": 1}, Item, {".name": "required but not given", ".price": "expected a decimal number in a string, got 1", ".nam": 'unknown property; did you mean "name"?'}),
    ({"name": 5, "tgas": [], "other": 1, 3: 4}, Item, {".name": "expected a string, got 5", ".tgas": 'unknown property; did you mean "tags"?'}),
    ({"name": 5, "tags": [], "tgas": "a"}, Item, {".name": "expected a string, got 5"}),
    ({"name": "a", "price": "-1"}, Item, {"": "a price is not negative"}),
    ({"name": "a", "secret": 1}, Item, {"": "AssertionError: it is no secret"}),
    ({"value": 1, "next": {"value": "x"}}, Node, {".next.value": 'expected an integer, got "x"'}),
    ({"nmae": "Up", "dya": 1, "other": 1}, Movie, {".name": "required but not given", ".nmae": 'unknown property; did you mean "name"?', ".dya": 'unknown property; did you mean "day"?'}),
    ({"firstDya": "2026-01-31", "number": [], "other": 1}, Model, {".firstDay": "required but not given", ".firstDya": 'unknown property; did you mean "firstDay"?', ".number": 'unknown property; did you mean "numbers"?'}),
    ({"name": "Up", "day": 1, "\ud800": 1}, Movie, {".day": "expected a date such as 2026-01-31, got 1", '["\\ud800"]': '"\\ud800" contains a lone surrogate, so it is not valid text'}),
    ([], Point, {"": "expected an array of 2 items, got an array of 0 items"}),
    ({}, Point, {"": "expected an array of 2 items, got an object"}),
    (["x"], Point, {"[0]": 'expected an integer, got "x"'}),
    ([1, "2026-07-28", 3], Point, {"": "expected an array of 2 items, got an array of 3 items"}),
    ("13 EUR", Money, {"": "unlucky"}),
    ("5", Money, {"": 'must match ^[0-9]+ EUR$, got "5"'}),
    (5, Money, {"": "expected Money, got 5"}),
    ({"numbers": ["x"], "cat": {}}, Model, {".firstDay": "required but not given", ".numbers[0]": 'expected an integer, got "x"', ".cat.firstDay": "required but not given"}),
    (1, Model, {"": "expected an object, got 1"}),
    ({"numbers": [2, 1, 0]}, Evens, {".numbers[1]": "Value error, 1 is odd"}),
    ({"firstDay": float("nan")}, Model, {".firstDay": "nan is not a JSON value"}),
    # unions: the innermost place of the member that was meant
    ({"items": ["x"]}, Optional[Page[int]], {".items[0]": 'expected an integer, got "x"'}),
    (1.5, Optional[int], {"": "expected an integer, got 1.5"}),
    ("x", Optional[int], {"": 'expected an integer or null, got "x"'}),
    ("x", datetime.date | uuid.UUID, {"": 'expected a date such as 2026-01-31 or a UUID such as 12345678-1234-5678-1234-567812345678, got "x"'}),
    ({"type": "o", "firstDay": "x"}, Struct | Other, {".firstDay": 'expected an integer, got "x"'}),
    ({"type": "x"}, Struct | Other, {".type": 'expected one of "s", "o", got "x"'}),
    ({"firstDay": 1}, Struct | Other, {".type": "required but not given"}),
    (["kind", 1], TupleA | TupleB, {"[0]": 'expected one of "a", got "kind"'}),
    ([[1], "x"], list[list[int]] | list[str], {"[1]": 'expected an array of integers, got "x"'}),
    ([float("nan")], list[int] | list[str], {"[0]": "nan is not a JSON value"}),
    # metadata
    (0, Annotated[int, Ge(1)], {"": "must be at least 1, got 0"}),
    (10**5000 - 1, Annotated[int, Le(1)], {"": "must be at most 1, got <int object>"}),
    (10**20, Annotated[int, MultipleOf(3)], {"": "must be a multiple of 3, got 100000000000000000000"}),
    ("YWJjZA==", Annotated[bytes, MaxLen(3)], {"": "must have at most 3 bytes, got 4"}),
    ("-1", Annotated[decimal.Decimal, Ge(0)], {"": "must be at least 0, got -1"}),
    (True, Annotated[decimal.Decimal, Ge(0)], {"": "expected a number or a decimal number in a string, got true"}),
    ("NaN", Annotated[decimal.Decimal, Ge(0)], {"": "must be within bounds, got NaN"}),
    ("1.25", Annotated[decimal.Decimal, MultipleOf(0.5)], {"": 'must be a multiple of 0.5, got "1.25"'}),
    ("Infinity", Annotated[decimal.Decimal, MultipleOf(2)], {"": 'must be a multiple of 2, got "Infinity"'}),
    ("1E+1000", Annotated[decimal.Decimal, MultipleOf(2)], {"": 'must be a multiple of 2, got "1E+1000"'}),
    ("x", Annotated[datetime.date | str, MinLen(20)], {"": "must have at least 20 characters, got 1"}),
    (["x"], list[Annotated[str, Pattern("^a")]], {"[0]": 'must match ^a, got "x"'}),
    ("ab", Annotated[Annotated[str, MaxLen(1)], Schema({"not": {"const": "ab"}})], {"": "must have at most 1 character, got 2"}),
    (3, Annotated[int, Schema({"not": {"const": 3}})], {"": '3 is excluded by "not"'}),
    ([[], []], Annotated[Short, MaxLen(1)], {"": "must have at most 1 item, got 2"}),
    ([[[], []]], Short, {"[0]": "must have at most 1 item, got 2"}),
    ("@b", Annotated[str, Format("email")], {"": 'must have the format "email", got "@b"'}),
    ("1", Annotated[str, Format("ipv4")], {"": 'must have the format "ipv4", got "1"'}),
    ("1", Annotated[str, Format("uuid")], {"": 'must have the format "uuid", got "1"'}),
    ("(", Annotated[str, Format("regex")], {"": 'must have the format "regex", got "("'}),
    ("x", Annotated[str, Format("time")], {"": 'must have the format "time", got "x"'}),
    ("a@b.c", Annotated[str, MinLen(9), Format("email")], {"": "must have at least 9 characters, got 5"}),
]  # fmt: skip


@every("row", WRONG, ids=lambda row: f"{row[0]!r:.60} as {row[1]!r}")
def test_invalid_json_is_reported_with_its_path(row):
    json_value, annotation, expected = row
    found = refusal(json_value, annotation)

    assert found.keys() == expected.keys()
    for path, reason in expected.items():
        if isinstance(reason, re.Pattern):
            assert reason.search(found[path])
        else:
            assert found[path] == reason


class Named(TypedDict):
    a: int


BY_HAND: list[Any] = [
    Annotated[Named, Schema({"additionalProperties": False})],
    Annotated[Named, Schema({"additionalProperties": {"type": "string"}})],
    Annotated[Named, Schema({"unevaluatedProperties": False})],
    Annotated[Named, Schema({"dependentRequired": {"a": ["b"]}})],
    Annotated[dict[str, int], Schema({"dependentSchemas": {"a": {"required": ["b"]}}})],
    Annotated[
        dict[str, int], Schema({"patternProperties": {"^b": {"type": "integer", "minimum": 3}}})
    ],
    Annotated[tuple[int, str], Schema({"unevaluatedItems": False})],
    Annotated[list[int], Schema({"contains": {"const": 1}, "maxContains": 1})],
    Annotated[list[int], Schema({"minItems": 2}), MinLen(1)],
    Annotated[Any, Schema({"if": {"type": "string"}, "then": {"maxLength": 1}, "else": False})],
    Annotated[Any, Schema({"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^a$"}]})],
    Annotated[str, Pattern(r"^\d$")],
]


@every("annotation", BY_HAND)
def test_custom_keywords_are_checked_in_addition_to_those_of_the_type(annotation):
    schema = type_to_schema(annotation, profile=MCP)
    verdicts = set()
    for value in [1, "a", "a\n", "ab", "3", "\u0663", [], [1], [1, 1], [1, "a"], [1, 2], [2], {},
                  {"a": 1}, {"a": 1, "b": 2}, {"a": 1, "b": "2"}, {"b": 3}, {"b": 1}]:  # fmt: skip
        expected = jsonschema_rs.is_valid(schema, value)
        verdicts.add(expected)
        if expected:
            assert json_to_value(value, annotation, profile=MCP) is not None
        else:
            assert refusal(value, annotation)
    assert verdicts == {True, False}


def test_a_member_without_values_has_no_loader():
    class Odd(enum.Enum):
        A = object()

    class Empty(enum.Enum): ...

    for annotation in (Empty, Annotated, types.GenericAlias("list", (int,))):  # type: ignore[arg-type]
        with pytest.raises(SchemaError, match=r"cannot read .* from JSON; add dec"):
            json_to_value("x", annotation)
    with pytest.raises(SchemaError, match=r"^Odd: cannot read Odd from JSON; add dec"):
        json_to_value("x", Odd)


# -- everything that is wrong, in one error ----------------------------------------------------


def book(
    day: datetime.date,
    item: Item,
    color: Color = Color.RED,
    ids: list[int] = [],  # noqa: B006
    *,
    count: Annotated[int, Ge(1)] = 1,
    note: str | None = None,
) -> None: ...


def test_all_problems_are_in_one_error():
    wrong = {"item": {"name": 5}, "color": "rad", "ids": [1, "2"], "count": 0, "colour": 1}
    with pytest.raises(ArgumentsError) as caught:
        bind(book, wrong, profile=MCP)

    assert str(caught.value) == (
        "book(): 6 problems\n"
        "- .day: required but not given\n"
        "- .item.name: expected a string, got 5\n"
        '- .color: expected one of "red", "blue", got "rad"; did you mean "red"?\n'
        '- .ids[1]: expected an integer, got "2"\n'
        "- .count: must be at least 1, got 0\n"
        '- .colour: unknown argument; did you mean "color"?'
    )
    assert caught.value.path == "book()"
    assert isinstance(caught.value, ValueError)
    assert repr(caught.value.problems[0]) == "<Problem '.day: required but not given'>"


def test_the_text_of_an_error_has_a_limit(monkeypatch):
    with pytest.raises(ArgumentsError) as caught:
        json_to_value(["x", "y"], list[int], profile=MCP)
    problems = ('[0]: expected an integer, got "x"', '[1]: expected an integer, got "y"')
    size = sum(len(f"\n- {problem}") for problem in problems)
    start = "list[int]: 2 problems\n- " + problems[0]
    monkeypatch.setattr("milo_schema.arguments.MAX_TEXT", size)
    assert str(caught.value) == f"{start}\n- {problems[1]}"
    monkeypatch.setattr("milo_schema.arguments.MAX_TEXT", size - 1)
    assert str(caught.value) == f"{start}\n- and 1 more"


@pytest.mark.parametrize("repair", [False, True])
def test_an_error_pickles(repair):
    with pytest.raises(ArgumentsError) as caught:
        bind(book, {}, profile=MCP, repair=repair)
    again = pickle.loads(pickle.dumps(caught.value))

    assert str(again) == str(caught.value)
    assert [each.path for each in again.problems] == [".day", ".item"]


def test_unprintable_characters_are_escaped():
    assert refusal('a\x1b[2J\u202e"\\', int) == {
        "": r'expected an integer, got "a\x1b[2J\u202e\"\\"'
    }
    assert str(ArgumentsError("f()", [Problem("a\x1b")])) == r"f(): a\x1b"


ITEMS = [0] * 1_000
CountedExtra: Any = (
    te.TypedDict("CountedExtra", {}, extra_items=Counted)  # type: ignore[operator]
    if hasattr(te, "NoExtraItems")
    else dict[str, Counted]
)


@pytest.mark.parametrize(
    ("json", "annotation"),
    [
        (ITEMS, list[Counted]),
        (ITEMS, tuple[Counted, te.Unpack[tuple[Counted, ...]]]),
        ({str(at): 0 for at in range(1_000)}, dict[str, Counted]),
        ({str(at): 0 for at in range(1_000)}, CountedExtra),
    ],
    ids=["list", "tuple", "dict", "record"],
)
def test_nothing_is_read_after_the_last_problem_that_is_reported(json, annotation):
    read = []

    def refuse(json: Any) -> Counted:
        read.append(json)
        raise ValueError("no")

    with pytest.raises(ArgumentsError):
        json_to_value(json, annotation, profile=MCP.replace(decoders={Counted: refuse}))
    assert len(read) == MAX_PROBLEMS


def test_an_unknown_name_without_a_similar_one_lists_all_names():
    def few(one: int = 1, two: int = 2): ...
    def none(): ...
    def open_(value: int, **more: Any): ...

    assert problems_of(lambda: bind(open_, {"valeu": 1}, profile=MCP)) == {
        ".value": "required but not given"
    }
    assert problems_of(lambda: bind(few, {"zebra": 1})) == {
        ".zebra": 'unknown argument; allowed: "one", "two"'
    }
    assert problems_of(lambda: bind(none, {"zebra": 1})) == {".zebra": "unknown argument"}
    closed = MCP.replace(closed="everything")
    assert refusal({"value": 1, "valu": 2}, Node, profile=closed) == {
        ".valu": 'unknown property; did you mean "value"?'
    }
    assert len(refusal(["x"] * 200, tuple[int, te.Unpack[tuple[int, ...]]])) == MAX_PROBLEMS
    many = problems_of(lambda: bind(none, {f"x{at}": 1 for at in range(200)}))
    assert len(many) == MAX_PROBLEMS


# -- the arguments of a call -------------------------------------------------------------------


def positional(a: int, b: int = 2, c: int = 3, /, d: int = 4, *args: int, e: int = 5, **kw: int):
    return a, b, c, d, args, e, kw


class Service:
    def method(self, x: int, **more: Any) -> tuple[int, Any]:
        return x, more


class Options(TypedDict, total=False):
    u: te.Required[int]
    v: datetime.date


def unpacked(a: int, **options: te.Unpack[Options]): ...
def untyped(a, **more): ...
def injecting(a: int, db: Annotated[object, Injected], ctx: Any = None): ...


BOUND: list[tuple[Any, Any, tuple[Any, ...], Any, Any]] = [
    (book, {"day": "2026-07-28", "item": {"name": "a"}}, (), {"day": DAY, "item": Item("a")}, None),
    (positional, {"a": 1}, (1,), {}, {"a": 1}),
    (positional, {"a": 1, "c": 9, "e": 6}, (1, 2, 9), {"e": 6}, {"a": 1, "c": 9, "e": 6}),
    (positional, {"z": 1, "d": 5, "a": 0}, (0,), {"d": 5, "z": 1},
     {"a": 0, "d": 5, "kw": {"z": 1}}),
    (Service().method, {"x": 1, "y": [2]}, (), {"x": 1, "y": [2]}, {"x": 1, "more": {"y": [2]}}),
    (unpacked, {"a": 1, "u": 2, "v": "2026-07-28"}, (), {"a": 1, "u": 2, "v": DAY},
     {"a": 1, "options": {"u": 2, "v": DAY}}),
    (untyped, {"a": [1], "b": 1}, (), {"a": [1], "b": 1}, {"a": [1], "more": {"b": 1}}),
    (Item, {"name": "a"}, (), {"name": "a"}, None),
]  # fmt: skip


@every("row", BOUND, ids=lambda row: row[0].__qualname__)
def test_arguments_are_bound_as_python_passes_them(row):
    func, arguments, args, kwargs, named = row
    bound = bind(func, arguments, profile=MCP)

    assert (bound.args, bound.kwargs) == (args, kwargs)
    assert bound.arguments == (kwargs if named is None else named)
    assert list(bound.arguments) == list(kwargs if named is None else named)
    func(*bound.args, **bound.kwargs)


def test_a_bound_call_omits_defaults():
    bound = bind(positional, {"a": 1, "c": 9}, profile=MCP)

    assert positional(*bound.args, **bound.kwargs) == (1, 2, 9, 4, (), 5, {})
    assert repr(bound) == "<Bound (a=1, c=9)>"


def test_the_repr_of_bound_arguments_shortens_values():
    def send(text: str, to: list[int]): ...

    bound = bind(send, {"text": "x" * 1000, "to": [*range(100)]}, profile=MCP)

    assert repr(bound) == (f"<Bound (text='{'x' * 12}...{'x' * 13}', to=[0, 1, 2, 3, 4, 5, ...])>")


REFUSED_ARGUMENTS: list[tuple[Any, Any, dict[str, str]]] = [
    (positional, {"a": 1, "z": "x"}, {".z": 'expected an integer, got "x"'}),
    (positional, {"a": 1, "args": [1]}, {".args": "expected an integer, got an array of one item"}),
    (Service().method, {"x": 1, "self": 2}, {".self": 'unknown argument; allowed: "x"'}),
    (unpacked, {"a": 1, "z": 1}, {".u": "required but not given",
       ".z": "unknown argument; allowed: "}),
    (untyped, {"a": 1, 2: 3}, {'["2"]': "2 is a key but not a string"}),
    (untyped, {"a": 1, "\ud800": 3}, {'["\\ud800"]': '"\\ud800" contains a lone surrogate'}),
    (book, [1], {"": "expected an object with the arguments, got an array of one item"}),
    (book, "{}", {"": 'expected an object with the arguments, got "{}"'}),
    (Item, {"nam": 1}, {".name": "required but not given",
       ".nam": "unknown argument; did you mean"}),
]  # fmt: skip


@every("row", REFUSED_ARGUMENTS, ids=lambda row: f"{row[0].__qualname__} {row[1]}")
def test_invalid_arguments_are_refused(row):
    func, arguments, expected = row
    found = problems_of(lambda: bind(func, arguments, profile=MCP))

    assert found.keys() == expected.keys()
    assert all(found[path].startswith(reason) for path, reason in expected.items())


def test_a_key_that_is_no_string_has_the_wrong_type():
    for call in (
        lambda: bind(untyped, {"a": 1, 2: 3}, profile=MCP),
        lambda: json_to_value({2: 3}, dict[int, int], profile=MCP),
    ):
        with pytest.raises(ArgumentsError) as caught:
            call()
        assert [problem.code for problem in caught.value.problems] == ["wrong-type"]


def test_a_parameter_with_an_alias_is_passed_and_injected_by_its_python_name():
    def run(
        a: Annotated[int, pydantic.Field(alias="x")],
        /,
        b: Annotated[int, pydantic.Field(alias="y")],
    ):
        return a, b

    bound = bind(run, {"x": 1, "y": 2}, profile=MCP)
    assert (bound.args, bound.kwargs, bound.arguments) == ((1,), {"b": 2}, {"a": 1, "b": 2})

    bound = bind(run, {"x": 1}, profile=MCP, inject={"b": 3})
    assert (bound.args, bound.kwargs, bound.arguments) == ((1,), {"b": 3}, {"a": 1, "b": 3})
    for name in ("b", "y"):
        found = problems_of(
            lambda name=name: bind(run, {"x": 1, name: 2}, profile=MCP, inject={"b": 3})
        )
        assert found == {f".{name}": 'unknown argument; allowed: "x"'}


EXTRA_ITEMS = lacking("typing_extensions>=4.13")


@pytest.mark.skipif(bool(EXTRA_ITEMS), reason=EXTRA_ITEMS)
def test_extra_items_of_unpacked_keys_are_read_by_their_type():
    class Options(te.TypedDict, extra_items=datetime.date):  # type: ignore[call-arg]
        u: int

    def run(a: int, **options: te.Unpack[Options]): ...

    bound = bind(run, {"a": 1, "u": 2, "z": "2026-07-28"}, profile=MCP)
    assert (bound.args, bound.kwargs) == ((), {"a": 1, "u": 2, "z": DAY})
    assert bound.arguments == {"a": 1, "options": {"u": 2, "z": DAY}}
    assert problems_of(lambda: bind(run, {"a": 1, "u": 2, "z": 1}, profile=MCP)) == {
        ".z": "expected a date such as 2026-01-31, got 1"
    }


def test_unknown_names_are_refused_even_if_the_schema_is_open():
    assert problems_of(lambda: bind(untyped, {"a": "x", "b": 1})) == {
        ".b": 'unknown argument; allowed: "a"'
    }


def test_excluded_parameters_are_not_bound():
    def run(x: int = 0, hidden: str = "safe", **more: Any): ...

    for name in ("hidden", "other"):
        found = problems_of(
            lambda name=name: bind(run, {name: 1}, profile=MCP, exclude=("hidden", "other"))
        )
        assert found == {f".{name}": 'unknown argument; allowed: "x"'}
    assert bind(run, {"third": 1}, profile=MCP, exclude="hidden").kwargs == {"third": 1}


def test_injected_values_never_come_from_a_caller():
    bound = bind(injecting, {"a": 1}, inject={"db": "DB", "ctx": "C"})

    assert bound.kwargs == bound.arguments == {"a": 1, "db": "DB", "ctx": "C"}
    assert problems_of(lambda: bind(injecting, {"a": 1, "db": 2}, inject={"db": "DB"})) == {
        ".db": 'unknown argument; allowed: "a"'
    }
    assert bind(injecting, {}, inject={"a": "any", "db": 1}).kwargs == {"a": "any", "db": 1}
    assert problems_of(lambda: bind(injecting, {"a": 2}, inject={"a": 1, "db": 1})) == {
        ".a": "unknown argument"
    }

    def first(db: Annotated[Any, Injected], x: int, /, **more: Any): ...

    bound = bind(first, {"x": 1, "y": 2}, profile=MCP, inject={"db": "DB"})
    assert (bound.args, bound.kwargs) == (("DB", 1), {"y": 2})
    assert bound.arguments == {"db": "DB", "x": 1, "more": {"y": 2}}


def test_mistakes_of_the_program_are_schema_errors():
    with pytest.raises(SchemaError) as caught:
        bind(injecting, {"a": 1})
    assert str(caught.value) == (
        "injecting(db): required but not part of the schema; pass inject={'db': ...}"
    )
    with pytest.raises(SchemaError) as caught:
        bind(injecting, {"a": 1}, inject={"db": 1, "ctxt": 2})
    assert str(caught.value) == (
        "injecting(): inject= names 'ctxt', which is not a parameter; did you mean ctx?"
    )
    with pytest.raises(SchemaError, match="expected a function, got 5"):
        bind(5, {})  # type: ignore[arg-type]
    with pytest.raises(SchemaError, match="profile must be a Profile"):
        bind(book, {}, profile="MCP")  # type: ignore[arg-type]
    with pytest.raises(SchemaError, match="profile must be a Profile"):
        json_to_value(1, int, profile="MCP")  # type: ignore[call-overload]
    with pytest.raises(SchemaError, match=r"^list\[complex\]\[\]: cannot read complex from JSON"):
        json_to_value([], list[complex])
    with pytest.raises(SchemaError, match="no 'Nowhere' in tests"):
        json_to_value([], "list[Nowhere]")
    with pytest.raises(SchemaError, match="a JSON object cannot have keys of type list") as caught:
        json_to_value({}, dict[list[int], int])  # type: ignore[type-var]
    assert caught.value.code == "other"
    for annotation in (dict[Exception, int], tuple[int, te.Unpack[tuple[Exception, ...]]]):
        with pytest.raises(SchemaError, match="cannot read Exception from JSON"):
            json_to_value({}, annotation)
    with pytest.raises(SchemaError) as caught:
        bind(untyped, {"a": 1}, profile=MCP.replace(untyped=None))
    assert str(caught.value).startswith("untyped(a): no annotation; add one")
    with pytest.raises(SchemaError, match=r"^untyped\(a\): type the a of untyped"):
        bind(untyped, {"a": 1}, profile=MCP.replace(untyped="type the {name} of {function}"))


def test_a_member_without_a_schema_is_left_out_of_its_union():
    for annotation in (
        int | abc.Callable,
        typing.Union["Nowhere", int],  # noqa: F821
        abc.Callable | complex | int,
        list[abc.Callable] | int,
    ):
        assert json_to_value(1, annotation, profile=MCP) == 1
    with pytest.raises(
        SchemaError, match=r"^Exception \| Callable: cannot read Exception from JSON"
    ):
        json_to_value(1, Exception | abc.Callable, profile=MCP)


def test_a_binder_is_prepared_once():
    calls = []

    class Odd:
        @classmethod
        def __milo_schema__(cls, _walk):
            calls.append(1)
            return {"type": "integer"}

        @classmethod
        def __milo_from_json__(cls, json):
            return json

    def run(x: Odd, y: Odd | None = None): ...

    bound = binder(run, profile=MCP)
    assert [bound({"x": at}).kwargs for at in (1, 2)] == [{"x": 1}, {"x": 2}]
    assert len(calls) == 1
    assert bound.func is run
    assert repr(bound) == "<Binder run()>"


def test_values_share_nothing_with_the_json():
    def run(anything: Any, things: list[Any], more: dict[str, Any]): ...

    arguments: Any = {"anything": [{"a": []}], "things": [[1]], "more": {"b": {}}}
    before = copy.deepcopy(arguments)
    kwargs = bind(run, arguments, profile=MCP).kwargs
    assert kwargs == before
    kwargs["anything"][0]["a"].append(1)
    kwargs["things"][0].append(2)
    kwargs["more"]["b"]["c"] = 3

    assert arguments == before


def test_text_in_a_container_is_read_by_the_first_member_of_a_union_that_accepts_it():
    day = datetime.date(2026, 1, 1)

    assert json_to_value(["2026-01-01", "a"], list[datetime.date | str]) == [day, "a"]
    assert json_to_value({"x": "2026-01-01"}, dict[str, datetime.date | str]) == {"x": day}


# -- None --------------------------------------------------------------------------------------


@dataclass
class Limits:
    limit: int = 5
    most: int | None = 6


class Ranges(pydantic.BaseModel):
    first: int
    last: int = 9
    note: str | None = "none"
    inner: "list[Ranges] | None" = None
    other: "Ranges | int" = 0
    pair: tuple[int, int] = (1, 2)


def test_none_is_accepted_wherever_the_annotation_has_it():
    def run(a: int | None, b: Optional[Limits] = None): ...

    for profile in (MCP, profiles.MILO, STRICT):
        assert bind(run, {"a": None, "b": None}, profile=profile).kwargs == {"a": None, "b": None}


def test_null_for_a_missing_value_is_removed():
    def run(word: str | None, limits: Limits, count: int = 3, most: int | None = 5): ...

    arguments = {"word": None, "limits": {"limit": None, "most": None}, "count": None, "most": None}
    bound = bind(run, arguments, profile=STRICT.replace(name="mine"))
    assert bound.kwargs == {"word": None, "limits": Limits(5, None), "most": None}
    assert problems_of(lambda: bind(run, arguments, profile=MCP)) == {
        ".limits.limit": "expected an integer, got null",
        ".count": "expected an integer, got null",
    }


def test_null_for_a_missing_value_is_removed_in_pydantic_models():
    def run(ranges: Ranges): ...

    inner = {"first": 1, "last": None, "note": None, "inner": None}
    arguments = {"ranges": {**inner, "inner": [inner], "other": inner, "pair": None}}
    expected = Ranges(first=1, note=None)
    bound = bind(run, arguments, profile=STRICT.replace(transforms=()))
    assert bound.kwargs["ranges"] == Ranges(first=1, note=None, inner=[expected], other=expected)
    found = problems_of(lambda: bind(run, {"ranges": {"first": None, "other": []}}, profile=STRICT))
    assert found[".ranges.first"] == "expected an integer, got null"


def test_a_closed_profile_closes_models_of_pydantic():
    closed = MCP.replace(closed="everything")

    assert json_to_value({"first": 1, "x": 2}, Ranges, profile=MCP) == Ranges(first=1)
    assert refusal({"first": 1, "x": 2}, Ranges, profile=closed) == {
        ".x": 'unknown property; allowed: "first", "last", "note", "inner", "other", "pair"'
    }


def test_an_exception_of_a_pydantic_validator_is_a_problem():
    class Angry(pydantic.BaseModel):
        x: int

        @pydantic.field_validator("x")
        @classmethod
        def check(cls, value: int) -> int:
            raise ValueError("no")

    assert refusal({"x": 1}, Angry) == {".x": "Value error, no"}

    class Crowd(pydantic.BaseModel):
        people: list[Angry]

    sent = {"people": [{"x": 1}, {"x": 2}]}
    assert refusal(sent, Crowd) == {f".people[{at}].x": "Value error, no" for at in (0, 1)}


def test_a_default_in_a_field_of_pydantic_is_filled_in():
    @dataclass
    class Box:
        size: int = pydantic.Field(3, ge=1)

    def run(
        box: Box,
        count: int = pydantic.Field(4),
        tags: list[str] = pydantic.Field(default_factory=list),  # noqa: B008
        own: Annotated[int, pydantic.Field(default=5)] = 6,
    ) -> tuple[Any, ...]:
        return box.size, count, tags, own

    prepared = binder(run, profile=MCP)
    bound, other = prepared({"box": {}}), prepared({"box": {"size": 2}, "count": 1, "own": 0})
    assert run(*bound.args, **bound.kwargs) == (3, 4, [], 6)
    assert run(*other.args, **other.kwargs) == (2, 1, [], 0)
    assert bound.kwargs["tags"] is not other.kwargs["tags"]


# -- repair ------------------------------------------------------------------------------------


def repaired(json_value: Any, annotation: Any) -> Any:
    return json_to_value(json_value, annotation, profile=MCP, repair=True)


REPAIRED: list[tuple[Any, Any, Any]] = [  # values of Python; the JSON is that of test_repair.py
    ('{"firstDay": "2026-07-28"}', Model, Model(firstDay=DAY)),
    ("[1]", Point, Point(1)),
    ("1", Access, Access.READ),
    ("2", Even, Even(2)),
    ("1", Literal[1], 1),
    ("[1]", Literal["a"] | list[int], [1]),
    ("[1]", datetime.date | list[int], [1]),
    ("5", Annotated[int, Ge(1)], 5),
    ("[1]", Annotated[str | list[int], MinLen(1)], "[1]"),
    ("[1]", Annotated[Literal["a"] | list[int], MinLen(1)], [1]),
    ("-1.5", Annotated[decimal.Decimal, Ge(-2)], decimal.Decimal("-1.5")),
    ("0.3", Annotated[decimal.Decimal, MultipleOf(0.1)], decimal.Decimal("0.3")),
    ("1E+999", Annotated[decimal.Decimal, MultipleOf(2)], decimal.Decimal("1E+999")),
    ("5.0 ", Optional[int], 5),
    ("abcd", bytes, b"i\xb7\x1d"),
    ("1", dict | str, "1"),
    ({"1": "2"}, dict[str, int], {"1": 2}),
]  # fmt: skip


@every("row", REPAIRED, ids=lambda row: f"{row[0]!r} as {row[1]!r}")
def test_a_string_with_json_is_repaired(row):
    json_value, annotation, expected = row
    value = repaired(json_value, annotation)

    assert value == expected
    assert type(value) is type(expected)


NOT_REPAIRED: list[tuple[Any, Any, dict[str, str]]] = [
    ("{}", list[int], {"": 'expected an array of integers, got "{}"'}),
    ("[" * 100_000, list[Any], {"": f'expected an array, got "{"[" * 57}..."; not valid JSON: '
           "nested deeper than 200 levels (line 1, column 201)"}),
    ("abc", Annotated[str, MinLen(5)], {"": "must have at least 5 characters, got 3"}),
    ("2026", datetime.date, {"": 'expected a date such as 2026-01-31, got "2026"'}),
    ({"a": 1}, dict[int, int], {".a": 'as a key, expected an integer, got "a"'}),
    ("1.5", Optional[int], {"": 'expected an integer or null, got "1.5"'}),
]  # fmt: skip


@every("row", NOT_REPAIRED, ids=lambda row: f"{row[0]!r:.60} as {row[1]!r}")
def test_a_string_without_json_is_not_repaired(row):
    json_value, annotation, expected = row

    assert problems_of(lambda: repaired(json_value, annotation)) == expected


# -- hostile arguments -------------------------------------------------------------------------


def nested(levels: int, kind: Any = list) -> Any:
    value = inner = kind()
    for _ in range(levels):
        deeper = kind()
        inner.append(deeper) if kind is list else inner.update(value=1, next=deeper)
        inner = deeper
    return value


Endless = te.TypeAliasType("Endless", "list[Endless]")
DEEP = f"nested deeper than {MAX_JSON_DEPTH} levels"


@pytest.mark.parametrize(
    ("annotation", "step"),
    [
        (Any, "[0]"),
        (Endless, "[0]"),
        (Single, "[0]"),
        (Link, "[0]"),
        (Tree, "[0]"),
        (list[int] | list[Any], "[0]"),
        (Node, ".next"),
        (Node | Item, ".next"),
    ],
    ids=str,
)
def test_json_that_is_nested_too_deeply_is_refused_with_its_path(annotation, step):
    with pytest.raises(ArgumentsError) as caught:
        json_to_value(nested(10_000, list if step == "[0]" else dict), annotation, profile=MCP)

    problems = caught.value.problems
    assert (DEEP, "too-deep") in [(each.message, each.code) for each in problems]
    assert problems[0].path.count(step) == MAX_JSON_DEPTH


def test_json_that_is_less_deep_is_read():
    wide = MAX_JSON_DEPTH + 1
    assert json_to_value([[]] * wide, list[list[int]], profile=MCP) == [[]] * wide
    assert json_to_value([{"value": 1}] * wide, list[Node], profile=MCP) == [Node(1)] * wide
    assert json_to_value(nested(MAX_JSON_DEPTH - 1), Endless, profile=MCP) == nested(
        MAX_JSON_DEPTH - 1
    )
    node: Any = {"value": 0}
    for _ in range(150):
        node = {"value": 1, "next": node}
    found = json_to_value(node, Node, profile=MCP)
    for _ in range(150):
        found = found.next
    assert found == Node(0)


def test_a_caller_deep_in_the_stack_gets_an_error():
    def deeper(levels: int) -> Any:
        return deeper(levels - 1) if levels else json_to_value(nested(150), Endless, profile=MCP)

    reached = False
    for levels in range(100, 1_000, 100):
        try:
            deeper(levels)
        except ArgumentsError as problem:
            text = "nested too deeply for the space left on Python's stack"
            found = [(each.message, each.code) for each in problem.problems]
            assert found == [(text, "too-deep")]
            reached = True
        except (RecursionError, SchemaError):
            break
    assert reached


def test_similar_records_in_a_union_are_tried_once_each():
    namespace: dict[str, Any] = {"dataclass": dataclass}
    for at in range(40):
        inner = f"A{at - 1} | B{at - 1}" if at else "int"
        exec(
            f"@dataclass\nclass A{at}:\n    x: {inner}\n    y: int = 0\n"
            f"@dataclass\nclass B{at}:\n    x: {inner}\n    y: str = ''\n",
            namespace,
        )
    value: Any = "bad"
    for _ in range(40):
        value = {"x": value, "y": "b"}
    union = namespace["A39"] | namespace["B39"]

    assert refusal(value, union) == {".x" * 40: 'expected an integer, got "bad"'}


HOSTILE: list[tuple[Any, Any]] = [
    ("9" * 10_000_000, int),
    ("9" * 10_000_000, datetime.date),
    ("9" * 10_000_000, datetime.timedelta),
    ("P" + "9" * 5_000 + "D", datetime.timedelta),
    ("P" + "9" * 10 + "D", datetime.timedelta),
    ("9" * 10_000_000, uuid.UUID),
    ("9" * 1_000_000, Color),
    ("9" * 1_000_000 + "x", decimal.Decimal),
    ("=" * 10_000_000, bytes),
    (["x"] * 100_000, list[int]),
    ({str(at): "x" for at in range(10_000)}, dict[str, int]),
    ([[at] for at in range(10_000)], set[int]),
    ([*range(10_000), 7], set[int]),
    (json.loads("[1e400]"), list[float]),
    ("1E+999999999999999999999x", decimal.Decimal),
    ("\x00", datetime.date),
    ("../../etc/passwd", __import__("zoneinfo").ZoneInfo),
    ("(" * 5_000, re.Pattern),
    (nested(500), Literal["a"] | set[frozenset[int]]),
]


@every("row", HOSTILE, ids=lambda row: str(row[1]))
def test_hostile_values_are_refused(row):
    with pytest.raises(ArgumentsError) as caught:
        json_to_value(*row, profile=MCP)

    assert len(str(caught.value)) <= 20_000


def test_names_of_python_attributes_are_ordinary_names():
    def run(x: int = 0): ...

    wrong = {"__class__": 1, "__init__": 2, "self": 3, "\ud800": 4, "x" * 10_000: 5}
    found = problems_of(lambda: bind(run, wrong, profile=MCP))
    assert list(found)[:3] == [".__class__", ".__init__", ".self"]
    assert len(found) == 5
    assert json_to_value({"value": 1, "__class__": 2, "__dict__": 3}, Node) == Node(1)
    assert json_to_value({"__class__": 1}, dict[str, int]) == {"__class__": 1}


# -- mistakes of the program -------------------------------------------------------------------


FIRST = "the JSON comes first"


@pytest.mark.parametrize(
    ("json", "annotation", "reason"),
    [
        (int, 5, f"int is not JSON; {FIRST}: json_to_value(5, int)"),
        (int, "5", f"int is not JSON; {FIRST}: json_to_value('5', int)"),
        (list[int], [5], f"[5] is not an annotation; {FIRST}, then the annotation"),
        *(
            ("", json, f"{display(json)} is not an annotation; {FIRST}, then the annotation")
            for json in (1, 0.5, True, {"a": 1})
        ),
    ],
    ids=repr,
)
def test_json_in_the_place_of_the_annotation_is_an_error(json, annotation, reason):
    with pytest.raises(SchemaError) as caught:
        json_to_value(json, annotation)
    assert caught.value.message == reason
    assert caught.value.path == f"json_to_value({display(json)}, {display(annotation)})"


def decorated(func: Any) -> Any:
    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    return wrapper


class Shop:
    def find(self, word: str) -> str:
        return word

    @decorated
    def sell(self, word: str) -> str:
        return word

    @classmethod
    def open(cls, word: str) -> str:
        return word

    part = functools.partialmethod(find, word="a")


def loose(self, word: str) -> str:
    return word


@pytest.mark.parametrize(
    ("func", "expected"),
    [
        (Shop.find, "Shop.find: its 'self' is missing; pass Shop().find"),
        (Shop.sell, "Shop.sell: its 'self' is missing; pass Shop().sell"),
        (functools.partial(Shop.find), "Shop.find: its 'self' is missing; pass Shop().find"),
        (loose, "loose: its 'self' is missing; pass a bound method, or rename it"),
        (Shop.part, "_method: its 'self' is missing; pass a bound method, or rename it"),
    ],
)  # fmt: skip
def test_a_method_without_its_instance_is_refused(func, expected):
    function_to_schema(func)  # its schema is that of the method
    with pytest.raises(SchemaError) as caught:
        binder(func)
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    "func",
    [
        Shop().find,
        Shop().sell,
        Shop().part,
        Shop.open,
        decorated(Shop().find),
        functools.partial(Shop.find, Shop()),
        functools.partial(Shop.find, self=Shop()),
        decorated(functools.partial(Shop.find, Shop())),
    ],
    ids=range(8),
)
def test_a_method_with_its_instance_is_called(func):
    bound = binder(func)({"word": "tea"})
    assert func(*bound.args, **bound.kwargs) == "tea"


# -- one check for every text, and other limits ------------------------------------------------

HALF = "a\ud800"


@every("annotation", [str, pathlib.Path, pathlib.PurePath, collections.UserString, re.Pattern])
def test_half_of_a_surrogate_pair_is_refused_as_text_of_any_type(annotation):
    with pytest.raises(ArgumentsError, match="a lone surrogate"):
        json_to_value(HALF, annotation)
    with pytest.raises(ArgumentsError):
        json_to_value(HALF, Literal["a"] | annotation)


def test_a_regular_expression_of_a_caller_has_a_limit_and_does_not_warn():
    assert json_to_value("a" * 300, re.Pattern).pattern == "a" * 300
    with pytest.raises(ArgumentsError, match="longer than 300 characters"):
        json_to_value("a" * 301, re.Pattern)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert json_to_value("[[a]", re.Pattern).pattern == "[[a]"


def test_a_time_zone_does_not_tell_the_folders_of_the_server():
    for sent in ("../../etc/passwd", "/etc/passwd", "Europe/Nowhere", "", "a b"):
        with pytest.raises(ArgumentsError) as caught:
            json_to_value(sent, zoneinfo.ZoneInfo)
        (problem,) = caught.value.problems
        expected = f"expected a time zone such as Europe/Berlin, got {json.dumps(sent)}"
        assert problem.message == expected


def test_a_time_zone_has_a_name_without_dots_and_spaces(tmp_path):
    """Python looks up any name in the folders of time zones, and in a package by its parts."""
    utc = struct.pack(">4s16x6l6x4s", b"TZif", 0, 0, 0, 0, 1, 4, b"UTC")  # RFC 8536, section 3
    for name in ("Local", "local.time"):
        (tmp_path / name).write_bytes(utc)
    zoneinfo.reset_tzpath([tmp_path])
    try:
        assert zoneinfo.ZoneInfo("local.time").key == "local.time"
        assert json_to_value("Local", zoneinfo.ZoneInfo) == zoneinfo.ZoneInfo("Local")
        with pytest.raises(ArgumentsError):
            json_to_value("local.time", zoneinfo.ZoneInfo)
    finally:
        zoneinfo.reset_tzpath()


class Undecodable:
    """No decoder can make a value of it."""


def test_a_parameter_with_a_default_and_without_a_decoder_may_be_left_out():
    def f(a: int, b: Undecodable = None): ...  # type: ignore[assignment]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert bind(f, {"a": 1}, profile=MCP).kwargs == {"a": 1}
        assert problems_of(lambda: bind(f, {"a": 1, "b": 2}, profile=MCP)) == {
            ".b": "cannot read Undecodable from JSON; add decoders={...} to the profile"
        }

    def g(b: Undecodable): ...

    with pytest.raises(SchemaError, match="cannot read Undecodable from JSON"):
        bind(g, {"b": 1}, profile=MCP)


@dataclass
class WithTag:
    kind: Literal["cat"]
    lives: int


@dataclass
class WithOtherTag:
    kind: Literal["dog"]
    lives: int
    name: int
    age: int


@dataclass(kw_only=True)
class WithDefaultTag:
    kind: Literal["cat"] = "cat"
    size: Literal["s", "l"] = "s"
    lives: int


@dataclass(kw_only=True)
class WithOtherDefaultTag:
    kind: Literal["dog"] = "dog"
    size: Literal["s", "l"] = "s"
    name: str


class ModelWithTag(pydantic.BaseModel):
    kind: Literal["cat"]
    lives: int


class ModelWithOtherTag(pydantic.BaseModel):
    kind: Literal["dog"]


class ModelWithDefaultTag(pydantic.BaseModel):
    kind: Literal["dog"] = "dog"


UNIONS = [
    WithTag | WithOtherTag,
    WithDefaultTag | WithOtherDefaultTag,
    ModelWithTag | ModelWithDefaultTag,
    ModelWithTag | ModelWithOtherTag,
    Annotated[ModelWithTag | ModelWithOtherTag, pydantic.Field(discriminator="kind")],
]


@every("annotation", UNIONS)
def test_an_unknown_tag_is_one_problem_with_all_tags(annotation):
    assert problems_of(lambda: json_to_value({"kind": "bird"}, annotation, profile=MCP)) == {
        ".kind": 'expected one of "cat", "dog", got "bird"'
    }
    assert [*refusal({"kind": "cat"}, annotation)] == [".lives"]


def test_a_property_with_values_that_members_share_is_no_tag():
    union = WithDefaultTag | WithOtherDefaultTag
    assert refusal({"size": "m", "lives": "x"}, union) == {
        ".size": 'expected one of "s", "l", got "m"',
        ".lives": 'expected an integer, got "x"',
    }


def test_the_problems_are_those_of_the_member_with_the_tag_even_if_it_has_more():
    sent = {"kind": "dog", "lives": "a", "name": "b", "age": "c"}
    assert [*refusal(sent, WithTag | WithOtherTag)] == [".lives", ".name", ".age"]
    sent = {"kind": "dog", "lives": 1, "name": 2}  # type: ignore[dict-item]
    assert [*refusal(sent, WithDefaultTag | WithOtherDefaultTag)] == [".name"]


def test_null_in_an_array_is_not_a_missing_value():
    class Pair(NamedTuple):
        x: int
        y: int = 2

    def at(p: Pair): ...

    strict = profiles.OPENAI_STRICT
    assert bind(at, {"p": [1]}, profile=strict).kwargs == {"p": Pair(1)}
    assert problems_of(lambda: bind(at, {"p": [1, None]}, profile=strict)) == {
        ".p[1]": "expected an integer, got null"
    }


class Parts(pydantic.BaseModel):
    number: int = 0
    numbers: set[int] = set()
    moment: datetime.datetime | None = None
    nested: list[dict[str, int]] = []


def test_a_model_is_exactly_what_its_schema_accepts():
    assert json_to_value({"number": 1.0}, Parts, profile=MCP) == Parts(number=1)
    sent = {"nested": [{"a": 2.0}], "moment": "2026-01-31T12:00:00Z"}
    assert json_to_value(sent, Parts, profile=MCP).nested == [{"a": 2}]
    assert problems_of(lambda: json_to_value({"numbers": [1, 1]}, Parts, profile=MCP)) == {
        ".numbers": "must be unique; items 0 and 1 are equal"
    }
    with pytest.raises(ArgumentsError, match=r"\.moment: must have the format .date-time"):
        json_to_value({"moment": "1700000000"}, Parts, profile=MCP)


def test_a_pattern_of_bytes_is_one_of_bytes():
    assert json_to_value("a\xe9", re.Pattern[bytes], profile=MCP) == re.compile(b"a\xe9")
    with pytest.raises(ArgumentsError, match="expected a regular expression"):
        json_to_value("\u20ac", re.Pattern[bytes], profile=MCP)  # no byte has this number


def paint(color: Color, size: int = 1) -> None: ...


def test_a_binder_can_be_compared_copied_and_pickled():
    bound = binder(paint, profile=MCP, exclude=["size"], repair=True)

    for other in (copy.copy(bound), copy.deepcopy(bound), pickle.loads(pickle.dumps(bound))):
        assert other == bound
        assert hash(other) == hash(bound)
        assert other({"color": '"red"'}).arguments == {"color": Color.RED}
    assert bound != binder(paint, profile=MCP, exclude=["size"])
    assert bound != binder(paint, exclude=["size"], repair=True)
    assert bound != binder(paint, profile=MCP, repair=True)
    assert bound != "paint"
    named = binder(paint, localns={"Colour": Color})
    assert named.localns["Colour"] is Color
    assert copy.copy(named) == named != binder(paint)


# -- arguments that no parameter takes ---------------------------------------------------------


def test_unknown_arguments_are_dropped_if_the_profile_says_so():
    def stay(nights: int, user: str = "nobody", **more: int): ...

    dropping = MCP.replace(unknown_arguments="drop", variadics="omit", injected_names={"user"})
    sent = {"nights": 1, "z": [{}]}
    assert bind(stay, sent, profile=dropping).arguments == {"nights": 1}
    with pytest.raises(ArgumentsError, match=r"\.z: unknown argument"):
        bind(stay, sent, profile=dropping.replace(unknown_arguments="refuse"))
    assert bind(stay, {**sent, "user": "admin"}, profile=dropping).arguments == {"nights": 1}

    def alone(nights: int): ...

    with pytest.raises(ArgumentsError, match=r"\.z: unknown argument"):
        bind(alone, sent, profile=profiles.MILO.replace(variadics="open"))

    class More(TypedDict, total=False):
        a: int

    def keyed(nights: int, **more: Unpack[More]): ...

    opened = profiles.MILO.replace(variadics="open")
    for func, profile, exclude in [
        (stay, opened, ["more"]),
        (stay, opened.replace(variadics="properties"), []),
        (keyed, opened, []),
    ]:
        with pytest.raises(ArgumentsError, match=r"\.z: unknown argument"):
            bind(func, sent, profile=profile, exclude=exclude)

    opened = dropping.replace(variadics="open")
    assert bind(stay, {"nights": 1, "z": 2}, profile=opened).kwargs == {"nights": 1, "z": 2}
    with pytest.raises(ArgumentsError, match=r"\.z: expected an integer, got an array"):
        bind(stay, sent, profile=opened)
    assert bind(stay, {"nights": 1, "user": "admin"}, profile=opened).kwargs == {"nights": 1}


# -- frameworks ----------------------------------------------------------------------------------


def test_a_partial_call_may_lack_what_is_injected_and_nothing_else():
    def stay(nights: int, ctx: object, breakfast: bool = True): ...

    bound = binder(stay, profile=MCP.replace(injected_names={"ctx"}))
    with pytest.raises(SchemaError, match="required but not part of the schema"):
        bound({"nights": 1})
    partly = bound({"nights": 1}, partial=True)
    assert partly.arguments == {"nights": 1}
    partly.apply_defaults()
    assert partly.arguments == {"nights": 1, "breakfast": True}
    assert bound({"nights": 1}, {"ctx": 2}, partial=True).arguments == {"nights": 1, "ctx": 2}
    with pytest.raises(ArgumentsError, match="required but not given"):
        bound({}, partial=True)
    with pytest.raises(SchemaError, match="did you mean ctx"):
        bound({"nights": 1}, {"ctxt": 2}, partial=True)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"a": 1}, {"a": 1, "b": 2, "args": (), "c": 3, "kwargs": {}}),
        ({"a": 1, "c": 4}, {"a": 1, "b": 2, "args": (), "c": 4, "kwargs": {}}),
        (
            {"a": 1, "args": [5], "kwargs": {"x": 6}},
            {"a": 1, "b": 2, "args": (5,), "c": 3, "kwargs": {"x": 6}},
        ),
    ],
)
def test_defaults_are_applied_as_by_inspect(sent, expected):
    def run(a: int, /, b: int = 2, *args: int, c: int = 3, **kwargs: int):
        return a, b, args, c, kwargs

    bound = bind(run, sent, profile=MCP.replace(variadics="properties"))
    before = run(*bound.args, **bound.kwargs)
    theirs = inspect.signature(run).bind(*bound.args, **bound.kwargs)
    theirs.apply_defaults()
    bound.apply_defaults()

    assert bound.arguments == expected == theirs.arguments
    assert [*bound.arguments] == [*theirs.arguments]
    assert run(*bound.args, **bound.kwargs) == before


@pytest.mark.parametrize(
    ("untyped", "expected"),
    [
        ({"type": "string"}, "a string"),
        ({"type": ["integer", "null"]}, "an integer or null"),
        ({"anyOf": [{"type": "integer"}, {"enum": ["a"]}]}, "an integer or a string"),
        ({"not": {}}, "any JSON value"),
    ],
)
def test_an_argument_without_an_annotation_is_called_what_its_schema_says(untyped, expected):
    def find(query): ...

    with pytest.raises(ArgumentsError) as refused:
        bind(find, {"query": {}}, profile=MCP.replace(untyped=untyped))
    assert str(refused.value) == f"find(): .query: expected {expected}, got an object"


def test_a_pydantic_model_may_have_our_objects_in_its_fields():
    class Tool(pydantic.BaseModel):
        call: Binder[Any]
        definition: ToolSchema
        profile: Profile

    made = Tool(call=binder(paint), definition=tool_schema(paint), profile=MCP)
    assert made.profile is MCP
    assert made.call.func is paint
    with pytest.raises(pydantic.ValidationError):
        Tool(call=paint, definition=made.definition, profile=MCP)  # type: ignore[arg-type]
    with pytest.raises(pydantic.ValidationError):
        Tool(call=made.call, definition=made.definition, profile="MCP")  # type: ignore[arg-type]


Loop = te.TypeAliasType("Loop", Annotated["Loop", "text"])
Maybe = te.TypeAliasType("Maybe", "Maybe | None")


@pytest.mark.parametrize("alias", [Loop, Maybe])
def test_an_alias_that_only_leads_to_itself_is_refused_before_a_value_is_read(alias):
    reason = "refers directly to itself; put a container in"
    with pytest.raises(SchemaError, match=rf"^{alias.__name__}: {reason}"):
        json_to_value(1, alias)


def test_one_object_in_several_places_becomes_several_values():
    sent = {"value": 1}
    for annotation in (list[Node | Item], list[Node] | list[Item]):
        made = json_to_value([sent, sent, sent], annotation)
        assert made == [Node(1), Node(1), Node(1)]
        assert len({*map(id, made)}) == 3


@pytest.mark.parametrize(
    ("item", "value", "factory"),
    [(list[int], [1], list), (int, 1, int), (uuid.UUID, str(uuid.UUID(int=1)), None)],
)
def test_a_defaultdict_makes_missing_values_of_its_item_type_if_that_is_plain(item, value, factory):
    made = json_to_value({"a": value}, collections.defaultdict[str, item])
    assert (type(made), made.default_factory) == (collections.defaultdict, factory)


def test_a_reference_in_a_schema_of_your_own_is_asserted():
    count = Schema({"$ref": "#/$defs/Count", "$defs": {"Count": {"type": "integer"}}})

    def takes(x: Annotated[Any, count]): ...

    assert function_to_schema(takes)["properties"] == {"x": {"type": "integer"}}
    assert bind(takes, {"x": 1}).kwargs == {"x": 1}
    with pytest.raises(ArgumentsError, match="expected an integer"):
        bind(takes, {"x": "many"})


def test_a_set_that_cannot_be_made_raises_what_its_class_raises():
    class Picky(set[int]):
        def __init__(self, items: Any) -> None:
            raise TypeError("too picky")

    with pytest.raises(TypeError, match="too picky"):
        json_to_value([1], Picky)


def test_a_null_of_strict_mode_is_left_out_before_a_validator_of_a_model():
    class Checked(pydantic.BaseModel):
        a: pydantic.StrictInt
        b: str = "x"

        @pydantic.model_validator(mode="before")
        @classmethod
        def check(cls, value: Any) -> Any:
            return value

    def func(m: Checked): ...

    func.__annotations__["m"] = Checked
    bound = bind(func, {"m": {"a": 1, "b": None}}, profile=profiles.OPENAI_STRICT)
    assert bound.arguments == {"m": Checked(a=1)}
    assert bind(func, {"m": {"a": 1.0}}, profile=MCP).arguments == {"m": Checked(a=1)}


def test_a_default_that_is_a_pattern_only_python_reads_is_left_out():
    def func(a: re.Pattern[str] = re.compile("(a)?(?(1)b|c)"), b: Any = re.compile("b")): ...

    func.__annotations__["b"] = re.Pattern[str]
    properties = function_to_schema(func, profile=profiles.MCP)["properties"]
    assert ["default" in properties[name] for name in "ab"] == [False, True]
