"""Say where the repository is, before a release is built: only then is it known.

``python .github/stamp.py https://HOST/OWNER/NAME REVISION`` changes two files of the checkout,
to lead to the repository as of that revision:

- README.md, which a package index shows without the files beside it, links to those;
- pyproject.toml has the URLs of the project.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
RELATIVE = re.compile(r"(?<=\]\()(?!https?:|#)(?=[^)]+\))")

URLS = """
[project.urls]
Changelog = "{repository}/blob/{revision}/CHANGELOG.md"
Documentation = "{repository}/tree/{revision}/docs"
Issues = "{repository}/issues"
Source = "{repository}/tree/{revision}"
"""


def absolute(text: str, repository: str, revision: str) -> str:
    """A Markdown text of the repository's root whose links lead there from anywhere."""
    return RELATIVE.sub(f"{repository}/blob/{revision}/", text)


def main(repository: str, revision: str) -> None:
    """Change both files."""
    readme, metadata = ROOT / "README.md", ROOT / "pyproject.toml"
    text = absolute(readme.read_text(encoding="utf-8"), repository, revision)
    readme.write_text(text, encoding="utf-8")
    with metadata.open("a", encoding="utf-8") as file:
        file.write(URLS.format(repository=repository, revision=revision))


if __name__ == "__main__":
    main(*sys.argv[1:])
