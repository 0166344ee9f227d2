"""A returned value as the JSON that the output schema promises, and as a ``tools/call`` result.

Strategy: the same walk as for the schema, with a value in hand. ``rules.find()`` tells the rule
for an annotation, and the table at the bottom has, for each rule, what puts a value of that kind
into JSON. So a value's JSON is the mirror image of its schema.
"""

from __future__ import annotations

import collections
import typing
from collections import abc
from typing import Any

from milo_schema.annotations.classes import (
    MISSING,
    USER_CODE_ERRORS,
    UnresolvedError,
    loaded,
    repr_of_error,
    with_article,
)
from milo_schema.annotations.evaluation import Scope
from milo_schema.annotations.forms import display, is_bare, is_form, metadata_of, split
from milo_schema.annotations.resolution import resolve, resolve_once, union_members
from milo_schema.callables import records
from milo_schema.content import (
    blocks_of,
    encoder_of,
    is_result,
    serialized,
    speaks_for_itself,
    text,
    whole_result,
)
from milo_schema.errors import SchemaError
from milo_schema.json_schema.validation import iter_errors, step_to
from milo_schema.json_schema.values import NotJSONError, exactly_json, key_of, to_json
from milo_schema.libraries import library
from milo_schema.profile import MILO
from milo_schema.schemas import containers, rules
from milo_schema.schemas.annotated import read_markers
from milo_schema.schemas.definitions import closed
from milo_schema.schemas.dispatch import by_rule
from milo_schema.schemas.outputs import given_back, signature_of_output
from milo_schema.schemas.walk import Derivation, Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from milo_schema.callables.signatures import Field, Record
    from milo_schema.profile import Profile
    from milo_schema.tools import ToolSchema

    Json = dict[str, Any]
    Names = Mapping[str, Any] | None
    Arguments = tuple[Any, ...]
    Encoders = Mapping[Any, Callable[[Any], Any]]
    Dumper = Callable[[Any, Any, Arguments, Walk], Any]

__all__ = [
    "box",
    "call_result",
    "error_result",
    "is_result",
    "return_to_json",
    "unbox",
    "value_to_json",
]


# -- the front door ----------------------------------------------------------------------------


