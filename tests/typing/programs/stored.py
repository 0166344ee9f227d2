"""Definitions in a file, which other processes read; the functions are found again by name."""

import json

from milo_schema import Toolbox, ToolSchema, tool_schema


def double(n: int) -> int:
    """Double a number."""
    return 2 * n


FUNCTIONS = {"double": double}
text = json.dumps([tool_schema(double).to_mcp()])

listed = [ToolSchema.from_mcp(each) for each in json.loads(text)]
tools = Toolbox([each.with_function(FUNCTIONS[each.name]) for each in listed])
assert listed == [tool_schema(double)]
assert tools.call("double", {"n": 21}).value == 42
