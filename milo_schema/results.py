"""A returned value as the JSON that the output schema promises, and as a ``tools/call`` result.

Strategy: the same walk as for the schema, with a value in hand. ``rules.find()`` tells the rule
for an annotation, and the table at the bottom has, for each rule, what puts a value of that kind
into JSON. So a value's JSON is the mirror image of its schema.
"""

from __future__ import annotations

import typing
from typing import Any

from milo_schema.annotations import generics
from milo_schema.annotations.forms import display, is_bare, is_form, lazy, split
from milo_schema.annotations.hints import (
    MISSING,
    RAISED,
    SELF,
    Scope,
    UnresolvedError,
    evaluate,
    loaded,
    mro,
    resolve,
)
from milo_schema.callables import records
from milo_schema.callables.signatures import read
from milo_schema.errors import SchemaError
from milo_schema.json_schema.validation import iter_errors, key_of, step_to
from milo_schema.json_schema.values import NotJSONError, copied, exactly_json, to_json
from milo_schema.profiles import MILO
from milo_schema.schemas import outputs, rules
from milo_schema.schemas.definitions import Definitions
from milo_schema.schemas.walk import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from milo_schema.callables.fields import Field, Record
    from milo_schema.profiles import Profile
    from milo_schema.tools import ToolSchema

    Json = dict[str, Any]
    Names = Mapping[str, Any] | None
    Arguments = tuple[Any, ...]
    Encoders = Mapping[Any, Callable[[Any], Any]]
    Dumper = Callable[[Any, Any, Arguments, "_Walk"], Any]

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
    """Put a value into JSON by its annotation: the mirror image of ``type_to_schema()``.

    It is the type that is held here; ``call_result()`` holds the constraints as well.

    Args:
        value: A value of the type that the annotation stands for.
        annotation: A class, or anything else that may stand in an annotation.
        profile: The profile of the schema.
        encoders: For each type of somebody's own what puts its values into JSON.
        localns: Names that annotation strings use and the caller's do not have.

    Returns:
        A fresh JSON value.

    Raises:
        SchemaError: The value is none of that type; the message has the place in it.

    Example:
        >>> import datetime
        >>> from milo_schema.results import value_to_json
        >>> value_to_json({datetime.date(2026, 7, 28): {1}}, dict[datetime.date, set[int]])
        {'2026-07-28': [1]}
        >>> value_to_json([1, "x"], list[int])
        Traceback (most recent call last):
        ...
        milo_schema.errors.SchemaError: list[int][1]: 'x' is no int
    """
    import sys

    scope = Scope(extra=localns, frame=sys._getframe(1))
    walk = _Walk(profile, path=display(annotation), scope=scope, encoders=encoders)
    return walk.dump(value, annotation)


def return_to_json(
    func: Callable[..., Any],
    value: Any,
    *,
    profile: Profile = MILO,
    encoders: Encoders | None = None,
    localns: Names = None,
) -> Any:
    """Put what a function gave back into JSON: the mirror image of ``return_to_schema()``.

    Args:
        func: The function; of a generator or coroutine function, what is yielded or awaited.
        value: What it gave back.
        profile: The profile of the output schema.
        encoders: For each type of somebody's own what puts its values into JSON.
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
        milo_schema.errors.SchemaError: status() -> .items[1]: 'x' is no int
    """
    signature = read(func, localns)
    scope = signature.scope
    annotation = outputs.given_back(resolve(signature.returns, scope), signature)
    walk = _Walk(profile, path=f"{signature.name}() -> ", scope=scope, encoders=encoders)
    return walk.dump(value, Any if annotation is MISSING else annotation)


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
        raise SchemaError(f"structured content without the {field!r} that its schema promises")
    return content[field]


