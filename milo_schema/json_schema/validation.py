"""Whether a JSON value fits a schema, and where it does not.

A small validator, for what this library itself has to know: whether a default or a result keeps
the promise of its schema. It knows the keywords that are emitted here, and passes over others;
``format`` is no assertion, as JSON Schema 2020-12 has it. Not for schemas of strangers: a regular
expression of theirs may run for hours.
"""

from __future__ import annotations

import math

from milo_schema.annotations.forms import display

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from typing import Any

    Misfit = tuple[str, str]
    Check = Callable[[Any, Any, "_Place"], Iterator[Misfit]]

MAX_DEPTH = 128
"""How deep values and references are followed; a schema that refers to itself is deeper."""


def misfits(value: Any, schema: Any, root: Any = None) -> list[tuple[str, str]]:
    """Where a JSON value does not fit a schema.

    Args:
        value: What ``json.loads()`` may give.
        schema: A JSON Schema whose references are all local.
        root: The schema that *schema* is part of, where its references lead.

    Returns:
        A pair of place and reason for each misfit, such as ``[(".items[1]", "'x' is no
        integer")]``; empty if the value fits.

    Example:
        >>> from milo_schema.json_schema.validation import misfits
        >>> misfits([1, "x"], {"type": "array", "items": {"type": "integer"}})
        [('[1]', "'x' is no integer")]
    """
    return list(_Place("", schema, schema if root is None else root, 0).misfits(value))


class _Place:
    """A subschema, and the place of the value that has to fit it."""

    __slots__ = ("depth", "path", "root", "schema")

    def __init__(self, path: str, schema: Any, root: Any, depth: int) -> None:
        self.path = path
        self.schema = schema
        self.root = root
        self.depth = depth

    def at(self, step: str, schema: Any) -> _Place:
        """The place one step further into value or schema."""
        return _Place(self.path + step, schema, self.root, self.depth + 1)

    def misfits(self, value: Any) -> Iterator[Misfit]:
        """Each misfit of a value here."""
        if self.schema is False or self.depth > MAX_DEPTH:
            yield self.path, "nothing fits here" if self.schema is False else "nested too deeply"
        elif self.schema is not True:
            for keyword, operand in self.schema.items():
                if (check := CHECKS.get(keyword)) is not None:
                    yield from check(value, operand, self)

    def fits(self, value: Any, schema: Any) -> bool:
        """Whether a value here fits another schema too."""
        return next(self.at("", schema).misfits(value), None) is None


def step_to(name: str) -> str:
    """What leads to a property in a path: ``.name``, or ``["a b"]``."""
    return f".{name}" if name.isidentifier() else f"[{name!r}]"


# -- any value ---------------------------------------------------------------------------------


def _type(value: Any, kinds: Any, place: _Place) -> Iterator[Misfit]:
    allowed = [kinds] if type(kinds) is str else kinds
    if not any(_is_of(value, kind) for kind in allowed):
        yield place.path, f"{display(value)} is no {' or '.join(allowed)}"


def _is_of(value: Any, kind: str) -> bool:
    if kind == "integer":  # JSON Schema 2020-12, 4.2.3: 1.0 is one too
        return type(value) is int or (type(value) is float and value.is_integer())
    return type(value) in _CLASSES.get(kind, ())


_CLASSES: dict[str, tuple[type, ...]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "number": (int, float),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}


def _enum(value: Any, choices: Any, place: _Place) -> Iterator[Misfit]:
    if key_of(value) not in map(key_of, choices):
        listed = ", ".join(map(repr, choices[:8]))
        yield place.path, f"{display(value)} is none of {listed}"


def _const(value: Any, choice: Any, place: _Place) -> Iterator[Misfit]:
    yield from _enum(value, [choice], place)


def key_of(value: Any) -> Hashable:
    """What two JSON values share exactly if JSON Schema calls them equal: ``1`` and ``1.0``."""
    if type(value) is list:
        return ("array", *map(key_of, value))
    if type(value) is dict:
        return ("object", frozenset((name, key_of(item)) for name, item in value.items()))
    return ("boolean", value) if type(value) is bool else value


# -- subschemas for the same value -------------------------------------------------------------


def _reference(value: Any, pointer: str, place: _Place) -> Iterator[Misfit]:
    target = place.root
    for step in pointer.removeprefix("#").split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")  # RFC 6901
        target = target.get(name) if type(target) is dict else None
    if target is None or not pointer.startswith("#"):
        yield place.path, f"its schema refers to {pointer}, which is not there"
    else:
        yield from place.at("", target).misfits(value)


def _any_of(value: Any, arms: Any, place: _Place) -> Iterator[Misfit]:
    if not any(place.fits(value, arm) for arm in arms):
        yield place.path, f"{display(value)} fits none of {len(arms)} alternatives"


def _one_of(value: Any, arms: Any, place: _Place) -> Iterator[Misfit]:
    fitting = sum(place.fits(value, arm) for arm in arms)
    if fitting != 1:
        yield place.path, f"{display(value)} fits {fitting} of {len(arms)} alternatives, not one"


