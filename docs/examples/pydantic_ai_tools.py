"""The shop as tools of Pydantic AI; a script plays the model."""

import json
from collections.abc import Callable
from typing import Any

from calls import CALLS
from pydantic_ai import Agent, ModelResponse, ModelRetry, TextPart, Tool, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from shop import TOOLS

from milo_schema import profiles, tool_schema
from milo_schema.calls import call_tool_async


def agent_tool(func: Callable[..., Any]) -> Tool[Any]:
    """Make a tool from a function; the model reads which arguments were wrong."""
    tool = tool_schema(func, profile=profiles.MCP)

    async def call(**arguments: Any) -> Any:
        result = await call_tool_async(tool, arguments, errors=ValueError)
        if result["isError"]:
            raise ModelRetry(result["content"][0]["text"])
        return result.get("structuredContent")

    return Tool.from_schema(call, tool.name, tool.description, tool.input_schema)


def script(messages: list[Any], _: Any) -> ModelResponse:
    """Make all calls at once, and then repeat the answers."""
    if len(messages) == 1:
        return ModelResponse([ToolCallPart(name, arguments) for name, arguments in CALLS])
    return ModelResponse([TextPart(json.dumps([part.content for part in messages[-1].parts]))])


agent = Agent(FunctionModel(script), tools=[agent_tool(func) for func in TOOLS.values()])
print(agent.run_sync("What does tea cost?").output)  # noqa: T201
