"""The shop as an MCP server over stdio, with the low-level server of the official SDK."""

import asyncio
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from shop import TOOLS

from milo_schema import Profile, ToolSchema, profiles, tool_schema
from milo_schema.calls import call_tool_async
from milo_schema.results import error_result


def profile_for(context: Any) -> Profile:
    """For clients up to 2025-11-25, the output of a tool must be an object."""
    return profiles.MCP if context.protocol_version >= "2026" else profiles.MCP_2025


def described(profile: Profile) -> dict[str, ToolSchema]:
    """The tools, by name."""
    return {name: tool_schema(func, profile=profile) for name, func in TOOLS.items()}


async def list_tools(context: Any, _: Any) -> types.ListToolsResult:
    """Answer tools/list."""
    tools = [tool.to_mcp() for tool in described(profile_for(context)).values()]
    return types.ListToolsResult.model_validate({"tools": tools})


async def call_tool(context: Any, params: Any) -> types.CallToolResult | types.InputRequiredResult:
    """Answer tools/call; the model reads what went wrong."""
    profile = profile_for(context)
    if tool := described(profile).get(params.name):
        func, arguments = TOOLS[params.name], params.arguments or {}
        result = await call_tool_async(tool, func, arguments, errors=ValueError, profile=profile)
    else:
        result = error_result(f"there is no tool {params.name!r}", profile=profile)
    if result.get("resultType") == "input_required":
        return types.InputRequiredResult.model_validate(result)
    return types.CallToolResult.model_validate(result)


async def main() -> None:
    """Serve until the client closes the connection."""
    server = Server("shop", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as streams:
        await server.run(*streams, server.create_initialization_options())


asyncio.run(main())
