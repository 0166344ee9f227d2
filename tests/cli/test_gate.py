"""`check` and `diff` as the gate of a real package: the selection of functions and of findings."""

import json
import sys
import zipfile
from pathlib import Path

import pytest

import milo_schema
from tests.every import every
from tests.fragments import INTEGER, NULL, any_of
from tests.inside import CommandError, diff

SEARCH = "def search(query: str) -> list[str]: ...\n"
FOUND = ["undescribed-tool", "undescribed-parameter"]


def rows_of(run, *arguments):
    _, out, _ = run("check", *arguments, "--format", "json")
    return [(row["target"], row["code"]) for row in json.loads(out)]


def targets_of(run, *arguments):
    return list(dict.fromkeys(target for target, _ in rows_of(run, *arguments)))


# -- targets -----------------------------------------------------------------------------------


@pytest.fixture
def tree(write):
    """A project as people lay them out: a package in src, a script, tests, a broken module."""
    write("src/app/__init__.py")
    write("src/app/tools.py", f"from app.names import NAME\n{SEARCH}")
    write("src/app/names.py", "NAME = 1")
    write("src/app/broken.py", "import not_there")
    write("script.py", "def run(x): ...")
    write("flat/helper.py", SEARCH)
    for name in ("setup.py", "tests/test_x.py", "test_y.py", "_z.py", ".venv/a.py", "env/b.py"):
        write(name, "def hidden(x): ...")
    write("env/pyvenv.cfg")


BROKEN = (
    "milo-schema: importing app.broken raised ModuleNotFoundError: No module named 'not_there' "
    "(src/app/broken.py:1)\n"
)


def test_a_folder_is_searched_for_packages_and_modules(run, tree):
    assert ["helper:search", "script:run", "app.tools:search"] == targets_of(run, ".")
    assert ["app.tools:search"] == targets_of(run, "src")
    assert ["helper:search"] == targets_of(run, "flat")


def test_a_module_that_fails_to_import_is_skipped_and_gives_status_3(run, tree):
    options = ["--ignore", ",".join(FOUND)]
    assert (3, "1 function: no findings\n", BROKEN) == run("check", "src", *options)
    options.append("--allow-import-errors")
    assert (0, "1 function: no findings\n", BROKEN) == run("check", "src", *options)
    assert (3, "", BROKEN) == run("check", "app.broken")


@pytest.mark.parametrize("pattern", ["app.broken", "src/app/broken.py", "*broken*", "x,app.br*"])
def test_excluded_modules_are_not_imported(run, tree, pattern):
    options = ["--ignore", ",".join(FOUND), "--exclude", pattern]
    assert (0, "1 function: no findings\n", "") == run("check", "src", *options)


@pytest.mark.parametrize("pattern", ["app.tools", "app", "src/", "app.tools:search", "*:sea*"])
def test_functions_are_excluded_by_their_target_module_package_or_folder(run, tree, pattern):
    found = targets_of(run, "script.py", "flat", "src", "--exclude", pattern)
    assert {*found, "helper:search"} == {"script:run", "helper:search"}


def test_a_named_target_is_never_excluded(run, tree):
    assert ["script:run"] == targets_of(run, "script:run", "--exclude", "script")


@pytest.mark.parametrize("target", ["empty", "empty.py"])
def test_a_check_of_nothing_gives_status_5(run, write, folder, target):
    (folder / "empty").mkdir()
    write("empty.py", "x = 1")

    told = f"milo-schema: found no tools in {target}\n"
    assert (5, "", told) == run("check", target)
    assert (5, "[]\n", told) == run("check", target, "--format", "json")
    assert (5, "", told) == run("show", target)
    not_written = "milo-schema: schemas.json is not written\n"
    assert (5, "", told + not_written) == run("snapshot", "schemas.json", target)
    assert not (folder / "schemas.json").exists()
    assert (5, "", told) == run("snapshot", "-", target)
    write("tools.json", '{"tools": []}')
    assert (5, "no changes\n", told) == run("diff", "tools.json", target)
    assert (5, "", "") == run("check", target, "--quiet")


def test_an_installed_package_takes_precedence_over_a_folder_of_its_name(run, folder):
    (folder / "textwrap").mkdir()

    assert "textwrap:dedent" in targets_of(run, "textwrap")


# -- profiles and parameters -------------------------------------------------------------------


