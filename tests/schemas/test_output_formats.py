"""The formats in output schemas: clients validate results with them, and refuse what has none."""

import datetime
import ipaddress
import re
import uuid
from dataclasses import dataclass
from typing import Annotated, Any

import jsonschema_rs
import pydantic
import pytest
from pydantic import v1

from milo_schema import (
    Description,
    Format,
    MaxLen,
    Schema,
    function_to_schema,
    profiles,
    return_to_schema,
)
from milo_schema.checks import check
from milo_schema.results import value_to_json
from tests.every import every
from tests.fragments import any_of, taking
from tests.inside import SCALAR_TYPES, own_row_of, row_of
from tests.tools.typescript.server import FITTING, PROFILES, UNFITTING

pytestmark = pytest.mark.core

DateTime = datetime.datetime
TEXT = {"type": "string"}
MOMENT = {"type": "string", "format": "date-time"}
DAY = {"type": "string", "format": "date"}
ALL = [getattr(profiles, name) for name in ("MILO", "FASTMCP", "MCP_SDK", "OPENMCP", "PLATOOLS")]
CERTAIN = [profiles.MCP, *PROFILES]


def output(annotation: Any, profile: Any = profiles.MCP) -> Any:
    def find(): ...

    find.__annotations__["return"] = annotation
    return return_to_schema(find, profile=profile)


def formats(schema: Any) -> list[str]:
    return re.findall("'format': '(.*?)'", repr(schema))


@pytest.mark.parametrize("tp", UNFITTING, ids=lambda each: each.__name__)
@every("profile", CERTAIN, ids=lambda each: each.name)
def test_a_format_that_not_every_value_has_is_left_out(profile, tp):
    assert formats(output(tp, profile)) == []
    assert formats(output(dict[str, list[tp | int]], profile)) == []


@pytest.mark.parametrize("profile", CERTAIN, ids=lambda each: each.name)
@pytest.mark.parametrize(
    ("tp", "name"),
    [
        (datetime.date, "date"),
        (uuid.UUID, "uuid"),
        (ipaddress.IPv4Address, "ipv4"),
        (pydantic.AwareDatetime, "date-time"),
        (pydantic.FutureDate, "date"),
        (pydantic.AnyUrl, "uri"),
        (Annotated[str, Format("date-time")], "date-time"),
        (Annotated[str, Schema({"format": "time"})], "time"),
        (Annotated[str, pydantic.Field(json_schema_extra={"format": "ipv6"})], "ipv6"),
    ],
)
def test_a_format_that_every_value_has_or_that_its_author_wrote_stays(profile, tp, name):
    assert formats(output(tp, profile)) == [name]


@pytest.mark.parametrize("profile", ALL, ids=lambda each: each.name)
def test_profiles_of_other_systems_keep_the_formats(profile):
    @dataclass
    class Event:
        at: DateTime
        lasts: datetime.timedelta

    assert formats(output(Event, profile)) == ["date-time", "duration"]


@pytest.mark.parametrize("profile", [*CERTAIN[:2], *ALL], ids=lambda each: each.name)
def test_inputs_keep_the_formats(profile):
    def find(at: DateTime, lasts: datetime.timedelta, zone: ipaddress.IPv6Address): ...

    schema = function_to_schema(find, profile=profile)
    assert formats(schema) == ["date-time", "duration", "ipv6"]


class Model(pydantic.BaseModel):
    at: DateTime
    until: pydantic.PastDatetime | None
    local: pydantic.NaiveDatetime
    utc: pydantic.AwareDatetime
    opens: datetime.time
    lasts: list[datetime.timedelta]
    named: re.Pattern
    address: ipaddress.IPv6Address
    day: datetime.date
    checked: Annotated[DateTime, pydantic.AfterValidator(lambda it: it)]
    text: Annotated[str, pydantic.Field(json_schema_extra={"format": "date-time"})]


class Old(v1.BaseModel):
    at: DateTime
    day: datetime.date
    lasts: list[datetime.timedelta]


