"""The tools of servers in the dialect of each provider, beside the judges of that provider.

``tests/server_tools.json`` has the answers of mcp-server-fetch 2026.10.24, mcp-server-git and
mcp-server-time 2026.10.19 to ``tools/list``. The others are what FastMCP and the MCP SDK answer
for functions as users write them.
"""

import functools
import json
import warnings
from pathlib import Path

import pytest

from milo_schema import SchemaWarning, ToolSchema, profiles
from tests import judges
from tests.differential import frameworks, model_tools, plain_tools

LISTED = json.loads(Path(__file__).parents[1].joinpath("server_tools.json").read_bytes())
DERIVED = {"fastmcp": frameworks.fastmcp, "mcp": frameworks.mcp_sdk}


BY_SDK = {"untyped_default": ["python_jsonschema"]}
"""The SDK describes ``limit=10`` without an annotation as a string whose default is 10."""
WRONG = {("mcp", "PORTABLE"): BY_SDK, ("mcp", "GEMINI"): BY_SDK}


@functools.cache
def tools_of(source: str) -> tuple[ToolSchema, ...]:
    """The tools of a server, or of functions that a framework serves."""
    if source in LISTED:
        return tuple(map(ToolSchema.from_mcp, LISTED[source]))
    found = []
    for name, func in (plain_tools.TOOLS | model_tools.TOOLS).items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                schema = DERIVED[source](func)
            except Exception:
                continue
        found.append(ToolSchema.from_mcp({"name": name, "inputSchema": schema}))
    return tuple(found)


def verdicts(tool: ToolSchema, profile: str) -> dict[str, str]:
    """The objections of a provider's judges to a tool in its dialect."""
    asked = [each for each in judges.JUDGES if profile in each.profiles]
    for each in asked:
        judges.require(*each.needs)
    found = {each.name: judges.complaint(each, tool.input_schema) for each in asked}
    assert found
    return {name: said for name, said in found.items() if said}


@pytest.mark.slow
@pytest.mark.parametrize("profile", judges.EVERY)
@pytest.mark.parametrize("source", LISTED)
def test_the_tools_of_a_server_are_accepted_and_nothing_is_lost(source, profile):
    tools = [
        each.with_profile(getattr(profiles, profile), strict=True) for each in tools_of(source)
    ]

    assert {each.name: said for each in tools if (said := verdicts(each, profile))} == {}


@pytest.mark.slow
@pytest.mark.parametrize("profile", judges.EVERY)
@pytest.mark.parametrize("source", DERIVED)
def test_the_tools_of_a_framework_are_accepted_whatever_is_lost(source, profile):
    tools = tools_of(source)
    assert len(tools) > 100
    wrong = {}
    for tool in tools:
        with warnings.catch_warnings(action="ignore", category=SchemaWarning):
            found = tool.with_profile(getattr(profiles, profile))
        if said := verdicts(found, profile):
            wrong[tool.name] = [*said]
    assert wrong == WRONG.get((source, profile), {})
