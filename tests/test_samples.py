"""Arguments made from schemas: independent validators agree with every one of them."""

import base64
import functools
import hashlib
import inspect
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import make_dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Optional, TypedDict, Union
from uuid import UUID

import jsonschema
import jsonschema_rs
import pytest

from milo_schema import (
    Ge,
    Gt,
    Le,
    Lt,
    MaxLen,
    MinLen,
    MultipleOf,
    Pattern,
    SchemaError,
    ToolSchema,
    function_to_schema,
    profiles,
    tool_schema,
)
from milo_schema.arguments import ArgumentsError, Binder, binder
from milo_schema.json_schema import samples as sampling
from milo_schema.json_schema.matching import matches
from milo_schema.json_schema.samples import Sampler, TextSource, matching
from milo_schema.json_schema.validation import Trials
from milo_schema.testing import samples
from tests.cases import CASES
from tests.fragments import NUMBER, STRING, array_of, obj, record
from tests.needs import lacking

ROOT = Path(__file__).parents[1]


def function_of(tp: Any) -> Any:
    """A function with one parameter of a type."""

    def tool(value): ...

    tool.__annotations__ = {"value": tp}
    return tool


@functools.lru_cache(maxsize=1)
def binder_of(func: Any) -> Binder[Any]:
    """What ``bind()`` makes for each call; many arguments of one function come in a row."""
    return binder(func, profile=profiles.MCP)


def is_bound(func: Any, made: Any) -> bool:
    try:
        binder_of(func)(made)
    except ArgumentsError:
        return False
    return True


@functools.cache
def drawn(index: int) -> tuple[Any, ...] | None:
    """A function, its schema, and valid and invalid arguments; ``None`` if it has no samples."""
    case = CASES[index]
    if lacking(case.needs):
        return None
    func = function_of(case.type)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            schema = function_to_schema(func, strict=True, profile=profiles.MCP)
            made = samples(func, count=4, profile=profiles.MCP)
            misses = samples(func, count=8, valid=False, profile=profiles.MCP)
        except SchemaError:
            return None
    if "value" not in schema["properties"]:
        return None  # callers do not pass it
    return func, schema, made, misses


def of_every_row() -> list[Any]:
    return [found for index in range(len(CASES)) if (found := drawn(index)) is not None]


def test_most_rows_of_the_case_tables_have_samples():
    assert len(of_every_row()) > 300


@pytest.mark.parametrize("valid", [True, False])
def test_bind_and_two_validators_accept_valid_arguments_and_refuse_others(valid):
    wrong = []
    for func, schema, made, misses in of_every_row():
        check, rust = jsonschema.Draft202012Validator(schema), jsonschema_rs.validator_for(schema)
        for each, note in made if valid else misses:
            verdicts = check.is_valid(each), rust.is_valid(each), is_bound(func, each)
            if verdicts != (valid, valid, valid):
                wrong.append((schema, each, note, verdicts))
    assert wrong == []


WRITTEN = {
    *("additionalProperties", "enum", "exclusiveMaximum", "exclusiveMinimum", "maxItems"),
    *("maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum"),
    *("multipleOf", "not", "pattern", "propertyNames", "required", "type", "uniqueItems"),
}
"""The keywords that restrict values in the schemas of the case tables."""


def test_each_keyword_is_broken_by_some_arguments():
    notes = [note for *_, misses in of_every_row() for _, note in misses]
    assert {note.partition(" at ")[0] for note in notes} >= WRITTEN


def test_half_of_an_even_factor_is_a_near_miss():
    def run(x: Annotated[int, MultipleOf(2)]): ...

    assert "{'x': 1}" in [repr(each) for each, _ in samples(run, count=20, valid=False)]  # not True


def test_samples_are_true_and_false_and_numbers_with_and_without_a_fraction():
    def run(x: float, y: bool): ...

    made = [each.arguments for each in samples(run, count=20)]
    assert {type(each["x"]) for each in made} == {int, float}
    assert {each["y"] for each in made} == {True, False}


def test_samples_of_bytes_are_base64_of_several_lengths():
    def run(x: bytes, y: Annotated[bytes, MinLen(3), MaxLen(6)]): ...

    made = [each.arguments for each in samples(run, count=20)]
    lengths = [{len(base64.b64decode(each[name], validate=True)) for each in made} for name in "xy"]
    assert lengths == [{0, 3, 6}, {3, 6}]


