"""The shop as an MCP server over stdio, with only the standard library and milo_schema.

It serves tools and nothing else: initialize, ping, tools/list, tools/call, and cancellation.
"""

import asyncio
import json
import sys
import traceback
from contextlib import redirect_stdout
from typing import Any

from logs import log
from shop import TOOLS

from milo_schema import Toolbox, __version__, profiles

VERSIONS = ["2025-11-25", "2025-06-18"]
SERVER = {"name": "shop", "version": __version__}
TOOLBOX = Toolbox(TOOLS.values(), profile=profiles.MCP_2025, unexpected=log)
PARSE_ERROR, METHOD_NOT_FOUND, INTERNAL_ERROR = -32700, -32601, -32603  # JSON-RPC 2.0, section 5.1


def failure(code: int, message: str) -> dict[str, Any]:
    """Return what a response has instead of a result."""
    return {"error": {"code": code, "message": message}}


def send(identifier: Any, body: dict[str, Any]) -> None:
    """Write a response: one line of ASCII."""
    line = json.dumps({"jsonrpc": "2.0", "id": identifier, **body})
    print(line, file=sys.__stdout__, flush=True)


async def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a request, or its error."""
    match method:
        case "initialize":
            asked = params.get("protocolVersion")
            version = asked if asked in VERSIONS else VERSIONS[0]
            capabilities: dict[str, Any] = {"tools": {}}
            about = {"capabilities": capabilities, "serverInfo": SERVER}
            return {"result": {"protocolVersion": version, **about}}
        case "ping":
            return {"result": {}}
        case "tools/list":
            return {"result": {"tools": TOOLBOX.to_mcp()}}
        case "tools/call":
            name, arguments = params.get("name", ""), params.get("arguments")
            return {"result": await TOOLBOX.call_async(name, arguments)}
    return failure(METHOD_NOT_FOUND, f"no method {method!r}")


async def respond(request: dict[str, Any]) -> None:
    """Answer a request; one that is cancelled gets no answer."""
    try:
        body = await answer(request["method"], request.get("params") or {})
    except Exception:
        traceback.print_exc()
        body = failure(INTERNAL_ERROR, "internal error")
    send(request["id"], body)


async def main() -> None:
    """Serve until the client closes the connection."""
    running: dict[Any, asyncio.Task[None]] = {}
    while line := await asyncio.to_thread(sys.stdin.buffer.readline):
        try:
            message = json.loads(line)
        except ValueError:
            send(None, failure(PARSE_ERROR, "not JSON"))
            continue
        if message.get("method") == "notifications/cancelled":
            if task := running.get(message["params"]["requestId"]):
                task.cancel()
        elif "method" in message and "id" in message:
            task = asyncio.create_task(respond(message))
            running[message["id"]] = task
            task.add_done_callback(lambda _, done=message["id"]: running.pop(done, None))


if __name__ == "__main__":
    with redirect_stdout(sys.stderr):  # what a tool prints is not a response
        asyncio.run(main())
