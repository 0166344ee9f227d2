"""Where a subschema is: as a path, ``.filters[0].x["a b"]``, or as a JSON Pointer (RFC 6901)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from milo_schema.annotations import Fragment, Json
from milo_schema.annotations.classes import shorten
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


# -- references to definitions ------------------------------------------------------------------

POINTER = "#/$defs/"


def reference_to(name: str) -> str:
    """The reference to a definition."""
    return POINTER + name.replace("~", "~0").replace("/", "~1")


def references_of(schema: Fragment) -> list[str]:
    """The references to the ``$defs`` of a schema."""
    definitions = schema.get("$defs")
    return list(map(reference_to, definitions)) if type(definitions) is dict else []


def resolve_reference(reference: str, root: Any) -> Any:
    """The subschema of *root* that a reference such as ``#/$defs/Item`` leads to, or ``None``."""
    if reference != "#" and not reference.startswith("#/"):
        return None
    if "%" in reference:  # in a URL, a pointer is percent-encoded (RFC 6901, section 6)
        from urllib.parse import unquote

        reference = unquote(reference)
    target = root
    for token in reference.split("/")[1:]:
        if type(target) is list:
            target = {str(index): item for index, item in enumerate(target)}
        if type(target) is not dict:
            return None
        target = target.get(token.replace("~1", "/").replace("~0", "~"))
    return target if type(target) in (dict, bool) else None
