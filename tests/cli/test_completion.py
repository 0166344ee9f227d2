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
    ],
)
def test_bash_completes_commands_options_and_files(run, write, words, expected):
    write("tools.py")
    status, script, err = run("completion", "bash")
    typed = f"COMP_WORDS=(milo-schema {' '.join(words)}); COMP_CWORD={len(words)}"

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
    typed = [row for row in OPTIONS if row.kind not in ("targets", "table")]
    assert len(lines) == len(COMMANDS) + sum(len(row.commands.split()) for row in typed)
    assert lines[1] == (
        "complete -c milo-schema -n __fish_use_subcommand -a check -d 'report problems'"
    )
    assert lines[-1] == (
        "complete -c milo-schema -n '__fish_seen_subcommand_from diff' -l isolated "
        "-d 'ignore the configuration in pyproject.toml'"
    )


def test_another_shell_is_one_line_and_status_2(run):
    told = f"milo-schema: no completion for sh; choose from {', '.join(SHELLS)}\n"
    assert (2, "", told) == run("completion", "sh")
