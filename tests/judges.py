"""The verdicts of consumers of tool schemas: their own code, each behind a function.

A judge gets the schema of a tool's arguments and raises if that consumer would refuse it, or
would lose something of it. The extra ``judges`` has their packages; where one is missing, its
judge is skipped, unless ``MILO_SCHEMA_JUDGES`` is set: then every judge has to be there.

A package that accepts anything is not a judge: ``tests/dialects/test_judges.py`` has schemas that
each one must refuse. botocore takes any JSON for a schema, and google-genai does under
``parametersJsonSchema``; ``tests/test_requests.py`` holds that they send it as it is.

``python -m tests.judges`` runs every test file that asks a judge, with the options of pytest.
"""

import copy
import functools
import importlib
import json
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import jsonschema_rs
import pytest

Json = dict[str, Any]

PORTABLE, OPENAI_STRICT, ANTHROPIC_STRICT, BEDROCK_STRICT, GEMINI, GEMINI_JSON = EVERY = (
    "PORTABLE",
    "OPENAI_STRICT",
    "ANTHROPIC_STRICT",
    "BEDROCK_STRICT",
    "GEMINI",
    "GEMINI_JSON",
)
NO_WHEEL = dict.fromkeys(
    (
        "autogen_core",
        "langchain_core",
        "outlines_core",
        "pydantic_ai",
        "pydantic_extra_types",
        "smolagents",
    ),
    (3, 15),
)
"""Modules without a wheel from that Python on (found in November 2026)."""


class LostError(ValueError):
    """A consumer accepts a schema, but not all of it."""


class Judge(NamedTuple):
    """A consumer of the schemas of some profiles.

    A slow one judges one in ``one_in`` rows of the tables, unless every judge has to be there.
    """

    name: str
    needs: tuple[str, ...]
    profiles: frozenset[str]
    judge: Callable[[Json], object]
    one_in: int = 1

    def __call__(self, schema: Json) -> None:
        """Raise if the consumer refuses the schema or loses something of it."""
        self.judge(copy.deepcopy(schema))


JUDGES: list[Judge] = []


def of(*profiles: str, needs: tuple[str, ...] = (), one_in: int = 1) -> Callable[[Any], Any]:
    """Register a judge of the schemas of some profiles."""

    def register(judge: Callable[[Json], object]) -> Callable[[Json], object]:
        JUDGES.append(Judge(judge.__name__, needs, frozenset(profiles), judge, one_in))
        return judge

    return register


def has_every_judge() -> bool:
    """Whether every judge has to be there: in the gates of the judges."""
    return "MILO_SCHEMA_JUDGES" in os.environ


def part_of(rows: list[Any], judge: Judge, start: int) -> list[Any]:
    """The rows that a judge judges in this run."""
    step = 1 if has_every_judge() else judge.one_in
    return rows[start % step :: step]


def complaint(judge: Judge, schema: Json) -> str:
    """The objection of a judge to a schema, if any."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            judge(schema)
        except Exception as problem:
            return f"{type(problem).__name__}: {problem}"[:500]
    return ""


def require(*names: str) -> None:
    """Skip the test if a module is missing, where it may be."""
    for name in names:
        module(name)


def module(name: str) -> Any:
    """A module; if it is missing, the test is skipped where it may be."""
    try:
        return importlib.import_module(name)
    except ImportError as problem:
        first = NO_WHEEL.get(name.partition(".")[0], (sys.maxsize,))
        if has_every_judge() and sys.version_info < first:
            raise
        pytest.skip(f"{problem}; the extra `judges` has it where there is a wheel")


def of_profile(profile: str) -> list[Any]:
    """The judges of a profile's schemas, as parameters of a test."""
    return [pytest.param(each, id=each.name) for each in JUDGES if profile in each.profiles]


def subschemas(schema: Any) -> Iterator[Json]:
    """A schema and its subschemas, in one order; the values of a default or an enum are data."""
    yield schema
    below = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    below += schema.get("prefixItems", ())
    below += [schema[key] for key in ("items", "additionalProperties") if schema.get(key)]
    for each in [*below, *schema.get("$defs", {}).values()]:
        yield from subschemas(each)


# -- rules that are not in any code: messages of APIs, see .github/sources.md ----------------

