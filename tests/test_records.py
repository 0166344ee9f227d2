"""Classes with fields: which of them count as records, and which docstring describes a key."""

import pydantic
import pytest
from typing_extensions import TypedDict

from milo_schema import SchemaError, type_to_schema
from milo_schema.profiles import MCP

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
def test_base_of_two_bases_does_not_override_what_one_of_them_says(tp):
    assert type_to_schema(tp) == {
        "type": "object",
        "properties": {"size": {"type": "integer", "description": "From Left."}},
        "required": ["size"],
    }


# -- pydantic ----------------------------------------------------------------------------------


def test_base_model_itself_is_not_a_model():
    """Any model is one; that it has no fields says nothing of what they have."""
    with pytest.raises(SchemaError, match=r"^BaseModel: no JSON Schema for BaseModel; "):
        type_to_schema(pydantic.BaseModel, profile=MCP, strict=True)
