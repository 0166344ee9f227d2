"""MCP servers, ordinary and hostile: programs, and functions that answer at an address.

Each says what a client makes of it: the tools that it lists, or the reason why there are none.
"""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

TOOLS = [{"name": "a", "inputSchema": {"type": "object"}}]
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "s", "version": "1"},
}
MODERN = {
    "supportedVersions": ["2026-07-28"],
    "capabilities": {"tools": {}},
    "resultType": "complete",
    "ttlMs": 0,
    "cacheScope": "public",
    "serverInfo": HELLO["serverInfo"],
}
UNKNOWN = {"code": -32601, "message": "Method not found"}

LATE = "it did not answer in 0.2 seconds"
LARGE = "it wrote more than 10,000,000 bytes"
ENDED = "it ended without an answer"
CURSOR = "its cursor is not a string, or was used before"
UNLISTED = "its answer has no list of tools"


class Strange(NamedTuple):
    """A server.

    Attributes:
        program: The end of a program in Python; or what is written to a connection.
        tools: What a client lists.
        reason: The beginning of the reason why it lists nothing.
        note: The beginning of what a client tells, although it lists the tools.
        seconds: The time that it has.
    """

    program: Any
    tools: list[Any] | None = TOOLS
    reason: str = ""
    note: str = ""
    seconds: float = 30


def failing(reason: str, program: Any) -> Strange:
    """A server from which a client gets no tools."""
    return Strange(program, None, reason, seconds=0.2 if reason == LATE else 30)


# -- programs ----------------------------------------------------------------------------------

BEGINNING = f"TOOLS, HELLO, MODERN, UNKNOWN = {[TOOLS, HELLO, MODERN, UNKNOWN]!r}"
BEGINNING += """
import json, os, signal, subprocess, sys, time

def say(message):
    text = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\\n"
    while text:
        text = text[os.write(1, text):]

def calls():
    for line in sys.stdin:
        call = json.loads(line)
        if "method" in call and "id" in call:
            yield call

RESULTS = {"tools/list": {"tools": TOOLS}, "initialize": HELLO}

def answer(call, **more):
    known = call["method"] in RESULTS
    rest = {"result": RESULTS[call["method"]]} if known else {"error": UNKNOWN}
    return {"jsonrpc": "2.0", "id": call["id"], **rest, **more}

def serve():
    for call in calls():
        say(answer(call))

def start(program, **options):
    return subprocess.Popen([sys.executable, "-ISc", program, __file__], **options)

def list_as(result):
    RESULTS["tools/list"] = result
    serve()

NOTICE = {"jsonrpc": "2.0", "method": "notifications/message",
          "params": {"level": "info", "data": "x"}}
"""

BRACKETS = f"{'[' * 77}..."

