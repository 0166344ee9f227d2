"""What every run skips is found: a test, and a row of ``@every``."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ran
from tests.tools import nowhere

pytestmark = pytest.mark.once
ROOT = Path(__file__).parents[1]
SOURCE = """\
import sys
import pytest
from tests.every import every

def test_runs(): ...

@pytest.mark.skip(reason="no")
def test_is_skipped(): ...

@pytest.mark.skipif("one" in sys.argv, reason="no")
def test_runs_in_the_other_run(): ...

@every("row", ["a", "b"])
def test_rows(row):
    if row == "b":
        pytest.skip("no")
"""
CONFTEST = "from tests.ran import register as pytest_configure\n"


def run(folder, *words):
    (folder / "test_it.py").write_text(SOURCE.replace('"one" in sys.argv', str("one" in words)))
    (folder / "conftest.py").write_text(CONFTEST)
    command = [sys.executable, "-m", "pytest", "-c", str(folder / "none.toml"), "-q"]
    (folder / "none.toml").write_text("[tool.pytest.ini_options]\n")
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), ran.VARIABLE: str(folder / "ran")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_ran_in_no_run_is_listed_with_status_1(tmp_path, capsys):
    run(tmp_path, "one")
    run(tmp_path)

    assert nowhere.main(str(tmp_path / "ran")) == 1
    assert capsys.readouterr().out.splitlines() == [
        "ran nowhere: test_it.py::test_is_skipped",
        "ran nowhere: test_it.py::test_rows row: b",
        "2 tests and rows ran in none of 2 runs",
    ]


def test_status_is_0_if_all_ran_somewhere_and_1_without_a_run(tmp_path, capsys):
    assert nowhere.main(str(tmp_path)) == 1
    (tmp_path / "one.json").write_text(json.dumps({"a": False, "b": True}))
    (tmp_path / "two.json").write_text(json.dumps({"a": True}))
    assert nowhere.main(str(tmp_path)) == 0
    assert "0 tests and rows ran in none of 2 runs" in capsys.readouterr().out
