"""Defaults of parameters, as JSON."""

import collections
import datetime
import decimal
import enum
import inspect
import operator
import pathlib
import re
import types
import uuid
from collections import abc
from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Any, AnyStr, Literal, NamedTuple

import attrs
import msgspec
import pydantic
import pytest

from milo_schema import (
    Description,
    Examples,
    SchemaError,
    function_to_schema,
    profiles,
    tool_schema,
    type_to_schema,
)
from milo_schema.checks import check
from tests.callables.helpers import ANYTHING, takes
from tests.callables.samples import POINT, Color, Point
from tests.fragments import (
    BOOLEAN,
    INTEGER,
    NULL,
    NUMBER,
    STRING,
    any_of,
    array_of,
    map_of,
    set_of,
    taking,
)


class Flags(enum.IntFlag):
    READ = 1
    WRITE = 2


class Pair(NamedTuple):
    left: int
    right: str


PAIR = {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2}
UNSET = object()


@pytest.mark.parametrize(
    ("annotation", "default", "fragment", "json_default"),
    [
        (str, "", STRING, ""),
        (int, 0, INTEGER, 0),
        (bool, False, BOOLEAN, False),
        (float, 1.5, NUMBER, 1.5),
        (float, 1, NUMBER, 1),
        (Color, Color.BLUE, {"type": "string", "enum": ["red", "blue"]}, "blue"),
        (Flags, Flags.READ | Flags.WRITE,
         INTEGER | {"minimum": 0, "maximum": 3, "description": "READ=1, WRITE=2"}, 3),
        (datetime.date, datetime.date(2026, 1, 31), {"type": "string", "format": "date"},
         "2026-01-31"),
        (datetime.datetime, datetime.datetime(2026, 1, 31, 12, tzinfo=datetime.timezone.utc),
         {"type": "string", "format": "date-time"}, "2026-01-31T12:00:00+00:00"),
        (datetime.timedelta, datetime.timedelta(days=1, seconds=2),
         {"type": "string", "format": "duration"}, "P1DT2S"),
        (uuid.UUID, uuid.UUID(int=1), {"type": "string", "format": "uuid"},
         "00000000-0000-0000-0000-000000000001"),
        (decimal.Decimal, decimal.Decimal("1.50"), type_to_schema(decimal.Decimal), "1.50"),
        (pathlib.Path, pathlib.PurePosixPath("a/b"), STRING, "a/b"),
        (Point, Point(1, 2, Color.BLUE), POINT, {"x": 1, "y": 2, "color": "blue"}),
        (Pair, Pair(1, "a"), PAIR, [1, "a"]),
        (list[int], [1, 2], array_of(INTEGER), [1, 2]),
        (tuple[int, ...], (1, 2), array_of(INTEGER), [1, 2]),
        pytest.param(
            *(set[int | str], {3, "b", 1, "a"}, set_of(any_of(INTEGER, STRING)), [1, 3, "a", "b"]),
            id="a set",  # its order is that of hashes, which differ by process
        ),
        (set[float], {9.5, 10.5}, set_of(NUMBER), [9.5, 10.5]),
        (dict[str, list[Color]], {"a": [Color.RED]},
         map_of(array_of({"type": "string", "enum": ["red", "blue"]})), {"a": ["red"]}),
        (dict[int, str], {1: "a"},
         map_of(STRING, propertyNames={"pattern": "^-?(0|[1-9][0-9]*)$"}), {"1": "a"}),
        (list[Point], [Point(1)], array_of(POINT), [{"x": 1, "y": 0, "color": "red"}]),
    ],
    ids=repr,
)  # fmt: skip
def test_a_default_is_json(annotation, default, fragment, json_default):
    command = taking(annotation, default)
    takes(command, {"x": {**fragment, "default": json_default}}, strict=True)


