"""What a call costs grows with the size of its JSON, and no faster, over random recursive types.

Costs are bytecode instructions: the same in every run and under every load.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any, TypedDict, Union

import pydantic
import pytest

from milo_schema import SchemaError, profiles, tool_schema, type_to_schema
from milo_schema.arguments import ArgumentsError
from tests.inside import is_valid, iter_errors
from tests.instructions import instructions
from tests.test_shapes import Shape

MCP = profiles.MCP
SIZES = (12, 24, 48)
"""How deep and how wide a value is: each twice as much as the one before."""
FASTER = 1.3
"""The allowed growth of the cost of one more part of a value; 2 is quadratic."""
WRONG: Any = {"zz": [{}]}
"""A value that few schemas accept."""


class Growing:
    """Values of a schema, as deep or as wide as they are asked for."""

    def __init__(self, root: dict[str, Any], seed: int) -> None:
        self.root, self.seed = root, seed

    def resolve(self, schema: Any) -> Any:
        while "$ref" in schema:
            reference: str = schema["$ref"]
            name = reference.rpartition("/")[2]
            schema = self.root if reference == "#" else self.root["$defs"][name]
        return schema

    def height(self, schema: Any, inside: tuple[Any, ...] = ()) -> float:
        """How deep the smallest value is; infinite if it has no end."""
        if "$ref" in schema:
            if schema["$ref"] in inside:
                return math.inf
            inside = (*inside, schema["$ref"])
        schema = self.resolve(schema)
        if "anyOf" in schema:
            return min(self.height(branch, inside) for branch in schema["anyOf"])
        needed = [schema["properties"][name] for name in schema.get("required", ())]
        needed += schema.get("prefixItems", ())
        return 1 + max((self.height(part, inside) for part in needed), default=0)

    def ends(self, schema: Any) -> bool:
        return not math.isinf(self.height(schema))

    def is_recursive(self, schema: Any) -> bool:
        """Whether a value can be as deep as one likes."""
        found, todo = set(), [schema]
        while todo:
            part = todo.pop()
            if "$ref" in part and part["$ref"] in found:
                return True
            found.add(part.get("$ref"))
            todo += _parts(self.resolve(part))
        return False

    def value(self, schema: Any, depth: int, width: int) -> Any:
        """A value with one part that is *depth* deep; its first array or map has *width* parts."""
        schema = self.resolve(schema)
        if "anyOf" in schema:
            return self.value(self.branch(schema["anyOf"], depth), depth, width)
        if "enum" in schema or "const" in schema:
            return schema.get("const", schema.get("enum", [None])[0])
        kind = schema.get("type")
        if kind == "array":
            return self.array(schema, depth, width)
        if kind == "object":
            return self.object(schema, depth, width)
        return {"string": "a", "integer": 1, "number": 1.5, "boolean": True}.get(str(kind))

    def branch(self, branches: list[Any], depth: int) -> Any:
        """A branch of a union: deep ones in turn, and then one of the smallest."""
        deep = [each for each in branches if self.is_recursive(each) and self.ends(each)]
        if depth > 0 and deep:
            return deep[(depth + self.seed) % len(deep)]
        return min(branches, key=self.height)

    def array(self, schema: Any, depth: int, width: int) -> list[Any]:
        parts = schema.get("prefixItems", [])
        if not parts and "items" in schema and self.ends(schema["items"]):
            parts = [schema["items"]] * max(width, depth > 0)
            width = 0
        return [self.value(part, left, width) for part, left in self.shared(parts, depth)]

    def object(self, schema: Any, depth: int, width: int) -> dict[str, Any]:
        properties, more = schema.get("properties", {}), schema.get("additionalProperties", False)
        names = schema.get("required", [])
        if depth > 0:
            names = [name for name in properties if self.ends(properties[name])]
        parts = {name: properties[name] for name in names}
        if type(more) is dict and self.ends(more):
            parts.update({f"k{at}": more for at in range(max(width, depth > 0))})
            width = 0
        shared = self.shared([*parts.values()], depth)
        return {
            name: self.value(part, left, width)
            for name, (part, left) in zip(parts, shared, strict=True)
        }

    def shared(self, parts: list[Any], depth: int) -> Iterator[tuple[Any, int]]:
        """Each part with how deep it is to be: only one is deep, or a value would be a tree."""
        deep = [self.is_recursive(part) for part in parts]
        last = len(deep) - 1 - deep[::-1].index(True) if True in deep else -1
        return ((part, depth - 1 if at == last else 0) for at, part in enumerate(parts))


def _parts(schema: dict[str, Any]) -> list[Any]:
    """The subschemas right below."""
    found = [schema[name] for name in ("items", "additionalProperties") if name in schema]
    found += [*schema.get("properties", {}).values(), *schema.get("prefixItems", [])]
    return [part for part in [*found, *schema.get("anyOf", [])] if type(part) is dict]


def size_of(value: Any) -> int:
    """How many parts a value has."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(size_of(part) for part in parts)


