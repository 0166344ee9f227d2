"""Return annotations, and the descriptions of outputs."""

import asyncio
import concurrent.futures
import contextlib
import functools
import typing
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Coroutine,
    Generator,
    Iterable,
    Iterator,
)
from dataclasses import dataclass, field
from typing import (
    Annotated,
    Any,
    Generic,
    Never,
    NoReturn,
    Optional,
    TypedDict,
    TypeGuard,
    TypeVar,
)

import pytest
import typing_extensions

from milo_schema import (
    Description,
    Ge,
    MinLen,
    Profile,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
)
from milo_schema.results import return_to_json
from tests.callables.helpers import ANYTHING, gives
from tests.callables.samples import POINT, Point
from tests.fragments import BOOLEAN, INTEGER, NULL, STRING, any_of, array_of, map_of, obj, record
from tests.tools.typescript.server import PROFILES

T = TypeVar("T")


# -- return annotations ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (None, None),
        (type(None), None),
        ("None", None),
        (Annotated[None, "Nothing."], None),
        (NoReturn, None),
        (Never, None),
        ("NoReturn", None),
        (int, INTEGER),
        ("int", INTEGER),
        ("int | None", {"anyOf": [INTEGER, NULL]}),
        (Optional[int], {"anyOf": [INTEGER, NULL]}),
        ("Optional[int]", {"anyOf": [INTEGER, NULL]}),
        (Annotated[int, Ge(0), Description("How many.")],
         {"type": "integer", "minimum": 0, "description": "How many."}),
        (Annotated[list[int], MinLen(1)], {**array_of(INTEGER), "minItems": 1}),
        (Any, ANYTHING),
        (object, ANYTHING),
        (list[Point], array_of(POINT)),
        (Iterator[int], array_of(INTEGER)),
        (AsyncIterator[int], INTEGER),
        (AsyncIterable[int], INTEGER),
        (Generator[int, str, bool], array_of(INTEGER)),
        (AsyncGenerator[int, None], INTEGER),
        (typing.Iterator[int], array_of(INTEGER)),
        (Awaitable[int], INTEGER),
        (Coroutine[Any, Any, int], INTEGER),
        (typing.Coroutine[Any, Any, int], INTEGER),
        ("Awaitable[int]", INTEGER),
        (Awaitable[None], None),
        (Coroutine[Any, Any, None], None),
        (Annotated[Awaitable[int], Description("How many.")],
         {"type": "integer", "description": "How many."}),
        (Awaitable[Iterator[int]], array_of(INTEGER)),
        (Awaitable, ANYTHING),
        (Iterator, array_of(ANYTHING)),
        (TypeGuard[int], BOOLEAN),
        (typing_extensions.TypeIs[int], BOOLEAN),
        ("typing_extensions.TypeIs[int]", BOOLEAN),
    ],
    ids=repr,
)  # fmt: skip
def test_a_return_annotation(annotation, expected):
    def command(): ...

    command.__annotations__["return"] = annotation
    gives(command, expected, strict=True)


@pytest.mark.parametrize(
    "annotation",
    [Iterable[int], "Iterator[int]", Annotated[Generator[int, None, None], 1]],
    ids=["iterable", "string", "annotated generator"],
)
def test_a_generator_function_outputs_its_items_and_another_function_an_array(annotation):
    def each():
        yield from [1, 2]

    def both():
        return each()

    each.__annotations__["return"] = both.__annotations__["return"] = annotation

    gives(each, INTEGER, strict=True)
    gives(both, array_of(INTEGER), strict=True)
    assert return_to_json(each, 1) == 1
    assert return_to_json(both, both()) == [1, 2]


@pytest.mark.parametrize("future", [asyncio.Future, asyncio.Task, concurrent.futures.Future],
                         ids=repr)  # fmt: skip
def test_a_future_outputs_its_result(future):
    def start(): ...

    for inner, expected in ((int, INTEGER), ("list[int]", array_of(INTEGER)), (None, None)):
        start.__annotations__["return"] = future[inner]
        gives(start, expected, strict=True)


