"""The overloads of a function, for profiles that write them as ``oneOf``."""

import functools
import itertools
from collections.abc import Callable
from typing import Annotated, Any, overload

import jsonschema
import pydantic
import pytest

from milo_schema import Injected, SchemaError, function_to_schema, profiles, tool_schema
from milo_schema.arguments import ArgumentsError, bind, binder
from milo_schema.calls import call_tool
from milo_schema.compare import compare
from milo_schema.testing import arguments

OVERLOADS = profiles.MCP.replace(name="OVERLOADS", overloads=True)


@overload
def find(*, number: int, full: bool = ...) -> str: ...
@overload
def find(*, name: str) -> str: ...
def find(*, number: int | None = None, name: str | None = None, full: bool = False) -> str:
    return f"{number} {name} {full}"


class Store:
    """A class whose methods have overloads."""

    @overload
    def get(self, number: int) -> str: ...
    @overload
    def get(self, *, name: str) -> str: ...
    def get(self, number: int = 0, name: str = "") -> str:
        return f"{number} {name}"

    @overload
    @classmethod
    def load(cls, number: int) -> str: ...
    @overload
    @classmethod
    def load(cls, *, name: str) -> str: ...
    @classmethod
    def load(cls, number: int = 0, name: str = "") -> str:
        return f"{number} {name}"

    @overload
    @staticmethod
    def make(number: int) -> str: ...
    @overload
    @staticmethod
    def make(*, name: str) -> str: ...
    @staticmethod
    def make(number: int = 0, name: str = "") -> str:
        return f"{number} {name}"


def decorate(func: Callable[..., Any]) -> Any:
    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    return wrapper


def branches(func: Any) -> Any:
    return function_to_schema(func, profile=OVERLOADS).get("oneOf")


ID_OR_NAME = [
    {"required": ["number"], "properties": {"name": False}},
    {"required": ["name"], "properties": {"number": False}},
]


# -- the schema ------------------------------------------------------------------------------------


def test_overloads_are_branches_that_refuse_the_parameters_of_the_others():
    assert function_to_schema(find, profile=OVERLOADS) == {
        "type": "object",
        "properties": {
            "number": {"type": "integer"},
            "name": {"type": "string"},
            "full": {"type": "boolean"},
        },
        "additionalProperties": False,
        "oneOf": [
            {"required": ["number"], "properties": {"name": False}},
            {"required": ["name"], "properties": {"number": False, "full": False}},
        ],
    }


@pytest.mark.parametrize(
    "profile",
    {
        each.name: each for each in vars(profiles).values() if isinstance(each, profiles.Profile)
    }.values(),
    ids=lambda each: each.name,
)
def test_no_built_in_profile_writes_them(profile):
    assert profile.overloads is False
    assert "oneOf" not in function_to_schema(find, profile=profile)


@pytest.mark.parametrize(
    "method",
    [Store().get, Store.get, Store.load, Store.make, decorate(Store().get)],
    ids=["bound", "function", "class", "static", "decorated"],
)
def test_methods_have_overloads(method):
    assert branches(method) == ID_OR_NAME


def test_a_default_that_every_overload_takes_is_written():
    @overload
    def f(*, number: int, limit: int | None = ...) -> None: ...
    @overload
    def f(*, name: str, limit: int | None = ...) -> None: ...
    def f(*, number: int = 0, name: str = "", limit: int | None = None) -> None: ...

    schema = function_to_schema(f, profile=OVERLOADS)

    assert schema["properties"]["limit"] == {
        "anyOf": [{"type": "integer"}, {"type": "null"}],
        "default": None,
    }
    assert schema["properties"]["number"] == {"type": "integer"}
    assert schema["oneOf"] == ID_OR_NAME


def test_what_is_always_required_is_not_repeated():
    @overload
    def f(where: str, *, number: int) -> None: ...
    @overload
    def f(where: str, *, name: str) -> None: ...
    def f(where: str, *, number: int = 0, name: str = "") -> None: ...

    assert function_to_schema(f, profile=OVERLOADS)["required"] == ["where"]
    assert branches(f) == ID_OR_NAME


def test_a_hidden_parameter_is_in_no_branch():
    @overload
    def f(user: Annotated[str, Injected], *, number: int) -> None: ...
    @overload
    def f(user: Annotated[str, Injected], *, name: str) -> None: ...
    def f(user: Annotated[str, Injected], *, number: int = 0, name: str = "") -> None: ...

    assert branches(f) == ID_OR_NAME
    assert bind(f, {"number": 1}, profile=OVERLOADS, inject={"user": "u"}).kwargs == {
        "user": "u",
        "number": 1,
    }


