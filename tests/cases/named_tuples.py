"""``NamedTuple`` and ``collections.namedtuple``."""

import collections
from typing import Annotated, Generic, NamedTuple

import typing_extensions as te

from milo_schema import Description
from tests.cases.case import Case
from tests.cases.shared import T
from tests.fragments import INTEGER, NULL, STRING, any_of, array_of, fixed


class Point(NamedTuple):
    """Where it is.

    Attributes:
        y: How high.
    """

    x: int
    y: int | None = None


class Whole(NamedTuple):
    x: int
    y: int


class Wrapped(NamedTuple, Generic[T]):
    value: T
    rest: list[T] = []  # noqa: RUF012


class Chain(NamedTuple):
    next: "Chain | None"


class NoFields(NamedTuple):
    pass


class SubPoint(Whole):
    """A subclass adds no field."""

    z: int = 0


Untyped = collections.namedtuple("Untyped", ["a", "b"], defaults=[1])

NAMED_TUPLES = [
    Case(Point, {"type": "array", "prefixItems": [INTEGER,
             {"anyOf": [INTEGER, NULL], "description": "How high."}], "minItems": 1, "maxItems": 2,
           "description": "Where it is."}, accepts=([1], [1, None], [1, 2]),
         rejects=([], ["a"], [1, 2, 3], {"x": 1})),
    Case(Whole, {"type": "array", "prefixItems": [INTEGER, INTEGER], "minItems": 2, "maxItems": 2},
         accepts=([1, 2],), rejects=([1],)),
    Case(Wrapped[str], {"type": "array", "prefixItems": [STRING, array_of(STRING)], "minItems": 1,
           "maxItems": 2}, accepts=(["a", ["b"]],), rejects=(["a", [1]], [1]), id="Wrapped[str]"),
    Case(Chain, {"type": "array", "prefixItems": [any_of({"$ref": "#/$defs/Chain"}, NULL)],
           "minItems": 1, "maxItems": 1, "$defs": {"Chain": fixed(any_of({"$ref": "#/$defs/Chain"},
                 NULL))}}, accepts=([None], [[[None]]]), rejects=([], [1])),
    Case(NoFields, {"type": "array", "maxItems": 0}, accepts=([],), rejects=([1],)),
    Case(SubPoint, {"type": "array", "prefixItems": [INTEGER, INTEGER], "minItems": 2,
           "maxItems": 2, "description": "A subclass adds no field."}, accepts=([1, 2],),
         rejects=([1, 2, 3],)),
    Case(Untyped, {"type": "array", "prefixItems": [{}, {}], "minItems": 1, "maxItems": 2},
         accepts=([1], ["a", None]), rejects=([],)),
    Case(te.NamedTuple("TeTuple", [("a", int)]),
         {"type": "array", "prefixItems": [INTEGER], "minItems": 1, "maxItems": 1}, accepts=([1],),
         rejects=(["a"],), id="te.NamedTuple"),
    Case(list[Whole], array_of(fixed(INTEGER, INTEGER)), accepts=([[1, 2]],), rejects=([1, 2],),
         id="list[Whole]"),
    Case(Annotated[Whole, Description("A point.")],
         {"type": "array", "prefixItems": [INTEGER, INTEGER], "minItems": 2, "maxItems": 2,
           "description": "A point."}, accepts=([1, 2],), rejects=([1],), id="Annotated Whole"),
]  # fmt: skip
