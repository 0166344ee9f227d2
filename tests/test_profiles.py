"""What a profile says if it is only given a name, and its limits on both sides."""

from typing import Any

import pytest

from milo_schema import Profile, SchemaError, type_to_schema


def test_profile_with_nothing_but_a_name():
    assert vars(Profile(name="X")) == {
        "name": "X",
        "unknown": {},
        "untyped": {},
        "failure": "warn",
        "unwrap_none": False,
        "null_defaults": True,
        "closed": "nothing",
        "variadics": "omit",
        "undescribed": "",
        "injected_names": frozenset(),
        "injected_classes": frozenset(),
        "box": None,
        "outputs": True,
        "output_docs": True,
        "opaque_outputs": frozenset(),
        "summary_only": False,
        "inline": True,
        "types": {},
        "transforms": (),
        "max_depth": 128,
        "max_subschemas": 50_000,
    }


def nested(depth: int) -> Any:
    annotation: Any = int
    for _ in range(depth):
        annotation = list[annotation]
    return annotation


@pytest.mark.parametrize("limit", [1, 10])
def test_depth_is_reached_and_not_exceeded(limit):
    profile = Profile(name="X", max_depth=limit)
    expected: dict[str, Any] = {"type": "integer"}
    for _ in range(limit):
        expected = {"type": "array", "items": expected}
    assert type_to_schema(nested(limit), profile=profile) == expected
    with pytest.raises(SchemaError) as caught:
        type_to_schema(nested(limit + 1), profile=profile)
    assert caught.value.reason == f"nested deeper than {limit} levels, the profile's max_depth"


def test_number_of_subschemas_is_reached_and_not_exceeded():
    """A tuple, two lists, and what is in the first one: four when the second list is met."""
    annotation = tuple[list[int], list[int]]
    array = {"type": "array", "items": {"type": "integer"}}
    assert type_to_schema(annotation, profile=Profile(name="X", max_subschemas=4)) == {
        "type": "array",
        "prefixItems": [array, array],
        "minItems": 2,
        "maxItems": 2,
    }
    with pytest.raises(SchemaError) as caught:
        type_to_schema(annotation, profile=Profile(name="X", max_subschemas=3))
    assert caught.value.reason == "more than 3 subschemas, the profile's max_subschemas"
