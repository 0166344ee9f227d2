"""Problems of finished schemas that validators do not find.

They are contradictions, misspelled keywords and formats, and invalid headers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from milo_schema.annotations import Json
from milo_schema.annotations.classes import closest, nearest
from milo_schema.json_schema.keywords import BOUNDS, FORMATS, KEYWORDS, strictest
from milo_schema.json_schema.subschemas import Found, Judged, located, steps_into
from milo_schema.json_schema.validation import iter_errors

CONTRADICTIONS = ("contradictory-bounds", "default-misfit", "example-misfit")
"""The codes of what contradicts itself."""


def problems_in(schema: Json, *, nulls: bool, judged: Judged, text: str) -> list[Found]:
    """Find where a schema contradicts itself, and the keywords and formats that are misspelled.

    Args:
        schema: A JSON Schema whose references are all local.
        nulls: Whether null in a default or an example means that no value was given.
        judged: What was found in other schemas.
        text: The ``repr()`` of the schema.

    Returns:
        The path of each, such as ``.items[].x``; its code; and the reason.
    """

    def look(path: str, node: Json) -> Iterator[Found]:
        yield from _contradictions(path, node, schema, nulls)
        yield from _misspelled_words(path, node)

    return judged.find(("problems", nulls), schema, text, look)


# -- contradictions ----------------------------------------------------------------------------


def contradictions(schema: Json, *, nulls: bool = False) -> list[Found]:
    """Find where a schema contradicts itself.

    Args:
        schema: A JSON Schema whose references are all local.
        nulls: Whether null in a default or an example means that no value was given.

    Returns:
        The path of each, such as ``.items[].x``; one of ``CONTRADICTIONS``; and the reason.

    Example:
        >>> from milo_schema.json_schema.problems import contradictions
        >>> contradictions({"type": "integer", "default": "5"})
        [('', 'default-misfit', 'its default does not fit: expected an integer, got "5"')]
    """
    return [each for at in located(schema) for each in _contradictions(*at, schema, nulls)]


def _contradictions(path: str, node: Json, root: Json, nulls: bool) -> Iterator[Found]:
    for names in _empty_ranges(node):
        bounds = " and ".join(KEYWORDS[name].phrase.format(node[name]) for name in names)
        yield path, "contradictory-bounds", f"no value is {bounds}; change one of them"
    for name, value in _values(node):
        if not (nulls and _has_null(value)):
            for below, why, *_ in iter_errors(value, node, root):
                yield path + below, f"{name}-misfit", f"its {name} does not fit: {why}"


def _empty_ranges(node: Json) -> Iterator[list[str]]:
    """The lower and upper limits, as keywords, that have no value between them."""
    if BOUNDS.keys().isdisjoint(node):  # as most are
        return
    whole = node.get("type") == "integer"
    for lowers, uppers in _RANGES:
        lower = strictest(node, lowers, 1, whole=whole)
        upper = strictest(node, uppers, -1, whole=whole)
        if lower is None or upper is None or lower[0] < -upper[0]:
            continue
        if lower[0] > -upper[0] or lower[1] or upper[1]:
            yield [name for name in (*lowers, *uppers) if name in node]


_RANGES = [
    [
        [name for name in BOUNDS if KEYWORDS[name].types == types and BOUNDS[name] is narrower]
        for narrower in (max, min)
    ]
    for types in dict.fromkeys(KEYWORDS[name].types for name in BOUNDS)
]
"""The keywords of lower and of upper limits for numbers, lengths, items and properties."""


def _values(node: Json) -> Iterator[tuple[str, Any]]:
    """The default and the examples of a schema, with a name for each."""
    if "default" in node:
        yield "default", node["default"]
    if type(examples := node.get("examples")) is list:
        yield from (("example", value) for value in examples)


def _has_null(value: Any) -> bool:
    """Whether a value, or a property in it, is null; items are not optional."""
    if type(value) is dict:
        return any(map(_has_null, value.values()))
    if type(value) is list:
        return any(_has_null(item) for item in value if item is not None)
    return value is None


# -- misspelled keywords and formats -----------------------------------------------------------
#
# JSON Schema permits unknown ones (Core, section 6.5), so a mistake has no effect.


def _misspelled_words(path: str, node: Json) -> Iterator[Found]:
    for name in node:
        is_known = name in KEYWORDS or name in OTHER_KEYWORDS or name.startswith("x-")
        if not is_known and (suggestion := nearest(name, KEYWORDS)):
            reason = f"{name!r} is not a keyword of JSON Schema{suggestion}"
            yield path, "unknown-keyword", reason
    written = node.get("format")
    if meant := _format_meant(written):
        reason = f"{written!r} is not a format of JSON Schema; did you mean {meant}?"
        yield path, "unknown-format", reason


def _format_meant(name: Any) -> str:
    """The format that was probably meant; empty for a known one, or one that resembles none."""
    if type(name) is not str or name in FORMATS:
        return ""
    word = "uri" if name == "url" else name.lower()
    if any(map(str.isdigit, word)) and word not in FORMATS:
        return ""  # "uuid4" and "uint32" are formats of others
    return closest(word, FORMATS, cutoff=0.8)


OTHER_KEYWORDS = frozenset(
    {
        *("additionalItems", "definitions", "dependencies", "divisibleBy", "id"),  # older drafts
        *("discriminator", "example", "externalDocs", "nullable", "xml"),  # OpenAPI 3
        *("enumNames", "propertyOrdering"),  # forms in browsers, Gemini
    }
)
"""The keywords of other vocabularies."""


# -- headers -----------------------------------------------------------------------------------
#
# An MCP client also sends a parameter with the keyword "x-mcp-header" as an HTTP header. It has to
# drop a tool that breaks one of the rules (MCP 2026-07-28, Custom Headers), so a mistake makes the
# tool vanish without a message.

HEADER = "x-mcp-header"

_TOKEN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~")
"""The characters of a token (RFC 9110, section 5.6.2)."""
_TYPES = ("string", "integer", "boolean")


def header_problems(schema: Json) -> Iterator[tuple[str, str]]:
    """Find the headers that MCP refuses.

    Args:
        schema: The schema of a tool's arguments.

    Yields:
        The path, such as ``.region``, and the reason.

    Example:
        >>> from milo_schema.json_schema.problems import header_problems
        >>> region = {"type": "number", "x-mcp-header": "Region"}
        >>> next(header_problems({"type": "object", "properties": {"region": region}}))[0]
        '.region'
    """
    places: dict[str, str] = {}
    for path, is_reachable, node in _subschemas(schema, "", True):
        if HEADER not in node:
            continue
        header = node[HEADER]
        if not is_reachable or not path:
            yield path, f"{HEADER} is only for a property of an object, at any depth; move it"
        elif problem := _mistake(header, node) or _risk(header, path, node):
            yield path, problem
        elif header.lower() in places:
            yield path, f"{HEADER} {header!r} is already used by {places[header.lower()]}"
        else:
            places[header.lower()] = path.removeprefix(".")


def _subschemas(schema: Json, path: str, is_reachable: bool) -> Iterator[tuple[str, bool, Json]]:
    """Each subschema with its path, and whether only ``properties`` keywords lead to it."""
    yield path, is_reachable, schema
    for keyword, step, each in steps_into(schema):
        yield from _subschemas(each, path + step, is_reachable and keyword == "properties")


def _mistake(header: Any, node: Json) -> str:
    """The problem with a header, or with the type of its property; empty if there is none."""
    kind = node.get("type")
    if type(header) is not str:
        return f"{HEADER} must be a string, not {header!r}"
    if not header or not _TOKEN.issuperset(header):
        return f"{HEADER} {header!r} is not a valid header name; use letters, digits, - and _"
    if type(kind) is not str or kind not in _TYPES:
        given = f", not {kind}" if type(kind) is str else " alone"
        return f"{HEADER} needs the type string, integer or boolean{given}"
    return ""


def _risk(header: str, path: str, node: Json) -> str:
    """Why a valid header is still a bad idea; empty if it is not."""
    names = (each.lower().replace("-", "_").rstrip('"]') for each in (f".{header}", path))
    if any(name.endswith(_SECRETS) for name in names):
        return f"{HEADER} shows a secret to proxies and logs; remove it"
    for keyword in _BOUNDS:
        bound: Any = node.get(keyword)
        if type(bound) in (int, float) and abs(bound) >= _UNSAFE:
            return f"{HEADER} is for integers up to 2^53 - 1, but {keyword!r} is {bound}"
    return ""


_SECRETS = (
    *("password", "passwd", "secret", "api_key", "apikey", "authorization"),
    *(".token", "access_token", "auth_token", "refresh_token"),  # but not page_token
)
"""The ends of the paths of parameters that a server should not send as headers (SEP-2243)."""
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_UNSAFE = 2**53
"""The first integer that not every client can write (RFC 8259, section 6)."""
