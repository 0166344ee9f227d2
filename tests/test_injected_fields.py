"""``Injected`` on the fields of records: callers neither see them nor pass them."""

import re
import warnings
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, NewType, TypedDict

import attrs
import msgspec
import pydantic
import pydantic_core
import pytest
import typing_extensions
from pydantic_core import core_schema

from milo_schema import (
    Description,
    Ge,
    Injected,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)
from milo_schema.arguments import ArgumentsError, bind, json_to_value
from milo_schema.checks import check
from milo_schema.results import value_to_json
from tests.fragments import INTEGER, STRING, array_of, record

User = Annotated[str, Injected]
UserId = NewType("UserId", User)
Alias = typing_extensions.TypeAliasType("Alias", Annotated[int, Ge(1), Injected()])


class Session: ...


@dataclass
class Data:
    word: str
    user: User = "me"
    id: UserId = "1"
    alias: Alias = 1
    text: "Annotated[str, Injected]" = "t"
    either: User | None = None
    many: list[User] = field(default_factory=list)
    session: Annotated[Session | None, Injected] = None


class Keys(TypedDict):
    word: str
    user: typing_extensions.NotRequired[User]


@attrs.define
class Attrs:
    word: str
    user: User = "me"


class Struct(msgspec.Struct):
    word: str
    user: User = "me"


class Model(pydantic.BaseModel):
    word: str
    user: User = "me"
    alias: Annotated[str, Injected] = pydantic.Field("a", alias="aliasName")


class Outer(pydantic.BaseModel):
    word: str
    inner: list[Model] = pydantic.Field([])
    boxes: dict[str, Model] = pydantic.Field({})


class Child(Data): ...


RECORDS = [Data, Keys, Attrs, Struct, Model, Child]
WORD = record(word=STRING)


@pytest.mark.parametrize("cls", RECORDS)
@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("profile", [profiles.MCP, profiles.MILO], ids=str)
def test_an_injected_field_is_not_in_the_input_schema(cls, strict, profile):
    def f(given: cls, several: list[cls]): ...

    found = function_to_schema(f, profile=profile, strict=strict)["properties"]
    assert found == {"given": WORD, "several": array_of(WORD)}


@pytest.mark.parametrize("cls", RECORDS)
def test_an_injected_field_keeps_its_default_and_is_refused_in_json(cls):
    def f(given: cls): ...

    assert bind(f, {"given": {"word": "a"}}).arguments["given"] == (
        {"word": "a"} if cls is Keys else cls(word="a")
    )
    with pytest.raises(ArgumentsError, match="unknown property: only your code may set it") as told:
        bind(f, {"given": {"word": "a", "user": "evil"}})
    assert told.value.problems[0].path == ".given.user"


def test_a_field_of_a_model_is_refused_by_its_alias_and_at_any_depth():
    with pytest.raises(ArgumentsError, match="only your code may set it"):
        json_to_value({"word": "a", "aliasName": "evil"}, Model)
    given: Any = {"word": "a", "inner": [{"word": "b"}, {"word": "c", "user": "evil"}]}
    with pytest.raises(ArgumentsError, match="only your code may set it") as told:
        json_to_value(given, dict[str, Outer] | Outer)
    with pytest.raises(ArgumentsError, match="only your code may set it") as told:
        json_to_value(given, Outer)
    assert told.value.problems[0].path == ".inner[1].user"
    del given["inner"][1]["user"]
    boxes = {**given, "boxes": {"a": {"word": "b", "user": "evil"}}}
    with pytest.raises(ArgumentsError, match="only your code may set it") as told:
        json_to_value(boxes, Outer)
    assert told.value.problems[0].path == ".boxes.a.user"
    assert json_to_value(given, Outer).inner[1].user == "me"


class Required(TypedDict):
    word: str
    user: User


@dataclass
class RequiredData:
    word: str
    user: list[User]


@dataclass
class Either:
    user: Exception | User


def test_an_injected_member_is_reported_after_the_problems_before_it():
    def f(given: Either): ...

    with pytest.raises(SchemaError) as caught:
        function_to_schema(f, strict=True)
    assert [(each.path, each.code) for each in caught.value.problems] == [
        ("f(given).user", "unsupported-type"),
        ("f(given).user", "other"),
    ]


