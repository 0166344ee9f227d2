"""Findings about a tool or a set of tools: place, code and message."""

import dataclasses
import datetime as dt
import inspect
import math
import pickle
import re
import subprocess
import sys
import warnings
from collections.abc import Awaitable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NoReturn, Optional, TypedDict, TypeVar, Unpack

import attrs
import pydantic
import pytest
import typing_extensions

from milo_schema import (
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
    Pattern,
    Profile,
    Schema,
    SchemaError,
    Toolbox,
    ToolSchema,
    function_to_schema,
    profiles,
    tool_schema,
    tool_schemas,
)
from milo_schema.checks import Finding, check, cost
from milo_schema.errors import CODES, FINDING_CODES, closest
from milo_schema.testing import assert_described
from tests.every import every
from tests.fragments import INTEGER, STRING, array_of, obj, record
from tests.inside import KEYWORDS, NO_DESCRIPTION, OTHER_KEYWORDS, display, readings
from tests.modules import module_from

pytestmark = pytest.mark.core

HERE = Path(__file__).parent
HEADERS = "json_schema/test_headers.py"
every_profile = pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
Json = dict[str, Any]
T = TypeVar("T")
EMPTY: Json = {"type": "object", "properties": {}}


def codes(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.path, finding.code) for finding in findings]


def described(*parameters: str) -> str:
    lines = [f"    {name}: A parameter." for name in parameters]
    return "\n".join(["Do it.", "", "Args:", *lines])


def documented(func: Any) -> Any:
    """Let the docstring of a function describe each of its parameters."""
    func.__doc__ = described(*inspect.signature(func).parameters)
    return func


def taking(annotation: Any, *default: Any) -> Any:
    """A documented function with one parameter."""

    @documented
    def run(x) -> int: ...

    run.__annotations__["x"], run.__defaults__ = annotation, default
    return run


def tool(name: str = "run", /, **properties: Any) -> ToolSchema:
    """A correct tool, except for its properties."""
    required = [key for key, schema in properties.items() if "default" not in schema]
    return ToolSchema(
        name=name,
        description="Run it.",
        input_schema={"type": "object", "properties": properties, "required": required},
        output_schema={"type": "object"},
    )


# -- facts -------------------------------------------------------------------------------------


def test_a_finding_is_a_fact():
    finding = Finding("run(x)", "any-parameter", "it takes any value")

    assert finding == Finding("run(x)", "any-parameter", "it takes any value")
    assert (finding.path, finding.code) == ("run(x)", "any-parameter")
    assert str(finding) == "run(x): it takes any value [any-parameter]"
    with pytest.raises(AttributeError, match="frozen"):
        finding.path = ""


def test_every_code_has_a_sentence():
    assert all(sentence.endswith(".") and sentence[0].isupper() for sentence in CODES.values())
    assert list(FINDING_CODES) == sorted(FINDING_CODES)


def test_every_code_is_tested():
    files = (Path(__file__), *(HERE / name for name in ("test_costs.py", HEADERS)))
    text = "".join(file.read_text(encoding="utf-8") for file in files)

    assert [code for code in FINDING_CODES if f'"{code}"' not in text] == []


def test_a_correct_tool_has_no_findings():
    def deploy(to: Annotated[str, Description("Where to.")], times: int = 1) -> dict[str, str]: ...

    deploy.__doc__ = described("times")
    assert check(deploy) == []


def test_checks_neither_warn_nor_raise():
    def run(x: "Nowhere", y: complex) -> None: ...  # noqa: F821

    with warnings.catch_warnings(action="error"):
        assert len(check(run)) > 0


# -- of a function -----------------------------------------------------------------------------

MCP, MILO, PLATOOLS = profiles.MCP, profiles.MILO, profiles.PLATOOLS
OPENAI = profiles.OPENAI_STRICT


@dataclass
class Config:
    number: complex


@dataclass
class Void:
    a: int = None


class Pair(TypedDict):
    a: Annotated[int, Ge(5), Le(1)]


@attrs.define
class Row:
    x = attrs.field()
    y = attrs.field()


MISFITS = "(a: complex = 1, b: 'Missing' = 2, c: 'Missing | None' = 3, d: int = '4') -> int"
EACH = (
    "(a: int, /, b, c: Annotated[int, Ge(5), Le(1)], d: Pair) -> list[Annotated[int, Ge(3), Le(2)]]"
)
GIVEN_UP = (
    "(x: complex, y: complex, v: Annotated[int, {'minimum': 0}], z: float = float('inf')) -> int"
)
SIGNATURES: list[tuple[Profile, str, list[tuple[str, str]]]] = [
    # what has no schema, at its place
    (MCP, "(x: list[complex]) -> int", [("run(x)[]", "fallback")]),
    (MCP, "(config: Config) -> int", [("run(config).number", "fallback")]),
    (MCP, "() -> complex", [("run() -> result", "fallback")]),
    (OPENAI, "(x: complex) -> int", [("run(x)", "no-schema")]),
    (PLATOOLS, "(x: complex) -> int", [("run(x)", "no-schema")]),
    (PLATOOLS, "(x) -> int", [("run(x)", "no-schema")]),
    (PLATOOLS, "(x: 'Missing') -> int", [("run(x)", "unresolved-name")]),
    # the first one alone, where it costs the whole schema
    (profiles.OPENMCP, GIVEN_UP, [("run(x)", "fallback")]),
    (MCP, "(x: 'Missing', y: 'list[Missing]') -> int",
     [("run(x)", "unresolved-name"), ("run(y)[]", "unresolved-name")]),
    (MCP, "(row: Row, z) -> int",
     [("run(row).x", "no-annotation"), ("run(row).y", "no-annotation"),
      ("run(z)", "no-annotation")]),
    # the problems of strict mode in the order of the parameters, before all others
    (MCP, EACH,
     [("run(a)", "refused-in-strict-mode"), ("run() -> result[]", "refused-in-strict-mode"),
      ("run(b)", "no-annotation"), ("run(c)", "contradictory-bounds"),
      ("run(d).a", "contradictory-bounds")]),
    # defaults, unless the annotation has no schema
    (MCP, MISFITS,
     [("run(a)", "fallback"), ("run(b)", "unresolved-name"), ("run(c)", "unresolved-name"),
      ("run(d)", "default-misfit")]),
    (MCP, "(x: Annotated[complex, Examples(1), Format('emial')]) -> int",
     [("run(x)", "fallback"), ("run(x)", "unknown-format")]),
    (MILO, "(x: Annotated[float, Ge(5), Le(1)] = float('inf')) -> int",
     [("run(x)", "contradictory-bounds"), ("run(x)", "default-not-json")]),
    (MILO, "(x: int = None, y: Optional[int] = None) -> int", []),
    (MCP, "(x: int = None, y: Optional[int] = None) -> int", [("run(x)", "default-misfit")]),
    (MILO, "(x: float = float('inf'), y: object = object(), ctx: object = object()) -> int",
     [("run(y)", "any-parameter"), ("run(x)", "default-not-json"), ("run(y)", "default-not-json")]),
    (MCP, "(aXb: Annotated[int, Ge(5), Le(1)]) -> int", [("run(aXb)", "contradictory-bounds")]),
    (MILO, "(a: Void) -> Void", [("run() -> result.a", "refused-in-strict-mode")]),
    # what takes anything
    (MCP, "(x: Any, y: object = 1) -> int",
     [("run(x)", "any-parameter"), ("run(y)", "any-parameter")]),
    (MCP, "(x: Annotated[Any, Schema({'readOnly': True})]) -> int", [("run(x)", "any-parameter")]),
    (MCP, "(x: Annotated[Any, Schema({'x-user-providable': True})]) -> int",
     [("run(x)", "any-parameter")]),
    # results
    (MCP, "()", [("run", "no-output-schema")]),
    (MCP, "() -> None", []),
    (MCP, "() -> 'None'", []),
    (MCP, "() -> Awaitable[None]", []),
    (MCP, "() -> NoReturn", []),
]  # fmt: skip


