"""Where two schemas are compared, how far the comparison has come, and the differences there."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

from milo_schema.annotations import Json
from milo_schema.annotations.frozen import Frozen
from milo_schema.dialects.branches import are_disjoint
from milo_schema.json_schema import TYPES
from milo_schema.json_schema.keywords import (
    ANNOTATION_KEYWORDS,
    BOUNDS,
    KEYWORDS,
    SILENT,
    Limit,
    repeats_a_name,
)
from milo_schema.json_schema.problems import OTHER_KEYWORDS
from milo_schema.json_schema.samples import merge
from milo_schema.json_schema.subschemas import rebuild, resolve_reference, without
from milo_schema.json_schema.validation import is_valid
from milo_schema.json_schema.values import json_key, json_type

# -- one side ------------------------------------------------------------------------------------
#
# One side of a comparison: what its schema asserts, and short text for it and for values.

NOTHING: Json = {"not": {}}
"""The body of a schema that accepts nothing; it is compared by identity."""

_SILENT = SILENT | {"discriminator"}
"""Keywords that neither assert nor annotate anything."""

_OF_OTHERS = frozenset({"enumNames", "example", "externalDocs", "xml"})
"""Annotations that OpenAPI and forms in browsers add to those of JSON Schema."""

_DEFINED = (KEYWORDS.keys() | OTHER_KEYWORDS) - ANNOTATION_KEYWORDS.keys() - _OF_OTHERS
"""All other keywords that a vocabulary defines; those that begin with ``$`` are reserved."""

_WRAPPERS = ("anyOf", "oneOf", "allOf")
_ALL_TYPES = frozenset(TYPES)


def follow(schema: Any, root: Any) -> tuple[Json, Any]:
    """Follow references and wrappers: all annotations on the way, and the final schema."""
    annotations: Json = {}
    seen: set[int] = set()
    while type(schema) is not bool:
        annotations = {k: v for k, v in schema.items() if _annotates(k)} | annotations
        target = None if id(schema) in seen else _stands_for(schema, root)
        seen.add(id(schema))
        if target is None:
            break
        schema = target
    return annotations, schema


def _annotates(keyword: str) -> bool:
    """Whether a keyword accepts every value, as one that is not defined does (Core, 6.5)."""
    return keyword not in _DEFINED and not keyword.startswith("$")


def _stands_for(schema: Json, root: Any) -> Any:
    """The target of a schema that is only a reference or has a single branch, or ``None``."""
    match [key for key in schema if not _annotates(key) and key not in _SILENT]:
        case ["$ref"]:
            return resolve_reference(schema["$ref"], root)
        case [only] if only in _WRAPPERS and len(schema[only]) == 1:
            return schema[only][0]
    return None


def body_of(schema: Any, root: Any) -> Json:
    """The assertions of a schema."""
    return asserted_by(follow(schema, root)[1], root)


def asserted_by(schema: Any, root: Any = None) -> Json:
    """A schema without annotations, as an object; ``NOTHING`` if it accepts nothing."""
    if type(schema) is bool:
        return {} if schema else NOTHING
    body: Json = bare(schema)
    if "$ref" in body and len(body) > 1:
        reference = {"$ref": body.pop("$ref")}
        body["allOf"] = [*body.get("allOf", ()), reference]
    body = _without_conditions(body, root)
    if any(asserted_by(branch) == {} for branch in body.get("anyOf", ())):
        del body["anyOf"]  # it accepts anything
    if type(body.get("type")) is list and _own_types({"type": body["type"]}) == _ALL_TYPES:
        del body["type"]
    if body.keys() <= {"type", "oneOf"} and (values := _listed(body.get("oneOf", ()))):
        body["enum"] = values
        del body["oneOf"]
    is_empty = body.get("not") in ({}, True) or choices_of(body) == []
    return NOTHING if is_empty else body


def _without_conditions(body: Json, root: Any) -> Json:
    """A body with all its conditions beside its other keywords, if that means the same.

    A condition may be a reference, but the conditions in its target may not: they may be many.
    """
    if "allOf" not in body:
        return body
    whole = without(body, "allOf")
    ends = body["allOf"]
    if root is not None:
        ends = [follow(condition, root)[1] for condition in ends]
    if any(each.startswith(_APART) for end in ends if type(end) is dict for each in end):
        return body
    for end in ends:
        joined = _joined(whole, asserted_by(end))
        if joined is None:
            return body
        whole = joined
    return whole


_APART = ("$", "unevaluated", "allOf")
"""How keywords begin that mean something else, or too much, beside others."""


def _joined(one: Json, other: Json) -> Json | None:
    """One body that asserts what two do; ``None`` if none does simply."""
    for keyword in one.keys() & other.keys():
        own, others = one[keyword], other[keyword]
        is_apart = keyword == "properties" and own.keys().isdisjoint(others)
        is_merged = is_apart or keyword == "required" or keyword in BOUNDS
        if not is_merged and canonical(own) != canonical(others):
            return None
    for neighbors in _NEIGHBORS:
        if neighbors.isdisjoint(one) or neighbors.isdisjoint(other):
            continue
        if (one.keys() | other.keys()) & neighbors != {"properties"}:
            return None
    return merge(one, other)


_NEIGHBORS = (
    {"properties", "patternProperties", "additionalProperties"},
    {"items", "prefixItems", "contains", "minContains", "maxContains"},
    {"if", "then", "else"},
)
"""Keywords that change the meaning of those beside them."""


def _listed(branches: Iterable[Any]) -> list[Any] | None:
    """The values of a ``oneOf`` that lists values, each with its text, as ``enum`` would."""
    bodies = [bare(branch) for branch in branches]
    if any(type(body) is bool or body.keys() != {"const"} for body in bodies):
        return None
    values = [body["const"] for body in bodies]
    return values if len({*map(json_key, values)}) == len(values) else None


def bare(schema: Any) -> Any:
    """A schema without its own annotations."""
    if type(schema) is bool:
        return schema
    return {k: v for k, v in schema.items() if not _annotates(k) and k not in _SILENT}


def branches_of(schema: Any, root: Any, seen: set[int] | None = None) -> list[Any]:
    """The branches of a schema that is only a union, each once; otherwise, the schema itself."""
    seen = set() if seen is None else seen
    end = follow(schema, root)[1]
    body = asserted_by(end, root)
    union = body.get("anyOf", body.get("oneOf", ()))
    if union and len(body) == 1 and ("anyOf" in body or are_disjoint(union, root.get("$defs", {}))):
        if id(end) in seen:
            return []
        seen.add(id(end))
        return [each for branch in union for each in branches_of(branch, root, seen)]
    if type(body.get("type")) is list and choices_of(body) is None:
        return [{**body, "type": each} for each in body["type"]]
    return [schema]


def choices_of(body: Json) -> list[Any] | None:
    """The values that a body lists, except those of another type."""
    if body.get("type") == "null":
        return [None]
    choices: list[Any] | None = [body["const"]] if "const" in body else body.get("enum")
    if choices is None or "type" not in body:
        return choices
    return [value for value in choices if is_valid(value, {"type": body["type"]})]


def choices_keep(old: Json, new: Json, *keywords: str) -> bool:
    """Whether all old choices are valid under the new values of some keywords."""
    choices = choices_of(old)
    asked = {keyword: new[keyword] for keyword in keywords if keyword in new}
    return choices is not None and all(is_valid(value, asked) for value in choices)


def types_of(body: Json) -> frozenset[str]:
    """The JSON types that a body accepts; an integer is a number, too."""
    conditions = [each for each in body.get("allOf", ()) if type(each) is dict]
    return _own_types(body).intersection(*map(_own_types, conditions))


def _own_types(body: Json) -> frozenset[str]:
    """The same, whatever its conditions are."""
    named = body.get("type")
    choices = choices_of(body)
    if named is not None:
        types = {named} if type(named) is str else set(named)
    elif choices is not None:
        types = {json_type(value) for value in choices}
    else:
        return _ALL_TYPES
    if "number" in types and type(body.get("multipleOf")) is int:
        types.discard("number")
        types.add("integer")
    return frozenset(types | {"integer"} if "number" in types else types)


def named_properties(body: Json) -> Json:
    """The properties that a body names, including those that are only required."""
    properties: Json = body.get("properties", {})
    others = True if "patternProperties" in body else body.get("additionalProperties", True)
    return dict.fromkeys((*properties, *body.get("required", ())), others) | properties


_ABOUT_NAMES = {"propertyNames", "patternProperties", "minProperties", "maxProperties"}


def takes_any_name(body: Json, *, is_root: bool) -> bool:
    """Whether callers are expected to send names that an object does not name: it is a mapping.

    An object without properties is one, unless it is the root: a tool may have no parameters.
    """
    is_bare = is_root and body.keys().isdisjoint(_ABOUT_NAMES)
    others = body.get("additionalProperties", not is_bare)
    if type(others) is dict and others:
        return True
    return others is not False and body.keys().isdisjoint({"properties", "required"})


# -- text for a difference ---------------------------------------------------------------------

ABSENT = object()
"""A keyword, or a proof, that is missing."""


def change_of(name: str, old: Any, new: Any) -> str:
    """The change of a keyword from *old* to *new*."""
    if old is ABSENT:
        return f"{name} {show(new)} added"
    if new is ABSENT:
        return f"{name} {show(old)} removed"
    return "{} {} -> {}".format(name, *_show_both(old, new))


def change_of_limit(
    before: Limit | None, after: Limit | None, names: tuple[str, str], sign: int
) -> str:
    """The change of a limit of numbers, which two keywords can express."""
    was, is_now = (
        "" if limit is None else f"{names[limit[1]]} {show(limit[0] * sign)}"
        for limit in (before, after)
    )
    if before is None or after is None:
        return f"{is_now} added" if before is None else f"{was} removed"
    return f"{was} -> {show(after[0] * sign) if before[1] == after[1] else is_now}"


def show(value: Any) -> str:
    """A JSON value, shortened to a part of a line."""
    return cut(json.dumps(value, ensure_ascii=False))


def show_list(values: list[Any]) -> str:
    """A few JSON values, shortened to a part of a line."""
    shown = ", ".join(map(show, values[:8]))
    return f"{shown}, ..." if values[8:] else shown


def cut(text: str, most: int = 60) -> str:
    """A string, cut to a number of characters."""
    return f"{text[: most - 4]} ..." if text[most:] else text


def _show_both(old: Any, new: Any) -> tuple[str, str]:
    """Two values; if they do not fit into a line, from shortly before they differ."""
    texts = [json.dumps(value, ensure_ascii=False) for value in (old, new)]
    same = alike(*texts)
    start = same - _KEPT if same > 2 * _KEPT else 0
    lead = "... " if start else ""
    return cut(lead + texts[0][start:]), cut(lead + texts[1][start:])


_KEPT = 20
"""How many equal characters are shown before a difference, if there are many."""


def alike(one: str, other: str) -> int:
    """The number of characters before two texts differ."""
    differing = (index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differing, min(len(one), len(other)))


def label_of(schema: Any, root: Any, depth: int = 4) -> str:
    """A readable name for a schema: ``array of integer``, ``string | null``."""
    while type(schema) is dict and len(schema.get("anyOf", ())) == 1:
        (schema,) = schema["anyOf"]
    if type(schema) is dict and "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    branches = branches_of(schema, root)
    if len(branches) > 1 and depth:
        return label_of_union(branches, root, depth - 1)
    annotations, end = follow(schema, root)
    body = asserted_by(end, root)
    choices = choices_of(body)
    if choices is not None:
        return " | ".join([*map(show, choices[:3]), *(["..."] if choices[3:] else [])])
    if body is NOTHING:
        return "no value"
    name = str(body.get("type", "some values" if body else "any value"))
    inner = body.get({"array": "items", "object": "additionalProperties"}.get(name, ""))
    if type(inner) is dict and inner and depth:
        return f"{name} of {label_of(inner, root, depth - 1)}"
    return str(annotations["title"]) if name == "object" and "title" in annotations else name


def label_of_union(branches: Iterable[Any], root: Any, depth: int = 4) -> str:
    """A readable name for the branches of a union: ``string | null``."""
    return " | ".join(dict.fromkeys(label_of(branch, root, depth) for branch in branches))


# -- places ----------------------------------------------------------------------------------------

NO, MAYBE, YES = 0, 1, 2
"""Whether something is true, if that can be decided."""


def yes_if(condition: object) -> int:
    """``YES`` if a condition is true, otherwise ``NO``."""
    return YES if condition else NO


def maybe_if(condition: object) -> int:
    """``MAYBE`` if a condition is true, otherwise ``NO``."""
    return MAYBE if condition else NO


class Difference(Frozen):
    """A change: whether fewer values are accepted because of it, and whether more are.

    Or a change in text that only a person or model reads.

    Attributes:
        place: Where it is.
        other: The step that may stand in place of the last one to the place: a new name.
        keywords: Those that refuse the values that prove it; any may if there are none.
    """

    place: Place
    message: str
    narrows: int = NO
    widens: int = NO
    is_of_words: bool = False
    other: str = ""
    keywords: tuple[str, ...] = ()

    def at_most(self, narrows: int, widens: int) -> Difference:
        """The same, but no surer than that."""
        return self.replace(narrows=min(self.narrows, narrows), widens=min(self.widens, widens))


Compare = Callable[[Any, Any, "Place"], Iterator[Difference]]

_WORDS = ("title", "description", "examples", "$comment")
"""The keywords that only people and models read."""

MAX_DEPTH = 64
MAX_STEPS = 50_000
"""The most steps of a comparison; beyond them, the answer is unknown."""


class Place:
    """Two subschemas at one place, and the state of the comparison.

    Attributes:
        compare: The rules for the keywords that decide which values are accepted; they come
            back here for subschemas.
        route: The steps to this place, which are the end of its path.
        pair: The subschemas that are compared: those at this place, or those around it.
        outer: The steps to the place of that pair.
    """

    def __init__(self, path: str, old_root: Any, new_root: Any, compare: Compare) -> None:
        self.compare: Compare = compare
        self.path: str = path
        self.route: tuple[str, ...] = ()
        self.pair: tuple[Any, Any] = (old_root, new_root)
        self.outer: tuple[str, ...] = ()
        self.old_root: Any = old_root
        self.new_root: Any = new_root
        self.depth: int = 0
        self.same_defs: bool = canonical(_defs(old_root)) == canonical(_defs(new_root))
        self.known: dict[tuple[int, int], Any] = {}
        self.steps: list[int] = [MAX_STEPS]

    def at(self, step: str) -> Place:
        """The place one step further; an empty step leads to a branch."""
        route = (*self.route, step) if step else self.route
        return self._copy(path=self.path + step, route=route)

    def probe(self) -> Place:
        """A copy for a trial comparison that records nothing."""
        return self._copy(known=dict(self.known))

    def swapped(self) -> Place:
        """A copy for a trial comparison of new with old."""
        known = {(new, old): kept for (old, new), kept in self.known.items()}
        return self._copy(old_root=self.new_root, new_root=self.old_root, known=known)

    def _copy(self, **changes: Any) -> Place:
        place = object.__new__(Place)
        vars(place).update({**vars(self), "depth": self.depth + 1, **changes})
        return place

    def renamed(self, there: Place) -> Place:
        """The place of a part that is in another place now."""
        return self._copy(path=f"{self.path} -> {there.path}")

    def differs(
        self, message: str, narrows: int = NO, widens: int = NO, other: str = ""
    ) -> Difference:
        """A difference at this place."""
        return Difference(self, message, narrows, widens, other=other)

    def is_same(self, old: Any, new: Any) -> bool:
        """Whether two parts, and the definitions that they refer to, have the same text."""
        text = canonical(old)
        return text == canonical(new) and self.means_the_same(text)

    def has_same_meaning(self, keyword: str, old: Any, new: Any) -> bool:
        """Whether the values of a keyword mean the same; the names of definitions do not matter."""
        if self.is_same(old, new):
            return True
        meanings = _meaning({keyword: old}, self.old_root), _meaning({keyword: new}, self.new_root)
        return all(before == after for before, after in zip_longest(*meanings))

    def means_the_same(self, text: str) -> bool:
        """Whether a string that ``canonical()`` wrote means the same on both sides."""
        return self.same_defs or '"$ref"' not in text

    def differences(self, old: Any, new: Any) -> Iterator[Difference]:
        """The changes between two subschemas at this place."""
        if self.is_same(old, new):
            return
        self.steps[0] -= 1
        if self.depth > MAX_DEPTH or self.steps[0] < 0:
            yield self.differs("too large to compare", MAYBE, MAYBE)
            return
        old_annotations, old_end = follow(old, self.old_root)
        new_annotations, new_end = follow(new, self.new_root)
        for name in old_annotations | new_annotations:  # they do not affect accepted values
            before, after = old_annotations.get(name, ABSENT), new_annotations.get(name, ABSENT)
            if ABSENT not in (before, after) and canonical(before) == canonical(after):
                continue
            if name != "title" or not self._repeat(before, old_end) & self._repeat(after, new_end):
                change = change_of(name, before, after)
                yield Difference(self, change, is_of_words=name in _WORDS)
        pair = (id(old_end), id(new_end))
        if pair not in self.known:  # so that a recursive schema ends
            self.known[pair] = (old_end, new_end)  # kept alive, so that their ids stay theirs
            here = self._copy(pair=(old, new), outer=self.route, depth=self.depth)
            yield from self.compare(old, new, here)

    def _repeat(self, title: Any, schema: Any) -> bool:
        """Whether there is no title here, or one that only repeats a name."""
        return title is ABSENT or repeats_a_name(title, schema, "".join(self.route[-1:]))

    def is_narrower(self, old: Any, new: Any) -> bool:
        """Whether *new* accepts every value that *old* accepts, as far as can be decided."""
        return not any(each.narrows for each in self.probe().differences(old, new))

    def is_wider(self, old: Any, new: Any) -> bool:
        """Whether *old* accepts every value that *new* accepts, as far as can be decided."""
        return self.swapped().is_narrower(new, old)


def _meaning(part: Json, root: Any) -> Iterator[str]:
    """The text of a part, then of each definition that it refers to, without their names."""
    told: list[Any] = [part]
    numbers: dict[int, int] = {}

    def numbered(schema: Json) -> Json:
        found = rebuild(schema, numbered)
        target = resolve_reference(found["$ref"], root) if "$ref" in found else None
        if target is not None:
            if id(target) not in numbers:
                numbers[id(target)] = len(told)
                told.append(target)
            found["$ref"] = numbers[id(target)]
        return found

    for each in told:
        yield canonical(numbered(each) if type(each) is dict else each)


def _defs(root: Any) -> Any:
    return root.get("$defs") if type(root) is dict else None


def without_titles(schema: Json) -> Json:
    """A schema without any title, at any depth."""
    return without(rebuild(schema, without_titles), "title")


def without_words(schema: Any) -> Any:
    """A schema without its own text for people and models."""
    return schema if type(schema) is bool else without(schema, *_WORDS)


def canonical(value: Any) -> str:
    """A string that is the same for two JSON values only if they are equal."""
    return json.dumps(value, sort_keys=True)


def renamed(gone: Mapping[str, str], come: Mapping[str, str]) -> dict[str, str]:
    """The new names of things that have the same text, which no other thing has.

    Args:
        gone: The texts of those whose names are gone.
        come: The texts of those whose names are new.
    """
    olds, news = map(_names_of_single_texts, (gone, come))
    return {old: news[text] for text, old in olds.items() if text in news}


def _names_of_single_texts(texts: Mapping[str, str]) -> dict[str, str]:
    times = Counter(texts.values())
    return {text: name for name, text in texts.items() if times[text] == 1}


# -- unions ------------------------------------------------------------------------------------


def compare_unions(olds: list[Any], news: list[Any], place: Place) -> Iterator[Difference]:
    """Compare branches: drop equal ones, compare those with one label, report the others."""
    gone = [old for old in olds if not any(_is_alike(old, new, place) for new in news)]
    come = [new for new in news if not any(_is_alike(old, new, place) for old in olds)]
    for old, new in _only_ones(gone, come, (olds, news), place) or _pairs(gone, come, place):
        gone.remove(old)
        come.remove(new)
        yield from place.at("").differences(old, new)
    if gone or come:
        before = label_of_union(olds, place.old_root)
        after = label_of_union(news, place.new_root)
        yield place.differs(
            _exchanged(gone, come, place) if before == after else f"type {before} -> {after}",
            _loss(gone, news, place),
            _loss(come, olds, place.swapped()),
        )


def _exchanged(gone: list[Any], come: list[Any], place: Place) -> str:
    """The message about changed branches with the same labels."""
    before = label_of_union(gone, place.old_root)
    if not gone:
        return f"another {label_of_union(come, place.new_root)} added"
    return f"alternatives of {before} changed" if come else f"one {before} removed"


def _is_alike(old: Any, new: Any, place: Place) -> bool:
    return not any(True for _ in place.probe().differences(old, new))


def _only_ones(
    gone: list[Any], come: list[Any], all_branches: tuple[list[Any], list[Any]], place: Place
) -> list[tuple[Any, Any]]:
    """Pairs of branches to compare: on either side, no other branch accepts their types."""
    olds, news = all_branches
    return [
        (old, new)
        for old in gone
        for new in come
        if (types := _types(old, place.old_root)) == _types(new, place.new_root)
        and sum(not types.isdisjoint(_types(each, place.old_root)) for each in olds) == 1
        and sum(not types.isdisjoint(_types(each, place.new_root)) for each in news) == 1
    ]


def _types(branch: Any, root: Any) -> frozenset[str]:
    return types_of(body_of(branch, root))


def _pairs(gone: list[Any], come: list[Any], place: Place) -> list[tuple[Any, Any]]:
    """Pairs of branches with the same label, which no other branch of their side has."""
    olds = [(label_of(branch, place.old_root), branch) for branch in gone]
    news = [(label_of(branch, place.new_root), branch) for branch in come]
    old_labels, new_labels = [label for label, _ in olds], [label for label, _ in news]
    return [
        (old, new)
        for label, old in olds
        for other, new in news
        if label == other and old_labels.count(label) == new_labels.count(label) == 1
    ]


def _loss(branches: list[Any], others: list[Any], place: Place) -> int:
    """Whether values of the old branches are lost: surely, if no new branch has their type."""
    lost = [old for old in branches if not any(place.is_narrower(old, new) for new in others)]
    if not lost:
        return NO
    kept = {each for new in others for each in _types(new, place.new_root)}
    is_sure = any(not _types(old, place.old_root) <= kept for old in lost)
    return YES if is_sure else MAYBE
