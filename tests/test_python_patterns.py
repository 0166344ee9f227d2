"""Patterns that only Python can read: the schema leaves them out, and calls check them."""

import re
import warnings
from typing import Annotated, Any, TypedDict

import pydantic
import pytest

from milo_schema import (
    MinLen,
    Pattern,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, bind, json_to_value

UPPER = re.compile("^a+$", re.IGNORECASE)
REASON = (
    "Pattern(re.compile('^a+$', re.IGNORECASE)): JSON Schema patterns do not support the flags "
    "of a compiled pattern; only calls check it"
)
EVERY = {each.name: each for each in vars(profiles).values() if isinstance(each, profiles.Profile)}


def find(word: Annotated[str, Pattern(UPPER), MinLen(2)]) -> None: ...


@pytest.mark.parametrize("name", EVERY)
def test_a_pattern_with_flags_is_one_warning_and_stops_nothing(name):
    profile = EVERY[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        schema = function_to_schema(find, profile=profile)

    said = [each for each in caught if str(each.message) == f"find(word): {REASON}"]
    assert len(said) == 1
    assert "pattern" not in schema["properties"]["word"]
    assert bind(find, {"word": "aA"}, profile=profile).kwargs == {"word": "aA"}
    with pytest.raises(ArgumentsError) as raised:
        bind(find, {"word": "ab"}, profile=profile)
    (problem,) = raised.value.problems
    assert problem.message == "must match re.compile('^a+$', re.IGNORECASE), got \"ab\""
    assert (problem.code, problem.keyword, problem.limit) == ("wrong-format", "pattern", "^a+$")


def test_other_restrictions_are_written_and_come_first():
    with pytest.warns(SchemaWarning):
        schema = type_to_schema(Annotated[str, MinLen(2), Pattern(UPPER)], profile=profiles.MCP)

    assert schema == {"type": "string", "minLength": 2}
    with pytest.raises(ArgumentsError, match="at least 2 characters"):
        json_to_value("b", Annotated[str, MinLen(2), Pattern(UPPER)], profile=profiles.MCP)


def test_strict_mode_refuses_it():
    with pytest.raises(SchemaError) as raised:
        function_to_schema(find, strict=True)

    assert [each.code for each in raised.value.problems] == ["unfit-marker"]
    assert raised.value.problems[0].message == REASON


def test_an_open_profile_gives_nothing_up():
    with pytest.warns(SchemaWarning, match="only calls check it"):
        schema = function_to_schema(find, profile=profiles.MCP.replace(name="x", failure="open"))

    assert schema["properties"] == {"word": {"type": "string", "minLength": 2}}


def test_another_problem_is_still_an_error():
    def both(word: Annotated[str, Pattern(UPPER)], other: complex) -> None: ...

    profile = profiles.MCP.replace(name="x", failure="error")
    with (
        pytest.warns(SchemaWarning, match="only calls check it"),
        pytest.raises(SchemaError) as raised,
    ):
        function_to_schema(both, profile=profile)

    assert [each.path for each in raised.value.problems] == ["both(other)"]


@pytest.mark.parametrize(
    ("pattern", "right", "wrong"),
    [("(?i)^a$", "A", "b"), ("^a*+b$", "aab", "aa"), ("^(?>a|ab)c$", "ac", "abc")],
)
@pytest.mark.parametrize("wrap", [Pattern, lambda text: pydantic.Field(pattern=re.compile(text))])
def test_syntax_that_only_python_has_is_checked_by_calls(wrap, pattern, right, wrong):
    tp: Any = Annotated[str, wrap(pattern)]

    assert json_to_value(right, tp) == right
    with pytest.raises(ArgumentsError, match="must match"):
        json_to_value(wrong, tp)


def test_several_patterns_all_apply_wherever_they_are():
    Word = TypedDict("Word", {"text": Annotated[str | int, Pattern(UPPER), Pattern("(?i)^.{3}$")]})

    assert json_to_value([{"text": "AAA"}, {"text": 5}], list[Word]) == [
        {"text": "AAA"},
        {"text": 5},
    ]
    for wrong in ("aa", "bbb"):
        with pytest.raises(ArgumentsError, match=r"\[0\].text: must match"):
            json_to_value([{"text": wrong}], list[Word])


def test_a_pattern_that_is_not_one_is_still_a_problem():
    with pytest.warns(SchemaWarning, match="not a valid regular expression"):
        assert type_to_schema(Annotated[str, Pattern("(")]) == {"type": "string"}
