"""Tools as Python: the functions that a model reads, and those that its code calls."""

import ast
import asyncio
import builtins
import inspect
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import jsonschema_rs
import pytest

from milo_schema import (
    Ge,
    SchemaError,
    Toolbox,
    ToolError,
    ToolSchema,
    profiles,
    tool_schema,
)
from tests.cases import CASES, Case
from tests.every import every
from tests.fragments import INTEGER, NULL, NUMBER, STRING, any_of, array_of, obj
from tests.inside import Sampler, asserted
from tests.instructions import instructions
from tests.modules import module_from
from tests.needs import lacking
from tests.random_schemas import TEXTS, Maker
from tests.stubs import assert_harmless, changes, read_back

Json = dict[str, Any]
SERVERS = json.loads(Path(__file__).parent.joinpath("server_tools.json").read_bytes())


def tool_of(schema: Json, **fields: Any) -> ToolSchema:
    """A tool with one parameter."""
    definitions = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    bare = {key: each for key, each in schema.items() if key != "$defs"}
    inputs: Json = {"type": "object", "properties": {"x": bare}, "required": ["x"]}
    inputs |= {"additionalProperties": False, **definitions}
    return ToolSchema(name="run", input_schema=inputs, **fields)


def python_of(schema: Json, **options: Any) -> str:
    """The stub of a tool with one parameter, without its imports."""
    return tool_of(schema).to_python(**options).partition("\n\n")[2]


def with_properties(properties: Json, **keywords: Any) -> ToolSchema:
    """A tool with these parameters."""
    return ToolSchema(
        name="run", input_schema={"type": "object", "properties": properties, **keywords}
    )


def args(*lines: str) -> str:
    """The docstring about these parameters."""
    return "\n".join(['\n    """Args:', *(f"        {each}" for each in lines), '    """\n'])


def classes_in(text: str) -> list[str]:
    """The names of the classes in a stub."""
    return re.findall(r"^(?:class )?(\w+)(?=\(TypedDict\b| = TypedDict)", text, re.MULTILINE)


def assert_read_back(tool: ToolSchema) -> None:
    """Check that the stub of a tool means its schemas, and has no code from them."""
    inputs, output, lost = read_back(tool)
    assert (lost, changes(tool.input_schema, inputs)) == ([], [])
    if tool.output_schema is not None:
        assert_equal(tool.output_schema, output)
    assert_harmless(tool.to_python())


# -- what it looks like ------------------------------------------------------------------------

ADDRESS = obj(
    ["street"],
    street={**STRING, "minLength": 1, "description": "Street and\nnumber."},
    zip={**STRING, "pattern": "^[0-9]+$"},
    **{"sub-unit": {"type": ["integer", "null"]}},
)
DEFINITIONS = {
    "Address": {**ADDRESS, "description": "Where somebody lives."},
    "Place": obj(["at"], at={"$ref": "#/$defs/Address"}),
}
ARGUMENTS = obj(
    ["order", "to"],
    speed={"enum": ["fast", "slow"], "default": "slow"},
    order={**INTEGER, "exclusiveMinimum": 0, "description": "The number."},
    to={"$ref": "#/$defs/Place", "description": "Where to."},
    note={"type": ["string", "null"], "default": None, "maxLength": 80},
) | {"$defs": DEFINITIONS}
PLACES = array_of({"$ref": "#/$defs/Place"}) | {"minItems": 1}
SHIP = ToolSchema(
    name="ship",
    description="\n    Ship an order.\n\n      It goes\n        out at once.\n    ",
    input_schema={**ARGUMENTS, "properties": {**ARGUMENTS["properties"], "for": STRING}},
    output_schema=PLACES | {"$defs": DEFINITIONS},
)
PLAIN = '''\
from __future__ import annotations
from typing import Literal, Required, TypedDict, Union

class Place(TypedDict):
    at: Address

Address = TypedDict('Address', {  #: Where somebody lives.
    'street': Required[str],  #: Street and number. (length at least 1)
    'zip': str,  #: matches ^[0-9]+$
    'sub-unit': Union[int, None],
}, total=False)

def ship(order: int, to: Place, speed: Literal['fast', 'slow'] = 'slow', \
note: str | None = None, for_: str = ...) -> list[Place]:
    """Ship an order.

      It goes
        out at once.

    Args:
        order: The number. (greater than 0)
        to: Where to.
        note: length at most 80
        for_: 'for' in JSON

    Returns:
        item count at least 1
    """
'''
EXACT = """\
from __future__ import annotations
from typing import Annotated, Any, Literal, Required, TypeAlias, TypedDict, Union
from milo_schema import Description, Gt, MaxLen, MinLen, Schema

class Place(TypedDict):
    at: Address

Address_2 = TypedDict('Address_2', {
    'street': Required[Annotated[str, MinLen(1), Description('Street and\\nnumber.')]],
    'zip': Annotated[str, Schema({'pattern': '^[0-9]+$'})],
    'sub-unit': Union[int, None],
}, total=False)

Address: TypeAlias = Annotated["Address_2", Description('Where somebody lives.')]

def ship(order: Annotated[int, Gt(0), Description('The number.')], \
to: Annotated[Place, Description('Where to.')], speed: Literal['fast', 'slow'] = 'slow', \
note: Annotated[str, MaxLen(80)] | None = None) -> Any: ...
"""


def test_a_tool_is_a_function_with_types_and_a_docstring():
    assert SHIP.to_python() == PLAIN
    assert Toolbox([SHIP]).to_python(is_async=True) == PLAIN.replace("\ndef ", "\nasync def ")
    assert inspect.iscoroutinefunction(module_from(SHIP.to_python(is_async=True)).ship)
    boxed = obj(["result"], result=PLACES) | {"$defs": DEFINITIONS}
    assert SHIP.replace(output_schema=boxed, box="result").to_python() == PLAIN


def test_with_metadata_annotations_say_all_of_a_schema():
    tool = ToolSchema(name="ship", input_schema=ARGUMENTS)
    assert tool.to_python(metadata=True) == EXACT


