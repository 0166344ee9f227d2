"""The file of ``assert_unchanged()``: where it is, who writes it, and what is printed."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from milo_schema import SchemaError, Toolbox, ToolSchema, profiles, tool_schema
from milo_schema.compare import Change, snapshots
from milo_schema.testing import assert_unchanged
from tests.every import every
from tests.fragments import Json
from tests.inside import main
from tests.test_compare import ROWS, whole

pytestmark = pytest.mark.core

ROOT = Path(__file__).parents[1]
ACCEPT = "run the test with MILO_SCHEMA_UPDATE=1 to accept this"
IN_CI = "nothing is written where CI is set; run the test elsewhere, and commit tools.json"


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("MILO_SCHEMA_UPDATE", raising=False)


@pytest.fixture
def update(monkeypatch):
    """Call a function with the variable that accepts changes."""

    def call(function: Any, *args: Any, **options: Any) -> None:
        with monkeypatch.context() as patch:
            patch.setenv("MILO_SCHEMA_UPDATE", "1")
            function(*args, **options)

    return call


def named(name: str, func: Any) -> Any:
    func.__name__ = func.__qualname__ = name
    return func


def before(replicas: int | None, zone: str = "a") -> int: ...
def compatible(replicas: int | None, zone: str = "a", *, dry: bool = False) -> int: ...
def breaking(replicas: int, zone: str = "a") -> int: ...


for each in (before, compatible, breaking):
    named("deploy", each)

BROKEN = (
    'deploy.replicas: type integer | null -> integer (breaking): {"replicas": null} worked before'
)


def lines(*args: Any, **options: Any) -> list[str]:
    with pytest.raises(AssertionError) as caught:
        assert_unchanged(*args, **options)
    return str(caught.value).splitlines()


# -- where it is -------------------------------------------------------------------------------

TEST = """
from milo_schema.testing import assert_unchanged
def deploy(replicas: int | None, zone: str = "a") -> int: ...
def check():
    assert_unchanged([deploy], "tools.json")
