"""``*args`` as an array and ``**kwargs`` as an object: their schemas, and how they are passed."""

import functools
import itertools
import typing
from typing import Annotated, Any, TypedDict, Unpack

import pytest
import typing_extensions as te

from milo_schema import Description, Ge, Injected, SchemaError, function_to_schema, profiles
from milo_schema.arguments import ArgumentsError, bind
from tests.fragments import BOOLEAN, INTEGER, STRING, map_of

PROPERTIES = profiles.MCP.replace(variadics="properties")


def takes(func: Any, **fields: Any) -> Any:
    schema = function_to_schema(func, strict=True, profile=PROPERTIES.replace(**fields))
    return schema["properties"], schema.get("required", []), schema["additionalProperties"]


# -- schemas -----------------------------------------------------------------------------------


class Options(TypedDict, total=False):
    deep: bool


P = typing.ParamSpec("P")


def typed(name: str, *ids: int, **tags: str): ...
def untyped(*ids, **tags): ...
def marked(*ids: Annotated[int, Ge(1)]): ...
def fixed(*pair: *tuple[int, str]): ...
def quoted(*ids: "int", **tags: "str"): ...
def of_keys(*ids: int, **options: Unpack[Options]): ...
def of_a_spec(*args: P.args, **kwargs: P.kwargs): ...
def injected(*contexts: Annotated[object, Injected], **tags: str): ...


def documented(*ids: int, **tags: Annotated[str, Description("A word.")]):
    """Find.

    Args:
        *ids: Which ones.
        **tags: What they are called.
    """


LIST = {"type": "array", "items": INTEGER}
MAP = {"type": "object", "additionalProperties": STRING}
WORD = {**STRING, "description": "A word."}


