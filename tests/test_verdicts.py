"""Verdicts about pairs of schemas, proved by values; witnesses, judged by two other validators."""

import json
from random import Random
from typing import Any

import jsonschema
import jsonschema_rs
import pytest

from milo_schema.compare import Change, compare, places, proofs
from tests.every import every
from tests.fragments import BOOLEAN, INTEGER, NULL, NUMBER, STRING, any_of, map_of
from tests.instructions import instructions

pytestmark = pytest.mark.core

Json = dict[str, Any]
INPUT, OUTPUT = False, True


def accepts(schema: Any, value: Any) -> bool:
    """Whether two validators, which agree, accept a value."""
    verdict = bool(jsonschema.Draft202012Validator(schema).is_valid(value))
    assert jsonschema_rs.validator_for(schema).is_valid(value) is verdict
    return verdict


def is_true(change: Change, old: Any, new: Any) -> bool:
    """Whether the witness of a change is what it claims to be."""
    value = json.loads(change.witness)
    before, after = (new, old) if change.output else (old, new)
    return change.effect == "breaking" and accepts(before, value) and not accepts(after, value)


# -- pairs of schemas --------------------------------------------------------------------------

DATE: Json = {"type": "string", "format": "date"}


def call(*required: str, closed: bool = True, defs: Json | None = None, **properties: Any) -> Json:
    """The schema of a call."""
    schema: Json = {"type": "object", "properties": properties}
    schema |= {"required": [*required]} if required else {}
    schema |= {"additionalProperties": False} if closed else {}
    return schema | ({"$defs": defs} if defs else {})


def array(items: Any, **keywords: Any) -> Json:
    return {"type": "array", "items": items, **keywords}


def tree(value: Any) -> Json:
    """The schema of a call with a type that contains itself."""
    inner = call("value", value=value, children=array({"$ref": "#/$defs/Tree"}))
    return call("tree", tree={"$ref": "#/$defs/Tree"}, defs={"Tree": inner})


CAT = call("kind", kind={"const": "cat"}, lives=INTEGER)
DOG = call("kind", kind={"const": "dog"}, name=STRING)

BREAKING: dict[str, tuple[bool, Any, Any, Any]] = {
    # name: (of a result, old, new, a value that is valid before and not after)
    "null no longer accepted": (INPUT, call(a=any_of(INTEGER, NULL)), call(a=INTEGER), {"a": None}),
    "a new required parameter": (INPUT, call("a", a=STRING), call("a", "b", a=STRING, b=STRING),
          {"a": ""}),
    "a parameter removed": (INPUT, call(a=STRING, b=STRING), call(a=STRING), {"b": ""}),
    "a parameter renamed": (INPUT, call("a", a=STRING), call("b", b=STRING), {"a": ""}),
    "a parameter required now": (INPUT, call(a=STRING), call("a", a=STRING), {}),
    "another type": (INPUT, call("a", a=STRING), call("a", a=INTEGER), {"a": ""}),
    "a number is an integer now": (INPUT, call(a=NUMBER), call(a=INTEGER), {"a": 1.5}),
    "a choice removed": (INPUT, call(a={"enum": ["x", "y", "z"]}), call(a={"enum": ["x", "y"]}),
          {"a": "z"}),
    "free text becomes a choice": (INPUT, call(a=STRING), call(a={"enum": ["x", "y"]}), {"a": "z"}),
    "a lower maximum": (INPUT, call(a=INTEGER | {"maximum": 100}),
          call(a=INTEGER | {"maximum": 10}), {"a": 11}),
    "a minimum becomes exclusive": (INPUT, call(a=NUMBER | {"minimum": 0}),
          call(a=NUMBER | {"exclusiveMinimum": 0}), {"a": 0}),
    "a shorter string": (INPUT, call(a=STRING), call(a=STRING | {"maxLength": 3}), {"a": "abcd"}),
    "an empty string refused": (INPUT, call(a=STRING), call(a=STRING | {"minLength": 1}),
          {"a": ""}),
    "a new pattern": (INPUT, call(a=STRING | {"pattern": "^[a-z]+$"}),
          call(a=STRING | {"pattern": "^[a-m]+$"}), {"a": "z"}),
    "a multiple of more": (INPUT, call(a=INTEGER | {"multipleOf": 2}),
          call(a=INTEGER | {"multipleOf": 4}), {"a": 2}),
    "other items": (INPUT, call(a=array(NUMBER)), call(a=array(INTEGER)), {"a": [1.5]}),
    "fewer items": (INPUT, call(a=array(INTEGER)), call(a=array(INTEGER, maxItems=2)),
          {"a": [1, 2, 3]}),
    "equal items refused": (INPUT, call(a=array(BOOLEAN)), call(a=array(BOOLEAN, uniqueItems=True)),
          {"a": [True, True]}),
    "a value that is one item now": (INPUT, call(a=array(STRING)), call(a=STRING), {"a": []}),
    "values of a mapping": (INPUT, call(a=map_of(NUMBER)), call(a=map_of(INTEGER)),
          {"a": {"x": 1.5}}),
    "a mapping becomes a record": (INPUT, call(a=map_of(INTEGER)), call(a=call(x=INTEGER)),
          {"a": {"y": 1}}),
    "deep inside a type that contains itself": (INPUT, tree(NUMBER), tree(INTEGER),
          {"tree": {"value": 1.5}}),
    "an alternative removed": (INPUT, call(a=any_of(CAT, DOG)), call(a=CAT),
          {"a": {"kind": "dog"}}),
    "a result may be null": (OUTPUT, STRING, any_of(STRING, NULL), None),
    "a property of a result is optional": (OUTPUT, call("a", a=STRING, closed=False),
          call(a=STRING, closed=False), {}),
}  # fmt: skip

