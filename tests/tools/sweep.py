"""Everything in real packages of which ``tests/test_sweep.py`` derives schemas."""

import contextlib
import faulthandler
import functools
import importlib
import inspect
import os
import pkgutil
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from milo_schema import Profile, function_to_schema, profiles, return_to_schema
from tests.tools.fuzz.judge import Derivation


@contextlib.contextmanager
def watched(seconds: float, capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Print the traceback of code that takes longer than *seconds*, bypassing pytest's capture.

    pytest's ``faulthandler_timeout`` would do the same, and start a thread for every single test.
    """
    with capfd.disabled():
        stderr = os.dup(2)
    faulthandler.dump_traceback_later(seconds, file=stderr)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        os.close(stderr)


def modules_of(name: str, *, skip: frozenset[str] = frozenset()) -> Iterator[types.ModuleType]:
    """A module or package, and all that is in it and can be imported.

    Args:
        name: Its name.
        skip: Names, whole or their last part, of modules that are not imported: they are scripts.

    Yields:
        The modules.
    """
    module = imported(name)
    if module is None:
        return
    yield module
    for info in pkgutil.iter_modules(getattr(module, "__path__", ())):
        inner = f"{name}.{info.name}"
        if skip.isdisjoint((info.name, inner)):
            yield from modules_of(inner, skip=skip)


def imported(name: str) -> types.ModuleType | None:
    """A module, or ``None`` if it cannot be imported here."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(None):
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(name)
        except (Exception, SystemExit):
            return sys.modules.get(name)


def callables_in(module: types.ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions and classes that a module itself has, and the methods of the classes."""
    for name, value in sorted(vars(module).items(), key=lambda item: item[0]):
        if name.startswith("_") or not callable(value) or not is_of(value, module):
            continue
        yield f"{module.__name__}.{name}", value
        if issubclass(type(value), type):
            for attribute in sorted(type.__dict__["__dict__"].__get__(value)):
                if not attribute.startswith("_"):
                    method = inspect.getattr_static(value, attribute)
                    if type(method) in (staticmethod, classmethod):
                        method = method.__get__(None, value)
                    if type(method) in FUNCTIONS:  # isinstance() would ask a lazy object
                        yield f"{module.__name__}.{name}.{attribute}", method


FUNCTIONS = (
    types.FunctionType,
    types.MethodType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
)


def is_of(value: Any, module: types.ModuleType) -> bool:
    """Whether a module defines *value* itself, according to *value*."""
    if issubclass(type(value), type):
        home = type.__dict__["__module__"].__get__(value)
    else:
        home = inspect.getattr_static(value, "__module__", None)
    return not isinstance(home, str) or home == module.__name__


def derivations(
    name: str, func: Callable[..., Any], profile: Profile, *, strict: bool
) -> Iterator[Derivation]:
    """The schemas of the parameters and of the return value."""
    for make in (function_to_schema, return_to_schema):
        yield Derivation(name, functools.partial(make, func, profile=profile, strict=strict))


def all_derivations(name: str, func: Callable[..., Any]) -> Iterator[Derivation]:
    """Those of two profiles, strict and not."""
    for profile in (profiles.MILO, profiles.MCP):
        for strict in (False, True):
            yield from derivations(name, func, profile, strict=strict)
