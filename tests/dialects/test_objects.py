"""The root of arguments is one object; references and ``allOf`` take in what is beside them."""

import json
from typing import Any

import pytest

from milo_schema import SchemaError, profiles, type_to_schema
from milo_schema.dialects import write_in
from milo_schema.dialects.consumers import (
    ANTHROPIC_STRICT,
    GEMINI,
    GEMINI_JSON,
    OPENAI_STRICT,
    PORTABLE,
)
from milo_schema.dialects.spelling import spell
from tests.every import every
from tests.fragments import INTEGER, STRING, any_of, obj, record

A = obj([], a=STRING)
BY_ID = {"properties": {"id": INTEGER}, "required": ["id"]}
BY_NAME = {"properties": {"name": STRING}, "required": ["name"]}
CLOSED = {"additionalProperties": False}
NOTHING = {"type": "object", "properties": {}}


def told(schema, dialect):
    """A schema in a dialect, and the reports."""
    reports = []

    def report(path, reason):
        reports.append(f"{path}: {reason}")

    if dialect == "elicitation":
        return write_in(dialect, schema, report), reports
    return spell(schema, dialect, report), reports


# -- the root --------------------------------------------------------------------------------------


ZONE = {"properties": {"zone": STRING}, "required": ["zone"]}
ROOT = {"properties": {"a": STRING, "zone": STRING}, "required": ["a"]}
KEYS = {"properties": {"key": INTEGER, "unit": STRING}}
OTHER_KEYS = {"properties": {"key": STRING, "unit": False}}
EITHER, KEYED = "{id: integer} | {name: string}", "{key?: integer, unit?: string}"
UNIONS: dict[str, Any] = {
    # the fact: (the dialect, the schema, the object, its description)
    "exactly one branch": (PORTABLE, {"oneOf": [BY_ID, BY_NAME]}, obj([], id=INTEGER, name=STRING),
        f"exactly one of {EITHER}"),
    "at least one branch": (PORTABLE, {"anyOf": [BY_ID, BY_NAME]}, obj([], id=INTEGER, name=STRING),
        f"at least one of {EITHER}"),
    "what all branches require is required": (GEMINI_JSON,
        {**ZONE, "oneOf": [{"allOf": [ZONE, each]} for each in (BY_ID, BY_NAME)]},
        obj(["zone"], zone=STRING, id=INTEGER, name=STRING),
        "exactly one of {zone: string, id: integer} | {zone: string, name: string}"),
    "what the root requires is required": (PORTABLE, {**ROOT, "oneOf": [BY_ID, BY_NAME]},
        obj(["a"], a=STRING, zone=STRING, id=INTEGER, name=STRING), f"exactly one of {EITHER}"),
    "a property of the root stays as it is": (PORTABLE,
        {**ROOT, "oneOf": [BY_ID, {"properties": {"a": INTEGER}}]},
        obj(["a"], a=STRING, zone=STRING, id=INTEGER),
        "exactly one of {id: integer} | {a?: integer}"),
    "what the root and all branches require is required": (PORTABLE, {**ROOT,
        "oneOf": [{"allOf": [{"required": ["zone"]}, each]} for each in (BY_ID, BY_NAME)]},
        obj(["a", "zone"], a=STRING, zone=STRING, id=INTEGER, name=STRING),
        "exactly one of {id: integer, zone} | {name: string, zone}"),
    "a property that differs is a union": (PORTABLE, {"anyOf": [KEYS, OTHER_KEYS, KEYS]},
        obj([], key=any_of(INTEGER, STRING), unit=STRING),
        f"at least one of {KEYED} | {{key?: string}} | {KEYED}"),
    "a closed root has only its own properties": (GEMINI_JSON,
        {"properties": {"id": INTEGER}, **CLOSED, "oneOf": [BY_ID, BY_NAME]},
        obj([], id=INTEGER) | CLOSED, f"exactly one of {EITHER}"),
    "the root is closed if all branches are": (GEMINI_JSON,
        {"oneOf": [BY_ID | CLOSED, BY_NAME | CLOSED]},
        obj([], id=INTEGER, name=STRING) | CLOSED, f"exactly one of {EITHER}"),
    "the root is open if one branch is": (GEMINI_JSON, {"oneOf": [BY_ID | CLOSED, BY_NAME]},
        obj([], id=INTEGER, name=STRING), f"exactly one of {EITHER}"),
}  # fmt: skip


