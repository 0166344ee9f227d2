"""A server over stdio whose tools return a value of every type of the tables, for each profile.

A tool has the name of its profile and the number of its row. It returns its argument, which is a
sample of the row, or one of the Python values of a type that is a string in JSON. The tool
``calls`` lists all calls that are to be made.
"""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import ipaddress
import json
import os
import pathlib
import re
import sys
import uuid
import warnings
import zoneinfo
from collections.abc import Callable, Iterator
from typing import Any

from milo_schema import Profile, SchemaError, ToolSchema, profiles, tool_schema
from milo_schema.arguments import ArgumentsError, json_to_value
from milo_schema.results import error_result
from tests.cases import CASES, Case
from tests.needs import lacking

ROWS = [case for case in CASES if case.accepts and not lacking(case.needs)]

PROFILES = [
    profiles.MCP_2025,
    profiles.PORTABLE,
    profiles.OPENAI_STRICT,
    profiles.ANTHROPIC_STRICT,
    profiles.BEDROCK_STRICT,
    profiles.GEMINI,
    profiles.GEMINI_JSON,
]
"""The profiles whose results clients up to MCP 2025-11-25 get: that of MCP, and the providers'."""

ALL_FORMATS = profiles.MCP_2025.replace(name="ALL_FORMATS", output_formats="all")
"""What the client has to refuse: schemas with formats that values of Python do not have."""

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
NOON = datetime.datetime.fromisoformat("2026-07-28T12:00:00")
DELTA = datetime.timedelta
FITTING: dict[type, list[Any]] = {
    bytes: [b"", b"\xff\x00"],
    bytearray: [bytearray(b"a")],
    memoryview: [memoryview(b"ab")],
    datetime.datetime: [NOON.replace(tzinfo=datetime.UTC), NOON.replace(tzinfo=BERLIN)],
    datetime.date: [NOON.date(), datetime.date.min],
    datetime.time: [datetime.time(12, 0, 0, 1, tzinfo=datetime.UTC)],
    DELTA: [DELTA(), DELTA(days=1, seconds=3)],
    decimal.Decimal: [decimal.Decimal(text) for text in ("1.50", "-1E+9", "NaN", "Infinity")],
    fractions.Fraction: [fractions.Fraction(1, 3), fractions.Fraction(-2)],
    uuid.UUID: [uuid.UUID(int=0), uuid.UUID(int=2**128 - 1)],
    ipaddress.IPv4Address: [ipaddress.IPv4Address(1)],
    ipaddress.IPv6Address: [ipaddress.IPv6Address(1), ipaddress.IPv6Address("::ffff:1.2.3.4")],
    ipaddress.IPv4Interface: [ipaddress.IPv4Interface("10.0.0.1/8")],
    ipaddress.IPv6Interface: [ipaddress.IPv6Interface("fe80::1%eth0/64")],
    ipaddress.IPv4Network: [ipaddress.IPv4Network("10.0.0.0/8")],
    ipaddress.IPv6Network: [ipaddress.IPv6Network("fe80::/10")],
    collections.UserString: [collections.UserString("a")],
    pathlib.PurePath: [pathlib.PurePath("a/b"), pathlib.Path()],
    pathlib.Path: [pathlib.Path("/a")],
    os.PathLike: [pathlib.PurePath("a")],
    re.Pattern: [re.compile("^a+$"), re.compile(b"\xff")],
    zoneinfo.ZoneInfo: [BERLIN],
}
"""Values of the types that are strings in JSON; those with a format have it."""

UNFITTING: dict[type, list[Any]] = {
    datetime.datetime: [NOON, NOON.replace(year=1800, tzinfo=BERLIN)],
    datetime.time: [datetime.time(12), datetime.time(12, tzinfo=BERLIN)],
    DELTA: [DELTA(days=-1), DELTA(microseconds=1)],
    ipaddress.IPv6Address: [ipaddress.IPv6Address("fe80::1%eth0")],
    re.Pattern: [re.compile("(?P<a>b)(?P=a)"), re.compile(r"a\Z")],
}
"""Values without the format of their types."""


