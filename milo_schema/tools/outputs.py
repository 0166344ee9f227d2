"""The values that a tool returns, and how they become the results of its calls.

Blocks of content, complete results and signals are what clients of MCP read directly. Any other
value is JSON that the output schema describes; its text is a block of content.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from types import AsyncGeneratorType, GeneratorType
from typing import Any

from milo_schema import results
from milo_schema.annotations import Encoders, Json
from milo_schema.annotations.classes import static
from milo_schema.annotations.scopes import Scope
from milo_schema.errors import RESULT, SchemaError
from milo_schema.json_schema.validation import iter_errors
from milo_schema.json_schema.values import serialized
from milo_schema.libraries import library
from milo_schema.nodes import ToolSchema
from milo_schema.nodes.base import Refusal, encode, encoder_of, raise_refused, refuse_raised
from milo_schema.nodes.containers import ANYTHING
from milo_schema.nodes.scalars import PLAIN
from milo_schema.nodes.session import Session
from milo_schema.profile import Profile
from milo_schema.schemas.functions import Reading

_read_once = attrgetter("result")
_SPELLED = {"structured_content": "structuredContent", "is_error": "isError", "meta": "_meta"}
"""The keys of FastMCP's ``ToolResult``, and those of MCP."""
_TO_BLOCK = ("to_image_content", "to_audio_content", "to_resource_content")
"""The methods of ``Image``, ``Audio`` and ``File`` of the MCP SDK and FastMCP."""
MAX_NESTING = 8
"""The deepest nesting of content in lists."""


class ToolOutput:
    """The values that a tool returns, and how they become the results of calls.

    Args:
        tool: The tool.
        schema: Its output schema, in our form, if it has one.
        profile: The profile of its results.
        reading: Its function, as it was read; without one, the class of a value decides.
    """

    __slots__ = ("_box", "_path", "_profile", "_reading", "_schema")

    def __init__(
        self, tool: ToolSchema, schema: Json | None, profile: Profile, reading: Reading | None
    ) -> None:
        self._profile: Profile = profile.for_outputs
        self._reading: Reading | None = reading
        self._schema: Json | None = schema
        self._box: str | None = tool.box
        self._path: str = tool.name + RESULT

    def result(self, value: Any) -> results.ToolResult:
        """The result of a call that returned a value."""
        result = results.ToolResult(self._result(value))
        if (box := self._box) is not None:
            result._box = box  # noqa: SLF001 - only this class sets it
        return result

    def _result(self, value: Any) -> Json:
        profile, schema = self._profile, self._schema
        whole = whole_result(value, profile)
        if whole is not None:
            is_certain = type(value) is not dict or "isError" in value  # any other may be data
            if schema is None or is_certain:
                return self._checked(whole)
        if schema is None:
            return self._unannotated(value)
        blocks = None
        if _has_content(value, profile, {}, MAX_NESTING):
            blocks = self._blocks(_parts(self._json(value, self._path, profile.encoders)))
        try:
            json = self._to_json(value)
            structured = self._valid(json if self._box is None else {self._box: json}, schema)
        except SchemaError:
            if blocks is None:
                self._refuse_items(value)
                raise
            return self._success(blocks) if whole is None else self._checked(whole)
        if blocks is None:
            is_text = type(json) is str and profile.text == "plain"
            shown = structured if profile.text == "json" else json
            blocks = [results.text(json if is_text else serialized(shown))]
        return self._success(blocks, structured)

    def _success(self, blocks: list[Json], *structured: Any) -> Json:
        """The result of a successful call, with structured content if there is any."""
        result = {**results.of_type(self._profile), "content": blocks}
        for each in structured:
            result["structuredContent"] = each
        result["isError"] = False
        return result

    # -- structured content --------------------------------------------------------------------

    def _to_json(self, value: Any) -> Any:
        """The value as the function promises it, or by its class."""
        reading = self._reading
        if reading is None:
            return self._by_class(value, self._path)
        return results.dump_result(reading, _read_once, value, self._path)

    def _by_class(self, value: Any, path: str) -> Any:
        """The value at a path as JSON, by its class."""
        session = Session(self._profile, Scope(), path, output=True)
        if session.is_extended:  # the profile may describe any value
            return results.dump(value, Any, session.reader())
        return results.dump_node(value, ANYTHING, self._profile, session.reader, path)

    def _valid(self, content: Any, schema: Json) -> Any:
        """Structured content, if it matches the output schema."""
        for path, reason, *_ in iter_errors(content, schema):
            said = f"does not match the output schema: {reason}"
            raise SchemaError(said, self._path + path, code="unexpected-value")
        return content

    def _checked(self, whole: Json) -> Json:
        """A complete result, which must have what the output schema promises (MCP, Tool Result)."""
        if self._schema is None or whole.get("isError") or "content" not in whole:
            return whole
        if "structuredContent" not in whole:
            reason = "the result has no structuredContent, but the tool has an output schema"
            raise SchemaError(reason, self._path, code="unexpected-value")
        self._valid(whole["structuredContent"], self._schema)
        return whole

    def _refuse_items(self, value: Any) -> None:
        """Refuse a generator whose items are separate outputs: a call has only one."""
        profile = self._profile
        if profile.generators != "list" and type(value) in (GeneratorType, AsyncGeneratorType):
            reason = f"each item of a generator is a separate result under {profile!r}"
            way_out = "pass the items one by one, or use profile.replace(generators='list')"
            raise SchemaError(f"{reason}; {way_out}", self._path)

    # -- content -------------------------------------------------------------------------------

    def _unannotated(self, value: Any) -> Json:
        """The result without an output schema, which may have structured content all the same."""
        json = self._json(value, self._path, self._profile.encoders)
        parts = _parts(json)
        is_alone = parts[0] is json and not results.is_content(json)
        structured = [json] if is_alone and self._is_structured(json) else []
        return self._success(self._blocks(parts), *structured)

    def _is_structured(self, json: Any) -> bool:
        """Whether a value without an output schema is structured content; a string is not."""
        if self._profile.structured == "schema" or json is None or type(json) is str:
            return False
        # A client that needs a box needs an object.
        return self._profile.box is None or type(json) is dict

    def _blocks(self, parts: Iterable[Any]) -> list[Json]:
        """Each part as a block; ``None`` has none, unless the profile always wants text."""
        is_kept = self._profile.text == "always"
        said = [part for part in parts if part is not None or is_kept]
        return [part if results.is_content(part) else results.text(_to_text(part)) for part in said]

    def _json(self, value: Any, path: str, encoders: Encoders, depth: int = MAX_NESTING) -> Any:
        """A value as JSON; objects of an MCP library are written without their unset fields."""
        if encoders and (encoder := encoder_of(value, encoders)) is not None:
            encoded = encode(value, encoder, type(value))
            if type(encoded) is Refusal:
                raise_refused(encoded, path)
            return self._json(encoded, path, {}, depth)
        if id(type(value)) in PLAIN:
            return self._by_class(value, path)
        value = self._as_block(value, path)
        pydantic = library("pydantic")
        if pydantic is not None and pydantic.is_instance(value):
            json = pydantic.to_json_without_none(value)
            if results.is_content(json):
                return json
        is_array = type(value) in (list, tuple) and depth > 0
        if is_array and any(id(type(each)) not in PLAIN for each in value):
            return [
                self._json(each, f"{path}[{at}]", encoders, depth - 1)
                for at, each in enumerate(value)
            ]
        return self._by_class(value, path)

    def _as_block(self, value: Any, path: str) -> Any:
        """The block of content that a helper such as ``Image`` makes of itself; or the value."""
        kind = type(value)
        method = next((name for name in _TO_BLOCK if static(kind, name) is not None), None)
        if method is None or not self._profile.class_sets["opaque_outputs"].match(kind):
            return value
        try:
            return getattr(value, method)()
        except Exception as problem:  # it may read a file
            raise_refused(refuse_raised(f"{method}()", problem, kind), path)


