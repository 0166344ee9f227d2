"""Finished JSON Schema respelled for a consumer that reads only a part of the language.

A dialect is data: which keywords, formats and enums its consumer takes, which forms objects
have, what may be how large. One walk spells a schema in any of them. What a dialect has no
keyword for is said in words, in the description, so nothing is lost in silence; what words do
not help is reported with its place. The sources of the facts are in docs/clients.md.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from milo_schema.json_schema.keywords import TYPES
from milo_schema.json_schema.subschemas import copy
from milo_schema.json_schema.unions import simplify
from milo_schema.json_schema.values import json_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Fragment = dict[str, Any]
    Report = Callable[[str, str], None]
    Seen = tuple[str, ...]
    Measure = Callable[[Fragment, int], int]

__all__ = ["anthropic_strict", "gemini", "openai_strict", "portable"]


# -- the front door ----------------------------------------------------------------------------


def portable(schema: Fragment, report: Report) -> Fragment:
    """Spell a schema with what every known client takes and none loses.

    Args:
        schema: A finished schema; it stays as it is.
        report: Called with a place (``.filters[]``) and a reason for what cannot be said.

    Returns:
        A fresh schema.

    Raises:
        SchemaError: If *report* raises it, as it does in strict mode.

    Example:
        >>> from milo_schema.dialects import portable
        >>> portable({"type": "integer", "enum": [1, 2]}, print)
        {'type': 'integer', 'description': 'one of 1, 2'}
    """
    return _spell(schema, PORTABLE, report)


def openai_strict(schema: Fragment, report: Report) -> Fragment:
    """Spell a schema as OpenAI's strict mode asks: closed objects, every property required.

    A property that may be left out may be null instead; the caller takes the nulls out again.

    Args:
        schema: A finished schema; it stays as it is.
        report: Called with a place (``.filters[]``) and a reason for what cannot be said.

    Returns:
        A fresh schema.

    Raises:
        SchemaError: If *report* raises it, as it does in strict mode.

    Example:
        >>> from milo_schema.dialects import openai_strict
        >>> times = {"type": "object", "properties": {"times": {"type": "integer", "default": 1}}}
        >>> openai_strict(times, print)["properties"]["times"]
        {'anyOf': [{'type': 'integer'}, {'type': 'null'}], 'description': 'default 1'}
    """
    return _spell(schema, OPENAI_STRICT, report)


def anthropic_strict(schema: Fragment, report: Report) -> Fragment:
    """Spell a schema as Anthropic's strict mode asks: closed objects, hardly any constraints.

    Args:
        schema: A finished schema; it stays as it is.
        report: Called with a place (``.filters[]``) and a reason for what cannot be said.

    Returns:
        A fresh schema.

    Raises:
        SchemaError: If *report* raises it, as it does in strict mode.

    Example:
        >>> from milo_schema.dialects import anthropic_strict
        >>> anthropic_strict({"type": "integer", "minimum": 1}, print)
        {'type': 'integer', 'description': 'at least 1'}
    """
    return _spell(schema, ANTHROPIC_STRICT, report)


def gemini(schema: Fragment, report: Report) -> Fragment:
    """Spell a schema as the ``parameters`` of a Gemini function declaration.

    Args:
        schema: A finished schema; it stays as it is.
        report: Called with a place (``.filters[]``) and a reason for what cannot be said.

    Returns:
        A fresh schema.

    Raises:
        SchemaError: If *report* raises it, as it does in strict mode.

    Example:
        >>> from milo_schema.dialects import gemini
        >>> gemini({"anyOf": [{"type": "string"}, {"type": "null"}]}, print)
        {'type': 'string', 'nullable': True}
    """
    return _spell(schema, GEMINI, report)


# -- dialects are data -------------------------------------------------------------------------


class Limit(NamedTuple):
    """How much of something a consumer takes: in one node, or in all of them together."""

    what: str
    most: int
    measure: Measure
    in_total: bool = True


class Dialect(NamedTuple):
    """What a consumer takes.

    Attributes:
        name: What it is called in messages.
        keywords: The keywords that it reads, apart from those of the structure.
        formats: The formats that it knows.
        enums: The JSON types of which it takes enums.
        names: A regular expression of the names that properties may have.
        closed: Whether every object is closed, so that there is no mapping.
        all_required: Whether every property is required; an optional one may be null.
        nullable: Whether null is said as ``nullable``, beside a type.
        references: Whether it reads references: all, ``"finite"`` ones, or none.
        empty_strings: Whether an enum may have an empty string.
        limits: How much it takes.
    """

    name: str
    keywords: frozenset[str]
    formats: frozenset[str]
    enums: frozenset[str]
    names: str
    closed: bool = False
    all_required: bool = False
    nullable: bool = False
    references: str = "all"
    empty_strings: bool = True
    limits: tuple[Limit, ...] = ()


_STRING_ENUM_MANY = 250


def _names_and_values(node: Fragment, _depth: int) -> int:
    values = [each for each in node.get("enum", ()) if type(each) is str]
    return sum(map(len, [*node.get("properties", ()), *node.get("$defs", ()), *values]))


def _long_enum(node: Fragment, _depth: int) -> int:
    enum = node.get("enum", ())
    return sum(len(str(each)) for each in enum) if len(enum) > _STRING_ENUM_MANY else 0


def _object_levels(node: Fragment, depth: int) -> int:
    return depth if node.get("type") == "object" else 0


def _optional(node: Fragment, _depth: int) -> int:
    return len(node.get("properties", ())) - len(node.get("required", ()))


_BASIC = frozenset({"type", "description", "enum", "items", "properties", "required", "anyOf"})
_LENGTHS = frozenset({"minLength", "maxLength", "minItems", "maxItems"})
_BOUNDS = frozenset({"minimum", "maximum"})
_EXACT_BOUNDS = frozenset({"exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_OPENAI_FORMATS = frozenset(
    {"date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)
_SCALARS = frozenset({"string", "integer", "number", "boolean", "null"})
_PARAMETER = r"[A-Za-z_][A-Za-z0-9_]{0,63}"  # Gemini's types.FunctionDeclaration, the narrowest
_PROPERTY = r"[A-Za-z0-9_.-]{1,64}"  # Anthropic's Messages API

PORTABLE = Dialect(
    name="the portable subset",
    keywords=_BASIC | _LENGTHS | _BOUNDS | {"default", "format", "pattern"},
    formats=frozenset({"date-time", "date", "time", "email", "uuid"}),
    enums=frozenset({"string"}),
    names=_PARAMETER,
    empty_strings=False,
)
OPENAI_STRICT = Dialect(
    name="OpenAI's strict mode",
    keywords=_BASIC | _LENGTHS | _BOUNDS | _EXACT_BOUNDS | {"format", "pattern"},
    formats=_OPENAI_FORMATS,
    enums=_SCALARS,
    names=_PROPERTY,
    closed=True,
    all_required=True,
    limits=(
        Limit("properties", 5_000, lambda node, _: len(node.get("properties", ()))),
        Limit("levels of objects", 10, _object_levels, in_total=False),
        Limit("characters in names and enums", 120_000, _names_and_values),
        Limit("enum values", 1_000, lambda node, _: len(node.get("enum", ()))),
        Limit("characters in one enum of more than 250", 15_000, _long_enum, in_total=False),
    ),
)
ANTHROPIC_STRICT = Dialect(
    name="Anthropic's strict mode",
    keywords=_BASIC | {"format", "minItems", "pattern"},
    formats=_OPENAI_FORMATS | {"uri"},
    enums=_SCALARS,
    names=_PROPERTY,
    closed=True,
    references="finite",
    limits=(
        Limit("optional properties", 24, _optional),
        Limit("unions", 16, lambda node, _: "anyOf" in node),
    ),
)
GEMINI = Dialect(
    name="Gemini",
    keywords=_BASIC | _LENGTHS | _BOUNDS | {"default", "format", "pattern", "nullable"},
    formats=frozenset({"date-time"}),  # gemini-cli #3178: "only 'enum' and 'date-time'"
    enums=frozenset({"string"}),
    names=_PARAMETER,
    nullable=True,
    references="none",
    empty_strings=False,
)


# -- the walk ----------------------------------------------------------------------------------


def _spell(schema: Fragment, dialect: Dialect, report: Report) -> Fragment:
    speller = _Speller(dialect, report, schema.get("$defs", {}))
    result = speller.spell({key: schema[key] for key in schema if key != "$defs"}, "")
    if definitions := speller.definitions():
        result["$defs"] = definitions
    _check_limits(result, dialect, report)
    return result


MAX_SIZE = 10_000
"""How many subschemas are written where references are not, before they are called too many."""


class _Speller:
    """One schema on its way into one dialect."""

    def __init__(self, dialect: Dialect, report: Report, bodies: dict[str, Fragment]) -> None:
        self.dialect = dialect
        self.report = report
        self.bodies = bodies
        self.words = _Words(bodies)
        self.cyclic: set[str] = set()
        if dialect.references != "all":
            self.cyclic = _cyclic(bodies)
        self.places: dict[str, str] = {}
        self.size = 0

    def definitions(self) -> dict[str, Fragment]:
        """The definitions that have been referred to, and those that they refer to."""
        spelled: dict[str, Fragment] = {}
        while waiting := [name for name in self.places if name not in spelled]:
            for name in waiting:
                spelled[name] = self.spell(self.bodies[name], self.places[name])
        return {name: spelled[name] for name in self.bodies if name in spelled}

    def spell(self, node: Any, path: str) -> Fragment:
        """A subschema in the dialect; *path* leads to its place."""
        self.size += 1
        node = _plain(node)
        if "$ref" in node:
            return self._reference(node, path)
        if _is_nothing(node):
            self.report(path, f"no value is valid, which {self.dialect.name} cannot say")
            return _described({"type": "null"}, ["no value is valid"])
        arms = _arms(node)
        is_union = len(arms) > 1 or "anyOf" in node or "oneOf" in node
        return self._union(node, arms, path) if is_union else self._one(arms[0], path)

    def _union(self, node: Fragment, arms: list[Fragment], path: str) -> Fragment:
        words = []
        if not _constraints(node):
            words.append("any JSON value")
            arms = self._anything(path)
        spelled = [_bare_null(self.spell(arm, path), words) for arm in arms]
        kept, more = self._notes(node)
        if "oneOf" in node:
            words.append("exactly one of these")
        if any("$ref" in arm for arm in arms):  # which has no siblings that could say it
            words += [self.words.keyword(key, node[key]) for key in _shared(node)]
        more += [self.words.keyword(key, node[key]) for key in node if key.startswith("x-")]
        union = simplify(_described({"anyOf": spelled, **kept}, words + more))
        return _nullable(union) if self.dialect.nullable else union

    def _anything(self, path: str) -> list[Fragment]:
        """What may stand for any value: one node for each type, so that each node has a type."""
        if self.dialect.closed:
            reason = f"{self.dialect.name} takes no value of unknown type; name the types"
            self.report(path, reason)
            return [{"type": kind} for kind in _ANYTHING if kind in _SCALARS]
        flat = [kind for kind in _ANYTHING if kind != "array"]
        array = {"type": "array", "items": {"type": flat}}
        return [*({"type": kind} for kind in flat), array]

    # -- one type ------------------------------------------------------------------------------

    def _one(self, node: Fragment, path: str) -> Fragment:
        """A node of one type."""
        words: list[str] = []
        kept: Fragment = {"type": node["type"]}
        about_others = _OF_A_TYPE - _APPLIES.get(node["type"], frozenset())
        node = {key: node[key] for key in node if key not in about_others}
        if rewrite := _REWRITES.get(node["type"]):
            node = rewrite(node, self, words, path)
        for keyword, value in node.items():
            if keyword == "type" or keyword in _NOTES:
                continue
            if keyword in _STRUCTURE:
                kept[keyword] = _STRUCTURE[keyword](self, value, path)
            elif self._takes(node, keyword, value):
                kept[keyword] = _common_pattern(value) if keyword == "pattern" else copy(value)
            else:
                words.append(self.words.keyword(keyword, value))
        notes, more = self._notes(node)
        result = _described({**kept, **notes}, [*words, *more])
        return self._closed(result) if kept["type"] == "object" else result

    def _takes(self, node: Fragment, keyword: str, value: Any) -> bool:
        """Whether the dialect has the keyword, with this value, beside its neighbours."""
        check = _CHECKS.get(keyword)
        is_known = keyword in self.dialect.keywords
        return is_known and (check is None or check(self.dialect, node, value))

    def _notes(self, node: Fragment) -> tuple[Fragment, list[str]]:
        """What refuses no value: what the dialect has a keyword for, and words for the rest."""
        kept: Fragment = {}
        words = []
        for keyword in _NOTES:
            value = node.get(keyword)
            if value is None or (keyword == "deprecated" and not value):
                continue
            if keyword in self.dialect.keywords:
                kept[keyword] = copy(value)
            else:
                words.append(self.words.keyword(keyword, value))
        return kept, words

    # -- structure -----------------------------------------------------------------------------

    def properties(self, value: dict[str, Any], path: str) -> Fragment:
        """The properties, under names that the consumer takes."""
        import re

        for name in value:
            if not re.fullmatch(self.dialect.names, name):
                reason = f"{self.dialect.name} takes no such name; rename it: {self.dialect.names}"
                self.report(f"{path}.{name}", reason)
        return {name: self.spell(below, f"{path}.{name}") for name, below in value.items()}

    def items(self, value: Any, path: str) -> Fragment:
        """The items of an array."""
        return self.spell(value, f"{path}[]")

    def _closed(self, node: Fragment) -> Fragment:
        """An object in the form that the dialect asks for."""
        if not self.dialect.closed:
            return node
        properties = node.setdefault("properties", {})
        required = node.get("required", [])
        if self.dialect.all_required:
            node["properties"] = {
                name: below if name in required else _or_null(below)
                for name, below in properties.items()
            }
            required = list(properties)
        node["required"] = required
        node["additionalProperties"] = False
        return node

    def _reference(self, node: Fragment, path: str) -> Fragment:
        name = node["$ref"].removeprefix("#/$defs/")
        if problem := self._problem(name):
            self.report(path, f"{problem}, which {self.dialect.name} cannot say; say less of it")
            return _described(self._closed({"type": "object"}), [self.words.say(node)])
        if self.dialect.references == "none":
            return self.spell(self.bodies[name], path)
        self.places.setdefault(name, path)
        return {"$ref": node["$ref"]}

    def _problem(self, name: str) -> str:
        """Why a definition cannot be referred to, if that is so."""
        if name not in self.bodies:
            return f"refers to {name}, outside of the schema"
        if name in self.cyclic:
            return f"{name} contains itself"
        is_inline = self.dialect.references == "none"
        return f"more than {MAX_SIZE:,} subschemas" if is_inline and self.size > MAX_SIZE else ""


_STRUCTURE: dict[str, Callable[[_Speller, Any, str], Any]] = {
    "properties": _Speller.properties,
    "items": _Speller.items,
}
_NOTES = ("description", "title", "default", "examples", "deprecated")
"""The keywords that refuse no value, apart from those of somebody's own."""
_SPOKEN = frozenset({"additionalProperties", "patternProperties", "propertyNames"})
"""The keywords of which a mapping is made, which no dialect has."""


