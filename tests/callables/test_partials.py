"""``functools.partial`` and ``functools.partialmethod``."""

import functools
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from milo_schema import function_to_schema
from tests.callables.helpers import PORT, Shape, gives, since_314, takes
from tests.callables.samples import HOST, SECURE, THROUGH, Greeter, Repo, Service, connect
from tests.every import every
from tests.fragments import BOOLEAN, INTEGER, STRING, array_of, obj, record
from tests.modules import module_from

TARGET = {"target": STRING, "times": {"type": "integer", "default": 1}}


class Command(partial):
    """A command."""


def plain(func: str): ...


ONE_MORE = {"times": {"type": "integer", "default": 1}}
REST = {"port": THROUGH, "secure": SECURE}
TWICE = {"target": STRING, "times": {"type": "integer", "default": 2}}
SHAPES = {
    "a position is left out": Shape(partial(connect, "a"), REST, [], BOOLEAN),
    "a name is a default": Shape(
        partial(connect, port=80), {"host": HOST, **REST, "port": {**THROUGH, "default": 80}},
        ["host"]),
    "a required name is optional": Shape(
        partial(connect, host="a"), {"host": {**HOST, "default": "a"}, **REST}),
    "a partial of a partial": Shape(
        partial(partial(connect, "a"), secure=False),
        {"port": THROUGH, "secure": {**SECURE, "default": False}}),
    "one with the attributes of its function": Shape(
        functools.update_wrapper(partial(connect, "a"), connect), REST, [], BOOLEAN),
    "a subclass": Shape(Command(connect, "a"), REST),
    "a bound method": Shape(partial(Service("a").deploy, times=2), TWICE, ["target"]),
    "a method with its self": Shape(partial(Service.deploy, Service("a")), TARGET, ["target"]),
    "a class": Shape(partial(Service, "a"), {"port": PORT}),
    "a generic class": Shape(
        partial(Repo[int], 1), {"rest": array_of(INTEGER), "size": ONE_MORE["times"]}, ["rest"]),
    "a callable object": Shape(partial(Greeter(), "you"), ONE_MORE),
    "a parameter with the name of a parameter of partial": Shape(
        partial(plain), {"func": STRING}, ["func"]),
}  # fmt: skip


@every("fact", SHAPES)
def test_a_partial_takes_what_is_left(fact):
    SHAPES[fact].hold()


def test_a_partial_with_its_own_docstring():
    bound = partial(connect, "a")
    bound.__doc__ = """Connect to a.

    Args:
        port: The port of a.
    """
    takes(bound, {"port": {**THROUGH, "description": "The port of a."}, "secure": SECURE})


def test_a_partial_of_a_class_under_postponed_annotations():
    module = module_from(POSTPONED_CLASSES, future=True)
    more = {**array_of(STRING), "description": "More."}
    takes(partial(module.Plain, 1), {"names": array_of(STRING)}, ["names"])
    takes(partial(module.Server, []), {"more": more, "port": PORT}, ["more"])
    takes(
        partial(module.Server, port=80),
        {"names": array_of(STRING), "more": more, "port": {"type": "integer", "default": 80}},
        ["names", "more"],
    )
    gives(partial(module.Plain, 1), None)


POSTPONED_CLASSES = """
    from dataclasses import dataclass

    Names = list[str]

    class Plain:
        def __init__(self, size: int, names: Names): ...

    @dataclass
    class Server:
        \"\"\"A server.

        Attributes:
            more: More.
        \"\"\"

        names: Names
        more: Names
        port: int = 443
"""


@since_314
def test_a_partial_with_a_placeholder():
    bound = partial(connect, vars(functools)["Placeholder"], 80)
    takes(bound, {"host": HOST, "secure": SECURE}, ["host"])


T = TypeVar("T")


@dataclass
class Box(Generic[T]):
    value: T


class Resizer:
    Size = int

    def resize(self, size: "Size", box: "Box[int]", *, fast: bool): ...

    quickly = functools.partialmethod(resize, fast=True)


def test_strings_of_a_partial_method_refer_to_the_names_of_its_class():
    expected = obj(
        ["size", "box"],
        size=INTEGER,
        box=record(value=INTEGER),
        fast={"type": "boolean", "default": True},
    )
    assert function_to_schema(Resizer.quickly, strict=True) == expected
    assert function_to_schema(Resizer().quickly, strict=True) == expected


def test_strings_of_a_wrapped_partial_refer_to_the_names_of_its_function():
    def wrapper(*args: Any, **kwargs: Any): ...

    wrapper.__wrapped__ = partial(Resizer.resize, Resizer())  # type: ignore[attr-defined]
    schema = function_to_schema(wrapper, strict=True)
    assert list(schema["properties"]) == ["size", "box", "fast"]


def test_a_partial_of_an_unbound_method_omits_self():
    schema = function_to_schema(partial(Resizer.resize, fast=True))
    assert list(schema["properties"]) == ["size", "box", "fast"]
