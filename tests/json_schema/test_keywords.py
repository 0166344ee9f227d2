"""The table of keywords: it matches the specification, and its readers cover it."""

import warnings
from typing import Annotated, Any

import jsonschema
import jsonschema_rs
import jsonschema_specifications
import pytest

from milo_schema import Format, type_to_schema
from milo_schema.compare import compare
from milo_schema.dialects import write_in
from milo_schema.dialects.branches import Describer
from milo_schema.json_schema import TYPES
from milo_schema.json_schema.keywords import (
    ANNOTATION_KEYWORDS,
    BOUNDS,
    CONSTRAINING,
    IDENTIFIER,
    KEYWORDS,
    REFERENCE,
    SCHEMA_KEYWORDS,
    SCHEMA_LIST_KEYWORDS,
    SCHEMA_MAP_KEYWORDS,
    VOCABULARIES,
    WAY_OUT,
    is_annotation,
    tighten,
)
from milo_schema.json_schema.problems import contradictions
from milo_schema.json_schema.subschemas import checked, resolve_reference, subschemas_of
from milo_schema.json_schema.validation import VALIDATORS, is_valid
from tests.every import every

pytestmark = pytest.mark.core

Json = dict[str, Any]
DRAFT = "https://json-schema.org/draft/2020-12"


def meta(vocabulary: str) -> Json:
    """The schema of each keyword in the meta-schema of a vocabulary."""
    contents: Any = jsonschema_specifications.REGISTRY.contents(f"{DRAFT}/meta/{vocabulary}")
    properties: Json = contents["properties"]
    return properties


META: dict[str, Json] = {
    name: {} if rule is True else rule
    for vocabulary in VOCABULARIES
    for name, rule in meta(vocabulary).items()
}
every_keyword = every("keyword", KEYWORDS)

# -- the meta-schema ---------------------------------------------------------------------------


def test_the_vocabularies_are_those_of_the_meta_schema():
    contents: Any = jsonschema_specifications.REGISTRY.contents(f"{DRAFT}/schema")
    assert {f"{DRAFT}/vocab/{name}" for name in VOCABULARIES} == contents["$vocabulary"].keys()


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_every_keyword_of_a_vocabulary_has_a_row(vocabulary):
    assert VOCABULARIES[vocabulary].keys() == meta(vocabulary).keys()


# Section 7.3 of the validation specification of 2020-12; only others are reported.
OF_THE_SPECIFICATION = [
    "date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname",
    "ipv4", "ipv6", "uri", "uri-reference", "iri", "iri-reference", "uuid", "uri-template",
    "json-pointer", "relative-json-pointer", "regex",
]  # fmt: skip


@pytest.mark.parametrize("name", [*OF_THE_SPECIFICATION, "strange"])
def test_a_format_of_the_specification_is_known(name):
    annotation = Annotated[str, Format(name)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert type_to_schema(annotation) == {"type": "string", "format": name}
    assert [each.message.code for each in caught] == ["unknown-format"] * (name == "strange")


def test_the_types_are_those_of_the_meta_schema():
    contents: Any = jsonschema_specifications.REGISTRY.contents(f"{DRAFT}/meta/validation")
    assert set(TYPES) == set(contents["$defs"]["simpleTypes"]["enum"])


def test_subschemas_are_in_the_same_keywords_as_in_the_meta_schema():
    schema = {"$dynamicRef": "#meta"}
    alone = {name for name, rule in META.items() if "$dynamicRef" in rule}
    in_lists = {name for name, rule in META.items() if rule.get("$ref") == "#/$defs/schemaArray"}
    in_maps = {name for name, rule in META.items() if rule.get("additionalProperties") == schema}
    assert alone == SCHEMA_KEYWORDS
    assert in_lists == SCHEMA_LIST_KEYWORDS
    assert in_maps == SCHEMA_MAP_KEYWORDS
    assert min(map(len, (alone, in_lists, in_maps))) > 3


@every_keyword
def test_subschemas_are_found_under_the_keywords_that_hold_them(keyword):
    subschema = {"type": "string"}
    found = [subschemas_of({keyword: each}) for each in (subschema, [subschema], {"a": subschema})]
    expected = [keyword in SCHEMA_KEYWORDS, keyword in SCHEMA_LIST_KEYWORDS]
    assert [each == [subschema] for each in found[:2]] == expected
    assert (found[2] == [subschema]) is (keyword in SCHEMA_MAP_KEYWORDS)


VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 0.5, -0.5, "", "a", "string", "integer", "#/a",
    [], ["a"], ["a", "a"], ["string", "null"], ["string", "string"], [1], [True], [{}], [{}, 1],
    [None], {}, {"a": 1}, {"a": True}, {"a": {}}, {"a": ["b"]}, {"a": ["b", "b"]}, {"a": "b"},
    {"a": {}, "b": 1},
]  # fmt: skip


