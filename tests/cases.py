"""The table of what an annotation means: one row, one fact.

Each row is judged twice: for what its schema *says* (exact equality, in both profiles) and for
what it *means* (validators accept and reject the samples). Other projects may import the table:
``CASES`` is all there is to know.
"""

import abc as abstract
import array as arrays
import collections
import datetime
import decimal
import enum
import fractions
import ipaddress
import numbers
import os
import pathlib
import re
import types
import typing
import uuid
import zoneinfo
from collections import abc
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import (
    Annotated,
    Any,
    AnyStr,
    ClassVar,
    Final,
    ForwardRef,
    Generic,
    Literal,
    LiteralString,
    NamedTuple,
    Never,
    NewType,
    NoReturn,
    NotRequired,
    Optional,
    ParamSpec,
    Protocol,
    Required,
    Self,
    TypedDict,
    TypeGuard,
    TypeVar,
    TypeVarTuple,
    Union,
    Unpack,
)

import annotated_types as at
import attrs
import msgspec
import pydantic
import typing_extensions as te

from milo_schema import (
    Deprecated,
    Description,
    Examples,
    Format,
    Ge,
    Gt,
    Injected,
    Le,
    Lt,
    MaxLen,
    MinLen,
    MultipleOf,
    Pattern,
    Profile,
    Schema,
    Title,
)
from tests.modules import module_from

Json = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Source:
    """An annotation that not every Python can express: the value of ``TYPE`` in a source text."""

    text: str


@dataclass(frozen=True, eq=False)
class Case:
    """What one annotation means.

    Attributes:
        annotation: The annotation itself, or the source text that makes it.
        mcp: Its schema in profile MCP; ``None`` if there is none in any mode.
        milo: Its schema in profile MILO, where that differs.
        accepts: JSON values that the schema accepts.
        rejects: JSON values that the schema rejects.
        refused: Where strict mode refuses it, and how the reason begins; other modes warn.
        needs: What it takes to express the annotation, such as ``"python>=3.12"``.
        id: What the row is called.
        types: What the profiles are told of types they do not know.
    """

    annotation: Any
    mcp: Json | None = None
    milo: Json | None = None
    accepts: tuple[Any, ...] = ()
    rejects: tuple[Any, ...] = ()
    refused: tuple[str, str] | None = None
    needs: str = ""
    id: str = ""
    types: dict[Any, Any] | None = None

    @property
    def type(self) -> Any:
        """The annotation, made from its source text if it has one."""
        if isinstance(self.annotation, Source):
            return module_from(self.annotation.text).TYPE
        return self.annotation

    def says(self, profile: Profile) -> Json | None:
        """The schema in that profile."""
        return self.milo if self.milo is not None and profile.unwrap_none else self.mcp

    def profile(self, profile: Profile) -> Profile:
        """The profile, told of the types that the row is about."""
        return profile.with_types(self.types) if self.types else profile

    def __str__(self) -> str:
        if self.id or isinstance(self.annotation, Source):
            return self.id
        is_class = isinstance(self.annotation, type) and not typing.get_args(self.annotation)
        return self.annotation.__name__ if is_class else repr(self.annotation)


STRING: Json = {"type": "string"}
INTEGER: Json = {"type": "integer"}
NUMBER: Json = {"type": "number"}
BOOLEAN: Json = {"type": "boolean"}
NULL: Json = {"type": "null"}
BASE64: Json = {"type": "string", "contentEncoding": "base64"}
DECIMAL: Json = {
    "type": "string",
    "pattern": r"^-?([0-9]+(\.[0-9]+)?(E[+-][0-9]+)?|Infinity|s?NaN[0-9]*)$",
}
WAY_OUT = "use another type, Annotated[..., Schema({...})], or profile.with_types({...})"

T = TypeVar("T")
U = TypeVar("U")
Ts = TypeVarTuple("Ts")
P = ParamSpec("P")


# -- JSON's own --------------------------------------------------------------------------------

Number = TypeVar("Number", int, float)
Sized = TypeVar("Sized", bound=list[int])
Late = TypeVar("Late", bound="Plain")


class Text(str):
    """A string of a kind."""

    __slots__ = ()


class Count(int):
    pass


class Plain:
    pass


PRIMITIVES = [
    Case(str, STRING, accepts=("", "a"), rejects=(1, None, ["a"])),
    Case(int, INTEGER, accepts=(0, -1, 10**30, 1.0), rejects=(1.5, "1", True, None)),
    Case(float, NUMBER, accepts=(0, 1.5, -1e300), rejects=("1", True, None)),
    Case(bool, BOOLEAN, accepts=(True, False), rejects=(0, 1, "true", None)),
    Case(None, NULL, accepts=(None,), rejects=(0, "", False), id="None"),
    Case(type(None), NULL, accepts=(None,), rejects=(0,)),
    Case(Any, {}, accepts=(None, 1, "a", [], {}), id="Any"),
    Case(object, {}, accepts=(None, 1, "a", [], {})),
    Case(LiteralString, STRING, accepts=("a",), rejects=(1,), id="LiteralString"),
    Case(te.LiteralString, STRING, accepts=("a",), rejects=(1,), id="te.LiteralString"),
    Case(typing.Text, STRING, accepts=("a",), rejects=(1,), id="Text alias"),
    Case(AnyStr, STRING, accepts=("a",), rejects=(1,), id="AnyStr"),
    Case(T, {}, accepts=(None, 1), id="TypeVar free"),
    Case(
        Number,
        {"anyOf": [INTEGER, NUMBER]},
        accepts=(1, 1.5),
        rejects=("1",),
        id="TypeVar constrained",
    ),
    Case(
        Sized,
        {"type": "array", "items": INTEGER},
        accepts=([1],),
        rejects=(["a"],),
        id="TypeVar bound",
    ),
    Case(te.TypeVar("D", default=int), INTEGER, accepts=(1,), rejects=("a",), id="TypeVar default"),
    Case(Text, STRING, accepts=("a",), rejects=(1,)),
    Case(Count, INTEGER, accepts=(1,), rejects=("a",)),
    Case("int", INTEGER, accepts=(1,), rejects=("a",), id="string int"),
    Case(
        ForwardRef("list[int]"),
        {"type": "array", "items": INTEGER},
        accepts=([1],),
        rejects=(["a"],),
        id="ForwardRef",
    ),
    Case(
        list["int"],
        {"type": "array", "items": INTEGER},
        accepts=([1],),
        rejects=(["a"],),
        id="list of a string",
    ),
    Case(
        typing.List["int"],
        {"type": "array", "items": INTEGER},
        accepts=([1],),
        rejects=(["a"],),
        id="List of a string",
    ),
    Case(
        Never,
        {"not": {}},
        rejects=(None, 1, {}),
        refused=("Never", "Never has no value"),
        id="Never",
    ),
    Case(
        NoReturn,
        {"not": {}},
        rejects=(None, 1),
        refused=("NoReturn", "NoReturn has no value"),
        id="NoReturn",
    ),
    Case(TypeGuard[int], BOOLEAN, accepts=(True,), rejects=(1,), id="TypeGuard"),
    Case(te.TypeIs[int], BOOLEAN, accepts=(True,), rejects=(1,), id="te.TypeIs"),
    Case(
        Source("from typing import TypeIs\nTYPE = TypeIs[int]"),
        BOOLEAN,
        accepts=(True,),
        rejects=(1,),
        needs="python>=3.13",
        id="TypeIs",
    ),
]

# -- values that are text to JSON --------------------------------------------------------------


class Moment(datetime.datetime):
    pass


class Folder(pathlib.PosixPath):
    pass


VALUES = [
    Case(bytes, BASE64, accepts=("", "YWJj"), rejects=(1, [1])),
    Case(bytearray, BASE64, accepts=("YWJj",), rejects=(1,)),
    Case(memoryview, BASE64, accepts=("YWJj",), rejects=(1,)),
    Case(te.Buffer, BASE64, accepts=("YWJj",), rejects=(1,), id="te.Buffer"),
    Case(
        Source("from collections.abc import Buffer\nTYPE = Buffer"),
        BASE64,
        accepts=("YWJj",),
        rejects=(1,),
        needs="python>=3.12",
        id="Buffer",
    ),
    Case(
        Annotated[bytes, MaxLen(3)],
        {**BASE64, "maxLength": 4},
        accepts=("YWJj",),
        rejects=("YWJjZA==",),
        id="bytes of 3",
    ),
    Case(
        Annotated[bytes, MinLen(4)],
        {**BASE64, "minLength": 8},
        accepts=("YWJjZA==",),
        rejects=("YWJj",),
        id="bytes from 4",
    ),
    Case(
        datetime.datetime,
        {"type": "string", "format": "date-time"},
        accepts=("2026-01-31T12:00:00Z", "2026-01-31T12:00:00.5+02:00"),
        rejects=("2026-01-31", "now", 0),
    ),
    Case(
        datetime.date,
        {"type": "string", "format": "date"},
        accepts=("2026-01-31",),
        rejects=("2026-02-30", "31.1.2026", 0),
    ),
    Case(
        datetime.time,
        {"type": "string", "format": "time"},
        accepts=("12:00:00Z",),
        rejects=("noon", 12),
    ),
    Case(
        datetime.timedelta,
        {"type": "string", "format": "duration"},
        accepts=("P1DT2S", "PT0S"),
        rejects=("1 day", 60),
    ),
    Case(
        Moment,
        {"type": "string", "format": "date-time"},
        accepts=("2026-01-31T12:00:00Z",),
        rejects=("now",),
    ),
    Case(
        uuid.UUID,
        {"type": "string", "format": "uuid"},
        accepts=("12345678-1234-5678-1234-567812345678",),
        rejects=("1234", 1),
    ),
    Case(
        decimal.Decimal,
        DECIMAL,
        accepts=("1", "-0.10", "1E+3", "NaN", "Infinity"),
        rejects=("one", "1.", 1),
    ),
    Case(
        ipaddress.IPv4Address,
        {"type": "string", "format": "ipv4"},
        accepts=("127.0.0.1",),
        rejects=("127.0.0", "::1"),
    ),
    Case(
        ipaddress.IPv6Address,
        {"type": "string", "format": "ipv6"},
        accepts=("::1",),
        rejects=("127.0.0.1", "x"),
    ),
    Case(ipaddress.IPv4Network, STRING, accepts=("10.0.0.0/8",), rejects=(1,)),
    Case(ipaddress.IPv6Network, STRING, accepts=("fe80::/10",), rejects=(1,)),
    Case(ipaddress.IPv4Interface, STRING, accepts=("10.0.0.1/8",), rejects=(1,)),
    Case(ipaddress.IPv6Interface, STRING, accepts=("::1/128",), rejects=(1,)),
    Case(pathlib.PurePath, STRING, accepts=("a/b",), rejects=(1,)),
    Case(pathlib.Path, STRING, accepts=("a/b",), rejects=(1,)),
    Case(pathlib.PurePosixPath, STRING, accepts=("a/b",), rejects=(1,)),
    Case(pathlib.PureWindowsPath, STRING, accepts=("a/b",), rejects=(1,)),
    Case(Folder, STRING, accepts=("a/b",), rejects=(1,)),
    Case(os.PathLike, STRING, accepts=("a/b",), rejects=(1,), id="PathLike"),
    Case(os.PathLike[str], STRING, accepts=("a/b",), rejects=(1,), id="PathLike[str]"),
    Case(
        re.Pattern,
        {"type": "string", "format": "regex"},
        accepts=("^a+$",),
        rejects=("(", 1),
        id="re.Pattern",
    ),
    Case(
        re.Pattern[str],
        {"type": "string", "format": "regex"},
        accepts=("^a+$",),
        rejects=("(",),
        id="re.Pattern[str]",
    ),
    Case(
        typing.Pattern[str],
        {"type": "string", "format": "regex"},
        accepts=("^a+$",),
        rejects=("(",),
        id="typing.Pattern[str]",
    ),
    Case(collections.UserString, STRING, accepts=("a",), rejects=(1,)),
    Case(
        abc.Generator,
        {"type": "array", "items": {}},
        accepts=([1],),
        rejects=(1,),
        id="bare Generator",
    ),
    Case(zoneinfo.ZoneInfo, STRING, accepts=("Europe/Berlin",), rejects=(1,)),
]

# -- enums -------------------------------------------------------------------------------------


@dataclass
class Key:
    x: int


class Color(enum.Enum):
    RED = "red"
    GREEN = "green"


class Level(enum.Enum):
    LOW = 1
    HIGH = 2


class Ratio(enum.Enum):
    HALF = 0.5
    QUARTER = 0.25


class WholeRatio(enum.Enum):
    ONE = 1
    HALF = 0.5


class Switch(enum.Enum):
    ON = True
    OFF = False


class Mixed(enum.Enum):
    ONE = 1
    A = "a"
    NOTHING = None
    TRUE = True  # an alias of ONE to Python


class TextOrTrue(enum.Enum):
    A = "a"
    TRUE = True


class Aliased(enum.Enum):
    A = 1
    ALSO_A = 1
    B = 2


class Shape(enum.StrEnum):
    ROUND = enum.auto()
    SQUARE = enum.auto()


class Priority(enum.IntEnum):
    LOW = 1
    HIGH = 9


class Old(str, enum.Enum):
    A = "a"
    B = "b"


class Half(float, enum.Enum):
    ONE = 0.5


class Documented(enum.Enum):
    """How loud it is."""

    QUIET = "quiet"


class WithMethods(enum.Enum):
    A = "a"
    _ignore_ = ["B"]  # noqa: RUF012

    def upper(self) -> str:
        return self.name.upper()


class WithMembers(enum.Enum):
    A = enum.member("a")
    B = enum.nonmember("b")


class Pair(enum.Enum):
    """Values that are arrays."""

    ORIGIN = (0, 0)
    UNIT = (1, 1)


class Perm(enum.Flag):
    R = 4
    W = 2
    X = 1


class Bits(enum.IntFlag):
    """Bits to set."""

    A = 1
    B = 2
    BOTH = 3


class Labelled(enum.Enum):
    def __new__(cls, value: int, label: str) -> "Labelled":
        member = object.__new__(cls)
        member._value_ = value
        member.label = label  # type: ignore[attr-defined]
        return member

    X = (1, "x")
    Y = (2, "y")


class Mixin(Key, enum.Enum):
    A = 1


class Nothing(enum.Enum):
    pass


class Planets(enum.Enum):
    EARTH = Plain()


class Bytes(enum.Enum):
    A = b"a"


class Dates(enum.Enum):
    NEW_YEAR = datetime.date(2026, 1, 1)


class NotANumber(enum.Enum):
    NAN = float("nan")


class Huge(enum.Enum):
    HUGE = 10**40


ENUMS = [
    Case(Labelled, {"type": "integer", "enum": [1, 2]}, accepts=(1,), rejects=([1, "x"], "x")),
    Case(Mixin, {}, STRING, refused=("Mixin", "no JSON value for an object of class Key")),
    Case(
        Color,
        {"type": "string", "enum": ["red", "green"]},
        accepts=("red",),
        rejects=("RED", "blue", 1),
    ),
    Case(Level, {"type": "integer", "enum": [1, 2]}, accepts=(1,), rejects=("LOW", 3, "1")),
    Case(Ratio, {"type": "number", "enum": [0.5, 0.25]}, accepts=(0.5,), rejects=(1, "0.5")),
    Case(WholeRatio, {"type": "number", "enum": [1, 0.5]}, accepts=(1, 0.5), rejects=(2,)),
    Case(Switch, {"type": "boolean", "enum": [True, False]}, accepts=(True,), rejects=(1, 0, "on")),
    Case(Mixed, {"enum": [1, "a", None]}, accepts=(1, "a", None), rejects=(True, "b")),
    Case(TextOrTrue, {"enum": ["a", True]}, accepts=("a", True), rejects=(1, "b")),
    Case(Aliased, {"type": "integer", "enum": [1, 2]}, accepts=(1, 2), rejects=(3,)),
    Case(
        Shape,
        {"type": "string", "enum": ["round", "square"]},
        accepts=("round",),
        rejects=("ROUND",),
    ),
    Case(Priority, {"type": "integer", "enum": [1, 9]}, accepts=(9,), rejects=(2, "LOW")),
    Case(Old, {"type": "string", "enum": ["a", "b"]}, accepts=("a",), rejects=("c",)),
    Case(Half, {"type": "number", "enum": [0.5]}, accepts=(0.5,), rejects=(1,)),
    Case(
        Documented,
        {"type": "string", "enum": ["quiet"], "description": "How loud it is."},
        accepts=("quiet",),
        rejects=("loud",),
    ),
    Case(WithMethods, {"type": "string", "enum": ["a"]}, accepts=("a",), rejects=("upper",)),
    Case(WithMembers, {"type": "string", "enum": ["a"]}, accepts=("a",), rejects=("b",)),
    Case(
        Pair,
        {"type": "array", "enum": [[0, 0], [1, 1]], "description": "Values that are arrays."},
        accepts=([0, 0],),
        rejects=([0, 1],),
    ),
    Case(Huge, {"type": "integer", "enum": [10**40]}, accepts=(10**40,), rejects=(1,)),
    Case(
        Perm,
        {"type": "integer", "minimum": 0, "maximum": 7},
        accepts=(0, 3, 7),
        rejects=(8, -1, "R"),
    ),
    Case(
        Bits,
        {"type": "integer", "minimum": 0, "maximum": 3, "description": "Bits to set."},
        accepts=(0, 3),
        rejects=(4, -1),
    ),
    Case(Nothing, {}, STRING, refused=("Nothing", "Nothing has no members")),
    Case(Planets, {}, STRING, refused=("Planets", "no JSON value for an object of class Plain")),
    Case(Bytes, {}, STRING, refused=("Bytes", "no JSON value for")),
    Case(Dates, {}, STRING, refused=("Dates", "no JSON value for")),
    Case(NotANumber, {}, STRING, refused=("NotANumber", "no JSON value for the number nan")),
    Case(
        list[Color],
        {"type": "array", "items": {"type": "string", "enum": ["red", "green"]}},
        accepts=(["red"],),
        rejects=(["blue"],),
        id="list[Color]",
    ),
    Case(
        Optional[Color],
        {"anyOf": [{"type": "string", "enum": ["red", "green"]}, NULL]},
        accepts=("red", None),
        rejects=("blue",),
        id="Optional[Color]",
    ),
    Case(
        Annotated[Level, "How high"],
        {"type": "integer", "enum": [1, 2], "description": "How high"},
        accepts=(1,),
        rejects=(3,),
        id="Annotated Level",
    ),
    Case(
        Annotated[Documented, "Mine"],
        {"type": "string", "enum": ["quiet"], "description": "Mine"},
        accepts=("quiet",),
        rejects=("x",),
        id="Annotated Documented",
    ),
]

