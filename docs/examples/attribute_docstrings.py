"""Describe the fields of a class with the strings below them, and print the schema."""

import json
from dataclasses import dataclass

from milo_schema import profiles, type_to_schema

MINE = profiles.MCP.replace(name="mine", attribute_docstrings=True)


@dataclass
class Stay:
    """A stay in a hotel."""

    city: str
    """City of the hotel."""

    nights: int = 1
    """Number of nights."""


print(json.dumps(type_to_schema(Stay, profile=MINE)))  # noqa: T201