def call_result(
    tool: ToolSchema,
    value: Any,
    *,
    func: Callable[..., Any] | None = None,
    profile: Profile = MILO,
    encoders: Encoders | None = None,
) -> Json:
    """The canonical result of a ``tools/call``.

    Args:
        tool: The tool that was called.
        value: What it gave back.
        func: The function that it is; without one, the value is put into JSON by its class.
        profile: The profile of the tool.
        encoders: For each type of somebody's own what puts its values into JSON.

    Returns:
        ``{"content": [{"type": "text", "text": ...}], "isError": False}``, with the
        ``structuredContent`` that the output schema describes, if there is one. What is content
        of MCP already, or a whole result, is left as it is, if there is none.

    Raises:
        SchemaError: The value does not fit the output schema; the message has the place.

    Example:
        >>> from milo_schema import tool_schema
        >>> from milo_schema.results import call_result
        >>> def primes(below: int) -> list[int]: ...
        >>> call_result(tool_schema(primes), [2, 3], func=primes)["structuredContent"]
        [2, 3]
    """
    schema = tool.output_schema
    if schema is None:
        return _unstructured(value, profile, encoders)
    if func is None:
        walk = _Walk(profile, path=f"{tool.name}() -> ", scope=Scope(), encoders=encoders)
        json = walk.dump(value, Any)
    else:
        json = return_to_json(func, value, profile=profile, encoders=encoders)
    content = box(json, tool)
    for path, reason in iter_errors(content, schema):
        raise SchemaError(f"{reason}, as its schema has it", f"{tool.name}() -> {path}")
    return {
        "content": [_text(_serialized(content))],
        "structuredContent": content,
        "isError": False,
    }


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
    return {"content": [_text(str(problem) or type(problem).__name__)], "isError": True}


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
    return is_said and type(content) is list and all(map(_is_content, content))


_RESULT_KEYS = frozenset({"content", "isError", "structuredContent", "resultType", "_meta"})
_CONTENT_KINDS = frozenset({"text", "image", "audio", "resource_link", "resource"})


# -- results without a schema ------------------------------------------------------------------


def _unstructured(value: Any, profile: Profile, encoders: Encoders | None) -> Json:
    """What a tool without output schema gave back, as content."""
    json = _content_of(value, profile, encoders)
    if is_result(json):
        return {"isError": False, **json}
    blocks = json if type(json) is list and json else [json]
    if all(map(_is_content, blocks)):
        return {"content": blocks, "isError": False}
    return {"content": [_text(_plain(json))], "isError": False}


def _content_of(value: Any, profile: Profile, encoders: Encoders | None) -> Any:
    """A value in JSON; content objects of an MCP library without what is not said."""
    if isinstance(value, (list, tuple)) and any(map(_is_model, value)):
        return [_content_of(item, profile, encoders) for item in value]
    if _is_model(value):
        json = value.model_dump(mode="json", by_alias=True, exclude_none=True)
        if is_result(json) or _is_content(json):
            return json
    return _Walk(profile, path="", scope=Scope(), encoders=encoders).dump(value, Any)


def _is_model(value: Any) -> bool:
    return loaded("pydantic.main.BaseModel") in mro(type(value))


def _is_content(json: Any) -> bool:
    return type(json) is dict and json.get("type") in _CONTENT_KINDS


def _plain(json: Any) -> str:
    """What a person reads: text as it is, nothing for nothing."""
    if json is None:
        return ""
    return json if type(json) is str else _serialized(json)


def _serialized(json: Any) -> str:
    from json import dumps

    return dumps(json, ensure_ascii=False, allow_nan=False)


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


# -- the walk ----------------------------------------------------------------------------------


