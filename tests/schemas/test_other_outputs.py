"""Outputs unlike inputs: another annotation, and the fields of a profile only for outputs."""

import asyncio
import copy
import functools
import pickle
import types
from collections.abc import AsyncIterator, Awaitable, Iterator
from dataclasses import InitVar, dataclass, field
from typing import Annotated, Any, Literal, Optional, TypedDict, Union, cast, get_origin

import jsonschema
import pytest

from milo_schema import (
    Description,
    Ge,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.results import return_to_json, value_to_json
from tests.every import every
from tests.fragments import INTEGER, NULL, STRING, any_of, array_of, obj, record
from tests.inside import base
from tests.inside import calls as prepared

MCP = profiles.MCP


@dataclass
class Place:
    city: str
    visits: int = field(default=0, init=False)


PLACE = obj(["city"], city=STRING, visits={"type": "integer", "default": 0})


@dataclass
class Node:
    next: Optional["Node"] = None


def through_pickle(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


class Control:
    """A type that a framework understands, but not a client."""


def find() -> Control | Place:
    return Place("Oslo")


async def find_later() -> Control | Place:
    return Place("Oslo")


# -- an annotation in place of the function's --------------------------------------------------


def test_a_given_annotation_replaces_that_of_the_function():
    assert return_to_schema(find, returns=Place, strict=True) == PLACE
    assert tool_schema(find, returns=Place, strict=True).output_schema == PLACE
    assert return_to_json(find, Place("Oslo"), returns=Place) == {"city": "Oslo", "visits": 0}


@pytest.mark.parametrize("nothing", [None, type(None), "None"], ids=repr)
def test_none_as_the_given_annotation_means_no_output(nothing):
    assert return_to_schema(find, returns=nothing) is None
    assert tool_schema(find, returns=nothing).output_schema is None


def test_a_string_is_evaluated_in_the_scope_of_the_function():
    assert return_to_schema(find, returns="Place", strict=True) == PLACE


def test_a_given_annotation_may_be_awaited_or_yielded():
    def numbers() -> Any:
        yield 1

    assert return_to_schema(numbers, returns=Iterator[int]) == {"type": "integer"}
    assert return_to_json(numbers, 1, returns=Iterator[int]) == 1


def test_a_given_annotation_is_boxed_like_that_of_the_function():
    tool = tool_schema(find, returns=list[Place], profile=profiles.MCP_2025)

    assert tool.box == "result"
    assert tool.output_schema == record(result=array_of(PLACE))
    result = tool.result([Place("Oslo")])
    assert result["structuredContent"] == {"result": [{"city": "Oslo", "visits": 0}]}


def test_a_value_is_checked_against_the_given_annotation():
    def count() -> Any: ...

    tool = tool_schema(count, returns=Annotated[int, Ge(1)])
    assert tool.result(1)["structuredContent"] == 1
    with pytest.raises(SchemaError) as caught:
        tool.result("1")
    assert str(caught.value) == "count() -> result: '1' is not an int"


def test_a_call_uses_the_given_annotation():
    expected = {
        **DONE,
        "content": [{"type": "text", "text": '{"city": "Oslo", "visits": 0}'}],
        "structuredContent": {"city": "Oslo", "visits": 0},
        "isError": False,
    }
    tool = tool_schema(find, returns=Place)

    assert tool.call({}) == expected
    assert asyncio.run(tool.with_function(find_later).call_async({})) == expected


# -- the schema of an annotation as an output --------------------------------------------------


@dataclass
class Note:
    text: str
    tag: str | None
    seed: InitVar[int]


def test_an_annotation_has_a_schema_as_an_output():
    """A caller passes an ``InitVar``, which is not in outputs; and outputs may have null."""
    text, null = {"type": "string"}, {"type": "null"}
    assert type_to_schema(Note, strict=True) == record(text=text, tag=text, seed=INTEGER)
    assert type_to_schema(Note, output=True, strict=True) == record(
        text=text, tag=any_of(text, null)
    )


# -- one reading of parameters and result in strict mode ---------------------------------------


def test_strict_tool_has_the_problems_of_its_parameters_and_of_its_result():
    def convert(amount, rate: complex) -> complex: ...

    with pytest.raises(SchemaError) as refused:
        tool_schema(convert, strict=True)

    paths = [problem.path for problem in refused.value.problems]
    assert paths == ["convert(amount)", "convert(rate)", "convert() -> result"]
    assert refused.value.location.startswith(__file__)
    assert str(refused.value).endswith("(and 2 more problems)")


def test_given_output_schema_is_used_instead_of_the_result_in_strict_mode():
    def convert(amount: int) -> complex: ...

    tool = tool_schema(convert, strict=True, output_schema={"type": "object"})

    assert tool.output_schema == {"type": "object"}


# -- fields of the profile that differ for outputs ---------------------------------------------


def echo(place: Place) -> Place: ...


CLOSED = {**PLACE, "additionalProperties": False}


@pytest.mark.parametrize(
    ("fields", "is_input_closed", "is_output_closed"),
    [
        ({"closed": "everything"}, True, True),
        ({"closed": "everything", "outputs": {"closed": "nothing"}}, True, False),
        ({"closed": "nothing", "outputs": {"closed": "everything"}}, False, True),
        ({"closed": "everything", "outputs": {}}, True, True),
    ],
    ids=str,
)
def test_outputs_may_be_closed_unlike_inputs(fields, is_input_closed, is_output_closed):
    profile = MCP.replace(**fields)
    given = {**PLACE, "properties": {"city": {"type": "string"}}}  # no caller sets the visits
    place = {**given, "additionalProperties": False} if is_input_closed else given

    assert function_to_schema(echo, profile=profile)["properties"] == {"place": place}
    assert type_to_schema(Place, profile=profile) == place
    expected = CLOSED if is_output_closed else PLACE
    assert return_to_schema(echo, profile=profile) == expected
    assert type_to_schema(Place, output=True, profile=profile) == expected
    assert tool_schema(echo, profile=profile).output_schema == expected


def unknown(value: complex) -> complex: ...


def test_outputs_may_fail_unlike_inputs():
    profile = MCP.replace(failure="error", outputs={"failure": "open"})
    with pytest.raises(SchemaError) as caught:
        function_to_schema(unknown, profile=profile)
    assert caught.value.path == "unknown(value)"
    with pytest.warns(SchemaWarning) as warned:
        assert return_to_schema(unknown, profile=profile) is None
    assert [each.message.path for each in warned] == ["unknown() -> result"]

    profile = MCP.replace(failure="warn", outputs={"failure": "error"})
    with pytest.warns(SchemaWarning):
        function_to_schema(unknown, profile=profile)
    with pytest.raises(SchemaError):
        return_to_schema(unknown, profile=profile)


def test_changes_for_outputs_override_later_changes_of_the_profile():
    """Types are those of the whole profile, unless outputs have their own."""
    one = MCP.replace(outputs={"inline": False}).with_types({complex: {"type": "string"}})
    assert return_to_schema(unknown, profile=one) == {"type": "string"}

    two = MCP.replace(outputs={"types": {complex: {"type": "number"}}})
    two = two.with_types({complex: {"type": "string"}})
    assert return_to_schema(unknown, profile=two) == {"type": "number"}
    assert function_to_schema(unknown, profile=two)["properties"] == {"value": {"type": "string"}}


def test_results_match_the_output_schemas():
    """A key that a closed TypedDict does not have, and a name that is an alias for inputs."""

    class Movie(TypedDict):
        title: str

    def movie() -> Movie: ...

    value: Any = {"title": "Alien", "year": 1979}
    closed = MCP.replace(closed="nothing", outputs={"closed": "everything"})
    with pytest.raises(SchemaError) as caught:
        return_to_json(movie, value, profile=closed)
    assert str(caught.value) == "movie() -> result.year: unknown key"
    with pytest.raises(SchemaError):
        value_to_json(value, Movie, profile=closed)
    opened = MCP.replace(closed="everything", outputs={"closed": "nothing"})
    assert return_to_json(movie, value, profile=opened) == value


DONE = {"resultType": "complete"}


def test_content_classes_of_outputs_are_recognized_in_results():
    class Page:
        """A class that the framework makes content of."""

    def page() -> Page: ...

    text = {"type": "text", "text": "a"}
    profile = MCP.replace(outputs={"opaque_outputs": {Page}}, encoders={Page: lambda _: text})
    tool = tool_schema(page, profile=profile)
    assert tool.output_schema is None
    assert tool.result(Page()) == {**DONE, "content": [text], "isError": False}


def test_a_box_is_found_by_the_keywords_for_outputs():
    profile = MCP.replace(outputs={"box": {"x-boxed": True}})
    tool = tool_schema(echo, returns=int, profile=profile)
    explicit = tool_schema(echo, output_schema=tool.output_schema, profile=profile)

    assert (tool.box, explicit.box) == ("result", "result")


def test_a_profile_without_outputs_has_no_output_schemas():
    profile = MCP.replace(outputs=False)
    assert return_to_schema(echo, profile=profile) is None
    assert profile.for_outputs is profile
    assert MCP.for_outputs is MCP


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, through_pickle], ids=lambda f: f.__name__
)
def test_a_profile_with_other_outputs_can_be_copied(copied):
    profile = copied(MCP.replace(closed="everything", outputs={"closed": "nothing"}))

    assert profile.outputs == {"closed": "nothing"}
    assert profile.for_outputs.closed == "nothing"
    assert profile.replace(inline=False).for_outputs.inline is False


