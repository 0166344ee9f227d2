"""What tests ask from inside of the library: in one place, so that a move breaks one file.

A test asks through the public door where that shows its fact. The others need one of these:

- ``reader``, ``Reader``, ``Reading``, ``readings``, ``records``, ``read_callable``, ``base``,
  ``values``, ``definition``, ``calls``, ``targets``, ``library``, ``Definitions``: what is counted,
  or limited, with ``monkeypatch``: work is done once, and a limit holds on both sides.
- ``MAX_JSON_DEPTH``, ``MAX_INLINE_DEPTH``, ``MAX_GAPPED``, ``MAX_NAMED``, ``MAX_PROBLEMS``: limits
  to go up to.
- ``KEYWORDS``, ``OTHER_KEYWORDS``, ``VALIDATORS``, ``SCALAR_TYPES``, ``CONSTRAINTS``, ``MARKERS``,
  ``WIRE_FORMS``, ``consumers``, ``EXAMPLES``: tables, each row of which has its test.
- ``is_valid``, ``iter_errors``, ``read_schema``, ``valid_schema``, ``Sampler``, ``asserted``,
  ``rebuild``, ``resolve_reference``: JSON Schema as the library reads it, beside other validators.
- The others are parts whose mistakes no public name shows alone.

A file that is about one of these modules imports it itself; ``tests/test_structure.py`` lists them.
"""

from milo_schema import __main__, libraries
from milo_schema.annotations.classes import MISSING, Classes, NamesByModule
from milo_schema.annotations.forms import alias_of, display
from milo_schema.annotations.generics import is_closed
from milo_schema.callables import read_callable, records
from milo_schema.callables.wrappers import is_compiled, module_of
from milo_schema.checks.costs import saved_in
from milo_schema.cli import diff, main
from milo_schema.cli.terminal import CommandError, Console
from milo_schema.cli.texts import EXAMPLES, explanation_of
from milo_schema.compare.places import label_of, label_of_union
from milo_schema.compare.snapshots import format_json
from milo_schema.dialects import consumers, write_in
from milo_schema.docstrings import Docstring
from milo_schema.json_schema import values
from milo_schema.json_schema.definitions import SchemaDefinitions, Shared
from milo_schema.json_schema.drafts import read_schema, valid_schema
from milo_schema.json_schema.keywords import KEYWORDS
from milo_schema.json_schema.problems import OTHER_KEYWORDS
from milo_schema.json_schema.references import MAX_INLINE_DEPTH
from milo_schema.json_schema.repair import without_nulls
from milo_schema.json_schema.samples import Sampler
from milo_schema.json_schema.subschemas import asserted, rebuild, resolve_reference
from milo_schema.json_schema.validation import VALIDATORS, is_valid, iter_errors
from milo_schema.json_schema.values import MAX_JSON_DEPTH
from milo_schema.libraries import library
from milo_schema.libraries.pydantic import answers
from milo_schema.nodes import base, reader, session
from milo_schema.nodes.base import MAX_PROBLEMS
from milo_schema.nodes.choices import MAX_GAPPED, MAX_NAMED
from milo_schema.nodes.definitions import Definitions
from milo_schema.nodes.metadata import CONSTRAINTS, MARKERS
from milo_schema.nodes.reader import Reader
from milo_schema.nodes.scalar_types import SCALAR_TYPES, own_row_of, row_of
from milo_schema.schemas import functions as readings
from milo_schema.schemas.functions import NO_DESCRIPTION, Reading, as_parameter
from milo_schema.targets import functions as targets
from milo_schema.tools import calls, definition, fields
from milo_schema.tools.origin import box_of, in_dialect, move_to_tool, origin_of
from milo_schema.tools.wire import WIRE_FORMS, NameRule

__all__ = [
    "CONSTRAINTS",
    "EXAMPLES",
    "KEYWORDS",
    "MARKERS",
    "MAX_GAPPED",
    "MAX_INLINE_DEPTH",
    "MAX_JSON_DEPTH",
    "MAX_NAMED",
    "MAX_PROBLEMS",
    "MISSING",
    "NO_DESCRIPTION",
    "OTHER_KEYWORDS",
    "SCALAR_TYPES",
    "VALIDATORS",
    "WIRE_FORMS",
    "Classes",
    "CommandError",
    "Console",
    "Definitions",
    "Docstring",
    "NameRule",
    "NamesByModule",
    "Reader",
    "Reading",
    "Sampler",
    "SchemaDefinitions",
    "Shared",
    "__main__",
    "alias_of",
    "answers",
    "as_parameter",
    "asserted",
    "base",
    "box_of",
    "calls",
    "consumers",
    "definition",
    "diff",
    "display",
    "explanation_of",
    "fields",
    "format_json",
    "in_dialect",
    "is_closed",
    "is_compiled",
    "is_valid",
    "iter_errors",
    "label_of",
    "label_of_union",
    "libraries",
    "library",
    "main",
    "module_of",
    "move_to_tool",
    "origin_of",
    "own_row_of",
    "read_callable",
    "read_schema",
    "reader",
    "readings",
    "rebuild",
    "records",
    "resolve_reference",
    "row_of",
    "saved_in",
    "session",
    "targets",
    "valid_schema",
    "values",
    "without_nulls",
    "write_in",
]