_STRUCTURE = "type description properties required items enum anyOf format pattern"
_BOUNDS = "minimum maximum minLength maxLength minItems maxItems"
KEYWORDS = {
    PORTABLE: f"{_STRUCTURE} {_BOUNDS} default $ref $defs",
    OPENAI_STRICT: f"{_STRUCTURE} {_BOUNDS} exclusiveMinimum exclusiveMaximum multipleOf $ref "
    "$defs additionalProperties",
    ANTHROPIC_STRICT: f"{_STRUCTURE} minItems $ref $defs additionalProperties",
    BEDROCK_STRICT: f"{_STRUCTURE} minItems minLength maxLength $ref $defs additionalProperties",
    GEMINI: f"{_STRUCTURE} {_BOUNDS} default nullable",
    GEMINI_JSON: "$id $defs $ref $anchor type format title description enum items prefixItems "
    "minItems maxItems minimum maximum anyOf oneOf properties additionalProperties required",
}
FORMATS = {
    PORTABLE: "date-time date time email uuid",
    OPENAI_STRICT: "date-time date time duration email hostname ipv4 ipv6 uuid",
    ANTHROPIC_STRICT: "date-time date time duration email hostname ipv4 ipv6 uuid uri",
    BEDROCK_STRICT: "date-time date time duration email hostname ipv4 ipv6 uuid uri",
    GEMINI: "date-time",
    GEMINI_JSON: "date-time",
}
_OF_GEMINI, _OF_ANTHROPIC = r"[A-Za-z_][A-Za-z0-9_]{0,63}", r"[a-zA-Z0-9_.-]{1,64}"
NAMES = {
    PORTABLE: _OF_GEMINI,
    OPENAI_STRICT: ".*",
    ANTHROPIC_STRICT: _OF_ANTHROPIC,
    BEDROCK_STRICT: _OF_ANTHROPIC,
    GEMINI: _OF_GEMINI,
    GEMINI_JSON: _OF_GEMINI,
}
"""Of parameters: none of the APIs is known to look at the names further down."""


def house_rules(schema: Json, profile: str) -> None:
    """The rules in the APIs' messages for each dialect."""
    assert json.loads(json.dumps(schema, allow_nan=False)) == schema
    assert schema["type"] == "object"
    assert type(schema["properties"]) is dict
    assert "anyOf" not in schema
    assert all(re.fullmatch(NAMES[profile], name) for name in schema["properties"]), schema
    for node in subschemas(schema):
        assert node.keys() <= set(KEYWORDS[profile].split()), node
        assert "$ref" not in node or len(node) == 1, node
        assert len({"type", "anyOf", "$ref"} & node.keys()) == 1, node
        assert profile != GEMINI or "anyOf" not in node or len(node) == 1, node
        assert type(node.get("type", "")) is str, node
        assert node.get("format") in (None, *FORMATS[profile].split()), node
        assert node.get("default", 0) is not None, node
        assert {"items", "prefixItems"} & node.keys() or node.get("type") != "array", node
        assert set(node.get("required", ())) <= node.get("properties", {}).keys(), node
        if profile in (PORTABLE, GEMINI):
            assert all(type(each) is str and each for each in node.get("enum", ())), node
        elif profile == GEMINI_JSON:
            kinds = (str, int, float)
            assert all(type(each) in kinds and each != "" for each in node.get("enum", ())), node
        elif node.get("type") == "object":
            assert node["additionalProperties"] is False, node


def rules_of(profile: str, schema: Json) -> None:
    """Those of all dialects, and what only one or two require."""
    house_rules(schema, profile)
    if profile == OPENAI_STRICT:
        for node in subschemas(schema):
            assert list(node.get("required", ())) == list(node.get("properties", ())), node
    if profile in (ANTHROPIC_STRICT, BEDROCK_STRICT):
        assert all(node.get("minItems", 0) in (0, 1) for node in subschemas(schema))
    if profile == GEMINI_JSON:  # recursion only where a property may be left out
        needed = {name: _needed(body) for name, body in schema.get("$defs", {}).items()}
        for name in needed:
            chain = [name]
            for each in chain:
                chain += needed[each] - {*chain}
            assert all(name not in needed[each] for each in chain), name


JUDGES += [
    Judge(f"rules_of_{each.removesuffix('_STRICT').lower()}", (), frozenset({each}), rules)
    for each in EVERY
    for rules in [functools.partial(rules_of, each)]
]


def _needed(schema: Json) -> set[str]:
    """The definitions that every value of a schema may need."""
    if "$ref" in schema:
        return {schema["$ref"].removeprefix("#/$defs/")}
    required = schema.get("required", ())
    below = [each for name, each in schema.get("properties", {}).items() if name in required]
    below += [*schema.get("anyOf", ()), *schema.get("prefixItems", ())]
    below += [schema[key] for key in ("items", "additionalProperties") if schema.get(key)]
    return {name for each in below for name in _needed(each)}


