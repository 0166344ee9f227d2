"""Blocks of content, complete results and signals: what clients of MCP read directly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from milo_schema.annotations import Encoders, Json
from milo_schema.annotations.classes import USER_CODE_ERRORS, repr_of_error, static
from milo_schema.errors import SchemaError
from milo_schema.json_schema.values import serialized
from milo_schema.libraries import library
from milo_schema.nodes.base import Refused, encode, encoder_of, raise_refused
from milo_schema.nodes.scalars import PLAIN
from milo_schema.profile import Profile

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

_TO_BLOCK = ("to_image_content", "to_audio_content", "to_resource_content")
"""The methods of ``Image``, ``Audio`` and ``File`` of the MCP SDK and FastMCP."""

MAX_NESTING = 8
"""The deepest nesting of content in lists."""


# -- forms -------------------------------------------------------------------------------------


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


def _is_request(value: Any) -> bool:
    """Whether a JSON value is the result that asks the client for more input."""
    if type(value) is not dict or value.get("resultType") != "input_required":
        return False
    return "inputRequests" in value or "requestState" in value


def text(said: str) -> Json:
    """A block of text."""
    return {"type": "text", "text": said}


def to_text(json: Any) -> str:
    """A value as text for people: a string as it is, and an empty one for ``None``."""
    if json is None:
        return ""
    return json if type(json) is str else serialized(json)


def of_type(profile: Profile) -> Json:
    """The type of a result, if the profile has one."""
    return {} if profile.result_type is None else {"resultType": profile.result_type}


def success(profile: Profile, blocks: list[Json], *structured: Any) -> Json:
    """The result of a successful call, with structured content if there is any."""
    result = {**of_type(profile), "content": blocks}
    for each in structured:
        result["structuredContent"] = each
    return {**result, "isError": False}


# -- values ------------------------------------------------------------------------------------


def speaks_for_itself(value: Any, profile: Profile) -> bool:
    """Whether a value is content, a complete result or a signal, or a list that contains one."""
    return _has_content(value, profile, {}, MAX_NESTING)


def _has_content(value: Any, profile: Profile, known: dict[type, bool], depth: int) -> bool:
    """The same; whether a class is one of content is found out once."""
    kind = type(value)
    if id(kind) in PLAIN:
        return False
    if kind is dict:
        return is_content(value) or is_result(value) or _is_request(value)
    if kind is list or kind is tuple:
        return depth > 0 and any(_has_content(each, profile, known, depth - 1) for each in value)
    if kind not in known:
        known[kind] = profile.opaque_outputs.match(kind) or profile.output_signals.match(kind)
    return known[kind]


def whole_result(value: Any, profile: Profile) -> Json | None:
    """The value as a result or signal; ``None`` if it is neither."""
    if _is_request(value):
        return dict(value)
    if is_result(value):
        return {**of_type(profile), "isError": False, **value}
    if (said := _said_by_model(value)) is None:
        return None
    kind = type(value)
    json = {_SPELLED.get(key, key): each for key, each in said.items()}
    if profile.output_signals.match(kind):
        return json
    is_whole = is_result(json) or (profile.opaque_outputs.match(kind) and "content" in json)
    return {**of_type(profile), "isError": False, **json} if is_whole else None


def _said_by_model(value: Any) -> Json | None:
    """The JSON object of a model of pydantic's; a model may also be a list."""
    if id(type(value)) in PLAIN or (pydantic := library("pydantic")) is None:
        return None
    json = pydantic.to_json_without_none(value) if pydantic.is_instance(value) else None
    return json if type(json) is dict else None


def blocks_of(
    value: Any, place: str, profile: Profile, encoders: Encoders, to_json: ToJson
) -> list[Json]:
    """A value as blocks of content: its own blocks, and text blocks for everything else.

    Args:
        value: The return value of a tool.
        place: Where it is, such as ``find() -> result``.
        profile: The profile of its output.
        encoders: Functions that convert values of other classes, to content or to anything else.
        to_json: Converts a value that is not content to JSON; it also gets the path.
    """
    parts = _parts(_json(value, place, profile, encoders, to_json))
    return [part if is_content(part) else text(to_text(part)) for part in parts]


def unannotated(
    value: Any, place: str, profile: Profile, encoders: Encoders, to_json: ToJson
) -> list[Any]:
    """The blocks of a value without an output schema, and its structured content, if it has any."""
    json = _json(value, place, profile, encoders, to_json)
    parts = list(_parts(json))
    blocks = [part if is_content(part) else text(to_text(part)) for part in parts]
    is_alone = len(parts) == 1 and parts[0] is json and not is_content(json)
    return [blocks, json] if is_alone and _is_structured(json, profile) else [blocks]


def _is_structured(json: Any, profile: Profile) -> bool:
    """Whether a value without an output schema is structured content; a string is not."""
    if profile.structured == "schema" or json is None or type(json) is str:
        return False
    return profile.box is None or type(json) is dict  # a client that needs a box needs an object


def _json(
    value: Any,
    path: str,
    profile: Profile,
    encoders: Encoders,
    to_json: ToJson,
    depth: int = MAX_NESTING,
) -> Any:
    """A value as JSON; objects of an MCP library are written without their unset fields."""
    if encoders and (encoder := encoder_of(value, encoders)) is not None:
        encoded = encode(value, encoder, type(value))
        if type(encoded) is Refused:
            raise_refused(encoded, path)
        return _json(encoded, path, profile, {}, to_json, depth)
    if id(type(value)) in PLAIN:
        return to_json(value, path)
    value = _as_block(value, path, profile)
    pydantic = library("pydantic")
    if pydantic is not None and pydantic.is_instance(value):
        json = pydantic.to_json_without_none(value)
        if is_content(json):
            return json
    is_array = type(value) in (list, tuple) and depth > 0
    if is_array and any(id(type(each)) not in PLAIN for each in value):
        return [
            _json(each, f"{path}[{at}]", profile, encoders, to_json, depth - 1)
            for at, each in enumerate(value)
        ]
    return to_json(value, path)


def _as_block(value: Any, path: str, profile: Profile) -> Any:
    """The block of content that a helper such as ``Image`` makes of itself; or the value."""
    kind = type(value)
    method = next((name for name in _TO_BLOCK if static(kind, name) is not None), None)
    if method is None or not profile.opaque_outputs.match(kind):
        return value
    try:
        return getattr(value, method)()
    except USER_CODE_ERRORS as problem:  # it may read a file
        reason = f"{method}() raised {repr_of_error(problem)}"
        raise SchemaError(reason, path, kind, code="user-code") from problem


def _parts(json: Any) -> Iterator[Any]:
    """The parts of a value, if it can contain content."""
    if type(json) is list and any(map(is_content, parts := [p for e in json for p in _parts(e)])):
        yield from parts
    else:
        yield json