@every("row", SIGNATURES)
def test_the_findings_of_a_signature(row):
    profile, signature, expected = row
    func = documented(module_from(f"def run{signature}: ...", **NAMES).run)
    if "ctx" in signature:
        func.__doc__ = described("x", "y")
    assert codes(check(func, profile=profile)) == expected


NAMES: dict[str, Any] = {
    "Annotated": Annotated, "Any": Any, "Awaitable": Awaitable, "Config": Config,
    "Examples": Examples, "Format": Format, "Ge": Ge, "Le": Le, "NoReturn": NoReturn,
    "Optional": Optional, "Pair": Pair, "Row": Row, "Schema": Schema, "Void": Void,
}  # fmt: skip


class Crate(Generic[T]):
    """A crate.

    Args:
        item: What is in it.
    """

    def __init__(self, item: T) -> None: ...


def test_a_class_with_or_without_type_arguments_needs_no_output_schema():
    assert codes(check(Crate)) == [("Crate(item)", "any-parameter")]
    assert codes(check(Crate[int])) == [("Crate[int]", "refused-tool-name")]


def test_the_messages_about_descriptions_and_defaults():
    def run(x: int, y: int = "many") -> int: ...

    own = "document it in the docstring or with Description(...)"
    assert check(run) == [
        Finding("run", "undescribed-tool",
                "no description; write a docstring, or pass description="),
        Finding("run(x)", "undescribed-parameter", f"no description; {own}"),
        Finding("run(y)", "undescribed-parameter", f"no description; {own}"),
        Finding("run(y)", "default-misfit",
                'its default does not fit: expected an integer, got "many"'),
    ]  # fmt: skip


def test_names_that_callers_pass_are_resolved():
    assert check(taking("list[Nowhere]"), localns={"Nowhere": int}) == []


def test_a_class_needs_no_output_schema():
    class Run:
        """A run."""

    assert check(Run) == []


class Talkative:
    @classmethod
    def __milo_schema__(cls, _walk):
        warnings.warn("somebody's own", stacklevel=1)
        return {"type": "string"}


def test_warnings_of_others_are_not_findings():
    @documented
    def run(x: Talkative) -> int: ...

    with pytest.warns(UserWarning, match="somebody's own"):
        assert check(run) == []


def test_a_function_without_any_schema():
    with pytest.raises(SchemaError, match="3 is not a function, and it has no public methods"):
        check(3)


def offset(**parts: int) -> dt.timezone:
    return dt.timezone(dt.timedelta(**parts))


@pytest.mark.parametrize(
    ("annotation", "default", "text"),
    [
        (dt.datetime, dt.datetime(2026, 1, 2), "'2026-01-02T00:00:00'"),  # noqa: DTZ001 - naive
        (dt.datetime | None, dt.datetime(2026, 1, 2), "'2026-01-02T00:00:00'"),  # noqa: DTZ001 - naive
        (dt.time, dt.time(1), "'01:00:00'"),
        (list[dt.time], [dt.time(1)], "['01:00:00']"),
        (dt.time, dt.time(1, tzinfo=offset(seconds=1)), "'01:00:00+00:00:01'"),
        (dt.time, dt.time(1, tzinfo=offset(microseconds=1)), "'01:00:00+00:00:00.000001'"),
        (dt.timedelta, dt.timedelta(milliseconds=1500), "'P0DT1.5S'"),
    ],
    ids=repr,
)
def test_a_default_that_is_not_valid_in_its_own_format_is_found(annotation, default, text):
    run = taking(annotation, default)
    reason = f"its default, {text}, is not valid in the format of its type; use None"
    for profile in (MILO, MCP, OPENAI):
        found = [each for each in check(run, profile=profile) if "default" in each.code]
        assert found == [Finding("run(x)", "default-not-json", reason)]


def test_a_default_that_is_valid_in_its_format_is_not_found():
    def run(
        x: dt.datetime = dt.datetime(2026, 1, 2, tzinfo=dt.timezone.utc),
        y: dt.timedelta = dt.timedelta(days=1),
    ) -> int: ...

    assert "default-not-json" not in {each.code for each in check(run)}


# -- keywords without Schema -------------------------------------------------------------------


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[int, {"minimum": 0}],
        Annotated[int | None, "A number.", {"minimum": 0, "more": 1}],
        list[Annotated[int, {"minimum": 0}]],
        dict[str, Annotated[list[Annotated[int, {"minimum": 0}]], "Numbers."]],
        "Annotated[int, {'minimum': 0}]",
    ],
    ids=repr,
)
def test_keywords_in_a_plain_dictionary_are_found(annotation):
    run = taking(annotation)
    reason = "a dictionary in Annotated has no effect; use Schema({...})"
    for profile in (profiles.MILO, profiles.MCP, profiles.FASTMCP, profiles.OPENMCP):
        expected = [Finding("run(x)", "ignored-metadata", reason)]
        assert check(run, profile=profile) == expected


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[int, {"route": "/"}],
        Annotated[int, Schema({"minimum": 0})],
        Annotated[int, ["minimum"]],
        Literal["minimum"],
        dict[str, int],
    ],
    ids=repr,
)
def test_other_metadata_are_not_keywords(annotation):
    assert check(taking(annotation)) == []


# -- examples of arguments ---------------------------------------------------------------------


def test_input_examples_must_fit_the_input_schema():
    @documented
    def run(count: int, name: str = "x") -> int: ...

    for profile in (profiles.MILO, profiles.MCP, profiles.ANTHROPIC_STRICT):
        good = tool_schema(run, profile=profile).replace(input_examples=[{"count": 1}])
        assert check(good, profile=profile) == []
        bad = good.replace(input_examples=[{"count": 1}, {"count": "many"}, {"name": "y"}])
        wrong = 'its input example 1 does not fit: expected an integer, got "many"'
        missing = "its input example 2 does not fit: required but not given"
        assert check(bad, profile=profile) == [
            Finding("run(count)", "example-misfit", wrong),
            Finding("run(count)", "example-misfit", missing),
        ]


