"""Limits of size, and where a schema exceeds them."""

from __future__ import annotations

from itertools import chain

from milo_schema.annotations import Any, Callable, Fragment, Iterable, Iterator
from milo_schema.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.dialects.consumers import Dialect
else:
    Dialect = Any

Report = Callable[[str, str], None]
Measure = Callable[[Fragment, int], int]
Node = tuple[str, int, Fragment]


class Limit(Frozen):
    """A limit of a consumer.

    Attributes:
        what: What is counted.
        most: The highest number that is allowed.
        measure: Counts it in a node, given the number of objects around it, including itself.
        scope: Which nodes count together: ``"node"``, each alone; ``"part"``, those of the root,
            and those of each definition; ``"schema"``, all of them; or ``"request"``, those of the
            roots of all tools in a request.
    """

    what: str
    most: int
    measure: Measure
    scope: str = "schema"


def check_limits(schema: Fragment, dialect: Dialect, report: Report) -> None:
    """Report the place where each limit is exceeded."""
    for limit in dialect.limits:
        for group in _groups(schema, limit.scope):
            if (path := _over(group, limit)) is not None:
                reason = f"{dialect.name} allows at most {limit.most} {limit.what}"
                report(path, f"{reason}; simplify the type")
                break


def _over(group: Iterable[Node], limit: Limit) -> str | None:
    """The place of the first node that exceeds a limit, counting the nodes before it."""
    total = 0
    for path, depth, node in group:
        total += limit.measure(node, depth)
        if total > limit.most:
            return path
    return None


def over_limits(schemas: Iterable[Fragment], dialect: Dialect) -> Iterator[tuple[int, Limit]]:
    """The positions of schemas that exceed a limit of the request, with the limit."""
    limits = [limit for limit in dialect.limits if limit.scope == "request"]
    totals = [0] * len(limits)
    for at, schema in enumerate(schemas):
        sums = [total + _size(schema, each) for total, each in zip(totals, limits, strict=True)]
        over = [each for total, each in zip(sums, limits, strict=True) if total > each.most]
        if over:
            yield at, over[0]
        else:
            totals = sums


def _size(schema: Fragment, limit: Limit) -> int:
    (group,) = _groups(schema, limit.scope)
    return sum(limit.measure(node, depth) for _, depth, node in group)


def _groups(schema: Fragment, scope: str) -> list[Iterable[Node]]:
    """The groups of nodes that count together."""
    bodies = {"": schema} | {f"#{name}": body for name, body in schema.get("$defs", {}).items()}
    parts: list[Iterable[Node]] = [_nodes(body, path, 1) for path, body in bodies.items()]
    if scope == "part":
        return parts
    if scope == "request":
        return parts[:1]
    every = chain.from_iterable(parts)
    return [every] if scope == "schema" else [[node] for node in every]


def _nodes(node: Fragment, path: str, depth: int) -> Iterator[Node]:
    """Each subschema with its place and the number of objects around it, including itself."""
    yield path, depth, node
    inner = depth + (node.get("type") == "object")
    for name, subschema in node.get("properties", {}).items():
        yield from _nodes(subschema, f"{path}.{name}", inner)
    for branch in node.get("anyOf", ()):
        yield from _nodes(branch, path, depth)
    if "items" in node:
        yield from _nodes(node["items"], f"{path}[]", depth)


# -- measures ----------------------------------------------------------------------------------


def optional_properties(node: Fragment, _depth: int) -> int:
    """The number of optional properties of an object."""
    return len(node.get("properties", ())) - len(node.get("required", ()))


def union_properties(node: Fragment, _depth: int) -> int:
    """The number of properties of an object that are unions."""
    every = node.get("properties", {}).values()
    return sum("anyOf" in each or type(each.get("type")) is list for each in every)


def object_levels(node: Fragment, depth: int) -> int:
    """The number of objects around an object, including itself."""
    return depth if node.get("type") == "object" else 0


def enum_characters(node: Fragment, _depth: int) -> int:
    """The number of characters in an enum with many values."""
    enum = node.get("enum", ())
    return sum(len(str(value)) for value in enum) if len(enum) > _MANY else 0


def all_characters(node: Fragment, _depth: int) -> int:
    """The number of characters in names and enums."""
    values = [value for value in node.get("enum", ()) if type(value) is str]
    return sum(map(len, [*node.get("properties", ()), *node.get("$defs", ()), *values]))


_MANY = 250
