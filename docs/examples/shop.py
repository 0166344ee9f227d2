"""Two functions that know nothing about clients; the other examples serve them to several."""

from dataclasses import dataclass
from typing import Annotated, Literal

from milo_schema import Ge, MinLen, ToolError


@dataclass
class Item:
    """An item in the shop."""

    name: str
    cents: int


ITEMS = [Item("tea", 450), Item("teapot", 2300), Item("coffee", 890)]


def find(
    word: Annotated[str, MinLen(1)],
    order: Literal["name", "cents"] = "name",
    limit: int | None = None,
) -> list[Item]:
    """Find items in the shop.

    Args:
        word: Part of the name.
        order: Field to sort by.
        limit: Maximum number of items.
    """
    found = [item for item in ITEMS if word in item.name]
    return sorted(found, key=lambda item: getattr(item, order))[:limit]


def price(name: str, count: Annotated[int, Ge(1)] = 1) -> Item:
    """Compute the price of some items.

    Args:
        name: Name of the item.
        count: Number of items.
    """
    for item in ITEMS:
        if item.name == name:
            return Item(f"{count} x {name}", count * item.cents)
    raise ToolError(f"no {name} here")  # the model reads it


TOOLS = {function.__name__: function for function in (find, price)}
