"""A tool that returns content of MCP, and one that returns rows."""

from collections.abc import Iterator
from typing import Any

from milo_schema import Toolbox


def chart(values: list[int]) -> dict[str, Any]:
    """Draw a chart."""
    return {"type": "image", "data": "aGk=", "mimeType": f"image/x-{len(values)}"}


def rows(count: int) -> Iterator[int]:
    """Return numbers."""
    yield from range(count)


tools = Toolbox([chart, rows])
assert tools.call("rows", {"count": 3}).value == [0, 1, 2]
assert tools.call("chart", {"values": [1]}).value["mimeType"] == "image/x-1"
