"""Rewrite a finished schema for a consumer that supports only a part of JSON Schema.

A dialect is data, a row in ``consumers``: the keywords, formats and enums that its consumer
accepts, the form of objects, and limits of size. ``spell()`` writes a schema in a dialect. A
keyword that the dialect does not have becomes a phrase in the description, so nothing is lost
silently; the rest is reported with its path. .github/sources.md has the sources.
"""

from __future__ import annotations

from milo_schema.annotations import Fragment
from milo_schema.dialects.consumers import DIALECTS, Report
from milo_schema.dialects.elicitation import elicitation
from milo_schema.dialects.spelling import spell


def write_in(name: str, schema: Fragment, report: Report) -> Fragment:
    """Write a schema in the dialect with this name; forms have fields of another kind."""
    if name == "elicitation":
        return elicitation(schema, report)
    return spell(schema, DIALECTS[name], report)