# -- Literal -----------------------------------------------------------------------------------

LITERALS = [
    Case(
        Literal["a"],
        {"type": "string", "enum": ["a"]},
        accepts=("a",),
        rejects=("b", 1),
        id="Literal one",
    ),
    Case(
        Literal["a", "b"],
        {"type": "string", "enum": ["a", "b"]},
        accepts=("b",),
        rejects=("c",),
        id="Literal str",
    ),
    Case(
        Literal[1, 2],
        {"type": "integer", "enum": [1, 2]},
        accepts=(1,),
        rejects=(3, "1", True),
        id="Literal int",
    ),
    Case(
        Literal[-1],
        {"type": "integer", "enum": [-1]},
        accepts=(-1,),
        rejects=(1,),
        id="Literal negative",
    ),
    Case(
        Literal[True],
        {"type": "boolean", "enum": [True]},
        accepts=(True,),
        rejects=(1, False),
        id="Literal True",
    ),
    Case(
        Literal[True, False],
        {"type": "boolean", "enum": [True, False]},
        accepts=(True,),
        rejects=(1,),
        id="Literal bool",
    ),
    Case(
        Literal[1, True],
        {"enum": [1, True]},
        accepts=(1, True),
        rejects=(0, False),
        id="Literal 1 and True",
    ),
    Case(
        Literal[0, False],
        {"enum": [0, False]},
        accepts=(0, False),
        rejects=(1, True),
        id="Literal 0 and False",
    ),
    Case(
        Literal["1", 1],
        {"enum": ["1", 1]},
        accepts=("1", 1),
        rejects=(True,),
        id="Literal '1' and 1",
    ),
    Case(
        Literal[None],
        {"type": "null", "enum": [None]},
        accepts=(None,),
        rejects=(0,),
        id="Literal None",
    ),
    Case(
        Literal["a", None],
        {"enum": ["a", None]},
        accepts=("a", None),
        rejects=("b",),
        id="Literal str or None",
    ),
    Case(
        Literal["a", 1, None, True],
        {"enum": ["a", 1, None, True]},
        accepts=("a", 1, None, True),
        rejects=("b",),
        id="Literal mixed",
    ),
    Case(
        Literal["a", "a", "b"],
        {"type": "string", "enum": ["a", "b"]},
        accepts=("a",),
        rejects=("c",),
        id="Literal repeated",
    ),
    Case(
        Literal[Literal["a"], Literal["b", "c"]],
        {"type": "string", "enum": ["a", "b", "c"]},
        accepts=("c",),
        rejects=("d",),
        id="Literal nested",
    ),
    Case(
        Literal[Color.RED],
        {"type": "string", "enum": ["red"]},
        accepts=("red",),
        rejects=("green",),
        id="Literal of a member",
    ),
    Case(
        Literal[Color.RED, "blue"],
        {"type": "string", "enum": ["red", "blue"]},
        accepts=("red", "blue"),
        rejects=("green",),
        id="Literal of a member and str",
    ),
    Case(
        Literal[Color.RED, "red"],
        {"type": "string", "enum": ["red"]},
        accepts=("red",),
        rejects=("green",),
        id="Literal of a member and its value",
    ),
    Case(
        Literal[Level.LOW, Color.RED],
        {"enum": [1, "red"]},
        accepts=(1, "red"),
        rejects=(2,),
        id="Literal of members",
    ),
    Case(
        Literal[""],
        {"type": "string", "enum": [""]},
        accepts=("",),
        rejects=("a",),
        id="Literal empty",
    ),
    Case(
        Literal["ü", "\n", "\u2028"],
        {"type": "string", "enum": ["ü", "\n", "\u2028"]},
        accepts=("ü",),
        rejects=("u",),
        id="Literal not ASCII",
    ),
    Case(
        te.Literal["a"],
        {"type": "string", "enum": ["a"]},
        accepts=("a",),
        rejects=("b",),
        id="te.Literal",
    ),
    Case(
        Optional[Literal["a"]],
        {"anyOf": [{"type": "string", "enum": ["a"]}, NULL]},
        accepts=("a", None),
        rejects=("b",),
        id="Optional Literal",
    ),
    Case(
        list[Literal[1, 2]],
        {"type": "array", "items": {"type": "integer", "enum": [1, 2]}},
        accepts=([1, 2],),
        rejects=([3],),
        id="list of Literal",
    ),
    Case(
        Literal[b"a"],
        {},
        STRING,
        refused=("Literal[b'a']", "no JSON value for"),
        id="Literal bytes",
    ),
    Case(Literal, {}, STRING, refused=("Literal", "no JSON Schema for Literal"), id="Literal bare"),
]

# -- unions ------------------------------------------------------------------------------------

INTEGER_OR_STRING: Json = {"anyOf": [INTEGER, STRING]}

UNIONS = [
    Case(int | str, INTEGER_OR_STRING, accepts=(1, "a"), rejects=(None, 1.5), id="int | str"),
    Case(
        Union[int, str], INTEGER_OR_STRING, accepts=(1, "a"), rejects=(None,), id="Union[int, str]"
    ),
    Case(
        int | None, {"anyOf": [INTEGER, NULL]}, accepts=(1, None), rejects=("a",), id="int | None"
    ),
    Case(
        Optional[int],
        {"anyOf": [INTEGER, NULL]},
        accepts=(1, None),
        rejects=("a",),
        id="Optional[int]",
    ),
    Case(
        Union[None, int],
        {"anyOf": [INTEGER, NULL]},
        accepts=(1, None),
        rejects=("a",),
        id="Union[None, int]",
    ),
    Case(
        None | int | str,
        {"anyOf": [INTEGER, STRING, NULL]},
        accepts=(1, "a", None),
        rejects=(1.5,),
        id="None | int | str",
    ),
    Case(
        Union[int, "str"],
        INTEGER_OR_STRING,
        accepts=(1, "a"),
        rejects=(None,),
        id="Union[int, string]",
    ),
    Case(
        Optional["list[int]"],
        {"anyOf": [{"type": "array", "items": INTEGER}, NULL]},
        accepts=([1], None),
        rejects=(["a"],),
        id="Optional[string]",
    ),
    Case(Union[int], INTEGER, accepts=(1,), rejects=("a",), id="Union[int]"),
    Case(
        Union[int, Union[str, None]],
        {"anyOf": [INTEGER, STRING, NULL]},
        accepts=(1, "a", None),
        rejects=(1.5,),
        id="Union nested",
    ),
    Case(
        int | float,
        {"anyOf": [INTEGER, NUMBER]},
        accepts=(1, 1.5),
        rejects=("a",),
        id="int | float",
    ),
    Case(
        bool | int,
        {"anyOf": [BOOLEAN, INTEGER]},
        accepts=(True, 1),
        rejects=("a",),
        id="bool | int",
    ),
    Case(int | Any, {"anyOf": [INTEGER, {}]}, accepts=(1, "a", None), id="int | Any"),
    Case(Union[int, Never], INTEGER, accepts=(1,), rejects=("a",), id="int | Never"),
    Case(
        Union[Never, NoReturn],
        {"not": {}},
        rejects=(None, 1),
        refused=("Never | NoReturn", "Never | NoReturn has no value"),
        id="Never | NoReturn",
    ),
    Case(
        list[int] | list[str],
        {"anyOf": [{"type": "array", "items": INTEGER}, {"type": "array", "items": STRING}]},
        accepts=([], [1], ["a"]),
        rejects=([1, "a"],),
        id="list[int] | list[str]",
    ),
    Case(
        dict[str, int] | list[int] | None,
        {
            "anyOf": [
                {"type": "object", "additionalProperties": INTEGER},
                {"type": "array", "items": INTEGER},
                NULL,
            ]
        },
        accepts=({"a": 1}, [1], None),
        rejects=(1,),
        id="dict or list or None",
    ),
    Case(
        list[int] | abc.Sequence[int] | tuple[int, ...],
        {"type": "array", "items": INTEGER},
        accepts=([1],),
        rejects=(["a"],),
        id="union of equal schemas",
    ),
    Case(pathlib.Path | str, STRING, accepts=("a",), rejects=(1,), id="Path | str"),
    Case(
        str | os.PathLike[str] | None,
        {"anyOf": [STRING, NULL]},
        accepts=("a", None),
        rejects=(1,),
        id="str | PathLike | None",
    ),
    Case(
        Literal["a"] | Literal["b"],
        {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "string", "enum": ["b"]}]},
        accepts=("a", "b"),
        rejects=("c",),
        id="Literal | Literal",
    ),
    Case(
        Literal["auto"] | int,
        {"anyOf": [{"type": "string", "enum": ["auto"]}, INTEGER]},
        accepts=("auto", 1),
        rejects=("b",),
        id="Literal | int",
    ),
    Case(
        list[int | None],
        {"type": "array", "items": {"anyOf": [INTEGER, NULL]}},
        accepts=([1, None],),
        rejects=(["a"],),
        id="list[int | None]",
    ),
    Case(
        dict[str, int | None],
        {"type": "object", "additionalProperties": {"anyOf": [INTEGER, NULL]}},
        accepts=({"a": None},),
        rejects=({"a": "b"},),
        id="dict[str, int | None]",
    ),
    Case(bytes | str, {"anyOf": [BASE64, STRING]}, accepts=("a",), rejects=(1,), id="bytes | str"),
    Case(
        datetime.date | datetime.datetime,
        {
            "anyOf": [
                {"type": "string", "format": "date"},
                {"type": "string", "format": "date-time"},
            ]
        },
        accepts=("2026-01-31",),
        rejects=("now",),
        id="date | datetime",
    ),
    Case(Union, {}, STRING, refused=("Union", "no JSON Schema for"), id="Union bare"),
    Case(Optional, {}, STRING, refused=("Optional", "no JSON Schema for"), id="Optional bare"),
]

# -- sequences, sets, tuples -------------------------------------------------------------------


class Ids(list[int]):
    pass


class Named(list[T], Generic[T]):
    pass


class Words(Named[str]):
    pass


def _array(items: Json) -> Json:
    return {"type": "array", "items": items}


def _set(items: Json) -> Json:
    return {"type": "array", "items": items, "uniqueItems": True}


ARRAYS = [
    Case(list, {"type": "array", "items": {}}, accepts=([], [1, "a"]), rejects=({}, "a")),
    Case(typing.List, {"type": "array", "items": {}}, accepts=([],), rejects=({},), id="List"),
    Case(
        list[Any],
        {"type": "array", "items": {}},
        accepts=([1, None],),
        rejects=({},),
        id="list[Any]",
    ),
    Case(
        list[int],
        {"type": "array", "items": INTEGER},
        accepts=([], [1]),
        rejects=(["a"], {}, "a"),
        id="list[int]",
    ),
    Case(
        list[list[int]],
        {"type": "array", "items": {"type": "array", "items": INTEGER}},
        accepts=([[1]],),
        rejects=([1],),
        id="list[list[int]]",
    ),
    Case(
        list[None],
        {"type": "array", "items": NULL},
        accepts=([None],),
        rejects=([0],),
        id="list[None]",
    ),
    Case(list[T], {"type": "array", "items": {}}, accepts=([1],), rejects=(1,), id="list[T]"),
    Case(Ids, {"type": "array", "items": INTEGER}, accepts=([1],), rejects=(["a"],)),
    Case(
        Named[int],
        {"type": "array", "items": INTEGER},
        accepts=([1],),
        rejects=(["a"],),
        id="Named[int]",
    ),
    Case(Words, {"type": "array", "items": STRING}, accepts=(["a"],), rejects=([1],)),
    *[
        Case(
            origin[int],
            _array(INTEGER),
            accepts=([], [1]),
            rejects=(["a"], {}),
            id=f"{origin.__name__}[int]",
        )
        for origin in (
            collections.deque,
            abc.Iterable,
            abc.Iterator,
            abc.Reversible,
            abc.Collection,
            abc.KeysView,
            abc.ValuesView,
            abc.Sequence,
            abc.MutableSequence,
        )
    ],
    *[
        Case(
            origin, _array({}), accepts=([], [1, "a"]), rejects=({},), id=f"bare {origin.__name__}"
        )
        for origin in (
            collections.deque,
            abc.Iterable,
            abc.Iterator,
            abc.Reversible,
            abc.Collection,
            abc.KeysView,
            abc.ValuesView,
            abc.Sequence,
            abc.MutableSequence,
        )
    ],
    Case(
        typing.Sequence[str],
        _array(STRING),
        accepts=(["a"],),
        rejects=("a",),
        id="typing.Sequence[str]",
    ),
    Case(
        typing.Deque[int], _array(INTEGER), accepts=([1],), rejects=(["a"],), id="typing.Deque[int]"
    ),
    *[
        Case(
            origin[int],
            _set(INTEGER),
            accepts=([], [1, 2]),
            rejects=([1, 1], ["a"], {}),
            id=f"{origin.__name__}[int]",
        )
        for origin in (set, frozenset, abc.Set, abc.MutableSet)
    ],
    *[
        Case(
            origin,
            _set({}),
            accepts=([], [1, "a"]),
            rejects=([1, 1], {}),
            id=f"bare {origin.__name__}",
        )
        for origin in (set, frozenset, abc.Set, abc.MutableSet)
    ],
    Case(
        typing.AbstractSet[int],
        _set(INTEGER),
        accepts=([1],),
        rejects=([1, 1],),
        id="typing.AbstractSet[int]",
    ),
    Case(
        Annotated[set[int], MinLen(1)],
        {**_set(INTEGER), "minItems": 1},
        accepts=([1],),
        rejects=([],),
        id="set from 1",
    ),
    Case(
        list[int, str],
        {},
        STRING,
        refused=("list[int, str]", "list[int, str] has too many arguments"),
        id="list[int, str]",
    ),
    Case(
        list[...],
        _array({}),
        _array(STRING),
        refused=("list[...][]", "no JSON Schema for"),
        id="list[...]",
    ),
    Case(
        list[3],
        _array({}),
        _array(STRING),
        refused=("list[3][]", "no JSON Schema for"),
        id="list[3]",
    ),
]

