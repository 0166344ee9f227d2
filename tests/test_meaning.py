"""Prove the meaning of a schema, instead of reading its text.

Hypothesis makes values of each row's type; a codec that is not ours, pydantic or msgspec, puts
them into JSON; two validators must accept what it wrote. Then the JSON is changed somewhere, and
the codec, as strict as it can be, must accept it exactly when the schema does.

Where Python and JSON Schema differ by nature, ``docs/differences.md`` explains it, and so does
``DIFFERENCES`` here: a disagreement that none of them explains fails the test.
"""

import collections
import contextlib
import dataclasses
import decimal
import functools
import json
import pathlib
import re
import typing
import warnings
from collections.abc import Callable
from typing import Annotated, Any

import annotated_types as at
import jsonschema
import jsonschema_rs
import msgspec
import pydantic
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument, Unsatisfiable

from milo_schema import markers, profiles, type_to_schema
from tests.cases import CASES, Case
from tests.generated import generated
from tests.inside import CONSTRAINTS, MARKERS
from tests.needs import lacking
from tests.test_cases import FORMATS

# Older releases of pydantic read some types in their own ways; one judge is enough.
PYDANTIC = lacking("pydantic>=2.14")
pytestmark = pytest.mark.skipif(bool(PYDANTIC), reason=PYDANTIC)

DOCS = pathlib.Path(__file__).parent.parent / "docs" / "differences.md"


# -- codecs ------------------------------------------------------------------------------------


@dataclasses.dataclass
class Codec:
    """A library that reads and writes the JSON of a type."""

    name: str
    encode: Callable[[Any], bytes]
    decode: Callable[[bytes], Any]

    def accepts(self, instance: Any) -> bool:
        try:
            self.decode(json.dumps(instance).encode())
        except (TypeError, ValueError, msgspec.MsgspecError):  # a TypeError: {} in a set
            return False
        return True


BASE64 = pydantic.ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")


def pydantic_codec(tp: Any) -> Codec:
    adapter: Any = pydantic.TypeAdapter(tp)
    if not hasattr(tp, "__pydantic_core_schema__"):  # else the class has a configuration
        with contextlib.suppress(pydantic.PydanticUserError):
            adapter = pydantic.TypeAdapter(tp, config=BASE64)
    adapter.rebuild(raise_errors=True)
    strict = functools.partial(adapter.validate_json, strict=True)
    return Codec("pydantic", functools.partial(adapter.dump_json, by_alias=True), strict)


def msgspec_codec(tp: Any) -> Codec:
    if "CustomType" in repr(msgspec.inspect.type_info(tp)):
        raise TypeError(f"msgspec leaves {tp} to its user")
    decoder = msgspec.json.Decoder(tp, strict=True)
    return Codec("msgspec", msgspec.json.encode, decoder.decode)