def value_to_json(
    value: Any,
    annotation: Any,
    *,
    profile: Profile = MILO,
    encoders: Encoders | None = None,
    localns: Names = None,
) -> Any:
    """Put a value into JSON by its annotation: the mirror image of an output schema.

    It is the type that is held here; ``call_result()`` holds the constraints as well.

    Args:
        value: A value of the type that the annotation stands for.
        annotation: A class, or anything else that may stand in an annotation.
        profile: The profile of the schema.
        encoders: For each type of your own, a function that puts its values into JSON.
        localns: Names that annotation strings use and the caller's do not have.

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
    return _dump(value, annotation, _start(profile, display(annotation), scope, encoders))


def return_to_json(  # noqa: PLR0913 - all of them named, all of them optional
    func: Callable[..., Any],
    value: Any,
    *,
    returns: Any = MISSING,
    profile: Profile = MILO,
    encoders: Encoders | None = None,
    localns: Names = None,
) -> Any:
    """Put what a function gave back into JSON: the mirror image of ``return_to_schema()``.

    Args:
        func: The function; of a generator or coroutine function, what is yielded or awaited.
        value: What it gave back.
        returns: A return annotation to read in place of the function's own.
        profile: The profile of the output schema.
        encoders: For each type of your own, a function that puts its values into JSON.
        localns: Names that annotation strings use and their module does not have.

    Returns:
        A fresh JSON value; not boxed.

    Raises:
        SchemaError: The value is not what the function promises; the message has the place.

    Example:
        >>> from milo_schema.results import return_to_json
        >>> def status() -> dict[str, list[int]]: ...
        >>> return_to_json(status, {"items": [1, "x"]})
        Traceback (most recent call last):
        ...
        milo_schema.errors.SchemaError: status() -> result.items[1]: 'x' is not an int
    """
    signature = signature_of_output(func, returns, localns)
    annotation, scope = given_back(signature, profile.for_outputs)
    walk = _start(profile, f"{signature.name}() -> result", scope, encoders)
    return _dump(value, Any if annotation is MISSING else annotation, walk)


def box(value: Any, tool: ToolSchema) -> Any:
    """Put a JSON value into the box that the tool's output schema has.

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
    """Take a value out of its box again.

    Args:
        content: Structured content.
        field: The box, as ``ToolSchema.box`` or ``tools.box_of()`` has it; ``None`` if there is
            none.

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
    tool: ToolSchema,
    value: Any,
    *,
    func: Callable[..., Any] | None = None,
    returns: Any = MISSING,
    profile: Profile = MILO,
    encoders: Encoders | None = None,
    localns: Names = None,
) -> Json:
    """The canonical result of a ``tools/call``.

    Args:
        tool: The tool that was called.
        value: What it gave back.
        func: The function that it is; without one, the value is put into JSON by its class.
        returns: A return annotation to read in place of the function's own.
        profile: The profile of the tool.
        encoders: For each type of your own, a function that puts its values into JSON.
        localns: Names that annotation strings use and their module does not have.

    Returns:
        ``{"content": [{"type": "text", "text": ...}], "isError": False}``, with the
        ``structuredContent`` that the output schema describes, if there is one. What is content
        of MCP already, a whole result, or a signal to the client, is left as it is.

    Raises:
        SchemaError: The value does not fit the output schema; the message has the place.

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
        every = _all_encoders(profile, encoders)
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
    tool: ToolSchema,
    value: Any,
    func: Callable[..., Any] | None,
    returns: Any,
    profile: Profile,
    encoders: Encoders | None,
    localns: Names,
) -> Any:
    """A value in JSON, boxed, as the output schema of a tool has it."""
    if func is None:
        annotation, scope = Any if returns is MISSING else returns, Scope(extra=localns)
        path = f"{tool.name}() -> result"
        json = _dump(value, annotation, _start(profile, path, scope, encoders))
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
    """A function that puts the value at a place into JSON, by its class."""
    return lambda value, path: _dump(value, Any, _start(profile, path, Scope(), encoders))


def error_result(problem: BaseException | str) -> Json:
    """The result of a ``tools/call`` that failed: the model reads it, and may try again.

    Args:
        problem: What happened.

    Returns:
        ``{"content": [{"type": "text", "text": ...}], "isError": True}``

    Example:
        >>> from milo_schema.results import error_result
        >>> error_result(ValueError("no such city"))["content"]
        [{'type': 'text', 'text': 'no such city'}]
    """
    return {"content": [text(str(problem) or type(problem).__name__)], "isError": True}


# -- the walk ----------------------------------------------------------------------------------


class _Dump(Derivation):
    """The state that all places of one value share.

    Attributes:
        encoders: What puts the values of some classes into JSON.
        known: What was found out about annotations; see ``_once()``.
    """

    __slots__ = ("encoders", "known")

    def __init__(self, encoders: Encoders) -> None:
        super().__init__(True, True, by_rule)  # noqa: FBT003
        self.encoders: Encoders = encoders
        self.known: dict[tuple[Any, int, int], tuple[Any, Any, Scope]] = {}


def _start(profile: Profile, path: str, scope: Scope, encoders: Encoders | None) -> Walk:
    profile = profile.for_outputs
    return Walk(profile, _Dump(_all_encoders(profile, encoders)), scope, path)


def _all_encoders(profile: Profile, encoders: Encoders | None) -> Encoders:
    """The encoders of a profile and of a call."""
    return {**profile.encoders, **(encoders or {})}


def _once(find: Callable[[Any, Walk], Any], tp: Any, walk: Walk) -> Any:
    """The result of *find* for an annotation in its scope, once for all values of it."""
    known = walk.derivation.known  # type: ignore[attr-defined]  # of a _Dump
    key = find, id(tp), id(walk.scope)
    if key not in known:
        known[key] = find(tp, walk), tp, walk.scope  # nothing else gets their ids
    return known[key][0]


