"""A pattern takes a limited number of steps, no matter who wrote it."""

import inspect
import re
import sys
from random import Random
from typing import Annotated, Any

import pytest

from milo_schema import Pattern, SchemaError, ToolSchema, profiles
from milo_schema.arguments import ArgumentsError, bind
from milo_schema.calls import call_tool
from milo_schema.checks import check_tool
from milo_schema.json_schema import matching
from milo_schema.json_schema.matching import (
    MAX_COMPILED,
    MAX_STEPS,
    Steps,
    TooManyStepsError,
    matches,
)
from milo_schema.json_schema.patterns import to_python
from milo_schema.json_schema.validation import iter_errors
from tests.every import every
from tests.instructions import instructions

SLOW = [
    "^(a+)+$",
    "^(a*)*$",
    "^(?:a|a)*$",
    "^(?:a|aa)+$",
    "^(?:a?){50}a{50}$",
    "^(?:(?:a+)?)+$",
    "^(?:a+a+)+$",
    "(?:a+)+$",
    "^(?:a{1,9}){1,99}$",
    "^(?=(?:a|a)*$)",
    "^[^b]*[^b]*[^b]*[^b]*[^b]*[^b]*$",
]
"""Patterns for which ``re`` may need a time that nobody waits for."""


@pytest.mark.parametrize("pattern", SLOW)
def test_a_slow_pattern_takes_a_few_steps_for_each_character(pattern):
    def steps(length: int) -> int:
        found = Steps()
        assert not matches(pattern, "a" * length + "b", found.step)
        return MAX_STEPS - found.left

    matches(pattern, "")  # which keeps it
    assert 50 < steps(100) < 13_000
    assert steps(400) < 4.5 * steps(100) or "{" in pattern
    assert instructions(lambda: steps(400)) < 500_000


@every(
    "row",
    [
        ("^(a+)+$", ["a", "a" * 1_000], ["", "b", "a" * 1_000 + "b"]),
        ("^(?:a|aa)+$", ["a" * 500], ["a" * 500 + "\n", "b" + "a" * 500]),
        (r"^[a-z\d]+(?:-[a-z\d]+)*$", ["a-b1" * 50], ["a--b" * 50, "a-b" * 50 + "-", "é" * 99]),
        (r"^(?:[^\W_]+\s?)+$", ["one two " * 20], ["one_two " * 20, "one  two" * 20]),
        (r"^(?:\D+)+$", ["x" * 99], ["x" * 99 + "1"]),
        (r"^(?:(?!ab)\w+?,?)*$", ["b,a," * 40], ["ab," * 40]),
        (r"^(?:\w+\b\B*,?)*$", ["ab,ab" * 20], ["ab,,ab" * 20]),
        (r"^(?:.+)+(?<=yz)$", ["x" * 99 + "yz"], ["x" * 99, "z" * 99]),
        (r"(?:a|b)+(?:a|b)+(?<!b)$", ["ab" * 50 + "a"], ["ab" * 50]),
        (r"^(?:a+){2,3}(?:b?)+c{2}$", ["a" * 99 + "bbcc"], ["a" * 99 + "bbc", "abcc"]),
        (r"(?:(?:){9})*(?:a|b|)*c", ["ab" * 99 + "c"], ["ab" * 99]),
    ],
)
def test_a_slow_pattern_matches_what_it_says(row):
    pattern, accepted, refused = row
    assert [text for text in (*accepted, *refused) if matches(pattern, text)] == accepted


ATOMS: list[str] = [
    *"abc.$^",
    "[ab]",
    "[^a]",
    "[b-c1]",
    r"\d",
    r"\w",
    r"\s",
    r"[^\d]",
    r"\W",
    r"\b",
    r"\B",
]
REPEATS = ["*", "+", "?", "{2}", "{1,2}", "{2,}", "*?", "+?", "{0}", "{0,3}"]


def random_pattern(source: Random, depth: int) -> str:
    kind = source.random()
    if depth == 0 or kind < 0.3:
        return source.choice(ATOMS)
    inner, other = random_pattern(source, depth - 1), random_pattern(source, depth - 1)
    if kind < 0.5:
        return inner + other
    if kind < 0.65:
        return f"(?:{inner}|{other})"
    if kind < 0.9:
        return f"(?:{inner}){source.choice(REPEATS)}"
    if kind < 0.97:
        return f"(?{source.choice('=!')}{inner})"
    return f"(?<{source.choice('=!')}ab)"


