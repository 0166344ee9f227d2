"""Import a finished schema: its ``$defs`` become named types of ours, like all others.

So they are named, shared and inlined by the same rules, and two schemas with the same definition
share it.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Callable, Fragment
from milo_schema.annotations.forms import ForeignName
from milo_schema.json_schema import subschemas

Define = Callable[[Any, Callable[[Any], Fragment], Any], Fragment]

POINTER = "#/$defs/"


def reference_to(name: str) -> str:
    """The reference to a definition (RFC 6901)."""
    return POINTER + name.replace("~", "~0").replace("/", "~1")


def references_of(schema: Fragment) -> list[str]:
    """The references to the ``$defs`` of a schema."""
    definitions = schema.get("$defs")
    return list(map(reference_to, definitions)) if type(definitions) is dict else []


class Import:
    """A finished schema, while it is made a part of ours.

    Attributes:
        definitions: The definitions that the schema refers to, by reference.
        names: The names of the definitions, by reference.
        define: Makes a definition a named type.
    """

    def __init__(self, definitions: dict[str, Fragment], define: Define) -> None:
        references = {name: reference_to(name) for name in definitions}
        self.definitions: dict[str, Fragment] = {
            references[name]: definition for name, definition in definitions.items()
        }
        self.names: dict[str, str] = {each: name for name, each in references.items()}
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
        if (reference := schema.get("$ref")) in self.definitions:
            siblings = {key: value for key, value in schema.items() if key != "$ref"}
            target = self.named(self.names[reference], self.definitions[reference], walk)
            return {**target, **self._rebuilt(siblings, walk)}
        return self._rebuilt(schema, walk)

    def _rebuilt(self, schema: Fragment, walk: Any) -> Fragment:
        return subschemas.rebuild(schema, lambda each: self.fragment(each, walk))

    def _reachable(self, schema: Fragment) -> dict[str, Fragment]:
        found: dict[str, Fragment] = {}
        todo = [schema]
        while todo:
            node = todo.pop()
            reference = node.get("$ref")
            if reference in self.definitions and reference not in found:
                found[reference] = self.definitions[reference]
                todo.append(found[reference])
            todo.extend(subschemas.subschemas_of(node))
        return dict(sorted(found.items()))
