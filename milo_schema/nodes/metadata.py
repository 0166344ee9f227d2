"""Read the metadata of ``Annotated[T, ...]`` into facts about a value (PEP 593).

Metadata of every library become our markers, and each marker has a row in the tables below: the
keywords that it writes, and the check of its value. Unknown metadata are ignored, as PEP 593
requires.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from milo_schema import libraries, markers
from milo_schema.annotations import Json
from milo_schema.annotations.classes import (
    COMMON,
    MISSING,
    USER_CODE_ERRORS,
    Unresolved,
    class_name,
    inherits,
    is_any,
    is_called,
    is_class,
    loaded,
    mro,
    repr_of_error,
)
from milo_schema.annotations.evaluation import is_unresolved, text_of, try_evaluate
from milo_schema.annotations.forms import (
    Marker,
    display,
    is_injected,
    is_marker,
    split,
    with_metadata,
)
from milo_schema.annotations.scopes import Scope
from milo_schema.callables.signatures import NO_PARAMETER, Field
from milo_schema.errors import InjectedFieldError, SchemaError, nearest
from milo_schema.json_schema import STRICT
from milo_schema.json_schema.keywords import FORMATS
from milo_schema.json_schema.patterns import PythonOnlyError, to_ecma
from milo_schema.json_schema.subschemas import checked, references_of
from milo_schema.json_schema.values import NotJSONError, to_json
from milo_schema.nodes import Reader
from milo_schema.nodes.base import Node, Place, path_of
from milo_schema.nodes.checks import (
    PythonCheck,
    PythonOnlyMarkerError,
    bounded,
    finite,
    in_timezone,
    matching,
    satisfying,
)
from milo_schema.nodes.defaults import json_of
from milo_schema.nodes.scalars import Scalar

Check = Callable[[Any], Any]
Row = tuple[str, Any, Check]
Readers = Mapping[Any, Callable[[Any], Sequence[Any]]]


class Constraint:
    """A restriction of the values.

    Attributes:
        marker: The marker that says so.
        keywords: The keyword for each JSON type.
        value: The value of the keyword.
    """

    __slots__ = ("keywords", "marker", "value")

    def __init__(self, marker: Marker, keywords: Mapping[str, str], value: Any) -> None:
        self.marker: Marker = marker
        self.keywords: Mapping[str, str] = keywords
        self.value: Any = value


class Metadata:
    """The facts in the metadata of an annotation, besides hooks of other libraries.

    Attributes:
        constraints: The restrictions.
        checks: The restrictions that only calls can check.
        keywords: The keywords to write, each with its value; ``None`` for those of ``Schema``.

    A tool keeps all of them, and most are empty: Python has only one empty tuple.
    """

    __slots__ = ("checks", "constraints", "keywords")

    def __init__(
        self,
        constraints: tuple[Constraint, ...] = (),
        checks: tuple[PythonCheck, ...] = (),
        keywords: tuple[tuple[str | None, Any], ...] = (),
    ) -> None:
        self.constraints: tuple[Constraint, ...] = constraints
        self.checks: tuple[PythonCheck, ...] = checks
        self.keywords: tuple[tuple[str | None, Any], ...] = keywords

    @property
    def describes_all(self) -> bool:
        """Whether they include ``Schema({...})``, which can describe any type."""
        return any(keyword is None for keyword, _ in self.keywords)


class MetadataReader:
    """Reads the metadata of one annotation.

    Attributes:
        reader: The reader of the annotation.
        scope: Where names in the metadata are looked up.
        place: The place of the annotation.
        groups: The groups of the markers in the metadata.
    """

    __slots__ = ("_found", "_read", "groups", "place", "reader", "scope")

    def __init__(self, reader: Reader, scope: Scope, place: Place) -> None:
        self.reader: Reader = reader
        self.scope: Scope = scope
        self.place: Place = place
        self.groups: set[str] = set()
        self._found: list[tuple[Marker, Row]] = []
        self._read: list[Any] = []  # the functions of the profile that have read some

    def read(self, metadata: Sequence[Any]) -> None:
        """Collect the markers in the metadata, each with its row.

        Bare strings are read first, so that any other description replaces them, unless the profile
        ignores bare strings.
        """
        profile = self.reader.profile
        if texts := [piece for piece in metadata if type(piece) is str]:
            others = [piece for piece in metadata if type(piece) is not str]
            metadata = [*texts, *others] if profile.bare_descriptions else others
        try:
            self._collect(metadata, profile.markers)
        except SchemaError:
            raise
        except USER_CODE_ERRORS as problem:  # properties of foreign metadata are user code
            reason = f"reading the metadata in Annotated raised {repr_of_error(problem)}"
            self.reader.refuse(reason, self.place, cause=problem, code="user-code")
        self.groups = {row[0] for _, row in self._found}

    @property
    def hooks(self) -> list[Any]:
        """The metadata that only pydantic understands."""
        return [marker.value for marker, row in self._found if row[0] == HOOKS]

    @property
    def has_checks(self) -> bool:
        """Whether only pydantic can check the values."""
        return CHECKS in self.groups and "pydantic" in sys.modules

    @property
    def describes_all(self) -> bool:
        """Whether they include ``Schema({...})``, which can describe any type."""
        return WHOLE in self.groups

    def facts(self, tp: Any, inner: Node | None = None) -> Metadata:
        """The facts in markers with valid values; others are reported, and *tp* with them.

        It is called after the annotated type is read, so that its problems come first; *inner* is
        its node.
        """
        constraints: list[Constraint] = []
        checks: list[PythonCheck] = []
        others: list[tuple[str | None, Any]] = []
        for marker, (group, keywords, check) in self._found:
            if group in (HOOKS, CHECKS) or (group == PREDICATES and self.has_checks):
                continue  # pydantic calls a predicate among its validators
            try:
                given = json_of(marker.value, self.reader) if group == WHOLE else marker.value
                value = check(given)
            except PythonOnlyMarkerError as problem:
                checks.append(problem.check)
                if group != PREDICATES:
                    self._report_check(tp, marker, problem, inner)
                continue
            except ValueError as problem:
                value = self._report(tp, marker, problem)
            if value is MISSING:
                continue
            if group == CONSTRAINTS:
                constraints.append(Constraint(marker, keywords, value))
            else:
                others.append((keywords, value))
                if keywords is None and "$defs" in value:
                    self.reader.session.is_simple = False
        return Metadata((*constraints,), (*checks,), (*others,))

    def _report_check(
        self, tp: Any, marker: Marker, problem: PythonOnlyMarkerError, inner: Node | None
    ) -> None:
        """Report a marker that only calls check, or that no value of the type can satisfy."""
        fits = True
        if isinstance(inner, Scalar):
            bases = mro(inner.cls) if is_class(inner.cls) else ()
            fits = any(is_any(each, bases) for each in problem.check.classes)
        if fits:
            reason = f"{_reason(marker, problem)}; only calls check it"
        else:
            reason = f"{display(marker)} cannot apply to {display(split(tp)[1][0])}"
        self.reader.report(reason, self.place, tp, code="unfit-marker", is_enforced=fits)

    def _report(self, tp: Any, marker: Marker, problem: ValueError) -> Any:
        """Report the value of a marker; return the value to write, or ``MISSING``."""
        is_unknown = type(problem) is _UnknownFormatError
        code = "unknown-format" if is_unknown else "unfit-marker"
        self.reader.report(_reason(marker, problem), self.place, tp, code=code)
        return marker.value if is_unknown else MISSING

    def _collect(self, metadata: Iterable[Any], readers: Readers) -> None:
        """Add the markers for some metadata; *readers* of the profile take precedence over ours."""
        for piece in metadata:
            if (row := ROWS.get(id(type(piece)))) is not None:
                self._found.append((piece, row))
            else:
                self._collect_other(piece, readers)

    def _collect_other(self, piece: Any, readers: Readers) -> None:
        """The same for a piece of metadata that is not an object of exactly one of our classes."""
        cls = piece if is_class(piece) else type(piece)
        if readers and (read := _reader_of(cls, readers)) is not None:
            self._report_twin(read, cls)
            self._collect(self.read_by(read, piece), {})
        elif is_injected(piece):
            self._refuse_field()
        elif inherits(type(piece), Marker):
            if (row := _inherited_row(type(piece))) is not None:
                self._found.append((piece, row))
        elif is_unresolved(piece):
            self._collect_unresolved(piece, readers)
        else:
            self._collect(_markers_for(piece), readers)

    def _report_twin(self, read: Any, cls: type) -> None:
        """Report a second piece of metadata that one function of the profile reads."""
        if is_any(read, self._read):
            reason = f"two {display(cls)} in one Annotated; keep one of them"
            self.reader.report(reason, self.place, code="unfit-marker")
        self._read.append(read)

    def _collect_unresolved(self, piece: Any, readers: Readers) -> None:
        """A name that could not be evaluated before."""
        found = try_evaluate(piece, self.scope)
        if type(found) is not Unresolved:
            self._collect((found,), readers)
        else:
            self.reader.report(
                found.reason, self.place, found.text, found.error, code="unresolved-name"
            )

    def hides(self, piece: Any) -> bool:
        """Whether a piece of metadata is ``Injected``, holds it, or means it to the profile."""
        if is_unresolved(piece):
            piece = try_evaluate(piece, self.scope)
            if type(piece) is Unresolved:
                return _is_called_injected(piece)
        if readers := self.reader.profile.markers:
            read = _reader_of(piece if is_class(piece) else type(piece), readers)
            if read is not None:
                return any(map(is_injected, self.read_by(read, piece)))
        if is_injected(piece):
            return True
        try:
            return any(map(is_injected, _markers_for(piece)))
        except USER_CODE_ERRORS:  # it is asked again, and reported, when the annotation is read
            return False

    def _refuse_field(self) -> None:
        """Refuse a field with ``Injected`` that is required."""
        field = _field_around(self.place)
        if not self.reader.session.output and field is not None and field.kind == NO_PARAMETER:
            reason = "Injected needs a default here, because a framework fills in parameters only"
            way_out = "give the field a default, or make it a parameter"
            raise InjectedFieldError(f"{reason}; {way_out}", path_of(self.place))

    def read_by(self, read: Callable[[Any], Any], piece: Any) -> list[Any]:
        """The markers that a function of the profile returns for a piece of metadata."""
        whose = f"the profile's function for {display(piece if is_class(piece) else type(piece))}"
        try:
            found = read(piece)
            if not isinstance(found, (list, tuple)) or not all(map(is_marker, found)):
                reason = f"{whose} returned {display(found)}"
                way_out = "return a list of markers, such as MinLen(1)"
                self.reader.refuse(f"{reason}; {way_out}", self.place)
            return list(found)
        except SchemaError:
            raise
        except USER_CODE_ERRORS as problem:
            reason = f"{whose} raised {repr_of_error(problem)}"
            return self.reader.refuse(reason, self.place, cause=problem, code="user-code")


def _field_around(place: Place | None) -> Field | None:
    """The nearest field or parameter around a place."""
    while place is not None:
        if type(place[1]) is Field:
            return place[1]
        place = place[0]
    return None


def _is_called_injected(metadata: Any) -> bool:
    """Whether metadata that cannot be evaluated are called ``Injected``."""
    text = metadata.text if type(metadata) is Unresolved else text_of(metadata)
    return text.partition("(")[0].rpartition(".")[2] == "Injected"


def _inherited_row(kind: type[Marker]) -> Row | None:
    """The row of a marker's base class."""
    return next((ROWS[id(base)] for base in mro(kind) if id(base) in ROWS), None)


