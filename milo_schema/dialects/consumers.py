"""The table of dialects: the part of JSON Schema that each consumer accepts, and its limits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from milo_schema.annotations import Fragment
from milo_schema.annotations.frozen import Frozen
from milo_schema.json_schema.patterns import common_pattern
from milo_schema.json_schema.subschemas import quote, step_to
from milo_schema.json_schema.values import json_type

Check = Callable[["Dialect", Fragment, Any], bool]
Report = Callable[[str, str], None]
Place = tuple[Any, str | None]
"""A place and the name of a property at it, or ``None`` for items; first ``None`` and a path."""


class Depth(NamedTuple):
    """How deep a node is: the objects, and all schemas, around it, including itself."""

    objects: int
    levels: int


Node = tuple[Place, Depth, Fragment]


class Limit(Frozen):
    """A limit of a consumer.

    Attributes:
        what: What is counted.
        most: The highest number that is allowed.
        measure: Counts it in a node, given how deep that is.
        scope: Which nodes count together: ``"node"``, each alone; ``"part"``, those of the root,
            and those of each definition; ``"schema"``, all of them; or ``"request"``, those of the
            roots of all tools in a request.
    """

    what: str
    most: int
    measure: Callable[[Fragment, Depth], int]
    scope: str = "schema"


class Dialect(Frozen):
    """The part of JSON Schema that a consumer accepts.

    Attributes:
        name: Its name in messages.
        keywords: The keywords that it supports, apart from those of the structure.
        formats: The formats that it supports.
        enums: The JSON types that an enum may have.
        names: A regular expression for the names of parameters; if empty, any name is allowed.
            The names of nested properties are not limited.
        closed: Whether every object is closed, so that there are no mappings.
        all_required: Whether every property is required; an optional one may be null.
        nullable: Whether null is written as ``nullable``, beside a type; a union has no siblings.
        references: The references that it supports: ``"all"``; ``"finite"``, without recursion;
            ``"optional"``, with recursion only through optional properties; or ``"none"``.
        empty_strings: Whether an enum may contain an empty string.
        typed_items: Whether every array must have the schema of its items.
        limits: Its limits of size.
        forms: The wire forms that its tools are written in.
    """

    name: str
    keywords: frozenset[str]
    formats: frozenset[str]
    enums: frozenset[str]
    names: str = ""
    closed: bool = False
    all_required: bool = False
    nullable: bool = False
    references: str = "all"
    empty_strings: bool = True
    typed_items: bool = False
    limits: tuple[Limit, ...] = ()
    forms: tuple[str, ...] = ()

    @property
    def request_limits(self) -> list[Limit]:
        """The limits of the tools in a request together."""
        return [limit for limit in self.limits if limit.scope == "request"]

    def takes(self, node: Fragment, keyword: str, value: Any) -> bool:
        """Whether it supports a keyword with this value, beside the others of a node."""
        check = _CHECKS.get(keyword)
        return keyword in self.keywords and (check is None or check(self, node, value))

    def problem_of_object(self, node: Fragment) -> str:
        """The reason why it refuses an object; empty if it does not."""
        if node.get("type") != "object":
            return ""
        if self.closed and node.get("additionalProperties") is not False:
            return "needs 'additionalProperties': false in every object"
        optional = [*node.get("properties", {})] if self.all_required else []
        if missing := [name for name in optional if name not in node.get("required", ())]:
            return f"needs every property to be required, and {quote(missing[0])} is not"
        return ""


# -- values of keywords ------------------------------------------------------------------------


def _takes_enum(dialect: Dialect, _node: Fragment, values: list[Any]) -> bool:
    is_typed = all(json_type(value) in dialect.enums for value in values)
    return is_typed and (dialect.empty_strings or "" not in values)


def _takes_bound(below: str, above: str) -> Check:
    """A check for a bound: a consumer can handle its value, and some value satisfies it.

    Grammars refuse bounds that no value satisfies. Beyond 2**53, integers are not interoperable
    (RFC 8259, section 6), and llguidance uses 64 bits.
    """

    def takes(dialect: Dialect, node: Fragment, value: Any) -> bool:
        if above not in dialect.keywords:
            return bool(value <= 1)  # minItems in Anthropic's strict mode
        is_empty = below in node and above in node and node[below] > node[above]
        return abs(value) < 2**53 and not is_empty

    return takes


def _takes_names(_dialect: Dialect, node: Fragment, names: Any) -> bool:
    known = node.get("properties", {})
    return type(names) is list and all(type(name) is str and name in known for name in names)


_CHECKS: dict[str, Check] = {
    "enum": _takes_enum,
    "propertyOrdering": _takes_names,
    # An enum implies the format, and the pattern.
    "format": lambda dialect, node, value: value in dialect.formats and "enum" not in node,
    "pattern": lambda _, node, value: common_pattern(value) is not None and "enum" not in node,
    **dict.fromkeys(("minimum", "maximum"), _takes_bound("minimum", "maximum")),
    **dict.fromkeys(("minLength", "maxLength"), _takes_bound("minLength", "maxLength")),
    **dict.fromkeys(("minItems", "maxItems"), _takes_bound("minItems", "maxItems")),
}
"""Whether a dialect supports a value of a keyword; it supports any value of other keywords."""

# -- limits of size ----------------------------------------------------------------------------


def check_limits(schema: Fragment, name: str, limits: Collection[Limit], report: Report) -> None:
    """Report the place where each limit of a consumer with this name is exceeded."""
    parts = _parts(schema) if limits else []
    for limit in limits:
        if (place := _over(parts, limit)) is not None:
            reason = f"{name} allows at most {limit.most} {limit.what}"
            report(_path_of(place), f"{reason}; simplify the type")


def _over(parts: list[list[Node]], limit: Limit) -> Place | None:
    """The place of the first node that exceeds a limit, counting the nodes before it."""
    measure, most, is_alone = limit.measure, limit.most, limit.scope == "node"
    for group in _groups(parts, limit.scope):
        total = 0
        for place, depth, node in group:
            total = measure(node, depth) + (0 if is_alone else total)
            if total > most:
                return place
    return None


def over_limits(
    schemas: Iterable[Fragment], limits: Collection[Limit]
) -> Iterator[tuple[int, Limit]]:
    """The positions of schemas that exceed a limit of the request, with the limit."""
    totals = [0] * len(limits)
    for at, schema in enumerate(schemas):
        sizes = sizes_in_request(schema, limits)
        sums = [total + size for total, size in zip(totals, sizes, strict=True)]
        over = [each for total, each in zip(sums, limits, strict=True) if total > each.most]
        if over:
            yield at, over[0]
        else:
            totals = sums


def sizes_in_request(schema: Fragment, limits: Iterable[Limit]) -> list[int]:
    """How much a schema adds to each limit of the request."""
    root = _parts(schema)[0]
    return [sum(limit.measure(node, depth) for _, depth, node in root) for limit in limits]


def _parts(schema: Fragment) -> list[list[Node]]:
    """The nodes of the root, then those of each definition."""
    bodies = {"": schema} | {f"#{name}": body for name, body in schema.get("$defs", {}).items()}
    parts: list[list[Node]] = []
    for path, body in bodies.items():
        parts.append([])
        _collect(parts[-1], body, (None, path), Depth(1, 1))
    return parts


def _groups(parts: list[list[Node]], scope: str) -> list[list[Node]]:
    """The groups of nodes that count together, or each alone."""
    if scope == "schema":
        return [[*chain.from_iterable(parts)]]
    return parts[:1] if scope == "request" else parts


def _collect(found: list[Node], node: Fragment, place: Place, depth: Depth) -> None:
    """Add each subschema with its place and its depth."""
    found.append((place, depth, node))
    inner = Depth(depth.objects, depth.levels + 1)
    if properties := node.get("properties"):
        in_object = Depth(depth.objects + (node.get("type") == "object"), inner.levels)
        for name, subschema in properties.items():
            _collect(found, subschema, (place, name), in_object)
    for branch in node.get("anyOf", ()):
        _collect(found, branch, place, inner)
    if "items" in node:
        _collect(found, node["items"], (place, None), inner)


def _path_of(place: Place) -> str:
    """The path of a place: ``.x[]``."""
    steps: list[str] = []
    around, name = place
    while around is not None:
        steps.append("[]" if name is None else step_to(name))
        around, name = around
    return "".join((str(name), *reversed(steps)))


def _union_properties(node: Fragment, _depth: Depth) -> int:
    every = node.get("properties", {}).values()
    return sum("anyOf" in each or type(each.get("type")) is list for each in every)


def _enum_characters(node: Fragment, _depth: Depth) -> int:
    enum = node.get("enum", ())
    return sum(len(str(value)) for value in enum) if len(enum) > _MANY else 0


def _all_characters(node: Fragment, _depth: Depth) -> int:
    values = [value for value in node.get("enum", ()) if type(value) is str]
    return sum(map(len, [*node.get("properties", ()), *node.get("$defs", ()), *values]))


def _max_items(node: Fragment, _depth: Depth) -> int:
    found: int = node.get("maxItems", 0)
    return found


def _levels(_node: Fragment, depth: Depth) -> int:
    return depth.levels


_MANY = 250

# -- the table ---------------------------------------------------------------------------------

_BASIC = frozenset({"type", "description", "enum", "items", "properties", "required", "anyOf"})
_LENGTHS = frozenset({"minLength", "maxLength", "minItems", "maxItems"})
_BOUNDS = frozenset({"minimum", "maximum"})
_EXACT_BOUNDS = frozenset({"exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_OPENAI_FORMATS = frozenset(
    {"date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)
_SCALARS = frozenset({"string", "integer", "number", "boolean", "null"})
_NUMBERS = frozenset({"integer", "number"})
_MAX_ITEMS = Limit("items in the sum of all maxItems", 960, _max_items)
_OF_GEMINI = r"[A-Za-z_][A-Za-z0-9_]{0,63}"  # types.FunctionDeclaration, the narrowest
_OF_ANTHROPIC = r"[A-Za-z0-9_.-]{1,64}"  # the Messages API, and Bedrock's Converse API

PORTABLE = Dialect(
    name="the portable subset",
    keywords=_BASIC | _LENGTHS | _BOUNDS | {"default", "format", "pattern", "x-mcp-header"},
    formats=frozenset({"date-time", "date", "time", "email", "uuid"}),
    enums=frozenset({"string"}),
    names=_OF_GEMINI,
    empty_strings=False,
    typed_items=True,
    limits=(
        Limit("levels of schemas", 10, _levels, scope="node"),  # Moonshot
        _MAX_ITEMS,
    ),
    forms=("mcp", "openai", "anthropic", "gemini", "bedrock"),
)
"""The subset that every known client accepts without dropping anything."""

OPENAI_STRICT = Dialect(
    name="OpenAI's strict mode",
    keywords=_BASIC | _LENGTHS | _BOUNDS | _EXACT_BOUNDS | {"format", "pattern"},
    formats=_OPENAI_FORMATS,
    enums=_SCALARS,
    closed=True,
    all_required=True,
    typed_items=True,
    limits=(
        Limit("properties", 5_000, lambda node, _: len(node.get("properties", ())), scope="part"),
        Limit(
            "levels of objects",
            10,
            lambda node, depth: depth.objects * (node.get("type") == "object"),
            scope="node",
        ),
        Limit("characters in names and enums", 120_000, _all_characters),
        Limit("enum values", 1_000, lambda node, _: len(node.get("enum", ()))),
        Limit("characters in one enum of more than 250", 15_000, _enum_characters, scope="node"),
    ),
    forms=("openai",),
)
"""OpenAI's structured outputs: an optional property is required, but may be null."""

