"""Walk through the subschemas of a JSON Schema, but not through its data: copy, check, simplify.

The value of ``default``, ``enum``, ``const``, ``examples`` or an unknown keyword is data: it is not
treated as a schema even if it looks like one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, TypeVar

from milo_schema.annotations import Fragment, Json
from milo_schema.annotations.classes import shorten
from milo_schema.errors import pointer_token
from milo_schema.json_schema import TYPES, Ref
from milo_schema.json_schema.keywords import (
    REFERENCE,
    SCHEMA_KEYWORDS,
    SCHEMA_LIST_KEYWORDS,
    SCHEMA_MAP_KEYWORDS,
    VALUES,
    WAY_OUT,
    WITH_SUBSCHEMAS,
    is_annotation,
    problem_of,
)
from milo_schema.json_schema.values import json_type

Judgment = TypeVar("Judgment")


def subschemas_of(schema: Fragment) -> list[Fragment]:
    """The subschemas directly in *schema*, except boolean ones, which contain nothing."""
    found: list[Fragment] = []
    for keyword, value in schema.items():
        if type(value) is dict:
            if keyword in SCHEMA_KEYWORDS:
                found.append(value)
            elif keyword in SCHEMA_MAP_KEYWORDS:
                found += [subschema for subschema in value.values() if type(subschema) is dict]
        elif type(value) is list and keyword in SCHEMA_LIST_KEYWORDS:
            found += [subschema for subschema in value if type(subschema) is dict]
    return found


def schemas_in(schema: Any) -> list[Fragment]:
    """The schema and all of its subschemas, each before its own subschemas, in order.

    Boolean ones, which contain nothing, are left out.
    """
    found, todo = [], [schema] if type(schema) is dict else []
    while todo:
        each = todo.pop()
        found.append(each)
        if inner := subschemas_of(each):
            todo += inner[::-1]
    return found


def json_types(
    schema: Fragment, types_of_reference: Callable[[Any], list[str]] | None = None
) -> list[str]:
    """The JSON types that a schema accepts, perhaps with repetitions.

    Args:
        schema: The schema.
        types_of_reference: The types that the target of a ``$ref`` accepts; without it, any.
    """
    if "type" in schema:
        types = schema["type"]
        return types if type(types) is list else [types]
    if types_of_reference is not None and "$ref" in schema:
        return types_of_reference(schema["$ref"])
    if arms := schema.get("anyOf") or schema.get("oneOf"):
        return [each for arm in arms for each in json_types(arm, types_of_reference)]
    if "const" in schema:
        return [json_type(schema["const"])]
    if "enum" in schema:
        return [json_type(value) for value in schema["enum"]]
    return [] if "not" in schema else list(TYPES)


# -- copies ------------------------------------------------------------------------------------


def copy(value: Any) -> Any:
    """A deep copy of a JSON value."""
    if type(value) is dict:
        found = value.copy()  # in C: on 3.11, a comprehension takes a third more time
        for key in found:
            if type(found[key]) in _PARTS:
                found[key] = copy(found[key])
        return found
    if type(value) is list:
        return [copy(item) if type(item) in _PARTS else item for item in value]
    return value


_PARTS = frozenset({dict, list})
"""The classes that ``copy()`` copies; most values are of others, and need no call of their own."""


def without(schema: Fragment, *keywords: str) -> Fragment:
    """A shallow copy of *schema* without some keywords."""
    found = dict(schema)
    for keyword in keywords:
        found.pop(keyword, None)
    return found


def rebuild(
    schema: Fragment,
    change: Callable[[Fragment], Fragment],
    change_other: Callable[[Any], Any] = copy,
) -> Fragment:
    """A copy of *schema*, with *change* applied to each subschema directly in it.

    Args:
        schema: The schema.
        change: Returns what replaces a subschema.
        change_other: The same for what is not an object in a list or map of subschemas.
    """

    def changed(value: Any) -> Any:
        return change(value) if type(value) is dict else change_other(value)

    result: Fragment = {}
    for keyword, value in schema.items():
        kind = type(value)
        if kind is not dict and kind is not list:
            result[keyword] = value
        elif kind is dict and keyword in SCHEMA_MAP_KEYWORDS:
            result[keyword] = {name: changed(item) for name, item in value.items()}
        elif kind is dict and keyword in SCHEMA_KEYWORDS:
            result[keyword] = change(value)
        elif kind is list and keyword in SCHEMA_LIST_KEYWORDS:
            result[keyword] = [changed(item) for item in value]
        else:
            result[keyword] = copy(value)
    return result


def asserted(schema: Fragment) -> Fragment:
    """A copy of *schema* without the keywords that accept every value, such as ``title``."""
    kept = {keyword: each for keyword, each in schema.items() if not is_annotation(keyword)}
    return rebuild(kept, asserted)


# -- checks ------------------------------------------------------------------------------------
#
# For keywords that users write: in ``Schema({...})``, a hook, a profile's types, a pydantic model.
# The keywords that we write are always valid; the tests check this with a real validator.


def checked(schema: Fragment, references: Collection[str] | None = None) -> Fragment:
    """A copy of a schema, with every keyword checked against the meta-schema of 2020-12.

    Every subschema in a map or list is an object (Core, 4.3.2). A single boolean schema stays as
    it is, as in ``"additionalProperties": false``.

    Args:
        schema: The keywords.
        references: The references that are allowed; ``None``: any that stays in the schema.

    Raises:
        ValueError: A value is not valid; the message names the keyword.
    """
    for keyword, value in schema.items():
        if problem := problem_of(keyword, value):
            raise ValueError(problem)
        is_reference = VALUES.get(keyword) is REFERENCE
        if not is_reference or references is None or isinstance(value, Ref):
            continue  # other keywords belong to their readers
        if value not in references:
            raise ValueError(f"{value!r} does not exist; {WAY_OUT}")
    return rebuild(_without_dynamic(schema), lambda each: checked(each, references), _as_object)


def _without_dynamic(schema: Fragment) -> Fragment:
    """A schema with ``$ref`` for its ``$dynamicRef``: both lead to the same definition.

    Only one to a ``$dynamicAnchor`` would not (Core, section 8.2.3.2).
    """
    if "$dynamicRef" not in schema:
        return schema
    rest, reference = without(schema, "$dynamicRef"), {"$ref": schema["$dynamicRef"]}
    if "$ref" not in rest:
        return {**reference, **rest}
    return {**rest, "allOf": [*rest.get("allOf", ()), reference]}


def _as_object(boolean: bool) -> Fragment:
    return {} if boolean else {"not": {}}


# -- unions ------------------------------------------------------------------------------------


def simplify(union: Fragment) -> Fragment:
    """A flat ``anyOf`` without repetitions; null comes last.

    A union of one branch without other keywords becomes that branch.

    Two branches are the same if their text is, apart from the order of keywords. Comparing every
    pair would take quadratic time, so branches are looked up by text. The whole text of each would
    work, but unions are simplified from the inside out, so the innermost of nested unions would be
    written out once for each level. So the key of a branch is its outline, which is short, and its
    whole text only if another branch has the same outline.
    """
    branches: dict[str, Fragment] = {}
    texts: dict[str, str] = {}  # of the branches whose outline another branch has, too
    for branch in union["anyOf"]:
        is_union = len(branch) == 1 and "anyOf" in branch
        for member in branch["anyOf"] if is_union else [branch]:
            if (outline := _outline(member)) not in branches:
                branches[outline] = member
                continue
            if outline not in texts:
                texts[outline] = repr(branches[outline])
            if (text := repr(member)) != texts[outline]:
                branches[text] = member
    if (null := branches.pop("null", None)) is not None:
        branches["null"] = null
    if len(branches) > 1 or len(union) > 1:
        return {**union, "anyOf": list(branches.values())}
    return next(iter(branches.values()))


def _outline(branch: Fragment) -> str:
    """A short text that differs for most branches: the keywords and the type."""
    if len(branch) == 1 and type(only := branch.get("type")) is str:
        return only
    return f"{' '.join(branch)}: {branch.get('type')}"


# -- paths -----------------------------------------------------------------------------------------
#
# Where a subschema is: as a path, ``.filters[0].x["a b"]``, or as a JSON Pointer (RFC 6901).


def step_of(key: str | int) -> str:
    """The step to a property or an item of a value, by its name or its index."""
    return step_to(key) if isinstance(key, str) else f"[{key}]"


def step_to(name: str) -> str:
    """The step to a property: ``.name``, or ``["a b"]`` for a name that is not an identifier."""
    short = shorten(name)
    return f".{short}" if short.isidentifier() and short.isprintable() else f"[{quote(short)}]"


def quote(text: str) -> str:
    """A string, or its beginning, in quotes; characters that cannot be printed are escaped."""
    short = shorten(text, 60).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escape(short)}"'


def escape(text: str) -> str:
    """A string with escapes for control characters and unpaired surrogates."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