def test_parameters_are_left_out_by_name(run, write):
    write("tools.py", "def stop(session, when: str, ctx) -> None:\n    'Stop.'")

    undescribed, untyped = ("tools:stop", "undescribed-parameter"), ("tools:stop", "no-annotation")
    words = ("tools", "--profile", "MILO")  # which injects ctx
    assert [untyped, undescribed, undescribed] == rows_of(run, *words)
    assert [undescribed] == rows_of(run, *words, "--exclude-parameter", "session")


def test_a_misspelled_parameter_to_leave_out_is_reported(run, write):
    write("tools.py", "def stop(session: str, when: str) -> None: ...\ncount = int.from_bytes\n")

    told = "milo-schema: no function has a parameter sesion; did you mean session?\n"
    options = ("--exclude-parameter", "sesion,other", "--select", "fallback")
    assert (0, "1 function: no findings\n", told) == run("check", "tools:stop", *options)
    status, out, err = run("check", "tools", "tools:count", "math", *options)
    assert (0, "") == (status, err.replace(told, "", 1))
    assert out.endswith(" functions: no findings\n")


# -- ignored findings --------------------------------------------------------------------------

COMMENTED = """
    import functools
    from dataclasses import dataclass

    @functools.lru_cache  # milo-schema: ignore[undescribed-tool]
    def one(x: int) -> int: ...

    def two(
        x: int,  # milo-schema: ignore[undescribed-tool, no-annotation]
        y: complex,
    ) -> int:  # milo-schema: ignore[undescribed-parameter]
        ...

    def three(x: int) -> int: ...  # milo-schema: ignore

    def four(x: int) -> int:
        return x  # milo-schema: ignore

    @dataclass
    class Box:  # milo-schema: ignore[undescribed-tool,undescribed-parameter]
        size: int

        def open(self) -> int: ...  # milo-schema:ignore[undescribed-tools]

    def make():
        class Inner:
            def run(self) -> int: ...  # milo-schema: ignore[undescribed-tool]

        return Inner().run

    run = make()
    __all__ = ["one", "two", "three", "four", "Box", "run"]
"""


def test_a_comment_on_the_first_lines_of_a_function_ignores_codes(run, write):
    write("tools.py", COMMENTED)

    status, out, err = run("check", "tools", "--format", "json")

    assert [(row["function"], row["code"]) for row in json.loads(out)] == [
        ("one", "undescribed-parameter"),
        ("two", "fallback"),
        ("four", "undescribed-tool"),
        ("four", "undescribed-parameter"),
        ("Box.open", "undescribed-tool"),
    ]
    told = "tools.py:23: unknown code undescribed-tools; did you mean undescribed-tool?"
    assert (1, f"milo-schema: {told}\n") == (status, err)


def test_functions_without_a_file_have_no_comments(run):
    assert ("math:sqrt", "undescribed-parameter") in rows_of(run, "math:sqrt")


def test_comments_are_found_in_any_encoding_and_after_a_form_feed(run, folder):
    source = "# coding: latin-1\n\x0c\ndef größe() -> None: ...  # milo-schema: ignore\n"
    (folder / "tools.py").write_bytes(source.encode("latin-1"))

    assert (0, "1 function: no findings\n", "") == run("check", "tools.py")


def test_a_comment_counts_for_the_class_and_for_its_constructor(run, write):
    write(
        "tools.py",
        """
        class One:  # milo-schema: ignore
            def __init__(self, x): ...
        class Two:
            def __init__(self, x): ...  # milo-schema: ignore
            class Three: ...  # milo-schema: ignore
        """,
    )

    assert (0, "2 functions: no findings\n", "") == run("check", "tools.py")
    assert (0, "1 function: no findings\n", "") == run("check", "tools.py:Two.Three")


def test_a_module_in_an_archive_has_no_comments(run, folder, monkeypatch):
    with zipfile.ZipFile(folder / "lib.zip", "w") as archive:
        archive.writestr("zipped.py", "def f() -> None: ...  # milo-schema: ignore")
    monkeypatch.syspath_prepend(str(folder / "lib.zip"))

    assert [("zipped:f", "undescribed-tool")] == rows_of(run, "zipped")


# -- the baseline ------------------------------------------------------------------------------


