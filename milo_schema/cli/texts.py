"""The prose of the command line, which is data, ``texts.toml``; and the command ``explain``."""

import argparse
import pkgutil
import textwrap
import tomllib
from collections.abc import Iterable
from typing import NamedTuple

from milo_schema.cli.terminal import CommandError, Console
from milo_schema.errors import CODES, FINDING_CODES, STYLE, nearest


class Command(NamedTuple):
    """A command: its help, the form of its targets, and examples."""

    help: str
    targets: str
    examples: list[str]


_TEXTS = tomllib.loads((pkgutil.get_data(__name__, "texts.toml") or b"").decode())
COMMANDS = {name: Command(**row) for name, row in _TEXTS["commands"].items()}
OPTION_HELP: dict[str, str] = _TEXTS["options"]


def overview() -> str:
    """The help of ``milo-schema`` without a command."""
    text: str = _TEXTS["overview"]
    return text.format(
        examples=_indent(command.examples[0] for command in COMMANDS.values()),
        commands=_indent(f"{name:<10}{command.help}" for name, command in COMMANDS.items()),
        targets=_TEXTS["targets"],
    )


def beginning_of(command: str) -> str:
    """The first part of the help of a command: its description and examples."""
    about = COMMANDS[command]
    return f"{about.help[0].upper()}{about.help[1:]}.\n\nexamples:\n{_indent(about.examples)}"


def _indent(lines: Iterable[str]) -> str:
    """Lines with two spaces before each."""
    return "\n".join(f"  {line}" for line in lines)


# -- codes -------------------------------------------------------------------------------------


class Example(NamedTuple):
    """Why a code matters, code with the finding under a profile, and the same code without it."""

    why: str
    bad: str
    good: str
    profile: str = "milo"


EXAMPLES = {code: Example(**row) for code, row in _TEXTS["codes"].items()}


def end_of(command: str) -> str:
    """The last part of the help of a command: the arguments after the options."""
    targets = "" if command == "explain" else _TEXTS["targets"]
    if command not in {"check", "explain"}:
        return targets
    codes = _indent(f"{code}\n      {CODES[code]}" for code in FINDING_CODES)
    style = " ".join(sorted(STYLE))
    errors = textwrap.fill(
        f"all codes but {style}",
        78,
        initial_indent=" " * 6,
        subsequent_indent=" " * 6,
        break_on_hyphens=False,
    )
    return f"{targets}\ncodes:\n{codes}\n  errors\n{errors}".lstrip()


def explanation_of(code: str) -> str:
    """The text that ``milo-schema explain`` prints, in Markdown."""
    why, bad, good, profile = EXAMPLES[code]
    under = "" if profile == "milo" else f", with `--profile {profile}`"
    language = "json" if bad.startswith("{") else "python"  # what a server lists, or a function
    text: str = _TEXTS["explanation"]
    return text.format(
        code=code,
        meaning=CODES[code],
        why=why,
        bad=bad,
        good=good,
        profile=under,
        language=language,
    )


def explain(arguments: argparse.Namespace, console: Console) -> int:
    """Print the meaning of codes, why they matter, and an example of each."""
    for code in arguments.targets:
        if code not in EXAMPLES:
            raise CommandError(f"unknown code {code}{nearest(code, EXAMPLES)}")
    console.write("\n".join(map(explanation_of, arguments.targets)).rstrip())
    return 0