def without_markers(reader: Reader, fields: list[Field], place: Place) -> list[Field]:
    """The fields without defaults that are markers of the profile: ``times: int = Option(3)``.

    Such a default is metadata, and not a value.
    """
    return [_without_marker(reader, field, place) for field in fields]


def _without_marker(reader: Reader, field: Field, place: Place) -> Field:
    """A field with what the profile's function returns for its default, if that is a marker."""
    cls = type(field.default)
    read = None if id(cls) in COMMON else _reader_of(cls, reader.profile.markers)
    if read is None:
        return field
    found = MetadataReader(reader, field.scope, (place, field)).read_by(read, field.default)
    others = tuple(each for each in found if type(each) is not markers.Default)
    tp = object if others and field.annotation is MISSING else field.annotation
    field = field.replace(
        annotation=with_metadata(tp, others) if others else tp, required=True, default=MISSING
    )
    for value in (each.value for each in found if type(each) is markers.Default):
        # In Python, the marker is the default.
        field = field.replace(required=False, default=value, make=lambda given=value: given)
    return field


def _reader_of(cls: type, readers: Readers) -> Callable[[Any], Any] | None:
    """The profile's function for a class of metadata, or for one of its bases."""
    for base in mro(cls)[:-1]:
        for key, read in readers.items():
            if is_called(base, key) if type(key) is str else key is base:
                return read
    return None


