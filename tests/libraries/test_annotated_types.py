"""Our markers where other libraries read them, as metadata of annotated-types or pydantic."""

import datetime
import re
import subprocess
import sys
from dataclasses import dataclass, make_dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

import annotated_types
import msgspec
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, TypeAdapter

from milo_schema import (
    Description,
    Format,
    Ge,
    Gt,
    Injected,
    Le,
    Lt,
    MaxLen,
    MinLen,
    MultipleOf,
    Pattern,
    SchemaError,
    SchemaWarning,
    Title,
    function_to_schema,
    profiles,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, bind, binder, json_to_value

pytestmark = pytest.mark.core


class Positive(Gt):
    """A marker of a user."""


def adapter(tp: Any) -> TypeAdapter[Any]:
    return TypeAdapter(tp)


CONSTRAINTS: list[tuple[type, Any, Any, Any, Any]] = [
    (int, Gt(1), annotated_types.Gt(1), 2, 1),
    (int, Ge(1), annotated_types.Ge(1), 1, 0),
    (float, Lt(1.5), annotated_types.Lt(1.5), 1.4, 1.5),
    (Decimal, Le(Decimal("0.1")), annotated_types.Le(0.1), "0.1", "0.11"),
    (float, Ge(Fraction(1, 2)), annotated_types.Ge(0.5), 0.5, 0.4),
    (int, MultipleOf(5), annotated_types.MultipleOf(5), 10, 11),
    (str, MinLen(2), annotated_types.MinLen(2), "ab", "a"),
    (list[int], MaxLen(1), annotated_types.MaxLen(1), [1], [1, 2]),
    (int, Positive(0), annotated_types.Gt(0), 1, 0),
]


@pytest.mark.parametrize(("tp", "ours", "theirs", "valid", "invalid"), CONSTRAINTS, ids=repr)
def test_pydantic_reads_a_constraint_as_that_of_annotated_types(tp, ours, theirs, valid, invalid):
    assert list(ours) == [theirs]
    assert isinstance(ours, annotated_types.GroupedMetadata)
    mine, other = adapter(Annotated[tp, ours]), adapter(Annotated[tp, theirs])
    assert mine.json_schema() == other.json_schema()
    mine.validate_python(valid)
    with pytest.raises(pydantic.ValidationError) as refused:
        mine.validate_python(invalid)
    with pytest.raises(pydantic.ValidationError) as expected:
        other.validate_python(invalid)
    assert str(refused.value) == str(expected.value)


@pytest.mark.skipif(pydantic.VERSION < "2.12", reason="an older pydantic asks the class itself")
def test_a_marker_that_is_not_called_is_no_group():
    assert TypeAdapter(Annotated[int, Ge]).json_schema() == {"type": "integer"}


@pytest.mark.parametrize(
    "marker", [Description("x"), Title("x"), Format("x"), Injected()], ids=repr
)
def test_a_marker_that_annotated_types_lacks_is_no_group(marker):
    assert not isinstance(marker, annotated_types.GroupedMetadata)


def test_pydantic_writes_texts_and_patterns():
    tp = Annotated[str | None, Pattern("^v[0-9]"), Description("A tag."), Title("Tag")]
    reader = adapter(tp)
    assert reader.json_schema() == {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "pattern": "^v[0-9]",
        "description": "A tag.",
        "title": "Tag",
    }
    assert reader.validate_python(None) is None
    with pytest.raises(pydantic.ValidationError, match="must match '\\^v"):
        reader.validate_python("1")


def test_pydantic_checks_a_pattern_that_no_schema_can_have():
    reader = adapter(Annotated[str, Pattern(re.compile("^v", re.IGNORECASE))])
    assert reader.json_schema() == {"type": "string"}
    assert reader.validate_python("V1") == "V1"
    with pytest.raises(pydantic.ValidationError):
        reader.validate_python("1")


class Inner(BaseModel):
    a: int = 0


FIELDS: dict[str, Any] = {
    "count": Annotated[int, Ge(1), Le(9), Description("How many.")],
    "name": Annotated[str, MinLen(1), MaxLen(9), Pattern("^[a-z]"), Title("Its name")],
    "mail": Annotated[str | None, Format("email"), MinLen(5)],
    "share": Annotated[float, Gt(0), Lt(1), MultipleOf(0.5)],
    "tags": Annotated[list[Annotated[str, MinLen(1)]], MaxLen(3)],
    "inner": Annotated[Inner, Description("What is inside.")],
}
VALID = {"count": 1, "name": "a", "mail": "ab@cd", "share": 0.5, "tags": ["a"], "inner": {}}
INVALID = {"count": 0, "name": "1", "mail": "a@b", "share": 0.3, "tags": [""], "inner": 1}
Model = pydantic.create_model("Model", **FIELDS)
Record = make_dataclass("Record", FIELDS.items())


def place(order: Model): ...  # type: ignore[valid-type]


def test_a_model_has_the_keywords_of_markers_once():
    schema = type_to_schema(Model, profile=profiles.MCP)
    expected = type_to_schema(Record, profile=profiles.MCP)
    mail = expected["properties"]["mail"]  # pydantic adds a keyword to the union, not to a member
    mail["anyOf"][0] = {"type": "string", "minLength": 5}
    assert schema == expected
    parameter = function_to_schema(place, profile=profiles.MCP)["properties"]["order"]
    assert parameter == expected
    assert function_to_schema(Model, profile=profiles.MCP)["properties"] == {
        **expected["properties"],
        "mail": type_to_schema(FIELDS["mail"], profile=profiles.MCP),
    }


@pytest.mark.parametrize("name", FIELDS)
def test_what_markers_refuse_in_a_model_is_one_problem(name):
    bind(place, {"order": VALID}, profile=profiles.MCP)
    with pytest.raises(ArgumentsError, match=rf"^place\(\): \.order\.{name}") as refused:
        bind(place, {"order": VALID | {name: INVALID[name]}}, profile=profiles.MCP)
    assert len(refused.value.problems) == 1


def test_a_constraint_is_for_the_members_of_a_union_beside_a_validator_of_pydantic():
    tp = Annotated[int | str, Ge(2), AfterValidator(lambda value: value * 2)]
    assert json_to_value("a", tp) == "aa"
    assert json_to_value(2, tp) == 4
    with pytest.raises(ValueError, match="must be at least 2, got 1"):
        json_to_value(1, tp)

    def repeat(times: Annotated[int | str | None, Ge(2), AfterValidator(lambda it: it)] = 2): ...

    assert bind(repeat, {"times": "a"}).arguments == {"times": "a"}  # MILO unwraps None


@dataclass
class Step:
    size: Annotated[int, Ge(5), Lt(7)]


@given(st.builds(Step))
def test_hypothesis_obeys_bounds(step):
    assert step.size in (5, 6)


@dataclass
class Parcel:
    label: Annotated[str, MinLen(1), MaxLen(3)]
    weights: Annotated[list[Annotated[int, Gt(0)]], MinLen(2), MaxLen(4)]


@given(st.builds(Parcel))
def test_hypothesis_obeys_lengths(parcel):
    assert 1 <= len(parcel.label) <= 3
    assert 2 <= len(parcel.weights) <= 4
    assert min(parcel.weights) > 0


def test_annotated_types_is_imported_when_a_marker_is_asked():
    code = """
import sys
from typing import Annotated
from milo_schema import Ge, function_to_schema, profiles
from milo_schema.arguments import bind
marker = Ge(1)
def f(x: Annotated[int, marker]): ...
function_to_schema(f, strict=True)
bind(f, {"x": 1})
assert marker == Ge(1)
assert marker.__is_annotated_types_grouped_metadata__ is True
print("annotated_types" in sys.modules, [*marker], "annotated_types" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "False [Ge(ge=1)] True\n"


def test_a_marker_means_nothing_to_others_if_annotated_types_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "annotated_types", None)
    assert list(Ge(1)) == []
    assert type_to_schema(Annotated[int, Ge(1)]) == {"type": "integer", "minimum": 1}


# -- its own cases -----------------------------------------------------------------------------

THEIR_CASES = """
import sys, warnings
{imports}
from annotated_types.test_cases import cases
from milo_schema import profiles
from milo_schema.arguments import ArgumentsError, json_to_value
from milo_schema.results import value_to_json

warnings.simplefilter("ignore")

def is_taken(value, annotation):
    json = value if type(value) is float else value_to_json(value, type(value))
    try:
        json_to_value(json, annotation, profile=profiles.MCP)
    except ArgumentsError:
        return False
    return True

lost = [repr(value) for case in cases() for value in case.valid_cases
        if not is_taken(value, case.annotation)]
refused = [is_taken(value, case.annotation) for case in cases() for value in case.invalid_cases]
print("pydantic" in sys.modules, refused.count(False), refused.count(True), *lost, sep="|")
"""


@pytest.mark.parametrize("is_loaded", [False, True])
def test_its_own_cases_are_decided_whatever_else_is_loaded(is_loaded):
    """What is lost has no JSON (NaN, infinity), or is not of the annotated type."""
    code = THEIR_CASES.format(imports="import pydantic" if is_loaded else "")
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    loaded, refused, taken, *lost = done.stdout.strip().split("|")
    assert (loaded, int(taken)) == (str(is_loaded), 0)
    assert int(refused) > 100
    not_json = ["nan", "inf", "nan", "inf", "inf", "nan", "inf"]
    dates = ["datetime.date(2000, 1, 2)", "datetime.date(2000, 1, 3)"]
    assert lost == [*dates, "Decimal('1.1231')", "Decimal('123')", *not_json]


# -- what only calls check ---------------------------------------------------------------------


def is_even(number: int) -> bool:
    return number % 2 == 0


def is_short(text: str) -> bool:
    if not text:
        raise ValueError("must not be empty")
    return len(text) < 3


class IsPositive:
    def __call__(self, value: float) -> bool:
        return value > 0


UTC = datetime.UTC
NEW_YEAR = datetime.datetime(2026, 1, 1, tzinfo=UTC)
NAIVE = datetime.datetime(2026, 1, 1)  # noqa: DTZ001
DAY = datetime.date(2026, 1, 1)

CHECKED: dict[str, tuple[Any, Any, Any, str]] = {
    "a predicate": (Annotated[int, annotated_types.Predicate(is_even)], 2, 1,
          "must satisfy is_even, got 1"),
    "a predicate that raises": (Annotated[str, annotated_types.Predicate(is_short)], "a", "",
          "must not be empty"),
    "its opposite": (Annotated[int, annotated_types.Not(is_even)], 1, 2,
          "must satisfy <Not object>, got 2"),
    "an object": (Annotated[float, annotated_types.Predicate(IsPositive())], 1.5, -1,
          "must satisfy <IsPositive object>, got -1"),
    "two": (Annotated[str, annotated_types.Predicate(is_short),
            annotated_types.Predicate(str.islower)], "a", "A", 'must satisfy str.islower, got "A"'),
    "after a constraint": (Annotated[int, annotated_types.Predicate(is_even), Ge(5)], 6, 1,
          "must be at least 5, got 1"),
    "in a list": (list[Annotated[int, annotated_types.Predicate(is_even)]], [2], [2, 3],
          "[1]: must satisfy is_even, got 3"),
    "more": (Annotated[datetime.datetime, Gt(NEW_YEAR)], "2026-01-02T00:00:00Z",
          "2026-01-01T00:00:00Z",
          'must be more than 2026-01-01T00:00:00+00:00, got "2026-01-01T00:00:00Z"'),
    "no offset": (
        Annotated[datetime.datetime, annotated_types.Ge(NAIVE)],
        "2026-01-01T00:00:00",
        "2026-01-02T00:00:00Z",
        'must have no UTC offset and be at least 2026-01-01T00:00:00, got "2026-01-02T00:00:00Z"',
    ),
    "less": (Annotated[datetime.date | None, Lt(DAY)], None, "2026-01-01",
          'must be less than 2026-01-01, got "2026-01-01"'),
    "at most": (Annotated[datetime.timedelta | int, pydantic.Field(le=datetime.timedelta(days=1))],
          99, "P2D", 'must be at most P1DT0S, got "P2D"'),
    "a time": (Annotated[datetime.time, Ge(datetime.time(8, tzinfo=UTC))], "08:00:00Z", "07:59:00Z",
          'must be at least 08:00:00+00:00, got "07:59:00Z"'),
    "a date for a date and time": (Annotated[datetime.datetime | int, Ge(DAY)], 1,
          "2026-01-02T00:00:00Z", 'must be at least 2026-01-01, got "2026-01-02T00:00:00Z"'),
    "naive": (Annotated[datetime.datetime, annotated_types.Timezone(None)], "2026-01-01T00:00:00",
          "2026-01-01T00:00:00Z", 'must have no UTC offset, got "2026-01-01T00:00:00Z"'),
    "aware": (Annotated[datetime.datetime, annotated_types.Timezone(...)],
          "2026-01-01T00:00:00+01:00", "2026-01-01T00:00:00",
          'must have a UTC offset, got "2026-01-01T00:00:00"'),
    "naive for msgspec": (Annotated[datetime.datetime, msgspec.Meta(tz=False)],
          "2026-01-01T00:00:00", "2026-01-01T00:00:00Z",
          'must have no UTC offset, got "2026-01-01T00:00:00Z"'),
    "aware for msgspec": (Annotated[datetime.datetime, msgspec.Meta(tz=True)],
          "2026-01-01T00:00:00Z", "2026-01-01T00:00:00",
          'must have a UTC offset, got "2026-01-01T00:00:00"'),
    "UTC": (Annotated[datetime.datetime, annotated_types.Timezone(UTC)],
          "2026-01-01T00:00:00+00:00", "2026-01-01T00:00:00+01:00",
          'must have the UTC offset of UTC, got "2026-01-01T00:00:00+01:00"'),
    "finite": (Annotated[Decimal, pydantic.Field(allow_inf_nan=False)], "1.5", "NaN",
          'must be finite, got "NaN"'),
    "not surely finite": (Annotated[Decimal, pydantic.AllowInfNan()], "NaN", "x",
          'expected a decimal number in a string, got "x"'),
    "London in summer": (Annotated[datetime.datetime, annotated_types.Timezone("Europe/London")],
          "2026-07-01T00:00:00+01:00", "2026-07-01T00:00:00Z",
          'must have the UTC offset of Europe/London, got "2026-07-01T00:00:00Z"'),
}  # fmt: skip


@pytest.mark.parametrize("name", CHECKED)
def test_a_call_checks_what_no_schema_can_say(name):
    annotation, right, wrong, reason = CHECKED[name]
    json_to_value(right, annotation, profile=profiles.MCP)
    with pytest.raises(ArgumentsError) as refused:
        json_to_value(wrong, annotation, profile=profiles.MCP)
    assert str(refused.value.problems[0]) == reason


def test_the_facts_of_such_a_problem_are_those_of_the_closest_keyword():
    found = {}
    for name, (annotation, _, wrong, _) in CHECKED.items():
        with pytest.raises(ArgumentsError) as refused:
            json_to_value(wrong, annotation)
        (problem,) = refused.value.problems
        found[name] = problem.code, problem.keyword, problem.limit
    assert found["more"] == ("out-of-bounds", "exclusiveMinimum", "2026-01-01T00:00:00+00:00")
    assert found["a time"] == ("out-of-bounds", "minimum", "08:00:00+00:00")
    assert found["less"] == ("out-of-bounds", "exclusiveMaximum", "2026-01-01")
    assert found["at most"] == ("out-of-bounds", "maximum", "P1DT0S")
    assert found["finite"] == ("out-of-bounds", "", None)
    assert found["a predicate"] == ("refused", "", None)
    assert found["aware"] == ("wrong-format", "", None)


def test_a_predicate_is_no_problem_of_the_schema_and_runs_code_of_users():
    def count(x: Annotated[int, annotated_types.Predicate(is_even)]): ...

    def weigh(x: Annotated[datetime.date, Ge(DAY)]): ...

    assert function_to_schema(count, strict=True)["properties"] == {"x": {"type": "integer"}}
    assert binder(count).runs_user_code is True
    assert binder(weigh).runs_user_code is False


def test_strict_mode_and_warnings_say_which_bound_the_schema_lacks():
    def meet(day: Annotated[datetime.date, Ge(DAY)]): ...

    reason = "Ge(<date object>): JSON Schema has no bounds for a date"
    with pytest.raises(SchemaError) as refused:
        function_to_schema(meet, strict=True)
    assert str(refused.value) == f"meet(day): {reason}; only calls check it"
    with pytest.warns(SchemaWarning, match="only calls check it"):
        schema = function_to_schema(meet, profile=profiles.MCP.replace(failure="open"))
    assert schema["properties"] == {"day": {"type": "string", "format": "date"}}


@pytest.mark.parametrize("name", ["Europe/Lodon", "/Lodon"])
def test_a_time_zone_that_does_not_exist_is_a_problem(name):
    def meet(at: Annotated[datetime.datetime, annotated_types.Timezone(name)]): ...

    with pytest.raises(SchemaError, match=r"Timezone\(.*\): there is no time zone of that name"):
        function_to_schema(meet, strict=True)


def test_a_bound_of_dates_is_one_of_annotated_types_for_pydantic():
    with pytest.raises(SchemaError, match=r"^Gt\('2026'\): expected a finite number$"):
        Gt("2026")  # type: ignore[arg-type]
    assert TypeAdapter(Annotated[datetime.date, Ge(DAY)]).validate_python(DAY) == DAY
    with pytest.raises(pydantic.ValidationError):
        TypeAdapter(Annotated[datetime.date, Gt(DAY)]).validate_python(DAY)


def test_pydantic_calls_a_predicate_in_its_turn_among_validators():
    upper = pydantic.BeforeValidator(str.upper)
    annotation = Annotated[str, annotated_types.Predicate(str.isupper), upper]
    assert json_to_value("a", annotation) == "A"
    after = Annotated[str, AfterValidator(str.upper), annotated_types.Predicate(str.isupper)]
    assert json_to_value("a", after) == "A"
