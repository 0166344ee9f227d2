"""Other libraries that make a JSON Schema of a function, each called the way its users do.

An adapter imports its library and returns a function that derives a schema. msgspec and mashumaro
support only types; they get one that is made of the function's signature.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any

Derive = Callable[[Any], Any]


def pydantic() -> Derive:
    from pydantic import TypeAdapter

    return lambda func: TypeAdapter(func).json_schema()


def msgspec() -> Derive:
    import msgspec

    def derive(func: Any) -> Any:
        hints = typing.get_type_hints(func, include_extras=True)
        fields = [
            (name, hints[name]) if each.default is each.empty else (name, hints[name], each.default)
            for name, each in inspect.signature(func).parameters.items()
        ]
        return msgspec.json.schema(msgspec.defstruct("Arguments", fields, kw_only=True))

    return derive


def mashumaro() -> Derive:
    from mashumaro.jsonschema import build_json_schema

    def derive(func: Any) -> Any:
        hints = typing.get_type_hints(func, include_extras=True)
        keys = {
            name: hints[name] if each.default is each.empty else typing.NotRequired[hints[name]]
            for name, each in inspect.signature(func).parameters.items()
        }
        arguments = typing.TypedDict("Arguments", keys)  # type: ignore[operator]
        return build_json_schema(arguments).to_dict()

    return derive


def apischema() -> Derive:
    from apischema import type_name
    from apischema.json_schema import deserialization_schema
    from apischema.objects import object_deserialization

    def derive(func: Any) -> Any:
        arguments = object_deserialization(func, type_name("Arguments"))
        return deserialization_schema(object, conversion=arguments)

    return derive


def mcp() -> Derive:
    from mcp.server.mcpserver.tools import Tool

    return lambda func: Tool.from_function(func).parameters


def fastmcp() -> Derive:
    from fastmcp.tools import Tool

    return lambda func: Tool.from_function(func).parameters


def openai_agents() -> Derive:
    from agents.function_schema import function_schema

    return lambda func: function_schema(func, strict_json_schema=False).params_json_schema


def pydantic_ai() -> Derive:
    from pydantic_ai import Tool

    return lambda func: Tool(func).function_schema.json_schema


def milo_cli() -> Derive:
    import milo.schema

    derive: Derive = milo.schema.function_to_schema
    return derive


ADAPTERS: dict[str, tuple[str, Callable[[], Derive]]] = {
    "pydantic `TypeAdapter`": ("pydantic", pydantic),
    "msgspec": ("msgspec", msgspec),
    "mashumaro": ("mashumaro", mashumaro),
    "apischema": ("apischema", apischema),
    "`mcp` SDK": ("mcp", mcp),
    "FastMCP": ("fastmcp", fastmcp),
    "openai-agents": ("openai-agents", openai_agents),
    "pydantic-ai": ("pydantic-ai-slim", pydantic_ai),
    "milo-cli": ("milo-cli", milo_cli),
}
"""By name: the distribution, and the function that imports it."""