TUPLES = [
    Case(tuple, {"type": "array", "items": {}}, accepts=([], [1]), rejects=({},)),
    Case(typing.Tuple, {"type": "array", "items": {}}, accepts=([],), rejects=({},), id="Tuple"),
    Case(
        tuple[()], {"type": "array", "maxItems": 0}, accepts=([],), rejects=([1],), id="tuple[()]"
    ),
    Case(
        typing.Tuple[()],
        {"type": "array", "maxItems": 0},
        accepts=([],),
        rejects=([1],),
        id="Tuple[()]",
    ),
    Case(
        tuple[int],
        {"type": "array", "prefixItems": [INTEGER], "minItems": 1, "maxItems": 1},
        accepts=([1],),
        rejects=([], [1, 2], ["a"]),
        id="tuple[int]",
    ),
    Case(
        tuple[int, str],
        {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2},
        accepts=([1, "a"],),
        rejects=([1], ["a", 1], [1, "a", 2]),
        id="tuple[int, str]",
    ),
    Case(
        tuple[int, ...],
        {"type": "array", "items": INTEGER},
        accepts=([], [1, 2]),
        rejects=(["a"],),
        id="tuple[int, ...]",
    ),
    Case(
        tuple[Any, ...],
        {"type": "array", "items": {}},
        accepts=([], [1, "a"]),
        rejects=({},),
        id="tuple[Any, ...]",
    ),
    Case(
        typing.Tuple[int, ...],
        {"type": "array", "items": INTEGER},
        accepts=([1],),
        rejects=(["a"],),
        id="Tuple[int, ...]",
    ),
    Case(
        tuple[int | None, str],
        {
            "type": "array",
            "prefixItems": [{"anyOf": [INTEGER, NULL]}, STRING],
            "minItems": 2,
            "maxItems": 2,
        },
        accepts=([None, "a"],),
        rejects=([None],),
        id="tuple[int | None, str]",
    ),
    Case(
        tuple[int, tuple[str, bool]],
        {
            "type": "array",
            "prefixItems": [
                INTEGER,
                {"type": "array", "prefixItems": [STRING, BOOLEAN], "minItems": 2, "maxItems": 2},
            ],
            "minItems": 2,
            "maxItems": 2,
        },
        accepts=([1, ["a", True]],),
        rejects=([1, ["a"]],),
        id="tuple in a tuple",
    ),
    Case(
        tuple[int, *tuple[str, ...]],
        {"type": "array", "prefixItems": [INTEGER], "items": STRING, "minItems": 1},
        accepts=([1], [1, "a", "b"]),
        rejects=([], [1, 2]),
        id="tuple[int, *tuple[str, ...]]",
    ),
    Case(
        tuple[int, Unpack[tuple[str, ...]]],
        {"type": "array", "prefixItems": [INTEGER], "items": STRING, "minItems": 1},
        accepts=([1, "a"],),
        rejects=([1, 2],),
        id="tuple[int, Unpack[tuple[str, ...]]]",
    ),
    Case(
        tuple[int, te.Unpack[tuple[str, ...]]],
        {"type": "array", "prefixItems": [INTEGER], "items": STRING, "minItems": 1},
        accepts=([1, "a"],),
        rejects=([1, 2],),
        id="tuple[int, te.Unpack[tuple[str, ...]]]",
    ),
    Case(
        tuple[*tuple[int, str]],
        {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2},
        accepts=([1, "a"],),
        rejects=([1],),
        id="tuple[*tuple[int, str]]",
    ),
    Case(
        tuple[bool, *tuple[int, str], None],
        {
            "type": "array",
            "prefixItems": [BOOLEAN, INTEGER, STRING, NULL],
            "minItems": 4,
            "maxItems": 4,
        },
        accepts=([True, 1, "a", None],),
        rejects=([True, 1, "a"],),
        id="tuple flattened",
    ),
    Case(
        tuple[*tuple[int, ...]],
        {"type": "array", "items": INTEGER},
        accepts=([], [1]),
        rejects=(["a"],),
        id="tuple[*tuple[int, ...]]",
    ),
    Case(
        tuple[*tuple[int, ...], str],
        {"type": "array", "items": {"anyOf": [INTEGER, STRING]}, "minItems": 1},
        accepts=(["a"], [1, "a"]),
        rejects=([], [None]),
        id="tuple[*tuple[int, ...], str]",
    ),
    Case(
        tuple[bool, *tuple[int, ...], str],
        {
            "type": "array",
            "prefixItems": [BOOLEAN],
            "items": {"anyOf": [INTEGER, STRING]},
            "minItems": 2,
        },
        accepts=([True, 1, "a"], [True, "a"]),
        rejects=([True], [1, "a"]),
        id="tuple with a tail",
    ),
    Case(
        tuple[*tuple[int, ...], int],
        {"type": "array", "items": INTEGER, "minItems": 1},
        accepts=([1],),
        rejects=([], ["a"]),
        id="tuple with an equal tail",
    ),
    Case(
        tuple[int, *tuple[*tuple[str, bool], None]],
        {
            "type": "array",
            "prefixItems": [INTEGER, STRING, BOOLEAN, NULL],
            "minItems": 4,
            "maxItems": 4,
        },
        accepts=([1, "a", True, None],),
        rejects=([1],),
        id="tuple unpacked twice",
    ),
    Case(
        tuple[int, *tuple[()]],
        {"type": "array", "prefixItems": [INTEGER], "minItems": 1, "maxItems": 1},
        accepts=([1],),
        rejects=([1, 2],),
        id="tuple[int, *tuple[()]]",
    ),
    Case(
        tuple[int, *Ts],
        {"type": "array", "prefixItems": [INTEGER], "items": {}, "minItems": 1},
        accepts=([1, "a"],),
        rejects=(["a"],),
        id="tuple[int, *Ts]",
    ),
    Case(
        tuple[Unpack[Ts]],
        {"type": "array", "items": {}},
        accepts=([], [1, "a"]),
        rejects=({},),
        id="tuple[Unpack[Ts]]",
    ),
    Case(
        Annotated[tuple[int, ...], MinLen(1), MaxLen(2)],
        {"type": "array", "items": INTEGER, "minItems": 1, "maxItems": 2},
        accepts=([1],),
        rejects=([], [1, 2, 3]),
        id="tuple[int, ...] of 1 to 2",
    ),
    Case(
        Annotated[tuple[int, int], MinLen(1)],
        {"type": "array", "prefixItems": [INTEGER, INTEGER], "minItems": 2, "maxItems": 2},
        accepts=([1, 2],),
        rejects=([1],),
        id="tuple[int, int] from 1",
    ),
]

# -- mappings ----------------------------------------------------------------------------------


class Scores(dict[str, int]):
    pass


def _object(values: Json, **keywords: Any) -> Json:
    return {"type": "object", "additionalProperties": values, **keywords}


INTEGER_KEY: Json = {"pattern": "^-?(0|[1-9][0-9]*)$"}

MAPPINGS = [
    Case(dict, {"type": "object"}, accepts=({}, {"a": 1}), rejects=([],)),
    Case(typing.Dict, {"type": "object"}, accepts=({},), rejects=([],), id="Dict"),
    Case(
        dict[str, Any],
        {"type": "object", "additionalProperties": {}},
        accepts=({"a": 1},),
        rejects=([],),
        id="dict[str, Any]",
    ),
    Case(
        dict[str, int],
        {"type": "object", "additionalProperties": INTEGER},
        accepts=({}, {"a": 1}),
        rejects=({"a": "b"}, []),
        id="dict[str, int]",
    ),
    Case(
        dict[str, dict[str, int]],
        {
            "type": "object",
            "additionalProperties": {"type": "object", "additionalProperties": INTEGER},
        },
        accepts=({"a": {"b": 1}},),
        rejects=({"a": 1},),
        id="dict of dict",
    ),
    Case(
        Scores,
        {"type": "object", "additionalProperties": INTEGER},
        accepts=({"a": 1},),
        rejects=({"a": "b"},),
    ),
    *[
        Case(
            origin[str, int],
            _object(INTEGER),
            accepts=({"a": 1},),
            rejects=({"a": "b"}, []),
            id=f"{origin.__name__}[str, int]",
        )
        for origin in (
            collections.defaultdict,
            collections.OrderedDict,
            collections.ChainMap,
            types.MappingProxyType,
            abc.Mapping,
            abc.MutableMapping,
        )
    ],
    *[
        Case(
            origin,
            {"type": "object"},
            accepts=({"a": 1},),
            rejects=([],),
            id=f"bare {origin.__name__}",
        )
        for origin in (
            collections.defaultdict,
            collections.OrderedDict,
            collections.ChainMap,
            types.MappingProxyType,
            abc.Mapping,
            abc.MutableMapping,
        )
    ],
    Case(
        Source("TYPE = frozendict[str, int]"),
        _object(INTEGER),
        accepts=({"a": 1},),
        rejects=({"a": "b"},),
        needs="python>=3.15",
        id="frozendict[str, int]",
    ),
    Case(collections.Counter, _object(INTEGER), accepts=({"a": 1},), rejects=({"a": "b"},)),
    Case(
        collections.Counter[str],
        _object(INTEGER),
        accepts=({"a": 1},),
        rejects=({"a": "b"},),
        id="Counter[str]",
    ),
    Case(
        collections.Counter[int],
        _object(INTEGER, propertyNames=INTEGER_KEY),
        accepts=({"1": 1},),
        rejects=({"a": 1},),
        id="Counter[int]",
    ),
    Case(
        typing.Mapping[str, int],
        _object(INTEGER),
        accepts=({"a": 1},),
        rejects=([],),
        id="typing.Mapping[str, int]",
    ),
    Case(
        dict[int, str],
        _object(STRING, propertyNames=INTEGER_KEY),
        accepts=({"0": "a", "-12": "b"},),
        rejects=({"a": "b"}, {"01": "a"}, {"1.0": "a"}),
        id="dict[int, str]",
    ),
    Case(
        dict[bool, str],
        _object(STRING, propertyNames={"enum": ["true", "false"]}),
        accepts=({"true": "a"},),
        rejects=({"True": "b"},),
        id="dict[bool, str]",
    ),
    Case(
        dict[float, str],
        _object(
            STRING, propertyNames={"pattern": r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"}
        ),
        accepts=({"1.5": "a", "1e+16": "b", "-0.0": "c"},),
        rejects=({"a": "b"},),
        id="dict[float, str]",
    ),
    Case(
        dict[Any, int],
        _object(INTEGER),
        accepts=({"a": 1},),
        rejects=({"a": "b"},),
        id="dict[Any, int]",
    ),
    Case(
        dict[object, int],
        _object(INTEGER),
        accepts=({"a": 1},),
        rejects=({"a": "b"},),
        id="dict[object, int]",
    ),
    Case(
        dict[LiteralString, int],
        _object(INTEGER),
        accepts=({"a": 1},),
        rejects=({"a": "b"},),
        id="dict[LiteralString, int]",
    ),
    Case(
        dict[T, int],
        _object(INTEGER),
        accepts=({"a": 1},),
        rejects=({"a": "b"},),
        id="dict[T, int]",
    ),
    Case(
        dict[Literal["a", "b"], int],
        _object(INTEGER, propertyNames={"enum": ["a", "b"]}),
        accepts=({"a": 1},),
        rejects=({"c": 1},),
        id="dict[Literal, int]",
    ),
    Case(
        dict[Literal[1, 2], int],
        _object(INTEGER, propertyNames={"enum": ["1", "2"]}),
        accepts=({"1": 1},),
        rejects=({"3": 1},),
        id="dict[Literal of int, int]",
    ),
    Case(
        dict[Color, int],
        _object(INTEGER, propertyNames={"enum": ["red", "green"]}),
        accepts=({"red": 1},),
        rejects=({"RED": 1},),
        id="dict[Color, int]",
    ),
    Case(
        dict[Priority, int],
        _object(INTEGER, propertyNames={"enum": ["1", "9"]}),
        accepts=({"9": 1},),
        rejects=({"LOW": 1},),
        id="dict[Priority, int]",
    ),
    Case(
        dict[uuid.UUID, int],
        _object(INTEGER, propertyNames={"type": "string", "format": "uuid"}),
        accepts=({"12345678-1234-5678-1234-567812345678": 1},),
        rejects=({"a": 1},),
        id="dict[UUID, int]",
    ),
    Case(
        dict[datetime.date, int],
        _object(INTEGER, propertyNames={"type": "string", "format": "date"}),
        accepts=({"2026-01-31": 1},),
        rejects=({"a": 1},),
        id="dict[date, int]",
    ),
    Case(
        dict[pathlib.Path, int],
        _object(INTEGER),
        accepts=({"a/b": 1},),
        rejects=({"a": "b"},),
        id="dict[Path, int]",
    ),
    Case(
        dict[decimal.Decimal, int],
        _object(INTEGER, propertyNames=DECIMAL),
        accepts=({"1.50": 1},),
        rejects=({"a": 1},),
        id="dict[Decimal, int]",
    ),
    Case(
        dict[Annotated[str, MinLen(2)], int],
        _object(INTEGER, propertyNames={"type": "string", "minLength": 2}),
        accepts=({"ab": 1},),
        rejects=({"a": 1},),
        id="dict[str from 2, int]",
    ),
    Case(
        dict[Annotated[str, Pattern("^x-")], int],
        _object(INTEGER, propertyNames={"type": "string", "pattern": "^x-"}),
        accepts=({"x-a": 1},),
        rejects=({"a": 1},),
        id="dict[str of a pattern, int]",
    ),
    Case(
        dict[str | int, int],
        _object(INTEGER),
        accepts=({"a": 1},),
        rejects=({"a": "b"},),
        id="dict[str | int, int]",
    ),
    Case(
        dict[Color | int, int],
        _object(INTEGER, propertyNames={"anyOf": [{"enum": ["red", "green"]}, INTEGER_KEY]}),
        accepts=({"red": 1, "7": 2},),
        rejects=({"blue": 1},),
        id="dict[Color | int, int]",
    ),
    Case(
        dict[int | Literal["all"], int],
        _object(INTEGER, propertyNames={"anyOf": [INTEGER_KEY, {"enum": ["all"]}]}),
        accepts=({"1": 1, "all": 2},),
        rejects=({"a": 1},),
        id="dict[int | Literal, int]",
    ),
    Case(
        dict[NewType("UserId", int), str],
        _object(STRING, propertyNames=INTEGER_KEY),
        accepts=({"1": "a"},),
        rejects=({"a": "b"},),
        id="dict[NewType of int, str]",
    ),
    Case(
        Annotated[dict[str, int], MinLen(1), MaxLen(2)],
        {**_object(INTEGER), "minProperties": 1, "maxProperties": 2},
        accepts=({"a": 1},),
        rejects=({}, {"a": 1, "b": 2, "c": 3}),
        id="dict of 1 to 2",
    ),
    Case(
        dict[list[int], int],
        _object(INTEGER),
        refused=("dict[list[int], int]", "no JSON object has keys of type list[int]"),
        id="dict[list, int]",
    ),
    Case(
        dict[Key, int],
        _object(INTEGER),
        refused=("dict[Key, int]", "no JSON object has keys of type Key"),
        id="dict[Key, int]",
    ),
    Case(
        dict[tuple[int, int], int],
        _object(INTEGER),
        refused=("dict[tuple[int, int], int]", "no JSON object has keys of type tuple[int, int]"),
        id="dict[tuple, int]",
    ),
    Case(
        dict[None, int],
        _object(INTEGER),
        refused=("dict[None, int]", "no JSON object has keys of type None"),
        id="dict[None, int]",
    ),
    Case(
        dict[int],
        {},
        STRING,
        refused=("dict[int]", "dict[int] needs two arguments"),
        id="dict[int]",
    ),
    Case(
        dict[str, complex],
        _object({}),
        _object(STRING),
        refused=("dict[str, complex]{}", "no JSON Schema for complex"),
        id="dict[str, complex]",
    ),
    Case(
        dict[complex, int],
        _object(INTEGER),
        refused=("dict[complex, int]", "no JSON Schema for complex"),
        id="dict[complex, int]",
    ),
]

# -- TypedDict ---------------------------------------------------------------------------------


class Movie(TypedDict):
    """A film.

    Attributes:
        title: What it is called.
    """

    title: str
    year: int | None


class Loose(TypedDict, total=False):
    a: int
    b: Required[str]


class Tight(TypedDict):
    a: NotRequired[int]
    b: str


class Extended(Tight):
    c: Annotated[int, Ge(0)]


class LooseOnTight(Tight, total=False):
    c: int


class Readable(TypedDict):
    a: te.ReadOnly[int]
    b: te.ReadOnly[NotRequired[str]]
    c: NotRequired[te.ReadOnly[Annotated[int, Ge(1)]]]
    d: Annotated[NotRequired[int], "Last."]


class Empty(TypedDict):
    pass


class Quoted(TypedDict):
    a: "NotRequired[int]"
    b: "list[Quoted]"


class Box(TypedDict, Generic[T]):
    value: T


class IntBox(Box[int]):
    pass


class Shelf(Box[list[U]], Generic[U]):
    label: U


Functional = TypedDict("Functional", {"in": int, "a-b": NotRequired[str], "": bool})

CLOSED = """
from typing_extensions import TypedDict, NotRequired, Never, ReadOnly
class Closed(TypedDict, closed=True):
    a: int
class Open(TypedDict, closed=False):
    a: int
class Extra(TypedDict, extra_items=str):
    a: NotRequired[int]
class NoExtra(TypedDict, extra_items=Never):
    a: int
class ReadOnlyExtra(TypedDict, extra_items=ReadOnly[int | None]):
    a: str
class ClosedChild(Closed):
    pass
class ExtraChild(Extra):
    b: bool
class Tree(TypedDict, extra_items="Tree"):
    pass
"""


def _closed(name: str, mcp: Json, **samples: Any) -> list[Case]:
    """A TypedDict of PEP 728, from typing_extensions and (3.15) from typing."""
    twin = CLOSED.replace("typing_extensions", "typing")
    return [
        Case(
            Source(f"{CLOSED}TYPE = {name}"),
            mcp,
            needs="typing_extensions>=4.13",
            id=f"te.{name} TypedDict",
            **samples,
        ),
        Case(
            Source(f"{twin}TYPE = {name}"),
            mcp,
            needs="python>=3.15",
            id=f"typing.{name} TypedDict",
            **samples,
        ),
    ]


TYPED_DICTS = [
    Case(
        Movie,
        {
            "type": "object",
            "properties": {
                "title": {"type": "string", "description": "What it is called."},
                "year": {"anyOf": [INTEGER, NULL]},
            },
            "required": ["title", "year"],
            "description": "A film.",
        },
        {
            "type": "object",
            "properties": {
                "title": {"type": "string", "description": "What it is called."},
                "year": INTEGER,
            },
            "required": ["title", "year"],
            "description": "A film.",
        },
        accepts=({"title": "a", "year": None}, {"title": "a", "year": 1, "more": 2}),
        rejects=({"title": "a"}, {"title": 1, "year": 1}, []),
    ),
    Case(
        Loose,
        {"type": "object", "properties": {"a": INTEGER, "b": STRING}, "required": ["b"]},
        accepts=({"b": "x"},),
        rejects=({"a": 1}, {"a": "x", "b": "x"}),
    ),
    Case(
        Tight,
        {"type": "object", "properties": {"a": INTEGER, "b": STRING}, "required": ["b"]},
        accepts=({"b": "x"},),
        rejects=({"a": 1},),
    ),
    Case(
        Extended,
        {
            "type": "object",
            "properties": {"a": INTEGER, "b": STRING, "c": {"type": "integer", "minimum": 0}},
            "required": ["b", "c"],
        },
        accepts=({"b": "x", "c": 0},),
        rejects=({"b": "x"}, {"b": "x", "c": -1}),
    ),
    Case(
        LooseOnTight,
        {
            "type": "object",
            "properties": {"a": INTEGER, "b": STRING, "c": INTEGER},
            "required": ["b"],
        },
        accepts=({"b": "x"},),
        rejects=({"c": 1},),
    ),
    Case(
        Readable,
        {
            "type": "object",
            "properties": {
                "a": INTEGER,
                "b": STRING,
                "c": {"type": "integer", "minimum": 1},
                "d": {"type": "integer", "description": "Last."},
            },
            "required": ["a"],
        },
        accepts=({"a": 1},),
        rejects=({}, {"a": 1, "c": 0}),
    ),
    Case(Empty, {"type": "object", "properties": {}}, accepts=({}, {"a": 1}), rejects=([],)),
    Case(
        Quoted,
        {
            "type": "object",
            "properties": {
                "a": INTEGER,
                "b": {"type": "array", "items": {"$ref": "#/$defs/Quoted"}},
            },
            "required": ["b"],
            "$defs": {
                "Quoted": {
                    "type": "object",
                    "properties": {
                        "a": INTEGER,
                        "b": {"type": "array", "items": {"$ref": "#/$defs/Quoted"}},
                    },
                    "required": ["b"],
                }
            },
        },
        accepts=({"b": []}, {"b": [{"a": 1, "b": []}]}),
        rejects=({"a": 1}, {"b": [{}]}),
    ),
    Case(
        Box,
        {"type": "object", "properties": {"value": {}}, "required": ["value"]},
        accepts=({"value": 1},),
        rejects=({},),
    ),
    Case(
        Box[int],
        {"type": "object", "properties": {"value": INTEGER}, "required": ["value"]},
        accepts=({"value": 1},),
        rejects=({"value": "a"},),
        id="Box[int]",
    ),
    Case(
        Box[int | None],
        {
            "type": "object",
            "properties": {"value": {"anyOf": [INTEGER, NULL]}},
            "required": ["value"],
        },
        {"type": "object", "properties": {"value": INTEGER}, "required": ["value"]},
        accepts=({"value": None},),
        rejects=({"value": "a"},),
        id="Box[int | None]",
    ),
    Case(
        IntBox,
        {"type": "object", "properties": {"value": INTEGER}, "required": ["value"]},
        accepts=({"value": 1},),
        rejects=({"value": "a"},),
    ),
    Case(
        Shelf[str],
        {
            "type": "object",
            "properties": {"value": {"type": "array", "items": STRING}, "label": STRING},
            "required": ["value", "label"],
        },
        accepts=({"value": ["a"], "label": "b"},),
        rejects=({"value": [1], "label": "b"},),
        id="Shelf[str]",
    ),
    Case(
        Functional,
        {
            "type": "object",
            "properties": {"in": INTEGER, "a-b": STRING, "": BOOLEAN},
            "required": ["in", ""],
        },
        accepts=({"in": 1, "": True},),
        rejects=({"in": 1},),
    ),
    Case(
        list[Tight],
        {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"a": INTEGER, "b": STRING},
                "required": ["b"],
            },
        },
        accepts=([{"b": "x"}],),
        rejects=([{}],),
        id="list[Tight]",
    ),
    *_closed(
        "Closed",
        {
            "type": "object",
            "properties": {"a": INTEGER},
            "required": ["a"],
            "additionalProperties": False,
        },
        accepts=({"a": 1},),
        rejects=({"a": 1, "b": 2},),
    ),
    *_closed(
        "Open",
        {"type": "object", "properties": {"a": INTEGER}, "required": ["a"]},
        accepts=({"a": 1, "b": 2},),
        rejects=({},),
    ),
    *_closed(
        "Extra",
        {"type": "object", "properties": {"a": INTEGER}, "additionalProperties": STRING},
        accepts=({"a": 1, "b": "x"},),
        rejects=({"b": 2},),
    ),
    *_closed(
        "NoExtra",
        {
            "type": "object",
            "properties": {"a": INTEGER},
            "required": ["a"],
            "additionalProperties": False,
        },
        accepts=({"a": 1},),
        rejects=({"a": 1, "b": 2},),
    ),
    *_closed(
        "ReadOnlyExtra",
        {
            "type": "object",
            "properties": {"a": STRING},
            "required": ["a"],
            "additionalProperties": {"anyOf": [INTEGER, NULL]},
        },
        accepts=({"a": "x", "b": None},),
        rejects=({"a": "x", "b": "y"},),
    ),
    *_closed(
        "ClosedChild",
        {
            "type": "object",
            "properties": {"a": INTEGER},
            "required": ["a"],
            "additionalProperties": False,
        },
        accepts=({"a": 1},),
        rejects=({"a": 1, "b": 2},),
    ),
    *_closed(
        "ExtraChild",
        {
            "type": "object",
            "properties": {"a": INTEGER, "b": BOOLEAN},
            "required": ["b"],
            "additionalProperties": STRING,
        },
        accepts=({"b": True, "c": "x"},),
        rejects=({"b": True, "c": 1},),
    ),
    *_closed(
        "Tree",
        {
            "type": "object",
            "properties": {},
            "additionalProperties": {"$ref": "#/$defs/Tree"},
            "$defs": {
                "Tree": {
                    "type": "object",
                    "properties": {},
                    "additionalProperties": {"$ref": "#/$defs/Tree"},
                }
            },
        },
        accepts=({"a": {"b": {}}},),
        rejects=({"a": {"b": 1}},),
    ),
]

