"""The Python side of the live page: source code in, everything that the page shows out."""

import ast
import json
import sys
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from milo_schema import (
    SchemaError,
    SchemaWarning,
    function_to_schema,
    hidden_parameters,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, bind, json_to_value
from milo_schema.checks import check

PROFILES = {name: getattr(profiles, name) for name in profiles.__all__ if name.isupper()}
FILE = "<your code>"
NOTHING = "nothing to describe; write a function, such as def greet(name: str): ..."
NO_FUNCTION = "this is a type; write a function that takes it to see a tool"


class NothingToShowError(Exception):
    """The reason why a view is empty, where nothing is wrong."""


class Subject(NamedTuple):
    """The function or type that is described, its name, and how to describe it."""

    value: Any
    name: str
    is_function: bool
    options: dict[str, Any]

    @property
    def profile(self) -> str:
        """The profile, as the user's code passes it."""
        return f"profile=profiles.{self.options['profile'].name}"

    def call(self, function: str) -> str:
        """Return the line of code that gives the user the same."""
        strict = ", strict=True" if self.options["strict"] else ""
        return f"{function}({self.name}, {self.profile}{strict})"


class FilledIn:
    """A stand-in for a value that the framework fills in."""

    def __repr__(self) -> str:
        return "<filled in by the framework>"


class Shown(NamedTuple):
    """The contents of a view: its text, and the line of code with the same result."""

    text: str
    call: str


def describe(source: str, profile: str, arguments: str, *, strict: bool) -> str:
    """Describe the last function or type of *source*, as JSON.

    The answer has, for each view, ``{"text": ..., "call": ..., "remarks": [...]}``. The text is
    null if there is nothing to show. A remark is ``{"kind": ..., "text": ...}``; its kind is
    error, warning or note.
    """
    with remarks() as problems:
        subject = last_subject(source, {"profile": PROFILES[profile], "strict": strict})
    if any(each["kind"] == "error" for each in problems):
        return json.dumps(dict.fromkeys(VIEWS, answer(None, problems)))
    return json.dumps({name: viewed(view, subject, arguments) for name, view in VIEWS.items()})


def viewed(view: Callable[..., Shown], subject: Subject, arguments: str) -> dict[str, Any]:
    """Return the contents of a view for a function or type."""
    shown = None
    with remarks() as problems:
        shown = view(subject, arguments) if view is call_view else view(subject)
    return answer(shown, problems)


def answer(shown: Shown | None, problems: list[dict[str, str]]) -> dict[str, Any]:
    """Return one view as the page reads it."""
    text, call = shown or (None, "")
    return {"text": text, "call": call, "remarks": problems}


@contextmanager
def remarks() -> Iterator[list[dict[str, str]]]:
    """Collect errors and warnings as remarks."""
    found: list[tuple[str, str]] = []
    told: list[dict[str, str]] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield told
        except NothingToShowError as note:
            found.append(("note", str(note)))
        except (SchemaError, ArgumentsError) as error:
            found.append(("error", str(error)))
        except BaseException as error:
            found.append(("error", sentence(error)))
    found += [("warning", spelled(each.message)) for each in caught]
    told += [{"kind": kind, "text": text} for kind, text in dict.fromkeys(found)]


# -- the views -----------------------------------------------------------------------------------


def schema_view(subject: Subject) -> Shown:
    """Show the schema of a function's arguments, or of a type."""
    derive = function_to_schema if subject.is_function else type_to_schema
    return Shown(as_json(derive(subject.value, **subject.options)), subject.call(derive.__name__))


def output_view(subject: Subject) -> Shown:
    """Show the output schema of a function."""
    if not subject.is_function:
        raise NothingToShowError(NO_FUNCTION)
    found = return_to_schema(subject.value, **subject.options)
    if found is None:
        is_annotated = "return" in getattr(subject.value, "__annotations__", {})
        why = "the profile writes none" if is_annotated else "no return annotation"
        raise NothingToShowError(f"no output schema: {why}")
    return Shown(as_json(found), subject.call("return_to_schema"))


def tool_view(form: str, **options: Any) -> Callable[[Subject], Shown]:
    """Return a view of a tool definition in the form of one provider."""

    def view(subject: Subject) -> Shown:
        if not subject.is_function:
            raise NothingToShowError(NO_FUNCTION)
        tool = tool_schema(subject.value, **subject.options)
        passed = ", ".join(f'{name}="{value}"' for name, value in options.items())
        text = as_json(getattr(tool, form)(**options))
        return Shown(text, f"{subject.call('tool_schema')}.{form}({passed})")

    return view


def check_view(subject: Subject) -> Shown:
    """Show the findings of ``milo-schema check`` about a function."""
    if not subject.is_function:
        raise NothingToShowError(NO_FUNCTION)
    found = check(subject.value, profile=subject.options["profile"])
    width = max((len(each.code) for each in found), default=0)
    lines = [f"{each.code:{width}}  {each.path}: {each.message}" for each in found]
    return Shown(
        "\n".join(lines) or "no findings",
        f"milo-schema check your_code.py --profile {subject.options['profile'].name.lower()}",
    )


def call_view(subject: Subject, arguments: str) -> Shown:
    """Show the values that a function gets for the arguments of a call, or the value of a type."""
    try:
        given = json.loads(arguments)
    except ValueError as error:
        raise NothingToShowError(f"type the arguments as JSON: {error}") from None
    profile = subject.options["profile"]
    if not subject.is_function:
        value = json_to_value(given, subject.value, profile=profile)
        return Shown(repr(value), f"json_to_value(json, {subject.name}, {subject.profile})")
    filled = filled_in(subject)
    bound = bind(subject.value, given, profile=profile, inject=filled)
    lines = [f"    {name}={value!r},\n" for name, value in bound.arguments.items()]
    text = f"{subject.name}(\n{''.join(lines)})" if lines else f"{subject.name}()"
    inject = f", inject={{{', '.join(f'{name!r}: ...' for name in filled)}}}" if filled else ""
    return Shown(text, f"bind({subject.name}, json, {subject.profile}{inject})")


def filled_in(subject: Subject) -> dict[str, Any]:
    """Return a stand-in for each parameter that the schema leaves out, by its name."""
    hidden = hidden_parameters(subject.value, profile=subject.options["profile"])
    return {each.name: FilledIn() for each in hidden}


def as_json(value: Any) -> str:
    """Return a schema as text."""
    return json.dumps(value, indent=2, ensure_ascii=False)


VIEWS: dict[str, Callable[..., Shown]] = {
    "Schema": schema_view,
    "Output": output_view,
    "MCP": tool_view("to_mcp"),
    "OpenAI": tool_view("to_openai"),
    "OpenAI Responses": tool_view("to_openai", api="responses"),
    "Anthropic": tool_view("to_anthropic"),
    "Gemini": tool_view("to_gemini"),
    "Bedrock": tool_view("to_bedrock"),
    "Check": check_view,
    "Arguments": call_view,
}


# -- the visitor's code --------------------------------------------------------------------------


def last_subject(source: str, options: dict[str, Any]) -> Subject:
    """Run *source* as a separate module; return the last function or type at its top level."""
    tree = ast.parse(source, FILE)
    nodes = [node for node in tree.body if is_subject(node)]
    if not nodes:
        raise SchemaError(NOTHING)
    module = types.ModuleType("your_code")
    sys.modules["your_code"] = module  # where annotations look for their names
    exec(compile(tree, FILE, "exec"), vars(module))  # noqa: S102 - what the page is for
    node = nodes[-1]
    name = ast.unparse(node) if isinstance(node, ast.Expr) else name_of(node)
    value = eval(name, vars(module))  # noqa: S307 - the same code
    is_def = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return Subject(value, name, is_def or isinstance(value, types.FunctionType), options)


def is_subject(node: ast.stmt) -> bool:
    """Return whether a statement is a function, a class, a type alias, or only an annotation."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Attribute | ast.BinOp | ast.Name | ast.Subscript)
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or is_alias(node)


def is_alias(node: ast.stmt) -> bool:
    """Return whether a statement is ``type X = ...``, which Python has from 3.12 on."""
    return type(node).__name__ == "TypeAlias"


def name_of(node: Any) -> str:
    """Return the name that a statement defines."""
    return str(node.name.id if is_alias(node) else node.name)


def sentence(error: BaseException) -> str:
    """Return the exception, and its line in the visitor's code."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {error.msg}"
    text = spelled(error)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == FILE:
            return f"line {frame.lineno}: {text}"
    return text


def spelled(problem: BaseException | str) -> str:
    """Return an exception or a warning in one line."""
    if isinstance(problem, SchemaWarning):
        return str(problem)
    first, *_ = str(problem).splitlines() or [""]
    return f"{type(problem).__name__}: {first}".removesuffix(": ")
