"""Build the live page: ``python docs/live/build.py FOLDER`` fills a folder that any server serves.

The page needs Python in WebAssembly (the npm package ``pyodide``; package.json says which) and the
library's wheel. Neither is kept in the repository; both are put beside the page, so that it loads
nothing from anywhere else.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGE = ["index.html", "live.css", "live.mjs", "worker.mjs", "describe.py"]
PYTHON = [
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
]


def build(folder: Path) -> None:
    """Fill *folder* with the page and all that it needs; what else is in it stays."""
    (folder / "pyodide").mkdir(parents=True, exist_ok=True)
    for name in PAGE:
        shutil.copy(HERE / name, folder)
    with tempfile.TemporaryDirectory() as work:
        distribution = pyodide(Path(work))
        for name in PYTHON:
            shutil.copy(distribution / name, folder / "pyodide")
        shutil.copy(wheel(Path(work)), folder / "milo_schema.whl")  # one name for every version


def pyodide(work: Path) -> Path:
    """The npm package, installed in *work*."""
    shutil.copy(HERE / "package.json", work)
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("npm is not installed; it comes with Node.js")
    options = ["--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund"]
    run([npm, "install", "--loglevel=error", *options], cwd=work)
    return work / "node_modules" / "pyodide"


def wheel(work: Path) -> Path:
    """The library's wheel, built in *work*."""
    run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(work), str(ROOT)])
    (built,) = work.glob("milo_schema-*.whl")
    return built


def run(command: list[str], cwd: Path = ROOT) -> None:
    """Run a command; if it fails, so does the build, with what the command said."""
    done = subprocess.run(command, cwd=cwd, check=False)  # noqa: S603 - nothing of a stranger's
    if done.returncode:
        sys.exit(f"failed, with status {done.returncode}: {' '.join(command)}")


if __name__ == "__main__":
    if len(sys.argv) != 2:  # noqa: PLR2004 - this program and a folder
        sys.exit(f"usage: python {sys.argv[0]} FOLDER")
    build(Path(sys.argv[1]))
