"""Support for foreign libraries: everything about one library is in one file.

Nothing here imports a foreign library. A class is recognized by identity, among the classes of the
loaded modules of its library, so a library that is not loaded cannot matter: ``library()`` only
looks into ``sys.modules``, and does not import our file about the library either.

If several libraries serve a purpose, the purpose has a row in ``TABLES``, and each file has its own
rows in a constant with the name of the purpose. Callers pass everything that belongs to the stages
above.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

FILES = {
    "annotated_types": "annotated_types",
    "attr": "attrs",
    "milo": "milo",
    "msgspec": "msgspec",
    "numpy": "numpy",
    "pydantic": "pydantic",
}
"""The module that shows that a library is loaded, and our file about the library."""

TABLES: dict[str, tuple[str, ...]] = {
    "RECORDS": ("attr", "msgspec"),
    "CONSTRUCTORS": ("attr", "msgspec"),
    "METADATA": ("annotated_types", "milo", "msgspec", "pydantic"),
    "SCALARS": ("numpy",),
}
"""The libraries that serve each purpose.

- ``RECORDS``: whether a class is a record, and a function that reads it:
  ``(belongs(cls), read(bodies, output))``.
- ``CONSTRUCTORS``: whether a class is a record, and the names of its fields in the constructor:
  ``(belongs(cls), names(cls))``.
- ``METADATA``: the dotted name of a class of ``Annotated`` metadata, and a function that reads it:
  ``(dotted, read(piece))``. It returns our markers, or other metadata that is read in turn.
- ``SCALARS``: the dotted name of a class of single values, and the class of Python with the same
  JSON: ``(dotted, cls)``. Their ``item()`` is a value of Python's.
"""


def library(name: str) -> Any:
    """Our file about a foreign library, if that library is loaded; otherwise ``None``."""
    if sys.modules.get(name) is None:
        return None
    file = f"{__name__}.{FILES[name]}"
    __import__(file)  # loaded late on purpose: most programs use none of the libraries
    return sys.modules[file]


def rows(purpose: str) -> Iterator[Any]:
    """The rows of all loaded libraries for a purpose."""
    for name in TABLES[purpose]:
        if (file := library(name)) is not None:
            yield from getattr(file, purpose)
