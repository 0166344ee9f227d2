"""Schemas from outside that bring ``$defs``: from hooks, profiles and ``Schema({...})``."""

from typing import Annotated, Any

import pytest

from milo_schema import Schema, SchemaError, function_to_schema, profiles, type_to_schema
from milo_schema.arguments import ArgumentsError, bind, json_to_value
from tests.fragments import INTEGER, NULL, STRING, array_of, obj

COLOR = {"enum": ["red", "blue"]}
PEN = obj([], ink={"$ref": "#/$defs/Color"}, cap={"$ref": "#/$defs/Color"}) | {
    "$defs": {"Color": COLOR}
}
WRITTEN_OUT = {"type": "object", "properties": {"ink": COLOR, "cap": COLOR}}

NODE: dict[str, Any] = {
    "$ref": "#/$defs/Node",
    "$defs": {"Node": obj([], next={"$ref": "#/$defs/Node"}), "Unused": NULL},
}
DEFS = {"$defs": {"Node": NODE["$defs"]["Node"]}}
NODE_DEFINITION = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}

SHARED = profiles.MCP.replace(inline=False)


class Pen:
    @classmethod
    def __milo_schema__(cls, walk):
        return PEN


class Node:
    @classmethod
    def __milo_schema__(cls, walk):
        return NODE


def of(profile: Any) -> Any:
    """An unknown type, of which the profile has the schema."""
    return complex, profile


MCP = profiles.MCP
SOURCES: dict[str, Any] = {
    "hook": lambda schema: (_hooked(schema), MCP),
    "types": lambda schema: of(MCP.with_types({complex: schema})),
    "function": lambda schema: of(MCP.with_types({complex: lambda _, walk: schema})),
    "unknown": lambda schema: of(MCP.replace(unknown=lambda _, walk: schema)),
    "import": lambda schema: of(
        MCP.with_types({complex: lambda _, walk: walk.import_schema(schema)})
    ),
    "marker": lambda schema: (Annotated[Any, Schema(schema)], MCP),
}


def _hooked(schema):
    return type("Hooked", (), {"__milo_schema__": classmethod(lambda cls, walk: schema)})


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_imported_definitions_are_inlined_or_shared_like_others(source):
    annotation, profile = source(PEN)
    assert type_to_schema(annotation, profile=profile) == WRITTEN_OUT
    assert type_to_schema(list[annotation], profile=profile.replace(inline=False))["$defs"][
        "Color"
    ] == COLOR  # fmt: skip


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_a_recursive_imported_definition_is_kept(source):
    annotation, profile = source(NODE)
    assert type_to_schema(list[annotation], profile=profile) == array_of(
        {"$ref": "#/$defs/Node"}
    ) | {"$defs": {"Node": NODE_DEFINITION}}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize(
    ("schema", "written", "refused"),
    [
        ({"$dynamicRef": "#/$defs/N"}, {"type": "integer"}, "a"),
        ({"items": {"$dynamicRef": "#/$defs/N"}}, {"items": {"type": "integer"}}, ["a"]),
        ({"$ref": "#/$defs/N", "$dynamicRef": "#/$defs/Small", "allOf": [{"minimum": 0}]},
         {"type": "integer", "allOf": [{"minimum": 0}, {"maximum": 5}]}, 9),
        ({"$ref": "#/$defs/N", "$dynamicRef": "#/$defs/Small"},
         {"type": "integer", "allOf": [{"maximum": 5}]}, 9),
    ],
)  # fmt: skip
def test_a_dynamic_reference_to_a_definition_is_a_reference(source, schema, written, refused):
    """Arguments obey it, too."""
    defined = {**schema, "$defs": {"N": {"type": "integer"}, "Small": {"maximum": 5}}}
    annotation, profile = source(defined)

    assert type_to_schema(annotation, profile=profile, strict=True) == written
    if source is SOURCES["marker"]:
        good = [3] if "items" in schema else 3
        assert json_to_value(good, annotation, profile=profile) == good
        with pytest.raises(ArgumentsError, match=r"expected an integer|must be at most 5"):
            json_to_value(refused, annotation, profile=profile)


def test_the_given_schema_is_not_changed():
    before = repr(PEN)
    type_to_schema(Pen)
    type_to_schema(Annotated[Any, Schema(PEN)])
    assert repr(PEN) == before


