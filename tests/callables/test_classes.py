"""Classes: the parameters of their constructors, and the schemas of their instances."""

import collections
import functools
import typing
from collections.abc import Callable
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import (
    Annotated,
    Any,
    Generic,
    NamedTuple,
    NotRequired,
    Optional,
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
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
)
from tests.callables.helpers import ANYTHING, PORT, gives, takes
from tests.callables.samples import NAME_AND_PORT, Service
from tests.fragments import INTEGER, STRING, array_of
from tests.modules import module_from

T = TypeVar("T")


def test_a_class_with_init():
    takes(Service, NAME_AND_PORT, ["name"])
    gives(Service, None)


def test_a_class_with_new():
    class Point:
        def __new__(cls, name: str, port: int = 443): ...

    takes(Point, NAME_AND_PORT, ["name"])


def test_a_class_that_inherits_its_init():
    class Special(Service): ...

    takes(Special, NAME_AND_PORT, ["name"])


def test_a_class_whose_metaclass_has_a_call():
    class Meta(type):
        def __call__(cls, name: str, port: int = 443): ...

    class Made(metaclass=Meta):
        def __init__(self, other: bytes): ...

    takes(Made, NAME_AND_PORT, ["name"])


def test_a_class_without_a_constructor():
    class Empty: ...

    takes(Empty, {})


def test_a_dataclass():
    @dataclass
    class Server:
        name: str
        port: int = 443

    schema = {"type": "object", "properties": NAME_AND_PORT, "required": ["name"]}
    takes(Server, NAME_AND_PORT, ["name"])
    gives(Server, schema)


def test_a_dataclass_with_all_kinds_of_fields():
    @dataclass
    class Server:
        name: str
        secret: InitVar[str]
        kind: typing.ClassVar[str] = "k"
        made: int = field(init=False, default=0)
        tags: list[str] = field(default_factory=list)
        _: KW_ONLY
        port: int = 443

    takes(
        Server,
        {"name": STRING, "secret": STRING, "tags": array_of(STRING), "port": PORT},
        ["name", "secret"],
    )


def test_an_inherited_dataclass():
    @dataclass
    class Base:
        name: str

    @dataclass
    class Server(Base):
        port: int = 443

    takes(Server, NAME_AND_PORT, ["name"])


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
    name = {"type": "string", "description": "Who."}
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
    node = {
        "type": "object",
        "properties": {"name": STRING, "children": array_of({"$ref": "#/$defs/Node"})},
        "required": ["name", "children"],
    }
    assert function_to_schema(module.Node) == {**node, "$defs": {"Node": node}}


def test_a_dataclass_with_its_own_init():
    @dataclass(init=False)
    class Server:
        name: str

        def __init__(self, address: str, port: int = 443) -> None: ...

    takes(Server, {"address": STRING, "port": PORT}, ["address"])


def test_a_dataclass_that_is_generic():
    @dataclass
    class Box(Generic[T]):
        content: T
        more: list[T]

    takes(Box[int], {"content": INTEGER, "more": array_of(INTEGER)}, ["content", "more"])
    takes(Box, {"content": ANYTHING, "more": array_of(ANYTHING)}, ["content", "more"])


def test_a_named_tuple():
    class Server(NamedTuple):
        name: str
        port: int = 443

    takes(Server, NAME_AND_PORT, ["name"])
    gives(
        Server,
        {"type": "array", "prefixItems": [STRING, INTEGER], "minItems": 1, "maxItems": 2},
    )


def test_a_collections_namedtuple():
    Server = collections.namedtuple("Server", "name port", defaults=[443])
    takes(
        Server,
        {"name": STRING, "port": {"type": "string", "default": 443}},
        ["name"],
        exact={"name": ANYTHING, "port": {"default": 443}},
    )


def test_a_typed_dict():
    class Server(TypedDict):
        name: str
        port: NotRequired[int]

    takes(Server, {"name": STRING, "port": INTEGER}, ["name"])
    gives(
        Server,
        {"type": "object", "properties": {"name": STRING, "port": INTEGER}, "required": ["name"]},
    )


def test_a_typed_dict_of_typing_extensions():
    class Server(typing_extensions.TypedDict, total=False):
        name: Required[str]
        port: typing_extensions.ReadOnly[int]

    takes(Server, {"name": STRING, "port": INTEGER}, ["name"])


def test_an_attrs_class():
    @attrs.define
    class Server:
        name: str
        port: int = 443
        tags: list[str] = attrs.Factory(list)
        _token: str = "t"

    token = {"type": "string", "default": "t"}
    takes(Server, {**NAME_AND_PORT, "tags": array_of(STRING), "token": token}, ["name"])


def test_a_msgspec_struct():
    class Server(msgspec.Struct):
        name: str
        port: int = 443
        tags: list[str] = msgspec.field(default_factory=list)

    takes(Server, {**NAME_AND_PORT, "tags": array_of(STRING)}, ["name"])


def test_a_pydantic_model():
    class Server(pydantic.BaseModel):
        name: str
        port: int = 443

    takes(Server, NAME_AND_PORT, ["name"])


def test_a_pydantic_dataclass():
    @pydantic.dataclasses.dataclass
    class Server:
        name: str
        port: int = 443

    takes(Server, NAME_AND_PORT, ["name"])


def test_an_annotation_is_refused_as_a_callable():
    alias = typing_extensions.TypeAliasType("alias", int)
    annotations: list[Any] = [
        Optional[int],
        Callable[[int], str],
        int | str,
        Annotated[int, "x"],
        alias,
    ]
    for annotation in annotations:
        for derive in (function_to_schema, return_to_schema):
            with pytest.raises(SchemaError, match=r"type_to_schema\(\)"):
                derive(annotation)


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


def test_a_builtin_class():
    class Names(list): ...

    takes(
        Names,
        {"iterable": {"type": "string", "default": []}},
        exact={"iterable": {"default": []}},
    )


@dataclass
class Node:
    name: str
    children: list["Node"] = field(default_factory=list)


class Base:
    def run(self, name: str):
        """Run it.

        Args:
            name: Who.
        """

    def __call__(self, name: str):
        """Call it.

        Args:
            name: Who.
        """


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
    assert schema["properties"]["y"] == {
        "type": "integer",
        "description": "A number.",
        "default": 0,
    }


class StillOutdated(Outdated):
    pass


@pytest.mark.filterwarnings("ignore::milo_schema.SchemaWarning")
def test_a_subclass_of_a_deprecated_class_has_the_parameters_of_its_init():
    assert function_to_schema(StillOutdated) == function_to_schema(Outdated)


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
