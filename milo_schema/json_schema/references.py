"""References between schemas: those of others become ours, and ours become JSON.

Recursive, shared and oversized types go to ``$defs``; others are inlined. The whole graph of
references is known before anything is decided, so nothing depends on the order of the walk. A
recursive type stays a definition, any other replaces its references, and types that would have the
same name get qualified names. Then the references become JSON.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from itertools import chain
from typing import Any, Generic, Literal, TypeVar

from milo_schema.annotations import Json
from milo_schema.annotations.forms import ForeignName
from milo_schema.json_schema import Ref
from milo_schema.json_schema.keywords import CONSTRAINING, tighten
from milo_schema.json_schema.subschemas import (
    POINTER,
    copy,
    rebuild,
    reference_to,
    schemas_in,
    simplify,
    steps_into,
    subschemas_of,
    without,
)

Key = TypeVar("Key")
Edges = Mapping[Key, list[Key]]
Where = TypeVar("Where")
Define = Callable[[ForeignName, Callable[[Where], Json], Where], Json]
"""Makes the schema that a function returns for a place a named type: name, function, place."""

MAX_INLINE_SIZE = 1_000
"""The most subschemas that inlining may put into one schema."""
MAX_INLINE_DEPTH = 64
"""The deepest nesting of inlined types; ``json`` and validators recurse."""


class Survey:
    """A schema, and the references to settle in it.

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
        self.places: list[Json] = []
        self.targets: list[Any] = []
        self.unions: list[Json] = []
        for node in nodes:
            if "$ref" in node and isinstance(ref := node["$ref"], Ref):
                self.places.append(node)
                self.targets.append(ref)
            for branch in node.get("anyOf", ()):
                if "$ref" in branch or "anyOf" in branch:
                    self.unions.append(node)
                    break

    def settle(self, surveys: Surveys, names: Mapping[Ref, str], uses: Mapping[Ref, int]) -> None:
        """Turn each reference into JSON, or replace it with its target.

        The target is copied if it has more uses. Otherwise, in a chain of types, copying it each
        time would take five times as long as all the rest.
        """
        for place, named in zip(self.places, self.targets, strict=True):
            if named in names:
                del place["$ref"]
                plain: Json = {"$ref": POINTER + names[named]}
                if place:  # OpenAI and Gemini refuse them beside a $ref, Anthropic drops them
                    plain = {"anyOf": [plain], **place}
            else:
                body = surveys[named].schema
                plain = merge(copy(body) if uses[named] > 1 else body, place)
            place.clear()
            place.update(plain)
        # A target that replaced a reference may be a union, or equal to another branch.
        for union in reversed(self.unions):  # the innermost first
            simple = simplify(union)
            union.clear()
            union.update(simple)


Surveys = Mapping[Any, Survey]
"""The schemas of named types, by type."""


# -- how references are settled ------------------------------------------------------------------
#
# The schemas that nodes write refer to named types by objects: the value of ``$ref`` is a ``Ref``.
# Together they are a graph, whose nodes are the root and the named types, and whose edges are these
# references. ``settle()`` turns it into one JSON document. There are two ways to do that for a
# named type: it becomes a definition in ``$defs``, which its uses refer to, or a copy replaces each
# use. Clients read the second better, and some read only that; but it cannot be done with a
# recursive type, and a type that is used many times would make the document explode.
#
# The whole graph is known before anything is decided. That is what makes the result independent of
# the order in which annotations were read:
#
# 1. A type on a cycle is a definition. If a cycle contains types that have a name only because an
#    annotation was in quotes, the others are enough to break it wherever that is possible.
# 2. If the profile does not inline, so is every other type, except for those that are as small as
#    a scalar.
# 3. What would become too deep or too large is one, too. This is decided from the targets to the
#    types that refer to them, so that what was cut off below counts as a reference.
# 4. The root is never a bare ``$ref``, which old clients refuse: it is merged with its target.
# 5. With ``inline="auto"``, a type is a definition if the document has fewer characters with it.
# 6. The definitions that the root can reach are named: by the short name if it is unique, otherwise
#    with the module. Names depend on the set of types, not on their order.
# 7. Then references become JSON, targets first: so a type is finished before it is copied.
#
# What may never happen: a reference with siblings, which providers drop or refuse (keywords beside
# one are merged into the copy, or wrap it in ``anyOf``); a definition that nothing refers to; two
# parts of the document that share an object, because callers may change it.
#
# Every pass is linear in the graph and has a stack of its own. What could be better: sizes are
# estimates, so two documents of nearly the same size may be written in different ways.


