"""The options of the commands: one row each, for arguments, help and configuration.

Each value is that of the command line, that of ``[tool.milo-schema]`` in the nearest
``pyproject.toml``, or the default.
"""

import argparse
import contextlib
import os
import re
import threading
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from milo_schema.cli.terminal import CommandError
from milo_schema.cli.texts import COMMANDS, OPTION_HELP, beginning_of, end_of
from milo_schema.errors import FINDING_CODES, GROUPS, nearest
from milo_schema.profiles import __all__ as profile_names
from milo_schema.tools.wire import WIRE_FORMS


class Option(NamedTuple):
    """One option.

    Attributes:
        name: The name after ``--``, and the key in a configuration file.
        commands: The commands that have it.
        kind: ``"flag"``, ``"targets"`` (which is only a key, not an option), or the name of the
            value in the help: ``"FILE"``; ``"SERVER..."`` can be repeated, and ``"CODE,..."`` can
            have commas as well.
        default: The value if neither an option nor the configuration has one.
        choices: The allowed values; any value if there are none.
        is_key: Whether the configuration may have it.
        letter: Its short form.
    """

    name: str
    commands: str
    kind: str = "flag"
    default: Any = False
    choices: tuple[str, ...] = ()
    is_key: bool = True
    letter: str = ""

    @property
    def help(self) -> str:
        """Its description."""
        choices = f": {', '.join(self.choices)}" if self.choices and not self.is_list else ""
        return OPTION_HELP[self.name].format(profiles=", ".join(PROFILES)) + choices

    @property
    def field(self) -> str:
        """The attribute that has the value."""
        return self.name.replace("-", "_")

    @property
    def is_list(self) -> bool:
        """Whether there can be several values."""
        return self.kind == "targets" or self.kind.endswith("...")

    @property
    def noun(self) -> str:
        """The word for one of its values."""
        return self.kind.rstrip(",.").lower()

    @property
    def is_typed(self) -> bool:
        """Whether it is an option, not only a key."""
        return self.kind != "targets"


FAIL_ON: dict[str, tuple[str, ...]] = {
    "breaking": ("breaking", "may break"),
    "reworded": ("breaking", "may break", "reworded"),
    "any": ("breaking", "may break", "reworded", "compatible"),
}
"""The effects that make a comparison fail, for each value of ``--fail-on``."""

PROFILES = [name for name in profile_names if name.isupper()]
"""The names of the built-in profiles."""

_ALL = "show check snapshot diff"
_CODES = (*FINDING_CODES, *GROUPS)
_REPORTS = ("text", "json", "github", "sarif")

OPTIONS = (
    Option("output", "show", is_key=False),
    Option("tool", "show", is_key=False),
    Option("as", "show", "FORM", None, (*WIRE_FORMS,), is_key=False),
    Option("format", "show", "FORMAT", "json", ("json", "python"), is_key=False),
    Option("strict", "show"),
    Option("format", "check", "FORMAT", "text", _REPORTS),
    Option("format", "diff", "FORMAT", "text", _REPORTS),
    Option("select", "check", "CODE,...", [], _CODES),
    Option("ignore", "check", "CODE,...", [], _CODES),
    Option("baseline", "check", "FILE", None),
    Option("write-baseline", "check", is_key=False),
    Option("together", "check"),
    Option("cost", "check", is_key=False),
    Option("fail-on", "diff", "CHANGES", "breaking", (*FAIL_ON,)),
    Option("against", "diff", "REVISION", None),
    Option("server", _ALL, "SERVER...", []),
    Option("timeout", _ALL, "SECONDS", 60.0, is_key=False),
    Option("targets", _ALL, "targets", []),
    Option("profile", _ALL, "PROFILE", None),
    Option("exclude", _ALL, "PATTERN,...", []),
    Option("exclude-parameter", _ALL, "NAME,...", []),
    Option("no-type-checking-imports", _ALL),
    Option("allow-import-errors", _ALL),
    Option("traceback", _ALL, is_key=False),
    Option("quiet", _ALL, letter="q"),
    Option("isolated", _ALL, is_key=False),
)


def parse(command: str, words: list[str]) -> argparse.Namespace:
    """The options of a command; those of other commands have their defaults.

    Raises:
        CommandError: One of them is not valid.
    """
    rows = [row for row in OPTIONS if command in row.commands.split()]
    arguments, unknown = _parser(command, rows).parse_known_intermixed_args(words)
    for word in unknown:
        names = ["help", "version", *(row.name for row in rows if row.is_typed)]
        hint = nearest(word.partition("=")[0].lstrip("-"), names, "--{}".format)
        raise CommandError(f"{command} has no option {word}{hint}")
    if "FILE" in COMMANDS[command].targets and not arguments.against:
        if not arguments.targets:
            raise CommandError(f"{command} needs FILE and TARGET; see milo-schema {command} --help")
        arguments.file = arguments.targets.pop(0)
    configured = {} if not rows or arguments.isolated else _configured(rows, _read_configuration())
    for row in rows:
        typed = getattr(arguments, row.field)
        value = _validate(row, typed, f"--{row.name}") if typed else configured.get(row.name)
        setattr(arguments, row.field, value or row.default)
    if not arguments.targets and not arguments.server:
        wanted = "a TARGET, such as . or mypackage" if rows else f"a {COMMANDS[command].targets}"
        if "file" in arguments:
            wanted = f"FILE and TARGET, and got only {arguments.file}"
        raise CommandError(f"{command} needs {wanted}; see milo-schema {command} --help")
    return arguments


