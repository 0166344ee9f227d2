"""Records: dataclasses, structs, and classes that cannot be read."""

import dataclasses
from dataclasses import dataclass
from typing import Annotated

import msgspec
import pydantic
import pytest
from typing_extensions import TypedDict

from milo_schema import MaxLen, SchemaError, type_to_schema
from milo_schema.profiles import MCP
from tests.fragments import INTEGER, exact, record


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
    assert type_to_schema(tp) == {
        "type": "object",
        "properties": {"size": {"type": "integer", "description": "From Left."}},
        "required": ["size"],
    }


# -- pydantic ----------------------------------------------------------------------------------


def test_base_model_itself_is_an_open_object():
    """Any model is an instance; its lack of fields does not restrict theirs."""
    closed = MCP.replace(closed="everything")
    for profile in (MCP, closed):
        assert type_to_schema(pydantic.BaseModel, profile=profile, strict=True) == {
            "type": "object"
        }
