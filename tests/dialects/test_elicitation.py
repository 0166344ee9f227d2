"""Forms of MCP's elicitation: the fields that a form can have, and those that it cannot."""

import dataclasses
import datetime
import enum
import json
from typing import Annotated, Any, Literal

import hypothesis
import jsonschema
import pydantic
import pytest

from milo_schema import (
    Ge,
    Le,
    MaxLen,
    MinLen,
    SchemaError,
    Title,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)
from milo_schema.arguments import json_to_value
from tests import judges
from tests.dialects.test_dialects import DIALECTS, SCHEMAS, Facts
from tests.fragments import Json, array_of, obj, record
from tests.inside import consumers, write_in

STRING: Json = {"type": "string"}
TITLED = [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}]
FIELDS: list[tuple[Json, Json]] = [
    (STRING, STRING),
    ({"type": "string", "minLength": 1, "maxLength": 9, "default": "a", "title": "T"},
     {"type": "string", "minLength": 1, "maxLength": 9, "title": "T", "default": "a"}),
    *(({"type": "string", "format": each}, {"type": "string", "format": each})
      for each in ("date", "date-time", "email", "uri")),
    ({"type": "string", "format": "uuid"}, {"type": "string", "description": "format uuid"}),
    ({"type": "string", "pattern": "^a$"}, {"type": "string", "description": "matches ^a$"}),
    ({"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
     {"type": "integer", "minimum": 1, "maximum": 9, "default": 3}),
    ({"type": "number", "exclusiveMinimum": 0},
     {"type": "number", "minimum": 0, "description": "greater than 0"}),
    ({"type": "boolean", "default": False}, {"type": "boolean", "default": False}),
    ({"type": "integer", "enum": [1, 2]}, {"type": "integer", "description": "one of 1, 2"}),
    ({"anyOf": [STRING, {"type": "null"}], "description": "D."},
     {"type": "string", "description": "D."}),
    ({"type": ["integer", "null"]}, {"type": "integer"}),
    # one choice
    ({"enum": ["a", "b"], "default": "a"}, {"type": "string", "enum": ["a", "b"], "default": "a"}),
    ({"const": "a", "title": "T"}, {"type": "string", "enum": ["a"], "title": "T"}),
    ({"enum": ["a", None]}, {"type": "string", "enum": ["a"]}),
    ({"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}, {"type": "string", "enum": ["a", "b"]}),
    ({"anyOf": [{"enum": ["a", "b"]}, {"enum": ["c"]}]},
     {"type": "string", "enum": ["a", "b", "c"]}),
    ({"oneOf": TITLED, "title": "Size", "description": "D.", "default": "s"},
     {"type": "string", "oneOf": TITLED, "description": "D.", "title": "Size", "default": "s"}),
    ({"anyOf": [*TITLED, {"enum": ["x", "y", None]}]},
     {"type": "string", "oneOf": [*TITLED, *({"const": each, "title": each} for each in "xy")]}),
    ({"anyOf": [*TITLED, {"const": "x"}, {"const": None}]},
     {"type": "string", "oneOf": [*TITLED, {"const": "x", "title": "x"}]}),
    # several choices
    ({"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1, "maxItems": 2,
      "uniqueItems": True, "default": ["a"], "description": "D."},
     {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "minItems": 1,
      "maxItems": 2, "description": "D.", "default": ["a"]}),
    ({"type": "array", "items": {"oneOf": TITLED}}, {"type": "array", "items": {"anyOf": TITLED}}),
    ({"type": "array", "items": {"$ref": "#/$defs/Size"}},
     {"type": "array", "items": {"anyOf": TITLED}}),
    ({"$ref": "#/$defs/Size"}, {"type": "string", "oneOf": TITLED}),
]  # fmt: skip
NOT_PLAIN: list[tuple[Json, str, str]] = [
    ({"type": "object", "properties": {"a": STRING}}, "object", "{a?: string}"),
    ({"type": "array", "items": STRING}, "array", "[string, ...]"),
    ({"type": "array", "items": {"enum": [1, 2]}}, "array", "[1 | 2, ...]"),
    ({"anyOf": [STRING, {"type": "integer"}]}, "string | integer", "string | integer"),
    ({"anyOf": [{"enum": ["a"]}, STRING]}, "string | string", '"a" | string'),
    ({"items": {"enum": ["a"]}}, "string | number | boolean | array | object", "anything"),
    ({"anyOf": [STRING, {"$ref": "#/$defs/Size"}]}, "string | string | string",
     'string | "s" (Small) | "l" (Large)'),
    ({"type": "null"}, "null", "null"),
    ({}, "string | number | boolean | object | array", "anything"),
    ({"$ref": "#/$defs/Tree"}, "object", "{below?: {below?: Tree}}"),
]  # fmt: skip
DEFINITIONS: Json = {"Size": {"oneOf": TITLED}, "Tree": obj([], below={"$ref": "#/$defs/Tree"})}


def form_of(field: Json) -> Json:
    return {"type": "object", "properties": {"f": field}, "$defs": DEFINITIONS}


@pytest.mark.parametrize(("schema", "expected"), FIELDS, ids=str)
def test_a_field_has_the_keywords_that_a_form_may_have(schema: Json, expected: Json) -> None:
    facts = Facts()
    form = write_in("elicitation", form_of(schema), facts)

    assert (facts, form) == ([], {"type": "object", "properties": {"f": expected}})


@pytest.mark.parametrize(("schema", "kinds", "said"), NOT_PLAIN, ids=str)
def test_a_nested_field_is_reported_and_described(schema: Json, kinds: str, said: str) -> None:
    facts = Facts()
    form = write_in("elicitation", form_of({**schema, "title": "T", "default": [1]}), facts)
    if "$ref" in schema:  # which has no siblings
        form["properties"]["f"]["title"] = "T"

    reason = (
        f"MCP's elicitation supports plain fields only, not {kinds}; write a field for each part"
    )
    assert facts == [(".f", reason)]
    field = {"type": "string", "title": "T", "description": said}
    assert form == {"type": "object", "properties": {"f": field}}


@pytest.mark.parametrize(
    "root",
    [
        STRING,
        {"type": "object", "additionalProperties": STRING},
        {"type": "string", "properties": {}},
    ],
)
def test_a_form_is_an_object_with_named_properties(root: Json) -> None:
    facts = Facts()

    assert write_in("elicitation", root, facts) == {"type": "object", "properties": {}}
    assert facts == [("", "MCP's elicitation supports only an object with named properties")]


def test_a_form_has_no_restrictions_of_the_whole_and_requires_no_null() -> None:
    root = record(a=STRING, b={"type": ["string", "null"]}) | {"minProperties": 1}
    facts = Facts()

    assert write_in("elicitation", root, facts) == record(a=STRING, b=STRING)
    assert facts == [
        ("", "MCP's elicitation does not support minProperties at the root"),
        (".b", "MCP's elicitation does not support null; do not require it"),
    ]


def test_the_root_may_be_a_definition_and_requires_only_existing_properties() -> None:
    body = {"type": "object", "properties": {"a": STRING}, "required": ["a", "b"], "title": "T"}

    assert write_in("elicitation", {"$ref": "#/$defs/A", "$defs": {"A": body}}, Facts()) == record(
        a=STRING
    )


@pytest.mark.slow
@hypothesis.settings(max_examples=100, deadline=None)
@hypothesis.given(SCHEMAS, SCHEMAS)
def test_any_schema_can_be_written_as_a_form(one: Any, two: Any) -> None:
    schema = {"type": "object", "properties": {"p": one}, "$defs": {"A": two, "B": one}}
    before = json.dumps(schema)
    form = write_in("elicitation", schema, Facts())

    assert json.dumps(schema) == before
    assert form.keys() == {"type", "properties"}
    field = form["properties"]["p"]
    keywords = "type title description default enum oneOf minLength maxLength format"
    numbers_and_arrays = "minimum maximum items minItems maxItems"
    assert field.keys() <= {*keywords.split(), *numbers_and_arrays.split()}
    assert field["type"] in ("string", "integer", "number", "boolean", "array")
    jsonschema.Draft202012Validator.check_schema(form)


# -- as a profile ------------------------------------------------------------------------------


class Color(enum.Enum):
    RED = "#f00"
    BLUE = "#00f"


@dataclasses.dataclass
class Order:
    """An order."""

    name: Annotated[str, MinLen(2), MaxLen(40), Title("Your name")]
    day: datetime.date
    colors: list[Color]
    size: Annotated[Literal["s"], Title("Small")] | Annotated[Literal["l"], Title("Large")]
    count: Annotated[int, Ge(1), Le(9)] = 1
    note: str | None = None


FORM: Json = obj(
    ["name", "day", "colors", "size"],
    name={"type": "string", "minLength": 2, "maxLength": 40, "title": "Your name"},
    day={"type": "string", "format": "date"},
    colors=array_of({"type": "string", "enum": ["#f00", "#00f"]}),
    size={"type": "string", "oneOf": TITLED},
    count={"type": "integer", "minimum": 1, "maximum": 9, "default": 1},
    note=STRING,
)


def test_a_dataclass_is_a_form_and_its_answer_an_instance() -> None:
    answer = {"name": "Ann", "day": "2026-11-22", "colors": ["#f00"], "size": "s"}

    assert type_to_schema(Order, profile=profiles.ELICITATION) == FORM
    assert json_to_value(answer, Order, profile=profiles.ELICITATION) == Order(
        "Ann", datetime.date(2026, 11, 22), [Color.RED], "s"
    )


def test_a_function_asks_for_its_parameters_and_has_no_output() -> None:
    def ask(name: str, color: Color = Color.RED) -> int: ...

    assert function_to_schema(ask, profile=profiles.ELICITATION) == obj(
        ["name"], name=STRING, color={"type": "string", "enum": ["#f00", "#00f"], "default": "#f00"}
    )
    assert return_to_schema(ask, profile=profiles.ELICITATION) is None


def test_a_field_that_no_form_can_have_is_an_error_with_its_path() -> None:
    def ask(name: str, orders: list[Order]): ...

    with pytest.raises(SchemaError) as caught:
        function_to_schema(ask, profile=profiles.ELICITATION)
    assert caught.value.path == "ask(orders)"


# -- the judge: the SDK's models of the wire ---------------------------------------------------


@pytest.mark.parametrize("version", ["_v2025_11_25", "_v2026_07_28"])
def test_the_models_of_the_sdk_keep_every_field(version: str) -> None:
    models = judges.module(f"mcp_types.{version}")
    reader: Any = pydantic.TypeAdapter(models.PrimitiveSchemaDefinition)
    fields = [expected for _, expected in FIELDS] + [*FORM["properties"].values()]

    assert [_read(reader, field) for field in fields] == fields
    params = models.ElicitRequestFormParams.model_validate(
        {"message": "Your order?", "requestedSchema": FORM}
    )
    assert params.model_dump(mode="json", by_alias=True, exclude_unset=True) == {
        "message": "Your order?",
        "requestedSchema": FORM,
    }


def _read(reader: Any, field: Json) -> Json:
    value = reader.validate_python(field)
    dumped: Json = value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return dumped


def test_every_other_dialect_is_in_the_table_of_the_other_tests() -> None:
    names = {name.lower() for name in DIALECTS}
    assert names | {"elicitation"} == consumers.DIALECTS.keys()
