"""Values near those of the tables of cases: arguments and two validators say the same about each.

A row of ``tests/cases/`` has a few values that its schema accepts or rejects. Here each of them is
changed in one place, in every way below.
"""

import copy
import json
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from milo_schema import SchemaError, type_to_schema
from milo_schema.arguments import ArgumentsError, Binder, binder
from tests.cases import CASES, Case
from tests.every import every
from tests.test_arguments import DECODERS, MCP, NOT_BUILT, READABLE
from tests.test_cases import judges

pytestmark = pytest.mark.core

OTHERS: list[Any] = [None, True, 0, -1, 1.0, 0.5, "", "1", "zz", [], {}, [None], {"zz": 1}]


def near(value: Any) -> Iterator[Any]:
    """JSON that differs from a value in one place, at any depth."""
    yield from OTHERS
    if isinstance(value, str):
        yield from (value + "z", value + "\n", " " + value, value[:-1], value[1:], value * 2)
        yield from (value.upper(), value.lower(), value.replace("-", ""), value.replace(":", ""))
        yield value.replace("1", "\N{ARABIC-INDIC DIGIT ONE}", 1)
    elif type(value) in (int, float):
        yield from (value + 1, value - 1, -value, value * 10, value / 2, float(value), str(value))
    elif isinstance(value, list):
        yield from (
            value[1:],
            value[:-1],
            value[::-1],
            [*value, *value],
            [*value, None],
            [*value, 0],
        )
        for i, item in enumerate(value):
            yield from ([*value[:i], each, *value[i + 1 :]] for each in near(item))
    elif isinstance(value, dict):
        yield {**value, "zz": 0}
        for key, item in value.items():
            others = {name: each for name, each in value.items() if name != key}
            yield from (others, {**others, f"{key}z": item})
            yield from ({**others, key: each} for each in near(item))


def neighbors(case: Case) -> list[Any]:
    """The samples of a row and the values near them, each once."""
    samples = (*case.accepts, *case.rejects)
    found = {json.dumps(each): each for sample in samples for each in (sample, *near(sample))}
    return list(found.values())


# -- differences, each of which a page explains ------------------------------------------------

NARROWER = {
    **dict.fromkeys(("bytes", "bytearray", "memoryview", "te.Buffer", "Buffer"), "Base64"),
    **dict.fromkeys(("ByteString", "bytes of 3", "bytes from 4"), "Base64"),
    **dict.fromkeys(("IPv4Network", "IPv6Network", "IPv4Interface"), "a string without format"),
    **dict.fromkeys(("IPv6Interface", "ZoneInfo"), "a string without format"),
    **dict.fromkeys(("bare set", "bare frozenset", "bare Set"), "items without a hash"),
    **dict.fromkeys(("bare MutableSet", "bare KeysView", "bare ItemsView"), "items without a hash"),
    "ItemsView[str, int]": "keys that are repeated",
    **dict.fromkeys(("tuple[*tuple[int, ...], str]", "tuple with a tail"), "the end of a tuple"),
    **dict.fromkeys(("Decimal from 0", "Decimal from Decimal"), "bounds of a number in a string"),
    **dict.fromkeys(("at.LowerCase", "at.Predicate"), "a call runs the function"),
    **dict.fromkeys(DECODERS, "a function of the row reads the value"),
}
"""Rows with JSON that the schema accepts, and from which there is no value: docs/differences.md."""

WIDER = {
    **dict.fromkeys(("datetime", "time", "Moment"), "no offset from UTC"),
}
"""Rows with JSON that only a format refuses, and from which there is a value."""

NOT_JUDGED = {*NOT_BUILT, "Injected"}  # no caller passes a parameter that is injected
JUDGED = [case for case in READABLE if case.mcp is not None and str(case) not in NOT_JUDGED]


def is_read(bound: Binder[Any], case: Case, value: Any) -> bool:
    try:
        bound({"value": copy.deepcopy(value)})
    except ArgumentsError:
        return False
    except SchemaError:  # a decoder that the row does not have
        assert str(case) in DECODERS
        return False
    except (KeyError, TypeError):  # a decoder that does not refuse what it cannot read
        assert str(case) in DECODERS
        return False
    return True


def disputed(case: Case) -> Iterator[tuple[Any, bool]]:
    """Each neighbor about which two validators agree, but not with us, and their verdict.

    The slow one, jsonschema, is asked only where the other one and we differ.
    """

    def func(value: Any) -> None: ...

    func.__annotations__["value"] = case.type
    profile = case.profile(MCP).replace(decoders=DECODERS.get(str(case), {}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        schema = type_to_schema(case.type, profile=profile)
        bound = binder(func, profile=profile, localns={"Any": Any})
    slow, quick = judges(schema)
    for value in neighbors(case):
        accepted = quick.is_valid(value)
        if accepted is not is_read(bound, case, value) and accepted is slow.is_valid(value):
            yield value, accepted


@pytest.mark.slow
@every("case", JUDGED)
def test_a_value_near_a_sample_is_read_if_the_schema_accepts_it(case):
    found = list(disputed(case))
    narrower = [value for value, accepted in found if accepted]
    wider = [value for value, accepted in found if not accepted]

    place = "milo_schema/nodes: load() of its node, or the function of its row"
    assert narrower == [] or str(case) in NARROWER, place
    assert wider == [] or str(case) in WIDER, place
    assert len(neighbors(case)) > 10


def test_a_row_that_is_excused_differs():
    excused = [case for case in JUDGED if str(case) in {*NARROWER, *WIDER} - {*DECODERS}]
    needless = [str(case) for case in excused if not any(disputed(case))]

    assert needless == []
    assert {*NARROWER, *WIDER} <= {str(case) for case in CASES}
