"""The command line: parse the command, run it, and return the exit status.

Standard output has only the results; the output of modules that are imported is redirected. Every
error is one line on standard error.
"""

import atexit
import gc
import os
import sys
import threading

from milo_schema import __version__
from milo_schema.cli.terminal import FAILED, INTERRUPTED, CommandError, Console
from milo_schema.cli.texts import COMMANDS, explain, overview
from milo_schema.targets import TargetError, class_and_line, hush, refuse_ends


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
    before = threading.enumerate()
    thresholds = gc.get_threshold()
    # Nearly all that a command makes lives until its end: looking for garbage as often as usual
    # would take a third of the time of a check of sqlalchemy.
    gc.set_threshold(20_000, *thresholds[1:])
    status = _status_of(sys.argv[1:] if argv is None else argv, console)
    gc.set_threshold(*thresholds)
    if argv is None:  # as a program; what its targets do at exit is not its own
        atexit.register(hush)
        atexit.register(refuse_ends)
        if not all(each.daemon or each in before for each in threading.enumerate()):
            hush()
            os._exit(status)  # Python would wait for the threads of its targets
    return status


def _status_of(words: list[str], console: Console) -> int:
    """Run a command; whatever happens, report it in one line."""
    try:
        return _run(words, console)
    except (CommandError, TargetError) as problem:
        console.fail(problem)
        return FAILED
    except KeyboardInterrupt:
        console.fail("interrupted")
        return INTERRUPTED
    except BaseException as problem:  # of ours, or because a module has replaced what we use
        try:
            told = f"it failed with {class_and_line(problem)}; --traceback shows where"
            console.report(told, problem)
        except BaseException:  # nor is that there
            os.write(2, b"milo-schema: it failed\n")
        return FAILED


def _run(words: list[str], console: Console) -> int:
    if not words or words[0] in {"-h", "--help", "--version"}:
        is_version = words[:1] == ["--version"]
        console.write(f"milo-schema {__version__}" if is_version else overview())
        return console.status(allow_import_errors=False)
    # These load nearly the whole library; --version and --help do without it.
    from milo_schema.cli import check, diff, functions, options
    from milo_schema.errors import SchemaError, nearest

    if words[0] not in COMMANDS:
        if words[0].isidentifier() and (hint := nearest(words[0], COMMANDS)):
            raise CommandError(f"unknown command {words[0]}{hint}")
        words = ["show", *words]  # a bare target
    commands = {
        "show": functions.show,
        "check": check.check,
        "snapshot": diff.snapshot,
        "diff": diff.diff,
        "explain": explain,
    }
    console.shows_tracebacks = "--traceback" in words
    try:
        arguments = options.parse(words[0], words[1:])
    except SystemExit as ended:  # argparse has printed the help, or what is wrong
        return int(ended.code or 0)
    console.is_quiet = arguments.quiet
    try:
        status = commands[words[0]](arguments, console)
    except SchemaError as problem:
        raise CommandError(str(problem)) from None
    reported = console.status(arguments.allow_import_errors)
    return reported if reported == FAILED else status or reported
