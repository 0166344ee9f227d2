"""Frozen values: declared once, made from their fields, never changed."""

import copy
import inspect
import pickle
import subprocess
import sys
from typing import Any, Literal

import pytest

from milo_schema import (
    Docstring,
    Profile,
    ToolAnnotations,
    ToolSchema,
    function_to_schema,
    profiles,
    type_to_schema,
)
from milo_schema.checks import Finding
from milo_schema.compare import Change
from milo_schema.frozen import Frozen, field

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
        (
            lambda: ANY_PROFILE.replace(injected_name={"x"}),
            "Profile has no field 'injected_name'; did you mean injected_names?",
        ),
        (
            lambda: VALUES[1].replace(input_shema={}),
            "ToolSchema has no field 'input_shema'; did you mean input_schema?",
        ),
    ],
)
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


@pytest.mark.skipif(sys.version_info < (3, 13), reason="new in 3.13")
def test_copy_replace_makes_another_one():
    copied: Any = vars(copy)["replace"]
    assert copied(Point(1), y=2) == Point(1, 2)
    assert copied(profiles.MCP, name="mine").closed == "parameters"


# -- comparing and copying ---------------------------------------------------------------------


def test_values_are_equal_by_class_and_fields():
    assert Point(1) == Point(1, 0)
    assert Point(1) != Point(2)
    assert Point(1) != Named(1)
    assert Finding("a", "b", "breaking") != Change("a", "b", "breaking")


@EACH
@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_value_can_be_copied_and_pickled(value, copied):
    other = copied(value)
    assert type(other) is type(value)
    assert vars(other) == vars(value)


@EACH_PROFILE
@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda profile: pickle.loads(pickle.dumps(profile))],
    ids=["copy", "deepcopy", "pickle"],
)
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
    assert str(inspect.signature(Finding)) == "(place: 'str', code: 'str', message: 'str')"
    assert str(inspect.signature(ToolAnnotations)) == (
        "(*, read_only: 'bool | None' = None, destructive: 'bool | None' = None,"
        " idempotent: 'bool | None' = None, open_world: 'bool | None' = None,"
        " title: 'str | None' = None)"
    )
    assert list(inspect.signature(Profile).parameters) == list(vars(profiles.MILO))
    assert not hasattr(profiles.MILO, "__signature__")


def test_a_frozen_class_has_the_schema_of_its_fields():
    assert function_to_schema(Finding, profile=profiles.MCP) == {
        "type": "object",
        "properties": {
            "place": {
                "type": "string",
                "description": "Where it is, such as ``deploy(params).filters``.",
            },
            "code": {"type": "string", "description": "The kind of finding: one of ``CODES``."},
            "message": {
                "type": "string",
                "description": "What is wrong, and what to do about it.",
            },
        },
        "required": ["place", "code", "message"],
        "additionalProperties": False,
    }


def test_frozen_values_do_not_import_dataclasses():
    code = "import sys, milo_schema.tools; sys.exit('dataclasses' in sys.modules)"
    subprocess.run([sys.executable, "-S", "-c", code], check=True)