# -- the paths of subschemas -------------------------------------------------------------------


def located(
    schema: Json, is_closed: Callable[[Json], bool] = lambda _: False
) -> Iterator[tuple[str, Json]]:
    """Each subschema with its path; a definition has the path of its first reference.

    Args:
        schema: The schema.
        is_closed: Whether to leave out what is inside a subschema.
    """
    todo, followed = [("", schema)], set()
    while todo:
        path, node = todo.pop()
        stops = is_closed(node)
        yield path, node
        found = () if stops else steps_into(node)
        below = [(path + step, each) for keyword, step, each in found if keyword != "$defs"]
        reference = node.get("$ref")
        if reference is not None and reference not in followed:
            followed.add(reference)
            target = resolve_reference(reference, schema)
            below += [(path, target)] if type(target) is dict else []
        todo += reversed(below)


Found = tuple[str, str, str]
"""A mistake in a schema: its path, its code and the reason."""


class Judged:
    """The judgments of schemas and of the objects in them, by the text of each.

    Many tools have the same objects, as those that share a model do; each is judged once. The text
    of an object with references does not say what it means; that of a whole schema does.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[object, str], Any] = {}

    def once(self, judge: Callable[[Json, str], Judgment], schema: Json, text: str) -> Judgment:
        """The judgment of a whole schema with this text, which is not to be changed."""
        if (key := (judge, text)) not in self._known:
            self._known[key] = judge(schema, text)
        judgment: Judgment = self._known[key]
        return judgment

    def find(
        self,
        judge: object,
        schema: Json,
        text: str,
        look: Callable[[str, Json], Iterable[Found]],
    ) -> list[Found]:
        """All that a judge finds in a schema.

        Args:
            judge: The name of the judge.
            schema: The schema.
            text: The text of the schema.
            look: Returns what the judge finds in a subschema itself, given its path.
        """
        if (key := (judge, text)) not in self._known:
            self._known[key] = [*self._found(judge, schema, look)]
        found: list[Found] = self._known[key]
        return found

    def _found(
        self, judge: object, schema: Json, look: Callable[[str, Json], Iterable[Found]]
    ) -> Iterator[Found]:
        texts: dict[int, str] = {}

        def is_closed(node: Json) -> bool:
            if node is not schema and "properties" in node and "$ref" not in (text := repr(node)):
                texts[id(node)] = text
            return id(node) in texts

        for path, node in located(schema, is_closed):
            if id(node) not in texts:
                yield from look(path, node)
            else:
                for below, code, why in self.find(judge, node, texts[id(node)], look):
                    yield path + below, code, why


def steps_into(schema: Json) -> Iterator[tuple[str, str, Json]]:
    """The subschemas directly in a schema, each with its keyword and the step to it."""
    for keyword, value in schema.items():
        if keyword not in _WITH_STEPS:  # as most are
            continue
        if keyword == "properties" and type(value) is dict:
            pairs = [(step_to(name), each) for name, each in value.items()]
        elif keyword in ("$defs", "definitions") and type(value) is dict:  # in old drafts
            pairs = [(f"#{name}", each) for name, each in value.items()]
        elif keyword == "prefixItems" and type(value) is list:
            pairs = [(f"[{index}]", each) for index, each in enumerate(value)]
        else:
            pairs = [(_STEPS.get(keyword, ""), each) for each in subschemas_of({keyword: value})]
        yield from ((keyword, step, each) for step, each in pairs if type(each) is dict)


_WITH_STEPS = WITH_SUBSCHEMAS | {"definitions"}
"""The keywords with subschemas, also in old drafts."""
_STEPS = {"items": "[]", "additionalProperties": "{}", "patternProperties": "{}"}


# -- references to definitions ------------------------------------------------------------------

POINTER = "#/$defs/"


def reference_to(name: str) -> str:
    """The reference to a definition."""
    return POINTER + pointer_token(name)


def references_of(schema: Fragment) -> list[str]:
    """The references to the ``$defs`` of a schema."""
    definitions = schema.get("$defs")
    return list(map(reference_to, definitions)) if type(definitions) is dict else []


def resolve_reference(reference: str, root: Any) -> Any:
    """The subschema of *root* that a reference such as ``#/$defs/Item`` leads to, or ``None``."""
    if reference != "#" and not reference.startswith("#/"):
        return None
    if "%" in reference:  # in a URL, a pointer is percent-encoded (RFC 6901, section 6)
        from urllib.parse import unquote

        reference = unquote(reference)
    target = root
    for token in reference.split("/")[1:]:
        if type(target) is list:
            target = {str(index): item for index, item in enumerate(target)}
        if type(target) is not dict:
            return None
        target = target.get(token.replace("~1", "/").replace("~0", "~"))
    return target if type(target) in (dict, bool) else None


def target_of(schema: Any, root: Any) -> Any:
    """The schema to which a reference leads; any other schema itself."""
    is_reference = type(schema) is dict and "$ref" in schema
    return resolve_reference(schema["$ref"], root) if is_reference else schema


def in_place(schemas: Iterable[Any], root: Any) -> list[Json]:
    """Schemas, and those that they refer to or combine: all that are about the same value."""
    todo = [*schemas]
    found: dict[int, Json] = {}
    for each in todo:
        if type(each) is not dict or id(each) in found:  # such as a reference that leads nowhere
            continue
        found[id(each)] = each
        todo += [resolve_reference(each["$ref"], root)] if "$ref" in each else []
        todo += [
            branch for keyword in ("anyOf", "oneOf", "allOf") for branch in each.get(keyword, ())
        ]
    return list(found.values())


def is_described(schema: Json, root: Any) -> bool:
    """Whether a schema has a description, or one that it refers to or combines."""
    return any("description" in each for each in in_place([schema], root))
