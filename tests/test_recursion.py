"""Types that contain themselves, with one wrong scalar at each place: read, written, explained."""

import copy
import dataclasses
import math
import sys
from collections.abc import Iterator
from typing import Any, TypedDict

import jsonschema_rs
import pytest
from typing_extensions import TypeAliasType

from milo_schema import SchemaError, profiles, type_to_schema
from milo_schema.arguments import ArgumentsError, json_to_value
from milo_schema.results import value_to_json

pytestmark = pytest.mark.core

WRONG = 1.5
"""A scalar that no type below has at any place."""

One = TypeAliasType("One", "str | list[One]")
Two = TypeAliasType("Two", "list[Two | int] | tuple[str, ...]")
Both = TypeAliasType("Both", "list[Both] | dict[str, Both] | int | None")
Map = TypeAliasType("Map", "dict[str, Map | int]")
Inner = TypeAliasType("Inner", "list[Outer] | int")
Outer = TypeAliasType("Outer", "dict[str, Inner] | str")


@dataclasses.dataclass
class Link:
    value: int
    next: "Link | None" = None


@dataclasses.dataclass
class Tree:
    name: str
    children: "list[Tree]" = dataclasses.field(default_factory=list)
    by_name: "dict[str, Tree]" = dataclasses.field(default_factory=dict)


class Row(TypedDict):
    id: int
    more: "list[Row] | str"


def linked(depth: int) -> Any:
    return {"value": depth, "next": linked(depth - 1) if depth else None}


def tree(depth: int) -> Any:
    below = [tree(depth - 1)] if depth else []
    return {"name": "a", "children": below * 2, "by_name": {each["name"]: each for each in below}}


def row(depth: int) -> Any:
    return {"id": depth, "more": [row(depth - 1), {"id": 1, "more": "a"}] if depth else "b"}


SHAPES: dict[str, tuple[Any, Any]] = {
    "alias with one array": (One, ["a", ["b", [], ["c"]], "d"]),
    "alias with two arrays": (Two, [[1], ["a", "b"], 2, [[], ["c"]]]),
    "alias with all": (Both, [1, {"a": [None, {"b": 2}]}, [[3]]]),
    "alias of a mapping": (Map, {"a": 1, "b": {"c": 2, "d": {"e": 3}}}),
    "two aliases": (Outer, {"a": [{"b": 1}, "c", {"d": ["e"]}]}),
    "list of an alias": (list[Two], [[[1], ["a"]], ["b"]]),
    "record": (Link, linked(4)),
    "record in arrays and mappings": (Tree, tree(3)),
    "TypedDict": (Row, row(3)),
    "records": (dict[str, Tree | Link], {"a": tree(2), "b": linked(2)}),
}


def scalars(json: Any, steps: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of each scalar."""
    if isinstance(json, (dict, list)):
        items = json.items() if isinstance(json, dict) else enumerate(json)
        for step, each in items:
            yield from scalars(each, (*steps, step))
    else:
        yield steps


def with_wrong(json: Any, steps: tuple[Any, ...]) -> Any:
    if not steps:
        return WRONG
    json = copy.copy(json)
    json[steps[0]] = with_wrong(json[steps[0]], steps[1:])
    return json


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("repair", [False, True], ids=["strictly", "repair"])
def test_a_wrong_scalar_in_a_recursive_type_is_explained(shape, repair):
    annotation, valid = SHAPES[shape]
    schema = type_to_schema(annotation, profile=profiles.MCP)
    judge = jsonschema_rs.Draft202012Validator(schema)
    assert judge.is_valid(valid)
    json_to_value(valid, annotation, profile=profiles.MCP, repair=repair)
    places = list(scalars(valid))
    assert len(places) > 2
    for steps in places:
        json = with_wrong(valid, steps)
        assert not judge.is_valid(json)
        with pytest.raises(ArgumentsError) as caught:
            json_to_value(json, annotation, profile=profiles.MCP, repair=repair)
        found = [each.steps for each in caught.value.problems]
        assert steps in found, (steps, str(caught.value))
        assert "expected" in str(caught.value)
        assert "stack" not in str(caught.value)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_recursive_value_is_written_and_a_wrong_scalar_in_it_is_refused(shape):
    annotation, json = SHAPES[shape]
    value = json_to_value(json, annotation, profile=profiles.MCP)
    assert value_to_json(value, annotation, profile=profiles.MCP) == json
    for steps in scalars(json):
        with pytest.raises(SchemaError) as caught:
            value_to_json(with_wrong(json, steps), annotation, profile=profiles.MCP)
        assert caught.value.code == "unexpected-value"
        assert "stack" not in str(caught.value)


# -- values -------------------------------------------------------------------------------------


def test_a_value_that_unions_write_once_shares_no_parts():
    @dataclasses.dataclass
    class Left:
        inner: "list[dict[str, int] | list[int]]"
        end: int

    @dataclasses.dataclass
    class Right:
        inner: "list[dict[str, int] | list[int]]"
        end: str

    part = {"a": 1}
    value = {"inner": [part, part], "end": "x"}
    json = value_to_json([value, value], list[Left | Right], profile=profiles.MCP)
    assert json == [value, value]
    parts = [json[0], json[1], *json[0]["inner"], *json[1]["inner"]]
    assert len({*map(id, [*parts, part])}) == 7


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan], ids=repr)
@pytest.mark.parametrize(
    "annotation", [list[float], dict[str, float], list[Any], list[float | str]], ids=range(4)
)
def test_what_is_no_number_in_json_is_refused_wherever_numbers_are_plain(annotation, number):
    sent = {"a": number} if annotation == dict[str, float] else [number]
    with pytest.raises(ArgumentsError):
        json_to_value(sent, annotation)
    with pytest.raises(SchemaError):
        value_to_json(sent, annotation)


def test_numbers_are_plain_up_to_the_largest_float():
    largest = sys.float_info.max
    numbers = [largest, -largest, -0.0, 5e-324]
    assert json_to_value(numbers, list[float]) == value_to_json(numbers, list[float]) == numbers


def deep_in_the_stack(frames: int, call: Any) -> Any:
    return deep_in_the_stack(frames - 1, call) if frames else call()


def test_a_value_for_which_the_stack_has_no_space_is_refused():
    value: Any = 1
    for _ in range(190):
        value = [value]
    why = "nested too deeply for the space left on Python's stack"
    frames = sys.getrecursionlimit() - 400
    with pytest.raises(SchemaError, match=why) as caught:
        deep_in_the_stack(frames, lambda: value_to_json(value, list[Any]))
    assert caught.value.code == "unexpected-value"
    with pytest.raises(ArgumentsError, match=why):
        deep_in_the_stack(frames, lambda: json_to_value(value, list[Any]))
    assert value_to_json(value, list[Any]) == json_to_value(value, list[Any]) == value