# -- a node made simpler -----------------------------------------------------------------------


def _plain(schema: Any) -> Fragment:
    """A subschema as an object; ``const`` is an enum of one, ``allOf`` is merged if it can be."""
    if type(schema) is bool:
        return {} if schema else {"not": {}}
    node: Fragment = dict(schema)
    if "const" in node:
        node["enum"] = [node.pop("const")]
    for arm in node.pop("allOf", ()):
        for keyword, value in _plain(arm).items():
            label = keyword if node.get(keyword, value) == value else f"also {keyword}"
            node[label] = value
    return node


def _is_nothing(node: Fragment) -> bool:
    """Whether a schema says by itself that no value is valid."""
    return node.get("not") in ({}, True) or node.get("enum") == []


_APPLIES = {
    "string": frozenset(
        {"minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"}
    ),
    "number": _BOUNDS | _EXACT_BOUNDS,
    "integer": _BOUNDS | _EXACT_BOUNDS,
    "array": frozenset({"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"}),
    "object": frozenset(
        {"properties", "required", "additionalProperties", "propertyNames", "patternProperties"}
        | {"minProperties", "maxProperties"}
    ),
}
_OF_A_TYPE = frozenset().union(*_APPLIES.values())


_ANYTHING = [kind for kind in TYPES if kind != "integer"]  # every integer is a number


