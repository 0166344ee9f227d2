"""What the frameworks' own generators say of a tool, and the profile of ours for each of them."""

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

from milo_schema import Profile, profiles
from tests import judges

Json = dict[str, Any]

OPEN = profiles.MCP.replace(name="OPEN", closed="nothing")


class Framework(NamedTuple):
    """A framework.

    Attributes:
        name: What it is called.
        needs: The modules that it takes.
        profile: Ours for it.
        schema: Its own schema of what a function takes.
    """

    name: str
    needs: tuple[str, ...]
    profile: Profile
    schema: Callable[[Any], Json]


def fastmcp(func: Any) -> Json:
    schema: Json = judges.module("fastmcp.tools").Tool.from_function(func).parameters
    return schema


def mcp_sdk(func: Any) -> Json:
    module = judges.module("mcp.server.mcpserver.tools")
    schema: Json = module.Tool.from_function(func).parameters
    return schema


def openai_agents(func: Any) -> Json:
    module = judges.module("agents.function_schema")
    schema: Json = module.function_schema(func, strict_json_schema=False).params_json_schema
    return schema


def openai_agents_strict(func: Any) -> Json:
    module = judges.module("agents.function_schema")
    schema: Json = module.function_schema(func, strict_json_schema=True).params_json_schema
    return schema


def pydantic_ai(func: Any) -> Json:
    schema: Json = judges.module("pydantic_ai").Tool(func).function_schema.json_schema
    return schema


def langchain(func: Any) -> Json:
    described = func if inspect.getdoc(func) else with_docstring(func)
    tool = judges.module("langchain_core.tools").tool(described)
    schema: Json = tool.tool_call_schema.model_json_schema()
    return schema


def with_docstring(func: Any) -> Any:
    """LangChain asks for one."""
    func.__doc__ = "A tool."
    return func


FRAMEWORKS = [
    Framework("FastMCP", ("fastmcp",), profiles.MCP, fastmcp),
    Framework("MCP SDK", ("mcp",), OPEN, mcp_sdk),
    Framework("openai-agents", ("agents",), OPEN, openai_agents),
    Framework("openai-agents strict", ("agents",), profiles.OPENAI_STRICT, openai_agents_strict),
    Framework("pydantic-ai", ("pydantic_ai",), profiles.MCP, pydantic_ai),
    Framework("LangChain", ("langchain_core",), OPEN, langchain),
]
