"""Dotted names in the docstring of a function describe fields of its parameters."""

from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, TypedDict

import attrs
import pydantic
import pytest
from typing_extensions import TypeAliasType

from milo_schema import Description, Injected, function_to_schema, profiles
from milo_schema.checks import check_function
from tests.fragments import INTEGER, STRING

SHARED = profiles.MCP.replace(name="shared", inline=False)


@dataclass
class City:
    """A city."""

    name: str
    people: Annotated[int, Description("Its own text.")] = 0


@dataclass
class Address:
    """An address.

    Attributes:
        street: The street and number.
    """

    street: str
    city: City
    second: City | None = None


class Point(NamedTuple):
    x: int
    y: int


class Options(TypedDict, total=False):
    depth: int


@dataclass
class Tree:
    value: int
    children: list["Tree"]


class Owner(pydantic.BaseModel):
    """An owner."""

    name: str = pydantic.Field(alias="fullName")
    age: int = pydantic.Field(description="Its own text.")
    home: City
    work: City | None


class Custom:
    """A class that describes itself."""

    @classmethod
    def __milo_schema__(cls, walk):
        return {"type": "object", "description": "A point.", "properties": {"x": {}, "y": {}}}


CITY: Any = {
    "type": "object",
    "properties": {
        "name": STRING,
        "people": {"type": "integer", "description": "Its own text.", "default": 0},
    },
    "required": ["name"],
    "description": "A city.",
}


def parameter(annotation: Any, docs: str, profile: Any = profiles.MCP) -> Any:
    """The schema of a parameter with a docstring."""

    def f(p): ...

    f.__annotations__ = {"p": annotation}
    f.__doc__ = f"Do it.\n\nArgs:\n{docs}"
    return function_to_schema(f, profile=profile)["properties"]["p"]


def city(name: str, **keywords: Any) -> Any:
    """The schema of a city whose name is described."""
    properties = CITY["properties"] | {"name": STRING | {"description": name}}
    return {**CITY, "properties": properties, **keywords}


def test_a_field_is_described_at_any_depth():
    docs = "    p.city.name: The name.\n    p.second.name: Another.\n    p: Where.\n"
    assert parameter(Address, docs) == {
        "type": "object",
        "properties": {
            "street": STRING | {"description": "The street and number."},
            "city": city("The name."),
            "second": {"anyOf": [city("Another."), {"type": "null"}], "default": None},
        },
        "required": ["street", "city"],
        "description": "Where.",
    }


def test_a_field_keeps_its_own_description():
    docs = "    p.people: Another text.\n    p.name: The name.\n"
    assert parameter(City, docs) == city("The name.")
    docs = "    p.street: Another text.\n"
    assert parameter(Address, docs)["properties"]["street"]["description"] == (
        "The street and number."
    )


@pytest.mark.parametrize("profile", [profiles.MCP, SHARED], ids=lambda profile: profile.name)
@pytest.mark.parametrize(
    "docs",
    [
        "    p.city.name: The name.\n    p.city: The city.\n",
        "    p.city: The city.\n    p.city.name: The name.\n",
    ],
)
def test_the_text_of_a_field_replaces_that_of_its_class(docs, profile):
    found = parameter(Address, docs, profile)["properties"]["city"]
    assert found == city("The name.", description="The city.")


def test_a_field_of_a_named_tuple_is_described_at_its_position():
    assert parameter(Point, "    p.y: Up.\n") == {
        "type": "array",
        "prefixItems": [INTEGER, INTEGER | {"description": "Up."}],
        "minItems": 2,
        "maxItems": 2,
    }


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (Options, lambda inner: inner),
        (Options | None, lambda inner: {"anyOf": [inner, {"type": "null"}]}),
        (list[Options], lambda inner: {"type": "array", "items": inner}),
        (Annotated[Options, Description("All.")], lambda inner: inner | {"description": "All."}),
        (int | Options, lambda inner: {"anyOf": [INTEGER, inner]}),
    ],
    ids=["record", "optional", "items", "annotated", "union"],
)
def test_records_are_found_in_other_types(annotation, expected):
    described = {"type": "object", "properties": {"depth": INTEGER | {"description": "How deep."}}}
    assert parameter(annotation, "    p.depth: How deep.\n") == expected(described)


def test_an_alias_stands_for_its_record():
    alias = TypeAliasType("alias", City | None)
    docs = "    p: Where.\n    p.name: The name.\n"
    union = {"anyOf": [city("The name."), {"type": "null"}], "description": "Where."}
    assert parameter(alias, docs) == union
    unwrapping = profiles.MCP.replace(name="unwrapping", unwrap_none=True)
    assert parameter(alias, docs, unwrapping) == city("The name.", description="Where.")


