"""Markers, patterns and defaults by themselves: equality, and errors."""

import builtins
import datetime
import re
from collections import deque
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Any, ClassVar
from uuid import UUID

import annotated_types
import pytest

from milo_schema import (
    Examples,
    Ge,
    Le,
    MaxLen,
    MinLen,
    MultipleOf,
    Pattern,
    Schema,
    SchemaError,
    SchemaWarning,
    Title,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)
from milo_schema.annotations.forms import alias_of
from milo_schema.arguments import ArgumentsError, json_to_value
from milo_schema.json_schema import values
from milo_schema.json_schema.patterns import to_ecma
from milo_schema.json_schema.values import NotJSONError, to_json, to_key
from milo_schema.nodes import defaults
from tests.fragments import STRING, exact, record, taking

pytestmark = pytest.mark.core

# -- markers -----------------------------------------------------------------------------------


def test_markers_are_equal_if_kind_and_value_are():
    assert MinLen(0) == MinLen(0)
    assert hash(MinLen(1)) == hash(MinLen(1))
    assert Schema({"x": [1]}) == Schema({"x": [1]})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (MinLen(1), MaxLen(1)),
        (Ge(1), Ge(2)),
        (Ge(1), Ge.unchecked(True)),
        (Ge(1), Ge(1.0)),
        (Schema({"x": 1}), Schema({"x": True})),
        (Ge(1), 1),
    ],
    ids=str,
)
def test_markers_differ_if_kind_or_value_do(one, other):
    assert one != other


@pytest.mark.parametrize(
    ("marker", "example"),
    [(Ge, "1"), (MinLen, "1"), (Pattern, '"..."'), (Title, '"..."'), (Schema, "{...}")],
)
def test_a_marker_without_its_value_says_how_to_write_it(marker, example):
    with pytest.raises(SchemaError) as refused:
        marker()
    name = marker.__name__
    assert str(refused.value) == f"{name}() needs a value, such as {name}({example})"
    assert refused.value.code == "unfit-marker"


class Whole(int): ...


def test_value_of_a_subclass_makes_another_marker():
    """It looks the same, but only a plain number has a schema."""
    assert Ge(1) != Ge.unchecked(Whole(1))
    assert type_to_schema(Annotated[int, Ge(1)]) == {"type": "integer", "minimum": 1}
    with pytest.raises(SchemaError, match=r"Ge\(<Whole object>\): expected a finite number"):
        type_to_schema(Annotated[int, Ge.unchecked(Whole(1))], strict=True)


def test_the_repr_of_a_marker_is_its_source():
    assert repr(MinLen(3)) == "MinLen(3)"
    assert repr(Examples("a", 1)) == "Examples('a', 1)"


def test_bounds_may_be_decimals_and_fractions():
    bounded = Annotated[int, Ge(Decimal(2)), Le(Fraction(9, 2))]
    assert exact(bounded) == {"type": "integer", "minimum": 2, "maximum": 4.5}


def untyped(value: Any) -> Any:
    """A value that a type checker would refuse."""
    return value


@pytest.mark.parametrize(
    ("tp", "reason"),
    [
        (Annotated[str, MinLen.unchecked(-1)], "MinLen(-1): expected a non-negative integer"),
        (Annotated[str, MaxLen.unchecked(untyped("3"))],
         "MaxLen('3'): expected a non-negative integer"),
        (Annotated[str, MaxLen.unchecked(True)], "MaxLen(True): expected a non-negative integer"),
        (Annotated[int, Ge.unchecked(float("inf"))], "Ge(inf): expected a finite number"),
        (Annotated[float, Ge.unchecked(float("-inf"))], "Ge(-inf): expected a finite number"),
        (Annotated[float, Le.unchecked(float("-inf"))], "Le(-inf): expected a finite number"),
        (Annotated[int, Ge.unchecked(Decimal("NaN"))],
         "Ge(<Decimal object>): expected a finite number"),
        (Annotated[int, Le.unchecked(True)], "Le(True): expected a finite number"),
        (Annotated[int, MultipleOf.unchecked(0)],
         "MultipleOf(0): expected a number greater than 0"),
        (Annotated[int, Title.unchecked(untyped(3))], "Title(3): expected a string"),
        pytest.param(Annotated[str, Examples(object())],
                     "Examples(<object object>) contains an instance of object, "
                         "which cannot be written as JSON", id="an object"),
        (Annotated[str, Schema.unchecked(untyped(3))], "Schema(3): expected a dict of keywords"),
        (Annotated[str, Schema({"properties": 3})],
         "Schema({'properties': 3}): 'properties' must be a dict of schemas, not 3"),
        (Annotated[str, Schema({"items": {"type": 3}})],
         ("Schema({'items': {'type': 3}}): 'type' must be a JSON type or a list of them, not 3")),
        (Annotated[str, Pattern.unchecked(untyped(3))], "Pattern(3): expected a string"),
        (Annotated[str, MinLen(1), Ge(1)], "Ge(1) cannot apply to str; it is for int, float"),
        (Annotated[Decimal, MinLen(1)],
         "MinLen(1) cannot apply to Decimal; it is for str, list, dict"),
        (Annotated[datetime.date, MinLen(1), "When."],
         "MinLen(1) cannot apply to date; it is for str, list, dict"),
    ],
    ids=str,
)  # fmt: skip
def test_an_invalid_marker_value_is_refused_or_left_out_with_a_warning(tp, reason):
    with pytest.raises(SchemaError) as caught:
        type_to_schema(tp, strict=True)
    assert caught.value.message == reason
    with pytest.warns(SchemaWarning) as warned:
        schema = type_to_schema(tp)
    assert [warning.message.message for warning in warned] == [reason]
    assert not schema.keys() & {"minimum", "maximum", "multipleOf", "title", "examples"}


