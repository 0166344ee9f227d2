"""``Annotated``, qualifiers such as ``Required``, and the metadata of annotated-types."""

import datetime
import decimal
from dataclasses import InitVar
from typing import Annotated, Any, ClassVar, Final, Literal, NotRequired, Required, Self, TypedDict

import annotated_doc
import annotated_types as at
import typing_extensions as te

from milo_schema import (
    Deprecated,
    Description,
    Examples,
    Format,
    Ge,
    Gt,
    Injected,
    Le,
    Lt,
    MaxLen,
    MinLen,
    MultipleOf,
    Pattern,
    Schema,
    Title,
)
from tests.cases.case import Case, Source
from tests.cases.enums import Color, Level
from tests.cases.plain import Plain
from tests.cases.shared import DECIMAL, T
from tests.fragments import BOOLEAN, INTEGER, NULL, NUMBER, STRING, any_of, map_of, obj

Email = Annotated[str, Format("email"), Description("An address.")]
Listed = Annotated[list[T], MinLen(1)]


class QuotedDeep(TypedDict):
    x: list["Annotated[int, Ge(1)]"]


ANNOTATED = [
    Case(
        Annotated[int, Ge(1), Le(9)],
        {"type": "integer", "minimum": 1, "maximum": 9},
        accepts=(1, 9),
        rejects=(0, 10),
        id="Ge Le",
    ),
    Case(
        Annotated[float, Gt(0), Lt(1.5)],
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1.5},
        accepts=(0.1,),
        rejects=(0, 1.5),
        id="Gt Lt",
    ),
    Case(
        Annotated[int, MultipleOf(5)],
        {"type": "integer", "multipleOf": 5},
        accepts=(10,),
        rejects=(11,),
        id="MultipleOf",
    ),
    Case(
        Annotated[str, MinLen(1), MaxLen(2)],
        {"type": "string", "minLength": 1, "maxLength": 2},
        accepts=("a",),
        rejects=("", "abc"),
        id="MinLen MaxLen str",
    ),
    Case(
        Annotated[list[str], MinLen(1), MaxLen(2)],
        {"type": "array", "items": STRING, "minItems": 1, "maxItems": 2},
        accepts=(["a"],),
        rejects=([], ["a"] * 3),
        id="MinLen MaxLen list",
    ),
    Case(
        Annotated[str, Pattern("^a+$")],
        {"type": "string", "pattern": "^a+$"},
        accepts=("aa",),
        rejects=("b",),
        id="Pattern",
    ),
    Case(
        Annotated[str, Pattern(r"\Aa\Z")],
        {"type": "string", "pattern": "^a$"},
        accepts=("a",),
        rejects=("ab",),
        id="Pattern of Python",
    ),
    Case(
        Annotated[str, Pattern("a"), Pattern("b")],
        {"type": "string", "pattern": "a", "allOf": [{"pattern": "b"}]},
        accepts=("ab",),
        rejects=("a", "b"),
        id="Pattern twice",
    ),
    Case(
        Annotated[int, MultipleOf(2), MultipleOf(3)],
        {"type": "integer", "multipleOf": 2, "allOf": [{"multipleOf": 3}]},
        accepts=(6,),
        rejects=(2, 3),
        id="MultipleOf twice",
    ),
    Case(
        Annotated[int, Ge(1), Ge(5), Ge(3)],
        {"type": "integer", "minimum": 5},
        accepts=(5,),
        rejects=(4,),
        id="Ge thrice",
    ),
    Case(
        Annotated[Annotated[str, MinLen(3)], MinLen(1)],
        {"type": "string", "minLength": 3},
        accepts=("abc",),
        rejects=("ab",),
        id="MinLen nested",
    ),
    Case(
        Annotated[Annotated[str, MaxLen(3)], MaxLen(5)],
        {"type": "string", "maxLength": 3},
        accepts=("abc",),
        rejects=("abcd",),
        id="MaxLen nested",
    ),
    Case(
        Annotated[int, Gt(1), Ge(1)],
        {"type": "integer", "exclusiveMinimum": 1, "minimum": 1},
        accepts=(2,),
        rejects=(1,),
        id="Gt and Ge",
    ),
    Case(
        Annotated[int, "Text."],
        mcp={"type": "integer", "description": "Text."},
        milo=INTEGER,
        accepts=(1,),
        rejects=("a",),
        id="text",
    ),
    Case(
        Annotated[int, "Text.", Description("Wins.")],
        {"type": "integer", "description": "Wins."},
        accepts=(1,),
        rejects=("a",),
        id="text and Description",
    ),
    Case(
        Annotated[int, Description("Wins."), "Text."],
        {"type": "integer", "description": "Wins."},
        accepts=(1,),
        rejects=("a",),
        id="Description and text",
    ),
    Case(
        Annotated[Annotated[int, "Inner."], "Outer."],
        mcp={"type": "integer", "description": "Outer."},
        milo=INTEGER,
        accepts=(1,),
        rejects=("a",),
        id="text twice",
    ),
    Case(
        Annotated[int, Title("T")],
        {"type": "integer", "title": "T"},
        accepts=(1,),
        rejects=("a",),
        id="Title",
    ),
    Case(
        Email,
        {"type": "string", "format": "email", "description": "An address."},
        accepts=("a@example.org",),
        rejects=(1, "a"),
        id="Format",
    ),
    Case(
        Annotated[str, Examples("a", "b")],
        {"type": "string", "examples": ["a", "b"]},
        accepts=("c",),
        rejects=(1,),
        id="Examples",
    ),
    Case(
        Annotated[Color, Examples(Color.RED)],
        {"type": "string", "enum": ["red", "green"], "examples": ["red"]},
        accepts=("red",),
        rejects=("blue",),
        id="Examples of members",
    ),
    Case(
        Annotated[int, Deprecated],
        {"type": "integer", "deprecated": True},
        accepts=(1,),
        rejects=("a",),
        id="Deprecated",
    ),
    Case(
        Annotated[int, Deprecated()],
        {"type": "integer", "deprecated": True},
        accepts=(1,),
        rejects=("a",),
        id="Deprecated()",
    ),
    Case(Annotated[int, Injected], INTEGER, accepts=(1,), rejects=("a",), id="Injected"),
    Case(
        Annotated[int, {"not": "ours"}, 3.5, Plain],
        INTEGER,
        accepts=(1,),
        rejects=("a",),
        id="metadata of others",
    ),
    Case(
        Annotated[None, Description("Nothing.")],
        {"type": "null", "description": "Nothing."},
        accepts=(None,),
        rejects=(1,),
        id="Annotated None",
    ),
    Case(
        Annotated[Any, Description("Anything.")],
        {"description": "Anything."},
        accepts=(1, None),
        id="Annotated Any",
    ),
    Case(
        Annotated[int | str, Ge(1)],
        {"anyOf": [{"type": "integer", "minimum": 1}, STRING]},
        accepts=(1, "a"),
        rejects=(0,),
        id="Ge on a union",
    ),
    Case(
        Annotated[int | None, Ge(1)],
        {"anyOf": [{"type": "integer", "minimum": 1}, NULL]},
        accepts=(1, None),
        rejects=(0,),
        id="Ge on an Optional",
    ),
    Case(
        Annotated[str | list[int] | dict[str, int], MinLen(2)],
        any_of(
            {"type": "string", "minLength": 2},
            {"type": "array", "items": INTEGER, "minItems": 2},
            {"type": "object", "additionalProperties": INTEGER, "minProperties": 2},
        ),
        accepts=("ab", [1, 2]),
        rejects=("a", [1], {}),
        id="MinLen on a union",
    ),
    Case(
        Annotated[int, Ge(1)] | Annotated[str, MinLen(1)],
        {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "minLength": 1}]},
        accepts=(1, "a"),
        rejects=(0, ""),
        id="union of Annotated",
    ),
    Case(
        list[Annotated[int, Ge(0)]],
        {"type": "array", "items": {"type": "integer", "minimum": 0}},
        accepts=([0],),
        rejects=([-1],),
        id="list of Annotated",
    ),
    Case(
        dict[str, Annotated[list[Annotated[str, MinLen(1)]], MaxLen(1)]],
        map_of({"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": 1}),
        accepts=({"a": ["b"]},),
        rejects=({"a": [""]}, {"a": ["b", "c"]}),
        id="Annotated deep down",
    ),
    Case(
        QuotedDeep,
        obj(["x"], x={"type": "array", "items": {"type": "integer", "minimum": 1}}),
        accepts=({"x": [1]},),
        rejects=({"x": [0]},),
    ),
    Case(
        Listed[int],
        {"type": "array", "items": INTEGER, "minItems": 1},
        accepts=([1],),
        rejects=([],),
        id="Annotated generic",
    ),
    Case(
        Annotated[decimal.Decimal, Ge(0)],
        {"anyOf": [{"type": "number", "minimum": 0}, DECIMAL]},
        accepts=("1.5", 0),
        rejects=(-1, "x"),
        id="Decimal from 0",
    ),
    Case(
        Annotated[decimal.Decimal, Ge(decimal.Decimal("0.5")), Lt(2)],
        {"anyOf": [{"type": "number", "minimum": 0.5, "exclusiveMaximum": 2}, DECIMAL]},
        accepts=("1.5", 0.5),
        rejects=(2,),
        id="Decimal from Decimal",
    ),
    Case(
        Annotated[Level, Ge(2)],
        {"type": "integer", "enum": [1, 2], "minimum": 2},
        accepts=(2,),
        rejects=(1,),
        id="Ge on an Enum",
    ),
    Case(
        Annotated[Literal["a", "bc"], MinLen(2)],
        {"type": "string", "enum": ["a", "bc"], "minLength": 2},
        accepts=("bc",),
        rejects=("a",),
        id="MinLen on a Literal",
    ),
    Case(Annotated[Any, Ge(1)], {"minimum": 1}, accepts=(1, "a"), rejects=(0,), id="Ge on Any"),
    Case(
        Annotated[str, Schema({"x-secret": True})],
        {"type": "string", "x-secret": True},
        accepts=("a",),
        rejects=(1,),
        id="Schema",
    ),
    Case(
        Annotated[str, Schema({"type": "integer"})],
        {"type": "integer"},
        accepts=(1,),
        rejects=("a",),
        id="Schema over the type",
    ),
    Case(
        Annotated[int, Schema({"not": {"const": 3}}), Ge(1)],
        {"type": "integer", "minimum": 1, "not": {"const": 3}},
        accepts=(1,),
        rejects=(3, 0),
        id="Schema and Ge",
    ),
    Case(
        Annotated[complex, Schema({"type": "string"})],
        STRING,
        accepts=("1+2j",),
        rejects=(1,),
        id="Schema of a type without one",
    ),
    Case(
        Annotated[str, Ge(1)],
        STRING,
        refused=("Annotated[str, Ge(1)]", "Ge(1) cannot apply to str"),
        id="Ge on str",
    ),
    Case(
        Annotated[bool, Ge(1)],
        BOOLEAN,
        refused=("Annotated[bool, Ge(1)]", "Ge(1) cannot apply to bool"),
        id="Ge on bool",
    ),
    Case(
        Annotated[int, MinLen(1)],
        INTEGER,
        refused=("Annotated[int, MinLen(1)]", "MinLen(1) cannot apply to int"),
        id="MinLen on int",
    ),
    Case(
        Annotated[datetime.date, MinLen(1)],
        {"type": "string", "format": "date"},
        refused=("Annotated[date, MinLen(1)]", "MinLen(1) cannot apply to date"),
        id="MinLen on date",
    ),
    Case(
        list[Annotated[int, Pattern("a")]],
        {"type": "array", "items": INTEGER},
        refused=("list[Annotated[int, Pattern('a')]][]", "Pattern('a') cannot apply to int"),
        id="Pattern on int",
    ),
    Case(
        Annotated[str, MinLen.unchecked(-1)],
        STRING,
        refused=(
            "Annotated[str, MinLen(-1)]",
            "MinLen(-1): expected a non-negative integer",
        ),
        id="MinLen(-1)",
    ),
    Case(
        Annotated[int, Ge.unchecked(float("inf"))],
        INTEGER,
        refused=("Annotated[int, Ge(inf)]", "Ge(inf): expected a finite number"),
        id="Ge(inf)",
    ),
    Case(
        Annotated[int, MultipleOf.unchecked(0)],
        INTEGER,
        refused=(
            "Annotated[int, MultipleOf(0)]",
            "MultipleOf(0): expected a number greater than 0",
        ),
        id="MultipleOf(0)",
    ),
    Case(
        Annotated[str, Pattern("(")],
        STRING,
        refused=("Annotated[str, Pattern('(')]", "Pattern('('): not a valid regular expression"),
        id="Pattern of no pattern",
    ),
    Case(
        Annotated[str, Schema({"x": {1, 2}})],
        {"type": "string", "x": [1, 2]},
        accepts=("a",),
        rejects=(1,),
        id="Schema with a set",
    ),
    Case(
        Annotated[str, Schema({"x": Plain()})],
        STRING,
        refused=(
            "Annotated[str, Schema({'x': <Plain object>})]",
            "Schema({'x': <Plain object>}) contains an instance of",
        ),
        id="Schema with no JSON",
    ),
]

