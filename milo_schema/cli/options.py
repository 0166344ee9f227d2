"""The commands and their options: one row each, for arguments, help and completion."""

from __future__ import annotations

import argparse

from milo_schema.annotations import Any
from milo_schema.checks import CODES
from milo_schema.cli.configuration import read_configuration
from milo_schema.cli.formats import CHECK_FORMATS, DIFF_FORMATS, SHOW_FORMATS
from milo_schema.cli.snapshots import FAIL_ON
from milo_schema.cli.terminal import CommandError
from milo_schema.errors import nearest
from milo_schema.frozen import Frozen
from milo_schema.profiles import __all__ as profile_names
from milo_schema.wire import WIRE_FORMS

__all__ = ["COMMANDS", "OPTIONS", "overview", "parse"]


class Option(Frozen):
    """One option.

    Attributes:
        name: The name after ``--``, and the key in a configuration file.
        commands: The commands that have it.
        help: Its description.
        kind: ``"flag"``, ``"table"`` or ``"targets"`` (which are only keys, not options), or the
            name of the value in the help: ``"FILE"``; ``"COMMAND..."`` can be repeated, and
            ``"CODE,..."`` can have commas as well.
        default: The value if neither an option nor the configuration has one.
        choices: The allowed values; any value if there are none.
        is_key: Whether the configuration may have it.
    """

    name: str
    commands: str
    help: str
    kind: str = "flag"
    default: Any = False
    choices: tuple[str, ...] = ()
    is_key: bool = True

    @property
    def field(self) -> str:
        """The attribute that has the value."""
        return self.name.replace("-", "_")

    @property
    def is_list(self) -> bool:
        """Whether there can be several values."""
        return self.kind == "targets" or self.kind.endswith("...")

    @property
    def is_typed(self) -> bool:
        """Whether it is an option, not only a key."""
        return self.kind not in {"targets", "table"}


_ALL = "show check snapshot diff"
PROFILES = [name for name in profile_names if name.isupper()]
"""The names of the built-in profiles."""

OPTIONS = (
    Option("output", "show", "the schema of the result", is_key=False),
    Option("tool", "show", "the tool definition in the format of MCP", is_key=False),
    Option(
        "as",
        "show",
        "the tool definition in a provider's format",
        "FORM",
        None,
        tuple(WIRE_FORMS),
        is_key=False,
    ),
    Option("strict", "show", "fail on anything without an exact schema"),
    Option("indent", "show", "how many spaces (default: 2)", "NUMBER", "2", is_key=False),
    Option("format", "show", "how to print it", "FORMAT", "json", tuple(SHOW_FORMATS)),
    Option("format", "check", "how to print it", "FORMAT", "text", tuple(CHECK_FORMATS)),
    Option("format", "diff", "how to print it", "FORMAT", "text", tuple(DIFF_FORMATS)),
    Option("json", "check diff", "the same as --format json", is_key=False),
    Option("select", "check", "report only these codes", "CODE,...", [], tuple(CODES)),
    Option("ignore", "check", "ignore these codes", "CODE,...", [], tuple(CODES)),
    Option("baseline", "check", "leave out the findings that this file lists", "FILE", None),
    Option(
        "write-baseline",
        "check",
        "write the findings to that file (default: milo-schema-baseline.json)",
        is_key=False,
    ),
    Option("together", "check", "also check all functions together as one set of tools"),
    Option("cost", "check", "print only what each tool costs in a request", is_key=False),
    Option("statistics", "check", "count the findings of each code, and print only that"),
    Option(
        "fail-on",
        "diff",
        "which changes set exit status 1",
        "CHANGES",
        "breaking",
        tuple(FAIL_ON),
    ),
    Option("against", "diff", "compare with a git revision, not a file", "REVISION", None),
    Option("server", _ALL, "run this MCP server and use its tools", "COMMAND...", []),
    Option("targets", _ALL, "what to check or compare", "targets", []),
    Option("per-file-ignores", "check", "for each pattern, codes to leave out", "table", {}),
    Option(
        "profile", _ALL, f"{', '.join(PROFILES)}, or module:NAME (default: MILO)", "PROFILE", "MILO"
    ),
    Option("exclude", _ALL, "modules, files or module:function to skip", "PATTERN,...", []),
    Option("exclude-parameter", _ALL, "parameters to leave out of schemas", "NAME,...", []),
    Option(
        "no-type-checking-imports",
        _ALL,
        "do not resolve names imported under if TYPE_CHECKING:",
    ),
    Option("allow-import-errors", _ALL, "do not fail on modules that cannot be imported"),
    Option("traceback", _ALL, "print the whole traceback of an import error", is_key=False),
    Option("quiet", _ALL, "print only results and failures"),
    Option("isolated", _ALL, "ignore the configuration in pyproject.toml", is_key=False),
)


