"""The formats of results: a table for each command that has several."""

import collections
import json
import re
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from milo_schema import __version__
from milo_schema.checks import CODES
from milo_schema.cli.findings import Mark, Report, Row
from milo_schema.cli.terminal import Console, count
from milo_schema.cli.texts import explanation_of
from milo_schema.compare import Change
from milo_schema.compare.sides import follow, label_of
from milo_schema.tools import ToolSchema

__all__ = ["CHECK_FORMATS", "DIFF_FORMATS", "SHOW_FORMATS"]


# -- check -------------------------------------------------------------------------------------


def _check_text(report: Report, console: Console) -> None:
    for name, group in _by_function(report.rows).items():
        title = console.paint(name or "together", "bold")
        where = ":".join(str(part) for part in (group[0].file, group[0].line) if part)
        console.write(f"{title}  {console.paint(where, 'faint')}" if where else title)
        console.write("\n".join([*console.table(_merge(group)), ""]))
    if report.functions and not console.is_quiet:
        each = ", ".join(f"{number} {code}" for code, number in _by_frequency(report.rows))
        total = f"{count(len(report.functions), 'function')}: {count(len(report.rows), 'finding')}"
        console.write("\n".join(console.wrap(f"{total} ({each})" if each else total)))


def _by_function(rows: list[Row]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.function, []).append(row)
    return groups


def _by_frequency(rows: list[Row]) -> list[tuple[str, int]]:
    """The number of findings for each code, the most frequent first."""
    return collections.Counter(row.code for row in rows).most_common()


def _merge(rows: list[Row]) -> list[tuple[str, str]]:
    """Codes and texts of findings, with the same text about several places merged."""
    places: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        places.setdefault((row.code, row.message), []).append(row.place)
    return [
        (code, f"{_enumerate(where)}: {message}" if any(where) else message)
        for (code, message), where in places.items()
    ]


def _enumerate(places: list[str]) -> str:
    return ", ".join(place or "the function" for place in places)


def _check_statistics(report: Report, console: Console) -> None:
    if counts := _by_frequency(report.rows):
        rows = [(f"{number:>6} {code}", CODES[code]) for code, number in counts]
        console.write("\n".join(console.table(rows)))


def _check_json(report: Report, console: Console) -> None:
    console.write_json([row._asdict() for row in report.rows])


def _message(row: Row) -> str:
    return f"{row.function}{row.place}: {row.message}"


def _check_github(report: Report, console: Console) -> None:
    for row in report.rows:
        where = {"file": row.file, "line": row.line}
        if mark := report.mark(row):
            where |= {"line": mark.line, "col": mark.start + 1, "endColumn": mark.end}
        console.write(_annotation("error", _message(row), title=row.code, **where))


def _annotation(level: str, text: str, **properties: Any) -> str:
    """A workflow command of GitHub Actions, which shows a text beside the line of a file."""
    known = [f"{key}={_escape(str(x), ':,')}" for key, x in properties.items() if x is not None]
    return f"::{level} {','.join(known)}::{_escape(text)}"


def _escape(text: str, more: str = "") -> str:
    for letter in f"%\r\n{more}":  # the percent sign is first, because escapes begin with it
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text


def _check_sarif(report: Report, console: Console) -> None:
    rules = [
        {
            "id": code,
            "shortDescription": {"text": CODES[code]},
            "help": dict.fromkeys(("text", "markdown"), explanation_of(code)),
        }
        for code in sorted({row.code for row in report.rows})
    ]
    driver = {"name": "milo-schema", "version": __version__, "rules": rules}
    results = [_sarif_result(row, report.mark(row)) for row in report.rows]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    console.write_json({"$schema": schema, "version": "2.1.0", "runs": [run]})


def _sarif_result(row: Row, mark: Mark | None) -> dict[str, Any]:
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": row.target}]}
    if row.file is not None:
        region = {"startLine": row.line or 1}
        if mark:
            columns = {"startColumn": mark.start + 1, "endColumn": mark.end + 1}
            region = {"startLine": mark.line, **columns}
        uri = urllib.parse.quote(row.file.replace("\\", "/"))
        location["physicalLocation"] = {"artifactLocation": {"uri": uri}, "region": region}
    message = {"text": _message(row)}
    return {"ruleId": row.code, "level": "warning", "message": message, "locations": [location]}


def _check_junit(report: Report, console: Console) -> None:
    failed = _by_function(report.rows)
    names = dict.fromkeys([*report.functions, *failed])
    totals = {"tests": str(len(names)), "failures": str(len(failed))}
    root = ET.Element("testsuites", totals)
    suite = ET.SubElement(root, "testsuite", {"name": "milo-schema check", **totals})
    for name in names:
        rows = failed.get(name, [])
        module = report.functions[name].module if name else "together"
        case = ET.SubElement(suite, "testcase", {"classname": module, "name": name or "together"})
        if rows:
            codes = ", ".join(dict.fromkeys(row.code for row in rows))
            failure = ET.SubElement(case, "failure", {"message": codes})
            failure.text = _NOT_XML.sub("\ufffd", "\n".join(map(_junit_line, rows)))
    ET.indent(root)
    console.write(ET.tostring(root, encoding="unicode"))


