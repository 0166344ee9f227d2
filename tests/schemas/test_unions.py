"""Unions, and ``None`` behind other names."""

import io
import warnings
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from types import EllipsisType
from typing import IO, Annotated, Any, NewType, Optional, TextIO, TypeVar, Union

import pytest
import typing_extensions

from milo_schema import (
    Deprecated,
    Description,
    Ge,
    Schema,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)
from tests.fragments import INTEGER, NULL, NUMBER, STRING, any_of, array_of, map_of, obj, taking

T = TypeVar("T")


@pytest.mark.skipif(
    not hasattr(typing_extensions, "Sentinel"), reason="typing_extensions 4.14 has sentinels"
)
def test_a_sentinel_is_left_out_of_a_union():
    absent = typing_extensions.Sentinel("absent")

    def command(size: Annotated[Union[int, absent], Description("How big.")] = absent): ...  # type: ignore[valid-type]

    size = INTEGER | {"description": "How big."}
    assert function_to_schema(command)["properties"] == {"size": size}


@dataclass
class Here:
    x: int


@dataclass
class There:
    x: int


Lists = typing_extensions.TypeAliasType("Lists", "list[Lists]")


def test_a_union_of_types_in_place_is_flat_without_repetition_and_shares_nothing():
    """Also beside a type that is not in place, because it is recursive."""
    either = typing_extensions.TypeAliasType("either", Here | int)

    def take(a: Here | There, b: either | str, c: Lists): ...  # type: ignore[valid-type]

    found = function_to_schema(take, profile=profiles.MCP)["properties"]
    here, lists = obj(["x"], x=INTEGER), {"$ref": "#/$defs/Lists"}
    assert found == {"a": here, "b": any_of(here, INTEGER, STRING), "c": lists}
    assert found["a"]["properties"] is not found["b"]["anyOf"][0]["properties"]


Perhaps = NewType("Perhaps", Optional[int])  # type: ignore[valid-newtype]


def test_types_of_a_profile_are_looked_up_before_unwrapping():
    maybe = typing_extensions.TypeAliasType("maybe", Optional[T], type_params=(T,))  # type: ignore[misc]
    profile = profiles.MILO.with_types({Perhaps: {"const": 5}})
    profile = profile.with_types({maybe[int]: {"const": 6}})

    def take(a: Perhaps, b: maybe[int], c: maybe[str]): ...  # type: ignore[valid-type]

    expected = {"a": {"const": 5}, "b": {"const": 6}, "c": STRING}
    assert function_to_schema(take, profile=profile)["properties"] == expected
    profile = profiles.MILO.with_types({complex: {"const": 7}})
    described = Annotated[complex, Schema({"title": "Seven"})]
    assert type_to_schema(described, profile=profile) == {"const": 7, "title": "Seven"}
    with pytest.warns(SchemaWarning, match="no JSON Schema for Callable"):
        assert type_to_schema(complex | Callable, profile=profile) == {"const": 7}


@dataclass
class Documented:
    """Its own description."""

    x: str


Renamed = NewType("Renamed", Documented)


DescribedAlias = typing_extensions.TypeAliasType(
    "DescribedAlias", Annotated[int, Description("A number.")]
)


def test_a_class_under_two_names_is_described_by_its_parameter():
    def take(
        x: Annotated[Documented | Renamed, Deprecated],  # type: ignore[valid-type]
        y: Annotated[Documented, Description("Its own.")],
        z: Annotated[DescribedAlias, Ge(1)],
    ):
        """Take.

        Args:
            x: What to take.
            y: What to take, too.
            z: How many.
        """

    record = obj(["x"], x=STRING)
    assert function_to_schema(take, profile=profiles.MCP)["properties"] == {
        "x": record | {"deprecated": True, "description": "What to take."},
        "y": record | {"description": "Its own."},
        "z": INTEGER | {"minimum": 1, "description": "A number."},
    }


# -- members without a schema ------------------------------------------------------------------


class Unset: ...


class Other(Unset): ...


UNSET, OTHER = Unset(), Other()
Handler = typing_extensions.TypeAliasType("Handler", Callable[[int], int])
Handlers = typing_extensions.TypeAliasType("Handlers", Union[Handler, type, None])
Current = NewType("Current", Unset)
Maybe = typing_extensions.TypeAliasType("Maybe", Union[str, Unset])

LEFT_OUT = {
    "Callable": int | Callable[[], int],
    "first": Callable | int,
    "class": Union[Unset, int, type[int]],
    "file": Union[IO[bytes], int],
    "alias": Union[int, Handler],
    "alias first": Union[Handler, int],
    "alias twice": Union[int, Handler, Annotated[Handler, "It."]],
    "NewType": Union[int, Current],
    "string": Union[int, "Unset"],
    "Literal": Union[int, typing_extensions.Literal[b"a"]],
    "union in an alias": typing_extensions.TypeAliasType("Both", Union[int, Unset]),
}


PLACES = {"take(x)", "take(y)[]", "take(z){}"}
NAMED = ("alias", "alias first", "alias twice", "union in an alias")
REPORTED = {form: {"take(x)"} for form in NAMED}
"""The places where members are reported; those of a named type only once."""


