"""References settled: what is recursive, shared or too large gets a name, the rest its place.

Strategy: the graph of references is known at once, so nothing depends on the order in which it
was walked: what is recursive stays a definition, what is not is put in its place, what two types
would call themselves alike is qualified. Then the symbols become JSON.
"""

from __future__ import annotations

from collections import Counter

from milo_schema.annotations.forms import display, split
from milo_schema.annotations.hints import Name, is_any, is_class, static
from milo_schema.errors import SchemaError
from milo_schema.json_schema import subschemas
from milo_schema.json_schema.keywords import CONSTRAINING, Ref, tighten
from milo_schema.json_schema.unions import simplify
from milo_schema.markers import Marker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping
    from typing import Any

    Fragment = dict[str, Any]
    Edges = dict[Hashable, list[Hashable]]

MAX_INLINE_SIZE = 1_000
"""How many subschemas may stand in one schema because named types were put in their place."""
MAX_INLINE_DEPTH = 64
"""How many named types may stand inside each other; ``json`` and validators recurse."""


def settled(
    root: Fragment,
    bodies: dict[Hashable, Fragment],
    annotations: Mapping[Hashable, Any],
    *,
    inline: bool,
) -> Fragment:
    """*root* as plain JSON, with the ``$defs`` it needs and no other.

    Args:
        root: A fragment that refers to named types.
        bodies: Their fragments.
        annotations: What they are.
        inline: Whether they stand in their places where they can.
    """
    sizes: dict[Hashable, int] = {}
    edges: Edges = {}
    for key, body in bodies.items():
        edges[key], sizes[key] = _survey(body)
    order = list(_components(edges))
    recursive = {key for group in order for key in group if _is_cycle(group, edges)}
    named = recursive if inline else set(edges)
    inner_first = [key for group in order for key in group]
    named |= _too_large(_survey(root), edges, sizes, inner_first, named)
    while type(ref := root.get("$ref")) is Ref:  # the root is never a bare $ref
        root = merged(bodies[ref.key], root)
    if not named:
        return _Emitter(bodies, {}).plain(root)
    used = _used(root, named, edges)
    emitter = _Emitter(bodies, names_of([(key, annotations[key]) for key in used]))
    result = emitter.plain(root)
    if used:
        result["$defs"] = {
            emitter.names[key]: emitter.plain(bodies[key])
            for key in sorted(used, key=emitter.names.__getitem__)
        }
    return result


def refuse_empty_cycle(
    start: Hashable, bodies: Mapping[Hashable, Fragment], annotations: Mapping[Hashable, Any]
) -> None:
    """``type A = A | None``: no value ever ends it, and a validator would not either."""
    todo, seen = [start], {start}
    while todo:
        for key in _direct(bodies.get(todo.pop(), {})):
            if key == start:
                name = display(annotations[key])
                reason = "stands for itself; put a container between the two"
                raise SchemaError(reason, name, annotations[key])
            if key not in seen:
                seen.add(key)
                todo.append(key)


class _Emitter:
    """Symbols become JSON; every dict and list of the result is new."""

    def __init__(self, bodies: dict[Hashable, Fragment], names: dict[Hashable, str]) -> None:
        self.bodies = bodies
        self.names = names

    def plain(self, node: Fragment) -> Fragment:
        if type(ref := node.get("$ref")) is Ref:
            if ref.key not in self.names:
                return self.plain(merged(self.bodies[ref.key], node))
            node = self._reference(ref.key, node)
        fragment = subschemas.rebuild(node, self.plain)
        # What is put in the place of a reference may be a union, or like another member.
        may_be_simpler = any("$ref" in arm or "anyOf" in arm for arm in node.get("anyOf", ()))
        return simplify(fragment) if may_be_simpler else fragment

    def _reference(self, key: Hashable, node: Fragment) -> Fragment:
        reference = {"$ref": f"#/$defs/{self.names[key]}"}
        siblings = {keyword: value for keyword, value in node.items() if keyword != "$ref"}
        # A $ref has no siblings: OpenAI and Gemini refuse them, Anthropic drops them.
        return {"anyOf": [reference], **siblings} if siblings else reference


def merged(body: Fragment, node: Fragment) -> Fragment:
    """*body* in the place of a reference, with what the reference says besides."""
    both = dict(body)
    for keyword, value in node.items():
        if keyword == "allOf":
            both[keyword] = [*both.get(keyword, ()), *value]
        elif keyword in CONSTRAINING:
            tighten(both, keyword, value)
        elif keyword != "$ref":
            both[keyword] = value
    return both


# -- the graph of references -------------------------------------------------------------------


def _survey(fragment: Fragment) -> tuple[list[Hashable], int]:
    """What *fragment* refers to, as often as it does, in order; and how many schemas it has."""
    references, size = [], 0
    todo = [fragment]
    while todo:
        node = todo.pop()
        size += 1
        if type(ref := node.get("$ref")) is Ref:
            references.append(ref.key)
        todo.extend(reversed(subschemas.subschemas_of(node)))
    return references, size