# -- boxes -------------------------------------------------------------------------------------


def is_of_other_keys(annotation: Any, schema: Any) -> bool:
    return "propertyNames" in schema


def is_a_union(annotation: Any, schema: Any) -> bool:
    return schema.get("type") != "object" or get_origin(annotation) in (Union, types.UnionType)


BOXING = profiles.MCP_2025.replace(box=({}, is_of_other_keys, is_a_union))


@pytest.mark.parametrize(
    ("returns", "is_boxed"),
    [
        (dict[str, int], False),
        (dict[int, str], True),
        (dict[Literal["a"], str], True),
        (Place, False),
        (Place | Note, True),
        (Annotated[Place, Description("Where.")], False),
        (int, True),
    ],
    ids=str,
)
def test_an_object_is_boxed_if_a_function_returns_true(returns, is_boxed):
    bare = return_to_schema(echo, returns=returns, profile=MCP)
    boxed = {"type": "object", "properties": {"result": bare}, "required": ["result"]}
    tool = tool_schema(echo, returns=returns, profile=BOXING)
    plain = tool_schema(echo, returns=returns, profile=profiles.MCP_2025)

    assert tool.box == ("result" if is_boxed else None)
    assert tool.output_schema == (boxed if is_boxed else plain.output_schema)
    assert plain.box == ("result" if returns is int else None)


