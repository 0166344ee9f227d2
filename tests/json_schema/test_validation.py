"""The small validator, compared with independent validators."""

import itertools
import re
import sys
from typing import Any

import jsonschema
import jsonschema_rs
import pytest

from milo_schema import profiles, type_to_schema
from milo_schema.json_schema import validation
from milo_schema.json_schema.matching import TooManyStepsError, matches
from milo_schema.json_schema.repair import repaired, without_nulls
from milo_schema.json_schema.validation import Decisions, Trials, is_valid, iter_errors
from tests.cases import CASES, Case
from tests.every import every
from tests.instructions import instructions
from tests.needs import lacking

Json = dict[str, Any]

A: Json = {"type": "object", "properties": {"a": {}}}
B: Json = {"properties": {"b": {}}}
NAMES = ["a", "b", "ab"]
OBJECTS: list[Any] = [
    {name: value for name, value in zip(NAMES, values, strict=True) if value is not None}
    for values in ((x, y, z) for x in (None, 1, "x") for y in (None, 1, "x") for z in (None, 1))
]
ARRAYS: list[Any] = [
    [], [1], ["x"], [1, 1], [1, "x"], ["x", 1], ["x", "x"], [1, 1, 1], [1, "x", None], [[1], 1],
]  # fmt: skip
INSTANCES = [None, True, 1, 1.0, "x", "longer", *ARRAYS, *OBJECTS]
INTEGER, STRING = {"type": "integer"}, {"type": "string"}
REFERENCE = {"$ref": "#/$defs/T"}
NESTED = {"type": ["array", "integer"], "contains": REFERENCE, "unevaluatedItems": False}

SCHEMAS: list[Json] = [
    {"if": INTEGER, "then": {"minimum": 2}},
    {"if": INTEGER, "else": STRING},
    {"if": INTEGER, "then": {"minimum": 2}, "else": STRING},
    {"if": True, "then": STRING},
    {"if": False, "else": STRING},
    {"then": STRING, "else": INTEGER, "type": "integer"},
    {"contains": INTEGER},
    {"contains": INTEGER, "minContains": 2},
    {"contains": INTEGER, "minContains": 0, "maxContains": 1},
    {"contains": INTEGER, "maxContains": 1},
    {"contains": INTEGER, "minContains": 2, "maxContains": 1},
    {"minContains": 2, "maxContains": 1, "type": "array"},
    {"dependentRequired": {"a": ["b"], "b": ["ab"]}},
    {"dependentSchemas": {"a": {"properties": {"b": STRING}}, "b": {"required": ["a"]}}},
    {"dependentSchemas": {"a": False}},
    {"properties": {"a": {}}, "unevaluatedProperties": False},
    {"patternProperties": {"^a": {}}, "unevaluatedProperties": INTEGER},
    {"additionalProperties": INTEGER, "unevaluatedProperties": False},
    {"allOf": [A, B], "unevaluatedProperties": False},
    {"anyOf": [A, {**B, "required": ["b"]}, {"type": "array"}], "unevaluatedProperties": False},
    {"anyOf": [{"properties": {"a": INTEGER}}, B], "unevaluatedProperties": False},
    {"oneOf": [{**A, "required": ["a"]}, {**B, "required": ["b"]}], "unevaluatedProperties": False},
    {"not": {"not": {"properties": {"a": {}}}}, "unevaluatedProperties": False},
    {"if": {"required": ["a"], **A}, "then": B, "else": {}, "unevaluatedProperties": False},
    {"if": {"required": ["a"], **A}, "else": B, "unevaluatedProperties": False},
    {"dependentSchemas": {"a": {"properties": {"a": {}, "b": {}}}}, "unevaluatedProperties": False},
    {"$ref": "#/$defs/A", "$defs": {"A": A}, "unevaluatedProperties": False},
    {"$dynamicRef": "#/$defs/A", "$defs": {"A": A}},
    {
        "allOf": [{"unevaluatedProperties": True, "maxProperties": 1}],
        "unevaluatedProperties": False,
    },
    {"allOf": [{"unevaluatedItems": True}], "unevaluatedProperties": False},
    {"allOf": [True, A], "unevaluatedProperties": STRING},
    {"properties": {"a": {"unevaluatedProperties": False}}, "unevaluatedProperties": STRING},
    {"prefixItems": [{}], "unevaluatedItems": False},
    {"prefixItems": [{}], "unevaluatedItems": STRING},
    {"items": {}, "maxItems": 1, "unevaluatedItems": False},
    {"contains": STRING, "unevaluatedItems": False},
    {"contains": STRING, "minContains": 0, "unevaluatedItems": INTEGER},
    {"allOf": [{"prefixItems": [{}]}, {"prefixItems": [{}, STRING]}], "unevaluatedItems": False},
    {"anyOf": [{"prefixItems": [INTEGER]}, {"contains": STRING}], "unevaluatedItems": False},
    {"if": {"prefixItems": [INTEGER]}, "then": {"items": {}}, "unevaluatedItems": False},
    {"allOf": [{"unevaluatedItems": True, "maxItems": 1}], "unevaluatedItems": False},
    {"allOf": [{"unevaluatedProperties": True}], "unevaluatedItems": False},
    {**REFERENCE, "$defs": {"T": NESTED}},
]


