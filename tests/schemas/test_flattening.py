"""A record that is the only parameter gives way to its fields, and is put together again."""

import warnings
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, NewType, Optional, TypedDict

import attrs
import msgspec
import pydantic
import pytest
import typing_extensions as te

from milo_schema import (
    Description,
    MinLen,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    tool_schema,
)
from milo_schema.arguments import ArgumentsError, bind
from milo_schema.transforms import Descriptions
from tests.fragments import INTEGER, NULL, STRING, obj, record
from tests.needs import lacking

EXTRA_ITEMS = lacking("typing_extensions>=4.13")
FLAT = profiles.MCP.replace(flatten=True)


@dataclass
class Order:
    """An order of the shop.

    Attributes:
        item: What is ordered.
    """

    item: str
    count: int = 1


class Keys(TypedDict):
    """An order of the shop."""

    item: Annotated[str, Description("What is ordered.")]
    count: te.NotRequired[int]


@attrs.define
class Attrs:
    """An order of the shop."""

    item: Annotated[str, Description("What is ordered.")]
    count: int = 1


class Struct(msgspec.Struct):
    """An order of the shop."""

    item: Annotated[str, Description("What is ordered.")]
    count: int = 1


class Model(pydantic.BaseModel):
    """An order of the shop."""

    item: str = pydantic.Field(description="What is ordered.")
    count: int = 1


Named = NewType("Named", Order)

PROPERTIES: dict[str, Any] = {
    "item": {**STRING, "description": "What is ordered."},
    "count": {**INTEGER, "default": 1},
}
SCHEMA = {
    "type": "object",
    "properties": PROPERTIES,
    "required": ["item"],
    "description": "An order of the shop.",
}


def taking(annotation: Any) -> Any:
    def order(order, *, ctx=None):
        return order, ctx

    order.__annotations__ = {"order": annotation}
    return order


@pytest.mark.parametrize("annotation", [Order, Attrs, Struct, Model, Named, "Order", Keys], ids=str)
def test_the_fields_of_the_only_parameter_replace_it(annotation):
    profile = FLAT.with_injected(names={"ctx"})
    func = taking(annotation)
    schema = function_to_schema(func, strict=True, profile=profile)
    expected = SCHEMA
    if annotation is Keys:
        count = {name: value for name, value in PROPERTIES["count"].items() if name != "default"}
        expected = {**SCHEMA, "properties": {**PROPERTIES, "count": count}}
    assert schema == expected

    bound = bind(func, {"item": "tea", "count": 2}, inject={"ctx": "C"}, profile=profile)
    value, ctx = func(*bound.args, **bound.kwargs)
    made = Order if annotation in (Named, "Order") else annotation
    assert (value, type(value), ctx) == (
        made(item="tea", count=2),
        dict if made is Keys else made,
        "C",
    )
    assert bound.arguments == {"order": value, "ctx": "C"}
    with pytest.raises(ArgumentsError) as caught:
        bind(func, {"count": 2}, profile=profile)
    assert [(each.path, each.code) for each in caught.value.problems] == [(".item", "missing")]


class Pair(NamedTuple):
    item: str


@dataclass
class Described:
    item: str

    @classmethod
    def __milo_schema__(cls, walk: Any) -> dict[str, Any]:
        return {"type": "object"}


def two(order: Order, note: str): ...
def none(): ...
def optional(order: Order | None): ...
def defaulted(order: Order = Order("tea")): ...  # noqa: B008
def several(*orders: Order, **more: Order): ...
def paired(order: Pair): ...
def described(order: Described): ...
def listed(order: list[Order]): ...
def plain(order: str): ...
def mapped(order: dict[str, int]): ...


@pytest.mark.parametrize(
    "func",
    [two, none, optional, defaulted, several, paired, described, listed, plain, mapped],
    ids=lambda each: each.__name__,
)
def test_other_parameters_are_not_replaced(func):
    """There is no tool for two records, nor a way to leave out all fields of one."""
    variadic = FLAT.replace(variadics="properties")
    bare = variadic.replace(flatten=False)
    assert function_to_schema(func, profile=variadic) == function_to_schema(func, profile=bare)


def test_a_missing_name_is_reported_as_without_flattening():
    def missing(order: "Missing"): ...  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(SchemaError) as caught:
        function_to_schema(missing, strict=True, profile=FLAT)
    assert caught.value.path == "missing(order)"


def test_a_type_that_the_profile_describes_is_not_replaced():
    profile = FLAT.with_types({Order: {"type": "string"}})
    assert function_to_schema(taking(Order), exclude=["ctx"], profile=profile) == record(
        order=STRING
    ) | {"additionalProperties": False}


@dataclass
class Node:
    name: Annotated[str, MinLen(1)]
    next: Optional["Node"] = None


def test_a_recursive_record_refers_to_itself():
    def walk(node: Node): ...

    node = obj(
        ["name"],
        name={**STRING, "minLength": 1},
        next={"anyOf": [{"$ref": "#/$defs/Node"}, NULL], "default": None},
    )
    schema = function_to_schema(walk, strict=True, profile=FLAT)
    assert schema == {**node, "$defs": {"Node": node}}
    bound = bind(walk, {"name": "a", "next": {"name": "b"}}, profile=FLAT)
    assert bound.kwargs == {"node": Node("a", Node("b"))}
    with pytest.raises(ArgumentsError) as caught:
        bind(walk, {"name": "a", "next": {"name": ""}}, profile=FLAT)
    assert caught.value.problems[0].path == ".next.name"


