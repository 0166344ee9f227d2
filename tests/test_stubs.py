"""Tools as Python: the functions that a model reads, and those that its code calls."""

import asyncio
import builtins
import inspect
import json
import os
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Callable
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
from tests.fragments import BOOLEAN, INTEGER, STRING, obj
from tests.inside import Sampler, asserted
from tests.instructions import instructions
from tests.modules import module_from
from tests.needs import lacking
from tests.random_schemas import TEXTS, Maker
from tests.stubs import assert_harmless, changes, read_back

Json = dict[str, Any]
ROOT = Path(__file__).parent.parent
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


def annotation_of(schema: Json, **options: Any) -> str:
    """The annotation of a parameter."""
    return python_of(schema, **options).partition("(x: ")[2].rpartition(") -> Any:")[0]


def lost_in(schema: Json) -> list[str]:
    """The keywords of a parameter that its annotation does not say, with their paths."""
    found: list[str] = []
    tool_of(schema).to_python(lost=lambda each: found.append(f"{each.path} {each.keyword}"))
    return found


# -- what it looks like ------------------------------------------------------------------------

ADDRESS = obj(
    ["street"],
    street={"type": "string", "minLength": 1, "description": "Street and\nnumber."},
    zip={"type": "string", "pattern": "^[0-9]+$"},
) | {"description": "Where somebody lives."}
SHIP = ToolSchema(
    name="ship",
    description="Ship an order.\n\nIt goes out at once.",
    input_schema=obj(
        ["order", "to"],
        speed={"enum": ["fast", "slow"], "default": "slow"},
        order={"type": "integer", "minimum": 1, "description": "The number."},
        to={"$ref": "#/$defs/Address", "description": "Where to."},
        note={"type": ["string", "null"], "default": None, "maxLength": 80},
    )
    | {"$defs": {"Address": ADDRESS}},
    output_schema={
        "type": "array",
        "items": {"$ref": "#/$defs/Address"},
        "$defs": {"Address": ADDRESS},
    },
)


def test_a_tool_is_a_function_with_types_and_a_docstring():
    assert SHIP.to_python() == textwrap.dedent(
        '''\
        from __future__ import annotations
        from typing import Literal, NotRequired, TypedDict

        class Address(TypedDict):
            """Where somebody lives.

            Attributes:
                street: Street and number. (length at least 1)
                zip: matches ^[0-9]+$
            """
            street: str
            zip: NotRequired[str]

        def ship(
            order: int,
            to: Address,
            speed: Literal["fast", "slow"] = "slow",
            note: str | None = None,
        ) -> list[Address]:
            """Ship an order.

            It goes out at once.

            Args:
                order: The number. (at least 1)
                to: Where to.
                note: length at most 80
            """
        '''
    )


def test_with_metadata_annotations_say_all_of_a_schema():
    text = SHIP.replace(output_schema=None, description=None).to_python(metadata=True)
    assert text == textwrap.dedent(
        """\
        from __future__ import annotations
        from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict
        from milo_schema import Description, Ge, MaxLen, MinLen, Schema

        class Address_2(TypedDict):
            street: Annotated[str, MinLen(1), Description("Street and\\nnumber.")]
            zip: NotRequired[Annotated[str, Schema({"pattern": "^[0-9]+$"})]]

        Address: TypeAlias = Annotated[Address_2, Description("Where somebody lives.")]

        def ship(
            order: Annotated[int, Ge(1), Description("The number.")],
            to: Annotated[Address, Description("Where to.")],
            speed: Literal["fast", "slow"] = "slow",
            note: Annotated[str, MaxLen(80)] | None = None,
        ) -> Any: ...
        """
    )


def test_only_what_is_used_is_imported():
    words = ["Any", "'Never", '"Union', "\\'Unpack\\", "TypeAlias"]
    text = tool_of({"enum": words}, output_schema={"const": "Description"}).to_python(metadata=True)
    assert text.partition("\n\n")[0] == (
        "from __future__ import annotations\nfrom typing import Literal"
    )


def test_a_name_of_ours_is_imported_only_with_metadata():
    names = ["annotations", "Description", "Schema", "Ge"]
    schema = {"type": "object", "properties": {each: {"type": "string"} for each in names}}
    tool = ToolSchema(name="annotations", input_schema=schema, output_schema=schema)
    text = tool.to_python()
    assert "import annotations\n" in text
    assert "milo_schema" not in text
    assert "def annotations_2(" in text