def errors_of(*args: Any, **options: Any) -> list[tuple[str, str]]:
    """The path and the reason of each error."""
    return [(error.path, error.message) for error in iter_errors(*args, **options)]


def test_one_object_in_two_places_has_all_its_errors_in_both():
    one = {"x": "1", "y": "2"}
    schema = {
        "properties": {"a": {"$ref": "#/$defs/P"}, "b": {"$ref": "#/$defs/P"}},
        "$defs": {"P": {"properties": {"x": INTEGER, "y": INTEGER}}},
    }
    places = [path for path, _ in errors_of({"a": one, "b": one}, schema)]
    assert places == [".a.x", ".a.y", ".b.x", ".b.y"]


def tagged(kind: str, x: Any) -> dict[str, Any]:
    """An object whose property ``kind`` tells which alternative it is."""
    return {
        "type": "object",
        "properties": {"kind": {"const": kind}, "x": x},
        "required": ["kind", "x"],
    }


@every("schema", SCHEMAS)
def test_a_value_is_valid_if_two_validators_agree(schema):
    verdicts = []
    for value in INSTANCES:
        expected = jsonschema_rs.is_valid(schema, value)
        assert jsonschema.Draft202012Validator(schema).is_valid(value) is expected, value
        assert is_valid(value, schema) is expected, value
        verdicts.append(expected)
    assert set(verdicts) == {True, False}


@every("case", [case for case in CASES if not lacking(case.needs) and case.refused is None])
def test_a_value_of_the_tables_is_valid_if_another_validator_agrees(case: Case):
    schema = type_to_schema(case.type, profile=case.profile(profiles.MCP))
    judge = jsonschema.Draft202012Validator(schema)
    for instance in (*case.accepts, *case.rejects):
        assert is_valid(instance, schema) is judge.is_valid(instance), instance


ESCAPED: Json = {"$defs": {"a/b": STRING}, "$ref": "#/$defs/a~1b"}
MISSING = "its schema refers to {}, which does not exist"