def test_input_examples_must_fit_the_schema_in_the_dialect_of_the_profile():
    @documented
    def run(count: int, name: str = "x") -> int: ...

    tool = tool_schema(run, profile=profiles.MCP).replace(input_examples=[{"count": 1}])
    assert check(tool, profile=profiles.ANTHROPIC_STRICT) == []
    (finding,) = check(tool, profile=profiles.OPENAI_STRICT)
    reason = "its input example 0 does not fit: required but not given"
    assert finding == Finding("run(name)", "example-misfit", reason)


@pytest.mark.parametrize("next_item", [[], ["(item).next"]])
def test_a_mistake_in_an_object_is_found_wherever_the_object_is(next_item: list[str]):
    unused = {"Unused": {"type": "integer", "default": "x"}}
    size = {"type": "integer", "default": "many"}
    below = {"next": {"$ref": "#/$defs/Item"}} if next_item else {}
    item = {"type": "object", "properties": {"size": size, **below}, "$defs": unused}
    properties = {"item": item, "items": {"type": "array", "items": item}}
    schema = {"type": "object", "properties": properties, "$defs": {"Item": item}}

    found = check(ToolSchema(name="run", input_schema=schema))
    assert [each.path for each in found if each.code == "default-misfit"] == [
        f"run{where}.size" for where in ("(item)", *next_item, "(items)[]")
    ]


@every_profile
def test_a_missing_annotation_is_one_finding(profile):
    """Neither that it accepts anything, nor that its default is not the string it should be."""

    @documented
    def run(count=1, *more, **others) -> int: ...

    reason = "no annotation; add one"
    found = [Finding("go(count)", "no-annotation", reason)]
    assert check(tool_schema(run, profile=profile, name="go")) == found
    assert check(run, profile=profile, exclude=["count"]) == []


REFUSED: dict[str, tuple[Any, str, str]] = {
    "bounds": (Annotated[int, Ge(5), Le(1)], "contradictory-bounds", "(x)"),
    "bounds of integers": (Annotated[int, Gt(1), Lt(2)], "contradictory-bounds", "(x)"),
    "bounds of numbers": (Annotated[float, Gt(1), Le(1)], "contradictory-bounds", "(x)"),
    "bounds in two layers": (list[Annotated[Annotated[str, MinLen(3)], MaxLen(2)]],
          "contradictory-bounds", "(x)[]"),
    "bounds of items": ("Annotated[list[int], MinLen(3), MaxLen(2)]", "contradictory-bounds",
          "(x)"),
    "bounds of an alias": (dict[str, Annotated[typing_extensions.TypeAliasType("N", int), Ge(5),
              Le(1)]], "contradictory-bounds", "(x){}"),
    "bounds of a union": (Annotated[str | int, Ge(5), Le(1)], "contradictory-bounds", "(x)"),
    "bounds of a hook": (Annotated[int, Schema({"minimum": 5, "maximum": 1})],
          "contradictory-bounds", "(x)"),
    "bounds in a record": (tuple[int, "Pair"], "contradictory-bounds", "(x)[1].a"),
    "default in a record": (dict[str, "Misfit"], "default-misfit", "(x){}.b.a"),
    "example": (Annotated[int, Examples(1, "two")], "example-misfit", "(x)"),
    "example in a list": (list[Annotated[bool, Examples(1)]], "example-misfit", "(x)[]"),
    "example of a list": (Annotated[list[int], Examples([1, None])], "example-misfit", "(x)[1]"),
    "format": (list[Annotated[str, Format("emial")]], "unknown-format", "(x)[]"),
}  # fmt: skip


@dataclass
class Misfitting:
    a: int = "5"


@dataclass
class Misfit:
    b: Misfitting


@every_profile
@pytest.mark.parametrize(("annotation", "code", "step"), REFUSED.values(), ids=REFUSED)
def test_errors_of_strict_mode_are_findings(profile, annotation, code, step):
    run = taking(annotation)
    (finding,) = check(run, profile=profile)
    assert (finding.path, finding.code) == (f"run{step}", code)
    with pytest.raises(SchemaError) as caught:
        function_to_schema(run, profile=profile, strict=True)
    assert (caught.value.path, caught.value.message) == (finding.path, finding.message)


@pytest.mark.parametrize(
    ("annotation", "said"),
    [
        (Annotated[int, Ge(5), Le(1)], "at least 5 and at most 1"),
        (Annotated[float, Gt(1), Le(1)], "greater than 1 and at most 1"),
        (Annotated[str, MinLen(3), MaxLen(2)], "length at least 3 and length at most 2"),
    ],
)
def test_bounds_between_which_no_value_is_are_all_named(annotation, said):
    (finding,) = check(taking(annotation))
    assert finding.message == f"no value is {said}; change one of them"


@every_profile
@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[int, Ge(1), Le(1)],
        Annotated[float, Gt(1), Lt(2)],
        Annotated[str, MinLen(2), MaxLen(2), Format("int64")],
        Annotated[str, Schema({"format": "phone"})],
        Annotated[int | str, Ge(5), MaxLen(1)],
        Annotated[int, Examples(1, 2)],
        Annotated[int | None, Examples(1, None)],
    ],
    ids=str,
)
def test_bounds_with_one_value_and_custom_formats_pass(profile, annotation):
    run = taking(annotation)
    assert check(run, profile=profile) == []
    function_to_schema(run, profile=profile, strict=True)


def test_a_field_of_a_definition_that_looks_misspelled_is_found():
    listed = {
        "name": "ping",
        "description": "Ping.",
        "inputSchema": obj([]),
        "output_schema": {"type": "object"},
        "OutputSchema": {"type": "object"},
        "meta": {},
        "x_other": 1,
        "annotations": {"read_only_hint": True, "openWorldHint": True},
    }
    tool = ToolSchema.from_mcp(listed)
    reason = "{!r} is not a field of MCP, so no client reads it; did you mean {}?"
    found = [each for each in check(tool) if each.code == "misspelled-field"]
    meant = {"output_schema": "outputSchema", "OutputSchema": "outputSchema"}
    meant |= {"meta": "_meta", "read_only_hint": "readOnlyHint"}
    reasons = [reason.format(*each) for each in meant.items()]
    assert found == [Finding("ping", "misspelled-field", each) for each in reasons]


X = {"type": "integer", "description": "X."}
NOT_JSON: Any = object()
MISTAKES: dict[str, tuple[Any, str, str]] = {
    "a keyword": (taking(Annotated[int, Schema({"minimm": 1, "maximum": 5})]), "unknown-keyword",
          "'minimm' is not a keyword of JSON Schema; did you mean minimum?"),
    **{name: (taking(Annotated[list[str], Schema({"items": STRING | {"format": name}})]),
          "unknown-format", f"{name!r} is not a format of JSON Schema; did you mean {meant}?")
       for name, meant in {"datetime": "date-time", "url": "uri", "emial": "email",
                           "IPv4": "ipv4"}.items()},
    "examples": (tool(x={**X, "examples": {"a": 1}}), "invalid-schema",
          "'examples' must be a list, not {\"a\": 1}"),
    "default": (taking(int, NOT_JSON), "default-not-json",
          "its default, an instance of object, is neither JSON nor an int"),
}  # fmt: skip


