"""Values that MCP clients read directly: content blocks, whole results, and signals."""

from __future__ import annotations

from milo_schema.annotations import Any, Callable, Encoders, Iterator, Json
from milo_schema.annotations.classes import mro
from milo_schema.libraries import library
from milo_schema.profile import Profile
from milo_schema.schemas.walk import FRAGMENTS

ToJson = Callable[[Any, str], Any]

_RESULT_KEYS = frozenset({"content", "isError", "structuredContent", "resultType", "_meta"})
_SPELLED = {"structured_content": "structuredContent", "is_error": "isError", "meta": "_meta"}
"""The keys of FastMCP's ``ToolResult``, and those of MCP."""

_BLOCKS: dict[Any, tuple[str, ...]] = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("name", "uri"),
    "resource": ("resource",),
}
"""The types of content blocks, and the keys that each requires."""

MAX_NESTING = 8
"""The deepest nesting of content in lists."""


def is_result(value: Any) -> bool:
    """Whether a JSON value has the form of a ``tools/call`` result.

    Example:
        >>> from milo_schema.results import error_result, is_result
        >>> is_result(error_result("no")), is_result({"content": None})
        (True, False)
    """
    if type(value) is not dict or not value.keys() <= _RESULT_KEYS:
        return False
    is_said = type(value.get("isError", False)) is bool
    content = value.get("content")
    return is_said and type(content) is list and all(map(is_content, content))


def is_content(value: Any) -> bool:
    """Whether a JSON value is a block of content."""
    if type(value) is not dict or type(kind := value.get("type")) is not str:
        return False
    return kind in _BLOCKS and all(key in value for key in _BLOCKS[kind])


def text(said: str) -> Json:
    """A block of text."""
    return {"type": "text", "text": said}


def speaks_for_itself(value: Any, profile: Profile, depth: int = MAX_NESTING) -> bool:
    """Whether a value is content, a whole result or a signal, or a list that contains one."""
    kind = type(value)
    if id(kind) in FRAGMENTS:
        return False
    if kind is dict:
        return is_content(value) or is_result(value)
    if kind is list or kind is tuple:
        return depth > 0 and any(speaks_for_itself(each, profile, depth - 1) for each in value)
    return profile.opaque_outputs.have(kind) or profile.output_signals.have(kind)


def whole_result(value: Any, profile: Profile) -> Json | None:
    """The value as a result or signal; ``None`` if it is neither."""
    if is_result(value):
        return {"isError": False, **value}
    kind = type(value)
    if id(kind) in FRAGMENTS or (pydantic := library("pydantic")) is None:
        return None
    if not pydantic.is_instance(value):
        return None
    said = pydantic.to_json_without_none(value)
    json: Json = {_SPELLED.get(key, key): each for key, each in said.items()}
    if profile.output_signals.have(kind):
        return json
    is_whole = is_result(json) or (profile.opaque_outputs.have(kind) and "content" in json)
    return {"isError": False, **json} if is_whole else None


def blocks_of(value: Any, encoders: Encoders, to_json: ToJson) -> list[Json]:
    """A value as blocks of content: its own blocks, and text blocks for everything else.

    Args:
        value: The return value of a tool.
        encoders: Functions that convert values of other classes, to content or to anything else.
        to_json: Converts a value that is not content to JSON; it also gets the path.
    """
    parts = _parts(_json(value, "", encoders, to_json))
    return [part if is_content(part) else text(to_text(part)) for part in parts]


def _json(value: Any, path: str, encoders: Encoders, to_json: ToJson) -> Any:
    """A value as JSON; objects of an MCP library are written without their unset fields."""
    if encoders and (encode := encoder_of(value, encoders)) is not None:
        return _json(encode(value), path, {}, to_json)
    pydantic = library("pydantic")
    if pydantic is not None and pydantic.is_instance(value):
        json = pydantic.to_json_without_none(value)
        if is_content(json):
            return json
    is_array = type(value) in (list, tuple) and path.count("[") < MAX_NESTING
    if is_array and any(id(type(each)) not in FRAGMENTS for each in value):
        items = enumerate(value)
        return [_json(each, f"{path}[{at}]", encoders, to_json) for at, each in items]
    return to_json(value, path)


def encoder_of(value: Any, encoders: Encoders) -> Callable[[Any], Any] | None:
    """The encoder for the class of a value, or for the nearest base class, or ``None``."""
    return next((encoders[base] for base in mro(type(value))[:-1] if base in encoders), None)


def _parts(json: Any) -> Iterator[Any]:
    """The parts of a value, if it can contain content."""
    if type(json) is list and any(map(is_content, parts := [p for e in json for p in _parts(e)])):
        yield from parts
    else:
        yield json


def to_text(json: Any) -> str:
    """A value as text for people: a string as it is, and an empty one for ``None``."""
    if json is None:
        return ""
    return json if type(json) is str else serialized(json)


def serialized(json: Any) -> str:
    """A JSON value as text."""
    from json import dumps

    return dumps(json, ensure_ascii=False, allow_nan=False)
