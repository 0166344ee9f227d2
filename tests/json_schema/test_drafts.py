"""Schemas that others wrote: their faults, and the same schemas in our form."""

import contextlib
import itertools
from collections.abc import Iterator
from typing import Any

import jsonschema
import jsonschema_specifications  # noqa: F401 - the judge needs it
import pytest

from milo_schema import Profile, SchemaError, ToolSchema, profiles
from milo_schema.checks import check, cost
from milo_schema.compare import compare
from milo_schema.json_schema.drafts import read_schema, valid_schema
from milo_schema.json_schema.keywords import KEYWORDS
from milo_schema.json_schema.validation import is_valid
from tests.cases import CASES
from tests.every import every
from tests.instructions import instructions

Json = dict[str, Any]
STRING, INTEGER = {"type": "string"}, {"type": "integer"}
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def found(schema: Any) -> list[tuple[str, str, str]]:
    return [tuple(each) for each in read_schema(schema).faults]


def codes(schema: Any) -> list[tuple[str, str]]:
    return [(path, code) for path, code, _ in found(schema)]


# -- invalid values ---------------------------------------------------------------------------

INVALID: list[tuple[Any, str, str]] = [
    (5, "", "a schema must be an object, true or false, not 5"),
    ({"type": "strin"}, "",
     "'type' must be a JSON type or a list of them, not \"strin\"; did you mean 'string'?"),
    ({"type": "any"}, "", ("'type' must be a JSON type or a list of them, not \"any\"; "
           "leave it out to accept any value")),
    *(({"type": name}, "", (f"'type' must be a JSON type or a list of them, not \"{name}\"; "
           "leave it out to accept any value")) for name in ("unknown", "mixed")),
    ({"minimum": "any"}, "", "'minimum' must be a number, not \"any\""),
    ({"properties": {"a": {"items": [STRING]}}}, ".a",
     ('\'items\' must be a schema, not [{"type": "string"}]; '
           "write prefixItems for the items of a tuple")),
    ({"properties": {"a b": {"required": True}}}, '["a b"]',
     ("'required' must be a list of distinct names, not true; "
           "list the names of the required properties beside 'properties'")),
    ({"exclusiveMinimum": True, "minimum": 1}, "",
     "'exclusiveMinimum' must be a number, not true; write the limit itself, without 'minimum'"),
    ({"exclusiveMaximum": False}, "",
     "'exclusiveMaximum' must be a number, not false; write the limit itself, without 'maximum'"),
    ({"additionalProperties": "false"}, "",
     "'additionalProperties' must be a schema, not \"false\""),
    ({"properties": None}, "", "'properties' must be an object, not null"),
    ({"properties": {"a": 1}}, ".a", "a schema must be an object, true or false, not 1"),
    ({"properties": {"a": []}}, ".a", "a schema must be an object, true or false, not []"),
    ({"anyOf": []}, "", "'anyOf' must be a list of schemas, not []"),
    ({"anyOf": 5}, "", "'anyOf' must be a list of schemas, not 5"),
    ({"$schema": DRAFT_7, "items": 5}, "", "'items' must be a schema, not 5"),
    ({"$schema": DRAFT_7, "$defs": []}, "", "'$defs' must be an object, not []"),
    ({"$vocabulary": 1}, "", "'$vocabulary' must be an object, not 1"),
    ({"additionalItems": 1}, "", "'additionalItems' must be a schema, not 1"),
    ({"prefixItems": [{}, 1]}, "[1]", "a schema must be an object, true or false, not 1"),
    ({"$defs": {"A": {"type": 1}}}, "#A", "'type' must be a JSON type or a list of them, not 1"),
    ({"items": {"description": ["x"]}}, "[]", "'description' must be a string, not [\"x\"]"),
    ({"$ref": 1}, "", "'$ref' must be a string, not 1"),
    ({"$id": None}, "", "'$id' must be a string, not null"),
    ({"nullable": "yes"}, "", "'nullable' must be true or false, not \"yes\""),
    ({"minLength": -1.0}, "", "'minLength' must be a non-negative integer, not -1.0"),
    ({"minLength": 1.5}, "", "'minLength' must be a non-negative integer, not 1.5"),
    ({"multipleOf": True}, "", "'multipleOf' must be a number greater than 0, not true"),
    ({"title": 1.0}, "", "'title' must be a string, not 1.0"),
    ({"type": "x" * 90}, "", f"'type' must be a JSON type or a list of them, not \"{'x' * 56}..."),
]  # fmt: skip


