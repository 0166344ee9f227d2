"""What was wrong once: combinations that no single row of the tables has."""

import collections
import decimal
import functools
from collections.abc import Generator, KeysView
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, Optional, TypeVar, TypeVarTuple, Union, Unpack

import msgspec
import pydantic
import pytest
import typing_extensions

from milo_schema import (
    Ge,
    MaxLen,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
INTEGER = {"type": "integer"}
STRING = {"type": "string"}
BYTES = {"type": "string", "contentEncoding": "base64"}

Json = Union[None, int, list["Json"], dict[str, "Json"]]


@dataclass
class Box(Generic[T]):
    value: T


@dataclass
class Tree(Generic[T]):
    value: T
    kids: list["Tree[T]"]


@dataclass
class Shape(Generic[T, Unpack[Ts]]):
    dims: tuple[T, Unpack[Ts], T]


@dataclass
class Sized(Shape[int, Unpack[Ts]], Generic[Unpack[Ts]]): ...


Ends = typing_extensions.TypeVarTuple("Ends", default=Unpack[tuple[int, str]])


@dataclass
class Pair(Generic[Unpack[Ends]]):  # type: ignore[misc]
    ends: tuple[Unpack[Ends]]  # type: ignore[valid-type]


def exact(tp: Any) -> dict[str, Any]:
    return type_to_schema(tp, strict=True, profile=profiles.MCP)


def record(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def fixed(*items: Any) -> dict[str, Any]:
    size = len(items)
    return {"type": "array", "prefixItems": list(items), "minItems": size, "maxItems": size}


def test_a_variadic_argument_is_spread_through_inheritance():
    assert exact(Sized[str, bytes]) == record(dims=fixed(INTEGER, STRING, BYTES, INTEGER))


def test_a_variadic_parameter_has_a_default():
    assert exact(Pair) == record(ends=fixed(INTEGER, STRING))


def test_a_constraint_finds_what_an_alias_in_a_union_stands_for():
    blob = typing_extensions.TypeAliasType("blob", bytes)
    money = typing_extensions.TypeAliasType("money", decimal.Decimal)
    assert exact(Annotated[Union[blob, int], MaxLen(3)]) == {  # type: ignore[valid-type]
        "anyOf": [{**BYTES, "maxLength": 4}, INTEGER]
    }
    bounded = exact(Annotated[Optional[money], Ge(0)])["anyOf"]  # type: ignore[valid-type]
    assert [{"type": "number", "minimum": 0}, {"type": "null"}] == [bounded[0], bounded[2]]


def test_a_default_that_is_a_pydantic_field_says_more_than_a_default():
    def command(
        a: int = pydantic.Field(default=3, ge=1, description="A."),
        b: str = pydantic.Field(min_length=2),
        c: list[int] = pydantic.Field(default_factory=list),  # noqa: B008
        d=pydantic.Field(default=1),  # noqa: B008
    ): ...

    assert function_to_schema(command) == {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "minimum": 1, "description": "A.", "default": 3},
            "b": {"type": "string", "minLength": 2},
            "c": {"type": "array", "items": INTEGER},
            "d": {"default": 1},
        },
        "required": ["b"],
    }


class Aliased(pydantic.BaseModel):
    x: int = pydantic.Field(alias="X")


def test_a_default_that_is_a_model_is_said_by_its_aliases():
    def command(model: Aliased = Aliased(X=1)): ...  # noqa: B008

    assert function_to_schema(command)["properties"]["model"]["default"] == {"X": 1}


class Chosen(pydantic.BaseModel):
    a: int = pydantic.Field(validation_alias=pydantic.AliasChoices("A1", "A2"))
    b: str = pydantic.Field("x", validation_alias=pydantic.AliasPath("deep", 1))


def test_a_model_takes_the_names_that_its_constructor_takes():
    assert function_to_schema(Chosen) == {
        "type": "object",
        "properties": {"A1": INTEGER, "b": {"type": "string", "default": "x"}},
        "required": ["A1"],
    }


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]


class Owner(pydantic.BaseModel):
    pet: Cat | Dog = pydantic.Field(discriminator="kind")


