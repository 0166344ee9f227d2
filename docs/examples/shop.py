"""Two functions that know of no client: the other examples offer them to several."""

from dataclasses import dataclass
from typing import Annotated, Literal

from milo_schema import Ge, MinLen


@dataclass
class Item:
    """Something that is sold."""

    name: str
    cents: int


ITEMS = [Item("tea", 450), Item("teapot", 2300), Item("coffee", 890)]


def find(
    word: Annotated[str, MinLen(1)],
    order: Literal["name", "cents"] = "name",
    limit: int | None = None,
) -> list[Item]:
    """Find what is sold.

    Args:
        word: A part of the name.
        order: What to sort by.
        limit: How many items to give at most.
    """
    found = [item for item in ITEMS if word in item.name]
    return sorted(found, key=lambda item: getattr(item, order))[:limit]


def price(name: str, count: Annotated[int, Ge(1)] = 1) -> Item:
    """Tell what some items of one kind cost.

    Args:
        name: The name of the item.
        count: How many of them.
    """
    for item in ITEMS:
        if item.name == name:
            return Item(f"{count} x {name}", count * item.cents)
    raise ValueError(f"no {name} here")


TOOLS = {function.__name__: function for function in (find, price)}
