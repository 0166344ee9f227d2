"""The problems of arguments as data, for a tool that only a definition describes."""

from milo_schema import ToolSchema
from milo_schema.arguments import ArgumentsError

tool = ToolSchema(
    name="order",
    input_schema={
        "type": "object",
        "properties": {"count": {"type": "integer", "minimum": 1}, "note": {"type": "string"}},
        "required": ["count"],
        "additionalProperties": False,
    },
)
found: list[tuple[str, str, object]] = []
try:
    tool.bind({"count": 0, "nota": "x"})
except ArgumentsError as error:
    found = [(each.path, each.keyword, each.limit) for each in error.problems]

assert found == [(".count", "minimum", 1), (".nota", "additionalProperties", False)]
assert tool.bind({"count": "2"}, repair=True).arguments == {"count": 2}
