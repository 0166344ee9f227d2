"""The cost of tools: characters, an estimate of tokens, and ways to reduce them."""

import json
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from milo_schema import ToolSchema, profiles, tool_schema
from milo_schema.checks import (
    Cost,
    check_tool,
    cost_of,
    saved_by_definitions,
    saved_by_short_texts,
    saved_without_nulls,
    saved_without_titles,
)
from tests.fragments import Json


def length(value: Any) -> int:
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False))


# -- the cost of each part ---------------------------------------------------------------------


@pytest.mark.parametrize(("characters", "tokens"), [(0, 0), (1, 1), (4, 1), (5, 2), (400, 100)])
def test_a_token_is_about_four_characters(characters: int, tokens: int) -> None:
    assert Cost("f", characters).tokens == tokens


def test_a_tool_its_parameters_definitions_and_output_have_a_cost() -> None:
    tool = ToolSchema(
        name="find",
        description="Find größe.",
        input_schema={
            "type": "object",
            "properties": {"word": {"type": "string"}, "who": {"$ref": "#/$defs/Who"}},
            "$defs": {"Who": {"type": "object"}},
        },
        output_schema={"type": "integer"},
        meta={"a/b": 1},
    )
    assert cost_of(tool) == [
        Cost("find", length(tool.to_mcp())),
        Cost("find(word)", len('"word":{"type":"string"}')),
        Cost("find(who)", len('"who":{"$ref":"#/$defs/Who"}')),
        Cost("find#Who", len('"Who":{"type":"object"}')),
        Cost("find() -> result", len('{"type":"integer"}')),
    ]
    bare = ToolSchema(name="f", input_schema={"type": "object"})
    assert cost_of(bare) == [Cost("f", len('{"name":"f","inputSchema":{"type":"object"}}'))]


# -- shorter texts -----------------------------------------------------------------------------

TEXTS = [
    ("Find a word.", 0),
    ("Find a word", 0),
    ("Find a word. Be quick.", len(" Be quick.")),
    ("Find 3.5 words", 0),
    ("Find a word! And another.", len(" And another.")),
    ("Find a word? Yes.", len(" Yes.")),
    ("Find\na word. Be\nquick.", len(" Be\\nquick.")),
    ("Find a word\n\nin a book. Quick.", len("\\n\\nin a book. Quick.")),
    ("", 0),
]


@pytest.mark.parametrize(("text", "saved"), TEXTS)
def test_a_description_is_shortened_to_its_first_sentence(text: str, saved: int) -> None:
    bare: Json = {"type": "object"}
    assert saved_by_short_texts(ToolSchema(name="f", description=text, input_schema=bare)) == saved
    below = {**bare, "properties": {"a": {"items": {"description": text}}}}
    assert saved_by_short_texts(ToolSchema(name="f", input_schema=below)) == saved
    output = {"description": text}
    tool = ToolSchema(name="f", input_schema=bare, output_schema=output)
    assert saved_by_short_texts(tool) == saved


def test_a_parameter_that_is_called_description_is_not_a_text() -> None:
    schema = {"type": "object", "properties": {"description": {"type": "string"}}}
    assert saved_by_short_texts(ToolSchema(name="f", input_schema=schema)) == 0


# -- definitions -------------------------------------------------------------------------------


@dataclass
class Address:
    street: str
    city: str
    country: Literal["Norway", "Sweden", "Denmark", "Finland", "Iceland"] = "Norway"


@dataclass
class Person:
    name: str
    home: Address
    work: Address


def once(a: Person) -> None: ...
def six(a: Person, b: Person, c: Person, d: Person, e: Person, f: Person) -> None: ...
def both(a: Person, b: list[Person]) -> Person: ...
def plain(a: str, b: str, c: str, d: Literal["x"], e: Literal["x"]) -> None: ...


@pytest.mark.parametrize(("func", "most"), [(six, 4_000), (once, 600), (both, 2_000)])
def test_the_estimate_is_close_to_what_definitions_save(func: Any, most: int) -> None:
    inline = tool_schema(func, profile=profiles.MCP)
    shared = tool_schema(func, profile=profiles.MCP.replace(inline="auto"))
    saved = length(inline.to_mcp()) - length(shared.to_mcp())

    assert 0 < saved_by_definitions(inline) < most
    assert saved_by_definitions(inline) == pytest.approx(saved, rel=0.25, abs=120)


