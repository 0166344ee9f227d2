"""Changes between two schemas: their messages, and a proof by instances."""

import json
from collections import OrderedDict
from types import MappingProxyType
from typing import Annotated, Any, Literal, Optional, TypedDict, Union

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from milo_schema import (
    Ge,
    MaxLen,
    MinLen,
    MultipleOf,
    SchemaError,
    Toolbox,
    ToolSchema,
    function_to_schema,
    profiles,
    tool_schema,
    type_to_schema,
)
from milo_schema.compare import Change, compare, proofs
from milo_schema.compare import places as comparing
from tests.every import every
from tests.fragments import INTEGER, NULL, NUMBER, STRING, array_of, fixed, map_of, obj
from tests.inside import label_of, label_of_union, values

pytestmark = pytest.mark.core

Json = dict[str, Any]


def said(old: Any, new: Any, *, output: bool = False, path: str = "f") -> list[str]:
    """The changes without their proofs, for which there are other tests."""
    changes = compare(old, new, path=path, output=output)
    return [str(change.replace(witness="")) for change in changes]


def both_ways(old: Any, new: Any) -> tuple[list[str], list[str]]:
    """The changes of an input, and of an output."""
    return said(old, new), said(old, new, output=True)


def record(*, required: tuple[str, ...] = (), others: Any = None, **properties: Any) -> Json:
    schema: Json = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return schema if others is None else {**schema, "additionalProperties": others}


NAMED = {"type": "object", "required": ["b"], "patternProperties": {"^b": INTEGER},
         "additionalProperties": False}  # fmt: skip
CLOSED = record(b=INTEGER, required=("b",), others=False)


# -- facts -------------------------------------------------------------------------------------


def test_a_change_is_a_fact():
    change = Change("deploy.replicas", "added, required", "breaking")

    assert change == Change("deploy.replicas", "added, required", "breaking", "", output=False)
    facts = ("deploy.replicas", "added, required", "breaking")
    assert (change.path, change.message, change.effect) == facts
    assert str(change) == "deploy.replicas: added, required (breaking)"
    assert change.breaks is True
    with pytest.raises(AttributeError, match="frozen"):
        change.path = ""


def test_what_may_break_counts_as_breaking():
    assert Change("f", "x", "may break").breaks is True
    assert Change("f", "x", "compatible").breaks is False
    assert Change("f", "x", "reworded").breaks is False


def test_a_change_without_a_place_has_no_colon():
    assert said(STRING, INTEGER, path="") == ["type string -> integer (breaking)"]


def test_the_parameters_of_a_function():
    def before(environment: str, version: str = "latest"): ...

    def after(environment: str, replicas: int, version: str = "stable", *, dry: bool = False): ...

    old, new = function_to_schema(before), function_to_schema(after)
    assert said(old, new, path="deploy") == [
        'deploy.version: default "latest" -> "stable" (compatible)',
        "deploy.replicas: added, required (breaking)",
        "deploy.dry: added, optional (compatible)",
    ]


# -- one row, one rule -------------------------------------------------------------------------

C, B, M, W = "compatible", "breaking", "may break", "reworded"

TAGGED = [
    {"type": "object", "properties": {"kind": {"const": each}}, "required": ["kind"]}
    for each in ("a", "b")
]


NOT_EMPTY: Json = {
    **{each: [{"pattern": "a"}, {"pattern": "b"}] for each in ("allOf", "anyOf", "oneOf")},
    **{each: {"const": ""} for each in ("not", "if")},  # the latter with "then": false
}

