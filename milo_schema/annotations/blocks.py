"""Names that a module defines under ``if TYPE_CHECKING:``, read without running them."""

from __future__ import annotations

import ast
import linecache
import sys
from typing import Any, ForwardRef, NamedTuple

from milo_schema.annotations import Iterable, Iterator
from milo_schema.annotations.classes import USER_CODE_ERRORS

Module = dict[str, Any]

_CONSTANTS = {"TYPE_CHECKING", "MYPY"}
"""The names that type checkers treat as true: the constants of ``typing`` and of mypy."""


class ImportedName(NamedTuple):
    """One name of an import statement.

    Attributes:
        module: The module; empty in ``from . import x``.
        name: What is imported from it; empty if it is the module itself.
        alias: The name after ``as``, if there is one.
        level: How many dots are before the module.
    """

    module: str
    name: str
    alias: str
    level: int

    @property
    def is_package(self) -> bool:
        """Whether it imports a submodule and binds its package: ``import a.b``."""
        return not self.name and not self.alias and "." in self.module

    @property
    def bound(self) -> str:
        """The name that it defines."""
        return self.alias or self.name or self.module.partition(".")[0]

    def __str__(self) -> str:
        origin = "." * self.level + self.module
        start = f"from {origin} import {self.name}" if self.name else f"import {origin}"
        return f"{start} as {self.alias}" if self.alias else start

    def run(self, names: Module) -> Any:
        """Import it in the way a module with these names would.

        Raises:
            BaseException: The import raised it.
        """
        if self.name:
            module = __import__(self.module, names, None, (self.name,), self.level)
            found = getattr(module, self.name)
            return _quoted(found, vars(module)) if isinstance(found, str) else found
        package = __import__(self.module, names)
        return sys.modules[self.module] if self.alias else package


class Alias(NamedTuple):
    """A name for an annotation: ``Names = dict[str, Any]``.

    Attributes:
        bound: The name that it defines.
        text: The annotation.
    """

    bound: str
    text: str

    @property
    def is_package(self) -> bool:
        """Whether it imports a submodule."""
        return False

    def __str__(self) -> str:
        return f"{self.bound} = {self.text}"

    def run(self, names: Module) -> ForwardRef:
        """A forward reference, because the annotation may use more names for type checkers."""
        return _quoted(self.text, names)


class ClassStatement(NamedTuple):
    """A class that exists for type checkers only: its statement does not run.

    Attributes:
        bound: The name that it defines.
    """

    bound: str

    @property
    def is_package(self) -> bool:
        """Whether it imports a submodule."""
        return False


Definition = ImportedName | Alias | ClassStatement


def _quoted(text: str, names: Module) -> ForwardRef:
    """A forward reference that is evaluated with the names of a module."""
    return ForwardRef(text, module=names.get("__name__"))


def definitions_of(module: Module) -> Iterator[Definition]:
    """The definitions for type checkers in the source of a module, in order.

    Args:
        module: The names of the module, among them ``__file__``.
    """
    file = module.get("__file__")
    source = "".join(linecache.getlines(file, module)) if isinstance(file, str) else ""
    if not any(name in source for name in _CONSTANTS):
        return
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the file has changed
        return
    constants = {*_CONSTANTS, *_aliases(tree)}
    yield from _definitions_in(tree.body, constants, is_checking=False)


def _aliases(tree: ast.Module) -> Iterator[str]:
    """The names by which the module knows ``TYPE_CHECKING``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (
                each.asname for each in node.names if each.asname and each.name in _CONSTANTS
            )


def _definitions_in(
    body: Iterable[ast.stmt], constants: set[str], *, is_checking: bool
) -> Iterator[Definition]:
    """The definitions in some statements; *is_checking*: only type checkers read them."""
    for node in body:
        if isinstance(node, ast.If):
            checked, others = _branches(node, constants)
            yield from _definitions_in(checked, constants, is_checking=True)
            yield from _definitions_in(others, constants, is_checking=is_checking)
        elif isinstance(node, ast.Try | ast.TryStar | ast.With):
            yield from _definitions_in(_statements(node), constants, is_checking=is_checking)
        elif is_checking:
            yield from _defined(node)


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements inside a compound statement, including those of its handlers."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.stmt):
            yield each
        elif isinstance(each, ast.ExceptHandler):
            yield from each.body


def _defined(node: ast.stmt) -> Iterator[Definition]:
    """The names that a statement defines: by imports, or by an alias of an annotation."""
    if isinstance(node, ast.Import):
        for each in node.names:
            yield ImportedName(each.name, "", each.asname or "", 0)
    elif isinstance(node, ast.ImportFrom):
        for each in node.names:
            yield ImportedName(node.module or "", each.name, each.asname or "", node.level)
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        yield Alias(node.targets[0].id, ast.unparse(node.value))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
        yield Alias(node.target.id, ast.unparse(node.value))
    elif isinstance(node, ast.ClassDef):
        yield ClassStatement(node.name)
    elif type(node).__name__ == "TypeAlias":  # PEP 695, from 3.12 on
        yield from _alias(node)


def _alias(node: Any) -> Iterator[Alias]:
    if not node.type_params:
        yield Alias(node.name.id, ast.unparse(node.value))


def _branches(node: ast.If, constants: set[str]) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The branch that only type checkers read, and the other branch that they read."""
    test = node.test
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        if _names_constant(test.operand, constants):
            return node.orelse, []
    elif _names_constant(test, constants):
        return node.body, node.orelse
    if (says := _value_of(test)) is not None:
        return [], node.body if says else node.orelse
    return [], [*node.body, *node.orelse]


def _names_constant(test: ast.expr, constants: set[str]) -> bool:
    """Whether a test is true only for type checkers: the constant, alone or in an ``and``."""
    if isinstance(test, ast.BoolOp):
        return any(_names_constant(each, constants) for each in test.values)
    if isinstance(test, ast.Attribute):
        return test.attr in constants
    return isinstance(test, ast.Name) and test.id in constants


def _value_of(test: ast.expr) -> bool | None:
    """The value of a test of the version or platform (PEP 484); ``None`` for any other test."""
    nodes = list(ast.walk(test))
    if any(isinstance(each, ast.Call) for each in nodes):
        return None
    if {each.id for each in nodes if isinstance(each, ast.Name)} != {"sys"}:
        return None
    code = compile(ast.Expression(test), "<test>", "eval")
    try:
        return bool(eval(code, {"sys": sys}))  # noqa: S307 - nothing is called
    except USER_CODE_ERRORS:
        return None