def test_a_constraint_applies_to_its_type_in_an_enum():
    class Size(Enum):
        SMALL = 1
        NAMED = "big"

    assert type_to_schema(Annotated[Size, Ge(1)], strict=True) == {"enum": [1, "big"], "minimum": 1}


def test_constraints_of_an_alias_and_of_its_use_both_apply():
    import typing_extensions

    code = typing_extensions.TypeAliasType("code", Annotated[str, Pattern("^a"), Pattern("b")])
    assert type_to_schema(
        Annotated[code, Pattern("^a"), Pattern("z$"), MinLen(2)], strict=True
    ) == STRING | {
        "pattern": "^a",
        "allOf": [{"pattern": "b"}, {"pattern": "z$"}],
        "minLength": 2,
    }


# -- patterns ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("python", "ecma"),
    [
        ("^a+$", "^a+$"),
        (r"\Aa\Z", "^a$"),
        (r"(?P<year>\d{4})-(?P=year)", r"(\d{4})-(?:\1)"),
        (r"[\A(?P<]", None),
        ("(", None),
        (r"\\A", r"\\A"),
        (r"[(?#]", r"[(?#]"),
        ("a(?=b)(?!c)(?:d)", "a(?=b)(?!c)(?:d)"),
        (re.compile("a|b"), "a|b"),
        (r"^[]a]+[^]]\]$", r"^[\]a]+[^\]]\]$"),
        (r"a{,3}b{2,}?c{}]}", r"a{0,3}b{2,}?c\{\}\]\}"),
        (r"\a\0\101[\1\12]\1", None),
        (r"()\a\0\101[\1\12]\1", r"()\x07\x00\x41[\x01\x0a]\1"),
        (r"\N{EM DASH}\U0001F600\u00e9\xe9\377\é", r"—😀\u00e9\xe9\xffé"),
        ("()" * 12 + r"\12\012", "()" * 12 + r"\12\x0a"),
        (re.escape("a-b c#d"), "a-b c#d"),
        (r"[a\-z\#]\.\/", r"[a\-z#]\.\/"),
        ("(?<=a)b(?<!c)d", "(?<=a)b(?<!c)d"),
        ("(?=a)*(?<!b){,2}c", "(?:(?=a))*(?:(?<!b)){0,2}c"),
        ("((?!(?=a)+b)?c)*", "((?:(?!(?:(?=a))+b))?c)*"),
        (r"\((?=[)(?=]*)*?(?=a){x}", r"\((?:(?=[)(?=]*))*?(?=a)\{x\}"),
        (r"[(?=a)]*(?:a)+(b)?(?=c\))", r"[(?=a)]*(?:a)+(b)?(?=c\))"),
    ],
    ids=str,
)
def test_a_pattern_is_converted_to_ecma_262(python, ecma):
    if ecma is None:
        with pytest.raises(ValueError, match="not a valid regular expression: "):
            to_ecma(python)
    else:
        assert to_ecma(python) == ecma


