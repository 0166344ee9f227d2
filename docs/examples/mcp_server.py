"""The shop as an MCP server over stdio, on the low-level server of the official SDK."""

import asyncio
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from shop import TOOLS

from milo_schema import ToolSchema, profiles, tool_schema
from milo_schema.results import call_result, error_result


def described(context: Any) -> dict[str, ToolSchema]:
    """The tools; for clients up to 2025-11-25, what a tool gives back is an object."""
    profile = profiles.MCP if context.protocol_version >= "2026" else profiles.MCP_2025
    return {name: tool_schema(func, profile=profile) for name, func in TOOLS.items()}


async def list_tools(context: Any, _: Any) -> types.ListToolsResult:
    """Answer tools/list."""
    tools = [tool.to_mcp() for tool in described(context).values()]
    return types.ListToolsResult.model_validate({"tools": tools})


async def call_tool(context: Any, params: Any) -> types.CallToolResult:
    """Answer tools/call; what goes wrong is for the model to read."""
    func, tool = TOOLS[params.name], described(context)[params.name]
    try:
        result = call_result(tool, func(**params.arguments or {}), func=func)
    except ValueError as problem:
        result = error_result(problem)
    return types.CallToolResult.model_validate(result)


async def main() -> None:
    """Serve until the client closes the connection."""
    server = Server("shop", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as streams:
        await server.run(*streams, server.create_initialization_options())


asyncio.run(main())
