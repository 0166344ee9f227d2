"""Notices about the parameters of functions: without an annotation, or with a similar name."""

from __future__ import annotations

import contextlib

from milo_schema.annotations import Collection, Iterable, Iterator
from milo_schema.annotations.classes import MISSING
from milo_schema.callables import read
from milo_schema.callables.signatures import VARIADIC, Field
from milo_schema.cli.members import DEFINITIONS, Found
from milo_schema.errors import SchemaError, nearest

__all__ = ["misspelled", "untyped"]


def untyped(functions: Iterable[Found], hidden: Collection[str]) -> int:
    """The number of parameters without an annotation, apart from those with *hidden* names."""
    return sum(
        each.annotation is MISSING and each.kind not in VARIADIC and each.name not in hidden
        for each in _parameters(functions)
    )


def misspelled(names: Collection[str], functions: Iterable[Found]) -> Iterator[str]:
    """Messages about names that no parameter has, but a parameter has a similar one."""
    known = {each.name for each in _parameters(functions)} if names else set()
    for name in names:
        if name not in known and (hint := nearest(name, known)):
            yield f"no function has a parameter {name}{hint}"


def _parameters(functions: Iterable[Found]) -> Iterator[Field]:
    for found in functions:
        if not isinstance(found.func, DEFINITIONS):
            with contextlib.suppress(SchemaError):  # which is reported anyway
                yield from read(found.func).parameters
