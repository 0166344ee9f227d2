"""Texts for fields of a parameter in the docstring of a function: ``employee.name: Full name``.

They hold for one parameter, not for every use of its type. So they are written into a copy of its
node, in which the named types on the way to the field are written where they are used.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from milo_schema.annotations import Json
from milo_schema.callables.signatures import Record
from milo_schema.frozen import Frozen
from milo_schema.json_schema.references import merge
from milo_schema.json_schema.subschemas import copy as copy_schema
from milo_schema.nodes.base import Node, Wrapper
from milo_schema.nodes.definitions import Named
from milo_schema.nodes.fields import NOT_FILLED
from milo_schema.nodes.forward import Definitions


class FieldText(Frozen):
    """The description of a field, and the way to it.

    Args:
        steps: The names on the way to it; the last one is its own.
        text: The description.
        out: The definitions that references lead to.
        within: The named types since the last step: one of them again has no field.
    """

    steps: tuple[str, ...]
    text: str
    out: Definitions
    within: tuple[Any, ...] = ()

    def enter(self, named: Any) -> FieldText:
        """The same within a named type."""
        return FieldText(self.steps, self.text, self.out, (*self.within, named))

    def below(self) -> FieldText:
        """The same after the first step."""
        return FieldText(self.steps[1:], self.text, self.out)


def describe_in(record: Record, entry: FieldText) -> Record | None:
    """A copy of a record with the description of a field; ``None`` if it has no such field."""
    for at, field in enumerate(record.fields):
        if entry.steps[0] not in (field.name, field.python_name) or field.node is NOT_FILLED:
            continue
        found = copy(field)
        if len(entry.steps) > 1:
            found.node = field.node.described(entry.below())
        else:
            found.description = field.description or entry.text
        if found.node is None:
            return None
        described = copy(record)
        described.fields = [*record.fields[:at], found, *record.fields[at + 1 :]]
        return described
    return None


class Described(Wrapper):
    """A type whose schema others make, with the description of a field.

    Attributes:
        inner: The type.
        fragment: Its schema.
        describes_class: Whether a description in it describes a class.
    """

    __slots__ = ("describes_class", "fragment", "inner")

    def __init__(self, inner: Node, fragment: Json, describes_class: bool) -> None:
        self.inner: Node = inner
        self.fragment: Json = fragment
        self.describes_class: bool = describes_class

    @classmethod
    def of(cls, node: Node, entry: FieldText) -> Described | None:
        """A node with the description of a field; ``None`` if its schema has no such property."""
        whole = node.schema(entry.out)
        fragment = _describe(whole, entry)
        is_of_class = node.describes_class or not entry.out.is_described(whole)
        return None if fragment is None else cls(node, fragment, is_of_class)

    def schema(self, out: Definitions) -> Json:
        """The schema with the description."""
        return self.fragment

    def described(self, entry: FieldText) -> Node | None:
        """The same with another one."""
        return self.of(self, entry)


def _describe(fragment: Json, entry: FieldText) -> Json | None:
    """A schema with the description of a property; ``None`` if it has no such property."""
    while isinstance(named := fragment.get("$ref"), Named):
        fragment = merge(copy_schema(entry.out.body_of(named)), fragment)
    name, below = entry.steps[0], entry.below()
    branches = [_describe(branch, entry) or branch for branch in fragment.get("anyOf", ())]
    if branches != fragment.get("anyOf", []):
        return {**fragment, "anyOf": branches}
    found = fragment.get("properties", {}).get(name)
    if found is not None and below.steps:
        found = _describe(found, below)
    elif found is not None and not entry.out.is_described(found):
        found = {**found, "description": entry.text}
    if found is None:
        return None
    return {**fragment, "properties": {**fragment["properties"], name: found}}
