"""What each command does, once its options are read."""

from __future__ import annotations

import collections
import os
import sys
import warnings
from typing import Any

from milo_schema import (
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
)
from milo_schema.callables.inspected import name_of
from milo_schema.checks import check_function, check_set
from milo_schema.cli.imports import Silence, one_line
from milo_schema.cli.snapshots import Snapshot, changes, content_of, entry, read, write
from milo_schema.cli.targets import find, location
from milo_schema.wire import WIRE_FORMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator

    from milo_schema.checks import Finding
    from milo_schema.cli.targets import Found
    from milo_schema.cli.terminal import Console
    from milo_schema.tools import ToolSchema

    Json = dict[str, Any]
    Row = dict[str, Any]

__all__ = ["PROFILES", "check", "diff", "show", "snapshot"]

PROFILES = {name: getattr(profiles, name) for name in profiles.__all__ if name.isupper()}


# -- show --------------------------------------------------------------------------------------


def show(arguments: argparse.Namespace, console: Console) -> int:
    """Print the schemas or definitions of what the targets name."""
    functions = _functions(arguments.targets, console, members=False)
    warned: list[SchemaWarning] = []
    made = _made(functions, lambda found: _shown(found.func, arguments), console, warned)
    for warning in dict.fromkeys(map(str, warned)):
        console.tell(warning)
    is_one = len(arguments.targets) == 1 and any(found.is_named for found in functions.values())
    values = list(made.values())
    if not is_one:
        console.write_json(values if arguments.form else made, arguments.indent)
    elif values:
        console.write_json(values[0], arguments.indent)
    return 0


def _shown(func: Any, arguments: argparse.Namespace) -> Json | None:
    options: Any = {"strict": arguments.strict, "profile": PROFILES[arguments.profile]}
    if arguments.form:
        return WIRE_FORMS[arguments.form].write(tool_schema(func, **options))
    return (
        return_to_schema(func, **options)
        if arguments.output
        else function_to_schema(func, **options)
    )


# -- check -------------------------------------------------------------------------------------


def check(arguments: argparse.Namespace, console: Console) -> int:
    """Print what is missing or wrong in what the targets name."""
    functions = _functions(arguments.targets, console)
    profile = PROFILES[arguments.profile]
    made = _made(functions, lambda found: check_function(found.func, profile=profile), console)
    rows = [
        _row(name, functions[name], finding)
        for name, findings in made.items()
        for finding in findings
    ]
    if arguments.together:
        options = {"profile": profile}
        tools = _made(functions, lambda found: _tool(found.func, **options), console)
        rows += [_row("", None, each) for each in check_set(filter(None, tools.values()))]
    rows = [
        row
        for row in rows
        if row["code"] not in arguments.ignore
        and (not arguments.select or row["code"] in arguments.select)
    ]
    if arguments.json:
        console.write_json(rows)
    else:
        console.write("\n".join(_table(rows, len(functions), console)))
    return 1 if rows else 0


def _tool(func: Any, **options: Any) -> ToolSchema | None:
    try:
        return tool_schema(func, **options)
    except SchemaError:  # a finding says so
        return None


def _row(name: str, found: Found | None, finding: Finding) -> Row:
    """A finding, and where it belongs."""
    file, line = (None, None) if found is None else location(found)
    place = finding.place if found is None else _below(finding.place, found.func)
    return {
        "function": name,
        "file": file and _short(file),
        "line": line,
        "place": place,
        "code": finding.code,
        "message": finding.message,
    }


def _below(place: str, func: Any) -> str:
    """The place within a function: ``(x).name``, or nothing if it is the function."""
    full = name_of(func)
    name = full if place.startswith(full) else full.rpartition(".")[2]
    return place.removeprefix(name).strip()


def _short(file: str) -> str:
    """A file's path as seen from here, or from where it is imported."""
    folders = [os.getcwd(), *sorted(filter(None, sys.path), key=len, reverse=True)]  # noqa: PTH109
    for folder in folders:
        if file.startswith(os.path.join(folder, "")):  # noqa: PTH118 - text, not a path
            return file[len(folder) :].lstrip(os.sep)
    return file


