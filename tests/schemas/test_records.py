"""Records: dataclasses, structs, and classes that cannot be read."""

import abc
import dataclasses
from dataclasses import dataclass, field
from typing import Annotated

import msgspec
import pydantic
import pytest
from pydantic_core import core_schema
from typing_extensions import TypedDict

from milo_schema import (
    MaxLen,
    SchemaError,
    function_to_schema,
    return_to_schema,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, bind, json_to_value
from milo_schema.profiles import MCP, OPENAI_STRICT
from milo_schema.results import value_to_json
from tests.fragments import INTEGER, STRING, any_of, array_of, exact, obj, record


class Absent(msgspec.Struct):
    size: int | msgspec.UnsetType = msgspec.UNSET


def test_a_field_that_may_be_unset_is_optional():
    assert exact(Absent) == {"type": "object", "properties": {"size": INTEGER}}


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


def test_a_constraint_on_a_record_applies_only_to_that_use():
    inner = {"type": "object", "properties": {"x": {"type": "integer", "default": 1}}}
    assert exact(Outer) == record(one=inner, two=record(few={**inner, "maxProperties": 1}))


@dataclass
class Shape(abc.ABC):
    x: int

    @abc.abstractmethod
    def area(self) -> int: ...


@dataclass
class Square(Shape):
    side: int

    def area(self) -> int:
        return self.side**2


def test_an_abstract_class_has_no_instances_to_be_read():
    base, sub = Shape, Square

    def draw(shapes: list[base]) -> base: ...

    with pytest.raises(SchemaError) as caught:
        function_to_schema(draw, strict=True)
    reason = f"{base.__name__} is abstract, so it has no instances; use a concrete subclass"
    assert (caught.value.path, caught.value.message) == ("draw(shapes)[]", reason)
    with pytest.raises(SchemaError, match=reason):
        bind(draw, {"shapes": []})
    shape = record(x=INTEGER)
    assert function_to_schema(draw) == record(shapes=array_of(shape))
    assert return_to_schema(draw, strict=True) == shape

    job = dataclasses.make_dataclass("Job", [("shapes", list[base], field(default_factory=list))])

    def run(job: job, shape: base | None = None): ...

    assert bind(run, {"job": {}}).arguments == {"job": job()}
    with pytest.raises(ArgumentsError) as refused:
        bind(run, {"job": {"shapes": [{"x": 1}]}, "shape": {"x": 1}})
    assert [(each.path, each.message) for each in refused.value.problems] == [
        (".job.shapes[0]", reason),
        (".shape", reason),
    ]

    job = dataclasses.make_dataclass("Job", [("shape", base)])

    def later(job: job | None = None): ...

    assert bind(later, {}).arguments == {}

    decoded = MCP.replace(decoders={base: lambda json: sub(side=1, **json)})
    made = bind(draw, {"shapes": [{"x": 2}]}, profile=decoded).arguments["shapes"]
    assert made == [sub(x=2, side=1)]
    assert function_to_schema(draw, strict=True, profile=decoded)["properties"] == {
        "shapes": array_of(shape)
    }


def test_an_abstract_class_adds_nothing_to_a_union_with_a_subclass():
    base, sub = Shape, Square

    def draw(shape: base | sub) -> base | sub: ...

    square = record(x=INTEGER, side=INTEGER)
    assert function_to_schema(draw, strict=True) == record(shape=square)
    assert return_to_schema(draw, strict=True) == {"anyOf": [record(x=INTEGER), square]}
    bound = bind(draw, {"shape": {"x": 1, "side": 2}})
    assert bound.arguments["shape"] == sub(x=1, side=2)

    for other in (base | Inner, base | list[int]):
        with pytest.raises(SchemaError, match="is abstract"):
            exact(other)
    decoded = MCP.replace(decoders={base: lambda json: sub(side=1, **json)})
    assert json_to_value({"x": 2}, base | sub, profile=decoded) == sub(x=2, side=1)


@dataclass
class Made(abc.ABC):
    x: int

    def __new__(cls, x):
        return super().__new__(next(iter(cls.__subclasses__()), cls))

    @abc.abstractmethod
    def area(self) -> int: ...


class Maker(abc.ABCMeta):
    def __call__(cls, *args, **kwargs):
        return type.__call__(next(iter(cls.__subclasses__()), cls), *args, **kwargs)


@dataclass
class Called(metaclass=Maker):
    x: int

    @abc.abstractmethod
    def area(self) -> int: ...


class Model(pydantic.BaseModel, abc.ABC):
    x: int

    @pydantic.model_validator(mode="wrap")
    @classmethod
    def of_subclass(cls, value, handler):
        return handler(value) if cls.__subclasses__() == [] else cls.__subclasses__()[0](**value)

    @abc.abstractmethod
    def area(self) -> int: ...


@pydantic.dataclasses.dataclass
class Checked(abc.ABC):
    x: int

    @pydantic.model_validator(mode="wrap")
    @classmethod
    def of_subclass(cls, value, handler):
        return object.__new__(cls.__subclasses__()[0])

    @abc.abstractmethod
    def area(self) -> int: ...


class Hooked(abc.ABC):
    @classmethod
    def __get_pydantic_core_schema__(cls, source, handler):
        return core_schema.no_info_plain_validator_function(
            lambda value: cls.__subclasses__()[0](),
            json_schema_input_schema=core_schema.int_schema(),
        )

    @abc.abstractmethod
    def area(self) -> int: ...


@pytest.mark.parametrize("base", [Made, Called, Model, Checked, Hooked])
def test_an_abstract_class_that_makes_its_subclass_is_read(base):
    sub = type("Sub", (base,), {"area": lambda self: 1, "__module__": __name__})
    json = 1 if base is Hooked else {"x": 1}

    assert exact(base) == (INTEGER if base is Hooked else record(x=INTEGER))
    assert len(exact(base | list[int])["anyOf"]) == 2
    assert exact(base | sub) == exact(base)
    assert type(json_to_value(json, base)) is sub


@pytest.mark.parametrize("base", [Model, Checked, Hooked])
def test_an_abstract_class_that_pydantic_reads_stays_in_a_union(base):
    class Text(base):
        @classmethod
        def __get_pydantic_core_schema__(cls, source, handler):
            return core_schema.str_schema()

    assert exact(base | Text) == any_of(exact(base), STRING)


def test_a_made_dataclass_has_fields_of_any_type():
    made = dataclasses.make_dataclass("made", ["x", ("y", int)])
    assert exact(made) == record(x={}, y=INTEGER)


class Closed(type):
    def __getattribute__(cls, name):
        raise ZeroDivisionError


def test_a_class_whose_attributes_raise_is_refused():
    closed = Closed("closed", (), {})
    with pytest.raises(SchemaError, match="no JSON Schema for closed"):
        type_to_schema(closed, strict=True)


class Struct(msgspec.Struct):
    x: "leave()"  # type: ignore[valid-type]


def leave():
    raise SystemExit(3)


def test_an_annotation_of_a_struct_that_exits_is_an_error():
    with pytest.raises(SchemaError, match=r"reading the fields of Struct raised SystemExit\(3\)"):
        type_to_schema(Struct, strict=True)


class First(msgspec.Struct, array_like=True):
    x: int = 0


class Second(First, kw_only=True, array_like=True):
    y: int


def test_a_struct_as_an_array_has_its_last_required_field():
    assert exact(Second)["minItems"] == 2
    assert msgspec.json.decode(b"[5, 6]", type=Second) == Second(5, y=6)  # type: ignore[call-arg]
    with pytest.raises(msgspec.ValidationError, match="at least length 2"):
        msgspec.json.decode(b"[5]", type=Second)


# -- docstrings of a TypedDict and its bases ---------------------------------------------------


class Top(TypedDict):
    """The top.

    Attributes:
        size: From Top.
    """

    size: int


class Left(Top):
    """The left.

    Attributes:
        size: From Left.
    """


class Right(Top): ...


class LeftRight(Left, Right): ...


class RightLeft(Right, Left): ...


@pytest.mark.parametrize("tp", [LeftRight, RightLeft])
def test_a_common_base_does_not_override_a_nearer_base(tp):
    assert type_to_schema(tp) == record(size={"type": "integer", "description": "From Left."})


# -- pydantic ----------------------------------------------------------------------------------


def test_base_model_itself_is_an_open_object():
    """Any model is an instance; its lack of fields does not restrict theirs."""
    closed = MCP.replace(closed="everything")
    for profile in (MCP, closed):
        assert type_to_schema(pydantic.BaseModel, profile=profile, strict=True) == {
            "type": "object"
        }


def test_a_field_that_no_constructor_takes_is_not_part_of_the_input():
    @dataclasses.dataclass
    class Draft:
        text: str
        words: int = dataclasses.field(init=False)
        kind: str = dataclasses.field(init=False, default="draft")

        def __post_init__(self) -> None:
            self.words = len(self.text.split())

    def save(draft: Draft) -> Draft: ...

    text = {"type": "object", "properties": {"text": STRING}, "required": ["text"]}
    taken = function_to_schema(save, strict=True, profile=MCP)
    assert taken["properties"] == {"draft": text}
    assert return_to_schema(save, strict=True, profile=MCP) == obj(
        ["text"], text=STRING, words=INTEGER, kind={"type": "string", "default": "draft"}
    )
    required = function_to_schema(save, strict=True, profile=OPENAI_STRICT)
    assert required["properties"]["draft"]["required"] == ["text"]
    bound = bind(save, {"draft": {"text": "a b"}}, profile=MCP).arguments["draft"]
    assert (bound.words, bound.kind) == (2, "draft")
    assert value_to_json(bound, Draft) == {"text": "a b", "words": 2, "kind": "draft"}
    closed = MCP.replace(closed="everything")
    with pytest.raises(ArgumentsError, match=r"\.draft\.words: unknown"):
        bind(save, {"draft": {"text": "a", "words": 1}}, profile=closed)
