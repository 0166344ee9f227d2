"""What was wrong once: combinations that no single row of the tables has."""

import collections
import dataclasses
import datetime
import decimal
import enum
import functools
import operator
import re
import runpy
import subprocess
import sys
import types
import typing
import warnings
from collections.abc import Callable, Generator, KeysView
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    Generic,
    Hashable,
    Literal,
    NewType,
    Optional,
    TypedDict,
    TypeVar,
    TypeVarTuple,
    Union,
    Unpack,
)

import annotated_types
import attrs
import msgspec
import pydantic
import pytest
import typing_extensions

from milo_schema import (
    Ge,
    MaxLen,
    MinLen,
    Pattern,
    Schema,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    parse_docstring,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.annotations.forms import alias_of
from milo_schema.cli import targets
from milo_schema.results import call_result
from milo_schema.schemas.functions import _as_parameter
from tests.modules import module_from

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
        def command(later: "Soon", size: "int"):
            return Soon

        schema = function_to_schema(command)
        Soon = int  # noqa: N806
        return schema

    with pytest.warns(SchemaWarning, match=r"command\(later\): cannot evaluate 'Soon': "):
        schema = outer()
    assert schema["properties"] == {"later": STRING, "size": INTEGER}


def test_a_bound_of_keys_that_no_string_can_keep_is_refused():
    with pytest.raises(SchemaError, match="a key is a string, of which minimum says nothing"):
        exact(dict[Annotated[int, Ge(0)], int])


# -- corners -----------------------------------------------------------------------------------


@dataclass
class Inner:
    x: int = 1


@dataclass
class Outer:
    one: Inner
    two: "Later"


@dataclass
class Later:
    few: Annotated[Inner, MaxLen(1)]


def test_a_constraint_of_a_record_holds_where_it_stands():
    inner = {"type": "object", "properties": {"x": {"type": "integer", "default": 1}}}
    assert exact(Outer) == record(one=inner, two=record(few={**inner, "maxProperties": 1}))


def test_a_description_in_an_alias_goes_before_the_docstring():
    name = typing_extensions.TypeAliasType("name", Annotated[str, "In the alias."])

    def command(who: name):  # type: ignore[valid-type]
        """Do it.

        Args:
            who: In the docstring.
        """

    assert function_to_schema(command)["properties"] == {
        "who": {"type": "string", "description": "In the alias."}
    }


def test_aliases_may_meet_again():
    last = typing_extensions.TypeAliasType("last", Union[int, str])
    left = typing_extensions.TypeAliasType("left", Union[last, bool])  # type: ignore[valid-type]
    right = typing_extensions.TypeAliasType("right", Union[last, float])  # type: ignore[valid-type]
    both = typing_extensions.TypeAliasType("both", Union[left, right])  # type: ignore[valid-type]
    assert exact(both) == {"anyOf": [INTEGER, STRING, {"type": "boolean"}, {"type": "number"}]}


def test_keywords_of_an_alias_and_of_its_use_both_hold():
    some = typing_extensions.TypeAliasType("some", Annotated[str, Schema({"allOf": [{}]})])
    schema = exact(Annotated[some, Schema({"allOf": [{"minLength": 1}]})])
    assert schema == {"type": "string", "allOf": [{}, {"minLength": 1}]}


def test_the_same_generic_with_the_same_metadata_is_one_type():
    one, other = Box[Annotated[int, Ge(1)]], Box[Annotated[int, Ge(1)]]
    kept = profiles.MCP.replace(inline=False)
    schema = type_to_schema(tuple[one, other], profile=kept)  # type: ignore[valid-type]
    assert len(schema["$defs"]) == 1


def test_models_of_one_name_stay_apart():
    def model(tp: Any) -> Any:
        return pydantic.create_model("Same", x=(tp, ...))

    kept = profiles.MCP.replace(inline=False)
    schema = type_to_schema(tuple[model(int), model(str)], profile=kept)  # type: ignore[misc]
    assert schema["$defs"] == {"Same": record(x=INTEGER), "Same_2": record(x=STRING)}


def test_an_output_without_schema_is_left_out_where_failure_is_open():
    def command() -> complex: ...

    with pytest.warns(SchemaWarning, match="no JSON Schema for complex"):
        assert return_to_schema(command, profile=profiles.OPENMCP) is None
    with pytest.raises(SchemaError, match="no JSON Schema for complex"):
        return_to_schema(command, profile=profiles.OPENMCP, strict=True)


def test_a_union_of_objects_is_an_object_by_name_for_older_clients():
    def command() -> Inner | Tree[int]: ...

    schema = return_to_schema(command, profile=profiles.MCP_2025)
    assert schema is not None
    assert schema["type"] == "object"
    assert len(schema["anyOf"]) == 2


def test_the_root_of_a_function_has_no_step():
    assert [_as_parameter(path) for path in ("", "[]", ".x", ".x.y[]")] == [
        "",
        "[]",
        "(x)",
        "(x).y[]",
    ]


def test_what_is_excluded_need_be_no_class():
    session = typing_extensions.TypeAliasType("session", int)

    def command(one: session, two: int): ...  # type: ignore[valid-type]

    assert function_to_schema(command, exclude=[session])["properties"] == {"two": INTEGER}  # type: ignore[list-item]


def test_quotes_and_metadata_in_the_argument_of_a_generic():
    assert exact(Box[Annotated["int", Ge(1)]]) == record(value={**INTEGER, "minimum": 1})


class Shop:
    @dataclass
    class Box:
        size: int

    def pack(self, box: "Box"): ...


def test_a_class_in_a_class_goes_before_that_of_the_module():
    assert function_to_schema(Shop.pack)["properties"] == {"box": record(size=INTEGER)}


def test_a_method_of_a_class_that_cannot_be_read_costs_its_own_place():
    module = module_from("""
        class Broken:
            def run(self, x: "int", y): ...

        Broken.__annotations__ = 5
    """)
    with pytest.warns(SchemaWarning, match=r"run\(x\): Broken.__annotations__ is no dict"):
        schema = function_to_schema(module.Broken.run)
    assert schema["properties"] == {"x": STRING, "y": STRING}


class Touchy:
    def __eq__(self, other):
        raise ZeroDivisionError

    __hash__ = object.__hash__


class Base(TypedDict):
    x: Annotated[int, Touchy()]


class Derived(Base):
    x: Annotated[int, Touchy()]  # type: ignore[misc]


def test_annotations_that_cannot_be_compared_are_two():
    assert exact(Derived) == record(x=INTEGER)


class Grouped(annotated_types.GroupedMetadata):
    def __iter__(self):
        raise ZeroDivisionError("oops")


def test_metadata_that_raises_is_named():
    with pytest.raises(
        SchemaError, match="reading the metadata in Annotated raised Zero"
    ) as caught:
        type_to_schema(Annotated[int, Grouped()])
    assert type(caught.value.__cause__) is ZeroDivisionError


class Sizes:
    @classmethod
    def __milo_schema__(cls, walk):
        return {"enum": ["s", "m"], "examples": [["s"]]}


def test_a_hook_may_give_lists():
    assert exact(Sizes) == {"enum": ["s", "m"], "examples": [["s"]]}


def test_what_wraps_a_partial_means_the_names_of_its_function():
    def wrapper(*args: Any, **kwargs: Any): ...

    wrapper.__wrapped__ = functools.partial(Service.resize, Service())  # type: ignore[attr-defined]
    schema = function_to_schema(wrapper, strict=True)
    assert list(schema["properties"]) == ["size", "box", "fast"]


def test_a_partial_of_an_unbound_method_leaves_self_out():
    schema = function_to_schema(functools.partial(Service.resize, fast=True))
    assert list(schema["properties"]) == ["size", "box", "fast"]


def test_the_module_runs_as_a_program(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["milo-schema", "no target"])
    monkeypatch.delitem(sys.modules, "milo_schema.__main__", raising=False)
    with pytest.raises(SystemExit) as caught:
        runpy.run_module("milo_schema", run_name="__main__", alter_sys=False)
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("milo-schema: ")


class TextContent(pydantic.BaseModel):
    type: Literal["text"] = "text"
    text: str


def test_content_objects_are_the_content_of_a_result():
    def say() -> Any: ...

    say.__annotations__.pop("return")
    tool = tool_schema(say)
    one = {"type": "text", "text": "hello"}
    assert call_result(tool, TextContent(text="hello"))["content"] == [one]
    assert call_result(tool, [TextContent(text="hello")] * 2)["content"] == [one, one]


# -- patterns, bounds and parameters of others ---------------------------------------------------


class Ids(list[T]): ...


def test_a_subclass_of_a_builtin_generic_takes_arguments():
    assert exact(Ids[int]) == {"type": "array", "items": INTEGER}


def test_a_pattern_is_not_about_the_text_of_bytes():
    with pytest.raises(SchemaError, match="cannot apply to bytes"):
        exact(Annotated[bytes, Pattern("a")])


def test_an_enum_without_members_is_refused():
    for kind in (enum.Enum, enum.IntFlag):
        with pytest.raises(SchemaError, match="has no members"):
            exact(kind)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="PEP 695 came with 3.12")
