"""Type parameters of classes, and the arguments of generic aliases."""

import functools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    Generic,
    Hashable,
    Literal,
    TypedDict,
    TypeVar,
    TypeVarTuple,
    Unpack,
)

import pytest
import typing_extensions

from milo_schema import (
    Ge,
    Le,
    MinLen,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)
from tests.every import every
from tests.fragments import (
    BASE64,
    BOOLEAN,
    INTEGER,
    NULL,
    STRING,
    any_of,
    array_of,
    exact,
    fixed,
    record,
    taking,
)
from tests.inside import alias_of, is_closed
from tests.modules import module_from

S = TypeVar("S")
T = TypeVar("T")
Any_ = typing_extensions.TypeVar("Any_")
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


@dataclass
class Between(Generic[S, Unpack[Ts], T]):
    dims: tuple[T, Unpack[Ts], S]


Items_ = typing_extensions.TypeVar("Items_", default=list[S])


@dataclass
class Two(Generic[S, Items_]):
    a: S
    b: Items_


class Row(tuple[Unpack[Ts]]): ...  # noqa: SLOT001


@dataclass
class Open(Generic[Any_]):  # type: ignore[misc]
    value: Any_  # type: ignore[valid-type]


Ends = typing_extensions.TypeVarTuple("Ends", default=Unpack[tuple[int, str]])


@dataclass
class Pair(Generic[Unpack[Ends]]):  # type: ignore[misc]
    ends: tuple[Unpack[Ends]]  # type: ignore[valid-type]


def test_equal_generics_with_equal_metadata_share_a_definition():
    one, other = Box[Annotated[int, Ge(1)]], Box[Annotated[int, Ge(1)]]
    kept = profiles.MCP.replace(inline=False)
    schema = type_to_schema(tuple[one, other], profile=kept)  # type: ignore[valid-type]
    assert len(schema["$defs"]) == 1
    third: Any = Box[Annotated[int, Le(1)]]
    schema = type_to_schema(tuple[one, third], profile=kept)  # type: ignore[valid-type]
    assert len(schema["$defs"]) == 2


def test_a_constraint_stands_beside_the_reference_to_a_record():
    kept = profiles.MCP.replace(inline=False)
    schema = type_to_schema(list[Annotated[Box[int], MinLen(1)]], profile=kept)
    assert schema["items"] == {"anyOf": [{"$ref": "#/$defs/Box_int"}], "minProperties": 1}


class Told(Generic[T]):
    @classmethod
    def __milo_schema__(cls, walk):
        return {"type": "string", "minLength": 1, "examples": ["told"]}


Word = typing_extensions.TypeAliasType("Word", int | str)
QUOTED = {"Box[int]": Box[int], "Told[int]": Told[int], "Word": Word, "None": None}


@pytest.mark.parametrize("text", QUOTED)
def test_a_type_in_quotes_has_the_definitions_of_the_type(text):
    kept = profiles.MCP.replace(inline=False)
    expected = type_to_schema(list[QUOTED[text]], profile=kept)  # type: ignore[misc]
    assert type_to_schema(list[text], profile=kept, localns=globals()) == expected  # type: ignore[valid-type]


class Ids(list[T]): ...


class Named(Generic[T]): ...


class NamedIds(Named[str], list[int]): ...


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


Listed = typing_extensions.TypeAliasType("Listed", "list[Own]", type_params=(TypeVar("Own"),))  # noqa: F821


class Mute:
    def __getattr__(self, name):
        raise ZeroDivisionError


class BasedOnNothing(list):
    __orig_bases__ = (Mute(), Mute())


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


@dataclass
class Command:
    x: int

    @property
    def __parameters__(self):
        return [self.x]


