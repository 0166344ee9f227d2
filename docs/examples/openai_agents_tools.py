"""The shop as strict tools of the OpenAI Agents SDK; a script plays the model."""

import json
from typing import Any

from agents import Agent, FunctionTool, RunConfig, Runner
from agents.testing import ScriptedModel, assistant_message, function_call
from calls import CALLS
from logs import log
from shop import TOOLS

from milo_schema import Toolbox, ToolSchema, profiles

tools = Toolbox(TOOLS.values(), profile=profiles.OPENAI_STRICT, unexpected=log, repair=True)


def agent_tool(tool: ToolSchema) -> FunctionTool:
    """Make a tool; the model reads which arguments were wrong."""

    async def invoke(_: Any, arguments: str) -> str:
        result = await tools.call_async(tool.name, arguments)
        return result.text

    return FunctionTool(tool.name, tool.description or "", tool.input_schema, invoke)


calls = [
    function_call(name, json.dumps(arguments), call_id=str(number))
    for number, (name, arguments) in enumerate(CALLS)
]
model = ScriptedModel([calls, [assistant_message("Tea costs 4.50.")]])
agent = Agent("shop", model=model, tools=[agent_tool(tool) for tool in tools.values()])
config = RunConfig(tracing_disabled=True, tool_not_found_behavior="return_error_to_model")
Runner.run_sync(agent, "What does tea cost?", run_config=config)
print(json.dumps([item["output"] for item in model.calls[1].input if "output" in item]))  # noqa: T201