def _constraints(node: Fragment) -> list[str]:
    """The keywords that may refuse a value."""
    return [key for key in node if key not in _NOTES and not key.startswith("x-")]


def _shared(node: Fragment) -> list[str]:
    """The keywords beside a union that hold for each arm."""
    return [key for key in _constraints(node) if key not in ("anyOf", "oneOf", "$ref")]


def _arms(node: Fragment) -> list[Fragment]:
    """One node for each type that a node admits, or those of its union."""
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            shared = {key: node[key] for key in _shared(node)}
            below = map(_plain, node[keyword])
            return [arm if "$ref" in arm else _plain({**shared, "allOf": [arm]}) for arm in below]
    if "enum" in node:
        return _enum_arms(node)
    kinds = node.get("type", _ANYTHING)
    if type(kinds) is str:
        return [node]
    shared = {key: node[key] for key in _constraints(node) if key not in _OF_A_TYPE}
    arms = []
    for kind in kinds:
        own = {key: node[key] for key in node if key in _APPLIES.get(kind, ())}
        arms.append({**shared, **own, "type": kind})
    return arms


def _enum_arms(node: Fragment) -> list[Fragment]:
    """The values of an enum by their types."""
    groups: dict[str, list[Any]] = {}
    for value in node["enum"]:
        groups.setdefault(json_type(value), []).append(value)
    if "number" in groups and node.get("type") == "number":
        groups = {"number": node["enum"]}
    if len(groups) == 1:
        (kind,) = groups
        said = node.get("type")
        return [{**node, "type": said if type(said) is str else kind}]
    shared = {key: node[key] for key in _constraints(node)}
    return [{**shared, "type": kind, "enum": values} for kind, values in groups.items()]