# -- NamedTuple --------------------------------------------------------------------------------


class Point(NamedTuple):
    """Where it is.

    Attributes:
        y: How high.
    """

    x: int
    y: int | None = None


class Whole(NamedTuple):
    x: int
    y: int


class Wrapped(NamedTuple, Generic[T]):
    value: T
    rest: list[T] = []  # noqa: RUF012


class Chain(NamedTuple):
    next: "Chain | None"


class NoFields(NamedTuple):
    pass


class SubPoint(Whole):
    """A subclass adds no field."""

    z: int = 0


Untyped = collections.namedtuple("Untyped", ["a", "b"], defaults=[1])

NAMED_TUPLES = [
    Case(
        Point,
        {
            "type": "array",
            "prefixItems": [INTEGER, {"anyOf": [INTEGER, NULL], "description": "How high."}],
            "minItems": 1,
            "maxItems": 2,
            "description": "Where it is.",
        },
        accepts=([1], [1, None], [1, 2]),
        rejects=([], ["a"], [1, 2, 3], {"x": 1}),
    ),
    Case(
        Whole,
        {"type": "array", "prefixItems": [INTEGER, INTEGER], "minItems": 2, "maxItems": 2},
        accepts=([1, 2],),
        rejects=([1],),
    ),
    Case(
        Wrapped[str],
        {
            "type": "array",
            "prefixItems": [STRING, {"type": "array", "items": STRING}],
            "minItems": 1,
            "maxItems": 2,
        },
        accepts=(["a", ["b"]],),
        rejects=(["a", [1]], [1]),
        id="Wrapped[str]",
    ),
    Case(
        Chain,
        {
            "type": "array",
            "prefixItems": [{"anyOf": [{"$ref": "#/$defs/Chain"}, NULL]}],
            "minItems": 1,
            "maxItems": 1,
            "$defs": {
                "Chain": {
                    "type": "array",
                    "prefixItems": [{"anyOf": [{"$ref": "#/$defs/Chain"}, NULL]}],
                    "minItems": 1,
                    "maxItems": 1,
                }
            },
        },
        accepts=([None], [[[None]]]),
        rejects=([], [1]),
    ),
    Case(NoFields, {"type": "array", "maxItems": 0}, accepts=([],), rejects=([1],)),
    Case(
        SubPoint,
        {
            "type": "array",
            "prefixItems": [INTEGER, INTEGER],
            "minItems": 2,
            "maxItems": 2,
            "description": "A subclass adds no field.",
        },
        accepts=([1, 2],),
        rejects=([1, 2, 3],),
    ),
    Case(
        Untyped,
        {"type": "array", "prefixItems": [{}, {}], "minItems": 1, "maxItems": 2},
        accepts=([1], ["a", None]),
        rejects=([],),
    ),
    Case(
        te.NamedTuple("TeTuple", [("a", int)]),
        {"type": "array", "prefixItems": [INTEGER], "minItems": 1, "maxItems": 1},
        accepts=([1],),
        rejects=(["a"],),
        id="te.NamedTuple",
    ),
    Case(
        list[Whole],
        {
            "type": "array",
            "items": {
                "type": "array",
                "prefixItems": [INTEGER, INTEGER],
                "minItems": 2,
                "maxItems": 2,
            },
        },
        accepts=([[1, 2]],),
        rejects=([1, 2],),
        id="list[Whole]",
    ),
    Case(
        Annotated[Whole, "A point."],
        {
            "type": "array",
            "prefixItems": [INTEGER, INTEGER],
            "minItems": 2,
            "maxItems": 2,
            "description": "A point.",
        },
        accepts=([1, 2],),
        rejects=([1],),
        id="Annotated Whole",
    ),
]

# -- dataclass ---------------------------------------------------------------------------------


def _never_called() -> Any:
    raise AssertionError("a default factory was called")


@dataclass
class Item:
    """What one buys.

    Attributes:
        name: Its name.
        price: In cents,
            without tax.
    """

    name: str
    price: int = 0


@dataclass
class Bare:
    x: int


@dataclass
class NoneAtAll:
    pass


@dataclass
class UUID:
    """Of the same name as one of the standard library's, and something else."""

    number: int


@dataclass
class Defaults:
    a: int | None = None
    b: Color = Color.RED
    c: tuple[int, ...] = (1, 2)
    d: float = float("nan")
    e: list[int] = field(default_factory=_never_called)
    f: frozenset[str] = frozenset({"b", "a"})
    g: datetime.date = datetime.date(2026, 1, 1)
    h: Any = Plain()  # noqa: RUF009
    i: bytes = b"abc"
    j: bool = True


@dataclass
class Parts:
    shared: ClassVar[int] = 0
    given: InitVar[int]
    made: str = field(init=False)
    _: KW_ONLY
    named: bool = False

    def __post_init__(self, given: int) -> None:
        self.made = str(given)


@dataclass
class QuotedParts:
    shared: "ClassVar[int]" = 0
    given: "InitVar[int]" = 1
    kept: "int" = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    a: int
    b: str = "x"


@dataclass
class Derived(Item):
    """A better one."""

    price: float = 1.5  # type: ignore[assignment]
    stock: int = 0


@dataclass
class Said:
    a: int = field(metadata={"description": "Said of a."})
    b: Annotated[int, "Said of b."] = field(default=1, metadata={"description": "Not this."})
    c: int = field(default=2, metadata={"other": 1})


@dataclass
class Page(Generic[T]):
    items: list[T]
    next: "Page[T] | None" = None


@dataclass
class IntPage(Page[int]):
    total: int = 0


@dataclass
class Couple(Generic[T, U]):
    first: T
    second: U


@dataclass
class Swapped(Couple[U, T]):
    pass


@dataclass
class Fixed(Couple[int, T]):
    third: "list[T]"


@dataclass
class Shaped(Generic[T, Unpack[Ts]]):
    first: T
    rest: tuple[*Ts]


@dataclass
class Node:
    value: int
    children: "list[Node]"
    parent: Optional["Node"] = None


@dataclass
class Married:
    to: "Spouse | None" = None


@dataclass
class Spouse:
    to: Married


@dataclass
class Chained:
    next: Self | None = None


@dataclass
class Linked(Chained):
    link: list[Self] = field(default_factory=list)


@dataclass
class Awkward:
    type: str
    items: list[int]
    properties: dict[str, int]
    required: bool = True
    default: int = 1
    enum: Literal["a"] = "a"


@dataclass
class Twice:
    left: Item
    right: Item
    more: list[Item] = field(default_factory=list)


@dataclass
class Constrained:
    a: Annotated[int, Ge(1), Le(9), "From 1 to 9."]
    b: Annotated[str, MinLen(1)] | None = None
    c: Annotated[list[Annotated[str, Pattern("^a")]], MaxLen(2)] = field(default_factory=list)


@dataclass
class Method:
    x: Final[int] = 1

    @property
    def double(self) -> int:
        return 2 * self.x

    name = "not a field"


D = te.TypeVar("D", default=int)


@dataclass
class WithDefault(Generic[D]):
    value: D


ITEM: Json = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "Its name."},
        "price": {"type": "integer", "description": "In cents,\nwithout tax.", "default": 0},
    },
    "required": ["name"],
    "description": "What one buys.",
}


def _page(item: Json, name: str, *, null: bool) -> Json:
    """The schema of a ``Page`` of something."""
    reference = {"$ref": f"#/$defs/{name}"}
    body: Json = {
        "type": "object",
        "properties": {
            "items": {"type": "array", "items": item},
            "next": {"anyOf": [reference, NULL] if null else [reference], "default": None},
        },
        "required": ["items"],
    }
    return {**body, "$defs": {name: body}}


def _chained(name: str, *, null: bool) -> Json:
    reference = {"$ref": f"#/$defs/{name}"}
    return {
        "type": "object",
        "properties": {
            "next": {"anyOf": [reference, NULL] if null else [reference], "default": None}
        },
    }


def _node(*, null: bool) -> Json:
    reference = {"$ref": "#/$defs/Node"}
    body = {
        "type": "object",
        "properties": {
            "value": INTEGER,
            "children": {"type": "array", "items": reference},
            "parent": {"anyOf": [reference, NULL] if null else [reference], "default": None},
        },
        "required": ["value", "children"],
    }
    return {**body, "$defs": {"Node": body}}


def _spouses(*, null: bool) -> Json:
    spouse: Json = {
        "type": "object",
        "properties": {"to": {"$ref": "#/$defs/Married"}},
        "required": ["to"],
    }
    reference = {"$ref": "#/$defs/Spouse"}
    married: Json = {
        "type": "object",
        "properties": {
            "to": {"anyOf": [reference, NULL] if null else [reference], "default": None}
        },
    }
    return {**married, "$defs": {"Married": married, "Spouse": spouse}}


def _linked(*, null: bool) -> Json:
    linked = _chained("Linked", null=null)
    linked["properties"]["link"] = {"type": "array", "items": {"$ref": "#/$defs/Linked"}}
    return {**linked, "$defs": {"Linked": linked}}


