"""What the live page asks Python: the source of a function in, its schema and remarks out."""

import ast
import json
import sys
import traceback
import types
import warnings
from collections.abc import Callable
from typing import Any

from milo_schema import (
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
)

VIEWS: dict[str, Callable[..., Any]] = {
    "Input schema": function_to_schema,
    "Output schema": return_to_schema,
    "Tool definition": lambda func, **options: tool_schema(func, **options).to_mcp(),
}
PROFILES = {name: getattr(profiles, name) for name in profiles.__all__ if name.isupper()}
FILE = "<your code>"


def choices() -> str:
    """What may be chosen, as JSON; of each the first is what is chosen at first."""
    others = [name for name in PROFILES if name != "MILO"]
    return json.dumps({"view": list(VIEWS), "profile": ["MILO", *others]})


def describe(source: str, view: str, profile: str, *, strict: bool) -> str:
    """Describe the last function of *source*, as JSON ``{"schema": ..., "remarks": [...]}``.

    The schema is text, null if there is none to show. A remark is ``{"kind": ..., "text": ...}``,
    its kind is error, warning or note.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        schema, remarks = None, []
        try:
            func = last_function(source)
            found = VIEWS[view](func, strict=strict, profile=PROFILES[profile])
            schema = json.dumps(found, indent=2, ensure_ascii=False)
            if found is None:
                remarks.append(("note", "There is no output schema: no result is promised."))
        except SchemaError as error:
            remarks.append(("error", str(error)))
        except BaseException as error:  # noqa: BLE001 - the visitor's code, which may raise anything
            remarks.append(("error", sentence(error)))
    remarks += [("warning", spelled(each.message)) for each in caught]
    said = [{"kind": kind, "text": text} for kind, text in remarks]
    return json.dumps({"schema": schema, "remarks": said})


def last_function(source: str) -> Any:
    """Run *source* as a module of its own; the last function that it defines at the top."""
    tree = ast.parse(source, FILE)
    names = [n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    if not names:
        raise SchemaError("there is no function; write one, such as def greet(name: str): ...")
    module = types.ModuleType("your_code")
    sys.modules["your_code"] = module  # where annotations look for their names
    exec(compile(tree, FILE, "exec"), vars(module))  # noqa: S102 - what the page is for
    return vars(module)[names[-1]]


def sentence(error: BaseException) -> str:
    """What was raised, and in which line of the visitor's code."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {error.msg}"
    text = spelled(error)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == FILE:
            return f"line {frame.lineno}: {text}"
    return text


def spelled(problem: BaseException | str) -> str:
    """An exception or a warning in one line."""
    if isinstance(problem, SchemaWarning):
        return str(problem)
    first, *_ = str(problem).splitlines() or [""]
    return f"{type(problem).__name__}: {first}".removesuffix(": ")