@every("fact", UNIONS)
def test_a_union_at_the_root_is_one_object_and_is_reported(fact):
    dialect, schema, expected, description = UNIONS[fact]
    found, reports = told({"type": "object", **schema}, dialect)

    assert found == expected | {"description": description}
    union = "anyOf" if "anyOf" in schema else "oneOf"
    assert reports == [f": {dialect.name} does not support {union} at the root; split the tool"]


def test_a_single_branch_for_objects_is_part_of_the_root():
    branches = [{"type": "string"}, {"$ref": "#/$defs/A"}]

    found, reports = told(
        {**BY_ID, "type": "object", "anyOf": branches, "$defs": {"A": A}}, PORTABLE
    )

    assert (found, reports) == (obj(["id"], id=INTEGER, a=STRING), [])


@pytest.mark.parametrize("dialect", [PORTABLE, GEMINI, OPENAI_STRICT, "elicitation"])
def test_a_reference_at_the_root_is_its_target(dialect):
    required = {**A, "required": ["a"]}
    nested = {"A": {"$ref": "#/$defs/B", "description": "Never mind."}, "B": required}

    found, reports = told({"type": "object", "$ref": "#/$defs/A", "$defs": nested}, dialect)

    assert found["type"] == "object"
    assert (found["properties"], found["required"], reports) == (A["properties"], ["a"], [])


def test_a_reference_at_the_root_that_leads_back_to_itself_ends():
    loop = {"A": {"$ref": "#/$defs/A", **A}}

    found, _ = told({"type": "object", "$ref": "#/$defs/A", "$defs": loop}, ANTHROPIC_STRICT)

    assert found["type"] == "object"


# -- what is beside a reference --------------------------------------------------------------------


def of(schema, **bodies):
    return {"type": "object", "properties": {"x": schema}, "$defs": {"A": A, **bodies}}


def test_the_description_beside_a_reference_is_kept():
    beside = {"$ref": "#/$defs/A", "description": "The X.", "default": {}}

    shared, inline = told(of(beside), PORTABLE)[0], told(of(beside), GEMINI)[0]

    assert shared["properties"]["x"] == {
        "anyOf": [{"$ref": "#/$defs/A"}],
        "default": {},
        "description": "The X.",
    }
    assert shared["$defs"] == {"A": A}
    assert inline["properties"]["x"] == {**A, "description": "The X.", "default": {}}


def test_the_description_of_a_form_is_that_beside_the_reference():
    text = {"type": "string", "description": "Any text."}

    found, _ = told(of({"$ref": "#/$defs/T", "description": "The X."}, T=text), "elicitation")

    assert found["properties"]["x"] == {"type": "string", "description": "The X."}


def test_a_restriction_inside_its_own_target_is_a_phrase():
    again = {"type": "object", "properties": {"next": {"$ref": "#/$defs/N", "minProperties": 1}}}

    found, _ = told(of({"$ref": "#/$defs/N", "minProperties": 1}, N=again), PORTABLE)

    inside = found["properties"]["x"]["properties"]["next"]
    assert inside["anyOf"] == [{"$ref": "#/$defs/N"}]
    assert inside["description"] == "property count at least 1"


def test_restrictions_at_each_level_do_not_multiply():
    def both(number):
        restricted = {"$ref": f"#/$defs/L{number}", "minProperties": 1}
        return {"type": "object", "properties": {"a": restricted, "b": restricted}}

    levels = {f"L{number}": both(number + 1) for number in range(40)}

    found, _ = told(of({"$ref": "#/$defs/L0"}, **levels, L40=A), PORTABLE)

    assert 10_000 < len(str(found)) < 10_000_000


# -- objects that both apply -----------------------------------------------------------------------


B = obj([], b=INTEGER)
MORE = {"properties": {"b": INTEGER}, "required": ["b"]}
OTHERS = {
    "{string: integer}": {"additionalProperties": INTEGER},
    "{string (matches ^b): integer}": {"patternProperties": {"^b": INTEGER}},
    "{string (length at most 3): anything}": {"propertyNames": {"maxLength": 3}},
}


