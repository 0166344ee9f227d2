"""The profile of a command: the one that is given, that of the tools or the snapshot, or MCP."""

import json

import pytest

TOOLS = """
    from milo_schema import Toolbox, profiles, tool_schema
    def ping(host: str | None = None, times: int = 1) -> None: ...
    HOUSE = profiles.MCP.replace(name="house", closed="nothing")
    exact = Toolbox([ping])
    loose = Toolbox([ping], profile=profiles.MILO)
    house = Toolbox([ping], profile=HOUSE)
    several = [ping, tool_schema(ping, name="pong", profile=profiles.MILO)]
"""
NULLABLE = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}
STRING = {"type": "string", "default": None}


def host(schema):
    return schema["properties"]["host"]


@pytest.fixture
def shown(run, write):
    """The schemas of a target, by name."""
    write("tools.py", TOOLS)

    def call(target, *options):
        status, out, err = run("show", f"tools.py:{target}", *options)
        assert (status, err) == (0, "")
        return json.loads(out)

    return call


def test_a_command_uses_mcp(shown):
    schema = shown("ping")
    assert (host(schema), schema["additionalProperties"]) == (NULLABLE, False)


def test_a_tool_keeps_its_own_profile_unless_one_is_given(shown):
    assert host(shown("exact")["ping"]) == host(shown("loose", "--profile", "mcp")["ping"])
    assert host(shown("loose")["ping"]) == STRING
    assert "additionalProperties" not in shown("house")["ping"]
    assert host(shown("exact", "--profile", "milo")["ping"]) == STRING


def test_functions_have_the_profile_of_the_tools_beside_them(shown):
    assert {name: host(each) for name, each in shown("several").items()} == {
        "ping": STRING,
        "pong": STRING,
    }


@pytest.mark.parametrize(
    ("target", "options", "profile"),
    [
        ("ping", [], "MCP"),
        ("ping", ["--profile", "milo"], "MILO"),
        ("ping", ["--profile", "mine:HOUSE"], "mine:HOUSE"),
        ("loose", [], "MILO"),
        ("house", [], "house"),
        ("house", ["--profile", "mcp"], "MCP"),
    ],
)
def test_a_snapshot_has_the_profile_that_diff_uses(run, write, folder, target, options, profile):
    write("tools.py", TOOLS)
    write("mine.py", "from tools import HOUSE")
    assert (0, "", "") == run("snapshot", "lock.json", f"tools.py:{target}", *options)
    assert json.loads((folder / "lock.json").read_text())["profile"] == profile
    again = options if target == "house" else []
    assert (0, "no changes\n", "") == run("diff", "lock.json", f"tools.py:{target}", *again)
    assert (0, "no changes\n", "") == run("diff", "lock.json", f"tools.py:{target}", *options)


def test_a_snapshot_of_another_profile_is_not_compared(run, write):
    write("tools.py", TOOLS)
    run("snapshot", "lock.json", "tools.py:ping")

    told = (
        "lock.json has schemas of the profile MCP, not milo; write it again, or leave out --profile"
    )
    assert (2, "", f"milo-schema: {told}\n") == run(
        "diff", "lock.json", "tools.py:ping", "--profile", "milo"
    )


def test_a_list_of_tools_is_compared_in_the_profile_of_the_new_ones(run, write, folder):
    write("tools.py", TOOLS)
    for target, options in (("loose", []), ("exact", []), ("ping", ["--profile", "milo"])):
        _, out, _ = run("show", f"tools.py:{target}", "--tool", *options)
        listed = json.loads(out)
        write("tools.json", json.dumps(listed if isinstance(listed, list) else [listed]))
        found = run("diff", "tools.json", f"tools.py:{target}", *options)
        assert found == (0, "no changes\n", "")


def test_check_judges_a_tool_under_its_own_profile(run, write):
    write("tools.py", TOOLS.replace("host: str | None = None", "host: str = None"))

    def codes(*words):
        _, out, _ = run("check", *words, "--format", "json", "--select", "default-misfit")
        return [each["code"] for each in json.loads(out)]

    assert codes("tools.py:exact") == ["default-misfit"]
    assert codes("tools.py:loose") == []
    assert codes("tools.py:loose", "--profile", "mcp") == ["default-misfit"]
