"""``Profile.with_markers()``: a framework's own metadata in ``Annotated``."""

import datetime
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, get_origin

import attrs
import pytest

from milo_schema import (
    Default,
    Deprecated,
    Description,
    Ge,
    Injected,
    Le,
    MaxLen,
    MinLen,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, bind, binder, json_to_value
from milo_schema.checks import check
from milo_schema.errors import CODES
from milo_schema.results import return_to_json, value_to_json
from tests.fragments import INTEGER, STRING, obj, record
from tests.modules import module_from

# ruff: noqa: B008, RUF009

WITH_RECORDS = [
    each
    for each in vars(profiles).values()
    if isinstance(each, profiles.Profile) and each.dialect != "elicitation"
]


class Range:
    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high


class Percent(Range):
    def __init__(self) -> None:
        super().__init__(0, 100)


class Secret: ...


class Short(MinLen):
    """A marker of ours, of which the framework makes another one."""


@dataclass
class Help:
    text: str


FRAMEWORK = profiles.MCP.with_markers(
    {
        Range: (lambda range_: [Ge(range_.low), Le(range_.high)]),
        Secret: (lambda _: (Deprecated(), Description("Tell nobody."))),
        Short: (lambda short: [MaxLen(short.value)]),
        f"{__name__}.Help": (lambda help_: [Description(help_.text)]),
    }
)


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (Annotated[int, Range(1, 6)], {"type": "integer", "minimum": 1, "maximum": 6}),
        (Annotated[int, Percent()], {"type": "integer", "minimum": 0, "maximum": 100}),
        (Annotated[int, Range(1, 6), Ge(2)], {"type": "integer", "minimum": 2, "maximum": 6}),
        (Annotated[str, Secret], STRING | {"deprecated": True, "description": "Tell nobody."}),
        (Annotated[str, Secret()], STRING | {"deprecated": True, "description": "Tell nobody."}),
        (Annotated[str, Short(3)], {"type": "string", "maxLength": 3}),
        (Annotated[str, Help("H.")], {"type": "string", "description": "H."}),
        (Annotated[str, object()], {"type": "string"}),
    ],
)  # fmt: skip
def test_metadata_of_a_framework_are_markers(annotation, expected):
    assert type_to_schema(annotation, strict=True, profile=FRAMEWORK) == expected


def test_an_uncalled_metadata_class_is_passed_to_the_function():
    with pytest.raises(SchemaError, match="the profile's function for Help raised AttributeError"):
        type_to_schema(Annotated[str, Help], profile=FRAMEWORK)


def test_framework_markers_apply_to_arguments_fields_and_outputs():
    @dataclass
    class Die:
        eyes: Annotated[int, Range(1, 6)]

    def roll(die: Die, times: Annotated[int, Percent()] = 1) -> Annotated[int, Range(1, 36)]: ...

    assert function_to_schema(roll, profile=FRAMEWORK) == obj(
        ["die"],
        die=record(eyes={"type": "integer", "minimum": 1, "maximum": 6}),
        times={"type": "integer", "minimum": 0, "maximum": 100, "default": 1},
    ) | {"additionalProperties": False}
    assert return_to_schema(roll, profile=FRAMEWORK) == INTEGER | {"minimum": 1, "maximum": 36}
    with pytest.raises(ArgumentsError) as caught:
        bind(roll, {"die": {"eyes": 7}, "times": 101}, profile=FRAMEWORK)
    assert [problem.path for problem in caught.value.problems] == [".die.eyes", ".times"]


def test_the_function_of_the_nearest_base_class_is_used():
    class Even(Percent): ...

    mine = FRAMEWORK.with_markers({Percent: lambda _: [Le(50)]})
    assert type_to_schema(Annotated[int, Even()], profile=mine) == INTEGER | {"maximum": 50}
    assert type_to_schema(Annotated[int, Range(1, 6)], profile=mine) == INTEGER | {
        "minimum": 1,
        "maximum": 6,
    }


def test_metadata_in_a_string_are_read():
    module = module_from("""
        from typing import Annotated
        class Limit:
            def __init__(self, most): self.most = most
        def f(x: "Annotated[int, Limit(3)]"): ...
    """)
    mine = profiles.MCP.with_markers({module.Limit: lambda limit: [Le(limit.most)]})
    assert function_to_schema(module.f, profile=mine)["properties"] == {
        "x": {"type": "integer", "maximum": 3}
    }