def test_a_function_may_be_async():
    assert "\nasync def ship(" in SHIP.to_python(is_async=True)
    text = Toolbox([SHIP]).to_python(is_async=True)
    assert text == SHIP.to_python(is_async=True)
    assert inspect.iscoroutinefunction(module_from(text).ship)


def test_a_tool_without_arguments_or_texts_is_one_line():
    tool = ToolSchema(name="ping", input_schema={"type": "object"})
    assert tool.to_python().split("\n\n")[1] == "def ping() -> Any: ...\n"
    assert Toolbox().to_python() == "from __future__ import annotations\n"


def test_a_function_of_ours_has_the_types_that_it_was_made_of():
    def find(words: list[str], limit: int = 10, *, near: tuple[float, float] | None = None) -> bool:
        """Find."""
        return bool(words and limit and near)

    line = "words: list[str], limit: int = 10, near: tuple[float, float] | None = None"
    assert f"def find({line}) -> bool:" in tool_schema(find).to_python()


def test_the_box_of_a_result_is_taken_off():
    def find() -> list[int]: ...

    for profile in (profiles.MCP_2025, profiles.MCP):
        assert "def find() -> list[int]: ..." in tool_schema(find, profile=profile).to_python()


def test_a_dialect_is_undone():
    def find(limit: int = 10) -> None: ...

    strict = tool_schema(find, profile=profiles.OPENAI_STRICT)
    assert strict.input_schema["required"] == ["limit"]
    assert "def find(limit: int = 10)" in strict.to_python()
    given = ToolSchema(name="find", input_schema=tool_schema(find).input_schema)
    assert "def find(limit: int = 10)" in given.with_profile(profiles.GEMINI).to_python()


def test_an_invalid_schema_is_an_error():
    broken = {"type": "object", "properties": {"x": {"type": "strin"}}}
    with pytest.raises(SchemaError, match=r"run\(x\): the input schema is not valid"):
        ToolSchema(name="run", input_schema=broken).to_python()
    tool = ToolSchema(name="run", input_schema={"type": "object"}, output_schema={"type": "strin"})
    with pytest.raises(SchemaError, match="the output schema is not valid"):
        Toolbox([tool]).to_python()


def test_an_older_draft_is_read():
    old: Json = {"definitions": {"A": STRING}, "type": "array", "items": [INTEGER]}
    old |= {"additionalItems": {"$ref": "#/definitions/A"}, "minItems": 1}
    tool = tool_of({})
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", **tool.input_schema}
    schema["properties"] = {"x": {key: each for key, each in old.items() if key != "definitions"}}
    schema["definitions"] = old["definitions"]
    text = ToolSchema(name="run", input_schema=schema).to_python()
    assert "x: tuple[int, *tuple[str, ...]]" in text


ANNOTATIONS: list[tuple[str, Json]] = [
    ("Any", {}),
    ("str", {"type": "string", "format": "date-time"}),
    ("float", {"type": "number", "exclusiveMinimum": 0}),
    ("int | str | None", {"type": ["null", "integer", "string"]}),
    ("list[Any]", {"type": "array"}),
    ("list[str | int]", {"type": "array", "items": {"anyOf": [{"type": "string"},
           {"type": "integer"}]}}),
    ("dict[str, Any]", {"type": "object"}),
    ("dict[str, bool]", {"type": "object", "additionalProperties": {"type": "boolean"}}),
    ('Literal[1, True, "a", None]', {"enum": [1, True, "a", None]}),
    ("Literal[-1]", {"const": -1}),
    ('Literal["a"]', {"type": "string", "enum": ["a", 1]}),
    ("float", {"enum": [0.5, 10**30]}),
    ("Any", {"enum": [[1], "a"]}),
    ("Never", {"enum": []}),
    ("Never", {"type": "string", "enum": [1]}),
    ("Never", {"not": {}}),
    ("tuple[int, str]", {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2,
       "items": False}),
    ("list[int | str]", {"type": "array", "prefixItems": [{"type": "integer"}],
       "items": {"type": "string"}}),
    ("list[int | Never]", {"type": "array", "prefixItems": [{"type": "integer"}], "items": False}),
    ("tuple[int, *tuple[Any, ...]]", {"type": "array", "prefixItems": [{"type": "integer"}],
       "minItems": 1, "maxItems": 3}),
    ("tuple[int, *tuple[Never, ...]]", {"type": "array", "prefixItems": [INTEGER], "items": False,
       "minItems": 1, "maxItems": 0}),
    ("Any", {"anyOf": [{"type": "string"}, {}]}),
    ("str", {"allOf": [{"type": "string"}, {"minLength": 1}]}),
    ("dict[str, str | int]", {"type": "object", "patternProperties": {"^a": STRING, "^b": INTEGER},
       "additionalProperties": False}),
    ('dict[Literal["a"], int]', {"type": "object", "additionalProperties": INTEGER,
       "propertyNames": {"enum": ["a"]}}),
]  # fmt: skip


