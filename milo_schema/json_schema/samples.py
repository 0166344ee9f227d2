"""Make JSON values from a schema: those that it accepts, and near misses that break one keyword.

A value is drawn from the schema, then judged by the validator; one that is refused is drawn again,
so no rule here has to be exact. Only ``Random.random()`` is used, because Python promises that it
gives the same numbers in every version.
"""

from __future__ import annotations

import base64
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from milo_schema.annotations import Json
from milo_schema.json_schema import TYPES
from milo_schema.json_schema.keywords import BOUNDS, KEYWORDS
from milo_schema.json_schema.matching import SETS, matches
from milo_schema.json_schema.patterns import to_python
from milo_schema.json_schema.subschemas import copy, resolve_reference, step_of, step_to, without
from milo_schema.json_schema.validation import is_valid
from milo_schema.json_schema.values import entries, json_key, json_type, with_part

# -- strings that match a pattern ----------------------------------------------------------------
#
# Make texts that match a regular expression.

LETTERS = "abcdefghijklmnopqrstuvwxyz"


LEAST = object()
"""The seed of the smallest values: of all choices, the first one."""


class TextSource:
    """A source of choices that are the same in every version of Python.

    Attributes:
        share: Makes a number from 0 up to, and without, 1.
    """

    def __init__(self, seed: object) -> None:
        source = Random(str(seed))  # noqa: S311 - no secret is made of it
        self.share: Callable[[], float] = source.random if seed is not LEAST else lambda: 0.0

    def below(self, count: int) -> int:
        """A whole number from 0 up to, and without, *count*."""
        return int(self.share() * count)

    def between(self, low: int, high: int) -> int:
        """A whole number; every third time one of the bounds, where most mistakes are."""
        edge = self.below(6)
        return low if edge == 0 else high if edge == 1 else low + self.below(high - low + 1)

    def pick(self, items: Any) -> Any:
        """One of several items."""
        return items[self.below(len(items))]


def matching(pattern: str, source: TextSource, least: int = 0) -> str:
    """A string that probably matches a pattern of ECMA-262."""
    try:
        tree = _parser.parse(to_python(pattern))
    except (ValueError, re.error, OverflowError, RecursionError):
        return "a" * least
    found = _text(tree, source, [])
    return found.ljust(least, found[-1:] or "a")


def _text(tree: Any, source: TextSource, groups: list[str]) -> str:
    """The text of a parsed pattern; a part that has none of its own is left out."""
    made = (_PIECES[kind](given, source, groups) for kind, given in tree if kind in _PIECES)
    return "".join(made)


def _group(given: Any, source: TextSource, groups: list[str]) -> str:
    text = _text(given[-1], source, groups)
    groups.append(text)
    return text


def _repeat(given: Any, source: TextSource, groups: list[str]) -> str:
    low, high, inner = given
    count = source.between(low, min(high, low + 3))
    found = ""
    for _ in range(count):
        text = _text(inner, source, groups)
        found += text
        if not text or len(found) > _LONGEST:  # repeating nothing has no end, either
            break
    return found


_LONGEST = 10_000
"""The length from which on a string is not repeated: a pattern may ask for more than fits."""


def _reference(number: int, _source: TextSource, groups: list[str]) -> str:
    return groups[number - 1] if number <= len(groups) else ""


_CHARACTERS = LETTERS + LETTERS.upper() + "0123456789 -_./:@"


def _one_of(chars: int, source: TextSource, parts: Any = ()) -> str:
    """One of the characters for which there is a bit; an ordinary one, if there is any."""
    found = [each for each in _CHARACTERS if chars >> ord(each) & 1]
    if not found and parts[0][0] is not ops.NEGATE:  # one bit is for all characters beyond 16 bits
        limits = (given if kind is ops.RANGE else (given, given) for kind, given in parts)
        found = [chr(source.between(*each)) for each in limits]
    return str(source.pick(found or chr((chars & -chars).bit_length() - 1)))


_PIECES: dict[Any, Callable[[Any, TextSource, list[str]], str]] = {
    ops.LITERAL: lambda given, _source, _groups: chr(given),
    ops.NOT_LITERAL: lambda given, source, _: _one_of(SETS["NOT_LITERAL"](given), source),
    ops.IN: lambda given, source, _: _one_of(SETS["IN"](given), source, given),
    ops.BRANCH: lambda given, source, groups: _text(source.pick(given[1]), source, groups),
    ops.SUBPATTERN: _group,
    ops.ATOMIC_GROUP: _text,
    ops.MAX_REPEAT: _repeat,
    ops.MIN_REPEAT: _repeat,
    ops.POSSESSIVE_REPEAT: _repeat,
    ops.GROUPREF: _reference,
}


