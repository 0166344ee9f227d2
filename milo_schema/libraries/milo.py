"""Everything about milo-cli: its markers, which mean the same as ours, and its command-line hints.

The markers are those of ``milo.schema`` in milo-cli 0.4.3. Each has its value in ``value``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from milo_schema import markers
from milo_schema.annotations.forms import Marker

_MARKERS: dict[str, type[Marker]] = {
    "MinLen": markers.MinLen,
    "MaxLen": markers.MaxLen,
    "Gt": markers.Gt,
    "Ge": markers.Ge,
    "Lt": markers.Lt,
    "Le": markers.Le,
    "Pattern": markers.Pattern,
    "Description": markers.Description,
}


def _reader(marker: type[Marker]) -> Callable[[Any], Iterator[Marker]]:
    def read(piece: Any) -> Iterator[Marker]:
        yield marker.unchecked(piece.value)

    return read


def _read_positional(piece: Any) -> Iterator[Marker]:
    metavar = {"metavar": piece.metavar} if piece.metavar else {}
    yield markers.CommandLine({"kind": "positional", **metavar})


def _read_option(piece: Any) -> Iterator[Marker]:
    aliases = {"aliases": list(piece.aliases)} if piece.aliases else {}
    metavar = {"metavar": piece.metavar} if piece.metavar else {}
    yield markers.CommandLine({"kind": "option", **aliases, **metavar})


METADATA = (
    *((f"milo.schema.{name}", _reader(marker)) for name, marker in _MARKERS.items()),
    ("milo.schema.Positional", _read_positional),
    ("milo.schema.Option", _read_option),
)
