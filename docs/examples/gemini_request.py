"""The shop as function declarations of the Gemini SDK: built offline and checked with its types."""

import json

from google.genai import types
from shop import TOOLS

from milo_schema import Toolbox, profiles

declarations = Toolbox(TOOLS.values(), profile=profiles.GEMINI).to_gemini()
tool = types.Tool.model_validate({"function_declarations": declarations})
config = types.GenerateContentConfig(tools=[tool])
print(json.dumps(config.model_dump(mode="json", exclude_none=True)["tools"]))  # noqa: T201
