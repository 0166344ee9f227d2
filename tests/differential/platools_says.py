"""Print the schemas of platools for the functions as JSON; it does not import our library."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from functions import FUNCTIONS  # type: ignore[import-not-found]
from platools.core.schema import SchemaError, build_input_schema, build_output_schema  # type: ignore[import-not-found]


def said(build, func):
    try:
        return build(func)
    except SchemaError:
        return "refused"


print(
    json.dumps(
        {
            name: [said(build_input_schema, func), said(build_output_schema, func)]
            for name, func in FUNCTIONS.items()
        }
    )
)
