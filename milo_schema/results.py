"""Convert returned values to the JSON of an output schema, and to ``tools/call`` results."""

from __future__ import annotations

from milo_schema.annotations import Any, Callable, Encoders, Json, Late, Names
from milo_schema.annotations.classes import MISSING
from milo_schema.annotations.display import display
from milo_schema.annotations.evaluation import Scope
from milo_schema.content import (
    blocks_of,
    is_result,
    serialized,
    speaks_for_itself,
    text,
    whole_result,
)
from milo_schema.encoding.dumper import dump
from milo_schema.encoding.tables import all_encoders, start
from milo_schema.errors import SchemaError, add_location
from milo_schema.json_schema.validation import iter_errors
from milo_schema.profile import MILO, Profile
from milo_schema.schemas.outputs import result_annotation, signature_of_output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema import tools
else:
    tools = Late("milo_schema.tools")


__all__ = [
    "box",
    "call_result",
    "error_result",
    "is_result",
    "return_to_json",
    "unbox",
    "value_to_json",
]


def value_to_json(
    value: Any,
    annotation: Any,
    *,
    profile: Profile = MILO,
    encoders: Encoders | None = None,
    localns: Names = None,
) -> Any:
    """Convert a value to JSON by an annotation, so that it matches the output schema.

    Only the type is checked here; ``call_result()`` also checks the constraints.

    Args:
        value: A value of the annotated type.
        annotation: A class, or anything else that is valid as an annotation.
        profile: The profile of the schema.
        encoders: Maps each of your types to a function that converts its values to JSON.
        localns: Names for annotation strings that are not defined where this is called.

    Returns:
        A fresh JSON value.

    Raises:
        SchemaError: The value is not of that type; the message has its path.

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
    import sys

    scope = Scope(extra=localns, frame=sys._getframe(1))
    return dump(value, annotation, start(profile, display(annotation), scope, encoders))


def return_to_json(  # noqa: PLR0913 - all of them named, all of them optional
    func: Callable[..., Any],
    value: Any,
    *,
    returns: Any = MISSING,
    profile: Profile = MILO,
    encoders: Encoders | None = None,
    localns: Names = None,
) -> Any:
    """Convert a function's return value to JSON that matches ``return_to_schema()``.

    Args:
        func: The function.
        value: Its return value; for a generator or coroutine function, a yielded or awaited one.
        returns: A return annotation that replaces the function's own.
        profile: The profile of the output schema.
        encoders: Maps each of your types to a function that converts its values to JSON.
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
    signature = signature_of_output(func, returns, localns)
    annotation, scope = result_annotation(signature, profile.for_outputs)
    walk = start(profile, f"{signature.name}() -> result", scope, encoders)
    try:
        return dump(value, Any if annotation is MISSING else annotation, walk)
    except SchemaError as problem:
        add_location(problem, signature.scope.source)
        raise


def box(value: Any, tool: tools.ToolSchema) -> Any:
    """Put a JSON value into the box of the tool's output schema.

    Returns:
        ``{"result": value}``, or the value itself if the schema has no box.

    Example:
        >>> from milo_schema import profiles, tool_schema
        >>> from milo_schema.results import box
        >>> def answer() -> int: ...
        >>> box(7, tool_schema(answer, profile=profiles.MCP_2025))
        {'result': 7}
    """
    return value if tool.box is None else {tool.box: value}


def unbox(content: Any, field: str | None) -> Any:
    """Take a value out of its box.

    Args:
        content: Structured content.
        field: The box, from ``ToolSchema.box`` or ``tools.box_of()``; ``None`` if there is none.

    Returns:
        The value that was boxed, or *content* itself.

    Raises:
        SchemaError: The content has no such box.

    Example:
        >>> from milo_schema.results import unbox
        >>> unbox({"result": 7}, "result")
        7
    """
    if field is None:
        return content
    if type(content) is not dict or field not in content:
        reason = f"the structured content has no {field!r}, which its schema requires"
        raise SchemaError(reason, code="unexpected-value")
    return content[field]