FINE: dict[str, tuple[bool, Any, Any]] = {
    "nothing": (INPUT, call("a", a=STRING), call("a", a=STRING)),
    "the order of keys": (INPUT, call("a", a=STRING), dict(reversed(call("a", a=STRING).items()))),
    "a new optional parameter": (INPUT, call(a=STRING), call(a=STRING, b=INTEGER)),
    "a new optional parameter of an open object": (INPUT, call(a=STRING, closed=False),
          call(a=STRING, b=INTEGER, closed=False)),
    "a new optional parameter of an object that says it is open": (INPUT,
          call(a=STRING, closed=False) | {"additionalProperties": True},
          call(a=STRING, b=INTEGER, closed=False) | {"additionalProperties": True}),
    "a parameter optional now": (INPUT, call("a", a=STRING), call(a=STRING)),
    "another default": (INPUT, call(a=INTEGER | {"default": 1}), call(a=INTEGER | {"default": 2})),
    "another description": (INPUT, call(a=STRING | {"description": "A."}),
          call(a=STRING | {"description": "B."})),
    "titles of a framework": (INPUT, call(a_b=STRING), call(a_b=STRING | {"title": "A B"})),
    "null too": (INPUT, call(a=INTEGER), call(a=any_of(INTEGER, NULL))),
    "an integer is a number now": (INPUT, call(a=INTEGER), call(a=NUMBER)),
    "a choice added": (INPUT, call(a={"enum": ["x"]}), call(a={"enum": ["x", "y"]})),
    "a choice becomes free text": (INPUT, call(a={"enum": ["x"]}), call(a=STRING)),
    "a constant is a choice of one": (INPUT, call(a={"const": "x"}), call(a={"enum": ["x"]})),
    "a higher maximum": (INPUT, call(a=INTEGER | {"maximum": 10}),
          call(a=INTEGER | {"maximum": 100})),
    "two ways to write a bound": (INPUT, call(a=INTEGER | {"minimum": 1}),
          call(a=INTEGER | {"exclusiveMinimum": 0})),
    "a multiple of less": (INPUT, call(a=INTEGER | {"multipleOf": 6}),
          call(a=INTEGER | {"multipleOf": 3})),
    "a longer string": (INPUT, call(a=STRING | {"maxLength": 3}),
          call(a=STRING | {"maxLength": 4})),
    "a pattern removed": (INPUT, call(a=STRING | {"pattern": "^a"}), call(a=STRING)),
    "a bound that the choices keep": (INPUT, call(a=INTEGER | {"enum": [1, 2]}),
          call(a=INTEGER | {"enum": [1, 2], "maximum": 5})),
    "two ways to write a union": (INPUT, call(a=any_of(STRING, NULL)),
          call(a={"type": ["null", "string"]})),
    "a type written in its place": (INPUT, call(a={"$ref": "#/$defs/A"}, defs={"A": CAT}),
          call(a=CAT)),
    "an alternative added": (INPUT, call(a=CAT), call(a=any_of(CAT, DOG))),
    "a record becomes a mapping": (INPUT, call(a=call(x=INTEGER)), call(a=map_of(INTEGER))),
    "opened": (INPUT, call(a=STRING), call(a=STRING, closed=False)),
    "a result is never null now": (OUTPUT, any_of(STRING, NULL), STRING),
    "a result has more": (OUTPUT, call("a", a=STRING, closed=False),
          call("a", "b", a=STRING, b=STRING, closed=False)),
    "another spelling of a pattern": (INPUT, call(a=STRING | {"pattern": "^[0-9]+$"}),
          call(a=STRING | {"pattern": r"^\d+$"})),
}  # fmt: skip
UNDECIDED = {"another spelling of a pattern"}
"""Pairs about which the verdict is too cautious."""


