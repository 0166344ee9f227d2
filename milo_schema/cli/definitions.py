"""Store the definitions that several schemas share only once."""

from __future__ import annotations

import json

from milo_schema.annotations import Json
from milo_schema.json_schema.pointers import resolve_reference
from milo_schema.json_schema.subschemas import rebuild, schemas_in

__all__ = ["Definitions", "Shared"]


class Definitions:
    """Definitions that schemas refer to."""

    def __init__(self, definitions: Json) -> None:
        self._definitions = definitions
        self._root = {"$defs": definitions}
        self._names = {id(each): name for name, each in definitions.items()}

    def references(self, schema: Json) -> dict[str, str | None]:
        """The references in a schema, and the name of the definition behind each."""
        return {
            text: self._names.get(id(resolve_reference(text, self._root)))
            for each in schemas_in(schema)
            if type(text := each.get("$ref")) is str
        }

    def restored(self, schema: Json) -> Json:
        """A schema with the definitions that it needs."""
        needed: Json = {}
        todo = [] if "$defs" in schema else [schema]
        for each in todo:
            for name in self.references(each).values():
                if name is not None and name not in needed:
                    needed[name] = self._definitions[name]
                    todo.append(needed[name])
        return {**schema, "$defs": needed} if needed else schema


class Shared:
    """The shared definitions of several schemas.

    Attributes:
        definitions: The definitions by name; another one with the same name gets a number.
    """

    def __init__(self) -> None:
        self.definitions: Json = {}
        self._meanings: dict[str, frozenset[tuple[str, str]]] = {}

    def take(self, schema: Json) -> Json:
        """Move the definitions of a schema here, if all its references are to them."""
        own: Json = schema.get("$defs", {})
        definitions = Definitions(own)
        used = {name: definitions.references(own[name]) for name in own}
        top = definitions.references({**schema, "$defs": {}})
        if not own or None in {
            *top.values(),
            *(x for each in used.values() for x in each.values()),
        }:
            return schema
        texts = {name: json.dumps(own[name], sort_keys=True) for name in own}
        suffixes = {}
        for name in sorted(own):
            reached = {name}
            todo = [name]
            for each in todo:
                more = {str(below) for below in used[each].values()} - reached
                reached |= more
                todo += sorted(more)
            suffixes[name] = self._suffix(name, frozenset((each, texts[each]) for each in reached))
        references = {
            text: text + suffixes[str(name)]
            for each in (top, *used.values())
            for text, name in each.items()
        }
        for name in own:
            self.definitions[name + suffixes[name]] = _renamed(own[name], references)
        rest = {key: value for key, value in schema.items() if key != "$defs"}
        return _renamed(rest, references)

    def _suffix(self, name: str, meaning: frozenset[tuple[str, str]]) -> str:
        """The end of a name that distinguishes a definition from others with the same name."""
        suffix, number = "", 1
        while self._meanings.setdefault(name + suffix, meaning) != meaning:
            number += 1
            suffix = f"_{number}"
        return suffix


def _renamed(schema: Json, references: dict[str, str]) -> Json:
    result = rebuild(schema, lambda inner: _renamed(inner, references))
    if "$ref" in result:
        result["$ref"] = references[result["$ref"]]
    return result
