"""The shop as an MCP server over stdio, with the low-level server of the official SDK."""

import asyncio
from typing import Any

from logs import log
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from shop import TOOLS

from milo_schema import Toolbox, profiles

MODERN = Toolbox(TOOLS.values(), unexpected=log)
LEGACY = Toolbox(TOOLS.values(), profile=profiles.MCP_2025, unexpected=log)


def tools_for(context: Any) -> Toolbox:
    """For clients up to 2025-11-25, the output of a tool must be an object."""
    return MODERN if context.protocol_version >= "2026" else LEGACY


async def list_tools(context: Any, _: Any) -> types.ListToolsResult:
    """Answer tools/list."""
    return types.ListToolsResult.model_validate({"tools": tools_for(context).to_mcp()})


async def call_tool(context: Any, params: Any) -> types.CallToolResult | types.InputRequiredResult:
    """Answer tools/call; the model reads what went wrong."""
    result = await tools_for(context).call_async(params.name, params.arguments)
    if result.get("resultType") == "input_required":
        return types.InputRequiredResult.model_validate(result)
    return types.CallToolResult.model_validate(result)


async def main() -> None:
    """Serve until the client closes the connection."""
    server = Server("shop", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as streams:
        await server.run(*streams, server.create_initialization_options())


asyncio.run(main())
