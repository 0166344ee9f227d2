"""The markers of milo-cli; it needs Python 3.14, and elsewhere a module stands for it."""

from __future__ import annotations

import dataclasses
import importlib
import sys
from types import ModuleType
from typing import Annotated, Any

import pytest

from milo_schema import function_to_schema, profiles
from milo_schema.arguments import ArgumentsError, bind
from tests.fragments import INTEGER

WITH_VALUE = ("MinLen", "MaxLen", "Gt", "Ge", "Lt", "Le", "Pattern", "Description")


@pytest.fixture
def milo(monkeypatch):
    """The module ``milo.schema``: the installed one, or one with the same classes."""
    found: Any
    try:
        found = importlib.import_module("milo.schema")
    except ImportError:
        found = ModuleType("milo.schema")
        for name in WITH_VALUE:
            setattr(found, name, dataclasses.make_dataclass(name, ["value"], frozen=True))
        empty: Any = dataclasses.field(default="")
        options = [("aliases", tuple, dataclasses.field(default=())), ("metavar", str, empty)]
        found.Option = dataclasses.make_dataclass("Option", options, frozen=True)
        found.Positional = dataclasses.make_dataclass(
            "Positional", [("metavar", str, empty)], frozen=True
        )
        for name in (*WITH_VALUE, "Option", "Positional"):
            getattr(found, name).__module__ = "milo.schema"
        package: Any = ModuleType("milo")
        package.schema = found
        monkeypatch.setitem(sys.modules, "milo", package)
        monkeypatch.setitem(sys.modules, "milo.schema", found)
    return found


def test_the_markers_of_milo_mean_the_same_as_ours(milo):
    def f(
        text: Annotated[str, milo.MinLen(1), milo.MaxLen(3), milo.Pattern("^a")],
        items: Annotated[list[int], milo.MinLen(1), milo.Description("Some.")],
        closed: Annotated[int, milo.Ge(1), milo.Le(9)],
        inner: Annotated[float, milo.Gt(0), milo.Lt(1)],
    ): ...

    for profile in (profiles.MILO, profiles.MCP):
        assert function_to_schema(f, profile=profile, strict=True)["properties"] == {
            "text": {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "^a"},
            "items": {"type": "array", "items": INTEGER, "minItems": 1, "description": "Some."},
            "closed": {"type": "integer", "minimum": 1, "maximum": 9},
            "inner": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        }
    valid = {"text": "ab", "items": [1], "closed": 1, "inner": 0.5}
    assert bind(f, valid).kwargs == valid
    with pytest.raises(ArgumentsError, match="must have at least 1 character, got 0"):
        bind(f, {**valid, "text": ""})


def test_the_hints_for_a_command_line_are_written_under_milo_only(milo):
    def f(
        path: Annotated[str, milo.Positional("PATH")],
        name: Annotated[str, milo.Positional()],
        count: Annotated[int, milo.Option(aliases=("-c", "-n"), metavar="N")] = 1,
        flag: Annotated[bool, milo.Option()] = False,
    ): ...

    hints = {
        "path": {"kind": "positional", "metavar": "PATH"},
        "name": {"kind": "positional"},
        "count": {"kind": "option", "aliases": ["-c", "-n"], "metavar": "N"},
        "flag": {"kind": "option"},
    }
    properties = function_to_schema(f, strict=True)["properties"]
    assert {name: each["x-milo-cli"] for name, each in properties.items()} == hints
    for profile in (profiles.MCP, profiles.OPENAI_STRICT):
        assert "x-milo-cli" not in str(function_to_schema(f, profile=profile))
    with_markers = profiles.MCP.with_markers(profiles.MILO.markers)
    with_hints = function_to_schema(f, profile=with_markers)
    assert with_hints["properties"]["name"]["x-milo-cli"] == {"kind": "positional"}
