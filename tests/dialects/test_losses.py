"""Whatever a dialect accepts more or less than a schema is reported, or stands in a description.

A description counts only if it is on the way to the value, so that a model reads it there.
"""

import contextlib
import functools
import json
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from milo_schema import ToolSchema, function_to_schema, profiles
from tests.differential.frameworks import of_openapi
from tests.fragments import INTEGER, STRING, obj
from tests.inside import Sampler, in_dialect, is_valid, valid_schema
from tests.test_samples import random_tool

DIALECTS = [
    each
    for each in vars(profiles).values()
    if isinstance(each, profiles.Profile) and each.dialect is not None
]
LISTED = json.loads(Path(__file__).parents[1].joinpath("server_tools.json").read_bytes())
Json = dict[str, Any]

# -- schemas as others write them ----------------------------------------------------------------

SCALARS: list[Json] = [
    {"type": "string"},
    {"type": "string", "minLength": 2, "maxLength": 4},
    {"type": "string", "pattern": "^[a-c]+$"},
    {"type": "string", "format": "date"},
    {"type": "integer", "minimum": 1, "maximum": 9},
    {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
    {"type": "boolean"},
    {"type": ["integer", "null"]},
    {"enum": ["a", "b", 3, None]},
    {"const": "only"},
]
BODIES: Json = {
    "Closed": obj([], a=STRING) | {"additionalProperties": False},
    "Open": obj(["a"], a=STRING, b=INTEGER),
}


def some(random: Random, depth: int) -> Json:
    """A random schema, with the keywords that generators and people write."""
    if depth == 0 or random.random() < 0.3:
        return dict(random.choice(SCALARS))
    inner, other = some(random, depth - 1), some(random, depth - 1)
    reference = {"$ref": f"#/$defs/{random.choice([*BODIES])}"}
    return random.choice(
        [
            {"type": "array", "items": inner, "minItems": 1, "maxItems": 3},
            {"type": "array", "prefixItems": [inner, other], "items": False, "minItems": 2},
            {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
            {"type": "object", "additionalProperties": inner, "minProperties": 1},
            {"type": "object", "patternProperties": {"^x": inner}, "required": ["x1"]},
            reference,
            {**reference, "description": "Described."},
            {**reference, "required": ["b"]},
            {"allOf": [reference, some_object(random, depth - 1)]},
            {"allOf": [some_object(random, depth - 1), {"minProperties": 1}]},
            {"anyOf": [inner, other, {"type": "null"}]},
            {"oneOf": [inner, reference]},
            {"allOf": [{"type": "integer"}, {"minimum": 3}], "maximum": 8},
            {"not": {"type": "string"}, "type": ["string", "integer"]},
            some_object(random, depth - 1),
        ]
    )


def some_object(random: Random, depth: int) -> Json:
    """A random object with named properties."""
    names = ["p", "q", "r"][: random.randint(1, 3)]
    found: Json = {"type": "object", "properties": {name: some(random, depth) for name in names}}
    if required := [name for name in names if random.random() < 0.5]:
        found["required"] = required
    if random.random() < 0.4:
        found["additionalProperties"] = False
    return found


ROOTS: list[Json] = [
    {},
    {},
    {"oneOf": [{"required": ["p"]}, {"required": ["n"]}]},
    {"anyOf": [{"required": ["p"]}, {"properties": {"n": {"type": "integer"}}}]},
    {"not": {"required": ["n"]}},
    {"if": {"required": ["n"]}, "then": {"required": ["p"]}},
    {"dependentRequired": {"n": ["p"]}},
    {"allOf": [{"properties": {"n": {"minimum": 3}}}]},
    {"minProperties": 1},
    {"propertyNames": {"maxLength": 1}},
]


def foreign(number: int) -> Json:
    """A random schema of arguments."""
    random = Random(number)
    root = some_object(random, 2)
    root["properties"]["n"] = {"type": "integer"}
    return {**root, **random.choice(ROOTS), "$defs": BODIES}


# -- values ----------------------------------------------------------------------------------------


def target(schema: Any, root: Json) -> Json:
    """A schema, or what it refers to."""
    while type(schema) is dict and "$ref" in schema:
        schema = root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    return schema if type(schema) is dict else {}


def parts(schema: Json, value: Any) -> Iterator[tuple[Any, Any]]:
    """The parts of a value, each with its step and its schema."""
    if type(value) is dict:
        for name in value:
            yield name, schema.get("properties", {}).get(name, schema.get("additionalProperties"))
    elif type(value) is list:
        prefix = schema.get("prefixItems", [])
        for at in range(len(value)):
            yield at, prefix[at] if at < len(prefix) else schema.get("items")


def as_sent(value: Any, schema: Any, root: Json, names: bool = True) -> Any:
    """A value as a strict mode has it: a null for each property that only the dialect requires.

    An object with named properties is closed; without *names*, the others are left out.
    """
    schema = target(schema, root)
    for branch in schema.get("anyOf", ()):
        found = as_sent(value, branch, root, names)
        if is_valid(found, branch, root):
            return found
    made = {step: as_sent(value[step], part, root, names) for step, part in parts(schema, value)}
    if type(value) is not dict:
        return [*made.values()] if type(value) is list else value
    if not names and schema.get("additionalProperties") is False:
        made = {name: made[name] for name in made if name in schema["properties"]}
    return {**dict.fromkeys(schema.get("required", ())), **made}


def without_nulls(value: Any) -> Any:
    """A value without the properties that are null, which are left out."""
    if type(value) is list:
        return [*map(without_nulls, value)]
    if type(value) is not dict:
        return value
    return {name: without_nulls(each) for name, each in value.items() if each is not None}


def texts(schema: Any, root: Json, value: Any) -> set[str]:
    """The descriptions on the way to all parts of a value."""
    here = schema if type(schema) is dict else {}
    schema = target(schema, root)
    found = {here.get("description", ""), schema.get("description", "")}
    for keyword in ("anyOf", "oneOf", "allOf"):
        for branch in schema.get(keyword, ()):
            found |= texts(branch, root, value)
    for step, part in parts(schema, value):
        found |= texts(part, root, value[step])
    return found


class Subject(NamedTuple):
    """A schema of arguments, some values that it accepts, and some that it refuses, with why."""

    tool: ToolSchema
    schema: Json
    valid: list[Any]
    invalid: list[tuple[Any, str]]


def subject(given: Json) -> Subject:
    """The same values for each dialect."""
    schema = valid_schema(given, "schema", str)
    sampler = Sampler(schema)
    valid: list[Any] = []
    invalid: list[tuple[Any, str]] = []
    # If the schema accepts nothing, or refuses nothing: those that were drawn before.
    with contextlib.suppress(ValueError):
        valid.extend(sampler.valid() for _ in range(6))
        invalid.extend(sampler.invalid() for _ in range(6))
    return Subject(ToolSchema.from_mcp({"name": "t", "inputSchema": given}), schema, valid, invalid)


def unreported(about: Subject, profile: profiles.Profile, seen: Counter[str]) -> list[Any]:
    """The values that a schema and its dialect judge differently, without a word about it."""
    schema, (found, problems) = about.schema, in_dialect(about.tool, profile)
    if problems:
        seen["reported"] += 1
        return []
    result, wrong = of_openapi(found.input_schema), []
    for value in about.valid:
        readings = value, as_sent(value, result, result, names=False), without_nulls(value)
        seen["accepted"] += 1
        if not any(is_valid(each, result) for each in readings):
            wrong.append(("lost", value))
    for invalid, note in about.invalid:
        is_sent = profile is profiles.OPENAI_STRICT and not note.startswith("required")
        value = as_sent(invalid, result, result) if is_sent else invalid
        seen["refused"] += 1
        if not is_valid(value, result) or is_convention(value, note, schema, profile):
            continue
        seen["described"] += 1
        if not texts(result, result, value) - texts(schema, schema, value):
            wrong.append((note, value))
    return wrong


def is_convention(value: Any, note: str, schema: Json, profile: profiles.Profile) -> bool:
    """Whether a consumer has another way to say what a schema accepts.

    In OpenAI's strict mode, null means that an optional property is left out. A client that shows
    a form fills in its fields and nothing else.
    """
    if profile is profiles.ELICITATION:
        return note == "additionalProperties at the root"
    return profile is profiles.OPENAI_STRICT and is_valid(without_nulls(value), schema)


def judged(subjects: dict[str, Subject], profile: profiles.Profile) -> Counter[str]:
    """How many of each verdict there are; nothing may be lost without a word."""
    seen: Counter[str] = Counter()
    with warnings.catch_warnings(action="ignore"):
        wrong = {name: unreported(each, profile, seen) for name, each in subjects.items()}
    assert {name: each for name, each in wrong.items() if each} == {}
    return seen


@functools.cache
def listed() -> dict[str, Subject]:
    """The tools of servers."""
    return {
        each["name"]: subject(each["inputSchema"]) for tools in LISTED.values() for each in tools
    }


@functools.cache
def derived() -> dict[str, Subject]:
    """The tools of random functions."""
    found = {}
    with warnings.catch_warnings(action="ignore"):
        for number in range(30):
            schema = function_to_schema(random_tool(number), profile=profiles.MCP)
            found[f"tool{number}"] = subject(schema)
    return found


@functools.cache
def of_others() -> dict[str, Subject]:
    """Schemas as others write them."""
    return {f"tool{number}": subject(foreign(number)) for number in range(150)}


@pytest.mark.parametrize("profile", DIALECTS, ids=lambda each: each.name)
def test_nothing_is_lost_without_a_word_in_the_tools_of_servers(profile):
    seen = judged(listed(), profile)

    assert seen["accepted"] > 50
    assert seen["refused"] > 50


@pytest.mark.slow
@pytest.mark.parametrize("profile", DIALECTS, ids=lambda each: each.name)
def test_nothing_is_lost_without_a_word_in_derived_schemas(profile):
    seen = judged(derived(), profile)

    assert seen["accepted"] > 10
    assert seen["refused"] > 10


@pytest.mark.slow
@pytest.mark.parametrize("profile", DIALECTS, ids=lambda each: each.name)
def test_nothing_is_lost_without_a_word_in_schemas_of_others(profile):
    seen = judged(of_others(), profile)

    assert seen["reported"] > 20
    assert seen["accepted"] > 20
    assert seen["described"] > 10 or profile is profiles.ELICITATION  # its forms report all
