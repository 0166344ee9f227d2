"""The schemas and reports of each dialect, and the judgment of the consumers of schemas."""

import dataclasses
import datetime
import decimal
import enum
import functools
import json
import keyword
import pathlib
import uuid
import warnings
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict, Unpack

import hypothesis
import jsonschema
import pytest
from hypothesis import strategies as st

from milo_schema import (
    Deprecated,
    Description,
    Examples,
    Format,
    Ge,
    Gt,
    Le,
    Lt,
    MaxLen,
    MinLen,
    MultipleOf,
    Pattern,
    Profile,
    Schema,
    SchemaError,
    SchemaWarning,
    Title,
    function_to_schema,
    profiles,
    return_to_schema,
)
from milo_schema.dialects import write_in
from milo_schema.dialects.branches import Describer
from milo_schema.json_schema.subschemas import step_to
from tests import judges
from tests.cases import CASES, Case, Json
from tests.fragments import NULL, any_of, array_of, fixed, obj, record
from tests.needs import lacking

pytestmark = pytest.mark.core

DIALECTS: dict[str, Callable[[Json, Any], Json]] = {
    name.upper(): functools.partial(write_in, name)
    for name in (
        "portable",
        "openai_strict",
        "anthropic_strict",
        "bedrock_strict",
        "gemini_json",
        "gemini",
    )
}
PROFILES: dict[str, Profile] = {name: getattr(profiles, name) for name in DIALECTS}
every_dialect = pytest.mark.parametrize("name", DIALECTS)


class Facts(list[tuple[str, str]]):
    """A report that keeps the problems."""

    def __call__(self, path: str, reason: str) -> None:
        self.append((path, reason))

    @property
    def paths(self) -> list[str]:
        """The places that were reported."""
        return [path for path, _ in self]


def spell(name: str, schema: Json) -> Json:
    """A schema in a dialect that supports it."""
    facts = Facts()
    result = DIALECTS[name](schema, facts)
    assert facts == []
    return result


# -- type by type ------------------------------------------------------------------------------


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Pair(NamedTuple):
    name: str
    count: int


class Filter(TypedDict):
    field: str
    value: NotRequired[float]


@dataclasses.dataclass
class Node:
    value: int
    next: "Node | None" = None


TYPES: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "None": None,
    "Any": Any,
    "int | None": (int | None),
    "int | str": (int | str),
    "Literal['a', 'b']": Literal["a", "b"],
    "Literal['', 'a']": Literal["", "a"],
    "Literal[1, 2]": Literal[1, 2],
    "Literal[1, 'a', None]": Literal[1, "a", None],
    "Enum of strings": Color,
    "IntEnum": Level,
    "bytes": bytes,
    "datetime": datetime.datetime,
    "date": datetime.date,
    "timedelta": datetime.timedelta,
    "UUID": uuid.UUID,
    "Decimal": decimal.Decimal,
    "Path": pathlib.Path,
    "list[int]": list[int],
    "set[int]": set[int],
    "tuple[int, str]": tuple[int, str],
    "tuple[int, int]": tuple[int, int],
    "tuple[int, ...]": tuple[int, ...],
    "NamedTuple": Pair,
    "dict[str, int]": dict[str, int],
    "dict[int, str]": dict[int, str],
    "dataclass": Point,
    "TypedDict": Filter,
    "recursive dataclass": Node,
    "Annotated[int, Ge(1), Le(9)]": Annotated[int, Ge(1), Le(9)],
    "Annotated[float, Gt(0)]": Annotated[float, Gt(0)],
    "Annotated[int, Gt(0)]": Annotated[int, Gt(0)],
    "Annotated[int, MultipleOf(5)]": Annotated[int, MultipleOf(5)],
    "Annotated[str, MinLen(1), MaxLen(9)]": Annotated[str, MinLen(1), MaxLen(9)],
    "Annotated[list[int], MinLen(2)]": Annotated[list[int], MinLen(2)],
    "Annotated[str, Pattern('^a+$')]": Annotated[str, Pattern("^a+$")],
    "Annotated[str, Pattern('a')]": Annotated[str, Pattern("a")],
    "Annotated[str, Format('uri')]": Annotated[str, Format("uri")],
    "Annotated[str, Title('T')]": Annotated[str, Title("T")],
    "Annotated[str, Examples('a')]": Annotated[str, Examples("a")],
    "Annotated[str, Deprecated]": Annotated[str, Deprecated],
    "Annotated[str, Schema({'x-a': 1})]": Annotated[str, Schema({"x-a": 1})],
}
DEFAULTS: dict[str, tuple[Any, Any]] = {
    "int = 3": (int, 3),
    "int | None = None": (int | None, None),
}
SOURCES = pathlib.Path(__file__).parents[2] / ".github/sources.md"
EMITTED = pathlib.Path(__file__).with_name("emitted.md")
LOST = "<!-- what is lost -->\n"
END = "<!-- end -->"


def function_of(annotation: Any, *default: Any) -> Callable[..., Any]:
    """A function with one parameter, ``value``."""

    def f(value): ...

    f.__annotations__ = {"value": annotation}
    f.__defaults__ = default or None
    return f


def cell(func: Callable[..., Any], profile: Profile) -> str:
    """The schema of the parameter under a profile, or the reason why there is none."""
    try:
        schema = function_to_schema(func, profile=profile, strict=True)
    except SchemaError as error:
        return f"*error:* {error.message}"
    said = json.dumps(schema["properties"]["value"], ensure_ascii=False)
    shared = "".join(f" `{name}`: `{json.dumps(d)}`" for name, d in schema.get("$defs", {}).items())
    return f"`{said}`{shared}".replace("|", "\\|")


def rows_of_types() -> dict[str, Callable[..., Any]]:
    """A function for each row of the tables."""
    rows = {name: function_of(tp) for name, tp in TYPES.items()}
    return rows | {name: function_of(*both) for name, both in DEFAULTS.items()}


def line(*cells: str) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |\n"


COLUMNS = {name: profile for name, profile in PROFILES.items() if name != "BEDROCK_STRICT"}


def emitted() -> str:
    """The schema of each type under each profile, and each schema of others in each dialect.

    BEDROCK_STRICT has a test of its own, and what PORTABLE says of others is in ``SAID``.
    """
    lines = [line("type", *COLUMNS), "| --- " * (len(COLUMNS) + 1) + "|\n"]
    for name, func in rows_of_types().items():
        cells = [cell(func, profile) for profile in COLUMNS.values()]
        lines.append(line(f"`{name}`".replace("|", "\\|"), *cells))
    lines += ["\n", line("schema", *FOREIGN), "| --- " * (len(FOREIGN) + 1) + "|\n"]
    for schema, _ in SAID:
        cells = [written(name, schema) for name in FOREIGN]
        lines.append(line(f"`{json.dumps(schema)}`".replace("|", "\\|"), *cells))
    return "".join(lines)


FOREIGN = ("OPENAI_STRICT", "ANTHROPIC_STRICT", "GEMINI_JSON", "GEMINI")


def written(name: str, schema: Json) -> str:
    """The schema of others in a dialect, and what is reported."""
    facts = Facts()
    said = json.dumps(DIALECTS[name](schema, facts), ensure_ascii=False)
    told = "".join(f" *{path or 'the root'}: {reason}*" for path, reason in facts)
    return f"`{said}`{told}".replace("|", "\\|")


def lost() -> str:
    """The parts of PORTABLE that the helpers of the SDKs lose."""
    lines = [line("type", *judges.HELPERS), "| --- " * 4 + "|\n"]
    for name, func in rows_of_types().items():
        schema = function_to_schema(func, profile=profiles.PORTABLE)
        cells = [", ".join(sorted(helper(schema))) or "-" for helper, _ in judges.HELPERS.values()]
        if any(each != "-" for each in cells):
            lines.append(line(f"`{name}`".replace("|", "\\|"), *cells))
    return "".join(lines)


