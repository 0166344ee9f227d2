"""Pictures of places: source lines with what the findings are about underlined, whole."""

import sys

import pytest

from milo_schema.cli import terminal


@pytest.fixture
def drawn(run, write):
    """The picture that `check` draws of a source, without the list of findings below it."""

    def call(source, *options, target="tools.py"):
        write("tools.py", source)
        _, out, err = run("check", target, "--format", "full", *options)
        assert err == ""
        return "".join(line for line in out.splitlines(keepends=True) if " | " in f"{line} ")

    return call


@pytest.fixture
def columns(monkeypatch):
    """Make standard output a terminal of some width, without colors."""

    def call(number):
        monkeypatch.setattr(terminal, "_is_terminal", lambda stream: stream is sys.stdout)
        monkeypatch.setenv("COLUMNS", str(number))
        monkeypatch.setenv("NO_COLOR", "1")

    return call


TRACK = """
    def track(parcel, depth: int = "all"):
        '''Tell where a parcel is.

        Args:
            parcell: Its number.
        '''
"""
FINDINGS = """\
  no-annotation          (parcel): no annotation; add one
  no-output-schema       no output schema; annotate what it returns, or pass output_schema=
  undescribed-parameter  (parcel), (depth): no description; document it in the docstring or with \
Description(...)
  default-misfit         (depth): its default does not fit: 'all' is not an integer
  unknown-parameter      (parcell): documented, but not a parameter; did you mean parcel?

"""
PICTURE = """\
  2 | def track(parcel, depth: int = "all"):
    |     ^^^^^ ^^^^^^  ^^^^^        ^^^^^
  6 |         parcell: Its number.
    |         ^^^^^^^
"""


def test_the_full_format_draws_a_function_once_above_its_findings(run, write):
    write("tools.py", TRACK)

    full = f"track  tools.py:2\n{PICTURE}{FINDINGS}"
    assert (1, full, "") == run("check", "tools.py", "--format", "full", "--quiet")
    concise = f"track  tools.py:2\n{FINDINGS}"
    assert (1, concise, "") == run("check", "tools.py", "--format", "concise", "--quiet")
    assert (1, concise, "") == run("check", "tools.py", "--quiet")


def test_text_has_pictures_on_a_terminal_and_concise_text_has_none(run, write, columns):
    write("tools.py", TRACK)
    columns(200)

    assert (1, f"track  tools.py:2\n{PICTURE}{FINDINGS}", "") == run("check", "tools.py", "--quiet")
    assert (1, f"track  tools.py:2\n{FINDINGS}", "") == run(
        "check", "tools.py", "--quiet", "--format", "concise"
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
    assert drawn(source) == (
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


def test_of_several_lines_the_first_one_is_drawn(drawn):
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
        "   5 |     by: Annotated[  # degrees\n"
        "     |         ^^^^^^^^^^^^^^^^^^^^^\n"
        "  10 | ) -> dict[\n"
        "     |      ^^^^^\n"
    )


def test_tabs_wide_letters_and_accents_keep_their_columns(drawn):
    source = (
        "class Shop:\n"
        "\tdef buy(self, 商品,\té, u\u0308, Ｑ='\xa0\u202e') -> None:\n"  # noqa: RUF001
        "\t\t'''Buy.'''\n"
    )
    assert drawn(source, "--select", "no-annotation", target="tools:Shop.buy") == (
        "  2 |     def buy(self, 商品, é, u\u0308, Ｑ='\\xa0\\u202e') -> None:\n"  # noqa: RUF001
        "    |                   ^^^^  ^  ^  ^^\n"
    )


def test_a_long_line_is_cut_around_what_is_underlined(drawn, columns):
    names = ", ".join(f"name_{number:02}: str = 'x'" for number in range(9))
    source = f"def order(first, {names}, 商品商品商品=1, second=1) -> None:\n    '''Order.'''\n"
    options = ("--select", "no-annotation")

    columns(50)
    assert drawn(source, *options) == (
        "  1 | def order(first, name_00: str = 'x', name...\n"
        "    |           ^^^^^\n"
        "  1 | ... = 'x', 商品商品商品=1, second=1) -> N...\n"
        "    |            ^^^^^^^^^^^^    ^^^^^^\n"
    )
    columns(10)  # too narrow to be of use: a little is drawn nevertheless
    assert drawn(source, *options) == (
        "  1 | def order(first, name...\n"
        "    |           ^^^^^\n"
        "  1 | ...', 商品商品商品=1,...\n"
        "    |       ^^^^^^^^^^^^\n"
        "  1 | ...1, second=1) -> None:\n"
        "    |       ^^^^^^\n"
    )


def test_letters_that_the_output_lacks_are_escaped_and_underlined_whole(drawn, monkeypatch):
    monkeypatch.setattr(terminal.Console, "encoding", "ascii")
    source = "def buy(größe, *, x):\n    'Buy.'"

    assert drawn(source, "--select", "no-annotation") == (
        "  1 | def buy(gr\\xf6\\xdfe, *, x):\n    |         ^^^^^^^^^^^     ^\n"
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
def test_without_the_source_that_was_imported_nothing_is_drawn(run, folder, source):
    body = "" if source is None else f"__import__('pathlib').Path(__file__).write_text({source!r})"
    if source is None:
        body = "__import__('os').remove(__file__)"
    (folder / "tools.py").write_text(f"# 1\n# 2\ndef f(x): ...\n{body}")

    assert run("check", "tools.py", "--format", "full", "--quiet", "--select", "no-annotation") == (
        1,
        "f  tools.py:3\n  no-annotation  (x): no annotation; add one\n\n",
        "",
    )


def test_what_python_has_no_source_of_is_not_drawn(run, write):
    write("tools.json", '{"tools": [{"name": "f", "inputSchema": {"type": "object"}}]}')

    told = "  undescribed-tool  no description; write a docstring, or pass description=\n\n"
    options = ("--format", "full", "--quiet", "--select", "undescribed-tool")
    assert run("check", "tools.json", *options) == (1, f"f  tools.json\n{told}", "")
    status, out, err = run("check", "math:sqrt", *options[:3], "--select", "no-annotation")
    assert (1, "") == (status, err)
    assert " | " not in out


def test_an_unusual_spelling_is_underlined_as_far_as_it_is_known(drawn):
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


def test_a_wide_letter_is_not_cut_in_two(drawn, columns):
    source = f"def order(first, {'商' * 30}, second) -> None:\n    '''Order.'''\n"
    options = ("--select", "no-annotation", "--exclude-parameter", "商" * 30)

    columns(40)
    assert drawn(source, *options) == (
        "  1 | def order(first, 商商商商商商商...\n"
        "    |           ^^^^^\n"
        "  1 | ... 商, second) -> None:\n"
        "    |         ^^^^^^\n"
    )
    columns(41)
    assert drawn(source, *options) == (
        "  1 | def order(first, 商商商商商商商 ...\n"
        "    |           ^^^^^\n"
        "  1 | ... 商, second) -> None:\n"
        "    |         ^^^^^^\n"
    )


def test_what_has_no_file_is_not_drawn(run):
    status, out, err = run("check", "sys:getsizeof", "--format", "full", "--quiet")

    assert (1, "", "getsizeof") == (status, err, out.partition("\n")[0])
    assert " | " not in out