def test_there_are_53_pairs_and_25_of_them_break():
    assert (len(BREAKING), len(FINE), len(UNDECIDED)) == (25, 28, 1)


@every("name", BREAKING)
def test_a_change_that_breaks_is_proved(name):
    output, old, new, proof = BREAKING[name]
    before, after = (new, old) if output else (old, new)
    assert (accepts(before, proof), accepts(after, proof)) == (True, False)

    changes = compare(old, new, path="f", output=output)

    proved = [each for each in changes if each.witness]
    assert proved
    assert all(is_true(each, old, new) for each in proved)
    assert all(len(each.witness) <= 40 for each in proved)


@every("name", FINE)
def test_a_change_that_breaks_nothing_is_said_to_break_nothing(name):
    output, old, new = FINE[name]
    changes = compare(old, new, path="f", output=output)
    assert [str(each) for each in changes if each.witness] == []
    assert any(each.breaks for each in changes) is (name in UNDECIDED)


# -- witnesses ---------------------------------------------------------------------------------


def told(old: Any, new: Any, **options: Any) -> list[str]:
    return [str(each) for each in compare(old, new, **options)]


def test_a_change_says_what_worked_before():
    def before(a: int | None, b: list[int] | None = None, **kw: int) -> int | None: ...
    def f(a: int, b: list[int] = [], *, c: str = "x") -> int: ...  # noqa: B006

    before.__name__ = "f"
    assert told(before, f)[:3] == [
        'f.a: type integer | null -> integer (breaking): {"a": null} worked before',
        "f.b: default null -> [] (compatible)",
        (
            "f.b: type array of integer | null -> array of integer (breaking): "
            '{"a": 0, "b": null} worked before'
        ),
    ]
    assert told(f, before)[-1] == (
        "f() -> result: type integer -> integer | null (breaking): null may be returned now"
    )


CODES = [f"code {number}" for number in range(40)]
CIRCLE = {"A": {"$ref": "#/$defs/A"}}
NO_DATE = {"not": {"format": "date"}}
OPEN = call(a=INTEGER, closed=False)
ODD = DATE | {"pattern": "^2"}  # for which no date is found


def dated(day: Json, number: Json) -> Json:
    return call("day", "n", day=day, n=number)


def pair_of(second: Json) -> Json:
    return {"type": "array", "prefixItems": [STRING, second], "items": False}


def two_of(first: Json) -> Json:
    return {"type": "array", "prefixItems": [first, STRING], "minItems": 2}


def named(names: list[Any]) -> Json:
    return map_of(INTEGER) | {"propertyNames": {"enum": names}}


