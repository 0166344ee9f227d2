"""Print what tools that strands decorates are for us, as JSON; it needs no other package."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))

from strands import tool  # type: ignore[import-not-found]

from milo_schema import Toolbox, profiles, tool_schema


def find(word: str, limit: int = 3) -> list[str]:
    """Find words.

    Args:
        word: A word.
        limit: The most words.
    """
    return [word] * limit


class Shop:
    """A class with a tool."""

    @tool
    def price(self, item: str) -> str:
        """Say what something costs."""
        return f"{item}: 3"


mcp = profiles.MCP
tools = [tool(find), tool(name="seek", description="Seek words.")(find), Shop().price]
expected = [
    tool_schema(find, profile=mcp),
    tool_schema(find, name="seek", description="Seek words.", profile=mcp),
    tool_schema(Shop().price._tool_func, profile=mcp),
]
theirs = tools[0].tool_spec["inputSchema"]["json"]
box = Toolbox(tools, profile=mcp)
calls = [("find", {"word": "tea", "limit": 1}), ("seek", {"word": "tea", "limit": 2})]
print(
    json.dumps(
        {
            "same": [
                tool_schema(each, profile=mcp) == one
                for each, one in zip(tools, expected, strict=True)
            ],
            "names": [*box],
            "results": [box.call(*each)["structuredContent"] for each in calls],
            "price": box.call("price", {"item": "tea"})["structuredContent"],
            "ours": expected[0].input_schema,
            "theirs": theirs,
        }
    )
)
