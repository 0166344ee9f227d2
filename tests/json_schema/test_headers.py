"""Parameters that MCP clients repeat as HTTP headers: errors, and that the SDK agrees."""

from typing import Annotated, Any

import hypothesis
import pytest
from hypothesis import strategies as st

from milo_schema import Schema, ToolSchema, profiles, tool_schema
from milo_schema.checks import Finding, check
from milo_schema.json_schema.problems import header_problems
from tests import judges
from tests.fragments import Json


def with_header(header: Any, **schema: Any) -> Json:
    return {"type": "string", "description": ".", **schema, "x-mcp-header": header}


def below(keyword: str, value: Any) -> Json:
    return {"description": ".", "type": "object", keyword: value}


ONLY = "x-mcp-header is only for a property of an object, at any depth; move it"
TYPE = "x-mcp-header needs the type string, integer or boolean"
NAME = "is not a valid header name; use letters, digits, - and _"
GOOD_HEADERS: list[Json] = [
    {"a": with_header("Region")},
    {"a": with_header("!#$%&'*+-.^_`|~09azAZ")},
    *({"a": with_header("R", type=kind)} for kind in ("string", "integer", "boolean")),
    {"a": with_header("Region"), "b": with_header("Zone")},
    {"a": below("properties", {"b": below("properties", {"c": with_header("Region")})})},
    {"a": {"type": "string", "default": {"x-mcp-header": ""}}},
]
BAD_HEADERS: list[tuple[Json, str, str]] = [
    ({"a": with_header("Region", type="number")}, "run(a)", f"{TYPE}, not number"),
    ({"a": with_header("Region", type="array", items={})}, "run(a)", f"{TYPE}, not array"),
    ({"a": with_header("Region", type="object")}, "run(a)", f"{TYPE}, not object"),
    ({"a": with_header("Region", type="null")}, "run(a)", f"{TYPE}, not null"),
    ({"a": with_header("R", type=["string", "null"])}, "run(a)", f"{TYPE} alone"),
    ({"a": {"anyOf": [{"type": "string"}, {"type": "null"}], "description": ".",
            "x-mcp-header": "Region"}}, "run(a)", f"{TYPE} alone"),
    ({"a": {"anyOf": [with_header("Region"), {"type": "null"}], "description": "."}},
     "run(a)", ONLY),
    ({"a": {"type": "array", "items": with_header("Region"), "description": "."}},
     "run(a)[]", ONLY),
    ({"a": {"type": "array", "prefixItems": [with_header("R")], "description": "."}},
     "run(a)[0]", ONLY),
    ({"a": below("additionalProperties", with_header("Region"))}, "run(a){}", ONLY),
    ({"a": below("patternProperties", {"^a": with_header("Region")})}, "run(a){}", ONLY),
    ({"a": below("items", below("properties", {"b": with_header("R")}))}, "run(a)[].b", ONLY),
    ({"a": {"$ref": "#/$defs/A", "description": "."}}, "run#A.b", ONLY),
    ({"a": below("definitions", {"b": with_header("Region")})}, "run(a#b)", ONLY),
    ({"a": with_header("")}, "run(a)", f"x-mcp-header '' {NAME}"),
    ({"a": with_header("My Region")}, "run(a)", f"x-mcp-header 'My Region' {NAME}"),
    ({"a": with_header("a:b")}, "run(a)", f"x-mcp-header 'a:b' {NAME}"),
    ({"a": with_header("größe")}, "run(a)", f"x-mcp-header 'größe' {NAME}"),
    ({"a": with_header(True)}, "run(a)", "x-mcp-header must be a string, not True"),
    ({"a": with_header(["R"])}, "run(a)", "x-mcp-header must be a string, not ['R']"),
    ({"a": with_header("Region"), "b": with_header("REGION")},
     "run(b)", "x-mcp-header 'REGION' is already used by a"),
    ({"a": with_header("Region"), "b": below("properties", {"c": with_header("region")})},
     "run(b).c", "x-mcp-header 'region' is already used by a"),
]  # fmt: skip


