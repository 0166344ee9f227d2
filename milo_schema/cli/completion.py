"""Completion of commands, options and values, as shell scripts."""

from __future__ import annotations

from milo_schema.annotations import Iterable, Iterator
from milo_schema.checks import CODES
from milo_schema.cli.options import COMMANDS, OPTIONS, PROFILES, Option

__all__ = ["SHELLS"]


def _options(command: str) -> list[Option]:
    return [row for row in OPTIONS if command in row.commands.split() and row.is_typed]


def _values(row: Option) -> Iterable[str]:
    """The values of an option, if there are only a few."""
    return PROFILES if row.name == "profile" else row.choices


def _arguments() -> dict[str, Iterable[str]]:
    """The arguments of the commands whose arguments are not targets."""
    return {"explain": CODES, "completion": SHELLS}


def _bash() -> str:
    cases = [
        *(
            (f"{command}:--{row.name}:*", _values(row))
            for command in COMMANDS
            for row in _options(command)
            if _values(row)
        ),
        *((f"{name}:*:-*", [f"--{row.name}" for row in _options(name)]) for name in COMMANDS),
        *((f"{command}:*", words) for command, words in _arguments().items()),
    ]
    lines = "\n".join(f'    {pattern}) words="{" ".join(words)}" ;;' for pattern, words in cases)
    return f"""\
_milo_schema() {{
  local words="" current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
  COMPREPLY=()
  case "${{COMP_WORDS[1]}}:$before:$current" in
{lines}
    *) [ "$COMP_CWORD" = 1 ] && words="{" ".join(COMMANDS)}"
       COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
  COMPREPLY+=($(compgen -W "$words" -- "$current"))
}}
complete -o filenames -F _milo_schema milo-schema"""


def _zsh() -> str:
    return f"autoload -U +X compinit bashcompinit && compinit && bashcompinit\n{_bash()}"


def _fish() -> str:
    return "\n".join(f"complete -c milo-schema {line}" for line in _fish_rules())


def _fish_rules() -> Iterator[str]:
    for command, about in COMMANDS.items():
        yield f"-n __fish_use_subcommand -a {command} -d {_quoted(about.help)}"
        condition = f"-n '__fish_seen_subcommand_from {command}'"
        for row in _options(command):
            takes = "" if row.kind == "flag" else " -r"
            takes = f" -xa {_quoted(' '.join(_values(row)))}" if _values(row) else takes
            yield f"{condition} -l {row.name}{takes} -d {_quoted(row.help)}"
        if words := _arguments().get(command):
            yield f"{condition} -xa {_quoted(' '.join(words))}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
