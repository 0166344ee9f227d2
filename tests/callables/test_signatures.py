"""Random signatures, read by us and by ``inspect.signature``, which is the judge."""

import functools
import inspect
import json
import typing
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from milo_schema import function_to_schema, profiles, return_to_schema, type_to_schema
from tests.modules import module_from


@dataclass
class Point:
    x: int
    y: int = 0


def wrapped(func):
    """A decorator in a module without the names in the annotations."""

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        return func(*args, **kwargs)

    return wrapper


NAMES = ("a", "b", "c", "d", "e", "f", "g", "h", "i")
ANNOTATIONS = (
    "",
    "int",
    "str",
    "list[int]",
    "int | None",
    "dict[str, Point]",
    "Literal['x', 1]",
    "Annotated[int, 'How many.']",
    "'bool'",
    "list['Point']",
)
VALUES = {"1": 1, "'x'": "x", "None": None, "(1, 2)": [1, 2], "{'a': 1.5}": {"a": 1.5}}
NO_JSON = ("object()", "float('inf')", "len")
IN_THE_MODULE: dict[str, Any] = {
    "Annotated": Annotated,
    "Literal": Literal,
    "Point": Point,
    "cache": functools.cache,
    "wrapped": wrapped,
}


# -- random source -----------------------------------------------------------------------------


@st.composite
def parameters(draw: st.DrawFn) -> str:
    """The parameter list of a function: all kinds, in any number."""
    names = iter(draw(st.permutations(NAMES)))
    annotation = st.sampled_from(ANNOTATIONS)
    default = st.sampled_from((*VALUES, *NO_JSON))

    def parameter(*, stars: str = "", is_optional: bool = False) -> str:
        said = f": {written}" if (written := draw(annotation)) else ""
        value = f" = {draw(default)}" if is_optional else ""
        return f"{stars}{next(names)}{said}{value}"

    positional = draw(st.integers(0, 4))
    only = draw(st.integers(0, positional))
    optional = draw(st.integers(0, positional))
    parts = [parameter(is_optional=index >= positional - optional) for index in range(positional)]
    if only:
        parts.insert(only, "/")
    keywords = draw(st.lists(st.booleans(), max_size=2))
    if draw(st.booleans()):
        parts.append(parameter(stars="*"))
    elif keywords:
        parts.append("*")
    parts += [parameter(is_optional=is_optional) for is_optional in keywords]
    if draw(st.booleans()):
        parts.append(parameter(stars="**"))
    return ", ".join(parts)


KINDS = {
    "function": ("def made({}): ...", "", 0),
    "lambda-like": ("def made({}): ...\nmade.__name__ = '<lambda>'", "", 0),
    "bound": ("class Kind:\n    def run({}): ...\nmade = Kind().run", "self", 0),
    "unbound": ("class Kind:\n    def run({}): ...\nmade = Kind.run", "self", 1),
    "class": ("class Kind:\n    @classmethod\n    def run({}): ...\nmade = Kind.run", "cls", 0),
    "static": ("class Kind:\n    @staticmethod\n    def run({}): ...\nmade = Kind.run", "", 0),
    "object": ("class Kind:\n    def __call__({}): ...\nmade = Kind()", "self", 0),
    "init": ("class Kind:\n    def __init__({}): ...\nmade = Kind", "self", 0),
    "new": ("class Kind:\n    def __new__({}): ...\nmade = Kind", "cls", 0),
    "derived": ("class Base:\n    def __init__({}): ...\nclass Kind(Base): ...\nmade = Kind",
          "self", 0),
    "wrapped": ("@wrapped\ndef made({}): ...", "", 0),
    "wrapped twice": ("@wrapped\n@wrapped\ndef made({}): ...", "", 0),
    "decorated": ("class Kind:\n    @wrapped\n    def run({}): ...\nmade = Kind().run", "self", 0),
    "cached": ("@cache\ndef made({}): ...", "", 0),
    "async": ("async def made({}): ...", "", 0),
}  # fmt: skip
"""Source with a placeholder for the parameters, the first ones, and the number of implicit ones."""


@st.composite
def callables(draw: st.DrawFn) -> tuple[Any, int]:
    """A callable, and how many of the parameters that ``inspect`` finds are implicit."""
    template, first, left_out = KINDS[draw(st.sampled_from(list(KINDS)))]
    inside = ", ".join(filter(None, (first, draw(parameters()))))
    source = template.format(inside)
    module = module_from(
        source, future=draw(st.booleans()), name="random_signatures", **IN_THE_MODULE
    )
    return module.made, left_out


# -- the judge ---------------------------------------------------------------------------------


def judged(func: Any, left_out: int = 0) -> dict[str, Any]:
    """The exact schema, made from the result of ``inspect.signature``."""
    seen = inspect.signature(func).parameters.values()
    callers = list(seen)[left_out:]
    properties = {each.name: fragment(each) for each in callers if each.kind not in VARIADIC}
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required := [
        each.name
        for each in callers
        if each.kind not in VARIADIC and each.default is inspect.Parameter.empty
    ]:
        schema["required"] = required
    schema["additionalProperties"] = False
    for each in callers:
        if each.kind is inspect.Parameter.VAR_KEYWORD:
            del schema["additionalProperties"]
            if each.annotation is not inspect.Parameter.empty:
                schema["additionalProperties"] = fragment(each)
    return schema


VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def fragment(parameter: inspect.Parameter) -> dict[str, Any]:
    """The schema of one parameter: its type, and its default if that is JSON."""
    said: dict[str, Any] = {}
    if (annotation := parameter.annotation) is not inspect.Parameter.empty:
        while type(annotation) is str:
            annotation = eval(annotation, {**IN_THE_MODULE})
        said = type_to_schema(annotation, profile=profiles.MCP)
    default = parameter.default
    if default is inspect.Parameter.empty or default is len or type(default) is object:
        return said
    if default == float("inf"):
        return said
    return {**said, "default": json.loads(json.dumps(default))}


def same(func: Any, left_out: int = 0) -> None:
    schema = function_to_schema(func, profile=profiles.MCP)
    expected = judged(func, left_out)
    assert schema == expected
    assert list(schema["properties"]) == list(expected["properties"])
    assert json.dumps(schema, sort_keys=True) == json.dumps(expected, sort_keys=True)


# -- the facts ---------------------------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@given(callables())
@pytest.mark.slow
def test_a_random_callable_has_the_parameters_that_inspect_finds(made):
    same(*made)


@settings(max_examples=200, deadline=None)
@given(callables(), st.data())
@pytest.mark.slow
def test_a_random_partial_has_the_parameters_that_inspect_finds(made, data):
    func, left_out = made
    if left_out:
        func = functools.partial(func, object())
    for _ in range(data.draw(st.integers(1, 2), label="partials")):
        func = functools.partial(func, *data.draw(arguments(func), label="arguments"))
        func = functools.partial(func, **data.draw(keywords(func), label="keywords"))
    same(func)


def arguments(func: Any) -> st.SearchStrategy[list[Any]]:
    """Values for some of the positional parameters."""
    positional = [
        each
        for each in inspect.signature(func).parameters.values()
        if each.kind <= inspect.Parameter.POSITIONAL_OR_KEYWORD
    ]
    return st.lists(st.sampled_from([1, "x", None]), max_size=len(positional))


def keywords(func: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Values for some of the parameters that can be passed by name."""
    by_name = [
        each.name
        for each in inspect.signature(func).parameters.values()
        if each.kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    ]
    values = st.sampled_from([1, "x", None, [1, 2]])
    return st.dictionaries(st.sampled_from(by_name), values) if by_name else st.just({})


@settings(max_examples=100, deadline=None)
@given(parameters())
def test_a_random_call_that_satisfies_the_schema_succeeds(text):
    """A call with exactly the required parameters binds."""
    func = module_from(f"def made({text}): ...", name="random_signatures", **IN_THE_MODULE).made
    schema = function_to_schema(func, profile=profiles.MCP)
    seen = inspect.signature(func)
    given_: dict[str, Any] = dict.fromkeys(schema.get("required", []), 1)
    args = [
        given_.pop(name)
        for name, each in seen.parameters.items()
        if each.kind is inspect.Parameter.POSITIONAL_ONLY and name in given_
    ]
    seen.bind(*args, **given_)
    for name in given_:
        rest = {key: value for key, value in given_.items() if key != name}
        with pytest.raises(TypeError, match=f"missing a required .*'{name}'"):
            seen.bind(*args, **rest)


@settings(max_examples=100, deadline=None)
@given(parameters(), st.sets(st.sampled_from(NAMES)))
def test_excluding_names_removes_nothing_else(text, names):
    func = module_from(f"def made({text}): ...", name="random_signatures", **IN_THE_MODULE).made
    whole = function_to_schema(func, profile=profiles.MCP)
    schema = function_to_schema(func, profile=profiles.MCP, exclude=names)
    kept = {name: each for name, each in whole["properties"].items() if name not in names}
    assert schema["properties"] == kept
    assert schema.get("required", []) == [
        name for name in whole.get("required", []) if name not in names
    ]


def test_evaluated_annotation_overrides_string_in_declared_signature():
    """A framework's adapter, in a module that does not know the names of the tool's."""
    tool = module_from("def tool(p: 'list[Pay]', q: 'int') -> 'Pay': ...", Pay=Point)
    source = """
        def adapter(call, hints, signature):
            def run(*args, **kwargs): ...
            run.__signature__, run.__annotations__ = signature, hints
            return run
    """
    hints = {**typing.get_type_hints(tool.tool), "q": "str"}
    run = module_from(source).adapter(tool.tool, hints, inspect.signature(tool.tool))
    pay = type_to_schema(Point)
    expected = {"p": {"type": "array", "items": pay}, "q": {"type": "integer"}}
    for func in (run, functools.partial(run), functools.wraps(run)(lambda *_: None)):
        assert function_to_schema(func, strict=True)["properties"] == expected
        assert return_to_schema(func, strict=True) == pay
