"""The cost of tools: characters, an estimate of tokens, and what repetitions cost."""

import json
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from milo_schema import Toolbox, ToolSchema, profiles, tool_schema
from milo_schema.checks import Cost, check, cost
from tests.fragments import STRING, obj
from tests.inside import saved_in


def length(value: Any) -> int:
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False))


def saved_by_definitions(tool: ToolSchema) -> int:
    return sum(map(saved_in, [tool.input_schema, tool.output_schema or {}]))


# -- the cost of each part ---------------------------------------------------------------------


@pytest.mark.parametrize(("characters", "tokens"), [(0, 0), (1, 1), (4, 1), (5, 2), (400, 100)])
def test_a_token_is_about_four_characters(characters: int, tokens: int) -> None:
    assert Cost("f", characters).tokens == tokens


def test_a_tool_its_parameters_definitions_and_output_have_a_cost() -> None:
    tool = ToolSchema(
        name="find",
        description="Find größe.",
        input_schema=obj([], word=STRING, who={"$ref": "#/$defs/Who"})
        | {"$defs": {"Who": {"type": "object"}}},
        output_schema={"type": "integer"},
        meta={"a/b": 1},
    )
    assert cost(tool) == [
        Cost("find", length(tool.to_mcp())),
        Cost("find(word)", len('"word":{"type":"string"}')),
        Cost("find(who)", len('"who":{"$ref":"#/$defs/Who"}')),
        Cost("find#Who", len('"Who":{"type":"object"}')),
        Cost("find() -> result", len('{"type":"integer"}')),
    ]
    bare = ToolSchema(name="f", input_schema={"type": "object"})
    assert cost(bare) == [Cost("f", len('{"name":"f","inputSchema":{"type":"object"}}'))]


def test_functions_and_toolboxes_have_the_cost_of_their_tools() -> None:
    def ping(host: str, times: int = 1): ...
    def stop() -> None: ...

    of_ping, of_stop = cost(tool_schema(ping)), cost(tool_schema(stop))
    total = Cost("total", of_ping[0].characters + of_stop[0].characters)

    assert cost(ping) == cost(Toolbox([ping])) == cost(tool_schema(ping).to_mcp()) == of_ping
    assert cost(Toolbox([ping, stop])) == cost([ping, stop]) == [total, *of_ping, *of_stop]
    assert cost(Toolbox()) == [Cost("total", 0)]


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
    others = 2 * length({"$ref": "#/$defs/SomeName"}) + len('"SomeName":,')
    least = "x" * (others - length({"enum": [""]}))
    for more, saved in [(100, 100), (1, 1), (0, 0), (-1, 0)]:
        values = {"enum": [least + more * "x" if more > 0 else least[: len(least) + more]]}
        one, two = values | {"description": "One."}, values | {"description": "Two."}
        schema = obj([], a=one, b=two | {"default": "value 1"})
        assert saved_by_definitions(ToolSchema(name="f", input_schema=schema)) == saved


# -- repetitions in a tool ---------------------------------------------------------------------


def repeating(times: int, size: int, rest: int = 0) -> ToolSchema:
    """A tool that writes out a type several times, each with its own description."""
    person = obj([], **{"x" * size: STRING})
    schema = obj([], **{f"p{at}": {**person, "description": f"{at}."} for at in range(times)})
    return ToolSchema(name="run", description="." + "y" * rest, input_schema=schema)


def repetitions(made: ToolSchema) -> list[str]:
    return [each.message for each in check(made) if each.code == "repeated-schema"]


def test_a_repetition_is_found_if_it_is_large_and_a_quarter_of_the_tool():
    (least,) = [
        size for size in range(980, 1060) if saved_by_definitions(repeating(2, size)) == 1_000
    ]

    def message(saved: int, made: ToolSchema) -> str:
        saving = f"$defs would save about {saved:,} of its {cost(made)[0].characters:,} characters"
        return f"{saving}; define them once, and refer to them"

    made = repeating(2, least)
    assert repetitions(repeating(2, least - 1)) == []
    assert repetitions(made) == [message(1_000, made)]
    both = made.replace(output_schema=made.input_schema)
    assert repetitions(both) == [message(2_000, both)]
    room = 4_000 - cost(made)[0].characters
    assert len(repetitions(repeating(2, least, rest=room))) == 1
    assert repetitions(repeating(2, least, rest=room + 1)) == []