@every(
    "keyword",
    [name for name, row in KEYWORDS.items() if row.value not in (IDENTIFIER, REFERENCE)],
)
def test_the_value_of_a_keyword_matches_the_meta_schema(keyword):
    judge = jsonschema.Draft202012Validator({"$ref": f"{DRAFT}/schema"})
    for value in VALUES:
        assert KEYWORDS[keyword].value.is_valid(value) is judge.is_valid({keyword: value}), value


@pytest.mark.parametrize(
    ("keyword", "problem"),
    [
        ("$id", "'$id' is only allowed in a standalone schema; remove it"),
        ("$anchor", "'$anchor' is only allowed in a standalone schema; remove it"),
        ("minLength", "'minLength' must be a non-negative integer, not 'a'"),
        ("$dynamicRef", f"'$dynamicRef' must be a reference into this schema, not 'a'; {WAY_OUT}"),
    ],
)  # fmt: skip
def test_an_invalid_value_of_a_keyword_is_a_problem(keyword, problem):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is below
        checked({"items": {keyword: "a"}})
    assert str(caught.value) == problem


# -- the meaning of keywords -------------------------------------------------------------------

SAMPLES: dict[str, tuple[str, Any, Any]] = {
    "allOf": ("string", [{"minLength": 1, "minItems": 1}], [{"minLength": 2}]),
    "anyOf": ("string", [{"minLength": 1, "minItems": 1}, {"const": 5}], [{"minLength": 2}]),
    "oneOf": ("string", [{"minLength": 1}, {"pattern": "a"}], [{"minLength": 2}]),
    "not": ("string", {"enum": ["a", 2]}, {"const": "b"}),
    "if": ("string", {"const": "a"}, {"const": "b"}),
    "then": ("string", {"const": "a"}, {"const": "b"}),
    "else": ("string", {"const": "a"}, {"const": "b"}),
    "prefixItems": ("array", [{"type": "string"}], [{"type": "integer"}]),
    "items": ("array", {"type": "string"}, {"type": "integer"}),
    "contains": ("array", {"type": "string"}, {"type": "integer"}),
    "properties": ("object", {"a": {"type": "string"}}, {"a": {"type": "integer"}}),
    "patternProperties": ("object", {"a": {"type": "string"}}, {"a": {"type": "integer"}}),
    "additionalProperties": ("object", {"type": "string"}, {"type": "integer"}),
    "propertyNames": ("object", {"maxLength": 1}, {"maxLength": 2}),
    "dependentSchemas": ("object", {"a": {"required": ["b"]}}, {"a": {"required": ["c"]}}),
    "unevaluatedItems": ("array", {"type": "string"}, {"type": "integer"}),
    "unevaluatedProperties": ("object", {"type": "string"}, {"type": "integer"}),
    "type": ("string", "string", "integer"),
    "const": ("string", "a", "b"),
    "enum": ("string", ["a"], ["b"]),
    "multipleOf": ("integer", 2, 3),
    "minimum": ("integer", 2, 3),
    "maximum": ("integer", 2, 3),
    "exclusiveMinimum": ("integer", 2, 3),
    "exclusiveMaximum": ("integer", 2, 3),
    "minLength": ("string", 2, 3),
    "maxLength": ("string", 2, 3),
    "pattern": ("string", "^b$", "^c$"),
    "minItems": ("array", 2, 3),
    "maxItems": ("array", 1, 2),
    "uniqueItems": ("array", True, False),
    "minContains": ("array", 2, 3),
    "maxContains": ("array", 2, 3),
    "minProperties": ("object", 2, 3),
    "maxProperties": ("object", 1, 2),
    "required": ("object", ["b"], ["c"]),
    "dependentRequired": ("object", {"a": ["b"]}, {"a": ["c"]}),
    "description": ("string", "One.", "Two."),
    "title": ("string", "One", "Two"),
    "default": ("string", "a", "b"),
    "examples": ("string", ["a"], ["b"]),
    "deprecated": ("string", True, False),
    "readOnly": ("string", True, False),
    "writeOnly": ("string", True, False),
    "format": ("string", "uri", "ipv6"),
    "contentEncoding": ("string", "base64", "base32"),
    "contentMediaType": ("string", "text/plain", "text/html"),
    "contentSchema": ("string", {"type": "string"}, {"type": "integer"}),
}
"""Each keyword that is not of the core, with a type that it is about and two values."""

