"""The functions that a command is about, and their tool definitions, which ``show`` prints."""

import argparse
import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from milo_schema import SchemaError, profiles
from milo_schema.annotations.classes import NOTHING
from milo_schema.annotations.type_checking import Parse, TypeCheckingImports
from milo_schema.cli.files import read_json
from milo_schema.cli.options import PROFILES
from milo_schema.cli.terminal import CommandError, Console, count, grouped, printable
from milo_schema.compare.definitions import define, own_profile
from milo_schema.compare.snapshots import HEAD
from milo_schema.errors import RESULT, Problem, nearest
from milo_schema.nodes.session import SharedTypes
from milo_schema.profile import Profile
from milo_schema.schemas.functions import Options, Reading, as_parameter
from milo_schema.targets import Silence, TargetError, class_and_line
from milo_schema.targets.functions import (
    Found,
    by_name,
    find,
    find_listed,
    look_up,
    not_excluded,
    split_target,
    tools_in,
)
from milo_schema.tools.definition import ToolSchema, tool_of
from milo_schema.tools.origin import check_given, python_of
from milo_schema.tools.wire import WIRE_FORMS


def find_functions(
    arguments: argparse.Namespace, console: Console, methods: bool = True
) -> dict[str, Found]:
    """The functions of the targets, each once; a repeated name gets its module."""
    found: dict[int, Found] = {}  # by identity: a function may have several names
    try:
        for target in arguments.targets:
            for each in _find(target, console, arguments.exclude, methods):
                found.setdefault(id(each.func), each)
    finally:
        _report_failed_imports(console)
    for server in arguments.server:
        for each in not_excluded(
            arguments.exclude, find_on_server(server, arguments.timeout, console)
        ):
            found[id(each.func)] = each
    if not found:
        console.has_no_tools = True
        if not console.failed_imports:
            console.note(f"found no tools in {', '.join(arguments.targets + arguments.server)}")
    return by_name(found.values(), printable)


def _find(
    target: str, console: Console, exclude: Collection[str], methods: bool
) -> Iterator[Found]:
    """The functions of a target; or the tools of a JSON file or, for ``-``, of standard input."""
    where, wanted = split_target(target)
    if where != "-" and not where.endswith(".json"):
        return find(target, console, exclude, methods)
    return not_excluded(exclude, _find_in_file(where, wanted))


def _find_in_file(file: str, wanted: str) -> Iterator[Found]:
    content = read_json(file)
    tools = tools_in(content)
    if tools is None:
        if type(content) is dict and HEAD in content:
            raise CommandError(f"{file} is a snapshot; compare it with: milo-schema diff {file}")
        raise CommandError(f"{file} is not an answer to tools/list: it lists no tools")
    return find_listed(tools, file, wanted)


def find_on_server(command: str, seconds: float, console: Console) -> Iterator[Found]:
    """Find the tools of a server."""
    from milo_schema.cli.servers import ask  # which loads the modules for HTTP

    return find_listed(ask(command, console, seconds), command)


def _report_failed_imports(console: Console) -> None:
    """Report the modules that cannot be imported: in one line for those with the same reason."""
    for same in grouped(console.failed_imports, lambda each: each.message).values():
        first, names = same[0], ", ".join(each.name for each in same)
        console.report(f"importing {names} raised {first.message}{first.place}", first.__cause__)


# -- their definitions -------------------------------------------------------------------------


def options_of(
    functions: Mapping[str, Found],
    arguments: argparse.Namespace,
    console: Console,
    profile: str = "",
    parse: Parse = ast.parse,
) -> Options:
    """The options for reading functions; *profile* is that of a snapshot.

    A profile that is given takes precedence, then that of the snapshot, of the tools, and ``MCP``.
    ``localns`` has the names that annotations use, but their modules do not have at run time;
    *parse* parses the sources in which they are found.
    """
    of_modules = TypeCheckingImports({}, NOTHING, {}, parse)
    names = None if arguments.no_type_checking_imports else of_modules
    own = own_profile(each.func for each in functions.values())
    name = arguments.profile or profile
    is_own = own is not None and name in ("", own.name)  # which may have no other name
    chosen = own if own is not None and is_own else _profile(name or "MCP", console)
    if arguments.exclude_parameter:
        hidden = {*chosen.injected_names, *arguments.exclude_parameter}
        chosen = chosen.replace(injected_names=hidden)
    return Options(chosen, localns=names, others="list")


def _profile(name: str, console: Console) -> Profile:
    """A built-in profile, or one that the user defines: ``package.module:NAME``."""
    try:
        profile = look_up(name, console) if ":" in name else getattr(profiles, name.upper(), None)
    except TargetError as problem:
        raise CommandError(f"--profile: {problem}") from problem.__cause__
    if not isinstance(profile, Profile):
        hint = nearest(name.upper(), PROFILES) or "; write module:NAME for your own"
        raise CommandError(f"{name} is not a profile{hint}")
    return profile


