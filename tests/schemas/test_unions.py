"""Unions, and ``None`` behind other names."""

import dataclasses
from dataclasses import dataclass
from typing import Annotated, NewType, Optional, TypedDict, TypeVar, Union, Unpack

import pytest
import typing_extensions

from milo_schema import Description, function_to_schema, profiles
from tests.fragments import INTEGER, STRING

T = TypeVar("T")


@pytest.mark.skipif(
    not hasattr(typing_extensions, "Sentinel"), reason="typing_extensions 4.14 has sentinels"
)
def test_a_sentinel_is_left_out_of_a_union():
    absent = typing_extensions.Sentinel("absent")

    def command(size: Annotated[Union[int, absent], Description("How big.")] = absent): ...  # type: ignore[valid-type]

    assert function_to_schema(command)["properties"] == {
        "size": {"type": "integer", "description": "How big."}
    }


class Readable(TypedDict):
    x: typing_extensions.ReadOnly[int | None]


@dataclass
class Given:
    x: dataclasses.InitVar[int | None]


Perhaps = NewType("Perhaps", Optional[int])  # type: ignore[valid-newtype]


def test_an_optional_parameter_is_unwrapped_behind_a_newtype_or_qualifier():
    def take(
        a: Perhaps,
        b: Annotated[Perhaps, Description("A note.")],
        c: Readable,
        **more: Unpack[Readable],
    ): ...

    assert function_to_schema(take)["properties"] == {
        "a": INTEGER,
        "b": {"type": "integer", "description": "A note."},
        "c": {"type": "object", "properties": {"x": INTEGER}, "required": ["x"]},
        "x": INTEGER,
    }
    assert function_to_schema(Given)["properties"] == {"x": INTEGER}


def test_types_of_a_profile_go_before_unwrapping():
    maybe = typing_extensions.TypeAliasType("maybe", Optional[T], type_params=(T,))  # type: ignore[misc]
    profile = profiles.MILO.with_types({Perhaps: {"const": 5}, maybe[int]: {"const": 6}})

    def take(a: Perhaps, b: maybe[int], c: maybe[str]): ...  # type: ignore[valid-type]

    assert function_to_schema(take, profile=profile)["properties"] == {
        "a": {"const": 5},
        "b": {"const": 6},
        "c": STRING,
    }
