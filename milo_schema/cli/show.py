"""The command ``show``: print schemas and tool definitions."""

import argparse
from functools import partial
from typing import Any

from milo_schema.cli.formats import SHOW_FORMATS
from milo_schema.cli.functions import derive, find_functions, make_tool, options_of
from milo_schema.cli.targets import Found
from milo_schema.cli.terminal import CommandError, Console, count
from milo_schema.schemas.readings import Reading
from milo_schema.wire import WIRE_FORMS

__all__ = ["show"]


def show(arguments: argparse.Namespace, console: Console) -> int:
    """Print the schemas or tool definitions of the targets."""
    functions = find_functions(arguments, console, methods=False)
    options = {**options_of(arguments, console), "strict": arguments.strict}
    form = "mcp" if arguments.tool else getattr(arguments, "as")
    describe = partial(_describe, form, arguments.output)
    make = describe if arguments.format == "json" else make_tool
    derived = derive(functions, make, options, arguments, console)
    if derived.untyped and not arguments.output and not arguments.strict:  # which refuses them
        places = f"{count(derived.untyped, 'parameter')} without an annotation"
        console.note(f"{places}; run milo-schema check for details")
    if arguments.format != "json":
        SHOW_FORMATS[arguments.format](derived.results, console)
        return 0
    for notice in derived.notices:
        console.note(notice)
    if not arguments.indent.isdecimal():
        raise CommandError(f"--indent must be a number, not {arguments.indent}")
    is_one = len(arguments.targets) == 1 and any(found.is_named for found in functions.values())
    values = list(derived.results.values())
    if functions and not is_one:
        console.write_json(values if form else derived.results, int(arguments.indent))
    elif values:
        console.write_json(values[0], int(arguments.indent))
    return 0


def _describe(form: str | None, output: bool, found: Found, reading: Reading | None) -> Any:
    """The definition of a tool in a form of the table; without a form, one of its schemas."""
    if form:
        return WIRE_FORMS[form].write(make_tool(found, reading))
    if reading is None:
        tool = make_tool(found, reading)
        return tool.output_schema if output else tool.input_schema
    return reading.output_schema() if output else reading.input_schema()