PROGRAMS: dict[str, Strange] = {
    # those that list their tools
    "of the version before": Strange("serve()"),
    "of the newest version": Strange(
        'RESULTS["server/discover"] = MODERN; RESULTS["tools/list"].update(MODERN); serve()'
    ),
    "that does not know the first question, and says nothing": Strange(
        """
for call in calls():
    if call["method"] != "server/discover":
        say(answer(call))
""",
        seconds=6,
    ),
    "that exits at a question that it does not know": Strange(
        """
for call in calls():
    if call["method"] not in RESULTS:
        sys.exit("what?")
    say(answer(call))
"""
    ),
    "that logs on standard output": Strange('say(b"starting\\nall is well\\n"); serve()',
          note="'starting'"),
    "that logs while it answers": Strange(
        'for call in calls(): say(b"[info] x\\n"); say(answer(call)); say(b"done\\n")',
        note="'[info] x'",
    ),
    "that writes blank lines": Strange(
        'for call in calls(): say(b"\\r\\n\\n" + json.dumps(answer(call)).encode() + b"\\r\\n")'
    ),
    "that writes invalid UTF-8": Strange('say(b"\\xff\\n"); serve()', note="'\ufffd'"),
    "that writes deep JSON": Strange('say(b"[" * 100_000 + b"\\n"); serve()', note=repr(BRACKETS)),
    "that writes a long number": Strange('say(b"9" * 5_000 + b"\\n"); serve()',
          note=repr("9" * 77 + "...")),
    "that writes JSON that is no message": Strange('say(b"[1]\\n"); serve()', note="'[1]'"),
    "that notifies and asks": Strange(
        """
for call in calls():
    say(NOTICE)
    say({"jsonrpc": "2.0", "id": call["id"], "method": "ping"})
    say(answer(call))
    say(NOTICE)
"""
    ),
    "that answers twice": Strange("for call in calls(): say(answer(call)); say(answer(call))"),
    "that answers others first": Strange(
        "for call in calls(): [say(answer(call, id=id)) for id in (99, None, call['id'])]"
    ),
    "of two pages": Strange(
        """
for call in calls():
    RESULTS["tools/list"] = {"tools": TOOLS}
    if call["method"] == "tools/list" and "cursor" not in call.get("params", {}):
        RESULTS["tools/list"] = {"tools": TOOLS, "nextCursor": "1"}
    say(answer(call))
""",
        TOOLS * 2,
    ),
    "of wrong tools": Strange('list_as({"tools": [{"name": 1}, {}, {"inputSchema": []}]})',
          [{"name": 1}, {}, {"inputSchema": []}]),
    "of tools of tomorrow": Strange('list_as({"tools": [{**TOOLS[0], "x-new": None}]})',
          [{**TOOLS[0], "x-new": None}]),
    "of no tools": Strange('list_as({"tools": []})', []),
    "that ignores the end": Strange(
        """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
serve()
time.sleep(300)
"""
    ),
    "that starts another": Strange('start("import time; time.sleep(300)"); serve()'),
    "of a process that leaves the group": Strange(
        'start("import time; time.sleep(20)", start_new_session=True); serve()'
    ),
    "that logs much on standard error": Strange('os.write(2, b"x" * 1_000_000 + b"\\n"); serve()'),
    # those that do not
    "that exits": failing(f'{ENDED}; it wrote "no module named x" on standard error',
          'print("Traceback", file=sys.stderr); sys.exit("no module named x")'),
    "that exits in silence": failing(ENDED, "os._exit(0)"),
    "that writes what is no message, and exits": failing(
        f"{ENDED}; 'usage: x' is not a message of MCP", 'say(b"usage: x\\n")'
    ),
    "that exits after its greeting": failing(
        ENDED,
        """
for call in calls():
    say(answer(call))
    if call["method"] == "initialize":
        os._exit(1)
""",
    ),
    "that closes its input": failing(
        ENDED,
        """
for call in calls():
    os.close(0)
    say(answer(call))
    time.sleep(300)
""",
    ),
    "that never answers": failing(LATE, "time.sleep(300)"),
    "that is stopped": failing(LATE, "os.kill(os.getpid(), signal.SIGSTOP)"),
    "that closes its output": failing(ENDED, "os.close(1); time.sleep(300)"),
    "that never reads": failing(
        LATE,
        """
for number in range(1_000):
    cursor = f"{number:09000}"
    RESULTS["x"] = {**HELLO, "tools": TOOLS, "nextCursor": cursor}
    say(answer({"id": number, "method": "x"}))
time.sleep(300)
""",
    ),
    "of bytes that trickle": failing(LATE, 'while True: say(b"{"); time.sleep(0.05)'),
    "that only notifies": failing(LATE, "while True: say(NOTICE); time.sleep(0.05)"),
    "of wrong ids": failing(LATE, "for call in calls(): say(answer(call, id=str(call)))"),
    "of an endless line": failing(LARGE, 'while True: say(b"x" * 1_000_000)'),
    "of endless lines": failing(LATE, 'while True: say(b"{}\\n" * 100_000)'),
    "of a large answer": failing(
        LARGE,
        """
for call in calls():
    if call["method"] != "tools/list":
        say(answer(call))
        continue
    RESULTS["tools/list"] = {"tools": ["@"]}
    beginning, end = json.dumps(answer(call)).split('"@"')
    say(beginning.encode() + b"{}")
    for _ in range(160):
        say(b",{}" * 100_000)
    say(end.encode() + b"\\n")
""",
    ),
    "of many tools": failing("it lists more than 10,000 tools",
          'list_as({"tools": [{}] * 10_001})'),
    "of endless answers": failing(LATE, "while True: say(b'{\"id\": 99}\\n' * 10_000)"),
    "of endless pages": failing(
        LATE,
        """
for number, call in enumerate(calls()):
    RESULTS["tools/list"] = {"tools": TOOLS, "nextCursor": str(number)}
    say(answer(call))
    time.sleep(0.01)
""",
    ),
    "of one page, again and again": failing(CURSOR, 'list_as({"tools": TOOLS, "nextCursor": "1"})'),
    "of a list instead of a result": failing(UNLISTED, "list_as([])"),
    "of nothing instead of a result": failing(UNLISTED, "list_as(None)"),
    "of tools that are no list": failing(UNLISTED, 'list_as({"tools": {"a": TOOLS[0]}})'),
    "of tools that are no objects": failing(UNLISTED, 'list_as({"tools": [1]})'),
    "that refuses": failing("Method not found", "RESULTS.clear(); serve()"),
    "that refuses only the handshake": failing(
        "Method not found", 'del RESULTS["initialize"]; serve()'
    ),
    "of a deep cursor": failing(
        CURSOR,
        """
for call in calls():
    RESULTS["tools/list"] = {"tools": TOOLS, "nextCursor": "@"}
    say(json.dumps(answer(call)).replace('"@"', "[" * 900 + "]" * 900).encode() + b"\\n")
""",
    ),
    "that refuses with an empty error": failing("it gives no reason",
          "for call in calls(): say(answer(call, error={}))"),
    "of a deep reason": failing(
        "",  # some versions of Python can write it
        """
for call in calls():
    text = json.dumps(answer(call, error={"message": "@"}))
    say(text.replace('"@"', "[" * 900 + "]" * 900).encode() + b"\\n")
""",
    ),
    "of a long reason": failing("x" * 197 + "...",
          'for call in calls(): say(answer(call, error={"message": "x" * 1_000}))'),
    "that refuses without a reason": failing("no",
          'for call in calls(): say({"jsonrpc": "2.0", "id": call["id"], "error": "no"})'),
    "that refuses with nothing": failing("it gives no reason",
          'for call in calls(): say({"jsonrpc": "2.0", "id": call["id"], "error": None})'),
    "of a process that writes on": failing(
        LATE,
        """
start('''import os
while True: os.write(1, b"{}" + bytes([10]))''', start_new_session=True)
time.sleep(300)
""",
    ),
    "that writes standard error without end": failing(LATE,
          'while True: os.write(2, b"x" * 10_000)'),
}  # fmt: skip