@every(
    "row",
    [
        (False, 1, [("", "no value is valid here")]),
        ({"if": {"required": ["a"]}, "then": A, "unevaluatedProperties": False}, {"a": 1, "b": 2},
         [(".b", "no value is valid here")]),
        ({"type": ["integer", "null"]}, "x", [("", 'expected an integer or null, got "x"')]),
        ({"type": "integer"}, 1.5, [("", "expected an integer, got 1.5")]),
        ({"type": "null"}, "x" * 60, [("", f'expected null, got "{"x" * 60}"')]),
        ({"const": [1, {"a": True}]}, [1.0, {"a": True}], []),
        ({"const": 1}, True, [("", "expected one of 1, got true")]),
        ({"enum": ["a", [1, 2], "x" * 5_000]}, -1,
         [("", f'expected one of "a", an array of 2 items, "{"x" * 57}...", got -1')]),
        ({"enum": [*range(12)]}, -1,
         [("", f"expected one of {', '.join(map(str, range(12)))}, got -1")]),
        ({"enum": [*range(14)]}, -1,
         [("", f"expected one of {', '.join(map(str, range(12)))} or 2 more, got -1")]),
        ({"oneOf": [{}, STRING]}, "x",
         [("", '"x" matches 2 of the 2 alternatives, not exactly one')]),
        ({"anyOf": [{"type": "null"}]}, "x", [("", 'expected null, got "x"')]),
        ({"anyOf": [tagged("a", STRING), tagged("b", INTEGER)]}, {"kind": "b", "x": "1"},
         [(".x", 'expected an integer, got "1"')]),
        ({"allOf": [{"minimum": 2}]}, 1, [("", "must be at least 2, got 1")]),
        ({"not": {}}, 1, [("", '1 is excluded by "not"')]),
        (ESCAPED, 1, [("", "expected a string, got 1")]),
        ({"$ref": "#/$defs/A"}, 1, [("", MISSING.format("#/$defs/A"))]),
        ({"$ref": "https://x"}, 1, [("", MISSING.format("https://x"))]),
        ({"required": ["a b"]}, {}, [('["a b"]', "required but not given")]),
        ({"additionalProperties": False}, {"a": 1}, [(".a", "unknown property")]),
        ({"patternProperties": {"^a": STRING}, "additionalProperties": False}, {"a": 1, "b": 1},
         [(".a", "expected a string, got 1"), (".b", "unknown property")]),
        ({"unevaluatedProperties": False}, {"a b": 1}, [('["a b"]', "no value is valid here")]),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1},
         [(".ab", "must have at most 1 character, got 2")]),
        ({"prefixItems": [STRING], "items": False}, [1, 2],
         [("[0]", "expected a string, got 1"), ("[1]", "no value is valid here")]),
        ({"prefixItems": [{}], "unevaluatedItems": False}, [1, 2],
         [("[1]", "no value is valid here")]),
        ({"contains": INTEGER, "minContains": 2}, [1, "x"],
         [("", "at least 2 of its items must match 'contains', got 1")]),
        ({"contains": INTEGER, "maxContains": 1}, [1, 1],
         [("", "at most 1 of its items may match 'contains', got 2")]),
        ({"uniqueItems": True}, [1, 1.0], [("", "must be unique; items 0 and 1 are equal")]),
        ({"uniqueItems": True}, [1, True, [1], [True], {"a": 1}, {"a": 2}, {"b": 1}], []),
        ({"pattern": "^a$"}, "b", [("", 'must match ^a$, got "b"')]),
        ({"pattern": "x" * 900}, "y", [("", f'must match {"x" * 197}..., got "y"')]),
        ({"multipleOf": 2}, 3, [("", "must be a multiple of 2, got 3")]),
        ({"multipleOf": 1}, 1.00000001, [("", "must be a multiple of 1, got 1.00000001")]),
        ({"exclusiveMinimum": 1, "exclusiveMaximum": 1}, 1,
         [("", "must be more than 1, got 1"), ("", "must be less than 1, got 1")]),
        ({"maximum": 1}, 2, [("", "must be at most 1, got 2")]),
        ({"maximum": 1}, 10**5_000, [("", "must be at most 1, got <int object>")]),
        ({"minLength": 2}, "a", [("", "must have at least 2 characters, got 1")]),
        ({"minItems": 1, "maxItems": 0}, [], [("", "must have at least 1 item, got 0")]),
        ({"maxProperties": 0, "minProperties": 0}, {"a": 1},
         [("", "must have at most 0 properties, got 1")]),
        ({"title": "x", "x-mine": 1, "format": "date"}, "x", []),
        ({**INTEGER, "allOf": [INTEGER]}, "x", [("", 'expected an integer, got "x"')]),  # only once
    ],
    ids=lambda row: str(row[0]),
)  # fmt: skip
def test_an_error_has_its_path_and_its_reason(row):
    schema, value, errors = row
    assert errors_of(value, schema) == errors