@pytest.mark.parametrize(
    "default",
    [
        pytest.param(UNSET, id="a sentinel"),
        pytest.param(..., id="an ellipsis"),
        pytest.param(inspect.Parameter, id="a class"),
        pytest.param([UNSET], id="a sentinel in a list"),
        pytest.param({UNSET: 1}, id="a sentinel as a key"),
        pytest.param(float("nan"), id="NaN"),
        pytest.param(operator.add, id="a function"),
    ],
)
def test_a_default_that_is_not_json_is_left_out(default):
    def command(x: int = default): ...

    takes(command, {"x": INTEGER})
    with pytest.raises(SchemaError, match=r"^command\(x\): its default, .*, is neither JSON nor"):
        function_to_schema(command, strict=True)


@pytest.mark.parametrize(
    ("annotation", "default", "fragment"),
    [
        (float, float("inf"), NUMBER),
        (float | None, float("nan"), {"anyOf": [NUMBER, NULL]}),
        (list[int], iter(()), array_of(INTEGER)),  # nobody asks a class what a list is
        (dict[str, int], {"\ud800": 1}, map_of(INTEGER)),
    ],
)
def test_a_default_that_is_of_its_type_and_not_json_is_left_out_in_strict_mode(
    annotation, default, fragment
):
    command = taking(annotation, default)
    schema = function_to_schema(command, strict=True, profile=profiles.MCP)
    assert schema["properties"] == {"x": fragment}


def nested(depth: int) -> list[Any]:
    return [nested(depth - 1)] if depth else []


@pytest.mark.parametrize(
    ("largest", "larger"), [(nested(64), nested(65)), ((1 << 14_000) - 1, 1 << 14_000)], ids=type
)
def test_a_default_beyond_a_limit_is_left_out(largest, larger):
    kept, left_out = (function_to_schema(taking(Any, each)) for each in (largest, larger))
    assert kept["properties"]["x"]["default"] == largest
    assert "default" not in left_out["properties"]["x"]


def test_a_default_that_contains_itself_is_left_out():
    default: list[Any] = []
    default.append(default)

    def command(x: list = default): ...

    takes(command, {"x": array_of(ANYTHING)})


# -- a default is written by the node of its parameter -----------------------------------------

UTC = datetime.timezone.utc
NAMESAKE = type("date", (), {})()
OF_ANOTHER_TYPE: list[Any] = [
    (str, b"a", "an instance of bytes, is neither JSON nor a str"),
    (str, datetime.date(2026, 1, 2), "an instance of date, is neither JSON nor a str"),
    (float, decimal.Decimal("1.5"), "an instance of Decimal, is neither JSON nor a float"),
    (datetime.time, datetime.datetime(2026, 1, 2, tzinfo=UTC), "an instance of datetime, is"),
    (str | int, b"a", "an instance of bytes, is neither JSON nor str | int"),
    (Annotated[str | int, Description("D.")], b"a", "an instance of bytes, is neither JSON nor"),
    (str | None, Color, "a class, is neither JSON nor str | None"),
    (list[int], {1}, "a set, is neither JSON nor a list[int]"),
    (list[str], ["a", b"b"], "a list with an instance of bytes, is neither JSON nor a list[str]"),
    (dict[str, int], {"a": b"b"}, "a dict with an instance of bytes, is neither JSON nor"),
    (Point, Color.RED, "an instance of Color, is neither JSON nor a Point"),
    pytest.param(
        datetime.date, NAMESAKE, "an instance of date, is neither JSON nor a date", id="a namesake"
    ),
    (Color, Point(1), "an instance of Point, is neither JSON nor a Color"),
]


@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=lambda each: each.name)
@pytest.mark.parametrize(("annotation", "default", "reason"), OF_ANOTHER_TYPE, ids=repr)
def test_a_default_that_its_type_cannot_write_is_none(annotation, default, reason, profile):
    command = taking(annotation, default)
    schema = function_to_schema(command, profile=profile)
    assert "default" not in schema["properties"]["x"]
    assert "required" not in schema
    with pytest.raises(SchemaError, match=re.escape(f"command(x): its default, {reason}")) as error:
        function_to_schema(command, profile=profile, strict=True)
    assert error.value.code == "default-not-json"
    found = check(command, profile=profile)
    assert [each.code for each in found if "default" in each.code] == ["default-not-json"]


