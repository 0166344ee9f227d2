"""Values and JSON that are not of the kind of their annotation, for each kind."""

import collections
import datetime
import decimal
import enum
import warnings
from collections import abc
from typing import IO, Annotated, Any, NamedTuple, NewType, Protocol

import pydantic
import pytest
import typing_extensions as te

from milo_schema import (
    Description,
    Ge,
    Lt,
    SchemaError,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)
from milo_schema.annotations.evaluation import try_evaluate
from milo_schema.annotations.forms import Marker
from milo_schema.annotations.scopes import Scope
from milo_schema.arguments import ArgumentsError, json_to_value
from milo_schema.json_schema import TYPES
from milo_schema.nodes import reader
from milo_schema.nodes.base import Dumping, Loading, Refusal
from milo_schema.nodes.definitions import Definitions
from milo_schema.nodes.fields import INJECTED
from milo_schema.nodes.scalars import INTEGER
from milo_schema.nodes.session import Session
from milo_schema.results import value_to_json

pytestmark = pytest.mark.core


class Money:
    """A class without fields."""


class Pair(NamedTuple):
    one: int
    two: int


class Empty(enum.Enum):
    """An Enum without members."""


class Unwritable(decimal.Decimal):
    """A number whose text cannot be written."""

    def __str__(self) -> str:
        raise ValueError("no text")


def described(_value: object) -> Any:
    raise ValueError("no")


MONEY = profiles.MCP.with_types({Money: {"type": "string"}})
UNWRITABLE = [
    ({object()}, set[int], "set[int][0]: <object object> is not an int"),
    (5, abc.ItemsView[str, int], "ItemsView[str, int]: 5 is not an ItemsView[str, int]"),
    ({object(): 1}, dict[int, int], "dict[int, int]: <object object> is not an int"),
    (5, tuple[int, str], "tuple[int, str]: 5 is not a tuple[int, str]"),
    (5, tuple[int, ...], "tuple[int, ...]: 5 is not a tuple[int, ...]"),
    ("x", Pair, "Pair: 'x' is not a Pair"),
    (Unwritable(1), decimal.Decimal, "Decimal: reading it raised ValueError('no text')"),
]


@pytest.mark.parametrize(("value", "annotation", "reason"), UNWRITABLE)
def test_a_value_of_another_kind_is_an_error_with_its_place(value, annotation, reason):
    with pytest.raises(SchemaError) as caught:
        value_to_json(value, annotation, profile=profiles.MCP)
    assert str(caught.value) == reason


def test_pairs_are_an_array_of_arrays():
    assert value_to_json([("a", 1)], abc.ItemsView[str, int]) == [["a", 1]]


@pytest.mark.parametrize(
    ("value", "reason"), [(5, "5 is not a Money"), (Money(), "cannot be written as JSON")]
)
def test_a_type_of_the_profile_takes_what_its_schema_accepts(value, reason):
    assert value_to_json("x", Money, profile=MONEY) == "x"
    with pytest.raises(SchemaError, match=reason):
        value_to_json(value, Money, profile=MONEY)


@pytest.mark.parametrize(("value", "place"), [([Money()], "list[Money][0]"), (Money(), "Money")])
def test_an_encoder_that_raises_is_an_error_with_its_place(value, place):
    annotation = list[Money] if isinstance(value, list) else Money
    profile = profiles.MILO.replace(encoders={Money: described})
    with pytest.raises(SchemaError) as caught:
        value_to_json(value, annotation, profile=profile)
    assert str(caught.value) == f"{place}: its encoder raised ValueError('no')"


# -- schemas and JSON --------------------------------------------------------------------------


class Mine(Marker):
    """A marker that the library does not know."""


class Octets(bytes):
    """Bytes of a kind."""


class UUID(str):
    """A string whose class has the name of another type."""

    __slots__ = ()


Small = NewType("Small", Annotated[decimal.Decimal, Lt(5)])


def test_a_marker_of_an_unknown_class_says_nothing():
    assert type_to_schema(Annotated[int, Mine(1)]) == {"type": "integer"}


def test_the_bounds_of_a_new_type_and_of_its_use_both_apply():
    annotation = Annotated[Small, Ge(1)]
    assert json_to_value("3", annotation, profile=profiles.MCP) == 3
    for wrong in ("0", "5"):
        with pytest.raises(ArgumentsError):
            json_to_value(wrong, annotation, profile=profiles.MCP)


def test_a_class_that_inherits_from_bytes_is_base64():
    assert json_to_value("YQ==", Octets) == b"a"


def test_each_value_of_a_list_is_judged_by_one_schema():
    texts = ["2026-01-31T12:00:00Z"] * 2
    assert value_to_json(texts, list[datetime.datetime]) == texts


def test_a_result_that_is_nested_too_deeply_is_an_error(monkeypatch):
    def tool() -> list[list[list[int]]]: ...

    monkeypatch.setattr(reader, "MAX_LEVELS", 2)
    with pytest.raises(SchemaError, match="nested deeper than 2 levels"):
        return_to_schema(tool, profile=profiles.MCP)


