"""Schemas of everything in real packages, for the sweeps in ``test_sweep`` and ``long``."""

import contextlib
import faulthandler
import importlib
import inspect
import json
import os
import pkgutil
import sys
import time
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import jsonschema_rs
import pytest

from milo_schema import (
    Profile,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
)

PROFILES = (profiles.MILO, profiles.MCP)


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


# -- callables ---------------------------------------------------------------------------------


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


# -- results -----------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """One callable, under one profile, strict or not."""

    name: str
    result: str  # "schema", "error", or a problem
    schema: dict[str, Any] | None
    warned: list[SchemaWarning]
    seconds: float

    @property
    def is_right(self) -> bool:
        """Whether it is a schema, or an error with a path."""
        return self.result in ("schema", "error")


def derive(
    name: str,
    func: Callable[..., Any],
    *,
    profile: Profile,
    strict: bool,
    make: Callable[..., Any] = function_to_schema,
) -> Outcome:
    """The result of deriving a schema of *func*."""
    begin = time.thread_time()
    schema = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            schema = make(func, profile=profile, strict=strict)
            result = fault_of(schema) or "schema"
        except SchemaError as error:
            has_place = error.path or "a function" in error.message  # it is not even one
            result = "error" if has_place and error.message else f"no place: {error!r}"
        except BaseException as error:
            result = f"raised {error!r}"
    warned = [each.message for each in caught if isinstance(each.message, SchemaWarning)]
    if any(not each.message or not (each.path or "a function" in each.message) for each in warned):
        result = f"a warning without place: {warned}"
    return Outcome(name, result, schema, warned, time.thread_time() - begin)


def fault_of(schema: Any) -> str:
    """The problem with a schema: it is not pure JSON, or not a valid schema."""
    if schema is None:  # there is no output schema
        return ""
    if not is_json(schema):
        return f"no JSON: {schema}"
    json.dumps(schema, allow_nan=False)
    if not jsonschema_rs.meta.is_valid(schema):
        return f"no valid schema: {schema}"
    return ""


def is_json(value: Any) -> bool:
    """Whether a value is made of JSON's own types alone, not of their subclasses."""
    if type(value) is dict:
        return all(type(key) is str for key in value) and all(map(is_json, value.values()))
    if type(value) is list:
        return all(map(is_json, value))
    return value is None or type(value) in (bool, int, float, str)


def outcomes_of(name: str, func: Callable[..., Any]) -> Iterator[Outcome]:
    """All that can be derived: parameters and return, both profiles, strict and not."""
    for profile in PROFILES:
        for strict in (False, True):
            yield derive(name, func, profile=profile, strict=strict)
            yield derive(name, func, profile=profile, strict=strict, make=return_to_schema)
