"""Findings, and where each belongs in its file."""

import ast
import re
import tokenize
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from milo_schema.annotations.classes import is_class
from milo_schema.checks import Finding
from milo_schema.cli.imports import short
from milo_schema.cli.targets import Found, location

__all__ = ["Mark", "Report", "Row", "Source", "Sources", "row_of"]


class Row(NamedTuple):
    """A finding and its location, which is empty for a set of tools."""

    function: str
    target: str
    file: str | None
    line: int | None
    place: str
    code: str
    message: str


def row_of(name: str, found: Found | None, finding: Finding) -> Row:
    """A finding with the location of its function; without one if it is about the whole set."""
    if found is None:
        return Row("", "", None, None, finding.place, finding.code, finding.message)
    file, line = location(found)
    full = found.own_name
    called = full if finding.place.startswith(full) else full.rpartition(".")[2]
    place = finding.place.removeprefix(called).strip()
    return Row(name, found.target, file and short(file), line, place, finding.code, finding.message)


class Mark(NamedTuple):
    """A part of a line: its number, and its first column and the one after its last."""

    line: int
    start: int
    end: int


_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Node = _Definition | ast.expr | ast.arg
_DEFAULTS = ("default-misfit", "default-not-json")
_NAMES = (
    *("hidden-parameter", "no-annotation", "refused-name", "undescribed-parameter"),
    "unreachable-parameter",
)
"""The codes of findings that are about a default, or the name of a parameter."""


class Source(NamedTuple):
    """The definition of a function or class, and the lines of its file."""

    node: _Definition
    lines: list[str]

    @property
    def first(self) -> int:
        """The first line: that of a decorator, if there is one."""
        return min([self.node.lineno, *(each.lineno for each in self.node.decorator_list)])

    def header(self) -> Iterator[tuple[int, str]]:
        """The lines before the body, with their numbers."""
        last = max(self.node.lineno, self.node.body[0].lineno - 1)
        yield from enumerate(self.lines[self.first - 1 : last], self.first)

    def mark(self, place: str, code: str) -> Mark:
        """The part that a finding is about: a parameter, a default, the result, or the name."""
        name = place[1:].partition(")")[0]
        if place.startswith("()") or code == "no-output-schema":
            found = self._mark_of(getattr(self.node, "returns", None))
        elif code == "unknown-parameter":
            found = self._in_docstring(name)
        else:
            found = self._parameter(name, code)
        return found or self._own_name()

    def _own_name(self) -> Mark:
        start = self._column(self.node, "col_offset")
        rest = self._line(self.node)[start:]
        name = re.sub(r"^(async\s+)?\w+\s+", "", rest)
        return self._identifier(self.node, start + len(rest) - len(name))

    def _parameter(self, wanted: str, code: str) -> Mark | None:
        for name, node, annotation, default in _parts(self.node):
            if name == wanted:
                part = default if code in _DEFAULTS else annotation
                if part is not None and code not in _NAMES:
                    return self._mark_of(part)
                return self._identifier(node, self._column(node, "col_offset"))
        return None

    def _in_docstring(self, name: str) -> Mark | None:
        first = self.node.body[0]
        last = first.end_lineno if ast.get_docstring(self.node) else None
        for number in range(first.lineno, (last or 0) + 1):
            if found := re.search(rf"\b{re.escape(name)}\b", self.lines[number - 1]):
                return Mark(number, *found.span())
        return None

    def _identifier(self, node: _Node, start: int) -> Mark:
        """The identifier at a column, as it is written: ``ast`` has the normal form of it."""
        end, line = start + 1, self._line(node)
        while line[start : end + 1].isidentifier() and end < len(line):
            end += 1
        return Mark(node.lineno, start, end)

    def _mark_of(self, node: _Node | None) -> Mark | None:
        """A node, or the first of its lines."""
        if node is None:
            return None
        is_whole = node.end_lineno == node.lineno
        end = self._column(node, "end_col_offset") if is_whole else len(self._line(node).rstrip())
        return Mark(node.lineno, self._column(node, "col_offset"), end)

    def _line(self, node: _Node) -> str:
        return self.lines[node.lineno - 1]

    def _column(self, node: _Node, which: str) -> int:
        """A column in characters; ``ast`` counts the bytes in UTF-8."""
        return len(self._line(node).encode()[: getattr(node, which)].decode())


_Part = tuple[str, _Node, ast.expr | None, ast.expr | None]


def _parts(node: _Definition) -> Iterator[_Part]:
    """The parameters of a function or the fields of a class, with annotations and defaults."""
    if isinstance(node, ast.ClassDef):
        for field in node.body:
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                yield field.target.id, field.target, field.annotation, field.value
        return
    args = node.args
    plain = [*args.posonlyargs, *args.args]
    defaults = [*[None] * (len(plain) - len(args.defaults)), *args.defaults, *args.kw_defaults]
    every = [*zip([*plain, *args.kwonlyargs], defaults, strict=True)]
    every += [(each, None) for each in (args.vararg, args.kwarg) if each is not None]
    for each, default in every:
        yield each.arg, each, each.annotation, default


class Sources:
    """The sources that a command needs; each file is read only once."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._definitions: dict[str, dict[str | int, Source]] = {}

    def text(self, file: str) -> str:
        """The text of a Python file; empty if it cannot be read."""
        if file not in self._texts:
            self._texts[file] = _read(file) if file.endswith(".py") else ""
        return self._texts[file]

    def find(self, found: Found) -> list[Source]:
        """The definition of a function; of a class, its constructor and then the class itself."""
        file, line = location(found)
        if file is None:
            return []
        if file not in self._definitions:
            self._definitions[file] = _by_line_and_name(self.text(file))
        known = self._definitions[file]
        keys = [line, found.own_name] if line is None or is_class(found.func) else [line]
        return [known[key] for key in keys if key in known]


def _read(file: str) -> str:
    try:
        with tokenize.open(file) as opened:  # in the encoding that it declares
            return opened.read()
    except (OSError, SyntaxError, ValueError):
        return ""


def _by_line_and_name(text: str) -> dict[str | int, Source]:
    """The functions and classes in a source by their first lines and by their names."""
    lines = text.split("\n")
    found: dict[str | int, Source] = {}
    try:
        todo: list[tuple[str, ast.AST]] = [("", ast.parse(text))]
    except (SyntaxError, ValueError, RecursionError):  # it changed after it was imported
        return found
    for prefix, node in todo:
        for child in ast.iter_child_nodes(node):
            inner = prefix
            if isinstance(child, _Definition):
                source = Source(child, lines)
                found[prefix + child.name] = found[source.first] = source
                inner = f"{prefix}{child.name}." if isinstance(child, ast.ClassDef) else ""
            todo.append((inner, child))
    return found


class Report(NamedTuple):
    """The findings of a check, the functions that were checked, and their sources."""

    rows: list[Row]
    functions: Mapping[str, Found]
    sources: Sources

    def mark(self, row: Row) -> Mark | None:
        """The place of a finding in its file, if it is known."""
        found = self.functions.get(row.function)
        source: Any = next(iter(self.sources.find(found)), None) if found else None
        return source.mark(row.place, row.code) if source else None
