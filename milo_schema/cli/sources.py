"""The source of functions and classes: its lines, and where a finding belongs in them."""

from __future__ import annotations

import re
from typing import NamedTuple

from milo_schema.annotations import Any, Iterator
from milo_schema.annotations.classes import is_class
from milo_schema.cli.members import Found
from milo_schema.cli.targets import location

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast

    Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    Node = Definition | ast.expr | ast.arg
    Part = tuple[str, Node, ast.expr | None, ast.expr | None]
else:
    Definition = Node = Part = Any

__all__ = ["Mark", "Source", "Sources"]


class Mark(NamedTuple):
    """A part of a line: its number, and its first column and the one after its last."""

    line: int
    start: int
    end: int


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

    def of(self, found: Found) -> list[Source]:
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
    import tokenize  # late, like ast below: most commands read no source

    try:
        with tokenize.open(file) as opened:  # in the encoding that it declares
            return opened.read()
    except (OSError, SyntaxError, ValueError):
        return ""


def _by_line_and_name(text: str) -> dict[str | int, Source]:
    """The functions and classes in a source by their first lines and by their names."""
    import ast

    lines = text.split("\n")
    found: dict[str | int, Source] = {}
    try:
        todo: list[Any] = [("", ast.parse(text))]
    except (SyntaxError, ValueError, RecursionError):  # it changed after it was imported
        return found
    for prefix, node in todo:
        for child in ast.iter_child_nodes(node):
            inner = prefix
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                source = Source(child, lines)
                found[prefix + child.name] = found[source.first] = source
                inner = f"{prefix}{child.name}." if isinstance(child, ast.ClassDef) else ""
            todo.append((inner, child))
    return found


class Source(NamedTuple):
    """The definition of a function or class, and the lines of its file."""

    node: Definition
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
        name, is_result = place[1:].partition(")")[0], place.startswith("()")
        if is_result or code == "no-output-schema":
            returns = getattr(self.node, "returns", None)
            return self._of(returns) if returns is not None else self._own_name()
        if code == "unknown-parameter":
            return self._in_docstring(name) or self._own_name()
        return self._parameter(name, code) or self._own_name()

    def _own_name(self) -> Mark:
        start = self._column(self.node, "col_offset")
        rest = self._line(self.node)[start:]
        name = re.sub(r"^(async\s+)?\w+\s+", "", rest)
        return self._identifier(self.node, start + len(rest) - len(name))

    def _parameter(self, wanted: str, code: str) -> Mark | None:
        for name, node, annotation, default in self._parts():
            if name == wanted:
                part = default if code in _OF_DEFAULTS else annotation
                if part is not None and code not in _OF_NAMES:
                    return self._of(part)
                return self._identifier(node, self._column(node, "col_offset"))
        return None

    def _parts(self) -> Iterator[Part]:
        """The parameters of a function or the fields of a class, with annotations and defaults."""
        import ast

        if isinstance(self.node, ast.ClassDef):
            for field in self.node.body:
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    yield field.target.id, field.target, field.annotation, field.value
            return
        args = self.node.args
        plain = [*args.posonlyargs, *args.args]
        defaults = [*[None] * (len(plain) - len(args.defaults)), *args.defaults, *args.kw_defaults]
        every = [*zip([*plain, *args.kwonlyargs], defaults, strict=True)]
        every += [(each, None) for each in (args.vararg, args.kwarg) if each is not None]
        for each, default in every:
            yield each.arg, each, each.annotation, default

    def _in_docstring(self, name: str) -> Mark | None:
        import ast

        first = self.node.body[0]
        last = first.end_lineno if ast.get_docstring(self.node) else None
        for number in range(first.lineno, (last or 0) + 1):
            if found := re.search(rf"\b{re.escape(name)}\b", self.lines[number - 1]):
                return Mark(number, *found.span())
        return None

    def _identifier(self, node: Node, start: int) -> Mark:
        """The identifier at a column, as it is written: ``ast`` has the normal form of it."""
        end, line = start + 1, self._line(node)
        while line[start : end + 1].isidentifier() and end < len(line):
            end += 1
        return Mark(node.lineno, start, end)

    def _of(self, node: Node) -> Mark:
        """A node, or the first of its lines."""
        is_whole = node.end_lineno == node.lineno
        end = self._column(node, "end_col_offset") if is_whole else len(self._line(node).rstrip())
        return Mark(node.lineno, self._column(node, "col_offset"), end)

    def _line(self, node: Node) -> str:
        return self.lines[node.lineno - 1]

    def _column(self, node: Node, which: str) -> int:
        """A column in characters; ``ast`` counts the bytes in UTF-8."""
        return len(self._line(node).encode()[: getattr(node, which)].decode())


_OF_DEFAULTS = ("default-misfit", "default-not-json")
_OF_NAMES = (
    *("hidden-parameter", "no-annotation", "refused-name", "undescribed-parameter"),
    "unreachable-parameter",
)
"""The codes of findings that are about a default, or the name of a parameter."""
