"""Resolve names that modules import only for type checkers, under ``if TYPE_CHECKING:``.

They do not exist at run time. ``type_checking_imports()`` returns a mapping that imports such a
name when an annotation needs it. Callers have to ask for it: deriving a schema imports nothing. The
names are found in the source of a module, which is parsed and does not run.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ForwardRef, NamedTuple

from milo_schema.annotations.classes import (
    MISSING,
    NOTHING,
    USER_CODE_ERRORS,
    NamesByModule,
    Unresolved,
    describe_error,
    shorten,
)
from milo_schema.annotations.evaluation import is_reference, knows_its_module, text_of
from milo_schema.annotations.forms import is_form, split
from milo_schema.annotations.generics import are_same, rebuilt

Module = dict[str, Any]
Parse = Callable[[str], ast.Module]


def type_checking_imports(
    obj: object = None, *, names: Mapping[str, Any] = NOTHING
) -> Mapping[str, Any]:
    """The names that modules import under ``if TYPE_CHECKING:``, for ``localns=``.

    Aliases that a module defines there, such as ``Names = dict[str, Any]``, are included. An
    annotation gets the names of the module in which it was written, even if that is the module of
    a base class or of a nested record. A name is imported when an annotation needs it, unless the
    module has it at run time. If an import fails, the schema is only inexact where that name is
    used, and the message says why. Keep the mapping: it reads each module once.

    Args:
        obj: A function, class or module. The mapping itself contains only the names of its
            module, for code that uses it as a plain mapping, such as
            ``typing.get_type_hints()``.
        names: More names, which take precedence over those of every module.

    Returns:
        A mapping for ``localns=``.

    Example:
        >>> from milo_schema import function_to_schema, type_checking_imports
        >>> names = type_checking_imports(names={"Amount": float})
        >>> def pay(amount: "Amount"): ...
        >>> function_to_schema(pay, localns=names)["properties"]
        {'amount': {'type': 'number'}}
    """
    return TypeCheckingImports(_names_of(obj), names, {})


def _names_of(obj: Any) -> Module:
    """The names of the module of an object."""
    if isinstance(obj, types.FunctionType):
        return obj.__globals__
    module = obj if isinstance(obj, types.ModuleType) else getattr(obj, "__module__", None)
    found = sys.modules.get(module) if isinstance(module, str) else module
    return vars(found) if isinstance(found, types.ModuleType) else {}


class TypeCheckingImports(NamesByModule, Mapping[str, Any]):
    """The names that one module imports for type checkers; ``of()`` returns those of another.

    Attributes:
        names: Names that are the same in every module.
    """

    __slots__ = ("_blocks", "_module", "_parse", "names")

    def __init__(
        self,
        module: Module,
        names: Mapping[str, Any],
        blocks: dict[int, _Block],
        parse: Parse = ast.parse,
    ) -> None:
        self.names: Mapping[str, Any] = names
        self._module: Module = module
        self._blocks: dict[int, _Block] = blocks
        self._parse: Parse = parse

    def of(self, module: Module) -> TypeCheckingImports:
        """The names that another module imports for type checkers."""
        return TypeCheckingImports(module, self.names, self._blocks, self._parse)

    @property
    def note(self) -> str:  # type: ignore[override]  # of one module
        """A note about a missing name, which may come from ``from money import *``."""
        return "".join(f"; {each}" for each in self._block.failures)

    @property
    def _block(self) -> _Block:
        key = id(self._module)  # the block keeps it alive
        if key not in self._blocks:
            self._blocks[key] = _Block(self._module, self._parse)
        return self._blocks[key]

    def __contains__(self, name: object) -> bool:
        return name in self.names or name in self._block

    def __getitem__(self, name: str) -> Any:
        return self.names[name] if name in self.names else self._block[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**dict.fromkeys(self.names), **dict.fromkeys(self._block)})

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _Block:
    """The names that a module defines for type checkers, but does not have at run time.

    Attributes:
        failures: Why imports such as ``from money import *`` failed.
    """

    __slots__ = ("_definitions", "_found", "_module", "_stars", "failures")

    def __init__(self, module: Module, parse: Parse) -> None:
        self.failures: list[str] = []
        self._module: Module = module
        self._found: dict[str, Any] = {}
        self._stars: list[ImportedName] = []  # those that no name has been asked for yet
        self._definitions: dict[str, list[Definition]] = {}
        for each in _definitions_of(module, parse):
            if isinstance(each, ImportedName) and each.name == "*":
                self._stars.append(each)
            else:
                self._definitions.setdefault(each.defines, []).append(each)

    def __contains__(self, name: object) -> bool:
        if name not in self._definitions and not hasattr(builtins, str(name)):
            self._follow_stars()
        if name not in self._definitions or name not in self._module:
            return name in self._definitions
        has_package = isinstance(self._module[str(name)], types.ModuleType)
        return has_package and any(map(_is_package, self._definitions[str(name)]))

    def __iter__(self) -> Iterator[str]:
        self._follow_stars()
        return (name for name in self._definitions if name in self)

    def _follow_stars(self) -> None:
        """Add the names of ``from money import *``: those of ``__all__``, or the public ones."""
        stars, self._stars = self._stars, []
        for each in stars:
            try:
                found = vars(each.run(self._module))
                public = [name for name in found if not name.startswith("_")]
                names = [*map(str, found.get("__all__", public))]
            except USER_CODE_ERRORS as problem:
                self.failures.append(f"{str(each)!r} failed: {_why_it_failed(problem)}")
                continue
            for name in names:
                self._definitions.setdefault(name, [each._replace(name=name)])

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(name)
        if name not in self._found:
            self._found[name] = self._value(name)
        return self._found[name]

    def _value(self, name: str) -> Any:
        """The value of the first definition that works; otherwise a placeholder for the name."""
        found, failure = MISSING, ""
        for each in self._definitions[name]:
            if isinstance(each, ClassStatement):
                failure = failure or "this class is for type checkers only; define it at run time"
            elif found is MISSING or _is_package(each):  # import a.b and import a.c define one name
                try:
                    found = each.run(self._module)
                except USER_CODE_ERRORS as problem:
                    failure = failure or f"{_why_it_failed(problem)}; fix that"
        if found is not MISSING:
            return found
        where = self._module.get("__name__", "its module")
        return Unresolved(name, f"no {shorten(repr(name))} in {where}: {failure}, or pass localns=")


def _why_it_failed(problem: BaseException) -> str:
    """The reason why a definition failed, without the class if the text is clear alone."""
    reason = describe_error(problem)
    is_clear = type(problem) in (AttributeError, ModuleNotFoundError)
    return reason.partition(": ")[2] if is_clear else reason


# -- the source of a module ------------------------------------------------------------------------

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
    def defines(self) -> str:
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
            if self.name == "*":
                return module
            found = getattr(module, self.name)
            return _at_home(found, vars(module))
        package = __import__(self.module, names)
        return sys.modules[self.module] if self.alias else package


class Alias(NamedTuple):
    """A name for an annotation: ``Names = dict[str, Any]``.

    Attributes:
        defines: The name that it defines.
        text: The annotation.
    """

    defines: str
    text: str

    def run(self, names: Module) -> ForwardRef:
        """A forward reference, because the annotation may use more names for type checkers."""
        return _quoted(self.text, names)


class ClassStatement(NamedTuple):
    """A class that exists for type checkers only: its statement does not run.

    Attributes:
        defines: The name that it defines.
    """

    defines: str


Definition = ImportedName | Alias | ClassStatement


def _is_package(each: Definition) -> bool:
    """Whether it imports a submodule and binds its package: ``import a.b``."""
    if not isinstance(each, ImportedName):
        return False
    return not each.name and not each.alias and "." in each.module


def _quoted(text: str, names: Module) -> ForwardRef:
    """A forward reference that is evaluated with the names of a module."""
    return ForwardRef(text, module=names.get("__name__"))


def _at_home(tp: Any, names: Module) -> Any:
    """An alias, whose parts in quotes are evaluated with the names of the module that has it."""
    if is_reference(tp):
        return tp if knows_its_module(tp) else _quoted(text_of(tp), names)
    head, args = split(tp)
    if not args or is_form(head, "Literal"):
        return tp
    moved = tuple(_at_home(each, names) for each in args)
    return tp if are_same(moved, args) else rebuilt(tp, moved)


def _definitions_of(module: Module, parse: Parse) -> Iterator[Definition]:
    """The definitions for type checkers in the source of a module, in order.

    Args:
        module: The names of the module, among them ``__file__``.
        parse: Parses the source.
    """
    file = module.get("__file__")
    if not isinstance(file, str):
        return
    linecache.checkcache(file)  # the module may have been reloaded
    source = "".join(linecache.getlines(file, module))
    if not any(name in source for name in _CONSTANTS):
        return
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the file has changed
        return
    constants = {*_CONSTANTS, *_aliases(tree)}
    yield from _definitions_in(tree.body, constants, is_checking=False)


def _aliases(tree: ast.Module) -> Iterator[str]:
    """The names by which the module knows ``TYPE_CHECKING``."""
    todo: list[Any] = [tree]
    for node in todo:
        todo += statements_in(node)
        if isinstance(node, ast.ImportFrom):
            names = (each.asname for each in node.names if each.name in _CONSTANTS)
            yield from filter(None, names)


def statements_in(node: ast.AST) -> Iterator[ast.AST]:
    """The statements directly in a statement, its handlers and its cases.

    ``ast.iter_child_nodes()`` also gives expressions, which are most of a tree: leaving them out
    takes a twelfth of the time.
    """
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        if isinstance(inside := getattr(node, name, None), list):
            yield from inside


def _definitions_in(
    body: Iterable[ast.AST], constants: set[str], *, is_checking: bool
) -> Iterator[Definition]:
    """The definitions in some statements; *is_checking*: only type checkers read them."""
    for node in body:
        if isinstance(node, ast.If):
            checked, others = _branches(node, constants)
            yield from _definitions_in(checked, constants, is_checking=True)
            yield from _definitions_in(others, constants, is_checking=is_checking)
        elif isinstance(node, ast.Try | ast.TryStar | ast.With | ast.ExceptHandler):
            inside: Any = ast.iter_child_nodes(node)
            yield from _definitions_in(inside, constants, is_checking=is_checking)
        elif is_checking:
            yield from _definitions_by(node)


def _definitions_by(node: Any) -> Iterator[Definition]:
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
    elif type(node).__name__ == "TypeAlias" and not node.type_params:  # PEP 695, from 3.12 on
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
