"""Completion in shells: the scripts name every command and option."""

import shutil
import subprocess

import pytest

from milo_schema.cli.completion import SHELLS
from milo_schema.cli.options import COMMANDS, OPTIONS


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["sn"], ["snapshot"]),
        (["check", "--st"], ["--statistics"]),
        (["diff", "--st"], []),
        (["check", "too"], ["tools.py"]),
        (["check", "--format", "s"], ["sarif", "statistics"]),
        (["show", "--format", "t"], ["tree"]),
        (["diff", "--profile", "MCP_"], ["MCP_2025", "MCP_SDK"]),
        (["check", "--baseline", "too"], ["tools.py"]),
        (["explain", "unr"], ["unreachable-parameter", "unresolved-name"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
    ],
)
def test_bash_completes_commands_options_and_files(run, write, words, expected):
    write("tools.py")
    status, script, err = run("completion", "bash")
    quoted = " ".join(f"'{word}'" for word in words)
    typed = f"COMP_WORDS=(milo-schema {quoted}); COMP_CWORD={len(words)}; COMPREPLY=(old)"

    done = subprocess.run(
        ["bash", "-c", f'{script}\n{typed}\n_milo_schema\nprintf "%s\\n" "${{COMPREPLY[@]}}"'],
        capture_output=True,
        check=True,
        text=True,
    )

    assert (0, "", expected) == (status, err, done.stdout.split())


def test_the_scripts_of_other_shells(run):
    _, zsh, _ = run("completion", "zsh")
    _, bash, _ = run("completion", "bash")
    assert zsh == f"autoload -U +X compinit bashcompinit && compinit && bashcompinit\n{bash}"

    _, fish, _ = run("completion", "fish")
    lines = fish.splitlines()
    typed = [row for row in OPTIONS if row.is_typed]
    assert len(lines) == len(COMMANDS) + 2 + sum(len(row.commands.split()) for row in typed)
    assert lines[0] == (
        "complete -c milo-schema -n __fish_use_subcommand -a show "
        "-d 'print schemas and tool definitions'"
    )
    assert lines[3] == (
        "complete -c milo-schema -n '__fish_seen_subcommand_from show' -l as "
        "-xa 'mcp openai openai-responses anthropic gemini bedrock' "
        "-d 'the tool definition in a provider\\'s format'"
    )
    assert lines[5] == (
        "complete -c milo-schema -n '__fish_seen_subcommand_from show' -l indent -r "
        "-d 'how many spaces (default: 2)'"
    )
    assert lines[-1] == (
        "complete -c milo-schema -n '__fish_seen_subcommand_from completion' -xa 'bash zsh fish'"
    )


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not here")
def test_fish_completes_options_and_values(run):
    _, script, _ = run("completion", "fish")
    typed = "complete -C 'milo-schema show --a'; complete -C 'milo-schema explain unr'"

    done = subprocess.run(
        ["fish", "--no-config", "-c", f"{script}\n{typed}"],
        capture_output=True,
        check=True,
        text=True,
    )

    assert done.stdout.splitlines() == [
        "--allow-import-errors\tdo not fail on modules that cannot be imported",
        "--as\tthe tool definition in a provider's format",
        "unreachable-parameter",
        "unresolved-name",
    ]


def test_another_shell_is_one_line_and_status_2(run):
    told = f"milo-schema: no completion for sh; choose from {', '.join(SHELLS)}\n"
    assert (2, "", told) == run("completion", "sh")