# -- values that speak for themselves --------------------------------------------------------------


def _has_content(value: Any, profile: Profile, known: dict[type, bool], depth: int) -> bool:
    """Whether a value is content, a complete result or a signal, or a list that contains one.

    Whether a class is one of content is found out once.
    """
    kind = type(value)
    if id(kind) in PLAIN:
        return False
    if kind is dict or kind is results.ToolResult:
        return results.is_content(value) or results.is_result(value) or _is_request(value)
    if kind is list or kind is tuple:
        return depth > 0 and any(_has_content(each, profile, known, depth - 1) for each in value)
    if kind not in known:
        sets = profile.class_sets
        known[kind] = sets["opaque_outputs"].match(kind) or sets["output_signals"].match(kind)
    return known[kind]


def whole_result(value: Any, profile: Profile) -> Json | None:
    """The value as a result or signal; ``None`` if it is neither."""
    if isinstance(value, dict):
        if _is_request(value):
            return dict(value)
        if results.is_result(value):
            return {**results.of_type(profile), "isError": False, **value}
    if (said := _said_by_model(value)) is None:
        return None
    kind = type(value)
    json = {_SPELLED.get(key, key): each for key, each in said.items()}
    if profile.class_sets["output_signals"].match(kind):
        return json
    is_opaque = profile.class_sets["opaque_outputs"].match(kind)
    is_whole = results.is_result(json) or (is_opaque and "content" in json)
    return {**results.of_type(profile), "isError": False, **json} if is_whole else None


def _is_request(value: Json) -> bool:
    """Whether a JSON object is the result that asks the client for more input."""
    if value.get("resultType") != "input_required":
        return False
    return "inputRequests" in value or "requestState" in value


def _said_by_model(value: Any) -> Json | None:
    """The JSON object of a model of pydantic's; a model may also be a list."""
    if id(type(value)) in PLAIN or (pydantic := library("pydantic")) is None:
        return None
    json = pydantic.to_json_without_none(value) if pydantic.is_instance(value) else None
    return json if type(json) is dict else None


def _parts(json: Any) -> list[Any]:
    """The parts of a value, if it contains content; otherwise the value itself."""
    parts = [part for each in json for part in _parts(each)] if type(json) is list else []
    return parts if any(map(results.is_content, parts)) else [json]


def _to_text(json: Any) -> str:
    """A value as text for people: a string as it is, and an empty one for ``None``."""
    if json is None:
        return ""
    return json if type(json) is str else serialized(json)
