"""Schemas of arguments made at random, as servers write them: with definitions and recursion."""

from collections.abc import Callable
from random import Random
from typing import Any

Json = dict[str, Any]

NAMES = [
    *("id", "name", "from", "class", "None", "self", "Any", "str", "list", "dict", "int", "Node"),
    *("a-b", "a.b", "a_b", "", "_", "__x", "__debug__", "größe", "名前", "1st", "x y", "ﬁ", "²"),
    *("NotRequired", "Literal", "Tree", "print", "type", "match", "kwargs", "\n", "'", '"', "\\"),
]
TEXTS = [
    *("", "Plain.", "Two\nlines.", '"""', 'it\'s "both"', "\\", "\\n", "ends with \\", 'a "'),
    *("\0", "\r\n\t", "\u2028", "{x}", "# type: ignore", "Args:\n    id: no", "é 名", "\x1b[31m"),
    "\ud800",
]
FORMATS = ["date-time", "email", "uri", "uuid", "phone", "int64"]
BOUNDS: dict[str, list[str]] = {
    "string": ["minLength", "maxLength"],
    "integer": ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
    "number": ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
    "array": ["minItems", "maxItems"],
    "object": ["minProperties", "maxProperties"],
}


class Maker:
    """Makes one schema.

    Args:
        seed: The schema depends only on it.
        odd: The share of subschemas with keywords that Python has no annotation for.
        names: The names of properties.
    """

    def __init__(self, seed: object, odd: float = 0.0, names: list[str] = NAMES) -> None:
        self.random = Random(str(seed))
        self.odd = odd
        self.keys = names
        self.definitions: Json = {}
        names = self.random.sample(["Node", "Tree", "Address", "color", "list", "a.b", "Any"], 3)
        self.names = names

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, items: Any) -> Any:
        return items[int(self.random.random() * len(items))]

    def arguments(self) -> Json:
        """A schema of arguments."""
        root = self.object(0)
        if self.chance(0.7):
            root["additionalProperties"] = False
        elif self.chance(0.3):
            root["additionalProperties"] = self.schema(2)
        for name in self.names:
            self.definitions[name] = self.definition()
        return {**root, "$defs": self.definitions}

    def definition(self) -> Json:
        kinds = [self.object, self.object, self.choices, self.union, self.text]
        found: Json = self.pick(kinds)(1)
        if self.chance(0.3):
            found["description"] = self.pick(TEXTS)
        return found

    def schema(self, depth: int) -> Any:
        """Any subschema."""
        leaves = [self.text, self.text, self.number, self.choices, self.plain, self.reference]
        inner = [self.array, self.object, self.mapping, self.union, self.tuple]
        found: Any = self.pick(leaves if depth > 3 else leaves + inner)(depth)
        if self.chance(0.3):
            found["description"] = self.pick(TEXTS)
        if self.chance(0.1):
            found["title"] = self.pick(TEXTS)
        if self.chance(0.1) and "$ref" not in found:
            found["default"] = self.pick([None, 1, "a", [], {}, [1, "a"], {"a": 1}, 1.0, True])
        if self.chance(0.05):
            found["examples"] = [self.pick(TEXTS[:10])]
        if self.chance(self.odd):
            kind = found.get("type", "anyOf" if "anyOf" in found else "")
            found.update(self.pick(ODD.get(kind, ODD[""])))
        return found

    def bounded(self, kind: str) -> Json:
        found: Json = {"type": kind}
        if self.chance(0.3):
            keyword = self.pick(BOUNDS[kind])
            small = keyword.startswith("min") and kind not in ("integer", "number")
            found[keyword] = self.pick([1] if small else [2, 3, 10])
        return found

    def text(self, _depth: int) -> Json:
        found = self.bounded("string")
        if self.chance(0.15):
            found["pattern"] = self.pick([r"^a\d+$", r"\p{L}", "[\"']", r"^\/"])
        if self.chance(0.15):
            found["format"] = self.pick(FORMATS)
        return found

    def number(self, _depth: int) -> Json:
        return self.bounded(self.pick(["integer", "number"]))

    def plain(self, _depth: int) -> Json:
        return dict(self.pick([{"type": "boolean"}, {"type": "null"}, {}, {"type": "object"}]))

    def choices(self, _depth: int) -> Json:
        values = self.pick(
            [["a", "b"], ["it's", '"', "\n", "\ud800"], [1, 2, -3], [True, "a", 1], ["a", None]]
        )
        if self.chance(0.2):
            return {"const": values[0]}
        if self.chance(0.1):
            return {"type": "number", "enum": [0.5, 1.5]}
        return {"enum": values, **({"type": "string"} if values[-1] == "b" else {})}

    def reference(self, _depth: int) -> Json:
        return {"$ref": "#/$defs/" + self.pick(self.names).replace("~", "~0")}

    def array(self, depth: int) -> Json:
        found = {**self.bounded("array"), "items": self.schema(depth + 1)}
        return {**found, "uniqueItems": True} if self.chance(0.1) else found

    def tuple(self, depth: int) -> Json:
        items = [self.schema(depth + 1) for _ in range(2)]
        found = {"type": "array", "prefixItems": items, "minItems": 2}
        return {**found, **self.pick([{"maxItems": 2}, {"items": self.schema(depth + 1)}])}

    def mapping(self, depth: int) -> Json:
        found = {**self.bounded("object"), "additionalProperties": self.schema(depth + 1)}
        return {**found, "propertyNames": {"pattern": "^x"}} if self.chance(0.1) else found

    def object(self, depth: int) -> Json:
        names = self.random.sample(self.keys, 1 + int(self.random.random() * 4))
        properties = {name: self.schema(depth + 1) for name in names}
        found = {"type": "object", "properties": properties}
        if needed := [name for name in names if self.chance(0.5)]:
            found["required"] = needed
        return found

    def union(self, depth: int) -> Json:
        kinds: list[Callable[[int], Json]] = [self.text, self.number, self.object, self.array]
        if depth > 1:  # a definition that is itself, or something else, means nothing
            kinds.append(self.reference)
        branches = [each(depth + 1) for each in self.random.sample(kinds, 2)]
        if self.chance(0.5):
            branches.append({"type": "null"})
        return {"anyOf": branches}


ODD: dict[str, list[Json]] = {
    "": [{"not": {"type": "string", "maxLength": 1}}, {"if": {"type": "string"}, "then": False}],
    "string": [{"pattern": "a", "allOf": [{"pattern": "b"}]}, {"contentMediaType": "text/html"}],
    "array": [{"contains": {"const": 1}}, {"maxItems": 1}, {"items": False}],
    "object": [{"additionalProperties": False}, {"patternProperties": {"^x-": {"type": "string"}}},
          {"propertyNames": {"not": {"const": "a"}}}, {"dependentRequired": {"a": ["b"]}},
          {"required": ["elsewhere"]}, {"minProperties": 2}],
    "anyOf": [{"oneOf": [{"type": "integer"}, {"type": "number"}]},
          {"anyOf": [{"required": ["a"]}, {"type": "string"}]}, {"minLength": 2},
          {"type": "string"}],
}  # fmt: skip
"""Keywords that are added to a schema of a type, of which Python cannot say most."""
