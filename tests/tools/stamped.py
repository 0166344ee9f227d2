"""Copy the checkout as a release has it: ``python -m tests.tools.stamped FOLDER``.

The copy has the address of the repository and the commit in its links. In a workflow of GitHub,
both are known; elsewhere they are made up, so that every gate tests what a release does. The tag
of a release has to be the version: ``GITHUB_REF_TYPE=tag GITHUB_REF_NAME=v1.2.3`` rehearses that.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import milo_schema

ROOT = Path(__file__).parents[2]


def main(folder: str) -> None:
    """Copy the files that git knows, and stamp them."""
    if problem := problem_of(os.environ.get("GITHUB_REF_TYPE"), os.environ.get("GITHUB_REF_NAME")):
        sys.exit(problem)
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    for name in filter(None, names.stdout.decode().split("\0")):
        source, target = ROOT / name, Path(folder) / name
        if source.is_file():  # it may have been deleted since the last commit
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
    repository = os.environ.get("GITHUB_REPOSITORY", "someone/milo-schema")
    revision = os.environ.get("GITHUB_SHA", "0123456789abcdef")
    stamp = [sys.executable, ".github/stamp.py", f"{server}/{repository}", revision]
    subprocess.run(stamp, cwd=folder, check=True)


def problem_of(kind: str | None, name: str | None) -> str:
    """The problem with what is released; empty if it is no tag, or that of the version."""
    right = f"v{milo_schema.__version__}"
    if kind != "tag" or name == right:
        return ""
    return f"the tag {name!r} is not the version: {right!r} is"


if __name__ == "__main__":
    main(*sys.argv[1:])
