"""Each problem says which keyword refuses which value, and the value of that keyword."""

import datetime
import decimal
import enum
import json
import pickle
import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, Never

import pydantic
import pytest

from milo_schema import Ge, Injected, Le, MaxLen, MinLen, MultipleOf, Pattern, Schema, ToolSchema
from milo_schema.arguments import ArgumentsError, bind, json_to_value
from milo_schema.errors import Problem
from milo_schema.profiles import MCP
from tests.inside import VALIDATORS

ONE: Mapping[str, Any] = {"type": "integer"}
A: Mapping[str, Any] = {"properties": {"a": ONE}}

# ruff: noqa: E501 - a row is one fact, and a line

# The keyword that a row is about; a schema and a value that it refuses; and what the problem says:
# the keyword, the limit, where below the value it is, and what is wrong there.
KEYWORDS: list[tuple[str, dict[str, Any], Any, tuple[str, Any, str, Any]]] = [
    ("type", {"type": "integer"}, "x", ("type", "integer", "", "x")),
    ("type", {"type": ["integer", "null"]}, "x", ("type", ["integer", "null"], "", "x")),
    ("enum", {"enum": [1, "a"]}, 2, ("enum", [1, "a"], "", 2)),
    ("const", {"const": 1}, 2, ("const", 1, "", 2)),
    ("const", {"const": None}, 2, ("const", None, "", 2)),
    ("$ref", {"$ref": "#/$defs/N", "$defs": {"N": ONE}}, "x", ("type", "integer", "", "x")),
    ("anyOf", {"anyOf": [{"minimum": 5}, {"maximum": 1}]}, 3, ("anyOf", None, "", 3)),
    ("anyOf", {"anyOf": [ONE, {"type": "null"}]}, "x", ("anyOf", None, "", "x")),
    ("oneOf", {"oneOf": [{"minimum": 1}, {"maximum": 5}]}, 3, ("oneOf", None, "", 3)),
    ("allOf", {"allOf": [{"minimum": 5}]}, 3, ("minimum", 5, "", 3)),
    ("not", {"not": {"const": 1}}, 1, ("not", None, "", 1)),
    ("if", {"if": {"minimum": 5}, "then": {"maximum": 9}}, 10, ("maximum", 9, "", 10)),
    ("if", {"if": {"minimum": 5}, "else": {"multipleOf": 2}}, 3, ("multipleOf", 2, "", 3)),
    ("properties", {**A}, {"a": "x"}, ("type", "integer", ".a", "x")),
    ("required", {"required": ["b", "a"]}, {"b": 1}, ("required", ["b", "a"], ".a", {"b": 1})),
    ("additionalProperties", {**A, "additionalProperties": False}, {"b": 1}, ("additionalProperties", False, ".b", 1)),
    ("additionalProperties", {**A, "additionalProperties": ONE}, {"b": "x"}, ("type", "integer", ".b", "x")),
    ("patternProperties", {"patternProperties": {"^a": ONE}}, {"ab": "x"}, ("type", "integer", ".ab", "x")),
    ("propertyNames", {"propertyNames": {"maxLength": 1}}, {"ab": 1}, ("maxLength", 1, ".ab", "ab")),
    ("dependentRequired", {"dependentRequired": {"a": ["b"]}}, {"a": 1}, ("dependentRequired", {"a": ["b"]}, ".b", {"a": 1})),
    ("dependentSchemas", {"dependentSchemas": {"a": {"required": ["b"]}}}, {"a": 1}, ("required", ["b"], ".b", {"a": 1})),
    ("unevaluatedProperties", {**A, "unevaluatedProperties": False}, {"b": 1}, ("unevaluatedProperties", False, ".b", 1)),
    ("prefixItems", {"prefixItems": [ONE]}, ["x"], ("type", "integer", "[0]", "x")),
    ("items", {"items": ONE}, [1, "x"], ("type", "integer", "[1]", "x")),
    ("unevaluatedItems", {"prefixItems": [ONE], "unevaluatedItems": False}, [1, 2], ("unevaluatedItems", False, "[1]", 2)),
    ("uniqueItems", {"uniqueItems": True}, [1, 1], ("uniqueItems", True, "", [1, 1])),
    ("contains", {"contains": ONE}, ["x"], ("contains", None, "", ["x"])),
    ("minContains", {"contains": ONE, "minContains": 2}, [1], ("minContains", 2, "", [1])),
    ("maxContains", {"contains": ONE, "maxContains": 1}, [1, 2], ("maxContains", 1, "", [1, 2])),
    ("pattern", {"pattern": "^a$"}, "b", ("pattern", "^a$", "", "b")),
    ("multipleOf", {"multipleOf": 2}, 3, ("multipleOf", 2, "", 3)),
    ("minimum", {"minimum": 3}, 2, ("minimum", 3, "", 2)),
    ("maximum", {"maximum": 3}, 4, ("maximum", 3, "", 4)),
    ("exclusiveMinimum", {"exclusiveMinimum": 3}, 3, ("exclusiveMinimum", 3, "", 3)),
    ("exclusiveMaximum", {"exclusiveMaximum": 3}, 3, ("exclusiveMaximum", 3, "", 3)),
    ("minLength", {"minLength": 2}, "a", ("minLength", 2, "", "a")),
    ("maxLength", {"maxLength": 2}, "abc", ("maxLength", 2, "", "abc")),
    ("minItems", {"minItems": 2}, [1], ("minItems", 2, "", [1])),
    ("maxItems", {"maxItems": 0}, [1], ("maxItems", 0, "", [1])),
    ("minProperties", {"minProperties": 2}, {"a": 1}, ("minProperties", 2, "", {"a": 1})),
    ("maxProperties", {"maxProperties": 0}, {"a": 1}, ("maxProperties", 0, "", {"a": 1})),
]  # fmt: skip


