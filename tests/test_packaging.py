"""Everything around the library is consistent: metadata, gates, workflows, links."""

import importlib.util
import re
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

import milo_schema
from tests.tools import stamped

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


def test_each_supported_python_is_listed_everywhere():
    first, last = VERSIONS[0], VERSIONS[-1]

    assert len(VERSIONS) == 5
    assert PROJECT["requires-python"] == f">={first}"
    assert TOX["env_list"] == [f"py{version.replace('.', '')}" for version in VERSIONS]
    matrix = f"python: {str(VERSIONS).replace(chr(39), chr(34))}"
    assert matrix in text_of(".github/workflows/test.yml")
    assert matrix in text_of(".github/workflows/weekly.yml")
    assert f"CPython {first} to {last}" in text_of(".github/SECURITY.md")
    assert f"every Python from {first} to {last}" in text_of(".github/CONTRIBUTING.md")


def test_there_is_only_one_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", milo_schema.__version__)
    assert PROJECT["dynamic"] == ["version"]
    assert f"\nversion: {milo_schema.__version__}\n" in text_of(".github/CITATION.cff")
    assert f"    rev: v{milo_schema.__version__}\n" in text_of("docs/how-to/ci.md")


def test_only_the_tag_of_the_version_can_be_released():
    right = f"v{milo_schema.__version__}"

    assert stamped.problem_of("tag", right) == ""
    assert stamped.problem_of("branch", "main") == stamped.problem_of(None, None) == ""
    for wrong in (milo_schema.__version__, "v0.0.0", "main"):
        assert stamped.problem_of("tag", wrong) == (
            f"the tag {wrong!r} is not the version: {right!r} is"
        )


def test_hooks_of_the_guide_are_those_that_the_repository_provides():
    ids = r"^ *- id: (\S+)$"
    provided = re.findall(ids, text_of(".pre-commit-hooks.yaml"), re.MULTILINE)
    assert re.findall(ids, text_of("docs/how-to/ci.md"), re.MULTILINE) == provided
    assert provided == ["milo-schema-check", "milo-schema-diff"]


def test_the_package_is_typed_and_has_no_dependencies():
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
def test_every_named_environment_exists(page):
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


def gates_of(workflow: str) -> list[str]:
    """The gates in the matrix of a workflow, and those that it names in a command."""
    text = text_of(f".github/workflows/{workflow}").replace("tox run ", "tox ")
    (matrix,) = re.findall(r"        gate:.*\n((?: {10}- \S+\n)+)", text) or [""]
    named = [*re.findall(r"- (\S+)", matrix), *COMMAND.findall(text)]
    gates = TOX["labels"]["check"]
    return sorted(gate for names in named for gate in names.split(",") if gate in gates)


def test_every_gate_runs_once_for_each_push_and_once_a_week():
    gates = sorted(TOX["labels"]["check"])

    assert sorted(gates_of("test.yml") + gates_of("docs.yml")) == gates
    assert gates_of("weekly.yml") == gates


@pytest.mark.parametrize("workflow", sorted(GITHUB.glob("workflows/*.yml")), ids=lambda p: p.name)
def test_every_job_has_a_limit_of_time_and_nothing_cancels_a_run_on_main(workflow):
    text = workflow.read_text(encoding="utf-8")
    machines = text.count("    runs-on: ")

    assert machines > 0
    assert text.count("    timeout-minutes: ") == machines
    (cancels,) = re.findall(r"  cancel-in-progress: (.+)\n", text)
    assert cancels in ("false", "${{ github.ref != 'refs/heads/main' }}")


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


def test_every_environment_has_a_description():
    assert [name for name, env in TOX["env"].items() if not env.get("description")] == []


# -- links -------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", sorted(GITHUB.glob("*.md")), ids=lambda page: page.name)
def test_the_links_beside_the_workflows_have_targets(page):
    targets = RELATIVE.findall(page.read_text(encoding="utf-8"))

    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.fixture
