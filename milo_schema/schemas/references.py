"""Settle references: recursive, shared and oversized types go to ``$defs``; others are inlined.

The whole graph of references is known before anything is decided, so nothing depends on the order
of the walk. A recursive type stays a definition, any other replaces its references, and types that
would have the same name get qualified names. Then the ``Ref`` objects become JSON.
"""

from __future__ import annotations

from milo_schema.annotations import (
    Any,
    Callable,
    Collection,
    Fragment,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
)
from milo_schema.annotations.classes import (
    is_any,
    is_class,
    loaded_when_called,
    qualified_name,
    shorten,
    static,
)
from milo_schema.annotations.forms import UNION, ForeignName, QuotedName, metadata_of, split
from milo_schema.json_schema import Ref
from milo_schema.json_schema.keywords import CONSTRAINING, tighten
from milo_schema.json_schema.subschemas import copy, schemas_in
from milo_schema.json_schema.unions import simplify

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.profile_fields import Inline
else:
    Inline = Any

Edges = Mapping[Hashable, list[Hashable]]

display: Callable[..., str] = loaded_when_called("annotations.display", "display")
worth_defining: Callable[..., Any] = loaded_when_called("schemas.sharing", "worth_defining")


MAX_INLINE_SIZE = 1_000
"""The most subschemas that inlining may put into one schema."""
MAX_INLINE_DEPTH = 64
"""The deepest nesting of inlined types; ``json`` and validators recurse."""


def settled(
    root: Fragment,
    bodies: dict[Hashable, Fragment],
    annotations: Mapping[Hashable, Any],
    *,
    inline: Inline,
    scalars: Collection[Hashable],
) -> Fragment:
    """Return *root* as plain JSON, with the ``$defs`` it needs and no other.

    Args:
        root: A schema that refers to named types. It is changed, and so are the bodies.
        bodies: The schemas of the named types.
        annotations: The named types.
        inline: Whether named types are inlined; see ``Profile.inline``.
        scalars: The named types that are always inlined, because they are so small.
    """
    surveys = {key: Survey(body) for key, body in bodies.items()}
    edges = {key: survey.targets for key, survey in surveys.items()}
    order = list(_components(edges))
    recursive = {key for group in order for key in group if _is_cycle(group, edges)}
    if quoted := [key for key in recursive if type(annotations[key]) is QuotedName]:
        replaced = _ended_by_others(quoted, edges)
        recursive -= replaced.keys()
        order = [sorted(group, key=lambda key: replaced.get(key, len(replaced))) for group in order]
    named = recursive if inline else recursive | (edges.keys() - set(scalars))
    inner_first = [key for group in order for key in group]
    whole = Survey(root)
    named |= _too_large(whole, surveys, inner_first, named).difference(scalars)
    while type(ref := root.get("$ref")) is Ref:  # the root is never a bare $ref
        root = merged(copy(bodies[ref.key]), root)
        whole = Survey(root)
    if inline == "auto":
        short = {key: definition_name(annotations[key]) for key in edges}
        needed = {*_used(whole.targets, named, edges)}
        named |= worth_defining(whole, surveys, inner_first, needed, short)
    used = _used(whole.targets, named, edges) if named else []
    names = names_of([(key, annotations[key]) for key in used])
    for key in inner_first:  # so that a schema is settled before it is inlined
        surveys[key].settle(bodies, names)
    whole.settle(bodies, names)
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

    def __init__(self, schema: Fragment) -> None:
        nodes = schemas_in(schema)
        self.schema: Fragment = schema
        self.size: int = len(nodes)
        self.places: list[Fragment] = [node for node in nodes if type(node.get("$ref")) is Ref]
        self.targets: list[Hashable] = [place["$ref"].key for place in self.places]
        self.unions: list[Fragment] = [
            node
            for node in nodes
            if any("$ref" in branch or "anyOf" in branch for branch in node.get("anyOf", ()))
        ]

    def references(self) -> Iterator[tuple[Fragment, Hashable]]:
        """The references with their targets."""
        return zip(self.places, self.targets, strict=True)

    def settle(self, bodies: Mapping[Hashable, Fragment], names: Mapping[Hashable, str]) -> None:
        """Turn each reference into JSON, or replace it with a copy of its target."""
        for place in self.places:
            key = place["$ref"].key
            settled = (
                _reference(names[key], place) if key in names else merged(copy(bodies[key]), place)
            )
            place.clear()
            place.update(settled)
        # A target that replaced a reference may be a union, or equal to another branch.
        for union in reversed(self.unions):  # the innermost first
            simple = simplify(union)
            union.clear()
            union.update(simple)


