"""JSON's own types, and values that are text in JSON."""

import collections
import datetime
import decimal
import fractions
import ipaddress
import os
import pathlib
import re
import typing
import uuid
import warnings
import zoneinfo
from collections import abc
from typing import (
    Annotated,
    Any,
    AnyStr,
    ForwardRef,
    LiteralString,
    Never,
    NoReturn,
    TypeGuard,
    TypeVar,
)

import typing_extensions as te

from milo_schema import MaxLen, MinLen
from tests.cases.case import Case, Source
from tests.cases.shared import DECIMAL, T
from tests.fragments import BASE64, BOOLEAN, INTEGER, NULL, NUMBER, STRING

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # 3.15 deprecates ByteString
    BYTE_STRING = getattr(abc, "ByteString", bytes)  # 3.14 does not have it

Number = TypeVar("Number", int, float)
Sized = TypeVar("Sized", bound=list[int])


class Text(str):
    """A string of a kind."""

    __slots__ = ()


class Count(int):
    pass


class Plain:
    pass


PRIMITIVES = [
    Case(str, STRING, accepts=("", "a"), rejects=(1, None, ["a"])),
    Case(int, INTEGER, accepts=(0, -1, 10**30, 1.0), rejects=(1.5, "1", True, None)),
    Case(float, NUMBER, accepts=(0, 1.5, -1e300), rejects=("1", True, None)),
    Case(bool, BOOLEAN, accepts=(True, False), rejects=(0, 1, "true", None)),
    Case(None, NULL, accepts=(None,), rejects=(0, "", False), id="None"),
    Case(type(None), NULL, accepts=(None,), rejects=(0,)),
    Case(Any, {}, accepts=(None, 1, "a", [], {}), id="Any"),
    Case(object, {}, accepts=(None, 1, "a", [], {})),
    Case(LiteralString, STRING, accepts=("a",), rejects=(1,), id="LiteralString"),
    Case(te.LiteralString, STRING, accepts=("a",), rejects=(1,), id="te.LiteralString"),
    Case(typing.Text, STRING, accepts=("a",), rejects=(1,), id="Text alias"),
    Case(AnyStr, STRING, accepts=("a",), rejects=(1,), id="AnyStr"),
    Case(T, {}, accepts=(None, 1), id="TypeVar free"),
    Case(Number, {"anyOf": [INTEGER, NUMBER]}, accepts=(1, 1.5), rejects=("1",),
         id="TypeVar constrained"),
    Case(Sized, {"type": "array", "items": INTEGER}, accepts=([1],), rejects=(["a"],),
         id="TypeVar bound"),
    Case(te.TypeVar("D", default=int), INTEGER, accepts=(1,), rejects=("a",), id="TypeVar default"),
    Case(Text, STRING, accepts=("a",), rejects=(1,)),
    Case(Count, INTEGER, accepts=(1,), rejects=("a",)),
    Case("int", INTEGER, accepts=(1,), rejects=("a",), id="string int"),
    Case(ForwardRef("list[int]"), {"type": "array", "items": INTEGER}, accepts=([1],),
         rejects=(["a"],), id="ForwardRef"),
    Case(list["int"], {"type": "array", "items": INTEGER}, accepts=([1],), rejects=(["a"],),
         id="list of a string"),
    Case(typing.List["int"], {"type": "array", "items": INTEGER}, accepts=([1],), rejects=(["a"],),
         id="List of a string"),
    Case(Never, {"not": {}}, rejects=(None, 1, {}), refused=("Never", "Never has no value"),
         id="Never"),
    Case(NoReturn, {"not": {}}, rejects=(None, 1), refused=("NoReturn", "NoReturn has no value"),
         id="NoReturn"),
    Case(TypeGuard[int], BOOLEAN, accepts=(True,), rejects=(1,), id="TypeGuard"),
    Case(te.TypeIs[int], BOOLEAN, accepts=(True,), rejects=(1,), id="te.TypeIs"),
    Case(Source("from typing import TypeIs\nTYPE = TypeIs[int]"), BOOLEAN, accepts=(True,),
         rejects=(1,), needs="python>=3.13", id="TypeIs"),
]  # fmt: skip


class Moment(datetime.datetime):
    pass


class Folder(pathlib.PosixPath):
    pass