@pytest.mark.parametrize(
    ("read", "reason"),
    [
        (lambda _: 1 / 0, "raised ZeroDivisionError('division by zero')"),
        (lambda _: "text", "returned 'text'; return a list of markers, such as MinLen(1)"),
        (lambda _: None, "returned None; return a list of markers, such as MinLen(1)"),
        (lambda _: MinLen(1), "returned MinLen(1); return a list of markers, such as MinLen(1)"),
        (lambda _: [3], "returned [3]; return a list of markers, such as MinLen(1)"),
    ],
)
def test_a_mistake_of_the_function_is_an_error_with_its_path(read: Callable[[Any], Any], reason):
    mine = profiles.MCP.with_markers({Range: read})
    with pytest.raises(SchemaError) as caught:
        type_to_schema(list[Annotated[int, Percent()]], profile=mine)
    assert caught.value.message == f"the profile's function for Percent {reason}"
    assert caught.value.path.endswith("[]")
    assert caught.value.code in CODES


def test_a_schema_error_of_the_function_is_kept():
    def read(_range: Range) -> list[Any]:
        raise SchemaError("the range is empty")

    mine = profiles.MCP.with_markers({Range: read})
    with pytest.raises(SchemaError, match=r"^the range is empty$"):
        type_to_schema(Annotated[int, Range(2, 1)], profile=mine)


def test_a_framework_marker_that_does_not_apply_is_reported():
    mine = profiles.MCP.with_markers({Range: lambda range_: [Ge(range_.low)]})
    with pytest.warns(SchemaWarning, match=r"Ge\(0\) cannot apply to str; it is for int, float"):
        assert type_to_schema(Annotated[str, Percent()], profile=mine) == {"type": "string"}


class Deep(Secret): ...


@pytest.mark.parametrize("profile", WITH_RECORDS, ids=lambda each: each.name)
@pytest.mark.parametrize("marker", [Secret, Secret(), Deep, Deep()], ids=["s", "s()", "d", "d()"])
def test_a_marker_that_means_injected_hides_a_parameter_under_every_profile(profile, marker):
    """From the schema, from a caller and, in a record, from both; in a result, it says nothing."""
    mine = profile.with_markers({Secret: lambda _: [Injected]})

    @dataclass
    class Query:
        word: str
        user: Annotated[str, marker] = "guest"  # type: ignore[valid-type]

    def f(query: Query, user) -> Query: ...

    for hidden in (
        Annotated[str, marker],
        Annotated[str, marker] | None,
        list[Annotated[str, marker]],
        Annotated[Annotated[str, "The user."] | None, marker],
    ):
        f.__annotations__["user"] = hidden
        schema = function_to_schema(f, profile=mine)
        assert "user" not in str(schema)
        me: Any = ["me"] if get_origin(hidden) is list else "me"
        given = {"profile": mine, "inject": {"user": me}}
        for arguments in (
            {"query": {"word": "tea"}, "user": "you"},
            {"query": {"word": "tea", "user": "you"}},
        ):
            if mine.unknown_arguments == "drop" and "user" in arguments:
                assert bind(f, arguments, **given).kwargs == {"query": Query("tea"), "user": me}
                continue
            with pytest.raises(ArgumentsError, match="user"):
                bind(f, arguments, **given)
        bound = bind(f, {"query": {"word": "tea"}}, **given)
        assert bound.kwargs == {"query": Query("tea"), "user": me}
        assert return_to_json(f, Query("tea", "me"), profile=mine) == {"word": "tea", "user": "me"}


# -- markers that are defaults -----------------------------------------------------------------


class Option:
    """As of a framework in which a marker is the default of a parameter; ``...`` is none."""

    def __init__(self, default: Any = ..., text: str = "") -> None:
        self.default, self.text = default, text


class Flag(Option): ...


class Depends:
    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


def read_option(option: Option) -> list[Any]:
    found: list[Any] = [] if option.default is ... else [Default(option.default)]
    return [*found, Description(option.text)] if option.text else found


def with_options(profile: profiles.Profile) -> profiles.Profile:
    return profile.with_markers(
        {Option: read_option, f"{__name__}.Depends": lambda _: (Injected(),)}
    )


