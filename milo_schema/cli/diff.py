"""The commands ``snapshot`` and ``diff``: store schemas, and report what changed since."""

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from milo_schema import SchemaError
from milo_schema.annotations import Json
from milo_schema.cli.files import check_target, read_json, write_json
from milo_schema.cli.findings import Mark, Sources, place_of, write_report
from milo_schema.cli.functions import derive, find_functions, make_tool, options_of
from milo_schema.cli.options import FAIL_ON
from milo_schema.cli.terminal import FINDINGS, NO_TOOLS, CommandError, Console, count, printable
from milo_schema.compare import Change, snapshots
from milo_schema.compare.definitions import compare_all
from milo_schema.schemas.functions import Reading
from milo_schema.targets.functions import Found, by_name, find_listed, tools_in


def snapshot(arguments: argparse.Namespace, console: Console) -> int:
    """Write the schemas of the targets to a file."""
    file = arguments.file
    if file.endswith(".py") or Path(file).is_dir():
        words = f"milo-schema snapshot schemas.json {file}"
        raise CommandError(f"{file} is a target; FILE comes first, as in {words}")
    path = check_target(file, snapshots.HEAD, "a snapshot") if file != "-" else None
    content = snapshots.snapshot_to_json(_take_snapshot("", arguments, console).snapshot)
    is_complete = not console.status(arguments.allow_import_errors)
    if path is None and is_complete:
        console.write_json(content)
    elif path is not None and is_complete:
        write_json(file, path, snapshots.format_json(content))
    elif path is not None:
        console.note(f"{file} is not written")
    return 0


def diff(arguments: argparse.Namespace, console: Console) -> int:
    """Print the changes since a snapshot was written."""
    old = _old_version(arguments)
    taken = _take_snapshot(old.profile, arguments, console)
    new = taken.snapshot
    if old.profile:  # definitions have the same names as in a snapshot
        new = _parse("the new version", snapshots.snapshot_to_json(new))
    kept = {name: each for name, each in old.functions.items() if name not in taken.lost}
    found = compare_all(kept, new.functions)
    sources = Sources()
    rows = [
        _Row(
            each.replace(path=printable(each.path), message=printable(each.message)),
            *(place_of(taken.functions[name], sources) if name in taken.functions else ()),
        )
        for name, each in found
    ]
    _report(rows, arguments.format, console)
    failing = FAIL_ON[arguments.fail_on]
    return FINDINGS if any(row.change.effect in failing for row in rows) else 0


class _Row(NamedTuple):
    """A change, and the place of its function, if it is still there."""

    change: Change
    file: str | None = None
    line: int | None = None


class _Taken(NamedTuple):
    """A snapshot, its functions, and the names of those without a schema, which is a failure."""

    snapshot: snapshots.Snapshot
    functions: Mapping[str, Found]
    lost: set[str]


def _take_snapshot(profile: str, arguments: argparse.Namespace, console: Console) -> _Taken:
    """The schemas of the targets."""
    functions = find_functions(arguments, console)
    options = options_of(functions, arguments, console, profile)
    name = arguments.profile or ""
    name = name if ":" in name else options.profile.name
    options = options.replace(profile=options.profile.replace(inline=False))
    derived = derive(functions, _entry, options, arguments, console, needs_all=True)
    if derived.notices:
        places = f"{count(len(derived.notices), 'place')} without an exact schema"
        console.note(f"{places}; run milo-schema check for details")
    return _Taken(snapshots.Snapshot(name, derived.results), functions, derived.lost)


def _entry(found: Found, reading: Reading | None) -> Json:
    """The entry of a function in a snapshot, which has no name: APIs do not see it."""
    return snapshots.entry(make_tool(found, reading, "function"))


def _old_version(arguments: argparse.Namespace) -> snapshots.Snapshot:
    """The version that callers know: a snapshot, an answer to ``tools/list``, or a revision."""
    if arguments.against:
        return _snapshot_at(arguments)
    content = read_json(arguments.file)
    tools = tools_in(content)
    if tools is None:
        return _with_profile(_parse(arguments.file, content), arguments)
    listed = by_name([*find_listed(tools, arguments.file)], printable)
    return snapshots.Snapshot("", {name: _listed(name, each) for name, each in listed.items()})