@every("row", INVALID)
def test_a_value_that_is_not_valid_is_a_fault_with_its_place(row):
    schema, path, reason = row
    told = [each for each in found(schema) if each[1] == "invalid-schema"]
    assert told == [(path, "invalid-schema", reason)]
    assert found(read_schema(schema).schema) == []


def test_every_fault_is_found_and_only_the_faulty_parts_are_left_out():
    schema = {
        "type": "any",
        "required": ["a", "b"],
        "properties": {"a": {"type": "text", "title": "A"}, "b": 5, "c": STRING},
        "allOf": [1, {"minProperties": "1", "maxProperties": 2}],
        "items": "any",
        "patternProperties": {"b": {"not": {"type": 0}}, "c": None},
        "dependentSchemas": {"c": 2},
        "additionalProperties": {"type": None},
        "additionalItems": {"type": 7},
        "definitions": {"C": 5},
        "$defs": {"A": 6, "B": True},
    }
    read = read_schema(schema)
    assert read.schema == {
        "required": ["a", "b"],
        "properties": {"a": {"title": "A"}, "c": STRING},
        "allOf": [{}, {"maxProperties": 2}],
        "patternProperties": {"b": {"not": {}}},
        "dependentSchemas": {},
        "additionalProperties": {},
        "$defs": {"B": True},
    }
    paths = [each.path for each in read.faults if each.code == "invalid-schema"]
    assert paths == ["", ".a", ".b", "", "", "", "{}", "{}", "", "{}", "[]", "#C", "#A"]


def test_a_schema_may_be_nested_100_deep():
    def nested(depth: int, end: Json = STRING) -> Json:
        return {"items": nested(depth - 1, end)} if depth else end

    deepest = read_schema(nested(100))
    assert (deepest.schema, deepest.faults) == (nested(100), [])
    (told,) = found(nested(101))
    assert told == ("[]" * 101, "invalid-schema", "nested deeper than 100 levels")
    assert read_schema(nested(101)).schema == nested(101, {})
    assert found({"$ref": "#/x", "x": nested(99)}) == []
    assert [code for _, code in codes({"$ref": "#/x", "x": nested(100)})] == ["invalid-schema"]


@pytest.mark.parametrize("profile", [profiles.MCP, profiles.MILO], ids=str)
def test_the_schemas_of_annotations_are_in_our_form_and_have_no_faults(profile):
    schemas = [each for each in (case.says(profile) for case in CASES) if each is not None]
    assert len(schemas) > 100
    for schema in (*schemas, True, False, {}, {"$ref": "#"}):
        read = read_schema(schema)
        assert (read.faults, read.schema is schema) == ([], True)


def test_a_valid_schema_is_returned_and_another_one_is_an_error():
    counts = {"minItems": 2.0, "minLength": 0.0}
    assert repr(valid_schema(counts, "schema", str)) == "{'minItems': 2, 'minLength': 0}"
    with pytest.raises(SchemaError) as caught:
        valid_schema({"type": "a", "items": {"type": "b"}}, "input schema", "run".__add__)
    reason = "the input schema is not valid: 'type' must be a JSON type or a list of them, not"
    said = [f'run: {reason} "a"', f'run[]: {reason} "b"']
    assert [str(each) for each in caught.value.problems] == said
    assert {each.code for each in caught.value.problems} == {"invalid-schema"}


# -- valid, but wrong -------------------------------------------------------------------------

