"""Calls of a tool for each row of the tables of cases, under each profile of the library.

A call accepts what the schema accepts that the caller saw. There are three exceptions: unknown
names are refused although a schema is open, null is taken where the annotation has ``None``,
although the profile unwraps it, and what a dialect requires or widens may be left out or refused.
The result is valid under the output schema, and is a result of the protocol.
"""

from __future__ import annotations

import functools
import json
import warnings
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from milo_schema import Profile, SchemaError, ToolSchema, profiles, tool_schema
from tests.cases import Case
from tests.every import every
from tests.inside import read_schema
from tests.test_arguments import DECODERS, NOT_BUILT, READABLE
from tests.test_neighbors import NARROWER, WIDER
from tests.test_results import SPECIFIED

EVERY = [each for each in vars(profiles).values() if isinstance(each, Profile)]

LOOSE = {"OPENMCP", "OMNI", "PLATOOLS"}
"""Profiles with schemas that are looser than annotations, as their documents say."""

ONE_WAY = {*NARROWER, *NOT_BUILT}
PROBES: list[Any] = [None, True, 1, 1.5, "", "x", [], {}, [1], {"a": 1}]
ROWS = [case for case in READABLE if str(case) not in {*DECODERS, *WIDER}]


def tool_of(case: Case, profile: Profile) -> ToolSchema | None:
    """A tool that returns its argument, if it has a definition; ``secret`` is never shown."""

    def echo(x, secret="kept"):
        assert secret == "kept"
        return x

    echo.__annotations__ = {"x": case.type, "return": case.type}
    try:
        return tool_schema(echo, profile=case.profile(profile), exclude=["secret"])
    except SchemaError:
        return None


def calls(case: Case) -> Iterator[dict[str, Any]]:
    """Arguments, valid and invalid ones."""
    for value in (*case.accepts, *case.rejects, *PROBES):
        yield {"x": value}
    for value in case.accepts[:1]:
        yield {"x": value, "secret": "set"}
        yield {"x": value, "other": 1}
    yield {}


@functools.cache
def judge_of_results() -> Any:
    return jsonschema_rs.Draft202012Validator(SPECIFIED["2026-07-28"])


def check(case: Case, profile: Profile) -> int:
    """Compare the calls with the schemas; return the number of calls that were accepted."""
    if (tool := tool_of(case, profile)) is None:
        return 0
    accepts = jsonschema_rs.Draft202012Validator(
        read_schema(tool.input_schema).schema, validate_formats=True
    )
    output = jsonschema_rs.Draft202012Validator(
        {} if tool.output_schema is None else read_schema(tool.output_schema).schema
    )
    result_of_mcp = judge_of_results()
    accepted = 0
    for arguments in calls(case):
        try:
            result = tool.call(arguments)
        except SchemaError:  # the value has no JSON, such as an iterator that is used up
            continue
        is_valid, is_accepted = accepts.is_valid(arguments), not result["isError"]
        is_unwrapped = profile.unwrap_none and "null" in json.dumps(arguments)
        assert is_valid or not is_accepted or is_unwrapped or profile.dialect is not None, (
            profile,
            tool.input_schema,
            arguments,
        )
        if not is_accepted:
            is_exact = (
                profile.dialect is None and profile.name not in LOOSE and str(case) not in ONE_WAY
            )
            is_exact = is_exact and not arguments.keys() - {"x"}
            assert not (is_valid and is_exact), (profile, tool.input_schema, arguments, result)
            continue
        accepted += 1
        assert result_of_mcp.is_valid({"resultType": "complete", **result})
        if "structuredContent" in result:
            assert output.is_valid(result["structuredContent"]), (profile, result)
    return accepted


@every("case", ROWS)
def test_a_call_accepts_what_the_schema_accepts(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for profile in (profiles.MCP, profiles.OPENAI_STRICT):
            check(case, profile)


every_profile = pytest.mark.parametrize("profile", EVERY, ids=lambda each: each.name)


@pytest.mark.slow
@every_profile
def test_a_call_accepts_what_the_schema_accepts_under_every_profile(profile):
    """Every fourth row, others for the next profile."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert sum(check(case, profile) for case in ROWS[EVERY.index(profile) % 4 :: 4]) > 25


@pytest.mark.long
@every_profile
def test_a_call_accepts_what_the_schema_accepts_in_every_row(profile):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert sum(check(case, profile) for case in ROWS) > 100
