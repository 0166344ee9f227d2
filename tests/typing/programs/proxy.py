"""A proxy: the tools of a server, for a provider that accepts less than MCP."""

from typing import Any

from milo_schema import Toolbox, ToolSchema, profiles

LISTED: dict[str, Any] = {
    "name": "cut",
    "description": "Cut something.",
    "inputSchema": {
        "type": "object",
        "properties": {"size": {"type": "integer", "exclusiveMinimum": 0}},
    },
}


def send(name: str, arguments: dict[str, Any]) -> str:
    """Send a call to the server."""
    return f"{name} {arguments}"


tools = Toolbox([ToolSchema.from_mcp(LISTED).with_profile(profiles.OPENAI_STRICT)])
(written,) = tools.to_openai()
assert written["function"]["strict"] is True

bound = tools["cut"].bind({"size": None})  # null is how strict mode leaves it out
assert send("cut", bound.arguments) == "cut {}"
