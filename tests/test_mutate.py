"""The mutation check, ``python -m tests.tools.mutate``, on a package that is made up here."""

import gc
import pathlib
import re
import shutil
import subprocess
import sys
from typing import Any

import pytest

from tests.tools.mutate.code import Package
from tests.tools.mutate.swap import loaded_functions, replaced_code

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(sys.platform != "linux", reason="the mutation check forks processes"),
    pytest.mark.skipif(shutil.which("git") is None, reason="it asks git what changed"),
]
ROOT = pathlib.Path(__file__).parents[1]

PYPROJECT = """\
[tool.pytest]
testpaths = ["tests"]
pythonpath = ["."]
addopts = ["--import-mode=importlib", "-n", "auto"]
"""
SOURCE = """\
LIMITS = {"low": 3}


def is_small(number):
    return number < LIMITS["low"]


def is_even(number):
    return number % 2 == 0
"""
WEAK_TEST = """\
from milo_schema.numbers import is_even, is_small


def test_two_is_small_and_four_is_not():
    assert is_small(2)
    assert not is_small(4)


def test_zero_is_even():
    assert is_even(0)
    assert not is_even(1)
"""
STRONG_TEST = WEAK_TEST.replace("4)", "3)")


def git(folder, *arguments):
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path):
    """A checkout with the package and its weak test, committed."""
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (tmp_path / ".gitignore").write_text("/.mutate/\n__pycache__/\n")
    for folder, name, text in (
        ("milo_schema", "__init__.py", ""),
        ("milo_schema", "numbers.py", SOURCE),
        ("tests", "test_numbers.py", WEAK_TEST),
    ):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text(text)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "first")
    return tmp_path


