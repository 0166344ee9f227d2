"""Functions to call: results of every kind, failures, and arguments that fit or do not fit."""

import dataclasses
import datetime
import enum
import functools
import ipaddress
import pathlib
import uuid
from collections import OrderedDict, defaultdict, deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Optional

from pydantic import AfterValidator, AnyUrl, BaseModel, Field
from typing_extensions import TypedDict  # pydantic takes that of typing from Python 3.12 on

from tests import judges


class Call(NamedTuple):
    """A function, and the arguments that a client sends."""

    func: Callable[..., Any]
    arguments: dict[str, Any]


# -- types -------------------------------------------------------------------------------------


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


class Word(enum.StrEnum):
    YES = "yes"


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


class Point(NamedTuple):
    x: int
    y: int = 0


class Movie(TypedDict):
    title: str
    year: NotRequired[int]


@dataclasses.dataclass
class Address:
    street: str
    number: int | None = None


@dataclasses.dataclass
class Person:
    name: str
    home: Address
    seen: list[datetime.date] = dataclasses.field(default_factory=list)


class Item(BaseModel):
    name: str
    price: float = 1.5
    tags: list[str] = []


class Special(Item):
    extra: int = 7


class Order(BaseModel):
    id: uuid.UUID
    items: list[Item]
    note: str | None = None


class Renamed(BaseModel):
    last_name: str = Field(alias="lastName")


class Tree(BaseModel):
    value: int
    children: list["Tree"] = []


class Plain:
    count: int

    def __init__(self) -> None:
        self.count = 3


class Silent:
    def __str__(self) -> str:
        return "silent"


DAY = datetime.date(2026, 7, 28)
MOMENT = datetime.datetime(2026, 7, 28, 12, 30, tzinfo=datetime.UTC)
ID = uuid.UUID(int=7)
ADDRESS = Address("Main")
PERSON = Person("Ada", ADDRESS, [DAY])
ITEM = Item(name="tea")
SPECIAL = Special(name="tea")
ORDER = Order(id=ID, items=[ITEM])
TREE = Tree(value=1, children=[Tree(value=2)])
PIXEL = b"\x89PNG\r\n\x1a\n"


# -- results -----------------------------------------------------------------------------------

NONE = object()
"""Stands for no annotation."""