def test_only_what_is_used_is_imported():
    words = ["Any", "'Never", '"Union', "\\'Unpack\\", "TypeAlias"]
    schema = {"enum": words, "description": "Any"}
    text = tool_of(schema, output_schema={"const": "Description"}).to_python()
    head = "from __future__ import annotations\nfrom typing import Literal"
    assert text.partition("\n\n")[0] == head


def test_a_tool_without_arguments_or_texts_is_one_line():
    assert with_properties({}).to_python().endswith("\n\ndef run() -> Any: ...\n")
    assert Toolbox().to_python() == "from __future__ import annotations\n\n"


def test_a_function_of_ours_has_the_types_that_it_was_made_of():
    def find(words: list[str], limit: int = 10, *, near: tuple[float, float] | None = None) -> bool:
        """Find."""
        return bool(words and limit and near)

    line = "words: list[str], limit: int = 10, near: tuple[float, float] | None = None"
    for profile in (profiles.MCP_2025, profiles.MCP):
        assert f"def find({line}) -> bool:" in tool_schema(find, profile=profile).to_python()
    strict = tool_schema(find, profile=profiles.OPENAI_STRICT).to_python()
    assert "def find(words: list[str], limit: int = 10, near" in strict

    def shortened(schema: Json, report: Any) -> Json:
        return {**schema, "properties": {**schema.get("properties", {}), "near": NULL}}

    changed = tool_schema(find, profile=profiles.MCP.replace(transforms=shortened))
    assert "limit: int = 10, near: None = ...) -> bool:" in changed.to_python()
    given = ToolSchema(name="find", input_schema=tool_schema(find).input_schema)
    assert f"def find({line})" in given.with_profile(profiles.GEMINI).to_python()


def test_an_invalid_schema_is_an_error():
    broken = {"type": "object", "properties": {"x": {"type": "strin"}}}
    with pytest.raises(SchemaError, match=r"run\(x\): the input schema is not valid"):
        ToolSchema(name="run", input_schema=broken).to_python()
    tool = ToolSchema(name="run", input_schema={"type": "object"}, output_schema={"type": "strin"})
    with pytest.raises(SchemaError, match="the output schema is not valid"):
        Toolbox([tool]).to_python()


def test_an_older_draft_is_read():
    items = {"type": "array", "items": [{"type": "integer"}], "minItems": 1}
    old = {"x": {**items, "additionalItems": {"$ref": "#/definitions/A"}}}
    draft = "http://json-schema.org/draft-07/schema#"
    tool = with_properties(old, definitions={"A": {"type": "string"}}, **{"$schema": draft})
    assert "A: TypeAlias = str\n\ndef run(x: tuple[int, *tuple[A, ...]]" in tool.to_python()
    output = {"type": "integer", "nullable": True}
    assert ") -> int | None:" in tool.replace(output_schema=output).to_python()


# -- what annotations say ----------------------------------------------------------------------

OBJECT, ARRAY = {"type": "object"}, {"type": "array"}
FIRST = {**ARRAY, "prefixItems": [INTEGER]}
MIXED = {**OBJECT, "patternProperties": {"^a": STRING, "^b": INTEGER}}
RECORD = obj([], a={})
SAID = {"description": "A word."}
TAGGED = [obj(["kind"], kind={"const": kind}) for kind in ("a", "b")]
ANNOTATIONS: list[tuple[str, str, Json]] = [
    ("Any", "", {"$comment": "no"}),
    ("str", "", {**STRING, "x-unit": "m", "$comment": "no", "title": "No"}),
    ("str", "format uri", {**STRING, "format": "uri"}),
    ("str", "format uuid", {**STRING, "format": "uuid", "pattern": "a" * 61}),
    ("str", f"format uri; matches {'a' * 60}", {**STRING, "format": "uri", "pattern": "a" * 60}),
    ("str", f"matches {'a' * 61}", {**STRING, "pattern": "a" * 61}),
    (
        "str | None",
        "A word.",
        any_of({**STRING, "description": "A  word."}, {"type": "null"}) | SAID,
    ),
    ("str", "length at least 1", {"allOf": [STRING, {"minLength": 1}]}),
    ("str", "matches a; also matches b", {**STRING, "allOf": [{"pattern": "a"}, {"pattern": "b"}]}),
    (
        "float",
        "A word. (greater than 0)",
        {**NUMBER, **SAID, "deprecated": False, "exclusiveMinimum": 0},
    ),
    ("int | str | None", "", {"type": ["null", "integer", "string"]}),
    ("Any", "", {"anyOf": [STRING, {}]}),
    ('Literal[1, True, "it\'s", None]', "", {"enum": [1, True, "it's", None]}),
    ("Literal[-1]", "", {"const": -1}),
    ("Literal['a']", "", {**STRING, "enum": ["a", 1]}),
    ("float", "one of 0.5, 1", {**NUMBER, "enum": [0.5, 1]}),
    ("list[Any] | Literal['a']", "one of [1]", {"enum": [[1], "a"]}),
    ("int", f"one of {10**40}", {"enum": [10**40]}),
    ("int", f"one of {-(2**64)}", {"enum": [-(2**64)]}),
    ("str", "", {**STRING, "minimum": 3}),
    ("Never", "", {"enum": []}),
    ("Never", "", {**STRING, "enum": [1]}),
    ("Never", "", {"not": {}}),
    ("list[Any]", "", ARRAY),
    ("list[int]", "item count at least 0", {**ARRAY, "items": INTEGER, "minItems": 0}),
    ("list[str | int]", "", {**ARRAY, "items": {"type": ["string", "integer"]}}),
    (
        "list[str]",
        "A word.; no duplicates",
        {**ARRAY, "items": {**STRING, "description": "A  word."}, "uniqueItems": True},
    ),
    ("tuple[int]", "", {**FIRST, "minItems": 1, "items": False}),
    ("tuple[int]", "", {**FIRST, "minItems": 1, "maxItems": 1}),
    (
        "tuple[int, *tuple[Any, ...]]",
        "item count at most 3",
        {**FIRST, "minItems": 1, "maxItems": 3},
    ),
    (
        "tuple[int, *tuple[Never, ...]]",
        "item count at most 0",
        {**FIRST, "items": False, "minItems": 1, "maxItems": 0},
    ),
    ("dict[str, Any]", "", OBJECT),
    ("dict[str, bool]", "", {**OBJECT, "additionalProperties": {"type": "boolean"}}),
    ("dict[Literal['a'], Any]", "", {**OBJECT, "propertyNames": {"enum": ["a"]}}),
    ("dict[str, Any]", "length at most 3", {**OBJECT, "propertyNames": {"maxLength": 3}}),
    ("X", "", {**RECORD, "additionalProperties": {}}),
    ("X", "", {**OBJECT, "required": ["a"]}),
    ("int | str", "", {"oneOf": [INTEGER, STRING]}),
    ("Literal[1] | Literal[2]", "", {"oneOf": [{"const": 1}, {"const": 2}]}),
    ("X | X_2", "", {"oneOf": TAGGED}),
    ("A", "", {"$ref": "#/$defs/A", "$defs": {"A": True}}),
    ("A", "", {"$ref": "#/$defs/A", "$defs": {"A": False}}),
]
"""Annotations, what the docstring says, and the schema."""


