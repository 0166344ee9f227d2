"""Unions with a member of which any JSON may be a value: a missing name, or a protocol."""

import warnings
from collections.abc import Callable, Container, Sized
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    Protocol,
    SupportsFloat,
    SupportsInt,
    TypedDict,
    Union,
    runtime_checkable,
)

import pytest
from typing_extensions import TypeAliasType

from milo_schema import (
    Description,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, bind
from milo_schema.results import return_to_json
from tests.fragments import INTEGER, NULL, NUMBER, STRING, any_of, array_of, obj

MCP = profiles.MCP
WHY = f"no 'Missing' in {__name__}; import it there at run time, or pass localns="


class Sender(Protocol):
    def send(self) -> int: ...


@runtime_checkable
class Closer(Sender, Protocol):
    def close(self) -> None: ...


class Mailer(Sender):
    """A class, and not a protocol, although it derives from one."""

    def send(self) -> int:
        return 1


class Box(TypedDict):
    x: int


@dataclass
class Note:
    word: "Missing | str | None" = None  # type: ignore[name-defined]  # noqa: F821


def test_a_union_with_an_unknown_member_keeps_its_description_and_default():
    def find(
        word: "Missing | int" = 3,  # type: ignore[name-defined]  # noqa: F821
        near: Annotated[Sender | str, Description("Where.")] = "here",
        note: Note = Note(),  # noqa: B008
    ):
        """Find.

        Args:
            word: What to find.
        """

    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(find, profile=MCP)
    assert schema["properties"] == {
        "word": {"description": "What to find.", "default": 3},
        "near": {"description": "Where.", "default": "here"},
        "note": obj([], word={"default": None}) | {"default": {"word": None}},
    }
    sender = "no JSON Schema for Sender; use Schema({...}), or hide it with Injected"
    assert [str(each.message) for each in caught] == [
        f"find(word): {WHY}",
        f"find(near): {sender}",
        f"find(note).word: {WHY}",
    ]


def test_each_unknown_member_is_one_warning_and_an_error_in_strict_mode():
    for annotation in (
        *("Missing | None", "Missing | Box", Closer | int, Union[list[int], Sender]),
        *(Sized | int, Container[int] | int),
    ):
        with pytest.warns(SchemaWarning) as caught:
            assert type_to_schema(annotation, profile=MCP) == {}
        assert len(caught) == 1
        with pytest.raises(SchemaError) as refused:
            type_to_schema(annotation, profile=MCP, strict=True)
        assert len(refused.value.problems) == 1


def test_a_class_that_derives_from_a_protocol_is_impossible():
    with pytest.warns(SchemaWarning, match="no JSON Schema for Mailer"):
        assert type_to_schema(Mailer | int, profile=MCP) == INTEGER


def test_an_impossible_member_beside_an_unknown_one_is_reported_too():
    with pytest.warns(SchemaWarning) as caught:
        assert type_to_schema(Callable[[], int] | Sender | int, profile=MCP) == {}
    assert [each.message.code for each in caught] == ["unsupported-type"] * 2


def test_a_union_behind_an_alias_is_as_unknown():
    either = TypeAliasType("either", "Union[Sender, int]")
    with pytest.warns(SchemaWarning):
        assert type_to_schema(either, profile=MCP) == {}
    with pytest.warns(SchemaWarning):
        assert type_to_schema(Union[either, str], profile=MCP) == {}


def test_milo_adds_its_placeholder_to_the_members():
    def find(x: "Missing | int", y: "Missing | None" = None): ...  # type: ignore[name-defined]  # noqa: F821

    with pytest.warns(SchemaWarning):
        schema = function_to_schema(find)
    assert schema["properties"] == {
        "x": any_of(STRING, INTEGER),
        "y": {"type": "string", "default": None},
    }


def test_a_union_with_an_unknown_member_opens_the_function_as_the_member_alone_does():
    def find(x: "Missing | int"): ...  # type: ignore[name-defined]  # noqa: F821

    with pytest.warns(SchemaWarning):
        schema = function_to_schema(find, profile=profiles.OPENMCP)
    assert schema == {"type": "object", "additionalProperties": True}


def test_an_instance_as_the_default_makes_an_unknown_member_a_sentinel():
    def find(x: "str | m.Mailer" = Mailer(), y: Sender | int = Mailer()): ...  # type: ignore[name-defined]  # noqa: B008, F821

    schema = function_to_schema(find, strict=True, profile=MCP)
    assert schema["properties"] == {"x": STRING, "y": INTEGER}


@pytest.mark.parametrize(
    ("annotation", "taken", "refused", "path", "reason"),
    [
        ("Missing | None", [None], ["a", 1, {}, []], ".x", WHY),
        ("Missing | int", [1], ["a", None], ".x", WHY),
        ("int | Missing | Box | list[int]", [{"x": 1}, [1]], [{"x": "a"}, {}, ["a"]], ".x", WHY),
        ("dict[str, Missing | int]", [{"a": 1}], [{"a": "b"}], ".x.a", WHY),
        ("list[Missing] | int", [1, []], [["a"]], ".x[0]", WHY),
        (Sender | Annotated[int, Description("A.")] | bool, [1, True], ["a"], ".x",
         "cannot read Sender from JSON; add decoders={...} to the profile"),
    ],
)  # fmt: skip
def test_json_that_only_the_unknown_member_could_take_is_refused_with_the_reason(
    annotation, taken, refused, path, reason
):
    def find(x=None): ...

    find.__annotations__ = {"x": annotation}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SchemaWarning)
        for each in taken:
            assert bind(find, {"x": each}, profile=MCP).kwargs == {"x": each}
        for each in refused:
            with pytest.raises(ArgumentsError) as caught:
                bind(find, {"x": each}, profile=MCP)
            (problem,) = caught.value.problems
            assert (problem.path, problem.message) == (path, reason)


