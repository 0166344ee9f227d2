"""A client of the shop: starts a server, lists its tools, calls them, and prints the results.

Usage: mcp_client.py SERVER.py [auto | legacy]
"""

import asyncio
import json
import sys

from calls import CALLS
from mcp import Client, StdioServerParameters


async def main(script: str, mode: str = "auto") -> None:
    """Talk to a server; the client validates its results against its schemas."""
    server = StdioServerParameters(command=sys.executable, args=[script])
    async with Client(server, mode=mode, read_timeout_seconds=30) as client:
        said = {"protocol": client.session.protocol_version, "tools": {}, "results": []}
        for tool in (await client.list_tools()).tools:
            said["tools"][tool.name] = {"input": tool.input_schema, "output": tool.output_schema}
        for name, arguments in CALLS:
            result = await client.call_tool(name, arguments)
            text = result.content[0].text if result.is_error else None
            said["results"].append([text, result.structured_content])
    print(json.dumps(said))  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