def _all_of(value: Any, arms: Any, place: _Place) -> Iterator[Misfit]:
    for arm in arms:
        yield from place.at("", arm).misfits(value)


def _not(value: Any, schema: Any, place: _Place) -> Iterator[Misfit]:
    if place.fits(value, schema):
        yield place.path, f"{display(value)} is what must not be"


# -- objects -----------------------------------------------------------------------------------


def _properties(value: Any, properties: Any, place: _Place) -> Iterator[Misfit]:
    for name, schema in properties.items():
        if type(value) is dict and name in value:
            yield from place.at(step_to(name), schema).misfits(value[name])


def _required(value: Any, names: Any, place: _Place) -> Iterator[Misfit]:
    for name in names:
        if type(value) is dict and name not in value:
            yield place.path + step_to(name), "required, and not there"


def _additional(value: Any, schema: Any, place: _Place) -> Iterator[Misfit]:
    if type(value) is not dict:
        return
    patterns = place.schema.get("patternProperties", ())
    known = place.schema.get("properties", {})
    for name in value:
        if name not in known and not any(_matches(pattern, name) for pattern in patterns):
            yield from place.at(step_to(name), schema).misfits(value[name])


def _pattern_properties(value: Any, patterns: Any, place: _Place) -> Iterator[Misfit]:
    for name in value if type(value) is dict else ():
        for pattern, schema in patterns.items():
            if _matches(pattern, name):
                yield from place.at(step_to(name), schema).misfits(value[name])


def _property_names(value: Any, schema: Any, place: _Place) -> Iterator[Misfit]:
    for name in value if type(value) is dict else ():
        yield from place.at(step_to(name), schema).misfits(name)


# -- arrays ------------------------------------------------------------------------------------


def _prefix_items(value: Any, schemas: Any, place: _Place) -> Iterator[Misfit]:
    if type(value) is list:
        for index, (item, schema) in enumerate(zip(value, schemas, strict=False)):
            yield from place.at(f"[{index}]", schema).misfits(item)


def _items(value: Any, schema: Any, place: _Place) -> Iterator[Misfit]:
    if type(value) is list:
        first = len(place.schema.get("prefixItems", ()))
        for index, item in enumerate(value[first:], first):
            yield from place.at(f"[{index}]", schema).misfits(item)


def _unique(value: Any, is_unique: Any, place: _Place) -> Iterator[Misfit]:
    if is_unique and type(value) is list and len({key_of(item) for item in value}) < len(value):
        yield place.path, "its items are not all different"


# -- bounds ------------------------------------------------------------------------------------


def _pattern(value: Any, pattern: str, place: _Place) -> Iterator[Misfit]:
    if type(value) is str and not _matches(pattern, value):
        yield place.path, f"{display(value)} does not match {pattern}"


def _matches(pattern: str, text: str) -> bool:
    """Whether a pattern matches; one that is no pattern to Python is not asked."""
    import re

    try:
        return re.search(pattern, text) is not None
    except re.error:  # ECMA-262 has what Python lacks
        return True


def _multiple_of(value: Any, factor: Any, place: _Place) -> Iterator[Misfit]:
    if _is_of(value, "number"):
        ratio = value / factor
        if not math.isclose(ratio, round(ratio), rel_tol=1e-9, abs_tol=1e-9):
            yield place.path, f"{value} is no multiple of {factor}"


def _bound(kind: str, word: str, holds: Callable[[Any, Any], bool]) -> Check:
    """A check of how large a value is: a number itself, of others their length."""

    def check(value: Any, bound: Any, place: _Place) -> Iterator[Misfit]:
        if _is_of(value, kind):
            size = value if kind == "number" else len(value)
            if not holds(size, bound):
                yield place.path, f"{size} {_OF[kind]} {word} {bound}"

    return check


_OF = {
    "number": "is",
    "string": "characters are",
    "array": "items are",
    "object": "properties are",
}


def _at_least(size: Any, bound: Any) -> bool:
    return bool(size >= bound)


def _at_most(size: Any, bound: Any) -> bool:
    return bool(size <= bound)


CHECKS: dict[str, Check] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "$ref": _reference,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "allOf": _all_of,
    "not": _not,
    "properties": _properties,
    "required": _required,
    "additionalProperties": _additional,
    "patternProperties": _pattern_properties,
    "propertyNames": _property_names,
    "prefixItems": _prefix_items,
    "items": _items,
    "uniqueItems": _unique,
    "pattern": _pattern,
    "multipleOf": _multiple_of,
    "minimum": _bound("number", "less than", _at_least),
    "maximum": _bound("number", "more than", _at_most),
    "exclusiveMinimum": _bound("number", "not more than", lambda size, bound: bool(size > bound)),
    "exclusiveMaximum": _bound("number", "not less than", lambda size, bound: bool(size < bound)),
    "minLength": _bound("string", "fewer than", _at_least),
    "maxLength": _bound("string", "more than", _at_most),
    "minItems": _bound("array", "fewer than", _at_least),
    "maxItems": _bound("array", "more than", _at_most),
    "minProperties": _bound("object", "fewer than", _at_least),
    "maxProperties": _bound("object", "more than", _at_most),
}
"""The keywords that are known, each with what yields its misfits."""
