"""Types that users of agent frameworks define for the parameters of their tools."""

import enum
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, TypeVar, Union

import pydantic
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import NotRequired, Required, TypeAliasType, TypedDict

T = TypeVar("T")
UserId = NewType("UserId", int)
Slug = NewType("Slug", str)
Latitude = Annotated[float, Field(ge=-90, le=90, description="Degrees north")]
Longitude = Annotated[float, Field(ge=-180, le=180, description="Degrees east")]
Score = TypeAliasType("Score", Annotated[int, Field(ge=0, le=100)])
JsonScalar = Union[str, int, float, bool, None]
Positive = Annotated[int, Field(gt=0)]
ShortText = Annotated[str, Field(min_length=1, max_length=20)]


# -- enums -------------------------------------------------------------------------------------


class Priority(enum.Enum):
    """How urgent it is."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Status(str, enum.Enum):
    OPEN = "open"
    CLOSED = "closed"


class Unit(enum.StrEnum):
    CELSIUS = enum.auto()
    FAHRENHEIT = enum.auto()


class HttpStatus(enum.IntEnum):
    OK = 200
    NOT_FOUND = 404


class Ratio(float, enum.Enum):
    HALF = 0.5
    FULL = 1.0


class Mixed(enum.Enum):
    NUMBER = 1
    TEXT = "one"


# -- dataclasses, TypedDicts, named tuples -------------------------------------------------------


@dataclass
class Point:
    x: float
    y: float


@dataclass
class Address:
    """A postal address.

    Attributes:
        street: With the number.
        city: Where it is.
    """

    street: str
    city: str
    zip_code: str | None = None


@dataclass
class Customer:
    name: str
    address: Address
    tags: list[str] = field(default_factory=list)


@dataclass
class Employee:
    name: str
    manager: "Employee | None" = None


@dataclass(frozen=True, kw_only=True)
class Window:
    start: datetime
    end: datetime


class Movie(TypedDict):
    title: str
    year: int


class MoviePatch(TypedDict, total=False):
    title: Required[str]
    year: int


class Options(TypedDict):
    verbose: bool
    retries: NotRequired[int]


class Coordinates(NamedTuple):
    latitude: float
    longitude: float = 0.0


# -- models of pydantic ------------------------------------------------------------------------


class Item(BaseModel):
    """Something to buy."""

    name: str
    price: float
    quantity: int = 1


class Order(BaseModel):
    id: int
    items: list[Item] = Field(description="What is bought")
    note: str | None = None
    placed: datetime | None = None


class StrictItem(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str
    price: float


class OpenItem(BaseModel):
    model_config = ConfigDict(extra="allow")

    name: str


class Aliased(BaseModel):
    first_name: str = Field(alias="firstName")
    last_name: str = Field(validation_alias="lastName")


class Node(BaseModel):
    value: int
    children: list["Node"] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]
    good: bool = True


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


class Page(BaseModel, Generic[T]):
    items: list[T]
    next_cursor: str | None = None


class Base(BaseModel):
    id: int


class Derived(Base):
    label: str


class Limits(BaseModel):
    low: int = Field(default=0, ge=0)
    high: int = Field(default=10, le=100)
    step: Annotated[int, Field(multiple_of=5)] = 5
    names: list[str] = Field(default_factory=list, max_length=3)


class Account(BaseModel):
    """Who pays."""

    owner: str = Field(min_length=3, max_length=20, pattern="^[a-z]+$")
    balance: Decimal = Decimal(0)
    since: date | None = None
    settings: dict[str, Any] = {}


class Root(pydantic.RootModel[list[int]]):
    pass


@pydantic.dataclasses.dataclass
class Checked:
    name: str
    size: int = Field(default=1, ge=1)
