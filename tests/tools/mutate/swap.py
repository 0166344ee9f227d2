"""Put a mutation in place: in the functions that are loaded, and in modules imported later."""

import collections
import gc
import importlib.machinery
import importlib.util
import inspect
import pathlib
import sys
import types

from tests.tools.mutate.code import Mutant, Package

Replaced = dict[types.CodeType, types.CodeType]
Functions = dict[types.CodeType, list[types.FunctionType]]


def loaded_functions(package: Package) -> Functions:
    """All functions of the package that exist now, by their code."""
    found = collections.defaultdict(list)
    gc.unfreeze()  # the collector does not list frozen objects
    for each in gc.get_objects():
        if type(each) is types.FunctionType and each.__code__.co_filename in package.files:
            found[each.__code__].append(each)
    return found


def replaced_code(mutant: Mutant, functions: Functions) -> Replaced | None:
    """The replacements for the code of loaded functions; None if other parts differ, too.

    A function may lose what it makes itself, such as a comprehension, as it is replaced whole.
    """
    replaced = {}
    pairs = [(mutant.file.code, mutant.code)]
    for old, new in pairs:  # grows while it is walked
        old_inner, new_inner = _inner(old), _inner(new)
        is_same = [code.co_qualname for code in old_inner] == [c.co_qualname for c in new_inner]
        if is_same:
            pairs += zip(old_inner, new_inner, strict=True)
        if old.co_flags & inspect.CO_OPTIMIZED:  # a function's code, not that of a module or class
            if old != new:
                replaced[old] = new
        elif not is_same or _without_inner(old) != _without_inner(new):
            return None
    fits = all(len(old.co_freevars) == len(new.co_freevars) for old, new in replaced.items())
    return replaced if fits and replaced.keys() & functions.keys() else None


def _inner(code: types.CodeType) -> list[types.CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]


def _without_inner(code: types.CodeType) -> types.CodeType:
    """Code without what is in it, nor the columns where that ends."""
    constants = [None if isinstance(c, types.CodeType) else c for c in code.co_consts]
    return code.replace(co_consts=tuple(constants), co_linetable=b"")


def replace_code(replaced: Replaced, functions: Functions) -> None:
    for old, new in replaced.items():
        for function in functions.get(old, ()):
            function.__code__ = new


class Mutated(importlib.machinery.SourceFileLoader):
    """Finds and loads one module of the package, mutated.

    It stands beside Python's own loaders: a function put into them would be in the tracebacks that
    tests compare, and those tests would fail.
    """

    def __init__(self, mutant: Mutant) -> None:
        parts = pathlib.Path(mutant.file.name).with_suffix("").parts
        super().__init__(".".join(parts).removesuffix(".__init__"), str(mutant.file.path))
        self.code = mutant.code

    def find_spec(self, fullname, path=None, target=None):
        if fullname != self.name:
            return None
        spec = importlib.util.spec_from_file_location(fullname, self.path)
        assert spec is not None
        spec.loader = self
        return spec

    def get_code(self, fullname):
        return self.code


def import_mutated(mutant: Mutant) -> None:
    """Later imports of the module get the mutation."""
    sys.meta_path.insert(0, Mutated(mutant))