def _markers_for(piece: Any) -> Iterable[Any]:
    """The markers, or further metadata, that a piece of metadata means."""
    if type(piece) is str:
        return (markers.Description(piece),)
    if is_class(piece) and inherits(piece, markers.Flag):
        return (piece(),)
    if is_class(piece) and inherits(piece, Marker):  # MinLen, without a call
        uncalled: type[Marker] = piece
        return (uncalled.unchecked(MISSING),)
    for dotted, read in (*METADATA, *libraries.rows("METADATA")):
        cls = loaded(dotted)
        if is_class(cls) and inherits(type(piece), cls):
            found: Iterable[Any] = read(piece)
            return found
    return ()


def _read_doc(doc: Any) -> Iterable[Marker]:
    """``Doc(...)`` (PEP 727)."""
    return () if doc.documentation is None else (markers.Description.unchecked(doc.documentation),)


def _read_deprecated(_deprecated: Any) -> Iterable[Marker]:
    """``deprecated(...)`` (PEP 702)."""
    return (markers.Deprecated(),)


METADATA: tuple[tuple[str, Callable[[Any], Iterable[Any]]], ...] = (
    ("typing_extensions.Doc", _read_doc),
    ("annotated_doc.Doc", _read_doc),
    ("typing_extensions.deprecated", _read_deprecated),
    ("warnings.deprecated", _read_deprecated),
)
"""The metadata that ``typing`` defines; ``libraries`` has a table for those of others."""