DATACLASSES = [
    Case(
        Item,
        ITEM,
        accepts=({"name": "a"}, {"name": "a", "price": 1, "more": 2}),
        rejects=({}, {"name": "a", "price": "b"}, []),
    ),
    Case(
        Bare,
        {"type": "object", "properties": {"x": INTEGER}, "required": ["x"]},
        accepts=({"x": 1},),
        rejects=({},),
    ),
    Case(NoneAtAll, {"type": "object", "properties": {}}, accepts=({},), rejects=([],)),
    Case(
        UUID,
        {
            "type": "object",
            "properties": {"number": INTEGER},
            "required": ["number"],
            "description": "Of the same name as one of the standard library's, and something else.",
        },
        accepts=({"number": 1},),
        rejects=("12345678-1234-5678-1234-567812345678", {}),
        id="another UUID",
    ),
    Case(
        Defaults,
        {
            "type": "object",
            "properties": {
                "a": {"anyOf": [INTEGER, NULL], "default": None},
                "b": {"type": "string", "enum": ["red", "green"], "default": "red"},
                "c": {"type": "array", "items": INTEGER, "default": [1, 2]},
                "d": NUMBER,
                "e": {"type": "array", "items": INTEGER},
                "f": {"type": "array", "items": STRING, "uniqueItems": True, "default": ["a", "b"]},
                "g": {"type": "string", "format": "date", "default": "2026-01-01"},
                "h": {},
                "i": {**BASE64, "default": "YWJj"},
                "j": {"type": "boolean", "default": True},
            },
        },
        {
            "type": "object",
            "properties": {
                "a": {"type": "integer", "default": None},
                "b": {"type": "string", "enum": ["red", "green"], "default": "red"},
                "c": {"type": "array", "items": INTEGER, "default": [1, 2]},
                "d": NUMBER,
                "e": {"type": "array", "items": INTEGER},
                "f": {"type": "array", "items": STRING, "uniqueItems": True, "default": ["a", "b"]},
                "g": {"type": "string", "format": "date", "default": "2026-01-01"},
                "h": {},
                "i": {**BASE64, "default": "YWJj"},
                "j": {"type": "boolean", "default": True},
            },
        },
        accepts=({}, {"a": None}),
        rejects=({"b": "blue"},),
    ),
    Case(
        Parts,
        {
            "type": "object",
            "properties": {
                "given": INTEGER,
                "made": STRING,
                "named": {"type": "boolean", "default": False},
            },
            "required": ["given"],
        },
        accepts=({"given": 1},),
        rejects=({}, {"given": "a"}),
    ),
    Case(
        QuotedParts,
        {
            "type": "object",
            "properties": {
                "given": {"type": "integer", "default": 1},
                "kept": {"type": "integer", "default": 2},
            },
        },
        accepts=({},),
        rejects=({"given": "a"},),
    ),
    Case(
        Frozen,
        {
            "type": "object",
            "properties": {"a": INTEGER, "b": {"type": "string", "default": "x"}},
            "required": ["a"],
        },
        accepts=({"a": 1},),
        rejects=({},),
    ),
    Case(
        Derived,
        {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "Its name."},
                "price": {
                    "type": "number",
                    "description": "In cents,\nwithout tax.",
                    "default": 1.5,
                },
                "stock": {"type": "integer", "default": 0},
            },
            "required": ["name"],
            "description": "A better one.",
        },
        accepts=({"name": "a", "price": 0.5},),
        rejects=({"stock": 1},),
    ),
    Case(
        Said,
        {
            "type": "object",
            "properties": {
                "a": {"type": "integer", "description": "Said of a."},
                "b": {"type": "integer", "description": "Said of b.", "default": 1},
                "c": {"type": "integer", "default": 2},
            },
            "required": ["a"],
        },
        accepts=({"a": 1},),
        rejects=({},),
    ),
    Case(
        Source(
            "from dataclasses import *\n"
            "TYPE = make_dataclass('Noted', [('a', int, field(doc='Said of a.'))])"
        ),
        {
            "type": "object",
            "properties": {"a": {"type": "integer", "description": "Said of a."}},
            "required": ["a"],
        },
        accepts=({"a": 1},),
        rejects=({},),
        needs="python>=3.14",
        id="field(doc=...)",
    ),
    Case(
        Page[int],
        _page(INTEGER, "Page_int", null=True),
        _page(INTEGER, "Page_int", null=False),
        accepts=({"items": [1], "next": {"items": []}},),
        rejects=({"items": ["a"]}, {"items": [], "next": {"items": ["a"]}}),
        id="Page[int]",
    ),
    Case(
        Page[list[str]],
        _page({"type": "array", "items": STRING}, "Page_list_str", null=True),
        _page({"type": "array", "items": STRING}, "Page_list_str", null=False),
        accepts=({"items": [["a"]]},),
        rejects=({"items": ["a"]},),
        id="Page[list[str]]",
    ),
    Case(
        IntPage,
        {
            **_page(INTEGER, "Page_int", null=True),
            "properties": {
                **_page(INTEGER, "Page_int", null=True)["properties"],
                "total": {"type": "integer", "default": 0},
            },
        },
        {
            **_page(INTEGER, "Page_int", null=False),
            "properties": {
                **_page(INTEGER, "Page_int", null=False)["properties"],
                "total": {"type": "integer", "default": 0},
            },
        },
        accepts=({"items": [1], "total": 1, "next": {"items": [2]}},),
        rejects=({"items": ["a"]},),
    ),
    Case(
        Couple[int, str],
        {
            "type": "object",
            "properties": {"first": INTEGER, "second": STRING},
            "required": ["first", "second"],
        },
        accepts=({"first": 1, "second": "a"},),
        rejects=({"first": "a", "second": 1},),
        id="Couple[int, str]",
    ),
    Case(
        Couple[int, None],
        {
            "type": "object",
            "properties": {"first": INTEGER, "second": NULL},
            "required": ["first", "second"],
        },
        accepts=({"first": 1, "second": None},),
        rejects=({"first": 1, "second": 1},),
        id="Couple[int, None]",
    ),
    Case(
        Swapped[int, str],
        {
            "type": "object",
            "properties": {"first": INTEGER, "second": STRING},
            "required": ["first", "second"],
        },
        accepts=({"first": 1, "second": "a"},),
        rejects=({"first": "a", "second": 1},),
        id="Swapped[int, str]",
    ),
    Case(
        Fixed[str],
        {
            "type": "object",
            "properties": {
                "first": INTEGER,
                "second": STRING,
                "third": {"type": "array", "items": STRING},
            },
            "required": ["first", "second", "third"],
        },
        accepts=({"first": 1, "second": "a", "third": ["b"]},),
        rejects=({"first": 1, "second": "a", "third": [1]},),
        id="Fixed[str]",
    ),
    Case(
        Shaped[int, str, bool],
        {
            "type": "object",
            "properties": {
                "first": INTEGER,
                "rest": {
                    "type": "array",
                    "prefixItems": [STRING, BOOLEAN],
                    "minItems": 2,
                    "maxItems": 2,
                },
            },
            "required": ["first", "rest"],
        },
        accepts=({"first": 1, "rest": ["a", True]},),
        rejects=({"first": 1, "rest": ["a"]},),
        id="Shaped[int, str, bool]",
    ),
    Case(
        Shaped[int],
        {
            "type": "object",
            "properties": {"first": INTEGER, "rest": {"type": "array", "maxItems": 0}},
            "required": ["first", "rest"],
        },
        accepts=({"first": 1, "rest": []},),
        rejects=({"first": 1, "rest": ["a"]},),
        id="Shaped[int]",
    ),
    Case(
        Couple[Couple[int, str], list[Couple[int, str]]],
        {
            "type": "object",
            "properties": {
                "first": {
                    "type": "object",
                    "properties": {"first": INTEGER, "second": STRING},
                    "required": ["first", "second"],
                },
                "second": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"first": INTEGER, "second": STRING},
                        "required": ["first", "second"],
                    },
                },
            },
            "required": ["first", "second"],
        },
        accepts=({"first": {"first": 1, "second": "a"}, "second": []},),
        rejects=({"first": 1, "second": []},),
        id="Couple of Couples",
    ),
    Case(
        WithDefault,
        {"type": "object", "properties": {"value": INTEGER}, "required": ["value"]},
        accepts=({"value": 1},),
        rejects=({"value": "a"},),
    ),
    Case(
        WithDefault[str],
        {"type": "object", "properties": {"value": STRING}, "required": ["value"]},
        accepts=({"value": "a"},),
        rejects=({"value": 1},),
        id="WithDefault[str]",
    ),
    Case(
        Node,
        _node(null=True),
        _node(null=False),
        accepts=({"value": 1, "children": [], "parent": None},),
        rejects=({"value": 1, "children": [1]}, {"value": 1}),
    ),
    Case(
        Married,
        _spouses(null=True),
        _spouses(null=False),
        accepts=({}, {"to": {"to": {}}}),
        rejects=({"to": {}},),
    ),
    Case(
        Chained,
        {**_chained("Chained", null=True), "$defs": {"Chained": _chained("Chained", null=True)}},
        {**_chained("Chained", null=False), "$defs": {"Chained": _chained("Chained", null=False)}},
        accepts=({"next": {"next": None}},),
        rejects=({"next": 1},),
    ),
    Case(
        Linked,
        _linked(null=True),
        _linked(null=False),
        accepts=({"next": {"link": []}, "link": [{}]},),
        rejects=({"next": {"link": [1]}},),
    ),
    Case(
        Awkward,
        {
            "type": "object",
            "properties": {
                "type": STRING,
                "items": {"type": "array", "items": INTEGER},
                "properties": {"type": "object", "additionalProperties": INTEGER},
                "required": {"type": "boolean", "default": True},
                "default": {"type": "integer", "default": 1},
                "enum": {"type": "string", "enum": ["a"], "default": "a"},
            },
            "required": ["type", "items", "properties"],
        },
        accepts=({"type": "a", "items": [], "properties": {}},),
        rejects=({"type": "a", "items": [], "properties": {}, "enum": "b"},),
    ),
    Case(
        Twice,
        {
            "type": "object",
            "properties": {"left": ITEM, "right": ITEM, "more": {"type": "array", "items": ITEM}},
            "required": ["left", "right"],
        },
        accepts=({"left": {"name": "a"}, "right": {"name": "b"}},),
        rejects=({"left": {"name": "a"}, "right": {}},),
    ),
    Case(
        Constrained,
        {
            "type": "object",
            "properties": {
                "a": {"type": "integer", "minimum": 1, "maximum": 9, "description": "From 1 to 9."},
                "b": {"anyOf": [{"type": "string", "minLength": 1}, NULL], "default": None},
                "c": {"type": "array", "items": {"type": "string", "pattern": "^a"}, "maxItems": 2},
            },
            "required": ["a"],
        },
        {
            "type": "object",
            "properties": {
                "a": {"type": "integer", "minimum": 1, "maximum": 9, "description": "From 1 to 9."},
                "b": {"type": "string", "minLength": 1, "default": None},
                "c": {"type": "array", "items": {"type": "string", "pattern": "^a"}, "maxItems": 2},
            },
            "required": ["a"],
        },
        accepts=({"a": 1, "b": None, "c": ["ab"]},),
        rejects=({"a": 0}, {"a": 1, "b": ""}, {"a": 1, "c": ["b"]}),
    ),
    Case(
        Method,
        {"type": "object", "properties": {"x": {"type": "integer", "default": 1}}},
        accepts=({},),
        rejects=({"x": "a"},),
    ),
    Case(
        Item | None,
        {"anyOf": [ITEM, NULL]},
        accepts=({"name": "a"}, None),
        rejects=(1,),
        id="Item | None",
    ),
    Case(
        Annotated[Item, "Mine."],
        {**ITEM, "description": "Mine."},
        accepts=({"name": "a"},),
        rejects=({},),
        id="Annotated Item",
    ),
    Case(
        Annotated[Item, MinLen(1)],
        {**ITEM, "minProperties": 1},
        accepts=({"name": "a"},),
        rejects=({},),
        id="Item of 1",
    ),
    Case(
        dict[str, Item],
        {"type": "object", "additionalProperties": ITEM},
        accepts=({"a": {"name": "b"}},),
        rejects=({"a": {}},),
        id="dict[str, Item]",
    ),
]


@dataclass
class QuotedNone:
    a: Annotated["int | None", Ge(1)] = None


@dataclass
class Maybe(Generic[T]):
    value: T | None = None
    more: "dict[str, T] | None" = None


@dataclass
class Described:
    next: Annotated["Described", "The next."] | None = None
    small: list[Annotated["Described", MaxLen(1)]] = field(default_factory=list)


@dataclass
class Painted:
    """What has a color.

    Attributes:
        documented: Of this use.
    """

    plain: Color
    documented: Documented
    mine: Annotated[Documented, "Mine."] = Documented.QUIET


@dataclass
class Nones:
    a: None = None
    b: Annotated[int | None, "Text.", Ge(1)] = None
    c: Final[int | None] = None
    d: int | str | None = None
    e: Optional[Annotated[int, Ge(1)]] = 3
    f: list[int | None] | None = None


@dataclass
class Times:
    """Defaults that RFC 3339 has no words for are left out; the fields stay optional."""

    aware: datetime.datetime = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    naive: datetime.datetime = datetime.datetime(2026, 1, 1)  # noqa: DTZ001
    at: datetime.time = datetime.time(12)
    whole: datetime.timedelta = datetime.timedelta(days=1, seconds=2)
    half: datetime.timedelta = datetime.timedelta(seconds=0.5)
    back: datetime.timedelta = datetime.timedelta(days=-1)


class Parent(TypedDict, Generic[T], total=False):
    a: Required["T"]
    b: "NotRequired[list[T]]"


class Child(Parent[int]):
    c: "Required[str]"
    b: Required[list[int]]


class Itself(TypedDict):
    me: NotRequired[list[Self]]


class Nested(NamedTuple):
    me: "Optional[Self]" = None


def _described(*, null: bool) -> Json:
    reference: Json = {"$ref": "#/$defs/Described"}
    said: Json = {"anyOf": [reference], "description": "The next."}
    body: Json = {
        "type": "object",
        "properties": {
            "next": {"anyOf": [said, NULL], "default": None} if null else {**said, "default": None},
            "small": {"type": "array", "items": {"anyOf": [reference], "maxProperties": 1}},
        },
    }
    return {**body, "$defs": {"Described": body}}


_QUIET: Json = {"type": "string", "enum": ["quiet"]}
_BOUNDED: Json = {"type": "integer", "minimum": 1}
_INTEGER_OR_NULL: Json = {"anyOf": [INTEGER, NULL]}
_NESTED: Json = {
    "type": "array",
    "prefixItems": [{"anyOf": [{"$ref": "#/$defs/Nested"}, NULL]}],
    "maxItems": 1,
}
_ITSELF: Json = {
    "type": "object",
    "properties": {"me": {"type": "array", "items": {"$ref": "#/$defs/Itself"}}},
}

RECORDS = [
    Case(
        QuotedNone,
        {"type": "object", "properties": {"a": {"anyOf": [_BOUNDED, NULL], "default": None}}},
        {"type": "object", "properties": {"a": {**_BOUNDED, "default": None}}},
        accepts=({"a": None}, {"a": 1}),
        rejects=({"a": 0},),
    ),
    Case(
        Maybe[int | None],
        {
            "type": "object",
            "properties": {
                "value": {**_INTEGER_OR_NULL, "default": None},
                "more": {
                    "anyOf": [{"type": "object", "additionalProperties": _INTEGER_OR_NULL}, NULL],
                    "default": None,
                },
            },
        },
        {
            "type": "object",
            "properties": {
                "value": {"type": "integer", "default": None},
                "more": {
                    "type": "object",
                    "additionalProperties": _INTEGER_OR_NULL,
                    "default": None,
                },
            },
        },
        accepts=({"value": None, "more": {"a": None}},),
        rejects=({"value": "a"},),
        id="Maybe[int | None]",
    ),
    Case(
        Described,
        _described(null=True),
        _described(null=False),
        accepts=({"next": {"next": None}, "small": [{}]},),
        rejects=({"next": 1}, {"small": [{"next": None, "more": 1}]}),
    ),
    Case(
        Painted,
        {
            "type": "object",
            "properties": {
                "plain": {"type": "string", "enum": ["red", "green"]},
                "documented": {**_QUIET, "description": "Of this use."},
                "mine": {**_QUIET, "description": "Mine.", "default": "quiet"},
            },
            "required": ["plain", "documented"],
            "description": "What has a color.",
        },
        accepts=({"plain": "red", "documented": "quiet"},),
        rejects=({"plain": "blue", "documented": "quiet"},),
    ),
    Case(
        Nones,
        {
            "type": "object",
            "properties": {
                "a": {"type": "null", "default": None},
                "b": {"anyOf": [_BOUNDED, NULL], "description": "Text.", "default": None},
                "c": {**_INTEGER_OR_NULL, "default": None},
                "d": {"anyOf": [INTEGER, STRING, NULL], "default": None},
                "e": {"anyOf": [_BOUNDED, NULL], "default": 3},
                "f": {
                    "anyOf": [{"type": "array", "items": _INTEGER_OR_NULL}, NULL],
                    "default": None,
                },
            },
        },
        {
            "type": "object",
            "properties": {
                "a": {"type": "null", "default": None},
                "b": {**_BOUNDED, "description": "Text.", "default": None},
                "c": {"type": "integer", "default": None},
                "d": {"anyOf": [INTEGER, STRING], "default": None},
                "e": {**_BOUNDED, "default": 3},
                "f": {"type": "array", "items": _INTEGER_OR_NULL, "default": None},
            },
        },
        accepts=({"b": None, "e": None, "f": [None]},),
        rejects=({"b": 0}, {"e": 0}, {"a": 1}),
    ),
    Case(
        Times,
        {
            "type": "object",
            "properties": {
                "aware": {
                    "type": "string",
                    "format": "date-time",
                    "default": "2026-01-01T00:00:00+00:00",
                },
                "naive": {"type": "string", "format": "date-time"},
                "at": {"type": "string", "format": "time"},
                "whole": {"type": "string", "format": "duration", "default": "P1DT2S"},
                "half": {"type": "string", "format": "duration"},
                "back": {"type": "string", "format": "duration"},
            },
            "description": "Defaults that RFC 3339 has no words for are left out; "
            "the fields stay optional.",
        },
        accepts=({}, {"whole": "P1DT2S"}),
        rejects=({"whole": "1 day"},),
    ),
    Case(
        Child,
        {
            "type": "object",
            "properties": {
                "a": INTEGER,
                "b": {"type": "array", "items": INTEGER},
                "c": STRING,
            },
            "required": ["a", "b", "c"],
        },
        accepts=({"a": 1, "b": [], "c": "x"},),
        rejects=({"a": 1, "c": "x"}, {"a": "x", "b": [], "c": "x"}),
    ),
    Case(
        Itself,
        {**_ITSELF, "$defs": {"Itself": _ITSELF}},
        accepts=({"me": [{}]},),
        rejects=({"me": [1]},),
    ),
    Case(
        Nested,
        {**_NESTED, "$defs": {"Nested": _NESTED}},
        accepts=([], [None], [[[]]]),
        rejects=([1],),
    ),
    Case(
        Couple[int, T][str],  # type: ignore[misc]
        {
            "type": "object",
            "properties": {"first": INTEGER, "second": STRING},
            "required": ["first", "second"],
        },
        accepts=({"first": 1, "second": "a"},),
        rejects=({"first": "a", "second": 1},),
        id="Couple[int, T][str]",
    ),
]

# -- names for other annotations ---------------------------------------------------------------