@every("row", ANNOTATIONS)
def test_an_annotation_says_what_python_can(row):
    expected, schema = row
    assert annotation_of(schema) == expected


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
    if any(type(each) not in LITERALS or each == 10**40 for each in schema.get("enum", ())):
        left_out |= {"enum"} | ({"type"} if schema.get("type") == "array" else set())
    if "type" in schema and type(schema["type"]) is str:
        left_out |= {"x"}  # a keyword of some rows, which nobody knows
    return {key: unbounded(each) for key, each in schema.items() if key not in left_out}


LITERALS = (str, int, bool, type(None))


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


def assert_wider(old: Json, new: Json, seed: object, *, exact: bool = False) -> int:
    """Check with values that a schema accepts what another does; if it is exact, nothing else."""
    before, after = map(jsonschema_rs.Draft202012Validator, map(plain, (old, new)))
    values = []
    for schema in (old, new):
        sampler = Sampler(schema, seed)
        for _ in range(3):
            try:
                values += [sampler.valid(), sampler.invalid()[0]]
            except (LookupError, ValueError):  # it has no such value that is easily found
                continue
    told = [(before.is_valid(each), after.is_valid(each), each) for each in map(plain, values)]
    assert [each for was, is_now, each in told if was and not is_now] == []
    assert not exact or [each for was, is_now, each in told if is_now and not was] == []
    return len(told)


def plain(value: Any) -> Any:
    """A value without halves of surrogate pairs, which that validator cannot read."""
    if type(value) is dict:
        return {plain(key): plain(each) for key, each in value.items()}
    if type(value) is list:
        return [*map(plain, value)]
    return value.replace("\ud800", "?") if type(value) is str else value


SEEDS = range(40)


@pytest.mark.slow
@every("seed", SEEDS)
def test_a_stub_of_a_random_schema_means_it(seed):
    tool = ToolSchema(name="run", input_schema=Maker(seed).arguments())
    inputs, _, lost = read_back(tool)
    assert lost or changes(tool.input_schema, inputs) == []


@pytest.mark.slow
@every("seed", SEEDS)
def test_what_is_wider_is_among_what_is_lost(seed):
    assert_judged(seed)


def assert_judged(seed: int) -> None:
    """Check with values that a stub accepts no less than a schema, and no more if none is lost."""
    tool = ToolSchema(name="run", input_schema=Maker(f"odd {seed}", 0.1).arguments())
    inputs, _, lost = read_back(tool)
    assert_wider(tool.input_schema, inputs, seed, exact=not lost)
    if "in JSON" not in tool.to_python():  # where Python has another name, the JSON differs
        assert_wider(tool.input_schema, read_back(tool, metadata=False)[0], seed)


@pytest.mark.long
@every("seed", range(1000, 3000))
def test_stubs_of_2000_random_schemas_mean_them(seed):
    tool = ToolSchema(name="run", input_schema=Maker(seed).arguments())
    inputs, _, lost = read_back(tool)
    assert lost or changes(tool.input_schema, inputs) == []
    assert_judged(seed)


@every(
    "listed", [each for tools in SERVERS.values() for each in tools], ids=lambda each: each["name"]
)
def test_a_stub_of_a_servers_tool_means_its_schema(listed):
    tool = ToolSchema.from_mcp(listed)
    inputs, _, lost = read_back(tool)
    assert not lost
    assert changes(tool.input_schema, inputs) == []


def test_the_tools_of_a_server_need_fewer_characters():
    written = {
        name: len(Toolbox(map(ToolSchema.from_mcp, tools)).to_python())
        / len(json.dumps(tools, indent=2))
        for name, tools in SERVERS.items()
    }
    assert written["git"] < 0.3
    assert max(written.values()) < 0.7


# -- what is lost ------------------------------------------------------------------------------

