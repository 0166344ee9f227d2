"""The command line, as a program: ``milo-schema``, or ``python -m milo_schema``."""

import sys

from milo_schema.cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
