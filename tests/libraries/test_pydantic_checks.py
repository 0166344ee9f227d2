"""Validators and constraints of pydantic in ``Annotated``, which only pydantic can check."""

from __future__ import annotations

import contextlib
import datetime
import decimal
import warnings
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypedDict, TypeVar

import annotated_types
import pydantic
import pytest
import typing_extensions

from milo_schema import (
    Injected,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    tool_schema,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, bind, json_to_value
from milo_schema.results import value_to_json
from tests.every import every
from tests.fragments import INTEGER, record
from tests.inside import is_valid
from tests.needs import lacking

MCP = profiles.MCP
T = TypeVar("T")


def inside(text: str) -> str:
    if ".." in text:
        raise ValueError("leaves the folder")
    return text


def upper(text: Any) -> Any:
    return text.upper() if isinstance(text, str) else text


Inside = Annotated[str, pydantic.AfterValidator(inside)]
Upper = Annotated[str, pydantic.BeforeValidator(upper)]
Day = Annotated[datetime.date, pydantic.BeforeValidator(lambda day: day)]
Wrapped = Annotated[int, pydantic.WrapValidator(lambda value, handler: handler(value) + 1)]
Plain = Annotated[int, pydantic.PlainValidator(lambda value: value * 2)]
Short = Annotated[decimal.Decimal, pydantic.Field(max_digits=3)]
Cents = Annotated[decimal.Decimal, pydantic.Field(decimal_places=2)]
Stripped = Annotated[str, pydantic.StringConstraints(strip_whitespace=True, min_length=1)]
Lower = Annotated[str, pydantic.StringConstraints(to_lower=True)]
Upped = Annotated[str, pydantic.StringConstraints(to_upper=True)]
Checked = Annotated[str, annotated_types.Predicate(str.islower)]
Both = Annotated[Inside | None, pydantic.AfterValidator(lambda value: value)]


@dataclass
class File:
    path: Inside


class Named(TypedDict):
    name: Stripped


class Hooked:
    """Metadata of a user's that checks values."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source, handler):
        return pydantic.AfterValidator(inside).__get_pydantic_core_schema__(source, handler)


PROFILES = [each for each in vars(profiles).values() if isinstance(each, profiles.Profile)]
PLACES: dict[str, tuple[Any, Any]] = {
    "itself": (lambda tp: tp, lambda value: value),
    "list": (lambda tp: list[tp], lambda value: [value]),
    "dict": (lambda tp: dict[str, tp], lambda value: {"a": value}),
    "union": (lambda tp: tp | None, lambda value: value),
    "tuple": (lambda tp: tuple[int, tp], lambda value: [1, value]),
    "record": (lambda _: File, lambda value: {"path": value}),
}


class Point(pydantic.BaseModel):
    x: int


class Space(Point):
    y: int = 0


class Open(Point, extra="allow"):
    pass


class Keeping(TypedDict):
    x: int


class Whole(pydantic.RootModel[dict[str, int]]):
    pass


READ: list[tuple[Any, Any, Any]] = [
    (Inside, "x", "x"),
    (Annotated[str, Hooked], "x", "x"),
    (Upper, "x", "X"),
    (Day, "2026-01-31", datetime.date(2026, 1, 31)),
    (Wrapped, 1, 2),
    (Plain, 2, 4),
    (Short, "1.25", decimal.Decimal("1.25")),
    (Cents, "1.25", decimal.Decimal("1.25")),
    (Stripped, " a ", "a"),
    (Lower, "A", "a"),
    (Upped, "a", "A"),
    (Checked, "a", "a"),
    (Annotated[bytes, pydantic.AfterValidator(bytes)], "+Pn6/w==", b"\xf8\xf9\xfa\xff"),
    (Annotated[list[bytes], pydantic.AfterValidator(list)], ["YQ=="], [b"a"]),
    (Annotated[File, pydantic.AfterValidator(lambda file: file)], {"path": "x"}, File("x")),
    (Both, None, None),
    (list[Stripped], [" a "], ["a"]),
    (dict[str, Upped], {"k": "a"}, {"k": "A"}),
    (File, {"path": "x"}, File("x")),
    (Named, {"name": " a "}, {"name": "a"}),
    (Upped | int, "a", "A"),
    (Upped | int, 1, 1),
    (Point | Space, {"x": 1, "y": 2}, Space(x=1, y=2)),
    (Open | Space, {"x": 1, "y": 2}, Space(x=1, y=2)),
    (Open | Space, {"x": 1}, Open(x=1)),
    (Space | Open, {"x": 1, "z": 2}, Open.model_validate({"x": 1, "z": 2})),
    (Point | Keeping, {"x": 1, "z": 2}, {"x": 1, "z": 2}),
    (Whole | Space, {"x": 1, "y": 2}, Whole({"x": 1, "y": 2})),
]


@pytest.mark.parametrize(
    ("tp", "json", "said"),
    [
        (pydantic.RootModel[int], "x", 'expected an integer, got "x"'),
        (pydantic.RootModel[list[int]], {}, "expected an array of integers, got an object"),
        (list[pydantic.RootModel[int]], 1, "expected an array of integers, got 1"),
        (pydantic.RootModel[int] | list[str], {},
         "expected an integer or an array of strings, got an object"),
        (Whole, 1, "expected an object, got 1"),
    ],
)  # fmt: skip
def test_a_root_model_is_called_what_its_json_is(tp, json, said):
    with pytest.raises(ArgumentsError) as caught:
        json_to_value(json, tp)
    assert [each.message for each in caught.value.problems] == [said]


@every("row", READ, ids=lambda row: f"{row[1]!r} as {row[0]!r:.60}")
def test_pydantic_makes_the_values(row):
    annotation, json, value = row

    assert json_to_value(json, annotation, profile=MCP) == value


REFUSED: list[tuple[Any, Any, str]] = [
    (Inside, "../x", "leaves the folder"),
    (Annotated[str, Hooked], "../x", "leaves the folder"),
    (Inside, 1, "expected a string, got 1"),
    (Short, "1.234", "no more than 3 digits"),
    (Cents, "1.234", "no more than 2 decimal places"),
    (Stripped, "", "must have at least 1 character, got 0"),
    (Stripped, " ", "at least 1 character"),
    (Checked, "A", 'must satisfy str.islower, got "A"'),
    (Both, "..", "leaves the folder"),
    (list[Inside], ["x", ".."], "[1]: "),
    (File, {"path": ".."}, ".path: "),
    (Named, {"name": " "}, ".name: "),
    (Day, "x", "expected a date"),
]


@every("row", REFUSED, ids=lambda row: f"{row[1]!r} as {row[0]!r:.60}")
def test_the_schema_and_pydantic_refuse_values(row):
    annotation, json, reason = row

    with pytest.raises(ArgumentsError) as caught:
        json_to_value(json, annotation, profile=MCP)
    assert reason in str(caught.value)


class Letters(typing_extensions.TypedDict):
    letters: list[str]

    @pydantic.field_validator("letters")
    @classmethod
    def check(cls, letters: list[str]) -> list[str]:
        if "" in letters:
            raise ValueError("one is empty")
        return letters


class Heir(Letters):
    pass


@pytest.mark.skipif(bool(lacking("pydantic>=2.14")), reason="new in pydantic 2.14")
def test_validators_in_a_typed_dict_and_its_bases_are_run():
    assert json_to_value({"letters": ["a"]}, Heir, profile=MCP) == {"letters": ["a"]}
    for each in (Letters, Heir):
        with pytest.raises(ArgumentsError, match=r"\.letters: .*one is empty"):
            json_to_value({"letters": [""]}, each, profile=MCP)


class Box(typing_extensions.TypedDict, Generic[T]):
    value: T

    @pydantic.field_validator("value")
    @classmethod
    def refuse(cls, value: object) -> object:
        raise ValueError("never")


class Full(Box[int]):
    pass


def test_validators_in_a_generic_base_of_a_typed_dict_are_ignored_as_by_pydantic():
    assert pydantic.TypeAdapter(Full).validate_python({"value": 1}) == {"value": 1}
    assert json_to_value({"value": 1}, Full) == {"value": 1}
    assert type_to_schema(Full) == record(value=INTEGER)


@pytest.mark.skipif(bool(lacking("pydantic>=2.13")), reason="new in pydantic 2.13")
def test_a_string_may_have_to_be_ascii():
    annotation = Annotated[str, pydantic.StringConstraints(ascii_only=True)]

    assert json_to_value("a", annotation) == "a"
    with pytest.raises(ArgumentsError, match="only ASCII characters"):
        json_to_value("é", annotation)


def test_a_model_that_names_a_missing_type_is_refused_with_its_place():
    class Incomplete(pydantic.BaseModel):
        x: Missing  # type: ignore[name-defined]  # noqa: F821

    def f(a: Incomplete | None = None): ...

    assert bind(f, {}).kwargs == {}
    with pytest.raises(SchemaError, match=r"^f\(a\): pydantic cannot read Incomplete: .*not fully"):
        bind(f, {"a": {"x": 1}})


@every("annotation", [Inside, Upper, Wrapped, Stripped, Lower, Checked], ids=repr)
def test_the_schema_and_the_json_of_results_stay_those_of_the_type(annotation):
    plain = type_to_schema(annotation, profile=MCP, strict=True)

    assert plain["type"] in ("string", "integer")
    value = 3 if annotation is Wrapped else "abc"
    assert value_to_json(value, annotation, profile=MCP) == value


@pytest.mark.parametrize("place", PLACES)
@every("profile", PROFILES, ids=repr)
def test_a_validator_runs_under_every_profile_wherever_it_is(profile, place):
    wrap, put = PLACES[place]

    def read(x) -> str:
        return repr(x)

    read.__annotations__["x"] = wrap(Inside)
    tool = None
    with contextlib.suppress(SchemaError):  # a dialect has no mapping, or no container at all
        tool = tool_schema(read, profile=profile)
    if tool is None:
        assert profile.dialect is not None
        return
    assert tool.call({"x": put("a")})["isError"] is False
    result = tool.call({"x": put("../etc")})
    assert result["isError"] is True
    assert "read(): .x" in result["content"][0]["text"]


def test_a_validator_is_asked_once_about_a_value():
    asked: list[Any] = []

    def refuse(value: Any) -> Any:
        asked.append(value)
        raise ValueError("no")

    with pytest.raises(ArgumentsError, match="no"):
        json_to_value(["a", 1], Annotated[list[str | int], pydantic.AfterValidator(refuse)])
    assert asked == [["a", 1]]


def test_a_validator_beside_hooks_that_change_the_json_runs_once():
    hook = pydantic.PlainValidator(len, json_schema_input_type=str)
    asked: list[int] = []

    def negate(value: int) -> int:
        asked.append(value)
        return -value

    assert json_to_value("abc", Annotated[int, hook, pydantic.AfterValidator(negate)]) == -3
    assert asked == [3]


def test_null_is_taken_out_of_a_checked_union():
    def f(path: Annotated[str | None, pydantic.StringConstraints(to_upper=True)] = None): ...

    assert type_to_schema(str, profile=profiles.MILO) == {"type": "string"}
    assert bind(f, {"path": "a"}).kwargs == {"path": "A"}
    assert bind(f, {}).kwargs == {}

    def g(path: Upped = None): ...  # type: ignore[assignment]

    assert function_to_schema(g)["properties"] == {"path": {"type": "string", "default": None}}
    assert bind(g, {"path": "a"}).kwargs == {"path": "A"}


class Ours:
    @classmethod
    def __milo_schema__(cls, walk):
        return {"type": "string"}

    @classmethod
    def __milo_from_json__(cls, text):
        return cls()


def test_checks_that_pydantic_cannot_run_are_an_error_in_strict_mode_and_a_warning_otherwise():
    annotation = Annotated[Ours, pydantic.AfterValidator(bool)]

    def f(x: annotation): ...  # type: ignore[valid-type]

    with pytest.raises(SchemaError, match=r"pydantic cannot run the checks of Annotated\[Ours"):
        type_to_schema(annotation, profile=MCP, strict=True)
    with pytest.warns(SchemaWarning, match="move them into the function"):
        assert type_to_schema(annotation, profile=MCP) == {"type": "string"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert isinstance(json_to_value("a", annotation, profile=MCP), Ours)


def test_injected_stays_hidden_beside_a_check():
    def f(q: str, user: Annotated[str, Injected, pydantic.AfterValidator(inside)] = "me"): ...

    assert bind(f, {"q": "x"}, inject={"user": ".."}).kwargs == {"q": "x", "user": ".."}


class Measured(pydantic.BaseModel):
    size: float
    count: int | float = 0


@pytest.mark.parametrize("huge", [10**309, -(10**309)])
def test_an_integer_that_no_float_can_hold_is_refused_by_a_model_as_by_a_dataclass(huge):
    with pytest.raises(ArgumentsError, match=r"\.size: must be a number that fits into a float"):
        json_to_value({"size": huge}, Measured, profile=MCP)
    schema = {"type": "number"}
    assert is_valid(huge, schema)
    assert not is_valid(huge, schema, formats=True)
    assert is_valid(10**308, schema, formats=True)
    with pytest.raises(ArgumentsError, match="must be a number that fits into a float"):
        json_to_value(huge, float, profile=MCP)
    assert json_to_value({"size": 1, "count": huge}, Measured, profile=MCP).count == huge


def boom() -> int:
    raise ValueError("no default today")


def test_an_exception_of_a_default_factory_is_a_problem_with_its_place():
    def plan(days: Annotated[int, pydantic.Field(default_factory=boom)]): ...

    assert bind(plan, {"days": 1}).kwargs == {"days": 1}
    with pytest.raises(ArgumentsError, match=r"plan\(\): \.days: no default today"):
        bind(plan, {})


Item = TypeVar("Item")


@dataclass
class Held(Generic[Item]):
    value: Annotated[Item | list[Item] | None, pydantic.AfterValidator(lambda value: value or 0)]


def test_a_validator_of_a_generic_union_runs_with_its_argument():
    def keep(held: Held[int]) -> None: ...

    assert bind(keep, {"held": {"value": [3]}}).kwargs["held"].value == [3]
    assert bind(keep, {"held": {"value": None}}).kwargs["held"].value == 0
    with pytest.raises(ArgumentsError, match="expected an integer"):
        bind(keep, {"held": {"value": ["a"]}})


# -- unions of models in models ----------------------------------------------------------------


class Even(pydantic.BaseModel):
    n: int = 0
    x: Even | Odd | Loose | None = None

    @pydantic.field_validator("n")
    @classmethod
    def check(cls, n: int) -> int:
        if n % 2:
            raise ValueError("must be even")
        return n


class Odd(Even):
    n: Annotated[int, pydantic.AfterValidator(lambda n: n)] = 1

    @pydantic.field_validator("n")
    @classmethod
    def check(cls, n: int) -> int:
        if n == 13:
            raise ValueError("must not be 13")
        return n


@pydantic.dataclasses.dataclass
class Loose:
    words: list[int | str] | tuple[Even | Odd, int]


class StrictDay(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(strict=True)

    x: StrictDay | datetime.date | None


for each in (Even, Odd, StrictDay):
    each.model_rebuild()
pydantic.dataclasses.rebuild_dataclass(Loose)  # type: ignore[arg-type]


def under(levels: int, json: Any) -> Any:
    for _ in range(levels):
        json = {"n": 2, "x": json}
    return json


@pytest.mark.parametrize(
    "last",
    [{"n": 4}, {"n": 3}, {"words": [1, "a"]}, {"words": [{"n": 3}, 1]}, {"n": 3, "x": {"n": 5}}],
    ids=str,
)
@pytest.mark.parametrize("levels", [1, 9])
def test_deep_unions_of_models_give_what_pydantic_gives(levels, last):
    def find(tree: Even | Odd): ...

    json = under(levels, last)
    expected = pydantic.TypeAdapter(Even | Odd).validate_python(json)
    assert repr(bind(find, {"tree": json}, profile=MCP).arguments["tree"]) == repr(expected)
    with pytest.raises(ArgumentsError, match="must not be 13") as caught:
        bind(find, {"tree": under(levels, {"n": 13})}, profile=MCP)
    assert caught.value.problems[0].path == ".tree" + ".x" * levels + ".n"


def test_deep_unions_stay_strict():
    def find(tree: StrictDay): ...

    json: Any = "2026-07-28"
    for _ in range(9):
        json = {"x": json}
    found = bind(find, {"tree": json}, profile=MCP).arguments["tree"]
    for _ in range(9):
        found = found.x
    assert found == datetime.date(2026, 7, 28)


def test_deep_unions_are_read_by_an_old_pydantic(monkeypatch):
    def find(tree: Even): ...

    monkeypatch.setattr("pydantic_core.SchemaValidator", lambda _schema: None)
    tree = bind(find, {"tree": under(9, {"n": 3})}, profile=MCP).arguments["tree"]
    assert tree == pydantic.TypeAdapter(Even).validate_python(under(9, {"n": 3}))
