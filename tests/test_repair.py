"""Repair: what a schema refuses, and can mean only one thing, is read; nothing else changes."""

from __future__ import annotations

import collections
import copy
import datetime
import decimal
import enum
import json
import sys
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, Any, Literal, NotRequired, TypedDict, Union

import pydantic
import pytest
import typing_extensions as te
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from milo_schema import (
    Ge,
    MinLen,
    Schema,
    SchemaError,
    Toolbox,
    function_to_schema,
    profiles,
    tool_schema,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, Problem, Repair, bind, binder, json_to_value
from milo_schema.json_schema.repair import repaired
from milo_schema.json_schema.validation import Decisions, is_valid
from milo_schema.results import value_to_json
from tests import wrong_calls
from tests.every import every
from tests.generated import generated

MCP = profiles.MCP


@dataclass
class Item:
    name: str
    count: int = 1
    tags: list[str] = field(default_factory=list)


class Order(TypedDict):
    item: Item
    gift: NotRequired[bool]


class Circle(BaseModel):
    kind: Literal["circle"]
    r: float


class Square(BaseModel):
    kind: Literal["square"]
    a: float = 1.0


@dataclass
class Tree:
    value: int
    children: list[Tree] = field(default_factory=list)


DEEP: list[tuple[Any, Any, Any]] = [
    # the annotation, what was sent, what it means
    (Item, {"name": "tea", "count": "2", "tags": "['a']"}, Item("tea", 2, ["a"])),
    (Item, {"name": "tea", "count": None}, Item("tea")),
    (Item, {"name": "tea", "count": "null", "tags": "None"}, Item("tea")),
    (Item, "{name: 'tea', count: 2,}", Item("tea", 2)),
    (list[Item], [{"name": "1"}, '{"name": "2", "count": "3"}'], [Item("1"), Item("2", 3)]),
    (Order, {"item": '{"name": "tea"}', "gift": "yes"}, {"item": Item("tea"), "gift": True}),
    (Order, {"item": {"name": "tea"}, "gift": None}, {"item": Item("tea")}),
    (dict[str, dict[str, int]], {"a": '{"b": "1"}'}, {"a": {"b": 1}}),
    (Circle, {"kind": "Circle", "r": "2.5"}, Circle(kind="circle", r=2.5)),
    (Circle | Square, {"kind": "square", "a": None}, Square(kind="square")),
    (Circle | Square, '{"kind": "circle", "r": "1"}', Circle(kind="circle", r=1)),
    (Circle | Square | None, "None", None),
    (list[Circle | Square], '[{"kind": "SQUARE"}]', [Square(kind="square")]),
    (Tree, {"value": "1", "children": '[{"value": "2"}]'}, Tree(1, [Tree(2)])),
    (tuple[int, str, bool], '["1", "2", "no"]', (1, "2", False)),
    (tuple[int, ...], ["1", 2], (1, 2)),
    (set[int], '["1", 2]', {1, 2}),
    (int | list[int], "7", 7),
    (int | list[int], "[7]", [7]),
    (int | None, " 7\n", 7),
    (bool | int, "YES", True),
    (Literal["asc", "desc"], " DESC ", "desc"),
    (Literal[1, 2], "2", 2),
    (datetime.date | int, " 2026-01-31 ", datetime.date(2026, 1, 31)),
    (datetime.date | int, "31", 31),
    (decimal.Decimal, 12, decimal.Decimal(12)),
    (decimal.Decimal, 1e22, decimal.Decimal("1E+22")),
    (decimal.Decimal | None, 0.1, decimal.Decimal("0.1")),
    (list[list[int]], '"[[1], \\"[2]\\"]"', [[1], [2]]),
    (Annotated[dict, Schema({"patternProperties": {"^n": {"type": "integer"}}})],
     {"n1": "1", "o1": "1"}, {"n1": 1, "o1": "1"}),
    (Annotated[dict, Schema({"allOf": [{"properties": {"a": {"type": "integer"}}}]})], {"a": "1"},
     {"a": 1}),
    (Annotated[dict, Schema({"oneOf": [{"properties": {"a": {"type": "integer"}}}]})], {"a": "1"},
     {"a": 1}),
]  # fmt: skip


@every("row", DEEP, ids=lambda row: f"{row[1]!r:.60} as {row[0]!r}")
def test_what_can_mean_only_one_thing_is_read_at_any_depth(row):
    annotation, sent, expected = row
    before = copy.deepcopy(sent)

    value = json_to_value(sent, annotation, profile=MCP, repair=True)

    assert value == expected
    assert type(value) is type(expected)
    assert sent == before
    with pytest.raises(ArgumentsError):
        json_to_value(sent, annotation, profile=MCP)


LISTED = enum.Enum("LISTED", {"A": [1]})
WORD = te.TypeAliasType("WORD", str)
LEFT: list[tuple[Any, Any, str]] = [  # and those of tests/wrong_calls.py
    # the annotation, what was sent, the reason
    (list[int], "x", ': expected an array of integers, got "x"'),
    (list[int], True, ": expected an array of integers, got true"),
    (list[str], "x" * 41, f': expected an array of strings, got "{"x" * 41}"'),
    (list[str], "x" * 40, f': expected an array of strings, got "{"x" * 40}"; send ["{"x" * 40}"]'),
    (bool, 2, ": expected true or false, got 2"),
    (bool, 1.0, ": expected true or false, got 1.0"),
    (bool | Annotated[int, Ge(5)], 1, ": must be at least 5, got 1"),
    (Annotated[str, Schema({"pattern": "^[0-9]+$"})], 5, ": expected a string, got 5"),
    (int, None, ": expected an integer, got null"),
    (Annotated[int, Ge(1)], "0", ": must be at least 1, got 0"),
    (list[int], " [1, 'x'] ", '[1]: expected an integer, got "x"'),
    (list[str], "[A-Z]*", ': expected an array of strings, got "[A-Z]*"; send ["[A-Z]*"]'),
    (list[int], "[A-Z]*", ': expected an array of integers, got "[A-Z]*"'),
    (Annotated[list[int], MinLen(1)] | None, 5,
     ": expected an array of integers or null, got 5; send [5]"),
    (list[str], '["hel', (': expected an array of strings, got "[\\"hel"; '
           "not valid JSON: the text ends inside a string (line 1, column 6)")),
    (list[str], "[", (': expected an array of strings, got "["; '
           "not valid JSON: the text ends inside an object or array (line 1, column 2)")),
    (Item, '{"name": "tea",', (': expected an object, got "{\\"name\\": \\"tea\\","; '
           "not valid JSON: the text ends inside an object (line 1, column 16)")),
    (Item, {"name": None}, ".name: expected a string, got null"),
    (list[str], [{"item": "x"}], '[0]: expected a string, got an object; send "x"'),
    (list[str], [{"item": "x" * 41}], "[0]: expected a string, got an object"),
    (list[str], [{"item": 5}], "[0]: expected a string, got an object"),
    (list[str], [{"item": "x", "at": 1}], "[0]: expected a string, got an object"),
    (list[str], [{"item": ["x"]}], "[0]: expected a string, got an object"),
    (LISTED, {"item": [1]}, ": expected one of an array of one item, got an object"),
    (int, {"item": 2**64 - 1}, f": expected an integer, got an object; send {2**64 - 1}"),
    (int, {"item": 2**64}, ": expected an integer, got an object"),
    (int, {"item": 1 - 2**64}, f": expected an integer, got an object; send {1 - 2**64}"),
    (int, {"item": -(2**64)}, ": expected an integer, got an object"),
    (float, {"item": 0.5}, ": expected a number, got an object; send 0.5"),
    (float, {"item": float("inf")}, ": expected a number, got an object"),
    (float, {"item": -float("inf")}, ": expected a number, got an object"),
    (Literal["a", "b"], {"value": "b"}, ': expected one of "a", "b", got an object; send "b"'),
    (Literal["a", "b"], {"value": "c"}, ': expected one of "a", "b", got an object'),
    (list[WORD], "x", ': expected an array, got "x"; send ["x"]'),
    (Item, {"name": "tea", "count": "many"}, '.count: expected an integer, got "many"'),
    (decimal.Decimal, float("nan"), ": expected a decimal number in a string, got nan"),
    (decimal.Decimal, 10**400, f": expected a decimal number in a string, got 1{'0' * 76}..."),
    (Literal["ab", "aB"], "AB", ': expected one of "ab", "aB", got "AB"'),
]  # fmt: skip


@every("row", LEFT, ids=lambda row: f"{row[1]!r:.60} as {row[0]!r}")
def test_everything_else_is_refused_with_the_way_out(row):
    annotation, sent, reason = row

    with pytest.raises(ArgumentsError) as caught:
        json_to_value(sent, annotation, profile=MCP, repair=True)
    assert str(caught.value).endswith(reason.removeprefix(": "))


def find(ids: list[int], text: str = "", limit: int = 5) -> str:
    return f"{ids} {text} {limit}"


def test_the_repairs_of_a_call_are_listed():
    bound = bind(
        find, '{"ids": "[1, \'2\']", "text": "[1]", "limit": null}', profile=MCP, repair=True
    )

    assert bound.kwargs == {"ids": [1, 2], "text": "[1]"}
    assert bound.repairs == (Repair(".ids", "[1, '2']", [1, 2]), Repair(".limit", None, None))
    assert bind(find, {"ids": [1]}, profile=MCP, repair=True).repairs == ()
    assert bind(find, {"ids": [1]}, profile=MCP).repairs == ()


@pytest.mark.parametrize("profile", [profiles.MILO, MCP, profiles.FASTMCP])
def test_a_server_may_log_the_repairs_or_refuse_them(profile):
    tool = tool_schema(find, profile=profile)
    log: list[Repair] = []

    def refuse(repairs):
        raise ArgumentsError("find()", [Problem("send JSON", each.path) for each in repairs])

    assert tool.call({"ids": "[1]"}, repair=log.extend)["isError"] is False
    assert log == [Repair(".ids", "[1]", [1])]
    refused = tool.call({"ids": "[1]"}, repair=refuse)
    assert refused["isError"] is True
    assert refused["content"][0]["text"] == "find(): .ids: send JSON"
    assert tool.call({"ids": [1]}, repair=refuse)["isError"] is False
    tools = Toolbox([tool], profile=profile, repair=log.extend)
    tools.call("find", {"ids": ["1"]})
    assert log[1:] == [Repair(".ids[0]", "1", 1)]


def test_a_given_schema_is_repaired_by():
    schema = {
        "type": "object",
        "properties": {"point": {"$ref": "#/$defs/Point"}, "note": {"type": "string"}},
        "$defs": {"Point": {"type": "object", "properties": {"x": {"type": "integer"}}}},
    }

    def custom(**kwargs: Any) -> str:
        return json.dumps(kwargs)

    tool = tool_schema(custom, input_schema=schema, profile=MCP)
    sent = {"point": "{x: '1'}", "note": "{x: '1'}"}
    result = tool.call(sent, repair=True)

    assert json.loads(result["content"][0]["text"]) == {"point": {"x": 1}, "note": "{x: '1'}"}
    assert tool.call(sent)["isError"] is True


def test_text_of_all_arguments_that_is_not_json_is_called_that():
    with pytest.raises(ArgumentsError) as caught:
        bind(find, '{"ids": [1, 2', profile=MCP, repair=True)

    message = "not valid JSON: the text ends inside an array (line 1, column 14)"
    problem = {"path": "", "code": "invalid-json", "message": message}
    assert caught.value.as_dict() == {"path": "find()", "problems": [problem]}
    for empty in ("", " ", "null", "[]", '""'):
        with pytest.raises(ArgumentsError, match=r"^find\(\): \.ids: required but not given$"):
            bind(find, empty, profile=MCP, repair=True)


def test_text_that_does_not_match_a_pattern_need_not_be_json():
    for repair in (False, True):
        with pytest.raises(ArgumentsError) as caught:
            json_to_value(
                '{"a":', Annotated[str, Schema({"pattern": "^a"})], profile=MCP, repair=repair
            )
        assert [each.code for each in caught.value.problems] == ["wrong-format"]


CODES: list[tuple[Any, Any, str]] = [
    (int, "x", "wrong-type"),
    (Literal["a"], "b", "not-a-choice"),
    (Annotated[int, Ge(1)], 0, "out-of-bounds"),
    (set[int], [1, 1], "not-unique"),
    (set[list[int]], [[1]], "refused"),
    (Item, {}, "missing"),
    (datetime.date, "x", "wrong-format"),
    (Annotated[dict, Schema({"not": {"required": ["a"]}})], {"a": 1}, "invalid"),
    (Circle, {"kind": "circle", "r": "x"}, "wrong-type"),
    (Circle, {"kind": "circle"}, "missing"),
    (list[Any], json.loads("[" * 250 + "]" * 250), "too-deep"),
]


def test_a_name_that_is_not_a_string_is_refused_and_not_repaired():
    taken: Any = {"ids": [1], 1: "2"}
    with pytest.raises(ArgumentsError) as caught:
        bind(find, taken, profile=MCP, repair=True)
    assert [problem.message for problem in caught.value.problems] == ["1 is a key but not a string"]
    with pytest.raises(ArgumentsError, match="expected a string, got 2"):
        json_to_value({"a": "1", 2: "3"}, dict[str, int], profile=MCP, repair=True)


def test_null_for_an_unknown_name_does_not_count_as_left_out():
    with pytest.raises(ArgumentsError, match="unknown argument") as caught:
        bind(find, {"ids": [1], "size": None}, profile=MCP, repair=True)
    assert [each.code for each in caught.value.problems] == ["unknown-name"]


@every("row", CODES, ids=lambda row: row[2])
def test_each_problem_has_a_code(row):
    annotation, sent, code = row

    with pytest.raises(ArgumentsError) as caught:
        json_to_value(sent, annotation, profile=MCP)
    assert [each.code for each in caught.value.problems] == [code]


# -- what is never changed ---------------------------------------------------------------------

TEXTS = st.sampled_from(
    ["1", " 2 ", "true", "yes", "None", "[1]", "['a']", '{"a": "1"}', "a", "A", "", "5.0", "{a: 1"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.just(1.5) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=8,
)
SCALARS = st.sampled_from(
    [
        {"type": "integer"},
        {"type": "boolean"},
        {"type": "string"},
        {"type": "string", "minLength": 2},
        {"enum": ["a", "b", 1]},
        {"const": "A"},
        {"type": ["integer", "null"]},
        {},
        True,
        False,
    ]
)
SCHEMAS = st.recursive(
    SCALARS,
    lambda inner: (
        st.builds(lambda items: {"type": "array", "items": items}, inner)
        | st.builds(lambda *each: {"type": "array", "prefixItems": [*each]}, inner, inner)
        | st.builds(lambda *each: {"anyOf": [*each]}, inner, inner)
        | st.builds(lambda *each: {"oneOf": [*each]}, inner, inner)
        | st.builds(
            lambda a, b, rest, required: {
                "type": "object",
                "properties": {"a": a, "b": b},
                "additionalProperties": rest,
                "required": required,
            },
            inner,
            inner,
            inner,
            st.sampled_from([[], ["a"]]),
        )
    ),
    max_leaves=6,
)


INT: dict[str, Any] = {"type": "integer"}
BY_PARTS: list[tuple[Any, Any, Any, list[Repair]]] = [
    # the schema, what was sent, what is read, the repairs
    ({"allOf": [{"properties": {name: INT}} for name in "ab"]}, {"a": "1", "b": "2"},
     {"a": 1, "b": 2}, [Repair(".a", "1", 1), Repair(".b", "2", 2)]),
    ({"properties": {"a": INT}, "patternProperties": {"a": INT}}, {"a": None}, {},
     [Repair(".a", None, None)]),
    ({"patternProperties": {"n": {"type": "string"}}, "additionalProperties": INT},
     {"n": "1", "o": "1"}, {"n": "1", "o": 1}, [Repair(".o", "1", 1)]),
    ({"anyOf": [{"properties": {"a": INT, "b": INT}}]}, {"a": "1", "b": "x"},
     {"a": "1", "b": "x"}, []),
    ({"anyOf": [{"type": "string"}, INT], "type": "integer"}, "5", 5, [Repair("", "5", 5)]),
]  # fmt: skip


@every("row", BY_PARTS, ids=lambda row: repr(row[0]))
def test_each_schema_that_applies_repairs_its_part(row):
    schema, sent, read, repairs = row

    assert repaired(sent, schema) == (read, tuple(repairs))


def test_a_null_that_stands_for_a_default_is_not_a_repair():
    def run(text: str = "x"): ...

    bound = bind(run, {"text": None}, profile=profiles.OPENAI_STRICT, repair=True)

    assert (bound.kwargs, bound.repairs) == ({}, ())


@given(VALUES, SCHEMAS)
def test_a_value_that_the_schema_accepts_is_never_changed(value, schema):
    before = copy.deepcopy(value)

    found, repairs = repaired(value, schema)

    assert json.dumps(value) == json.dumps(before)
    if is_valid(value, schema):
        assert (found, repairs) == (value, ())
        assert found is value
    if not repairs:
        assert found == value


ANNOTATIONS: list[tuple[Any, Any]] = [
    # an annotation, and values that it accepts
    (list[int], st.lists(st.integers(-99, 99), max_size=3)),
    (dict[str, bool], st.dictionaries(st.sampled_from("abc"), st.booleans())),
    (Literal["asc", "desc"], st.sampled_from(["asc", "desc"])),
    (int | list[str], st.integers(-9, 9) | st.lists(st.sampled_from(["x", "1", "[1]"]))),
    (Item, st.fixed_dictionaries({"name": TEXTS}, optional={"count": st.integers(0, 9)})),
    (Order, st.fixed_dictionaries({"item": st.fixed_dictionaries({"name": TEXTS})})),
    (Square, st.fixed_dictionaries({"kind": st.just("square"), "a": st.just(0.5)})),
    (Tree, st.just({"value": 1, "children": [{"value": 2}]})),
]


def spoiled(value: Any) -> st.SearchStrategy[Any]:
    """A valid value, in which some parts are sent as text or as null."""
    whole: st.SearchStrategy[Any]
    if isinstance(value, dict):
        parts = {name: spoiled(each) for name, each in value.items()}
        whole = st.fixed_dictionaries(parts)
        if "name" in value:  # of an Item
            whole = whole | whole.map(lambda each: {"count": None, **each})
    elif isinstance(value, list):
        items: st.SearchStrategy[Any] = st.tuples(*map(spoiled, value))
        whole = items.map(list)
    else:
        whole = st.just(value)
    return whole | whole.map(json.dumps) | whole.map(lambda each: f" {json.dumps(each)}\n")


@pytest.mark.parametrize(("annotation", "values"), ANNOTATIONS, ids=lambda each: str(each)[:40])
def test_what_is_repaired_is_accepted_by_the_schema(annotation, values):
    schema = type_to_schema(annotation, profile=MCP)
    repairs = 0

    def run(value: annotation): ...

    @generated(40)
    @given(values.flatmap(spoiled))
    def prove(sent: Any) -> None:
        nonlocal repairs
        before = copy.deepcopy(sent)
        try:
            bound = bind(run, {"value": sent}, profile=MCP, repair=True)
        except ArgumentsError:
            assert not is_valid(sent, schema)
            return
        assert sent == before
        repairs += bool(bound.repairs)
        assert bool(bound.repairs) is not is_valid(sent, schema)
        json = value_to_json(bound.kwargs["value"], annotation, profile=MCP)
        assert is_valid(json, schema)
        assert bind(run, {"value": json}, profile=MCP).kwargs == bound.kwargs

    run.__annotations__ = {"value": annotation}
    prove()
    assert repairs >= 3  # of few values there are few


@given(VALUES)
def test_the_parts_that_a_schema_accepts_are_never_changed(value):
    schema = {"properties": {"kept": {}, "read": {"type": "integer"}}}

    found, _ = repaired({"kept": value, "read": "1"}, schema)

    assert found["kept"] is value
    assert found["read"] == 1


def test_the_work_grows_with_the_size_of_the_value():
    json: Any = {"$ref": "#/$defs/Json"}
    arrays = [{"type": "array", "items": items} for items in (json, {"anyOf": [json]})]
    schema: Any = {**json, "$defs": {"Json": {"anyOf": [{"type": "integer"}, *arrays]}}}

    def steps(depth: int, sent: Any) -> int:
        value: Any = sent
        for _ in range(depth):
            value = [value]
        decisions = Decisions(value, schema)
        count = 0

        class Counted(Decisions):
            def accepts(self, value: Any, schema: Any) -> bool:
                nonlocal count
                count += 1
                return decisions.accepts(value, schema)

        from milo_schema.json_schema import repair

        repair._Repairing(schema, Counted(value, schema), only_nulls=False).fix(value, schema)
        return count

    for sent in ("1", "x"):
        assert steps(40, sent) < 3 * steps(20, sent)


def test_a_value_that_is_nested_too_deeply_is_not_repaired():
    schema: Any = {"anyOf": [{"type": "integer"}, {"items": {"$ref": "#"}, "type": "array"}]}
    value: Any = "1"
    for _ in range(sys.getrecursionlimit()):
        value = [value]

    assert repaired(value, schema) == (value, ())


def test_a_binder_repairs_what_its_overload_accepts():
    prepared = binder(find, profile=MCP, repair=True)

    assert prepared.accepts({"ids": "[1]"})
    assert not prepared.accepts({"ids": "x"})
    assert not binder(find, profile=MCP).accepts({"ids": "[1]"})
    assert function_to_schema(find, profile=MCP)["required"] == ["ids"]


# -- a corpus of wrong calls -------------------------------------------------------------------


@every("row", wrong_calls.REPAIRED, ids=lambda row: f"{row.kind}: {row.sent!r:.60}")
def test_a_mistake_of_a_model_is_read_as_it_was_meant(row):
    value = json_to_value(row.sent, row.annotation, profile=MCP, repair=True)

    assert value == row.meant
    assert type(value) is type(row.meant)


@every("row", wrong_calls.REFUSED, ids=lambda row: f"{row.kind}: {row.sent!r:.60}")
def test_a_mistake_with_several_meanings_is_refused_with_the_reason(row):
    with pytest.raises(ArgumentsError) as caught:
        json_to_value(row.sent, row.annotation, profile=MCP, repair=True)

    assert row.meant in caught.value.problems[0].message


@every("row", wrong_calls.LEFT_ALONE, ids=lambda row: f"{row.sent!r:.60}")
def test_what_looks_like_a_mistake_and_is_valid_is_left_alone(row):
    value = json_to_value(row.sent, row.annotation, profile=MCP, repair=True)

    assert value == row.meant
    assert value == json_to_value(row.sent, row.annotation, profile=MCP)


@every("row", wrong_calls.WHOLE, ids=lambda row: f"{row[0]}: {row[2]!r:.60}")
def test_the_arguments_of_a_whole_call_are_repaired(row):
    def plan(days: list[int], note: str = "", limit: int = 5): ...

    _, _, sent, meant = row
    if not isinstance(meant, wrong_calls.Refusal):
        assert bind(plan, sent, profile=MCP, repair=True).kwargs == meant
        return
    with pytest.raises(ArgumentsError) as caught:
        bind(plan, sent, profile=MCP, repair=True)
    assert any(each.message.startswith(meant) for each in caught.value.problems)


def test_the_corpus_has_enough_calls():
    calls = [*wrong_calls.REPAIRED, *wrong_calls.REFUSED, *wrong_calls.LEFT_ALONE]
    assert len(calls) + len(wrong_calls.WHOLE) >= 150


def problem_in(depth: int) -> Any:
    """The problem of a text for an integer inside as many arrays."""
    annotation: Any = int
    json: Any = "x"
    for _ in range(depth):
        annotation, json = list[annotation], [json]
    with pytest.raises(ArgumentsError) as caught:
        json_to_value(json, annotation, profile=MCP)
    [problem] = caught.value.problems
    return problem


def test_a_message_leaves_out_the_middle_of_a_long_path_and_the_problem_has_all_of_it():
    assert str(problem_in(53)) == f'{"[0]" * 53}: expected an integer, got "x"'
    longer = problem_in(54)
    assert longer.path == "[0]" * 54
    assert str(longer) == f'{"[0]" * 26}[0...0]{"[0]" * 26}: expected an integer, got "x"'


# -- random pairs ------------------------------------------------------------------------------


class Shade(enum.Enum):
    DARK = "dark"
    LIGHT = 2


PARTS: list[Any] = [
    *(str, int, float, bool, None, datetime.date, decimal.Decimal, Shade, Literal["On", "off", 1]),
    *(Item, Any, bytes, Annotated[int, Ge(3)], pydantic.StrictInt),
]
WORDS = ["none found: ", "", " ", "= ", "Sure!\n", "`", "```json\n", "```", ". Done", "# x"]
SENT: list[Any] = [
    *([], [1], ["a", "2"], {}, {"a": 1}, {"name": "tea", "count": "3"}, 0, 1, 5, -3, 2.5, 1e22),
    *(9007199254740993, True, None, "a", "On", "DARK", "2026-01-31", "5.0", "[1]", [[1.0]], [None]),
]


def random_annotation(random: Random, depth: int = 2) -> Any:
    part = random.choice(PARTS)
    kind = random.randrange(8) if depth else 0
    if kind < 4:
        return part
    inner = random_annotation(random, depth - 1)
    other = random_annotation(random, depth - 1)
    made = [list[inner], dict[str, inner], Union[inner, other], tuple[inner, other]]  # type: ignore[valid-type]
    return made[kind - 4]


def random_text(random: Random) -> Any:
    value = random.choice(SENT)
    write: Any = random.choice([json.dumps, repr, str])
    text = write(value)
    if random.random() < 0.2:
        text = json.dumps(text)
    if random.random() < 0.3:
        text = random.choice(WORDS) + text + random.choice(WORDS)
    return random.choice([text, text, text, value, [text], {"a": text}, {"name": text}])


def is_whole(repair: Repair) -> bool:
    """Whether the text of a value begins and ends with the value that was read in it."""
    sent, read = repair.sent, repair.read
    if type(sent) is not str:
        return type(sent) in (int, float) or read is None
    text = sent.strip().removeprefix("```").removesuffix("```").removeprefix("json").strip()
    while text[:1] == text[-1:] == '"' and text != read:
        text = json.loads(text).strip()
    if isinstance(read, (list, dict)):
        return text[0] + text[-1] == ("[]" if isinstance(read, list) else "{}")
    if type(read) in (int, float):
        number = decimal.Decimal(text)
        return bool(read == (number if type(read) is int else float(number)))
    if read is None or type(read) is bool:
        return text.lower() in {"true", "false", "yes", "no", "null", "none", "0", "1"}
    return str(read).casefold() == text.casefold()


def test_repair_changes_nothing_that_is_accepted_and_reads_no_part_of_a_text():
    counts = collections.Counter[str]()
    random = Random(7)  # ten thousand pairs of the same kind were tried, too
    while counts.total() < 2000:
        annotation, sent = random_annotation(random), random_text(random)

        def act(x): ...

        act.__annotations__["x"] = annotation
        try:
            bound = binder(act, profile=MCP)
        except SchemaError:
            continue
        try:
            expected = bound({"x": sent})
        except ArgumentsError:
            try:
                found = bound({"x": sent}, repair=True)
            except ArgumentsError:
                counts["refused"] += 1
                continue
            assert found.repairs, (annotation, sent)
            assert all(map(is_whole, found.repairs)), (annotation, sent, found.repairs)
            counts["repaired"] += 1
        else:
            found = bound({"x": sent}, repair=True)
            assert (found.repairs, repr(found.arguments)) == ((), repr(expected.arguments))
            counts["accepted"] += 1
    assert min(counts[each] for each in ("refused", "accepted", "repaired")) > 50


# -- what the author made strict ---------------------------------------------------------------


class StrictField(BaseModel):
    x: int = pydantic.Field(strict=True)
    xs: Annotated[list[int], pydantic.Field(strict=True)] = []
    y: int = 0


class StrictModel(BaseModel):
    model_config = pydantic.ConfigDict(strict=True)
    x: int
    loose: StrictField | None = None


@pydantic.dataclasses.dataclass(config=pydantic.ConfigDict(strict=True))
class StrictRow:
    x: int


class StrictKeys(te.TypedDict):
    __pydantic_config__ = pydantic.ConfigDict(strict=True)  # type: ignore[misc]
    x: int


@dataclass
class Plain:
    x: pydantic.StrictInt
    y: int = 0


STRICT: list[tuple[Any, Any, str]] = [
    # the annotation, what was sent, the place of what stays as it is
    (pydantic.StrictInt, "5", ""),
    (pydantic.StrictBool, 1, ""),
    (pydantic.StrictBool, "true", ""),
    (pydantic.StrictFloat | None, "1.5", ""),
    (pydantic.StrictInt | pydantic.StrictBool, "1", ""),
    (Annotated[int, pydantic.Strict()], "5", ""),
    (Annotated[int, pydantic.Field(strict=True, ge=1)], " 5", ""),
    (Annotated[list[int], pydantic.Field(strict=True)], "[5]", ""),
    (pydantic.conint(strict=True), "5", ""),
    (list[pydantic.StrictInt], ["5"], "[0]"),
    (dict[str, pydantic.StrictInt], {"a": "5"}, ".a"),
    (Plain, {"x": "5"}, ".x"),
    (StrictField, {"x": "5"}, ".x"),
    (StrictField, {"x": 5, "xs": "[1]"}, ".xs"),
    (StrictModel, {"x": "5"}, ".x"),
    (StrictRow, {"x": "5"}, ".x"),
    (StrictKeys, {"x": "5"}, ".x"),
    (list[StrictModel], [{"x": "5"}], "[0].x"),
]


@pytest.mark.parametrize("profile", [MCP, profiles.MILO, profiles.FASTMCP], ids=repr)
@every("row", STRICT, ids=lambda row: f"{row[1]!r:.60} as {row[0]!r}")
def test_repair_never_overrides_what_the_author_made_strict(row, profile):
    annotation, sent, path = row

    def act(x): ...

    act.__annotations__["x"] = annotation
    for call in (
        lambda: json_to_value(sent, annotation, profile=profile, repair=True),
        lambda: bind(act, {"x": sent}, profile=profile, repair=True),
    ):
        with pytest.raises(ArgumentsError) as caught:
            call()
        (problem,) = caught.value.problems
        assert problem.path.removeprefix(".x" if caught.value.path == "act()" else "") == path
        assert problem.message.startswith("expected ")
    assert "x-milo" not in repr(function_to_schema(act, profile=profile))
    assert "x-milo" not in repr(tool_schema(act, profile=profile).input_schema)


def test_what_is_not_strict_beside_it_is_repaired():
    assert json_to_value({"x": 5, "y": "3"}, StrictField, repair=True) == StrictField(x=5, y=3)
    assert json_to_value({"x": 5, "y": "3"}, Plain, repair=True) == Plain(5, 3)
    loose = {"x": 1, "loose": {"x": 2, "y": "3"}}
    assert json_to_value(loose, StrictModel, repair=True).loose == StrictField(x=2, y=3)
    assert json_to_value("5", pydantic.StrictInt | str, repair=True) == "5"
    assert json_to_value("5", pydantic.StrictBool | int, repair=True) == 5


@pytest.mark.parametrize("repair", [False, True])
def test_arguments_in_an_object_of_their_own_are_told_to_come_out(repair):
    def fetch(urls: list[str], limit: int = 5): ...

    inner = "unknown argument; send what is in it instead of it"
    other = 'unknown argument; allowed: "urls", "limit"'
    for name, sent, reason in [
        ("arguments", {"urls": ["x"]}, inner),
        ("params", {"urls": ["x"], "limit": 3}, inner),
        ("params", {"urls": ["x"], "other": 3}, other),
        ("params", {}, other),
        ("params", ["urls"], other),
    ]:
        with pytest.raises(ArgumentsError) as caught:
            bind(fetch, {name: sent}, profile=MCP, repair=repair)
        found = {each.path: each.message for each in caught.value.problems}
        assert found == {".urls": "required but not given", f".{name}": reason}
