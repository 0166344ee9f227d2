"""The rules of comparison: each compares one aspect, such as bounds, choices or properties.

A rule is called with the old body, the new body, and the place. For each difference it decides
whether fewer values are accepted, and whether more are. ``RULES`` has the keywords that each rule
reads; a keyword without a rule is compared as a whole.
"""

from __future__ import annotations

import math
from fractions import Fraction

from milo_schema.annotations import Any, Callable, Iterator, Json
from milo_schema.comparison.bodies import (
    NOTHING,
    bare,
    body_of,
    branches_of,
    choices_keep,
    choices_of,
    named_properties,
    types_of,
)
from milo_schema.comparison.differences import MAYBE, NO, YES, Difference, maybe_if, yes_if
from milo_schema.comparison.labels import (
    ABSENT,
    change_of,
    change_of_limit,
    label_of,
    show_list,
)
from milo_schema.comparison.unions import compare_unions
from milo_schema.json_schema import TYPES
from milo_schema.json_schema.bounds import Limit, strictest
from milo_schema.json_schema.keywords import BOUNDS, COUNT, KEYWORDS
from milo_schema.json_schema.validation import is_valid, step_to
from milo_schema.json_schema.values import json_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.compare import Place
else:
    Place = Any

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
            yes_if(not old_types <= new_types),
            yes_if(not new_types <= old_types),
        )
    for keywords, rule in RULES:
        if not shared.isdisjoint(_types_about(keywords[0])):
            yield from rule(old, new, place)
    if shared:
        yield from _compare_others(old, new, place)


def _types_about(keyword: str) -> tuple[str, ...]:
    return KEYWORDS[keyword].types if keyword in KEYWORDS else TYPES


def _change_of_type(old: Any, new: Any, place: Place) -> str:
    return f"type {label_of(old, place.old_root)} -> {label_of(new, place.new_root)}"


