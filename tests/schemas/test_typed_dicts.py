"""``TypedDict``: inheritance and further keys."""

import typing
from typing import Annotated, Generic, Literal, TypedDict, TypeVar

import pytest
import typing_extensions

from milo_schema import profiles, type_to_schema
from tests.fragments import INTEGER, NULL, STRING, any_of, array_of, exact, obj, record
from tests.modules import module_from

T = TypeVar("T")


class Touchy:
    def __eq__(self, other):
        raise ZeroDivisionError

    __hash__ = object.__hash__


class Base(TypedDict):
    x: Annotated[int, Touchy()]


class Derived(Base):
    x: Annotated[int, Touchy()]  # type: ignore[misc]


class Box(TypedDict, Generic[T]):
    x: Annotated[T, Touchy()]


class Crate(Box[T], Generic[T]):
    x: Annotated[T, Touchy()]  # type: ignore[misc]


@pytest.mark.parametrize("annotation", [Derived, Crate[int]])
def test_a_key_may_be_redeclared_with_metadata_that_cannot_be_compared(annotation):
    assert exact(annotation) == record(x=INTEGER)


class Wide(TypedDict):
    numbers: tuple[(int,) * 40]  # type: ignore[valid-type]
    name: str


class Wider(Wide, total=False):
    kind: Literal["a"]
    old: list[str] | None


def test_a_typed_dict_inherits_keys_with_large_annotations():
    numbers = exact(tuple[(int,) * 40])  # type: ignore[misc]
    assert exact(Wider) == obj(
        ["numbers", "name"],
        numbers=numbers,
        name=STRING,
        kind={"type": "string", "enum": ["a"]},
        old=any_of(array_of(STRING), NULL),
    )


def test_a_typed_dict_with_a_diamond_of_bases_reads_each_base_once():
    lines = ["class L0(TypedDict):", "    '''L.", "", "    Attributes:", "        a: An a.'''"]
    lines += ["    a: 'int'", "class R0(TypedDict):", "    b: 'int'"]
    for i in range(12):
        lines += [f"class {side}{i + 1}(L{i}, R{i}): pass" for side in "LR"]
    module = module_from("\n".join(["from typing_extensions import TypedDict", *lines]))
    assert exact(module.L12) == record(a={"type": "integer", "description": "An a."}, b=INTEGER)


NULLS = "from typing_extensions import TypedDict\nclass Nulls(TypedDict, extra_items=None): a: int"


needs_extra_items = pytest.mark.skipif(
    not hasattr(typing_extensions, "NoExtraItems"), reason="typing_extensions 4.13"
)


@needs_extra_items
def test_extra_items_of_none_allow_null():
    nulls, expected = module_from(NULLS).Nulls, record(a=INTEGER) | {"additionalProperties": NULL}
    assert exact(nulls) == expected
    closed = profiles.MCP.replace(closed="everything")
    assert type_to_schema(nulls, profile=closed) == expected


@needs_extra_items
def test_extra_items_of_none_are_ignored_without_noextraitems(monkeypatch):
    nulls = module_from(NULLS).Nulls
    for module in (typing, typing_extensions):  # typing_extensions up to 4.12
        monkeypatch.delattr(module, "NoExtraItems", raising=False)
    assert "additionalProperties" not in exact(nulls)