def _with_profile(taken: snapshots.Snapshot, arguments: argparse.Namespace) -> snapshots.Snapshot:
    """A snapshot, if the profile that is given, if any, is its own."""
    given = arguments.profile or taken.profile
    if given not in (taken.profile, taken.profile.lower()):
        reason = f"has schemas of the profile {taken.profile}, not {given}"
        raise CommandError(f"{arguments.file} {reason}; write it again, or leave out --profile")
    return taken


def _parse(name: str, content: Any) -> snapshots.Snapshot:
    """Parse the content of a file as a snapshot."""
    try:
        return snapshots.parse_snapshot(content)
    except ValueError as problem:
        raise CommandError(f"{name} is not a snapshot: {problem}") from None


def _listed(name: str, found: Found) -> Json:
    try:
        return _entry(found, None)
    except SchemaError as problem:
        reason = str(problem).removeprefix(f"{name}: ")
        raise CommandError(f"cannot read {name} in {found.module}: {reason}") from None


# -- formats -----------------------------------------------------------------------------------


def _report(rows: list[_Row], form: str, console: Console) -> None:
    if form == "text":
        _diff_text([row.change for row in rows], console)
        return
    marks = [
        Mark(change.path, file, line, change.effect, printable(change), _LEVELS[change.breaks])
        for change, file, line in rows
    ]
    write_report(form, [_as_json(row.change) for row in rows], marks, _explanation, console)


_LEVELS = (("notice", "note"), ("error", "error"))


def _diff_text(changes: list[Change], console: Console) -> None:
    for change in changes:
        effect = console.paint(f"({change.effect})", "red" if change.breaks else "green")
        console.write(f"{change.path}: {change.message} {effect}{printable(change.proof)}")
    if not console.is_quiet and not console.has_failed:
        breaking = sum(change.breaks for change in changes)
        end = f", {breaking or 'none'} breaking" if changes else ""
        console.write(f"{count(len(changes), 'change')}{end}")


def _as_json(change: Change) -> Json:
    """A change, with its witness as a value, if there is one."""
    fields = {"path": change.path, "message": change.message, "effect": change.effect}
    return {**fields, "witness": json.loads(change.witness)} if change.witness else fields


def _explanation(effect: str) -> Json:
    return {"shortDescription": {"text": _MEANING[effect]}}


_MEANING = {
    "breaking": "a call or a result that was valid is not valid any more",
    "may break": "it cannot be decided whether the change breaks a call or a result",
    "compatible": "each call and each result stays valid",
    "reworded": "only text for people and models changed",
}


# -- a revision --------------------------------------------------------------------------------


def _snapshot_at(arguments: argparse.Namespace) -> snapshots.Snapshot:
    """A snapshot of the targets as they are in a git revision, below the current folder.

    A separate process takes it in a separate folder, so that modules are imported from there.
    """
    revision = arguments.against
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archive = _run(["git", "archive", revision], Path.cwd())
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extraction_filter = getattr(tarfile, "data_filter", None)  # from 3.11.4 on
            files.extractall(folder)
        words = [sys.executable, "-P", "-m", __name__.partition(".")[0], "snapshot", "-"]
        words += [*arguments.targets, "--isolated", "--quiet", "--allow-import-errors"]
        words += ["--profile", arguments.profile] if arguments.profile else []
        words += ["--no-type-checking-imports"] * arguments.no_type_checking_imports
        words += [f"--exclude={each}" for each in arguments.exclude]
        words += [f"--exclude-parameter={each}" for each in arguments.exclude_parameter]
        output = _run(words, folder)
    if not output:  # there were no tools
        return snapshots.Snapshot("", {})
    return _parse(revision, json.loads(output))


def _run(words: list[str], folder: Path) -> bytes:
    """The output of a program that runs in a folder, with the same search path for modules."""
    here = Path.cwd()
    inner = [Path(each).relative_to(here) for each in sys.path if Path(each).is_relative_to(here)]
    roots = [folder / each for each in (*inner, Path("src"))]
    package = Path(__file__).parents[2]
    path = os.pathsep.join(map(str, [*roots, package, os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "PYTHONPATH": path}
    try:
        done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, check=False)
    except OSError as problem:
        raise CommandError(f"cannot run {words[0]}: {problem.strerror}") from None
    if done.returncode not in (0, NO_TOOLS):
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["it fails"]
        raise CommandError(lines[-1].removeprefix("milo-schema: ").removeprefix("fatal: "))
    return done.stdout