VALUES: dict[str, tuple[Any, Any]] = {
    # text
    "text": (str, "Hello"),
    "empty_text": (str, ""),
    "prose": (str, '# Title\n\nA "quoted" line, ü.'),
    "text_that_is_json": (str, '{"a": 1}'),
    "no_text": (str | None, None),
    "maybe_text": (str | None, "x"),
    "literal": (Literal["a", "b"], "a"),
    # numbers and the like
    "integer": (int, 7),
    "huge": (int, 2**53 + 1),
    "floating": (float, 2.5),
    "whole_float": (float, 2.0),
    "integer_for_float": (float, 3),
    "float_for_integer": (int, 3.0),
    "boolean": (bool, True),
    "nothing": (None, None),
    "maybe_integer": (Optional[int], None),
    "constrained": (Annotated[int, Field(ge=0)], 5),
    "described": (Annotated[str, Field(description="A name.")], "Ada"),
    "int_or_text": (int | str, "a"),
    "literal_number": (Literal[1, 2], 2),
    # texts of other types
    "date": (datetime.date, DAY),
    "moment": (datetime.datetime, MOMENT),
    "duration": (datetime.timedelta, datetime.timedelta(hours=1, seconds=5)),
    "time_of_day": (datetime.time, datetime.time(12, 30, tzinfo=datetime.UTC)),
    "decimal": (Decimal, Decimal("1.50")),
    "identifier": (uuid.UUID, ID),
    "path": (pathlib.PurePosixPath, pathlib.PurePosixPath("/srv/a")),
    "address": (ipaddress.IPv4Address, ipaddress.IPv4Address("10.0.0.1")),
    "url": (AnyUrl, AnyUrl("https://a.example/x")),
    "raw": (bytes, b"abc"),
    "raw_with_umlaut": (bytes, "ü".encode()),
    "dates": (list[datetime.date], [DAY]),
    "date_by_name": (dict[str, datetime.date], {"a": DAY}),
    "date_or_text": (datetime.date | str, DAY),
    # enums
    "color": (Color, Color.RED),
    "size": (Size, Size.LARGE),
    "word": (Word, Word.YES),
    "rights": (Rights, Rights.READ),
    "colors": (list[Color], [Color.RED, Color.BLUE]),
    # lists
    "texts": (list[str], ["a", "b"]),
    "one_text": (list[str], ["a"]),
    "no_items": (list[int], []),
    "numbers": (list[int], [1, 2]),
    "matrix": (list[list[int]], [[1], [2, 3]]),
    "items": (list[Item], [ITEM]),
    "people": (list[Person], [PERSON]),
    "objects": (list[dict[str, Any]], [{"a": 1}, {"b": None}]),
    "maybe_items": (list[int | None], [1, None]),
    "pair": (tuple[int, str], (1, "a")),
    "many": (tuple[int, ...], (1, 2)),
    "bare_list": (list, [1, "a"]),
    "distinct": (set[int], {3}),
    "frozen": (frozenset[str], frozenset({"a"})),
    "queue": (deque[int], deque([1, 2])),
    "sequence": (Sequence[int], [1]),
    "maybe_list": (list[int] | None, [1]),
    "no_list": (list[int] | None, None),
    # objects
    "counts": (dict[str, int], {"a": 1}),
    "no_counts": (dict[str, int], {}),
    "anything_by_name": (dict[str, Any], {"a": [1, {"b": None}]}),
    "by_number": (dict[int, str], {1: "a"}),
    "by_color": (dict[Color, int], {Color.RED: 1}),
    "bare_dict": (dict, {"a": 1}),
    "mapping": (Mapping[str, int], {"a": 1}),
    "ordered": (OrderedDict[str, int], OrderedDict(a=1)),
    "lists_by_name": (dict[str, list[int]], {"a": [1]}),
    "model_by_name": (dict[str, Item], {"a": ITEM}),
    "maybe_dict": (dict[str, int] | None, {"a": 1}),
    "defaults": (defaultdict[str, int], defaultdict(int, a=1)),
    # records
    "model": (Item, ITEM),
    "nested_model": (Order, ORDER),
    "subclass": (Item, SPECIAL),
    "maybe_model": (Item | None, ITEM),
    "no_model": (Item | None, None),
    "model_or_error": (Item | Address, ADDRESS),
    "recursive": (Tree, TREE),
    "renamed": (Renamed, Renamed(lastName="L")),
    "dataclass": (Address, ADDRESS),
    "nested_dataclass": (Person, PERSON),
    "typed_dict": (Movie, {"title": "M"}),
    "typed_dicts": (list[Movie], [{"title": "M", "year": 1}]),
    "named_tuple": (Point, Point(1, 2)),
    "named_tuples": (list[Point], [Point(1)]),
    "annotated_class": (Plain, Plain()),
    "object_for_model": (Item, {"name": "tea"}),
    "objects_for_models": (list[Item], [{"name": "tea"}]),
    "model_for_object": (dict[str, Any], ITEM),
    "object_for_dataclass": (Address, {"street": "Main", "number": 1}),
    "tuple_for_list": (list[int], (1, 2)),
    "list_for_tuple": (tuple[int, str], [1, "a"]),
    "iso_text_for_date": (datetime.date, "2026-07-28"),
    "wrong_number": (int, "many"),
    "wrong_item": (list[int], [1, "a"]),
    "missing_key": (Movie, {"year": 1}),
    # any value
    "any_number": (Any, 1),
    "any_text": (Any, "a"),
    "any_object": (Any, {"a": 1}),
    "any_list": (Any, [1, "a"]),
    "any_model": (Any, ITEM),
    "any_nothing": (Any, None),
    "an_object": (object, {"a": 1}),
    # no annotation
    "bare_text": (NONE, "a"),
    "bare_number": (NONE, 1),
    "bare_boolean": (NONE, True),
    "bare_nothing": (NONE, None),
    "bare_object": (NONE, {"a": 1}),
    "bare_items": (NONE, [1, 2]),
    "bare_texts": (NONE, ["a", "b"]),
    "bare_model": (NONE, ITEM),
    "bare_dataclass": (NONE, ADDRESS),
    "bare_date": (NONE, DAY),
    "bare_raw": (NONE, b"abc"),
    "bare_tuple": (NONE, (1, "a")),
    "bare_set": (NONE, {3}),
    "bare_other": (NONE, Silent()),
}