def documented() -> str:
    """The table in .github/sources.md."""
    return SOURCES.read_text(encoding="utf-8").partition(LOST)[2].partition(END)[0]


def test_the_schema_of_each_type_is_that_of_the_table() -> None:
    made = emitted()
    assert EMITTED.read_text(encoding="utf-8") == made, "run python -m tests.dialects.test_dialects"


def test_bedrock_differs_from_anthropic_only_in_the_lengths_of_strings() -> None:
    anthropic, bedrock = (
        {name: cell(func, PROFILES[each]) for name, func in rows_of_types().items()}
        for each in ("ANTHROPIC_STRICT", "BEDROCK_STRICT")
    )
    lengths = "Annotated[str, MinLen(1), MaxLen(9)]"

    assert bedrock[lengths] == '`{"type": "string", "minLength": 1, "maxLength": 9}`'
    same = {name: said.replace("Anthropic", "Bedrock") for name, said in anthropic.items()}
    assert {**same, lengths: bedrock[lengths]} == bedrock
    assert same[lengths] != bedrock[lengths]


def test_documentation_has_the_table_of_lost_keywords() -> None:
    judges.require(*(module for _, module in judges.HELPERS.values()))

    assert documented() == lost(), "run python -m tests.dialects.test_dialects"


# -- keyword by keyword ------------------------------------------------------------------------

