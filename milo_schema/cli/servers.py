"""The tools of MCP servers: of a program that is started, or at an address.

A server is asked in the words of 2026-07-28 first, and then in those of the version before.

It may be hostile. Two walls hold, whatever it does: ``within()`` limits the time of the exchange,
and ``_Client.take()``, which reads all that a server sends, limits the bytes.
"""

import http.client
import json
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent import futures
from contextlib import suppress
from functools import partial
from itertools import count
from typing import IO, Any, TypeVar, cast
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request

from milo_schema.annotations.classes import shorten
from milo_schema.cli.terminal import CommandError, Console, write_lines
from milo_schema.targets import one_line
from milo_schema.targets.functions import tools_in

MAX_BYTES = 10_000_000
"""The most bytes that a server may write, all its messages together."""
MAX_TOOLS = 10_000
"""The most tools that a server may list, on all its pages."""
_MAX_LINE = 10_000
"""The most bytes of a line of standard error that are kept."""
_MAX_REASON = 200
"""The most characters of a reason that a server gives."""
_PROBE = 1 / 12
"""The part of the time in which to answer a question that older servers do not know."""

_PATIENCE = 2.0
"""The seconds after which a terminal shows what is waited for."""

_STATELESS, _WITH_HANDSHAKE = "2026-07-28", "2025-11-25"
_UNSUPPORTED_VERSION = -32022
_CLIENT = {"name": "milo-schema", "version": "1"}
_HELLO = {"protocolVersion": _WITH_HANDSHAKE, "capabilities": {}, "clientInfo": _CLIENT}
_META = {
    "io.modelcontextprotocol/protocolVersion": _STATELESS,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": _CLIENT,
}

_SESSION, _VERSION = "Mcp-Session-Id", "MCP-Protocol-Version"
_FAILURES = (OSError, ValueError, http.client.HTTPException)

_T = TypeVar("_T")
_Message = dict[str, Any]


class _RefusedError(ValueError):
    """Raised if a server answers with an error."""

    def __init__(self, error: Any) -> None:
        known = error if type(error) is dict else {"message": error}
        super().__init__(known.get("message") or "")
        self.code: object = known.get("code")


class _EndedError(ValueError):
    """Raised if a server ends before it answers."""

    def __init__(self) -> None:
        super().__init__("it ended without an answer")


def ask(server: str, console: Console, seconds: float = 60.0, grace: float = 1.0) -> list[Any]:
    """Request the tools of a server: of a program, over its standard input and output, or by HTTP.

    Args:
        server: A command, or an address.
        console: Gets a notice if a server writes what is not a message.
        seconds: The time until the tools are listed.
        grace: The seconds that a server has to end by itself, and then after each signal.

    Raises:
        CommandError: It cannot be run or reached, or does not answer.
    """
    deadline = time.monotonic() + seconds
    wait_for = partial(console.wait_for, server)
    for newest in (_STATELESS, _WITH_HANDSHAKE):
        is_address = server.startswith(("http://", "https://"))
        client = _Address(server) if is_address else _Program(server, console)
        try:
            work = partial(client.tools, newest, seconds * _PROBE)
            found = within(deadline - time.monotonic(), work, wait_for)
        except _FAILURES as problem:
            failure = problem
        else:
            if client.stray:
                console.note(f"{server}: {client.stray}; skipped")
            return found
        finally:
            client.end(grace)
        if not isinstance(failure, _EndedError):
            break  # some exit at a request that they do not know
    late = f"it did not answer in {seconds:g} seconds"
    reason = late if isinstance(failure, TimeoutError) else getattr(failure, "reason", failure)
    why = shorten(one_line(reason) or "it gives no reason", _MAX_REASON)
    told = "; ".join(filter(None, [why, client.stray, client.last]))
    raise CommandError(f"{server} did not list its tools: {told}")


def within(seconds: float, work: Callable[[], _T], told: Callable[[], object] = bool) -> _T:
    """The result of some work, in a thread that the caller leaves alone when the time is up.

    *told* is called if it takes longer than a user waits without asking why.

    Raises:
        TimeoutError: The time is up.
    """
    result: futures.Future[_T] = futures.Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as problem:
            result.set_exception(problem)

    _start(run)
    deadline = time.monotonic() + seconds
    if seconds > _PATIENCE and not futures.wait([result], _PATIENCE).done:
        told()
    return result.result(deadline - time.monotonic())