"""


@pytest.mark.parametrize("folder", [".", "project", "project/tests", "project/tests/deep", "other"])
def test_a_relative_path_starts_in_the_folder_of_the_test(folder, tmp_path, monkeypatch, update):
    tests = tmp_path / "project/tests"
    for each in ("project/tests/deep", "other"):
        (tmp_path / each).mkdir(parents=True)
    module: dict[str, Any] = {"__name__": "test_x", "__file__": str(tests / "test_x.py")}
    exec(TEST, module)
    monkeypatch.chdir(tmp_path / folder)

    update(module["check"])
    module["check"]()
    exec(TEST.replace(" | None", ""), module)
    with pytest.raises(AssertionError) as caught:
        module["check"]()

    assert str(caught.value).splitlines() == [BROKEN, ACCEPT]
    assert [*tmp_path.rglob("*.json")] == [tests / "tools.json"]


@pytest.mark.slow
def test_pytest_finds_the_file_from_any_folder(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_x.py").write_text(TEST.replace("def check", "def test_check"))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", tmp_path / "tests"]
    own = {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def run(folder: str, **variables: str) -> tuple[int, list[Path]]:
        env = {**own, **variables}
        done = subprocess.run(
            command, cwd=tmp_path / folder, env=env, check=False, capture_output=True
        )
        return done.returncode, [*tmp_path.rglob("*.json")]

    file = tmp_path / "tests/tools.json"
    assert run(".", MILO_SCHEMA_UPDATE="1", CI="true") == (1, [])
    assert run(".", MILO_SCHEMA_UPDATE="1") == (0, [file])
    assert run("tests") == (0, [file])


def test_code_that_is_not_in_a_file_uses_the_current_folder(tmp_path, monkeypatch, update):
    module: dict[str, Any] = {"__name__": "test_x"}
    exec(TEST, module)
    monkeypatch.chdir(tmp_path)

    update(module["check"])

    assert [each.name for each in tmp_path.iterdir()] == ["tools.json"]


def test_an_absolute_path_is_taken_as_it_is(tmp_path, update):
    update(assert_unchanged, [before], tmp_path / "tools.json")
    assert_unchanged([before], str(tmp_path / "tools.json"))


# -- what it compares --------------------------------------------------------------------------

KINDS = {
    "functions": lambda func: [func],
    "a function": lambda func: func,
    "a generator": lambda func: (each for each in [func]),
    "a toolbox": lambda func: Toolbox([func]),
    "tools": lambda func: [tool_schema(func)],
    "a tool": tool_schema,
    "a dict of tools": lambda func: {"deploy": tool_schema(func)},
    "definitions": lambda func: [tool_schema(func).to_mcp()],
    "a definition": lambda func: tool_schema(func).to_mcp(),
}


@pytest.mark.parametrize("new", KINDS)
@pytest.mark.parametrize("old", ["functions", "a toolbox", "definitions"])
def test_functions_toolboxes_and_definitions_are_compared_alike(old, new, tmp_path, update):
    file = tmp_path / "tools.json"
    update(assert_unchanged, KINDS[old](before), file)

    assert_unchanged(KINDS[new](before), file, exact=True)
    assert_unchanged(KINDS[new](compatible), file)
    assert lines(KINDS[new](breaking), file) == [BROKEN, ACCEPT]


def test_the_profile_is_that_of_the_toolbox_unless_one_is_given(tmp_path, update):
    file = tmp_path / "tools.json"
    box = Toolbox([before], profile=profiles.MILO)
    update(assert_unchanged, box, file)

    assert json.loads(file.read_text())["profile"] == "MILO"
    assert_unchanged(box, file, exact=True)
    assert_unchanged([*box.values(), named("more", lambda: None)], file)
    assert_unchanged([before], file, exact=True, profile=profiles.MILO)
    told = "tools.json has schemas of the profile MILO, not MCP; pass the same profile="
    assert lines([before], file) == lines(box, file, profile=profiles.MCP) == [told]
    update(assert_unchanged, box, file, profile=profiles.MCP)
    assert_unchanged([before], file, exact=True)


def test_named_types_are_in_definitions_whatever_the_profile_says(tmp_path, update):
    @dataclass
    class Point:
        x: int

    def move(by: Point) -> None: ...

    for profile in (None, profiles.MCP):
        file = tmp_path / f"{profile}.json"
        update(assert_unchanged, move, file, profile=profile)
        assert [*json.loads(file.read_text())["$defs"]] == ["Point"]


def test_a_definition_without_its_function_stays_as_it_is(tmp_path, update):
    file = tmp_path / "tools.json"
    schema = {"type": "object", "properties": {}, "additionalProperties": False}
    tool = ToolSchema(name="run", input_schema=schema)
    update(assert_unchanged, [tool], file, profile=profiles.GEMINI)
    assert json.loads(file.read_text())["functions"] == {"run": {"input": schema}}


def test_two_tools_of_one_name_are_an_error(tmp_path):
    with pytest.raises(SchemaError, match="deploy: two tools have this name"):
        assert_unchanged([before, breaking], tmp_path / "tools.json")


def test_a_renamed_tool_is_one_line(tmp_path, update):
    file = tmp_path / "tools.json"
    update(assert_unchanged, [named("start", lambda x: None), before], file)

    tools = [named("begin", lambda x: None), before]
    assert lines(tools, file) == ["start -> begin: renamed (breaking)", ACCEPT]


# -- who writes it -----------------------------------------------------------------------------


def test_accepting_prints_what_was_accepted(tmp_path, update, capsys):
    file = tmp_path / "tools.json"
    update(assert_unchanged, [before], file)
    assert capsys.readouterr().out == f"wrote {file}\n"

    update(assert_unchanged, [before], file)
    assert capsys.readouterr().out == ""

    update(assert_unchanged, [breaking, named("stop", lambda: None)], file)
    out = f"{BROKEN}\nstop: added (compatible)\nwrote {file}\n"
    assert capsys.readouterr().out == out

    update(assert_unchanged, [breaking], file, profile=profiles.MILO)
    assert capsys.readouterr().out == f"wrote {file}\n"  # which cannot be compared


@pytest.mark.parametrize("variable", ["true", "1", "yes"])
def test_nothing_is_written_in_ci(variable, tmp_path, monkeypatch, update):
    file = tmp_path / "tools.json"
    monkeypatch.setenv("CI", variable)
    monkeypatch.setenv("MILO_SCHEMA_UPDATE", "1")
    assert lines([before], file) == [f"tools.json is missing; {IN_CI}"]
    assert not file.exists()

    monkeypatch.delenv("CI")
    update(assert_unchanged, [before], file)
    text = file.read_text()
    monkeypatch.setenv("CI", variable)
    assert_unchanged([before], file)
    assert lines([breaking], file) == [BROKEN, IN_CI]
    added = "deploy.dry: added, optional (compatible)"
    assert lines([compatible], file) == [added, IN_CI]
    monkeypatch.delenv("MILO_SCHEMA_UPDATE")
    assert_unchanged([compatible], file)
    assert lines([breaking], file) == [BROKEN, ACCEPT]
    assert file.read_text() == text


@pytest.mark.parametrize("variable", ["", "0", "false", "False"])
def test_an_empty_or_false_variable_is_not_ci(variable, tmp_path, monkeypatch, update):
    file = tmp_path / "tools.json"
    monkeypatch.setenv("CI", variable)
    update(assert_unchanged, [before], file)
    assert lines([breaking], file) == [BROKEN, ACCEPT]


def test_another_value_of_the_variable_updates_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("MILO_SCHEMA_UPDATE", "0")
    told = "tools.json is missing; run the test with MILO_SCHEMA_UPDATE=1 to write it"
    assert lines([before], tmp_path / "tools.json") == [told]
    assert [*tmp_path.iterdir()] == []


def test_a_missing_folder_is_a_message(tmp_path, monkeypatch):
    monkeypatch.setenv("MILO_SCHEMA_UPDATE", "1")
    told = f"there is no folder {tmp_path / 'locks'} for tools.json; create it"
    assert lines([before], tmp_path / "locks/tools.json") == [told]
    assert [*tmp_path.iterdir()] == []


def test_a_file_that_cannot_be_written_is_a_message(tmp_path, monkeypatch):
    def refuse(path: Path, content: bytes) -> None:
        raise PermissionError(13, "Permission denied", ".tools.json.1")

    monkeypatch.setattr("milo_schema.compare.snapshots.replace_file", refuse)
    monkeypatch.setenv("MILO_SCHEMA_UPDATE", "1")
    assert lines([before], tmp_path / "tools.json") == [
        "cannot write tools.json: Permission denied"
    ]


@pytest.mark.parametrize("content", ["import os\n", "[]", '{"tools": []}', "[" * 100_000])
def test_a_file_of_another_kind_is_not_overwritten(content, tmp_path, monkeypatch):
    file = tmp_path / "tools.json"
    file.write_text(content)
    monkeypatch.setenv("MILO_SCHEMA_UPDATE", "1")

    told = "tools.json is not a snapshot, so it is not overwritten; name another file"
    assert lines([before], file) == [told]
    assert file.read_text() == content


@pytest.mark.parametrize("content", ["", json.dumps({snapshots.HEAD: 1})])
def test_an_empty_file_and_one_of_an_older_format_are_overwritten(content, tmp_path, update):
    file = tmp_path / "tools.json"
    file.write_text(content)
    update(assert_unchanged, [before], file)
    assert_unchanged([before], file, exact=True)


@pytest.mark.parametrize("content", ["[]", "no", "[" * 100_000])
def test_a_file_of_another_kind_is_not_compared(content, tmp_path):
    file = tmp_path / "tools.json"
    file.write_text(content)
    assert lines([before], file)[0].startswith("tools.json is not a snapshot: ")


# -- what it says ------------------------------------------------------------------------------


def test_breaking_changes_come_first_and_others_are_told_on_request(tmp_path, monkeypatch, update):
    """The file is that of the command line."""

    def deploy(replicas: int, *, dry: bool = False) -> int:
        """Deploy."""
        return replicas

    file, removed = tmp_path / "tools.json", "deploy.zone: removed (breaking): "
    update(assert_unchanged, [before], file)
    gone = f'{removed}{{"replicas": 0, "zone": ""}} worked before'
    assert lines([deploy], file) == [BROKEN, gone, ACCEPT]
    assert lines([deploy], file, exact=True) == [
        BROKEN,
        gone,
        'deploy: description "Deploy." added (reworded)',
        "deploy.dry: added, optional (compatible)",
        ACCEPT,
    ]
    assert lines([], file) == ["deploy: removed (breaking)", ACCEPT]
    (tmp_path / "found.py").write_text(TEST)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    assert main(["diff", str(file), f"{tmp_path / 'found.py'}:deploy"]) == 0
    del sys.modules["found"]


def test_a_failure_fits_on_a_screen(tmp_path, update):
    tools = [named(f"tool_{number}", lambda: None) for number in range(25)]
    file = tmp_path / "tools.json"
    update(assert_unchanged, tools, file)
    found = lines([], file)
    assert len(found) == 22
    assert found[-2:] == ["(and 5 more changes)", ACCEPT]
    assert len(lines(tools[20:], file)) == 21


# Every kind of change that `compare` knows, in the input and in the output of a tool. An object
# without properties is a mapping there: only a tool itself may have no parameters.

PLANTED = [
    (f"{name} in the {part}", part, whole(old), whole(new), expected)
    for name, (old, new, expected) in ROWS.items()
    for part in ("input", "output")
    if json.dumps(whole(old), sort_keys=True) != json.dumps(whole(new), sort_keys=True)
    if "a tool without parameters" not in name
]


def planted(part: str, schema: Json) -> ToolSchema:
    """A tool with a schema as its parameter x, or as its result."""
    schema = json.loads(json.dumps(schema))
    definitions = {"$defs": schema.pop("$defs")} if "$defs" in schema else {}
    empty: Json = {"type": "object", "properties": {}}
    if part == "input":
        return ToolSchema(
            name="run", input_schema={**empty, "properties": {"x": schema}, **definitions}
        )
    return ToolSchema(name="run", input_schema=empty, output_schema={**schema, **definitions})


def unproved(lines: list[str]) -> list[str]:
    """The lines about changes, without their proofs."""
    return [re.sub(r"\(breaking\): .*", "(breaking)", line) for line in lines]


@every("row", PLANTED, ids=lambda row: row[0])
def test_a_change_of_every_kind_is_found(row, tmp_path, update):
    name, part, old, new, expected = row
    file = tmp_path / "tools.json"
    update(assert_unchanged, [planted(part, old)], file)
    root = "run.x" if part == "input" else "run() -> result"
    changes = [
        Change(f"{root}{place}".replace("-> f.", f"-> {root}."), message, effects[part == "output"])
        for place, message, *effects in expected
    ]
    broken = [str(each) for each in changes if each.breaks]
    others = [str(each) for each in changes if not each.breaks]
    tools = [planted(part, new)]

    if not changes and "title" in name:
        assert_unchanged(tools, file, exact=True)
        return
    if not changes:
        place = root.removesuffix(".x")
        others = [f"{place}: spelled differently, with the same meaning (reworded)"]
    found = lines(tools, file, exact=True)
    assert unproved(found) == [*broken, *others, ACCEPT]
    assert len(found) <= 22
    if broken:
        assert unproved(lines(tools, file)) == [*broken, ACCEPT]
    else:
        assert_unchanged(tools, file)