# -- addresses ---------------------------------------------------------------------------------

NOTICE = b'{"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info"}}'

Answer = Callable[[dict[str, Any]], Iterator[bytes]]


def answer(call: dict[str, Any], listed: Any = None, **more: Any) -> bytes:
    """The message that answers a call, in the version before the newest."""
    results = {"initialize": HELLO, "tools/list": {"tools": TOOLS} if listed is None else listed}
    known = call["method"] in results
    rest = {"result": results[call["method"]]} if known else {"error": UNKNOWN}
    return json.dumps({"jsonrpc": "2.0", "id": call["id"], **rest, **more}).encode()


def head(*lines: str, status: str = "200 OK", kind: str = "application/json") -> bytes:
    """The head of a response."""
    every = [f"HTTP/1.1 {status}", "Connection: close", f"Content-Type: {kind}", *lines]
    return "\r\n".join([*every, "", ""]).encode()


def reply(content: bytes, *lines: str, **options: str) -> bytes:
    """A response."""
    return head(f"Content-Length: {len(content)}", *lines, **options) + content


def replying(*lines: str, content: bytes | None = None, **options: Any) -> Answer:
    """Answers every call with a response: what is given, or what an ordinary server answers."""
    more = {key: options.pop(key) for key in ("listed", "id", "error") if key in options}

    def respond(call: dict[str, Any]) -> Iterator[bytes]:
        yield reply(answer(call, **more) if content is None else content, *lines, **options)

    return respond


def endless(beginning: bytes, piece: bytes, pause: float = 0.05) -> Answer:
    """Answers every call with bytes that never end."""

    def respond(_: dict[str, Any]) -> Iterator[bytes]:
        yield beginning
        while True:
            yield piece
            time.sleep(pause)

    return respond


STREAM = head(kind="text/event-stream")


