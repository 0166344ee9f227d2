"""Contradictions in a schema: bounds without a valid value, defaults and examples that do not fit.

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
        nulls: Whether null in a default or an example means that no value was given.

    Yields:
        The path, such as ``.items[].x``; ``"contradictory-bounds"``, ``"default-misfit"`` or
        ``"example-misfit"``; and the reason.

    Example:
        >>> from milo_schema.json_schema.contradictions import contradictions
        >>> list(contradictions({"type": "integer", "default": "5"}))
        [('', 'default-misfit', "its default does not fit: '5' is not an integer")]
    """
    for path, node in located(schema):
        for names in empty_ranges(node):
            bounds = " and ".join(KEYWORDS[name].phrase.format(node[name]) for name in names)
            yield path, "contradictory-bounds", f"no value is {bounds}; change one of them"
        for name, value in _values(node):
            if not (nulls and _has_null(value)):
                for below, why in iter_errors(value, node, schema):
                    yield path + below, f"{name}-misfit", f"its {name} does not fit: {why}"


def _values(node: Json) -> Iterator[tuple[str, Any]]:
    """The default and the examples of a schema, with a name for each."""
    if "default" in node:
        yield "default", node["default"]
    if type(examples := node.get("examples")) is list:
        yield from (("example", value) for value in examples)


def _has_null(value: Any) -> bool:
    """Whether a value, or a property in it, is null; items are not optional."""
    if type(value) is dict:
        return any(map(_has_null, value.values()))
    if type(value) is list:
        return any(_has_null(item) for item in value if item is not None)
    return value is None
