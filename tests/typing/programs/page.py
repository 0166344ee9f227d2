"""A page for people: each tool, what it takes, and what it costs in each request."""

from milo_schema import Toolbox
from milo_schema.checks import cost


def find(word: str, limit: int = 10) -> list[str]:
    """Find words.

    Args:
        word: Part of the word.
        limit: The most words to find.
    """
    return [word][:limit]


tools = Toolbox([find])
lines = [
    f"{tool.name}({', '.join(tool.input_schema['properties'])}): {tool.description}"
    for tool in tools.values()
]
assert lines == ["find(word, limit): Find words."]
assert [each.path for each in cost(tools)] == [
    "find",
    "find(word)",
    "find(limit)",
    "find() -> result",
]