ANTHROPIC_STRICT = Dialect(
    name="Anthropic's strict mode",
    keywords=_BASIC | {"format", "minItems", "pattern"},
    formats=_OPENAI_FORMATS | {"uri"},
    enums=_SCALARS,
    names=_OF_ANTHROPIC,
    closed=True,
    references="finite",
    limits=(
        Limit("tools", 20, lambda _, depth: depth.levels == 1, scope="request"),
        Limit(
            "optional properties",
            24,
            lambda node, _: len(node.get("properties", ())) - len(node.get("required", ())),
            scope="request",
        ),
        Limit("properties that are unions", 16, _union_properties, scope="request"),
    ),
    forms=("anthropic",),
)
"""Anthropic's strict tools: closed objects and hardly any constraints."""

BEDROCK_STRICT = ANTHROPIC_STRICT.replace(
    name="Bedrock's strict mode",
    keywords=ANTHROPIC_STRICT.keywords | {"minLength", "maxLength"},
    forms=("bedrock",),
)
"""Strict tools of Bedrock's Converse API: as for Anthropic, with limits for strings."""

GEMINI_JSON = Dialect(
    name="Gemini's JSON Schema",
    keywords=_BASIC
    | _BOUNDS
    | {"additionalProperties", "format", "maxItems", "minItems", "prefixItems", "propertyOrdering"},
    formats=frozenset({"date-time"}),  # other formats are undocumented
    enums=_NUMBERS | {"string"},
    names=_OF_GEMINI,
    references="optional",
    empty_strings=False,
    limits=(_MAX_ITEMS,),
    forms=("gemini",),
)
"""The ``parametersJsonSchema`` of a Gemini function declaration, without ignored keywords."""

