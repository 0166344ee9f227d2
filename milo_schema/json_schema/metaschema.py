"""Check the values of keywords against the meta-schema of 2020-12.

This is for keywords that users write: in ``Schema({...})``, a hook, a profile's types, a pydantic
model. The keywords that we write are always valid; the tests check this with a real validator.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Collection, Fragment
from milo_schema.annotations.classes import nearest
from milo_schema.annotations.display import display
from milo_schema.json_schema import Ref
from milo_schema.json_schema.keywords import KEYWORDS, REFERENCE, WAY_OUT, Value
from milo_schema.json_schema.subschemas import as_objects, subschemas_of


def check(schema: Fragment, references: Collection[str] | None = None) -> None:
    """Check that every keyword has a valid value, also in subschemas.

    Args:
        schema: The keywords.
        references: The references that are allowed; ``None``: any that stays in the schema.

    Raises:
        ValueError: A value is not valid; the message names the keyword.
    """
    for keyword, value in schema.items():
        if (row := KEYWORDS.get(keyword)) is None:
            continue  # other keywords belong to their readers
        if not row.value.is_valid(value):
            raise ValueError(f"{keyword!r} {_problem(row.value, value)}")
        if row.value is REFERENCE and references is not None and type(value) is not Ref:
            _expect_in(references, value)
    for subschema in subschemas_of(schema):
        check(subschema, references)


def checked(schema: Fragment, references: Collection[str] | None = None) -> Fragment:
    """A checked copy of a schema, with objects for boolean schemas in lists and maps.

    Args:
        schema: The keywords.
        references: The references that are allowed; ``None``: any that stays in the schema.

    Raises:
        ValueError: A keyword has a value that is not valid; see ``check()``.
    """
    check(schema, references)
    return as_objects(schema)


def _problem(row: Value, value: Any) -> str:
    """The message about a value that is not valid, without the keyword at its beginning."""
    near = nearest(value, row.words, repr) if type(value) is str else ""
    return row.problem.replace("{value}", display(value)) + near


def _expect_in(references: Collection[str], reference: str) -> None:
    if reference not in references:
        raise ValueError(f"{reference!r} does not exist; {WAY_OUT}")
