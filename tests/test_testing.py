"""Assertions for test suites, and the messages of failures."""

import subprocess
import sys
import textwrap
import warnings
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypedDict, Unpack

import pytest

from milo_schema import (
    Description,
    Pattern,
    SchemaError,
    SchemaWarning,
    Toolbox,
    ToolSchema,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.testing import assert_described, assert_schema, assert_unchanged
from tests.fragments import INTEGER, STRING, map_of, obj, record

Json = dict[str, Any]
ROOT = Path(__file__).parents[1]


class Session: ...


class Text(str):
    __slots__ = ()


def deploy(
    service: Annotated[str, Description("What to deploy.")], version: str = "latest"
) -> dict[str, str]:
    """Deploy a service.

    Args:
        version: Version or image tag.
    """
    raise NotImplementedError


DEPLOY: Json = obj(
    ["service"],
    service={"type": "string", "description": "What to deploy."},
    version={"type": "string", "description": "Version or image tag.", "default": "latest"},
)


def lines(assertion: Any, *args: Any, **options: Any) -> list[str]:
    """The lines of the message with which an assertion fails."""
    with pytest.raises(AssertionError) as caught:
        assertion(*args, **options)
    return str(caught.value).splitlines()


def undescribed(*functions: Any, **options: Any) -> list[str]:
    return lines(assert_described, *functions, **options)


def differences(*args: Any, **options: Any) -> list[str]:
    return lines(assert_schema, *args, **options)


UNDESCRIBED = "no description; document it in the docstring or with Description(...)"
COMPLEX = "no JSON Schema for complex; use another type, or Schema({...})"


# -- assert_described --------------------------------------------------------------------------


def test_documented_functions_pass():
    def ping() -> None: ...

    assert_described(deploy)
    assert_described(deploy, ping, output=True)


@pytest.mark.parametrize(
    "profile", [profiles.MCP, profiles.PORTABLE, profiles.OPENAI_STRICT, profiles.PLATOOLS], ids=str
)
def test_documented_functions_pass_in_every_profile(profile):
    assert_described(deploy, profile=profile)


def test_every_problem_is_listed_in_the_order_of_the_parameters():
    @dataclass
    class Config:
        x: complex
        y: complex
        z: int = "a"

    def run(a: int, /, b, c: Config, d: complex, e: int = "b"): ...

    run.__doc__ = "Run.\n\nArgs:\n    a: A.\n    d: D."
    assert undescribed(run) == [
        "run(a): positional-only, but JSON passes arguments by name; drop the '/'",
        "run(b): no annotation; add one",
        f"run(b): {UNDESCRIBED}",
        f"run(c).x: {COMPLEX}",
        f"run(c).y: {COMPLEX}",
        'run(c).z: its default does not fit: expected an integer, got "a"',
        f"run(c): {UNDESCRIBED}",
        f"run(d): {COMPLEX}",
        'run(e): its default does not fit: expected an integer, got "b"',
        f"run(e): {UNDESCRIBED}",
    ]


def test_what_a_profile_forbids_does_not_hide_other_problems():
    def run(a, b, *c: complex, d: complex): ...

    rule = "has no type hint - every tool parameter must be typed"
    assert undescribed(run, profile=profiles.PLATOOLS) == [
        f"run(a): run.a {rule}",
        f"run(a): {UNDESCRIBED}",
        f"run(b): run.b {rule}",
        f"run(b): {UNDESCRIBED}",
        "run(c): no JSON Schema for variadic parameters; name each of them",
        f"run(d): {COMPLEX}",
        f"run(d): {UNDESCRIBED}",
    ]


def test_several_functions_are_one_list():
    def start(name: str) -> None: ...
    def stop(name: str) -> None: ...

    expected = [f"{name}(name): {UNDESCRIBED}" for name in ("start", "stop")]
    assert undescribed(start, deploy, stop) == expected


def test_an_object_that_is_not_a_function_fails():
    assert undescribed(deploy, 3) == ["expected a function, got 3"]


@pytest.mark.parametrize("exclude", ["session", Session, {"session"}, [Session]], ids=repr)
def test_excluded_parameters_need_no_description(exclude):
    def run(session: Session) -> None: ...

    assert undescribed(run) != []
    assert_described(run, exclude=exclude)


def test_injected_parameters_need_no_description():
    def run(ctx: Session) -> None: ...

    assert_described(run, profile=profiles.MILO)
    assert f"run(ctx): {UNDESCRIBED}" in undescribed(run, profile=profiles.MCP)


def test_names_can_be_passed_in_localns():
    def run(session: "Elsewhere") -> None: ...  # noqa: F821

    run.__doc__ = "Run.\n\nArgs:\n    session: S."
    assert undescribed(run)[0].startswith("run(session): no 'Elsewhere' in ")
    assert_described(run, localns={"Elsewhere": int})


def test_outputs_are_checked_on_request():
    def silent(): ...
    def number() -> list[complex]: ...

    assert_described(silent, number)
    assert undescribed(silent, number, output=True) == [
        "silent() -> result: no annotation; annotate what it returns",
        f"number() -> result[]: {COMPLEX}",
    ]


def test_a_default_is_checked_by_the_rules_of_the_profile():
    def run(name: Annotated[str, Description("N.")] = None) -> None: ...  # noqa: RUF013

    assert_described(run, profile=profiles.MILO)  # null means that there is no value
    assert undescribed(run, profile=profiles.MCP) == [
        "run(name): its default does not fit: expected a string, got null"
    ]


def test_fallbacks_of_a_profile_or_dialect_are_not_descriptions():
    def run(
        name: Annotated[str, Description("N.")], day: Annotated[str, Pattern("^[a-z]+$")]
    ) -> None: ...

    for profile in (profiles.OPENMCP, profiles.PORTABLE, profiles.GEMINI):
        assert undescribed(run, profile=profile) == [f"run(day): {UNDESCRIBED}"]


def test_keywords_that_a_dialect_lacks_are_listed_everywhere():
    @dataclass
    class Config:
        first: dict[str, int]
        second: complex
        third: dict[str, str]

    def run(config: Annotated[Config, "C."]) -> None: ...

    mapping = (
        "OpenAI's strict mode does not support arbitrary properties; use a dataclass or TypedDict"
    )
    reasons = {"second": COMPLEX, "first": mapping, "third": mapping}
    assert undescribed(run, profile=profiles.OPENAI_STRICT) == [
        f"run(config).{name}: {reason}" for name, reason in reasons.items()
    ]


def test_a_function_without_any_schema_is_one_problem():
    class Broken:
        @classmethod
        def __milo_schema__(cls, walk):
            raise ValueError("no")

    def run(x: Broken) -> None: ...

    (line,) = undescribed(run)
    assert line.startswith("run(x): ")
    assert "ValueError('no')" in line


def test_asserting_about_no_function_is_an_error():
    with pytest.raises(TypeError, match="func"):
        assert_described(*[])


def test_an_assertion_of_descriptions_does_not_warn():
    def run(x: complex) -> None: ...

    with warnings.catch_warnings(action="error"):
        assert len(undescribed(run)) == 2


# -- assert_schema -----------------------------------------------------------------------------


def test_the_same_schema_passes():
    assert_schema(deploy, DEPLOY, profile=profiles.MILO)
    assert_schema(deploy, dict(reversed(DEPLOY.items())), profile=profiles.MILO)
    assert_schema(type_to_schema(int), INTEGER)


def test_each_difference_has_its_path():
    expected = obj(
        ["service", "version"],
        service=STRING | {"minLength": 1},
        version=STRING | {"description": "Version or image tag.", "default": "stable"},
        **{"a b": {}},
    )
    assert differences(deploy, expected, profile=profiles.MILO) == [
        "deploy.properties.service.minLength: expected 1, got nothing",
        'deploy.properties.service.description: expected nothing, got "What to deploy."',
        'deploy.properties.version.default: expected "stable", got "latest"',
        'deploy.properties["a b"]: expected {}, got nothing',
        'deploy.required: expected ["service", "version"], got ["service"]',
    ]


@pytest.mark.parametrize(
    ("expected", "actual", "lines"),
    [
        # types matter
        ({"x": True}, {"x": 1}, ["schema.x: expected true, got 1"]),
        ({"x": 1}, {"x": True}, ["schema.x: expected 1, got true"]),
        ({"x": 1}, {"x": 1.0}, ["schema.x: expected 1, got 1.0"]),
        ({"x": 0}, {"x": False}, ["schema.x: expected 0, got false"]),
        ({"x": None}, {"x": ""}, ['schema.x: expected null, got ""']),
        ({"x": [1, True]}, {"x": [1, 1]}, ["schema.x: expected [1, true], got [1, 1]"]),
        ({"x": ["é"]}, {"x": ["e"]}, ['schema.x: expected ["é"], got ["e"]']),
        ({"x": ("a",)}, {"x": ["a"]}, ['schema.x: expected tuple ["a"], got list ["a"]']),
        ({"x": OrderedDict(a=1)}, {"x": {"a": 1}},
         ['schema.x: expected OrderedDict {"a": 1}, got dict {"a": 1}']),
        ({"x": {1}}, {"x": [1]}, ["schema.x: expected {1}, got [1]"]),
        ({"x": Text("a")}, {"x": "a"}, ['schema.x: expected Text "a", got str "a"']),
        ({"x": []}, {"x": [{}]}, ["schema.x: expected [], got [{}]"]),
        ({"x": [{}]}, {"x": None}, ["schema.x: expected [{}], got null"]),
        ({"x": [[1], [2]]}, {"x": [[1], [3]]}, ["schema.x[1]: expected [2], got [3]"]),
        # long texts are shown around their difference
        ({"x": "x" * 150}, {"x": "y"}, [f'schema.x: expected "{"x" * 150}", got "y"']),
        ({"x": "a" * 900}, {"x": "b" + "a" * 900},
         [f'schema.x: expected "{"a" * 199} ..., got "b{"a" * 198} ...']),
        ({"x": "a" * 900 + "b" * 900}, {"x": "a" * 900 + "c"},
         [f'schema.x: expected ... {"a" * 30}{"b" * 170} ..., got ... {"a" * 30}c"']),
        # each part has its path, whatever its key is
        ({1: 2, None: 3, "a": 1}, {"a": 1},
         ["schema[1]: expected 2, got nothing", "schema[None]: expected 3, got nothing"]),
        ({"anyOf": [INTEGER, {"type": "string"}, {"type": "null"}]}, type_to_schema(float | None),
         ['schema.anyOf[0].type: expected "integer", got "number"',
          'schema.anyOf[1].type: expected "string", got "null"',
          'schema.anyOf[2]: expected {"type": "null"}, got nothing']),
        ({"type": "null"}, return_to_schema(print),
         ['schema: expected {"type": "null"}, got null']),
    ],
    ids=lambda each: repr(each)[:40],
)  # fmt: skip
def test_each_difference_is_a_line_with_its_path(expected, actual, lines):
    assert differences(actual, expected) == lines


def test_outputs_can_be_compared():
    def ping() -> None: ...

    assert_schema(deploy, map_of(STRING), output=True)
    assert_schema(ping, None, output=True)
    assert differences(deploy, {"type": "array"}, output=True) == [
        'deploy().type: expected "array", got "object"',
        'deploy().additionalProperties: expected nothing, got {"type": "string"}',
    ]


def test_the_options_are_those_of_the_derivation():
    def run(session: Session, x: "Elsewhere") -> "Elsewhere": ...  # noqa: F821

    options: Any = {"strict": True, "localns": {"Elsewhere": int}}
    closed = record(x=INTEGER) | {"additionalProperties": False}
    assert_schema(run, closed, exclude=[Session], profile=profiles.MCP, **options)
    boxed = record(result=INTEGER)
    assert_schema(run, boxed, profile=profiles.MCP_2025, output=True, **options)


def test_a_function_without_a_schema_is_a_schema_error():
    def run(x: complex): ...

    with pytest.raises(SchemaError, match=r"run\(x\): no JSON Schema for complex"):
        assert_schema(run, {}, strict=True)


# -- how a failure looks -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("assertion", "more"),
    [(assert_described, ()), (assert_schema, ({},)), (assert_unchanged, ("no.json",))],
)
def test_the_last_line_that_pytest_shows_is_that_of_the_test(assertion, more):
    def run(x: int): ...

    with pytest.raises(AssertionError) as caught:
        assertion(run, *more)
    assert [each.path for each in caught.traceback.filter(caught)] == [Path(__file__)]


