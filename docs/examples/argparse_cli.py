"""The shop on the command line: argparse with options from the schemas."""

import argparse
import json
from typing import Any

from shop import TOOLS

from milo_schema import profiles
from milo_schema.calls import Toolbox

TYPES: dict[str, Any] = {"string": str, "integer": int, "number": float}


def option(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the options of argparse for a property; arrays and objects are passed as JSON."""
    return {
        "dest": name,
        "type": TYPES.get(schema.get("type", ""), json.loads),
        "choices": schema.get("enum"),
        "help": schema.get("description", "").replace("%", "%%"),
        "default": argparse.SUPPRESS,
    }


tools = Toolbox(TOOLS.values(), profile=profiles.OMNI, errors=ValueError)
parser = argparse.ArgumentParser(description="A shop.")
commands = parser.add_subparsers(dest="command", required=True)
for tool in tools.values():
    command = commands.add_parser(tool.name, help=tool.description)
    for name, schema in tool.input_schema["properties"].items():
        is_required = name in tool.input_schema["required"]
        command.add_argument(f"--{name}", required=is_required, **option(name, schema))
given = vars(parser.parse_args())
result = tools.call(given.pop("command"), given)
if result["isError"]:
    parser.error(result["content"][0]["text"])
print(result["content"][0]["text"])  # noqa: T201
