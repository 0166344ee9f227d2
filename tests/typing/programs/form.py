"""A form that an MCP server asks its user to fill in."""

from dataclasses import dataclass
from typing import Annotated, Literal

from milo_schema import Ge, Title, profiles, type_to_schema
from milo_schema.arguments import json_to_value

FORM = profiles.ELICITATION


@dataclass
class Order:
    """An order."""

    name: Annotated[str, Title("Your name")]
    size: Literal["s", "l"]
    cups: Annotated[int, Ge(1)] = 1


schema = type_to_schema(Order, profile=FORM)
assert schema["properties"]["name"] == {"type": "string", "title": "Your name"}

order = json_to_value({"name": "Ann", "size": "s"}, Order, profile=FORM)
assert order == Order("Ann", "s")