# Functions whose overloads say nothing, or contradict each other or the function.


@overload
def option(key: str) -> str | None: ...
@overload
def option(key: str, default: str) -> str: ...
def option(key: str, default: str | None = None) -> str | None: ...


@overload
def types(key: int) -> int: ...
@overload
def types(key: str) -> str: ...
def types(key: Any) -> Any: ...


@overload
def renamed(number: int) -> None: ...
@overload
def renamed(name: str) -> None: ...
def renamed(id_or_name: Any) -> None: ...


@overload
def variadic(*, number: int) -> None: ...
@overload
def variadic(*names: str) -> None: ...
def variadic(*names: str, number: int = 0) -> None: ...


@overload
def of_keywords(*, number: int) -> None: ...
@overload
def of_keywords(*, name: str) -> None: ...
def of_keywords(**kwargs: Any) -> None: ...


@overload
def overlapping(*, number: int, name: str = ...) -> None: ...
@overload
def overlapping(*, name: str, number: int = ...) -> None: ...
def overlapping(*, number: int = 0, name: str = "") -> None: ...


@overload
def alone(*, number: int) -> None: ...
def alone(*, number: int = 0, name: str = "") -> None: ...


@overload
def half_renamed(*, number: int) -> None: ...
@overload
def half_renamed(*, name: str, full: bool) -> None: ...
def half_renamed(*, number: int = 0, full: bool = False) -> None: ...


@overload
def open_names(*, number: int, **more: int) -> None: ...
@overload
def open_names(*, name: str) -> None: ...
def open_names(*, number: int = 0, name: str = "") -> None: ...


SILENT: dict[str, Any] = {
    **{each.__name__: each for each in (option, types, renamed, variadic, of_keywords)},
    **{each.__name__: each for each in (overlapping, alone, half_renamed, open_names)},
    "partial": functools.partial(find, number=1),
    "class": Store,
}


@pytest.mark.parametrize("name", SILENT)
def test_overloads_that_say_nothing_are_not_written(name):
    assert branches(SILENT[name]) is None


def test_a_narrower_overload_is_part_of_a_wider_one():
    @overload
    def f(*, number: int) -> None: ...
    @overload
    def f(*, number: int, full: bool = ...) -> None: ...
    @overload
    def f(*, name: str) -> None: ...
    def f(*, number: int = 0, name: str = "", full: bool = False) -> None: ...

    assert branches(f) == [
        {"required": ["number"], "properties": {"name": False}},
        {"required": ["name"], "properties": {"number": False, "full": False}},
    ]


def test_an_option_of_an_option_is_a_branch():
    @overload
    def f(key: str) -> None: ...
    @overload
    def f(key: str, a: str) -> None: ...
    @overload
    def f(key: str, a: str, b: str) -> None: ...
    def f(key: str, a: str = "", b: str = "") -> None: ...

    assert branches(f) == [{"properties": {"b": False}}, {"required": ["a", "b"]}]


def test_two_options_that_go_together_are_a_branch():
    @overload
    def f(key: str) -> None: ...
    @overload
    def f(key: str, a: str, b: str) -> None: ...
    @overload
    def f(key: str, a: str, b: int) -> None: ...
    def f(key: str, a: str = "", b: str | int = "") -> None: ...

    assert branches(f) == [{"required": ["a", "b"]}, {"properties": {"a": False, "b": False}}]


def test_a_parameter_is_passed_by_its_alias():
    key = pydantic.Field(alias="the-number")

    @overload
    def f(*, number: Annotated[int, key]) -> None: ...
    @overload
    def f(*, name: str) -> None: ...
    def f(*, number: Annotated[int, key] = 0, name: str = "") -> None: ...

    assert branches(f)[0] == {"required": ["the-number"], "properties": {"name": False}}
    assert bind(f, {"the-number": 1}, profile=OVERLOADS).kwargs == {"number": 1}


# -- calls -----------------------------------------------------------------------------------------


NAMES = {"number": 1, "name": "a", "full": True}
CALLS = [
    {name: NAMES[name] for name in names}
    for count in range(4)
    for names in itertools.combinations(NAMES, count)
]


