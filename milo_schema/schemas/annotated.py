"""``Annotated[T, ...]``: apply the metadata to the schema of T (PEP 593).

Metadata are read once, into three groups of markers: questions to a foreign library, then
constraints, then annotations. Unknown metadata are ignored, as PEP 593 requires. The tables have
the keywords that each marker writes. A constraint has one keyword for each JSON type, and applies
to every member of a union that has such a type. If no member has, it is an error or a warning.
"""

from __future__ import annotations

from milo_schema import markers
from milo_schema.annotations import Any, Arguments, Callable, Fragment, Iterable, Mapping, Sequence
from milo_schema.annotations.classes import (
    MISSING,
    USER_CODE_ERRORS,
    Unresolved,
    inherits,
    is_called,
    is_class,
    loaded,
    loaded_when_called,
    loaded_when_used,
    mro,
    repr_of_error,
)
from milo_schema.annotations.evaluation import evaluated, is_unresolved
from milo_schema.annotations.forms import Marker, is_marker, split
from milo_schema.callables.signatures import NO_PARAMETER, Field
from milo_schema.errors import InjectedFieldError, SchemaError, nearest
from milo_schema.json_schema import DECIMAL
from milo_schema.json_schema.values import NotJSONError, to_json
from milo_schema.schemas.walk import Step, Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema import libraries
    from milo_schema.json_schema import imports, metaschema
    from milo_schema.json_schema import keywords as vocabulary
    from milo_schema.schemas import custom, definitions, named
else:
    custom = loaded_when_used("schemas.custom")
    definitions = loaded_when_used("schemas.definitions")
    imports = loaded_when_used("json_schema.imports")
    libraries = loaded_when_used("libraries")
    metaschema = loaded_when_used("json_schema.metaschema")
    named = loaded_when_used("schemas.named")
    vocabulary = loaded_when_used("json_schema.keywords")


display: Callable[..., str] = loaded_when_called("annotations.display", "display")

Check = Callable[[Any], Any]
Row = tuple[int, Any, Check]
Group = list[tuple[Marker, Row]]
Groups = tuple[Group, Group, Group]
Reader = Callable[[Any], Sequence[Any]]
Readers = Mapping[Any, Reader]


def annotated(
    tp: Any, args: Arguments, metadata: Sequence[Any], walk: Walk, step: Step
) -> Fragment:
    """``Annotated[T, ...]``: the schema of T with the metadata applied."""
    inner, rules = walk.at(step), walk.derivation.rules
    fragment: Fragment
    if not args:
        fragment = rules.unsupported(tp, args, walk, step)
        return fragment
    foreign, constraints, annotations = read_markers(metadata, inner)
    if foreign:
        hooks = [marker.value for marker, _ in foreign]
        fragment, is_known = named.schema_with_hooks(tp, hooks, inner)
        if not is_known:  # ours are about a value with other JSON
            constraints = read_markers([*filter(is_marker, metadata)], inner)[1]
    elif annotations and _says_all(annotations) and rules.find(args[0], walk)[0] is rules.unknown:
        fragment = custom.ask_about_unknown(args[0], inner) or {}
    else:
        fragment = inner.schema(args[0])
    if constraints:
        fragment = _constrained(fragment, constraints, tp, inner)
    for marker, (_, keyword, check) in annotations:
        try:
            value = check(marker.value)
        except ValueError as problem:
            value = _complain(marker, problem, tp, inner)
        if keyword is not None and value is not MISSING:
            fragment[keyword] = value
        elif value is not MISSING:  # that of Schema
            fragment.update(custom.with_definitions(value, inner) if "$defs" in value else value)
    return fragment


def _says_all(annotations: Group) -> bool:
    """Whether the annotations include ``Schema({...})``, which can describe any type."""
    return None in [keyword for _, (_, keyword, _) in annotations]


def _constrained(fragment: Fragment, constraints: Group, tp: Any, walk: Walk) -> Fragment:
    """Add constraints to the schema of the annotated type; *tp* is the whole annotation."""
    if "$ref" in fragment or "anyOf" in fragment:
        fragment = definitions.look_into(fragment, walk)
    for marker, (_, keywords, check) in constraints:
        try:
            value = check(marker.value)
        except ValueError as problem:
            value = _complain(marker, problem, tp, walk)
        if value is not MISSING and not constrain(fragment, keywords, value, walk):
            inner, types = display(split(tp)[1][0]), ", ".join(_PYTHON[kind] for kind in keywords)
            reason = f"{display(marker)} cannot apply to {inner}; it is for {types}"
            walk.complain(reason, tp, code="unfit-marker")
    return fragment


_PYTHON = {"string": "str", "integer": "int", "number": "float", "array": "list", "object": "dict"}
"""The Python name of each JSON type."""


def _complain(marker: Marker, problem: ValueError, tp: Any, walk: Walk) -> Any:
    """Complain about the value of a marker; the value to write, or ``MISSING``."""
    code = "unknown-format" if type(problem) is _OddValueError else "unfit-marker"
    walk.complain(_problem(marker, problem), tp, code=code)
    return problem.value if type(problem) is _OddValueError else MISSING


