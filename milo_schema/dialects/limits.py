"""How much of something a consumer takes, and where a schema has more."""

from __future__ import annotations

from typing import Any, NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from milo_schema.dialects.consumers import Dialect

    Fragment = dict[str, Any]
    Report = Callable[[str, str], None]
    Measure = Callable[[Fragment, int], int]


class Limit(NamedTuple):
    """How much of something a consumer takes: in one node, or in all of them together.

    Attributes:
        what: What is counted.
        most: How much of it may be there.
        measure: Counts it in a node, which lies in a number of objects, itself included.
        in_total: Whether all nodes count together.
        in_request: Whether all tools of a request count together, and definitions do not count.
    """

    what: str
    most: int
    measure: Measure
    in_total: bool = True
    in_request: bool = False


def check_limits(schema: Fragment, dialect: Dialect, report: Report) -> None:
    """Report the place where each limit is passed."""
    for limit in dialect.limits:
        total = 0
        for path, depth, node in _counted(schema, limit):
            here = limit.measure(node, depth)
            total = total + here if limit.in_total else here
            if total > limit.most:
                reason = f"{dialect.name} takes at most {limit.most} {limit.what}; say less"
                report(path, reason)
                break


def over_limits(schemas: Iterable[Fragment], dialect: Dialect) -> Iterator[tuple[int, Limit]]:
    """The positions of schemas that a request has no room for after those before, and why."""
    limits = [limit for limit in dialect.limits if limit.in_request]
    totals = [0] * len(limits)
    for at, schema in enumerate(schemas):
        sums = [total + _size(schema, each) for total, each in zip(totals, limits, strict=True)]
        over = [each for total, each in zip(sums, limits, strict=True) if total > each.most]
        if over:
            yield at, over[0]
        else:
            totals = sums


def _size(schema: Fragment, limit: Limit) -> int:
    return sum(limit.measure(node, depth) for _, depth, node in _counted(schema, limit))


def _counted(schema: Fragment, limit: Limit) -> Iterator[tuple[str, int, Fragment]]:
    """``_nodes()`` of the part of a schema that counts."""
    if limit.in_request:
        schema = {key: value for key, value in schema.items() if key != "$defs"}
    return _nodes(schema, "", 1)


def _nodes(node: Fragment, path: str, depth: int) -> Iterator[tuple[str, int, Fragment]]:
    """Each subschema with its place and the number of objects around it, itself included."""
    yield path, depth, node
    inner = depth + (node.get("type") == "object")
    for name, subschema in node.get("properties", {}).items():
        yield from _nodes(subschema, f"{path}.{name}", inner)
    for branch in node.get("anyOf", ()):
        yield from _nodes(branch, path, depth)
    if "items" in node:
        yield from _nodes(node["items"], f"{path}[]", depth)
    for name, body in node.get("$defs", {}).items():
        yield from _nodes(body, f"{path}#{name}", 1)


# -- measures ----------------------------------------------------------------------------------


def optional_properties(node: Fragment, _depth: int) -> int:
    """The properties of an object that may be left out."""
    return len(node.get("properties", ())) - len(node.get("required", ()))


def union_properties(node: Fragment, _depth: int) -> int:
    """The properties of an object whose own schemas are unions."""
    every = node.get("properties", {}).values()
    return sum("anyOf" in each or type(each.get("type")) is list for each in every)


def object_levels(node: Fragment, depth: int) -> int:
    """How many objects an object lies in, itself included."""
    return depth if node.get("type") == "object" else 0


def enum_characters(node: Fragment, _depth: int) -> int:
    """The characters of an enum that has many values."""
    enum = node.get("enum", ())
    return sum(len(str(value)) for value in enum) if len(enum) > _MANY else 0


def all_characters(node: Fragment, _depth: int) -> int:
    """The characters of names and of enums."""
    values = [value for value in node.get("enum", ()) if type(value) is str]
    return sum(map(len, [*node.get("properties", ()), *node.get("$defs", ()), *values]))


_MANY = 250