@pytest.mark.parametrize(
    ("pattern", "missing"),
    [
        ("(?i)a", "(?i"),
        ("(?-s:a)", "(?-"),
        ("(?#comment)a", "(?#"),
        ("(a)(?(1)b|c)", "(?("),
        ("(?>a)", "(?>"),
        ("a*+b", "*+"),
        ("a{2,3}+", "{2,3}+"),
        (re.compile("a", re.IGNORECASE), "the flags of a compiled pattern"),
    ],
    ids=str,
)
def test_a_pattern_that_ecma_262_cannot_express_is_refused(pattern, missing):
    with pytest.raises(ValueError, match=re.escape(missing)):
        to_ecma(pattern)


MATCHED = [
    r"(a)\1",
    r"(a)+\1",
    r"(a){1,2}\1",
    r"((a)|b)\1",
    r"(?:(a)|(b)\2)",
    r"(?=(a))\1",
    r"(?:(a)\1)*",
]
"""References to groups that have matched whenever the reference is read."""
LEFT_OUT = [r"(a)?\1?", r"(a)?\1*b", r"(a)?(?:\1){0,2}"]
"""References that match nothing if their groups have not matched."""


@pytest.mark.parametrize("pattern", MATCHED + LEFT_OUT)
def test_a_reference_to_a_group_that_has_matched_stays(pattern):
    assert to_ecma(pattern) == pattern


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"(a)?\1", r"(a)*\1", r"(a){0,2}\1", r"(?:(a))?b\1", r"(a)??\1"),
        *(
            r"(a)|\1",
            r"(?:(a)|b)\1",
            r"(?:(a)|b(c))\2",
            r"(?:(a)|b\1)+",
            r"(?:(a)|(a))[\1]\1",
            r"(?!(a))\1",
        ),
        *(r"(?P<first>a)?(?P=first)", r"(a)(b)?\2", r"(a)(?:\1)?|\1"),
    ],
)
def test_a_reference_to_a_group_that_may_not_have_matched_is_refused(pattern):
    """It matches the empty string in ECMA-262, and nothing in Python."""
    with pytest.raises(ValueError, match=r"where its group may not have matched"):
        to_ecma(pattern)


def test_a_pattern_whose_reference_may_match_nothing_is_left_out():
    annotation = Annotated[str, Pattern(r"^(a)?\1$")]
    with pytest.warns(SchemaWarning, match=r"where its group may not have matched"):
        assert type_to_schema(annotation) == {"type": "string"}
    with pytest.raises(SchemaError, match=r"where its group may not have matched"):
        type_to_schema(annotation, strict=True)


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        (r"^(a)?\1b$", "b", True),  # ECMA-262: an empty string
        (r"^(?<x>a)?\k<x>b$", "b", True),
        (r"^(?:(a)|b)*\1$", "ab", True),  # ECMA-262: forgotten in the second repetition
        (r"^(a)\1b$", "ab", False),
        (r"^(?<x>a)\k<x>b$", "ab", False),
        (r"^(?<x>a)\k<x>b$", "aab", True),
    ],
)
def test_a_value_is_not_refused_for_a_reference_that_python_reads_otherwise(pattern, text, matches):
    annotation = Annotated[str, Schema({"pattern": pattern})]
    if matches:
        assert json_to_value(text, annotation) == text
    else:
        with pytest.raises(ArgumentsError, match="must match"):
            json_to_value(text, annotation)


# -- values ------------------------------------------------------------------------------------


@dataclass
class Point:
    kind: ClassVar[str] = "point"
    x: int = 1
    tags: tuple[str, ...] = ("a",)


@dataclass
class Pair:
    left: Any
    right: Any


class Name(str):
    __slots__ = ()


class Count(int):
    pass


class Ratio(float):
    pass


class Level(Enum):
    LOW = 1
    HIGH = 2


@pytest.mark.parametrize(
    ("value", "json"),
    [
        (Name("a"), "a"),
        (Count(3), 3),
        (Ratio(0.5), 0.5),
        ((1, 2), [1, 2]),
        ({True: 1, 2: 2}, {"true": 1, "2": 2}),
        ({False: 1}, {"false": 1}),
        (MappingProxyType({"a": 1}), {"a": 1}),
    ],
    ids=repr,
)
def test_json_is_copied_as_what_json_has_in_python(value, json):
    assert to_json(value) == json
    assert type(to_json(value)) is type(json)


