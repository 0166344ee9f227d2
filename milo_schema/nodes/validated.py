"""Nodes that check JSON beyond its type: by the keywords of metadata, or by a whole schema.

A constraint is checked as in the schema: by the keyword for the JSON type of the value. If a value
is a string only in JSON, the value itself is checked: the number of bytes, the bounds of a decimal;
a date has no length.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from milo_schema.annotations import Json
from milo_schema.annotations.classes import shorten
from milo_schema.errors import Problem
from milo_schema.json_schema.keywords import BOUNDS, bound_error, tighten
from milo_schema.json_schema.scalars import has_format, row_of
from milo_schema.json_schema.sentences import LABELS, describe, either, unformatted
from milo_schema.json_schema.subschemas import json_types
from milo_schema.json_schema.validation import VALIDATORS, Error, code_of, iter_errors
from milo_schema.json_schema.values import CLASSES
from milo_schema.nodes.base import (
    MAX_PROBLEMS,
    Loading,
    Node,
    Refused,
    Wrapper,
    refuse,
    refuse_kind,
)
from milo_schema.nodes.containers import ANYTHING
from milo_schema.nodes.forward import Annotated

Keywords = dict[str, Any]


class Checked(Wrapper):
    """A node whose values must also satisfy metadata.

    Attributes:
        inner: The node that loads the value.
        by_kind: The keywords for the JSON of each class.
        whole: The whole schema, if it has other keywords to check.
        asserted: Those keywords.
        text_format: The format that a string must have, if any.
        patterns: The patterns that a string must match, although its schema does not say so.
    """

    __slots__ = ("asserted", "by_kind", "inner", "kinds", "patterns", "text_format", "whole")

    def __init__(
        self,
        inner: Node,
        by_kind: dict[type, Keywords],
        schema: Json,
        asserted: list[str],
        text_format: Any,
        patterns: Sequence[Any],
    ) -> None:
        self.inner: Node = inner
        self.kinds: frozenset[type] = inner.kinds
        self.by_kind: dict[type, Keywords] = by_kind
        self.whole: Json = schema
        self.asserted: list[str] = asserted
        self.text_format: Any = text_format
        self.patterns: Sequence[Any] = patterns

    def load(self, json: Any, run: Loading) -> Any:
        """The value, if it satisfies everything."""
        value = self.inner.load(json, run)
        return value if type(value) is Refused else self._problems(json, value) or value

    def _problems(self, json: Any, value: Any) -> Refused | None:
        found = _misfits(json, value, self.by_kind) if self.by_kind else None
        if found is None and self.asserted:
            found = misfits(json, self.whole, self.asserted)
        if found is None and self.text_format is not None:
            found = _unformatted(json, self.text_format)
        if found is None and type(value) is str:
            for each in self.patterns:
                if not each.search(value):
                    must = f"must match {shorten(repr(each), 200)}"
                    return refuse(f"{must}, got {describe(value)}", "wrong-format")
        return found


def checks_of(node: Annotated) -> Node:
    """The node that loads JSON of an annotated type: that of the type, if nothing is asserted."""
    written: Keywords = {}
    for keyword, value in node.facts.keywords:
        if keyword is None:
            written |= value
        elif keyword == "format":
            written[keyword] = value
    by_kind: dict[type, Keywords] = {}
    for each in node.facts.constraints:
        for json_type, keyword in each.keywords.items():
            tighten(by_kind.setdefault(_CLASSES[json_type], {}), keyword, each.value)
    asserted = [keyword for keyword in written if keyword in VALIDATORS]
    patterns = node.facts.patterns
    if not asserted and not by_kind and not patterns and "format" not in written:
        return node.inner
    inner = node.inner
    if int in by_kind:
        by_kind[float] = by_kind[int]
        inner = inner.with_numbers()
    schema = node.reader.exact_schema(node) if asserted else {}  # some keywords depend on others
    asserted = [keyword for keyword in asserted if keyword in schema]
    return Checked(inner, by_kind, schema, asserted, written.get("format"), patterns)


_CLASSES = {"string": str, "integer": int, "number": int, "array": list, "object": dict}


class Fitting(Wrapper):
    """A node of JSON that is valid for a schema; another one loads a copy of it.

    Attributes:
        valid: The schema.
        inner: The other node.
    """

    __slots__ = ("inner", "kinds", "valid")

    def __init__(self, valid: Json, inner: Node) -> None:
        self.valid: Json = valid
        self.inner: Node = inner
        self.kinds: frozenset[type] = kinds_of(valid)

    @property
    def label(self) -> str:  # type: ignore[override]
        """That of the other node, or the types of the schema if that one takes anything."""
        types = json_types(self.valid) if self.inner is ANYTHING else []
        return either(map(LABELS.__getitem__, types)) or self.inner.label

    def load(self, json: Any, run: Loading) -> Any:
        """The value, if its JSON is valid."""
        if type(json) not in self.kinds:
            return refuse_kind(self, json, run)
        copy = ANYTHING.load(json, run)
        if type(copy) is Refused:
            return copy
        return misfits(copy, self.valid) or self.inner.load(copy, run)


def kinds_of(schema: Any) -> frozenset[type]:
    """The classes of the JSON that a finished schema may accept."""
    return frozenset().union(*(CLASSES[name] for name in json_types(schema)))


def misfits(
    json: Any, schema: Any, keywords: list[str] | None = None, *, formats: bool = False
) -> Refused | None:
    """The problems of JSON that is not valid under a schema, or under some of its keywords."""
    errors = islice(iter_errors(json, schema, None, keywords, formats=formats), MAX_PROBLEMS)
    found = [*map(problem_of, errors)]
    return Refused(*found) if found else None


def problem_of(error: Error) -> Problem:
    """The problem that an error of validation is."""
    return Problem(
        error.reason,
        error.path,
        code=code_of(error.keyword),
        expected=error.expected,
        value=error.value,
    )


def _unformatted(json: Any, name: Any) -> Refused | None:
    if type(json) is not str or type(name) is not str or has_format(json, name):
        return None
    return refuse(unformatted(json, name), "wrong-format")


def _misfits(json: Any, value: Any, by_kind: dict[type, Keywords]) -> Refused | None:
    """The problems of JSON, or of the value that its text represents, under constraints."""
    kind = type(value)
    if type(json) is str and kind is not str and (row := row_of(kind)) is not None:
        if row.is_bytes:
            return _out_of_bounds(len(value), by_kind.get(str, {}))
        if row.is_number:
            return _out_of_bounds(value, by_kind.get(int, {}))
        if not row.is_text:
            return None
    keywords = by_kind.get(type(json))
    return None if keywords is None else misfits(json, keywords)


def _out_of_bounds(size: Any, keywords: Keywords) -> Refused | None:
    """The problem of a number of bytes, or of a decimal, that is out of bounds."""
    if type(size) is not int and size.is_nan():
        return refuse("must be within bounds, got NaN", "out-of-bounds") if keywords else None
    for name, bound in keywords.items():
        if name in BOUNDS and (error := bound_error(name, size, bound)):
            return refuse(error.replace("character", "byte"), "out-of-bounds")
    return None
