"""Foreign libraries: everything the package knows about one of them is in one file here.

Nothing here imports a foreign library. A class is recognized by identity, among the classes that
the loaded modules of its library define, so a library that is not loaded cannot matter: then
``library()`` answers with one look into ``sys.modules``, and our own file about it is not imported
either.

A purpose that several libraries serve has a table, ``TABLES``; each file adds its rows under the
name of the purpose. Callers hand in everything that comes from the stages above.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

FILES = {
    "annotated_types": "annotated_types",
    "attr": "attrs",
    "msgspec": "msgspec",
    "pydantic": "pydantic",
}
"""The module by which a library is known to be loaded, and our file about the library."""

TABLES: dict[str, tuple[str, ...]] = {
    "RECORDS": ("attr", "msgspec"),
    "CONSTRUCTORS": ("attr", "msgspec"),
    "METADATA": ("annotated_types", "msgspec", "pydantic"),
}
"""For each purpose the libraries that serve it.

- ``RECORDS``: whether a class is a record, and what reads it as one:
  ``(belongs(cls), read(bodies, output))``.
- ``CONSTRUCTORS``: whether a class is a record, and the names of its fields in the constructor:
  ``(belongs(cls), names(cls))``.
- ``METADATA``: a class of ``Annotated`` metadata, by its dotted name, and what reads a piece of it:
  ``(dotted, read(piece))``. A reader returns our markers, or other metadata that is read in turn.
"""


def library(name: str) -> Any:
    """Our file about a foreign library, if that library is loaded; else ``None``."""
    if sys.modules.get(name) is None:
        return None
    file = f"{__name__}.{FILES[name]}"
    __import__(file)  # loaded late on purpose: most programs use none of the libraries
    return sys.modules[file]


def rows(purpose: str) -> Iterator[Any]:
    """The rows that the loaded libraries add to the table of a purpose."""
    for name in TABLES[purpose]:
        if (file := library(name)) is not None:
            yield from getattr(file, purpose)
