"""The whole output of `check` and `diff` in each format."""

import json
import sys

import pytest

from milo_schema import __version__
from milo_schema.checks import CODES
from milo_schema.cli import terminal
from milo_schema.cli.codes import explanation_of
from milo_schema.cli.findings import CHECK_FORMATS, Report, Row, Sources
from milo_schema.cli.terminal import Console

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
        "::error title=default-misfit,file=my app/tools.py,line=2,col=25,endColumn=30"
        '::tools.search(limit): its default does not fit: expected an integer, got "ten%25"\n'
        "::error title=undescribed-tool,file=my app/tools.py,line=8,col=5,endColumn=8"
        f"::tools.stop: {UNDESCRIBED}\n"
    )


def test_a_set_of_tools_has_no_file(run, write):
    write("tools.py", "def refund(order: str) -> None: ...")

    _, out, _ = run(
        *("check", "tools", "--together", "--profile", "platools"),
        *("--select", "unreachable-parameter"),
        "--format",
        "github",
    )

    assert out == (
        "::error title=unreachable-parameter::refund(order): no other tool returns it and it is "
        'not marked "x-user-providable"\n'
    )


def result(code, target, text, line, start, end):
    uri = "my%20app/tools.py"
    return {
        "ruleId": code,
        "level": "warning",
        "message": {"text": text},
        "locations": [
            {
                "logicalLocations": [{"fullyQualifiedName": target}],
                "physicalLocation": {
                    "artifactLocation": {"uri": uri},
                    "region": {"startLine": line, "startColumn": start, "endColumn": end},
                },
            }
        ],
    }


def test_sarif_has_rules_and_results(report):
    rules = [
        {
            "id": code,
            "shortDescription": {"text": CODES[code]},
            "help": {"text": explanation_of(code), "markdown": explanation_of(code)},
        }
        for code in ("default-misfit", "undescribed-tool")
    ]
    assert json.loads(report("sarif")) == {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "milo-schema", "version": __version__, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": [
                    result(
                        "default-misfit",
                        "tools:search",
                        f"tools.search(limit): {MISFIT}",
                        *(2, 25, 31),
                    ),
                    result(
                        "undescribed-tool", "tools:stop", f"tools.stop: {UNDESCRIBED}", *(8, 5, 9)
                    ),
                ],
            }
        ],
    }


def test_sarif_of_a_set_of_tools_has_no_file(run, write):
    write("tools.py", "def refund(order: str) -> None: ...")

    _, out, _ = run(
        *("check", "tools", "--together", "--profile", "platools"),
        *("--select", "unreachable-parameter"),
        "--format",
        "sarif",
    )

    (found,) = json.loads(out)["runs"][0]["results"]
    assert found["locations"] == [{"logicalLocations": [{"fullyQualifiedName": ""}]}]


def test_junit_has_a_test_for_each_function(report):
    assert (
        report("junit")
        == f"""\
<testsuites tests="3" failures="2">
  <testsuite name="milo-schema check" tests="3" failures="2">
    <testcase classname="tools" name="tools.search">
      <failure message="default-misfit">my app/tools.py:2: tools.search(limit): {MISFIT} \
[default-misfit]</failure>
    </testcase>
    <testcase classname="tools" name="tools.stop">
      <failure message="undescribed-tool">my app/tools.py:8: tools.stop: {UNDESCRIBED} \
[undescribed-tool]</failure>
    </testcase>
    <testcase classname="tools" name="tools.fine" />
  </testsuite>
</testsuites>
"""
    )


def test_junit_escapes_messages_and_has_a_test_for_a_set_of_tools(capsys):
    row = Row("", "", None, None, "f", "duplicate-tool", "a<b")

    CHECK_FORMATS["junit"](
        Report([row, row._replace(code="refused-name")], {}, Sources()), Console()
    )

    assert (
        capsys.readouterr().out
        == """\
<testsuites tests="1" failures="1">
  <testsuite name="milo-schema check" tests="1" failures="1">
    <testcase classname="together" name="together">
      <failure message="duplicate-tool, refused-name">f: a&lt;b [duplicate-tool]
f: a&lt;b [refused-name]</failure>
    </testcase>
  </testsuite>
</testsuites>
"""
    )


