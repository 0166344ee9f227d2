"""The shop as tools of the Anthropic SDK, in strict mode: built offline, checked with its types."""

import json

from anthropic.types import ToolParam
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from pydantic import TypeAdapter
from shop import TOOLS

from milo_schema import profiles, tool_schema

tools = [
    tool_schema(func, profile=profiles.ANTHROPIC_STRICT).to_anthropic() for func in TOOLS.values()
]
request = {
    "model": "claude-sonnet-5",
    "max_tokens": 1024,
    "messages": [{"role": "user", "content": "What does tea cost?"}],
    "tools": tools,
}
TypeAdapter(list[ToolParam]).validate_python(tools)
TypeAdapter(MessageCreateParamsNonStreaming).validate_python(request)
print(json.dumps(tools))  # noqa: T201
