"""Formats for printing results: a table for each command with several formats."""

from __future__ import annotations

import collections
import json
import re

from milo_schema import __version__
from milo_schema.annotations import Any, Callable, Iterable, Iterator, Mapping
from milo_schema.checks import CODES
from milo_schema.cli.codes import explained
from milo_schema.cli.pictures import picture
from milo_schema.cli.sources import Mark, Source, Sources
from milo_schema.comparison.bodies import follow
from milo_schema.comparison.labels import label_of
from milo_schema.frozen import Frozen
from milo_schema.tools import ToolSchema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.cli.findings import Row
    from milo_schema.cli.members import Found
    from milo_schema.cli.terminal import Console
    from milo_schema.compare import Change
else:
    Row = Found = Console = Change = Any

__all__ = ["CHECK_FORMATS", "DIFF_FORMATS", "SHOW_FORMATS", "Report"]


class Report(Frozen):
    """The findings of a check, the functions that were checked, and their sources."""

    rows: list[Row]
    functions: Mapping[str, Found]
    sources: Sources

    def source(self, row: Row) -> Source | None:
        """The source of the function that a finding is about, if it is known."""
        found = self.functions.get(row.function)
        return next(iter(self.sources.of(found)), None) if found else None

    def mark(self, row: Row) -> Mark | None:
        """The place of a finding in its file, if it is known."""
        source = self.source(row)
        return source.mark(row.place, row.code) if source else None


# -- check -------------------------------------------------------------------------------------


def _check_text(report: Report, console: Console) -> None:
    is_for_people = console.width is not None or console.has_colors
    (_check_full if is_for_people else _check_concise)(report, console)


def _check_full(report: Report, console: Console) -> None:
    _check_concise(report, console, _pictured)


def _pictured(group: list[Row], report: Report, console: Console) -> Iterable[str]:
    """The places of the findings in a function, drawn, if its source is known."""
    source = report.source(group[0])
    marks = [source.mark(row.place, row.code) for row in group] if source else []
    return picture(source.lines, marks, console) if source else []


def _check_concise(
    report: Report,
    console: Console,
    pictured: Callable[[list[Row], Report, Console], Iterable[str]] = lambda *_: (),
) -> None:
    for name, group in _by_function(report.rows).items():
        where = ":".join(str(part) for part in (group[0].file, group[0].line) if part)
        title = console.paint(name or "together", "bold")
        console.write(f"{title}  {console.paint(where, 'faint')}" if where else title)
        lines = [*pictured(group, report, console), *console.table(_merged(group)), ""]
        console.write("\n".join(lines))
    if report.functions and not console.is_quiet:
        each = ", ".join(f"{number} {code}" for code, number in _counts(report.rows))
        total = f"{count(len(report.functions), 'function')}: {count(len(report.rows), 'finding')}"
        console.write("\n".join(console.wrapped(f"{total} ({each})" if each else total)))


def _by_function(rows: list[Row]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.function, []).append(row)
    return groups


def _counts(rows: list[Row]) -> list[tuple[str, int]]:
    """The number of findings for each code, the most frequent first."""
    return collections.Counter(row.code for row in rows).most_common()


def _merged(rows: list[Row]) -> list[tuple[str, str]]:
    """Codes and texts of findings, with the same text about several places merged."""
    places: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        places.setdefault((row.code, row.message), []).append(row.place)
    return [
        (code, f"{_listed(where)}: {message}" if any(where) else message)
        for (code, message), where in places.items()
    ]


def _listed(places: list[str]) -> str:
    return ", ".join(place or "the function" for place in places)


def count(number: int, word: str) -> str:
    """A number with its noun: ``1 place``, ``2 places``, ``no places``."""
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"


def _statistics(report: Report, console: Console) -> None:
    if counts := _counts(report.rows):
        console.write(
            "\n".join(
                console.table([(f"{number:>6} {code}", CODES[code]) for code, number in counts])
            )
        )


def _check_json(report: Report, console: Console) -> None:
    console.write_json([row._asdict() for row in report.rows])


def _check_github(report: Report, console: Console) -> None:
    for row in report.rows:
        where = {"file": row.file, "line": row.line}
        if mark := report.mark(row):
            where |= {"line": mark.line, "col": mark.start + 1, "endColumn": mark.end}
        console.write(_annotation("error", _said(row), title=row.code, **where))


def _annotation(level: str, text: str, **properties: Any) -> str:
    """A workflow command of GitHub Actions, which shows a text beside the line of a file."""
    said = [f"{key}={_escaped(str(x), ':,')}" for key, x in properties.items() if x is not None]
    return f"::{level} {','.join(said)}::{_escaped(text)}"


def _escaped(text: str, more: str = "") -> str:
    for letter in f"%\r\n{more}":  # the percent sign is first, because escapes begin with it
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text