def test_a_bound_in_quotes_is_of_the_function_that_declares_it():
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


class Documented(pydantic.BaseModel):
    """What the model is."""

    x: int = 1


def test_a_docstring_describes_a_parameter_that_is_a_documented_model():
    def command(model: Documented):
        """Do it.

        Args:
            model: What to do it with.
        """

    schema = function_to_schema(command)
    assert schema["properties"]["model"]["description"] == "What to do it with."


class Same:
    """All are equal."""

    def __eq__(self, other):
        return True

    __hash__ = object.__hash__

    def __call__(self, x: int): ...


def test_a_callable_that_equals_everything_is_itself():
    assert function_to_schema(Same()) == record(x=INTEGER)


def test_a_made_dataclass_has_fields_of_any_type():
    made = dataclasses.make_dataclass("made", ["x", ("y", int)])
    assert exact(made) == record(x={}, y=INTEGER)


@pytest.mark.skipif(
    not hasattr(typing_extensions, "Sentinel"), reason="typing_extensions 4.14 has sentinels"
)
def test_a_sentinel_is_no_value_of_a_union():
    absent = typing_extensions.Sentinel("absent")

    def command(size: Annotated[Union[int, absent], "How big."] = absent): ...  # type: ignore[valid-type]

    assert function_to_schema(command)["properties"] == {
        "size": {"type": "integer", "description": "How big."}
    }


