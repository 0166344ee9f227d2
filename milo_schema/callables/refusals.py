"""The reasons why an object cannot be read as a function, and what was probably meant."""

from __future__ import annotations

import types
from typing import Any

from milo_schema.annotations.classes import repr_of_error
from milo_schema.annotations.display import display


def no_signature(problem: Exception) -> str:
    """The reason why ``inspect`` finds no signature."""
    text = repr_of_error(problem, str)
    if text.startswith("no signature found for builtin") or text.endswith(_INVALID):
        reason = "it is written in C and publishes no signature"
        return f"{reason}; wrap it in a function with annotations"
    return f"its signature cannot be read: {text}"


_INVALID = "builtin has invalid signature"
"""The end of the reason up to 3.12, if a default of a C function has no Python value."""


def not_callable(value: Any) -> str:
    """The reason why a value is not a function, and what was probably meant."""
    shown = display(value)
    if type(value) is str:
        return f"{shown} is a string, not a function; pass the function itself"
    if value is None:
        return "expected a function, got None; did you write f(...) instead of f?"
    if type(value) is types.ModuleType:
        return f"expected a function, got the module {value.__name__}"
    got = f"an instance of {display(type(value))}" if shown[0] == "<" else shown
    return f"expected a function, got {got}"
