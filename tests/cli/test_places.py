"""The places of findings in a source, for annotations: lines and columns."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def drawn(run, write):
    """The lines with findings, and the places that `--format sarif` has of them underlined."""

    def call(source, *options, target="tools.py"):
        write("tools.py", source)
        _, out, err = run("check", target, "--format", "sarif", *options)
        assert err == ""
        marked: dict[int, set[int]] = {}
        for result in json.loads(out)["runs"][0]["results"]:
            region = result["locations"][0]["physicalLocation"]["region"]
            columns = range(region["startColumn"], region["endColumn"])
            marked.setdefault(region["startLine"], set()).update(columns)
        lines = Path("tools.py").read_text(encoding="utf-8").split("\n")
        return "".join(draw(number, lines[number - 1], marked[number]) for number in sorted(marked))

    return call


def draw(number, line, columns):
    under = "".join(" ^"[column in columns] for column in range(1, max(columns) + 1))
    return f"  {number} | {line}\n  {'':{len(str(number))}} | {under}\n"


def test_a_finding_about_the_docstring_is_underlined_there(drawn):
    source = """
        def track(parcel, depth: int = "all"):
            '''Tell where a parcel is.

            Args:
                parcell: Its number.
            '''
    """
    assert drawn(source) == (
        '  2 | def track(parcel, depth: int = "all"):\n'
        "    |     ^^^^^ ^^^^^^  ^^^^^        ^^^^^\n"
        "  6 |         parcell: Its number.\n"
        "    |         ^^^^^^^\n"
    )


def test_a_parameter_is_underlined_where_its_name_annotation_or_default_is(drawn):
    source = """
        from typing import Any
        def f(a, /, b: int, *c: complex, d: Any = ..., e: int = "1", **g: complex) -> complex:
            '''Do it.

            Args:
                b: The b.
            '''
    """
    assert drawn(source, "--ignore", "undescribed-parameter") == (
        "  3 | def f(a, /, b: int, *c: complex, d: Any = ..., e: int = "
        '"1", **g: complex) -> complex:\n'
        "    |       ^                             ^^^   ^^^           ^^^  "
        "                 ^^^^^^^\n"
    )
    assert drawn(source, "--select", "undescribed-parameter") == (
        "  3 | def f(a, /, b: int, *c: complex, d: Any = ..., e: int = "
        '"1", **g: complex) -> complex:\n'
        "    |       ^                          ^             ^\n"
    )


def test_the_name_is_underlined_if_the_finding_is_about_the_whole_function(drawn):
    source = """
        import functools
        class Shop:
            @staticmethod
            @functools.cache
            async  def  open(): ...
    """
    assert drawn(source, target="tools:Shop.open") == (
        "  6 |     async  def  open(): ...\n    |                 ^^^^\n"
    )


def test_the_fields_of_a_class_and_the_parameters_of_a_constructor_are_underlined(drawn):
    source = """
        from dataclasses import dataclass
        @dataclass
        class Box:
            size: complex
            name: str = 1
            lid = None
        class Base:
            base: int
        @dataclass
        class Derived(Base):
            base: int
        class Shop:
            def __init__(self, town): ...
    """
    assert drawn(source, "tools.py:Box", "tools.py:Derived") == (
        "  4 | class Box:\n"
        "    |       ^^^\n"
        "  5 |     size: complex\n"
        "    |     ^^^^  ^^^^^^^\n"
        "  6 |     name: str = 1\n"
        "    |     ^^^^        ^\n"
        "  8 | class Base:\n"
        "    |       ^^^^\n"
        "  11 | class Derived(Base):\n"
        "     |       ^^^^^^^\n"
        "  12 |     base: int\n"
        "     |     ^^^^\n"
        "  14 |     def __init__(self, town): ...\n"
        "     |         ^^^^^^^^       ^^^^\n"
    )


def test_of_several_lines_the_first_one_is_underlined(drawn):
    source = """
        from typing import Annotated
        from milo_schema import Ge, Le
        def turn(
            by: Annotated[  # degrees
                int,
                Ge(5),
                Le(1),
            ],
        ) -> dict[
            str,
            complex,
        ]:
            '''Turn.'''
    """
    assert drawn(source, "--ignore", "undescribed-parameter") == (
        "  5 |     by: Annotated[  # degrees\n"
        "    |         ^^^^^^^^^^^^^^^^^^^^^\n"
        "  10 | ) -> dict[\n"
        "     |      ^^^^^\n"
    )


def test_columns_are_counted_in_characters(drawn):
    source = (
        "class Shop:\n"
        "\tdef buy(self, 商品,\té, u\u0308, Ｑ='\xa0\u202e') -> None:\n"  # noqa: RUF001
        "\t\t'''Buy.'''\n"
    )
    assert drawn(source, "--select", "no-annotation", target="tools:Shop.buy") == (
        "  2 | \tdef buy(self, 商品,\té, u\u0308, Ｑ='\xa0\u202e') -> None:\n"  # noqa: RUF001
        "    |                ^^  ^  ^^  ^\n"
    )


@pytest.mark.parametrize(
    "source",
    [
        "def other(a): ...\n\n\ndef f(x): ...",
        "def f(x:",
        "\0",
        "# coding: unknown",
        None,
    ],
)
def test_without_the_source_that_was_imported_the_line_is_that_of_the_function(run, folder, source):
    body = "" if source is None else f"__import__('pathlib').Path(__file__).write_text({source!r})"
    if source is None:
        body = "__import__('os').remove(__file__)"
    (folder / "tools.py").write_text(f"# 1\n# 2\ndef f(x): ...\n{body}")

    assert run("check", "tools.py", "--format", "github", "--select", "no-annotation") == (
        1,
        "::error title=no-annotation,file=tools.py,line=3::f(x): no annotation; add one\n",
        "",
    )


@pytest.mark.parametrize("target", ["math:sqrt", "sys:getsizeof"])
def test_what_python_has_no_source_of_has_no_columns(run, target):
    status, out, err = run("check", target, "--format", "github")

    assert (1, "") == (status, err)
    assert "::error title=" in out
    assert "line=" not in out
    _, out, _ = run("check", target, "--format", "sarif")
    assert "startColumn" not in out


def test_the_tools_of_a_server_have_a_file_only(run, write):
    write("tools.json", '{"tools": [{"name": "f", "inputSchema": {"type": "object"}}]}')

    reason = "no description; say what it does"
    out = f"::error title=undescribed-tool,file=tools.json::f: {reason}\n"
    options = ("--format", "github", "--select", "undescribed-tool")
    assert run("check", "tools.json", *options) == (1, out, "")


def test_a_rare_spelling_is_underlined_as_far_as_it_is_known(drawn):
    source = """
        def \\
        f(x): ...
        def g():
            find = 1
        g.__doc__ = "G.\\n\\nArgs:\\n    find: It."
    """
    assert drawn(source, "--select", "undescribed-tool,unknown-parameter") == (
        "  2 | def \\\n    |     ^\n  4 | def g():\n    |     ^\n"
    )
