"""Assertions about callables: ``takes()`` for the parameters, ``gives()`` for the output.

A ``Shape`` is both, as a row of a table.
"""

import json
import sys
import typing
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import pytest

from milo_schema import SchemaWarning, function_to_schema, profiles, return_to_schema
from tests.modules import module_from

ANYTHING: dict[str, Any] = {}
PORT = {"type": "integer", "default": 443}
since_312 = pytest.mark.skipif(sys.version_info < (3, 12), reason="PEP 695 came with 3.12")
since_313 = pytest.mark.skipif(sys.version_info < (3, 13), reason="PEP 696 came with 3.13")
since_314 = pytest.mark.skipif(sys.version_info < (3, 14), reason="it came with 3.14")


def takes(
    func: Any,
    properties: dict[str, Any],
    required: Collection[str] = (),
    *,
    exact: dict[str, Any] | None = None,
    extra: Any = False,
    **options: Any,
) -> None:
    """Hold that these are the whole schemas, MILO's and MCP's.

    Args:
        func: The callable.
        properties: The schema of each parameter under MILO, in order.
        required: The required parameters, in order.
        exact: The schemas of parameters under MCP, if they differ.
        extra: The schema of additional properties under MCP, or ``None``.
        options: Further arguments of ``function_to_schema()``.
    """
    needed = {"required": list(required)} if required else {}
    milo = {"type": "object", "properties": properties, **needed}
    mcp = {**milo, "properties": {**properties, **(exact or {})}}
    if extra is not None:
        mcp["additionalProperties"] = extra
    for profile, expected in ((profiles.MILO, milo), (profiles.MCP, mcp)):
        schema = function_to_schema(func, profile=profile, **options)
        assert schema == expected
        assert json.dumps(schema, sort_keys=True) == json.dumps(expected, sort_keys=True)
        assert list(schema["properties"]) == list(expected["properties"])


def gives(func: Any, expected: dict[str, Any] | None, **options: Any) -> None:
    """Assert that this is the whole output schema of *func*, in both profiles.

    Each item of a generator is an output here; in MCP itself, all of them are one.
    """
    for profile in (profiles.MILO, profiles.MCP.replace(generators="item")):
        schema = return_to_schema(func, profile=profile, **options)
        assert json.dumps(schema, sort_keys=True) == json.dumps(expected, sort_keys=True)


UNSAID: Any = object()
TYPING = {name: getattr(typing, name) for name in typing.__all__}


@dataclass(frozen=True, eq=False)
class Shape:
    """What a callable takes, and what it gives if that is said."""

    func: Any
    properties: dict[str, Any]
    required: Collection[str] = ()
    output: Any = UNSAID
    exact: dict[str, Any] | None = None
    extra: Any = False
    options: dict[str, Any] = field(default_factory=dict)

    def hold(self) -> None:
        """Assert all of it."""
        given = {"exact": self.exact, "extra": self.extra, **self.options}
        takes(self.func, self.properties, self.required, **given)
        if self.output is not UNSAID:
            gives(self.func, self.output)


def command(signature: str, **names: Any) -> Any:
    """A function with this signature; the names in it are those of ``typing``, or given."""
    source = f"def command({signature}): ..."
    return module_from(source, **{**TYPING, **names}).command


def warnings_of(func: Any, **options: Any) -> list[str]:
    """The warnings that deriving the schema of *func* gives, as text."""
    with pytest.warns(SchemaWarning) as caught:
        function_to_schema(func, **options)
    return [str(each.message) for each in caught]