@pytest.mark.parametrize("cls", [Required, RequiredData])
def test_an_injected_field_without_a_default_is_reported(cls):
    def f(given: cls): ...

    why = (
        "Injected needs a default here, because a framework fills in parameters only; "
        "give the field a default, or make it a parameter"
    )
    with pytest.warns(SchemaWarning) as told:
        assert function_to_schema(f, profile=profiles.MCP)["properties"] == {"given": WORD}
    assert [str(each.message) for each in told] == [f"f(given).user: {why}"]
    for refuse in (lambda: function_to_schema(f, strict=True), lambda: bind(f, {"given": {}})):
        with pytest.raises(SchemaError, match="Injected needs a default here"):
            refuse()
    assert [each.path for each in check(f) if why in each.message] == ["f(given).user"]


def test_an_injected_field_of_a_model_without_a_default_is_reported():
    class Needy(pydantic.BaseModel):
        user: User

    with pytest.warns(SchemaWarning, match="its field 'user' is Injected, so it needs a default"):
        assert type_to_schema(Needy, profile=profiles.MCP) == {"type": "object", "properties": {}}
    with pytest.raises(SchemaError, match="its field 'user' is Injected, so it needs a default"):
        type_to_schema(Needy, strict=True)


@pydantic.dataclasses.dataclass
class Checked:
    user: User = "me"


@dataclass
class Plain:
    word: str = ""
    user: "UserId" = "1"


class Mapped(typing_extensions.TypedDict):
    user: typing_extensions.NotRequired[User]


class Mixed(pydantic.BaseModel):
    plain: Plain
    mapped: Mapped


class Handmade:
    user: User = "me"

    @classmethod
    def __get_pydantic_core_schema__(cls, source, handler):
        fields = {"user": core_schema.typed_dict_field(core_schema.str_schema())}
        return core_schema.typed_dict_schema(fields)


@pytest.mark.parametrize(
    ("cls", "names"),
    [
        (list[Checked], ["Checked.user"]),
        (Mixed, ["Plain.user", "Mapped.user"]),
        (Handmade, []),
    ],
)
def test_an_injected_field_that_pydantic_cannot_hide_is_reported(cls, names):
    def f() -> cls: ...

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        type_to_schema(cls)
    said = [str(each.message).rpartition(": ")[2] for each in told]
    assert said == [
        f"it shows {name}, which is Injected, to callers; "
        f"use a model instead of {name.partition('.')[0]}"
        for name in names
    ]
    if names:
        with pytest.raises(SchemaError, match=re.escape(said[0])):
            type_to_schema(cls, strict=True)
    assert return_to_schema(f, strict=True) is not None


def test_an_item_of_an_array_is_not_injected():
    class Pair(NamedTuple):
        word: str
        user: User = "me"

    with pytest.raises(SchemaError, match="an array item cannot be omitted, so") as refused:
        type_to_schema(Pair)
    assert refused.value.path == "Pair.user"
    with pytest.raises(ArgumentsError, match="only your code may set it"):
        json_to_value(["a", "evil"], Pair)
    assert json_to_value(["a"], Pair) == Pair("a")


@pytest.mark.parametrize("cls", [Keys, Attrs, Struct, Model])
def test_an_output_has_its_injected_fields(cls):
    def f() -> cls: ...

    value: Any = {"word": "a", "user": "me"} if cls is Keys else cls(word="a")
    schema = return_to_schema(f, profile=profiles.MCP)
    assert schema is not None
    assert "user" in schema["properties"]
    assert value_to_json(value, cls)["user"] == "me"


def test_injected_on_an_annotation_without_a_field_has_no_effect():
    assert type_to_schema(Annotated[int, Injected], strict=True) == INTEGER
    assert type_to_schema(Annotated[int, Injected()], strict=True) == INTEGER
    assert json_to_value(1, list[Annotated[int, Injected]] | int) == 1


class Quiet(Description):
    """A marker of users with a property of that name."""

    @property
    def hides(self):  # type: ignore[override]
        return False


class Hiding(Description):
    hides = True


@dataclass
class Marked:
    word: Annotated[str, Quiet("A word.")]
    user: Annotated[str, Hiding("A user.")] = "me"


Word = Annotated[str, Quiet("A word.")]


def test_a_marker_hides_fields_and_parameters_only_if_it_says_true():
    def f(marked: Marked, word: Word, user: Annotated[str, Hiding("A user.")]): ...

    word = {"type": "string", "description": "A word."}
    assert function_to_schema(f) == record(marked=record(word=word), word=word)


class Opaque:
    @classmethod
    def __get_pydantic_core_schema__(cls, _source, _handler):
        return pydantic_core.core_schema.is_instance_schema(cls)


def test_a_class_that_pydantic_knows_by_its_instances_is_not_read_from_json():
    with pytest.raises(SchemaError) as caught:
        json_to_value(1, Opaque)
    way_out = "add decoders={...} to the profile"
    assert str(caught.value) == f"Opaque: cannot read Opaque from JSON; {way_out}"
