"""Functions of any size, along every axis along which a derivation may grow."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import make_dataclass
from enum import Enum
from typing import Any, Literal, NamedTuple, Union

from tests.modules import module_from


class Axis(NamedTuple):
    """An axis of size: a function that makes functions of a size, and the sizes.

    The sizes are the least, a quarter of the most, and the most.
    """

    make: Callable[[int], Any]
    sizes: tuple[int, int, int]


def function(source: str, **names: Any) -> Any:
    return module_from(source, **names).tool


def parameters(count: int) -> Any:
    listed = ", ".join(f"p{i}: {'int' if i % 2 else 'str'}" for i in range(count))
    return function(f"def tool({listed}): ...")


def string_parameters(count: int) -> Any:
    listed = ", ".join(f"p{i}: 'list[int] | None'" for i in range(count))
    return function(f"def tool({listed}): ...")


def documented_parameters(count: int) -> Any:
    listed = ", ".join(f"p{i}: int" for i in range(count))
    lines = "\n".join(f"        p{i}: What number {i} is for." for i in range(count))
    return function(f'def tool({listed}):\n    """Do.\n\n    Args:\n{lines}\n    """')


def one_parameter(annotation: Any) -> Any:
    def tool(x): ...

    tool.__annotations__ = {"x": annotation}
    return tool


def nested_lists(depth: int) -> Any:
    annotation: Any = int
    for _ in range(depth):
        annotation = list[annotation]
    return one_parameter(annotation)


def nested_unions(depth: int) -> Any:
    annotation: Any = int
    for _ in range(depth):
        annotation = list[annotation] | None
    return one_parameter(annotation)


def nested_string(depth: int) -> Any:
    return one_parameter("list[" * depth + "int" + "]" * depth)


def nested_classes(depth: int) -> Any:
    annotation: Any = int
    for i in range(depth):
        annotation = dataclass(f"Level{i}", [annotation])
    return one_parameter(annotation)


def dataclass(name: str, annotations: Iterable[Any]) -> Any:
    fields = [(f"f{i}", annotation) for i, annotation in enumerate(annotations)]
    return make_dataclass(name, fields, init=False, repr=False, eq=False)


def inherited_classes(depth: int) -> Any:
    cls: Any = object
    for i in range(depth):
        fields = [(f"f{i}", int)]
        cls = make_dataclass(f"Level{i}", fields, bases=(cls,), init=False, repr=False, eq=False)
    return one_parameter(cls)


def inherited_typed_dicts(depth: int) -> Any:
    classes = [f"class T{i}(T{i - 1}):\n    f{i}: int\n" for i in range(1, depth + 1)]
    head = "from typing import TypedDict\nclass T0(TypedDict): ...\n"
    return function(f"{head}{''.join(classes)}def tool(x: T{depth}): ...")


def graph(count: int, neighbours: Callable[[int], Iterable[int]]) -> Any:
    """A function of the first of so many dataclasses, each referring to some others by name."""
    module = module_from("def tool(x: 'C0'): ...")
    for i in range(count):
        others = [f"C{j}" for j in neighbours(i) if j < count]
        cls = dataclass(f"C{i}", ["str", *others])
        cls.__module__ = module.__name__
        setattr(module, f"C{i}", cls)
    return module.tool


def chain(count: int) -> Any:
    return graph(count, lambda i: [i + 1])


def ring(count: int) -> Any:
    return graph(count, lambda i: [(i + 1) % count])


def tree(count: int) -> Any:
    return graph(count, lambda i: [2 * i + 1, 2 * i + 2])


def diamonds(count: int) -> Any:
    """Each class twice in the one before: twice as many paths with every class."""
    return graph(count, lambda i: [i + 1, i + 1])


def dense(count: int) -> Any:
    return graph(count, lambda i: [(i * 7 + step) % count for step in range(1, 9)])


def complete(fields: int) -> Any:
    count = math.isqrt(fields)
    return graph(count, lambda _: range(count))


def one_name(count: int) -> Any:
    """A ring of classes that are all called alike."""
    tool = ring(count)
    for i in range(count):
        tool.__globals__[f"C{i}"].__qualname__ = "C"
    return tool


def wide_class(count: int) -> Any:
    return one_parameter(dataclass("Wide", [int] * count))


def literal_numbers(count: int) -> Any:
    return one_parameter(Literal[tuple(range(count))])


def literal_texts(count: int) -> Any:
    return one_parameter(Literal[tuple(f"value {i}" for i in range(count))])


def enum_members(count: int) -> Any:
    return one_parameter(Enum("Member", [(f"M{i}", f"value {i}") for i in range(count)]))


def union_of_literals(count: int) -> Any:
    return one_parameter(Union[tuple(list[Literal[i]] for i in range(count))])


def union_of_classes(count: int) -> Any:
    return one_parameter(Union[tuple(dataclass(f"Case{i}", [Literal[i]]) for i in range(count))])


def long_prose(size: int) -> Any:
    tool = one_parameter(int)
    tool.__doc__ = "Do it.\n\n" + "    Some words that nobody will ever read.\n" * (size // 42)
    return tool


def long_list(size: int) -> Any:
    tool = one_parameter(int)
    lines = "".join(f"        name_{i}: A few words about it.\n" for i in range(size // 40))
    tool.__doc__ = f"Do it.\n\n    Args:\n        x: The number.\n{lines}"
    return tool


def many_sections(size: int) -> Any:
    tool = one_parameter(int)
    section = "\n\nRaises:\n    ValueError: The number is odd.\n\n    Always."
    tool.__doc__ = f"Do it.{section * (size // len(section))}"
    return tool


def tools_sharing_types(count: int) -> Any:
    """So many functions that all take the same five dataclasses."""
    module = module_from("")
    for i in range(5):
        setattr(module, f"C{i}", dataclass(f"C{i}", [str, int, list[str]]))
    listed = ", ".join(f"p{i}: C{i}" for i in range(5))
    source = "".join(f"def tool_{i}({listed}): ...\n" for i in range(count))
    exec(source, vars(module))
    return [getattr(module, f"tool_{i}") for i in range(count)]


UP_TO_64 = (1, 16, 64)
UP_TO_256 = (1, 64, 256)
UP_TO_1000 = (1, 250, 1000)
UP_TO_10_000 = (1, 2500, 10_000)
CHARACTERS = (100, 250_000, 1_000_000)
AXES = {
    "parameters": Axis(parameters, UP_TO_256),
    "parameters as strings": Axis(string_parameters, UP_TO_256),
    "parameters and their docs": Axis(documented_parameters, UP_TO_256),
    "nested lists": Axis(nested_lists, UP_TO_64),
    "nested lists in a string": Axis(nested_string, UP_TO_64),
    "nested lists or None": Axis(nested_unions, UP_TO_64),
    "nested dataclasses": Axis(nested_classes, UP_TO_64),
    "graph: chain": Axis(chain, UP_TO_1000),
    "graph: ring": Axis(ring, UP_TO_1000),
    "graph: tree": Axis(tree, UP_TO_1000),
    "graph: diamonds": Axis(diamonds, UP_TO_1000),
    "graph: 8 neighbours": Axis(dense, UP_TO_1000),
    "graph: complete, by fields": Axis(complete, (4, 1024, 4096)),
    "graph: ring of one name": Axis(one_name, UP_TO_1000),
    "dataclasses that inherit": Axis(inherited_classes, UP_TO_64),
    "TypedDicts that inherit": Axis(inherited_typed_dicts, UP_TO_64),
    "fields of a dataclass": Axis(wide_class, UP_TO_256),
    "Literal of numbers": Axis(literal_numbers, UP_TO_10_000),
    "Literal of texts": Axis(literal_texts, UP_TO_10_000),
    "members of an Enum": Axis(enum_members, UP_TO_10_000),
    "union of lists": Axis(union_of_literals, UP_TO_256),
    "union of dataclasses": Axis(union_of_classes, UP_TO_256),
    "docstring: prose": Axis(long_prose, CHARACTERS),
    "docstring: items": Axis(long_list, CHARACTERS),
    "docstring: sections": Axis(many_sections, CHARACTERS),
    "tools sharing types": Axis(tools_sharing_types, UP_TO_256),
}
