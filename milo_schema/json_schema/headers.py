"""Parameters that an MCP client also sends as HTTP headers: ``x-mcp-header``.

A client has to drop a tool that breaks one of the rules (MCP 2026-07-28, Custom Headers), so a
mistake makes the tool vanish without a message.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Iterator, Json
from milo_schema.json_schema.places import steps_into

KEYWORD = "x-mcp-header"

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
        >>> from milo_schema.json_schema.headers import header_problems
        >>> region = {"type": "number", "x-mcp-header": "Region"}
        >>> next(header_problems({"type": "object", "properties": {"region": region}}))[0]
        '.region'
    """
    places: dict[str, str] = {}
    for path, is_reachable, node in _positions(schema):
        if KEYWORD not in node:
            continue
        header = node[KEYWORD]
        if not is_reachable or not path:
            yield path, f"{KEYWORD} is only for a property of an object, at any depth; move it"
        elif problem := _problem(header, node.get("type")):
            yield path, problem
        elif header.lower() in places:
            yield path, f"{KEYWORD} {header!r} is already used by {places[header.lower()]}"
        else:
            places[header.lower()] = path.removeprefix(".")


def _positions(schema: Json) -> Iterator[tuple[str, bool, Json]]:
    """Each subschema with its path, and whether only ``properties`` keywords lead to it."""
    todo = [("", True, schema)]
    while todo:
        path, is_reachable, node = todo.pop()
        yield path, is_reachable, node
        below = [
            (path + step, is_reachable and keyword == "properties", each)
            for keyword, step, each in steps_into(node)
        ]
        todo += reversed(below)


def _problem(header: Any, kind: Any) -> str:
    """The problem with a header, or with the type of its property; empty if there is none."""
    if type(header) is not str:
        return f"{KEYWORD} must be a string, not {header!r}"
    if not header or not _TOKEN.issuperset(header):
        return f"{KEYWORD} {header!r} is not a valid header name; use letters, digits, - and _"
    if type(kind) is not str or kind not in _TYPES:
        given = f", not {kind}" if type(kind) is str else " alone"
        return f"{KEYWORD} needs the type string, integer or boolean{given}"
    return ""