@every_profile
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_finding(profile, mistake):
    thing, code, reason = MISTAKES[mistake]
    place = "run(x)[]" if code == "unknown-format" else "run(x)"
    assert check(thing, profile=profile) == [Finding(place, code, reason)]


def test_what_looks_misspelled_is_no_error_of_strict_mode():
    def send(to: Annotated[str, Schema({"format": "emial"})]): ...

    assert tool_schemas([send], strict=True) == [tool_schema(send)]


@pytest.mark.parametrize("name", ["date-time", "uuid4", "uint32", "phone", "", "unix-time", 1])
def test_a_format_of_others_is_no_finding(name):
    run = tool("run", x={"type": "string", "description": "X.", "format": name})
    assert "unknown-format" not in {code for _, code in codes(check(run))}


def test_keywords_of_other_vocabularies_are_not_findings():
    keywords = dict.fromkeys([*sorted(OTHER_KEYWORDS), "x-minimum", "ui:widget"], 1)
    run = tool("run", x={"type": "integer", "description": "X.", **keywords})
    assert "unknown-keyword" not in {code for _, code in codes(check(run))}
    assert {name for name in OTHER_KEYWORDS if closest(name, KEYWORDS)} != set()


@every_profile
def test_a_positional_only_parameter_is_found(profile):
    @documented
    def run(x: int, /) -> None: ...

    reason = "positional-only, but JSON passes arguments by name; drop the '/'"

    assert check(run, profile=profile) == [Finding("run(x)", "refused-in-strict-mode", reason)]


def test_nobody_is_told_to_change_a_signature_that_is_not_written_in_python():
    class Items(list):  # type: ignore[type-arg]
        """Items."""

    [finding] = [each for each in check(Items) if each.code == "refused-in-strict-mode"]
    assert finding.message.endswith("; wrap it in a function")


def test_what_only_a_call_enforces_is_told_once_in_a_dialect():
    def run(
        counts: Annotated[dict[str, int], Description("Counts.")],
        word: Annotated[str, Pattern(re.compile("ab", re.IGNORECASE)), Description("A word.")],
    ) -> int:
        """Run it."""

    found = codes(check(run, profile=profiles.OPENAI_STRICT))
    assert found == [("run(word)", "fallback"), ("run(counts)", "refused-by-dialect")]


@pytest.mark.parametrize(
    ("profile", "code"),
    [(profiles.MCP, "fallback"), (profiles.OPENAI_STRICT, "refused-in-strict-mode")],
)
def test_a_transform_may_refuse_the_output_in_several_places(profile, code):
    def run() -> dict[str, dict[str, int]]:
        """Run it."""

    def refuse(schema, report):
        if report.output:
            report("", "no mapping")
            report("{}", "no mapping")
        return schema

    found = check(run, profile=profile.replace(transforms=[*profile.transforms, refuse]))
    assert codes(found) == [("run() -> result", code), ("run() -> result{}", code)]


@pytest.mark.parametrize("profile", [profiles.MCP, profiles.OPENAI_STRICT, profiles.OPENMCP])
def test_a_function_is_read_once(profile, monkeypatch):
    def run(a: int, /, b: complex, c: dict[str, int], d: int = "d") -> dict[str, Any]: ...

    calls: list[Any] = []
    read: Any = vars(readings)["read_callable"]

    def counted(*args: Any) -> Any:
        calls.append(args)
        return read(*args)

    monkeypatch.setattr(readings, "read_callable", counted)
    assert len(check(run, profile=profile)) > 0
    with pytest.raises(AssertionError):
        assert_described(run, profile=profile, output=True)
    assert len(calls) == 2


@every_profile
def test_excluding_an_unknown_parameter_is_found(profile):
    @documented
    def run(query: str, secret: str, **more: Unpack[Pair]) -> None: ...

    every = {"secret", "a"}

    assert check(run, profile=profile, exclude=every) == []
    reason = "exclude names 'secert', which is not a parameter; did you mean secret?"
    (finding,) = check(run, profile=profile, exclude={"secert", "a"})
    assert finding == Finding("run", "fallback", reason)

    class Size(TypedDict):
        number: int

    def cut(**size: Unpack[Size]) -> None: ...

    (finding, _) = check(documented(cut), profile=profile, exclude={"nubmer"})
    assert finding.message.endswith("did you mean number?")


@every_profile
@pytest.mark.parametrize("marker", [Description("Hi."), MinLen, Injected], ids=repr)
def test_a_marker_as_a_default_is_found(profile, marker):
    @dataclass
    class Config:
        name: str = marker

    @documented
    def run(x: str = marker, y: list[Config] | None = None) -> None: ...

    found = check(run, profile=profile)

    assert codes(found) == [("run(x)", "default-not-json"), ("run(y)[].name", "default-not-json")]
    way_out = "put it into the annotation: Annotated[..., marker]"
    reason = f"its default is the marker {display(marker)}; {way_out}"
    assert {finding.message for finding in found} == {reason}
    with pytest.raises(SchemaError, match="its default is the marker"):
        function_to_schema(run, profile=profile, strict=True)


@pytest.mark.parametrize(
    "note",
    [
        {"title": "X"},
        {"description": "Any."},
        {"default": 1},
        {"examples": [1]},
        {"deprecated": True},
        {"title": "X", "description": "Any.", "default": 1, "examples": [1], "deprecated": True},
    ],
    ids=" ".join,
)
def test_annotation_keywords_do_not_restrict_a_parameter(note):
    described = {"description": "Any.", **note}

    assert codes(check(tool(x=described))) == [("run(x)", "any-parameter")]
    assert check(tool(x={**described, "type": "integer"})) == []


def test_parameters_that_are_only_described():
    def run(x: int, ctx: Any, hidden: int) -> int: ...

    run.__doc__ = described("x", "why", "ctx", "hidden")
    found = check(run, exclude=["hidden"], profile=profiles.MILO)

    assert codes(found) == [("run(why)", "unknown-parameter"), ("run(ctx)", "hidden-parameter")]


def test_a_dotted_name_is_about_the_parameter_before_the_dot():
    class Options(TypedDict):
        depth: int

    def run(x: Options, ctx: Any) -> int: ...

    run.__doc__ = described("x.depth", "x", "ctx.user", "other.x")

    assert codes(check(run, profile=profiles.MILO)) == [("run(other.x)", "unknown-parameter")]
    assert function_to_schema(run)["properties"]["x"] == record(depth=INTEGER) | {
        "description": "A parameter."
    }


