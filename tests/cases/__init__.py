"""The table of the meaning of annotations: each row is one fact.

Each row is judged twice: for the *text* of its schema (exact equality, in both profiles) and for
its *meaning* (validators accept and reject the samples). Other projects may import the table:
``CASES`` is all there is to know. A new row goes into the module of its family.
"""

from tests.cases.aliases import ALIASES
from tests.cases.annotated import ANNOTATED, GROUPED, QUALIFIERS
from tests.cases.attrs_msgspec import ATTRS, STRUCTS
from tests.cases.case import Case, Source
from tests.cases.data_classes import DATACLASSES, Parts
from tests.cases.enums import ENUMS
from tests.cases.generics import GENERICS
from tests.cases.hooks import EXTENSION
from tests.cases.literals import LITERALS
from tests.cases.mappings import MAPPINGS
from tests.cases.named_tuples import NAMED_TUPLES
from tests.cases.plain import PRIMITIVES, VALUES
from tests.cases.pydantic_models import PYDANTIC
from tests.cases.records import RECORDS
from tests.cases.recursive import RECURSIVE
from tests.cases.refused import REFUSED
from tests.cases.sequences import ARRAYS, TUPLES
from tests.cases.typed_dicts import TYPED_DICTS
from tests.cases.unions import UNIONS
from tests.fragments import Json

__all__ = ["CASES", "Case", "Json", "Parts", "Source"]

CASES = [
    *PRIMITIVES,
    *VALUES,
    *ENUMS,
    *LITERALS,
    *UNIONS,
    *ARRAYS,
    *TUPLES,
    *MAPPINGS,
    *TYPED_DICTS,
    *NAMED_TUPLES,
    *DATACLASSES,
    *GENERICS,
    *RECURSIVE,
    *RECORDS,
    *ALIASES,
    *ANNOTATED,
    *QUALIFIERS,
    *GROUPED,
    *PYDANTIC,
    *ATTRS,
    *STRUCTS,
    *EXTENSION,
    *REFUSED,
]