def parameters(
    name: str = Option(text="Whom."),
    times: int = Flag(3),
    day: datetime.date | None = Option(datetime.date(2026, 7, 28)),
    *,
    loud: bool = Option(False),
):
    return name, times, day, loud


@dataclass
class Fields:
    name: str = Option(text="Whom.")
    times: int = Flag(3)
    day: datetime.date | None = Option(datetime.date(2026, 7, 28))
    loud: bool = Option(False)


class Items(NamedTuple):
    name: str = Option(text="Whom.")
    times: int = Flag(3)
    day: datetime.date | None = Option(datetime.date(2026, 7, 28))
    loud: bool = Option(False)


@attrs.define
class Attributes:
    name: str = Option(text="Whom.")
    times: int = Flag(3)
    day: datetime.date | None = Option(datetime.date(2026, 7, 28))
    loud: bool = Option(False)


ALL = ("Ada", 3, datetime.date(2026, 7, 28), False)


@pytest.mark.parametrize("profile", WITH_RECORDS, ids=lambda each: each.name)
def test_a_marker_that_is_a_default_is_no_value(profile):
    """The parameter is required, unless the profile's function gives a default."""
    mine = with_options(profile)
    with warnings.catch_warnings(action="error"):
        schema = function_to_schema(parameters, profile=mine)
    properties = schema["properties"]

    assert properties["name"]["description"] == "Whom."
    if mine.dialect != "openai_strict":
        assert schema["required"] == ["name"]
        defaults = {name: each.get("default") for name, each in properties.items()}
        kept = (3, "2026-07-28", False) if "default" in properties["times"] else (None,) * 3
        assert [*defaults.values()] == [None, *kept]
    bound = bind(parameters, {"name": "Ada"}, profile=mine)
    assert parameters(*bound.args, **bound.kwargs) == ALL
    bound = bind(parameters, {"name": "Ada", "times": 4}, profile=mine)
    assert parameters(*bound.args, **bound.kwargs)[:2] == ("Ada", 4)
    with pytest.raises(ArgumentsError, match=r"\.name: required but not given"):
        bind(parameters, {"times": 4}, profile=mine)


@pytest.mark.parametrize("cls", [Fields, Attributes])
def test_a_marker_that_is_the_default_of_a_field_is_no_value(cls):
    mine = with_options(profiles.MCP)
    schema = type_to_schema(cls, profile=mine, strict=True)
    assert schema["required"] == ["name"]
    assert schema["properties"]["times"] == {"type": "integer", "default": 3}
    assert json_to_value({"name": "Ada"}, cls, profile=mine) == cls(*ALL)
    with pytest.raises(ArgumentsError, match=r"\.name: required but not given"):
        json_to_value({}, cls, profile=mine)
    written = value_to_json(cls(*ALL), cls, profile=mine)
    assert written == {"name": "Ada", "times": 3, "day": "2026-07-28", "loud": False}


def test_a_marker_that_is_the_default_of_an_item_is_no_value():
    mine = with_options(profiles.MCP)
    schema = type_to_schema(Items, profile=mine, strict=True)
    assert (schema["minItems"], schema["maxItems"]) == (1, 4)
    assert json_to_value(["Ada"], Items, profile=mine) == Items(*ALL)
    assert json_to_value(["Ada", 4], Items, profile=mine).times == 4
    with pytest.raises(ArgumentsError, match="expected an array of 4 items"):
        json_to_value([], Items, profile=mine)


def test_the_default_of_a_marker_is_a_value_of_the_annotation():
    def wait(seconds: int = Option("five")): ...

    mine = with_options(profiles.MCP)
    codes = {each.code for each in check(wait, profile=mine)}
    assert "default-misfit" in codes


def test_a_marker_without_an_annotation_describes_the_parameter():
    def find(query=Option("tea", "What."), limit=Option()): ...

    assert function_to_schema(find, profile=with_options(profiles.MCP)) == obj(
        ["limit"], query={"default": "tea", "description": "What."}, limit={}
    ) | {"additionalProperties": False}


def test_a_default_that_is_the_class_of_a_marker_is_a_value():
    def show(kind: type = Option, ctx: object = None): ...

    mine = with_options(profiles.MCP).with_injected(names={"kind"})
    bound = bind(show, {}, profile=mine)
    assert bound.kwargs == {}


