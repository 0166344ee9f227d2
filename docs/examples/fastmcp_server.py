"""The shop as a FastMCP server: a subclass of Tool that a toolbox describes and calls."""

from typing import Any

from fastmcp import FastMCP
from fastmcp.tools import Tool, ToolResult
from logs import log
from mcp.types import CallToolResult
from shop import TOOLS

from milo_schema import Toolbox, profiles

# FastMCP's structured content is always an object, as in MCP 2025-11-25.
toolbox = Toolbox(TOOLS.values(), profile=profiles.MCP_2025, unexpected=log)


class ToolboxTool(Tool):
    """A tool of the toolbox."""

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """Check the arguments and call the function."""
        result = await toolbox.call_async(self.name, arguments)
        return ToolResult.from_mcp_result(CallToolResult.model_validate(result))


tools = [
    ToolboxTool(
        name=tool.name,
        description=tool.description,
        parameters=tool.input_schema,
        output_schema=tool.output_schema,
    )
    for tool in toolbox.values()
]

if __name__ == "__main__":
    FastMCP("shop", tools=tools).run(show_banner=False)
