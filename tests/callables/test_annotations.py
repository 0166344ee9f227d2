"""Annotations of a signature: as they are, in strings, postponed, deferred."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

import pytest

from tests.callables.helpers import PORT, gives, since_314, takes, warnings_of
from tests.callables.samples import Service
from tests.fragments import INTEGER, NULL, STRING, any_of, array_of, map_of, obj, set_of
from tests.modules import module_from

T = TypeVar("T")
P = ParamSpec("P")


POSTPONED = """
    from dataclasses import dataclass
    from typing import Annotated

    from milo_schema import MinLen

    Names = list[str]

    @dataclass
    class Server:
        names: Names
        port: int = 443

    Some = Annotated[Names, MinLen(1)]

    def command(server: Server, names: Some, n: int | None = None) -> Server: ...

    class Fleet:
        Unit = int

        def grow(self, by: Unit, server: Server) -> Unit: ...
"""


SERVER = obj(["names"], names=array_of(STRING), port=PORT)


@pytest.mark.parametrize("future", [True, False], ids=["postponed", "as they are"])
def test_annotations_postponed_or_not(future):
    """PEP 563; and from 3.14 on, PEP 649."""
    module = module_from(POSTPONED, future=future)
    given = {"server": SERVER, "names": array_of(STRING) | {"minItems": 1}}
    exact = {"n": any_of(INTEGER, NULL) | {"default": None}}
    takes(module.command, {**given, "n": INTEGER | {"default": None}}, [*given], exact=exact)
    gives(module.command, SERVER)
    takes(module.Fleet().grow, {"by": INTEGER, "server": SERVER}, ["by", "server"])
    takes(module.Fleet.grow, {"by": INTEGER, "server": SERVER}, ["by", "server"])
    gives(module.Fleet().grow, INTEGER)


@since_314
def test_deferred_annotations_may_name_what_comes_later():
    module = module_from("""
        from dataclasses import dataclass

        def command(server: Server, more: list[Server]) -> Server: ...

        @dataclass
        class Server:
            names: Names
            port: int = 443

        Names = list[str]
    """)
    takes(module.command, {"server": SERVER, "more": array_of(SERVER)}, ["server", "more"])
    gives(module.command, SERVER)


def test_names_of_a_closure():
    def make():
        Number = int  # noqa: N806 - it is a type

        def command(a: "Number", b: "list[Number]") -> "Number":
            return Number(a)

        return command

    takes(make(), {"a": INTEGER, "b": array_of(INTEGER)}, ["a", "b"])
    gives(make(), INTEGER)


def test_names_of_the_body_of_a_nested_class():
    unit = {"type": "string", "enum": ["s", "m"]}
    takes(Service.Inner().measure, {"unit": unit}, ["unit"])
    gives(Service.Inner.measure, unit)


def test_names_of_the_body_of_the_class_that_wrote_an_inherited_method():
    module = module_from("""
        class Base:
            Unit = int
            def grow(self, by: "Unit") -> "Unit": ...
    """)

    class Derived(module.Base):
        Unit = str

    takes(Derived().grow, {"by": INTEGER}, ["by"])
    gives(Derived().grow, INTEGER)


def test_names_of_the_module_that_wrote_an_inherited_constructor():
    module = module_from("""
        Unit = int
        class Base:
            def __init__(self, by: "Unit"): ...
    """)

    class Derived(module.Base): ...

    takes(Derived, {"by": INTEGER}, ["by"])


@pytest.mark.parametrize("future", [True, False], ids=["postponed", "as they are"])
def test_methods_do_not_hide_types(future):
    """A client has a method ``list``, a model has a method ``dict``: those are not types."""
    module = module_from(
        """
        class Client:
            def find(
                self, names: list[str], kind: set[int], at: tuple[str, ...]
            ) -> dict[str, int]: ...
            def list(self): ...
            @classmethod
            def dict(cls): ...
            @property
            def set(self): ...
            @staticmethod
            def tuple(): ...
            str = "str"
        """,
        future=future,
    )
    for find in (module.Client().find, module.Client.find):
        given = {"names": array_of(STRING), "kind": set_of(INTEGER), "at": array_of(STRING)}
        takes(find, given, [*given])
        gives(find, map_of(INTEGER))


def test_a_callable_parameter_has_no_schema():
    def command(callback: Callable[Concatenate[int, P], str], other: Callable[P, T], c: int): ...

    assert [text.partition(";")[0] for text in warnings_of(command)] == [
        "command(callback): no JSON Schema for Callable[[Concatenate[int, P]], str]",
        "command(other): no JSON Schema for Callable[[P], T]",
    ]
