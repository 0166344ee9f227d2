"""Objects with ``__call__``."""

import inspect

from tests.callables.helpers import Shape
from tests.callables.samples import Greeter
from tests.every import every
from tests.fragments import INTEGER, STRING
from tests.modules import module_from


class Special(Greeter): ...


class Unhashable:
    __hash__ = None  # type: ignore[assignment]

    def __call__(self, name: str) -> str: ...


class Equal:
    """All of them are equal."""

    def __init__(self, call):
        self.call = call

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1

    @property
    def __signature__(self):
        return inspect.signature(self.call)

    def __call__(self, *args, **kwargs): ...


class Static:
    @staticmethod
    def __call__(name: str) -> int: ...


class Fetch:
    async def __call__(self, url: str) -> int: ...


def one(a: int): ...
def two(b: str): ...


POSTPONED = module_from(
    """
    Text = str

    class Greeter:
        Mode = int
        def __call__(self, name: Text, mode: Mode) -> Text: ...
    """,
    future=True,
)
NAME = {"name": STRING}
GREETING = {"name": STRING, "times": {"type": "integer", "default": 1}}
SHAPES = {
    "an object": Shape(Greeter(), GREETING, ["name"], STRING),
    "its call": Shape(Greeter().__call__, GREETING, ["name"]),
    "the call of its class": Shape(Greeter.__call__, GREETING, ["name"]),
    "one that inherits its call": Shape(Special(), GREETING, ["name"]),
    "one without a hash": Shape(Unhashable(), NAME, ["name"], STRING),
    "one that equals any other": Shape(Equal(one), {"a": INTEGER}, ["a"]),
    "another one that equals any other": Shape(Equal(two), {"b": STRING}, ["b"]),
    "one whose call is a static method": Shape(Static(), NAME, ["name"], INTEGER),
    "an asynchronous one": Shape(Fetch(), {"url": STRING}, ["url"], INTEGER),
    "one under postponed annotations": Shape(
        POSTPONED.Greeter(), {"name": STRING, "mode": INTEGER}, ["name", "mode"], STRING
    ),
}


@every("fact", SHAPES)
def test_a_callable_object_is_described_by_its_call(fact):
    SHAPES[fact].hold()
