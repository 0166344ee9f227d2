"""Take snapshots of the targets in a git revision."""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
from pathlib import Path

from milo_schema.annotations import Late
from milo_schema.cli.snapshots import Snapshot, read
from milo_schema.cli.terminal import NOTHING, CommandError, Console

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
else:
    argparse = Late("argparse")

__all__ = ["taken_at"]


def taken_at(arguments: argparse.Namespace, console: Console) -> Snapshot:
    """Take a snapshot of the targets as they are in a git revision, below the current folder.

    A separate process takes it in a separate folder, so that modules are imported from there.

    Raises:
        CommandError: Git has no such revision, or the snapshot cannot be taken.
    """
    console.progress(f"looking at {arguments.against}")
    with tempfile.TemporaryDirectory() as folder:
        import tarfile

        archive = _output(["git", "archive", arguments.against], os.getcwd())  # noqa: PTH109
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extraction_filter = getattr(tarfile, "data_filter", None)  # from 3.11.4 on
            files.extractall(folder)  # noqa: S202 - of the user's own repository
        words = [
            sys.executable,
            "-P",
            "-m",
            __name__.partition(".")[0],
            "snapshot",
            "-",
            *arguments.targets,
        ]
        words += ["--isolated", "--quiet", "--allow-import-errors", "--profile", arguments.profile]
        if arguments.no_type_checking_imports:
            words.append("--no-type-checking-imports")
        for name in ("exclude", "exclude_parameter"):
            for each in getattr(arguments, name):
                words += [f"--{name.replace('_', '-')}", each]
        content = json.loads(_output(words, folder) or "null")
    return read(arguments.against, content)


def _output(words: list[str], folder: str) -> bytes:
    """The output of a program that runs in a folder, with the same search path for modules."""
    here = os.getcwd()  # noqa: PTH109
    inner = [os.path.relpath(each, here) for each in sys.path if each.startswith(here)]
    roots = [os.path.join(folder, each) for each in (*inner, "src")]  # noqa: PTH118
    package = str(Path(__file__).parents[2])
    path = os.pathsep.join([*roots, package, os.environ.get("PYTHONPATH", "")])
    import subprocess

    environment = {**os.environ, "PYTHONPATH": path}
    try:
        done = subprocess.run(  # noqa: S603 - git, or this program
            words, cwd=folder, env=environment, capture_output=True, check=False
        )
    except OSError as problem:
        raise CommandError(f"cannot run {words[0]}: {problem.strerror}") from None
    if done.returncode not in (0, NOTHING):
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["it fails"]
        raise CommandError(said[-1].removeprefix("milo-schema: ").removeprefix("fatal: "))
    return done.stdout
