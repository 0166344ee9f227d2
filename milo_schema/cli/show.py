"""The command ``show``: print schemas and tool definitions."""

import argparse
import json
from functools import partial
from typing import Any

from milo_schema.cli.functions import derive, find_functions, make_tool, options_of
from milo_schema.cli.terminal import Console, count
from milo_schema.schemas.functions import Reading
from milo_schema.targets.functions import Found
from milo_schema.tools.wire import WIRE_FORMS

__all__ = ["show"]


def show(arguments: argparse.Namespace, console: Console) -> int:
    """Print the schemas or tool definitions of the targets."""
    functions = find_functions(arguments, console, methods=False)
    options = options_of(arguments, console).replace(strict=arguments.strict)
    form = "mcp" if arguments.tool else getattr(arguments, "as")
    describe = partial(_describe, form, arguments.output)
    derived = derive(functions, describe, options, arguments, console)
    if derived.untyped and not arguments.output and not arguments.strict:  # which refuses them
        places = f"{count(derived.untyped, 'parameter')} without an annotation"
        guess = json.dumps(options.profile.untyped, default=dict)  # a read-only mapping
        guess = f"the profile {arguments.profile} writes {guess}"
        console.note(f"{places}, for which {guess}; run milo-schema check for details")
    for notice in derived.notices:
        console.note(notice)
    is_one = len(arguments.targets) == 1 and any(found.is_named for found in functions.values())
    values = list(derived.results.values())
    if functions and not is_one:
        console.write_json(values if form else derived.results)
    elif values:
        console.write_json(values[0])
    return 0


def _describe(form: str | None, output: bool, found: Found, reading: Reading | None) -> Any:
    """The definition of a tool in a form of the table; without a form, one of its schemas."""
    if form:
        return WIRE_FORMS[form].write(make_tool(found, reading))
    if reading is None:
        tool = make_tool(found, reading)
        return tool.output_schema if output else tool.input_schema
    return reading.output_schema() if output else reading.input_schema()