TAG: Json = {"discriminator": {"propertyName": "a"}}
STRING: Json = {"type": "string"}
INTEGER: Json = {"type": "integer"}
ANYTHING: list[Json] = [
    {"type": "string", "nullable": True},
    *({"type": each} for each in ("number", "boolean", "object")),
]
TREE: Json = obj([], below={"$ref": "#/$defs/Tree"})
SAID: list[tuple[Json, Json]] = [
    ({"const": 3}, {"type": "integer", "description": "one of 3"}),
    ({"enum": [1, 2.5]}, {"anyOf": [{"type": "integer", "description": "one of 1"},
         {"type": "number", "description": "one of 2.5"}]}),
    ({"enum": ["a", 1], "maxLength": 2}, any_of({"type": "string", "maxLength": 2, "enum": ["a"]},
         {"type": "integer", "description": "one of 1"})),
    ({"type": "number", "enum": [1, 2.5]}, {"type": "number", "description": "one of 1, 2.5"}),
    ({"type": "number", "enum": [1, "a"]}, {"anyOf": [{"type": "integer",
         "description": "one of 1"}, {"type": "string", "enum": ["a"]}]}),
    ({"enum": [True, False]}, {"type": "boolean"}),
    ({"type": "string", "enum": [1]}, {"type": "string", "description": "one of 1"}),
    ({"enum": [True]}, {"type": "boolean", "description": "one of true"}),
    ({"enum": ["a", "b"], "maxLength": 1, "pattern": "^a$", "format": "date"},
     {"type": "string", "enum": ["a", "b"], "maxLength": 1,
      "description": "matches ^a$; format date"}),
    ({"enum": [[1], {"a": 1}]}, {"anyOf": [{"type": "array", "items": "ANY",
           "description": "one of [1]"}, {"type": "object", "description": 'one of {"a": 1}'}]}),
    ({"type": ["string", "null"], "minLength": 1},
     {"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}]}),
    ({"oneOf": [STRING, INTEGER]}, {"anyOf": [STRING, INTEGER]}),
    ({"oneOf": [{"type": "number"}, INTEGER]},
     {"anyOf": [{"type": "number"}, INTEGER], "description": "exactly one of these"}),
    ({"oneOf": [STRING]}, STRING),
    ({"oneOf": [{"enum": ["a"]}, {"enum": ["b"]}]},
     any_of(STRING | {"enum": ["a"]}, STRING | {"enum": ["b"]})),
    *(({"oneOf": [obj(required, a={"const": each}) for each in "xy"]},
       any_of(*[obj(required, a=STRING | {"enum": [each]}) for each in "xy"]) | said)
      for required, said in ((["a"], {}), ([], {"description": "exactly one of these"}))),
    ({"anyOf": [STRING, INTEGER], "description": "D.", "not": {"const": 3}},
     {"anyOf": [{**STRING, "description": "not 3"}, {**INTEGER, "description": "not 3"}],
      "description": "D."}),
    ({"anyOf": [STRING, {"type": "null", "description": "None."}]},
     {"anyOf": [STRING, {"type": "null"}], "description": "null: None."}),
    ({"type": "string", "allOf": [{"pattern": "b"}, {"minLength": 2}]},
     {"type": "string", "minLength": 2, "description": "matches b"}),
    ({"type": "integer", "multipleOf": 2, "allOf": [{"multipleOf": 3}]},
     {"type": "integer", "description": "a multiple of 2; also a multiple of 3"}),
    ({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 9},
     {"type": "integer", "minimum": 1, "maximum": 8}),
    ({"type": "integer", "exclusiveMinimum": 0.5, "exclusiveMaximum": 8.5},
     {"type": "integer", "minimum": 1, "maximum": 8}),
    ({"type": "integer", "exclusiveMinimum": 0, "minimum": 5}, {"type": "integer", "minimum": 5}),
    ({"type": "number", "exclusiveMaximum": 1},
     {"type": "number", "maximum": 1, "description": "less than 1"}),
    ({"type": "integer", "minimum": 3, "maximum": 1},
     {"type": "integer", "description": "at least 3; at most 1"}),
    ({"type": "integer", "maximum": 2**70}, {"type": "integer", "description": f"at most {2**70}"}),
    ({"type": "string", "format": "ipv4"}, {"type": "string", "description": "format ipv4"}),
    ({"type": "array", "items": INTEGER, "uniqueItems": True, "contains": {"const": 1}},
     {"type": "array", "items": INTEGER, "description": "no duplicates; contains 1"}),
    ({"type": "array", "items": INTEGER, "uniqueItems": False},
     {"type": "array", "items": INTEGER}),
    ({"type": "array", "items": INTEGER, "uniqueItems": True, "allOf": [{"uniqueItems": False}]},
     {"type": "array", "items": INTEGER, "description": "no duplicates"}),
    *(({"type": "string", "not": each}, {"type": "string", "description": f"not {said}"})
      for each, said in ((fixed(INTEGER), "[integer]"), ({"required": ["a"]}, "{a}"),
         ({"properties": {"a": STRING}}, "{a?: string}"),
         ({"oneOf": [STRING, INTEGER]}, "string | integer"))),
    ({"type": "string", "not": any_of({"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}), "$defs": {
         "A": array_of({"$ref": "#/$defs/B"}), "B": array_of({"$ref": "#/$defs/C"}), "C": INTEGER}},
     {"type": "string", "description": "not [[C, ...], ...] | [integer, ...]"}),
    ({"type": "string", "not": {"const": "é"}}, {"type": "string", "description": 'not "é"'}),
    ({"type": "array", "maxItems": 0}, {"type": "array", "items": STRING, "maxItems": 0}),
    ({"type": "array", "items": INTEGER, "minItems": 3, "maxItems": 1},
     {"type": "array", "items": INTEGER,
      "description": "item count at least 3; item count at most 1"}),
    ({"type": "string", "minLength": 3, "maxLength": 1},
     {"type": "string", "description": "length at least 3; length at most 1"}),
    ({"type": "array", "prefixItems": [INTEGER, STRING], "items": False},
     {"type": "array", "items": {"anyOf": [INTEGER, STRING]}, "maxItems": 2,
      "description": "[integer, string]"}),
    ({"type": "array", "prefixItems": [INTEGER], "items": False},
     {"type": "array", "items": INTEGER, "maxItems": 1}),
    ({"type": "array", "prefixItems": [INTEGER], "items": {"type": ["string", "null"]}},
     {"type": "array", "items": {"anyOf": [INTEGER, STRING, {"type": "null"}]},
      "description": "[integer, string | null, ...]"}),
    ({"type": "object", "properties": {"a": STRING}, "additionalProperties": False},
     {"type": "object", "properties": {"a": STRING}, "description": "no other properties"}),
    ({"type": "object", "properties": {"a": STRING}, "additionalProperties": INTEGER},
     {"type": "object", "properties": {"a": STRING},
      "description": "other properties: {string: integer}"}),
    ({"type": "object", "additionalProperties": True}, {"type": "object"}),
    *(({"type": "object", "properties": {"a": STRING}, "additionalProperties": first,
        "allOf": [{"properties": {"a": True}, "additionalProperties": second}]},
       {"type": "object", "properties": {"a": STRING}, "description": "no other properties"})
      for first, second in ((True, False), (False, True))),
    ({"type": "object", "properties": {"a": STRING}, "required": ["a", "b"]},
     {"type": "object", "properties": {"a": STRING}, "required": ["a"], "description": "with b"}),
    ({"type": "object", "patternProperties": {"^x": True}, "minProperties": 1},
     {"type": "object",
      "description": "{string (matches ^x): anything}; property count at least 1"}),
    ({"type": "object", "propertyNames": {"anyOf": [{"pattern": "a"}, {"enum": ["b"]}]}},
     {"type": "object", "description": '{string (matches a) | "b": anything}'}),
    ({"type": "object", "additionalProperties": {"type": "object",
         "properties": {"a": {**STRING, "description": "An\n a."}}, "required": ["a"]}},
     {"type": "object", "description": "{string: {a: string (An a.)}}"}),
    ({"type": "object", "additionalProperties": {"type": "object"}},
     {"type": "object", "description": "{string: object}"}),
    ({"type": "object", "additionalProperties": {"not": {}}},
     {"type": "object", "description": "{string: nothing}"}),
    ({"type": "string", "default": None}, {"type": "string"}),
    ({"type": "string", "deprecated": False}, {"type": "string"}),
    ({"type": "string", "description": "D."}, {"type": "string", "description": "D."}),
    ({"type": "string", "description": "D.", "format": "ipv4"},
     {"type": "string", "description": "D. (format ipv4)"}),
    # references that are needed are kept
    (obj([], tree={"anyOf": [{"$ref": "#/$defs/Tree"}], "description": "D."})
     | {"$defs": {"Tree": TREE, "Unused": STRING}},
     obj([], tree={"anyOf": [{"$ref": "#/$defs/Tree"}], "description": "D."})
     | {"$defs": {"Tree": TREE}}),
    (obj([], a={"$ref": "#/$defs/A", "minLength": 2}, b={"$ref": "#/$defs/A", "maxLength": 5})
     | {"$defs": {"A": STRING}},
     obj([], a=STRING | {"minLength": 2}, b=STRING | {"maxLength": 5})),
    # keywords that cannot be merged are described, at each depth, and once
    ({"type": "integer", "multipleOf": 2, "allOf": [{"multipleOf": n} for n in (3, 5, 7, 3)]},
     {"type": "integer", "description":
         "a multiple of 2; also a multiple of 3; also a multiple of 5; also a multiple of 7"}),
    ({"type": "array", "items": {"type": "integer", "not": {"type": "integer", "multipleOf": 2,
         "allOf": [{"multipleOf": 3, "allOf": [{"multipleOf": 5}]}]}}},
     {"type": "array", "items": {"type": "integer", "description":
         "not integer (a multiple of 2; also a multiple of 5; also a multiple of 3)"}}),
    ({"anyOf": [STRING, INTEGER],
      "allOf": [{"pattern": "^a$"}, {"pattern": "^b$"}, {"multipleOf": 2}, {"multipleOf": 3}]},
     {"anyOf": [{"type": "string", "pattern": "^a$", "description": "also matches ^b$"},
         {"type": "integer", "description": "a multiple of 2; also a multiple of 3"}]}),
    ({"anyOf": [STRING, INTEGER], "description": "A.", "allOf": [{"description": "B."}]},
     {"anyOf": [STRING, INTEGER], "description": "A. (also B.)"}),
    *(({"anyOf": [STRING, INTEGER], keyword: True},
       {"anyOf": [STRING, INTEGER], "description": f"{keyword}: true"})
      for keyword in ("readOnly", "writeOnly")),
    *(({"anyOf": [STRING, INTEGER], keyword: False}, {"anyOf": [STRING, INTEGER]})
      for keyword in ("readOnly", "writeOnly")),
    # what is about other types, or says nothing, is not
    ({"type": "string", "$comment": "Ours.", "propertyOrdering": ["a"]}, STRING),
    (obj([], a=STRING) | {"propertyOrdering": ["a"]}, obj([], a=STRING)),
    ({"oneOf": [STRING, INTEGER], **TAG}, {"anyOf": [STRING, INTEGER]}),
    ({"type": "string", "not": {"anyOf": [STRING, INTEGER], **TAG}},
     {"type": "string", "description": "not string | integer"}),
    ({"type": "string", **TAG},
     {"type": "string", "description": 'discriminator: {"propertyName": "a"}'}),
    ({"anyOf": [STRING, STRING], **TAG},
     {"type": "string", "description": 'discriminator: {"propertyName": "a"}'}),
    ({"type": "string", "minContains": 2, "dependentRequired": {"a": ["b"]},
      "unevaluatedItems": False}, STRING),
    ({"type": "integer", "not": {"type": "integer", "deprecated": False, "minimum": 3}},
     {"type": "integer", "description": "not integer (at least 3)"}),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "expected"), SAID, ids=str)
def test_portable_describes_unsupported_keywords(schema: Json, expected: Json) -> None:
    anything = spell("PORTABLE", {})
    expected = json.loads(json.dumps(expected).replace('"ANY"', json.dumps(anything)))

    assert spell("PORTABLE", schema) == expected


def test_any_value_is_one_node_for_each_type() -> None:
    union = spell("PORTABLE", {"description": "D.", "default": [1]})

    assert [arm["type"] for arm in union["anyOf"]] == [
        "string", "number", "boolean", "object", "array", "null",
    ]  # fmt: skip
    assert union["description"] == "D. (any JSON value)"
    assert union["default"] == [1]


def test_constraint_without_a_type_applies_to_its_types() -> None:
    arms = spell("PORTABLE", {"minimum": 1, "not": {"const": 3}})["anyOf"]

    assert [arm["type"] for arm in arms if "minimum" in arm] == ["number"]
    assert all("not 3" in arm["description"] for arm in arms if arm["type"] != "null")


PATTERNS = {
    r"^[\d_]+$": "^[0-9_]+$",
    r"^[\w-]$": "^[A-Za-z0-9_-]$",
    r"^[a-z]{2,}-\d+$": r"^[a-z]{2,}-[0-9]+$",
    r"^(?:a|b)?\.[\w.]$": r"^(?:a|b)?\.[A-Za-z0-9_.]$",
    r"^(a(b|c))*.$": r"^(a(b|c))*.$",
    r"^a|b$": None,
    r"^(a)|(b)$": None,
    r"^a+?$": None,
    r"^a\b$": None,
    r"^(?=a)b$": None,
    r"^(?<n>a)$": None,
    r"^(a)\1$": None,
    r"^\s$": None,
    r"^a": None,
    r"a$": None,
    "": None,
    "^": None,
}


@pytest.mark.parametrize(("pattern", "expected"), PATTERNS.items())
def test_pattern_is_kept_in_the_common_subset(pattern: str, expected: str | None) -> None:
    kept = {"pattern": expected} if expected else {"description": f"matches {pattern}"}

    assert spell("PORTABLE", {"type": "string", "pattern": pattern}) == {"type": "string", **kept}


def test_union_of_references_describes_shared_constraints() -> None:
    schema = {"anyOf": [{"$ref": "#/$defs/A"}, STRING], "not": {"const": 1}, "$defs": {"A": STRING}}

    assert spell("PORTABLE", schema)["description"] == "not 1"


def test_mapping_of_definitions_is_described_once() -> None:
    tree = {"type": "object", "additionalProperties": {"$ref": "#/$defs/Tree"}}
    said = spell("PORTABLE", {"$ref": "#/$defs/Tree", "$defs": {"Tree": tree}})

    assert said["$defs"]["Tree"]["description"] == "{string: {string: Tree}}"


# -- objects of the strict modes, and null of Gemini -------------------------------------------

EXACT = {"type": "integer", "enum": [1, 2], "exclusiveMinimum": 0, "multipleOf": 1}
BOUNDS = obj([], a=array_of(INTEGER) | {"minItems": 1},
             b=array_of(INTEGER) | {"minItems": 2, "maxItems": 5}, c=fixed(INTEGER, INTEGER),
             d={"type": "number", "exclusiveMinimum": 0})  # fmt: skip
REFERRING = obj([], a={"$ref": "#/$defs/A"}) | {
    "$defs": {"A": array_of({"$ref": "#/$defs/B"}), "B": STRING}
}
CLOSED: Json = {"additionalProperties": False}
OF_ONE_DIALECT: dict[str, tuple[str, Json, Json]] = {
    "every property is required, and null allowed": ("OPENAI_STRICT",
        obj(["a"], a=STRING, b={"type": "integer", "default": 0, "description": "How many."},
            c=any_of(INTEGER, NULL)),
        record(a=STRING, b=any_of(INTEGER, NULL) | {"description": "How many. (default 0)"},
               c=any_of(INTEGER, NULL)) | CLOSED),
    "what OpenAI can enforce is kept": ("OPENAI_STRICT", EXACT, EXACT),
    "a closed object without properties is no mapping": ("OPENAI_STRICT",
        {"type": "object", **CLOSED}, obj([]) | {"required": [], **CLOSED}),
    "optional properties are kept, and bounds described": ("ANTHROPIC_STRICT", BOUNDS,
        obj([], a=array_of(INTEGER) | {"minItems": 1}, b=array_of(INTEGER)
            | {"description": "item count at least 2; item count at most 5"},
            c=array_of(INTEGER) | {"description": "[integer, integer]"},
            d={"type": "number", "description": "greater than 0"}) | {"required": [], **CLOSED}),
    "finite references are kept": ("ANTHROPIC_STRICT", REFERRING,
        REFERRING | {"required": [], **CLOSED}),
    "null as in OpenAPI": ("GEMINI", any_of(STRING, NULL) | {"default": "a"},
        STRING | {"default": "a", "nullable": True}),
    "null beside a description": ("GEMINI",
        any_of(STRING | {"format": "ipv4"}, NULL) | {"description": "D."},
        STRING | {"description": "D. (format ipv4)", "nullable": True}),
    "null beside two types": ("GEMINI", any_of(STRING, INTEGER, NULL),
        any_of(STRING | {"nullable": True}, INTEGER)),
    "nothing is beside a union": ("GEMINI",
        any_of(STRING | {"format": "ipv4"}, INTEGER) | {"description": "D.", "default": 3},
        any_of(STRING | {"description": "D. (format ipv4; default 3)"}, INTEGER)),
    "a union in a union": ("GEMINI",
        any_of(any_of(STRING, NULL) | {"description": "D."},
            any_of(INTEGER, {"type": "boolean"}) | {"description": "E."}),
        any_of(STRING | {"description": "D.", "nullable": True},
            INTEGER | {"description": "E."}, {"type": "boolean"})),
    "any value": ("GEMINI", array_of({}), array_of(any_of(*ANYTHING, array_of(any_of(*ANYTHING))))),
    "no null": ("GEMINI", any_of(STRING, INTEGER), any_of(STRING, INTEGER)),
    "the order of properties": ("GEMINI",
        obj([], a=STRING) | {"type": ["object", "null"], "propertyOrdering": ["a"]},
        obj([], a=STRING) | {"propertyOrdering": ["a"], "nullable": True}),
    "definitions are written out": ("GEMINI",
        array_of({"$ref": "#/$defs/A"}) | {"$defs": {"A": STRING}}, array_of(STRING)),
}  # fmt: skip


@pytest.mark.parametrize("fact", OF_ONE_DIALECT)
def test_a_dialect_has_rules_of_its_own(fact: str) -> None:
    name, schema, expected = OF_ONE_DIALECT[fact]
    assert spell(name, schema) == expected


SAID_TO_GEMINI: list[tuple[Json, Json]] = [
    # keywords that only this form of Gemini has
    ({"type": "object", "additionalProperties": {"const": 1}},
     {"type": "object", "additionalProperties": {"type": "integer", "enum": [1]}}),
    ({"type": "object", "properties": {"a": STRING}, "additionalProperties": False},
     {"type": "object", "properties": {"a": STRING}, "additionalProperties": False}),
    ({"type": "object", "additionalProperties": INTEGER, "propertyNames": {"pattern": "^a"}},
     {"type": "object", "additionalProperties": INTEGER,
      "description": "{string (matches ^a): integer}"}),
    ({"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "items": False},
     {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2}),
    ({"type": "array", "prefixItems": [INTEGER, STRING], "maxItems": 1, "items": False},
     {"type": "array", "prefixItems": [INTEGER, STRING], "maxItems": 1}),
    ({"type": "array", "prefixItems": [INTEGER], "items": {"type": ["string", "null"]}},
     {"type": "array", "prefixItems": [INTEGER],
      "items": {"anyOf": [STRING, {"type": "null"}]}}),
    ({"enum": [1, 2.5]},
     {"anyOf": [{"type": "integer", "enum": [1]}, {"type": "number", "enum": [2.5]}]}),
    ({"type": "integer", "exclusiveMinimum": 0, "maximum": 9},
     {"type": "integer", "minimum": 1, "maximum": 9}),
    (obj([], a=STRING, b=STRING) | {"propertyOrdering": ["b", "a"]},
     obj([], a=STRING, b=STRING) | {"propertyOrdering": ["b", "a"]}),
    # keywords that it lacks or ignores
    *((obj([], a=STRING) | {"propertyOrdering": ordering}, obj([], a=STRING))
      for ordering in (["a", "b"], ["a", []], 1)),
    ({"type": "object", "additionalProperties": True}, {"type": "object"}),
    ({"type": "object", "additionalProperties": {}},
     {"type": "object", "description": "{string: anything}"}),
    ({"type": "object", "patternProperties": {"^x": INTEGER}, "additionalProperties": False},
     {"type": "object", "description": "{string (matches ^x): integer}"}),
    ({"enum": ["", "a"]}, {"type": "string", "description": 'one of "", "a"'}),
    ({"enum": [True]}, {"type": "boolean", "description": "one of true"}),
    ({"type": "string", "pattern": "^a$", "minLength": 1, "maxLength": 2, "default": "a"},
     {"type": "string",
      "description": 'matches ^a$; length at least 1; length at most 2; default "a"'}),
    ({"type": "string", "title": "T", "format": "email"},
     {"type": "string", "description": "format email; T"}),
    # titles that only repeat a name
    (obj([], first_name=STRING | {"title": "First Name"}) | {"title": "Page[int]"},
     obj([], first_name=STRING)),
    (obj([], b=STRING | {"title": "Page[int]"}) | {"title": "A page"},
     obj([], b=STRING | {"description": "Page[int]"}) | {"description": "A page"}),
    (obj([], b=STRING | {"title": "C"}) | {"title": "Page[int"},
     obj([], b=STRING | {"description": "C"}) | {"description": "Page[int"}),
    ({"enum": ["a"], "title": "Kind"}, {"type": "string", "enum": ["a"]}),
    ({"type": "string", "format": "date-time"}, {"type": "string", "format": "date-time"}),
    ({"type": "integer", "multipleOf": 5}, {"type": "integer", "description": "a multiple of 5"}),
    ({"type": "array", "items": INTEGER, "uniqueItems": True},
     {"type": "array", "items": INTEGER, "description": "no duplicates"}),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "expected"), SAID_TO_GEMINI, ids=str)
def test_gemini_json_has_more_keywords_and_describes_ignored_ones(
    schema: Json, expected: Json
) -> None:
    assert spell("GEMINI_JSON", schema) == expected


def tree_of(below: Json, required: list[str]) -> Json:
    """A parameter of a type that contains itself."""
    tree = {"type": "object", "properties": {"below": below}, "required": required}
    properties = {"tree": {"$ref": "#/$defs/Tree"}}
    return {
        "type": "object",
        "properties": properties,
        "required": ["tree"],
        "$defs": {"Tree": tree},
    }


TREES = [
    {"$ref": "#/$defs/Tree"},
    {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
    {"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}]},
    {"type": "object", "additionalProperties": {"$ref": "#/$defs/Tree"}},
]


@pytest.mark.parametrize("below", TREES, ids=str)
def test_gemini_json_supports_recursion_through_an_optional_property(below: Json) -> None:
    optional = record(tree={"$ref": "#/$defs/Tree"}) | {
        "$defs": {"Tree": {"type": "object", "properties": {"below": below}, "required": []}}
    }
    assert spell("GEMINI_JSON", tree_of(below, [])) == optional

    facts = Facts()
    result = write_in("gemini_json", tree_of(below, ["below"]), facts)
    reason = "Tree contains itself, which Gemini's JSON Schema does not support; use a simpler type"
    assert facts == [(".tree", reason)]
    assert "$ref" not in str(result)


def test_recursion_through_another_type_needs_an_optional_property() -> None:
    a = {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}, "required": ["b"]}
    b = {"type": "array", "items": {"$ref": "#/$defs/A"}}
    other = {"type": "object", "properties": {"s": {"$ref": "#/$defs/S"}}, "required": ["s", "t"]}
    rest = {**obj([], s=STRING), "additionalProperties": {"$ref": "#/$defs/R"}}
    definitions = {"A": a, "B": b, "O": other, "S": STRING, "R": rest}
    properties = {name: {"$ref": f"#/$defs/{name.upper()}"} for name in "abor"}
    facts = Facts()
    result = write_in(
        "gemini_json", {"type": "object", "properties": properties, "$defs": definitions}, facts
    )

    assert facts.paths == [".a", ".b", ".r"]
    assert result["properties"]["o"] == {"$ref": "#/$defs/O"}
    assert list(result["$defs"]) == ["O", "S"]


# -- parts that are not changed ----------------------------------------------------------------

LIKE_A_SCHEMA: Json = {"type": ["a"], "const": 1, "$ref": "x", "default": None, "title": "T"}
NAMES = ["title", "type", "default", "properties", "required", "items", "enum", "format", "anyOf"]


@every_dialect
def test_parameters_may_have_the_names_of_keywords(name: str) -> None:
    properties = dict.fromkeys(NAMES, STRING)
    schema = {"type": "object", "properties": properties, "required": NAMES}

    assert spell(name, schema)["properties"] == properties


@every_dialect
def test_name_of_a_reference_survives(name: str) -> None:
    facts = Facts()
    result = DIALECTS[name]({"type": "object", "properties": {"$ref": STRING}}, facts)

    assert list(result["properties"]) == ["$ref"]
    assert facts.paths == ([] if name == "OPENAI_STRICT" else ['["$ref"]'])


def test_data_is_not_a_schema() -> None:
    schema = {"type": "object", "default": LIKE_A_SCHEMA}

    assert spell("PORTABLE", schema) == schema
    assert json.dumps(LIKE_A_SCHEMA) in spell("ANTHROPIC_STRICT", {
        "type": "object", "properties": {"a": STRING}, "examples": [LIKE_A_SCHEMA],
    })["description"]  # fmt: skip


@every_dialect
def test_result_shares_nothing_with_the_schema(name: str) -> None:
    for schema, _ in SAID:
        before = json.dumps(schema)
        _spoil(DIALECTS[name](schema, Facts()))
        assert json.dumps(schema) == before


def _spoil(value: Any) -> None:
    for each in list(value.values() if isinstance(value, dict) else value):
        if isinstance(each, (dict, list)):
            _spoil(each)
    value.clear()


# -- reports -----------------------------------------------------------------------------------


@every_dialect
@pytest.mark.parametrize("nothing", [False, {"not": {}}, {"not": True}, {"enum": []}], ids=str)
def test_a_schema_without_valid_values_is_reported(name: str, nothing: Any) -> None:
    facts = Facts()
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": nothing}}}
    result = DIALECTS[name](schema, facts)

    assert facts.paths == [".a[]"]
    assert "null" in str(result)


@pytest.mark.parametrize("name", ["ANTHROPIC_STRICT", "GEMINI"])
def test_recursion_is_reported_if_it_is_not_supported(name: str) -> None:
    a = {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}}
    b = {"type": "array", "items": {"$ref": "#/$defs/A"}}
    facts = Facts()
    result = DIALECTS[name](
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": a, "B": b}},
        facts,
    )

    assert facts.paths == [".a"]
    assert facts[0][1].startswith("A contains itself")
    assert "$ref" not in str(result)
    assert result["properties"]["a"]["description"] == "{b?: [A, ...]}"


def test_a_definition_with_a_long_description_is_only_named() -> None:
    wide = {
        "type": "object",
        "properties": {f"field_{i}": {"$ref": "#/$defs/Wide"} for i in range(200)},
    }
    schema = obj([], a={"$ref": "#/$defs/Wide"}) | {"$defs": {"Wide": wide}}
    result = DIALECTS["GEMINI"](schema, Facts())

    assert result["properties"] == {"a": {"type": "object", "description": "Wide"}}
    for length, said in ((1_998, json.dumps("x" * 1_998)), (1_999, "Long")):
        values = {"additionalProperties": {"$ref": "#/$defs/Long"}}
        long = {"type": "object", **values, "$defs": {"Long": {"enum": ["x" * length]}}}
        assert spell("PORTABLE", long)["description"] == f"{{string: {said}}}"


def test_a_schema_that_explodes_without_references_is_reported() -> None:
    definitions: Json = {"D0": STRING}
    for number in range(1, 20):
        below = {"$ref": f"#/$defs/D{number - 1}"}
        definitions[f"D{number}"] = {"type": "object", "properties": {"a": below, "b": below}}
    facts = Facts()
    write_in("gemini", {"$ref": "#/$defs/D19", "$defs": definitions}, facts)

    assert any("more than 10,000 subschemas" in reason for _, reason in facts)


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        (5, []),
        (4, [(".c", "more than 4 subschemas, which Gemini does not support; use a simpler type")]),
    ],
)
def test_every_subschema_counts_once_where_references_are_replaced(
    monkeypatch: pytest.MonkeyPatch, limit: int, told: list[tuple[str, str]]
) -> None:
    monkeypatch.setattr("milo_schema.dialects.spelling.MAX_SIZE", limit)
    facts = Facts()
    properties = {"a": STRING, "b": {"$ref": "#/$defs/A"}, "c": {"$ref": "#/$defs/A"}}
    schema = {"type": "object", "properties": properties, "$defs": {"A": STRING}}
    write_in("gemini", schema, facts)

    assert facts == told


