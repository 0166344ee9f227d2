"""Random modules, hostile and ordinary: a valid schema or a `SchemaError`, the same each time.

The same as ``python -m tests.tools.fuzz``, which makes as many as you have time for; here are a few
of them, and what it found before.
"""

import itertools
import random
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from milo_schema import Profile, profiles
from tests.every import every
from tests.tools.fuzz import campaign, generator, judge


def holds(below: generator.Below) -> None:
    """Hold that all that is derived of a module is as it should be."""
    case = generator.case(below)
    for derivation in judge.derivations(case, below):
        found = judge.judged(derivation)
        assert found.faults == [], (derivation.name, case.source)


some = settings(deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)


@settings(some, max_examples=50)
@given(st.randoms(use_true_random=False))
@pytest.mark.slow
def test_a_few_random_modules(choices):
    holds(choices.randrange)


@pytest.mark.long
@settings(some, max_examples=20_000)
@given(st.randoms(use_true_random=False))
def test_many_random_modules(choices):
    holds(choices.randrange)


FOUND = [
    1488, 10001, 10009, 10010, 10029, 10040, 10119, 10139, 10280, 10448, 11197, 11222, 11227,
    11229, 11471, 20377, 30364, 40134, 40232, 51403, 60488, 20005914, 20023189, 20037737,
    30010084, 30012017, 71260079, 71280155, 72220327, 75240915, 79281319,
]  # fmt: skip
"""Seeds with which something was found, once; ``test_hostile`` has the objects themselves."""


@every("seed", FOUND)
def test_the_modules_of_past_findings(seed):
    holds(random.Random(seed).randrange)


@pytest.mark.long
def test_the_slowest_module_of_past_findings():
    holds(random.Random(50439).randrange)  # takes as long as all others together


# -- the fuzzer itself -------------------------------------------------------------------------


def test_the_same_seed_makes_the_same_module():
    first, second = (generator.case(random.Random(5).randrange).source for _ in range(2))
    assert first == second
    assert first != generator.case(random.Random(6).randrange).source


def test_the_modules_are_of_every_kind():
    sources = [generator.Source(random.Random(seed).randrange).statements() for seed in range(2000)]
    text = "\n".join("\n".join(statements) for statements in sources)
    newer = () if sys.version_info >= (3, 12) else ("newer class",)
    for symbol in generator.GRAMMAR.keys() - {*newer, "callable"}:
        heads = {each.partition("<")[0].partition("\n")[0] for each in generator.GRAMMAR[symbol]}
        seen = {head for head in heads if head in text}
        assert len(seen) > len(heads) // 2, (symbol, heads - seen)


@pytest.mark.slow
def test_most_derivations_give_a_schema_or_an_error_that_says_why():
    tally = campaign.run(range(100))
    assert tally.cases == 100
    assert tally.faults.keys() <= {campaign.TOO_SLOW}, tally.report()  # no test asserts a time
    assert tally.results["schemas"] > 200
    assert tally.results["errors"] > 100
    assert tally.results["docstrings"] > 20


def test_every_profile_is_tried():
    names = {each.name for each in judge.PROFILES}
    assert names >= {each.name for each in vars(profiles).values() if isinstance(each, Profile)}
    assert {"shared", "told"} <= names


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "strange"}, "it is no valid schema"),
        ({"default": {1: 2}}, "it is not JSON"),
        ({"items": {"$ref": "https://example.com"}}, "it refers to 'https://example.com'"),
        ({"items": {"$ref": "#/$defs/X"}, "$defs": {"Y": {}}}, "nothing is '#/$defs/X'"),
    ],
)
def test_the_judge_finds_each_kind_of_failure(schema, fault):
    with pytest.raises(AssertionError, match=fault.replace("$", r"\$")):
        judge.check(schema)


def test_the_judge_reports_other_exceptions():
    def raises():
        raise ZeroDivisionError

    answers = itertools.count()
    wrong = judge.judged(judge.Derivation("raises", raises))
    other = judge.judged(judge.Derivation("changes", lambda: {"minimum": next(answers)}))
    assert wrong.faults == ["ZeroDivisionError in the judge"]
    assert other.faults == ["the second time it is another"]


def test_the_judge_can_be_interrupted():
    def interrupts():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge.judged(judge.Derivation("interrupts", interrupts))