def test_times_without_offset_inside_of_a_default_are_left_out():
    naive = datetime.datetime(2026, 1, 1)  # noqa: DTZ001

    def command(
        a: list[datetime.datetime] = [naive],  # noqa: B006
        b: dict[str, datetime.datetime] = {"x": naive},  # noqa: B006
        c: dict[str, int] = {"x": 1},  # noqa: B006
    ): ...

    properties = function_to_schema(command)["properties"]
    assert [properties[name].get("default") for name in "abc"] == [None, None, {"x": 1}]


@pytest.mark.parametrize(
    "annotation",
    [
        "Union[m.Context, None]",
        "typing.Optional[m.Context]",
        "Annotated[m.Context, 'x']",
        "m.Context[A | B, C] | None",
        "t.Optional['m.Context']",
    ],
)
def test_a_context_in_quotes_is_known_by_its_name(annotation):
    def command(given, size: int): ...

    command.__annotations__["given"] = annotation
    assert function_to_schema(command, strict=True) == record(size=INTEGER)


def test_what_is_no_annotation_is_no_context():
    def command(given: "a b"): ...  # type: ignore[valid-type]  # noqa: F722

    with pytest.warns(SchemaWarning, match="cannot evaluate 'a b'"):
        assert function_to_schema(command) == record(given=STRING)


def test_a_described_parameter_keeps_its_words_where_all_are_described():
    def command(one: int, two: Annotated[int, "Two."]): ...

    properties = function_to_schema(command, profile=profiles.OPENMCP)["properties"]
    assert properties == {
        "one": {**INTEGER, "description": "Parameter one"},
        "two": {**INTEGER, "description": "Two."},
    }


class UnspeakableError(Exception):
    def __str__(self):
        raise ZeroDivisionError

    __repr__ = __str__


class Speechless:
    @classmethod
    def __milo_schema__(cls, walk):
        raise UnspeakableError


def test_an_exception_that_does_not_let_itself_be_shown_is_called_by_its_class():
    def f(x: Speechless): ...

    with pytest.raises(SchemaError) as caught:
        function_to_schema(f)
    assert caught.value.reason == "Speechless.__milo_schema__ raised <UnspeakableError object>"


class Unreadable(list):
    def __iter__(self):
        raise ZeroDivisionError("oops")


@pytest.mark.parametrize("value", [Unreadable([1]), {1: Unreadable([1])}], ids=str)
def test_a_value_that_does_not_let_itself_be_read_has_no_json(value):
    read = "an object of class Unreadable, which raised ZeroDivisionError('oops')"
    shown = type(value).__name__
    with pytest.raises(SchemaError) as caught:
        type_to_schema(alias_of(Literal, (value,)), strict=True)
    assert caught.value.reason == (
        f"no JSON value for {read}, which Literal[<{shown} object>] allows"
    )


HUGE = 10**5_000  # more digits than Python reads and writes


def test_a_number_that_python_does_not_write_is_no_json():
    def f(x: int = HUGE): ...

    assert function_to_schema(f)["properties"] == {"x": INTEGER}
    with pytest.raises(SchemaError) as caught:
        type_to_schema(Literal[HUGE], strict=True)
    assert caught.value.reason == (
        "no JSON value for a whole number of more than 14,000 bits, "
        "which Literal[<int object>] allows"
    )


class Mute:
    def __getattr__(self, name):
        raise ZeroDivisionError


class BasedOnNothing(list):
    __orig_bases__ = (Mute(), Mute())