OPEN: list[Json] = [
    {},
    {"type": "object"},
    {"type": "object", "additionalProperties": INTEGER},
    {"type": "object", "properties": {"a": INTEGER}, "additionalProperties": True},
]
REMOTE: Json = {"$ref": "https://example.com/x"}
REPORTED: list[tuple[str, Json, list[str]]] = [
    *((name, obj([], a=each), [".a"])
      for name in ("OPENAI_STRICT", "ANTHROPIC_STRICT") for each in OPEN),
    *((name, array_of(REMOTE) | {"$defs": {"A": {"$ref": "#"}}}, ["[]"]) for name in DIALECTS),
    ("GEMINI", {"$ref": "#/$defs/A", "$defs": {"A": array_of({"$ref": "x"})}}, ["[]"]),
    ("OPENAI_STRICT", any_of(obj([], **{f"p{at}": STRING for at in range(5_001)}), NULL), [""]),
]  # fmt: skip
"""Open objects in strict modes, references that lead elsewhere, and a limit inside a branch."""


@pytest.mark.parametrize(("name", "schema", "paths"), REPORTED, ids=range(len(REPORTED)))
def test_what_a_dialect_cannot_say_is_reported_with_its_path(
    name: str, schema: Json, paths: list[str]
) -> None:
    facts = Facts()
    DIALECTS[name](schema, facts)

    assert facts.paths == paths
    assert "https:" not in str(schema) or "outside" in facts[0][1]