def _dump(value: Any, annotation: Any, walk: Walk) -> Any:
    """The JSON of a value that is annotated so."""
    if walk.depth > walk.profile.max_depth:
        raise _misfit("nested too deeply, or contains itself", annotation, walk)
    encoders: Encoders = walk.derivation.encoders  # type: ignore[attr-defined]  # of a _Dump
    if encoders and (encode := encoder_of(value, encoders)) is not None:
        return _by_class(encode(value), walk)
    try:
        rule, args = rules.find(annotation, walk)
        return DUMPERS.get(rule, _scalar)(value, annotation, args, walk)
    except UnresolvedError as problem:
        raise _misfit(str(problem), annotation, walk) from problem
    except NotJSONError as problem:
        raise _misfit(f"{problem} is not JSON", annotation, walk) from problem
    except SchemaError:
        raise
    except USER_CODE_ERRORS as problem:  # its __iter__, or a property
        raise _misfit(f"reading it raised {repr_of_error(problem)}", annotation, walk) from problem


def _by_class(value: Any, walk: Walk) -> Any:
    """The JSON of a value of which only its class is known."""
    if type(value) is object:
        raise _misfit("no JSON for an object of class object", object, walk)
    return _dump(value, type(value), walk)


def _misfit(reason: str, annotation: Any, walk: Walk) -> SchemaError:
    """The error that says why a value does not fit here."""
    return SchemaError(reason, walk.path, annotation, code="unexpected-value")


def _is_not(value: Any, annotation: Any) -> str:
    return f"{display(value)} is not {with_article(display(annotation))}"


def _expect(value: Any, kind: Any, annotation: Any, walk: Walk) -> None:
    """Refuse a value that is not an instance of a class."""
    if not issubclass(type(value), kind):
        raise _misfit(_is_not(value, annotation), annotation, walk)


def _head(tp: Any) -> Any:
    head, _ = split(tp)
    return head


# -- plain values ------------------------------------------------------------------------------


def _scalar(value: Any, tp: Any, _args: Arguments, walk: Walk) -> Any:
    """A value that is one string, number, boolean or null."""
    head = _SCALARS.get(_head(tp), _head(tp))
    if not _is_instance(value, head):
        raise _misfit(_is_not(value, tp), tp, walk)
    for kinds, convert in _CONVERTERS.items():
        if loaded(kinds) is not None and issubclass(type(value), loaded(kinds)):
            value = convert(value)
    return to_json(value)


_SCALARS: dict[Any, Any] = {
    None: type(None),
    float: (float, int),
    typing.LiteralString: str,
    typing.AnyStr: (str, bytes),
    **dict.fromkeys((bytes, bytearray, memoryview), (bytes, bytearray, memoryview)),
}
"""What values of an annotation are instances of, where it does not say so itself."""


def _is_instance(value: Any, head: Any) -> bool:
    if type(value) is bool:  # an int to Python only
        return head is bool
    if head is loaded("datetime.date") and issubclass(type(value), loaded("datetime.datetime")):
        return False  # a date to Python, but no date in JSON
    return issubclass(type(value), head)


def _path(value: Any) -> str:
    from os import fsdecode

    return fsdecode(value)


_CONVERTERS: dict[str, Callable[[Any], Any]] = {"builtins.memoryview": bytes, "os.PathLike": _path}
"""What ``to_json()`` does not know."""


def _boolean(value: Any, _tp: Any, _args: Arguments, walk: Walk) -> Any:
    return _dump(value, bool, walk)


def _literal(value: Any, tp: Any, args: Arguments, walk: Walk) -> Any:
    json = exactly_json(value)
    if not any(json == each and type(json) is type(each) for each in map(exactly_json, args)):
        raise _misfit(f"{display(value)} is not one of {', '.join(map(display, args))}", tp, walk)
    return json