# -- values of markers -------------------------------------------------------------------------


def _reason(marker: Marker, problem: ValueError) -> str:
    name = display(type(marker))
    if marker.value is MISSING:
        return f"{name} is the class; give it a value: {name}(...)"
    if isinstance(problem, NotJSONError):
        return f"{display(marker)} contains {problem}, which cannot be written as JSON"
    return f"{display(marker)}: {problem}"


class _UnknownFormatError(ValueError):
    """Raised for a format that may be a mistake, although any text is valid."""


def _check_format(value: Any) -> str:
    if markers.Format.check(value) in FORMATS:
        return str(value)
    way_out = "write any other as Schema({'format': ...})"
    raise _UnknownFormatError(f"not a format of JSON Schema{nearest(value, FORMATS)}; {way_out}")


def _check_flag(_value: Any) -> bool:
    return True


def _check_pattern(value: Any) -> str:
    try:
        return to_ecma(value)
    except PythonOnlyError as problem:
        raise PythonOnlyMarkerError(matching(problem.pattern), str(problem)) from None


def _check_bound(marker: Any, value: Any) -> Any:
    bound = marker.check(value)
    if type(bound) is int or type(bound) is float:
        return bound
    reason = f"JSON Schema has no bounds for a {class_name(type(bound))}"
    raise PythonOnlyMarkerError(bounded(marker.__name__, bound), reason)


