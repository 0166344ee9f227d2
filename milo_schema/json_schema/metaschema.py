"""Check the values of keywords against the meta-schema of 2020-12.

This is for keywords that users write: in ``Schema({...})``, a hook, a profile's types, a
pydantic model. Our own keywords are right by construction, which the tests check with a real
validator.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Collection
from milo_schema.annotations.classes import nearest
from milo_schema.annotations.forms import display
from milo_schema.json_schema.keywords import KEYWORDS, REFERENCE, WAY_OUT, Ref, Value
from milo_schema.json_schema.subschemas import as_objects, subschemas_of

Fragment = dict[str, Any]


def check(schema: Fragment, references: Collection[str] | None = None) -> None:
    """Check that every keyword has a value that it can have, all the way down.

    Args:
        schema: The keywords.
        references: All that a reference may say; ``None``: anything that stays in the schema.

    Raises:
        ValueError: A value is not valid; the message names the keyword.
    """
    for keyword, value in schema.items():
        if (row := KEYWORDS.get(keyword)) is None:
            continue  # what other keywords say is up to their readers
        if not row.value.is_valid(value):
            raise ValueError(f"{keyword!r} {_problem(row.value, value)}")
        if row.value is REFERENCE and references is not None and type(value) is not Ref:
            _expect_in(references, value)
    for subschema in subschemas_of(schema):
        check(subschema, references)


def checked(schema: Fragment, references: Collection[str] | None = None) -> Fragment:
    """A copy of a schema whose keywords are right, with objects for the booleans in lists and maps.

    Args:
        schema: The keywords.
        references: All that a reference may say; ``None``: anything that stays in the schema.

    Raises:
        ValueError: A keyword has a value that it cannot have; see ``check()``.
    """
    check(schema, references)
    return as_objects(schema)


def _problem(row: Value, value: Any) -> str:
    """The rest of a sentence about a keyword with a value that it cannot have."""
    near = nearest(value, row.words, repr) if type(value) is str else ""
    return row.problem.replace("{value}", display(value)) + near


def _expect_in(references: Collection[str], reference: str) -> None:
    if reference not in references:
        raise ValueError(f"{reference!r} does not exist; {WAY_OUT}")
