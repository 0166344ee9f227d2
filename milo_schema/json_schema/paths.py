"""How a path is spelled, ``.filters[0].x["a b"]``, and the path of each subschema in a schema."""

from __future__ import annotations

from collections.abc import Iterator

from milo_schema.annotations import Json
from milo_schema.annotations.classes import shorten
from milo_schema.json_schema.pointers import resolve_reference
from milo_schema.json_schema.subschemas import subschemas_of


def step_to(name: str) -> str:
    """The step to a property: ``.name``, or ``["a b"]`` for a name that is not an identifier."""
    short = shorten(name)
    return f".{short}" if short.isidentifier() and short.isprintable() else f"[{quote(short)}]"


def quote(text: str) -> str:
    """A string, or its beginning, in quotes; characters that cannot be printed are escaped."""
    short = shorten(text, 60).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escape(short)}"'


def escape(text: str) -> str:
    """A string with escapes for control characters and unpaired surrogates."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


# -- the paths of subschemas -------------------------------------------------------------------


def located(schema: Json) -> Iterator[tuple[str, Json]]:
    """Each subschema with its path; a definition has the path of its first reference."""
    todo, followed = [("", schema)], set()
    while todo:
        path, node = todo.pop()
        yield path, node
        below = [
            (path + step, each) for keyword, step, each in steps_into(node) if keyword != "$defs"
        ]
        reference = node.get("$ref")
        if reference is not None and reference not in followed:
            followed.add(reference)
            target = resolve_reference(reference, schema)
            below += [(path, target)] if type(target) is dict else []
        todo += reversed(below)


def steps_into(schema: Json) -> Iterator[tuple[str, str, Json]]:
    """The subschemas directly in a schema, each with its keyword and the step to it."""
    for keyword, value in schema.items():
        if type(value) is not dict and type(value) is not list:  # as most are
            continue
        if keyword == "properties" and type(value) is dict:
            pairs = [(step_to(name), each) for name, each in value.items()]
        elif keyword in ("$defs", "definitions") and type(value) is dict:  # in old drafts
            pairs = [(f"#{name}", each) for name, each in value.items()]
        elif keyword == "prefixItems" and type(value) is list:
            pairs = [(f"[{index}]", each) for index, each in enumerate(value)]
        else:
            pairs = [(_STEPS.get(keyword, ""), each) for each in subschemas_of({keyword: value})]
        yield from ((keyword, step, each) for step, each in pairs if type(each) is dict)


_STEPS = {"items": "[]", "additionalProperties": "{}", "patternProperties": "{}"}