def _finite(node: Fragment, _speller: _Speller, _words: list[str], _path: str) -> Fragment:
    """A type says it all where an enum has every value of it."""
    values = node.get("enum", ())
    is_all = len(values) == _HOW_MANY[node["type"]]
    return {key: node[key] for key in node if key != "enum"} if is_all else node


_HOW_MANY = {"boolean": 2, "null": 1}


def _array(node: Fragment, speller: _Speller, words: list[str], _path: str) -> Fragment:
    """A tuple is an array of all its types; what stands where is said in words."""
    prefix, rest = node.get("prefixItems"), node.get("items", {})
    result = {key: value for key, value in node.items() if key not in ("prefixItems", "items")}
    if prefix:
        is_fixed = node.get("maxItems") == len(prefix) or rest is False
        types = [*prefix, *([] if is_fixed else [rest])]
        result["items"] = {"anyOf": types}
        if is_fixed:
            result["maxItems"] = len(prefix)
        is_counted = is_fixed and node.get("minItems") == len(prefix)
        is_lost = is_counted and "maxItems" not in speller.dialect.keywords
        if is_lost or any(each != types[0] for each in types):
            words.append(speller.words.tuple(node))
        if is_lost:  # the words have it
            del result["minItems"], result["maxItems"]
    elif node.get("maxItems") == 0:
        result["items"] = {"type": "string"}  # of which there is none
    else:
        result["items"] = rest
    return result


