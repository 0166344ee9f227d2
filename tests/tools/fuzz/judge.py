"""The rules for every derivation, whatever its object."""

import json
import re
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema_rs

import milo_schema
from milo_schema import (
    Profile,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    parse_docstring,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from tests.tools.fuzz.generator import Below, Case

PROFILES = [
    *(each for each in vars(profiles).values() if isinstance(each, Profile)),
    profiles.MCP.replace(name="shared", inline=False),
    profiles.MILO.replace(
        name="told", types={complex: {"type": "string"}, list: lambda _tp, _walk: {}}
    ),
]
PACKAGE = str(Path(milo_schema.__file__).parent)
_ADDRESS = re.compile(r"(id=')?(0x)?[0-9a-f]{6,}(\.\.\.)?")
OF_OTHERS = {"FutureWarning", "SyntaxWarning", "DeprecationWarning", "PydanticDeprecatedSince211"}
"""Warnings of Python about a pattern, or about an escape in an annotation string; and those of
pydantic about a model among metadata."""
LONGEST = 2_000
"""Characters of a message."""


class Derivation(NamedTuple):
    """An object to derive, repeatedly, and its name."""

    name: str
    make: Callable[[], Any]
    is_docstring: bool = False


def derivations(case: Case, below: Below, *, rounds: int = 2) -> Iterator[Derivation]:
    """The derivations of a case: all objects, under some profiles, strict or not."""
    func: Any = case.func
    if isinstance(case.doc, str):
        yield Derivation("parse_docstring", lambda: parse_docstring(case.doc), is_docstring=True)
    for _ in range(rounds):
        profile, strict = PROFILES[below(len(PROFILES))], bool(below(2))
        how: dict[str, Any] = {"profile": profile, "strict": strict}
        exclude = ((), ("a",), (int, "b"))[below(3)]
        said = f"profile={profile.name}, strict={strict}"

        yield Derivation(
            f"function_to_schema({said}, {exclude=})",
            lambda how=how, exclude=exclude: function_to_schema(func, exclude=exclude, **how),
        )
        yield Derivation(f"return_to_schema({said})", lambda how=how: return_to_schema(func, **how))
        yield Derivation(
            f"type_to_schema({said})",
            lambda how=how: type_to_schema(case.annotation, localns=case.names, **how),
        )
        yield Derivation(
            f"tool_schema({said})", lambda how=how: tool_schema(func, name="x", **how).to_mcp()
        )


class Judged(NamedTuple):
    """The result of a derivation."""

    kind: str
    seconds: float
    faults: list[str]


def judged(derivation: Derivation, *, again: bool = True) -> Judged:
    """Derive it, and again, and report failures."""
    begin = time.thread_time()
    try:
        kind, text, warned = attempt(derivation)
        seconds = time.thread_time() - begin
        second = attempt(derivation) if again else (kind, text, warned)
        # Python caches evaluated objects and compares them, so metadata may raise in between.
        is_same = second == (kind, text, warned) or second == attempt(derivation)
    except BaseException as error:  # the one thing that must not be
        if isinstance(error, KeyboardInterrupt):
            raise
        return Judged("wrong", time.thread_time() - begin, [place_of(error)])
    return Judged(kind, seconds, [] if is_same else ["the second time it is another"])


def place_of(error: BaseException) -> str:
    """The exception, and the last line of the library in its traceback."""
    if isinstance(error, AssertionError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(PACKAGE)]
    where = f"{Path(ours[-1].filename).name}: {ours[-1].line}" if ours else "the judge"
    return f"{type(error).__name__} in {where}"


def attempt(derivation: Derivation) -> tuple[str, str, list[str]]:
    """The kind; the JSON of the schema, or the error; and the warnings."""
    result, refused = None, None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = derivation.make()
        except SchemaError as error:
            refused = error
    ours = [each for each in caught if each.category is SchemaWarning]
    others = {each.category.__name__ for each in caught} - {"SchemaWarning", *OF_OTHERS}
    assert not others, f"a warning of another kind: {others}"
    warned = [sentence_of(each.message) for each in ours]
    if refused:
        return "errors", sentence_of(refused), warned
    if derivation.is_docstring:
        return "docstrings", text_of_docstring(result), warned
    return "schemas", text_of(result), warned


def sentence_of(fact: Any) -> str:
    """The message of an error or warning, without addresses: with its path, and not too long."""
    is_call = "a function" in fact.message  # the object is not a function, and has no path
    assert fact.path or is_call, "an error without a place"
    assert fact.message, "an error without a reason"
    assert len(str(fact)) <= LONGEST, f"an error of {len(str(fact)):,} characters"
    return _ADDRESS.sub("...", str(fact))


def text_of(result: Any) -> str:
    """The JSON of a schema or tool, in which all schemas are valid."""
    text = json.dumps(result, allow_nan=False)
    if result is not None:
        schemas = [result[key] for key in ("inputSchema", "outputSchema") if key in result]
        for schema in schemas if "name" in result and schemas else [result]:
            check(schema)
    return text


def check(schema: Any) -> None:
    """A schema is made of JSON's own types, valid, and refers to its own definitions alone."""
    assert is_json(schema), "it is not JSON"
    problem = "" if jsonschema_rs.meta.is_valid(schema) else "it is no valid schema"
    assert not problem, problem
    definitions = set(schema.get("$defs", ()))
    for reference in references(schema):
        assert reference.startswith("#/$defs/"), f"it refers to {reference[:99]!r}"
        assert reference.removeprefix("#/$defs/") in definitions, f"nothing is {reference[:99]!r}"


def is_json(value: Any) -> bool:
    """Whether a value is made of JSON's own types alone, not of their subclasses."""
    if type(value) is dict:
        return all(type(key) is str for key in value) and all(map(is_json, value.values()))
    if type(value) is list:
        return all(map(is_json, value))
    return value is None or type(value) in (bool, int, float, str)


DATA = {"default", "enum", "const", "examples"}
MAPS = {"properties", "patternProperties", "$defs", "dependentSchemas"}


def references(schema: Any) -> Iterator[str]:
    """All that a schema refers to."""
    if type(schema) is list:
        for each in schema:
            yield from references(each)
    if type(schema) is not dict:
        return
    for keyword, value in schema.items():
        if keyword in ("$ref", "$dynamicRef"):
            yield value
        elif keyword in MAPS and type(value) is dict:
            yield from references(list(value.values()))
        elif keyword not in DATA and not keyword.startswith("x-"):
            yield from references(value)


def text_of_docstring(parsed: Any) -> str:
    """All that was read in a docstring: text, and nothing but text."""
    return json.dumps(vars(parsed), default=str)