def test_bases_that_are_no_classes_are_not_asked():
    assert type_to_schema(BasedOnNothing, strict=True) == {"type": "array", "items": {}}


@pytest.mark.parametrize(
    "annotation",
    [
        alias_of(tuple, (alias_of(Unpack, ()),)),
        alias_of("list", (int,)),
    ],
    ids=["an Unpack of nothing", "an origin in quotes"],
)
def test_an_alias_of_no_type_has_no_schema(annotation):
    with pytest.raises(SchemaError, match="no JSON Schema for"):
        type_to_schema(annotation, strict=True)


Nullable = Annotated[str, Schema({"type": ["string", "null"]})]


def test_a_list_of_types_in_a_marker_is_understood():
    def f() -> Nullable: ...

    expected = {"type": ["string", "null"]}
    assert return_to_schema(f, profile=profiles.MCP_2025) == {
        "type": "object",
        "properties": {"result": expected},
        "required": ["result"],
    }
    with pytest.raises(SchemaError, match="no JSON object has keys of type Annotated"):
        type_to_schema(dict[Nullable, int], strict=True)


def test_a_pattern_that_python_only_warns_of_is_no_error_of_ours():
    re.purge()  # it warns once only
    annotation = Annotated[str, Pattern(r"[\w&&\d]")]
    with pytest.raises(SchemaError, match="is no regular expression: Possible set"):
        type_to_schema(annotation, strict=True)  # warnings are errors here


class Linked(pydantic.BaseModel):
    model_config = {"json_schema_extra": {"$ref": "https://example.org/x.json"}}


def test_a_model_does_not_refer_to_the_network():
    with pytest.raises(SchemaError) as caught:
        type_to_schema(Linked)
    assert caught.value.reason == (
        "pydantic's schema of Linked has '$ref', "
        "whose value is no reference into this schema; "
        "write out what it refers to, or let walk.schema() refer to it"
    )


@dataclass
class Left:
    x: int


@dataclass
class Right:
    y: int


def test_an_output_that_is_one_of_several_objects_is_an_object_by_name_for_any_client():
    def f() -> Left | Right: ...

    arms = [
        {"type": "object", "properties": {"x": INTEGER}, "required": ["x"]},
        {"type": "object", "properties": {"y": INTEGER}, "required": ["y"]},
    ]
    assert return_to_schema(f, profile=profiles.PORTABLE) == {"type": "object", "anyOf": arms}
    assert return_to_schema(f, profile=profiles.GEMINI) == {"anyOf": arms}


def test_a_schema_of_pydantic_that_is_none_says_nothing():
    assert type_to_schema(Annotated[int, pydantic.WithJsonSchema(None)], strict=True) == INTEGER


def test_a_schema_of_pydantic_may_be_constrained():
    told = pydantic.WithJsonSchema({"type": "string"})
    for metadata in ((told, pydantic.Field(min_length=1)), (pydantic.Field(min_length=1), told)):
        annotation = alias_of(Annotated, (int, *metadata))
        assert type_to_schema(annotation, strict=True) == {"type": "string", "minLength": 1}


class Deceitful(str):
    __slots__ = ()

    def fail(self, *_args, **_options):
        raise ZeroDivisionError

    expandtabs = strip = splitlines = split = fail


def test_text_of_a_class_of_its_own_is_read_as_text():
    assert parse_docstring(Deceitful("Do it.")).description == "Do it."

    def f(c: int) -> None: ...

    f.__annotations__["c"] = Deceitful("nowhere")
    with pytest.raises(SchemaError, match="no JSON Schema for <Deceitful object>"):
        function_to_schema(f, strict=True)


@pytest.mark.parametrize(
    "marker", [MinLen(3), Ge(3), annotated_types.Ge(3), annotated_types.MinLen(3)]
)
def test_a_bound_that_python_does_not_write_is_no_bound(marker):
    value = "value" if hasattr(marker, "value") else marker.__match_args__[0]
    object.__setattr__(marker, value, HUGE)
    reason = r"is no length|cannot be said in JSON Schema"
    with pytest.raises(SchemaError, match=reason):
        type_to_schema(alias_of(Annotated, (str | int, marker)), strict=True)


class BasedOnAForm(dict):
    __orig_bases__ = (Hashable,)


def test_a_base_without_parameters_has_none():
    assert type_to_schema(BasedOnAForm, strict=True) == {"type": "object"}


class Picky(pydantic.BaseModel):
    default: str = object()  # pydantic warns that it is no JSON; here it is left out
    choice: int | Callable[[int], int] = 3


