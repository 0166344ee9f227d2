"""``$defs``: which named types are shared or recursive, and what they are called.

Strategy: while an annotation is walked, a named type is only referred to, by a ``Ref`` object.
When all is walked, the graph of references is known at once, so nothing depends on the order of
the walk: what is recursive stays a definition, what is not is put in its place, what two types
would call themselves alike is qualified. Then the symbols become JSON.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Any

from milo_schema import subschemas
from milo_schema.errors import SchemaError
from milo_schema.generics import is_alias
from milo_schema.hints import Name, display, is_any, is_class, split, static
from milo_schema.jsonable import json_type
from milo_schema.markers import CONSTRAINING, Marker, tighten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    Fragment = dict[str, Any]
    Edges = dict[Hashable, list[Hashable]]

MAX_INLINE_SIZE = 1_000
"""How many subschemas may stand in one schema because named types were put in their place."""
MAX_INLINE_DEPTH = 64
"""How many named types may stand inside each other; ``json`` and validators recurse."""


ANY_KIND = ("string", "integer", "number", "boolean", "array", "object", "null")


class Ref:
    """A reference to a named type, before it is known what becomes of it."""

    __slots__ = ("key",)

    def __init__(self, key: Hashable) -> None:
        self.key: Hashable = key


class Definitions:
    """The named types that one derivation has met, and their fragments.

    Attributes:
        size: How many annotations have been walked.
        forms: In how many forms each generic type has been met, by its ``id()``.
        annotations: The named types.
        bodies: Their fragments, as far as they are built.
    """

    def __init__(self) -> None:
        self.size = 0
        self.forms: Counter[int] = Counter()
        self.annotations: dict[Hashable, Any] = {}
        self.bodies: dict[Hashable, Fragment] = {}
        self._kinds: dict[Hashable, str] = {}
        self._waiting: deque[tuple[Hashable, Callable[[], Fragment]]] = deque()

    def refer(self, annotation: Any, build: Callable[[], Fragment]) -> Fragment:
        """A reference to *annotation*, whose fragment *build* makes, once, now.

        An alias is built at once: what may constrain it depends on what it stands for.
        """
        key = key_of(annotation)
        if self._is_new(key, annotation):
            self.bodies[key] = build()
            self._refuse_empty_cycle(key)
        return {"$ref": Ref(key)}

    def refer_later(self, annotation: Any, build: Callable[[], Fragment], kind: str) -> Fragment:
        """A reference to *annotation*, whose fragment *build* makes, once, when it is its turn.

        That keeps a chain of a thousand records from being a thousand calls deep. *kind* is the
        JSON type that the fragment will have.
        """
        key = key_of(annotation)
        if self._is_new(key, annotation):
            self._kinds[key] = kind
            self._waiting.append((key, build))
        return {"$ref": Ref(key)}

    def _is_new(self, key: Hashable, annotation: Any) -> bool:
        """Whether a named type is met for the first time; the next time it is not."""
        if key in self.annotations:
            return False
        self.annotations[key] = annotation
        self.forms[id(split(annotation)[0])] += 1
        return True

    def kinds(self, fragment: Fragment) -> list[str]:
        """The JSON types that a fragment admits, as far as is known by now."""
        if type(ref := fragment.get("$ref")) is Ref:
            if ref.key in self._kinds:
                return [self._kinds[ref.key]]
            return self.kinds(self.bodies.get(ref.key, {}))
        if "anyOf" in fragment:
            return [kind for arm in fragment["anyOf"] for kind in self.kinds(arm)]
        if "type" in fragment:
            kind = fragment["type"]
            return kind if type(kind) is list else [kind]
        if "enum" in fragment:
            return [json_type(value) for value in fragment["enum"]]
        return [] if "not" in fragment else list(ANY_KIND)

    def look_through(self, fragment: Fragment) -> Fragment:
        """The fragment that a reference to a finished alias stands for, to be changed freely."""
        if type(ref := fragment.get("$ref")) is not Ref or ref.key not in self.bodies:
            return fragment
        if ref.key in self._kinds:
            return fragment
        return self.look_through(_merge(subschemas.copy(self.bodies[ref.key]), fragment))

    def look_into(self, fragment: Fragment) -> Fragment:
        """``look_through()``, and of a union through each of its arms."""
        fragment = self.look_through(fragment)
        if "anyOf" not in fragment:
            return fragment
        return {**fragment, "anyOf": [self.look_into(arm) for arm in fragment["anyOf"]]}

    def is_described(self, fragment: Fragment) -> bool:
        """Whether *fragment* says in words what it means: itself, or as an alias does."""
        if "$ref" not in fragment:
            return "description" in fragment
        ref = fragment["$ref"]
        if type(ref) is Ref and is_alias(self.annotations[ref.key]) and not self._is_model(ref):
            fragment = _merge(self.bodies.get(ref.key, {}), fragment)
        return "description" in fragment

    def _is_model(self, ref: Ref) -> bool:
        """Whether a named type is a foreign definition, which describes itself as a class does."""
        annotation = self.annotations[ref.key]
        return type(annotation) is Name and type(annotation.origin) is str

    def complete(self) -> None:
        """Build what was put off, and what that puts off in turn."""
        while self._waiting:
            key, build = self._waiting.popleft()
            self.bodies[key] = build()

    def finish(self, root: Fragment, *, inline: bool) -> Fragment:
        """*root* as plain JSON, with the ``$defs`` it needs and no other."""
        self.complete()
        if not self.bodies:
            return root
        sizes: dict[Hashable, int] = {}
        edges: Edges = {}
        for key, body in self.bodies.items():
            edges[key], sizes[key] = _survey(body)
        order = list(_components(edges))
        recursive = {key for group in order for key in group if _is_cycle(group, edges)}
        named = recursive if inline else set(edges)
        inner_first = [key for group in order for key in group]
        named |= _too_large(_survey(root), edges, sizes, inner_first, named)
        return self._emit(root, named, edges)

    def _refuse_empty_cycle(self, start: Hashable) -> None:
        """``type A = A | None``: no value ever ends it, and a validator would not either."""
        todo, seen = [start], {start}
        while todo:
            for key in _direct(self.bodies.get(todo.pop(), {})):
                if key == start:
                    name = display(self.annotations[key])
                    reason = "stands for itself; put a container between the two"
                    raise SchemaError(reason, name, self.annotations[key])
                if key not in seen:
                    seen.add(key)
                    todo.append(key)

    def _emit(self, root: Fragment, named: set[Hashable], edges: Edges) -> Fragment:
        while type(ref := root.get("$ref")) is Ref:  # the root is never a bare $ref
            root = _merge(self.bodies[ref.key], root)
        if not named:
            return _Emitter(self.bodies, {}).plain(root)
        used = _used(root, named, edges)
        emitter = _Emitter(self.bodies, names_of([(key, self.annotations[key]) for key in used]))
        result = emitter.plain(root)
        if used:
            result["$defs"] = {
                emitter.names[key]: emitter.plain(self.bodies[key])
                for key in sorted(used, key=emitter.names.__getitem__)
            }
        return result


class _Emitter:
    """Symbols become JSON; every dict and list of the result is new."""

    def __init__(self, bodies: dict[Hashable, Fragment], names: dict[Hashable, str]) -> None:
        self.bodies = bodies
        self.names = names

    def plain(self, node: Fragment) -> Fragment:
        if type(ref := node.get("$ref")) is Ref:
            if ref.key not in self.names:
                return self.plain(_merge(self.bodies[ref.key], node))
            node = self._reference(ref.key, node)
        fragment = subschemas.rebuild(node, self.plain)
        return simplify(fragment) if "anyOf" in fragment else fragment

    def _reference(self, key: Hashable, node: Fragment) -> Fragment:
        reference = {"$ref": f"#/$defs/{self.names[key]}"}
        siblings = {keyword: value for keyword, value in node.items() if keyword != "$ref"}
        # A $ref has no siblings: OpenAI and Gemini refuse them, Anthropic drops them.
        return {"anyOf": [reference], **siblings} if siblings else reference


def _merge(body: Fragment, node: Fragment) -> Fragment:
    """*body* in the place of a reference, with what the reference says besides."""
    merged = dict(body)
    for keyword, value in node.items():
        if keyword == "allOf":
            merged[keyword] = [*merged.get(keyword, ()), *value]
        elif keyword in CONSTRAINING:
            tighten(merged, keyword, value)
        elif keyword != "$ref":
            merged[keyword] = value
    return merged


def simplify(union: Fragment) -> Fragment:
    """An ``anyOf`` without unions inside it and without repetitions; null comes last.

    What is left of a union with one member is that member.
    """
    arms: dict[str, Fragment] = {}
    for arm in union["anyOf"]:
        for member in arm["anyOf"] if arm.keys() == {"anyOf"} else [arm]:
            _add_distinct(member, arms)
    if len(arms) > 1 and (null := arms.pop(_NULL, None)) is not None:
        arms[_NULL] = null
    if len(arms) > 1 or len(union) > 1:
        return {**union, "anyOf": list(arms.values())}
    return next(iter(arms.values()))


def _add_distinct(fragment: Fragment, known: dict[str, Fragment]) -> None:
    """Add a fragment, unless it is there, under a text that no other one has.

    That is its outline wherever possible: in a union in a union in a union, the innermost would
    be written out as often as they are deep.
    """
    outline = _outline(fragment)
    if outline not in known:
        known[outline] = fragment
    elif (text := repr(fragment)) != repr(known[outline]):
        known[text] = fragment


def _outline(fragment: Fragment) -> str:
    """A fragment without what is in its lists and objects."""
    return repr(
        {
            keyword: None if type(value) is dict or type(value) is list else value
            for keyword, value in fragment.items()
        }
    )


_NULL = repr({"type": "null"})


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
        todo.extend(reversed(subschemas.each(node)))
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
    module = static(named, "__module__", "") if is_class(named) else named.__module__
    return _clean("_".join([f"{module}.{display(named)}", *map(_short_name, args)]))


def _clean(name: str) -> str:
    """Only what survives every reader of ``$ref``: ``[A-Za-z0-9._-]``."""
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
    return "_".join(filter(None, kept.split("_"))) or "Type"