def described(said, other):
    """The description of a mapping, and of another object that applies beside it."""
    return {
        "description": f"other properties: {said}; also properties: "
        f"{json.dumps(other['properties'])}"
    }


BOTH: dict[str, Any] = {
    # the fact: (the dialect, what applies, the object)
    "what restricts a reference further": (PORTABLE, [{"$ref": "#/$defs/A"}, MORE],
        obj(["b"], a=STRING, b=INTEGER)),
    "what restricts a reference that is replaced": (GEMINI, [{"$ref": "#/$defs/A"}, MORE],
        obj(["b"], a=STRING, b=INTEGER)),
    "two references": (PORTABLE, [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}],
        obj([], a=STRING, b=INTEGER)),
    "both schemas of a property": (PORTABLE,
        [record(a=INTEGER | {"minimum": 1}), record(a=INTEGER | {"maximum": 9})],
        record(a=INTEGER | {"minimum": 1, "maximum": 9})),
    "two open objects": (GEMINI_JSON, [A, B], obj([], a=STRING, b=INTEGER)),
    "two that say they are open": (GEMINI_JSON,
        [A | {"additionalProperties": True}, B | {"additionalProperties": True}],
        obj([], a=STRING, b=INTEGER)),
    "a closed one and another": (GEMINI_JSON, [A | CLOSED, B], A | CLOSED),
    "another and a closed one": (GEMINI_JSON, [A, B | CLOSED], B | CLOSED),
    # a mapping that applies, too, is a phrase
    **{f"{said} and another": (PORTABLE, [A | others, B], A | described(said, B))
       for said, others in OTHERS.items()},
    **{f"another and {said}": (PORTABLE, [B, A | others], B | described(said, A))
       for said, others in OTHERS.items()},
}  # fmt: skip


@every("fact", BOTH)
def test_schemas_that_both_apply_are_one_object(fact):
    dialect, both, expected = BOTH[fact]

    assert told(of({"allOf": both}, B=B), dialect) == (obj([], x=expected), [])


# -- forms -----------------------------------------------------------------------------------------


def test_what_a_form_cannot_say_about_its_fields_is_reported():
    schema = {**A, "minProperties": 1, "additionalProperties": False, "description": "A form."}

    found, reports = told({**schema, "not": {"required": ["b"]}}, "elicitation")

    assert found == A
    assert reports == [
        ": MCP's elicitation does not support minProperties at the root",
        ": MCP's elicitation does not support not at the root",
    ]


def test_a_required_field_that_may_be_null_is_reported():
    null = {"type": ["string", "null"]}
    root = {"type": "object", "properties": {"a": null, "b": null}, "required": ["a"]}

    found, reports = told(root, "elicitation")

    assert found["properties"] == {"a": {"type": "string"}, "b": {"type": "string"}}
    assert reports == [".a: MCP's elicitation does not support null; do not require it"]


def test_an_object_without_properties_says_so_beside_null():
    schema = {**NOTHING, "properties": {"target": {"anyOf": [NOTHING, {"type": "null"}]}}}

    assert told(schema, PORTABLE) == (schema, [])


@pytest.mark.parametrize("union", ["oneOf", "anyOf"])
def test_a_union_at_the_root_without_an_object_is_reported(union):
    schema = {**NOTHING, union: [{"type": "string"}, {"type": "null"}]}

    reason = f": the portable subset supports only an object, and no branch of {union} is one"
    assert told(schema, PORTABLE) == (NOTHING, [reason])


def test_a_union_without_an_object_is_not_a_form():
    with pytest.raises(SchemaError, match="supports only an object, and no branch of anyOf is one"):
        type_to_schema(str | list[bool], profile=profiles.ELICITATION)


def test_a_property_of_a_union_at_the_root_may_accept_anything():
    def with_(anything):
        parts = [{"properties": {"a": anything}}, {"properties": {"b": {"type": "null"}}}]
        return told({"type": "object", "anyOf": parts}, GEMINI_JSON)

    assert with_(True) == with_({})
    assert list(with_(True)[0]["properties"]) == ["a", "b"]
