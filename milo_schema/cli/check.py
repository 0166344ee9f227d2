"""The command ``check``: print findings about functions, or what their tools cost."""

import argparse
import contextlib
import json
import re
from collections import Counter
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

from milo_schema import SchemaError
from milo_schema.checks import Cost, Finding, check_reading, check_tool, cost
from milo_schema.checks.tools import check_set
from milo_schema.cli.files import check_target, read_json, write_json
from milo_schema.cli.findings import Row, Sources, place_of, row_of, row_of_set, write_findings
from milo_schema.cli.functions import derive, find_functions, make_tool, options_of
from milo_schema.cli.terminal import FINDINGS, CommandError, Console, count, printable
from milo_schema.errors import FINDING_CODES, RESULT, nearest
from milo_schema.profile import Profile
from milo_schema.schemas.functions import Reading
from milo_schema.targets.functions import Found, location
from milo_schema.targets.imports import short
from milo_schema.tools.definition import ToolSchema

Checked = tuple[list[Finding], ToolSchema | None]


def check(arguments: argparse.Namespace, console: Console) -> int:
    """Print the findings about the targets."""
    functions = find_functions(arguments, console)
    sources = Sources()
    options = options_of(functions, arguments, console, parse=sources.parse)
    if arguments.cost:
        tools = derive(functions, _tool_or_none, options, arguments, console).results
        _print_costs({name: tool for name, tool in tools.items() if tool}, arguments, console)
        return 0
    profile, options = options.profile, options.replace(others="search", part="tool")
    given = profile if arguments.profile else None
    check_one = partial(_check_one, given, keeps_tool=arguments.together)
    checked = derive(functions, check_one, options, arguments, console).results
    rows = _rows(checked, functions, sources, console)
    if arguments.together:
        together = check_set([tool for _, tool in checked.values() if tool], profile)
        rows += [row_of_set(each) for each in together]
    wanted = {*(arguments.select or FINDING_CODES)}.difference(arguments.ignore)
    rows = [row for row in rows if row.code in wanted]
    if arguments.write_baseline:
        _write_baseline(rows, arguments, console)
        return 0
    if arguments.baseline:
        targets = {found.target for found in functions.values()}
        rows = _not_in_baseline(arguments.baseline, rows, targets, console)
    noun = "tool" if all(found.is_listed for found in functions.values()) else "function"
    checked_count = count(len(functions), noun) if functions else ""
    write_findings(rows, checked_count, arguments.format, console)
    return FINDINGS if rows else 0


def _rows(
    checked: Mapping[str, Checked],
    functions: Mapping[str, Found],
    sources: Sources,
    console: Console,
) -> list[Row]:
    """The findings, without those that comments ignore."""
    rows = []
    for name, (findings, _) in checked.items():
        if findings:
            found = functions[name]
            ignored = _codes_in_comments(found, sources, console)
            wanted = [each for each in findings if each.code not in ignored]
            where = place_of(found, sources)
            rows += [_of_server(found, row_of(name, found, each, where)) for each in wanted]
    return [*dict.fromkeys(rows)]


def _of_server(found: Found, row: Row) -> Row:
    """A finding; one about the draft that a schema declares is about the framework of the server.

    The author of the tools did not write it, and all of them have it.
    """
    if not found.is_listed or row.code != "other-dialect" or row.path not in _ROOTS:
        return row
    where = printable(found.module)
    return row._replace(function=where, target=where, path="")


_ROOTS = ("", RESULT)
"""The places of the schemas of a tool."""


def _check_one(
    profile: Profile | None, found: Found, reading: Reading | None, *, keeps_tool: bool
) -> Checked:
    """The findings about a function, and its tool if it has one in the profile's dialect.

    A tool keeps all that was read of its function, which would take memory, and time in which
    Python looks for garbage.
    """
    if isinstance(found.func, SchemaError):
        return [Finding(found.name, "no-schema", found.func.message)], None
    if reading is None:
        findings, tool = check_tool(found.func, profile)
        is_usable = True
    else:
        findings, tool = check_reading(reading)
        is_usable = tool is not None and tool.dialect == reading.profile.dialect
    return findings, tool if keeps_tool and is_usable else None


def _tool_or_none(found: Found, reading: Reading | None) -> ToolSchema | None:
    """The tool definition; ``None`` if there is none, which is a finding."""
    with contextlib.suppress(SchemaError):
        return make_tool(found, reading)
    return None


