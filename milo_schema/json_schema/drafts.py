"""Read a schema that others wrote: its faults, and the same schema in our form.

Others write older drafts of JSON Schema, OpenAPI, identifiers, references of every kind, and
mistakes. Whatever checks, compares or applies a schema that may come from them reads it here first,
so nothing else knows about all that. Our form is JSON Schema 2020-12 in which every keyword has a
valid value, and every reference leads to the root, to one of its ``$defs``, or nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from milo_schema.annotations import Fragment
from milo_schema.annotations.frozen import Frozen
from milo_schema.errors import Problem, SchemaError
from milo_schema.json_schema.faults import DRAFT_7, DROPPED, REFERENCES, Fault, Scan, is_whole
from milo_schema.json_schema.keywords import (
    SCHEMA_KEYWORDS,
    SCHEMA_LIST_KEYWORDS,
    SCHEMA_MAP_KEYWORDS,
)
from milo_schema.json_schema.subschemas import POINTER


def valid_schema(
    schema: Any,
    what: str,
    place: Callable[[str], str],
    refused: Collection[str] = ("invalid-schema",),
) -> Any:
    """A schema that others wrote in our form.

    Args:
        schema: The schema.
        what: What it is, such as ``"input schema"``.
        place: Makes the path of an error from that in the schema.
        refused: The codes of the faults that are errors.

    Raises:
        SchemaError: It has such a fault; the message names the first one and its place.
    """
    read = read_schema(schema)
    faults = [each for each in read.faults if each.code in refused]
    if not faults:
        return read.schema
    problems = [
        Problem(f"the {what} is not valid: {each.message}", place(each.path), code="invalid-schema")
        for each in faults
    ]
    raise SchemaError.of(problems)


class ForeignSchema(Frozen):
    """A schema that others wrote, after it was read.

    Attributes:
        schema: The schema in our form, without the parts that are not valid; the same object if it
            already is in our form.
        faults: What is wrong with it.
    """

    schema: Any
    faults: list[Fault]


def read_schema(schema: Any) -> ForeignSchema:
    """Read a schema that others wrote.

    Args:
        schema: Any JSON value.

    Returns:
        The schema in our form, and its faults.

    Example:
        >>> from milo_schema.json_schema.drafts import read_schema
        >>> read = read_schema({"type": "array", "items": [{"type": "intger"}]})
        >>> read.schema
        {'type': 'array', 'prefixItems': [{}]}
        >>> [each.path for each in read.faults]
        ['', '[0]']
    """
    scan = Scan(schema)
    if not scan.is_ours:
        schema = _Writer(scan).root()
    return ForeignSchema(schema, scan.faults)


# -- our form ----------------------------------------------------------------------------------


class _Writer:
    """Writes the schema that was read in our form."""

    def __init__(self, scan: Scan) -> None:
        self.scan = scan
        self.names: dict[int, str] = {}
        self.definitions: dict[str, Any] = {}
        self.waiting: list[tuple[str, Any]] = []

    def root(self) -> Any:
        """The whole schema."""
        root = self.scan.root
        if type(root) is not dict:
            return {}
        own = root.get("$defs")
        for name, body in own.items() if type(own) is dict else ():
            if (id(own), name) not in self.scan.refused:
                self._define(name, body)
        written = self.schema(root)
        while self.waiting:
            name, body = self.waiting.pop(0)
            self.definitions[name] = self.schema(body)
        if self.definitions:
            written["$defs"] = self.definitions
        return written

    def _define(self, name: str, body: Any) -> str:
        """The name of a definition, which is written later."""
        plain = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
        plain, number = plain or "Definition", 1
        unique = plain
        while unique in self.definitions:
            number += 1
            unique = f"{plain}_{number}"
        self.definitions[unique] = {}
        self.names[id(body)] = unique
        self.waiting.append((unique, body))
        return unique

    def schema(self, schema: Any) -> Any:
        """A subschema."""
        if type(schema) is bool:
            return schema
        node = self.scan.nodes.get(id(schema))
        if node is None:  # not valid, or nested too deeply
            return {}
        written: Fragment = {}
        for keyword, value in schema.items():
            is_refused = (id(schema), keyword) in self.scan.refused
            if not is_refused and keyword not in DROPPED and keyword not in REFERENCES:
                self._write(written, keyword, value)
        written = _with_items(written)
        references = [name for name in REFERENCES if (id(schema), name) in self.scan.targets]
        if references and node.draft <= DRAFT_7:  # there, a reference has no siblings
            written = {key: each for key, each in written.items() if key == "description"}
        for keyword in references:
            self._refer(written, schema[keyword], self.scan.targets[id(schema), keyword])
        return _with_null(written) if schema.get("nullable") is True else written

    def _write(self, written: Fragment, keyword: str, value: Any) -> None:
        """Write a keyword."""
        if keyword in ("$defs", "definitions", "nullable"):
            return
        if keyword == "dependencies":
            for name, each in self._map(value).items():
                kind = "dependentRequired" if type(each) is list else "dependentSchemas"
                written.setdefault(kind, {})[name] = each
        elif keyword in SCHEMA_MAP_KEYWORDS:
            written[keyword] = self._map(value)
        elif type(value) is list and (keyword in SCHEMA_LIST_KEYWORDS or keyword == "items"):
            written[keyword] = list(map(self.schema, value))
        elif keyword in SCHEMA_KEYWORDS or keyword == "additionalItems":
            written[keyword] = self.schema(value)
        else:
            written[keyword] = int(value) if is_whole(keyword, value) else value

    def _map(self, value: Fragment) -> Fragment:
        refused = self.scan.refused
        return {
            name: each if type(each) is list else self.schema(each)
            for name, each in value.items()
            if (id(value), name) not in refused
        }

    def _refer(self, written: Fragment, reference: str, target: Any) -> None:
        """Write a reference."""
        if type(target) is bool:
            plain: Any = target
        elif target is None:
            plain = {"$ref": reference}
        elif target is self.scan.root:
            plain = {"$ref": "#"}
        else:
            name = self.names.get(id(target)) or self._define(_last_name(reference), target)
            plain = {"$ref": POINTER + name}
        if type(plain) is dict and "$ref" not in written:
            written.update(plain)
        else:
            written["allOf"] = [*written.get("allOf", ()), plain]


def _last_name(reference: str) -> str:
    from urllib.parse import unquote

    return unquote(reference).rpartition("#")[2].rpartition("/")[2]


def _with_items(written: Fragment) -> Fragment:
    """A tuple as 2020-12 writes it."""
    rest = written.pop("additionalItems", None)
    if type(written.get("items")) is list:
        prefix = written.pop("items")
        if prefix:
            written["prefixItems"] = prefix
        if rest is not None:
            written["items"] = rest
    return written


def _with_null(written: Fragment) -> Fragment:
    """A schema that also accepts null."""
    if "enum" in written and None not in written["enum"]:
        written = {**written, "enum": [*written["enum"], None]}
    if kinds := written.get("type"):
        kinds = [kinds] if type(kinds) is str else kinds
        return {**written, "type": [*dict.fromkeys([*kinds, "null"])]}
    if "anyOf" in written:
        return {**written, "anyOf": [*written["anyOf"], {"type": "null"}]}
    return written