every_sample = every("keyword", SAMPLES)
INSTANCES: list[Any] = [
    "", "a", "abc", 0, 2, 3, 5, 2.5, -2.5, True, False, None,
    [], [1], ["a"], ["a", "a"], ["a", "a", "a"], {}, {"a": 1}, {"a": "x", "b": "x"},
    {"a": 1, "b": 1, "c": 1}, {"long": 1},
]  # fmt: skip
ANNOTATIONS = {*ANNOTATION_KEYWORDS, *VOCABULARIES["format-annotation"], *VOCABULARIES["content"]}


def names_of(value: Any) -> set[str]:
    """The types of a JSON value."""
    return {name for name in TYPES if jsonschema_rs.is_valid({"type": name}, value)}


def test_every_keyword_has_a_sample():
    assert set(SAMPLES) == set(KEYWORDS) - set(VOCABULARIES["core"])


@every_sample
def test_a_sample_is_a_schema(keyword):
    for value in SAMPLES[keyword][1:]:
        jsonschema.Draft202012Validator.check_schema({keyword: value})


@every_sample
def test_a_keyword_restricts_only_its_types(keyword):
    companions: Json = {  # keywords without which they mean nothing
        "then": {"if": True},
        "else": {"if": False},
        "minContains": {"contains": {}},
        "maxContains": {"contains": {}},
    }.get(keyword, {})
    schema = {**companions, keyword: SAMPLES[keyword][1]}
    refused = [value for value in INSTANCES if not jsonschema_rs.is_valid(schema, value)]
    without = [value for value in refused if jsonschema_rs.is_valid(companions, value)]
    types = {name for value in without for name in names_of(value)}
    if keyword in ANNOTATIONS | {"if"}:
        assert refused == []
    elif set(KEYWORDS[keyword].types) == set(TYPES):
        assert len(types) > 1
    else:
        assert types
        assert types <= set(KEYWORDS[keyword].types)
    assert SAMPLES[keyword][0] in KEYWORDS[keyword].types


@every("keyword", sorted(CONSTRAINING))
def test_tightening_keeps_both_constraints(keyword):
    _, one, other = SAMPLES[keyword]
    for first, second in ((one, other), (other, one), (one, one)):
        schema: Json = {}
        tighten(schema, keyword, first)
        tighten(schema, keyword, second)
        for value in INSTANCES:
            both = [jsonschema_rs.is_valid({keyword: each}, value) for each in (first, second)]
            assert jsonschema_rs.is_valid(schema, value) is all(both), value


@every("keyword", BOUNDS)
def test_an_exclusive_bound_has_the_inclusive_one(keyword):
    inclusive = KEYWORDS[keyword].inclusive
    assert bool(inclusive) is keyword.startswith("exclusive")
    if inclusive:
        assert BOUNDS[inclusive] is BOUNDS[keyword]
        assert inclusive.lower() == keyword.removeprefix("exclusive").lower()


@every_keyword
def test_a_keyword_that_accepts_every_value_is_an_annotation(keyword):
    assert is_annotation(keyword) is (keyword in VOCABULARIES["meta-data"])


def test_a_custom_keyword_is_an_annotation():
    assert is_annotation("x-mine")
    assert not is_annotation("mine")


# -- the readers of the table ------------------------------------------------------------------

NOT_ASSERTED = {"then", "else", "minContains", "maxContains"}
"""The keywords that mean nothing without another one, which has a validator that reads them."""


