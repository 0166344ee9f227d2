"""The schemas that the frameworks generate for a tool, for those with a profile and one more."""

import inspect
import types
from typing import Any

from milo_schema import profiles
from tests import judges
from tests.inside import rebuild

Json = dict[str, Any]

OPEN = profiles.MCP.replace(name="OPEN", closed="nothing")
"""Exact, for frameworks that take further arguments."""


def documented(func: Any) -> Any:
    """A copy of a tool with a docstring that describes each parameter, which some ask for."""
    names = inspect.signature(func).parameters
    copy = types.FunctionType(
        func.__code__, func.__globals__, func.__name__, func.__defaults__, func.__closure__
    )
    copy.__kwdefaults__ = func.__kwdefaults__
    copy.__annotations__ = func.__annotations__
    copy.__doc__ = "A tool.\n\nArgs:\n" + "".join(f"    {name}: It.\n" for name in names)
    return copy


def fastmcp(func: Any) -> Json:
    schema: Json = judges.module("fastmcp.tools").Tool.from_function(func).parameters
    return schema


def mcp_sdk(func: Any) -> Json:
    tools = judges.module("mcp.server.mcpserver.tools")
    schema: Json = tools.Tool.from_function(func).parameters
    return schema


def openai_agents(func: Any) -> Json:
    described = judges.module("agents.function_schema").function_schema
    schema: Json = described(func, strict_json_schema=False).params_json_schema
    return schema


def pydantic_ai(func: Any) -> Json:
    """There, the only argument replaces all of them if it is an object, and its name is kept."""
    found = judges.module("pydantic_ai").Tool(func).function_schema
    schema: Json = dict(found.json_schema)
    if found.single_arg_name is None:
        return schema
    whole = {"$defs": schema.pop("$defs", {})}
    name = found.single_arg_name
    default = inspect.signature(func).parameters[name].default
    required = [name] if default is inspect.Parameter.empty else []
    whole |= {"type": "object", "properties": {name: schema}, "required": required}
    return {**whole, "additionalProperties": False}


def langchain(func: Any) -> Json:
    tool = judges.module("langchain_core.tools").tool(documented(func))
    schema: Json = tool.tool_call_schema.model_json_schema()
    return schema


def autogen(func: Any) -> Json:
    tool = judges.module("autogen_core.tools").FunctionTool(func, description="A tool.")
    schema: Json = tool.schema["parameters"]
    return schema


def of_openapi(schema: Json) -> Json:
    """A schema of OpenAPI 3.0 as JSON Schema: ``INTEGER``, ``any`` and ``nullable``."""
    found = rebuild(schema, of_openapi)
    if type(kind := found.get("type")) is str:
        found["type"] = kind.lower()
    if found.get("type") == "any":
        del found["type"]
    return {"anyOf": [found, {"type": "null"}]} if found.pop("nullable", False) else found
