"""Objects that lie, raise or never end; a generated module has all the names of this one."""

# ruff: noqa: F401 - so some are imported for it alone

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import functools
import inspect
import ipaddress
import itertools
import operator
import pathlib
import re
import sys
import types
import typing
import unittest.mock
import uuid
from collections.abc import Callable, Iterator
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    ForwardRef,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    Optional,
    ParamSpec,
    Protocol,
    TypeVar,
    TypeVarTuple,
    Union,
)

import annotated_types
import attrs
import msgspec
import pydantic
import typing_extensions as te

import milo_schema as m

T = TypeVar("T")
B = TypeVar("B", bound="Missing | list[B]")  # type: ignore[name-defined] # noqa: F821
C = TypeVar("C", int, "C")  # type: ignore[name-defined]
P = ParamSpec("P")
Ts = TypeVarTuple("Ts")


# -- code that raises --------------------------------------------------------------------------


class Unspeakable(Exception):  # noqa: N818 - it is about what its texts do
    """An error that cannot be shown: ``str()`` and ``repr()`` of it raise."""

    def __str__(self):
        raise ZeroDivisionError

    __repr__ = __str__


def fail(*_: object, **__: object) -> Any:
    raise Unspeakable


def recurse(cls: object = None, walk: object = None) -> Any:
    # Both are passed: Python 3.13.0 to 3.13.7 has no limit to calls that leave out defaults, or
    # that `*args` takes (mended in 3.13.8), and so recurses until there is no memory left.
    return recurse(cls, walk)


def leave(*_: object) -> Any:
    sys.exit(3)


class RaisingMeta(type):
    """A metaclass with methods that all raise."""

    __getattr__ = __eq__ = __call__ = __instancecheck__ = __subclasscheck__ = fail
    __hash__ = __repr__ = __dir__ = __or__ = __iter__ = __bool__ = fail  # type: ignore[assignment]
    __name__ = __annotations__ = __doc__ = property(fail)  # type: ignore[assignment]
    __module__ = __dataclass_fields__ = __signature__ = property(fail)  # type: ignore[assignment]


class LyingMeta(type):
    """A metaclass with classes that claim to be ``int``, and have every attribute."""

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
    __parameters__ = __type_params__ = (T,)
    __forward_arg__ = "int"
    __module__ = "typing"
    __name__ = "List"


class Closed:
    def __getattribute__(self, name):
        raise Unspeakable


class Mute:
    __hash__ = None  # type: ignore[assignment]
    __repr__ = __eq__ = __bool__ = __len__ = __iter__ = fail  # type: ignore[assignment]


class Loud:
    def __repr__(self):
        return "x" * 1_000_000


class Leaving:
    """Everything that is asked of it ends the program."""

    __repr__ = __eq__ = __bool__ = __call__ = leave  # type: ignore[assignment]
    __hash__ = leave  # type: ignore[assignment]

    def __getattr__(self, name):
        raise SystemExit(3)


class Counting:
    """A property with a side effect."""

    asked = 0

    @property
    def value(self):
        type(self).asked += 1
        return 1


@dataclasses.dataclass
class Fails:
    """A value with one field that raises when it is read."""

    x: int = 1

    def __getattribute__(self, name):
        if name == "x":
            raise Unspeakable
        return object.__getattribute__(self, name)


class DeceitfulString(str):
    __slots__ = ()
    __len__ = __str__ = __eq__ = __iter__ = strip = split = splitlines = fail  # type: ignore[assignment]
    startswith = expandtabs = partition = fail  # type: ignore[assignment]

    def __hash__(self):  # its own, or Python's cache of annotations would compare it
        return object.__hash__(self)


class DeceitfulDict(dict):  # type: ignore[type-arg]
    items = keys = values = get = __getitem__ = __iter__ = __len__ = fail  # type: ignore[assignment]


class DeceitfulInt(int):
    __repr__ = __str__ = __int__ = __index__ = fail  # type: ignore[assignment]


class DeceitfulList(list):  # type: ignore[type-arg]
    __iter__ = __len__ = __getitem__ = fail  # type: ignore[assignment]