def test_the_greatest_float_is_a_number_and_greater_integers_are_not():
    greatest = int(sys.float_info.max)
    assert is_valid(greatest, {"type": "number"}, formats=True)
    assert is_valid(-greatest, {"type": "number"}, formats=True)
    assert not is_valid(greatest + 1, {"type": "number"}, formats=True)
    assert not is_valid(-greatest - 1, {"type": "number"}, formats=True)


def test_some_keywords_of_a_schema_can_be_checked_alone():
    schema = {"properties": {"a": {"type": "string"}}, "additionalProperties": False}
    assert errors_of({"a": 1}, schema, keywords=["additionalProperties"]) == []
    assert errors_of({"b": 1}, schema, keywords=["additionalProperties"]) == [
        (".b", 'unknown property; allowed: "a"')
    ]


def test_the_alternative_with_the_nearest_names_was_meant():
    near = {"properties": {"a": {}, "b": {"type": "integer"}}, "required": ["a", "b"]}
    far = {"properties": {"c": {}, "d": {}, "e": {}}, "required": ["c", "d", "e"]}
    for branches in ([near, far], [far, near]):
        errors = errors_of({"a": 1, "b": "x"}, {"anyOf": branches})
        assert errors == [(".b", 'expected an integer, got "x"')]


def test_an_alternative_may_have_a_property_with_any_value():
    """The alternative with that value of "kind" is the one that was meant."""
    tagged = {"properties": {"kind": {"const": "a"}, "size": True}, "required": ["kind", "size"]}
    other = {"properties": {"kind": {"const": "b"}}, "required": ["kind"]}
    value = {"kind": "a", "size": 1, "more": 2}
    closed = {"anyOf": [{**tagged, "additionalProperties": False}, other]}
    assert errors_of(value, closed) == [(".more", 'unknown property; allowed: "kind", "size"')]


def option(required: bool = True, **tags: str) -> Json:
    """An alternative that these properties identify."""
    found = {"properties": {name: {"const": tag} for name, tag in tags.items()} | {"size": INTEGER}}
    return {**found, "required": [*tags]} if required else found


@pytest.mark.parametrize(
    ("value", "branches", "error"),
    [
        ({"kind": "c"}, [option(kind="a"), option(kind="b")],
         (".kind", 'expected one of "a", "b", got "c"')),
        ({"size": 1}, [option(kind="a"), option(kind="b")], (".kind", "required but not given")),
        ({"kind": "c"}, [option(False, kind="a"), option(False, kind="b")],
         (".kind", 'expected one of "a", "b", got "c"')),
        ({"size": "x"}, [option(False, kind="a"), option(False, kind="b")],
         ("", "an object matches none of the 2 alternatives")),
        ({"size": 1}, [option(kind="a"), option(name="b")],
         ("", "an object matches none of the 2 alternatives")),
        ({"kind": "c"}, [option(kind="a"), option(name="b")], (".name", "required but not given")),
        ({"kind": "a"}, [option(kind="a", hue="x"), option(kind="a", hue="y"), option(kind="b")],
         (".hue", "required but not given")),
        ({"hue": "z"}, [option(kind="a", hue="x"), option(kind="a", hue="y")],
         (".kind", "required but not given")),
    ],
    ids=["unknown", "missing", "unknown, optional", "missing, optional", "different",
         "not the other", "second", "first of two"],
)  # fmt: skip
def test_an_object_without_a_known_tag_is_told_the_tags_of_all_alternatives(value, branches, error):
    assert errors_of(value, {"anyOf": branches}) == [error]


