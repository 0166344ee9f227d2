"""Annotations on every Python version. Nothing here knows about JSON.

This file has short names for the types that our own annotations use most.
"""

import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

LazyImportType: Any = None
"""The class of a ``lazy import`` (PEP 810) that Python has not resolved yet."""
if sys.version_info >= (3, 15):  # pragma: no cover - 3.15
    LazyImportType = types.LazyImportType

Arguments = tuple[Any, ...]
"""The arguments of an annotation: those of ``dict[str, int]`` are ``str`` and ``int``."""

Fragment = dict[str, Any]
"""A part of a schema; its references may still be ``Ref`` objects."""

Json = dict[str, Any]
"""A JSON object, such as a finished schema."""

Names = Mapping[str, Any] | None
"""The names for annotation strings that callers pass."""

Encoders = Mapping[Any, Callable[[Any], Any]]
"""Maps types to functions that convert their values to JSON."""