# -- samples ---------------------------------------------------------------------------------------

DEEP = 5
"""The depth from which on the smallest values are made: a recursive schema has to end."""
DEEPEST = 30
"""The depth that no value reaches, unless its schema has no end."""
MOST_UNIONS = 10
"""How many unions and conditions may be directly inside one another."""
MANY = 200
"""The parts from which on the smallest ones are made: half of all properties may be too many."""
LARGEST = 2_000
"""The most parts of a value: a record without an end may contain itself several times."""
TRIES = 100
"""The most values that are drawn for one that the schema accepts, or for one that it refuses."""

Miss = tuple[str, str, Any]  # the path, the keyword, and the value that breaks it


class Sampler:
    """Makes values for one schema.

    Args:
        schema: A finished schema, with local references only.
        seed: The same seed and schema make the same values.
        wanted: The steps to a part that values have if they can, such as ``(".items", "[]")``.
    """

    def __init__(self, schema: Json, seed: object = 0, wanted: Sequence[str] = ()) -> None:
        self.root: Json = schema
        self.source: TextSource = TextSource(seed)
        self.wanted: Sequence[str] = wanted
        self.broken: Counter[str] = Counter()
        self.parts: int = 0
        self._missed: set[tuple[str, str]] = set()

    # -- values that the schema accepts --------------------------------------------------------

    def valid(self) -> Any:
        """A value that the schema accepts.

        Raises:
            ValueError: None was found, because the schema accepts no values, or only rare ones.
        """
        for _ in range(TRIES):
            value = self.whole()
            if is_valid(value, self.root):
                return value
        raise ValueError(f"no value that the schema accepts was found in {TRIES} tries")

    def whole(self) -> Any:
        """A value that probably fits the whole schema."""
        self.parts = 0
        return self.draw(self.root, 0)

    def draw(self, schema: Any, depth: int, unions: int = 0) -> Any:
        """A value that probably fits."""
        self.parts += 1
        if depth > DEEPEST or unions > MOST_UNIONS or self.parts > LARGEST:
            return None  # the schema has no end
        schema = self.resolve(schema)
        if "const" in schema:
            return copy(schema["const"])
        if schema.get("enum"):
            return copy(self.source.pick(schema["enum"]))
        for keyword in ("anyOf", "oneOf"):
            if branches := schema.get(keyword):
                branch = self.resolve(self._branch(branches, depth))
                return self.draw(merge(without(schema, keyword), branch), depth, unions + 1)
        if "allOf" in schema:
            whole = without(schema, "allOf")
            for part in schema["allOf"]:
                whole = merge(whole, self.resolve(part))
            return self.draw(whole, depth, unions + 1)
        return _DRAWERS[self._kind(schema)](self, schema, depth)

    def resolve(self, schema: Any) -> Json:
        """A schema as a dict of keywords, without a reference at its root."""
        seen = 0
        while type(schema) is dict and "$ref" in schema and seen < TRIES:
            seen += 1
            target = resolve_reference(schema["$ref"], self.root)
            rest = without(schema, "$ref")
            schema = merge(rest, target) if type(target) is dict else rest
        return schema if type(schema) is dict else {}

    def _branch(self, branches: list[Any], depth: int) -> Any:
        """A branch of a union; the smallest one if the value is to end."""
        if not self.has_to_end(depth):
            return self.source.pick(branches)
        sizes = [self._size(branch, {}) for branch in branches]
        return branches[sizes.index(min(sizes))]

    def _size(self, schema: Any, known: dict[str, int | float]) -> int | float:
        """The nesting that a schema requires at least; infinite if it has no end."""
        reference = schema.get("$ref") if type(schema) is dict else None
        if reference is None:
            return self._size_of(self.resolve(schema), known)
        if reference not in known:
            known[reference] = math.inf  # inside itself
            if len(known) <= DEEPEST:
                known[reference] = self._size_of(self.resolve(schema), known)
        return known[reference]

    def _size_of(self, schema: Json, known: dict[str, int | float]) -> int | float:
        for keyword in ("anyOf", "oneOf"):
            if branches := schema.get(keyword):
                return min(self._size(branch, known) for branch in branches)
        properties = schema.get("properties", {})
        needed = [properties[name] for name in schema.get("required", ()) if name in properties]
        if schema.get("minItems"):
            needed += [schema.get("items", True), *schema.get("prefixItems", ())]
        return 1 + max((self._size(part, known) for part in needed), default=0)

    def has_to_end(self, depth: int) -> bool:
        """Whether the smallest parts are drawn from here on."""
        return depth >= DEEP or self.parts > MANY

    def wanted_at(self, depth: int) -> str:
        """The step to the part that a value at some depth is to have; empty if there is none."""
        return "".join(self.wanted[depth : depth + 1])

    def _kind(self, schema: Json) -> str:
        """The JSON type of the value: one of those that the schema names, or that it is about."""
        types = schema.get("type")
        if type(types) is str:
            return types
        rows = [KEYWORDS[name] for name in schema if name in KEYWORDS]
        about = [kind for row in rows if row.types != TYPES for kind in row.types]
        return str(self.source.pick(types or about or ["string", "integer", "boolean", "null"]))

    # -- values that break one keyword ---------------------------------------------------------

    def invalid(self) -> tuple[Any, str]:
        """A value that breaks one keyword, and a note such as ``maximum at .limit``.

        The keywords that were broken least so far come first.

        Raises:
            ValueError: None was found, because the schema accepts everything.
        """
        for _ in range(TRIES):
            value = self.valid()
            self._missed = set()
            misses = [*self.misses(self.root, value, "")]
            while misses:
                fewest = min(self.broken[keyword] for _, keyword, _ in misses)
                rarest = [miss for miss in misses if self.broken[miss[1]] == fewest]
                path, keyword, wrong = miss = self.source.pick(rarest)
                if not is_valid(wrong, self.root):
                    self.broken[keyword] += 1
                    return wrong, f"{keyword} at {path or 'the root'}"
                misses.remove(miss)
        raise ValueError(f"no value that the schema refuses was found in {TRIES} tries")

    def misses(self, schema: Any, value: Any, path: str) -> Iterator[Miss]:
        """The values that are like *value* but for one place, where they break a keyword."""
        schema = self.resolve(schema)
        yield from self._misses_in_branches(schema, value, path)
        if type(value) is dict and "oneOf" in schema:
            yield from self._mixtures(schema, value, path)
        if type(schema.get("not")) is dict:
            yield path, "not", self.draw(schema["not"], 0)
        for keyword, requirement in schema.items():
            for wrong in _breaks(keyword, requirement, value):
                yield path, keyword, wrong
        if type(value) is dict or type(value) is list:
            yield from self._misses_inside(schema, value, path)

    def _misses_in_branches(self, schema: Json, value: Any, path: str) -> Iterator[Miss]:
        for keyword in ("anyOf", "oneOf", "allOf"):
            for branch in schema.get(keyword, ()):
                if self._is_new(branch, path) and is_valid(value, branch, self.root):
                    yield from self.misses(branch, value, path)

    def _is_new(self, branch: Any, path: str) -> bool:
        """Whether no other route has led to a definition at a path."""
        reference = (branch["$ref"], path) if type(branch) is dict and "$ref" in branch else None
        if reference in self._missed:
            return False
        self._missed |= {reference} if reference else set()
        return True

    def _mixtures(self, schema: Json, value: Json, path: str) -> Iterator[Miss]:
        """Objects with the properties of two branches."""
        rest = without(schema, "oneOf")
        for branch in schema["oneOf"]:
            other = self.draw(merge(rest, self.resolve(branch)), DEEP)
            yield path, "oneOf", {**value, **(other if type(other) is dict else {})}

    def _misses_inside(self, schema: Json, value: Any, path: str) -> Iterator[Miss]:
        for key, item in entries(value):
            here = path + step_of(key)
            for place, keyword, wrong in self.misses(_schema_of_part(key, schema), item, here):
                yield place, keyword, with_part(value, key, wrong)