def test_a_baseline_lists_findings_and_ignores_them(run, write, folder):
    write("tools.py", SEARCH)

    told = "milo-schema: wrote 2 findings to milo-schema-baseline.json\n"
    assert (0, "", told) == run("check", "tools.py", "--write-baseline")
    found = {"undescribed-parameter": ["(query)"], "undescribed-tool": [""]}
    text = json.dumps({"milo_schema_baseline": {"tools:search": found}}, indent=1)
    assert (folder / "milo-schema-baseline.json").read_text() == f"{text}\n"
    options = ["check", "tools.py", "--baseline", "milo-schema-baseline.json"]
    assert (0, "1 function: no findings\n", "") == run(*options)
    assert (0, "1 function: no findings\n", "") == run(*options[:1], "tools:search", *options[2:])


def test_new_findings_are_reported_and_so_are_obsolete_ones_of_the_baseline(run, write):
    write("tools.py", f"{SEARCH}def stop(x: int) -> None: 'Stop.'")
    run("check", "tools.py", "--write-baseline", "--baseline", "base.json")
    write("new/tools.py", "\n\ndef search(query: str, limit: int) -> list[str]: 'Search.'")
    del sys.modules["tools"]

    status, out, err = run("check", "new/tools.py", "--baseline", "base.json")

    gone = "base.json lists 1 that are gone; write it again with --write-baseline"
    assert (1, f"milo-schema: {gone}\n") == (status, err)
    assert out == (
        "search  new/tools.py:3\n"
        "  undescribed-parameter  (limit): no description; document it in the docstring or with "
        "Description(...)\n"
        "\n"
        "1 function: 1 finding (1 undescribed-parameter)\n"
    )


def test_a_finding_in_a_baseline_counts_once(run, write):
    write("tools.py", "def f(x: slice) -> None: ...")
    options = ("--select", "fallback", "--baseline", "base.json")
    run("check", "tools.py", *options, "--write-baseline")
    several = "slice | types.CodeType | types.FrameType"
    write("new/tools.py", f"import types\ndef f(x: {several}) -> None: ...")
    del sys.modules["tools"]

    assert rows_of(run, "new/tools.py", *options) == [("tools:f", "fallback")] * 2


NO_BASELINE = "base.json is not a baseline; write one with --write-baseline"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "base.json does not exist; write it with --write-baseline"),
        ("", "base.json is not JSON: Expecting value: line 1 column 1 (char 0)"),
        ("{}", NO_BASELINE),
        ("[]", NO_BASELINE),
        ('{"milo_schema_baseline": []}', NO_BASELINE),
        ('{"milo_schema_baseline": {"f": 1}}', NO_BASELINE),
        ('{"milo_schema_baseline": {"f": {"no-schema": 1}}}', NO_BASELINE),
        ("[" * 200_000, "cannot read base.json: it is nested too deeply"),
    ],
)  # fmt: skip
def test_a_bad_baseline_is_one_line_and_status_2(run, write, content, problem):
    write("tools.py", SEARCH)
    if content is not None:
        write("base.json", content)

    told = f"milo-schema: {problem}\n"
    assert (2, "", told) == run("check", "tools.py", "--baseline", "base.json")


def test_a_baseline_that_cannot_be_written_or_read_is_one_line_and_status_2(run, write, folder):
    write("tools.py", SEARCH)
    (folder / "base.json").mkdir()

    options = ["check", "tools.py", "--baseline", "base.json"]
    told = "milo-schema: cannot {} base.json: Is a directory\n"
    assert (2, "", told.format("write")) == run(*options, "--write-baseline")
    assert (2, "", told.format("read")) == run(*options)


# -- configuration -----------------------------------------------------------------------------


def test_the_configuration_has_the_same_effect_as_options(run, write, folder, monkeypatch):
    write("src/app/__init__.py")
    write("src/app/tools.py", "def stop(session, now: bool | None = None) -> None: 'Stop.'")
    write("src/app/legacy.py", "def go(x: complex): ...")
    write("src/app/broken.py", "1 / 0")
    write(
        "pyproject.toml",
        """
        [tool.milo-schema]
        targets = ["src", "app.tools:stop"]
        profile = "mcp"
        exclude = ["app.broken"]
        exclude-parameter = ["session"]
        ignore = ["undescribed-tool, no-output-schema"]
        baseline = "base.json"
        """,
    )

    told = "milo-schema: wrote 3 findings to base.json\n"
    assert (0, "", told) == run("check", "--write-baseline")
    listed = {
        "app.legacy:go": {"fallback": ["(x)"], "undescribed-parameter": ["(x)"]},
        "app.tools:stop": {"undescribed-parameter": ["(now)"]},
    }
    assert {"milo_schema_baseline": listed} == json.loads((folder / "base.json").read_text())
    assert (0, "2 functions: no findings\n", "") == run("check")
    write("inner/x.py")
    monkeypatch.chdir(folder / "inner")
    assert (0, "2 functions: no findings\n", "") == run("check")
    _, out, _ = run("show", "app.tools:stop")
    assert ["now"] == list(json.loads(out)["properties"])