def objects(count: int, **keywords: Any) -> Json:
    """An object with that many properties."""
    names = [f"p{number}" for number in range(count)]
    return {"type": "object", "properties": dict.fromkeys(names, STRING), **keywords}


def nested(levels: int) -> Json:
    """That many objects in each other."""
    schema: Json = {"type": "object", "properties": {}}
    for _ in range(levels - 1):
        items = {"type": "array", "items": schema}
        schema = {"type": "object", "properties": {"a": items}, "required": ["a"]}
    return schema


def listed(levels: int) -> Json:
    """A string in that many arrays."""
    schema: Json = STRING
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    return schema


def bounded(*most: int) -> Json:
    """An object of arrays with these numbers of items."""
    arrays = [{"type": "array", "items": STRING, "maxItems": each} for each in most]
    names = {f"p{number}": each for number, each in enumerate(arrays)}
    return {"type": "object", "properties": names}


HAVE_MAX_ITEMS = ("PORTABLE", "GEMINI", "GEMINI_JSON")
LIMITS = [
    ("OPENAI_STRICT", objects(5_000), objects(5_001), ""),
    ("OPENAI_STRICT", nested(10), nested(11), ".a[]" * 10),
    ("OPENAI_STRICT", {"enum": [*range(1_000)]}, {"enum": [*range(1_001)]}, ""),
    ("OPENAI_STRICT", {"enum": ["x" * 120_000]}, {"enum": ["x" * 120_001]}, ""),
    ("OPENAI_STRICT", {"enum": [f"{n:050}" for n in range(300)]},
     {"type": "array", "items": {"enum": [f"{n:051}" for n in range(300)]}}, "[]"),
    ("ANTHROPIC_STRICT", objects(24), objects(25), ""),
    ("ANTHROPIC_STRICT", objects(0, properties={f"p{n}": {"type": ["string",
             "null"]} for n in range(16)}), objects(0,
       properties={f"p{n}": {"type": ["string", "null"]} for n in range(17)}), ""),
    ("BEDROCK_STRICT", objects(24), objects(25), ""),
    ("PORTABLE", listed(9), listed(10), "[]" * 10),
    ("PORTABLE", {"type": "object", "properties": {"a": {"anyOf": [listed(7), STRING]}}},
     {"type": "object", "properties": {"a": {"anyOf": [listed(8), STRING]}}}, ".a" + "[]" * 8),
    *((name, bounded(900, 60), bounded(900, 61), ".p1") for name in HAVE_MAX_ITEMS),
]  # fmt: skip