@every("row", ANNOTATIONS)
def test_an_annotation_says_what_python_can(row):
    expected, said, schema = row
    about = args(f"x: {said}") if said else " ...\n"
    assert python_of(schema).partition("def ")[2] == f"run(x: {expected}) -> Any:{about}"
    inputs, _, lost = read_back(tool_of(schema))
    assert lost == []
    assert_wider(tool_of(schema).input_schema, inputs, expected, exact=True)


NOT_BOTH = {**OBJECT, "allOf": [{"not": {"required": ["a"]}}, {"not": {"required": ["b"]}}]}
LOST: list[tuple[str, str, Json]] = [
    ("str", "not", {**STRING, "not": {"const": "a"}}),
    ("Any", "not", {"not": STRING}),
    ("Any", "minimum", {"minimum": 3}),
    ("X", "additionalProperties", {**RECORD, "additionalProperties": False}),
    ("dict[str, Any]", "additionalProperties", {**OBJECT, "additionalProperties": False}),
    ("dict[str, Any]", "patternProperties", MIXED),
    (
        "dict[str, str | int]",
        "additionalProperties patternProperties",
        {**MIXED, "additionalProperties": False},
    ),
    ("dict[str, Any]", "propertyNames", {**OBJECT, "propertyNames": {"not": {"const": "a"}}}),
    (
        "dict[str, Any]",
        "propertyNames",
        {**OBJECT, "propertyNames": {"$ref": "#/$defs/A"}, "$defs": {"A": {"maxLength": 3}}},
    ),
    ("A", "properties", {"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"a": {}}}}}),
    ("dict[str, Any]", "dependentRequired", {**OBJECT, "dependentRequired": {"a": ["b"]}}),
    ("dict[str, Any]", "allOf not", NOT_BOTH),
    ("list[Any]", "contains minContains", {**ARRAY, "contains": {"const": 1}, "minContains": 2}),
    ("list[int | str]", "prefixItems", {**FIRST, "items": STRING}),
    ("list[int | Never]", "prefixItems", {**FIRST, "items": False}),
    ("int | float", "oneOf", {"oneOf": [INTEGER, NUMBER]}),
    ("Literal[1] | Literal[1, 2]", "oneOf", {"oneOf": [{"const": 1}, {"enum": [1, 2]}]}),
    ("str", "oneOf", {"anyOf": [STRING], "oneOf": [STRING]}),
    ("X | X_2", "oneOf", {"oneOf": [TAGGED[0], {**TAGGED[1], "required": ["other"]}]}),
    ("X", "oneOf", {"oneOf": [TAGGED[0], TAGGED[0]]}),
    ("X | X_2 | dict[str, Any]", "oneOf", {"oneOf": [*TAGGED, OBJECT]}),
    ("str", "contentMediaType", {**STRING, "contentMediaType": "text/html"}),
    ("Any", "$ref", {"$ref": "#/$defs/Missing"}),
    (
        "A",
        "minLength",
        {
            "$defs": {"A": STRING},
            "minLength": 2,
            "anyOf": [{"$ref": "#/$defs/A"}],
            "$comment": "Ours.",
            "discriminator": {"propertyName": "a"},
        },
    ),
]
"""Annotations that are wider than a schema, the keywords that they do not say, and the schema."""


@every("row", LOST)
def test_what_no_annotation_says_is_reported(row):
    expected, keywords, schema = row
    lost: list[Any] = []
    assert f"(x: {expected})" in tool_of(schema).to_python(metadata=True, lost=lost.append)
    assert [each.keyword for each in lost] == keywords.split()
    assert {(each.code, each.path) for each in lost} == {("refused-by-transform", "run(x)")}


def test_what_is_lost_has_a_path():
    inner = obj([], **{"a-b": array_of({**STRING, "if": {}})}) | {"additionalProperties": False}
    tool = with_properties(
        {"x": {"$ref": "#/$defs/Inner"}, "y": {**OBJECT, "additionalProperties": {"maximum": 1}}},
        minProperties=1,
        anyOf=[{"required": ["x"]}],
        **{"$defs": {"Inner": inner}},
    ).replace(output_schema={"not": {"type": "null"}})
    lost: list[str] = []
    tool.to_python(lost=lambda each: lost.append(str(each)))
    means = "no annotation of Python means the same as"
    assert lost == [
        f"run: {means} 'anyOf'",
        f"run: {means} 'minProperties'",
        f"run(y){{}}: {means} 'maximum'",
        f"run() -> result: {means} 'not'",
        f"run(x)[\"a-b\"][]: {means} 'if'",
        f"run(x): {means} 'additionalProperties'",
    ]


def test_the_docstring_says_what_is_lost():
    text = python_of({"type": "array", "contains": {"const": 1}, "uniqueItems": True, "x-a": 1})
    assert text.endswith("def run(x: list[Any]) -> Any:" + args("x: contains 1; no duplicates"))


def test_a_default_that_type_checkers_would_refuse_is_said_in_words():
    rows: list[tuple[Json, str, str]] = [
        ({"type": "integer", "default": 3}, "x: int = 3", ""),
        ({"type": "integer", "default": None}, "x: int = ...", ""),
        ({"type": "integer", "default": "a"}, "x: int = ...", 'default "a"'),
        ({"type": "integer", "default": 1.0}, "x: int = ...", "default 1.0"),
        ({"type": ["number", "null"], "default": 0.5}, "x: float | None = 0.5", ""),
        ({"type": "array", "default": []}, "x: list[Any] = []", ""),
        ({"type": "array", "default": [1]}, "x: list[Any] = ...", "default [1]"),
        (any_of(NUMBER, ARRAY) | {"default": [1]}, "x: float | list[Any] = ...", "default [1]"),
        ({"type": "object", "default": {}}, "x: dict[str, Any] = {}", ""),
    ]
    for schema, expected, said in rows:
        tool = with_properties({"x": schema})
        about = args(f"x: {said}") if said else " ...\n"
        assert tool.to_python().endswith(f"def run({expected}) -> Any:{about}")
        inputs, _, lost = read_back(tool)
        assert not lost
        assert inputs["properties"]["x"].get("default", "none") == schema["default"]
    required = tool_of({"type": "integer", "default": 3})
    assert required.to_python().endswith("def run(x: int) -> Any:" + args("x: default 3"))
    assert read_back(required)[0]["properties"]["x"] == {"type": "integer", "default": 3}


# -- the stub means the schema -----------------------------------------------------------------


def assert_equal(old: Json, new: Json | None) -> None:
    if new is None:  # nothing is returned, ever or at all
        assert old["type"] == "null" if "type" in old else old == {"not": {}}
    else:
        assert changes(old, new) == []


@pytest.mark.slow
@every("case", CASES)
def test_a_stub_of_each_kind_of_type_means_its_schema(case: Case):
    if reason := lacking(case.needs):
        pytest.skip(reason)
    if (schema := case.mcp) is None:
        return
    tool = tool_of(schema, output_schema=schema)
    inputs, output, lost = read_back(tool)
    if not lost:
        assert_equal(tool.input_schema, inputs)
        assert_equal(schema, output)
    else:
        assert_wider(tool.input_schema, inputs, seed=str(case))


BOUNDED = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern"}
BOUNDED |= {"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}
BOUNDED |= {"format", "contentEncoding", "uniqueItems"}


def unbounded(schema: Any) -> Any:
    """A schema without bounds, patterns and formats, and without choices that are no literals."""
    if type(schema) is list:
        return [unbounded(each) for each in schema]
    if type(schema) is not dict:
        return schema
    left_out = BOUNDED - ({"minItems", "maxItems"} if "prefixItems" in schema else set())
    choices = schema.get("enum", ())
    if any(type(each) in (list, dict, float) or each == 10**40 for each in choices):
        left_out |= {"enum"}
    if type(schema.get("type")) is str:
        left_out |= {"x"}  # a keyword of some rows, which nobody knows
    return {key: unbounded(each) for key, each in schema.items() if key not in left_out}


@pytest.mark.slow
@every("case", CASES)
def test_without_metadata_only_bounds_patterns_and_formats_are_missing(case: Case):
    schema = case.mcp
    if lacking(case.needs) or schema is None or "allOf" in str(schema):
        return
    tool = tool_of(schema)
    inputs, _, lost = read_back(tool, metadata=False)
    if not lost and "propertyNames" not in str(schema):
        assert changes(unbounded(asserted(tool.input_schema)), asserted(inputs)) == []


def assert_wider(old: Json, new: Json, seed: object, *, exact: bool = False) -> None:
    """Check with values that a schema accepts what another does; if it is exact, nothing else."""
    before, after = map(jsonschema_rs.Draft202012Validator, map(plain, (old, new)))
    for sampler in (Sampler(old, seed), Sampler(new, seed)):
        for _ in range(3):
            with suppress(LookupError, ValueError):  # it has no such value that is easily found
                for value in map(plain, (sampler.valid(), sampler.invalid()[0])):
                    was, is_now = before.is_valid(value), after.is_valid(value)
                    assert was == is_now or (is_now and not exact), value


def plain(value: Any) -> Any:
    """A value without halves of surrogate pairs, which that validator cannot read."""
    if type(value) is dict:
        return {plain(key): plain(each) for key, each in value.items()}
    if type(value) is list:
        return [*map(plain, value)]
    return value.replace("\ud800", "?") if type(value) is str else value


def assert_means(seed: int) -> None:
    """Check that stubs of random schemas accept the same, and what is wider is lost."""
    tool = ToolSchema(name="run", input_schema=Maker(seed).arguments())
    inputs, _, lost = read_back(tool)
    assert lost or changes(tool.input_schema, inputs) == []
    odd = ToolSchema(name="run", input_schema=Maker(f"odd {seed}", 0.1).arguments())
    inputs, _, lost = read_back(odd)
    assert_wider(odd.input_schema, inputs, seed, exact=not lost)
    if "in JSON" not in odd.to_python():  # where Python has another name, the JSON differs
        assert_wider(odd.input_schema, read_back(odd, metadata=False)[0], seed)


@pytest.mark.slow
@every("seed", range(40))
def test_a_stub_of_a_random_schema_means_it(seed):
    assert_means(seed)


@pytest.mark.long
@every("seed", range(1000, 3000))
def test_stubs_of_2000_random_schemas_mean_them(seed):
    assert_means(seed)


@every(
    "listed", [each for tools in SERVERS.values() for each in tools], ids=lambda each: each["name"]
)
def test_a_stub_of_a_servers_tool_means_its_schema(listed):
    tool = ToolSchema.from_mcp(listed)
    assert_read_back(tool)


def test_the_tools_of_a_server_need_fewer_characters():
    written = {
        name: len(Toolbox(map(ToolSchema.from_mcp, tools)).to_python())
        / len(json.dumps(tools, indent=2))
        for name, tools in SERVERS.items()
    }
    assert written == pytest.approx({"fetch": 0.55, "git": 0.25, "time": 0.34}, abs=0.01)


# -- definitions -------------------------------------------------------------------------------

NODE = obj(["value"], value=INTEGER, next={"$ref": "#/$defs/Node"})


def test_a_recursive_definition_is_a_class():
    text = python_of({"$ref": "#/$defs/Node", "$defs": {"Node": NODE, "Unused": {}}})
    assert text == (
        "class Node(TypedDict):\n    value: int\n    next: NotRequired[Node]\n\n"
        "def run(x: Node) -> Any: ...\n"
    )
    closings: list[Any] = [{}, True]
    for others in closings:
        opened = {**NODE, "additionalProperties": others}
        exact = {"$ref": "#/$defs/Node", "$defs": {"Node": opened}}
        assert python_of(exact, metadata=True) == text


def test_code_that_python_runs_at_once_names_a_class_in_quotes():
    values = any_of(array_of({"$ref": "#/$defs/J"}), {"type": "null"})
    odd = obj([], **{"a-b": any_of({"$ref": "#/$defs/Odd"}, {"type": "null"})})
    for name, body, expected in (
        ("J", values, 'J: TypeAlias = Union[list["J"], None]\n'),
        ("Odd", odd, "TypedDict('Odd', {\n    'a-b': Union[\"Odd\", None],\n}, total=False)\n"),
    ):
        tool = tool_of({"$ref": f"#/$defs/{name}", "$defs": {name: body}})
        assert expected in tool.to_python()
        assert_read_back(tool)


def test_arguments_and_results_may_refer_to_themselves():
    tree = obj([], left={"$ref": "#"}, size=INTEGER)
    named = obj([], left={"$ref": "#"}, name={"$ref": "#/$defs/grow arguments"})
    for schema in (tree, {**named, "$defs": {"grow arguments": STRING}}):
        tool = ToolSchema(name="grow", input_schema=schema, output_schema=tree)
        assert re.search(r"class (\w+)\(.*\n    left: \1\n", tool.to_python())
        assert_read_back(tool)


def test_tools_share_a_class_if_it_says_the_same():
    inner, other = obj([], a=STRING), obj([], a=INTEGER)
    parts = {"Part": inner, "Node": NODE}
    every_definitions = {
        "one": parts,
        "two": dict(reversed(parts.items())),
        "three": {"Part": other, "Node": {**NODE, "required": []}},
    }
    properties = obj([], part={"$ref": "#/$defs/Part"}, node={"$ref": "#/$defs/Node"}, own=inner)
    text = Toolbox(
        ToolSchema(name=name, input_schema={**properties, "$defs": definitions})
        for name, definitions in every_definitions.items()
    ).to_python()
    assert sorted(classes_in(text)) == ["Node", "Node2", "Own", "Part", "Part2"]
    assert "def two(part: Part = ..., node: Node = ..., own: Own = ...)" in text
    assert "def three(part: Part2 = ..., node: Node2 = ..., own: Own = ...)" in text


def test_classes_with_the_same_keys_are_two_if_one_requires_them():
    """Also if a key is the name of the function."""
    text = with_properties(
        {"one": obj([], run=STRING), "two": obj(["run"], run=STRING)}
    ).to_python()
    one, two = "class One(TypedDict, total=False):", "class Two(TypedDict):"
    assert f"{one}\n    run: str\n\n{two}\n    run: str\n" in text


def test_the_result_of_several_tools_is_named_after_none_of_them():
    both, own = obj(["text"], text=STRING), obj(["count"], count=INTEGER)
    text = Toolbox(
        ToolSchema(name=name, input_schema=OBJECT, output_schema=output)
        for name, output in {"find": both, "read": both, "count": own}.items()
    ).to_python()
    lines = [line.rstrip(" .") for line in text.split("\n") if line.startswith("def ")]
    results = {"find": "Result", "read": "Result", "count": "CountResult"}
    assert lines == [f"def {name}() -> {result}:" for name, result in results.items()]


def test_a_definition_that_is_no_object_is_an_alias_with_its_own_comment():
    color = {"enum": ["red", "blue"], "description": "A color."}
    some = obj([], a={}) | {"minProperties": 1, "title": "No"}
    schema = obj([], color={"$ref": "#/$defs/color", "x": 1}, some={"$ref": "#/$defs/some"})
    text = python_of({**schema, "$defs": {"color": color, "pair": {}, "some": some}})
    assert "Color: TypeAlias = Literal['red', 'blue']  #: A color.\n" in text
    assert 'Some: TypeAlias = "No"  #: property count at least 1\n' in text
    assert "    color: Color  #: x: 1\n    some: Some\n" in text
    assert "Pair" not in text
    titled = python_of({"$ref": "#/$defs/A", "$defs": {"A": NODE | {"title": "T"}}}, metadata=True)
    assert "A: TypeAlias = Annotated[\"T\", Title('T')]\n" in titled


def test_a_definition_with_keywords_beside_its_reference_is_written_out():
    both = {"allOf": [{"$ref": "#/$defs/Base"}, obj([], b=INTEGER)], "title": "Both"}
    text = python_of({**both, "$defs": {"Base": obj(["a"], a=STRING)}})
    assert "class Both(TypedDict):\n    a: str\n    b: NotRequired[int]\n" in text


def test_as_many_references_are_replaced_as_the_limit_allows():
    more = {"$ref": "#/$defs/A", "properties": {"b": {}}}
    endless = obj([], a={**more, "$ref": "#/$defs/Endless"})
    for properties, expected in (
        ({**dict.fromkeys("abc", RECORD), **{f"p{at}": more for at in range(32)}}, 0),
        ({f"p{at}": more for at in range(33)}, 1),
        ({"p": {**more, "$ref": "#/$defs/Endless"}}, 2),  # the last one, and its definition
    ):
        lost: list[Any] = []
        tool = with_properties(properties, **{"$defs": {"A": RECORD, "Endless": endless}})
        tool.to_python(lost=lost.append)
        assert [each.keyword for each in lost] == ["properties"] * expected


def chain(count: int) -> Json:
    """Definitions that refer to the one before twice."""
    before = [{"$ref": f"#/$defs/D{number}"} for number in range(count)]
    bodies = {f"D{at + 1}": any_of(one, array_of(one)) for at, one in enumerate(before)}
    return obj([], x=before[-1]) | {"$defs": {"D0": STRING, **bodies}}


def cycle(count: int) -> Json:
    """Definitions that refer to each other in a circle."""
    bodies = {
        f"D{at}": obj([], next={"$ref": f"#/$defs/D{(at + 1) % count}"}) for at in range(count)
    }
    return obj([], x={"$ref": "#/$defs/D0"}) | {"$defs": bodies}


def records(count: int) -> Json:
    """Properties with the same name and different types, which are classes with numbers."""
    return obj([], **{f"p{at}": obj([], x=obj([], **{f"k{at}": {}})) for at in range(count)})


def tagged(count: int) -> Json:
    """Objects with different tags."""
    return obj([], x={"oneOf": [obj(["kind"], kind={"const": at}) for at in range(count)]})


def odd_names(count: int) -> Json:
    """Names that Python refuses, and that become equal."""
    return obj([], **{f"{at:08b}".translate({48: "-", 49: "."}): {} for at in range(count)})


@pytest.mark.parametrize("make", [chain, records, cycle, tagged, odd_names])
def test_the_cost_of_a_stub_grows_as_its_schema_does(make):
    few, many = (ToolSchema(name="run", input_schema=make(count)) for count in (20, 40))
    few.to_python()  # the first call loads modules
    assert instructions(many.to_python) < 2.2 * instructions(few.to_python)
    assert len(many.to_python()) < 2.2 * len(few.to_python())


# -- names -------------------------------------------------------------------------------------

NAMES = [
    *("from", "None", "class", "print", "str", "list", "Any", "self", "cls", "a-b", "a.b", "a_b"),
    *("", "_", "__", "__x", "__debug__", "__name__", "1st", "x y", "größe", "名前", "ﬁ", "²", "Ⅷ"),
    *("TypedDict", "NotRequired", "Literal", "annotations", "Schema", "kwargs", "args", "match"),
    *("a\nb", '"', "'", "\\", "a" * 200, "\ud800", "x=1", "): pass", "Run", "run", "int]"),
    *("~", "/"),
]


def tools_with(name: str) -> Iterator[ToolSchema]:
    """Tools with this name for a parameter, for keys and their classes, and for a definition."""
    properties = {name: INTEGER, "other": STRING}
    yield with_properties(properties, required=[name], additionalProperties=False)
    thing = obj([], **{name: array_of({}), "b": {"enum": ["c"]}})
    for key in (name, f"a{name}b"):
        schema = obj([key], **{key: thing, "d": thing})
        yield tool_of(schema, output_schema=schema)
    reference = {"$ref": f"#/$defs/{name.replace('~', '~0').replace('/', '~1')}"}
    body = obj([], **{name: reference, "other": NULL})
    for each in (body, {"enum": [name, "another choice"]}):
        yield tool_of({**reference, "$defs": {name: each}})


@pytest.mark.slow
@every("name", NAMES, ids=ascii)
def test_every_name_of_a_parameter_a_key_or_a_definition_is_read_back(name):
    for tool in tools_with(name):
        assert_read_back(tool)


@every("name", NAMES, ids=ascii)
def test_every_name_of_a_tool_is_a_function(name):
    text = ToolSchema(name=name, input_schema={"type": "object"}).to_python()
    assert_harmless(text)
    functions = [each for each in vars(module_from(text)).values() if inspect.isfunction(each)]
    assert [each.__name__.isidentifier() for each in functions] == [True]
    assert functions[0].__name__ not in {*dir(builtins)} - {"_"}  # which a doctest leaves there


NUMBERED = {
    "a-b": "a_b", "a.b": "a_b_2", "a_b": "a_b_3", "list": "list_", "Any": "Any_2", "Ge": "Ge_2",
    "_": "_", "": "_2", "c.d": "c_d", "c_d_2": "c_d_2", "c-d": "c_d_3", "list_2": "list_2",
    "list_": "list_3", "annotations": "annotations_2",
}  # fmt: skip
"""The names of tools, and those of their functions."""


def test_functions_with_similar_names_are_numbered():
    tools = Toolbox(ToolSchema(name=each, input_schema=OBJECT) for each in NUMBERED)
    assert [*tools.namespace()] == [*NUMBERED.values()]
    found = re.findall(r"^def (\w+)\(\) -> Any: ...$", tools.to_python(), re.MULTILINE)
    assert found == [*NUMBERED.values()]


def test_a_class_is_named_after_its_title_its_property_or_its_tool():
    titles = {"a": "Place", "b": "not a name"}
    titles |= dict.fromkeys(("full_address of-it", "9", "-", "Any"), "")
    properties = {
        key: obj([], **{f"{key}x": {}}) | {"title": title} for key, title in titles.items()
    }
    inputs = obj([], **properties)
    tool = ToolSchema(name="find-all", input_schema=inputs, output_schema=obj([], g={}))
    expected = ["Place", "B", "FullAddressOfIt", "_9", "Item", "Any_2", "FindAllResult"]
    assert classes_in(tool.to_python()) == expected


def test_a_class_has_another_name_than_the_keys_beside_it():
    text = python_of(obj([], A=obj([], A={}), B={}))
    assert "class A_2(TypedDict, total=False):\n    A: Any\n" in text
    assert "    A: A_2\n" in text


@every("key", ["int", "str", "float", "bool", "dict", "list", "tuple", "Literal", "Never", "Ge"])
def test_a_key_does_not_hide_a_type(key):
    assert f"X = TypedDict('X', {{\n    '{key}': " in python_of(obj([], **{key: {}}))


def test_a_parameter_has_its_own_name_unless_python_refuses_it():
    properties = {"from": {}, "from_": {}, "id": {}, "x-y": {"description": "A key."}}
    line = "run(from_2: Any = ..., from_: Any = ..., id: Any = ..., x_y: Any = ...) -> Any:"
    line += args("from_2: 'from' in JSON", "x_y: A key. ('x-y' in JSON)")
    assert with_properties(properties).to_python().partition("def ")[2] == line


def test_other_arguments_are_keyword_arguments():
    tool = with_properties({"kwargs": {}}, additionalProperties={"type": "integer"})
    assert "def run(kwargs: Any = ..., **kwargs_2: int) -> Any: ..." in tool.to_python()
    assert_read_back(tool)


BRANCH = {"$ref": "#/$defs/B"}
OTHERS: list[tuple[str, str, Json]] = [
    ("Any", "patternProperties", {"patternProperties": {"^b": STRING}}),
    ("str | int", "patternProperties", {**MIXED, "additionalProperties": False}),
    ("Any", "anyOf", {"anyOf": [BRANCH, {}], "$defs": {"B": obj([], b=STRING)}}),
]
"""The annotation of the keyword arguments, what is lost, and the keywords of the root."""


@every("row", OTHERS)
def test_arguments_that_only_a_pattern_or_a_branch_names_are_keyword_arguments(row):
    annotation, keyword, keywords = row
    for name, kept in (("a", "a: Any = ..., "), ("a-b", "")):
        tool = with_properties({name: {}}, **keywords)
        inputs, _, lost = read_back(tool)
        assert [each.keyword for each in lost] == [keyword, *["properties"] * (not kept)]
        rest = annotation if kept else "Any"
        assert f"def run({kept}**kwargs: {rest})" in tool.to_python(metadata=True)
        assert_wider(tool.input_schema, inputs, row, exact=False)


def test_arguments_that_the_root_names_are_no_keyword_arguments():
    either = [{"required": ["a"]}, obj(["b"], b={"minimum": 1})]
    tool = with_properties({"a": {}, "b": INTEGER}, anyOf=either)
    assert "def run(a: Any = ..., b: int = ...) -> Any: ..." in tool.to_python()


def test_other_arguments_beside_a_name_that_python_refuses_cost_the_names():
    tool = with_properties({"a-b": {}}, additionalProperties={"type": "integer"})
    assert "def run(a_b: Any = ..., **kwargs: int) -> Any:\n" in tool.to_python()
    inputs, _, lost = read_back(tool)
    assert [each.keyword for each in lost] == ["properties"]
    assert inputs == {"type": "object", "properties": {}, "additionalProperties": True}


# -- texts -------------------------------------------------------------------------------------

ATTACKS = [
    *TEXTS,
    '"""\nimport os\n"""',
    "\\'''\"\"\"\\",
    '\\"""',
    '\\\\"""; import os; """',
    '"' * 7,
    "a\rimport os",
    "a\x0cimport os",
    "a\u2028import os\u2029",
    "\0import os",
    '"]); import os #',
    '")] = None\nimport os\n',
    "\\N{DIGIT ONE}\\x41\\u0041\\101\\",
    "\u202eimport os",
    "x" * 10_000,
    *('"' * number for number in range(2, 9)),
    *("\\" * number + '"' for number in range(2, 5)),
    *('a"' + "\\" * number for number in range(2, 5)),
    'a\n"',
    "\n".join(['a"""b'] * 50),
]


@pytest.mark.slow
@every("text", ATTACKS, ids=lambda text: ascii(text)[:40])
def test_no_text_becomes_code_and_every_text_arrives(text):
    inner = {"type": "string", "description": text, "title": text, "default": text}
    inner |= {"pattern": text, "format": text, "x-note": text}
    schema = obj([], **{text: inner, "b": {"enum": [text, "b"]}, "c": inner})
    schema["description"] = text
    tool = tool_of(schema, description=text, title=text, output_schema=schema)
    said = " ".join(text.split())
    about = f"Args:\nx: {said}\n\nReturns:\n{said}\n" if said else ""
    with_result = f"{text.strip()}\n\n{about}" if said else text
    for metadata, whole in ((True, text), (False, with_result)):
        written = tool.to_python(metadata=metadata)
        assert_harmless(written)
        found = module_from(written).run.__doc__ or ""
        assert [each.strip() for each in found.strip().split("\n")] == [
            each.strip() for each in whole.strip().replace("\ud800", r"\ud800").split("\n")
        ]
    line = "".join(map(shown, said))
    assert not line or f"#: {line}" in written
    inputs, _, _ = read_back(tool)
    fields = inputs["properties"]["x"]["properties"]
    assert fields["b"]["enum"] == [text, "b"]
    if text == "\ud800":  # it is half a pair, which only texts for people may have
        inner = {key: inner[key] for key in ("type", "description", "title")}
    assert fields["c"] == fields[text] == inner


def shown(char: str) -> str:
    """A character, or its escape."""
    return char if char.isprintable() else char.encode("unicode_escape").decode()


DIRECTIVES = ["type: int", "type: ignore", "# type: ignore", "pyright: basic", "noqa", "fmt: off"]


@every("text", DIRECTIVES)
def test_no_comment_is_a_command_for_a_type_checker(text):
    inner = {"type": "string", "description": text}
    schema = {"type": "object", "properties": {"a": inner, "b-c": inner}, "description": text}
    written = tool_of(schema, description=text).to_python()
    parsed = ast.parse(written, type_comments=True)
    assert parsed.type_ignores == []
    assert all(getattr(each, "type_comment", None) is None for each in ast.walk(parsed))
    comments = re.findall(r"#.*", written.partition('"""')[0])
    assert comments == [f"#: {text}"] * 2


# -- calls -------------------------------------------------------------------------------------


@dataclass
class Point:
    x: int
    y: int = 0


class Session:
    user = "Ada"


class RejectedError(Exception):
    pass


def move(point: Point, by: Annotated[int, Ge(1)] = 1, *, names: list[str] = []) -> list[Point]:  # noqa: B006 - as people write it
    """Move a point."""
    return [Point(point.x + by, point.y), *(Point(len(each)) for each in names)]


def greet(name: str, session: Session, day: date | None = None) -> str:
    if not name:
        raise ToolError("no name")
    if name == "x":
        raise RejectedError(name)
    return f"Hello {name}, {session.user}, {day}"


def note(text: str, *, size: Literal["s", "m"] = "s", **more: int) -> dict[str, int]:
    return {text: len(size), **more}


def silent(flag: bool = False) -> None:
    assert flag in (True, False)


def untyped(value):
    return value


PROFILE = profiles.MCP.with_injected(classes=[Session])


def toolbox(*, repair: bool = False) -> Toolbox:
    tools = [move, greet, note, silent, untyped]
    return Toolbox(tools, profile=PROFILE, errors=RejectedError, repair=repair)


def outcome_of(call: Callable[[], Any]) -> tuple[str, Any]:
    """What a call returns, or the text of its error."""
    try:
        return "returned", call()
    except ToolError as problem:
        return "failed", str(problem)


@pytest.mark.slow
def test_1000_random_calls_give_what_the_toolbox_gives():
    tools = toolbox()
    names = tools.namespace(inject={Session: Session()})
    samplers = {name: Sampler(tool.input_schema) for name, tool in tools.items()}
    outcomes: Counter[tuple[str, str]] = Counter()
    for number in range(1000):
        name = [*tools][number % len(tools)]
        sampler = samplers[name]
        given = sampler.valid() if number % 3 else sampler.invalid()[0]
        given = given if type(given) is dict else {"given": given}
        result = tools.call(name, given, inject={Session: Session()})
        outcome, value = outcome_of(partial(names[name], **given))
        if result.is_error:
            assert (outcome, value) == ("failed", result.text)
        else:
            expected = result.value if "structuredContent" in result else result.text or None
            assert (outcome, value) == ("returned", expected)
        outcomes[name, outcome] += 1
    assert min(outcomes.values()) > 20
    assert len(outcomes) > 2 * len(tools) - 3


def test_calls_take_values_of_python_by_position_and_by_name():
    names = toolbox().namespace(inject={Session: Session()})
    assert names["move"](Point(1), 2, ("ab",)) == [{"x": 3, "y": 0}, {"x": 2, "y": 0}]
    assert names["move"]({"x": 1, "y": 5}, names=[]) == [{"x": 2, "y": 5}]
    assert names["greet"]("Bo", date(2026, 7, 28)) == "Hello Bo, Ada, 2026-07-28"
    assert names["greet"]("Bo", day=...) == "Hello Bo, Ada, None"
    assert names["note"]("a", size="m", extra=3) == {"a": 1, "extra": 3}
    assert names["silent"](True) is None


def test_a_hidden_parameter_stays_hidden():
    tools = toolbox()
    names = tools.namespace(inject={"session": Session()})
    assert "session" not in tools.to_python()
    inject = {"session": Session()}
    refused = tools.call("greet", {"name": "Bo", "session": "me"}, inject=inject)
    for given in ("me", Session()):
        outcome = outcome_of(partial(names["greet"], "Bo", session=given))
        assert outcome == ("failed", refused.text)
    with pytest.raises(TypeError, match=r"^greet\(\) got too many positional arguments$"):
        names["greet"]("Bo", None, Session())


def test_a_failed_call_raises_the_text_of_its_result():
    tools = toolbox()
    names = tools.namespace(inject={Session: Session()})
    assert outcome_of(lambda: names["greet"]("")) == ("failed", "no name")
    refused = tools.call("greet", {"name": "x"}, inject={Session: Session()})
    assert outcome_of(lambda: names["greet"]("x")) == ("failed", refused.text)
    assert outcome_of(names["move"]) == ("failed", "move(): .point: required but not given")
    for value in (object(), float("nan")):
        expected = tools.call("untyped", {"value": value}).text
        assert outcome_of(lambda value=value: names["untyped"](value)) == ("failed", expected)


def test_arguments_that_python_itself_refuses_are_a_type_error():
    silent = toolbox().namespace(inject={Session: Session()})["silent"]
    for args, kwargs in (((True, True), {}), ((True,), {"flag": True})):
        with pytest.raises(TypeError, match=r"^silent\(\) got too many positional arguments$"):
            silent(*args, **kwargs)


def test_the_options_of_the_toolbox_apply():
    assert toolbox(repair=True).namespace()["silent"]("true") is None
    assert Toolbox(toolbox().values(), repair=True).namespace()["silent"]("true") is None
    logged: list[Any] = []

    def fail() -> int:
        raise KeyError("secret")

    names = Toolbox([fail], unexpected=lambda tool, problem: logged.append(problem)).namespace()
    assert outcome_of(names["fail"]) == ("failed", "internal error in fail")
    assert [type(each) for each in logged] == [KeyError]
    with pytest.raises(KeyError, match="secret"):
        Toolbox([fail]).namespace()["fail"]()


def test_asynchronous_functions_are_awaited():
    async def double(n: int) -> int:
        await asyncio.sleep(0)
        return 2 * n

    names = Toolbox([double, silent]).namespace(is_async=True)
    assert asyncio.run(names["double"](4)) == 8
    assert asyncio.run(names["silent"]()) is None
    with pytest.raises(ToolError, match="expected an integer"):
        asyncio.run(names["double"]("a"))
    with pytest.raises(SchemaError, match="must be awaited"):
        Toolbox([double]).namespace()["double"](4)


IMAGE = {"type": "image", "data": "aGk=", "mimeType": "image/png"}


def test_a_result_without_structured_content_is_its_text_or_its_blocks():
    names = Toolbox([untyped], profile=profiles.MCP_SDK).namespace()
    assert names["untyped"]("hi") == "hi"
    pictures = Toolbox([tool_schema(lambda: IMAGE, name="picture")]).namespace()
    assert pictures["picture"]() == [IMAGE]


def test_parameters_with_other_names_are_passed_as_in_json():
    schema = {
        "type": "object",
        "properties": {"from": {}, "a-b": {}, "a.b": {}},
        "required": ["a.b"],
    }
    calls: list[Any] = []

    def run(**kwargs: Any) -> dict[str, Any]:
        calls.append(kwargs)
        return kwargs

    names = Toolbox([tool_schema(run, input_schema=schema)]).namespace()
    assert names["run"](1, from_=2, a_b_2=3) == {"a.b": 1, "from": 2, "a-b": 3}
    assert names["run"](**{"a.b": 1, "a-b": 2}) == {"a.b": 1, "a-b": 2}
    assert len(calls) == 2
