"""The shop as tools of LangChain; a script plays the model."""

import json
from typing import Any

from calls import CALLS
from langchain_core.tools import StructuredTool, ToolException
from logs import log
from shop import TOOLS

from milo_schema import Toolbox, ToolSchema

tools = Toolbox(TOOLS.values(), unexpected=log)


def langchain_tool(tool: ToolSchema) -> StructuredTool:
    """Make a tool; the model reads which arguments were wrong."""

    def call(**arguments: Any) -> tuple[str, Any]:
        result = tools.call(tool.name, arguments)
        if result.is_error:
            raise ToolException(result.text)
        return result.text, result.value

    return StructuredTool(
        name=tool.name,
        description=tool.description,
        args_schema=tool.input_schema,
        func=call,
        response_format="content_and_artifact",
        handle_tool_error=True,
    )


for name, arguments in CALLS[:-1]:
    call = {"type": "tool_call", "id": "1", "name": name, "args": arguments}
    message = langchain_tool(tools[name]).invoke(call)
    print(json.dumps([message.status, message.content, message.artifact]))  # noqa: T201
