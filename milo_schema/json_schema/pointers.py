"""The references in a finished schema: JSON Pointers (RFC 6901) to its definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from milo_schema.annotations import Fragment
from milo_schema.annotations.forms import ForeignName
from milo_schema.json_schema.subschemas import rebuild, subschemas_of

Define = Callable[[Any, Callable[[Any], Fragment], Any], Fragment]

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
    if not reference.startswith("#"):
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


class Import:
    """A finished schema, while it is made a part of ours: its ``$defs`` become named types.

    So they are named, shared and inlined by the same rules as all others, and two schemas with the
    same definition share it.

    Attributes:
        definitions: The definitions that the schema refers to, by reference.
        names: The names of the definitions, by reference.
        define: Makes a definition a named type.
    """

    def __init__(self, definitions: dict[str, Fragment], define: Define) -> None:
        self.names: dict[str, str] = {reference_to(name): name for name in definitions}
        self.definitions: dict[str, Fragment] = {
            reference: definitions[name] for reference, name in self.names.items()
        }
        self.define: Define = define

    def named(self, name: str, schema: Fragment, walk: Any) -> Fragment:
        """A reference to a schema, which is defined here under that name."""
        if set(schema) == {"$ref"}:
            return self.fragment(schema, walk)
        # Two definitions are the same type if their names and their complete contents are equal.
        imported = ForeignName(name, repr((schema, self._reachable(schema))))
        return self.define(imported, lambda walk: self.fragment(schema, walk), walk)

    def fragment(self, schema: Fragment, walk: Any) -> Fragment:
        """A subschema in our form."""
        target: Fragment = {}
        if (reference := schema.get("$ref")) in self.definitions:
            schema = {key: value for key, value in schema.items() if key != "$ref"}
            target = self.named(self.names[reference], self.definitions[reference], walk)
        return {**target, **rebuild(schema, lambda each: self.fragment(each, walk))}

    def _reachable(self, schema: Fragment) -> dict[str, Fragment]:
        found: dict[str, Fragment] = {}
        todo = [schema]
        while todo:
            node = todo.pop()
            reference = node.get("$ref")
            if reference in self.definitions and reference not in found:
                found[reference] = self.definitions[reference]
                todo.append(found[reference])
            todo.extend(subschemas_of(node))
        return dict(sorted(found.items()))
