"""Objects that lie, raise or never end give a schema or a `SchemaError` with a path."""

import dataclasses
import functools
import inspect
import itertools
import sys
import zlib
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Generic, NewType, Union

import pytest
import typing_extensions

from milo_schema import (
    Profile,
    SchemaError,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from tests.every import every
from tests.inside import Definitions, reader, values
from tests.tools.fuzz import objects
from tests.tools.fuzz.judge import Derivation, judged

lenient_or_strict = every("strict", [False, True])


@pytest.fixture(autouse=True)
def _little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let objects with shared parts reach the limit soon; the limit has its own test."""
    monkeypatch.setattr(values, "MAX_PARTS", 2_000)


def holds(derive: Callable[[], Any]) -> None:
    """Hold that *derive* gives a valid schema, or raises a `SchemaError` that names its place."""
    assert judged(Derivation("it", derive)).faults == []


PROFILES = (profiles.MILO, profiles.MCP, profiles.OPENMCP, profiles.PORTABLE)


@lenient_or_strict
@pytest.mark.parametrize("name", objects.ANNOTATIONS)
def test_any_annotation(name, strict):
    """Under two profiles in default mode, and under the two others in strict mode."""
    first = (zlib.crc32(name.encode()) + strict) % 2  # the same, whatever other objects there are
    any_annotation(name, PROFILES[first::2], strict=strict)


@pytest.mark.long
@lenient_or_strict
@every("name", objects.ANNOTATIONS)
def test_any_annotation_under_every_profile(name, strict):
    any_annotation(name, PROFILES, strict=strict)


def any_annotation(name: str, under: Iterable[Profile], *, strict: bool) -> None:
    annotation = objects.ANNOTATIONS[name]

    def command(x, y=annotation): ...

    command.__annotations__ = {"x": annotation, "return": annotation}
    for profile in under:
        how: dict[str, Any] = {"strict": strict, "profile": profile}
        holds(lambda: type_to_schema(annotation, **how))  # noqa: B023
        holds(lambda: function_to_schema(command, **how))  # noqa: B023
        holds(lambda: return_to_schema(command, **how))  # noqa: B023
    holds(lambda: function_to_schema(command, strict=strict, exclude=[int]))


@lenient_or_strict
@every("name", objects.ANNOTATIONS)
def test_any_annotation_inside_others(name, strict):
    annotation = objects.ANNOTATIONS[name]
    for origin in (list, tuple, Union, Annotated, Generic):
        nested = objects.alias(origin, int, objects.alias(list, annotation))
        holds(lambda: type_to_schema(nested, strict=strict))  # noqa: B023
        nested = objects.alias(origin, annotation)
        holds(lambda: type_to_schema(nested, strict=strict))  # noqa: B023


@lenient_or_strict
@every("name", objects.ANNOTATIONS)
def test_any_annotation_as_a_function(name, strict):
    func = objects.ANNOTATIONS[name]
    holds(lambda: function_to_schema(func, strict=strict))
    holds(lambda: return_to_schema(func, strict=strict))


@lenient_or_strict
@every("name", objects.CALLABLES)
def test_any_callable(name, strict):
    func = objects.CALLABLES[name]
    holds(lambda: function_to_schema(func, strict=strict))
    holds(lambda: return_to_schema(func, strict=strict))
    holds(lambda: tool_schema(func, name="x", strict=strict).to_mcp())


@dataclasses.dataclass
class Box(Generic[objects.T]):
    x: objects.T


@dataclasses.dataclass
class Growing(Generic[objects.T]):
    """Contains ever larger forms of itself: three of them each time."""

    a: "Growing[list[objects.T]] | None"
    b: "Growing[set[objects.T]] | None"
    c: "Growing[tuple[objects.T]] | None"


LIST = typing_extensions.TypeAliasType("LIST", list[objects.T], type_params=(objects.T,))
ENDLESS = {
    "positions": objects.pairs(60, int),
    "positions in the argument of a record": objects.alias(Box, objects.pairs(60, int)),
    "positions in the argument of an alias": objects.alias(LIST, objects.pairs(60, int)),
    "callables in callables": objects.callables(60, int),
    "forms of itself": Growing[int],
}


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@pytest.mark.parametrize("name", ENDLESS)
def test_a_small_type_with_an_enormous_schema_ends(name, strict, monkeypatch):
    monkeypatch.setattr(reader, "MAX_SUBSCHEMAS", 500)
    annotation = ENDLESS[name]
    told = profiles.MILO.with_types({complex: {"type": "string"}, list[str]: {"type": "array"}})
    for profile in (profiles.MILO, profiles.MCP, told):
        holds(lambda: type_to_schema(annotation, strict=strict, profile=profile))  # noqa: B023


@dataclasses.dataclass
class Leaf:
    x: int = 1


def lists(leaf: Any) -> Any:
    """A list of a list of a list: deep as soon as it is walked."""
    for _ in range(100):
        leaf = list[leaf]
    return leaf


def chain() -> Any:
    """A record with a record with a record: deep when each is written in its place."""
    made: Any = int
    for at in range(60):
        made = dataclasses.make_dataclass(f"Link{at}", [("next", made)])
    return made


TOO_DEEP = "nested too deeply for the space left on Python's stack"


@pytest.mark.parametrize(
    ("tp", "outcomes"),
    [
        pytest.param(lists(int), {TOO_DEEP, dict}, id="list"),
        pytest.param(lists(Leaf), {TOO_DEEP, dict}, id="records"),
        pytest.param(chain(), {TOO_DEEP, dict}, id="chain"),
    ],
)
def test_a_caller_deep_in_the_stack_gets_a_schema_or_a_clear_error(tp, outcomes):
    def dive(depth: int) -> Any:
        return type_to_schema(tp) if depth == 0 else dive(depth - 1)

    used = len(inspect.stack())
    found: set[Any] = set()
    for spare in range(60, 500, 5):
        try:
            found.add(type(dive(sys.getrecursionlimit() - used - spare)))
        except SchemaError as error:
            found.add(error.message)
    assert found == outcomes


def test_a_caller_with_hardly_any_stack_left_gets_the_same_error():
    def dive(depth: int) -> Any:
        return type_to_schema(nested) if depth == 0 else dive(depth - 1)

    nested: Any = int
    for _ in range(20):
        nested = list[nested]
    used = len(inspect.stack())
    found: list[Any] = []
    for spare in range(120):
        try:
            found.append(dive(sys.getrecursionlimit() - used - spare))
        except SchemaError as error:
            found.append((error.message, error.path))
        except RecursionError:  # there is not even room for the call
            found.append(RecursionError)
    schema = type_to_schema(nested)
    outcomes = [outcome for outcome, _ in itertools.groupby(found)]
    assert outcomes[0] is RecursionError
    assert outcomes[-1] == schema
    assert {reason for reason, _ in outcomes[1:-1]} == {TOO_DEEP}


def test_a_stack_that_ends_while_references_are_settled_gives_the_same_error(monkeypatch):
    def finish(*_: Any, **__: Any) -> Any:
        raise RecursionError

    monkeypatch.setattr(Definitions, "finish", finish)
    with pytest.raises(SchemaError) as caught:
        type_to_schema(list[Leaf])
    assert (caught.value.message, caught.value.path) == (TOO_DEEP, "list[Leaf]")
    assert caught.value.code == "limit"


def test_a_partial_that_cannot_be_called_is_not_shown_with_its_arguments():
    def command(a: int): ...

    with pytest.raises(SchemaError) as caught:
        function_to_schema(functools.partial(command, b=objects.doubled()))  # type: ignore[call-arg]
    reason = "its signature cannot be read: got an unexpected keyword argument 'b'"
    assert caught.value.message == reason


def test_a_new_type_is_shown_without_its_module():
    Made = NewType("Made", complex)
    Made.__module__ = objects.DeceitfulString("x")
    with pytest.raises(SchemaError) as caught:
        type_to_schema(list[Made], strict=True)
    assert caught.value.message.startswith("no JSON Schema for complex; ")
