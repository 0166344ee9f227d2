"""Everything about milo-cli: its markers, which mean the same as ours, and its command-line hints.

The markers are those of ``milo.schema`` in milo-cli 0.4.3. Each has its value in ``value``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from milo_schema import markers
from milo_schema.annotations.forms import Marker

_MARKERS: tuple[type[Marker], ...] = (
    *(markers.MinLen, markers.MaxLen, markers.Gt, markers.Ge, markers.Lt, markers.Le),
    *(markers.Pattern, markers.Description),
)
"""Our markers that milo-cli has, too, by the same name."""


def _reader(marker: type[Marker]) -> Callable[[Any], Iterator[Marker]]:
    def read(piece: Any) -> Iterator[Marker]:
        yield marker.unchecked(piece.value)

    return read


def command_line(piece: Any) -> list[Marker]:
    """The hint in ``Positional`` or ``Option``, which only some profiles write."""
    kind = type(piece).__name__.lower()
    aliases = {"aliases": list(piece.aliases)} if getattr(piece, "aliases", ()) else {}
    metavar = {"metavar": piece.metavar} if piece.metavar else {}
    return [markers.CommandLine({"kind": kind, **aliases, **metavar})]


METADATA = [(f"milo.schema.{marker.__name__}", _reader(marker)) for marker in _MARKERS]
