"""Random recursive types: whatever has a strict schema can be bound, called and written.

A shape is a few types that refer to each other, by name or by quoted name: aliases, unions,
dataclasses, TypedDicts, NamedTuples and pydantic models.
"""

from __future__ import annotations

import dataclasses
import random
import sys
import types
from typing import Any, Literal, NamedTuple, Optional

import pydantic
import pytest
import typing_extensions as te

from milo_schema import SchemaError, profiles, tool_schema, type_to_schema
from milo_schema.arguments import ArgumentsError, json_to_value
from milo_schema.results import value_to_json
from milo_schema.testing import samples
from tests.inside import is_valid

MCP = profiles.MCP
TYPED_DICT: Any = te.TypedDict  # to call it with names that only run time knows
NAMED_TUPLE: Any = NamedTuple
KINDS = ("alias", "dataclass", "typeddict", "namedtuple", "model", "union")


class Shape:
    """The types of one shape, in a module of their own, so that quoted names are found."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.module = types.ModuleType(f"tests.shape_{seed}")
        vars(self.module).update(
            Optional=Optional, Any=Any, Literal=Literal, dataclasses=dataclasses
        )
        sys.modules[self.module.__name__] = self.module
        self.names = [f"T{at}" for at in range(self.random.randint(2, 5))]
        for name in self.names:
            setattr(self.module, name, self.make(name))
        for made in [*vars(self.module).values()]:  # pydantic adds to them
            if isinstance(made, type) and issubclass(made, pydantic.BaseModel):
                made.model_rebuild(_types_namespace=vars(self.module))

    def close(self) -> None:
        del sys.modules[self.module.__name__]

    def text(self, depth: int = 2) -> str:
        """An annotation, as text."""
        draw = self.random.random()
        if depth == 0 or draw < 0.2:
            return self.random.choice(["int", "str", "bool", "None", "float", "Literal['a',1]"])
        if draw < 0.5:
            return self.random.choice(self.names)
        inner = self.text(depth - 1)
        other = self.text(depth - 1)
        wrapped = f"list[{inner}] dict[str,{inner}] Optional[{inner}] tuple[{inner},...] "
        return self.random.choice(
            f"{wrapped}tuple[{inner},{other}] list[Optional[{inner}]]".split()
        )

    def make(self, name: str) -> Any:
        kind = self.random.choice(KINDS)
        fields = {f"f{at}": self.text() for at in range(self.random.randint(1, 3))}
        options = {"__module__": self.module.__name__}
        found: Any
        if kind == "alias":
            return te.TypeAliasType(name, f"list[{self.text()}] | dict[str, {self.text()}]")
        if kind == "union":
            return te.TypeAliasType(name, f"int | list[{name}] | None")
        if kind == "dataclass":
            return dataclasses.make_dataclass(name, [*fields.items()], namespace=options)
        if kind == "typeddict":
            found = TYPED_DICT(name, fields)
        elif kind == "namedtuple":
            found = NAMED_TUPLE(name, [*fields.items()])
        else:
            return type(name, (pydantic.BaseModel,), {**options, "__annotations__": fields})
        found.__module__ = self.module.__name__
        return found


def prove(seed: int) -> int:
    """Check one shape; return the number of its types that have a strict schema."""
    shape = Shape(seed)
    names = vars(shape.module)
    proven = 0
    try:
        for name in shape.names:
            annotation = names[name]
            try:
                schema = type_to_schema(annotation, profile=MCP, strict=True, localns=names)
            except SchemaError:
                continue
            proven += 1

            def echo(x):
                return x

            echo.__annotations__ = {"x": annotation, "return": annotation}
            tool = tool_schema(echo, profile=MCP, localns=names)
            for sent in some_arguments(echo, names):
                json = sent["x"]
                assert is_valid(json, schema), (seed, name, json)
                value = json_to_value(json, annotation, profile=MCP, localns=names)
                written = value_to_json(value, annotation, profile=MCP, localns=names)
                assert is_valid(written, schema), (seed, name, json, written)
                assert tool.call(sent)["isError"] is False, (seed, name, json)
            for json in (object, 1.5, {"zz": [{}]}, [[[]]], "z", None, True):
                if json is object or is_valid(json, schema):
                    continue
                with pytest.raises(ArgumentsError):
                    json_to_value(json, annotation, profile=MCP, localns=names)
    finally:
        shape.close()
    return proven


def some_arguments(func: Any, names: dict[str, Any]) -> list[Any]:
    """Some valid arguments."""
    try:
        return [each for each, _ in samples(func, count=3, seed=0, profile=MCP, localns=names)]
    except SchemaError:  # no finite value is valid, such as of a record that contains itself
        return []


def test_a_shape_with_a_strict_schema_can_be_bound_and_written():
    assert sum(prove(seed) for seed in range(10)) >= 10


@pytest.mark.long
@pytest.mark.parametrize("start", [10, *range(1000, 1400, 100)])
def test_hundreds_of_shapes_can_be_bound_and_written(start):
    assert sum(prove(seed) for seed in range(start, start + 100)) >= 100
