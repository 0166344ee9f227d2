"""Servers of both protocols, over standard input and output and by HTTP, and those that fail."""

import json
import os
import re
import sys
import time
from pathlib import Path
from textwrap import dedent

import pytest

from milo_schema.cli import servers
from milo_schema.cli.servers import ask
from milo_schema.cli.terminal import CommandError, Console
from tests.cli.strange_servers import (
    ADDRESSES,
    BEGINNING,
    PROGRAMS,
    TOOLS,
    answer,
    head,
    of_the_newest_version,
    reply,
    served,
    streaming,
)
from tests.fragments import INTEGER, STRING, obj

GRACE = 0.1


def judge(server, strange, capsys):
    """A client lists the tools of a server, or says in one line why not."""
    if strange.tools is None:
        told = f"{server} did not list its tools: {strange.reason}"
        with pytest.raises(CommandError, match=f"^{re.escape(told)}"):
            ask(server, Console(), strange.seconds, GRACE)
    else:
        assert ask(server, Console(), strange.seconds, GRACE) == strange.tools
    note = f"milo-schema: {server}: {strange.note} is not a message of MCP; skipped\n"
    assert capsys.readouterr().err == (note if strange.note else "")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_lists_its_tools_or_is_ended_in_time(name, write, folder, capsys):
    path = folder / write("server.py", BEGINNING + PROGRAMS[name].program)

    judge(f"{sys.executable} -IS {path}", PROGRAMS[name], capsys)

    assert remaining(str(path)) == []


@pytest.mark.parametrize("name", ADDRESSES)
def test_an_address_lists_its_tools_or_is_left_in_time(name, capsys):
    with served(ADDRESSES[name].program) as address:
        judge(address, ADDRESSES[name], capsys)


def remaining(word):
    """The processes with a word in their commands, after a while; one that left its group ends."""
    limit = time.monotonic() + 10
    while (found := [*running(word)]) and time.monotonic() < limit:
        for pid, command in found:
            if "-ISc" in command and os.getpgid(pid) == pid:
                os.kill(pid, 9)
        time.sleep(0.01)
    return found


def running(word):
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_text()
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:  # it has ended
            continue
        if word in command and state != "Z":
            yield int(folder.name), command


# -- the command line --------------------------------------------------------------------------

SERVER = f"{BEGINNING}\nTOOLS.append({{**TOOLS[0], 'name': 'b'}})\nserve()"
TWO = [*TOOLS, {**TOOLS[0], "name": "b"}]


def test_a_server_is_run_and_asked_for_its_tools(run, write):
    write("server.py", SERVER)

    status, out, err = run("show", "--tool", "--server", f"{sys.executable} server.py 1,2")

    assert (0, TWO, "") == (status, json.loads(out), err)


def test_tools_of_a_server_are_excluded_by_their_names(run, write):
    write("server.py", SERVER)

    words = ["--server", f"{sys.executable} server.py", "--exclude", "*server.py:a"]
    status, out, err = run("show", "--tool", *words)

    assert (0, TWO[1:], "") == (status, json.loads(out), err)


def test_nan_in_a_tool_of_a_server_is_a_finding(run, write):
    write("server.py", f"{BEGINNING}\nTOOLS[0]['inputSchema']['minimum'] = float('nan')\nserve()")

    status, out, err = run("check", "--server", f"{sys.executable} server.py")

    assert (1, "") == (status, err)
    assert "the number nan in the input schema cannot be written as JSON" in out


def test_a_server_that_does_not_answer_is_one_line_and_status_2(run, write):
    write("server.py", r"raise SystemExit('\x1b]0;a')")

    command = f"{sys.executable} server.py"
    told = f"milo-schema: {command} did not list its tools: it ended without an answer"
    told += '; it wrote "\\x1b]0;a" on standard error\n'
    assert run("check", "--server", command) == (2, "", told)