def test_what_a_base_class_documents_is_about_its_own_parameters():
    class Base:
        def __init__(self, x: int) -> None: ...

        def run(self, x: int) -> int: ...

    Base.__doc__ = Base.run.__doc__ = described("x", "typo")

    class Child(Base):
        def __init__(self, y: int) -> None: ...

        def run(self, y: int) -> int: ...

    class Heir(Base):
        pass

    class Documented(Child):
        pass

    Documented.__doc__ = described("x")

    def unknown(func: Any) -> list[str]:
        return [each.path for each in check(func) if each.code == "unknown-parameter"]

    assert unknown(Base) == ["Base(typo)"]
    assert unknown(Base.run) == ["run(typo)"]
    assert [*map(unknown, (Child, Child.run, Child(1).run, Heir))] == [[], [], [], []]
    assert unknown(Documented) == ["Documented(x)"]
    Child.__init__.__doc__ = described("y", "z")
    assert unknown(Child) == ["Child(z)"]

    class Made:
        def __new__(cls, x: int) -> "Made":
            """Make it.

            Args:
                typo: What is no parameter.
            """
            return super().__new__(cls)

    assert unknown(Made) == ["Made(typo)"]


# -- of a definition ---------------------------------------------------------------------------


def test_names_of_parameters_that_clients_refuse():
    """Names further down are free: Anthropic's API looks at those of parameters only."""
    names = ["page[size]", "größe", "ok-1.x_", "x" * 64, "x" * 65, ""]
    number = {"type": "integer", "description": "."}
    deep = array_of(obj([], **{"": STRING})) | {"description": "."}
    found = check(tool(**dict.fromkeys(names, number), deep=deep))
    allowed = "are not allowed; use A-Z a-z 0-9 _ . -"
    size = "it must have 1 to 64 characters, not"
    reasons = {
        "page[size]": f"'[' and ']' {allowed}",
        "größe": f"'ö' and 'ß' {allowed}",
        "x" * 65: f"{size} 65",
        "": f"{size} 0",
    }
    assert found == [
        Finding(f"run({name})", "refused-name", f"{name!r} is not a valid parameter name: {reason}")
        for name, reason in reasons.items()
    ]


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_a_union_at_the_root_is_refused_by_clients(keyword):
    branches = [{"required": ["id"]}, {"required": ["name"]}]
    inside = {"type": "object", keyword: branches}
    listed = {"type": "object", "properties": {"id": inside, "name": {}}}

    found = check(ToolSchema.from_mcp({"name": "f", "inputSchema": {**listed, keyword: branches}}))

    reason = f"'{keyword}' at the root of the arguments; name all of them in 'properties'"
    refused = [each for each in found if each.code == "refused-root"]
    assert refused == [Finding("f", "refused-root", reason)]


def test_tool_names_that_providers_refuse():
    refusing = {
        profiles.PORTABLE: ["OpenAI", "Anthropic", "Bedrock"],
        profiles.OPENAI_STRICT: ["OpenAI"],
        profiles.ANTHROPIC_STRICT: ["Anthropic"],
        profiles.BEDROCK_STRICT: ["Bedrock"],
    }
    for profile in [each for each in vars(profiles).values() if isinstance(each, Profile)]:
        found = check(tool("shell.run"), profile=profile)
        assert [each.message.partition(":")[0] for each in found] == [
            f"not a valid {provider} tool name" for provider in refusing.get(profile, [])
        ]
        assert {each.code for each in found} <= {"refused-tool-name"}
    assert codes(check(tool("run it"))) == [("run it", "refused-tool-name")]


def test_defaults_at_any_depth():
    schema: Json = obj(
        [],
        sizes={"type": "array", "items": INTEGER, "default": [1, "x"]},
        color={"anyOf": [{"$ref": "#/$defs/Color"}], "default": "blue"},
    ) | {"description": ".", "default": {"sizes": [None]}}
    color = {"type": "string", "enum": ["red"], "default": "green"}
    definition = ToolSchema(
        name="run",
        description="Run it.",
        input_schema=obj([], config=schema) | {"$defs": {"Color": color}},
        output_schema={},
    )
    found = check(definition)

    places = [".sizes[0]", ".sizes[1]", ".color", ".color"]
    assert codes(found) == [(f"run(config){place}", "default-misfit") for place in places]


def test_a_boolean_schema_is_not_checked():
    assert check(tool().replace(input_schema={**EMPTY, "properties": {"a": True}})) == []


# -- definitions that others wrote -------------------------------------------------------------


def foreign(properties: Json, output: Any = None, **root: Any) -> ToolSchema:
    """A tool as a server lists it."""
    given = {"type": "object", "properties": properties, **root}
    listed = {"name": "run", "description": "Run it.", "inputSchema": given}
    return ToolSchema.from_mcp(listed if output is None else {**listed, "outputSchema": output})


def test_each_fault_of_a_definition_is_a_finding():
    item: Json = {"description": "X.", "type": "array", "items": [{"type": "strin"}]}
    made = foreign(
        {"x": item, "y": {"description": "Y.", "enum": []}},
        {"type": "object", "properties": {"z": {"type": "any"}}},
        required=["x", "w"],
    )

    assert codes(check(made)) == [
        ("run(x)", "invalid-schema"),
        ("run(x)[0]", "invalid-schema"),
        ("run", "undeclared-property"),
        ("run(y)", "odd-enum"),
        ("run() -> result.z", "invalid-schema"),
    ]
    assert check(made)[0].message == (
        '\'items\' must be a schema, not [{"type": "strin"}]; '
        "write prefixItems for the items of a tuple"
    )


def test_other_dialects_and_references_are_findings_and_read_for_what_they_mean():
    made = foreign(
        {
            "x": {"description": "X.", "$ref": "#x", "default": 5},
            "y": {"description": "Y.", "type": "string", "pattern": r"\Ay\Z"},
            "z": {"description": "Z.", "$ref": "https://example.com/z"},
            "w": {"description": "W.", "type": "string", "pattern": "[a-z"},
        },
        definitions={"X": {"$anchor": "x", "type": "string"}},
    )

    assert codes(check(made)) == [
        ("run", "other-dialect"),
        ("run(x)", "other-dialect"),
        ("run(z)", "dangling-reference"),
        ("run(y)", "python-pattern"),
        ("run(w)", "invalid-pattern"),
        ("run(x)", "default-misfit"),
    ]


@pytest.mark.parametrize(
    ("pattern", "shown", "texts"),
    [
        ("^(a+)+$", '"^(a+)+$"', "text of more than 3 characters"),
        ("a|" * 600, f'"{"a|" * 28}...', "any text"),
    ],
)
def test_a_pattern_that_cannot_be_checked_in_limited_time_is_a_finding(pattern, shown, texts):
    reason = f"takes too long to check in {texts}, so no such text is refused; simplify it"
    assert check(tool_schema(taking(Annotated[str, Pattern(pattern)]))) == [
        Finding("run(x)", "slow-pattern", f"the pattern {shown} {reason}")
    ]


def test_the_spelling_of_a_dialect_is_not_a_finding_in_that_dialect():
    def run(x: Annotated[int | None, Description("X.")]) -> None:
        """Run it."""

    made = tool_schema(run, profile=profiles.GEMINI)
    assert made.input_schema["properties"]["x"]["nullable"] is True
    assert check(made, profile=profiles.GEMINI) == []
    assert codes(check(ToolSchema.from_mcp(made.to_mcp()))) == [("run(x)", "other-dialect")]