def codecs(case: Case) -> list[Codec]:
    """The codecs that support the type of a row and all of its metadata."""
    if case.refused or case.types or lacking(case.needs) or mentions_ours(case.type):
        return []
    found = []
    for make, into in ((pydantic_codec, _for_pydantic), (msgspec_codec, _for_msgspec)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                codec = make(translated(case.type, into))
                for sample in case.accepts:
                    codec.accepts(sample)
        except Exception:
            continue
        found.append(codec)
    return found


def translated(tp: Any, into: Callable[[Any], Any]) -> Any:
    """*tp* with the markers around it as a codec knows them."""
    origin, args = typing.get_origin(tp), typing.get_args(tp)
    if origin is Annotated:
        return Annotated[(translated(args[0], into), *map(into, args[1:]))]
    return tp


def mentions_ours(tp: Any) -> bool:
    """Whether one of our markers stands so deep in *tp* that ``translated`` leaves it there."""
    while typing.get_origin(tp) is Annotated:
        tp = typing.get_args(tp)[0]
    return "milo_schema" in repr(_described(tp, depth=4))


def _described(tp: Any, depth: int) -> Any:
    """*tp*, its arguments and the annotations of its fields, with modules of metadata."""
    if depth == 0:
        return None
    origin, args = typing.get_origin(tp), typing.get_args(tp)
    if origin is Annotated:
        return [type(piece).__module__ for piece in args[1:]], _described(args[0], depth)
    fields = typing.get_type_hints(tp, include_extras=True) if isinstance(tp, type) else {}
    names = [getattr(origin or tp, name, None) for name in ("__value__", "__supertype__")]
    return [_described(each, depth - 1) for each in (*args, *fields.values(), *names)]


def _is_constraint(marker: Any) -> bool:
    return type(marker) in MARKERS and MARKERS[type(marker)][0] == CONSTRAINTS


def _for_pydantic(marker: Any) -> Any:
    if type(marker) is markers.Schema:
        raise TypeError("nobody else knows Schema")
    if type(marker) is markers.Pattern:
        return pydantic.Field(pattern=marker.value)
    if isinstance(marker, msgspec.Meta):
        raise TypeError("pydantic does not know msgspec.Meta")
    ours = _is_constraint(marker)
    return getattr(at, type(marker).__name__)(marker.value) if ours else marker


def _for_msgspec(marker: Any) -> Any:
    foreign = isinstance(marker, (at.GroupedMetadata, at.BaseMetadata, markers.Schema))
    if foreign or "pydantic" in repr(type(marker)):
        raise TypeError("msgspec does not know annotated-types, pydantic, Schema")
    if _is_constraint(marker):
        return msgspec.Meta(**{_META[type(marker)]: marker.value})
    return marker


_META = {
    markers.Gt: "gt",
    markers.Ge: "ge",
    markers.Lt: "lt",
    markers.Le: "le",
    markers.MultipleOf: "multiple_of",
    markers.MinLen: "min_length",
    markers.MaxLen: "max_length",
    markers.Pattern: "pattern",
}


# -- values ------------------------------------------------------------------------------------

# Types that ``st.from_type`` would not make, or not within the range of JSON.
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))
st.register_type_strategy(decimal.Decimal, st.decimals(allow_nan=False))


def values(case: Case, codec: Codec) -> st.SearchStrategy[Any]:
    """Values of the row's type: those that hypothesis makes, and those of the samples."""
    samples = [sample for sample in case.accepts if codec.accepts(sample)]
    decoded = st.sampled_from(samples).map(lambda sample: codec.decode(json.dumps(sample).encode()))
    strategies = [decoded] if samples else []
    try:
        made = st.from_type(translated(case.type, _for_pydantic))
        made.validate()
    except Exception:
        made = st.nothing()
    return st.one_of(*strategies, made)


SCALARS: list[Any] = [
    None, True, False, 0, 1, -1, 2, 9, 10**20, 0.5, 1.0, -1.5, "", "a", "abc", "1", "true", "x-y",
]  # fmt: skip
OTHERS: list[Any] = [*SCALARS, [], {}, [1], ["a"], {"a": 1}, {"x": "y"}]


@st.composite
def mutated(draw: st.DrawFn, instance: Any) -> Any:
    """A JSON value that differs from *instance* in one place."""
    if isinstance(instance, dict) and instance and draw(st.booleans()):
        name = draw(st.sampled_from(sorted(instance)))
        changed = dict(instance)
        how = draw(st.sampled_from(["inside", "remove", "rename"]))
        value = changed.pop(name)
        if how == "inside":
            return {**instance, name: draw(mutated(value))}
        return (
            changed
            if how == "remove"
            else {**changed, draw(st.sampled_from(["a", "1", "zz"])): value}
        )
    if isinstance(instance, list) and instance and draw(st.booleans()):
        index = draw(st.integers(0, len(instance) - 1))
        how = draw(st.sampled_from(["inside", "inside", "remove", "repeat", "add", "swap"]))
        item = instance[index]
        if how == "inside":
            return [*instance[:index], draw(mutated(item)), *instance[index + 1 :]]
        if how == "swap":
            return instance[::-1]
        middle = {
            "remove": [],
            "repeat": [item, item],
            "add": [item, draw(st.sampled_from(OTHERS))],
        }
        return [*instance[:index], *middle[how], *instance[index + 1 :]]
    if isinstance(instance, str) and draw(st.booleans()):
        return draw(
            st.sampled_from(
                [instance + "a", instance[1:], instance[:-1], instance.upper(), instance * 2]
            )
        )
    if type(instance) in (int, float) and draw(st.booleans()):
        return draw(
            st.sampled_from(
                [instance + 1, instance - 1, -instance, instance * 2, instance / 2, str(instance)]
            )
        )
    return draw(st.sampled_from(OTHERS))