@pytest.mark.parametrize(
    ("value", "json"),
    [
        pytest.param({10, 9, 1}, [1, 9, 10], id="set of numbers"),
        pytest.param(frozenset({"b", "a"}), ["a", "b"], id="frozenset of strings"),
        pytest.param({(2,), (1,)}, [[1], [2]], id="set of tuples"),
        ({Level.LOW: 2}, {"1": 2}),
        (getattr(builtins, "frozendict", dict)(a=1), {"a": 1}),  # from Python 3.15 on
        (deque([1]), [1]),
        (b"abc", "YWJj"),
        (bytearray(b"abc"), "YWJj"),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        (datetime.timedelta(days=1, seconds=2), "P1DT2S"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (Decimal("1.50"), "1.50"),
        (re.compile("a+"), "a+"),
        (Point(), {"x": 1, "tags": ["a"]}),
        (Level.LOW, 1),
    ],
    ids=repr,
)
def test_a_value_without_a_known_type_is_written_by_its_class(value, json):
    def command(x: Any = value): ...

    assert function_to_schema(command)["properties"]["x"] == {"default": json}
    for marker in (Examples(value), Schema({"examples": [value]})):
        assert type_to_schema(Annotated[Any, marker], strict=True) == {"examples": [json]}


@pytest.mark.parametrize(
    ("value", "json"),
    [
        (datetime.datetime(2026, 1, 2), "2026-01-02T00:00:00"),  # noqa: DTZ001 - naive
        (datetime.timedelta(days=1, seconds=2, microseconds=500_000), "P1DT2.5S"),
        (datetime.timedelta(seconds=-1), "-P0DT1S"),
    ],
    ids=repr,
)
def test_an_example_may_be_text_that_a_call_reads_although_its_format_forbids_it(value, json):
    tp = type(value)
    assert type_to_schema(Annotated[tp, Examples(value)])["examples"] == [json]


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [float("nan"), object(), [object()], {None: 1}, {(1,): 2}, len, nested(100), 1j],
    ids=["NaN", "object", "list", "None key", "tuple key", "function", "too deep", "complex"],
)
def test_a_value_that_json_cannot_represent_is_refused(value):
    with pytest.raises(NotJSONError):
        to_json(value)


@pytest.mark.parametrize(
    "more",
    [
        lambda value: [value, value],
        lambda value: {"a": value, "b": value},
        lambda value: Pair(value, value),
        lambda value: {1: value, 2: value},
        lambda value: deque([value, value]),
    ],
    ids=["list", "dict", "dataclass", "keys", "deque"],
)
@pytest.mark.slow
def test_shared_parts_of_a_value_are_written_each_time(more, monkeypatch):
    """Forty levels are a few kilobytes in memory, and a million million parts in JSON."""
    for module in (values, defaults):
        monkeypatch.setattr(module, "MAX_PARTS", 2_000)
    value: Any = 1
    for _ in range(40):
        value = more(value)

    def command(x: Any = value): ...

    assert function_to_schema(command)["properties"] == {"x": {}}
    marker = Examples(value)
    assert {marker: 1}[marker] == 1  # by its hash


def test_a_marker_of_a_value_that_contains_itself_equals_only_itself():
    value: list[Any] = []
    value.append(value)
    one, other = Examples(value), Examples(value)
    assert one != other
    assert {one: 1}[one] == 1


def test_the_items_of_a_value_may_be_many():
    assert to_json([[0] * 24_999] * 2) == [[0] * 24_999] * 2
    with pytest.raises(NotJSONError, match="parts"):
        to_json([[0] * 25_000] * 2)


def test_a_key_is_a_string_in_json():
    assert [to_key(key) for key in ("a", 1, True, False)] == ["a", "1", "true", "false"]


# -- profiles ----------------------------------------------------------------------------------


def test_a_profile_shows_its_name():
    assert repr(profiles.MILO) == "<Profile MILO>"


def test_every_profile_has_the_name_of_its_constant():
    constants = {name: getattr(profiles, name) for name in profiles.__all__ if name.isupper()}
    assert {name: profile.name for name, profile in constants.items()} == {
        name: name for name in constants
    }
    assert len(constants) > 5