LOST: list[tuple[Json, list[str]]] = [
    ({"type": "string", "not": {"const": "a"}}, ["run(x) not"]),
    ({"not": {"type": "string"}}, ["run(x) not"]),
    ({"minimum": 3}, ["run(x) minimum"]),
    ({"type": "object", "properties": {"a": {}}, "additionalProperties": False},
     ["run(x) additionalProperties"]),
    ({"type": "object", "properties": {"a": {}}, "additionalProperties": {}}, []),
    ({"type": "object", "additionalProperties": False}, ["run(x) additionalProperties"]),
    ({"type": "object", "patternProperties": {"^a": {}}}, ["run(x) patternProperties"]),
    ({"type": "object", "propertyNames": {"not": {"const": "a"}}}, ["run(x) propertyNames"]),
    ({"type": "object", "propertyNames": {"maxLength": 3}}, []),
    ({"type": "object", "dependentRequired": {"a": ["b"]}}, ["run(x) dependentRequired"]),
    ({"type": "array", "contains": {"const": 1}, "minContains": 2},
     ["run(x) contains", "run(x) minContains"]),
    ({"type": "array", "items": {"type": "string", "if": {}, "then": False}},
     ["run(x)[] if", "run(x)[] then"]),
    ({"type": "array", "prefixItems": [{"type": "string"}]}, ["run(x) prefixItems"]),
    ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, ["run(x) oneOf"]),
    ({"oneOf": [{"type": "integer"}, {"type": "string"}]}, []),
    ({"oneOf": [{"const": 1}, {"const": 2}]}, []),
    ({"oneOf": [{"const": 1}, {"enum": [1, 2]}]}, ["run(x) oneOf"]),
    ({"anyOf": [{"type": "string"}], "oneOf": [{"type": "string"}]}, ["run(x) oneOf"]),
    ({"type": "string", "allOf": [{"pattern": "a"}, {"pattern": "b"}]}, []),
    ({"type": "object", "allOf": [{"not": {"required": ["a"]}}, {"not": {"required": ["b"]}}]},
     ["run(x) allOf", "run(x) not"]),
    ({"type": "array", "contains": {}, "maxContains": 2},
     ["run(x) contains", "run(x) maxContains"]),
    ({"type": "string", "contentMediaType": "text/html"}, ["run(x) contentMediaType"]),
    ({"$ref": "#/$defs/Missing"}, ["run(x) $ref"]),
    ({"$defs": {"A": {"type": "string"}}, "minLength": 2, "anyOf": [{"$ref": "#/$defs/A"}]},
     ["run(x) minLength"]),
    ({"type": "string", "x-unit": "m", "$comment": "no", "readOnly": True}, []),
]  # fmt: skip


@every("row", LOST)
def test_what_no_annotation_says_is_reported_with_its_path(row):
    schema, expected = row
    assert lost_in(schema) == expected


TAGGED = [
    {"type": "object", "properties": {"kind": {"const": kind}}, "required": ["kind"]}
    for kind in ("a", "b")
]


def test_objects_with_different_tags_are_never_both_valid():
    assert lost_in({"oneOf": TAGGED}) == []
    assert annotation_of({"oneOf": TAGGED}) == "X | X_2"
    assert lost_in({"oneOf": [TAGGED[0], {**TAGGED[1], "required": ["other"]}]}) == ["run(x) oneOf"]
    assert lost_in({"oneOf": [TAGGED[0], TAGGED[0]]}) == ["run(x) oneOf"]
    assert lost_in({"oneOf": [*TAGGED, {"type": "object"}]}) == ["run(x) oneOf"]


def test_the_restrictions_of_all_arguments_are_reported():
    arguments = {"type": "object", "properties": {"a": {}}, "minProperties": 1}
    tool = ToolSchema(
        name="run",
        input_schema={**arguments, "anyOf": [{"required": ["a"]}]},
        output_schema={"not": {"type": "null"}},
    )
    lost: list[str] = []
    tool.to_python(lost=lambda each: lost.append(str(each)))
    means = "no annotation of Python means the same as"
    assert lost == [
        f"run: {means} 'anyOf'",
        f"run: {means} 'minProperties'",
        f"run() -> result: {means} 'not'",
    ]


def test_what_is_lost_has_the_code_of_what_a_dialect_loses():
    lost: list[Any] = []
    tool_of({"type": "string", "not": {"const": "a"}}).to_python(lost=lost.append)
    (found,) = lost
    assert (found.code, found.keyword, found.path) == ("refused-by-transform", "not", "run(x)")


def test_what_is_lost_is_in_the_docstring():
    text = python_of({"type": "array", "contains": {"const": 1}, "uniqueItems": True, "x-a": 1})
    assert "        x: contains 1; no duplicates\n" in text


# -- definitions -------------------------------------------------------------------------------