def of_the_newest_version(call: dict[str, Any]) -> Iterator[bytes]:
    result = MODERN | ({"tools": TOOLS} if call["method"] == "tools/list" else {})
    yield reply(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}).encode())


def streaming(call: dict[str, Any]) -> Iterator[bytes]:
    pretty = json.dumps(json.loads(answer(call)), indent=1).replace("\n", "\r\ndata:")
    yield STREAM + b"\r\nevent: message\r\nid: 1\r\ndata: " + NOTICE + b"\r\n\r\n"
    yield b": a comment\r\n\r\nevent: message\r\ndata: " + pretty.encode()
    yield b"\r\n: another\r\n\r\n"


def left_open(call: dict[str, Any]) -> Iterator[bytes]:
    yield STREAM + b"data: " + answer(call) + b"\n\n"
    while True:
        yield b": ping\n\n"
        time.sleep(0.05)


def in_chunks(call: dict[str, Any]) -> Iterator[bytes]:
    yield head("Transfer-Encoding: chunked")
    for each in answer(call):
        yield b"1\r\n%c\r\n" % each
    yield b"0\r\n\r\n"


def without_length(call: dict[str, Any]) -> Iterator[bytes]:
    yield head() + answer(call)


def in_a_session(call: dict[str, Any]) -> Iterator[bytes]:
    """Its session cannot be ended."""
    if call["method"] == "DELETE":
        yield from endless(b"HTTP/1.1 200 OK\r\n", b"X: x\r\n")(call)
    yield reply(answer(call), "Mcp-Session-Id: s1")


def twice(call: dict[str, Any]) -> Iterator[bytes]:
    event = b"data: " + answer(call) + b"\n\n"
    yield STREAM + b"data: " + answer(call, id=99) + b"\n\n" + event + event


def large(call: dict[str, Any]) -> Iterator[bytes]:
    if call["method"] != "tools/list":
        yield reply(answer(call))
        return
    beginning, end = answer(call, {"tools": ["@"]}).split(b'"@"')
    yield head("Content-Length: 48000000") + beginning + b"{}"
    for _ in range(160):
        yield b",{}" * 100_000
    yield end


def endless_pages(call: dict[str, Any]) -> Iterator[bytes]:
    time.sleep(0.01)
    yield reply(answer(call, {"tools": TOOLS, "nextCursor": str(call["id"])}))


def cut_off(call: dict[str, Any]) -> Iterator[bytes]:
    yield head("Content-Length: 10000") + answer(call)[:20]


def silent(_: dict[str, Any]) -> Iterator[bytes]:
    time.sleep(2)
    yield b""


def hanging_up(_: dict[str, Any]) -> Iterator[bytes]:
    yield b""


PAGE = "'<html>' is not a message of MCP"

