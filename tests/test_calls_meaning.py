"""The arguments of a call match the schema, whatever the profile does with the parameters.

Hypothesis changes valid JSON; ``bind()`` must accept exactly what a validator accepts, and what
it binds must be what the function gets.
"""

from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

import attrs
import jsonschema
import msgspec
import pydantic
import pytest
import typing_extensions as te
from hypothesis import given
from hypothesis import strategies as st

from milo_schema import function_to_schema, profiles
from milo_schema.arguments import ArgumentsError, bind
from milo_schema.results import value_to_json
from tests.generated import generated
from tests.needs import lacking
from tests.test_meaning import mutated

PYDANTIC = lacking("pydantic>=2.14")  # as in tests/test_meaning.py
pytestmark = pytest.mark.skipif(bool(PYDANTIC), reason=PYDANTIC)

PROFILE = profiles.MCP.replace(variadics="properties", flatten=True, closed="everything")


@dataclass
class Data:
    name: str
    sizes: list[int]
    inner: "Data | None"


class Keys(TypedDict):
    name: str
    sizes: te.NotRequired[list[int]]


@attrs.define
class Attrs:
    name: str
    sizes: tuple[str, ...] = ()


class Struct(msgspec.Struct):
    name: str
    tags: dict[str, str] = {}


class Model(pydantic.BaseModel):
    name: str
    tags: dict[str, str | None] = {}


def data(value: Data) -> Any:
    return value


def keys(value: Keys) -> Any:
    return value


def of_attrs(value: Attrs) -> Any:
    return value


def struct(value: Struct) -> Any:
    return value


def model(value: Model) -> Any:
    return value


def items(first: str, second: int = 2, *rest: int, flag: bool = False) -> Any:
    return {"first": first, "second": second, "rest": list(rest), "flag": flag}


def mapping(first: str, /, **rest: list[int]) -> Any:
    return {"first": first, "rest": rest}


def both(*rest: Data, **more: str) -> Any:
    return {"rest": rest, "more": more}


def unpacked(*rest: str, **more: Unpack[Keys]) -> Any:
    return {"rest": list(rest), **more}


ARGUMENTS: list[tuple[Any, dict[str, Any]]] = [
    (data, {"name": "a", "sizes": [1], "inner": {"name": "b", "sizes": [], "inner": None}}),
    (keys, {"name": "a", "sizes": [1]}),
    (of_attrs, {"name": "a", "sizes": ["b"]}),
    (struct, {"name": "a", "tags": {"b": "c"}}),
    (model, {"name": "a", "tags": {"b": "c", "d": None}}),
    (items, {"first": "a", "second": 3, "rest": [4, 5], "flag": True}),
    (mapping, {"first": "a", "rest": {"b": [1], "first": []}}),
    (both, {"rest": [{"name": "a", "sizes": [1], "inner": None}], "more": {"b": "c"}}),
    (unpacked, {"rest": ["a"], "name": "b", "sizes": [1]}),
]


@pytest.mark.parametrize(
    ("func", "example"), ARGUMENTS, ids=lambda each: getattr(each, "__name__", "")
)
def test_arguments_that_match_the_schema_reach_the_function(func, example):
    schema = function_to_schema(func, profile=PROFILE)
    validator = jsonschema.Draft202012Validator(schema)
    judged = {True: 0, False: 0}

    @generated(40)
    @given(st.just(example) | mutated(example) | mutated(example).flatmap(mutated))
    def prove(json: Any) -> None:
        is_valid = validator.is_valid(json)
        judged[is_valid] += 1
        if not is_valid:
            with pytest.raises(ArgumentsError):
                bind(func, json, profile=PROFILE)
            return
        bound = bind(func, json, profile=PROFILE)
        got = value_to_json(func(*bound.args, **bound.kwargs), Any, profile=PROFILE)
        assert {name: got[name] for name in json} == json

    prove()
    assert min(judged.values()) >= 3, judged