def _object(node: Fragment, speller: _Speller, words: list[str], path: str) -> Fragment:
    """A mapping is an object; what its keys and values are is said in words."""
    result = {key: value for key, value in node.items() if key not in _SPOKEN}
    _require_known(result, words)
    others = node.get("additionalProperties", True)
    is_mapping = type(others) is dict or "propertyNames" in node or "patternProperties" in node
    is_open = is_mapping or ("properties" not in node and others is not False)
    if speller.dialect.closed and is_open:
        reason = f"{speller.dialect.name} takes no object with any property; name the properties"
        speller.report(path, reason)
    if is_mapping:
        words.append(speller.words.others(node))
    elif others is False and not speller.dialect.closed:
        words.append("no other properties")
    return result


def _require_known(node: Fragment, words: list[str]) -> None:
    """Require only properties that there are: OpenAI refuses a name without a schema."""
    required, known = node.get("required", []), node.get("properties", {})
    if unknown := [name for name in required if name not in known]:
        node["required"] = [name for name in required if name in known]
        words.append(f"with {', '.join(unknown)}")


def _number(node: Fragment, speller: _Speller, _words: list[str], _path: str) -> Fragment:
    """An exclusive bound is an inclusive one, of integers exactly; the rest is said in words."""
    if not speller.dialect.keywords >= _BOUNDS or speller.dialect.keywords >= _EXACT_BOUNDS:
        return node
    result = dict(node)
    for exclusive, inclusive, step, narrower in _EXCLUSIVE:
        bound = node.get(exclusive)
        if bound is None:
            continue
        if node["type"] == "integer":
            del result[exclusive]
            bound = int(bound // step * step) + step
        result[inclusive] = narrower(bound, node.get(inclusive, bound))
    return result


_EXCLUSIVE: tuple[tuple[str, str, int, Callable[[Any, Any], Any]], ...] = (
    ("exclusiveMinimum", "minimum", 1, max),
    ("exclusiveMaximum", "maximum", -1, min),
)
_REWRITES: dict[str, Callable[[Fragment, _Speller, list[str], str], Fragment]] = {
    "array": _array,
    "boolean": _finite,
    "integer": _number,
    "null": _finite,
    "object": _object,
    "number": _number,
}

# -- values of keywords ------------------------------------------------------------------------


def _takes_enum(dialect: Dialect, _node: Fragment, values: list[Any]) -> bool:
    is_typed = all(json_type(value) in dialect.enums for value in values)
    return is_typed and (dialect.empty_strings or "" not in values)


def _takes_format(dialect: Dialect, node: Fragment, value: str) -> bool:
    return value in dialect.formats and "enum" not in node  # which says it all


def _takes_pattern(_dialect: Dialect, node: Fragment, value: str) -> bool:
    return _common_pattern(value) is not None and "enum" not in node


def _takes_bound(below: str, above: str) -> Callable[[Dialect, Fragment, float], bool]:
    """Whether a bound can be kept, and the one on its other side leaves anything.

    Grammars refuse what no value satisfies. Beyond 2**53, integers are not interoperable (RFC
    8259, section 6), and llguidance counts in 64 bits.
    """

    def takes(dialect: Dialect, node: Fragment, value: float) -> bool:
        if below == "minItems" and above not in dialect.keywords:
            return value <= 1  # Anthropic's strict mode
        is_empty = below in node and above in node and node[below] > node[above]
        return abs(value) < 2**53 and not is_empty

    return takes


_CHECKS: dict[str, Callable[[Dialect, Fragment, Any], bool]] = {
    "enum": _takes_enum,
    "format": _takes_format,
    "pattern": _takes_pattern,
    **dict.fromkeys(("minimum", "maximum"), _takes_bound("minimum", "maximum")),
    **dict.fromkeys(("minLength", "maxLength"), _takes_bound("minLength", "maxLength")),
    **dict.fromkeys(("minItems", "maxItems"), _takes_bound("minItems", "maxItems")),
}


def _described(node: Fragment, words: list[str]) -> Fragment:
    """A node whose description ends with these words."""
    said = "; ".join(dict.fromkeys(words))
    if said:
        text = node.get("description")
        node["description"] = f"{text} ({said})" if text else said
    return node


def _bare_null(arm: Fragment, words: list[str]) -> Fragment:
    """An arm of a union; the google-genai SDK fails at a null that has a description."""
    if arm.get("type") != "null" or "description" not in arm:
        return arm
    words.append(f"null: {arm['description']}")
    return {"type": "null"}


def _or_null(node: Fragment) -> Fragment:
    """A node, or null; the description goes to the union."""
    notes = {key: node[key] for key in _NOTES if key in node}
    inner = {key: node[key] for key in node if key not in _NOTES}
    arms = inner.get("anyOf", [inner])
    return simplify({"anyOf": [*arms, {"type": "null"}], **notes})


def _nullable(union: Fragment) -> Fragment:
    """A union with null as OpenAPI says it."""
    arms = [arm for arm in union.get("anyOf", ()) if arm != {"type": "null"}]
    if not arms or len(arms) == len(union["anyOf"]):
        return union
    notes = {key: union[key] for key in union if key != "anyOf"}
    if len(arms) > 1:
        return {"anyOf": arms, **notes, "nullable": True}
    words = [arms[0]["description"]] if "description" in arms[0] and "description" in notes else []
    return _described({**arms[0], **notes, "nullable": True}, words)


def _cyclic(bodies: dict[str, Fragment]) -> set[str]:
    """The definitions that lead to themselves."""
    targets = {name: _targets(body) for name, body in bodies.items()}
    return {name for name in bodies if name in _reachable(name, targets)}


def _targets(body: Fragment) -> set[str]:
    """The definitions that a definition refers to."""
    from milo_schema.json_schema.subschemas import subschemas_of

    found: set[str] = set()
    todo = [_plain(body)]
    while todo:
        node = todo.pop()
        found.add(str(node.get("$ref", "")).removeprefix("#/$defs/"))
        todo.extend(subschemas_of(node))
    return found


def _reachable(name: str, targets: dict[str, set[str]]) -> set[str]:
    """The definitions that a definition leads to."""
    found: set[str] = set()
    todo = [name]
    while todo:
        further = targets.get(todo.pop(), set()) - found
        found |= further
        todo.extend(further)
    return found


# -- regular expressions -----------------------------------------------------------------------

_PIECE = (
    r"\\[dw]|\\[^A-Za-z0-9]"  # \d and \w, which are respelled, and escaped punctuation
    r"|\[\^?(?:\\[dw]|\\[^A-Za-z0-9]|[^\\\[\]])+\]"  # a class
    r"|\((?:\?:|(?!\?))|\)|\|"  # groups, without names, lookaround and flags
    r"|(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})(?![?+])"  # quantifiers, neither lazy nor possessive
    r"|[^\\\[\](){}|^$*+?]"
)
_CLASSES = {"\\d": "0-9", "\\w": "A-Za-z0-9_"}


def _common_pattern(pattern: str) -> str | None:
    r"""A pattern in what ECMA-262, Python, Rust and RE2 agree on; ``None`` if it is not in it.

    It is anchored: outlines and llama.cpp match the whole string, where JSON Schema searches.
    ``\d`` and ``\w`` are ASCII in ECMA-262, but not everywhere.
    """
    import re

    inner = pattern[1:-1]
    pieces = re.findall(_PIECE, inner)
    if f"^{''.join(pieces)}$" != pattern or _has_outer_choice(pieces):
        return None
    return f"^{''.join(map(_respelled, pieces))}$"


def _has_outer_choice(pieces: list[str]) -> bool:
    depth = 0
    for piece in pieces:
        depth += (piece[0] == "(") - (piece == ")")
        if piece == "|" and not depth:
            return True
    return False


def _respelled(piece: str) -> str:
    if piece in _CLASSES:
        return f"[{_CLASSES[piece]}]"
    if piece[0] == "[":
        for name, characters in _CLASSES.items():
            piece = piece.replace(name, characters)
    return piece


# -- words -------------------------------------------------------------------------------------

_PHRASES = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "greater than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "length at least {}",
    "maxLength": "length at most {}",
    "minItems": "item count at least {}",
    "maxItems": "item count at most {}",
    "minProperties": "property count at least {}",
    "maxProperties": "property count at most {}",
    "uniqueItems": "no item twice",
    "contentEncoding": "encoded in {}",
    "pattern": "matches {}",
    "format": "format {}",
    "title": "{}",
    "description": "{}",
    "default": "default {}",
    "deprecated": "deprecated",
}
_BARE = frozenset({"pattern", "format", "contentEncoding", "title", "description"})
"""Their values are words themselves, and stand without quotes."""
_SUBSCHEMAS = {
    "not": "not {}",
    "contains": "contains {}",
    "propertyNames": "names: {}",
    "if": "if {}",
    "then": "then {}",
    "else": "else {}",
}
_LISTS = {"enum": "one of {}", "examples": "for example {}"}
_SHAPE = frozenset(
    {"type", "properties", "required", "items", "prefixItems", "additionalProperties", "$ref"}
    | {"propertyNames", "patternProperties", "anyOf", "oneOf", "enum", "$defs"}
)


