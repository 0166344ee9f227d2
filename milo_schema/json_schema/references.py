"""Settle references: recursive, shared and oversized types go to ``$defs``; others are inlined.

The whole graph of references is known before anything is decided, so nothing depends on the order
of the walk. A recursive type stays a definition, any other replaces its references, and types that
would have the same name get qualified names. Then the ``Ref`` objects become JSON.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal

from milo_schema.annotations import Json
from milo_schema.json_schema import Ref
from milo_schema.json_schema.keywords import CONSTRAINING, tighten
from milo_schema.json_schema.subschemas import copy, schemas_in, simplify

Key = Any
"""A named type, with its ``short_name`` as a definition; its ``long_name`` if another type has the
same short name; and ``is_quoted``: its name is only the text of an annotation."""
Edges = Mapping[Key, list[Key]]

MAX_INLINE_SIZE = 1_000
"""The most subschemas that inlining may put into one schema."""
MAX_INLINE_DEPTH = 64
"""The deepest nesting of inlined types; ``json`` and validators recurse."""


def settle(
    root: Json,
    bodies: dict[Key, Json],
    *,
    inline: bool | Literal["auto"],
    scalars: Collection[Key],
) -> Json:
    """Return *root* as plain JSON, with the ``$defs`` it needs and no other.

    Args:
        root: A schema that refers to named types. It is changed, and so are the bodies.
        bodies: The schemas of the named types.
        inline: Whether named types are inlined; see ``Profile.inline``.
        scalars: The named types that are always inlined, because they are so small.
    """
    surveys = {key: Survey(body) for key, body in bodies.items()}
    edges = {key: survey.targets for key, survey in surveys.items()}
    recursive, order = _recursive(edges)
    named = recursive if inline else recursive | (edges.keys() - set(scalars))
    whole = Survey(root)
    named |= _too_large(whole, surveys, order, named).difference(scalars)
    while type(ref := root.get("$ref")) is Ref:  # the root is never a bare $ref
        root = merge(copy(bodies[ref.key]), root)
        whole = Survey(root)
    if inline == "auto":
        named |= _worth_defining(whole, surveys, order, {*_used(whole.targets, named, edges)})
    used = _used(whole.targets, named, edges) if named else []
    names = definition_names(used)
    for survey in (*(surveys[key] for key in order), whole):  # settled before they are inlined
        survey.settle(bodies, names)
    if used:
        root["$defs"] = {names[key]: bodies[key] for key in sorted(used, key=names.__getitem__)}
    return root


class Survey:
    """The references to settle in one schema.

    Attributes:
        schema: The schema.
        size: The number of its subschemas.
        places: The references in it.
        targets: The targets of the references.
        unions: The unions that may become simpler once their references are settled.
    """

    __slots__ = ("places", "schema", "size", "targets", "unions")

    def __init__(self, schema: Json) -> None:
        nodes = schemas_in(schema)
        self.schema: Json = schema
        self.size: int = len(nodes)
        self.places: list[Json] = [node for node in nodes if type(node.get("$ref")) is Ref]
        self.targets: list[Key] = [place["$ref"].key for place in self.places]
        self.unions: list[Json] = [
            node
            for node in nodes
            if any("$ref" in branch or "anyOf" in branch for branch in node.get("anyOf", ()))
        ]

    def references(self) -> Iterator[tuple[Json, Key]]:
        """The references with their targets."""
        return zip(self.places, self.targets, strict=True)

    def settle(self, bodies: Mapping[Key, Json], names: Mapping[Key, str]) -> None:
        """Turn each reference into JSON, or replace it with a copy of its target."""
        for place, key in self.references():
            if key not in names:
                plain = merge(copy(bodies[key]), place)
            else:
                plain = {"$ref": f"#/$defs/{names[key]}"}
                siblings = {keyword: place[keyword] for keyword in place if keyword != "$ref"}
                if siblings:  # OpenAI and Gemini refuse them beside a $ref, Anthropic drops them
                    plain = {"anyOf": [plain], **siblings}
            place.clear()
            place.update(plain)
        # A target that replaced a reference may be a union, or equal to another branch.
        for union in reversed(self.unions):  # the innermost first
            simple = simplify(union)
            union.clear()
            union.update(simple)


def merge(body: Json, node: Json) -> Json:
    """*body* in place of a reference, with the keywords beside the reference."""
    if _ADDED.isdisjoint(node):  # a description or a default
        return {**body, **node}
    both = dict(body)
    for keyword, value in node.items():
        if keyword == "allOf":
            both[keyword] = [*both.get(keyword, ()), *value]
        elif keyword in CONSTRAINING:
            tighten(both, keyword, value)
        elif keyword != "$ref":
            both[keyword] = value
    return both


_ADDED = CONSTRAINING | {"$ref", "allOf"}
"""Keywords that apply both beside a reference and in its target."""


# -- the graph of references -------------------------------------------------------------------


def _recursive(edges: Edges) -> tuple[set[Key], list[Key]]:
    """The recursive types that have to be definitions; and all types, targets first.

    The quoted part of ``list["Node | None"]`` has no name that a reader would know, so it is a
    definition only if nothing else ends the recursion, as in ``Json = dict[str, "Json"] | str``.
    """
    groups = list(components(edges))
    recursive = {key for group in groups for key in group if is_cycle(group, edges)}
    if quoted := {
        key: None for group in groups for key in group if key.is_quoted and key in recursive
    }:
        among = {key: [target for target in edges[key] if target in quoted] for key in quoted}
        ended = [group[0] for group in components(among) if not is_cycle(group, among)]
        recursive.difference_update(ended)
        position = {key: index for index, key in enumerate(ended)}
        for group in groups:
            group.sort(key=lambda key: position.get(key, len(ended)))
    return recursive, [key for group in groups for key in group]


def _too_large(
    root: Survey, surveys: Mapping[Key, Survey], order: list[Key], named: set[Key]
) -> set[Key]:
    """The named types that would be too large, or too deep, to inline.

    Args:
        root: The references in the root, and its size.
        surveys: The references in each named type, and its size.
        order: The named types, targets before the types that refer to them.
        named: The named types that are definitions anyway.
    """
    if len(named) == len(surveys):
        return named
    whole: dict[Key, int] = {}
    depth: dict[Key, int] = {}
    deep: set[Key] = set()
    for key in order:
        inlined = [child for child in surveys[key].targets if child not in named | deep]
        whole[key] = surveys[key].size + sum(whole[child] for child in inlined)
        depth[key] = 1 + max((depth[child] for child in inlined), default=0)
        if depth[key] > MAX_INLINE_DEPTH:
            deep.add(key)
    # The output: the root and each definition that remains, with the schemas inlined into it.
    remaining = named | deep
    written = root.size + sum(whole[key] for key in root.targets if key not in remaining)
    written += sum(whole[key] for key in remaining)
    by_reference = root.size + sum(survey.size for survey in surveys.values())
    if written <= max(MAX_INLINE_SIZE, 4 * by_reference):
        return deep
    uses = Counter(key for survey in (root, *surveys.values()) for key in survey.targets)
    return deep | {key for key, count in uses.items() if count > 1}


def _used(start: list[Key], named: set[Key], edges: Edges) -> list[Key]:
    """The definitions that a schema needs, in the order in which they are found."""
    used: dict[Key, None] = {}
    seen: set[Key] = set()
    todo = start[::-1]
    while todo:
        key = todo.pop()
        if key in seen:
            continue
        seen.add(key)
        if key in named:
            used[key] = None
        todo.extend(edges[key][::-1])
    return list(used)


def components(edges: Edges) -> Iterator[list[Key]]:
    """The strongly connected components, targets first (Tarjan, 1972).

    It has its own stack, because a chain of references may be longer than Python's.
    """
    index: dict[Key, int] = {}
    low: dict[Key, int] = {}
    path: list[Key] = []
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
                    yield _pop_group(path, key, low)


def _pop_group(path: list[Key], key: Key, low: dict[Key, int]) -> list[Key]:
    """The end of the path, from *key* on."""
    group = [path.pop()]
    while group[-1] != key:
        group.append(path.pop())
    for member in group:
        del low[member]
    return group


def is_cycle(group: list[Key], edges: Edges) -> bool:
    """Whether a component is recursive: several types, or one that refers to itself."""
    return len(group) > 1 or group[0] in edges[group[0]]


# -- names -------------------------------------------------------------------------------------


def definition_names(types: list[Key]) -> dict[Key, str]:
    """A name for each type: short, or qualified by its module where short names are the same."""
    count = Counter(key.short_name for key in types)
    names: dict[Key, str] = {}
    numbers: Counter[str] = Counter()
    taken: set[str] = set()
    for key in types:
        short = key.short_name
        unique = name = short if count[short] == 1 else key.long_name
        while unique in taken or (unique != short and unique in count):
            numbers[name] += 1
            unique = f"{name}_{numbers[name] + 1}"
        taken.add(unique)
        names[key] = unique
    return names


# -- types worth defining ----------------------------------------------------------------------


class _Costs:
    """How many characters of JSON the named types need.

    Attributes:
        sizes: The characters of each type, inlined, with the types in it as short as possible.
    """

    def __init__(self, surveys: Mapping[Key, Survey], order: list[Key]) -> None:
        self.surveys = surveys
        self.sizes: dict[Key, int] = {}
        for key in order:
            inner = [min(self.of(*each)) for each in surveys[key].references()]
            self.sizes[key] = _text_size(surveys[key].schema) + sum(inner)

    def of(self, place: Json, key: Key) -> tuple[int, int]:
        """The cost of a reference to a named type, and that of its inlined schema."""
        body, siblings = self.surveys[key].schema, place.keys() - {"$ref"}
        linked = len('{"$ref":"#/$defs/"}') + len(key.short_name)
        linked += len('"anyOf":[],') if siblings else 0
        replaced = _text_size({name: body[name] for name in siblings & body.keys()})
        return linked, self.sizes[key] - replaced if key in self.sizes else linked


def _worth_defining(
    root: Survey, surveys: Mapping[Key, Survey], order: list[Key], needed: set[Key]
) -> set[Key]:
    """The types that ``inline="auto"`` defines: because it has to, or because that is shorter.

    Args:
        root: The references in the root.
        surveys: The references in each named type.
        order: The named types, targets before the types that refer to them.
        needed: The named types that have to be definitions.
    """
    costs = _Costs(surveys, order)
    defined = {*needed}
    uses, linked, inlined = Counter[Key](), Counter[Key](), Counter[Key]()
    for key in (None, *order[::-1]):  # so that all references to a type are counted before it
        if key is not None:
            definition = len('"$defs":{"":},') + len(key.short_name) + costs.sizes[key]
            if linked[key] + definition < inlined[key]:
                defined.add(key)
        times = 1 if key is None or key in defined else uses[key]
        for place, each in (root if key is None else surveys[key]).references():
            by_link, in_place = costs.of(place, each)
            uses[each] += times
            linked[each] += times * by_link
            inlined[each] += times * in_place
    return defined


def _text_size(value: Any) -> int:
    """The approximate number of characters of JSON of a value, without its references."""
    if type(value) is dict:
        return sum(len(key) + 4 + _text_size(item) for key, item in value.items())
    if type(value) is list:
        return sum(1 + _text_size(item) for item in value)
    if type(value) is str:
        return len(value) + 2
    return 0 if type(value) is Ref else len(repr(value))
