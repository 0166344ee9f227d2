"""Servers of both protocols, over standard input and output and by HTTP, and those that fail."""

import json
import os
import sys
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from milo_schema.cli import servers
from milo_schema.cli.terminal import Console

# -- programs ----------------------------------------------------------------------------------

SERVER = """
    import json, sys
    TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("a", "b")]
    for line in sys.stdin:
        call = json.loads(line)
        print(json.dumps({"method": "notifications/message"}), flush=True)
        if call["method"] == "tools/list":
            cursor = call["params"].get("cursor", 0)
            result = {"tools": TOOLS[cursor : cursor + 1]}
            if not cursor:
                result["nextCursor"] = 1
            print(json.dumps({"id": call["id"], "result": result}), flush=True)
        elif "id" in call:
            print(json.dumps({"id": call["id"], "result": {}}), flush=True)
"""
TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("a", "b")]


@pytest.fixture(autouse=True)
def short_waits(monkeypatch):
    monkeypatch.setattr(servers, "END_PATIENCE", 0.3)


def test_a_server_is_run_and_asked_for_its_tools(run, write):
    write("server.py", SERVER)

    status, out, err = run("show", "--tool", "--server", f"{sys.executable} server.py 1,2")

    assert (0, TOOLS, "") == (status, json.loads(out), err)


def test_tools_of_a_server_are_excluded_by_their_names(run, write):
    write("server.py", SERVER)

    words = ["--server", f"{sys.executable} server.py", "--exclude", "*server.py:a"]
    status, out, err = run("show", "--tool", *words)

    assert (0, TOOLS[1:], "") == (status, json.loads(out), err)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("raise SystemExit('no')", "it exited without an answer"),
        ("import time; time.sleep(60)", "it did not answer in 0 seconds"),
        ("print('\\nhello')", "'hello' is not a message of MCP"),
        ("print([1])", "'[1]' is not a message of MCP"),
        ("print('[' * 100_000)", f"'{'[' * 77}...' is not a message of MCP"),
        (
            """for i in (1, 2): print('{"id": %d, "error": "no"}' % i)""",
            "no",
        ),
        (SERVER.replace("TOOLS[cursor : cursor + 1]", "[1, 2]"), "its answer has no list of tools"),
        (SERVER.replace('"result": result', '"result": []'), "its answer has no list of tools"),
        (
            SERVER.replace("if not cursor:", "if True:"),
            """the cursor {"cursor": 1} is too long, or was used before""",
        ),
        (
            # as JSON with its name, it has 10,001 characters
            SERVER.replace('result["nextCursor"] = 1', 'result["nextCursor"] = "x" * 9_987'),
            'the cursor {"cursor": "' + "x" * 65 + "... is too long, or was used before",
        ),
        (
            """for i in (1, 2): print('{"id": %d, "error": {"message": "no"}}' % i)""",
            "no",
        ),
    ],
)
def test_a_server_that_does_not_answer_is_one_line_and_status_2(
    run, write, monkeypatch, source, problem
):
    if "sleep" in source:
        monkeypatch.setattr(servers, "PATIENCE", 0.4)
        monkeypatch.setattr(servers, "PROBE_PATIENCE", 0.2)
    write("server.py", f"{dedent(source)}\ninput()\ninput()")

    command = f"{sys.executable} server.py"
    told = f"milo-schema: {command} did not list its tools: {problem}"
    hint = "; --traceback shows what it writes\n"
    assert (2, "", told + hint) == run("check", "--server", command)
    status, out, err = run("check", "--server", command, "--traceback")
    assert (2, "", told) == (status, out, err.splitlines()[-1])


def test_what_a_server_writes_to_standard_error_is_shown_on_demand(run, write):
    write(
        "server.py", "import sys\nprint('\\x1b]0;a\\n::error::b', file=sys.stderr)" + dedent(SERVER)
    )

    command = ["show", "--server", f"{sys.executable} server.py"]
    assert run(*command)[2] == ""
    assert run(*command, "--traceback")[2] == "\\x1b]0;a\n\\x3a:error::b\n"


