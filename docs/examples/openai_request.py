"""The shop as tools of the OpenAI SDK, in strict mode: built offline and checked with its types."""

import json

from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.responses import FunctionTool
from pydantic import TypeAdapter
from shop import TOOLS

from milo_schema import profiles, tool_schema
from milo_schema.arguments import bind

tools = [tool_schema(func, profile=profiles.OPENAI_STRICT) for func in TOOLS.values()]
request = {
    "model": "gpt-5",
    "messages": [{"role": "user", "content": "What does tea cost?"}],
    "tools": [tool.to_openai() for tool in tools],
}
TypeAdapter(CompletionCreateParamsNonStreaming).validate_python(request, strict=True)
for tool in tools:
    FunctionTool.model_validate(tool.to_openai(api="responses"))
print(json.dumps(request["tools"]))  # noqa: T201

# In strict mode, a model sends null for an argument that it leaves out; bind() drops it:
arguments = json.loads('{"word": "tea", "order": null, "limit": null}')
bound = bind(TOOLS["find"], arguments, profile=profiles.OPENAI_STRICT)
assert TOOLS["find"](*bound.args, **bound.kwargs)[0].name == "tea"  # noqa: S101
