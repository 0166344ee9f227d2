"""Types with hooks for pydantic are described by pydantic, wherever they occur.

The judge is pydantic: our schema of an annotation equals that of its own ``TypeAdapter``, but
for titles that it makes up and for where it keeps definitions.
"""

import datetime
import enum
import importlib
import inspect
import ipaddress
import pkgutil
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, NewType, Optional, TypeVar, Union

import pydantic
import pytest
from pydantic.json_schema import Examples, SkipJsonSchema
from pydantic_core import core_schema
from typing_extensions import TypeAliasType, TypedDict

from milo_schema import (
    Ge,
    SchemaError,
    SchemaWarning,
    Toolbox,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, bind
from milo_schema.results import return_to_json, value_to_json
from tests import judges
from tests.fragments import INTEGER, NULL, STRING, Json, any_of, array_of, exact, obj, record
from tests.libraries.test_pydantic import Odd, Refusing
from tests.modules import module_from

T = TypeVar("T")
PARAMETERS: Any = (T,)  # mypy knows no TypeVar but that of typing_extensions
MCP = profiles.MCP
OPEN = MCP.replace(closed="nothing")


# -- types with hooks for pydantic -------------------------------------------------------------


@dataclass
class Celsius:
    """A plain dataclass with a hook: a number in JSON."""

    degrees: float

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any:
        written = core_schema.plain_serializer_function_ser_schema(
            lambda value: value.degrees, return_schema=core_schema.float_schema()
        )
        inner = core_schema.float_schema()
        return core_schema.no_info_after_validator_function(cls, inner, serialization=written)


class Code(str):  # noqa: SLOT000
    """A subclass of ``str`` that is a number to pydantic."""

    __get_pydantic_core_schema__ = classmethod(lambda cls, source, handler: handler(int))


class Level(enum.Enum):
    """An Enum with a part of its own JSON Schema."""

    LOW = 1

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        return {**handler(schema), "x-level": True}


class Box(Generic[T]):
    """A generic class with a hook that reads its argument."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return core_schema.list_schema(handler.generate_schema(source.__args__[0]))


def text_or_number(value: Any) -> int:
    return int(value)


def of_any(value: Any) -> Any:
    return value


def with_unit(schema: Json) -> None:
    schema["x-unit"] = "ohm"


TYPES: dict[str, Any] = {
    "Celsius": Celsius,
    "Code": Code,
    "Level": Level,
    "Box[int]": Box[int],
    "AnyUrl": pydantic.AnyUrl,
    "HttpUrl": pydantic.HttpUrl,
    "PostgresDsn": pydantic.PostgresDsn,
    "SecretStr": pydantic.SecretStr,
    "Secret[int]": pydantic.Secret[int],
    "AwareDatetime": pydantic.AwareDatetime,
    "NaiveDatetime": pydantic.NaiveDatetime,
    "PastDate": pydantic.PastDate,
    "FutureDatetime": pydantic.FutureDatetime,
    "ImportString": pydantic.ImportString,
    "IPvAnyAddress": pydantic.IPvAnyAddress,
    "ByteSize": pydantic.ByteSize,
    "Json": pydantic.Json,
    "Json[list[int]]": pydantic.Json[list[int]],
    "FilePath": pydantic.FilePath,
    "UUID4": pydantic.UUID4,
    "Base64Bytes": pydantic.Base64Bytes,
    "constrained url": Annotated[pydantic.AnyUrl, pydantic.UrlConstraints(max_length=99)],
    "InstanceOf[int]": pydantic.InstanceOf[int],
    "SerializeAsAny[int]": pydantic.SerializeAsAny[int],
    "SkipValidation[int]": pydantic.SkipValidation[int],
    "PlainValidator": Annotated[int, pydantic.PlainValidator(text_or_number)],
    "PlainValidator of str": Annotated[int, pydantic.PlainValidator(text_or_number,
            json_schema_input_type=str)],
    "BeforeValidator": Annotated[int, pydantic.BeforeValidator(text_or_number)],
    "BeforeValidator of int | str": Annotated[int,
          pydantic.BeforeValidator(text_or_number, json_schema_input_type=Union[int, str])],
    "AfterValidator": Annotated[int, pydantic.AfterValidator(text_or_number)],
    "WrapValidator": Annotated[int, pydantic.WrapValidator(lambda value, inner: inner(value))],
    "PlainSerializer": Annotated[datetime.datetime,
          pydantic.PlainSerializer(lambda day: day.timestamp(), return_type=float)],
    "PlainSerializer of anything": Annotated[int, pydantic.PlainSerializer(of_any)],
    "PlainSerializer beside a limit": Annotated[int, pydantic.Field(ge=2),
          pydantic.PlainSerializer(lambda value: value / 4, return_type=float)],
    "WrapSerializer": Annotated[int, pydantic.WrapSerializer(lambda value, inner: str(inner(value)),
            return_type=str)],
    "GetPydanticSchema": Annotated[int, pydantic.GetPydanticSchema(lambda _, get: get(str))],
    "WithJsonSchema": Annotated[int, pydantic.WithJsonSchema({"type": "boolean"})],
    "WithJsonSchema of outputs": Annotated[int,
          pydantic.WithJsonSchema({"type": "boolean"}, mode="serialization")],
    "Examples": Annotated[int, Examples([1, 2])],
    "json_schema_extra": Annotated[int, pydantic.Field(ge=1, json_schema_extra=with_unit)],
    "Field around a hook": Annotated[int, pydantic.Field(ge=1, description="How many."),
          pydantic.PlainValidator(text_or_number, json_schema_input_type=str)],
    "Field around a url": Annotated[pydantic.HttpUrl, pydantic.Field(title="Page")],
    "hook beside a hook": Annotated[pydantic.Json[int],
          pydantic.BeforeValidator(of_any, json_schema_input_type=bytes)],
    "SkipJsonSchema": Union[int, SkipJsonSchema[None]],
    "SkipJsonSchema of arguments": Union[int, SkipJsonSchema[list[str]]],
}  # fmt: skip


# -- the places where it may stand -------------------------------------------------------------


def in_dataclass(tp: Any) -> Any:
    @dataclass
    class Record:
        x: tp
        y: list[tp] = field(default_factory=list)

    return Record


def in_typed_dict(tp: Any) -> Any:
    class Record(TypedDict, total=False):
        x: tp
        y: list[tp]

    return Record


def in_model(tp: Any) -> Any:
    class Record(pydantic.BaseModel):
        x: tp
        y: list[tp] = []

    return Record


PLACES: dict[str, Callable[[Any], Any]] = {
    "itself": lambda tp: tp,
    "list": lambda tp: list[tp],
    "dict": lambda tp: dict[str, list[tp]],
    "tuple": lambda tp: tuple[tp, int],
    "X | None": lambda tp: Optional[tp],
    "union": lambda tp: Union[bool, dict[str, tp], tp],
    "Annotated": lambda tp: Annotated[tp, "What it is."],
    "NewType": lambda tp: NewType("New", tp),
    "alias": lambda tp: TypeAliasType("Alias", tp),
    "alias with an argument": lambda tp: TypeAliasType("Alias", list[T], type_params=PARAMETERS)[
        tp
    ],
    "dataclass": in_dataclass,
    "TypedDict": in_typed_dict,
    "model": in_model,
}


def canonical(schema: Any, definitions: Mapping[str, Json] | None = None) -> Any:
    """A schema without titles and texts, in which every reference is written out."""
    if isinstance(schema, list):
        return [canonical(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    definitions = schema.get("$defs", definitions)
    if "$ref" in schema and definitions is not None:
        name = schema["$ref"].removeprefix("#/$defs/")
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return canonical({**definitions[name], **rest}, definitions)
    said = {
        key: canonical(value, definitions)
        for key, value in schema.items()
        if key not in {"title", "description", "$defs"} or not isinstance(value, (str, dict))
    }
    if {} in said.get("anyOf", ()):  # one member accepts everything
        del said["anyOf"]
    return said


FORMATS = MCP.replace(output_formats="all")  # as pydantic has them


def differences(annotation: Any) -> list[Any]:
    """Where pydantic describes a type differently: our schema, and its schema."""

    def given() -> annotation: ...

    adapter: Any = pydantic.TypeAdapter(annotation)
    taken, returned = (adapter.json_schema(mode=mode) for mode in ("validation", "serialization"))
    found = []
    for strict in (True, False):
        pairs = (
            (type_to_schema(annotation, profile=MCP, strict=strict), taken),
            (return_to_schema(given, profile=FORMATS, strict=strict), returned),
        )
        found += [each for each in pairs if canonical(each[0]) != canonical(each[1])]
    return found


@pytest.mark.parametrize("place", PLACES)
def test_types_with_pydantic_hooks_have_the_schema_of_pydantic(place):
    found = {name: differences(PLACES[place](tp)) for name, tp in TYPES.items()}
    assert {name: each for name, each in found.items() if each} == {}


class Chain(pydantic.BaseModel):
    x: Annotated[int, pydantic.WithJsonSchema({"anyOf": [True, {"type": "string"}]})]
    rest: list["Chain"] = []


def test_a_boolean_subschema_in_a_definition_is_written_as_an_object():
    definition = type_to_schema(Chain, profile=MCP)["$defs"]["Chain"]
    assert definition["properties"]["x"] == {"anyOf": [{}, {"type": "string"}]}


class ByAlias(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(serialize_by_alias=True)

    a: int = pydantic.Field(alias="A")


class Around(pydantic.BaseModel):
    inner: ByAlias
    b: int = pydantic.Field(alias="B")

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> Any:
        return handler(core)


def test_each_model_decides_about_its_own_aliases():
    def give() -> Around: ...

    profile = MCP.replace(aliases="inputs")
    assert return_to_schema(give, profile=profile) == record(inner=record(A=INTEGER), b=INTEGER)
    value = Around(inner=ByAlias(A=1), B=2)
    assert return_to_json(give, value, profile=profile) == {"inner": {"A": 1}, "b": 2}


Amount = NewType("Amount", int)


def test_a_new_type_with_a_hook_is_not_a_union_with_none():
    def pay(amount: Annotated[Amount, pydantic.AfterValidator(abs)] = None): ...  # type: ignore[assignment]

    assert function_to_schema(pay)["properties"] == {"amount": {"type": "integer", "default": None}}


def test_a_name_in_a_union_with_a_hook_is_that_where_its_alias_is_written():
    module = module_from("""
        from typing import Annotated, Optional, Union
        from milo_schema import Ge
        from typing_extensions import TypeAliasType
        Local = int
        Maybe = TypeAliasType("Maybe", Optional["Local"])
        Least = TypeAliasType("Least", Annotated[Optional["Local"], Ge(1)])
        Either = TypeAliasType("Either", Union["Local", str])
    """)
    hook = pydantic.AfterValidator(lambda value: value)

    def take(
        a: Annotated[module.Maybe, hook],
        b: Annotated[module.Either, hook],
        c: Annotated[module.Least, hook],
    ): ...

    found = function_to_schema(take, profile=profiles.MILO, strict=True)["properties"]
    assert found == {"a": INTEGER, "b": any_of(INTEGER, STRING), "c": INTEGER | {"minimum": 1}}


def test_the_parameters_of_a_function_have_the_schemas_of_pydantic():
    for tp in TYPES.values():

        def given(x: tp, y: list[tp], z: Optional[tp] = None): ...

        adapter: Any = pydantic.TypeAdapter(given)  # type: ignore[arg-type]
        ours = function_to_schema(given, strict=True, profile=MCP)
        assert canonical(ours) == canonical(adapter.json_schema())


@dataclass
class Item:
    """Something to buy.

    Attributes:
        price: In cents.
    """

    price: Annotated[int, Ge(0)]


ITEM = record(price={"type": "integer", "minimum": 0, "description": "In cents."})
ITEM["description"] = "Something to buy."


@pytest.mark.parametrize(
    ("hooks", "expected"),
    [
        ((pydantic.AfterValidator(of_any),), ITEM),
        ((pydantic.BeforeValidator(of_any), Ge(1)), None),
        ((pydantic.Field(description="Bought."), pydantic.WrapValidator(lambda v, f: f(v))),
         ITEM | {"description": "Bought."}),
        ((pydantic.Field(json_schema_extra=with_unit),), ITEM | {"x-unit": "ohm"}),
        ((pydantic.Json(),),
         {"type": "string", "contentMediaType": "application/json", "contentSchema": ITEM}),
    ],
    ids=["after", "constrained", "described", "extra", "nested"],
)  # fmt: skip
def test_a_type_that_metadata_leave_alone_keeps_our_schema(hooks, expected):
    """Its documentation, and markers of ours, which pydantic does not know."""
    if expected is None:
        with pytest.raises(
            SchemaError, match=r"^.*: Ge\(1\) cannot apply to Item; it is for int, float$"
        ):
            exact(Annotated[(Item, *hooks)])
    else:
        assert exact(Annotated[(Item, *hooks)]) == expected


def test_hooks_of_metadata_given_as_a_class_are_used():
    assert exact(list[pydantic.OnErrorOmit[Item]]) == array_of(ITEM)


def test_our_constraints_are_added_to_schemas_of_pydantic():
    takes_text = pydantic.PlainValidator(text_or_number, json_schema_input_type=Union[int, str])
    assert exact(Annotated[int, takes_text, Ge(1)]) == {
        "anyOf": [{"type": "integer", "minimum": 1}, STRING]
    }


class Ours:
    """pydantic knows nothing of it."""

    @classmethod
    def __milo_schema__(cls, walk: Any) -> Json:
        return {"type": "string", "pattern": "^ours$"}


def test_a_type_that_pydantic_does_not_know_may_have_its_metadata():
    text = {"type": "string", "pattern": "^ours$"}
    assert exact(Annotated[list[Ours], pydantic.Json()]) == {
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": array_of(text),
    }


def test_arguments_of_a_class_with_hooks_are_resolved_in_their_scope():
    @dataclass
    class Holder(Generic[T]):
        x: Box[T]
        y: "Box[Code]"
        z: "Annotated[bytes, pydantic.Base64Encoder, pydantic.EncodedBytes(pydantic.Base64Encoder)]"

    assert exact(Holder[Optional[int]]) == record(
        x=array_of({"anyOf": [INTEGER, NULL]}),
        y=array_of(INTEGER),
        z={"type": "string", "format": "base64"},
    )


NO_KEY = "KeyError: '#/no'"
TO_LEAVE = "it asks to be left out, but a schema is required here"


class Unsure:
    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        raise ZeroDivisionError("oops")


class Doubled:
    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return core_schema.no_info_plain_validator_function(lambda value: [value, value])


class Absent:
    """A sentinel, of which pydantic only knows the instance."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return core_schema.is_instance_schema(cls)


class Described(Absent):
    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        return {"type": "string"}


ABSENT = Absent()


def test_a_class_that_pydantic_knows_by_its_instances_is_left_out_of_a_union():
    def function(a: int | Absent = ABSENT, b: int | Described = 1, *, c: list[int | Absent]): ...

    why = f"pydantic has no JSON Schema for Absent: core_schema.IsInstanceSchema ({Absent})"
    with pytest.warns(SchemaWarning) as warned:
        schema = function_to_schema(function, profile=MCP)
    assert [(each.message.path, each.message.message) for each in warned] == [
        ("function(c)[]", why)
    ]
    b = any_of(INTEGER, STRING) | {"default": 1}
    assert schema["properties"] == {"a": INTEGER, "b": b, "c": array_of(INTEGER)}
    with pytest.raises(ArgumentsError, match='expected an integer, got "x"'):
        bind(function, {"c": ["x"]}, profile=MCP)
    assert bind(function, {"c": [1]}, profile=MCP).kwargs == {"c": [1]}


def test_a_type_without_a_schema_in_pydantic_is_still_read_by_it():
    def function(x: Doubled): ...

    assert bind(function, {"x": {"y": 1}}, profile=MCP).arguments == {"x": [{"y": 1}, {"y": 1}]}


class Linked(pydantic.BaseModel, Generic[T]):
    x: T
    next: "Linked[T] | None" = None


class Linking:
    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return handler.generate_schema(Linked[source])


LINKING = Linking()
Keyed = TypeAliasType("Keyed", "Annotated[dict[Keyed, int], LINKING]")


def test_a_definition_of_hooks_may_be_looked_at_while_it_is_written():
    """The keys of the dict are of the type that the definition is part of."""
    with pytest.warns(SchemaWarning, match="cannot have keys of type Keyed; use str"):
        schema = type_to_schema(Annotated[dict[Keyed, int], LINKING], profile=MCP)
    name = "Linked_StandIn_"
    fields = {
        "x": {"type": "object", "additionalProperties": INTEGER},
        "next": {**any_of({"$ref": f"#/$defs/{name}"}, NULL), "default": None},
    }
    linked = {"type": "object", "properties": fields, "required": ["x"]}
    assert schema == {**linked, "$defs": {name: linked}}


def test_a_definition_of_hooks_is_that_of_the_type_that_each_tool_annotates():
    def first(x: Annotated[int, LINKING]): ...

    def second(x: Annotated[str, LINKING]): ...

    tools = Toolbox([first, second]).to_mcp()
    assert tools == [tool_schema(each).to_mcp() for each in (first, second)]


@pytest.mark.parametrize(
    ("tp", "why"),
    [
        (Unsure, "pydantic has no JSON Schema for Unsure: oops"),
        (Annotated[int, Unsure], "pydantic has no JSON Schema for Annotated[int, Unsure]: oops"),
        (
            list[SkipJsonSchema[int]],
            f"pydantic has no JSON Schema for Annotated[int, <SkipJsonSchema object>]: {TO_LEAVE}",
        ),
        (
            Annotated[int, pydantic.WithJsonSchema({"$ref": "#/no"})],
            f"pydantic has no JSON Schema for Annotated[int, <WithJsonSchema object>]: {NO_KEY}",
        ),
    ],
    ids=["class", "metadata", "SkipJsonSchema", "a reference to nothing"],
)
def test_a_type_without_a_schema_in_pydantic_affects_only_its_part(tp, why):
    def function(x: dict[str, tp], y: int): ...

    with pytest.raises(SchemaError) as caught:
        function_to_schema(function, strict=True, profile=MCP)
    assert caught.value.message == why
    with pytest.warns(SchemaWarning) as warned:
        schema = function_to_schema(function, profile=MCP)
    assert [each.message.message for each in warned] == [why]
    assert schema["properties"]["y"] == INTEGER
    assert schema["properties"]["x"]["type"] == "object"


# -- omitted types -----------------------------------------------------------------------------

LEFT_OUT = [SkipJsonSchema[int], Annotated[int, pydantic.WithJsonSchema(None)]]


@pytest.mark.parametrize("tp", LEFT_OUT, ids=["SkipJsonSchema", "WithJsonSchema(None)"])
def test_types_that_pydantic_omits_are_left_out(tp):
    def function(name: str, x: tp = 3, *, y: Union[tp, None] = None): ...

    @dataclass
    class Record:
        name: str
        x: tp = 3

    class Keys(TypedDict):
        name: str
        x: tp

    named = record(name=STRING)
    assert exact(Record) == exact(Keys) == named
    assert function_to_schema(function, strict=True, profile=OPEN) == obj(
        ["name"], name=STRING, y=NULL | {"default": None}
    )
    for each in (Record, Keys):
        assert canonical(pydantic.TypeAdapter(each).json_schema()) == named
    bound = bind(function, {"name": "a"}, inject={"x": 4}, profile=OPEN)
    assert bound.arguments == {"name": "a", "x": 4}


# -- values ------------------------------------------------------------------------------------

DAY = datetime.datetime(2026, 7, 28, tzinfo=datetime.UTC)
VALUES = [
    (pydantic.AnyUrl, pydantic.AnyUrl("https://a.example"), "https://a.example/"),
    (pydantic.PostgresDsn, pydantic.PostgresDsn("postgres://u@h/d"), "postgres://u@h/d"),
    (pydantic.SecretStr, pydantic.SecretStr("x"), "**********"),
    (pydantic.AwareDatetime, DAY, "2026-07-28T00:00:00Z"),
    (pydantic.IPvAnyAddress, ipaddress.ip_address("::1"), "::1"),
    (pydantic.ByteSize, pydantic.ByteSize(3), 3),
    (pydantic.Json[list[int]], [1], [1]),
    (TYPES["PlainSerializer"], DAY, DAY.timestamp()),
    (TYPES["WrapSerializer"], 3, "3"),
    (TYPES["AfterValidator"], 3, 3),
    (TYPES["constrained url"], pydantic.AnyUrl("https://a.example"), "https://a.example/"),
    (Celsius, Celsius(1.5), 1.5),
    (Level, Level.LOW, 1),
    (Annotated[Item, pydantic.AfterValidator(of_any)], Item(3), {"price": 3}),
]


@pytest.mark.parametrize(
    "place",
    [
        lambda tp: (tp, lambda value: value),
        lambda tp: (dict[str, list[tp]], lambda value: {"x": [value]}),
        lambda tp: (Optional[tp], lambda value: value),
        lambda tp: (NewType("New", tp), lambda value: value),
    ],
    ids=["itself", "containers", "X | None", "NewType"],
)
def test_a_value_is_written_as_pydantic_writes_it(place):
    for tp, value, expected in VALUES:
        annotation, around = place(tp)

        def give() -> annotation: ...

        assert return_to_json(give, around(value), profile=MCP) == around(expected), tp
        assert value_to_json(around(value), annotation) == around(expected), tp


def test_a_value_without_annotation_is_written_as_pydantic_writes_it():
    urls = {"a": [pydantic.AnyUrl("https://a.example"), pydantic.ByteSize(3), Celsius(1.5)]}
    assert value_to_json(urls, Any) == {"a": ["https://a.example/", 3, 1.5]}


def test_a_value_that_pydantic_cannot_write_is_an_error_with_its_path():
    with pytest.raises(SchemaError, match=r"^list\[AnyUrl\]\[1\]: pydantic cannot write it: "):
        value_to_json([pydantic.AnyUrl("https://a.example"), "b"], list[pydantic.AnyUrl])


# -- a schema that cannot be used --------------------------------------------------------------


@pydantic.dataclasses.dataclass
class Inner:
    good: int
    never: Callable[[int], int] = text_or_number


class Partly(pydantic.BaseModel):
    name: str
    either: Union[Callable[[int], int], Callable[[str], str]] = print
    odd: Odd
    raising: Refusing | None = pydantic.Field(None, alias="it raises")
    bad: int = pydantic.Field(3, json_schema_extra={"pattern": 1})
    elsewhere: str = pydantic.Field("", json_schema_extra={"$ref": "#/components/Text"})
    many: list[Inner] = []
    inner: Inner


class HasOdd(pydantic.BaseModel):
    name: str
    odd: Odd


def test_a_definition_that_cannot_be_used_affects_only_its_field():
    def function(model: HasOdd) -> HasOdd: ...

    expected = obj(["name", "odd"], name=STRING, odd={})
    why = "pydantic's schema of Odd: it contains the number nan"
    with pytest.warns(SchemaWarning, match=why):
        schema = function_to_schema(function, profile=MCP)
    assert schema["properties"] == {"model": expected}
    asking = MCP.replace(opaque_outputs=[lambda *_: False])
    with pytest.warns(SchemaWarning, match=why):
        assert return_to_schema(function, profile=asking) == expected


def test_a_field_with_an_unusable_schema_affects_only_itself():
    def function(model: Partly, n: int = 1): ...

    inner = obj(["good"], good=INTEGER, never={})
    with pytest.warns(SchemaWarning) as warned:
        schema = function_to_schema(function, profile=MCP)
    assert schema["properties"] == {
        "model": obj(
            ["name", "odd", "inner"],
            name=STRING,
            either={},
            odd={},
            **{"it raises": {}},
            bad={},
            elsewhere={},
            inner=inner,
            many=array_of(inner) | {"default": []},
        ),
        "n": INTEGER | {"default": 1},
    }
    said = {each.message.path: each.message.message for each in warned}
    no_callable = "core_schema.CallableSchema"
    assert said == {
        "function(model)": "pydantic's schema of Partly: Cannot generate a JsonSchema for "
        f"{no_callable}",
        "function(model).either": "pydantic's schema of it: 'anyOf' must be a list of "
        "schemas, not []",
        "function(model).odd": "pydantic's schema of Odd: it contains the number nan, "
        "which cannot be written as JSON",
        'function(model)["it raises"]': "pydantic has no JSON Schema for it: oops",
        "function(model).bad": "pydantic's schema of it: 'pattern' must be a string, not 1",
        "function(model).elsewhere": "pydantic's schema of it: '#/components/Text' does not exist; "
        "inline it, or use walk.schema()",
        "function(model).many[].never": f"pydantic has no JSON Schema for it: {no_callable}",
    }
    with pytest.raises(SchemaError):
        function_to_schema(function, strict=True, profile=MCP)


# -- types that further packages define --------------------------------------------------------


def test_email_addresses_have_their_format():
    judges.require("email_validator")
    for tp in (pydantic.EmailStr, list[pydantic.EmailStr], pydantic.NameEmail):
        assert canonical(exact(tp)) == canonical(pydantic.TypeAdapter(tp).json_schema())
    assert exact(pydantic.EmailStr) == {"type": "string", "format": "email"}
    assert value_to_json("a@b.example", pydantic.EmailStr) == "a@b.example"


def extra_types() -> Iterator[type]:
    """Every class of pydantic-extra-types with hooks for pydantic."""
    package = judges.module("pydantic_extra_types")
    for found in pkgutil.iter_modules(package.__path__, "pydantic_extra_types."):
        module = importlib.import_module(found.name)
        for cls in vars(module).values():
            is_its_own = inspect.isclass(cls) and cls.__module__ == module.__name__
            if is_its_own and hasattr(cls, "__get_pydantic_core_schema__"):
                yield cls


def test_every_type_of_pydantic_extra_types_has_the_schema_of_pydantic():
    found, checked = {}, 0
    with warnings.catch_warnings(action="ignore"):
        every = list(extra_types())
    for cls in every:
        try:
            theirs = pydantic.TypeAdapter(list[cls]).json_schema()
        except Exception:
            continue
        checked += 1
        if canonical(ours := exact(list[cls])) != canonical(theirs):
            found[cls] = ours, theirs
    assert found == {}
    assert checked >= 30
