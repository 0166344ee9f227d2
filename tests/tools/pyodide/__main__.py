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

from docs.live.build import install, pyodide, run

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
STACK = 64  # MiB: by default, JavaScript's is full before Python's limit of recursion is reached


def main() -> int:
    """Install all that is needed in a folder that does not stay; the exit status is pytest's."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        distribution = pyodide(work)
        packages = work / "packages"
        install(packages, "-r", str(HERE / "requirements.txt"), str(wheel(work)))
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


if __name__ == "__main__":
    sys.exit(main())
