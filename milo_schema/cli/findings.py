"""Findings, where each belongs in its file, and the formats of reports."""

import ast
import collections
import tokenize
import urllib.parse
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import NamedTuple

from milo_schema import __version__
from milo_schema.annotations import Json
from milo_schema.annotations.classes import is_class
from milo_schema.annotations.type_checking import statements_in
from milo_schema.checks import Finding
from milo_schema.cli.terminal import Console, count, grouped, printable, workflow_command
from milo_schema.cli.texts import explanation_of
from milo_schema.errors import CODES
from milo_schema.targets.functions import Found, location
from milo_schema.targets.imports import short


class Row(NamedTuple):
    """A finding and its location, which is empty for a set of tools."""

    function: str
    target: str
    file: str | None
    line: int | None
    path: str
    code: str
    message: str


Where = tuple[str | None, int | None]
"""A file and a line, if they are known."""


def row_of_set(finding: Finding) -> Row:
    """A finding about a set of tools, which has no place."""
    path, message = printable(finding.path), printable(finding.message)
    return Row("", "", None, None, path, finding.code, message)


def row_of(name: str, found: Found, finding: Finding, where: Where) -> Row:
    """A finding, and where its function is."""
    full = found.own_name
    called = full if finding.path.startswith(full) else full.rpartition(".")[2]
    path = printable(finding.path.removeprefix(called).strip())
    message = printable(finding.message)
    return Row(name, printable(found.target), *where, path, finding.code, message)


def place_of(found: Found, sources: "Sources") -> Where:
    """The file and line of a function or class, as they are printed."""
    file, line = location(found)
    if line is None:  # a class without a constructor of its own
        line = next((each.first for each in sources.find(found)), None)
    return printable(short(file)) if file else None, line


_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class SourceFile(NamedTuple):
    """The definition of a function or class, and the lines of its file."""

    node: _Definition
    lines: list[str]

    @property
    def first(self) -> int:
        """The first line, which is the line of the first decorator if there is one."""
        return min([self.node.lineno, *(each.lineno for each in self.node.decorator_list)])

    def header(self) -> Iterator[tuple[int, str]]:
        """The lines before the body, with their numbers."""
        last = max(self.node.lineno, self.node.body[0].lineno - 1)
        yield from enumerate(self.lines[self.first - 1 : last], self.first)


