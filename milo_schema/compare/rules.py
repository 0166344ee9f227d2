"""The rules of comparison: each compares one aspect, such as bounds, choices or properties.

A rule is called with the old body, the new body, and the place. For each difference it decides
whether fewer values are accepted, and whether more are. ``RULES`` has the keywords that each rule
reads; a keyword without a rule is compared as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from milo_schema.annotations import Json
from milo_schema.compare.places import (
    ABSENT,
    MAYBE,
    NO,
    NOTHING,
    YES,
    Difference,
    Place,
    bare,
    body_of,
    branches_of,
    canonical,
    change_of,
    change_of_limit,
    choices_keep,
    choices_of,
    compare_unions,
    label_of,
    maybe_if,
    named_properties,
    renamed,
    show_list,
    takes_any_name,
    types_of,
    without_words,
    yes_if,
)
from milo_schema.json_schema import TYPES
from milo_schema.json_schema.keywords import BOUNDS, COUNT, KEYWORDS, WITH_SUBSCHEMAS, strictest
from milo_schema.json_schema.subschemas import in_place, step_to, without
from milo_schema.json_schema.validation import is_valid
from milo_schema.json_schema.values import json_key

Rule = Callable[[Json, Json, Place], Iterator[Difference]]


# -- whole schemas -----------------------------------------------------------------------------


def compare_assertions(old: Any, new: Any, place: Place) -> Iterator[Difference]:
    """Compare all keywords that restrict values."""
    old, new = bare(old), bare(new)
    old_body, new_body = body_of(old, place.old_root), body_of(new, place.new_root)
    olds, news = branches_of(old, place.old_root), branches_of(new, place.new_root)
    if not old_body or not new_body or old_body is NOTHING or new_body is NOTHING:
        if old_body != new_body:  # one of them accepts anything, or nothing
            yield place.differs(
                _change_of_type(old, new, place),
                yes_if(new_body and old_body is not NOTHING),
                yes_if(old_body and new_body is not NOTHING),
            )
    elif len(olds) == len(news) == 1:
        yield from _compare_keywords(old_body, new_body, place)
    else:
        yield from compare_unions(olds, news, place)


def _compare_keywords(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    old_types, new_types = types_of(old), types_of(new)
    shared = old_types & new_types
    is_listed = None not in (choices_of(old), choices_of(new)) and shared
    if old_types != new_types and not is_listed:  # the choices imply the types
        yield place.differs(
            _change_of_type(old, new, place),
            yes_if(old_types - new_types),
            yes_if(new_types - old_types),
        ).replace(keywords=("type", "enum", "const"))
    narrows, widens = (YES if each.keys().isdisjoint(_CONDITIONS) else MAYBE for each in (old, new))
    for keywords, rule in RULES:
        if not shared.isdisjoint(_types_about(keywords[0])):
            is_decided_here = keywords[0] not in _DECIDED_BY_OTHERS
            for found in rule(old, new, place):
                each = found.replace(keywords=keywords) if is_decided_here else found
                yield each.at_most(narrows, widens)
    if shared:
        for keyword in sorted((old.keys() | new.keys()) - _WITH_RULE):
            yield from _whole_change(keyword)(old, new, place)


_DECIDED_BY_OTHERS = WITH_SUBSCHEMAS | {"enum"}
"""The keywords of which a change may be proved by others: by those inside, or beside it."""


_CONDITIONS = frozenset(
    {"allOf", "anyOf", "oneOf", "not", "if", "unevaluatedItems", "unevaluatedProperties"}
)
"""Keywords that may already assert what is added beside them, or still assert what is removed."""


def _types_about(keyword: str) -> tuple[str, ...]:
    return KEYWORDS[keyword].types if keyword in KEYWORDS else TYPES


def _change_of_type(old: Any, new: Any, place: Place) -> str:
    return f"type {label_of(old, place.old_root)} -> {label_of(new, place.new_root)}"


def _whole_change(keyword: str) -> Rule:
    """A rule for a keyword with values that can only be equal or different."""

    def rule(old: Json, new: Json, place: Place) -> Iterator[Difference]:
        before, after = old.get(keyword, ABSENT), new.get(keyword, ABSENT)
        if before is ABSENT or after is ABSENT:
            is_odd = keyword not in _CONJOINED
            narrows = maybe_if(is_odd or before is ABSENT)
            widens = maybe_if(is_odd or after is ABSENT)
            yield place.differs(change_of(keyword, before, after), narrows, widens)
        elif not place.has_same_meaning(keyword, before, after):
            yield place.differs(f"{keyword} changed", MAYBE, MAYBE)
        elif keyword.startswith("unevaluated"):  # its meaning depends on other keywords
            yield place.differs(f"{keyword} depends on something that changed", MAYBE, MAYBE)

    return rule


_CONJOINED = frozenset(
    {"anyOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"}
)
"""Keywords that assert something by themselves: without them, more values are accepted."""


# -- any value ---------------------------------------------------------------------------------


def _choices(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    before, after = choices_of(old), choices_of(new)
    if before is not None and after is not None:
        if removed := _without(before, after):
            yield place.differs(f"{_name_choices(removed)} removed", narrows=YES)
        if added := _without(after, before):
            yield place.differs(f"{_name_choices(added)} added", widens=YES)
    elif after is not None:
        yield place.differs(f"limited to {show_list(after)}", narrows=YES)
    elif before is not None:
        is_kept = all(is_valid(value, new, place.new_root) for value in before)
        message = f"no longer limited to {show_list(before)}"
        yield place.differs(message, maybe_if(not is_kept), YES)


def _without(values: list[Any], others: list[Any]) -> list[Any]:
    known = {json_key(value) for value in others}
    return [value for value in values if json_key(value) not in known]


def _name_choices(values: list[Any]) -> str:
    return f"{'choice' if len(values) == 1 else 'choices'} {show_list(values)}"


def _conditions(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    """``allOf``: each assertion of one side has to be an assertion of the other side, too."""
    if place.is_same(old.get("allOf"), new.get("allOf")):
        return
    befores, afters = ([without(body, "allOf"), *body.get("allOf", ())] for body in (old, new))
    narrows = any(
        not any(place.is_narrower(before, after) for before in befores) for after in afters[1:]
    )
    widens = any(
        not any(place.is_wider(before, after) for after in afters) for before in befores[1:]
    )
    yield place.differs("conditions (allOf) changed", maybe_if(narrows), maybe_if(widens))


def _uniqueness(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    before, after = old.get("uniqueItems", False), new.get("uniqueItems", False)
    if before != after:
        message = "items must be unique" if after else "items need not be unique"
        yield place.differs(message, yes_if(after), yes_if(before))


def _inner_union(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    """A union beside other keywords."""
    if "anyOf" in old and "anyOf" in new:
        yield from compare_unions(old["anyOf"], new["anyOf"], place)
    elif "anyOf" in old or "anyOf" in new:
        yield from _whole_change("anyOf")(old, new, place)


# -- numbers and counts ------------------------------------------------------------------------


def _limit(inclusive: str, exclusive: str) -> Rule:
    """A rule for a lower or upper limit of numbers, which two keywords can express."""
    names = (inclusive, exclusive)
    sign = 1 if BOUNDS[inclusive] is max else -1

    def rule(old: Json, new: Json, place: Place) -> Iterator[Difference]:
        before, after = (
            strictest(body, names, sign, whole="number" not in types_of(body))
            for body in (old, new)
        )
        if before == after:
            return
        is_kept = after is None or (before is not None and before > after)
        narrows = not is_kept and not choices_keep(old, new, *names)
        widens = before is not None and (after is None or before > after)
        message = change_of_limit(before, after, names, sign)
        yield place.differs(message, yes_if(narrows), yes_if(widens))

    return rule


def _size_change(keyword: str) -> Rule:
    """A rule for a bound of a length, or of the number of items or properties."""
    narrower = BOUNDS[keyword]
    none = 0 if narrower is max else math.inf

    def rule(old: Json, new: Json, place: Place) -> Iterator[Difference]:
        before, after = old.get(keyword, none), new.get(keyword, none)
        if before != after:
            message = change_of(keyword, old.get(keyword, ABSENT), new.get(keyword, ABSENT))
            is_narrower = narrower(before, after) == after
            narrows = is_narrower and not choices_keep(old, new, keyword)
            yield place.differs(message, yes_if(narrows), yes_if(not is_narrower))

    return rule


# -- other assertions --------------------------------------------------------------------------


def _assertion(keyword: str) -> Rule:
    """A rule for a keyword that stands alone: a pattern, a format."""

    def rule(old: Json, new: Json, place: Place) -> Iterator[Difference]:
        before, after = old.get(keyword, ABSENT), new.get(keyword, ABSENT)
        if before == after:
            return
        narrows = widens = MAYBE
        if before is ABSENT or after is ABSENT:
            is_kept = keyword == "pattern" and choices_keep(old, new, keyword)
            narrows = yes_if(before is ABSENT and not is_kept)
            widens = yes_if(after is ABSENT)
        yield place.differs(change_of(keyword, before, after), narrows, widens)

    return rule


def _multiples(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    before, after = _factor(old), _factor(new)
    if before != after and ("multipleOf" in old or "multipleOf" in new):
        change = (each.get("multipleOf", ABSENT) for each in (old, new))
        is_kept = _is_multiple(before, after) or choices_keep(old, new, "multipleOf")
        widens = not _is_multiple(after, before)
        yield place.differs(change_of("multipleOf", *change), yes_if(not is_kept), yes_if(widens))


def _factor(body: Json) -> Fraction | None:
    """The number of which all numbers are multiples: of an integer, 1 at least."""
    factor = Fraction(str(body["multipleOf"])) if "multipleOf" in body else None
    if "number" in types_of(body):
        return factor
    return Fraction(factor.numerator) if factor else Fraction(1)


def _is_multiple(one: Fraction | None, other: Fraction | None) -> bool:
    """Whether a multiple of one number is a multiple of the other: of 6, it is one of 3."""
    return other is None or (one is not None and (one / other).denominator == 1)


# -- arrays ------------------------------------------------------------------------------------


def _array_items(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    olds, news = old.get("prefixItems", []), new.get("prefixItems", [])
    old_rest, new_rest = old.get("items", True), new.get("items", True)
    for index in range(max(len(olds), len(news))):
        before = olds[index] if index < len(olds) else old_rest
        after = news[index] if index < len(news) else new_rest
        yield from place.at(f"[{index}]").differences(before, after)
    yield from place.at("[]").differences(old_rest, new_rest)


# -- objects -----------------------------------------------------------------------------------


def _named(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    befores, afters = named_properties(old), named_properties(new)
    old_required, new_required = set(old.get("required", ())), set(new.get("required", ()))
    new_names = _renamed(old, new, place)
    named_by_conditions = _named_by_conditions(old, place)
    for name in befores | afters:
        here = place.at(step_to(name))
        if name in new_names.values():
            continue
        if name in new_names:
            yield _renaming(name, new_names[name], old, new, place)
        elif name not in befores:
            added = _added(old, afters[name], here, is_required=name in new_required)
            least = maybe_if(name in named_by_conditions)
            yield added.replace(narrows=max(added.narrows, least), widens=max(added.widens, least))
        elif name not in afters:
            yield _removed(befores[name], new, here, is_required=name in old_required)
        else:
            if name in new_required - old_required:
                yield here.differs("optional -> required", narrows=YES)
            if name in old_required - new_required:
                yield here.differs("required -> optional", widens=YES)
            yield from here.differences(befores[name], afters[name])


def _named_by_conditions(old: Json, place: Place) -> set[str]:
    """The properties that conditions of an object name, so that callers may send them."""
    if old.keys().isdisjoint(_CONDITIONS):
        return set()
    return {name for each in in_place([old], place.old_root) for name in named_properties(each)}


def _renamed(old: Json, new: Json, place: Place) -> dict[str, str]:
    """The new names of properties: of those that are gone and new, just one each has their shape.

    The shape of a property is its schema without words, and whether it is required.
    """
    gone, come = (
        {
            name: canonical([name in body.get("required", ()), without_words(schema)])
            for name, schema in body.get("properties", {}).items()
            if name not in other.get("properties", {})
        }
        for body, other in ((old, new), (new, old))
    )
    names = renamed(gone, come)
    return {name: names[name] for name in names if place.means_the_same(gone[name])}


def _renaming(name: str, new_name: str, old: Json, new: Json, place: Place) -> Difference:
    """A property with a new name: it was removed, and another one was added."""
    here, there = place.at(step_to(name)), place.at(step_to(new_name))
    removed, added = old["properties"][name], new["properties"][new_name]
    required = name in old.get("required", ())
    both = (
        _removed(removed, new, here, is_required=required),
        _added(old, added, there, is_required=required),
    )
    return here.renamed(there).differs(
        "renamed",
        max(each.narrows for each in both),
        max(each.widens for each in both),
        other=step_to(new_name),
    )


def _added(old: Json, added: Any, place: Place, *, is_required: bool) -> Difference:
    """A new property: callers of a mapping, who sent it like any other name, may have to change."""
    others = old.get("additionalProperties", True)
    narrows = widens = NO
    if others is False or takes_any_name(old, is_root=not place.outer):
        narrows = maybe_if(not place.is_narrower(others, added))
        widens = NO if place.is_wider(others, added) else YES if others is False else MAYBE
    if is_required:
        narrows = YES
    return place.differs(f"added, {'required' if is_required else 'optional'}", narrows, widens)


def _removed(removed: Any, new: Json, place: Place, *, is_required: bool) -> Difference:
    """A property that was removed: for callers who send it, it is ignored or an error."""
    others = new.get("additionalProperties")
    is_elsewhere = not new.keys().isdisjoint({"patternProperties", *_CONDITIONS})
    narrows, widens = MAYBE if is_elsewhere else YES, NO
    if others is not None:
        narrows = NO if place.is_narrower(removed, others) else narrows
        widens = maybe_if(not place.is_wider(removed, others))
    return place.differs("removed", narrows, YES if is_required else widens)


def _further_properties(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    before, after = old.get("additionalProperties", True), new.get("additionalProperties", True)
    if before is not after and False in (before, after):
        message = f"additional properties {'forbidden' if after is False else 'allowed'}"
        yield place.differs(message, maybe_if(after is False), maybe_if(before is False))
    else:
        is_root = not place.outer
        least, most = (
            YES if takes_any_name(each, is_root=is_root) else MAYBE for each in (old, new)
        )
        for each in place.at("{}").differences(before, after):  # which callers send to a mapping
            yield each.at_most(least, most)


def _pattern_properties(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    befores, afters = old.get("patternProperties", {}), new.get("patternProperties", {})
    names, other_names = named_properties(old).keys(), named_properties(new).keys()
    if befores.keys() != afters.keys() or (befores and names != other_names):
        message = "patternProperties, or the properties beside them, changed"
        yield place.differs(message, MAYBE, MAYBE)
    else:
        for pattern in befores:
            yield from place.at("{}").differences(befores[pattern], afters[pattern])


def _names(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    yield from place.at("{name}").differences(_schema_of_names(old), _schema_of_names(new))


def _schema_of_names(body: Json) -> Any:
    """The schema of names, which are always strings, so that the type does not matter."""
    schema = body.get("propertyNames", {})
    is_plain = type(schema) is dict and all(_types_about(key) == ("string",) for key in schema)
    return {"type": "string", **schema} if is_plain else schema


# -- the table ---------------------------------------------------------------------------------


def _counts_of(type_name: str) -> list[tuple[tuple[str, ...], Rule]]:
    """The rules for the number of characters, items or properties of a type."""
    counts = [name for name in BOUNDS if KEYWORDS[name].value is COUNT]
    return [
        ((name,), _size_change(name)) for name in counts if KEYWORDS[name].types == (type_name,)
    ]


RULES: list[tuple[tuple[str, ...], Rule]] = [
    *[
        ((row.inclusive, name), _limit(row.inclusive, name))
        for name, row in KEYWORDS.items()
        if row.inclusive
    ],
    (("multipleOf",), _multiples),
    *_counts_of("string"),
    *[
        ((keyword,), _assertion(keyword))
        for keyword in ("pattern", "format", "contentEncoding", "contentMediaType")
    ],
    (("items", "prefixItems"), _array_items),
    (("uniqueItems",), _uniqueness),
    *_counts_of("array"),
    (("properties", "required"), _named),
    (("additionalProperties",), _further_properties),
    (("patternProperties",), _pattern_properties),
    (("propertyNames",), _names),
    *_counts_of("object"),
    (("enum", "const"), _choices),
    (("allOf",), _conditions),
    (("anyOf",), _inner_union),
]
"""The comparisons, in order: the keywords that a rule reads, and the rule. It applies if both
sides accept values of a type that its first keyword restricts."""

_WITH_RULE = {"type"}.union(*(keywords for keywords, _ in RULES))