# -- validators --------------------------------------------------------------------------------


@of(*EVERY, one_in=18)
def python_jsonschema(schema: Json) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    shared = {key: schema[key] for key in schema if key == "$defs"}
    for node in subschemas(schema):
        if "default" in node:
            jsonschema.Draft202012Validator({**shared, **node}).validate(node["default"])


@of(*EVERY)
def rust_jsonschema(schema: Json) -> None:
    jsonschema_rs.Draft202012Validator(schema)


# -- MCP ---------------------------------------------------------------------------------------


def _tool(version: str, schema: Json) -> None:
    module = importlib.import_module(f"mcp_types.{version}")
    module.Tool.model_validate({"name": "tool", "inputSchema": schema})


@of(*EVERY, needs=("mcp_types",))
def mcp_2025_11_25(schema: Json) -> None:
    _tool("_v2025_11_25", schema)


@of(*EVERY, needs=("mcp_types", "mcp.shared.inbound"))
def mcp_2026_07_28(schema: Json) -> None:
    _tool("_v2026_07_28", schema)
    inbound = importlib.import_module("mcp.shared.inbound")
    assert inbound.find_invalid_x_mcp_header(schema) is None


# -- SDKs of providers -------------------------------------------------------------------------


@of(PORTABLE, needs=("openai",))
def openai_python(schema: Json) -> Any:
    ensure = importlib.import_module("openai.lib._pydantic")._ensure_strict_json_schema
    return ensure(copy.deepcopy(schema), path=(), root=schema)


@of(OPENAI_STRICT, needs=("openai",))
def openai_strict(schema: Json) -> None:
    """Accepts it without changes."""
    assert openai_python(schema) == schema


@of(OPENAI_STRICT, needs=("agents",))
def openai_agents(schema: Json) -> None:
    """Accepts it without changes."""
    ensure = importlib.import_module("agents.strict_schema").ensure_strict_json_schema
    assert ensure(copy.deepcopy(schema)) == schema


@of(PORTABLE, needs=("anthropic",))
def anthropic_transform(schema: Json) -> None:
    """Accepts it, and keeps each keyword, or describes it."""
    transform = importlib.import_module("anthropic").transform_schema
    for before, after in zip(subschemas(schema), subschemas(transform(schema)), strict=True):
        said = after.get("description", "")
        implied = {"type"} if "enum" in after else set()
        nested = {"properties", "items", "anyOf", "$defs", "description"} | implied
        lost = [
            key
            for key in before.keys() - nested
            if after.get(key) != before[key] and f"{key}: {before[key]}" not in said
        ]
        if lost or before.get("description", "") not in said:
            raise LostError(f"{lost} of {before}")


@of(ANTHROPIC_STRICT, needs=("anthropic",))
def anthropic_strict(schema: Json) -> None:
    """Accepts it, and only describes patterns in addition."""
    transform = importlib.import_module("anthropic").transform_schema
    for node in subschemas(schema):
        node.pop("pattern", None)
    expected = copy.deepcopy(schema)
    for node in subschemas(expected):
        if "enum" in node:  # which has the type
            del node["type"]
    assert transform(schema) == expected


def _processed(schema: Json) -> Json:
    processed = copy.deepcopy(schema)
    importlib.import_module("google.genai._transformers").process_schema(processed, None)
    return processed


@of(PORTABLE, GEMINI, needs=("google.genai",))
def gemini_schema(schema: Json) -> None:
    importlib.import_module("google.genai.types").Schema.model_validate(_processed(schema))


@of(GEMINI, needs=("google.genai",))
def gemini_parameters(schema: Json) -> None:
    """Accepts it as it is, and keeps all of it."""
    types = importlib.import_module("google.genai.types")
    taken = types.FunctionDeclaration(name="tool", parameters=schema).parameters
    dumped = taken.model_dump(by_alias=True, exclude_unset=True, mode="json")
    for node in subschemas(schema):
        if "type" in node:
            node["type"] = node["type"].upper()
    assert dumped == schema


@of(ANTHROPIC_STRICT, BEDROCK_STRICT, needs=("pydantic_ai",))
def limits_of_pydantic_ai(schema: Json) -> None:
    """Counts the parts of a request; its limits were found by calling the API."""
    limits = importlib.import_module("pydantic_ai.models._anthropic_schema_limits")
    assert limits.exceeded_limit([schema], None) is None


