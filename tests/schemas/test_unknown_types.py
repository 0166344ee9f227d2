"""``Profile.unknown`` as a function: annotations that no rule is for."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Generic, TypeVar, Unpack

import pytest

from milo_schema import (
    Schema,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)
from milo_schema.arguments import bind, json_to_value
from milo_schema.results import return_to_json, value_to_json
from tests.fragments import INTEGER, NULL, STRING, any_of, array_of, fixed, map_of, obj, record
from tests.inside import alias_of

RECORDS = profiles.MCP.replace(unknown=lambda annotation, walk: walk.record(annotation))
"""An annotated class is a record."""

T = TypeVar("T")


class City:
    """A city.

    Attributes:
        name: What it is called.
    """

    kind: ClassVar[str] = "city"
    _cached: int
    name: str
    inhabitants: int = 0

    def __init__(self, name: str) -> None:
        self.name = name


CITY: dict[str, Any] = obj(
    ["name"],
    name={"type": "string", "description": "What it is called."},
    inhabitants={"type": "integer", "default": 0},
) | {"description": "A city."}


class Slotted:
    __slots__ = ("x",)
    x: int


class Capital(City):
    of: str


class Tree:
    children: "list[Tree]"


class Box(Generic[T]):
    content: T


class Plain:
    """It has no annotations."""


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (City, CITY),
        (list[City], {"type": "array", "items": CITY}),
        (City | None, {"anyOf": [CITY, {"type": "null"}]}),
        (Slotted, {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}),
        (Capital, obj(["name", "of"], **CITY["properties"], of=STRING)),
        (Box[int], record(content=INTEGER)),
        (Tree, record(children=array_of({"$ref": "#/$defs/Tree"}))
               | {"$defs": {"Tree": record(children=array_of({"$ref": "#/$defs/Tree"}))}}),
    ],
)  # fmt: skip
def test_an_annotated_class_is_a_record(annotation, expected):
    assert type_to_schema(annotation, strict=True, profile=RECORDS) == expected


def test_a_value_is_not_a_record():
    with pytest.raises(SchemaError) as caught:
        type_to_schema(5, strict=True, profile=RECORDS)
    assert str(caught.value) == "5: 5 is a value, not a type; write int or Literal[5]"


def test_the_function_is_called_only_for_annotations_without_a_rule():
    asked = []

    def unknown(annotation, walk):
        asked.append((annotation, walk.path))
        return {"type": "string"}

    def f(a: int, b: list[City], c: dict[str, Any], d: "City | None", *, e: complex): ...

    profile = profiles.MCP.replace(unknown=unknown)
    assert function_to_schema(f, strict=True, profile=profile)["properties"] == {
        "a": INTEGER,
        "b": array_of(STRING),
        "c": map_of(True),
        "d": any_of(STRING, NULL),
        "e": STRING,
    }
    assert asked == [(City, "f(b)[]"), (complex, "f(e)")]


@pytest.mark.parametrize("untyped", [{}, {"type": "string"}, None])
def test_what_the_function_does_not_know_becomes_what_a_missing_annotation_does(untyped):
    profile = profiles.MILO.replace(unknown=lambda annotation, walk: None, untyped=untyped)

    def f(a: complex, b: list[complex], c: Plain | int): ...

    with pytest.warns(SchemaWarning) as told:
        assert function_to_schema(f, profile=profile)["properties"] == {
            "a": (untyped or {}),
            "b": array_of((untyped or {})),
            "c": INTEGER,
        }
    assert [each.message.path for each in told] == ["f(a)", "f(b)[]", "f(c)"]


def test_a_type_that_the_function_does_not_know_has_no_schema():
    def f(a: Plain, b: City, c: Plain, d: Callable[[], int]): ...

    with pytest.warns(SchemaWarning) as told:
        schema = function_to_schema(f, profile=RECORDS)
    assert schema == record(a={}, b=CITY, c={}, d={}) | {"additionalProperties": False}
    assert [each.message.path for each in told] == ["f(a)", "f(c)", "f(d)"]
    with pytest.raises(SchemaError, match=r"f\(a\): no JSON Schema for Plain; use Schema"):
        function_to_schema(f, strict=True, profile=RECORDS)


def test_a_member_that_the_function_does_not_know_is_left_out_of_a_union():
    with pytest.warns(SchemaWarning, match="no JSON Schema for Plain"):
        assert type_to_schema(Plain | City, profile=RECORDS) == CITY


def test_schema_in_annotated_adds_to_the_schema_of_the_function():
    titled = Schema({"title": "X"})
    assert type_to_schema(Annotated[City, titled], profile=RECORDS) == {**CITY, "title": "X"}
    assert type_to_schema(Annotated[Plain, titled], strict=True, profile=RECORDS) == {"title": "X"}


@pytest.mark.parametrize(
    ("unknown", "reason"),
    [
        (lambda annotation, walk: 1 / 0, "raised ZeroDivisionError('division by zero')"),
        (lambda annotation, walk: "string", "must be a dict, not a str"),
        (
            lambda annotation, walk: {"type": "text"},
            "is not a valid schema: 'type' must be a JSON type or a list of them, not 'text'",
        ),
    ],
)
def test_a_mistake_of_the_function_is_an_error_with_its_path(unknown, reason):
    with pytest.raises(SchemaError) as caught:
        type_to_schema(list[complex], profile=profiles.MCP.replace(unknown=unknown))
    whose = "the profile's function for unknown types, called for complex,"
    assert caught.value.message == f"{whose} {reason}"
    assert caught.value.path == "list[complex][]"


def test_an_error_of_the_function_about_its_own_types_is_kept():
    def unknown(annotation, walk):
        raise SchemaError("too odd", walk.path, annotation)

    with pytest.raises(SchemaError, match=r"^complex: too odd$"):
        type_to_schema(complex, profile=profiles.MCP.replace(unknown=unknown))


@pytest.mark.parametrize("unknown", ["string", 3, None])
def test_a_value_that_is_neither_keywords_nor_a_function_is_refused(unknown):
    with pytest.raises(ValueError, match=r"is not a dict of keywords or a function$"):
        profiles.MCP.replace(unknown=unknown)


def test_arguments_of_such_a_type_need_a_decoder():
    def f(city: City, near: City | int | None = None): ...

    with pytest.raises(SchemaError) as caught:
        bind(f, {"city": {"name": "Oslo"}}, profile=RECORDS)
    assert (
        str(caught.value)
        == "f(city): cannot read City from JSON; add decoders={...} to the profile"
    )
    with pytest.raises(SchemaError) as caught:  # not left out of the union, as in the schema
        json_to_value(3, City | int, profile=RECORDS)
    assert caught.value.message == "cannot read City from JSON; add decoders={...} to the profile"
    profile = RECORDS.replace(decoders={City: lambda json: City(json["name"])})
    bound = bind(f, {"city": {"name": "Oslo"}, "near": 3}, profile=profile)
    assert (bound.kwargs["city"].name, bound.kwargs["near"]) == ("Oslo", 3)


def test_arguments_of_a_union_with_a_type_that_the_function_does_not_know_are_read():
    assert json_to_value(3, Plain | int, profile=RECORDS) == 3


def test_a_result_is_written_by_the_annotations_of_its_class():
    def f() -> list[City]: ...

    assert return_to_schema(f, profile=RECORDS) == {"type": "array", "items": CITY}
    assert return_to_json(f, [City("Oslo")], profile=RECORDS) == [
        {"name": "Oslo", "inhabitants": 0}
    ]
    with pytest.raises(SchemaError, match=r"\[0\].name: missing, but required"):
        return_to_json(f, [object.__new__(City)], profile=RECORDS)


@dataclass
class Village(City):
    name: str = "Å"


def test_a_result_with_a_rule_for_its_class_is_written_by_that_rule():
    assert value_to_json(Village(), City, profile=RECORDS) == {"name": "Å"}


def test_a_result_of_a_class_without_annotations_has_no_json():
    for profile in (RECORDS, profiles.MCP):
        with pytest.raises(SchemaError) as caught:
            value_to_json(Plain(), Plain, profile=profile)
        reason = "no JSON for an instance of Plain; use another type, or add encoders={...}"
        assert caught.value.message == reason


class Inner(Generic[T]):
    content: T


class Outer(Generic[T]):
    inner: Inner[list[T]]


@dataclass
class Record(Generic[T]):
    inner: Inner[list[T]]


TYPES = profiles.MCP.replace(
    types=dict.fromkeys([Inner, Outer], lambda tp, walk: walk.record(tp) or {})
)


@pytest.mark.parametrize("profile", [RECORDS, TYPES], ids=["unknown", "types"])
@pytest.mark.parametrize("generic", [Outer, Record])
def test_a_custom_type_takes_the_arguments_of_each_class_around_it(profile, generic):
    def around(item):
        inner = record(content=array_of({"type": item}))
        return {"type": "object", "properties": {"inner": inner}, "required": ["inner"]}

    assert type_to_schema(tuple[generic[int], generic[str]], profile=profile) == fixed(
        around("integer"), around("string")
    )


@pytest.mark.parametrize(
    ("annotation", "step"),
    [
        (tuple[Plain, int], "[0]"),
        (tuple[int, Unpack[tuple[Plain, ...]]], "[]"),
        (tuple[Unpack[tuple[int, ...]], Plain], "[]"),
    ],
    ids=["before", "between", "after"],
)
def test_an_item_that_cannot_be_read_from_json_is_refused(annotation, step):
    with pytest.raises(SchemaError, match="cannot read Plain from JSON; add decoders=") as caught:
        json_to_value([1, 1], annotation)
    assert caught.value.path.endswith(f"]{step}")


def test_a_value_of_a_type_that_only_has_a_schema_cannot_be_written():
    profile = profiles.MCP.with_types({complex: {"type": "string"}})
    with pytest.raises(SchemaError, match=r"no JSON for an instance of complex; use another type"):
        value_to_json(1j, range, profile=profile)


def test_a_value_of_an_unsupported_type_is_written_by_its_class():
    counts: Any = alias_of(Counter, (str, int))

    assert value_to_json(Counter("aa"), counts) == {"a": 2}
    with pytest.raises(SchemaError, match=r"3 is not a Counter\[str, int\]"):
        value_to_json(3, counts)


class Growing(Generic[T]):
    content: T
    next: "Growing[list[T]] | None"


def test_a_custom_type_whose_arguments_grow_forever_is_an_error():
    with pytest.raises(SchemaError) as caught:
        type_to_schema(Growing[int], profile=RECORDS)
    assert caught.value.code == "limit"
    assert caught.value.path == "Growing[int]" + ".next" * 12
    assert caught.value.message.startswith("type arguments nested deeper than 12 levels, or more")


def test_names_in_the_arguments_of_a_record_are_those_where_its_user_stands():
    Local = int  # noqa: N806, F841 - the name in quotes

    def function(x: City) -> None: ...

    profile = profiles.MCP.replace(unknown=lambda tp, walk: walk.record(Inner["Local"]))
    found = function_to_schema(function, profile=profile)["properties"]
    assert found == {"x": record(content=INTEGER)}


def test_a_small_schema_of_an_unknown_type_is_written_wherever_it_is_used():
    profile = profiles.MCP.replace(unknown=lambda _tp, _walk: {"type": "string", "format": "a"})

    def run(one: Slotted, other: Slotted, cities: list[City]): ...

    schema = function_to_schema(run, profile=profile.replace(inline=False))
    text = {"type": "string", "format": "a"}
    assert schema["properties"] == {"one": text, "other": text, "cities": array_of(text)}
    assert "$defs" not in schema