def mutate(folder, *arguments):
    command = [sys.executable, "-m", "tests.tools.mutate", "--root", str(folder), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def rewrite(project, source, test):
    """Replace the module and its test."""
    (project / "milo_schema" / "numbers.py").write_text(source)
    (project / "tests" / "test_numbers.py").write_text(test)


def change(project):
    """Touch the line of ``is_small`` without changing its behavior."""
    file = project / "milo_schema" / "numbers.py"
    file.write_text(SOURCE.replace('LIMITS["low"]\n', 'LIMITS["low"]  # changed\n'))


@pytest.mark.slow
def test_a_change_whose_mutations_survive_is_reported_with_status_1(project):
    change(project)
    done = mutate(project, "--since", "HEAD")
    assert done.returncode == 1, done.stdout + done.stderr
    assert (
        "milo_schema/numbers.py:5: < -> <=\n"
        '    - return number < LIMITS["low"]  # changed\n'
        '    + return number <= LIMITS["low"]  # changed\n'
        "    no test fails\n"
    ) in done.stdout
    assert "milo_schema/numbers.py: 2 of 3 killed\n" in done.stdout


@pytest.mark.slow
def test_status_is_0_once_a_test_notices_every_mutation_of_the_change(project):
    change(project)
    (project / "tests" / "test_numbers.py").write_text(STRONG_TEST)
    done = mutate(project, "--since", "HEAD")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(
        "tracing 2 of 2 tests\nmilo_schema/numbers.py: 3 of 3 killed\n"
        "3 of 3 mutations killed (100.0%); 0 survived, 0 hung, 0 crashed; "
    )


@pytest.mark.slow
def test_only_new_or_affected_tests_are_traced_again(project):
    first = mutate(project, "--sample", "9")
    assert first.stdout.startswith("tracing 2 of 2 tests\n")
    change(project)
    (project / "milo_schema" / "more.py").write_text("LIMIT = 1\n")
    again = mutate(project, "--since", "HEAD")
    assert again.stdout.startswith("tracing 1 of 2 tests\n")


@pytest.mark.slow
def test_a_new_test_is_traced_on_lines_of_a_function_that_no_test_ran_before(project):
    source = "def sign(number):\n    if number < 0:\n        return -1\n    return 1\n"
    test = (
        "from milo_schema.numbers import sign\n\ndef test_sign_of_one():\n    assert sign(1) == 1\n"
    )
    rewrite(project, source, test)
    mutate(project, "--sample", "9")
    new = "\ndef test_sign_of_minus_one():\n    assert sign(-1) == -1\n"
    (project / "tests" / "test_signs.py").write_text(test.partition("\n\n")[0] + new)
    again = mutate(project, "--sample", "9")
    assert again.stdout.startswith("tracing 1 of 2 tests\n"), again.stderr
    assert "milo_schema/numbers.py: 2 of 3 killed\n" in again.stdout, again.stderr


@pytest.mark.slow
def test_a_table_and_an_endless_loop_are_mutated(project):
    rewrite(
        project,
        "STEPS = (1,)\n\n\ndef count(n):\n    while n > 0:\n        n -= STEPS[0]\n    return n\n",
        "from milo_schema.numbers import count\n\n\n"
        "def test_count_ends_at_zero():\n    assert count(2) == 0\n",
    )
    done = mutate(project, "--since", "HEAD", "--patience", "1")
    assert "STEPS = (2,)" in done.stdout  # 2 - 2 is 0, too
    assert "    a test hangs\n" in done.stdout  # and is not counted as killed
    assert re.search(r"; \d survived, [1-9] hung, 0 crashed; ", done.stdout)
    assert done.returncode == 1


@pytest.mark.slow
def test_a_crash_is_listed_and_tried_again(project):
    rewrite(
        project,
        "import os\n\n\ndef check(n):\n    if n > 1:\n        os._exit(3)\n",
        "from milo_schema.numbers import check\n\n\n"
        "def test_one_is_small():\n    assert check(1) is None\n",
    )
    for _ in range(2):
        done = mutate(project, "--since", "HEAD")
        assert "    the process ended: a crash, or no memory left\n" in done.stdout
        assert re.search(r", 0 hung, [1-9] crashed; ", done.stdout)
        assert done.returncode == 1


DOUBLED = """\
def doubled(n=2):
    return n * 2


LIMIT = doubled() - 1


def is_small(n):
    return n < LIMIT
"""
SMALL = """\
from milo_schema.numbers import is_small


def test_two_is_small_and_three_is_not():
    assert is_small(2)
    assert not is_small(3)
"""
RELOADING = f"""\
import importlib
from milo_schema import numbers
{SMALL}

def test_the_module_can_be_imported_anew():
    importlib.reload(numbers)
"""
READING = """\
from milo_schema import numbers


def test_the_limits_are_as_documented():
    assert numbers.LIMITS == (2, 3)
"""
AT_IMPORT = {
    "a function": (DOUBLED, SMALL),
    "a module that another test imports anew": (DOUBLED, RELOADING),
    "a table that a test reads": ("LIMITS = (2, 3)\n", READING),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", AT_IMPORT)
def test_code_that_only_runs_at_import_is_mutated(project, case):
    rewrite(project, *AT_IMPORT[case])
    done = mutate(project, "--since", "HEAD")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"numbers.py: ([1-9]\d*) of \1 killed\n", done.stdout)


@pytest.mark.slow
def test_the_fixtures_of_a_folder_are_those_of_each_of_its_files(project):
    rewrite(project, "LIMITS = (2, 3)\n", "")
    folder = project / "tests" / "deep"
    folder.mkdir()
    (folder / "conftest.py").write_text(
        "import pytest\n\n\n@pytest.fixture\ndef number():\n    return 1\n"
    )
    for name in "ab":
        (folder / f"test_{name}.py").write_text(
            "from milo_schema import numbers\n\n\n"
            f"def test_{name}_number_is_small(number):\n    assert number < numbers.LIMITS[0]\n"
        )
    done = mutate(project, "--since", "HEAD")
    assert "LIMITS = (3, 3)\n    no test fails\n" in done.stdout.replace("    + ", "")


def test_functions_are_found_that_the_garbage_collector_no_longer_lists(project):
    package = Package(project / "milo_schema")
    names: dict[str, Any] = {}
    path = project / "milo_schema" / "numbers.py"
    exec(compile(SOURCE, path, "exec"), names)
    is_small, is_even = names["is_small"], names["is_even"]
    gc.freeze()
    try:
        found = loaded_functions(package)
    finally:
        gc.freeze()  # as tests/conftest.py does
    assert found == {is_small.__code__: [is_small], is_even.__code__: [is_even]}


def test_a_mutation_inside_of_a_function_needs_no_new_start(project):
    source = "def small(numbers):\n    return [each for each in numbers if each < 3]\n"
    rewrite(project, source, "")
    path = str(project / "milo_schema" / "numbers.py")
    names: dict[str, Any] = {}
    exec(compile(source, path, "exec"), names)
    mutants = Package(project / "milo_schema").files[path].mutants
    assert {"return None", "< -> <="} <= {mutant.edit.what for mutant in mutants}
    functions = {names["small"].__code__: [names["small"]]}
    assert all(replaced_code(mutant, functions) for mutant in mutants)


def test_without_changes_the_status_is_0(project):
    done = mutate(project, "--since", "HEAD")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "nothing to mutate\n"


@pytest.mark.parametrize("arguments", [(), ("--since", "no-such-commit"), ("--sample", "many")])
def test_misuse_is_status_2(project, arguments):
    assert mutate(project, *arguments).returncode == 2


@pytest.mark.slow
def test_a_verdict_is_kept_until_a_test_changes(project):
    change(project)
    first = mutate(project, "--since", "HEAD").stdout.splitlines()
    (log,) = (project / ".mutate").glob("*/pytest.log")  # the folder is that of this Python
    log.unlink()
    again = mutate(project, "--since", "HEAD").stdout.splitlines()
    assert again[:-1] == first[1:-1]  # neither "tracing 2 of 2 tests" nor the same seconds
    assert not log.exists()
    (project / "tests" / "test_numbers.py").write_text(STRONG_TEST)
    assert mutate(project, "--since", "HEAD").returncode == 0
