"""A pattern takes a limited number of steps, no matter who wrote it."""

import inspect
import re
import sys
from collections.abc import Iterator
from itertools import chain
from random import Random
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import Annotated, Any

import pytest

from milo_schema import Pattern, ToolSchema, profiles
from milo_schema.arguments import ArgumentsError, bind
from milo_schema.checks import check
from milo_schema.json_schema import matching
from milo_schema.json_schema.drafts import read_schema
from milo_schema.json_schema.matching import (
    MAX_COMPILED,
    Steps,
    TooManyStepsError,
    matches,
    may_match,
    most_characters,
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
def test_a_slow_pattern_is_not_run_on_a_long_text(pattern):
    assert matches(pattern, "a" * 1_000 + "b") is None
    assert instructions(lambda: matches(pattern, "a" * 10_000 + "b")) < 20_000


@pytest.mark.parametrize(
    "pattern",
    [
        r"^[a-z0-9]+(?:-[a-z0-9]+)*$",
        r"^\w+(\.\w+)*$",
        r"^[^@\s]+@[^@\s]+\.[a-z]{2,}$",
        r"^/?[a-z]+(/[a-z0-9_-]+)*/?$",
        r"^([a-z]+,)*[a-z]+$",
        r"^\S+(\s\S+)*$",
        r"^(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$",
        r"^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$",
        r"^P(?!$)(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?$",
        r"^(?:[^é]+é)*[^é]*$",
        "foo.*bar",
        r"^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$",
        r"^(?!\.)(?!.*\.\.)([\w'+\-.]*)[\w+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$",
    ],
)
def test_what_the_next_character_decides_is_not_slow(pattern):
    assert most_characters(pattern) is None
    assert matches(pattern, "!" * 1_000) is (re.search(to_python(pattern), "!" * 1_000) is not None)


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


class Walk:
    """A search that tries one way after another, as ``re`` does, and counts its steps."""

    def __init__(self, text: str) -> None:
        self.text, self.steps = text, 0
        self.parts: dict[str, re.Pattern[str]] = {}

    def search(self, tree: Any) -> int:
        """The steps to search for a pattern."""
        starts = range(len(self.text) + 1)
        any(next(self.ends(tree, start), None) is not None for start in starts)
        return self.steps

    def ends(self, items: Any, at: int) -> Iterator[int]:
        """The positions where parts may end that begin at one."""
        self.steps += 1
        if not len(items):
            yield at
            return
        (kind, given), rest = items[0], list(items)[1:]
        for end in getattr(self, kind.name.lower(), self.other)(kind, given, at):
            yield from self.ends(rest, end)

    def max_repeat(self, kind: Any, given: Any, at: int) -> Iterator[int]:
        low, high, inner = given
        again = (
            each
            for end in (self.ends(inner, at) if high > 0 else ())
            if end > at or low > 0
            for each in self.max_repeat(kind, (low - 1, high - 1, inner), end)
        )
        here = (at,) if low <= 0 else ()
        yield from chain(here, again) if kind.name == "MIN_REPEAT" else chain(again, here)

    min_repeat = max_repeat

    def branch(self, _kind: Any, given: Any, at: int) -> Iterator[int]:
        return chain.from_iterable(self.ends(each, at) for each in given[1])

    def subpattern(self, _kind: Any, given: Any, at: int) -> Iterator[int]:
        return self.ends(given[-1], at)

    def look(self, kind: Any, given: Any, at: int) -> Iterator[int]:
        direction, inner = given
        start = at if direction > 0 else at - inner.getwidth()[0]
        found = start >= 0 and next(self.ends(inner, start), None) is not None
        return iter([at] * (found == (kind.name == "ASSERT")))

    assert_not = look

    def other(self, kind: Any, given: Any, at: int) -> Iterator[int]:
        if kind.name == "ASSERT":
            return self.look(kind, given, at)
        key = repr((kind, given))
        if key not in self.parts:
            part = _parser.SubPattern(_parser.State(), [(kind, given)])
            self.parts[key] = _compiler.compile(part, re.ASCII)
        found = self.parts[key].match(self.text, at)
        return iter([found.end()] if found else [])


def test_re_takes_no_more_steps_than_are_counted():
    """Each pattern with a text on which it fails as late as possible, if it fails."""
    source, texts = Random(31), ("a" * 15, "ab" * 7, "abc1" * 3, "b a\n" * 3)
    checked = 0
    while checked < 200:
        pattern = random_pattern(source, 4) + source.choice(["", "$", "!"])
        tree = _parser.parse(to_python(pattern), re.ASCII)
        for text in texts:
            if matches(pattern, text) is not None:
                estimate = matching._Estimate(len(text))
                _, most = estimate.ways(tree, matching._DONE)
                assert Walk(text).search(tree) <= most * (len(text) + 1), (pattern, text)
                checked += 1


# -- limits ------------------------------------------------------------------------------------


@every(
    "row",
    [
        ("^(a+)+$", 3),
        ("^a+$", None),
        ("a+", None),
        ("a+?$", None),
        (r"^[^@]+@[^@]+\.[a-z]+$", None),
        (r"^.+@.+\.[a-z]+$", 63),
        (r"^(a)\1+$", None),
        (r"^(?:a|a){9}$", None),
        ("^(?=(a|aa)+)b", 7),
        ("^(?:(?:(?:(?:(?=a))+){2}){2,}){5,}!", 0),
        (r"x*(?:\b|){8}c", 15),
        ("(?>a+)b", None),
        ("(?:a++)+b", 3),
        (r"^(?:(?i:a+)A)+$", 3),
        (r"(?m)^a+$", None),
        (r"^(?:(?i:ab|AB))*$", 7),
        (r"^(?:(?:\W+|[^-]\D+),)*$", 3),
        ("^(?:a[ab]*a,)+$", None),
        ("^(?:a[ab]*aaa,)+$", None),
        ("^(?:a[ab]*aaaa,)+$", 3),
        ("^(?:a[ab,]*a,)+$", 3),
        ("^(?:a[ab]*[a,],)+$", 3),
        ("^(?:a[ab]*a?,)+$", 3),
        ("^(?:a(?:ab)*a,)+$", 3),
        (r"^(?:(?:\d+|\d*b),)*$", None),
        (r"^(?:(?:\d(b)+|\d+),)*$", None),
        (r"^(?:(?:\d+|(?=1)\d*b),)*$", None),
        (r"^(?:(?:\d+|\d*b?),)*$", 7),
        (r"^(?:(?:\d+|\d*,),)*$", 7),
        (r"^(?:(?:\d+|\d(?:bb|cc)),)*$", 7),
        (r"^(?:(?:\d+|(?i:1)b),)*$", 7),
        ("^a{0,900}a{0,900}b", None),
        ("", None),
        ("^(?:ab|cd){20}$", None),
        ("(a)?(?(1)a|b)", 0),
        ("(?:a|a){1000000}", 0),
        ("[", None),
    ],
)
def test_a_slow_pattern_is_run_on_texts_for_which_it_is_quick(row):
    pattern, longest = row
    assert most_characters(pattern) == longest


COSTS: list[tuple[str, int, int]] = [
    # the pattern, the bits of the length of the text, and the steps, counted in thousands
    ("^a+$", 14, 66), ("a+", 14, 82), ("a+?$", 11, 12588), (r"^[^@]+@[^@]+\.[a-z]+$", 11, 12596),
    (r"^.+@.+\.[a-z]+$", 6, 779), (r"^(a)\1+$", 13, 67126), (r"(a|b)\1", 13, 67126),
    ("^(?:a|a){9}$", 14, 43), ("^(?=(a|aa)+)b", 3, 7), (r"x*(?:\b|){8}c", 4, 423),
    ("(?>a+)b", 12, 33567), ("(?:a++)+b", 2, 5), ("(?m)^a+$", 11, 12585), ("foo.*bar", 10, 6299),
    ("^(?:(?i:ab|AB))*$", 3, 10), (r"^(?:(?:\W+|[^-]\D+),)*$", 2, 24), ("a{2,5}b{3}$", 14, 525),
    ("^(?:a[ab]*a,)+$", 10, 5250), ("^(?:a[ab]*aaa,)+$", 10, 6300),
    ("^(?:a[ab]*aaaa,)+$", 2, 9), (r"^(?:(?:\d+|\d*b),)*$", 10, 9445),
    (r"^(?:(?:\d+|\d(?:bb|cc)),)*$", 3, 49), ("^a{0,900}a{0,900}b", 14, 3267),
    ("^(?:ab|cd){20}$", 14, 17), (r"(?:\b|a){3}b", 14, 3818), ("^(?:-+a|-)*", 11, 12602),
    ("^(?:(?:-+a)?-)*", 11, 12610), ("^(?:(?=-+b|)-)*", 11, 12598), ("^(-+a*)*", 14, 164),
    ("^(?:[b-]a+|-b*)*", 14, 279), ("^-+(?:a[a-z]+-)*", 14, 164), ("^(?:-+|a+b)*", 14, 181),
    ("^(?:a{2,4}|-)*", 14, 50), ("^(?:a{3}-|-)*", 14, 17), ("^(?:(?>-+b|)-)*", 11, 12598),
    ("^(?:(?!-+b|a)-)*", 11, 12600), ("^(?:(?:a*)?-)*", 14, 197), ("^(?:[ab]*b,?)+$", 2, 14),
    ("^(?:(?:ab*|ba*|ac),)*$", 10, 8400), (r"^(?:(?:\d+|\d*bc*),)*$", 9, 3150),
    (r"^(?:(?:\d+|(?!1)\b\d*b)\x00)*$", 10, 9448), (r"^(?:c+(?:\b|a){3}b)*$", 2, 439),
    (r"^(?:(?:\d+|(?:11|22)b),)*$", 11, 16808), (r"^(a)(?:\1b)*$", 13, 67134),
    (r"^(?:\x00+\ba?b)*$", 10, 5257), ("^(?:b+a?b)*$", 2, 5), ("^(?:a+(?i:A))*$", 2, 2),
    ("^(?:a+(?-i:A))*$", 2, 2), ("^(?:[^@]+a)*$", 2, 2), ("^(?:[^@]+\U0001f600)*$", 2, 2),
    (r"^(?:\w+[/:@[^`{])*$", 11, 16786), (r"^(?:[09AZ_az]+\W)*$", 11, 16786),
    (r"^(?:[\S]+[\t\r ])*$", 11, 16786), (r"^(?:\x0e+[\S])*$", 2, 2), (r"^(?:!+[\S])*$", 2, 2),
    (r"^(?:(?i:(?>a+)b))*$", 12, 33580),
    (r"^(?:\d+[/:])*$", 11, 16786), (r"^(?:[09]+\D)*$", 11, 16786),
]  # fmt: skip


@every("row", COSTS)
def test_the_steps_of_a_search_are_estimated(row):
    pattern, bits, cost = row
    steps: list[int] = []
    matches(pattern, "-" * (2**bits - 1), steps.append)
    assert steps == [cost]


IN_VAIN = ["^(?:-+a|-)*", "^(?:(-+a|-))*", "^(?:(?:-+a)?-)*", "^(?:(?=-+b|)-)*"]
ONCE = ["^(-+a*)*", "^(?:[b-]a+|-b*)*", "^-+(?:a[a-z]+-)*", "^(?:-+|a+b)*"]


@every("pattern", IN_VAIN)
def test_what_a_repetition_at_the_end_reads_in_vain_counts(pattern: str):
    assert matches(pattern, "-" * 1_000)
    with pytest.raises(TooManyStepsError):
        matches(pattern, "-" * 10_000)


@every("pattern", ONCE)
def test_a_repetition_at_the_end_reads_what_matches_once(pattern: str):
    assert matches(pattern, "-" * 100_000, Steps(1_000_000).step)


def test_a_pattern_that_is_not_slow_is_never_left_out():
    """A text that is too long for it is refused, because its author was told nothing."""
    assert matches("foo.*bar", "foo" * 300) is False
    with pytest.raises(TooManyStepsError):
        matches("foo.*bar", "foo" * 5_000)


def test_a_long_pattern_is_not_run():
    long = "^" + "a" * (MAX_COMPILED - 1)
    assert matches(long, "a" * MAX_COMPILED) is True
    assert matches(f"{long}a", "") is None
    assert (most_characters(long), most_characters(f"{long}a")) == (None, 0)


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


def test_a_pattern_that_is_nested_as_deep_as_it_can_be_is_read_quickly():
    deep = "^" + "(?:b|" * 90 + "a*" + ")*" * 90 + "$"
    assert instructions(lambda: most_characters(deep)) < 1_000_000
    assert most_characters(deep) == 0


def test_a_pattern_that_is_nested_too_deeply_for_the_stack_is_not_decided():
    pattern = "^" + "(?:b|" * 90 + "a*" + ")*" * 90 + "c"

    def search(levels: int) -> bool | None:
        return search(levels - 1) if levels else matches(pattern, "aaaa")

    assert search(sys.getrecursionlimit() - len(inspect.stack()) - 100) is None


# -- schemas -----------------------------------------------------------------------------------

TEXT = "a" * 40
EVIL = "^(a+)+$"
A = {"$ref": "#/$defs/A"}


@every(
    "row",
    [
        ({"pattern": EVIL}, f"{TEXT}!"),
        ({"patternProperties": {EVIL: {"type": "string"}}}, {f"{TEXT}!": 1}),
        ({"patternProperties": {EVIL: {}}, "additionalProperties": False}, {f"{TEXT}!": 1}),
        ({"patternProperties": {EVIL: {}}, "unevaluatedProperties": False}, {f"{TEXT}!": 1}),
        ({"propertyNames": {"pattern": EVIL}}, {f"{TEXT}!": 1}),
        ({"not": {"pattern": EVIL}}, f"{TEXT}!"),
        ({"not": {"propertyNames": {"not": {"pattern": EVIL}}}}, {f"{TEXT}!": 1}),
        ({"anyOf": [{"not": {"anyOf": [{"pattern": EVIL}]}}]}, f"{TEXT}!"),
        ({"allOf": [A], "not": A, "$defs": {"A": {"pattern": EVIL}}}, f"{TEXT}!"),
        ({"oneOf": [{"pattern": EVIL}, {"type": "string"}]}, f"{TEXT}!"),
        ({"if": {"pattern": EVIL}, "then": False, "else": True}, f"{TEXT}!"),
    ],
)
def test_no_value_is_refused_by_a_slow_pattern(row):
    schema, value = row
    assert reasons(value, schema) == []
    assert reasons(value, {**schema, "maxLength": 9, "maxProperties": 0}) != []


def reasons(value: Any, schema: Any) -> list[str]:
    return [each.message for each in iter_errors(value, schema)]


def test_what_is_certain_beside_a_slow_pattern_is_refused():
    evil = {"pattern": EVIL}
    assert reasons(f"{TEXT}!", {"allOf": [evil], "not": {"type": "string"}}) != []
    assert reasons(f"{TEXT}!", {"oneOf": [{**evil, "type": "null"}, {"type": "null"}]}) != []
    assert reasons(f"{TEXT}!", {"if": {**evil, "type": "null"}, "else": False}) != []


def test_a_slow_pattern_is_enforced_for_short_texts():
    assert reasons("ab", {"pattern": EVIL}) == [f'must match {EVIL}, got "ab"']


@pytest.mark.slow
def test_the_steps_of_patterns_are_limited_together():
    """A long text, or a long name, may take more of them."""
    too_many = "its schema takes more than 100,000 steps to check; simplify it"
    quick = {"anyOf": [{"pattern": f"a+[ab]{number}$"} for number in range(100)]}
    assert reasons("a" * 500, quick) == [too_many]
    assert reasons("a" * 50, quick) != [too_many]
    assert reasons("a" * 1_000, {"pattern": "a+$"}) == []
    assert reasons({"a" * 1_000: 1}, {"patternProperties": {"a+$": {"const": 1}}}) == []


def test_a_slow_pattern_of_a_server_is_a_finding_and_refuses_nothing():
    evil = {"type": "string", "description": "A.", "pattern": EVIL}
    schema: Any = {
        "type": "object",
        "properties": {"x": {**evil, "default": f"{TEXT}!", "examples": [f"{TEXT}?"]}},
        "patternProperties": {EVIL: {"type": "integer"}},
        "additionalProperties": False,
    }
    output = {"type": "object", "properties": {"b": evil}}
    tool = ToolSchema(name="act", description="Act.", input_schema=schema, output_schema=output)
    assert [(each.path, each.code) for each in check(tool)] == [
        ("act", "slow-pattern"),
        ("act(x)", "slow-pattern"),
        ("act() -> result.b", "slow-pattern"),
    ]
    arguments = {"x": f"{TEXT}!", TEXT: "", f"{TEXT}!": 1}
    called = tool.with_function(lambda **given: {"b": f"{len(given)}{TEXT}!"}).call(arguments)
    assert called["structuredContent"] == {"b": f"3{TEXT}!"}

    required = {**schema, "required": [TEXT, f"{TEXT}!"]}
    found = check(ToolSchema(name="act", description="A.", input_schema=required))
    assert {each.code for each in found} == {"slow-pattern"}


def test_a_slow_pattern_is_no_finding_where_all_texts_are_short():
    def codes(schema: Any) -> list[str]:
        return [each.code for each in read_schema(schema).faults]

    assert codes({"pattern": EVIL}) == ["slow-pattern"]
    assert codes({"pattern": EVIL, "maxLength": 4}) == ["slow-pattern"]
    assert codes({"pattern": EVIL, "maxLength": 3}) == []
    assert codes({"patternProperties": {EVIL: {}}}) == ["slow-pattern"]


@pytest.mark.slow
def test_names_that_take_too_many_steps_are_not_called_undeclared():
    """Only what is known to be wrong is a finding."""
    names = [f"{number}{'a' * 300}" for number in range(100)]
    schema: Any = {"type": "object", "required": names, "additionalProperties": False}
    slow = {**schema, "patternProperties": {rf"\w+!{number}$": {} for number in range(10)}}
    tool = ToolSchema(name="act", description="A.", input_schema=slow)
    found = [each for each in check(tool) if each.code == "undeclared-property"]
    assert 1 <= len(found) < 50
    assert instructions(lambda: check(tool)) < 10_000_000
    quick = ToolSchema(name="act", description="A.", input_schema=schema)
    assert len(check(quick)) == 100


def test_a_slow_pattern_of_your_own_is_treated_alike():
    def act(a: Annotated[str, Pattern(EVIL)]) -> None: ...

    assert bind(act, {"a": f"{TEXT}!"}, profile=profiles.MCP).arguments == {"a": f"{TEXT}!"}
    with pytest.raises(ArgumentsError, match="must match"):
        bind(act, {"a": "a!"}, profile=profiles.MCP)


def test_a_pattern_may_match_where_the_steps_do_not_suffice_to_know():
    assert may_match("^a$", "b", Steps(1)) is False
    assert may_match("^a$", "b", Steps(0)) is True