PROOFS: dict[str, tuple[Json, Json, list[tuple[str, str, str]]]] = {
    # what the witness is: (old, new, the path, the effect and the witness of each change)
    "null": (call(größe=any_of(STRING, NULL)), call(größe=STRING),
          [(".größe", "breaking", '{"größe": null}')]),
    "none of a compatible change": (call(a=STRING), call(a=any_of(STRING, NULL)),
          [(".a", "compatible", "")]),
    **{f"what a list of choices refuses: {name}": (call(a={"maxLength": 1}),
          call(a={"maxLength": 1, name: value}), [(".a", "breaking", '{"a": ""}')] * 2)
          for name, value in (("enum", ["a"]), ("const", "a"))},
    # only what a call needs
    "what is required": (call("q", q=STRING, n=INTEGER), call("q", "n", q=STRING, n=INTEGER),
          [(".n", "breaking", '{"q": ""}')]),
    "what is required, and what has changed": (call("q", q=STRING, n=NUMBER),
          call("q", q=STRING, n=INTEGER), [(".n", "breaking", '{"q": "", "n": 1.5}')]),
    "two equal items": (call(a=array(BOOLEAN)), call(a=array(BOOLEAN, uniqueItems=True)),
          [(".a", "breaking", '{"a": [false, false]}')]),
    "one item too many": (call(a=array(INTEGER)), call(a=array(INTEGER, maxItems=2)),
          [(".a", "breaking", '{"a": [95, 0, 0]}')]),
    **{f"the choice that is gone: {gone}": (call(a={"enum": CODES}),
          call(a={"enum": [each for each in CODES if each != gone]}),
          [(".a", "breaking", f'{{"a": "{gone}"}}')]) for gone in (CODES[0], CODES[17], CODES[39])},
    **{f"the bound of fractions: {name}": (call(a=NUMBER | {name: 1.25}),
          call(a=NUMBER | {name: new}), [(".a", "breaking", '{"a": 1.25}')])
          for name, new in (("minimum", 1.5), ("maximum", 1))},
    # formats, which clients need not check
    "its formats": (dated(DATE, any_of(INTEGER, NULL)), dated(DATE, INTEGER),
          [(".n", "breaking", '{"day": "2026-01-31", "n": null}')]),
    "none without its formats": (dated(ODD, any_of(INTEGER, NULL)), dated(ODD, INTEGER),
          [(".n", "breaking", "")]),
    "none for a format": (call(a=STRING), call(a=DATE), [(".a", "breaking", "")]),
    "none that was valid only where formats are checked": (call("a", a=STRING | NO_DATE),
          call("a", a=STRING | {"enum": ["x"], **NO_DATE}), [(".a", "may break", "")]),
    "none of a whole value that was valid only where formats are checked": (STRING | NO_DATE,
          STRING | {"enum": ["x"], **NO_DATE}, [("", "may break", "")]),
    # names that are documented
    "none with a name that is not": (OPEN, call(a=INTEGER), [("", "may break", "")]),
    "none with a name inside that is not": (call(a=call(b=INTEGER, closed=False)),
          call(a=call(b=INTEGER)), [(".a", "may break", "")]),
    "none with two names": (OPEN, OPEN | {"maxProperties": 1}, [("", "breaking", "")]),
    "none with any name": ({"type": "object"}, {"type": "object", "maxProperties": 0},
          [("", "breaking", "")]),
    "none with the value of such a name": (OPEN,
          call(a=INTEGER) | {"additionalProperties": INTEGER}, [("{}", "may break", "")]),
    "a name that is only required": ({"type": "object", "required": ["a"]},
          {"type": "object", "required": ["a"], "properties": {"a": INTEGER}},
          [(".a", "breaking", '{"a": ""}')]),
    # one for each change, and none for another change
    "one for each change at a place": (call("a", a=NUMBER),
          call("a", a=INTEGER | {"minimum": 1, "maximum": 9}), [(".a", "breaking", '{"a": 1.5}'),
          (".a", "breaking", '{"a": 0}'), (".a", "breaking", '{"a": 36}')]),
    "what is no longer named is not refused": (call(a=STRING, closed=False),
          call("b", b=STRING, closed=False), [(".a", "breaking", ""), (".b", "breaking", "{}")]),
    "an object that is empty": (call(a=call(b=INTEGER, c=INTEGER, closed=False)),
          call(a=call(c=INTEGER, closed=False) | {"minProperties": 1}),
          [(".a.b", "breaking", ""), (".a", "breaking", '{"a": {}}')]),
    "a name that a closed object refuses": (call(a=STRING), call(b=STRING),
          [(".a -> .b", "breaking", '{"a": ""}')]),
    "a name without the one that is required": (call("a", a=STRING, closed=False),
          call("b", b=STRING, closed=False), [(".a -> .b", "breaking", '{"a": ""}')]),
    "none for a name that nothing refuses": (call(a=STRING, closed=False),
          call(b=STRING, closed=False), [(".a -> .b", "breaking", "")]),
    # deeper inside
    **{f"a member of {union}": (call(a={union: [CAT, DOG]}),
          call(a={union: [CAT, call("kind", kind={"const": "dog"})]}),
          [(".a.name", "breaking", '{"a": {"kind": "dog", "name": ""}}')])
          for union in ("anyOf", "oneOf")},
    "a union with a reference to nothing": (
          call(a=any_of({"$ref": "#/$defs/None"}, call(b=NUMBER))),
          call(a=any_of({"$ref": "#/$defs/None"}, call(b=INTEGER))),
          [(".a.b", "breaking", '{"a": {"b": 1.5}}')]),
    "a position of a tuple": (call(a=pair_of(any_of(INTEGER, NULL))), call(a=pair_of(INTEGER)),
          [(".a[1]", "breaking", '{"a": ["", null]}')]),
    "a position of a tuple before others": (call(a=two_of(any_of(INTEGER, NULL))),
          call(a=two_of(INTEGER)), [(".a[0]", "breaking", '{"a": [null, ""]}')]),
    "a name of a mapping, which is a string": (call(a=named([1, "abc", "x"])),
          call(a=named(["x"])), [(".a{name}", "breaking", '{"a": {"abc": 2}}')]),
    **{f"none for a reference to {name}": (call(a=STRING),
          call(a={"$ref": f"#/$defs/{name}"}, defs=CIRCLE),
          [(".a", "compatible", ""), (".a", "may break", "")]) for name in ("None", "A")},
}  # fmt: skip


