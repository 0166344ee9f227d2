"""``Field(...)`` of pydantic for a parameter or a field: its default, and its alias."""

import warnings
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, NewType, Unpack

import pydantic
import pytest
from typing_extensions import TypedDict

from milo_schema import (
    MinLen,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, bind, json_to_value
from milo_schema.results import return_to_json
from tests.fragments import INTEGER, STRING, Json, array_of, exact, obj
from tests.modules import module_from
from tests.needs import lacking

MCP = profiles.MCP
Three = Annotated[int, pydantic.Field(default=3)]
Made = Annotated[list[int], pydantic.Field(default_factory=list)]
City = Annotated[str, pydantic.Field(alias="cityName", serialization_alias="city-name")]


# -- defaults ----------------------------------------------------------------------------------


@dataclass
class Record:
    name: str
    three: Three
    made: Made
    four: Three = 4
    five: int = pydantic.Field(5)


class Keys(TypedDict):
    name: str
    three: Three
    made: Made


class Model(pydantic.BaseModel):
    name: str
    three: Three
    made: Made


FIVE = pydantic.Field(5)


def with_all(name: str, three: Three, made: Made, four: Three = 4, five: Three = FIVE): ...


def with_keys(**keys: Unpack[Keys]): ...


PROPERTIES: dict[str, Json] = {
    "name": STRING,
    "three": (INTEGER | {"default": 3}),
    "made": array_of(INTEGER),
}
MORE = PROPERTIES | {"four": INTEGER | {"default": 4}, "five": INTEGER | {"default": 5}}


@pytest.mark.parametrize("kind", [Record, Keys, Model])
def test_a_default_in_annotated_applies_to_a_field(kind):
    expected = obj(["name"], **(MORE if kind is Record else PROPERTIES))
    assert exact(kind) == expected
    assert function_to_schema(kind, profile=MCP)["required"] == ["name"]
    theirs = pydantic.TypeAdapter(kind).json_schema()
    assert theirs["required"] == expected["required"]
    for name, field in theirs["properties"].items():
        del field["title"]
        assert field == expected["properties"][name]


@pytest.mark.parametrize("future", [True, False], ids=["PEP 563", "evaluated"])
def test_a_default_in_annotated_applies_to_a_parameter(future):
    source = """
    def function(name: str, three: Three, made: Made, four: Three = 4, five: Three = Field(5)): ...
    def aliased(name: str, three: Alias): ...
    def keys(**keys: Unpack[Keys]): ...
    """
    known: dict[str, Any] = {"Three": Three, "Made": Made, "Keys": Keys, "Unpack": Unpack}
    module = module_from(source, future=future, Field=pydantic.Field, Alias=Three, **known)
    for func, expected in (
        (module.function, MORE),
        (module.keys, PROPERTIES),
        (module.aliased, {name: PROPERTIES[name] for name in ("name", "three")}),
    ):
        assert function_to_schema(func, strict=True) == obj(["name"], **expected)


def test_a_default_that_only_metadata_have_is_passed_to_the_function():
    bound = bind(with_all, {"name": "a"})
    assert bound.kwargs == {"name": "a", "three": 3, "made": [], "five": 5}
    assert bind(with_all, {"name": "a"}).kwargs["made"] is not bound.kwargs["made"]
    assert bind(with_keys, {"name": "a"}).kwargs == {"name": "a", "three": 3, "made": []}

    def outer(record: Record, keys: Keys): ...

    values = bind(outer, {"record": {"name": "a"}, "keys": {"name": "b"}}).kwargs
    assert values["record"] == Record("a", 3, [], 4, 5)
    assert values["keys"] == {"name": "b", "three": 3, "made": []}


def test_a_default_that_only_metadata_have_is_that_of_a_hidden_parameter():
    def run(
        name: str,
        ctx: object = pydantic.Field(default_factory=list),
        *,
        five: int = pydantic.Field(5),
        six: Annotated[int, pydantic.Field(default=6)],
    ): ...

    mine = MCP.with_injected(names={"ctx", "five", "six"})
    assert bind(run, {"name": "a"}, profile=mine).kwargs == {
        "name": "a",
        "ctx": [],
        "five": 5,
        "six": 6,
    }
    bound = bind(run, {"name": "a"}, profile=mine, inject={"ctx": 1, "six": 2})
    assert bound.kwargs == {"name": "a", "ctx": 1, "five": 5, "six": 2}


def test_a_default_that_only_metadata_have_is_an_item_of_a_named_tuple():
    class Point(NamedTuple):
        x: int = pydantic.Field(...)
        y: int = pydantic.Field(5)
        names: list[str] = pydantic.Field(default_factory=list)

    assert json_to_value([1], Point) == (1, 5, [])
    assert json_to_value([1, 2, ["a"]], Point) == (1, 2, ["a"])
    with pytest.raises(ArgumentsError, match="expected an array of 3 items"):
        json_to_value([], Point)


def test_a_field_without_a_default_is_required():
    def function(
        a: Annotated[int, pydantic.Field(ge=1)], b: Annotated[int, pydantic.Field(...)]
    ): ...

    assert function_to_schema(function)["required"] == ["a", "b"]


# -- aliases -----------------------------------------------------------------------------------


@dataclass
class Address:
    """Where it is.

    Attributes:
        city: Which city.
    """

    city: City


class Place(TypedDict):
    city: City


class Spot(pydantic.BaseModel):
    city: City


def names(schema: Any) -> list[str]:
    return list(schema["properties"])


BY_PROFILE = {
    "everywhere": ("cityName", "city-name"),
    "inputs": ("cityName", "city"),
    "nowhere": ("city", "city"),
}


@pytest.mark.parametrize("aliases", BY_PROFILE)
@pytest.mark.parametrize("kind", [Address, Place, Spot])
def test_a_profile_chooses_where_fields_have_their_aliases(kind, aliases):
    profile = MCP.replace(aliases=aliases)
    taken, given = BY_PROFILE[aliases]

    def give() -> list[kind]: ...
    def take(given: kind): ...

    assert names(type_to_schema(kind, profile=profile)) == [taken]
    assert names((return_to_schema(give, profile=profile) or {})["items"]) == [given]
    value = {"city": "Graz"} if kind is Place else bind(take, {"given": {"cityName": "Graz"}})
    value = value if kind is Place else value.kwargs["given"]
    assert return_to_json(give, [value], profile=profile) == [{given: "Graz"}]
    assert bind(take, {"given": {taken: "Graz"}}, profile=profile).kwargs == {"given": value}
    with pytest.raises(ArgumentsError):
        bind(take, {"given": {"town": "Graz"}}, profile=profile)


class Town(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(serialize_by_alias=True)

    town: str = pydantic.Field(alias="townName")
    spot: Spot


@pydantic.dataclasses.dataclass(config=pydantic.ConfigDict(serialize_by_alias=True))
class Village:
    village: str = pydantic.Field(alias="villageName")


@pytest.mark.skipif(bool(lacking("pydantic>=2.11")), reason="new in pydantic 2.11")
@pytest.mark.parametrize(
    ("aliases", "expected"),
    [
        ("everywhere", {"townName": "Graz", "spot": {"city-name": "Graz"}}),
        ("inputs", {"townName": "Graz", "spot": {"city": "Graz"}}),
        ("nowhere", {"town": "Graz", "spot": {"city": "Graz"}}),
    ],
)
def test_in_outputs_each_model_decides_about_aliases_as_in_pydantic(aliases, expected):
    def give() -> Town: ...

    profile = MCP.replace(aliases=aliases)
    schema = return_to_schema(give, profile=profile) or {}
    assert names(schema) == list(expected)
    assert names(schema["properties"]["spot"]) == list(expected["spot"])
    town = Town.model_validate({"townName": "Graz", "spot": {"cityName": "Graz"}})
    assert return_to_json(give, town, profile=profile) == expected
    if aliases == "inputs":
        assert pydantic.TypeAdapter(Town).dump_python(town, mode="json") == expected


class Suburb(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(validate_by_alias=False, validate_by_name=True)

    suburb: str = pydantic.Field(alias="suburbName")
    town: Village


@pytest.mark.skipif(bool(lacking("pydantic>=2.11")), reason="new in pydantic 2.11")
def test_in_inputs_a_model_may_decide_against_aliases():
    def take(x: Suburb) -> Suburb: ...

    json = {"suburb": "Eggenberg", "town": {"villageName": "Etsdorf"}}
    schema = function_to_schema(take, profile=MCP)["properties"]["x"]
    assert names(schema) == ["suburb", "town"]
    assert names(schema["properties"]["town"]) == ["villageName"]
    assert bind(take, {"x": json}, profile=MCP).kwargs == {"x": Suburb.model_validate(json)}
    everywhere = MCP.replace(aliases="everywhere")
    assert names(return_to_schema(take, profile=everywhere)) == ["suburbName", "town"]


def test_in_outputs_a_pydantic_dataclass_decides_about_aliases():
    def give() -> Village: ...

    profile = MCP.replace(aliases="inputs")
    assert names(return_to_schema(give, profile=profile)) == ["villageName"]
    village = Village(villageName="Etsdorf")
    assert return_to_json(give, village, profile=profile) == {"villageName": "Etsdorf"}


@pydantic.with_config(pydantic.ConfigDict(serialize_by_alias=True))
@dataclass
class Hamlet:
    hamlet: Annotated[str, pydantic.Field(serialization_alias="hamletName")]


@pytest.mark.parametrize(
    ("aliases", "name"),
    [("everywhere", "hamletName"), ("inputs", "hamletName"), ("nowhere", "hamlet")],
)
def test_in_outputs_a_configured_dataclass_decides_about_aliases(aliases, name):
    def give() -> Hamlet: ...

    profile = MCP.replace(aliases=aliases)
    assert names(return_to_schema(give, profile=profile)) == [name]
    assert return_to_json(give, Hamlet("Au"), profile=profile) == {name: "Au"}
    assert names(type_to_schema(Hamlet, profile=profile)) == ["hamlet"]


def by_default(city: str = pydantic.Field(alias="cityName")): ...


def by_metadata(city: City): ...


def by_keys(**keys: Unpack[Place]): ...


for each in (by_default, by_metadata, by_keys):
    each.__doc__ = "Go there.\n\nArgs:\n    city: Which city."


@pytest.mark.parametrize("func", [by_default, by_metadata, by_keys, Address])
def test_a_parameter_is_documented_excluded_and_passed_by_its_name(func):
    properties = {"cityName": STRING | {"description": "Which city."}}
    assert function_to_schema(func)["properties"] == properties
    assert function_to_schema(func, exclude=["city"])["properties"] == {}
    assert names(function_to_schema(func, profile=MCP.replace(aliases="nowhere"))) == ["city"]
    assert bind(func, {"cityName": "Graz"}).kwargs == {"city": "Graz"}
    nowhere = MCP.replace(aliases="nowhere")
    assert bind(func, {"city": "Graz"}, profile=nowhere).kwargs == {"city": "Graz"}


# -- bare strings ------------------------------------------------------------------------------

IGNORING = {"MCP_SDK", "MILO", "OMNI", "OPENMCP", "PLATOOLS"}
"""The profiles of systems that do not read a bare string in ``Annotated``."""


@pytest.mark.parametrize("name", [each for each in profiles.__all__ if each.isupper()])
def test_a_bare_string_is_a_description_if_the_system_has_this_rule(name):
    profile = getattr(profiles, name)

    @dataclass
    class Inner:
        x: Annotated[int, "Inside."]

    def function(a: Annotated[str, "A tag."], b: list[Annotated[int, "A tag."]], c: Inner): ...

    profile = profile.replace(failure="warn")  # a form of ELICITATION has no nested objects
    with warnings.catch_warnings(action="ignore"):
        text = str(function_to_schema(function, profile=profile))
    assert ("A tag." in text, "Inside." in text) == ((name not in IGNORING,) * 2)


# -- models of pydantic.v1 ---------------------------------------------------------------------

V1 = """
from typing import *
from pydantic import v1

class Inner(v1.BaseModel):
    x: int = v1.Field(3, ge=1, alias="X")
    pair: Tuple[int, str]

class Outer(v1.BaseModel):
    '''What it is.'''
    inner: Inner
    many: List[Inner] = []

def take(outer: Outer): ...
def give() -> List[Optional[Outer]]: ...
"""


@pytest.mark.core  # so that coverage sees it on 3.11
@pytest.mark.skipif(not lacking("python>=3.14"), reason="pydantic.v1 does without 3.14")
def test_a_model_of_pydantic_v1_has_its_own_schema():
    module = module_from(V1)
    pair = {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2}
    inner = obj(["pair"], X=INTEGER | {"minimum": 1, "default": 3}, pair=pair)
    outer = obj(["inner"], inner=inner, many=array_of(inner) | {"default": []})
    assert exact(module.Outer) == outer | {"description": "What it is."}
    kept = type_to_schema(module.Outer, profile=MCP.replace(inline=False, aliases="nowhere"))
    assert kept["properties"]["inner"] == {"$ref": "#/$defs/Inner"}
    assert names(kept["$defs"]["Inner"]) == ["x", "pair"]

    json = {"inner": {"X": 3, "pair": [1, "a"]}, "many": []}
    bound = bind(module.take, {"outer": {"inner": {"pair": [1, "a"]}}})
    assert return_to_json(module.give, [bound.kwargs["outer"], None]) == [json, None]
    with pytest.raises(ArgumentsError, match=r"\.outer\.inner: required but not given"):
        bind(module.take, {"outer": {}})


def test_parameters_are_asked_for_a_field_one_by_one():
    def plain(a: int, b: str | None = None, *, c: list[int]): ...

    def mixed(
        a: int,
        b: Annotated[str, MinLen(1), pydantic.Field(alias="B")],
        *,
        c: int = pydantic.Field(3),
    ): ...

    assert [*function_to_schema(plain, profile=MCP)["properties"]] == ["a", "b", "c"]
    assert function_to_schema(mixed, profile=MCP) == obj(
        ["a", "B"],
        a=INTEGER,
        B={"type": "string", "minLength": 1},
        c={"type": "integer", "default": 3},
    ) | {"additionalProperties": False}


def test_metadata_apply_around_and_inside_a_new_type():
    Name = NewType("Name", Annotated[str, pydantic.Field(alias="name_inside")])  # type: ignore[valid-newtype]

    def first(a: Annotated[Name, MinLen(1)], b: Name): ...

    def last(a: Annotated[Name, pydantic.Field(alias="around"), MinLen(2)]): ...

    assert [*function_to_schema(first, profile=MCP)["properties"]] == ["name_inside"]
    assert [*function_to_schema(last, profile=MCP)["properties"]] == ["around"]


@pydantic.dataclasses.dataclass
class Draft:
    text: str
    kind: str = pydantic.Field(init=False, default="draft")


def test_a_field_that_no_constructor_takes_is_not_part_of_the_input():
    """pydantic offers it to callers, and drops what they send."""

    def save(draft: Draft) -> Draft: ...

    text = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    assert function_to_schema(save, strict=True, profile=MCP)["properties"] == {"draft": text}
    assert names(return_to_schema(save, strict=True, profile=MCP) or {}) == ["text", "kind"]
    assert bind(save, {"draft": {"text": "a"}}, profile=MCP).arguments == {"draft": Draft("a")}
