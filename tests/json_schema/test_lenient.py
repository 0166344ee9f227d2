"""The JSON that models write, which is not always JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from milo_schema.json_schema.repair import InvalidJSONError, parse, parse_part
from tests.every import every
from tests.generated import generated
from tests.instructions import instructions

READ: list[tuple[str, Any]] = [
    ('{"a": 1}', {"a": 1}),
    ("5", 5),
    ('"text"', "text"),
    (" null\n", None),
    ('```json\n{"a": 1}\n```', {"a": 1}),
    ("```\n[1]\n```\n", [1]),
    ('Here is the call: {"a": 1}', {"a": 1}),
    ('{"a": 1}\nI hope this helps!', {"a": 1}),
    ('{"a": 1, // the first\n "b": 2} # done', {"a": 1, "b": 2}),
    ('{/* one * two */ "a": 1}', {"a": 1}),
    ('{"a": [1, 2,], "b": {},}', {"a": [1, 2], "b": {}}),
    ("{'a': 'it\\'s', 'b': \"it's\"}", {"a": "it's", "b": "it's"}),
    (
        "{a: 1, $b_2: 2, content-type: 3, über: 4}",
        {"a": 1, "$b_2": 2, "content-type": 3, "über": 4},
    ),
    ("{'a': True, 'b': False, 'c': None}", {"a": True, "b": False, "c": None}),
    ("{a: true, b: false, c: null}", {"a": True, "b": False, "c": None}),
    ('{"text": "line one\nline two\ttab"}', {"text": "line one\nline two\ttab"}),
    (r"['\" \' \\ \/ \b \f \n \r \t A \ud83d\ude00']", ["\" ' \\ / \b \f \n \r \t A \U0001f600"]),
    ("[-1, 0, 2.5, 1e3, -0.5E-2,]", [-1, 0, 2.5, 1000.0, -0.005]),
    ("[1,\u00a0\u20282, 3,\x0b]", [1, 2, 3]),
    ("{true: 1, null-x: 2, 'a\"b': '\n'}", {"true": 1, "null-x": 2, 'a"b': "\n"}),
    ('[["it\\\'s"], "line\none", {"a": 1,},]', [["it's"], "line\none", {"a": 1}]),
    ("[12345678901234567891.0, 0.1,]", [12345678901234567891, 0.1]),
    ("['a'] // done ]", ["a"]),
    ('{"a": 1}}', {"a": 1}),
    ("[]", []),
    ("{ }", {}),
    ("[[], {},]", [[], {}]),
]


@every("row", READ, ids=lambda row: repr(row[0]))
def test_what_can_mean_only_one_thing_is_read(row):
    text, expected = row

    # A text with a bracket in a comment behind it is only read by the parser.
    for spelled in [text, *[f"{text} // ]"] * text.endswith(("]", "}"))]:
        assert parse(spelled) == expected
        assert json.dumps(parse(spelled)) == json.dumps(expected)


REFUSED: list[tuple[str, str]] = [
    ("", "expected an object or an array (line 1, column 1)"),
    ("  nothing", "expected an object or an array (line 1, column 3)"),
    ("NaN", "expected an object or an array (line 1, column 1)"),
    ('{"a": "hel', "the text ends inside a string (line 1, column 11)"),
    ('{"a": "hel\\', 'expected an escape, got "\\\\" (line 1, column 11)'),
    ('{"a"', "the text ends inside an object (line 1, column 5)"),
    ('{"a":', "the text ends inside an object or array (line 1, column 6)"),
    ('{"a": 1', "the text ends inside an object (line 1, column 8)"),
    ('{"a": 1,', "the text ends inside an object (line 1, column 9)"),
    ("{", "the text ends inside an object (line 1, column 2)"),
    ("[1,\n 2", "the text ends inside an array (line 2, column 3)"),
    ("\n[1", "the text ends inside an array (line 2, column 3)"),
    ("[1 2]", 'expected a comma or "]", got "2" (line 1, column 4)'),
    ('{"a" 1}', 'expected a colon, got "1" (line 1, column 6)'),
    ("{1: 2}", 'expected the name of a property, got "1" (line 1, column 2)'),
    ("[undefined]", 'expected a value, got "u" (line 1, column 2)'),
    ("[NaN]", 'expected a value, got "N" (line 1, column 2)'),
    ("[,]", 'expected a value, got "," (line 1, column 2)'),
    ("['a', [,]]", 'expected a value, got "," (line 1, column 8)'),
    ("[1,, 2]", 'expected a value, got "," (line 1, column 4)'),
    ("{'a': /* one */, }", 'expected a value, got "," (line 1, column 16)'),
    ("[1,] // or [2]", "a second object or array begins here (line 1, column 12)"),
    ("[1,] {", "a second object or array begins here (line 1, column 6)"),
    ('{"a": 1}, "b": 2}', "the text goes on after the value (line 1, column 9)"),
    ('{"a": 1}}\n, "b": 2', "the text goes on after the value (line 2, column 1)"),
    ("[1a]", "expected a number (line 1, column 2)"),
    ("[01]", "expected a number (line 1, column 2)"),
    ("[1.]", "expected a number (line 1, column 2)"),
    ("[1.2.3]", "expected a number (line 1, column 2)"),
    ("[-]", "expected a number (line 1, column 2)"),
    ("[" + "9" * 5000 + "]", "expected a number (line 1, column 2)"),
    (r"['\x41']", r'expected an escape, got "\\x" (line 1, column 3)'),
    ('"a\nb"', "expected an object or an array (line 1, column 1)"),
    ("[1,], 2", "the text goes on after the value (line 1, column 5)"),
    ("[1] [2]", "a second object or array begins here (line 1, column 5)"),
    ("[" * 201 + "]" * 201, ""),
    ("[/* 1 ]", 'expected a value, got "/" (line 1, column 2)'),
]


@every("row", REFUSED[:-2] + REFUSED[-1:], ids=lambda row: repr(row[0])[:60])
def test_everything_else_is_refused_with_line_and_column(row):
    text, reason = row

    with pytest.raises(InvalidJSONError) as caught:
        parse(text)
    assert str(caught.value) == f"not valid JSON: {reason}"
    assert caught.value.message == reason


def test_the_depth_of_what_is_not_json_is_limited():
    for depth, reason in {200: "expected a value", 201: "nested deeper than 200 levels"}.items():
        for opening, closing in (("[", "]"), ("{a:", "}")):
            with pytest.raises(InvalidJSONError, match=reason):
                parse(opening * depth + "," + closing * depth)
    with pytest.raises(InvalidJSONError, match="nested deeper than 200 levels"):
        parse("[" * 100_000 + "'a'" + "]" * 100_000)


FAULTS = [
    *("{},]", "'last']", "None] # of them", "{a: 1}]\n```", '"two\nlines"]', r'"it\'s"]'),
    *("/* of */ 1]", "1\u00a0]", "True]"),
]


@every("fault", FAULTS, ids=repr)
def test_only_what_is_not_json_takes_time(fault):
    rows = '[{"id": 1, "tags": ["a", "b"], "of": null},' + '{"x": [1.5, {}], "y": "z"}, ' * 500
    for read in (parse, parse_part)[: 1 + fault.endswith("]")]:
        assert instructions(lambda: read(rows + fault)) < 20_000  # noqa: B023
        assert len(read(rows + fault)) == 502


def test_many_faults_take_time_in_proportion():
    row = "{'id': 1, tags: ['a', \"b\",], /* none */ of: None}, "
    few, many = (instructions(lambda: parse(f"[{row * n}]")) for n in (100, 400))  # noqa: B023
    assert many < 4.2 * few


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def with_floats(json_value: Any) -> Any:
    """JSON with floats only: the text of a float may be that of an integer that it comes near."""
    if isinstance(json_value, dict):
        return {name: with_floats(each) for name, each in json_value.items()}
    if isinstance(json_value, list):
        return [*map(with_floats, json_value)]
    return float(json_value) if type(json_value) is int else json_value


@given(JSON)
def test_json_is_read_as_json(value):
    assert with_floats(parse(json.dumps(value))) == with_floats(value)


@generated(40)
@given(st.lists(JSON) | st.dictionaries(st.text(), JSON))
def test_json_that_is_not_strict_means_the_same(value):
    text = json.dumps(value, ensure_ascii=False)

    assert parse(f"The call: {text.replace('[', '[ ')} // done") == parse(text.replace("[", "[ "))
    assert with_floats(parse(f"```json\n{text}\n```")) == with_floats(value)


@generated(40)
@given(st.lists(JSON, min_size=1) | st.dictionaries(st.text(), JSON, min_size=1), st.data())
def test_text_that_was_cut_off_is_never_completed(value, data):
    text = json.dumps(value)
    cut = data.draw(st.integers(1, len(text) - 1))

    with pytest.raises(InvalidJSONError):
        parse(text[:cut])