def make_tool(found: Found, reading: Reading | None, name: str | None = None) -> ToolSchema:
    """The tool definition of a function, or the one that a server lists.

    Raises:
        SchemaError: There is none, or its name is not valid for MCP.
    """
    if reading is not None:
        derived = tool_of(reading, name)
        WIRE_FORMS["mcp"].check(derived.name)
        return derived
    if isinstance(found.func, SchemaError):
        raise found.func
    tool: ToolSchema = found.func
    WIRE_FORMS["mcp"].check(tool.name)
    check_given("input schema", tool.input_schema, tool.name, as_parameter)
    if tool.output_schema is not None:
        check_given("output schema", tool.output_schema, tool.name + RESULT)
    return tool


class FoundTool(NamedTuple):
    """The output of a command about functions.

    Attributes:
        results: What it makes of each, by its name.
        notices: What is wrong, but not an error.
        lost: The names of those that have no result.
    """

    results: dict[str, Any]
    notices: list[str]
    lost: set[str]


Make = Callable[[Found, Reading | None], Any]


def derive(
    functions: Mapping[str, Found],
    make: Make,
    options: Options,
    arguments: argparse.Namespace,
    console: Console,
    needs_all: bool = False,
) -> FoundTool:
    """Read each function once, and call *make* with it; what a server lists needs no reading.

    A function for which *make* fails is reported and left out. The command fails if it needs all
    of them, if the target names this one, or if a server lists it.
    """
    results: dict[str, Any] = {}
    notices: dict[str, None] = {}
    known: dict[str, None] = {}
    shared = SharedTypes(answers={})
    with Silence():
        for name, found in functions.items():
            reading = None if found.is_listed else Reading(found.func, options, shared)
            with _reporting(name, found, console, needs_all or found.is_named or found.is_listed):
                results[name] = make(_in_profile(found, arguments, options), reading)
            if reading is not None:
                notices |= dict.fromkeys(map(str, reading.told))
                signature = getattr(reading.known_signature, "parameters", ())
                known |= dict.fromkeys(each.name for each in signature)
    for each in arguments.exclude_parameter:
        if each not in known and (hint := nearest(each, known)):
            console.note(f"no function has a parameter {each}{hint}")
    return FoundTool(results, [*notices], functions.keys() - results.keys())


def _in_profile(found: Found, arguments: argparse.Namespace, options: Options) -> Found:
    """A tool in the profile that is given; without one, it keeps its own."""
    if not arguments.profile or not isinstance(found.func, ToolSchema):
        return found
    return found._replace(func=define(found.func, options.profile))


@contextmanager
def _reporting(name: str, found: Found, console: Console, fails: bool) -> Iterator[None]:
    """Report the exceptions inside this context."""
    try:
        yield
    except SchemaError as problem:
        outer = name.rpartition(found.own_name)[0]  # ``run(x)`` is in ``api.run``
        if found.is_listed:
            outer = "" if str(problem).startswith((f"{name}: ", f"{name}(")) else f"{name}: "
        hint = f"; --exclude {found.target} skips it" if fails and not found.is_named else ""
        (console.fail if fails else console.note)(f"{outer}{problem}{hint}")
    except KeyboardInterrupt:
        raise
    except BaseException as problem:  # of a hook or annotation of theirs
        console.fail(f"{name}: {class_and_line(problem)}")


# -- the command ``show`` ----------------------------------------------------------------------


def show(arguments: argparse.Namespace, console: Console) -> int:
    """Print the schemas or tool definitions of the targets."""
    functions = find_functions(arguments, console, methods=False)
    options = options_of(functions, arguments, console).replace(strict=arguments.strict)
    form = "mcp" if arguments.tool else getattr(arguments, "as")
    in_python = arguments.format == "python"
    describe = make_tool if in_python else partial(_describe, form, arguments.output)
    derived = derive(functions, describe, options, arguments, console)
    for notice in derived.notices:
        console.note(notice)
    is_one = len(arguments.targets) == 1 and any(found.is_named for found in functions.values())
    values = list(derived.results.values())
    if in_python:
        _write_python(values, console)
    elif functions and not is_one:
        console.write_json(values if form else derived.results)
    elif values:
        console.write_json(values[0])
    return 0


def _write_python(tools: list[ToolSchema], console: Console) -> None:
    """Print tools as Python, and how many restrictions of their schemas that does not say."""
    lost: list[Problem] = []
    console.write(python_of(tools, lost=lost.append).rstrip("\n"))
    if lost:
        number = count(len(lost), "restriction")
        console.note(f"{number} cannot be written in Python, such as {lost[0]}")


def _describe(form: str | None, output: bool, found: Found, reading: Reading | None) -> Any:
    """The definition of a tool in a form of the table; without a form, one of its schemas."""
    if form:
        return WIRE_FORMS[form].write(make_tool(found, reading))
    if reading is None:
        tool = make_tool(found, reading)
        return tool.output_schema if output else tool.input_schema
    return reading.output_schema() if output else reading.input_schema()
