"""Functions: plain, asynchronous, generators, and those that are written in C."""

import functools
from typing import Any

import pytest

from milo_schema import SchemaError, SchemaWarning, function_to_schema
from milo_schema.arguments import binder
from tests.callables.helpers import ANYTHING, PORT, gives, takes
from tests.fragments import BOOLEAN, STRING
from tests.inside import is_compiled, module_of

# -- functions ---------------------------------------------------------------------------------


def connect(host: str, port: int = 443) -> bool: ...


def test_a_function():
    takes(connect, {"host": STRING, "port": PORT}, ["host"])
    gives(connect, BOOLEAN)


def test_a_lambda_has_no_annotations():
    guessed = {"host": STRING, "port": STRING | {"default": 443}}
    exact = {"host": ANYTHING, "port": {"default": 443}}
    takes(lambda host, port=443: None, guessed, ["host"], exact=exact)
    gives(lambda: None, None)


# -- builtins ----------------------------------------------------------------------------------


def test_a_builtin_with_a_text_signature():
    takes(len, {"obj": STRING}, ["obj"], exact={"obj": ANYTHING})
    gives(len, None)


def test_a_method_of_a_builtin():
    parameters = {"sep": STRING, "maxsplit": STRING}
    defaults: dict[str, Any] = {"sep": {"default": None}, "maxsplit": {"default": -1}}
    takes(
        "a b".split,
        {name: {**parameters[name], **defaults[name]} for name in parameters},
        exact=defaults,
    )
    takes([].append, {"object": STRING}, ["object"], exact={"object": ANYTHING})


def test_an_unbound_method_of_a_builtin_has_no_self():
    with pytest.warns(
        SchemaWarning, match=r"list.append: its 'self' is missing; pass list\(\).app"
    ):
        takes(list.append, {"object": STRING}, ["object"], exact={"object": ANYTHING})
    with pytest.raises(SchemaError, match=r"its 'self' is missing; pass list\(\).append$"):
        binder(list.append)
    assert function_to_schema("a".replace)["required"] == ["old", "new"]


def test_a_builtin_without_a_text_signature_is_an_error():
    with pytest.raises(SchemaError) as caught:
        function_to_schema(getattr)
    way_out = "wrap it in a function with annotations"
    assert caught.value.message == f"it is written in C and has no signature; {way_out}"
    assert caught.value.path == "getattr"
    assert type(caught.value.__cause__.__cause__) is ValueError


def test_a_very_long_name_is_shortened_in_an_error():
    def f(x: complex): ...

    f.__name__ = f.__qualname__ = "f" * 5_000
    with pytest.raises(SchemaError) as caught:
        function_to_schema(f, strict=True)
    assert caught.value.path == f"{'f' * 77}...(x)"


@pytest.mark.parametrize(
    ("func", "expected"),
    [(len, "builtins"), ("".join, None), (str.join, None)],
    ids=["function", "bound method", "method"],
)
def test_a_compiled_function_has_the_names_of_its_module(func, expected):
    assert is_compiled(func)
    assert module_of(func) == expected


@pytest.mark.parametrize(
    "func",
    [int, lambda: 1, functools.partial(len), property(len)],
    ids=lambda it: type(it).__name__,
)
def test_a_class_and_a_function_in_python_are_not_compiled(func):
    assert not is_compiled(func)