def _compare_others(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    """Compare the keywords that have no rule."""
    for keyword in sorted((old.keys() | new.keys()) - _WITH_RULE):
        yield from _whole(keyword)(old, new, place)


def _whole(keyword: str) -> Rule:
    """A rule for a keyword with values that can only be equal or different."""

    def rule(old: Json, new: Json, place: Place) -> Iterator[Difference]:
        before, after = old.get(keyword, ABSENT), new.get(keyword, ABSENT)
        if before is ABSENT or after is ABSENT:
            is_odd = keyword not in _CONJOINED
            narrows = maybe_if(is_odd or before is ABSENT)
            widens = maybe_if(is_odd or after is ABSENT)
            yield place.differs(change_of(keyword, before, after), narrows, widens)
        elif not place.is_same(before, after):
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
            message = f"{_count_of_choices(removed)} {show_list(removed)} removed"
            yield place.differs(message, narrows=YES)
        if added := _without(after, before):
            message = f"{_count_of_choices(added)} {show_list(added)} added"
            yield place.differs(message, widens=YES)
    elif after is not None:
        yield place.differs(f"limited to {show_list(after)}", narrows=YES)
    elif before is not None:
        is_kept = all(is_valid(value, new, place.new_root) for value in before)
        message = f"no longer limited to {show_list(before)}"
        yield place.differs(message, maybe_if(not is_kept), YES)


def _without(values: list[Any], others: list[Any]) -> list[Any]:
    known = {json_key(value) for value in others}
    return [value for value in values if json_key(value) not in known]


def _count_of_choices(values: list[Any]) -> str:
    return "choice" if len(values) == 1 else "choices"


def _conditions(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    """``allOf``: each assertion of one side has to be an assertion of the other side, too."""
    if place.is_same(old.get("allOf"), new.get("allOf")):
        return
    befores, afters = _conjuncts(old), _conjuncts(new)
    narrows = any(
        not any(place.is_narrower(before, after) for before in befores) for after in afters[1:]
    )
    widens = any(
        not any(place.is_wider(before, after) for after in afters) for before in befores[1:]
    )
    yield place.differs("conditions (allOf) changed", maybe_if(narrows), maybe_if(widens))


def _conjuncts(body: Json) -> list[Any]:
    """A body without its ``allOf``, and the members of it."""
    return [{key: value for key, value in body.items() if key != "allOf"}, *body.get("allOf", ())]


def _nullable(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    """``nullable``, with which OpenAPI 3.0, and so the GEMINI profile, accepts null."""
    before, after = old.get("nullable", False), new.get("nullable", False)
    if before != after:
        message = "null added" if after else "null removed"
        yield place.differs(message, yes_if(before), yes_if(after))


def _union(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    """A union beside other keywords."""
    if "anyOf" in old and "anyOf" in new:
        yield from compare_unions(old["anyOf"], new["anyOf"], place)
    elif "anyOf" in old or "anyOf" in new:
        yield from _whole("anyOf")(old, new, place)


# -- numbers and counts ------------------------------------------------------------------------


def _limit(inclusive: str, exclusive: str) -> Rule:
    """A rule for a lower or upper limit of numbers, which two keywords can express."""
    names = (inclusive, exclusive)
    sign = 1 if BOUNDS[inclusive] is max else -1

    def rule(old: Json, new: Json, place: Place) -> Iterator[Difference]:
        before, after = _strictest(old, names, sign), _strictest(new, names, sign)
        if before == after:
            return
        is_kept = after is None or (before is not None and before > after)
        narrows = not is_kept and not choices_keep(old, new, *names)
        widens = before is not None and (after is None or before > after)
        message = change_of_limit(before, after, names, sign)
        yield place.differs(message, yes_if(narrows), yes_if(widens))

    return rule


def _strictest(body: Json, names: tuple[str, str], sign: int) -> Limit | None:
    return strictest(body, names, sign, whole="number" not in types_of(body))


def _count(keyword: str) -> Rule:
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


def _multiple_of(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    before, after = old.get("multipleOf", ABSENT), new.get("multipleOf", ABSENT)
    if before == after:
        return
    message = change_of("multipleOf", before, after)
    if before is ABSENT or after is ABSENT:
        narrows = before is ABSENT and not choices_keep(old, new, "multipleOf")
        yield place.differs(message, yes_if(narrows), yes_if(after is ABSENT))
    else:  # a multiple of 6 is one of 3, not vice versa; in decimals, because 0.3 is 3 times 0.1
        exact = Fraction(str(before)) / Fraction(str(after))
        is_kept, was_kept = exact.denominator == 1, exact.numerator == 1
        yield place.differs(message, yes_if(not is_kept), yes_if(not was_kept))


# -- strings -----------------------------------------------------------------------------------


def _verbatim(keyword: str) -> Rule:
    """A rule for a keyword with values that cannot be compared: a pattern, a format."""

    def rule(old: Json, new: Json, place: Place) -> Iterator[Difference]:
        before, after = old.get(keyword, ABSENT), new.get(keyword, ABSENT)
        if before == after:
            return
        message = change_of(keyword, before, after)
        if before is ABSENT:
            is_kept = keyword == "pattern" and choices_keep(old, new, keyword)
            yield place.differs(message, narrows=yes_if(not is_kept))
        elif after is ABSENT:
            yield place.differs(message, widens=YES)
        else:
            yield place.differs(message, MAYBE, MAYBE)

    return rule


# -- arrays ------------------------------------------------------------------------------------


def _items(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    olds, news = old.get("prefixItems", []), new.get("prefixItems", [])
    old_rest, new_rest = old.get("items", True), new.get("items", True)
    for index in range(max(len(olds), len(news))):
        before = olds[index] if index < len(olds) else old_rest
        after = news[index] if index < len(news) else new_rest
        yield from place.at(f"[{index}]").differences(before, after)
    yield from place.at("[]").differences(old_rest, new_rest)


def _unique(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    before, after = old.get("uniqueItems", False), new.get("uniqueItems", False)
    if before != after:
        message = "items must be unique" if after else "items need not be unique"
        yield place.differs(message, yes_if(after), yes_if(before))


# -- objects -----------------------------------------------------------------------------------


def _properties(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    befores, afters = named_properties(old), named_properties(new)
    old_required, new_required = set(old.get("required", ())), set(new.get("required", ()))
    for name in befores | afters:
        here = place.at(step_to(name))
        if name not in befores:
            yield _added(old, afters[name], here, is_required=name in new_required)
        elif name not in afters:
            yield _removed(befores[name], new, here, is_required=name in old_required)
        else:
            if name in new_required - old_required:
                yield here.differs("optional -> required", narrows=YES)
            if name in old_required - new_required:
                yield here.differs("required -> optional", widens=YES)
            yield from here.differences(befores[name], afters[name])


def _added(old: Json, added: Any, place: Place, *, is_required: bool) -> Difference:
    """A new property: callers who sent it as an additional property may have to change it."""
    others = old.get("additionalProperties")
    narrows = widens = NO
    if others is not None:
        narrows = maybe_if(not place.is_narrower(others, added))
        widens = NO if place.is_wider(others, added) else YES if others is False else MAYBE
    if is_required:
        return place.differs("added, required", YES, widens)
    return place.differs("added, optional", narrows, widens)


def _removed(removed: Any, new: Json, place: Place, *, is_required: bool) -> Difference:
    """A property that was removed: for callers who send it, it is ignored or an error."""
    others = new.get("additionalProperties")
    narrows, widens = YES, NO
    if others is not None:
        narrows = yes_if(not place.is_narrower(removed, others))
        widens = maybe_if(not place.is_wider(removed, others))
    return place.differs("removed", narrows, YES if is_required else widens)


def _further_properties(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    before, after = old.get("additionalProperties", True), new.get("additionalProperties", True)
    if before is not after and False in (before, after):
        message = f"additional properties {'forbidden' if after is False else 'allowed'}"
        yield place.differs(message, yes_if(after is False), yes_if(before is False))
    else:
        yield from place.at("{}").differences(before, after)


def _pattern_properties(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    befores, afters = old.get("patternProperties", {}), new.get("patternProperties", {})
    names, other_names = named_properties(old).keys(), named_properties(new).keys()
    if befores.keys() != afters.keys() or (befores and names != other_names):
        yield place.differs(
            "patternProperties, or the properties beside them, changed", MAYBE, MAYBE
        )
    else:
        for pattern in befores:
            yield from place.at("{}").differences(befores[pattern], afters[pattern])


def _property_names(old: Json, new: Json, place: Place) -> Iterator[Difference]:
    before, after = _of_strings(old, "propertyNames"), _of_strings(new, "propertyNames")
    yield from place.at("{name}").differences(before, after)


def _of_strings(body: Json, keyword: str) -> Any:
    """The schema of names, which are always strings, so that the type does not matter."""
    schema = body.get(keyword, {})
    is_plain = type(schema) is dict and all(_types_about(key) == ("string",) for key in schema)
    return {"type": "string", **schema} if is_plain else schema


# -- the table ---------------------------------------------------------------------------------


def _counts_of(type_name: str) -> list[tuple[tuple[str, ...], Rule]]:
    """The rules for the number of characters, items or properties of a type."""
    counts = [name for name in BOUNDS if KEYWORDS[name].value is COUNT]
    return [((name,), _count(name)) for name in counts if KEYWORDS[name].types == (type_name,)]


RULES: list[tuple[tuple[str, ...], Rule]] = [
    *[
        ((row.inclusive, name), _limit(row.inclusive, name))
        for name, row in KEYWORDS.items()
        if row.inclusive
    ],
    (("multipleOf",), _multiple_of),
    *_counts_of("string"),
    (("pattern",), _verbatim("pattern")),
    (("format",), _verbatim("format")),
    (("contentEncoding",), _verbatim("contentEncoding")),
    (("contentMediaType",), _verbatim("contentMediaType")),
    (("items", "prefixItems"), _items),
    (("uniqueItems",), _unique),
    *_counts_of("array"),
    (("properties", "required"), _properties),
    (("additionalProperties",), _further_properties),
    (("patternProperties",), _pattern_properties),
    (("propertyNames",), _property_names),
    *_counts_of("object"),
    (("enum", "const"), _choices),
    (("allOf",), _conditions),
    (("nullable",), _nullable),
    (("anyOf",), _union),
]
"""The comparisons, in order: the keywords that a rule reads, and the rule. It applies if both
sides accept values of a type that its first keyword restricts."""

_WITH_RULE = {"type"}.union(*(keywords for keywords, _ in RULES))
