"""The options of the command line, and the command that each is for.

Standard output holds what was asked for and nothing else; what targets print while they are
imported is kept off it. What goes wrong is one line on standard error, and exit status 2.
"""

from __future__ import annotations

import argparse
import atexit
import sys

from milo_schema import SchemaError, __version__
from milo_schema.checks import CODES
from milo_schema.cli import commands
from milo_schema.cli.imports import hush
from milo_schema.cli.snapshots import SnapshotError
from milo_schema.cli.targets import TargetError
from milo_schema.cli.terminal import Console
from milo_schema.errors import nearest
from milo_schema.wire import WIRE_FORMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def main(argv: list[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: The arguments; those of the program otherwise.

    Returns:
        The exit status: 0; 1 if a check found something, or a change breaks; 2 if something went
        wrong, with a line on standard error.
    """
    console = Console()
    words = sys.argv[1:] if argv is None else argv
    status = 0
    try:
        arguments = _parser().parse_args(_with_command(words))
        status = arguments.run(arguments, console)
    except (TargetError, SchemaError, SnapshotError) as problem:
        console.fail(problem)
    finally:
        console.clear()
        if argv is None:  # a program: what its targets print when it ends is no output either
            atexit.register(hush)
    return 2 if console.has_failed else status


# -- arguments ---------------------------------------------------------------------------------

TARGETS = """\
targets:
  module:function       a function of a module; also module:Class.method
  path/file.py:name     a function or class of a file
  module, path/file.py  all that is public there
  package, path/folder  all that is public in the modules of a package

Public is what __all__ names, or what has no underscore and is defined there.
"""

MORE = """\
A bare target is shown: "milo-schema x.py:f" is "milo-schema show x.py:f".
Exit status: 0; 1 if a check finds something or a change breaks; 2 for an error.

examples:
  milo-schema app.py:run
  milo-schema check mypackage
  milo-schema snapshot schemas.json mypackage
  milo-schema diff schemas.json mypackage
"""


def _with_command(words: list[str]) -> list[str]:
    """The arguments with a command: a bare target is to be shown."""
    if not words or words[0] in {*_COMMANDS, "-h", "--help", "--version"}:
        return words
    if words[0].isidentifier() and (hint := nearest(words[0], _COMMANDS)):
        raise TargetError(f"there is no command {words[0]}{hint}")
    return ["show", *words]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="milo-schema",
        description="JSON Schema from Python functions.",
        epilog=f"{TARGETS}\n{MORE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (words, examples, add_options) in _COMMANDS.items():
        command = subparsers.add_parser(
            name,
            help=words,
            description=f"{words[0].upper()}{words[1:]}.",
            epilog=f"{TARGETS}\nexamples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        add_options(command)
        command.add_argument("targets", metavar="TARGET", nargs="+", help="see below")
    return parser


def _add_profile(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--profile",
        type=lambda name: str(name).upper(),
        choices=commands.PROFILES,
        default="MILO",
        metavar="PROFILE",
        help=f"what the schemas should say: {', '.join(commands.PROFILES)} (default: %(default)s)",
    )


def _show(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=commands.show)
    what = command.add_mutually_exclusive_group()
    what.add_argument("--output", action="store_true", help="the schema of what comes back")
    what.add_argument(
        "--tool", dest="form", action="store_const", const="mcp", help="the whole tool definition"
    )
    what.add_argument(
        "--as",
        dest="form",
        choices=WIRE_FORMS,
        metavar="FORM",
        help=f"the same, as somebody takes it: {', '.join(WIRE_FORMS)}",
    )
    _add_profile(command)
    command.add_argument("--strict", action="store_true", help="what has no schema is an error")
    command.add_argument("--indent", type=int, default=2, help="spaces (default: %(default)s)")


def _check(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=commands.check)
    command.add_argument("--json", action="store_true", help="a JSON list instead of a table")
    for name, words in (("--select", "look for these only"), ("--ignore", "leave these out")):
        command.add_argument(
            name, type=_codes, action="extend", metavar="CODES", default=[], help=words
        )
    command.add_argument(
        "--together", action="store_true", help="also look at all of it as one set of tools"
    )
    _add_profile(command)


def _codes(text: str) -> list[str]:
    codes = [code.strip() for code in text.split(",") if code.strip()]
    for code in codes:
        if code not in CODES:
            raise argparse.ArgumentTypeError(f"there is no code {code!r}{nearest(code, CODES)}")
    return codes


def _snapshot(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=commands.snapshot)
    command.add_argument("file", metavar="FILE", help="where to; - is standard output")
    _add_profile(command)


def _diff(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=commands.diff)
    command.add_argument("file", metavar="FILE", help="a snapshot; - is standard input")
    command.add_argument("--json", action="store_true", help="a JSON list instead of lines")


_COMMANDS: dict[str, tuple[str, str, Callable[[argparse.ArgumentParser], None]]] = {
    "show": (
        "print schemas as JSON",
        """\
  milo-schema show app.py:run
  milo-schema show app.py:run --output
  milo-schema show app.py --as openai --profile openai_strict
""",
        _show,
    ),
    "check": (
        "say what is missing or wrong",
        """\
  milo-schema check mypackage
  milo-schema check mypackage --ignore no-output-schema,undescribed-tool
  milo-schema check tools.py --together --json

codes:
"""
        + "\n".join(f"  {code}\n      {sentence}" for code, sentence in CODES.items()),
        _check,
    ),
    "snapshot": (
        "write schemas to a file, for a later diff",
        """\
  milo-schema snapshot schemas.json mypackage
  milo-schema snapshot - mypackage | gzip > schemas.json.gz
""",
        _snapshot,
    ),
    "diff": (
        "say what changed since a snapshot, and whether it breaks anybody",
        """\
  milo-schema diff schemas.json mypackage
  git show main:schemas.json | milo-schema diff - mypackage
""",
        _diff,
    ),
}
"""What each command does, how it is used, and what adds its arguments."""
