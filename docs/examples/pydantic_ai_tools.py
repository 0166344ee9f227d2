"""The shop as tools of Pydantic AI; a script plays the model."""

import json
from typing import Any

from calls import CALLS
from logs import log
from pydantic_ai import Agent, ModelResponse, ModelRetry, TextPart, Tool, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from shop import TOOLS

from milo_schema import Toolbox, ToolSchema

tools = Toolbox(TOOLS.values(), unexpected=log)


def agent_tool(tool: ToolSchema) -> Tool[Any]:
    """Make a tool; the model reads which arguments were wrong."""

    async def call(**arguments: Any) -> Any:
        result = await tools.call_async(tool.name, arguments)
        if result.is_error:
            raise ModelRetry(result.text)
        return result.value

    return Tool.from_schema(call, tool.name, tool.description, tool.input_schema)


def script(messages: list[Any], _: Any) -> ModelResponse:
    """Make all calls at once, and then repeat the answers."""
    if len(messages) == 1:
        return ModelResponse([ToolCallPart(name, arguments) for name, arguments in CALLS])
    return ModelResponse([TextPart(json.dumps([part.content for part in messages[-1].parts]))])


agent = Agent(FunctionModel(script), tools=[agent_tool(tool) for tool in tools.values()])
print(agent.run_sync("What does tea cost?").output)  # noqa: T201