@pytest.mark.parametrize(
    ("func", "properties"),
    [
        (typed, {"name": STRING, "ids": LIST, "tags": MAP}),
        (untyped, {"ids": {"type": "array", "items": {}}, "tags": {"type": "object"}}),
        (of_a_spec, {"args": {"type": "array", "items": {}}, "kwargs": {"type": "object"}}),
        (quoted, {"ids": LIST, "tags": MAP}),
        (marked, {"ids": {"type": "array", "items": {**INTEGER, "minimum": 1}}}),
        (fixed, {"pair": {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2,
             "maxItems": 2}}),
        (of_keys, {"ids": LIST, "deep": BOOLEAN}),
        (injected, {"tags": MAP}),
        (documented, {"ids": {**LIST, "description": "Which ones."},
           "tags": map_of(WORD) | {"description": "What they are called."}}),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)  # fmt: skip
def test_variadic_parameters_are_properties(func, properties):
    required = ["name"] if "name" in properties else []
    assert takes(func) == (properties, required, False)


def test_a_variadic_parameter_can_be_left_out():
    properties = {"name": STRING, "tags": MAP}
    assert takes(typed, injected_names={"ids"}) == (properties, ["name"], False)
    schema = function_to_schema(typed, exclude=["ids"], strict=True, profile=PROPERTIES)
    assert schema["properties"] == properties


@pytest.mark.filterwarnings("ignore::milo_schema.SchemaWarning")
def test_a_variadic_parameter_of_an_unknown_type_accepts_anything():
    def unresolved(*ids: "Missing", **tags: "Missing"): ...  # type: ignore[name-defined]  # noqa: F821

    schema = function_to_schema(unresolved, profile=PROPERTIES)
    assert schema["properties"] == {
        "ids": {"type": "array", "items": {}},
        "tags": {"type": "object"},
    }
    with pytest.raises(SchemaError) as caught:
        takes(unresolved)
    assert caught.value.path == "unresolved(ids)"


# -- arguments ---------------------------------------------------------------------------------


def every(a: int, b: int = 2, /, c: int = 3, *more: int, d: int = 4, **rest: int) -> Any:
    return a, b, c, more, d, rest


GIVEN: dict[str, Any] = {"b": 20, "c": 30, "more": [7, 8], "d": 40, "rest": {"x": 9, "a": 1}}


@pytest.mark.parametrize("count", range(len(GIVEN) + 1))
def test_each_value_is_passed_to_its_parameter(count):
    """A name of a positional-only parameter may be a key of ``**rest``, as in Python."""
    for names in itertools.combinations(GIVEN, count):
        given = {"a": 10, **{name: GIVEN[name] for name in names}}
        bound = bind(every, given, profile=PROPERTIES)

        values = {"b": 2, "c": 3, "more": [], "d": 4, "rest": {}} | given
        values["more"] = tuple(values["more"])
        assert every(*bound.args, **bound.kwargs) == tuple(values[name] for name in ("a", *GIVEN))
        expected = {name: given[name] for name in ("a", *GIVEN) if name in given}
        if "more" in expected:
            expected["more"] = (7, 8)
        assert bound.arguments == expected
        assert list(bound.arguments) == list(expected)


def test_values_that_are_injected_come_before_those_of_args():
    def run(first: int, db: object, *ids: int) -> Any:
        return first, db, ids

    profile = PROPERTIES.with_injected(names={"db"})
    bound = bind(run, {"first": 1, "ids": [2]}, inject={"db": "DB"}, profile=profile)

    assert run(*bound.args, **bound.kwargs) == (1, "DB", (2,))


def test_arguments_of_a_partial_and_of_a_method():
    class Shop:
        def find(self, word: str, *ids: int) -> Any:
            return word, ids

    bound = bind(Shop().find, {"word": "a", "ids": [1]}, profile=PROPERTIES)
    assert Shop().find(*bound.args, **bound.kwargs) == ("a", (1,))
    part = functools.partial(every, 10)
    bound = bind(part, {"more": [7]}, profile=PROPERTIES)
    assert part(*bound.args, **bound.kwargs) == (10, 2, 3, (7,), 4, {})


def test_values_are_read_by_their_annotations():
    def run(*days: te.Annotated[int, Ge(1)], **tags: str): ...

    with pytest.raises(ArgumentsError) as caught:
        bind(run, {"days": [0], "tags": {"a": 1}, "more": 1}, profile=PROPERTIES)
    assert [(each.path, each.message) for each in caught.value.problems] == [
        (".days[0]", "must be at least 1, got 0"),
        (".tags.a", "expected a string, got 1"),
        (".more", 'unknown argument; allowed: "days", "tags"'),
    ]


def test_an_object_for_args_is_one_problem_whatever_its_keys_are():
    def run(a: int, *args: int): ...

    with pytest.raises(ArgumentsError) as caught:
        bind(run, {"a": 1, "args": {"a": 2}}, profile=profiles.MCP.replace(variadics="properties"))
    assert [each.path for each in caught.value.problems] == [".args"]


def test_an_object_for_kwargs_cannot_set_another_parameter():
    """Neither a parameter that callers can pass by name, nor one that the schema leaves out."""

    def run(name: str, ctx: object = None, **tags: str): ...

    profile = PROPERTIES.with_injected(names={"ctx"})
    assert bind(run, {"name": "a", "tags": {"b": "c"}}, profile=profile).kwargs == {
        "name": "a",
        "b": "c",
    }
    tags = {"name": "b", "ctx": "c", "other": 1}
    with pytest.raises(ArgumentsError) as caught:
        bind(run, {"name": "a", "tags": tags}, profile=profile)
    assert sorted((each.path, each.code, each.message) for each in caught.value.problems) == [
        (".tags.ctx", "unknown-name", "unknown argument"),
        (".tags.name", "unknown-name", "unknown argument"),
        (".tags.other", "wrong-type", "expected a string, got 1"),
    ]
    with pytest.raises(ArgumentsError) as caught:
        bind(run, {"name": "a", "tags": '{"ctx": "c"}'}, profile=profile, repair=True)
    assert str(caught.value) == "run(): .tags.ctx: unknown argument"
    with pytest.raises(ArgumentsError) as caught:
        bind(run, {"name": "a", "tags": []}, profile=profile)
    assert str(caught.value) == "run(): .tags: expected an object, got an array of 0 items"