def test_a_task_of_others_is_a_value():
    @dataclass
    class Task(Generic[T]):
        value: T

    def start() -> Task[int]: ...

    gives(start, record(value=INTEGER), strict=True)


def context_managers():
    @contextlib.contextmanager
    def opened() -> Iterator[int]:
        yield 1

    @contextlib.asynccontextmanager
    async def connected() -> AsyncIterator[int]:
        yield 1

    class Service:
        @functools.singledispatchmethod
        @contextlib.contextmanager
        def opened(self) -> Iterator[int]:
            yield 1

    def annotated() -> contextlib.AbstractContextManager[int]: ...
    def in_quotes() -> "Annotated[contextlib.AbstractAsyncContextManager[int], 1]": ...

    return [opened, connected, Service().opened, annotated, in_quotes]


@pytest.mark.parametrize("func", context_managers(), ids=lambda func: func.__qualname__)
def test_a_context_manager_has_no_output_schema(func):
    for profile in (profiles.MILO, profiles.MCP, profiles.OPENMCP):
        with pytest.warns(
            SchemaWarning, match="-> result: a context manager has no JSON Schema; return"
        ):
            assert return_to_schema(func, profile=profile) is None
        with pytest.raises(
            SchemaError, match="-> result: a context manager has no JSON Schema; return"
        ) as caught:
            return_to_schema(func, profile=profile, strict=True)
        assert "contextlib.Abstract" in repr(caught.value.annotation)
        assert caught.value.code == "unsupported-type"


def test_a_decorated_generator_function_is_a_generator_function():
    @contextlib.contextmanager
    def timed() -> Iterator[None]:
        yield

    @timed()
    def each() -> Iterator[int]:
        yield 1

    gives(each, INTEGER, strict=True)


def test_what_is_awaited_twice_has_the_schema_of_its_value_and_is_awaited_twice():
    async def count() -> int:
        return 3

    async def later() -> Awaitable[int]:
        return count()

    async def said_once() -> int:
        return count()  # type: ignore[return-value]

    def twice() -> Awaitable[Coroutine[Any, Any, int]]:
        return later()  # type: ignore[return-value]

    async def tasks() -> "asyncio.Task[int]":
        return asyncio.create_task(count())

    for function in (later, said_once, twice, tasks):
        tool = tool_schema(function)
        assert tool.output_schema == INTEGER
        assert asyncio.run(tool.call_async()).text == "3"


def test_an_awaitable_of_itself_has_no_end_and_no_schema():
    endless = typing_extensions.TypeAliasType("endless", "Awaitable[endless]")  # type: ignore[misc]

    one = typing_extensions.TypeAliasType("one", "Awaitable[two]")  # type: ignore[misc]
    two = typing_extensions.TypeAliasType("two", "Awaitable[one]")  # type: ignore[misc]

    def wait(): ...

    for annotation in (endless, one):
        wait.__annotations__["return"] = annotation
        with pytest.raises(SchemaError):
            return_to_schema(wait, strict=True, localns={"one": one, "two": two})


@dataclass
class Node:
    name: str
    children: list["Node"] = field(default_factory=list)


NODE = obj(["name"], name=STRING, children=array_of({"$ref": "#/$defs/Node"}))


def test_a_recursive_return_type():
    def tree() -> Node: ...
    def forest() -> list[Node]: ...

    gives(tree, {**NODE, "$defs": {"Node": NODE}})
    gives(forest, {**array_of({"$ref": "#/$defs/Node"}), "$defs": {"Node": NODE}})


# -- descriptions of outputs -------------------------------------------------------------------


def test_the_returns_section_describes_the_output():
    def count(name: str) -> int:
        """Count.

        Returns:
            How many there are.
        """
        return len(name)

    gives(count, {"type": "integer", "description": "How many there are."})
    assert return_to_schema(count, profile=profiles.MCP_2025) == record(
        result={"type": "integer", "description": "How many there are."}
    )
    assert return_to_schema(count, profile=profiles.PLATOOLS) == {"type": "integer"}