def facts_of(problem: Problem) -> tuple[str, Any, str, Any]:
    return problem.keyword, problem.limit, problem.path, problem.value


def refused(call: Callable[[], object]) -> tuple[Problem, ...]:
    with pytest.raises(ArgumentsError) as raised:
        call()
    return raised.value.problems


def bound_by_function(schema: dict[str, Any], value: Any) -> tuple[Problem, ...]:
    def takes(x: Any): ...

    takes.__annotations__["x"] = Annotated[Any, Schema(schema)]
    return refused(lambda: bind(takes, {"x": value}, profile=MCP))


def bound_by_tool(schema: dict[str, Any], value: Any) -> tuple[Problem, ...]:
    rest = {name: each for name, each in schema.items() if name != "$defs"}
    whole = {"type": "object", "properties": {"x": rest}, "$defs": schema.get("$defs", {})}
    tool = ToolSchema(name="takes", input_schema=whole)
    return refused(lambda: tool.with_function(lambda **kwargs: None).bind({"x": value}))


@pytest.mark.parametrize("problems_of", [bound_by_function, bound_by_tool])
@pytest.mark.parametrize(
    ("keyword", "schema", "value", "facts"),
    [pytest.param(*row, id=f"{row[0]}-{at}") for at, row in enumerate(KEYWORDS)],
)
def test_a_problem_has_the_keyword_that_refuses_a_value(keyword, schema, value, facts, problems_of):
    (problem,) = problems_of(schema, value)

    named, limit, path, wrong = facts
    assert keyword in schema
    assert facts_of(problem) == (named, limit, f".x{path}", wrong)


def test_a_problem_has_a_code_and_a_noun_if_there_is_one():
    (chosen,) = bound_by_tool({"const": 1}, 2)
    (excluded,) = bound_by_tool({"not": {"const": 2}}, 2)

    assert (chosen.code, chosen.expected) == ("not-a-choice", "one of 1")
    assert (excluded.code, excluded.expected) == ("invalid", "")


TOOLS: list[tuple[dict[str, Any], Any, tuple[str, Any, str, Any]]] = [
    ({"$dynamicRef": "#/$defs/N", "$defs": {"N": ONE}}, "a", ("type", "integer", ".x", "a")),
    ({"$ref": "#/$defs/M", "$defs": {"M": {"$ref": "#/$defs/M"}}}, 1, ("$ref", "#/$defs/M", ".x", 1)),
    ({"properties": {"a": False}}, {"a": 1}, ("properties", None, ".x.a", 1)),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "value", "facts"), TOOLS)