QUALIFIERS = [
    Case(Required[int], INTEGER, accepts=(1,), rejects=("a",), id="Required"),
    Case(NotRequired[int], INTEGER, accepts=(1,), rejects=("a",), id="NotRequired"),
    Case(te.Required[int], INTEGER, accepts=(1,), rejects=("a",), id="te.Required"),
    Case(te.ReadOnly[int], INTEGER, accepts=(1,), rejects=("a",), id="te.ReadOnly"),
    Case(
        Source("from typing import ReadOnly\nTYPE = ReadOnly[int]"),
        INTEGER,
        needs="python>=3.13",
        accepts=(1,),
        rejects=("a",),
        id="ReadOnly",
    ),
    Case(Final[int], INTEGER, accepts=(1,), rejects=("a",), id="Final"),
    Case(ClassVar[int], INTEGER, accepts=(1,), rejects=("a",), id="ClassVar"),
    Case(InitVar[int], INTEGER, accepts=(1,), rejects=("a",), id="InitVar"),
    Case(Final, {}, accepts=(1, "a"), id="Final bare"),
    Case(
        Required[Annotated[int, Ge(1)]],
        {"type": "integer", "minimum": 1},
        accepts=(1,),
        rejects=(0,),
        id="Required Annotated",
    ),
    Case(
        Annotated[NotRequired[int], Ge(1)],
        {"type": "integer", "minimum": 1},
        accepts=(1,),
        rejects=(0,),
        id="Annotated NotRequired",
    ),
    Case(Self, mcp={}, milo=STRING, refused=("Self", "Self is used outside of a class"), id="Self"),
    Case(
        te.Self,
        mcp={},
        milo=STRING,
        refused=("Self", "Self is used outside of a class"),
        id="te.Self",
    ),
]

