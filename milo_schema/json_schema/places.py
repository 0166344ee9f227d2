"""The path of each subschema in a schema."""

from __future__ import annotations

from milo_schema.annotations import Iterator, Json
from milo_schema.json_schema.pointers import resolve_reference
from milo_schema.json_schema.subschemas import subschemas_of
from milo_schema.json_schema.validation import step_to


def located(schema: Json) -> Iterator[tuple[str, Json]]:
    """Each subschema with its path; a definition has the path of its first reference."""
    todo, met = [("", schema)], set()
    while todo:
        path, node = todo.pop()
        yield path, node
        below = [
            (path + step, each) for keyword, step, each in steps_into(node) if keyword != "$defs"
        ]
        reference = node.get("$ref")
        if reference is not None and reference not in met:
            met.add(reference)
            target = resolve_reference(reference, schema)
            below += [(path, target)] if type(target) is dict else []
        todo += reversed(below)


def steps_into(schema: Json) -> Iterator[tuple[str, str, Json]]:
    """The subschemas directly in a schema, each with its keyword and the step to it."""
    for keyword, value in schema.items():
        if keyword in _NAMED and type(value) is dict:
            sign = _NAMED[keyword]
            pairs = [(sign + name if sign else step_to(name), each) for name, each in value.items()]
        elif keyword == "prefixItems" and type(value) is list:
            pairs = [(f"[{index}]", each) for index, each in enumerate(value)]
        else:
            pairs = [(_STEPS.get(keyword, ""), each) for each in subschemas_of({keyword: value})]
        yield from ((keyword, step, each) for step, each in pairs if type(each) is dict)


_NAMED = {"properties": "", "$defs": "#", "definitions": "#"}
"""The keywords whose subschemas have names; ``definitions`` is the ``$defs`` of old drafts."""
_STEPS = {"items": "[]", "additionalProperties": "{}", "patternProperties": "{}"}
