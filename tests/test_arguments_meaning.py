"""Prove that arguments are read as the schema describes, and as pydantic and msgspec read them.

Hypothesis makes types, values of them, and JSON that is near the JSON of those values. What
``json_to_value()`` makes of it is judged by the schema of the type and by the two codecs, as strict
as they can be. A disagreement that none of ``EXPLAINED`` explains fails the test.
"""

import collections
import datetime
import decimal
import enum
import ipaddress
import json
import re
import types
import typing
import uuid
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, Optional, TypedDict

import jsonschema
import jsonschema_rs
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from milo_schema import Ge, Le, MaxLen, MinLen, profiles, type_to_schema
from milo_schema.arguments import ArgumentsError, json_to_value
from milo_schema.results import value_to_json
from tests.generated import generated
from tests.needs import lacking
from tests.test_cases import FORMATS
from tests.test_meaning import (
    Codec,
    _for_msgspec,
    _for_pydantic,
    contains,
    msgspec_codec,
    mutated,
    pydantic_codec,
)

MCP = profiles.MCP
PYDANTIC = lacking("pydantic>=2.14")  # as in tests/test_meaning.py
pytestmark = pytest.mark.skipif(bool(PYDANTIC), reason=PYDANTIC)


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@dataclass(frozen=True)
class Item:
    name: str
    day: datetime.date | None = None
    sizes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Order:
    items: tuple[Item, ...]
    level: Level = Level.LOW
    next: Optional["Order"] = None


class Movie(TypedDict, total=False):
    title: str
    year: int


class Point(NamedTuple):
    x: int
    label: str = ""


# -- types -------------------------------------------------------------------------------------

SCALARS: list[Any] = [
    int, str, float, bool, None, Any, bytes, Color, Level, Literal["a", 1, True],
    datetime.date, datetime.timedelta, uuid.UUID, decimal.Decimal, ipaddress.IPv4Address,
    Annotated[int, Ge(0), Le(100)], Annotated[str, MinLen(1), MaxLen(5)],
]  # fmt: skip
HASHABLE: list[Any] = [int, str, bool, Color, datetime.date, uuid.UUID, Item, tuple[int, str]]
KEYS: list[Any] = [str, int, Color, datetime.date]
RECORDS: list[Any] = [Item, Order, Movie, Point]


def composed(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        inner.map(lambda tp: list[tp]),
        inner.map(lambda tp: tuple[tp, ...]),
        st.tuples(inner, inner).map(lambda pair: tuple[pair]),
        st.sampled_from(HASHABLE).map(lambda tp: frozenset[tp]),
        st.tuples(st.sampled_from(KEYS), inner).map(lambda pair: dict[pair]),
        inner.map(lambda tp: Optional[tp]),
        st.tuples(inner, inner).map(lambda pair: typing.Union[pair]),
        inner.map(lambda tp: Annotated[list[tp], MaxLen(2)]),
    )


TYPES = st.recursive(st.sampled_from([*SCALARS, *RECORDS]), composed, max_leaves=4)


# -- differences, and their reasons ------------------------------------------------------------

TAKEN, REFUSED = "we take it", "we refuse it"


@dataclass
class Reason:
    """One reason why two may disagree.

    Attributes:
        why: The explanation in ``docs/differences.md`` or ``docs/arguments.md``.
        judges: Who disagrees: ``schema``, ``pydantic``, ``msgspec``.
        types: A pattern that the type, as text, matches.
        holds: Whether the instance is of that kind.
    """

    why: str
    judges: str
    types: str = ""
    holds: Callable[[Any], bool] = lambda _: True

    def explains(self, judge: str, tp: str, instance: Any) -> bool:
        is_about = judge in self.judges.split() and re.search(self.types, tp) is not None
        return is_about and self.holds(instance)


whole_float = contains(lambda value: type(value) is float and value.is_integer())
some_text = contains(lambda value: type(value) is str)
some_number = contains(lambda value: type(value) in (int, float))
some_object = contains(lambda value: type(value) is dict)
zero_or_one = contains(lambda value: value in (0, 1))
_FORMATTED = "datetime|UUID|IPv4"
EXPLAINED = [
    Reason("A float without a fraction is an integer", "pydantic msgspec", holds=whole_float),
    Reason("True is 1, and False is 0", "pydantic msgspec", "Literal|Level", zero_or_one),
    Reason("Formats follow the RFCs", "schema pydantic msgspec", _FORMATTED, some_text),
    Reason("Base64 is declared, but not checked", "schema pydantic msgspec", "bytes", some_text),
    Reason("Decimals have several spellings", "pydantic msgspec", "Decimal"),
    Reason("A set has distinct, hashable items", "pydantic msgspec", "frozenset"),
    Reason("Keys are strings", "pydantic msgspec", "dict", some_object),
    Reason("A NamedTuple is an array", "pydantic", "Point", some_object),
    Reason("One integer in a union", "msgspec", r"Union\[.*Annotated\[int", some_number),
    Reason("One string in a union", "msgspec", r"Union\[.*Annotated\[str", some_text),
    Reason("Enum members are written as their values", "pydantic", "Literal"),
]


