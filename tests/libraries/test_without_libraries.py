"""Types that are read alike whether or not a library is loaded."""

import functools
import sys
from dataclasses import dataclass
from typing import Annotated, Any

import attrs
import pytest

from milo_schema import function_to_schema, profiles, type_to_schema
from tests.fragments import record

STRING: dict[str, Any] = {"type": "string"}
INTEGER: dict[str, Any] = {"type": "integer"}


def test_metadata_records_and_defaults_are_read_without_pydantic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "pydantic", raising=False)

    @dataclass
    class Item:
        name: str
        count: Annotated[int, object()] = 1

    def buy(item: Item, times: Annotated[int, object()] = 2) -> None: ...

    item = record(name=STRING, count={**INTEGER, "default": 1})
    expected = record(item=item, times={**INTEGER, "default": 2}) | {"additionalProperties": False}
    item["required"], expected["required"] = ["name"], ["item"]
    assert function_to_schema(buy, strict=True, profile=profiles.MCP) == expected
    whole = functools.partial(buy)
    assert function_to_schema(whole, strict=True, profile=profiles.MCP) == expected


def test_metadata_of_attrs_field_describe_it() -> None:
    @attrs.define
    class Item:
        name: str = attrs.field(metadata={"description": "What it is called."})

    assert type_to_schema(Item, profile=profiles.MCP) == record(
        name={**STRING, "description": "What it is called."}
    )
