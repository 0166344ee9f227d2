"""The support for foreign libraries: one file each, loaded only when it is needed."""

import functools
import importlib
import json
import subprocess
import sys
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest

from milo_schema import (
    Deprecated,
    Description,
    Examples,
    Ge,
    Injected,
    Le,
    MinLen,
    SchemaError,
    function_to_schema,
    profiles,
    type_to_schema,
)
from tests.fragments import INTEGER, STRING, obj, record
from tests.inside import libraries

FOLDER = Path(libraries.__file__).parent

DERIVE = """
import sys
from dataclasses import dataclass
from typing import Annotated
from milo_schema import Ge, function_to_schema
@dataclass
class Point:
    x: Annotated[int, Ge(0), object()]
class Plain: ...
def f(point: Point, plain: Annotated[Plain, "it"], size: tuple = (1, 2)): ...
import warnings
warnings.simplefilter("ignore")
function_to_schema(f)
prefix = "milo_schema.libraries."
print(*sorted(name.removeprefix(prefix) for name in sys.modules if name.startswith(prefix)))
"""


def files_loaded_with(imports: str) -> list[str]:
    """The files about libraries that are loaded by a derivation after those imports."""
    run = subprocess.run(
        [sys.executable, "-c", imports + DERIVE], capture_output=True, text=True, check=True
    )
    return run.stdout.split()


def test_no_file_about_a_library_is_loaded_without_the_library() -> None:
    assert files_loaded_with("") == []


@pytest.mark.parametrize(
    ("imports", "files"),
    [
        ("import attr", ["attrs"]),
        ("import annotated_types", ["annotated_types"]),
        ("import msgspec", ["annotated_types", "msgspec"]),  # which knows its attributes
    ],
)
def test_a_file_about_a_library_is_loaded_with_the_library(imports: str, files: list[str]) -> None:
    assert files_loaded_with(imports) == files


FIELD = """
import json
from pydantic import Field
from milo_schema import function_to_schema
def find(query: str = Field(description="What to look for", min_length=1)): ...
print(json.dumps(function_to_schema(find)))
"""


def test_a_field_as_a_default_is_read_by_the_first_derivation_of_a_process() -> None:
    """Nothing before it has split an annotation."""
    run = subprocess.run([sys.executable, "-c", FIELD], capture_output=True, text=True, check=True)
    query = {"type": "string", "minLength": 1, "description": "What to look for"}
    assert json.loads(run.stdout) == record(query=query)


def test_metadata_records_and_defaults_are_read_without_pydantic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "pydantic", raising=False)

    @dataclass
    class Item:
        name: str
        count: Annotated[int, object()] = 1

    def buy(item: Item, times: Annotated[int, object()] = 2) -> None: ...

    item = obj(["name"], name=STRING, count=INTEGER | {"default": 1})
    expected = obj(["item"], item=item, times=INTEGER | {"default": 2})
    expected["additionalProperties"] = False
    assert function_to_schema(buy, strict=True, profile=profiles.MCP) == expected
    whole = functools.partial(buy)
    assert function_to_schema(whole, strict=True, profile=profiles.MCP) == expected


def test_each_file_is_about_a_library() -> None:
    found = {path.stem for path in FOLDER.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert found - {"__pycache__"} == {"__init__", *libraries.FILES.values()}


@pytest.mark.parametrize("purpose", libraries.TABLES)
def test_each_file_that_serves_a_purpose_has_rows_for_it(
    purpose: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in libraries.FILES:
        try:
            importlib.import_module(name)
        except ImportError:  # too large for a test, or for another version of Python
            monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    files = {name: libraries.library(name) for name in libraries.FILES}
    serving = {name for name, file in files.items() if hasattr(file, purpose)}

    assert serving == set(libraries.TABLES[purpose])
    assert len(list(libraries.rows(purpose))) >= len(serving)


@pytest.mark.parametrize("name", libraries.FILES)
def test_a_library_that_is_not_loaded_is_unknown(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = libraries.library(name)
    rows = {purpose: [*getattr(file, purpose, ())] for purpose in libraries.TABLES}
    before = {purpose: [*libraries.rows(purpose)] for purpose in libraries.TABLES}

    monkeypatch.setitem(sys.modules, name, None)  # as when its import is blocked

    assert libraries.library(name) is None
    for purpose in libraries.TABLES:
        others = [row for row in before[purpose] if row not in rows[purpose]]
        assert [*libraries.rows(purpose)] == others


# -- markers are plain values ------------------------------------------------------------------


class Port(Le):
    """A marker that a user derived from one of ours."""

    def __init__(self) -> None:
        super().__init__(65535)


class Nonempty(MinLen): ...


class Outdated(Deprecated): ...


def test_a_subclass_of_a_marker_has_the_effect_of_the_marker() -> None:
    assert type_to_schema(Annotated[int, Port(), Ge(1)], strict=True) == {
        "type": "integer",
        "maximum": 65535,
        "minimum": 1,
    }


def test_an_error_names_a_subclass_of_a_marker_as_it_is_written() -> None:
    with pytest.raises(SchemaError) as caught:
        type_to_schema(Annotated[int, Nonempty(1)], strict=True)
    assert caught.value.message == "Nonempty(1) cannot apply to int; it is for str, list, dict"


@pytest.mark.parametrize("marker", [Deprecated, Outdated, Deprecated(), Outdated()])
def test_a_marker_that_needs_no_value_may_be_written_as_its_class(marker: object) -> None:
    assert type_to_schema(Annotated[list[int], marker], strict=True) == {
        "type": "array",
        "items": {"type": "integer"},
        "deprecated": True,
    }


def test_a_marker_that_needs_no_value_is_shown_without_one() -> None:
    assert [repr(Deprecated()), repr(Injected())] == ["Deprecated()", "Injected()"]
    assert Deprecated() == Deprecated() != Injected()


def test_a_marker_is_a_plain_value() -> None:
    assert (Ge(1).value, Examples("a", 1).value, Description("D.").value) == (1, ("a", 1), "D.")
