"""What surrounds the library says the same everywhere: metadata, gates, workflows, links."""

import importlib.util
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

import milo_schema

ROOT = Path(__file__).parents[1]
GITHUB = ROOT / ".github"
METADATA: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = METADATA["project"]
TOX = METADATA["tool"]["tox"]
ADDRESS = "https://example.org/owner/name"
RELATIVE = re.compile(r"\]\((?!https?:|#)([^)#]+)")
VERSION = re.compile(r"^Programming Language :: Python :: (3\.\d+)$")
VERSIONS = [match[1] for match in map(VERSION.match, PROJECT["classifiers"]) if match]


def text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


# -- versions ----------------------------------------------------------------------------------


def test_each_python_is_said_in_every_place():
    first, last = VERSIONS[0], VERSIONS[-1]

    assert len(VERSIONS) == 5
    assert PROJECT["requires-python"] == f">={first}"
    assert TOX["env_list"] == [f"py{version.replace('.', '')}" for version in VERSIONS]
    matrix = f"python: {str(VERSIONS).replace(chr(39), chr(34))}"
    assert matrix in text_of(".github/workflows/test.yml")
    assert matrix in text_of(".github/workflows/weekly.yml")
    assert f"CPython {first} to {last}" in text_of(".github/SECURITY.md")
    assert f"every Python from {first} to {last}" in text_of(".github/CONTRIBUTING.md")


def test_the_version_is_one():
    assert re.fullmatch(r"\d+\.\d+\.\d+", milo_schema.__version__)
    assert PROJECT["dynamic"] == ["version"]


def test_the_package_is_typed_and_needs_nothing():
    assert (Path(milo_schema.__file__).parent / "py.typed").read_bytes() == b""
    assert "Typing :: Typed" in PROJECT["classifiers"]
    assert PROJECT["dependencies"] == []


# -- gates -------------------------------------------------------------------------------------

COMMAND = re.compile(r"tox -e ([\w,-]+)")
ENVIRONMENTS = {*TOX["env"], *TOX["env_list"], "py"}


@pytest.mark.parametrize(
    "page",
    [*sorted(GITHUB.glob("*.md")), *sorted(GITHUB.glob("workflows/*.yml"))],
    ids=lambda page: page.name,
)
def test_every_environment_that_is_named_is_there(page):
    text = page.read_text(encoding="utf-8").replace("tox run ", "tox ")
    named = [name for names in COMMAND.findall(text) for name in names.split(",")]

    assert [name for name in named if name not in ENVIRONMENTS] == []


def test_every_gate_is_explained_to_contributors():
    rows = [line for line in text_of(".github/CONTRIBUTING.md").splitlines() if line[:1] == "|"]
    explained = [
        name for row in rows for names in COMMAND.findall(row) for name in names.split(",")
    ]

    assert sorted(explained) == sorted(TOX["labels"]["check"])


def test_every_environment_is_a_gate_or_weekly_or_a_benchmark():
    text = text_of(".github/workflows/weekly.yml")
    (listed,) = re.findall(r"environment: \[(.+)\]", text)
    weekly = {*listed.split(", "), *COMMAND.findall(text.replace("tox run ", "tox "))} - {"py"}
    others = {name for name in TOX["env"] if not name.startswith("bench")}

    assert weekly == others - {*TOX["labels"]["check"]}
    assert "tox run -m check " in text


def test_every_package_that_gates_ask_for_is_constrained():
    """``typing-extensions-lowest`` names the releases that it is about."""
    gates = {*TOX["labels"]["check"]} - {"typing-extensions-lowest"}
    extras = PROJECT["optional-dependencies"]
    asked = {*extras["test"], *extras["judges"]}.union(
        *(TOX["env"][name].get("deps", ()) for name in gates)
    )
    constrained = re.findall(r"^([\w-]+)==", text_of(".github/constraints.txt"), re.MULTILINE)
    names = {re.split(r"[^\w-]", each)[0].replace("_", "-") for each in asked}

    assert names - {*constrained} == set()


def test_every_environment_says_what_it_is_for():
    assert [name for name, env in TOX["env"].items() if not env.get("description")] == []


# -- links -------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", sorted(GITHUB.glob("*.md")), ids=lambda page: page.name)
def test_the_links_beside_the_workflows_lead_somewhere(page):
    targets = RELATIVE.findall(page.read_text(encoding="utf-8"))

    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.fixture
def stamp() -> Any:
    """The file that a release runs before it is built."""
    spec = importlib.util.spec_from_file_location("stamp", GITHUB / "stamp.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_links_of_a_release_lead_to_the_repository(stamp):
    text = "[a](docs/a.md#b) [c](https://c.org) [d](#d) ![e](.github/e.png)"

    assert stamp.absolute(text, ADDRESS, "v1") == (
        f"[a]({ADDRESS}/blob/v1/docs/a.md#b) [c](https://c.org) [d](#d) "
        f"![e]({ADDRESS}/blob/v1/.github/e.png)"
    )


def test_no_link_of_the_released_readme_is_relative(stamp):
    readme = text_of("README.md")
    released = stamp.absolute(readme, ADDRESS, "v1")

    assert "](" in readme
    assert RELATIVE.findall(released) == []
    assert stamp.absolute(released, "https://example.org/other", "v2") == released


def test_a_release_says_where_it_comes_from(stamp, tmp_path, monkeypatch):
    (tmp_path / "README.md").write_text("[a](a.md)", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n', encoding="utf-8")
    monkeypatch.setattr(stamp, "ROOT", tmp_path)

    stamp.main(*shlex.split(f"{ADDRESS} v1"))

    metadata = tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == f"[a]({ADDRESS}/blob/v1/a.md)"
    assert metadata["project"] == {
        "name": "x",
        "urls": {
            "Changelog": f"{ADDRESS}/blob/v1/CHANGELOG.md",
            "Documentation": f"{ADDRESS}/tree/v1/docs",
            "Issues": f"{ADDRESS}/issues",
            "Source": f"{ADDRESS}/tree/v1",
        },
    }