def test_options_override_the_configuration(run, write):
    write("tools.py", SEARCH)
    write("pyproject.toml", "[tool.milo-schema]\ntargets = ['none']\nignore = ['undescribed-tool']")

    assert [("tools:search", "undescribed-parameter")] == rows_of(run, "tools")
    rows = rows_of(run, "tools", "--ignore", "undescribed-parameter")
    assert [("tools:search", "undescribed-tool")] == rows
    assert [("tools:search", code) for code in FOUND] == rows_of(run, "tools", "--isolated")


@pytest.mark.parametrize(
    ("toml", "problem"),
    [
        ("selct = []", "has no key selct; did you mean select?"),
        ("select = 1", "select must be a list of strings, not 1"),
        ("targets = ['a', 1]", "targets must be a list of strings, not ['a', 1]"),
        ("profile = ['mcp']", "profile must be a string, not ['mcp']"),
        ("ignore = ['falback']", "ignore: unknown code falback; did you mean fallback?"),
        ("targets = 1", "targets must be a list of strings, not 1"),
        ("baseline = 1", "baseline must be a string, not 1"),
        ("format = 'srif'", "format: unknown format srif; did you mean sarif?"),
        # of another command
        ("strict = 'yes'", "strict must be true or false, not 'yes'"),
    ],
)
def test_a_bad_configuration_is_one_line_and_status_2(run, write, toml, problem):
    write("pyproject.toml", f"[tool.milo-schema]\n{toml}")

    targets = [] if toml.startswith("targets") else ["textwrap"]
    assert (2, "", f"milo-schema: [tool.milo-schema] {problem}\n") == run("check", *targets)
    assert run("explain", "fallback")[0] == 0


@every(
    "key", ["output", "tool", "as", "write-baseline", "cost", "timeout", "traceback", "isolated"]
)
def test_what_one_command_asks_for_is_no_key(run, write, key):
    write("pyproject.toml", f"[tool.milo-schema]\n{key} = true")

    status, out, err = run("check", "textwrap")

    assert (status, out) == (2, "")
    assert err.startswith(f"milo-schema: [tool.milo-schema] has no key {key}")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[tool.milo-schema\n", "cannot read {}: Expected ']'"),
        (f"[tool.milo-schema]\ntargets = {'[' * 10_000}", "cannot read {}: maximum recursion"),
        ("[tool]\nmilo-schema = 1", "{}: [tool.milo-schema] is not a table\n"),
        ("[tool.milo_schema]\ntargets = ['textwrap']",
         "{}: the name of the table is [tool.milo-schema], with a hyphen\n"),
    ],
    ids=["syntax", "deep", "no table", "underscore"],
)  # fmt: skip
def test_a_configuration_that_cannot_be_read_is_one_line_and_status_2(
    run, write, folder, text, told
):
    write("pyproject.toml", text)

    status, out, err = run("check", "textwrap")

    assert (2, "", 1) == (status, out, err.count("\n"))
    assert err.startswith(f"milo-schema: {told.format(folder / 'pyproject.toml')}")


def test_a_format_in_the_configuration_is_that_of_each_command_that_has_it(run, write):
    write("tools.py", SEARCH)
    write("pyproject.toml", "[tool.milo-schema]\nformat = 'sarif'")
    assert run("check", "tools.py")[1].startswith("{")
    run("snapshot", "schemas.json", "tools.py")
    assert run("diff", "schemas.json", "tools.py")[1].startswith("{")