def stamp() -> Any:
    """The file that writes the address of the repository into the others."""
    spec = importlib.util.spec_from_file_location("stamp", GITHUB / "stamp.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(stamp: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of every file that may have the address; `stamp` changes this copy."""
    for folder in ("docs", ".github"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("_build"))
    for name in ("README.md", "pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    monkeypatch.setattr(stamp, "ROOT", tmp_path)
    return tmp_path


def files_with(text: str, folder: Path) -> list[str]:
    """The files that have some text, but for those that are not text."""
    return [
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and text.encode() in path.read_bytes()
    ]


def test_the_urls_of_the_project_follow_from_one(stamp):
    assert stamp.urls(PROJECT["urls"]["Source"]) == PROJECT["urls"]


def test_the_site_of_a_repository_is_its_pages_on_github(stamp):
    assert stamp.site("https://github.com/some-one/name") == "https://some-one.github.io/name/"
    assert stamp.site(ADDRESS) == f"{ADDRESS}/tree/main/docs/"


def test_one_command_replaces_the_address_everywhere(stamp, checkout):
    old = PROJECT["urls"]["Source"]
    assert len(files_with(old, checkout)) >= 4

    stamp.main("https://github.com/some-one/name.git")

    assert files_with(old, checkout) == []
    assert files_with(stamp.site(old), checkout) == []
    metadata = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))
    assert metadata["project"]["urls"] == {
        "Changelog": "https://github.com/some-one/name/blob/main/CHANGELOG.md",
        "Documentation": "https://some-one.github.io/name/",
        "Issues": "https://github.com/some-one/name/issues",
        "Source": "https://github.com/some-one/name",
    }
    stamp.main(old)
    for path in ("pyproject.toml", ".github/CITATION.cff", "docs/command-line.md"):
        assert (checkout / path).read_text(encoding="utf-8") == text_of(path)


def test_the_readme_has_badges_and_the_live_page_once_the_address_is_known(stamp, checkout):
    for _ in range(2):  # the second time changes nothing
        stamp.main("https://github.com/some-one/name")
        readme = (checkout / "README.md").read_text(encoding="utf-8")

        assert readme.count("https://github.com/some-one/name/actions/workflows/test.yml)") == 1
        live = "https://some-one.github.io/name/live/"
        assert readme.count(f"[Try it in your browser]({live})") == 1
        assert readme.startswith("# milo_schema\n\n[![PyPI]")
        assert f"({stamp.site('https://github.com/some-one/name')})\n\n**JSON" in readme


def test_links_stay_relative_until_a_release(stamp, checkout):
    readme = checkout / "README.md"
    readme.write_text("[Tutorial](docs/tutorial.md)\n", encoding="utf-8")

    stamp.main("https://github.com/some-one/name")

    assert readme.read_text(encoding="utf-8") == "[Tutorial](docs/tutorial.md)\n"


def test_every_workflow_of_a_badge_exists(stamp):
    (workflow, *_) = re.findall(r"actions/workflows/(\w+\.yml)\)", stamp.BADGES_TEXT)
    assert (GITHUB / "workflows" / workflow).exists()


def test_links_of_a_release_lead_to_the_repository(stamp):
    text = "[a](docs/a.md#b) [c](https://c.org) [d](#d) ![e](.github/e.png)"

    assert stamp.absolute(text, ADDRESS, "v1") == (
        f"[a]({ADDRESS}/blob/v1/docs/a.md#b) [c](https://c.org) [d](#d) "
        f"![e]({ADDRESS}/blob/v1/.github/e.png)"
    )


def test_no_link_of_the_released_readme_is_relative(stamp, checkout):
    file = checkout / "README.md"
    # A release tests itself in a tree whose README has no relative links any more.
    file.write_text(f"{text_of('README.md')}\n[More](docs/more.md)\n", encoding="utf-8")

    stamp.main(*shlex.split(f"{ADDRESS} v1"))

    readme = file.read_text(encoding="utf-8")
    assert f"]({ADDRESS}/blob/v1/docs/more.md)" in readme
    assert RELATIVE.findall(readme) == []
    assert "OWNER" not in readme
