"""Ready-made transforms, and the context that a transform gets."""

import pickle
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal, TypedDict

import pytest

from milo_schema import (
    Description,
    MinLen,
    SchemaError,
    SchemaWarning,
    Title,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, bind
from milo_schema.transforms import (
    Descriptions,
    Report,
    Titles,
    nullable,
    required_lists,
    without_null_defaults,
)
from tests.fragments import INTEGER, NULL, STRING, any_of, array_of, map_of, obj, record

pytestmark = pytest.mark.core

Json = dict[str, Any]


class Color(Enum):
    RED = "red"


@dataclass
class Item:
    city_name: str
    color: Color | None = None


# -- the context of a transform ----------------------------------------------------------------


def reports_of(derive: Any) -> list[tuple[Any, str, bool, str]]:
    """The context of a transform while a schema is derived with its profile."""
    reports = []

    def transform(schema: Json, report: Report) -> Json:
        reports.append((report.func, report.name, report.output, report.type_name))
        return schema

    derive(profiles.MCP.replace(transforms=[transform]))
    return reports


def find(item: Item) -> Item: ...


def count(item: str) -> int: ...


class Shop:
    def find(self, item: str) -> list[Item]: ...
    def sell(self) -> list[int]: ...


@pytest.mark.parametrize(
    ("derive", "told"),
    [
        (lambda p: function_to_schema(find, profile=p), [(find, "find", False, "")]),
        (lambda p: return_to_schema(find, profile=p), [(find, "find", True, "Item")]),
        (lambda p: return_to_schema(count, profile=p), [(count, "count", True, "")]),
        (lambda p: type_to_schema(Item, profile=p), [(None, "Item", False, "Item")]),
        (lambda p: type_to_schema(list[Item], profile=p), [(None, "list[Item]", False, "")]),
        (lambda p: function_to_schema(Shop.find, profile=p), [(Shop.find, "Shop.find", False, "")]),
        (lambda p: tool_schema(find, profile=p), [(find, "find", False, ""),
           (find, "find", True, "Item")]),
        (lambda p: return_to_schema(find, profile=p.replace(box=({}, lambda *_: True))),
         [(find, "find", True, "")]),
        (lambda p: type_to_schema(Item, profile=p.replace(inline=False)),
         [(None, "Item", False, "Item")]),
    ],
)  # fmt: skip
def test_a_transform_gets_the_context_of_its_schema(derive, told):
    assert reports_of(derive) == told


def test_a_problem_that_a_transform_reports_has_its_path():
    def transform(schema: Json, report: Report) -> Json:
        report(".item", "too new")
        return schema

    profile = profiles.MCP.replace(transforms=[transform])
    with pytest.warns(SchemaWarning) as told:
        schema = function_to_schema(count, profile=profile)
    assert schema == function_to_schema(count, profile=profiles.MCP)
    assert [str(each.message) for each in told] == ["count(item): too new"]
    with pytest.raises(SchemaError) as caught:
        function_to_schema(count, strict=True, profile=profile)
    assert str(caught.value) == "count(item): too new"


def raises(schema: Json, report: Report) -> Json:
    raise LookupError("no")


def forgets(schema: Json, report: Report) -> Any: ...


def refuses(schema: Json, report: Report) -> Any:
    raise SchemaError("not here", "there")


@pytest.mark.parametrize(
    ("derive", "place"),
    [
        (lambda profile: function_to_schema(count, profile=profile), "count"),
        (lambda profile: return_to_schema(count, profile=profile), "count() -> result"),
        (lambda profile: type_to_schema(int, profile=profile), "int"),
        (lambda profile: tool_schema(count, profile=profile), "count"),
    ],
    ids=["function", "result", "type", "tool"],
)
def test_a_transform_that_fails_is_an_error_that_names_it(derive, place):
    forgot = f"{forgets!r} of transforms returned None; return the schema"
    for transform, said, code in (
        (raises, f"{place}: {raises!r} of transforms raised LookupError('no')", "user-code"),
        (forgets, f"{place}: {forgot}", "invalid-schema"),
        (refuses, "there: not here", "other"),
    ):
        with pytest.raises(SchemaError) as caught:
            derive(profiles.MCP.replace(transforms=[transform]))
        assert str(caught.value) == said
        assert caught.value.code == code
        assert isinstance(caught.value.__cause__, LookupError) is (transform is raises)


# -- titles ------------------------------------------------------------------------------------

TITLES = profiles.MCP_2025.replace(inline=False, transforms=[Titles()])


def order_all(
    first_item: Item,
    HTTPPort2: int,  # noqa: N803 - its title is unusual, too
    named: Annotated[str, Title("Mine"), MinLen(1)],
    maybe: Item | None = None,
    either: Item | Color | None = None,
    *,
    kind: Literal["title"] = "title",
) -> list[Item]: ...


ITEM: Json = obj(
    ["city_name"],
    city_name={"type": "string", "title": "City Name"},
    color={"anyOf": [{"$ref": "#/$defs/Color"}, NULL], "default": None},
) | {"title": "Item"}
DEFINITIONS = {"Color": {"type": "string", "enum": ["red"], "title": "Color"}, "Item": ITEM}


def test_titles_equal_those_of_pydantic():
    item, color = {"$ref": "#/$defs/Item"}, {"$ref": "#/$defs/Color"}
    assert function_to_schema(order_all, profile=TITLES) == obj(
        ["first_item", "HTTPPort2", "named"],
        first_item=item,
        HTTPPort2=INTEGER | {"title": "Httpport2"},
        named=STRING | {"minLength": 1, "title": "Mine"},
        maybe=any_of(item, NULL) | {"default": None},
        either=any_of(item, color, NULL) | {"default": None, "title": "Either"},
        kind=STRING | {"enum": ["title"], "default": "title", "title": "Kind"},
    ) | {"additionalProperties": False, "$defs": DEFINITIONS, "title": "order_allArguments"}


class Sizes(TypedDict):
    x_y: int


class Sparse(TypedDict, total=False):
    x: int


def pick() -> Item: ...
def counts() -> dict[str, int]: ...
def sizes() -> Sizes: ...


@pytest.mark.parametrize(
    ("func", "profile", "expected"),
    [
        (order_all, TITLES, record(result={"type": "array", "items": {"$ref": "#/$defs/Item"},
             "title": "Result"}) | {"$defs": DEFINITIONS, "title": "order_allOutput"}),
        (pick, TITLES, {**ITEM, "$defs": {"Color": DEFINITIONS["Color"]}}),
        (counts, TITLES, map_of(INTEGER, title="countsDictOutput")),
        (sizes, TITLES, record(x_y={"type": "integer", "title": "X Y"}) | {"title": "Sizes"}),
        (Shop.sell, TITLES.replace(box=None), array_of(INTEGER) | {"title": "sellOutput"}),
    ],
)  # fmt: skip
def test_titles_of_outputs_equal_those_of_the_mcp_sdk(func, profile, expected):
    assert return_to_schema(func, profile=profile) == expected


class Numbered:
    __name__ = 3

    def __call__(self, x: int): ...


class Raising:
    def __getattr__(self, name):
        raise RuntimeError(name)

    def __call__(self, x: int): ...


@pytest.mark.parametrize("cls", [Numbered, Raising])
def test_a_name_that_is_not_a_string_or_that_raises_is_not_part_of_a_title(cls):
    assert function_to_schema(cls(), profile=TITLES)["title"] == f"{cls.__qualname__}Arguments"


def test_the_titles_of_the_whole_can_be_chosen():
    titles = Titles(inputs="{name}_args", outputs="", mappings="Numbers of {name}")
    mine = TITLES.replace(transforms=[titles])
    assert function_to_schema(count, profile=mine)["title"] == "count_args"
    assert "title" not in (return_to_schema(count, profile=mine) or {})
    assert (return_to_schema(counts, profile=mine) or {})["title"] == "Numbers of counts"
    assert pickle.loads(pickle.dumps(titles)) == titles


def test_parameters_without_a_description_get_one():
    def order(item: Item, size: Annotated[int, Description("S.")], color: Color) -> Item: ...

    mine = profiles.MCP.replace(inline=False, transforms=[Descriptions("The {name}, {x}.")])
    schema = function_to_schema(order, profile=mine)
    assert schema["properties"] == {
        "item": {"anyOf": [{"$ref": "#/$defs/Item"}], "description": "The item, {x}."},
        "size": {"type": "integer", "description": "S."},
        "color": {"anyOf": [{"$ref": "#/$defs/Color"}], "description": "The color, {x}."},
    }
    plain = profiles.MCP.replace(inline=False)
    assert schema["$defs"] == function_to_schema(order, profile=plain)["$defs"]
    assert return_to_schema(order, profile=mine) == return_to_schema(order, profile=plain)
    assert type_to_schema(Item, profile=mine) == type_to_schema(Item, profile=plain)


def test_an_annotation_has_the_title_of_its_type():
    for tp in (Sizes, Annotated[Sizes, MinLen(1)]):
        assert type_to_schema(tp, profile=TITLES)["title"] == "Sizes"
    assert type_to_schema(list[int], profile=TITLES) == array_of(INTEGER)


def test_a_transform_changes_neither_data_nor_its_input():
    data = {"properties": {"a": {}}, "anyOf": [{"type": "null"}, {}]}
    given = obj(["a"], a={"default": data}, b=True, c=any_of(NULL))
    before = repr(given)
    for transform in (Descriptions("A."), Titles(), nullable, required_lists):
        assert transform(given, Report())["properties"]["a"]["default"] == data
        assert repr(given) == before


# -- null and required -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (int, {"type": "integer"}),
        (int | None, {"type": "integer", "nullable": True}),
        (list[str | None], {"type": "array", "items": {"type": "string", "nullable": True}}),
        (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (int | str | None, {"anyOf": [{"type": "integer"}, {"type": "string"}], "nullable": True}),
        (Color | None, {"anyOf": [{"$ref": "#/$defs/Color"}], "nullable": True,
           "$defs": {"Color": {"type": "string", "enum": ["red"]}}}),
        (None, {"type": "null"}),
        (Annotated[int | None, Title("N")], INTEGER | {"title": "N", "nullable": True}),
    ],
)  # fmt: skip
def test_null_is_written_as_in_openapi(annotation, expected):
    profile = profiles.MCP.replace(inline=False, transforms=[nullable])
    assert type_to_schema(annotation, profile=profile) == expected


