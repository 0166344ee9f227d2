"""The package as mutations see it: functions, other statements, and who uses their names.

Coverage shows which tests run a line of a function. The lines of a module or a class run once,
when it is imported; the tests that such a line concerns are those that run a line with one of the
names that it binds.
"""

import ast
import collections
import dataclasses
import functools
import hashlib
import operator
import pathlib
import types
from collections.abc import Callable, Iterator

import coverage

from tests.tools.mutate.operators import Edit, edits

COMPOUND = (ast.For, ast.If, ast.Match, ast.Try, ast.TryStar, ast.While, ast.With)


@dataclasses.dataclass(frozen=True)
class Unit:
    """A function with all that is in it, or a statement of a module or a class outside of one."""

    file: str
    first: int
    last: int
    digest: str
    names: tuple[str, ...] = ()
    """The names that a statement binds, including its class; empty for a function."""
    spans: tuple[tuple[int, int], ...] = ()
    """Lines of the statements in a function, and of the parts before their bodies."""

    @property
    def key(self) -> tuple[str, str]:
        return self.file, self.digest

    def statement(self, line: int) -> tuple[int, int]:
        """The lines of the innermost statement that this line is part of."""
        around = [span for span in self.spans if span[0] <= line <= span[1]]
        return max(around, default=(self.first, self.last))


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One mutation of one file."""

    file: "SourceFile"
    edit: Edit

    @functools.cached_property
    def source(self) -> bytes:
        return self.edit.apply(self.file.source)

    @property
    def lines(self) -> range:
        first = self.file.source.count(b"\n", 0, self.edit.start) + 1
        return range(
            first, first + self.file.source.count(b"\n", self.edit.start, self.edit.stop) + 1
        )

    @functools.cached_property
    def code(self) -> types.CodeType:
        return compile(self.source, str(self.file.path), "exec", dont_inherit=True)

    @property
    def subject(self) -> str:
        """The name of the module, in the singular: tests with it in their name may notice more."""
        path = self.file.path
        return (path.parent.name if path.stem == "__init__" else path.stem).removesuffix("s")

    def compiles_to_another(self) -> bool:
        try:
            return self.code != self.file.code
        except SyntaxError:
            return False

    def __str__(self) -> str:
        before = self.file.source.decode().splitlines()
        after = self.source.decode().splitlines()
        lines = [f"{self.file.name}:{self.lines[0]}: {self.edit.what}"]
        changed = [i for i, line in enumerate(before) if line != after[i]]
        lines += [f"    - {before[i].strip()}" for i in changed]
        lines += [f"    + {after[i].strip()}" for i in changed if after[i].strip()]
        return "\n".join(lines)


class SourceFile:
    """One file of the package."""

    def __init__(self, path: pathlib.Path, root: pathlib.Path) -> None:
        self.path = path
        self.name = path.relative_to(root).as_posix()
        self.source = path.read_bytes()
        self.text_lines = self.source.decode().splitlines()
        self.tree = ast.parse(self.source)
        self.units = list(self._units(self.tree.body, ()))

    @functools.cached_property
    def code(self) -> types.CodeType:
        return compile(self.source, str(self.path), "exec", dont_inherit=True)

    @functools.cached_property
    def mutants(self) -> list[Mutant]:
        """All mutations of this file, except in lines that are excluded from coverage."""
        measure = coverage.Coverage(data_file=None)
        excluded = set(measure.analysis2(str(self.path))[2])
        measure.get_data().close(force=True)  # or the next test gets its ResourceWarning
        every = (Mutant(self, edit) for edit in edits(self.source))
        return [mutant for mutant in every if mutant.lines[0] not in excluded]

    def _units(self, body: list[ast.stmt], owners: tuple[str, ...]) -> Iterator[Unit]:
        for node in body:
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            last = node.end_lineno or node.lineno
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                spans = sorted(_spans(node))
                yield self._unit(first, last, ".".join((*owners, node.name)), (), tuple(spans))
            elif isinstance(node, ast.ClassDef):
                names = (*owners, node.name)
                yield self._unit(first, node.body[0].lineno - 1, "", names)
                yield from self._units(node.body, names)
            else:
                bound = _stored(node) | _imported(node)
                yield self._unit(first, last, "", (*owners, *sorted(bound)))

    def _unit(self, first: int, last: int, place: str, names: tuple[str, ...], spans=()) -> Unit:
        text = "\n".join([place, *names, *self.text_lines[first - 1 : last]])
        digest = hashlib.sha256(text.encode()).hexdigest()
        return Unit(self.name, first, last, digest, names, spans)

    def unit(self, line: int) -> Unit | None:
        around = [unit for unit in self.units if unit.first <= line <= unit.last]
        return around[-1] if around else None


def _stored(node: ast.stmt) -> set[str]:
    names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}


def _imported(node: ast.stmt) -> set[str]:
    names = getattr(node, "names", []) if isinstance(node, ast.Import | ast.ImportFrom) else []
    return {alias.asname or alias.name.partition(".")[0] for alias in names}


def _spans(function: ast.AST) -> Iterator[tuple[int, int]]:
    for node in ast.walk(function):
        if isinstance(node, ast.stmt) and node is not function:
            body = getattr(node, "body", None) or getattr(node, "cases", None)
            if body is None:
                yield node.lineno, node.end_lineno or node.lineno
            else:
                first = body[0].pattern if isinstance(node, ast.Match) else body[0]
                yield node.lineno, max(first.lineno - 1, node.lineno)


def _mentioned(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
            return name
        case ast.alias(name=name):
            return name
    return ""


class Package:
    """All files of the package, and which lines mention which name."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.root = folder.parent
        paths = sorted(folder.rglob("*.py"))
        self.files = {str(path): SourceFile(path, folder.parent) for path in paths}
        self.mentions: dict[str, list[tuple[Unit, int]]] = collections.defaultdict(list)
        for file in self.files.values():
            for node in ast.walk(file.tree):
                line = getattr(node, "lineno", 0)
                if (unit := file.unit(line)) is not None:
                    self.mentions[_mentioned(node)].append((unit, line))

    def units(self) -> Iterator[Unit]:
        for file in self.files.values():
            yield from file.units

    def reached(self, bits: Callable[[Unit, int], int]) -> dict[str, int]:
        """The bits of the lines in functions that are reachable, by name, from each name."""
        found, binds = {}, {}
        for name, places in self.mentions.items():
            of_lines = (bits(unit, line) for unit, line in set(places) if unit.spans)
            found[name] = functools.reduce(operator.or_, of_lines, 0)
            binds[name] = {each for unit, _ in places if not unit.spans for each in unit.names}
        before = None
        while found != before:  # once for each step of the longest way
            before = dict(found)
            for name, names in binds.items():
                for each in names:
                    found[name] |= found.get(each, 0)
        return found