MAX_WORDS = 2_000
"""How many characters a definition may take in a description; a longer one is only named."""


class _Words:
    """What schemas say, for people: ``[string, integer]``, ``{a: string, b?: integer}``."""

    def __init__(self, bodies: dict[str, Fragment]) -> None:
        self.bodies = bodies
        self._known: dict[tuple[str, int], str] = {}

    def say(self, node: Any, seen: Seen = ()) -> str:
        """A schema as a phrase."""
        node = _plain(node)
        if _is_nothing(node):
            return "nothing"
        silent = _SHAPE | ({"minItems", "maxItems"} if "prefixItems" in node else set())
        details = [self.keyword(key, node[key], seen) for key in node if key not in silent]
        details = [each for each in details if each]
        shape = self._shape(node, seen)
        return f"{shape} ({'; '.join(details)})" if details else shape

    def keyword(self, keyword: str, value: Any, seen: Seen = ()) -> str:
        """A keyword as a phrase."""
        if keyword.startswith("also "):
            return f"also {self.keyword(keyword[5:], value, seen)}"
        if keyword == "uniqueItems" and not value:
            return ""
        if keyword in _LISTS:
            return _LISTS[keyword].format(", ".join(map(_json, value)))
        if keyword in _SUBSCHEMAS:
            return _SUBSCHEMAS[keyword].format(self.say(value, seen))
        if keyword in _PHRASES:
            text = " ".join(str(value).split()) if keyword in _BARE else _json(value)
            return _PHRASES[keyword].format(text)
        return f"{keyword}: {_json(value)}"

    def others(self, node: Fragment) -> str:
        """The properties that have no name of their own."""
        shape = {key: node[key] for key in _OTHERS if key in node}
        said = self._object(shape, ())
        return f"other properties: {said}" if node.get("properties") else said

    def _shape(self, node: Fragment, seen: Seen) -> str:
        if "$ref" in node:
            return self._named(node["$ref"].removeprefix("#/$defs/"), seen)
        for union in ("anyOf", "oneOf"):
            if union in node:
                return " | ".join(self.say(arm, seen) for arm in node[union])
        if "enum" in node:
            return " | ".join(map(_json, node["enum"]))
        kinds = node.get("type", "anything")
        if type(kinds) is list:
            return " | ".join(kinds)
        if kinds == "array":
            return self.tuple(node, seen)
        return self._object(node, seen) if kinds == "object" else str(kinds)

    def _named(self, name: str, seen: Seen) -> str:
        """A definition; inside of itself, too far inside of others, or too long, its name."""
        if name in seen or name not in self.bodies or len(seen) > 1:
            return name
        known = name, len(seen)  # in what it is makes no difference: deeper down, all are named
        if known not in self._known:
            said = self.say(self.bodies[name], (*seen, name))
            self._known[known] = said if len(said) <= MAX_WORDS else name
        return self._known[known]

    def tuple(self, node: Fragment, seen: Seen = ()) -> str:
        """An array: what stands where, and ``...`` after what may be repeated."""
        prefix = node.get("prefixItems", [])
        said = [self.say(item, seen) for item in prefix]
        is_fixed = node.get("items") is False or node.get("maxItems") == len(prefix)
        if not is_fixed:
            said += [self.say(node.get("items", {}), seen), "..."]
        return f"[{', '.join(said)}]"

    def _object(self, node: Fragment, seen: Seen) -> str:
        required = node.get("required", ())
        said = [
            f"{name}{'' if name in required else '?'}: {self.say(below, seen)}"
            for name, below in node.get("properties", {}).items()
        ]
        for pattern, below in node.get("patternProperties", {}).items():
            said.append(f"string (matches {pattern}): {self.say(below, seen)}")
        others = node.get("additionalProperties")
        if type(others) is dict or "propertyNames" in node:
            names = self.say(_of_strings(node.get("propertyNames", {})), seen)
            said.append(f"{names}: {self.say({} if others is None else others, seen)}")
        return f"{{{', '.join(said)}}}" if said else "object"