class _Walk:
    """A place in a value, and what its annotation says there: a ``walk.Walk`` with encoders."""

    __slots__ = ("encoders", "walk")

    def __init__(
        self,
        profile: Profile,
        *,
        path: str,
        scope: Scope,
        encoders: Encoders | None = None,
    ) -> None:
        self.walk = Walk(profile, True, True, path, scope, Definitions())  # noqa: FBT003
        self.encoders = encoders or {}

    def _moved(self, walk: Walk) -> _Walk:
        moved = _Walk.__new__(_Walk)
        moved.walk, moved.encoders = walk, self.encoders
        return moved

    def at(self, step: str) -> _Walk:
        """The walk one step further."""
        return self._moved(self.walk.at(step))

    def within(self, scope: Scope) -> _Walk:
        """The walk where other names and type parameters hold."""
        return self._moved(self.walk.within(scope))

    def dump(self, value: Any, annotation: Any) -> Any:
        """The JSON of a value that is annotated so."""
        if self.walk.depth > self.walk.profile.max_depth:
            raise self.misfit("nested too deeply, or inside itself", annotation)
        for base in mro(type(value))[:-1] if self.encoders else ():
            if base in self.encoders:
                return self.by_class(self.encoders[base](value))
        try:
            rule, args = rules.find(annotation, self.walk)
            return DUMPERS.get(rule, _scalar)(value, annotation, args, self)
        except UnresolvedError as problem:
            raise self.misfit(str(problem), annotation) from problem
        except NotJSONError as problem:
            raise self.misfit(f"{problem} is no JSON value", annotation) from problem

    def by_class(self, value: Any) -> Any:
        """The JSON of a value of which only its class is known."""
        return self.dump(value, type(value))

    def misfit(self, reason: str, annotation: Any) -> SchemaError:
        """The error that says why a value does not fit here."""
        return SchemaError(reason, self.walk.path, annotation)

    def expect(self, value: Any, kind: Any, annotation: Any) -> None:
        """Refuse a value that is no instance of a class."""
        if not issubclass(type(value), kind):
            raise self.misfit(f"{display(value)} is no {display(annotation)}", annotation)


def _head(tp: Any) -> Any:
    origin, _ = split(tp)
    return tp if origin is None else origin


# -- plain values ------------------------------------------------------------------------------


def _scalar(value: Any, tp: Any, _args: Arguments, walk: _Walk) -> Any:
    """A value that is one string, number, boolean or null."""
    head = _SCALARS.get(_head(tp), _head(tp))
    if not _is_instance(value, head):
        raise walk.misfit(f"{display(value)} is no {display(tp)}", tp)
    for kinds, convert in _CONVERTERS.items():
        if loaded(kinds) is not None and issubclass(type(value), loaded(kinds)):
            value = convert(value)
    return to_json(value)


_SCALARS: dict[Any, Any] = {
    None: type(None),
    float: (float, int),
    typing.LiteralString: str,
    typing.AnyStr: (str, bytes),
}
"""What values of an annotation are instances of, where it does not say so itself."""


def _is_instance(value: Any, head: Any) -> bool:
    if type(value) is bool:  # an int to Python, and nobody else
        return head is bool
    if head is loaded("datetime.date") and issubclass(type(value), loaded("datetime.datetime")):
        return False  # a date to Python, but no date in JSON
    return issubclass(type(value), head)


def _path(value: Any) -> str:
    from os import fsdecode

    return fsdecode(value)


_CONVERTERS: dict[str, Callable[[Any], Any]] = {"builtins.memoryview": bytes, "os.PathLike": _path}
"""What ``to_json()`` does not know."""


def _boolean(value: Any, _tp: Any, _args: Arguments, walk: _Walk) -> Any:
    return walk.dump(value, bool)


def _literal(value: Any, tp: Any, args: Arguments, walk: _Walk) -> Any:
    json = exactly_json(value)
    if not any(json == each and type(json) is type(each) for each in map(exactly_json, args)):
        raise walk.misfit(f"{display(value)} is no {display(tp)}", tp)
    return json


def _member(value: Any, tp: Any, _args: Arguments, walk: _Walk) -> Any:
    walk.expect(value, _head(tp), tp)
    return exactly_json(value)


def _nothing(value: Any, tp: Any, _args: Arguments, walk: _Walk) -> Any:
    raise walk.misfit(f"{display(value)}, where {display(tp)} is promised", tp)


def _anything(value: Any, _tp: Any, _args: Arguments, walk: _Walk) -> Any:
    return walk.by_class(value)


def _unknown(value: Any, tp: Any, _args: Arguments, walk: _Walk) -> Any:
    """A value of a type that has no rule: its class may have one."""
    if rules.find(type(value), walk.walk)[0] is rules.unsupported:
        reason = f"no JSON for an object of class {display(type(value))}"
        raise walk.misfit(f"{reason}; use another type, or encoders={{...}}", tp)
    return walk.by_class(value)


def _described(value: Any, tp: Any, args: Arguments, walk: _Walk) -> Any:
    """A value of a class that describes itself: its fields, unless something else is said."""
    if records.is_record(_head(tp)):
        return _record(value, tp, args, walk)
    reason = f"no JSON for an object of class {display(type(value))}; pass encoders={{...}}"
    raise walk.misfit(reason, tp)


