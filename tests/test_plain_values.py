"""Values that are the same in JSON and in Python, alone, in containers and in fields of records."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

import pytest

from milo_schema import Description, SchemaError, profiles
from milo_schema.arguments import ArgumentsError, json_to_value
from milo_schema.results import value_to_json

BIG = 1 << 70
HALF = "\ud800"


class Name(str):
    __slots__ = ()


class Count(int):
    pass


@dataclass
class Row:
    text: str = "a"
    count: int = 1
    price: float = 0.5
    is_new: bool = False
    note: str | None = None
    size: Annotated[int, Description("How large.")] = 3
    more: list[int] = field(default_factory=list)


ROW = json.loads('{"text": "a", "count": 1, "price": 0.5, "is_new": false, "size": 3, "more": []}')
FULL = {**ROW, "note": None}

SAME: dict[str, list[Any]] = {
    "text": ["b", "\u00e9", ""],
    "count": [0, -7, BIG, -BIG],
    "price": [1.5, -1.5, 1e300],
    "is_new": [True],
    "note": ["x", "\u00e9", None],
    "size": [-1, BIG],
    "more": [[0, BIG, -1]],
}
EACH = [(name, value) for name, values in SAME.items() for value in values]


@pytest.mark.parametrize(("name", "value"), EACH)
def test_a_plain_field_is_the_same_on_both_sides(name: str, value: Any) -> None:
    row = json_to_value({**FULL, name: value}, Row)
    assert row == Row(**{**FULL, name: value})
    assert type(getattr(row, name)) is type(value)
    written = value_to_json(row, Row)
    assert written == {**FULL, name: value}
    assert list(written) == list(Row.__dataclass_fields__)


REFUSED: list[tuple[str, Any]] = [
    ("text", HALF),
    ("text", 1),
    ("count", True),
    ("count", 1.5),
    ("price", float("nan")),
    ("price", float("inf")),
    ("price", True),
    ("is_new", 1),
    ("note", HALF),
    ("size", "3"),
    ("more", [True]),
]


@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_a_field_with_another_value_is_refused_at_its_place(name: str, value: Any) -> None:
    with pytest.raises(ArgumentsError) as caught:
        json_to_value({**FULL, name: value}, Row)
    assert [each.path for each in caught.value.problems] == [
        f".{name}[0]" if name == "more" else f".{name}"
    ]


def test_an_integer_of_a_float_and_the_reverse_are_converted() -> None:
    row = json_to_value({**FULL, "price": 2, "count": 3.0}, Row)
    assert (type(row.price), type(row.count)) == (float, int)
    assert (row.price, row.count) == (2.0, 3)


def test_a_field_that_is_not_given_has_its_default() -> None:
    assert json_to_value({}, Row) == Row()


WRITTEN: list[tuple[Any, Any, Any]] = [
    (["a", Name("b")], list[str], ["a", "b"]),
    ([1, Count(2), BIG], list[int], [1, 2, BIG]),
    ([0.5, 2, -1e300], list[float], [0.5, 2, -1e300]),
    ((None, "x", 7, 0.5, True), list[Any], [None, "x", 7, 0.5, True]),
    ({"a": 1, 2: {"b": [Count(3)]}}, dict[Any, Any], {"a": 1, "2": {"b": [3]}}),
    (["\u00e9", {"\u00e9": "\u00e9"}], Any, ["\u00e9", {"\u00e9": "\u00e9"}]),
    ({"a": None, Name("b"): "x"}, dict[str, str | None], {"a": None, "b": "x"}),
    ((each for each in "ab"), list[str], ["a", "b"]),
    ({"a": 1}.items(), Any, [["a", 1]]),
]


@pytest.mark.parametrize(("value", "annotation", "expected"), WRITTEN)
def test_values_are_written_as_json_of_exact_classes(
    value: Any, annotation: Any, expected: Any
) -> None:
    written = value_to_json(value, annotation)
    assert repr(written) == repr(expected)


NOT_JSON: list[tuple[Any, Any]] = [
    (Row(price=float("nan")), Row),
    (Row(text=HALF), Row),
    ({"a": HALF}, dict[str, Any]),
    ([1 << 20_000], list[int]),
    ([True], list[int]),
    ({"a": "x"}, dict[str, int]),
]


@pytest.mark.parametrize(("value", "annotation"), NOT_JSON)
def test_what_is_not_json_of_its_annotation_is_refused(value: Any, annotation: Any) -> None:
    with pytest.raises(SchemaError):
        value_to_json(value, annotation)


ENCODED: list[tuple[Any, Any, Any]] = [
    ([1, 2], list[int], ["<1>", "<2>"]),
    ({"a": 1}, dict[str, Any], {"a": "<1>"}),
    (Row(), Row, {**FULL, "count": "<1>", "is_new": "<0>", "size": "<3>"}),
    ([{"a": [1]}, {"a": [2]}], Any, [{"a": ["<1>"]}, {"a": ["<2>"]}]),
]


@pytest.mark.parametrize(("value", "annotation", "expected"), ENCODED)
def test_an_encoder_for_a_plain_class_writes_its_values(
    value: Any, annotation: Any, expected: Any
) -> None:
    profile = profiles.MILO.replace(encoders={int: lambda number: f"<{number:d}>"})
    assert value_to_json(value, annotation, profile=profile) == expected


def test_a_type_that_a_profile_describes_is_not_taken_as_it_is() -> None:
    profile = profiles.MILO.with_types({int: {"type": "integer", "maximum": 9}})
    assert value_to_json([1, "x"], list[Any], profile=profile) == [1, "x"]
    assert value_to_json({"a": 1}, dict[str, Any], profile=profile) == {"a": 1}


class Closed(TypedDict):
    name: str


def test_a_typed_dict_is_written_from_its_keys_and_keeps_the_others() -> None:
    assert value_to_json([{"name": "a", "other": 1}], list[Closed]) == [{"name": "a", "other": 1}]