class Sources:
    """The sources that a command needs; each file is read and parsed only once."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._trees: dict[str, ast.Module] = {}
        self._definitions: dict[str, dict[str | int, SourceFile]] = {}

    def parse(self, text: str) -> ast.Module:
        """The syntax tree of a source; parsing takes longer than anything else in a check."""
        if text not in self._trees:
            self._trees[text] = ast.parse(text)
        return self._trees[text]

    def text(self, file: str) -> str:
        """The text of a Python file; empty if it cannot be read."""
        if file not in self._texts:
            self._texts[file] = _read(file) if file.endswith(".py") else ""
        return self._texts[file]

    def find(self, found: Found) -> list[SourceFile]:
        """The definition of a function; of a class, its constructor and then the class itself."""
        file, line = location(found)
        if file is None:
            return []
        if file not in self._definitions:
            self._definitions[file] = self._by_line_and_name(self.text(file))
        known = self._definitions[file]
        keys = [line, found.own_name] if line is None or is_class(found.func) else [line]
        return [known[key] for key in keys if key in known]

    def _by_line_and_name(self, text: str) -> dict[str | int, SourceFile]:
        """The functions and classes in a source by their first lines and by their names."""
        lines = text.split("\n")
        found: dict[str | int, SourceFile] = {}
        try:
            todo: list[tuple[str, ast.AST]] = [("", self.parse(text))]
        except (SyntaxError, ValueError, RecursionError):  # it changed after it was imported
            return found
        for prefix, node in todo:
            for child in statements_in(node):
                inner = prefix
                if isinstance(child, _Definition):
                    source = SourceFile(child, lines)
                    found[prefix + child.name] = found[source.first] = source
                    inner = f"{prefix}{child.name}." if isinstance(child, ast.ClassDef) else ""
                todo.append((inner, child))
        return found


def _read(file: str) -> str:
    try:
        with tokenize.open(file) as opened:  # in the encoding that it declares
            return opened.read()
    except (OSError, SyntaxError, ValueError):
        return ""


# -- formats -----------------------------------------------------------------------------------


def write_findings(rows: list[Row], checked: str, form: str, console: Console) -> None:
    """Write a report about what was checked."""
    if form == "text":
        _check_text(rows, checked, console)
        return
    marks = [
        Mark(
            each.target, each.file, each.line, each.code, f"{_place(each)}: {each.message}", _LEVELS
        )
        for each in rows
    ]
    write_report(form, [each._asdict() for each in rows], marks, _explanation, console)


_LEVELS = ("error", "warning")


def _explanation(code: str) -> Json:
    help_of_code = dict.fromkeys(("text", "markdown"), explanation_of(code))
    return {"shortDescription": {"text": CODES[code]}, "help": help_of_code}


def _check_text(rows: list[Row], checked: str, console: Console) -> None:
    often = _in_many_functions(rows)
    _list([row for row in rows if (row.code, row.message) not in often], console)
    if often:
        console.write(console.paint("in many functions", "bold"))
        told = [
            (code, f"{count(len(same), 'place')}, such as {_place(same[0])}: {message}")
            for (code, message), same in often.items()
        ]
        console.write("\n".join([*console.table(told), ""]))
    if checked and not console.is_quiet:
        numbers = collections.Counter(row.code for row in rows).most_common()
        each = ", ".join(f"{number} {code}" for code, number in numbers)
        total = f"{checked}: {count(len(rows), 'finding')}"
        console.write("\n".join(console.wrap(f"{total} ({each})" if each else total)))


_ABOUT_TYPES = {"fallback", "unresolved-name"}
"""The codes of findings that are about a type, not about the function that uses it."""
_SEVERAL = 3
"""The most functions for each of which such a finding is listed."""


def _in_many_functions(rows: list[Row]) -> dict[tuple[str, str], list[Row]]:
    """The findings about types that many functions use, the most frequent first."""
    groups = grouped((row for row in rows if row.code in _ABOUT_TYPES), _SAID)
    often = {key: same for key, same in groups.items() if len(grouped(same, _FUNCTION)) > _SEVERAL}
    return dict(sorted(often.items(), key=lambda item: -len(item[1])))


def _list(rows: list[Row], console: Console) -> None:
    for name, group in grouped(rows, _FUNCTION).items():
        title = console.paint(name or "together", "bold")
        where = ":".join(str(part) for part in (group[0].file, group[0].line) if part)
        console.write(title if where in ("", name) else f"{title}  {console.paint(where, 'faint')}")
        console.write("\n".join([*console.table(_merge(group)), ""]))


_FUNCTION, _SAID = attrgetter("function"), attrgetter("code", "message")


def _merge(rows: list[Row]) -> list[tuple[str, str]]:
    """Codes and texts of findings, with the same text about several places merged."""
    merged = []
    for (code, message), same in grouped(rows, _SAID).items():
        places = ", ".join(dict.fromkeys(row.path or "the input" for row in same))
        has_place = any(row.path for row in same)
        merged.append((code, f"{places}: {message}" if has_place else message))
    return merged


def _place(row: Row) -> str:
    return f"{row.function}{row.path}"


class Mark(NamedTuple):
    """A finding or a change, as services show it beside a line.

    Attributes:
        name: What it is about.
        file: The file, if it is known.
        line: The line.
        code: The kind: the code of a finding, or the effect of a change.
        text: The message.
        levels: How serious it is, in the words of GitHub and in those of SARIF.
    """

    name: str
    file: str | None
    line: int | None
    code: str
    text: str
    levels: tuple[str, str]


def write_report(
    form: str, rows: list[Json], marks: list[Mark], explain: Callable[[str], Json], console: Console
) -> None:
    """Write a report in one of the formats for programs.

    Args:
        form: ``"json"``, ``"github"`` or ``"sarif"``.
        rows: The report as JSON.
        marks: The same for services.
        explain: Returns what SARIF says about all marks with a code.
        console: Writes it.
    """
    if form == "json":
        console.write_json(rows)
    elif form == "github":
        for _, file, line, code, text, (level, _) in marks:
            console.write(workflow_command(level, text, title=code, file=file, line=line))
    else:
        rules = [{"id": code, **explain(code)} for code in sorted({mark.code for mark in marks})]
        driver = {"name": "milo-schema", "version": __version__, "rules": rules}
        run = {"tool": {"driver": driver}, "results": [*map(_sarif_result, marks)]}
        schema = "https://json.schemastore.org/sarif-2.1.0.json"
        console.write_json({"$schema": schema, "version": "2.1.0", "runs": [run]})


def _sarif_result(mark: Mark) -> Json:
    location: Json = {"logicalLocations": [{"fullyQualifiedName": mark.name}]}
    if mark.file is not None:
        region = {"startLine": mark.line or 1}
        uri = urllib.parse.quote(mark.file.replace("\\", "/"))
        location["physicalLocation"] = {"artifactLocation": {"uri": uri}, "region": region}
    message = {"text": mark.text.replace("](", "] (")}  # which would be a link
    level = mark.levels[1]
    return {"ruleId": mark.code, "level": level, "message": message, "locations": [location]}
