"""The command line: parse the command, run it, and return the exit status.

Standard output has only the results; the output of modules that are imported is redirected. Every
error is one line on standard error.
"""

from __future__ import annotations

import atexit
import sys

from milo_schema import SchemaError, __version__
from milo_schema.annotations import Late
from milo_schema.cli.commands import check, diff, explain, show, snapshot
from milo_schema.cli.completion import SHELLS
from milo_schema.cli.imports import hush
from milo_schema.cli.options import COMMANDS, overview, parse
from milo_schema.cli.terminal import FAILED, INTERRUPTED, MISSED, NOTHING, CommandError, Console
from milo_schema.errors import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
else:
    argparse = Late("argparse")


def _completion(arguments: argparse.Namespace, console: Console) -> int:
    for shell in arguments.targets:
        if shell not in SHELLS:
            raise CommandError(f"no completion for {shell}; choose from {', '.join(SHELLS)}")
        console.write(SHELLS[shell]())
    return 0


RUN = {
    "show": show,
    "check": check,
    "snapshot": snapshot,
    "diff": diff,
    "explain": explain,
    "completion": _completion,
}


def main(argv: list[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: The arguments; by default, those of the program.

    Returns:
        The exit status: 0; 1 if a check found something, or a change breaks callers; 2 if
        something went wrong; 3 if a module could not be imported and nothing else is reported; 5
        if no tools were found; 130 if the user interrupted it.
    """
    console = Console()
    try:
        return _run(sys.argv[1:] if argv is None else argv, console)
    except (CommandError, SchemaError) as problem:
        console.fail(problem)
        return FAILED
    except KeyboardInterrupt:
        console.fail("interrupted")
        return INTERRUPTED
    finally:
        console.clear()
        if argv is None:  # as a program; the output of its targets at exit is not its own
            atexit.register(hush)


def _run(words: list[str], console: Console) -> int:
    if not words or words[0] in {"-h", "--help"}:
        console.write(overview())
        return 0
    if words[0] == "--version":
        console.write(f"milo-schema {__version__}")
        return 0
    command, words = _command(words)
    arguments = parse(command, words)
    console.is_quiet = getattr(arguments, "quiet", False)
    console.shows_tracebacks = getattr(arguments, "traceback", False)
    status = RUN[command](arguments, console)
    if console.has_failed:
        return FAILED
    if console.has_missed and not arguments.allow_import_errors:
        return status or MISSED
    return status or (NOTHING if console.has_nothing else 0)


def _command(words: list[str]) -> tuple[str, list[str]]:
    """The command and its words; a bare target means ``show``."""
    if words[0] in COMMANDS:
        return words[0], words[1:]
    if words[0].isidentifier() and (hint := nearest(words[0], COMMANDS)):
        raise CommandError(f"unknown command {words[0]}{hint}")
    return "show", words