class Command(Frozen):
    """A command: its help, the form of its targets, and examples."""

    help: str
    targets: str
    examples: tuple[str, ...]


COMMANDS = {
    "show": Command(
        "print schemas and tool definitions",
        "TARGET...",
        (
            "milo-schema show app.py:run",
            "milo-schema show app.py:run --format tree",
            "milo-schema show app.py --as openai --profile openai_strict",
        ),
    ),
    "check": Command(
        "report problems",
        "[TARGET...]",
        (
            "milo-schema check src",
            "milo-schema check mypackage --write-baseline",
            "milo-schema check mypackage --ignore no-output-schema --format github",
        ),
    ),
    "snapshot": Command(
        "write schemas to a file, for a later diff",
        "FILE [TARGET...]",
        (
            "milo-schema snapshot schemas.json mypackage",
            "milo-schema snapshot - mypackage | gzip > schemas.json.gz",
        ),
    ),
    "diff": Command(
        "report changes since a snapshot, and which are breaking",
        "FILE [TARGET...]",
        (
            "milo-schema diff schemas.json mypackage",
            "milo-schema diff --against main mypackage",
        ),
    ),
    "explain": Command(
        "explain a code of check, with an example", "CODE", ("milo-schema explain fallback",)
    ),
    "completion": Command(
        "print a completion script for bash, zsh or fish",
        "SHELL",
        (
            'eval "$(milo-schema completion bash)"',
            'eval "$(milo-schema completion zsh)"',
            "milo-schema completion fish | source",
        ),
    ),
}


# -- parsing -----------------------------------------------------------------------------------


def parse(command: str, words: list[str]) -> argparse.Namespace:
    """The options of a command: from the arguments, the configuration, or the defaults.

    Raises:
        CommandError: One of them is not valid.
    """
    rows = [row for row in OPTIONS if command in row.commands.split()]
    arguments, unknown = _parser(command, rows).parse_known_intermixed_args(words)
    for word in unknown:
        names = ["help", "version", *(row.name for row in rows if row.is_typed)]
        hint = nearest(word.partition("=")[0].lstrip("-"), names, "--{}".format)
        raise CommandError(f"{command} has no option {word}{hint}")
    if "FILE" in COMMANDS[command].targets and not getattr(arguments, "against", None):
        if not arguments.targets:
            raise CommandError(f"{command} needs a FILE; see milo-schema {command} --help")
        arguments.file = arguments.targets.pop(0)
    configured = {} if not rows or arguments.isolated else _configured(rows, read_configuration())
    for row in rows:
        said = getattr(arguments, row.field, None)
        value = _value(row, said, f"--{row.name}") if said else configured.get(row.name)
        setattr(arguments, row.field, value or row.default)
    if not arguments.targets and not getattr(arguments, "server", None):
        wanted = "TARGET, such as . or mypackage" if rows else COMMANDS[command].targets
        raise CommandError(f"{command} needs a {wanted}; see milo-schema {command} --help")
    return arguments