def broken(value: Any) -> Any:
    """The same value with its deepest part replaced."""
    if isinstance(value, dict) and value:
        name = max(value, key=lambda name: size_of(value[name]))
        return {**value, name: broken(value[name])}
    if isinstance(value, list) and value:
        at = max(range(len(value)), key=lambda at: size_of(value[at]))
        return [*value[:at], broken(value[at]), *value[at + 1 :]]
    return WRONG


def growth(cost: Callable[[Any], object], values: list[Any]) -> float:
    """How much more one part costs in the largest value than in the one half as large.

    What does not depend on the size hides the growth of the mean; parts of several kinds disturb
    that of the last half. So the smaller one of both counts.
    """
    costs, sizes = [], [size_of(value) for value in values]
    for value in values:
        cost(value)  # what is prepared once is not a cost of the value
        costs.append(instructions(lambda: cost(value)))  # noqa: B023 - it runs at once
    early = (costs[1] - costs[0]) / (sizes[1] - sizes[0])
    late = (costs[2] - costs[1]) / (sizes[2] - sizes[1])
    of_mean = (costs[2] / sizes[2]) / (costs[1] / sizes[1])
    return min(late / max(early, 1), of_mean)


def of_shape(seed: int) -> Iterator[tuple[str, float]]:
    """The growth for each type of a shape, of valid and of invalid values."""
    shape = Shape(seed)
    names = vars(shape.module)
    try:
        for name in shape.names:
            try:
                schema = type_to_schema(names[name], profile=MCP, strict=True, localns=names)
            except SchemaError:
                continue
            growing = Growing(schema, seed)
            if not growing.ends(schema):
                continue
            deep = [growing.value(schema, size, 0) for size in SIZES]
            wide = [growing.value(schema, 1, size) for size in SIZES]
            for kind, values in (("deep", deep), ("wide", wide)):
                if size_of(values[0]) < size_of(values[1]) < size_of(values[2]):
                    case = f"{kind} {name} of shape {seed}"
                    yield from of_values(values, schema, names[name], names, case)
    finally:
        shape.close()


def of_values(
    values: list[Any], schema: Any, annotation: Any, names: dict[str, Any], case: str
) -> Iterator[tuple[str, float]]:
    """The growth of each operation on some values, and on the same values with a wrong part."""

    def echo(x):
        return x

    echo.__annotations__ = {"x": annotation, "return": annotation}
    tool = tool_schema(echo, profile=MCP, localns=names)
    assert [is_valid(value, schema) for value in values] == [True] * len(values), case
    operations: dict[str, Callable[[Any], object]] = {
        "call": lambda value: tool.call({"x": value}),
        "repair": lambda value: tool.call({"x": value}, repair=True),
        "validate": lambda value: is_valid(value, schema),
        "list the errors of": lambda value: [*iter_errors(value, schema)],
    }
    wrong = [broken(value) for value in values]
    for name, operation in operations.items():
        yield f"{name} {case}", growth(operation, values)
        if not any(is_valid(value, schema) for value in wrong):
            yield f"{name} wrong {case}", growth(operation, wrong)


