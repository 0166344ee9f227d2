"""The shop on the command line: argparse with options from the schemas."""

import argparse
import json
from typing import Any

from shop import TOOLS

from milo_schema import profiles, tool_schema
from milo_schema.arguments import ArgumentsError, bind
from milo_schema.results import return_to_json

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


parser = argparse.ArgumentParser(description="A shop.")
commands = parser.add_subparsers(dest="command", required=True)
for func in TOOLS.values():
    tool = tool_schema(func, profile=profiles.OMNI)
    command = commands.add_parser(tool.name, help=tool.description)
    parameters = tool.input_schema
    for name, schema in parameters["properties"].items():
        is_required = name in parameters["required"]
        command.add_argument(f"--{name}", required=is_required, **option(name, schema))
given = vars(parser.parse_args())
func = TOOLS[given.pop("command")]
try:
    bound = bind(func, given, profile=profiles.OMNI)
except ArgumentsError as problem:
    parser.error(str(problem))
print(json.dumps(return_to_json(func, func(*bound.args, **bound.kwargs))))  # noqa: T201