def test_references_in_a_circle_end_at_once():
    names = "abcd"
    branches = [{"$ref": f"#/$defs/{name}"} for name in names]
    schema = {"$ref": "#/$defs/a", "$defs": {name: {"anyOf": branches} for name in names}}
    assert errors_of(1, schema) == [("", "1 matches none of the 4 alternatives")]
    assert errors_of(1, {"$ref": "#"}) == [("", "the reference # is circular")]
    assert errors_of({"a": 1}, {"$ref": "#", "unevaluatedProperties": False}) == [
        ("", "the reference # is circular"),
        (".a", "no value is valid here"),
    ]
    circle = {"anyOf": [{"$ref": "#"}, INTEGER]}
    assert errors_of("x", circle) == [("", "the reference # is circular")]
    tree = {"anyOf": [{"$ref": "#"}, {"items": {"$ref": "#"}, "type": ["array", "integer"]}]}
    assert is_valid([[1], 2], tree)
    assert not is_valid([["1"], 2], tree)
    known = {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, A]}}, "$ref": "#/$defs/a"}
    assert is_valid({"a": 1}, {**known, "unevaluatedProperties": False})
    assert not is_valid({"b": 1}, {**known, "unevaluatedProperties": False})


def test_an_open_object_names_what_was_to_be_a_property_that_it_lacks():
    schema = {"properties": {"name": STRING, "tags": {}}, "required": ["name"]}
    told = [
        (".name", "required but not given"),
        (".nmae", 'unknown property; did you mean "name"?'),
    ]
    assert errors_of({"nmae": 1, "other": 2}, schema) == told
    assert errors_of({"nmae": 1}, {**schema, "additionalProperties": True}) == told
    assert errors_of({"nmae": 1}, {**schema, "additionalProperties": INTEGER}) == told[:1]
    assert errors_of({"name": "a", "tasg": 1}, schema) == []
    errors = iter_errors({"nmae": 1}, schema)
    assert [each[2:4] for each in errors] == [("required", ""), ("additionalProperties", "")]
    assert errors_of({"colour": 1}, {"properties": {"color": {}}, "required": ["colour"]}) == []


def test_a_value_may_be_nested_200_deep_and_a_schema_as_deep_as_its_steps(monkeypatch):
    nested: Json = {"items": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}, "type": "array"}

    def value(depth: int) -> Any:
        return [value(depth - 1)] if depth else []

    deepest = value(200)
    assert errors_of(deepest, nested) == []
    assert is_valid(deepest, nested)
    assert Trials(10_000).errors(deepest, nested) == []
    assert Decisions(deepest, nested).accepts(deepest, nested)
    assert errors_of(value(201), nested) == [("[0]" * 201, "nested too deeply")]

    def chain(levels: int) -> Json:
        deep: Json = {"type": "array"}
        for _ in range(levels):
            deep = {"allOf": [deep]}
        return deep

    assert errors_of([], chain(2_000)) == []
    assert errors_of(1, chain(2_000)) == [("", "expected an array, got 1")]
    reason = "nested too deeply for the space left on Python's stack"
    monkeypatch.setattr(validation, "MAX_STEPS", 1_000_000)
    endless = chain(1_000) | {"unevaluatedItems": False}
    assert errors_of([1], endless) == [("", reason)]
    assert is_valid([1], endless) is False
    assert Trials(10_000).errors([1], endless) is None


def tower(keyword: str, levels: int, last: Json) -> Json:
    """A schema whose every level refers to the next one twice."""
    names = [f"A{level}" for level in range(levels + 1)]
    definitions: Json = {
        name: {keyword: [{"$ref": f"#/$defs/{after}"}] * 2}
        for name, after in itertools.pairwise(names)
    }
    return {"$ref": "#/$defs/A0", "$defs": {**definitions, names[-1]: last}}


@pytest.mark.parametrize(
    ("keyword", "error"),
    [("allOf", "expected a string, got 5"), ("anyOf", "5 matches none of the 2 alternatives")],
)
def test_a_subschema_with_many_routes_to_it_is_decided_once(keyword, error, monkeypatch):
    monkeypatch.setattr(validation, "MAX_STEPS", 10_000)
    schema = tower(keyword, 60, STRING)
    assert errors_of("x", schema) == []
    assert errors_of(5, schema) == [("", error)]

    both = {"type": "object", "required": ["a"], "properties": {"b": INTEGER}}
    assert errors_of({"b": "x"}, tower("allOf", 60, both)) == [
        (".a", "required but not given"),
        (".b", 'expected an integer, got "x"'),
    ]


def test_parts_that_many_routes_evaluate_are_found_once():
    schema = {**tower("allOf", 60, A), "unevaluatedProperties": False}
    assert is_valid({"a": 1}, schema)
    assert not is_valid({"b": 1}, schema)