class RaisingMember(enum.Enum):
    A = 1

    @property
    def value(self):
        raise Unspeakable

    @classmethod
    def _missing_(cls, value):
        raise Unspeakable


# -- classes that lie --------------------------------------------------------------------------


def body(*bases: type, **attributes: Any) -> type:
    """A class with these attributes."""
    return type("Liar", bases, attributes)


def hook(result: Callable[[Any, Any], Any]) -> type:
    """A class that describes itself."""
    return type("Hooked", (), {"__milo_schema__": classmethod(result)})


def says(**keywords: Any) -> type:
    """A class with a hook that returns these keywords."""
    return hook(lambda _cls, _walk: keywords)


def alias(origin: Any, *args: Any) -> Any:
    """``origin[args]`` for any objects, without a check."""
    return types.GenericAlias(origin, args)


def cycle() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


DEEP = 1_500
"""Levels that Python's stack has no room for: its limit is 1,000."""


def doubled(times: int = 40) -> list[Any]:
    """A value that is small in memory, and as large as nothing else once it is written."""
    value: list[Any] = []
    for _ in range(times):
        value = [value, value]
    return value


class Endless(list[int]):
    """Endless for the library; Python itself reads all of it to make ``List[Endless()]``."""

    def __iter__(self) -> Iterator[int]:
        asker = sys._getframe(1).f_globals.get("__name__", "")
        return itertools.repeat(1) if asker.startswith("milo_schema") else iter(())