def test_json_for_no_member_is_refused_as_ever_beside_an_impossible_one():
    def find(x: int | Callable[[], int] = 3): ...

    with pytest.raises(ArgumentsError, match='expected an integer, got "a"'):
        bind(find, {"x": "a"}, profile=MCP)


def test_an_unknown_member_with_a_decoder_or_a_type_of_the_profile_is_known():
    with pytest.warns(SchemaWarning, match="Sender"):
        type_to_schema(Sender | int, profile=MCP)
    profile = MCP.with_types({Sender: STRING, complex: {"type": "string", "format": "x"}})
    assert type_to_schema(Sender | int, strict=True, profile=profile) == any_of(STRING, INTEGER)
    assert type_to_schema(complex | int, strict=True, profile=profile) == any_of(
        {"type": "string", "format": "x"}, INTEGER
    )


def test_an_integer_stays_one_where_any_number_may_stand():
    def count(x: SupportsInt | str): ...

    for each in (3, 2**53 + 1, 1.5, "a"):
        assert repr(bind(count, {"x": each}).kwargs["x"]) == repr(each)
    with pytest.raises(ArgumentsError, match="expected a number or a string, got true"):
        bind(count, {"x": True})


def test_an_alias_of_such_numbers_is_reported_where_it_stands_alone():
    alias = TypeAliasType("alias", complex)

    def count(x: Union[alias, None], y: list[alias]): ...  # type: ignore[valid-type]

    with pytest.warns(SchemaWarning, match="no JSON Schema for complex") as caught:
        schema = function_to_schema(count, profile=MCP)
    assert schema["properties"] == {"x": {"anyOf": [NUMBER, NULL]}, "y": array_of({})}
    assert len(caught) == 1
    with pytest.raises(SchemaError, match="no JSON Schema for complex"):
        function_to_schema(count, strict=True, profile=MCP)


def test_results_of_such_unions_are_written_by_the_members_that_are_known():
    def find() -> "Missing | int": ...  # type: ignore[name-defined]  # noqa: F821

    def weigh() -> SupportsFloat | None: ...

    with pytest.warns(SchemaWarning):
        assert return_to_schema(find, profile=MCP) == {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SchemaWarning)
        assert return_to_json(find, 3, profile=MCP) == 3
    found: list[Any] = [return_to_json(weigh, each, profile=MCP) for each in (1.5, 2, None)]
    assert found == [1.5, 2, None]