NODE = record(value=INTEGER, kids=array_of({"$ref": "#/$defs/Tree_int"}))
SCHEMAS: dict[str, tuple[Any, Any]] = {
    "a variadic argument is spread through inheritance": (
        Sized[str, bytes], record(dims=fixed(INTEGER, STRING, BASE64, INTEGER))),
    "a variadic parameter may stand between others": (
        Between[int, str, bytes, None], record(dims=fixed(NULL, STRING, BASE64, INTEGER))),
    "a variadic parameter may have no argument": (
        Shape, record(dims={"type": "array", "prefixItems": [{}], "items": {}, "minItems": 2})),
    "a variadic parameter of a builtin generic takes arguments": (
        Row[int, str], fixed(INTEGER, STRING)),
    "a default may refer to another parameter": (
        Two[int], record(a=INTEGER, b=array_of(INTEGER))),  # type: ignore[misc]
    "a string in a Literal is a value": (
        Box[Literal["int"]], record(value={"type": "string", "enum": ["int"]})),
    "a tuple in a tuple keeps what is after its part of any length": (
        tuple[bool, Unpack[tuple[Unpack[tuple[int, ...]], str]]],
        array_of(any_of(INTEGER, STRING)) | {"prefixItems": [BOOLEAN], "minItems": 2}),
    "a parameter in quotes needs no name elsewhere": (Listed[int], array_of(INTEGER)),
    "a parameter that could have a default may have none": (Open, record(value={})),
    "a variadic parameter has a default": (Pair, record(ends=fixed(INTEGER, STRING))),
    "a generic in a string is the same type": (Tree[int], NODE | {"$defs": {"Tree_int": NODE}}),
    "an argument may have strings and metadata": (
        Box[Annotated["int", Ge(1)]], record(value=INTEGER | {"minimum": 1})),
    "a subclass of a builtin generic takes arguments": (Ids[int], array_of(INTEGER)),
    "a generic without arguments": (Box, record(value={})),
    "its own parameter as the argument is the same": (Box[T], record(value={})),  # type: ignore[valid-type]
    "the arguments of another base are not those of the builtin one": (NamedIds, array_of(INTEGER)),
    "bases that are not classes are ignored": (BasedOnNothing, array_of({})),
    "a base may be without type parameters": (BasedOnAForm, {"type": "object"}),
    "the type parameters of a metaclass are not asked for": (Inherits, record(x=INTEGER)),
    "nor a property of that name": (Command, record(x=INTEGER)),
}  # fmt: skip


@every("fact", SCHEMAS)
def test_the_schema_of_a_generic_class(fact):
    annotation, schema = SCHEMAS[fact]
    assert exact(annotation) == schema


@dataclass
class Growing(Generic[T]):
    value: T
    next: "Growing[list[T]] | None" = None


def nested(levels: int) -> Any:
    return functools.reduce(lambda inner, _: list[inner], range(levels), int)  # type: ignore[valid-type, arg-type, return-value]


ENOUGH = [
    nested(11), tuple[(int,) * 998], Annotated[tuple[(int,) * 996], 1],  # type: ignore[misc]
    alias_of(Literal, tuple(map(str, range(1_001)))),
]  # fmt: skip
TOO_MANY = [nested(12), nested(2_000), tuple[(int,) * 999], Annotated[tuple[(int,) * 997], 1]]  # type: ignore[misc]


def test_the_arguments_of_a_generic_type_are_limited():
    for argument in ENOUGH:
        assert exact(Box[argument])["properties"].keys() == {"value"}  # type: ignore[valid-type]
    for argument in TOO_MANY:
        with pytest.raises(SchemaError, match="nested deeper than 12 levels, or more than 1,000"):
            exact(alias_of(Box, (argument,)))
    with pytest.raises(SchemaError, match="type arguments nested deeper than 12") as caught:
        exact(Growing[int])
    assert caught.value.path == "Growing[int]" + ".next" * 12


# -- names that cannot be resolved -------------------------------------------------------------


class Items(list["Missing"]): ...  # noqa: F821


class Distinct(set["Missing"]): ...  # noqa: F821


class Both(tuple["Missing", int]): ...  # noqa: F821, SLOT001


class ByName(dict[str, "Missing"]): ...  # noqa: F821


class Ordered(Sequence["Missing"]): ...  # noqa: F821


class InBox(Box["Missing"]): ...


class Key(TypedDict, Generic[T]):
    key: T


class MissingKey(Key["Missing"]):
    more: int


class OfSub(Items): ...


IN_ARGUMENTS = [
    (Items, "[]", array_of),
    (OfSub, "[]", array_of),
    (Ordered, "[]", array_of),
    (list[Items], "[][]", lambda item: array_of(array_of(item))),
    (Distinct, "[]", lambda item: {**array_of(item), "uniqueItems": True}),
    (Both, "[0]", lambda item: fixed(item, INTEGER)),
    (ByName, "{}", lambda value: {"type": "object", "additionalProperties": value or True}),
    (InBox, ".value", lambda value: record(value=value)),
    (Box["Missing"], ".value", lambda value: record(value=value)),
    (MissingKey, ".key", lambda value: record(key=value, more=INTEGER)),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "place", "schema"), IN_ARGUMENTS)
