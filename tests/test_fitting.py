"""Definitions of any origin in the dialect of a provider, and the tools that fit into a request."""

from __future__ import annotations

import random
import warnings
from typing import Annotated, Any

import pytest

from milo_schema import (
    Ge,
    SchemaError,
    SchemaWarning,
    ToolAnnotations,
    Toolbox,
    ToolSchema,
    profiles,
    tool_schema,
)
from milo_schema.arguments import ArgumentsError
from milo_schema.checks import check
from tests.every import every
from tests.inside import without_nulls

DIALECTS = [
    each
    for each in vars(profiles).values()
    if isinstance(each, type(profiles.MCP)) and each.dialect is not None
]
STRICT = profiles.ANTHROPIC_STRICT


def foreign(schema: Any, name: str = "cut") -> ToolSchema:
    return ToolSchema.from_mcp({"name": name, "inputSchema": schema})


def of_properties(**properties: Any) -> Any:
    return {"type": "object", "properties": properties, "required": [*properties]}


def size(count: Annotated[int, Ge(1)], unit: str | None = None) -> str:
    """Make a size.

    Args:
        count: How many.
        unit: Which.
    """
    return f"{count} {unit}"


WITH_NULL = [each for each in DIALECTS if each is not profiles.ELICITATION]


@every("profile", WITH_NULL, ids=lambda each: each.name)
def test_a_listed_tool_is_written_as_its_function_would_be(profile):
    listed = ToolSchema.from_mcp(tool_schema(size, profile=profiles.MCP).to_mcp())

    found = listed.with_profile(profile, strict=True)

    assert found.dialect == profile.dialect
    assert check(found, profile=profile) == []
    assert found.input_schema["required"][0] == "count"
    assert listed == ToolSchema.from_mcp(listed.to_mcp())  # it is not changed


def test_drafts_of_others_are_read_for_what_they_mean():
    listed = foreign(
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "definitions": {"N": {"type": "integer", "nullable": True}},
            "properties": {
                "n": {"$ref": "#/definitions/N"},
                "pair": {"type": "array", "items": {}},
            },
        }
    )

    schema = listed.with_profile(profiles.GEMINI).input_schema

    assert schema["properties"]["n"] == {"type": "integer", "nullable": True}


def test_what_is_lost_is_a_warning_or_an_error_with_its_place():
    listed = foreign(of_properties(any={"type": "object"}))

    with pytest.warns(SchemaWarning, match=r"cut\(any\): .* arbitrary properties") as told:
        found = listed.with_profile(STRICT)
    assert [each.message.code for each in told] == ["refused-by-transform"]
    assert found.input_schema["additionalProperties"] is False
    with pytest.raises(SchemaError, match=r"cut\(any\): .* arbitrary properties"):
        listed.with_profile(STRICT, strict=True)


def test_a_dialect_of_another_provider_is_undone():
    there = tool_schema(size, profile=profiles.GEMINI)

    assert there.with_profile(STRICT, strict=True).input_schema == (
        tool_schema(size, profile=profiles.MCP).with_profile(STRICT).input_schema
    )
    assert there.with_profile(profiles.GEMINI) == there


def test_a_schema_that_its_function_did_not_make_goes_from_dialect_to_dialect():
    listed = foreign(of_properties(n={"type": ["integer", "null"]})).with_profile(profiles.GEMINI)
    own = tool_schema(size, profile=profiles.OPENAI_STRICT)
    changed = own.replace(input_schema=of_properties(z={"type": "string"}))

    assert listed.with_profile(profiles.OPENAI_STRICT).input_schema == (
        of_properties(n={"anyOf": [{"type": "integer"}, {"type": "null"}]})
        | {"additionalProperties": False}
    )
    assert changed.with_profile(profiles.GEMINI).input_schema == of_properties(z={"type": "string"})


def test_the_tool_can_still_be_called_and_obeys_its_new_schema():
    there = tool_schema(size, profile=profiles.MCP).with_profile(profiles.OPENAI_STRICT)
    assert there.input_schema["required"] == ["count", "unit"]
    for arguments in ({"count": 1}, {"count": 1, "unit": None}):
        assert there.call(arguments)["isError"] is False
    assert there.call({"count": 0, "unit": "m"})["isError"] is True