def _reference(name: str, place: Fragment) -> Fragment:
    reference = {"$ref": f"#/$defs/{name}"}
    siblings = {keyword: value for keyword, value in place.items() if keyword != "$ref"}
    # A $ref has no siblings: OpenAI and Gemini refuse them, Anthropic drops them.
    return {"anyOf": [reference], **siblings} if siblings else reference


def merged(body: Fragment, node: Fragment) -> Fragment:
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


def _too_large(
    root: Survey, surveys: Mapping[Hashable, Survey], order: list[Hashable], named: set[Hashable]
) -> set[Hashable]:
    """The named types that would be too large, or too deep, to inline.

    Args:
        root: The references in the root, and its size.
        surveys: The references in each named type, and its size.
        order: The named types, targets before the types that refer to them.
        named: The named types that are definitions anyway.
    """
    if len(named) == len(surveys):
        return named
    whole: dict[Hashable, int] = {}
    depth: dict[Hashable, int] = {}
    deep: set[Hashable] = set()
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
    uses = _count(key for survey in (root, *surveys.values()) for key in survey.targets)
    return deep | {key for key, count in uses.items() if count > 1}


def _used(
    start: list[Hashable], named: set[Hashable], edges: Mapping[Hashable, list[Hashable]]
) -> list[Hashable]:
    """The definitions that a schema needs, in the order in which they are found."""
    used: dict[Hashable, None] = {}
    seen: set[Hashable] = set()
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


def _components(edges: Edges) -> Iterator[list[Hashable]]:
    """The strongly connected components, targets first (Tarjan, 1972).

    It has its own stack, because a chain of references may be longer than Python's.
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


def _ended_by_others(quoted: list[Hashable], edges: Edges) -> dict[Hashable, int]:
    """The quoted parts with a recursion that ends at a named type, in the order to settle them.

    The quoted part of ``list["Node | None"]`` has no name that a reader would know, so it is a
    definition only if nothing else ends the recursion, as in ``Json = dict[str, "Json"] | str``.
    """
    names = set(quoted)
    among = {key: [target for target in edges[key] if target in names] for key in quoted}
    groups = [group for group in _components(among) if not _is_cycle(group, among)]
    return {key: place for place, [key] in enumerate(groups)}


# -- names -------------------------------------------------------------------------------------


def names_of(types: list[tuple[Hashable, Any]]) -> dict[Hashable, str]:
    """A name for each type: short, or qualified by its module where short names are the same."""
    short = {key: definition_name(tp) for key, tp in types}
    count = _count(short.values())
    names: dict[Hashable, str] = {}
    numbers: dict[str, int] = {}
    taken: set[str] = set()
    for key, tp in types:
        name = short[key] if count[short[key]] == 1 else _qualified_name(tp)
        unique = name
        while unique in taken or (unique != short[key] and unique in count):
            numbers[name] = numbers.get(name, 1) + 1
            unique = f"{name}_{numbers[name]}"
        taken.add(unique)
        names[key] = unique
    return names


def _count(values: Iterable[Hashable]) -> dict[Hashable, int]:
    """How often each value occurs, without importing ``collections`` for its ``Counter``."""
    counts: dict[Hashable, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return counts


MAX_NAME = 80
"""The most characters in the short name of a class."""


def definition_name(tp: Any) -> str:
    """The name of a type as a definition, if no other type has the same name."""
    if type(tp) is type and tp is not type(None):
        return _clean(shorten(qualified_name(tp).rpartition(".")[2], MAX_NAME))
    head, args = split(tp)
    name = "Union" if head is UNION else display(head).rpartition(".")[2]
    return _clean("_".join([name, *map(definition_name, (*args, *metadata_of(tp)))]))


def _qualified_name(tp: Any) -> str:
    named, args = split(tp)
    if is_any(type(named), (QuotedName, ForeignName)):
        return _clean(named.label)
    module = static(named, "__module__") if is_class(named) else named.__module__
    module = module if type(module) is str else ""
    return _clean("_".join([f"{module}.{display(named)}", *map(definition_name, args)]))


def _clean(name: str) -> str:
    """A name with only characters that are safe in every ``$ref``: ``[A-Za-z0-9._-]``."""
    if name.isidentifier() and name.isascii():
        return name
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
    leading = name[: len(name) - len(name.lstrip("_"))]
    return leading + "_".join(filter(None, kept.split("_"))) or "Type"