# -- containers --------------------------------------------------------------------------------


def _array(value: Any, tp: Any, args: Arguments, walk: _Walk) -> list[Any]:
    walk.expect(value, _head(tp), tp)
    if issubclass(type(value), (str, bytes, bytearray)):
        raise walk.misfit(f"{display(value)} is text, not {display(tp)}", tp)
    item = args[0] if args else Any
    return [walk.at(f"[{index}]").dump(each, item) for index, each in enumerate(value)]


def _set(value: Any, tp: Any, args: Arguments, walk: _Walk) -> list[Any]:
    """In an order that is always the same; two items may be one in JSON."""
    items = {key_of(item): item for item in _array(value, tp, args, walk)}
    return sorted(items.values(), key=_order)


def _order(item: Any) -> tuple[str, Any]:
    is_simple = type(item) in (str, int, float)
    return type(item).__name__, item if is_simple else repr(item)


def _tuple(value: Any, tp: Any, args: Arguments, walk: _Walk) -> list[Any]:
    walk.expect(value, tuple, tp)
    if not args and is_bare(tp):
        return _array(value, tuple, (), walk)
    head, rest, tail = rules.layout(args, walk.walk.scope)
    more = len(value) - len(head) - len(tail)
    if more < 0 or (more and rest is MISSING):
        raise walk.misfit(f"{len(value)} items are not those of {display(tp)}", tp)
    annotations = [*head, *[rest] * more, *tail]
    pairs = enumerate(zip(value, annotations, strict=True))
    return [walk.at(f"[{index}]").dump(item, each) for index, (item, each) in pairs]


def _mapping(value: Any, tp: Any, args: Arguments, walk: _Walk) -> Json:
    walk.expect(value, _head(tp), tp)
    key, item = args or (Any, Any)
    json: Json = {}
    for name, each in value.items():
        text = _key(walk.dump(name, key), tp, walk)
        if text in json:
            raise walk.misfit(f"two keys are {text!r} in JSON", tp)
        json[text] = walk.at(step_to(text)).dump(each, item)
    return json


def _counter(value: Any, tp: Any, args: Arguments, walk: _Walk) -> Json:
    return _mapping(value, tp, (*(args or (Any,)), int), walk)


def _key(json: Any, tp: Any, walk: _Walk) -> str:
    """The string that stands for a key: that of ``json``, for what the schema lets be one."""
    if type(json) is str:
        return json
    if type(json) not in (bool, int, float):
        raise walk.misfit(f"{display(json)} is no key of a JSON object", tp)
    return _serialized(json)


# -- special forms -----------------------------------------------------------------------------


def _union(value: Any, tp: Any, args: Arguments, walk: _Walk) -> Any:
    """By the member that fits: the one whose class the value has, else the first."""
    members = [arg for arg in args if not is_form(arg, "Never")]
    ordered = sorted(members, key=lambda member: _head(member) is not type(value))
    others = [member for member in ordered if member is not None and member is not type(None)]
    if value is not None and len(others) == 1:
        return walk.dump(value, others[0])  # its own error has the place
    for member in ordered:
        try:
            return walk.dump(value, member)
        except SchemaError:
            continue
    raise walk.misfit(f"{display(value)} is no {display(tp)}", tp)


def _first(value: Any, _tp: Any, args: Arguments, walk: _Walk) -> Any:
    """``Annotated[T, ...]``, ``Required[T]``: T."""
    return walk.dump(value, args[0] if args else Any)


def _self(value: Any, _tp: Any, _args: Arguments, walk: _Walk) -> Any:
    return walk.dump(value, walk.walk.scope.bindings.get(SELF, type(value)))


def _forward(value: Any, tp: Any, _args: Arguments, walk: _Walk) -> Any:
    return walk.dump(value, evaluate(tp, walk.walk.scope))


def _alias(value: Any, tp: Any, _args: Arguments, walk: _Walk) -> Any:
    outer = walk.walk.scope
    annotation, scope = generics.alias_value(walk.walk.named(tp), outer)
    return walk.within(scope).dump(value, annotation)


