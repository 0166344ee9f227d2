"""Methods: bound and unbound, class methods, static methods, partial methods."""

import abc
import functools
import types
from typing import Self

import pytest

from milo_schema import SchemaError, SchemaWarning, function_to_schema, tool_schema
from milo_schema.arguments import binder
from milo_schema.checks import check
from tests.callables.helpers import PORT, gives, takes
from tests.callables.samples import Service
from tests.fragments import BOOLEAN, INTEGER, NUMBER, STRING
from tests.modules import module_from

TARGET = {"target": STRING, "times": {"type": "integer", "default": 1}}


def test_a_bound_method_has_no_self():
    takes(Service("a").deploy, TARGET, ["target"])
    gives(Service("a").deploy, BOOLEAN)


def test_an_unbound_method_has_no_self():
    takes(Service.deploy, TARGET, ["target"], strict=True)
    gives(Service.deploy, BOOLEAN)


def test_an_async_method_outputs_its_return_value():
    takes(Service("a").wait, {"seconds": NUMBER}, ["seconds"])
    gives(Service("a").wait, INTEGER)
    gives(Service.wait, INTEGER)


@pytest.mark.parametrize("service", [Service, Service("a")], ids=["class", "instance"])
def test_a_class_method_has_no_cls(service):
    takes(service.create, {"name": STRING}, ["name"])


@pytest.mark.parametrize("service", [Service, Service("a")], ids=["class", "instance"])
def test_a_static_method_keeps_every_parameter(service):
    takes(service.check, {"port": INTEGER}, ["port"])
    gives(service.check, BOOLEAN)


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


def test_a_raw_static_method_keeps_every_parameter():
    takes(vars(Service)["check"], {"port": INTEGER}, ["port"])
    gives(vars(Service)["check"], BOOLEAN)


def test_an_inherited_method():
    class Special(Service): ...

    takes(Special("a").deploy, TARGET, ["target"])
    takes(Special.deploy, TARGET, ["target"])
    takes(Special.create, {"name": STRING}, ["name"])


def test_a_parameter_named_self_of_a_plain_function_is_kept_if_annotated():
    def compare(self: int, other: int): ...

    takes(compare, {"self": INTEGER, "other": INTEGER}, ["self", "other"])


def test_a_parameter_named_self_of_a_static_method_is_kept_if_annotated():
    takes(Comparison.compare, {"self": INTEGER, "other": INTEGER}, ["self", "other"])
    takes(vars(Comparison)["compare"], {"self": INTEGER, "other": INTEGER}, ["self", "other"])


class Comparison:
    @staticmethod
    def compare(self: int, other: int): ...  # noqa: PLW0211 - the point

    def typed(self: Self, other: int): ...

    def only_variadic(*args: int, key: str = "k"): ...

    def positional_only(self, other: int, /): ...


def test_an_annotated_self_of_a_method_is_left_out():
    takes(Comparison.typed, {"other": INTEGER}, ["other"])
    takes(Comparison().typed, {"other": INTEGER}, ["other"])


def test_a_method_may_take_its_self_as_a_variadic():
    takes(Comparison().only_variadic, {"key": {"type": "string", "default": "k"}})
    takes(Comparison.only_variadic, {"key": {"type": "string", "default": "k"}})


def test_a_method_may_have_its_self_positional_only():
    takes(Comparison.positional_only, {"other": INTEGER}, ["other"])
    takes(Comparison().positional_only, {"other": INTEGER}, ["other"])


def test_a_function_bound_by_hand_has_no_first_parameter():
    def greet(who: str, times: int): ...

    takes(types.MethodType(greet, "you"), {"times": INTEGER}, ["times"])


def test_a_class_bound_as_a_method():
    takes(types.MethodType(Service, "name"), {"port": PORT})


def test_a_partial_method():
    class Remote:
        def call(self, method: str, path: str, times: int = 1): ...

        get = functools.partialmethod(call, "GET")
        twice = functools.partialmethod(call, times=2)

    times = {"type": "integer", "default": 1}
    takes(Remote().get, {"path": STRING, "times": times}, ["path"])
    twice = {"method": STRING, "path": STRING, "times": {"type": "integer", "default": 2}}
    takes(Remote().twice, twice, ["method", "path"])
    takes(Remote.get, {"path": STRING, "times": times}, ["path"])


def test_an_abstract_method():
    class Base(abc.ABC):
        @abc.abstractmethod
        def run(self, name: str) -> int: ...

    takes(Base.run, {"name": STRING}, ["name"])
    gives(Base.run, INTEGER)


class Base:
    def run(self, name: str):
        """Run it.

        Args:
            name: Who.
        """

    def __call__(self, name: str):
        """Call it.

        Args:
            name: Who.
        """


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
