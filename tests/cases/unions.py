"""Unions, and ``Optional``."""

import datetime
import numbers
import os
import pathlib
from collections import abc
from typing import (
    Annotated,
    Any,
    Literal,
    Never,
    NewType,
    NoReturn,
    Optional,
    SupportsAbs,
    SupportsComplex,
    SupportsFloat,
    SupportsIndex,
    SupportsInt,
    Union,
)

from tests.cases.case import Case
from tests.fragments import (
    BASE64,
    BOOLEAN,
    INTEGER,
    NULL,
    NUMBER,
    STRING,
    Json,
    any_of,
    array_of,
    map_of,
)

INTEGER_OR_STRING: Json = {"anyOf": [INTEGER, STRING]}

UNIONS = [
    Case(int | str, INTEGER_OR_STRING, accepts=(1, "a"), rejects=(None, 1.5), id="int | str"),
    Case(
        Union[int, str], INTEGER_OR_STRING, accepts=(1, "a"), rejects=(None,), id="Union[int, str]"
    ),
    Case(
        int | None, {"anyOf": [INTEGER, NULL]}, accepts=(1, None), rejects=("a",), id="int | None"
    ),
    Case(
        Optional[int],
        {"anyOf": [INTEGER, NULL]},
        accepts=(1, None),
        rejects=("a",),
        id="Optional[int]",
    ),
    Case(
        Union[None, int],
        {"anyOf": [INTEGER, NULL]},
        accepts=(1, None),
        rejects=("a",),
        id="Union[None, int]",
    ),
    Case(
        None | int | str,
        {"anyOf": [INTEGER, STRING, NULL]},
        accepts=(1, "a", None),
        rejects=(1.5,),
        id="None | int | str",
    ),
    Case(
        Union[int, "str"],
        INTEGER_OR_STRING,
        accepts=(1, "a"),
        rejects=(None,),
        id="Union[int, string]",
    ),
    Case(
        Optional["list[int]"],
        {"anyOf": [{"type": "array", "items": INTEGER}, NULL]},
        accepts=([1], None),
        rejects=(["a"],),
        id="Optional[string]",
    ),
    Case(Union[int], INTEGER, accepts=(1,), rejects=("a",), id="Union[int]"),
    Case(
        Union[int, Union[str, None]],
        {"anyOf": [INTEGER, STRING, NULL]},
        accepts=(1, "a", None),
        rejects=(1.5,),
        id="Union nested",
    ),
    Case(
        int | float,
        {"anyOf": [INTEGER, NUMBER]},
        accepts=(1, 1.5),
        rejects=("a",),
        id="int | float",
    ),
    Case(
        bool | int,
        {"anyOf": [BOOLEAN, INTEGER]},
        accepts=(True, 1),
        rejects=("a",),
        id="bool | int",
    ),
    *(
        Case(
            Union[annotation, str],
            {"anyOf": [NUMBER, STRING]},
            accepts=(1, 1.5, "a"),
            rejects=(True, None, []),
            id=f"{annotation} | str",
        )
        for annotation in (
            *(complex, numbers.Number, numbers.Complex, numbers.Real, Annotated[complex, 5]),
            *(SupportsInt, SupportsFloat, SupportsComplex, SupportsAbs, SupportsAbs[int]),
        )
    ),
    *(
        Case(
            Union[annotation, None],
            {"anyOf": [INTEGER, NULL]},
            accepts=(1, None),
            rejects=(True, 1.5, "1"),
            id=f"{annotation} | None",
        )
        for annotation in (
            numbers.Integral,
            numbers.Rational,
            SupportsIndex,
            NewType("N", SupportsIndex),
        )
    ),
    Case(int | Any, {"anyOf": [INTEGER, {}]}, accepts=(1, "a", None), id="int | Any"),
    Case(Union[int, Never], INTEGER, accepts=(1,), rejects=("a",), id="int | Never"),
    Case(
        Union[Never, NoReturn],
        {"not": {}},
        rejects=(None, 1),
        refused=("Never | NoReturn", "Never | NoReturn has no value"),
        id="Never | NoReturn",
    ),
    Case(
        list[int] | list[str],
        {"anyOf": [{"type": "array", "items": INTEGER}, {"type": "array", "items": STRING}]},
        accepts=([], [1], ["a"]),
        rejects=([1, "a"],),
        id="list[int] | list[str]",
    ),
    Case(
        dict[str, int] | list[int] | None,
        any_of(map_of(INTEGER), array_of(INTEGER), NULL),
        accepts=({"a": 1}, [1], None),
        rejects=(1,),
        id="dict or list or None",
    ),
    Case(
        list[int] | abc.Sequence[int] | tuple[int, ...],
        {"type": "array", "items": INTEGER},
        accepts=([1],),
        rejects=(["a"],),
        id="union of equal schemas",
    ),
    Case(pathlib.Path | str, STRING, accepts=("a",), rejects=(1,), id="Path | str"),
    Case(
        str | os.PathLike[str] | None,
        {"anyOf": [STRING, NULL]},
        accepts=("a", None),
        rejects=(1,),
        id="str | PathLike | None",
    ),
    Case(
        Literal["a"] | Literal["b"],
        {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "string", "enum": ["b"]}]},
        accepts=("a", "b"),
        rejects=("c",),
        id="Literal | Literal",
    ),
    Case(
        Literal["auto"] | int,
        {"anyOf": [{"type": "string", "enum": ["auto"]}, INTEGER]},
        accepts=("auto", 1),
        rejects=("b",),
        id="Literal | int",
    ),
    Case(
        list[int | None],
        {"type": "array", "items": {"anyOf": [INTEGER, NULL]}},
        accepts=([1, None],),
        rejects=(["a"],),
        id="list[int | None]",
    ),
    Case(
        dict[str, int | None],
        {"type": "object", "additionalProperties": {"anyOf": [INTEGER, NULL]}},
        accepts=({"a": None},),
        rejects=({"a": "b"},),
        id="dict[str, int | None]",
    ),
    Case(bytes | str, {"anyOf": [BASE64, STRING]}, accepts=("a",), rejects=(1,), id="bytes | str"),
    Case(
        datetime.date | datetime.datetime,
        any_of({"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}),
        accepts=("2026-01-31",),
        rejects=("now",),
        id="date | datetime",
    ),
    Case(
        Union,
        mcp={},
        milo=STRING,
        refused=("Union", "Union has no members; write them in brackets, such as Union[int, str]"),
        id="Union bare",
    ),
    Case(
        Optional,
        mcp={},
        milo=STRING,
        refused=("Optional", "no JSON Schema for"),
        id="Optional bare",
    ),
]
