"""What lies, raises or never ends: a schema or a `SchemaError` with a place, and nothing else."""

import dataclasses
import enum
import functools
import inspect
import json
import sys
import types
import typing
import unittest.mock
import warnings
from collections.abc import Callable
from typing import Annotated, Any, ForwardRef, Generic, Literal, NewType, Optional, TypeVar, Union

import pytest
import typing_extensions

from milo_schema import (
    Description,
    Pattern,
    SchemaError,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)


class Meta(type):
    """A metaclass all of whose code raises."""

    def _raise(cls, *_: object) -> Any:
        raise ZeroDivisionError

    __getattr__ = __eq__ = __call__ = __instancecheck__ = __subclasscheck__ = _raise
    __hash__ = __repr__ = _raise  # type: ignore[assignment]
    __name__ = __annotations__ = __dataclass_fields__ = property(_raise)  # type: ignore[assignment]


Hostile = Meta("Hostile", (), {})
HostileString = Meta("HostileString", (str,), {})


class Chameleon(type):
    """A metaclass whose classes say that they are ``int``, and have every attribute."""

    def __hash__(cls):
        return hash(int)

    def __eq__(cls, other):
        return True

    def __getattr__(cls, name):
        return cls


class Poser:
    """An object with all the attributes of annotations."""

    __origin__ = list
    __args__ = (int,)
    __metadata__ = (1,)
    __unpacked__ = True
    __supertype__ = __value__ = __bound__ = int


class Closed:
    def __getattribute__(self, name):
        raise ZeroDivisionError


class Mute:
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self):
        raise ZeroDivisionError

    __eq__ = __repr__  # type: ignore[assignment]


def body(**attributes: Any) -> type:
    """A class that claims to be what it is not."""
    return type("Liar", (), attributes)


def hook(result: Callable[[Any, Any], Any]) -> type:
    return type("Hooked", (), {"__milo_schema__": classmethod(result)})


def wrong_annotations() -> type:
    @dataclasses.dataclass
    class Wrong:
        x: int

    Wrong.__annotations__ = {"x": Closed(), "y": 3}
    return Wrong


def cycle() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


