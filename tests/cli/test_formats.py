"""The whole output of `check` and `diff` in each format."""

import json

import pytest

from milo_schema import __version__
from milo_schema.errors import CODES
from tests.inside import explanation_of

TOOLS = """
    def search(limit: int = "ten%") -> None:
        '''Search.

        Args:
            limit: How many.
        '''
    def stop() -> None: ...
    def fine() -> None:
        '''Do it.'''
"""
MISFIT = 'its default does not fit: expected an integer, got "ten%"'
UNDESCRIBED = "no description; write a docstring, or pass description="


@pytest.fixture
def report(run, write):
    """The output of a check in a format."""
    write("my app/tools.py", TOOLS)

    def call(name, *options):
        status, out, err = run("check", "my app", "--format", name, *options)
        assert (1, "") == (status, err)
        return out

    return call


def test_github_gets_workflow_commands(report):
    assert report("github") == (
        "::error title=default-misfit,file=my app/tools.py,line=2"
        '::tools.search(limit): its default does not fit: expected an integer, got "ten%25"\n'
        "::error title=undescribed-tool,file=my app/tools.py,line=8"
        f"::tools.stop: {UNDESCRIBED}\n"
    )


def test_a_set_of_tools_has_no_file(run, write):
    marked = """
from typing import Annotated
from milo_schema import Schema
def find(word: Annotated[str, Schema({"x-user-providable": True})]) -> None: ...
def refund(order: str) -> None: ...
"""
    write("tools.py", marked)
    options = ("check", "tools", "--together", "--select", "unreachable-parameter", "--format")

    assert run(*options, "github")[1] == (
        "::error title=unreachable-parameter::refund(order): no other tool returns it and it is "
        'not marked "x-user-providable"\n'
    )
    (found,) = json.loads(run(*options, "sarif")[1])["runs"][0]["results"]
    assert found["locations"] == [{"logicalLocations": [{"fullyQualifiedName": ""}]}]


def result(code, target, text, line, *, level="warning", uri="my%20app/tools.py"):
    place = {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}
    where = {"logicalLocations": [{"fullyQualifiedName": target}], "physicalLocation": place}
    return {"ruleId": code, "level": level, "message": {"text": text}, "locations": [where]}


def rule(code):
    text = explanation_of(code)
    help_ = {"text": text, "markdown": text}
    return {"id": code, "shortDescription": {"text": CODES[code]}, "help": help_}