def search(
    query: Annotated[str, MinLen(1), MaxLen(5)],
    limit: Annotated[int, Ge(1), Le(3)] = 1,
    mode: Literal["fast", "slow"] = "fast",
) -> str:
    return query * limit + mode


SAMPLES = """
from typing import Annotated, Literal
from milo_schema import Ge, Le, MaxLen, MinLen, profiles
from milo_schema.testing import samples
def search(query: Annotated[str, MinLen(1), MaxLen(5)], limit: Annotated[int, Ge(1), Le(3)] = 1,
           mode: Literal["fast", "slow"] = "fast") -> str: ...
print([each.arguments for each in samples(search, count=3, seed=7)])
"""
EXPECTED = str(
    [
        {"query": "yhulj", "mode": "fast"},
        {"query": "mq", "limit": 3, "mode": "slow"},
        {"query": "qp", "mode": "slow"},
    ]
)


@pytest.mark.parametrize("seed", ["0", "1"])
def test_samples_depend_on_nothing_but_the_function_and_the_seed(seed):
    environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SAMPLES]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == EXPECTED


def test_another_seed_makes_other_arguments():
    assert samples(search, count=3, seed=1) != samples(search, count=3, seed=2)


def test_a_note_names_the_keyword_and_the_place():
    def tool(limits: list[Annotated[int, Ge(1)]]): ...

    found = samples(tool, valid=False, count=20)
    assert {reason for _, reason in found} >= {
        "minimum at .limits[0]",
        "required at the root",
        "type at .limits",
    }
    assert len(found) == 20


def test_valid_arguments_have_empty_notes():
    assert [each.reason for each in samples(search, count=2)] == ["", ""]


def test_a_parameter_that_is_excluded_has_no_samples():
    def tool(query: "Text", mode: int = 0): ...  # noqa: F821

    made = samples(tool, exclude=["mode"], localns={"Text": str}, count=9)
    assert {name for each in made for name in each.arguments} == {"query"}


def test_the_keyword_that_was_broken_least_comes_next():
    counts = Counter(
        each.reason.partition(" at ")[0] for each in samples(search, valid=False, count=12)
    )
    assert max(counts.values()) - min(counts.values()) <= 1


def test_a_tool_has_the_samples_of_its_schema():
    tool = tool_schema(search)
    for each in (tool, ToolSchema.from_mcp(tool.to_mcp())):
        for valid in (True, False):
            assert samples(each, valid=valid, count=9) == samples(search, valid=valid, count=9)
    with pytest.raises(SchemaError, match=r"^never: "):
        samples(ToolSchema(name="never", input_schema={"type": "object", "not": {}}))


def test_a_tool_with_a_schema_of_an_older_draft_has_samples():
    draft = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}
    pair = {"type": "array", "items": [{"const": 1}, {"$ref": "#two"}], "minItems": 2}
    two = {"$id": "#two", "const": 2}
    listed = {**draft, "properties": {"x": pair}, "required": ["x"], "definitions": {"A": two}}
    tool = ToolSchema.from_mcp({"name": "run", "inputSchema": listed})
    assert {tuple(each["x"][:2]) for each, _ in samples(tool)} == {(1, 2)}
    assert "const at .x[1]" in {reason for _, reason in samples(tool, valid=False)}


@pytest.mark.parametrize("annotation", [object(), Annotated[int, Ge(3), Lt(3)]], ids=["no", "none"])
def test_a_type_without_an_exact_schema_or_without_values_is_an_error(annotation):
    with pytest.raises(SchemaError, match="value"):
        samples(function_of(annotation))


def test_a_schema_without_a_valid_or_an_invalid_value_is_an_error():
    with pytest.raises(ValueError, match="schema refuses was found in 100 tries"):
        Sampler({}).invalid()
    endless = {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}
    schemas: list[dict[str, Any]] = [{"not": {}}, endless]
    for schema in schemas:
        with pytest.raises(ValueError, match="schema accepts was found in 100 tries"):
            Sampler(schema).valid()


@pytest.mark.parametrize("seed", range(9))
def test_unique_items_are_unique_at_once(seed, monkeypatch):
    monkeypatch.setattr(sampling, "TRIES", 1)
    items = Sampler({"type": "array", "uniqueItems": True, "items": {"enum": [1, 2]}}, seed).valid()
    assert len(items) == len(set(items))