def test_a_server_that_cannot_be_run_is_one_line_and_status_2(run):
    status, out, err = run("check", "--server", "./no_such_server")

    assert (2, "") == (status, out)
    assert err == "milo-schema: cannot run ./no_such_server: No such file or directory\n"
    told = "milo-schema: cannot run python 'server.py: No closing quotation\n"
    assert (2, "", told) == run("check", "--server", "python 'server.py")


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
            print(json.dumps({"id": call["id"], **answer}), flush=True)
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
        (
            {"result": {"supportedVersions": ["2025-11-25"]}},
            {"result": {}},
            ["server/discover", "initialize", "", "tools/list"],
        ),
        ({}, HELLO, ["server/discover", "initialize", "", "tools/list"]),
        ({}, UNSUPPORTED, ["server/discover", "initialize", "tools/list+"]),
        ("exit", HELLO, ["server/discover", "initialize", "", "tools/list"]),
    ],
)
def test_the_newest_version_is_asked_for_first(
    run, write, folder, monkeypatch, discover, hello, methods
):
    monkeypatch.setattr(servers, "PROBE_PATIENCE", 0.3)
    answers = {"server/discover": discover, "initialize": hello}
    write("server.py", f"ANSWERS = {answers!r}\n{dedent(LOGGED)}")

    status, out, err = run("show", "--tool", "--server", f"{sys.executable} server.py")

    assert (0, ["a"], "") == (status, [tool["name"] for tool in json.loads(out)], err)
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


def test_a_server_may_refuse_to_shake_hands(run, write):
    answers = {"server/discover": UNKNOWN, "initialize": UNKNOWN}
    write("server.py", f"ANSWERS = {answers!r}\n{dedent(LOGGED)}")

    command = f"{sys.executable} server.py"
    told = f"{command} did not list its tools: Method not found; --traceback shows what it writes"
    assert (2, "", f"milo-schema: {told}\n") == run("show", "--server", command)


def test_a_server_that_exits_before_the_request_is_reported():
    program = servers._Program(f"{sys.executable} -c ''", Console())
    program._server.wait()

    with pytest.raises(ValueError, match="it exited without an answer"):
        program.write({})
    program.end()


# -- processes ---------------------------------------------------------------------------------


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_ended(pid):
    limit = time.monotonic() + 10
    while is_running(pid) and time.monotonic() < limit:
        time.sleep(0.02)
    return not is_running(pid)


def test_a_wrapper_is_ended_with_all_that_it_started(run, write, folder):
    write("server.py", SERVER)
    write("start.sh", f"sleep 300 & echo $! > pid\n{sys.executable} server.py\nsleep 300\n")

    start = time.monotonic()
    status, _, err = run("show", "--server", "sh start.sh")

    assert (0, "", True) == (status, err, time.monotonic() - start < 30)
    assert wait_until_ended(int((folder / "pid").read_text()))


def test_a_process_that_keeps_the_pipe_is_not_waited_for(run, write, folder):
    write(
        "server.py",
        "import subprocess, sys\n"
        "left = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)'],\n"
        "                        start_new_session=True)\n"
        "open('pid', 'w').write(str(left.pid))\n" + dedent(SERVER),
    )

    start = time.monotonic()
    status, _, err = run("show", "--server", f"{sys.executable} server.py")
    took = time.monotonic() - start

    os.kill(int((folder / "pid").read_text()), 9)
    assert (0, "", True) == (status, err, took < 30)


def test_a_server_that_ignores_the_end_is_killed(run, write, folder):
    ignoring = "import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    rest = "open('pid', 'w').write(str(os.getpid()))\n"
    write("server.py", ignoring + rest + dedent(SERVER) + "\ntime.sleep(300)")

    assert run("show", "--server", f"{sys.executable} server.py")[0] == 0
    assert wait_until_ended(int((folder / "pid").read_text()))


def test_a_server_that_never_stops_writing_is_ended(run, write, monkeypatch):
    monkeypatch.setattr(servers, "PATIENCE", 0.4)
    monkeypatch.setattr(servers, "PROBE_PATIENCE", 0.2)
    monkeypatch.setattr(servers, "END_PATIENCE", 0.05)  # too short to read what it wrote
    writer = (
        "import os, threading\n"
        "threading.Timer(20, os._exit, [1]).start()\n"  # where nothing else ends it
        "while True: print('{}', flush=True)"
    )
    write(  # the writer is in another session, so it is not killed with the server
        "server.py",
        "import subprocess, sys\n"
        f"subprocess.Popen([sys.executable, '-c', {writer!r}], start_new_session=True,\n"
        "                 stderr=subprocess.DEVNULL)\n"
        "input()\ninput()",
    )
    before = set(threading.enumerate())

    command = f"{sys.executable} server.py"
    told = f"{command} did not list its tools: it did not answer in 0 seconds"
    assert (2, "", f"milo-schema: {told}; --traceback shows what it writes\n") == run(
        "show", "--server", command
    )
    patience = time.monotonic() + 10
    while (left := set(threading.enumerate()) - before) and time.monotonic() < patience:
        time.sleep(0.01)
    assert left == set()  # what the server wrote is read, and forgotten


# -- addresses ---------------------------------------------------------------------------------


