"""``Binder.runs_user_code``: whether reading arguments runs code of users."""

import datetime
import enum
import pathlib
import urllib.parse
import uuid
from collections import deque
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import pydantic
import pytest

from milo_schema import Injected, MinLen, profiles
from milo_schema.arguments import binder


class Color(enum.Enum):
    RED = "red"


class Keys(TypedDict):
    next: "Keys | None"


class Pair(NamedTuple):
    first: int


class Text(str):
    __slots__ = ()


class Flags(enum.Flag):
    A = 1


class Custom:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> dict[str, Any]:
        return {"type": "string"}

    @classmethod
    def __milo_from_json__(cls, json: Any) -> "Custom":
        return cls()


@dataclass
class Item:
    name: str
    inside: list[int] = field(default_factory=list)


class Model(pydantic.BaseModel):
    name: str


class InRecord(TypedDict):
    item: Item


class WithFactory(TypedDict):
    name: Annotated[str, pydantic.Field(default_factory=str)]


PLAIN: dict[str, Any] = {
    "scalars": int | str | float | None,
    "containers": dict[str, list[set[int] | tuple[str, ...]]],
    "standard library": uuid.UUID | datetime.date | pathlib.Path | deque[Decimal],
    "named tuple in a package of the standard library": urllib.parse.DefragResult,
    "choices": Literal["a"] | Color,
    "keys": dict[Color, Keys],
    "metadata": Annotated[list[str], MinLen(1)],
    "anything": Any,
    "pattern": Annotated[str, pydantic.Field(pattern="^a$")],
}
RUNS: dict[str, Any] = {
    "dataclass": Item,
    "deep inside": dict[str, list[Annotated[Item | None, MinLen(1)]]],
    "in a record": InRecord,
    "factory in a record": WithFactory,
    "named tuple": Pair,
    "subclass": Text,
    "flags": Flags,
    "custom": Custom,
    "model": Model,
    "validator": Annotated[int, pydantic.AfterValidator(abs)],
}


def bound(annotation: Any, **fields: Any) -> Any:
    def func(x): ...

    func.__annotations__ = {"x": annotation}
    return binder(func, profile=profiles.MCP.replace(**fields))


@pytest.mark.parametrize("name", PLAIN)
def test_values_of_python_run_no_code_of_users(name):
    assert bound(PLAIN[name]).runs_user_code is False


@pytest.mark.parametrize("name", RUNS)
def test_values_of_users_classes_run_their_code(name):
    found = bound(RUNS[name])

    assert found.runs_user_code is True
    found.accepts({"x": None})
    assert found.runs_user_code is True


def test_a_decoder_is_code_of_users():
    assert bound(complex, decoders={complex: complex}).runs_user_code is True
    assert bound(dict[str, complex], decoders={complex: complex}).runs_user_code is True


def test_a_factory_in_metadata_is_code_of_users():
    def shown(x: Annotated[int, pydantic.Field(default_factory=lambda: 1)]): ...
    def hidden(x: Annotated[int, Injected, pydantic.Field(default_factory=lambda: 1)]): ...

    assert binder(shown, profile=profiles.MCP).runs_user_code is True
    assert binder(hidden, profile=profiles.MCP).runs_user_code is True


def test_other_arguments_are_arguments_too():
    def plain(**more: int): ...
    def items(**more: Item): ...

    assert binder(plain, profile=profiles.MCP).runs_user_code is False
    assert binder(items, profile=profiles.MCP).runs_user_code is True


def test_a_hidden_parameter_is_not_read():
    def func(x: int, item: Annotated[Item, Injected]): ...

    assert binder(func).runs_user_code is False


def test_a_flattened_record_is_constructed():
    def func(item: Item): ...

    assert binder(func, profile=profiles.MCP.replace(flatten=True)).runs_user_code is True
