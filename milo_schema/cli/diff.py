"""The commands ``snapshot`` and ``diff``: store schemas, and report what changed since."""

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from milo_schema.annotations import Json
from milo_schema.cli.formats import DIFF_FORMATS
from milo_schema.cli.functions import derive, find_functions, make_tool, options_of
from milo_schema.cli.options import FAIL_ON
from milo_schema.cli.servers import read_json, tools_in
from milo_schema.cli.snapshots import INPUT, OUTPUT, Snapshot, entry, format_json, parse, to_json
from milo_schema.cli.targets import Found
from milo_schema.cli.terminal import FINDINGS, NO_TOOLS, CommandError, Console, count, write_file
from milo_schema.compare import Change, compare
from milo_schema.compare.sides import ABSENT, change_of
from milo_schema.schemas.readings import Reading
from milo_schema.tools import ToolSchema

__all__ = ["diff", "snapshot"]


def snapshot(arguments: argparse.Namespace, console: Console) -> int:
    """Write the schemas of the targets to a file."""
    content = to_json(_take_snapshot(arguments.profile, arguments, console))
    if arguments.file == "-":
        console.write_json(content)
    else:
        write_file(arguments.file, format_json(content))
    return 0


def diff(arguments: argparse.Namespace, console: Console) -> int:
    """Print the changes since a snapshot was written."""
    old = _old_version(arguments, console)
    taken = _take_snapshot(old.profile, arguments, console)
    new = parse("the new version", to_json(taken))  # definitions have the same names as in a file
    changes = _compare(old, new)
    DIFF_FORMATS["json" if arguments.json else arguments.format](changes, console)
    failing = FAIL_ON[arguments.fail_on]
    return FINDINGS if any(change.effect in failing for change in changes) else 0


def _take_snapshot(profile: str, arguments: argparse.Namespace, console: Console) -> Snapshot:
    """The schemas of the targets."""
    functions = find_functions(arguments, console)
    options = options_of(arguments, console, profile)
    options["profile"] = options["profile"].replace(inline=False)
    derived = derive(functions, _entry, options, arguments, console)
    if derived.notices:
        places = f"{count(len(derived.notices), 'place')} without an exact schema"
        console.note(f"{places}; run milo-schema check for details")
    return Snapshot(profile, derived.results)


def _entry(found: Found, reading: Reading | None) -> Json:
    """The entry of a function in a snapshot, which has no name: APIs do not see it."""
    return entry(make_tool(found, reading, "function"))


def _old_version(arguments: argparse.Namespace, console: Console) -> Snapshot:
    """The version that callers know: a snapshot, an answer to ``tools/list``, or a revision."""
    if arguments.against:
        return _snapshot_at(arguments, console)
    content = read_json(arguments.file)
    tools = tools_in(content)
    if tools is None:
        return parse(arguments.file, content)
    definitions = {tool.name: entry(tool) for tool in map(ToolSchema.from_mcp, tools)}
    return Snapshot(arguments.profile, definitions)


# -- two snapshots -----------------------------------------------------------------------------


def _compare(old: Snapshot, new: Snapshot) -> list[Change]:
    """The changes between two snapshots, function by function."""
    changes: list[Change] = []
    for name in sorted(old.functions.keys() | new.functions.keys()):
        if name not in new.functions:
            changes.append(Change(name, "removed", "breaking"))
        elif name not in old.functions:
            changes.append(Change(name, "added", "compatible"))
        elif _text(old.functions[name]) != _text(new.functions[name]):  # most are unchanged
            changes += _compare_entries(name, old.functions[name], new.functions[name])
    return changes


def _text(value: Json) -> str:
    return json.dumps(value, sort_keys=True)


def _compare_entries(name: str, old: Json, new: Json) -> list[Change]:
    changes = [
        Change(name, change_of(key, old.get(key, ABSENT), new.get(key, ABSENT)), "reworded")
        for key in sorted((old.keys() | new.keys()) - {INPUT, OUTPUT})
        if old.get(key) != new.get(key)
    ]
    changes += compare(old[INPUT], new[INPUT], path=name)
    path = f"{name}() -> result"
    if OUTPUT in old and OUTPUT in new:
        changes += compare(old[OUTPUT], new[OUTPUT], path=path, output=True)
    elif OUTPUT in old:
        changes.append(Change(path, "no output schema any more", "breaking"))
    elif OUTPUT in new:
        changes.append(Change(path, "has an output schema", "compatible"))
    return changes


# -- a revision --------------------------------------------------------------------------------


def _snapshot_at(arguments: argparse.Namespace, console: Console) -> Snapshot:
    """A snapshot of the targets as they are in a git revision, below the current folder.

    A separate process takes it in a separate folder, so that modules are imported from there.
    """
    revision = arguments.against
    console.progress(f"looking at {revision}")
    with tempfile.TemporaryDirectory() as folder:
        archive = _run(["git", "archive", revision], os.getcwd())  # noqa: PTH109
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extraction_filter = getattr(tarfile, "data_filter", None)  # from 3.11.4 on
            files.extractall(folder)  # noqa: S202 - of the user's own repository
        words = [sys.executable, "-P", "-m", __name__.partition(".")[0], "snapshot", "-"]
        words += [*arguments.targets, "--isolated", "--quiet", "--allow-import-errors"]
        words += ["--profile", arguments.profile]
        words += ["--no-type-checking-imports"] * arguments.no_type_checking_imports
        words += [f"--exclude={each}" for each in arguments.exclude]
        words += [f"--exclude-parameter={each}" for each in arguments.exclude_parameter]
        content = json.loads(_run(words, folder) or "null")
    return parse(revision, content)


def _run(words: list[str], folder: str) -> bytes:
    """The output of a program that runs in a folder, with the same search path for modules."""
    here = os.getcwd()  # noqa: PTH109
    inner = [os.path.relpath(each, here) for each in sys.path if each.startswith(here)]
    roots = [os.path.join(folder, each) for each in (*inner, "src")]  # noqa: PTH118
    package = str(Path(__file__).parents[2])
    path = os.pathsep.join([*roots, package, os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    try:
        done = subprocess.run(  # noqa: S603 - git, or this program
            words, cwd=folder, env=environment, capture_output=True, check=False
        )
    except OSError as problem:
        raise CommandError(f"cannot run {words[0]}: {problem.strerror}") from None
    if done.returncode not in (0, NO_TOOLS):
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["it fails"]
        raise CommandError(lines[-1].removeprefix("milo-schema: ").removeprefix("fatal: "))
    return done.stdout