SECRET = "x-mcp-header shows a secret to proxies and logs; remove it"
RISKY_HEADERS: list[tuple[Json, str, str]] = [
    *(({name: with_header("R")}, f"run({name})", SECRET)
      for name in ("password", "db_passwd", "client_secret", "API_KEY", "apikey", "authorization",
                   "token", "access_token", "auth_token", "refresh_token")),
    *(({"key": with_header(header)}, "run(key)", SECRET) for header in ("Api-Key", "Token")),
    ({"my password": with_header("R")}, "run(my password)", SECRET),
    *(({"a": with_header("R", type="integer", **{keyword: bound})}, "run(a)",
       f"x-mcp-header is for integers up to 2^53 - 1, but {keyword!r} is {bound}")
      for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
      for bound in (2**53, -(2**53), 1e300)),
]  # fmt: skip
SAFE_HEADERS: list[Json] = [
    *({name: with_header("R")} for name in ("max_tokens", "page_token", "secretary", "passage")),
    {"a": with_header("R", type="integer", maximum=2**53 - 1, minimum=1 - 2**53)},
    {"a": with_header("R", type="boolean", maximum="a")},
    {"password": {"type": "string", "description": "."}},
]


def schema_with_headers(properties: Json) -> Json:
    definition = {"type": "object", "properties": {"b": with_header("Region")}}
    shared = {"$defs": {"A": definition}} if "$ref" in str(properties) else {}
    return {"type": "object", "properties": properties, **shared}


def headers_of(properties: Json) -> list[Finding]:
    made = ToolSchema(name="run", input_schema=schema_with_headers(properties))
    return [each for each in check(made) if each.code == "invalid-header"]


@pytest.mark.parametrize("properties", [*GOOD_HEADERS, *SAFE_HEADERS], ids=str)
def test_a_header_that_follows_the_rules_has_no_finding(properties):
    assert headers_of(properties) == []


@pytest.mark.parametrize(("properties", "place", "reason"), [*BAD_HEADERS, *RISKY_HEADERS], ids=str)
def test_a_header_that_breaks_a_rule_is_found_with_its_path(properties, place, reason):
    assert headers_of(properties) == [Finding(place, "invalid-header", reason)]


def test_a_header_at_the_root_is_not_that_of_a_property():
    made = ToolSchema(name="run", input_schema={"type": "object", "x-mcp-header": "Region"})
    assert Finding("run", "invalid-header", ONLY) in check(made)


def test_the_sdk_refuses_the_same_headers():
    inbound = judges.module("mcp.shared.inbound")
    refused = [schema_with_headers(properties) for properties, _, _ in BAD_HEADERS]
    taken = [schema_with_headers(properties) for properties in GOOD_HEADERS]

    assert [inbound.find_invalid_x_mcp_header(schema) for schema in taken] == [None] * len(taken)
    assert None not in map(inbound.find_invalid_x_mcp_header, refused)


PIECES = st.recursive(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["string", "integer", "number", ["string"], "object"]),
            "x-mcp-header": st.sampled_from(["a", "A", "b", "", "a b", 1]),
        },
    ),
    lambda inner: st.fixed_dictionaries(
        {"type": st.sampled_from(["object", "array", "string"])},
        optional={
            "properties": st.dictionaries(st.sampled_from("xyz"), inner, max_size=2),
            "items": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "if": inner,
            "$defs": st.dictionaries(st.sampled_from("xy"), inner, max_size=1),
            "definitions": st.dictionaries(st.sampled_from("xy"), inner, max_size=1),
            "dependentSchemas": st.dictionaries(st.sampled_from("xy"), inner, max_size=1),
            "default": st.just({"x-mcp-header": ""}),
            "x-mcp-header": st.sampled_from(["a", "c"]),
        },
    ),
    max_leaves=5,
)


def test_the_sdk_agrees_on_any_schema():
    find = judges.module("mcp.shared.inbound").find_invalid_x_mcp_header

    @hypothesis.settings(max_examples=200, deadline=None)
    @hypothesis.given(PIECES)
    def agrees(schema: Json) -> None:
        assert (find(schema) is None) == (list(header_problems(schema)) == [])

    agrees()


def test_a_header_is_emitted_and_kept_for_every_client_of_mcp():
    def run(region: Annotated[str, Schema({"x-mcp-header": "Region"})]) -> None: ...
    def maybe(region: Annotated[str | None, Schema({"x-mcp-header": "Region"})] = None): ...

    for profile in (profiles.MILO, profiles.MCP, profiles.MCP_2025, profiles.PORTABLE):
        schema = tool_schema(run, profile=profile).input_schema
        assert schema["properties"]["region"] == {"type": "string", "x-mcp-header": "Region"}
    reasons = {
        profile.name: [
            each.message for each in check(maybe, profile=profile) if each.code == "invalid-header"
        ]
        for profile in (profiles.MILO, profiles.MCP, profiles.PORTABLE)
    }
    null = [f"{TYPE} alone"]
    assert reasons == {"MILO": [], "MCP": null, "PORTABLE": null}
