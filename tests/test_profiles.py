"""Profiles as arguments, and the schemas in them."""

import pytest

from milo_schema import SchemaError, function_to_schema, profiles, return_to_schema, type_to_schema


@pytest.mark.parametrize("derive", [function_to_schema, return_to_schema, type_to_schema])
def test_the_name_of_a_profile_is_not_a_profile(derive):
    with pytest.raises(SchemaError) as caught:
        derive(len, profile="MCP")
    assert str(caught.value) == "profile='MCP' is no Profile; pass profiles.MCP or its like"


def untyped(a) -> complex: ...


@pytest.mark.parametrize(
    ("field", "derive", "path"),
    [
        ("unknown", lambda profile: type_to_schema(complex, profile=profile), "complex"),
        ("untyped", lambda profile: function_to_schema(untyped, profile=profile), "untyped(a)"),
        ("box", lambda profile: return_to_schema(untyped, profile=profile), "untyped() -> "),
    ],
)
@pytest.mark.filterwarnings("ignore::milo_schema.SchemaWarning")
def test_the_schemas_in_a_profile_are_checked_against_the_meta_schema(field, derive, path):
    nested = {"anyOf": [{"type": "string"}, {"type": "number"}]}
    profile = profiles.MILO.replace(**{field: nested})
    first, second = derive(profile), derive(profile)
    assert first == second
    for keywords, why in (
        ({"type": "text"}, "it has 'type', whose value is no type of JSON's, nor a list of them"),
        ({"default": object()}, "it has an object of class object, which is not JSON"),
    ):
        with pytest.raises(SchemaError) as caught:
            derive(profiles.MILO.replace(**{field: keywords}))
        assert caught.value.reason == f"the profile's {field!r} is no schema: {why}"
        assert caught.value.path == path
    arms = [schema.get("properties", {}).get("a", schema)["anyOf"] for schema in (first, second)]
    arms[0][0].clear()
    assert arms[1] == nested["anyOf"]