def test_a_pyproject_without_our_table_is_skipped_for_that_of_a_parent(run, write, monkeypatch):
    write("pyproject.toml", "[tool.milo-schema]\ntargets = ['tools.py:search', 'textwrap', 'x:y']")
    write("tools.py", SEARCH)
    write("inner/pyproject.toml", "tool = 'milo-schema'")
    monkeypatch.chdir("inner")

    assert (2, "", "milo-schema: no module named x\n") == run("check")
    write("pyproject.toml", "[tool.milo-schema]\ntargets = ['tools.py:search']")
    assert ["tools:search"] == targets_of(run)
    write("pyproject.toml", "[project]\nname = 'x'")
    told = "check needs a TARGET, such as . or mypackage; see milo-schema check --help"
    assert (2, "", f"milo-schema: {told}\n") == run("check")


# -- names that only type checkers import --------------------------------------------------------

TYPED = """
from __future__ import annotations
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from uuid import UUID as Key
    from not_there import Missing
def find(key: Key) -> dict[str, Key]: ...
def lose(key: Missing) -> None: ...
find.__doc__ = lose.__doc__ = "Do it.\\n\\nArgs:\\n    key: Its key."
"""
OFF = "--no-type-checking-imports"


def test_names_imported_only_for_type_checkers_are_resolved(run, write):
    write("app.py", TYPED)
    text = {"description": "Its key."}
    for options, expected in (((), {**text, "type": "string", "format": "uuid"}), ((OFF,), text)):
        _, out, err = run("show", "app.py:find", *options)
        assert json.loads(out)["properties"] == {"key": expected}
        assert ("no 'Key' in app" in err) == (options == (OFF,))


def test_check_reports_why_such_a_name_cannot_be_imported(run, write):
    write("app.py", TYPED)
    status, out, _ = run("check", "app.py", "--format", "json")
    rows = [(row["target"], row["code"], row["message"]) for row in json.loads(out)]
    reason = "no 'Missing' in app: No module named 'not_there'; fix that, or pass localns="
    assert (status, rows) == (1, [("app:lose", "unresolved-name", reason)])
    together = ["--together", "--select", "unresolved-name"]
    assert rows_of(run, "app.py", *together) == [("app:lose", "unresolved-name")]
    unresolved = [("app:find", "unresolved-name")] * 2 + [("app:lose", "unresolved-name")]
    assert rows_of(run, "app.py", OFF) == unresolved


def test_the_configuration_can_turn_such_imports_off(run, write):
    write("app.py", TYPED)
    write("pyproject.toml", "[tool.milo-schema]\nno-type-checking-imports = true")
    assert ("app:find", "unresolved-name") in rows_of(run, "app.py")


def test_a_snapshot_and_its_comparison_also_import_such_names(run, write):
    write("app.py", TYPED)
    run("snapshot", "with.json", "app.py")
    run("snapshot", "without.json", "app.py", OFF)
    assert run("diff", "with.json", "app.py")[:2] == (0, "no changes\n")
    assert run("diff", "without.json", "app.py", OFF)[:2] == (0, "no changes\n")
    _, out, _ = run("diff", "with.json", "app.py", OFF)
    assert out.splitlines()[0] == "find.key: type string -> any value (compatible)"


# -- packages ----------------------------------------------------------------------------------


@pytest.fixture
def tested(write):
    """A package with its own tests, of which some have names that are not theirs alone."""
    write("shop/__init__.py")
    write("shop/test.py", "def check(x): ...")
    write("shop/testing.py", "def expect(x): ...")
    write("shop/latest.py", "def now(x): ...")
    for name in ("conftest.py", "test_x.py", "x_test.py", "tests/__init__.py", "tests/test_y.py"):
        write(f"shop/{name}", "def hidden(x): ...")


def test_the_tests_of_a_package_are_skipped_unless_they_are_the_target(run, tested):
    expected = ["shop.latest:now", "shop.test:check", "shop.testing:expect"]
    assert expected == sorted(targets_of(run, "shop"))
    assert expected == sorted(targets_of(run, "."))
    assert ["shop.tests:hidden", "shop.tests.test_y:hidden"] == targets_of(run, "shop.tests")
    assert ["shop.test_x:hidden"] == targets_of(run, "shop.test_x")


def test_import_errors_with_one_reason_are_one_line(run, write):
    write("pack/__init__.py")
    for name in "abc":
        write(f"pack/{name}.py", "import not_there")
    write("pack/d.py", "raise ValueError('d')")
    write("pack/e.py", SEARCH)

    missing = "raised ModuleNotFoundError: No module named 'not_there' (pack/a.py:1)"
    told = f"milo-schema: importing pack.a, pack.b, pack.c {missing}\n"
    told += "milo-schema: importing pack.d raised ValueError: d (pack/d.py:1)\n"
    options = ("check", "pack", "--select", "errors")
    assert run(*options) == (3, "1 function: no findings\n", told)