class Handler(BaseHTTPRequestHandler):
    """Answers as the test says, and remembers what it was asked."""

    server: Any

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        message = json.loads(self.rfile.read(length))
        self.server.log.append((self.lower_headers(), message))
        self.server.answer(self, message)

    def do_DELETE(self):
        self.server.log.append((self.lower_headers(), None))
        self.reply(b"", 405)

    def lower_headers(self):
        return {key.lower(): value for key, value in self.headers.items()}

    def reply(self, content, status=200, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@pytest.fixture
def serve():
    """Start a server with a function that answers; its address and its log."""
    started = []

    def start(answer):
        server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.answer, server.log = answer, []
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        started.append(server)
        return f"http://127.0.0.1:{server.server_port}/mcp", server.log

    yield start
    for server in started:
        server.shutdown()
        server.server_close()


def as_json(message, **answer):
    return json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}).encode()


def test_a_server_at_an_address_is_asked_in_the_newest_version(run, serve):
    def answer(request, message):
        result = MODERN["result"] if message["method"] == "server/discover" else {"tools": TOOLS}
        request.reply(as_json(message, result=result), Content_Type="application/json")

    address, log = serve(answer)
    status, out, err = run("show", "--tool", "--server", address)

    assert (0, TOOLS, "") == (status, json.loads(out), err)
    assert [each["method"] for _, each in log] == ["server/discover", "tools/list"]
    for headers, message in log:
        assert headers["mcp-method"] == message["method"]
        assert headers["mcp-protocol-version"] == "2026-07-28"
        assert headers["accept"] == "application/json, text/event-stream"


def test_an_older_server_at_an_address_has_a_session_and_streams(run, serve):
    def answer(request, message):
        if message["method"] == "server/discover":
            request.reply(b"Bad Request: no session", 400)
        elif message["method"] == "initialize":
            content = as_json(message, **HELLO)
            request.reply(content, Content_Type="application/json", Mcp_Session_Id="s1")
        elif "id" not in message:
            request.reply(b"", 202)
        else:
            other = b'event: message\r\ndata: {"method": "notifications/message"}\r\n\r\n: x\n\n'
            tools = as_json(message, result={"tools": TOOLS}).replace(b", ", b",\ndata: ")
            request.reply(
                b"\n" + other + b"id: 1\ndata: " + tools + b"\n\n", Content_Type="text/event-stream"
            )

    address, log = serve(answer)
    status, out, err = run("show", "--tool", "--server", address)

    assert (0, TOOLS, "") == (status, json.loads(out), err)
    assert [
        (
            message and message["method"],
            headers.get("mcp-protocol-version"),
            headers.get("mcp-session-id"),
        )
        for headers, message in log
    ] == [
        ("server/discover", "2026-07-28", None),
        ("initialize", None, None),
        ("notifications/initialized", "2025-06-18", "s1"),
        ("tools/list", "2025-06-18", "s1"),
        (None, "2025-06-18", "s1"),
    ]


def moved(request, message):
    request.reply(b"", 307, Location="/mcp/")


def refused(request, message):
    request.reply(as_json(message, error={"code": 1, "message": "no\x1b"}), 400)


def strange(request, message):
    request.reply(b'{"id": 1}', 599)


def empty(request, message):
    request.reply(b"")


def ending(request, message):
    request.reply(b"data: {}\n\n", Content_Type="text/event-stream")


def page(request, message):
    request.reply(b"<html>", Content_Type="text/html")


def gone(request, message):
    request.wfile.write(b"nothing of HTTP\r\n")


def slow(request, message):
    request.reply(b"", Content_Type="text/event-stream")
    with suppress(OSError):  # the client does not wait for the end
        for _ in range(20):
            request.wfile.write(b": ping\n\n")
            time.sleep(0.05)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (moved, "it answers with 307 Temporary Redirect; it is at /mcp/"),
        (refused, "no\\x1b"),
        (strange, "it answers with 599 "),
        (empty, "it exited without an answer"),
        (ending, "it exited without an answer"),
        (page, "'<html>' is not a message of MCP"),
        (gone, "nothing of HTTP"),
        (slow, "it did not answer in 0 seconds"),
    ],
)
def test_an_address_without_tools_is_one_line_and_status_2(run, serve, monkeypatch, answer, reason):
    if answer is slow:
        monkeypatch.setattr(servers, "PATIENCE", 0.3)
        monkeypatch.setattr(servers, "PROBE_PATIENCE", 0.1)
    address, _ = serve(answer)

    told = f"milo-schema: {address} did not list its tools: {reason}".rstrip()
    status, out, err = run("check", "--server", address)
    assert (2, "", told) == (status, out, err.rstrip())


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
