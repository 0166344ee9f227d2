"""Iterables, and the keys of mappings."""

import collections
from collections.abc import Generator, KeysView
from typing import Annotated

import pytest

from milo_schema import Ge, SchemaError
from tests.fragments import INTEGER, STRING, exact


def test_a_type_that_yields_items_is_an_array_of_them():
    assert exact(Generator[int, None, None]) == {"type": "array", "items": INTEGER}
    assert exact(KeysView[str]) == {"type": "array", "items": STRING}
    assert exact(collections.UserString) == STRING


def test_a_bound_on_integer_keys_is_refused():
    with pytest.raises(SchemaError, match="keys are strings, so minimum cannot apply to them"):
        exact(dict[Annotated[int, Ge(0)], int])
