"""The root of arguments is one object; references and ``allOf`` take in what is beside them."""

import pytest

from milo_schema import SchemaError, profiles, type_to_schema
from milo_schema.dialects import (
    ANTHROPIC_STRICT,
    GEMINI,
    GEMINI_JSON,
    OPENAI_STRICT,
    PORTABLE,
    elicitation,
    spell,
)
from tests.fragments import INTEGER, STRING, obj, record

A = {"type": "object", "properties": {"a": {"type": "string"}}}
BY_ID = {"properties": {"id": {"type": "integer"}}, "required": ["id"]}
BY_NAME = {"properties": {"name": {"type": "string"}}, "required": ["name"]}
NOTHING = {"type": "object", "properties": {}}


def told(schema, dialect):
    """A schema in a dialect, and the reports."""
    reports = []
    write = (
        elicitation if dialect == "elicitation" else lambda *args: spell(args[0], dialect, args[1])
    )
    return write(schema, lambda path, reason: reports.append(f"{path}: {reason}")), reports


# -- the root --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("union", "phrase"), [("oneOf", "exactly one of"), ("anyOf", "at least one of")]
)
def test_a_union_at_the_root_is_one_object_and_is_reported(union, phrase):
    found, reports = told({"type": "object", union: [BY_ID, BY_NAME]}, PORTABLE)

    assert found == obj([], id=INTEGER, name=STRING) | {
        "description": f"{phrase} {{id: integer}} | {{name: string}}"
    }
    reason = f"the portable subset does not support {union} at the root; split the tool"
    assert reports == [f": {reason}"]


def test_what_all_branches_require_is_required():
    zone = {"properties": {"zone": {"type": "string"}}, "required": ["zone"]}
    branches = [{"allOf": [zone, each]} for each in (BY_ID, BY_NAME)]

    found, _ = told({"type": "object", **zone, "oneOf": branches}, GEMINI_JSON)

    assert found["required"] == ["zone"]
    assert [*found["properties"]] == ["zone", "id", "name"]
    assert found["description"].count("zone: string") == 2


def test_what_the_root_requires_is_required():
    zone = {"required": ["zone"]}
    branches = [{"allOf": [zone, each]} for each in (BY_ID, BY_NAME)]
    properties = {"a": {"type": "string"}, "zone": {"type": "string"}}
    root = {"type": "object", "properties": properties, "required": ["a"]}

    assert told({**root, "oneOf": [BY_ID, BY_NAME]}, PORTABLE)[0]["required"] == ["a"]
    assert told({**root, "oneOf": branches}, PORTABLE)[0]["required"] == ["a", "zone"]


def test_a_property_that_differs_between_branches_is_a_union():
    one = {"properties": {"key": {"type": "integer"}, "unit": {"type": "string"}}}
    other = {"properties": {"key": {"type": "string"}, "unit": False}}

    found, _ = told({"type": "object", "anyOf": [one, other, one]}, PORTABLE)

    assert found["properties"]["key"] == {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    assert found["properties"]["unit"] == {"type": "string"}


def test_a_closed_root_has_only_its_own_properties():
    root = {"type": "object", "properties": {"id": {}}, "additionalProperties": False}

    found, _ = told({**root, "oneOf": [BY_ID, BY_NAME]}, GEMINI_JSON)

    assert [*found["properties"]] == ["id"]
    assert found["additionalProperties"] is False


def test_the_root_is_closed_if_all_branches_are():
    closed = [{**each, "additionalProperties": False} for each in (BY_ID, BY_NAME)]

    assert (
        told({"type": "object", "oneOf": closed}, GEMINI_JSON)[0]["additionalProperties"] is False
    )
    assert (
        "additionalProperties"
        not in told({"type": "object", "oneOf": [closed[0], BY_NAME]}, GEMINI_JSON)[0]
    )


def test_a_single_branch_for_objects_is_part_of_the_root():
    branches = [{"type": "string"}, {"$ref": "#/$defs/A"}]

    found, reports = told({"type": "object", "anyOf": branches, "$defs": {"A": A}}, PORTABLE)

    assert (found, reports) == (A, [])


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


@pytest.mark.parametrize("dialect", [PORTABLE, GEMINI], ids=lambda each: each.name)
def test_what_restricts_a_reference_further_applies(dialect):
    more = {"properties": {"b": {"type": "integer"}}, "required": ["b"]}

    found, reports = told(of({"allOf": [{"$ref": "#/$defs/A"}, more]}), dialect)

    assert found["properties"]["x"]["required"] == ["b"]
    assert {*found["properties"]["x"]["properties"]} == {"a", "b"}
    assert "$defs" not in found
    assert reports == []


def test_two_references_that_both_apply_are_one_object():
    other = {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}

    found, _ = told(
        of({"allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}, B=other), PORTABLE
    )

    assert {*found["properties"]["x"]["properties"]} == {"a", "b"}


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


@pytest.mark.parametrize(
    ("parts", "names"),
    [
        ([{}, {}], "ab"),
        ([{"additionalProperties": False}, {}], "a"),
        ([{}, {"additionalProperties": False}], "b"),
        ([{"additionalProperties": True}, {"additionalProperties": True}], "ab"),
    ],
)
def test_objects_that_both_apply_are_one_object(parts, names):
    one = {"type": "object", "properties": {"a": {"type": "string"}}, **parts[0]}
    other = {"type": "object", "properties": {"b": {"type": "integer"}}, **parts[1]}

    found, _ = told(of({"allOf": [one, other]}), GEMINI_JSON)

    assert "".join(found["properties"]["x"]["properties"]) == names
    is_closed = found["properties"]["x"].get("additionalProperties") is False
    assert is_closed == any(each.get("additionalProperties") is False for each in parts)


def test_both_schemas_of_a_property_apply():
    parts = [
        {"type": "object", "properties": {"a": {"type": "integer", **bound}}, "required": ["a"]}
        for bound in ({"minimum": 1}, {"maximum": 9})
    ]

    found, _ = told(of({"allOf": parts}), PORTABLE)

    assert found["properties"]["x"] == record(a={"type": "integer", "minimum": 1, "maximum": 9})


@pytest.mark.parametrize(
    "others",
    [
        {"additionalProperties": {"type": "integer"}},
        {"patternProperties": {"^b": {"type": "integer"}}},
        {"propertyNames": {"maxLength": 3}},
    ],
)
@pytest.mark.parametrize("order", [1, -1])
def test_a_mapping_that_applies_too_is_a_phrase(others, order):
    parts = [{**A, **others}, {**A, "properties": {"b": {"type": "integer"}}}][::order]

    found, _ = told(of({"allOf": parts}), PORTABLE)

    assert len(found["properties"]["x"]["properties"]) == 1
    assert "also properties" in found["properties"]["x"]["description"]


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