@of(OPENAI_STRICT, needs=("pydantic_ai",))
def sizes_of_pydantic_ai(schema: Json) -> None:
    """Counts levels and properties, of each definition on its own."""
    openai = importlib.import_module("pydantic_ai.profiles.openai")
    assert not openai._exceeds_strict_size_limits(schema)


def bedrock_report(tool: Json) -> str:
    """The objections of botocore's model of the service to a tool."""
    validate = importlib.import_module("botocore.validate").ParamValidator().validate
    report: str = validate(tool, bedrock_tools()).generate_report()
    return report


@functools.cache
def bedrock_tools() -> Any:
    """A tool in botocore's model of the service."""
    loader = importlib.import_module("botocore.loaders").Loader()
    description = loader.load_service_model("bedrock-runtime", "service-2")
    return importlib.import_module("botocore.model").ServiceModel(description).shape_for("Tool")


# -- parts of PORTABLE that helpers lose -------------------------------------------------------


def lost_by_openai(schema: Json) -> set[str]:
    """The changes by ``_ensure_strict_json_schema``."""
    return _lost(schema, openai_python(schema))


def lost_by_anthropic(schema: Json) -> set[str]:
    """The changes by ``transform_schema``."""
    return _lost(schema, importlib.import_module("anthropic").transform_schema(schema))


def lost_by_gemini(schema: Json) -> set[str]:
    """The changes by ``process_schema``."""
    is_bare = [not node.keys() & {"type", "anyOf"} for node in subschemas(_processed(schema))]
    is_cut = "$defs" in schema and any(is_bare)
    return {"recursion: cut off"} if is_cut else set()


def _lost(schema: Json, result: Json) -> set[str]:
    found = set()
    for before, after in zip(subschemas(schema), subschemas(result), strict=True):
        if before.get("type") == "object":
            found |= set() if "properties" in before else {"mapping: always empty"}
            required = before.get("required", []), after.get("required", [])
            found |= {"optional: required"} if len(required[0]) < len(required[1]) else set()
        said = after.get("description", "") != before.get("description", "")
        moved = before.keys() - after.keys() - {"type"} if said else set()
        found |= {f"{keyword}: in words" for keyword in moved}
    return found


HELPERS = {
    "OpenAI": (lost_by_openai, "openai"),
    "Anthropic": (lost_by_anthropic, "anthropic"),
    "Gemini": (lost_by_gemini, "google.genai"),
}
"""A function that lists the losses of each SDK's helper, and the module that it needs."""


# -- grammars ----------------------------------------------------------------------------------


@functools.cache
def _tokenizer() -> Any:
    return importlib.import_module("llguidance").LLTokenizer("byte")


def grammar_of(schema: Json) -> str:
    """A grammar of the JSON that a schema accepts, properties in their order."""
    matcher = importlib.import_module("llguidance").LLMatcher
    grammar: str = matcher.grammar_from_json_schema(json.dumps(schema))
    if problem := matcher.validate_grammar(grammar, _tokenizer()):
        raise ValueError(problem)
    return grammar


def grammar_accepts(grammar: str, value: Any) -> bool:
    """Whether the JSON of a value is a sentence of a grammar."""
    matcher = importlib.import_module("llguidance").LLMatcher(_tokenizer(), grammar)
    tokens = _tokenizer().tokenize_bytes(json.dumps(value, ensure_ascii=False).encode())
    return matcher.try_consume_tokens(tokens) == len(tokens) and bool(matcher.is_accepting())


@of(PORTABLE, GEMINI_JSON, needs=("llguidance",))
def llguidance(schema: Json) -> None:
    grammar_of(schema)


@of(PORTABLE, needs=("outlines_core",))
def outlines(schema: Json) -> None:
    module = importlib.import_module("outlines_core.json_schema")
    module.build_regex_from_schema(json.dumps(schema))


# -- the tests that ask them -------------------------------------------------------------------


def files() -> list[str]:
    """The test files that ask a judge: those that import this module."""
    found = sorted(Path(__file__).parent.rglob("test_*.py"))
    imports = re.compile(r"^from tests import .*\bjudges\b", re.MULTILINE)
    return [str(each) for each in found if imports.search(each.read_text("utf-8"))]


if __name__ == "__main__":
    # Tests that run once run here, too: some pages need these packages.
    sys.exit(pytest.main(["-m", "not long", *sys.argv[1:], *files()]))