def test_a_schema_that_takes_too_many_steps_is_an_error(monkeypatch):
    around = tower("anyOf", 30, {"$ref": "#/$defs/A0"})  # no decision inside a circle is kept
    monkeypatch.setattr(validation, "MAX_STEPS", 2_000)
    monkeypatch.setattr(validation, "MAX_STEPS_PER_PART", 1_000)
    reason = "its schema takes more than 3,000 steps to check; simplify it"
    assert errors_of({"a": [1]}, around) == [("", reason)]
    assert [each[2:4] for each in iter_errors({"a": [1]}, around)] == [("", "")]
    assert is_valid({"a": [1]}, around) is False
    assert repaired({"a": [1]}, around) == ({"a": [1]}, ())
    assert without_nulls({"a": [1]}, around) == {"a": [1]}
    assert Trials(9_999).errors({"a": [1]}, around) is None

    plain = {"items": STRING}
    assert is_valid(["x"] * 2_500, plain)


@every("row", [([0] * 100, 101), ("a" * 5_000, 101), ({"a" * 5_000: 0}, 102)])
def test_a_larger_value_may_take_more_steps(row):
    value, size = row
    step = Decisions(value, True).step
    step(1_000 * size)
    with pytest.raises(TooManyStepsError):
        step(1)


def test_values_are_decided_about_once_and_each_for_itself():
    rows, schema = [0] * 200, {"items": INTEGER}
    decisions = Decisions(rows, schema)
    assert all(decisions.accepts(rows, schema) for _ in range(2_000))
    for each in [1, "x"] * 50:
        assert decisions.accepts([each], schema) is (each == 1)


def test_trials_take_a_number_of_steps_together():
    trials = Trials(3)
    assert trials.errors("x", {"format": "date"}) == []
    assert trials.errors("x", {"format": "date"}) == []
    assert trials.errors("x", {"format": "date"}) is None
    assert is_valid("x", {"format": "date"})
    assert [each[2:4] for each in iter_errors("x", False)] == [("", "")]


def test_an_error_is_made_when_it_is_asked_for():
    value, closed = dict.fromkeys(map(str, range(100))), {**B, "additionalProperties": False}
    first = instructions(lambda: next(iter_errors(value, closed)))
    assert instructions(lambda: [*iter_errors(value, closed)]) > 30 * first


# -- patterns ----------------------------------------------------------------------------------

TEXTS = [
    "a", "a\n", "aa", "\n", "\r", "\u2028", "\x1c", "\xa0", "\ufeff", "\u0663", "3", "\xe9", "_",
    " ", ".", "$", "]", "/", "\U0001f600", "s", "\\", "", "-",
]  # fmt: skip
MATCHED: list[tuple[str, list[str]]] = [
    (r"^a$", ["a"]),
    (r"a\b", ["a", "a\n", "aa"]),
    (r"^\d$", ["3"]),
    (r"^\D$", [*"a\n\r\u2028\x1c\xa0\ufeff\u0663\xe9_ .$]/\U0001f600s\\-"]),
    (r"^\w$", ["a", "3", "_", "s"]),
    (r"^\W$", [*"\n\r\u2028\x1c\xa0\ufeff\u0663\xe9 .$]/\U0001f600\\-"]),
    (r"^\s$", [*"\n\r\u2028\xa0\ufeff "]),
    (r"^\S$", [*"a\x1c\u06633\xe9_.$]/\U0001f600s\\-"]),
    (r"^[\s]$", [*"\n\r\u2028\xa0\ufeff "]),
    (r"^[^\s]$", [*"a\x1c\u06633\xe9_.$]/\U0001f600s\\-"]),
    (r"^[.$]$", [".", "$"]),
    (r"^[\]$]$", ["$", "]"]),
    ("^[]$", []),
    ("^[^]$", [*"a\n\r\u2028\x1c\xa0\ufeff\u06633\xe9_ .$]/\U0001f600s\\-"]),
    ("^[^^]$", [*"a\n\r\u2028\x1c\xa0\ufeff\u06633\xe9_ .$]/\U0001f600s\\-"]),
    ("^[[.$]$", [".", "$"]),
    ("^[--/]$", [".", "/", "-"]),
    ("^[^--/]$", [*"a\n\r\u2028\x1c\xa0\ufeff\u06633\xe9_ $]\U0001f600s\\"]),
    (r"^\B$", [""]),
    ("^[a-c--/]$", ["a", ".", "/", "-"]),
    (r"^[a\-s]$", ["a", "s", "-"]),
    ("^[$&&||~~s-]$", ["$", "s", "-"]),
    (r"^.$", [*"a\x1c\xa0\ufeff\u06633\xe9_ .$]/\U0001f600s\\-"]),
    (r"^\.$", ["."]),
    (r"^\u0061$", ["a"]),
    (r"^\u{61}$", ["a"]),
    (r"^\u{1F600}$", ["\U0001f600"]),
    (r"^\cJ$", ["\n"]),
    (r"^(?<x>a)\k<x>$", ["aa"]),
    (r"^(?<=a)b|a$", ["a", "aa"]),
    (r"^(?<!a)a$", ["a"]),
    (r"^\/$", ["/"]),
    (r"^\x61$", ["a"]),
    (r"^\$$", ["$"]),
    (r"^(?:a|\n)$", ["a", "\n"]),
]
"""For each pattern, the texts that node 20's ``RegExp`` matches, under its flag u."""


