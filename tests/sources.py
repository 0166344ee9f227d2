"""The sources of the package as syntax trees, and what they import."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

from typing_extensions import TypeIs

import milo_schema

PACKAGE = Path(milo_schema.__file__).parent
SOURCES = {
    # "tools", "cli.check"; "cli.__init__" for the __init__ of a folder
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts): path.read_text(encoding="utf-8")
    for path in sorted(PACKAGE.rglob("*.py"))
}
TREES = {name: ast.parse(text) for name, text in SOURCES.items()}
MODULES = {f"milo_schema.{name}".removesuffix(".__init__"): name for name in SOURCES}
"""Each source by the name of its module."""


@functools.cache
def nodes_of(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All nodes of a tree; to walk it takes far longer than what most tests do with a node."""
    return tuple(ast.walk(tree))


def file_of(name: str) -> str:
    """The path of a source, as messages name it: ``milo_schema/cli/check.py``."""
    return f"milo_schema/{name.replace('.', '/')}.py"


def is_for_type_checkers(node: ast.AST) -> TypeIs[ast.If]:
    """Whether it is ``if TYPE_CHECKING:``."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def statements(tree: ast.AST, *, typing_too: bool = False) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements of a source, also those within functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):
            continue  # there is none within an expression
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif is_for_type_checkers(node) and not typing_too:
            yield from statements(ast.Module(node.orelse, []))
        else:
            yield from statements(node, typing_too=typing_too)


def imports_of(tree: ast.AST, *, typing_too: bool = False) -> Iterator[str]:
    """The full names of the modules that a source imports, wherever it does.

    ``from folder import module`` is an import of the module, and not of names in the folder.
    """
    for node in statements(tree, typing_too=typing_too):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
            continue
        assert node.level == 0
        assert node.module is not None
        inner = [name for alias in node.names if (name := f"{node.module}.{alias.name}") in MODULES]
        yield from inner
        if len(inner) < len(node.names):
            yield node.module
