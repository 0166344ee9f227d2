"""Classes: the parameters of their constructors, and the schemas of their instances."""

import collections
import dataclasses
import functools
import typing
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import (
    Any,
    Generic,
    NamedTuple,
    NotRequired,
    Required,
    TypedDict,
    TypeVar,
)

import attrs
import msgspec
import pydantic
import pytest
import typing_extensions

from milo_schema import (
    SchemaWarning,
    function_to_schema,
    profiles,
    tool_schema,
)
from tests.callables.helpers import ANYTHING, PORT, Shape, takes
from tests.callables.samples import NAME_AND_PORT, Service
from tests.every import every
from tests.fragments import INTEGER, STRING, array_of, obj, record
from tests.modules import module_from

T = TypeVar("T")


class New:
    def __new__(cls, name: str, port: int = 443): ...


class Special(Service): ...


class Meta(type):
    def __call__(cls, name: str, port: int = 443): ...


class Made(metaclass=Meta):
    def __init__(self, other: bytes): ...


class Empty: ...


class Names(list): ...


@dataclass(init=False)
class Own:
    name: str

    def __init__(self, address: str, port: int = 443) -> None: ...


@dataclass
class AllKinds:
    name: str
    secret: InitVar[str]
    kind: typing.ClassVar[str] = "k"
    made: int = field(init=False, default=0)
    tags: list[str] = field(default_factory=list)
    _: KW_ONLY
    port: int = 443


@dataclass
class Box(Generic[T]):
    content: T
    more: list[T]


class Pair(NamedTuple):
    name: str
    port: int = 443


class Keys(TypedDict):
    name: str
    port: NotRequired[int]


class OldKeys(typing_extensions.TypedDict, total=False):
    name: Required[str]
    port: typing_extensions.ReadOnly[int]


@attrs.define
class Attrs:
    name: str
    port: int = 443
    tags: list[str] = attrs.Factory(list)
    _token: str = "t"


FIELDS: list[Any] = [("name", str), ("port", int, 443)]
RECORD = dataclasses.make_dataclass("Record", FIELDS)
BASE = dataclasses.make_dataclass("Base", FIELDS[:1])
STRUCT = msgspec.defstruct(
    "Struct", [*FIELDS, ("tags", list[str], msgspec.field(default_factory=list))]
)
MODEL = pydantic.create_model("Model", name=str, port=(int, 443))
TAGS = {"tags": array_of(STRING)}
TOKEN = {"token": STRING | {"default": "t"}}
PAIR = {"type": "array", "prefixItems": [STRING, INTEGER], "minItems": 1, "maxItems": 2}
SHAPES = {
    "__init__": Shape(Service, NAME_AND_PORT, ["name"], None),
    "__new__": Shape(New, NAME_AND_PORT, ["name"]),
    "an inherited __init__": Shape(Special, NAME_AND_PORT, ["name"]),
    "__call__ of a metaclass": Shape(Made, NAME_AND_PORT, ["name"]),
    "no constructor": Shape(Empty, {}),
    "a class written in C": Shape(
        Names, {"iterable": STRING | {"default": []}}, exact={"iterable": {"default": []}}),
    "a dataclass": Shape(RECORD, NAME_AND_PORT, ["name"], obj(["name"], **NAME_AND_PORT)),
    "all kinds of fields": Shape(
        AllKinds, {"name": STRING, "secret": STRING, **TAGS, "port": PORT}, ["name", "secret"]),
    "inherited fields": Shape(
        dataclasses.make_dataclass("Sub", FIELDS[1:], bases=(BASE,)), NAME_AND_PORT, ["name"]),
    "an __init__ of a dataclass": Shape(Own, {"address": STRING, "port": PORT}, ["address"]),
    "a form of a generic class": Shape(
        Box[int], {"content": INTEGER, "more": array_of(INTEGER)}, ["content", "more"]),
    "a generic class": Shape(
        Box, {"content": ANYTHING, "more": array_of(ANYTHING)}, ["content", "more"]),
    "a NamedTuple": Shape(Pair, NAME_AND_PORT, ["name"], PAIR),
    "a namedtuple": Shape(
        collections.namedtuple("Server", "name port", defaults=[443]),
        {"name": STRING, "port": STRING | {"default": 443}}, ["name"],
        exact={"name": ANYTHING, "port": {"default": 443}}),
    "a TypedDict": Shape(
        Keys, {"name": STRING, "port": INTEGER}, ["name"],
        obj(["name"], name=STRING, port=INTEGER)),
    "a TypedDict of typing_extensions": Shape(OldKeys, {"name": STRING, "port": INTEGER}, ["name"]),
    "attrs": Shape(Attrs, {**NAME_AND_PORT, **TAGS, **TOKEN}, ["name"]),
    "msgspec": Shape(STRUCT, {**NAME_AND_PORT, **TAGS}, ["name"]),
    "pydantic": Shape(MODEL, NAME_AND_PORT, ["name"]),
    "a dataclass of pydantic": Shape(
        pydantic.dataclasses.dataclass(RECORD), NAME_AND_PORT, ["name"]),
}  # fmt: skip


