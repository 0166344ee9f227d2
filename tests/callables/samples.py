"""Callables and classes that several files of these tests use."""

import enum
import typing
from dataclasses import dataclass
from typing import Generic, Literal, NotRequired, Self, TypedDict, TypeVar

from tests.callables.helpers import PORT
from tests.fragments import INTEGER, STRING

T = TypeVar("T")


class Service:
    """A service."""

    Mode = Literal["fast", "slow"]

    def __init__(self, name: str, port: int = 443) -> None:
        self.name = name
        self.port = port

    def deploy(self, target: str, times: int = 1) -> bool: ...

    @classmethod
    def create(cls, name: str) -> "Service": ...

    @staticmethod
    def check(port: int) -> bool: ...

    async def wait(self, seconds: float) -> int: ...

    def run(self, mode: "Mode", other: "Service.Mode") -> "Mode": ...

    class Inner:
        Unit = Literal["s", "m"]

        def measure(self, unit: "Unit") -> "Unit": ...


def connect(host: str, port: int = 443, *, secure: bool = True) -> bool:
    """Connect.

    Args:
        host: Where.
        port: Through what.
    """


HOST = {"type": "string", "description": "Where."}
THROUGH = {"type": "integer", "description": "Through what.", "default": 443}
SECURE = {"type": "boolean", "default": True}


class Greeter:
    def __call__(self, name: str, times: int = 1) -> str: ...


NAME_AND_PORT = {"name": STRING, "port": PORT}


class Repo(Generic[T]):
    def __init__(self, first: T, rest: "list[T]", size: int = 1) -> None: ...

    def add(self, item: T, more: "dict[str, T]") -> T: ...

    @classmethod
    def load(cls, item: T) -> Self: ...


class Options(TypedDict):
    """Options.

    Attributes:
        host: Where.
    """

    host: str
    port: NotRequired[int]


OPTIONS = {"host": {"type": "string", "description": "Where."}, "port": INTEGER}


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Point:
    x: int
    y: int = 0
    color: Color = Color.RED
    unit: typing.ClassVar[str] = "m"


POINT = {
    "type": "object",
    "properties": {"x": INTEGER, "y": {"type": "integer", "default": 0},
          "color": {"type": "string", "enum": ["red", "blue"], "default": "red"}},
    "required": ["x"],
}  # fmt: skip


NAME = {"name": STRING}