def test_what_pydantic_warns_of_is_said_with_its_place():
    def f() -> Picky: ...

    reason = "Cannot generate a JsonSchema for core_schema.CallableSchema"
    with pytest.warns(SchemaWarning) as caught:
        schema = return_to_schema(f) or {}
    assert [str(each.message) for each in caught] == [
        f"f() -> : pydantic's schema of Picky: {reason}"
    ]
    assert schema["properties"] == {
        "default": STRING,
        "choice": {"type": "integer", "default": 3},
    }
    with pytest.raises(SchemaError, match=reason):
        return_to_schema(f, strict=True)


class Undocumented: ...


def test_a_class_without_a_docstring_is_not_described_by_that_of_none():
    assert tool_schema(Undocumented).description is None


class Leaving:
    @classmethod
    def __milo_schema__(cls, walk):
        raise SystemExit(3)


def test_what_exits_when_it_is_asked_ends_nobody_else():
    with pytest.raises(SchemaError, match=r"__milo_schema__ raised SystemExit\(3\)"):
        type_to_schema(Leaving)


def test_a_name_without_end_is_shown_in_short():
    def f(x: complex): ...

    f.__name__ = f.__qualname__ = "f" * 5_000
    with pytest.raises(SchemaError) as caught:
        function_to_schema(f, strict=True)
    assert caught.value.path == f"{'f' * 77}...(x)"


class Closed(type):
    def __getattribute__(cls, name):
        raise ZeroDivisionError


def test_a_class_that_shows_nothing_has_no_schema():
    closed = Closed("closed", (), {})
    with pytest.raises(SchemaError, match="no JSON Schema for closed"):
        type_to_schema(closed, strict=True)


def test_markers_of_values_that_are_not_shown_are_equal_to_none_but_themselves():
    one, other = Ge(HUGE), Ge(HUGE + 1)
    assert {one: 1, other: 2}[Ge(HUGE)] == 1
    assert one != other


class Letter(enum.Enum):
    A = "a"


def test_an_enum_with_arguments_is_that_enum():
    assert type_to_schema(alias_of(Letter, (int,)), strict=True) == {
        "type": "string",
        "enum": ["a"],
    }


def test_a_star_before_what_is_not_generic_is_no_array_of_anything():
    with pytest.raises(SchemaError, match="no JSON Schema for"):
        type_to_schema("*alias(int, int)", localns={"alias": alias_of}, strict=True)


class Struct(msgspec.Struct):
    x: "leave()"  # type: ignore[valid-type]


def leave():
    raise SystemExit(3)


def test_an_annotation_of_a_struct_that_exits_ends_nobody_else():
    with pytest.raises(SchemaError, match=r"reading the fields of Struct raised SystemExit\(3\)"):
        type_to_schema(Struct, strict=True)


def test_a_name_that_is_no_text_is_not_shown():
    def fail():
        raise NameError(name=Deceitful("x"))

    with pytest.raises(SchemaError) as caught:
        type_to_schema("fail()", localns={"fail": fail}, strict=True)
    assert caught.value.reason == "cannot evaluate 'fail()': NameError"


@pytest.mark.parametrize("derive", [function_to_schema, return_to_schema, type_to_schema])
def test_the_name_of_a_profile_is_no_profile(derive):
    with pytest.raises(SchemaError) as caught:
        derive(len, profile="MCP")
    assert str(caught.value) == "profile='MCP' is no Profile; pass profiles.MCP or its like"


@pytest.mark.parametrize(
    ("marker", "reason"),
    [
        (Ge, "Ge() cannot be said in JSON Schema; give a finite number"),
        (MinLen, "MinLen() is no length; give a whole number from 0 on"),
        (Schema, "Schema() has an object of class MISSING, which is no JSON value"),
    ],
)
def test_a_marker_that_was_not_called_is_not_passed_over(marker, reason):
    with pytest.raises(SchemaError) as caught:
        type_to_schema(alias_of(Annotated, (str, marker)), strict=True)
    assert caught.value.reason == reason


@pytest.mark.skipif(sys.version_info < (3, 14), reason="such an annotation is evaluated at once")
def test_an_annotation_that_python_cannot_write_down_is_told_of_without_it():
    module = module_from("HUGE = 10**5_000\ndef f(x: nowhere[HUGE]): ...")
    with pytest.raises(SchemaError) as caught:
        function_to_schema(module.f, strict=True)
    assert caught.value.path == "f(x)"
    assert caught.value.reason.startswith("cannot evaluate '<ForwardRef object>': ValueError: ")


BOOLEANS = {
    "anyOf": [True, {"type": "string"}],
    "oneOf": [False],
    "properties": {"a": True, "b": {"items": False}},
    "additionalProperties": False,
    "unevaluatedProperties": True,
    "not": False,
    "default": {"anyOf": [True]},
}
OBJECTS = {
    "anyOf": [{}, {"type": "string"}],
    "oneOf": [{"not": {}}],
    "properties": {"a": {}, "b": {"items": False}},
    "additionalProperties": False,
    "unevaluatedProperties": True,
    "not": False,
    "default": {"anyOf": [True]},
}


