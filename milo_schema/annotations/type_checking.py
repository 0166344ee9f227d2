"""Resolve names that modules import only for type checkers, under ``if TYPE_CHECKING:``.

They do not exist at run time. ``type_checking_imports()`` returns a mapping that imports such a
name when an annotation needs it. Callers have to ask for it: deriving a schema imports nothing.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Mapping

from milo_schema.annotations import Any, Iterator
from milo_schema.annotations.blocks import (
    Alias,
    ClassStatement,
    Definition,
    ImportedName,
    Module,
    definitions_of,
)
from milo_schema.annotations.classes import (
    MISSING,
    NOTHING,
    USER_CODE_ERRORS,
    NamesByModule,
    Unresolved,
    describe_error,
    shorten,
)


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

    __slots__ = ("_blocks", "_module", "names")

    def __init__(self, module: Module, names: Mapping[str, Any], blocks: dict[int, _Block]) -> None:
        self.names: Mapping[str, Any] = names
        self._module: Module = module
        self._blocks: dict[int, _Block] = blocks

    def of(self, module: Module) -> TypeCheckingImports:
        """The names that another module imports for type checkers."""
        return TypeCheckingImports(module, self.names, self._blocks)

    @property
    def note(self) -> str:  # type: ignore[override]  # of one module
        """A note about a missing name, which may come from ``from money import *``."""
        return "".join(f"; {str(each)!r} is not followed" for each in self._block.stars)

    @property
    def _block(self) -> _Block:
        key = id(self._module)  # the block keeps it alive
        if key not in self._blocks:
            self._blocks[key] = _Block(self._module)
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
        stars: The imports such as ``from money import *``.
    """

    __slots__ = ("_definitions", "_found", "_module", "stars")

    def __init__(self, module: Module) -> None:
        self.stars: list[ImportedName] = []
        self._module: Module = module
        self._found: dict[str, Any] = {}
        self._definitions: dict[str, list[Definition]] = {}
        for each in definitions_of(module):
            if isinstance(each, ImportedName) and each.name == "*":
                self.stars.append(each)
            else:
                self._definitions.setdefault(each.bound, []).append(each)

    def __contains__(self, name: object) -> bool:
        if name not in self._definitions or name not in self._module:
            return name in self._definitions
        has_package = isinstance(self._module[str(name)], types.ModuleType)
        return has_package and any(each.is_package for each in self._definitions[str(name)])

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._definitions if name in self)

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(name)
        if name not in self._found:
            self._found[name] = self._value(name)
        return self._found[name]

    def _value(self, name: str) -> Any:
        """The value of the first definition that works; otherwise a stand-in for the name."""
        found, failure = MISSING, ""
        for each in self._definitions[name]:
            if isinstance(each, ClassStatement):
                failure = failure or self._unknown_class(name)
            elif found is MISSING or each.is_package:  # import a.b and import a.c define one name
                try:
                    found = each.run(self._module)
                except USER_CODE_ERRORS as problem:
                    failure = failure or self._failure(each, name, problem)
        return Unresolved(name, failure) if found is MISSING else found

    def _unknown_class(self, name: str) -> str:
        shown, where = shorten(repr(name)), self._module.get("__name__", "its module")
        return (
            f"cannot evaluate {shown}: {where} defines this class for type checkers only; "
            f"define it at run time, or pass localns={{{shown}: ...}}"
        )

    def _failure(self, statement: ImportedName | Alias, name: str, problem: BaseException) -> str:
        shown, where = shorten(repr(name)), self._module.get("__name__", "its module")
        return (
            f"cannot evaluate {shown}: {str(statement)!r} in {where} raised "
            f"{describe_error(problem)}; make that import work, or pass localns={{{shown}: ...}}"
        )
