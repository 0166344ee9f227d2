"""Where ``T | None`` is ``T``: everywhere, nowhere, or where ``None`` is the default."""

from dataclasses import dataclass
from typing import Annotated, Any, NewType, Optional

import pydantic
import pytest

from milo_schema import Description, function_to_schema, profiles
from milo_schema.arguments import bind
from milo_schema.transforms import without_null_defaults
from tests.fragments import INTEGER, NULL, STRING

Alias = Optional[int]
Nothing = NewType("Nothing", None)  # type: ignore[valid-newtype]
NULLABLE = {"anyOf": [INTEGER, NULL]}


def find(
    required: int | None,
    five: int | None = 5,
    none: int | None = None,
    alias: Alias = None,
    described: Annotated[int | None, Description("How many.")] = None,
    three: int | str | None = None,
    plain: int = None,  # type: ignore[assignment]  # noqa: RUF013
    text: "int | None" = None,
    nothing: Nothing | None = None,
): ...


@dataclass
class Data:
    five: int | None = 5
    none: int | None = None


class Model(pydantic.BaseModel):
    five: int | None = 5
    none: int | None = None
    both: dict[str, int | None] | None = None


@pytest.mark.parametrize(
    ("unwrap_none", "with_none", "with_five"),
    [(False, NULLABLE, NULLABLE), ("if_default", INTEGER, NULLABLE), (True, INTEGER, INTEGER)],
    ids=str,
)
def test_none_is_unwrapped(unwrap_none, with_none, with_five):
    profile = profiles.MCP.replace(unwrap_none=unwrap_none)
    none, five = {**with_none, "default": None}, {**with_five, "default": 5}
    several = {"anyOf": [INTEGER, STRING, *([NULL] if with_none is NULLABLE else [])]}

    assert function_to_schema(find, profile=profile)["properties"] == {
        "required": with_five,
        "five": five,
        "none": none,
        "alias": none,
        "described": {**none, "description": "How many."},
        "three": {**several, "default": None},
        "plain": {**INTEGER, "default": None},
        "text": none,
        "nothing": {**NULL, "default": None},
    }
    bound = bind(find, {"required": None, "none": None, "five": None}, profile=profile)
    assert bound.kwargs == {"required": None, "none": None, "five": None}


@pytest.mark.parametrize("null_defaults", [True, False])
@pytest.mark.parametrize("record", [Data, Model], ids=str)
def test_none_is_unwrapped_in_records_and_models(record, null_defaults):
    transforms = [] if null_defaults else [without_null_defaults]
    profile = profiles.MCP.replace(unwrap_none="if_default", transforms=transforms)
    none = {"default": None} if null_defaults else {}

    def take(place: Any): ...

    take.__annotations__ = {"place": record}
    properties = function_to_schema(take, strict=True, profile=profile)["properties"]
    expected: dict[str, Any] = {"five": {**NULLABLE, "default": 5}, "none": {**INTEGER, **none}}
    if record is Model:
        values = {"type": "object", "additionalProperties": NULLABLE}
        expected["both"] = {**values, **none}
    assert properties["place"]["properties"] == expected