@dataclass
class Point:
    x: int


class Booleans:
    @classmethod
    def __milo_schema__(cls, walk):
        return {**BOOLEANS, "contains": walk.schema(Point)}


def test_a_boolean_schema_in_a_list_or_map_of_somebodys_own_is_written_as_an_object():
    """JSON Schema Core, section 4.3.2: ``true`` is ``{}``, ``false`` is ``{"not": {}}``."""
    point = type_to_schema(Point)
    assert type_to_schema(Booleans) == {**OBJECTS, "contains": point}
    assert type_to_schema(Annotated[Any, Schema(BOOLEANS)]) == OBJECTS
    shop = profiles.MILO.with_types({complex: BOOLEANS})
    assert type_to_schema(complex, profile=shop) == OBJECTS
    assert type_to_schema(complex | None, profile=shop) == {"anyOf": [OBJECTS, {"type": "null"}]}


def untyped(a) -> complex: ...


@pytest.mark.parametrize(
    ("field", "derive", "path"),
    [
        ("unknown", lambda profile: type_to_schema(complex, profile=profile), "complex"),
        ("untyped", lambda profile: function_to_schema(untyped, profile=profile), "untyped(a)"),
        ("box", lambda profile: return_to_schema(untyped, profile=profile), "untyped() -> "),
    ],
)
@pytest.mark.filterwarnings("ignore::milo_schema.SchemaWarning")
def test_the_keywords_of_a_profile_are_held_to_the_meta_schema(field, derive, path):
    nested = {"anyOf": [{"type": "string"}, {"type": "number"}]}
    profile = profiles.MILO.replace(**{field: nested})
    first, second = derive(profile), derive(profile)
    assert first == second
    for keywords, why in (
        ({"type": "text"}, "it has 'type', whose value is no type of JSON's, nor a list of them"),
        ({"default": object()}, "it has an object of class object, which is not JSON"),
    ):
        with pytest.raises(SchemaError) as caught:
            derive(profiles.MILO.replace(**{field: keywords}))
        assert caught.value.reason == f"the profile's {field!r} is no schema: {why}"
        assert caught.value.path == path
    arms = [schema.get("properties", {}).get("a", schema)["anyOf"] for schema in (first, second)]
    arms[0][0].clear()
    assert arms[1] == nested["anyOf"]


def test_what_is_excluded_is_a_collection():
    reason = (
        "exclude= is no collection of names and types: TypeError(\"'int' object is not iterable\")"
    )
    with pytest.raises(SchemaError) as caught:
        function_to_schema(untyped, exclude=5)  # type: ignore[arg-type]
    assert caught.value.reason == reason


class Wide(TypedDict):
    numbers: tuple[(int,) * 40]  # type: ignore[valid-type]
    name: str


class Wider(Wide, total=False):
    kind: Literal["a"]
    old: list[str] | None


def test_a_typed_dict_has_the_keys_of_its_bases_however_large_they_are():
    numbers = exact(tuple[(int,) * 40])  # type: ignore[misc]
    assert exact(Wider) == {
        "type": "object",
        "properties": {
            "numbers": numbers,
            "name": STRING,
            "kind": {"type": "string", "enum": ["a"]},
            "old": {"anyOf": [{"type": "array", "items": STRING}, {"type": "null"}]},
        },
        "required": ["numbers", "name"],
    }


ROUND = "ROUND"
THERE = "BACK"
BACK = "THERE"


@pytest.mark.parametrize("annotation", ["ROUND", "THERE"])
def test_a_string_that_stands_for_itself_is_an_error(annotation):
    def take(x) -> None: ...

    take.__annotations__ = {"x": annotation, "return": annotation}
    reason = f"cannot evaluate {annotation!r}: it stands for one string after another"
    with pytest.raises(SchemaError) as caught:
        function_to_schema(take, strict=True)
    assert (caught.value.path, caught.value.reason) == ("take(x)", reason)
    with pytest.raises(SchemaError) as caught:
        return_to_schema(take, strict=True)
    assert (caught.value.path, caught.value.reason) == ("take() -> ", reason)


def test_a_string_for_a_string_is_read_to_the_end():
    def take(x: "'list[int]'") -> None: ...

    assert function_to_schema(take)["properties"] == {"x": {"type": "array", "items": INTEGER}}


class Loops:
    def first(self, x: int): ...

    first.__wrapped__ = first  # type: ignore[attr-defined]

    def second(self, y: int): ...