REFUSED: tuple[dict[str, Any], ...] = (
    {"type": "strange"}, {"type": []}, {"type": ["string", "string"]}, {"type": [3]},
    {"minimum": "x"}, {"minimum": True}, {"multipleOf": 0},
    {"minLength": -1}, {"maxItems": 1.5}, {"minContains": True},
    {"required": [1]}, {"required": ["a", "a"]}, {"required": "a"},
    {"properties": {"x": 3}}, {"anyOf": []}, {"anyOf": [3]}, {"items": 3},
    {"dependentRequired": 3}, {"dependentRequired": {"a": [1]}},
    {"enum": 3}, {"examples": {}}, {"title": 3}, {"deprecated": 1}, {"$comment": 3},
    {"$ref": "https://example.org/x.json"}, {"$dynamicRef": "other.json"}, {"$ref": 3},
    {"$id": "https://example.org/"}, {"$anchor": "a"}, {"$vocabulary": {}},
)  # fmt: skip


@pytest.mark.parametrize("keywords", REFUSED, ids=str)
def test_keywords_that_the_meta_schema_refuses_are_not_written(keywords):
    (keyword,) = keywords
    for nested in (keywords, {"properties": {"x": {"anyOf": [keywords]}}}):
        with pytest.raises(SchemaError, match=re.escape(f": {keyword!r} ")):
            type_to_schema(Annotated[object, Schema(nested)], strict=True)
        profile = profiles.MCP.with_types({complex: nested})
        with pytest.raises(SchemaError, match=re.escape(f": {keyword!r} ")):
            type_to_schema(complex, profile=profile)


def test_all_other_keywords_are_written_as_they_are():
    keywords = {
        "type": ["string", "null"], "minLength": 0, "multipleOf": 0.5, "exclusiveMinimum": -1.5,
        "required": [], "dependentRequired": {"a": ["b"]},
        "properties": {"x": {"default": {"type": 3}}},
        "anyOf": [{"const": 3}], "items": False, "deprecated": True,
        "$comment": "", "x-what": {"type": "strange"},
    }  # fmt: skip
    assert type_to_schema(Annotated[object, Schema(keywords)], strict=True) == keywords


class Grouped(annotated_types.GroupedMetadata):
    def __iter__(self):
        raise ZeroDivisionError("oops")


def test_metadata_that_raises_is_named():
    derive: Any
    for derive, tp in (
        (type_to_schema, Annotated[int, Grouped()]),
        (function_to_schema, taking(Annotated[int, Grouped()])),
    ):
        with pytest.raises(
            SchemaError, match="reading the metadata in Annotated raised Zero"
        ) as caught:
            derive(tp)
        assert type(caught.value.__cause__) is ZeroDivisionError


def test_a_bound_on_integer_keys_is_refused():
    reason = "keys are strings, so minimum cannot apply to them"
    with pytest.raises(SchemaError, match=reason) as caught:
        exact(dict[Annotated[int, Ge(0)], int])
    assert caught.value.code == "other"


def test_a_pattern_does_not_apply_to_bytes():
    with pytest.raises(SchemaError, match="cannot apply to bytes"):
        exact(Annotated[bytes, Pattern("a")])


HUGE = 10**5_000  # more digits than Python reads and writes
Nullable = Annotated[str, Schema({"type": ["string", "null"]})]


def test_a_schema_marker_may_list_types():
    def f() -> Nullable: ...

    expected = {"type": ["string", "null"]}
    assert return_to_schema(f, profile=profiles.MCP_2025) == record(result=expected)
    with pytest.raises(SchemaError, match="a JSON object cannot have keys of type Annotated"):
        type_to_schema(dict[Nullable, int], strict=True)


def test_a_pattern_that_python_warns_about_is_refused():
    re.purge()  # it warns once only
    annotation = Annotated[str, Pattern(r"[\w&&\d]")]
    with pytest.raises(SchemaError, match="not a valid regular expression: Possible set"):
        type_to_schema(annotation, strict=True)  # warnings are errors here


@pytest.mark.parametrize(
    "marker", [MinLen(3), Ge(3), annotated_types.Ge(3), annotated_types.MinLen(3)]
)
def test_a_bound_too_long_to_print_is_refused(marker):
    value = "value" if hasattr(marker, "value") else marker.__match_args__[0]
    object.__setattr__(marker, value, HUGE)
    reason = r"expected a non-negative integer|expected a finite number"
    with pytest.raises(SchemaError, match=reason):
        type_to_schema(alias_of(Annotated, (str | int, marker)), strict=True)


def test_markers_with_values_too_long_to_print_compare_by_value():
    one, other = Ge.unchecked(HUGE), Ge.unchecked(HUGE + 1)
    assert {one: 1, other: 2}[Ge.unchecked(HUGE)] == 1
    assert one != other
