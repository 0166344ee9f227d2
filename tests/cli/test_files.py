"""Files are written whole or not at all, and never over something else."""

import io
import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from milo_schema.cli import files
from milo_schema.cli.terminal import CommandError
from milo_schema.compare import snapshots

ROOT = Path(__file__).parents[2]
TOOLS = "def stop(now: bool) -> None: ...\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("shipping.txt", TOOLS),
        ("pyproject.toml", "[project]\nname = 'x'\n"),
        ("tools.json", '{"tools": []}'),
        ("list.json", "[]"),
        ("conflict.json", "<<<<<<< HEAD\n{}\n"),
        ("binary", "\x00\x01"),
        ("deep.json", "[" * 200_000),
    ],
)
def test_a_file_of_another_kind_is_not_overwritten(run, write, folder, name, content):
    write("tools.py", TOOLS)
    write(name, content)

    told = "milo-schema: {} is not a {}, so it is not overwritten; name another file\n"
    assert (2, "", told.format(name, "snapshot")) == run("snapshot", name, "tools.py")
    assert (2, "", told.format(name, "baseline")) == run(
        "check", "tools.py", "--write-baseline", "--baseline", name
    )
    assert (folder / name).read_text() == content


@pytest.mark.parametrize("name", ["tools.py", "pack"])
def test_the_file_of_a_snapshot_comes_before_its_targets(run, write, folder, name):
    write("tools.py", TOOLS)
    write("pack/__init__.py", TOOLS)

    words = f"milo-schema snapshot schemas.json {name}"
    told = f"{name} is a target; FILE comes first, as in {words}"
    assert (2, "", f"milo-schema: {told}\n") == run("snapshot", name, name)
    assert (folder / "tools.py").read_text() == TOOLS


@pytest.mark.parametrize("command", ["snapshot", "diff"])
def test_a_command_with_a_file_says_which_words_it_needs(run, write, command):
    write("tools.py", TOOLS)

    told = f"milo-schema: {command} needs FILE and TARGET{{}}; see milo-schema {command} --help\n"
    assert (2, "", told.format("")) == run(command)
    assert (2, "", told.format(", and got only tools.py")) == run(command, "tools.py")


def test_a_module_that_changes_the_folder_does_not_move_the_snapshot(run, write, folder):
    write("elsewhere/tools.py", TOOLS)
    write("mover.py", f"import os\nos.chdir('elsewhere')\n{TOOLS}")

    assert (0, "", "") == run("snapshot", "lock.json", "mover.py")

    found = [each.relative_to(folder).as_posix() for each in folder.rglob("*.json")]
    assert found == ["lock.json"]


def test_a_link_under_the_name_of_a_new_file_is_not_followed(folder, monkeypatch):
    (folder / "victim").write_text("old")
    monkeypatch.setattr(os, "urandom", lambda count: b"\0" * count)
    (folder / f".lock.json.{os.getpid()}.00000000").symlink_to(folder / "victim")

    with pytest.raises(CommandError, match=r"cannot write lock.json: File exists"):
        files.write_json("lock.json", folder / "lock.json", "{}")

    assert (folder / "victim").read_text() == "old"
    assert not (folder / "lock.json").exists()


def test_an_empty_file_or_an_older_one_of_our_kind_is_overwritten(run, write, folder):
    write("tools.py", TOOLS)
    for content in ("", '{"milo_schema_snapshot": 1}'):
        write("lock.json", content)
        assert (0, "", "") == run("snapshot", "lock.json", "tools.py")
        assert list(json.loads((folder / "lock.json").read_text())["functions"]) == ["stop"]
    for content in ("", '{"milo_schema_baseline": 1}'):
        write("base.json", content)
        status, _, err = run("check", "tools.py", "--write-baseline", "--baseline", "base.json")
        assert (0, "milo-schema: wrote 2 findings to base.json\n") == (status, err)
    assert sorted(each.name for each in folder.iterdir() if each.is_file()) == [
        "base.json",
        "lock.json",
        "tools.py",
    ]


@pytest.mark.parametrize(
    ("source", "options", "status"),
    [
        ("raise ValueError", ["--allow-import-errors"], 5),
        ("raise ValueError", [], 3),
        ("x = 1", [], 5),
    ],
)
def test_a_file_keeps_its_content_if_the_status_is_not_0(
    run, write, folder, source, options, status
):
    write("tools.py", source)
    write("lock.json", '{"milo_schema_snapshot": 2}')
    write("base.json", '{"milo_schema_baseline": {}}')

    words = ["check", "tools.py", "--write-baseline", "--baseline", "base.json", *options]
    found, _, err = run(*words)
    assert (status, True) == (found, err.endswith("milo-schema: base.json is not written\n"))
    found, _, err = run("snapshot", "lock.json", "tools.py", *options)
    assert (status, True) == (found, err.endswith("milo-schema: lock.json is not written\n"))
    assert (folder / "lock.json").read_text() == '{"milo_schema_snapshot": 2}'
    assert (folder / "base.json").read_text() == '{"milo_schema_baseline": {}}'


def test_half_of_a_surrogate_pair_is_written_as_an_escape(run, write, folder):
    write("tools.py", "def stop(now: str = '\\ud800') -> None: ...\n")

    assert (0, "", "") == run("snapshot", "lock.json", "tools.py")

    assert '"default": "\\ud800"' in (folder / "lock.json").read_text("utf-8")
    assert (0, "no changes\n", "") == run("diff", "lock.json", "tools.py")