def test_statistics_count_each_code(report, run):
    expected = (
        f"       1 default-misfit    {CODES['default-misfit']}\n"
        f"       1 undescribed-tool  {CODES['undescribed-tool']}\n"
    )
    assert report("text", "--statistics") == report("statistics") == expected
    assert run(
        "check", "my app", "--statistics", "--ignore", "default-misfit,undescribed-tool"
    ) == (
        0,
        "",
        "",
    )


def test_quiet_leaves_the_summary_out(report, run, write):
    assert report("text", "--quiet", "--select", "undescribed-tool") == (
        f"tools.stop  my app/tools.py:8\n  undescribed-tool  {UNDESCRIBED}\n\n"
    )
    write("loud.py", "print('hello')\ndef f(x: int) -> None: ...")
    assert (0, "", "") == run("snapshot", "schemas.json", "loud", "--quiet")
    assert (0, "", "") == run("diff", "schemas.json", "loud", "--quiet")


def test_a_diff_is_annotated_for_github(run, write):
    write("old/tools.py", "def f(a: int = 1, b: int = 1): ...\ndef g(): ...")
    write("new/tools.py", "def f(a: int = 2): ...")
    run("snapshot", "schemas.json", "old/tools.py")

    expected = (
        "::notice title=compatible,file=new/tools.py,line=1::f.a: default 1 -> 2 (compatible)\n"
        "::error title=breaking,file=new/tools.py,line=1::f.b: removed (breaking)\n"
        "::error title=breaking::g: removed (breaking)\n"
    )
    assert (1, expected, "") == run("diff", "schemas.json", "new/tools.py", "--format", "github")


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


# -- show --------------------------------------------------------------------------------------

SHOP = """
    from dataclasses import dataclass
    from typing import Literal
    @dataclass
    class Line:
        '''A line.

        Args:
            item: What | which.
        '''
        item: str
        below: list["Line"]
    def order(lines: list[Line], speed: Literal["slow", "fast"] = "slow") -> dict[str, int]:
        '''Order.

        By mail.

        Args:
            lines: What is ordered,
                line by line.
        '''
    def stop(): ...
"""


def test_a_tree_has_every_property_with_its_type(run, write):
    write("shop.py", SHOP)

    expected = (
        "order  Order.\n"
        "  lines    array of Line, required  What is ordered, line by line.\n"
        "    item   string, required  What | which.\n"
        "    below  array of Line, required\n"
        '  speed    "slow" | "fast" = "slow"\n'
        "  ->       object of integer\n"
        "\n"
        "stop\n"
        "  ->  any value\n"
        "\n"
    )
    assert (0, expected, "") == run("show", "shop:order", "shop:stop", "--format", "tree")


def test_markdown_has_a_table_of_every_property(run, write):
    write("shop.py", SHOP)

    expected = r"""## order

Order.

By mail.

| Parameter | Type | Required | Description |
| --- | --- | --- | --- |
| `lines` | `array of Line` | yes | What is ordered, line by line. |
| `lines[].item` | `string` | yes | What \| which. |
| `lines[].below` | `array of Line` | yes |  |
| `speed` | `"slow" \| "fast"` | no, default `"slow"` |  |

Returns: `object of integer`

## stop

Returns: `any value`

"""
    assert (0, expected, "") == run("show", "shop:order", "shop:stop", "--format", "markdown")


def test_json_on_a_terminal_is_in_color(run, write, monkeypatch):
    write("tools.py", "def f(x: int = 1, y: str = 'a:\\\\\"'): ...")
    monkeypatch.setattr(terminal, "_is_terminal", lambda stream: stream is sys.stdout)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")

    _, out, _ = run("show", "tools:f", "--indent", "0")

    assert out.splitlines()[-6:] == [
        '\x1b[1m"y"\x1b[0m: {',
        '\x1b[1m"type"\x1b[0m: \x1b[32m"string"\x1b[0m,',
        '\x1b[1m"default"\x1b[0m: \x1b[32m"a:\\\\\\""\x1b[0m',
        "}",
        "}",
        "}",
    ]