@pytest.mark.parametrize(("name", "most", "more", "path"), LIMITS, ids=range(len(LIMITS)))
def test_limits_are_reported_with_the_path(name: str, most: Json, more: Json, path: str) -> None:
    facts = Facts()
    DIALECTS[name](more, facts)

    spell(name, most)
    assert path in facts.paths
    assert all("allows at most" in reason for _, reason in facts)


def test_two_definitions_in_one_description_are_described_separately() -> None:
    describer = Describer({"A": {"type": "integer"}, "B": {"type": "string"}})
    union = {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}
    assert describer.schema(union, ()) == "integer | string"


def test_a_property_without_a_value_is_described_if_it_is_required() -> None:
    """An optional property that accepts no value is not described: it has to be left out."""
    schema: Json = {"type": "object", "properties": {"a": False, "b": False}, "required": ["a"]}
    assert Describer({}).schema(schema, ()) == "{a: nothing}"


def test_names_with_alternatives_keep_what_holds_for_all_of_them() -> None:
    names: Json = {"anyOf": [{"const": "a"}, {"pattern": "^x"}], "minLength": 2}
    schema = {"type": "object", "propertyNames": names, "additionalProperties": {"type": "integer"}}
    said = '{"a" | string (matches ^x) (length at least 2): integer}'
    assert Describer({}).schema(schema, ()) == said


def test_definitions_count_where_the_api_counts_them() -> None:
    """OpenAI counts the levels of each definition anew; Anthropic does not look into any."""
    definitions = {"A": objects(25), "B": nested(10)}
    root = {"type": "array", "items": {"$ref": "#/$defs/A"}, "$defs": definitions}
    facts = Facts()
    write_in("anthropic_strict", root, facts)
    items = {"type": "object", "properties": {"a": {"$ref": "#/$defs/B"}}, "required": ["a"]}
    write_in("openai_strict", {**items, "$defs": definitions}, facts)
    assert facts == []

    write_in("openai_strict", {**items, "$defs": {"B": nested(11)}}, facts)
    assert facts.paths == ["#B" + ".a[]" * 10]