def cyclic_schema(cls: Any, walk: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    schema["not"] = schema
    return schema


class Parameters(Generic[TypeVar("T")]):  # type: ignore[misc]
    __parameters__ = 7


def alias(origin: Any, *args: Any) -> Any:
    return types.GenericAlias(origin, args)


ANNOTATIONS: dict[str, Any] = {
    "metaclass that raises": Hostile,
    "str with a metaclass that raises": HostileString,
    "metaclass that lies": Chameleon("Lizard", (), {}),
    "object with attributes of annotations": Poser(),
    "class with attributes of annotations": Poser,
    "object without attributes": Closed(),
    "object that cannot be shown": Mute(),
    "class of objects that cannot be shown": Mute,
    "dataclass of an integer": body(__dataclass_fields__={"x": 1}),
    "dataclass of a mock": body(__dataclass_fields__={"x": unittest.mock.Mock()}),
    "namedtuple of wrong defaults": type("T", (tuple,), {"_fields": ("a",), "_field_defaults": 3}),
    "namedtuple of wrong names": type("T", (tuple,), {"_fields": (1, None)}),
    "attributes of an enum": body(_member_map_=3),
    "attributes of attrs": body(__attrs_attrs__=5),
    "parameters that are no tuple": Parameters,
    "bases that are no types": body(__orig_bases__=(1, list[int], "x"), __annotations__={1: 2}),
    "docstring that is no string": body(__doc__=5),
    "annotations that raise": wrong_annotations(),
    "hook that gives None": hook(lambda cls, walk: None),
    "hook that is no method": body(__milo_schema__=5),
    "hook that contains itself": hook(lambda cls, walk: walk.schema(list[cls])),
    "hook that is itself": hook(lambda cls, walk: walk.schema(cls)),
    "hook with a cycle": hook(cyclic_schema),
    "hook with malformed keywords": hook(lambda cls, walk: {"properties": 3, "anyOf": "x"}),
    "hook with an object": hook(lambda cls, walk: {"x": object()}),
    "hook that raises": hook(lambda cls, walk: 1 / 0),
    "enormous name": type("X" * 100_000, (), {}),
    "enum of objects": enum.Enum("E", {"A": object(), "B": float("nan")}),
    "enum of classes": enum.Enum("E", {"A": Mute}),
    "mock": unittest.mock.Mock(),
    "magic mock": unittest.mock.MagicMock(),
    "mock of a class": unittest.mock.Mock(spec=list),
    "list that contains itself": cycle(),
    "function": len,
    "NotImplemented": NotImplemented,
    "Ellipsis": ...,
    "module": types.ModuleType("x"),
    "enormous string": "x" * 100_000,
    "deep string": "[" * 5_000,
    "string that raises": "1/0",
    "string that exits": "exit()",
    "string that exits otherwise": "__import__('sys').exit(3)",
    "string with a null": "\0",
    "string with a statement": "import os",
    "string with a generator": "(yield)",
    "string with two words": "a b",
    "empty string": "",
    "blank string": " ",
    "string that unpacks": "*tuple[int]",
    "bytes": b"x",
    "number": 3.5,
    "hostile argument": alias(list, Hostile),
    "hostile origin": alias(Hostile, int),
    "origin that is no type": alias(3, int),
    "Union of nothing": alias(Union),
    "Literal of an object": alias(Literal, Mute()),
    "Literal of nothing": Literal[()],
    "Annotated without metadata": alias(Annotated, int),
    "Annotated of nothing": alias(Annotated),
    "Annotated of hostile metadata": alias(Annotated, int, Hostile, Closed(), Mute()),
    "tuple that begins with dots": alias(tuple, ..., int),
    "tuple with many dots": alias(tuple, int, ..., ...),
    "dict of keys alone": alias(dict, int),
    "Required of nothing": alias(typing.Required),
    "ClassVar of two": alias(typing.ClassVar, 1, 2),
    "pattern that never ends": Annotated[str, Pattern("(a" * 2_000)],
    "description that is none": Annotated[str, Description(5)],
    "bare Generic": Generic,
    "bare Protocol": typing.Protocol,
    "bare Concatenate": typing.Concatenate,
    "ParamSpec": typing.ParamSpec("P"),
    "TypeVarTuple": typing.TypeVarTuple("Ts"),
    "bound that is missing": TypeVar("T", bound="Missing"),  # type: ignore[name-defined] # noqa: F821
    "alias of what is missing": typing_extensions.TypeAliasType("A", "Missing"),  # noqa: F821
    "alias that raises": typing_extensions.TypeAliasType("A", "1/0"),
    "NewType of what is missing": NewType("N", "Missing"),  # type: ignore[name-defined] # noqa: F821
    "reference to what is missing": ForwardRef("Missing"),
    "Optional of what is missing": Optional["Missing"],  # type: ignore[name-defined] # noqa: F821
    "iterator": iter([]),
    "property": property(),
    "static method": staticmethod(len),
}


def outcome(derive: Callable[[], Any]) -> None:
    """Hold that *derive* gives JSON, or raises a `SchemaError` that names its place."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            json.dumps(derive(), allow_nan=False)
            place, sentence = "somewhere", ""
        except SchemaError as error:
            place, sentence = error.path, str(error)
    assert place
    assert len(sentence) < 2_000


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@pytest.mark.parametrize("name", ANNOTATIONS)
def test_any_annotation_whatever(name, strict):
    annotation = ANNOTATIONS[name]

    def command(x, y=annotation): ...

    command.__annotations__ = {"x": annotation, "return": annotation}
    for profile in (profiles.MILO, profiles.MCP):
        outcome(lambda: type_to_schema(annotation, strict=strict, profile=profile))  # noqa: B023
        outcome(lambda: function_to_schema(command, strict=strict, profile=profile))  # noqa: B023
        outcome(lambda: return_to_schema(command, strict=strict, profile=profile))  # noqa: B023
    outcome(lambda: function_to_schema(command, strict=strict, exclude=[int]))
    outcome(lambda: function_to_schema(annotation, strict=strict))
    outcome(lambda: return_to_schema(annotation, strict=strict))


class WrongSignature:
    __signature__ = 5

    def __call__(self, x: int): ...


class RaisingSignature:
    @property
    def __signature__(self):
        raise ZeroDivisionError

    def __call__(self, x: int): ...


class RaisingAttributes:
    def __getattr__(self, name):
        raise ZeroDivisionError

    def __call__(self, x: int): ...


def wrapping_itself(x): ...


wrapping_itself.__wrapped__ = wrapping_itself  # type: ignore[attr-defined]


def wrong_docstring(x): ...


wrong_docstring.__doc__ = 5  # type: ignore[assignment]


def wrong_defaults(x): ...


wrong_defaults.__kwdefaults__ = {"zz": 1}

CALLABLES: dict[str, Any] = {
    "signature that is none": WrongSignature(),
    "signature that raises": RaisingSignature(),
    "attributes that raise": RaisingAttributes(),
    "wrapper of itself": wrapping_itself,
    "docstring that is none": wrong_docstring,
    "defaults of nothing": wrong_defaults,
    "partial of too much": functools.partial(lambda a, b: 0, 1, 2, 3),  # type: ignore[call-arg]
    "partial of a wrapper of itself": functools.partial(wrapping_itself),
    "method of a class": types.MethodType(Hostile, 1),
    "partial of a class without signature": functools.partial(int),
    "slot wrapper": int.__add__,
    "method wrapper": (1).__add__,
    "mock of a function": unittest.mock.create_autospec(wrong_defaults),
    "type": type,
    "super": super,
    "cached property": functools.cached_property(wrong_docstring),
    "partial method": functools.partialmethod(wrong_docstring),
}


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@pytest.mark.parametrize("name", CALLABLES)
def test_any_callable_whatever(name, strict):
    func = CALLABLES[name]
    outcome(lambda: function_to_schema(func, strict=strict))
    outcome(lambda: return_to_schema(func, strict=strict))


@dataclasses.dataclass
class Leaf:
    x: int = 1


@pytest.mark.parametrize("leaf", [int, Leaf])
def test_a_caller_that_is_deep_down_itself_gets_a_schema_or_a_clear_error(leaf):
    tp: Any = leaf
    for _ in range(100):
        tp = list[tp]

    def dive(depth: int) -> Any:
        return type_to_schema(tp) if depth == 0 else dive(depth - 1)

    used = len(inspect.stack())
    reasons: set[Any] = set()
    for spare in range(60, 500, 5):
        try:
            reasons.add(type(dive(sys.getrecursionlimit() - used - spare)))
        except SchemaError as error:
            reasons.add(error.reason)
    assert reasons == {"nested too deeply for what is left of Python's stack", dict}
