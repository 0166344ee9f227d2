"""One fact, several spellings: ``typing`` and ``typing_extensions``, annotations now and later."""

import json
import textwrap
import typing
from collections.abc import Iterator
from typing import Any

import pytest
import typing_extensions as te

from milo_schema import profiles, type_to_schema
from tests.modules import module_from
from tests.needs import lacking

HEAD = """
from dataclasses import dataclass, field, InitVar, KW_ONLY
import enum
from milo_schema import *
"""

SPELLINGS = {
    "TypedDict": """
        from {typing} import TypedDict
        class M(TypedDict):
            '''A film.'''
            a: int
        class N(M, total=False):
            b: str
        TYPE = N""",
    "functional TypedDict": """
        from {typing} import TypedDict
        TYPE = TypedDict("M", {{"a-b": int, "in": str}}, total=False)""",
    "Required and NotRequired": """
        from {typing} import TypedDict, Required, NotRequired, Annotated
        class M(TypedDict, total=False):
            a: Required[int]
            b: "Required[str]"
            c: Annotated[NotRequired[int], Ge(1)]
            d: int
        class N(M):
            e: Required[list[M]]
            f: int | None
        TYPE = N""",
    "ReadOnly (3.13)": """
        from {typing} import TypedDict, ReadOnly, NotRequired, Annotated
        class M(TypedDict):
            a: ReadOnly[int]
            b: NotRequired[ReadOnly[str]]
            c: ReadOnly[NotRequired[Annotated[int, Ge(1)]]]
        TYPE = M""",
    "closed (3.15)": """
        from {typing} import TypedDict
        class M(TypedDict, closed=True):
            a: int
        class N(M):
            pass
        TYPE = tuple[M, N]""",
    "extra_items (3.15)": """
        from {typing} import TypedDict, Never, ReadOnly
        class M(TypedDict, extra_items=ReadOnly[int]):
            a: str
        class N(TypedDict, extra_items=Never):
            a: str
        TYPE = tuple[M, N]""",
    "generic TypedDict": """
        from {typing} import TypedDict, Generic, TypeVar, NotRequired
        T = TypeVar("T")
        class Box(TypedDict, Generic[T]):
            value: NotRequired[T]
        class IntBox(Box[int]):
            name: str
        TYPE = tuple[Box[str], IntBox]""",
    "NamedTuple": """
        from {typing} import NamedTuple, Annotated
        class P(NamedTuple):
            '''A point.'''
            x: int
            y: "int | None" = None
            z: Annotated[float, Gt(0)] = 1.0
        TYPE = P""",
    "generic NamedTuple": """
        from {typing} import NamedTuple, Generic, TypeVar
        T = TypeVar("T")
        class P(NamedTuple, Generic[T]):
            x: T
        TYPE = P[int]""",
    "Literal": """
        from {typing} import Literal
        TYPE = Literal["a", 1, True, None, Literal["b"]]""",
    "Annotated": """
        from {typing} import Annotated, Optional
        TYPE = Annotated[Optional[Annotated[int, Ge(1)]], Le(9), "Text."]""",
    "NewType": """
        from {typing} import NewType
        TYPE = list[NewType("UserId", int)]""",
    "Never": """
        from {typing} import Never, Union
        TYPE = Union[int, Never]""",
    "LiteralString": """
        from {typing} import LiteralString
        TYPE = dict[LiteralString, LiteralString]""",
    "Any": """
        from {typing} import Any
        TYPE = list[Any]""",
    "Self": """
        from {typing} import Self, Optional
        @dataclass
        class Node:
            next: Optional[Self] = None
        TYPE = Node""",
    "Final and ClassVar": """
        from {typing} import Final, ClassVar
        @dataclass
        class A:
            x: Final[int] = 1
            y: ClassVar[int] = 2
        TYPE = A""",
    "Unpack": """
        from {typing} import Unpack
        TYPE = tuple[bool, Unpack[tuple[int, ...]], Unpack[tuple[str, None]]]""",
    "TypeVarTuple": """
        from {typing} import Generic, TypeVarTuple, Unpack
        Ts = TypeVarTuple("Ts")
        @dataclass
        class Row(Generic[Unpack[Ts]]):
            cells: tuple[int, Unpack[Ts]]
        TYPE = tuple[Row[str, bool], Row[()], tuple[Unpack[Ts]]]""",
    "TypeVar": """
        from {typing} import TypeVar
        Bound = TypeVar("Bound", bound=list[int])
        Either = TypeVar("Either", int, str)
        TYPE = tuple[Bound, Either]""",
    "TypeVar default (3.13)": """
        from {typing} import Generic, TypeVar
        T = TypeVar("T", default=int)
        U = TypeVar("U", default=list[T])
        @dataclass
        class Box(Generic[T, U]):
            value: T
            more: U
        TYPE = tuple[Box, Box[str], Box[str, bool], T]""",
    "TypeVarTuple default (3.13)": """
        from {typing} import Generic, TypeVarTuple, Unpack
        Ts = TypeVarTuple("Ts", default=Unpack[tuple[int, str]])
        @dataclass
        class Row(Generic[Unpack[Ts]]):
            cells: tuple[Unpack[Ts]]
        TYPE = tuple[Row, Row[bool]]""",
    "ParamSpec default (3.13)": """
        from {typing} import Generic, ParamSpec, TypeVar
        T = TypeVar("T")
        P = ParamSpec("P", default=[int])
        @dataclass
        class Call(Generic[T, P]):
            result: T
        TYPE = Call[int, [str, bool]]""",
    "TypeAliasType (3.12)": """
        from {typing} import TypeAliasType, TypeVar
        T = TypeVar("T")
        Pair = TypeAliasType("Pair", tuple[T, T], type_params=(T,))
        Tree = TypeAliasType("Tree", "dict[str, Tree] | None")
        TYPE = tuple[Pair[int], Tree, Pair[Pair[str]]]""",
    "NoReturn and Optional": """
        from {typing} import NoReturn, Optional, Union
        TYPE = Union[Optional[int], NoReturn]""",
    "deprecated (3.13)": """
        from {deprecated} import deprecated
        from typing import Annotated
        TYPE = Annotated[int, deprecated("Use the other.")]""",
    "Buffer (3.12)": """
        from {abc} import Buffer
        TYPE = list[Buffer]""",
    "TypeIs (3.13)": """
        from {typing} import TypeIs, TypeGuard
        TYPE = tuple[TypeIs[int], TypeGuard[int]]""",
    "old collections": """
        from {typing} import List, Dict, Set, FrozenSet, Deque, DefaultDict, OrderedDict, Counter
        from {typing} import ChainMap, Type, Tuple, Text
        TYPE = Tuple[List[int], Dict[str, Set[int]], FrozenSet[str], Deque[int],
                     DefaultDict[str, int], OrderedDict[str, int], Counter[str],
                     ChainMap[str, int], Text]""",
    "old abstract collections": """
        from {typing} import Sequence, Mapping, Iterable, Collection, AbstractSet, MutableMapping
        TYPE = tuple[Sequence[int], Mapping[str, int], Iterable[int], Collection[int],
                     AbstractSet[int], MutableMapping[str, int]]""",
    "dataclass": """
        from typing import *
        @dataclass
        class A:
            a: int
            b: "list[str]"
            c: Optional[dict[str, float]] = None
            d: Annotated[int, Ge(1), "Text."] = 2
        TYPE = A""",
    "dataclass in full": """
        from typing import *
        @dataclass
        class A:
            x: ClassVar[int] = 0
            a: InitVar[int] = 1
            _: KW_ONLY
            b: Final[int] = 2
            c: list[int] = field(default_factory=list)
        @dataclass
        class B(A):
            d: A | None = None
        TYPE = B""",
    "recursive dataclass": """
        from typing import *
        @dataclass
        class A:
            next: "A | None"
            all: list["A"]
        TYPE = A""",
    "generic dataclass": """
        from typing import *
        T = TypeVar("T")
        @dataclass
        class Box(Generic[T]):
            value: T
            more: list[T]
            next: "Box[T] | None" = None
        @dataclass
        class IntBox(Box[int]):
            pass
        TYPE = tuple[Box[str], IntBox]""",
    "attrs": """
        import attrs
        from typing import *
        @attrs.define
        class A:
            a: int
            b: "str | None" = None
            c: list[int] = attrs.field(factory=list)
        TYPE = A""",
    "msgspec": """
        import msgspec
        from typing import *
        class A(msgspec.Struct, rename="camel"):
            first_name: str
            b: Annotated[int, msgspec.Meta(ge=1)] = 1
            c: "list[A]" = []
        TYPE = A""",
    "pydantic": """
        import pydantic
        from typing import *
        class A(pydantic.BaseModel):
            a: Annotated[int, pydantic.Field(ge=1)]
            b: "A | None" = None
        TYPE = A""",
    "annotations that are missing": """
        from typing import *
        @dataclass
        class A:
            a: int
            b: Optional[A2] = None
        @dataclass
        class A2:
            x: int
        TYPE = A""",
    "PEP 695": """
        from typing import *
        type Ints = list[int]
        @dataclass
        class Box[T]:
            value: T
            ints: Ints
            next: "Box[T] | None" = None
        TYPE = Box[str]""",
}