def test_a_default_that_does_not_fit_is_found_before_the_hook_of_its_class_is_asked():
    class Refusing:
        @classmethod
        def __milo_schema__(cls, walk):
            raise RuntimeError("not here")

    with pytest.raises(SchemaError) as caught:
        function_to_schema(taking(Refusing, object()), strict=True)
    reasons = [each.message for each in caught.value.problems]
    assert reasons[0] == "its default, an instance of object, is neither JSON nor a Refusing"
    assert reasons[1].endswith("__milo_schema__ raised RuntimeError('not here')")


def test_json_stays_a_default_even_if_it_does_not_fit():
    def command(a: int, b: list[pathlib.Path]): ...

    command.__defaults__ = "auto", [pathlib.PurePosixPath("a"), "b"]
    properties = function_to_schema(command)["properties"]
    assert [each["default"] for each in properties.values()] == ["auto", ["a", "b"]]
    with pytest.raises(SchemaError, match="its default does not fit"):
        function_to_schema(command, strict=True)


class House(collections.UserDict[str, int]):
    pass


@attrs.define
class Window:
    width: int


class Door(msgspec.Struct):
    width: int


class Roof(pydantic.BaseModel):
    width: int


HELD: list[Any] = [
    (list[int], collections.deque([1]), [1]),
    (list[int], collections.UserList([1]), [1]),
    pytest.param(abc.Iterable[str], {"b", "a", "c"}, ["a", "b", "c"], id="a set"),
    (abc.KeysView[str], {"b": 1, "a": 2}.keys(), ["b", "a"]),
    (dict[str, int], types.MappingProxyType({"a": 1}), {"a": 1}),
    (dict[str, int], House(a=1), {"a": 1}),
    (abc.Mapping[str, int], collections.ChainMap({"a": 1}), {"a": 1}),
    (bytes, bytearray(b"abc"), "YWJj"),
    (AnyStr, b"abc", "YWJj"),
    (Window, Window(1), {"width": 1}),
    (Door, Door(1), {"width": 1}),
    (Roof, Roof(width=1), {"width": 1}),
    (Literal["red", "green"], Color.RED, "red"),
]


@pytest.mark.parametrize(("annotation", "default", "json"), HELD, ids=repr)
def test_a_default_of_a_class_that_its_type_can_hold_is_kept(annotation, default, json):
    def command(x=default, y=default, *, z: Any = default): ...

    command.__annotations__["x"] = annotation
    properties = function_to_schema(command, profile=profiles.MCP, strict=False)["properties"]
    assert properties["x"]["default"] == json
    is_unknown = isinstance(default, abc.KeysView)
    for name in "yz":  # nothing is known about it but its class
        assert properties[name] == ({} if is_unknown else {"default": json})


def test_an_iterator_as_a_default_is_never_read():
    items = iter([1, 2])

    def command(a: abc.Iterator[int], b: Any, c: list[int]): ...

    command.__defaults__ = items, items, [items]
    properties = function_to_schema(command, profile=profiles.MCP, strict=True)["properties"]
    assert properties == {"a": array_of(INTEGER), "b": {}, "c": array_of(INTEGER)}
    assert [*items] == [1, 2]
    lost = [each.message for each in check(command) if each.code == "default-not-json"]
    assert lost == [
        f"its default, {what}, cannot be written as JSON; use None"
        for what in (
            "an instance of list_iterator",
            "an instance of list_iterator",
            "a list with an instance of list_iterator",
        )
    ]


class Unreadable(list[Any]):
    def __iter__(self):
        raise ZeroDivisionError("oops")


class Broken(pydantic.BaseModel):
    @pydantic.model_serializer
    def raises(self) -> int:
        raise ZeroDivisionError("oops")


def test_a_default_that_a_serializer_of_the_user_cannot_write_is_an_error_of_the_user():
    def command(x: Broken = Broken()): ...  # noqa: B008

    with pytest.raises(SchemaError, match="its default is an instance of Broken, which raised"):
        function_to_schema(command)


