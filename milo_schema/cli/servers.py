"""The tools of MCP servers: read from a file, or from a server that is started."""

import json
import os
import shlex
import subprocess
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from milo_schema.annotations.classes import shorten
from milo_schema.cli.terminal import CommandError, Console

__all__ = ["ask", "tools_in"]

PATIENCE = 60.0
"""The seconds to wait until a server lists its tools."""
_ENDED = "it exited without an answer"
_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "milo-schema", "version": "1"},
}


def tools_in(content: Any) -> list[Any] | None:
    """The tools in an answer to ``tools/list``, its result, or a list; otherwise ``None``."""
    for key in ("result", "tools"):
        if type(content) is dict and key in content:
            content = content[key]
    is_list = type(content) is list and all(type(each) is dict for each in content)
    return content if is_list else None


def ask(command: str, console: Console) -> list[Any]:
    """Run a server and request its tools over standard input and output.

    Raises:
        CommandError: It cannot be run, or does not answer.
    """
    console.progress(f"asking {command}")
    server = _start(command, console)
    timer = threading.Timer(PATIENCE, server.kill)
    timer.start()
    try:
        _call(server, "initialize", _HELLO)
        _send(server, {"method": "notifications/initialized"})
        return [*_pages(server)]
    except (OSError, ValueError) as problem:
        hint = "" if console.shows_tracebacks else "; --traceback shows what it writes"
        raise CommandError(f"{command} did not list its tools: {problem}{hint}") from None
    finally:
        timer.cancel()
        server.kill()
        server.communicate()


def _start(command: str, console: Console) -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if console.shows_tracebacks else subprocess.DEVNULL,
            encoding="utf-8",
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", problem)
        raise CommandError(f"cannot run {command}: {reason}") from None


def _pages(server: subprocess.Popen[str]) -> Iterator[Any]:
    """The tools on all pages of a server's answer."""
    cursor: dict[str, Any] | None = {}
    while cursor is not None:
        result = _call(server, "tools/list", cursor)
        tools = tools_in(result)
        if tools is None or type(result) is not dict:
            raise ValueError("its answer has no list of tools")
        yield from tools
        cursor = {"cursor": result["nextCursor"]} if result.get("nextCursor") else None


def _send(server: subprocess.Popen[str], message: Mapping[str, Any]) -> None:
    assert server.stdin is not None  # noqa: S101 - a pipe
    try:
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()
    except BrokenPipeError:
        raise ValueError(_ENDED) from None


def _call(server: subprocess.Popen[str], method: str, parameters: Mapping[str, Any]) -> Any:
    """Send a request and return its result; unrelated messages are skipped."""
    _send(server, {"id": method, "method": method, "params": parameters})
    assert server.stdout is not None  # noqa: S101 - a pipe
    for line in filter(str.strip, server.stdout):
        answer = _parse(line)
        if answer.get("id") == method:
            if "error" in answer:
                error = answer["error"]
                raise ValueError(error.get("message") if type(error) is dict else error)
            return answer.get("result")
    raise ValueError(_ENDED)


def _parse(line: str) -> dict[str, Any]:
    """The message in a line."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if type(message) is not dict:
        raise ValueError(f"it printed {shorten(line.strip())!r}, which is not a message of MCP")
    return message