def test_a_wrong_item_leaves_the_others_alone():
    schema = {"type": "array", "items": {"type": "integer", "maximum": 3}}
    wrong = [each for _, _, each in Sampler(schema).misses(schema, [1, 2, 3], "")]
    assert [1, 2, 4] in wrong
    assert [4, 2, 3] in wrong
    assert [1, 4, 3] in wrong


def test_each_value_may_be_as_large_as_the_last_one(monkeypatch):
    monkeypatch.setattr(sampling, "LARGEST", 4)
    sampler = Sampler({"type": "array", "minItems": 3, "maxItems": 3, "items": {"const": 1}})
    assert [sampler.whole() for _ in range(9)] == [[1] * 3] * 9


def test_a_schema_of_many_objects_inside_one_another_has_values():
    names = [f"p{number}" for number in range(20)]
    of_each = [
        obj(names[:2], **dict.fromkeys(names, part))
        for part in ({"$ref": "#/$defs/b"}, {"$ref": "#/$defs/c"}, {"$ref": "#/$defs/d"}, NUMBER)
    ]
    schema = {**of_each[0], "$defs": dict(zip("bcd", of_each[1:], strict=True))}
    tool = ToolSchema(name="tool", input_schema=schema)
    check = jsonschema.Draft202012Validator(schema)

    for valid in (True, False):
        made = [each.arguments for each in samples(tool, valid=valid, count=20)]
        assert [check.is_valid(each) for each in made] == [valid] * 20
        assert {*names} == {name for each in made for name in each}


def test_an_array_has_as_many_items_as_its_schema_allows():
    sizes = {len(Sampler({"type": "array", "maxItems": 9}, seed).valid()) for seed in range(99)}
    assert sizes == {*range(10)}