def test_the_advice_about_a_tool_of_a_function_is_for_its_author_unless_its_schema_is_given():
    def run(x) -> None: ...

    made = tool_schema(run, profile=profiles.MCP)
    of_python = [
        "run(x): no annotation; add one [no-annotation]",
        "run: no description; write a docstring, or pass description= [undescribed-tool]",
        f"run(x): {NO_DESCRIPTION} [undescribed-parameter]",
    ]
    of_others = [
        "run: no description; say what it does [undescribed-tool]",
        "run(x): no description; say what to pass [undescribed-parameter]",
        "run(x): accepts any value; add its type [any-parameter]",
    ]
    given = tool_schema(run, input_schema={"type": "object", "properties": {"x": {"title": "X"}}})
    listed = ToolSchema.from_mcp(made.to_mcp())
    for each, expected in [(made, of_python), (given, of_others), (listed, of_others)]:
        assert list(map(str, check(each))) == expected


def test_a_description_where_the_value_is_described_is_one_of_the_parameter():
    """A model reads it, although it belongs to a type, or to one branch of a union."""
    text = {"type": "string", "description": "How."}
    schemas = {
        "named": {"$ref": "#/$defs/How"},
        "united": {"anyOf": [{"type": "null"}, {"oneOf": [{"$ref": "#/$defs/How"}]}]},
        "combined": {"allOf": [text]},
        "of_items": {"type": "array", "items": text},
        "of_fields": {"type": "object", "properties": {"description": text}},
    }
    root = {"type": "object", "properties": schemas, "$defs": {"How": text}}
    found = check({"name": "run", "inputSchema": root})

    assert codes(found) == [
        ("run", "undescribed-tool"),
        ("run(of_items)", "undescribed-parameter"),
        ("run(of_fields)", "undescribed-parameter"),
    ]


@pytest.mark.parametrize("name", ["PORTABLE", "OPENAI_STRICT"])
def test_an_array_says_what_its_items_are_where_that_is_required(name):
    array = {"type": "array", "description": "."}
    items = {"items": {"type": "array"}}, {"prefixItems": [STRING]}
    made = foreign({"x": array, "y": array | items[0], "z": array | items[1]})
    profile = getattr(profiles, name)
    found = [each for each in check(made, profile=profile) if "'items'" in each.message]

    assert codes(found) == [("run(x)", "refused-by-dialect"), ("run(y)[]", "refused-by-dialect")]
    assert found[0].message.endswith("needs 'items' in every array; add their schema")
    assert codes(check(made, profile=profiles.MCP)) == []


# -- a set of tools ----------------------------------------------------------------------------

USER = {"type": "string", "description": ".", "x-user-providable": True}
PLAIN = {"type": "string", "description": "."}
A = tool("a", x=PLAIN)
MIXED = tool("a", x=PLAIN, y=USER, z={**PLAIN, "default": ""})
WITH_X = {"type": "object", "properties": {"x": {}}}
WITH_REF = {"$ref": "#/$defs/A", "$defs": {"A": WITH_X}}


def giving(output: Any) -> ToolSchema:
    return tool("source").replace(output_schema=output)


SETS: list[tuple[list[ToolSchema], bool, list[tuple[str, str]]]] = [
    ([tool("a"), tool("b"), tool("a")], False, [("a", "duplicate-tool")]),
    # whether a parameter has a source matters where one has the mark, or the caller asks
    ([A, tool("b")], False, []),
    ([A, tool("b")], True, [("a(x)", "unreachable-parameter")]),
    ([MIXED], False, [("a(x)", "unreachable-parameter")]),
    # a source is another tool with an output of that name, at any place
    ([A, giving(WITH_X)], True, []),
    ([A, giving(array_of(WITH_X))], True, []),
    ([A, giving(WITH_REF)], True, []),
    ([A, giving({"anyOf": [{"type": "null"}, WITH_X]})], True, []),
    ([A, giving({"type": "object", "default": {"properties": {"x": {}}}})], True,
     [("a(x)", "unreachable-parameter")]),
    ([A, giving({"type": "object", "properties": {"y": {}}})], True,
     [("a(x)", "unreachable-parameter")]),
    ([A, giving(None)], True, [("a(x)", "unreachable-parameter")]),
    ([A.replace(output_schema=WITH_X)], True, [("a(x)", "unreachable-parameter")]),
    # a box is none
    ([tool("a", result=USER, x=PLAIN), tool("b").replace(box="result")], False,
     [("a(x)", "unreachable-parameter")]),
    ([tool("a", result=PLAIN), giving(record(result=INTEGER)).replace(box="result")], True,
     [("a(result)", "unreachable-parameter")]),
]  # fmt: skip


@every("row", SETS)
def test_the_findings_of_a_set_of_tools(row):
    tools, sources, expected = row
    assert codes(check(tools, sources=sources)) == expected


def test_a_parameter_without_a_source_may_be_marked():
    reason = 'no other tool returns it and it is not marked "x-user-providable"'
    assert check(MIXED) == [Finding("a(x)", "unreachable-parameter", reason)]
    assert MIXED.replace(user_provides=["x"]).user_provides == {"x", "y"}
    one: Any = 1
    with pytest.raises(ValueError, match=r"^user_provides has 1, which is not a name$"):
        MIXED.replace(user_provides=one)


@pytest.mark.parametrize("profile", [profiles.MCP, profiles.PORTABLE, profiles.OPENAI_STRICT])
def test_marks_of_a_parameter_count_even_if_a_dialect_drops_them(profile):
    """Behind an alias, too; the definition keeps it when it is replaced and pickled."""
    marked = Annotated[str, Schema({"x-user-providable": True})]
    user = typing_extensions.TypeAliasType("user", marked)  # type: ignore[valid-type]

    def greet(name: user, other: str) -> None: ...

    made = tool_schema(greet, profile=profile)
    for each in (made, made.replace(title="Greet"), pickle.loads(pickle.dumps(made))):
        assert each.user_provides == {"name"}
        found = [place for place, code in codes(check([each])) if code.startswith("unreach")]
        assert found == ["greet(other)"]


def strict(count: int, profile: Any = profiles.ANTHROPIC_STRICT, **properties: Any) -> list[Any]:
    return [
        tool_schema(lambda: None, name=f"t{at}", profile=profile, description=".").replace(
            input_schema=tool(**properties).input_schema, output_schema={}
        )
        for at in range(count)
    ]


OPTIONAL = {"type": "string", "description": ".", "default": ""}
UNION = {"anyOf": [{"type": "string"}, {"type": "null"}], "description": ".", "default": None}
BEHIND = {"$ref": "#/$defs/A"}


