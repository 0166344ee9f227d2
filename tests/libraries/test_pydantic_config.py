"""Dataclasses and TypedDicts that have a configuration for pydantic."""

from dataclasses import dataclass
from typing import Any

import pydantic  # noqa: F401 - it is asked where it is loaded
import pytest
from typing_extensions import TypedDict  # which pydantic asks for up to 3.11

from milo_schema import function_to_schema, profiles, return_to_schema
from milo_schema.arguments import ArgumentsError, bind, json_to_value
from milo_schema.results import return_to_json
from tests.fragments import INTEGER, STRING, obj


@dataclass
class Configured:
    __pydantic_config__ = {"extra": "forbid", "alias_generator": str.upper, "title": "Set"}  # noqa: RUF012

    first: str
    count: int = 1


class ConfiguredKeys(TypedDict):
    first: str


ConfiguredKeys.__pydantic_config__ = {"extra": "forbid"}  # type: ignore[attr-defined]


def test_the_configuration_for_pydantic_is_applied_by_pydantic():
    def run(a: Configured, b: list[ConfiguredKeys]) -> Configured: ...

    first: dict[str, Any] = obj([], FIRST=STRING, COUNT=INTEGER | {"default": 1})
    first |= {"required": ["FIRST"], "additionalProperties": False, "title": "Set"}
    keys: dict[str, Any] = obj([], first=STRING)
    keys |= {"required": ["first"], "additionalProperties": False}
    schema = function_to_schema(run, profile=profiles.MCP, strict=True)
    assert schema["properties"] == {"a": first, "b": {"type": "array", "items": keys}}
    assert return_to_schema(run, profile=profiles.MCP, strict=True) == first
    bound = bind(run, {"a": {"FIRST": "x"}, "b": [{"first": "xy"}]})
    assert bound.arguments == {"a": Configured("x"), "b": [{"first": "xy"}]}
    assert return_to_json(run, Configured("x")) == {"FIRST": "x", "COUNT": 1}
    for wrong in ({"FIRST": "x", "more": 1}, {"first": "x"}):
        with pytest.raises(ArgumentsError):
            json_to_value(wrong, Configured)
    with pytest.raises(ArgumentsError, match=r"\.more: "):
        json_to_value({"first": "x", "more": 1}, ConfiguredKeys)
