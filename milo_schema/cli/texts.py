"""The prose of the command line, which is data: ``texts.toml``."""

import pkgutil
import tomllib
from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["COMMANDS", "TEXTS", "Command", "beginning_of", "indent", "overview"]


class Command(NamedTuple):
    """A command: its help, the form of its targets, and examples."""

    help: str
    targets: str
    examples: list[str]


TEXTS = tomllib.loads((pkgutil.get_data(__name__, "texts.toml") or b"").decode())
COMMANDS = {name: Command(**row) for name, row in TEXTS["commands"].items()}


def overview() -> str:
    """The help of ``milo-schema`` without a command."""
    text: str = TEXTS["overview"]
    return text.format(
        examples=indent(command.examples[0] for command in COMMANDS.values()),
        commands=indent(f"{name:<10}{command.help}" for name, command in COMMANDS.items()),
        targets=TEXTS["targets"],
    )


def beginning_of(command: str) -> str:
    """The first part of the help of a command: its description and examples."""
    about = COMMANDS[command]
    return f"{about.help[0].upper()}{about.help[1:]}.\n\nexamples:\n{indent(about.examples)}"


def indent(lines: Iterable[str]) -> str:
    """Lines with two spaces before each."""
    return "\n".join(f"  {line}" for line in lines)