def test_a_class_is_not_found_by_its_name_alone():
    assert value_to_json(UUID("x"), Any) == "x"


def test_a_hook_sees_whether_the_schema_is_strict():
    class Seen:
        @classmethod
        def __milo_schema__(cls, walk: Any) -> dict[str, Any]:
            return {"type": "string", "description": str(walk.strict)}

    def tool(x: Seen): ...

    for strict in (True, False):
        schema = function_to_schema(tool, strict=strict)
        assert schema["properties"]["x"]["description"] == str(strict)


def test_an_annotation_without_json_has_a_node_that_refuses_everything():
    found = [node_of(Money), node_of(Money, lambda _tp, _walk: {"type": "string"})]
    for node in found:
        assert type(node.load("x", Loading())) is Refusal
    assert found[1].kinds == frozenset()
    assert found[1].label == "Money"


def node_of(tp: Any, unknown: Any = None) -> Any:
    profile = profiles.MCP.replace(unknown=unknown or {})
    reading = Session(profile, Scope(), "x").reader()
    node = reading.read(tp, Scope(), (None, "x"))
    reading.complete()
    return getattr(node, "body", node)


def test_a_named_type_reads_its_body_when_it_is_first_used():
    class Page(NamedTuple):
        number: int

    named: Any = Session(profiles.MCP, Scope(), "x").reader().read(Page, Scope(), (None, "x"))
    assert named.load([1], Loading()) == Page(1)


def test_a_reference_of_a_user_may_be_to_any_type():
    out = Definitions(Session(profiles.MCP, Scope(), "x"))
    assert out.types_of({"$ref": "#/$defs/x"}) == list(TYPES)


# -- validators of pydantic ---------------------------------------------------------------------

AFTER = pydantic.AfterValidator(lambda value: value)
BEFORE = pydantic.BeforeValidator(int, json_schema_input_type=str)
Maybe = te.TypeAliasType("Maybe", int | None)


def test_optional_parameters_with_validators_are_unwrapped():
    def tool(
        a: Annotated[int | None, AFTER] = None,
        b: Annotated[int | None, BEFORE] = None,
        c: Annotated[Maybe, BEFORE] = None,
    ): ...

    properties = function_to_schema(tool, strict=False)["properties"]
    assert [each["type"] for each in properties.values()] == ["integer", "string", "string"]


def test_a_union_without_null_stays_whole_with_a_validator():
    def tool(a: Annotated[int | str, BEFORE] = "x", b: Annotated["Missing | None", BEFORE] = None):  # noqa: F821
        ...

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        properties = function_to_schema(tool)["properties"]
    assert [each["type"] for each in properties.values()] == ["string", "string"]


def test_an_injected_field_has_no_values_for_callers():
    node = INJECTED
    assert node.schema(Definitions(Session(profiles.MCP, Scope(), "x"))) == {"not": {}}
    assert type(node.load(1, Loading())) is Refusal
    run = Dumping(lambda _: INTEGER, lambda _json, _node: True, profiles.MCP, {})
    assert node.dump(1, run) == 1


def test_a_value_of_an_annotation_with_a_missing_name_is_an_error_that_names_it():
    with pytest.raises(SchemaError, match="Missing"):
        value_to_json([1], list["Missing"])  # type: ignore[name-defined]  # noqa: F821


def test_a_value_of_an_enum_without_members_is_what_the_schema_accepts():
    assert value_to_json([5], list[Empty], profile=profiles.MCP) == [5]
    with pytest.raises(SchemaError, match="Empty: 5 is not an Empty"):
        value_to_json(5, Empty)


def test_a_validator_reads_the_json_of_its_own_schema():
    assert json_to_value(3, Annotated[int, AFTER] | str) == 3
    assert json_to_value("3", Annotated[int, BEFORE] | list[int]) == 3
    assert json_to_value("3", Annotated[int, BEFORE]) == 3


def alias(value):
    return te.TypeAliasType("Alias", value)


class Readable(Protocol):
    def read(self) -> str: ...


class Plain: ...


UNKNOWN = ["Missing", Readable, Annotated["Missing", Description("D.")], alias("Missing")]  # noqa: F821
IMPOSSIBLE = [collections.abc.Callable, IO[bytes], Plain, type[int], alias(Plain)]


@pytest.mark.parametrize(
    ("annotation", "is_unknown"),
    [*((each, True) for each in UNKNOWN), *((each, False) for each in IMPOSSIBLE)],
    ids=str,
)
def test_an_annotation_without_a_schema_is_unknown_or_impossible(annotation, is_unknown):
    reader = Session(profiles.MCP, Scope(), "x").reader()
    node = reader.read(try_evaluate(annotation, Scope()), Scope(), (None, "x"))
    assert node.problem is not None
    assert node.is_unknown is is_unknown
