"""What it takes until a server of MCP has listed its tools.

``python -m tests.tools.server_start`` starts each server of ``docs/examples/`` some times, asks for
its tools, and ends it. It prints the rows of docs/how-to/stdio-server.md: processor time and peak
memory, the medians of all runs. Linux only.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs/examples"
SERVERS = ("stdio_server.py", "mcp_server.py", "fastmcp_server.py")
RUNS = 5
CLIENT = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "start", "version": "1"},
}
MESSAGES: list[dict[str, Any]] = [
    {"id": 1, "method": "initialize", "params": CLIENT},
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/list", "params": {}},
]


def start(server: str) -> tuple[float, float]:
    """Seconds of the processor and MB of a server that starts and lists its tools."""
    command = [sys.executable, str(EXAMPLES / server)]
    pipe, environment = subprocess.PIPE, {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for message in MESSAGES:
            print(json.dumps({"jsonrpc": "2.0", **message}), file=child.stdin, flush=True)
            if "id" in message:
                answer = json.loads(child.stdout.readline())
        assert len(answer["result"]["tools"]) == 2, answer
        child.kill()  # some servers go on
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main(*servers: str) -> None:
    """Print a row for each server."""
    for server in servers or SERVERS:
        seconds, memory = map(median, zip(*(start(server) for _ in range(RUNS)), strict=True))
        print(f"| `{server}` | `{seconds:.2f}` s | {memory:.0f} MB |")


if __name__ == "__main__":
    main(*sys.argv[1:])