def test_equal_definitions_are_merged_and_others_get_a_number():
    other = {"$ref": "#/$defs/Color", "$defs": {"Color": {"enum": ["green", "gray"]}}}

    def f(a: Pen, b: Annotated[Any, Schema(PEN)], c: Annotated[Any, Schema(other)]): ...

    schema = function_to_schema(f, profile=SHARED)
    ink = {"ink": {"$ref": "#/$defs/Color"}, "cap": {"$ref": "#/$defs/Color"}}
    assert schema["properties"] == {
        "a": {"$ref": "#/$defs/Pen"},
        "b": {"type": "object", "properties": ink},
        "c": {"$ref": "#/$defs/Color_2"},
    }
    assert schema["$defs"] == {
        "Color": COLOR,
        "Color_2": {"enum": ["green", "gray"]},
        "Pen": {"type": "object", "properties": ink},
    }


def test_names_of_definitions_are_made_safe():
    schema = {"items": {"$ref": "#/$defs/a~1b~0c"}, "$defs": {"a/b~c": {"type": "integer"}}}
    assert type_to_schema(Annotated[list, Schema(schema)], profile=SHARED) == array_of(
        {"$ref": "#/$defs/a_b_c"}
    ) | {"$defs": {"a_b_c": INTEGER}}


def test_a_definition_that_only_refers_to_another_is_replaced_by_it():
    schema = {
        "items": {"$ref": "#/$defs/Alias"},
        "$defs": {"Alias": {"$ref": "#/$defs/Color"}, "Color": COLOR},
    }
    assert type_to_schema(Annotated[list, Schema(schema)], profile=SHARED) == array_of(
        {"$ref": "#/$defs/Color"}
    ) | {"$defs": {"Color": COLOR}}


def test_keywords_beside_a_reference_are_kept():
    schema = {
        "$ref": "#/$defs/Text",
        "description": "Short.",
        "maxLength": 9,
        "$defs": {"Text": {"type": "string", "maxLength": 20, "minLength": 1}},
    }
    expected = STRING | {"maxLength": 9, "minLength": 1, "description": "Short."}
    assert type_to_schema(Annotated[Any, Schema(schema)]) == expected


def test_a_hook_can_combine_imported_and_derived_schemas():
    class Box:
        @classmethod
        def __milo_schema__(cls, walk):
            return obj(
                [],
                pen=walk.import_schema(PEN),
                same=walk.schema(Pen),
                size={"$ref": "#/$defs/Size"},
            ) | {"$defs": {"Size": {"type": "integer", "minimum": 1}}}

    assert type_to_schema(Box) == obj(
        [], pen=WRITTEN_OUT, same=WRITTEN_OUT, size={"type": "integer", "minimum": 1}
    )


def test_imported_definitions_can_be_bound_wherever_they_are_used():
    class Drawn:
        @classmethod
        def __milo_schema__(cls, walk):
            return walk.import_schema(PEN)

        @classmethod
        def __milo_from_json__(cls, json):
            return json

    def draw(first: Drawn, second: Annotated[Drawn, Schema({"required": ["ink"]})]): ...

    pens = {"first": {"cap": "red"}, "second": {"ink": "blue"}}
    assert bind(draw, pens).kwargs == pens
    with pytest.raises(ArgumentsError) as caught:
        bind(draw, {"first": {"ink": 1}, "second": {"cap": "red"}})
    assert [each.path for each in caught.value.problems] == [".first.ink", ".second.ink"]


def test_a_recursive_definition_of_two_hooks_checks_the_values_of_both():
    class Drawn:
        @classmethod
        def __milo_schema__(cls, walk):
            return walk.import_schema({"properties": {"first": {"$ref": "#/$defs/Node"}}, **DEFS})

        @classmethod
        def __milo_from_json__(cls, json):
            return json

    class Painted(Drawn):
        pass

    def draw(drawn: Drawn, painted: Painted): ...

    deep = {"first": {"next": {"next": 5}}}
    with pytest.raises(ArgumentsError) as caught:
        bind(draw, {"drawn": deep, "painted": deep})
    assert [(each.path, each.message) for each in caught.value.problems] == [
        (".drawn.first.next.next", "expected an object, got 5"),
        (".painted.first.next.next", "expected an object, got 5"),
    ]


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"$ref": "#/$defs/Missing", "$defs": {"There": {}}},
         "'#/$defs/Missing' does not exist; inline it, or use walk.schema()"),
        ({"$defs": {"Odd": {"type": "text"}}},
         "'type' must be a JSON type or a list of them, not 'text'"),
        ({"$defs": ["Odd"]}, "'$defs' must be a dict of schemas, not ['Odd']"),
    ],
)  # fmt: skip
def test_definitions_are_checked(schema, reason):
    profile = profiles.MCP.with_types({complex: lambda _, walk: walk.import_schema(schema)})
    with pytest.raises(SchemaError) as caught:
        type_to_schema(list[complex], profile=profile)
    assert caught.value.message.startswith(f"the schema to import is not a valid schema: {reason}")
    assert caught.value.path == "list[complex][]"
