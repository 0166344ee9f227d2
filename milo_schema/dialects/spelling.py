"""Write a schema in a dialect: one walk over the schema, for every dialect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from milo_schema.annotations import Fragment
from milo_schema.dialects.branches import (
    ANY_TYPE,
    MAPPING_KEYWORDS,
    Describer,
    accepts_nothing,
    are_disjoint,
    branches_of,
    constraints,
    described,
    further_annotations,
    normalized,
    of_type,
    resolved,
    shared_constraints,
    without_tag,
)
from milo_schema.dialects.consumers import Dialect, Report, check_limits
from milo_schema.json_schema.keywords import (
    ANNOTATION_KEYWORDS,
    BOOLEAN,
    KEYWORDS,
    is_annotation,
    repeats_a_name,
)
from milo_schema.json_schema.patterns import common_pattern
from milo_schema.json_schema.references import components, is_cycle
from milo_schema.json_schema.subschemas import copy, simplify, step_to, subschemas_of, without

# -- rewrites of one node ------------------------------------------------------------------------
#
# Rewrite one node of a schema with the keywords that the dialect has.
#
# Each rewrite is called with a node, its dialect, the describer, and the list of phrases that its
# description will end with; it returns a new node.


def _finite(node: Fragment, _dialect: Dialect, _describer: Describer, _: list[str]) -> Fragment:
    """Drop an enum that has every value of its type."""
    values = node.get("enum", ())
    return without(node, "enum") if len(values) == _HOW_MANY[node["type"]] else node


_HOW_MANY = {"boolean": 2, "null": 1}


def _number(node: Fragment, dialect: Dialect, _describer: Describer, _: list[str]) -> Fragment:
    """Replace an exclusive bound with an inclusive one; it is exact only for integers."""
    result = dict(node)
    for exclusive, inclusive, step, narrower in _EXCLUSIVE:
        bound = node.get(exclusive)
        if bound is None or exclusive in dialect.keywords or inclusive not in dialect.keywords:
            continue
        if node["type"] == "integer":
            del result[exclusive]
            bound = int(bound // step * step) + step
        result[inclusive] = narrower(bound, node.get(inclusive, bound))
    return result


_EXCLUSIVE: list[tuple[str, str, int, Callable[[Any, Any], Any]]] = [
    (name, row.inclusive, 1 if row.narrower is max else -1, row.narrower)
    for name, row in KEYWORDS.items()
    if row.inclusive and row.narrower
]
"""An exclusive bound, the inclusive one, and the step between them for integers."""


def _array(node: Fragment, dialect: Dialect, describer: Describer, phrases: list[str]) -> Fragment:
    """Replace a tuple with an array of all its types; the description has the positions."""
    prefix, rest = node.get("prefixItems"), node.get("items", {})
    if prefix and "prefixItems" in dialect.keywords:
        return _with_positions(node)
    result = without(node, "prefixItems", "items")
    if prefix:
        is_fixed = node.get("maxItems") == len(prefix) or rest is False
        types = [*prefix, *([] if is_fixed else [rest])]
        result["items"] = {"anyOf": types}
        if is_fixed:
            result["maxItems"] = len(prefix)
        is_counted = is_fixed and node.get("minItems") == len(prefix)
        is_lost = is_counted and "maxItems" not in dialect.keywords
        if is_lost or any(each != types[0] for each in types):
            phrases.append(describer.array(node))
        if is_lost:  # the phrase includes it
            del result["minItems"], result["maxItems"]
    elif node.get("maxItems") == 0:
        result["items"] = {"type": "string"}  # there are no items
    else:
        result["items"] = rest
    return result


def _with_positions(node: Fragment) -> Fragment:
    """A tuple for a dialect that has a keyword for positions."""
    if node.get("items") is not False:
        return node
    length = len(node["prefixItems"])
    return {**without(node, "items"), "maxItems": min(length, node.get("maxItems", length))}


def _object(node: Fragment, dialect: Dialect, describer: Describer, phrases: list[str]) -> Fragment:
    """Replace a mapping with an object; the description has the types of its keys and values."""
    result = without(node, *MAPPING_KEYWORDS)
    _require_known(result, phrases)
    others = node.get("additionalProperties")
    has_keyword = "additionalProperties" in dialect.keywords and "patternProperties" not in node
    if has_keyword and others not in (None, True, {}):
        result["additionalProperties"] = others
        if "propertyNames" in node:
            phrases.append(describer.other_properties(node))
    elif is_mapping(node):
        phrases.append(describer.other_properties(node))
    elif node.get("additionalProperties") is False and not dialect.closed:
        phrases.append("no other properties")
    return result


def is_mapping(node: Fragment) -> bool:
    """Whether an object has a schema for additional properties."""
    others = node.get("additionalProperties")
    return type(others) is dict or "propertyNames" in node or "patternProperties" in node


def is_open(node: Fragment) -> bool:
    """Whether an object is meant to have additional properties."""
    others = node.get("additionalProperties")
    has_none = "properties" in node or others is False
    return is_mapping(node) or others is True or not has_none


def _require_known(node: Fragment, phrases: list[str]) -> None:
    """Require only properties that exist: OpenAI refuses a name without a schema."""
    required, known = node.get("required", []), node.get("properties", {})
    if unknown := [name for name in required if name not in known]:
        node["required"] = [name for name in required if name in known]
        phrases.append(f"with {', '.join(unknown)}")


REWRITES: dict[str, Callable[[Fragment, Dialect, Describer, list[str]], Fragment]] = {
    "array": _array,
    "boolean": _finite,
    "integer": _number,
    "null": _finite,
    "object": _object,
    "number": _number,
}
"""The rewrite for each type of node."""


# -- objects ---------------------------------------------------------------------------------------
#
# The arguments of a tool as one object: consumers take no union and no reference at the root.


_UNIONS = {"anyOf": "at least one of", "oneOf": "exactly one of"}


def object_at_root(
    root: Fragment, bodies: Fragment, consumer: str, report: Callable[[str, str], None]
) -> Fragment:
    """The schema of an object without a reference or a union at its root.

    Args:
        root: The schema.
        bodies: The definitions.
        consumer: The name of the consumer in messages.
        report: Called with the path and the message of what is lost.
    """
    node = resolved(normalized(root), bodies)
    for union, means in _UNIONS.items():
        if union not in node:
            continue
        every = [resolved(normalized(each), bodies) for each in node.pop(union)]
        branches = [each for each in every if "object" in each.get("type", "object")]
        if not branches:
            report("", f"{consumer} supports only an object, and no branch of {union} is one")
            continue
        if len(branches) == 1:
            node = normalized({**node, "allOf": [*node.get("allOf", ()), *branches]})
            continue
        phrase = " | ".join(map(Describer(bodies).schema, branches))
        node = described(_merged(node, branches), [f"{means} {phrase}"])
        report("", f"{consumer} does not support {union} at the root; split the tool")
    return node


def _merged(node: Fragment, branches: list[Fragment]) -> Fragment:
    """An object that accepts what any of the branches accepts."""
    known = node.get("properties", {})
    if node.get("additionalProperties") is not False:
        node["properties"] = {**known, **_properties(branches), **known}
        if all(each.get("additionalProperties") is False for each in branches):
            node["additionalProperties"] = False
    always = [each.get("required", []) for each in branches]
    shared = [name for name in always[0] if all(name in names for names in always)]
    if required := [*dict.fromkeys([*node.get("required", ()), *shared])]:
        node["required"] = required
    return node


def _properties(branches: list[Fragment]) -> Fragment:
    """The properties of all branches; one that differs is a union."""
    found: dict[str, list[Any]] = {}
    for branch in branches:
        for name, each in branch.get("properties", {}).items():
            if not accepts_nothing(normalized(each)):
                found.setdefault(name, []).append({} if each is True else each)
    return {name: simplify({"anyOf": every}) for name, every in found.items()}


# -- spelling --------------------------------------------------------------------------------------

MAX_SIZE = 10_000
"""The most subschemas of a schema that is written without references."""


def spell(schema: Fragment, dialect: Dialect, report: Report) -> Fragment:
    """Write a schema in a dialect.

    Args:
        schema: A finished schema; it is not changed.
        dialect: The dialect of the consumer.
        report: Called with the path (``.filters[]``) and message of each unsupported part.

    Returns:
        A fresh schema.

    Raises:
        SchemaError: *report* raised it, as it does in strict mode.

    Example:
        >>> from milo_schema.dialects.consumers import ANTHROPIC_STRICT, GEMINI
        >>> from milo_schema.dialects.spelling import spell
        >>> schema = {"type": ["integer", "null"], "minimum": 1}
        >>> spell(schema, GEMINI, print)
        {'type': 'integer', 'minimum': 1, 'nullable': True}
        >>> spell(schema, ANTHROPIC_STRICT, print)["anyOf"][0]
        {'type': 'integer', 'description': 'at least 1'}
    """
    bodies = schema.get("$defs", {})
    speller = _Speller(dialect, report, bodies)
    if schema.get("type") == "object":
        schema = object_at_root(schema, bodies, dialect.name, report)
    result = speller.spell(schema, "")
    if definitions := speller.definitions():
        result["$defs"] = definitions
    check_limits(result, dialect.name, dialect.limits, report)
    return result


class _Speller:
    """Writes one schema in one dialect."""

    def __init__(self, dialect: Dialect, report: Report, bodies: dict[str, Fragment]) -> None:
        self.dialect = dialect
        self.report = report
        self.bodies = bodies
        self.describer = Describer(bodies)
        self.cyclic: set[str] = set()
        if dialect.references != "all":
            self.cyclic = _cyclic(bodies, required_only=dialect.references == "optional")
        self.places: dict[str, str] = {}
        self.size = 0
        self.inside: list[str] = []  # the definitions that are being merged

    def definitions(self) -> dict[str, Fragment]:
        """The definitions that are used, directly or by other definitions."""
        spelled: dict[str, Fragment] = {}
        while waiting := [name for name in self.places if name not in spelled]:
            for name in waiting:
                spelled[name] = self.spell(self.bodies[name], self.places[name])
        return {name: spelled[name] for name in self.bodies if name in spelled}

    def spell(self, schema: Any, path: str) -> Fragment:
        """Write a subschema, which is at *path*, in the dialect."""
        self.size += 1
        node = without_tag(normalized(schema), self.bodies)
        if "$ref" in node:
            return self._reference(node, path)
        if accepts_nothing(node):
            self.report(path, f"{self.dialect.name} does not support a schema without valid values")
            return described({"type": "null"}, ["no value is valid"])
        branches = branches_of(node)
        if len(branches) > 1 or "anyOf" in node or "oneOf" in node:
            return self._respell_union(node, branches, path)
        return self._respell_one(branches[0], path)

    def _respell_union(self, node: Fragment, branches: list[Fragment], path: str) -> Fragment:
        phrases = []
        if not constraints(node):
            if not self.dialect.nullable:  # a union has no description, and a branch is one type
                phrases.append("any JSON value")
            branches = self._anything(path)
        spelled = [_bare_null(self.spell(branch, path), phrases) for branch in branches]
        kept, more = self._annotations(node, path)
        if "oneOf" in node and not are_disjoint(branches, self.bodies):
            phrases.append("exactly one of these")
        if any("$ref" in branch for branch in branches):  # a reference has no siblings for them
            phrases += self.describer.keywords(shared_constraints(node))
        more += self.describer.keywords(further_annotations(node))
        union = simplify(described({"anyOf": spelled, **kept}, phrases + more))
        return _nullable(union, self.describer) if self.dialect.nullable else union

    def _anything(self, path: str) -> list[Fragment]:
        """The branches for any value: one node for each type, so that each node has a type."""
        if self.dialect.closed:
            reason = f"{self.dialect.name} does not support values of any type"
            self.report(path, f"{reason}; use a more specific one")
            return [{"type": each} for each in ANY_TYPE if each not in ("array", "object")]
        flat = [each for each in ANY_TYPE if each != "array"]
        array = {"type": "array", "items": {"type": flat}}
        return [*({"type": each} for each in flat), array]

    def _respell_one(self, node: Fragment, path: str) -> Fragment:
        """A node of one type."""
        name = node["type"]
        if name == "object" and self.dialect.closed and is_open(node):
            reason = f"{self.dialect.name} does not support arbitrary properties"
            self.report(path, f"{reason}; use a dataclass or TypedDict")
        phrases: list[str] = []
        node = of_type(node, name)
        if rewrite := REWRITES.get(name):
            node = rewrite(node, self.dialect, self.describer, phrases)
        kept: Fragment = {"type": name}
        unknown: Fragment = {}
        for keyword, value in node.items():
            if is_annotation(keyword):
                continue
            if keyword == "properties":
                kept[keyword] = self._respell_properties(value, path)
            elif keyword == "items":
                kept[keyword] = self.spell(value, f"{path}[]")
            elif keyword == "prefixItems":
                kept[keyword] = [self.spell(each, f"{path}[{i}]") for i, each in enumerate(value)]
            elif keyword == "additionalProperties":
                kept[keyword] = value and self.spell(value, f"{path}{{}}")
            elif self.dialect.takes(node, keyword, value):
                kept[keyword] = common_pattern(value) if keyword == "pattern" else copy(value)
            else:
                unknown[keyword] = value
        phrases += self.describer.keywords(unknown)
        annotations, more = self._annotations(node, path)
        result = described({**kept, **annotations}, [*phrases, *more])
        return self._closed(result) if name == "object" else result

    def _annotations(self, node: Fragment, path: str) -> tuple[Fragment, list[str]]:
        """Annotations that the dialect supports, and phrases for the rest.

        Extension keywords, ``x-...``, are for programs, and a title that only repeats a name says
        nothing: neither gets a phrase.
        """
        extensions = [keyword for keyword in node if keyword.startswith("x-")]
        kept = {key: copy(node[key]) for key in extensions if key in self.dialect.keywords}
        phrases = []
        for keyword, row in ANNOTATION_KEYWORDS.items():
            value = node.get(keyword)
            if value is None or (row.value is BOOLEAN and not value):
                continue
            if keyword in self.dialect.keywords:
                kept[keyword] = copy(value)
            elif keyword != "title" or not repeats_a_name(value, node, path.rpartition(".")[2]):
                phrases.append(self.describer.keyword(keyword, value))
        return kept, phrases

    def _respell_properties(self, value: dict[str, Any], path: str) -> Fragment:
        """The properties; at the root, they are parameters, and consumers limit their names."""
        import re

        allowed = "" if path else self.dialect.names
        for name in value:
            if allowed and not re.fullmatch(allowed, name):
                reason = f"{self.dialect.name} does not allow this name; use {allowed}"
                self.report(step_to(name), reason)
        return {name: self.spell(each, path + step_to(name)) for name, each in value.items()}

    def _closed(self, node: Fragment) -> Fragment:
        """An object in the form that the dialect requires."""
        if not self.dialect.closed:
            return node
        properties = node.setdefault("properties", {})
        required = node.get("required", [])
        if self.dialect.all_required:
            node["properties"] = {
                name: each if name in required else _or_null(each)
                for name, each in properties.items()
            }
            required = list(properties)
        node["required"] = required
        node["additionalProperties"] = False
        return node

    # -- references ----------------------------------------------------------------------------

    def _reference(self, node: Fragment, path: str) -> Fragment:
        """A reference, which has no siblings: its target takes in what restricts it further."""
        name = node["$ref"].removeprefix("#/$defs/")
        if problem := self._refusal(name):
            way_out = f"which {self.dialect.name} does not support; use a simpler type"
            self.report(path, f"{problem}, {way_out}")
            return described(self._closed({"type": "object"}), [self.describer.schema(node)])
        beside = without(constraints(node), "$ref")
        can_merge = name not in self.inside and self.size <= MAX_SIZE
        if self.dialect.references == "none" or (beside and can_merge):
            self.inside.append(name)
            spelled = self.spell(resolved(node, self.bodies), path)
            self.inside.pop()
            return spelled
        self.places.setdefault(name, path)
        kept, phrases = self._annotations(node, path)
        around = described({"anyOf": [{"$ref": node["$ref"]}], **kept}, phrases)
        return simplify(described(around, self.describer.keywords(beside)))

    def _refusal(self, name: str) -> str:
        """The reason why a definition cannot be referred to; empty if it can."""
        if name not in self.bodies:
            return f"refers to {name} outside the schema"
        if name in self.cyclic:
            return f"{name} contains itself"
        is_inline = self.dialect.references == "none"
        return f"more than {MAX_SIZE:,} subschemas" if is_inline and self.size > MAX_SIZE else ""


def _cyclic(bodies: dict[str, Fragment], *, required_only: bool) -> set[str]:
    """The recursive definitions, or only those that are so through required properties."""
    edges = {name: [*(_targets(body) & bodies.keys())] for name, body in bodies.items()}
    cycles = [set(group) for group in components(edges) if is_cycle(group, edges)]
    if not required_only:
        return set().union(*cycles)
    return {
        target
        for cycle in cycles
        for name in cycle
        for target in cycle & _targets(bodies[name], required_only=True)
    }


def _targets(body: Fragment, *, required_only: bool = False) -> set[str]:
    """The definitions that a definition refers to, or only those that it requires."""
    found: set[str] = set()
    todo = [normalized(body)]
    while todo:
        node = todo.pop()
        found.add(str(node.get("$ref", "")).removeprefix("#/$defs/"))
        if required_only and "properties" in node:
            known, required = node["properties"], node.get("required", ())
            node = {**node, "properties": {name: known[name] for name in required if name in known}}
        todo.extend(subschemas_of(node))
    return found


# -- null --------------------------------------------------------------------------------------


def _bare_null(branch: Fragment, phrases: list[str]) -> Fragment:
    """A branch of a union; a null loses its description, which the google-genai SDK refuses."""
    if branch.get("type") != "null" or "description" not in branch:
        return branch
    phrases.append(f"null: {branch['description']}")
    return {"type": "null"}


def _or_null(node: Fragment) -> Fragment:
    """A union of a node and null; the description moves to the union."""
    annotations = {key: node[key] for key in ANNOTATION_KEYWORDS if key in node}
    inner = without(node, *ANNOTATION_KEYWORDS)
    branches = inner.get("anyOf", [inner])
    return simplify({"anyOf": [*branches, {"type": "null"}], **annotations})


def _nullable(union: Fragment, describer: Describer) -> Fragment:
    """A union in OpenAPI's form; the first branch has what Vertex AI rejects beside a union."""
    branches = [branch for branch in union.get("anyOf", ()) if branch != {"type": "null"}]
    if not branches:
        return union
    first, *others = branches
    siblings = without(union, "anyOf")
    if len(branches) < len(union["anyOf"]):
        siblings["nullable"] = True
    phrases = [first["description"]] if "description" in first and "description" in siblings else []
    if others and "default" in siblings:  # it may be a value of another branch
        phrases.append(describer.keyword("default", siblings.pop("default")))
    taken = described({**first, **siblings}, phrases)
    return {"anyOf": [taken, *others]} if others else taken