@pytest.mark.parametrize("given", CALLS, ids=lambda given: " ".join(given) or "nothing")
def test_a_call_takes_what_the_schema_accepts(given):
    schema = function_to_schema(find, profile=OVERLOADS)

    assert binder(find, profile=OVERLOADS).accepts(given) == (
        jsonschema.Draft202012Validator(schema).is_valid(given)
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "find(): pass number, or name"),
        ({"full": True}, "find(): pass number, or name"),
        ({"number": 1, "name": "a"}, "find(): .name: cannot be passed together with number"),
        ({"name": "a", "full": True}, "find(): .full: cannot be passed together with name"),
        ({"number": "x"}, 'find(): .number: expected an integer, got "x"'),
        ({"number": None}, "find(): .number: expected an integer, got null"),
    ],
)
def test_a_refusal_names_what_does_not_go_together(given, said):
    with pytest.raises(ArgumentsError) as raised:
        bind(find, given, profile=OVERLOADS)

    assert str(raised.value) == said


def test_the_codes_are_those_of_missing_and_unknown_arguments():
    found = []
    for given in ({}, {"number": 1, "name": "a"}):
        with pytest.raises(ArgumentsError) as raised:
            bind(find, given, profile=OVERLOADS)
        found += [each.code for each in raised.value.problems]

    assert found == ["missing", "unknown-name"]


def test_several_required_names_are_told_together():
    @overload
    def f(*, city: str, street: str) -> None: ...
    @overload
    def f(*, number: int) -> None: ...
    def f(*, city: str = "", street: str = "", number: int = 0) -> None: ...

    with pytest.raises(ArgumentsError, match=r"^f\(\): pass city and street, or number$"):
        bind(f, {"city": "x"}, profile=OVERLOADS)


def test_an_injected_argument_is_in_no_overload():
    bound = binder(find, profile=OVERLOADS)

    assert bound({}, inject={"number": 3}).kwargs == {"number": 3}
    assert bound({"full": True}, inject={"number": 3}).kwargs == {"number": 3, "full": True}
    with pytest.raises(ArgumentsError):
        bound({"name": "x", "full": True}, inject={"number": 3})


def test_arguments_are_repaired():
    assert bind(find, {"number": "3"}, profile=OVERLOADS, repair=True).kwargs == {"number": 3}


def test_a_null_that_means_absent_is_not_passed():
    profile = OVERLOADS.replace(null_is_absent=True)

    assert bind(find, {"number": 1, "name": None}, profile=profile).kwargs == {"number": 1}


def test_a_default_in_the_metadata_is_not_an_argument():
    full = Annotated[bool, pydantic.Field(default=True)]

    @overload
    def f(*, number: int, full: bool = ...) -> None: ...
    @overload
    def f(*, name: str) -> None: ...
    def f(*, number: int = 0, name: str = "", full: full) -> None: ...  # type: ignore[valid-type]

    f.__annotations__["full"] = full
    assert bind(f, {"name": "a"}, profile=OVERLOADS).kwargs == {"name": "a", "full": True}
    with pytest.raises(ArgumentsError):
        bind(f, {"name": "a", "full": True}, profile=OVERLOADS)


def test_a_tool_is_called():
    tool = tool_schema(find, profile=OVERLOADS)

    assert call_tool(tool, {"name": "a"})["structuredContent"] == "None a False"
    assert call_tool(tool, {})["isError"] is True


def test_a_definition_by_hand_decides_alone():
    by_hand = {"type": "object", "properties": {"number": {}, "name": {}}}
    tool = tool_schema(find, profile=OVERLOADS, input_schema=by_hand)

    assert call_tool(tool, {"number": 1, "name": "a"})["structuredContent"] == "1 a False"


# -- what else reads the schema --------------------------------------------------------------------


def test_arguments_for_tests_are_those_of_one_overload():
    for valid in (True, False):
        made = arguments(find, count=20, valid=valid, profile=OVERLOADS)
        assert {binder(find, profile=OVERLOADS).accepts(each) for each in made} == {valid}
    assert "oneOf at the root" in made.notes


def test_a_dialect_without_root_unions_says_so():
    profile = OVERLOADS.replace(transforms=profiles.GEMINI.transforms)

    with pytest.raises(
        SchemaError, match="Gemini does not support oneOf at the root; split the tool"
    ):
        function_to_schema(find, profile=profile, strict=True)
    with pytest.warns(match="Gemini does not support oneOf at the root"):
        schema = function_to_schema(find, profile=profile)
    assert schema["description"] == ("exactly one of {number} | {name} (no other properties)")
    assert "oneOf" not in schema


def test_a_comparison_reports_new_and_lost_overloads():
    plain = function_to_schema(find, profile=profiles.MCP.replace(unwrap_none=True))
    changes = [
        [each.effect for each in compare(*pair) if "oneOf" in each.message]
        for pair in itertools.permutations([plain, function_to_schema(find, profile=OVERLOADS)])
    ]

    assert changes == [["may break"], ["compatible"]]
