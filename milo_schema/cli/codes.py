"""The command ``explain``, and the explanations of the codes of ``check``."""

import argparse
import textwrap
from typing import NamedTuple

from milo_schema.cli.terminal import CommandError, Console
from milo_schema.cli.texts import TEXTS, indent
from milo_schema.errors import FINDINGS as CODES
from milo_schema.errors import STYLE, nearest

__all__ = ["EXAMPLES", "Example", "end_of", "explain", "explanation_of"]


class Example(NamedTuple):
    """Why a code matters, code with the finding under a profile, and the same code without it."""

    why: str
    bad: str
    good: str
    profile: str = "milo"


EXAMPLES = {code: Example(**row) for code, row in TEXTS["codes"].items()}


def end_of(command: str) -> str:
    """The last part of the help of a command: the arguments after the options."""
    targets = "" if command == "explain" else TEXTS["targets"]
    if command not in {"check", "explain"}:
        return targets
    codes = indent(f"{code}\n      {meaning}" for code, meaning in CODES.items())
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
    text: str = TEXTS["explanation"]
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
