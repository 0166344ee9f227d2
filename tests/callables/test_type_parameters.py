"""Type variables, type parameters and ``Self`` in signatures."""

from dataclasses import dataclass
from typing import ParamSpec, Self, TypeVar, TypeVarTuple, Unpack

import pytest
import typing_extensions

from tests.callables.helpers import ANYTHING, PORT, gives, since_312, since_313, takes
from tests.callables.samples import Repo
from tests.fragments import INTEGER, NUMBER, STRING, any_of, array_of, fixed, map_of, obj, record
from tests.modules import module_from

T = TypeVar("T")
P = ParamSpec("P")
Ts = TypeVarTuple("Ts")


# -- generic classes ---------------------------------------------------------------------------


def test_a_generic_class():
    size = {"type": "integer", "default": 1}
    for repo, item in ((Repo[int], INTEGER), (Repo, ANYTHING)):
        given = {"first": item, "rest": array_of(item), "size": size}
        takes(repo, given, ["first", "rest"])


def test_a_method_of_a_generic_instance():
    takes(Repo[int](1, []).add, {"item": INTEGER, "more": map_of(INTEGER)}, ["item", "more"])
    gives(Repo[int](1, []).add, INTEGER)
    takes(Repo.add, {"item": ANYTHING, "more": map_of(True)}, ["item", "more"])


def test_a_method_inherited_from_a_generic_class():
    class Numbers(Repo[float]): ...

    takes(Numbers(1.0, []).add, {"item": NUMBER, "more": map_of(NUMBER)}, ["item", "more"])
    takes(Numbers.load, {"item": NUMBER}, ["item"])
    size = {"type": "integer", "default": 1}
    takes(Numbers, {"first": NUMBER, "rest": array_of(NUMBER), "size": size}, ["first", "rest"])


# -- signatures --------------------------------------------------------------------------------


@since_312
def test_type_parameters_of_a_function():
    module = module_from("""
        def first[T: int, U: (int, str), V](a: T, b: list[U], c: V) -> T: ...
        def quoted[T: int](a: "T", b: "list[T]") -> "T": ...
        type Pair[T] = tuple[T, T]
        def pair[T: int](a: Pair[T], b: Pair[str]) -> Pair[T]: ...
    """)
    either = any_of(INTEGER, STRING)
    takes(module.first, {"a": INTEGER, "b": array_of(either), "c": ANYTHING}, ["a", "b", "c"])
    gives(module.first, INTEGER)
    takes(module.quoted, {"a": INTEGER, "b": array_of(INTEGER)}, ["a", "b"])
    gives(module.quoted, INTEGER)
    ints, strings = fixed(INTEGER, INTEGER), fixed(STRING, STRING)
    takes(module.pair, {"a": ints, "b": strings}, ["a", "b"])
    gives(module.pair, ints)


@since_312
@pytest.mark.parametrize("future", [True, False], ids=["postponed", "as they are"])
def test_type_parameters_of_a_class_and_its_methods(future):
    module = module_from(
        """
        class Repo[T]:
            def __init__(self, first: T, rest: list[T]): ...
            def add[K: str](self, key: K, item: T) -> dict[K, T]: ...
        """,
        future=future,
    )
    takes(module.Repo[int], {"first": INTEGER, "rest": array_of(INTEGER)}, ["first", "rest"])
    repo = module.Repo[int](1, [])
    takes(repo.add, {"key": STRING, "item": INTEGER}, ["key", "item"])
    gives(repo.add, map_of(INTEGER))
    takes(module.Repo.add, {"key": STRING, "item": ANYTHING}, ["key", "item"])


@since_313
def test_type_parameters_with_defaults():
    module = module_from("""
        def first[T = int](a: T) -> T: ...
        class Repo[T = int]:
            def __init__(self, item: T): ...
    """)
    takes(module.first, {"a": INTEGER}, ["a"])
    takes(module.Repo, {"item": INTEGER}, ["item"])
    takes(module.Repo[str], {"item": STRING}, ["item"])


@dataclass
class Node:
    name: str

    def replace(self, other: Self, more: list[Self]) -> Self: ...
    def copy(self) -> Self: ...

    @classmethod
    def parse(cls, text: str) -> typing_extensions.Self: ...


@dataclass
class Leaf(Node):
    size: int = 443


NODE, LEAF = record(name=STRING), obj(["name"], name=STRING, size=PORT)


def test_self_is_the_class_of_the_method_or_the_one_that_it_is_called_on():
    for replace in (Node("a").replace, Node.replace):
        takes(replace, {"other": NODE, "more": array_of(NODE)}, ["other", "more"], strict=True)
        gives(replace, NODE)
    gives(Node.parse, NODE)
    gives(Leaf("a").copy, LEAF)


def test_parameter_specifications_are_not_properties():
    def retried(times: int, *args: P.args, **kwargs: P.kwargs) -> T: ...

    takes(retried, {"times": INTEGER}, ["times"], extra=None)
    gives(retried, ANYTHING)


def test_variadic_type_variables():
    def command(shape: tuple[int, Unpack[Ts]], *args: Unpack[Ts]): ...

    shape = {"type": "array", "prefixItems": [INTEGER], "items": ANYTHING, "minItems": 1}
    takes(command, {"shape": shape}, ["shape"])