def _check_predicate(value: Any) -> Any:
    raise PythonOnlyMarkerError(satisfying(value))


def _check_finite(_value: Any) -> Any:
    raise PythonOnlyMarkerError(finite())


def _check_timezone(value: Any) -> Any:
    raise PythonOnlyMarkerError(in_timezone(value), "JSON Schema has no keyword for it")


def _check_default(_value: Any) -> Any:
    raise ValueError("Annotated[...] has no default; write it after =")


def _check_keywords(value: Any) -> Json:
    keywords = markers.Schema.check(value)
    return checked(keywords, references=references_of(keywords))


# -- the table ---------------------------------------------------------------------------------

HOOKS, CHECKS, PREDICATES = "hooks", "checks", "predicates"
CONSTRAINTS, KEYWORDS, WHOLE = "constraints", "keywords", "whole"
"""The groups of markers: questions to pydantic about a schema, and about a value; functions that
check a value; restrictions; keywords that restrict nothing; and schemas of any type."""


def _of_numbers(keyword: str) -> dict[str, str]:
    return {"integer": keyword, "number": keyword}


_MIN = {"string": "minLength", "array": "minItems", "object": "minProperties"}
_MAX = {"string": "maxLength", "array": "maxItems", "object": "maxProperties"}

MARKERS: dict[type[Marker], Row] = {
    markers.Foreign: (HOOKS, None, _check_flag),
    markers.Validated: (CHECKS, None, _check_flag),
    markers.Strict: (KEYWORDS, STRICT, _check_flag),
    markers.CommandLine: (KEYWORDS, "x-milo-cli", to_json),
    markers.MinLen: (CONSTRAINTS, _MIN, markers.MinLen.check),
    markers.MaxLen: (CONSTRAINTS, _MAX, markers.MaxLen.check),
    markers.Gt: (CONSTRAINTS, _of_numbers("exclusiveMinimum"), partial(_check_bound, markers.Gt)),
    markers.Ge: (CONSTRAINTS, _of_numbers("minimum"), partial(_check_bound, markers.Ge)),
    markers.Lt: (CONSTRAINTS, _of_numbers("exclusiveMaximum"), partial(_check_bound, markers.Lt)),
    markers.Le: (CONSTRAINTS, _of_numbers("maximum"), partial(_check_bound, markers.Le)),
    markers.MultipleOf: (CONSTRAINTS, _of_numbers("multipleOf"), markers.MultipleOf.check),
    markers.Pattern: (CONSTRAINTS, {"string": "pattern"}, _check_pattern),
    markers.Timezone: (CONSTRAINTS, {}, _check_timezone),
    markers.Predicate: (PREDICATES, None, _check_predicate),
    markers.Finite: (PREDICATES, None, _check_finite),
    markers.Description: (KEYWORDS, "description", markers.Description.check),
    markers.Title: (KEYWORDS, "title", markers.Title.check),
    markers.Format: (KEYWORDS, "format", _check_format),
    markers.Deprecated: (KEYWORDS, "deprecated", _check_flag),
    markers.Examples: (KEYWORDS, "examples", lambda values: values),  # the node writes them later
    markers.Default: (KEYWORDS, "default", _check_default),
    markers.Schema: (WHOLE, None, _check_keywords),
}
"""Each marker with its group, its keyword (for a constraint, one for each JSON type; for
``Schema``, none), and the check of its value."""

ROWS: dict[int, Row] = {id(marker): row for marker, row in MARKERS.items()}
"""The same by ``id()``: a class of metadata may not be hashable."""
