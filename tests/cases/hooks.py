"""Types that describe themselves, and types that a profile describes."""

import enum
from concurrent.futures import Future
from typing import Annotated, Any

from milo_schema import MaxLen
from tests.cases.case import Case
from tests.cases.data_classes import Bare
from tests.cases.enums import Level
from tests.cases.plain import Plain
from tests.fragments import INTEGER, NULL, STRING, Json, map_of, obj


class Money:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> Json:
        return {"type": "string", "pattern": "^[0-9]+ [A-Z]{3}$"}


class Euro(Money):
    pass


class Cart:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> Json:
        return obj([], items=walk.schema(list[Bare], ".items"))


class Raising:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> Json:
        raise ValueError("no idea")


class NotADict:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> Any:
        return ["string"]


class NotJson:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> Json:
        return {"default": Plain()}


class Amount:
    pass


class BigAmount(Amount):
    pass


class Shop:
    class Amount:
        pass


AMOUNT: Json = {"type": "string", "pattern": "^[0-9]+$"}
CART: Json = obj([], items={"type": "array", "items": obj(["x"], x=INTEGER)})
MONEY: Json = {"type": "string", "pattern": "^[0-9]+ [A-Z]{3}$"}

EXTENSION = [
    Case(Money, MONEY, accepts=("1 EUR",), rejects=("EUR", 1)),
    Case(Euro, MONEY, accepts=("1 EUR",), rejects=("EUR",)),
    Case(list[Money], {"type": "array", "items": MONEY}, accepts=(["1 EUR"],), rejects=(["1"],),
         id="list[Money]"),
    Case(Annotated[Money, MaxLen(9)], {**MONEY, "maxLength": 9}, accepts=("1 EUR",),
         rejects=("1234567 EUR",), id="Money of 9"),
    Case(Cart, CART, accepts=({"items": [{"x": 1}]},), rejects=({"items": [1]},)),
    Case(Raising, None, refused=("Raising",
           "Raising.__milo_schema__ raised ValueError('no idea')")),
    Case(NotADict, None, refused=("NotADict",
           "NotADict.__milo_schema__ must be a dict, not a list")),
    Case(NotJson, None, refused=("NotJson",
           "NotJson.__milo_schema__ contains an instance of Plain")),
    Case(Amount, AMOUNT, types={Amount: AMOUNT}, accepts=("1",), rejects=("a",)),
    Case(BigAmount, AMOUNT, types={Amount: AMOUNT}, accepts=("1",), rejects=("a",)),
    Case(list[Amount | None], {"type": "array", "items": {"anyOf": [AMOUNT, NULL]}},
         types={Amount: AMOUNT}, accepts=(["1", None],), rejects=(["a"],),
         id="list[Amount | None]"),
    Case(list[int], {"type": "array", "items": STRING}, types={int: STRING}, accepts=(["1"],),
         rejects=([1],), id="list[int] as strings"),
    Case(dict[str, list[int]], {"type": "object", "additionalProperties": STRING},
         types={list[int]: STRING, list: INTEGER}, accepts=({"a": "1"},), rejects=({"a": [1]},),
         id="list[int] before list"),
    Case(list[Amount], {"type": "array", "items": {"type": "array", "items": INTEGER}},
         types={Amount: lambda tp, walk: walk.schema(list[int])}, accepts=([[1]],), rejects=([1],),
         id="Amount by a function"),
    *[Case(dict[str, annotation], map_of(schema), types={dotted: schema, "nowhere.Amount": INTEGER},
        accepts=({"a": "1"},), rejects=({"a": 1},), id=f"{name} by a dotted name") for name,
      annotation, dotted, schema in (("class", Amount, f"{__name__}.Amount", AMOUNT),
        ("base class", BigAmount, f"{__name__}.Amount", AMOUNT),
        ("nested class", Shop.Amount, f"{__name__}.Shop.Amount", STRING),
        ("public name", Future, "concurrent.futures.Future", STRING))],
    Case(Money, STRING, types={Money: STRING}, accepts=("a",), rejects=(1,),
         id="Money as the profile has it"),
    Case(Level, STRING, types={enum.Enum: STRING}, accepts=("LOW",), rejects=(1,),
         id="every Enum by name"),
]  # fmt: skip
