"""Annotations that strict mode refuses."""

import abc as abstract
import numbers
import re
import types
import typing
from collections import abc
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypedDict, Union

from tests.cases.case import Case
from tests.cases.plain import Plain
from tests.cases.shared import WAY_OUT, P, T
from tests.fragments import INTEGER, NULL, STRING, Json, array_of, map_of, obj


class Shaped2D(Protocol):
    x: int


class Rows(abc.Collection[int], Protocol):
    def commit(self) -> None: ...


class Abstract(abstract.ABC):  # noqa: B024
    pass


class GenericPlain(Generic[T]):
    pass


@abc.MutableSequence.register
class Registered:
    """A sequence to ``issubclass()``, but not by its base classes."""


class Outer:
    @dataclass
    class Inner:
        bad: complex
        good: int = 0


class Broken(TypedDict):
    x: "Missing"  # type: ignore[name-defined]  # noqa: F821
    y: int


def _unknown(annotation: Any, shown: str = "", **rest: Any) -> Case:
    """A row for an annotation without any schema."""
    shown = shown or annotation.__name__
    return Case(
        annotation, mcp={}, milo=STRING, refused=(shown, f"no JSON Schema for {shown}"), **rest
    )


def _mistaken(annotation: Any, shown: str, reason: str, **rest: Any) -> Case:
    """A row for an object that is not a type."""
    return Case(annotation, mcp={}, milo=STRING, refused=(shown, reason), **rest)


_INNER: Json = obj(["bad"], bad={}, good={"type": "integer", "default": 0})
_INNER_MILO: Json = obj(["bad"], bad=STRING, good={"type": "integer", "default": 0})

REFUSED = [
    _unknown(complex),
    _unknown(Registered),
    _unknown(numbers.Number, id="numbers.Number"),
    _unknown(numbers.Real, id="numbers.Real"),
    _unknown(Plain),
    _unknown(GenericPlain[int], "GenericPlain[int]", id="GenericPlain[int]"),
    _unknown(Abstract),
    _unknown(Shaped2D),
    _unknown(Rows),
    _unknown(types.FunctionType),
    _unknown(types.ModuleType),
    _unknown(Exception),
    _unknown(abc.Callable, "Callable", id="Callable bare"),
    _unknown(abc.Callable[[int], str], "Callable[[int], str]", id="Callable[[int], str]"),
    _unknown(typing.Callable[..., int], "Callable[..., int]", id="Callable[..., int]"),
    _unknown(type, "type"),
    _unknown(type[int], "type[int]", id="type[int]"),
    _unknown(typing.Type[int], "type[int]", id="Type[int]"),
    _unknown(abc.Awaitable[int], "Awaitable[int]", id="Awaitable[int]"),
    _unknown(abc.Coroutine[Any, Any, int], "Coroutine[Any, Any, int]", id="Coroutine"),
    _unknown(abc.AsyncIterator[int], "AsyncIterator[int]", id="AsyncIterator[int]"),
    _unknown(abc.Sized, "Sized", id="Sized"),
    _unknown(re.Match[str], "Match[str]", id="re.Match[str]"),
    _unknown(P, "P", id="ParamSpec"),
    _unknown(Generic, "Generic", id="Generic"),
    _unknown(Protocol, "Protocol", id="Protocol bare"),
    _mistaken(3, "3", "3 is a value, not a type; write int or Literal[3]", id="a number"),
    _unknown(..., "...", id="..."),
    _mistaken([int], "[int]", "[int] is a list, not a type; write list[int]", id="a list"),
    Case(list[complex], mcp={"type": "array", "items": {}}, milo={"type": "array", "items": STRING},
         refused=("list[complex][]", "no JSON Schema for complex; " + WAY_OUT), id="list[complex]"),
    Case(tuple[int, complex], mcp={"type": "array", "prefixItems": [INTEGER, {}], "minItems": 2,
           "maxItems": 2}, milo={"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2,
           "maxItems": 2}, refused=("tuple[int, complex][1]", "no JSON Schema for complex"),
         id="tuple[int, complex]"),
    Case(int | type, mcp=INTEGER, refused=("int | type", "no JSON Schema for type"),
         id="int | type"),
    Case(Exception | type, mcp={}, milo=STRING,
         refused=("Exception | type", "no JSON Schema for Exception"), id="Exception | type"),
    Case("list[Missing] | Missing | int", mcp={},
         milo={"anyOf": [array_of(STRING), STRING, INTEGER]},
         refused=("'list[Missing] | Missing | int'[]", "no 'Missing'"),
         id="names that are missing"),
    Case("Missing | None", mcp={}, milo={"anyOf": [STRING, NULL]},
         refused=("'Missing | None'", "no 'Missing'"), id="a name that is missing, or None"),
    Case(Shaped2D | int, mcp={}, milo={"anyOf": [STRING, INTEGER]},
         refused=("Shaped2D | int", "no JSON Schema for Shaped2D"), id="a protocol or an integer"),
    Case(Union[abc.Sized, abc.Container[int], None], mcp={}, milo={"anyOf": [STRING, NULL]},
         refused=("Sized | Container[int] | None", "no JSON Schema for Sized"),
         id="Sized | Container | None"),
    Case(Outer.Inner, mcp=_INNER, milo=_INNER_MILO,
         refused=("Outer.Inner.bad", "no JSON Schema for complex")),
    Case(dict[str, list[Outer.Inner]], mcp=map_of(array_of(_INNER)),
         milo=map_of(array_of(_INNER_MILO)), refused=("dict[str, list[Outer.Inner]]{}[].bad",
           "no JSON Schema for complex"), id="refused deep down"),
    Case(Broken, mcp=obj(["x", "y"], x={}, y=INTEGER), milo=obj(["x", "y"], x=STRING, y=INTEGER),
         refused=("Broken.x", "no 'Missing' in tests.cases.refused")),
    Case("Missing", mcp={}, milo=STRING, refused=("'Missing'", "no 'Missing'"),
         id="a name that is missing"),
    Case(
        list["1 +"],  # noqa: F722
        mcp=array_of({}),
        milo=array_of(STRING),
        refused=("list['1 +'][]", "cannot evaluate '1 +': SyntaxError"),
        id="a string that is no Python",
    ),
]  # fmt: skip
