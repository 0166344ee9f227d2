"""Enums, and the values of ``Literal``."""

import enum
from typing import Literal

import pytest

from milo_schema import SchemaError, function_to_schema, type_to_schema
from milo_schema.arguments import ArgumentsError, json_to_value
from tests.fragments import INTEGER, STRING, exact
from tests.inside import MAX_GAPPED, MAX_NAMED, alias_of


def test_an_enum_without_members_is_refused():
    for kind in (enum.Enum, enum.IntFlag):
        with pytest.raises(SchemaError, match="has no members"):
            exact(kind)


class Unreadable(list):
    def __iter__(self):
        raise ZeroDivisionError("oops")


@pytest.mark.parametrize("value", [Unreadable([1]), {1: Unreadable([1])}], ids=str)
def test_a_literal_value_that_raises_when_it_is_read_is_refused(value):
    read = "an instance of Unreadable, which raised ZeroDivisionError('oops')"
    shown = "<Unreadable object>"
    listed = shown if type(value) is Unreadable else f"{{1: {shown}}}"
    with pytest.raises(SchemaError) as caught:
        type_to_schema(alias_of(Literal, (value,)), strict=True)
    assert caught.value.message == (
        f"Literal[{listed}] allows {read}, which cannot be written as JSON; use strings or numbers"
    )


HUGE = 10**5_000  # more digits than Python reads and writes


def test_an_integer_too_long_to_print_is_not_json():
    def f(x: int = HUGE): ...

    assert function_to_schema(f)["properties"] == {"x": INTEGER}
    with pytest.raises(SchemaError) as caught:
        type_to_schema(Literal[HUGE], strict=True)
    assert caught.value.message == (
        "Literal[<int object>] allows a whole number of more than 14,000 bits, "
        "which cannot be written as JSON; use strings or numbers"
    )


class Letter(enum.Enum):
    A = "a"


def test_an_enum_with_type_arguments_is_the_enum():
    assert type_to_schema(alias_of(Letter, (int,)), strict=True) == STRING | {"enum": ["a"]}


def test_a_flag_names_its_bits_up_to_a_limit():
    wide = enum.Flag("wide", {f"B{at}": 1 << at for at in range(MAX_NAMED + 1)})
    named = ", ".join(f"B{at}={1 << at}" for at in range(MAX_NAMED))

    assert type_to_schema(wide) == INTEGER | {
        "minimum": 0,
        "maximum": 2 ** (MAX_NAMED + 1) - 1,
        "description": named,
    }


def test_a_flag_with_gaps_between_its_bits_lists_their_combinations_up_to_a_limit():
    gapped = enum.IntFlag("gapped", {"A": 1, "C": 4})
    listed = [0, 1, 4, 5]
    assert type_to_schema(gapped) == INTEGER | {"enum": listed, "description": "A=1, C=4"}
    one, other = type_to_schema(tuple[gapped, gapped])["prefixItems"]
    assert one["enum"] is not other["enum"]
    assert [json_to_value(each, gapped) for each in listed] == [*map(gapped, listed)]
    with pytest.raises(ArgumentsError, match="expected one of 0, 1, 4, 5, got 2") as caught:
        json_to_value([2, 3], list[gapped])
    one, other = caught.value.problems
    assert (one.keyword, one.limit, other.limit) == ("enum", listed, listed)
    assert one.limit is not other.limit

    for count, keywords in (MAX_GAPPED, {"enum"}), (MAX_GAPPED + 1, {"minimum", "maximum"}):
        wide = enum.Flag("wide", {f"B{at}": 2 << at for at in range(count)})
        assert type_to_schema(wide).keys() == {"type", "description"} | keywords
