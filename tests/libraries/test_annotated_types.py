"""Our markers where other libraries read them, as metadata of annotated-types or pydantic."""

import re
import subprocess
import sys
from dataclasses import dataclass, make_dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

import annotated_types
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
    Title,
    function_to_schema,
    profiles,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, bind, json_to_value

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
