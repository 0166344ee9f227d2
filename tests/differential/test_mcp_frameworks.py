"""The profiles of MCP's server frameworks beside the definitions that the frameworks make.

The tools of the tables are compared, and a function that returns it for each type of a parameter.
pydantic uses less of the docstring of a class, so its descriptions are not compared.
"""

import inspect
import types
import typing
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, NamedTuple

import pytest

from milo_schema import (
    Profile,
    SchemaError,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
)
from tests import judges
from tests.differential import frameworks, model_tools, plain_tools
from tests.differential.injected import INJECTED
from tests.differential.spelling import Json, differences, spelled, values

pytestmark = pytest.mark.slow
TOOLS = plain_tools.TOOLS | model_tools.TOOLS


def outputs_of(name: str, tool: Any) -> Iterator[tuple[str, Any]]:
    """For each parameter a function that returns a value of its type."""
    for parameter, annotation in tool.__annotations__.items():
        if parameter != "return" and annotation is not None and name != "typed_options":
            func = returning(name, annotation, tool.__globals__)
            func.__module__ = tool.__module__
            yield f"{name}.{parameter}", func


def returning(name: str, annotation: Any, names: dict[str, Any] | None = None) -> Any:
    func = types.FunctionType((lambda: None).__code__, names or {}, name)
    func.__annotations__ = {"return": annotation}
    return func


OUTPUTS = dict(each for name, tool in TOOLS.items() for each in outputs_of(name, tool))


class Framework(NamedTuple):
    """A framework, its profile, and where both differ, each with the reason."""

    profile: Profile
    tool: Callable[[Any], Any]
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]


def fastmcp(func: Any) -> Any:
    return judges.module("fastmcp.tools").Tool.from_function(func)


def mcp_sdk(func: Any) -> Any:
    return judges.module("mcp.server.mcpserver.tools").Tool.from_function(func)


KEYS = "we say which text a key that is no text may be"
ENUM_KEYS = "an enum of keys has no type and no description of ours: a key is text"
DIGITS = "we say what the text of a Decimal looks like"
FRACTION = "a Fraction has no schema of ours: its user says what it is as JSON"
TUPLE = "nobody can leave out a value of an array in its middle, so it has no default"
DEFAULT = "a result is always there, so it has no default"
POSITIONAL = "we pass arguments by position where the framework refuses to"
UNPACKED = "the keys of **kwargs: Unpack[...] are arguments; the framework does not read them"
LEFT_OUT = "*args are left out; the framework takes an array of that name"
VARIADIC = "we say that *args are a list and **kwargs an object; the framework takes one of each"
ALIAS = "the schema says `lastName`, which is only accepted; the framework writes `last_name`"
MODEL = "the framework makes a model of the hints of a class, and loses its metadata and docstring"
VALIDATION = "the schema is that of what is accepted, not of what is written"
OBJECT = "the framework says that it is an empty object; it is text"
ROOT = "the result must be an object; the framework says that it is a list"