def test_schemas_that_only_others_write_have_them_too(schema, value, facts):
    (problem,) = bound_by_tool(schema, value)

    assert facts_of(problem) == facts


def test_the_tables_have_every_keyword_that_is_checked():
    checked = {*VALIDATORS, "minContains", "maxContains"}

    assert {row[0] for row in KEYWORDS} | {"$dynamicRef"} == checked


# -- the same from annotations ---------------------------------------------------------------------


class Color(enum.Enum):
    RED = "red"
    ONE = 1


class Bits(enum.Flag):
    A = 1
    B = 2


class Pair(NamedTuple):
    a: int
    b: int = 0


@dataclass
class Point:
    x: int
    y: int
    user: Annotated[str, Injected] = ""


class Small(int):
    def __new__(cls, value: int) -> "Small":
        if value > 9:
            raise ValueError("too large")
        return super().__new__(cls, value)


@dataclass
class Strict:
    x: int

    def __post_init__(self) -> None:
        raise ValueError("no")


class Model(pydantic.BaseModel):
    x: Annotated[int, pydantic.AfterValidator(Small)]


class Root(pydantic.RootModel[int]):
    pass


UPPER = re.compile("^a$", re.IGNORECASE)
CLOSED = MCP.replace(closed="everything")
HUGE = 10**400
HALF = "\ud800"
DECIMAL_PATTERN = r"^-?([0-9]+(\.[0-9]+)?(E[+-][0-9]+)?|Infinity|s?NaN[0-9]*)$"

ANNOTATIONS: list[tuple[Any, Any, tuple[str, Any, str, Any]]] = [
    (int, "x", ("type", "integer", "", "x")),
    (float, "x", ("type", "number", "", "x")),
    (float, HUGE, ("", None, "", HUGE)),
    (str, 1, ("type", "string", "", 1)),
    (str, HALF, ("", None, "", HALF)),
    (bool, 1, ("type", "boolean", "", 1)),
    (None, 1, ("type", "null", "", 1)),
    (list[int], "x", ("type", "array", "", "x")),
    (list[int], [1, "x"], ("type", "integer", "[1]", "x")),
    (dict[str, int], 1, ("type", "object", "", 1)),
    (dict[str, int], {"a": "x"}, ("type", "integer", ".a", "x")),
    (dict[int, int], {"a": 1}, ("propertyNames", None, ".a", "a")),
    (dict[float, int], {"1": 1, "1.0": 1}, ("", None, '["1.0"]', "1.0")),
    (int | str, None, ("type", ["integer", "string"], "", None)),
    (datetime.date | uuid.UUID, "x", ("anyOf", None, "", "x")),
    (Literal["a", 1], "b", ("enum", ["a", 1], "", "b")),
    (Literal["a", 1], None, ("type", ["string", "integer"], "", None)),
    (Color, "blue", ("enum", ["red", 1], "", "blue")),
    (Bits, 4, ("maximum", 3, "", 4)),
    (Bits, -1, ("minimum", 0, "", -1)),
    (Bits, 1.5, ("type", "integer", "", 1.5)),
    (datetime.date, "x", ("format", "date", "", "x")),
    (datetime.date, 1, ("type", "string", "", 1)),
    (uuid.UUID, "x", ("format", "uuid", "", "x")),
    (bytes, "?", ("contentEncoding", "base64", "", "?")),
    (decimal.Decimal, "x", ("pattern", DECIMAL_PATTERN, "", "x")),
    (Annotated[decimal.Decimal, Ge(3)], "2", ("minimum", 3, "", "2")),
    (Annotated[decimal.Decimal, Ge(3)], "NaN", ("", None, "", "NaN")),
    (Annotated[decimal.Decimal, Ge(3)], [], ("type", ["string", "number"], "", [])),
    (Annotated[bytes, MinLen(3)], "YQ==", ("minLength", 3, "", "YQ==")),
    (Annotated[int, Ge(3)], 2, ("minimum", 3, "", 2)),
    (Annotated[int, MultipleOf(3)], 2, ("multipleOf", 3, "", 2)),
    (Annotated[str, MaxLen(1)], "ab", ("maxLength", 1, "", "ab")),
    (Annotated[str, Pattern("^a$")], "b", ("pattern", "^a$", "", "b")),
    (Annotated[str, Pattern(UPPER)], "b", ("pattern", "^a$", "", "b")),
    (Annotated[list[Annotated[int, Le(3)]], MinLen(1)], [4], ("maximum", 3, "[0]", 4)),
    (Annotated[str, Schema({"format": "email"})], "x", ("format", "email", "", "x")),
    (set[int], [1, 2, 1], ("uniqueItems", True, "[2]", 1)),
    (tuple[int, int], [1], ("minItems", 2, "", [1])),
    (tuple[int, int], [1, 2, 3], ("maxItems", 2, "", [1, 2, 3])),
    (tuple[int, *tuple[str, ...]], [], ("minItems", 1, "", [])),
    (tuple[int, int], {}, ("type", "array", "", {})),
    (Pair, [], ("minItems", 1, "", [])),
    (Pair, [1, 2, 3], ("maxItems", 2, "", [1, 2, 3])),
    (Point, {"x": 1}, ("required", ["x", "y"], ".y", {"x": 1})),
    (Point, {"x": 1, "y": 2, "z": 3}, ("additionalProperties", False, ".z", 3)),
    (Point, {"x": 1, "y": 2, "user": "me"}, ("additionalProperties", False, ".user", "me")),
    (Point, [], ("type", "object", "", [])),
    (Never, 1, ("not", None, "", 1)),
    (Small, 10, ("", None, "", 10)),
    (Strict, {"x": 1}, ("", None, "", {"x": 1})),
    (list[Model], [{"x": 10}], ("", None, "[0].x", 10)),
    (Model, {"x": "a"}, ("type", "integer", ".x", "a")),
    (Root, [], ("type", "integer", "", [])),
]