def test_each_object_lists_required_properties():
    def f(item: Sparse | None = None, rest: dict[str, int] | None = None): ...

    profile = profiles.MILO.replace(transforms=[required_lists])
    item, rest = obj([], x=INTEGER) | {"required": []}, map_of(INTEGER)
    expected = obj([], item=item | {"default": None}, rest=rest | {"default": None})
    assert function_to_schema(f, profile=profile) == expected | {"required": []}


def test_a_reference_stands_alone_where_no_default_is_left():
    def f(item: Item | None = None): ...

    profile = profiles.MILO.replace(inline=False, transforms=[without_null_defaults])
    assert function_to_schema(f, profile=profile)["properties"] == {
        "item": {"$ref": "#/$defs/Item"}
    }


# -- optional properties -----------------------------------------------------------------------


@dataclass
class Page:
    size: int = 10
    after: str | None = None


def search(word: str, limit: int = 5, page: Page = Page(), lang: str | None = None) -> Page: ...  # noqa: B008


CLOSED = {"additionalProperties": False}
STRICT = profiles.OPENAI_STRICT.replace(optional="required")


def test_clients_that_send_every_property_send_a_value_of_its_type():
    text = any_of(STRING, NULL)
    page = record(size=INTEGER | {"description": "default 10"}, after=text) | CLOSED
    page["description"] = 'default {"size": 10, "after": null}'
    limit = INTEGER | {"description": "default 5"}
    expected = record(word=STRING, limit=limit, page=page, lang=text) | CLOSED
    assert function_to_schema(search, strict=True, profile=STRICT) == expected