def test_short_or_unique_parts_save_nothing() -> None:
    assert saved_by_definitions(tool_schema(plain, profile=profiles.MCP)) == 0
    shared = tool_schema(six, profile=profiles.MCP.replace(inline=False))
    assert saved_by_definitions(shared) == 0


def test_types_that_differ_in_their_annotations_are_the_same_type() -> None:
    values = {"enum": [f"value {at}" for at in range(20)]}
    schema = {
        "type": "object",
        "properties": {
            "a": {**values, "description": "One."},
            "b": {**values, "description": "Two.", "default": "value 1"},
        },
    }
    body, reference = length(values), len('{"$ref":"#/$defs/SomeName"}')
    expected = body - 2 * reference - len('"SomeName":,')
    assert saved_by_definitions(ToolSchema(name="f", input_schema=schema)) == expected


# -- repetitions in a tool ---------------------------------------------------------------------


def repeating(times: int, size: int, rest: int = 0) -> ToolSchema:
    """A tool that writes out a type several times, each with its own description."""
    person = {"type": "object", "properties": {"x" * size: {"type": "string"}}}
    parameters = {f"p{at}": {**person, "description": f"{at}."} for at in range(times)}
    schema = {"type": "object", "properties": parameters}
    return ToolSchema(name="run", description="." + "y" * rest, input_schema=schema)


def repetitions(made: ToolSchema) -> list[str]:
    return [each.message for each in check_tool(made) if each.code == "repeated-schema"]


def test_a_repetition_is_found_if_it_is_large_and_a_quarter_of_the_tool():
    sizes = {size: saved_by_definitions(repeating(3, size)) for size in range(480, 560)}
    (least,) = [size for size, saved in sizes.items() if saved in (1_000, 1_001)]
    assert sizes[least - 1] < 1_000

    made = repeating(3, least)
    whole = cost_of(made)[0].characters
    assert repetitions(repeating(3, least - 1)) == []
    assert repetitions(made) == [
        (
            f"$defs would save about {sizes[least]:,} of its {whole:,} characters; "
            "define them once, and refer to them"
        )
    ]
    room = sizes[least] * 4 - whole
    assert len(repetitions(repeating(3, least, rest=room))) == 1
    assert repetitions(repeating(3, least, rest=room + 1)) == []


# -- titles and null ---------------------------------------------------------------------------

STRING, NULL = {"type": "string"}, {"type": "null"}
NULLS = [
    ({"anyOf": [STRING, NULL], "default": None}, {"type": "string"}),
    ({"anyOf": [STRING, NULL]}, {"type": "string"}),
    (
        {"anyOf": [STRING, {"type": "integer"}, NULL], "default": None},
        {"anyOf": [STRING, {"type": "integer"}]},
    ),
    ({"type": ["string", "null"], "default": None}, {"type": "string"}),
    ({"type": ["string", "integer", "null"]}, {"type": ["string", "integer"]}),
    ({"type": ["string", "null"], "default": "a"}, {"type": "string", "default": "a"}),
    ({"type": "string", "default": None}, {"type": "string", "default": None}),
    *[(each, each) for each in (NULL, {"type": ["null"]}, {"anyOf": [NULL]}, {"anyOf": 1}, True)],
]


@pytest.mark.parametrize(("schema", "without"), NULLS)
def test_null_in_an_optional_property_costs_what_is_gone_without_it(schema, without) -> None:
    saved = length(schema) - length(without)
    for required, expected in [(["x"], 0), ([], saved), (True, saved)]:
        inner = {"type": "object", "properties": {"x": schema}, "required": required}
        tool = ToolSchema(name="f", input_schema={"type": "object", "$defs": {"A": inner}})
        assert saved_without_nulls(tool) == expected


def test_titles_cost_their_characters_in_both_schemas() -> None:
    titled = {"title": "größe", "type": "object", "properties": {"title": {"title": "A", "x": 1}}}
    plain = {"type": "object", "properties": {"title": {"x": 1}}}
    tool = ToolSchema(name="f", input_schema=titled, output_schema=titled)
    assert saved_without_titles(tool) == 2 * (length(titled) - length(plain))
    wrong = {"type": "object", "$defs": {"A": {"x": {"title": "A"}}}}
    assert saved_without_titles(ToolSchema(name="f", input_schema=wrong)) == 0