def test_sarif_has_rules_and_results(report):
    rules = [rule("default-misfit"), rule("undescribed-tool")]
    driver = {"name": "milo-schema", "version": __version__, "rules": rules}
    results = [
        result("default-misfit", "tools:search", f"tools.search(limit): {MISFIT}", 2),
        result("undescribed-tool", "tools:stop", f"tools.stop: {UNDESCRIBED}", 8),
    ]
    assert json.loads(report("sarif")) == {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def test_sarif_points_to_the_first_line_of_a_list_of_tools(run, write):
    write("tools.json", '[{"name": "stop", "inputSchema": {"type": "object"}}]')
    options = ("check", "tools.json", "--select", "undescribed-tool", "--format", "sarif")
    (found,) = json.loads(run(*options)[1])["runs"][0]["results"]
    text = "stop: no description; say what it does"
    assert found == result("undescribed-tool", "tools.json:stop", text, 1, uri="tools.json")


def test_quiet_leaves_the_summary_out(report, run, write):
    out = f"tools.stop  my app/tools.py:8\n  undescribed-tool  {UNDESCRIBED}\n\n"
    assert report("text", "--quiet", "--select", "undescribed-tool") == out
    write("loud.py", "print('hello')\ndef f(x: int) -> None: ...")
    assert (0, "", "") == run("snapshot", "schemas.json", "loud", "--quiet")
    assert (0, "", "") == run("diff", "schemas.json", "loud", "--quiet")


@pytest.mark.parametrize(
    "source",
    [
        "def other(a): ...\n\n\ndef f(x): ...  # milo-schema: ignore",
        "def f(x:  # milo-schema: ignore",
        "\0  # milo-schema: ignore",
        f"{'-' * 5000}1  # milo-schema: ignore",
        "\n\n\xff  # milo-schema: ignore",
        "# coding: unknown  # milo-schema: ignore",
        None,
    ],
)
def test_without_the_source_that_was_imported_the_line_is_that_of_the_function(run, folder, source):
    file = "__import__('pathlib').Path(__file__)"
    body = f"{file}.unlink()" if source is None else f"{file}.write_text({source!r}, 'latin-1')"
    (folder / "tools.py").write_text(f"# 1\n# 2\ndef f(x): ...\n{body}")

    out = "::error title=no-annotation,file=tools.py,line=3::f(x): no annotation; add one\n"
    options = ("--format", "github", "--select", "no-annotation")
    assert run("check", "tools.py", *options) == (1, out, "")


@pytest.mark.parametrize("target", ["math:sqrt", "sys:getsizeof"])
def test_what_python_has_no_source_of_has_no_line(run, target):
    status, out, err = run("check", target, "--format", "github")

    assert (1, "") == (status, err)
    assert "::error title=" in out
    assert "line=" not in out


def test_the_tools_of_a_server_have_a_file_only(run, write):
    write("tools.json", '{"tools": [{"name": "f", "inputSchema": {"type": "object"}}]}')

    reason = "no description; say what it does"
    out = f"::error title=undescribed-tool,file=tools.json::f: {reason}\n"
    options = ("--format", "github", "--select", "undescribed-tool")
    assert run("check", "tools.json", *options) == (1, out, "")


def test_a_diff_is_annotated_for_github(run, write):
    write("old/tools.py", "def f(a: int = 1, b: int = 1): ...\ndef g(): ...")
    write("new/tools.py", "def f(a: int = 2): ...")
    run("snapshot", "schemas.json", "old/tools.py")

    expected = (
        "::notice title=compatible,file=new/tools.py,line=1::f.a: default 1 -> 2 (compatible)\n"
        "::error title=breaking,file=new/tools.py,line=1::f.b: removed (breaking): "
        '{"b": 0} worked before\n'
        "::error title=breaking::g: removed (breaking)\n"
    )
    assert (1, expected, "") == run("diff", "schemas.json", "new/tools.py", "--format", "github")


def test_a_diff_has_its_witnesses_for_programs(run, write):
    write("old/tools.py", "def f(a: int | None): ...\ndef g() -> int: ...")
    write("new/tools.py", "def f(a: int, b: int = 1): ...\ndef g() -> int | None: ...")
    run("snapshot", "schemas.json", "old/tools.py")

    status, out, err = run("diff", "schemas.json", "new/tools.py", "--format", "json")

    taken, given = "type integer | null -> integer", "type integer -> integer | null"
    breaking = {"effect": "breaking"}
    assert (status, err) == (1, "")
    assert json.loads(out) == [
        {"path": "f.a", "message": taken, **breaking, "witness": {"a": None}},
        {"path": "f.b", "message": "added, optional", "effect": "compatible"},
        {"path": "g() -> result", "message": given, **breaking, "witness": None},
    ]


def test_a_diff_is_a_log_of_sarif(run, write):
    write("old/tools.py", "def f(a: int | None, b: str = ''): ...\ndef g(x: int): ...")
    write("new/tools.py", "def f(a: int, b: str = 'x'): ...")
    run("snapshot", "schemas.json", "old/tools.py")

    status, out, err = run("diff", "schemas.json", "new/tools.py", "--format", "sarif")

    assert (status, err) == (1, "")
    (found,) = json.loads(out)["runs"]
    assert [each["id"] for each in found["tool"]["driver"]["rules"]] == ["breaking", "compatible"]
    text = 'f.a: type integer | null -> integer (breaking): {"a": null} worked before'
    texts = [text, 'f.b: default "" -> "x" (compatible)', "g: removed (breaking)"]
    assert [each["message"]["text"] for each in found["results"]] == texts
    first, second, third = found["results"]
    assert [each["level"] for each in found["results"]] == ["error", "note", "error"]
    assert first == result("breaking", "f.a", text, 1, level="error", uri="new/tools.py")
    assert "physicalLocation" in second["locations"][0]
    assert third["locations"] == [{"logicalLocations": [{"fullyQualifiedName": "g"}]}]


def test_a_log_of_sarif_explains_each_effect(run, write):
    header = "from typing import Annotated\nfrom milo_schema import Pattern\n"
    source = header + "def f(a: {}, b: Annotated[str, Pattern('{}')], c: str = ''): '{}'"
    write("old/tools.py", source.format("str", "^a+$", "Old."))
    write("new/tools.py", source.format("int", "^(a|b)+$", "New.").replace("''", "'x'"))
    run("snapshot", "schemas.json", "old/tools.py")

    _, out, _ = run("diff", "schemas.json", "new/tools.py", "--format", "sarif")

    rules = json.loads(out)["runs"][0]["tool"]["driver"]["rules"]
    assert {each["id"]: each["shortDescription"]["text"] for each in rules} == {
        "breaking": "a call or a result that was valid is not valid any more",
        "may break": "it cannot be decided whether the change breaks a call or a result",
        "compatible": "each call and each result stays valid",
        "reworded": "only text for people and models changed",
    }


def test_a_witness_cannot_be_a_command(run, write):
    source = "from typing import Literal\ndef f(a: Literal[{}'b']): ..."
    write("old/tools.py", source.format("'::error::x\\x1b[1m', "))
    write("new/tools.py", source.format(""))
    run("snapshot", "schemas.json", "old/tools.py")

    for name in ("text", "github", "json", "sarif"):
        _, out, _ = run("diff", "schemas.json", "new/tools.py", "--format", name)
        assert "\x1b" not in out
        assert not any(line.startswith("::error::x") for line in out.splitlines())
        assert "error::x" in out.replace("\\x3a", ":").replace("%3A", ":")


def test_colors_are_forced_by_the_environment(run, write, monkeypatch):
    write("tools.py", "def stop() -> None: ...")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")

    colored = (
        "\x1b[1mstop\x1b[0m  \x1b[2mtools.py:1\x1b[0m\n"
        f"  \x1b[33mundescribed-tool\x1b[0m  {UNDESCRIBED}\n\n"
    )
    assert (1, colored, "") == run("check", "tools", "--quiet")
    monkeypatch.setenv("NO_COLOR", "1")
    plain = f"stop  tools.py:1\n  undescribed-tool  {UNDESCRIBED}\n\n"
    assert (1, plain, "") == run("check", "tools", "--quiet")
