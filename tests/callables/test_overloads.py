"""A function with overloads is read by the signature of its implementation."""

import functools
from collections.abc import Callable
from typing import Any, overload

import pytest

from milo_schema import function_to_schema, profiles
from milo_schema.arguments import bind
from tests.fragments import obj


@overload
def find(*, number: int) -> str: ...
@overload
def find(*, name: str) -> str: ...
def find(*, number: int = 0, name: str = "") -> str:
    return f"{number} {name}"


class Store:
    """A class with a method that has overloads."""

    @overload
    def get(self, number: int) -> str: ...
    @overload
    def get(self, *, name: str) -> str: ...
    def get(self, number: int = 0, name: str = "") -> str:
        return f"{number} {name}"


def decorate(func: Callable[..., Any]) -> Any:
    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    return wrapper


@pytest.mark.parametrize(
    "func",
    [find, Store().get, decorate(Store().get)],
    ids=["function", "method", "decorated"],
)
def test_the_implementation_is_described_and_called(func):
    assert function_to_schema(func, profile=profiles.MCP) == obj(
        [], number={"type": "integer", "default": 0}, name={"type": "string", "default": ""}
    ) | {"additionalProperties": False}
    for given in ({}, {"number": 1}, {"number": 1, "name": "a"}):
        assert bind(func, given, profile=profiles.MCP).kwargs == given