GEMINI = Dialect(
    name="Gemini",
    keywords=_BASIC
    | _LENGTHS
    | _BOUNDS
    | {"default", "format", "nullable", "pattern", "propertyOrdering"},
    formats=frozenset({"date-time"}),  # gemini-cli #3178: "only 'enum' and 'date-time'"
    enums=frozenset({"string"}),
    names=_OF_GEMINI,
    nullable=True,
    references="none",
    empty_strings=False,
    limits=(_MAX_ITEMS,),
    forms=("gemini",),
)
"""The ``parameters`` of a Gemini function declaration: a part of OpenAPI's schema object."""

ELICITATION = Dialect(
    name="MCP's elicitation",
    keywords=(_BASIC - {"anyOf"}) | _LENGTHS | _BOUNDS | {"default", "format", "title"},
    formats=frozenset({"date", "date-time", "email", "uri"}),
    enums=frozenset({"string"}),
    references="none",
)
"""A field of a form that an MCP client shows to its user; see the module ``elicitation``."""

DIALECTS: dict[str, Dialect] = {
    "portable": PORTABLE,
    "openai_strict": OPENAI_STRICT,
    "anthropic_strict": ANTHROPIC_STRICT,
    "bedrock_strict": BEDROCK_STRICT,
    "gemini_json": GEMINI_JSON,
    "gemini": GEMINI,
    "elicitation": ELICITATION,
}
"""The dialects by the names that profiles and tools use."""