VALUES = [
    Case(bytes, BASE64, accepts=("", "YWJj"), rejects=(1, [1])),
    Case(bytearray, BASE64, accepts=("YWJj",), rejects=(1,)),
    Case(memoryview, BASE64, accepts=("YWJj",), rejects=(1,)),
    Case(te.Buffer, BASE64, accepts=("YWJj",), rejects=(1,), id="te.Buffer"),
    Case(Source("from collections.abc import Buffer\nTYPE = Buffer"), BASE64, accepts=("YWJj",),
         rejects=(1,), needs="python>=3.12", id="Buffer"),
    Case(Annotated[bytes, MaxLen(3)], {**BASE64, "maxLength": 4}, accepts=("YWJj",),
         rejects=("YWJjZA==",), id="bytes of 3"),
    Case(Annotated[bytes, MinLen(4)], {**BASE64, "minLength": 8}, accepts=("YWJjZA==",),
         rejects=("YWJj",), id="bytes from 4"),
    Case(datetime.datetime, {"type": "string", "format": "date-time"},
         accepts=("2026-01-31T12:00:00Z", "2026-01-31T12:00:00.5+02:00"),
         rejects=("2026-01-31", "now", 0)),
    Case(datetime.date, {"type": "string", "format": "date"}, accepts=("2026-01-31",),
         rejects=("2026-02-30", "31.1.2026", 0)),
    Case(datetime.time, {"type": "string", "format": "time"}, accepts=("12:00:00Z",),
         rejects=("noon", 12)),
    Case(datetime.timedelta, {"type": "string", "format": "duration"}, accepts=("P1DT2S", "PT0S"),
         rejects=("1 day", 60)),
    Case(Moment, {"type": "string", "format": "date-time"}, accepts=("2026-01-31T12:00:00Z",),
         rejects=("now",)),
    Case(uuid.UUID, {"type": "string", "format": "uuid"},
         accepts=("12345678-1234-5678-1234-567812345678",), rejects=("1234", 1)),
    Case(fractions.Fraction, {"type": "string", "pattern": "^-?[0-9]+(/[1-9][0-9]*)?$"},
         accepts=("1/3", "-12/7", "4", "0"), rejects=("1/0", "1/-3", "0.5", "1/3 ", "+1", 1)),
    Case(decimal.Decimal, DECIMAL, accepts=("1", "-0.10", "1E+3", "NaN", "Infinity"),
         rejects=("one", "1.", 1)),
    Case(ipaddress.IPv4Address, {"type": "string", "format": "ipv4"}, accepts=("127.0.0.1",),
         rejects=("127.0.0", "::1")),
    Case(ipaddress.IPv6Address, {"type": "string", "format": "ipv6"}, accepts=("::1",),
         rejects=("127.0.0.1", "x")),
    Case(ipaddress.IPv4Network, STRING, accepts=("10.0.0.0/8",), rejects=(1,)),
    Case(ipaddress.IPv6Network, STRING, accepts=("fe80::/10",), rejects=(1,)),
    Case(ipaddress.IPv4Interface, STRING, accepts=("10.0.0.1/8",), rejects=(1,)),
    Case(ipaddress.IPv6Interface, STRING, accepts=("::1/128",), rejects=(1,)),
    Case(pathlib.PurePath, STRING, accepts=("a/b",), rejects=(1,)),
    Case(pathlib.Path, STRING, accepts=("a/b",), rejects=(1,)),
    Case(pathlib.PurePosixPath, STRING, accepts=("a/b",), rejects=(1,)),
    Case(pathlib.PureWindowsPath, STRING, accepts=("a/b",), rejects=(1,)),
    Case(Folder, STRING, accepts=("a/b",), rejects=(1,)),
    Case(os.PathLike, STRING, accepts=("a/b",), rejects=(1,), id="PathLike"),
    Case(os.PathLike[str], STRING, accepts=("a/b",), rejects=(1,), id="PathLike[str]"),
    Case(re.Pattern, {"type": "string", "format": "regex"}, accepts=("^a+$",), rejects=("(", 1),
         id="re.Pattern"),
    Case(re.Pattern[str], {"type": "string", "format": "regex"}, accepts=("^a+$",), rejects=("(",),
         id="re.Pattern[str]"),
    Case(re.Pattern[bytes], {"type": "string", "format": "regex"}, accepts=("^a+$",),
         rejects=("(",), id="re.Pattern[bytes]"),
    Case(typing.Pattern[str], {"type": "string", "format": "regex"}, accepts=("^a+$",),
         rejects=("(",), id="typing.Pattern[str]"),
    Case(collections.UserString, STRING, accepts=("a",), rejects=(1,)),
    Case(BYTE_STRING, {"type": "string", "contentEncoding": "base64"}, accepts=("YQ==",),
         rejects=(1, ["a"]), id="ByteString"),
    Case(abc.Generator, {"type": "array", "items": {}}, accepts=([1],), rejects=(1,),
         id="bare Generator"),
    Case(zoneinfo.ZoneInfo, STRING, accepts=("Europe/Berlin",), rejects=(1,)),
]  # fmt: skip
