"""Frozen values: declared once, made from their fields, never changed."""

import copy
import dataclasses
import inspect
import pickle
import pprint
import subprocess
import sys
from typing import Any, Literal

import pytest

from milo_schema import (
    Docstring,
    HiddenParameter,
    Profile,
    SchemaError,
    SchemaWarning,
    ToolAnnotations,
    ToolSchema,
    function_to_schema,
    profiles,
    type_to_schema,
)
from milo_schema.annotations.frozen import Frozen, ReadOnly, field
from milo_schema.checks import Cost, Finding
from milo_schema.compare import Change
from milo_schema.dialects.consumers import DIALECTS
from milo_schema.results import value_to_json
from milo_schema.tools.wire import WIRE_FORMS
from milo_schema.transforms import Titles
from tests import judges
from tests.fragments import INTEGER, STRING, record

VALUES = [
    profiles.MILO,
    ToolSchema(name="ping", input_schema={"type": "object"}),
    ToolAnnotations(title="Ping"),
    Finding("ping", "fallback", "why"),
    Change("ping", "added", "compatible"),
    Docstring("Ping."),
]
BUILT_IN = [getattr(profiles, name) for name in profiles.__all__ if name.isupper()]
EACH = pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
EACH_PROFILE = pytest.mark.parametrize("profile", BUILT_IN, ids=repr)


class Point(Frozen):
    x: int
    y: int = 0
    tags: Any = field(default=[], converter=lambda _name, value: list(value))


class Named(Point):
    name: str = "origin"


# A type checker would refuse these:
ANY_POINT: Any = Point
ANY_HINTS: Any = ToolAnnotations
ANY_PROFILE: Any = profiles.MCP


# -- making one --------------------------------------------------------------------------------


def test_fields_are_passed_by_position_and_by_name():
    assert vars(Point(1, 2, tags="ab")) == {"x": 1, "y": 2, "tags": ["a", "b"]}
    assert vars(Point(x=1)) == {"x": 1, "y": 0, "tags": []}
    assert Point(1).tags is not Point(1).tags


def test_a_subclass_inherits_the_fields_of_its_base():
    assert vars(Named(1, name="here")) == {"x": 1, "y": 0, "tags": [], "name": "here"}
    assert repr(Named(1)) == "Named(x=1)"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (Point, "Point needs the field 'x'"),
        (lambda: ANY_POINT(1, z=2), "Point has no field 'z'"),
        (lambda: ANY_POINT(1, tag=2), "Point has no field 'tag'; did you mean tags?"),
        (lambda: Point(1, x=2), "Point got the field 'x' twice"),
        (lambda: ANY_POINT(1, 2, 3, 4), "Point takes at most 3 fields by position, not 4"),
        (lambda: ANY_HINTS(True), "ToolAnnotations takes at most 0 fields by position, not 1"),
        (lambda: ANY_PROFILE.replace(injected_name={"x"}),
         "Profile has no field 'injected_name'; did you mean injected_names?"),
        (lambda: VALUES[1].replace(input_shema={}),
         "ToolSchema has no field 'input_shema'; did you mean input_schema?"),
    ],
)  # fmt: skip
def test_an_unknown_field_is_an_error_that_names_the_nearest(make, message):
    with pytest.raises(TypeError) as caught:
        make()
    assert str(caught.value) == message


# -- changing one ------------------------------------------------------------------------------


@EACH
def test_no_value_can_be_changed(value):
    name, old = next(iter(vars(value).items()))
    kind = type(value).__name__
    with pytest.raises(AttributeError) as caught:
        setattr(value, name, "x")
    assert str(caught.value) == f"a {kind} is frozen; use .replace({name}='x')"
    with pytest.raises(AttributeError) as caught:
        delattr(value, name)
    assert str(caught.value) == f"a {kind} is frozen; it keeps its {name}"
    assert getattr(value, name) == old


def test_an_unknown_attribute_is_an_error_that_names_the_nearest():
    with pytest.raises(AttributeError) as caught:
        profiles.MILO.close = "everything"
    assert str(caught.value) == "Profile has no field 'close'; did you mean closed?"


@pytest.mark.parametrize("name", ["input_schema", "output_schema", "meta", "icons"])
def test_a_field_that_returns_copies_cannot_be_changed(name):
    tool = ToolSchema(name="ping", input_schema={"type": "object"})
    before = tool.to_mcp()
    with pytest.raises(AttributeError, match=f"^{name} is frozen$"):
        object.__setattr__(tool, name, {})
    assert tool.to_mcp() == before