def test_clients_send_null_otherwise():
    limit = function_to_schema(search, profile=profiles.OPENAI_STRICT)["properties"]["limit"]
    assert limit == {"anyOf": [INTEGER, NULL], "description": "default 5"}


def test_every_property_can_be_required_without_a_dialect():
    exact = profiles.MCP.replace(optional="required")
    schema = function_to_schema(search, profile=exact)
    assert schema["required"] == ["word", "limit", "page", "lang"]
    assert schema["properties"]["page"]["required"] == ["size", "after"]
    assert schema["properties"]["limit"] == {"type": "integer", "default": 5}
    assert return_to_schema(search, profile=exact) == return_to_schema(search, profile=profiles.MCP)


def test_null_no_longer_means_a_missing_property():
    arguments = {"word": "tea", "limit": None, "page": {"size": 3, "after": None}, "lang": None}
    kwargs = {"word": "tea", "page": Page(3, None), "lang": None}
    assert bind(search, arguments, profile=profiles.OPENAI_STRICT).kwargs == kwargs
    with pytest.raises(ArgumentsError, match=r"\.limit: expected an integer, got null"):
        bind(search, arguments, profile=STRICT)
    sent = {**arguments, "limit": 5}
    assert bind(search, sent, profile=STRICT).kwargs == {**kwargs, "limit": 5}


def test_a_title_may_have_the_name_that_a_tool_was_given():
    def find(word: str) -> dict[str, int]: ...

    titles = Titles("{tool}_args", "{tool}_out", "{name}_{tool}_map")
    profile = profiles.MCP.replace(transforms=[titles])
    named = tool_schema(find, name="seek", profile=profile)
    unnamed = tool_schema(find, profile=profile)

    assert named.input_schema["title"] == "seek_args"
    assert named.output_schema["title"] == "find_seek_map"  # type: ignore[index]
    assert unnamed.input_schema["title"] == "find_args"
    assert function_to_schema(find, profile=profile)["title"] == "find_args"