def _schema_of_part(key: str | int, schema: Json) -> Any:
    """The schema of a property or an item."""
    if isinstance(key, str):
        return schema.get("properties", {}).get(key, schema.get("additionalProperties", True))
    prefix = schema.get("prefixItems", [])
    return prefix[key] if key < len(prefix) else schema.get("items", True)


def merge(one: Json, other: Json) -> Json:
    """The keywords of two schemas that both apply, as far as one schema can say so."""
    found = {**other, **one}
    for name in one.keys() & other.keys():
        if name == "properties":
            found[name] = {**other[name], **one[name]}
        elif name == "required":
            found[name] = [*dict.fromkeys([*one[name], *other[name]])]
        elif name == "type":
            kinds = [each for each in _listed(one[name]) if each in _listed(other[name])]
            found[name] = kinds or one[name]
        elif name in BOUNDS:
            found[name] = BOUNDS[name](one[name], other[name])
    return found


def _listed(value: Any) -> list[Any]:
    return value if type(value) is list else [value]


# -- strings -----------------------------------------------------------------------------------

_FORMATS = {
    "date-time": ["2026-01-31T12:00:00Z", "1999-12-31T23:59:59.5+01:00"],
    "date": ["2026-01-31", "2024-02-29"],
    "time": ["12:00:00Z", "23:59:59+02:00"],
    "duration": ["P1D", "PT1H30M", "P2W"],
    "email": ["someone@example.org"],
    "hostname": ["example.org"],
    "ipv4": ["192.0.2.1"],
    "ipv6": ["2001:db8::1"],
    "uri": ["https://example.org/a?b=c"],
    "uri-reference": ["/a/b"],
    "uuid": ["12345678-1234-5678-1234-567812345678"],
    "regex": ["^a+$"],
    "json-pointer": ["/a/0"],
}


