"""The shop as tools of the OpenAI SDK, in strict mode: built offline and checked with its types."""

import json

from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.responses import FunctionTool
from pydantic import TypeAdapter
from shop import TOOLS

from milo_schema import Toolbox, profiles

tools = Toolbox(TOOLS.values(), profile=profiles.OPENAI_STRICT, repair=True)
request = {
    "model": "gpt-5",
    "messages": [{"role": "user", "content": "What does tea cost?"}],
    "tools": tools.to_openai(),
}
TypeAdapter(CompletionCreateParamsNonStreaming).validate_python(request, strict=True)
for tool in tools.to_openai(api="responses"):
    FunctionTool.model_validate(tool)
print(json.dumps(request["tools"]))  # noqa: T201

# In strict mode, a model sends null for an argument that it leaves out; the toolbox drops it:
result = tools.call("find", '{"word": "tea", "order": null, "limit": null}')
assert result.value[0]["name"] == "tea"  # noqa: S101
