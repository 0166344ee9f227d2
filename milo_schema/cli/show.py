"""The command ``show``: print schemas and tool definitions."""

import argparse
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from milo_schema.cli.functions import derive, find_functions, make_tool, options_of
from milo_schema.cli.targets import Found
from milo_schema.cli.terminal import CommandError, Console, count, one_line, printable
from milo_schema.compare.sides import follow, label_of
from milo_schema.schemas.readings import Reading
from milo_schema.tools import ToolSchema
from milo_schema.wire import WIRE_FORMS

__all__ = ["show"]


def show(arguments: argparse.Namespace, console: Console) -> int:
    """Print the schemas or tool definitions of the targets."""
    functions = find_functions(arguments, console, methods=False)
    options = options_of(arguments, console)._replace(strict=arguments.strict)
    form = "mcp" if arguments.tool else getattr(arguments, "as")
    describe = partial(_describe, form, arguments.output)
    make = describe if arguments.format == "json" else make_tool
    derived = derive(functions, make, options, arguments, console)
    if derived.untyped and not arguments.output and not arguments.strict:  # which refuses them
        places = f"{count(derived.untyped, 'parameter')} without an annotation"
        guess = json.dumps(options.profile.untyped, default=dict)  # a read-only mapping
        guess = f"the profile {arguments.profile} writes {guess}"
        console.note(f"{places}, for which {guess}; run milo-schema check for details")
    for notice in derived.notices:
        console.note(notice)
    if arguments.format != "json":
        SHOW_FORMATS[arguments.format](derived.results, console)
        return 0
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


# -- formats -----------------------------------------------------------------------------------


class _Field(NamedTuple):
    """A parameter, or a property at any depth inside one."""

    path: str
    name: str
    depth: int
    type: str
    is_required: bool
    default: str
    """As JSON; empty if there is none."""
    description: str
    """On one line."""


def _fields(schema: Any, root: Any, path: str = "", seen: tuple[int, ...] = ()) -> Iterator[_Field]:
    """The properties of a schema, each before its own properties; recursive ones only once."""
    for name, inner in schema.get("properties", {}).items():
        annotations, target = follow(inner, root)
        default = (
            json.dumps(annotations["default"], ensure_ascii=False)
            if "default" in annotations
            else ""
        )
        yield _Field(
            printable(path + name),
            printable(name),
            len(seen),
            printable(label_of(target, root)),
            name in schema.get("required", ()),
            printable(default),
            printable(one_line(annotations.get("description", ""))),
        )
        items = target.get("items") if type(target) is dict else None
        below, step = (follow(items, root)[1], "[].") if type(items) is dict else (target, ".")
        if type(below) is dict and id(below) not in seen:
            yield from _fields(below, root, f"{path}{name}{step}", (*seen, id(below)))


def _show_tree(tools: Mapping[str, ToolSchema], console: Console) -> None:
    for name, tool in tools.items():
        summary = printable((tool.description or "").partition("\n")[0])
        console.write(f"{console.paint(name, 'bold')}  {summary}".rstrip())
        output = {"properties": {"->": tool.output_schema or {}}}
        fields = [
            *_fields(tool.input_schema, tool.input_schema),
            *_fields(output, tool.output_schema),
        ]
        rows = [("  " * field.depth + field.name, _summary(field)) for field in fields]
        console.write("\n".join([*console.table(rows), ""]))


def _summary(field: _Field) -> str:
    required = ", required" if field.is_required else ""
    default = f" = {field.default}" if field.default else ""
    return f"{field.type}{required}{default}  {field.description}".rstrip()


def _show_markdown(tools: Mapping[str, ToolSchema], console: Console) -> None:
    for name, tool in tools.items():
        console.write("\n\n".join([f"## {_escape(name)}", *filter(None, [_text(tool)])]))
        fields = [*_fields(tool.input_schema, tool.input_schema)]
        if fields:
            head = "| Parameter | Type | Required | Description |"
            console.write(f"\n{head}\n| --- | --- | --- | --- |")
        for field in fields:
            default = f", default {_code(field.default)}" if field.default else ""
            is_required = "yes" if field.is_required else f"no{default}"
            cells = [_code(field.path), _code(field.type), is_required, _escape(field.description)]
            console.write(f"| {' | '.join(cells)} |")
        output = label_of(tool.output_schema or {}, tool.output_schema)
        console.write(f"\nReturns: {_code(printable(output))}\n")


def _text(tool: ToolSchema) -> str:
    """The description of a tool, line by line."""
    lines = (tool.description or "").split("\n")
    return "\n".join(_escape(printable(line)) for line in lines)


_MARKS = re.compile(r"[\\`*\[\]<>|~]|(?<!\w)_|_(?!\w)|^#")  # a_name is not emphasis


def _escape(text: str) -> str:
    """A line of plain text in Markdown."""
    return _MARKS.sub(r"\\\g<0>", text)


def _code(text: str) -> str:
    """A string as code, between more backticks than it has in a row."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if "`" in text else ""
    return f"{fence}{space}{text}{space}{fence}".replace("|", "\\|")


SHOW_FORMATS: dict[str, Callable[[Mapping[str, ToolSchema], Console], None]] = {
    "tree": _show_tree,
    "markdown": _show_markdown,
}
"""Apart from ``json``, which prints the schemas that the other options select."""