ADDRESSES: dict[str, Strange] = {
    # those that list their tools
    "of the version before": Strange(replying()),
    "of the newest version": Strange(of_the_newest_version),
    "of events": Strange(streaming),
    "that leaves its stream open": Strange(left_open),
    "of chunks": Strange(in_chunks),
    "of no length": Strange(without_length),
    "of a session that never ends": Strange(in_a_session),
    "that answers twice, and others first": Strange(twice),
    "of wrong tools": Strange(replying(listed={"tools": [{"name": 1}]}), [{"name": 1}]),
    # those that do not
    "of a head that trickles": failing(LATE, endless(b"HTTP/1.1 200 OK\r\n", b"X")),
    "of an endless head": failing("got more than 100 headers",
          endless(b"HTTP/1.1 200 OK\r\n", b"X: x\r\n" * 200)),
    "of a long line in its head": failing("got more than 65536 bytes when reading header line",
          endless(b"HTTP/1.1 200 OK\r\nX: ", b"x" * 70_000)),
    "of a body that trickles": failing(LATE, endless(head("Content-Length: 1000"), b"{")),
    "of a body that comes late": failing(LATE, endless(head("Content-Length: 1000"), b"", 2)),
    "that continues without end": failing(LATE, endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n")),
    "that continues quickly without end": Strange(
        endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000, 0),
        None,
        "",  # some versions of Python read 100 of them at most
        seconds=0.2,
    ),
    "of an event without an end": failing(LARGE,
          endless(STREAM, (b"data: " + b"x" * 10_000 + b"\n") * 100, 0)),
    "of a line without an end": failing(LARGE, endless(STREAM, b"data" * 100_000, 0)),
    "that only pings": failing(LATE, endless(STREAM, b": ping\n\n")),
    "that only notifies": failing(LATE, endless(STREAM, b"data: " + NOTICE + b"\n\n")),
    "of endless chunks": failing(LATE, endless(head("Transfer-Encoding: chunked"), b"1\r\n \r\n")),
    "of a large answer": failing(LARGE, large),
    "of a large page about an error": failing(LARGE,
          endless(head(status="500 No"), b"x" * 1_000_000, 0)),
    "that never answers": failing(LATE, silent),
    "that hangs up": failing("Remote end closed connection without response", hanging_up),
    "of no HTTP": failing("SSH-2.0-x", endless(b"SSH-2.0-x\r\n", b"\r\n", 2)),
    "that is cut off": failing(f"{ENDED}; '", cut_off),
    "of a stream without an answer": failing(ENDED,
          lambda _: iter([STREAM + b"data: " + NOTICE + b"\n\n"])),
    "of empty answers": failing(ENDED, replying(content=b"")),
    "that accepts everything": failing(ENDED, replying(content=b"", status="202 Accepted")),
    "of a page": failing(f"{ENDED}; {PAGE}", replying(content=b"<html>", kind="text/html")),
    "of invalid UTF-8": failing(f"{ENDED}; '\ufffd'", replying(content=b"\xff")),
    "of deep JSON": failing(f"{ENDED}; {BRACKETS!r}", replying(content=b"[" * 100_000)),
    "that is not found": failing("it answers with 404 Not Found",
          replying(content=b"<html>", status="404 Not Found")),
    "that wants a password": failing("it answers with 401 Unauthorized",
          replying(content=b"{}", status="401 Unauthorized")),
    "that refuses": failing("no", replying(error={"code": 1, "message": "no"}, status="400 No")),
    "that moved": failing("it answers with 307 Moved; it is at /mcp/",
          replying("Location: /mcp/", content=b"", status="307 Moved")),
    "that moved for a while": failing("it answers with 302 Moved; it is at /mcp",
          replying("Location: /mcp", content=b"", status="302 Moved")),
    "that moved to a file": failing("it answers with 307 Moved; it is at file:///etc/passwd",
          replying("Location: file:///etc/passwd", content=b"", status="307 Moved")),
    "of wrong ids": failing(ENDED, replying(id=99)),
    "of a list instead of a result": failing(UNLISTED, replying(listed=[])),
    "of tools that are no list": failing(UNLISTED, replying(listed={"tools": "a"})),
    "of one page, again and again": failing(CURSOR,
          replying(listed={"tools": TOOLS, "nextCursor": "1"})),
    "of endless pages": failing(LATE, endless_pages),
}  # fmt: skip


@contextmanager
def served(respond: Answer, log: list[dict[str, Any]] | None = None) -> Iterator[str]:
    """The address of a server, on this machine only, with a log of its calls."""
    connections: list[socket.socket] = []

    def accept() -> None:
        with suppress(OSError):  # it is closed
            while True:
                connections.append(listener.accept()[0])
                threading.Thread(target=handle, args=(connections[-1],), daemon=True).start()

    def handle(connection: socket.socket) -> None:
        with suppress(OSError), connection:  # the client does not wait for the end
            for piece in respond_to(read_call(connection)):
                connection.sendall(piece)
            connection.shutdown(socket.SHUT_WR)

    def respond_to(call: dict[str, Any]) -> Iterator[bytes]:
        if log is not None:
            log.append(call)
        if "id" in call:
            yield from respond(call)
        else:
            yield reply(b"", status="202 Accepted")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        finally:
            for each in (listener, *connections):
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
            thread.join()


def read_call(connection: socket.socket) -> dict[str, Any]:
    """The message in a request, and its headers; of one without content, its method and an id."""
    with connection.makefile("rb") as lines:
        if not (first := lines.readline()):
            raise ConnectionAbortedError  # the test ended before the client asked
        method = first.split()[0].decode()
        headers = {}
        while line := lines.readline().decode().strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        content = lines.read(int(headers.get("content-length", 0)))
        call = json.loads(content) if content else {"method": method, "id": 0}
        return {**call, "headers": headers}