def test_import_errors_are_reported_even_if_another_target_does_not_exist(run, write):
    write("bad.py", "raise ValueError")

    told = (
        "milo-schema: importing bad.py raised ValueError (bad.py:1)\n"
        "milo-schema: no such file: nothing.py\n"
    )
    assert (2, "", told) == run("check", "bad.py", "nothing.py")


def test_errors_are_codes_with_which_schemas_are_wrong_or_calls_fail(run, write):
    write("tools.py", "def f(x, y: complex, z: int = 'a', *, key: list = print): ...")

    found = ["default-misfit", "fallback"]
    assert found == sorted({code for _, code in rows_of(run, "tools.py", "--select", "errors")})
    more = rows_of(run, "tools.py", "--select", "errors,undescribed-tool")
    assert [*found, "undescribed-tool"] == sorted({code for _, code in more})
    rest = rows_of(run, "tools.py", "--ignore", "errors")
    assert rest
    assert not {code for _, code in rest} & {*found}


# -- lists, dicts and servers ------------------------------------------------------------------


def test_a_tool_keeps_its_own_profile_unless_one_is_given(run, write):
    write(
        "tools.py",
        """
        from milo_schema import profiles, tool_schema
        def f(x: int | None = None): ...
        def of(profile): return tool_schema(f, name=profile.name, profile=profile)
        TOOLS = [of(profiles.MILO), of(profiles.MCP)]
    """,
    )

    def shown(*options):
        _, out, _ = run("show", "tools.py:TOOLS", "--tool", *options)
        return [each["inputSchema"]["properties"]["x"] for each in json.loads(out)]

    milo, mcp = INTEGER | {"default": None}, any_of(INTEGER, NULL) | {"default": None}
    assert shown() == [milo, mcp]
    assert shown("--profile", "MCP") == [mcp, mcp]


COLLECTIONS = """
    from milo_schema import tool_schema
    def stop(now): ...
    def start(now): ...
    def _go(now): ...
    LIST = [stop, _go]
    TUPLE = (start,)
    DICT = {"halt": stop, "begin": start}
    FINISHED = [tool_schema(stop), {"name": "raw", "inputSchema": {"type": "object"}}]
    ONE = {"name": "raw", "inputSchema": {"type": "object"}}
    class Listed:
        def __init__(self, name): self.name = name
        def model_dump(self, **options): return {"name": self.name, "inputSchema": {}}
    class Server:
        def list_tools(self): return [Listed("served")]
    class Owned:
        def __init__(self, name): self.name = name
        def to_mcp_tool(self): return Listed(self.name)
    class Async(Server):
        async def list_tools(self): return [Owned("later")]
    class Box:
        def __iter__(self): return iter([stop])
    class Broken:
        def list_tools(self): raise ValueError("no")
    class Strange:
        def list_tools(self): return 1
    SERVER, ASYNC, BOX, BROKEN, STRANGE = Server(), Async(), Box(), Broken(), Strange()
"""


@pytest.mark.parametrize(
    ("name", "targets"),
    [
        ("LIST", ["tools:LIST.stop", "tools:LIST._go"]),
        ("TUPLE", ["tools:TUPLE.start"]),
        ("DICT", ["tools:DICT.stop", "tools:DICT.start"]),
        ("FINISHED", ["tools:FINISHED:stop", "tools:FINISHED:raw"]),
        ("ONE", ["tools:ONE:raw"]),
        ("SERVER", ["tools:SERVER:served"]),
        ("ASYNC", ["tools:ASYNC:later"]),
        ("BOX", ["tools:BOX.stop"]),
    ],
)
def test_a_target_may_be_a_list_a_dict_or_a_server(run, write, name, targets):
    write("tools.py", COLLECTIONS)

    assert targets == targets_of(run, f"tools.py:{name}")


