"""Run the commands, after their options are parsed."""

from __future__ import annotations

import collections
import contextlib
import warnings

from milo_schema import (
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
    type_checking_imports,
)
from milo_schema.annotations import Any, Callable, Json, Late, Mapping
from milo_schema.checks import Finding, check_function, check_set, check_tool
from milo_schema.cli.codes import EXAMPLES, explained
from milo_schema.cli.costs import print_costs
from milo_schema.cli.findings import Ignores, Row, row_of, unlisted, write_baseline
from milo_schema.cli.formats import CHECK_FORMATS, DIFF_FORMATS, SHOW_FORMATS, Report, count
from milo_schema.cli.imports import Silence, one_line
from milo_schema.cli.members import DEFINITIONS, Found
from milo_schema.cli.options import PROFILES
from milo_schema.cli.parameters import misspelled, untyped
from milo_schema.cli.revisions import taken_at
from milo_schema.cli.servers import read_json, tools_in
from milo_schema.cli.snapshots import (
    FAIL_ON,
    Snapshot,
    changes,
    content_of,
    entry,
    read,
    reread,
    write,
)
from milo_schema.cli.sources import Sources
from milo_schema.cli.targets import find, find_on_server, look_up
from milo_schema.cli.terminal import FOUND, CommandError, Console
from milo_schema.errors import nearest
from milo_schema.libraries import library
from milo_schema.profile import Profile
from milo_schema.tools import ToolSchema
from milo_schema.wire import WIRE_FORMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
else:
    argparse = Late("argparse")


__all__ = ["check", "diff", "explain", "show", "snapshot"]


# -- show --------------------------------------------------------------------------------------


def show(arguments: argparse.Namespace, console: Console) -> int:
    """Print the schemas or tool definitions of the targets."""
    functions = _functions(arguments, console, members=False)
    options: Any = {
        "strict": arguments.strict,
        "profile": _profile(arguments.profile, arguments, console),
        "localns": _names(arguments),
    }
    hidden = options["profile"].injected_names
    number = 0 if arguments.output else untyped(functions.values(), hidden)
    if number and not arguments.strict:  # which refuses them
        places = f"{count(number, 'parameter')} without an annotation"
        console.tell(f"{places}; run milo-schema check for details")
    if (write_tools := SHOW_FORMATS[arguments.format]) is not None:
        write_tools(_made(functions, lambda found: _tool(found, **options), console), console)
        return 0
    form = "mcp" if arguments.tool else getattr(arguments, "as")
    warned: list[SchemaWarning] = []
    made = _made(
        functions,
        lambda found: _shown(found, form, options, output=arguments.output),
        console,
        warned,
    )
    for warning in dict.fromkeys(map(str, warned)):
        console.tell(warning)
    is_one = len(arguments.targets) == 1 and any(found.is_named for found in functions.values())
    values = list(made.values())
    if not arguments.indent.isdecimal():
        raise CommandError(f"--indent must be a number, not {arguments.indent}")
    indent = int(arguments.indent)
    if functions and not is_one:
        console.write_json(values if form else made, indent)
    elif values:
        console.write_json(values[0], indent)
    return 0


def _shown(found: Found, form: str | None, options: Any, *, output: bool) -> Json | None:
    if form or isinstance(found.func, DEFINITIONS):
        tool = _tool(found, **options)
        return (
            WIRE_FORMS[form].write(tool)
            if form
            else tool.output_schema
            if output
            else tool.input_schema
        )
    make: Any = return_to_schema if output else function_to_schema
    schema: Json | None = make(found.func, **options)
    return schema


# -- check -------------------------------------------------------------------------------------


