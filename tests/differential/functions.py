"""Functions that other packages describe, too, each in its own environment."""

import datetime
import decimal
import enum
import pathlib
import re
import uuid
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple, Optional, Union

import annotated_types
import pydantic
from pydantic import Field
from typing_extensions import NotRequired, TypedDict


class Color(enum.Enum):
    RED = "red"
    GREEN = "green"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@dataclass
class Address:
    street: str
    city: str
    postal_code: int


@dataclass
class Person:
    name: str
    address: Address
    tags: list[str]
    nick: Optional[str] = None
    scores: list[int] = field(default_factory=list)


@dataclass
class Tree:
    value: int
    children: list["Tree"]


class Movie(TypedDict):
    name: str
    year: NotRequired[int]


class Point(NamedTuple):
    x: int
    y: int


class User(pydantic.BaseModel):
    username: str = Field(..., min_length=3, max_length=20)
    email: str = Field(..., pattern=r"^[\w\.-]+@[\w\.-]+\.\w+$")
    age: int = Field(..., ge=0, le=120)
    bio: Optional[str] = Field(None, max_length=500)


class Order(pydantic.BaseModel):
    """An order."""

    order_id: str
    user: User


PLAIN: list[Any] = [
    str, int, float, bool, bytes, list[str], list[list[int]], dict[str, int], dict[str, list[int]],
    set[int], frozenset[str], tuple[int, ...], tuple[int, str], dict, list, Any,
    datetime.date, datetime.datetime, datetime.time, datetime.timedelta, uuid.UUID, pathlib.Path,
    decimal.Decimal, Color, Level, Literal["a", "b"], Literal[1, 2], Literal[1, "a"],
    Optional[int], Union[int, str], Union[int, str, None], Optional[list[str]],
    list[Optional[int]], dict[str, Any], Address, Person, Tree, Movie, Point, User, Order,
    list[Address], list[User], Optional[User], Union[Address, Movie], dict[str, Order],
    Optional[Color], list[Color],
    Annotated[int, Field(ge=1, le=100)], Annotated[str, Field(min_length=1, max_length=200)],
    Annotated[str, Field(description="A text.")], Annotated[float, Field(gt=0, lt=1)],
    Annotated[list[int], Field(min_length=1)], Annotated[int, Field(multiple_of=5)],
    Annotated[int, annotated_types.Ge(1)], Annotated[str, Field(pattern="^a")],
    Annotated[str, Field(json_schema_extra={"x-user-providable": True})],
]  # fmt: skip
"""Each is the annotation of a required parameter, and the return annotation of a function."""


def _of(annotation: Any) -> Any:
    def func(value): ...

    func.__annotations__.update({"value": annotation, "return": annotation})
    return func


def greet(name: str, age: int, active: bool = True) -> str:
    """Say hello.

    Args:
        name: Whom to greet.
        age: How old they are.
    """
    return name


def find(query: str, limit: Optional[int] = None) -> list[str]:
    """Find.

    :param query: What to look for.
    :param limit: How many at most.
    """
    return []


def defaults(
    a: int = 1, b: float = 1.5, c: str = "x", d: bool = False, e: Optional[str] = None
) -> None: ...


def containers(a: list[int] = [], b: dict[str, int] = {}) -> None: ...  # noqa: B006


def choices(a: Color, b: Literal["x", "y"] = "x") -> None: ...


def documented(query: Annotated[str, Field(description="Explicit.")], limit: int = 10) -> None:
    """Find.

    Args:
        query: Not this one.
        limit: How many.
    """


def keyword_only(*, a: int, b: str = "x") -> None: ...


def annotated_default(n: Annotated[int, Field(ge=1, le=100)] = 10) -> None: ...


def names(title: str, type: str, default: str, properties: str) -> None: ...  # noqa: A002


def nothing() -> None: ...


def unannotated(x): ...


def variadic(a: int, *args: int) -> None: ...


def options(a: int, **kwargs: int) -> None: ...


FUNCTIONS: dict[str, Any] = {
    re.sub(r"[\w.]*\.(?=functions\.)|typing\.", "", str(annotation)): _of(annotation)
    for annotation in PLAIN
} | {
    func.__name__: func
    for func in (
        greet, find, defaults, containers, choices, documented, keyword_only, annotated_default,
        names, nothing, unannotated, variadic, options,
    )
}  # fmt: skip