@pytest.mark.parametrize("annotation", [Any, list, abc.Sequence[int], list[int] | str | Color])
def test_a_default_that_raises_when_it_is_written_is_an_error_of_the_user(annotation):
    command = taking(annotation, Unreadable([1]))
    with pytest.raises(SchemaError) as error:
        function_to_schema(command)
    raised = "its default is an instance of Unreadable, which raised ZeroDivisionError('oops')"
    assert str(error.value) == f"command(x): {raised}"
    assert error.value.code == "user-code"
    assert isinstance(error.value.__cause__, ZeroDivisionError)


def test_a_default_is_written_by_the_encoders_of_the_profile():
    class Money(int):
        pass

    profile = profiles.MCP.replace(encoders={Money: lambda _: "5 EUR"})
    profile = profile.with_types({Money: {"type": "string"}})

    def command(x: Money = Money(), y: Any = [Money()]): ...  # noqa: B006, B008

    properties = function_to_schema(command, profile=profile, strict=True)["properties"]
    assert properties == {"x": STRING | {"default": "5 EUR"}, "y": {"default": ["5 EUR"]}}


def test_a_default_of_a_type_of_the_profile_is_written_as_without_the_profile():
    price = {"type": ["string", "number"]}
    profile = profiles.MCP.with_types({decimal.Decimal: price})

    def command(x: decimal.Decimal = decimal.Decimal("1.50")): ...

    assert function_to_schema(command, profile=profile)["properties"] == {
        "x": {**price, "default": "1.50"}
    }


def test_an_example_is_written_by_the_type_that_it_is_of():
    numbers = Annotated[abc.Iterable[int], Examples({3, 1, 2}, (1, 2))]
    assert type_to_schema(numbers)["examples"] == [[1, 2, 3], [1, 2]]
    with pytest.raises(SchemaError) as error:
        type_to_schema(Annotated[str, Examples("a", b"b")], strict=True)
    assert error.value.code == "unfit-marker"
    assert error.value.message == (
        "Examples('a', b'b') contains an instance of bytes, which cannot be written as JSON"
    )


@dataclass
class Linked:
    next: "Annotated[Linked | None, Examples(LINKED)]" = None


LINKED = Linked(Linked())


def test_an_example_may_be_of_the_class_that_it_stands_in():
    whole = type_to_schema(Linked, profile=profiles.MCP, strict=True)
    assert [*found(whole, "examples")] == [[{"next": {"next": None}}]] * 2  # also in $defs


def found(schema: Any, keyword: str) -> Any:
    if isinstance(schema, dict):
        yield from (value for name, value in schema.items() if name == keyword)
        schema = [*schema.values()]
    for each in schema if isinstance(schema, list) else ():
        yield from found(each, keyword)


# -- defaults that are left out ----------------------------------------------------------------


def test_a_default_of_none():
    def command(a: int = None, b: int | None = None, c: Any = None): ...  # noqa: RUF013

    none = {"default": None}
    number, nullable = INTEGER | none, {"anyOf": [INTEGER, NULL], **none}
    takes(command, {"a": number, "b": number, "c": none}, exact={"b": nullable})


def test_times_without_offset_inside_of_a_default_are_left_out():
    naive = datetime.datetime(2026, 1, 1)  # noqa: DTZ001

    def command(
        a: list[datetime.datetime] = [naive],  # noqa: B006
        b: dict[str, datetime.datetime] = {"x": naive},  # noqa: B006
        c: dict[str, int] = {"x": 1},  # noqa: B006
    ): ...

    properties = function_to_schema(command)["properties"]
    assert [properties[name].get("default") for name in "abc"] == [None, None, {"x": 1}]


# -- the only member of an Enum is a sentinel (PEP 484) ----------------------------------------


class Unset(enum.Enum):
    UNSET = "unset"


class Mode(enum.Enum):
    FAST = "fast"
    SLOW = "slow"


class Word(enum.StrEnum):
    ONLY = "only"


class Number(enum.IntEnum):
    ONLY = 7


class Half(float, enum.Enum):
    ONLY = 0.5


