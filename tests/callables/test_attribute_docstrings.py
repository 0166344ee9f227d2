"""Strings below the fields of a class describe them, if the profile reads the source."""

import collections
import linecache
import sys
import types
from dataclasses import dataclass, field, make_dataclass
from pathlib import Path
from typing import Annotated, Any, Generic, NamedTuple, TypedDict, TypeVar, Unpack

import attr
import attrs
import msgspec
import pytest

from milo_schema import Description, function_to_schema, profiles, return_to_schema, type_to_schema
from milo_schema.results import value_to_json

T = TypeVar("T")
READING = profiles.MCP.replace(attribute_docstrings=True)


@dataclass
class Data:
    """A record.

    Attributes:
        both: The class's.
        listed: The class's.
    """

    city: str
    """Where it is."""

    both: str
    """The
    string's.
    """
    listed: str
    marked: Annotated[str, Description("The annotation's.")]
    """The string's."""
    kept: str = field(default="", metadata={"description": "The field's."})
    """The string's."""
    none: str = ""
    bytes_: str = ""
    b"This is not text."  # noqa: B018
    formatted: str = ""
    f"{1}"
    last: str = ""
    other = target = ""
    """Not a field's."""
    assert other == target
    """No field's either."""


DATA = {
    "city": "Where it is.",
    "both": "The\nstring's.",
    "listed": "The class's.",
    "marked": "The annotation's.",
    "kept": "The field's.",
    "none": None,
    "bytes_": None,
    "formatted": None,
    "last": None,
}


@dataclass(slots=True, frozen=True)
class Slotted:
    city: str
    """Where it is."""


class Keys(TypedDict):
    city: str
    """Where it is."""


class More(Keys, total=False):
    when: str
    """The day."""


INHERITED = "Where it is." if sys.version_info >= (3, 12) else None
"""Before 3.12, a TypedDict does not know its bases."""


class Pair(NamedTuple):
    city: str
    """Where it is."""


@attrs.define
class Attrs:
    city: str
    """Where it is."""


@attr.s
class OldAttrs:
    city: str = attr.ib()
    """Where it is."""


class Struct(msgspec.Struct):
    city: str
    """Where it is."""


@dataclass
class Box(Generic[T]):
    city: T
    """Where it is."""


@dataclass
class Base:
    city: str
    """The base's."""
    when: str
    """The day."""


@dataclass
class Derived(Base):
    city: str
    """Where it is."""


def descriptions(annotation: Any, **options: Any) -> dict[str, Any]:
    schema = type_to_schema(annotation, **{"profile": READING, "strict": True, **options})
    return {name: each.get("description") for name, each in schema["properties"].items()}


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (Data, DATA),
        (Slotted, {"city": "Where it is."}),
        (Keys, {"city": "Where it is."}),
        (More, {"city": INHERITED, "when": "The day."}),
        (Attrs, {"city": "Where it is."}),
        (OldAttrs, {"city": "Where it is."}),
        (Struct, {"city": "Where it is."}),
        (Box[str], {"city": "Where it is."}),
        (Derived, {"city": "Where it is.", "when": "The day."}),
    ],
    ids=str,
)
def test_a_string_below_a_field_describes_it(annotation, expected):
    assert descriptions(annotation) == expected
    assert descriptions(annotation, output=True) == expected


def test_a_string_below_an_item_of_a_tuple_describes_it():
    (item,) = type_to_schema(Pair, profile=READING)["prefixItems"]
    assert item == {"type": "string", "description": "Where it is."}


def test_an_indented_class_may_have_unindented_strings():
    @dataclass
    class Inner:
        city: str
        """Where
it is."""

    assert descriptions(Inner) == {"city": "Where\nit is."}


def test_keys_that_are_parameters_are_described():
    def run(**options: Unpack[More]) -> None: ...

    properties = function_to_schema(run, strict=True, profile=READING)["properties"]
    assert {name: each.get("description") for name, each in properties.items()} == {
        "city": INHERITED,
        "when": "The day.",
    }


def test_no_source_is_read_unless_the_profile_asks_for_it(monkeypatch):
    monkeypatch.setattr("inspect.getsource", None)
    assert descriptions(Keys, profile=profiles.MCP) == {"city": None}
    assert value_to_json({"city": "Oslo"}, Keys, profile=READING) == {"city": "Oslo"}


Called = TypedDict("Called", {"city": str})
Made = make_dataclass("Made", [("city", str)])


@pytest.mark.parametrize("annotation", [Called, Made], ids=["Called", "Made"])
def test_a_class_that_a_function_made_has_no_source(annotation):
    assert descriptions(annotation) == {"city": None}


def test_a_namedtuple_that_a_function_made_has_no_source():
    pair = collections.namedtuple("pair", ["city"])
    (item,) = type_to_schema(pair, profile=READING)["prefixItems"]
    assert item == {}


def module_of(source: str, path: Path) -> Any:
    path.write_text(source, encoding="utf-8")
    module = types.ModuleType(path.stem)
    module.__file__ = str(path)
    exec(compile(source, path, "exec"), vars(module))
    return module


SOURCE = '''
from dataclasses import dataclass

@dataclass
class Place:
    city: str
    """Where it is."""
'''


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        (SOURCE, "Where it is."),
        ("\n\nif 1:\n\tclass Place:\n\t\tcity: str\n\t\t'There.'\n", "There."),
        (None, None),
        ("", None),
        ("class Other:\n    city: str\n    'Elsewhere.'\n" * 4, None),
        ("\n\n\nclass Place(:\n    city: str\n    'Elsewhere.'\n", None),
    ],
    ids=["as it was", "indented by tabs", "gone", "empty", "other", "broken"],
)
def test_a_file_that_has_changed_describes_nothing(tmp_path, monkeypatch, later, expected):
    path = tmp_path / "places_of_a_test.py"
    module = module_of(SOURCE, path)
    monkeypatch.setitem(sys.modules, path.stem, module)
    if later is None:
        path.unlink()
    else:
        path.write_text(later, encoding="utf-8")
    linecache.clearcache()

    assert descriptions(module.Place) == {"city": expected}
    assert return_to_schema(len, returns=module.Place, profile=profiles.MCP) is not None