@pytest.mark.parametrize(
    ("tools", "most", "refused"),
    [
        (lambda: strict(22), "20 tools", ["t20", "t21"]),
        (lambda: strict(3, a=OPTIONAL, **{f"p{at}": OPTIONAL for at in range(9)}),
         "24 optional properties", ["t2"]),
        (lambda: strict(18, p=UNION), "16 properties that are unions", ["t16", "t17"]),
        # A tool that is too large leaves room for a smaller one.
        (lambda: [*strict(1, **{f"p{at}": OPTIONAL for at in range(25)}), *strict(20)],
         "24 optional properties", ["t0"]),
        (lambda: strict(17, p={"type": "array", "items": UNION, "description": "."}), "", []),
        (lambda: strict(30, profile=profiles.OPENAI_STRICT), "", []),
        (lambda: strict(30, profile=profiles.MCP, a=OPTIONAL), "", []),
    ],
    ids=["tools", "optional", "unions", "first", "items of arrays", "OpenAI", "not strict"],
)  # fmt: skip
def test_strict_tools_share_the_limits_of_a_request(tools, most, refused):
    limits = [each for each in check(tools()) if each.code == "request-limit"]
    reason = f"Anthropic's strict mode allows at most {most} in one request"
    said = f"{reason}; send this one without strict"
    expected = [Finding(name, "request-limit", said) for name in refused]
    assert limits == expected


@pytest.mark.parametrize(
    ("most", "more"),
    [
        (strict(20, profiles.BEDROCK_STRICT), strict(21, profiles.BEDROCK_STRICT)),
        (strict(4, a=OPTIONAL, **{f"p{at}": OPTIONAL for at in range(5)}), strict(25, a=OPTIONAL)),
        (strict(16, p=UNION), strict(17, p=UNION)),
        ([*strict(20), *strict(20, profiles.BEDROCK_STRICT)], strict(21)),
    ],
    ids=["tools of Bedrock", "optional", "unions", "two requests"],
)
def test_each_limit_of_a_request_has_two_sides(most, more):
    sides = [[each.code for each in check(tools)].count("request-limit") for tools in (most, more)]
    assert (sides[0], sides[1] > 0) == (0, True)


def mcp_tools(count: int, **properties: Any) -> list[ToolSchema]:
    """Tools as a server lists them, in no dialect."""
    return [tool(f"t{at}", **properties) for at in range(count)]


def test_tools_of_a_server_count_for_the_profile_if_they_fit_its_dialect():
    counted = {**PLAIN, "x-user-providable": True}
    mapping = {"type": "object", "additionalProperties": PLAIN, "description": ".", "default": {}}
    tools = [*mcp_tools(1, m=mapping), *mcp_tools(21, x=counted)]

    def limits(**options: Any) -> list[str]:
        return [each.path for each in check(tools, **options) if each.code == "request-limit"]

    assert limits() == limits(profile=profiles.OPENAI_STRICT) == []
    assert limits(profile=profiles.ANTHROPIC_STRICT) == ["t20"]  # the first one does not fit


# -- which tools fit a strict mode, and why others do not --------------------------------------

MAPPING = "does not support arbitrary properties; use a dataclass or TypedDict"


def test_a_given_tool_is_checked_against_the_dialect_of_the_profile():
    made = tool(m={"type": "object", "additionalProperties": PLAIN, "description": "."}, x=PLAIN)

    assert check(made) == check(made, profile=profiles.MCP_2025) == []
    for name in ("OpenAI", "Anthropic", "Bedrock"):
        profile = getattr(profiles, f"{name.upper()}_STRICT")
        reason = f"{name}'s strict mode {MAPPING}"
        assert check(made, profile=profile) == [Finding("run(m)", "refused-by-dialect", reason)]
        assert check(made.replace(dialect=profile.dialect), profile=profile) == []
    for profile in (profiles.PORTABLE, profiles.GEMINI, profiles.GEMINI_JSON):
        assert check(made, profile=profile) == []  # they describe it, or have a keyword


def test_a_function_has_findings_about_the_dialect_and_all_others():
    def run(m: dict[str, int], x: Any, y: int = 1) -> None: ...

    run.__doc__ = described("m", "x")
    found = check(run, profile=profiles.OPENAI_STRICT)
    value = "OpenAI's strict mode does not support values of any type; use a more specific one"
    assert [each for each in found if each.code == "refused-by-dialect"] == [
        Finding("run(m)", "refused-by-dialect", f"OpenAI's strict mode {MAPPING}"),
        Finding("run(x)", "refused-by-dialect", value),
    ]
    assert codes(found)[:2] == [("run(x)", "any-parameter"), ("run(y)", "undescribed-parameter")]


def test_a_class_with_the_name_of_a_dialect_is_not_refused_by_it():
    class Gemini: ...

    assert codes(check(taking(Gemini), profile=profiles.GEMINI)) == [("run(x)", "fallback")]


def test_warnings_of_a_dialect_have_their_own_code():
    class Odd(TypedDict):
        a__: Annotated[int, pydantic.Field(alias="größe"), Description(".")]

    def run(**odd: Unpack[Odd]) -> None:
        """Run it."""

    reason = "the portable subset does not allow this name; use [A-Za-z_][A-Za-z0-9_]{0,63}"
    found = check(run, profile=profiles.PORTABLE)
    expected = [Finding("run(größe)", "refused-by-dialect", reason)]
    assert [each for each in found if each.code != "refused-name"] == expected


def test_definitions_of_strict_tools_do_not_count():
    wide = {"type": "object", "properties": {f"p{at}": OPTIONAL for at in range(25)}}
    tools = [
        each.replace(input_schema={**each.input_schema, "$defs": {"A": wide}})
        for each in strict(20, p=BEHIND)
    ]
    assert [each for each in check(tools) if each.code == "request-limit"] == []


def test_the_example_of_the_document():
    """A required param is reachable when another tool's output has a field of that name, or it
    is marked `x-user-providable`.
    """

    class Order(pydantic.BaseModel):
        order_id: str

    marked = pydantic.Field(description="ID.", json_schema_extra={"x-user-providable": True})

    def list_orders(
        customer_id: Annotated[str, marked],
        region: Annotated[str, Description("Where."), Schema({"x-user-providable": False})],
    ) -> list[Order]:
        """Return recent orders for a customer."""
        raise NotImplementedError

    def refund(order_id: Annotated[str, Description("Which.")]) -> dict[str, str]:
        """Pay back."""
        raise NotImplementedError

    tools = [tool_schema(func, profile=PLATOOLS) for func in (list_orders, refund)]
    found = codes(check(tools, profile=PLATOOLS))
    assert found == [("list_orders(region)", "unreachable-parameter")]