SENTINELS: list[tuple[Any, Any, Any]] = [
    (int | Unset, Unset.UNSET, INTEGER),
    (str | Unset, Unset.UNSET, STRING),
    (Unset | str | None, Unset.UNSET, {"anyOf": [STRING, NULL]}),
    (Annotated[int | Unset, Description("D")], Unset.UNSET, {**INTEGER, "description": "D"}),
    # these are no sentinels
    (Unset, Unset.UNSET, {"type": "string", "enum": ["unset"], "default": "unset"}),
    (Unset | None, Unset.UNSET, {"anyOf": [{"type": "string", "enum": ["unset"]}, NULL],
       "default": "unset"}),
    (int | Unset, 5, {"anyOf": [INTEGER, {"type": "string", "enum": ["unset"]}], "default": 5}),
    (int | Mode, Mode.FAST, {"anyOf": [INTEGER, {"type": "string", "enum": ["fast", "slow"]}],
       "default": "fast"}),
    (str | Number, Number.ONLY, {"anyOf": [STRING, {"type": "integer", "enum": [7]}],
       "default": 7}),
    (str | Half, Half.ONLY, {"anyOf": [STRING, {"type": "number", "enum": [0.5]}],
       "default": 0.5}),
    (int | Word, Word.ONLY, {"anyOf": [INTEGER, {"type": "string", "enum": ["only"]}],
       "default": "only"}),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "default", "fragment"), SENTINELS, ids=repr)
def test_the_only_member_of_an_enum_is_left_out_if_it_is_the_default(annotation, default, fragment):
    command = taking(annotation, default)
    schema = function_to_schema(command, profile=profiles.MCP, strict=True)
    assert schema["properties"] == {"x": fragment}

    record = make_dataclass("Record", [("x", annotation, field(default=default))])
    assert type_to_schema(record, profile=profiles.MCP, strict=True)["properties"] == {
        "x": fragment
    }


PROFILES = [each for each in vars(profiles).values() if isinstance(each, profiles.Profile)]


@pytest.mark.parametrize("profile", PROFILES, ids=lambda each: each.name)
def test_a_function_applies_its_sentinel_under_every_profile(profile):
    def command(x: int | Unset = Unset.UNSET) -> str:
        return repr(x)

    tool = tool_schema(command, profile=profile)
    assert "unset" not in str(tool.input_schema)
    assert "Unset.UNSET" in str(tool.call({}))
    assert "'7'" in str(tool.call({"x": 7}))
    assert tool.call({"x": "unset"})["isError"] is True
    assert "default-not-json" not in {each.code for each in check(command, profile=profile)}


def test_a_sentinel_in_one_function_stays_a_member_in_another():
    def first(x: "MaybeInt" = Unset.UNSET): ...
    def second(x: "MaybeInt" = 1): ...

    MaybeInt = int | Unset  # noqa: N806 - an alias
    names = {"MaybeInt": MaybeInt}
    kept = {"anyOf": [INTEGER, {"type": "string", "enum": ["unset"]}], "default": 1}
    for _ in range(2):
        found = function_to_schema(first, profile=profiles.MCP, localns=names)
        assert found["properties"] == {"x": INTEGER}
        found = function_to_schema(second, profile=profiles.MCP, localns=names)
        assert found["properties"] == {"x": kept}


@pytest.mark.parametrize(
    ("profile", "defaults"),
    [
        (profiles.FASTMCP, {"b": "abc", "c": "abc", "d": ["x"]}),
        (profiles.MCP, {"b": "YWJj", "c": "YWJj", "d": ["eA=="]}),
    ],
    ids=lambda each: getattr(each, "name", ""),
)
def test_what_an_encoder_writes_is_a_default_only_if_the_schema_accepts_it(profile, defaults):
    def command(
        a: int = b"a",  # type: ignore[assignment]
        b: bytes = b"abc",
        c: int | bytes = b"abc",
        d: list[bytes] = [b"x"],  # noqa: B006
        e: dict[str, int] = {"a": b"b"},  # type: ignore[dict-item]  # noqa: B006
    ): ...

    properties = function_to_schema(command, profile=profile)["properties"]
    found = {name: each["default"] for name, each in properties.items() if "default" in each}
    assert found == defaults
