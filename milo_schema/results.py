"""Convert returned values to the JSON of an output schema, and to ``tools/call`` results."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property
from typing import Any

from milo_schema.annotations import Json, Names
from milo_schema.annotations.classes import MISSING
from milo_schema.annotations.forms import display
from milo_schema.annotations.scopes import Scope
from milo_schema.errors import RESULT, SchemaError, add_location
from milo_schema.json_schema.validation import is_valid
from milo_schema.nodes import Reader
from milo_schema.nodes.base import Dumping, Node, Refusal, raise_refused
from milo_schema.nodes.containers import ANYTHING, OF_JSON, STREAMS, Array
from milo_schema.nodes.session import Session
from milo_schema.profile import MCP, MILO, Profile
from milo_schema.schemas.functions import Options, Reading
from milo_schema.schemas.outputs import Result, read_result

__all__ = ["ToolResult", "error_result", "is_result", "return_to_json", "value_to_json"]

# -- content -------------------------------------------------------------------------------------
#
# Blocks of content, complete results and signals: what clients of MCP read directly.

_RESULT_KEYS = frozenset({"content", "isError", "structuredContent", "resultType", "_meta"})

_BLOCKS: dict[Any, tuple[str, ...]] = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("name", "uri"),
    "resource": ("resource",),
}
"""The types of content blocks, and the keys that each requires."""


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


def text(said: str) -> Json:
    """A block of text."""
    return {"type": "text", "text": said}


def of_type(profile: Profile) -> Json:
    """The type of a result, if the profile has one."""
    return {} if profile.result_type is None else {"resultType": profile.result_type}


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
    return dump(value, annotation, session.reader())


def dump(value: Any, annotation: Any, reader: Reader) -> Any:
    """The JSON of a value with this annotation."""
    node = reader.read(annotation, reader.session.scope, (None, reader.session.root))
    return dump_node(value, node, reader.profile, lambda: reader, reader.session.root)


def dump_node(
    value: Any, node: Node, profile: Profile, reader: Callable[[], Reader], root: str
) -> Any:
    """The JSON of a value; one that does not match the annotation is an error, with its path."""
    judge = Judge(reader, is_lenient=node is ANYTHING)
    run = Dumping(judge.node_of, judge.accepts, profile, OF_JSON)
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

    def __init__(self, make: Callable[[], Reader], *, is_lenient: bool) -> None:
        self._make: Callable[[], Reader] = make
        self._is_lenient: bool = is_lenient
        self._schemas: dict[int, tuple[Node, Json]] = {}

    @cached_property
    def reader(self) -> Reader:
        """Reads annotations; it is only made when it is needed, because few results need it."""
        return self._make()

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
    path = reading.signature.name + RESULT
    return dump_result(reading, read_result, value, path)


def dump_result(reading: Reading, read: Callable[[Reading], Result], value: Any, path: str) -> Any:
    """``return_to_json()`` for a function that has been read."""
    try:
        result = read(reading)
        profile = reading.profile.for_outputs
        return dump_node(value, result.node, profile, result.reader.fork, path)
    except SchemaError as problem:
        add_location(problem, reading.source)
        raise


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
