"""Contradictions in a schema: bounds without a valid value, and defaults that are not valid.

Strict mode refuses them, and ``milo_schema.checks`` reports them.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Iterator, Json
from milo_schema.json_schema.bounds import empty_ranges
from milo_schema.json_schema.keywords import KEYWORDS
from milo_schema.json_schema.places import located
from milo_schema.json_schema.validation import iter_errors


def contradictions(schema: Json, *, nulls: bool = False) -> Iterator[tuple[str, str, str]]:
    """Find where a schema contradicts itself.

    Args:
        schema: A JSON Schema whose references are all local.
        nulls: Whether null in a default means that no value was given.

    Yields:
        The path, such as ``.items[].x``; ``"contradictory-bounds"`` or ``"default-misfit"``; and
        the reason.

    Example:
        >>> from milo_schema.json_schema.contradictions import contradictions
        >>> list(contradictions({"type": "integer", "default": "5"}))
        [('', 'default-misfit', "its default does not fit: '5' is not an integer")]
    """
    for path, node in located(schema):
        for names in empty_ranges(node):
            bounds = " and ".join(KEYWORDS[name].phrase.format(node[name]) for name in names)
            yield path, "contradictory-bounds", f"no value is {bounds}; change one of them"
        if "default" in node and not (nulls and _has_null(node["default"])):
            for below, why in iter_errors(node["default"], node, schema):
                yield path + below, "default-misfit", f"its default does not fit: {why}"


def _has_null(value: Any) -> bool:
    """Whether a value, or a property in it, is null; items are not optional."""
    if type(value) is dict:
        return any(map(_has_null, value.values()))
    if type(value) is list:
        return any(_has_null(item) for item in value if item is not None)
    return value is None