@EACH
def test_replace_makes_another_one(value):
    name, old = next(iter(vars(value).items()))
    other = value.replace(**{name: "other"})
    assert type(other) is type(value)
    assert vars(other) == {**vars(value), name: "other"}
    assert getattr(value, name) == old


# -- comparing and copying ---------------------------------------------------------------------


def test_values_are_equal_by_class_and_fields():
    assert Point(1) == Point(1, 0)
    assert Point(1) != Point(2)
    assert Point(1) != Named(1)
    assert Finding("a", "b", "breaking") != Change("a", "b", "breaking")


EACH_COPY = pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))],
    ids=["copy", "deepcopy", "pickle"],
)


@EACH
@EACH_COPY
def test_a_value_can_be_copied_and_pickled(value, copied):
    other = copied(value)
    assert type(other) is type(value)
    assert vars(other) == vars(value)


@EACH_PROFILE
@EACH_COPY
def test_the_copy_of_a_profile_has_the_same_fields(profile, copied):
    other = copied(profile)
    assert vars(other) == vars(profile)
    assert other == profile
    assert hash(other) == hash(profile)
    assert other.dialect == profile.dialect
    with pytest.raises(TypeError, match="does not support item assignment"):
        other.unknown["type"] = "null"

    def call(x: int, y: list[Literal["a", "b"]] | None = None) -> int: ...

    assert function_to_schema(call, profile=other) == function_to_schema(call, profile=profile)


def test_a_deep_copy_shares_nothing():
    schema = {"type": "string"}
    mine = profiles.MILO.with_types({complex: schema})
    other = copy.deepcopy(mine)
    schema["type"] = "number"
    assert type_to_schema(complex, profile=mine) == {"type": "number"}
    assert type_to_schema(complex, profile=other) == {"type": "string"}


def test_profiles_are_equal_and_have_one_hash_if_their_fields_are_equal():
    mine = profiles.MCP.replace(name="mine")
    assert mine == profiles.MCP.replace(name="mine")
    assert mine != profiles.MCP
    assert mine != mine.replace(closed="nothing")
    assert mine != "mine"
    assert {profiles.MCP: 1}[profiles.MCP.replace()] == 1


# -- for other tools ---------------------------------------------------------------------------


def test_a_class_shows_its_fields_as_parameters():
    assert str(inspect.signature(Finding)) == "(path: 'str', code: 'str', message: 'str')"
    assert str(inspect.signature(ToolAnnotations)) == (
        "(*, read_only: bool | None = None, destructive: bool | None = None,"
        " idempotent: bool | None = None, open_world: bool | None = None,"
        " title: str | None = None)"
    )
    assert list(inspect.signature(Profile).parameters) == list(vars(profiles.MILO))
    assert not hasattr(profiles.MILO, "__signature__")


def test_a_frozen_class_has_the_schema_of_its_fields():
    assert function_to_schema(Finding, profile=profiles.MCP) == record(
        path={"type": "string", "description": "Where it is, such as ``deploy(params).filters``."},
        code=STRING | {"description": "The kind of finding: one of ``milo_schema.errors.CODES``."},
        message={"type": "string", "description": "What is wrong, and what to do about it."},
    ) | {"additionalProperties": False}


def test_frozen_values_do_not_import_dataclasses():
    code = """
import sys
from milo_schema import profiles, tool_schema
def find(word: str, times: int = 1) -> list[str]: "Find."
tool_schema(find, profile=profiles.MCP).replace(title="Find").to_mcp()
sys.exit("dataclasses" in sys.modules)
"""
    subprocess.run([sys.executable, "-S", "-c", code], check=True)


# -- as dataclasses ----------------------------------------------------------------------------

OTHERS = [
    HiddenParameter("ctx", "injected_names", "ctx", list[int], required=True),
    Cost("ping", 80),
    Titles(),
    profiles.GEMINI.transforms[1],
    WIRE_FORMS["mcp"],
    WIRE_FORMS["mcp"].names,
    DIALECTS["gemini"],
    Named(1),
    profiles.GEMINI,
    profiles.FASTMCP,
]
EACH_OF_ALL = pytest.mark.parametrize(
    "value",
    VALUES + OTHERS,
    ids=[f"{type(each).__name__}-{at}" for at, each in enumerate(VALUES + OTHERS)],
)


@EACH_OF_ALL
def test_dataclasses_knows_the_fields_of_a_value_and_of_its_class(value: Any):
    assert dataclasses.is_dataclass(value)
    assert dataclasses.is_dataclass(type(value))
    assert type(value).__dataclass_params__.frozen
    parameters = inspect.signature(type(value)).parameters
    assert list(parameters) == list(vars(value))
    of_class: Any = type(value)
    for found in (dataclasses.fields(value), dataclasses.fields(of_class)):
        assert [(each.name, each.type) for each in found] == [
            (each.name, each.annotation) for each in parameters.values()
        ]
        assert [default_of(each) for each in found] == [
            each.default for each in parameters.values()
        ]