COMMON_INPUTS = {
    "dict_int_keys": KEYS,
    "pay": DIGITS,
    "portion": FRACTION,
    "with_enum_keys": ENUM_KEYS,
    "with_named_tuple": TUPLE,
    "typed_options": UNPACKED,
}
COMMON_OUTPUTS = {
    "dict_int_keys.names": KEYS,
    "field_default_inside.limit": DEFAULT,
    "with_enum_keys.counts": ENUM_KEYS,
}
FRAMEWORKS = {
    "FASTMCP": Framework(profiles.FASTMCP, fastmcp, {**COMMON_INPUTS, "positional": POSITIONAL},
          {**COMMON_OUTPUTS, "pay.amount": DIGITS, "portion.part": FRACTION,
            "with_named_tuple.place": TUPLE}),
    "MCP_SDK": Framework(profiles.MCP_SDK, mcp_sdk,
          {**COMMON_INPUTS, **dict.fromkeys(("variadic", "options", "both"), VARIADIC)},
          {**COMMON_OUTPUTS, "with_aliases.person": ALIAS, "with_account.account": VALIDATION,
            "with_json_of.payload": VALIDATION, "with_root_model.values": ROOT,
            "with_nested_dataclass.customer": MODEL, "book.customer": MODEL,
            "with_pydantic_dataclass.value": MODEL, "with_byte_size.size": OBJECT,
            "with_url.url": OBJECT, "with_any_url.url": OBJECT, "with_secret.password": OBJECT}),
}  # fmt: skip
CLOSED = "**more: T are an object with such values; the framework takes them as arguments"
READ = "a parameter has the keywords that its annotation gives; the framework loses some"
DEFAULTS = "we write the default of a record; the framework writes none"
KEPT = "the framework names it `v__positional_only`"
OF_AGENTS = {name: why for name, why in COMMON_INPUTS.items() if name != "typed_options"}
AGENTS = {
    "OPENAI_AGENTS": (frameworks.openai_agents,
          {**OF_AGENTS, **dict.fromkeys(("options", "both"), CLOSED)}),
    "PYDANTIC_AI": (frameworks.pydantic_ai, {**OF_AGENTS, "field_as_default": READ,
            **dict.fromkeys(("variadic", "both"), LEFT_OUT),
            **dict.fromkeys(("with_dataclass_default", "with_typed_dict_default",
                "with_model_default"), DEFAULTS)}),
    "LANGCHAIN": (frameworks.langchain, {**OF_AGENTS, "positional": KEPT,
            **dict.fromkeys(("with_examples", "field_default_inside", "extra", "deprecated"),
              READ)}),
}  # fmt: skip
each_framework = pytest.mark.parametrize("name", FRAMEWORKS)
Derive = Callable[[Any], Any]


def schema_of(derive: Derive, tool: Any) -> Any:
    """A schema, brought into one spelling; ``"refused"`` if there is none."""
    try:
        return spelled(derive(tool))
    except (SchemaError, ValueError, TypeError):
        return "refused"


def found(tools: Mapping[str, Any], theirs: Derive, ours: Derive) -> Json:
    """The tools with different schemas, and the places."""
    with warnings.catch_warnings(action="ignore"):
        both = {key: [schema_of(each, tools[key]) for each in (theirs, ours)] for key in tools}
    every = {name: list(differences(*schemas)) for name, schemas in both.items()}
    return {name: paths for name, paths in every.items() if paths}


@each_framework
def test_inputs_equal_those_of_the_framework_except_listed_differences(name):
    framework = FRAMEWORKS[name]
    framework.tool(plain_tools.ping)  # skips the test where the framework is missing
    differ = found(
        TOOLS,
        lambda tool: framework.tool(tool).parameters,
        lambda tool: function_to_schema(tool, profile=framework.profile),
    )
    assert differ.keys() == framework.inputs.keys(), differ


@each_framework
def test_outputs_equal_those_of_the_framework_except_listed_differences(name):
    framework = FRAMEWORKS[name]
    framework.tool(plain_tools.ping)
    differ = outputs_that_differ(framework, OUTPUTS)
    assert differ.keys() == framework.outputs.keys(), differ


def outputs_that_differ(framework: Framework, funcs: Mapping[str, Any]) -> Json:
    return found(
        funcs,
        lambda func: framework.tool(func).output_schema,
        lambda func: return_to_schema(func, profile=framework.profile),
    )


DESCRIBED = "a described None is None, and has no output schema"
CONTENT = "a declared dict is the structured content; the framework describes the whole result"
MAPPED = "a mapping of content is data, as in the SDK; the framework has no schema"
RETURNED: dict[str, dict[str, str]] = {
    "FASTMCP": {
        **dict.fromkeys(("no_type", "described_none"), DESCRIBED),
        **dict.fromkeys(("whole_dict", "whole_number", "whole_blocks", "whole_block"), CONTENT),
        "block_by_name": MAPPED,
    },
    "MCP_SDK": {},
}
"""The return annotations of below that the framework reads in another way, with the reason."""


@each_framework
def test_returned_content_and_none_equal_those_of_the_framework_except_listed_ones(name):
    framework = FRAMEWORKS[name]
    framework.tool(plain_tools.ping)
    mcp = judges.module("mcp_types")
    whole, block = mcp.CallToolResult, mcp.TextContent
    returned = {
        "none": None,
        "no_type": type(None),
        "described_none": Annotated[None, "Nothing."],
        "old_dict": typing.Dict[str, int],
        "described_dict": Annotated[dict[str, int], "Counts."],
        "described_old_dict": Annotated[typing.Dict[str, int], "Counts."],
        "block": block,
        "blocks": list[block],
        "block_by_name": dict[str, block],
        "whole": whole,
        "whole_dict": Annotated[whole, dict[str, int]],
        "whole_number": Annotated[whole, int],
        "whole_blocks": Annotated[whole, list[block]],
        "whole_block": Annotated[whole, block],
    }

    differ = outputs_that_differ(
        framework, {key: returning(key, returned[key]) for key in returned}
    )
    assert differ.keys() == RETURNED[name].keys(), differ


