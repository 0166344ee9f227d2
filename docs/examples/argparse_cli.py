"""The shop on the command line: argparse, set up from the schemas."""

import argparse
import json
from typing import Any

from shop import TOOLS

from milo_schema import profiles, tool_schema
from milo_schema.results import return_to_json

TYPES = {"string": str, "integer": int, "number": float, "boolean": json.loads}


def add_argument(parser: argparse.ArgumentParser, name: str, schema: Any, required: bool) -> None:  # noqa: FBT001
    """Make an option of a property; what has a structure is given as JSON."""
    parser.add_argument(
        f"--{name}",
        required=required,
        type=TYPES.get(schema.get("type"), json.loads),
        choices=schema.get("enum"),
        help=schema.get("description", "").replace("%", "%%"),
        default=argparse.SUPPRESS,
    )


def main() -> None:
    """Call a function with the options that were given."""
    parser = argparse.ArgumentParser(description="A shop.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, func in TOOLS.items():
        tool = tool_schema(func, profile=profiles.OMNI)
        command = commands.add_parser(name, help=tool.description)
        for option, schema in tool.input_schema["properties"].items():
            add_argument(command, option, schema, option in tool.input_schema["required"])
    options = vars(parser.parse_args())
    func = TOOLS[options.pop("command")]
    print(json.dumps(return_to_json(func, func(**options))))  # noqa: T201


if __name__ == "__main__":
    main()