def test_both_ways_to_search_agree(monkeypatch):
    """With ``re``, and with all ways at once, which no text is too short for."""
    source, found = Random(31), []
    for _ in range(500):
        pattern = random_pattern(source, 4)
        text = "".join(source.choices("abc1 \n", k=source.randrange(9)))
        found.append((pattern, text, matches(pattern, text)))
        assert found[-1][2] == (re.search(to_python(pattern), text, re.ASCII) is not None)
    assert 100 < sum(each for *_, each in found) < 400
    monkeypatch.setattr(matching, "_kept", lambda each: matching._Plan(matching._plan(each).tree))
    for pattern, text, expected in found:
        assert matches(pattern, text) == expected, (pattern, text)


# -- limits ------------------------------------------------------------------------------------

MOST = 2**26 - 1


@every(
    "row",
    [
        ("^(a+)+$", 3),
        ("^a+$", MOST),
        ("a+", MOST),
        ("a+?$", 511),
        (r"^[^@]+@[^@]+\.[a-z]+$", 63),
        (r"^(a)\1+$", 511),
        (r"^(?:a|a){9}$", MOST),
        ("^(?=(a|aa)+)b", 7),
        ("(?>a+)b", 511),
        ("(?:a++)+b", 3),
        ("^a{0,900}a{0,900}b", 511),
        ("", MOST),
    ],
)
def test_re_gets_only_texts_for_which_it_is_quick(row):
    pattern, longest = row
    assert 2 ** (len(matching._plan(pattern).costs) - 1) - 1 == longest


@pytest.mark.parametrize("pattern", ["^(?:ab|cd){20}$", "(a)?(?(1)a|b)", "(?:a|a){1000000}"])
def test_re_gets_no_text_at_all_if_it_may_be_slow_for_any(pattern):
    assert matching._plan(pattern).costs == ()


def test_a_long_pattern_is_not_compiled():
    long = "^" + "a" * (MAX_COMPILED - 1)
    assert matching._plan(long).costs != ()
    assert matching._plan(f"{long}a").costs == ()
    assert matches(f"{long}a", "a" * MAX_COMPILED)
    assert not matches(f"{long}a", "a" * (MAX_COMPILED - 1))


def test_a_number_of_steps_can_be_taken_and_no_more():
    steps = Steps(2)
    steps.step()
    steps.step()
    with pytest.raises(TooManyStepsError):
        steps.step()


def test_each_search_takes_at_least_one_step():
    steps = Steps(1)
    assert matches("^a+$", "a", steps.step)
    with pytest.raises(TooManyStepsError):
        matches("^a+$", "a", steps.step)


@pytest.mark.parametrize(
    "pattern", [r"^(?:(a+)\1)+$", "^(?:(?i:a)+)+$", "^(?:(?-i:a)+)+$", "^(?:(?>a)+)+$"]
)
def test_what_only_re_knows_is_decided_for_short_texts_alone(pattern):
    assert matches(pattern, "aa")
    with pytest.raises(TooManyStepsError):
        matches(pattern, "a" * 64)


def test_a_pattern_that_is_nested_too_deeply_for_the_stack_is_not_decided():
    pattern = "^" + "(?:b|" * 100 + "a*" + ")*" * 100 + "$"

    def search(levels: int) -> bool:
        return search(levels - 1) if levels else matches(pattern, "aaaa")

    assert search(0)  # it is read here
    with pytest.raises(TooManyStepsError):
        search(sys.getrecursionlimit() - len(inspect.stack()) - 100)


# -- schemas -----------------------------------------------------------------------------------

TEXT = "a" * 40
EVIL = "^(a+)+$"


@every(
    "row",
    [
        ({"pattern": EVIL}, f"{TEXT}!", f'must match {EVIL}, got "{TEXT}!"'),
        ({"patternProperties": {EVIL: {"type": "string"}}}, {TEXT: 1}, "expected a string, got 1"),
        (
            {"patternProperties": {EVIL: {}}, "additionalProperties": False},
            {f"{TEXT}!": 1, TEXT: 1},
            "unknown property",
        ),
        (
            {"patternProperties": {EVIL: {}}, "unevaluatedProperties": False},
            {f"{TEXT}!": 1, TEXT: 1},
            "no value is valid here",
        ),
        (
            {"propertyNames": {"pattern": EVIL}},
            {f"{TEXT}!": 1, TEXT: 1},
            f'must match {EVIL}, got "{TEXT}!"',
        ),
    ],
)
def test_each_keyword_with_a_slow_pattern_is_checked(row):
    schema, value, reason = row
    assert [each.reason for each in iter_errors(value, schema)] == [reason]