def _parser(command: str, rows: list[Option]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        usage=f"milo-schema {command} {'[OPTION...] ' if rows else ''}{COMMANDS[command].targets}",
        description=beginning_of(command),
        epilog=end_of(command),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(**{row.field: row.default for row in OPTIONS if row.kind != "targets"})
    parser.add_argument("targets", nargs="*", help=argparse.SUPPRESS)
    for row in rows:
        if not row.is_typed:
            continue
        how: dict[str, Any] = {"help": row.help, "dest": row.field, "default": None}
        if row.kind == "flag":
            how["action"] = "store_true"
        else:
            how["action"] = "append" if row.is_list else "store"
            how["metavar"] = row.noun.upper()
        parser.add_argument(*[f"-{row.letter}"] * bool(row.letter), f"--{row.name}", **how)
    return parser


def _validate(row: Option, value: Any, place: str) -> Any:
    """The value for an option, if it is valid."""
    wanted: Any = list if row.is_list else bool if row.kind == "flag" else str
    parts = value if isinstance(value, list) else []
    if not isinstance(value, wanted) or not all(isinstance(part, str) for part in parts):
        kinds = {bool: "true or false", list: "a list of strings"}
        raise CommandError(f"{place} must be {kinds.get(wanted, 'a string')}, not {value!r}")
    if row.kind == "SECONDS":
        return _seconds(value, place)
    if row.kind.endswith(",..."):
        value = [word for text in value for word in map(str.strip, text.split(",")) if word]
    for word in value if wanted is list else [value]:
        if row.choices and word not in row.choices:
            hint = nearest(word, row.choices) or f"; choose from {_listed(row.choices)}"
            raise CommandError(f"{place}: unknown {row.noun} {word}{hint}")
    if row.choices == _CODES:
        return [code for word in value for code in GROUPS.get(word, (word,))]
    return value


def _seconds(text: str, place: str) -> float:
    """A number of seconds, of which there is more than none."""
    with contextlib.suppress(ValueError):
        if 0 < (seconds := float(text)) < threading.TIMEOUT_MAX:
            return seconds
    raise CommandError(f"{place} must be a number of seconds, not {text}")


def _listed(choices: tuple[str, ...]) -> str:
    """The choices, or where the codes are, of which there are many."""
    return "those that milo-schema check --help lists" if choices == _CODES else ", ".join(choices)


# -- the configuration -------------------------------------------------------------------------


def _configured(rows: list[Option], keys: dict[str, Any]) -> dict[str, Any]:
    """The values in the configuration for a command; those for other commands are checked, too."""
    values: dict[str, Any] = {}
    for key, value in keys.items():
        same = [row for row in OPTIONS if row.is_key and row.name == key]
        if not same:
            names = [row.name for row in OPTIONS if row.is_key]
            raise CommandError(f"[tool.milo-schema] has no key {key}{nearest(key, names)}")
        found = _validate(same[0], value, f"[tool.milo-schema] {key}")  # they have the same choices
        if any(row in rows for row in same):
            values[key] = found
    return values


def _read_configuration() -> dict[str, Any]:
    """The nearest table, from the current folder upwards; its paths are relative to that folder."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "pyproject.toml").is_file():
            table = _read_table(folder / "pyproject.toml")
            if table is not None:
                return {key: _from_here(key, value, folder) for key, value in table.items()}
    return {}


def _read_table(file: Path) -> dict[str, Any] | None:
    try:
        text = file.read_bytes().decode()
        is_ours = re.search("milo[-_]schema", text)  # the mistakes in other files are not ours
        tools = tomllib.loads(text).get("tool") if is_ours else None
    except (OSError, ValueError, RecursionError) as problem:
        raise CommandError(f"cannot read {file}: {problem}") from None
    tools = tools if type(tools) is dict else {}
    table = tools.get("milo-schema")
    if __name__.partition(".")[0] in tools:
        raise CommandError(f"{file}: the name of the table is [tool.milo-schema], with a hyphen")
    if table is not None and type(table) is not dict:
        raise CommandError(f"{file}: [tool.milo-schema] is not a table")
    return table


def _from_here(key: str, value: Any, folder: Path) -> Any:
    """A value of the table; a path in it becomes relative to the current folder."""
    if key == "baseline" and type(value) is str:
        return os.path.relpath(folder / value)
    if key == "targets" and type(value) is list:
        return [_target_from_here(each, folder) for each in value]
    return value


def _target_from_here(target: Any, folder: Path) -> Any:
    if type(target) is not str:
        return target
    file, colon, name = target.partition(":")
    return os.path.relpath(folder / file) + colon + name if (folder / file).exists() else target
