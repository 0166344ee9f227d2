"""Variadic keyword parameters of a profile that lets callers pass further ones."""

from typing import Any

import pytest

from milo_schema import Profile, function_to_schema

OPEN = Profile(name="OPEN", variadics="open")


def untyped(**options):
    """Run it.

    Args:
        options: More of them.
    """


def typed(**options: int):
    """Run it.

    Args:
        options: More of them.
    """


def undescribed(**options: int): ...


@pytest.mark.parametrize(
    ("func", "further"),
    [
        (untyped, {}),
        (typed, {"additionalProperties": {"type": "integer", "description": "More of them."}}),
        (undescribed, {"additionalProperties": {"type": "integer"}}),
    ],
    ids=["untyped", "typed", "undescribed"],
)
def test_typed_keyword_parameters_are_described(func, further: dict[str, Any]):
    expected = {"type": "object", "properties": {}, **further}
    assert function_to_schema(func, profile=OPEN, strict=True) == expected