def reasons(value: Any, schema: Any) -> list[str]:
    return [each.reason for each in iter_errors(value, schema)]


@pytest.mark.slow
def test_the_steps_of_patterns_are_limited_together():
    """Also those of ``re``; a long text, or a long name, may take more of them."""
    slow = {"anyOf": [{"pattern": f"^(a+)+{number}$"} for number in range(500)]}
    too_many = "its schema takes more than 100,000 steps to check; simplify it"
    assert reasons(TEXT, slow) == [too_many]
    assert instructions(lambda: reasons(TEXT, slow)) < 5_000_000
    assert reasons("aaaa", slow) == ['"aaaa" matches none of the 500 alternatives']

    quick = {"anyOf": [{"pattern": f"a+{number}$"} for number in range(100)]}
    assert reasons("a" * 500, quick) == [too_many]
    assert reasons("a" * 50, quick) != [too_many]

    long = "a" * 25_000
    with pytest.raises(TooManyStepsError):
        matches(EVIL, long)
    assert reasons(long, {"pattern": EVIL}) == []
    assert reasons({long: 1}, {"patternProperties": {EVIL: {"const": 1}}}) == []
    squared = {"pattern": "^(?:x.*z|x)*$"}
    assert reasons("x" * 100, squared) == []
    assert reasons("x" * 2_000, squared) == [too_many]


def test_a_slow_pattern_of_a_server_is_a_finding_or_an_error():
    evil = {"type": "string", "description": "A.", "pattern": EVIL}
    schema: Any = {
        "type": "object",
        "properties": {"x": {**evil, "default": f"{TEXT}!", "examples": [f"{TEXT}?"]}},
        "patternProperties": {EVIL: {"type": "integer"}},
        "additionalProperties": False,
    }
    output = {"type": "object", "properties": {"b": evil}}
    tool = ToolSchema(name="act", description="Act.", input_schema=schema, output_schema=output)
    assert [(each.place, each.code) for each in check_tool(tool)] == [
        ("act(x)", "default-misfit"),
        ("act(x)", "example-misfit"),
    ]
    refused = call_tool(tool, {"x": f"{TEXT}!", TEXT: "", f"{TEXT}!": 1}, func=lambda **_: {})
    assert refused["content"][0]["text"].partition(": ")[2] == (
        "3 problems\n"
        f'- .x: must match {EVIL}, got "{TEXT}!"\n'
        f'- .{TEXT}: expected an integer, got ""\n'
        f'- ["{TEXT}!"]: unknown argument; allowed: "x"'
    )
    with pytest.raises(SchemaError, match=r"result.b: does not match .*: must match"):
        call_tool(tool, {"x": TEXT, TEXT: 1}, func=lambda **_: {"b": f"{TEXT}!"})

    required = {**schema, "required": [TEXT, f"{TEXT}!"]}
    [finding] = check_tool(ToolSchema(name="act", description="A.", input_schema=required))[:1]
    assert (finding.code, TEXT + '!" is required' in finding.message) == (
        "undeclared-property",
        True,
    )


@pytest.mark.slow
def test_names_that_take_too_many_steps_are_not_called_undeclared():
    """Only what is known to be wrong is a finding."""
    names = [f"{number}{'a' * 300}" for number in range(100)]
    schema: Any = {"type": "object", "required": names, "additionalProperties": False}
    slow = {**schema, "patternProperties": {rf"^(\w+)+!{number}$": {} for number in range(10)}}
    tool = ToolSchema(name="act", description="A.", input_schema=slow)
    assert 1 <= len(check_tool(tool)) < 50
    assert instructions(lambda: check_tool(tool)) < 10_000_000
    quick = ToolSchema(name="act", description="A.", input_schema=schema)
    assert len(check_tool(quick)) == 100


def test_a_slow_pattern_of_your_own_is_checked():
    def act(a: Annotated[str, Pattern(EVIL)]) -> None: ...

    assert bind(act, {"a": TEXT}, profile=profiles.MCP).arguments == {"a": TEXT}
    with pytest.raises(ArgumentsError, match="must match"):
        bind(act, {"a": f"{TEXT}!"}, profile=profiles.MCP)
