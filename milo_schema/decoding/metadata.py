"""Loaders of ``Annotated[T, ...]``: the loader of T, and the checks of the metadata.

A constraint is checked as in the schema: by the keyword for the JSON type of the value. If a value
is a string only in JSON, the value itself is checked: the number of bytes, the bounds of a decimal;
a date has no length.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Arguments
from milo_schema.annotations.classes import inherits, loaded
from milo_schema.annotations.forms import metadata_of
from milo_schema.decoding.containers import ANYTHING
from milo_schema.decoding.loader import (
    Loader,
    Problem,
    Refused,
    Run,
    described,
    prepared,
    quoted,
    refused,
    repaired,
    wrong,
)
from milo_schema.decoding.texts import has_format
from milo_schema.decoding.unions import numbered
from milo_schema.json_schema.bounds import bound_error
from milo_schema.json_schema.keywords import BOUNDS, tighten
from milo_schema.json_schema.validation import VALIDATORS, iter_errors
from milo_schema.json_schema.values import CLASSES, NotJSONError
from milo_schema.schemas import finish, start
from milo_schema.schemas.annotated import read_markers
from milo_schema.schemas.definitions import types_in
from milo_schema.schemas.walk import Walk

Keywords = dict[str, Any]


def annotated(tp: Any, args: Arguments, walk: Walk) -> Loader | None:
    """``Annotated[T, ...]``: the loader of T, and the checks of the metadata."""
    if not args:
        return None
    inner = prepared(args[0], walk)
    _, constraints, annotations = read_markers(metadata_of(tp), walk)
    said: Keywords = {}
    for marker, (_, keyword, check) in annotations:
        if keyword is None:
            said |= _checked(marker, check, {})
        elif keyword == "format":
            said[keyword] = _checked(marker, check, "")
    by_kind: dict[type, Keywords] = {}
    for marker, (_, keywords, check) in constraints:
        value = _checked(marker, check, None)
        for json_type, keyword in keywords.items() if value is not None else ():
            tighten(by_kind.setdefault(_CLASSES[json_type], {}), keyword, value)
    asserted = [keyword for keyword in said if keyword in VALIDATORS]
    if not asserted and not by_kind and "format" not in said:
        return inner
    if int in by_kind:
        by_kind[float] = by_kind[int]
        inner = numbered(inner)
    schema = exact_schema(tp, walk) if asserted else {}  # some keywords depend on others
    asserted = [keyword for keyword in asserted if keyword in schema]
    return _constrained(inner, said.get("format"), by_kind, schema, asserted)


_CLASSES = {"string": str, "integer": int, "number": int, "array": list, "object": dict}


def _checked(marker: Any, check: Any, otherwise: Any) -> Any:
    """The value of a marker, if it is valid; the schema reports other values."""
    try:
        return check(marker.value)
    except (NotJSONError, ValueError):
        return otherwise


def exact_schema(tp: Any, walk: Walk) -> Any:
    """The exact schema of a type: before any transform, and with null."""
    profile = walk.profile.replace(transforms=(), optional="null", unwrap_none=False)
    place = start(walk.path, walk.scope, profile, strict=False)
    return finish(lambda: place.schema(tp), place)


def _constrained(
    inner: Loader, text_format: Any, by_kind: dict[type, Keywords], schema: Any, asserted: list[str]
) -> Loader:
    """A loader that checks the value that another one has read.

    Args:
        inner: The loader that reads the value.
        text_format: The format that a string must have, if any.
        by_kind: The keywords for values of each class.
        schema: The whole schema.
        asserted: The keywords of the schema that *inner* does not check.
    """
    loader = Loader(inner.kinds, inner.label, turn=inner.turn)
    loader.exact = inner.exact

    def load(json: Any, run: Run) -> Any:
        repairs = run.repairs and type(json) is str
        run.repairs &= not repairs  # only here: a repaired value has to pass these checks
        value = inner.load(json, run)
        run.repairs |= repairs
        if type(value) is not Refused:
            found = _misfits(json, value, by_kind) if by_kind else None
            if found is None and asserted:
                found = misfits(json, schema, asserted)
            if found is None and text_format is not None:
                found = _unformatted(json, text_format)
            if found is None:
                return value
            value = found
        return repaired(loader, json, run, value) if repairs else value

    loader.load = load
    return loader


def misfits(json: Any, schema: Any, keywords: list[str] | None = None) -> Refused | None:
    """The problems of JSON that is not valid under a schema, or under some of its keywords."""
    found = [
        Problem(reason, (path, None) if path else None)
        for path, reason in iter_errors(json, schema, keywords=keywords)
    ]
    return Refused(*found) if found else None


def _unformatted(json: Any, name: Any) -> Refused | None:
    if type(json) is not str or type(name) is not str or has_format(json, name):
        return None
    return refused(f"{described(json)} is not of the format {quoted(name)}")


def fitting(schema: Any, then: Loader) -> Loader:
    """A loader that validates JSON with a schema first, and then reads a copy of it."""
    if not schema:
        return then
    loader = Loader(kinds_of(schema), then.label)

    def load(json: Any, run: Run) -> Any:
        if type(json) not in loader.kinds:
            return wrong(loader, json, run)
        copy = ANYTHING.load(json, run)
        if type(copy) is Refused:
            return copy
        return misfits(copy, schema) or then.load(copy, run)

    loader.load = load
    return loader


def kinds_of(schema: Any) -> frozenset[type]:
    """The classes of the JSON that a finished schema may accept."""
    return frozenset().union(*(CLASSES[name] for name in types_in(schema, None)))


def _misfits(json: Any, value: Any, by_kind: dict[type, Keywords]) -> Refused | None:
    """The problems of JSON, or of the value that its text represents, under constraints."""
    kind = type(value)
    if type(json) is str and kind is not str:
        if any(inherits(kind, base) for base in _BYTES):
            return _out_of_bounds(len(value), by_kind.get(str, {}))
        if inherits(kind, loaded("decimal.Decimal")):
            return _out_of_bounds(value, by_kind.get(int, {}))
        if any(inherits(kind, loaded(dotted)) for dotted in _SPELLED):
            return None
    keywords = by_kind.get(type(json))
    return None if keywords is None else misfits(json, keywords)


_BYTES = (bytes, bytearray, memoryview)
_SPELLED = (
    "datetime.date",
    "datetime.time",
    "datetime.timedelta",
    "uuid.UUID",
    "ipaddress.IPv4Address",
    "ipaddress.IPv6Address",
    "re.Pattern",
)
"""Classes of values that are strings in JSON, but have no length."""


def _out_of_bounds(size: Any, keywords: Keywords) -> Refused | None:
    """The problem of a number of bytes, or of a decimal, that is out of bounds."""
    if type(size) is not int and size.is_nan():
        return refused("NaN is not within any bounds") if keywords else None
    for name, bound in keywords.items():
        if name in BOUNDS and (error := bound_error(name, size, bound)):
            return refused(error.replace("characters", "bytes"))
    return None