UserId = NewType("UserId", int)
AdminId = NewType("AdminId", UserId)
Grid = NewType("Grid", list[list[int]])
OldJson = Union[str, int, None, list["OldJson"], dict[str, "OldJson"]]
TeAlias = te.TypeAliasType("TeAlias", list[int])
TePair = te.TypeAliasType("TePair", tuple[T, T], type_params=(T,))
TeTree = te.TypeAliasType("TeTree", dict[str, "TeTree"])
ManyNames = list[T] | T

_OLD_REFERENCE = {"$ref": "#/$defs/OldJson"}
_OLD_ARMS = [
    STRING,
    INTEGER,
    {"type": "array", "items": _OLD_REFERENCE},
    {"type": "object", "additionalProperties": _OLD_REFERENCE},
]
_OLD_JSON: Json = {"anyOf": [*_OLD_ARMS, NULL]}
_WITHOUT_NULL: Json = {"anyOf": _OLD_ARMS}


class Document(TypedDict):
    body: "OldJson"


def _pep695(text: str, mcp: Json | None, **rest: Any) -> Case:
    """A row that begins with a PEP 695 statement and ends with the annotation."""
    *statements, last = text.split("; ")
    source = "\n".join([_PRELUDE, *statements, f"TYPE = {last}"])
    return Case(
        Source(source),
        mcp,
        needs=rest.pop("needs", "python>=3.12"),
        id=" ".join(text.split()),
        **rest,
    )


_PRELUDE = """
from dataclasses import dataclass
from typing import *
from milo_schema import *
"""

ALIASES = [
    Case(UserId, INTEGER, accepts=(1,), rejects=("a",), id="NewType"),
    Case(AdminId, INTEGER, accepts=(1,), rejects=("a",), id="NewType of a NewType"),
    Case(
        Grid,
        {"type": "array", "items": {"type": "array", "items": INTEGER}},
        accepts=([[1]],),
        rejects=([1],),
        id="NewType of list",
    ),
    Case(
        Annotated[UserId, Ge(1)],
        {"type": "integer", "minimum": 1},
        accepts=(1,),
        rejects=(0,),
        id="Annotated NewType",
    ),
    Case(
        NewType("Short", Annotated[str, MaxLen(2)]),
        {"type": "string", "maxLength": 2},
        accepts=("ab",),
        rejects=("abc",),
        id="NewType of Annotated",
    ),
    Case(te.NewType("TeId", int), INTEGER, accepts=(1,), rejects=("a",), id="te.NewType"),
    Case(
        TeAlias,
        {"type": "array", "items": INTEGER},
        accepts=([1],),
        rejects=(["a"],),
        id="te.TypeAliasType",
    ),
    Case(
        TePair[int],
        {"type": "array", "prefixItems": [INTEGER, INTEGER], "minItems": 2, "maxItems": 2},
        accepts=([1, 2],),
        rejects=([1, "a"],),
        id="te.TypeAliasType[int]",
    ),
    Case(
        TePair,
        {"type": "array", "prefixItems": [{}, {}], "minItems": 2, "maxItems": 2},
        accepts=([1, "a"],),
        rejects=([1],),
        id="te.TypeAliasType bare",
    ),
    Case(
        TeTree,
        {
            "type": "object",
            "additionalProperties": {"$ref": "#/$defs/TeTree"},
            "$defs": {
                "TeTree": {"type": "object", "additionalProperties": {"$ref": "#/$defs/TeTree"}}
            },
        },
        accepts=({"a": {"b": {}}},),
        rejects=({"a": 1},),
        id="te.TypeAliasType recursive",
    ),
    Case(
        te.TypeAliasType("InText", "list[int]"),
        {"type": "array", "items": INTEGER},
        accepts=([1],),
        rejects=(["a"],),
        id="te.TypeAliasType of a string",
    ),
    Case(
        ManyNames[int],
        {"anyOf": [{"type": "array", "items": INTEGER}, INTEGER]},
        accepts=(1, [1]),
        rejects=("a",),
        id="generic union",
    ),
    Case(
        Document,
        {
            "type": "object",
            "properties": {"body": _OLD_JSON},
            "required": ["body"],
            "$defs": {"OldJson": _OLD_JSON},
        },
        {
            "type": "object",
            "properties": {"body": _WITHOUT_NULL},
            "required": ["body"],
            "$defs": {"OldJson": _OLD_JSON},
        },
        accepts=({"body": {"a": [1, {"b": None}]}},),
        rejects=({"body": 1.5}, {"body": [1.5]}),
    ),
    _pep695(
        "type Ints = list[int]; Ints",
        {"type": "array", "items": INTEGER},
        accepts=([1],),
        rejects=(["a"],),
    ),
    _pep695(
        "type Pair[T] = tuple[T, T]; Pair[int]",
        {"type": "array", "prefixItems": [INTEGER, INTEGER], "minItems": 2, "maxItems": 2},
        accepts=([1, 2],),
        rejects=([1],),
    ),
    _pep695(
        "type Pair[T] = tuple[T, T]; Pair",
        {"type": "array", "prefixItems": [{}, {}], "minItems": 2, "maxItems": 2},
        accepts=([1, "a"],),
        rejects=([1],),
    ),
    _pep695(
        "type Pair[T] = tuple[T, T]; dict[str, Pair[Pair[int]]]",
        {
            "type": "object",
            "additionalProperties": {
                "type": "array",
                "prefixItems": [
                    {
                        "type": "array",
                        "prefixItems": [INTEGER, INTEGER],
                        "minItems": 2,
                        "maxItems": 2,
                    }
                ]
                * 2,
                "minItems": 2,
                "maxItems": 2,
            },
        },
        accepts=({"a": [[1, 2], [3, 4]]},),
        rejects=({"a": [1, 2]},),
    ),
    _pep695(
        "type Maybe[T] = T | None; Maybe[int]",
        {"anyOf": [INTEGER, NULL]},
        accepts=(1, None),
        rejects=("a",),
    ),
    _pep695(
        "type Maybe[T] = T | None; list[Maybe[int] | Maybe[str]]",
        {"type": "array", "items": {"anyOf": [INTEGER, STRING, NULL]}},
        accepts=([1, "a", None],),
        rejects=([1.5],),
    ),
    _pep695(
        "type Short = Annotated[str, MaxLen(2), 'Short.']; Short",
        {"type": "string", "maxLength": 2, "description": "Short."},
        accepts=("ab",),
        rejects=("abc",),
    ),
    _pep695(
        "type Short = Annotated[str, MaxLen(2)]; Annotated[Short, MinLen(1)]",
        {"type": "string", "maxLength": 2, "minLength": 1},
        accepts=("ab",),
        rejects=("abc", ""),
    ),
    _pep695(
        "type Ints = list[int]; Annotated[Ints, MinLen(1)]",
        {"type": "array", "items": INTEGER, "minItems": 1},
        accepts=([1],),
        rejects=([],),
    ),
    _pep695(
        "type Tree = list[Tree]; Tree",
        {
            "type": "array",
            "items": {"$ref": "#/$defs/Tree"},
            "$defs": {"Tree": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
        },
        accepts=([[], [[]]],),
        rejects=([1],),
    ),
    _pep695(
        "type Tree[T] = dict[str, Tree[T] | T]; Tree[int]",
        {
            "type": "object",
            "additionalProperties": {"anyOf": [{"$ref": "#/$defs/Tree_int"}, INTEGER]},
            "$defs": {
                "Tree_int": {
                    "type": "object",
                    "additionalProperties": {"anyOf": [{"$ref": "#/$defs/Tree_int"}, INTEGER]},
                }
            },
        },
        accepts=({"a": {"b": 1}},),
        rejects=({"a": "b"},),
    ),
    _pep695(
        "type Json = str | list[Json] | dict[str, Json] | None; Json",
        {
            "anyOf": [
                STRING,
                {"type": "array", "items": {"$ref": "#/$defs/Json"}},
                {"type": "object", "additionalProperties": {"$ref": "#/$defs/Json"}},
                NULL,
            ],
            "$defs": {
                "Json": {
                    "anyOf": [
                        STRING,
                        {"type": "array", "items": {"$ref": "#/$defs/Json"}},
                        {"type": "object", "additionalProperties": {"$ref": "#/$defs/Json"}},
                        NULL,
                    ]
                }
            },
        },
        accepts=({"a": [None, "b"]},),
        rejects=([1],),
    ),
    _pep695(
        "type A = list[B]; type B = dict[str, A]; A",
        {
            "type": "array",
            "items": {"$ref": "#/$defs/B"},
            "$defs": {
                "A": {"type": "array", "items": {"$ref": "#/$defs/B"}},
                "B": {"type": "object", "additionalProperties": {"$ref": "#/$defs/A"}},
            },
        },
        accepts=([{"a": []}],),
        rejects=([1],),
    ),
    _pep695(
        "type Row[*Ts] = tuple[int, *Ts]; Row[str, bool]",
        {"type": "array", "prefixItems": [INTEGER, STRING, BOOLEAN], "minItems": 3, "maxItems": 3},
        accepts=([1, "a", True],),
        rejects=([1],),
    ),
    _pep695(
        "@dataclass\nclass Box[T]:\n    value: T; Box[int]",
        {"type": "object", "properties": {"value": INTEGER}, "required": ["value"]},
        accepts=({"value": 1},),
        rejects=({"value": "a"},),
    ),
    _pep695(
        "@dataclass\nclass Box[T: int]:\n    value: T; Box",
        {"type": "object", "properties": {"value": INTEGER}, "required": ["value"]},
        accepts=({"value": 1},),
        rejects=({"value": "a"},),
    ),
    _pep695(
        "@dataclass\nclass Box[T: (int, str)]:\n    value: T; Box",
        {"type": "object", "properties": {"value": INTEGER_OR_STRING}, "required": ["value"]},
        accepts=({"value": "a"},),
        rejects=({"value": 1.5},),
    ),
    _pep695(
        "class Box[T](TypedDict):\n    value: T\nclass IntBox(Box[int]): pass; IntBox",
        {"type": "object", "properties": {"value": INTEGER}, "required": ["value"]},
        accepts=({"value": 1},),
        rejects=({"value": "a"},),
    ),
    _pep695(
        "class Two[T](NamedTuple):\n    a: T\n    b: list[T]; Two[int]",
        {
            "type": "array",
            "prefixItems": [INTEGER, {"type": "array", "items": INTEGER}],
            "minItems": 2,
            "maxItems": 2,
        },
        accepts=([1, [2]],),
        rejects=([1, ["a"]],),
    ),
    _pep695(
        "@dataclass\nclass Box[T = int]:\n    value: T; Box",
        {"type": "object", "properties": {"value": INTEGER}, "required": ["value"]},
        needs="python>=3.13",
        accepts=({"value": 1},),
        rejects=({"value": "a"},),
    ),
    _pep695(
        "@dataclass\nclass Box[T = int, U = list[T]]:\n    value: U; Box[str]",
        {
            "type": "object",
            "properties": {"value": {"type": "array", "items": STRING}},
            "required": ["value"],
        },
        needs="python>=3.13",
        accepts=({"value": ["a"]},),
        rejects=({"value": [1]},),
    ),
    _pep695(
        "type Pair[T = int] = tuple[T, T]; Pair",
        {"type": "array", "prefixItems": [INTEGER, INTEGER], "minItems": 2, "maxItems": 2},
        needs="python>=3.13",
        accepts=([1, 2],),
        rejects=([1, "a"],),
    ),
    _pep695(
        "class R(TypedDict):\n    a: ReadOnly[int]\n    b: NotRequired[ReadOnly[str]]; R",
        {"type": "object", "properties": {"a": INTEGER, "b": STRING}, "required": ["a"]},
        needs="python>=3.13",
        accepts=({"a": 1},),
        rejects=({"b": "a"},),
    ),
    _pep695("type A = A; A", None, refused=("A", "stands for itself")),
    _pep695("type A = A | None; A", None, refused=("A", "stands for itself")),
    _pep695("type A = B; type B = A | int; A", None, refused=("A", "stands for itself")),
    _pep695("type A = Missing; A", {}, milo=STRING, refused=("A", "cannot evaluate A.__value__")),
    _pep695(
        "@dataclass\nclass Grow[T]:\n    next: 'Grow[list[T]] | None' = None; Grow[int]",
        None,
        refused=("Grow[int].next" + ".next" * 11, "type arguments nested deeper than 12 levels"),
    ),
]

# -- Annotated ---------------------------------------------------------------------------------

Email = Annotated[str, Format("email"), Description("An address.")]
Listed = Annotated[list[T], MinLen(1)]


class QuotedDeep(TypedDict):
    x: list["Annotated[int, Ge(1)]"]


ANNOTATED = [
    Case(
        Annotated[int, Ge(1), Le(9)],
        {"type": "integer", "minimum": 1, "maximum": 9},
        accepts=(1, 9),
        rejects=(0, 10),
        id="Ge Le",
    ),
    Case(
        Annotated[float, Gt(0), Lt(1.5)],
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1.5},
        accepts=(0.1,),
        rejects=(0, 1.5),
        id="Gt Lt",
    ),
    Case(
        Annotated[int, MultipleOf(5)],
        {"type": "integer", "multipleOf": 5},
        accepts=(10,),
        rejects=(11,),
        id="MultipleOf",
    ),
    Case(
        Annotated[str, MinLen(1), MaxLen(2)],
        {"type": "string", "minLength": 1, "maxLength": 2},
        accepts=("a",),
        rejects=("", "abc"),
        id="MinLen MaxLen str",
    ),
    Case(
        Annotated[list[str], MinLen(1), MaxLen(2)],
        {"type": "array", "items": STRING, "minItems": 1, "maxItems": 2},
        accepts=(["a"],),
        rejects=([], ["a"] * 3),
        id="MinLen MaxLen list",
    ),
    Case(
        Annotated[str, Pattern("^a+$")],
        {"type": "string", "pattern": "^a+$"},
        accepts=("aa",),
        rejects=("b",),
        id="Pattern",
    ),
    Case(
        Annotated[str, Pattern(r"\Aa\Z")],
        {"type": "string", "pattern": "^a$"},
        accepts=("a",),
        rejects=("ab",),
        id="Pattern of Python",
    ),
    Case(
        Annotated[str, Pattern("a"), Pattern("b")],
        {"type": "string", "pattern": "a", "allOf": [{"pattern": "b"}]},
        accepts=("ab",),
        rejects=("a", "b"),
        id="Pattern twice",
    ),
    Case(
        Annotated[int, MultipleOf(2), MultipleOf(3)],
        {"type": "integer", "multipleOf": 2, "allOf": [{"multipleOf": 3}]},
        accepts=(6,),
        rejects=(2, 3),
        id="MultipleOf twice",
    ),
    Case(
        Annotated[int, Ge(1), Ge(5), Ge(3)],
        {"type": "integer", "minimum": 5},
        accepts=(5,),
        rejects=(4,),
        id="Ge thrice",
    ),
    Case(
        Annotated[Annotated[str, MinLen(3)], MinLen(1)],
        {"type": "string", "minLength": 3},
        accepts=("abc",),
        rejects=("ab",),
        id="MinLen nested",
    ),
    Case(
        Annotated[Annotated[str, MaxLen(3)], MaxLen(5)],
        {"type": "string", "maxLength": 3},
        accepts=("abc",),
        rejects=("abcd",),
        id="MaxLen nested",
    ),
    Case(
        Annotated[int, Gt(1), Ge(1)],
        {"type": "integer", "exclusiveMinimum": 1, "minimum": 1},
        accepts=(2,),
        rejects=(1,),
        id="Gt and Ge",
    ),
    Case(
        Annotated[int, "Text."],
        {"type": "integer", "description": "Text."},
        accepts=(1,),
        rejects=("a",),
        id="text",
    ),
    Case(
        Annotated[int, "Text.", Description("Wins.")],
        {"type": "integer", "description": "Wins."},
        accepts=(1,),
        rejects=("a",),
        id="text and Description",
    ),
    Case(
        Annotated[int, Description("Wins."), "Text."],
        {"type": "integer", "description": "Wins."},
        accepts=(1,),
        rejects=("a",),
        id="Description and text",
    ),
    Case(
        Annotated[Annotated[int, "Inner."], "Outer."],
        {"type": "integer", "description": "Outer."},
        accepts=(1,),
        rejects=("a",),
        id="text twice",
    ),
    Case(
        Annotated[int, Title("T")],
        {"type": "integer", "title": "T"},
        accepts=(1,),
        rejects=("a",),
        id="Title",
    ),
    Case(
        Email,
        {"type": "string", "format": "email", "description": "An address."},
        accepts=("a@example.org",),
        rejects=(1, "a"),
        id="Format",
    ),
    Case(
        Annotated[str, Examples("a", "b")],
        {"type": "string", "examples": ["a", "b"]},
        accepts=("c",),
        rejects=(1,),
        id="Examples",
    ),
    Case(
        Annotated[Color, Examples(Color.RED)],
        {"type": "string", "enum": ["red", "green"], "examples": ["red"]},
        accepts=("red",),
        rejects=("blue",),
        id="Examples of members",
    ),
    Case(
        Annotated[int, Deprecated],
        {"type": "integer", "deprecated": True},
        accepts=(1,),
        rejects=("a",),
        id="Deprecated",
    ),
    Case(
        Annotated[int, Deprecated()],
        {"type": "integer", "deprecated": True},
        accepts=(1,),
        rejects=("a",),
        id="Deprecated()",
    ),
    Case(Annotated[int, Injected], INTEGER, accepts=(1,), rejects=("a",), id="Injected"),
    Case(
        Annotated[int, {"not": "ours"}, 3.5, Plain],
        INTEGER,
        accepts=(1,),
        rejects=("a",),
        id="metadata of others",
    ),
    Case(
        Annotated[None, "Nothing."],
        {"type": "null", "description": "Nothing."},
        accepts=(None,),
        rejects=(1,),
        id="Annotated None",
    ),
    Case(
        Annotated[Any, "Anything."],
        {"description": "Anything."},
        accepts=(1, None),
        id="Annotated Any",
    ),
    Case(
        Annotated[int | str, Ge(1)],
        {"anyOf": [{"type": "integer", "minimum": 1}, STRING]},
        accepts=(1, "a"),
        rejects=(0,),
        id="Ge on a union",
    ),
    Case(
        Annotated[int | None, Ge(1)],
        {"anyOf": [{"type": "integer", "minimum": 1}, NULL]},
        accepts=(1, None),
        rejects=(0,),
        id="Ge on an Optional",
    ),
    Case(
        Annotated[str | list[int] | dict[str, int], MinLen(2)],
        {
            "anyOf": [
                {"type": "string", "minLength": 2},
                {"type": "array", "items": INTEGER, "minItems": 2},
                {"type": "object", "additionalProperties": INTEGER, "minProperties": 2},
            ]
        },
        accepts=("ab", [1, 2]),
        rejects=("a", [1], {}),
        id="MinLen on a union",
    ),
    Case(
        Annotated[int, Ge(1)] | Annotated[str, MinLen(1)],
        {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "minLength": 1}]},
        accepts=(1, "a"),
        rejects=(0, ""),
        id="union of Annotated",
    ),
    Case(
        list[Annotated[int, Ge(0)]],
        {"type": "array", "items": {"type": "integer", "minimum": 0}},
        accepts=([0],),
        rejects=([-1],),
        id="list of Annotated",
    ),
    Case(
        dict[str, Annotated[list[Annotated[str, MinLen(1)]], MaxLen(1)]],
        {
            "type": "object",
            "additionalProperties": {
                "type": "array",
                "items": {"type": "string", "minLength": 1},
                "maxItems": 1,
            },
        },
        accepts=({"a": ["b"]},),
        rejects=({"a": [""]}, {"a": ["b", "c"]}),
        id="Annotated deep down",
    ),
    Case(
        QuotedDeep,
        {
            "type": "object",
            "properties": {"x": {"type": "array", "items": {"type": "integer", "minimum": 1}}},
            "required": ["x"],
        },
        accepts=({"x": [1]},),
        rejects=({"x": [0]},),
    ),
    Case(
        Listed[int],
        {"type": "array", "items": INTEGER, "minItems": 1},
        accepts=([1],),
        rejects=([],),
        id="Annotated generic",
    ),
    Case(
        Annotated[decimal.Decimal, Ge(0)],
        {"anyOf": [{"type": "number", "minimum": 0}, DECIMAL]},
        accepts=("1.5", 0),
        rejects=(-1, "x"),
        id="Decimal from 0",
    ),
    Case(
        Annotated[decimal.Decimal, Ge(decimal.Decimal("0.5")), Lt(2)],
        {"anyOf": [{"type": "number", "minimum": 0.5, "exclusiveMaximum": 2}, DECIMAL]},
        accepts=("1.5", 0.5),
        rejects=(2,),
        id="Decimal from Decimal",
    ),
    Case(
        Annotated[Level, Ge(2)],
        {"type": "integer", "enum": [1, 2], "minimum": 2},
        accepts=(2,),
        rejects=(1,),
        id="Ge on an Enum",
    ),
    Case(
        Annotated[Literal["a", "bc"], MinLen(2)],
        {"type": "string", "enum": ["a", "bc"], "minLength": 2},
        accepts=("bc",),
        rejects=("a",),
        id="MinLen on a Literal",
    ),
    Case(Annotated[Any, Ge(1)], {"minimum": 1}, accepts=(1, "a"), rejects=(0,), id="Ge on Any"),
    Case(
        Annotated[str, Schema({"x-secret": True})],
        {"type": "string", "x-secret": True},
        accepts=("a",),
        rejects=(1,),
        id="Schema",
    ),
    Case(
        Annotated[str, Schema({"type": "integer"})],
        {"type": "integer"},
        accepts=(1,),
        rejects=("a",),
        id="Schema over the type",
    ),
    Case(
        Annotated[int, Schema({"not": {"const": 3}}), Ge(1)],
        {"type": "integer", "minimum": 1, "not": {"const": 3}},
        accepts=(1,),
        rejects=(3, 0),
        id="Schema and Ge",
    ),
    Case(
        Annotated[complex, Schema({"type": "string"})],
        STRING,
        accepts=("1+2j",),
        rejects=(1,),
        id="Schema of a type without one",
    ),
    Case(
        Annotated[str, Ge(1)],
        STRING,
        refused=("Annotated[str, Ge(1)]", "Ge(1) cannot apply to str"),
        id="Ge on str",
    ),
    Case(
        Annotated[bool, Ge(1)],
        BOOLEAN,
        refused=("Annotated[bool, Ge(1)]", "Ge(1) cannot apply to bool"),
        id="Ge on bool",
    ),
    Case(
        Annotated[int, MinLen(1)],
        INTEGER,
        refused=("Annotated[int, MinLen(1)]", "MinLen(1) cannot apply to int"),
        id="MinLen on int",
    ),
    Case(
        Annotated[datetime.date, MinLen(1)],
        {"type": "string", "format": "date"},
        refused=("Annotated[date, MinLen(1)]", "MinLen(1) cannot apply to date"),
        id="MinLen on date",
    ),
    Case(
        list[Annotated[int, Pattern("a")]],
        {"type": "array", "items": INTEGER},
        refused=("list[Annotated[int, Pattern('a')]][]", "Pattern('a') cannot apply to int"),
        id="Pattern on int",
    ),
    Case(
        Annotated[str, MinLen(-1)],
        STRING,
        refused=("Annotated[str, MinLen(-1)]", "MinLen(-1) is no length"),
        id="MinLen(-1)",
    ),
    Case(
        Annotated[int, Ge(float("inf"))],
        INTEGER,
        refused=("Annotated[int, Ge(inf)]", "Ge(inf) cannot be said"),
        id="Ge(inf)",
    ),
    Case(
        Annotated[int, MultipleOf(0)],
        INTEGER,
        refused=("Annotated[int, MultipleOf(0)]", "MultipleOf(0) has no multiples"),
        id="MultipleOf(0)",
    ),
    Case(
        Annotated[str, Pattern("(")],
        STRING,
        refused=("Annotated[str, Pattern('(')]", "Pattern('(') is no regular expression"),
        id="Pattern of no pattern",
    ),
    Case(
        Annotated[str, Schema({"x": {1, 2}})],
        {"type": "string", "x": [1, 2]},
        accepts=("a",),
        rejects=(1,),
        id="Schema with a set",
    ),
    Case(
        Annotated[str, Schema({"x": Plain()})],
        STRING,
        refused=("Annotated[str, Schema(<dict object>)]", "Schema(<dict object>) has an object"),
        id="Schema with no JSON",
    ),
]