def test_a_missing_name_affects_only_its_type_argument(annotation, place, schema):
    f = taking(annotation)
    with pytest.warns(SchemaWarning) as told:
        found = function_to_schema(f, profile=profiles.MCP)["properties"]["x"]
    assert found == schema({})
    assert [each.message.path for each in told] == [f"command(x){place}"]
    with pytest.raises(SchemaError, match="no 'Missing' in") as refused:
        function_to_schema(f, strict=True)
    assert refused.value.path == f"command(x){place}"


def test_each_missing_name_is_reported():
    with pytest.warns(SchemaWarning) as told:
        type_to_schema(tuple[Box["Missing"], Box["Gone"]])  # type: ignore[name-defined]  # noqa: F821
    assert [each.message.message[:9] for each in told] == ["no 'Missi", "no 'Gone'"]
    with pytest.warns(SchemaWarning) as told:
        function_to_schema(taking(tuple[int, Unpack[tuple["Missing", ...]], "Gone"]))  # type: ignore[name-defined]  # noqa: F821
    assert [each.message.path for each in told] == ["command(x)[]", "command(x)[]"]


@pytest.mark.parametrize(("annotation", "_place", "schema"), IN_ARGUMENTS)
def test_names_that_callers_pass_are_those_of_type_arguments_too(annotation, _place, schema):
    found = type_to_schema(annotation, localns={"Missing": str}, profile=profiles.MCP, strict=True)
    assert found == schema(STRING)


def test_a_missing_name_in_a_method_of_a_generic_class_affects_only_its_parameter():
    class Repo(Generic[T]):
        def add(self, item: T, times: int) -> T: ...

    class Missings(Repo["Missing"]): ...

    with pytest.warns(SchemaWarning) as told:
        found = function_to_schema(Missings().add, profile=profiles.MCP)["properties"]
    assert found == {"item": {}, "times": INTEGER}
    assert [each.message.path for each in told] == ["Repo.add(item)"]
    found = function_to_schema(Missings().add, strict=True, localns={"Missing": str})
    assert found["properties"] == {"item": STRING, "times": INTEGER}


def test_a_missing_name_in_a_form_of_a_recursive_record_ends():
    @dataclass
    class Node(Generic[T]):
        value: T
        next: "Node[Missing] | None" = None  # noqa: F821

    with pytest.warns(SchemaWarning) as told:
        schema = type_to_schema(Node[int], profile=profiles.MCP)
    inner = record(
        value={}, next={"anyOf": [{"$ref": "#/$defs/Node_Missing"}, NULL], "default": None}
    )
    inner["required"] = ["value"]
    assert schema["$defs"] == {"Node_Missing": inner}
    assert [each.message.path for each in told] == ["Node[int].next.value"]


@pytest.mark.skipif(sys.version_info < (3, 13), reason="PEP 696")
def test_a_missing_name_in_the_default_of_a_type_parameter_is_reported():
    module = module_from(
        """
        from collections.abc import Iterator
        class Items[T = Missing](Iterator[T]): ...
        def f() -> Items: ...
        """
    )
    with pytest.warns(SchemaWarning, match="no 'Missing'|'Missing' is not defined") as told:
        assert return_to_schema(module.f, profile=profiles.MCP) == {}
    assert [each.message.path for each in told] == ["f() -> result"]


Chosen = TypeVar("Chosen", "Chosen", "list[int]", str)
"""As in aiogram: a type parameter lists itself."""


def test_a_type_parameter_among_its_own_constraints_adds_nothing():
    def f(x: Chosen, y: list[Chosen], z: Chosen | None): ...

    either = {"anyOf": [array_of(INTEGER), STRING]}
    assert function_to_schema(f, profile=profiles.MCP, strict=True)["properties"] == {
        "x": either,
        "y": array_of(either),
        "z": {"anyOf": [array_of(INTEGER), STRING, NULL]},
    }


MANY: Any = tuple[(int,) * 31]


def test_an_annotation_of_many_parts_is_not_surely_closed():
    assert is_closed(tuple[(int,) * 30])
    assert not is_closed(MANY)