def test_a_dependency_that_is_a_default_hides_the_parameter_and_must_be_injected():
    def load(key: str, store: dict[str, int] = Depends(dict)) -> int:
        return store[key]

    tool = tool_schema(load, profile=with_options(profiles.MCP), strict=True)
    assert list(tool.input_schema["properties"]) == ["key"]
    assert tool.call({"key": "a"}, inject={"store": {"a": 1}})["structuredContent"] == 1
    with pytest.raises(SchemaError, match=r"pass inject=\{'store': \.\.\.\}"):
        tool.call({"key": "a"})
    assert tool.call({"key": "a", "store": {"a": 2}}, inject={"store": {}})["isError"]


def test_a_hidden_parameter_has_the_default_of_its_marker():
    def load(key: str, store: object = Depends(dict), limit: int = Option(3), /) -> str:
        return f"{key} {store} {limit}"

    mine = profiles.MCP.with_markers(
        {Depends: lambda it: [Injected(), Default(it.make())], Option: read_option}
    )
    tool = tool_schema(load, profile=mine, exclude=["limit"])
    assert list(tool.input_schema["properties"]) == ["key"]
    assert tool.call({"key": "a"})["structuredContent"] == "a {} 3"
    given = {"store": 1, "limit": 2}
    assert tool.call({"key": "a"}, inject=given)["structuredContent"] == "a 1 2"
    partly = binder(load, profile=mine, exclude=["limit"])({"key": "a"}, partial=True)
    assert partly.arguments == {"key": "a"}


def test_a_mistake_of_the_function_for_a_default_is_an_error_with_its_path():
    def wait(seconds: int = Option()): ...

    mine = profiles.MCP.with_markers({Option: lambda _: [Ge(1 / 0)]})
    with pytest.raises(SchemaError) as caught:
        function_to_schema(wait, profile=mine)
    assert caught.value.path == "wait(seconds)"
    assert caught.value.message == (
        "the profile's function for Option raised ZeroDivisionError('division by zero')"
    )


def test_a_default_in_annotated_is_reported():
    def wait(seconds: Annotated[int, Default(5)]): ...

    def rest(seconds: Annotated[int, Option(5)]): ...

    mine = with_options(profiles.MCP)
    for func in (wait, rest):
        with pytest.raises(SchemaError) as caught:
            function_to_schema(func, profile=mine, strict=True)
        assert caught.value.message == "Default(5): Annotated[...] has no default; write it after ="


UNDOTTED = (
    "markers has 'Range', which names no module; "
    "pass the class itself, or its dotted name, such as 'shop.Money'"
)


@pytest.mark.parametrize(
    ("markers", "reason"),
    [
        ({"Range": list}, UNDOTTED),
        ({Secret: MinLen(1)}, f"markers[{Secret!r}] must be a function, not MinLen(1)"),
    ],
)  # fmt: skip
def test_markers_are_checked_when_they_are_set(markers, reason):
    for make in (FRAMEWORK.with_markers, lambda given: FRAMEWORK.replace(markers=given)):
        with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole text is compared
            make(markers)
        assert str(caught.value) == reason


# -- two of a kind ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[int, Range(1, 6), Range(2, 9)],
        Annotated[Annotated[int, Range(1, 6)], Ge(0), Percent()],  # an alias has one
    ],
    ids=["same", "subclass"],
)
def test_two_of_a_kind_are_a_problem(annotation):
    last = type(annotation.__metadata__[-1]).__name__
    with pytest.warns(SchemaWarning, match=f"two {last} in one Annotated; keep one of them"):
        type_to_schema(annotation, profile=FRAMEWORK)
    with pytest.raises(SchemaError) as raised:
        type_to_schema(annotation, profile=FRAMEWORK, strict=True)

    assert [each.code for each in raised.value.problems] == ["unfit-marker"]


def test_different_kinds_and_our_own_may_be_together():
    tp = Annotated[int, Range(1, 6), Secret, Help("A text."), Ge(2), Ge(3), Description("Last.")]

    assert type_to_schema(tp, profile=FRAMEWORK, strict=True) == INTEGER | {
        "minimum": 3,
        "maximum": 6,
        "deprecated": True,
        "description": "Last.",
    }
