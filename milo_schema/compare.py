"""What changed between two schemas, and whether it breaks a caller.

Each rule compares one idea of JSON Schema (bounds, choices, properties, ...) and says of each
difference whether it *narrows* what is accepted, and whether it *widens* it. Nothing else decides:
what narrows an input breaks those who call, what widens an output breaks those who read it. Where
a rule cannot tell, it says so, and that counts as breaking.

Nobody is taken to send or expect a property that a schema does not name, as long as the schema
does not say itself what further properties are.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

from milo_schema.frozen import Frozen
from milo_schema.json_schema.validation import key_of, misfits, step_to
from milo_schema.json_schema.values import json_type
from milo_schema.schemas.definitions import ANY_KIND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Literal

    Json = dict[str, Any]
    Bound = tuple[float, bool]
    Rule = Callable[[Json, Json, "_Place"], Iterator["_Difference"]]

__all__ = ["Change", "compare"]


class Change(Frozen):
    """One fact: where something changed, what, and whether it breaks those who rely on it.

    Attributes:
        path: Such as ``deploy.version``.
        message: What changed, such as ``default "latest" -> "stable"``.
        effect: ``"compatible"``, ``"breaking"``, or ``"may break"`` where nobody can tell.

    Example:
        >>> from milo_schema.compare import Change
        >>> change = Change("deploy.replicas", "added, required", "breaking")
        >>> print(change)
        deploy.replicas: added, required (breaking)
        >>> change.breaks
        True
    """

    path: str
    message: str
    effect: Literal["compatible", "breaking", "may break"]

    @property
    def breaks(self) -> bool:
        """Whether it breaks something, or may."""
        return self.effect != "compatible"

    def __str__(self) -> str:
        place = f"{self.path}: " if self.path else ""
        return f"{place}{self.message} ({self.effect})"


def compare(
    old: Mapping[str, Any], new: Mapping[str, Any], *, path: str = "", output: bool = False
) -> list[Change]:
    """Say what changed between two schemas.

    Args:
        old: The JSON Schema that callers know; its references are local.
        new: The one that they meet.
        path: What the place of each change begins with, such as the name of the function.
        output: Whether the schemas are of what comes back, where it is not the sender that has
            to keep to them but the reader who relies on them.

    Returns:
        What changed; empty if both say the same.

    Example:
        >>> from milo_schema import function_to_schema
        >>> from milo_schema.compare import compare
        >>> def deploy(version: str = "latest"): ...
        >>> before = function_to_schema(deploy)
        >>> def deploy(replicas: int, version: str = "stable"): ...
        >>> for change in compare(before, function_to_schema(deploy), path="deploy"):
        ...     print(change)
        deploy.version: default "latest" -> "stable" (compatible)
        deploy.replicas: added, required (breaking)
    """
    place = _Place(path, old, new)
    return [
        Change(each.path, each.message, _EFFECTS[each.widens if output else each.narrows])
        for each in place.differences(old, new)
    ]


# -- where we are ------------------------------------------------------------------------------

NO, MAYBE, YES = 0, 1, 2
_EFFECTS: tuple[Literal["compatible", "may break", "breaking"], ...] = (
    "compatible",
    "may break",
    "breaking",
)

MAX_DEPTH = 64
MAX_STEPS = 50_000
"""How deep and how far schemas are followed; beyond, nobody can tell."""


class _Difference:
    """Something that changed: whether fewer values are accepted for it, and whether more are."""

    __slots__ = ("message", "narrows", "path", "widens")

    def __init__(self, path: str, message: str, narrows: int = NO, widens: int = NO) -> None:
        self.path = path
        self.message = message
        self.narrows = narrows
        self.widens = widens


class _Place:
    """Two subschemas at one place, and what is known of them on the way there."""

    __slots__ = ("depth", "known", "new_root", "old_root", "path", "same_defs", "steps")

    def __init__(self, path: str, old_root: Any, new_root: Any) -> None:
        self.path = path
        self.old_root = old_root
        self.new_root = new_root
        self.depth = 0
        self.same_defs = _text(old_root.get("$defs")) == _text(new_root.get("$defs"))
        self.known: dict[tuple[int, int], Any] = {}
        self.steps = [MAX_STEPS]

    def at(self, step: str) -> _Place:
        """The same, one step further."""
        place = self._copy()
        place.path = self.path + step
        place.depth = self.depth + 1
        return place

    def aside(self) -> _Place:
        """The same place, for a question whose answer is no difference yet."""
        place = self.at("")
        place.known = dict(self.known)
        return place

    def turned(self) -> _Place:
        """The same, with new for old."""
        place = self.aside()
        place.old_root, place.new_root = self.new_root, self.old_root
        place.known = {(new, old): kept for (old, new), kept in self.known.items()}
        return place

    def _copy(self) -> _Place:
        place = object.__new__(_Place)
        for name in self.__slots__:
            setattr(place, name, getattr(self, name))
        return place

    def differs(self, message: str, narrows: int = NO, widens: int = NO) -> _Difference:
        """A difference here."""
        return _Difference(self.path, message, narrows, widens)

    def is_same(self, old: Any, new: Any) -> bool:
        """Whether two parts are written alike, and so are the definitions that they refer to."""
        text = _text(old)
        return text == _text(new) and (self.same_defs or '"$ref"' not in text)

    def differences(self, old: Any, new: Any) -> Iterator[_Difference]:
        """What changed between two subschemas here."""
        if self.is_same(old, new):
            return
        self.steps[0] -= 1
        if self.depth > MAX_DEPTH or self.steps[0] < 0:
            yield self.differs("too large to be compared", MAYBE, MAYBE)
            return
        old_notes, old_end = _follow(old, self.old_root)
        new_notes, new_end = _follow(new, self.new_root)
        yield from _notes(old_notes, new_notes, self)
        if not self.is_known(old_end, new_end):
            yield from _assertions(_bare(old), _bare(new), self)

    def is_known(self, old: Any, new: Any) -> bool:
        """Whether both have met already, so that a schema that refers to itself comes to an end."""
        pair = (id(old), id(new))
        if pair in self.known:
            return True
        self.known[pair] = (old, new)  # kept: what is gone leaves its id to something else
        return False

    def is_narrower(self, old: Any, new: Any) -> bool:
        """Whether all that *old* accepts is accepted by *new*, as far as can be told."""
        return not any(each.narrows for each in self.aside().differences(old, new))

    def is_wider(self, old: Any, new: Any) -> bool:
        """Whether all that *new* accepts is accepted by *old*, as far as can be told."""
        return self.turned().is_narrower(new, old)


# -- what is there -----------------------------------------------------------------------------

_NOTES = ("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly")
_SILENT = frozenset({"$defs", "$schema", "$comment", "discriminator", "propertyOrdering"})
_WRAPPERS = ("anyOf", "oneOf", "allOf")
_ALL_KINDS = frozenset(ANY_KIND)


def _follow(schema: Any, root: Any) -> tuple[Json, Any]:
    """What references and mere wrappers lead to, and all that is noted on the way."""
    notes: Json = {}
    for _ in range(MAX_DEPTH):
        if type(schema) is bool:
            break
        notes = {key: value for key, value in schema.items() if _is_note(key)} | notes
        asserted = {key for key in schema if not _is_note(key) and key not in _SILENT}
        only = asserted.pop() if len(asserted) == 1 else ""
        if only == "$ref" and (target := _target(schema["$ref"], root)) is not None:
            schema = target
        elif only in _WRAPPERS and len(schema[only]) == 1:
            schema = schema[only][0]
        else:
            break
    return notes, schema


def _body(schema: Any, root: Any) -> Json:
    """What a schema asserts."""
    return _asserted(_follow(schema, root)[1])


_NOTHING: Json = {"not": {}}


def _is_note(keyword: str) -> bool:
    return keyword in _NOTES or keyword.startswith("x-")


def _target(pointer: str, root: Any) -> Any:
    """What a reference leads to, or ``None``."""
    if not pointer.startswith("#"):
        return None
    for step in pointer[1:].split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")  # RFC 6901
        root = root.get(name) if type(root) is dict else None
    return root if type(root) in (dict, bool) else None


def _asserted(schema: Any) -> Json:
    """A schema without notes, as an object; ``_NOTHING`` if it accepts nothing."""
    if type(schema) is bool:
        return {} if schema else _NOTHING
    body: Json = _bare(schema)
    if "$ref" in body and len(body) > 1:
        reference = {"$ref": body.pop("$ref")}
        body["allOf"] = [*body.get("allOf", ()), reference]
    return _NOTHING if body in (_NOTHING, {"not": True}) else body


def _bare(schema: Any) -> Any:
    """A schema without its own notes."""
    if type(schema) is bool:
        return schema
    return {k: v for k, v in schema.items() if not _is_note(k) and k not in _SILENT}


def _arms(schema: Any, root: Any, trail: tuple[int, ...] = ()) -> list[Any]:
    """The alternatives of a schema that has nothing else; otherwise itself."""
    end = _follow(schema, root)[1]
    body = _asserted(end)
    if body.keys() == {"anyOf"} and id(end) not in trail:
        below = (*trail, id(end))
        return [each for arm in body["anyOf"] for each in _arms(arm, root, below)]
    if type(body.get("type")) is list and _choices(body) is None:
        return [{**body, "type": kind} for kind in body["type"]]
    return [schema]


def _choices(body: Json) -> list[Any] | None:
    """The values that a body lists, as far as they are of its type."""
    choices: list[Any] | None = [body["const"]] if "const" in body else body.get("enum")
    if choices is None or "type" not in body:
        return choices
    return [value for value in choices if not misfits(value, {"type": body["type"]})]


def _kinds(body: Json) -> frozenset[str]:
    """The types of JSON that a body accepts; an integer is a number, too."""
    named = body.get("type")
    choices = _choices(body)
    if named is not None:
        kinds = {named} if type(named) is str else set(named)
    elif choices is not None:
        kinds = {json_type(value) for value in choices}
    else:
        return _ALL_KINDS
    return frozenset(kinds | {"integer"} if "number" in kinds else kinds)


# -- words -------------------------------------------------------------------------------------


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _show(value: Any) -> str:
    """A JSON value on part of a line."""
    return _cut(json.dumps(value, ensure_ascii=False))


def _cut(text: str, start: int = 0) -> str:
    """As much of a text as a line has room for, from *start* on."""
    text = f"... {text[start:]}" if start else text
    return text if len(text) <= 60 else f"{text[:56]} ..."  # noqa: PLR2004 - of eighty columns


def _show_both(old: Any, new: Any) -> tuple[str, str]:
    """Two values; if a line has no room for them, from shortly before where they differ."""
    texts = [json.dumps(value, ensure_ascii=False) for value in (old, new)]
    same = alike(*texts)
    start = same - 20 if same > 40 else 0  # noqa: PLR2004 - within what is shown
    return _cut(texts[0], start), _cut(texts[1], start)


def alike(one: str, other: str) -> int:
    """How many characters two texts have in common before they differ."""
    differing = (index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differing, min(len(one), len(other)))


def _list(values: list[Any]) -> str:
    shown = ", ".join(map(_show, values[:8]))
    return f"{shown}, ..." if len(values) > 8 else shown  # noqa: PLR2004 - enough to know them by


def _label(schema: Any, root: Any, depth: int = 4) -> str:
    """What a person would call a schema: ``array of integer``, ``string | null``."""
    while type(schema) is dict and len(schema.get("anyOf", ())) == 1:
        (schema,) = schema["anyOf"]
    if type(schema) is dict and "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    arms = _arms(schema, root)
    if len(arms) > 1 and depth:
        return " | ".join(dict.fromkeys(_label(arm, root, depth - 1) for arm in arms))
    notes, end = _follow(schema, root)
    body = _asserted(end)
    choices = _choices(body)
    if choices is not None:
        return " | ".join([*map(_show, choices[:3]), *["..."][: len(choices) - 3 > 0]])
    if body is _NOTHING:
        return "no value"
    name = str(body.get("type", "some values" if body else "any value"))
    inner = body.get({"array": "items", "object": "additionalProperties"}.get(name, ""))
    if type(inner) is dict and inner and depth:
        return f"{name} of {_label(inner, root, depth - 1)}"
    return str(notes["title"]) if name == "object" and "title" in notes else name


def _change(name: str, old: Any, new: Any) -> str:
    """What became of a keyword whose values are *old* and *new*; ``_ABSENT``: it is not there."""
    if old is _ABSENT:
        return f"{name} {_show(new)} added"
    if new is _ABSENT:
        return f"{name} {_show(old)} removed"
    return "{} {} -> {}".format(name, *_show_both(old, new))


_ABSENT = object()


# -- whole schemas -----------------------------------------------------------------------------


def _notes(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
    """What only people and models read: it changes nothing of what is accepted."""
    for name in old | new:
        before, after = old.get(name, _ABSENT), new.get(name, _ABSENT)
        if before is _ABSENT or after is _ABSENT or _text(before) != _text(after):
            yield place.differs(_change(name, before, after))


def _assertions(old: Any, new: Any, place: _Place) -> Iterator[_Difference]:
    """What decides on the values that are accepted."""
    old_body, new_body = _body(old, place.old_root), _body(new, place.new_root)
    old_arms, new_arms = _arms(old, place.old_root), _arms(new, place.new_root)
    if not old_body or not new_body or old_body is _NOTHING or new_body is _NOTHING:
        if old_body != new_body:  # anything, or nothing
            narrows = NO if not new_body or old_body is _NOTHING else YES
            widens = NO if not old_body or new_body is _NOTHING else YES
            yield place.differs(_types(old, new, place), narrows, widens)
    elif len(old_arms) == len(new_arms) == 1:
        yield from _keywords(old_body, new_body, place)
    else:
        yield from _unions(old_arms, new_arms, place)


def _types(old: Any, new: Any, place: _Place) -> str:
    return f"type {_label(old, place.old_root)} -> {_label(new, place.new_root)}"


def _unions(olds: list[Any], news: list[Any], place: _Place) -> Iterator[_Difference]:
    """Alternatives: those alike are one; those of one name are compared; the rest is a change."""
    gone = [arm for arm in olds if not any(_is_alike(arm, other, place) for other in news)]
    come = [arm for arm in news if not any(_is_alike(other, arm, place) for other in olds)]
    for old, new in _only_ones(gone, come, (olds, news), place) or _pairs(gone, come, place):
        gone.remove(old)
        come.remove(new)
        yield from place.at("").differences(old, new)
    if gone or come:
        before, after = (
            " | ".join(dict.fromkeys(_label(arm, root) for arm in arms))
            for arms, root in ((olds, place.old_root), (news, place.new_root))
        )
        yield place.differs(
            _exchanged(gone, come, place) if before == after else f"type {before} -> {after}",
            _loss(gone, news, place),
            _loss(come, olds, place.turned()),
        )


def _exchanged(gone: list[Any], come: list[Any], place: _Place) -> str:
    """What became of alternatives whose names do not tell."""
    sides = [(gone, place.old_root), (come, place.new_root)]
    before, after = (
        " | ".join(dict.fromkeys(_label(arm, root) for arm in arms)) for arms, root in sides
    )
    if not gone:
        return f"another {after} added"
    return f"alternatives of {before} changed" if come else f"one {before} removed"


def _is_alike(old: Any, new: Any, place: _Place) -> bool:
    return not any(True for _ in place.aside().differences(old, new))


def _only_ones(
    gone: list[Any], come: list[Any], all_arms: tuple[list[Any], list[Any]], place: _Place
) -> list[tuple[Any, Any]]:
    """Alternatives that alone on either side accept values of their type: they are compared."""
    olds, news = all_arms
    return [
        (old, new)
        for old in gone
        for new in come
        if (kinds := _kinds(_body(old, place.old_root))) == _kinds(_body(new, place.new_root))
        and _count(olds, kinds, place.old_root) == _count(news, kinds, place.new_root) == 1
    ]


def _count(arms: list[Any], kinds: frozenset[str], root: Any) -> int:
    """How many alternatives accept values of some types."""
    return sum(not kinds.isdisjoint(_kinds(_body(arm, root))) for arm in arms)


def _pairs(gone: list[Any], come: list[Any], place: _Place) -> list[tuple[Any, Any]]:
    """Alternatives of one name on either side that nothing else there has."""
    olds = [(_label(arm, place.old_root), arm) for arm in gone]
    news = [(_label(arm, place.new_root), arm) for arm in come]
    return [
        (old, new)
        for name, old in olds
        for other, new in news
        if name == other
        and sum(each == name for each, _ in olds) == sum(each == name for each, _ in news) == 1
    ]


def _loss(arms: list[Any], others: list[Any], place: _Place) -> int:
    """Whether some of the old *arms* are in none of the new ones: surely, if of another kind."""
    lost = [arm for arm in arms if not any(place.is_narrower(arm, other) for other in others)]
    if not lost:
        return NO
    kept = {kind for other in others for kind in _kinds(_body(other, place.new_root))}
    is_sure = any(not _kinds(_body(arm, place.old_root)) <= kept for arm in lost)
    return YES if is_sure else MAYBE


def _keywords(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
    old_kinds, new_kinds = _kinds(old), _kinds(new)
    is_listed = None not in (_choices(old), _choices(new)) and old_kinds & new_kinds
    if old_kinds != new_kinds and not is_listed:  # the choices tell
        yield place.differs(
            _types(old, new, place),
            NO if old_kinds <= new_kinds else YES,
            NO if new_kinds <= old_kinds else YES,
        )
    for kind, rules in _RULES.items():
        if kind in old_kinds & new_kinds:
            for rule in rules:
                yield from rule(old, new, place)
    if old_kinds & new_kinds:
        yield from _any_kind(old, new, place)


# -- any value ---------------------------------------------------------------------------------


def _any_kind(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
    yield from _enumerated(old, new, place)
    yield from _conditions(old, new, place)
    yield from _nullable(old, new, place)
    if "anyOf" in old and "anyOf" in new:
        yield from _unions(old["anyOf"], new["anyOf"], place)
    for keyword in sorted(old.keys() | new.keys()):
        if keyword in _COMPARED or (keyword == "anyOf" and keyword in old and keyword in new):
            continue
        before, after = old.get(keyword, _ABSENT), new.get(keyword, _ABSENT)
        if before is _ABSENT or after is _ABSENT:
            is_odd = keyword not in _CONJOINED
            narrows = MAYBE * (is_odd or before is _ABSENT)
            widens = MAYBE * (is_odd or after is _ABSENT)
            yield place.differs(_change(keyword, before, after), narrows, widens)
        elif not place.is_same(before, after):
            yield place.differs(f"{keyword} changed", MAYBE, MAYBE)
        elif keyword.startswith("unevaluated"):  # what it means, other keywords say
            yield place.differs(f"{keyword} beside what changed", MAYBE, MAYBE)


_CONJOINED = frozenset(
    {"anyOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"}
)
"""What asserts something for itself: without it, more is accepted."""


def _enumerated(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
    before, after = _choices(old), _choices(new)
    if before is not None and after is not None:
        if removed := _without(before, after):
            yield place.differs(f"{_word(removed)} {_list(removed)} removed", narrows=YES)
        if added := _without(after, before):
            yield place.differs(f"{_word(added)} {_list(added)} added", widens=YES)
    elif after is not None:
        yield place.differs(f"limited to {_list(after)}", narrows=YES)
    elif before is not None:
        is_kept = all(not misfits(value, new, place.new_root) for value in before)
        message = f"no longer limited to {_list(before)}"
        yield place.differs(message, NO if is_kept else MAYBE, YES)


def _nullable(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
    """How OpenAPI 3.0, and so the profile of Gemini, says that null is accepted, too."""
    before, after = old.get("nullable", False), new.get("nullable", False)
    if before != after:
        yield place.differs("null added" if after else "null removed", before * YES, after * YES)


def _without(values: list[Any], others: list[Any]) -> list[Any]:
    known = {key_of(value) for value in others}
    return [value for value in values if key_of(value) not in known]


def _word(values: list[Any]) -> str:
    return "choice" if len(values) == 1 else "choices"


def _conditions(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
    """``allOf``: whatever one side asserts, the other has to assert somewhere, too."""
    if place.is_same(old.get("allOf"), new.get("allOf")):
        return
    befores, afters = _conjuncts(old), _conjuncts(new)
    narrows = any(
        not any(place.is_narrower(before, after) for before in befores) for after in afters[1:]
    )
    widens = any(
        not any(place.is_wider(before, after) for after in afters) for before in befores[1:]
    )
    yield place.differs("conditions (allOf) changed", narrows * MAYBE, widens * MAYBE)


def _conjuncts(body: Json) -> list[Any]:
    """A body but for its ``allOf``, and what is in that."""
    return [{key: value for key, value in body.items() if key != "allOf"}, *body.get("allOf", ())]


# -- numbers and lengths -----------------------------------------------------------------------


def _range(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
    yield from _limit(old, new, place, ("minimum", "exclusiveMinimum"), 1)
    yield from _limit(old, new, place, ("maximum", "exclusiveMaximum"), -1)


def _limit(
    old: Json, new: Json, place: _Place, names: tuple[str, str], sign: int
) -> Iterator[_Difference]:
    before, after = _strictest(old, names, sign), _strictest(new, names, sign)
    if before == after:
        return
    words = [
        "no limit" if bound is None else f"{names[bound[1]]} {_show(bound[0] * sign)}"
        for bound in (before, after)
    ]
    message = f"{words[0]} -> {words[1]}"
    if before is None or after is None:
        message = f"{words[1]} added" if before is None else f"{words[0]} removed"
    elif before[1] == after[1]:
        message = f"{words[0]} -> {_show(after[0] * sign)}"
    is_kept = after is None or (before is not None and before > after)
    narrows = not is_kept and not _choices_keep(old, new, names)
    widens = before is not None and (after is None or before > after)
    yield place.differs(message, narrows * YES, widens * YES)


def _strictest(body: Json, names: tuple[str, str], sign: int) -> Bound | None:
    """The limit of a number, counted so that more is stricter; for integers an inclusive one."""
    bounds = [(body[name] * sign, i == 1) for i, name in enumerate(names) if name in body]
    if "number" not in _kinds(body):
        bounds = [
            (math.floor(value) + 1 if is_exclusive else math.ceil(value), False)
            for value, is_exclusive in bounds
        ]
    return max(bounds, default=None)


def _choices_keep(old: Json, new: Json, names: tuple[str, ...]) -> bool:
    """Whether all choices that there were keep to what is new."""
    choices = _choices(old)
    asked = {name: new[name] for name in names if name in new}
    return choices is not None and not any(misfits(value, asked) for value in choices)


def _at_least(keyword: str) -> Rule:
    def rule(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
        before, after = old.get(keyword, 0), new.get(keyword, 0)
        if before != after:
            message = _change(keyword, old.get(keyword, _ABSENT), new.get(keyword, _ABSENT))
            narrows = after > before and not _choices_keep(old, new, (keyword,))
            yield place.differs(message, narrows * YES, (after < before) * YES)

    return rule


def _at_most(keyword: str) -> Rule:
    def rule(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
        before, after = old.get(keyword, math.inf), new.get(keyword, math.inf)
        if before != after:
            message = _change(keyword, old.get(keyword, _ABSENT), new.get(keyword, _ABSENT))
            narrows = after < before and not _choices_keep(old, new, (keyword,))
            yield place.differs(message, narrows * YES, (after > before) * YES)

    return rule


def _multiple_of(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
    before, after = old.get("multipleOf", _ABSENT), new.get("multipleOf", _ABSENT)
    if before == after:
        return
    message = _change("multipleOf", before, after)
    if before is _ABSENT or after is _ABSENT:
        narrows = before is _ABSENT and not _choices_keep(old, new, ("multipleOf",))
        yield place.differs(message, narrows * YES, (after is _ABSENT) * YES)
    else:  # of 6 by 3 all are, of 3 by 6 only some; as decimals: 0.3 is 3 times 0.1
        exact = Fraction(str(before)) / Fraction(str(after))
        is_kept, was_kept = exact.denominator == 1, exact.numerator == 1
        yield place.differs(message, (not is_kept) * YES, (not was_kept) * YES)


# -- strings -----------------------------------------------------------------------------------


def _asserted_word(keyword: str) -> Rule:
    """A keyword of which another value cannot be compared: a pattern, a format."""

    def rule(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
        before, after = old.get(keyword, _ABSENT), new.get(keyword, _ABSENT)
        if before == after:
            return
        message = _change(keyword, before, after)
        if before is _ABSENT:
            is_kept = keyword == "pattern" and _choices_keep(old, new, (keyword,))
            yield place.differs(message, narrows=NO if is_kept else YES)
        elif after is _ABSENT:
            yield place.differs(message, widens=YES)
        else:
            yield place.differs(message, MAYBE, MAYBE)

    return rule


# -- arrays ------------------------------------------------------------------------------------


def _items(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
    olds, news = old.get("prefixItems", []), new.get("prefixItems", [])
    old_rest, new_rest = old.get("items", True), new.get("items", True)
    for index in range(max(len(olds), len(news))):
        before = olds[index] if index < len(olds) else old_rest
        after = news[index] if index < len(news) else new_rest
        yield from place.at(f"[{index}]").differences(before, after)
    yield from place.at("[]").differences(old_rest, new_rest)


def _unique(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
    before, after = old.get("uniqueItems", False), new.get("uniqueItems", False)
    if before != after:
        words = "items have to differ" if after else "items may be alike"
        yield place.differs(words, after * YES, before * YES)


# -- objects -----------------------------------------------------------------------------------


def _properties(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
    befores, afters = _named(old), _named(new)
    old_required, new_required = set(old.get("required", ())), set(new.get("required", ()))
    for name in befores | afters:
        here = place.at(step_to(name))
        if name not in befores:
            yield _added(old, afters[name], here, is_required=name in new_required)
        elif name not in afters:
            yield _removed(befores[name], new, here, is_required=name in old_required)
        else:
            if (name in old_required) != (name in new_required):
                words = ("optional -> required", "required -> optional")
                is_optional = name in old_required
                yield here.differs(words[is_optional], YES * (not is_optional), YES * is_optional)
            yield from here.differences(befores[name], afters[name])


def _named(body: Json) -> Json:
    """The properties that a body names, also those that it only requires."""
    properties: Json = body.get("properties", {})
    return properties | {name: True for name in body.get("required", ()) if name not in properties}


def _added(old: Json, added: Any, place: _Place, *, is_required: bool) -> _Difference:
    """A property that was none: those who sent it as a further one may have to change it."""
    others = old.get("additionalProperties")
    narrows = widens = NO
    if others is not None:
        narrows = NO if place.is_narrower(others, added) else MAYBE
        widens = NO if place.is_wider(others, added) else YES if others is False else MAYBE
    if is_required:
        return place.differs("added, required", YES, widens)
    return place.differs("added, optional", narrows, widens)


def _removed(removed: Any, new: Json, place: _Place, *, is_required: bool) -> _Difference:
    """A property that is none any more: those who send it do so in vain, or for an error."""
    others = new.get("additionalProperties")
    narrows, widens = YES, NO
    if others is not None:
        narrows = NO if place.is_narrower(removed, others) else YES
        widens = NO if place.is_wider(removed, others) else MAYBE
    return place.differs("removed", narrows, YES if is_required else widens)


def _others(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
    before, after = old.get("additionalProperties", True), new.get("additionalProperties", True)
    if before is not after and False in (before, after):
        words = "further properties refused" if after is False else "further properties accepted"
        yield place.differs(words, (after is False) * YES, (before is False) * YES)
    else:
        yield from place.at("{}").differences(before, after)


def _patterns(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
    befores, afters = old.get("patternProperties", {}), new.get("patternProperties", {})
    if befores.keys() != afters.keys() or (befores and _named(old).keys() != _named(new).keys()):
        yield place.differs("patternProperties, or what they are beside, changed", MAYBE, MAYBE)
    else:
        for pattern in befores:
            yield from place.at("{}").differences(befores[pattern], afters[pattern])


def _property_names(old: Json, new: Json, place: _Place) -> Iterator[_Difference]:
    before, after = _of_strings(old, "propertyNames"), _of_strings(new, "propertyNames")
    yield from place.at("{name}").differences(before, after)


def _of_strings(body: Json, keyword: str) -> Any:
    """A schema of what can only be strings, which it need not say."""
    schema = body.get(keyword, {})
    is_plain = type(schema) is dict and schema.keys() <= _STRING_KEYWORDS
    return {"type": "string", **schema} if is_plain else schema


_STRING_KEYWORDS = frozenset({"minLength", "maxLength", "pattern", "format"})


# -- the table ---------------------------------------------------------------------------------

_RULES: dict[str, tuple[Rule, ...]] = {
    "integer": (_range, _multiple_of),
    "string": (
        _at_least("minLength"),
        _at_most("maxLength"),
        *map(_asserted_word, ("pattern", "format", "contentEncoding", "contentMediaType")),
    ),
    "array": (_items, _unique, _at_least("minItems"), _at_most("maxItems")),
    "object": (
        _properties,
        _others,
        _patterns,
        _property_names,
        _at_least("minProperties"),
        _at_most("maxProperties"),
    ),
}
"""What is compared if both sides accept values of a kind; numbers are integers, too."""

_COMPARED = frozenset(
    {"type", "enum", "const", "allOf", "minimum", "maximum", "multipleOf", "uniqueItems"}
    | {"exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems"}
    | {"pattern", "format", "contentEncoding", "contentMediaType", "items", "prefixItems"}
    | {"properties", "required", "additionalProperties", "patternProperties", "propertyNames"}
    | {"minProperties", "maxProperties", "nullable"}
)
"""What one of the rules looks at."""