class WrapsItself:
    def __init__(self):
        self.__wrapped__ = self

    def __call__(self, x: int): ...


class RefusesToBeUnwrapped:
    @property
    def __wrapped__(self):
        raise KeyError("mine")

    def __call__(self, x: int): ...


def partial_of_itself():
    made = functools.partial(len)
    made.__setstate__((made, (), {}, {}))  # type: ignore[attr-defined]
    return made


def test_a_method_beside_one_that_wraps_itself_is_read():
    assert function_to_schema(Loops.second)["properties"] == {"y": INTEGER}


@pytest.mark.parametrize(
    ("func", "path", "reason"),
    [
        (Loops.first, "Loops.first", "it has no signature: wrapper loop"),
        (WrapsItself(), "WrapsItself", "it has no signature: wrapper loop"),
        (types.MethodType(WrapsItself(), 1), "WrapsItself", "it has no signature: wrapper loop"),
        (RefusesToBeUnwrapped(), "RefusesToBeUnwrapped", "reading it raised KeyError('mine')"),
        (partial_of_itself(), "partial", "reading it raised RecursionError"),
    ],
)
@pytest.mark.parametrize("derive", [function_to_schema, return_to_schema, tool_schema])
def test_what_wraps_itself_is_an_error_that_names_it(derive, func, path, reason):
    with pytest.raises(SchemaError) as caught:
        derive(func)
    assert caught.value.path == path
    assert caught.value.reason.startswith(reason)


def test_a_method_may_be_made_of_anything_that_can_be_called():
    def scale(factor: int, name: str): ...

    method = types.MethodType(functools.partial(scale), 3)
    assert function_to_schema(method)["properties"] == {"name": STRING}
    assert tool_schema(method, description="Scale.").name == "scale"


def test_what_wraps_itself_has_no_line_of_its_own():
    assert targets.location(targets.Found("x", __name__, WrapsItself())) == (__file__, None)


# -- None behind other names -----------------------------------------------------------------------


class Readable(TypedDict):
    x: typing_extensions.ReadOnly[int | None]


@dataclass
class Given:
    x: dataclasses.InitVar[int | None]


Perhaps = NewType("Perhaps", Optional[int])  # type: ignore[valid-newtype]


def test_a_parameter_is_unwrapped_behind_whatever_stands_for_it():
    def take(
        a: Perhaps, b: Annotated[Perhaps, "A note."], c: Readable, **more: Unpack[Readable]
    ): ...

    assert function_to_schema(take)["properties"] == {
        "a": INTEGER,
        "b": {"type": "integer", "description": "A note."},
        "c": {"type": "object", "properties": {"x": INTEGER}, "required": ["x"]},
        "x": INTEGER,
    }
    assert function_to_schema(Given)["properties"] == {"x": INTEGER}


def test_what_a_profile_says_of_a_type_is_asked_before_it_is_unwrapped():
    maybe = typing_extensions.TypeAliasType("maybe", Optional[T], type_params=(T,))  # type: ignore[misc]
    profile = profiles.MILO.with_types({Perhaps: {"const": 5}, maybe[int]: {"const": 6}})

    def take(a: Perhaps, b: maybe[int], c: maybe[str]): ...  # type: ignore[valid-type]

    assert function_to_schema(take, profile=profile)["properties"] == {
        "a": {"const": 5},
        "b": {"const": 6},
        "c": STRING,
    }


# -- what grows ------------------------------------------------------------------------------------


def test_what_an_alias_is_copied_for_counts():
    tp: Any = str
    for i in range(30):
        arms = [Annotated[tp, Pattern(f"{letter}{i}")] for letter in "ab"]
        tp = typing_extensions.TypeAliasType(f"Alias{i}", Union[tuple(arms)])  # type: ignore[misc]
    with pytest.raises(SchemaError, match="more than 50,000 subschemas, the profile's max_subsch"):
        type_to_schema(tp)


def test_a_typed_dict_that_inherits_by_two_ways_reads_each_base_once():
    lines = ["class L0(TypedDict):", "    '''L.", "", "    Attributes:", "        a: An a.'''"]
    lines += ["    a: 'int'", "class R0(TypedDict):", "    b: 'int'"]
    for i in range(12):
        lines += [f"class {side}{i + 1}(L{i}, R{i}): pass" for side in "LR"]
    module = module_from("\n".join(["from typing_extensions import TypedDict", *lines]))
    assert exact(module.L12) == {
        "type": "object",
        "properties": {"a": {"type": "integer", "description": "An a."}, "b": INTEGER},
        "required": ["a", "b"],
    }


NULLS = "from typing_extensions import TypedDict\nclass Nulls(TypedDict, extra_items=None): a: int"
needs_extra_items = pytest.mark.skipif(
    not hasattr(typing_extensions, "NoExtraItems"), reason="typing_extensions 4.13"
)


