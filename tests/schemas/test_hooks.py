"""``__milo_schema__``, and schemas that the caller writes."""

import copy
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

import pytest

from milo_schema import Schema, SchemaError, function_to_schema, profiles, type_to_schema
from milo_schema.arguments import ArgumentsError, bind, json_to_value
from tests.fragments import array_of, exact


class Sizes:
    @classmethod
    def __milo_schema__(cls, walk):
        return {"enum": [["s"], "m"], "examples": [["s"]]}


def test_a_hook_may_return_lists():
    assert exact(Sizes) == {"enum": [["s"], "m"], "examples": [["s"]]}


class Tree:
    @classmethod
    def __milo_schema__(cls, walk):
        branch = walk.schema(list[Tree])
        return {"properties": {"left": branch, "right": copy.deepcopy(branch)}}


def test_a_hook_may_copy_what_a_walk_returns():
    branch = {"type": "array", "items": {"$ref": "#/$defs/Tree"}}
    tree = {"properties": {"left": branch, "right": branch}}
    assert exact(list[Tree]) == array_of({"$ref": "#/$defs/Tree"}) | {"$defs": {"Tree": tree}}


class UnspeakableError(Exception):
    def __str__(self):
        raise ZeroDivisionError

    __repr__ = __str__


class Speechless:
    @classmethod
    def __milo_schema__(cls, walk):
        raise UnspeakableError


def test_an_exception_that_cannot_be_printed_is_named_by_its_class():
    def f(x: Speechless): ...

    with pytest.raises(SchemaError) as caught:
        function_to_schema(f)
    assert caught.value.message == "Speechless.__milo_schema__ raised <UnspeakableError object>"


class Leaving:
    @classmethod
    def __milo_schema__(cls, walk):
        raise SystemExit(3)


def test_a_hook_that_exits_is_an_error():
    with pytest.raises(SchemaError, match=r"__milo_schema__ raised SystemExit\(3\)"):
        type_to_schema(Leaving)


BOOLEANS = {
    "anyOf": [True, {"type": "string"}],
    "oneOf": [False],
    "properties": {"a": True, "b": {"items": False}},
    "additionalProperties": False,
    "unevaluatedProperties": True,
    "not": False,
    "default": {"anyOf": [True]},
}


OBJECTS = {
    "anyOf": [{}, {"type": "string"}],
    "oneOf": [{"not": {}}],
    "properties": {"a": {}, "b": {"items": False}},
    "additionalProperties": False,
    "unevaluatedProperties": True,
    "not": False,
    "default": {"anyOf": [True]},
}


@dataclass
class Point:
    x: int


class Booleans:
    @classmethod
    def __milo_schema__(cls, walk):
        return {**BOOLEANS, "contains": walk.schema(Point)}


def test_a_boolean_schema_in_a_list_or_map_is_written_as_an_object():
    """JSON Schema Core, section 4.3.2: ``true`` is ``{}``, ``false`` is ``{"not": {}}``."""
    point = type_to_schema(Point)
    assert type_to_schema(Booleans) == {**OBJECTS, "contains": point}
    assert type_to_schema(Annotated[Any, Schema(BOOLEANS)]) == OBJECTS
    shop = profiles.MILO.with_types({complex: BOOLEANS})
    assert type_to_schema(complex, profile=shop) == OBJECTS
    assert type_to_schema(complex | None, profile=shop) == {"anyOf": [OBJECTS, {"type": "null"}]}


class NullFirst:
    @classmethod
    def __milo_schema__(cls, _walk):
        return {"anyOf": [{"type": "null"}, {"type": "string"}]}


def test_a_union_that_a_hook_writes_keeps_its_order():
    assert exact(list[NullFirst]) == array_of({"anyOf": [{"type": "null"}, {"type": "string"}]})


class Hen:
    @classmethod
    def __milo_schema__(cls, walk):
        return walk.schema(Egg)


class Egg:
    @classmethod
    def __milo_schema__(cls, walk):
        return walk.schema(Hen)


class Chick:
    @classmethod
    def __milo_schema__(cls, walk):
        return {"anyOf": [{"type": "null"}, walk.schema(Chick)]}


@pytest.mark.parametrize("annotation", [Hen, dict[str, Hen], list[Hen | None], Chick])
@pytest.mark.parametrize("inline", [True, False, "auto"])
def test_hooks_that_only_refer_to_each_other_are_refused(annotation, inline):
    with pytest.raises(SchemaError, match="refers directly to itself; put a container in between"):
        type_to_schema(annotation, profile=profiles.MCP.replace(inline=inline))


T = TypeVar("T")


@dataclass
class Box(Generic[T]):
    item: T

    @classmethod
    def __milo_schema__(cls, walk):
        return {"type": "object"}


@dataclass
class Shelf(Generic[T]):
    box: Box[list[T]]


def test_values_of_a_generic_class_with_a_hook_have_the_types_of_each_place():
    def store(numbers: Shelf[int], texts: Shelf[bytes]): ...

    given = {"numbers": {"box": {"item": [1]}}, "texts": {"box": {"item": ["YQ=="]}}}
    bound = bind(store, given, profile=profiles.MCP)
    assert bound.kwargs == {"numbers": Shelf(Box([1])), "texts": Shelf(Box([b"a"]))}


class Raising:
    def __get__(self, instance: Any, owner: Any) -> Any:
        raise RuntimeError("not here")


class Unasked:
    __milo_schema__ = Raising()


class Unread:
    __milo_from_json__ = Raising()

    @classmethod
    def __milo_schema__(cls, walk: Any) -> dict[str, Any]:
        return {"type": "string"}


class Unreadable:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> dict[str, Any]:
        return {"type": "string"}


def test_a_hook_that_raises_when_it_is_looked_up_is_an_error_with_its_place():
    with pytest.raises(SchemaError) as caught:
        type_to_schema(list[Unasked])
    reason = "Unasked.__milo_schema__ raised RuntimeError('not here')"
    assert (caught.value.message, caught.value.path) == (reason, "list[Unasked][]")
    assert caught.value.code == "user-code"
    with pytest.raises(RuntimeError, match="not here"):  # a bug of the program, as in a validator
        json_to_value("a", Unread)


def test_a_class_that_cannot_be_read_refuses_a_call_that_passes_it():
    def find(x: Unreadable | None = None): ...

    assert bind(find, {}).kwargs == {}
    with pytest.raises(ArgumentsError, match="cannot read Unreadable from JSON; add the classmeth"):
        bind(find, {"x": "a"})