NODE: Json = obj(["value"], value=INTEGER, next={"$ref": "#/$defs/Node"})


def test_a_recursive_definition_is_a_class():
    text = python_of({"$ref": "#/$defs/Node", "$defs": {"Node": NODE, "Unused": {}}})
    assert text == textwrap.dedent(
        """\
        class Node(TypedDict):
            value: int
            next: NotRequired[Node]

        def run(x: Node) -> Any: ...
        """
    )


def test_a_definition_that_a_class_says_as_a_whole_is_no_alias_with_metadata():
    plain_node = {**NODE, "additionalProperties": {}}
    text = python_of({"$ref": "#/$defs/Node", "$defs": {"Node": plain_node}}, metadata=True)
    assert text.startswith("class Node(TypedDict):\n    value: int\n")


def test_recursion_that_python_evaluates_at_once_is_quoted():
    values = {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/J"}}, {"type": "null"}]}
    inner = {"anyOf": [{"$ref": "#/$defs/Odd"}, {"type": "null"}]}
    odd = {"type": "object", "properties": {"a-b": inner}}
    for name, body, expected in (
        ("J", values, 'J: TypeAlias = Union[list["J"], None]'),
        ("Odd", odd, 'Odd = TypedDict("Odd", {"a-b": NotRequired[Union["Odd", None]]})'),
    ):
        tool = tool_of({"$ref": f"#/$defs/{name}", "$defs": {name: body}})
        assert expected in tool.to_python()
        inputs, _, lost = read_back(tool)
        assert (lost, changes(tool.input_schema, inputs)) == ([], [])


def test_arguments_may_refer_to_themselves():
    tree = {"type": "object", "properties": {"left": {"$ref": "#"}, "size": {"type": "integer"}}}
    tool = ToolSchema(name="grow", input_schema=tree, output_schema=tree)
    text = tool.to_python()
    assert "class Arguments(TypedDict):\n    left: NotRequired[Arguments]" in text
    assert "def grow(left: Arguments = ..., size: int = ...) -> Arguments: ..." in text
    assert text.count("class ") == 1


def test_tools_share_a_class_if_it_says_the_same():
    inner = {"type": "object", "properties": {"a": {"type": "string"}}}
    other = {**inner, "properties": {"a": {"type": "integer"}}}
    properties = {"part": {"$ref": "#/$defs/Part"}, "node": {"$ref": "#/$defs/Node"}}
    parts = {"Part": inner, "Node": NODE}
    every_definitions = {
        "one": parts,
        "two": dict(reversed(parts.items())),
        "three": {"Part": other, "Node": {**NODE, "required": []}},
    }
    tools = [
        ToolSchema(
            name=name,
            input_schema={"type": "object", "properties": properties, "$defs": definitions},
        )
        for name, definitions in every_definitions.items()
    ]
    text = Toolbox(tools).to_python()
    assert [line for line in text.split("\n") if line[:5] == "class"] == [
        "class Node(TypedDict):",
        "class Part(TypedDict):",
        "class Node_2(TypedDict):",
        "class Part_2(TypedDict):",
    ]
    assert "def two(part: Part = ..., node: Node = ...)" in text
    assert "def three(part: Part_2 = ..., node: Node_2 = ...)" in text


def test_a_long_definition_has_a_name_and_a_short_one_has_none():
    colors = [f"color {number}" for number in range(9)]
    text = python_of(
        {
            "type": "array",
            "prefixItems": [{"$ref": "#/$defs/color"}, {"$ref": "#/$defs/flag"}],
            "minItems": 2,
            "maxItems": 2,
            "$defs": {"color": {"enum": colors, "description": "A color."}, "flag": BOOLEAN},
        }
    )
    assert f"Color: TypeAlias = Literal[{', '.join(map(json.dumps, colors))}]\n" in text
    assert "def run(x: tuple[Color, bool]) -> Any:" in text
    assert "x: A color." in text


def test_a_definition_with_keywords_beside_its_reference_is_written_out():
    base = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    more = {"type": "object", "properties": {"b": {"type": "integer"}}}
    both = {"allOf": [{"$ref": "#/$defs/Base"}, more], "title": "Both"}
    text = python_of({**both, "$defs": {"Base": base}})
    assert "class Both(TypedDict):\n    a: str\n    b: NotRequired[int]\n" in text


def test_definitions_that_are_written_out_forever_end():
    inner = {"$ref": "#/$defs/A", "properties": {"b": {}}}
    endless = {"type": "object", "properties": {"a": inner}}
    lost = lost_in({"$ref": "#/$defs/A", "$defs": {"A": endless}})
    assert {each.rpartition(" ")[2] for each in lost} == {"properties"}


def test_the_size_of_a_stub_grows_as_its_schema_does():
    sizes = []
    for count in (20, 40):
        chain: Json = {"D0": {"type": "string"}}
        for number in range(1, count):
            one = {"$ref": f"#/$defs/D{number - 1}"}
            chain[f"D{number}"] = {"anyOf": [one, {"type": "array", "items": one}]}
        sizes.append(len(python_of({"$ref": f"#/$defs/D{count - 1}", "$defs": chain})))
    assert sizes[1] < 2.2 * sizes[0]


def records(count: int) -> Json:
    """Properties with the same name and different types, which are classes with numbers."""
    inner = [{"type": "object", "properties": {f"k{number}": {}}} for number in range(count)]
    outer = [{"type": "object", "properties": {"x": each}} for each in inner]
    return {"type": "object", "properties": {f"p{at}": each for at, each in enumerate(outer)}}


def cycle(count: int) -> Json:
    """Definitions that refer to each other in a circle."""
    names = [f"D{number}" for number in range(count)]
    bodies = {
        name: {"type": "object", "properties": {"next": {"$ref": f"#/$defs/{names[at - 1]}"}}}
        for at, name in enumerate(names)
    }
    return {"type": "object", "properties": {"x": {"$ref": "#/$defs/D0"}}, "$defs": bodies}


def tagged(count: int) -> Json:
    """Objects with different tags."""
    tags = [{"kind": {"const": number}} for number in range(count)]
    members = [{"type": "object", "properties": each, "required": ["kind"]} for each in tags]
    return {"type": "object", "properties": {"x": {"oneOf": members}}}


def odd_names(count: int) -> Json:
    """Names that Python refuses, and that become equal."""
    return {"type": "object", "properties": {"-" * number: {} for number in range(1, count)}}


@pytest.mark.parametrize("make", [records, cycle, tagged, odd_names])
def test_the_cost_of_a_stub_grows_as_its_schema_does(make):
    few, many = (ToolSchema(name="run", input_schema=make(count)) for count in (20, 40))
    few.to_python()  # the first call loads modules
    assert instructions(many.to_python) < 2.2 * instructions(few.to_python)


# -- names -------------------------------------------------------------------------------------

NAMES = [
    *("from", "None", "class", "print", "str", "list", "Any", "self", "cls", "a-b", "a.b", "a_b"),
    *("", "_", "__", "__x", "__debug__", "__name__", "1st", "x y", "größe", "名前", "ﬁ", "²", "Ⅷ"),
    *("TypedDict", "NotRequired", "Literal", "annotations", "Schema", "kwargs", "args", "match"),
    *("a\nb", '"', "'", "\\", "a" * 200, "\ud800", "x=1", "): pass", "Run", "run", "int]"),
]


@every("name", NAMES, ids=ascii)
def test_every_name_of_a_parameter_is_read_back(name):
    tool = ToolSchema(
        name="run",
        input_schema={
            "type": "object",
            "properties": {name: INTEGER, "other": STRING},
            "required": [name],
            "additionalProperties": False,
        },
    )
    inputs, _, lost = read_back(tool)
    assert (lost, changes(tool.input_schema, inputs)) == ([], [])
    assert_harmless(tool.to_python())


@pytest.mark.slow
@every("name", NAMES, ids=ascii)
def test_every_name_of_a_field_or_class_is_read_back(name):
    fields = {name: {"type": "array", "items": {}}, "b": {"enum": ["c"]}}
    thing = {"type": "object", "properties": fields}
    for key in (name, f"a{name}b"):
        schema = {"type": "object", "properties": {key: thing, "d": thing}, "required": [key]}
        tool = tool_of(schema, output_schema=schema)
        inputs, output, lost = read_back(tool)
        assert (lost, changes(tool.input_schema, inputs)) == ([], [])
        assert output is not None
        assert changes(schema, output) == []
        assert_harmless(tool.to_python())


@pytest.mark.slow
@every("name", NAMES, ids=ascii)
def test_every_name_of_a_definition_is_read_back(name):
    key = name.replace("~", "~0").replace("/", "~1")
    fields = {name: {"$ref": f"#/$defs/{key}"}, "other": {"type": "null"}}
    choices = [name, "a long choice", "another long choice"]
    for body in ({"type": "object", "properties": fields}, {"enum": choices}):
        tool = tool_of({"$ref": f"#/$defs/{key}", "$defs": {name: body}})
        inputs, _, lost = read_back(tool)
        assert (lost, changes(tool.input_schema, inputs)) == ([], [])


@every("name", NAMES, ids=ascii)
def test_every_name_of_a_tool_is_a_function(name):
    text = ToolSchema(name=name, input_schema={"type": "object"}).to_python()
    assert_harmless(text)
    functions = [each for each in vars(module_from(text)).values() if inspect.isfunction(each)]
    assert [each.__name__.isidentifier() for each in functions] == [True]
    assert functions[0].__name__ not in {*dir(builtins)} - {"_"}  # which a doctest leaves there


def test_functions_with_similar_names_are_numbered():
    names = ["a-b", "a.b", "a_b", "list", "Any", "Ge", "_", ""]
    tools = [ToolSchema(name=each, input_schema={"type": "object"}) for each in names]
    functions = [*Toolbox(tools).namespace()]
    assert functions == ["a_b", "a_b_2", "a_b_3", "list_", "Any_2", "Ge_2", "_", "_2"]
    text = Toolbox(tools).to_python()
    assert [line for line in text.split("\n") if "def " in line] == [
        f"def {each}() -> Any: ..." for each in functions
    ]


def test_a_number_is_not_taken_twice():
    names = ["a.b", "a_b_2", "a-b", "a/b", "list", "list_2", "list_"]
    tools = [ToolSchema(name=each, input_schema={"type": "object"}) for each in names]
    expected = ["a_b", "a_b_2", "a_b_3", "a_b_4", "list_", "list_2", "list_3"]
    assert [*Toolbox(tools).namespace()] == expected


def test_a_class_is_named_after_its_title_its_property_or_its_tool():
    thing = {"type": "object", "properties": {"a": {}}}
    fields = {
        "full_address of-it": {**thing, "properties": {"b": {}}},
        "9": {**thing, "properties": {"c": {}}},
        "-": {**thing, "properties": {"d": {}}},
        "e": {**thing, "title": "Place"},
        "f": {**thing, "properties": {"f": {}}, "title": "not a name"},
    }
    tool = ToolSchema(
        name="find-all",
        input_schema={"type": "object", "properties": fields},
        output_schema={**thing, "properties": {"g": {}}},
    )
    assert [line for line in tool.to_python().split("\n") if line[:5] == "class"] == [
        "class FullAddressOfIt(TypedDict):",
        "class _9(TypedDict):",
        "class Item(TypedDict):",
        "class Place(TypedDict):",
        "class F(TypedDict):",
        "class FindAllResult(TypedDict):",
    ]


def test_a_parameter_has_its_own_name_unless_python_refuses_it():
    properties = {"from": {}, "from_": {}, "id": {}, "x-y": {"description": "A key."}}
    text = ToolSchema(
        name="run", input_schema={"type": "object", "properties": properties}
    ).to_python()
    line = "from_2: Any = ..., from_: Any = ..., id: Any = ..., x_y: Any = ..."
    assert f"def run({line}) -> Any:" in text
    assert '        from_2: "from" in JSON\n        x_y: A key. ("x-y" in JSON)\n' in text


def test_other_arguments_are_keyword_arguments():
    schema = obj([], kwargs={}) | {"additionalProperties": INTEGER}
    tool = ToolSchema(name="run", input_schema=schema)
    assert "def run(kwargs: Any = ..., **kwargs_2: int) -> Any: ..." in tool.to_python()
    inputs, _, lost = read_back(tool)
    assert (lost, changes(schema, inputs)) == ([], [])


def test_other_arguments_beside_a_name_that_python_refuses_cost_the_names():
    schema = {"type": "object", "properties": {"a-b": {}}, "additionalProperties": INTEGER}
    tool = ToolSchema(name="run", input_schema=schema)
    assert "def run(a_b: Any = ..., **kwargs: int)" in tool.to_python()
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
    schema = {
        "type": "object",
        "description": text,
        "properties": {text: inner, "b": {"enum": [text, "b"]}, "c": inner},
    }
    tool = tool_of(schema, description=text, title=text, output_schema=schema)
    for metadata in (False, True):
        written = tool.to_python(metadata=metadata)
        assert_harmless(written)
        found = module_from(written).run.__doc__ or ""
        assert visible(found).startswith(visible(text.strip()))
    inputs, _, _ = read_back(tool)
    said = inputs["properties"]["x"]["properties"]
    assert said["b"]["enum"] == [text, "b"]
    if text == "\ud800":  # it is half a pair, which only texts for people may have
        inner = {key: inner[key] for key in ("type", "description", "title")}
    assert said["c"] == said[text] == inner


def visible(text: str) -> str:
    """Text without indentation, and with halves of surrogate pairs as a docstring shows them."""
    shown = text.encode(errors="backslashreplace").decode()
    return "\n".join(line.strip(" ") for line in shown.split("\n"))


def test_a_default_that_type_checkers_would_refuse_is_said_in_words():
    rows: list[tuple[Json, str, str]] = [
        ({"type": "integer", "default": 3}, "x: int = 3", ""),
        ({"type": "integer", "default": None}, "x: int = ...", ""),
        ({"type": "integer", "default": "a"}, "x: int = ...", 'x: default "a"'),
        ({"type": "number", "default": 0.5}, "x: float = ...", "x: default 0.5"),
        ({"type": "array", "default": []}, "x: list[Any] = []", ""),
        ({"type": "array", "default": [1]}, "x: list[Any] = ...", "x: default [1]"),
        ({"type": "object", "default": {}}, "x: dict[str, Any] = {}", ""),
    ]
    for schema, expected, said in rows:
        tool = ToolSchema(name="run", input_schema={"type": "object", "properties": {"x": schema}})
        text = tool.to_python()
        assert f"def run({expected}) -> Any:" in text
        assert ("Args:" in text) is bool(said)
        assert said in text
        inputs, _, lost = read_back(tool)
        assert not lost
        assert inputs["properties"]["x"].get("default", "none") == schema["default"]


def test_a_required_parameter_keeps_its_default_outside_of_the_signature():
    tool = tool_of({"type": "integer", "default": 3})
    assert 'def run(x: int) -> Any:\n    """Args:\n        x: default 3\n' in tool.to_python()
    assert read_back(tool)[0]["properties"]["x"] == {"type": "integer", "default": 3}


SCRIPT = """
import json, sys
from milo_schema import ToolSchema, Toolbox
tools = Toolbox(map(ToolSchema.from_mcp, json.load(open(sys.argv[1], encoding="utf-8"))))
print(json.dumps([tools.to_python(metadata=each) for each in (True, False)]))
"""


@pytest.mark.slow
def test_the_text_does_not_depend_on_the_hash_seed(tmp_path):
    tools = [
        {"name": f"t{each}", "inputSchema": Maker(f"odd {each}", 0.1).arguments()}
        for each in range(20)
    ]
    tmp_path.joinpath("tools.json").write_text(json.dumps(tools), "utf-8")
    written = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, str(tmp_path / "tools.json")],
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        ).stdout
        for seed in ("0", "1")
    }
    assert len(written) == 1


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
    for given in ("me", Session()):
        assert outcome_of(partial(names["greet"], "Bo", session=given)) == (
            "failed",
            tools.call(
                "greet", {"name": "Bo", "session": "me"}, inject={"session": Session()}
            ).text,
        )
    with pytest.raises(TypeError, match=r"^greet\(\) got too many positional arguments$"):
        names["greet"]("Bo", None, Session())