SUITE = textwrap.dedent(
    """
    import unittest

    from milo_schema.testing import assert_described, assert_schema

    def greet(name: str): ...

    class Test(unittest.TestCase):
        def test_described(self):
            assert_described(greet)

        def test_schema(self):
            assert_schema(greet, {"type": "object"})
    """
)


@pytest.mark.parametrize("runner", [["unittest"], ["pytest", "-p", "no:cacheprovider"]], ids=str)
@pytest.mark.slow
def test_the_traceback_ends_in_the_test(tmp_path, runner):
    (tmp_path / "test_suite.py").write_text(SUITE, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", *runner, "test_suite.py"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    said = done.stdout + done.stderr

    assert done.returncode == 1
    assert f"greet(name): {UNDESCRIBED}" in said
    assert "greet.required: expected nothing, got" in said
    assert "testing.py" not in said


@pytest.mark.parametrize("framework", ["pytest", "unittest", "_pytest"])
def test_no_framework_is_imported(framework):
    code = f"import milo_schema.testing, sys; sys.exit({framework!r} in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_an_excluded_name_must_be_a_parameter_of_one_function():
    class Keys(TypedDict):
        token: str

    def start(secret: int) -> None: ...
    def stop(secret: int, **keys: Unpack[Keys]) -> None: ...
    def end(name: Annotated[str, Description("Whose.")]) -> None: ...

    assert_described(start, exclude="secret")
    assert_described(start, stop, end, exclude=["secret", "token"])
    reason = "exclude names 'secert', which is not a parameter; did you mean secret?"
    expected = [f"start: {reason}", f"start(secret): {UNDESCRIBED}"]
    assert undescribed(start, exclude=["secert"]) == expected


# -- tools -------------------------------------------------------------------------------------


def test_tools_are_asserted_about_like_functions():
    def ship(order: int, note: complex): ...  # type: ignore[no-untyped-def]

    tools = Toolbox([tool_schema(deploy, profile=profiles.MCP)])
    assert_described(tools, *tools.values())
    with pytest.warns(SchemaWarning):
        tool = tool_schema(ship)
    stored = ToolSchema.from_mcp(tool.to_mcp())
    missing = [f"ship({name}): {UNDESCRIBED}" for name in ("order", "note")]
    assert undescribed(tool) == [f"ship(note): {COMPLEX}", *missing]
    foreign = [f"ship({name}): no description; say what to pass" for name in ("order", "note")]
    assert undescribed(stored) == foreign
    any_value = "ship(note): accepts any value; add its type [any-parameter]"
    assert undescribed(stored, select=["any-parameter"]) == [any_value]
    no_output = "ship: no output schema; annotate what it returns, or pass output_schema="
    assert undescribed(tool, output=True)[1] == no_output
    for each in (tools["deploy"], ToolSchema.from_mcp(tools["deploy"].to_mcp())):
        assert_schema(each, function_to_schema(deploy, profile=profiles.MCP))
        assert_schema(each, return_to_schema(deploy, profile=profiles.MCP), output=True)
        assert differences(each, {}, output=True)[0].startswith("deploy().type: ")