def test_the_small_validator_asserts_every_assertion():
    core = set(VOCABULARIES["core"]) - {"$ref", "$dynamicRef"}
    assert set(VALIDATORS) == set(KEYWORDS) - core - ANNOTATIONS - NOT_ASSERTED


@every("keyword", sorted(set(SAMPLES) - NOT_ASSERTED))
def test_the_small_validator_agrees_on_every_keyword(keyword):
    for each in SAMPLES[keyword][1:]:
        for value in INSTANCES:
            schema = {keyword: each}
            assert is_valid(value, schema) is jsonschema_rs.is_valid(schema, value), (each, value)


@every_sample
def test_compare_finds_a_change_of_every_keyword(keyword):
    name, before, after = SAMPLES[keyword]
    old, new = ({"type": name, keyword: value} for value in (before, after))

    changes = compare(old, new)

    assert changes != []
    is_broken = any(change.breaks for change in changes + compare(new, old))
    assert is_broken is (keyword not in ANNOTATION_KEYWORDS)


@every_sample
def test_a_dialect_keeps_or_describes_every_keyword(keyword):
    name, value, _ = SAMPLES[keyword]
    facts: list[tuple[str, str]] = []

    def report(path: str, reason: str) -> None:
        facts.append((path, reason))

    spelled = write_in("portable", {"type": name, keyword: value}, report)

    assert (spelled == write_in("portable", {"type": name}, report)) is (keyword == "type")
    assert facts == []


@every("keyword", [name for name, row in KEYWORDS.items() if row.phrase])
def test_a_description_has_the_phrase_of_a_keyword(keyword):
    _, value, _ = SAMPLES[keyword]
    start, _, end = KEYWORDS[keyword].phrase.partition("{}")

    said = Describer({}).keyword(keyword, value)

    assert said.startswith(start)
    assert said.endswith(end)
    assert f"{keyword}: " not in said


def test_a_keyword_without_a_phrase_is_described_by_its_name_and_value():
    assert Describer({}).keyword("minContains", 2) == "minContains: 2"


# -- references --------------------------------------------------------------------------------

ROOT: Json = {
    "$defs": {"a/b": {"title": "1"}, "a~b": {"title": "2"}, "a b": {"title": "3"}, "no": 1},
    "anyOf": [{"title": "4"}, True],
}


@pytest.mark.parametrize(
    ("reference", "target"),
    [
        ("#", ROOT),
        ("#/$defs/a~1b", {"title": "1"}),
        ("#/$defs/a~0b", {"title": "2"}),
        ("#/$defs/a%20b", {"title": "3"}),
        ("#/anyOf/0", {"title": "4"}),
        ("#/anyOf/1", True),
        ("#/anyOf/2", None),
        ("#/anyOf/01", None),
        ("#/anyOf/-1", None),
        ("#/anyOf/x", None),
        ("#/$defs/no", None),
        ("#/$defs/no/deeper", None),
        ("#/$defs/c", None),
        ("#/$defs", ROOT["$defs"]),
        ("https://example.com/#/anyOf/0", None),
    ],
)
def test_a_reference_is_a_json_pointer(reference, target):
    assert resolve_reference(reference, ROOT) == target


@pytest.mark.parametrize(
    ("value", "factor", "fits"),
    [
        (10**20, 3, False),
        (1.0000000001, 1, True),
        (1e20, 3, False),
        (3 * 10**400, 3, True),
        (10**400, 0.5, True),
        (10**400 + 1, 2.0, False),
        (0.1 + 0.2 - 0.3, 0.1, True),
        (0.3, 0.1, True),
        (0.35, 0.1, False),
        (4.0, 2, True),
        (float("inf"), 0.5, False),
    ],
    ids=str,
)
def test_multiples_of_integers_are_exact(value, factor, fits):
    assert is_valid(value, {"multipleOf": factor}) is fits


# -- contradictions ----------------------------------------------------------------------------


@pytest.mark.parametrize("default", [None, {"b": None}, {"b": {"c": None}}, [{"b": None}]])
def test_null_in_a_default_can_mean_that_no_value_was_given(default):
    nested = {"properties": {"b": {"type": "string"}}, "type": ["object", "string"]}
    schema = {"properties": {"a": {**nested, "default": default}}}
    assert [*contradictions(schema, nulls=True)] == []
    assert [code for _, code, _ in contradictions(schema)] == ["default-misfit"]