def spelled(name: str) -> Iterator[Any]:
    """A type of each module, with annotations evaluated at once (3.14: on demand), and as text."""
    _, _, version = name.rstrip(")").partition(" (3.")
    spellings = [dict.fromkeys(("typing", "deprecated", "abc"), "typing_extensions")]
    if not version or not lacking(f"python>=3.{version}"):
        spellings += [{"typing": "typing", "deprecated": "warnings", "abc": "collections.abc"}]
    for modules in spellings:
        text = HEAD + textwrap.dedent(SPELLINGS[name]).format(**modules)
        yield from (module_from(text, future=future).TYPE for future in (False, True))


NEWER = {
    "closed (3.15)": "typing_extensions>=4.13",
    "extra_items (3.15)": "typing_extensions>=4.13",
    "annotations that are missing": "python>=3.14",
    "PEP 695": "python>=3.12",
}


@pytest.mark.parametrize("profile", [profiles.MCP, profiles.MILO], ids=lambda each: each.name)
@pytest.mark.parametrize("name", SPELLINGS)
def test_a_type_has_one_schema_however_and_whenever_it_is_spelled(name: str, profile: Any) -> None:
    if name in NEWER and (why := lacking(NEWER[name])):
        pytest.skip(why)
    first, *others = (
        json.dumps(type_to_schema(each, profile=profile, strict=True)) for each in spelled(name)
    )
    assert {*others} == {first}


def test_most_twins_are_distinct_on_some_python() -> None:
    """The twins would prove nothing if ``typing_extensions`` only handed out ``typing``'s."""
    assert te.TypedDict is not typing.TypedDict or not lacking("python>=3.15")