PATTERNS = [
    "^[\U0001f600-\U0001f602\U0001f607]{3}$",  # beyond 16 bits
    "^a+$",
    "^[a-z]{2,5}-[0-9]+$",
    "^[^a-z]$",
    "^[^A-Za-z0-9 _./:@-]$",
    "^a++b$",
    "^(ab|cd)?x*$",
    r"^(\d)(\w)\2\1$",
    r"^\w\W\s\S\d\D$",
    "^.$",
    "^[^x]y[.]$",
    "^(?:a|b)+?$",
    "x",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_text_matches_its_pattern(pattern):
    source = TextSource(0)
    assert all(matches(pattern, matching(pattern, source)) for _ in range(20))


@pytest.mark.parametrize("pattern", ["(", "a{" + "9" * 5_000 + "}", "a{99999999999}", "(" * 5_000])
def test_a_pattern_that_python_cannot_read_has_some_text(pattern):
    assert matching(pattern, TextSource(0), 3) == "aaa"


SIDES = {"left": {"$ref": "#"}, "right": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}
FOREIGN: list[tuple[dict[str, Any], str]] = [
    ({"const": {"a": 1}}, "const"),
    ({"type": "integer", "not": {"multipleOf": 2}}, "not"),
    ({"type": "number", "multipleOf": 0.5}, "multipleOf"),
    ({"type": "number", "multipleOf": 7, "exclusiveMinimum": 0}, "exclusiveMinimum"),
    ({"type": "integer", "multipleOf": 0.5, "minimum": 3, "maximum": 3}, "maximum"),
    ({"type": "string", "pattern": "^[ab]*$", "minLength": 6}, "minLength"),
    ({"allOf": [{"type": "integer", "minimum": 3}, {"maximum": 4}]}, "minimum"),
    ({"type": "array", "prefixItems": [{"type": "string"}], "items": False}, "items"),
    ({"type": "object", "minProperties": 2, "maxProperties": 3}, "maxProperties"),
    ({"type": "object", "properties": SIDES, "required": ["right"]}, "required"),
    ({"required": ["a"]}, "required"),
    ({"type": ["integer", "null"], "exclusiveMaximum": 2}, "type"),
    ({"allOf": [{"required": ["a"]}, {"required": ["b"], "properties": {"b": True}}]}, "required"),
    ({"type": "object", "patternProperties": {"^a": {"type": "integer"}}}, "type"),
    ({"enum": [1, "a"]}, "enum"),
    ({"oneOf": [{"type": "object", "required": ["a"]}, {"type": "string"}]}, "required"),
    ({"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, "oneOf"),
    ({"allOf": [{"properties": {"a": True}}, {"properties": {"b": {"type": "null"}}}]}, "type"),
]
"""Schemas that we do not write, each with a keyword that restricts it."""


@pytest.mark.parametrize(("schema", "keyword"), FOREIGN)
def test_a_foreign_schema_has_samples_and_near_misses(schema, keyword):
    sampler, check = Sampler(schema), jsonschema.Draft202012Validator(schema)
    assert all(check.is_valid(sampler.valid()) for _ in range(20))
    misses = [sampler.invalid() for _ in range(20)]
    assert not any(check.is_valid(value) for value, _ in misses)
    assert keyword in {note.partition(" at ")[0] for _, note in misses}


NARROW: list[dict[str, Any]] = [
    {"type": "string", "pattern": "^a+$"},
    {"type": "number", "maximum": 1},
    {"type": "boolean", "const": False},
    {"type": ["null", "string"], "enum": ["a"]},
    {"type": "array", "minItems": 1},
    {"type": "object", "minProperties": 1},
]
"""Schemas of one type, each with another keyword that refuses some of its values."""


@pytest.mark.parametrize("schema", NARROW, ids=str)
def test_a_near_miss_of_the_type_has_another_type(schema):
    sampler, check = Sampler(schema), jsonschema.Draft202012Validator({"type": schema["type"]})
    notes = (sampler.invalid() for _ in range(40))
    misses = [value for value, note in notes if note.startswith("type at")]
    assert len(misses) >= 10
    assert not any(map(check.is_valid, misses))


def test_a_near_miss_of_the_names_keeps_the_other_properties():
    named = {"type": "object", "required": ["a"], "propertyNames": {"maxLength": 1}}
    sampler = Sampler({**named, "properties": {"a": {"const": 1}}})
    misses = [value for value, note in (sampler.invalid() for _ in range(40)) if "Names" in note]
    assert misses == [{"a": 1, "not a name": 1}] * len(misses) != []


def test_a_near_miss_has_too_few_properties():
    sampler = Sampler({"type": "object", "minProperties": 2, "maxProperties": 3})
    misses = [value for value, note in (sampler.invalid() for _ in range(40)) if "minP" in note]
    assert misses
    assert all(len(value) == 1 for value in misses)


def deep(names: str) -> dict[str, Any]:
    """Objects inside one another, which have to have a property each."""
    return obj(names[:1], **{names[0]: deep(names[1:])}) if names else STRING


@pytest.mark.parametrize(
    "longer",
    [
        {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
        {"type": "array", "minItems": 1, "prefixItems": [deep("xyz")]},
        {"oneOf": [deep("wxyz"), deep("vwxyz")]},
        {"$ref": "#/$defs/Longer"},
    ],
)
def test_deep_inside_a_union_the_branch_that_ends_soonest_is_taken(longer):
    definitions = {"Longer": deep("wxyz"), "Ended": deep("abc")}
    schema = {"anyOf": [longer, {"$ref": "#/$defs/Ended"}], "$defs": definitions}

    for seed in range(20):
        value = Sampler(schema, seed).draw(schema, sampling.DEEP)
        assert jsonschema.Draft202012Validator(deep("abc")).is_valid(value)


def test_schemas_that_both_apply_share_their_types_and_their_stricter_bounds():
    one, other = {"type": ["string", "integer"]}, {"type": ["integer", "null"]}
    assert sampling.merge(one, other) == {"type": ["integer"]}
    assert sampling.merge({"type": "string"}, other) == {"type": "string"}  # nothing is valid
    low, high = {"minimum": 1, "maximum": 9}, {"minimum": 3, "maximum": 5}
    assert sampling.merge(low, high) == sampling.merge(high, low) == {"minimum": 3, "maximum": 5}


# -- random tools ------------------------------------------------------------------------------


def random_type(random: Random, depth: int) -> Any:
    """A random annotation."""
    if depth == 0 or random.random() < 0.4:
        return random.choice(LEAVES)
    a, b = random_type(random, depth - 1), random_type(random, depth - 1)
    number = random.randrange(10**9)
    types = [
        list[a],
        set[random.choice(SCALARS)],
        dict[str, a],
        dict[Annotated[str, Pattern("^[a-f]+$")], a],
        tuple[a, b],
        Optional[a],
        Union[a, b],
        Annotated[list[a], MinLen(1), MaxLen(3)],
        Annotated[dict[str, a], MinLen(1), MaxLen(2)],
        make_dataclass(f"Data{number}", [("a", a), ("b", b)]),
        TYPED_DICT(f"Keys{number}", {"a": a, "b": NotRequired[b]}),
        NamedTuple(f"Pair{number}", [("a", a), ("b", b)]),
    ]
    return random.choice(types)


TYPED_DICT: Any = TypedDict  # to call it with names that only run time knows
SCALARS = [int, str, bool, date, UUID, Literal["a", "b", "c"], Literal[1, "x", None]]
LEAVES = [
    *SCALARS,
    *(float, None, Decimal, bytes, datetime),
    *(Annotated[int, Ge(-3), Le(4)], Annotated[int, Gt(0), Lt(9)], Annotated[float, Gt(0.5)]),
    *(Annotated[str, MinLen(2), MaxLen(5)], Annotated[str, Pattern("^[a-c]{2,4}[0-9]?$")]),
    *(Annotated[int, MultipleOf(7)], Annotated[float, Ge(-1.5), Le(2.25)]),
]


def random_tool(number: int) -> Any:
    """A random function."""
    random = Random(number)

    def tool(**values): ...

    parameters = []
    for at in range(random.randint(1, 4)):
        tp, is_optional = random_type(random, 3), random.random() < 0.3
        parameter = inspect.Parameter(f"p{at}", inspect.Parameter.KEYWORD_ONLY, annotation=tp)
        if is_optional:
            parameter = parameter.replace(annotation=Optional[tp], default=None)
        parameters.append(parameter)
    vars(tool)["__signature__"] = inspect.Signature(parameters)
    return tool


PARTS = [
    pytest.param(0, marks=pytest.mark.slow),
    *(pytest.param(part, marks=pytest.mark.long) for part in range(1, 10)),
]


@pytest.mark.parametrize("part", PARTS)
def test_validators_and_bind_agree_about_the_arguments_of_random_tools(part):
    wrong, broken, tried = [], set(), 0
    for number in range(part * 100, part * 100 + 100):
        func = random_tool(number)
        schema = function_to_schema(func, profile=profiles.MCP)
        check, rust = jsonschema.Draft202012Validator(schema), jsonschema_rs.validator_for(schema)
        for valid in (True, False):
            made = samples(func, count=6, valid=valid, profile=profiles.MCP)
            for each, note in made:
                verdicts = check.is_valid(each), rust.is_valid(each), is_bound(func, each)
                tried += 1
                broken.add(note.partition(" at ")[0])
                if verdicts != (valid, valid, valid):
                    wrong.append((number, schema, each, note, verdicts))
    assert wrong == []
    assert tried == 1200
    assert broken >= {"type", "required", "additionalProperties", "enum", "pattern", "minimum"}


# -- the smallest values, and those with a part that is wanted -----------------------------------

POINT = obj(["x"], x=NUMBER, tags=array_of(STRING))


NUMBERS = {"type": "object", "additionalProperties": {"type": "integer"}}
NAMED = {"type": "object", "patternProperties": {"^a+$": {"type": "null"}}}
BESIDE = {"$ref": "#/$defs/A", "minimum": 5, "$defs": {"A": {"type": "integer"}}}
ENDLESS = {"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}]}}}
LISTS = {"type": "array", "items": {"$ref": "#"}, "minItems": 1}
MANY = {"type": "array", "items": {"type": "integer"}, "minItems": 9_999}
HOPS = {f"A{at}": {"$ref": f"#/$defs/A{at + 1}"} for at in range(99)} | {"A99": {"const": 1}}


def within(kind: Callable[[Any], Any], times: int, inner: Any) -> Any:
    """Something in so many others."""
    return within(kind, times - 1, kind(inner)) if times else inner


@pytest.mark.parametrize(
    ("schema", "wanted", "expected"),
    [
        (POINT, (), {"x": 0}),
        ({"anyOf": [{"type": "boolean"}, POINT]}, (), False),
        (BESIDE, (), 5),
        (NAMED, (), {}),
        (ENDLESS, (), None),
        ({"$ref": "#"}, (), ""),
        (LISTS, (), within(lambda each: [each], 31, None)),
        (MANY, (), [0] * 1_999 + [None]),
        ({"$ref": "#/$defs/A0", "$defs": HOPS}, (), 1),
        *(
            (within(lambda each, name=name: {name: [each]}, count, {"const": 1}), (), value)
            for name in ("anyOf", "oneOf", "allOf")
            for count, value in ((10, 1), (11, None))
        ),
        (POINT, (".x",), {"x": 0}),
        (POINT, (".tags",), {"x": 0, "tags": []}),
        (POINT, (".tags", "[]"), {"x": 0, "tags": [""]}),
        (POINT, (".tags", "[1]"), {"x": 0, "tags": ["", ""]}),
        (POINT, (".tags", "[x]"), {"x": 0, "tags": []}),
        (POINT, (".none",), {"x": 0}),
        (NUMBERS, ("{}",), {"a": 0}),
        (NAMED, ("{}",), {"a": None}),
    ],
)
def test_the_smallest_value_has_what_it_needs_and_the_part_that_is_wanted(schema, wanted, expected):
    assert Sampler(schema, sampling.LEAST, wanted).draw(schema, 0) == expected


STRINGS: list[dict[str, Any]] = [
    *({"format": name} for name in ("date-time", "date", "time", "duration", "email", "hostname")),
    *({"format": name} for name in ("ipv4", "ipv6", "uri", "uri-reference", "uuid", "regex")),
    *({"format": "json-pointer"}, {"maxLength": 20}, {"contentEncoding": "base64", "minLength": 5}),
    *({"pattern": r"^(?:a|(b))[^c]\1?[x-z\d]{2,}.*?(?>-)e++$", "minLength": 20}, {"minLength": 3}),
]
TREE = obj(
    ["children"],
    children={"type": "array", "items": {"$ref": "#/$defs/Tree", "minProperties": 2}},
    parent={"oneOf": [{"type": "null"}, {"$ref": "#/$defs/Tree"}]},
    point={"prefixItems": [{"type": "number", "minimum": 1}, {"multipleOf": 3}], "minItems": 2},
)
VARIED: list[dict[str, Any]] = [
    {"type": "array", "prefixItems": [{"type": "string", **each} for each in STRINGS]},
    {"$ref": "#/$defs/Tree", "$defs": {"Tree": TREE}},
    {"type": "object", "propertyNames": {"pattern": "^[a-c]+$"}, "additionalProperties": STRING},
    {"type": "array", "items": {"type": ["number", "string"], "exclusiveMaximum": 5}},
    {"type": "array", "items": {"type": "integer", "exclusiveMinimum": 3}, "uniqueItems": True},
    {"type": "array", "minItems": 150, "items": {"type": "array", "maxItems": 1, "items": STRING}},
]


def test_the_same_seed_makes_the_same_values_with_every_version_of_python():
    source = TextSource(0)
    made = hashlib.sha256("".join(matching(each, source) for each in PATTERNS).encode())
    for schema in (*VARIED, *[schema for schema, _ in FOREIGN], *NARROW):
        sampler = Sampler(schema)
        for _ in range(6):
            made.update(f"{sampler.valid()!r} {sampler.invalid()!r}".encode())
    assert made.hexdigest()[:16] == "efa7967101d407ca"


def test_names_that_match_a_pattern_have_its_values():
    named = {"type": "object", "patternProperties": {"^a+$": {"type": "integer"}}}
    values = [Sampler(named, seed).valid() for seed in range(30)]
    assert any(set(each) & {"a", "aa", "aaa"} for each in values)


def test_near_misses_of_a_schema_with_many_routes_to_one_part_are_made_once():
    levels = {f"A{i}": {"anyOf": [{"$ref": f"#/$defs/A{i + 1}"}] * 2} for i in range(20)}
    tower = {"$ref": "#/$defs/A0", "$defs": {**levels, "A20": {"type": "string"}}}
    misses = [value for _, _, value in Sampler(tower).misses(tower, "a", "")]
    assert misses == [1.5, True, None, [], {}]


def test_the_size_of_a_long_chain_of_types_is_not_counted_to_its_end():
    chain: dict[str, Any] = {f"A{i}": record(a={"$ref": f"#/$defs/A{i + 1}"}) for i in range(900)}
    start = {"$ref": "#/$defs/A0"}
    root = {"anyOf": [start, {"type": "null"}], "$defs": {**chain, "A900": {"type": "null"}}}
    assert Sampler(root).draw(root, sampling.DEEP) is None


def test_a_value_that_takes_too_many_steps_is_not_judged():
    assert Trials(1_000_000).errors("foo" * 5_000, {"pattern": "foo.*bar"}) is None


@pytest.mark.parametrize(
    ("pattern", "size"), [("^(a*){99999999}$", 0), ("^((a{99999}){99}){99}$", 10_001)]
)
def test_a_repetition_ends_with_nothing_and_with_too_much(pattern, size):
    assert len(sampling.matching(pattern, sampling.TextSource(sampling.LEAST))) == size
