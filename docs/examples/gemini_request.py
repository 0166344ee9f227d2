"""The shop as function declarations of the Gemini SDK: built offline and checked with its types."""

import json

from google.genai import types
from shop import TOOLS

from milo_schema import profiles, tool_schema

declarations = []
for func in TOOLS.values():
    tool = tool_schema(func, profile=profiles.GEMINI)
    declarations.append(types.FunctionDeclaration.model_validate(tool.to_gemini()))
config = types.GenerateContentConfig(tools=[types.Tool(function_declarations=declarations)])
print(json.dumps(config.model_dump(mode="json", exclude_none=True)["tools"]))  # noqa: T201
