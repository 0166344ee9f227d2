"""``functools.partial`` and ``functools.partialmethod``."""

import functools
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from milo_schema import function_to_schema
from tests.callables.helpers import PORT, gives, since_314, takes
from tests.callables.samples import HOST, SECURE, THROUGH, Greeter, Repo, Service, connect
from tests.fragments import BOOLEAN, INTEGER, STRING, array_of, record
from tests.modules import module_from

TARGET = {"target": STRING, "times": {"type": "integer", "default": 1}}


def test_a_partial_omits_parameters_bound_by_position():
    takes(functools.partial(connect, "a"), {"port": THROUGH, "secure": SECURE})
    gives(functools.partial(connect, "a"), BOOLEAN)


def test_a_partial_keeps_parameters_bound_by_name_as_defaults():
    bound = functools.partial(connect, port=80)
    port = {**THROUGH, "default": 80}
    takes(bound, {"host": HOST, "port": port, "secure": SECURE}, ["host"])


def test_a_parameter_that_a_partial_binds_by_name_is_optional():
    takes(
        functools.partial(connect, host="a"),
        {"host": {**HOST, "default": "a"}, "port": THROUGH, "secure": SECURE},
    )


def test_a_partial_of_a_partial():
    bound = functools.partial(functools.partial(connect, "a"), secure=False)
    takes(bound, {"port": THROUGH, "secure": {"type": "boolean", "default": False}})


def test_a_partial_with_update_wrapper():
    bound = functools.partial(connect, "a")
    functools.update_wrapper(bound, connect)
    takes(bound, {"port": THROUGH, "secure": SECURE})
    gives(bound, BOOLEAN)


def test_a_partial_with_its_own_docstring():
    bound = functools.partial(connect, "a")
    bound.__doc__ = """Connect to a.

    Args:
        port: The port of a.
    """
    takes(bound, {"port": {**THROUGH, "description": "The port of a."}, "secure": SECURE})


def test_a_partial_of_a_subclass():
    class Command(functools.partial):
        """A command."""

    takes(Command(connect, "a"), {"port": THROUGH, "secure": SECURE})


def test_a_partial_of_a_method():
    takes(functools.partial(Service("a").deploy, times=2), {
        "target": STRING, "times": {"type": "integer", "default": 2},
    }, ["target"])  # fmt: skip
    takes(functools.partial(Service.deploy, Service("a")), TARGET, ["target"])


def test_a_partial_of_a_class():
    takes(functools.partial(Service, "a"), {"port": PORT})


def test_a_partial_of_a_class_under_postponed_annotations():
    module = module_from(POSTPONED_CLASSES, future=True)
    more = {**array_of(STRING), "description": "More."}
    takes(functools.partial(module.Plain, 1), {"names": array_of(STRING)}, ["names"])
    takes(functools.partial(module.Server, []), {"more": more, "port": PORT}, ["more"])
    takes(
        functools.partial(module.Server, port=80),
        {"names": array_of(STRING), "more": more, "port": {"type": "integer", "default": 80}},
        ["names", "more"],
    )
    gives(functools.partial(module.Plain, 1), None)


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


def test_a_partial_of_a_generic_class():
    size = {"type": "integer", "default": 1}
    takes(functools.partial(Repo[int], 1), {"rest": array_of(INTEGER), "size": size}, ["rest"])


def test_a_partial_of_a_callable_object():
    takes(functools.partial(Greeter(), "you"), {"times": {"type": "integer", "default": 1}})


def test_a_partial_under_postponed_annotations():
    module = module_from(
        """
        import functools
        from decimal import Decimal

        def pay(who: str, amount: Decimal, note: str = "") -> Decimal: ...

        bound = functools.partial(pay, "me", note="thanks")
        """,
        future=True,
    )
    amount = function_to_schema(module.pay)["properties"]["amount"]
    note = {"type": "string", "default": "thanks"}
    takes(module.bound, {"amount": amount, "note": note}, ["amount"])
    assert amount.keys() == {"type", "pattern"}
    gives(module.bound, amount)


@since_314
def test_a_partial_with_a_placeholder():
    bound = functools.partial(connect, vars(functools)["Placeholder"], 80)
    takes(bound, {"host": HOST, "secure": SECURE}, ["host"])


def test_a_partial_ignores_the_docstring_of_the_class_partial():
    def plain(func: str): ...

    takes(functools.partial(plain), {"func": STRING}, ["func"])


T = TypeVar("T")


@dataclass
class Box(Generic[T]):
    value: T


class Resizer:
    Size = int

    def resize(self, size: "Size", box: "Box[int]", *, fast: bool): ...

    quickly = functools.partialmethod(resize, fast=True)


def test_strings_of_a_partial_method_refer_to_the_names_of_its_class():
    expected = {
        "type": "object",
        "properties": {
            "size": INTEGER,
            "box": record(value=INTEGER),
            "fast": {"type": "boolean", "default": True},
        },
        "required": ["size", "box"],
    }
    assert function_to_schema(Resizer.quickly, strict=True) == expected
    assert function_to_schema(Resizer().quickly, strict=True) == expected


def test_strings_of_a_wrapped_partial_refer_to_the_names_of_its_function():
    def wrapper(*args: Any, **kwargs: Any): ...

    wrapper.__wrapped__ = functools.partial(Resizer.resize, Resizer())  # type: ignore[attr-defined]
    schema = function_to_schema(wrapper, strict=True)
    assert list(schema["properties"]) == ["size", "box", "fast"]


def test_a_partial_of_an_unbound_method_omits_self():
    schema = function_to_schema(functools.partial(Resizer.resize, fast=True))
    assert list(schema["properties"]) == ["size", "box", "fast"]