@every("fact", SHAPES)
def test_the_parameters_of_a_class_are_those_of_its_constructor(fact):
    SHAPES[fact].hold()


def test_a_dataclass_under_postponed_annotations():
    module = module_from(
        """
        from dataclasses import dataclass, InitVar
        from typing import Annotated
        from milo_schema import Description

        Name = str

        @dataclass
        class Server:
            name: Annotated[Name, Description("Who.")]
            secret: InitVar[Name]
            port: int = 443
        """,
        future=True,
    )
    name = STRING | {"description": "Who."}
    takes(module.Server, {"name": name, "secret": STRING, "port": PORT}, ["name", "secret"])


def test_a_dataclass_that_refers_to_itself():
    module = module_from(
        """
        from dataclasses import dataclass

        @dataclass
        class Node:
            name: str
            children: list[Node]
        """,
        future=True,
    )
    node = record(name=STRING, children=array_of({"$ref": "#/$defs/Node"}))
    assert function_to_schema(module.Node) == {**node, "$defs": {"Node": node}}


def test_a_class_with_attributes_that_refuse_to_be_compared():
    class Odd:
        __hash__ = None  # type: ignore[assignment]

        def __eq__(self, other):
            raise ZeroDivisionError

        def __bool__(self):
            raise ZeroDivisionError

    class Service:
        odd = Odd()

        def __init__(self, name: str): ...

        def run(self, name: str) -> bool: ...

    takes(Service, {"name": STRING}, ["name"])
    takes(Service("a").run, {"name": STRING}, ["name"])
    takes(Service.run, {"name": STRING}, ["name"])


@typing_extensions.deprecated("Use another.", category=None)
class Outdated:
    def __init__(self, x: "Outdated | None", y: int = 0):
        """Make one.

        Args:
            y: A number.
        """


def test_a_deprecated_class_has_the_parameters_of_its_init():
    with pytest.warns(SchemaWarning, match=r"Outdated\(x\): no JSON Schema for Outdated"):
        schema = function_to_schema(Outdated, profile=profiles.MCP)
    assert schema["required"] == ["x"]
    y = INTEGER | {"description": "A number.", "default": 0}
    assert schema["properties"]["y"] == y
    with pytest.warns(SchemaWarning):
        assert function_to_schema(type("Still", (Outdated,), {}), profile=profiles.MCP) == schema


def test_a_class_that_is_renamed_gives_a_tool_its_new_name():
    class Order:
        def __init__(self, size: int) -> None: ...

    assert tool_schema(Order).name == "Order"
    Order.__name__ = "place_order"
    assert tool_schema(Order).name == "place_order"
    assert tool_schema(functools.partial(Order, size=1)).name == "place_order"


@pytest.mark.parametrize("method", ["__getattr__", "__getattribute__"])
def test_a_metaclass_that_makes_attributes_is_not_asked_for_any(method):
    asked = []

    def found(_cls: type, name: str) -> Any:
        asked.append(name)
        raise AttributeError(name)

    class Meta(type): ...

    setattr(Meta, method, found)

    class Order(metaclass=Meta):
        def __init__(self, size: int) -> None:
            self.size = size

    class Empty(metaclass=Meta): ...

    class Made(Empty):
        def __new__(cls, name: str): ...

    takes(Order, {"size": INTEGER}, ["size"])
    takes(Empty, {}, [])
    takes(Made, {"name": STRING}, ["name"])
    assert tool_schema(Order).bind({"size": 3}).kwargs == {"size": 3}
    assert asked == []
