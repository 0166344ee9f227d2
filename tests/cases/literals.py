"""``Literal``."""

from typing import Literal, Optional

import typing_extensions as te

from tests.cases.case import Case
from tests.cases.enums import Color, Level
from tests.fragments import NULL, STRING

LITERALS = [
    Case(Literal["a"], {"type": "string", "enum": ["a"]}, accepts=("a",), rejects=("b", 1),
         id="Literal one"),
    Case(Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}, accepts=("b",), rejects=("c",),
         id="Literal str"),
    Case(Literal[1, 2], {"type": "integer", "enum": [1, 2]}, accepts=(1,), rejects=(3, "1", True),
         id="Literal int"),
    Case(Literal[-1], {"type": "integer", "enum": [-1]}, accepts=(-1,), rejects=(1,),
         id="Literal negative"),
    Case(Literal[True], {"type": "boolean", "enum": [True]}, accepts=(True,), rejects=(1, False),
         id="Literal True"),
    Case(Literal[True, False], {"type": "boolean", "enum": [True, False]}, accepts=(True,),
         rejects=(1,), id="Literal bool"),
    Case(Literal[1, True], {"enum": [1, True]}, accepts=(1, True), rejects=(0, False),
         id="Literal 1 and True"),
    Case(Literal[0, False], {"enum": [0, False]}, accepts=(0, False), rejects=(1, True),
         id="Literal 0 and False"),
    Case(Literal["1", 1], {"enum": ["1", 1]}, accepts=("1", 1), rejects=(True,),
         id="Literal '1' and 1"),
    Case(Literal[None], {"type": "null", "enum": [None]}, accepts=(None,), rejects=(0,),
         id="Literal None"),
    Case(Literal["a", None], {"enum": ["a", None]}, accepts=("a", None), rejects=("b",),
         id="Literal str or None"),
    Case(Literal["a", 1, None, True], {"enum": ["a", 1, None, True]}, accepts=("a", 1, None, True),
         rejects=("b",), id="Literal mixed"),
    Case(Literal["a", "a", "b"], {"type": "string", "enum": ["a", "b"]}, accepts=("a",),
         rejects=("c",), id="Literal repeated"),
    Case(Literal[Literal["a"], Literal["b", "c"]], {"type": "string", "enum": ["a", "b", "c"]},
         accepts=("c",), rejects=("d",), id="Literal nested"),
    Case(Literal[Color.RED], {"type": "string", "enum": ["red"]}, accepts=("red",),
         rejects=("green",), id="Literal of a member"),
    Case(Literal[Color.RED, "blue"], {"type": "string", "enum": ["red", "blue"]},
         accepts=("red", "blue"), rejects=("green",), id="Literal of a member and str"),
    Case(Literal[Color.RED, "red"], {"type": "string", "enum": ["red"]}, accepts=("red",),
         rejects=("green",), id="Literal of a member and its value"),
    Case(Literal[Level.LOW, Color.RED], {"enum": [1, "red"]}, accepts=(1, "red"), rejects=(2,),
         id="Literal of members"),
    Case(Literal[""], {"type": "string", "enum": [""]}, accepts=("",), rejects=("a",),
         id="Literal empty"),
    Case(Literal["ü", "\n", "\u2028"], {"type": "string", "enum": ["ü", "\n", "\u2028"]},
         accepts=("ü",), rejects=("u",), id="Literal not ASCII"),
    Case(te.Literal["a"], {"type": "string", "enum": ["a"]}, accepts=("a",), rejects=("b",),
         id="te.Literal"),
    Case(Optional[Literal["a"]], {"anyOf": [{"type": "string", "enum": ["a"]}, NULL]},
         accepts=("a", None), rejects=("b",), id="Optional Literal"),
    Case(list[Literal[1, 2]], {"type": "array", "items": {"type": "integer", "enum": [1, 2]}},
         accepts=([1, 2],), rejects=([3],), id="list of Literal"),
    Case(Literal[b"a"], mcp={}, milo=STRING, refused=("Literal[b'a']",
           "Literal[b'a'] allows an instance of bytes"), id="Literal bytes"),
    Case(Literal, mcp={}, milo=STRING, refused=("Literal", "no JSON Schema for Literal"),
         id="Literal bare"),
]  # fmt: skip