@pytest.mark.parametrize(
    ("annotation", "value", "facts"),
    [pytest.param(*row, id=f"row-{at}") for at, row in enumerate(ANNOTATIONS)],
)
def test_a_problem_of_an_annotation_has_them_too_and_keeps_them(annotation, value, facts):
    """In a dict, in a log, and in a pickle."""
    (problem,) = refused(lambda: json_to_value(value, annotation, profile=CLOSED))
    keyword, limit, path, _ = facts

    assert facts_of(problem) == facts
    found = json.loads(json.dumps(problem.as_dict()))
    assert (found.get("keyword", ""), found.get("limit")) == (keyword, limit)
    assert facts_of(problem.without_value()) == (keyword, limit, path, None)
    assert facts_of(pickle.loads(pickle.dumps(problem))) == facts


def test_unknown_and_missing_arguments_have_them_too():
    def add(a: int, b: int): ...

    missing, unknown = refused(lambda: bind(add, {"a": 1, "c": 2}, profile=MCP))

    assert facts_of(missing) == ("required", ["a", "b"], ".b", {"a": 1, "c": 2})
    assert facts_of(unknown) == ("additionalProperties", False, ".c", 2)


def test_a_decoder_has_no_keyword():
    def decode(value: Any) -> complex:
        raise ValueError("no")

    profile = MCP.replace(decoders={complex: decode}, types={complex: {}})
    (problem,) = refused(lambda: json_to_value("1j", complex, profile=profile))

    assert facts_of(problem) == ("", None, "", "1j")
    assert "keyword" not in problem.as_dict()


def test_text_that_is_not_json_is_the_value():
    def takes(x: list[int]): ...

    (whole,) = refused(lambda: bind(takes, "{", profile=MCP, repair=True))
    (part,) = refused(lambda: bind(takes, {"x": "["}, profile=MCP, repair=True))

    assert (whole.code, *facts_of(whole)) == ("invalid-json", "", None, "", "{")
    assert (part.code, *facts_of(part)) == ("invalid-json", "type", "array", ".x", "[")
