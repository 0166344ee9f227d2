"""The shop as tools of LangChain; a script plays the model."""

import json
from collections.abc import Callable
from typing import Any

from calls import CALLS
from langchain_core.tools import StructuredTool, ToolException
from shop import TOOLS

from milo_schema import profiles, tool_schema
from milo_schema.calls import call_tool


def langchain_tool(func: Callable[..., Any]) -> StructuredTool:
    """Make a tool from a function; the model reads which arguments were wrong."""
    tool = tool_schema(func, profile=profiles.MCP)

    def call(**arguments: Any) -> tuple[str, Any]:
        result = call_tool(tool, arguments, errors=ValueError)
        text = "\n".join(block["text"] for block in result["content"])
        if result["isError"]:
            raise ToolException(text)
        return text, result.get("structuredContent")

    return StructuredTool(
        name=tool.name,
        description=tool.description,
        args_schema=tool.input_schema,
        func=call,
        response_format="content_and_artifact",
        handle_tool_error=True,
    )


tools = {name: langchain_tool(func) for name, func in TOOLS.items()}
for name, arguments in CALLS[:-1]:
    call = {"type": "tool_call", "id": "1", "name": name, "args": arguments}
    message = tools[name].invoke(call)
    print(json.dumps([message.status, message.content, message.artifact]))  # noqa: T201
