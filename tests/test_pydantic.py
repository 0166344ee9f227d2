"""pydantic's models and fields."""

import sys

from milo_schema import function_to_schema


def test_without_pydantic_no_default_can_be_a_field_of_it(monkeypatch):
    def function(a: int, b: str = "x"): ...

    expected = {"a": {"type": "integer"}, "b": {"type": "string", "default": "x"}}
    assert function_to_schema(function)["properties"] == expected
    monkeypatch.delitem(sys.modules, "pydantic.fields", raising=False)
    assert function_to_schema(function)["properties"] == expected