def test_openai_counts_the_properties_of_each_definition_separately() -> None:
    half = {"type": "object", "properties": dict.fromkeys([f"p{n}" for n in range(2_600)], STRING)}
    references = {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"}}
    root = {"type": "object", "properties": references, "required": ["a", "b"]}
    spell("OPENAI_STRICT", {**root, "$defs": {"A": half, "B": half}})

    facts = Facts()
    write_in("openai_strict", {**root, "$defs": {"A": half, "B": objects(5_001)}}, facts)
    assert facts == [
        ("#B", "OpenAI's strict mode allows at most 5000 properties; simplify the type")
    ]


def test_anthropic_counts_unions_of_properties_only() -> None:
    arrays = {f"p{n}": {"type": "array", "items": {"type": ["string", "null"]}} for n in range(17)}
    schema = {"type": "object", "properties": arrays, "required": [*arrays]}

    assert spell("ANTHROPIC_STRICT", schema)["required"] == [*arrays]


@dataclasses.dataclass
class Wide:
    a: int = 0
    b: int = 0
    c: int = 0
    d: int = 0
    e: int = 0
    f: int = 0
    g: int = 0
    h: int = 0
    i: int = 0


def chain(length: int) -> Any:
    made: Any = int
    for at in range(length):
        made = dataclasses.make_dataclass(f"C{at}", [("x", made)])
    return made


def test_named_types_become_definitions_if_they_are_too_large_inline() -> None:
    def wide(x: Wide, y: Wide, z: Wide) -> Wide: ...
    def narrow(x: Wide, y: Wide) -> None: ...
    def deep(x: chain(12)) -> None: ...  # type: ignore[valid-type]

    anthropic, openai = profiles.ANTHROPIC_STRICT, profiles.OPENAI_STRICT
    shared = function_to_schema(wide, profile=anthropic, strict=True)
    assert shared == function_to_schema(wide, profile=anthropic.replace(inline=False))
    assert shared["properties"]["y"] == {"$ref": "#/$defs/Wide"}
    assert "$defs" not in function_to_schema(narrow, profile=anthropic)
    schema = function_to_schema(deep, profile=openai, strict=True)
    assert schema == function_to_schema(deep, profile=openai.replace(inline=False))
    assert len(schema["$defs"]) == 12


def test_a_schema_that_is_too_large_with_definitions_is_refused_with_its_path() -> None:
    def wide(x: Wide, y: Wide, z: Wide, n: dict[str, int]) -> None: ...

    with pytest.raises(SchemaError) as caught:
        function_to_schema(wide, profile=profiles.ANTHROPIC_STRICT)
    assert [each.path for each in caught.value.problems] == ["wide(z)", "wide(n)"]


@pytest.mark.parametrize("name", DIALECTS)
def test_extensions_are_dropped_silently(name: str) -> None:
    """They are for programs; the one that MCP defines is kept where any client may read it."""
    plain: Json = record(a=STRING, b=any_of(STRING, INTEGER), c=fixed(STRING, INTEGER)) | {
        "additionalProperties": False
    }
    marked: Json = json.loads(json.dumps(plain))  # in which no fragment stands twice
    marks = {"x-user-providable": True, "x-mcp-header": "Region"}
    for node in (marked, *marked["properties"].values(), *marked["properties"]["c"]["prefixItems"]):
        node.update(marks)
    expected = spell(name, plain)
    if name == "PORTABLE":
        for node in (expected, *expected["properties"].values()):
            node["x-mcp-header"] = "Region"
        for node in expected["properties"]["c"]["items"]["anyOf"]:
            node["x-mcp-header"] = "Region"

    assert spell(name, marked) == expected


# -- schemas from elsewhere --------------------------------------------------------------------

KINDS = ["string", "integer", "number", "boolean", "null", "array", "object"]
small = st.integers(0, 3)
data = st.sampled_from([None, True, 1, 0.5, "", "a", [], [1], {"type": None}, {"$ref": "x"}])


def _schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas of most keywords, whether they make sense together or not."""
    several = st.lists(inner, min_size=1, max_size=2)
    kinds = st.sampled_from(KINDS)
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "type": (kinds | st.lists(kinds, min_size=1, max_size=3, unique=True)),
        "properties": st.dictionaries(st.sampled_from(["a", "type", "enum"]), inner, max_size=2),
        "required": st.lists(st.sampled_from("ab"), unique=True),
        "patternProperties": st.dictionaries(st.just("^a"), inner, max_size=1),
        "enum": st.lists(data, max_size=3),
        "const": data,
        "default": data,
        "examples": st.lists(data, max_size=2),
        "pattern": st.sampled_from(["a", "^a$", r"^[\d]+$"]),
        "format": st.sampled_from(["date", "ipv4"]),
        "description": st.sampled_from(["", "Text."]),
        "x-a": data,
        "uniqueItems": st.booleans(),
        "$ref": st.sampled_from(["#/$defs/A", "#/$defs/B"]),
    }
    keywords |= dict.fromkeys(["items", "additionalProperties", "propertyNames", "not"], inner)
    keywords |= dict.fromkeys(["if", "contains"], inner)
    keywords |= dict.fromkeys(["anyOf", "oneOf", "allOf", "prefixItems"], several)
    keywords |= dict.fromkeys(["minimum", "maximum", "exclusiveMinimum", "minLength"], small)
    keywords |= dict.fromkeys(["maxLength", "minItems", "maxItems"], small)
    keywords["multipleOf"] = st.integers(1, 3)
    return st.booleans() | st.fixed_dictionaries({}, optional=keywords)


SCHEMAS = st.recursive(st.just({"type": "string"}), _schemas, max_leaves=6)


@every_dialect
@hypothesis.settings(max_examples=25, deadline=None)
@hypothesis.given(SCHEMAS, SCHEMAS, SCHEMAS)
@pytest.mark.slow
def test_any_schema_can_be_written_in_the_dialect(
    name: str, one: Any, two: Any, three: Any
) -> None:
    properties = {"p": one, "q": two}
    schema = {"type": "object", "properties": properties, "$defs": {"A": two, "B": three}}
    before = json.dumps(schema)
    result = DIALECTS[name](schema, Facts())

    assert json.dumps(schema) == before
    judges.house_rules(result, name)
    jsonschema.Draft202012Validator.check_schema(result)


# -- as profiles -------------------------------------------------------------------------------


def test_the_path_begins_with_the_function() -> None:
    def search(filters: list[dict[str, int]]): ...

    with pytest.raises(SchemaError) as caught:
        function_to_schema(search, profile=profiles.OPENAI_STRICT)

    assert caught.value.path == "search(filters)[]"


def test_portable_warns_unless_it_is_strict() -> None:
    bad = TypedDict("bad", {"a-b": int})

    def search(**filters: Unpack[bad]): ...

    with pytest.warns(SchemaWarning) as warned:
        function_to_schema(search, profile=profiles.PORTABLE)
    with pytest.raises(SchemaError) as caught:
        function_to_schema(search, profile=profiles.PORTABLE, strict=True)

    assert warned[0].message.path == caught.value.path == "search(a-b)"


ODD_NAMES = ["größe", "Account Number", "page[size]", "x" * 65, "a.b", "1st"]
TAKEN = {  # parts that the API is known to refuse are reported
    "PORTABLE": [],
    "OPENAI_STRICT": ODD_NAMES,
    "ANTHROPIC_STRICT": ["a.b", "1st"],
    "BEDROCK_STRICT": ["a.b", "1st"],
    "GEMINI": [],
    "GEMINI_JSON": [],
}


@every_dialect
def test_only_names_of_parameters_are_checked(name: str) -> None:
    longest = "x" * 64
    below = {
        "type": "object",
        "properties": dict.fromkeys(ODD_NAMES, STRING),
        "required": ODD_NAMES,
        "additionalProperties": False,
    }
    names = [*ODD_NAMES, longest]
    schema = {
        "type": "object",
        "properties": {**dict.fromkeys(names, STRING), "below": array_of(below)},
        "required": [*names, "below"],
    }
    facts = Facts()
    DIALECTS[name](schema, facts)

    assert facts.paths == [step_to(each) for each in ODD_NAMES if each not in TAKEN[name]]


@every_dialect
def test_outputs_are_objects(name: str) -> None:
    def count() -> int: ...

    schema = return_to_schema(count, profile=PROFILES[name])

    assert schema is not None
    assert schema["type"] == "object"
    assert schema["properties"] == {"result": {"type": "integer"}}


# -- the judges --------------------------------------------------------------------------------


@functools.cache
def rows(name: str) -> list[tuple[Case, Json]]:
    """Each row of the table as the parameter of a function, in a profile.

    Schemas that no mode derives, and names that no consumer accepts, are left out: both warn.
    """
    profile = PROFILES[name].replace(failure="warn")
    found = []
    for case in CASES:
        if case.mcp is None or lacking(case.needs):
            continue
        func = function_of(case.type)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            schema = function_to_schema(func, profile=case.profile(profile))
        if not any("takes no such name" in str(each.message) for each in caught):
            found.append((case, schema))
    return found


JUDGED = [
    pytest.param(name, judge, id=f"{name}-{judge.name}")
    for name in DIALECTS
    for judge in judges.JUDGES
    if name in judge.profiles
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "judge"), JUDGED)
def test_judges_accept_every_row(name: str, judge: judges.Judge) -> None:
    """Other rows for the next profile, if the judge is slow."""
    judges.require(*judge.needs)

    assert len(rows(name)) >= 450
    judged = judges.part_of(rows(name), judge, [*DIALECTS].index(name))
    refused = {str(case): judges.complaint(judge, schema) for case, schema in judged}
    assert {case: why for case, why in refused.items() if why} == {}


# -- random signatures, and values that fit them -----------------------------------------------

Sample = tuple[Any, st.SearchStrategy[Any]]
"""An annotation, and the JSON of its values."""


def _samples(*pairs: Sample) -> st.SearchStrategy[Sample]:
    return st.sampled_from(pairs)


letters = st.text('abcäz "\\\n', max_size=5)
LEAVES = _samples(
    (str, letters),
    (int, st.integers(-(10**9), 10**9)),
    (bool, st.booleans()),
    (None, st.none()),
    (float, st.integers(-1000, 1000).map(lambda number: number / 8)),
    (Any, letters | st.integers(-99, 99) | st.none()),
    (Literal["a", "b"], st.sampled_from(["a", "b"])),
    (Literal[1, "x", None], st.sampled_from([1, "x", None])),
    (Color, st.sampled_from(["red", "blue"])),
    (Level, st.sampled_from([1, 2])),
    (datetime.date, st.dates().map(str)),
    (uuid.UUID, st.uuids().map(str)),
    (bytes, st.just("YWJj")),
    (Annotated[int, Ge(1), Lt(9)], st.integers(1, 8)),
    (Annotated[float, Gt(0), Le(2)], st.sampled_from([0.5, 1.5, 2.0])),
    (Annotated[int, MultipleOf(5)], st.sampled_from([0, 5, 10])),
    (Annotated[str, MinLen(1), MaxLen(3)], st.text("ab", min_size=1, max_size=3)),
    (Annotated[str, Pattern(r"^\d{2}-[a-c]+$"), Description("A code.")], st.just("12-abc")),
    (Annotated[str, Format("ipv4"), Title("Address")], st.just("127.0.0.1")),
    (dict[str, int], st.dictionaries(letters, st.integers(0, 9), max_size=2)),
    (Node, st.sampled_from([{"value": 1}, {"value": 1, "next": {"value": 2, "next": None}}])),
)
names = st.text("abcdefgh_", min_size=1, max_size=6).filter(
    lambda name: name.isidentifier() and not keyword.iskeyword(name)
)


def _array(kind: Any, sample: Sample) -> Sample:
    return kind[sample[0]], st.lists(sample[1], max_size=3, unique_by=json.dumps)


def _tuple(parts: list[Sample]) -> Sample:
    annotation = tuple[tuple(part[0] for part in parts)]  # type: ignore[misc]
    return annotation, st.tuples(*(part[1] for part in parts)).map(list)


def _union(parts: list[Sample]) -> Sample:
    union = functools.reduce(lambda one, other: one | other, (part[0] for part in parts))
    return union, st.one_of(*(part[1] for part in parts))


def _record(fields: dict[str, Sample]) -> Sample:
    kind = dataclasses.make_dataclass("Record", [(name, each[0]) for name, each in fields.items()])
    values = st.fixed_dictionaries({name: each[1] for name, each in fields.items()})
    return kind, values.map(lambda value: {name: value[name] for name in fields})


def _containers(inner: st.SearchStrategy[Sample]) -> st.SearchStrategy[Sample]:
    some = st.lists(inner, min_size=1, max_size=3)
    classes = inner.filter(lambda sample: sample[0] not in (None, Any))
    return st.one_of(
        st.builds(_array, st.sampled_from([list, set]), inner),
        some.map(_tuple),
        st.lists(classes, min_size=2, max_size=3).map(_union),
        st.dictionaries(names, inner, max_size=3).map(_record),
        inner.map(lambda sample: (Annotated[sample[0], Description("Text.")], sample[1])),
    )


SAMPLES = st.recursive(LEAVES, _containers, max_leaves=5)


@st.composite
def signatures(draw: Any) -> tuple[Callable[..., Any], Json]:
    """A function, and the JSON of arguments for it, in the order of its parameters."""
    fields = draw(st.dictionaries(names, SAMPLES, max_size=4))
    code = f"def f({', '.join(fields)}): ..."
    namespace: Json = {}
    exec(code, namespace)
    func = namespace["f"]
    func.__annotations__ = {name: sample[0] for name, sample in fields.items()}
    return func, {name: draw(sample[1]) for name, sample in fields.items()}


def _installed(name: str) -> Iterator[judges.Judge]:
    for judge in judges.JUDGES:
        if name in judge.profiles:
            try:
                judges.require(*judge.needs)
            except pytest.skip.Exception:
                continue
            yield judge


def schema_or_place(func: Callable[..., Any], profile: Profile) -> tuple[Json | None, str]:
    """The schema of a function, or the place for which there is none."""
    try:
        return function_to_schema(func, profile=profile), ""
    except SchemaError as error:
        return None, error.path


def check_judges_accept_signatures(func: Callable[..., Any], arguments: Json) -> None:
    """All judges, of all profiles; a strict mode may refuse a type, with its place."""
    for name, profile in PROFILES.items():
        schema, place = schema_or_place(func, profile)
        if schema is None:
            assert (name[-6:], place[:2]) == ("STRICT", "f("), place
            continue
        for judge in _installed(name):
            assert judges.complaint(judge, schema) == "", (judge.name, schema)


def validates(schema: Json, value: Any) -> bool:
    """The verdict of a validator on formats that need no other packages."""
    checker = jsonschema.FormatChecker(["date", "uuid"])
    return bool(jsonschema.Draft202012Validator(schema, format_checker=checker).is_valid(value))


def check_grammar_agrees(func: Callable[..., Any], arguments: Json) -> None:
    """The grammar accepts the arguments, and refuses invalid ones."""
    schema = function_to_schema(func, profile=profiles.PORTABLE)
    grammar = judges.grammar_of(schema)
    assert validates(schema, arguments)
    assert judges.grammar_accepts(grammar, arguments), schema
    for mutant in mutants(arguments):
        if not validates(schema, mutant):
            assert not judges.grammar_accepts(grammar, mutant), (schema, mutant)


def mutants(value: Any) -> Iterator[Any]:
    """A value with a part replaced by one of another kind, or left out."""
    yield from ({"strange": []}, [{}], "~", -0.125)
    if isinstance(value, dict):
        for name in value:
            yield {key: each for key, each in value.items() if key != name}
            for below in mutants(value[name]):
                yield {**value, name: below}
    elif isinstance(value, list):
        for index in range(len(value)):
            for below in mutants(value[index]):
                yield [*value[:index], below, *value[index + 1 :]]


few = hypothesis.settings(max_examples=30, deadline=None)
many = hypothesis.settings(max_examples=500, deadline=None)
quiet = pytest.mark.filterwarnings("ignore::milo_schema.SchemaWarning")


@quiet
@few
@hypothesis.given(signatures())
@pytest.mark.slow
def test_judges_accept_random_signatures(drawn: tuple[Callable[..., Any], Json]) -> None:
    check_judges_accept_signatures(*drawn)


@quiet
@pytest.mark.long
@many
@hypothesis.given(signatures())
def test_judges_accept_five_hundred_random_signatures(
    drawn: tuple[Callable[..., Any], Json],
) -> None:
    check_judges_accept_signatures(*drawn)


@quiet
def test_grammars_agree_with_random_values() -> None:
    judges.require("llguidance")
    few(hypothesis.given(signatures())(lambda drawn: check_grammar_agrees(*drawn)))()


@quiet
@pytest.mark.long
def test_grammars_agree_with_values_of_five_hundred_signatures() -> None:
    judges.require("llguidance")
    many(hypothesis.given(signatures())(lambda drawn: check_grammar_agrees(*drawn)))()


LOSSES = {
    "int": "1.0: an integer in JSON Schema; a grammar reads digits",
    "IntPage": "properties in another order than the schema's",
}
"""Valid values that grammars refuse, as docs/clients.md explains."""


def test_grammars_accept_and_refuse_the_values_of_the_table() -> None:
    judges.require("llguidance")
    refused, admitted, count = [], [], 0
    for case, schema in rows("PORTABLE"):
        grammar = judges.grammar_of(schema)
        values = [{"value": value} for value in (*case.accepts, *case.rejects)]
        count += len(values)
        for index, value in enumerate(values):
            takes = judges.grammar_accepts(grammar, value)
            if index < len(case.accepts) and not takes:
                refused.append((str(case), value["value"]))
            if takes and not validates(schema, value):
                admitted.append((str(case), value["value"]))

    assert admitted == []
    assert [case for case, _ in refused] == list(LOSSES)
    assert count > 900


if __name__ == "__main__":
    EMITTED.write_text(emitted(), encoding="utf-8")
    text = SOURCES.read_text(encoding="utf-8")
    SOURCES.write_text(text.replace(documented(), lost()), encoding="utf-8")
