"""Kinds of parameters: positional-only, keyword-only, and their names."""

import pytest

from milo_schema import SchemaError, function_to_schema
from tests.callables.helpers import PORT, command, takes
from tests.callables.samples import NAME, NAME_AND_PORT
from tests.every import every
from tests.fragments import BOOLEAN, INTEGER, STRING
from tests.inside import as_parameter

POSITIONAL = {
    "a": INTEGER,
    "b": STRING | {"default": "b"},
    "c": BOOLEAN | {"default": True},
}
WORDS = {
    "type": STRING, "properties": INTEGER, "required": BOOLEAN, "title": STRING, "items": INTEGER,
    "default": INTEGER | {"default": 1},
}  # fmt: skip
UNUSUAL = {"größe": INTEGER, "_x": STRING, "__y": STRING | {"default": "y"}}
SIGNATURES = [
    ("a: int, b: str = 'b', /, c: bool = True", POSITIONAL, ["a"]),
    ("*, name: str, port: int = 443", NAME_AND_PORT, ["name"]),
    ("port: int = 443, *, name: str", {"port": PORT, "name": STRING}, ["name"]),
    # words of JSON Schema are names like any other
    ("type: str, properties: int, required: bool, title: str, items: int, default: int = 1",
     WORDS, ["type", "properties", "required", "title", "items"]),
    ("größe: int, _x: str, __y: str = 'y'", UNUSUAL, ["größe", "_x"]),
]  # fmt: skip


@every("row", SIGNATURES)
def test_a_parameter_of_any_kind_is_a_property_with_its_python_name(row):
    signature, properties, required = row
    takes(command(signature), properties, required)


def test_a_positional_only_parameter_is_the_first_problem_in_strict_mode():
    with pytest.raises(SchemaError) as caught:
        function_to_schema(command("a, b: str = 'b', /, c: bool = True"), strict=True)
    reason = "positional-only, but JSON passes arguments by name; drop the '/'"
    assert [str(problem) for problem in caught.value.problems] == [
        f"command(a): {reason}",
        "command(a): no annotation; add one",
        f"command(b): {reason}",
    ]
    assert str(caught.value) == f"command(a): {reason} (and 2 more problems)"


def test_an_excluded_positional_only_parameter_is_not_an_error_in_strict_mode():
    func = command("session: complex, /, name: str")
    takes(func, NAME, ["name"], strict=True, exclude=["session"])


def test_the_path_of_a_parameter_starts_with_its_name_in_parentheses():
    paths = {"": "", "[]": "[]", ".x": "(x)", ".x.y[]": "(x).y[]"}
    assert {path: as_parameter(path) for path in paths} == paths
