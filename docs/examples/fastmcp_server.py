"""The shop as a FastMCP server: a subclass of Tool whose schemas come from milo_schema."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from fastmcp import FastMCP
from fastmcp.tools import Tool, ToolResult
from mcp.types import CallToolResult
from shop import TOOLS

from milo_schema import profiles, tool_schema
from milo_schema.calls import call_tool_async

PROFILE = profiles.MCP_2025  # FastMCP's structured content is always an object


class SchemaTool(Tool):
    """A function, described and called by milo_schema."""

    call: Callable[..., Awaitable[Any]]

    @classmethod
    def of(cls, func: Callable[..., Any]) -> "SchemaTool":
        """The tool that a function is; the client reads its errors of value."""
        tool = tool_schema(func, profile=PROFILE)
        return cls(
            name=tool.name,
            description=tool.description,
            parameters=tool.input_schema,
            output_schema=tool.output_schema,
            call=partial(call_tool_async, tool, errors=ValueError),
        )

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """Check the arguments and call the function."""
        result = await self.call(arguments)
        return ToolResult.from_mcp_result(CallToolResult.model_validate(result))


if __name__ == "__main__":
    FastMCP("shop", tools=[SchemaTool.of(func) for func in TOOLS.values()]).run(show_banner=False)