def test_what_a_server_writes_to_standard_error_is_shown_on_demand(run, write):
    write("server.py", f"{BEGINNING}\nprint('\\x1b]0;a\\n::error::b', file=sys.stderr)\nserve()")

    command = ["show", "--server", f"{sys.executable} server.py"]
    assert run(*command)[2] == ""
    assert run(*command, "--traceback")[2] == "\\x1b]0;a\n\\x3a:error::b\n"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("./no_such_server", "cannot run ./no_such_server: No such file or directory"),
        ("python 'server.py", "cannot run python 'server.py: No closing quotation"),
        ("", "cannot run : Permission denied"),
        ("no_such_server --quiet", "no program named no_such_server"),
    ],
)
def test_a_server_that_cannot_be_run_is_one_line_and_status_2(run, command, told):
    assert (2, "", f"milo-schema: {told}\n") == run("check", "--server", command)


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("http://127.0.0.1:1/mcp", "[Errno 111] Connection refused"),
        ("http://[", "Invalid IPv6 URL"),
        ("http://", "no host given"),
    ],
)
def test_an_address_of_no_server_is_one_line_and_status_2(run, address, reason):
    told = f"milo-schema: {address} did not list its tools: {reason}\n"
    assert (2, "", told) == run("check", "--server", address)


def test_the_time_for_a_server_is_an_option(run, write):
    command = f"{sys.executable} {write('server.py', 'import time; time.sleep(60)')}"
    told = f"milo-schema: {command} did not list its tools: it did not answer in 0.2 seconds\n"

    assert (2, "", told) == run("check", "--server", command, "--timeout", "0.2")


@pytest.mark.parametrize("text", ["soon", "nan", "0", "-1", "inf"])
def test_the_time_for_a_server_is_a_number_of_seconds(run, text):
    told = f"milo-schema: --timeout must be a number of seconds, not {text}\n"

    assert (2, "", told) == run("check", "json", f"--timeout={text}")


@pytest.mark.parametrize(("is_terminal", "patience"), [(True, 0), (False, 0), (True, 60)])
def test_a_terminal_shows_what_is_waited_for(write, monkeypatch, capsys, is_terminal, patience):
    command = f"{sys.executable} {write('server.py', 'import time; time.sleep(60)')}"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    monkeypatch.setattr(servers, "_PATIENCE", patience)

    with pytest.raises(CommandError, match="did not answer"):
        ask(command, Console(), 0.2, GRACE)

    told = f"milo-schema: waiting for {command}\n" if is_terminal and not patience else ""
    assert told == capsys.readouterr().err


OLD = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}


def test_the_draft_that_a_framework_writes_is_one_finding_for_its_server(run, write):
    nested = {**OLD, "properties": {"x": {**OLD, "description": "X."}}}
    inputs = {"a": OLD, "b": OLD, "c": nested}
    rest = {"description": "Does it.", "outputSchema": OLD}
    tools = [{"name": name, "inputSchema": schema, **rest} for name, schema in inputs.items()]
    write("tools.json", json.dumps({"tools": tools}))
    told = 'declares "draft-07"; MCP clients assume 2020-12, so use that and omit $schema'

    assert (1, "") == run("check", "tools.json")[::2]
    assert run("check", "tools.json")[1] == (
        f"tools.json\n  other-dialect  {told}\n\n"
        f"c  tools.json\n  other-dialect  (x): {told}\n\n"
        "3 tools: 2 findings (2 other-dialect)\n"
    )


def test_a_parameter_that_only_the_text_of_its_tool_describes_has_words_of_its_own(run, write):
    text = "Find.\n\nArgs:\n    query: Some words.\n    limit: How many."
    limit = INTEGER | {"description": "How many."}
    schema = obj([], query=STRING, limit=limit, page=INTEGER)
    write("tools.json", json.dumps([{"name": "find", "description": text, "inputSchema": schema}]))

    assert run("check", "tools.json")[1] == (
        "find  tools.json\n"
        "  undescribed-parameter  (query): described only in the tool's description, because the "
        "framework does not read docstrings; give it a description of its own\n"
        "  undescribed-parameter  (page): no description; say what to pass\n\n"
        "1 tool: 2 findings (2 undescribed-parameter)\n"
    )


# -- versions ----------------------------------------------------------------------------------

