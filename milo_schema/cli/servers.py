"""The tools of MCP servers: of a program that is started, or at an address.

A server is asked in the words of 2026-07-28 first, and then in those of the version before.
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
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import count
from typing import IO, Any, cast

from milo_schema.annotations.classes import shorten
from milo_schema.cli.files import tools_in
from milo_schema.cli.terminal import CommandError, Console, write_lines

__all__ = ["ask"]

PATIENCE = 60.0
"""The seconds to wait until a server lists its tools."""
PROBE_PATIENCE = 5.0
"""The seconds to wait for an answer to a question that older servers do not know."""
END_PATIENCE = 1.0
"""The seconds that a server has to end, and then those that its pipe has."""
MAX_ANSWER = 50_000_000
"""The most bytes of one message."""
MAX_CURSOR = 10_000
"""The most characters of a cursor, which is sent back."""

_STATELESS, _WITH_HANDSHAKE = "2026-07-28", "2025-11-25"
_UNSUPPORTED_VERSION = -32022
_ENDED = "it exited without an answer"
_CLIENT = {"name": "milo-schema", "version": "1"}
_HELLO = {"protocolVersion": _WITH_HANDSHAKE, "capabilities": {}, "clientInfo": _CLIENT}
_META = {
    "io.modelcontextprotocol/protocolVersion": _STATELESS,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": _CLIENT,
}


class _RefusedError(ValueError):
    """Raised if a server answers with an error."""

    def __init__(self, reason: object, code: object = None) -> None:
        super().__init__(reason)
        self.code = code


class _EndedError(ValueError):
    """Raised if a server ends before it answers."""


def ask(server: str, console: Console) -> list[Any]:
    """Request the tools of a server: of a program, over its standard input and output, or by HTTP.

    Raises:
        CommandError: It cannot be run or reached, or does not answer.
    """
    console.progress(f"asking {server}")
    hint = ""
    try:
        if server.startswith(("http://", "https://")):
            return _Address(server).tools()
        hint = "" if console.shows_tracebacks else "; --traceback shows what it writes"
        with suppress(_EndedError):  # some exit at a request that they do not know
            return _ask_program(server, console)
        return _ask_program(server, console, knows=_WITH_HANDSHAKE)
    except (OSError, ValueError, http.client.HTTPException) as problem:
        is_late = isinstance(problem, TimeoutError)
        reason = f"it did not answer in {PATIENCE:.0f} seconds" if is_late else problem
        raise CommandError(f"{server} did not list its tools: {reason}{hint}") from None


def _ask_program(command: str, console: Console, knows: str = _STATELESS) -> list[Any]:
    program = _Program(command, console)
    try:
        return program.tools(knows)
    finally:
        program.end()


# -- requests ----------------------------------------------------------------------------------


class _Client(ABC):
    """A client of a server, which sends requests in the words of one version.

    Attributes:
        version: The version.
        deadline: When a request has taken too long.
    """

    def __init__(self) -> None:
        self.version: str = _STATELESS
        self.deadline: float = time.monotonic() + PATIENCE
        self._numbers = count(1)

    @abstractmethod
    def write(self, message: Mapping[str, Any]) -> None:
        """Send a message."""

    @abstractmethod
    def messages(self) -> Iterator[bytes]:
        """The messages of the server from then on."""

    def tools(self, knows: str = _STATELESS) -> list[Any]:
        """The tools of a server; *knows* is the newest version that it may know."""
        if knows != _STATELESS or not self._is_stateless():
            self._shake_hands()
        return [*self._pages()]

    def _is_stateless(self) -> bool:
        """Whether a server knows the newest version, which needs no handshake."""
        end, self.deadline = self.deadline, time.monotonic() + PROBE_PATIENCE
        try:
            result = self._call("server/discover", {})
        except (_RefusedError, TimeoutError):
            return False
        finally:
            self.deadline = end
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
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _pages(self) -> Iterator[Any]:
        """The tools on all pages of a server's answer."""
        cursor: dict[str, Any] | None = {}
        seen: set[str] = set()
        while cursor is not None:
            result = self._call("tools/list", cursor)
            tools = tools_in(result)
            if tools is None or type(result) is not dict:
                raise ValueError("its answer has no list of tools")
            yield from tools
            cursor = {"cursor": result["nextCursor"]} if result.get("nextCursor") else None
            text = json.dumps(cursor)
            if text in seen or len(text) > MAX_CURSOR:
                raise ValueError(f"the cursor {shorten(text)} is too long, or was used before")
            seen.add(text)

    def _call(self, method: str, parameters: Mapping[str, Any]) -> Any:
        """Send a request and return its result; unrelated messages are skipped."""
        number = next(self._numbers)
        if self.version == _STATELESS:
            parameters = {**parameters, "_meta": _META}
        self.write({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
        for text in self.messages():
            answer = _parse(text)
            if answer.get("id") == number and "method" not in answer:
                if "error" in answer:
                    raise _refused(answer["error"])
                return answer.get("result")
        raise _EndedError(_ENDED)

    def seconds(self) -> float:
        """The seconds that are left.

        Raises:
            TimeoutError: There are none.
        """
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


def _parse(text: bytes) -> dict[str, Any]:
    """The message in a string."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if type(message) is not dict:
        seen = shorten(text.decode(errors="replace").strip())
        raise ValueError(f"{seen!r} is not a message of MCP")
    return message


def _refused(error: Any) -> _RefusedError:
    """The exception for an error that a server answers with."""
    if type(error) is not dict:
        return _RefusedError(error)
    return _RefusedError(error.get("message"), error.get("code"))


# -- programs ----------------------------------------------------------------------------------


class _Program(_Client):
    """A server that is started, in a session of its own: it may start others."""

    def __init__(self, command: str, console: Console) -> None:
        super().__init__()
        try:
            self._server = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE if console.shows_tracebacks else subprocess.DEVNULL,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
                start_new_session=True,
            )
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", problem)
            raise CommandError(f"cannot run {command}: {reason}") from None
        self._input = cast("IO[bytes]", self._server.stdin)
        self._output = cast("IO[bytes]", self._server.stdout)
        self._lines: queue.Queue[bytes] = queue.Queue(maxsize=1000)
        self._is_ended = False
        self._reader = _start(self._read)
        self._errors = _start(self._show_errors) if self._server.stderr else self._reader

    def _read(self) -> None:
        with self._output:  # it may be open for longer than the command waits
            for line in iter(lambda: self._output.readline(MAX_ANSWER), b""):
                if self._is_ended:
                    return  # to wait for room in the queue would be to wait forever
                self._lines.put(line)
        self._lines.put(b"")

    def _show_errors(self) -> None:
        with cast("IO[bytes]", self._server.stderr) as errors:
            for line in errors:
                write_lines(line.decode(errors="replace"))

    def write(self, message: Mapping[str, Any]) -> None:
        """Send a message."""
        try:
            self._input.write(f"{json.dumps(message)}\n".encode())
            self._input.flush()
        except OSError:
            raise _EndedError(_ENDED) from None

    def messages(self) -> Iterator[bytes]:
        """The messages of the server from then on."""
        while True:
            try:
                line = self._lines.get(timeout=self.seconds())
            except queue.Empty:
                continue  # and the time is up
            if not line:
                return
            if line.strip():
                yield line

    def end(self) -> None:
        """End the server and all that it started; its pipe is not waited for, if others have it."""
        self._is_ended = True
        with suppress(OSError):
            self._input.close()
        for number in (signal.SIGTERM, _KILL):
            with suppress(subprocess.TimeoutExpired):
                self._server.wait(END_PATIENCE)
            with suppress(OSError):
                _end_group(self._server.pid, number)
        self._server.wait()
        self._errors.join(END_PATIENCE)
        limit = time.monotonic() + END_PATIENCE
        while self._reader.is_alive() and time.monotonic() < limit:
            with suppress(queue.Empty):
                self._lines.get(timeout=END_PATIENCE / 100)


def _start(work: Callable[[], None]) -> threading.Thread:
    """A thread that does some work; the command may end before."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


_end_group = getattr(os, "killpg", os.kill)  # Windows has no groups
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


# -- addresses ---------------------------------------------------------------------------------


class _Address(_Client):
    """A server at an address, which is asked by HTTP."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self._session: dict[str, str] = {}
        self._response: Any = None
        self._opener = urllib.request.build_opener(_NoRedirects)

    def tools(self, knows: str = _STATELESS) -> list[Any]:
        """The tools of the server; the session with it ends."""
        try:
            return super().tools(knows)
        finally:
            if self._session:
                with suppress(OSError, ValueError, http.client.HTTPException):
                    self._open("DELETE", {})
            self._close()

    def write(self, message: Mapping[str, Any]) -> None:
        """Send a message."""
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Mcp-Method": message["method"],
        }
        self._open("POST", headers, message)
        if session := self._response.headers.get("Mcp-Session-Id"):
            self._session = {"Mcp-Session-Id": session}

    def messages(self) -> Iterator[bytes]:
        """The messages in the answer: one of JSON, or those of a stream of events."""
        if self._response.headers.get_content_type() == "text/event-stream":
            yield from _events(self._lines())
        elif content := self._response.read(MAX_ANSWER).strip():
            yield content

    def _lines(self) -> Iterator[bytes]:
        while line := self._response.readline(MAX_ANSWER):
            self.seconds()
            yield line

    def _close(self) -> None:
        if self._response is not None:
            self._response.close()

    def _open(
        self, method: str, headers: Mapping[str, str], message: Mapping[str, Any] | None = None
    ) -> None:
        self._close()
        every = {**self._session, **headers}
        if message is None or message["method"] != "initialize":  # which has it inside
            every["MCP-Protocol-Version"] = self.version
        content = None if message is None else json.dumps(message).encode()
        request = urllib.request.Request(self._address, content, every, method=method)
        try:
            self._response = self._opener.open(request, timeout=self.seconds())
        except urllib.error.HTTPError as problem:
            with problem:
                raise _refused_by_http(problem) from None
        except urllib.error.URLError as problem:
            if isinstance(problem.reason, OSError):
                raise problem.reason from None
            raise OSError(problem.reason) from None


def _refused_by_http(problem: urllib.error.HTTPError) -> _RefusedError:
    """The exception for a status of HTTP; its content may be an error of MCP."""
    with suppress(ValueError):
        answer = _parse(problem.read(MAX_ANSWER))
        if "error" in answer:
            return _refused(answer["error"])
    place = problem.headers.get("Location")
    hint = f"; it is at {place}" if place else ""
    return _RefusedError(f"it answers with {problem.code} {problem.reason}{hint}")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Reports a redirection: following it would make another request of ours."""

    def redirect_request(self, *_: Any) -> None:
        """Follow none."""


def _events(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The data of each event in a stream, of which each line begins with ``data:``."""
    parts: list[bytes] = []
    for line in lines:
        key, _, value = line.rstrip(b"\r\n").partition(b":")
        if key == b"data":
            parts.append(value.removeprefix(b" "))
        elif not key and parts:
            yield b"\n".join(parts)
            parts = []
