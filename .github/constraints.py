"""Renew the constraints of the gates: the newest release of every package that they install.

``python .github/constraints.py PYTHON...`` asks pip, which should be the newest, what it would
install for each of these interpreters, and writes ``constraints.txt`` beside this file.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
METADATA = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = ("test", "judges")
TOOLS = ("tox", "virtualenv")
UNCONSTRAINED = "typing-extensions-lowest"
HEAD = """\
# What the gates install (PIP_CONSTRAINT), so that a red gate means a change of ours. The weekly
# workflow installs the newest packages instead. Written by constraints.py; CONTRIBUTING says how.
"""


def requirements() -> list[str]:
    """What the gates ask for: the two extras, the environments, the build."""
    project, tox = METADATA["project"], METADATA["tool"]["tox"]
    environments = [tox["env"][name] for name in tox["labels"]["check"] if name != UNCONSTRAINED]
    return [
        *(each for extra in EXTRAS for each in project["optional-dependencies"][extra]),
        *(each for environment in environments for each in environment.get("deps", ())),
        *METADATA["build-system"]["requires"],
        *TOOLS,
    ]


def resolved(python: str, asked: list[str]) -> tuple[str, dict[str, str]]:
    """The version of an interpreter, and each package that pip would install for it."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", python, "install"]
    options = ["--dry-run", "--ignore-installed", "--report", "-"]
    report = json.loads(subprocess.check_output([*pip, *options, *asked]))  # noqa: S603 - pip
    found = [each["metadata"] for each in report["install"]]
    version = ".".join(report["environment"]["python_full_version"].split(".")[:2])
    return version, {normalized(each["name"]): each["version"] for each in found}


def normalized(name: str) -> str:
    """The name of a package as indexes spell it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def lines(found: dict[str, dict[str, str]]) -> list[str]:
    """One line for each package, or one for each Python where the versions differ."""
    every = sorted({name for packages in found.values() for name in packages})
    return [line for name in every for line in lines_of(name, found)]


def lines_of(name: str, found: dict[str, dict[str, str]]) -> list[str]:
    """The lines of one package."""
    releases = {python: each[name] for python, each in found.items() if name in each}
    if len(set(releases.values())) == 1:
        return [f"{name}=={next(iter(releases.values()))}"]
    return [
        f'{name}=={release}; python_version == "{python}"' for python, release in releases.items()
    ]


def main(*pythons: str) -> None:
    """Ask every interpreter, and write the file."""
    asked = requirements()
    found: dict[str, dict[str, str]] = dict(resolved(python, asked) for python in pythons)
    text = HEAD + "".join(f"{line}\n" for line in lines(found))
    (HERE / "constraints.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
