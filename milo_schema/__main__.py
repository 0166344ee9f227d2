"""The program of the command line: ``milo-schema``, or ``python -m milo_schema``."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - what follows cannot be imported there
    sys.exit(f"milo-schema needs Python 3.11 or later, but this is {sys.version.split()[0]}")

from milo_schema.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
