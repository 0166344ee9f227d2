"""A loop with Anthropic's Messages API; a list plays the model."""

from typing import Any

from milo_schema import Toolbox, ToolError

STOCK = {"tea": 3}


def sell(item: str, count: int = 1) -> int:
    """Sell an item, and return how many are left.

    Args:
        item: Name of the item.
        count: How many to sell.
    """
    if STOCK.get(item, 0) < count:
        raise ToolError(f"only {STOCK.get(item, 0)} {item} left")
    STOCK[item] -= count
    return STOCK[item]


tools = Toolbox([sell])
assert [each["name"] for each in tools.to_anthropic()] == ["sell"]

uses: list[dict[str, Any]] = [
    {"id": "1", "name": "sell", "input": {"item": "tea", "count": 2}},
    {"id": "2", "name": "sell", "input": {"item": "tea", "count": 2}},
    {"id": "3", "name": "sell", "input": {"item": "tea", "count": "two"}},
]
blocks = [
    {"type": "tool_result", "tool_use_id": use["id"], "content": result.text, "is_error": failed}
    for use in uses
    for result in [tools.call(use["name"], use["input"])]
    for failed in [result.is_error]
]
assert [(block["content"], block["is_error"]) for block in blocks] == [
    ("1", False),
    ("only 1 tea left", True),
    ('sell(): .count: expected an integer, got "two"', True),
]