@every("row", MATCHED)
def test_a_pattern_matches_as_in_ecma_262(row):
    pattern, expected = row
    assert [text for text in TEXTS if matches(pattern, text)] == expected


@pytest.mark.parametrize(
    "pattern", [r"\p{Script=Greek}", r"[", r"\u{110000}", "(" * 5_000, r"(a)?\1b", r"[\k1]"]
)
def test_nobody_knows_whether_a_pattern_matches_that_python_cannot_read(pattern):
    assert matches(pattern, "1") is None


CATEGORIES: dict[str, str] = {
    r"^\p{Letter}$": "aXéπ\U00020000",
    r"^\p{L}$": "aXéπ\U00020000",
    r"^\P{L}$": "1\u09ea_ \U0001f600",
    r"^\p{LC}$": "aXéπ",
    r"^[\p{Lu}_]$": "X_",
    r"^[^\P{digit}]$": "1\u09ea",
    r"^[\P{L}a]$": "a1\u09ea_ \U0001f600",
    r"^\p{Zs}$": " ",
}


@pytest.mark.parametrize("pattern", CATEGORIES)
def test_a_pattern_may_name_a_category_of_characters(pattern):
    found = [each for each in "aXéπ\U000200001\u09ea_ \U0001f600" if matches(pattern, each)]
    assert "".join(found) == CATEGORIES[pattern]


def test_a_character_that_a_later_unicode_may_assign_is_in_every_category():
    assert matches(r"^\p{L}$", "\U0003ffff")
    assert matches(r"^\P{L}$", "\U0003ffff")


def test_a_titlecase_letter_has_a_case():
    assert matches(r"^\p{LC}$", "\u01c5")


def test_a_pattern_with_many_categories_is_a_long_one():
    assert matches(r"\p{L}" * 9, "a" * 9)
    assert matches(r"\p{L}" * 10, "a" * 10) is None


def test_python_reads_these_patterns_differently():
    assert re.search(r"^a$", "a\n")
    assert not matches(r"^a$", "a\n")


def test_a_name_and_its_value_are_each_told_all_errors_of_a_schema_that_both_refer_to():
    reference = {"$ref": "#/$defs/A"}
    schema = {
        "propertyNames": reference,
        "additionalProperties": reference,
        "$defs": {"A": {"type": "integer", "maxLength": 1, "minimum": 3, "multipleOf": 2}},
    }

    found = [(error.path, error.keyword) for error in iter_errors({"aa": 1}, schema)]

    assert found == [
        (".aa", "type"),
        (".aa", "maxLength"),
        (".aa", "minimum"),
        (".aa", "multipleOf"),
    ]