class Open(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")
    name: str


@dataclass
class Empty: ...


def test_a_record_decides_about_its_additional_properties():
    def open_(order: Open) -> Any:
        return order

    assert function_to_schema(open_, profile=FLAT)["additionalProperties"] is True
    bound = bind(open_, {"name": "a", "more": 1}, profile=FLAT)
    assert open_(*bound.args, **bound.kwargs) == Open(name="a", more=1)  # type: ignore[call-arg]


@pytest.mark.skipif(bool(EXTRA_ITEMS), reason=EXTRA_ITEMS)
def test_a_typed_dict_may_have_extra_items():
    class Extra(te.TypedDict, extra_items=int):  # type: ignore[call-arg]
        name: str

    def extra(order: Extra): ...

    assert function_to_schema(extra, profile=FLAT)["additionalProperties"] == INTEGER
    assert bind(extra, {"name": "a", "more": 1}, profile=FLAT).kwargs == {
        "order": {"name": "a", "more": 1}
    }


@pytest.mark.parametrize("closed", ["nothing", "parameters", "everything"])
def test_the_root_is_closed_if_the_record_is(closed):
    """A call takes what the schema accepts: what is left open is not closed here, either."""

    def empty(order: Empty): ...

    profile = FLAT.replace(closed=closed)
    inside = function_to_schema(empty, profile=profile.replace(flatten=False))
    assert function_to_schema(empty, profile=profile) == inside["properties"]["order"]
    assert bind(empty, {}, profile=profile).kwargs == {"order": Empty()}
    if closed == "everything":
        with pytest.raises(ArgumentsError) as caught:
            bind(empty, {"a": 1}, profile=profile)
        assert str(caught.value) == "empty(): .a: unknown property"
    else:
        assert bind(empty, {"a": 1}, profile=profile).kwargs == {"order": Empty()}


def test_arguments_that_are_not_an_object_are_refused():
    with pytest.raises(ArgumentsError) as caught:
        bind(taking(Order), [], exclude=["ctx"], profile=FLAT)
    reason = "expected an object with the arguments, got an array of 0 items"
    assert str(caught.value) == f"order(): {reason}"
    bound = bind(taking(Order), '{"item": "tea"}', exclude=["ctx"], profile=FLAT, repair=True)
    assert bound.kwargs == {"order": Order("tea")}


def test_an_injected_record_is_not_in_the_schema():
    def order(order: Order): ...

    bound = bind(order, {}, inject={"order": Order("tea")}, profile=FLAT)
    assert bound.kwargs == {"order": Order("tea")}
    with pytest.raises(ArgumentsError):
        bind(order, {"item": "tea"}, inject={"order": Order("tea")}, profile=FLAT)


def test_null_means_that_a_field_is_left_out():
    profile = FLAT.replace(optional="null")
    bound = bind(taking(Order), {"item": "tea", "count": None}, exclude=["ctx"], profile=profile)
    assert bound.kwargs == {"order": Order("tea")}
    with pytest.raises(ArgumentsError, match="expected a string, got null"):
        bind(taking(Order), {"item": None}, exclude=["ctx"], profile=profile)


# -- descriptions ------------------------------------------------------------------------------


def test_the_tool_has_the_description_of_the_record():
    tool = tool_schema(taking(Order), exclude=["ctx"], profile=FLAT)
    bare = {name: value for name, value in SCHEMA.items() if name != "description"}

    assert (tool.description, tool.input_schema) == ("An order of the shop.", bare)
    plain = tool_schema(taking(Order), exclude=["ctx"], profile=profiles.MCP)
    assert plain.description is None


def test_a_function_with_a_description_keeps_it():
    def order(order: Order):
        """Order something."""

    tool = tool_schema(order, profile=FLAT)
    assert (tool.description, tool.input_schema) == ("Order something.", SCHEMA)
    explicit = tool_schema(order, description="Mine.", profile=FLAT)
    assert (explicit.description, explicit.input_schema) == ("Mine.", SCHEMA)


def test_a_template_describes_fields_without_a_description():
    profile = FLAT.replace(transforms=[Descriptions("The {name}.")])
    schema = function_to_schema(taking(Order), exclude=["ctx"], profile=profile)
    assert schema["properties"]["count"] == {**PROPERTIES["count"], "description": "The count."}
    with warnings.catch_warnings(record=True, action="always") as caught:
        function_to_schema(taking(Order), exclude=["ctx"], warn_missing_docs=True, profile=FLAT)
    assert [each.message.path for each in caught if each.category is SchemaWarning] == [  # type: ignore[union-attr]
        "order(count)"
    ]


@pytest.mark.parametrize("name", ["OPENAI_STRICT", "ANTHROPIC_STRICT", "GEMINI", "PORTABLE"])
def test_every_dialect_writes_a_flattened_record(name):
    profile = getattr(profiles, name)
    flat = tool_schema(taking(Order), exclude=["ctx"], profile=profile.replace(flatten=True))
    whole = tool_schema(taking(Order), exclude=["ctx"], profile=profile)
    inside = dict(whole.input_schema["properties"]["order"])

    assert flat.description == inside.pop("description")
    assert flat.input_schema == inside