REMOTE = "clients do not load it; put the definition into $defs, and write #/$defs/NAME"
ODD: list[tuple[Json, list[tuple[str, str, str]]]] = [
    ({"properties": {"a": {"$ref": "#/$defs/A"}}},
     [(".a", "dangling-reference", 'it refers to "#/$defs/A", which does not exist')]),
    ({"items": {"$ref": "https://a.b/c.json"}},
     [("[]", "dangling-reference",
         f'it refers to "https://a.b/c.json" outside of the schema; {REMOTE}')]),
    ({"$ref": "http://["}, [("", "dangling-reference",
         f'it refers to "http://[" outside of the schema; {REMOTE}')]),
    ({"$id": "https://a.b/c", "$ref": "http://["},
     [("", "dangling-reference", f'it refers to "http://[" outside of the schema; {REMOTE}')]),
    ({"$id": "http://[", "items": {"$ref": "http://["}}, [("[]", "other-dialect",
         'it refers to "http://[" by an identifier; write #/$defs/NAME')]),
    ({"enum": []}, [("", "odd-enum", "'enum' is empty, so no value is valid; add its values")]),
    ({"enum": [1, 1.0]}, [("", "odd-enum", "'enum' repeats a value; keep one of them")]),
    ({"enum": [1, True, "1", [1], {"a": 1}]}, []),
    ({"type": "string", "nullable": True}, [("", "other-dialect",
         "'nullable' is a keyword of OpenAPI 3.0; add \"null\" to the type")]),
    ({"type": "string", "nullable": False}, []),
    ({"$schema": DRAFT_7}, [("", "other-dialect",
         'declares "draft-07"; MCP clients assume 2020-12, so use that and omit $schema')]),
    ({"$schema": "https://a.b/schema"}, [("", "other-dialect",
         ('declares "https://a.b/schema"; it is read as 2020-12, so use that '
             "and omit $schema"))]),
    ({"$schema": "https://json-schema.org/draft/2020-12/schema"}, []),
    ({"definitions": {"A": {}}}, [("", "other-dialect",
         "'definitions' is a keyword of an older draft; write $defs")]),
    ({"$schema": "https://json-schema.org/draft/2019-09/schema#", "definitions": {}},
     [("", "other-dialect", ('declares "draft/2019-09"; MCP clients assume 2020-12, so use that '
         "and omit $schema"))]),
    ({"dependencies": {"a": ["b"]}, "additionalItems": False, "$recursiveRef": "#"},
     [("", "other-dialect", ("'dependencies' is a keyword of an older draft; write "
         "dependentRequired or dependentSchemas")),
      ("", "other-dialect", ("'additionalItems' is a keyword of an older draft; write prefixItems "
         "for the first items, and items for the others")),
      ("", "other-dialect", "'$recursiveRef' is a keyword of an older draft; write $ref")]),
    ({"pattern": r"\Aa"}, [("", "python-pattern",
         r'only Python reads "\\A" in a pattern; write it as in JavaScript')]),
    ({"patternProperties": {"^[a-": {}}}, [("", "invalid-pattern", ('the pattern "^[a-" is not a '
         "regular expression: unterminated character set; correct it"))]),
    ({"patternProperties": {"(?i)a": {}}}, [("", "python-pattern",
         'only Python reads "(?i)" in a pattern; write it as in JavaScript')]),
]  # fmt: skip

FOREIGN = ("$schema", "$id", "definitions", "dependencies", "additionalItems", "nullable")


@every("row", ODD)
def test_a_valid_but_wrong_schema_is_a_fault(row):
    schema, expected = row
    assert found(schema) == expected
    assert read_schema(schema).schema.keys().isdisjoint(FOREIGN)


ONLY_PYTHON = [r"(?P<a>x)", r"a\Z", "(?#x)", "(?>a)", "a++", "a{2}+", "a{,2}", "(?x)a"]
ECMA_262 = [r"a\+", r"(?<a>x)", r"[\A{,2}]", "(?i:a)", "a+?", r"\\A", r"\p{L}", "(?=a)"]


@pytest.mark.parametrize("pattern", [*ONLY_PYTHON, *ECMA_262])
def test_syntax_that_only_python_has_is_a_fault(pattern):
    assert codes({"pattern": pattern}) == [("", "python-pattern")] * (pattern in ONLY_PYTHON)