def _problem(marker: Marker, problem: ValueError) -> str:
    name = display(type(marker))
    if marker.value is MISSING:
        return f"{name} is the class; give it a value: {name}(...)"
    if isinstance(problem, NotJSONError):
        return f"{display(marker)} contains {problem}, which is not JSON"
    return f"{display(marker)}: {problem}"


class _OddValueError(ValueError):
    """Raised for a value that is valid, but probably a mistake."""

    def __init__(self, reason: str, value: str) -> None:
        super().__init__(reason)
        self.value = value


# -- reading metadata --------------------------------------------------------------------------


def read_markers(metadata: Sequence[Any], walk: Walk) -> Groups:
    """The markers in *metadata*, in three groups: questions, constraints, annotations.

    Bare strings are read first, so that any other description replaces them, unless the profile
    ignores bare strings.
    """
    groups: Groups = ([], [], [])
    if texts := [piece for piece in metadata if type(piece) is str]:
        others = [piece for piece in metadata if type(piece) is not str]
        metadata = [*texts, *others] if walk.profile.bare_descriptions else others
    try:
        _collect(metadata, groups, walk, walk.profile.markers)
    except SchemaError:
        raise
    except USER_CODE_ERRORS as problem:  # properties of foreign metadata are user code
        reason = f"reading the metadata in Annotated raised {repr_of_error(problem)}"
        walk.refuse(reason, cause=problem, code="user-code")
    return groups


def _collect(metadata: Iterable[Any], groups: Groups, walk: Walk, readers: Readers) -> None:
    """Add the markers for some metadata to their groups.

    The *readers* of the profile take precedence over ours.
    """
    for piece in metadata:
        if (row := _ROWS.get(id(type(piece)))) is not None:
            groups[row[0]].append((piece, row))
        else:
            _collect_other(piece, groups, walk, readers)


def _collect_other(piece: Any, groups: Groups, walk: Walk, readers: Readers) -> None:
    """The same for a piece of metadata that is not an object of exactly one of our classes."""
    if readers and (read := _reader_of(piece, readers)) is not None:
        _collect(_read_by(read, piece, walk), groups, walk, {})
    elif inherits(type(piece), Marker):
        if (row := _inherited_row(type(piece))) is not None:
            groups[row[0]].append((piece, row))
        elif not walk.output:
            _leave_out(walk)
    elif is_unresolved(piece):
        found = evaluated(piece, walk.scope)
        if type(found) is Unresolved:
            walk.complain(found.reason, found.text, found.error, "unresolved-name")
        else:
            _collect((found,), groups, walk, readers)
    else:
        _collect(_stands_for(piece), groups, walk, readers)


def _leave_out(walk: Walk) -> None:
    """Leave out a field with ``Injected``; parameters with it are already left out."""
    place: Walk | None = walk
    while place is not None and type(place.step) is not Field:
        place = place.parent
    if place is not None and place.step.kind == NO_PARAMETER:  # type: ignore[union-attr]
        reason = "Injected needs a default here, because a framework fills in parameters only"
        way_out = "give the field a default, or make it a parameter"
        raise InjectedFieldError(f"{reason}; {way_out}", walk.path)


def _inherited_row(kind: type[Marker]) -> Row | None:
    """The row of a marker's base class; ``None`` for ``Injected``."""
    if kind.hides is True:
        return None
    return next((_ROWS[id(base)] for base in mro(kind) if id(base) in _ROWS), None)


def _reader_of(piece: Any, readers: Readers) -> Reader | None:
    """The profile's function for the class of a piece of metadata, or for one of its bases."""
    for base in mro(piece if is_class(piece) else type(piece))[:-1]:
        for key, read in readers.items():
            if is_called(base, key) if type(key) is str else key is base:
                return read
    return None


def _read_by(read: Reader, piece: Any, walk: Walk) -> list[Any]:
    """The markers that a function of the profile returns for a piece of metadata."""
    whose = f"the profile's function for {display(piece if is_class(piece) else type(piece))}"
    try:
        found = read(piece)
        if not isinstance(found, (list, tuple)) or not all(map(is_marker, found)):
            given = display(found)
            walk.refuse(f"{whose} returned {given}; return a list of markers, such as MinLen(1)")
        return list(found)
    except SchemaError:
        raise
    except USER_CODE_ERRORS as problem:
        walk.refuse(f"{whose} raised {repr_of_error(problem)}", cause=problem, code="user-code")


def _stands_for(piece: Any) -> Iterable[Any]:
    """The markers, or further metadata, for a piece of metadata."""
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
    ("typing_extensions.deprecated", _read_deprecated),
    ("warnings.deprecated", _read_deprecated),
)
"""The metadata that ``typing`` defines; ``libraries`` has a table for those of others."""


# -- adding a constraint to a schema -----------------------------------------------------------