def test_a_failed_call_raises_the_text_of_its_result():
    tools = toolbox()
    names = tools.namespace(inject={Session: Session()})
    assert outcome_of(lambda: names["greet"]("")) == ("failed", "no name")
    assert outcome_of(lambda: names["greet"]("x")) == (
        "failed",
        tools.call("greet", {"name": "x"}, inject={Session: Session()}).text,
    )
    assert outcome_of(names["move"]) == (
        "failed",
        "move(): .point: required but not given",
    )
    for value in (object(), float("nan")):
        expected = tools.call("untyped", {"value": value}).text
        assert outcome_of(lambda value=value: names["untyped"](value)) == ("failed", expected)


def test_arguments_that_python_itself_refuses_are_a_type_error():
    names = toolbox().namespace(inject={Session: Session()})
    with pytest.raises(TypeError, match=r"^silent\(\) got too many positional arguments$"):
        names["silent"](True, True)
    with pytest.raises(TypeError, match=r"^silent\(\) got too many positional arguments$"):
        names["silent"](True, flag=True)


def test_the_options_of_the_toolbox_apply():
    assert toolbox(repair=True).namespace()["silent"]("true") is None
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


def test_a_namespace_has_the_names_that_the_stub_declares():
    tools = toolbox()
    module = module_from(tools.to_python())
    declared = [key for key, each in vars(module).items() if inspect.isfunction(each)]
    assert [*tools.namespace()] == [each for each in declared if each != "TypedDict"]