def one_of(annotation: Any, values: list[Any]) -> Callable[..., Any]:
    """A function that returns one of the values."""

    def pick(at: float):
        return values[int(at)]

    pick.__annotations__["return"] = annotation
    return pick


def tools(profile: Profile) -> Iterator[tuple[ToolSchema, int]]:
    """Tools, each with the number of values that it returns."""
    for number, case in enumerate(ROWS):
        try:
            tool = tool_schema(
                case_returned(case), name=f"{profile.name}.{number}", profile=case.profile(profile)
            )
        except SchemaError:  # the profile has no schema for it
            continue
        yield tool, len(case.accepts)
    for tp, fitting in FITTING.items():
        values = [*fitting, *UNFITTING.get(tp, ())]
        nested = [{"a": [1, *values], "b": [], "c": None}, {}]
        name = f"{profile.name}.{tp.__name__}"
        for form, annotation, each in (
            ("alone", tp, values),
            ("optional", tp | None, [None, *values]),
            ("listed", list[tp], [[], values]),
            ("nested", dict[str, list[tp | int] | None], nested),
        ):
            tool = tool_schema(one_of(annotation, each), name=f"{name}.{form}", profile=profile)
            yield tool, len(each)


def case_returned(case: Case) -> Callable[..., Any]:
    """A function that returns the value of a sample; the sample itself, if that cannot be read."""

    tp = case.type  # a row may define its class each time

    def pick(at: float):  # some rows describe an int in another way
        sample = case.accepts[int(at)]
        try:
            return json_to_value(sample, tp, localns={"Any": Any})
        except (ArgumentsError, SchemaError):
            return sample

    pick.__annotations__["return"] = tp
    return pick


def wrong_tools() -> Iterator[tuple[ToolSchema, int]]:
    """Tools with results that a client has to refuse."""
    for tp, values in UNFITTING.items():
        name = f"{ALL_FORMATS.name}.{tp.__name__}"
        yield tool_schema(one_of(tp, values), name=name, profile=ALL_FORMATS), len(values)


def serve(tools: dict[str, ToolSchema]) -> None:
    """Answer requests until there are no more."""
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:
            result = answer(tools, request["method"], request.get("params", {}))
            print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)


def answer(tools: dict[str, ToolSchema], method: str, params: dict[str, Any]) -> Any:
    """The result of a request."""
    if method == "initialize":
        about = {"serverInfo": {"name": "tables", "version": "1"}, "capabilities": {"tools": {}}}
        return {"protocolVersion": params["protocolVersion"], **about}
    if method == "tools/list":
        return {"tools": [tool.to_mcp() for tool in tools.values()]}
    try:
        return tools[params["name"]].call(params.get("arguments"))
    except SchemaError as problem:  # the value has no JSON
        return error_result(str(problem))


def main() -> None:
    """Make the tools, and serve."""
    warnings.simplefilter("ignore")
    counts = [*once([each for profile in PROFILES for each in tools(profile)]), *wrong_tools()]

    def calls() -> list[Any]:
        return [[tool.name, {"at": at}] for tool, count in counts for at in range(count)]

    every = *(tool for tool, _ in counts), tool_schema(calls, profile=profiles.MCP_2025)
    serve({tool.name: tool for tool in every})


def once(tools: list[tuple[ToolSchema, int]]) -> Iterator[tuple[ToolSchema, int]]:
    """The tools without those that have the output schema of an earlier profile."""
    seen: set[str] = set()
    for tool, count in tools:
        key = f"{tool.name.partition('.')[2]} {json.dumps(tool.output_schema)}"
        if key not in seen:
            seen.add(key)
            yield tool, count


if __name__ == "__main__":
    main()
