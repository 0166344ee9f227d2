"""Methods: bound and unbound, class methods, static methods, partial methods."""

import abc
import functools
import types
from typing import Self

import pytest

from milo_schema import SchemaError, SchemaWarning, function_to_schema, tool_schema
from milo_schema.arguments import binder
from milo_schema.checks import check
from tests.callables.helpers import PORT, Shape, takes
from tests.callables.samples import NAME, Service
from tests.every import every
from tests.fragments import BOOLEAN, INTEGER, NUMBER, STRING
from tests.modules import module_from


def test_a_raw_class_method_has_no_cls():
    method = vars(Service)["create"]
    reason = "its 'cls' is missing; pass Service.create"
    with pytest.warns(SchemaWarning, match=reason):
        takes(method, {"name": STRING}, ["name"])
    with pytest.raises(SchemaError, match=reason):
        function_to_schema(method, strict=True)
    with pytest.raises(SchemaError, match=reason):
        binder(method)
    assert [each.message for each in check(method)][:1] == [reason]


class Special(Service): ...


class Comparison:
    @staticmethod
    def compare(self: int, other: int): ...  # noqa: PLW0211 - the point

    def typed(self: Self, other: int): ...
    def only_variadic(*args: int, key: str = "k"): ...
    def positional_only(self, other: int, /): ...


class Remote:
    def call(self, method: str, path: str, times: int = 1): ...

    get = functools.partialmethod(call, "GET")
    twice = functools.partialmethod(call, times=2)


class Base(abc.ABC):
    @abc.abstractmethod
    def run(self, name: str) -> int: ...


def compare(self: int, other: int): ...
def greet(who: str, times: int): ...


ONCE = {"type": "integer", "default": 1}
BOTH = {"self": INTEGER, "other": INTEGER}
OTHER, KEY = {"other": INTEGER}, {"key": STRING | {"default": "k"}}
TARGET, PATH = {"target": STRING, "times": ONCE}, {"path": STRING, "times": ONCE}
TWICE = {"method": STRING, "path": STRING, "times": {"type": "integer", "default": 2}}
SHAPES = {
    "bound": Shape(Service("a").deploy, TARGET, ["target"], BOOLEAN),
    "unbound": Shape(Service.deploy, TARGET, ["target"], BOOLEAN, options={"strict": True}),
    "inherited": Shape(Special("a").deploy, TARGET, ["target"]),
    "inherited and unbound": Shape(Special.deploy, TARGET, ["target"]),
    "async": Shape(Service("a").wait, {"seconds": NUMBER}, ["seconds"], INTEGER),
    "async and unbound": Shape(Service.wait, {"seconds": NUMBER}, ["seconds"], INTEGER),
    "abstract": Shape(Base.run, NAME, ["name"], INTEGER),
    "class": Shape(Service.create, NAME, ["name"]),
    "class, of an instance": Shape(Service("a").create, NAME, ["name"]),
    "class, inherited": Shape(Special.create, NAME, ["name"]),
    "static": Shape(Service.check, {"port": INTEGER}, ["port"], BOOLEAN),
    "static, of an instance": Shape(Service("a").check, {"port": INTEGER}, ["port"], BOOLEAN),
    "static, not looked up": Shape(vars(Service)["check"], {"port": INTEGER}, ["port"], BOOLEAN),
    "a function with self": Shape(compare, BOTH, ["self", "other"]),
    "static with self": Shape(Comparison.compare, BOTH, ["self", "other"]),
    "static with self, not looked up":
        Shape(vars(Comparison)["compare"], BOTH, ["self", "other"]),
    "annotated self": Shape(Comparison.typed, OTHER, ["other"]),
    "annotated self, bound": Shape(Comparison().typed, OTHER, ["other"]),
    "self in *args": Shape(Comparison.only_variadic, KEY),
    "self in *args, bound": Shape(Comparison().only_variadic, KEY),
    "positional-only self": Shape(Comparison.positional_only, OTHER, ["other"]),
    "positional-only self, bound": Shape(Comparison().positional_only, OTHER, ["other"]),
    "a function bound by hand":
        Shape(types.MethodType(greet, "you"), {"times": INTEGER}, ["times"]),
    "a class bound by hand": Shape(types.MethodType(Service, "name"), {"port": PORT}),
    "partial, by position": Shape(Remote().get, PATH, ["path"]),
    "partial, by position, unbound": Shape(Remote.get, PATH, ["path"]),
    "partial, by name": Shape(Remote().twice, TWICE, ["method", "path"]),
}  # fmt: skip


@every("fact", SHAPES)
def test_a_method_takes_what_a_call_of_it_takes(fact):
    """All but its ``self`` or ``cls``; a ``self`` that a caller passes is kept if annotated."""
    SHAPES[fact].hold()


def test_an_unreadable_class_affects_only_the_parameter_that_needs_it():
    module = module_from("""
        class Broken:
            def run(self, x: "int", y): ...

        Broken.__annotations__ = 5
    """)
    with pytest.warns(
        SchemaWarning, match=r"run\(x\): Broken.__annotations__ must be a dict, not an int"
    ):
        schema = function_to_schema(module.Broken.run)
    assert schema["properties"] == {"x": STRING, "y": STRING}


def test_a_bound_method_may_wrap_any_callable():
    def scale(factor: int, name: str): ...

    method = types.MethodType(functools.partial(scale), 3)
    assert function_to_schema(method)["properties"] == {"name": STRING}
    assert tool_schema(method, description="Scale.").name == "scale"
