"""What each judge must refuse: one that refuses nothing would prove nothing."""

from typing import Any

import pytest

from tests import judges

Json = dict[str, Any]
TEXT: Json = {"type": "string"}
NULL: Json = {"type": "null"}


def taking(a: Any, **others: Any) -> Json:
    """The schema of a tool with a parameter ``a``, as every consumer accepts it if *a* is right."""
    closed = {"required": ["a"], "additionalProperties": False}
    return {"type": "object", "properties": {"a": a}, **closed, **others}


def taking_many(count: int, each: Json, **others: Any) -> Json:
    names = [f"p{number}" for number in range(count)]
    return taking(each, **{"properties": dict.fromkeys(names, each), "required": names, **others})


def nested(levels: int) -> Json:
    schema = TEXT
    for _ in range(levels):
        schema = taking(schema)
    return schema


def fitting(judge: judges.Judge, schema: Any) -> Any:
    """A schema with open objects, where the dialects of a judge have no others."""
    if not judge.profiles <= {judges.PORTABLE, judges.GEMINI} or not isinstance(schema, dict):
        return schema
    return {
        key: fitting(judge, value)
        for key, value in schema.items()
        if (key, value) != ("additionalProperties", False)
    }


NEXT = taking({"$ref": "#/$defs/Next"})
BROKEN: dict[str, Json] = {
    # not JSON Schema
    "unknown-type": taking({"type": "any"}),
    "items-are-a-list": taking({"type": "array", "items": [TEXT]}),
    "required-is-true": taking(TEXT, required=True),
    "exclusive-is-true": taking({"type": "number", "minimum": 0, "exclusiveMinimum": True}),
    "additional-is-text": taking(TEXT, additionalProperties="false"),
    "properties-are-null": taking(TEXT, properties=None),
    "properties-are-a-list": taking(TEXT, properties=[]),
    "description-is-a-number": taking({"type": "string", "description": 1}),
    "length-is-negative": taking({"type": "string", "minLength": -1}),
    "length-is-text": taking({"type": "string", "minLength": "1"}),
    "bound-is-text": taking({"type": "number", "minimum": "1"}),
    "a-number-for-a-schema": taking(1),
    "no-json": taking({"type": "string", "default": b"x"}),
    "half-a-surrogate": taking({"type": "string", "enum": ["\ud800"]}),
    # valid, and of no use
    "dangling-reference": taking({"$ref": "#/$defs/X"}),
    "remote-reference": taking({"$ref": "https://example.org/x"}),
    "no-regex": taking({"type": "string", "pattern": "("}),
    "default-does-not-fit": taking({"type": "integer", "default": "x"}),
    "requires-what-is-not-there": taking(TEXT, required=["b"]),
    "enum-is-empty": taking({"type": "string", "enum": []}),
    "range-is-empty": taking({"type": "integer", "minimum": 3, "maximum": 1}),
    # more than some consumers take
    "root-is-text": TEXT,
    "root-is-a-union": {"anyOf": [taking(TEXT)]},
    "object-is-open": {"type": "object", "properties": {"a": TEXT}, "required": ["a"]},
    "optional-property": taking(TEXT, required=[]),
    "beside-a-reference": taking(
        {"$ref": "#/$defs/X", "description": "x"}, **{"$defs": {"X": TEXT}}
    ),
    "enum-of-numbers": taking({"type": "integer", "enum": [1]}),
    "enum-with-null": taking({"type": "string", "enum": ["a", None]}),
    "array-without-items": taking({"type": "array"}),
    "lookahead": taking({"type": "string", "pattern": "(?!a)b"}),
    "unknown-format": taking({"type": "string", "format": "strange"}),
    "one-of": taking({"oneOf": [TEXT, NULL]}),
    "all-of": taking({"allOf": [TEXT, {"type": "string", "minLength": 1}]}),
    "not": taking({"not": TEXT}),
    "mapping": taking({"type": "object", "additionalProperties": TEXT}),
    "recursion": taking({"$ref": "#/$defs/Next"}, **{"$defs": {"Next": NEXT}}),
    "name-with-a-blank": taking(TEXT, properties={"a b": TEXT}, required=["a b"]),
    "header-with-a-blank": taking({"type": "string", "x-mcp-header": "a b"}),
    # too large for some
    "twelve-levels": nested(12),
    "six-thousand-properties": taking_many(6000, TEXT),
    "thirty-optional-properties": taking_many(30, TEXT, required=[]),
    "twenty-unions": taking_many(20, {"anyOf": [TEXT, NULL]}),
}

