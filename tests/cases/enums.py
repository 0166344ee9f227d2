"""Enums and flags."""

import datetime
import enum
from dataclasses import dataclass
from typing import Annotated, Optional

from milo_schema import Description
from tests.cases.case import Case
from tests.cases.plain import Plain
from tests.fragments import NULL, STRING


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
    Case(Mixin, mcp={}, milo=STRING, refused=("Mixin", "Mixin.A is an instance of Key")),
    Case(Color, {"type": "string", "enum": ["red", "green"]}, accepts=("red",),
         rejects=("RED", "blue", 1)),
    Case(Level, {"type": "integer", "enum": [1, 2]}, accepts=(1,), rejects=("LOW", 3, "1")),
    Case(Ratio, {"type": "number", "enum": [0.5, 0.25]}, accepts=(0.5,), rejects=(1, "0.5")),
    Case(WholeRatio, {"type": "number", "enum": [1, 0.5]}, accepts=(1, 0.5), rejects=(2,)),
    Case(Switch, {"type": "boolean", "enum": [True, False]}, accepts=(True,), rejects=(1, 0, "on")),
    Case(Mixed, {"enum": [1, "a", None]}, accepts=(1, "a", None), rejects=(True, "b")),
    Case(TextOrTrue, {"enum": ["a", True]}, accepts=("a", True), rejects=(1, "b")),
    Case(Aliased, {"type": "integer", "enum": [1, 2]}, accepts=(1, 2), rejects=(3,)),
    Case(Shape, {"type": "string", "enum": ["round", "square"]}, accepts=("round",),
         rejects=("ROUND",)),
    Case(Priority, {"type": "integer", "enum": [1, 9]}, accepts=(9,), rejects=(2, "LOW")),
    Case(Old, {"type": "string", "enum": ["a", "b"]}, accepts=("a",), rejects=("c",)),
    Case(Half, {"type": "number", "enum": [0.5]}, accepts=(0.5,), rejects=(1,)),
    Case(Documented, {"type": "string", "enum": ["quiet"], "description": "How loud it is."},
         accepts=("quiet",), rejects=("loud",)),
    Case(WithMethods, {"type": "string", "enum": ["a"]}, accepts=("a",), rejects=("upper",)),
    Case(WithMembers, {"type": "string", "enum": ["a"]}, accepts=("a",), rejects=("b",)),
    Case(Pair, {"type": "array", "enum": [[0, 0], [1, 1]],
           "description": "Values that are arrays."}, accepts=([0, 0],), rejects=([0, 1],)),
    Case(Huge, {"type": "integer", "enum": [10**40]}, accepts=(10**40,), rejects=(1,)),
    Case(Perm, {"type": "integer", "minimum": 0, "maximum": 7, "description": "R=4, W=2, X=1"},
         accepts=(0, 3, 7), rejects=(8, -1, "R")),
    Case(Bits, {"type": "integer", "minimum": 0, "maximum": 3,
           "description": "Bits to set. (A=1, B=2)"}, accepts=(0, 3), rejects=(4, -1)),
    Case(Nothing, mcp={}, milo=STRING, refused=("Nothing", "Nothing has no members")),
    Case(Planets, mcp={}, milo=STRING, refused=("Planets",
           "Planets.EARTH is an instance of Plain, which cannot be written as JSON")),
    Case(Bytes, mcp={}, milo=STRING, refused=("Bytes", "Bytes.A is an instance of bytes")),
    Case(Dates, mcp={}, milo=STRING, refused=("Dates", "Dates.NEW_YEAR is an instance of date")),
    Case(NotANumber, mcp={}, milo=STRING, refused=("NotANumber",
           "NotANumber.NAN is the number nan")),
    Case(list[Color], {"type": "array", "items": {"type": "string", "enum": ["red", "green"]}},
         accepts=(["red"],), rejects=(["blue"],), id="list[Color]"),
    Case(Optional[Color], {"anyOf": [{"type": "string", "enum": ["red", "green"]}, NULL]},
         accepts=("red", None), rejects=("blue",), id="Optional[Color]"),
    Case(Annotated[Level, Description("How high")],
         {"type": "integer", "enum": [1, 2], "description": "How high"}, accepts=(1,), rejects=(3,),
         id="Annotated Level"),
    Case(Annotated[Documented, Description("Mine")],
         {"type": "string", "enum": ["quiet"], "description": "Mine"}, accepts=("quiet",),
         rejects=("x",), id="Annotated Documented"),
]  # fmt: skip
