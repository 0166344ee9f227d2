"""Functions of any size, along every axis along which a derivation may grow."""

import math
from collections.abc import Callable, Iterable
from dataclasses import make_dataclass
from enum import Enum
from typing import Any, Literal, NamedTuple, Union

from tests.modules import module_from


class Axis(NamedTuple):
    """An axis of size.

    Attributes:
        make: A function that makes a function, or several, of a size.
        size: A size to begin with.
        fragment: A part of the JSON of a schema.
        times: How often it is there for size 16.
    """

    make: Callable[[int], Any]
    size: int
    fragment: str
    times: int


def function(source: str, **names: Any) -> Any:
    return module_from(source, **names).tool


def parameters(count: int, annotations: tuple[str, ...], body: str = "...") -> Any:
    """A function of so many parameters, which have these annotations in turns."""
    listed = ", ".join(f"p{i}: {annotations[i % len(annotations)]}" for i in range(count))
    return function(f"def tool({listed}):\n    {body}")


def documented_parameters(count: int) -> Any:
    lines = "\n".join(f"        p{i}: What number {i} is for." for i in range(count))
    return parameters(count, ("int",), f'"""Do.\n\n    Args:\n{lines}\n    """')


def one_parameter(annotation: Any, doc: str | None = None) -> Any:
    def tool(x): ...

    tool.__annotations__, tool.__doc__ = {"x": annotation}, doc
    return tool


def nested(depth: int, wrap: Callable[[int, Any], Any]) -> Any:
    """A function whose parameter has an annotation that is wrapped so many times."""
    annotation: Any = int
    for i in range(depth):
        annotation = wrap(i, annotation)
    return one_parameter(annotation)


def nested_classes(depth: int) -> Any:
    return nested(depth, lambda i, inner: dataclass(f"Level{i}", [inner]))


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


def ring(count: int) -> Any:
    return graph(count, lambda i: [(i + 1) % count])


def ring_of_one_name(count: int) -> Any:
    """A ring of classes that are all called alike."""
    tool = ring(count)
    for i in range(count):
        tool.__globals__[f"C{i}"].__qualname__ = "C"
    return tool


def complete(fields: int) -> Any:
    count = math.isqrt(fields)
    return graph(count, lambda _: range(count))


def union(members: Iterable[Any]) -> Any:
    return one_parameter(Union[tuple(members)])


def documented(doc: str) -> Any:
    return one_parameter(int, f"Do it.{doc}")


LINE = "    Some words that nobody will ever read.\n"
ITEM = "        name_{}: A few words about it.\n"
SECTION = "\n\nRaises:\n    ValueError: The number is odd.\n\n    Always."


def tools_sharing_types(count: int) -> Any:
    """So many functions that all take the same five dataclasses."""
    module = module_from("")
    for i in range(5):
        setattr(module, f"C{i}", dataclass(f"C{i}", [str, int, list[str]]))
    listed = ", ".join(f"p{i}: C{i}" for i in range(5))
    source = "".join(f"def tool_{i}({listed}): ...\n" for i in range(count))
    exec(source, vars(module))
    return [getattr(module, f"tool_{i}") for i in range(count)]


ARRAY, FIELD, NUMBER = '"type": "array"', '"f0": ', '"type": "integer"'
AXES = {
    "parameters": Axis(lambda n: parameters(n, ("str", "int")), 4, NUMBER, 8),
    "parameters as strings": Axis(lambda n: parameters(n, ("'list[int] | None'",)), 4, ARRAY, 16),
    "parameters and their docs": Axis(documented_parameters, 4, '"description": "What number ', 16),
    "nested lists": Axis(lambda n: nested(n, lambda _, inner: list[inner]), 4, ARRAY, 16),
    "nested lists in a string": Axis(lambda n: one_parameter("list[" * n + "int" + "]" * n),
          4, ARRAY, 16),
    "nested lists or None": Axis(lambda n: nested(n, lambda _, inner: list[inner] | None),
          4, ARRAY, 16),
    "nested dataclasses": Axis(nested_classes, 4, FIELD, 16),
    "graph: chain": Axis(lambda n: graph(n, lambda i: [i + 1]), 15, FIELD, 16),
    "graph: ring": Axis(ring, 15, FIELD, 16),
    "graph: tree": Axis(lambda n: graph(n, lambda i: [2 * i + 1, 2 * i + 2]), 15, FIELD, 16),
    # each class twice in the one before: twice as many paths with every class
    "graph: diamonds": Axis(lambda n: graph(n, lambda i: [i + 1, i + 1]), 15, FIELD, 16),
    "graph: 8 neighbours": Axis(
          lambda n: graph(n, lambda i: [(i * 7 + step) % n for step in range(1, 9)]),
          15, FIELD, 16),
    "graph: complete, by fields": Axis(complete, 64, '"f4": ', 4),
    "graph: ring of one name": Axis(ring_of_one_name, 15, FIELD, 16),
    "dataclasses that inherit": Axis(inherited_classes, 4, '"f15": ', 1),
    "TypedDicts that inherit": Axis(inherited_typed_dicts, 4, '"f16": ', 1),
    "fields of a dataclass": Axis(lambda n: one_parameter(dataclass("Wide", [int] * n)),
          4, NUMBER, 16),
    "Literal of numbers": Axis(lambda n: one_parameter(Literal[*range(n)]), 156,
          f"[{', '.join(map(str, range(16)))}]", 1),
    "Literal of texts": Axis(lambda n: one_parameter(Literal[*(f"value {i}" for i in range(n))]),
          156, '"value ', 16),
    "members of an Enum": Axis(
          lambda n: one_parameter(Enum("Member", [(f"M{i}", f"value {i}") for i in range(n)])),
          156, '"value ', 16),
    "union of lists": Axis(lambda n: union(list[Literal[i]] for i in range(n)), 4, ARRAY, 16),
    "union of dataclasses": Axis(
          lambda n: union(dataclass(f"Case{i}", [Literal[i]]) for i in range(n)), 4, FIELD, 16),
    "docstring: prose": Axis(lambda n: documented("\n\n" + LINE * (n // 42)), 15_625, NUMBER, 1),
    "docstring: items": Axis(
          lambda n: documented("\n\n    Args:\n        x: The number.\n"
              + "".join(map(ITEM.format, range(n // 40)))),
          15_625, '"description": "The number."', 1),
    "docstring: sections": Axis(lambda n: documented(SECTION * (n // len(SECTION))),
          15_625, NUMBER, 1),
    "tools sharing types": Axis(tools_sharing_types, 4, '"f2": ', 5 * 16),
}  # fmt: skip