LOGGED = """
    import json, sys
    for line in sys.stdin:
        call = json.loads(line)
        with open("log.jsonl", "a") as log:
            log.write(line)
        if "id" not in call:
            continue
        listed = {"result": {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}}
        answer = ANSWERS.get(call["method"], listed)
        if answer == "exit":
            raise SystemExit
        if answer:
            print(json.dumps({"id": call["id"], **answer}))  # without a flush
"""
MODERN = {"result": {"supportedVersions": ["2026-07-28"], "resultType": "complete"}}
UNKNOWN = {"error": {"code": -32601, "message": "Method not found"}}
UNSUPPORTED = {"error": {"code": -32022, "message": "no", "data": {"supported": ["2026-07-28"]}}}
HELLO = {"result": {"protocolVersion": "2025-06-18"}}


@pytest.mark.parametrize(
    ("discover", "hello", "methods"),
    [
        (MODERN, UNKNOWN, ["server/discover", "tools/list+"]),
        (UNKNOWN, HELLO, ["server/discover", "initialize", "", "tools/list"]),
        ({"result": {}}, HELLO, ["server/discover", "initialize", "", "tools/list"]),
        ({"result": []}, HELLO, ["server/discover", "initialize", "", "tools/list"]),
        ({"result": {"supportedVersions": ["2025-11-25"]}}, {"result": {}},
         ["server/discover", "initialize", "", "tools/list"]),
        ({}, HELLO, ["server/discover", "initialize", "", "tools/list"]),
        ({}, UNSUPPORTED, ["server/discover", "initialize", "tools/list+"]),
        ("exit", HELLO, ["server/discover", "initialize", "", "tools/list"]),
    ],
)  # fmt: skip
def test_the_newest_version_is_asked_for_first(
    write, folder, monkeypatch, discover, hello, methods
):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    answers = {"server/discover": discover, "initialize": hello}
    write("server.py", f"ANSWERS = {answers!r}\n{dedent(LOGGED)}")

    # A twelfth of the time is for the first question, which some do not answer.
    tools = ask(f"{sys.executable} server.py", Console(), 6 if discover == {} else 60, GRACE)

    assert [tool["name"] for tool in tools] == ["a"]
    log = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    metas = [each.get("params", {}).get("_meta", {}) for each in log]
    version = "io.modelcontextprotocol/protocolVersion"
    assert methods == [
        (each["method"] if "id" in each else "")
        + "+" * (meta.get(version) == "2026-07-28" and each["method"] == "tools/list")
        for each, meta in zip(log, metas, strict=True)
    ]
    if discover != "exit":  # which is another process
        ids = [each["id"] for each in log if "id" in each]
        assert ids == [*range(1, len(ids) + 1)]


CLIENT = {"name": "milo-schema", "version": "1"}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": CLIENT,
}


def test_an_address_is_asked_in_the_newest_version():
    log: list[dict] = []
    with served(of_the_newest_version, log) as address:
        assert ask(address, Console()) == TOOLS

    assert [call["method"] for call in log] == ["server/discover", "tools/list"]
    for call in log:
        headers = call["headers"]
        assert call["params"] == {"_meta": META}
        assert headers["mcp-method"] == call["method"]
        assert headers["mcp-protocol-version"] == "2026-07-28"
        assert headers["accept"] == "application/json, text/event-stream"
        assert headers["content-type"] == "application/json"


def test_an_older_server_at_an_address_has_a_session_and_streams():
    log: list[dict] = []

    def respond(call):
        if call["method"] == "server/discover":
            yield reply(b"Bad Request: no session", status="400 Bad Request")
        elif call["method"] == "initialize":
            yield reply(answer(call, **HELLO), "Mcp-Session-Id: s1")
        elif call["method"] == "DELETE":
            yield head(status="405 Method Not Allowed")
        else:
            yield from streaming(call)

    with served(respond, log) as address:
        assert ask(address, Console()) == TOOLS

    names = ("mcp-protocol-version", "mcp-session-id")
    assert [(call["method"], *map(call["headers"].get, names)) for call in log] == [
        ("server/discover", "2026-07-28", None),
        ("initialize", None, None),
        ("notifications/initialized", "2025-06-18", "s1"),
        ("tools/list", "2025-06-18", "s1"),
        ("DELETE", "2025-06-18", "s1"),
    ]
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
    assert [call.get("params") for call in log] == [{"_meta": META}, hello, None, {}, None]