def _table(rows: list[Row], count: int, console: Console) -> Iterator[str]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["function"], []).append(row)
    for name, group in groups.items():
        where = [str(part) for part in (group[0]["file"], group[0]["line"]) if part]
        title = console.paint(name or "together", "bold")
        yield f"{title}  {console.paint(':'.join(where), 'faint')}".rstrip()
        yield from console.table(_merged(group))
        yield ""
    codes = collections.Counter(row["code"] for row in rows)
    each = ", ".join(f"{number} {code}" for code, number in codes.most_common())
    total = f"{_count(count, 'function')}: {_count(len(rows), 'finding')}"
    yield f"{total} ({each})" if each else total


def _merged(rows: list[Row]) -> list[tuple[str, str]]:
    """Code and text of findings; what is said of several places is said once."""
    places: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        places.setdefault((row["code"], row["message"]), []).append(row["place"])
    return [
        (code, f"{', '.join(where)}: {message}" if any(where) else message)
        for (code, message), where in places.items()
    ]


def _count(number: int, word: str) -> str:
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"


# -- snapshot and diff -------------------------------------------------------------------------


def snapshot(arguments: argparse.Namespace, console: Console) -> int:
    """Write the schemas of what the targets name."""
    taken = _taken(arguments.targets, arguments.profile, console)
    if arguments.file == "-":
        console.write_json(content_of(taken))
    else:
        write(arguments.file, taken)
    return 0


def diff(arguments: argparse.Namespace, console: Console) -> int:
    """Print what changed since a snapshot was written."""
    old = read(arguments.file)
    new = _taken(arguments.targets, old.profile, console)
    found = changes(old, new)
    breaking = sum(change.breaks for change in found)
    if arguments.json:
        console.write_json([{**vars(change)} for change in found])
    else:
        for change in found:
            effect = console.paint(f"({change.effect})", "red" if change.breaks else "green")
            console.write(f"{change.path}: {change.message} {effect}")
        end = f", {breaking or 'none'} breaking" if found else ""
        console.write(f"{_count(len(found), 'change')}{end}")
    return 1 if breaking else 0


def _taken(targets: list[str], profile: str, console: Console) -> Snapshot:
    warned: list[SchemaWarning] = []
    functions = _functions(targets, console)
    made = _made(functions, lambda found: entry(found.func, PROFILES[profile]), console, warned)
    if places := len(dict.fromkeys(map(str, warned))):
        console.tell(f"{_count(places, 'place')} without a true schema; milo-schema check tells")
    return Snapshot(profile, made)


# -- what all of them do -----------------------------------------------------------------------


def _functions(
    targets: Iterable[str], console: Console, *, members: bool = True
) -> dict[str, Found]:
    """What the targets name, once each; two of one name are told apart by their modules."""
    found: dict[int, Found] = {}
    for target in targets:
        for each in find(
            target,
            tell=console.tell,
            fail=console.fail,
            progress=console.progress,
            members=members,
        ):
            found.setdefault(id(each.func), each)
    counts = collections.Counter(each.name for each in found.values())
    return {
        each.name if counts[each.name] == 1 else f"{each.module}:{each.name}": each
        for each in found.values()
    }


def _made(
    functions: dict[str, Found],
    make: Callable[[Found], Any],
    console: Console,
    warned: list[SchemaWarning] | None = None,
) -> Json:
    """What is made of each function; what cannot be made is told and left out."""
    made: Json = {}
    with Silence(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SchemaWarning)  # whatever -W says
        for name, found in functions.items():
            console.progress(f"{len(made)} of {len(functions)}: {name}")
            try:
                made[name] = make(found)
            except SchemaError as problem:
                outer = name.rpartition(name_of(found.func))[0]  # of ``api.run`` is ``run(x)``
                (console.fail if found.is_named else console.tell)(f"{outer}{problem}")
            except KeyboardInterrupt:
                raise
            except BaseException as problem:  # noqa: BLE001 - of a hook or annotation of theirs
                console.fail(f"{name}: {type(problem).__name__}: {one_line(problem)}")
    messages = [each.message for each in caught]
    if warned is not None:
        warned += [each for each in messages if isinstance(each, SchemaWarning)]
    return made