def check(arguments: argparse.Namespace, console: Console) -> int:
    """Print the findings about the targets."""
    functions = _functions(arguments, console)
    if arguments.cost:
        tools = _tools(functions, arguments, console)
        print_costs(tools, console, as_json=arguments.json or arguments.format == "json")
        return 0
    sources = Sources()
    rows = _rows(functions, sources, arguments, console)
    rows = [row for row in rows if _is_wanted(row, arguments)]
    if arguments.write_baseline:
        file = arguments.baseline or "milo-schema-baseline.json"
        write_baseline(file, rows)
        console.tell(f"wrote {count(len(rows), 'finding')} to {file}")
        return 0
    if arguments.baseline:
        targets = {found.target for found in functions.values()}
        rows = unlisted(arguments.baseline, rows, targets, console)
    for name in ("json", "statistics"):
        if getattr(arguments, name):
            arguments.format = name
    CHECK_FORMATS[arguments.format](Report(rows, functions, sources), console)
    return FOUND if rows else 0


def _rows(
    functions: dict[str, Found],
    sources: Sources,
    arguments: argparse.Namespace,
    console: Console,
) -> list[Row]:
    """The findings, without those that comments ignore."""
    options = _options(arguments, console)
    made = _made(functions, lambda found: _findings(found, options), console)
    ignores = Ignores(arguments.per_file_ignores, sources, console)
    rows = [
        row_of(name, functions[name], finding)
        for name, findings in made.items()
        if findings
        for unwanted in [ignores.codes(functions[name])]
        for finding in findings
        if finding.code not in unwanted
    ]
    if arguments.together:
        tools = _tools(functions, arguments, console).values()
        rows += [row_of("", None, each) for each in check_set(tools, profile=options["profile"])]
    return rows


def _tools(
    functions: dict[str, Found], arguments: argparse.Namespace, console: Console
) -> dict[str, ToolSchema]:
    """The tool definitions; there is a finding for each function without one."""
    options = _options(arguments, console)
    made = _made(functions, lambda found: _tool_or_none(found, options), console)
    return {name: tool for name, tool in made.items() if tool is not None}


def _options(arguments: argparse.Namespace, console: Console) -> Any:
    profile = _profile(arguments.profile, arguments, console)
    return {"profile": profile, "localns": _names(arguments)}


def _is_wanted(row: Row, arguments: argparse.Namespace) -> bool:
    is_selected = not arguments.select or row.code in arguments.select
    return is_selected and row.code not in arguments.ignore


def _findings(found: Found, options: Any) -> list[Finding]:
    if isinstance(found.func, SchemaError):
        return [Finding(found.name, "no-schema", found.func.reason)]
    if isinstance(found.func, ToolSchema):
        return check_tool(found.func, profile=options["profile"])
    return check_function(found.func, **options)


def _tool_or_none(found: Found, options: Any) -> ToolSchema | None:
    try:
        return _tool(found, **options)
    except SchemaError:
        return None


def explain(arguments: argparse.Namespace, console: Console) -> int:
    """Print the meaning of codes, why they matter, and an example of each."""
    for code in arguments.targets:
        if code not in EXAMPLES:
            raise CommandError(f"unknown code {code}{nearest(code, EXAMPLES)}")
    console.write("\n".join(map(explained, arguments.targets)).rstrip())
    return 0


# -- snapshot and diff -------------------------------------------------------------------------


def snapshot(arguments: argparse.Namespace, console: Console) -> int:
    """Write the schemas of the targets to a file."""
    taken = _taken(arguments.profile, arguments, console)
    if arguments.file == "-":
        console.write_json(content_of(taken))
    else:
        write(arguments.file, taken)
    return 0


def diff(arguments: argparse.Namespace, console: Console) -> int:
    """Print the changes since a snapshot was written."""
    old = _old(arguments, console)
    new = reread(_taken(old.profile, arguments, console))
    found = changes(old, new)
    DIFF_FORMATS["json" if arguments.json else arguments.format](found, console)
    failing = FAIL_ON[arguments.fail_on]
    return FOUND if any(change.effect in failing for change in found) else 0


def _old(arguments: argparse.Namespace, console: Console) -> Snapshot:
    """The version that callers know: a snapshot, an answer to ``tools/list``, or a revision."""
    if arguments.against:
        return taken_at(arguments, console)
    content = read_json(arguments.file)
    tools = tools_in(content)
    if tools is None:
        return read(arguments.file, content)
    definitions = {tool.name: entry(tool) for tool in map(ToolSchema.from_mcp, tools)}
    return Snapshot(arguments.profile, definitions)


