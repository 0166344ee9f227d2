"""The tests in WebAssembly: ``python -m tests.tools.pyodide`` runs them in Pyodide, under Node.js.

The library is the wheel that this checkout builds. Arguments are those of pytest; without any, all
tests run. Tests of features that WebAssembly lacks are skipped with a reason: see plugin.py.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from docs.live.build import pyodide, run

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
STACK = 64  # MiB: by default, JavaScript's is full before Python's limit of recursion is reached


def main() -> int:
    """Install all that is needed in a folder that does not stay; the exit status is pytest's."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        distribution = pyodide(work)
        packages = work / "packages"
        install(packages, wheel(work))
        module = (distribution / "pyodide.mjs").as_uri()
        _, most = resource.getrlimit(resource.RLIMIT_STACK)
        resource.setrlimit(resource.RLIMIT_STACK, (STACK * 2**20, most))
        node = ["node", f"--stack-size={(STACK - 4) * 2**10}"]
        command = [*node, str(HERE / "run.mjs"), module, str(packages), str(ROOT), *sys.argv[1:]]
        return subprocess.run(command, check=False).returncode


def wheel(work: Path) -> Path:
    """The library's wheel, built in *work*."""
    run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(work), str(ROOT)])
    (built,) = work.glob("milo_schema-*.whl")
    return built


def install(packages: Path, *wheels: Path) -> None:
    """Unpack wheels for WebAssembly where Node.js will find them."""
    platform = ["--implementation=cp", "--python-version=3.14", "--abi=cp314", "--abi=none"]
    platform += ["--platform=pyemscripten_2026_0_wasm32", "--platform=any"]
    requirements = ["-r", HERE / "requirements.txt", *wheels]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--only-binary=:all:", *platform]
    run([*map(str, [*pip, "--target", packages, *requirements])])


if __name__ == "__main__":
    sys.exit(main())
