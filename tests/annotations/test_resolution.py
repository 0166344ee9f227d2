"""An annotation means the same however it is written, to everything that reads one."""

import itertools
import re
import sys
from types import ModuleType
from typing import Annotated, Any, Union

import pytest

from milo_schema import (
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)
from milo_schema.annotations import resolution
from milo_schema.annotations.classes import UnresolvedError
from milo_schema.annotations.resolution import union_members
from milo_schema.annotations.scopes import Scope
from milo_schema.results import return_to_json
from tests import needs
from tests.annotations.readers import IMPORTS, READERS, Here, Reader
from tests.annotations.wrappers import WRAPPERS, Wrapper
from tests.every import every
from tests.fragments import INTEGER, NULL, STRING, array_of, obj, record
from tests.modules import module_from

since_312 = pytest.mark.skipif(sys.version_info < (3, 12), reason="PEP 695 came with 3.12")

# -- every reader through every wrapper --------------------------------------------------------

QUALIFIERS = ("Final", "ClassVar")
REFUSED = [
    (r"(Optional|Union|Unpack|Awaitable|Iterator)\[.*Wrapped", QUALIFIERS, "not valid as type arg"),
    (r"(TypedDict|NamedTuple)(?s:.*): Wrapped", QUALIFIERS, "not valid as type arg"),
    (r"class \w+\(Page\[Wrapped\]", "TypeVar with ", "Some type variables"),
]
"""The places and wrappers that ``typing`` refuses together, and its message."""


IMPORTED = {name: each for name, each in vars(module_from(IMPORTS)).items() if name[:2] != "__"}
"""The names that every module has; thousands of modules would import them one by one."""


def made(reader: Reader, wrapper: Wrapper) -> ModuleType:
    """The module for the reader, with the annotation inside the wrapper."""
    parts = (reader.classes, f"Bare = {reader.bare}", wrapper.text, reader.code)
    module = module_from("\n".join(parts), future=wrapper.future, **IMPORTED)
    for each in vars(module).values():
        if isinstance(each, type) and each.__module__ == module.__name__:
            for owner in (each, *vars(each).values()):
                getattr(owner, "__annotations__", None)  # from 3.14 on, it is evaluated here
    return module


def expected_of(reader: Reader, wrapper: Wrapper) -> Any:
    """The answer for the bare annotation, if the table does not have another one."""
    if wrapper.id in reader.other:
        answer, _ = reader.other[wrapper.id]
        return answer
    return described(reader.expected) if wrapper.describes else reader.expected


def described(expected: Any) -> Any:
    """The expected result if the wrapper adds a description, which is beside the schema."""
    if type(expected) is Here:
        return {"description": "What it is.", **expected}
    if type(expected) is dict:
        return {key: described(value) for key, value in expected.items()}
    if type(expected) is list:
        return [described(value) for value in expected]
    return expected


@every("wrapper", WRAPPERS, ids=lambda wrapper: wrapper.id)
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)
def test_every_reader_sees_through_every_wrapper(reader, wrapper):
    if why := needs.lacking(wrapper.needs) or needs.lacking(reader.needs):
        pytest.skip(why)
    for place, wrappers, message in REFUSED:
        if re.search(place, reader.code) and wrapper.id.startswith(wrappers):
            with pytest.raises(TypeError, match=message):
                made(reader, wrapper)
            return
    module = made(reader, wrapper)
    expected = expected_of(reader, wrapper)
    if isinstance(expected, Exception):
        with pytest.raises(type(expected)) as caught:
            reader.ask(module)
        assert str(caught.value) == str(expected)
    else:
        assert reader.ask(module) == expected


def test_every_exception_names_an_existing_wrapper():
    known = {wrapper.id for wrapper in WRAPPERS}
    assert {name for reader in READERS for name in reader.other} <= known


# -- Self, which means the class around it -----------------------------------------------------

SELVES = """
class Context:
    def f(self, a: int, other: Self): ...

class Service:
    def f(self, a: int, other: Optional[Self] = None): ...

@dataclass
class TextContent:
    text: str
    def f(self) -> Self: ...
    def each(self) -> Iterator[Self]: yield
"""
TEXT = record(text=STRING)


def test_self_is_injected_like_its_class():
    module = module_from(IMPORTS + SELVES)
    assert function_to_schema(module.Context().f) == record(a=INTEGER)


def test_self_is_excluded_like_its_class():
    module = module_from(IMPORTS + SELVES)
    assert function_to_schema(module.Service().f, exclude=[module.Service]) == record(a=INTEGER)


@pytest.mark.parametrize("name", ["f", "each"])
def test_self_as_an_output_has_the_schema_of_its_class(name):
    func = getattr(module_from(IMPORTS + SELVES).TextContent(""), name)
    assert return_to_schema(func, profile=profiles.MCP.replace(generators="item")) == TEXT
    assert return_to_schema(func, profile=profiles.OPENMCP) is None


@pytest.mark.parametrize("name", ["f", "each"])
def test_a_value_of_self_has_the_json_of_its_class(name):
    content = module_from(IMPORTS + SELVES).TextContent("x")
    assert return_to_json(getattr(content, name), content) == {"text": "x"}