REFUSED = {
    "rules_of_portable": (
        "items-are-a-list required-is-true exclusive-is-true additional-is-text "
        "properties-are-null properties-are-a-list a-number-for-a-schema no-json "
        "requires-what-is-not-there root-is-text root-is-a-union beside-a-reference "
        "enum-of-numbers enum-with-null array-without-items unknown-format one-of all-of not "
        "mapping name-with-a-blank header-with-a-blank"
    ),
    "rules_of_openai": (
        "items-are-a-list required-is-true additional-is-text properties-are-null "
        "properties-are-a-list a-number-for-a-schema no-json default-does-not-fit "
        "requires-what-is-not-there root-is-text root-is-a-union object-is-open "
        "optional-property beside-a-reference array-without-items unknown-format one-of "
        "all-of not mapping header-with-a-blank thirty-optional-properties"
    ),
    "rules_of_anthropic": (
        "items-are-a-list required-is-true exclusive-is-true additional-is-text "
        "properties-are-null properties-are-a-list length-is-negative length-is-text "
        "bound-is-text a-number-for-a-schema no-json default-does-not-fit "
        "requires-what-is-not-there range-is-empty root-is-text root-is-a-union "
        "object-is-open beside-a-reference array-without-items unknown-format one-of all-of "
        "not mapping name-with-a-blank header-with-a-blank"
    ),
    "rules_of_bedrock": (
        "items-are-a-list required-is-true exclusive-is-true additional-is-text "
        "properties-are-null properties-are-a-list bound-is-text a-number-for-a-schema "
        "no-json default-does-not-fit requires-what-is-not-there range-is-empty root-is-text "
        "root-is-a-union object-is-open beside-a-reference array-without-items unknown-format "
        "one-of all-of not mapping name-with-a-blank header-with-a-blank"
    ),
    "rules_of_gemini": (
        "items-are-a-list required-is-true exclusive-is-true additional-is-text "
        "properties-are-null properties-are-a-list a-number-for-a-schema no-json "
        "dangling-reference remote-reference requires-what-is-not-there root-is-text "
        "root-is-a-union beside-a-reference enum-of-numbers enum-with-null "
        "array-without-items unknown-format one-of all-of not mapping recursion "
        "name-with-a-blank header-with-a-blank"
    ),
    "rules_of_gemini_json": (
        "items-are-a-list required-is-true exclusive-is-true additional-is-text "
        "properties-are-null properties-are-a-list length-is-negative length-is-text "
        "a-number-for-a-schema no-json no-regex default-does-not-fit "
        "requires-what-is-not-there root-is-text root-is-a-union beside-a-reference "
        "enum-with-null array-without-items lookahead unknown-format one-of all-of not "
        "recursion name-with-a-blank header-with-a-blank"
    ),
    "python_jsonschema": (
        "unknown-type items-are-a-list required-is-true exclusive-is-true additional-is-text "
        "properties-are-null properties-are-a-list description-is-a-number length-is-negative "
        "length-is-text bound-is-text a-number-for-a-schema no-json no-regex "
        "default-does-not-fit"
    ),
    "rust_jsonschema": (
        "unknown-type items-are-a-list required-is-true exclusive-is-true additional-is-text "
        "properties-are-null properties-are-a-list description-is-a-number length-is-negative "
        "length-is-text bound-is-text a-number-for-a-schema no-json half-a-surrogate "
        "dangling-reference remote-reference no-regex"
    ),
    "mcp_2025_11_25": ("required-is-true properties-are-a-list root-is-text root-is-a-union"),
    "mcp_2026_07_28": ("root-is-text root-is-a-union header-with-a-blank"),
    "openai_python": ("a-number-for-a-schema"),
    "openai_strict": (
        "required-is-true a-number-for-a-schema requires-what-is-not-there object-is-open "
        "optional-property beside-a-reference thirty-optional-properties"
    ),
    "openai_agents": (
        "required-is-true additional-is-text a-number-for-a-schema requires-what-is-not-there "
        "root-is-a-union object-is-open optional-property beside-a-reference one-of mapping "
        "thirty-optional-properties"
    ),
    "anthropic_transform": (
        "unknown-type items-are-a-list additional-is-text properties-are-null "
        "properties-are-a-list description-is-a-number a-number-for-a-schema "
        "beside-a-reference one-of all-of not mapping"
    ),
    "anthropic_strict": (
        "unknown-type items-are-a-list exclusive-is-true additional-is-text "
        "properties-are-null properties-are-a-list length-is-negative length-is-text "
        "bound-is-text a-number-for-a-schema no-json default-does-not-fit enum-is-empty "
        "range-is-empty object-is-open beside-a-reference unknown-format one-of all-of not "
        "mapping header-with-a-blank"
    ),
    "gemini_schema": (
        "items-are-a-list required-is-true exclusive-is-true properties-are-a-list "
        "description-is-a-number a-number-for-a-schema dangling-reference remote-reference "
        "enum-of-numbers enum-with-null one-of all-of not header-with-a-blank"
    ),
    "gemini_parameters": (
        "unknown-type items-are-a-list required-is-true exclusive-is-true additional-is-text "
        "properties-are-null properties-are-a-list description-is-a-number length-is-text "
        "bound-is-text a-number-for-a-schema no-json dangling-reference remote-reference "
        "beside-a-reference enum-of-numbers enum-with-null one-of all-of not mapping "
        "recursion header-with-a-blank"
    ),
    "limits_of_pydantic_ai": (
        "required-is-true recursion thirty-optional-properties twenty-unions"
    ),
    "sizes_of_pydantic_ai": ("twelve-levels six-thousand-properties"),
    "llguidance": (
        "unknown-type required-is-true additional-is-text properties-are-null "
        "properties-are-a-list length-is-negative length-is-text bound-is-text "
        "a-number-for-a-schema no-json half-a-surrogate dangling-reference remote-reference "
        "no-regex requires-what-is-not-there enum-is-empty range-is-empty lookahead "
        "unknown-format not"
    ),
    "outlines": (
        "unknown-type items-are-a-list properties-are-null properties-are-a-list "
        "a-number-for-a-schema no-json half-a-surrogate dangling-reference remote-reference "
        "unknown-format not"
    ),
}
"""The names of the schemas that each judge must refuse."""


def complaint(judge: judges.Judge, schema: Json) -> str:
    return judges.complaint(judge, fitting(judge, schema))


def test_each_judge_refuses_something():
    assert REFUSED.keys() == {judge.name for judge in judges.JUDGES}
    assert [name for name, refused in REFUSED.items() if not refused.split()] == []


def test_each_schema_is_refused_by_some_judge():
    assert {name for refused in REFUSED.values() for name in refused.split()} == BROKEN.keys()


@pytest.mark.parametrize("judge", judges.JUDGES, ids=lambda judge: judge.name)
def test_a_judge_refuses_what_it_must(judge):
    judges.require(*judge.needs)

    accepted = [name for name in REFUSED[judge.name].split() if not complaint(judge, BROKEN[name])]
    assert accepted == []


@pytest.mark.parametrize("judge", judges.JUDGES, ids=lambda judge: judge.name)
def test_a_judge_accepts_a_plain_schema(judge):
    judges.require(*judge.needs)

    assert complaint(judge, taking(TEXT)) == ""
