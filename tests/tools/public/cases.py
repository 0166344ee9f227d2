"""The public cases: those of tests/cases/ and tests/docstring_cases.py as JSON, for any library.

``python -m tests.tools.public.cases`` writes docs/_static/cases.json. A row has the source of an
annotation, that of everything it needs, and JSON values that the annotation accepts and rejects.
"""

import ast
import functools
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from tests import docstring_cases
from tests.cases import Case, Source

Json = dict[str, Any]

ROOT = Path(__file__).parents[3]
FILE = ROOT / "docs/_static/cases.json"
OURS = "tests.cases."
MARKERS = {"Ge", "Gt", "Le", "Lt", "MaxLen", "MinLen", "MultipleOf"}
"""Markers of ours that annotated_types has under the same name, with the same meaning."""
FAMILIES = {
    "plain": ("PRIMITIVES", "VALUES"),
    "enums": ("ENUMS",),
    "literals": ("LITERALS",),
    "unions": ("UNIONS",),
    "sequences": ("ARRAYS", "TUPLES"),
    "mappings": ("MAPPINGS",),
    "typed_dicts": ("TYPED_DICTS",),
    "named_tuples": ("NAMED_TUPLES",),
    "data_classes": ("DATACLASSES",),
    "generics": ("GENERICS",),
    "recursive": ("RECURSIVE",),
    "records": ("RECORDS",),
    "aliases": ("ALIASES",),
    "annotated": ("ANNOTATED", "GROUPED"),
}
"""The modules of tests/cases/, with the lists of rows that need no other package."""
CHOICES = ("bytes", "Buffer", "decimal", "fractions", "memoryview")
"""Rows with one of these in their source are left out: there is more than one good answer."""
FORM = {
    "types": (
        "a module of `setup` and `def tool(value: ANNOTATION) -> None: ...`; the schema of its"
        " arguments should accept {'value': each} for each value of `accepts`, and for none of"
        " `rejects`"
    ),
    "docstrings": (
        "a function with this docstring and a parameter, a `str`, for each name of `params`,"
        " which should have this description; other whitespace is as good"
    ),
}


class NotPublicError(Exception):
    """A row needs what other libraries do not know."""


@functools.cache
def definitions(module: str) -> dict[str, ast.stmt]:
    """The statements of a module that define or import its names."""
    found: dict[str, ast.stmt] = {}
    for node in ast.parse(Path(str(source_of(module))).read_text("utf-8")).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found[node.name] = node
        elif isinstance(node, ast.Assign):
            found |= {each.id: node for each in node.targets if isinstance(each, ast.Name)}
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {each.asname or each.name: node for each in node.names}
    return found


def source_of(module: str) -> str | None:
    return importlib.import_module(module).__file__


@functools.cache
def rank(module: str) -> int:
    """A number that is larger than those of the modules that it imports from."""
    statements = definitions(module).values()
    homes = {each.module for each in statements if isinstance(each, ast.ImportFrom)}
    return 1 + max((rank(each) for each in homes if each and each.startswith(OURS)), default=0)


def names_in(node: ast.AST) -> Iterator[str]:
    """The names in some source, those in strings included, which may be annotations."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Constant) and type(each.value) is str:
            try:
                yield from names_in(ast.parse(each.value, mode="eval"))
            except (SyntaxError, ValueError):
                continue


class Setup:
    """The statements that annotations of a module need."""

    def __init__(self, module: str, annotation: ast.AST) -> None:
        """Collect what one annotation needs."""
        self.imports: set[str] = set()
        self.bodies: dict[tuple[int, str, int], str] = {}
        self._needs(module, annotation)

    def __str__(self) -> str:
        """The text: imports first, and each definition after those that it needs."""
        bodies = [self.bodies[key] for key in sorted(self.bodies)]
        return "\n".join([*sorted(self.imports), *bodies])

    def _needs(self, module: str, node: ast.AST) -> None:
        used = {*names_in(node)} & vars(sys.modules[module]).keys()
        if used - definitions(module).keys() - {"__name__"}:
            raise NotPublicError(module)  # it is defined in a block
        for name in used & definitions(module).keys():
            statement = definitions(module)[name]
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                self._import(statement, name)
            elif (key := (rank(module), module, statement.lineno)) not in self.bodies:
                self.bodies[key] = ast.unparse(statement)
                self._needs(module, statement)

    def _import(self, statement: ast.Import | ast.ImportFrom, name: str) -> None:
        (alias,) = (each for each in statement.names if name in (each.asname, each.name))
        home = statement.module if isinstance(statement, ast.ImportFrom) else None
        if home and home.startswith(OURS):
            self._needs(home, ast.Name(alias.name))
            return
        if home == "milo_schema" and alias.name in MARKERS:
            home = "annotated_types"
        package = (home or alias.name).partition(".")[0]
        if package not in {*sys.stdlib_module_names, "annotated_types", "typing_extensions"}:
            raise NotPublicError(package)
        self.imports.add(f"{f'from {home} ' if home else ''}import {ast.unparse(alias)}")


def calls(module: ModuleType, name: str) -> Iterator[tuple[Case, ast.expr]]:
    """The rows of a list that are written out, each with the source of its annotation."""
    statement = definitions(module.__name__)[name]
    assert isinstance(statement, ast.Assign)
    assert isinstance(statement.value, ast.List)
    at = 0
    for node in statement.value.elts:
        if isinstance(node, ast.Starred):
            code = compile(ast.Expression(node.value), name, "eval")
            at += len([*eval(code, vars(module))])
        elif isinstance(node, ast.Call):
            yield vars(module)[name][at], node.args[0]
            at += 1


def row(module: str, case: Case, annotation: ast.expr) -> Json | None:
    """A row as JSON; ``None`` if another library cannot know what it means."""
    if case.mcp is None or case.types or case.refused or not case.accepts:
        return None
    python, _, version = case.needs.partition(">=")
    if python not in ("", "python"):
        return None
    if isinstance(case.annotation, Source):
        setup, text = case.annotation.text, "TYPE"
    else:
        setup, text = str(Setup(module, annotation)), ast.unparse(annotation)
    if "milo" in setup or any(each in f"{setup} {text}" for each in CHOICES):
        return None
    found = {"name": str(case), "setup": setup, "annotation": text, "python": version or "3.11"}
    return found | {"accepts": case.accepts, "rejects": case.rejects}


def types() -> Iterator[Json]:
    """The rows about types."""
    for family, lists in FAMILIES.items():
        module = importlib.import_module(OURS + family)
        for name in lists:
            for case, annotation in calls(module, name):
                try:
                    found = row(module.__name__, case, annotation)
                except NotPublicError:
                    continue
                if found:
                    yield {"family": family, **found}


def docstrings() -> Iterator[Json]:
    """The rows about docstrings."""
    for fact, (text, expected) in docstring_cases.PUBLIC.items():
        if expected.params and all(name.isidentifier() for name in expected.params):
            yield {"name": fact, "docstring": text, "params": expected.params}


def text() -> str:
    """The file: each row is a line."""
    parts = []
    for name, found in (("types", types()), ("docstrings", docstrings())):
        rows = ",\n".join(json.dumps(each, allow_nan=False) for each in found)
        parts.append(f'"{name}": [\n{rows}\n]')
    return "{\n" + ",\n".join([f'"form": {json.dumps(FORM)}', *parts]) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