def test_the_yields_section_describes_the_output():
    def each() -> Iterator[int]:
        """Count.

        Yields:
            One after the other.
        """
        yield 1

    gives(each, {"type": "integer", "description": "One after the other."})


def test_a_description_in_the_return_annotation_overrides_the_docstring():
    def count() -> Annotated[int, Description("Said there.")]:
        """Count.

        Returns:
            Said here.
        """
        return 1

    gives(count, {"type": "integer", "description": "Said there."})


def test_an_output_without_a_schema_is_left_out_in_profile_openmcp():
    def command() -> complex: ...

    with pytest.warns(SchemaWarning, match="no JSON Schema for complex"):
        assert return_to_schema(command, profile=profiles.OPENMCP) is None
    with pytest.raises(SchemaError, match="no JSON Schema for complex"):
        return_to_schema(command, profile=profiles.OPENMCP, strict=True)


@dataclass
class Left:
    x: int


@dataclass
class Right:
    y: int


@pytest.mark.parametrize("profile", PROFILES, ids=lambda each: each.name)
def test_a_union_of_objects_has_type_object_as_an_output_for_clients_up_to_2025(profile):
    def f() -> Left | Right: ...

    arms = [record(x=INTEGER), record(y=INTEGER)]
    assert return_to_schema(f, profile=profile) == {"type": "object", "anyOf": arms}
    assert return_to_schema(f, profile=profiles.MCP) == {"anyOf": arms}


def test_items_after_others_are_any_of_them_for_clients_up_to_2025():
    """The official TypeScript client reads ``items`` as draft 7 does: as those of all items."""

    def f(row: tuple[int, *tuple[str, ...]]) -> tuple[int, *tuple[list[str], ...]]: ...

    listed = {"type": "array", "items": STRING}
    exact = {"type": "array", "prefixItems": [INTEGER], "minItems": 1}
    assert return_to_schema(f, profile=profiles.MCP) == {**exact, "items": listed}
    boxed: Any = return_to_schema(f, profile=profiles.MCP_2025)
    found = boxed["properties"]["result"]
    assert found == {**exact, "items": {"anyOf": [INTEGER, listed]}}
    assert found["items"]["anyOf"][0] is not found["prefixItems"][0]
    taken = function_to_schema(f, profile=profiles.MCP_2025)["properties"]["row"]
    assert taken == {**exact, "items": STRING}


@pytest.mark.parametrize(
    "profile",
    [each for each in vars(profiles).values() if type(each) is Profile and each.dialect],
    ids=lambda each: each.name,
)
def test_a_dialect_is_for_arguments_and_not_for_outputs(profile):
    """A strict client has to accept a result, and so does its own schema."""

    class Found(TypedDict, total=False):
        counts: dict[str, Any]
        size: int | None

    def find(text: str) -> Found: ...

    profile = profile.replace(outputs=True)
    assert return_to_schema(find, profile=profile, strict=True) == obj(
        [], counts=map_of(True), size=any_of(INTEGER, NULL)
    )
    result = tool_schema(find, profile=profile).result({})
    assert result["structuredContent"] == {}


@dataclass
class Connection(Awaitable["Connection"]):
    url: str

    def __await__(self) -> Generator[Any, Any, "Connection"]:
        yield from ()
        return self


def test_awaiting_an_object_may_give_the_object_itself():
    def connect() -> Connection: ...
    def connect_later() -> Awaitable[Connection]: ...

    schema = {"type": "object", "properties": {"url": STRING}, "required": ["url"]}
    assert return_to_schema(connect) == return_to_schema(connect_later) == schema

    async def reconnect() -> Connection:
        return Connection("a")

    result = asyncio.run(tool_schema(reconnect).call_async())
    assert result["structuredContent"] == {"url": "a"}