def _start(work: Callable[[], None]) -> threading.Thread:
    """A thread that does some work; the command may end before."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


# -- requests ----------------------------------------------------------------------------------


class _Client(ABC):
    """A client of a server, which sends requests in the words of one version.

    Attributes:
        version: The version.
        limit: How many bytes the server may have written.
        stray: A remark about the first line that is not a message, if there is one.
        last: A remark about the last line of standard error, if there is one.
    """

    def __init__(self) -> None:
        self.version: str = _STATELESS
        self.limit: int = MAX_BYTES
        self.stray: str = ""
        self.last: str = ""
        self._taken = 0
        self._numbers = count(1)

    @abstractmethod
    def send(self, message: Mapping[str, Any], seconds: float | None = None) -> Iterator[_Message]:
        """Send a message.

        Args:
            message: A request or a notification.
            seconds: The time to wait for an answer, if it is limited.

        Returns:
            All answers that follow.

        Raises:
            OSError: It cannot be reached, or does not answer in time.
            queue.Empty: A program does not answer in time.
        """

    @abstractmethod
    def end(self, grace: float) -> None:
        """End the connection with the server; *grace* is how many seconds each step may take."""

    def take(self, read: Callable[[int], bytes]) -> bytes:
        """The next bytes of a server.

        Raises:
            ValueError: They are too many.
        """
        text = read(max(self.limit - self._taken, 0) + 1)
        self._taken += len(text)
        if self._taken > self.limit:
            raise ValueError(f"it wrote more than {MAX_BYTES:,} bytes")
        return text

    def answers(self, texts: Iterable[bytes]) -> Iterator[_Message]:
        """The answers in some strings; requests, notifications and other text are skipped."""
        for text in texts:
            message = _parse(text)
            if message is None:
                seen = shorten(text.decode(errors="replace").strip())
                self.stray = self.stray or (f"{seen!r} is not a message of MCP" if seen else "")
            elif "method" not in message:
                yield message

    def tools(self, newest: str, probe: float) -> list[Any]:
        """The tools of a server.

        Args:
            newest: The newest version that it may know.
            probe: The seconds to wait for an answer that says whether it does.
        """
        if newest != _STATELESS or not self._is_stateless(probe):
            self._shake_hands()
        return self._pages()

    def _is_stateless(self, seconds: float) -> bool:
        """Whether a server knows the newest version, which needs no handshake."""
        try:
            result = self._call("server/discover", {}, seconds)
        except (OSError, _RefusedError, queue.Empty):
            return False
        versions = result.get("supportedVersions") if type(result) is dict else None
        return type(versions) is list and _STATELESS in versions

    def _shake_hands(self) -> None:
        self.version = _WITH_HANDSHAKE
        try:
            result = self._call("initialize", _HELLO)
        except _RefusedError as problem:
            if problem.code != _UNSUPPORTED_VERSION:
                raise
            self.version = _STATELESS  # it was slow to answer the first question
            return
        if type(result) is dict and type(result.get("protocolVersion")) is str:
            self.version = result["protocolVersion"]
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _pages(self) -> list[Any]:
        """The tools on all pages of a server's answer."""
        found: list[Any] = []
        place: dict[str, Any] = {}
        seen: set[str] = set()
        while True:
            result = self._call("tools/list", place)
            tools = tools_in(result)
            if tools is None or type(result) is not dict:
                raise ValueError("its answer has no list of tools")
            found += tools
            if len(found) > MAX_TOOLS:
                raise ValueError(f"it lists more than {MAX_TOOLS:,} tools")
            cursor = result.get("nextCursor")
            if not cursor:
                return found
            if type(cursor) is not str or cursor in seen:
                raise ValueError("its cursor is not a string, or was used before")
            seen.add(cursor)
            place = {"cursor": cursor}

    def _call(self, method: str, params: Mapping[str, Any], seconds: float | None = None) -> Any:
        """Send a request and return its result."""
        number = next(self._numbers)
        if self.version == _STATELESS:
            params = {**params, "_meta": _META}
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        for answer in self.send(message, seconds):
            if answer.get("id") == number:
                if "error" in answer:
                    raise _RefusedError(answer["error"])
                return answer.get("result")
        raise _EndedError