# -- where Python and JSON Schema differ by nature ---------------------------------------------

SCHEMA, CODEC = "the schema", "the codec"


@dataclasses.dataclass
class Difference:
    """One reason why a schema and a codec may disagree.

    Attributes:
        name: The row in ``docs/differences.md``.
        taker: The one that accepts what the other one refuses; empty for either.
        rows: A pattern that the row's name matches, or its schema as text does.
        codec: The codec that it is about; empty for both.
        holds: Whether the instance is of that kind.
    """

    name: str
    taker: str
    rows: str = ""
    codec: str = ""
    holds: Callable[[Any], bool] = lambda _: True

    def explains(self, row: str, codec: str, taker: str, instance: Any) -> bool:
        return (
            self.taker in ("", taker)
            and self.codec in ("", codec)
            and re.search(self.rows, row) is not None
            and self.holds(instance)
        )


def contains(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether a JSON value, or a value somewhere in it, passes the test."""

    def found(instance: Any) -> bool:
        below = instance.values() if isinstance(instance, dict) else instance
        inside = isinstance(instance, (dict, list)) and any(map(found, below))
        return inside or bool(test(instance))

    return found


whole_float = contains(lambda value: type(value) is float and value.is_integer())
zero_or_one = contains(lambda value: value in (0, 1))

is_object = contains(lambda value: isinstance(value, dict))
_SEQUENCES = "Iterable|Generator|Collection|Reversible|Sequence|MutableSequence|union of equal"
_GENERICS = r"^IntBox|^IntPage|^Child|^Shelf|IntBox\(Box|^WithDefault|TypeVar default|\[T = int"

DIFFERENCES = [
    Difference("A float without a fraction is an integer", SCHEMA, holds=whole_float),
    Difference("True is 1, and False is 0", CODEC, '"enum": ', "pydantic", zero_or_one),
    Difference("A set has distinct, hashable items", "", '"uniqueItems": true'),
    Difference("Formats follow the RFCs", CODEC, '"format": '),
    Difference("Base64 is declared, but not checked", "", '"contentEncoding": '),
    Difference("Some strings have no format", SCHEMA, r"^(IPv\dNetwork|IPv\dInterface|ZoneInfo) "),
    Difference("A pattern of bytes is text", SCHEMA, r"^re\.Pattern\[bytes\] ", "pydantic"),
    Difference("Decimals have several spellings", "", "s\\?NaN"),
    Difference("Strings are sequences, too", CODEC, rf"^(bare )?({_SEQUENCES})"),
    Difference("A NamedTuple is an array", CODEC, '"prefixItems": |"maxItems": 0', "pydantic",
               is_object),
    Difference("Tags are required", CODEC, "^(Auto)?Tagged "),
    Difference("A field that cannot be set is not in the input", SCHEMA, "^(Small)?Crate "),
    Difference("Enum members are written as their values", SCHEMA, "^Literal of (a )?member",
               "pydantic"),
    Difference("Flags accept more than their bits", CODEC, "^(Perm|Bits) "),
    Difference("Tuples as enum values are arrays", SCHEMA, "^Pair ", "pydantic"),
    Difference("Keys are strings", "", r"^dict\[(bool|Literal of int|Decimal)"),
    Difference("Predicates have no keyword", SCHEMA, r"^at\.(Predicate|LowerCase)"),
    Difference("Repeated constraints all apply", CODEC, "thrice|nested|twice"),
    Difference("A constraint applies to the union members that it fits", SCHEMA,
               "^Ge on (a union|Any)", "pydantic"),
    Difference("Type parameters are replaced", CODEC, rf"({_GENERICS})"),
    Difference("Unpacked tuples are flattened", "", r"^tuple.*(\*|tail|unpacked|flattened)"),
    Difference("Codecs ignore what they do not know", "", r"^(\w+\.\w+ TypedDict|Checked) ",
               "msgspec"),
]  # fmt: skip
"""A disagreement that none of these explains is a bug, here or there."""


# -- the proof ---------------------------------------------------------------------------------


class Proof:
    """All pairs of a schema and an instance that were judged."""

    def __init__(self) -> None:
        self.pairs = 0
        self.rows: set[tuple[str, str]] = set()
        self.explained: collections.Counter[str] = collections.Counter()
        self.unexplained: list[str] = []

    def judge(self, case: Case, codec: Codec, schema: Any, instance: Any, *, taken: bool) -> None:
        """Compare the verdict of a codec on an instance with those of two validators."""
        self.pairs += 1
        self.rows.add((str(case), codec.name))
        verdicts = {judge.is_valid(instance) for judge in schema.judges}
        if verdicts == {taken}:
            return
        taker = CODEC if taken else SCHEMA
        row = f"{case} {schema.text}"
        for difference in DIFFERENCES:
            if difference.explains(row, codec.name, taker, instance):
                self.explained[difference.name] += 1
                return
        self.unexplained.append(f"{case}: {taker} takes {instance!r}, unlike {codec.name}")

    def prove(self, case: Case, codec: Codec, examples: int) -> None:
        """Judge some values of a row, and similar ones."""
        schema = _Judged(type_to_schema(case.type, profile=profiles.MCP))
        made = values(case, codec)
        if made.is_empty:
            return

        @generated(examples)
        @given(st.data())
        def run(data: st.DataObject) -> None:
            instance = _written(codec, data, made)
            for other in (instance, *(data.draw(mutated(instance)) for _ in range(4))):
                self.judge(case, codec, schema, other, taken=codec.accepts(other))

        with contextlib.suppress(Unsatisfiable):  # nothing that this codec can write
            run()


class _Judged:
    """A schema, its text, and the validators that judge by it."""

    def __init__(self, schema: Any) -> None:
        self.text = json.dumps(schema)
        self.judges = (
            jsonschema.Draft202012Validator(schema, format_checker=FORMATS),
            jsonschema_rs.Draft202012Validator(schema, validate_formats=True),
        )


def _written(codec: Codec, data: st.DataObject, made: st.SearchStrategy[Any]) -> Any:
    """A value as the codec writes it, unless it cannot be made or written."""
    try:
        return json.loads(codec.encode(data.draw(made)))
    except (InvalidArgument, TypeError, ValueError, msgspec.MsgspecError):
        reject()


def prove(examples: int, step: int = 1) -> Proof:
    proof = Proof()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pydantic warns about unexpected values that it serializes
        for case in CASES[::step]:
            for codec in codecs(case):
                proof.prove(case, codec, examples)
    print(f"{proof.pairs} pairs, {len(proof.rows)} rows; explained: {dict(proof.explained)}")
    return proof


@pytest.mark.slow
def test_schema_accepts_output_of_codecs_and_rejects_what_they_reject() -> None:
    proof = prove(examples=3, step=3)

    assert proof.unexplained == []
    assert proof.pairs >= 1_500
    assert len(proof.rows) >= 150


@pytest.mark.parametrize(
    "wrong", [{}, {"type": "array"}, {"type": "array", "items": {"type": "number"}}]
)
def test_proof_finds_a_wrong_schema(wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.type_to_schema", lambda _, **__: wrong)
    proof = Proof()
    case = Case(list[int], accepts=([1],))
    for codec in codecs(case):
        proof.prove(case, codec, examples=20)

    assert proof.unexplained != []


@pytest.mark.long
def test_hundred_thousand_pairs_agree() -> None:
    proof = prove(examples=60)

    assert proof.unexplained == []
    assert proof.pairs >= 100_000
    assert [each.name for each in DIFFERENCES if not proof.explained[each.name]] == []


def test_every_difference_is_in_the_docs_once() -> None:
    rows = re.findall(r"^\| ([^|]+) \| ", DOCS.read_text("utf-8"), re.MULTILINE)

    assert rows == ["Difference", "---", *(difference.name for difference in DIFFERENCES)]