def _too_large(
    root: tuple[list[Hashable], int],
    edges: Edges,
    sizes: dict[Hashable, int],
    order: list[Hashable],
    named: set[Hashable],
) -> set[Hashable]:
    """The named types that cannot all be put in their places.

    Args:
        root: What the root refers to, and its size.
        edges: What each named type refers to.
        sizes: The size of each, without what it refers to.
        order: The named types, those that are referred to first.
        named: Those that are not put in their places anyway.
    """
    whole: dict[Hashable, int] = {}
    depth: dict[Hashable, int] = {}
    deep = set()
    for key in order:
        inlined = [child for child in edges[key] if child not in named and child not in deep]
        whole[key] = sizes[key] + sum(whole[child] for child in inlined)
        depth[key] = 1 + max((depth[child] for child in inlined), default=0)
        if depth[key] > MAX_INLINE_DEPTH:
            deep.add(key)
    targets, size = root
    written = size + sum(sizes.values())
    if size + sum(whole[key] for key in targets) <= max(MAX_INLINE_SIZE, 4 * written):
        return deep
    uses = Counter([*targets, *(key for children in edges.values() for key in children)])
    return deep | {key for key, count in uses.items() if count > 1}


def _used(root: Fragment, named: set[Hashable], edges: Edges) -> list[Hashable]:
    """The definitions that *root* leads to, in the order in which they are met."""
    used: dict[Hashable, None] = {}
    seen: set[Hashable] = set()
    todo = _survey(root)[0][::-1]
    while todo:
        key = todo.pop()
        if key in seen:
            continue
        seen.add(key)
        if key in named:
            used[key] = None
        todo.extend(edges[key][::-1])
    return list(used)


def _direct(fragment: Fragment) -> Iterator[Hashable]:
    """The keys of which a value of *fragment* is a value itself, not a part."""
    if type(ref := fragment.get("$ref")) is Ref:
        yield ref.key
    for arm in fragment.get("anyOf", ()):
        yield from _direct(arm)


def _components(edges: Edges) -> Iterator[list[Hashable]]:
    """The strongly connected components, those that are referred to first (Tarjan, 1972).

    With a stack of its own: a chain of references may be longer than Python's.
    """
    index: dict[Hashable, int] = {}
    low: dict[Hashable, int] = {}
    path: list[Hashable] = []
    for start in edges:
        stack = [] if start in index else [(start, iter(edges[start]))]
        while stack:
            key, targets = stack[-1]
            if key not in index:
                index[key] = low[key] = len(index)
                path.append(key)
            for target in targets:
                if target not in index:
                    stack.append((target, iter(edges[target])))
                    break
                if target in low:
                    low[key] = min(low[key], low[target])
            else:
                stack.pop()
                if stack:
                    parent = stack[-1][0]
                    low[parent] = min(low[parent], low[key])
                if low[key] == index[key]:
                    yield list(_taken_off(path, key, low))


def _taken_off(path: list[Hashable], key: Hashable, low: dict[Hashable, int]) -> Iterator[Hashable]:
    """The end of the path, from *key* on."""
    while True:
        member = path.pop()
        del low[member]
        yield member
        if member == key:
            return


def _is_cycle(group: list[Hashable], edges: Edges) -> bool:
    return len(group) > 1 or group[0] in edges[group[0]]


# -- identity and names ------------------------------------------------------------------------


def is_foreign(annotation: object) -> bool:
    """Whether a named type is a definition of somebody else's schema."""
    return type(annotation) is Name and type(annotation.origin) is str


def key_of(annotation: Any) -> Hashable:
    """What makes a type one type: the same class, with the same arguments.

    Identity, because equality and hash are somebody's code and may lie; structure, because
    ``Page[int]`` is made anew each time it is written.
    """
    origin, args = split(annotation)
    if origin is not None:
        return (id(origin), *map(key_of, args))
    if type(annotation) is Name:
        return annotation.label, key_of(annotation.origin)
    if is_any(type(annotation), _PLAIN):  # in a Literal
        return type(annotation), annotation
    if issubclass(type(annotation), Marker):
        return type(annotation), key_of(annotation.value)
    return id(annotation)


_PLAIN = (str, int, bool, bytes)


def names_of(types: list[tuple[Hashable, Any]]) -> dict[Hashable, str]:
    """A name for each type: short, or qualified by its module where short ones are alike."""
    short = {key: _short_name(tp) for key, tp in types}
    count = Counter(short.values())
    names: dict[Hashable, str] = {}
    numbers: Counter[str] = Counter()
    taken: set[str] = set()
    for key, tp in types:
        name = short[key] if count[short[key]] == 1 else _qualified_name(tp)
        unique = name
        while unique in taken or (unique != short[key] and unique in count):
            numbers[name] += 1
            unique = f"{name}_{numbers[name] + 1}"
        taken.add(unique)
        names[key] = unique
    return names


def _short_name(tp: Any) -> str:
    origin, args = split(tp)
    name = display(tp if origin is None else origin).rpartition(".")[2]
    return _clean("_".join([name, *map(_short_name, args)]))


def _qualified_name(tp: Any) -> str:
    origin, args = split(tp)
    named = tp if origin is None else origin
    if type(named) is Name:
        return _clean(named.label)
    module = static(named, "__module__") if is_class(named) else named.__module__
    module = module if type(module) is str else ""
    return _clean("_".join([f"{module}.{display(named)}", *map(_short_name, args)]))


def _clean(name: str) -> str:
    """Only what survives every reader of ``$ref``: ``[A-Za-z0-9._-]``."""
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
    return "_".join(filter(None, kept.split("_"))) or "Type"
