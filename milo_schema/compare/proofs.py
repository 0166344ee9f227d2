"""Proofs of changes: values that were valid before, and are not valid any more.

Values are made for the part that changed, put into a whole value, and judged by the validator under
both schemas. So nothing here has to be exact: what is not proved keeps its effect.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from milo_schema.annotations import Json
from milo_schema.compare.places import ABSENT, Difference, body_of, choices_of, takes_any_name
from milo_schema.json_schema.matching import matches
from milo_schema.json_schema.samples import LEAST, Sampler
from milo_schema.json_schema.subschemas import in_place, step_of, without
from milo_schema.json_schema.validation import Error, Trials
from milo_schema.json_schema.values import entries, with_part

MAX_STEPS = 300_000
"""How many steps the proofs of one comparison take."""
_PARTS, _WHOLES, _CHOICES, _MISSES = 8, 8, 50, 40
"""How many values are tried: of the part that changed, for the rest, choices, and near misses."""


class Proofs:
    """Looks for the values that prove changes.

    Args:
        schemas: The old schema, and the new one.
        is_of_results: Whether they are those of results, which break readers if there are values
            that were not valid before.
    """

    def __init__(self, schemas: tuple[Any, Any], *, is_of_results: bool) -> None:
        self.side: int = int(is_of_results)  # of two schemas, the one that accepts the values
        self.before: Any = schemas[self.side]
        self.after: Any = schemas[1 - self.side]
        self.trials: Trials = Trials(MAX_STEPS)

    def find(self, difference: Difference) -> str:
        """The JSON of a value that proves a change; empty if none is found."""
        if self.trials.left <= 0:  # no value would be judged
            return ""
        proof = self._first(self._wholes(difference), difference)
        if proof is ABSENT:
            return ""
        while (smaller := self._first(_smaller(proof), difference)) is not ABSENT:
            proof = smaller
        return json.dumps(proof, ensure_ascii=False)

    def _first(self, values: Iterable[Any], difference: Difference) -> Any:
        """The first value that proves a change."""
        return next((each for each in values if self._proves(each, difference)), ABSENT)

    def _proves(self, value: Any, difference: Difference) -> bool:
        """Whether a value is valid before, and not after, because of the part that changed."""
        for formats in (True, False):  # which validators may check
            if self.trials.errors(value, self.before, formats=formats) != []:
                return False
        errors = self.trials.errors(value, self.after) or []
        is_shown = any(_concerns(each, difference) for each in errors)
        return is_shown and _is_documented(value, [self.before], self.before)

    def _wholes(self, difference: Difference) -> Iterator[Any]:
        """Values with the part that changed in their place."""
        outer, route = difference.place.outer, difference.place.route
        if not outer:
            yield from self._parts(difference)
            return
        wanted = tuple("{}" if each == "{name}" else each for each in route)
        samplers = [Sampler(self.before, seed, wanted) for seed in (LEAST, *range(_WHOLES))]
        parts = islice(filter(self._fails(difference), self._parts(difference)), _PARTS)
        for part in parts:
            for sampler in samplers:
                yield from _replaced(sampler.whole(), outer, part)

    def _fails(self, difference: Difference) -> Any:
        """Whether a part is valid before, and not after."""
        before, after = self._pair(difference)

        def fails(part: Any) -> bool:
            is_valid = self.trials.errors(part, before, self.before) == []
            return is_valid and bool(self.trials.errors(part, after, self.after))

        return fails

    def _pair(self, difference: Difference) -> tuple[Any, Any]:
        pair = difference.place.pair
        return pair[self.side], pair[1 - self.side]

    def _parts(self, difference: Difference) -> Iterator[Any]:
        """Values for the part that changed: the smallest, its choices and bounds, then others."""
        before, after = self._pair(difference)
        place = difference.place
        wanted = place.route[len(place.outer) :]
        yield Sampler(self.before, LEAST).draw(before, 0)
        yield Sampler(self.before, LEAST, wanted).draw(before, 0)
        body = body_of(before, self.before)
        yield from (choices_of(body) or ())[:_CHOICES]
        yield from (body[name] for name in ("minimum", "maximum") if name in body)
        for seed in range(_PARTS):
            value = Sampler(self.before, seed, wanted).draw(before, 0)
            yield value
            misses = Sampler(self.after, seed).misses(after, value, "")
            yield from islice((wrong for *_, wrong in misses), _MISSES)


def _replaced(value: Any, steps: Sequence[str], part: Any) -> Iterator[Any]:
    """A value with a part in place of those to which the steps lead, one at a time."""
    if not steps:
        yield part
    elif type(value) is dict and steps[0] == "{name}":
        yield from ({part: each} for each in value.values() if type(part) is str)
    elif type(value) is dict or type(value) is list:
        any_part = "{}" if type(value) is dict else "[]"
        for key, each in entries(value):
            if steps[0] in (any_part, step_of(key)):
                for new in _replaced(each, steps[1:], part):
                    yield with_part(value, key, new)


def _smaller(value: Any) -> Iterator[Any]:
    """Values that lack one property or item of a value."""
    if type(value) is dict:
        for name in value:
            yield (rest := without(value, name))
            yield from ({**rest, name: each} for each in _smaller(value[name]))
    elif type(value) is list:
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]
            yield from (with_part(value, index, each) for each in _smaller(value[index]))


# -- where an error is -------------------------------------------------------------------------

_ANY_STEP = {"[]": r"\[\d+\]", "{}": r'(?:\.\w+|\["(?:[^"\\]|\\.)*"\])', "{name}": ""}
_AROUND = ("anyOf", "oneOf", "not")


def _concerns(error: Error, difference: Difference) -> bool:
    """Whether an error is at the place of a change, within it, or about a union around it.

    At the place, it has to be about what changed there: a lower maximum proves no other type.

    A reference that leads nowhere, or in a circle, proves nothing: no validator can follow it.
    """
    path, steps = error.path, difference.place.route
    if error.keyword == "$ref":
        return False
    for number, step in enumerate(steps, 1):
        if not path:
            return error.keyword in _AROUND
        ends = (step, difference.other) if number == len(steps) and difference.other else (step,)
        pattern = "|".join(_ANY_STEP.get(each, re.escape(each)) for each in ends)
        found = re.match(rf"(?:{pattern})(?![^.\[])", path)
        if found is None:
            return False
        path = path[found.end() :]
    return not difference.keywords or error.keyword in (*difference.keywords, *_AROUND)


# -- names that a schema documents ---------------------------------------------------------------


def _is_documented(value: Any, schemas: Iterable[Any], root: Json, is_root: bool = True) -> bool:
    """Whether schemas document each name in a value: callers send no others."""
    if type(value) not in (dict, list):
        return True
    every = in_place(schemas, root)
    for key, part in entries(value):
        below = [each for schema in every for each in _below(key, schema, is_root)]
        if not below or not _is_documented(part, below, root, is_root=False):
            return False
    return True


def _below(key: str | int, schema: Json, is_root: bool) -> Iterator[Any]:
    """The schemas of a property or an item."""
    if isinstance(key, int):
        prefix = schema.get("prefixItems", [])
        yield prefix[key] if key < len(prefix) else schema.get("items", True)
        return
    if key in schema.get("properties", {}):
        yield schema["properties"][key]
    elif key in schema.get("required", ()):
        yield True
    elif takes_any_name(schema, is_root=is_root):
        yield schema.get("additionalProperties", True)
    for pattern, each in schema.get("patternProperties", {}).items():
        if matches(pattern, key):
            yield each
