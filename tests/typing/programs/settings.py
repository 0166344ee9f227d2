"""A file of settings, read into typed values and written again."""

from typing import Literal, TypedDict

from milo_schema import type_to_schema
from milo_schema.arguments import json_to_value
from milo_schema.results import value_to_json


class Settings(TypedDict):
    """Settings."""

    level: Literal["low", "high"]
    hosts: set[str]


schema = type_to_schema(Settings)
assert schema["required"] == ["level", "hosts"]

settings = json_to_value({"level": "low", "hosts": ["b", "a"]}, Settings | None)
assert settings is not None
settings["hosts"].add("c")
assert value_to_json(settings, Settings) == {"level": "low", "hosts": ["a", "b", "c"]}