MISTAKES = ["[", "(a", "a)", "*a", "(?:+)", "a**", "a{2}{3}", "a{3,2}"]
OF_ECMA_262_ALONE = [
    "a{99999999999}",
    r"(a)?\1b",
    r"\p{Script=Greek}",
    "[]",
    "[^]",
    r"[\w-.]",
    "(?<=a+)b",
    r"\c",
    "(?<a>x)|(?<a>y)",
]


@pytest.mark.parametrize("pattern", [*MISTAKES, *OF_ECMA_262_ALONE])
def test_a_pattern_that_nobody_can_read_is_a_fault(pattern):
    assert codes({"pattern": pattern}) == [("", "invalid-pattern")] * (pattern in MISTAKES)


CLOSED: Json = {"additionalProperties": False}
UNDECLARED: list[tuple[Json, bool]] = [
    ({"properties": {"a": {}}, "required": ["b"]}, True),
    ({"required": ["b"]}, True),
    ({"properties": {"a": {}}, "required": ["a"]}, False),
    ({"$defs": {"b": {}}, "required": ["b"]}, True),
    ({"properties": {"a": {}}, "required": ["b"], "additionalProperties": STRING}, False),
    ({"properties": {"a": {}}, "required": ["b"], "additionalProperties": True}, False),
    ({"properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["b"]}]}, False),
    ({"properties": {"b": {}}, "items": {"required": ["b"], **CLOSED}}, True),
    ({"required": ["b"], "patternProperties": {"^b": {}}, **CLOSED}, False),
    ({"required": ["b"], "patternProperties": {"^a": {}}, **CLOSED}, True),
    ({"required": "b"}, False),
    ({"required": [1], "properties": 5, "patternProperties": 5}, False),
]


@every("row", UNDECLARED)
def test_a_required_name_that_no_property_has_is_a_fault(row):
    schema, is_found = row
    told = [each for each in found(schema) if each[1] == "undeclared-property"]
    assert [reason for _, _, reason in told] == [
        '"b" is required, but not among its properties; add it, or remove it'
    ] * is_found


# -- our form ----------------------------------------------------------------------------------

INSTANCES: list[Any] = [
    None, True, 0, 1, 2.5, "", "ab", [], [1], ["a", 1], [[1]], [["a"]], {}, {"a": 1}, {"a": "b"},
]  # fmt: skip
FORMS: list[tuple[Json, Json]] = [
    # a schema of draft 7, and the same in our form
    ({"items": [STRING]}, {"prefixItems": [STRING]}),
    ({"items": [STRING], "additionalItems": {"items": [INTEGER]}},
     {"prefixItems": [STRING], "items": {"prefixItems": [INTEGER]}}),
    ({"items": {"$defs": {"B": STRING}, "allOf": [{"$ref": "#/items/$defs/B"}]}},
     {"items": {"allOf": [{"$ref": "#/$defs/B"}]}, "$defs": {"B": STRING}}),
    ({"items": STRING, "additionalItems": False}, {"items": STRING}),
    ({"items": []}, {}),
    ({"dependencies": {"a": ["b"], "c": {"required": ["d"]}}},
     {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}}}),
    ({"dependencies": {"a": {"properties": {"a": STRING}}}},
     {"dependentSchemas": {"a": {"properties": {"a": STRING}}}}),
    ({"items": {"$ref": "#/definitions/A"}, "definitions": {"A": STRING, "B": {}}},
     {"items": {"$ref": "#/$defs/A"}, "$defs": {"A": STRING}}),
    ({"items": {"$ref": "#/definitions/A/items"}, "definitions": {"A": {"items": INTEGER}}},
     {"items": {"$ref": "#/$defs/items"}, "$defs": {"items": INTEGER}}),
    ({"items": {"$ref": "#"}, "type": ["array", "string"]},
     {"items": {"$ref": "#"}, "type": ["array", "string"]}),
    # a reference has no siblings
    ({"properties": {"a": {"$ref": "#/$defs/A", "minLength": 1, "description": "A."}},
      "$defs": {"A": STRING}},
     {"properties": {"a": {"description": "A.", "$ref": "#/$defs/A"}}, "$defs": {"A": STRING}}),
    # identifiers
    ({"$id": "https://a.b/c", "$anchor": "d", "$recursiveAnchor": True, **STRING}, STRING),
    ({"$id": "https://a.b/c", "items": {"$ref": "#a"},
      "definitions": {"A": {"$id": "#a", **STRING}}},
     {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": STRING}}),
    ({"items": {"$ref": "a#"}, "definitions": {"": {"$id": "a", **STRING}}},
     {"items": {"$ref": "#/$defs/Definition"}, "$defs": {"Definition": STRING}}),
    # definitions of one name get a number
    ({"items": {"$ref": "#/definitions/A"}, "contains": {"$ref": "#/definitions/%C3%A4"},
      "definitions": {"A": INTEGER, "ä": {"type": "string"}}, "$defs": {"A": STRING, "_": {}}},
     {"items": {"$ref": "#/$defs/A_2"}, "contains": {"$ref": "#/$defs/__2"},
      "$defs": {"A": STRING, "_": {}, "A_2": INTEGER, "__2": STRING}}),
]  # fmt: skip


@every("row", FORMS)
def test_draft_7_is_read_for_what_it_means(row):
    schema, expected = row
    assert read_schema({"$schema": DRAFT_7, **schema}).schema == expected
    judge = jsonschema.Draft7Validator(schema)
    for value in INSTANCES:
        assert is_valid(value, expected) is judge.is_valid(value), value


OLDER: list[tuple[str, str]] = [
    ("http://json-schema.org/draft-06/schema#", "draft-06"),
    ("http://json-schema.org/draft-04/schema", "draft-04"),
    ("https://json-schema.org/draft-03/schema#", "draft-03"),
]


def declares(uri: str, keywords: Json) -> ToolSchema:
    schema = {"type": "object", "$schema": uri, "properties": {"x": keywords}}
    return ToolSchema.from_mcp({"name": "run", "description": "Run.", "inputSchema": schema})


@every("row", OLDER)
def test_a_draft_before_7_is_reported_and_read_as_2020_12(row):
    uri, name = row
    told = f'declares "{name}"; it is read as 2020-12, so use that and omit $schema'
    tool = declares(uri, {"$ref": "#/definitions/A", "minLength": 2})
    tool = tool.replace(input_schema={**tool.input_schema, "definitions": {"A": STRING}})
    assert f"run: {told} [other-dialect]" in map(str, check(tool))
    assert tool.with_function(echo).call({"x": "ab"})["isError"] is False
    refused = tool.with_function(echo).call({"x": "a"})["content"][0]["text"]
    assert refused.endswith("x: must have at least 2 characters, got 1")
    undeclared = {**tool.input_schema}
    del undeclared["$schema"]
    assert compare(tool.input_schema, undeclared) == []


@every("row", OLDER)
def test_what_only_a_draft_before_7_means_is_an_error_everywhere(row):
    tool = declares(row[0], {"description": "X.", "minimum": 1, "exclusiveMinimum": True})
    reason = (
        "'exclusiveMinimum' must be a number, not true; write the limit itself, without 'minimum'"
    )
    assert [str(each) for each in check(tool)][1:] == [f"run(x): {reason} [invalid-schema]"]
    with pytest.raises(SchemaError, match="must be a number, not true"):
        tool.with_function(echo).call({"x": 1})
    with pytest.raises(SchemaError, match="must be a number, not true"):
        compare(tool.input_schema, tool.input_schema)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, {"type": ["string", "null"]}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"type": "string", "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"enum": ["a", None]}, {"enum": ["a", None]}),
        ({"anyOf": [STRING, INTEGER], "title": "T"},
         {"anyOf": [STRING, INTEGER, {"type": "null"}], "title": "T"}),
        ({"minimum": 1}, {"minimum": 1}),
    ],
)  # fmt: skip
def test_nullable_adds_null(schema, expected):
    assert read_schema({**schema, "nullable": True}).schema == expected


