"""Convert returned values to the JSON of an output schema, and to ``tools/call`` results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from types import AsyncGeneratorType, GeneratorType
from typing import Any

from milo_schema.annotations import Encoders, Json, Names
from milo_schema.annotations.classes import MISSING, static
from milo_schema.annotations.forms import display
from milo_schema.annotations.scopes import Scope
from milo_schema.errors import SchemaError, add_location
from milo_schema.json_schema.validation import is_valid, iter_errors
from milo_schema.json_schema.values import serialized
from milo_schema.libraries import library
from milo_schema.nodes.base import (
    Dumping,
    Node,
    Refusal,
    encode,
    encoder_of,
    raise_refused,
    refuse_raised,
)
from milo_schema.nodes.containers import ANYTHING, STREAMS, Array
from milo_schema.nodes.forward import Reader, ToolSchema
from milo_schema.nodes.scalars import PLAIN
from milo_schema.nodes.session import Session
from milo_schema.profile import MCP, MILO, Profile
from milo_schema.schemas.functions import Options, Reading
from milo_schema.schemas.outputs import Result, read_result

__all__ = ["ToolResult", "error_result", "is_result", "return_to_json", "value_to_json"]

# -- content -------------------------------------------------------------------------------------
#
# Blocks of content, complete results and signals: what clients of MCP read directly.

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


class ToolResult(dict[str, Any]):
    """The result of a tool call: the JSON object of MCP, and what a program reads in it.

    Example:
        >>> from milo_schema import tool_schema
        >>> def double(n: int) -> int:
        ...     return 2 * n
        >>> result = tool_schema(double).call({"n": 21})
        >>> result
        {'resultType': 'complete', 'content': [{'type': 'text', 'text': '42'}], \
'structuredContent': 42, 'isError': False}
        >>> result.value, result.text, result.is_error
        (42, '42', False)
    """

    _box: str | None = None
    """The property of the structured content that contains the value, if there is one."""

    @property
    def text(self) -> str:
        """The text of all text blocks, which the model reads, one below the other."""
        blocks = self.get("content", ())
        return "\n".join(each["text"] for each in blocks if each.get("type") == "text")

    @property
    def value(self) -> Any:
        """The structured content, out of its box; ``None`` if there is none."""
        content = self.get("structuredContent")
        if self._box is None or type(content) is not dict:
            return content
        return content.get(self._box, content)

    @property
    def is_error(self) -> bool:
        """Whether the call failed."""
        return self.get("isError") is True


def is_result(value: Any) -> bool:
    """Whether a JSON value has the form of a ``tools/call`` result.

    Example:
        >>> from milo_schema.results import error_result, is_result
        >>> is_result(error_result("no")), is_result({"content": None})
        (True, False)
    """
    if not isinstance(value, dict) or not value.keys() <= _RESULT_KEYS:
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
    if not isinstance(value, dict) or value.get("resultType") != "input_required":
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


def _success(profile: Profile, blocks: list[Json], *structured: Any) -> Json:
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
    if kind is dict or kind is ToolResult:
        return is_content(value) or is_result(value) or _is_request(value)
    if kind is list or kind is tuple:
        return depth > 0 and any(_has_content(each, profile, known, depth - 1) for each in value)
    if kind not in known:
        sets = (profile.class_sets[name] for name in ("opaque_outputs", "output_signals"))
        known[kind] = any(each.match(kind) for each in sets)
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
    if profile.class_sets["output_signals"].match(kind):
        return json
    is_opaque = profile.class_sets["opaque_outputs"].match(kind)
    is_whole = is_result(json) or (is_opaque and "content" in json)
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
    return _blocks(_parts(_json(value, place, profile, encoders, to_json)), profile)


def _blocks(parts: Iterable[Any], profile: Profile) -> list[Json]:
    """Each part as a block; ``None`` has none, unless the profile always wants text."""
    is_kept = profile.text == "always"
    said = [part for part in parts if part is not None or is_kept]
    return [part if is_content(part) else text(to_text(part)) for part in said]


def unannotated(
    value: Any, place: str, profile: Profile, encoders: Encoders, to_json: ToJson
) -> list[Any]:
    """The blocks of a value without an output schema, and its structured content, if it has any."""
    json = _json(value, place, profile, encoders, to_json)
    parts = list(_parts(json))
    blocks = _blocks(parts, profile)
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
        if type(encoded) is Refusal:
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
    if method is None or not profile.class_sets["opaque_outputs"].match(kind):
        return value
    try:
        return getattr(value, method)()
    except Exception as problem:  # it may read a file
        raise_refused(refuse_raised(f"{method}()", problem, kind), path)


def _parts(json: Any) -> Iterator[Any]:
    """The parts of a value, if it can contain content."""
    if type(json) is list and any(map(is_content, parts := [p for e in json for p in _parts(e)])):
        yield from parts
    else:
        yield json


# -- results ---------------------------------------------------------------------------------------


def value_to_json(
    value: Any, annotation: Any, *, profile: Profile = MILO, localns: Names = None
) -> Any:
    """Convert a value to JSON according to an annotation, so that it matches the output schema.

    A value of another type is written as it is, if that matches the schema. Otherwise, only
    the type is checked here; ``ToolSchema.result()`` also checks the constraints.

    Args:
        value: A value of the annotated type, or of one with the same JSON.
        annotation: A class, or anything else that is valid as an annotation.
        profile: The profile of the schema.
        localns: Names for annotation strings that are not defined where this is called.

    Returns:
        A fresh JSON value.

    Raises:
        SchemaError: The value does not match; the message has its path.

    Example:
        >>> import datetime
        >>> from milo_schema.results import value_to_json
        >>> value_to_json({datetime.date(2026, 7, 28): {1}}, dict[datetime.date, set[int]])
        {'2026-07-28': [1]}
        >>> value_to_json([1, "x"], list[int])
        Traceback (most recent call last):
        ...
        milo_schema.errors.SchemaError: list[int][1]: 'x' is not an int
    """
    scope = Scope(extra=localns, frame=sys._getframe(1))
    session = Session(profile.for_outputs, scope, display(annotation), output=True)
    return _dump(value, annotation, session.reader())


def _dump(value: Any, annotation: Any, reader: Reader) -> Any:
    """The JSON of a value with this annotation."""
    node = reader.read(annotation, reader.session.scope, (None, reader.session.root))
    return _dump_node(value, node, reader.profile, lambda: reader, reader.session.root)


def _dump_node(
    value: Any, node: Node, profile: Profile, reader: Callable[[], Reader], root: str
) -> Any:
    """The JSON of a value; one that does not match the annotation is an error, with its path."""
    judge = Judge(reader, is_lenient=node is ANYTHING)
    run = Dumping(judge.node_of, judge.accepts, profile.encoders, has_types=bool(profile.types))
    try:
        json = run.dump_whole(value, node)
    except RecursionError:
        reason = "nested too deeply for the space left on Python's stack"
        raise SchemaError(reason, root, code="unexpected-value") from None
    if type(json) is Refusal:
        raise_refused(json, root)
    return json


class Judge:
    """Knows what the annotations of one result mean: to it, the schema is the judge.

    It is lenient about a result that may be anything: a field that does not match its annotation,
    such as ``xs: list[int] = None``, is written by what it is.
    """

    __slots__ = ("_is_lenient", "_make", "_reader", "_schemas")

    def __init__(self, make: Callable[[], Reader], *, is_lenient: bool) -> None:
        self._make: Callable[[], Reader] = make
        self._reader: Reader | None = None
        self._is_lenient: bool = is_lenient
        self._schemas: dict[int, tuple[Node, Json]] = {}

    @property
    def reader(self) -> Reader:
        """Reads annotations; it is made when it is needed, as few results do."""
        if self._reader is None:
            self._reader = self._make()
        return self._reader

    def node_of(self, cls: type) -> Node:
        """The meaning of a class, for values without an annotation; that of a stream is a list."""
        if issubclass(cls, STREAMS) and cls.__module__ in _STREAM_MODULES:
            return Array(cls, cls, ANYTHING)
        session = self.reader.session
        return self.reader.read(cls, session.scope, (None, session.root))

    def accepts(self, json: Any, node: Node) -> bool:
        """Whether JSON is valid under the schema of a node, and each string has its format."""
        if self._is_lenient:
            return True
        if id(node) not in self._schemas:
            self._schemas[id(node)] = node, self.reader.exact_schema(node)
        return is_valid(json, self._schemas[id(node)][1], formats=True)


_STREAM_MODULES = ("builtins", "itertools", "collections", "collections.abc")
"""The modules of iterators that are nothing else: an open file is one, too."""


def return_to_json(
    func: Callable[..., Any],
    value: Any,
    *,
    returns: Any = MISSING,
    profile: Profile = MILO,
    localns: Names = None,
) -> Any:
    """Convert a function's return value to JSON that matches ``return_to_schema()``.

    Args:
        func: The function.
        value: Its return value; for a generator or coroutine function, a yielded or awaited one.
        returns: A return annotation that replaces the function's own.
        profile: The profile of the output schema.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        A fresh JSON value; not boxed.

    Raises:
        SchemaError: The value does not match the return annotation; the message has the path.

    Example:
        >>> from milo_schema.results import return_to_json
        >>> def status() -> dict[str, list[int]]: ...
        >>> return_to_json(status, {"items": [1, "x"]})
        Traceback (most recent call last):
        ...
        milo_schema.errors.SchemaError: status() -> result.items[1]: 'x' is not an int
    """
    options = Options(profile, localns=localns, returns=returns, part="output")
    reading = Reading(func, options)
    path = f"{reading.signature.name}() -> result"
    return _read_to_json(reading, lambda: read_result(reading), value, path)


def _read_to_json(reading: Reading, read: Callable[[], Result], value: Any, path: str) -> Any:
    """``return_to_json()`` for a function that has been read."""
    try:
        result = read()
        profile = reading.profile.for_outputs
        return _dump_node(value, result.node, profile, result.reader.fork, path)
    except SchemaError as problem:
        add_location(problem, reading.source)
        raise


class ToolOutput:
    """The values that a tool returns, and how they become the results of calls.

    Args:
        tool: The tool.
        schema: Its output schema, in our form, if it has one.
        profile: The profile of its results.
        reading: Its function, as it was read; without one, the class of a value decides.
    """

    __slots__ = ("_box", "_path", "_profile", "_reading", "_schema", "_writers")

    def __init__(
        self, tool: ToolSchema, schema: Json | None, profile: Profile, reading: Reading | None
    ) -> None:
        self._profile: Profile = profile.for_outputs
        self._reading: Reading | None = reading
        self._schema: Json | None = schema
        self._box: str | None = tool.box
        self._path: str = f"{tool.name}() -> result"
        self._writers: Any = (self._path, self._profile, self._profile.encoders, self._by_class)

    def result(self, value: Any) -> ToolResult:
        """The result of a call that returned a value."""
        result = ToolResult(self._result(value))
        if self._box is not None:
            result._box = self._box  # noqa: SLF001 - a class of this file
        return result

    def _result(self, value: Any) -> Json:
        profile, schema = self._profile, self._schema
        whole = whole_result(value, profile)
        is_certain = type(value) is not dict or "isError" in value  # any other may be data
        if whole is not None and (schema is None or is_certain):
            return self._checked(whole)
        if schema is None:
            return _success(profile, *unannotated(value, *self._writers))
        blocks = blocks_of(value, *self._writers) if speaks_for_itself(value, profile) else None
        try:
            json = self._to_json(value)
            structured = self._valid(json if self._box is None else {self._box: json}, schema)
        except SchemaError:
            if blocks is None:
                self._refuse_items(value)
                raise
            return _success(profile, blocks) if whole is None else self._checked(whole)
        if blocks is None:
            is_text = type(json) is str and profile.text == "plain"
            shown = structured if profile.text == "json" else json
            blocks = [text(json if is_text else serialized(shown))]
        return _success(profile, blocks, structured)

    def _checked(self, whole: Json) -> Json:
        """A complete result, which must have what the output schema promises (MCP, Tool Result)."""
        if self._schema is None or whole.get("isError") or "content" not in whole:
            return whole
        if "structuredContent" not in whole:
            reason = "the result has no structuredContent, but the tool has an output schema"
            raise SchemaError(reason, self._path, code="unexpected-value")
        self._valid(whole["structuredContent"], self._schema)
        return whole

    def _to_json(self, value: Any) -> Any:
        """The value as the function promises it, or by its class."""
        reading = self._reading
        if reading is None:
            return self._by_class(value, self._path)
        return _read_to_json(reading, lambda: reading.result, value, self._path)

    def _by_class(self, value: Any, path: str) -> Any:
        """The value at a path as JSON, by its class."""
        session = Session(self._profile, Scope(), path, output=True)
        if session.is_extended:  # the profile may describe any value
            return _dump(value, Any, session.reader())
        return _dump_node(value, ANYTHING, self._profile, session.reader, path)

    def _valid(self, content: Any, schema: Json) -> Any:
        """Structured content, if it matches the output schema."""
        for path, reason, *_ in iter_errors(content, schema):
            said = f"does not match the output schema: {reason}"
            raise SchemaError(said, self._path + path, code="unexpected-value")
        return content

    def _refuse_items(self, value: Any) -> None:
        """Refuse a generator whose items are separate outputs: a call has only one."""
        profile = self._profile
        if profile.generators != "list" and type(value) in (GeneratorType, AsyncGeneratorType):
            reason = f"each item of a generator is a separate result under {profile!r}"
            way_out = "pass the items one by one, or use profile.replace(generators='list')"
            raise SchemaError(f"{reason}; {way_out}", self._path)


def error_result(problem: BaseException | str, *, profile: Profile = MCP) -> ToolResult:
    """Make the result of a ``tools/call`` that failed; the model reads it, and may try again.

    Args:
        problem: The exception, or a message.
        profile: The profile of the tool.

    Returns:
        ``{"content": [{"type": "text", "text": ...}], "isError": True}``, and ``resultType`` if
        the profile has one.

    Example:
        >>> from milo_schema.results import error_result
        >>> error_result(ValueError("no such city")).text
        'no such city'
    """
    said = problem if isinstance(problem, str) else _text_of(problem)
    return ToolResult({**of_type(profile), "content": [text(said)], "isError": True})


def _text_of(problem: BaseException) -> str:
    """The message of an exception; its class comes first if that is only a key, or nothing."""
    try:
        said = str(problem)
    except Exception:
        said = ""
    is_key = isinstance(problem, KeyError) and said == repr(*problem.args[:1] or ("",))
    if said and not is_key:
        return said
    return f"{type(problem).__name__}: {said}" if said else type(problem).__name__