def cyclic_schema(_cls: Any, _walk: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    schema["not"] = schema
    return schema


def nested(make: Callable[[Any], Any], times: int, inner: Any = int) -> Any:
    """*inner*, wrapped by *make* again and again; what it makes may share its parts."""
    for _ in range(times):
        inner = make(inner)
    return inner


wrong_annotations = dataclasses.make_dataclass("Wrong", [("x", int)])
wrong_annotations.__annotations__ = {"x": Closed(), "y": 3}


class Parameters(Generic[T]):
    __parameters__ = 7


class HostileParameters(Generic[T]):
    __parameters__ = (Mute(), T)


# -- callables that lie ------------------------------------------------------------------------


def lying(**attributes: Any) -> Any:
    """A function with these attributes."""

    def lie(x: Any): ...

    lie.__annotations__ = {}
    for name, value in attributes.items():
        setattr(lie, f"__{name}__", value)
    return lie


def called(self: object, x: int): ...


def calling(**attributes: Any) -> Any:
    """An object that can be called, of a class with these attributes."""
    return body(__call__=called, **{f"__{name}__": value for name, value in attributes.items()})()


def wrapping_itself(x): ...


wrapping_itself.__wrapped__ = wrapping_itself  # type: ignore[attr-defined]
object_wrapping_itself = calling()
object_wrapping_itself.__wrapped__ = object_wrapping_itself

AROUND = "ABOUT"
ABOUT = "AROUND"

partial_of_itself: Any = functools.partial(len)
partial_of_itself.__setstate__((partial_of_itself, (), {}, {}))

DOC = DeceitfulString("Args:\n    x: y")
HOSTILE = inspect.Signature(
    [inspect.Parameter("x", inspect.Parameter.KEYWORD_ONLY, annotation=Mute(), default=Mute())],
    return_annotation=Closed(),
)
wrong_docstring, wrong_defaults = lying(doc=5), lying(kwdefaults={"zz": 1})


ANNOTATIONS: dict[str, Any] = {
    "metaclass that raises": RaisingMeta("Hostile", (), {}),
    "str with a metaclass that raises": RaisingMeta("HostileString", (str,), {}),
    "metaclass that lies": LyingMeta("Lizard", (), {}),
    "object with attributes of annotations": Poser(),
    "class with attributes of annotations": Poser,
    "object without attributes": Closed(),
    "object that cannot be shown": Mute(),
    "class of objects that cannot be shown": Mute,
    "object with an enormous repr": Loud(),
    "object that ends the program": Leaving(),
    "class of objects that end the program": Leaving,
    "class with a property": Counting,
    "dataclass of values that raise": Fails,
    "class with slots": body(__slots__=("__annotations__", "__dict__")),
    "dataclass of an integer": body(__dataclass_fields__={"x": 1}),
    "dataclass of a mock": body(__dataclass_fields__={"x": unittest.mock.Mock()}),
    "dataclass of a mute object": body(__dataclass_fields__={"x": Mute()}),
    "namedtuple of wrong defaults": body(tuple, _fields=("a",), _field_defaults=3),
    "namedtuple of wrong names": body(tuple, _fields=(1, None)),
    "namedtuple of mute names": body(tuple, _fields=(Mute(),)),
    "attributes of an enum": body(_member_map_=3),
    "attributes of attrs": body(__attrs_attrs__=5),
    "attributes of mute attrs": body(__attrs_attrs__=(Mute(),)),
    "parameters that are no tuple": Parameters,
    "parameters that are mute": HostileParameters,
    "parameters that are mute, given": alias(HostileParameters, int, str),
    "bases that are no types": body(__orig_bases__=(1, list[int], "x"), __annotations__={1: 2}),
    "bases that are mute": body(list, __orig_bases__=(Mute(), Closed())),
    "type parameters that are none": body(__type_params__=(1, Mute())),
    "module that is none": body(__module__=3, __qualname__="a.<locals>.b"),
    "docstring that is no string": body(__doc__=5),
    "docstring that deceives": body(__doc__=DOC),
    "annotations that raise": wrong_annotations,
    "annotations that are no dict": body(__annotations__=5),
    "annotations that deceive": body(__annotations__=DeceitfulDict(x=int)),
    "hook that gives None": hook(lambda cls, walk: None),
    "hook that is no method": body(__milo_schema__=5),
    "hook that is mute": body(__milo_schema__=Mute()),
    "hook that contains itself": hook(lambda cls, walk: walk.schema(list[cls])),
    "hook that is itself": hook(lambda cls, walk: walk.schema(cls)),
    "hook that recurses": hook(recurse),
    "hook with a cycle": hook(cyclic_schema),
    "hook with malformed keywords": says(properties=3, anyOf="x"),
    "hook with an object": says(x=object()),
    "hook that deceives": hook(lambda cls, walk: DeceitfulDict(type="string")),
    "hook that raises": hook(fail),
    "hook with a deep schema": hook(lambda cls, walk: nested(lambda x: {"not": x}, DEEP, {})),
    "hook with any object's step": hook(lambda cls, walk: walk.schema(int, Mute())),
    "hook with a network reference": hook(lambda cls, walk: {"$ref": "https://example.com/x"}),
    "hook with a reference to nothing": hook(lambda cls, walk: {"$ref": "#/$defs/Nothing"}),
    "enormous name": type("X" * 100_000, (), {}),
    "enormous enum": enum.Enum("E", {f"A{i}": i for i in range(1_000)}),
    "enum of objects": enum.Enum("E", {"A": object(), "B": float("nan")}),
    "enum of classes": enum.Enum("E", {"A": Mute}),
    "enum of what raises": RaisingMember,
    "enum of deceitful values": enum.Enum("E", {"A": DeceitfulList([1])}),
    "mock": unittest.mock.Mock(),
    "magic mock": unittest.mock.MagicMock(),
    "mock of a class": unittest.mock.Mock(spec=list),
    "mock that calls": unittest.mock.call.x.y,
    "list that contains itself": cycle(),
    "list that shares its parts": doubled(12),  # attrs and dataclasses write annotations out
    "list without end": Endless(),
    "hook that shares its parts": hook(lambda cls, walk: {"default": doubled()}),
    "literal that shares its parts": Literal[doubled(12)],  # type: ignore[valid-type]
    "function": len,
    "NotImplemented": NotImplemented,
    "Ellipsis": ...,
    "module": types.ModuleType("x"),
    "enormous string": "x" * 100_000,
    "deep string": "[" * 5_000,
    "deep string of operators": "-" * 20_000 + "1",
    "string of many members": " | ".join(["int"] * 3_000),
    "string that raises": "1/0",
    "string that raises what cannot be shown": "fail()",
    "string that exits": "exit()",
    "string that exits otherwise": "__import__('sys').exit(3)",
    "string that recurses": "recurse()",
    "string that recurses by itself": "(forever := lambda: forever())()",
    "string that is a string, ever again": repr(repr(repr("int"))),
    "string with a null": "\0",
    "string with a surrogate": "\ud800",
    "string with a statement": "import os",
    "string with a generator": "(yield)",
    "string with two words": "a b",
    "empty string": "",
    "blank string": " ",
    "string that unpacks": "*tuple[int]",
    "string of a subclass": DeceitfulString("int"),
    "bytes": b"x",
    "number": 3.5,
    "number that deceives": DeceitfulInt(3),
    "enormous number": 10**5_000,
    "hostile argument": alias(list, RaisingMeta("Hostile", (), {})),
    "hostile origin": alias(RaisingMeta("Hostile", (), {}), int),
    "origin that is no type": alias(3, int),
    "origin that is a string": alias("list", int),
    "origin that is an alias": alias(list[int], str),
    "Union of nothing": alias(Union),
    "Union of itself": alias(Union, alias(Union), Mute()),
    "Literal of an object": alias(Literal, Mute()),
    "Literal of nothing": Literal[()],
    "Literal of a deceitful list": alias(Literal, DeceitfulList([1])),
    "Literal of an enormous number": alias(Literal, 10**5_000),
    "Literal of a surrogate": Literal["\ud800"],
    "Literal of deceitful values": alias(Literal, DeceitfulInt(1), DeceitfulString("x")),
    "Annotated without metadata": alias(Annotated, int),
    "Annotated of nothing": alias(Annotated),
    "Annotated of hostile metadata": alias(
        Annotated, int, RaisingMeta("H", (), {}), Closed(), Mute(), Leaving(), Poser()
    ),
    "tuple that begins with dots": alias(tuple, ..., int),
    "tuple with many dots": alias(tuple, int, ..., ...),
    "tuple of dots": alias(tuple, ..., ...),
    "dict of keys alone": alias(dict, int),
    "dict of objects": alias(dict, Mute(), Closed()),
    "Required of nothing": alias(typing.Required),
    "Unpack of nothing": alias(typing.Unpack),
    "Unpack of Unpack": alias(tuple, alias(typing.Unpack, alias(typing.Unpack, tuple[int]))),
    "tuple with an empty Unpack": alias(tuple, alias(typing.Unpack)),
    "ClassVar of two": alias(typing.ClassVar, 1, 2),
    "Callable of nothing": alias(Callable),
    "pattern that never ends": Annotated[str, m.Pattern("(a" * DEEP)],
    "description that is none": Annotated[str, m.Description.unchecked(5)],  # type: ignore[arg-type]
    "schema that is deep": alias(Annotated, str, m.Schema(nested(lambda x: {"not": x}, DEEP, {}))),
    "bare Generic": Generic,
    "bare Protocol": Protocol,
    "bare Concatenate": typing.Concatenate,
    "ParamSpec": P,
    "TypeVarTuple": Ts,
    "bound that is missing": TypeVar("T", bound="Missing"),  # type: ignore[name-defined] # noqa: F821
    "alias of what is missing": te.TypeAliasType("A", "Missing"),  # noqa: F821
    "alias that raises": te.TypeAliasType("A", "1/0"),
    "alias of itself": te.TypeAliasType("alias_of_itself", "alias_of_itself"),  # noqa: F821
    "NewType of what is missing": NewType("N", "Missing"),  # type: ignore[name-defined] # noqa: F821
    "reference to what is missing": ForwardRef("Missing"),
    "reference that raises": ForwardRef("fail()"),
    "reference to a module that is none": ForwardRef("int", module="no.such.module"),
    "Optional of what is missing": Optional["Missing"],  # type: ignore[name-defined] # noqa: F821
    "bases that are bare aliases": body(dict, __orig_bases__=(typing.Hashable,)),
    "base with an argument without attributes": types.new_class("H", (alias(list, Closed()),)),
    "Schema of two types": Annotated[list[int], m.Schema({"type": ["string", "null"]})],
    "bound that is an enormous number": Annotated[int, m.Ge.unchecked(10**5_000)],
    "interval of enormous numbers": Annotated[int, annotated_types.Interval(gt=10**5_000)],
    "pattern of which Python warns": Annotated[str, m.Pattern(r"[\w&&\d]")],
    "argument that is a string of a subclass": alias(list, DeceitfulString("int")),
    "model with an odd default": pydantic.create_model("M", x=(str, object())),
    "iterator": iter([]),
    "property": property(),
    "static method": staticmethod(len),
}
"""Objects in annotations."""

CALLABLES: dict[str, Any] = {
    "signature that is none": calling(signature=5),
    "signature that raises": calling(signature=property(fail)),
    "signature of hostile objects": calling(signature=HOSTILE),
    "attributes that raise": calling(getattr=fail),
    "object that ends the program": Leaving(),
    "object without attributes": Closed(),
    "wrapper of itself": wrapping_itself,
    "docstring that is none": wrong_docstring,
    "docstring that deceives": lying(doc=DOC),
    "annotations that deceive": lying(annotations=DeceitfulDict(x=int)),
    "annotations that are hostile": lying(
        annotations={"x": Mute(), "return": Closed(), 3: 4, Loud: Leaving()}
    ),
    "annotations that are mocks": lying(
        annotations={"x": unittest.mock.Mock(), "return": unittest.mock.call}
    ),
    "defaults of nothing": wrong_defaults,
    "defaults of too much": lying(defaults=(1, 2, 3)),
    "name and module that are none": lying(module=3, name="a\ud800"),
    "object that wraps itself": object_wrapping_itself,
    "object whose wrapped raises": calling(wrapped=property(fail)),
    "method of an object that wraps itself": types.MethodType(object_wrapping_itself, 1),
    "method of a partial": types.MethodType(functools.partial(wrong_defaults), 1),
    "partial of itself": partial_of_itself,
    "partial of too much": functools.partial(lambda a, b: 0, 1, 2, 3),  # type: ignore[call-arg]
    "partial of a wrapper of itself": functools.partial(wrapping_itself),
    "method of a class": types.MethodType(ANNOTATIONS["metaclass that raises"], 1),
    "method of a mute object": types.MethodType(wrong_docstring, Mute()),
    "partial of a class without signature": functools.partial(int),
    "slot wrapper": int.__add__,
    "method wrapper": (1).__add__,
    "mock of a function": unittest.mock.create_autospec(wrong_defaults),
    "mock": unittest.mock.Mock(),
    "magic mock": unittest.mock.MagicMock(),
    "type": type,
    "super": super,
    "metaclass that raises": ANNOTATIONS["metaclass that raises"],
    "metaclass that lies": ANNOTATIONS["metaclass that lies"],
    "cached property": functools.cached_property(wrong_docstring),
    "partial method": functools.partialmethod(wrong_docstring),
    "class method": classmethod(wrong_docstring),
    "class method of a class method": classmethod(classmethod(wrong_docstring)),  # type: ignore[arg-type]
    "getter": operator.attrgetter("a.b"),
    "signature that ends the program": calling(signature=Leaving()),
    "partial with an enormous argument": functools.partial(wrong_defaults, b="x" * 5_000),  # type: ignore[call-arg]
    "enormous name and annotations that deceive": lying(
        name="x" * 5_000, qualname="x" * 5_000, annotations=DeceitfulDict(x=int)
    ),
    "class whose constructor's docstring deceives": body(__init__=lying(doc=DOC)),
}
"""Objects that are passed as functions."""


def pairs(times: int, inner: Any) -> Any:
    """2 ** *times* positions made of a few objects."""
    return nested(lambda x: tuple[x, x], times, inner)


def lists(times: int, inner: Any) -> Any:
    return nested(lambda x: list[x], times, inner)


def options(times: int, inner: Any) -> Any:
    return nested(lambda x: alias(Union, list[x], None), times, inner)


def callables(times: int, inner: Any) -> Any:
    return nested(lambda x: alias(Callable, x, x, x), times, inner)


def notes(times: int, inner: Any) -> Any:
    return nested(lambda x: alias(Annotated, x, "A note."), times, inner)


def aliases(times: int, inner: Any) -> Any:
    return nested(lambda x: te.TypeAliasType("A", x | None), times, inner)


def quotes(times: int, inner: Any) -> Any:
    """A string in a string in a string; each doubles the backslashes."""
    return nested(repr, min(times, 12), inner)