def test_a_server_and_a_toolbox_in_a_package_are_told_first(run, write):
    write("shop/__init__.py", "from shop.tools import TOOLS")
    write(
        "shop/tools.py",
        """
        from milo_schema import Toolbox
        def buy(a: int) -> None: "Buy."
        TOOLS = Toolbox([buy])
        """,
    )
    write(
        "shop/server.py",
        """
        from shop.tools import TOOLS
        class _Server:
            async def list_tools(self): return TOOLS.to_mcp()
        class _LowLevel:
            def list_tools(self): "A decorator."
        class _Own(_Server): ...
        mcp, low = _Own(), _LowLevel()
        """,
    )
    told = "milo-schema: {} is a server or a toolbox; use it as the target to read its tools\n"

    status, out, err = run("show", "shop")

    assert (0, ["tools.buy"]) == (status, [*json.loads(out)])
    assert err == told.format("shop:TOOLS") + told.format("shop.server:mcp")
    for target in ("shop:TOOLS", "shop.server:mcp"):
        status, out, err = run("show", target)
        assert (0, ["buy"], "") == (status, [*json.loads(out)], err)
    assert run("show", "shop", "--quiet")[2] == ""


@pytest.mark.parametrize("target", ["src", "src/app/tools.py"])
def test_a_toolbox_in_a_folder_or_a_file_has_the_path_of_its_file(run, write, target):
    source = "from milo_schema import Toolbox\ndef buy() -> None: ...\nTOOLS = Toolbox([buy])"
    path = write("src/app/tools.py", source)
    told = "is a server or a toolbox; use it as the target to read its tools"

    assert run("show", target)[2] == f"milo-schema: {path}:TOOLS {told}\n"
    assert [*json.loads(run("show", f"{path}:TOOLS")[1])] == ["buy"]


def test_a_type_without_a_schema_is_one_line_if_many_functions_use_it(run, write):
    header = "class X: ...\n"
    functions = [f"def f{number}(x: X, y: 'Y') -> None: ..." for number in range(3)]
    write("few.py", header + "\n".join(functions))
    write("many.py", header + "\n".join([*functions, "def f3(x: X, y: 'Y', z: X) -> None: ..."]))
    x = "no JSON Schema for X; use Schema({...}), or hide it with Injected"
    y = "no 'Y' in {}; import it there at run time, or pass localns="

    few = run("check", "few.py", "--select", "errors", "--exclude", "few:X")[1]
    many = run("check", "many.py", "--select", "errors", "--exclude", "many:X")[1]

    line = f"\n  fallback         (x): {x}\n  unresolved-name  (y): {y.format('few')}\n"
    assert [few.count(line), few.count("fallback"), "in many" in few] == [3, 4, False]
    assert many == (
        f"in many functions\n  fallback         5 places, such as f0(x): {x}\n"
        f"  unresolved-name  4 places, such as f0(y): {y.format('many')}\n\n"
        "4 functions: 9 findings (5 fallback, 4 unresolved-name)\n"
    )


def test_a_tool_in_a_list_has_the_place_of_its_function(run, write):
    write("tools.py", COLLECTIONS)

    _, out, _ = run("check", "tools.py:LIST", "--select", "no-annotation", "--format", "json")

    rows = [(row["function"], row["file"], row["line"]) for row in json.loads(out)]
    assert rows == [("stop", "tools.py", 3), ("_go", "tools.py", 5)]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("BROKEN", "listing the tools raised ValueError: no"),
        ("STRANGE",
         "tools:STRANGE is an instance of Strange, which cannot be called and lists no tools"),
    ],
)  # fmt: skip
def test_an_object_without_tools_is_one_line_and_status_2(run, write, name, reason):
    write("tools.py", COLLECTIONS)

    assert (2, "", f"milo-schema: {reason}\n") == run("check", f"tools.py:{name}")


def test_a_program_in_another_folder_finds_this_package(tmp_path, monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)

    asking = "import os; print(os.environ['PYTHONPATH'].split(os.pathsep))"
    shown = diff._run([sys.executable, "-c", asking], tmp_path).decode()

    assert repr(str(Path(milo_schema.__file__).parents[1])) in shown


def test_a_program_that_fails_in_silence_is_one_line(tmp_path):
    with pytest.raises(CommandError, match=r"^it fails$"):
        diff._run([sys.executable, "-c", "raise SystemExit(3)"], tmp_path)
    with pytest.raises(CommandError, match=r"^no such thing$"):
        diff._run([sys.executable, "-c", "raise SystemExit('fatal: no such thing')"], tmp_path)