@every("name", PROOFS)
def test_each_change_has_its_witness_or_none(name):
    old, new, expected = PROOFS[name]
    changes = compare(old, new)
    assert [(each.path, each.effect, each.witness) for each in changes] == expected


def test_a_long_witness_is_cut_in_the_text_only():
    word = {"const": "x" * 300}
    (change,) = compare(
        call("a", "b", a=word, b=any_of(INTEGER, NULL)), call("a", "b", a=word, b=INTEGER)
    )
    assert json.loads(change.witness) == {"a": "x" * 300, "b": None}
    assert str(change).endswith("xxx ... worked before")
    assert len(change.proof) == 200 + len(":  worked before")


@pytest.mark.parametrize("output", [INPUT, OUTPUT])
def test_a_value_that_a_circle_accepts_proves_nothing(output):
    defs = {"A": any_of({"$ref": "#/$defs/A"}, STRING)}
    endless = call(a={"$ref": "#/$defs/A"}, defs=defs)
    pair = (call(a=INTEGER), endless)
    for old, new in (pair, pair[::-1]):
        assert {each.witness for each in compare(old, new, output=output)} == {""}


def test_an_object_is_a_mapping_if_it_names_nothing_inside_of_a_call():
    anything: Json = {"type": "object"}
    record, required = anything | {"properties": {"b": INTEGER}}, anything | {"required": ["x"]}

    def breaks(old: Json, new: Json) -> list[bool]:
        return [each.breaks for each in compare(old, new)]

    assert breaks(anything, record) == [False]  # a tool without parameters gets one
    assert breaks(call(a=anything), call(a=record)) == [True]
    assert breaks(call(a=required), call(a=required | record)) == [False]


def test_a_witness_may_have_any_name_in_a_mapping():
    anything: Json = {"type": "object"}
    (change,) = compare(call(a=anything), call(a=map_of(INTEGER)))
    (name,) = json.loads(change.witness)["a"]
    assert name
    named = {"type": "object", "patternProperties": {"^x": NUMBER}}
    (change,) = compare(named, {"type": "object", "patternProperties": {"^x": INTEGER}})
    assert [*json.loads(change.witness)] == ["x"]


def test_a_name_of_a_mapping_is_proved():
    old, new = ({"propertyNames": {"maxLength": most}} | map_of(INTEGER) for most in (9, 3))
    (change,) = compare(call(a=any_of(NULL, old)), call(a=any_of(NULL, new)))
    assert change.path == ".a{name}"
    (name,) = json.loads(change.witness)["a"]
    assert 3 < len(name) < 10