def _parse(text: bytes) -> _Message | None:
    """The message in a string, if it is one."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return message if type(message) is dict else None


# -- programs ----------------------------------------------------------------------------------


class _Program(_Client):
    """A server that is started, in a process group of its own: it may start others."""

    def __init__(self, command: str, console: Console) -> None:
        super().__init__()
        env, pipe = {**os.environ, "PYTHONUNBUFFERED": "1"}, subprocess.PIPE
        try:
            words = shlex.split(command) or [""]
            self._process = subprocess.Popen(
                words, stdin=pipe, stdout=pipe, stderr=pipe, env=env, start_new_session=True
            )
        except (OSError, ValueError) as problem:
            raise CommandError(_why_not_run(command, problem)) from None
        self._input = cast("IO[bytes]", self._process.stdin)
        self._received: queue.SimpleQueue[_Message | Exception] = queue.SimpleQueue()
        self._shows_all = console.shows_tracebacks
        _start(self._read)
        self._errors = _start(self._read_errors)

    def _read(self) -> None:
        with cast("IO[bytes]", self._process.stdout) as output:
            lines = iter(lambda: self.take(output.readline), b"")
            try:
                for answer in self.answers(lines):
                    self._received.put(answer)
                raise _EndedError
            except ValueError as problem:
                self._received.put(problem)

    def _read_errors(self) -> None:
        with cast("IO[bytes]", self._process.stderr) as errors:
            for line in iter(lambda: errors.readline(_MAX_LINE), b""):
                text = line.decode(errors="replace")
                if seen := shorten(text.strip()):
                    self.last = f'it wrote "{seen}" on standard error'
                if self._shows_all:
                    write_lines(text)

    def send(self, message: Mapping[str, Any], seconds: float | None = None) -> Iterator[_Message]:
        """Send a message."""
        try:  # past the buffer, whose lock a server that does not read would hold
            os.write(self._input.fileno(), f"{json.dumps(message)}\n".encode())
        except OSError:
            raise _EndedError from None
        return self._answered(seconds)

    def _answered(self, seconds: float | None) -> Iterator[_Message]:
        while isinstance(answer := self._received.get(timeout=seconds), dict):
            yield answer
        raise answer

    def end(self, grace: float) -> None:
        """End the server and its process group; a pipe that others hold is not waited for."""
        self.limit = 0  # the threads stop reading
        with suppress(OSError):
            self._input.close()
        for number in (signal.SIGTERM, _KILL):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(grace)
            with suppress(OSError):
                _end_group(self._process.pid, number)
        self._process.wait()
        self._errors.join(grace)


def _why_not_run(command: str, problem: Exception) -> str:
    name = getattr(problem, "filename", None)  # unlike a path, it was looked for in many folders
    if isinstance(problem, FileNotFoundError) and name and os.sep not in name:
        return f"no program named {name}"
    return f"cannot run {command}: {getattr(problem, 'strerror', problem)}"


_end_group = getattr(os, "killpg", os.kill)  # Windows has no groups
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


# -- addresses ---------------------------------------------------------------------------------


class _Address(_Client):
    """A server at an address, which is asked by HTTP."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self._opener = OpenerDirector()  # of which no part follows a redirection
        for part in (ProxyHandler, HTTPHandler, HTTPSHandler):
            self._opener.add_handler(part())
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }

    def send(self, message: Mapping[str, Any], seconds: float | None = None) -> Iterator[_Message]:
        """Send a message; the answers are those in the response."""
        headers = {**self._headers, "Mcp-Method": message["method"], _VERSION: self.version}
        if message["method"] == "initialize":
            del headers[_VERSION]  # which it has inside
        content = json.dumps(message).encode()
        request = Request(self._address, content, headers)
        response: http.client.HTTPResponse = self._opener.open(request, timeout=seconds)
        if response.status >= 300:
            raise self._refused(response)
        if session := response.headers.get(_SESSION):
            self._headers[_SESSION] = session
        return self.answers(self._texts(response))

    def _texts(self, response: http.client.HTTPResponse) -> Iterator[bytes]:
        """The content of a response: one message of JSON, or those of a stream of events."""
        with response:
            if response.headers.get_content_type() != "text/event-stream":
                yield self.take(response.read)
                return
            parts: list[bytes] = []
            for line in iter(lambda: self.take(response.readline), b""):
                key, _, value = line.rstrip(b"\r\n").partition(b":")
                if key == b"data":
                    parts.append(value.removeprefix(b" "))
                elif not line.strip():  # the end of an event
                    yield b"\n".join(parts)
                    parts = []

    def _refused(self, response: http.client.HTTPResponse) -> _RefusedError:
        """The exception for a status of HTTP; its content may be an error of MCP."""
        with response:
            answer = _parse(self.take(response.read))
        if answer is not None and "error" in answer:
            return _RefusedError(answer["error"])
        hint = f"; it is at {place}" if (place := response.headers.get("Location")) else ""
        return _RefusedError(f"it answers with {response.status} {response.reason}{hint}")

    def end(self, grace: float) -> None:
        """End the session with the server, if there is one."""
        self.limit = 0
        if _SESSION in self._headers:
            headers = {**self._headers, _VERSION: self.version}
            request = Request(self._address, None, headers, method="DELETE")
            with suppress(*_FAILURES):
                within(grace, partial(self._opener.open, request)).close()
