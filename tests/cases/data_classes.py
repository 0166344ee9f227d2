"""Dataclasses: their fields, defaults and descriptions."""

import datetime
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import Annotated, Any, ClassVar

from milo_schema import Description
from tests.cases.case import Case, Source
from tests.cases.enums import Color
from tests.cases.plain import Plain
from tests.fragments import BASE64, INTEGER, NULL, NUMBER, STRING, Json, obj


def _never_called() -> Any:
    raise AssertionError("a default factory was called")


@dataclass
class Item:
    """Something to buy.

    Attributes:
        name: Its name.
        price: In cents,
            without tax.
    """

    name: str
    price: int = 0


@dataclass
class Bare:
    x: int


@dataclass
class NoneAtAll:
    pass


@dataclass
class UUID:
    """Of the same name as one of the standard library's, and something else."""

    number: int


@dataclass
class Defaults:
    a: int | None = None
    b: Color = Color.RED
    c: tuple[int, ...] = (1, 2)
    d: float = float("nan")
    e: list[int] = field(default_factory=_never_called)
    f: frozenset[str] = frozenset({"b", "a"})
    g: datetime.date = datetime.date(2026, 1, 1)
    h: Any = Plain()  # noqa: RUF009
    i: bytes = b"abc"
    j: bool = True


@dataclass
class Parts:
    shared: ClassVar[int] = 0
    given: InitVar[int]
    made: str = field(init=False)
    _: KW_ONLY
    named: bool = False

    def __post_init__(self, given: int) -> None:
        self.made = str(given)


@dataclass
class QuotedParts:
    shared: "ClassVar[int]" = 0
    given: "InitVar[int]" = 1
    kept: "int" = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    a: int
    b: str = "x"


@dataclass
class Derived(Item):
    """A better one."""

    price: float = 1.5  # type: ignore[assignment]
    stock: int = 0


@dataclass
class Said:
    a: int = field(metadata={"description": "Said of a."})
    b: Annotated[int, Description("Said of b.")] = field(
        default=1, metadata={"description": "Not this."}
    )
    c: int = field(default=2, metadata={"other": 1})


ITEM: Json = obj(
    ["name"],
    name={"type": "string", "description": "Its name."},
    price={"type": "integer", "description": "In cents,\nwithout tax.", "default": 0},
) | {"description": "Something to buy."}

MORE_DEFAULTS: dict[str, Json] = {
    "b": {"type": "string", "enum": ["red", "green"], "default": "red"},
    "c": {"type": "array", "items": INTEGER, "default": [1, 2]},
    "d": NUMBER,
    "e": {"type": "array", "items": INTEGER},
    "f": {"type": "array", "items": STRING, "uniqueItems": True, "default": ["a", "b"]},
    "g": {"type": "string", "format": "date", "default": "2026-01-01"},
    "h": {},
    "i": {**BASE64, "default": "YWJj"},
    "j": {"type": "boolean", "default": True},
}
"""The fields of ``Defaults`` that both profiles describe alike."""

DATACLASSES = [
    Case(Item, ITEM, accepts=({"name": "a"}, {"name": "a", "price": 1, "more": 2}),
         rejects=({}, {"name": "a", "price": "b"}, [])),
    Case(Bare, obj(["x"], x=INTEGER), accepts=({"x": 1},), rejects=({},)),
    Case(NoneAtAll, obj([]), accepts=({},), rejects=([],)),
    Case(
        UUID,
        obj(["number"], number=INTEGER)
        | {"description": "Of the same name as one of the standard library's, and something else."},
        accepts=({"number": 1},),
        rejects=("12345678-1234-5678-1234-567812345678", {}),
        id="another UUID",
    ),
    Case(Defaults, mcp=obj([], a={"anyOf": [INTEGER, NULL], "default": None}, **MORE_DEFAULTS),
         milo=obj([], a={"type": "integer", "default": None}, **MORE_DEFAULTS),
         accepts=({}, {"a": None}), rejects=({"b": "blue"},)),
    Case(Parts, obj(["given"], given=INTEGER, named={"type": "boolean", "default": False}),
         accepts=({"given": 1},), rejects=({}, {"given": "a"})),
    Case(QuotedParts, obj([], given={"type": "integer", "default": 1},
           kept={"type": "integer", "default": 2}), accepts=({},), rejects=({"given": "a"},)),
    Case(Frozen, obj(["a"], a=INTEGER, b={"type": "string", "default": "x"}), accepts=({"a": 1},),
         rejects=({},)),
    Case(Derived, obj(["name"], name={"type": "string", "description": "Its name."},
           price={"type": "number", "description": "In cents,\nwithout tax.", "default": 1.5},
           stock={"type": "integer", "default": 0}) | {"description": "A better one."},
         accepts=({"name": "a", "price": 0.5},), rejects=({"stock": 1},)),
    Case(Said, obj(["a"], a={"type": "integer", "description": "Said of a."},
           b={"type": "integer", "description": "Said of b.", "default": 1},
           c={"type": "integer", "default": 2}), accepts=({"a": 1},), rejects=({},)),
    Case(Source("from dataclasses import *\n"
               "text = field(doc='Said of a.', metadata={'description': 'Less exact.'})\n"
               "TYPE = make_dataclass('Noted', [('a', int, text)])"),
         obj(["a"], a={"type": "integer", "description": "Said of a."}), accepts=({"a": 1},),
         rejects=({},), needs="python>=3.14", id="field(doc=...)"),
]  # fmt: skip
