"""The keywords of JSON Schema 2020-12: one table with a row for each.

Each general fact about a keyword is a column. Validation, comparison, dialects, constraints and the
check of custom keywords read the table, so a new keyword is a new row. The rows are grouped by
vocabulary, as in the specification. The vocabulary is the kind of the keyword: "applicator" and
"unevaluated" contain the applicators, "validation" the assertions, and the last three the
annotations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from milo_schema.annotations import Fragment, Json
from milo_schema.annotations.classes import nearest
from milo_schema.annotations.forms import display
from milo_schema.annotations.frozen import Frozen
from milo_schema.json_schema import TYPES, Ref


class Value(Frozen):
    """The kind of value that a keyword requires.

    Attributes:
        is_valid: Whether a JSON value is of that kind.
        what: What the keyword must be.
        problem: The message about any other value, without the keyword at its beginning.
        words: The possible values, if they are words.
    """

    is_valid: Callable[[Any], bool]
    what: str = ""
    problem: str = "must be {what}, not {value}"
    words: tuple[str, ...] = ()


class Keyword(Frozen):
    """A row of the table.

    Attributes:
        value: The kind of value that it requires; some kinds contain subschemas.
        types: The JSON types that it restricts; it accepts values of all other types.
        phrase: Its phrase in a description; ``{}`` becomes its value.
        narrower: For a bound, which of two values is stricter: ``max`` or ``min``.
        inclusive: For an exclusive bound, the keyword of the inclusive one.
    """

    value: Value
    types: tuple[str, ...] = TYPES
    phrase: str = ""
    narrower: Callable[[Any, Any], Any] | None = None
    inclusive: str = ""


# -- kinds of values ---------------------------------------------------------------------------


def _is_string(value: object) -> bool:
    return type(value) is str


def _is_number(value: object) -> bool:
    return type(value) is int or type(value) is float


def _are_names(value: Any) -> bool:
    return type(value) is list and all(map(_is_string, value)) and len(set(value)) == len(value)


def _is_type(value: Any) -> bool:
    names = value if type(value) is list else [value]
    return names != [] and _are_names(names) and set(TYPES).issuperset(names)


def _is_schema(value: object) -> bool:
    return type(value) is dict or type(value) is bool


def _is_schema_list(value: Any) -> bool:
    return type(value) is list and value != [] and all(map(_is_schema, value))


def _is_map(is_valid: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: type(value) is dict and all(map(is_valid, value.values()))


def _is_reference(value: Any) -> bool:
    """Whether a reference stays in the schema: a ``Ref``, or the fragment of a URL."""
    return isinstance(value, Ref) or (_is_string(value) and value.startswith("#"))


WAY_OUT = "inline it, or use walk.schema()"

SCHEMA = Value(_is_schema, "a schema")
SCHEMA_LIST = Value(_is_schema_list, "a list of schemas")
SCHEMA_MAP = Value(_is_map(_is_schema), "a dict of schemas")
REFERENCE = Value(
    _is_reference, "a reference into this schema", f"must be {{what}}, not {{value}}; {WAY_OUT}"
)
IDENTIFIER = Value(lambda _: False, problem="is only allowed in a standalone schema; remove it")
"""Core, sections 8.1.2 and 8.2: our references would be wrong inside a schema that has one."""
ANY = Value(lambda _: True)
BOOLEAN = Value(lambda value: type(value) is bool, "true or false")
COUNT = Value(lambda value: type(value) is int and value >= 0, "a non-negative integer")
FACTOR = Value(lambda value: _is_number(value) and value > 0, "a number greater than 0")
LIST = Value(lambda value: type(value) is list, "a list")
NAMES = Value(_are_names, "a list of distinct names")
NAMES_MAP = Value(_is_map(_are_names), "a dict of lists of distinct names")
NUMBER = Value(_is_number, "a number")
STRING = Value(_is_string, "a string")
TYPE = Value(_is_type, "a JSON type or a list of them", words=TYPES)

# -- the table ---------------------------------------------------------------------------------

_STRINGS = ("string",)
_NUMBERS = ("integer", "number")
_ARRAYS = ("array",)
_OBJECTS = ("object",)

VOCABULARIES: dict[str, dict[str, Keyword]] = {
    "core": {
        "$id": Keyword(IDENTIFIER),
        "$schema": Keyword(STRING),
        "$ref": Keyword(REFERENCE),
        "$anchor": Keyword(IDENTIFIER),
        "$dynamicRef": Keyword(REFERENCE),
        "$dynamicAnchor": Keyword(IDENTIFIER),
        "$vocabulary": Keyword(IDENTIFIER),
        "$comment": Keyword(STRING),
        "$defs": Keyword(SCHEMA_MAP),
    },
    "applicator": {
        "allOf": Keyword(SCHEMA_LIST),
        "anyOf": Keyword(SCHEMA_LIST),
        "oneOf": Keyword(SCHEMA_LIST),
        "not": Keyword(SCHEMA, phrase="not {}"),
        "if": Keyword(SCHEMA, phrase="if {}"),
        "then": Keyword(SCHEMA, phrase="then {}"),
        "else": Keyword(SCHEMA, phrase="else {}"),
        "prefixItems": Keyword(SCHEMA_LIST, _ARRAYS),
        "items": Keyword(SCHEMA, _ARRAYS),
        "contains": Keyword(SCHEMA, _ARRAYS, "contains {}"),
        "properties": Keyword(SCHEMA_MAP, _OBJECTS),
        "patternProperties": Keyword(SCHEMA_MAP, _OBJECTS),
        "additionalProperties": Keyword(SCHEMA, _OBJECTS),
        "propertyNames": Keyword(SCHEMA, _OBJECTS, "names: {}"),
        "dependentSchemas": Keyword(SCHEMA_MAP, _OBJECTS),
    },
    "unevaluated": {
        "unevaluatedItems": Keyword(SCHEMA, _ARRAYS),
        "unevaluatedProperties": Keyword(SCHEMA, _OBJECTS),
    },
    "validation": {
        "type": Keyword(TYPE),
        "const": Keyword(ANY),
        "enum": Keyword(LIST, phrase="one of {}"),
        "multipleOf": Keyword(FACTOR, _NUMBERS, "a multiple of {}"),
        "minimum": Keyword(NUMBER, _NUMBERS, "at least {}", max),
        "maximum": Keyword(NUMBER, _NUMBERS, "at most {}", min),
        "exclusiveMinimum": Keyword(NUMBER, _NUMBERS, "greater than {}", max, "minimum"),
        "exclusiveMaximum": Keyword(NUMBER, _NUMBERS, "less than {}", min, "maximum"),
        "minLength": Keyword(COUNT, _STRINGS, "length at least {}", max),
        "maxLength": Keyword(COUNT, _STRINGS, "length at most {}", min),
        "pattern": Keyword(STRING, _STRINGS, "matches {}"),
        "minItems": Keyword(COUNT, _ARRAYS, "item count at least {}", max),
        "maxItems": Keyword(COUNT, _ARRAYS, "item count at most {}", min),
        "uniqueItems": Keyword(BOOLEAN, _ARRAYS, "no duplicates"),
        "minContains": Keyword(COUNT, _ARRAYS),
        "maxContains": Keyword(COUNT, _ARRAYS),
        "minProperties": Keyword(COUNT, _OBJECTS, "property count at least {}", max),
        "maxProperties": Keyword(COUNT, _OBJECTS, "property count at most {}", min),
        "required": Keyword(NAMES, _OBJECTS),
        "dependentRequired": Keyword(NAMES_MAP, _OBJECTS),
    },
    "meta-data": {  # in the order of their phrases in descriptions
        "description": Keyword(STRING, phrase="{}"),
        "title": Keyword(STRING, phrase="{}"),
        "default": Keyword(ANY, phrase="default {}"),
        "examples": Keyword(LIST, phrase="for example {}"),
        "deprecated": Keyword(BOOLEAN, phrase="deprecated"),
        "readOnly": Keyword(BOOLEAN),
        "writeOnly": Keyword(BOOLEAN),
    },
    "format-annotation": {"format": Keyword(STRING, _STRINGS, "format {}")},
    "content": {
        "contentEncoding": Keyword(STRING, _STRINGS, "encoded in {}"),
        "contentMediaType": Keyword(STRING, _STRINGS),
        "contentSchema": Keyword(SCHEMA, _STRINGS),
    },
}

KEYWORDS = {name: row for rows in VOCABULARIES.values() for name, row in rows.items()}

FORMATS = frozenset(
    (
        *("date-time", "date", "time", "duration", "email", "idn-email"),
        *("hostname", "idn-hostname", "ipv4", "ipv6", "uuid", "regex"),
        *("uri", "uri-reference", "uri-template", "iri", "iri-reference"),
        *("json-pointer", "relative-json-pointer"),
        *("int32", "int64", "float", "double", "byte", "binary", "password"),  # of OpenAPI
    )
)
"""The formats of JSON Schema Validation, section 7.3, and those that OpenAPI adds."""

ANNOTATION_KEYWORDS = VOCABULARIES["meta-data"]
"""Keywords that only people and models read. ``format`` and the content keywords are annotations
for a validator, too, but not here, because they restrict which strings are meant."""


SILENT = frozenset({"$comment", "$defs", "$schema", "propertyOrdering"})
"""Keywords that say nothing about a value. Users must not see a ``$comment`` (Core, 8.3)."""


def is_annotation(keyword: str) -> bool:
    """Whether a keyword accepts every value; one that begins with ``x-`` is a custom annotation."""
    return keyword in ANNOTATION_KEYWORDS or keyword.startswith("x-")


def repeats_a_name(title: str, schema: Any, step: str) -> bool:
    """Whether a title only repeats a name, as frameworks do: of a property, or of a class.

    Args:
        title: The title.
        schema: The schema that has it.
        step: The step to that schema, such as ``.first_name``.
    """
    is_named = type(schema) is dict and ("enum" in schema or schema.get("type") == "object")
    head, _, arguments = title.partition("[")  # of a generic class, such as Page[int]
    is_name = is_named and head.isidentifier() and arguments[-1:] in ("", "]")
    return is_name or _letters(title) == _letters(step)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


VALUES = {name: row.value for name, row in KEYWORDS.items()}
"""The kind of value that each keyword requires."""


def problem_of(
    keyword: str,
    value: Any,
    kinds: Mapping[str, Value] = VALUES,
    show: Callable[[Any], str] = display,
) -> str:
    """The problem with the value of a keyword; empty if it is valid, or the keyword unknown."""
    kind = kinds.get(keyword)
    if kind is None or kind.is_valid(value):
        return ""
    near = nearest(value, kind.words, repr) if type(value) is str else ""
    return f"{keyword!r} {kind.problem.format(what=kind.what, value=show(value))}{near}"


def _with_value(value: Value) -> frozenset[str]:
    return frozenset(name for name, row in KEYWORDS.items() if row.value is value)


SCHEMA_KEYWORDS = _with_value(SCHEMA)
SCHEMA_LIST_KEYWORDS = _with_value(SCHEMA_LIST)
SCHEMA_MAP_KEYWORDS = _with_value(SCHEMA_MAP)
"""The keywords with a schema, a list of schemas, or schemas by name as their value."""

WITH_SUBSCHEMAS = SCHEMA_KEYWORDS | SCHEMA_LIST_KEYWORDS | SCHEMA_MAP_KEYWORDS
"""The keywords of all three kinds."""

BOUNDS = {name: row.narrower for name, row in KEYWORDS.items() if row.narrower is not None}
"""The keywords that bound a number or a count, and which of two values is stricter."""

CONSTRAINING = frozenset({*BOUNDS, "pattern", "multipleOf"})
"""The keywords of constraints; ``tighten()`` adds them to a schema."""


def code_of(keyword: str) -> str:
    """The code of a problem that a keyword finds."""
    return _CODES.get(keyword, "invalid")


_CODES = {
    **dict.fromkeys(("type", "anyOf", "oneOf"), "wrong-type"),
    **dict.fromkeys(("enum", "const"), "not-a-choice"),
    **dict.fromkeys(("required", "dependentRequired"), "missing"),
    **dict.fromkeys(("additionalProperties", "unevaluatedProperties"), "unknown-name"),
    **dict.fromkeys(("pattern", "format"), "wrong-format"),
    **dict.fromkeys((*BOUNDS, "multipleOf"), "out-of-bounds"),
    "uniqueItems": "not-unique",
}


# -- bounds ------------------------------------------------------------------------------------

Limit = tuple[int | float, bool]


def tighten(fragment: Fragment, keyword: str, value: Any) -> None:
    """Add a keyword to a schema that may already have it: both values apply."""
    old = fragment.get(keyword)
    if old is None or old == value:
        fragment[keyword] = value
    elif keyword in BOUNDS:
        fragment[keyword] = BOUNDS[keyword](old, value)
    else:  # pattern, multipleOf: one value cannot express both
        fragment["allOf"] = [*fragment.get("allOf", ()), {keyword: value}]


def bound_error(name: str, size: Any, bound: Any) -> str:
    """The requirement that a number or a count does not meet; empty if it is within a bound."""
    row, is_lower = KEYWORDS[name], BOUNDS[name] is max
    if not row.inclusive if size == bound else BOUNDS[name](size, bound) == size:
        return ""
    shown = display(size) if type(size) is int else size
    if row.inclusive:
        return f"must be {'more' if is_lower else 'less'} than {bound}, got {shown}"
    limit = f"at {'least' if is_lower else 'most'} {bound}"
    if row.types == _NUMBERS:
        return f"must be {limit}, got {shown}"
    one, many = _COUNTED[row.types[0]]
    return f"must have {limit} {one if bound == 1 else many}, got {shown}"


_COUNTED = {
    "string": ("character", "characters"),
    "array": ("item", "items"),
    "object": ("property", "properties"),
}


def strictest(node: Json, names: Sequence[str], sign: int, *, whole: bool) -> Limit | None:
    """The strictest limit on one side, as a tuple: its value times *sign*, and if it is exclusive.

    Args:
        node: The schema with the keywords.
        names: The keywords of this side: the inclusive one and, for numbers, the exclusive one.
        sign: 1 for lower limits, -1 for upper ones, so that greater is always stricter.
        whole: Whether only integers are limited, so that exclusive limits become inclusive.
    """
    limits = [(node[name] * sign, i == 1) for i, name in enumerate(names) if name in node]
    if whole:
        limits = [
            (int(value // 1) + 1 if is_exclusive else -int(-value // 1), False)
            for value, is_exclusive in limits
        ]
    return max(limits, default=None)
