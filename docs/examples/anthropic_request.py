"""The shop as tools of the Anthropic SDK, in strict mode: built offline, checked with its types."""

import json

from anthropic.types import ToolParam
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from pydantic import TypeAdapter
from shop import TOOLS

from milo_schema import Toolbox, profiles

tools = Toolbox(TOOLS.values(), profile=profiles.ANTHROPIC_STRICT).to_anthropic()
request = {
    "model": "claude-sonnet-5",
    "max_tokens": 1024,
    "messages": [{"role": "user", "content": "What does tea cost?"}],
    "tools": tools,
}
TypeAdapter(list[ToolParam]).validate_python(tools)
TypeAdapter(MessageCreateParamsNonStreaming).validate_python(request)
print(json.dumps(tools))  # noqa: T201
