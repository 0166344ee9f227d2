"""The shop as strict tools of the OpenAI Agents SDK; a script plays the model."""

import json
from collections.abc import Callable
from typing import Any

from agents import Agent, FunctionTool, RunConfig, Runner
from agents.testing import ScriptedModel, assistant_message, function_call
from calls import CALLS
from shop import TOOLS

from milo_schema import profiles, tool_schema
from milo_schema.calls import call_tool_async

STRICT = profiles.OPENAI_STRICT.replace(name="STRICT", outputs=False)


def agent_tool(func: Callable[..., Any]) -> FunctionTool:
    """Make a tool from a function; the model reads which arguments were wrong."""
    tool = tool_schema(func, profile=STRICT)

    async def invoke(_: Any, arguments: str) -> str:
        result = await call_tool_async(tool, arguments, errors=ValueError, repair=True)
        return "\n".join(block["text"] for block in result["content"])

    return FunctionTool(tool.name, tool.description, tool.input_schema, invoke)


calls = [
    function_call(name, json.dumps(arguments), call_id=str(number))
    for number, (name, arguments) in enumerate(CALLS)
]
model = ScriptedModel([calls, [assistant_message("Tea costs 4.50.")]])
agent = Agent("shop", model=model, tools=[agent_tool(func) for func in TOOLS.values()])
config = RunConfig(tracing_disabled=True, tool_not_found_behavior="return_error_to_model")
Runner.run_sync(agent, "What does tea cost?", run_config=config)
print(json.dumps([item["output"] for item in model.calls[1].input if "output" in item]))  # noqa: T201