ROWS: dict[str, tuple[Any, Any, list[tuple[str, str, str, str]]]] = {
    # name: (old, new, [(place, message, effect on an input, effect on an output)])
    "description": ({"type": "string", "description": "A."},
          {"type": "string", "description": "B."}, [("", 'description "A." -> "B."', W, W)]),
    "a long description": ({"description": "x" * 80}, {},
          [("", f'description "{"x" * 55} ... removed', W, W)]),
    "a long description that differs in the end": ({"description": "x" * 36 + " of apples."},
          {"description": "x" * 36 + " of pears."},
          [("", f'description ... {"x" * 16} of apples." -> ... {"x" * 16} of pears."', W, W)]),
    "a long description that differs near the start": ({"description": "x" * 39 + "A" * 80},
          {"description": "x" * 39 + "B" * 80}, [("",
              f'description "{"x" * 39}{"A" * 16} ... -> "{"x" * 39}{"B" * 16} ...', W, W)]),
    "default true is not 1": ({"default": 1}, {"default": True}, [("", "default 1 -> true", C, C)]),
    "a default in another order": ({"default": {"a": 1, "b": 2}}, {"default": {"b": 2, "a": 1}},
          []),
    "examples": ({"examples": [1]}, {"examples": [2]}, [("", "examples [1] -> [2]", W, W)]),
    "a condition, and a branch, that is the only one": ({"oneOf": [STRING | {"description": "A."}]},
          {"allOf": [STRING | {"description": "A."}]}, []),
    "the content of a string": (STRING | {"contentEncoding": "base64"},
          STRING | {"contentMediaType": "text/html"}, [("", 'contentEncoding "base64" removed',
              C, B), ("", 'contentMediaType "text/html" added', B, C)]),
    "default added": ({}, {"default": None}, [("", "default null added", C, C)]),
    "a title that repeats the name of its property": (record(city_name=STRING),
          record(city_name={"type": "string", "title": "City Name"}), []),
    "a title that repeats the name of a class": (record(a={"type": "object", "title": "Item"},
            b={"enum": ["x"], "title": "Kind"}), record(a={"type": "object", "title": "ItemModel"},
            b={"enum": ["x"], "title": "Kind[int]"}), []),
    "a title that says more": (record(a={"type": "object"},
            city={"type": "string", "title": "City"}),
          record(a={"type": "object", "title": "An A"}, city={"type": "string", "title": "Town"}),
          [(".a", 'title "An A" added', W, W), (".city", 'title "City" -> "Town"', W, W)]),
    "a keyword of somebody's own": ({"x-a": 1, "title": "T"}, {"title": "T"},
          [("", "x-a 1 removed", C, C)]),
    "an annotation of OpenAPI": (STRING, {**STRING, "example": "a"},
          [("", 'example "a" added', C, C)]),
    "another type": (STRING, INTEGER, [("", "type string -> integer", B, B)]),
    "the type of a mapping": ({"type": "object", "additionalProperties": STRING}, INTEGER,
          [("", "type object of string -> integer", B, B)]),
    "integer to number": (INTEGER, NUMBER, [("", "type integer -> number", C, B)]),
    "number to integer": (NUMBER, INTEGER, [("", "type number -> integer", B, C)]),
    "some strings to anything": ({"type": "string", "minLength": 1}, {},
          [("", "type string -> any value", C, B)]),
    "anything to some strings": (True, {"type": "string", "minLength": 1},
          [("", "type any value -> string", B, C)]),
    "values of any type to a choice": ({"maxLength": 1}, {"maxLength": 1, "enum": ["a"]},
          [("", 'type some values -> "a"', B, C), ("", 'limited to "a"', B, C)]),
    "nothing to string": ({"not": {}}, STRING, [("", "type no value -> string", C, B)]),
    "string to nothing": (STRING, False, [("", "type string -> no value", B, C)]),
    "nothing is nothing": (False, {"not": True}, []),
    "anything is anything": (True, {}, []),
    "null too": (STRING, {"anyOf": [STRING, NULL]}, [("", "type string -> string | null", C, B)]),
    "no null any more": ({"type": ["string", "null"]}, STRING,
          [("", "type string | null -> string", B, C)]),
    "two ways to write a union": ({"type": ["string", "null"]}, {"anyOf": [NULL, STRING]}, []),
    "a union in a union": ({"anyOf": [STRING, {"anyOf": [NULL, INTEGER]}]},
          {"anyOf": [STRING, NULL, INTEGER]}, []),
    "an alternative that changed": ({"anyOf": [{"type": "string", "minLength": 1}, NULL]},
          {"anyOf": [{"type": "string", "minLength": 2}, NULL]}, [("", "minLength 1 -> 2", B, C)]),
    "a choice within an alternative": (
          {"anyOf": [{"type": "string", "enum": ["a", "b"]}, NULL, INTEGER]},
          {"anyOf": [{"type": "string", "enum": ["a", "c"]}, NULL, INTEGER]},
          [("", 'choice "b" removed', B, C), ("", 'choice "c" added', C, B)]),
    "another list or null": ({"anyOf": [{"type": "array", "items": INTEGER}, NULL]},
          {"anyOf": [{"type": "array", "items": STRING}, NULL]},
          [("[]", "type integer -> string", B, B)]),
    "one more alternative of the same name": ({"anyOf": [record(a=STRING), record(b=STRING)]},
          {"anyOf": [record(a=STRING), record(b=STRING), record(c=STRING)]},
          [("", "another object added", C, M)]),
    "one alternative of the same name less": ({"anyOf": [record(a=STRING), record(b=STRING),
              record(c=STRING)]}, {"anyOf": [record(a=STRING), record(b=STRING)]},
          [("", "one object removed", M, C)]),
    "alternatives of one name": ({"anyOf": [{"type": "string", "pattern": "a"},
              {"type": "string", "pattern": "b"}, NULL]},
          {"anyOf": [{"type": "string", "pattern": "a"}, {"type": "string", "pattern": "c"}, NULL]},
          [("", 'pattern "b" -> "c"', B, B)]),
    "several alternatives of one name": ({"anyOf": [{"type": "string",
                "pattern": p} for p in "ab"]}, {"anyOf": [{"type": "string",
                "pattern": p} for p in "cd"]}, [("", "alternatives of string changed", B, B)]),
    "two alternatives that changed": (
          {"anyOf": [{"title": "A", **record(a=STRING)}, {"title": "B", **record(b=STRING)}]},
          {"anyOf": [{"title": "A", **record(a=NUMBER)}, {"title": "B", **record(b=INTEGER)}]},
          [(".a", "type string -> number", B, B), (".b", "type string -> integer", B, B)]),
    "a union of other things": ({"anyOf": [STRING, NULL]}, {"anyOf": [STRING, INTEGER]},
          [("", "type string | null -> string | integer", B, B)]),
    "null as a choice": ({"enum": ["a", None]}, {"enum": ["a"]},
          [("", "choice null removed", B, C)]),
    "a choice that its type refuses": ({"enum": ["a", None], "type": ["string", "null"]},
          {"enum": ["a", None], "type": "string"}, [("", "choice null removed", B, C)]),
    "a choice removed": ({"enum": ["a", "b", "c"], "type": "string"},
          {"enum": ["a"], "type": "string"}, [("", 'choices "b", "c" removed', B, C)]),
    "a choice added": ({"const": "a"}, {"enum": ["a", "b"]}, [("", 'choice "b" added', C, B)]),
    "many choices": ({"const": 0}, {"enum": list(range(10))},
          [("", "choices 1, 2, 3, 4, 5, 6, 7, 8, ... added", C, B)]),
    "limited to choices": (STRING, {"type": "string", "enum": ["a"]},
          [("", 'limited to "a"', B, C)]),
    "no longer limited": ({"enum": ["a"]}, {"type": "string", "minLength": 1, "pattern": "^a"},
          [("", "minLength 1 added", C, C), ("", 'pattern "^a" added', C, C),
            ("", 'no longer limited to "a"', C, B)]),
    "no longer limited, but by something else": ({"enum": ["a"]},
          {"type": "string", "minLength": 2}, [("", "minLength 2 added", B, C),
            ("", 'no longer limited to "a"', B, B)]),
    "choices of several kinds": ({"enum": ["a", 1, 1.5, None]}, INTEGER,
          [("", 'type "a" | 1 | 1.5 | ... -> integer', B, C),
            ("", 'no longer limited to "a", 1, 1.5, null', B, B)]),
    "minimum": ({"type": "integer", "minimum": 1}, {"type": "integer", "minimum": 2},
          [("", "minimum 1 -> 2", B, C)]),
    "an integer more than 0 is at least 1": ({"type": "integer", "minimum": 1, "maximum": 9},
          {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10}, []),
    "a number more than 0 is another": ({"type": "number", "minimum": 0},
          {"type": "number", "exclusiveMinimum": 0},
          [("", "minimum 0 -> exclusiveMinimum 0", B, C)]),
    "maximum": ({"type": "number", "maximum": 1}, {"type": "number", "maximum": 2.5},
          [("", "maximum 1 -> 2.5", C, B)]),
    "maximum removed": ({"type": "number", "maximum": 1}, NUMBER,
          [("", "maximum 1 removed", C, B)]),
    "minimum added": (NUMBER, {"type": "number", "minimum": 1}, [("", "minimum 1 added", B, C)]),
    "minimum that the choices keep to": ({"type": "integer", "enum": [3]},
          {"type": "integer", "enum": [3], "minimum": 1}, [("", "minimum 1 added", C, C)]),
    "multipleOf": ({"type": "integer", "multipleOf": 6}, {"type": "integer", "multipleOf": 3},
          [("", "multipleOf 6 -> 3", C, B)]),
    "multipleOf in decimals": ({"type": "number", "multipleOf": 0.3},
          {"type": "number", "multipleOf": 0.1}, [("", "multipleOf 0.3 -> 0.1", C, B)]),
    "null among other choices": (NULL, {"enum": [1, None]}, [("", "choice 1 added", C, B)]),
    "a union with anything": ({}, {"anyOf": [{"description": ""}, NULL]}, []),
    "a union with anything besides": ({"type": "string", "anyOf": [{"title": "A"}, NULL]}, STRING,
          []),
    "a required name without a property, where there are no others": (CLOSED,
          {"type": "object", "required": ["b"], "additionalProperties": False},
          [(".b", "type integer -> no value", B, C)]),
    "a required name without a property, where others are of a type": (CLOSED,
          {"type": "object", "required": ["b"], "additionalProperties": {"type": "number"}},
          [(".b", "type integer -> number", C, B), ("", "additional properties allowed", C, B)]),
    "a required name without a property, where any may be": ({"type": "object",
            "properties": {"b": INTEGER}, "required": ["b"]}, {"type": "object", "required": ["b"]},
          [(".b", "type integer -> any value", C, B)]),
    "multipleOf added": (INTEGER, {"type": "integer", "multipleOf": 3},
          [("", "multipleOf 3 added", B, C)]),
    "multipleOf removed": (NUMBER | {"multipleOf": 0.5}, NUMBER,
          [("", "multipleOf 0.5 removed", C, B)]),
    "multipleOf that says nothing": (INTEGER, INTEGER | {"multipleOf": 1}, []),
    "multipleOf of an integer that half says nothing": (INTEGER | {"multipleOf": 1.5},
          INTEGER | {"multipleOf": 3}, []),
    "multipleOf that the choices are": ({"enum": [12, 24], "multipleOf": 6},
          {"enum": [12, 24], "multipleOf": 4}, [("", "multipleOf 6 -> 4", C, B)]),
    "multipleOf of whole numbers": (INTEGER, NUMBER | {"multipleOf": 0.5},
          [("", "type integer -> number", C, B), ("", "multipleOf 0.5 added", C, B)]),
    "maxLength": ({"type": "string", "maxLength": 3}, {"type": "string", "maxLength": 2},
          [("", "maxLength 3 -> 2", B, C)]),
    "minLength removed": ({"type": "string", "minLength": 1}, STRING,
          [("", "minLength 1 removed", C, B)]),
    "minLength of none is none": ({"type": "string", "minLength": 0}, STRING, []),
    "format removed": ({"type": "string", "format": "date"}, STRING,
          [("", 'format "date" removed', C, B)]),
    "format added": (STRING, {"type": "string", "format": "date"},
          [("", 'format "date" added', B, C)]),
    "format that the choices have, but that clients judge as they like": ({"enum": ["2026-01-31"]},
          {"enum": ["2026-01-31"], "format": "date"}, [("", 'format "date" added', B, C)]),
    "items": ({"type": "array", "items": INTEGER}, {"type": "array", "items": STRING},
          [("[]", "type integer -> string", B, B)]),
    "an array of something to one of something else": ({"anyOf": [{"type": "array",
                "items": INTEGER}, NULL]}, {"type": "array", "items": INTEGER},
          [("", "type array of integer | null -> array of integer", B, C)]),
    "one position more": ({"type": "array", "prefixItems": [INTEGER], "items": False, "minItems": 1,
            "maxItems": 1}, {"type": "array", "prefixItems": [INTEGER, STRING], "items": False,
            "minItems": 2, "maxItems": 2}, [("[1]", "type no value -> string", C, B),
            ("", "minItems 1 -> 2", B, C), ("", "maxItems 1 -> 2", C, B)]),
    "a position less": ({"type": "array", "prefixItems": [INTEGER, STRING], "items": INTEGER},
          {"type": "array", "prefixItems": [INTEGER], "items": INTEGER},
          [("[1]", "type string -> integer", B, B)]),
    "items that differ": ({"type": "array"}, {"type": "array", "uniqueItems": True},
          [("", "items must be unique", B, C)]),
    "items that may be alike": ({"type": "array", "uniqueItems": True}, {"type": "array"},
          [("", "items need not be unique", C, B)]),
    "property added": (record(), record(a=STRING), [(".a", "added, optional", C, C)]),
    "property added and required": (record(), record(a=STRING, required=("a",)),
          [(".a", "added, required", B, C)]),
    "property added to a closed object": (record(others=False), record(others=False,
            a={"type": "string", "format": "date", "pattern": "^2"}),  # of which no value is found
          [(".a", "added, optional", C, B)]),
    **{f"property added to a tool of any parameters, by {key}": ({"type": "object", key: value},
          record(a=STRING) | {key: value}, [(".a", "added, optional", B, C)]) for key, value in
          {"propertyNames": {"minLength": 1}, "minProperties": 1, "maxProperties": 5}.items()},
    "property added beside patterns of names": ({"type": "object", "patternProperties": {}},
          record(a=STRING) | {"patternProperties": {}}, [(".a", "added, optional", B, C)]),
    "additional properties of a tool without parameters": ({"type": "object"},
          {"type": "object", "additionalProperties": INTEGER},
          [("{}", "type any value -> integer", M, C)]),
    "property added where any were sent": (record(others=True), record(a=STRING, others=True),
          [(".a", "added, optional", C, C)]),
    "property added to a mapping": ({"type": "object", "additionalProperties": True},
          {"type": "object", "properties": {"a": STRING}, "additionalProperties": True},
          [(".a", "added, optional", B, C)]),
    "additional properties of an open object": (record(a=STRING), record(a=STRING, others=INTEGER),
          [("{}", "type any value -> integer", M, C)]),
    "property added where such were sent": (record(others=INTEGER),
          record(a=NUMBER, others=INTEGER), [(".a", "added, optional", C, B)]),
    "a renamed property": (record(a=STRING, b=INTEGER, others=False, required=("a",)),
          record(c=STRING, b=INTEGER, others=False, required=("c",)),
          [(".a -> f.c", "renamed", B, B)]),
    "a renamed property that an open object requires": (record(a=STRING, required=("a",)),
          record(c=STRING, required=("c",)), [(".a -> f.c", "renamed", B, B)]),
    "a renamed property of another text": (record(a={"type": "string", "description": "A."}),
          record(c={"type": "string", "title": "C", "examples": ["x"], "$comment": "C."}),
          [(".a -> f.c", "renamed", B, C)]),
    "a renamed property of any type": (record(a=True, others=False), record(c=True, others=False),
          [(".a -> f.c", "renamed", B, B)]),
    "two renamed properties of one shape": (record(a=STRING, b=STRING, others=False),
          record(c=STRING, d=STRING, others=False),
          [(".a", "removed", B, C), (".b", "removed", B, C), (".c", "added, optional", C, B),
            (".d", "added, optional", C, B)]),
    "another property instead, which is required": (record(a=STRING, others=False),
          record(c=STRING, others=False, required=("c",)),
          [(".a", "removed", B, C), (".c", "added, required", B, B)]),
    "another property instead, of no type": (record(a=True, others=False),
          record(c=False, others=False),
          [(".a", "removed", B, C), (".c", "added, optional", C, C)]),
    "optional property removed": (record(a=STRING), record(), [(".a", "removed", B, C)]),
    "required property removed": (record(a=STRING, required=("a",)), record(),
          [(".a", "removed", B, B)]),
    "property removed where any are taken": (record(a=STRING, others=True), record(others=True),
          [(".a", "removed", C, M)]),
    "property removed where others are taken": (record(a=STRING, others=INTEGER),
          record(others=INTEGER), [(".a", "removed", B, B)]),
    "property removed from a closed object": (record(a=STRING, others=False), record(others=False),
          [(".a", "removed", B, C)]),
    "required now": (record(a=STRING), record(a=STRING, required=("a",)),
          [(".a", "optional -> required", B, C)]),
    "optional now": (record(a={"type": "string"}, required=("a",)),
          record(a={"type": "string", "default": "x"}),
          [(".a", "required -> optional", C, B), (".a", 'default "x" added', C, C)]),
    "required without a schema": ({"type": "object", "required": ["a"]}, {"type": "object"},
          [(".a", "removed", B, B)]),
    "a name that is no identifier": ({"type": "object", "properties": {"a b": STRING}}, record(),
          [('["a b"]', "removed", B, C)]),
    "closed": (record(), record(others=False), [("", "additional properties forbidden", M, C)]),
    "opened": (record(others=False), record(), [("", "additional properties allowed", C, M)]),
    "values of a mapping": ({"type": "object", "additionalProperties": INTEGER},
          {"type": "object", "additionalProperties": {"type": "array", "items": INTEGER}},
          [("{}", "type integer -> array of integer", B, B)]),
    "names of a mapping": ({"type": "object", "propertyNames": {"minLength": 1}},
          {"type": "object"}, [("{name}", "minLength 1 removed", C, B)]),
    "which names a mapping has": ({"type": "object", "propertyNames": {"enum": ["a"]}},
          {"type": "object", "propertyNames": {"enum": ["a", "b"]}},
          [("{name}", 'choice "b" added', C, B)]),
    "a name that mappings have never": ({"type": "object", "propertyNames": False},
          {"type": "object", "propertyNames": {"pattern": "a"}},
          [("{name}", "type no value -> string", C, B)]),
    "names of a mapping that a definition describes": ({"type": "object",
            "propertyNames": {"$ref": "#/$defs/A"}, "$defs": {"A": STRING | {"minLength": 1}}},
          {"type": "object"}, [("{name}", "minLength 1 removed", C, B)]),
    "a required name that a pattern has": (NAMED, NAMED | {"properties": {"b": STRING}},
          [(".b", "type any value -> string", B, C)]),
    "another name beside patterns": ({"type": "object", "patternProperties": {"^b": STRING}},
          record(a=STRING) | {"patternProperties": {"^b": STRING}},
          [(".a", "added, optional", B, C),
            ("", "patternProperties, or the properties beside them, changed", B, M)]),
    "patterns of names": ({"type": "object", "patternProperties": {"^a": INTEGER}},
          {"type": "object", "patternProperties": {"^a": STRING}},
          [("{}", "type integer -> string", B, B)]),
    "other patterns of names": ({"type": "object", "patternProperties": {"^a": INTEGER}},
          {"type": "object", "patternProperties": {"^b": INTEGER}},
          [("", "patternProperties, or the properties beside them, changed", M, B)]),
    "a name that a pattern has": (record(others=False, a1=INTEGER),
          record(others=False) | {"patternProperties": {"^a": INTEGER}},
          [(".a1", "removed", M, C),
           ("", "patternProperties, or the properties beside them, changed", M, B)]),
    "how many properties": ({"type": "object", "minProperties": 1},
          {"type": "object", "minProperties": 2, "maxProperties": 3},
          [("", "minProperties 1 -> 2", B, C), ("", "maxProperties 3 added", B, C)]),
    "an object with a title": ({"anyOf": [{"type": "object", "title": "Item"},
              {"type": "string", "title": "T"}, NULL]}, NULL,
          [("", "type Item | string | null -> null", B, C)]),
    "conditions that are there anyway": ({"type": "string", "pattern": "a"},
          {"type": "string", "pattern": "a", "allOf": [{"type": "string", "pattern": "a"}]}, []),
    "types in conditions": ({"allOf": [{"enum": ["a", 1]}, STRING, True]}, STRING,
          [("", 'no longer limited to "a"', C, B)]),
    "conditions that nothing tells": ({"type": "string",
            "allOf": [{"pattern": "a"}, {"pattern": "b"}]},
          {"type": "string", "allOf": [{"pattern": "a"}, {"pattern": "c"}]},
          [("", "conditions (allOf) changed", M, M)]),
    "the same conditions": ({"type": "string", "minLength": 1,
            "allOf": [{"pattern": "a"}, {"pattern": "b"}]},
          {"type": "string", "allOf": [{"pattern": "a"}, {"pattern": "b"}]},
          [("", "minLength 1 removed", C, M)]),  # which these patterns assert, too
    **{f"what {keyword} asserts already": (STRING | {keyword: value, "then": False},
          STRING | {keyword: value, "then": False, "minLength": 1},
          [("", "minLength 1 added", M, C)]) for keyword, value in NOT_EMPTY.items()},
    **{f"what {keyword} asserts already": (
          {"type": kind, keyword: False}, {"type": kind, keyword: False, limit: 0},
          [("", f"{limit} 0 added", M, C),
            ("", f"{keyword} depends on something that changed", M, M)])
          for keyword, kind, limit in (("unevaluatedItems", "array", "maxItems"),
              ("unevaluatedProperties", "object", "maxProperties"))},
    **{f"one schema or several: {name}": ({"allOf": parts}, whole, []) for name, parts, whole in (
        ("bounds", [{"minimum": 1, "maximum": 5}, {"minimum": 2}], {"minimum": 2, "maximum": 5}),
        ("names", [record(a=STRING, required=("a",)), record(b=STRING, required=("b",))],
            record(a=STRING, b=STRING, required=("a", "b"))),
        ("equal keywords", [{"pattern": "a"}, {"pattern": "a", "minLength": 1}],
            {"pattern": "a", "minLength": 1}),
        ("items and their number", [array_of(STRING), {"minItems": 1}],
            array_of(STRING) | {"minItems": 1}),
        ("everything", [STRING, True], STRING),
        ("nothing", [STRING, False], False))},
    "a name that two schemas have, and one": (record(a=STRING)
            | {"allOf": [record(a={"minLength": 1})]}, record(a=STRING | {"minLength": 1}),
          [(".a", "minLength 1 added", M, C), ("", "conditions (allOf) changed", C, C)]),
    "one schema or several in an alternative": (
          {"anyOf": [{"allOf": [STRING, {"minLength": 1}]}, INTEGER]},
          {"anyOf": [STRING | {"minLength": 1}, INTEGER]}, []),
    "a name that alternatives had": (
          record(b=STRING) | {"anyOf": [{"properties": {"a": each}} for each in (STRING, INTEGER)]},
          record(a=STRING, b=STRING, c=STRING), [
            (".a", "added, optional", B, M), (".c", "added, optional", C, C), ("",
              'anyOf [{"properties": {"a": {"type": "string"}}}, {"properties ... removed', C, M)]),
    "a name that alternatives have now": (record(a=STRING, b=STRING), record(b=STRING)
            | {"anyOf": [{"properties": {"a": each}} for each in (STRING, INTEGER)]},
          [(".a", "removed", M, C), ("",
              'anyOf [{"properties": {"a": {"type": "string"}}}, {"properties ... added', M, C)]),
    "names that several schemas have, and one": (record(a=STRING) | {"allOf": [map_of(INTEGER)]},
          record(a=STRING, others=INTEGER), [("{}", "type any value -> integer", M, C),
            ("", "conditions (allOf) changed", C, B)]),
    "what is evaluated in a schema, and beside it": (record(a=STRING)
            | {"allOf": [{"unevaluatedProperties": INTEGER}]},
          record(a=STRING) | {"unevaluatedProperties": INTEGER},
          [("", "conditions (allOf) changed", C, B),
            ("", 'unevaluatedProperties {"type": "integer"} added', M, B)]),
    "conditions in another order": (STRING | {"allOf": [{"pattern": "a"}, {"pattern": "b"}]},
          STRING | {"allOf": [{"pattern": "b"}, {"allOf": [{"pattern": "a"}]}]},
          [("", "conditions (allOf) changed", C, C)]),
    "conditions in a condition": (
          STRING | {"allOf": [{"allOf": [{"pattern": "a"}, {"pattern": "b"}]}]},
          STRING | {"pattern": "a"},
          [("", 'pattern "a" added', M, C), ("", "conditions (allOf) changed", C, B)]),
    "items that several schemas have, and one": (fixed(STRING) | {"allOf": [array_of(INTEGER)]},
          fixed(STRING) | {"items": INTEGER}, [("[]", "type any value -> integer", M, C),
            ("", "conditions (allOf) changed", C, B)]),
    "what an if has beside it": (STRING | {"if": {"minLength": 1}, "allOf": [{"then": STRING}]},
          STRING | {"if": {"minLength": 1}, "then": STRING},
          [("", "conditions (allOf) changed", C, C), ("", 'then {"type": "string"} added', M, C)]),
    "choices of another type": ({"type": "string", "enum": [1]}, {"type": "boolean", "enum": [1]},
          []),
    "choices of another type no more": ({"type": "string", "enum": [1]}, {"enum": [1]},
          [("", "type no value -> 1", C, B)]),
    "multiples of an integer are integers": ({"type": "number", "multipleOf": 1}, INTEGER, []),
    "alternatives beside something": ({"minLength": 1, "anyOf": [STRING, NULL]},
          {"minLength": 1, "anyOf": [STRING]}, [("", "type string | null -> string", B, C)]),
    "alternatives that are there beside something": ({"type": "string", "minLength": 1},
          {"type": "string", "minLength": 1, "anyOf": [STRING, NULL]},
          [("", 'anyOf [{"type": "string"}, {"type": "null"}] added', M, C)]),
    "what is no longer excluded": ({"type": "string", "not": {"const": "a"}}, STRING,
          [("", 'not {"const": "a"} removed', C, B)]),
    "what is excluded": ({"type": "string", "not": {"const": "a"}},
          {"type": "string", "not": {"const": "b"}}, [("", "not changed", B, B)]),
    "what is excluded still": ({"type": "string", "not": {"const": "a"}, "minLength": 1},
          {"type": "string", "not": {"const": "a"}}, [("", "minLength 1 removed", C, B)]),
    "a keyword that nobody defines, and one that may be defined": (
          {"type": "string", "sometimes": True}, {"type": "string", "often": True, "$often": True},
          [("", "sometimes true removed", C, C), ("", "often true added", C, C),
            ("", "$often true added", M, M)]),
    "a keyword of an older draft": (NUMBER, NUMBER | {"divisibleBy": 2},
          [("", "divisibleBy 2 added", M, M)]),
    "conditions that only assert": (STRING | {"if": {"minLength": 1}, "then": {"pattern": "a"},
            "else": {"maxLength": 3}, "anyOf": [{"minLength": 4}, {"pattern": "b"}]},
          STRING | {"oneOf": [{"minLength": 2}, {"pattern": "a"}]},
          [("", 'anyOf [{"minLength": 4}, {"pattern": "b"}] removed', C, B),
            ("", 'else {"maxLength": 3} removed', C, B), ("", 'if {"minLength": 1} removed', C, B),
            ("", 'oneOf [{"minLength": 2}, {"pattern": "a"}] added', B, C),
            ("", 'then {"pattern": "a"} removed', C, B)]),
    "names that depend on others": (record(a=STRING) | {"dependentRequired": {"a": ["b"]},
            "dependentSchemas": {"a": {"required": ["b"]}}}, record(a=STRING),
          [("", 'dependentRequired {"a": ["b"]} removed', C, B),
            ("", 'dependentSchemas {"a": {"required": ["b"]}} removed', C, B)]),
    "null as OpenAPI says it": ({"type": "string", "nullable": True},
          {"type": "string", "nullable": False}, [("", "type string | null -> string", B, C)]),
    "null as OpenAPI says it, added": (STRING, {"type": "string", "nullable": True},
          [("", "type string -> string | null", C, B)]),
    "a list of every type": ({"type": ["null", "boolean", "array", "number", "string", "object"]},
          {}, []),
    "what only tells alternatives apart, or orders them": ({"anyOf": [STRING, INTEGER],
            "discriminator": {"propertyName": "a"}},
          {"anyOf": [STRING, INTEGER], "propertyOrdering": ["a"]}, []),
    "what depends on other keywords": (record(unevaluated=INTEGER)
                | {"unevaluatedProperties": False}, record(unevaluated=INTEGER,
            a=INTEGER) | {"unevaluatedProperties": False},
          [(".a", "added, optional", C, C), ("",
              "unevaluatedProperties depends on something that changed", M, B)]),
    "a choice with a text is added": ({"type": "string", "oneOf": [{"const": "a", "title": "A"}]},
          {"type": "string", "oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]},
          [("", 'choice "b" added', C, B)]),
    "choices get texts": ({"type": "string", "enum": ["a", "b"]},
          {"type": "string", "oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]}, []),
    "branches that exclude each other are a union": (
          {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/R"}], "$defs": {"A": TAGGED[0],
            "R": {"oneOf": [{"$ref": "#/$defs/A"}, TAGGED[1]]}}},
          {"anyOf": [*TAGGED, {"type": "null"}]}, []),
    "a value that is in two branches is refused": ({"oneOf": [{"const": 1}, {"const": 1.0}]},
          {"oneOf": [{"const": 1}, {"const": 1.0}, {"const": "a"}]}, [("", "oneOf changed", M, B)]),
    "other branches than values": ({"oneOf": [{"const": "a"}, {"type": "string"}]},
          {"oneOf": [{"const": "b"}, False]}, [("", "oneOf changed", B, M)]),
    "choices with a pattern": ({"pattern": "a", "oneOf": [{"const": "a"}, {"const": "b"}]},
          {"pattern": "a", "oneOf": [{"const": "a"}, {"const": "ab"}]},
          [("", "oneOf changed", M, B)]),
    "a reference that leads nowhere": ({"$ref": "#/$defs/A"}, {"$ref": "https://example.com/B"},
          [("", "$ref changed", M, M)]),
    "a reference beside something": ({"$ref": "#/$defs/A", "minLength": 1, "$defs": {"A": STRING}},
          {"$ref": "#/$defs/A", "minLength": 1, "$defs": {"A": INTEGER}},
          [("", "type string -> integer", B, B)]),
    "a reference beside conditions": ({"$ref": "#/$defs/A", "allOf": [{"pattern": "a"}],
            "$defs": {"A": STRING}}, {"$ref": "#/$defs/A", "allOf": [{"pattern": "b"}],
            "$defs": {"A": STRING}}, [("", 'pattern "a" -> "b"', B, B)]),
    "a property moves to another condition": (
          {"allOf": [{"$ref": "#/$defs/A"}, record(b=STRING, c=STRING)],
            "$defs": {"A": record(a=STRING)}},
          {"allOf": [{"$ref": "#/$defs/A"}, record(c=STRING)],
            "$defs": {"A": record(a=STRING, b=STRING)}}, []),
    "conditions of a definition": (
          {"allOf": [{"$ref": "#/$defs/A"}, {"minLength": 1}],
            "$defs": {"A": {"allOf": [{"$ref": "#/$defs/A"}, STRING]}}},
          STRING | {"minLength": 1},
          [("", "type some values -> string", B, C), ("", "minLength 1 added", M, C),
            ("", "conditions (allOf) changed", C, M)]),
    "a reference with a title to a description": (
          {"$ref": "#/$defs/A", "title": "T", "$defs": {"A": {**STRING, "description": "A."}}},
          {"$ref": "#/$defs/A", "title": "T", "$defs": {"A": {**STRING, "description": "B."}}},
          [("", 'description "A." -> "B."', W, W)]),
}  # fmt: skip


@every("name", ROWS)
@pytest.mark.parametrize("output", [False, True], ids=["input", "output"])
def test_changes_of_annotations(name, output):
    old, new, expected = ROWS[name]
    changes = compare(whole(old), whole(new), path="f", output=output)

    assert [(each.path, each.message, each.effect) for each in changes] == [
        (f"f{place}", message, effects[output]) for place, message, *effects in expected
    ]


def whole(schema: Any) -> Any:
    """A schema that is an object: whole schemas are."""
    return {True: {}, False: {"not": {}}}[schema] if type(schema) is bool else schema


# -- references --------------------------------------------------------------------------------


def node(**properties: Any) -> Json:
    """A schema that refers to itself."""
    below = {"type": "array", "items": {"$ref": "#/$defs/Node"}}
    return obj([], node={"$ref": "#/$defs/Node"}) | {
        "$defs": {"Node": record(below=below, **properties)}
    }


def arrays(name: str) -> Json:
    return {"$defs": {name: STRING}, "type": "array", "items": {"$ref": f"#/$defs/{name}"}}


def alternatives_of(last: Json) -> Json:
    loop = {"$ref": "#/$defs/A"}
    return {"anyOf": [loop, last], "$defs": {"A": {"anyOf": [loop, loop, NULL]}}}


ITEM = {"$ref": "#/$defs/Item"}
ITEMS = {"$defs": {"Item": record(name=STRING)}}
CIRCLE = {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}
LOOP = {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}
ESCAPED = {"$defs": {"A/b~": STRING}, "type": "array", "items": {"$ref": "#/$defs/A~1b~0"}}
REFERENCES: dict[str, tuple[Any, Any, list[str]]] = {
    "recursion ends": (node(value=STRING), node(value=INTEGER),
          ["f.node.value: type string -> integer (breaking)"]),
    "a circle ends": (CIRCLE, {**CIRCLE, "title": "T"}, ['f: title "T" added (reworded)']),
    "a reference to itself ends": (LOOP, STRING,
          ["f: type A -> string (breaking)", 'f: $ref "#/$defs/A" removed (may break)']),
    "recursive alternatives end": (alternatives_of(STRING), alternatives_of(INTEGER),
          ["f: type null | string -> null | integer (breaking)"]),
    "a definition is followed from either side, and reported once": (
          record(a=ITEM, b=ITEM) | ITEMS,
          record(a=record(name=INTEGER), b={"anyOf": [ITEM], "description": "B."}) | ITEMS,
          ["f.a.name: type string -> integer (breaking)",
            'f.b: description "B." added (reworded)']),
    "a renamed definition is the same": (ESCAPED, arrays("B"), []),
    "a reference leads into a list": (
          {"anyOf": [STRING, {"type": "array", "items": {"$ref": "#/anyOf/0"}}]},
          {"anyOf": [STRING, {"type": "array", "items": STRING}]}, []),
    "a union inside of an array is named": (
          {"type": "array", "items": {"anyOf": [STRING, NULL]}}, INTEGER,
          ["f: type array of string | null -> integer (breaking)"]),
}  # fmt: skip


@every("fact", REFERENCES)
def test_references_are_followed(fact, monkeypatch):
    monkeypatch.setattr(comparing, "MAX_STEPS", 2_000)
    old, new, expected = REFERENCES[fact]
    assert said(old, new) == expected


def test_alternatives_are_named_by_their_definitions():
    arms = [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]
    pets = {
        "Cat": record(kind={"const": "cat"}, lives=INTEGER, required=("kind",)),
        "Dog": record(kind={"const": "dog"}, required=("kind",)),
    }
    old = {"anyOf": arms, "$defs": pets}
    fewer = pets | {"Cat": record(kind={"const": "cat"}, required=("kind",))}

    assert both_ways(old, {"anyOf": arms[:1], "$defs": pets}) == (
        ["f: type Cat | Dog -> Cat (breaking)"],
        ["f: type Cat | Dog -> Cat (compatible)"],
    )
    assert said(old, {"anyOf": arms, "$defs": fewer}) == ["f.lives: removed (breaking)"]


def test_a_recursive_union_is_followed():
    def json_of(*kinds: Json) -> Json:
        ref = {"$ref": "#/$defs/Json"}
        arms = [*kinds, {"type": "array", "items": ref}]
        return {"type": "object", "properties": {"x": ref}, "$defs": {"Json": {"anyOf": arms}}}

    assert both_ways(json_of(STRING), json_of(STRING, NULL)) == (
        ["f.x: type string | array of Json -> string | null | array of Json (compatible)"],
        ["f.x: type string | array of Json -> string | null | array of Json (breaking)"],
    )


def test_schemas_that_are_too_large_may_break(monkeypatch):
    monkeypatch.setattr(comparing, "MAX_STEPS", 2)
    monkeypatch.setattr(proofs, "MAX_STEPS", 0)

    assert said(record(a=STRING, b=STRING), record(a=INTEGER, b=INTEGER)) == [
        "f.a: type string -> integer (breaking)",
        "f.b: too large to compare (may break)",
    ]


# -- the meaning of changes --------------------------------------------------------------------


class Point(TypedDict):
    x: int


def alternatives(children: Any) -> Any:
    """A type made of others, with a strategy for its JSON."""
    pairs = st.tuples(children, children)
    return st.one_of(
        children.map(lambda each: (list[each[0]], st.lists(each[1], max_size=3))),
        children.map(lambda each: (Optional[each[0]], st.none() | each[1])),
        children.map(
            lambda each: (dict[str, each[0]], st.dictionaries(st.text(), each[1], max_size=3))
        ),
        pairs.map(lambda two: (Union[two[0][0], two[1][0]], two[0][1] | two[1][1])),
        pairs.map(lambda two: (tuple[two[0][0], two[1][0]], st.tuples(*(t[1] for t in two)))),
        st.tuples(children, st.booleans(), children, st.booleans()).map(fields),
    )


def fields(parts: Any) -> Any:
    first, has_all, second, is_second = parts
    names = {"a": first[0], **({"b": second[0]} if is_second else {})}
    values = {"a": first[1], **({"b": second[1]} if is_second else {})}
    tp = TypedDict("Fields", names, total=has_all)
    given = values if has_all else {}
    rest = {} if has_all else values
    return tp, st.fixed_dictionaries(given, optional=rest)


LEAVES: list[tuple[Any, Any]] = [
    (int, st.integers()),
    (Annotated[int, Ge(2)], st.integers(2)),
    (Annotated[int, Ge(5), MultipleOf(5)], st.integers(1).map(lambda n: 5 * n)),
    (float, st.floats(allow_nan=False, allow_infinity=False) | st.integers()),
    (bool, st.booleans()),
    (str, st.text(max_size=4)),
    (Annotated[str, MinLen(2)], st.text(min_size=2, max_size=4)),
    (Annotated[str, MaxLen(2)], st.text(max_size=2)),
    (Literal["a", "b"], st.sampled_from(["a", "b"])),
    (Literal["a", "b", "c"], st.sampled_from(["a", "b", "c"])),
    (Literal["a", 1, None], st.sampled_from(["a", 1, None])),
    (Any, st.none() | st.booleans() | st.text(max_size=2)),
    (Point, st.fixed_dictionaries({"x": st.integers()})),
]
TYPES = st.recursive(st.sampled_from(LEAVES), alternatives, max_leaves=4)
PROVED = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@PROVED
@given(st.data(), TYPES, TYPES)
@pytest.mark.parametrize("profile", [profiles.MCP, profiles.PLATOOLS], ids=repr)
@pytest.mark.slow
def test_accepted_values_stay_accepted_if_nothing_breaks(profile, data, old_type, new_type):
    old, new = (type_to_schema(tp, profile=profile) for tp, _ in (old_type, new_type))
    value = json.loads(json.dumps(data.draw(old_type[1])))
    assert jsonschema_rs.is_valid(old, value)

    if not any(change.breaks for change in compare(old, new)):
        assert jsonschema_rs.is_valid(new, value)
    if not any(change.breaks for change in compare(new, old, output=True)):
        assert jsonschema_rs.is_valid(new, value)


@PROVED
@given(st.data(), st.tuples(TYPES, TYPES, st.booleans()), st.tuples(TYPES, TYPES, st.booleans()))
@pytest.mark.slow
def test_values_that_callers_send_stay_accepted_if_nothing_breaks(data, old_types, new_types):
    def function(first: Any, second: Any, has_second: bool) -> Json:
        def f(a, b=None): ...

        f.__annotations__ = {"a": first[0], "b": second[0]}
        exclude = () if has_second else ("b",)
        opened = profiles.MCP.replace(closed="nothing")
        return function_to_schema(f, profile=opened, exclude=exclude)

    old, new = function(*old_types), function(*new_types)
    sent = {"a": data.draw(old_types[0][1])}
    if old_types[2] and data.draw(st.booleans()):
        sent["b"] = data.draw(old_types[1][1])

    if not any(change.breaks for change in compare(old, new)):
        assert jsonschema_rs.is_valid(new, json.loads(json.dumps(sent)))


@given(TYPES)
def test_a_snapshot_that_is_read_again_has_no_changes(tp):
    schema = type_to_schema(tp[0], profile=profiles.PLATOOLS)

    assert said(schema, json.loads(json.dumps(schema, sort_keys=True))) == []


# -- tools -------------------------------------------------------------------------------------

PING: Json = {"name": "ping", "inputSchema": record(host=STRING)}
FIELDS: list[tuple[Json, list[str]]] = [
    ({}, []),
    ({"inputSchema": record(host=STRING)}, []),
    ({"title": "Ping"}, ['ping: title "Ping" added (reworded)']),
    ({"annotations": {"readOnlyHint": True}},
     ['ping: annotations {"readOnlyHint": true} added (reworded)']),
    ({"annotations": {"x": 1}}, ['ping: annotations {"x": 1} added (reworded)']),
    ({"icons": [{"src": "a.png"}], "_meta": {"x": 1}},
     ['ping: _meta {"x": 1} added (reworded)',
      'ping: icons [{"src": "a.png"}] added (reworded)']),
    ({"execution": {"taskSupport": "required"}},
     ['ping: execution {"taskSupport": "required"} added (may break)']),
    ({"execution": {"taskSupport": "forbidden"}}, []),
    ({"execution": {}}, ["ping: execution {} added (may break)"]),
    ({"cost": 5}, ["ping: cost 5 added (may break)"]),
    ({"name": "pong"}, ['pong: name "ping" -> "pong" (breaking)']),
    ({"inputSchema": record(host=INTEGER)},
     ['ping.host: type string -> integer (breaking): {"host": ""} worked before']),
    ({"inputSchema": {**record(host=STRING), "$comment": "x"}},
     ["ping: spelled differently, with the same meaning (reworded)"]),
    ({"inputSchema": {**record(host=STRING), "title": "pingArguments"}}, []),
    ({"inputSchema": {**record(host=STRING, a={"type": "array", "items": True})}},
     ["ping.a: added, optional (compatible)"]),
    ({"outputSchema": STRING}, ["ping() -> result: has an output schema (compatible)"]),
]  # fmt: skip


@every("row", FIELDS)
def test_a_change_of_any_field_of_a_tool_is_reported(row):
    changed, expected = row
    old, new = ToolSchema.from_mcp(PING), ToolSchema.from_mcp({**PING, **changed})
    assert [str(each) for each in compare(old, new)] == expected


def test_a_field_that_says_what_holds_without_it_may_go():
    said = ToolSchema.from_mcp({**PING, "execution": {"taskSupport": "forbidden"}})
    assert compare(said, ToolSchema.from_mcp(PING)) == []


def test_a_field_that_changes_or_goes_is_reported():
    old, new = PING | {"title": "A", "cost": 1}, PING | {"title": "B"}
    told = [str(each) for each in compare(*map(ToolSchema.from_mcp, (old, new)))]
    assert told == ["ping: cost 1 removed (may break)", 'ping: title "A" -> "B" (reworded)']


def test_a_title_is_not_a_change_but_another_spelling_is():
    def tool(items: Any, **keywords: Any) -> ToolSchema:
        schema = record(a={"type": "array", "items": items}, b={"type": "string", **keywords})
        return ToolSchema(name="ping", input_schema=schema)

    told = ["ping: spelled differently, with the same meaning (reworded)"]
    assert compare(tool(True), tool(True, title="B")) == []
    assert [str(each) for each in compare(tool(True), tool({}, title="B"))] == told


def test_the_output_of_a_tool_is_compared_for_its_readers():
    old = ToolSchema.from_mcp({**PING, "outputSchema": STRING})

    def changes(**fields: Any) -> list[str]:
        return [str(each) for each in compare(old, old.replace(**fields))]

    assert changes(output_schema={"type": ["string", "null"]}) == [
        "ping() -> result: type string -> string | null (breaking): null may be returned now"
    ]
    assert changes(output_schema=None) == ["ping() -> result: no output schema any more (breaking)"]


def ping(host: str) -> None: ...
def gone() -> None: ...
def nullable(host: str | None) -> None: ...


BEFORE = nullable
BEFORE.__name__ = BEFORE.__qualname__ = "ping"


class Net:
    def ping(self, host: str) -> None: ...


PINGS = {
    "a function": ping,
    "a tool": tool_schema(ping),
    "a definition": tool_schema(ping).to_mcp(),
    "a list": [ping],
    "a tuple": (tool_schema(ping),),
    "a list of definitions": [tool_schema(ping).to_mcp()],
    "a toolbox": Toolbox([ping]),
    "an object": Net(),
}
SCHEMAS = {"a schema": tool_schema(ping).input_schema, "true": True, "none at all": {}}


@pytest.mark.parametrize("old", PINGS)
@every("new", PINGS)
def test_functions_tools_and_toolboxes_are_compared_in_every_pair(old, new):
    assert compare(PINGS[old], PINGS[new]) == []


@pytest.mark.parametrize("new", PINGS)
def test_a_breaking_change_is_found_whatever_is_compared(new):
    told = 'ping.host: type string | null -> string (breaking): {"host": null} worked before'
    assert [str(each) for each in compare(BEFORE, PINGS[new])] == [told]


@pytest.mark.parametrize("tools", PINGS)
@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_schema_is_compared_with_schemas_only(tools, schema):
    reason = (
        "a schema can only be compared with a schema; pass the input_schema or the output_schema"
    )
    for pair in ((PINGS[tools], SCHEMAS[schema]), (SCHEMAS[schema], PINGS[tools])):
        with pytest.raises(SchemaError) as caught:
            compare(*pair)
        assert str(caught.value) == f"{reason} of the tool"


DEFINITION = "a tool definition must be in the format of MCP, with inputSchema"
OTHERS = [
    (3, "expected a function, tools or a schema, got 3"),
    (None, "expected a function, tools or a schema, got None"),
    ("ping", "expected a function, tools or a schema, got 'ping'"),
    (b"ping", "expected a function, tools or a schema, got b'ping'"),
    (1.5, "expected a function, tools or a schema, got 1.5"),
    (object(), "<object object> is not a function, and it has no public methods"),
    ([3], "3 is not a function, and it has no public methods"),
    (tool_schema(ping).to_openai(), DEFINITION),
    (tool_schema(ping).to_openai(api="responses"), DEFINITION),
    (tool_schema(ping).to_anthropic(), DEFINITION),
    (tool_schema(ping).to_gemini(), DEFINITION),
    (tool_schema(ping).to_bedrock(), DEFINITION),
    ({"tools": []}, 'an answer to tools/list is a mapping; pass its list, answer["tools"]'),
    (
        {"milo_schema_snapshot": 2},
        "a snapshot is compared by testing.assert_unchanged(), or by milo-schema diff",
    ),
    ([ping, ping], "ping: two tools have this name"),
    ({"inputSchema": {}}, "a tool definition needs a name"),
]


@pytest.mark.parametrize(("thing", "reason"), OTHERS, ids=range(len(OTHERS)))
def test_what_cannot_be_compared_is_told(thing, reason):
    for pair in ((thing, ping), (ping, thing)):
        with pytest.raises(SchemaError) as caught:
            compare(*pair)
        assert str(caught.value) == reason


@pytest.mark.parametrize("options", [{"path": "x"}, {"output": True}])
def test_the_options_for_schemas_are_refused_for_tools(options):
    with pytest.raises(SchemaError) as caught:
        compare(ping, ping, **options)
    reason = "path= and output= are for schemas; a tool has a name, and both schemas"
    assert str(caught.value) == reason


def test_tools_are_added_removed_and_renamed():
    def told(old: Any, new: Any) -> list[str]:
        return [str(each) for each in compare(old, new)]

    def pong(host: str) -> None: ...

    def pang(host: str) -> None: ...

    assert told([ping], [ping, gone]) == ["gone: added (compatible)"]
    assert told(Toolbox([ping, gone]), [ping]) == ["gone: removed (breaking)"]
    assert told([], [ping]) == ["ping: added (compatible)"]
    assert told(Toolbox(), Toolbox()) == []
    assert told([ping, gone], [pong, gone]) == ["ping -> pong: renamed (breaking)"]
    assert told(ping, pong) == ['pong: name "ping" -> "pong" (breaking)']
    two = ["pang: added (compatible)", "ping: removed (breaking)", "pong: added (compatible)"]
    assert told([ping], [pong, pang]) == two


def test_a_tool_that_only_has_a_description_is_renamed():
    def stop() -> None:
        """Stop."""

    def halt() -> None:
        """Stop."""

    (change,) = compare([stop], [halt])
    assert str(change) == "stop -> halt: renamed (breaking)"


def test_tools_that_say_nothing_are_not_renamed():
    def come() -> None: ...

    changes = [(each.path, each.message) for each in compare([gone], [come])]
    assert changes == [("come", "added"), ("gone", "removed")]


def test_functions_are_read_under_the_profile_of_the_tools_beside_them():
    loose = Toolbox([BEFORE], profile=profiles.MILO)
    assert compare(loose, [BEFORE]) == compare(BEFORE, loose) == []
    assert compare(loose, ping) == []  # in MILO, the parameter never takes null
    (change,) = compare(loose, ping, profile=profiles.MCP)
    assert change.message == "type string | null -> string"
    listed = ToolSchema.from_mcp({**PING, "name": "pong"})
    assert compare([listed, *loose.values()], [listed, BEFORE]) == []
    assert compare(listed, listed, profile=profiles.MILO) == []
    written = [each.to_mcp() for each in loose.values()]
    assert [each.breaks for each in compare(written, [ping])] == [True]  # in MCP, it is closed


def test_two_spellings_of_one_meaning_are_equal():
    draft_7 = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "items": [{"$ref": "#/definitions/A"}],
        "definitions": {"A": STRING},
    }
    ours = {"prefixItems": [{"$ref": "#/$defs/B"}], "$defs": {"B": {"$anchor": "b", **STRING}}}
    assert compare(draft_7, ours) == []


def test_true_and_false_are_schemas():
    assert compare(True, {}) == []
    assert said(True, False) == ["f: type any value -> no value (breaking)"]


def test_a_schema_that_is_not_valid_is_an_error():
    with pytest.raises(SchemaError) as caught:
        compare({}, {"items": {"type": "strin"}}, path="run")
    assert str(caught.value).startswith("run[]: the new schema is not valid: 'type' must be")


def test_a_schema_may_be_made_of_other_mappings_and_sequences():
    read_only = MappingProxyType({"type": "object", "required": ("a",)})
    assert compare(read_only, OrderedDict(type="object", required=["a"])) == []


CIRCULAR: Json = {"type": "object"}
CIRCULAR["properties"] = {"a": CIRCULAR}


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"const": float("nan")}, "the number nan"),
        ({"enum": [object()]}, "an instance of object"),
        (CIRCULAR, "a value nested too deeply, or inside itself"),
    ],
    ids=["number", "object", "circular"],
)
def test_a_schema_that_is_not_json_is_an_error(schema, reason):
    for which, pair in (("old", (schema, STRING)), ("new", (STRING, schema))):
        with pytest.raises(SchemaError) as caught:
            compare(*pair, path="run")
        assert str(caught.value) == f"run: {reason} in the {which} schema cannot be written as JSON"


