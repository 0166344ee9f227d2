"""What a client of MCP reads as it is: blocks of content, whole results, and signals."""

from __future__ import annotations

from milo_schema.annotations.classes import mro
from milo_schema.libraries import library
from milo_schema.schemas.walk import FRAGMENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from milo_schema.profiles import Profile

    Json = dict[str, Any]
    ToJson = Callable[[Any, str], Any]
    Encoders = Mapping[Any, Callable[[Any], Any]]

_RESULT_KEYS = frozenset({"content", "isError", "structuredContent", "resultType", "_meta"})
_BLOCKS: dict[Any, tuple[str, ...]] = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("name", "uri"),
    "resource": ("resource",),
}
"""The types of content blocks, and what each of them needs."""

MAX_NESTING = 8
"""How deep content may lie in lists."""


def is_result(value: Any) -> bool:
    """Whether a JSON value has the canonical shape of a ``tools/call`` result.

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
    """Whether a value is content, a whole result or a signal, or a list that has some of it."""
    kind = type(value)
    if id(kind) in FRAGMENTS:
        return False
    if kind is dict:
        return is_content(value) or is_result(value)
    if kind is list or kind is tuple:
        return depth > 0 and any(speaks_for_itself(each, profile, depth - 1) for each in value)
    return profile.opaque_outputs.have(kind) or profile.output_signals.have(kind)


def whole_result(value: Any, profile: Profile) -> Json | None:
    """The result or signal that a value is; ``None`` if it is neither."""
    if is_result(value):
        return {"isError": False, **value}
    kind = type(value)
    if id(kind) in FRAGMENTS or (pydantic := library("pydantic")) is None:
        return None
    if not pydantic.is_instance(value):
        return None
    json: Json = pydantic.without_none(value)
    if profile.output_signals.have(kind):
        return json
    is_whole = is_result(json) or (profile.opaque_outputs.have(kind) and "content" in json)
    return {"isError": False, **json} if is_whole else None


def blocks_of(value: Any, encoders: Encoders, to_json: ToJson) -> list[Json]:
    """A value as blocks of content: those that it is or has, and text for everything else.

    Args:
        value: What a tool gave back.
        encoders: What makes content, or something else, of the values of other classes.
        to_json: Makes JSON of what is not content; it is given the place, too.
    """
    parts = _parts(_json(value, "", encoders, to_json))
    return [part if is_content(part) else text(to_text(part)) for part in parts]


def _json(value: Any, path: str, encoders: Encoders, to_json: ToJson) -> Any:
    """A value in JSON; the objects of an MCP library without what they do not say."""
    if encoders and (encode := encoder_of(value, encoders)) is not None:
        return _json(encode(value), path, {}, to_json)
    pydantic = library("pydantic")
    if pydantic is not None and pydantic.is_instance(value):
        json = pydantic.without_none(value)
        if is_content(json):
            return json
    is_array = type(value) in (list, tuple) and path.count("[") < MAX_NESTING
    if is_array and any(id(type(each)) not in FRAGMENTS for each in value):
        items = enumerate(value)
        return [_json(each, f"{path}[{at}]", encoders, to_json) for at, each in items]
    return to_json(value, path)


def encoder_of(value: Any, encoders: Encoders) -> Callable[[Any], Any] | None:
    """The encoder of the nearest class of a value; ``None`` if there is none."""
    return next((encoders[base] for base in mro(type(value))[:-1] if base in encoders), None)


def _parts(json: Any) -> Iterator[Any]:
    """What a value is made of, as far as there is content in it."""
    if type(json) is list and any(map(is_content, parts := [p for e in json for p in _parts(e)])):
        yield from parts
    else:
        yield json


def to_text(json: Any) -> str:
    """What a person reads: text as it is, nothing for nothing."""
    if json is None:
        return ""
    return json if type(json) is str else serialized(json)


def serialized(json: Any) -> str:
    """A JSON value as text."""
    from json import dumps

    return dumps(json, ensure_ascii=False, allow_nan=False)