def test_a_failure_while_writing_leaves_the_old_file_and_nothing_else(folder, monkeypatch):
    lock = folder / "lock.json"
    lock.write_text("old")

    class Full(io.FileIO):
        def write(self, content):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", Full)

    with pytest.raises(CommandError, match=r"cannot write lock.json: No space left on device"):
        files.write_json("lock.json", lock, "{}")

    assert [(each.name, each.read_text()) for each in folder.iterdir()] == [("lock.json", "old")]


KILLED = """
import os, signal
from pathlib import Path
from milo_schema.cli import main

def end(self, target):
    os.kill(os.getpid(), signal.SIGKILL)

Path.replace = end
main(["snapshot", "lock.json", "tools.py"])
"""


@pytest.mark.skipif(os.name != "posix", reason="a signal of POSIX")
def test_a_run_that_is_killed_before_it_replaces_the_file_leaves_the_old_one(run, write, folder):
    write("tools.py", TOOLS)
    write("lock.json", '{"milo_schema_snapshot": 2}')
    env = {**os.environ, "PYTHONPATH": str(ROOT)}

    done = subprocess.run([sys.executable, "-c", KILLED], cwd=folder, env=env, check=False)

    assert done.returncode == -signal.SIGKILL
    assert (folder / "lock.json").read_text() == '{"milo_schema_snapshot": 2}'
    assert (0, "", "") == run("snapshot", "lock.json", "tools.py")
    assert (0, "no changes\n", "") == run("diff", "lock.json", "tools.py")


def test_of_runs_at_once_one_writes_the_whole_file(write, folder):
    write("tools.py", TOOLS)
    write("more.py", "\n".join(f"def f{at}(x: int) -> None: ..." for at in range(200)))
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "milo_schema", "snapshot", "lock.json"]

    runs = [
        subprocess.Popen([*command, target], cwd=folder, env=env)
        for target in ("tools.py", "more.py") * 2
    ]

    assert [each.wait() for each in runs] == [0] * 4
    assert len(json.loads((folder / "lock.json").read_text())["functions"]) in (1, 200)
    assert [each.name for each in folder.glob(".*.json.*")] == []


def test_a_file_may_have_the_longest_name_there_is(folder):
    name = "a" * 250 + ".json"

    files.write_json(name, folder / name, "{}")

    assert [(each.name, each.read_text()) for each in folder.iterdir()] == [(name, "{}\n")]


def test_a_baseline_is_a_file(run, write):
    write("tools.py", "def ping(): ...")

    assert run("check", "tools.py", "--write-baseline", "--baseline", "-") == (
        2, "", "milo-schema: a baseline is a file; name it instead of -\n"
    )  # fmt: skip


def test_a_link_and_the_mode_of_a_file_are_kept(folder):
    lock = folder / "lock.json"
    lock.write_text("old")
    lock.chmod(0o640)
    (folder / "link.json").symlink_to(lock)

    files.write_json("link.json", Path(os.path.realpath("link.json")), "{}")

    assert (folder / "link.json").is_symlink()
    assert ("{}\n", 0o640) == (lock.read_text(), stat.S_IMODE(lock.stat().st_mode))


def test_a_new_file_has_the_mode_of_any_new_file(folder):
    (folder / "any").write_text("")

    files.write_json("lock.json", folder / "lock.json", "{}")

    assert (folder / "any").stat().st_mode == (folder / "lock.json").stat().st_mode


def test_what_is_not_a_regular_file_is_written_to(folder):
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)

    files.check_target("pipe", "x", "y")
    files.write_json("pipe", folder / "pipe", "{}")

    assert os.read(reader, 9) == b"{}\n"
    os.close(reader)
    assert stat.S_ISFIFO((folder / "pipe").stat().st_mode)


def test_a_file_that_may_not_be_read_is_one_line(folder, monkeypatch):
    (folder / "lock.json").write_text("{}")

    def refuse(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)

    with pytest.raises(CommandError, match=r"cannot read lock.json: Permission denied"):
        files.check_target("lock.json", "x", "y")


def test_a_file_that_may_not_be_written_is_not_replaced(folder, monkeypatch):
    lock = folder / "lock.json"
    lock.write_text("old")

    def refuse(self, mode):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)

    with pytest.raises(CommandError, match=r"cannot write lock.json: Permission denied"):
        files.write_json("lock.json", lock, "{}")

    monkeypatch.undo()
    assert lock.read_text() == "old"


def test_a_deep_definition_is_one_line_and_status_2(run, write):
    deep = '{"items": ' * 900 + "{}" + "}" * 900
    write("deep.json", f'[{{"name": "f", "inputSchema": {deep}}}]')
    told = (
        "f: a value nested too deeply, or inside itself in the input schema "
        "cannot be written as JSON"
    )

    skip = "; --exclude deep.json:f skips it\n"
    assert (2, "{}\n", f"milo-schema: {told}{skip}") == run("show", "deep.json")
    message = f"milo-schema: cannot read f in deep.json: {told[3:]}\n"
    assert (2, "", message) == run("diff", "deep.json", "json")


def test_a_deep_snapshot_is_one_line():
    deep: dict[str, object] = {}
    for _ in range(100_000):
        deep = {"items": deep}
    content = {"milo_schema_snapshot": 2, "profile": "MCP", "functions": {"f": {"input": deep}}}

    with pytest.raises(ValueError, match="the input schema of f: nested deeper than 100 levels"):
        snapshots.parse_snapshot(content)