def _configured(rows: list[Option], keys: dict[str, Any]) -> dict[str, Any]:
    """The values in the configuration for a command; those for other commands are checked, too."""
    values: dict[str, Any] = {}
    for key, value in keys.items():
        same = [row for row in OPTIONS if row.is_key and row.name == key]
        if not same:
            names = [row.name for row in OPTIONS if row.is_key]
            raise CommandError(f"[tool.milo-schema] has no key {key}{nearest(key, names)}")
        choices = dict.fromkeys(word for row in same for word in row.choices)
        row = same[0].replace(choices=tuple(choices))
        found = _value(row, value, f"[tool.milo-schema] {key}")
        for each in same:  # of which one may be the format of another command
            if each in rows and (row.is_list or not each.choices or found in each.choices):
                values[key] = found
    return values


def _value(row: Option, value: Any, place: str) -> Any:
    """The value for an option, if it is valid."""
    wanted: Any = list if row.is_list else {"flag": bool, "table": dict}.get(row.kind, str)
    parts = list(value) if wanted is list and isinstance(value, list) else [""]
    if not isinstance(value, wanted) or not all(isinstance(part, str) for part in parts):
        kinds = {bool: "true or false", list: "a list of strings", dict: "a table"}
        raise CommandError(f"{place} must be {kinds.get(wanted, 'a string')}, not {value!r}")
    if row.kind == "table":
        codes = next(each for each in OPTIONS if each.name == "ignore")
        return {key: _value(codes, each, f"{place} {key}") for key, each in value.items()}
    if row.kind.endswith(",..."):
        value = [word for text in value for word in map(str.strip, text.split(",")) if word]
    for word in value if wanted is list else [value]:
        if row.choices and word not in row.choices:
            hint = nearest(word, row.choices) or f"; choose from {', '.join(row.choices)}"
            raise CommandError(f"{place} cannot be {word}{hint}")
    return value


def _parser(command: str, rows: list[Option]) -> argparse.ArgumentParser:
    about = COMMANDS[command]
    parser = argparse.ArgumentParser(
        usage=f"milo-schema {command} {'[OPTION...] ' if rows else ''}{about.targets}",
        description=f"{about.help[0].upper()}{about.help[1:]}.\n\n{_examples(about.examples)}",
        epilog=_epilog(command),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("targets", nargs="*", help=argparse.SUPPRESS)
    for row in rows:
        choices = f": {', '.join(row.choices)}" if row.choices and not row.is_list else ""
        how: dict[str, Any] = {"help": row.help + choices, "dest": row.field, "default": None}
        if row.kind == "flag":
            how["action"] = "store_true"
        else:
            how["action"] = "append" if row.is_list else "store"
            how["metavar"] = row.kind.rstrip(",.")
        if row.is_typed:
            parser.add_argument(f"--{row.name}", **how)
    return parser


# -- help --------------------------------------------------------------------------------------

TARGETS = """\
targets:
  .                     all packages and modules in a folder
  package, path/folder  everything public in the modules of a package or folder
  module, path/file.py  everything public in a module
  module:function       a function of a module; also module:Class.method
  path/file.py:name     a function or class of a file
  tools.json, -         tools that a server lists; also tools.json:name

Public names: those in __all__, or those without an underscore defined there.
"""


def _epilog(command: str) -> str:
    """The end of the help: the arguments after the options."""
    codes = "\n".join(["codes:", *(f"  {code}\n      {CODES[code]}" for code in CODES)])
    ends = {"check": f"{TARGETS}\n{codes}", "explain": codes, "completion": ""}
    return ends.get(command, TARGETS)


def _examples(examples: tuple[str, ...]) -> str:
    return "\n".join(["examples:", *(f"  {each}" for each in examples)])


def overview() -> str:
    """The help of ``milo-schema`` without a command."""
    commands = "\n".join(f"  {name:<12}{about.help}" for name, about in COMMANDS.items())
    return f"""\
usage: milo-schema COMMAND [OPTION...] TARGET...

JSON Schema from Python functions.

{_examples(tuple(about.examples[0] for about in COMMANDS.values()))}

commands:
{commands}

A bare target is shown: "milo-schema x.py:f" is "milo-schema show x.py:f".
"milo-schema COMMAND --help" has the options of a command.

{TARGETS}
exit status:
  0    nothing to report
  1    check found something, or a change breaks a caller
  2    the command cannot do what was asked
  3    a module cannot be imported; nothing else to report
  5    no tools found
  130  interrupted"""