@pytest.mark.parametrize("name", AGENTS)
def test_inputs_equal_those_of_an_agent_framework_except_listed_differences(name):
    """With the profile that the documentation has for it."""
    schema, listed = AGENTS[name]
    schema(plain_tools.add)  # skips the test where the framework is missing
    profile = values()[name].replace(docstrings="never")
    judged = {key: tool for key, tool in TOOLS.items() if has_schema(schema, tool)}
    differ = found(judged, schema, lambda tool: function_to_schema(tool, profile=profile))
    assert differ.keys() == listed.keys(), differ
    assert len(judged) > 200


def has_schema(schema: Callable[[Any], Any], tool: Any) -> bool:
    with warnings.catch_warnings(action="ignore"):
        try:
            return bool(schema(tool))
        except Exception:
            return False


@each_framework
def test_most_types_are_compared(name):
    framework = FRAMEWORKS[name]
    assert len(TOOLS) - len(framework.inputs) > 200
    assert len(OUTPUTS) - len(framework.outputs) > 225


DOCUMENTED = [plain_tools.add, plain_tools.divide, plain_tools.greet, model_tools.search]


@pytest.mark.parametrize("tool", DOCUMENTED, ids=lambda each: each.__name__)
def test_a_tool_has_the_same_description_as_in_the_framework(tool):
    ours = tool_schema(tool, profile=profiles.FASTMCP)
    assert ours.description == fastmcp(tool).description
    ours = tool_schema(tool, profile=profiles.MCP_SDK)
    assert ours.description == inspect.cleandoc(mcp_sdk(tool).description)


@each_framework
def test_parameters_have_the_same_descriptions_as_in_the_framework(name):
    framework = FRAMEWORKS[name]
    profile = framework.profile
    if name == "MCP_SDK":  # which does not read them
        profile = profile.replace(docstrings="never")
    refused = {"variadic", "options", "both"} if name == "FASTMCP" else set()
    for key in TOOLS.keys() - framework.inputs.keys() - refused:
        ours = function_to_schema(TOOLS[key], profile=profile)
        assert described(ours) == described(framework.tool(TOOLS[key]).parameters), key


def described(schema: Json) -> dict[str, Any]:
    return {name: each.get("description") for name, each in schema["properties"].items()}


@pytest.mark.parametrize("tool", [*DOCUMENTED, plain_tools.named_like_keywords])
def test_titles_equal_those_of_the_sdk(tool):
    theirs, ours = mcp_sdk(tool).parameters, function_to_schema(tool, profile=profiles.MCP_SDK)
    assert (ours["title"], titles(ours)) == (theirs["title"], titles(theirs))


def test_the_titles_of_outputs_equal_those_of_the_sdk():
    framework, profile = FRAMEWORKS["MCP_SDK"], profiles.MCP_SDK
    compared = {key: OUTPUTS[key] for key in OUTPUTS.keys() - framework.outputs.keys()}
    theirs = {key: title_of(mcp_sdk(func).output_schema) for key, func in compared.items()}
    with warnings.catch_warnings(action="ignore"):
        ours = {
            key: title_of(return_to_schema(func, profile=profile)) for key, func in compared.items()
        }
    assert ours == theirs


def title_of(schema: Json | None) -> str | None:
    return None if schema is None else schema["title"]


def titles(schema: Json) -> dict[str, Any]:
    return {name: each.get("title") for name, each in schema["properties"].items()}


@pytest.mark.parametrize("name", INJECTED)
def test_parameters_filled_in_by_the_framework_are_left_out(name):
    profile, schema, tools = INJECTED[name]()
    for tool in tools:
        with warnings.catch_warnings(action="ignore"):
            theirs = schema(tool)
        ours = function_to_schema(tool, profile=profile, strict=True)
        assert ours["properties"].keys() == theirs["properties"].keys(), tool.__name__
        assert ours.get("required") == theirs.get("required"), tool.__name__