def test_a_discriminator_leaves_no_pointers_behind():
    pet = exact(Owner)["properties"]["pet"]
    assert pet.keys() == {"anyOf"}
    assert [arm["properties"]["kind"]["const"] for arm in pet["anyOf"]] == ["cat", "dog"]


class Odd(pydantic.BaseModel):
    """Its author knows better."""

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        return {"type": "object", "default": float("nan")}


class Refusing(pydantic.BaseModel):
    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        raise ZeroDivisionError("oops")


def test_a_model_whose_schema_is_no_json_is_refused():
    with pytest.raises(SchemaError, match="pydantic's schema of Odd has the number nan"):
        exact(Odd)


def test_a_model_that_has_no_schema_is_unknown():
    with pytest.raises(SchemaError, match="pydantic has no JSON Schema for Refusing: oops"):
        exact(Refusing)
    with pytest.warns(SchemaWarning, match="Refusing: pydantic has no JSON Schema"):
        assert type_to_schema(Refusing) == STRING


class Absent(msgspec.Struct):
    size: int | msgspec.UnsetType = msgspec.UNSET


def test_a_field_that_may_be_unset_is_optional():
    assert exact(Absent) == {"type": "object", "properties": {"size": INTEGER}}


def test_what_yields_items_is_an_array_of_them():
    assert exact(Generator[int, None, None]) == {"type": "array", "items": INTEGER}
    assert exact(KeysView[str]) == {"type": "array", "items": STRING}
    assert exact(collections.UserString) == STRING


def parts(null: bool) -> dict[str, Any]:
    ref = {"$ref": "#/$defs/Json"}
    arms: list[Any] = [
        INTEGER,
        {"type": "array", "items": ref},
        {"type": "object", "additionalProperties": ref},
    ]
    return {"anyOf": [*arms, {"type": "null"}] if null else arms}


def test_a_recursive_alias_in_quotes_is_unwrapped():
    def command(data: Optional["Json"] = None): ...

    assert function_to_schema(command) == {
        "type": "object",
        "properties": {"data": {**parts(null=False), "default": None}},
        "$defs": {"Json": parts(null=True)},
    }


def test_a_recursive_alias_is_the_argument_of_a_generic():
    def command(box: Box[list["Json"]]): ...

    schema = function_to_schema(command, profile=profiles.MCP)
    assert schema["properties"]["box"] == record(value={"type": "array", "items": parts(null=True)})
    assert schema["$defs"] == {"Json": parts(null=True)}


def test_a_generic_in_quotes_is_no_other_type():
    tree = record(value=INTEGER, kids={"type": "array", "items": {"$ref": "#/$defs/Tree_int"}})
    assert exact(Tree[int]) == {**tree, "$defs": {"Tree_int": tree}}


class Service:
    Size = int

    def resize(self, size: "Size", box: "Box[int]", *, fast: bool): ...

    quickly = functools.partialmethod(resize, fast=True)


def test_a_partial_method_means_the_names_of_its_class():
    expected = {
        "type": "object",
        "properties": {
            "size": INTEGER,
            "box": record(value=INTEGER),
            "fast": {"type": "boolean", "default": True},
        },
        "required": ["size", "box"],
    }
    assert function_to_schema(Service.quickly, strict=True) == expected
    assert function_to_schema(Service().quickly, strict=True) == expected


def test_none_with_metadata_is_no_output():
    def stop() -> Annotated[None, "Nothing."]: ...

    assert return_to_schema(stop) is None


def test_a_local_class_whose_closure_is_not_filled_yet_costs_its_own_place():
    def outer() -> Any:
        def command(later: "Later", size: "int"):
            return Later

        schema = function_to_schema(command)
        Later = int  # noqa: N806
        return schema

    with pytest.warns(SchemaWarning, match=r"command\(later\): cannot evaluate 'Later': "):
        schema = outer()
    assert schema["properties"] == {"later": STRING, "size": INTEGER}


def test_a_bound_of_keys_that_no_string_can_keep_is_refused():
    with pytest.raises(SchemaError, match="a key is a string, of which minimum says nothing"):
        exact(dict[Annotated[int, Ge(0)], int])
