"""Arrays, tuples and mappings, and the union of schemas."""

from __future__ import annotations

from milo_schema.annotations import generics
from milo_schema.annotations.classes import MISSING
from milo_schema.annotations.forms import display, is_bare, unpacked
from milo_schema.annotations.resolution import resolve
from milo_schema.json_schema.unions import simplify
from milo_schema.json_schema.values import NotJSONError, to_key
from milo_schema.schemas.definitions import look_through

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from milo_schema.annotations.evaluation import Scope
    from milo_schema.schemas.walk import Walk

    Fragment = dict[str, Any]
    Arguments = tuple[Any, ...]


def any_of(branches: list[Fragment], walk: Walk) -> Fragment:
    """The union of schemas, without repetitions, null last."""
    if any("$ref" in branch for branch in branches):
        definitions = walk.derivation.definitions
        assert definitions is not None  # noqa: S101 - it made the reference
        definitions.note_union(branches)
    return simplify({"anyOf": branches})


# -- sequences ---------------------------------------------------------------------------------


def array(tp: Any, args: Arguments, walk: Walk, step: str) -> Fragment:
    """``list[T]`` and its like."""
    if len(args) > 1:
        reason = f"{display(tp)} has too many arguments; an array takes one"
        return walk.at(step).unsupported(tp, reason)
    return {"type": "array", "items": walk.at(step).schema(args[0], "[]") if args else {}}


def generator(tp: Any, args: Arguments, walk: Walk, step: str) -> Fragment:
    """``Generator[T, ...]``: what it yields, in order."""
    return array(tp, args[:1], walk, step)


def unique_array(tp: Any, args: Arguments, walk: Walk, step: str) -> Fragment:
    """``set[T]`` and its like."""
    fragment = array(tp, args, walk, step)
    return {**fragment, "uniqueItems": True} if fragment.get("type") == "array" else fragment


def tuple_(tp: Any, args: Arguments, walk: Walk, step: str) -> Fragment:
    """Fixed (``tuple[A, B]``), of any length (``tuple[A, ...]``), or both (PEP 646)."""
    if not args and is_bare(tp):
        return {"type": "array", "items": {}}
    head, rest, tail = layout(args, walk.scope)
    inner = walk.at(step)
    return positions(
        [inner.schema(arg, f"[{i}]") for i, arg in enumerate(head)],
        None if rest is MISSING else _rest(rest, tail, inner),
        at_least=len(head) + len(tail),
    )


def positions(head: list[Fragment], rest: Fragment | None, at_least: int) -> Fragment:
    """An array with a schema for each of its first items, and one for those that follow."""
    fragment: Fragment = {"type": "array"}
    if head:
        fragment["prefixItems"] = head
    if rest is not None:
        fragment["items"] = rest
    if at_least:
        fragment["minItems"] = at_least
    if rest is None:
        fragment["maxItems"] = len(head)
    return fragment


def _rest(rest: Any, tail: list[Any], walk: Walk) -> Fragment:
    """What follows the head. JSON Schema cannot count from the end, so the tail mixes with it."""
    return any_of([walk.schema(arg, "[]") for arg in (rest, *tail)], walk)


def layout(args: Arguments, scope: Scope) -> tuple[list[Any], Any, list[Any]]:
    """The positions before, the type of, and the positions after the part of any length."""
    args = generics.close_all(args, scope) if any(map(_is_unpacked, args)) else args
    if len(args) == 2 and args[1] is ...:  # noqa: PLR2004 - tuple[T, ...]
        return [], args[0], []
    head: list[Any] = []
    rest: Any = MISSING
    tail: list[Any] = []
    for arg in args:
        before: list[Any] = [arg]
        many, after = MISSING, before[1:]
        if _is_unpacked(arg):
            before, many, after = _taken_apart(unpacked(arg), scope)
        (head if rest is MISSING else tail).extend(before)
        if many is not MISSING:
            rest = many if rest is MISSING else object
        tail.extend(after)
    return head, rest, tail


def _is_unpacked(arg: Any) -> bool:
    return unpacked(arg) is not MISSING


def _taken_apart(inner: Any, scope: Scope) -> tuple[list[Any], Any, list[Any]]:
    """``*tuple[...]`` flattened; a ``TypeVarTuple`` that stands for nothing known is anything."""
    found = resolve(inner, scope)
    if found.head is tuple:
        return layout(generics.close_all(found.args, found.scope), scope)
    return [], object, []


# -- mappings ----------------------------------------------------------------------------------


def mapping(tp: Any, args: Arguments, walk: Walk, step: str) -> Fragment:
    """``dict[K, V]`` and its like: JSON's keys are strings, so K says which ones."""
    if not args:
        return {"type": "object"}
    if len(args) != 2:  # noqa: PLR2004 - key and value
        reason = f"{display(tp)} needs two arguments: of keys and of values"
        return walk.at(step).unsupported(tp, reason)
    key, value = args
    inner = walk.at(step)
    fragment = {"type": "object", "additionalProperties": inner.schema(value, "{}")}
    if key is not str and (names := _property_names(key, inner)):
        fragment["propertyNames"] = names
    return fragment


def counter(tp: Any, args: Arguments, walk: Walk, step: str) -> Fragment:
    """``Counter[K]``: how often each key occurs."""
    return mapping(tp, (*(args or (str,)), int), walk, step)


def _property_names(key: Any, walk: Walk) -> Fragment:
    try:
        return _as_key(walk.schema(key), walk)
    except NotJSONError:
        walk.complain(f"no JSON object has keys of type {display(key)}; use str", key)
        return {}


def _as_key(fragment: Fragment, walk: Walk) -> Fragment:
    """The schema of the strings that JSON writes for keys of this schema."""
    fragment = look_through(fragment, walk)
    if "anyOf" in fragment:
        branches = [_as_key(branch, walk) for branch in fragment["anyOf"]]
        return simplify({"anyOf": branches}) if all(branches) else {}
    if "enum" in fragment:
        return {"enum": [to_key(value) for value in fragment["enum"]]}
    json_type = fragment.get("type")
    if type(json_type) is list:
        raise NotJSONError(json_type)
    if json_type in _KEY_PATTERNS:
        if unsaid := fragment.keys() - {"type", "description", "title"}:
            walk.complain(f"a key is a string, of which {', '.join(sorted(unsaid))} says nothing")
        return {"pattern": _KEY_PATTERNS[json_type]}
    if json_type == "boolean":
        return {"enum": ["true", "false"]}
    if json_type not in ("string", None) or "$ref" in fragment:
        raise NotJSONError(json_type)
    return {} if fragment == {"type": "string"} else fragment


_KEY_PATTERNS = {
    "integer": "^-?(0|[1-9][0-9]*)$",
    "number": r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$",
}
