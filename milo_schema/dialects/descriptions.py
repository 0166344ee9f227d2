"""Describe a schema in phrases: ``[string, integer]``, ``{a: string, b?: integer}``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from milo_schema.annotations import Fragment
from milo_schema.dialects.branches import accepts_nothing, normalized
from milo_schema.json_schema.keywords import BOOLEAN, KEYWORDS, LIST, SCHEMA, STRING, Keyword

Seen = tuple[str, ...]

MAX_WORDS = 2_000
"""The most characters for a definition in a description; a longer one is only named."""

MAPPING_KEYWORDS = ("patternProperties", "propertyNames", "additionalProperties")
"""The keywords of mappings, which no dialect supports."""

_SHAPE = frozenset(
    {"type", "properties", "required", "items", "prefixItems", "anyOf", "oneOf", "enum"}
    | {"$ref", "$defs", *MAPPING_KEYWORDS}
)
"""The keywords that the phrase for the shape of a schema implies."""


def described(node: Fragment, phrases: Iterable[str]) -> Fragment:
    """A node with these phrases at the end of its description."""
    if more := "; ".join(dict.fromkeys(filter(None, phrases))):
        text = node.get("description")
        node["description"] = f"{text} ({more})" if text else more
    return node


class Describer:
    """Describes the schemas of one document in phrases.

    Args:
        bodies: The definitions of the document.
    """

    def __init__(self, bodies: dict[str, Fragment]) -> None:
        self.bodies = bodies
        self._known: dict[tuple[str, int], str] = {}

    def schema(self, schema: Any, seen: Seen = ()) -> str:
        """A schema as a phrase; *seen* are the definitions around it."""
        node = normalized(schema)
        if accepts_nothing(node):
            return "nothing"
        silent = _SHAPE | ({"minItems", "maxItems"} if "prefixItems" in node else set())
        details = self.keywords({key: node[key] for key in node if key not in silent}, seen)
        shape = self._shape(node, seen)
        return f"{shape} ({'; '.join(filter(None, details))})" if any(details) else shape

    def keywords(self, node: Fragment, seen: Seen = ()) -> list[str]:
        """A phrase for each keyword of a node, and for each of its further constraints.

        Extension keywords, ``x-...``, are for programs, so they are left out.
        """
        own = [key for key in node if key != "allOf" and not key.startswith("x-")]
        phrases = [self.keyword(key, node[key], seen) for key in own]
        for further in node.get("allOf", ()):
            phrases += [f"also {phrase}" for phrase in self.keywords(further, seen)]
        return phrases

    def keyword(self, keyword: str, value: Any, seen: Seen = ()) -> str:
        """A phrase for a keyword; empty if there is nothing to describe."""
        row = KEYWORDS.get(keyword)
        if row is None or not row.phrase:
            return f"{keyword}: {_json(value)}"
        if row.value is BOOLEAN and not value:
            return ""
        return row.phrase.format(self._value(row, value, seen))

    def _value(self, row: Keyword, value: Any, seen: Seen) -> str:
        if row.value is SCHEMA:
            return self.schema(value, seen)
        if row.value is LIST:
            return ", ".join(map(_json, value))
        if row.value is STRING:  # without quotes
            return " ".join(str(value).split())
        return _json(value)

    def other_properties(self, node: Fragment) -> str:
        """A phrase for the properties that are not named."""
        shape = {key: node[key] for key in MAPPING_KEYWORDS if key in node}
        phrase = self._object(shape, ())
        return f"other properties: {phrase}" if node.get("properties") else phrase

    def array(self, node: Fragment, seen: Seen = ()) -> str:
        """A phrase for an array: its items, with ``...`` after the one that may be repeated."""
        prefix = node.get("prefixItems", [])
        items = [self.schema(item, seen) for item in prefix]
        is_fixed = node.get("items") is False or node.get("maxItems") == len(prefix)
        if not is_fixed:
            items += [self.schema(node.get("items", {}), seen), "..."]
        return f"[{', '.join(items)}]"

    def _shape(self, node: Fragment, seen: Seen) -> str:
        if "$ref" in node:
            return self._named(node["$ref"].removeprefix("#/$defs/"), seen)
        for union in ("anyOf", "oneOf"):
            if union in node:
                return " | ".join(self.schema(branch, seen) for branch in node[union])
        if "enum" in node:
            return " | ".join(map(_json, node["enum"]))
        is_object = "properties" in node or "required" in node
        types = node.get("type", "object" if is_object else "anything")
        if type(types) is list:
            return " | ".join(types)
        if types == "array":
            return self.array(node, seen)
        return self._object(node, seen) if types == "object" else str(types)

    def _named(self, name: str, seen: Seen) -> str:
        """A definition as a phrase; only its name if it is recursive, too deep or too long."""
        if name in seen or name not in self.bodies or len(seen) > 1:
            return name
        known = name, len(seen)  # only the depth matters: at the deepest level, all are named
        if known not in self._known:
            phrase = self.schema(self.bodies[name], (*seen, name))
            self._known[known] = phrase if len(phrase) <= MAX_WORDS else name
        return self._known[known]

    def _object(self, node: Fragment, seen: Seen) -> str:
        required, known = node.get("required", ()), node.get("properties", {})
        members = [
            f"{name}{'' if name in required else '?'}: {self.schema(subschema, seen)}"
            for name, subschema in known.items()
            if name in required or not accepts_nothing(normalized(subschema))
        ]
        members += [name for name in required if name not in known]
        for pattern, subschema in node.get("patternProperties", {}).items():
            members.append(f"string (matches {pattern}): {self.schema(subschema, seen)}")
        others = node.get("additionalProperties")
        if type(others) is dict or "propertyNames" in node:
            names = self.schema(_of_strings(node.get("propertyNames", {})), seen)
            members.append(f"{names}: {self.schema({} if others is None else others, seen)}")
        return f"{{{', '.join(members)}}}" if members else "object"


def _of_strings(schema: Any) -> Fragment:
    """The schema of names, which are strings, without the type."""
    names = normalized(schema)
    if "anyOf" in names:
        return {**names, "anyOf": [_of_strings(branch) for branch in names["anyOf"]]}
    return {"type": "string", **names}


def _json(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