def settle(
    whole: Survey, surveys: Surveys, *, inline: bool | Literal["auto"], scalars: Collection[Ref]
) -> Json:
    """Return a schema as plain JSON, with the ``$defs`` it needs and no other.

    Args:
        whole: A schema that refers to named types. It is changed, and so are theirs.
        surveys: The schemas of the named types.
        inline: Whether named types are inlined; see ``Profile.inline``.
        scalars: The named types that are always inlined, because they are so small.
    """
    edges = {named: survey.targets for named, survey in surveys.items()}
    defined, order = _recursive(edges)
    if not inline:
        defined |= edges.keys() - set(scalars)
    defined |= _too_large(whole, surveys, order, defined).difference(scalars)
    root = whole.schema
    while isinstance(ref := root.get("$ref"), Ref):  # the root is never a bare $ref
        root = merge(copy(surveys[ref].schema), root)
        whole = Survey(root)
    if inline == "auto":
        defined |= _worth_defining(whole, surveys, order, {*_used(whole.targets, defined, edges)})
    used = _used(whole.targets, defined, edges) if defined else []
    names = definition_names(used)
    uses = Counter(each for survey in (whole, *surveys.values()) for each in survey.targets)
    for named in order:  # settled before they are inlined
        surveys[named].settle(surveys, names, uses)
    whole.settle(surveys, names, uses)
    if used:
        used.sort(key=names.__getitem__)
        root["$defs"] = {names[named]: surveys[named].schema for named in used}
    return root


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


def _recursive(edges: Edges[Ref]) -> tuple[set[Ref], list[Ref]]:
    """The recursive types that have to be definitions; and all types, targets first.

    The quoted part of ``list["Node | None"]`` has no name that a reader would know, so it is a
    definition only if nothing else ends the recursion, as in ``Json = dict[str, "Json"] | str``.
    """
    groups = components(edges)
    recursive: set[Ref] = set()
    quoted: dict[Ref, None] = {}
    for group in groups:
        if is_cycle(group, edges):
            recursive.update(group)
            for named in group:
                if named.is_quoted:
                    quoted[named] = None
    if quoted:
        among = {named: [each for each in edges[named] if each in quoted] for named in quoted}
        ended = [group[0] for group in components(among) if not is_cycle(group, among)]
        recursive.difference_update(ended)
        position = {named: index for index, named in enumerate(ended)}
        for group in groups:
            group.sort(key=lambda named: position.get(named, len(ended)))
    return recursive, list(chain.from_iterable(groups))


def _too_large(root: Survey, surveys: Surveys, order: list[Ref], defined: set[Ref]) -> set[Ref]:
    """The named types that would be too large, or too deep, to inline.

    Args:
        root: The references in the root, and its size.
        surveys: The references in each named type, and its size.
        order: The named types, targets before the types that refer to them.
        defined: The named types that are definitions anyway.
    """
    if len(defined) == len(surveys):
        return defined
    remaining, deep = {*defined}, set[Ref]()
    whole: dict[Ref, int] = {}
    depth: dict[Ref, int] = {}
    for named in order:
        inlined = [each for each in surveys[named].targets if each not in remaining]
        whole[named] = surveys[named].size + sum(whole[each] for each in inlined)
        depth[named] = 1 + max((depth[each] for each in inlined), default=0)
        if depth[named] > MAX_INLINE_DEPTH:
            deep.add(named)
            remaining.add(named)
    # The output: the root and each definition that remains, with the schemas inlined into it.
    written = root.size + sum(whole[each] for each in root.targets if each not in remaining)
    written += sum(whole[each] for each in remaining)
    by_reference = root.size + sum(survey.size for survey in surveys.values())
    if written <= max(MAX_INLINE_SIZE, 4 * by_reference):
        return deep
    uses = Counter(each for survey in (root, *surveys.values()) for each in survey.targets)
    return deep | {each for each, count in uses.items() if count > 1}


def _used(start: list[Ref], defined: set[Ref], edges: Edges[Ref]) -> list[Ref]:
    """The definitions that a schema needs, in the order in which they are found."""
    used: list[Ref] = []
    seen: set[Ref] = set()
    todo = start[::-1]
    while todo:
        named = todo.pop()
        if named in seen:
            continue
        seen.add(named)
        if named in defined:
            used.append(named)
        todo.extend(edges[named][::-1])
    return used


def components(edges: Edges[Key]) -> list[list[Key]]:
    """The strongly connected components, targets first (Tarjan, 1972).

    It has its own stack, because a chain of references may be longer than Python's.
    """
    groups: list[list[Key]] = []
    index: dict[Key, int] = {}
    low: dict[Key, int] = {}  # of the keys in the path
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
                    group: list[Key] = []
                    while key in low:
                        group.append(path.pop())
                        del low[group[-1]]
                    groups.append(group)
    return groups


def is_cycle(group: list[Key], edges: Edges[Key]) -> bool:
    """Whether a component is recursive: several types, or one that refers to itself."""
    return len(group) > 1 or group[0] in edges[group[0]]


# -- names -------------------------------------------------------------------------------------