@needs_extra_items
def test_further_keys_may_be_null():
    assert exact(module_from(NULLS).Nulls) == {
        "type": "object",
        "properties": {"a": INTEGER},
        "required": ["a"],
        "additionalProperties": {"type": "null"},
    }


@needs_extra_items
def test_none_says_nothing_of_further_keys_where_nothing_else_could(monkeypatch):
    nulls = module_from(NULLS).Nulls
    for module in (typing, typing_extensions):  # typing_extensions up to 4.12
        monkeypatch.delattr(module, "NoExtraItems", raising=False)
    assert "additionalProperties" not in exact(nulls)


LAZY = """
from milo_schema import function_to_schema
type Age = int
def take[T](age: Age, x: T): ...
print(function_to_schema(take))
"""


@pytest.mark.skipif(sys.version_info < (3, 15), reason="PEP 810")
def test_forms_are_recognised_where_all_imports_are_lazy():
    schema = {"type": "object", "properties": {"age": INTEGER, "x": {}}, "required": ["age", "x"]}
    command = [sys.executable, "-X", "lazy_imports=all", "-W", "error", "-c", LAZY]
    assert subprocess.check_output(command, text=True).strip() == str(schema)


# -- what is said of callables ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("func", "description"),
    [
        (len, "Return the number of items in a container."),
        (functools.partial(len), "Return the number of items in a container."),
        ("".join, "".join.__doc__),
        (type("Silent", (), {"__call__": lambda self, x: x})(), None),
        pytest.param(
            operator.attrgetter("a"),
            None,
            marks=pytest.mark.skipif(sys.version_info < (3, 13), reason="it has no signature"),
        ),
        (attrs.make_class("Made", {"x": attrs.field(type=int)}), None),
    ],
)
def test_a_description_is_one_that_somebody_wrote(func, description):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SchemaWarning)
        assert tool_schema(func, name="tool", profile=profiles.MCP).description == description


def test_a_method_of_a_partial_has_the_docstring_of_its_function():
    def scale(factor: int, name: str):
        """Scale it.

        Args:
            name: What is scaled.
        """

    tool = tool_schema(types.MethodType(functools.partial(scale), 3))
    assert tool.description == "Scale it."
    assert tool.input_schema["properties"] == {
        "name": {"type": "string", "description": "What is scaled."}
    }


@typing_extensions.deprecated("Use another.", category=None)
class Outdated:
    def __init__(self, x: "Outdated | None", y: int = 0):
        """Make one.

        Args:
            y: A number.
        """


def test_a_deprecated_class_takes_what_its_init_takes():
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
def test_a_subclass_of_a_deprecated_class_takes_the_same():
    assert function_to_schema(StillOutdated) == function_to_schema(Outdated)


Loop = typing_extensions.TypeAliasType("Loop", "Loop")  # type: ignore[misc]


def test_an_alias_of_itself_is_told_as_a_parameter_too():
    def take(x: Loop) -> None: ...

    with pytest.raises(SchemaError, match="stands for itself; put a container between the two"):
        function_to_schema(take)


# -- fields of others ------------------------------------------------------------------------------


@dataclass
class Told:
    """A class.

    Attributes:
        b: A b.
    """

    a: int = pydantic.Field(ge=1, description="An a.")
    b: int = pydantic.Field(3, le=9)
    c: list[int] = pydantic.Field(default_factory=list)  # noqa: RUF009 - what pydantic takes


def test_pydantics_field_is_read_in_a_dataclass():
    assert exact(Told) == {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "minimum": 1, "description": "An a."},
            "b": {"type": "integer", "maximum": 9, "description": "A b.", "default": 3},
            "c": {"type": "array", "items": INTEGER},
        },
        "required": ["a"],
        "description": "A class.",
    }


class First(msgspec.Struct, array_like=True):
    x: int = 0


class Second(First, kw_only=True, array_like=True):
    y: int


def test_an_array_reaches_to_the_last_field_that_is_required():
    assert exact(Second)["minItems"] == 2
    assert msgspec.json.decode(b"[5, 6]", type=Second) == Second(5, y=6)  # type: ignore[call-arg]
    with pytest.raises(msgspec.ValidationError, match="at least length 2"):
        msgspec.json.decode(b"[5]", type=Second)


@pytest.mark.skipif(sys.version_info < (3, 15), reason="PEP 810")
def test_a_lazy_import_is_loaded_by_the_string_that_names_it():
    module = module_from("lazy from decimal import Decimal\ndef take(x: 'Decimal'): ...\n")
    assert function_to_schema(module.take)["properties"]["x"] == exact(decimal.Decimal)
