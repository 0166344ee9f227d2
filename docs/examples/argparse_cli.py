"""The shop on the command line: argparse with options from the schemas."""

import argparse
from typing import Any

from shop import TOOLS

from milo_schema import Toolbox, profiles


def option(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the options of argparse for a property; the toolbox reads the text of a value."""
    options = {"help": schema.get("description", "").replace("%", "%%")}
    if schema.get("type") == "boolean":
        options["action"] = argparse.BooleanOptionalAction
    elif schema.get("type") == "array":
        options["action"] = "append"
    elif "enum" in schema:
        options["choices"] = [str(each) for each in schema["enum"]]
    return options


tools = Toolbox(TOOLS.values(), profile=profiles.OMNI, repair=True)
parser = argparse.ArgumentParser(description="A shop.", argument_default=argparse.SUPPRESS)
commands = parser.add_subparsers(dest="command", required=True)
for tool in tools.values():
    command = commands.add_parser(
        tool.name, help=tool.description, argument_default=argparse.SUPPRESS
    )
    for name, schema in tool.input_schema["properties"].items():
        is_required = name in tool.input_schema["required"]
        command.add_argument(f"--{name}", required=is_required, **option(schema))
given = vars(parser.parse_args())
result = tools.call(given.pop("command"), given)
if result.is_error:
    parser.error(result.text)
print(result.text)  # noqa: T201