@pytest.mark.parametrize("form", LEFT_OUT)
def test_union_member_without_schema_is_left_out(form):
    """With a warning for each; an error in strict mode or if the profile decides so."""
    member = LEFT_OUT[form]

    def take(x: member, y: list[member], z: dict[str, member]) -> member: ...  # type: ignore[valid-type]

    take.__annotations__ = {"x": member, "y": list[member], "z": dict[str, member]}  # type: ignore[valid-type]
    take.__annotations__["return"] = member
    for profile in (profiles.MILO, profiles.MCP, profiles.OPENMCP):
        with pytest.warns(SchemaWarning) as caught:
            schema = function_to_schema(take, profile=profile.replace(transforms=[]))
        assert {each.message.path for each in caught} == REPORTED.get(form, PLACES)
        assert len({str(each.message) for each in caught}) == len(caught)
        expected = {"x": INTEGER, "y": array_of(INTEGER), "z": map_of(INTEGER)}
        assert schema["properties"] == expected
        with pytest.warns(SchemaWarning, match=r"^take\(\) -> result: "):
            assert return_to_schema(take, profile=profile.replace(box=None)) == INTEGER
        with pytest.raises(SchemaError, match=r"^take\(x\): "):
            function_to_schema(take, profile=profile, strict=True)
        with pytest.raises(SchemaError, match=r"^take\(x\): "):
            function_to_schema(take, profile=profile.replace(failure="error"))


def test_null_may_be_the_only_remaining_member_of_a_union():
    def take(x: Handler | None, y: Handlers = None): ...  # type: ignore[valid-type]

    with pytest.warns(SchemaWarning):
        schema = function_to_schema(take, profile=profiles.MCP)
    assert schema["properties"] == {"x": NULL, "y": {"type": "null", "default": None}}
    with pytest.warns(SchemaWarning):
        schema = function_to_schema(take)
    assert schema["properties"] == {"x": STRING, "y": STRING | {"default": None}}


def test_union_without_any_schema_is_unknown():
    def take(x: Handler | type, y: list[complex] | int): ...  # type: ignore[valid-type]

    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(take, profile=profiles.MCP)
    inner: dict[str, Any] = {"anyOf": [array_of({}), INTEGER]}
    assert schema["properties"] == {"x": {}, "y": inner}
    assert [each.message.path for each in caught] == ["take(x)", "take(x)", "take(y)[]"]
    with pytest.warns(SchemaWarning):
        schema = function_to_schema(take, profile=profiles.OPENMCP)
    assert schema == {"type": "object", "additionalProperties": True}


def test_member_that_describes_itself_stays():
    text = Annotated[complex, Schema({"type": "string"})]
    profile = profiles.MCP.with_types({Unset: {"type": "number"}})

    def take(x: text | int | Unset): ...  # type: ignore[valid-type]

    schema = function_to_schema(take, profile=profile, strict=True)
    assert schema["properties"] == {"x": {"anyOf": [STRING, INTEGER, NUMBER]}}


@dataclass
class Fields:
    x: str | Unset = UNSET


def test_member_with_an_instance_as_the_default_is_left_out_silently():
    """In strict mode, too: callers do not have to pass a sentinel."""

    def take(
        a: str | Unset = UNSET,
        b: Annotated[Union[str, Unset], "B."] = UNSET,
        c: Optional[Maybe] = UNSET,  # type: ignore[assignment]
        d: str | Unset = OTHER,
        e: "str | m.Unset" = UNSET,  # noqa: F821
        f: str | EllipsisType = ...,
        g: Fields = Fields(),  # noqa: B008
        i: str | Callable[[int], int] = print,
        j: str | type[int] = bool,
        k: Union[str, IO[bytes], TextIO] = io.StringIO(),  # noqa: B008
        *,
        h: Maybe = UNSET,
    ): ...

    expected = dict.fromkeys("abcdefghijk", STRING) | {"b": STRING | {"description": "B."}}
    expected |= {"c": any_of(STRING, NULL), "g": obj([], x=STRING)}
    with warnings.catch_warnings():
        warnings.simplefilter("error", SchemaWarning)
        for profile in (profiles.MCP, profiles.MCP.replace(failure="error")):
            schema = function_to_schema(take, strict=True, profile=profile)
            assert schema["properties"] == expected
        assert function_to_schema(take, strict=True)["properties"]["c"] == STRING


@pytest.mark.parametrize(
    "annotation",
    [
        str | Unset | type,
        list[str | Unset],
        Unset,
        str | Other,
        str | Callable,
        Union[str, IO[str]],
    ],
    ids=["other member", "list", "alone", "subclass", "Callable", "file"],
)
def test_default_excuses_only_its_own_class_in_its_own_union(annotation):
    take = taking(annotation, UNSET)
    with pytest.raises(SchemaError, match=r"^command\(x\)"):
        function_to_schema(take, strict=True)


def test_hashable_is_anything():
    class Own(Hashable):
        def __hash__(self) -> int:
            return 1

    def take(x: Hashable, y: dict[Hashable, list[Hashable]], z: int | Hashable): ...

    schema = function_to_schema(take, strict=True)
    expected = {"x": {}, "y": map_of(array_of({})), "z": any_of(INTEGER, {})}
    assert schema["properties"] == expected
    with pytest.raises(SchemaError, match=r"no JSON Schema for .*Own"):
        type_to_schema(Own, strict=True)
