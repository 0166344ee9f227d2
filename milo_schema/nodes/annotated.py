"""Nodes of ``Annotated[T, ...]``: the node of T, with the facts in the metadata.

A constraint has one keyword for each JSON type. It applies to every member of a union that has such
a type; if no member has, that is a problem. When JSON is loaded, it is checked in the same way: by
the keyword for the JSON type of the value. If a value is a string only in JSON, the value itself is
checked: the number of bytes, the bounds of a decimal; a date has no length.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from milo_schema.annotations import Arguments, Json, generics
from milo_schema.annotations.classes import is_class
from milo_schema.annotations.evaluation import evaluate, is_reference, scope_of, text_of
from milo_schema.annotations.forms import QuotedName, display, is_alias, is_form, metadata_of, split
from milo_schema.annotations.resolution import resolve_once
from milo_schema.annotations.scopes import Scope
from milo_schema.callables import records
from milo_schema.callables.signatures import is_asked
from milo_schema.errors import Problem
from milo_schema.json_schema import DECIMAL, STRICT
from milo_schema.json_schema.formats import has_format
from milo_schema.json_schema.keywords import BOUNDS, bound_error, tighten
from milo_schema.json_schema.references import merge
from milo_schema.json_schema.sentences import LABELS, describe, either, unformatted
from milo_schema.json_schema.subschemas import json_types, simplify
from milo_schema.json_schema.values import CLASSES
from milo_schema.markers import Examples
from milo_schema.nodes import Definitions, PydanticHooks, Reader, Session
from milo_schema.nodes.base import (
    MAX_PROBLEMS,
    Dumping,
    Loading,
    Node,
    Place,
    Refusal,
    Wrapper,
    refuse,
    refuse_kind,
)
from milo_schema.nodes.checks import PythonCheck
from milo_schema.nodes.containers import ANYTHING
from milo_schema.nodes.defaults import part_of, written
from milo_schema.nodes.definitions import Named
from milo_schema.nodes.metadata import HOOKS, Metadata, MetadataReader
from milo_schema.nodes.scalar_types import SCALAR_TYPES, row_of

# -- checks --------------------------------------------------------------------------------------
#
# Nodes that check JSON beyond its type: by the keywords of metadata, or by a whole schema.
#
# A constraint is checked as in the schema: by the keyword for the JSON type of the value. If a
# value is a string only in JSON, the value itself is checked: the number of bytes, the bounds of a
# decimal; a date has no length.

Keywords = dict[str, Any]


class Assertions(Wrapper):
    """A node whose values must also satisfy metadata.

    Attributes:
        inner: The node that loads the value.
        by_kind: The keywords for the JSON of each class.
        whole: The whole schema, if it has other keywords to check.
        asserted: Those keywords.
        text_format: The format that a string must have, if any.
        checks: The checks of values that its schema does not have.
    """

    __slots__ = ("asserted", "by_kind", "checks", "inner", "kinds", "text_format", "whole")

    def __init__(
        self,
        inner: Node,
        by_kind: dict[type, Keywords],
        schema: Json,
        asserted: list[str],
        text_format: str | None,
        checks: Sequence[PythonCheck],
    ) -> None:
        self.inner: Node = inner
        self.kinds: frozenset[type] = inner.kinds
        self.by_kind: dict[type, Keywords] = by_kind
        self.whole: Json = schema
        self.asserted: list[str] = asserted
        self.text_format: str | None = text_format
        self.checks: Sequence[PythonCheck] = checks

    def load(self, json: Any, run: Loading) -> Any:
        """The value, if it satisfies everything."""
        value = self.inner.load(json, run)
        return value if type(value) is Refusal else self._problems(json, value) or value

    def _problems(self, json: Any, value: Any) -> Refusal | None:
        found = _misfits(json, value, self.by_kind) if self.by_kind else None
        if found is None and self.asserted:
            found = misfits(json, self.whole, self.asserted)
        if found is None and self.text_format is not None:
            found = _unformatted(json, self.text_format)
        for each in self.checks if found is None else ():
            if (found := each.refusal(value, json)) is not None:
                return found
        return found


def checks_of(node: Annotated) -> Node:
    """The node that loads JSON of an annotated type: that of the type, if nothing is asserted."""
    from milo_schema.json_schema.validation import VALIDATORS  # no schema needs it

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
    checks = node.facts.checks
    if not asserted and not by_kind and not checks and "format" not in written:
        return node.inner
    inner = node.inner
    if int in by_kind:
        by_kind[float] = by_kind[int]
        inner = inner.with_numbers()
    # All of it, because some keywords depend on others.
    schema = node.session.reader().exact_schema(node) if asserted else {}
    if "$ref" in asserted:  # its target may stand in its place
        asserted = [*schema]
    asserted = [keyword for keyword in asserted if keyword in schema]
    return Assertions(inner, by_kind, schema, asserted, written.get("format"), checks)


_CLASSES = {"string": str, "integer": int, "number": int, "array": list, "object": dict}


class Guard(Wrapper):
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
    def types(self) -> list[str]:  # type: ignore[override]
        """Those of the schema."""
        return types_of(self.valid)

    @property
    def label(self) -> str:  # type: ignore[override]
        """That of the other node, or the types of the schema if that one takes anything."""
        types = self.types if self.inner is ANYTHING else []
        return either(map(LABELS.__getitem__, types)) or self.inner.label

    def load(self, json: Any, run: Loading) -> Any:
        """The value, if its JSON is valid."""
        if type(json) not in self.kinds:
            return refuse_kind(self, json)
        copy = ANYTHING.load(json, run)
        if type(copy) is Refusal:
            return copy
        return misfits(copy, self.valid) or self.inner.load(copy, run)


def kinds_of(schema: Any) -> frozenset[type]:
    """The classes of the JSON that a finished schema may accept."""
    return frozenset().union(*(CLASSES[name] for name in types_of(schema)))


def types_of(schema: Any) -> list[str]:
    """The types of the JSON that a finished schema may accept, each once."""
    return [*dict.fromkeys(json_types(schema))]


def misfits(
    json: Any, schema: Any, keywords: list[str] | None = None, *, formats: bool = False
) -> Refusal | None:
    """The problems of JSON that is not valid under a schema, or under some of its keywords."""
    from milo_schema.json_schema.validation import iter_errors  # no schema needs it

    errors = islice(iter_errors(json, schema, None, keywords, formats=formats), MAX_PROBLEMS)
    found = [each.as_problem() for each in errors]
    return Refusal(*found) if found else None


def _unformatted(json: Any, name: str) -> Refusal | None:
    if type(json) is not str or has_format(json, name):
        return None
    return refuse(unformatted(json, name), json, keyword="format", limit=name)


def _misfits(json: Any, value: Any, by_kind: dict[type, Keywords]) -> Refusal | None:
    """The problems of JSON, or of the value that its text represents, under constraints."""
    kind = type(value)
    if type(json) is str and kind is not str and (row := row_of(kind)) is not None:
        if row.is_bytes:
            return _out_of_bounds(len(value), json, by_kind.get(str, {}))
        if row.is_number:
            return _out_of_bounds(value, json, by_kind.get(int, {}))
        if not row.is_text:
            return None
    keywords = by_kind.get(type(json))
    return None if keywords is None else misfits(json, keywords)


def _out_of_bounds(size: Any, json: str, keywords: Keywords) -> Refusal | None:
    """The problem of a number of bytes, or of a decimal, that is out of bounds."""
    is_nan = type(size) is not int and size.is_nan()
    for name, bound in keywords.items():
        if is_nan:
            return refuse("must be within bounds, got NaN", json, "out-of-bounds")
        if name in BOUNDS and (error := bound_error(name, size, bound)):
            return refuse(error.replace("character", "byte"), json, keyword=name, limit=bound)
        if name == "multipleOf" and not _is_decimal_multiple(size, bound):
            reason = f"must be a multiple of {bound}, got {describe(json)}"
            return refuse(reason, json, keyword=name, limit=bound)
    return None


MAX_DIGITS = 1_000
"""The most digits, before or after the point, of a decimal that has to be a multiple."""


def _is_decimal_multiple(decimal: Any, factor: float) -> bool:
    """Whether a decimal is exactly a multiple; false if it is infinite or very long.

    A float is judged by the validator, which allows for its rounding.
    """
    from fractions import Fraction

    if not decimal.is_finite():
        return False
    _, digits, exponent = decimal.as_tuple()
    is_short = len(digits) + abs(exponent) <= MAX_DIGITS
    return is_short and Fraction(decimal) % Fraction(str(factor)) == 0


# -- annotated -------------------------------------------------------------------------------------


class Annotated(Wrapper):
    """``Annotated[T, ...]``.

    Attributes:
        inner: The node of T.
        facts: What the metadata say.
        place: The place of the annotation.
    """

    __slots__ = ("_checks", "annotation", "facts", "inner", "place", "session")

    def __init__(
        self, annotation: Any, inner: Node, facts: Metadata, session: Session, place: Place
    ) -> None:
        self.annotation: Any = annotation
        self.inner: Node = inner
        self.facts: Metadata = facts
        self.session: Session = session
        self.place: Place = place
        self._checks: Node | None = None

    @classmethod
    def read(
        cls, reader: Reader, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place
    ) -> Node:
        """``Annotated[T, ...]``."""
        if not args:
            return reader.unsupported(tp, f"no JSON Schema for {display(tp)}", place)
        metadata = MetadataReader(reader, scope, place)
        metadata.read(metadata_of(tp))
        if HOOKS in metadata.groups:
            return reader.read_foreign(tp, None, metadata)
        if metadata.describes_all:
            inner = reader.read_unknown(args[0], scope, place, is_described=True)
        else:
            inner = reader.read(args[0], scope, place)
        found = cls(tp, inner, metadata.facts(tp, inner), reader.session, place)
        return reader.read_foreign(tp, found, metadata) if metadata.has_checks else found

    @property
    def short_name(self) -> str:  # type: ignore[override]
        """That of T."""
        return self.inner.short_name

    # -- schema --------------------------------------------------------------------------------

    def schema(self, out: Definitions) -> Json:
        """The schema of T with the facts."""
        fragment = add_constraints(self.inner.schema(out), self.facts, self, out)
        if not self.facts.keywords:
            return fragment
        keywords = keywords_of(self.facts, self, out)
        # An alias written in place means the same as a reference with the keywords beside it.
        return merge(fragment, keywords) if type(self.inner) is Named else fragment | keywords

    @property
    def describes_class(self) -> bool:  # type: ignore[override]
        """Whether only T is described, and T is a class."""
        is_described = any(
            "description" in (value if keyword is None else [keyword])
            for keyword, value in self.facts.keywords
        )
        return not is_described and self.inner.describes_class

    @property
    def runs_user_code(self) -> bool:
        """Whether a predicate checks the values."""
        return any(not each.classes for each in self.facts.checks)

    def without_null(self) -> Node:
        """T without ``None``, with the same metadata."""
        inner = self.inner.without_null()
        if inner is self.inner:
            return self
        return type(self)(self.annotation, inner, self.facts, self.session, self.place)

    def without_class(self, cls: type) -> Node:
        """T without members of a class, with the same metadata."""
        inner = self.inner.without_class(cls)
        return self if inner is self.inner else self.replace(inner=inner)

    # -- values --------------------------------------------------------------------------------

    @property
    def checks(self) -> Node:
        """The node that loads JSON: that of T, if the metadata assert nothing."""
        if self._checks is None:
            self._checks = checks_of(self)
        return self._checks

    @property
    def load(self) -> Any:
        """The method of that node: it saves a frame, of which a level has no more than four."""
        return self.checks.load

    def dump(self, value: Any, run: Dumping) -> Any:
        """A value of T."""
        return self.inner.dump(value, run) if run.is_direct else run.dump(value, self.inner)

    @property
    def kinds(self) -> frozenset[type]:  # type: ignore[override]
        """Those of T."""
        return self.checks.kinds

    @property
    def plain(self) -> frozenset[type]:  # type: ignore[override]
        """Those of T, if the metadata assert nothing."""
        return self.checks.plain

    @property
    def problem(self) -> Problem | None:  # type: ignore[override]
        """That of T, unless the metadata are the schema."""
        return None if self.facts.describes_all else self.inner.problem

    def members(self) -> Iterator[Node]:
        """A union with metadata is one member."""
        yield self

    def with_numbers(self) -> Node:
        """Itself: its own constraints decide."""
        return self


# -- adding facts to a schema ------------------------------------------------------------------


def add_constraints(
    fragment: Json, facts: Metadata, node: Annotated | PydanticHooks, out: Definitions
) -> Json:
    """Add the constraints to the schema of the annotated type; *node* is for messages."""
    if not facts.constraints:
        return fragment
    fragment = out.expand(fragment)
    for each in facts.constraints:
        if not constrain(fragment, each.keywords, each.value, out):
            inner, types = split(node.annotation)[1][0], (_PYTHON[kind] for kind in each.keywords)
            reason = f"{display(each.marker)} cannot apply to {display(inner)}"
            reason = f"{reason}; it is for {', '.join(types)}"
            out.report(reason, node.place, node.annotation, code="unfit-marker")
    return simplify(fragment) if "anyOf" in fragment else fragment


def keywords_of(facts: Metadata, node: Annotated | PydanticHooks, out: Definitions) -> Json:
    """The other keywords, which restrict nothing."""
    found: Json = {}
    for keyword, value in facts.keywords:
        if keyword is None:
            found |= out.import_keywords(value, node.place)
        elif keyword != "examples":
            if keyword != STRICT or out.is_exact:
                found[keyword] = value
        elif (examples := _examples(value, node, out)) is not None:
            found[keyword] = examples
    return found


def _examples(
    values: tuple[Any, ...], node: Annotated | PydanticHooks, out: Definitions
) -> list[Any] | None:
    """Examples as JSON; ``None`` if one has none, which is reported."""
    found = []
    for value in values:
        json = written(value, node, out.session.reader())
        if type(json) is Refusal:
            what = f"{display(Examples(*values))} contains {part_of(value, json.problems[0])}"
            reason = f"{what}, which cannot be written as JSON"
            out.report(reason, node.place, node.annotation, code="unfit-marker")
            return None
        found.append(json)
    return found


_PYTHON = {"string": "str", "integer": "int", "number": "float", "array": "list", "object": "dict"}
"""The Python name of each JSON type."""


def constrain(fragment: Json, keywords: Mapping[str, str], value: Any, out: Definitions) -> bool:
    """Add a constraint wherever it applies in *fragment*; return whether it applies anywhere.

    Args:
        fragment: The schema, which is changed.
        keywords: The constraint's keyword for each JSON type.
        value: The keyword's value.
        out: The definitions that references in the schema lead to.
    """
    kind = fragment.get("type")
    if type(kind) is str and _QUALIFYING.isdisjoint(fragment):  # most are
        if (keyword := keywords.get(kind)) is None:
            return False
        tighten(fragment, keyword, value)
        return True
    if "anyOf" in fragment:
        arms = fragment["anyOf"]
        if any(arm.get("type") == "number" for arm in arms):  # it covers decimals, too
            arms = [arm for arm in arms if not _is_decimal(arm)]
        return any([constrain(arm, keywords, value, out) for arm in arms])  # noqa: C419 - all
    if _is_decimal(fragment):
        if is_bound := "number" in keywords:  # it does not apply to text
            text = {key: fragment.pop(key) for key in ("type", "pattern")}
            fragment["anyOf"] = [{"type": "number", keywords["number"]: value}, text]
        return is_bound
    if _is_string_form(fragment, keywords):
        return False
    found = {keywords[kind]: None for kind in out.types_of(fragment) if kind in keywords}
    for keyword in found:
        tighten(fragment, keyword, _encoded(fragment, keyword, value))
    return bool(found)


_QUALIFYING = frozenset({"$ref", "anyOf", "contentEncoding", "format", "pattern"})
"""Keywords with which the type is not enough to decide whether a constraint applies."""

_FORMATS = frozenset(row.keywords.get("format") for row in SCALAR_TYPES if not row.is_text)
"""Formats of values that are strings only in JSON: a date has no length."""


def _is_decimal(fragment: Json) -> bool:
    return fragment.get("pattern") == DECIMAL


def _is_string_form(fragment: Json, keywords: Mapping[str, str]) -> bool:
    """Whether a constraint is about the value, which JSON only represents as a string."""
    is_bytes = "contentEncoding" in fragment and "pattern" in keywords.values()
    return is_bytes or fragment.get("format") in _FORMATS


def _encoded(fragment: Json, keyword: str, value: Any) -> Any:
    """A number of bytes in characters of base64: four for three bytes (RFC 4648)."""
    is_bytes = fragment.get("contentEncoding") == "base64"
    return 4 * -(-value // 3) if is_bytes and keyword.endswith("Length") else value


# -- other annotations around annotations ------------------------------------------------------


def read_alias(
    reader: Reader, tp: Any, head: Any, _args: Arguments, scope: Scope, place: Place
) -> Node:
    """``type X = ...``, PEP 695; with arguments, if it is generic."""
    tp = reader.close(tp, scope, place)
    value, inner = generics.alias_value(tp, scope)
    return reader.name(tp, lambda body: body.read(value, inner, place), is_alias=True)


def read_reference(
    reader: Reader, tp: Any, head: Any, _args: Arguments, scope: Scope, place: Place
) -> Node:
    """A name in quotes inside an annotation; it is evaluated here, in its own scope.

    Its value may contain the same name: ``Json = dict[str, "Json"] | str``. So it becomes a named
    type, unless its value already is one.
    """
    if not is_reference(tp):  # such as "list"[int], made by mistake
        return reader.unsupported(tp, f"no JSON Schema for {display(tp)}", place)
    value, scope = evaluate(tp, scope), scope_of(tp, scope)
    if is_class(value) or value is None or _has_a_name(value):
        return reader.read(value, scope, place)
    name = QuotedName(text_of(tp), scope)
    return reader.name(name, lambda body: body.read(value, scope, place), is_alias=True)


def _has_a_name(value: Any) -> bool:
    """Whether an annotation is a specialized named type, or an alias."""
    head, _ = split(value)
    if is_class(head):
        return records.describes_itself(head) or records.is_record(head) or is_asked(head)
    return is_alias(head)


def read_wrapper(
    reader: Reader, tp: Any, head: Any, _args: Arguments, scope: Scope, place: Place
) -> Node:
    """A wrapper around another annotation: a qualifier, a type parameter, a ``NewType``."""
    if (found := resolve_once(tp, scope)) is not None:
        return reader.read(*found, place)
    if is_form(tp, "Self"):
        return reader.unsupported(tp, "Self is used outside of a class", place)
    return ANYTHING  # an unbound type parameter, or a qualifier without a type
