"""Test the built package as users get it: ``python -m tests.tools.unpacked FOLDER [OPTION...]``.

FOLDER has one sdist and one wheel. The wheel is looked at, and runs the README's example in an
empty environment; the sdist is unpacked, where its core of tests runs, with the options of pytest,
and all others are collected: they run from the same files elsewhere. Neither needs a network.
"""

import email
import os
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

from trove_classifiers import classifiers

EXAMPLE = "docs/examples/deploy.py:deploy"
LARGEST = 500_000
"""Bytes of the wheel: as much as a picture, and far more than it has."""


def main(folder: str, *options: str) -> int:
    """Look at both; the exit status is that of pytest."""
    (wheel,) = Path(folder).glob("*.whl")
    (sdist,) = Path(folder).glob("*.tar.gz")
    if problem := problem_of(wheel):
        sys.exit(f"{wheel.name} {problem}")
    with tempfile.TemporaryDirectory() as place, tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # from 3.11.4 on
        archive.extractall(place)
        (root,) = Path(place).iterdir()
        run_wheel(wheel.resolve(), f"{root / EXAMPLE}")
        return run_tests(root, options)


def problem_of(wheel: Path) -> str:
    """The problem with a wheel; empty if there is none."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (path,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(archive.read(path))
    if not wheel.name.endswith("-py3-none-any.whl"):
        return "is not pure"
    if wheel.stat().st_size > LARGEST:
        return f"has {wheel.stat().st_size} bytes, more than {LARGEST}"
    if unknown := set(metadata.get_all("Classifier", ())) - classifiers:
        return f"has classifiers that PyPI refuses: {sorted(unknown)}"
    return "" if "milo_schema/py.typed" in names else "has no py.typed"


def run_wheel(wheel: Path, example: str) -> None:
    """Run the example with the wheel, and nothing else, installed."""
    with tempfile.TemporaryDirectory() as place:
        venv.create(place)
        folder = Path(place, "Scripts" if os.name == "nt" else "bin")
        python = str(folder / "python")
        pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index"]
        subprocess.run([*pip, str(wheel)], check=True)
        for command in (
            [python, "-W", "error", "-m", "milo_schema", example],
            [str(folder / "milo-schema"), example],
            [python, "-c", "import milo_schema as m; assert 'site-packages' in m.__file__"],
        ):
            subprocess.run(command, cwd=place, env=without_path(), check=True)


def run_tests(root: Path, options: tuple[str, ...]) -> int:
    status = 0
    for chosen in (["-m", "core", *options], ["-m", "", "-n0", "--collect-only", "-qq"]):
        command = [sys.executable, "-m", "pytest", *chosen]
        status = (
            status or subprocess.run(command, cwd=root, env=without_path(), check=False).returncode
        )
    return status


def without_path() -> dict[str, str]:
    return {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
