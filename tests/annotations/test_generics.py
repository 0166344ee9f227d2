"""Type parameters of classes, and the arguments of generic aliases."""

import sys
from dataclasses import dataclass
from typing import Annotated, Generic, Hashable, TypeVar, TypeVarTuple, Unpack

import pytest
import typing_extensions

from milo_schema import Ge, SchemaError, function_to_schema, profiles, type_to_schema
from milo_schema.annotations.forms import alias_of
from tests.fragments import BASE64, INTEGER, STRING, exact, fixed, record
from tests.modules import module_from

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


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


def test_a_variadic_argument_is_spread_through_inheritance():
    assert exact(Sized[str, bytes]) == record(dims=fixed(INTEGER, STRING, BASE64, INTEGER))


def test_a_variadic_parameter_has_a_default():
    assert exact(Pair) == record(ends=fixed(INTEGER, STRING))


def test_a_generic_in_a_string_is_the_same_type():
    tree = record(value=INTEGER, kids={"type": "array", "items": {"$ref": "#/$defs/Tree_int"}})
    assert exact(Tree[int]) == {**tree, "$defs": {"Tree_int": tree}}


def test_equal_generics_with_equal_metadata_share_a_definition():
    one, other = Box[Annotated[int, Ge(1)]], Box[Annotated[int, Ge(1)]]
    kept = profiles.MCP.replace(inline=False)
    schema = type_to_schema(tuple[one, other], profile=kept)  # type: ignore[valid-type]
    assert len(schema["$defs"]) == 1


def test_a_type_argument_may_have_strings_and_metadata():
    assert exact(Box[Annotated["int", Ge(1)]]) == record(value={**INTEGER, "minimum": 1})


class Ids(list[T]): ...


def test_a_subclass_of_a_builtin_generic_takes_arguments():
    assert exact(Ids[int]) == {"type": "array", "items": INTEGER}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="PEP 695 came with 3.12")
def test_a_bound_in_a_string_is_evaluated_where_its_function_is_defined():
    module = module_from("""
        class Size(int): ...

        def resize[S: "Size"](size: S): ...
    """)
    assert function_to_schema(module.resize, strict=True)["properties"] == {"size": INTEGER}


@pytest.mark.skipif(sys.version_info < (3, 13), reason="PEP 696 came with 3.13")
def test_a_default_follows_the_argument_through_inheritance():
    module = module_from("""
        from dataclasses import dataclass

        @dataclass
        class Pair[A = int, B = list[A]]:
            a: A
            b: B

        @dataclass
        class Names(Pair[str]): ...
    """)
    assert exact(module.Names) == record(a=STRING, b={"type": "array", "items": STRING})


class Mute:
    def __getattr__(self, name):
        raise ZeroDivisionError


class BasedOnNothing(list):
    __orig_bases__ = (Mute(), Mute())


def test_bases_that_are_not_classes_are_ignored():
    assert type_to_schema(BasedOnNothing, strict=True) == {"type": "array", "items": {}}


@pytest.mark.parametrize(
    "annotation",
    [
        alias_of(tuple, (alias_of(Unpack, ()),)),
        alias_of("list", (int,)),
    ],
    ids=["an Unpack of nothing", "an origin in quotes"],
)
def test_an_alias_of_something_that_is_not_a_type_is_refused(annotation):
    with pytest.raises(SchemaError, match="no JSON Schema for"):
        type_to_schema(annotation, strict=True)


class BasedOnAForm(dict):
    __orig_bases__ = (Hashable,)


def test_a_base_without_type_parameters_is_accepted():
    assert type_to_schema(BasedOnAForm, strict=True) == {"type": "object"}


TEXT = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}


class Claims(type):
    """Whatever a class is asked for, it has the number five."""

    def __getattr__(cls, name):
        if name == "__parameters__":
            return 5
        raise AttributeError(name)


class Base(metaclass=Claims): ...


@dataclass
class Inherits(Base):
    x: int


def test_type_parameters_that_a_metaclass_makes_up_are_not_asked_for():
    assert type_to_schema(Inherits, strict=True) == TEXT


@dataclass
class Command:
    x: int

    @property
    def __parameters__(self):
        return [self.x]


def test_property_that_is_called_as_the_type_parameters_are_is_not_asked_for():
    assert type_to_schema(Command, strict=True) == TEXT