def _new_type(value: Any, tp: Any, _args: Arguments, walk: _Walk) -> Any:
    return walk.within(Scope(module=tp.__module__)).dump(value, tp.__supertype__)


def _type_variable(value: Any, tp: Any, _args: Arguments, walk: _Walk) -> Any:
    if (bound := generics.bound(tp, walk.walk.scope)) is not tp:
        return walk.within(Scope()).dump(value, bound)
    walk = walk.within(Scope(module=tp.__module__))
    if (bound := lazy(tp, "__bound__")) is not None:
        return walk.dump(value, bound)
    if constraints := lazy(tp, "__constraints__"):
        return _union(value, tp, constraints, walk)
    default = generics.type_default(tp)
    return walk.dump(value, Any if default is MISSING else default)


# -- records -----------------------------------------------------------------------------------


def _record(value: Any, tp: Any, _args: Arguments, walk: _Walk) -> Any:
    """A dataclass, TypedDict, NamedTuple, or their like."""
    tp = walk.walk.named(tp)
    walk.expect(value, dict if records.is_typed_dict(_head(tp)) else _head(tp), tp)
    record = records.read(tp, walk.walk.scope, output=True)
    json: Json = {}
    for field in record.fields:
        found = _found(value, field)
        if found is MISSING:
            if field.required:
                raise walk.at(field.step).misfit("required, and not there", field.annotation)
            continue
        annotation = Any if field.annotation is MISSING else field.annotation
        json[field.name] = walk.within(field.scope).at(field.step).dump(found, annotation)
    if records.is_typed_dict(_head(tp)):
        json |= _extra(value, record, walk)
    return list(json.values()) if record.is_array else json


def _found(value: Any, field: Field) -> Any:
    """What a record has in a field, or ``MISSING``."""
    if type(value) is dict:
        return value.get(field.name, MISSING)
    tag = getattr(getattr(type(value), "__struct_config__", None), "tag", None)
    found = getattr(value, field.attribute, MISSING if tag is None else tag)
    is_unset = found is not None and found is loaded("msgspec.UNSET")
    return MISSING if is_unset else found


def _extra(value: Json, record: Record, walk: _Walk) -> Json:
    """The keys of a TypedDict that are none of its fields (PEP 728)."""
    is_closed = record.extra is MISSING and walk.walk.profile.closed == "everything"
    extra = False if is_closed else record.extra
    json: Json = {}
    known = {field.name for field in record.fields}
    for name in (name for name in value if name not in known):
        if extra is False:
            raise walk.at(step_to(name)).misfit("no such key", extra)
        json[name] = walk.at(step_to(name)).dump(value[name], Any if extra is MISSING else extra)
    return json


def _model(value: Any, tp: Any, _args: Arguments, walk: _Walk) -> Any:
    """A pydantic model: only pydantic knows how it is written."""
    walk.expect(value, _head(tp), tp)
    adapter = loaded("pydantic.TypeAdapter")(tp)
    try:
        json = adapter.dump_python(value, mode="json", by_alias=True, warnings="error")
    except RAISED as problem:  # serializers of somebody's model
        reason = f"pydantic cannot write it: {' '.join(str(problem).split())}"
        raise walk.misfit(reason, tp) from problem
    return copied(json)


# -- the table ---------------------------------------------------------------------------------

DUMPERS: dict[Any, Dumper] = {
    rules.array: _array,
    rules.unique_array: _set,
    rules.tuple_: _tuple,
    rules.mapping: _mapping,
    rules.counter: _counter,
    rules.literal: _literal,
    rules.enumeration: _member,
    rules.union: _union,
    rules.never: _nothing,
    rules.anything: _anything,
    rules.unsupported: _unknown,
    rules.qualifier: _first,
    rules.annotated: _first,
    rules.boolean: _boolean,
    rules.self_type: _self,
    rules.forward: _forward,
    rules.alias: _alias,
    rules.new_type: _new_type,
    rules.type_variable: _type_variable,
    rules.record: _record,
    rules.model: _model,
    rules.hook: _described,
}
"""For each rule what puts a value into JSON; what has none is a scalar."""