# -- qualifiers --------------------------------------------------------------------------------

QUALIFIERS = [
    Case(Required[int], INTEGER, accepts=(1,), rejects=("a",), id="Required"),
    Case(NotRequired[int], INTEGER, accepts=(1,), rejects=("a",), id="NotRequired"),
    Case(te.Required[int], INTEGER, accepts=(1,), rejects=("a",), id="te.Required"),
    Case(te.ReadOnly[int], INTEGER, accepts=(1,), rejects=("a",), id="te.ReadOnly"),
    Case(
        Source("from typing import ReadOnly\nTYPE = ReadOnly[int]"),
        INTEGER,
        needs="python>=3.13",
        accepts=(1,),
        rejects=("a",),
        id="ReadOnly",
    ),
    Case(Final[int], INTEGER, accepts=(1,), rejects=("a",), id="Final"),
    Case(ClassVar[int], INTEGER, accepts=(1,), rejects=("a",), id="ClassVar"),
    Case(InitVar[int], INTEGER, accepts=(1,), rejects=("a",), id="InitVar"),
    Case(Final, {}, accepts=(1, "a"), id="Final bare"),
    Case(
        Required[Annotated[int, Ge(1)]],
        {"type": "integer", "minimum": 1},
        accepts=(1,),
        rejects=(0,),
        id="Required Annotated",
    ),
    Case(
        Annotated[NotRequired[int], Ge(1)],
        {"type": "integer", "minimum": 1},
        accepts=(1,),
        rejects=(0,),
        id="Annotated NotRequired",
    ),
    Case(Self, {}, STRING, refused=("Self", "Self stands for a class"), id="Self"),
    Case(te.Self, {}, STRING, refused=("Self", "Self stands for a class"), id="te.Self"),
]

# -- annotated-types and typing_extensions -----------------------------------------------------

