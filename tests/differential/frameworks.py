"""The schemas that the frameworks generate for a tool, and our profile for each of them."""

import inspect
import json
import types
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from milo_schema import Profile, profiles
from milo_schema.json_schema.subschemas import rebuild
from tests import judges

Json = dict[str, Any]

OPEN = profiles.MCP.replace(name="OPEN", closed="nothing")
"""Exact, for frameworks that take further arguments."""


class Framework(NamedTuple):
    """A framework, and where our schemas and its own differ.

    Attributes:
        name: Its name.
        module: The module that it needs.
        profile: Ours for it.
        schema: Makes its own input schema of a function.
        narrower: The tools of which our schema refuses arguments that its schema and the types
            accept, each with the reason.
        wider: The tools of which our schema accepts arguments that its schema and the types
            refuse, each with the reason; ``None`` if its schemas are less exact than the types.
        unsaid: The tools without a schema of ours, with the reason.
        leaves: Whether our profile refuses such instances, as its documentation explains.
    """

    name: str
    module: str
    profile: Profile
    schema: Callable[[Any], Json]
    narrower: Mapping[str, str]
    wider: Mapping[str, str] | None = None
    unsaid: Mapping[str, str] = {}
    leaves: Callable[[Json], bool] = lambda _: False

    def __hash__(self) -> int:
        return hash(self.name)


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


# -- those that ask pydantic -------------------------------------------------------------------


def fastmcp(func: Any) -> Json:
    schema: Json = judges.module("fastmcp.tools").Tool.from_function(func).parameters
    return schema


def mcp_sdk(func: Any) -> Json:
    tools = judges.module("mcp.server.mcpserver.tools")
    schema: Json = tools.Tool.from_function(func).parameters
    return schema


def openai_agents(func: Any, *, strict: bool = False) -> Json:
    described = judges.module("agents.function_schema").function_schema
    schema: Json = described(func, strict_json_schema=strict).params_json_schema
    return schema


def openai_agents_strict(func: Any) -> Json:
    return openai_agents(func, strict=True)


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


# -- those that read the annotations themselves ------------------------------------------------


def google_genai(func: Any) -> Json:
    types = judges.module("google.genai.types")
    make = types.FunctionDeclaration.from_callable_with_api_option
    said = make(callable=func, api_option="GEMINI_API").model_dump(
        mode="json", exclude_none=True, by_alias=True
    )
    return of_openapi(said.get("parameters", {"type": "OBJECT", "properties": {}}))


def smolagents(func: Any) -> Json:
    hints = judges.module("smolagents._function_type_hints_utils")
    return of_openapi(hints.get_json_schema(documented(func))["function"]["parameters"])


def agno(func: Any) -> Json:
    schema: Json = judges.module("agno.tools.function").Function.from_callable(func).parameters
    return schema


def of_openapi(schema: Json) -> Json:
    """A schema of OpenAPI 3.0 as JSON Schema: ``INTEGER``, ``any`` and ``nullable``."""
    found = rebuild(schema, of_openapi)
    if type(kind := found.get("type")) is str:
        found["type"] = kind.lower()
    if found.get("type") == "any":
        del found["type"]
    return {"anyOf": [found, {"type": "null"}]} if found.pop("nullable", False) else found


def has_null(instance: Any) -> bool:
    """Whether ``null`` is in a value: for Gemini, an argument is left out instead."""
    return "null" in json.dumps(instance)


# -- where they differ -------------------------------------------------------------------------

DECIMAL = {"pay": "a Decimal is text, which loses no digit; pydantic takes numbers, too"}
FRACTION = {"portion": "a Fraction is text, which is exact; pydantic takes numbers, too"}
EXACT = {**DECIMAL, **FRACTION}
KEYWORDS = "**kwargs are further arguments; the framework takes one argument of that name"
POSITIONAL = "nobody passes *args by name; the framework takes one argument of that name"
UNPACKED = "the keys of **kwargs: Unpack[...] are arguments; the framework does not read them"
NO_ANY = "the API refuses a value of unknown type; the framework passes it on"
DEEP = "a value of unknown type is nested two levels deep for Gemini, which knows no `any`"
LOOSE = "the framework has {} or an object, so it takes what pydantic makes of anything"
RFC = "a date-time has an offset (RFC 3339); the framework has no format"
SETS = dict.fromkeys(
    ("set_of_int", "set_old", "frozen_set"), "a set has no repetitions; the framework takes them"
)
UNTYPED = (
    *("untyped", "untyped_default", "mixed", "anything", "anything_or_none", "an_object"),
    *("list_bare", "list_any", "tuple_bare", "with_json_value"),
)

FRAMEWORKS = [
    Framework("FastMCP", "fastmcp", profiles.FASTMCP, fastmcp, FRACTION, {}),
    Framework(
        "MCP SDK",
        "mcp",
        profiles.MCP_SDK,
        mcp_sdk,
        {
            "variadic": POSITIONAL,
            **dict.fromkeys(("options", "typed_options", "both"), KEYWORDS),
            **FRACTION,
        },
        {},
    ),
    Framework(
        "openai-agents",
        "agents",
        OPEN,
        openai_agents,
        {**EXACT, "options": KEYWORDS, "both": KEYWORDS},
        {},
    ),
    Framework(
        "openai-agents strict",
        "agents",
        profiles.OPENAI_STRICT,
        openai_agents_strict,
        EXACT,
        unsaid={**dict.fromkeys(UNTYPED, NO_ANY), "variadic": POSITIONAL},
    ),
    Framework(
        "pydantic-ai",
        "pydantic_ai",
        profiles.MCP,
        pydantic_ai,
        {**EXACT, "variadic": POSITIONAL, "both": POSITIONAL},
        {},
    ),
    Framework(
        "LangChain",
        "langchain_core",
        OPEN,
        langchain,
        {**EXACT, "options": KEYWORDS, "both": KEYWORDS},
        {"field_default_inside": "it does not read the default in Annotated"},
    ),
    Framework(
        "google-genai",
        "google.genai",
        profiles.GEMINI,
        google_genai,
        {
            **EXACT,
            **dict.fromkeys(("anything", "anything_or_none", "an_object"), DEEP),
            **dict.fromkeys(("list_bare", "list_any", "tuple_bare"), DEEP),
            "with_json_value": LOOSE,
            "typed_options": UNPACKED,
        },
        leaves=has_null,
    ),
    Framework("autogen", "autogen_core", OPEN, autogen, {**EXACT, "both": KEYWORDS}),
    Framework(
        "smolagents",
        "smolagents",
        OPEN,
        smolagents,
        {
            "with_keyword_dataclass": RFC,
            "with_nested_model": RFC,
            "with_schema_hook": LOOSE,
            "with_import": LOOSE,
            "options": KEYWORDS,
            "both": KEYWORDS,
        },
    ),
    Framework(
        "agno",
        "agno",
        OPEN,
        agno,
        {
            **DECIMAL,
            **SETS,
            "iterable": LOOSE,
            "with_schema_hook": LOOSE,
            "with_import": LOOSE,
            **dict.fromkeys(("options", "typed_options", "both"), KEYWORDS),
        },
    ),
]
