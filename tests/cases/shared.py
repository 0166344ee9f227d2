"""Fragments of schemas and type variables that rows of several families share."""

from typing import ParamSpec, TypeVar, TypeVarTuple

from tests.fragments import Json

DECIMAL: Json = {
    "type": "string",
    "pattern": r"^-?([0-9]+(\.[0-9]+)?(E[+-][0-9]+)?|Infinity|s?NaN[0-9]*)$",
}
INTEGER_KEY: Json = {"pattern": "^-?(0|[1-9][0-9]*)$"}
WAY_OUT = "use another type, or Schema({...})"

T = TypeVar("T")
U = TypeVar("U")
Ts = TypeVarTuple("Ts")
P = ParamSpec("P")