def returning(name: str, annotation: Any, make: Callable[[], Any]) -> Call:
    """A function without parameters that returns a value."""

    def tool():
        return make()

    tool.__name__ = name
    tool.__annotations__ = {} if annotation is NONE else {"return": annotation}
    return Call(tool, {})


def results() -> dict[str, Call]:
    """A call for each kind of result."""
    rows = {
        name: returning(name, annotation, functools.partial(lambda value: value, value))
        for name, (annotation, value) in VALUES.items()
    }
    return rows | {each.__name__: Call(each, {}) for each in (counted, streamed, awaited, iterated)}


def counted() -> Iterator[int]:
    yield 1
    yield 2


async def streamed() -> AsyncIterator[str]:
    yield "a"
    yield "b"


async def awaited() -> dict[str, int]:
    return {"a": 1}


def iterated() -> Iterable[int]:
    return (each for each in (1, 2))


def contents(image: Any, audio: Any, more: Mapping[str, tuple[Any, Any]]) -> dict[str, Call]:
    """Calls that return blocks of content, helpers of a framework, and whole results."""
    types = judges.module("mcp_types")
    block = types.TextContent(type="text", text="a")
    link = types.ResourceLink(type="resource_link", name="r", uri="file:///r")
    inside = types.TextResourceContents(uri="file:///r", text="r")
    embedded = types.EmbeddedResource(type="resource", resource=inside)
    picture = types.ImageContent(type="image", data="AA==", mime_type="image/png")
    whole = types.CallToolResult(content=[block], structured_content={"a": 1})
    failed = types.CallToolResult(content=[block], is_error=True)
    values: dict[str, tuple[Any, Any]] = {
        "block": (types.TextContent, block),
        "blocks": (list[types.TextContent], [block, block]),
        "picture": (types.ImageContent, picture),
        "link": (types.ResourceLink, link),
        "embedded": (types.EmbeddedResource, embedded),
        "block_or_text": (types.TextContent | str, "a"),
        "mixed_blocks": (NONE, ["a", block, {"b": 1}]),
        "bare_block": (NONE, block),
        "any_block": (Any, block),
        "whole": (types.CallToolResult, whole),
        "bare_whole": (NONE, whole),
        "failed_whole": (types.CallToolResult, failed),
        "helper": (image, image(data=PIXEL, format="png")),
        "helpers": (list[image], [image(data=PIXEL, format="png")]),
        "bare_helper": (NONE, image(data=PIXEL, format="png")),
        "helper_and_text": (NONE, ["see", image(data=PIXEL, format="png")]),
        "sound": (audio, audio(data=b"RIFF", format="wav")),
        **more,
    }
    return {
        name: returning(name, annotation, functools.partial(lambda value: value, value))
        for name, (annotation, value) in values.items()
    }


# -- failures ----------------------------------------------------------------------------------


class CustomError(Exception):
    pass


def raising(tool_error: type[Exception]) -> dict[str, Call]:
    """Calls of functions that raise."""
    errors = {
        "tool_error": tool_error("out of tea"),
        "silent_tool_error": tool_error(),
        "value_error": ValueError("bad value"),
        "key_error": KeyError("nope"),
        "empty_error": RuntimeError(),
        "custom_error": CustomError("mine"),
        "os_error": FileNotFoundError(2, "No such file", "/x"),
    }

    def make(name: str, error: Exception) -> Call:
        def tool() -> int:
            raise error

        tool.__name__ = name
        return Call(tool, {})

    return {name: make(name, error) for name, error in errors.items()}


