"""Split a subschema into simple branches: merge its constraints, then make a node for each type.

A *node* is the result of ``normalized()``. It has an ``allOf`` only for *further constraints*:
those with a keyword that the node already has, with another value. Each is a schema of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from milo_schema.annotations import Fragment
from milo_schema.json_schema import TYPES
from milo_schema.json_schema.keywords import (
    BOOLEAN,
    KEYWORDS,
    LIST,
    SCHEMA,
    SILENT,
    STRING,
    Keyword,
    is_annotation,
)
from milo_schema.json_schema.subschemas import json_types, without
from milo_schema.json_schema.values import json_key, json_type

ANY_TYPE = [each for each in TYPES if each != "integer"]  # every integer is a number


_DROPPED = SILENT - {"propertyOrdering"}  # which Gemini reads


def normalized(schema: Any) -> Fragment:
    """A subschema as a node: ``const`` becomes an enum, and ``allOf`` is merged if possible."""
    if type(schema) is bool:
        return {} if schema else {"not": {}}
    node = without(schema, *_DROPPED)
    if "const" in node:
        node["enum"] = [node.pop("const")]
    further: list[Fragment] = []
    for branch in map(normalized, node.pop("allOf", ())):
        further += branch.pop("allOf", ())
        if _is_plain(node) and _is_plain(branch):
            _unite(node, branch)
        for keyword, value in branch.items():
            if node.setdefault(keyword, value) != value:
                further.append({keyword: value})
    return {**node, "allOf": further} if further else node


def _is_plain(node: Fragment) -> bool:
    """Whether an object has no schema for properties that it does not name."""
    is_named = type(node.get("additionalProperties")) is not dict
    return is_named and "patternProperties" not in node and "propertyNames" not in node


def _unite(node: Fragment, branch: Fragment) -> None:
    """Move the properties of an object to another one: a value has to be valid for both."""
    has_properties = "properties" in node or "properties" in branch
    parts = [node.get("properties", {}), branch.pop("properties", {})]
    if has_properties:
        first, second = parts
        united = {**first, **second}
        for name in first.keys() & second.keys():
            united[name] = {"allOf": [first[name], second[name]]}
        for named, each in zip(parts, (node, branch), strict=True):
            if each.get("additionalProperties") is False:
                united = {name: united[name] for name in united if name in named}
        node["properties"] = united
    if branch.pop("additionalProperties", True) is False:
        node["additionalProperties"] = False
    if required := [*node.get("required", ()), *branch.pop("required", ())]:
        node["required"] = [*dict.fromkeys(required)]


def resolved(node: Fragment, bodies: Fragment) -> Fragment:
    """A node with the definition that it refers to in place of the reference, if it is known."""
    seen: set[str] = set()
    while "$ref" in node:
        name = node["$ref"].removeprefix("#/$defs/")
        if name in seen or name not in bodies:
            break
        seen.add(name)
        beside = without(node, "$ref")
        body = without(normalized(bodies[name]), *filter(is_annotation, beside))
        node = normalized({**beside, "allOf": [*beside.get("allOf", ()), body]})
    return node


def accepts_nothing(node: Fragment) -> bool:
    """Whether the keywords of a node itself allow no value."""
    return node.get("not") in ({}, True) or node.get("enum") == []


def constraints(node: Fragment) -> Fragment:
    """The keywords of a node that can refuse a value."""
    return _select(node, lambda keyword: not is_annotation(keyword))


def further_annotations(node: Fragment) -> Fragment:
    """The annotations in the ``allOf`` of a node, which the node has with other values."""
    return _select({"allOf": node.get("allOf", ())}, lambda k: k == "allOf" or is_annotation(k))


def of_type(node: Fragment, name: str) -> Fragment:
    """A node for one type, without the keywords that apply only to other types."""
    kept = _select(node, lambda each: each not in KEYWORDS or name in KEYWORDS[each].types)
    return {**kept, "type": name}


def _select(node: Fragment, is_wanted: Callable[[str], bool]) -> Fragment:
    """The wanted keywords of a node and of its further constraints."""
    kept = {keyword: value for keyword, value in node.items() if is_wanted(keyword)}
    further = [part for each in kept.pop("allOf", ()) if (part := _select(each, is_wanted))]
    return {**kept, "allOf": further} if further else kept


def shared_constraints(node: Fragment) -> Fragment:
    """The constraints beside a union, which apply to each of its branches."""
    return without(constraints(node), "anyOf", "oneOf")


def without_tag(node: Fragment, bodies: Fragment) -> Fragment:
    """A union without the discriminator of OpenAPI, if its branches say the same."""
    members: Any = node.get("oneOf", node.get("anyOf", ()))
    if "discriminator" not in node or not are_disjoint(members, bodies):
        return node
    return without(node, "discriminator")


def branches_of(node: Fragment) -> list[Fragment]:
    """A node for each branch of a union, or for each type that a node accepts."""
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            shared = shared_constraints(node)
            return [_with_shared(shared, normalized(branch)) for branch in node[keyword]]
    if "enum" in node:
        return _enum_branches(node)
    types = node.get("type", ANY_TYPE)
    if type(types) is str:
        return [node]
    return [of_type(constraints(node), each) for each in types]


def _with_shared(shared: Fragment, branch: Fragment) -> Fragment:
    """A branch with the shared constraints, unless it is a reference, which has no siblings."""
    if "$ref" in branch:
        return branch
    return normalized({**shared, "allOf": [*shared.get("allOf", ()), branch]})


def _enum_branches(node: Fragment) -> list[Fragment]:
    """A branch for each type of the values in an enum."""
    groups: dict[str, list[Any]] = {}
    for value in node["enum"]:
        groups.setdefault(json_type(value), []).append(value)
    if "number" in groups and node.get("type") == "number":
        groups = {"number": node["enum"]}
    if len(groups) == 1:
        (name,) = groups
        written = node.get("type")
        return [{**node, "type": written if type(written) is str else name}]
    shared = constraints(node)
    return [{**shared, "type": name, "enum": values} for name, values in groups.items()]


def are_disjoint(members: Iterable[Any], bodies: Fragment) -> bool:
    """Whether no value is valid for two schemas: they have other types, values or tags."""
    views = []
    for each in members:
        node = resolved(normalized(each), bodies)
        known, names = node.get("properties", {}), node.get("required", ())
        tags = {name: values_in(known.get(name, {})) for name in names}
        kinds = {kind.replace("integer", "number") for kind in json_types(node)}
        views.append({**(tags if kinds == {"object"} else {}), "=": values_in(node), "": kinds})
    sets = [[each.get(key, set()) for each in views] for key in (views[0] if views else ())]
    return any(all(each) and sum(map(len, each)) == len(set().union(*each)) for each in sets)


def values_in(schema: Any) -> set[Any]:
    """The values that a schema lists."""
    return {json_key(each) for each in normalized(schema).get("enum", ())}


# -- descriptions ----------------------------------------------------------------------------------
#
# Describe a schema in phrases: ``[string, integer]``, ``{a: string, b?: integer}``.


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
        node = without_tag(normalized(schema), self.bodies)
        if accepts_nothing(node):
            return "nothing"
        silent = _SHAPE | ({"minItems", "maxItems"} if "prefixItems" in node else set())
        details = self.keywords(without(node, *silent), seen)
        shape = self._shape(node, seen)
        return f"{shape} ({'; '.join(details)})" if details else shape

    def keywords(self, node: Fragment, seen: Seen = ()) -> list[str]:
        """A phrase for each keyword of a node, and for each of its further constraints.

        Extension keywords, ``x-...``, are for programs, so they are left out.
        """
        own = [key for key in node if key not in ("allOf", *SILENT) and not key.startswith("x-")]
        phrases = [said for key in own if (said := self.keyword(key, node[key], seen))]
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