def test_only_the_parameter_with_the_text_has_a_copy_of_the_type():
    def move(start: City, end: City):
        """Move.

        Args:
            start.name: The name.
        """

    assert function_to_schema(move, profile=SHARED) == {
        "type": "object",
        "properties": {"start": city("The name."), "end": {"$ref": "#/$defs/City"}},
        "required": ["start", "end"],
        "$defs": {"City": CITY},
        "additionalProperties": False,
    }


def test_a_recursive_record_is_described_where_it_is_used():
    found = parameter(Tree, "    p.value: At the root.\n")
    assert found == {
        "type": "object",
        "properties": {
            "value": INTEGER | {"description": "At the root."},
            "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
        },
        "required": ["value", "children"],
    }


Nested = list["Nested"] | City


def test_a_union_that_contains_itself_has_the_fields_of_its_other_members():
    found = parameter(Nested, "    p.name: The name.\n    p.nothing: No.\n")
    assert found["anyOf"][1] == city("The name.")


@pytest.mark.parametrize("profile", [profiles.MCP, SHARED], ids=lambda profile: profile.name)
@pytest.mark.parametrize(
    "docs",
    [
        "    p: Who.\n    p.home: Where.\n    p.home.name: The name.\n",
        "    p.home.name: The name.\n    p.home: Where.\n    p: Who.\n",
    ],
)
def test_a_field_of_a_pydantic_model_is_described(docs, profile):
    docs += "    p.fullName: Called.\n    p.age: Another text.\n    p.work.name: Other.\n"
    found = parameter(Owner, docs, profile)
    work = parameter(Owner, "")["properties"]["work"]["anyOf"][0]  # described since pydantic 2.12
    inner = city("The name.")["properties"] | {"people": {"default": 0, "type": "integer"}}
    home = {**CITY, "properties": inner, "description": "Where."}
    other = {**inner, "name": STRING | {"description": "Other."}}
    assert found == {
        "type": "object",
        "properties": {
            "fullName": STRING | {"description": "Called."},
            "age": INTEGER | {"description": "Its own text."},
            "home": home,
            "work": {"anyOf": [{**work, "properties": other}, {"type": "null"}]},
        },
        "required": ["fullName", "age", "home", "work"],
        "description": "Who.",
    }


def test_a_property_of_a_class_that_describes_itself_is_described():
    docs = "    p.x: Right.\n    p.y: Up.\n    p.z: No.\n    p: Where.\n"
    assert parameter(Custom, docs) == {
        "type": "object",
        "description": "Where.",
        "properties": {"x": {"description": "Right."}, "y": {"description": "Up."}},
    }


def test_fields_of_the_only_parameter_are_described():
    def move(to: City):
        """Move.

        Args:
            to.name: The name.
        """

    flat = profiles.MCP.replace(name="flat", flatten=True)
    assert function_to_schema(move, profile=flat) == city("The name.", additionalProperties=False)


@dataclass
class Handle:
    key: str
    session: Annotated[object, Injected] = None


def test_a_dotted_name_without_a_field_is_a_finding():
    def run(h: Handle, o: Owner, n: int, ctx: Annotated[object, Injected] = None) -> None:
        """Run.

        Args:
            h: A handle.
            h.key: Its key.
            h.session: Hidden.
            h.key.x: Not a record.
            o: An owner.
            o.fullName: Right.
            o.nobody: Wrong.
            n: A number.
            n.real: Wrong.
            other.x: Wrong.
            ctx.user: Of a hidden parameter.
        """

    assert [(each.place, each.code) for each in check_function(run, profile=profiles.MCP)] == [
        ("run(h.session)", "unknown-parameter"),
        ("run(h.key.x)", "unknown-parameter"),
        ("run(o.nobody)", "unknown-parameter"),
        ("run(n.real)", "unknown-parameter"),
        ("run(other.x)", "unknown-parameter"),
    ]


@attrs.define
class Box:
    _size: int
    lid: City


@pytest.mark.parametrize("name", ["size", "_size"])
def test_a_field_may_have_its_name_in_json_or_in_python(name):
    found = parameter(Box, f"    p.{name}: How large.\n")
    assert found["properties"] == {"size": INTEGER | {"description": "How large."}, "lid": CITY}


def test_no_part_of_a_schema_is_shared():
    def meet(host: Owner, guest: Owner):
        """Meet.

        Args:
            host.fullName: Called.
        """

    schema = function_to_schema(meet, profile=SHARED)
    described = schema["properties"]["host"]["properties"]["age"]
    assert described == schema["$defs"]["Owner"]["properties"]["age"]
    assert described is not schema["$defs"]["Owner"]["properties"]["age"]
