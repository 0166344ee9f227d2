"""The shop as a FastMCP server: its own tool class, with schemas from elsewhere."""

from collections.abc import Callable
from typing import Any

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.tools import Tool, ToolResult
from shop import TOOLS

from milo_schema import profiles, tool_schema
from milo_schema.calls import call_tool_async


class SchemaTool(Tool):
    """A function, described by milo_schema."""

    func: Callable[..., Any]

    @classmethod
    def of(cls, func: Callable[..., Any]) -> "SchemaTool":
        """The tool that a function is; FastMCP's structured content is always an object."""
        tool = tool_schema(func, profile=profiles.MCP_2025)
        return cls(
            name=tool.name,
            description=tool.description,
            parameters=tool.input_schema,
            output_schema=tool.output_schema,
            func=func,
        )

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """Check the arguments and call the function."""
        tool = tool_schema(self.func, profile=profiles.MCP_2025)
        result = await call_tool_async(
            tool, self.func, arguments, errors=ValueError, profile=profiles.MCP_2025
        )
        if result["isError"]:
            raise ToolError(result["content"][0]["text"])
        return ToolResult(structured_content=result["structuredContent"])


if __name__ == "__main__":
    FastMCP("shop", tools=[SchemaTool.of(func) for func in TOOLS.values()]).run(show_banner=False)