def test_a_change_is_proved_by_an_error_that_names_no_alternative():
    def either(number: Json) -> Json:
        kinds = {"A": call("x", x=number), "B": call("x", x=BOOLEAN)}
        return call(a=any_of({"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}), defs=kinds)

    (change,) = compare(either(NUMBER), either(INTEGER))
    assert (change.path, change.effect) == (".a.x", "breaking")
    assert is_true(change, either(NUMBER), either(INTEGER))


def test_a_change_deep_inside_is_proved():
    def nested(inner: Json) -> Json:
        for name in "abcdefg":
            inner = {"type": "object", "properties": {name: array(inner)}}
        return inner

    old, new = nested(NUMBER), nested(INTEGER)
    (change,) = compare(old, new)
    assert change.path == ".g[].f[].e[].d[].c[].b[].a[]"
    assert is_true(change, old, new)
    assert change.witness.startswith('{"g": [{"f": [{"e": [{"d": [{"c": [{"b": [{"a": [')


def test_proofs_take_a_limited_number_of_steps(monkeypatch):
    monkeypatch.setattr(proofs, "MAX_STEPS", 0)
    with monkeypatch.context() as patched:
        patched.setattr(proofs, "Sampler", None)  # without a step, no value is made
        assert told(call(a=STRING), call(a=INTEGER)) == [".a: type string -> integer (breaking)"]
    for steps in range(1, 40):  # wherever they end
        monkeypatch.setattr(proofs, "MAX_STEPS", steps)
        assert [each.effect for each in compare(call(a=STRING), call(a=INTEGER))] == ["breaking"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "minProperties": 2**70},
        {"type": "array", "minItems": 2**70},
        {"type": "string", "minLength": 2**70},
        {"type": "string", "pattern": "^((a{1000}){1000}){1000}$"},
        {"type": "string", "pattern": "^(a*){100000000}$"},
    ],
    ids=["object", "array", "string", "pattern", "empty"],
)
@pytest.mark.slow
def test_a_value_that_would_be_too_large_is_not_drawn(schema):
    assert instructions(lambda: compare(schema, {"type": "integer"})) < 20_000_000


@pytest.mark.parametrize("keyword", ["anyOf", "allOf", "oneOf"])
def test_proofs_end_for_schemas_with_many_routes_to_one_part(keyword, monkeypatch):
    monkeypatch.setattr(places, "MAX_STEPS", 2_000)
    monkeypatch.setattr(proofs, "MAX_STEPS", 3_000)

    def tower(last: Json) -> Json:
        levels = {f"A{i}": {keyword: [{"$ref": f"#/$defs/A{i + 1}"}] * 2} for i in range(28)}
        return call(a={"$ref": "#/$defs/A0"}, defs={**levels, "A28": last})

    assert all(each.breaks for each in compare(tower(STRING), tower(INTEGER)))
    endless = call(a={"$ref": "#/$defs/A"}, defs={"A": call("b", b={"$ref": "#/$defs/A"})})
    assert [each.witness for each in compare(endless, call(a=INTEGER))] == [""]


# -- random pairs ------------------------------------------------------------------------------

WORDS = ["", "a", "ab", "abc", "b", "zz"]


def random_schema(random: Random, depth: int) -> Any:
    """A schema of the kinds that tools have."""
    kind = random.randrange(7 if depth == 0 else 12)
    low, high = sorted(random.sample(range(8), 2))
    if kind == 0:
        return random.choice([STRING, STRING | {"minLength": low}, STRING | {"maxLength": high}])
    if kind == 1:
        return {"type": random.choice(["integer", "number"]), "minimum": low, "maximum": high}
    if kind == 2:
        return {"type": "integer", "multipleOf": random.choice([1, 2, 3, 4, 6])}
    if kind == 3:
        return {"enum": random.sample(["a", "b", "c", 1, 2, None, True], random.randint(1, 4))}
    if kind == 4:
        return STRING | {"pattern": random.choice(["^a", "b$", "^[ab]+$", "^[a-z]*$"])}
    if kind <= 6:
        return random.choice([INTEGER, NUMBER, BOOLEAN, NULL, {}, STRING, DATE])
    if kind == 7:
        items = random_schema(random, depth - 1)
        return array(items, **random.choice([{}, {"minItems": low}, {"maxItems": high}]))
    if kind == 8:
        return map_of(random_schema(random, depth - 1))
    if kind == 9:
        return any_of(*(random_schema(random, depth - 1) for _ in range(random.randint(2, 3))))
    return random_record(random, depth)


def random_record(random: Random, depth: int) -> Json:
    names = random.sample("abcd", random.randint(1, 3))
    properties = {name: random_schema(random, depth - 1) for name in names}
    required = [name for name in names if random.random() < 0.4]
    return call(*required, closed=random.random() < 0.6, **properties)


def changed(schema: Any, random: Random, depth: int) -> Any:
    """The same schema with a change somewhere."""
    if random.random() < 0.25 or type(schema) is not dict:
        return random_schema(random, depth)
    found = json.loads(json.dumps(schema))
    if properties := found.get("properties"):
        name = random.choice([*properties])
        choice = random.randrange(5)
        if choice == 0:
            properties[random.choice("abcdef")] = random_schema(random, depth - 1)
        elif choice == 1:
            del properties[name]
            found["required"] = [each for each in found.get("required", ()) if each != name]
        elif choice == 2:
            found["required"] = [each for each in properties if random.random() < 0.5]
        elif choice == 3:
            found.pop("additionalProperties", None)
        else:
            properties[name] = changed(properties[name], random, depth - 1)
    elif "items" in found:
        found["items"] = changed(found["items"], random, depth - 1)
    elif "anyOf" in found:
        at = random.randrange(len(found["anyOf"]))
        found["anyOf"][at] = changed(found["anyOf"][at], random, depth - 1)
    else:
        return random_schema(random, depth)
    return found


def random_value(schema: Any, random: Random) -> Any:
    """A value for such a schema, which it accepts more often than not, with names that it has."""
    if "anyOf" in schema:
        return random_value(random.choice(schema["anyOf"]), random)
    if "enum" in schema or "const" in schema:
        return random.choice(schema.get("enum") or [schema["const"]])
    kind = schema.get("type", random.choice(["string", "integer", "null"]))
    if kind == "object" and "properties" in schema:
        names = [
            n
            for n in schema["properties"]
            if n in schema.get("required", ()) or random.random() < 0.6
        ]
        return {name: random_value(schema["properties"][name], random) for name in names}
    if kind == "object":
        names = random.sample(WORDS[1:], random.randrange(3))
        return {name: random_value(schema["additionalProperties"], random) for name in names}
    if kind == "array":
        least = schema.get("minItems", 0)
        count = random.randint(least, max(least, schema.get("maxItems", 4)))
        return [random_value(schema["items"], random) for _ in range(count)]
    scalars = {
        "string": random.choice(WORDS),
        "integer": random.randint(-1, 12),
        "number": random.choice([random.randint(-1, 9), random.random() * 8]),
        "boolean": random.random() < 0.5,
        "null": None,
    }
    return scalars[kind]


PARTS = [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, 20))]


@pytest.mark.parametrize("part", PARTS)
def test_witnesses_of_random_pairs_are_true_and_no_value_proves_a_verdict_wrong(part):
    false, missed, proved, fine = [], [], 0, 0
    for number in range(part * 50, part * 50 + 50):
        random = Random(number)
        old = random_record(random, 3)
        new = changed(old, random, 3)
        output = random.random() < 0.3
        changes = compare(old, new, path="f", output=output)
        witnesses = [each for each in changes if each.witness]
        false += [(number, each) for each in witnesses if not is_true(each, old, new)]
        breaks = any(each.breaks for each in changes)
        before, after = (new, old) if output else (old, new)
        old_check, new_check = map(jsonschema_rs.validator_for, (before, after))
        values = filter(old_check.is_valid, (random_value(before, random) for _ in range(100)))
        separating = [each for each in values if not new_check.is_valid(each)]
        missed += [(number, separating[0], old, new)] if separating and not breaks else []
        proved += bool(witnesses)
        fine += not breaks
    assert false == []
    assert missed == []
    assert proved > 15
    assert fine > 5