# -- wrappers that readers once missed ---------------------------------------------------------


def test_an_alias_closes_its_arguments_where_they_are_written():
    module = module_from("""
        from collections.abc import Iterator
        from typing import Generic, TypeVar
        from typing_extensions import TypeAliasType
        T = TypeVar("T")
        Same = TypeAliasType("Same", T, type_params=(T,))
        class Source(Generic[T]):
            def f(self) -> Same[Iterator[list[T]]]:
                yield
        class Numbers(Source[int]): ...
    """)
    assert return_to_schema(module.Numbers().f) == array_of(INTEGER)
    assert return_to_json(module.Numbers().f, [1]) == [1]


def test_the_default_of_a_type_parameter_may_be_none():
    module = module_from("""
        from dataclasses import dataclass
        from typing import Generic
        from typing_extensions import TypeVar
        T = TypeVar("T", default=None)
        @dataclass
        class Page(Generic[T]):
            item: T
    """)
    assert type_to_schema(module.Page) == record(item=NULL)
    assert type_to_schema(module.Page[int]) == record(item=INTEGER)


# -- annotations that refer only to themselves -----------------------------------------------------


@since_312
@pytest.mark.parametrize("value", ["A", "A | None", "list[int] | A", "B"])
@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
def test_an_alias_of_itself_is_an_error_with_its_name(value, profile):
    module = module_from(f"""
        from collections.abc import Iterator
        type A = {value}
        type B = A
        class Service: ...
        def take(x: A): ...
        def give() -> A: ...
        def stream() -> Iterator[A]:
            yield
    """)
    asks = (
        lambda: type_to_schema(module.A, profile=profile),
        lambda: function_to_schema(module.take, profile=profile),
        lambda: function_to_schema(module.take, profile=profile, exclude=[module.Service]),
        lambda: return_to_schema(module.give, profile=profile),
        lambda: return_to_schema(module.stream, profile=profile),
    )
    for ask in asks:
        with pytest.raises(SchemaError) as caught:
            ask()
        assert str(caught.value) == "A: refers directly to itself; put a container in between"


@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
def test_an_alias_of_ever_larger_types_is_an_error_for_every_reader(profile):
    module = module_from("""
        from typing import TypeVar
        from typing_extensions import TypeAliasType
        T = TypeVar("T")
        A = TypeAliasType("A", "A[list[T]]", type_params=(T,))
        class Service: ...
        def f(x: A[int]) -> A[int]: ...
    """)
    asks = (
        ("f(x)", lambda: function_to_schema(module.f, profile=profile)),
        ("f(x)", lambda: function_to_schema(module.f, profile=profile, exclude=[module.Service])),
        ("f() -> result", lambda: return_to_schema(module.f, profile=profile)),
        ("f() -> result", lambda: return_to_json(module.f, 1, profile=profile)),
    )
    for path, ask in asks:
        with pytest.raises(SchemaError) as caught:
            ask()
        assert str(caught.value) == (
            f"{path}: type arguments nested deeper than 12 levels, or more than 1,000 of them: "
            "it contains ever larger forms of itself"
        )


# -- missing names -----------------------------------------------------------------------------


def test_an_unresolved_member_does_not_affect_values_of_another_member():
    module = module_from("""
        from typing import Union
        def f() -> Union["Missing", int]: ...
    """)
    assert return_to_json(module.f, 1) == 1
    with pytest.raises(SchemaError) as caught:
        return_to_json(module.f, "x")
    assert str(caught.value) == "f() -> result: 'x' is not 'Missing' | int"


def test_a_qualifier_around_an_unresolved_name_is_read():
    module = module_from("""
        from typing import Annotated, NotRequired
        from typing_extensions import TypedDict
        class Keys(TypedDict):
            a: Annotated["Missing", 1]
            b: NotRequired["Missing"]
    """)
    with pytest.warns(SchemaWarning) as caught:
        assert type_to_schema(module.Keys) == obj(["a"], a=STRING, b=STRING)
    assert [warning.message.path for warning in caught] == ["Keys.a", "Keys.b"]


def test_a_union_that_contains_ever_new_types_is_an_error():
    count = itertools.count()
    names = {"again": lambda: Union[int, Annotated["again()", next(count)]]}  # noqa: F821
    with pytest.raises(UnresolvedError, match=r"^'again\(\)' contains itself endlessly$"):
        union_members("again()", Scope(extra=names))


def test_a_union_has_a_limited_number_of_unions_inside(monkeypatch):
    monkeypatch.setattr(resolution, "MAX_STEPS", 3)
    two = Union[int, Annotated[Union[str, None], "which may be missing"]]
    assert len(union_members(two, Scope())) == 3
    monkeypatch.setattr(resolution, "MAX_STEPS", 2)
    with pytest.raises(UnresolvedError, match="contains itself endlessly"):
        union_members(two, Scope())


def test_the_members_of_a_union_are_listed_once_each():
    alias = Annotated[Union[str, None], "which may be missing"]
    members = [each for each, _ in union_members(Union[int, list[int], alias], Scope())]
    assert members == [int, list[int], str, type(None)]