def test_a_call_undoes_what_a_strict_mode_makes_of_the_arguments():
    """Also of a server's tool, and in nested objects: null stands for what is left out."""
    nested = {**of_properties(a={"type": "string"}, b={"type": ["string", "null"]}), "required": []}
    listed = foreign({**of_properties(n={"type": "integer"}, o=nested), "required": []})
    there = listed.with_profile(profiles.OPENAI_STRICT)
    sent = {"n": None, "o": {"a": None, "b": None}}

    assert there.input_schema["required"] == ["n", "o"]
    assert there.bind(sent).arguments == {"o": {"b": None}}
    with pytest.raises(ArgumentsError) as caught:
        there.bind({"n": "1", "o": {"a": None}})
    assert [each.path for each in caught.value.problems] == [".n"]
    with pytest.raises(ArgumentsError):
        listed.bind(sent)

    def cut(n: int = 5, o: dict[str, str | None] | None = None) -> str:
        return f"{n} {o}"

    assert there.with_function(cut).call(sent).text == "5 {'b': None}"


def test_a_profile_without_a_dialect_is_refused():
    with pytest.raises(SchemaError, match="<Profile MCP> has no dialect; use one such as"):
        Toolbox([]).fit(profiles.MCP)
    name: Any = "GEMINI"
    listed = foreign(of_properties())
    for refused in (Toolbox([]).fit, lambda name: Toolbox(profile=name), listed.with_profile):
        with pytest.raises(SchemaError, match=r"^profile must be a Profile, such as "):
            refused(name)


def test_a_profile_without_a_dialect_undoes_one():
    listed = foreign(of_properties(n={"type": ["integer", "null"]}))
    there = listed.with_profile(profiles.GEMINI)

    assert there != listed
    assert there.replace(title="T").with_profile(profiles.MCP) == listed.replace(title="T")
    changed = there.replace(input_schema=of_properties(z={"type": "string"}))
    assert changed.with_profile(profiles.MCP).input_schema == changed.input_schema


def test_an_invalid_schema_is_an_error_with_its_place():
    listed = foreign(of_properties(n={"type": "any"}))

    with pytest.raises(SchemaError, match=r"cut\(n\): the input schema is not valid"):
        listed.with_profile(profiles.GEMINI)


# -- the tools of a request --------------------------------------------------------------------


def wide(number: int, name: str) -> ToolSchema:
    """A tool with some optional parameters, of which a request may have 24."""
    properties = {f"p{at}": {"type": "string"} for at in range(number)}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return foreign(schema, name)


def test_the_tools_that_fit_are_strict_whatever_their_order():
    tools = [wide(10, "a"), wide(20, "big"), wide(4, "b"), wide(10, "c"), wide(10, "d")]
    for seed in range(5):
        random.Random(seed).shuffle(tools)
        found = Toolbox(tools).fit(STRICT)
        assert {tool.name for tool in found.strict} == {"a", "b", "c"}
        assert found.others == tuple(tool for tool in tools if tool.name in {"big", "d"})
        most = "at most 24 optional properties are allowed in one request"
        assert found.reasons == {"d": most, "big": most}
        others = [tool.name for tool in tools if tool not in found.others]
        assert [tool.name for tool in found.strict] == others
        assert "request-limit" not in [each.code for each in check(found.strict)]


def test_a_tool_is_left_out_because_of_a_limit_to_which_it_adds():
    def tool(name: str, optional: int, unions: int) -> ToolSchema:
        union = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
        required = {f"u{at}": union for at in range(unions)}
        properties = {**required, **{f"o{at}": {"type": "integer"} for at in range(optional)}}
        schema = {"type": "object", "properties": properties, "required": [*required]}
        return foreign({**schema, "additionalProperties": False}, name)

    tools = [tool("p", 20, 0), tool("q", 0, 14), tool("r", 12, 10), tool("s", 5, 3)]
    found = Toolbox(tools).fit(STRICT)

    assert [each.name for each in found.strict] == ["r", "s"]
    assert found.reasons == {
        "p": "at most 24 optional properties are allowed in one request",
        "q": "at most 16 properties that are unions are allowed in one request",
    }
    assert Toolbox(tools[:2]).fit(STRICT).reasons == {}
    assert [*Toolbox([tool("t", 12, 1), tool("u", 13, 0)]).fit(STRICT).reasons] == ["t"]
    assert "request-limit" not in [each.code for each in check(found.strict)]