def test_the_fields_of_a_pydantic_model_have_the_same_formats():
    properties = output(Model)["properties"]
    expected: dict[str, list[str]] = {name: [] for name in Model.model_fields}
    expected |= {"utc": ["date-time"], "day": ["date"], "text": ["date-time"]}
    assert {name: formats(each) for name, each in properties.items()} == expected
    assert sorted(formats(output(Model, profiles.MILO))) == sorted(
        ["date-time"] * 6 + ["time", "duration", "regex", "ipv6", "date"]
    )


def test_so_have_those_of_pydantic_v1():
    assert {name: formats(each) for name, each in output(Old)["properties"].items()} == {
        "at": [],
        "day": ["date"],
        "lasts": ["time-delta"],  # of a number
    }


class Price:
    @classmethod
    def __milo_schema__(cls, walk: Any) -> Any:
        return {"type": "object", "properties": {"at": walk.schema(DateTime)}, "title": "Price"}


def test_a_schema_of_a_user_has_them_too_and_nothing_else_is_left_behind():
    schema = {"type": "object", "properties": {"at": TEXT}, "title": "Price"}
    both = {"type": "object", "properties": {"a": schema, "b": schema}, "required": ["a", "b"]}

    @dataclass
    class Two:
        a: Price
        b: Price

    assert output(Two) == both
    apart = output(Two, profiles.MCP.replace(inline=False))
    assert apart["$defs"] == {"Price": schema}


def test_a_constraint_on_text_is_not_one_on_a_date_that_has_lost_its_format():
    assert output(Annotated[DateTime | str, MaxLen(3)]) == any_of(
        TEXT, {"type": "string", "maxLength": 3}
    )


def test_members_of_a_union_that_become_equal_are_one():
    assert output(DateTime | str) == TEXT
    assert output(DateTime | datetime.time | None) == {"anyOf": [TEXT, {"type": "null"}]}
    assert output(Annotated[DateTime, Description("When.")] | str) == any_of(
        {"type": "string", "description": "When."}, TEXT
    )


def test_a_profile_decides():
    mine = profiles.MCP.replace(output_formats="all")
    assert output(DateTime, mine) == MOMENT
    theirs = profiles.MILO.replace(output_formats="certain")
    assert output(DateTime, theirs) == TEXT
    with pytest.raises(ValueError, match="output_formats='some' is not one of 'all', 'certain'"):
        profiles.MCP.replace(output_formats="some")  # type: ignore[arg-type]


def test_a_result_without_a_format_is_still_read_as_its_type():
    with pytest.raises(TypeError, match="'hello' is not a datetime"):
        value_to_json({"at": "hello"}, dict[str, DateTime], profile=profiles.MCP)


def test_there_are_values_of_every_type_that_is_a_string_in_json():
    named = {getattr(own_row_of(tp), "name", "") for tp in FITTING}
    abstract = {"Buffer", "ByteString"}  # rows of the tables of cases have them
    others = {row.name for row in SCALAR_TYPES} - named
    assert {each.rpartition(".")[2] for each in others} == abstract
    doubtful = {row.name for row in SCALAR_TYPES if row.fits_format is not None}
    assert doubtful == {getattr(own_row_of(tp), "name", "") for tp in UNFITTING}


@pytest.mark.parametrize("tp", FITTING, ids=lambda each: each.__name__)
def test_a_row_knows_which_values_have_its_format(tp):
    row: Any = row_of(tp)
    exact = jsonschema_rs.Draft202012Validator(row.keywords, validate_formats=True)
    certain = jsonschema_rs.Draft202012Validator(output(tp), validate_formats=True)
    for value in (*FITTING[tp], *UNFITTING.get(tp, ())):
        written = value_to_json(value, tp)
        is_fitting = any(value is each for each in FITTING[tp])
        assert exact.is_valid(written) is is_fitting, value
        assert row.fits_format is None or row.fits_format(value) is is_fitting
        assert certain.is_valid(written)


@pytest.mark.parametrize(
    ("tp", "value"), [(tp, each) for tp, values in UNFITTING.items() for each in values]
)
def test_a_default_without_the_format_of_its_type_is_left_out(tp, value):
    find = taking(tp, value)
    assert "default" not in function_to_schema(find)["properties"]["x"]
    (found,) = (each for each in check(find) if each.code == "default-not-json")
    assert "is not valid in the format of its type; use None" in found.message
