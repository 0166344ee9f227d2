"""Completion of commands and options, as shell scripts."""

from __future__ import annotations

from milo_schema.cli.options import COMMANDS, OPTIONS

__all__ = ["SHELLS"]


def _options(command: str) -> dict[str, str]:
    """The options of a command, with their help."""
    rows = [row for row in OPTIONS if command in row.commands.split()]
    return {f"--{row.name}": row.help for row in rows if row.kind not in ("targets", "table")}


def _bash() -> str:
    cases = "\n".join(
        f'    -*:{command}) words="{" ".join(_options(command))}" ;;' for command in COMMANDS
    )
    return f"""\
_milo_schema() {{
  local words="" current="${{COMP_WORDS[COMP_CWORD]}}"
  case "$current:${{COMP_WORDS[1]}}" in
{cases}
    *) [ "$COMP_CWORD" = 1 ] && words="{" ".join(COMMANDS)}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
}}
complete -o filenames -F _milo_schema milo-schema"""


def _zsh() -> str:
    return f"autoload -U +X compinit bashcompinit && compinit && bashcompinit\n{_bash()}"


def _fish() -> str:
    lines = [
        f"complete -c milo-schema -n __fish_use_subcommand -a {name} -d '{about.help}'"
        for name, about in COMMANDS.items()
    ]
    lines += [
        f"complete -c milo-schema -n '__fish_seen_subcommand_from {command}'"
        f" -l {option[2:]} -d '{help_}'"
        for command in COMMANDS
        for option, help_ in _options(command).items()
    ]
    return "\n".join(lines)


SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
