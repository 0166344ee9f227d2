"""Copy the checkout as a release has it: ``python -m tests.tools.stamped FOLDER``.

The copy has the address of the repository and the commit in its links. In a workflow of GitHub,
both are known; elsewhere they are made up, so that every gate tests what a release does.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def main(folder: str) -> None:
    """Copy the files that git knows, and stamp them."""
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


if __name__ == "__main__":
    main(*sys.argv[1:])