def test_a_function_that_boxes_sees_the_finished_schema():
    """This includes recursive types; the function may change its argument without effect."""
    seen = []

    def look(annotation: Any, schema: Any) -> None:
        seen.append((annotation, copy.deepcopy(schema)))
        schema.clear()

    profile = profiles.MCP_2025.replace(box=({}, look))
    node = obj([], next={"anyOf": [{"$ref": "#/$defs/Node"}, NULL], "default": None})
    assert return_to_schema(echo, returns=Node, profile=profile) == {
        **node,
        "$defs": {"Node": node},
    }
    assert seen == [(Node, {**node, "$defs": {"Node": node}})]


def broken(annotation: Any, schema: Any) -> bool:
    raise LookupError("no")


@pytest.mark.parametrize("field", ["box", "opaque_outputs"])
def test_a_predicate_for_outputs_that_raises_is_named(field):
    fields: Any = {field: ({}, broken) if field == "box" else broken}
    with pytest.raises(SchemaError) as caught:
        return_to_schema(echo, profile=profiles.MCP_2025.replace(**fields))
    assert caught.value.message == f"{broken!r} of {field} raised LookupError('no')"
    assert caught.value.path == "echo() -> result"
    assert caught.value.code == "user-code"


@pytest.mark.parametrize(("returns", "has_schema"), [(Place, False), (Note, True)], ids=str)
def test_an_output_has_no_schema_if_a_function_returns_true(returns, has_schema):
    profile = profiles.MCP_2025.replace(opaque_outputs=[lambda annotation, _: annotation is Place])
    tool = tool_schema(echo, returns=returns, profile=profile)
    assert (tool.output_schema is not None, tool.box) == (has_schema, None)


def test_a_box_is_a_value_that_another_profile_can_take():
    assert MCP.replace(box=BOXING.box) == MCP.replace(box=({}, is_of_other_keys, is_a_union))
    wrongs: list[Any] = [5, (), ({}, "x")]
    for wrong in wrongs:
        with pytest.raises(ValueError, match="box"):
            MCP.replace(box=wrong)


def test_changes_of_outputs_add_up():
    profile = MCP.replace(outputs={"closed": "nothing"}).replace(outputs={"docstrings": "never"})

    assert dict(cast("Any", profile.outputs)) == {"closed": "nothing", "docstrings": "never"}
    assert (profile.for_outputs.closed, profile.for_outputs.docstrings) == ("nothing", "never")
    assert profile.replace(outputs=True).for_outputs == profile.replace(outputs=True)


# -- generators --------------------------------------------------------------------------------


def count() -> Iterator[int]:
    """Count.

    Yields:
        A number.
    """
    yield 1
    yield 2


