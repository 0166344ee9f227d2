"""What the meta-schema of 2020-12 asks of the values of its keywords.

For keywords that somebody else writes: in ``Schema({...})``, a hook, a profile's types, a model.
Ours are right by construction, which the tests hold with a real validator.
"""

from __future__ import annotations

from milo_schema.json_schema import subschemas
from milo_schema.schemas.definitions import ANY_TYPE
from milo_schema.schemas.references import Ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any

    Fragment = dict[str, Any]
    Check = Callable[[Any], bool]


def check(schema: Fragment, references: Collection[str] | None = None) -> None:
    """See to it that every keyword has a value of the right kind, all the way down.

    Args:
        schema: The keywords.
        references: All that a reference may say; ``None``: anything that stays in the schema.

    Raises:
        ValueError: One has not; the message is a sentence without its subject.
    """
    for keyword, value in schema.items():
        if keyword in IDENTIFIERS:
            raise ValueError(f"has {keyword!r}, which is for a schema that stands alone; drop it")
        if keyword in KEYWORDS:
            what, is_right = KEYWORDS[keyword]
            if not is_right(value):
                raise ValueError(f"has {keyword!r}, whose value is no {what}")
        if keyword in REFERENCES and references is not None and not _is_symbol(value):
            _expect_in(references, value)
    for subschema in subschemas.each(schema):
        check(subschema, references)


def checked(schema: Fragment, references: Collection[str] | None = None) -> Fragment:
    """Keywords that are right, and have no boolean where members are looked into.

    Args:
        schema: The keywords.
        references: All that a reference may say; ``None``: anything that stays in the schema.

    Raises:
        ValueError: A keyword has no value of the right kind; see ``check()``.
    """
    check(schema, references)
    return subschemas.as_objects(schema)


def _expect_in(references: Collection[str], reference: str) -> None:
    if reference not in references:
        raise ValueError(f"refers to {reference!r}, which is not there; {WAY_OUT}")


def _is_text(value: object) -> bool:
    return type(value) is str


def _is_boolean(value: object) -> bool:
    return type(value) is bool


def _is_number(value: object) -> bool:
    return type(value) is int or type(value) is float


def _is_factor(value: Any) -> bool:
    return _is_number(value) and value > 0


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _are_names(value: Any) -> bool:
    is_texts = type(value) is list and all(map(_is_text, value))
    return is_texts and len(set(value)) == len(value)


def _is_type(value: Any) -> bool:
    names = value if type(value) is list else [value]
    return names != [] and _are_names(names) and TYPES.issuperset(names)


def _is_schema(value: object) -> bool:
    return type(value) is dict or type(value) is bool


def _are_schemas(value: Any) -> bool:
    return type(value) is list and value != [] and all(map(_is_schema, value))


def _is_map(is_right: Check) -> Check:
    return lambda value: type(value) is dict and all(map(is_right, value.values()))


def _is_reference(value: Any) -> bool:
    """Whether it stays in the schema: one that a walk gave out, or the fragment of a URL."""
    return _is_symbol(value) or (_is_text(value) and value.startswith("#"))


def _is_symbol(value: object) -> bool:
    return type(value) is Ref


TYPES = frozenset(ANY_TYPE)
"""JSON Schema Validation, section 6.1.1."""

REFERENCES = ("$ref", "$dynamicRef")
WAY_OUT = "write out what it refers to, or let walk.schema() refer to it"

IDENTIFIERS = frozenset({"$id", "$anchor", "$dynamicAnchor", "$vocabulary"})
"""Core, sections 8.1.2 and 8.2: below them, no reference of ours would hold."""

KEYWORDS: dict[str, tuple[str, Check]] = {
    **dict.fromkeys(subschemas.ALONE, ("schema", _is_schema)),
    **dict.fromkeys(subschemas.IN_A_LIST, ("list of schemas", _are_schemas)),
    **dict.fromkeys(subschemas.IN_A_MAP, ("mapping of names to schemas", _is_map(_is_schema))),
    **dict.fromkeys(REFERENCES, (f"reference into this schema; {WAY_OUT}", _is_reference)),
    "type": ("type of JSON's, nor a list of them", _is_type),
    "enum": ("list", lambda value: type(value) is list),
    "examples": ("list", lambda value: type(value) is list),
    "required": ("list of names, each there once", _are_names),
    "dependentRequired": ("mapping of names to lists of names", _is_map(_are_names)),
    "multipleOf": ("number greater than 0", _is_factor),
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), ("number", _is_number)
    ),
    **dict.fromkeys(
        (bound + what for bound in ("min", "max") for what in ("Length", "Items", "Properties")),
        ("whole number from 0 on", _is_count),
    ),
    "minContains": ("whole number from 0 on", _is_count),
    "maxContains": ("whole number from 0 on", _is_count),
    **dict.fromkeys(
        ("uniqueItems", "deprecated", "readOnly", "writeOnly"), ("boolean", _is_boolean)
    ),
    **dict.fromkeys(("title", "description", "format", "pattern"), ("string", _is_text)),
    **dict.fromkeys(("$schema", "$comment"), ("string", _is_text)),
    **dict.fromkeys(("contentEncoding", "contentMediaType"), ("string", _is_text)),
}
"""What each keyword's value has to be, in words and as a check; any other keyword is free."""