# -- arguments ---------------------------------------------------------------------------------


def _inside(value: str) -> str:
    if "/" in value:
        raise ValueError("no slash")
    return value


def add(a: int, b: int = 1) -> int:
    return a + b


def kept(*, city: str, days: int = 7) -> str:
    return f"{city} {days}"


def taking(annotation: Any, sent: Any = NONE, *default: Any) -> Call:
    """A call of a function that says which value it got for a parameter of this type."""

    def tool(value):
        return repr(value)

    tool.__annotations__ = {"return": str} | ({} if annotation is NONE else {"value": annotation})
    tool.__defaults__ = default or None
    return Call(tool, {} if sent is NONE else {"value": sent})


MODE, BOUNDED = Literal["fast", "slow"], Annotated[int, Field(ge=1, le=10)]
GUARDED = Annotated[str, AfterValidator(_inside)]

ARGUMENTS: dict[str, Call] = {
    "add": Call(add, {"a": 2}),
    "add_both": Call(add, {"a": 2, "b": 3}),
    "add_without": Call(add, {}),
    "add_text": Call(add, {"a": "two"}),
    "add_number_as_text": Call(add, {"a": "2"}),
    "add_fraction": Call(add, {"a": 2.5}),
    "add_whole_float": Call(add, {"a": 2.0}),
    "add_boolean": Call(add, {"a": True}),
    "add_null": Call(add, {"a": None}),
    "add_null_for_default": Call(add, {"a": 1, "b": None}),
    "add_unknown": Call(add, {"a": 2, "c": 3}),
    "told": taking(str, "a"),
    "told_number": taking(str, 1),
    "told_json": taking(str, '{"a": 1}'),
    "halved": taking(float, 3),
    "halved_text": taking(float, "x"),
    "turned": taking(bool, False),
    "turned_text": taking(bool, "maybe"),
    "chosen": taking(MODE, "slow", "fast"),
    "chosen_default": taking(MODE, NONE, "fast"),
    "chosen_other": taking(MODE, "medium", "fast"),
    "colored": taking(Color, "red"),
    "colored_other": taking(Color, "pink"),
    "dated": taking(datetime.date, "2026-07-28"),
    "dated_wrong": taking(datetime.date, "yesterday"),
    "paid": taking(Decimal, "1.50"),
    "paid_number": taking(Decimal, 1.5),
    "optional": taking(int | None, NONE, None),
    "optional_null": taking(int | None, None, None),
    "optional_text": taking(int | None, "x", None),
    "null": taking(int | None, None),
    "not_even_null": taking(int | None),
    "summed": taking(list[int], [1, 2]),
    "summed_wrong": taking(list[int], [1, "x"]),
    "summed_object": taking(list[int], {"a": 1}),
    "names": taking(dict[str, int], {"a": 1}),
    "names_wrong": taking(dict[str, int], {"a": "x"}),
    "priced": taking(Item, {"name": "tea"}),
    "priced_wrong": taking(Item, {"price": "x"}),
    "priced_unknown": taking(Item, {"name": "tea", "color": "red"}),
    "moved": taking(Person, {"name": "A", "home": {"street": "Main"}}),
    "moved_wrong": taking(Person, {"name": "A", "home": {}}),
    "titled": taking(Movie, {"title": "M"}),
    "titled_wrong": taking(Movie, {}),
    "bounded": taking(BOUNDED, 10),
    "bounded_wrong": taking(BOUNDED, 11),
    "guarded": taking(GUARDED, "a"),
    "guarded_wrong": taking(GUARDED, "../a"),
    "loose": taking(NONE, "a"),
    "loose_number": taking(NONE, 1),
    "anything": taking(Any, {"a": [1]}, None),
    "anything_default": taking(Any, NONE, None),
    "either": taking(int | str, "1"),
    "either_wrong": taking(int | str, []),
    "kept": Call(kept, {"city": "Oslo"}),
    "kept_without": Call(kept, {"days": 1}),
    "stored": taking(bytes, "abc"),
}
