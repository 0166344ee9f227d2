"""Kinds of parameters: positional-only, keyword-only, and their names."""

import pytest

from milo_schema import SchemaError, function_to_schema
from tests.callables.helpers import PORT, takes
from tests.callables.samples import NAME_AND_PORT
from tests.fragments import BOOLEAN, INTEGER, STRING
from tests.inside import as_parameter
from tests.modules import module_from


def positional_only(a: int, b: str = "b", /, c: bool = True): ...


def test_a_positional_only_parameter_is_a_property_like_any_other():
    b, c = {"type": "string", "default": "b"}, {"type": "boolean", "default": True}
    takes(positional_only, {"a": INTEGER, "b": b, "c": c}, ["a"])


def test_a_positional_only_parameter_is_an_error_in_strict_mode():
    with pytest.raises(SchemaError) as caught:
        function_to_schema(positional_only, strict=True)
    assert str(caught.value) == (
        "positional_only(a): positional-only, but JSON passes arguments by name; drop the '/'"
        " (and 1 more problem)"
    )


def test_the_first_problem_of_a_parameter_is_that_json_cannot_pass_it():
    def run(a, /): ...

    with pytest.raises(SchemaError) as caught:
        function_to_schema(run, strict=True)
    assert [str(problem) for problem in caught.value.problems] == [
        "run(a): positional-only, but JSON passes arguments by name; drop the '/'",
        "run(a): no annotation; add one",
    ]


def test_an_excluded_positional_only_parameter_is_not_an_error_in_strict_mode():
    def command(session: complex, /, name: str): ...

    takes(command, {"name": STRING}, ["name"], strict=True, exclude=["session"])


def test_keyword_only_parameters():
    def command(*, name: str, port: int = 443): ...

    takes(command, NAME_AND_PORT, ["name"], strict=True)


def test_a_required_parameter_may_follow_an_optional_one():
    def command(port: int = 443, *, name: str): ...

    takes(command, {"port": PORT, "name": STRING}, ["name"])


def test_a_parameter_may_have_the_name_of_a_keyword_of_json_schema():
    """Words of JSON Schema are names like any other."""

    def command(type: str, properties: int, required: bool, title: str, items: int, default=1): ...  # noqa: A002

    takes(
        command,
        {
            "type": STRING, "properties": INTEGER, "required": BOOLEAN, "title": STRING,
            "items": INTEGER, "default": {"type": "string", "default": 1},
        },
        ["type", "properties", "required", "title", "items"],
        exact={"default": {"default": 1}},
    )  # fmt: skip


def test_a_parameter_keeps_its_python_name():
    module = module_from("def command(größe: int, _x: str, __y: str = 'y'): ...")
    y = {"type": "string", "default": "y"}
    takes(module.command, {"größe": INTEGER, "_x": STRING, "__y": y}, ["größe", "_x"])


def test_the_path_of_a_parameter_starts_with_its_name_in_parentheses():
    assert [as_parameter(path) for path in ("", "[]", ".x", ".x.y[]")] == [
        "",
        "[]",
        "(x)",
        "(x).y[]",
    ]