def definition_names(types: list[Ref]) -> dict[Ref, str]:
    """A name for each type: short, or qualified by its module where short names are the same."""
    shorts = [each.short_name for each in types]
    count = Counter(shorts)
    names: dict[Ref, str] = {}
    numbers: Counter[str] = Counter()
    taken: set[str] = set()
    for named, short in zip(types, shorts, strict=True):
        unique = name = short if count[short] == 1 else named.long_name
        while unique in taken or (unique != short and unique in count):
            numbers[name] += 1
            unique = f"{name}_{numbers[name] + 1}"
        taken.add(unique)
        names[named] = unique
    return names


# -- types worth defining ----------------------------------------------------------------------


class _Costs:
    """How many characters of JSON the named types need.

    Attributes:
        sizes: The characters of each type, inlined, with the types in it as short as possible.
    """

    def __init__(self, surveys: Surveys, order: list[Ref]) -> None:
        self.surveys = surveys
        self.sizes: dict[Ref, int] = {}
        for named in order:
            inner = [min(self.of(place)) for place in surveys[named].places]
            self.sizes[named] = _text_size(surveys[named].schema) + sum(inner)

    def of(self, place: Json) -> tuple[int, int]:
        """The cost of a reference to a named type, and the cost of its inlined schema."""
        named: Ref = place["$ref"]
        body, siblings = self.surveys[named].schema, place.keys() - {"$ref"}
        linked = len('{"$ref":"#/$defs/"}') + len(named.short_name)
        linked += len('"anyOf":[],') if siblings else 0
        replaced = _text_size({name: body[name] for name in siblings & body.keys()})
        return linked, self.sizes[named] - replaced if named in self.sizes else linked


def _worth_defining(root: Survey, surveys: Surveys, order: list[Ref], needed: set[Ref]) -> set[Ref]:
    """The types that ``inline="auto"`` defines: because it has to, or because that is shorter.

    Args:
        root: The references in the root.
        surveys: The references in each named type.
        order: The named types, targets before the types that refer to them.
        needed: The named types that have to be definitions.
    """
    costs = _Costs(surveys, order)
    defined = {*needed}
    uses, linked, inlined = Counter[Ref](), Counter[Ref](), Counter[Ref]()
    for named in (None, *order[::-1]):  # so that all references to a type are counted before it
        if named is not None:
            definition = len('"$defs":{"":},') + len(named.short_name) + costs.sizes[named]
            if linked[named] + definition < inlined[named]:
                defined.add(named)
        times = 1 if named is None or named in defined else uses[named]
        for place in (root if named is None else surveys[named]).places:
            by_link, in_place = costs.of(place)
            each = place["$ref"]
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
    return 0 if isinstance(value, Ref) else len(repr(value))


# -- schemas of others -------------------------------------------------------------------------


class Import(Generic[Where]):
    """A finished schema, while it is made a part of ours: its ``$defs`` become named types.

    So they are named, shared and inlined by the same rules as all others, and two schemas with the
    same definition share it.

    Attributes:
        definitions: The definitions that the schema refers to, by reference.
        names: The names of the definitions, by reference.
        define: Makes a definition a named type.
        types: The named types, by reference; that of the schema itself has none. Those who import
            a schema several times keep them, because their contents are long.
    """

    def __init__(
        self,
        definitions: dict[str, Json],
        define: Define[Where],
        types: dict[str, ForeignName] | None = None,
    ) -> None:
        self.names: dict[str, str] = {reference_to(name): name for name in definitions}
        self.definitions: dict[str, Json] = dict(zip(self.names, definitions.values(), strict=True))
        self.define: Define[Where] = define
        self.types: dict[str, ForeignName] = {} if types is None else types

    def named(self, name: str, schema: Json, walk: Where, reference: str = "") -> Json:
        """A reference to a schema, which is defined here under that name."""
        if set(schema) == {"$ref"}:
            return self.fragment(schema, walk)
        # Two definitions are the same type if their names and their complete contents are equal.
        if (imported := self.types.get(reference)) is None:
            imported = ForeignName(name, repr((schema, self._reachable(schema))))
            self.types[reference] = imported
        return self.define(imported, lambda walk: self.fragment(schema, walk), walk)

    def fragment(self, schema: Json, walk: Where) -> Json:
        """A subschema in our form."""
        target: Json = {}
        if (reference := schema.get("$ref")) in self.definitions:
            schema = without(schema, "$ref")
            name, definition = self.names[reference], self.definitions[reference]
            target = self.named(name, definition, walk, reference)
        steps = {id(each): step for _, step, each in steps_into(schema)}

        def changed(part: Json) -> Json:
            return self.fragment(part, self.at(walk, steps[id(part)]))

        return {**target, **rebuild(schema, changed)}

    def at(self, walk: Where, _step: str) -> Where:
        """The walk one step further; the same one, if it reports nothing."""
        return walk

    def _reachable(self, schema: Json) -> dict[str, Json]:
        found: dict[str, Json] = {}
        todo = [schema]
        while todo:
            node = todo.pop()
            reference = node.get("$ref")
            if reference in self.definitions and reference not in found:
                found[reference] = self.definitions[reference]
                todo.append(found[reference])
            todo.extend(subschemas_of(node))
        return dict(sorted(found.items()))
