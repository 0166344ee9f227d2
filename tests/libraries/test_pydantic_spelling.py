"""A model of pydantic accepts what its schema accepts, whatever validators have seen it before."""

import collections
import datetime
import decimal
import enum
import ipaddress
import pathlib
import uuid
from collections.abc import Callable
from typing import Annotated, Any, Literal

import jsonschema_rs
import pydantic
import pytest

from milo_schema import Profile, profiles, type_to_schema
from milo_schema.arguments import ArgumentsError, json_to_value
from tests.every import every

pytestmark = pytest.mark.core


class Level(enum.Enum):
    LOW = "low"
    HIGH = 2


TYPES: dict[str, tuple[Any, list[Any]]] = {
    "datetime": (datetime.datetime, ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.5+02:00"]),
    "AwareDatetime": (pydantic.AwareDatetime, ["2026-01-31T12:00:00Z"]),
    "date": (datetime.date, ["2026-01-31"]),
    "time": (datetime.time, ["12:00:00Z"]),
    "timedelta": (datetime.timedelta, ["PT1H", "P1DT2S"]),
    "Decimal": (decimal.Decimal, ["1.50", 2, 2.5]),
    "int": (int, [1, 1.0]),
    "float": (float, [1, 2.5]),
    "bytes": (bytes, ["aGk="]),
    "tuple": (tuple[int, datetime.date], [[1, "2026-01-31"]]),
    "variadic tuple": (tuple[decimal.Decimal, ...], [[], ["1.5"]]),
    "set": (set[datetime.date], [[], ["2026-01-31"]]),
    "frozenset": (frozenset[int], [[1, 2]]),
    "deque": (collections.deque[uuid.UUID], [["12345678-1234-5678-1234-567812345678"]]),
    "mapping": (dict[datetime.date, decimal.Decimal], [{"2026-01-31": "1.5"}]),
    "UUID": (uuid.UUID, ["12345678-1234-5678-1234-567812345678"]),
    "Path": (pathlib.Path, ["a/b"]),
    "address": (ipaddress.IPv4Address, ["127.0.0.1"]),
    "Enum": (Level, ["low", 2]),
    "Literal": (Literal["a", 1], ["a", 1]),
    "AnyUrl": (pydantic.AnyUrl, ["https://example.org/"]),
    "SecretStr": (pydantic.SecretStr, ["secret"]),
    "Json": (pydantic.Json[list[int]], ["[1, 2]"]),
    "union": (datetime.date | int | None, ["2026-01-31", 3, None]),
}


def unchanged(value: Any) -> Any:
    return value


def handled(value: Any, handler: Callable[[Any], Any]) -> Any:
    return handler(value)


def model_with(tp: Any, **members: Any) -> type[pydantic.BaseModel]:
    return type("Model", (pydantic.BaseModel,), {"__annotations__": {"x": tp}, **members})


def model_handled(_cls: Any, value: Any, handler: Callable[[Any], Any]) -> Any:
    return handler({**value} if isinstance(value, dict) else value)


def model_unchanged(_cls: Any, value: Any) -> Any:
    return {**value} if isinstance(value, dict) else value


BEFORE: Any = pydantic.model_validator(mode="before")
WRAP: Any = pydantic.model_validator(mode="wrap")
BEHIND: dict[str, Callable[[Any], Any]] = {
    "nothing": model_with,
    "before of the model": lambda tp: model_with(tp, check=BEFORE(classmethod(model_unchanged))),
    "wrap of the model": lambda tp: model_with(tp, check=WRAP(classmethod(model_handled))),
    "before of the field": lambda tp: model_with(tp,
          check=pydantic.field_validator("x", mode="before")(unchanged)),
    "wrap of the field": lambda tp: model_with(tp,
          check=pydantic.field_validator("x", mode="wrap")(handled)),
    "before in Annotated": lambda tp: model_with(Annotated[tp,
            pydantic.BeforeValidator(unchanged)]),
    "wrap in Annotated": lambda tp: model_with(Annotated[tp, pydantic.WrapValidator(handled)]),
}  # fmt: skip
PROFILES: list[Profile] = [profiles.MCP, profiles.MILO, profiles.FASTMCP]


@pytest.mark.parametrize("behind", BEHIND)
@every("tp", TYPES)
def test_what_the_schema_accepts_is_read_behind_a_validator(tp, behind):
    annotation, samples = TYPES[tp]
    model = BEHIND[behind](annotation)
    judge = jsonschema_rs.Draft202012Validator(type_to_schema(model, profile=profiles.MCP))
    for sample in samples:
        json = {"x": sample}
        assert judge.is_valid(json)
        expected = pydantic.TypeAdapter(annotation).validate_python(sample)
        for profile in PROFILES:
            if sample is None and profile.unwrap_none is True:
                continue
            for repair in (False, True):
                found = json_to_value(json, model, profile=profile, repair=repair)
                assert (type(found.x), found.x) == (type(expected), expected)


STRICT: dict[str, Any] = {
    "field": model_with(Annotated[datetime.date, pydantic.Field(strict=True)]),
    "type": model_with(Annotated[datetime.date, pydantic.Strict()]),
    "model": model_with(datetime.date, model_config=pydantic.ConfigDict(strict=True)),
}


@pytest.mark.parametrize("strict", STRICT)
def test_what_is_strict_stays_strict(strict):
    model = STRICT[strict]

    class Child(model):  # type: ignore[misc]
        @pydantic.field_validator("x", mode="before")
        @classmethod
        def check(cls, value: Any) -> Any:
            return value

    assert json_to_value({"x": "2026-01-31"}, model).x == datetime.date(2026, 1, 31)
    with pytest.raises(ArgumentsError, match=r"\.x: Input should be a valid date"):
        json_to_value({"x": "2026-01-31"}, Child)