REFERENCES: list[tuple[str, Json, str]] = [
    ("#/$defs/A", {"A": STRING}, "A"),
    ("#a", {"A": {"$anchor": "a", **STRING}}, "A"),
    ("#a", {"A": {"$dynamicAnchor": "a", **STRING}}, "A"),
    ("#a", {"A": {"$id": "#a", **STRING}}, "A"),
    ("item", {"A": {"$id": "item", **STRING}}, "A"),
    ("https://a.b/item", {"A": {"$id": "https://a.b/item#", **STRING}}, "A"),
    ("https://a.b/item#x", {"A": {"$id": "https://a.b/item", "items": {"$anchor": "x", **STRING}}},
     "x"),
    ("#/$defs/a~1b%20c~0.", {"a/b c~.": STRING}, "a_b_c_."),
    ("#/$defs/A/items/anyOf/0", {"A": {"items": {"anyOf": [STRING]}}}, "0"),
    ("#/$defs/A/x-more", {"A": {"x-more": STRING}}, "x-more"),
    ("#/$defs/%C3%A4", {"ä": STRING, "_": {}}, "_"),
]  # fmt: skip


@every("row", REFERENCES)
def test_a_reference_leads_to_what_it_means(row):
    reference, definitions, name = row
    schema = {"properties": {"a": {"$ref": reference}}, "$defs": definitions}
    read = read_schema(schema)
    assert read.schema["properties"]["a"] == {"$ref": f"#/$defs/{name}"}
    assert read.schema["$defs"][name] == STRING
    assert [each.code for each in read.faults if each.code == "dangling-reference"] == []
    by_identifier = not reference.startswith("#/")
    assert ((".a", "other-dialect") in codes(schema)) is by_identifier