def worst(seeds: range) -> tuple[int, list[tuple[str, float]]]:
    """How many growths were measured, and those that are too fast."""
    found = [each for seed in seeds for each in of_shape(seed)]
    return len(found), [each for each in found if each[1] > FASTER]


def test_a_call_costs_in_proportion_to_the_size_of_its_json():
    measured, too_fast = worst(range(4))
    assert measured >= 25
    assert too_fast == []


@pytest.mark.long
@pytest.mark.parametrize("start", [4, 1000])
def test_calls_of_many_shapes_cost_in_proportion_to_the_size_of_their_json(start):
    measured, too_fast = worst(range(start, start + 30))
    assert measured >= 200
    assert too_fast == []


# -- unions in unions --------------------------------------------------------------------------
#
# Each member of a union may ask the unions inside again, so their number doubles with each level.


def typed_dicts(at: int, inner: Any) -> list[Any]:
    return [TypedDict(f"{name}{at}", {"x": inner}) for name in "AB"]  # type: ignore[operator]


def dataclasses_of(at: int, inner: Any) -> list[Any]:
    return [dataclasses.make_dataclass(f"{name}{at}", [("x", inner)]) for name in "AB"]


def models(at: int, inner: Any) -> list[Any]:
    return [pydantic.create_model(f"{name}{at}", x=(inner, ...)) for name in "AB"]


class Left(pydantic.BaseModel):
    x: "Left | Right | int"


class Right(pydantic.BaseModel):
    x: "Left | Right | int"


KINDS: dict[str, Callable[[int, Any], list[Any]]] = {
    "TypedDicts": typed_dicts,
    "dataclasses": dataclasses_of,
    "models": models,
    "recursive models": lambda _at, _inner: [Left, Right],
}


def chain(kind: str, depth: int) -> tuple[Any, Any, Any]:
    """A union of records of unions, a value as JSON, and one with a wrong scalar inside."""
    annotation: Any = int
    json, wrong = (1, "x")  # type: Any, Any
    for at in range(depth):
        first, second = KINDS[kind](at, annotation)
        annotation = first | second if kind != "TypedDicts" else Union[first, second]
        json, wrong = {"x": json}, {"x": wrong}
    return annotation, json, wrong


def costs(kind: str, depth: int) -> list[int]:
    """The instructions to read and to write a value, and a wrong one."""
    annotation, json, wrong = chain(kind, depth)

    def act(x: Any) -> Any: ...

    act.__annotations__.update({"x": annotation, "return": annotation})
    tool = tool_schema(act)

    def read(value: Any) -> Any:
        return tool.bind({"x": value}).kwargs["x"]

    def refused(call: Callable[[Any], Any]) -> None:
        with pytest.raises((ArgumentsError, SchemaError)):
            call(wrong)

    value = read(json)
    assert tool.result(value)["structuredContent"] == json
    assert tool.result(json)["structuredContent"] == json
    refused(read)
    refused(tool.result)
    calls: list[Callable[[], object]] = [
        lambda: read(json),
        lambda: tool.result(value),
        lambda: tool.result(json),
        lambda: refused(read),
        lambda: refused(tool.result),
    ]
    return [instructions(each) for each in calls]


DEPTHS = dict.fromkeys(KINDS, (8, 16, 32, 64)) | {"models": (12, 20)}
"""The depths of each kind; for more models, pydantic needs too much of Python's stack."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_unions_in_unions_cost_no_more_than_their_depth(kind):
    found = [costs(kind, depth) for depth in DEPTHS[kind]]
    for smaller, larger in itertools.pairwise(found):
        growth = [after / before for before, after in zip(smaller, larger, strict=True)]
        assert max(growth) < 2.7, found