def _said(row: Row) -> str:
    return f"{row.function}{row.place}: {row.message}"


def _check_sarif(report: Report, console: Console) -> None:
    codes = sorted({row.code for row in report.rows})
    driver = {
        "name": "milo-schema",
        "version": __version__,
        "rules": [
            {
                "id": code,
                "shortDescription": {"text": CODES[code]},
                "help": {"text": explained(code), "markdown": explained(code)},
            }
            for code in codes
        ],
    }
    results = [_sarif_result(row, report.mark(row)) for row in report.rows]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    console.write_json({"$schema": schema, "version": "2.1.0", "runs": [run]})


def _sarif_result(row: Row, mark: Mark | None) -> dict[str, Any]:
    from urllib.parse import quote

    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": row.target}]}
    if row.file is not None:
        uri = quote(row.file.replace("\\", "/"))
        location["physicalLocation"] = {
            "artifactLocation": {"uri": uri},
            "region": {"startLine": row.line or 1} if mark is None else _region(mark),
        }
    return {
        "ruleId": row.code,
        "level": "warning",
        "message": {"text": _said(row)},
        "locations": [location],
    }


def _region(mark: Mark) -> dict[str, int]:
    return {"startLine": mark.line, "startColumn": mark.start + 1, "endColumn": mark.end + 1}


def _check_junit(report: Report, console: Console) -> None:
    from xml.etree import ElementTree as ET

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
            lines = "\n".join(f"{_place(row)}{_said(row)} [{row.code}]" for row in rows)
            failure = ET.SubElement(case, "failure", {"message": codes})
            failure.text = _NOT_XML.sub("\ufffd", lines)
    ET.indent(root)
    console.write(ET.tostring(root, encoding="unicode"))


def _place(row: Row) -> str:
    return "".join(f"{part}:" for part in (row.file, row.line) if part) + " " if row.file else ""


_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


CHECK_FORMATS: dict[str, Callable[[Report, Console], None]] = {
    "text": _check_text,
    "full": _check_full,
    "concise": _check_concise,
    "json": _check_json,
    "github": _check_github,
    "sarif": _check_sarif,
    "junit": _check_junit,
    "statistics": _statistics,
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


class _Field(Frozen):
    """A parameter, or a property at any depth inside one."""

    path: str
    name: str
    depth: int
    type: str
    is_required: bool
    annotations: dict[str, Any]

    @property
    def default(self) -> str:
        """The default as JSON; empty if there is none."""
        is_said = "default" in self.annotations
        return json.dumps(self.annotations["default"], ensure_ascii=False) if is_said else ""

    @property
    def description(self) -> str:
        """The description on one line."""
        return " ".join(str(self.annotations.get("description", "")).split())


def _fields(schema: Any, root: Any, path: str = "", seen: tuple[int, ...] = ()) -> Iterator[_Field]:
    """The properties of a schema, each before its own properties; recursive ones only once."""
    for name, inner in schema.get("properties", {}).items():
        annotations, end = follow(inner, root)
        type_name = label_of(end, root)
        is_required = name in schema.get("required", ())
        yield _Field(path + name, name, len(seen), type_name, is_required, annotations)
        items = end.get("items") if type(end) is dict else None
        below, step = (follow(items, root)[1], "[].") if type(items) is dict else (end, ".")
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
        rows = [("  " * field.depth + field.name, _told(field)) for field in fields]
        console.write("\n".join([*console.table(rows), ""]))


def _told(field: _Field) -> str:
    required = ", required" if field.is_required else ""
    default = f" = {field.default}" if field.default else ""
    return f"{field.type}{required}{default}  {field.description}".rstrip()


def _show_markdown(tools: Mapping[str, ToolSchema], console: Console) -> None:
    for name, tool in tools.items():
        console.write("\n\n".join([f"## {name}", *filter(None, [tool.description])]))
        fields = [*_fields(tool.input_schema, tool.input_schema)]
        if fields:
            console.write(
                "\n| Parameter | Type | Required | Description |\n| --- | --- | --- | --- |"
            )
        for field in fields:
            default = f", default {_code(field.default)}" if field.default else ""
            is_required = "yes" if field.is_required else f"no{default}"
            cells = [_code(field.path), _code(field.type), is_required, _cell(field.description)]
            console.write(f"| {' | '.join(cells)} |")
        console.write(
            f"\nReturns: {_code(label_of(tool.output_schema or {}, tool.output_schema))}\n"
        )


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _code(text: str) -> str:
    return f"`{_cell(text)}`"


SHOW_FORMATS: dict[str, Callable[[Mapping[str, ToolSchema], Console], None] | None] = {
    "json": None,  # of the schemas that the other options select
    "tree": _show_tree,
    "markdown": _show_markdown,
}