def _taken(profile: str, arguments: argparse.Namespace, console: Console) -> Snapshot:
    warned: list[SchemaWarning] = []
    functions = _functions(arguments, console)
    options: Any = {"profile": _profile(profile, arguments, console).replace(inline=False)}
    options |= {"name": "function", "localns": _names(arguments)}  # APIs never see the name
    made = _made(functions, lambda found: entry(_tool(found, **options)), console, warned)
    if places := len(dict.fromkeys(map(str, warned))):
        console.tell(
            f"{count(places, 'place')} without an exact schema; run milo-schema check for details"
        )
    return Snapshot(profile, made)


# -- for all commands --------------------------------------------------------------------------


def _tool(found: Found, **options: Any) -> ToolSchema:
    if isinstance(found.func, SchemaError):
        raise found.func
    return found.func if isinstance(found.func, ToolSchema) else tool_schema(found.func, **options)


def _profile(name: str, arguments: argparse.Namespace, console: Console) -> Profile:
    """A built-in profile, or one that the user defines: ``package.module:NAME``."""
    own = ":" in name
    profile = look_up(name, console) if own else getattr(profiles, name.upper(), None)
    if not isinstance(profile, Profile):
        hint = nearest(name.upper(), PROFILES) or "; write module:NAME for your own"
        raise CommandError(f"{name} is not a profile{hint}")
    names = {*profile.injected_names, *arguments.exclude_parameter}
    return profile.replace(injected_names=names) if arguments.exclude_parameter else profile


def _names(arguments: argparse.Namespace) -> Mapping[str, Any] | None:
    """The names that annotations use, but their modules do not have at run time."""
    return None if arguments.no_type_checking_imports else type_checking_imports()


def _functions(
    arguments: argparse.Namespace, console: Console, *, members: bool = True
) -> dict[str, Found]:
    """The functions of the targets, each once; two with the same name get that of their module."""
    found: dict[int, Found] = {}
    for target in arguments.targets:
        for each in find(target, console, exclude=arguments.exclude, members=members):
            found.setdefault(id(each.func), each)
    for server in arguments.server:
        found.update({id(each.func): each for each in find_on_server(server, console)})
    if not found:
        console.has_nothing = True
        if not console.has_missed:
            console.tell(f"found no tools in {', '.join(arguments.targets + arguments.server)}")
    for problem in misspelled(arguments.exclude_parameter, found.values()):
        console.tell(problem)
    counts = collections.Counter(each.name for each in found.values())
    named: dict[str, Found] = {}
    for each in found.values():
        name = each.name if counts[each.name] == 1 else f"{each.module}:{each.name}"
        counts[each.target] += 1  # a server may list two tools of one name
        named[f"{name} ({counts[each.target]})" if name in named else name] = each
    return named


def _made(
    functions: dict[str, Found],
    make: Callable[[Found], Any],
    console: Console,
    warned: list[SchemaWarning] | None = None,
) -> Json:
    """The result for each function; one that fails is reported and left out."""
    made: Json = {}
    pydantic = library("pydantic")
    asked_once = pydantic.answers.remembering() if pydantic else contextlib.nullcontext()
    with Silence(), warnings.catch_warnings(record=True) as caught, asked_once:
        warnings.simplefilter("always", SchemaWarning)  # regardless of -W
        for name, found in functions.items():
            console.progress(f"{len(made)} of {len(functions)}: {name}")
            try:
                made[name] = make(found)
            except SchemaError as problem:
                outer = name.rpartition(found.own_name)[0]  # ``run(x)`` is in ``api.run``
                (console.fail if found.is_named else console.tell)(f"{outer}{problem}")
            except KeyboardInterrupt:
                raise
            except BaseException as problem:  # noqa: BLE001 - of a hook or annotation of theirs
                console.fail(f"{name}: {type(problem).__name__}: {one_line(problem)}")
    if warned is not None:
        messages = (each.message for each in caught)
        warned += [each for each in messages if isinstance(each, SchemaWarning)]
    return made