def _junit_line(row: Row) -> str:
    place = "".join(f"{part}:" for part in (row.file, row.line) if part) + " " if row.file else ""
    return f"{place}{_message(row)} [{row.code}]"


_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

CHECK_FORMATS: dict[str, Callable[[Report, Console], None]] = {
    "text": _check_text,
    "json": _check_json,
    "github": _check_github,
    "sarif": _check_sarif,
    "junit": _check_junit,
    "statistics": _check_statistics,
}


# -- diff --------------------------------------------------------------------------------------


def _diff_text(changes: list[Change], console: Console) -> None:
    for change in changes:
        effect = console.paint(f"({change.effect})", "red" if change.breaks else "green")
        console.write(f"{change.path}: {change.message} {effect}")
    if not console.is_quiet:
        breaking = sum(change.breaks for change in changes)
        end = f", {breaking or 'none'} breaking" if changes else ""
        console.write(f"{count(len(changes), 'change')}{end}")


def _diff_json(changes: list[Change], console: Console) -> None:
    console.write_json([{**vars(change)} for change in changes])


def _diff_github(changes: list[Change], console: Console) -> None:
    for change in changes:
        level = "error" if change.breaks else "notice"
        text = f"{change.path}: {change.message} ({change.effect})"
        console.write(_annotation(level, text, title=change.effect))


DIFF_FORMATS: dict[str, Callable[[list[Change], Console], None]] = {
    "text": _diff_text,
    "json": _diff_json,
    "github": _diff_github,
}


# -- show --------------------------------------------------------------------------------------


class _Field(NamedTuple):
    """A parameter, or a property at any depth inside one."""

    path: str
    name: str
    depth: int
    type: str
    is_required: bool
    default: str
    """As JSON; empty if there is none."""
    description: str
    """On one line."""


def _fields(schema: Any, root: Any, path: str = "", seen: tuple[int, ...] = ()) -> Iterator[_Field]:
    """The properties of a schema, each before its own properties; recursive ones only once."""
    for name, inner in schema.get("properties", {}).items():
        annotations, target = follow(inner, root)
        yield _Field(
            path + name,
            name,
            len(seen),
            label_of(target, root),
            name in schema.get("required", ()),
            json.dumps(annotations["default"], ensure_ascii=False)
            if "default" in annotations
            else "",
            " ".join(str(annotations.get("description", "")).split()),
        )
        items = target.get("items") if type(target) is dict else None
        below, step = (follow(items, root)[1], "[].") if type(items) is dict else (target, ".")
        if type(below) is dict and id(below) not in seen:
            yield from _fields(below, root, f"{path}{name}{step}", (*seen, id(below)))


def _show_tree(tools: Mapping[str, ToolSchema], console: Console) -> None:
    for name, tool in tools.items():
        summary = (tool.description or "").partition("\n")[0]
        console.write(f"{console.paint(name, 'bold')}  {summary}".rstrip())
        output = {"properties": {"->": tool.output_schema or {}}}
        fields = [
            *_fields(tool.input_schema, tool.input_schema),
            *_fields(output, tool.output_schema),
        ]
        rows = [("  " * field.depth + field.name, _summary(field)) for field in fields]
        console.write("\n".join([*console.table(rows), ""]))


def _summary(field: _Field) -> str:
    required = ", required" if field.is_required else ""
    default = f" = {field.default}" if field.default else ""
    return f"{field.type}{required}{default}  {field.description}".rstrip()


def _show_markdown(tools: Mapping[str, ToolSchema], console: Console) -> None:
    for name, tool in tools.items():
        console.write("\n\n".join([f"## {name}", *filter(None, [tool.description])]))
        fields = [*_fields(tool.input_schema, tool.input_schema)]
        if fields:
            head = "| Parameter | Type | Required | Description |"
            console.write(f"\n{head}\n| --- | --- | --- | --- |")
        for field in fields:
            default = f", default {_code(field.default)}" if field.default else ""
            is_required = "yes" if field.is_required else f"no{default}"
            cells = [_code(field.path), _code(field.type), is_required, _cell(field.description)]
            console.write(f"| {' | '.join(cells)} |")
        output = label_of(tool.output_schema or {}, tool.output_schema)
        console.write(f"\nReturns: {_code(output)}\n")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _code(text: str) -> str:
    return f"`{_cell(text)}`"


SHOW_FORMATS: dict[str, Callable[[Mapping[str, ToolSchema], Console], None]] = {
    "tree": _show_tree,
    "markdown": _show_markdown,
}
"""Apart from ``json``, which prints the schemas that the other options select."""
