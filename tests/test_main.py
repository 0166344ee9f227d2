"""The command line: standard output holds JSON only, an error is one line and status 2."""

import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from milo_schema import __main__ as command_line

ROOT = Path(__file__).parents[1]
DEPLOY = str(ROOT / "docs/examples/deploy.py")

DEPLOY_SCHEMA = {
    "type": "object",
    "properties": {
        "environment": {"type": "string", "minLength": 1, "description": "Target environment"},
        "service": {"type": "string", "minLength": 1, "description": "Service name."},
        "version": {"type": "string", "description": "Version or image tag.", "default": "latest"},
    },
    "required": ["environment", "service"],
}


@pytest.fixture(autouse=True)
def clean_imports(monkeypatch):
    """What a target adds to the import system is gone after the test."""
    monkeypatch.setattr(sys, "path", sys.path.copy())
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.fixture
def run(capsys):
    """Run the command line: exit status, standard output, standard error."""

    def call(*arguments):
        status = command_line.main([*map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture
def target(tmp_path):
    """A file with some source, as a target."""

    def make(source):
        path = tmp_path / "tools.py"
        path.write_text(dedent(source), encoding="utf-8")
        return path

    return make


def test_a_function_in_a_file_is_printed_as_json(run):
    status, out, err = run(f"{DEPLOY}:deploy")

    assert (0, DEPLOY_SCHEMA, "") == (status, json.loads(out), err)


def test_a_function_in_a_module_is_printed_as_json(run):
    status, out, err = run("textwrap:dedent")

    properties = {"text": {"type": "string"}}
    expected = {"type": "object", "properties": properties, "required": ["text"]}
    assert (0, expected, "") == (status, json.loads(out), err)


def test_a_method_is_named_by_its_class(run):
    status, out, err = run("pathlib:PurePath.joinpath")

    assert (0, {"type": "object", "properties": {}}, "") == (status, json.loads(out), err)


def test_output_prints_what_comes_back(run):
    status, out, err = run(f"{DEPLOY}:deploy", "--output")

    expected = {"type": "object", "additionalProperties": {"type": "string"}}
    assert (0, expected, "") == (status, json.loads(out), err)


def test_output_of_a_function_that_returns_nothing_is_null(run, target):
    path = target("def stop() -> None: ...")

    assert (0, "null\n", "") == run(f"{path}:stop", "--output")


def test_profile_and_indent_are_options(run, target):
    path = target("def stop(now: bool | None = None): ...")

    status, out, err = run(f"{path}:stop", "--profile", "mcp", "--indent", "0")

    assert json.loads(out) == {
        "type": "object",
        "properties": {"now": {"anyOf": [{"type": "boolean"}, {"type": "null"}], "default": None}},
        "additionalProperties": False,
    }
    assert (0, "") == (status, err)
    assert "\n " not in out


def test_non_ascii_text_is_printed_as_it_is(run, target):
    path = target("def grüße(name: str = 'Zoë'): ...")

    status, out, _ = run(f"{path}:grüße")

    assert status == 0
    assert '"default": "Zoë"' in out


def test_a_warning_is_one_line_on_standard_error(run, target):
    path = target("def turn(by: complex): ...")

    status, out, err = run(f"{path}:turn")

    expected = {"type": "object", "properties": {"by": {"type": "string"}}, "required": ["by"]}
    assert (0, expected) == (status, json.loads(out))
    assert err.startswith("milo-schema: turn(by): no JSON Schema for complex; ")
    assert err.count("\n") == 1


def test_what_a_target_prints_while_it_is_imported_goes_to_standard_error(run, target):
    path = target("""
        print("hello")
        def stop(): ...
    """)

    status, out, err = run(f"{path}:stop")

    assert (0, {"type": "object", "properties": {}}) == (status, json.loads(out))
    assert err == "hello\n"


def test_annotations_in_strings_find_the_names_of_the_file(run, target):
    path = target("""
        from __future__ import annotations
        from dataclasses import dataclass
        @dataclass
        class Point:
            x: int
        def move(to: Point): ...
    """)

    status, out, err = run(f"{path}:move")

    point = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
    expected = {"type": "object", "properties": {"to": point}, "required": ["to"]}
    assert (0, expected, "") == (status, json.loads(out), err)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["deploy"], "'deploy' is no target; write module:function or file.py:function"),
        ([":deploy"], "':deploy' is no target; write module:function or file.py:function"),
        (["missing.py:f"], "there is no file missing.py"),
        (
            ["no_such_module:f"],
            (
                "importing no_such_module raised ModuleNotFoundError: "
                "No module named 'no_such_module'"
            ),
        ),
        (["textwrap:nothing"], "textwrap has no nothing"),
        (["textwrap:dedent.nothing"], "textwrap has no dedent.nothing"),
        (
            ["textwrap:dedent", "--strict"],
            "dedent(text): no annotation; add one",
        ),
        (
            ["math:pi"],
            "float: an object of class float is not callable; pass a function",
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_an_error_is_one_line_and_status_2(run, arguments, message):
    assert (2, "", f"milo-schema: {message}\n") == run(*arguments)


@pytest.mark.parametrize("statement", ["raise ValueError('a\\nb')", "raise SystemExit('a b')"])
def test_a_target_that_fails_while_it_is_imported_is_one_line(run, target, statement):
    path = target(statement)

    status, out, err = run(f"{path}:f")

    assert (2, "") == (status, out)
    assert err.startswith(f"milo-schema: importing {path} raised ")
    assert err.endswith(": a b\n")
    assert err.count("\n") == 1


def test_the_module_is_a_program():
    done = subprocess.run(
        [sys.executable, "-m", "milo_schema", "docs/examples/deploy.py:deploy"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    )

    assert (DEPLOY_SCHEMA, "") == (json.loads(done.stdout), done.stderr)