def _member(value: Any, tp: Any, _args: Arguments, walk: Walk) -> Any:
    _expect(value, _head(tp), tp, walk)
    return exactly_json(value)


def _nothing(value: Any, tp: Any, _args: Arguments, walk: Walk) -> Any:
    raise _misfit(f"got {display(value)}, but {display(tp)} has no values", tp, walk)


def _anything(value: Any, _tp: Any, _args: Arguments, walk: Walk) -> Any:
    return _by_class(value, walk)


def _unknown(value: Any, tp: Any, _args: Arguments, walk: Walk) -> Any:
    """A value of a type that has no rule: its class may have one, or its annotations."""
    if rules.find(type(value), walk)[0] is not rules.unknown:
        return _by_class(value, walk)
    if callable(walk.profile.unknown) and records.is_annotated(tp):
        return _fields(value, _once(_annotations_of, tp, walk), walk)
    reason = f"no JSON for an object of class {display(type(value))}"
    raise _misfit(f"{reason}; use another type, or encoders={{...}}", tp, walk)


def _described(value: Any, tp: Any, args: Arguments, walk: Walk) -> Any:
    """A value of a class that describes itself: its fields, unless something else is said."""
    if records.is_record(_head(tp)):
        return _record(value, tp, args, walk)
    reason = f"no JSON for an object of class {display(type(value))}; pass encoders={{...}}"
    raise _misfit(reason, tp, walk)


# -- containers --------------------------------------------------------------------------------


MAX_PARTS = 1_000_000
"""How many items and properties a value may have in total: an iterator may have no end."""

_SEQUENCES = (list, tuple, range, collections.deque)
"""Classes whose values have the same JSON, so one may stand for another."""


def _each(values: Iterable[Any], tp: Any, walk: Walk) -> Iterator[Any]:
    """The items of a value, as long as there is room for them."""
    for each in values:
        walk.derivation.size += 1
        if walk.derivation.size > MAX_PARTS:
            raise _misfit(f"more than {MAX_PARTS:,} items", tp, walk)
        yield each


def _array(value: Any, tp: Any, args: Arguments, walk: Walk) -> list[Any]:
    _expect(value, (_head(tp), *_SEQUENCES), tp, walk)
    return _items(value, tp, args, walk)


def _items(value: Any, tp: Any, args: Arguments, walk: Walk) -> list[Any]:
    if issubclass(type(value), (str, bytes, bytearray)):
        raise _misfit(_is_not(value, tp), tp, walk)
    item, items = args[0] if args else Any, enumerate(_each(value, tp, walk))
    return [_dump(each, item, walk.at(f"[{index}]")) for index, each in items]


def _set(value: Any, tp: Any, args: Arguments, walk: Walk) -> list[Any]:
    """In an order that is always the same; two items may be one in JSON."""
    _expect(value, (_head(tp), set, frozenset), tp, walk)
    items = {key_of(item): item for item in _items(value, tp, args, walk)}
    return sorted(items.values(), key=_order)


def _items_view(value: Any, tp: Any, args: Arguments, walk: Walk) -> list[Any]:
    _expect(value, abc.ItemsView, tp, walk)
    return _items(value, tp, (containers.pair(args),), walk)


def _container(value: Any, tp: Any, args: Arguments, walk: Walk) -> Any:
    """A value of a container that may contain itself."""
    rule, given = rules.by_base(_head(tp), args, walk)
    return DUMPERS[rule](value, tp, given, walk)


def _order(item: Any) -> tuple[str, Any]:
    is_simple = type(item) in (str, int, float)
    return type(item).__name__, item if is_simple else repr(item)


