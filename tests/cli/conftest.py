"""Each test of the command line has its own folder, and its imports are undone."""

import sys
from textwrap import dedent

import pytest

from tests.inside import __main__ as command_line


@pytest.fixture(autouse=True)
def clean_imports(monkeypatch):
    """Changes of the import system by a target are undone after the test."""
    monkeypatch.setattr(sys, "path", sys.path.copy())
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if not name.startswith("milo_schema"):  # loaded late, with classes that are kept
            del sys.modules[name]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Each test runs in its own folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    """Run the command line: exit status, standard output, standard error."""

    def call(*arguments):
        status = command_line.main([*map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture
def write(folder):
    """Write a file with some source; return its name for a target."""

    def make(name, source=""):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(source), encoding="utf-8")
        return name

    return make