GROUPED = [
    Case(
        Annotated[int, at.Interval(gt=0, le=9)],
        {"type": "integer", "exclusiveMinimum": 0, "maximum": 9},
        accepts=(1,),
        rejects=(0, 10),
        id="at.Interval",
    ),
    Case(
        Annotated[int, at.Ge(1), at.Lt(9)],
        {"type": "integer", "minimum": 1, "exclusiveMaximum": 9},
        accepts=(1,),
        rejects=(0, 9),
        id="at.Ge Lt",
    ),
    Case(
        Annotated[float, at.Gt(0), at.Le(1)],
        {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        accepts=(0.5,),
        rejects=(0,),
        id="at.Gt Le",
    ),
    Case(
        Annotated[list[int], at.Len(1, 3)],
        {"type": "array", "items": INTEGER, "minItems": 1, "maxItems": 3},
        accepts=([1],),
        rejects=([], [1] * 4),
        id="at.Len list",
    ),
    Case(
        Annotated[str, at.Len(2)],
        {"type": "string", "minLength": 2},
        accepts=("ab",),
        rejects=("a",),
        id="at.Len str",
    ),
    Case(
        Annotated[str, at.MinLen(1), at.MaxLen(2)],
        {"type": "string", "minLength": 1, "maxLength": 2},
        accepts=("a",),
        rejects=("", "abc"),
        id="at.MinLen MaxLen",
    ),
    Case(
        Annotated[int, at.MultipleOf(5)],
        {"type": "integer", "multipleOf": 5},
        accepts=(5,),
        rejects=(6,),
        id="at.MultipleOf",
    ),
    Case(
        Annotated[int, at.doc("Text.")],
        {"type": "integer", "description": "Text."},
        accepts=(1,),
        rejects=("a",),
        id="at.doc",
    ),
    Case(
        Annotated[datetime.datetime, at.Timezone("UTC")],
        {"type": "string", "format": "date-time"},
        accepts=("2026-01-31T12:00:00Z",),
        rejects=(1,),
        id="at.Timezone",
    ),
    Case(at.LowerCase[str], STRING, accepts=("a",), rejects=(1,), id="at.LowerCase"),
    Case(
        Annotated[int, at.Predicate(bool)], INTEGER, accepts=(1,), rejects=("a",), id="at.Predicate"
    ),
    Case(Annotated[float, at.Unit("m")], NUMBER, accepts=(1,), rejects=("a",), id="at.Unit"),
    Case(
        Annotated[int, te.Doc("Text.")],
        {"type": "integer", "description": "Text."},
        accepts=(1,),
        rejects=("a",),
        id="te.Doc",
    ),
    Case(
        Annotated[int, te.deprecated("Use other.")],
        {"type": "integer", "deprecated": True},
        accepts=(1,),
        rejects=("a",),
        id="te.deprecated",
    ),
    Case(
        Source(
            "from typing import Annotated\n"
            "from warnings import deprecated\n"
            "TYPE = Annotated[int, deprecated('Use other.')]"
        ),
        {"type": "integer", "deprecated": True},
        needs="python>=3.13",
        accepts=(1,),
        rejects=("a",),
        id="warnings.deprecated",
    ),
]

# -- pydantic ----------------------------------------------------------------------------------


class User(pydantic.BaseModel):
    """Who it is."""

    name: str
    age: int = pydantic.Field(default=0, ge=0, description="In years.")
    email: str | None = None


class Camel(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")

    first_name: str = pydantic.Field(alias="firstName")
    tags: list[str] = pydantic.Field(default_factory=list, max_length=3)


class WithExtra(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(json_schema_extra={"x-kind": "thing"})

    title: str = pydantic.Field(title="Its title", json_schema_extra={"x-order": 1})


class Team(pydantic.BaseModel):
    lead: User
    members: list[User]


class Branch(pydantic.BaseModel):
    children: "list[Branch]" = []


class Tags(pydantic.RootModel[list[str]]):
    pass


class Wrapper(pydantic.BaseModel, Generic[T]):
    value: T


@pydantic.dataclasses.dataclass
class Checked:
    x: Annotated[int, pydantic.Field(gt=0)]
    y: str = "a"


@dataclass
class Holder:
    user: User
    node: Bare


def _user(*, null: bool) -> Json:
    email: Json = (
        {"anyOf": [STRING, NULL], "default": None} if null else {**STRING, "default": None}
    )
    return {
        "description": "Who it is.",
        "type": "object",
        "properties": {
            "name": STRING,
            "age": {"type": "integer", "minimum": 0, "default": 0, "description": "In years."},
            "email": email,
        },
        "required": ["name"],
    }


_BRANCH: Json = {
    "type": "object",
    "properties": {
        "children": {"type": "array", "items": {"$ref": "#/$defs/Branch"}, "default": []}
    },
}

PYDANTIC = [
    Case(
        User,
        _user(null=True),
        _user(null=False),
        accepts=({"name": "a"}, {"name": "a", "email": None}),
        rejects=({}, {"name": "a", "age": -1}),
    ),
    Case(
        Camel,
        {
            "type": "object",
            "properties": {
                "firstName": STRING,
                "tags": {"type": "array", "items": STRING, "maxItems": 3},
            },
            "required": ["firstName"],
            "additionalProperties": False,
        },
        accepts=({"firstName": "a"},),
        rejects=({"first_name": "a"}, {"firstName": "a", "b": 1}),
    ),
    Case(
        WithExtra,
        {
            "type": "object",
            "properties": {"title": {"type": "string", "title": "Its title", "x-order": 1}},
            "required": ["title"],
            "x-kind": "thing",
        },
        accepts=({"title": "a"},),
        rejects=({},),
    ),
    Case(
        Team,
        {
            "type": "object",
            "properties": {
                "lead": _user(null=True),
                "members": {"type": "array", "items": _user(null=True)},
            },
            "required": ["lead", "members"],
        },
        {
            "type": "object",
            "properties": {
                "lead": _user(null=False),
                "members": {"type": "array", "items": _user(null=False)},
            },
            "required": ["lead", "members"],
        },
        accepts=({"lead": {"name": "a"}, "members": []},),
        rejects=({"lead": {}, "members": []},),
    ),
    Case(
        Branch,
        {**_BRANCH, "$defs": {"Branch": _BRANCH}},
        accepts=({"children": [{}]},),
        rejects=({"children": [1]},),
    ),
    Case(Tags, {"type": "array", "items": STRING}, accepts=(["a"],), rejects=([1],)),
    Case(
        Wrapper[int],
        {"type": "object", "properties": {"value": INTEGER}, "required": ["value"]},
        accepts=({"value": 1},),
        rejects=({"value": "a"},),
        id="Wrapper[int]",
    ),
    Case(
        Checked,
        {
            "type": "object",
            "properties": {
                "x": {"type": "integer", "exclusiveMinimum": 0},
                "y": {"type": "string", "default": "a"},
            },
            "required": ["x"],
        },
        accepts=({"x": 1},),
        rejects=({"x": 0},),
    ),
    Case(
        list[User],
        {"type": "array", "items": _user(null=True)},
        {"type": "array", "items": _user(null=False)},
        accepts=([{"name": "a"}],),
        rejects=([{}],),
        id="list[User]",
    ),
    Case(
        Holder,
        {
            "type": "object",
            "properties": {
                "user": _user(null=True),
                "node": {"type": "object", "properties": {"x": INTEGER}, "required": ["x"]},
            },
            "required": ["user", "node"],
        },
        {
            "type": "object",
            "properties": {
                "user": _user(null=False),
                "node": {"type": "object", "properties": {"x": INTEGER}, "required": ["x"]},
            },
            "required": ["user", "node"],
        },
        accepts=({"user": {"name": "a"}, "node": {"x": 1}},),
        rejects=({"user": {}, "node": {"x": 1}},),
    ),
    Case(
        Annotated[int, pydantic.Field(ge=1, le=9, description="Text.")],
        {"type": "integer", "minimum": 1, "maximum": 9, "description": "Text."},
        accepts=(1,),
        rejects=(0,),
        id="pydantic.Field",
    ),
    Case(
        Annotated[str, pydantic.Field(min_length=1, pattern="^a")],
        {"type": "string", "minLength": 1, "pattern": "^a"},
        accepts=("a",),
        rejects=("b",),
        id="pydantic.Field str",
    ),
    Case(
        Annotated[list[int], pydantic.Field(max_length=2, examples=[[1]])],
        {"type": "array", "items": INTEGER, "maxItems": 2, "examples": [[1]]},
        accepts=([1],),
        rejects=([1, 2, 3],),
        id="pydantic.Field list",
    ),
    Case(
        Annotated[int, pydantic.Field(deprecated=True, json_schema_extra={"x": 1})],
        {"type": "integer", "deprecated": True, "x": 1},
        accepts=(1,),
        rejects=("a",),
        id="pydantic.Field deprecated",
    ),
    Case(
        Annotated[
            Literal["a", "b"],
            pydantic.WithJsonSchema({"type": "string", "pattern": "^[ab]$"}),
            "Text.",
        ],
        {"type": "string", "pattern": "^[ab]$", "description": "Text."},
        accepts=("a",),
        rejects=("c", 1),
        id="pydantic WithJsonSchema",
    ),
    Case(pydantic.StrictInt, INTEGER, accepts=(1,), rejects=("a",), id="pydantic.StrictInt"),
    Case(
        pydantic.PositiveInt,
        {"type": "integer", "exclusiveMinimum": 0},
        accepts=(1,),
        rejects=(0,),
        id="pydantic.PositiveInt",
    ),
    Case(
        pydantic.conlist(int, min_length=1),
        {"type": "array", "items": INTEGER, "minItems": 1},
        accepts=([1],),
        rejects=([],),
        id="pydantic.conlist",
    ),
    Case(
        pydantic.constr(pattern="^a"),
        {"type": "string", "pattern": "^a"},
        accepts=("a",),
        rejects=("b",),
        id="pydantic.constr",
    ),
]

# -- attrs and msgspec -------------------------------------------------------------------------


@attrs.define
class Crate:
    """What holds bottles.

    Attributes:
        size: How many.
    """

    size: int
    label: str | None = None
    bottles: list[str] = attrs.field(factory=list)
    weight: float = attrs.field(init=False)
    shared: ClassVar[int] = 0


@attrs.frozen
class SmallCrate(Crate):
    size: Annotated[int, Le(6)] = 6


@attrs.define
class Stack(Generic[T]):
    top: T
    rest: "Stack[T] | None" = None


class Struct(msgspec.Struct):
    """A struct."""

    a: int
    b: str | None = None
    c: list[int] = []


class Renamed(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    first_name: str
    last_name: str = msgspec.field(name="surname")


class Tagged(msgspec.Struct, tag="t", tag_field="kind"):
    a: int


class AutoTagged(msgspec.Struct, tag=True):
    a: int


class Listlike(msgspec.Struct, array_like=True):
    a: int
    b: str = "x"


class StrictListlike(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    a: int
    b: str = "x"


class TaggedListlike(msgspec.Struct, array_like=True, tag="t"):
    a: int


class GenericStruct(msgspec.Struct, Generic[T]):
    value: T


STACK = {"$ref": "#/$defs/Stack_int"}


def _stack(*, null: bool) -> Json:
    body = {
        "type": "object",
        "properties": {
            "top": INTEGER,
            "rest": {"anyOf": [STACK, NULL] if null else [STACK], "default": None},
        },
        "required": ["top"],
    }
    return {**body, "$defs": {"Stack_int": body}}


def _crate(size: Json, *, null: bool) -> Json:
    label: Json = (
        {"anyOf": [STRING, NULL], "default": None} if null else {**STRING, "default": None}
    )
    return {
        "type": "object",
        "properties": {
            "size": size,
            "label": label,
            "bottles": {"type": "array", "items": STRING},
            "weight": NUMBER,
        },
        "required": ["size"],
        "description": "What holds bottles.",
    }


_SIZE: Json = {"type": "integer", "description": "How many."}


def _small(*, null: bool) -> Json:
    crate = _crate({**_SIZE, "maximum": 6, "default": 6}, null=null)
    del crate["description"], crate["required"]  # the description is that of the base
    order = ("label", "bottles", "weight", "size")
    return {**crate, "properties": {name: crate["properties"][name] for name in order}}


ATTRS = [
    Case(
        Crate,
        _crate(_SIZE, null=True),
        _crate(_SIZE, null=False),
        accepts=({"size": 1, "label": None},),
        rejects=({}, {"size": "a"}),
    ),
    Case(
        SmallCrate,
        _small(null=True),
        _small(null=False),
        accepts=({}, {"size": 6}),
        rejects=({"size": 7},),
    ),
    Case(
        Stack[int],
        _stack(null=True),
        _stack(null=False),
        accepts=({"top": 1, "rest": {"top": 2}},),
        rejects=({"top": 1, "rest": {"top": "a"}},),
        id="Stack[int]",
    ),
]

STRUCTS = [
    Case(
        Struct,
        {
            "type": "object",
            "properties": {
                "a": INTEGER,
                "b": {"anyOf": [STRING, NULL], "default": None},
                "c": {"type": "array", "items": INTEGER},
            },
            "required": ["a"],
            "description": "A struct.",
        },
        {
            "type": "object",
            "properties": {
                "a": INTEGER,
                "b": {**STRING, "default": None},
                "c": {"type": "array", "items": INTEGER},
            },
            "required": ["a"],
            "description": "A struct.",
        },
        accepts=({"a": 1}, {"a": 1, "b": None, "more": 1}),
        rejects=({}, {"a": "x"}),
    ),
    Case(
        Renamed,
        {
            "type": "object",
            "properties": {"firstName": STRING, "surname": STRING},
            "required": ["firstName", "surname"],
            "additionalProperties": False,
        },
        accepts=({"firstName": "a", "surname": "b"},),
        rejects=({"first_name": "a"}, {"firstName": "a", "surname": "b", "c": 1}),
    ),
    Case(
        Tagged,
        {
            "type": "object",
            "properties": {"kind": {"type": "string", "enum": ["t"]}, "a": INTEGER},
            "required": ["kind", "a"],
        },
        accepts=({"kind": "t", "a": 1},),
        rejects=({"a": 1}, {"kind": "u", "a": 1}),
    ),
    Case(
        AutoTagged,
        {
            "type": "object",
            "properties": {"type": {"type": "string", "enum": ["AutoTagged"]}, "a": INTEGER},
            "required": ["type", "a"],
        },
        accepts=({"type": "AutoTagged", "a": 1},),
        rejects=({"a": 1},),
    ),
    Case(
        Listlike,
        {"type": "array", "prefixItems": [INTEGER, STRING], "items": {}, "minItems": 1},
        accepts=([1], [1, "a", None]),
        rejects=([], ["a"]),
    ),
    Case(
        StrictListlike,
        {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 1, "maxItems": 2},
        accepts=([1, "a"],),
        rejects=([1, "a", 2],),
    ),
    Case(
        TaggedListlike,
        {
            "type": "array",
            "prefixItems": [{"type": "string", "enum": ["t"]}, INTEGER],
            "items": {},
            "minItems": 2,
        },
        accepts=(["t", 1],),
        rejects=([1], ["u", 1]),
    ),
    Case(
        GenericStruct[int],
        {"type": "object", "properties": {"value": INTEGER}, "required": ["value"]},
        accepts=({"value": 1},),
        rejects=({"value": "a"},),
        id="GenericStruct[int]",
    ),
    Case(
        Tagged | AutoTagged,
        {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {"kind": {"type": "string", "enum": ["t"]}, "a": INTEGER},
                    "required": ["kind", "a"],
                },
                {
                    "type": "object",
                    "properties": {
                        "type": {"type": "string", "enum": ["AutoTagged"]},
                        "a": INTEGER,
                    },
                    "required": ["type", "a"],
                },
            ]
        },
        accepts=({"kind": "t", "a": 1},),
        rejects=({"a": 1},),
        id="Tagged | AutoTagged",
    ),
    Case(
        Annotated[int, msgspec.Meta(ge=1, lt=9, description="Text.")],
        {"type": "integer", "minimum": 1, "exclusiveMaximum": 9, "description": "Text."},
        accepts=(1,),
        rejects=(0, 9),
        id="msgspec.Meta",
    ),
    Case(
        Annotated[str, msgspec.Meta(min_length=1, max_length=2, pattern="^a")],
        {"type": "string", "minLength": 1, "maxLength": 2, "pattern": "^a"},
        accepts=("a",),
        rejects=("b", ""),
        id="msgspec.Meta str",
    ),
    Case(
        Annotated[
            float,
            msgspec.Meta(multiple_of=0.5, title="T", examples=[1.5], extra_json_schema={"x": 1}),
        ],
        {"type": "number", "multipleOf": 0.5, "title": "T", "examples": [1.5], "x": 1},
        accepts=(1.5,),
        rejects=(1.2,),
        id="msgspec.Meta notes",
    ),
]

# -- types that describe themselves, and types that others describe ----------------------------


class Money:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> Json:
        return {"type": "string", "pattern": "^[0-9]+ [A-Z]{3}$"}


class Euro(Money):
    pass


class Cart:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> Json:
        return {"type": "object", "properties": {"items": walk.schema(list[Bare], ".items")}}


class Raising:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> Json:
        raise ValueError("no idea")


class NotADict:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> Any:
        return ["string"]


class NotJson:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> Json:
        return {"default": Plain()}


class Amount:
    pass


class BigAmount(Amount):
    pass


AMOUNT: Json = {"type": "string", "pattern": "^[0-9]+$"}
CART: Json = {
    "type": "object",
    "properties": {
        "items": {
            "type": "array",
            "items": {"type": "object", "properties": {"x": INTEGER}, "required": ["x"]},
        }
    },
}
MONEY: Json = {"type": "string", "pattern": "^[0-9]+ [A-Z]{3}$"}

EXTENSION = [
    Case(Money, MONEY, accepts=("1 EUR",), rejects=("EUR", 1)),
    Case(Euro, MONEY, accepts=("1 EUR",), rejects=("EUR",)),
    Case(
        list[Money],
        {"type": "array", "items": MONEY},
        accepts=(["1 EUR"],),
        rejects=(["1"],),
        id="list[Money]",
    ),
    Case(
        Annotated[Money, MaxLen(9)],
        {**MONEY, "maxLength": 9},
        accepts=("1 EUR",),
        rejects=("1234567 EUR",),
        id="Money of 9",
    ),
    Case(Cart, CART, accepts=({"items": [{"x": 1}]},), rejects=({"items": [1]},)),
    Case(
        Raising, None, refused=("Raising", "Raising.__milo_schema__ raised ValueError('no idea')")
    ),
    Case(NotADict, None, refused=("NotADict", "NotADict.__milo_schema__ is no dict but list")),
    Case(
        NotJson, None, refused=("NotJson", "NotJson.__milo_schema__ has an object of class Plain")
    ),
    Case(Amount, AMOUNT, types={Amount: AMOUNT}, accepts=("1",), rejects=("a",)),
    Case(BigAmount, AMOUNT, types={Amount: AMOUNT}, accepts=("1",), rejects=("a",)),
    Case(
        list[Amount | None],
        {"type": "array", "items": {"anyOf": [AMOUNT, NULL]}},
        types={Amount: AMOUNT},
        accepts=(["1", None],),
        rejects=(["a"],),
        id="list[Amount | None]",
    ),
    Case(
        list[int],
        {"type": "array", "items": STRING},
        types={int: STRING},
        accepts=(["1"],),
        rejects=([1],),
        id="list[int] as strings",
    ),
    Case(
        dict[str, list[int]],
        {"type": "object", "additionalProperties": STRING},
        types={list[int]: STRING, list: INTEGER},
        accepts=({"a": "1"},),
        rejects=({"a": [1]},),
        id="list[int] before list",
    ),
    Case(
        list[Amount],
        {"type": "array", "items": {"type": "array", "items": INTEGER}},
        types={Amount: lambda tp, walk: walk.schema(list[int])},
        accepts=([[1]],),
        rejects=([1],),
        id="Amount by a function",
    ),
    Case(
        Money,
        STRING,
        types={Money: STRING},
        accepts=("a",),
        rejects=(1,),
        id="Money as the profile has it",
    ),
    Case(
        Level,
        STRING,
        types={enum.Enum: STRING},
        accepts=("LOW",),
        rejects=(1,),
        id="every Enum by name",
    ),
]

# -- refused -----------------------------------------------------------------------------------


class Shaped2D(Protocol):
    x: int


class Abstract(abstract.ABC):  # noqa: B024
    pass


class GenericPlain(Generic[T]):
    pass


class Outer:
    @dataclass
    class Inner:
        bad: complex
        good: int = 0


class Broken(TypedDict):
    x: "Missing"  # type: ignore[name-defined]  # noqa: F821
    y: int


def _unknown(annotation: Any, shown: str = "", **rest: Any) -> Case:
    """A row for what has no schema at all."""
    shown = shown or annotation.__name__
    return Case(annotation, {}, STRING, refused=(shown, f"no JSON Schema for {shown}"), **rest)


_INNER: Json = {
    "type": "object",
    "properties": {"bad": {}, "good": {"type": "integer", "default": 0}},
    "required": ["bad"],
}
_INNER_MILO: Json = {
    "type": "object",
    "properties": {"bad": STRING, "good": {"type": "integer", "default": 0}},
    "required": ["bad"],
}

REFUSED = [
    _unknown(complex),
    _unknown(fractions.Fraction),
    _unknown(range),
    _unknown(slice),
    _unknown(arrays.array),
    _unknown(numbers.Number, id="numbers.Number"),
    _unknown(numbers.Real, id="numbers.Real"),
    _unknown(Plain),
    _unknown(GenericPlain[int], "GenericPlain[int]", id="GenericPlain[int]"),
    _unknown(Abstract),
    _unknown(Shaped2D),
    _unknown(types.FunctionType),
    _unknown(types.ModuleType),
    _unknown(Exception),
    _unknown(abc.Callable, "Callable", id="Callable bare"),
    _unknown(abc.Callable[[int], str], "Callable[[int], str]", id="Callable[[int], str]"),
    _unknown(typing.Callable[..., int], "Callable[..., int]", id="Callable[..., int]"),
    _unknown(type, "type"),
    _unknown(type[int], "type[int]", id="type[int]"),
    _unknown(typing.Type[int], "type[int]", id="Type[int]"),
    _unknown(abc.Awaitable[int], "Awaitable[int]", id="Awaitable[int]"),
    _unknown(abc.Coroutine[Any, Any, int], "Coroutine[Any, Any, int]", id="Coroutine"),
    _unknown(abc.AsyncIterator[int], "AsyncIterator[int]", id="AsyncIterator[int]"),
    _unknown(abc.Hashable, "Hashable", id="Hashable"),
    _unknown(abc.Sized, "Sized", id="Sized"),
    _unknown(re.Match[str], "Match[str]", id="re.Match[str]"),
    _unknown(P, "P", id="ParamSpec"),
    _unknown(Generic, "Generic", id="Generic"),
    _unknown(Protocol, "Protocol", id="Protocol bare"),
    _unknown(3, "3", id="a number"),
    _unknown(..., "...", id="..."),
    _unknown([int], "<list object>", id="a list"),
    Case(
        list[complex],
        {"type": "array", "items": {}},
        {"type": "array", "items": STRING},
        refused=("list[complex][]", "no JSON Schema for complex; " + WAY_OUT),
        id="list[complex]",
    ),
    Case(
        tuple[int, complex],
        {"type": "array", "prefixItems": [INTEGER, {}], "minItems": 2, "maxItems": 2},
        {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2},
        refused=("tuple[int, complex][1]", "no JSON Schema for complex"),
        id="tuple[int, complex]",
    ),
    Case(
        int | complex,
        {"anyOf": [INTEGER, {}]},
        INTEGER_OR_STRING,
        refused=("int | complex", "no JSON Schema for complex"),
        id="int | complex",
    ),
    Case(
        Outer.Inner, _INNER, _INNER_MILO, refused=("Outer.Inner.bad", "no JSON Schema for complex")
    ),
    Case(
        dict[str, list[Outer.Inner]],
        _object(_array(_INNER)),
        _object(_array(_INNER_MILO)),
        refused=("dict[str, list[Outer.Inner]]{}[].bad", "no JSON Schema for complex"),
        id="refused deep down",
    ),
    Case(
        Broken,
        {"type": "object", "properties": {"x": {}, "y": INTEGER}, "required": ["x", "y"]},
        {"type": "object", "properties": {"x": STRING, "y": INTEGER}, "required": ["x", "y"]},
        refused=("Broken.x", "cannot evaluate 'Missing': no 'Missing' in tests.cases"),
    ),
    Case(
        "Missing",
        {},
        STRING,
        refused=("'Missing'", "cannot evaluate 'Missing': no 'Missing'"),
        id="a name that is missing",
    ),
    Case(
        list["1 +"],  # noqa: F722
        _array({}),
        _array(STRING),
        refused=("list['1 +'][]", "cannot evaluate '1 +': SyntaxError"),
        id="a string that is no Python",
    ),
]

CASES = [
    *PRIMITIVES,
    *VALUES,
    *ENUMS,
    *LITERALS,
    *UNIONS,
    *ARRAYS,
    *TUPLES,
    *MAPPINGS,
    *TYPED_DICTS,
    *NAMED_TUPLES,
    *DATACLASSES,
    *RECORDS,
    *ALIASES,
    *ANNOTATED,
    *QUALIFIERS,
    *GROUPED,
    *PYDANTIC,
    *ATTRS,
    *STRUCTS,
    *EXTENSION,
    *REFUSED,
]