async def count_later() -> AsyncIterator[int]:
    for number in count():
        yield number


def rows() -> Iterator[int]:
    return iter([1, 2])


def later() -> Awaitable[AsyncIterator[int]]: ...


def annotated() -> Annotated[Iterator[int], Description("Numbers.")]:
    yield 1


ITEM: dict[str, Any] = {"type": "integer"}
LIST: dict[str, Any] = {"type": "array", "items": {"type": "integer"}}
SAID = {"description": "A number."}


@pytest.mark.parametrize(
    ("func", "item", "all_items", "nothing"),
    [
        (count, {**ITEM, **SAID}, {**LIST, **SAID}, None),
        (count_later, ITEM, LIST, None),
        (later, ITEM, LIST, None),
        (annotated, {**ITEM, "description": "Numbers."}, {**LIST, "description": "Numbers."}, None),
        (rows, LIST, LIST, LIST),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_generator_outputs_items_or_lists_as_the_profile_decides(func, item, all_items, nothing):
    assert [
        return_to_schema(func, strict=True, profile=MCP.replace(generators=each))
        for each in ("item", "list", "nothing")
    ] == [item, all_items, nothing]


LISTING = MCP.replace(generators="list")


def test_a_value_of_a_generator_is_an_item_or_a_list_as_the_profile_decides():
    assert return_to_json(count, 1) == 1
    assert return_to_json(count, count(), profile=LISTING) == [1, 2]
    assert return_to_json(count, (1, 2), profile=LISTING) == [1, 2]
    assert return_to_json(count_later, [1, 2], profile=LISTING) == [1, 2]
    assert return_to_json(count, "any", profile=MCP.replace(generators="nothing")) == "any"


PROFILES = [getattr(profiles, name) for name in profiles.__all__ if name.isupper()]


@every("profile", PROFILES, ids=repr)
def test_the_call_of_a_generator_agrees_with_its_schema(profile):
    """Synchronous or not: all items are one result, or each is one, and then a call is an error."""
    expected = [1, 2] if profile.box is None else {"result": [1, 2]}
    for func in (count, count_later):
        tool = tool_schema(func, profile=profile)
        assert (tool.output_schema is None) == (profile.outputs is False)
        call = functools.partial(tool.call_async, {})
        if tool.output_schema is None or profile.for_outputs.generators == "list":
            result = asyncio.run(call())
            assert result["content"] == [{"type": "text", "text": "[1, 2]"}]
            if tool.output_schema is not None:
                assert result["structuredContent"] == expected
                jsonschema.Draft202012Validator(tool.output_schema).validate(expected)
        else:
            with pytest.raises(SchemaError) as caught:
                asyncio.run(call())
            assert str(caught.value) == (
                f"{func.__name__}() -> result: each item of a generator is a separate result "
                f"under {profile.for_outputs}; pass the items one by one, or use "
                "profile.replace(generators='list')"
            )


def test_the_profiles_of_protocols_have_one_result_for_a_generator():
    each = [profile.name for profile in PROFILES if profile.generators != "list"]
    assert each == ["MILO", "OMNI", "OPENMCP", "PLATOOLS"]


def test_an_error_in_a_generator_is_reported_like_one_in_a_function():
    def failing() -> Iterator[int]:
        yield 1
        raise LookupError("gone")

    async def failing_later() -> AsyncIterator[int]:
        for number in failing():
            yield number

    expected = {**DONE, "content": [{"type": "text", "text": "gone"}], "isError": True}
    tool = tool_schema(failing, profile=LISTING)
    assert tool.call({}, errors=LookupError) == expected
    tool = tool_schema(failing_later, profile=LISTING)
    called = tool.call_async({}, errors=LookupError)
    assert asyncio.run(called) == expected


def test_an_endless_generator_is_an_error(monkeypatch):
    taken = []

    def endless() -> Iterator[int]:
        while True:
            taken.append(1)
            yield 1

    async def endless_later() -> AsyncIterator[int]:
        for number in endless():
            yield number

    for module in (base, prepared):
        monkeypatch.setattr(module, "MAX_PARTS", 10)
    tool = tool_schema(endless, profile=LISTING)
    with pytest.raises(SchemaError) as caught:
        tool.call({})
    assert (caught.value.message, len(taken)) == ("more than 10 items", 11)
    with pytest.raises(SchemaError) as caught:
        asyncio.run(tool_schema(endless_later, profile=LISTING).call_async({}))
    assert (caught.value.message, len(taken)) == ("more than 10 items", 22)