def test_the_core_does_not_import_checks():
    code = (
        "import sys, milo_schema as m; m.function_to_schema(lambda x: 1); m.tool_schema;"
        "assert not {'milo_schema.checks', 'milo_schema.tools.toolbox'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# -- documented parameters that are left out ---------------------------------------------------


class Context: ...


BY_NAME = "this name; rename it, or drop its description"
BY_BARE_NAME = "every class called Context; rename the class, or drop the description"
MINE = profiles.MCP.with_injected(names={"user"}, classes={Context})
DOTTED = profiles.MCP.with_injected(classes={f"{__name__}.Context"})


@pytest.mark.parametrize(
    ("profile", "annotation", "filled_in"),
    [
        (profiles.MILO, "ctx: str", BY_NAME),
        (profiles.MILO, "ctx: int | None = None", BY_NAME),
        (profiles.MILO, "ctx", BY_NAME),
        (profiles.MILO, "ctx: Context", BY_NAME),
        (MINE, "user: str", BY_NAME),
        (MINE, "*, user: str", BY_NAME),
        (profiles.MILO, "given: Context", BY_BARE_NAME),
        (profiles.MILO, "given: Context | None = None", BY_BARE_NAME),
    ],
)
def test_a_documented_parameter_that_a_rule_of_the_profile_hides_is_found(
    profile, annotation, filled_in
):
    func = module_from(f"def run({annotation}) -> None: ...", Context=Context).run
    name = annotation.lstrip("*, ").partition(":")[0]
    func.__doc__ = "Do it."
    assert check(func, profile=profile) == []
    func.__doc__ = described(name)
    reason = f"described to callers, but the profile fills in {filled_in}"
    expected = [Finding(f"run({name})", "hidden-parameter", reason)]
    assert check(func, profile=profile) == expected
    assert check(func, profile=profile, exclude=[name]) == []


@pytest.mark.parametrize(
    ("profile", "annotation"), [(MINE, "given: list[Context]"), (DOTTED, "given: Context")]
)
def test_a_parameter_of_a_class_that_a_profile_names_exactly_may_be_documented(profile, annotation):
    func = module_from(f"def run({annotation}) -> None: ...", Context=Context).run
    func.__doc__ = described("given")

    assert check(func, profile=profile) == []


def test_a_documented_key_that_a_rule_of_the_profile_hides_is_found():
    class Options(TypedDict):
        user: str

    def run(**options: Unpack[Options]) -> None: ...

    run.__doc__ = described("user")
    (finding,) = check(run, profile=MINE)
    assert (finding.path, finding.code) == ("run(user)", "hidden-parameter")


def test_a_parameter_that_its_author_hides_may_be_documented():
    def run(a: Annotated[str, Injected], ctx: str, x: int, *more: int) -> None: ...

    run.__doc__ = described("a", "ctx", "x", "more")
    assert check(run, exclude=["ctx"], profile=profiles.MILO) == []
    run.__doc__ = described("x")
    assert check(run, profile=profiles.MILO) == []


def test_a_default_that_a_factory_makes_is_not_lost():
    """It is made for each call, so no schema can have it."""

    class Model(pydantic.BaseModel):
        x: list[int] = pydantic.Field(default_factory=list)

    for each in (Model, dataclasses.make_dataclass("Record", [("x", list, LISTS)])):
        assert "default-not-json" not in {found.code for found in check(each)}


LISTS: Any = dataclasses.field(default_factory=list)


@every(
    "row",
    [
        (int, "a class"),
        (len, "a function"),
        ([].append, "a function"),
        (described, "a function"),
        (math, "a module"),
        (Finding.__str__.__get__(Finding("", "", "")), "a method"),
        ([len], "a list with a function"),
        ({1: object()}, "a dict with an instance of object"),
        ({object}, "a set with a class"),
        ((float("inf"),), "a tuple with the number inf"),
        (dataclasses.make_dataclass("Uses", ["on"])(math), "an instance of Uses with a module"),
    ],
)  # fmt: skip
def test_a_default_is_called_what_it_is(row):
    default, shown = row

    def run(a: Any = default) -> None: ...

    [found] = [each for each in check(run) if each.code == "default-not-json"]
    assert found.message.startswith(f"its default, {shown}, cannot be written as JSON; ")


def test_what_a_transform_of_a_profile_without_a_dialect_refuses_is_a_finding():
    def refuse(schema, report):
        report(".x", "cannot be written")
        return schema

    profile = profiles.MCP.replace(name="mine", transforms=[refuse], failure="error")
    found = check(taking(int), profile=profile)
    assert found == [Finding("run(x)", "no-schema", "cannot be written")]

    def raising(schema, report):
        raise SchemaError("not this one")

    found = check(taking(int), profile=profile.replace(transforms=[raising]))
    assert found == [Finding("run", "no-schema", "not this one")]


# -- of anything that stands for tools ---------------------------------------------------------


class Shop:
    """A shop."""

    def sell(self, item, times: int = "1", ctx: object = None) -> bool:
        """Sell it.

        Args:
            itme: Which.
            ctx: Its context.
        """

    def refund(self, order: Any, items: dict[str, int]): ...


THINGS = [Shop, Shop().sell, Shop().refund, Shop()]


@every("profile", [each for each in vars(profiles).values() if isinstance(each, Profile)], ids=str)
def test_a_function_its_tool_and_a_toolbox_have_the_same_findings(profile):
    """Also if the profile has a dialect, which cannot express all of it."""
    with warnings.catch_warnings(action="ignore"):
        for each in THINGS:
            found = check(each, profile=profile)
            try:
                tools = tool_schemas([each], profile=profile)
            except SchemaError:
                assert {finding.code for finding in found} & {"no-schema", "refused-by-dialect"}
                continue
            assert found == check(*tools) == Toolbox(tools).check() == check(Toolbox(tools))
            plain = tool_schemas([each])
            assert check(*plain, profile=profile) == found
    assert codes(check(Shop().sell, profile=profile))


def test_a_tool_is_checked_as_it_was_made():
    def count(words: dict[str, int], ctx: int = 0) -> int:
        """Count."""

    plain, strict = tool_schema(count), tool_schema(label, profile=profiles.OPENAI_STRICT)
    given = plain.replace(description="Count words.")

    undescribed = [(f"count({name})", "undescribed-parameter") for name in ("words", "ctx")]
    assert codes(check(plain)) == undescribed
    assert check(given) == check(plain)
    assert ("count(words)", "refused-by-dialect") in codes(check(plain, profile=OPENAI))
    assert check(strict) == check(strict, profile=profiles.OPENAI_STRICT) == []
    assert codes(check(tool_schema(count, profile=MILO))) == undescribed[:1]


def label(text: Annotated[str, Description("The text.")]) -> str:
    """Label it."""


def test_definitions_are_checked_as_servers_list_them():
    listed = {"name": "a b", "inputSchema": {"type": "object", "properties": {"x": {}}}}

    assert check(listed) == check(ToolSchema.from_mcp(listed)) == check([listed])
    assert codes(check(listed, listed))[-1] == ("a b", "duplicate-tool")
    with pytest.raises(SchemaError, match="a tool definition needs a name"):
        check({"inputSchema": {}})


@pytest.mark.parametrize("thing", [3, "search", b"", None, {1}, 1.5, object()], ids=display)
def test_the_methods_of_python_itself_are_no_tools(thing):
    for take in (check, cost, lambda each: Toolbox([each]), lambda each: tool_schemas([each])):
        with pytest.raises(SchemaError, match="is not a function, and it has no public methods"):
            take(thing)


def test_a_tool_of_another_library_is_checked_with_its_own_texts():
    class Decorated:
        def __init__(self, func: Any) -> None:
            self.func, self.name, self.description = func, "named", "Said."

    def run(x: int) -> int: ...

    tool = Decorated(run)
    assert check(tool) == check(tool_schema(tool)) == Toolbox([tool]).check()  # type: ignore[arg-type]
    assert codes(check(tool)) == [("named(x)", "undescribed-parameter")]