def test_schemas_are_compared_up_to_a_depth(monkeypatch):
    monkeypatch.setattr(comparing, "MAX_DEPTH", 1)
    monkeypatch.setattr(proofs, "MAX_STEPS", 0)
    old: Json = {"type": "array", "items": STRING}
    new: Json = {"type": "array", "items": INTEGER}
    assert said(old, new) == ["f[]: type string -> integer (breaking)"]
    deeper = {"type": "array", "items": old}, {"type": "array", "items": new}
    assert said(*deeper) == ["f[][]: too large to compare (may break)"]


def test_a_shared_part_of_a_schema_counts_each_time_that_it_occurs(monkeypatch):
    monkeypatch.setattr(values, "MAX_COPIED_PARTS", 9)
    pair = {"allOf": [STRING, STRING]}  # five parts
    two, three = {"allOf": [pair, STRING]}, {"allOf": [pair, pair]}
    assert compare(two, two) == []
    with pytest.raises(SchemaError) as caught:
        compare(two, three, path="run")
    reason = "a value of more than 9 parts in the new schema cannot be written as JSON"
    assert str(caught.value) == f"run: {reason}"


@pytest.mark.parametrize("keyword", ["anyOf", "allOf", "oneOf"])
def test_schemas_with_many_routes_to_one_part_are_compared_at_once(keyword, monkeypatch):
    monkeypatch.setattr(comparing, "MAX_STEPS", 2_000)

    def tower(last: Json) -> Json:
        levels = {f"A{i}": {keyword: [{"$ref": f"#/$defs/A{i + 1}"}] * 2} for i in range(28)}
        return {"$ref": "#/$defs/A0", "$defs": {**levels, "A28": last}}

    assert compare(tower(STRING), tower(STRING)) == []
    assert [each.breaks for each in compare(tower(STRING), tower(INTEGER))] == [True]