def constrain(fragment: Fragment, keywords: Mapping[str, str], value: Any, walk: Walk) -> bool:
    """Add a constraint wherever it applies in *fragment*; return whether it applies anywhere.

    Args:
        fragment: The schema, which is changed.
        keywords: The constraint's keyword for each JSON type.
        value: The keyword's value.
        walk: The place of the schema.
    """
    kind = fragment.get("type")
    if type(kind) is str and _QUALIFYING.isdisjoint(fragment):  # most are
        if (keyword := keywords.get(kind)) is None:
            return False
        vocabulary.tighten(fragment, keyword, value)
        return True
    if "anyOf" in fragment:
        arms = fragment["anyOf"]
        if any(arm.get("type") == "number" for arm in arms):  # it covers decimals, too
            arms = [arm for arm in arms if not _is_decimal(arm)]
        return any([constrain(arm, keywords, value, walk) for arm in arms])  # noqa: C419 - all
    if _is_decimal(fragment):
        if is_bound := "number" in keywords:  # it does not apply to text
            text = {key: fragment.pop(key) for key in ("type", "pattern")}
            fragment["anyOf"] = [{"type": "number", keywords["number"]: value}, text]
        return is_bound
    if _is_spelled(fragment, keywords):
        return False
    found = {
        keywords[kind]: None for kind in definitions.types_of(fragment, walk) if kind in keywords
    }
    for keyword in found:
        vocabulary.tighten(fragment, keyword, _encoded(fragment, keyword, value))
    return bool(found)


_QUALIFYING = frozenset({"$ref", "anyOf", "contentEncoding", "format", "pattern"})
"""Keywords with which the type is not enough to decide whether a constraint applies."""


def _is_decimal(fragment: Fragment) -> bool:
    return fragment.get("pattern") == DECIMAL


_OF_VALUES = frozenset({"date-time", "date", "time", "duration", "uuid", "ipv4", "ipv6", "regex"})
"""Formats of values that are strings only in JSON: a date has no length."""


def _is_spelled(fragment: Fragment, keywords: Mapping[str, str]) -> bool:
    """Whether a constraint is about the value, which JSON only represents as a string."""
    is_bytes = "contentEncoding" in fragment and "pattern" in keywords.values()
    return is_bytes or fragment.get("format") in _OF_VALUES


def _encoded(fragment: Fragment, keyword: str, value: Any) -> Any:
    """A number of bytes in characters of base64: four for three bytes (RFC 4648)."""
    is_bytes = fragment.get("contentEncoding") == "base64"
    return 4 * -(-value // 3) if is_bytes and keyword.endswith("Length") else value


# -- checking the value of a marker ------------------------------------------------------------


def _format(value: Any) -> str:
    if markers.Format.check(value) in vocabulary.FORMATS:
        return str(value)
    way_out = "write any other as Schema({'format': ...})"
    reason = f"not a format of JSON Schema{nearest(value, vocabulary.FORMATS)}; {way_out}"
    raise _OddValueError(reason, value)


def _true(_value: Any) -> bool:
    return True


def _keywords(value: Any) -> Fragment:
    keywords = markers.Schema.check(value)
    return metaschema.checked(keywords, references=imports.references_of(keywords))


# -- the tables --------------------------------------------------------------------------------


def _of_numbers(keyword: str) -> dict[str, str]:
    return {"integer": keyword, "number": keyword}


QUESTIONS: dict[type[Marker], tuple[None, Check]] = {markers.Foreign: (None, _true)}
"""Markers that only a foreign library understands."""

CONSTRAINTS: dict[type[Marker], tuple[dict[str, str], Check]] = {
    markers.MinLen: (
        {"string": "minLength", "array": "minItems", "object": "minProperties"},
        markers.MinLen.check,
    ),
    markers.MaxLen: (
        {"string": "maxLength", "array": "maxItems", "object": "maxProperties"},
        markers.MaxLen.check,
    ),
    markers.Gt: (_of_numbers("exclusiveMinimum"), markers.Gt.check),
    markers.Ge: (_of_numbers("minimum"), markers.Ge.check),
    markers.Lt: (_of_numbers("exclusiveMaximum"), markers.Lt.check),
    markers.Le: (_of_numbers("maximum"), markers.Le.check),
    markers.MultipleOf: (_of_numbers("multipleOf"), markers.MultipleOf.check),
    markers.Pattern: ({"string": "pattern"}, loaded_when_called("json_schema.patterns", "to_ecma")),
}
"""Markers that restrict values: the keyword for each JSON type, and the check of the value."""

ANNOTATIONS: dict[type[Marker], tuple[str | None, Check]] = {
    markers.Description: ("description", markers.Description.check),
    markers.Title: ("title", markers.Title.check),
    markers.Format: ("format", _format),
    markers.Deprecated: ("deprecated", _true),
    markers.Examples: ("examples", to_json),
    markers.Schema: (None, _keywords),
}
"""Markers that restrict nothing: the keyword, or ``None`` if the value has all the keywords."""

_TABLES: tuple[Mapping[type[Marker], tuple[Any, Check]], ...] = (
    QUESTIONS,
    CONSTRAINTS,
    ANNOTATIONS,
)
_ROWS: dict[int, Row] = {
    id(marker): (turn, keyword, check)
    for turn, table in enumerate(_TABLES)
    for marker, (keyword, check) in table.items()
}
"""The rows of the tables by ``id()``, each with its group: a class may not be hashable."""