def _string(sampler: Sampler, schema: Json, _depth: int) -> str:
    source = sampler.source
    least = _at_least(schema, "minLength")
    most = schema.get("maxLength", least + 8)
    if pattern := schema.get("pattern"):
        return matching(pattern, source, least)
    if found := _FORMATS.get(schema.get("format", "")):
        return str(source.pick(found))
    if schema.get("contentEncoding") == "base64":
        fewest = -(-least // 4)  # of four characters for three bytes
        count = source.between(fewest, max(fewest, most // 4))
        return base64.b64encode(bytes(source.below(256) for _ in range(3 * count))).decode()
    count = source.between(least, most)
    return "".join(source.pick(LETTERS) for _ in range(count))


# -- numbers -----------------------------------------------------------------------------------


def _integer(sampler: Sampler, schema: Json, _depth: int) -> int:
    low, high = _limits(schema)
    factor = schema.get("multipleOf", 1)
    step = factor if type(factor) is int else 1
    first, last = -(-math.ceil(low) // step), math.floor(high) // step
    return sampler.source.between(first, max(first, last)) * step


def _number(sampler: Sampler, schema: Json, depth: int) -> int | float:
    if "multipleOf" in schema:
        factor = schema["multipleOf"]
        low, high = _limits(schema)
        first, last = math.ceil(low / factor), math.floor(high / factor)
        return float(sampler.source.between(first, max(first, last)) * factor)
    if not sampler.source.below(2):
        return _integer(sampler, schema, depth)
    low, high = _limits(schema)
    return float(low + (high - low) * sampler.source.share())


def _at_least(schema: Json, keyword: str) -> int:
    """A limit from below; a value that has to be larger than any drawn is not found."""
    least: int = min(schema.get(keyword, 0), LARGEST)
    return least


def _limits(schema: Json) -> tuple[int | float, int | float]:
    """The least and the greatest number; bounds that are missing are a hundred away."""
    beyond = int(schema.get("type") == "integer")  # a limit that is exclusive
    lows, highs = (
        [schema[name] + step for name, step in names if name in schema]
        for names in (
            [("minimum", 0), ("exclusiveMinimum", beyond)],
            [("maximum", 0), ("exclusiveMaximum", -beyond)],
        )
    )
    low = max(lows, default=min(highs, default=100) - 100)
    return low, min(highs, default=low + 100)


# -- arrays and objects ------------------------------------------------------------------------


def _array(sampler: Sampler, schema: Json, depth: int) -> list[Any]:
    prefix, more = schema.get("prefixItems", []), schema.get("items", True)
    least = max(_at_least(schema, "minItems"), _wanted_items(sampler, depth))
    most = schema.get("maxItems", max(least, len(prefix)) + 3)
    if more is False:
        most = min(most, len(prefix))
    count = least if sampler.has_to_end(depth) else sampler.source.between(least, max(least, most))
    items = [sampler.draw(_schema_of_part(index, schema), depth + 1) for index in range(count)]
    if schema.get("uniqueItems"):
        items = [*{json_key(each): each for each in items}.values()]
    return items


def _wanted_items(sampler: Sampler, depth: int) -> int:
    """How many items an array needs for the part that is wanted."""
    step = sampler.wanted_at(depth)
    return int(step[1:-1] or 0) + 1 if re.fullmatch(r"\[\d*\]", step) else 0


def _object(sampler: Sampler, schema: Json, depth: int) -> Json:
    properties, required = schema.get("properties", {}), schema.get("required", [])
    more = schema.get("additionalProperties", True)
    wanted, has_to_end = sampler.wanted_at(depth), sampler.has_to_end(depth)
    found: Json = {}
    for name in dict.fromkeys([*properties, *required]):
        is_wanted = wanted and wanted == step_to(name)
        if name in required or is_wanted or (not has_to_end and sampler.source.below(2)):
            found[name] = sampler.draw(_schema_of_part(name, schema), depth + 1)
    for pattern, part in schema.get("patternProperties", {}).items():
        if wanted == "{}" or (not has_to_end and sampler.source.below(2)):
            found.setdefault(matching(pattern, sampler.source), sampler.draw(part, depth + 1))
    if more is False or (more is True and properties) or has_to_end:
        count = 0
    else:
        count = sampler.source.between(0, min(3, schema.get("maxProperties", 3)))
    names = schema.get("propertyNames", {})
    count = max(count, _at_least(schema, "minProperties") - len(found))
    for _ in range(max(count, wanted == "{}" and not found)):
        text = merge({"type": "string", "minLength": 1}, sampler.resolve(names))
        name = sampler.draw(text, depth)
        if type(name) is str and name not in found:
            found[name] = sampler.draw(more, depth + 1)
    return found


_DRAWERS: dict[str, Callable[[Sampler, Json, int], Any]] = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": lambda sampler, _schema, _depth: sampler.source.below(2) == 1,
    "null": lambda _sampler, _schema, _depth: None,
    "array": _array,
    "object": _object,
}


# -- near misses -------------------------------------------------------------------------------

_OTHERS: dict[str, Any] = {
    "string": "?",
    "number": 1.5,
    "boolean": True,
    "null": None,
    "array": [],
    "object": {},
}


def _breaks(keyword: str, requirement: Any, value: Any) -> Iterable[Any]:
    """Values like one that fits, but for one keyword."""
    is_about_it = keyword in _BREAKS and json_type(value) in KEYWORDS[keyword].types
    return _BREAKS[keyword](requirement, value) if is_about_it else ()


def _other_texts(pattern: str, text: str) -> list[str]:
    return [each for each in ("", "?", f"{text}?", "\n") if matches(pattern, each) is False]


def _other_names(_schema: Any, value: Json) -> list[Json]:
    item = next(iter(value.values()), "?")
    return [{**value, name: item} for name in ("", "?", "not a name")]


_BREAKS: dict[str, Callable[[Any, Any], Iterable[Any]]] = {
    "type": lambda types, _: [_OTHERS[name] for name in _OTHERS if name not in _listed(types)],
    **dict.fromkeys(("enum", "const"), lambda _choices, _: ("?", -1, None)),
    "minimum": lambda bound, _: [bound - 1],
    "maximum": lambda bound, _: [bound + 1],
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), lambda bound, _: [bound]),
    "multipleOf": lambda factor, _: [factor / 2 if factor % 2 else factor // 2, factor * 1.5],
    "minLength": lambda least, text: [text[: least - 1]] if least else [],
    "maxLength": lambda most, text: [text + "a" * (most + 1 - len(text))],
    "pattern": _other_texts,
    "minItems": lambda least, items: [items[: least - 1]] if least else [],
    "maxItems": lambda most, items: [(items or ["?"]) * (most + 1)],
    "uniqueItems": lambda _, items: [[*items, items[0]]] if items else [],
    "items": lambda others, items: [[*items, "?"]] if others is False else [],
    "required": lambda names, value: (without(value, name) for name in names),
    "additionalProperties": lambda others, value: (
        [{**value, "not_a_property": 1}] if others is False else []
    ),
    "minProperties": lambda least, value: [dict([*value.items()][: least - 1])] if least else [],
    "maxProperties": lambda most, value: [{**value, **{f"p{i}": 1 for i in range(most + 1)}}],
    "propertyNames": _other_names,
}
"""The values that break each keyword, given its value and a value that fits."""