def one_of(first: str, second: str, **more: Any) -> Any:
    """A schema with a union that has two definitions, one of which refers to the other."""
    union = {"oneOf": [{"$ref": f"#/$defs/{each}"} for each in (first, second)]}
    bodies = {first: record(a={"$ref": f"#/$defs/{second}"}), second: record(b=STRING)}
    return {**record(a=union), "$defs": {**bodies, **more}}


def test_a_union_is_the_same_if_only_names_of_definitions_or_other_ones_changed():
    old = one_of("A", "B")
    assert compare(old, one_of("B", "C")) == compare(old, one_of("A", "B", D=INTEGER)) == []
    changed = one_of("A", "B", B=record(c=STRING))
    assert [*map(str, compare(old, changed))] == [".a: oneOf changed (may break)"]


def test_the_label_of_an_array_of_anything_is_array():
    arrays: list[Any] = [{"items": {}}, {"items": True}, {}]
    assert {label_of({"type": "array", **each}, {}) for each in arrays} == {"array"}


def test_the_label_of_a_type_has_five_levels():
    schema: Json = {"type": "string"}
    for _ in range(8):
        schema = {"type": "array", "items": schema}
    levels = "array of array of array of array of array"
    assert label_of(schema, {}) == levels
    assert label_of_union([schema, {"type": "null"}], {}) == f"{levels} | null"
    for _ in range(3):
        schema = {"type": "array", "items": {"anyOf": [schema, {"type": "null"}]}}
    union = {"anyOf": [schema, {"type": "null"}]}
    assert label_of(union, {}) == "array of array of some values | null | null"