def _tuple(value: Any, tp: Any, args: Arguments, walk: Walk) -> list[Any]:
    _expect(value, _SEQUENCES, tp, walk)
    if not args and is_bare(tp):
        return _array(value, tuple, (), walk)
    head, rest, tail = containers.layout(args, walk.scope)
    more = len(value) - len(head) - len(tail)
    if more < 0 or (more and rest is MISSING):
        least = "at least " if rest is not MISSING else ""
        wanted = f"{least}{len(head) + len(tail)} items for {display(tp)}"
        raise _misfit(f"expected {wanted}, got {len(value)}", tp, walk)
    annotations = [*head, *[rest] * more, *tail]
    pairs = enumerate(zip(_each(value, tp, walk), annotations, strict=True))
    return [_dump(item, each, walk.at(f"[{index}]")) for index, (item, each) in pairs]


def _mapping(value: Any, tp: Any, args: Arguments, walk: Walk) -> Json:
    _expect(value, (_head(tp), abc.Mapping), tp, walk)
    key, item = args or (Any, Any)
    json: Json = {}
    for name, each in _each(value.items(), tp, walk):
        text = _key(_dump(name, key, walk), tp, walk)
        if text in json:
            raise _misfit(f"two keys are both {text!r} in JSON", tp, walk)
        json[text] = _dump(each, item, walk.at(step_to(text)))
    return json


def _counter(value: Any, tp: Any, args: Arguments, walk: Walk) -> Json:
    return _mapping(value, tp, (*(args or (Any,)), int), walk)


def _key(json: Any, tp: Any, walk: Walk) -> str:
    """The string that stands for a key: that of ``json``, for what the schema lets be one."""
    if type(json) is str:
        return json
    if type(json) not in (bool, int, float):
        raise _misfit(f"{display(json)} cannot be a key of a JSON object", tp, walk)
    return serialized(json)


# -- special forms -----------------------------------------------------------------------------


def _union(value: Any, tp: Any, args: Arguments, walk: Walk) -> Any:
    """By the member that fits: the one whose class the value has, else the first."""
    members = [member for arg in args for member in _members(arg, walk)]
    ordered = sorted(members, key=lambda member: member[0] is not type(value))
    others = [member for member in ordered if member[0] is not None and member[0] is not type(None)]
    if value is not None and len(others) == 1:
        _, member, inner = others[0]
        return _dump(value, member, inner)  # its own error has the place
    for _, member, inner in ordered:
        try:
            return _dump(value, member, inner)
        except SchemaError:
            continue
    raise _misfit(_is_not(value, tp), tp, walk)


def _members(tp: Any, walk: Walk) -> list[tuple[Any, Any, Walk]]:
    """The members that a union has by one of its arguments: head, annotation and walk of each."""
    if type(tp) is type or tp is None:  # most are
        return [(tp, tp, walk)]
    members = _once(_resolved_members, tp, walk)
    return [(head, member, walk.within(scope)) for head, member, scope in members]


def _resolved_members(tp: Any, walk: Walk) -> list[tuple[Any, Any, Scope]]:
    try:
        members = union_members(tp, walk.scope)
    except UnresolvedError:  # another member may fit
        return [(tp, tp, walk.scope)]
    found = [(resolve(each, scope).head, each, scope) for each, scope in members]
    return [member for member in found if not is_form(member[0], "Never")]


def _stand_in(value: Any, tp: Any, _args: Arguments, walk: Walk) -> Any:
    """An annotation that stands for another one: an alias, a string, a type parameter."""
    found = _once(_meaning, tp, walk)
    if found is None:
        return _by_class(value, walk)
    annotation, scope = found
    return _dump(value, annotation, walk.within(scope))


def _meaning(tp: Any, walk: Walk) -> tuple[Any, Scope] | None:
    return resolve_once(tp, walk.scope)


# -- records -----------------------------------------------------------------------------------


def _record(value: Any, tp: Any, _args: Arguments, walk: Walk) -> Any:
    """A dataclass, TypedDict, NamedTuple, or their like."""
    tp = _once(closed, tp, walk)
    _expect(value, dict if records.is_typed_dict(_head(tp)) else _head(tp), tp, walk)
    record = _once(_fields_of, tp, walk)
    json = _fields(value, record, walk)
    if records.is_typed_dict(_head(tp)):
        json |= _extra(value, record, walk)
    return list(json.values()) if record.is_array else json