@pytest.mark.parametrize(
    "reference",
    ["#/$defs/B", "#b", "other", "#/$defs/A/type", "#/$defs/A/enum/1", "#/$defs/A/enum/x",
     "#/$defs/A/maxLength/0"],
)  # fmt: skip
def test_a_reference_may_lead_nowhere(reference):
    schema = {"$ref": reference, "$defs": {"A": {"type": "string", "enum": ["a"], "maxLength": 9}}}
    for given in (schema, {**schema, "nullable": False}):
        assert codes(given) == [("", "dangling-reference")]
        assert read_schema(given).schema == schema
    assert not is_valid("a", schema)


def test_a_target_is_looked_up_once_for_all_references_to_it(monkeypatch):
    asked: list[str] = []

    def unquote(text: str) -> str:
        asked.append(text)
        return text

    monkeypatch.setattr("urllib.parse.unquote", unquote)
    names = {name: {"$ref": "#/$defs/A"} for name in "abc"}
    assert found({"properties": names, "$defs": {"A": STRING}}) == []
    assert asked == ["/$defs/A"]


def test_a_dynamic_reference_to_one_of_several_subschemas_is_an_error():
    node = {"$dynamicAnchor": "node", "type": "object"}
    schema = {**node, "properties": {"next": {"$dynamicRef": "#node"}}}
    several = {**schema, "$defs": {"Strict": {"$id": "strict", **node}}}
    reason = (
        'several subschemas have the $dynamicAnchor "node", to which it refers; '
        "write a $ref to the one that is meant"
    )
    assert found(several) == [(".next", "invalid-schema", reason)]
    with pytest.raises(SchemaError, match=r"run\.next: the input schema is not valid: several"):
        valid_schema(several, "input schema", "run".__add__)
    assert read_schema(schema).schema["properties"] == {"next": {"$ref": "#"}}
    plain = {**several, "properties": {"next": {"$ref": "#node"}}}
    assert codes(plain) == [(".next", "other-dialect")]


@pytest.mark.parametrize("reference", [{"$ref": ""}, {"$dynamicRef": "#"}])
def test_a_reference_is_written_in_one_way(reference):
    assert read_schema({"items": reference}).schema == {"items": {"$ref": "#"}}


def test_references_to_the_root_to_booleans_and_to_several_targets():
    root, more = {"$ref": "#"}, {"$ref": "#/$defs/more"}
    references: dict[str, tuple[Json, Json]] = {
        "root": ({"$ref": "https://a.b/c"}, root),
        "here": (root, root),
        "yes": ({"$ref": "#/$defs/yes"}, {"allOf": [True]}),
        "no": ({"$ref": "#/$defs/no", "allOf": [STRING]}, {"allOf": [STRING, False]}),
        "both": ({**root, "$dynamicRef": "#/properties/more"}, {**root, "allOf": [more]}),
        "old": ({"$recursiveRef": "#"}, root),
        "more": (STRING, STRING),
    }
    given, expected = ({key: each[at] for key, each in references.items()} for at in (0, 1))
    definitions = {"yes": True, "no": False}
    read = read_schema({"$id": "https://a.b/c", "$defs": definitions, "properties": given})
    assert read.schema["properties"] == expected
    assert read.schema["$defs"] == {"yes": True, "no": False, "more": STRING}


