"""Ask other libraries what we ask ourselves, and write the tables of numbers in README.md.

``tox -e bench-public`` installs all of them, and runs ``python -m tests.tools.public``. With the
name of a library, that lists the rows that this library misses.
"""

import importlib.metadata
import inspect
import json
import re
import sys
import types
import typing
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import jsonschema_rs

from milo_schema import function_to_schema, profiles
from tests.tools.benchmarks import adapters
from tests.tools.public import differs
from tests.tools.public.cases import FILE, ROOT, Json

README = ROOT / "README.md"
ROWS = json.loads(FILE.read_text("utf-8"))
Library = Callable[[Any], Any]
"""Returns the schema of the arguments of a function."""


def ours(func: Any) -> Any:
    return function_to_schema(func, profile=profiles.MCP)


def of_msgspec(func: Any) -> Any:
    """It has schemas of types only: each is put where its parameter would be."""
    import msgspec

    hints = typing.get_type_hints(func, include_extras=True)
    names = [*inspect.signature(func).parameters]
    schemas, found = msgspec.json.schema_components(
        [hints[name] for name in names], ref_template="#/$defs/{name}"
    )
    properties = dict(zip(names, schemas, strict=True))
    return {"type": "object", "properties": properties, "required": names, "$defs": found}


def of_toolschema(func: Any) -> Any:
    import toolschema

    return toolschema.schema(func).parameters


LIBRARIES: dict[str, Callable[[], Library]] = {
    "milo-schema": lambda: ours,
    "pydantic": adapters.pydantic,
    "fastmcp": adapters.fastmcp,
    "mcp": adapters.mcp,
    "openai-agents": adapters.openai_agents,
    "msgspec": lambda: of_msgspec,
    "toolschema": lambda: of_toolschema,
}
"""Functions that import a library, by name."""


class Verdict(NamedTuple):
    """A row, how many of its values or texts a library has right, and how many there are."""

    row: Json
    right: int
    of: int

    @property
    def whole(self) -> bool:
        """Whether all are right."""
        return self.right == self.of


def tool_of(row: Json) -> Any:
    """The function of a row, in a module of its own."""
    module = types.ModuleType("public_case")
    sys.modules[module.__name__] = module
    source = f"{row['setup']}\ndef tool(value: {row['annotation']}) -> None: ...\n"
    exec(compile(source, "public_case.py", "exec", dont_inherit=True), vars(module))
    return module.tool


def asked(library: Library, func: Any) -> Any:
    """The schema of a function; one that no validator takes if the library raises an exception."""
    try:
        return library(func)
    except Exception:  # of any kind
        return None


def accepts(schema: Any, value: Any) -> bool | None:
    """Whether a schema accepts a value; ``None`` if it is not one."""
    try:
        judge = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
        return judge.is_valid({"value": value})
    except Exception:  # a dangling reference, an invalid pattern
        return None


def about_types(library: Library) -> Iterator[Verdict]:
    """The verdicts about the types that this Python can express."""
    for row in ROWS["types"]:
        if tuple(map(int, row["python"].split("."))) > sys.version_info[:2]:
            continue
        values = [*((each, True) for each in row["accepts"])]
        values += [(each, False) for each in row["rejects"]]
        schema = asked(library, tool_of(row))
        right = sum(accepts(schema, each) is valid for each, valid in values)
        yield Verdict(row, right, len(values))


def about_docstrings(library: Library) -> Iterator[Verdict]:
    """The verdicts about the docstrings."""
    for row in ROWS["docstrings"]:
        namespace: Json = {}
        exec(f"def tool({', '.join(f'{each}: str' for each in row['params'])}): ...", namespace)
        namespace["tool"].__doc__ = row["docstring"]
        properties = (asked(library, namespace["tool"]) or {}).get("properties", {})
        said = {name: each.get("description", "") for name, each in properties.items()}
        texts = row["params"].items()
        right = all(said.get(name, "").split() == text.split() for name, text in texts)
        yield Verdict(row, int(right), 1)


def cells(name: str) -> list[str]:
    """The cells of a library: types, constraints, values and docstrings."""
    texts = [*about_docstrings(LIBRARIES[name]())]
    found: dict[bool, list[Verdict]] = {False: [], True: []}  # with constraints?
    for each in about_types(LIBRARIES[name]()):
        found["annotated_types" in each.row["setup"]].append(each)
    types, constraints, described = (
        f"{sum(each.whole for each in part)} of {len(part)}" for part in (*found.values(), texts)
    )
    every = [*found[False], *found[True]]
    values = f"{sum(each.right for each in every)} of {sum(each.of for each in every)}"
    return [types, constraints, values, described]


def row_of(name: str, found: list[str]) -> str:
    version = "" if name == "milo-schema" else f"=={importlib.metadata.version(name)}"
    return f"| {' | '.join([f'`{name}{version}`', *found])} |\n"


def write(heading: str, rows: list[str]) -> None:
    """Put rows below the heading of a table of the README."""
    table = re.compile(rf"(^\| {heading} \|.*\n\| .*\n)(?:\|.*\n)+", re.MULTILINE)
    text, count = table.subn(lambda found: found[1] + "".join(rows), README.read_text("utf-8"))
    assert count == 1
    README.write_text(text, "utf-8")


def main(*names: str) -> None:
    """Write the tables, or list the rows that libraries miss."""
    warnings.simplefilter("ignore")
    for name in names:
        for each in (*about_types(LIBRARIES[name]()), *about_docstrings(LIBRARIES[name]())):
            if not each.whole:
                print(f"{each.row['name']}: {each.right} of {each.of}")
    if not names:
        write("Program", [row_of(each, differs.cells(each)) for each in differs.DIFFERS])
        write("Library", [row_of(each, cells(each)) for each in LIBRARIES])


if __name__ == "__main__":
    main(*sys.argv[1:])