def default_of(found: Any) -> Any:
    if found.default_factory is not dataclasses.MISSING:
        assert found.default_factory() is not found.default_factory()
        return found.default_factory()
    is_required = found.default is dataclasses.MISSING
    return inspect.Parameter.empty if is_required else found.default


@EACH_OF_ALL
def test_dataclasses_makes_a_dict_of_a_value(value):
    found = dataclasses.asdict(value)
    assert list(found) == list(vars(value))
    assert dataclasses.astuple(value)[0] == next(iter(found.values()))
    for name, each in found.items():
        if not isinstance(each, (dict, tuple)):  # those may have values of ours
            assert each == getattr(value, name)


def test_the_dict_of_a_tool_has_plain_json():
    tool = ToolSchema(
        name="ping",
        input_schema={"type": "object"},
        icons=[{"src": "x"}],
        annotations=ToolAnnotations(read_only=True),
    )
    found = dataclasses.asdict(tool)
    assert (found["input_schema"], found["icons"]) == ({"type": "object"}, [{"src": "x"}])
    assert found["annotations"]["read_only"] is True
    found["input_schema"]["type"] = "array"
    assert tool.input_schema == {"type": "object"}


@EACH_OF_ALL
def test_dataclasses_replaces_a_field_as_the_method_does(value):
    name = next(iter(vars(value)))
    other = value.replace(**{name: "other"})
    replaced = [dataclasses.replace(value, **{name: "other"})]
    if sys.version_info >= (3, 13):
        replaced.append(copy.replace(value, **{name: "other"}))
    for each in replaced:
        assert type(each) is type(value)
        assert each == other
        assert repr(each) == repr(other)
        assert pickle.dumps(each) == pickle.dumps(other)
    assert dataclasses.replace(value) == value


@EACH_OF_ALL
def test_pprint_shows_a_value_as_its_repr(value):
    assert pprint.pformat(value, width=1) == repr(value)


@EACH_OF_ALL
def test_a_value_is_no_record_although_dataclasses_knows_its_fields(value):
    def before(x: int = value) -> None: ...

    dataclasses.fields(value)  # whoever has asked changes nothing
    with pytest.warns(SchemaWarning, match="no JSON"):
        assert type_to_schema(type(value), profile=profiles.MCP) == {}
    assert function_to_schema(before, profile=profiles.MCP)["properties"] == {"x": INTEGER}
    with pytest.raises(SchemaError):
        value_to_json(value, Any, profile=profiles.MCP)


def test_pydantic_keeps_a_value_in_a_dump():
    pydantic = judges.module("pydantic")
    tool = ToolSchema(name="ping", input_schema={"type": "object"})
    model = pydantic.create_model("Model", tool=ToolSchema, profile=Profile)
    made = model(tool=tool, profile=profiles.MCP)
    assert made.model_dump() == {"tool": tool, "profile": profiles.MCP}
    assert made.model_dump()["tool"] is tool
    assert model(**made.model_dump()) == made
    with pytest.raises(pydantic.PydanticUserError):
        model.model_json_schema(mode="serialization")
    for name in ("tool", "profile"):
        with pytest.raises(pydantic.ValidationError):
            model(**{**made.model_dump(), name: {"name": "x"}})
        with pytest.raises(ValueError, match="unsupported format string"):
            made.model_dump_json(include={name})


# -- read-only dicts ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda it: it.__setitem__("x", 2),
        lambda it: it.__delitem__("x"),
        lambda it: it.__ior__({"y": 2}),
        lambda it: it.clear(),
        lambda it: it.pop("x"),
        lambda it: it.popitem(),
        lambda it: it.setdefault("y", 2),
        lambda it: it.update(y=2),
    ],
    ids=range(8),
)
def test_a_read_only_dict_refuses_changes(change):
    fixed: Any = ReadOnly(x=1)
    with pytest.raises(TypeError, match="a read-only dict does not support item assignment"):
        change(fixed)
    assert fixed == {"x": 1}


def test_a_copy_of_a_read_only_dict_is_one():
    fixed = ReadOnly(x=[1])
    for copied in (copy.copy(fixed), copy.deepcopy(fixed), pickle.loads(pickle.dumps(fixed))):
        assert (type(copied), copied) == (ReadOnly, fixed)
    assert copy.deepcopy(fixed)["x"] is not fixed["x"]