def _of_strings(schema: Any) -> Fragment:
    """What describes names, which are strings without saying so."""
    names = _plain(schema)
    if "anyOf" in names:
        return {**names, "anyOf": [_of_strings(arm) for arm in names["anyOf"]]}
    return {"type": "string", **names}


_OTHERS = ("patternProperties", "propertyNames", "additionalProperties")


def _json(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


# -- limits ------------------------------------------------------------------------------------


def _check_limits(schema: Fragment, dialect: Dialect, report: Report) -> None:
    """Report the place where each limit is passed."""
    for limit in dialect.limits:
        total = 0
        for path, depth, node in _places(schema, "", 1):
            here = limit.measure(node, depth)
            total = total + here if limit.in_total else here
            if total > limit.most:
                reason = f"{dialect.name} takes at most {limit.most} {limit.what}; say less"
                report(path, reason)
                break


def _places(node: Fragment, path: str, depth: int) -> Iterator[tuple[str, int, Fragment]]:
    """Each subschema with its place and the number of objects around it, itself included."""
    yield path, depth, node
    below = depth + (node.get("type") == "object")
    for name, each in node.get("properties", {}).items():
        yield from _places(each, f"{path}.{name}", below)
    for each in node.get("anyOf", ()):
        yield from _places(each, path, depth)
    if "items" in node:
        yield from _places(node["items"], f"{path}[]", depth)
    for name, each in node.get("$defs", {}).items():
        yield from _places(each, f"{path}#{name}", 1)