def _fields(value: Any, record: Record, walk: Walk) -> Json:
    """The JSON of the fields of a record."""
    json: Json = {}
    for field in record.fields:
        found = _found(value, field)
        if found is MISSING:
            if field.required:
                raise _misfit("missing, but required", field.annotation, walk.at(field.step))
            continue
        annotation = Any if field.annotation is MISSING else field.annotation
        json[field.name] = _dump(found, annotation, walk.at(field.step, field.scope))
    return json


def _fields_of(tp: Any, walk: Walk) -> Record:
    return records.read(tp, walk.scope, output=True, aliases=walk.profile.aliases)


def _annotations_of(tp: Any, walk: Walk) -> Record:
    aliases, reader = walk.profile.aliases, records.annotated
    return records.read(closed(tp, walk), walk.scope, output=True, aliases=aliases, reader=reader)


def _found(value: Any, field: Field) -> Any:
    """The value of a field of a record, or ``MISSING``."""
    if type(value) is dict:
        return value.get(field.python_name, MISSING)
    attribute = field.python_name
    if (msgspec := library("msgspec")) is not None:
        return msgspec.value_of(value, attribute)
    return getattr(value, attribute, MISSING)


def _extra(value: Json, record: Record, walk: Walk) -> Json:
    """The keys of a TypedDict that are not among its fields (PEP 728)."""
    is_closed = record.extra is MISSING and walk.profile.closed == "everything"
    extra = False if is_closed else record.extra
    json: Json = {}
    known = {field.python_name for field in record.fields}
    for name in (name for name in value if name not in known):
        if extra is False:
            raise _misfit("unknown key", extra, walk.at(step_to(name)))
        annotation = Any if extra is MISSING else extra
        json[name] = _dump(value[name], annotation, walk.at(step_to(name)))
    return json


def _model(value: Any, tp: Any, _args: Arguments, walk: Walk) -> Any:
    """A value of a class that only pydantic knows how to write."""
    if records.is_model(_head(tp)):
        _expect(value, _head(tp), tp, walk)
    return _as_pydantic_writes(value, tp, walk)


def _as_pydantic_writes(value: Any, tp: Any, walk: Walk) -> Any:
    misfit = lambda reason, annotation: _misfit(reason, annotation, walk)  # noqa: E731
    return library("pydantic").to_json(value, tp, walk, misfit)


def _annotated(value: Any, tp: Any, args: Arguments, walk: Walk) -> Any:
    """``Annotated[T, ...]``: a value of T, unless the metadata say how pydantic writes it."""
    if _once(_is_respelled, tp, walk):
        return _as_pydantic_writes(value, tp, walk)
    return _stand_in(value, tp, args, walk)


def _is_respelled(tp: Any, walk: Walk) -> bool:
    """Whether the metadata of an annotation say how pydantic writes its values."""
    foreign, _, _ = read_markers(metadata_of(tp), walk)
    hooks = [marker.value for marker, _ in foreign]
    return bool(hooks) and bool(library("pydantic").respells(hooks, walk))


# -- the table ---------------------------------------------------------------------------------

DUMPERS: dict[Any, Dumper] = {
    containers.array: _array,
    containers.generator: _array,
    containers.unique_array: _set,
    containers.items_view: _items_view,
    containers.tuple_: _tuple,
    containers.mapping: _mapping,
    containers.counter: _counter,
    rules.literal: _literal,
    rules.enumeration: _member,
    containers.union: _union,
    containers.never: _nothing,
    containers.anything: _anything,
    rules.annotated: _annotated,
    rules.container: _container,
    rules.stand_in: _stand_in,
    rules.boolean: _boolean,
    rules.forward: _stand_in,
    rules.alias: _stand_in,
    rules.record: _record,
    rules.model: _model,
    rules.hook: _described,
    rules.unknown: _unknown,
}
"""For each rule what puts a value into JSON; a rule that is not here is one of a scalar."""
