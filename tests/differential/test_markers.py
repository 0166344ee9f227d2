"""Our markers in frameworks that do not know us: they obey them as those of annotated-types."""

import asyncio
import re
from collections.abc import Callable
from typing import Annotated, Any

import pytest

from milo_schema import Description, Ge, Le, MaxLen, MinLen, MultipleOf, Pattern
from tests import judges

pytestmark = pytest.mark.slow
Json = dict[str, Any]


def order(
    count: Annotated[int, Ge(1), Le(9), Description("How many.")],
    name: Annotated[str, MinLen(2), Pattern("^[a-z]+$")] = "tea",
    boxes: Annotated[list[Annotated[int, MultipleOf(6)]] | None, MaxLen(2)] = None,
) -> str:
    """Order something."""
    return f"{count} {name} {boxes}"


def fastmcp() -> tuple[Json, Callable[[Json], Any]]:
    tool = judges.module("fastmcp.tools").Tool.from_function(order)
    return tool.parameters, lambda arguments: asyncio.run(tool.run(arguments))


def mcp_sdk() -> tuple[Json, Callable[[Json], Any]]:
    tool = judges.module("mcp.server.mcpserver.tools").Tool.from_function(order)
    return tool.parameters, tool.fn_metadata.arg_model.model_validate


def openai_agents() -> tuple[Json, Callable[[Json], Any]]:
    described = judges.module("agents.function_schema").function_schema
    found = described(order, strict_json_schema=False)
    return found.params_json_schema, found.params_pydantic_model.model_validate


@pytest.mark.parametrize("framework", [fastmcp, mcp_sdk, openai_agents])
def test_a_framework_shows_and_enforces_our_markers(framework):
    schema, call = framework()
    count, name, boxes = schema["properties"].values()
    said = {"type": "integer", "minimum": 1, "maximum": 9, "description": "How many."}
    assert said.items() <= count.items()
    assert {"type": "string", "minLength": 2, "pattern": "^[a-z]+$"}.items() <= name.items()
    items = {"type": "integer", "multipleOf": 6}
    assert {"type": "array", "maxItems": 2, "items": items} in boxes["anyOf"]
    call({"count": 1, "name": "milk", "boxes": [6]})
    refused: list[Json] = [
        {"count": 0},
        {"count": 10},
        {"count": 1, "name": "a"},
        {"count": 1, "name": "A1"},
        {"count": 1, "boxes": [6, 6, 6]},
        {"count": 1, "boxes": [5]},
    ]
    for arguments in refused:
        with pytest.raises(Exception, match=re.escape([*arguments][-1])):
            call(arguments)