# -- ignored findings --------------------------------------------------------------------------

_COMMENT = re.compile(r"#\s*milo-schema:\s*ignore(?:\[([^\]]*)\])?")


def _codes_in_comments(found: Found, sources: Sources, console: Console) -> set[str]:
    """The codes that comments in the source of a function ignore; unknown ones are reported."""
    file, _ = location(found)
    ignored: set[str] = set()
    if file is None or not _COMMENT.search(sources.text(file)):  # parsing each would take long
        return ignored
    for source in sources.find(found):
        for number, line in source.header():
            if comment := _COMMENT.search(line):
                codes = set(re.findall(r"[^,\s]+", comment[1] or "")) or set(FINDING_CODES)
                ignored |= codes
                for code in sorted(codes.difference(FINDING_CODES)):
                    place = f"{short(file)}:{number}"
                    console.note(f"{place}: unknown code {code}{nearest(code, FINDING_CODES)}")
    return ignored


# -- the baseline ------------------------------------------------------------------------------

_HEAD = "milo_schema_baseline"


def _write_baseline(rows: list[Row], arguments: argparse.Namespace, console: Console) -> None:
    """Write findings to a file, to ignore them later even if lines or messages change."""
    file = arguments.baseline or "milo-schema-baseline.json"
    path = check_target(file, _HEAD, "a baseline")
    if console.status(arguments.allow_import_errors):
        console.note(f"{file} is not written")
        return
    findings: dict[str, dict[str, list[str]]] = {}
    for row in sorted(rows, key=lambda row: (row.target, row.code, row.path)):
        findings.setdefault(row.target, {}).setdefault(row.code, []).append(row.path)
    write_json(file, path, json.dumps({_HEAD: findings}, indent=1, ensure_ascii=False))
    console.note(f"wrote {count(len(rows), 'finding')} to {file}")


def _not_in_baseline(
    file: str, rows: list[Row], targets: Collection[str], console: Console
) -> list[Row]:
    """The rows that are not in a baseline; report its rows about *targets* that are gone."""
    listed = _read_baseline(file)
    new: list[Row] = []
    for row in rows:
        key = (row.target, row.code, row.path)
        if listed[key]:
            listed[key] -= 1
        else:
            new.append(row)
    gone = sum(number for (target, *_), number in listed.items() if target in targets)
    if gone:
        console.note(f"{file} lists {gone} that are gone; write it again with --write-baseline")
    return new


def _read_baseline(file: str) -> Counter[tuple[str, str, str]]:
    """How often a baseline lists each target, code and place."""
    if not Path(file).exists():
        raise CommandError(f"{file} does not exist; write it with --write-baseline")
    content = read_json(file)
    try:
        return Counter(
            (target, code, str(place))
            for target, codes in content[_HEAD].items()
            for code, places in codes.items()
            for place in places
        )
    except (LookupError, TypeError, AttributeError):
        raise CommandError(f"{file} is not a baseline; write one with --write-baseline") from None


# -- costs -------------------------------------------------------------------------------------


def _print_costs(
    tools: Mapping[str, ToolSchema], arguments: argparse.Namespace, console: Console
) -> None:
    """Print the characters and tokens of each part of each tool, the most expensive tool first."""
    costs = {name: cost(tool) for name, tool in tools.items()}
    total = Cost("total", sum(parts[0].characters for parts in costs.values()))
    rows = [
        (name, part.path.removeprefix(parts[0].path), part)
        for name, parts in sorted(costs.items(), key=lambda item: -item[1][0].characters)
        for part in parts
    ]
    if arguments.format == "json":
        listed = [{"tool": name, "path": path, **_numbers(part)} for name, path, part in rows]
        console.write_json({"costs": listed, "total": _numbers(total)})
    else:
        _print_table([*rows, ("total", "", total)], console)


def _print_table(rows: list[tuple[str, str, Cost]], console: Console) -> None:
    lines = [(f"  {printable(path)}" if path else name, part) for name, path, part in rows]
    width = max(len(name) for name, _ in lines)
    console.write(f"{'':{width}}  characters  tokens")
    for name, part in lines:
        padded = f"{name:{width}}"
        title = padded if name.startswith(" ") else console.paint(padded, "bold")
        console.write(f"{title}  {part.characters:>10,}  {part.tokens:>6,}")


def _numbers(part: Cost) -> dict[str, int]:
    return {"characters": part.characters, "tokens": part.tokens}