class Proof:
    """All that was judged."""

    def __init__(self) -> None:
        self.pairs = 0
        self.explained: collections.Counter[str] = collections.Counter()
        self.unexplained: list[str] = []

    def judge(self, tp: Any, instance: Any, judges: dict[str, Callable[[Any], bool]]) -> None:
        """Compare our result for an instance with the verdict of each judge."""
        try:
            value = json_to_value(instance, tp, profile=MCP)
            taken = True
        except ArgumentsError as problem:
            taken = not problem.problems
        for name, accepts in judges.items():
            self.pairs += 1
            if accepts(instance) is not taken:
                self._explain(name, tp, instance, TAKEN if taken else REFUSED)
        if taken:
            written = value_to_json(value, tp, profile=MCP)
            again = json_to_value(written, tp, profile=MCP)
            is_same = again == value or repr(again) == repr(value)  # NaN is not equal to itself
            if not is_same or type(again) is not type(value):
                self._explain("identity", tp, instance, f"{value!r} comes back as {again!r}")

    def _explain(self, judge: str, tp: Any, instance: Any, what: str) -> None:
        for reason in EXPLAINED:
            if reason.explains(judge, repr(tp), instance):
                self.explained[reason.why] += 1
                return
        self.unexplained.append(f"{judge}, {tp!r}: {instance!r}; {what}")


def judges_of(tp: Any) -> dict[str, Callable[[Any], bool]]:
    """The schema, twice, and the codecs that know the type."""
    schema = type_to_schema(tp, profile=MCP)
    one = jsonschema.Draft202012Validator(schema, format_checker=FORMATS)
    other = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    found: dict[str, Callable[[Any], bool]] = {
        "schema": lambda instance: bool(one.is_valid(instance) and other.is_valid(instance))
    }
    for make, into in ((pydantic_codec, _for_pydantic), (msgspec_codec, _for_msgspec)):
        try:
            codec: Codec = make(rebuilt(tp, into))
        except Exception:
            continue
        found[codec.name] = codec.accepts
    return found


def rebuilt(tp: Any, into: Callable[[Any], Any]) -> Any:
    """*tp* with every marker in it as a codec knows it."""
    origin, args = typing.get_origin(tp), typing.get_args(tp)
    if origin is Annotated:
        return Annotated[(rebuilt(args[0], into), *map(into, args[1:]))]
    if origin is None or origin is Literal:
        return tp
    inner = tuple(arg if arg is ... else rebuilt(arg, into) for arg in args)
    if origin in (typing.Union, types.UnionType):
        return typing.Union[inner]
    return origin[inner]


def prove(count: int, instances: int) -> Proof:
    proof = Proof()

    @generated(count)
    @given(st.data())
    def run(data: st.DataObject) -> None:
        tp = data.draw(TYPES)
        judges = judges_of(tp)
        for _ in range(instances):
            try:
                value = data.draw(st.from_type(rebuilt(tp, _for_pydantic)))
                instance = json.loads(msgspec.json.encode(value, enc_hook=str))
            except Exception:
                instance = None
            for each in (instance, *(data.draw(mutated(instance)) for _ in range(4))):
                proof.judge(tp, each, judges)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run()
    print(f"{proof.pairs} pairs; explained: {dict(proof.explained)}")
    return proof


def test_a_decimal_that_is_not_equal_to_itself_is_the_same() -> None:
    proof = Proof()
    proof.judge(decimal.Decimal, "NaN", {})
    proof.judge(list[decimal.Decimal], ["1", "NaN"], {})

    assert proof.unexplained == []


def test_arguments_are_accepted_if_the_schema_and_the_codecs_accept_them() -> None:
    proof = prove(count=60, instances=1)

    assert proof.unexplained == []
    assert proof.pairs >= 500


@pytest.mark.long
def test_a_hundred_thousand_pairs_of_arguments_agree() -> None:
    proof = prove(count=3_600, instances=2)

    assert proof.unexplained == []
    assert proof.pairs >= 100_000
