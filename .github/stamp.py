"""Write the address of the repository into every place that has it.

``[project.urls]`` of pyproject.toml is where the address is read from, by the documentation and by
tests. Until it is known, it has the placeholder OWNER.

``python .github/stamp.py https://github.com/owner/name`` replaces the address everywhere and puts
badges into README.md. Commit the result: that is all there is to do.

``python .github/stamp.py https://github.com/owner/name REVISION`` is what a release does before
its build: the links of README.md, which a package index shows without the files beside it, then
lead to that revision, too.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = ("pyproject.toml", "README.md", "docs/**/*.md", ".github/**/*.cff", ".github/**/*.yml")
RELATIVE = re.compile(r"(?<=\]\()(?!https?:|#)(?=[^)]+\))")
TRY = re.compile(r"(?<=\[Try it in your browser\]\()[^)]*(?=\))")
BADGES = re.compile(r"(?<=\A# milo_schema\n\n)(?:\[!\[.*\n)*\n?")
BADGES_TEXT = """\
[![PyPI](https://img.shields.io/pypi/v/milo-schema)](https://pypi.org/project/milo-schema/)
[![Python](https://img.shields.io/pypi/pyversions/milo-schema)](https://pypi.org/project/milo-schema/)
[![Tests]({repository}/actions/workflows/test.yml/badge.svg)]({repository}/actions/workflows/test.yml)
[![Documentation](https://img.shields.io/badge/docs-site-blue)]({site})

"""


def site(repository: str) -> str:
    """Return where the documentation of a repository is published: GitHub Pages."""
    found = re.fullmatch(r"https://github\.com/([\w.-]+)/([\w.-]+)", repository)
    return f"https://{found[1]}.github.io/{found[2]}/" if found else f"{repository}/tree/main/docs/"


def urls(repository: str) -> dict[str, str]:
    """Return the URLs of the project."""
    return {
        "Changelog": f"{repository}/blob/main/CHANGELOG.md",
        "Documentation": site(repository),
        "Issues": f"{repository}/issues",
        "Source": repository,
    }


def moved(text: str, old: str, new: str) -> str:
    """Return a text with the new address of the repository and of its site."""
    return text.replace(site(old), site(new)).replace(old, new)


def announced(readme: str, repository: str) -> str:
    """Return the README with badges, and with a link to the live page on the site."""
    badges = BADGES_TEXT.format(repository=repository, site=site(repository))
    return BADGES.sub(badges, TRY.sub(f"{site(repository)}live/", readme))


def absolute(text: str, repository: str, revision: str) -> str:
    """Return a Markdown text of the repository's root whose links lead there from anywhere."""
    return RELATIVE.sub(f"{repository}/blob/{revision}/", text)


def main(repository: str, revision: str = "") -> None:
    """Change every file that has the address."""
    repository = repository.removesuffix("/").removesuffix(".git")
    metadata = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    old = metadata["project"]["urls"]["Source"]
    for path in sorted({path for pattern in PLACES for path in ROOT.glob(pattern)}):
        text = before = path.read_text(encoding="utf-8")
        text = moved(text, old, repository)
        if path == ROOT / "README.md":
            text = announced(text, repository)
            text = absolute(text, repository, revision) if revision else text
        if text != before:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python .github/stamp.py https://github.com/owner/name [REVISION]")
    main(*sys.argv[1:])