def call_result(  # noqa: PLR0913 - all of them named, all of them optional
    tool: tools.ToolSchema,
    value: Any,
    *,
    func: Callable[..., Any] | None = None,
    returns: Any = MISSING,
    profile: Profile = MILO,
    encoders: Encoders | None = None,
    localns: Names = None,
) -> Json:
    """Make the result of a ``tools/call``.

    Args:
        tool: The tool that was called.
        value: The value that it returned.
        func: Its function; without one, the class of the value determines its JSON.
        returns: A return annotation that replaces the function's own.
        profile: The profile of the tool.
        encoders: Maps each of your types to a function that converts its values to JSON.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        ``{"content": [{"type": "text", "text": ...}], "isError": False}``, and
        ``structuredContent`` if the tool has an output schema. A value that already is content of
        MCP, a whole result, or a signal to the client, is not changed.

    Raises:
        SchemaError: The value does not match the output schema; the message has the path.

    Example:
        >>> from milo_schema import tool_schema
        >>> from milo_schema.results import call_result
        >>> def primes(below: int) -> list[int]: ...
        >>> call_result(tool_schema(primes), [2, 3], func=primes)["structuredContent"]
        [2, 3]
    """
    profile = profile.for_outputs
    whole = whole_result(value, profile)
    is_certain = type(value) is not dict or "isError" in value  # any other may be data
    if whole is not None and (tool.output_schema is None or is_certain):
        return whole
    blocks = None
    if tool.output_schema is None or speaks_for_itself(value, profile):
        every = all_encoders(profile, encoders)
        blocks = blocks_of(value, every, _by_class_at(profile, encoders))
    if tool.output_schema is None:
        return {"content": blocks, "isError": False}
    try:
        structured = _structured(tool, value, func, returns, profile, encoders, localns)
    except SchemaError:
        if blocks is None:
            raise
        return whole or {"content": blocks, "isError": False}
    return {
        "content": blocks or [text(serialized(structured))],
        "structuredContent": structured,
        "isError": False,
    }


def _structured(  # noqa: PLR0913, PLR0917 - those of its caller
    tool: tools.ToolSchema,
    value: Any,
    func: Callable[..., Any] | None,
    returns: Any,
    profile: Profile,
    encoders: Encoders | None,
    localns: Names,
) -> Any:
    """A value as JSON for the output schema of a tool, boxed if necessary."""
    if func is None:
        annotation, scope = Any if returns is MISSING else returns, Scope(extra=localns)
        path = f"{tool.name}() -> result"
        json = dump(value, annotation, start(profile, path, scope, encoders))
    else:
        options: Any = {"profile": profile, "encoders": encoders, "localns": localns}
        json = return_to_json(func, value, returns=returns, **options)
    content = box(json, tool)
    for path, reason in iter_errors(content, tool.output_schema):
        place = f"{tool.name}() -> result{path}"
        raise SchemaError(
            f"does not match the output schema: {reason}", place, code="unexpected-value"
        )
    return content


def _by_class_at(profile: Profile, encoders: Encoders | None) -> Callable[[Any, str], Any]:
    """A function that converts the value at a path to JSON, by its class."""
    return lambda value, path: dump(value, Any, start(profile, path, Scope(), encoders))


def error_result(problem: BaseException | str) -> Json:
    """Make the result of a ``tools/call`` that failed; the model reads it, and may try again.

    Args:
        problem: The exception, or a message.

    Returns:
        ``{"content": [{"type": "text", "text": ...}], "isError": True}``

    Example:
        >>> from milo_schema.results import error_result
        >>> error_result(ValueError("no such city"))["content"]
        [{'type': 'text', 'text': 'no such city'}]
    """
    return {"content": [text(str(problem) or type(problem).__name__)], "isError": True}