# -- any keyword with any value ----------------------------------------------------------------

NAMES = [
    *KEYWORDS,
    *("definitions", "dependencies", "additionalItems", "id", "$recursiveRef", "divisibleBy"),
    *("nullable", "discriminator", "xml", "externalDocs", "example", "x-mcp-header"),
]
VALUES: list[Any] = [
    None, True, 0, -1, 1.5, 2.0, 10**30, "", "a", "string", "#", "#/$defs/A", "http://[",
    [], ["a", "a"], ["string", "null"], [1], [{}, 1], [None],
    {}, {"a": 1}, {"a": {}}, {"a": ["b"]}, {"a": None}, STRING, {"a": {"$ref": "#"}},
]  # fmt: skip
BESIDE: list[Json] = [
    {},
    STRING,
    {"type": "object", "properties": {"a": STRING}},
    {"type": "array"},
]


SOME = [
    *(profiles.MILO, profiles.PORTABLE, profiles.OPENAI_STRICT, profiles.ANTHROPIC_STRICT),
    *(profiles.GEMINI, profiles.GEMINI_JSON, profiles.PLATOOLS),
]


def foreign_tools(times: int, step: int = 1) -> Iterator[tuple[Json, ToolSchema, Any]]:
    """Each keyword with each value, each time with another profile and other keywords beside it.

    With a step, some of them: the numbers of values and of profiles are no multiples of it.
    """
    turns = zip(itertools.cycle(SOME), itertools.cycle(BESIDE), strict=False)
    all_of_them = zip(itertools.product(NAMES, VALUES, range(times)), turns, strict=False)
    for (keyword, value, _), (profile, beside) in itertools.islice(all_of_them, 0, None, step):
        schema = {**beside, keyword: value}
        inner = {"properties": {"x": {**schema, "default": {"a": 1}}}, "$defs": {"A": schema}}
        given = {**(schema if profile is profiles.MILO else inner), "type": "object"}
        listed = {"name": "t", "inputSchema": given, "outputSchema": schema}
        yield schema, ToolSchema.from_mcp(listed), profile


# 28 are all: each with every profile and with each of the others beside it.
ALL = pytest.param(28, 1, marks=pytest.mark.long)


def echo(**arguments: Any) -> Any:
    return arguments


def use(schema: Json, tool: ToolSchema, profile: Profile) -> None:
    """Everything that can be done with a tool that others defined."""
    check([tool], profile=profile)
    check(tool, profile=profile)
    cost(tool)
    for arguments in ({}, {"a": [1]}, {"x": {"a": 1}}):
        with contextlib.suppress(SchemaError):
            tool.with_function(echo).call(arguments)
    with contextlib.suppress(SchemaError):
        tool.result({"a": [1]})
    with contextlib.suppress(SchemaError):
        compare(schema, {"type": "object", "properties": {"a": STRING}})
    with contextlib.suppress(SchemaError):
        compare({"type": "string"}, schema, output=True)


@pytest.mark.parametrize(("times", "step"), [(1, 3), ALL])
def test_any_keyword_with_any_value_ends_in_a_finding_an_error_or_an_answer(times, step):
    for each in foreign_tools(times, step):
        use(*each)


def test_the_steps_for_any_keyword_with_any_value_are_bounded():
    some = foreign_tools(1, step=31)

    assert max(instructions(lambda each=each: use(*each)) for each in some) < 1_000_000


def test_an_object_that_a_schema_has_in_several_places_is_read_once():
    wrong: dict[str, Any] = {"type": "text"}
    schema: dict[str, Any] = {"properties": {"a": wrong, "b": wrong}}
    assert [each.path for each in read_schema(schema).faults] == [".a"]