GROUPED = [
    Case(
        Annotated[int, at.Interval(gt=0, le=9)],
        {"type": "integer", "exclusiveMinimum": 0, "maximum": 9},
        accepts=(1,),
        rejects=(0, 10),
        id="at.Interval",
    ),
    Case(
        Annotated[int, at.Ge(1), at.Lt(9)],
        {"type": "integer", "minimum": 1, "exclusiveMaximum": 9},
        accepts=(1,),
        rejects=(0, 9),
        id="at.Ge Lt",
    ),
    Case(
        Annotated[float, at.Gt(0), at.Le(1)],
        {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        accepts=(0.5,),
        rejects=(0,),
        id="at.Gt Le",
    ),
    Case(
        Annotated[list[int], at.Len(1, 3)],
        {"type": "array", "items": INTEGER, "minItems": 1, "maxItems": 3},
        accepts=([1],),
        rejects=([], [1] * 4),
        id="at.Len list",
    ),
    Case(
        Annotated[str, at.Len(2)],
        {"type": "string", "minLength": 2},
        accepts=("ab",),
        rejects=("a",),
        id="at.Len str",
    ),
    Case(
        Annotated[str, at.MinLen(1), at.MaxLen(2)],
        {"type": "string", "minLength": 1, "maxLength": 2},
        accepts=("a",),
        rejects=("", "abc"),
        id="at.MinLen MaxLen",
    ),
    Case(
        Annotated[int, at.MultipleOf(5)],
        {"type": "integer", "multipleOf": 5},
        accepts=(5,),
        rejects=(6,),
        id="at.MultipleOf",
    ),
    Case(
        Annotated[int, at.doc("Text.")],
        {"type": "integer", "description": "Text."},
        accepts=(1,),
        rejects=("a",),
        id="at.doc",
    ),
    Case(
        Annotated[datetime.datetime, at.Timezone("UTC")],
        {"type": "string", "format": "date-time"},
        accepts=("2026-01-31T12:00:00Z",),
        rejects=(1,),
        refused=("Annotated[datetime, <Timezone object>]", "Timezone('UTC'): JSON Schema has no"),
        id="at.Timezone",
    ),
    Case(
        Annotated[datetime.date, Gt(datetime.date(2026, 1, 31))],
        {"type": "string", "format": "date"},
        accepts=("2026-02-01",),
        rejects=(1,),
        refused=(
            "Annotated[date, Gt(<date object>)]",
            "Gt(<date object>): JSON Schema has no bounds for a date; only calls",
        ),
        id="a date after another",
    ),
    Case(
        Annotated[int | str, Le(datetime.timedelta(days=1))],
        {"anyOf": [INTEGER, STRING]},
        accepts=(1, "a"),
        rejects=(None,),
        refused=(
            "Annotated[int | str, Le(<timedelta object>)]",
            "Le(<timedelta object>): JSON Schema has no bounds for a timedelta",
        ),
        id="a bound that no member has",
    ),
    Case(
        Annotated[int, Gt(datetime.date(2026, 1, 31))],
        INTEGER,
        accepts=(1,),
        rejects=("a",),
        refused=(
            "Annotated[int, Gt(<date object>)]",
            "Gt(<date object>) cannot apply to int",
        ),
        id="a bound of dates on a number",
    ),
    Case(at.LowerCase[str], STRING, accepts=("a",), rejects=(1,), id="at.LowerCase"),
    Case(
        Annotated[int, at.Predicate(bool)], INTEGER, accepts=(1,), rejects=("a",), id="at.Predicate"
    ),
    Case(Annotated[float, at.Unit("m")], NUMBER, accepts=(1,), rejects=("a",), id="at.Unit"),
    Case(
        Annotated[int, te.Doc("Text.")],
        {"type": "integer", "description": "Text."},
        accepts=(1,),
        rejects=("a",),
        id="te.Doc",
    ),
    Case(
        Annotated[int, annotated_doc.Doc("Text.")],
        {"type": "integer", "description": "Text."},
        accepts=(1,),
        rejects=("a",),
        id="annotated_doc.Doc",
    ),
    Case(
        Annotated[int, te.deprecated("Use other.")],
        {"type": "integer", "deprecated": True},
        accepts=(1,),
        rejects=("a",),
        id="te.deprecated",
    ),
    Case(
        Source(
            "from typing import Annotated\n"
            "from warnings import deprecated\n"
            "TYPE = Annotated[int, deprecated('Use other.')]"
        ),
        {"type": "integer", "deprecated": True},
        needs="python>=3.13",
        accepts=(1,),
        rejects=("a",),
        id="warnings.deprecated",
    ),
]