def test_a_request_at_its_limit_fits_and_one_more_does_not():
    tools = [foreign(of_properties(), f"t{at}") for at in range(21)]

    assert Toolbox(tools[:20]).fit(STRICT).others == ()
    found = Toolbox(tools).fit(STRICT)
    assert len(found.strict) == 20
    assert [*found.reasons.values()] == ["at most 20 tools are allowed in one request"]


def test_a_tool_that_the_dialect_cannot_express_is_left_out_with_the_reason():
    def store(value: dict[str, Any]): ...

    tools = Toolbox([size, store], profile=profiles.MCP)
    found = tools.fit(STRICT)

    assert [tool.name for tool in found.strict] == ["size"]
    assert found.others == (tools["store"],)
    assert found.reasons["store"].startswith("(value): ")


def test_two_tools_of_one_name_are_refused():
    with pytest.raises(SchemaError, match="a: two tools have this name"):
        Toolbox([wide(1, "a"), wide(2, "a")]).fit(STRICT)


def test_no_tools_fit():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Toolbox([]).fit(STRICT) == ((), (), {})


def test_a_tool_in_another_dialect_fits_as_its_function_does():
    there = tool_schema(size, profile=profiles.GEMINI)
    exact = tool_schema(size, profile=profiles.MCP)

    fits = [Toolbox([each]).fit(STRICT).strict[0].input_schema for each in (there, exact)]
    assert fits[0] == fits[1]


def test_what_was_given_for_a_tool_stays_under_another_profile():
    given: dict[str, Any] = {
        "title": "T",
        "description": "D.",
        "output_schema": {"type": "object"},
        "input_examples": [{"count": 1}],
        "annotations": ToolAnnotations(destructive=True),
        "meta": {"a/b": 1},
        "icons": [{"src": "x"}],
        "others": {"execution": {"taskSupport": "required"}},
    }
    for parts in (given, dict.fromkeys(given)):
        there = tool_schema(size).replace(**parts).with_profile(profiles.GEMINI)
        assert {name: getattr(there, name) for name in given} == parts
        assert (there.dialect, there.box) == ("gemini", None)
    assert tool_schema(size, description="").with_profile(profiles.GEMINI).description is None


def test_what_was_derived_is_derived_again_under_another_profile():
    unread = profiles.MCP.replace(docstrings="never", unset_hints=False)
    tool = tool_schema(size, profile=unread)

    assert tool_schema(size).with_profile(unread) == tool
    there = tool.with_profile(profiles.MCP)
    assert there == tool_schema(size, annotations=tool.annotations)
    assert there.description == "Make a size."
    for profile in (profiles.MCP, profiles.MCP_2025):
        again = tool.replace(title="T").with_profile(profile)
        assert again == tool_schema(size, title="T", profile=profile, annotations=tool.annotations)


def test_a_tool_without_its_function_checks_json():
    listed = foreign({**of_properties(n={"type": "integer"}), "required": ["n"]})

    assert listed.bind({"n": 1}).kwargs == {"n": 1}
    bound = listed.bind('{"n": "1"}', repair=True)
    bound.apply_defaults()  # there are none
    assert bound.arguments == {"n": 1}
    for given, repair, problem in [
        ({}, False, ".n: required but not given"),
        ("", True, ".n: required but not given"),
        ("", False, 'expected an object with the arguments, got ""'),
    ]:
        with pytest.raises(ArgumentsError) as caught:
            listed.bind(given, repair=repair)
        assert str(caught.value) == f"cut(): {problem}"
    others = foreign({**of_properties(), "additionalProperties": {"type": "integer"}})
    with pytest.raises(ArgumentsError, match=r'^cut\(\): \.z: expected an integer, got "a"$'):
        others.bind({"z": "a"})
    split = foreign({**of_properties(n={}), "allOf": [{"additionalProperties": False}]})
    with pytest.raises(ArgumentsError, match=r"^cut\(\): \.n: unknown property$"):
        split.bind({"n": 1})
    with pytest.raises(SchemaError, match=r"^cut\(\): inject= names 'n', but its function is not"):
        listed.bind({}, inject={"n": 1})
    with pytest.raises(SchemaError, match=r"^cut: its function is not known"):
        listed.call({"n": 1})


def test_null_is_left_out_however_deep_the_stack_is():
    nested: dict[str, object] = {"type": "object"}
    nested["properties"] = {"a": {"$ref": "#"}}
    sent: dict[str, object] = {"b": None}
    for _ in range(5000):
        sent = {"a": sent}
    assert without_nulls(sent, nested) is sent
