"""The definitions of one schema, and those that several schemas share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from milo_schema.annotations import Json
from milo_schema.json_schema import subschemas
from milo_schema.json_schema.references import components
from milo_schema.json_schema.subschemas import rebuild, reference_to, resolve_reference, schemas_in

Targets = dict[str, dict[str, str | None]]
"""The references in each definition, and the name of the definition behind each."""


class SchemaDefinitions:
    """The definitions that a schema refers to.

    Args:
        root: The schema, with ``$defs``.
        name: Its own name, if it is one of them.

    Attributes:
        bodies: The definitions by name.
    """

    def __init__(self, root: Json, name: str | None = None) -> None:
        self.bodies: Json = root.get("$defs", {})
        self._root = root
        self._names = {id(each): key for key, each in self.bodies.items()}
        if name is not None:
            while name in self.bodies:
                name += "_"
            self.bodies = {**self.bodies, name: subschemas.without(root, "$defs")}
            self._names[id(root)] = name

    def references(self, schema: Any) -> dict[str, str | None]:
        """The references in a schema, and the name of the definition behind each."""
        return {
            text: self._names.get(id(resolve_reference(text, self._root)))
            for each in schemas_in(schema)
            if type(text := each.get("$ref")) is str
        }

    def restore(self, schema: Json) -> Json:
        """A schema with the definitions that it needs, directly or through others."""
        needed: Json = {}
        todo = [] if "$defs" in schema else [schema]
        for each in todo:
            for name in self.references(each).values():
                if name is not None and name not in needed:
                    needed[name] = self.bodies[name]
                    todo.append(needed[name])
        return {**schema, "$defs": needed} if needed else schema


class Shared:
    """The definitions of several schemas, each of them once.

    Attributes:
        definitions: The definitions by name; another one with the same name gets a number.
    """

    def __init__(self) -> None:
        self.definitions: Json = {}
        self._meanings: dict[str, str] = {}

    def take(self, schema: Json, name: str | None = None) -> Json:
        """Move the definitions of a schema here, if all its references are to them.

        Args:
            schema: The schema.
            name: Its own name: it is a definition, too, and references to others lead nowhere.
        """
        own, top = SchemaDefinitions(schema, name), subschemas.without(schema, "$defs")
        targets = {key: own.references(body) for key, body in own.bodies.items()}
        found = own.references(top)
        for each in targets.values():
            found |= each
        if name is None and (not own.bodies or None in found.values()):
            return schema
        ends = self._ends(own, targets)
        names = {
            text: f"#{text}" if key is None else reference_to(key + ends[key])
            for text, key in found.items()
        }
        for key, end in ends.items():
            body = own.bodies[key]
            self.definitions[key + end] = body if type(body) is bool else _renamed(body, names)
        return _renamed(top, names)

    def _ends(self, own: SchemaDefinitions, targets: Targets) -> dict[str, str]:
        """The end of each name: it distinguishes definitions that mean something else."""
        ends: dict[str, str] = {}
        edges = {
            key: [each for each in found.values() if each is not None]
            for key, found in targets.items()
        }
        for group in components(edges):
            known = {each: ends[each] for key in group for each in edges[key] if each in ends}
            meaning = json.dumps([{key: own.bodies[key] for key in group}, known], sort_keys=True)
            ends |= {key: self._number(key, meaning) for key in group}
        return ends

    def _number(self, name: str, meaning: str) -> str:
        end, number = "", 1
        while self._meanings.setdefault(name + end, meaning) != meaning:
            number += 1
            end = f"_{number}"
        return end


def _renamed(schema: Json, names: Mapping[str, str]) -> Json:
    """A schema with other references."""
    result = rebuild(schema, lambda inner: _renamed(inner, names))
    if "$ref" in result:
        result["$ref"] = names[result["$ref"]]
    return result
